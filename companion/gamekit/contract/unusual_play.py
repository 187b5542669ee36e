"""Warns of what is right in some games and a fault in most: it must be looked at, but fails no test.

It looks at several rounds at once, with all hands told.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from contextlib import suppress
from functools import cache
from random import Random
from string import digits as DIGITS
from typing import TYPE_CHECKING

from companion.gamekit.contract.random_rounds import RandomRound, first_word, option_combinations, play_random_round
from companion.gamekit.contract.rules_checks import fair_ways
from companion.games.api import RefusedError
from companion.games.api.game_texts import GameTexts, is_draw

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROUNDS = 12
"""How many rounds are looked at."""
MIN_EVENTS, AGAIN_SHARE = 20, 0.9
"""A turn seems to be forgotten if the same player moves again after this share of at least so many events."""


ARABIC_ZERO = 0x660
NOT_PASSED_ON = "the turn is not passed on"


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

    Nothing if one of them can't be played, which a check reports. Raises AssertionError for a turn that never passes.
    """
    choices = list(option_combinations(game))
    try:
        rounds = [
            play_random_round(*random.choice(choices), random, share=1, longest=longest)
            for random in map(Random, range(ROUNDS))
        ]
        for find in (_forgotten_turns, _unused_fields, _odd_dice, _other_spellings, _keys_without_meaning):
            yield from find(rounds)
    except AssertionError as error:
        if str(error).startswith(NOT_PASSED_ON):
            raise
    except Exception:  # The game may raise anything; another check says what.
        return


def _forgotten_turns(rounds: Sequence[RandomRound]) -> Iterator[str]:
    """Events after which the same player nearly always moves again, and may do the same again.

    In a turn of two steps the second one is another event, so it is not meant. Raises AssertionError if the same player
    always moves again and the game has no words of its own for that.
    """
    examples: dict[str, tuple[int, int]] = {}
    counted, moved_again, done_again = Counter[str](), Counter[str](), Counter[str]()
    for seed, played in enumerate(rounds):
        for number, (seat, move) in enumerate(played.events[:-1]):
            next_seat, next_move = played.events[number + 1]
            if _decides(played, number) and _decides(played, number + 1):
                word = first_word(str(move))
                examples.setdefault(word, (seed, number))
                counted[word] += 1
                moved_again[word] += next_seat == seat
                done_again[word] += next_seat == seat and first_word(str(next_move)) == word
    for word, count in counted.items():
        if count >= MIN_EVENTS and moved_again[word] >= AGAIN_SHARE * count and done_again[word]:
            seed, number = examples[word]
            fault = (
                f"after moves such as {str(rounds[seed].events[number][1])!r} the same player moves again, "
                f"{moved_again[word]} times of {count}: if the turn should pass then, play_move does not pass it"
            )
            is_meant = moved_again[word] < count or _tells_that_seat_moves_again(rounds[seed], number)
            assert is_meant, (
                f"{NOT_PASSED_ON}: {fault}; otherwise brief of move_texts must say in words of its own that "
                f"the player moves again{_place(seed, number)}"
            )
            yield fault + _place(seed, number)


def _tells_that_seat_moves_again(played: RandomRound, number: int) -> bool:
    """Whether the words of an event say that the same seat moves again, and not only the inherited ones do."""
    state, (seat, move), move_input = played.states[number], played.events[number], played.move_input
    once, again = (move_input.move_texts(state, seat, move, moves_again=each).brief for each in (False, True))
    return again not in (once, GameTexts.move_texts(move_input, state, seat, move, moves_again=True).brief)


def _place(seed: int, number: int) -> str:
    """The place of what was found, after its words."""
    return f" (in the round of seed {seed}, after {number} events)"


def _decides(played: RandomRound, number: int) -> bool:
    """Whether a player chose the event of a number, and nobody was skipped before it."""
    rules, state = played.rules, played.states[number]
    return not (
        is_draw(str(played.events[number][1]))
        or rules.chance_outcomes(state)
        or rules.skipped_seats(state)
        or played.move_input.due_refill(state)
    )


