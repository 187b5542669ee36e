"""Ziggurat: the sheet's rules, every refusal, the rulings, and a second opinion on every play."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from examples import example_count, first_cases_fast
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.api import Outcome, RefusedError
from companion.games.ziggurat import GAME, grid
from companion.games.ziggurat import rules as game
from companion.games.ziggurat.grid import PAIRS, SQUARE_NAMES
from companion.games.ziggurat.pieces import Domino, Move
from companion.games.ziggurat.rules import RULES
from companion.games.ziggurat.state import NO_PIP, State

COUNTS = Path(__file__).with_name("counts.txt")
TABLES = list(itertools.product(GAME.option_values["set"], GAME.option_values["base"], GAME.players))
FULL_BASE = "0-0 d4e4, 0-1 d5e5, 0-2 d6e6, 0-3 d7e7, 0-4 f4g4, 0-5 f5g5, 0-6 f6g6, 1-1 f7g7"
"""A full base in two stacks of four lying dominoes."""
LEVEL_2 = "2-2 d4e4, 2-3 d5e5, 2-4 d6e6, 2-5 d7e7, 2-6 f4g4, 3-3 f6g6, 3-4 f5g5, 3-5 f7g7"
SHORT_ROUND = (
    "4-6 e4d4, 1-4 d3c3, 3-5 c5d5, 6-6 e3f3, 1-2 e6d6, 0-0 f4f5, 1-5 d6d5, 3-3 e3e4, "
    "4-4 f3f4, 2-5 d3d4, 2-3 f3e3, 0-5 e4d4, 1-3 d5d6, 0-2 e4e3, 0-3 d5d4, 2-2 d4e4"
)
"""A cut-up round of four sealed seats that ends with one free pair on level 6."""


def sealed(plays: str = "", players: int = 2, **options: str) -> State:
    state = RULES.initial_state(players, options, {})
    for text in plays.split(", ") if plays else ():
        state = RULES.play_move(state, state.to_move or 0, RULES.parse_move(text))
    return state


def refusal(state: State, text: str, seat: int | None = None) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        RULES.play_move(state, seat or state.to_move or 1, RULES.parse_move(text))
    return caught.value


def refused(state: State, text: str, seat: int | None = None) -> str:
    return refusal(state, text, seat).code


def hands(low: str, high: str = "") -> dict[tuple[str, int], tuple[Domino, ...]]:
    deals = enumerate((low, high) if high else (low,), 1)
    return {("deal", seat): RULES.parse_deal(text, "deal", {}) for seat, text in deals}


LOW = "0-0 0-1 0-2 0-3 0-4 0-5 0-6 1-1 1-2 1-3 1-4 1-5 1-6 2-2"
HIGH = "2-3 2-4 2-5 2-6 3-3 3-4 3-5 3-6 4-4 4-5 4-6 5-5 5-6 6-6"


# A second opinion, written apart: tuples of coordinates, no masks, no tables

Spot = tuple[int, int]
BLOCKS = [
    frozenset(itertools.product(range(column, column + 4), range(row, row + 4)))
    for column in range(4)
    for row in range(4)
]


def near(one: Spot, two: Spot) -> bool:
    return abs(one[0] - two[0]) + abs(one[1] - two[1]) == 1


@cache
def tiled(spots: frozenset[Spot]) -> bool:
    if not spots:
        return True
    column, row = min(spots)
    return any(
        other in spots and tiled(spots - {(column, row), other}) for other in ((column + 1, row), (column, row + 1))
    )


class SecondReferee:
    """The rules of laying and scoring once more, as slow and plain as the page that states them."""

    def __init__(self, solid: bool, players: int, each: int) -> None:
        self.solid = solid
        self.piles: dict[Spot, list[int]] = {}
        self.level = 1
        self.left = [each] * players
        self.scores = [0] * players
        self.over = False

    def code(self, one: Spot, two: Spot) -> str:
        if not near(one, two):
            return "adjacent"
        return self.on_base(one, two) if self.level == 1 else self.on_top(one, two)

    def on_base(self, one: Spot, two: Spot) -> str:
        if not self.piles:
            return "" if {one, two} in ({(3, 3), (4, 3)}, {(3, 3), (3, 4)}) else "anchor"
        if one in self.piles or two in self.piles:
            return "occupied"
        whole = frozenset(self.piles) | {one, two}
        inside = [block for block in BLOCKS if whole <= block]
        if not inside:
            return "frame"
        if not any(near(spot, other) for spot in (one, two) for other in self.piles):
            return "touch"
        if self.solid and not any(tiled(block - whole) for block in inside):
            return "gap"
        return ""

    def on_top(self, one: Spot, two: Spot) -> str:
        a, b = (len(self.piles.get(spot, ())) for spot in (one, two))
        if a < self.level - 1 or b < self.level - 1:
            return "vacant"
        return "uneven" if a != b else "level" if a == self.level else ""

    def open(self) -> list[tuple[Spot, Spot]]:
        spots = list(itertools.product(range(7), repeat=2))
        return [(a, b) for a in spots for b in spots if a < b and near(a, b) and not self.code(a, b)]

    def play(self, seat: int, squares: list[tuple[int, Spot]]) -> None:
        for pip, spot in squares:
            if self.level == 1:
                beside = [pile[-1] for other, pile in self.piles.items() if near(spot, other)]
                self.scores[seat - 1] += pip in beside
            elif self.piles[spot][-1] == pip:
                self.scores[seat - 1] += self.level
        for pip, spot in squares:
            self.piles.setdefault(spot, []).append(pip)
        self.left[seat - 1] -= 1
        if not self.open():
            self.level += 1
            self.over = len(self.open()) == 1
        self.over = self.over or not any(self.left)


def spot(cell: int) -> Spot:
    return cell // 7, cell % 7


def code(state: State, move: Move) -> str:
    try:
        RULES.play_move(state, state.to_move or 1, move)
    except RefusedError as no:
        refusal = no
    else:
        return ""
    # What the panel has room for.
    assert len(refusal.reason) <= 80, refusal.reason
    assert len(refusal.conflict) <= 22, refusal.conflict
    assert len(refusal.figure) <= 10, refusal.figure
    return refusal.code


def random_walk(seed: int, deck: str, base: str, players: int) -> Iterator[tuple[State, Move, State]]:
    """A random round with every hand open: position, play, position."""
    chance, options = random.Random(seed), {"set": deck, "base": base}
    state = RULES.initial_state(players, options, RULES.deal_holdings(players, options, chance.sample))
    while state.to_move:
        move = chance.choice(RULES.legal_moves(state))
        after = RULES.play_move(state, state.to_move, move)
        yield state, move, after
        state = after


@pytest.mark.parametrize(("deck", "base", "players"), first_cases_fast(4, TABLES))
def test_a_second_opinion_agrees_on_whole_rounds(deck: str, base: str, players: int) -> None:
    """Every pair of squares is judged, scored and counted as the rules say, until the round ends."""
    chance = random.Random(f"{deck}{base}{players}")
    each = RULES.holding_size("deal", players, {"set": deck})
    opinion = SecondReferee(base == "solid", players, each)
    for state, move, after in random_walk(chance.randrange(1 << 30), deck, base, players):
        hand = state.hands[(state.to_move or 0) - 1].pieces or ()
        for place, pair in enumerate(PAIRS):
            p, q = chance.choice(hand)
            first, second = chance.sample(pair, 2)
            ruling = opinion.code(spot(first), spot(second))
            assert code(state, Move(p, q, first, second)) == ruling
            assert (ruling == "") == (place in state.free_pairs)
        far = chance.randrange(49), chance.randrange(49)
        assert code(state, Move(*hand[0], *far)) == opinion.code(spot(far[0]), spot(far[1]))
        before = list(opinion.scores)
        opinion.play(state.to_move or 0, [(move.p, spot(move.first)), (move.q, spot(move.second))])
        assert game.score_of_play(state, move).points == sum(opinion.scores) - sum(before)
        assert list(after.scores) == opinion.scores
        assert [hand.size for hand in after.hands] == opinion.left
        assert after.level == opinion.level
        assert (after.to_move is None) == opinion.over
        tops = [opinion.piles.get(spot(cell), [NO_PIP])[-1] for cell in range(49)]
        assert list(after.top_pips) == tops
        assert list(after.heights) == [len(opinion.piles.get(spot(cell), ())) for cell in range(49)]
    assert opinion.over


@settings(max_examples=example_count(15), deadline=None)
@given(st.integers(0, 1 << 30), st.sampled_from(TABLES), st.data())
def test_just_the_listed_plays_are_legal(seed: int, table: tuple[str, str, int], data: st.DataObject) -> None:
    """Exactly the listed plays are accepted: every domino, either way round, on every two adjacent squares.

    With both the halves and the squares swapped it is the same play; that is tried at random.
    """
    rounds = [state for state, _, _ in random_walk(seed, *table)]
    state = rounds[data.draw(st.integers(0, len(rounds) - 1))]
    before = repr(state)
    listed = RULES.legal_moves(state)
    written = {str(move) for move in listed}
    assert len(written) == len(listed)
    chance = random.Random(seed)
    for p, q in itertools.combinations_with_replacement(range(state.highest_pip + 2), 2):
        for a, b in PAIRS:
            ahead, back = str(Move(p, q, a, b)) in written, str(Move(p, q, b, a)) in written
            turned = chance.random() < 0.25
            assert (code(state, Move(q, p, b, a) if turned else Move(p, q, a, b)) == "") == ahead
            assert (code(state, Move(q, p, a, b) if turned else Move(p, q, b, a)) == "") == (back if p < q else ahead)
    assert RULES.find_legal_move(state) in listed
    assert repr(state) == before


@settings(max_examples=example_count(10), deadline=None)
@given(st.integers(0, 1 << 30), st.sampled_from(TABLES), st.sets(st.integers(1, 4)))
def test_held_and_supply(seed: int, table: tuple[str, str, int], opened: set[int]) -> None:
    """From an open hand its own dominoes, from a sealed one those neither played nor in an open hand (Common)."""
    plays = list(random_walk(seed, *table))
    for ply in range(seed % 5, len(plays), 5):
        state, move, _ = plays[ply]
        seat = state.to_move or 0
        mixed = state._replace(
            dealt_bits=tuple(bits if owner in opened else None for owner, bits in enumerate(state.dealt_bits, 1))
        )
        known = {earlier.domino for _, earlier, _ in plays[:ply]}.union(*(hand.pieces or () for hand in mixed.hands))
        for low, high in itertools.combinations_with_replacement(range(state.highest_pip + 1), 2):
            ruling = code(mixed, move._replace(p=high, q=low))
            if seat in opened:
                assert ruling == ("" if (low, high) in (state.hands[seat - 1].pieces or ()) else "held")
            else:
                assert ruling == ("supply" if (low, high) in known else "")


@settings(max_examples=example_count(25), deadline=None)
@given(st.integers(0, 1 << 30), st.sampled_from(TABLES))
def test_every_round_ends(seed: int, table: tuple[str, str, int]) -> None:
    """The seat to move always has a play, up to an end with a winner and a reason."""
    after = None
    for state, move, following in random_walk(seed, *table):
        after = following
        assert RULES.find_legal_move(state) is not None
        assert RULES.parse_move(str(move)) == move
        assert len(state.free_pairs) > 0
        assert RULES.outcome(state) == (state.scores, (), "")
    assert after is not None
    outcome = RULES.outcome(after)
    ended = "all dominoes played" if not after.hands[-1].size else f"only one place left on level {after.level}"
    tied = len(outcome.winners) < outcome.scores.count(max(outcome.scores))
    assert outcome.reason == ("equal points, fewer dominoes left" if tied else ended)
    assert outcome.winners
    assert max(outcome.scores) == outcome.scores[outcome.winners[0] - 1]
    assert RULES.legal_moves(after) == []
    assert RULES.find_legal_move(after) is None
    assert game.free_pairs(after) == ()
    assert RULES.skipped_seats(after) == ()
    assert RULES.false_claims(after, ()) == ()


# What is written


@pytest.mark.parametrize(
    "text",
    ["3-6 e4d4", "3-6e4d4", "3 -\t6 , e4 , d4", "3-6 E4D4", "3-6,e4 d4", "3 - 6 e4,,d4"],
)
def test_blanks_commas_and_case_do_not_matter(text: str) -> None:
    """A play is parsed in all spellings of the record's grammar and written in one."""
    assert str(RULES.parse_move(text)) == "3-6 e4d4"


