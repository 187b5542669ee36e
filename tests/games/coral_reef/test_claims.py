"""False claims of Coral Reef: only what a sealed hand plays later can prove one."""

from __future__ import annotations

import itertools
import random
import time

import pytest
from examples import example_count
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.api import Claim, RefusedError
from companion.games.coral_reef.moves import Move
from companion.games.coral_reef.rules import RULES
from companion.games.coral_reef.state import State

ORDER = "A23456789TJQK"
WORTH = dict(zip(ORDER, [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, -1, -2, -3], strict=True))
Events = list[tuple[int, Move]]


def claims(*lines: str, first: str = "", pile: int = 84) -> list[str]:
    """The proven claims as ``number of the line: seat example``, with both hands sealed or the first one as given.

    "or so" means that some move was possible whatever was drawn, but not necessarily this one.
    """
    deals = {("deal", 1): tuple(first)} if first else {}
    start = RULES.initial_state(2, {}, deals)._replace(deck=pile)
    events = [(int(line[0]), RULES.parse_move(line[3:])) for line in lines]
    return [
        f"{event}: {seat} {example}{'' if sure else ' or so'}"
        for event, seat, example, sure in RULES.false_claims(start, events)
    ]


def test_a_seed_that_was_held() -> None:
    """Two nines after a single draw: one of them was held, and a nine is always a valid move."""
    lines = ["1: draw", "1: 1:9", "2: 1:9"]
    assert claims(*lines) == []
    assert claims(*lines, "1: 1:9") == ["0: 1 seed"]


def test_a_draw_explains_a_later_coral() -> None:
    """A coral placed right after the draw may have been drawn, so the draw was no false claim."""
    assert claims("1: draw", "1: 1:9") == []
    assert claims("1: draw", "1: 1:54") == []


def test_a_pass_claims_for_the_hand_after_the_draw() -> None:
    """The coral that was drawn is in the hand about which the following pass makes its claim."""
    assert claims("1: draw", "1: pass", "2: 1:9", "1: 1:9") == ["1: 1 seed"]


def test_a_play_that_was_held() -> None:
    """One draw can explain 5 4 or 6 3 on a nine, but not both."""
    lines = ["1: draw", "1: 1:54", "2: 2:9"]
    assert claims(*lines) == []
    assert claims(*lines, "1: 3:63") == ["0: 1 1:45 or so"]
    assert claims(*lines, "1: draw", "1: 3:63") == []


def test_face_cards_and_tens_count_as_placed() -> None:
    """Corals that add up only with their face cards prove a claim false. A ten neither proves nor explains anything."""
    lines = ["1: draw", "1: 1:8J2T", "2: 2:9"]
    assert claims(*lines) == []
    assert claims(*lines, "1: 2:K57") == ["0: 1 1:2J8 or so"]
    assert claims("1: draw", "1: 1:9", "2: draw", "2: 2:63T", "1: 2:46T") == []


def test_a_claim_is_tested_with_the_tops_at_its_time() -> None:
    """A coral that fits only a later top proves nothing."""
    assert claims("1: draw", "1: pass", "2: 1:27", "1: 1:43", "2: 1:3", "1: 1:3") == []


def test_the_fifth_draw_ends_the_proof() -> None:
    """Corals placed after the fifth draw do not count against a claim; the claim's own draw is the first."""
    other = ["2: draw", "2: pass"]
    lines = ["1: draw", "1: pass", *other] * 4
    for play in ("1: 1:A8", "1: 2:27", "1: 3:36", "1: 4:54"):
        lines += [play, *other]
    assert not [claim for claim in claims(*lines) if claim.startswith("0: ")]
    assert claims(*lines, "1: seed")[0] == "0: 1 1:27 or so"
    late = claims(*lines, "1: draw", "1: seed", *other, "1: 5:9")
    assert late[0].startswith("1: ")  # the draw before that pass is out of reach


def test_an_empty_deck_leaves_no_explanation() -> None:
    """After a pass with an empty deck no draw can explain a nine."""
    assert claims("1: pass", "2: 1:9", "1: 1:9", pile=0) == ["0: 1 seed"]


