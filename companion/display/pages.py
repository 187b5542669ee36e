"""Draws text to read: paragraphs in pages, the parts of a hint, false claims, and the doctor's findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.languages import text, translate
from companion.panel import widgets
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import (
    HEADING,
    NAME_FACES,
    TEXT,
    cut_text,
    fits_lines,
    with_cut_name,
    wrap_balanced,
    wrap_text,
)
from companion.panel.name_cutting import limit_names_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.display.key_hints import KeyHints
    from companion.evening.contents import kinds
    from companion.inputs import Finding
    from companion.panel.canvas import Canvas

PAGE_LINES = 4
"""Lines of a page that are visible at a time."""
FIRST_LINE_ROW, LINE_PITCH = 19, 9
"""The row of a page's first line, and pixels from line to line."""
MAX_LINES_WITHOUT_TITLE, SMALL_TITLE_ROW = 6, 0
"""The most lines of a page without a title, and the row of a small title above five lines."""
LAST_TEXT_ROW = 45
"""The row of the last one of more than four lines."""
MIN_GAP_COLUMNS = 8
"""The fewest columns between a move and what it leads to; with less room each has a line of its own."""
MAX_NAME_CHARACTERS = 40
"""The most characters of a name on a page. Imported records may have names of any length."""
STATE_ICONS = {"ok": "tick", "do": "cross", "note": "dot"}
FINDING_COLUMNS = widgets.LAST_COLUMN_BESIDE_BAR - LEFT + 1
"""Columns of a page of findings, which has a scrollbar at its right."""


def draw_reading(canvas: Canvas, content: kinds.Reading, hints: KeyHints) -> None:
    """Draw the open page: a heading, and at most four lines below it."""
    if content.parted:
        _draw_paragraph(canvas, content, hints)
        return
    widgets.draw_title(canvas, limit_names_in(content.title, canvas.names, MAX_NAME_CHARACTERS), content.note)
    pages = reading_pages(content, canvas.names)
    last = len(pages) - 1
    at = min(content.at, last)
    hints.draw_page_bar(at, last + 1)
    canvas.text_block(LEFT, FIRST_LINE_ROW, pages[at])
    if not last:
        hints.draw_arrow_hint("right")


def reading_pages(content: kinds.Reading, names: Sequence[str]) -> list[list[str]]:
    """The lines below the heading, page by page. With more than one page a scrollbar takes some columns."""
    paragraphs = [limit_names_in(each, names, MAX_NAME_CHARACTERS) for each in content.paragraphs]
    pages = _split_into_pages(paragraphs, RIGHT, names)
    return _split_into_pages(paragraphs, widgets.LAST_COLUMN_BESIDE_BAR, names) if len(pages) > 1 else pages


def _split_into_pages(paragraphs: Iterable[str], edge: int, names: Sequence[str]) -> list[list[str]]:
    """Paragraphs in lines that end at column `edge`, and the lines in pages of `PAGE_LINES` at most.

    A paragraph that the end of a page would cut begins on the next one, unless it is longer than a page.
    """
    pages: list[list[str]] = [[]]
    for paragraph in paragraphs:
        lines = wrap_text(paragraph, TEXT, edge, names=names)
        if len(pages[-1]) + len(lines) > PAGE_LINES >= len(lines):
            pages.append([])
        for line in lines:
            if len(pages[-1]) == PAGE_LINES:
                pages.append([])
            pages[-1].append(line)
    return pages


def _draw_paragraph(canvas: Canvas, content: kinds.Reading, hints: KeyHints) -> None:
    """Draw one paragraph, and which of how many it is."""
    count = len(content.paragraphs)
    edge = hints.draw_page_bar(content.at, count)
    lines = wrap_text(content.paragraphs[content.at], TEXT, edge, MAX_LINES_WITHOUT_TITLE)
    top = _draw_title(canvas, content.title, f"{content.at + 1}/{count}", edge, len(lines)) - (len(lines) <= PAGE_LINES)
    canvas.text_block(LEFT, top, lines)


def _draw_title(canvas: Canvas, title: str, number: str, edge: int, lines: int) -> int:
    """Draw a title with a number beside it, if the text leaves room. Returns the row of the text's first line.

    More than four lines make the title small, six leave none; `edge` is the last column of a small title.
    """
    if lines <= PAGE_LINES:
        widgets.draw_title(canvas, title, number)
        return FIRST_LINE_ROW
    if lines < MAX_LINES_WITHOUT_TITLE:
        room = edge - LEFT + 1
        room -= canvas.text(edge, SMALL_TITLE_ROW, number, TEXT, "r") + 3 if number else 0
        canvas.text(LEFT, SMALL_TITLE_ROW, cut_text(title, TEXT, room))
    return LAST_TEXT_ROW - LINE_PITCH * (lines - 1)


def draw_parts(canvas: Canvas, content: kinds.Parts, hints: KeyHints) -> None:
    """Draw the open part of a hint: its rows, and its sentences below them."""
    part, count = content.parts[content.at], len(content.parts)
    edge = hints.draw_page_bar(content.at, count)
    words = [line for each in part.lines for line in wrap_text(each, TEXT, edge, names=canvas.names)]
    moves = [_move_lines(*row, edge - LEFT + 1) for row in part.rows]
    # The best moves come first, so the last ones are dropped.
    while sum(map(len, moves)) + len(words) >= MAX_LINES_WITHOUT_TITLE and len(moves) > 2:
        moves.pop()
    rows = [line for move in moves for line in move]
    number = f"{content.at + 1}/{count}" if count > 1 else ""
    top = _draw_title(canvas, part.title, number, edge, len(rows) + len(words))
    for index, (move, leads_to) in enumerate(rows):
        canvas.text(edge, top + index * LINE_PITCH, leads_to, TEXT, "r")
        canvas.text(LEFT, top + index * LINE_PITCH, move)
    canvas.text_block(LEFT, top + len(rows) * LINE_PITCH, words)