@pytest.mark.parametrize("text", ["6-3 d4e4", "12-0 a1a2", "0-0 g7g7", "999-7 c3c2"])
def test_the_players_order_is_written(text: str) -> None:
    """The written form says which pip is on which square, as the player entered it."""
    assert str(RULES.parse_move(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3-6",
        "3-6 e4",
        "3-6 e4d4 ",
        "3-6 e4d4\n",
        "3,-6 e4d4",
        "03-6 e4d4",
        "3-1000 e4d4",
        "36 e4d4",
        "3-6 h4d4",
        "3-6 e8d4",
        "3-6 e0d4",
        "3-6 4e4d",
        "3-6 e4-d4",
        "3\N{EN DASH}6 e4d4",
        "\N{FULLWIDTH DIGIT THREE}-6 e4d4",
        "3-6 \N{FULLWIDTH LATIN SMALL LETTER E}4d4",
        "3-6\N{NO-BREAK SPACE}e4d4",
        "pass",
    ],
)
def test_anything_else_is_no_play(text: str) -> None:
    """What is not in the grammar is `syntax`, whatever is on the table."""
    with pytest.raises(RefusedError, match="syntax"):
        RULES.parse_move(text)


def test_a_deal_is_read_sorted_and_written_short() -> None:
    """Dominoes in a deal may be turned, with blanks and commas between them."""
    hand = RULES.parse_deal("6-3,0-0 \t, 1-0", "deal", {})
    assert RULES.format_deal(hand) == "0-0 0-1 3-6"
    assert RULES.parse_deal(RULES.format_deal(hand), "deal", {}) == hand
    assert RULES.parse_deal("", "deal", {}) == ()


