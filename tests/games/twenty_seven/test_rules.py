"""27: the sheet's examples, every refusal, the rulings, and a second opinion on every move."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.api import RefusedError
from companion.games.twenty_seven import GAME
from companion.games.twenty_seven import rules as game
from companion.games.twenty_seven.move_input import MOVE_INPUT
from companion.games.twenty_seven.rules import FIXED_PIECES, RULES, Move, State

PIECES = ".WBr"
"""Grey, white, black, red, by their numbers; a stack is written from the bottom up."""
VARIANTS = GAME.option_values["variant"]
COUNTS = Path(__file__).with_name("counts.txt")


def position(variant: str, seat: int, line: str) -> State:
    piles = tuple(tuple(PIECES.index(piece) for piece in pile) for pile in line.split())
    return State(FIXED_PIECES[variant], piles, tuple(pile[-1] for pile in piles), seat, ())


def line_text(state: State) -> str:
    return " ".join("".join(PIECES[piece] for piece in pile) for pile in state.stacks)


def state_after(state: State, *events: str) -> State:
    for event in events:
        seat, text = event.split(":")
        state = RULES.play_move(state, int(seat), RULES.parse_move(text))
    return state


def refusal(state: State, seat: int, text: str) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        RULES.play_move(state, seat, RULES.parse_move(text))
    return caught.value


def initial_state(variant: str = "basic") -> State:
    return RULES.initial_state(2, {"variant": variant}, {})


# The sheet's examples


def test_example_black_has_two_stacks_and_advances_two_steps() -> None:
    """Two stacks make two steps, here with the second stack (sheet, first example)."""
    state = state_after(initial_state(), "1:1x3", "2:9x4", "1:1x1")
    assert game.steps_of_move(state, 2) == 2
    assert line_text(state_after(state, "2:8x4")) == "rWWWWW .WWW .W . . .BBBB . . rBBBBB"


def test_example_white_has_three_stacks_and_the_third_would_pass_the_target() -> None:
    """Stacks 1 and 2 can go, stack 3 cannot; part of stack 2 lands on stack 3 (sheet, second example)."""
    state = position("basic", 1, "rBWW . . .BWW . . .WW . rWBBB")
    assert game.steps_of_move(state, 1) == 3
    assert {move.field for move in RULES.legal_moves(state)} == {1, 4}
    assert refusal(state, 1, "7x1").code == "overshoot"
    assert line_text(state_after(state, "1:4x2")) == "rBWW . . .B . . .WWWW . rWBBB"


def test_example_black_takes_the_grey_with_him_and_eight_fields_are_left() -> None:
    """A grey moved from under its discs shortens the line to eight fields (sheet, Advanced level)."""
    state = position("advanced", 2, "rWWWWWWWWW . . . . . . .BB rBBBBBBB")
    assert line_text(state_after(state, "2:8x3")) == "rWWWWWWWWW . . . . ..BB . rBBBBBBB"


# Setup, score and turns


def test_the_first_line() -> None:
    """Nine fields, the outer ones red, nine discs on each, one step to begin with (sheet, Preparation)."""
    assert line_text(initial_state()) == "rWWWWWWWWW . . . . . . . rBBBBBBBBB"
    assert (game.steps_of_move(initial_state(), 1), game.steps_of_move(initial_state(), 2)) == (1, 1)
    assert [str(move) for move in RULES.legal_moves(initial_state())] == [f"1x{count}" for count in range(1, 10)]
    assert [len(RULES.legal_moves(initial_state(variant))) for variant in VARIANTS] == [9, 9, 10]


@pytest.mark.parametrize(("variant", "heights"), [("basic", (9, 9)), ("advanced", (9, 9)), ("expert", (10, 10))])
def test_the_fixed_red_does_not_count(variant: str, heights: tuple[int, int]) -> None:
    """Each seat scores the far pile; only in expert does the red at its bottom count (ruling, Score)."""
    assert RULES.outcome(initial_state(variant)).scores == heights == game.goal_heights(initial_state(variant))


def test_a_home_that_leaves_hands_the_score_to_the_next_field() -> None:
    """In expert the last field is whatever ends the line now (sheet, Even more difficult)."""
    state = state_after(initial_state("expert"), "1:1x1", "2:9x10")
    assert line_text(state) == "rWWWWWWWW .W . . . . . .rBBBBBBBBB"
    assert game.goal_heights(state) == (11, 9)


def test_a_seat_that_cannot_move_is_skipped_and_may_return() -> None:
    """The other seat plays on, and the blocked one moves again when it can (sheet, Important)."""
    state = state_after(position("basic", 2, "r . .B . .WB . . .W rBW"), "2:3x1")
    assert (RULES.seat_to_move(state), RULES.skipped_seats(state)) == (2, (1,))
    assert refusal(state, 1, "8x1").code == "turn"
    state = state_after(state, "2:5x1")
    assert (RULES.seat_to_move(state), RULES.skipped_seats(state)) == (1, ())
    assert [str(move) for move in RULES.legal_moves(state)] == ["5x1"]


def test_the_round_ends_when_neither_can_move() -> None:
    """The heights then decide, and nobody counts as skipped (sheet, Game end)."""
    state = state_after(position("basic", 1, "rBB . . . . . . .W rWB"), "1:8x1")
    assert RULES.seat_to_move(state) is None
    assert RULES.legal_moves(state) == []
    assert RULES.find_legal_move(state) is None
    assert RULES.skipped_seats(state) == ()
    assert RULES.outcome(state) == ((3, 2), (1,), "neither can move")
    assert refusal(state, 2, "9x1").code == "over"


def test_equal_heights_are_a_draw() -> None:
    """Equal is a draw, shared by both (ruling, Score)."""
    assert RULES.outcome(state_after(position("basic", 1, "rB . . . . . . .W r"), "1:8x1")).winners == (1, 2)
    assert RULES.outcome(state_after(position("basic", 1, "rBB . . . . . . .W r"), "1:8x1")).winners == (2,)


# Rulings on what moves


def test_the_target_counts_among_the_stacks() -> None:
    """An own stack on the target adds a step like any other (ruling, A move)."""
    state = position("basic", 1, "rW . . . . . . . rBW")
    assert game.steps_of_move(state, 1) == 2
    assert line_text(state_after(state, "1:1x1")) == "r . .W . . . . . rBW"


def test_moved_pieces_stay_in_order() -> None:
    """A stack is split from above, and what moves is not turned over (ruling, A move)."""
    assert line_text(state_after(position("basic", 1, "r .WBWBW . . . . . . rB"), "1:2x3")) == "r .WB .WBW . . . . . rB"


def test_steps_are_counted_before_a_field_vanishes() -> None:
    """The target is found on the line before the move (A move)."""
    state = position("advanced", 1, "rW .WW . . . . . . rB")
    assert line_text(state_after(state, "1:2x3")) == "rW . ..WW . . . . rB"


def test_a_grey_inside_a_stack_travels_like_a_disc() -> None:
    """Only the field at the bottom may be fixed (What can move)."""
    state = position("advanced", 1, "r .W.W . . . . . . rB")
    assert line_text(state_after(state, "1:2x2")) == "r .W ..W . . . . . rB"


def test_a_stack_topped_by_a_grey_is_nobodys() -> None:
    """A stack with a grey on top belongs to neither seat (What can move)."""
    state = state_after(position("advanced", 1, "r .W.W . . . . . . rB"), "1:2x1")
    assert line_text(state) == "r .W. .W . . . . . rB"
    assert game.steps_of_move(state, 1) == 1
    assert refusal(state_after(state, "2:9x1"), 1, "2x1").code == "not-yours"


def test_reds_stay_in_advanced_and_go_in_expert() -> None:
    """The red below the first stack is part of it in expert only (sheet, Variants)."""
    assert refusal(initial_state("advanced"), 1, "1x10").code == "count"
    assert line_text(state_after(initial_state("expert"), "1:1x10")) == ".rWWWWWWWWW . . . . . . rBBBBBBBBB"


# Refusals, in the order in which they are checked


@pytest.mark.parametrize(
    ("seat", "text", "code"),
    [
        (3, "1x1", "syntax"),
        (0, "1x1", "syntax"),
        (2, "9x1", "turn"),
        (1, "0x1", "field"),
        (1, "10x0", "field"),
        (1, "2x0", "not-yours"),
        (1, "9x1", "not-yours"),
        (1, "1x0", "count"),
        (1, "1x10", "count"),
    ],
)
def test_refusal_of_a_first_move(seat: int, text: str, code: str) -> None:
    """Each check has its own code, and the first check that fails decides (27, Checks)."""
    assert refusal(initial_state(), seat, text).code == code


def test_a_field_that_does_not_exist_has_a_reason() -> None:
    """Some players type 0 to pass; another number may be a field that is gone."""
    start = RULES.initial_state(2, {"variant": "basic"}, {})
    for state, field, rule in (
        (start, 0, "you can't pass: if you can move, you must"),
        (start, 10, "there is no such field"),
        (start._replace(stacks=start.stacks[:8]), 9, "an empty field goes and the row closes up"),
    ):
        with pytest.raises(RefusedError) as refused:
            RULES.play_move(state, 1, Move(field, 1))
        assert (refused.value.code, refused.value.rule) == ("field", rule)


def test_too_many_pieces_are_refused_before_an_overshoot() -> None:
    """`count` comes before `overshoot` (27, Checks)."""
    state = position("basic", 1, "rW .W . . . . . .W rB")
    assert refusal(state, 1, "8x2").code == "count"
    assert refusal(state, 1, "8x1").code == "overshoot"


def test_an_overshoot_names_the_numbers() -> None:
    """The refusal says how far the move would go and where the line ends (sheet, Important)."""
    white = refusal(position("basic", 1, "rW .W . . . . . .W rB"), 1, "8x1")
    assert white.reason == "8+3 = 11, the row ends at 9: seat 1 has 3 stacks, so each move is 3 steps"
    assert white.needed == "field 6 is the last you can start from"
    black = refusal(position("basic", 2, "rB . . . . . . .W rB"), 2, "1x1")
    assert black.reason == "1-2 = -1, the row ends at 1: seat 2 has 2 stacks, so each move is 2 steps"
    assert black.needed == "field 3 is the last you can start from"


@pytest.mark.parametrize("text", ["3x2", "3 X\t2", "0x0", "999x999", "12x10"])
def test_what_reads_as_a_move(text: str) -> None:
    """Blanks around the x and a capital are all the freedom there is (record, 27)."""
    move = RULES.parse_move(text)
    assert RULES.parse_move(str(move)) == move


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "3x",
        "x2",
        "03x2",
        "3x02",
        "1000x1",
        "3*2",
        "3×2",
        "３x2",
        "3x2²",
        "3 2",
        " 3x2",
        "3x2\n",
        "3\u00a0x2",
        "+3x2",
    ],
)
def test_what_does_not_read_as_a_move(text: str) -> None:
    """No leading zeros, no fourth digit, ASCII only, nothing around it (record, Grammar)."""
    with pytest.raises(RefusedError, match="syntax"):
        RULES.parse_move(text)


def test_nothing_is_dealt() -> None:
    """27 has no holdings, so a deal is refused (record, Commands)."""
    with pytest.raises(RefusedError) as caught:
        RULES.initial_state(2, {}, {("deal", 1): (1,)})
    assert caught.value.code == "deal"
    assert RULES.deal_holdings(2, {}, random.Random(1).sample) == {}
    assert RULES.holding_size("deal", 2, {}) == 0


# A second opinion


def naive_moves(variant: str, piles: list[str], seat: int) -> dict[str, list[str]]:
    """Every move and the line that it leads to, found on strings by trying each field and count."""
    disc, way = ("W", 1) if seat == 1 else ("B", -1)
    stays = {"basic": ".r", "advanced": "r", "expert": ""}[variant]
    steps = way * sum(pile.endswith(disc) for pile in piles)
    found = {}
    for field, pile in enumerate(piles):
        if not (pile.endswith(disc) and 0 <= field + steps < len(piles)):
            continue
        for count in range(1, len(pile) - (pile[0] in stays) + 1):
            line = [*piles]
            line[field + steps] += pile[len(pile) - count :]
            line[field] = pile[: len(pile) - count]
            found[f"{field + 1}x{count}"] = [pile for pile in line if pile]
    return found


@given(variant=st.sampled_from(VARIANTS), chance=st.randoms(use_true_random=False))
def test_a_round_agrees_with_a_second_opinion(variant: str, chance: random.Random) -> None:
    """Moves, positions, turns, passes and scores agree with a plain reading of the rules to the end of a round."""
    state, piles, seat = initial_state(variant), line_text(initial_state(variant)).split(), 1
    expected = naive_moves(variant, piles, seat)
    for _ in range(200):
        moves = RULES.legal_moves(state)
        assert {str(move) for move in moves} == expected.keys()
        assert str(RULES.find_legal_move(state)) in expected
        move = chance.choice(moves)
        state, piles = RULES.play_move(state, seat, move), expected[str(move)]
        possible = {other: naive_moves(variant, piles, other) for other in (3 - seat, seat)}
        able = [other for other, found in possible.items() if found]
        assert line_text(state).split() == piles
        assert sum(map(len, state.stacks)) == 27
        assert state.tops == tuple(pile[-1] for pile in state.stacks)
        assert RULES.seat_to_move(state) == (able[0] if able else None)
        assert RULES.skipped_seats(state) == ((3 - seat,) if able == [seat] else ())
        reds = variant != "expert"
        assert RULES.outcome(state).scores == (len(piles[-1]) - reds, len(piles[0]) - reds)
        if not able:
            return
        seat = able[0]
        expected = possible[seat]


@given(
    variant=st.sampled_from(VARIANTS),
    chance=st.randoms(use_true_random=False),
    plies=st.integers(0, 20),
    move=st.builds(Move, st.integers(0, 11), st.integers(0, 29)),
)
def test_exactly_the_listed_moves_are_accepted(variant: str, chance: random.Random, plies: int, move: Move) -> None:
    """A move is refused if and only if it is not listed (27, Checks)."""
    state = initial_state(variant)
    for _ in range(plies):
        if RULES.seat_to_move(state) is not None:
            state = RULES.play_move(state, state.to_move or 0, chance.choice(RULES.legal_moves(state)))
    seat = RULES.seat_to_move(state) or 1
    if move in RULES.legal_moves(state):
        RULES.play_move(state, seat, move)
    else:
        with pytest.raises(RefusedError):
            RULES.play_move(state, seat, move)


def count_lines_of_play(state: State, depth: int) -> int:
    """The number of lines of play of exactly `depth` moves."""
    seat, moves = RULES.seat_to_move(state), RULES.legal_moves(state)
    if depth == 1 or seat is None:
        return len(moves)
    return sum(count_lines_of_play(RULES.play_move(state, seat, move), depth - 1) for move in moves)


def counted_lines() -> list[list[str]]:
    rows = (row.split("#")[0] for row in COUNTS.read_text(encoding="utf-8").splitlines())
    return [[cell.strip() for cell in row.split("|")] for row in rows if row.strip()]


@pytest.mark.parametrize(("options", "deals", "depth", "count"), counted_lines())
def test_move_counts(options: str, deals: str, depth: str, count: str) -> None:
    """The number of lines of play to each depth equals the one on file (counts.txt)."""
    assert deals == "-"
    chosen = dict(option.split("=") for option in options.split())
    assert count_lines_of_play(RULES.initial_state(2, chosen, {}), int(depth)) == int(count)


def test_a_skipped_seat_has_a_reason():
    """A player is skipped with a reason: all or the other discs are covered, all arrived, or too many steps."""
    assert MOVE_INPUT.skip_reason(position("basic", 1, "W . . . WW"), 1) == "a step of 2 goes past the end"
    assert MOVE_INPUT.skip_reason(position("basic", 1, "B . . . WW"), 1) == "all discs have arrived"
    assert MOVE_INPUT.skip_reason(position("basic", 2, "BB . . W W"), 2) == "all discs have arrived"
    assert MOVE_INPUT.skip_reason(position("basic", 2, "W . . W W"), 2) == "all discs are covered"
    assert MOVE_INPUT.skip_reason(position("basic", 2, "BB . BW W W"), 2) == "the other discs are covered"
