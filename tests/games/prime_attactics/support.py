"""How Prime Attactics is typed, guessed at and told, for the tests of all games."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from companion.games.prime_attactics import rules

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

HIDDEN = "rack"
"""The holding that others must not see."""
DRAWN = "refill"
"""The event that names hidden pieces."""

PLANNED_OPEN = 0.0
"""A round with sealed holdings is planned with sealed ones."""


def typed(event: str) -> str:
    if event == "pass":
        return "0"
    letters = str.maketrans("+-x/", "ABCD")
    word, _, tiles = event.partition(" ")
    if word == "refill":
        return "".join(f"{tile[1]}0" if tile[0] == "D" else tile for tile in tiles.split()).translate(letters)
    aim, rest = ("0", event[1:]) if event[0] == "@" else ("", event)
    return aim + rest.replace("D", "0").translate(letters)


def typed_deal(text: str) -> str:
    return typed(f"refill {text}")


def guess(chance: random.Random) -> str:
    return f"{chance.choice(['', '@'])}{chance.choice('+-x/')}{chance.randint(1, 7)}{chance.choice(['', '', 'D'])}"


def leads(pick: Any, event: str) -> bool:
    return True


def options(state: Any) -> dict[str, str]:
    return {"level": state.level}


def show(state: Any, holding: Callable[..., str]) -> Iterator[str]:
    """The scores, then display and rack of each seat."""
    yield f"scores {state.sides[0].score} and {state.sides[1].score}, turns completed {state.turns}"
    for seat, side in enumerate(state.sides, 1):
        display, rack = (holding(*reversed(one), rules.write_deal) for one in (side.display, side.rack))
        yield f"seat {seat}: display {display} | rack {rack}"


def attempts(state: Any) -> list[str]:
    tiles = ("x1", "x7", "-7", "/3", "/7", "+5D", "-2D", "/2D", "+2/3", "-6/2", "+9")
    return ["pass", "refill", "refill +1", *(aim + tile for aim, tile in product(("", "@"), tiles))]
