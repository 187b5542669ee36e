"""Whole screens of results: a round, a match, standings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import (
    BIG,
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
from companion.panel.menus import digits, page_bar
from companion.panel.pages import BESIDE, large_heading, text_lines
from companion.panel.parts import Legend, footer

if TYPE_CHECKING:
    from collections.abc import Sequence

BESIDE_NAME = 60
"""The widest number, in pixels, that is beside its player's name; a wider one is below it."""

LEGIBLE = 35
"""A name that gives way keeps at least so many columns."""
LOWEST = 45
"""The lowest row of words whose letters reach below their line and leave a margin above a key's tag."""
DEEP = frozenset("gjpqy")
"""The letters that reach below their line."""


def result(
    c: Canvas,
    heading: str,
    reason: str,
    label: str,
    rows: Sequence[tuple[str, int]],
    *,
    left: Legend,
    right: Legend | None = None,
    mark: Icon = "trophy",
) -> None:
    """A round's result: winner and reason above a line, below it every player with a number; `label` is its unit.

    Names are cut, but no number. With more than two players, long numbers or a long reason there is no icon.
    """
    long = max(TEXT.width(str(number)) for _, number in rows)
    if len(rows) > 2 or long > BESIDE_NAME or not wraps(reason, TEXT, BESIDE, 2):
        _dense_result(c, heading, reason, label, rows)
        footer(c, left, right)
        return
    c.icon(4 + (22 - icon(mark).width) // 2, 15 - icon(mark).height // 2, mark)
    large_heading(c, heading)
    why = balanced(reason, TEXT, BESIDE, 2, names=c.names)
    two = len(why) == 2
    text_lines(c, 36, (19, 27) if two else (21,), why)
    c.hline(36 if two else 33)
    _players_with(c, label, rows, (39, 47) if two else (35, 45), TEXT if two else NARROW)
    footer(c, left, right)


def _players_with(
    c: Canvas, label: str, rows: Sequence[tuple[str, int]], places: Sequence[int], face: Face = TEXT
) -> None:
    """Draw a row for each player, with a number at the right; one row has the unit before its number.

    It is the first row with room for it, but not one where its letters would touch the tags below; else the first
    name is cut.
    """
    number = max(face.width(str(each)) for _, each in rows)
    room = RIGHT - LEFT - number - 4
    beside, down = TEXT.width(label) + 5, face.capitals - TEXT.capitals
    told = next((index for index, (name, _) in enumerate(rows) if room >= TEXT.width(name) + beside), -1)
    if told < 0 or (places[told] + down > LOWEST and DEEP & set(label)):
        told = 0 if room - beside >= LEGIBLE else -1
    for index, ((name, each), y) in enumerate(zip(rows, places, strict=False)):
        c.text(RIGHT, y, str(each), face, "r")
        c.text(LEFT, y + down, cut(name, TEXT, room - beside * (index == told), c.names))
        if index == told:
            c.text(RIGHT - number - 4, y + down, label, TEXT, "r")


def _dense_result(c: Canvas, heading: str, reason: str, label: str, rows: Sequence[tuple[str, int]]) -> None:
    """Draw winner and reason in two lines, then each player in a line, or two players in two lines each."""
    if TEXT.width(heading) <= 126 and TEXT.width(reason) <= 126:
        c.fitted(LEFT, 0, heading, (NARROW, TEXT), 126)
        c.text(LEFT, 10, reason)
    else:
        text_lines(c, LEFT, (0, 9), wrap(f"{heading}: {reason}", TEXT, 126, 2, names=c.names))
    c.hline(19)
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
    *,
    left: Legend,
    right: Legend | None = None,
    mark: Icon = "",
) -> None:
    """A match of two players between rounds: wins 20 pixels high, and as dots if the goal is at most five.

    The icon `mark`, such as a cup for a match that is won, replaces the colon.
    """
    room = (126 - TEXT.width(note) - 14) // 2 if note else 60
    dots = goal <= 5
    if any(face_for(name, (NAME, NARROW), room) is None for name in names):
        room = 60  # long names need the whole line: the dots replace the note, or it is below
        c.text(64, 44, "" if dots else note, TEXT, "c")
    else:
        c.text(64, 4, note, TEXT, "c")
    c.fitted(LEFT, 2, names[0], NAMES, room)
    c.fitted(RIGHT, 2, names[1], NAMES, room, anchor="r")
    c.hline(15)
    for x, won in zip((28, 99), wins, strict=True):
        c.fitted(x, 20, str(won), (BIG, MIDDLE), 50, anchor="c")
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
    *,
    left: Legend | None,
    right: Legend | None = None,
    total: str = "all",
    page: int = 0,
    pages: int = 1,
) -> None:
    """Standings: the four rows of a `page`, up to five columns headed by icons, the total at the right.

    A row is (name, cells, total). The scrollbar tells which page it is, from 0, of how many `pages`.
    """
    edge = page_bar(c, page, pages)
    places, room = _places(len(columns), rows, edge)
    c.text(LEFT, 4, cut(heading, TEXT, room, c.names))
    c.text(edge, 4, total, TEXT, "r")
    for x, name in zip(places, columns, strict=True):
        c.icon(x, 7 - icon(name).height // 2, name, "c")
    c.hline(15)
    tall = len(rows) < 4
    for index, (name, cells, whole) in enumerate(rows[4 * page : 4 * page + 4]):
        y = 20 + 12 * index if tall else 18 + 9 * index
        c.text(LEFT, y, cut(name, TEXT, room, c.names))
        for x, cell in zip(places, cells, strict=True):
            c.text(x, y, cell, TEXT, "c")
        if tall:
            c.fitted(edge, y - 2, whole, (NAME, TEXT), 17, anchor="r")
        else:
            c.text(edge, y, whole, TEXT, "r")
    footer(c, left, right)


def _places(count: int, rows: Sequence[tuple[str, Sequence[str], str]], edge: int) -> tuple[list[int], int]:
    """The middle of each of `count` columns, before the totals that end at column `edge`; and the room for names."""
    widest = max((TEXT.width(cell) for row in rows for cell in row[1]), default=5)
    totals = max((TEXT.width(row[2]) for row in rows), default=5)
    pitch, gap = (20, 5) if count < 4 else (16, 5) if count == 4 else (14, 3)
    step = max(pitch, widest + gap)
    last = min(edge - 23, edge - totals - 5 - widest // 2)
    places = [last - step * (count - 1 - index) for index in range(count)]
    return places, min(places, default=last) - widest // 2 - 5
