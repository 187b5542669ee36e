"""What the tests of all games need to know about 27: keys, random events, and a second count of the result."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from companion.games.twenty_seven import rules

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

HIDDEN_HOLDING = DRAW_WORD = ""

HAS_SHEET = False
"""Whether a report shows a score sheet whose last line ends in the scores."""
IS_SELDOM_EXACT = False
"""Whether random rounds hardly ever reach a position with nothing hidden. The game's own tests then build some."""
PLANNED_OPEN_SHARE = 0.0
"""The share of open holdings when a round with sealed ones is planned."""


def keys_of_event(event: str) -> str:
    return event.replace("x", "")


def keys_of_deal(text: str) -> str:
    raise AssertionError("nothing is dealt")


def random_event(chance: random.Random) -> str:
    return f"{chance.randint(1, 9)}x{chance.randint(1, 9)}"


def spellings(event: str) -> tuple[str, ...]:
    return (event,)


def may_lead_to(pick: Any, event: str) -> bool:
    return True


def longest_draft(state: Any) -> tuple[Any, str] | None:
    """None: no event is too long for the panel."""
    return None


def options_of_state(state: Any) -> dict[str, str]:
    return {}


def position_text(state: Any, holding: Callable[..., str]) -> Iterator[str]:
    """The stacks from seat 1's first field, bottom first: `r` red, `.` grey, `W` and `B` discs."""
    piles = ("".join(".WBr"[piece] for piece in pile) for pile in state.stacks)
    yield "  ".join(f"{field}:{pile}" for field, pile in enumerate(piles, 1))
    heights, steps = rules.goal_heights(state), [rules.steps_of_move(state, seat) for seat in (1, 2)]
    yield f"heights {heights[0]} and {heights[1]}, steps {steps[0]} and {steps[1]}"


def events_to_try(state: Any) -> list[str]:
    return [f"{field}x{count}" for field, count in product(range(11), (0, 1, 2, 4, 9, 11))]


def count_by_events(events: list[tuple[int, str]], seats: int, options: dict[str, str]) -> Iterator[tuple[int, ...]]:
    """The heights of the stacks on the far ends; a fixed red does not count."""
    line = [["r", *"W" * 9], *(["g"] for _ in range(7)), ["r", *"B" * 9]]
    base = int(options["variant"] != "expert")
    yield len(line[-1]) - base, len(line[0]) - base
    for seat, text in events:
        field, count = map(int, text.split("x"))
        steps = sum(pile[-1] == "WB"[seat - 1] for pile in line)
        pile, target = line[field - 1], line[field - 1 + (steps if seat == 1 else -steps)]
        target += pile[len(pile) - count :]
        del pile[len(pile) - count :]
        line = [pile for pile in line if pile]
        yield len(line[-1]) - base, len(line[0]) - base


def gain_of_event(own: int, before: tuple[int, ...], after: tuple[int, ...]) -> int:
    """What a move gained for a seat (from 0) in the unit that is counted."""
    return after[own] - before[own]


def spelled_pieces(text: str, spell: Any) -> str:
    raise AssertionError("nothing is dealt")


def spelled_event(text: str, spell: Any) -> str:
    return spell.cased(spell.blanks().join(text.partition("x")))
