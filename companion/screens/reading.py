"""Text to read: paragraphs in pages, parts, false claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.languages import said, text
from companion.panel import menus, parts
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import TEXT, balanced, cut, named, wrap, wraps
from companion.panel.names import readable
from companion.screens.legends import between, footer, keys, scrolling

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.panel.canvas import Canvas

ROWS = 4
"""The lines of a page that are visible at a time."""
TOP, PITCH = 19, 9
"""The row of a page's first line, and from line to line."""
WITHOUT_TITLE, SMALL_TITLE = 6, 0
"""The lines that a page may have if it has no title, and the row of a title of one line above five of them."""
LAST_LINE = 45
"""The row of the last line of more than four."""
GAP = 8
"""The fewest columns between a move and what it leads to, which are else told in two lines."""
LONGEST_TOLD = 40
"""The most characters of a name on a page; imported records may have names of any length."""


def reading(canvas: Canvas, content: kinds.Reading, *, buttons: bool) -> None:
    """The open page: at most four lines under the heading."""
    if content.parted:
        _paragraph(canvas, content, buttons=buttons)
        return
    parts.title(canvas, readable(content.title, canvas.names, LONGEST_TOLD), content.note)
    pages = in_pages(content, canvas.names)
    last = len(pages) - 1
    shown = min(content.at, last)
    menus.page_bar(canvas, shown, last + 1)
    for index, line in enumerate(pages[shown]):
        canvas.text(LEFT, TOP + index * PITCH, line)
    footer(canvas, content.meanings, buttons=buttons)
    if last:
        scrolling(canvas, buttons=buttons)
    else:
        between(canvas, content.meanings, "right", buttons=buttons)


def in_pages(content: kinds.Reading, names: Sequence[str]) -> list[list[str]]:
    """The lines under the heading, a page each; a scrollbar takes some columns if there is more than one."""
    told = [readable(each, names, LONGEST_TOLD) for each in content.paragraphs]
    pages = _split(told, RIGHT, names)
    return _split(told, menus.BESIDE_BAR, names) if len(pages) > 1 else pages


def _split(told: Iterable[str], edge: int, names: Sequence[str]) -> list[list[str]]:
    """Sentences in lines that end at column `edge`, and these in pages of `ROWS` at most.

    A sentence that would be cut by the end of a page begins the next one, unless it is longer than a page.
    """
    pages: list[list[str]] = [[]]
    for sentence in told:
        lines = wrap(sentence, TEXT, edge, names=names)
        if len(pages[-1]) + len(lines) > ROWS >= len(lines):
            pages.append([])
        for line in lines:
            if len(pages[-1]) == ROWS:
                pages.append([])
            pages[-1].append(line)
    return pages


def _paragraph(canvas: Canvas, content: kinds.Reading, *, buttons: bool) -> None:
    """One paragraph, and which of how many it is."""
    count = len(content.paragraphs)
    edge = menus.page_bar(canvas, content.at, count)
    lines = wrap(content.paragraphs[content.at], TEXT, edge, WITHOUT_TITLE)
    top = _titled(canvas, content.title, f"{content.at + 1}/{count}", edge, len(lines)) - (len(lines) <= ROWS)
    for index, line in enumerate(lines):
        canvas.text(LEFT, top + index * PITCH, line)
    _turned(canvas, content.meanings, count, buttons=buttons)


def _titled(canvas: Canvas, title: str, number: str, edge: int, lines: int) -> int:
    """Draw the title, which gives way to more than four lines, and the number beside it; returns the first line's row.

    `edge` is the last column of a small title.
    """
    if lines <= ROWS:
        parts.title(canvas, title, number)
        return TOP
    if lines < WITHOUT_TITLE:
        room = edge - LEFT + 1
        room -= canvas.text(edge, SMALL_TITLE, number, TEXT, "r") + 3 if number else 0
        canvas.text(LEFT, SMALL_TITLE, cut(title, TEXT, room))
    return LAST_LINE - PITCH * (lines - 1)


def _turned(canvas: Canvas, meanings: Sequence[kinds.KeyMeaning], pages: int, *, buttons: bool) -> None:
    """The footer of what has so many pages, with the arrows that turn them."""
    footer(canvas, meanings, buttons=buttons)
    if pages > 1:
        scrolling(canvas, buttons=buttons)


def of_parts(canvas: Canvas, content: kinds.Parts, *, buttons: bool) -> None:
    """The open part: its rows, and its sentences below them."""
    part, count = content.parts[content.at], len(content.parts)
    edge = menus.page_bar(canvas, content.at, count)
    words = [line for said in part.lines for line in wrap(said, TEXT, edge, names=canvas.names)]
    moves = [_row(*row, edge - LEFT + 1) for row in part.rows]
    while sum(map(len, moves)) + len(words) >= WITHOUT_TITLE and len(moves) > 2:  # The best moves stand first.
        moves.pop()
    rows = [line for move in moves for line in move]
    lines = len(rows) + len(words)
    top = _titled(canvas, part.title, f"{content.at + 1}/{count}" if count > 1 else "", edge, lines)
    for index, (move, leads_to) in enumerate(rows):
        canvas.text(edge, top + index * PITCH, leads_to, TEXT, "r")
        canvas.text(LEFT, top + index * PITCH, move)
    for index, line in enumerate(words, len(rows)):
        canvas.text(LEFT, top + index * PITCH, line)
    _turned(canvas, content.meanings, count, buttons=buttons)


def _row(move: str, leads_to: str, room: int) -> list[tuple[str, str]]:
    """A move and what it leads to, in one line or in two."""
    if TEXT.width(move) + GAP + TEXT.width(leads_to) <= room:
        return [(move, leads_to)]
    return [(cut(move, TEXT, room), ""), ("", cut(leads_to, TEXT, room))]


def progress(canvas: Canvas, content: kinds.Progress, *, buttons: bool) -> None:
    """How far something is thought out, as a bar."""
    parts.title(canvas, content.title, f"{content.percent}%")
    canvas.text(LEFT, TOP, content.said)
    canvas.bar(LEFT, TOP + 12, RIGHT, TOP + 18, content.percent / 100)
    canvas.text(LEFT, TOP + 24, content.follows)
    parts.footer(canvas, keys(content.meanings, buttons=buttons)[1])


def claims(canvas: Canvas, content: kinds.Claims, *, buttons: bool) -> None:
    """One false "I cannot" that the round has proven."""
    who, move, could = content.rows[content.at]
    count = len(content.rows)
    parts.title(canvas, content.title, figure=f"{content.at + 1}/{count}" if count > 1 else "")
    edge = menus.page_bar(canvas, content.at, count)
    whole = said(text("{could}. The result stands.", could=could))
    lines = balanced(whole if wraps(whole, TEXT, edge, 3) else could, TEXT, edge, 3)
    canvas.text(LEFT, 20 if len(lines) < 3 else 18, named(f"{{}}, {move}", who, TEXT, edge, canvas.names))
    for index, line in enumerate(lines):
        canvas.text(LEFT, (31 if len(lines) < 3 else 28) + PITCH * index, line)
    _turned(canvas, content.meanings, count, buttons=buttons)
