"""Entering a play of Ziggurat: two pips, a square, and the way (direction) from the first pip to the second.

Picking has two steps, with OK after each:

| step | arrows |
| --- | --- |
| 0, domino | up, down: first pip; left, right: second pip; dominoes on the table are passed over |
| 1, place | turn the domino, and move it in the direction that it points, over the places where it may lie |

The picker and its hints know only what is on the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.games.api import RefusedError, move_input
from companion.games.api.move_input import Draft
from companion.games.api.text import text
from companion.games.ziggurat import GAME
from companion.games.ziggurat.drafts import (
    OFF_MAP_REASON,
    WAY_OF_KEY,
    IllegalReason,
    Marks,
    incomplete_draft,
    initial_domino,
    middle_placement,
    next_domino,
    next_placement,
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
        step: 0 for the domino, 1 for its place.
        p: the pip on the half that the arrows move on the map.
        q: the other pip.
        first: the square of `p`.
        second: the square of `q`.
    """

    step: int
    p: int
    q: int = 0
    first: int = 0
    second: int = 0


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
                f"{p}-_", text("next pip?"), Marks("pip"), set_reason if p > state.highest_pip else None
            )
        move, entered_text = Move(p, q, 0, 1), f"{p}-{q}"
        reason = unplayable_domino_reason(state, move)
        if not square_keys:
            return incomplete_draft(entered_text, text("column?"), Marks("column"), reason, move)
        column = int(square_keys[0]) - 1
        if len(square_keys) == 1:
            return incomplete_draft(
                f"{entered_text} {square_keys[0]}/", text("row?"), Marks("row", column=column), reason, move
            )
        cell = GRID_SIDE * column + int(square_keys[1]) - 1
        if not way:
            return one_square_draft(state, p, q, cell, reason)
        if (second := square_in_direction(cell, WAY_OF_KEY[way])) is None:
            return incomplete_draft(
                f"{entered_text} {SQUARE_NAMES[cell]}", "", Marks("", ((cell, p),)), reason or OFF_MAP_REASON
            )
        return play_draft(state, Move(p, q, cell, second))

    def initial_pick(self, state: State) -> Pick:
        """The `initial_domino`. What it would score is not considered, since that would be a hint."""
        return Pick(0, *initial_domino(state))

    def pick_at_first_arrow(self, state: State, arrow: str) -> Pick:
        """The first arrow changes the domino at once."""
        return self.pick_after_arrow(state, self.initial_pick(state), arrow)

    def pick_after_arrow(self, state: State, pick: Pick, arrow: str) -> Pick:
        if pick.step == 0:
            return Pick(0, *next_domino(state, pick.p, pick.q, arrow))
        return Pick(1, pick.p, pick.q, *next_placement(state, pick.first, pick.second, arrow))

    def pick_after_ok(self, state: State, pick: Pick) -> Pick | None:
        """The place begins in the middle of the free ones, whatever the domino."""
        return None if pick.step else Pick(1, pick.p, pick.q, *middle_placement(state))

    def pick_after_back(self, state: State, pick: Pick) -> Pick | None:
        return Pick(0, pick.p, pick.q) if pick.step else None

    def draft_from_pick(self, state: State, pick: Pick) -> Draft:
        """Judged by the table alone, with every hand treated as sealed."""
        if pick.step == 0:
            draft = incomplete_draft(f"{pick.p}-{pick.q}", "", Marks("pip"))
            return draft._replace(next_step=text("place it"))
        return play_draft(RULES.seat_view(state, None), Move(*pick[1:]))

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
