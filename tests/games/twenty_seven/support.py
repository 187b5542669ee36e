"""How 27 is typed, guessed at and told, for the tests of all games."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from companion.games.twenty_seven import rules

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

HIDDEN = DRAWN = ""

PLANNED_OPEN = 0.0
"""A round with sealed holdings is planned with sealed ones."""


def typed(event: str) -> str:
    return event.replace("x", "")


def typed_deal(text: str) -> str:
    raise AssertionError("nothing is dealt")


def guess(chance: random.Random) -> str:
    return f"{chance.randint(1, 9)}x{chance.randint(1, 9)}"


def leads(pick: Any, event: str) -> bool:
    return True


def options(state: Any) -> dict[str, str]:
    return {}


def show(state: Any, holding: Callable[..., str]) -> Iterator[str]:
    """The piles from seat 1's home, bottom first: `r` red, `.` grey, `W` and `B` discs."""
    piles = ("".join(".WBr"[piece] for piece in pile) for pile in state.piles)
    yield "  ".join(f"{field}:{pile}" for field, pile in enumerate(piles, 1))
    heights, steps = rules.heights(state), [rules.steps(state, seat) for seat in (1, 2)]
    yield f"heights {heights[0]} and {heights[1]}, steps {steps[0]} and {steps[1]}"


def attempts(state: Any) -> list[str]:
    return [f"{field}x{count}" for field, count in product(range(11), (0, 1, 2, 4, 9, 11))]
