"""What the tests of all games need to know about Prime Attactics: keys, random events, a second count of the result."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, Any

from companion.games.prime_attactics.rules import RULES

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

HIDDEN_HOLDING = "rack"
"""The holding that others must not see."""
DRAW_WORD = "refill"
"""The first word of the event that names hidden pieces."""

HAS_SHEET = True
"""Whether a report shows a score sheet whose last line ends in the scores."""
IS_SELDOM_EXACT = True
"""Whether random rounds hardly ever reach a position with nothing hidden. The game's own tests then build some."""
PLANNED_OPEN_SHARE = 0.0
"""The share of open holdings when a round with sealed ones is planned."""


def keys_of_event(event: str) -> str:
    if event == "pass":
        return "0"
    letters = str.maketrans("+-x/", "ABCD")
    word, _, tiles = event.partition(" ")
    if word == "refill":
        return "".join(f"{tile[1]}0" if tile[0] == "D" else tile for tile in tiles.split()).translate(letters)
    aim, rest = ("0", event[1:]) if event[0] == "@" else ("", event)
    return aim + rest.replace("D", "0").translate(letters)


def keys_of_deal(text: str) -> str:
    return keys_of_event(f"refill {text}")


def random_event(chance: random.Random) -> str:
    return f"{chance.choice(['', '@'])}{chance.choice('+-x/')}{chance.randint(1, 7)}{chance.choice(['', '', 'D'])}"


def probing_event(chance: random.Random) -> str:
    """A random event; no tile is made impossible by tiles elsewhere, since each seat has its own."""
    return random_event(chance)


def spellings(event: str) -> tuple[str, ...]:
    return (event,)


def may_lead_to(pick: Any, event: str) -> bool:
    return True


def longest_draft(state: Any) -> tuple[Any, str] | None:
    """None: no event is too long for the panel."""
    return None


def options_of_state(state: Any) -> dict[str, str]:
    return {"level": state.level}


def position_text(state: Any, holding: Callable[..., str]) -> Iterator[str]:
    """The scores, then display and rack of each seat."""
    yield f"scores {state.sides[0].score} and {state.sides[1].score}, turns completed {state.turns}"
    for seat, side in enumerate(state.sides, 1):
        display, rack = (holding(*reversed(one), RULES.format_deal) for one in (side.display, side.rack))
        yield f"seat {seat}: display {display} | rack {rack}"


def events_to_try(state: Any) -> list[str]:
    tiles = ("x1", "x7", "-7", "/3", "/7", "+5D", "-2D", "/2D", "+2/3", "-6/2", "+9")
    return ["pass", "refill", "refill +1", *(aim + tile for aim, tile in product(("", "@"), tiles))]


def count_by_events(events: list[tuple[int, str]], seats: int, options: dict[str, str]) -> Iterator[tuple[int, ...]]:
    """The two scores, by plain arithmetic."""
    scores = [int(options["start"])] * 2
    yield tuple(scores)
    for seat, text in events:
        if text[0] in "@+-x/":
            whose = 2 - seat if text[0] == "@" else seat - 1
            for sign, number in re.findall(r"([-+x/])(\d)", text):
                value, number = scores[whose], int(number)
                scores[whose] = {"+": value + number, "-": value - number, "x": value * number, "/": value // number}[
                    sign
                ]
            scores[whose] *= 2 if text.endswith("D") else 1
        yield tuple(scores)


def gain_of_event(own: int, before: tuple[int, ...], after: tuple[int, ...]) -> int:
    """What a move gained for a seat (from 0): its own score, and what the other has lost."""
    return after[own] - before[own] - (after[1 - own] - before[1 - own])


def spelled_pieces(text: str, spell: Any) -> str:
    return "".join(spell.between() + tile + spell.between() for tile in text.split())


def spelled_event(text: str, spell: Any) -> str:
    word, space, rest = text.partition(" ")
    if space:
        return spell.cased(word + spell.between(1) + spelled_pieces(rest, spell))
    tiles = re.match(r"(@?)([-+x/]\d+)(D|/\d+)?", text)
    return spell.cased(text if tiles is None else spell.between().join([tiles[1], tiles[2], tiles[3] or ""]))
