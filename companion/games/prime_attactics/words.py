"""What Prime Attactics says in words besides its entry: claims, hints, own tiles, and tiles as they are printed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from companion.games.prime_attactics import rules
from companion.games.prime_attactics.pick import best, claimable, face_up, shown
from companion.games.prime_attactics.sheet import columns

if TYPE_CHECKING:
    from collections.abc import Sequence


def reveals(event: str) -> str:
    """The drawn tiles that a refill names."""
    word, *tiles = event.split()
    if word != "refill":
        return ""
    return "a new tile" if len(tiles) == 1 else f"{len(tiles)} new tiles"


def claimed(event: str) -> str:
    """A turn is missed where nothing can be played."""
    return "passed" if event == "pass" else ""


def cannot(state: rules.State, buttons: bool = False) -> str:
    """Only where the seat hides tiles and its open display has no play."""
    if not claimable(state):
        return ""
    return "no move? pick pass" if buttons else "no move? 0 # passes"


def arrows(view: rules.State) -> str:
    """Tiles across, or signs where none is face up; up changes the score that is aimed at, down adds a second tile."""
    return f"◂▸ {'tile' if face_up(view) else 'sign'}  ▴ aim  ▾ double"


def hint(state: rules.State) -> str:
    """A play of the open display: the one that wins, else the one that adds most."""
    view = rules.view(state, None)
    play = best(view)
    if play is None:
        return ""
    sum_, score = rules.working(view, view.to_move, play)
    where = " on the other score" if play.aimed else ""
    return f"{shown(str(play).lstrip('@'))}{where}: {shown(sum_)} = {score}"


def own(view: rules.State, seat: int) -> str:
    """The rack: the display lies before everybody."""
    tiles = view.sides[seat - 1].rack.pieces
    if tiles is None:
        return "The rack is sealed: I only count it."
    return f"In the rack: {shown(rules.write_deal(tiles)) or 'nothing'}"


def held(view: rules.State, seat: int) -> list[str]:
    """The tiles of display and rack, where they are open."""
    side = view.sides[seat - 1]
    return [rules.tile_text(tile) for holding in (side.display, side.rack) for tile in holding.pieces or ()]


def printed(words: str) -> str:
    """The signs of tiles as they are printed."""
    return re.sub(r"/(?=\d)", "÷", re.sub(r"(?<![a-z])x(?=\d)", "×", words)).replace("@", "→")


def gain(event: str, seat: int, before: tuple[int, ...], after: tuple[int, ...]) -> int:
    """The swing between the two scores."""
    gained = [then - now for now, then in zip(before, after, strict=True)]
    return gained[seat - 1] - gained[2 - seat]


def lines(page: str, states: Sequence[rules.State], events: Sequence[tuple[int, str]], high: int) -> Sequence[str]:
    """The score sheet: two columns a line, a tab between. The page of tiles is drawn from the position."""
    return tuple("\t".join(line) for line in columns(states, events, high)) if page == "sheet" else ()
