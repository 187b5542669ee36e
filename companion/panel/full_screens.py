"""Whole screens that all games share: refusal, notice, question and so on."""

from collections.abc import Sequence
from typing import NamedTuple

from companion.languages import text
from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import (
    BOLD,
    FIGURES,
    HEADING,
    NAME,
    NAMES,
    NARROW,
    TEXT,
    Face,
    balanced,
    cut,
    face_for,
    wrap,
    wraps,
)
from companion.panel.icons import Icon, icon
from companion.panel.parts import Legend, footer, title

ANY_KEY: Legend = (text("any key"), text("goes on"))
BESIDE = 91
"""The columns from 36, beside a large icon, to the right edge."""
LINES = (19, 28, 37, 46)
"""The rows of four lines of text above the footer, with a dark row between the last one and the keys."""
RULE = (27, 36, 45)
"""The rows of up to three lines, which are set apart."""
BESIDE_SMALL = 101
"""The columns from 26, beside a small icon, to the right edge."""


class Box(NamedTuple):
    """A seat in a box: its name, its vote (``yes``, ``asked`` or ""), and a caption with an icon."""

    name: str
    state: str = ""
    caption: str = ""
    mark: Icon = ""


def _sentence(s: str) -> str:
    """With a capital at its start, unless that is the name of a cell: ``c3``."""
    return s if s[1:2].isdigit() else s[:1].upper() + s[1:]