@pytest.mark.parametrize("text", ["6-3;0-0", "6 - 3", ",6-3", "6-3,", "63", "06-3", "6-\N{FULLWIDTH DIGIT THREE}"])
def test_a_domino_that_cannot_be_read(text: str) -> None:
    """In a deal, blanks and commas are allowed only between dominoes."""
    with pytest.raises(RefusedError, match="syntax"):
        RULES.parse_deal(text, "deal", {})


# The deal


@pytest.mark.parametrize(("deck", "players", "each"), [("6", 2, 14), ("6", 4, 7), ("9", 4, 13), ("12", 2, 45)])
def test_each_seat_gets_as_many_as_possible(deck: str, players: int, each: int) -> None:
    """All seats get the same number, and the rest is out of the game (sheet, Setting Up)."""
    options = {"set": deck}
    assert RULES.holding_size("deal", players, options) == each
    deals = RULES.deal_holdings(players, options, random.Random(1).sample)
    assert {len(hand) for hand in deals.values()} == {each}
    assert len(set().union(*deals.values())) == each * players
    state = RULES.initial_state(players, options, deals)
    assert [hand.pieces for hand in state.hands] == [deals["deal", seat] for seat in range(1, players + 1)]
    assert [hand.size for hand in RULES.initial_state(players, options, {}).hands] == [each] * players


