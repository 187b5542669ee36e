"""The texts of Prime Attactics besides the drafts: passes, hints, own tiles, and tiles with their printed signs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from companion.games.prime_attactics import rules
from companion.games.prime_attactics.pick import claimable, face_up, shown
from companion.games.prime_attactics.sheet import columns

if TYPE_CHECKING:
    from collections.abc import Sequence


def reveals(event: str) -> str:
    """The number of drawn tiles that a refill names; "" for other events."""
    word, *tiles = event.split()
    if word != "refill":
        return ""
    return "a new tile" if len(tiles) == 1 else f"{len(tiles)} new tiles"


def claimed(event: str) -> str:
    """``passed`` for a pass; "" for other events."""
    return "passed" if event == "pass" else ""


def cannot(state: rules.State, buttons: bool = False) -> str:
    """How to pass; "" unless the seat has sealed tiles and no open tile can be played."""
    if not claimable(state):
        return ""
    return "no move? pick pass" if buttons else "no move? 0 # passes"


def arrows(view: rules.State) -> str:
    """Left and right choose a tile, or a sign if none is face up; up changes the aim, down adds a second tile."""
    return f"◂▸ {'tile' if face_up(view) else 'sign'}  ▴ aim  ▾ double"


def hint(state: rules.State) -> str:
    """The play of the open display that gains the most now, with its arithmetic; "" for none."""
    from companion.game.hint import as_much_as_fits  # Neither is needed before somebody asks.
    from companion.games.prime_attactics.reasons import gain

    view = rules.view(state, None)
    own, other = (view.sides[at].score for at in (view.to_move - 1, 2 - view.to_move))
    plays = [move for move in rules.moves(view) if isinstance(move, rules.Play)]
    if not plays:
        return ""
    play = max(plays, key=lambda each: gain(each, own, other))
    sum_, score = rules.working(view, view.to_move, play)
    whose = "the other's " if play.aimed else "your "
    without = "The rack is left out." if view.sides[view.to_move - 1].rack.size else ""
    return as_much_as_fits(f"Of the open tiles {shown(str(play))} gains most: {whose}{shown(sum_)} = {score}.", without)


def own(view: rules.State, seat: int) -> str:
    """The rack in words; the display is public."""
    tiles = view.sides[seat - 1].rack.pieces
    if tiles is None:
        return "The rack is sealed: I only count it."
    return f"In the rack: {shown(rules.write_deal(tiles)) or 'nothing'}"


def held(view: rules.State, seat: int) -> list[str]:
    """The tiles of display and rack in written form, as far as these are open."""
    side = view.sides[seat - 1]
    return [rules.tile_text(tile) for holding in (side.display, side.rack) for tile in holding.pieces or ()]


def printed(words: str) -> str:
    """Words with the signs that are printed on tiles: ``x3`` becomes ``×3``, ``/3`` ``÷3``, ``@`` ``→``."""
    return re.sub(r"/(?=\d)", "÷", re.sub(r"(?<![a-z])x(?=\d)", "×", words)).replace("@", "→")


def gain(event: str, seat: int, before: tuple[int, ...], after: tuple[int, ...]) -> int:
    """By how much the seat's score gained on the other one."""
    gained = [then - now for now, then in zip(before, after, strict=True)]
    return gained[seat - 1] - gained[2 - seat]


def lines(page: str, states: Sequence[rules.State], events: Sequence[tuple[int, str]], high: int) -> Sequence[str]:
    """The lines of the score sheet: two columns with a tab between them; () for the page of tiles, which has none."""
    return tuple("\t".join(line) for line in columns(states, events, high)) if page == "sheet" else ()
