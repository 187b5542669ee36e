"""The coach of Prime Attactics: what is certain without a pile, and that a score of 0 ends the round."""

from __future__ import annotations

from random import Random

from companion.coach.advice import advise, seat_knowledge
from companion.coach.search import Budget
from companion.games.prime_attactics import tiles
from companion.games.prime_attactics.coach import COACH, WIN_VALUE
from companion.games.prime_attactics.move_input import MOVE_INPUT
from companion.games.prime_attactics.rules import RULES
from companion.games.prime_attactics.state import State


def position_without_pile(chance: Random, left: int) -> State:
    """A position with `left` tiles on each display, one in each rack, and empty piles."""
    state = RULES.initial_state(2, {}, RULES.deal_holdings(2, {}, chance.sample))
    sides = []
    for side in state.sides:
        display = side.display._replace(size=left, pieces=(side.display.pieces or ())[:left])
        rack = side.rack._replace(size=1, pieces=(side.rack.pieces or ())[:1])
        sides.append(
            side._replace(score=chance.randint(2, 30), display=display, rack=rack, unseen_coloured=(), unseen_black=())
        )
    return state._replace(sides=(sides[0], sides[1]))


def solve(state: State, seat: int) -> int:
    """The value of a position for a seat under best play, by the rules and an exhaustive search."""
    turn = RULES.seat_to_move(state)
    if turn is None:
        winners = RULES.outcome(state).winners
        return 0 if len(winners) == 2 else WIN_VALUE if winners == (seat,) else -WIN_VALUE
    values = [solve(RULES.play_move(state, turn, move), seat) for move in RULES.legal_moves(state)]
    return max(values) if turn == seat else min(values)


def test_an_empty_pile_makes_values_certain() -> None:
    """The other player's unplayed black tiles are all in the rack then, so the end is proven."""
    for seed in range(12):
        state = position_without_pile(Random(seed), 1)
        knowledge = seat_knowledge(RULES, MOVE_INPUT, [state], [], 1)
        if RULES.find_legal_move(state) is None:
            continue
        assert COACH.is_exact(knowledge)
        assert COACH.sample_world(knowledge, Random(seed).sample).sides == state.sides
        ranked = advise(COACH, knowledge, Budget(20_000)).ranked_moves
        assert ranked[0].low == ranked[0].high == solve(state, 1)


def test_a_score_of_nought_is_found_and_certain() -> None:
    """A blue tile as high as the other score wins at once, whatever is hidden."""
    found = 0
    for seed in range(60):
        state = RULES.initial_state(2, {}, RULES.deal_holdings(2, {}, Random(seed).sample))
        blue = next((tile for tile in state.sides[0].display.pieces or () if tiles.tile_text(tile)[0] == "-"), None)
        if blue is None:
            continue
        number = int(tiles.tile_text(blue)[1:])
        state = state._replace(sides=(state.sides[0], state.sides[1]._replace(score=number)))
        knowledge = seat_knowledge(RULES, MOVE_INPUT, [state], [], 1)
        top = advise(COACH, knowledge, Budget(100)).ranked_moves[0]
        assert (top.value, top.low, top.high) == (WIN_VALUE,) * 3
        assert COACH.look_here_text(knowledge, top.move) == "The other score can be brought to 0."
        found += 1
        if found == 5:
            break
    assert found == 5