@pytest.mark.parametrize(
    "low",
    [LOW.replace("0-0 ", ""), LOW + " 2-3", LOW.replace("0-1", "0-0"), LOW.replace("0-0", "7-7"), ""],
)
def test_an_impossible_hand(low: str) -> None:
    """A wrong count, a domino twice and a domino of another set are `deal`, and none is named."""
    with pytest.raises(RefusedError, match="deal") as caught:
        RULES.initial_state(2, {}, hands(low))
    assert not any(f"{p}-{q}" in caught.value.reason for p in range(6) for q in range(7))


def test_two_impossible_hands() -> None:
    """No domino is in two hands, and a hand belongs to a seat."""
    with pytest.raises(RefusedError, match="deal"):
        RULES.initial_state(2, {}, hands(LOW, HIGH.replace("2-3", "2-2")))
    for key in (("deal", 3), ("deal", 0), ("rack", 1)):
        with pytest.raises(RefusedError, match="deal"):
            RULES.initial_state(2, {}, {key: RULES.parse_deal(LOW, "deal", {})})


# The refusals, in the order of the checks


def test_seat_over_and_turn_come_first() -> None:
    """A seat that does not exist, then a round that has ended, then another's turn (Common)."""
    assert refused(sealed(), "9-9 a1a1", 3) == "syntax"
    assert refused(sealed(), "9-9 a1a1", 2) == "turn"
    over = sealed(SHORT_ROUND, 4, base="cutup")
    assert refused(over, "9-9 a1a1", 1) == "over"
    assert refused(over, "9-9 a1a1", 5) == "syntax"


