"""How Kalah is typed: the digit of a house. The picker for the six buttons is made of that."""

from collections.abc import Sequence

from companion.games.api import move_input
from companion.games.api.move_input import Draft, MoveTexts
from companion.games.api.text import plural_text, text
from kalah_at_the_table.rules import RULES, Move, State, houses, sown


class MoveInput(move_input.MoveInput):
    """What `companion.games.api.move_input.MoveInput` asks for; a draft marks its house."""

    def draft_from_keys(self, state: State, keys: str) -> Draft | None:
        """``3`` is the third house."""
        if keys not in tuple("123456"):
            return None
        after, _, caught = sown(state, int(keys))
        again = RULES.seat_to_move(after) == state.seat
        says = text("catches {caught}", caught=caught) if caught else "moves again" if again else "sow"
        working = plural_text(houses(state.seeds, state.seat)[int(keys) - 1], "{number} seed", "{number} seeds")
        return self.judged_draft(state, Move(int(keys)), working, says, label=keys, marks=int(keys))

    def keys_for_event(self, event: str) -> str:
        """The digit of the house."""
        return event[-1]

    def input_instructions(self, view: State, uses_buttons: bool = False) -> str:
        """The house."""
        return text("◂▸ house") if uses_buttons else text("house 1 to 6, then #")

    def position_lines(self, view: State) -> Sequence[str]:
        """The houses of seat 2 above those of seat 1, so that seeds go round."""
        return " ".join(map(str, houses(view.seeds, 2)[::-1])), " ".join(map(str, houses(view.seeds, 1)))

    def move_texts(
        self, state_before: State, seat: int, move: Move, names: Sequence[str] = (), *, moves_again: bool = False
    ) -> MoveTexts:
        """``house 3``, and after it on the panel "again", or what it caught: ``house 3 +5``."""
        _, _, caught = sown(state_before, move.house)
        house = move.house
        if caught:
            said = text("sowed house {house} and caught {caught}", house=house, caught=caught)
            return MoveTexts(f"{move} +{caught}", sentence=said)
        if moves_again:
            said = text("sowed house {house} into the store, and moves again", house=house)
            return MoveTexts(str(move), text("{move}, again", move=str(move)), said)
        return MoveTexts(str(move), sentence=text("sowed house {house}", house=house))


MOVE_INPUT = MoveInput()
