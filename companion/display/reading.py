"""Draws text to read: paragraphs in pages, the parts of a hint, false claims, and the doctor's findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.languages import translate, text
from companion.panel import parts
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import HEADING, NAME_FACES, TEXT, wrap_balanced, cut_text, with_cut_name, wrap_text, fits_lines
from companion.panel.names import limit_names_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.display.key_hints import KeyHints
    from companion.evening.contents import kinds
    from companion.inputs import Finding
    from companion.panel.canvas import Canvas

ROWS = 4
"""Lines of a page that are visible at a time."""
TOP, PITCH = 19, 9
"""The row of a page's first line, and pixels from line to line."""
WITHOUT_TITLE, SMALL_TITLE = 6, 0
"""The most lines of a page without a title, and the row of a small title above five lines."""
LAST_LINE = 45
"""The row of the last one of more than four lines."""
GAP = 8
"""The fewest columns between a move and what it leads to; with less room each has a line of its own."""
LONGEST_NAME = 40
"""The most characters of a name on a page. Imported records may have names of any length."""
MARKS = {"ok": "tick", "do": "cross", "note": "dot"}
BESIDE_BAR = parts.LAST_COLUMN_BESIDE_BAR - LEFT + 1
"""Columns of a page of findings, which has a scrollbar at its right."""


def draw_reading(canvas: Canvas, content: kinds.Reading, hints: KeyHints) -> None:
    """Draw the open page: a heading, and at most four lines below it."""
    if content.parted:
        _draw_paragraph(canvas, content, hints)
        return
    parts.draw_title(canvas, limit_names_in(content.title, canvas.names, LONGEST_NAME), content.note)
    pages = reading_pages(content, canvas.names)
    last = len(pages) - 1
    at = min(content.at, last)
    hints.draw_pages(at, last + 1)
    canvas.text_block(LEFT, TOP, pages[at])
    if not last:
        hints.draw_arrow("right")


def reading_pages(content: kinds.Reading, names: Sequence[str]) -> list[list[str]]:
    """The lines below the heading, page by page. With more than one page a scrollbar takes some columns."""
    paragraphs = [limit_names_in(each, names, LONGEST_NAME) for each in content.paragraphs]
    pages = _split(paragraphs, RIGHT, names)
    return _split(paragraphs, parts.LAST_COLUMN_BESIDE_BAR, names) if len(pages) > 1 else pages


def _split(paragraphs: Iterable[str], edge: int, names: Sequence[str]) -> list[list[str]]:
    """Paragraphs in lines that end at column `edge`, and the lines in pages of `PAGE_LINES` at most.

    A paragraph that the end of a page would cut begins on the next one, unless it is longer than a page.
    """
    pages: list[list[str]] = [[]]
    for paragraph in paragraphs:
        lines = wrap_text(paragraph, TEXT, edge, names=names)
        if len(pages[-1]) + len(lines) > ROWS >= len(lines):
            pages.append([])
        for line in lines:
            if len(pages[-1]) == ROWS:
                pages.append([])
            pages[-1].append(line)
    return pages


def _draw_paragraph(canvas: Canvas, content: kinds.Reading, hints: KeyHints) -> None:
    """Draw one paragraph, and which of how many it is."""
    count = len(content.paragraphs)
    edge = hints.draw_pages(content.at, count)
    lines = wrap_text(content.paragraphs[content.at], TEXT, edge, WITHOUT_TITLE)
    top = _draw_title(canvas, content.title, f"{content.at + 1}/{count}", edge, len(lines)) - (len(lines) <= ROWS)
    canvas.text_block(LEFT, top, lines)


def _draw_title(canvas: Canvas, title: str, number: str, edge: int, lines: int) -> int:
    """Draw a title with a number beside it, if the text leaves room. Returns the row of the text's first line.

    More than four lines make the title small, six leave none; `edge` is the last column of a small title.
    """
    if lines <= ROWS:
        parts.draw_title(canvas, title, number)
        return TOP
    if lines < WITHOUT_TITLE:
        room = edge - LEFT + 1
        room -= canvas.text(edge, SMALL_TITLE, number, TEXT, "r") + 3 if number else 0
        canvas.text(LEFT, SMALL_TITLE, cut_text(title, TEXT, room))
    return LAST_LINE - PITCH * (lines - 1)


def draw_parts(canvas: Canvas, content: kinds.Parts, hints: KeyHints) -> None:
    """Draw the open part of a hint: its rows, and its sentences below them."""
    part, count = content.parts[content.at], len(content.parts)
    edge = hints.draw_pages(content.at, count)
    words = [line for each in part.lines for line in wrap_text(each, TEXT, edge, names=canvas.names)]
    moves = [_move_lines(*row, edge - LEFT + 1) for row in part.rows]
    # The best moves come first, so the last ones are dropped.
    while sum(map(len, moves)) + len(words) >= WITHOUT_TITLE and len(moves) > 2:
        moves.pop()
    rows = [line for move in moves for line in move]
    number = f"{content.at + 1}/{count}" if count > 1 else ""
    top = _draw_title(canvas, part.title, number, edge, len(rows) + len(words))
    for index, (move, leads_to) in enumerate(rows):
        canvas.text(edge, top + index * PITCH, leads_to, TEXT, "r")
        canvas.text(LEFT, top + index * PITCH, move)
    canvas.text_block(LEFT, top + len(rows) * PITCH, words)


