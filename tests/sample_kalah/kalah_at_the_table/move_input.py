"""How Kalah is typed (the digit of a house) and picked (left and right choose the house)."""

from collections.abc import Sequence

from companion.games.api import move_input
from companion.games.api.move_input import Draft, MoveTexts
from companion.games.api.text import plural_text, text
from kalah_at_the_table.rules import RULES, Move, State, houses, sown


class MoveInput(move_input.MoveInput):
    """What `companion.games.api.move_input.MoveInput` asks for; a pick is a `Move`, and a draft marks its house."""

    def draft_from_keys(self, state: State, keys: str) -> Draft | None:
        """``3`` is the third house."""
        return self._judged_draft(state, Move(int(keys))) if len(keys) == 1 and keys in "123456" else None

    def initial_pick(self, state: State) -> Move:
        """The first house with seeds."""
        return next(iter(RULES.legal_moves(state)), Move(1))

    def pick_after_arrow(self, state: State, pick: Move, arrow: str) -> Move:
        """The next house with seeds, as seeds go or against it."""
        moves = RULES.legal_moves(state) or [pick]
        return moves[(moves.index(pick) + (1 if arrow in ("right", "up") else -1)) % len(moves)]

    def draft_from_pick(self, state: State, pick: Move) -> Draft:
        """The pick, judged."""
        return self._judged_draft(state, pick)

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

    def _judged_draft(self, state: State, move: Move) -> Draft:
        if refused := RULES.refusal(state, move):
            return Draft(str(move.house), str(move), "no", "", refused.conflict, move.house)
        after, _, caught = sown(state, move.house)
        again = RULES.seat_to_move(after) == state.seat
        says = text("catches {caught}", caught=caught) if caught else "moves again" if again else "sow"
        working = plural_text(houses(state.seeds, state.seat)[move.house - 1], "{number} seed", "{number} seeds")
        return Draft(str(move.house), str(move), "ok", working, says, move.house)


MOVE_INPUT = MoveInput()
