"""Judging an entry of Ziggurat: what a play would score, or why it is not legal, in about 20 characters."""

from __future__ import annotations

from typing import NamedTuple

from companion.game import Refused
from companion.game.entry import Draft
from companion.game.text import Text, text
from companion.games.ziggurat import rules
from companion.games.ziggurat.grid import CELLS, SIDE
from companion.games.ziggurat.likely import beyond
from companion.games.ziggurat.pieces import Move
from companion.games.ziggurat.rules import RULES
from companion.games.ziggurat.state import State

WAYS = {"A": "up", "B": "right", "C": "down", "D": "left"}
"""Key → arrow of the same direction; up is towards higher rows, right towards later columns."""
MATCH = " match: +"
"""The text between the scoring pips (or ``no``) and the points."""


class Marks(NamedTuple):
    """What the screen marks of an entry.

    Args:
        asks: what the next key is for: ``pip``, ``column``, ``row``, ``way``, or "" for nothing.
        squares: cells, each with the pip that would lie on it.
        column: the chosen column, from 0; -1 for none.
        typed: whether the map is labelled with keys.
        ways: the keys of the directions in which the domino can be laid.
    """

    asks: str
    squares: tuple[tuple[int, int], ...] = ()
    column: int = -1
    typed: bool = True
    ways: str = ""


def halves(move: Move) -> tuple[tuple[int, int], tuple[int, int]]:
    """Each half of the domino: its pip, and the cell that it lies on."""
    return (move.p, move.first), (move.q, move.second)


def incomplete(entered: str, says: str, marks: Marks, wrong: str = "", move: Move | None = None) -> Draft:
    """The draft of an incomplete entry; with `wrong`, of one that is illegal whatever keys follow, such as `move`."""
    if not wrong:
        return Draft(entered, None, "more", "", says, marks)
    return Draft(entered, None, "no", "", wrong, marks, str(move or ""))


def _refused(state: State, move: Move) -> Refused | None:
    try:
        RULES.play(state, RULES.turn(state) or 1, move)
    except Refused as refused:
        return refused
    return None


def not_there(state: State, move: Move) -> str:
    """Why the domino of a move cannot be played on any place, "" if it may be."""
    refused = _refused(state, move)
    return _short(state, refused) if refused and refused.code in ("set", "held", "supply") else ""


def one_cell(state: State, move: Move, wrong: str) -> Draft:
    """The draft after the first pip's cell: it asks for the way, or says why no way is legal."""
    cell, places = move.first, rules.places(state)
    ways = "".join(key for key, way in WAYS.items() if tuple(sorted((cell, beyond(cell, way) or cell))) in places)
    marks = Marks("way", ((cell, move.p),), cell // SIDE, ways=ways)
    if not wrong and not ways:
        refused = _refused(state, move)
        wrong = _short(state, refused) if refused else ""
    return incomplete(f"{move.p}-{move.q} {CELLS[cell]}", "way?", marks, wrong, move)


def judged(state: State, move: Move, working: str) -> Draft:
    """The draft of a complete play: what it scores, or why the rules forbid it."""
    event, marks = str(move), Marks("", tuple((cell, pip) for pip, cell in halves(move)))
    if refused := _refused(state, move):
        return Draft(event, event, "no", working, _short(state, refused), marks)
    return Draft(event, event, "ok", working, _effect(state, move), marks)


def _effect(state: State, move: Move) -> Text:
    """The scoring pips and the points: ``4s, 6s match: +6``; if both halves of a double score ``both 4s match: +8``."""
    points, cells = rules.effect(state, move)
    pips = [pip for pip, cell in halves(move) if cell in cells]
    if not pips:
        return text("no match: +{points}", points=points)
    if len(pips) == 1:
        return text("{pip}s match: +{points}", pip=pips[0], points=points)
    message = "both {pip}s match: +{points}" if pips[0] == pips[1] else "{pip}s, {other}s match: +{points}"
    return text(message, pip=pips[0], other=pips[1], points=points)


_SHORT = {
    "supply": "{domino} is elsewhere",
    "anchor": "d4 with e4 or with d5",
    "occupied": "{cells} is occupied",
    "occupied both": "{cells} are occupied",
    "frame columns": "{number} columns: 4 at most",
    "frame rows": "{number} rows: 4 at most",
    "gap": "{cell} would stay empty",
    "touch": "it touches no domino",
    "uneven": "uneven: {first} and {second} high",
    "level": "{free} is still free",
}
"""A row of refusals in about 20 characters; for the others what the figure contradicts is short enough."""
_ROOM = 20


def _short(state: State, refused: Refused) -> str:
    """A refusal in about 20 characters."""
    if refused.code == "supply" and any(refused.figure in (str(d), f"{d.high}-{d.low}") for d in state.played):
        return text("{domino} is on the table", **refused.values)
    if refused.row not in _SHORT:
        return refused.against
    short = text(_SHORT[refused.row], **refused.values)
    if refused.code == "uneven" and len(short) > _ROOM:  # Two heights of two digits leave no room for the word.
        return text("uneven: {first}, {second} high", **refused.values)
    return short
