"""Entering a move of 27: a field, then the number of pieces; picked with left/right (field) and up/down (number)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.game import Refused
from companion.game.entry import SILENT, Draft, Due
from companion.games.twenty_seven import rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


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


def typed(state: rules.State, keys: str) -> Draft | None:
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
    return Draft(f"{field}×_", None, "more", f"{_steps(state)} to field {_target(state, field)}", f"how many? 1-{most}",
                 Marks(field))  # fmt: skip


def pick(state: rules.State) -> Pick:
    """The own pile of the lowest field that can move, with all its pieces, since that is the most common move."""
    move = rules.find(state) or rules.Move(1, 1)
    return Pick(move.field, max(1, rules.movable(state, move.field)))


def moved(state: rules.State, pick: Pick, arrow: str) -> Pick:
    """Left and right change the field (see `_walk`), up and down the number of pieces; both wrap around."""
    if arrow in ("up", "down"):
        most = max(1, rules.movable(state, pick.field))
        return pick._replace(pieces=(pick.pieces - 1 + (1 if arrow == "up" else -1)) % most + 1)
    fields = _walk(state)
    here = fields.index(pick.field) if pick.field in fields else 0
    field = fields[(here + (1 if arrow == "right" else -1)) % len(fields)]
    return Pick(field, max(1, rules.movable(state, field)))


def _walk(state: rules.State) -> list[int]:
    """The fields in the picker's order: own piles that can move, own piles that would pass the end, other piles.

    Fields without a piece that can move are left out.
    """
    rank = {None: 0, "overshoot": 1}
    piles = [field for field in range(1, len(state.piles) + 1) if rules.movable(state, field)] or [1]
    return sorted(piles, key=lambda field: (rank.get(_why_not(state, field), 2), field))


def _why_not(state: rules.State, field: int) -> str | None:
    """The code by which moving a field's top piece is refused, None if it is legal."""
    try:
        rules.play(state, rules.turn(state) or 1, rules.Move(field, 1))
    except Refused as refused:
        return refused.code
    return None


def entered(state: rules.State, pick: Pick) -> Pick | None:
    """Always None, so that OK plays: a pick always has a field and a number."""
    return None


def erased(state: rules.State, pick: Pick) -> Pick | None:
    """Always None, so that BACK leaves the pick: it has only one step."""
    return None


def picked(state: rules.State, pick: Pick) -> Draft:
    """The draft of a pick."""
    return _judged(state, pick.field, pick.pieces)


def due(state: rules.State) -> Due | None:
    """Nothing is ever drawn in 27."""
    return None


def pieces(keys: str, kind: str, options: Mapping[str, str]) -> tuple[tuple[str, ...], str] | None:
    """Nothing is ever dealt in 27."""
    return None


def grid(kind: str, options: Mapping[str, str]) -> Sequence[Sequence[str]]:
    """Nothing is ever dealt in 27."""
    return ()


def masked(kind: str, piece: str) -> bool:
    """Nothing is hidden in 27."""
    return False


def stray(state: rules.State, keys: str, key: str) -> str:
    """Why `key` means nothing after `keys`: it is a letter, or the number already has two digits."""
    if key.isdigit():
        return "now press #"
    return f"{key} is no number" if keys else f"{key} is no field"


def stray_piece(keys: str, kind: str, options: Mapping[str, str]) -> str:
    """Nothing is ever dealt in 27."""
    return ""


def arrows(view: rules.State) -> str:
    """Left and right choose the pile, up and down the number of pieces."""
    return f"◂▸ pile   ▴▾ {'discs' if len(view.fixed) == 2 else 'pieces'}"


def hint(state: rules.State) -> str:
    """One legal move in words."""
    move = rules.find(state)
    if move is None:
        return ""
    what = "disc" if len(state.fixed) == 2 else "piece"  # In the other variants field pieces move too.
    return f"Field {move.field}: move {move.pieces} {what}{'s' if move.pieces > 1 else ''}."


def counted(state: rules.State, scores: tuple[int, ...]) -> tuple[int, ...]:
    """The heights of the goals, by seat."""
    return rules.heights(state)


def keys(event: str) -> str:
    """The digits of the field and the number of pieces: ``32`` for ``3x2``."""
    return event.replace("x", "")


def charted(state: rules.State) -> list[tuple[int, int]]:
    """For each pile how many pieces can move, and the seat whose disc is on top (0 for none).

    There are fewer piles than at the start if fields were removed.
    """
    return [
        (rules.movable(state, field), pile[-1] if pile[-1] in (rules.WHITE, rules.BLACK) else 0)
        for field, pile in enumerate(state.piles, 1)
    ]


# Defaults that this game uses unchanged.
cannot, claimed, own, reveals = SILENT.cannot, SILENT.claimed, SILENT.own, SILENT.reveals
blocked, could, forced, turn_over = SILENT.blocked, SILENT.could, SILENT.forced, SILENT.turn_over
gain, held, lines, printed = SILENT.gain, SILENT.held, SILENT.lines, SILENT.printed
sheet = SILENT.sheet
spare, table, written = SILENT.spare, SILENT.table, SILENT.written


def _judged(state: rules.State, field: int, count: int) -> Draft:
    event = f"{field}x{count}"
    text = f"{field}×{count}"
    target = _target(state, field)
    on_line = target if 1 <= target <= len(state.piles) else 0
    seat = rules.turn(state) or 1
    try:
        rules.play(state, seat, rules.Move(field, count))
    except Refused as refused:
        lifted = min(count, rules.movable(state, field)) if 1 <= field <= len(state.piles) else 0
        marks = Marks(field, lifted if refused.code == "overshoot" else 0)
        if refused.code == "overshoot":
            return Draft(text, event, "no", "→×", f"{refused.figure[:3]} is past the end", marks)
        return Draft(text, event, "no", "", refused.against, marks)
    return Draft(text, event, "ok", f"→{target}", f"{_steps(state)}: {count} onto {target}",
                 Marks(field, count, on_line))  # fmt: skip


def _field_refused(state: rules.State, field: int) -> Refused | None:
    """The refusal of every move from the field, whatever the number of pieces; None if there is none."""
    try:
        rules.play(state, rules.turn(state) or 1, rules.Move(field, 0))
    except Refused as refused:
        return refused if refused.code in ("field", "not-yours") else None
    return None


def _target(state: rules.State, field: int) -> int:
    seat: Any = rules.turn(state) or 1
    ahead = rules.steps(state, seat)
    return field + (ahead if seat == 1 else -ahead)


def _steps(state: rules.State) -> str:
    count = rules.steps(state, rules.turn(state) or 1)
    return "1 step" if count == 1 else f"{count} steps"
