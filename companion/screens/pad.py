"""The score pad: a cell for each player, the one under the cursor inverted, and the entry below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.panel import menus, parts
from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import BIG, MIDDLE, NAME, NAMES, NARROW, TEXT, Face, cut
from companion.screens.legends import cut_name, keys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.contents.kinds import Score, Scores, Sheet

TOP, FLOOR = 10, 52
"""The first row of the cells and the row of the line below them."""
LEGIBLE, SHORTEST = 35, 17
"""The widths of a long name as ``Ale…ie`` and as ``A…e``."""
DOT = 8
"""The columns of the dot before who is ahead."""


def scores(c: Canvas, content: Scores, *, buttons: bool) -> None:
    """Draw the pad in play: its game, every player's points, the change and the new total."""
    end = RIGHT - (c.text(RIGHT, 1, content.note, TEXT, "r") + 5 if content.note else 0)
    c.text(LEFT, 1, cut(cut_name(content.title, end - LEFT + 1, c.names), TEXT, end - LEFT + 1, c.names))
    for seat in range(1, len(content.players) + 1):
        _cell(c, content.players, seat, seat == content.seat)
    c.hline(FLOOR)
    if content.line:
        c.text(1, parts.LAST, cut(content.line, TEXT, 126, c.names))
    elif content.change:
        _change(c, content)
    else:
        _last(c, content, buttons=buttons)


def _cell(c: Canvas, players: Sequence[Score], seat: int, chosen: bool) -> None:
    """A player's cell: two columns; up to four players have name above points, more have them side by side."""
    name, total, leads = players[seat - 1]
    rows = (len(players) + 1) // 2
    pitch = (FLOOR - TOP) // rows
    column, row = (seat - 1) % 2, (seat - 1) // 2
    x0, x1 = (LEFT, 62) if column == 0 else (65, RIGHT)
    y0 = TOP + row * pitch
    y1 = y0 + pitch - 2
    if chosen:
        c.plate(x0, y0, x1, y1)
    points = str(total)
    if rows == 1:
        _crowned(c, x0 + 3, y0 + 2, name, x1 - x0 - 5, leads=leads, inverse=chosen, faces=NAMES)
        c.fitted(
            (x0 + x1) // 2, y0 + 17, points, (BIG, MIDDLE, NAME, NARROW, TEXT), x1 - x0 - 5, anchor="c", inverse=chosen
        )
    elif rows == 2 and _beside(name, x1 - x0 - 8 - MIDDLE.width(points) - DOT * leads):
        wide = c.fitted(
            x1 - 3, y0 + 4, points, (MIDDLE, NAME, TEXT), max(40, TEXT.width(points)), anchor="r", inverse=chosen
        )
        _crowned(c, x0 + 2, y0 + 6, name, x1 - x0 - wide - 8, leads=leads, inverse=chosen)
    elif rows == 2:
        _crowned(c, x0 + 2, y0 + 1, name, x1 - x0 - 4, leads=leads, inverse=chosen)
        c.fitted(x1 - 2, y0 + 9, points, (NAME, NARROW, TEXT), x1 - x0 - 4, anchor="r", inverse=chosen)
    else:
        faces, room = ((NAME, NARROW, TEXT), 30) if rows == 3 else ((TEXT,), 34)
        wide = c.fitted(x1 - 2, y0 + 1, points, faces, max(room, TEXT.width(points)), anchor="r", inverse=chosen)
        _crowned(c, x0 + 2, y0 + (3 if rows == 3 else 1), name, x1 - x0 - wide - 6, leads=leads, inverse=chosen)


def _beside(name: str, room: int) -> bool:
    """Whether a name stands well beside its points: whole, or with half of a long one."""
    return TEXT.width(name) <= room or room >= LEGIBLE


def _crowned(
    c: Canvas, x: int, y: int, name: str, width: int, *, leads: bool, inverse: bool, faces: Sequence[Face] = (TEXT,)
) -> None:
    """A name, and a dot before it for who is ahead, unless too little is left of the name."""
    if leads and (TEXT.width(name) <= width - DOT or width - DOT >= SHORTEST):
        c.icon(x, y + (faces[0].capitals - 4) // 2, "dot", inverse=inverse)
        x, width = x + DOT, width - DOT
    c.fitted(x, y, name, faces, width, inverse=inverse)


def _change(c: Canvas, content: Scores) -> None:
    """The last rows: the change and the new total."""
    # The numbers come first: no digit of them gives way to a name.
    crowded = content.total is not None and TEXT.width(str(content.total)) > 36
    faces = (TEXT,) if content.limit or crowded else (NAME, NARROW, TEXT)
    wide = c.fitted(LEFT + 1, 56 if content.limit else 54, content.change, faces, 60)
    if content.limit:
        c.text(RIGHT, 56, content.limit, TEXT, "r")
    elif content.total is not None:
        made = f" {content.total}"
        room = RIGHT - LEFT - wide - 4 - TEXT.width(made)
        c.text(RIGHT, 56, cut(content.players[content.seat - 1].name, TEXT, room, c.names) + made, TEXT, "r")


def _last(c: Canvas, content: Scores, *, buttons: bool) -> None:
    """The last row: the last entry, and how to leave."""
    _, back = keys(content.answers, buttons=buttons)
    assert back is not None
    end = RIGHT - c.text(RIGHT, 56, back[1], TEXT, "r") - 3
    end -= c.tag(end, 56, back[0], "r") + 3
    if not content.last and not buttons:  # What a keypad's letters do here.
        c.text(LEFT, 56, "A+ C-")
        parts.arrow_keys(c, "D", "B", ("left", "right"))
        return
    name = cut(content.players[content.seat - 1].name, TEXT, 60, c.names)
    c.text(LEFT, 56, cut_name(content.last, end - LEFT, c.names) or f"{name}?")


def sheet(c: Canvas, content: Sheet, *, buttons: bool) -> None:
    """The running sheet: round by round what each player has so far, as many players as have room."""
    rows, players = content.rows, len(content.names)
    widest = max((TEXT.width(str(cell)) for row in rows for cell in row if cell is not None), default=6)
    number = TEXT.width(str(len(rows)))
    wide = max(widest, 24)
    edge = menus.scrollbar(c, content.row, 4, len(rows))
    across = min(players, (edge - LEFT - number) // (wide + 6))
    first = min(content.column, players - across)
    pitch = (edge - LEFT - number) // across
    for place, seat in enumerate(range(first + 1, first + across + 1)):
        x = LEFT + number + pitch * (place + 1)
        c.text(x, 4, cut(content.names[seat - 1], TEXT, pitch - 5, c.names), TEXT, "r")
        for line, row in enumerate(rows[content.row : content.row + 4]):
            cell = row[seat - 1]
            c.text(x, 18 + 9 * line, "-" if cell is None else str(cell), TEXT, "r")
    c.hline(15)
    for line in range(len(rows[content.row : content.row + 4])):
        c.text(LEFT, 18 + 9 * line, str(content.row + line + 1))
    parts.footer(c, *keys(content.answers, buttons=buttons))
    x = LEFT
    for name, there in (("left", first > 0), ("right", first + across < players)):
        if there:
            x += c.icon(x, parts.LAST + 2, name) + 4
