"""Drafts of Ziggurat: what a play would score, or why it is illegal, in about 20 characters.

Beside the map there is less room: two lines of about 10 characters, which are ``Marks.short_lines``.

The first half has what follows from the table alone: which squares can still be covered, where a picker starts, and
which pips would score. It uses no hand, so that the picker reveals nothing about one. The picker does not start on a
scoring move either, since that would be a hint, and hints are off by default.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from companion.games.api import RefusedError
from companion.games.api.move_input import Draft
from companion.games.api.text import Text, plural_text, text
from companion.games.ziggurat import rules
from companion.games.ziggurat.grid import (
    BASE_BLOCKS,
    GRID_SIDE,
    NEIGHBOURS,
    SQUARE_COUNT,
    SQUARE_NAMES,
    possible_base_blocks,
    squares_in,
)
from companion.games.ziggurat.pieces import DOMINO_BITS, Move, dominoes_of_set
from companion.games.ziggurat.rules import RULES
from companion.games.ziggurat.state import NO_PIP, State

ARROW_STEPS = {"up": (0, 1), "right": (1, 0), "down": (0, -1), "left": (-1, 0)}
"""Arrow → (columns, rows) that it moves by. Up is towards higher rows, right towards later columns."""


def map_extent(state: State) -> tuple[range, range]:
    """The columns and rows, from 0, that the base covers or can still cover."""
    return _extent(state.covered, state.is_solid)


@lru_cache(maxsize=64)
def _extent(covered: int, solid: bool) -> tuple[range, range]:
    cells = [
        cell for corner, _ in possible_base_blocks(covered, solid) for cell in squares_in(BASE_BLOCKS[corner])
    ] or range(SQUARE_COUNT)
    columns, rows = zip(*(divmod(cell, GRID_SIDE) for cell in cells), strict=True)
    return range(min(columns), max(columns) + 1), range(min(rows), max(rows) + 1)


def square_in_direction(cell: int, arrow: str) -> int | None:
    """The square beside another one in the direction of an arrow; None off the 7×7 squares."""
    column, row = (start + by for start, by in zip(divmod(cell, GRID_SIDE), ARROW_STEPS[arrow], strict=True))
    return GRID_SIDE * column + row if 0 <= column < GRID_SIDE and 0 <= row < GRID_SIDE else None


def way_key(cell: int, other: int) -> str:
    """The key of the way from a square to another one beside it; "" if they share no edge."""
    return next((key for key, way in WAY_OF_KEY.items() if square_in_direction(cell, way) == other), "")


def possible_other_pips(state: State, p: int) -> list[int]:
    """The pips that form, together with `p`, a domino that is not on the table."""
    return [q for q in range(state.highest_pip + 1) if not state.played_bits & DOMINO_BITS[p, q]]


def scoring_pips(state: State, cell: int) -> set[int]:
    """The pips that would score on a square if a domino were laid there now."""
    if state.level > 1:
        return {state.top_pips[cell]}
    return {state.top_pips[other] for other in NEIGHBOURS[cell]} - {NO_PIP}


def initial_domino(state: State) -> tuple[int, int]:
    """A domino that is not on the table, lower pip first: if possible with a pip that is on top of a square.

    Of several, it is the one with the smallest sum of presses to all others. Whether it scores is not considered.
    """
    on_top = set(state.top_pips)
    unplayed = [(p, q) for p in range(state.highest_pip + 1) for q in possible_other_pips(state, p) if p <= q] or [
        (0, 0)
    ]
    presses = _presses_between(state.highest_pip)
    return min(unplayed, key=lambda pips: (on_top.isdisjoint(pips), sum(presses[pips, other] for other in unplayed)))


@lru_cache(maxsize=3)
def _presses_between(top: int) -> dict[tuple[tuple[int, int], tuple[int, int]], int]:
    """The presses that change each domino of the set into each other one; pips wrap around, and may swap places."""
    away = [min(steps, top + 1 - steps) for steps in range(top + 1)]

    def between(now: tuple[int, int], then: tuple[int, int]) -> int:
        return away[abs(now[0] - then[0])] + away[abs(now[1] - then[1])]

    all_ = dominoes_of_set(top)
    return {(now, then): min(between(now, then), between(now, then[::-1])) for now in all_ for then in all_}


def highest_scoring_play(state: State) -> Move:
    """A legal play of a domino not on the table that scores the most, for a hint.

    Raises ValueError if no place is free or all dominoes are on the table.
    """
    wishes = {cell: scoring_pips(state, cell) for place in rules.free_pairs(state) for cell in place}
    pips = [(p, q) for p in range(state.highest_pip + 1) for q in possible_other_pips(state, p)]
    ways = rules.free_placements(state)
    plays = (Move(p, q, *way) for p, q in pips for way in ways)
    return max(plays, key=lambda move: (move.p in wishes[move.first]) + (move.q in wishes[move.second]))


def next_domino(state: State, p: int, q: int, arrow: str) -> tuple[int, int]:
    """The domino after an arrow: up and down change its first pip, left and right its second one, and pips wrap around.

    Dominoes on the table are passed over. If there is none left with the new first pip and the same second one, the
    second one changes too.
    """
    step, count = 1 if arrow in ("up", "right") else -1, state.highest_pip + 1
    if arrow in ("left", "right"):
        others = possible_other_pips(state, p)
        return p, next((new for by in range(1, count) if (new := (q + step * by) % count) in others), q)
    for by in range(1, count):
        new = (p + step * by) % count
        if others := possible_other_pips(state, new):
            return new, min(others, key=lambda other: (min((other - q) % count, (q - other) % count), other))
    return p, q


def middle_placement(state: State) -> tuple[int, int]:
    """The free placement with the fewest steps in sum to the others. It does not depend on the domino."""
    free = rules.free_placements(state)

    def steps_and_way(placement: tuple[int, int]) -> tuple[int, int]:
        column, row = divmod(placement[0], GRID_SIDE)
        steps = sum(abs(first // GRID_SIDE - column) + abs(first % GRID_SIDE - row) for first, _ in free)
        return steps, "BACD".index(way_key(*placement))

    return min(free, key=steps_and_way)


def next_placement(state: State, first: int, second: int, arrow: str) -> tuple[int, int]:
    """The free placement after an arrow, which turns the domino about its first half to that side, if it can lie there.

    Pointing that way already, the first half moves to the next square in that direction where it can lie, and the
    domino turns only if it must. Squares wrap around.
    """
    free = rules.free_placements(state)
    turned = first, square_in_direction(first, arrow)
    if turned in free and turned[1] != second:
        return first, turned[1] or 0
    (column, row), (across, up) = divmod(first, GRID_SIDE), ARROW_STEPS[arrow]

    def distance(placement: tuple[int, int]) -> tuple[bool, int, int, bool, bool]:
        right, above = placement[0] // GRID_SIDE - column, placement[0] % GRID_SIDE - row
        ahead, aside = (right * across + above * up) % GRID_SIDE, abs(right * up) + abs(above * across)
        has_turned = placement[1] - placement[0] != second - first
        points_there = placement[1] == square_in_direction(placement[0], arrow)
        return ahead == 0, ahead + aside, aside, has_turned, not points_there

    return min(free, key=distance)


def free_ways_from(state: State, cell: int) -> list[str]:
    """The ways from a square to another one where the next domino can lie across both; [] if there are none."""
    free = rules.free_pairs(state)
    return [way for way in ARROW_STEPS if tuple(sorted((cell, square_in_direction(cell, way) or 0))) in free]


WAY_OF_KEY = {"A": "up", "B": "right", "C": "down", "D": "left"}
"""Key → arrow of the same direction. Up is towards higher rows, right towards later columns."""


class Marks(NamedTuple):
    """What the screen highlights for a draft.

    Args:
        next_key: what the next key is for: ``pip``, ``column``, ``row``, ``way``, or "" for nothing.
        pips_on_squares: squares, each with the pip that would lie on it.
        column: the chosen column, from 0; -1 for none.
        short_lines: what the draft says, in two short lines.
        way_keys: the keys of the directions in which the domino can be laid.
    """

    next_key: str
    pips_on_squares: tuple[tuple[int, int], ...] = ()
    column: int = -1
    short_lines: tuple[str, ...] = ()
    way_keys: str = ""


class IllegalReason(NamedTuple):
    """Why a draft is illegal: in about 20 characters, and in one or two short lines."""

    message: str
    short_lines: tuple[str, ...]


def halves_of_move(move: Move) -> tuple[tuple[int, int], tuple[int, int]]:
    """Each half of the domino: its pip, and the square that it lies on."""
    return (move.p, move.first), (move.q, move.second)


def incomplete_draft(
    entered_text: str, message: str, marks: Marks, reason: IllegalReason | None = None, move: Move | None = None
) -> Draft:
    """The draft of an incomplete play.

    With `reason` it is illegal whatever keys follow; `move` is an example of a move that the rules refuse for it.
    """
    if reason is None:
        # The map shows the square.
        lines = (entered_text.partition(" ")[0], message)
        return Draft(entered_text, None, "more", "", message, marks._replace(short_lines=lines))
    return Draft(
        entered_text,
        None,
        "no",
        "",
        reason.message,
        marks._replace(way_keys="", short_lines=reason.short_lines),
        str(move or ""),
    )


def unplayable_domino_reason(state: State, move: Move) -> IllegalReason | None:
    """Why the domino of a move cannot be played anywhere; None if it may be."""
    refused = RULES.refusal(state, move)
    return short_reason(refused) if refused and refused.code in ("set", "held", "supply") else None


def one_square_draft(state: State, p: int, q: int, cell: int, reason: IllegalReason | None) -> Draft:
    """The draft after the square of the first pip: it asks for the way, or says why no way is legal."""
    moves = [Move(p, q, cell, other) for other in NEIGHBOURS[cell]]
    move, free = moves[0], free_ways_from(state, cell)
    if reason is None and not free:
        move, reason = _reason_at_square(state, moves)
    marks = Marks(
        "way", ((cell, p),), cell // GRID_SIDE, way_keys="".join(key for key, way in WAY_OF_KEY.items() if way in free)
    )
    return incomplete_draft(f"{p}-{q} {SQUARE_NAMES[cell]}", text("which way?"), marks, reason, move)


def _reason_at_square(state: State, moves: list[Move]) -> tuple[Move, IllegalReason | None]:
    """The one of `moves` from a square whose refusal explains best why no way from it is legal, and that reason.

    Preferably the reason is about that square; otherwise it is the one that most ways have.
    """
    refusals = [(each, refused) for each in moves if (refused := RULES.refusal(state, each))]
    rows = [refused.row for _, refused in refusals]

    def rank(each: tuple[Move, RefusedError]) -> tuple[bool, bool, int]:
        row, values = each[1].row, each[1].values
        is_about_square = values.get("low", values.get("cells")) == SQUARE_NAMES[each[0].first]
        return is_about_square or row in ("uneven", "level"), row == "level", rows.count(row)

    best, refused = max(refusals, key=rank)
    # A single square has only one height.
    return best, short_reason(refused, "level" if refused.row == "uneven" else "")


def play_draft(state: State, move: Move) -> Draft:
    """The draft of a complete play: what it scores, or why the rules forbid it."""
    event, pips_on_squares = str(move), tuple((cell, pip) for pip, cell in halves_of_move(move))
    if refused := RULES.refusal(state, move):
        reason = short_reason(refused)
        return Draft(event, event, "no", "", reason.message, Marks("", pips_on_squares, short_lines=reason.short_lines))
    message, lines = _score_texts(state, move)
    marks = Marks("", pips_on_squares, short_lines=lines)
    return Draft(event, event, "ok", "", message, marks, next_step=text("lay it"))


def _score_texts(state: State, move: Move) -> tuple[Text, tuple[str, ...]]:
    """The scoring pips and the points: ``4s, 6s match: +6``; for a double ``both 4s match: +8``.

    Above the base, if one half scores, it is ``4 on 4: +2``. The two short lines are ``4 = 4`` and ``2 points``.
    """
    points, cells = rules.score_of_play(state, move)
    pips = [pip for pip, cell in halves_of_move(move) if cell in cells]
    points_text = plural_text(points, "{number} point", "{number} points")
    if not pips:
        return text("no match: +{points}", points=points), (text("no match"), points_text)
    message, short = "{pip}s, {other}s match: +{points}", text("both match")
    if len(pips) == 1:
        message = "{pip}s match: +{points}" if state.level == 1 else "{pip} on {pip}: +{points}"
        short = text("{pip} = {pip}", pip=pips[0])
    elif pips[0] == pips[1]:
        message = "both {pip}s match: +{points}"
    return text(message, pip=pips[0], other=pips[-1], points=points), (short, points_text)


OFF_MAP_REASON = IllegalReason(text("no square that way"), (text("no square"), text("that way")))
_SHORT_REASONS = {
    "set": ("the set ends at {top}-{top}", "dominoes", "to {top}-{top}"),
    "held": ("not in the hand", "not in", "your hand"),
    "supply": ("{domino} is on the table", "it is on", "the table"),
    "supply other": ("another hand has it", "not in", "your hand"),
    "anchor": ("d4 with e4 or with d5", "lay it", "on the dots"),
    "occupied": ("{cells} is occupied", "a domino", "lies there"),
    "occupied both": ("{cells} are occupied", "a domino", "lies there"),
    "frame columns": ("{number} columns: 4 at most", "4 columns", "at most"),
    "frame rows": ("{number} rows: 4 at most", "4 rows", "at most"),
    "gap": ("{cell} would stay empty", "{cell} would", "stay empty"),
    "gap somewhere": ("a gap would stay", "makes", "a gap"),
    "touch": ("it touches no domino", "touches", "no domino"),
    "vacant": ("nothing lies on {low}", "a square", "is empty"),
    "vacant low": ("{low} is {high} high", "too low:", "{high} high"),
    "uneven": ("{first} and {second} high", "not level:", "{first} and {second}"),
    "level": ("{free} are still free", "fill level", "{level} first"),
}
"""A row of the refusals that a draft can meet → its text in about 20 characters, then in one or two lines."""


def short_reason(refused: RefusedError, row: str = "") -> IllegalReason:
    """A refusal in short, in its own words or those of another `row`."""
    message, *lines = (text(template, **refused.values) for template in _SHORT_REASONS[row or refused.row])
    return IllegalReason(message, tuple(lines))