def test_a_domino_of_a_larger_set() -> None:
    """A well-formed domino that the set does not have is `set`, before anything about squares."""
    assert refused(sealed(), "0-7 a1a1") == "set"
    assert refused(sealed(set="9"), "10-0 a1a1") == "set"
    assert refused(sealed(set="12"), "12-12 a1a1") == "adjacent"


def test_only_what_an_open_hand_holds() -> None:
    """From an open hand only its own dominoes, each once; the pips are written as they were entered."""
    state = RULES.initial_state(2, {}, hands(LOW))
    no = refusal(state, "6-6 d4e4")
    assert (no.code, no.figure) == ("held", "6-6")
    assert refusal(state, "3-2 d4e4").figure == "3-2"
    state = RULES.play_move(RULES.play_move(state, 1, RULES.parse_move("1-0 d4e4")), 2, RULES.parse_move("2-3 d5e5"))
    assert refused(state, "0-1 d6e6") == "held"
    assert refused(state, "2-3 d6e6") == "held"


def test_what_a_sealed_hand_cannot_hold() -> None:
    """From a sealed hand any domino that is not played and in no open hand; 6-3 and 3-6 are one (Common)."""
    state = RULES.play_move(RULES.initial_state(2, {}, hands(LOW)), 1, RULES.parse_move("0-1 d4e4"))
    assert refused(state, "1-0 a1a1") == "supply"
    assert refused(state, "2-2 d5e5") == "supply"
    assert refused(RULES.play_move(state, 2, RULES.parse_move("3-2 d5e5")), "2-3 d6e6") == "held"
    twice = sealed("3-6 d4e4")
    assert refused(twice, "6-3 d5e5") == "supply"
    nobody = twice._replace(sizes=(0, 0))
    assert refused(nobody, "6-3 d5e5") == "held"


@pytest.mark.parametrize("cells", ["d4f4", "d4e5", "d4d4", "a7b1", "g1a2"])
def test_squares_that_share_no_edge(cells: str) -> None:
    """A domino covers two squares side by side; the same square twice is refused too."""
    assert refused(sealed(), f"0-0 {cells}") == "adjacent"
    assert refused(sealed(FULL_BASE), f"6-6 {cells}") == "adjacent"


@pytest.mark.parametrize("cells", ["c4d4", "d3d4", "e4f4", "a1a2"])
def test_the_first_domino_names_the_squares(cells: str) -> None:
    """It covers d4 and e4 or d5, with either pip on either square (ruling, Cells)."""
    assert refused(sealed(), f"0-1 {cells}") == "anchor"
    for allowed in ("d4e4", "e4d4", "d4d5", "d5d4"):
        assert code(sealed(), RULES.parse_move(f"0-1 {allowed}")) == ""


def test_the_base_is_one_domino_high() -> None:
    """A covered square is `occupied` while the base is not complete, before the frame is checked."""
    state = sealed("0-0 d4e4")
    assert refusal(state, "0-1 e4f4").values["cells"] == "e4"
    assert refusal(state, "0-1 e4d4").values["cells"] == "e4 d4"
    assert refused(sealed("0-0 d4e4, 0-1 f4g4"), "0-2 d4c4") == "occupied"


