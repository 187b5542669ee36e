"""Judging an entry of Ziggurat: what a play would score, or why it is not legal, in about 20 characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.game import Refused
from companion.game.entry import Draft
from companion.games.ziggurat import rules
from companion.games.ziggurat.grid import CELLS, SIDE
from companion.games.ziggurat.likely import beyond

if TYPE_CHECKING:
    from collections.abc import Mapping

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


def halves(move: rules.Move) -> tuple[tuple[int, int], tuple[int, int]]:
    """Each half of the domino: its pip, and the cell that it lies on."""
    return (move.p, move.first), (move.q, move.second)


def incomplete(text: str, says: str, marks: Marks, wrong: str = "") -> Draft:
    """The draft of an incomplete entry; with `wrong`, of one that is illegal whatever keys follow."""
    return Draft(text, None, "no" if wrong else "more", "", wrong or says, marks)


def _refused(state: rules.State, move: rules.Move) -> Refused | None:
    try:
        rules.play(state, rules.turn(state) or 1, move)
    except Refused as refused:
        return refused
    return None


def not_there(state: rules.State, p: int, q: int) -> str:
    """Why the domino cannot be played on any place, "" if it may be."""
    refused = _refused(state, rules.Move(p, q, 0, 1))
    return _short(state, refused) if refused and refused.code in ("set", "held", "supply") else ""


def one_cell(state: rules.State, move: rules.Move, wrong: str) -> Draft:
    """The draft after the first pip's cell: it asks for the way, or says why no way is legal."""
    cell, places = move.first, rules.places(state)
    ways = "".join(key for key, way in WAYS.items() if tuple(sorted((cell, beyond(cell, way) or cell))) in places)
    marks = Marks("way", ((cell, move.p),), cell // SIDE, ways=ways)
    if not wrong and not ways:
        refused = _refused(state, move)
        wrong = _short(state, refused) if refused else ""
    return incomplete(f"{move.p}-{move.q} {CELLS[cell]}", "way?", marks, wrong)


def judged(state: rules.State, move: rules.Move, working: str) -> Draft:
    """The draft of a complete play: what it scores, or why the rules forbid it."""
    text, marks = str(move), Marks("", tuple((cell, pip) for pip, cell in halves(move)))
    if refused := _refused(state, move):
        return Draft(text, text, "no", working, _short(state, refused), marks)
    return Draft(text, text, "ok", working, _effect(state, move), marks)


def _effect(state: rules.State, move: rules.Move) -> str:
    """The scoring pips and the points: ``4s, 6s match: +6``; if both halves of a double score ``both 4s match: +8``."""
    points, cells = rules.effect(state, move)
    pips = [f"{pip}s" for pip, cell in halves(move) if cell in cells]
    said = f"both {pips[0]}" if len(pips) > len(set(pips)) else ", ".join(pips)
    return f"{said or 'no'}{MATCH}{points}"


def _uneven(heights: str) -> str:
    """``2 high and 1 high`` in about 20 characters: two heights of two digits leave no room for the word between."""
    said = f"uneven: {heights.replace(' high', '', 1)}"
    return said if len(said) <= 20 else said.replace(" and ", ", ")


_SHORT: Mapping[str, Any] = {
    "set": lambda no: no.against,
    "held": lambda no: no.against,
    "supply": lambda no: f"{no.figure} is elsewhere",
    "anchor": lambda no: "d4 with e4 or with d5",
    "occupied": lambda no: f"{no.figure} {'are' if ' ' in no.figure else 'is'} occupied",
    "frame": lambda no: f"{no.figure}: 4 at most",
    "gap": lambda no: no.against.replace("could not be filled", "would stay empty"),
    "touch": lambda no: "it touches no domino",
    "uneven": lambda no: _uneven(no.against),
    "level": lambda no: no.needed,
}


def _short(state: rules.State, refused: Refused) -> str:
    """A refusal in about 20 characters."""
    if refused.code == "supply" and any(refused.figure in (str(d), f"{d.high}-{d.low}") for d in state.played):
        return f"{refused.figure} is on the table"
    short: str = _SHORT.get(refused.code, lambda no: no.against)(refused)
    return short
