"""Ziggurat (Jonathan A Leistiko, Invisible City): dominoes fill a 4×4 base, then one level after another on top of it.

Squares, masks and pairs of squares are those of `grid`. Names in brackets are paragraphs of the rule sheet. The round
ends when all dominoes are played, or when a new level has room for only one domino.
"""

from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from companion.games.api import Outcome, check_seat, check_turn, make_tuple
from companion.games.api.result import leading_seats
from companion.games.ziggurat import GAME
from companion.games.ziggurat.grid import (
    FIRST_PAIRS,
    GRID_SIDE,
    NEIGHBOUR_GETTERS,
    PAIR_MASKS,
    PAIR_NEIGHBOURS,
    PAIR_OF_SQUARES,
    PAIRS,
    SQUARE_NAMES,
    count_pairs_within,
    enclosing_block_corners,
    is_base_complete,
    possible_base_blocks,
    squares_in,
    unfillable_square,
)
from companion.games.ziggurat.pieces import DOMINO_BITS, Move, RefusedError, dominoes_of_bits, moves_of_domino
from companion.games.ziggurat.state import SetUpRules, State


class PlayScore(NamedTuple):
    """The points of a play (0 to 2 on the base; 0, L or 2L on level L), and those of its squares that score."""

    points: int
    scoring_squares: tuple[int, ...]


class Rules(SetUpRules):
    """The rules of Ziggurat. `SetUpRules` has the part about setting up."""

    def seat_to_move(self, state: State) -> int | None:
        return state.to_move

    def legal_moves(self, state: State) -> list[Move]:
        """The legal moves, sorted by domino, then by orientation (a double has only one); [] for a sealed hand."""
        if state.to_move is None:
            return []
        free, hand = state.free_pairs, dominoes_of_bits((state.dealt_bits[state.to_move - 1] or 0) & ~state.played_bits)
        rows = [row for domino in hand for row in moves_of_domino(domino)]
        if len(free) == 1:
            return [row[free[0]] for row in rows]
        return list(chain.from_iterable(map(itemgetter(*free), rows)))

    def find_legal_move(self, state: State) -> Move | None:
        dealt = state.dealt_bits[state.to_move - 1] if state.to_move else None
        return (
            moves_of_domino(dominoes_of_bits(dealt & ~state.played_bits)[0])[0][state.free_pairs[0]] if dealt else None
        )

    def play_move(self, state: State, seat: int, move: Move) -> State:
        """Raises RefusedError by the first check that fails.

        The codes in the order of the checks: ``syntax`` (no such seat), ``over``, ``turn``, ``set``, ``held``,
        ``supply``, ``adjacent`` (the shape of a domino, which the sheet takes for granted); then on the base
        ``anchor``, ``occupied``, ``frame``, ``touch``, ``gap``, and from level 2 on ``vacant``, ``uneven``, ``level``.
        """
        if seat != state.to_move:
            check_seat(seat, len(state.sizes))
            check_turn(seat, state.to_move)
        p, q, first, second = move
        _check_domino(state, seat, p, q)
        place = PAIR_OF_SQUARES.get((first, second))
        if place is None:
            raise RefusedError("adjacent same" if first == second else "adjacent", cells=_squares_text(move))
        cells = PAIR_MASKS[place]
        if state.level == 1:
            _check_base(state, move, place)
        elif cells & ~state.ground:
            raise _not_level_error(state, move)
        return _after_laying(state, seat, move, cells)

    def outcome(self, state: State) -> Outcome:
        """At the end most points win, then fewest dominoes left; otherwise the win is shared (sheet, Winning)."""
        if state.to_move is not None:
            return Outcome(state.scores, (), "")
        winners = leading_seats([(score, -size) for score, size in zip(state.scores, state.sizes, strict=True)])
        if len(winners) < state.scores.count(max(state.scores)):
            reason = GAME.ending_reason("fewer-left")
        elif any(state.sizes):
            reason = GAME.ending_reason("one-place", level=state.level)
        else:
            reason = GAME.ending_reason("played")
        return Outcome(state.scores, winners, reason)


RULES = Rules()


def free_pairs(state: State) -> tuple[tuple[int, int], ...]:
    """The pairs of squares that a domino could cover now, the lower square first; () when the round is over."""
    return tuple(PAIRS[place] for place in state.free_pairs)


def free_placements(state: State) -> list[tuple[int, int]]:
    """The pairs of `free_pairs`, each in both orders."""
    return [way for place in free_pairs(state) for way in (place, place[::-1])]


def score_of_play(state: State, move: Move) -> PlayScore:
    """What a legal play would score (sheet, Setting the Stage and Building). Legality is not checked."""
    one, two = _matching_halves(state.level, state.top_pips, move)
    return PlayScore(state.level * (one + two), (move.first,) * one + (move.second,) * two)


def _matching_halves(level: int, pips: tuple[int, ...], move: Move) -> tuple[bool, bool]:
    """Whether the first and the second half score: on the base with an equal neighbour, later on an equal pip."""
    p, q, first, second = move
    if level == 1:
        # Its own two squares are still vacant, so the halves of a double never match each other.
        return p in NEIGHBOUR_GETTERS[first](pips), q in NEIGHBOUR_GETTERS[second](pips)
    return p == pips[first], q == pips[second]