def _move_lines(move: str, leads_to: str, room: int) -> list[tuple[str, str]]:
    """A move and what it leads to, in one line or in two."""
    if TEXT.width(move) + GAP + TEXT.width(leads_to) <= room:
        return [(move, leads_to)]
    return [(cut_text(move, TEXT, room), ""), ("", cut_text(leads_to, TEXT, room))]


def draw_progress(canvas: Canvas, content: kinds.Progress, hints: KeyHints) -> None:
    """Draw how much of a search is done, as a bar."""
    parts.draw_title(canvas, content.title, f"{content.percent}%")
    canvas.text(LEFT, TOP, content.said)
    canvas.progress_bar(LEFT, TOP + 12, RIGHT, TOP + 18, content.percent / 100)
    canvas.text(LEFT, TOP + 24, content.follows)
    parts.draw_footer(canvas, hints.legends()[1])


def draw_claims(canvas: Canvas, content: kinds.Claims, hints: KeyHints) -> None:
    """Draw one false "I can't move" that the round has proven."""
    who, move, could = content.rows[content.at]
    count = len(content.rows)
    parts.draw_title(canvas, content.title, figure=f"{content.at + 1}/{count}" if count > 1 else "")
    edge = hints.draw_pages(content.at, count)
    whole = translate(text("{could}. The result stands.", could=could))
    lines = wrap_balanced(whole if fits_lines(whole, TEXT, edge, 3) else could, TEXT, edge, 3)
    above, below = (20, 31) if len(lines) < 3 else (18, 28)
    canvas.text(LEFT, above, with_cut_name(f"{{}}, {move}", who, TEXT, edge, canvas.names))
    canvas.text_block(LEFT, below, lines)


def finding_pages(findings: list[Finding]) -> tuple[Finding, ...]:
    """The findings; each that is too long for a page is split into several with the same name."""
    pages = []
    for finding in findings:
        lines = wrap_text(finding.text, TEXT, BESIDE_BAR)
        chunks = [lines[index : index + ROWS] for index in range(0, len(lines), ROWS)]
        pages += [finding._replace(text=" ".join(chunk)) for chunk in chunks]
    return tuple(pages)


def draw_findings(canvas: Canvas, content: kinds.Findings, hints: KeyHints) -> None:
    """Draw a page of the doctor: the overview, a finding, or the newest keys."""
    found = content.found or ()
    if content.at > len(found):
        _draw_keys(canvas, content.keys)
    elif content.at:
        finding = found[content.at - 1]
        parts.draw_title(canvas, f"{finding.part[:1].upper()}{finding.part[1:]}", f"{content.at}/{len(found)}")
        canvas.text_block(LEFT, TOP - 1, wrap_text(finding.text, TEXT, BESIDE_BAR, ROWS))
    elif content.found is None:
        parts.draw_title(canvas, content.title)
        canvas.text(LEFT, 22, content.looking)
    else:
        _draw_overview(canvas, content, found)
    if content.found is not None:
        parts.draw_page_bar(canvas, content.at, len(found) + 2)
        if "ok" in hints.meanings:
            hints.draw_scroll_keys()


def _draw_overview(c: Canvas, content: kinds.Findings, found: Sequence[Finding]) -> None:
    """Draw each finding's name with a sign. Of more than eight, those without a fault are left out first."""
    parts.draw_title(c, content.title, content.note)
    states = {finding.about: finding.state for finding in found}
    names = sorted(states, key=lambda name: ("do", "note", "ok").index(states[name]))[: 2 * ROWS]
    names = [name for name in states if name in names]
    for index, name in enumerate(names):
        x, y = LEFT + 64 * (index // ROWS), TOP - 1 + PITCH * (index % ROWS)
        c.icon(x + (2 if states[name] == "note" else 0), y, MARKS[states[name]])
        c.text(x + 11, y, cut_text(text(name), TEXT, 51 if index < ROWS else 46))


def _draw_keys(c: Canvas, content: kinds.Keys) -> None:
    """Draw the last key large, and the ones before it in a row."""
    parts.draw_title(c, content.title, content.note)
    if not content.pressed:
        lines = [line for words in content.begin for line in wrap_text(words, TEXT, BESIDE_BAR)]
        c.text_block(LEFT, 22 if len(lines) < 3 else TOP, lines, pitch=10 if len(lines) < 4 else PITCH)
        return
    middle = (LEFT + parts.LAST_COLUMN_BESIDE_BAR + 1) // 2
    c.fitted_text(middle, 20, content.pressed[-1], (HEADING, *NAME_FACES), BESIDE_BAR, anchor="c")
    row = ""
    for key in reversed(content.pressed[:-1]):
        longer = f"{key} {row}".rstrip()
        if TEXT.width(longer) > BESIDE_BAR:
            break
        row = longer
    c.text(middle, 39, row, TEXT, "c")