def _unused_fields(rounds: Sequence[RandomRound]) -> Iterator[str]:
    """Fields of the position in which no round ever puts anything."""
    states = [state for played in rounds for state in played.states]
    for field in getattr(type(states[0]), "_fields", ()):
        if all(_is_blank(getattr(state, field)) for state in states):
            yield (
                f"{type(states[0]).__name__}.{field} is {getattr(states[0], field)!r} in all positions of {ROUNDS} "
                "rounds: does play_move forget it?"
            )


def _odd_dice(rounds: Sequence[RandomRound]) -> Iterator[str]:
    """Weights of a throw of up to three dice that no fair dice have, and that are the same in all positions."""
    found: dict[frozenset[str], list[tuple[dict[str, int], int, int]]] = {}
    for seed, played in enumerate(rounds):
        for number, state in enumerate(played.states):
            weights = {str(event): weight for event, weight in played.rules.chance_outcomes(state).items()}
            found.setdefault(frozenset(weights), []).append((weights, seed, number))
    for (weights, seed, number), *others in found.values():
        ways = fair_ways(weights)
        if not ways and len(whole := fair_ways(weights, missing=1)) > len(weights):
            (lacking,) = {*whole} - {each.rpartition(" ")[2] for each in weights}
            yield f"chance_outcomes has {len(weights)} throws of dice, and lacks {lacking}{_place(seed, number)}"
        if ways and all(other == weights for other, *_ in others):  # Those of cards change while cards are drawn.
            ratios = {event: weight / ways[event.rpartition(" ")[2]] for event, weight in weights.items()}
            low, high = (choose(ratios, key=ratios.__getitem__) for choose in (min, max))
            if ratios[low] < ratios[high]:
                yield (
                    f"chance_outcomes gives {high!r} the weight {weights[high]} and {low!r} {weights[low]}, but fair "
                    f"dice give them {ways[high.rpartition(' ')[2]]} and {ways[low.rpartition(' ')[2]]}"
                    f"{_place(seed, number)}"
                )


def _other_spellings(rounds: Sequence[RandomRound]) -> Iterator[str]:
    """Spellings that `parse_move` hardly means to read: a zero before a number, and foreign digits.

    Capitals and further blanks are what people write, so they may be meant.
    """
    for seed, played in enumerate(rounds):
        for number, (_, move) in enumerate(played.events):
            event = str(move)
            foreign = re.sub("[0-9]", lambda digit: chr(ARABIC_ZERO + int(digit[0])), event)
            for other in {re.sub("(?<![0-9])(?=[0-9])", "0", event, count=1), foreign} - {event}:
                with suppress(RefusedError):
                    if str(played.rules.parse_move(other)) == event:
                        yield (
                            f"parse_move reads {other!r} as {event!r}, though legal_moves lists no such spelling"
                            f"{_place(seed, number)}"
                        )
                        return


def _keys_without_meaning(rounds: Sequence[RandomRound]) -> Iterator[str]:
    """Digits in the words about what to enter that mean nothing there, as if they were those of another decision."""
    for seed, played in enumerate(rounds):
        move_input = played.move_input
        for number, state in enumerate(played.states):
            if played.rules.seat_to_move(state) is None or move_input.due_refill(state) is not None:
                continue
            stray = next((key for key in DIGITS if move_input.draft_from_keys(state, key) is None), "")
            for name, words in (
                ("input_instructions", move_input.input_instructions(played.rules.seat_view(state, None))),
                ("stray_key_text", move_input.stray_key_text(state, "", stray) if stray else ""),
            ):
                for key in re.findall(r"(?<!\w)(?<!\b[0-9A-D] )[0-9](?!\w)", words.partition("=")[0]):
                    is_stray = name == "stray_key_text" and key == stray
                    if not is_stray and move_input.draft_from_keys(state, key) is None:
                        yield f"{name} says {str(words)!r}, but the key {key} does nothing there{_place(seed, number)}"
                        return


def _is_blank(value: object) -> bool:
    """Whether a value is empty, zero or None, or has only such values."""
    return all(map(_is_blank, value)) if isinstance(value, tuple) else not value
