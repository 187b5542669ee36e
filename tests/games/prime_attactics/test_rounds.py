"""What always holds in Prime Attactics, over random rounds with any holdings sealed, and the counted lines of play."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest
from examples import example_count
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.api import RefusedError
from companion.games.prime_attactics import GAME, tiles
from companion.games.prime_attactics import state as positions
from companion.games.prime_attactics.rules import RULES
from companion.games.prime_attactics.tiles import Pass, Refill

COUNTS = Path(__file__).with_name("counts.txt")
ALL = tuple(product(GAME.holdings, (1, 2)))


def random_round(seed, open_to, options, length):
    """A random round: the true position and the referee's position after each event.

    The true one has every holding open. The referee knows only those in `open_to`, and gets the passes.
    """
    chance = random.Random(seed)
    deals = RULES.deal_holdings(2, options, chance.sample)
    truth = RULES.initial_state(2, options, deals)
    state = RULES.initial_state(2, options, {key: deals[key] for key in open_to})
    state = state_after_passes(state, truth)
    yield truth, state
    while (seat := RULES.seat_to_move(truth)) is not None and length > 0:
        length -= 1
        move = RULES.complete_draw(truth, chance.choice(RULES.legal_moves(truth)), chance.sample)
        truth = RULES.play_move(truth, seat, move)
        if isinstance(move, Refill):
            kinds = [kind for kind in GAME.holdings if (kind, seat) in open_to]
            seen = [tile for tile in move.tiles if ("rack" if tiles.tile_text(tile)[0] == "/" else "deal") in kinds]
            move = Refill(tuple(seen))
        if move != Refill():
            state = RULES.play_move(state, seat, move)
        state = state_after_passes(state, truth)
        yield truth, state


def state_after_passes(state, truth):
    """The referee's position after the passes of seats that missed a turn without its knowing."""
    while state.turns < truth.turns and not state.end_reason:
        state = RULES.play_move(state, RULES.seat_to_move(state), Pass())
    return state


def sizes(state):
    return [(side.display.size, side.rack.size) for side in state.sides]


any_round = st.tuples(
    st.integers(0, 2**32),
    st.sets(st.sampled_from(ALL)),
    st.fixed_dictionaries(
        {"level": st.sampled_from(GAME.option_values["level"]), "start": st.sampled_from(["11", "19"])}
    ),
)


@settings(max_examples=example_count(60), deadline=None)
@given(any_round)
def test_open_or_sealed_is_the_same_round(drawn):
    """What is legal with every holding open is legal with any of them sealed, with the same end; every round ends."""
    for truth, state in random_round(*drawn, length=200):
        assert RULES.outcome(state) == RULES.outcome(truth)
        # A sealed holding restocks at once, an open one by its refill.
        if truth.due_refill == (0, 0):
            assert sizes(state) == sizes(truth)
        assert positions.unplayed_tiles(state, 1) == positions.unplayed_tiles(truth, 1)
    assert truth.end_reason
    assert (truth.turns, truth.missed_turns) == (state.turns, state.missed_turns)


NUMBERS = [f"{sign}{number}" for sign in "+-x/" for number in range(9)]
SPACE = [
    RULES.parse_move(f"{aim}{tile}{then}")
    for aim in ("", "@")
    for tile in NUMBERS
    for then in ("", "D", *([f"/{number}" for number in range(9)] if tile[0] in "+-" else ()))
] + [RULES.parse_move(text) for text in ("pass", "refill", "refill +1", "refill D-", "refill /2", "refill +1 /2")]
"""Every play that can be written with numbers to 8, and some other events."""


@settings(max_examples=example_count(25), deadline=None)
@given(any_round, st.integers(0, 60))
def test_moves_are_what_is_accepted(drawn, length):
    """The moves of an open seat are exactly those accepted; a sealed holding adds only what it may contain."""
    *_, (_, state) = random_round(*drawn, length=length)
    before, seat = repr(state), RULES.seat_to_move(state)
    listed = RULES.legal_moves(state)
    accepted = set()
    for move in SPACE:
        try:
            RULES.play_move(state, seat or 1, move)
        except RefusedError:
            continue
        accepted.add(move)
    assert repr(state) == before
    assert len(listed) == len(set(listed))
    if state.due_refill != (0, 0):
        assert listed == [Refill()]
        assert all(isinstance(move, Refill) and move.tiles for move in accepted)
        return
    side = state.sides[state.to_move - 1]
    known = set((side.display.pieces or ()) + (side.rack.pieces or ()))
    judged = {move for move in accepted if move == Pass() or known.issuperset(filter(None, move[1:]))}
    assert set(listed) == judged
    found = RULES.find_legal_move(state)
    assert found in listed if set(listed) - {Pass()} else found is None


@settings(max_examples=example_count(25), deadline=None)
@given(any_round, st.integers(0, 60), st.sampled_from((1, 2, None)))
def test_view_hides_racks(drawn, length, seat):
    """A player's view has the other rack sealed and is the same whatever that rack holds; displays are visible."""
    *_, (_, state) = random_round(*drawn, length=length)
    view = RULES.seat_view(state, seat)
    for owner in (1, 2):
        assert view.sides[owner - 1].display == state.sides[owner - 1].display
        rack = view.sides[owner - 1].rack
        assert rack == state.sides[owner - 1].rack if owner == seat else rack.pieces is None
    hidden = {("rack", owner) for owner in (1, 2) if owner != seat}
    *_, (_, blind) = random_round(drawn[0], drawn[1] - hidden, drawn[2], length=length)
    if blind.due_refill == state.due_refill:
        assert view.sides == blind.sides
    assert RULES.seat_view(view, seat) == view


@settings(max_examples=example_count(50), deadline=None)
@given(
    st.sampled_from(SPACE)
    | st.lists(st.sampled_from([*NUMBERS, "D+", "D-", "Dx"])).map(lambda t: " ".join(["refill", *t]))
)
def test_read_is_the_inverse_of_str(move):
    """The short written form is parsed as the same move."""
    move = RULES.parse_move(move) if isinstance(move, str) else move
    assert RULES.parse_move(str(move)) == move
    assert RULES.parse_move(str(move).upper()) == move


def paths(state, depth):
    """The lines of `depth` events; a refill draws the first tiles that the pile may have."""
    if depth == 0 or state.end_reason:
        return depth == 0
    seat = state.to_move
    if isinstance(RULES.legal_moves(state)[0], Refill):
        depth -= 1
        return paths(
            RULES.play_move(state, seat, RULES.complete_draw(state, Refill(), lambda pile, n: pile[:n])), depth
        )
    if depth == 1:
        return len(RULES.legal_moves(state))
    return sum(paths(RULES.play_move(state, seat, move), depth - 1) for move in RULES.legal_moves(state))


def counts():
    """The lines of the counts file: options, deals, depth, count."""
    lines = [line for line in COUNTS.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    assert lines
    return [tuple(part.strip() for part in line.split("|")) for line in lines]


@pytest.mark.parametrize(("options", "deals", "depth", "count"), counts())
def test_numbers_of_lines(options, deals, depth, count):
    """The number of lines from fixed positions to a fixed depth equals the one on file."""
    chosen, dealt = dict(pair.split("=") for pair in options.split()), {}
    for deal in filter(None, deals.split(";")):
        name, _, text = deal.partition(":")
        kind, seat = name.split()
        dealt[kind, int(seat)] = RULES.parse_deal(text, kind, chosen)
    assert paths(RULES.initial_state(2, chosen, dealt), int(depth)) == int(count)
