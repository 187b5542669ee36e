"""Entering a move of 27: a field, then the number of pieces; picked with left/right (field) and up/down (number)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.game import Refused, entry
from companion.game.entry import Draft
from companion.game.text import Text, counted, text
from companion.game.words import MoveWords
from companion.games.twenty_seven import rules
from companion.games.twenty_seven.rules import BLACK, RULES, WHITE, Move, State

if TYPE_CHECKING:
    from collections.abc import Sequence


class Marks(NamedTuple):
    """What the picture marks.

    Attributes:
        field: the field that the move starts from, from 1.
        pieces: how many pieces are taken, 0 while that is not entered.
        target: the field that they move to, 0 for none.
        legal: whether they may; then they are drawn there.
    """

    field: int
    pieces: int = 0
    target: int = 0
    legal: bool = False

    @property
    def lifted(self) -> int:
        """How many pieces are drawn where they go to."""
        return self.pieces if self.legal else 0


class Pick(NamedTuple):
    """The picker: a field, from 1, and how many pieces to move, from 1."""

    field: int
    pieces: int


class Entry(entry.Entry):
    """Entering a move of 27; a pick is a field and a number of pieces."""

    def typed(self, state: State, keys: str) -> Draft | None:
        """The first digit is the field, the rest the number of pieces: ``32`` is ``3x2``; letters mean nothing here."""
        if not keys.isdigit() or len(keys) > 3 or (keys[1:2] == "0" and len(keys) > 2):
            return None
        if len(keys) > 1:
            there = 1 <= int(keys[0]) <= len(state.piles)  # Else the next digit takes its place.
            return _judged(state, int(keys[0]), int(keys[1:])) if there else None
        field = int(keys)
        one = _judged(state, field, 1)
        if one.verdict == "no":  # However many pieces, the rules refuse the field, and OK tells why.
            return one._replace(text=f"{field}×", marks=Marks(field))
        most = rules.movable(state, field)
        if most == 1:
            return one
        values = {"field": field, "target": _target(state, field), "most": most}
        says = text("{field} → {target}: how many? 1-{most}", **values)
        return Draft(f"{field}×_", None, "more", "", says, Marks(field, target=_target(state, field)))

    def pick(self, state: State) -> Pick:
        """One piece of an own pile that can move, the middle one of these: so none of them is far."""
        fields = [field for field in _walk(state) if _why_not(state, field) is None] or [1]
        return Pick(fields[len(fields) // 2], 1)

    def first_pick(self, state: State, arrow: str) -> Pick:
        """The first pick; down begins with the whole pile, as it does from one piece."""
        pick = self.pick(state)
        return self.pick_changed(state, pick, arrow) if arrow == "down" else pick

    def pick_changed(self, state: State, pick: Pick, arrow: str) -> Pick:
        """Left and right change the field (see `_walk`), up and down the number of pieces.

        Up ends with the whole pile; down from one piece leads to it.
        """
        if arrow in ("up", "down"):
            most = max(1, rules.movable(state, pick.field))
            return pick._replace(pieces=min(pick.pieces + 1, most) if arrow == "up" else pick.pieces - 1 or most)
        fields = _walk(state)
        here = fields.index(pick.field) if pick.field in fields else 0
        return Pick(fields[(here + (1 if arrow == "right" else -1)) % len(fields)], 1)

    def picked(self, state: State, pick: Pick) -> Draft:
        """The draft of a pick."""
        return _judged(state, pick.field, pick.pieces)

    def move_words(
        self, before: State, seat: int, move: Move, names: Sequence[str] = (), *, again: bool = False
    ) -> MoveWords:
        """``2 from 3 to 5``; a move to the goal tells its height, one that removes a field how many are left.

        Where the row closes up the last line tells the target's new number, or which field has gone.
        """
        ahead = rules.steps(before, seat)
        target = move.field + (ahead if seat == 1 else -ahead)
        moved = counted(move.pieces, "{number} piece", "{number} pieces")
        short = text("{pieces} from {field} to {target}", pieces=move.pieces, field=move.field, target=target)
        plays = text("Move {pieces}: {field} → {target}", pieces=move.pieces, field=move.field, target=target)
        if target == (len(before.piles) if seat == 1 else 1):
            height = rules.heights(before)[seat - 1] + move.pieces
            said = text(
                "moved {pieces} from field {field} to {target}, the goal: {height} there",
                pieces=moved, field=move.field, target=target, height=height,
            )  # fmt: skip
        else:
            said = text("moved {pieces} from field {field} to {target}", pieces=moved, field=move.field, target=target)
        if move.pieces < len(before.piles[move.field - 1]):
            return MoveWords(short, "", said, str(move), plays=plays)
        fields = len(before.piles) - 1
        said = text("{moved}; {fields} fields are left", moved=said, fields=fields)
        brief = text("{field}→{target}, empty {field} goes", field=move.field, target=target)
        if seat == 1:  # The fields behind the one that has gone have moved up, the target too.
            brief = text("{field} empty, {target} is now {now}", field=move.field, target=target, now=target - 1)
        return MoveWords(short, brief, said, str(move), plays=plays)

    def stray(self, state: State, keys: str, key: str) -> str:
        """Why `key` means nothing after `keys`: it is a letter."""
        return text("{key} is no number" if keys else "{key} is no field", key=key)

    def missing(self, state: State, keys: str) -> str:
        """The number of pieces, since a field alone is a move only where a single piece can move."""
        return text("not yet: how many? 1-{most}", most=rules.movable(state, int(keys)))

    def skipped_because(self, state: State, seat: int) -> str:
        """No pile of its own, or none that is far enough from its end."""
        ahead = rules.steps(state, seat)
        if not ahead:
            return text("no disc on top")
        goal = len(state.piles) if seat == 1 else 1
        if all(field == goal for field, top in enumerate(state.tops, 1) if top == seat):
            return text("only at its far end")
        return counted(ahead, "{number} step too far", "{number} steps too far")

    def place(self, view: State, event: str) -> Marks:
        """Its field."""
        return Marks(RULES.read(event).field)

    def how_to_enter(self, view: State, buttons: bool = False) -> str:
        """The field, then the number of pieces; left and right choose the field, up and down the number."""
        return text("◂▸ field   ▴▾ pieces" if buttons else "field, pieces, #")

    def suggestion(self, state: State) -> str:
        """One legal move in words."""
        move = RULES.find(state)
        if move is None:
            return ""
        return text("Field {field}: move {pieces}.", field=move.field, pieces=pieces(state, move.pieces))

    def result_counts(self, state: State, scores: tuple[int, ...]) -> tuple[int, ...]:
        """The heights of the goals, by seat."""
        return rules.heights(state)

    def keys(self, event: str) -> str:
        """The digits of the field and the number of pieces: ``32`` for ``3x2``."""
        return event.replace("x", "")

    def charted(self, state: State) -> list[tuple[int, int]]:
        """For each pile how many pieces can move, and the seat whose disc is on top (0 for none).

        There are fewer piles than at the start if fields were removed.
        """
        return [
            (rules.movable(state, field), pile[-1] if pile[-1] in (WHITE, BLACK) else 0)
            for field, pile in enumerate(state.piles, 1)
        ]


ENTRY = Entry()


def _walk(state: State) -> list[int]:
    """The fields that the picker walks over: those with a piece that can move, whosever it is."""
    return [field for field in range(1, len(state.piles) + 1) if rules.movable(state, field)] or [1]


def _why_not(state: State, field: int) -> str | None:
    """The code by which moving a field's top piece is refused, None if it is legal."""
    try:
        RULES.play(state, RULES.turn(state) or 1, Move(field, 1))
    except Refused as refused:
        return refused.code
    return None


def _judged(state: State, field: int, count: int) -> Draft:
    event, entered = f"{field}x{count}", f"{field}×{count}"
    target = _target(state, field)
    try:
        RULES.play(state, RULES.turn(state) or 1, Move(field, count))
    except Refused as refused:
        says = refused.against
        if refused.code == "overshoot":
            says = text("{way} is past the end", way=refused.values["way"])
        return Draft(entered, event, "no", "", says, Marks(field, count))
    says = text("take {pieces}: field {field} → {target}", pieces=count, field=field, target=target)
    return Draft(entered, event, "ok", f"{field} → {target}", says, Marks(field, count, target, legal=True))


def _target(state: State, field: int) -> int:
    seat = RULES.turn(state) or 1
    ahead = rules.steps(state, seat)
    return field + (ahead if seat == 1 else -ahead)


def pieces(state: State, count: int) -> Text:
    """A number of pieces that move, in words; in the variants where field pieces move too they are not only discs."""
    if len(state.fixed) == 2:
        return counted(count, "{number} disc", "{number} discs")
    return counted(count, "{number} piece", "{number} pieces")
