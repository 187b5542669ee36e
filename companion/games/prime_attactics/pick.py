"""The picker of Prime Attactics, and the keys that type a play.

| button | does |
| --- | --- |
| left, right | choose a tile |
| up | changes the score that the play is for |
| down | adds a second tile |
| OK | goes on, or plays |

With an open display the choices are its tiles, then the black tiles that may be in the rack. With a sealed display the
sign is picked first and then the number, as when typing. Everything here uses the public's view only, so that moving
over black tiles reveals nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from companion.games.api import Refused, entry
from companion.games.api.text import text
from companion.games.prime_attactics import rules
from companion.games.prime_attactics.rules import RULES
from companion.games.prime_attactics.state import Side, State
from companion.games.prime_attactics.tiles import SIGNS, Play, tile_text

SIGN_OF = {"A": "+", "B": "-", "C": "x", "D": "/"}
"""Letter of the keypad → the sign of a tile in written form."""
TYPED = re.compile(r"(0?)(?:([A-D][0A-D]{0,3})(?:([1-9])(0)?(?:(D)([1-9]?))?)?)?")
"""The key pattern of a play. Its groups, in order:

1. ``0`` for the other score;
2. the letter of the sign, after which a letter may replace it and 0 may change the score;
3. the number of the tile;
4. ``0`` for a double;
5. ``D`` for the ÷ of a slam dunk, which has no double;
6. the number of that ÷.
"""


def without_replaced(keys: str) -> str:
    """Typed keys with only the sign and the aim that count: ``0B`` for ``A0B``."""
    found = TYPED.fullmatch(keys)
    if not (found and found[2]):
        return keys
    aimed, _ = begun_by(keys)
    sign = found[2].replace("0", "")[-1]
    return f"{'0' if aimed else ''}{sign}{keys[found.end(2) :]}"


def begun_by(keys: str) -> tuple[bool, str]:
    """Whether typed keys are for the other score, and the sign of their first tile ("" if there is none yet)."""
    found = TYPED.fullmatch(keys)
    aim, letters = (found[1], found[2] or "") if found else ("", "")
    sign = next((SIGN_OF[letter] for letter in reversed(letters) if letter != "0"), "")
    return bool(aim) != bool(letters.count("0") % 2), sign


KEY_OF = {sign: letter for letter, sign in SIGN_OF.items()}
SIGN_KEYS = "A+ B- C× D÷"
"""The letters of a keypad and the signs that they stand for."""
LIKELY = "x+/-"
"""With a sealed display, the first of these signs that is available is offered first."""
AT_OTHER = "-/"
"""The signs that make a score smaller. Tiles with these are for the opponent's score until `up` is pressed."""


class Marks(NamedTuple):
    """What the screen highlights for a draft.

    Args:
        at_other_score: whether the play is for the opponent's score.
        used_tiles: the tiles that are played, in written form.
        score: the score that results; None for none.
        choices: the picker's choices that replace the display on the screen, as printed; () for none.
        chosen_index: the index of the chosen one among these.
    """

    aimed: bool = False
    used: tuple[str, ...] = ()
    score: int | None = None
    row: tuple[str, ...] = ()
    chosen: int = 0


class Pick(NamedTuple):
    """What is picked so far.

    Args:
        step: ``sign``; ``tile``; ``black`` for the second tile of a slam dunk; or ``sure``, which asks for OK again
            before a pass, since ``pass`` is beside tiles that are picked every turn.
        tile: a sign in the first step, later a tile in written form; or ``pass``.
        at_other_score: whether the play is for the opponent's score.
        second_tile: "" for none, ``D``, ``/``, or in the step ``black`` a black tile in written form.
        was_at_other_score: `at_other_score` before a slam dunk, which is always for the other score.
    """

    step: str
    tile: str
    aimed: bool = False
    then: str = ""
    meant: bool = False


def shown(written: str) -> str:
    """Written plays, tiles and sums with the signs that are printed on tiles: ``×7D``; ``→÷3`` for ``@/3``."""
    return written.replace("x", "×").replace("/", "÷").replace("@", "→")


