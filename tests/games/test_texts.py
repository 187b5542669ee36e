"""What games say is made of messages and values: sentences that differ only in numbers are one text."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from examples import example_count, first_cases_fast

from companion import games
from companion.coach.advice import seat_knowledge
from companion.gamekit.contract import option_combinations, play_random_round
from companion.gamekit.contract.random_rounds import refusal_of_text
from companion.games.api.game_texts import is_draw
from companion.games.api.move_input import ARROWS
from companion.games.api.text import Text

KEYS = "0123456789ABCD"


def draft_texts(entry: Any, state: Any, chance: random.Random) -> Iterator[str]:
    """The words of some drafts, typed and picked, and of keys that mean nothing there."""
    for _ in range(4):
        keys = ""
        for _ in range(6):
            key = chance.choice(KEYS)
            found = entry.draft_from_keys(state, keys + key)
            if found is None:
                before = entry.draft_from_keys(state, keys) if keys else None
                if before is None or before.verdict == "more":
                    yield entry.stray_key_text(state, keys, key)
                continue
            keys += key
            yield from (found.working, found.message)
    pick = entry.initial_pick(state)
    for _ in range(6):
        found = entry.draft_from_pick(state, pick)
        yield from (found.working, found.message)
        pick = entry.pick_after_ok(state, pick) or entry.pick_after_arrow(state, pick, chance.choice(ARROWS))


def texts_of_random_rounds(game: str, seed: int) -> Iterator[str]:
    """Everything that a game says in a random round of each kind."""
    rules, entry, coach = games.load_rules(game), games.load_move_input(game), games.load_coach(game)
    for setting in option_combinations(game):
        chance = random.Random(seed)
        played = play_random_round(*setting, chance, share=chance.choice((0, 1)), longest=40)
        events = [(seat, str(move)) for seat, move in played.events]
        yield rules.outcome(played.states[-1]).reason
        for number, state in enumerate(played.states):
            seat = rules.seat_to_move(state)
            if number:
                words = entry.move_texts(rules.seat_view(played.states[number - 1], None), *played.events[number - 1])
                yield from (words.sentence, words.brief)
            if seat is None:
                continue
            yield from (
                entry.claim_instructions(state),
                entry.input_instructions(state),
                entry.input_instructions(state, True),
                entry.suggested_move_text(state),
            )
            yield from draft_texts(entry, state, chance)
            for other, move in chance.sample(played.events, min(4, len(events))):
                if refused := refusal_of_text(rules, state, chance.choice((seat, other)), str(move)):
                    yield from (refused.figure, refused.conflict, refused.rule, refused.needed)
            if due := entry.due_refill(state):
                yield due.prompt
            elif number % 8 == 0 and coach is not None:
                knowledge = seat_knowledge(rules, entry, played.states[: number + 1], events[:number], seat)
                moves = [move for move in rules.legal_moves(knowledge.view) if not is_draw(str(move))]
                for move in chance.sample(moves, min(4, len(moves))) if coach.knows_own_pieces(knowledge) else ():
                    yield from (coach.look_here_text(knowledge, move), coach.move_reason(knowledge, move))
    for value in range(-500, 500, 7):
        yield coach.value_text(value) if coach is not None else ""


@pytest.mark.parametrize("game", first_cases_fast(3, games.built_in_game_ids()))
def test_what_differs_in_numbers_alone_is_one_text(game: str) -> None:
    """A sentence that was glued together could not be translated."""
    kinds: dict[str, set[str]] = {}
    texts = 0
    for words in texts_of_random_rounds(game, example_count(10)):
        assert isinstance(words, str)
        if isinstance(words, Text):
            texts += 1
        elif re.search("[a-z]{2}", words):
            kinds.setdefault(re.sub(r"\d+", "#", words), set()).add(words)
    assert {kind: found for kind, found in kinds.items() if len(found) > 1} == {}
    assert texts > 100
