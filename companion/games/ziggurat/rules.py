"""Ziggurat (Jonathan A Leistiko, Invisible City): dominoes fill a 4×4 base, then one level after another on top of it.

Squares, masks and pairs of squares are those of `grid`. Names in brackets are paragraphs of the rule sheet. The round
ends when all dominoes are played, or when a new level has room for only one domino.
"""

from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from companion.games.api import Outcome, check_seat, check_turn, make
from companion.games.api.result import leaders
from companion.games.ziggurat import GAME
from companion.games.ziggurat.grid import (
    ANCHORS,
    AROUND,
    BESIDE,
    CELLS,
    MASK,
    PLACE,
    PLACES,
    base_complete,
    corners,
    count_pairs,
    hole,
    members,
    rooms,
)
from companion.games.ziggurat.pieces import BITS, Move, Refused, plays, unpack
from companion.games.ziggurat.state import SetUp, State


class Effect(NamedTuple):
    """The points of a play (0 to 2 on the base; 0, L or 2L on level L), and those of its squares that score."""

    points: int
    cells: tuple[int, ...]


class Rules(SetUp):
    """The rules of Ziggurat. `SetUpRules` has the part about setting up."""

    def turn(self, state: State) -> int | None:
        return state.to_move

    def moves(self, state: State) -> list[Move]:
        """By domino, then by orientation, of which a double has one; [] for a sealed hand."""
        if state.to_move is None:
            return []
        free, hand = state.free, unpack((state.dealt[state.to_move - 1] or 0) & ~state.gone)
        rows = [row for domino in hand for row in plays(domino)]
        if len(free) == 1:
            return [row[free[0]] for row in rows]
        return list(chain.from_iterable(map(itemgetter(*free), rows)))

    def find(self, state: State) -> Move | None:
        dealt = state.dealt[state.to_move - 1] if state.to_move else None
        return plays(unpack(dealt & ~state.gone)[0])[0][state.free[0]] if dealt else None

    def play(self, state: State, seat: int, move: Move) -> State:
        """Raises RefusedError by the first check that fails.

        The codes in the order of the checks: ``syntax`` (no such seat), ``over``, ``turn``, ``set``, ``held``,
        ``supply``, ``adjacent`` (the shape of a domino, which the sheet takes for granted); then on the base
        ``anchor``, ``occupied``, ``frame``, ``touch``, ``gap``, and from level 2 on ``vacant``, ``uneven``, ``level``.
        """
        if seat != state.to_move:
            check_seat(seat, len(state.sizes))
            check_turn(seat, state.to_move)
        p, q, first, second = move
        _check_held(state, seat, p, q)
        place = PLACE.get((first, second))
        if place is None:
            raise Refused("adjacent same" if first == second else "adjacent", cells=_cells(move))
        cells = MASK[place]
        if state.level == 1:
            _check_base(state, move, place)
        elif cells & ~state.ground:
            raise _not_level(state, move)
        return _lay(state, seat, move, cells)

    def outcome(self, state: State) -> Outcome:
        """At the end most points win, then fewest dominoes left; otherwise the win is shared (sheet, Winning)."""
        if state.to_move is not None:
            return Outcome(state.scores, (), "")
        winners = leaders([(score, -size) for score, size in zip(state.scores, state.sizes, strict=True)])
        if len(winners) < state.scores.count(max(state.scores)):
            reason = GAME.ending("fewer-left")
        elif any(state.sizes):
            reason = GAME.ending("one-place", level=state.level)
        else:
            reason = GAME.ending("played")
        return Outcome(state.scores, winners, reason)


RULES = Rules()


def places(state: State) -> tuple[tuple[int, int], ...]:
    """The pairs of squares that a domino could cover now, the lower square first; () when the round is over."""
    return tuple(PLACES[place] for place in state.free)


def ways(state: State) -> list[tuple[int, int]]:
    """The pairs of `free_pairs`, each in both orders."""
    return [way for place in places(state) for way in (place, place[::-1])]


def effect(state: State, move: Move) -> Effect:
    """What a legal play would score (sheet, Setting the Stage and Building). Legality is not checked."""
    one, two = _matches(state.level, state.pips, move)
    return Effect(state.level * (one + two), (move.first,) * one + (move.second,) * two)


def _matches(level: int, pips: tuple[int, ...], move: Move) -> tuple[bool, bool]:
    """Whether the first and the second half score: on the base with an equal neighbour, later on an equal pip."""
    p, q, first, second = move
    if level == 1:
        # Its own two cells are still vacant, so the halves of a double never match each other.
        return p in AROUND[first](pips), q in AROUND[second](pips)
    return p == pips[first], q == pips[second]