def claimable(state: State) -> bool:
    """Whether a pass may be legal by public knowledge: some tiles are sealed, and no open tile can be played."""
    side = state.sides[state.to_move - 1]
    seals = any(held.pieces is None and held.size for held in (side.display, side.rack))
    return seals and not state.ended and RULES.find(RULES.view(state, None)) is None


def face_up(view: State) -> tuple[str, ...]:
    """The different tiles on the open display of the seat to move, in written form; () for a sealed display."""
    return _written(view.sides[view.to_move - 1].display.pieces or ())


def row(state: State, pick: Pick) -> tuple[tuple[str, ...], int]:
    """The choices of left and right at the step of `pick`, and the index of the current one."""
    if pick.step == "sure":
        return ("pass",), 0
    side, flat = _mover(state), _is_flat(state)
    if pick.step == "black":
        choices, now = _blacks(side), pick.then
    else:
        tiles = (*(tile for tile in _display(side) if tile[0] != "D"), *_blacks(side))
        if pick.step == "sign":
            tiles = tuple(sign for sign in SIGNS if any(tile[0] == sign for tile in tiles))
        elif not flat:
            tiles = tuple(tile for tile in tiles if tile[0] == pick.tile[0])
        claim = ("pass",) if claimable(state) and (pick.step == "sign" or flat) else ()
        choices, now = tiles + claim or ("pass",), pick.tile
    return choices, choices.index(now) if now in choices else 0


class Picker(entry.Entry):
    """How a play is picked with six buttons; a pick is a `Pick`."""

    def pick(self, state: State) -> Pick:
        """The best play of the display; with a sealed display the sign that usually raises a score most."""
        if not _is_flat(state):
            signs, _ = row(state, Pick("sign", ""))
            return _on("sign", next((sign for sign in LIKELY if sign in signs), signs[0]))
        view = RULES.view(state, None)
        if play := best(view):
            return Pick("tile", tile_text(play.tile), play.aimed)
        tiles, _ = row(state, Pick("tile", ""))
        return _on("tile", _fitting(view, tiles) or tiles[-1])

    def first_pick(self, state: State, arrow: str) -> Pick:
        """Up and down change the initial pick at once; left leads to the pass where the panel says so."""
        pick = self.pick(state)
        if arrow == "left" and claimable(state):
            return _on(pick.step, "pass")
        return self.pick_changed(state, pick, arrow) if arrow in ("up", "down") else pick

    def pick_changed(self, state: State, pick: Pick, arrow: str) -> Pick:
        if arrow in ("left", "right"):
            choices, index = row(state, pick)
            chosen = choices[(index + (1 if arrow == "right" else -1)) % len(choices)]
            if pick.step == "black":
                return pick._replace(then=chosen)
            if chosen[0] == pick.tile[0]:
                return pick._replace(tile=chosen)
            return _on(pick.step, chosen)
        if pick.tile == "pass":
            return pick
        if arrow == "up":
            return pick._replace(aimed=not pick.aimed)
        if pick.step == "black":
            return pick
        may_add = second_tiles(state, pick.tile[0])
        then = may_add[(may_add.index(pick.then) + 1) % len(may_add)]
        if then == "/":
            return pick._replace(then=then, aimed=True, meant=pick.aimed)
        return pick._replace(then=then, aimed=pick.meant if pick.then == "/" else pick.aimed)

    def nowhere(self, state: State, pick: Pick | None, arrow: str) -> str:
        """Down: no double can be added to a tile of that sign, and none to a slam dunk."""
        if pick is not None and pick.tile == "pass":
            return ""  # Beside "sure?" this would read as if one could not pass.
        if arrow != "down" or pick is None:
            return super().nowhere(state, pick, arrow)
        if pick.then.startswith("/"):
            return text("slam: no D")
        sign = shown(pick.tile[0])
        return text("no ÷ double") if sign == "÷" else text("no D{sign} to add", sign=sign)

    def entered(self, state: State, pick: Pick) -> Pick | None:
        """From a sign to its numbers, from a slam dunk's first tile to its second, from a pass to ``sure``."""
        view = RULES.view(state, None)
        if pick.tile == "pass":
            return pick._replace(step="sure") if pick.step != "sure" and claimable(state) else None
        if pick.step == "sign":
            numbers, _ = row(state, pick._replace(step="tile"))
            fitting = _fitting(view, numbers, pick.aimed) or numbers[-1]
            return pick._replace(step="tile", tile=fitting)
        if pick.step == "tile" and pick.then == "/":
            blacks, _ = row(state, pick._replace(step="black"))
            slams = [black for black in blacks if _score(view, f"@{pick.tile}{black}") is not None]
            return pick._replace(step="black", then=(slams or list(blacks))[-1])
        return None

    def erased(self, state: State, pick: Pick) -> Pick | None:
        if pick.step == "sure":
            return pick._replace(step="tile" if _is_flat(state) else "sign")
        if pick.step == "black":
            return pick._replace(step="tile", then="/")
        if pick.step == "tile" and not _is_flat(state):
            return pick._replace(step="sign", tile=pick.tile[0])
        return None


