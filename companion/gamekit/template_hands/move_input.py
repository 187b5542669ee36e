"""How a move of First game is typed: a card, or 0 to draw. A hand that the box knows names the card after the 0.

The picker for the six buttons and the buttons on phones are made of that.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from companion.gamekit.template_hands.rules import CARDS, COPIES, Move, State
from companion.games.api import move_input
from companion.games.api.move_input import Draft, MoveTexts
from companion.games.api.text import text


class MoveInput(move_input.MoveInput):
    """The move input of First game."""

    def draft_from_keys(self, state: State, keys: str) -> Draft | None:
        if not re.fullmatch("0[1-9]?|[1-9]", keys):
            return None
        if keys == "0" and state.hand.is_told:
            return Draft(text("draw"), message=text("which card?"))
        if keys[0] == "0":
            return self.judged_draft(state, Move("draw", int(keys[1:] or 0)), label="draw •" if keys[1:] else "draw")
        return self.judged_draft(state, Move("play", int(keys)), label=keys)

    def keys_for_event(self, event: str) -> str:
        return event.replace("play ", "").replace("draw", "0").replace(" ", "")

    def move_texts(
        self, state_before: Any, seat: int, move: Move, names: Sequence[str] = (), *, moves_again: bool = False
    ) -> MoveTexts:
        """Everybody reads them, so they never say which card was drawn."""
        if move.word == "draw":
            return MoveTexts(text("draw"), text("drew"), text("drew a card"))
        return MoveTexts(str(move.card), sentence=text("laid down {card}", card=str(move.card)))

    def revealed_piece_text(self, event: str) -> str:
        return text("a drawn card") if event.startswith("draw ") else ""

    def input_instructions(self, view: State, uses_buttons: bool = False) -> str:
        return super().input_instructions(view, uses_buttons) if uses_buttons else text("card, or 0 draws, #")

    def position_lines(self, view: State) -> Sequence[str]:
        """What each seat has laid down, two seats in a line; the panel shows two lines."""
        laid = ["".join(map(str, cards)) or "-" for cards in view.laid]
        lines = ["  ".join(laid[first : first + 2]) for first in range(0, len(laid), 2)]
        return *lines, text("{deck} in the deck", deck=view.deck)

    # -- the cards of a hand ------------------------------------------------------------------------------------------

    def parse_typed_pieces(
        self, keys: str, kind: str, options: Mapping[str, str]
    ) -> tuple[tuple[str, ...], str] | None:
        return ((keys,), "") if keys in [*map(str, CARDS)] else None

    def piece_rows(self, kind: str, options: Mapping[str, str]) -> Sequence[Sequence[str]]:
        return [[*map(str, CARDS)]]

    def is_piece_hidden(self, kind: str, piece: str) -> bool:
        return True

    def available_pieces(self, view: State, kind: str, seat: int) -> Mapping[str, int]:
        return {str(card): COPIES - view.count_known(card) for card in CARDS}

    def held_pieces(self, view: State, seat: int) -> Sequence[str]:
        return [*map(str, view.hands[seat - 1].pieces or ())]

    def own_pieces_text(self, view: State, seat: int) -> str:
        return " ".join(self.held_pieces(view, seat)) or text("no card")


MOVE_INPUT = MoveInput()
