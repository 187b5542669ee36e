"""Draws text to read: paragraphs in pages, the parts of a hint, false claims, and the doctor's findings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from companion.languages import text, translate
from companion.panel import widgets
from companion.panel.canvas import LEFT, LINE_COLUMNS, RIGHT
from companion.panel.fonts import (
    CONDENSED,
    HEADING,
    NAME_FACES,
    TEXT,
    WORD_FACES,
    cut_text,
    fits_lines,
    wrap_text,
)
from companion.panel.name_cutting import limit_names_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.display.key_hints import KeyHints
    from companion.evening.contents import kinds
    from companion.inputs import Finding
    from companion.panel.canvas import Canvas

MAX_NAME_CHARACTERS = 40
"""The most characters of a name on a page. Imported records may have names of any length."""
SENTENCE_END = re.compile(r"(?<=[.!?]) ")
MIN_GAP_COLUMNS = 4
"""The fewest columns between a move and what it is worth."""
UNTITLED_ROW, MAX_UNTITLED_LINES, MAX_SMALL_UNTITLED_LINES = 3, 4, 5
"""The first row of a paragraph that leaves no room for its title, and its most lines in either face."""
STATE_ICONS = {"ok": "tick", "do": "cross", "note": "dot"}
FINDING_COLUMNS = widgets.LAST_COLUMN_BESIDE_BAR - LEFT + 1
"""Columns of a page of findings, which has a scrollbar at its right."""


def draw_reading(canvas: Canvas, content: kinds.Reading, hints: KeyHints) -> None:
    """Draw the open page: a heading, and three lines below it."""
    title = limit_names_in(content.title, canvas.names, MAX_NAME_CHARACTERS)
    pages = reading_pages(content, canvas.names)
    at = min(content.at, len(pages) - 1)
    if content.parted:
        widgets.draw_title(canvas, title, f"{at + 1}/{len(pages)}")
        if at == len(pages) - 1:
            hints.hints_by_key.pop("ok", None)
        hints.draw_footer()
        hints.draw_up_down_keys()
    else:
        hints.draw_footer()
        widgets.draw_title(canvas, title, content.note)
        hints.draw_page_bar(at, len(pages))
    canvas.text_block(LEFT, widgets.WORDS_ROW, pages[at])
    if len(pages) == 1:
        hints.draw_right_hint()


def reading_pages(content: kinds.Reading, names: Sequence[str]) -> list[list[str]]:
    """The lines below the heading, page by page. With more than one page a scrollbar takes some columns.

    A page of a `parted` text ends with a sentence, unless a sentence is longer than a page.
    """
    paragraphs = [limit_names_in(each, names, MAX_NAME_CHARACTERS) for each in content.paragraphs]
    if content.parted:
        return _pages_of_sentences(paragraphs)
    pages = _split_into_pages(paragraphs, RIGHT, names)
    return _split_into_pages(paragraphs, widgets.LAST_COLUMN_BESIDE_BAR, names) if len(pages) > 1 else pages


def _pages_of_sentences(paragraphs: Iterable[str]) -> list[list[str]]:
    """Paragraphs in pages that are filled with whole sentences; each paragraph begins a line."""
    pages: list[list[str]] = [[]]
    for paragraph in paragraphs:
        above, beginning = pages[-1], ""
        for sentence in SENTENCE_END.split(paragraph):
            together = f"{beginning} {sentence}".lstrip()
            lines = wrap_text(together, CONDENSED, LINE_COLUMNS)
            if len(above) + len(lines) <= widgets.MAX_LINES:
                pages[-1], beginning = above + lines, together
                continue
            lines = wrap_text(sentence, CONDENSED, LINE_COLUMNS)
            pages += [lines[first : first + widgets.MAX_LINES] for first in range(0, len(lines), widgets.MAX_LINES)]
            is_on_one_page = len(lines) <= widgets.MAX_LINES
            above, beginning = ([], sentence) if is_on_one_page else (pages[-1], "")
    return [page for page in pages if page]


def _split_into_pages(paragraphs: Iterable[str], edge: int, names: Sequence[str]) -> list[list[str]]:
    """Paragraphs in lines that end at column `edge`, and the lines in pages.

    A paragraph that the end of a page would cut begins on the next one, unless it is longer than a page.
    """
    pages: list[list[str]] = [[]]
    for paragraph in paragraphs:
        lines = wrap_text(paragraph, CONDENSED, edge, names=names)
        if len(pages[-1]) + len(lines) > widgets.MAX_LINES >= len(lines):
            pages.append([])
        for line in lines:
            if len(pages[-1]) == widgets.MAX_LINES:
                pages.append([])
            pages[-1].append(line)
    return pages


def _draw_page(canvas: Canvas, title: str, number: str, words: str) -> None:
    """Draw a paragraph under its title; a long one is without a title, so that its letters stay large."""
    if fits_lines(words, CONDENSED, LINE_COLUMNS, widgets.MAX_LINES):
        widgets.draw_title(canvas, title, number)
        widgets.draw_words(canvas, words)
        return
    face, pitch, most = CONDENSED, widgets.LINE_PITCH, MAX_UNTITLED_LINES
    if not fits_lines(words, face, LINE_COLUMNS, most):
        face, pitch, most = TEXT, widgets.SMALL_LINE_PITCH, MAX_SMALL_UNTITLED_LINES
    canvas.text_block(
        LEFT, UNTITLED_ROW, wrap_text(words, face, LINE_COLUMNS, most, canvas.names), face=face, pitch=pitch
    )


def draw_parts(canvas: Canvas, content: kinds.Parts, hints: KeyHints) -> None:
    """Draw the open part of a hint: its moves with what each is worth, or its sentences."""
    part, count = content.parts[content.at], len(content.parts)
    number = f"{content.at + 1}/{count}" if count > 1 else ""
    if count > 1:
        hints.draw_up_down_keys()
    if not part.rows:
        _draw_page(canvas, part.title, number, " ".join(part.lines))
        return
    widgets.draw_title(canvas, part.title, number)
    fits = all(
        CONDENSED.width(move) + MIN_GAP_COLUMNS + CONDENSED.width(worth) <= LINE_COLUMNS for move, worth in part.rows
    )
    face, pitch = (CONDENSED, widgets.LINE_PITCH) if fits else (TEXT, widgets.SMALL_LINE_PITCH)
    for index, (move, worth) in enumerate(part.rows[: widgets.MAX_LINES if fits else widgets.MAX_SMALL_LINES // 2]):
        y = widgets.WORDS_ROW + pitch * index * (1 if fits else 2)
        canvas.text(LEFT, y, cut_text(move, face, LINE_COLUMNS), face)
        canvas.text(RIGHT, y if fits else y + pitch, worth, face, "r")


def draw_progress(canvas: Canvas, content: kinds.Progress, hints: KeyHints) -> None:
    """Draw how much of a search is done, as a bar."""
    widgets.draw_title(canvas, content.title, f"{content.percent}%")
    canvas.fitted_text(LEFT, widgets.WORDS_ROW, content.said, WORD_FACES, LINE_COLUMNS)
    canvas.progress_bar(LEFT, 29, RIGHT, 36, content.percent / 100)
    canvas.fitted_text(LEFT, widgets.DETAIL_ROW, content.follows, WORD_FACES, LINE_COLUMNS)
    hints.draw_footer()


def draw_claims(canvas: Canvas, content: kinds.Claims, hints: KeyHints) -> None:
    """Draw one false "I can't move" that the round has proven."""
    who, move, possible_move = content.rows[content.at]
    count = len(content.rows)
    said = text("{who}, {move} {could}. The result stands.", who=who, move=move, could=possible_move)
    _draw_page(canvas, content.title, f"{content.at + 1}/{count}" if count > 1 else "", translate(said))
    if count > 1:
        hints.draw_up_down_keys()


def finding_pages(findings: list[Finding]) -> tuple[Finding, ...]:
    """The findings; each that is too long for a page is split into several with the same name."""
    pages = []
    for finding in findings:
        lines = wrap_text(finding.text, CONDENSED, FINDING_COLUMNS)
        chunks = [lines[index : index + widgets.MAX_LINES] for index in range(0, len(lines), widgets.MAX_LINES)]
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
        widgets.draw_words(canvas, finding.text, end=widgets.LAST_COLUMN_BESIDE_BAR)
    elif content.found is None:
        widgets.draw_title(canvas, content.title)
        widgets.draw_words(canvas, content.looking)
    else:
        _draw_overview(canvas, content, found)
    if content.found:
        widgets.draw_page_bar(canvas, content.at, len(found) + 2)
        if "ok" in hints.hints_by_key:
            hints.draw_up_down_keys()


def _draw_overview(canvas: Canvas, content: kinds.Findings, found: Sequence[Finding]) -> None:
    """Draw each finding's name with a sign. Of more than eight, those without a fault are left out first."""
    widgets.draw_title(canvas, content.title, content.note)
    states = {finding.about: finding.state for finding in found}
    rows = widgets.MAX_SMALL_LINES
    names = sorted(states, key=lambda name: ("do", "note", "ok").index(states[name]))[: 2 * rows]
    for index, name in enumerate(name for name in states if name in names):
        x, y = LEFT + 64 * (index // rows), widgets.WORDS_ROW + widgets.SMALL_LINE_PITCH * (index % rows)
        canvas.icon(x + (2 if states[name] == "note" else 0), y, STATE_ICONS[states[name]])
        canvas.text(x + 11, y, cut_text(text(name), TEXT, 51 if index < rows else 46), TEXT)


def _draw_newest_keys(canvas: Canvas, content: kinds.Keys) -> None:
    """Draw the last key large, and the ones before it in a row."""
    widgets.draw_title(canvas, content.title, content.note)
    if not content.pressed:
        widgets.draw_words(canvas, " ".join(content.begin), end=widgets.LAST_COLUMN_BESIDE_BAR)
        return
    middle = (LEFT + widgets.LAST_COLUMN_BESIDE_BAR + 1) // 2
    canvas.fitted_text(middle, 19, content.pressed[-1], (HEADING, *NAME_FACES), FINDING_COLUMNS, anchor="c")
    row = ""
    for key in reversed(content.pressed[:-1]):
        longer = f"{key} {row}".rstrip()
        if CONDENSED.width(longer) > FINDING_COLUMNS:
            break
        row = longer
    canvas.text(middle, widgets.DETAIL_ROW, row, anchor="c")
