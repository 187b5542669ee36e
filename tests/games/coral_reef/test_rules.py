"""Coral Reef, ruling by ruling: every refusal, every turn that ends by itself, every secret."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from examples import example_count
from hypothesis import given
from hypothesis import strategies as st

from companion.games.api import Holding, Outcome, RefusedError
from companion.games.coral_reef.moves import DRAW, SEED, Move
from companion.games.coral_reef.rules import RULES
from companion.games.coral_reef.state import State
from companion.games.coral_reef.sums import CORAL_VALUES, bag_of, can_move, corals_of, find_play

HANDS = {("deal", 1): tuple("A2357TJK"), ("deal", 2): tuple("44668899")}
TABLE = Path(__file__).with_name("counts.txt")


def begin(deals: dict[tuple[str, int], tuple[str, ...]] | None = None, form: str = "cards") -> State:
    return RULES.initial_state(2, {"form": form}, deals or {})


def after(state: State, *lines: str) -> State:
    for line in lines:
        seat, text = line.split(": ")
        state = RULES.play_move(state, int(seat), RULES.parse_move(text))
    return state


def position(first: str | int, second: str | int, tops: tuple[int, ...], pile: int, **more: Any) -> State:
    """A position; open hands are given by their corals and sealed ones by their size."""
    hands = tuple(bag_of(hand) if isinstance(hand, str) else None for hand in (first, second))
    sizes = tuple(len(hand) if isinstance(hand, str) else hand for hand in (first, second))
    loose = 8 * bag_of("A23456789TJQK") - sum(bag or 0 for bag in hands) - 4 * bag_of("9")
    return State("cards", tops, sizes, hands, loose, pile, **more)


def refusal(state: State, seat: int, text: str) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        RULES.play_move(state, seat, RULES.parse_move(text))
    return caught.value


OPEN = begin(HANDS)
SEALED = begin()
STUCK = position("KKT", "4466", (9, 9, 9, 9), 5)
POSITIONS = {
    "open": OPEN,
    "sealed": SEALED,
    "tiles": begin(form="tiles"),
    "drew": after(SEALED, "1: draw"),
    "nines out": after(SEALED, "1: seed", "2: 1:9", "1: seed", "2: 5:9"),
    "aces out": begin({("deal", 2): tuple("AAAAAAAA")}),
    "stuck": STUCK,
    "stuck no more": after(STUCK, "1: draw 9"),
    "ten on ten": position("TT", 2, (10,), 5),
    "a nine": position("9TT", 2, (10,), 5),
    "no pile": position(3, 3, (9,), 0),
    "no nine left": position("KKT", "99994466", (9,), 5),
    "over": position("", 3, (9,), 5, to_move=None),
}
REFUSALS = """
sealed, 3: pass > syntax: seat 3, the seats are 1 to 2: there is no such seat
sealed, 0: pass > syntax: seat 0, the seats are 1 to 2: there is no such seat
open, 1: draw > syntax: draw which?, the hand is open: name the coral you drew
open, 2: draw > syntax: draw which?, the hand is open: name the coral you drew
sealed, 2: draw 7 > syntax: draw, the hand is sealed: don't name the coral
tiles, 2: 9:J > syntax: no face cards: tiles go from 0 to 9, with no J, Q or K
tiles, 1: draw J > syntax: no face cards: tiles go from 0 to 9, with no J, Q or K
over, 2: draw 7 > syntax: draw, the hand is sealed: don't name the coral
over, 2: 1:9 > over: the round is over: no more moves can be made
open, 2: 9:5 > turn: seat 2, seat 1 is to move: wait for your turn
open, 1: 5:72 > stack: stack 5, the stacks are 1 to 4: there is no such stack
open, 1: 0:Q > stack: stack 0, the stacks are 1 to 4: there is no such stack
open, 1: 1:45 > held: no 4 in hand: play only what you hold
open, 1: 1:77 > held: 7 twice, seat 1 has fewer: play only what you hold
open, 1: 1:T4 > held: no 4 in hand: play only what you hold
sealed, 1: 1:AAAAAAAAA > held: 9 corals, the hand has only 8: play only what you hold
sealed, 1: 1:99999 > supply: no 9 left: all eight have been seen
aces out, 1: 1:8A > supply: no ace left: all eight have been seen
nines out, 1: 1:9AAAAAA > supply: no 9 left: all eight have been seen
nines out, 1: 1:AAAAAA9 > held: 7 corals, the hand has only 6: play only what you hold
open, 1: 1:T27 > ten-last: a ten not last: a ten must come last, so you can place only one
sealed, 1: 1:TT > ten-last: a ten not last: a ten must come last, so you can place only one
open, 1: 1:TJ > ten-last: a ten not last: a ten must come last, so you can place only one
open, 1: 1:27J > face-top: a jack on top: a face card must not end up on top
sealed, 1: 1:Q > face-top: a queen on top: a face card must not end up on top
open, 1: 4:25 > sum: 2+5 = 7, stack 4 needs 9
open, 1: 1:J573 > sum: -1+5+7+3 = 14, stack 1 needs 9
open, 1: 1:7 > sum: 7 on stack 1, the top is 9
open, 1: 1:KJA2357 > sum: 14, stack 1 needs 9
open, 1: 1:7T > sum: 7+0 = 7, stack 1 needs 9: a ten adds 0; it is 10 only on top
ten on ten, 1: 1:T > sum: ten on stack 1, the top is 10: a ten adds 0; it is 10 only on top
open, 1: seed > held: no 9 in hand: play only what you hold
nines out, 1: seed > supply: no 9 left: all eight have been seen
drew, 1: draw > drawn: already drawn: draw only one coral a turn, then play or pass
stuck no more, 1: draw 9 > drawn: already drawn: draw only one coral a turn, then play
open, 1: draw 7 > must-play: you can move: draw or pass only when nothing fits and you hold no nine
a nine, 1: draw 7 > must-play: you can move: draw or pass only when nothing fits and you hold no nine
no pile, 1: draw > pile: empty deck, nothing is left to draw: play or pass
no nine left, 1: draw 9 > supply: not in the deck: all eight of these have been seen
open, 1: pass > must-play: you can move: draw or pass only when nothing fits and you hold no nine
stuck no more, 1: pass > must-play: you can move: draw or pass only when nothing fits and you hold no nine
sealed, 1: pass > must-draw: draw first, the deck has 84: draw a coral before you pass
stuck, 1: pass > must-draw: draw first, the deck has 5: draw a coral before you pass
"""


@pytest.mark.parametrize("line", REFUSALS.strip().splitlines())
def test_refusals(line: str) -> None:
    """Each refusal has its code, its numbers and its rule, in about 80 characters (RULES, checks in their order)."""
    event, told = line.split(" > ")
    where, event = event.split(", ")
    seat, text = event.split(": ")
    refused = refusal(POSITIONS[where], int(seat), text)
    assert str(refused) == told
    assert len(refused.reason) <= 80
    assert len(refused.figure) <= 17 or refused.code == "over"


def test_a_refusal_says_how_much_is_needed() -> None:
    """The refusal of a wrong sum says how much is missing or too much (Play, first point)."""
    assert refusal(OPEN, 1, "4:25").needed == "2 more needed"
    assert refusal(OPEN, 1, "4:75").needed == "3 too many"


def test_tiles_are_called_by_their_digits() -> None:
    """With tiles the ten is a 0 and the one a 1 (You Need)."""
    state = begin({("deal", 1): tuple("A2345TTT")}, "tiles")
    assert refusal(state, 1, "1:TA").reason == "a 0 not last: a 0 must come last, so you can place only one"
    assert refusal(state, 1, "1:AA").reason == "1 twice, seat 1 has fewer: play only what you hold"


EVENTS = {
    **{"2:54": "2:54", "2 :\t, 5,,4 ,": "2:54", "12:1j0": "12:AJT", "999:aA": "999:AA", "0:9": "0:9"},
    **{"Seed": "seed", "DRAW": "draw", "draw 0": "draw T", "draw,\t1": "draw A", "pass": "pass"},
}
NO_EVENTS = [
    *("", "2:", "2:,", "02:5", "1000:5", "2:5;4", "2:5X", ":5", "draw7", "draw 77", "draw 7,", "pass 1", "seed 9"),
    *("2:\u0665", "\u0662:5", "2:\u212a", "dra\uff57", "\u017feed", "pa\u017fs", "2:5\n", "-1:5", "2:5\u00a04"),
]


@pytest.mark.parametrize(("text", "written"), EVENTS.items())
def test_reads_events(text: str, written: str) -> None:
    """Letters may be small, 1 and 0 are the ace and the ten, blanks and commas may stand among the corals."""
    assert str(RULES.parse_move(text)) == written


@pytest.mark.parametrize("text", NO_EVENTS)
def test_refuses_what_is_no_event(text: str) -> None:
    """Anything else is no event; letters and digits beyond ASCII are none."""
    with pytest.raises(RefusedError) as caught:
        RULES.parse_move(text)
    assert caught.value.code == "syntax"


def test_deals() -> None:
    """A hand is eight corals; four nines lie on the table and there are eight of each rank (Setting Up)."""
    assert RULES.parse_deal(" 0,9 9k\tJ1 99 ", "deal", {}) == tuple("A9999TJK")
    assert RULES.format_deal(tuple("A9999TJK")) == "A9999TJK"
    assert RULES.parse_deal("", "deal", {}) == ()
    assert (SEALED.deck, begin(form="tiles").deck) == (84, 60)
    assert OPEN.holdings[0] == Holding(8, tuple("A2357TJK"))
    assert SEALED.holdings[1] == Holding(8, None)
    for text, form in (("J", "tiles"), ("A;2", "cards"), ("X", "cards"), ("\u212a", "cards"), ("\u0661", "cards")):
        with pytest.raises(RefusedError, match="syntax"):
            RULES.parse_deal(text, "deal", {"form": form})
    wrong: list[dict[tuple[str, int], tuple[str, ...]]] = [
        {("deal", 1): tuple("A234567")},
        {("deal", 2): tuple("A23456789")},
        {("deal", 1): tuple("AAA99999")},
        {("deal", 1): tuple("99944444"), ("deal", 2): tuple("44446666")},
        {("deal", 3): tuple("A2345678")},
    ]
    for deals in wrong:
        with pytest.raises(RefusedError, match="deal"):
            begin(deals)


def test_placing() -> None:
    """Placed corals leave the hand, the last one is the new top, a ten counts 10 there (Play)."""
    state = after(OPEN, "1: 2:27T", "2: 2:46", "1: 1:A53", "2: 2:6")
    assert state.tops == (3, 6, 9, 9)
    assert [holding.pieces for holding in state.holdings] == [tuple("JK"), tuple("48899")]
    assert state.to_move == 1


def test_seed_starts_a_stack() -> None:
    """A nine may start a stack, numbered next, and is a valid move (Play, last point)."""
    state = after(OPEN, "1: 1:27", "2: seed", "1: 5:A53")
    assert state.tops == (7, 9, 9, 9, 3)
    assert RULES.find_legal_move(position("9", 3, (8,), 5)) == RULES.parse_move("seed")
    assert (
        RULES.find_legal_move(SEALED)
        is RULES.find_legal_move(position("", 3, (8,), 5, to_move=None))
        is RULES.find_legal_move(STUCK)
        is None
    )


def test_open_draw_that_helps_must_be_played() -> None:
    """After a draw that makes a play possible the same turn goes on (Play, fourth point)."""
    state = after(STUCK, "1: draw 9")
    assert (state.to_move, state.has_drawn, state.deck, state.sizes) == (1, True, 4, (4, 4))
    assert after(state, "1: 4:9").to_move == 2


def test_open_draw_that_does_not_help_ends_the_turn() -> None:
    """A draw that makes no play possible ends the turn by itself, and skips nobody."""
    state = after(STUCK, "1: draw 8")
    assert (state.to_move, state.has_drawn, RULES.skipped_seats(state)) == (2, False, ())


def test_sealed_draw_then_pass() -> None:
    """A sealed hand draws unseen and then plays or passes."""
    drew = POSITIONS["drew"]
    assert (drew.to_move, drew.sizes, drew.deck, drew.unseen) == (1, (9, 8), 83, SEALED.unseen)
    assert [str(move) for move in RULES.legal_moves(SEALED)] == ["draw"]
    assert [str(move) for move in RULES.legal_moves(drew)] == ["pass"]
    assert after(drew, "1: pass").to_move == 2
    assert after(drew, "1: 1:9").to_move == 2


def test_a_seat_is_skipped_with_an_empty_deck() -> None:
    """An open hand that can neither play nor draw is skipped, and the round continues after a play."""
    state = after(position(3, "KK", (9, 8), 0), "1: 1:9")
    assert (state.to_move, state.idle_turns, RULES.skipped_seats(state)) == (1, 1, (2,))
    state = after(state, "1: 1:9")
    assert (state.to_move, state.idle_turns, RULES.skipped_seats(state)) == (1, 1, (2,))


def test_blocked_after_two_idle_turns() -> None:
    """Two turns in a row without a play, with the deck empty after each, block the round: fewer corals win."""
    state = after(position(3, "KK", (9, 8), 0), "1: pass")
    assert (RULES.seat_to_move(state), RULES.legal_moves(state), RULES.skipped_seats(state)) == (None, [], (2,))
    assert RULES.outcome(state) == Outcome((0, 1), (2,), "blocked: 2 against 3")
    state = after(position(1, 1, (9, 8), 0), "1: pass", "2: pass")
    assert RULES.outcome(state) == Outcome((0, 0), (1, 2), "blocked: 1 coral each")


def test_last_draw_counts_as_idle() -> None:
    """A turn that draws the last coral and cannot play ends with an empty deck, so one more such turn blocks."""
    state = after(position("KK", "QQT", (9, 8), 1), "1: draw K")
    assert (RULES.seat_to_move(state), RULES.skipped_seats(state)) == (None, (2,))
    assert RULES.outcome(state) == Outcome((0, 0), (1, 2), "blocked: 3 corals each")
    state = after(position("KK", 5, (9, 8), 2), "1: draw K")
    assert (state.to_move, state.idle_turns, state.deck) == (2, 0, 1)
    state = after(state, "2: draw", "2: pass")
    assert (RULES.seat_to_move(state), RULES.skipped_seats(state)) == (None, (1,))


def test_both_seats_are_skipped_after_a_play() -> None:
    """If a play leaves both open hands without a move, both are skipped and the round is blocked."""
    state = after(position("9K", "QQ", (9, 8), 0), "1: 1:9")
    assert (RULES.seat_to_move(state), RULES.skipped_seats(state)) == (None, (2, 1))
    assert RULES.outcome(state) == Outcome((1, 0), (1,), "blocked: 1 against 2")


def test_out_of_corals_wins() -> None:
    """The first one out of corals wins (Winning)."""
    state = after(position("9", 4, (9,), 10), "1: 1:9")
    assert (RULES.seat_to_move(state), RULES.outcome(state)) == (None, Outcome((1, 0), (1,), "last coral placed"))
    state = after(position("23", 1, (9,), 10, to_move=2), "2: seed")
    assert RULES.outcome(state) == Outcome((0, 1), (2,), "last coral placed")
    assert RULES.outcome(SEALED) == Outcome((0, 0), (), "")


def test_view_hides_the_other_hand() -> None:
    """In a view the other open hand is sealed, and its corals are mixed with the unseen ones."""
    other = RULES.initial_state(2, {}, {**HANDS, ("deal", 2): tuple("2223344A")})
    assert RULES.seat_view(OPEN, 1) == RULES.seat_view(other, 1) == begin({("deal", 1): HANDS["deal", 1]})
    assert RULES.seat_view(OPEN, None) == SEALED
    assert RULES.seat_view(OPEN, 2) == begin({("deal", 2): HANDS["deal", 2]})


def test_an_open_draw_is_completed_from_the_deck() -> None:
    """A draw is listed without its coral, and completed with one that is not known to be elsewhere."""
    seen = []

    def first(corals: Any, number: int) -> Any:
        seen.append("".join(corals))
        return corals[:number]

    (due,) = RULES.legal_moves(STUCK)
    assert str(due) == "draw"
    assert str(RULES.complete_draw(STUCK, due, first)) == "draw A"
    assert seen == [corals_of(STUCK.unseen)]
    assert RULES.complete_draw(SEALED, due, first) == due
    assert RULES.complete_draw(OPEN, SEED, first) == SEED


def test_deal_uses_every_coral_once() -> None:
    """A complete deal is always a legal start, in both forms."""
    for form in ("cards", "tiles"):
        for seed in range(example_count(50)):
            deals = RULES.deal_holdings(2, {"form": form}, random.Random(seed).sample)
            assert RULES.legal_moves(RULES.initial_state(2, {"form": form}, deals))
    assert RULES.holding_size("deal", 2, {}) == 8


def perft(state: State, depth: int) -> int:
    """The lines of exactly `depth` events; a draw branches over every coral that may be in the deck."""
    if RULES.seat_to_move(state) is None:
        return 0
    events = []
    for move in RULES.legal_moves(state):
        due = move == DRAW and state.hands[(state.to_move or 0) - 1] is not None
        corals = sorted(set(corals_of(state.unseen))) if due else [""]
        events += [Move("draw", 0, coral) if due else move for coral in corals]
    if depth == 1:
        return len(events)
    return sum(perft(RULES.play_move(state, state.to_move or 0, event), depth - 1) for event in events)


@pytest.mark.parametrize("line", [line for line in TABLE.read_text().splitlines() if not line.startswith("#")])
def test_counts_of_lines_of_play(line: str) -> None:
    """The numbers of lines of play agree with those of a second program."""
    options, hands, depth, count = (part.strip() for part in line.split("|"))
    form = dict([options.split("=")])
    deals = {("deal", seat): RULES.parse_deal(hand, "deal", form) for seat, hand in enumerate(hands.split("/"), 1)}
    assert perft(RULES.initial_state(2, form, deals), int(depth)) == int(count)


@pytest.mark.parametrize("copies", range(1, 9))
def test_all_copies_of_a_rank_count(copies: int) -> None:
    """All aces together add up to their number and no more, and all jacks subtract as much."""
    assert can_move(bag_of("A" * copies), (copies,)) is True
    assert can_move(bag_of("A" * copies), (copies + 1,)) is False
    state = position("8A" + "J" * copies, 3, (9 - copies,), 5)
    assert f"1:8{'J' * copies}A" in map(str, RULES.legal_moves(state))


@given(st.lists(st.integers(0, 8), min_size=13, max_size=13), st.lists(st.integers(1, 10), min_size=1, max_size=8))
def test_long_hands(counts: list[int], tops: list[int]) -> None:
    """Whether a hand of any length can play is computed from its sums, and the play that is found adds up."""
    hand = "".join(coral * number for coral, number in zip("A23456789TJQK", counts, strict=True))
    bag, sums = bag_of(hand), {0}
    assert corals_of(bag) == hand
    for coral in hand.replace("T", ""):
        sums |= {total + CORAL_VALUES[coral] for total in sums}
    found = find_play(bag, tuple(tops))
    assert (found is not None) == any(top in sums for top in tops)
    assert can_move(bag, tuple(tops)) == ("9" in hand or found is not None)
    if found is not None:
        state = position(hand, 3, tuple(tops), 5)
        assert RULES.play_move(state, 1, Move("play", found[0] + 1, found[1]))
