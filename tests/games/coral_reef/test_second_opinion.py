"""Coral Reef refereed a second time, by a plain program that shares nothing with the rules but the sheet."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import dataclass, field

import pytest
from examples import example_count
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.api import RefusedError
from companion.games.coral_reef.moves import Move
from companion.games.coral_reef.rules import RULES
from companion.games.coral_reef.state import State
from companion.games.coral_reef.sums import bag_of

RANK_ORDER = "A23456789TJQK"
VALUES = dict(zip(RANK_ORDER, [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, -1, -2, -3], strict=True))


@dataclass
class SecondReferee:
    """A second referee with lists and permutations: slow, and written straight from the sheet."""

    form: str
    hands: list[list[str] | None]
    sizes: list[int]
    tops: list[int] = field(default_factory=lambda: [9] * 4)
    played: Counter[str] = field(default_factory=lambda: Counter("9999"))
    pile: int = 84
    seat: int | None = 1
    drew: bool = False
    idle: int = 0
    skipped: list[int] = field(default_factory=list)

    def unaccounted(self, coral: str) -> int:
        copies = 0 if self.form == "tiles" and coral in "JQK" else 8
        return copies - self.played[coral] - sum(hand.count(coral) for hand in self.hands if hand is not None)

    def plays(self, hand: list[str]) -> set[str]:
        found = {"seed"} if "9" in hand else set()
        for number in range(1, len(hand) + 1):
            for corals in set(itertools.combinations(sorted(hand, key=RANK_ORDER.index), number)):
                for last in set(corals) - set("JQK"):
                    under = list(corals)
                    under.remove(last)
                    if "T" in under:
                        continue
                    for stack, top in enumerate(self.tops, 1):
                        if sum(VALUES[coral] for coral in corals) == top:
                            found.add(f"{stack}:{''.join(under)}{last}")
        return found

    def play_event(self, seat: int, kind: str, stack: int, corals: str) -> str:
        """The code of a refusal; or "" for a legal event, which then has changed the table."""
        if seat not in (1, 2) or (self.form == "tiles" and set(corals) & set("JQK")):
            return "syntax"
        hand = self.hands[seat - 1]
        if kind == "draw" and (hand is None) != (corals == ""):
            return "syntax"
        if self.seat is None:
            return "over"
        if seat != self.seat:
            return "turn"
        if kind in ("play", "seed"):
            return self.place_corals(seat, kind, stack, corals if kind == "play" else "9")
        can = hand is not None and bool(self.plays(hand))
        if kind == "pass":
            if can:
                return "must-play"
            if not self.drew and self.pile:
                return "must-draw"
            self.end_turn(False)
            return ""
        if self.drew:
            return "drawn"
        if can:
            return "must-play"
        if not self.pile:
            return "pile"
        if corals and self.unaccounted(corals) < 1:
            return "supply"
        self.pile -= 1
        self.sizes[seat - 1] += 1
        self.drew = True
        self.skipped = []
        if hand is not None:
            hand.append(corals)
            if not self.plays(hand):
                self.end_turn(False)
        return ""

    def place_corals(self, seat: int, kind: str, stack: int, corals: str) -> str:
        if kind == "play" and not 0 < stack <= len(self.tops):
            return "stack"
        hand = self.hands[seat - 1]
        for index, coral in enumerate(corals):
            copies = corals[: index + 1].count(coral)
            if (copies > hand.count(coral)) if hand is not None else (index + 1 > self.sizes[seat - 1]):
                return "held"
            if hand is None and copies > self.unaccounted(coral):
                return "supply"
        if kind == "play":
            if "T" in corals[:-1]:
                return "ten-last"
            if corals[-1] in "JQK":
                return "face-top"
            if sum(VALUES[coral] for coral in corals) != self.tops[stack - 1]:
                return "sum"
            self.tops[stack - 1] = VALUES[corals[-1]] or 10
        else:
            self.tops.append(9)
        for coral in corals:
            self.played[coral] += 1
            if hand is not None:
                hand.remove(coral)
        self.sizes[seat - 1] -= len(corals)
        self.end_turn(True)
        return ""

    def end_turn(self, placed: bool) -> None:
        self.skipped, self.drew = [], False
        if 0 in self.sizes:
            self.seat = None
        while self.seat is not None:
            self.idle = 0 if placed or self.pile else self.idle + 1
            if self.idle == 2:
                self.seat = None
                break
            self.seat = 2 if self.seat == 1 else 1
            hand = self.hands[self.seat - 1]
            if self.pile or hand is None or self.plays(hand):
                break
            self.skipped.append(self.seat)
            placed = False

    def listed_events(self) -> set[str]:
        if self.seat is None:
            return set()
        hand = self.hands[self.seat - 1]
        if hand is None:
            return {"draw"} if self.pile and not self.drew else {"pass"}
        return self.plays(hand) or {"draw"}

    def final_scores(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        if self.seat is not None:
            return (0, 0), ()
        one, two = self.sizes
        return ((0, 0), (1, 2)) if one == two else ((1, 0), (1,)) if one < two else ((0, 1), (2,))


def start_both(chance: random.Random, pile: int | None) -> tuple[State, SecondReferee]:
    """The same round for both referees; with `pile` the rest of the deck is gone already, and on no stack."""
    form = chance.choice(["cards", "tiles"])
    deals = RULES.deal_holdings(2, {"form": form}, chance.sample)
    deals = {where: hand for where, hand in deals.items() if chance.random() < 0.6}
    state = RULES.initial_state(2, {"form": form}, deals)
    table = SecondReferee(
        form, [list(deals[key]) if (key := ("deal", seat)) in deals else None for seat in (1, 2)], [8, 8]
    )
    table.pile = state.deck
    if pile is not None:
        table.pile = pile
        state = state._replace(deck=pile)
    return state, table


def random_event(chance: random.Random, table: SecondReferee, listed: list[str]) -> tuple[int, str, int, str]:
    """A random event: often a legal one, sometimes nearly legal, sometimes anything."""
    seat = table.seat or chance.choice([1, 2])
    hand = table.hands[seat - 1]
    corals = hand if hand and chance.random() < 0.8 else list(RANK_ORDER)
    if hand is not None and listed == ["draw"] and chance.random() < 0.7:
        return seat, "draw", 0, chance.choice(RANK_ORDER)
    if (
        listed
        and chance.random() < (0.7 if hand is not None else 0.3)
        and not (hand is not None and listed == ["draw"])
    ):
        move = RULES.parse_move(chance.choice(listed))
        return seat, move.kind, move.stack, move.corals
    if chance.random() < 0.08:
        seat = chance.choice([0, 1, 2, 3])
    kind = chance.choice(["play"] * 6 + ["seed", "draw", "draw", "pass"])
    if kind == "play":
        placed = "".join(chance.choices(corals, k=chance.choice([1, 2, 2, 3, 3, 10])))
        stacks = range(len(table.tops) + 2)
        fitting = [stack for stack, top in enumerate(table.tops, 1) if top == sum(VALUES[coral] for coral in placed)]
        return seat, kind, chance.choice(fitting if fitting and chance.random() < 0.8 else stacks), placed
    return seat, kind, 0, chance.choice(["", chance.choice(RANK_ORDER)]) if kind == "draw" else ""


@settings(max_examples=example_count(60), deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from([None, None, 0, 1, 5]))
def test_both_rule_alike(chance: random.Random, pile: int | None) -> None:
    """Both referees give every event the same answer, and a refused event changes nothing."""
    state, table = start_both(chance, pile)
    for _ in range(50):
        listed = [str(move) for move in RULES.legal_moves(state)]
        assert len(set(listed)) == len(listed)
        if max(table.sizes) > 11:
            break
        assert set(listed) == table.listed_events()
        seat, kind, stack, corals = random_event(chance, table, listed)
        before, code = state, ""
        try:
            state = RULES.play_move(state, seat, Move(kind, stack, corals))
        except RefusedError as refused:
            code = refused.code
        assert (seat, kind, corals, code) == (seat, kind, corals, table.play_event(seat, kind, stack, corals))
        assert state is before or not code
        assert (state.to_move, list(state.tops), list(state.sizes), state.deck) == (
            (table.seat, table.tops, table.sizes, table.pile)
        )
        assert code or list(RULES.skipped_seats(state)) == table.skipped
        assert RULES.outcome(state)[:2] == table.final_scores()
        found = RULES.find_legal_move(state)
        assert found is None or str(found) == "seed" or RULES.play_move(state, state.to_move or 0, found)
        for viewer in (None, 1, 2):
            hidden = RULES.seat_view(state, viewer)
            assert [holding.is_open for holding in hidden.holdings] == [
                hand is not None and viewer == owner for owner, hand in enumerate(table.hands, 1)
            ]


@settings(max_examples=example_count(150), deadline=None)
@given(
    st.lists(st.sampled_from(RANK_ORDER), min_size=1, max_size=7),
    st.lists(st.integers(1, 10), min_size=1, max_size=5),
)
def test_exactly_the_listed_events_are_legal(hand: list[str], tops: list[int]) -> None:
    """Of all orders of all corals of a hand on all stacks, exactly those are legal whose sorted form is listed."""
    bag = bag_of(hand)
    loose = 8 * bag_of(RANK_ORDER) - bag
    state = State("cards", tuple(tops), (len(hand), 30), (bag, None), loose, 10)
    table = SecondReferee("cards", [list(hand), None], [len(hand), 30], list(tops))
    listed = {str(move) for move in RULES.legal_moves(state)}
    assert listed == (table.plays(hand) or {"draw"})
    for number in range(1, min(5, len(hand)) + 1):
        for corals in set(itertools.permutations(hand, number)):
            under = "".join(sorted(corals[:-1], key=RANK_ORDER.index))
            for stack in range(1, len(tops) + 1):
                move = Move("play", stack, "".join(corals))
                if f"{stack}:{under}{corals[-1]}" in listed:
                    assert RULES.play_move(state, 1, move).sizes[0] == len(hand) - number
                else:
                    with pytest.raises(RefusedError):
                        RULES.play_move(state, 1, move)


@pytest.mark.parametrize("hand", ["5666777888899", "888888877KKKK", "A345678899TJQ", "4466688889KKT", "77777777"])
def test_long_hands_are_listed_exactly(hand: str) -> None:
    """The list for a long hand, made without dead ends, equals the one made by trying every choice of corals."""
    bag, tops = bag_of(hand), (9, 10, 4, 1, 7)
    state = State("cards", tops, (len(hand), 3), (bag, None), 8 * bag_of(RANK_ORDER) - bag, 10)
    listed = [str(move) for move in RULES.legal_moves(state)]
    table = SecondReferee("cards", [list(hand), None], [len(hand), 3], list(tops))
    assert len(set(listed)) == len(listed)
    assert set(listed) == table.plays(list(hand))
