"""The score pad: a cell for each player, the one under the cursor inverted, and the entry below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.result import heading
from companion.games.score_pad.rules import MOST, MOST_TURNS
from companion.panel import menus, pages, parts, results
from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import BIG, MIDDLE, NAME, NAMES, NARROW, TEXT, Face, cut, named
from companion.screens.marks import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.panel.parts import Legend
    from companion.session.model import Figure, PadRound, PadSheet, Scoring, Setup

PLACES = ("starts", "second", "third", "fourth")
TOP, FLOOR = 10, 52
"""The first row of the cells and the row of the line below them."""
LEGIBLE, SHORTEST = 35, 17
"""The widths of a long name as ``Ale…ie`` and as ``A…e``."""
DOT = 8
"""The columns of the dot before who is ahead."""


def draw(c: Canvas, sheet: PadRound, mode: Scoring, menu: Legend, *, dealer: bool = False) -> None:
    """Draw the pad in play: its game, every player's points, the change and the new total; `dealer`: show who deals."""
    _head(c, sheet, dealer=dealer)
    for seat in range(1, sheet.pad.players + 1):
        _cell(c, sheet, seat, seat == mode.seat)
    c.hline(FLOOR)
    _change(c, sheet, mode, menu)


def _head(c: Canvas, sheet: PadRound, *, dealer: bool) -> None:
    """The game, or who deals, at the left; at the right the turn, the target, and whether few points win."""
    pad = sheet.pad
    said = [f"turn {pad.turn}/{pad.turns}" if pad.turns else f"to {pad.target}" if pad.target else ""]
    if pad.lowest:
        said.append("lowest")
    note = ", ".join(filter(None, said))
    end = RIGHT - (c.text(RIGHT, 1, note, TEXT, "r") + 5 if note else 0)
    title = named("{} deals", sheet.name(pad.dealer), TEXT, end - LEFT + 1, c.names) if dealer else pad.title
    c.text(LEFT, 1, cut(title, TEXT, end - LEFT + 1, c.names))


def _cell(c: Canvas, sheet: PadRound, seat: int, chosen: bool) -> None:
    """A player's cell: two columns; up to four players have name above points, more have them side by side."""
    players = sheet.pad.players
    rows = (players + 1) // 2
    pitch = (FLOOR - TOP) // rows
    column, row = (seat - 1) % 2, (seat - 1) // 2
    x0, x1 = (LEFT, 62) if column == 0 else (65, RIGHT)
    y0 = TOP + row * pitch
    y1 = y0 + pitch - 2
    if chosen:
        c.plate(x0, y0, x1, y1)
    points, leads = str(sheet.pad.totals[seat - 1]), seat in sheet.pad.leaders
    if rows == 1:
        _crowned(c, x0 + 3, y0 + 2, sheet.name(seat), x1 - x0 - 5, leads=leads, inverse=chosen, faces=NAMES)
        c.fitted(
            (x0 + x1) // 2, y0 + 17, points, (BIG, MIDDLE, NAME, NARROW, TEXT), x1 - x0 - 5, anchor="c", inverse=chosen
        )
    elif rows == 2 and _beside(sheet.name(seat), x1 - x0 - 8 - MIDDLE.width(points) - DOT * leads):
        wide = c.fitted(
            x1 - 3, y0 + 4, points, (MIDDLE, NAME, TEXT), max(40, TEXT.width(points)), anchor="r", inverse=chosen
        )
        _crowned(c, x0 + 2, y0 + 6, sheet.name(seat), x1 - x0 - wide - 8, leads=leads, inverse=chosen)
    elif rows == 2:
        _crowned(c, x0 + 2, y0 + 1, sheet.name(seat), x1 - x0 - 4, leads=leads, inverse=chosen)
        c.fitted(x1 - 2, y0 + 9, points, (NAME, NARROW, TEXT), x1 - x0 - 4, anchor="r", inverse=chosen)
    else:
        faces, room = ((NAME, NARROW, TEXT), 30) if rows == 3 else ((TEXT,), 34)
        wide = c.fitted(x1 - 2, y0 + 1, points, faces, max(room, TEXT.width(points)), anchor="r", inverse=chosen)
        _crowned(
            c, x0 + 2, y0 + (3 if rows == 3 else 1), sheet.name(seat), x1 - x0 - wide - 6, leads=leads, inverse=chosen
        )


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


def _change(c: Canvas, sheet: PadRound, mode: Scoring, menu: Legend) -> None:
    """The last rows: the change and the new total, or the last entry and how to leave."""
    total = sheet.pad.totals[mode.seat - 1]
    if mode.points is not None or mode.sign:
        change = mode.sign if mode.points is None else f"{mode.points:+d}"
        # The numbers come first: no digit of them gives way to a name.
        crowded = mode.points is not None and TEXT.width(str(total + mode.points)) > 36
        faces = (TEXT,) if mode.full or crowded else (NAME, NARROW, TEXT)
        wide = c.fitted(LEFT + 1, 56 if mode.full else 54, change, faces, 60)
        if mode.full:
            c.text(RIGHT, 56, f"max {MOST}", TEXT, "r")
        elif mode.points is not None:
            made = f" {total + mode.points}"
            room = RIGHT - LEFT - wide - 4 - TEXT.width(made)
            c.text(RIGHT, 56, cut(sheet.name(mode.seat), TEXT, room, c.names) + made, TEXT, "r")
        return
    end = RIGHT - c.text(RIGHT, 56, menu[1], TEXT, "r") - 3
    end -= c.tag(end, 56, menu[0], "r") + 3
    last = ""
    if sheet.pad.entries:
        seat, points = sheet.pad.entries[-1]
        last = named(f"{{}} {points:+d}", sheet.name(seat), TEXT, end - LEFT, c.names)
    if not last and menu[0] == "*":  # What a keypad's letters do here.
        c.text(LEFT, 56, "A+ C-")
        parts.arrow_keys(c, "D", "B", ("left", "right"))
        return
    c.text(LEFT, 56, last or f"{cut(sheet.name(mode.seat), TEXT, 60, c.names)}?")