def _cells(move: Move) -> str:
    """The squares of a play as the panel shows them: ``d4 e4``."""
    return f"{CELLS[move.first]} {CELLS[move.second]}"


def _check_held(state: State, seat: int, p: int, q: int) -> None:
    """Raise RefusedError ``set``, ``held`` or ``supply`` for a domino that the seat cannot have."""
    top, gone, dealt = state.top, state.gone, state.dealt[seat - 1]
    if p > top or q > top:
        raise Refused("set", domino=f"{p}-{q}", top=top)
    bit = BITS[p, q]
    held = state.sizes[seat - 1] if dealt is None else bit & dealt & ~gone
    if not held:
        raise Refused("held", domino=f"{p}-{q}")
    if dealt is None:
        if bit & gone:
            raise Refused("supply", domino=f"{p}-{q}")
        if any(bit & (other or 0) for other in state.dealt):
            raise Refused("supply other", domino=f"{p}-{q}")


def _check_base(state: State, move: Move, place: int) -> None:
    """Check a play on level 1 in the order that `play_move` documents (sheet, Setting the Stage; The base)."""
    covered, cells = state.built, MASK[place]
    if not covered and place not in ANCHORS:
        raise Refused("anchor", cells=_cells(move))
    if covered & cells:
        there = [CELLS[cell] for cell in (move.first, move.second) if covered >> cell & 1]
        raise Refused("occupied both" if there[1:] else "occupied", cells=" ".join(there))
    if not corners(covered | cells):
        raise _frame(covered | cells)
    if covered and not BESIDE[place] & covered:
        raise Refused("touch", cells=_cells(move))
    if state.solid and not rooms(covered | cells, True):
        cell = hole(covered | cells)
        if cell is None:
            raise Refused("gap somewhere", cells=_cells(move))
        raise Refused("gap", cells=_cells(move), cell=CELLS[cell])


def _not_level(state: State, move: Move) -> Refused:
    """The refusal of squares that are not both exactly level-1 high, from level 2 on (sheet, Building).

    Its code is the first that applies of ``vacant``, ``uneven``, ``level``.
    """
    level, ground, heights = state.level, state.level - 1, state.heights
    a, b = heights[move.first], heights[move.second]
    if min(a, b) < ground:
        low = CELLS[move.first if a <= b else move.second]
        if not min(a, b):
            return Refused("vacant", cells=_cells(move), low=low)
        return Refused("vacant low", cells=_cells(move), low=low, high=min(a, b), level=level, ground=ground)
    free = " ".join(CELLS[cell] for cell in PLACES[state.free[0]])
    if a != b:
        return Refused("uneven", cells=_cells(move), first=a, second=b, free=free)
    return Refused("level", cells=_cells(move), high=a, level=level, free=free)


def _frame(cells: int) -> Refused:
    """The refusal of squares that no 4×4 block contains: too many columns, otherwise too many rows."""
    letters, digits = (sorted(names) for names in zip(*(CELLS[cell] for cell in members(cells)), strict=True))
    wide, tall = (ord(names[-1]) - ord(names[0]) + 1 for names in (letters, digits))
    if wide > 4:
        return Refused("frame columns", number=wide, first=letters[0], last=letters[-1])
    return Refused("frame rows", number=tall, first=digits[0], last=digits[-1])


def _lay(state: State, seat: int, move: Move, cells: int) -> State:
    """The position after a legal play: update top pips, hands, scores, the level if it is complete, and the turn."""
    top, solid, sizes, dealt, scores, _, level, pips, ground, built, below, gone = state
    p, q, first, second = move
    one, two = _matches(level, pips, move)
    shown, left = list(pips), list(sizes)
    shown[first], shown[second] = p, q
    left[seat - 1] -= 1
    if one or two:
        points = list(scores)
        points[seat - 1] += level * (one + two)
        scores = tuple(points)
    over = not left[-1]  # All seats held the same number, so the last seat runs out last.
    ground ^= cells
    built |= cells
    if base_complete(built, solid) if level == 1 else not count_pairs(ground):
        level, ground, built, below = level + 1, built, 0, (*below, built)
        # It is never 0, since each domino of the level below covers such a pair.
        over = over or count_pairs(ground) == 1
    due = None if over else seat % len(left) + 1
    gone |= BITS[p, q]
    return make(State, (top, solid, tuple(left), dealt, scores, due, level, tuple(shown), ground, built, below, gone))
