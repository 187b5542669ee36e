"""How Nim is typed (heap, then pieces) and picked (left and right choose the heap, up and down the pieces)."""

from collections.abc import Sequence

from companion.games.api import move_input
from companion.games.api.move_input import Draft
from companion.games.api.text import text
from nim_at_the_table.rules import RULES, Move, State


class MoveInput(move_input.MoveInput):
    """What `companion.games.api.move_input.MoveInput` asks for; a pick is a `Move`."""

    def draft_from_keys(self, state: State, keys: str) -> Draft | None:
        """``2 3`` is ``2-3``."""
        if len(keys) > 2 or not keys.isdigit() or "0" in keys:
            return None
        return self._judged_draft(state, Move(int(keys[0]), int(keys[1]))) if len(keys) == 2 else Draft(f"{keys}-_")

    def initial_pick(self, state: State) -> Move:
        """One piece of the first heap that has any."""
        return next(iter(RULES.legal_moves(state)), Move(1, 1))

    def pick_after_arrow(self, state: State, pick: Move, arrow: str) -> Move:
        """Another heap, or a piece more or less."""
        heaps = [heap for heap, size in enumerate(state.heaps, 1) if size] or [1]
        if arrow in ("left", "right"):
            heap = heaps[(heaps.index(pick.heap) + (1 if arrow == "right" else -1)) % len(heaps)]
            return Move(heap, min(pick.pieces, state.heaps[heap - 1]))
        size = state.heaps[pick.heap - 1]
        return pick._replace(pieces=(pick.pieces - 1 + (1 if arrow == "up" else -1)) % size + 1)

    def draft_from_pick(self, state: State, pick: Move) -> Draft:
        """The pick, judged."""
        return self._judged_draft(state, pick)

    def input_instructions(self, view: State, uses_buttons: bool = False) -> str:
        """The heap, then the pieces."""
        return text("◂▸ heap   ▴▾ pieces") if uses_buttons else text("heap, pieces, #")

    def position_lines(self, view: State) -> Sequence[str]:
        """The heaps in a line."""
        return ("  ".join(map(str, view.heaps)),)

    def result_counts(self, state: State, scores: tuple[int, ...]) -> tuple[int, ...]:
        """The pieces that each seat has taken."""
        return state.taken

    def _judged_draft(self, state: State, move: Move) -> Draft:
        if refused := RULES.refusal(state, move):
            return Draft(str(move), str(move), "no", refused.figure, refused.conflict)
        working, left = text("heap {heap}", heap=move.heap), state.heaps[move.heap - 1] - move.pieces
        return Draft(str(move), str(move), "ok", working, text("{left} stay", left=left))


MOVE_INPUT = MoveInput()
