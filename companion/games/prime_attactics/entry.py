"""Entering a move of Prime Attactics: a sign, a number, then an optional double; a leading `0` is for the other score.

Drafts hold tiles in written form (``+5``, ``D-``); `printed_signs` converts them to the signs printed on the tiles.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from companion.games.api import Refused
from companion.games.api.entry import Draft, Due
from companion.games.api.text import plural_text, text
from companion.games.prime_attactics import rules
from companion.games.prime_attactics.pick import (
    AT_OTHER,
    SIGN_OF,
    TYPED,
    Marks,
    Pick,
    Picker,
    begun_by,
    claimable,
    face_up,
    row,
    second_tiles,
    shown,
    without_replaced,
)
from companion.games.prime_attactics.rules import RULES
from companion.games.prime_attactics.state import State
from companion.games.prime_attactics.tiles import SETS, Play, tile_text
from companion.games.prime_attactics.words import NO_DOUBLE, NO_SLAM, Words

_KEYS = str.maketrans({"@": "0", "D": "0"} | {sign: letter for letter, sign in SIGN_OF.items()})

_PIECE = re.compile(r"(?:[A-C][0-9]|D[1-9])|([A-D])")

_SHORT = {
    "level": text("no such tile"),
    "held": text("don't have it"),
    "supply": text("none left"),
    "double-black": text("no black D"),
    "slam-level": text("easy: no slam"),
    "slam-target": text("other's only"),
    "slam-once": text("slam is used"),
    "slam-early": text("from turn 7"),
    "negative": text("below 0"),
    "turn": text("draw first"),
}
"""Refusal code → the reason in about 12 characters, for which there is room beside the draft."""


class Entry(Words, Picker):
    """Entering a move of Prime Attactics."""

    def typed(self, state: State, keys: str) -> Draft | None:
        """``C70`` is ``x7D``, ``0D3`` is ``@/3``, ``0A2D3`` is ``@+2/3``; ``0`` alone also enters the pass."""
        found = TYPED.fullmatch(keys)
        if found is None or not keys:
            return None
        number, double, slam, divisor = found.groups()[2:]
        aimed, sign = begun_by(keys)
        if slam and (double or sign not in "+-"):
            return _no_slam(state, f"{sign}{number}{'D' if double else ''}", divisor) if aimed else None
        if not sign:
            return _aimed(state)
        if not number:
            return Draft(_text(aimed, f"{sign}_"), None, "more", "", _numbers(state, sign), Marks(aimed))
        tile = sign + number
        if slam and not divisor:
            return _slam_begun(state, aimed, tile)
        return _judged(state, aimed, tile, "D" if double else f"/{divisor}" if slam else "")

    def kept(self, state: State, keys: str) -> str:
        """Only the last sign and the last aim count."""
        return without_replaced(keys)

    def picked(self, state: State, pick: Pick) -> Draft:
        view = RULES.view(state, None)
        own_row, chosen = _walked(state, view, pick)
        marks = Marks(pick.aimed, row=own_row, chosen=chosen)
        if pick.tile == "pass" and pick.step != "sure" and claimable(state):
            return Draft("pass", working=text("no move"), marks=marks, goes_to=text("sure?"))
        if pick.tile == "pass":
            says = text("end the round") if state.missed else text("miss the turn")
            return Draft("pass", "pass", "ok", text("no move"), says, marks)
        if pick.step == "sign":
            begun = f"{pick.tile}_{'/_' if pick.then == '/' else pick.then}"
            return Draft(_text(pick.aimed, begun), marks=marks, goes_to=text("number"))
        if pick.then == "/":
            marks = marks._replace(used=(pick.tile,))
            return Draft(_text(pick.aimed, f"{pick.tile}/_"), says=text("slam dunk"), marks=marks, goes_to="÷")
        draft = _judged(view, pick.aimed, pick.tile, pick.then)
        usual = pick.aimed and pick.tile[0] in AT_OTHER
        if draft.verdict == "no" and not usual and _judged(view, not pick.aimed, pick.tile, pick.then).verdict == "ok":
            # OK shows the reason.
            draft = draft._replace(says=text("▴ your own?") if pick.aimed else text("▴ the other?"))
        elif draft.verdict == "ok" and face_up(view) and "/" in (pick.tile[0], pick.then[:1]):  # Only the owner knows.
            draft = draft._replace(says=text("if in rack"))
        return draft._replace(marks=draft.marks._replace(row=own_row, chosen=chosen))

    def crossed(self, draft: Draft, refused: Refused) -> Draft:
        return draft._replace(verdict="no", says=_short(refused))

    def due(self, state: State) -> Due | None:
        coloured, black = state.due
        if state.ended or not coloured + black:
            return None
        grid, says = "refill", text("{coloured} coloured, {black} black", coloured=coloured, black=black)
        if not black:
            grid, says = "deal", plural_text(coloured, "name {number} coloured tile", "name {number} coloured tiles")
        elif not coloured:
            grid, says = "rack", plural_text(black, "name {number} black tile", "name {number} black tiles")
        return Due("refill", coloured + black, says, grid)

    def pieces(self, keys: str, kind: str, options: Mapping[str, str]) -> tuple[tuple[str, ...], str] | None:
        """``A5`` is ``+5`` and ``A0`` is ``D+``. A rack has black tiles only, a display none, a refill both.

        For a rack the numbers alone are enough. A tile that no set of the level has is not accepted.
        """
        made = {tile for row in self.grid(kind, options) for tile in row}
        whole: list[str] = []
        rest = keys
        while rest:
            if kind == "rack" and rest[0] in "123456789":
                rest = f"D{rest}"
            found = _PIECE.match(rest)
            if found is None or (kind == "rack") > (rest[0] == "D") or (kind == "deal" and rest[0] == "D"):
                return None
            if found[1]:
                break
            sign = SIGN_OF[rest[0]]
            tile, rest = f"D{sign}" if rest[1] == "0" else sign + rest[1], rest[2:]
            if tile not in made:
                return None
            whole.append(tile)
        return (tuple(whole), rest) if len(rest) < 2 else None

    def grid(self, kind: str, options: Mapping[str, str]) -> Sequence[Sequence[str]]:
        tiles = [tile_text(tile) for tile in SETS[options.get("level", "full")]]
        signs = {"rack": "/", "deal": "+-x"}.get(kind, "+-x/")
        return [[tile for tile in tiles if sign in tile] for sign in signs]

    def spare(self, view: State, kind: str, seat: int) -> Mapping[str, int]:
        """How many copies of each tile of the seat's own set are neither played nor face up."""
        side = view.sides[seat - 1]
        return Counter(map(tile_text, side.coloured + side.black))

    def masked(self, kind: str, piece: str) -> bool:
        return piece.startswith("/")

    def stray(self, state: State, keys: str, key: str) -> str:
        return text("type A+ B- C× or D÷") if keys in ("", "0") else text("{key} is not a number", key=key)

    def missing(self, state: State, keys: str) -> str:
        sign = "/" if keys[-1] == "D" else begun_by(keys)[1]
        if not sign:
            return text("not yet: which sign?")
        return text("not yet: its number, {numbers}", numbers=_numbers(state, sign))

    def stray_piece(self, keys: str, kind: str, options: Mapping[str, str]) -> str:
        """After a sign, or for a rack, the numbers that the level has; otherwise the signs that may be typed."""
        sign = SIGN_OF[keys[-1]] if keys else "/" if kind == "rack" else ""
        numbers = [tile[1] for row in self.grid(kind, options) for tile in row if tile[0] == sign]
        if numbers:
            return text("its number: {least} to {most}", least=numbers[0], most=numbers[-1])
        return text("type A+ B- or C×") if kind == "deal" else text("type A+ B- C× or D÷")

    def begun(self, keys: str) -> str:
        return shown(SIGN_OF.get(keys, keys))

    def keys(self, event: str) -> str:
        """``@/3`` is ``0D3``, ``x7D`` is ``C70``; "" for a refill, which is typed tile by tile."""
        return "0" if event == "pass" else "" if event.startswith("refill") else event.translate(_KEYS)