def test_the_frame() -> None:
    """At most four columns and four rows; this is checked before whether dominoes touch."""
    state = sealed("0-0 d4e4, 0-1 f4g4")
    no = refusal(state, "0-2 c4c5")
    assert (no.code, no.reason) == ("frame", "5 columns, that is too wide: the base is 4×4")
    assert refusal(sealed("0-0 d4d5, 0-1 d6d7"), "0-2 e3e4").reason == "5 rows, that is too long: the base is 4×4"
    assert refused(state, "0-2 a1a2") == "frame"


def test_corners_do_not_touch() -> None:
    """A new domino shares an edge with another (ruling, touch); this is checked before gaps."""
    state = sealed("0-0 d4e4")
    assert refused(state, "0-1 f5g5") == "touch"
    assert refused(state, "0-1 b5c5") == "touch"
    assert refused(state, "0-1 g6g7") == "touch"
    assert refused(sealed("0-0 d4e4, 0-1 d5d6"), "0-2 f7g7") == "touch"


def test_a_gap_is_refused_at_once() -> None:
    """A solid base must stay fillable in some 4×4 block; the square that would stay empty is named (ruling, gap)."""
    ring = sealed("0-0 d4e4, 0-1 d5d6, 0-2 f4f5")
    no = refusal(ring, "0-3 e6f6")
    assert (no.code, no.conflict) == ("gap", "e5 could not be filled")
    assert code(sealed("0-0 d4e4, 0-1 d5d6, 0-2 f4f5", base="cutup"), RULES.parse_move("0-3 e6f6")) == ""
    split = refusal(sealed("0-5 e4d4, 1-3 f4f5"), "1-2 g5g6")
    assert (split.code, split.conflict) == ("gap", "a gap would stay")


def test_a_vacant_or_lower_square() -> None:
    """Nothing is built on a square lower than the level below, beside the base or on it (sheet, Building)."""
    state = sealed(FULL_BASE)
    assert refusal(state, "6-6 c4d4").conflict == "nothing lies on c4"
    assert refusal(state, "6-6 a1a2").conflict == "nothing lies on a1"
    third = sealed(f"{FULL_BASE}, 2-2 d5d4, 2-3 d6e6, 2-4 f6g6, 2-5 f7g7, 2-6 d7e7, 3-3 e5f5, 3-4 f4g4")
    assert (third.level, third.heights[SQUARE_NAMES.index("e4")]) == (3, 1)
    assert refusal(third, "6-6 e4f4").reason == "6-6, e4 is 1 high: level 3 needs two squares 2 high"
    raised = RULES.play_move(third, third.to_move or 0, RULES.parse_move("6-6 d4d5"))
    assert refused(raised, "5-5 d4e4") == "vacant"


def test_uneven_ground() -> None:
    """The two squares must be equally high; the refusal names a free pair."""
    no = refusal(sealed(f"{FULL_BASE}, 2-2 d4e4"), "6-6 e4f4")
    assert (no.code, no.reason) == ("uneven", "6-6, 2 high and 1 high: both must be level")
    assert no.needed == "d5 d6 are still free"


def test_a_level_is_filled_before_the_next() -> None:
    """No new level begins while this one has a free pair, scoring or not (sheet, Building)."""
    state = sealed(f"{FULL_BASE}, 2-2 d4e4")
    no = refusal(state, "6-6 e4d4")
    assert (no.code, no.needed) == ("level", "d5 d6 are still free")
    full = sealed(f"{FULL_BASE}, {LEVEL_2}")
    assert full.level == 3
    assert code(full, RULES.parse_move("6-6 e4d4")) == ""


# The rest of the rules


