"""Entering a move of 27: a field, then the number of pieces; picked with left/right (field) and up/down (number)."""

from __future__ import annotations

from typing import NamedTuple

from companion.games.api import move_input
from companion.games.api.move_input import Draft
from companion.games.api.text import text
from companion.games.twenty_seven import rules
from companion.games.twenty_seven.game_texts import GameTexts, Marks
from companion.games.twenty_seven.rules import BLACK, RULES, WHITE, Move, State


class Pick(NamedTuple):
    """The picker: a field, from 1, and how many pieces to move, from 1."""

    field: int
    pieces: int


class MoveInput(GameTexts, move_input.MoveInput):
    """Entering a move of 27; a pick is a `Pick`."""

    def draft_from_keys(self, state: State, keys: str) -> Draft | None:
        """The first digit is the field, the rest the number of pieces: ``32`` is ``3x2``. Letters mean nothing here."""
        if not keys.isdigit() or len(keys) > 3 or (keys[1:2] == "0" and len(keys) > 2):
            return None
        field = int(keys[0])
        one_piece = _move_draft(state, field, 1)
        if one_piece.verdict == "no":
            # The rules refuse the field for any number of pieces, and OK shows why. The next digit is another field.
            return None if keys[1:] else one_piece._replace(text=f"{field}×", marks=Marks(field))
        if keys[1:]:
            return _move_draft(state, field, int(keys[1:]))
        maximum = rules.movable_piece_count(state, field)
        if maximum == 1:
            return one_piece
        target = rules.target_field(state, state.to_move or 1, field)
        return Draft(f"{field}×_", None, "more", "", text("How many?"), Marks(field, target=target))

    def initial_pick(self, state: State) -> Pick:
        """One piece of an own stack that can move.

        Of these stacks it is the middle one, so that none of them is far away.
        """
        fields = [field for field in _fields_to_pick(state) if not RULES.refusal(state, Move(field, 1))] or [1]
        return Pick(fields[len(fields) // 2], 1)

    def pick_at_first_arrow(self, state: State, arrow: str) -> Pick:
        """Down begins with the whole stack, as it does from one piece."""
        return self._pick_on_field(state, self.initial_pick(state).field, arrow)

    def pick_at_place(self, state: State, event: str, arrow: str) -> Pick:
        return self._pick_on_field(state, RULES.parse_move(event).field, arrow)

    def _pick_on_field(self, state: State, field: int, arrow: str) -> Pick:
        pick = Pick(field, 1)
        return self.pick_after_arrow(state, pick, arrow) if arrow == "down" else pick

    def pick_after_arrow(self, state: State, pick: Pick, arrow: str) -> Pick:
        """Left and right change the field (see `_fields_to_pick`), up and down the number of pieces.

        Up stops at the whole stack; down from one piece leads to it.
        """
        if arrow in ("up", "down"):
            maximum = max(1, rules.movable_piece_count(state, pick.field))
            return pick._replace(pieces=min(pick.pieces + 1, maximum) if arrow == "up" else pick.pieces - 1 or maximum)
        fields = _fields_to_pick(state)
        index = fields.index(pick.field) if pick.field in fields else 0
        return Pick(fields[(index + (1 if arrow == "right" else -1)) % len(fields)], 1)

    def draft_from_pick(self, state: State, pick: Pick) -> Draft:
        return _move_draft(state, pick.field, pick.pieces)


MOVE_INPUT = MoveInput()


def _fields_to_pick(state: State) -> list[int]:
    """The fields that the picker moves over: those with a piece that can move, whoever owns it."""
    return [field for field in range(1, len(state.stacks) + 1) if rules.movable_piece_count(state, field)] or [1]


def _move_draft(state: State, field: int, count: int) -> Draft:
    event, entered_text = f"{field}x{count}", f"{field}×{count}"
    if refused := RULES.refusal(state, Move(field, count)):
        return Draft(
            entered_text, event, "no", "", _short_reason(state, field, count, refused.code), Marks(field, count)
        )
    target = rules.target_field(state, state.to_move or 1, field)
    marks, next_step = Marks(field, count, target), text("move {count}", count=count)
    return Draft(entered_text, event, "ok", "", "", marks, next_step=next_step)


def _short_reason(state: State, field: int, count: int, code: str) -> str:
    """Why the rules refuse a move, in a word or two."""
    if code == "count":
        most = rules.movable_piece_count(state, field)
        return text("field {field} has only {most}", field=field, most=most) if count else text("at least 1")
    if code == "overshoot":
        return text("too far")
    if code == "field":
        return text("no field {field}", field=field)
    if state.tops[field - 1] in (WHITE, BLACK):
        return text("not yours")
    if rules.movable_piece_count(state, field):
        return text("nobody's")
    return text("{field} is empty", field=field)
