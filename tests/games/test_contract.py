"""What holds for every game with every option: the protocol of `companion.game`, on rounds played at random."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import games, record
from companion.game import Claim, Outcome, Refused

CODES = """
    syntax over turn held supply
    stack ten-last face-top sum drawn must-play pile must-draw
    field not-yours count overshoot
    level double-black slam-level slam-target slam-once slam-early negative inexact refill
    set adjacent anchor occupied frame touch gap vacant uneven
"""
EVENTS = ["1x1", "9x9", "seed", "draw", "draw A", "pass", "1:9", "2:45", "3:A2J7", "x3", "@/3", "x7D", "@+2/3", "/2D"]
EVENTS += ["refill", "refill +5 D-", "-1", "6-3 d4e4", "0-0 d4d5", "12-12 g7g6", "1-2 a1c3", "3-3 d4d4"]

ROUND = given(which=st.integers(0), seed=st.integers(0, 2**32), share=st.sampled_from([0, 0.5, 1, 1]))
"""Any game and options, any chance, and how likely each holding is open."""


@pytest.fixture(scope="session")
def rounds(settings_of_all_games: Any, play_round: Callable[..., Any]) -> Callable[[int, int, float], Any]:
    def play(which: int, seed: int, share: float) -> Any:
        game, options, players = settings_of_all_games[which % len(settings_of_all_games)]
        return play_round(game, options, players, random.Random(seed), share)

    return play


@pytest.mark.parametrize("game", games.GAMES)
def test_what_a_game_is_called_and_can_be_set_to(game: str) -> None:
    """A game bears its id, a name, numbers of players, options with their defaults first, and its holdings."""
    rules = games.load(game)
    assert game == rules.ID
    assert rules.NAME
    assert rules.PLAYERS[0] == 2
    assert all(len(values) > 1 and len(set(values)) == len(values) for values in rules.OPTIONS.values())
    assert rules.HOLDINGS in ((), ("deal",), ("deal", "rack"))


@ROUND
def test_deals_are_complete_and_can_be_read_again(rounds: Any, which: int, seed: int, share: float) -> None:
    """A deal fills every holding of every seat, sorted, and its written form reads back (record, deal lines)."""
    played = rounds(which, seed, share)
    rules, header = played.rules, played.header
    deals = rules.deal(header.seats, header.options, random.Random(seed).sample)
    assert set(deals) == {(kind, seat) for kind in rules.HOLDINGS for seat in range(1, header.seats + 1)}
    for (kind, seat), pieces in deals.items():
        assert len(pieces) == rules.size(kind, header.seats, header.options), seat
        assert rules.read_deal(rules.write_deal(pieces), kind, header.options) == pieces
    rules.start(header.seats, header.options, deals)


@ROUND
def test_events_written_are_events_read(rounds: Any, which: int, seed: int, share: float) -> None:
    """`read` is the inverse of `str`, for what was played and for all that could have been."""
    played = rounds(which, seed, share)
    for state in played.states[:: len(played.states) // 8 + 1]:
        for move in played.rules.moves(state):
            assert played.rules.read(str(move)) == move
    assert [played.rules.read(str(move)) for _, move in played.events] == [move for _, move in played.events]


@ROUND
def test_listed_events_are_legal_and_listed_once(rounds: Any, which: int, seed: int, share: float) -> None:
    """Whatever `moves` lists is accepted once chance has completed it, and `find` is among it."""
    played = rounds(which, seed, share)
    rules, sample = played.rules, random.Random(seed).sample
    for state in played.states[:: len(played.states) // 6 + 1]:
        listed, seat = rules.moves(state), rules.turn(state)
        assert len(set(map(str, listed))) == len(listed)
        assert listed == rules.moves(state)
        for move in listed[:: len(listed) // 40 + 1]:
            rules.play(state, seat, rules.complete(state, move, sample))
        if (found := rules.find(state)) is not None:
            rules.play(state, seat, found)
        if seat is None:
            assert not listed
            assert found is None


def refusal(rules: Any, state: Any, seat: int, text: str) -> Refused | None:
    """Why the event is refused, None where it is not."""
    try:
        rules.play(state, seat, rules.read(text))
    except Refused as refused:
        return refused
    return None


@ROUND
def test_a_refusal_changes_nothing_and_has_a_known_code(rounds: Any, which: int, seed: int, share: float) -> None:
    """A refused event leaves the position as it was, and says why in one short sentence (Common to all four)."""
    played = rounds(which, seed, share)
    chance = random.Random(seed)
    for state in played.states[:: len(played.states) // 6 + 1]:
        before, text = hash(state), repr(state)
        for event in chance.sample(EVENTS, 8):
            for seat in (0, played.rules.turn(state) or 1, 5):
                if refused := refusal(played.rules, state, seat, event):
                    assert refused.code in CODES.split()
                    assert 0 < len(refused.why) < 160
                    assert "\n" not in refused.why
        assert (hash(state), repr(state)) == (before, text)


@ROUND
def test_seats_that_are_not_to_move_are_refused_in_order(rounds: Any, which: int, seed: int, share: float) -> None:
    """`syntax` for a seat that does not exist, `over` when the round has ended, `turn` for another's turn."""
    played = rounds(which, seed, share)
    rules = played.rules
    for (_, move), state in list(zip(played.events, played.states[1:], strict=True))[-4:]:
        to_move = rules.turn(state)
        for seat in (0, *range(1, played.header.seats + 2)):
            expected = "syntax" if not 1 <= seat <= played.header.seats else "over" if to_move is None else "turn"
            if expected == "syntax" or seat != to_move:
                with pytest.raises(Refused) as caught:
                    rules.play(state, seat, move)
                # A draw of the wrong form for the hand it names is no event of that seat at all.
                assert caught.value.code in ((expected, "syntax") if rules.ID == "coral-reef" else (expected,))


