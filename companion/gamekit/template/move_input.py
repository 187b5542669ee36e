"""How a move of First game is typed (1, 2 or 3) and picked (up and down change the number)."""

from collections.abc import Sequence

from companion.gamekit.template.rules import RULES, Move, State
from companion.games.api import RefusedError, move_input
from companion.games.api.move_input import Draft
from companion.games.api.text import text


class MoveInput(move_input.MoveInput):
    """The move input of First game; a pick is a `Move`."""

    def draft_from_keys(self, state: State, keys: str) -> Draft | None:
        return self._judged_draft(state, Move(int(keys))) if keys in "123456789" and len(keys) == 1 else None

    def initial_pick(self, state: State) -> Move:
        return Move(1)

    def pick_after_arrow(self, state: State, pick: Move, arrow: str) -> Move:
        moves = RULES.legal_moves(state) or [pick]
        return moves[(moves.index(pick) + (1 if arrow in ("up", "right") else -1)) % len(moves)]

    def draft_from_pick(self, state: State, pick: Move) -> Draft:
        return self._judged_draft(state, pick)

    def keys_for_event(self, event: str) -> str:
        return event[1:]

    def input_instructions(self, view: State, uses_buttons: bool = False) -> str:
        return text("▴▾ how many") if uses_buttons else text("1, 2 or 3, then #")

    def position_lines(self, view: State) -> Sequence[str]:
        return (str(view.number),)

    def _judged_draft(self, state: State, move: Move) -> Draft:
        try:
            state_after = RULES.play_move(state, state.seat, move)
        except RefusedError as refused:
            return Draft(str(move), str(move), "no", refused.figure, refused.conflict)
        return Draft(
            str(move), str(move), "ok", f"{state.number}{move}", text("makes {number}", number=state_after.number)
        )


MOVE_INPUT = MoveInput()