def _move_lines(move: str, leads_to: str, room: int) -> list[tuple[str, str]]:
    """A move and what it leads to, in one line or in two."""
    if TEXT.width(move) + MIN_GAP_COLUMNS + TEXT.width(leads_to) <= room:
        return [(move, leads_to)]
    return [(cut_text(move, TEXT, room), ""), ("", cut_text(leads_to, TEXT, room))]


def draw_progress(canvas: Canvas, content: kinds.Progress, hints: KeyHints) -> None:
    """Draw how much of a search is done, as a bar."""
    widgets.draw_title(canvas, content.title, f"{content.percent}%")
    canvas.text(LEFT, FIRST_LINE_ROW, content.said)
    canvas.progress_bar(LEFT, FIRST_LINE_ROW + 12, RIGHT, FIRST_LINE_ROW + 18, content.percent / 100)
    canvas.text(LEFT, FIRST_LINE_ROW + 24, content.follows)
    widgets.draw_footer(canvas, hints.ok_and_back_labels()[1])


def draw_claims(canvas: Canvas, content: kinds.Claims, hints: KeyHints) -> None:
    """Draw one false "I can't move" that the round has proven."""
    who, move, possible_move = content.rows[content.at]
    count = len(content.rows)
    widgets.draw_title(canvas, content.title, figure=f"{content.at + 1}/{count}" if count > 1 else "")
    edge = hints.draw_page_bar(content.at, count)
    whole = translate(text("{could}. The result stands.", could=possible_move))
    lines = wrap_balanced(whole if fits_lines(whole, TEXT, edge, 3) else possible_move, TEXT, edge, 3)
    above, below = (20, 31) if len(lines) < 3 else (18, 28)
    canvas.text(LEFT, above, with_cut_name(f"{{}}, {move}", who, TEXT, edge, canvas.names))
    canvas.text_block(LEFT, below, lines)


def finding_pages(findings: list[Finding]) -> tuple[Finding, ...]:
    """The findings; each that is too long for a page is split into several with the same name."""
    pages = []
    for finding in findings:
        lines = wrap_text(finding.text, TEXT, FINDING_COLUMNS)
        chunks = [lines[index : index + PAGE_LINES] for index in range(0, len(lines), PAGE_LINES)]
        pages += [finding._replace(text=" ".join(chunk)) for chunk in chunks]
    return tuple(pages)


def draw_findings(canvas: Canvas, content: kinds.Findings, hints: KeyHints) -> None:
    """Draw a page of the doctor: the overview, a finding, or the newest keys."""
    found = content.found or ()
    if content.at > len(found):
        _draw_newest_keys(canvas, content.keys)
    elif content.at:
        finding = found[content.at - 1]
        widgets.draw_title(canvas, f"{finding.part[:1].upper()}{finding.part[1:]}", f"{content.at}/{len(found)}")
        canvas.text_block(LEFT, FIRST_LINE_ROW - 1, wrap_text(finding.text, TEXT, FINDING_COLUMNS, PAGE_LINES))
    elif content.found is None:
        widgets.draw_title(canvas, content.title)
        canvas.text(LEFT, 22, content.looking)
    else:
        _draw_overview(canvas, content, found)
    if content.found is not None:
        widgets.draw_page_bar(canvas, content.at, len(found) + 2)
        if "ok" in hints.hints_by_key:
            hints.draw_up_down_keys()


def _draw_overview(canvas: Canvas, content: kinds.Findings, found: Sequence[Finding]) -> None:
    """Draw each finding's name with a sign. Of more than eight, those without a fault are left out first."""
    widgets.draw_title(canvas, content.title, content.note)
    states = {finding.about: finding.state for finding in found}
    names = sorted(states, key=lambda name: ("do", "note", "ok").index(states[name]))[: 2 * PAGE_LINES]
    names = [name for name in states if name in names]
    for index, name in enumerate(names):
        x, y = LEFT + 64 * (index // PAGE_LINES), FIRST_LINE_ROW - 1 + LINE_PITCH * (index % PAGE_LINES)
        canvas.icon(x + (2 if states[name] == "note" else 0), y, STATE_ICONS[states[name]])
        canvas.text(x + 11, y, cut_text(text(name), TEXT, 51 if index < PAGE_LINES else 46))


def _draw_newest_keys(canvas: Canvas, content: kinds.Keys) -> None:
    """Draw the last key large, and the ones before it in a row."""
    widgets.draw_title(canvas, content.title, content.note)
    if not content.pressed:
        lines = [line for words in content.begin for line in wrap_text(words, TEXT, FINDING_COLUMNS)]
        canvas.text_block(
            LEFT, 22 if len(lines) < 3 else FIRST_LINE_ROW, lines, pitch=10 if len(lines) < 4 else LINE_PITCH
        )
        return
    middle = (LEFT + widgets.LAST_COLUMN_BESIDE_BAR + 1) // 2
    canvas.fitted_text(middle, 20, content.pressed[-1], (HEADING, *NAME_FACES), FINDING_COLUMNS, anchor="c")
    row = ""
    for key in reversed(content.pressed[:-1]):
        longer = f"{key} {row}".rstrip()
        if TEXT.width(longer) > FINDING_COLUMNS:
            break
        row = longer
    canvas.text(middle, 39, row, TEXT, "c")
