"""Whole screens of results: a round, a match, standings."""

from __future__ import annotations

from collections.abc import Sequence

from companion.languages import said, text
from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import (
    BIG,
    BOLD,
    HEADING,
    MIDDLE,
    NAME,
    NAMES,
    TEXT,
    Face,
    balanced,
    common,
    cut,
    face_for,
    fit,
    line,
)
from companion.panel.full_screens import text_lines
from companion.panel.icons import Icon, icon
from companion.panel.menus import digits, page_bar
from companion.panel.parts import Legend, footer, title

LEGIBLE = 35
"""A name that gives way keeps at least so many columns."""

SCORE = 33
"""The top row of a score of two players, which is 20 rows high."""
CELLS, LOW = (26, 41), (36, 45)
"""The top rows of two numbers below each other, 13 rows high, and in the text face below a reason of two lines."""
DIGITS_APART = 5
"""The columns that are added between a name that ends in a digit and a number."""
BESIDE_ICON = 102
"""The columns beside a cup at the right end."""


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
    """A round's result: who has won and why beside an icon, then the numbers, whose unit is `label`, in their order.

    Two players have one score, as large as it can be; more of them, or long names, a cell each. Where the numbers are
    too long even for that, they are a table without the reason. Names are cut, but no number.
    """
    beside = TEXT.width(reason) <= RIGHT - LEFT + 1
    if beside and _score(c, label, rows):
        _winner(c, heading, reason, 21, mark)
    elif beside and _cells(c, rows, label):
        _winner(c, heading, reason, 16, mark)
    elif _cells(c, rows, label, TEXT, LOW):
        c.fitted(LEFT, 0, heading, _faces(heading, 0, 16), RIGHT - LEFT + 1)
        text_lines(c, LEFT, (16, 25), balanced(reason, TEXT, RIGHT - LEFT + 1, 2, names=c.names))
    else:
        title(c, heading, label)
        _table(c, rows)
    footer(c, left, right)


def _winner(c: Canvas, heading: str, reason: str, y: int, mark: Icon) -> None:
    """Draw who has won and, on row `y`, why; at the right an icon, where it leaves room for that."""
    whole = TEXT.width(reason) <= BESIDE_ICON
    room = RIGHT - LEFT + 1
    if whole or y > icon(mark).height:
        c.icon(RIGHT, 0 if icon(mark).height > 9 else 3, mark, "r")  # A small one at the edge looks cut.
        room = BESIDE_ICON
    top = 2 if y > icon(mark).height else 0
    c.fitted(LEFT, top, heading, _faces(heading, top, y), room)
    c.text(LEFT, y, cut(reason, TEXT, room if whole else RIGHT - LEFT + 1, c.names))


def _faces(heading: str, top: int, y: int) -> tuple[Face, ...]:
    """The faces for a heading from row `top` on above words on row `y`: not so large that a tail would touch them."""
    tails = line(HEADING, said(heading)).getbbox() or (0, 0, 0, 0)
    return (*(HEADING,) * (top + tails[3] - HEADING.rise < y), *NAMES)


def _score(c: Canvas, label: str, rows: Sequence[tuple[str, int]]) -> bool:
    """Draw the score of two players with both names before it, if it has room 20 rows high. Returns whether."""
    if len(rows) != 2:
        return False
    (first, one), (second, other) = rows
    names = f"{first} - {second}"
    room = RIGHT - LEFT - 6 - max(TEXT.width(names), TEXT.width(label))
    forms = (f"{one} : {other}", f"{one}:{other}")
    score = next((each for each in forms if BIG.has(each) and BIG.width(each) <= room), "")
    if score:
        c.text(RIGHT, SCORE, score, BIG, "r")
        c.text(LEFT, SCORE + 1, names)
        c.text(LEFT, SCORE + 12, label)
    return bool(score)