def frozen(value: object) -> bool:
    """Whether a value is made of nothing but what cannot change."""
    if isinstance(value, tuple | frozenset):
        return all(map(frozen, value))
    return value is None or isinstance(value, int | str)


@ROUND
def test_positions_cannot_change(rounds: Any, which: int, seed: int, share: float) -> None:
    """A position is made of tuples, small ints and short texts, and can be hashed."""
    played = rounds(which, seed, share)
    for state in played.states[:: len(played.states) // 8 + 1]:
        assert frozen(state)
        assert isinstance(hash(state), int)
        assert not hasattr(state, "__dict__")


@ROUND
def test_what_a_seat_sees(rounds: Any, which: int, seed: int, share: float) -> None:
    """A view has the type of the position, and a view of a view shows the same (Open and sealed)."""
    played = rounds(which, seed, share)
    rules = played.rules
    for state in played.states[:: len(played.states) // 8 + 1]:
        for seat in (None, *range(1, played.header.seats + 1)):
            seen = rules.view(state, seat)
            assert type(seen) is type(state)
            assert rules.view(seen, seat) == seen
            assert rules.turn(seen) == rules.turn(state)
            assert rules.outcome(seen) == rules.outcome(state)
        assert rules.view(rules.view(state, 1), 2) == rules.view(rules.view(state, 2), 1) == rules.view(state, None)


@ROUND
def test_outcome_and_turn_agree(rounds: Any, which: int, seed: int, share: float) -> None:
    """There are winners and a reason exactly when nobody is to move, and a score for each seat always."""
    played = rounds(which, seed, share)
    for state in played.states:
        outcome = played.rules.outcome(state)
        over = played.rules.turn(state) is None
        assert isinstance(outcome, Outcome)
        assert len(outcome.scores) == played.header.seats
        assert (bool(outcome.winners), bool(outcome.reason)) == (over, over)
        assert all(1 <= seat <= played.header.seats for seat in played.rules.skipped(state))


@ROUND
def test_a_record_of_the_round_stands_and_leads_to_the_same_position(
    rounds: Any, which: int, seed: int, share: float
) -> None:
    """What is written replays to the same position, and written again it is the same text (record)."""
    played = rounds(which, seed, share)
    report = record.check(played.text)
    assert report.fault is None
    assert report.state == played.states[-1]
    assert report.start == played.states[0]
    assert list(report.events) == played.events
    assert report.header == played.header
    outcome = played.rules.outcome(report.state)
    assert record.write(report.header, report.deals, report.events, outcome) == played.text


@ROUND
@settings(max_examples=50)
def test_claims_point_at_events_of_their_seat(rounds: Any, which: int, seed: int, share: float) -> None:
    """A proven false claim names a draw or pass of its seat and an event that had been possible (False claims)."""
    played = rounds(which, seed, share)
    for claim in played.rules.claims(played.states[0], played.events):
        assert isinstance(claim, Claim)
        seat, move = played.events[claim.event]
        assert seat == claim.seat
        assert str(move) in ("draw", "pass")
        possible = played.rules.read(claim.example)
        played.rules.play(played.states[claim.event]._replace(drew=False), seat, possible)