def best(view: State) -> Play | None:
    """The likeliest play of an open display: a winning one, else the largest own score, else the lowest other score.

    None if no open tile can be played.
    """
    tiles = [tile for tile in face_up(view) if tile[0] != "D"]
    lost = [f"@{tile}" for tile in tiles if _score(view, f"@{tile}") == 0]
    raised = [(score, tile) for tile in tiles if tile[0] in "+x" and (score := _score(view, tile)) is not None]
    lowered = [(-score, f"@{tile}") for tile in tiles if (score := _score(view, f"@{tile}")) is not None]
    event = lost[0] if lost else max(raised or lowered, default=(0, ""))[1]
    play = RULES.read(event) if event else RULES.find(view)
    return play if isinstance(play, Play) else None


def _on(step: str, tile: str) -> Pick:
    """The pick after moving to a tile of another colour, with the usual aim of that colour."""
    return Pick(step, tile, tile[0] in AT_OTHER)


def _fitting(view: State, tiles: Sequence[str], aimed: bool | None = None) -> str:
    """The last of `tiles` that can be played; "" if none can.

    With None as `at_other_score` each tile has its usual aim.
    """
    at_other = AT_OTHER if aimed is None else SIGNS * aimed
    fit = [tile for tile in tiles if tile != "pass" and _score(view, "@" * (tile[0] in at_other) + tile)]
    return fit[-1] if fit else ""


def _score(view: State, event: str) -> int | None:
    """The score that a written play results in; None if the arithmetic forbids the play."""
    move = RULES.read(event)
    assert isinstance(move, Play), "what begins with a tile is a play"
    try:
        return rules.working(view, view.to_move, move)[1]
    except Refused:
        return None


def _mover(state: State) -> Side:
    """What everybody knows of the seat to move."""
    return RULES.view(state, None).sides[state.to_move - 1]


def _is_flat(state: State) -> bool:
    """Whether all tiles are picked from one row, because the display is open or empty."""
    display = state.sides[state.to_move - 1].display
    return display.pieces is not None or not display.size


def _written(tiles: Sequence[int]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tile_text(tile) for tile in tiles))


def _display(side: Side) -> tuple[str, ...]:
    """The tiles that are on the display, or that may be on a sealed one, including doubles."""
    if side.display.pieces is not None:
        return _written(side.display.pieces)
    return _written(side.coloured) if side.display.size else ()


def _blacks(side: Side) -> tuple[str, ...]:
    """The black tiles that may be in the rack by public knowledge: all that are not played."""
    return _written(side.black) if side.rack.size else ()


def second_tiles(state: State, sign: str) -> list[str]:
    """The possible values of `Pick.second_tile` for a tile of this sign: ``""``, ``D``, ``/``."""
    side = _mover(state)
    slam = sign in "+-" and rules.may_slam(state) and bool(_blacks(side))
    return ["", *(["D"] if f"D{sign}" in _display(side) else []), *(["/"] if slam else [])]