def _squares_text(move: Move) -> str:
    """The squares of a play as the panel shows them: ``d4 e4``."""
    return f"{SQUARE_NAMES[move.first]} {SQUARE_NAMES[move.second]}"


def _placement(move: Move) -> dict[str, str]:
    """The values of a refusal that say what lies where."""
    return {"domino": move.domino_text, "cells": _squares_text(move)}


def _check_domino(state: State, seat: int, p: int, q: int) -> None:
    """Raise RefusedError ``set``, ``held`` or ``supply`` for a domino that the seat cannot have."""
    top, gone, dealt = state.highest_pip, state.played_bits, state.dealt_bits[seat - 1]
    if p > top or q > top:
        raise RefusedError("set", domino=f"{p}-{q}", top=top)
    bit = DOMINO_BITS[p, q]
    held = state.sizes[seat - 1] if dealt is None else bit & dealt & ~gone
    if not held:
        raise RefusedError("held", domino=f"{p}-{q}")
    if dealt is None:
        if bit & gone:
            raise RefusedError("supply", domino=f"{p}-{q}")
        if any(bit & (other or 0) for other in state.dealt_bits):
            raise RefusedError("supply other", domino=f"{p}-{q}")


def _check_base(state: State, move: Move, pair: int) -> None:
    """Check a play on level 1 in the order that `play_move` documents (sheet, Setting the Stage; The base)."""
    covered, cells = state.built_on_level, PAIR_MASKS[pair]
    if not covered and pair not in FIRST_PAIRS:
        raise RefusedError("anchor", **_placement(move))
    if covered & cells:
        occupied = [SQUARE_NAMES[cell] for cell in (move.first, move.second) if covered >> cell & 1]
        raise RefusedError(
            "occupied both" if occupied[1:] else "occupied", domino=move.domino_text, cells=" ".join(occupied)
        )
    if not enclosing_block_corners(covered | cells):
        raise _frame_error(covered | cells)
    if covered and not PAIR_NEIGHBOURS[pair] & covered:
        raise RefusedError("touch", **_placement(move))
    if state.is_solid and not possible_base_blocks(covered | cells, True):
        cell = unfillable_square(covered | cells)
        if cell is None:
            raise RefusedError("gap somewhere", **_placement(move))
        raise RefusedError("gap", **_placement(move), cell=SQUARE_NAMES[cell])


def _not_level_error(state: State, move: Move) -> RefusedError:
    """The refusal of squares that are not both exactly level-1 high, from level 2 on (sheet, Building).

    Its code is the first that applies of ``vacant``, ``uneven``, ``level``.
    """
    level, ground, heights = state.level, state.level - 1, state.heights
    first_height, second_height = heights[move.first], heights[move.second]
    if min(first_height, second_height) < ground:
        low = SQUARE_NAMES[move.first if first_height <= second_height else move.second]
        if not min(first_height, second_height):
            return RefusedError("vacant", **_placement(move), low=low)
        return RefusedError(
            "vacant low",
            **_placement(move),
            low=low,
            high=min(first_height, second_height),
            level=level,
            ground=ground,
        )
    free = " ".join(SQUARE_NAMES[cell] for cell in PAIRS[state.free_pairs[0]])
    if first_height != second_height:
        return RefusedError(
            "uneven", **_placement(move), first=first_height, second=second_height, level=level, free=free
        )
    return RefusedError("level", **_placement(move), high=first_height, level=level, free=free)


def _frame_error(mask: int) -> RefusedError:
    """The refusal of squares that no 4×4 block contains: too many columns, otherwise too many rows."""
    lines = zip(*(divmod(cell, GRID_SIDE) for cell in squares_in(mask)), strict=True)
    wide, tall = (max(numbers) - min(numbers) + 1 for numbers in lines)
    return RefusedError("frame columns", number=wide) if wide > 4 else RefusedError("frame rows", number=tall)


def _after_laying(state: State, seat: int, move: Move, mask: int) -> State:
    """The position after a legal play: update top pips, hands, scores, the level if it is complete, and the turn."""
    top, solid, sizes, dealt, scores, _, level, pips, ground, built, below, played_bits = state
    p, q, first, second = move
    first_matches, second_matches = _matching_halves(level, pips, move)
    top_pips, sizes_left = list(pips), list(sizes)
    top_pips[first], top_pips[second] = p, q
    sizes_left[seat - 1] -= 1
    if first_matches or second_matches:
        points = list(scores)
        points[seat - 1] += level * (first_matches + second_matches)
        scores = tuple(points)
    is_over = not sizes_left[-1]  # All seats held the same number, so the last seat runs out last.
    ground ^= mask
    built |= mask
    if is_base_complete(built, solid) if level == 1 else not count_pairs_within(ground):
        level, ground, built, below = level + 1, built, 0, (*below, built)
        # It is never 0, since each domino of the level below covers such a pair.
        is_over = is_over or count_pairs_within(ground) == 1
    next_seat = None if is_over else seat % len(sizes_left) + 1
    played_bits |= DOMINO_BITS[p, q]
    return make_tuple(
        State,
        (
            top,
            solid,
            tuple(sizes_left),
            dealt,
            scores,
            next_seat,
            level,
            tuple(top_pips),
            ground,
            built,
            below,
            played_bits,
        ),
    )
