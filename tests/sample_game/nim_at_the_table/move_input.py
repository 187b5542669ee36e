"""How Nim is typed: heap, then pieces. The picker for the six buttons is made of that."""

from collections.abc import Sequence

from companion.games.api import move_input
from companion.games.api.move_input import Draft
from companion.games.api.text import text
from nim_at_the_table.rules import Move, State


class MoveInput(move_input.MoveInput):
    """What `companion.games.api.move_input.MoveInput` asks for."""

    def draft_from_keys(self, state: State, keys: str) -> Draft | None:
        """``2 3`` is ``2-3``."""
        if len(keys) > 2 or not keys.isdigit() or "0" in keys:
            return None
        if len(keys) < 2:
            return Draft(f"{keys}-_")
        move = Move(int(keys[0]), int(keys[1]))
        left = sum(state.heaps[move.heap - 1 : move.heap]) - move.pieces
        working, says = text("heap {heap}", heap=move.heap), text("{left} stay", left=left)
        return self.judged_draft(state, move, working, says)

    def input_instructions(self, view: State, uses_buttons: bool = False) -> str:
        """The heap, then the pieces."""
        return super().input_instructions(view, uses_buttons) if uses_buttons else text("heap, pieces, #")

    def position_lines(self, view: State) -> Sequence[str]:
        """The heaps in a line."""
        return ("  ".join(map(str, view.heaps)),)

    def result_counts(self, state: State, scores: tuple[int, ...]) -> tuple[int, ...]:
        """The pieces that each seat has taken."""
        return state.taken


MOVE_INPUT = MoveInput()