ENTRY = Entry()


def _walked(state: State, view: State, pick: Pick) -> tuple[tuple[str, ...], int]:
    """The picker's choices that are not on the open display, as printed, and the index of the chosen one.

    Returns ``((), 0)`` while the chosen tile is on the open display.
    """
    choices, chosen = row(state, pick)
    open_tiles = face_up(view)
    if pick.step == "tile":
        if choices[chosen] in open_tiles:
            return (), 0
        choices = tuple(tile for tile in choices if tile not in open_tiles)
        chosen = choices.index(pick.tile)
    return tuple(map(shown, choices)), chosen


def _text(aimed: bool, written: str) -> str:
    return shown(("@" if aimed else "") + written)


def _numbers(state: State, sign: str) -> str:
    """The range of numbers on the tiles of a sign: ``2-7``."""
    numbers = [tile[1] for tile in map(tile_text, SETS[state.level]) if tile[0] == sign]
    return f"{min(numbers)}-{max(numbers)}"


def _aimed(state: State) -> Draft:
    """The draft for ``0`` alone: the start of a play on the other score, or with # a pass.

    The draft does not say whether the pass would be accepted, since that depends on hidden tiles.
    """
    says = text("now the sign")
    if claimable(state):
        says = text("# ends round") if state.missed else text("sign, # passes")
    return Draft("→_", None, "more", "", says, Marks(True), "pass")