def _figure(c: Canvas, x: int, y: int, s: str, faces: Sequence[Face]) -> None:
    """Write one line in the first face that fits, else two lines in the narrow bold face."""
    room = RIGHT - x + 1
    if face := face_for(s, faces, room):
        c.text(x, y + (faces[0].capitals - face.capitals) // 2, s, face)
        return
    for index, part in enumerate(balanced(s, NARROW, room, 2, names=c.names)):
        c.text(x, y + index * 11, part, NARROW)


def large_heading(c: Canvas, s: str, y: int = 3) -> None:
    """Write a heading beside an icon, from row `y` down: one line in the first face that fits, else two small lines."""
    if face := face_for(s, (HEADING, *NAMES), BESIDE):
        c.text(36, y + (HEADING.capitals - face.capitals) // 2, s, face)
    else:
        text_lines(c, 36, (y - 1, y + 8), wrap(s, TEXT, BESIDE, 2, names=c.names))


def text_lines(c: Canvas, x: int, rows: Sequence[int], lines: Sequence[str]) -> None:
    """Write lines of text from column `x`, each on one of the `rows`; further lines are left out."""
    for y, s in zip(rows, lines, strict=False):
        c.text(x, y, s)


def _small_stop(c: Canvas, figure: str, against: str, faces: Sequence[Face], y: int) -> None:
    """A small stop sign, and beside it a figure and on row `y`, in one line, what it clashes with."""
    c.icon(3, 3, "stop-small")
    c.fitted(26, 1, figure, faces, BESIDE_SMALL)
    text_lines(c, 26, (y,), wrap(against, TEXT, BESIDE_SMALL, 1, names=c.names))


def _two_and_two(c: Canvas, figure: str, against: str, side: Sequence[str], full: Sequence[str]) -> None:
    """Four lines that do not touch: the stop sign or the figure is smaller, or the figure itself has two lines."""
    if face_for(figure, FIGURES, BESIDE_SMALL) is FIGURES[0] and TEXT.width(against) <= BESIDE_SMALL:
        _small_stop(c, figure, against, FIGURES, 22)
        text_lines(c, LEFT, RULE[1:], full)
        return
    c.icon(2, 4, "stop")
    if face_for(figure, FIGURES[1:], BESIDE):
        _figure(c, 36, 1, figure, FIGURES[1:])
        text_lines(c, 36, (16, 25), side)
        text_lines(c, LEFT, RULE[1:], full)
    else:
        text_lines(c, 36, (1, 10, *LINES[:2]), [*balanced(figure, TEXT, BESIDE, names=c.names), *side])
        text_lines(c, LEFT, LINES[2:], full)


def refusal(
    c: Canvas,
    figure: str,
    against: str = "",
    rule: str = "",
    needed: str = "",
    *,
    left: Legend | None = None,
    right: Legend | None = None,
) -> None:
    """Why a move is refused: the figure as large as it fits, what it clashes with, the rule, and how to leave.

    `needed` is shown if a line is left for it. A long rule makes the stop sign and the figure smaller; one of four
    lines, which no game here has, leaves no room for what the figure clashes with.
    """
    side = balanced(against, TEXT, BESIDE, names=c.names)
    full = balanced(_sentence(rule), TEXT, 126, 4, names=c.names)
    more = balanced(_sentence(needed), TEXT, 126, names=c.names)
    if more and len(full) + len(more) <= 2:
        stopped = [f"{line}." for line in full]  # Else the two lines read as one.
        full = [*(stopped if all(TEXT.width(line) <= 126 for line in stopped) else full), *more]
    if len(full) > 2 or len(side) > 3:
        _small_stop(c, figure, "" if len(full) > 3 else against, FIGURES[1:], 17)
        text_lines(c, LEFT, LINES if len(full) > 3 else RULE[-len(full) :], full)
    elif len(side) == len(full) == 2:
        _two_and_two(c, figure, against, side, full)
    else:
        calm = len(side) < 2 and len(full) < 2
        c.icon(2, 10 if calm else 7, "stop")
        top = (9, 3 if calm else 1, 1, 0)[len(side)]
        _figure(c, 36, top, figure, FIGURES if len(side) < 3 else BOLD[1:])
        text_lines(c, 36, ((), (28 if calm else 25,), (22, 31), (10, 19, 28))[len(side)], side)
        text_lines(c, LEFT, (42,) if len(full) == 1 else RULE[1:] if len(side) < 3 else LINES[2:], full)
    footer(c, left, right)


def notice(
    c: Canvas,
    mark: Icon,
    heading: str,
    said: str = "",
    below: str = "",
    *,
    left: Legend | None = ANY_KEY,
    right: Legend | None = None,
) -> None:
    """A message to everybody: an icon, a heading, up to two lines beside it and two below, or three and one."""
    c.icon(4 + (25 - icon(mark).width) // 2, 16 - icon(mark).height // 2, mark)
    full = balanced(below, TEXT, 126, 2, names=c.names)
    three = bool(said) and len(full) < 2 and not wraps(said, TEXT, BESIDE, 2)
    beside = wrap(said, TEXT, BESIDE, 2 + three, names=c.names) if said else []
    four = len(beside) + len(full) > 3
    large_heading(c, heading, 1 if four else 3)
    text_lines(c, 36, (17, 26, 35) if three else (19, 28) if four else (21, 30), beside)
    rows = ((46 if three else 43,) if len(full) == 1 else (37, 46)) if said else ((35,) if len(full) == 1 else (30, 40))
    text_lines(c, LEFT, rows, full)
    footer(c, left, right)


def look_away(c: Canvas, heading: str, below: str, *, left: Legend | None, right: Legend | None) -> None:
    """Who is to look away, below a crossed eye, and what is shown then; all in the middle."""
    c.icon(64, 0, "eye", "c")
    c.fitted(64, 22, heading, BOLD, RIGHT - LEFT + 1, anchor="c")
    lines = balanced(below, TEXT, 126, 2, names=c.names)
    for y, line in zip((37, 46) if len(lines) == 2 else (41,), lines, strict=True):
        c.text(64, y, line, TEXT, "c")
    footer(c, left, right)


def resume(c: Canvas, ask: str, *, mark: Icon, name: str, lines: Sequence[str], left: Legend, right: Legend) -> None:
    """The offer to resume a round: the question as title, the game's large mark and name, up to two short lines."""
    title(c, ask)
    c.icon(22, 17 + (37 - icon(mark).height) // 2, mark, "c")
    shown = [name] if NAME.width(name) <= 79 else wrap(name, NARROW, 79, 2, names=c.names)
    one = len(shown) == 1
    told = [part for line in lines for part in wrap(line, TEXT, 79)]
    if not one or len(told) > 3:
        told = [cut(line, TEXT, 79, c.names) for line in lines]
    room = one and len(told) < 3
    for index, part in enumerate(shown):
        c.text(48, (20 if room else 17) + 10 * index, part, NAME if one else NARROW)
    text_lines(c, 48, (33, 43) if room else (28, 37, 46)[-len(told) :], told)
    footer(c, left, right)


def question(
    c: Canvas, ask: str, note: str, said: str, boxes: Sequence[Box], *, left: Legend, right: Legend | None = None
) -> None:
    """A question to two seats: a seat that said yes has a tick, one whose yes is awaited is inverted."""
    title(c, ask, note)
    lines = balanced(said, TEXT, 126, 2, names=c.names)
    y0 = 30 if len(lines) < 2 else 36
    y1 = y0 + (20 if len(lines) < 2 else 17)
    text_lines(c, LEFT, (19,) if len(lines) < 2 else (18, 27), lines)
    for box, x0, x1 in zip(boxes, (LEFT, 66), (61, RIGHT), strict=True):
        asked = box.state == "asked"
        if asked:
            c.plate(x0, y0, x1, y1)
            c.text(x1 - 5, y0 + 5, "?", NAME, "r", inverse=True)
        else:
            c.box(x0, y0, x1, y1)
        if box.state == "yes":
            c.icon(x1 - 6, y0 + 8, "tick", "r")
        c.fitted(x0 + 6, y0 + 5, box.name, NAMES, 36 if box.state else 50, inverse=asked)
    footer(c, left, right)


def players(
    c: Canvas, heading: str, note: str, boxes: Sequence[Box], *, starts: int, left: Legend, right: Legend | None = None
) -> None:
    """Two seats side by side, of which the one that `starts` (from 1) has a double frame; or more as a list.

    A list has no cursor: what is to be said of a seat is in its caption.
    """
    title(c, heading, note)
    if len(boxes) > 2:
        for index, box in enumerate(boxes):
            y = 18 + 9 * index
            c.text(9, y, f"{index + 1}")
            end = RIGHT - c.text(RIGHT, y, cut(box.caption, TEXT, 50, c.names), TEXT, "r") - 5
            c.text(19, y, cut(box.name, TEXT, end - 18, c.names))
    else:
        for seat, (box, x0, x1) in enumerate(zip(boxes, (LEFT, 70), (57, RIGHT), strict=True), 1):
            c.box(x0, 19, x1, 51, 2 if seat == starts else 1)
            above = bool(box.mark) and TEXT.width(box.caption) > 46 - icon(box.mark).width
            beside = icon(box.mark).width + 2 if above else 0
            c.fitted((x0 + beside + x1 + 1) // 2, 23, box.name, NAMES, 51 - beside, anchor="c")
            _caption(c, x0, box)
        c.icon(60, 29, "left")
        c.icon(61, 37, "right")
    footer(c, left, right)


def _caption(c: Canvas, x0: int, box: Box) -> None:
    """Draw icon and caption, centred together in a box 57 pixels wide; a long caption has the icon above it."""
    mark = icon(box.mark).width + 3 if box.mark else 0
    if mark and TEXT.width(box.caption) > 49 - mark:
        c.icon(x0 + 4, 21, box.mark)
        mark = 0
    caption = cut(box.caption, TEXT, 49 - mark, c.names)
    x = x0 + (58 - mark - TEXT.width(caption)) // 2
    if mark:
        c.icon(x, 40, box.mark)
    c.text(x + mark, 39, caption)


def goodbye(c: Canvas) -> None:
    """The last picture, which stays on the panel until the power is cut."""
    c.icon(64, 5, "plug", "c")
    c.fitted(64, 32, text("All is kept"), NAMES, 126, anchor="c")
    lines = balanced(text("you may pull the plug"), TEXT, RIGHT - LEFT + 1, 2)
    for y, line in zip((49,) if len(lines) == 1 else (46, 55), lines, strict=True):
        c.text(64, y, line, TEXT, "c")


def cannot_start(c: Canvas, why: str) -> None:
    """The last picture of a table that cannot start, with the reason as a sentence."""
    title(c, text("Cannot start"))
    text_lines(c, LEFT, range(18, 64, 9), wrap(_sentence(why), TEXT, RIGHT - LEFT + 1, 5, names=c.names))