@pytest.mark.parametrize(
    ("plays", "last", "points", "cells"),
    [
        ("", "3-3 d4e4", 0, ""),
        ("3-6 d4e4", "6-1 e5f5", 1, "e5"),
        ("3-6 d4e4", "1-6 d5e5", 1, "e5"),
        ("3-6 d4e4", "6-1 d5e5", 0, ""),
        ("3-6 d4e4, 3-3 d5d6", "3-6 e6e5", 2, "e6 e5"),
        ("3-6 d4e4, 3-3 d5d6", "3-4 e5f5", 1, "e5"),
        (FULL_BASE, "4-6 e5e6", 0, ""),
        (FULL_BASE, "4-0 f4f5", 2, "f5"),
        (FULL_BASE, "1-2 e5e6", 4, "e5 e6"),
        (f"{FULL_BASE}, {LEVEL_2}", "3-4 e5e6", 6, "e5 e6"),
        (f"{FULL_BASE}, {LEVEL_2}", "2-6 d5e5", 3, "d5"),
    ],
)
def test_what_a_play_scores(plays: str, last: str, points: int, cells: str) -> None:
    """On the base 1 for each own square with an equal one beside it; above, the level for each equal covered one."""
    effect = game.score_of_play(sealed(plays), RULES.parse_move(last))
    assert (effect.points, " ".join(SQUARE_NAMES[cell] for cell in effect.scoring_squares)) == (points, cells)


def test_two_equal_neighbours_score_one() -> None:
    """A square counts once, however many equal squares are beside it (ruling, The base)."""
    state = sealed("0-3 d4e4, 3-1 d5d6")
    assert game.score_of_play(state, RULES.parse_move("3-3 e5f5")) == (1, (SQUARE_NAMES.index("e5"),))
    assert game.score_of_play(state, RULES.parse_move("3-3 e5e6")) == (1, (SQUARE_NAMES.index("e5"),))


def test_the_base_is_complete_when_no_domino_fits() -> None:
    """With the cut-up base single squares may stay vacant for good; nothing is built over them."""
    state = sealed(", ".join(SHORT_ROUND.split(", ")[:5]), 4, base="cutup")
    assert (state.level, len(possible_frames(state))) == (1, 1)
    state = sealed(", ".join(SHORT_ROUND.split(", ")[:6]), 4, base="cutup")
    assert state.level == 2
    vacant = [SQUARE_NAMES[cell] for cell in sorted(possible_frames(state)[0]) if not state.heights[cell]]
    assert vacant == ["c4", "c6", "e5", "f6"]
    assert refused(state, "0-1 e5e6") == "vacant"


def possible_frames(state: State) -> list[list[int]]:
    """The squares of each 4×4 block that can still become the base."""
    return [
        grid.squares_in(grid.BASE_BLOCKS[corner])
        for corner, _ in grid.possible_base_blocks(state.covered, state.is_solid)
    ]


def test_frames_and_places() -> None:
    """A solid base may only become a block that can still be filled; the free pairs are those of any domino."""
    assert len(possible_frames(sealed())) == 16
    state = sealed("0-0 d4e4")
    assert len(possible_frames(state)) == 12
    steps = "0-0 d4e4, 0-1 b4c4, 0-2 c5d5"
    assert len(possible_frames(sealed(steps, base="cutup"))) == 3
    assert len(possible_frames(sealed(steps))) == 2
    assert [SQUARE_NAMES[a] + SQUARE_NAMES[b] for a, b in game.free_pairs(sealed())] == ["d4d5", "d4e4"]
    assert len(game.free_pairs(sealed(FULL_BASE))) == 24
    assert len(possible_frames(sealed(FULL_BASE))) == 1


def test_the_round_ends_before_a_level_with_room_for_one_domino() -> None:
    """A level that would begin with a single free pair is not begun (ruling, End)."""
    plays = SHORT_ROUND.split(", ")
    before = sealed(", ".join(plays[:-1]), 4, base="cutup")
    assert (before.level, before.to_move, len(before.free_pairs)) == (5, 4, 3)
    state = sealed(SHORT_ROUND, 4, base="cutup")
    assert RULES.seat_to_move(state) is None
    assert RULES.outcome(state) == Outcome((0, 4, 5, 3), (3,), "only one place left on level 6")


