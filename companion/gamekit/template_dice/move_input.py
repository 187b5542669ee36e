"""How a move of First game is typed: the two dice, then 1 for again or 0 to stop. The picker is made of that."""

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
        return {"again": "1", "stop": "0"}.get(event) or event.removeprefix("roll ")

    def move_texts(
        self, state_before: Any, seat: int, move: Move, names: Sequence[str] = (), *, moves_again: bool = False
    ) -> MoveTexts:
        if move.word == "stop":
            return MoveTexts(text("stop"), text("stopped"))
        if move.word == "again":
            return MoveTexts(text("again"), text("throws again" if moves_again else "again"))
        dice = "+".join(map(str, move.dice))
        return MoveTexts(
            dice, text("{dice}, again?", dice=dice) if moves_again else dice, text("threw {dice}", dice=dice)
        )

    def input_instructions(self, view: State, uses_buttons: bool = False) -> str:
        if uses_buttons:
            return super().input_instructions(view, uses_buttons)
        return text("1 again, 0 stop, #") if view.may_stop else text("both dice, then #")

    def position_lines(self, view: State) -> Sequence[str]:
        left = MAX_THROWS - view.throws
        return (
            plural_text(view.points, "{number} point in this turn", "{number} points in this turn"),
            plural_text(left, "{number} throw left", "{number} throws left"),
        )


MOVE_INPUT = MoveInput()
