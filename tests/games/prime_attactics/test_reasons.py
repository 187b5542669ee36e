"""The words of hints in Prime Attactics: their numbers are right, they fit the panel, and they reveal nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from companion.games.api.coach import SeatKnowledge
from companion.games.prime_attactics import state as positions
from companion.games.prime_attactics import tiles
from companion.games.prime_attactics.coach import COACH
from companion.games.prime_attactics.move_input import MOVE_INPUT
from companion.games.prime_attactics.rules import NO_REFILL, RULES
from companion.games.prime_attactics.state import State
from companion.games.prime_attactics.tiles import Play
from companion.panel import widgets
from companion.panel.canvas import Canvas
from companion.panel.fonts import TEXT, wrap_text

EDGE = widgets.draw_page_bar(Canvas(), 0, 5)
LINES = 4
CHECKED_MOVES = 3
"""The number of moves of a position that are checked."""
HANDS = {("deal", 1): "+5 +2 +3 -4 -1 x2 x7 Dx", ("rack", 1): "/2 /3 /4 /5",
         ("deal", 2): "+7 D+ -5 -7 D- x3 x6 Dx", ("rack", 2): "/2 /3 /5 /7"}  # fmt: skip


def position(own: int, other: int, **hands: str) -> State:
    """Seat 1 to move with these two scores, everything open; `deal2="…"` replaces a holding."""
    named = HANDS | {(kind[:-1], int(kind[-1])): text for kind, text in hands.items()}
    state = RULES.initial_state(2, {}, {key: RULES.parse_deal(text, key[0], {}) for key, text in named.items()})
    first, second = state.sides
    return state._replace(sides=(first._replace(score=own), second._replace(score=other)))


def hint_texts(state: State, text: str) -> tuple[str, str]:
    """Where to look, and the reason, for a move of seat 1."""
    view, move = RULES.seat_view(state, 1), RULES.parse_move(text)
    assert isinstance(move, Play)
    return COACH.look_here_text(SeatKnowledge(1, view, ()), move), COACH.move_reason(SeatKnowledge(1, view, ()), move)


@pytest.mark.parametrize(
    ("own", "other", "move", "look_at", "reason"),
    [
        (32, 22, "+2", "Bring your own score from 32 to 34. How?",
         "Your 32+2 = 34: then 34 against 22. They may divide 34 by 2."),
        (32, 22, "x2", "Bring your own score from 32 to 64. How?",
         "Your 32×2 = 64: then 64 against 22. They may divide 64 by 2 or 4."),
        (154, 22, "+3", "Bring your own score from 154 to 157. How?",
         "Your 154+3 = 157: then 157 against 22. They can't divide 157."),
        (64, 66, "@/3", "Bring the other score from 66 to 22. How?",
         "The other's 66÷3 = 22: then 64 against 22. Their best open tile: 22×6×2 = 264."),
        (9, 11, "-4", "Bring your own score from 9 to 5. How?",
         "Your 9-4 = 5: then 5 against 11. Their best open tile: your 5-5 = 0."),
        (9, 10, "@+2/3", "Bring the other score from 10 to 4. How?",
         "Slam dunk: the other's (10+2)÷3 = 4: then 9 against 4."),
        (64, 4, "@-4", "The other score can be brought to 0.", "The other's 4-4 = 0: you win."),
        (4, 64, "-4", "Your own score falls to 0: you lose.", "Your 4-4 = 0: you lose."),
    ],
)  # fmt: skip
def test_each_reason_has_the_numbers_that_decide(own: int, other: int, move: str, look_at: str, reason: str) -> None:
    """Both scores, what divides the own one, and the best open reply, worked out by hand."""
    assert hint_texts(position(own, other), move) == (look_at, reason)


def test_without_black_tiles_no_division_is_mentioned() -> None:
    """If the other player has no black tile left, the reason has only the open reply."""
    state = position(154, 22)
    first, second = state.sides
    bare = state._replace(sides=(first, second._replace(rack=second.rack._replace(size=0, pieces=()), unseen_black=())))
    assert hint_texts(bare, "+3")[1] == "Your 154+3 = 157: then 157 against 22. Their best open tile: 22×6×2 = 264."


def random_views(seed: int) -> Iterator[tuple[State, int]]:
    """What the seat to move knows in the positions of a random round with everything open."""
    chance = Random(seed)
    options = {"level": chance.choice(("full", "easy")), "start": chance.choice(("11", "19"))}
    state = RULES.initial_state(2, options, RULES.deal_holdings(2, options, chance.sample))
    while not state.end_reason:
        if state.due_refill == NO_REFILL:
            yield state, state.to_move
        move = RULES.complete_draw(state, chance.choice(RULES.legal_moves(state)), chance.sample)
        state = RULES.play_move(state, state.to_move, move)


@pytest.mark.parametrize("seed", range(3))
def test_every_hint_fits_and_is_right(seed: int) -> None:
    """For some moves of every position: at most four lines, and exactly those divisors that are not played yet."""
    kinds: Counter[str] = Counter()
    for state, seat in random_views(seed):
        view = RULES.seat_view(state, seat)
        unplayed = {
            tile[1:] for tile in map(tiles.tile_text, positions.unplayed_tiles(state, 3 - seat)) if tile[0] == "/"
        }
        plays = [move for move in RULES.legal_moves(view) if isinstance(move, Play)]
        for move in Random(seed).sample(plays, min(CHECKED_MOVES, len(plays))):
            said = COACH.move_reason(SeatKnowledge(seat, view, ()), move)
            for words in (said, COACH.look_here_text(SeatKnowledge(seat, view, ()), move)):
                assert len(wrap_text(words, TEXT, EDGE)) <= LINES, words
            if found := re.search(r"They (?:can't|may) divide (\d+)(?: by ([2-7, or]+))?\.", said):
                right = sorted(number for number in unplayed if int(found[1]) % int(number) == 0)
                assert re.findall(r"\d", found[2] or "") == right
                kinds["divided" if right else "prime"] += 1
            kinds["answered"] += "Their best open tile" in said
        assert len(wrap_text(MOVE_INPUT.suggested_move_text(state), TEXT, EDGE)) <= LINES, (
            MOVE_INPUT.suggested_move_text(state)
        )
    assert min(kinds["divided"], kinds["prime"], kinds["answered"]) > 0


def test_hidden_tiles_change_no_word() -> None:
    """Two racks of the other seat lead to the same words, and so do both views of them."""
    one, two = position(32, 22), position(32, 22, rack2="/2 /4 /6 /7")
    moves = [move for move in RULES.legal_moves(RULES.seat_view(one, 1)) if isinstance(move, Play)]
    assert len(moves) > 9
    for move in moves:
        assert hint_texts(one, str(move)) == hint_texts(two, str(move))
