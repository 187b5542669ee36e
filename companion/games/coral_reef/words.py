"""What Coral Reef says besides its rules: drafts and hints in words, and what a round counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.entry import SILENT
from companion.games.coral_reef import drafts, rules
from companion.games.coral_reef.drafts import piece, ranks, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

KEYS = dict(zip("1234567890BCD", "A23456789TJQK", strict=True)) | {"A": "A"}
"""Key → coral."""


def is_open(state: rules.State) -> bool:
    """Whether the hand to move is open, which everybody knows."""
    return state.seat is not None and state.hands[state.seat - 1] is not None


def reveals(event: str) -> str:
    """A draw, whoever made it."""
    return "a coral" if event.startswith("draw") else ""


def claimed(event: str) -> str:
    """A seat that cannot move draws, and passes where it still cannot."""
    return "drew" if event.startswith("draw") else "passed" if event == "pass" else ""


def cannot(state: rules.State, buttons: bool = False) -> str:
    """A sealed hand draws, then passes; an open one is told by `forced` when it must draw."""
    if state.seat is None or is_open(state):
        return ""
    does = "draw" if state.pile and not state.drew else "pass"
    if buttons:
        return f"no move? pick {does}"
    return f"no move? 0 # {'draws' if does == 'draw' else 'passes'}"


def arrows(view: rules.State) -> str:
    """Stacks across, corals up and down."""
    return "◂▸ stack   ▴▾ coral"


def forced(state: rules.State) -> bool:
    """Whether an open hand has no valid move and must draw; the panel says so."""
    return is_open(state) and rules.find(state) is None


def stray(state: rules.State, keys: str, key: str) -> str:
    """A letter is no stack, some letters are no tiles, who has a move draws nothing, and an entry may be complete."""
    if not keys:
        return f"{key} is no stack"
    if keys[0] == "0" and is_open(state) and not forced(state):
        return "you cannot draw"
    if keys[0] == "0" and len(keys) == 1 and is_open(state):
        return "tiles are 0 to 9"
    if keys[0] in "12345678" and KEYS[key] not in ranks(state.form):
        return f"{key} is no tile"
    return "now press #" if _stands(state, keys) else "erase with *"


def _stands(state: rules.State, keys: str) -> bool:
    """Whether `#` is taken after keys of which no more can follow."""
    corals = "".join(KEYS[key] for key in keys[1:])
    if keys[0] == "9":
        return drafts.seed(state).verdict == "ok"
    if keys[0] == "0":
        return not corals or drafts.drawn(state, corals).verdict == "ok"
    return bool(corals) and drafts.play(state, int(keys[0]), corals).verdict == "ok"


def stray_piece(keys: str, kind: str, options: Mapping[str, str]) -> str:
    """Only among tiles is there a key without a coral."""
    return "tiles are 0 to 9"


def turn_over(before: rules.State, after: rules.State) -> str:
    """Why a turn ended by itself, to follow its player's name: an open hand drew a coral that did not help."""
    if before.seat is None or not is_open(before) or after.seat == before.seat:
        return ""
    return "drew, still no move: turn over" if after.pile < before.pile else ""


def blocked(state: rules.State) -> str:
    """Why the round ended without a winning coral, "" where it did not."""
    if state.seat is not None or not all(state.sizes):
        return ""
    return "nobody can move or draw any more"


def could(example: str, options: Mapping[str, str]) -> str:
    """What a false claim left undone, to follow "could have": ``played 2:54``."""
    move = rules.read(example)
    if move.kind == "seed":
        return "seeded a nine"
    return f"played {move.stack}:{shown(move.corals, options.get('form', 'cards'))}"


def hint(state: rules.State) -> str:
    """A stack that something in an open hand fits; which corals is left to their owner."""
    move = rules.find(state) if is_open(state) else None
    if move is None:
        return f"Nothing fits: draw a {piece(state.form)}." if forced(state) else ""
    if move.kind == "seed":
        return "You can move."  # To say that no stack fits would name the nine.
    return f"Something in the hand fits stack {move.stack}."


def own(view: rules.State, seat: int) -> str:
    """The hand from ace to king, blanks between."""
    corals = view.holdings[seat - 1].pieces or ()
    return " ".join(shown(coral, view.form) for coral in corals)


def counted(state: rules.State, scores: tuple[int, ...]) -> tuple[int, ...]:
    """The corals left in the hands."""
    return state.sizes


def gain(event: str, seat: int, before: tuple[int, ...], after: tuple[int, ...]) -> int:
    """The corals of a play; a seed is one."""
    return len(event.partition(":")[2]) or int(event == "seed")


# What this game has not got.
lines, piles, printed, sheet, table = SILENT.lines, SILENT.piles, SILENT.printed, SILENT.sheet, SILENT.table
keys, written = SILENT.keys, SILENT.written
