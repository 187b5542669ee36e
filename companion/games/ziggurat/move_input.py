"""Entering a play of Ziggurat: two pips, a square, and the way (direction) from the first pip to the second.

Picking has three steps, with OK after each:

| step | arrows | remarks |
| --- | --- | --- |
| 0, domino | up, down: first pip; left, right: second pip | one that is on the table has a cross |
| 1, square | move over the map | |
| 2, way | set the way | left out where the rules leave only one |

The picker and its hints know only what is on the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.games.api import RefusedError, move_input
from companion.games.api.move_input import Draft
from companion.games.api.text import text
from companion.games.ziggurat import GAME, rules
from companion.games.ziggurat.drafts import (
    ARROW_STEPS,
    OFF_MAP_REASON,
    WAY_OF_KEY,
    IllegalReason,
    Marks,
    base_can_cover,
    free_ways_from,
    incomplete_draft,
    initial_domino,
    likely_way,
    map_extent,
    middle_free_square,
    one_square_draft,
    play_draft,
    short_reason,
    square_in_direction,
    unplayable_domino_reason,
)
from companion.games.ziggurat.game_texts import GameTexts
from companion.games.ziggurat.grid import GRID_SIDE, SQUARE_NAMES
from companion.games.ziggurat.pieces import PIP_KEYS, Move
from companion.games.ziggurat.rules import RULES
from companion.games.ziggurat.state import State


class Pick(NamedTuple):
    """What is picked so far.

    Args:
        step: 0 for the domino, 1 for the square, 2 for the way.
        p: the pip that the arrows move on the map.
        q: the other pip.
        square: the square of `p`.
        way: the direction from `p` to `q`, one of the arrows.
        has_turned: whether the last arrow also turned the domino, to where it may lie.
        has_turned_from_open: the same, although both squares in the old direction are open.
    """

    step: int
    p: int
    q: int = 0
    square: int = 0
    way: str = "right"
    has_turned: bool = False
    has_turned_from_open: bool = False


class MoveInput(GameTexts, move_input.MoveInput):
    """Entering a play of Ziggurat; a pick is a `Pick`."""

    def draft_from_keys(self, state: State, keys: str) -> Draft | None:
        """Pip, pip, column, row, way: ``6344B`` is ``6-3 d4e4``; with the double-twelve set A, B, C are 10, 11, 12."""
        pips = [_pip_of_key(state.highest_pip, key) for key in keys[:2]]
        square_keys, way = keys[2:4], keys[4:]
        if None in pips or not all(key in "1234567" for key in square_keys) or (way and way not in WAY_OF_KEY):
            return None
        p, q = (*pips, None)[:2]
        if p is None:
            return None
        if q is None:
            set_reason = IllegalReason(
                text("the set ends at {top}", top=state.highest_pip),
                (text("only"), text("to {top}", top=state.highest_pip)),
            )
            return incomplete_draft(
                f"{p}-_", text("2nd pip?"), Marks("pip"), set_reason if p > state.highest_pip else None
            )
        move, entered_text = Move(p, q, 0, 1), f"{p}-{q}"
        reason = unplayable_domino_reason(state, move)
        if not square_keys:
            return incomplete_draft(entered_text, text("column?"), Marks("column"), reason, move)
        column = int(square_keys[0]) - 1
        if len(square_keys) == 1:
            return incomplete_draft(
                f"{entered_text} {'abcdefg'[column]}", text("row?"), Marks("row", column=column), reason, move
            )
        cell = GRID_SIDE * column + int(square_keys[1]) - 1
        if not way:
            return one_square_draft(state, Move(p, q, cell, _second_square(cell, likely_way(state, cell))), reason)
        if (second := square_in_direction(cell, WAY_OF_KEY[way])) is None:
            return incomplete_draft(
                f"{entered_text} {SQUARE_NAMES[cell]}", "", Marks("", ((cell, p),)), reason or OFF_MAP_REASON
            )
        return play_draft(state, Move(p, q, cell, second))

    def initial_pick(self, state: State) -> Pick:
        """The `initial_domino`. What it would score is not considered, since that would be a hint."""
        return Pick(0, *initial_domino(state))

    def pick_after_arrow(self, state: State, pick: Pick, arrow: str) -> Pick:
        if pick.step == 2:
            return pick._replace(way=arrow) if square_in_direction(pick.square, arrow) is not None else pick
        if pick.step == 1:
            return _pick_moved(state, pick, arrow)
        step = 1 if arrow in ("up", "right") else -1
        if arrow in ("left", "right"):
            return pick._replace(q=(pick.q + step) % (state.highest_pip + 1))
        return pick._replace(p=(pick.p + step) % (state.highest_pip + 1))

    def pick_after_ok(self, state: State, pick: Pick) -> Pick | None:
        """The square step begins in the middle of the free squares, whatever the domino.

        It is the last step if at most one way leads from the square to where the domino may lie. But if the domino has
        turned by itself, the way is asked for: turned back, the draft says why it cannot lie there, such as that a gap
        would stay.
        """
        if pick.step == 0:
            if _domino_fault_by_table(state, pick):
                return None
            cell = middle_free_square(state)
            return Pick(1, pick.p, pick.q, cell, likely_way(state, cell))
        if pick.step == 1 and (len(free_ways_from(state, pick.square)) > 1 or pick.has_turned_from_open):
            return pick._replace(step=2)
        return None

    def pick_after_back(self, state: State, pick: Pick) -> Pick | None:
        return pick._replace(step=pick.step - 1) if pick.step else None

    def draft_from_pick(self, state: State, pick: Pick) -> Draft:
        """Judged by the table alone, with every hand treated as sealed."""
        if pick.step == 0:
            move, reason = Move(pick.p, pick.q, 0, 1), _domino_fault_by_table(state, pick)
            draft = incomplete_draft(str(move).partition(" ")[0], "", Marks("pip", is_picked=True), reason, move)
            return draft if reason else draft._replace(next_step=text("map"))
        move = Move(pick.p, pick.q, pick.square, _second_square(pick.square, pick.way))
        draft = play_draft(RULES.seat_view(state, None), move)
        can_move = pick.step == 1
        marks = draft.marks._replace(
            is_picked=True, can_turn=not can_move, can_move=can_move, has_turned=can_move and pick.has_turned
        )
        draft = draft._replace(marks=marks)
        if self.pick_after_ok(state, pick) is None:
            return draft
        return draft._replace(event=None, verdict="more", next_step=text("turn"))

    def refused_draft(self, draft: Draft, refused: RefusedError) -> Draft:
        reason = short_reason(refused)
        marks = draft.marks._replace(short_lines=reason.short_lines)
        return draft._replace(verdict="no", message=reason.message, marks=marks)

    def parse_typed_pieces(
        self, keys: str, kind: str, options: Mapping[str, str]
    ) -> tuple[tuple[str, ...], str] | None:
        """Two keys for each domino: ``36`` is ``3-6``, with the double-twelve set ``3B`` is ``3-11``."""
        top = int(options.get("set", GAME.option_defaults["set"]))
        pips = [pip for key in keys if (pip := _pip_of_key(top, key)) is not None and pip <= top]
        if len(pips) < len(keys):
            return None
        paired_keys = len(pips) // 2 * 2
        pairs = zip(pips[:paired_keys:2], pips[1:paired_keys:2], strict=True)
        return tuple(f"{min(pair)}-{max(pair)}" for pair in pairs), keys[paired_keys:]

    def piece_rows(self, kind: str, options: Mapping[str, str]) -> Sequence[Sequence[str]]:
        top = int(options.get("set", GAME.option_defaults["set"]))
        return [[f"{low}-{high}" for high in range(low, top + 1)] for low in range(top + 1)]

    def available_pieces(self, view: State, kind: str, seat: int) -> Mapping[str, int]:
        dominoes = (domino for row in self.piece_rows(kind, {"set": str(view.highest_pip)}) for domino in row)
        return {domino: 1 for domino in dominoes if domino not in map(str, view.played_dominoes)}

    def is_piece_hidden(self, kind: str, piece: str) -> bool:
        return True


MOVE_INPUT = MoveInput()


def _pip_of_key(top: int, key: str) -> int | None:
    """The pip of a key, None for none. A, B and C are pips in the double-twelve set only."""
    pip = PIP_KEYS.find(key)
    return pip if 0 <= pip <= max(top, 9) else None


def _domino_fault_by_table(state: State, pick: Pick) -> IllegalReason | None:
    """Why nobody can play the picked domino: it is on the table. None if it is not."""
    return unplayable_domino_reason(RULES.seat_view(state, None), Move(pick.p, pick.q, 0, 1))


def _pick_moved(state: State, pick: Pick, arrow: str) -> Pick:
    """The pick one square further in the direction of `arrow`, wrapping around at the edges of the map.

    The way stays if it can lead to a free pair, and changes if the picture would not change otherwise.
    """
    columns, rows = map_extent(state)
    column, row = divmod(pick.square, GRID_SIDE)
    column_step, row_step = ARROW_STEPS[arrow]
    column = columns[(column - columns.start + column_step) % len(columns)]
    row = rows[(row - rows.start + row_step) % len(rows)]
    cell = GRID_SIDE * column + row
    way, free = likely_way(state, cell, pick.way), free_ways_from(state, cell)
    if len(free) != 1 and _looks_the_same_after(state, pick, cell, way):
        ways = free or [other for other in ARROW_STEPS if square_in_direction(cell, other) is not None]
        way = next(other for other in (pick.way, *ways) if other != way and other in ways)
    was_open = base_can_cover(state, cell) and base_can_cover(state, square_in_direction(cell, pick.way))
    has_turned = way != pick.way
    return pick._replace(square=cell, way=way, has_turned=has_turned, has_turned_from_open=has_turned and was_open)


def _looks_the_same_after(state: State, pick: Pick, cell: int, way: str) -> bool:
    """Whether the move only swaps the ends of the domino, and the picture shows no difference.

    That is so for a double, and for a pair that is not free.
    """
    squares_now = tuple(sorted((pick.square, _second_square(pick.square, pick.way))))
    squares_then = tuple(sorted((cell, _second_square(cell, way))))
    return squares_now == squares_then and (pick.p == pick.q or squares_now not in rules.free_pairs(state))


def _second_square(cell: int, way: str) -> int:
    """The square beside another one in the direction of `way`, which must not lead off the map."""
    second = square_in_direction(cell, way)
    assert second is not None, "the way leads off the map"
    return second
