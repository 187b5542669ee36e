"""What the tests of all games need to know about Coral Reef: keys, random events, and a second count of the result."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from companion.games.coral_reef.rules import RULES

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

HIDDEN_HOLDING = "deal"
"""The holding that others must not see."""
DRAW_WORD = "draw"
"""The first word of the event that names hidden pieces."""

HAS_SHEET = False
"""Whether a report shows a score sheet whose last line ends in the scores."""
IS_SELDOM_EXACT = True
"""Whether random rounds hardly ever reach a position with nothing hidden. The game's own tests then build some."""
PLANNED_OPEN_SHARE = 0.0
"""The share of open holdings when a round with sealed ones is planned."""


def keys_of_event(event: str) -> str:
    """`2:54` is typed 254, `draw 7` 07; a seed is a lone 9, and 0 means "I can't move"."""
    word, _, drawn = event.partition(" ")
    keys = {"seed": "9", "draw": "0" + drawn, "pass": "0"}.get(word, event.replace(":", ""))
    return keys.translate(str.maketrans("ATJQK", "10BCD"))


def keys_of_deal(text: str) -> str:
    return keys_of_event(f"draw {text}")[1:]


def random_event(chance: random.Random) -> str:
    corals = "".join(chance.choices("A23456789TJQK", k=chance.randint(1, 3)))
    return chance.choice([f"{chance.randint(1, 5)}:{corals}"] * 9 + ["seed"])


def probing_event(chance: random.Random) -> str:
    """A random event, or a play of as many corals of a rank as there are, which corals elsewhere make impossible."""
    alike = chance.choice("A23456789TJQK") * chance.choice((1, 2, 7, 8, 8, 8))
    return chance.choice((random_event(chance), f"{chance.randint(1, 5)}:{alike}"))


def spellings(event: str) -> tuple[str, ...]:
    return (event,)


def may_lead_to(pick: Any, event: str) -> bool:
    """A pick can lead to an event if its corals are the beginning of the event's."""
    return event.partition(":")[2].startswith(pick.corals)


def longest_draft(state: Any) -> tuple[Any, str] | None:
    """A position with as many sealed corals as possible, and the keys of a play with very many of them."""
    return state._replace(sizes=(32, 28)), "3" + "A" * 7 + "B" * 6 + "81"


def options_of_state(state: Any) -> dict[str, str]:
    return {"form": state.form}


def position_text(state: Any, holding: Callable[..., str]) -> Iterator[str]:
    """The tops of the stacks, the hands and the deck."""
    yield f"tops {' '.join(map(str, state.tops))}, pile {state.deck}"
    hands = [holding(hand.pieces, hand.size, RULES.format_deal) for hand in state.holdings]
    yield f"hands {hands[0]} | {hands[1]}"


def events_to_try(state: Any) -> list[str]:
    plays = ("9", "TA", "8J", "54", "A8", "T", "55T", "QA", "7K")
    return ["seed", "draw", "draw A", "pass", *(f"{stack}:{play}" for stack, play in product((1, 4, 9), plays))]


def count_by_events(events: list[tuple[int, str]], seats: int, options: dict[str, str]) -> Iterator[tuple[int, ...]]:
    """The corals in each hand: eight, less those placed, and one more for each draw."""
    hands = [8] * seats
    yield tuple(hands)
    for seat, text in events:
        hands[seat - 1] += 1 if text.startswith("draw") else -(len(text.partition(":")[2]) or int(text == "seed"))
        yield tuple(hands)


def gain_of_event(own: int, before: tuple[int, ...], after: tuple[int, ...]) -> int:
    """What a move gained for a seat (from 0) in the unit that is counted."""
    return after[own] - before[own]


def spelled_pieces(text: str, spell: Any) -> str:
    return spell.between().join(["", *text, ""])


def spelled_event(text: str, spell: Any) -> str:
    word, space, rest = text.partition(" ")
    if space:
        return spell.cased(word + spell.between(1) + rest)
    stack, colon, corals = text.partition(":")
    return spell.cased(f"{stack}{spell.blanks()}:{spelled_pieces(corals, spell)}" if colon else stack)