def test_the_only_place_left_within_a_level_is_played() -> None:
    """One remaining pair ends nothing once its level has begun, and the list has it."""
    seen = 0
    for state, _, after in random_walk(3, "6", "solid", 2):
        if len(state.free_pairs) == 1:
            seen += 1
            assert {frozenset(move[2:]) for move in RULES.legal_moves(state)} == {frozenset(game.free_pairs(state)[0])}
            assert after.level == state.level + 1
    assert seen


def test_ties_go_to_fewest_left_and_are_then_shared() -> None:
    """Most points, then fewest dominoes left, then a shared win (sheet, Winning)."""
    state = sealed(SHORT_ROUND, 4, base="cutup")
    state = state._replace(sizes=(3, 2, 2, 1))
    assert RULES.outcome(state._replace(scores=(9, 8, 8, 0))).winners == (1,)
    fewer = RULES.outcome(state._replace(scores=(9, 9, 8, 0)))
    assert (fewer.winners, fewer.reason) == ((2,), "equal points, fewer dominoes left")
    assert RULES.outcome(state._replace(scores=(9, 9, 9, 0))).winners == (2, 3)
    assert RULES.outcome(state._replace(scores=(8, 9, 9, 0))).reason.startswith("only one place left")


def test_a_sealed_hand_lists_nothing() -> None:
    """A sealed hand makes no claims, and its plays are not known."""
    assert RULES.legal_moves(sealed("0-0 d4e4")) == []
    assert RULES.find_legal_move(sealed("0-0 d4e4")) is None


def test_the_list_is_spelled_one_way() -> None:
    """Lower pip first; a double once for each pair of squares, lower square first."""
    texts = {str(move) for move in RULES.legal_moves(RULES.initial_state(2, {}, hands(LOW)))}
    assert {"0-1 d4e4", "0-1 e4d4", "0-1 d4d5", "0-1 d5d4", "0-0 d4e4", "0-0 d4d5"} < texts
    assert not {"1-0 d4e4", "0-0 e4d4", "0-0 d5d4"} & texts
    assert len(texts) == 11 * 4 + 3 * 2
    assert RULES.complete_draw(sealed(), RULES.parse_move("1-0 d4e4"), random.Random(1).sample) == RULES.parse_move(
        "1-0 d4e4"
    )


def test_others_hands_are_hidden() -> None:
    """In a view the own hand is open and the others are sealed, with their sizes."""
    state = RULES.initial_state(2, {}, hands(LOW, HIGH))
    mine = RULES.seat_view(state, 2)
    assert mine.hands == (state.hands[0]._replace(pieces=None), state.hands[1])
    assert [hand.pieces for hand in RULES.seat_view(state, None).hands] == [None, None]
    assert RULES.seat_view(state, None)._replace(dealt_bits=state.dealt_bits) == state
    assert RULES.seat_view(state, 1) == RULES.initial_state(2, {}, hands(LOW))


# Move counts


def lines(state: State, depth: int) -> int:
    if depth == 1:
        return len(RULES.legal_moves(state))
    return sum(lines(RULES.play_move(state, state.to_move or 0, move), depth - 1) for move in RULES.legal_moves(state))


def counts() -> list[list[str]]:
    rows = COUNTS.read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in row.split("|")] for row in rows if row and not row.startswith("#")]


@pytest.mark.parametrize(("options", "players", "deals", "depth", "count"), counts())
def test_move_counts(options: str, players: str, deals: str, depth: str, count: str) -> None:
    """The number of lines of play from a position equals that of two other programs."""
    chosen = dict(part.split("=") for part in options.split())
    dealt, _, plays = deals.partition(":")
    texts = enumerate(dealt.split("/"), 1)
    hands = {("deal", seat): RULES.parse_deal(text.strip(), "deal", chosen) for seat, text in texts}
    state = RULES.initial_state(int(players), chosen, hands)
    for text in plays.split(",") if plays else ():
        state = RULES.play_move(state, state.to_move or 0, RULES.parse_move(text.strip()))
    assert lines(state, int(depth)) == int(count)