def _cells(
    c: Canvas, rows: Sequence[tuple[str, int]], label: str = "", face: Face = MIDDLE, tops: tuple[int, int] = CELLS
) -> bool:
    """Draw each player with a number, two below each other, if there is room. Returns whether."""
    if len(rows) > 4 or not all(face.has(str(number)) for _, number in rows):
        return False
    columns = ((LEFT, RIGHT),) if len(rows) == 2 else ((LEFT, 59), (68, RIGHT))
    wide = max(face.width(str(number)) for _, number in rows)
    room = columns[0][1] - LEFT + 1 - wide - 4
    if room < min(LEGIBLE, max(TEXT.width(name) for name, _ in rows)):
        return False
    down = face.capitals - TEXT.capitals
    told = TEXT.width(label) + 5 if len(rows) == 2 and room - TEXT.width(label) - 5 >= LEGIBLE else 0
    for index, (name, number) in enumerate(rows):
        x0, x1 = columns[index // 2]
        y, shorter = tops[index % 2], told * (index == 0)
        c.text(x1, y, str(number), face, "r")
        c.text(x0, y + down, cut(name, TEXT, room - shorter, c.names))
        if shorter:
            c.text(x1 - wide - 4, y + down, label, TEXT, "r")
    if len(rows) > 2:
        c.dotted(64, tops[0], 64, tops[1] + face.capitals - 1)
    return True


def _table(c: Canvas, rows: Sequence[tuple[str, int]]) -> None:
    """Draw each player in a line, or two players with numbers that are longer in two lines each."""
    wide = max(TEXT.width(str(number)) for _, number in rows)
    two = len(rows) == 2 and RIGHT - LEFT - wide - 4 < LEGIBLE
    for index, (name, number) in enumerate(rows):
        y = 18 + 9 * index * (1 + two)
        c.text(LEFT, y, cut(name, TEXT, 126 if two else RIGHT - LEFT - wide - 4, c.names))
        c.text(RIGHT, y + 9 * two, digits(str(number), 126), TEXT, "r")


def before_number(name: str, room: int, names: Sequence[str]) -> str:
    """A name cut to `room` columns before a number.

    One that ends in a digit keeps further off, for ``Player 1`` and a 2 beside it would be read as one.
    """
    return cut(name, TEXT, room - DIGITS_APART * name[-1:].isdigit(), names)


def match(
    c: Canvas,
    rows: Sequence[tuple[str, int]],
    note: str,
    goal: int,
    *,
    left: Legend,
    right: Legend | None = None,
    mark: Icon = "",
) -> None:
    """A match between rounds: each player's wins; of two players 20 pixels high, and as dots if the goal is at most 5.

    The icon `mark`, such as a cup for a match that is won, replaces the colon.
    """
    if len(rows) > 2:
        title(c, text("Match"), note)
        _cells(c, rows)
        footer(c, left, right)
        return
    names, dots = [name for name, _ in rows], goal <= 5
    room = (126 - TEXT.width(note) - 14) // 2
    if any(face_for(name, BOLD, room) is None for name in names):
        room, dots = 60, dots and not mark  # Long names need the whole line: the note is below, or dots replace it.
        c.text(64, 44, "" if dots else cut(note, TEXT, RIGHT - LEFT + 1, c.names), TEXT, "c")
    else:
        c.text(64, 5, note, TEXT, "c")
    face = common(names, room)
    c.fitted(LEFT, 2, names[0], (face,), room)
    c.fitted(RIGHT, 2, names[1], (face,), room, anchor="r")
    c.hline(15)
    for x, (_, won) in zip((28, 99), rows, strict=True):
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
    total: str = text("all"),
    page: int = 0,
    pages: int = 1,
) -> None:
    """Standings: the four rows of a `page`, up to five columns headed by icons, the total at the right.

    A row is (name, cells, total). The scrollbar tells which page it is, from 0, of how many `pages`.
    """
    edge = page_bar(c, page, pages)
    total = said(total)
    places, room = _places(len(columns), rows, edge, TEXT.width(total))
    face, shown = fit(heading, NAMES, room, c.names)
    c.text(LEFT, 2 + NAME.capitals - face.capitals, shown, face)
    c.text(edge, 5, total, TEXT, "r")
    for x, name in zip(places, columns, strict=True):
        c.icon(x, 8 - icon(name).height // 2, name, "c")
    c.hline(15)
    tall = len(rows) < 4
    for index, (name, cells, whole) in enumerate(rows[4 * page : 4 * page + 4]):
        y = 20 + 12 * index if tall else 18 + 9 * index
        c.text(LEFT, y, before_number(name, room, c.names))
        for x, cell in zip(places, cells, strict=True):
            c.text(x, y, cell, TEXT, "c")
        if tall:
            c.fitted(edge, y - 2, whole, (NAME, TEXT), 17, anchor="r")
        else:
            c.text(edge, y, whole, TEXT, "r")
    footer(c, left, right)


def _places(count: int, rows: Sequence[tuple[str, Sequence[str], str]], edge: int, head: int) -> tuple[list[int], int]:
    """The middle of each of `count` columns, and the room for names.

    The totals end at column `edge`, below a word of `head` columns.
    """
    widest = max((TEXT.width(cell) for row in rows for cell in row[1]), default=5)
    totals = max((TEXT.width(row[2]) for row in rows), default=5)
    pitch, gap = (20, 5) if count < 4 else (16, 5) if count == 4 else (14, 3)
    step = max(pitch, widest + gap)
    last = min(edge - head - 10, edge - totals - 5 - widest // 2)
    places = [last - step * (count - 1 - index) for index in range(count)]
    return places, min(places, default=last) - widest // 2 - 5
