"""Whole screens that are the same in every game: refusal, notice, question, result, standings and the like."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import (
    BIG,
    FIGURES,
    HEADING,
    MIDDLE,
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
from companion.panel.parts import Legend, digits, footer, more, title

if TYPE_CHECKING:
    from collections.abc import Sequence

ANY_KEY: Legend = ("any key", "goes on")
TRY_AGAIN: Legend = ("any key", "and try again")
BESIDE = 91
"""The width from column 36, beside a large icon, to the right edge."""
BESIDE_NAME = 60
"""A result's number up to this width stands beside its player's name, a longer one below it."""
LINES = (23, 31, 39, 47)
"""The rows of four lines of text between a figure of 20 px and the footer."""


class Box(NamedTuple):
    """A seat in a box: its name, ``yes``, ``asked`` or nothing where it votes, and a caption with an icon."""

    name: str
    state: str = ""
    caption: str = ""
    mark: Icon = ""


def _sentence(s: str) -> str:
    return s[:1].upper() + s[1:]


def _figure(c: Canvas, x: int, y: int, s: str, faces: Sequence[Face]) -> None:
    """One line in the first face that fits up to the right edge, else two in the narrow bold face."""
    room = RIGHT - x + 1
    if face := face_for(s, faces, room):
        c.text(x, y + (faces[0].capitals - face.capitals) // 2, s, face)
        return
    for index, part in enumerate(balanced(s, NARROW, room, 2, names=c.names)):
        c.text(x, y + index * 11, part, NARROW)


def _heading(c: Canvas, s: str) -> None:
    """One line beside an icon in the first face that fits, else two small ones."""
    if face := face_for(s, (HEADING, *NAMES), BESIDE):
        c.text(36, 3 + (HEADING.capitals - face.capitals) // 2, s, face)
    else:
        _lines(c, 36, (2, 10), wrap(s, TEXT, BESIDE, 2, names=c.names))


def _lines(c: Canvas, x: int, rows: Sequence[int], lines: Sequence[str]) -> None:
    for y, s in zip(rows, lines, strict=False):
        c.text(x, y, s)


def refusal(
    c: Canvas, figure: str, against: str = "", rule: str = "", needed: str = "", left: Legend = TRY_AGAIN
) -> None:
    """Why not: the numbers as large as they fit, what they clash with, the rule, how to leave.

    `needed` is shown where a line is left for it. A long rule makes the octagon and the figure smaller.
    """
    side = balanced(against, TEXT, BESIDE, names=c.names)
    full = balanced(_sentence(rule), TEXT, 126, 4, names=c.names)
    more = balanced(_sentence(needed), TEXT, 126, names=c.names)
    if len(full) + len(more) <= 2:
        full += more
    if len(full) > 2 or len(side) > 3:
        c.icon(3, 3, "stop-small")
        c.fitted(26, 1, figure, FIGURES[1:], 101)
        _lines(c, 26, (16,), wrap(against, TEXT, 101, 1, names=c.names))
        _lines(c, LEFT, LINES[-len(full) :], full)
    else:
        calm = len(side) < 2 and len(full) < 2
        c.icon(2, 10 if calm else 7, "stop")
        top = 0 if len(side) > 1 else 3 if side else 9
        _figure(c, 36, top, figure, FIGURES if len(side) < 3 else FIGURES[1:])
        _lines(c, 36, ((), (28,), (21, 29), (13, 21, 29))[len(side)], side)
        _lines(c, LEFT, (42,) if len(full) == 1 and len(side) < 2 else LINES[2:], full)
    footer(c, left)


def notice(
    c: Canvas,
    mark: Icon,
    heading: str,
    said: str = "",
    below: str = "",
    left: Legend = ANY_KEY,
    right: Legend | None = None,
) -> None:
    """Something everybody has to know: an icon, a heading, up to two lines beside it and two below."""
    c.icon(4 + (25 - icon(mark).width) // 2, 16 - icon(mark).height // 2, mark)
    _heading(c, heading)
    _lines(c, 36, (21, 30), wrap(said, TEXT, BESIDE, 2, names=c.names))
    full = balanced(below, TEXT, 126, 2, names=c.names)
    _lines(c, LEFT, (43,) if len(full) == 1 else (39, 47), full)
    footer(c, left, right)


def resume(c: Canvas, ask: str, mark: Icon, name: str, lines: Sequence[str], left: Legend, right: Legend) -> None:
    """An unfinished round: the question as title, the large mark and name of the game, up to two short lines."""
    title(c, ask)
    c.icon(22, 17 + (37 - icon(mark).height) // 2, mark, "c")
    shown = [name] if NAME.width(name) <= 79 else wrap(name, NARROW, 79, 2, names=c.names)
    one = len(shown) == 1
    for index, part in enumerate(shown):
        c.text(48, (20 if one else 17) + 10 * index, part, NAME if one else NARROW)
    _lines(c, 48, (33, 43) if one else (37, 46), [cut(s, TEXT, 79, c.names) for s in lines])
    footer(c, left, right)


def question(
    c: Canvas, ask: str, note: str, said: str, boxes: Sequence[Box], left: Legend, right: Legend | None = None
) -> None:
    """A question to two seats: who has said yes has a tick, whose answer is awaited is inverted."""
    title(c, ask, note)
    lines = balanced(said, TEXT, 126, 2, names=c.names)
    y0 = 30 if len(lines) < 2 else 34
    y1 = y0 + (20 if len(lines) < 2 else 18)
    _lines(c, LEFT, (19,) if len(lines) < 2 else (17, 25), lines)
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
    c: Canvas, heading: str, note: str, boxes: Sequence[Box], starts: int, left: Legend, right: Legend | None = None
) -> None:
    """The seats as at the table, the one that starts (from 1) in a doubled frame; more than two as a list."""
    title(c, heading, note)
    if len(boxes) > 2:
        for index, box in enumerate(boxes):
            y = 18 + 9 * index
            if index + 1 == starts:
                c.icon(LEFT, y, "cursor")
            c.text(9, y, f"{index + 1}")
            end = RIGHT - c.text(RIGHT, y, cut(box.caption, TEXT, 50, c.names), TEXT, "r") - 5
            c.text(19, y, cut(box.name, TEXT, end - 18, c.names))
    else:
        for seat, (box, x0, x1) in enumerate(zip(boxes, (LEFT, 70), (57, RIGHT), strict=True), 1):
            c.box(x0, 19, x1, 51, 2 if seat == starts else 1)
            c.fitted((x0 + x1 + 1) // 2, 23, box.name, NAMES, 51, "c")
            _caption(c, x0, box)
        c.icon(60, 29, "left")
        c.icon(61, 37, "right")
    footer(c, left, right)


def _caption(c: Canvas, x0: int, box: Box) -> None:
    """Icon and caption, centred together in a box 57 wide."""
    mark = icon(box.mark).width + 3 if box.mark else 0
    caption = cut(box.caption, TEXT, 49 - mark, c.names)
    x = x0 + (58 - mark - TEXT.width(caption)) // 2
    if box.mark:
        c.icon(x, 40, box.mark)
    c.text(x + mark, 39, caption)


def result(
    c: Canvas,
    heading: str,
    reason: str,
    label: str,
    rows: Sequence[tuple[str, int]],
    left: Legend,
    right: Legend | None = None,
    mark: Icon = "trophy",
) -> None:
    """A round's end: winner and reason over a line, under it every player with what `label` counts.

    No number is cut: the names give way, and more than two players, long numbers or a long reason take the place of
    the winner's icon.
    """
    long = max(TEXT.width(str(number)) for _, number in rows)
    if len(rows) > 2 or long > BESIDE_NAME or not wraps(reason, TEXT, BESIDE, 2):
        _dense_result(c, heading, reason, label, rows)
        footer(c, left, right)
        return
    c.icon(4 + (22 - icon(mark).width) // 2, 15 - icon(mark).height // 2, mark)
    _heading(c, heading)
    why = balanced(reason, TEXT, BESIDE, 2, names=c.names)
    two = len(why) == 2
    _lines(c, 36, (19, 27) if two else (21,), why)
    c.hline(36 if two else 33)
    _players_with(c, label, rows, (39, 47) if two else (35, 45), TEXT if two else NARROW)
    footer(c, left, right)


def _players_with(
    c: Canvas, label: str, rows: Sequence[tuple[str, int]], places: Sequence[int], face: Face = TEXT
) -> None:
    """A player a row with a number at the right; what is counted stands before a number where a name leaves room."""
    number = max(face.width(str(each)) for _, each in rows)
    room = RIGHT - LEFT - number - 4
    spare = [room - TEXT.width(name) - TEXT.width(label) - 5 for name, _ in rows]
    told = next((index for index, wide in enumerate(spare) if wide >= 0), None)
    for index, ((name, each), y) in enumerate(zip(rows, places, strict=False)):
        down = face.capitals - TEXT.capitals
        c.text(RIGHT, y, str(each), face, "r")
        c.text(LEFT, y + down, cut(name, TEXT, room, c.names))
        if index == told:
            c.text(RIGHT - number - 4, y + down, label, TEXT, "r")


def _dense_result(c: Canvas, heading: str, reason: str, label: str, rows: Sequence[tuple[str, int]]) -> None:
    """Winner and reason in two lines; a line a player, of two players one for the number below the name."""
    if TEXT.width(heading) <= 126 and TEXT.width(reason) <= 126:
        c.fitted(LEFT, 0, heading, (NARROW, TEXT), 126)
        c.text(LEFT, 10, reason)
    else:
        _lines(c, LEFT, (0, 9), wrap(f"{heading}: {reason}", TEXT, 126, 2, names=c.names))
    c.hline(18)
    if len(rows) > 2:
        _players_with(c, label, rows, (21, 29, 37, 45))
        return
    for index, (name, number) in enumerate(rows):
        y = 21 + 16 * index
        wide = c.text(RIGHT, y, label, TEXT, "r") if TEXT.width(name) + TEXT.width(label) <= 120 else 0
        c.text(LEFT, y, cut(name, TEXT, 121 - wide, c.names))
        c.text(RIGHT, y + 8, digits(str(number), 126), TEXT, "r")


def match(
    c: Canvas,
    names: Sequence[str],
    note: str,
    wins: Sequence[int],
    goal: int,
    left: Legend,
    right: Legend | None = None,
    mark: Icon = "",
) -> None:
    """A match of two between rounds: wins in 20 px, and as dots towards the goal where that is at most five.

    The icon `mark` takes the place of the colon, as a cup does where the match is won.
    """
    room = (126 - TEXT.width(note) - 14) // 2 if note else 60
    dots = goal <= 5
    if any(face_for(name, (NAME, NARROW), room) is None for name in names):
        room = 60  # long names need the whole line: the dots say what the note would, or it stands below
        c.text(64, 44, "" if dots else note, TEXT, "c")
    else:
        c.text(64, 4, note, TEXT, "c")
    c.fitted(LEFT, 2, names[0], NAMES, room)
    c.fitted(RIGHT, 2, names[1], NAMES, room, "r")
    c.hline(15)
    for x, won in zip((28, 99), wins, strict=True):
        c.fitted(x, 20, str(won), (BIG, MIDDLE), 50, "c")
        for index in range(goal if dots else 0):
            c.icon(x - 6 * goal + 12 * index + 3, 44, "dot" if index < won else "ring")
    if mark:
        c.icon(63, 20, mark, "c")
    else:
        c.text(63, 20, ":", BIG, "c")
    footer(c, left, right)


def standings(
    c: Canvas,
    heading: str,
    columns: Sequence[Icon],
    rows: Sequence[tuple[str, Sequence[str], str]],
    left: Legend,
    right: Legend | None = None,
    total: str = "all",
    first: int = 0,
) -> None:
    """Four names down from the row `first` on, up to five icons across, the total at the right.

    A row is (name, cells, total); a small arrowhead tells that there are more.
    """
    widest = max((TEXT.width(cell) for row in rows for cell in row[1]), default=5)
    totals = max((TEXT.width(row[2]) for row in rows), default=5)
    pitch, gap = (20, 5) if len(columns) < 4 else (16, 5) if len(columns) == 4 else (14, 3)
    step = max(pitch, widest + gap)
    last = min(103, RIGHT - totals - 5 - widest // 2)
    places = [last - step * (len(columns) - 1 - index) for index in range(len(columns))]
    room = min(places, default=last) - widest // 2 - 5
    c.text(LEFT, 4, cut(heading, TEXT, room, c.names))
    c.text(RIGHT, 4, total, TEXT, "r")
    for x, name in zip(places, columns, strict=True):
        c.icon(x, 7 - icon(name).height // 2, name, "c")
    c.hline(15)
    tall = len(rows) < 4
    for index, (name, cells, whole) in enumerate(rows[first : first + 4]):
        y = 20 + 12 * index if tall else 18 + 9 * index
        wide = more(c, room, y, index == 0 and first > 0, index == 3 and first + 4 < len(rows))
        c.text(LEFT, y, cut(name, TEXT, room - wide, c.names))
        for x, cell in zip(places, cells, strict=True):
            c.text(x, y, cell, TEXT, "c")
        if tall:
            c.fitted(RIGHT, y - 2, whole, (NAME, TEXT), 17, "r")
        else:
            c.text(RIGHT, y, whole, TEXT, "r")
    footer(c, left, right)


def goodbye(c: Canvas, heading: str = "All is kept", said: str = "you may pull the plug") -> None:
    """The last picture, which stays while the power does."""
    c.icon(64, 5, "plug", "c")
    c.fitted(64, 32, heading, NAMES, 126, "c")
    c.fitted(64, 49, said, (TEXT,), 126, "c")
