"""Warns of what is right in some games and a fault in most: it must be looked at, but fails no test.

It looks at several rounds at once, with all hands told.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from functools import cache
from random import Random
from typing import TYPE_CHECKING

from companion.gamekit.contract.random_rounds import RandomRound, option_combinations, play_random_round
from companion.games.api.game_texts import is_draw

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROUNDS = 12
"""How many rounds are looked at."""
MIN_EVENTS, AGAIN_SHARE = 20, 0.9
"""A turn seems to be forgotten if the same player moves again after this share of at least so many events."""


class ContractWarning(UserWarning):
    """Something that the contract has found, and that only the author can judge."""


def warn_of_unusual_play(game: str, longest: int) -> None:
    """Issue a warning for each thing that `find_unusual_play` finds."""
    for found in _unusual_play(game, longest):
        warnings.warn(ContractWarning(f"{game}: {found}"), stacklevel=3)


@cache
def _unusual_play(game: str, longest: int) -> tuple[str, ...]:
    return tuple(find_unusual_play(game, longest))


def find_unusual_play(game: str, longest: int) -> Iterator[str]:
    """What is unusual in some random rounds of a game, a sentence each.

    Nothing if one of them can't be played, which a check reports.
    """
    choices = list(option_combinations(game))
    try:
        rounds = [
            play_random_round(*random.choice(choices), random, share=1, longest=longest)
            for random in map(Random, range(ROUNDS))
        ]
    except Exception:  # The rules may raise anything; `rounds_can_be_played` says what.
        return
    yield from _forgotten_turns(rounds)
    yield from _unused_fields(rounds)


def _forgotten_turns(rounds: Sequence[RandomRound]) -> Iterator[str]:
    """Events after which the same player nearly always moves again, and may do the same again.

    In a turn of two steps the second one is another event, so it is not meant.
    """
    examples: dict[str, str] = {}
    counted, moved_again, done_again = Counter[str](), Counter[str](), Counter[str]()
    for played in rounds:
        for number, (seat, move) in enumerate(played.events[:-1]):
            next_seat, next_move = played.events[number + 1]
            if _decides(played, number) and _decides(played, number + 1):
                word = _first_word(str(move))
                examples.setdefault(word, str(move))
                counted[word] += 1
                moved_again[word] += next_seat == seat
                done_again[word] += next_seat == seat and _first_word(str(next_move)) == word
    for word, count in counted.items():
        if count >= MIN_EVENTS and moved_again[word] >= AGAIN_SHARE * count and done_again[word]:
            yield (
                f"after moves such as {examples[word]!r} the same player moves again, {moved_again[word]} times of "
                f"{count}: if the turn should pass then, play_move does not pass it"
            )


def _decides(played: RandomRound, number: int) -> bool:
    """Whether a player chose the event of a number, and nobody was skipped before it."""
    rules, state = played.rules, played.states[number]
    return not (
        is_draw(str(played.events[number][1]))
        or rules.chance_outcomes(state)
        or rules.skipped_seats(state)
        or played.move_input.due_refill(state)
    )


def _first_word(event: str) -> str:
    """The word that an event begins with; "" for an event of numbers."""
    return re.split("[^a-z]", event, maxsplit=1)[0]


def _unused_fields(rounds: Sequence[RandomRound]) -> Iterator[str]:
    """Fields of the position in which no round ever puts anything."""
    states = [state for played in rounds for state in played.states]
    for field in getattr(type(states[0]), "_fields", ()):
        if all(_is_blank(getattr(state, field)) for state in states):
            yield (
                f"{type(states[0]).__name__}.{field} is {getattr(states[0], field)!r} in all positions of {ROUNDS} "
                "rounds: does play_move forget it?"
            )


def _is_blank(value: object) -> bool:
    """Whether a value is empty, zero or None, or has only such values."""
    return all(map(_is_blank, value)) if isinstance(value, tuple) else not value
