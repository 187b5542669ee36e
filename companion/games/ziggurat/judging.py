"""Judging an entry of Ziggurat: what a play would score, or why it is not legal, in about 20 characters.

Beside the map there is less room: two lines, of about 6 and 8 characters, which are the draft's `Marks.lines`.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.game import Refused
from companion.game.entry import Draft
from companion.game.text import Text, text
from companion.games.ziggurat import rules
from companion.games.ziggurat.grid import CELLS, SIDE
from companion.games.ziggurat.likely import beyond, free_ways
from companion.games.ziggurat.pieces import Move
from companion.games.ziggurat.rules import RULES
from companion.games.ziggurat.state import State

WAYS = {"A": "up", "B": "right", "C": "down", "D": "left"}
"""Key → arrow of the same direction; up is towards higher rows, right towards later columns."""


class Marks(NamedTuple):
    """What the screen marks of an entry.

    Args:
        asks: what the next key is for: ``pip``, ``column``, ``row``, ``way``, or "" for nothing.
        squares: cells, each with the pip that would lie on it.
        column: the chosen column, from 0; -1 for none.
        lines: what the draft says, in two short lines.
        ways: the keys of the directions in which the domino can be laid.
        picked: whether it is picked, so that OK plays a complete entry.
        turns: whether arrows turn it about its first half.
        moves: whether arrows move its first half.
        fitted: whether the last arrow has turned it by itself, to where it may lie.
    """

    asks: str
    squares: tuple[tuple[int, int], ...] = ()
    column: int = -1
    lines: tuple[str, ...] = ()
    ways: str = ""
    picked: bool = False
    turns: bool = False
    moves: bool = False
    fitted: bool = False


class Wrong(NamedTuple):
    """Why an entry is illegal: in about 20 characters, and in one or two short lines."""

    says: str
    lines: tuple[str, ...]


def halves(move: Move) -> tuple[tuple[int, int], tuple[int, int]]:
    """Each half of the domino: its pip, and the cell that it lies on."""
    return (move.p, move.first), (move.q, move.second)


def incomplete(entered: str, says: str, marks: Marks, wrong: Wrong | None = None, move: Move | None = None) -> Draft:
    """The draft of an incomplete entry; with `wrong`, of one that is illegal whatever keys follow, such as `move`."""
    if wrong is None:
        return Draft(entered, None, "more", "", says, marks._replace(lines=(says,)))
    return Draft(entered, None, "no", "", wrong.says, marks._replace(ways="", lines=wrong.lines), str(move or ""))


def _refused(state: State, move: Move) -> Refused | None:
    try:
        RULES.play(state, RULES.turn(state) or 1, move)
    except Refused as refused:
        return refused
    return None


def not_there(state: State, move: Move) -> Wrong | None:
    """Why the domino of a move cannot be played on any place, None if it may be."""
    refused = _refused(state, move)
    return in_short(refused) if refused and refused.code in ("set", "held", "supply") else None


def one_cell(state: State, move: Move, wrong: Wrong | None) -> Draft:
    """The draft after the first pip's cell: it asks for the way, or says why no way is legal."""
    cell = move.first
    free = free_ways(state, cell)
    if wrong is None and not free:
        move, wrong = _closed(state, move)
    marks = Marks("way", ((cell, move.p),), cell // SIDE, ways="".join(key for key, way in WAYS.items() if way in free))
    return incomplete(f"{move.p}-{move.q} {CELLS[cell]}", text("way?"), marks, wrong, move)


def _closed(state: State, move: Move) -> tuple[Move, Wrong | None]:
    """Why no way from the first cell of `move` is legal: the way whose reason is about that cell, and the reason.

    If none is about it, the reason that most ways have.
    """
    cells = [beyond(move.first, way) for way in WAYS.values()]
    moves = [move._replace(second=cell) for cell in cells if cell is not None]
    found = [(each, refused) for each in moves if (refused := _refused(state, each))]
    rows = [refused.row for _, refused in found]

    def rank(each: tuple[Move, Refused]) -> tuple[bool, int]:
        row, values = each[1].row, each[1].values
        about = values.get("low", values.get("cells")) == CELLS[move.first]
        return about or row in ("uneven", "level"), rows.count(row)

    best, refused = max(found, key=rank)
    return best, in_short(refused, "level" if refused.row == "uneven" else "")  # Of one cell there are no two heights.


def judged(state: State, move: Move) -> Draft:
    """The draft of a complete play: what it scores, or why the rules forbid it."""
    event, squares = str(move), tuple((cell, pip) for pip, cell in halves(move))
    if refused := _refused(state, move):
        wrong = in_short(refused)
        return Draft(event, event, "no", "", wrong.says, Marks("", squares, lines=wrong.lines))
    says, lines = _effect(state, move)
    return Draft(event, event, "ok", "", says, Marks("", squares, lines=lines))


def _effect(state: State, move: Move) -> tuple[Text, tuple[str, ...]]:
    """The scoring pips and the points: ``4s, 6s match: +6``; if both halves of a double score ``both 4s match: +8``,
    above the base if one half does ``4 on 4: +2``.

    As lines ``+6`` and ``4s, 6s``; ``+0`` alone says that none match.
    """
    points, cells = rules.effect(state, move)
    pips = [pip for pip, cell in halves(move) if cell in cells]
    gain = f"+{points}"
    if not pips:
        return text("no match: +{points}", points=points), (gain, "")
    if len(pips) == 1 and state.level > 1:
        same = text("{pip} on {pip}", pip=pips[0])
        return text("{pip} on {pip}: +{points}", pip=pips[0], points=points), (gain, same)
    if len(pips) == 1:
        return text("{pip}s match: +{points}", pip=pips[0], points=points), (gain, text("{pip}s match", pip=pips[0]))
    if pips[0] == pips[1]:
        return text("both {pip}s match: +{points}", pip=pips[0], points=points), (
            gain,
            text("both {pip}s", pip=pips[0]),
        )
    values = {"pip": pips[0], "other": pips[1]}
    return text("{pip}s, {other}s match: +{points}", points=points, **values), (
        gain,
        text("{pip}s, {other}s", **values),
    )


OFF = Wrong(text("the map is a1 to g7"), (text("past"), text("the map")))
_SHORT = {
    "set": ("the set ends at {top}-{top}", "only", "to {top}-{top}"),
    "held": ("not in the hand", "not", "held"),
    "supply": ("{domino} is on the table", "used"),
    "supply other": ("another hand has it", "not", "yours"),
    "anchor": ("d4 with e4 or with d5", "put it", "on dots"),
    "occupied": ("{cells} is occupied", "{cells} is", "taken"),
    "occupied both": ("{cells} are occupied", "{cells}", "taken"),
    "frame columns": ("{number} columns: 4 at most", "base:", "4 by 4"),
    "frame rows": ("{number} rows: 4 at most", "base:", "4 by 4"),
    "gap": ("{cell} would stay empty", "a gap:", "{cell}"),
    "gap somewhere": ("a gap would stay", "a gap", "stays"),
    "touch": ("it touches no domino", "lies", "alone"),
    "vacant": ("nothing lies on {low}", "{low} is", "empty"),
    "vacant low": ("{low} is {high} high", "{low} is", "{high} high"),
    "uneven": ("{first} and {second} high", "{first}≠{second}", "high"),
    "level": ("{free} are still free", "{free}", "are free"),
}
"""A row of the refusals that an entry can meet → it in about 20 characters, then in one line or two."""


def in_short(refused: Refused, row: str = "") -> Wrong:
    """A refusal in short, in its own words or those of another `row`."""
    says, *lines = (text(form, **refused.values) for form in _SHORT[row or refused.row])
    return Wrong(says, tuple(lines))
