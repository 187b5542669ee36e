"""The texts and numbers of Coral Reef besides its rules (`companion.game.entry.Words`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.entry import SILENT
from companion.games.coral_reef import drafts, rules
from companion.games.coral_reef.drafts import piece, ranks, shown
from companion.games.coral_reef.sums import UNITS, can_move, count

if TYPE_CHECKING:
    from collections.abc import Mapping

KEYS = dict(zip("1234567890BCD", "A23456789TJQK", strict=True)) | {"A": "A"}
"""Key → coral."""


def is_open(state: rules.State) -> bool:
    """Whether the hand to move is open; that is public knowledge."""
    return state.seat is not None and state.hands[state.seat - 1] is not None


def reveals(event: str) -> str:
    """``a coral`` for a draw, since its player has seen it; "" for other events."""
    return "a coral" if event.startswith("draw") else ""


def claimed(event: str) -> str:
    """``drew`` or ``passed``, both of which claim that no play or seed is possible; "" for other events."""
    return "drew" if event.startswith("draw") else "passed" if event == "pass" else ""


def cannot(state: rules.State, buttons: bool = False) -> str:
    """How a sealed hand enters a draw, or a pass once it has drawn; "" for an open hand (see `forced`)."""
    if state.seat is None or is_open(state):
        return ""
    does = "draw" if state.pile and not state.drew else "pass"
    if buttons:
        return f"no move? pick {does}"
    return f"no move? 0 # {'draws' if does == 'draw' else 'passes'}"


def arrows(view: rules.State) -> str:
    """Left and right choose the stack, up and down the coral."""
    return "◂▸ stack   ▴▾ coral"


def forced(state: rules.State) -> bool:
    """Whether the hand to move is open, has no valid move and so must draw; the panel says so."""
    return is_open(state) and rules.find(state) is None


def stray(state: rules.State, keys: str, key: str) -> str:
    """Why `key` means nothing after `keys`.

    A letter is no stack, a face card is no tile, a hand with a valid move does not draw, or the entry is complete.
    """
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
    """Whether ``#`` plays the move of `keys`, a complete entry."""
    corals = "".join(KEYS[key] for key in keys[1:])
    if keys[0] == "9":
        return drafts.seed(state).verdict == "ok"
    if keys[0] == "0":
        return not corals or drafts.drawn(state, corals).verdict == "ok"
    return bool(corals) and drafts.play(state, int(keys[0]), corals).verdict == "ok"


def stray_piece(keys: str, kind: str, options: Mapping[str, str]) -> str:
    """The only keys without a coral are those of face cards, with tiles."""
    return "tiles are 0 to 9"


def turn_over(before: rules.State, after: rules.State) -> str:
    """Why a turn ended by itself, after the player's name: an open hand drew and has no move; "" if it did not."""
    if before.seat is None or not is_open(before) or after.seat == before.seat:
        return ""
    return "drew, still no move: turn over" if after.pile < before.pile else ""


def blocked(state: rules.State) -> str:
    """Why the round ended while both hands have corals; "" if it did not."""
    if state.seat is not None or not all(state.sizes):
        return ""
    return "nobody can move or draw any more"


def could(example: str, options: Mapping[str, str]) -> str:
    """What was possible instead of a false claim, after "could have": ``played 2:54``."""
    move = rules.read(example)
    if move.kind == "seed":
        return "seeded a nine"
    return f"played {move.stack}:{shown(move.corals, options.get('form', 'cards'))}"


def hint(state: rules.State) -> str:
    """A stack that some corals of an open hand fit, without naming them; for a sealed hand what everybody can see."""
    if state.seat is not None and not is_open(state):
        return _wanted(state)
    move = rules.find(state) if is_open(state) else None
    if move is None:
        return f"Nothing fits: draw a {piece(state.form)}." if forced(state) else ""
    if move.kind == "seed":
        return "You can move."  # To say that no stack fits would name the nine.
    return f"Something in the hand fits stack {move.stack}."


def _wanted(state: rules.State) -> str:
    """The numbers that corals must add up to, and how many of the unseen ones can be played alone."""
    tops = sorted(set(state.tops))
    *some, last = map(str, tops)
    numbers = f"{', '.join(some)} or {last}" if some else last
    unseen = {coral: count(state.loose, coral) for coral in UNITS}
    alone = sum(copies for coral, copies in unseen.items() if can_move(UNITS[coral], state.tops))
    total = f"What you place must add up to {numbers}." if len(tops) < 5 else ""
    return f"{total} {alone} of the {sum(unseen.values())} unseen can be played alone.".strip()


def own(view: rules.State, seat: int) -> str:
    """The corals of a hand from ace to king, separated by blanks."""
    corals = view.holdings[seat - 1].pieces or ()
    return " ".join(shown(coral, view.form) for coral in corals)


def counted(state: rules.State, scores: tuple[int, ...]) -> tuple[int, ...]:
    """The number of corals left in each hand."""
    return state.sizes


def gain(event: str, seat: int, before: tuple[int, ...], after: tuple[int, ...]) -> int:
    """The number of corals placed: those of a play, 1 for a seed, else 0."""
    return len(event.partition(":")[2]) or int(event == "seed")


# Defaults that this game uses unchanged.
charted, lines, printed, sheet, table = SILENT.charted, SILENT.lines, SILENT.printed, SILENT.sheet, SILENT.table
keys, written = SILENT.keys, SILENT.written
