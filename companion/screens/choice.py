"""A list to pick from, on the panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents.kinds import PAGE, VISIBLE
from companion.games import marks
from companion.panel import menus, parts
from companion.panel.fonts import NARROW, TEXT
from companion.panel.menus import Row
from companion.screens.legends import between, keys, scrolling

if TYPE_CHECKING:
    from companion.contents.kinds import Choice, ChoiceLine
    from companion.panel.canvas import Canvas

SHOWN, UNDER_TITLE, PAIRED = VISIBLE, 3, 2
"""How many entries are shown at a time: without a title, under one, and where one has pairs."""
SCORED = menus.BESIDE_BAR - 23
"""The width of a row of the history, between its game's icon and the scrollbar."""
TOGETHER = 121
"""The width in pixels for a title and what is asked."""


def choice(canvas: Canvas, content: Choice, *, buttons: bool) -> None:
    """A list to pick from."""
    if any(line.explains for line in content.lines):
        _explained(canvas, content, buttons=buttons)
        parts.footer(canvas, *keys(content.meanings, buttons=buttons))
        return
    if content.title:
        parts.question(canvas, content.title, content.notes[0] if content.notes else "")
    pages = [line.place // PAGE for line in content.lines]
    rows = [_row(line, titled=bool(content.title), buttons=buttons) for line in content.lines]
    shown, y, pitch = (UNDER_TITLE, 19, 12) if content.title else (SHOWN, 2, 11)
    if any(row.pairs for row in rows):
        shown, pitch = PAIRED, 18
    # Digits pick on the page of the cursor alone, so a keypad's rows are those of that page.
    start = 0 if buttons else pages.index(pages[content.cursor])
    first = max(start, content.cursor - shown + 1)
    scrolls = menus.menu(canvas, rows, content.cursor, first, shown=shown, y=y, pitch=pitch)
    parts.footer(canvas, *keys(content.meanings, buttons=buttons))
    if scrolls:
        scrolling(canvas, buttons=buttons)
    between(canvas, content.meanings, "right", buttons=buttons)


def _row(line: ChoiceLine, *, titled: bool, buttons: bool) -> Row:
    """A row of a list; with a keypad it has the digit that picks it."""
    digit = "" if buttons else str(line.place % PAGE + 1)
    if titled and not line.icon:
        return Row(line.words, line.note, digit=digit, grey=bool(line.why))
    mark = "match" if line.icon == "match" else marks.mark(line.icon) if line.icon else ""
    if line.pairs:
        scores = " - ".join(f"{name} {score}".rstrip() for name, score in line.pairs)
        room = SCORED - bool(line.note) * (TEXT.width(line.note) + 3)
        whole = TEXT.width(scores) <= room
        return Row(scores, line.note, mark) if whole else Row("", line.note, mark, pairs=line.pairs)
    return Row(line.words, line.note or ("" if titled else digit), mark, grey=bool(line.why))


def _explained(canvas: Canvas, content: Choice, *, buttons: bool) -> None:
    """Two entries, each with its explanation below it, with a keypad also the digit that picks it."""
    whole = NARROW.width(content.title) + TEXT.width(content.notes[0]) <= TOGETHER
    parts.title(canvas, content.title, content.notes[0 if whole else -1])
    digits = ["" if buttons else str(line.place % PAGE + 1) for line in content.lines]
    rows = [Row(line.words, line.explains, line.icon, digit) for line, digit in zip(content.lines, digits, strict=True)]
    menus.explained(canvas, rows, content.cursor)
