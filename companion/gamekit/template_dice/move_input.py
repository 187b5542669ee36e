"""How a move of First game is typed: the two dice, or 0 to stop. The picker for the six buttons is made of that."""

from collections.abc import Sequence
from typing import Any

from companion.gamekit.template_dice.rules import MAX_THROWS, Move, State
from companion.games.api import move_input
from companion.games.api.move_input import Draft, MoveTexts
from companion.games.api.text import plural_text, text


class MoveInput(move_input.MoveInput):
    """The move input of First game."""

    def draft_from_keys(self, state: State, keys: str) -> Draft | None:
        return super().draft_from_keys(state, "".join(sorted(keys)))

    def keys_for_event(self, event: str) -> str:
        return "0" if event == "stop" else event.removeprefix("roll ")

    def move_texts(
        self, state_before: Any, seat: int, move: Move, names: Sequence[str] = (), *, moves_again: bool = False
    ) -> MoveTexts:
        dice = "+".join(map(str, move.dice))
        if not move.dice:
            return MoveTexts(text("stop"), text("stopped"))
        return MoveTexts(
            dice, text("{dice}, again", dice=dice) if moves_again else dice, text("threw {dice}", dice=dice)
        )

    def input_instructions(self, view: State, uses_buttons: bool = False) -> str:
        return super().input_instructions(view, uses_buttons) if uses_buttons else text("both dice, or 0, #")

    def position_lines(self, view: State) -> Sequence[str]:
        left = MAX_THROWS - view.throws
        return (
            plural_text(view.points, "{number} point in this turn", "{number} points in this turn"),
            plural_text(left, "{number} throw left", "{number} throws left"),
        )


MOVE_INPUT = MoveInput()
