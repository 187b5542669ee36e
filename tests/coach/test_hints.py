"""Hints in parts, for every game: each part fits the panel, names legal moves, and is worth showing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest
from examples import first_cases_fast

from companion import games
from companion.coach.advice import seat_knowledge
from companion.coach.hints import MAX_COMPARED_MOVES, ONLY_MOVE_TITLE, make_hint
from companion.games.api.coach import SeatKnowledge
from companion.games.api.text import Text
from companion.languages import in_language, translate_all
from companion.languages.catalogues import available_languages
from companion.panel import widgets
from companion.panel.canvas import LINE_COLUMNS
from companion.panel.fonts import TEXT, wrap_text

LINES = 4
MOVES_PER_HINT = 9
"""One of so many moves of a round is checked."""
MOST = 3


def random_knowledge(game: str, seed: int) -> Iterator[SeatKnowledge[Any]]:
    """What the seat to move knows in some positions of a random round with all holdings open."""
    rules, entry, chance = games.load_rules(game), games.load_move_input(game), Random(seed)
    options = {name: chance.choice(list(option.values)) for name, option in games.manifest_of(game).options.items()}
    states = [rules.initial_state(2, options, rules.deal_holdings(2, options, chance.sample))]
    events: list[tuple[int, str]] = []
    while (seat := rules.seat_to_move(states[-1])) is not None:
        if len(events) % MOVES_PER_HINT == 0 and entry.due_refill(states[-1]) is None:
            yield seat_knowledge(rules, entry, states, events, seat)
        move = rules.complete_draw(states[-1], chance.choice(rules.legal_moves(states[-1])), chance.sample)
        states.append(rules.play_move(states[-1], seat, move))
        events.append((seat, str(move)))


@pytest.mark.parametrize("game", games.built_in_game_ids())
def test_the_unit_of_a_value_is_translated(game: str) -> None:
    """The words for a value are a text, whatever the value is."""
    coach = games.load_coach(game)
    values = (sign * step * 10**size for sign in (-1, 1) for size in range(9) for step in (0, 1, 2, 5))
    assert coach is None or all(isinstance(coach.value_text(value), Text) for value in values)


@pytest.mark.parametrize("game", games.built_in_game_ids())
@pytest.mark.parametrize("language", first_cases_fast(2, available_languages()))
def test_every_part_fits_the_panel(game: str, language: str, quick_coaches: None) -> None:
    """Titles are whole, and sentences take at most four lines, as do two moves with what they are worth."""
    told = 0
    for seed in range(2):
        for knowledge in islice(random_knowledge(game, seed), MOST):
            found = make_hint(game, knowledge)  # In English, as the coach speaks; it is said where it is shown.
            with in_language(language):
                shown = translate_all(found)
            for part in shown:
                assert TEXT.width(part.title) < LINE_COLUMNS - 20
                lines = [line for said in part.lines for line in wrap_text(said, TEXT, LINE_COLUMNS)]
                assert len(lines) <= LINES, part
                assert all(TEXT.width(words) <= LINE_COLUMNS for row in part.rows for words in row), part
            told += len(found)
    assert told > 5
    assert widgets.MAX_SMALL_LINES == LINES


@pytest.mark.parametrize("game", games.built_in_game_ids())
def test_its_moves_are_legal_and_differ(game: str, quick_coaches: None) -> None:
    """The moves are legal, and no two are similar; each has a reason; a single one is called the only move."""
    rules, coach = games.load_rules(game), games.load_coach(game)
    assert coach is not None
    lists = 0
    for knowledge in islice(random_knowledge(game, 5), MOST):
        choices = {
            games.load_move_input(game).move_texts(knowledge.view, knowledge.seat, move).short: coach.similarity_key(
                knowledge, move
            )
            for move in rules.legal_moves(knowledge.view)
        }
        found = make_hint(game, knowledge)
        if len(found) == 2:
            assert (found[1].title == ONLY_MOVE_TITLE) is (len(rules.legal_moves(knowledge.view)) == 1)
            assert len(set(choices.values())) == 1
            continue
        rows = [move for move, _ in found[2].rows]
        assert set(rows) <= set(choices)
        assert len({choices[move] for move in rows}) == len(rows) <= MAX_COMPARED_MOVES
        assert len(found) == 2 + len(rows)
        assert {worth for _, worth in found[2].rows[1:]} <= {found[2].rows[0][1], "good", "worse", "bad"}
        lists += 1
    assert lists


def test_progress_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """In tenths of the budget, each once; `is_stopped` ends the search with what was found by then."""
    monkeypatch.setattr(type(games.load_coach("27")), "node_budget", lambda coach, knowledge: 8_000)
    knowledge = next(random_knowledge("27", 1))
    told: list[int] = []
    make_hint("27", knowledge, report_progress=told.append)
    assert told == [*range(10, 100, 10)]
    asked: list[int] = []
    assert len(make_hint("27", knowledge, report_progress=asked.append, is_stopped=lambda: True)) > 1
    assert len(asked) < len(told)


def test_a_win_on_the_spot_is_called_so() -> None:
    """A score can be brought to 0 now, and the other moves are compared with that."""
    rules, entry = games.load_rules("prime-attactics"), games.load_move_input("prime-attactics")
    options = {"level": "full", "start": "11"}
    opened = {("deal", 1): "-1 -2 -3 +4 +5 x2 x3 D-", ("deal", 2): "+1 +2 +3 -4 -5 x4 x5 D+"}
    named = {kind: rules.parse_deal(text, kind[0], options) for kind, text in opened.items()}
    state = rules.initial_state(
        2, options, {**named, **{("rack", seat): rules.parse_deal("/2 /3 /4 /5", "rack", options) for seat in (1, 2)}}
    )
    first, second = state.sides
    state = state._replace(sides=(first._replace(score=4000), second._replace(score=3)))
    found = make_hint("prime-attactics", seat_knowledge(rules, entry, [state], [], 1))
    assert found[2].rows[0] == ("→-3", "wins")
