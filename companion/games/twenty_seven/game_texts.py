"""The texts and numbers of 27 apart from its rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from companion.games.api import game_texts
from companion.games.api.game_texts import MoveTexts
from companion.games.api.text import Text, plural_text, text
from companion.games.twenty_seven import rules
from companion.games.twenty_seven.rules import BLACK, RULES, WHITE, Move, State


class Marks(NamedTuple):
    """What the picture highlights.

    Attributes:
        field: the field that the move starts from, from 1; 0 for none.
        pieces: how many pieces are taken; 0 while that is not entered.
        target: the field that they may move to; 0 for none.
    """

    field: int
    pieces: int = 0
    target: int = 0

    @property
    def lifted_pieces(self) -> int:
        """How many pieces lie on the target after the move; 0 if they may not move there."""
        return self.pieces if self.target else 0


class GameTexts(game_texts.GameTexts):
    """What 27 says apart from its drafts."""

    spoken_forms: ClassVar = {
        r"(?P<field>[0-9]{1,2})×(?P<pieces>[0-9]+)": "{pieces} from field {field}",
        r"(?P<field>[0-9]{1,2})×_?": "field {field}",
    }

    def move_texts(
        self, state_before: State, seat: int, move: Move, names: Sequence[str] = (), *, moves_again: bool = False
    ) -> MoveTexts:
        """``2 from 3 to 5``; in the last line which field is removed, if the row closes up."""
        target = rules.target_field(state_before, seat, move.field)
        fields = {"field": move.field, "target": target}
        short = text("{pieces} from {field} to {target}", pieces=move.pieces, **fields)
        button_label = text("Move {pieces} from {field} to {target}", pieces=move.pieces, **fields)
        sentence = text("moved {pieces} from {field} to {target}", pieces=move.pieces, **fields)
        if target == rules.goal_field(state_before, seat):
            message = "moved {pieces} from {field} to {target}, the goal: {height} there"
            sentence = text(
                message, pieces=move.pieces, height=rules.goal_heights(state_before)[seat - 1] + move.pieces, **fields
            )
        elif names and state_before.tops[target - 1] == BLACK + WHITE - seat:
            sentence = text("{moved} and covered {other}'s disc", moved=sentence, other=names[2 - seat])
        if move.pieces < len(state_before.stacks[move.field - 1]):
            return MoveTexts(short, "", sentence, str(move), button_label=button_label)
        sentence = text("{moved}; that leaves {fields} fields", moved=sentence, fields=len(state_before.stacks) - 1)
        brief = text("field {field} removed", field=move.field)
        return MoveTexts(short, brief, sentence, str(move), button_label=button_label)

    def stray_key_text(self, state: State, keys: str, key: str) -> str:
        return text("{key} is not a number" if keys else "there is no field {key}", key=key)

    def incomplete_text(self, state: State, keys: str) -> str:
        """The number of pieces: a field alone is a move only where a single piece can move."""
        return text("How many? 1 to {most}", most=rules.movable_piece_count(state, int(keys)))

    def skip_reason(self, state: State, seat: int) -> str:
        ahead = rules.steps_of_move(state, seat)
        if not ahead:
            return text("all discs are covered")
        if all(field == rules.goal_field(state, seat) for field, top in enumerate(state.tops, 1) if top == seat):
            goal = rules.goal_field(state, seat)
            is_any_covered = any(seat in stack for field, stack in enumerate(state.stacks, 1) if field != goal)
            return text("the other discs are covered" if is_any_covered else "all discs have arrived")
        return text("a step of {number} goes past the end", number=ahead)

    def move_marks(self, view: State, event: str) -> Marks:
        return Marks(RULES.parse_move(event).field)

    def turn_text(self, view: State, names: Sequence[str]) -> str:
        seat = view.to_move or WHITE
        return plural_text(
            rules.steps_of_move(view, seat),
            "{number} step, towards field {goal}",
            "{number} steps, towards field {goal}",
            goal=rules.goal_field(view, seat),
        )

    def input_instructions(self, view: State, uses_buttons: bool = False) -> str:
        return text("◂▸ field   ▴▾ how many" if uses_buttons else "Which field?")

    def example_event(self, view: State) -> str:
        return "1x3"

    def suggested_move_text(self, state: State) -> str:
        move = RULES.find_legal_move(state)
        if move is None:
            return ""
        return text("Field {field}: move {pieces}.", field=move.field, pieces=disc_count_text(move.pieces))

    def result_counts(self, state: State, scores: tuple[int, ...]) -> tuple[int, ...]:
        return rules.goal_heights(state)

    def keys_for_event(self, event: str) -> str:
        return event.replace("x", "")

    def chart_rows(self, state: State) -> list[tuple[int, int]]:
        """For each stack how many pieces can move, and the seat whose disc is on top (0 for none).

        There are fewer stacks than at the start if fields were removed.
        """
        owners = [top if top in (WHITE, BLACK) else 0 for top in state.tops]
        return [(rules.movable_piece_count(state, field), owner) for field, owner in enumerate(owners, 1)]


def disc_count_text(count: int) -> Text:
    """A number of pieces that move, in words. The pieces of the fields are discs too."""
    return plural_text(count, "{number} disc", "{number} discs")
