"""Entering a move of 27: a field, then the number of pieces; picked with left/right (field) and up/down (number)."""

from __future__ import annotations

from typing import NamedTuple

from companion.games.api import entry
from companion.games.api.entry import Draft
from companion.games.api.text import text
from companion.games.twenty_seven import rules
from companion.games.twenty_seven.rules import RULES, Move, State
from companion.games.twenty_seven.words import Marks, Words

pass


class Pick(NamedTuple):
    """The picker: a field, from 1, and how many pieces to move, from 1."""

    field: int
    pieces: int


class Entry(Words, entry.Entry):
    """Entering a move of 27; a pick is a `Pick`."""

    def typed(self, state: State, keys: str) -> Draft | None:
        """The first digit is the field, the rest the number of pieces: ``32`` is ``3x2``. Letters mean nothing here."""
        if not keys.isdigit() or len(keys) > 3 or (keys[1:2] == "0" and len(keys) > 2):
            return None
        if len(keys) > 1:
            there = 1 <= int(keys[0]) <= len(state.piles)  # Otherwise the next digit replaces it.
            return _judged(state, int(keys[0]), int(keys[1:])) if there else None
        field = int(keys)
        one = _judged(state, field, 1)
        if one.verdict == "no":  # The rules refuse the field for any number of pieces, and OK shows why.
            return one._replace(text=f"{field}×", marks=Marks(field))
        most = rules.movable(state, field)
        if most == 1:
            return one
        target = rules.target(state, state.to_move or 1, field)
        says = text("{field} → {target}: how many? 1-{most}", field=field, target=target, most=most)
        return Draft(f"{field}×_", None, "more", "", says, Marks(field, target=target))

    def pick(self, state: State) -> Pick:
        """One piece of an own stack that can move.

        Of these stacks it is the middle one, so that none of them is far away.
        """
        fields = [field for field in _walk(state) if not RULES.refusal(state, Move(field, 1))] or [1]
        return Pick(fields[len(fields) // 2], 1)

    def first_pick(self, state: State, arrow: str) -> Pick:
        """Down begins with the whole stack, as it does from one piece."""
        pick = self.pick(state)
        return self.pick_changed(state, pick, arrow) if arrow == "down" else pick

    def pick_changed(self, state: State, pick: Pick, arrow: str) -> Pick:
        """Left and right change the field (see `_fields_to_pick`), up and down the number of pieces.

        Up stops at the whole stack; down from one piece leads to it.
        """
        if arrow in ("up", "down"):
            most = max(1, rules.movable(state, pick.field))
            return pick._replace(pieces=min(pick.pieces + 1, most) if arrow == "up" else pick.pieces - 1 or most)
        fields = _walk(state)
        here = fields.index(pick.field) if pick.field in fields else 0
        return Pick(fields[(here + (1 if arrow == "right" else -1)) % len(fields)], 1)

    def picked(self, state: State, pick: Pick) -> Draft:
        return _judged(state, pick.field, pick.pieces)


ENTRY = Entry()


def _walk(state: State) -> list[int]:
    """The fields that the picker moves over: those with a piece that can move, whoever owns it."""
    return [field for field in range(1, len(state.piles) + 1) if rules.movable(state, field)] or [1]


def _judged(state: State, field: int, count: int) -> Draft:
    event, entered = f"{field}x{count}", f"{field}×{count}"
    if refused := RULES.refusal(state, Move(field, count)):
        says = refused.against
        if refused.code == "overshoot":
            says = text("{way} is past the end", way=refused.values["way"])
        return Draft(entered, event, "no", "", says, Marks(field, count))
    target = rules.target(state, state.to_move or 1, field)
    says = text("take {pieces}: field {field} → {target}", pieces=count, field=field, target=target)
    return Draft(entered, event, "ok", f"{field} → {target}", says, Marks(field, count, target, legal=True))
