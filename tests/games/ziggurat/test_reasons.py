"""The words of hints in Ziggurat: their numbers are right, they fit the panel, and they reveal no hidden domino."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest
from examples import first_cases_fast

from companion.coach.advice import advise, seat_knowledge
from companion.coach.search import Budget
from companion.games.ziggurat import GAME, rules
from companion.games.ziggurat.coach import COACH
from companion.games.ziggurat.move_input import MOVE_INPUT
from companion.games.ziggurat.pieces import Move, dominoes_of_set
from companion.games.ziggurat.rules import RULES
from companion.games.ziggurat.state import State
from companion.panel import widgets
from companion.panel.canvas import Canvas
from companion.panel.fonts import TEXT, wrap_text

EDGE = widgets.draw_page_bar(Canvas(), 0, 5)
LINES = 4
CHECKED_MOVES = 3
"""The number of moves of a position that are checked."""


def random_knowledge(options: dict[str, str], players: int, seed: int) -> Iterator[Any]:
    """What the seat to move knows in each position of a random round with all hands open."""
    chance = Random(seed)
    state = RULES.initial_state(players, options, RULES.deal_holdings(players, options, chance.sample))
    while state.to_move is not None:
        yield seat_knowledge(RULES, MOVE_INPUT, [state], [], state.to_move)
        state = RULES.play_move(state, state.to_move, chance.choice(RULES.legal_moves(state)))


def unseen_dominoes(view: State, seat: int) -> list[tuple[int, int]]:
    """The dominoes that are neither on the table nor in the seat's own hand."""
    seen = {*view.played_dominoes, *(view.hands[seat - 1].pieces or ())}
    pips = range(view.highest_pip + 1)
    return [domino for domino in product(pips, pips) if domino[0] <= domino[1] and domino not in seen]


def scoring_next(state: State, view: State, seat: int) -> tuple[int, int, int]:
    """By the rules alone: how many unseen dominoes could score, of how many, and the most points of one."""
    left = unseen_dominoes(view, seat)
    ways = [way for place in rules.free_pairs(state) for way in (place, place[::-1])]
    points = [max(rules.score_of_play(state, Move(*domino, *way)).points for way in ways) for domino in left]
    return sum(map(bool, points)), len(left), max(points, default=0)


@pytest.mark.parametrize(
    ("players", "top", "base"), first_cases_fast(1, [(2, "6", "solid"), (2, "9", "cutup"), (4, "12", "solid")])
)
def test_every_hint_fits_and_is_right(players: int, top: str, base: str) -> None:
    """For some moves of every position: at most four lines, the totals, and what can be scored after the move."""
    kinds: Counter[str] = Counter()
    for knowledge in random_knowledge({"set": top, "base": base}, players, 7):
        view, seat, moves = knowledge.view, knowledge.seat, RULES.legal_moves(knowledge.view)
        for move in Random(1).sample(moves, min(CHECKED_MOVES, len(moves))):
            after, points = RULES.play_move(view, seat, move), rules.score_of_play(view, move).points
            reason, looks = COACH.move_reason(knowledge, move), COACH.look_here_text(knowledge, move)
            for words in (reason, looks):
                assert len(wrap_text(words, TEXT, EDGE)) <= LINES, words
                assert len(words) <= 80, words
            assert str(move).split()[0] not in looks
            totals = re.search(r"scores (\d+): (\d+) to (\d+)\.", reason)
            assert totals is not None
            assert int(totals[1]) == points
            assert int(totals[2]) == view.scores[seat - 1] + points
            if after.to_move is None:
                assert reason.endswith("That ends the round.")
                continue
            count, all_, most = scoring_next(after, view, seat)
            if found := re.search(r"(\d+) of (\d+) unseen(?: dominoes)? can score(?:, up to (\d+))?\.", reason):
                assert tuple(map(int, found.groups(str(most)))) == (count, all_, most)
                kinds["answers"] += 1
            elif "no unseen domino" in reason:
                assert count == 0
            else:
                assert "1 place is left" in reason
            if "level" in reason and "1 place is left" not in reason:
                assert f"level {after.level}:" in reason
                assert after.level > view.level
            if points:
                assert looks.startswith(f"One of your dominoes scores {points} at ")
            else:
                told = [int(number) for number in re.findall(r"(?<![a-g])\d+", looks)]
                assert count in told
                assert all_ in told
            kinds["points" if points else "none"] += 1
    assert min(kinds["answers"], kinds["points"], kinds["none"]) > 0


def test_who_leaves_one_place_starts_the_next_level() -> None:
    """That holds whatever the other player lays there, with any domino that may be in the hand."""
    found = 0
    for seed in range(6):
        for knowledge in random_knowledge(GAME.option_defaults, 2, seed):
            for move in RULES.legal_moves(knowledge.view)[:: max(1, len(RULES.legal_moves(knowledge.view)) // 9)]:
                said = re.search(r"Then 1 place is left: you start level (\d+)\.", COACH.move_reason(knowledge, move))
                if said is None:
                    continue
                after = RULES.play_move(knowledge.view, knowledge.seat, move)
                for domino in unseen_dominoes(knowledge.view, knowledge.seat)[::4]:
                    filled = RULES.play_move(after, 3 - knowledge.seat, Move(*domino, *rules.free_pairs(after)[0]))
                    assert (filled.to_move, filled.level) == (knowledge.seat, int(said[1]))
                found += 1
    assert found > 3


@pytest.mark.parametrize("seed", range(3))
def test_the_first_domino_is_one_that_few_others_match(seed: int) -> None:
    """The first hint of a round says how many unseen dominoes could score after the move."""
    knowledge = next(random_knowledge(GAME.option_defaults, 2, seed))
    best = advise(COACH, knowledge, Budget(300)).ranked_moves[0].move
    fewest = min(
        scoring_next(RULES.play_move(knowledge.view, 1, move), knowledge.view, 1)[0]
        for move in RULES.legal_moves(knowledge.view)
    )
    assert COACH.look_here_text(knowledge, best) == (
        f"Nothing scores yet. After one of yours {fewest} of 14 unseen dominoes can score."
    )


def test_hidden_hands_change_no_word() -> None:
    """Another hand of the other player, and other dominoes out of the game, lead to the same words."""
    options = {"set": "9", "base": "solid"}
    deals = RULES.deal_holdings(2, options, Random(3).sample)
    others = [domino for domino in dominoes_of_set(9) if domino not in deals["deal", 1]]
    words = []
    for hand in (others[: len(deals["deal", 2])], others[-len(deals["deal", 2]) :]):
        state = RULES.initial_state(2, options, {("deal", 1): deals["deal", 1], ("deal", 2): tuple(hand)})
        knowledge = seat_knowledge(RULES, MOVE_INPUT, [state], [], 1)
        moves = RULES.legal_moves(knowledge.view)[::20]
        words.append([(COACH.look_here_text(knowledge, move), COACH.move_reason(knowledge, move)) for move in moves])
    assert words[0] == words[1]
    assert len(words[0]) > 3
