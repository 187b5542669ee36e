"""The picker of Prime Attactics: left and right walk the tiles, up aims, down adds a second tile, OK goes on.

With an open display the row is what lies on it, then the black tiles that may be in the rack. With a sealed one a
sign is picked first and then a number, as it is typed. Everything here is read off the public's view, so that walking
over black tiles tells nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.game import Refused
from companion.games.prime_attactics import rules

if TYPE_CHECKING:
    from collections.abc import Sequence

SIGNS = "+-x/"
LIKELY = "x+/-"
"""The order in which a sign is offered first where the display is sealed."""
AT_OTHER = "-/"
"""What makes a score smaller is meant for the opponent until `up` says otherwise."""


class Marks(NamedTuple):
    """What the picture marks.

    `aimed` at the opponent; `used` the tiles, as written; `score` the result, None where there is none; `row` what
    the picker walks over in place of the display, as shown, with the `chosen` one of it (from 0).
    """

    aimed: bool = False
    used: tuple[str, ...] = ()
    score: int | None = None
    row: tuple[str, ...] = ()
    chosen: int = 0


class Pick(NamedTuple):
    """The picker at one of its steps: ``sign``, ``tile``, ``black`` for the second tile of a slam dunk, ``sure``.

    The last asks once more before a turn is given up: ``pass`` lies beside tiles that are picked every turn.

    `tile` is a sign in the first step, then a tile as written, or ``pass``; `then` is empty, ``D``, or ``/`` with
    the number of the black tile once that is being picked.
    """

    step: str
    tile: str
    aimed: bool = False
    then: str = ""


def shown(written: str) -> str:
    """Plays, tiles and sums with the signs that are printed on tiles: ``×7D``; an arrow aims: ``→÷3``."""
    return written.replace("x", "×").replace("/", "÷").replace("@", "→")


def claimable(state: rules.State) -> bool:
    """Whether "I cannot" may be said, as far as everybody knows: tiles are sealed, and no open one has a play."""
    side = state.sides[state.to_move - 1]
    seals = any(held.pieces is None and held.size for held in (side.display, side.rack))
    return seals and not state.ended and rules.find(rules.view(state, None)) is None


def face_up(view: rules.State) -> tuple[str, ...]:
    """The tiles of the open display of the seat to move, as written."""
    return _written(view.sides[view.to_move - 1].display.pieces or ())


def row(state: rules.State, pick: Pick) -> tuple[tuple[str, ...], int]:
    """What left and right walk over at the step of `pick`, and where it stands in that."""
    view = rules.view(state, None)
    side = view.sides[view.to_move - 1]
    if pick.step == "sure":
        return ("pass",), 0
    if pick.step == "black":
        choices, now = _blacks(side), pick.then
    else:
        tiles = _coloured(side) + _blacks(side)
        if pick.step == "sign":
            tiles = tuple(sign for sign in SIGNS if any(tile[0] == sign for tile in tiles))
        elif not _flat(side):
            tiles = tuple(tile for tile in tiles if tile[0] == pick.tile[0])
        claim = ("pass",) if claimable(state) and (pick.step == "sign" or _flat(side)) else ()
        choices, now = tiles + claim or ("pass",), pick.tile
    return choices, choices.index(now) if now in choices else 0


def pick(state: rules.State) -> Pick:
    """The display's best play; with no tile face up the sign that raises most."""
    view = rules.view(state, None)
    if not _flat(view.sides[view.to_move - 1]):
        signs, _ = row(state, Pick("sign", ""))
        return _on("sign", next((sign for sign in LIKELY if sign in signs), signs[0]))
    if play := best(view):
        return Pick("tile", rules.tile_text(play.tile), play.aimed)
    tiles, _ = row(state, Pick("tile", ""))
    return _on("tile", _fitting(view, tiles) or tiles[-1])


