"""Text to read: paragraphs in pages, parts, false claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.panel import menus, parts
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import TEXT, balanced, cut, named, wrap
from companion.panel.names import readable
from companion.screens.legends import beside, footer, keys, scrolling

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.panel.canvas import Canvas

ROWS = 4
"""The lines of a page that are visible at a time."""
TOP, PITCH = 19, 9
"""The row of a page's first line, and from line to line."""
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
    ok, back = keys(content.answers, buttons=buttons)
    right = kinds.answer(content.answers, "right")
    if last or not (right and ok and back):
        parts.footer(canvas, ok, back)
    else:  # Beside the two others BACK of a button has no room for a word.
        back = (back[0], "") if buttons else back
        parts.footer(canvas, ok, back)
        beside(canvas, ok, back, right.says, buttons=buttons)
    if last:
        scrolling(canvas, buttons=buttons)


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
    parts.title(canvas, content.title, f"{content.at + 1}/{count}")
    edge = menus.page_bar(canvas, content.at, count)
    for index, line in enumerate(wrap(content.paragraphs[content.at], TEXT, edge, ROWS)):
        canvas.text(LEFT, TOP - 1 + index * PITCH, line)
    footer(canvas, content.answers, buttons=buttons)


def of_parts(canvas: Canvas, content: kinds.Parts, *, buttons: bool) -> None:
    """The open part: its rows, and its sentences below them."""
    part, count = content.parts[content.at], len(content.parts)
    parts.title(canvas, part.title, f"{content.at + 1}/{count}" if count > 1 else "")
    edge = menus.page_bar(canvas, content.at, count)
    for index, (move, leads_to) in enumerate(part.rows):
        wide = canvas.text(edge, TOP + index * PITCH, leads_to, TEXT, "r")
        canvas.text(LEFT, TOP + index * PITCH, cut(move, TEXT, edge - LEFT - wide - 3))
    words = [line for said in part.lines for line in wrap(said, TEXT, edge, names=canvas.names)]
    for index, line in enumerate(words, len(part.rows)):
        canvas.text(LEFT, TOP + index * PITCH, line)
    footer(canvas, content.answers, buttons=buttons)


def progress(canvas: Canvas, content: kinds.Progress, *, buttons: bool) -> None:
    """How far something is thought out, as a bar."""
    parts.title(canvas, content.title, f"{content.percent}%")
    canvas.text(LEFT, TOP, content.said)
    canvas.bar(LEFT, TOP + 12, RIGHT, TOP + 18, content.percent / 100)
    canvas.text(LEFT, TOP + 24, content.follows)
    parts.footer(canvas, keys(content.answers, buttons=buttons)[1])


def claims(canvas: Canvas, content: kinds.Claims, *, buttons: bool) -> None:
    """One false "I cannot" that the round has proven."""
    who, move, could = content.rows[content.at]
    count = len(content.rows)
    parts.title(canvas, content.title, figure=f"{content.at + 1}/{count}" if count > 1 else "")
    edge = menus.page_bar(canvas, content.at, count)
    lines = balanced(could, TEXT, edge, 3)
    canvas.text(LEFT, 20 if len(lines) < 3 else 18, named(f"{{}}, {move}", who, TEXT, edge, canvas.names))
    for index, line in enumerate(lines):
        canvas.text(LEFT, (31 if len(lines) < 3 else 28) + PITCH * index, line)
    footer(canvas, content.answers, buttons=buttons)