def _slam_begun(state: State, aimed: bool, tile: str) -> Draft:
    """The draft of a slam dunk without its ÷; it is refused at once where no slam dunk may be made."""
    entered, numbers = _text(aimed, f"{tile}/_"), _numbers(state, "/")
    begun = Draft(entered, working=text("slam dunk"), says=numbers, marks=Marks(aimed, (tile,)))
    event = f"{'@' if aimed else ''}{tile}/{numbers[0]}"
    move = RULES.read(event)
    assert isinstance(move, Play), "what begins with a tile is a play"
    try:
        rules.check_slam(state, move)
    except Refused as refused:
        meant = text("double? type 0") if "D" in second_tiles(state, tile[0]) else begun.working
        return begun._replace(event=event, verdict="no", working=meant, says=_short(refused))
    return begun


def _no_slam(state: State, played: str, divisor: str) -> Draft:
    """The draft of a ÷ after something that no slam dunk begins with.

    A player who types D alone may mean a double, which is typed as 0.
    """
    says = text("no double") if played.endswith("D") else NO_SLAM
    if says == NO_SLAM and not (divisor or rules.may_slam(state)) and "D" in second_tiles(state, played[0]):
        says = NO_DOUBLE
    entered = _text(True, f"{played}/{divisor or '_'}")
    return Draft(entered, None, "no", text("slam dunk"), says, Marks(True), attempt=f"@{played}/{divisor or 1}")


def _judged(state: State, aimed: bool, tile: str, then: str) -> Draft:
    event = f"{'@' if aimed else ''}{tile}{then}"
    entered = _text(aimed, tile + then)
    used = (tile, f"D{tile[0]}") if then == "D" else (tile, then) if then else (tile,)
    move = RULES.read(event)
    assert isinstance(move, Play), "what begins with a tile is a play"
    if refused := RULES.refusal(state, move):
        figure = shown(refused.figure)
        working = "" if figure in entered else figure
        return Draft(entered, event, "no", working, _short(refused), Marks(aimed, used))
    sum_, score = rules.working(state, state.to_move, move)
    says = f"{shown(sum_)} = {score}"
    if not score:
        says = text("= 0, you win") if aimed else text("= 0, you lose")
    return Draft(entered, event, "ok", shown(sum_), says, Marks(aimed, used, score))


def _short(refused: Refused) -> str:
    if refused.code == "negative" and refused.against == "below 1":
        return text("below 1")
    return _SHORT.get(refused.code, refused.against)