def test_an_open_hand_claims_nothing() -> None:
    """An open hand makes no claims, and its draws explain nothing about the sealed hand."""
    lines = ["1: draw 4", "2: draw", "2: pass", "1: draw 4", "2: 1:54"]
    assert claims(*lines, first="TTTTKKQQ") == ["2: 2 1:45"]


def test_each_seat_explains_its_own() -> None:
    """Draws of the other seat explain nothing."""
    lines = ["1: draw", "1: pass", "2: draw", "2: pass", "1: 1:9", "2: 1:9"]
    assert claims(*lines) == ["1: 1 seed", "3: 2 seed"]


def test_events_must_be_legal() -> None:
    """Illegal events have no claims to be found."""
    with pytest.raises(RefusedError):
        RULES.false_claims(RULES.initial_state(2, {}, {}), [(1, RULES.parse_move("pass"))])


def playable(corals: list[str], tops: tuple[int, ...]) -> bool:
    """Try every choice of corals: is there a nine, or do some add up to a top?"""
    sums = {0}
    for coral in corals:
        sums |= {total + WORTH[coral] for total in sums}
    return "9" in corals or any(top in sums for top in tops)


def honest(own: Events, tops: tuple[int, ...]) -> bool:
    """Try every coral for every draw: is there a choice that leaves nothing playable? `own` starts with the claim."""
    placed: list[str] = []
    spans: list[int] = []  # of each draw, how many corals had been placed before it
    for _, move in own:
        if move.kind == "draw":
            if len(spans) == 4:
                break
            spans.append(len(placed))
        placed += {"play": list(move.corals), "seed": ["9"]}.get(move.kind, [])
    choices = [[None, *range(span, len(placed))] for span in spans]
    for chosen in itertools.product(*choices):
        taken = [index for index in chosen if index is not None]
        if len(set(taken)) == len(taken):
            rest = [coral for index, coral in enumerate(placed) if index not in taken]
            if not playable(rest, tops):
                return True
    return False


def sealed_round(chance: random.Random, length: int, pile: int) -> tuple[State, Events]:
    """A legal round of sealed hands that draw, pass and play at random, mostly such that claims are proven false."""
    state = start = RULES.initial_state(2, {}, {})._replace(deck=pile)
    events: Events = []
    while len(events) < length and state.to_move is not None:
        move = RULES.legal_moves(state)[0]
        if chance.random() < 0.55:
            corals = "".join(chance.choices("A2345678JQK" + "9T" * chance.randint(0, 1), k=chance.choice([1, 2, 2, 3])))
            fits = [stack for stack, top in enumerate(state.tops, 1) if top == sum(WORTH[coral] for coral in corals)]
            move = Move("play", chance.choice(fits), corals) if fits else move
        try:
            after = RULES.play_move(state, state.to_move, move)
        except RefusedError:
            continue
        events.append((state.to_move, move))
        state = after
    return start, events


@settings(max_examples=example_count(120), deadline=None)
@given(st.randoms(use_true_random=False), st.integers(0, 12))
def test_as_by_trying_every_explanation(chance: random.Random, pile: int) -> None:
    """Exactly those claims are proven false that no assignment of draws to corals explains."""
    start, events = sealed_round(chance, 14, pile)
    expected = []
    examples = {}
    state = start
    for index, (seat, move) in enumerate(events):
        if move.kind in ("draw", "pass"):
            own = [event for event in events[index:] if event[0] == seat]
            if not honest(own, state.tops):
                expected.append((index, seat))
                examples[index] = state
        state = RULES.play_move(state, seat, move)
    found = RULES.false_claims(start, events)
    assert [claim[:2] for claim in found] == expected
    for claim in found:
        could_place(claim, examples[claim.event])


def could_place(claim: Claim, state: State) -> None:
    """Whether the example is legal in the position of the claim."""
    assert RULES.play_move(state, claim.seat, RULES.parse_move(claim.example))


def test_claims_of_long_rounds_are_tested_quickly() -> None:
    """Testing the claims of a whole round of sealed hands takes well under a second."""
    chance = random.Random(7)
    rounds = [sealed_round(chance, 400, 84) for _ in range(5)]
    began = time.process_time()
    found = sum(len(RULES.false_claims(start, events)) for start, events in rounds)
    assert found > 20
    assert time.process_time() - began < 5
