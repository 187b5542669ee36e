"""Naming tiles of Prime Attactics: a display or a refill as the tiles themselves, the black ones as backs with dots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.prime_attactics.entry import SIGNS, shown
from companion.games.prime_attactics.parts import CELLS, PITCH, WIDE, cells
from companion.panel import parts
from companion.panel.canvas import LEFT
from companion.panel.fonts import MIDDLE, NAMES, TEXT, named
from companion.screens.legends import dead, erasing, legend

if TYPE_CHECKING:
    from companion.panel.canvas import Canvas
    from companion.session.model import Dealing, Round, Session

TILES = 17
"""The capitals of the tiles entered: like the picker's and the words below it on a page of their own."""
PICKER = 32
ASKED, SAID = 32, 42
"""Two lines of text; the picker's row takes the place of the first."""
COUNT = 41
"""What is still to come, under the picker's row."""


KEYS = "A+ B- C×, 0 = double"
"""How a coloured tile is typed: always there, so that nothing moves from key to key."""
PICKED = "arrows choose, OK adds"
"""The same with buttons."""


def dealing(canvas: Canvas, session: Session, mode: Dealing) -> None:
    """Draw the tiles that are entered, what is asked for, and the picker's row."""
    round_ = session.round
    if round_ is None:
        return
    figure = f"{len(mode.pieces)}/{mode.size}"
    noun = round_.entry.HOLDINGS[mode.kind][0] if mode.kind in round_.entry.HOLDINGS else "draw"
    heading(canvas, round_.name(mode.seat), noun, figure)
    if mode.kind == "rack":
        parts.cards(canvas, len(mode.pieces), mode.size, 17, high=12)
    else:
        _tiles(canvas, round_, mode)
    asked, said = prompt(round_, mode)
    if mode.at is None:
        canvas.text(LEFT, ASKED, asked)
        canvas.text(LEFT, SAID, said or (PICKED if session.buttons else KEYS))
    else:
        row, column = mode.at
        tiles = round_.entry.grid(mode.grid, round_.options)[row]
        cells(canvas, list(map(shown, tiles)), (column,), PICKER)
        canvas.text(LEFT, SAID if said else COUNT, said or asked)
    done = mode.at is None or (len(mode.pieces) >= mode.size and not mode.keys)
    left = legend(session, "done" if done else "add")
    parts.footer(canvas, left, erasing(session, mode))


def heading(canvas: Canvas, name: str, noun: str, figure: str) -> None:
    """``Ann's display`` with the count at the right; a long name is cut, not what it holds."""
    room = 120 - MIDDLE.width(figure)
    face = next((face for face in NAMES if face.width(f"{name}'s {noun}") <= room), TEXT)
    parts.title(canvas, named(f"{{}}'s {noun}", name, face, room), figure=figure)


def prompt(round_: Round, mode: Dealing) -> tuple[str, str]:
    """What is wanted next, and, while black tiles are named, who looks away."""
    missing = mode.size - len(mode.pieces)
    due = round_.entry.due(round_.state) if mode.kind not in round_.entry.HOLDINGS else None
    black = mode.kind == "rack" or (due is not None and round_.state.due[1] > 0)
    away = named("{}, look away", round_.name(3 - mode.seat), TEXT, 126) if black else ""
    if mode.keys and mode.kind == "rack":
        return f"{shown(SIGNS[mode.keys])}_  number?", away
    if mode.stray:
        return dead(mode), away
    if missing < 0:
        return f"{-missing} too many", away
    return due.says if due else f"{missing} to come" if missing else "complete", away


def _tiles(canvas: Canvas, round_: Round, mode: Dealing) -> None:
    """A cell a tile: its face where it lies open, a dot where it is hidden, a line where it is to come."""
    cell = []
    for at in range(max(mode.size, len(mode.pieces))):
        piece = mode.pieces[at] if at < len(mode.pieces) else ""
        cell.append("" if not piece or round_.entry.masked(mode.kind, piece) else shown(piece))
    if mode.keys and len(mode.pieces) < len(cell):
        cell[len(mode.pieces)] = shown(SIGNS[mode.keys])
    first = max(0, len(cell) - CELLS)
    cells(canvas, cell[first:], (), TILES)
    for at, piece in enumerate(mode.pieces[first:]):
        if round_.entry.masked(mode.kind, piece):
            canvas.icon(1 + at * PITCH + WIDE // 2, TILES + 1, "dot", "c")
    following = len(mode.pieces) - first
    if following < mode.size and not mode.keys:
        x = 1 + following * PITCH
        canvas.fill(x + 3, TILES + 5, x + WIDE - 4, TILES + 6)
