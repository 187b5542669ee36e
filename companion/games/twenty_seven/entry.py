"""Entering a move of 27: a field, then the number of pieces; picked with left/right (field) and up/down (number)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.game import Refused, entry
from companion.game.entry import Draft, MoveWords
from companion.game.text import Text, counted, text
from companion.games.twenty_seven import rules
from companion.games.twenty_seven.rules import BLACK, RULES, WHITE, Move, State

if TYPE_CHECKING:
    from collections.abc import Sequence


class Marks(NamedTuple):
    """What the picture marks.

    Attributes:
        field: the field that the move starts from, from 1.
        lifted: how many pieces are drawn lifted, 0 for none yet.
        target: the field that they move to, 0 for none.
    """

    field: int
    lifted: int = 0
    target: int = 0


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
            return _judged(state, int(keys[0]), int(keys[1:]))
        field = int(keys)
        if refused := _field_refused(state, field):
            # However many pieces, the rules refuse the field, and OK tells why.
            return Draft(f"{field}×", f"{field}x1", "no", refused.figure, refused.against, Marks(field))
        most = rules.movable(state, field)
        working = text("{steps} to field {target}", steps=_steps(state), target=_target(state, field))
        return Draft(f"{field}×_", None, "more", working, text("how many? 1-{most}", most=most), Marks(field))

    def pick(self, state: State) -> Pick:
        """The own pile of the lowest field that can move, with all its pieces, since that is the most common move."""
        move = RULES.find(state) or Move(1, 1)
        return Pick(move.field, max(1, rules.movable(state, move.field)))

    def pick_changed(self, state: State, pick: Pick, arrow: str) -> Pick:
        """Left and right change the field (see `_walk`), up and down the number of pieces; both wrap around."""
        if arrow in ("up", "down"):
            most = max(1, rules.movable(state, pick.field))
            return pick._replace(pieces=(pick.pieces - 1 + (1 if arrow == "up" else -1)) % most + 1)
        fields = _walk(state)
        here = fields.index(pick.field) if pick.field in fields else 0
        field = fields[(here + (1 if arrow == "right" else -1)) % len(fields)]
        return Pick(field, max(1, rules.movable(state, field)))

    def picked(self, state: State, pick: Pick) -> Draft:
        """The draft of a pick."""
        return _judged(state, pick.field, pick.pieces)

    def move_words(
        self, before: State, seat: int, move: Move, names: Sequence[str] = (), *, again: bool = False
    ) -> MoveWords:
        """``3x2 to 5``; a move to the goal tells its height, one that removes a field how many are left."""
        ahead = rules.steps(before, seat)
        target = move.field + (ahead if seat == 1 else -ahead)
        moved = counted(move.pieces, "{number} piece", "{number} pieces")
        short = text("{move} to {target}", move=str(move), target=target)
        if target == (len(before.piles) if seat == 1 else 1):
            height = rules.heights(before)[seat - 1] + move.pieces
            said = text(
                "moved {pieces} from field {field} to {target}, the goal: {height} there",
                pieces=moved, field=move.field, target=target, height=height,
            )  # fmt: skip
        else:
            said = text("moved {pieces} from field {field} to {target}", pieces=moved, field=move.field, target=target)
        if move.pieces < len(before.piles[move.field - 1]):
            return MoveWords(short, "", said, str(move))
        fields = len(before.piles) - 1
        brief = text("{move}, {fields} fields", move=short, fields=fields)
        return MoveWords(short, brief, text("{moved}; {fields} fields are left", moved=said, fields=fields), str(move))

    def stray(self, state: State, keys: str, key: str) -> str:
        """Why `key` means nothing after `keys`: it is a letter."""
        return text("{key} is no number" if keys else "{key} is no field", key=key)

    def arrows(self, view: State) -> str:
        """Left and right choose the pile, up and down the number of pieces."""
        return text("◂▸ pile   ▴▾ discs" if len(view.fixed) == 2 else "◂▸ pile   ▴▾ pieces")

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
    """The fields in the picker's order: own piles that can move, own piles that would pass the end, other piles.

    Fields without a piece that can move are left out.
    """
    rank = {None: 0, "overshoot": 1}
    piles = [field for field in range(1, len(state.piles) + 1) if rules.movable(state, field)] or [1]
    return sorted(piles, key=lambda field: (rank.get(_why_not(state, field), 2), field))


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
    on_line = target if 1 <= target <= len(state.piles) else 0
    seat = RULES.turn(state) or 1
    try:
        RULES.play(state, seat, Move(field, count))
    except Refused as refused:
        lifted = min(count, rules.movable(state, field)) if 1 <= field <= len(state.piles) else 0
        marks = Marks(field, lifted if refused.code == "overshoot" else 0)
        if refused.code == "overshoot":
            return Draft(entered, event, "no", "→×", text("{way} is past the end", way=refused.values["way"]), marks)
        return Draft(entered, event, "no", "", refused.against, marks)
    says = text("{steps}: {pieces} onto {target}", steps=_steps(state), pieces=count, target=target)
    return Draft(entered, event, "ok", f"→{target}", says, Marks(field, count, on_line))


def _field_refused(state: State, field: int) -> Refused | None:
    """The refusal of every move from the field, whatever the number of pieces; None if there is none."""
    try:
        RULES.play(state, RULES.turn(state) or 1, Move(field, 0))
    except Refused as refused:
        return refused if refused.code in ("field", "not-yours") else None
    return None


def _target(state: State, field: int) -> int:
    seat: Any = RULES.turn(state) or 1
    ahead = rules.steps(state, seat)
    return field + (ahead if seat == 1 else -ahead)


def _steps(state: State) -> Text:
    return counted(rules.steps(state, RULES.turn(state) or 1), "{number} step", "{number} steps")


def pieces(state: State, count: int) -> Text:
    """A number of pieces that move, in words; in the variants where field pieces move too they are not only discs."""
    if len(state.fixed) == 2:
        return counted(count, "{number} disc", "{number} discs")
    return counted(count, "{number} piece", "{number} pieces")
