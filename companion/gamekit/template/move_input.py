"""How a move of First game is typed: 1, 2 or 3. The picker for the six buttons is made of that."""

from collections.abc import Sequence

from companion.gamekit.template.rules import Move, State
from companion.games.api import move_input
from companion.games.api.move_input import Draft
from companion.games.api.text import text


class MoveInput(move_input.MoveInput):
    """The move input of First game."""

    def draft_from_keys(self, state: State, keys: str) -> Draft | None:
        if keys not in tuple("123456789"):
            return None
        move = Move(int(keys))
        message = text("makes {number}", number=state.number + move.added)
        return self.judged_draft(state, move, f"{state.number}{move}", message)

    def keys_for_event(self, event: str) -> str:
        return event[1:]

    def input_instructions(self, view: State, uses_buttons: bool = False) -> str:
        return text("▴▾ how many") if uses_buttons else text("1, 2 or 3, then #")

    def position_lines(self, view: State) -> Sequence[str]:
        return (str(view.number),)


MOVE_INPUT = MoveInput()