def moved(state: rules.State, pick: Pick, arrow: str) -> Pick:
    """The next tile, the other score, or another second tile."""
    if arrow in ("left", "right"):
        choices, index = row(state, pick)
        chosen = choices[(index + (1 if arrow == "right" else -1)) % len(choices)]
        if pick.step == "black":
            return pick._replace(then=chosen)
        if chosen[0] == pick.tile[0]:
            return Pick(pick.step, chosen, pick.aimed)
        return _on(pick.step, chosen)
    if pick.tile == "pass":
        return pick
    if arrow == "up":
        return pick._replace(aimed=not pick.aimed)
    if pick.step == "black":
        return pick
    seconds = _seconds(state, pick.tile[0])
    return pick._replace(then=seconds[(seconds.index(pick.then) + 1) % len(seconds)])


def entered(state: rules.State, pick: Pick) -> Pick | None:
    """From the sign to its numbers, from a slam dunk's first tile to its second."""
    view = rules.view(state, None)
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


def erased(state: rules.State, pick: Pick) -> Pick | None:
    """One step back."""
    view = rules.view(state, None)
    if pick.step == "sure":
        return pick._replace(step="tile" if _flat(view.sides[view.to_move - 1]) else "sign")
    if pick.step == "black":
        return pick._replace(step="tile", then="/")
    if pick.step == "tile" and not _flat(view.sides[view.to_move - 1]):
        return pick._replace(step="sign", tile=pick.tile[0])
    return None


def best(view: rules.State) -> rules.Play | None:
    """The likeliest play of an open display: what wins, else what adds most, else what takes most away."""
    tiles = [tile for tile in face_up(view) if tile[0] != "D"]
    lost = [f"@{tile}" for tile in tiles if _score(view, f"@{tile}") == 0]
    raised = [(score, tile) for tile in tiles if tile[0] in "+x" and (score := _score(view, tile)) is not None]
    lowered = [(-score, f"@{tile}") for tile in tiles if (score := _score(view, f"@{tile}")) is not None]
    text = lost[0] if lost else max(raised or lowered, default=(0, ""))[1]
    play = rules.read(text) if text else rules.find(view)
    return play if isinstance(play, rules.Play) else None


def _on(step: str, tile: str) -> Pick:
    """The picker come to a tile of another colour: aimed as that colour usually is."""
    return Pick(step, tile, tile[0] in AT_OTHER)


def _fitting(view: rules.State, tiles: Sequence[str], aimed: bool | None = None) -> str:
    """The last of `tiles` whose number fits the score it goes on: the largest that can be played."""
    fit = [
        tile for tile in tiles
        if tile != "pass" and _score(view, ("@" if (tile[0] in AT_OTHER if aimed is None else aimed) else "") + tile)
    ]  # fmt: skip
    return fit[-1] if fit else ""


def _score(view: rules.State, text: str) -> int | None:
    """What a play makes of the score it goes on, None where the arithmetic forbids it."""
    move = rules.read(text)
    assert isinstance(move, rules.Play)
    try:
        return rules.working(view, view.to_move, move)[1]
    except Refused:
        return None


def _flat(side: rules.Side) -> bool:
    """Whether all tiles stand in one row: the display is open, or nothing is left on it."""
    return side.display.pieces is not None or not side.display.size


def _written(tiles: Sequence[int]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rules.tile_text(tile) for tile in tiles))


def _display(side: rules.Side) -> tuple[str, ...]:
    """What lies or may lie on the display, doubles among it."""
    if side.display.pieces is not None:
        return _written(side.display.pieces)
    return _written(side.coloured) if side.display.size else ()


def _coloured(side: rules.Side) -> tuple[str, ...]:
    return tuple(tile for tile in _display(side) if tile[0] != "D")


def _blacks(side: rules.Side) -> tuple[str, ...]:
    """The black tiles that may be in the rack: in the public's view all that are not played."""
    return _written(side.black) if side.rack.size else ()


def _seconds(state: rules.State, sign: str) -> list[str]:
    """What may follow a tile of the colour: nothing, its double, a black tile."""
    view = rules.view(state, None)
    side = view.sides[view.to_move - 1]
    slam = sign in "+-" and view.level == "full" and bool(_blacks(side))
    return ["", *(["D"] if f"D{sign}" in _display(side) else []), *(["/"] if slam else [])]