def running(c: Canvas, sheet: PadRound, mode: PadSheet, back: Legend) -> None:
    """The running sheet: round by round what each player has so far, as many players as have room."""
    rows = sheet.pad.running
    widest = max((TEXT.width(str(cell)) for row in rows for cell in row if cell is not None), default=6)
    number = TEXT.width(str(len(rows)))
    wide = max(widest, 24)
    edge = menus.scrollbar(c, mode.row, 4, len(rows))
    across = min(sheet.pad.players, (edge - LEFT - number) // (wide + 6))
    first = min(mode.column, sheet.pad.players - across)
    pitch = (edge - LEFT - number) // across
    for place, seat in enumerate(range(first + 1, first + across + 1)):
        x = LEFT + number + pitch * (place + 1)
        c.text(x, 4, cut(sheet.name(seat), TEXT, pitch - 5, c.names), TEXT, "r")
        for line, row in enumerate(rows[mode.row : mode.row + 4]):
            cell = row[seat - 1]
            c.text(x, 18 + 9 * line, "-" if cell is None else str(cell), TEXT, "r")
    c.hline(15)
    for line in range(len(rows[mode.row : mode.row + 4])):
        c.text(LEFT, 18 + 9 * line, str(mode.row + line + 1))
    parts.footer(c, None, back)
    x = LEFT
    for name, there in (("left", first > 0), ("right", first + across < sheet.pad.players)):
        if there:
            x += c.icon(x, parts.LAST + 2, name) + 4


def seats(c: Canvas, setup: Setup, left: Legend, right: Legend) -> None:
    """Who plays: more than four in two columns; the first one starts."""
    if setup.seats <= len(PLACES):
        boxes = [pages.Box(name, "", place) for name, place in zip(setup.names, PLACES, strict=False)]
        pages.players(c, "Players", dict(setup.options)["title"], boxes, starts=1, left=left, right=right)
        return
    parts.title(c, "Players", dict(setup.options)["title"])
    for index, name in enumerate(setup.names):
        x, y = (LEFT, 65)[index % 2], 18 + 9 * (index // 2)
        c.text(x, y, str(index + 1))
        c.text(x + 9, y, cut(name, TEXT, 50, c.names))
    parts.footer(c, left, right)


def figure(c: Canvas, mode: Figure, left: Legend, right: Legend) -> None:
    """A target or a number of turns, as large as it can be."""
    said = dict(mode.setup.options)
    target = said["target"] != "0"
    parts.title(c, said["title"], "points to reach" if target else "turns each")
    shown = f"{mode.keys}_" if mode.keys else str(mode.value)
    face = BIG if BIG.has(shown) else MIDDLE if MIDDLE.has(shown) else NAME
    c.text(64, 21, shown, face, "c")
    if mode.full:
        c.text(64, 45, f"max {MOST if target else MOST_TURNS}", TEXT, "c")
    parts.footer(c, left, right)


def over(c: Canvas, sheet: PadRound, left: Legend, right: Legend) -> None:
    """The result: who has won, and everybody's points, the best first."""
    pad = sheet.pad
    winners = [sheet.name(seat) for seat in pad.leaders]
    title = heading(winners, pad.players)
    if pad.players == 2:
        reason = "the fewest points win" if pad.lowest else f"{pad.title} is over"
        seats = sorted((1, 2), key=lambda seat: seat not in pad.leaders)
        each = [(sheet.name(seat), pad.totals[seat - 1]) for seat in seats]
        cup = "trophy" if len(winners) == 1 else mark(sheet.header.game)
        results.result(c, title, reason, "points", each, left=left, right=right, mark=cup)
        return
    c.icon(LEFT, 3, mark(sheet.header.game))
    c.fitted(LEFT + 13, 2, title, NAMES, RIGHT - LEFT - 13)
    c.hline(15)
    order = sorted(range(1, pad.players + 1), key=lambda seat: pad.totals[seat - 1], reverse=not pad.lowest)
    rows = (pad.players + 1) // 2 if pad.players > 4 else pad.players
    if pad.players > 4:
        c.vline(63, 18, 52)
    for index, seat in enumerate(order):
        column, row = divmod(index, rows)
        x0, x1 = (LEFT, RIGHT) if pad.players <= 4 else ((LEFT, 60), (66, RIGHT))[column]
        room = x1 - x0 - 4 - c.text(x1, 18 + 9 * row, str(pad.totals[seat - 1]), TEXT, "r")
        c.text(x0, 18 + 9 * row, cut(sheet.name(seat), TEXT, room, c.names))
    parts.footer(c, left, right)
