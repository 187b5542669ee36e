"""The coach of 27 against a solver that knows only the rules: what the coach calls proven is true."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from examples import first_cases_fast

from companion.coach.advice import advise, seat_knowledge
from companion.coach.search import Budget, Search
from companion.coach.verdicts import Mark, PlayedRound, judge_moves
from companion.games.twenty_seven import rules
from companion.games.twenty_seven.coach import COACH, PIECE_VALUE, StackTree
from companion.games.twenty_seven.move_input import MOVE_INPUT
from companion.games.twenty_seven.rules import BLACK, FIXED_PIECES, GREY, RED, RULES, WHITE, State
from companion.panel.fonts import TEXT, wrap_text

if TYPE_CHECKING:
    from collections.abc import Callable

EXACT = {5: (-2, -4, -1, -1, -1), 6: (2, 4, 1, 1, 1), 7: (-2, -2, 0, 0, 1)}
"""Fields → own minus other height of seat 1 under best play with 1 to 5 discs."""


def board(fields: int, discs: int, variant: str = "basic") -> State:
    """A smaller board, set up like the large one."""
    white, black = ((RED, *[seat] * discs) for seat in (WHITE, BLACK))
    line = (white, *((GREY,),) * (fields - 2), black)
    return State(FIXED_PIECES[variant], line, tuple(pile[-1] for pile in line), 1, ())


def solve(state: State, memo: dict[Any, int]) -> int:
    """The height of seat 1's goal less the other's under best play, by the rules and an exhaustive search."""
    if state.to_move is None:
        first, second = rules.goal_heights(state)
        return first - second
    key = state.stacks, state.to_move
    if key not in memo:
        values = [solve(RULES.play_move(state, state.to_move, move), memo) for move in RULES.legal_moves(state)]
        memo[key] = max(values) if state.to_move == 1 else min(values)
    return memo[key]


@pytest.mark.parametrize("fields", first_cases_fast(len(EXACT) - 1, EXACT))
def test_small_boards_have_their_known_values(fields: int) -> None:
    """The values of small boards under best play are known from another program."""
    for discs, value in enumerate(EXACT[fields], 1):
        tree = StackTree(board(fields, discs))
        found = Search(tree, 1, Budget(100_000)).search_value(tree.root())
        assert (found.low, found.high) == (PIECE_VALUE * value, PIECE_VALUE * value)


def test_no_proof_is_wrong() -> None:
    """More than 1,000 positions of small boards in every variant, searched with small and large budgets."""
    chance, checked = Random(27), 0
    boards = [(5, 2, "basic"), (5, 3, "basic"), (6, 2, "basic"), (7, 2, "basic"), (4, 2, "advanced"), (4, 1, "expert")]
    memos: dict[Any, dict[Any, int]] = {}
    while checked < 1000:
        size = chance.choice(boards)
        state, memo = board(*size), memos.setdefault(size, {})
        while state.to_move is not None:
            tree = StackTree(state)
            for seat in (1, 2):
                truth = solve(state, memo) * (PIECE_VALUE if seat == 1 else -PIECE_VALUE)
                search = Search(tree, seat, Budget(chance.choice((1, 10, 30, 200))))
                found = search.search_value(tree.root())
                assert found.low <= truth <= found.high, state
                checked += 1
            state = RULES.play_move(state, state.to_move, chance.choice(RULES.legal_moves(state)))


@pytest.mark.parametrize("variant", FIXED_PIECES)
def test_the_tree_is_the_rules(variant: str) -> None:
    """The tree has the same moves, turns and ends as the rules, and bounds that contain the final value."""
    for seed in range(12):
        chance, seen = Random(seed), []
        state = RULES.initial_state(2, {"variant": variant}, {})
        tree = StackTree(state)
        node = tree.root()
        while state.to_move is not None:
            assert tree.seat_to_move(node) == state.to_move
            steps = {tree.rules_move(node, step): step for step in tree.ordered_moves(node)}
            assert sorted(steps) == sorted(RULES.legal_moves(state))
            assert tree.root() == node
            seen.append(tree.value_bounds(node, 1))
            move = chance.choice(sorted(steps))
            state, node = RULES.play_move(state, state.to_move, move), tree.child_node(node, steps[move])
            tree = StackTree(state)
        assert tree.seat_to_move(node) == 0
        first, second = rules.goal_heights(state)
        assert tree.value_bounds(node, 1) == (PIECE_VALUE * (first - second),) * 2
        assert tree.value_bounds(node, 2) == (PIECE_VALUE * (second - first),) * 2
        assert all(low <= PIECE_VALUE * (first - second) <= high for low, high in seen)


def position(chance: Random, plies: int, variant: str = "basic") -> State:
    """A position of a random round, `plies` moves from its end."""
    for _ in range(1000):
        states = [RULES.initial_state(2, {"variant": variant}, {})]
        while (seat := states[-1].to_move) is not None:
            states.append(RULES.play_move(states[-1], seat, chance.choice(RULES.legal_moves(states[-1]))))
        if len(states) > plies:
            return states[-1 - plies]
    raise AssertionError("no round is as long as that")


@pytest.mark.drill
@pytest.mark.parametrize(("plies", "share"), [(8, 0.9), (12, 0.5)])
def test_most_ends_are_proven(plies: int, share: float) -> None:
    """With the default budget, 90 % of positions eight plies from the end are proven, half of those twelve from it."""
    chance, proven = Random(7), 0
    for _ in range(100):
        state = position(chance, plies)
        knowledge, tree = seat_knowledge(RULES, MOVE_INPUT, [state], [], 1), StackTree(state)
        found = Search(tree, 1, Budget(COACH.node_budget(knowledge))).search_value(tree.root())
        proven += found.low == found.high
    assert proven >= 100 * share


def test_reasons_are_true_and_short() -> None:
    """A reason fits the panel, and each of its numbers is right for the position after the move."""
    said = set()
    for seed, variant in enumerate((*FIXED_PIECES,) * 2):
        chance, state = Random(seed), RULES.initial_state(2, {"variant": variant}, {})
        while (seat := state.to_move) is not None:
            knowledge, ahead = seat_knowledge(RULES, MOVE_INPUT, [state], [], seat), rules.steps_of_move(state, seat)
            for move in chance.sample(RULES.legal_moves(state), min(4, len(RULES.legal_moves(state)))):
                told, seen = COACH.move_reason(knowledge, move), COACH.look_here_text(knowledge, move)
                assert max(len(wrap_text(each, TEXT, 122)) for each in (told, seen)) <= 4, (told, seen)
                assert str(move) not in seen
                said |= {
                    found
                    for found in REASON_CHECKS
                    if REASON_CHECKS[found](told, state, RULES.play_move(state, seat, move), seat)
                }
                lead, _, brings = told.partition(": ")
                target = move.field + (ahead if seat == WHITE else -ahead)
                assert lead == f"Move {move.pieces} from field {move.field} to {target}"
                assert any(character.isdigit() for character in brings)
            state = RULES.play_move(state, seat, move)
    assert said == set(REASON_CHECKS)
    advice = advise(COACH, seat_knowledge(RULES, MOVE_INPUT, [board(5, 2)], [], 1), Budget(5_000))
    assert advice.ranked_moves[0].value == PIECE_VALUE * EXACT[5][1]


def _stacks_on_the_way(state: State, seat: int) -> list[tuple[int, int]]:
    """For each stack of a seat before its goal: how many fields are left, and how many of its pieces can move."""
    last = len(state.stacks)
    return [
        (last - field if seat == WHITE else field - 1, rules.movable_piece_count(state, field))
        for field, top in enumerate(state.tops, 1)
        if top == seat and field != (last if seat == WHITE else 1)
    ]


def _reason_check(pattern: str, figure: Callable[[State, State, int], int]) -> Callable[..., bool]:
    """A check for a number in a reason, which must be the one of `figure(before, after, seat)`."""

    def tells(told: str, before: State, after: State, seat: int) -> bool:
        found = re.search(pattern, told)
        assert found is None or int(found[1]) == figure(before, after, seat), told
        return found is not None

    return tells


REASON_CHECKS = {
    "goal": _reason_check(r"your goal is (\d+) high", lambda before, after, seat: rules.goal_heights(after)[seat - 1]),
    "steps": _reason_check(r"then (\d+) step", lambda before, after, seat: rules.steps_of_move(after, seat)),
    "steps before": _reason_check(r", not (\d+)", lambda before, after, seat: rules.steps_of_move(before, seat)),
    "reach": _reason_check(
        r"(\d+) (?:discs? )?can reach (?:the goal|it)\.",
        lambda before, after, seat: sum(
            high for left, high in _stacks_on_the_way(after, seat) if left == rules.steps_of_move(after, seat)
        ),
    ),
    "stuck": _reason_check(
        r"(\d+) of yours (?:is|are) stuck",
        lambda before, after, seat: sum(
            high for left, high in _stacks_on_the_way(after, seat) if left < rules.steps_of_move(after, seat)
        ),
    ),
}
"""The numbers that a reason may have."""


def test_reasons_name_the_result_of_a_move() -> None:
    """The goal's height, that of a covered or an own stack, or the fields to go, move by move in one position."""
    line = ((3, 1, 1), (0,), (0, 1, 2, 1), (0, 2, 2), (0, 1), (0,), (0,), (0,), (3, 2))
    state = State(FIXED_PIECES["basic"], line, tuple(pile[-1] for pile in line), 1, ())
    knowledge = seat_knowledge(RULES, MOVE_INPUT, [state], [], 1)
    told = {
        "1x2": "Move 2 from field 1 to 4: covers 2 discs.",
        "3x1": "Move 1 from field 3 to 6: 3 fields to go; then 3 steps: 1 disc can reach the goal.",
        "3x3": "Move 3 from field 3 to 6: 3 fields to go; then 3 steps: 3 discs can reach the goal.",
        "1x1": "Move 1 from field 1 to 4: covers 2 discs; then 4 steps: 1 disc can reach the goal.",
        "5x1": "Move 1 from field 5 to 8: 1 field to go; then 3 steps: 1 of yours is stuck.",
    }
    for move, words in told.items():
        assert COACH.move_reason(knowledge, RULES.parse_move(move)) == words
    assert (
        COACH.look_here_text(knowledge, RULES.parse_move("3x1"))
        == "Look at field 3: its stack is 6 fields from the goal."
    )
    assert MOVE_INPUT.move_texts(state, 1, RULES.parse_move("3x1")).short == "1 from 3 to 6"


@pytest.mark.parametrize(("discs", "asked"), [(1, "."), (2, ": how much of it should move?")])
def test_how_much_should_go_is_asked_only_where_there_is_a_choice(discs: int, asked: str) -> None:
    """A stack of one disc can only go as a whole."""
    knowledge = seat_knowledge(RULES, MOVE_INPUT, [board(2, discs)], [], 1)
    assert (
        COACH.look_here_text(knowledge, RULES.parse_move("1x1")) == f"Your stack on field 1 can reach the goal{asked}"
    )


def test_moves_that_differ_by_the_number_of_pieces_alone_are_alike() -> None:
    """At the start of a round: all pieces, or any part of them, which makes two stacks."""
    state = RULES.initial_state(2, {"variant": "basic"}, {})
    knowledge = seat_knowledge(RULES, MOVE_INPUT, [state], [], 1)
    assert len({COACH.similarity_key(knowledge, move) for move in RULES.legal_moves(state)}) == 2


def test_no_certain_mark_is_wrong() -> None:
    """Rounds of small boards reviewed with small and large budgets: a solver agrees with the certain marks.

    The solver also agrees with the values in them, and that the move called better is better.
    """
    chance, certain, bounds = Random(3), 0, 0
    memos: dict[Any, dict[Any, int]] = {}
    boards = [(5, 2, "basic"), (5, 3, "basic"), (6, 2, "basic"), (4, 2, "advanced"), *[(7, 2, "basic")] * 4]
    for _ in range(70):
        size = chance.choice(boards)
        memo, states, events = memos.setdefault(size, {}), [board(*size)], []
        while (seat := states[-1].to_move) is not None:
            move = chance.choice(RULES.legal_moves(states[-1]))
            events.append((seat, str(move)))
            states.append(RULES.play_move(states[-1], seat, move))
        nodes = chance.choice((5, 40, 100))
        verdicts = [
            *judge_moves(
                COACH, PlayedRound(RULES, MOVE_INPUT, states, events), lambda knowledge, nodes=nodes: Budget(nodes)
            )
        ]
        assert [each.event_index for each in verdicts] == [*range(len(events) - 1, -1, -1)]
        for each in verdicts:
            if each.is_certain and not each.is_only_move:
                sign = 1 if each.seat == 1 else -1
                before, after = states[each.event_index], states[each.event_index + 1]
                most, value = (sign * PIECE_VALUE * solve(state, memo) for state in (before, after))
                assert each.mark is true_mark(most, value), (each, most, value)
                assert not each.is_value_proven or each.value == value
                better = (
                    sign
                    * PIECE_VALUE
                    * solve(RULES.play_move(before, each.seat, RULES.parse_move(each.best_move)), memo)
                )
                assert each.mark is Mark.BEST or better > value, (each, better, value)
                assert each.mark is not Mark.LOSING or better >= 0
                assert is_true_value(each.value_text, value), (each, value)
                assert each.mark is Mark.BEST or is_true_value(each.best_value_text, better), (each, better)
                bounds += not each.is_value_proven
                certain += 1
    assert certain > 150
    assert bounds > 4


def is_true_value(words: str, value: int) -> bool:
    """Whether a value in words, or a bound in words, is true."""
    said = words.removeprefix("at least ").removeprefix("at best ")
    number, _, side = said.partition(" ")
    told = PIECE_VALUE * (int(number) if side == "ahead" else -int(number) if side == "behind" else 0)
    if words.startswith("at least"):
        return value >= told
    return value <= told if words.startswith("at best") else value == told


def true_mark(most: int, value: int) -> Mark:
    """The true mark of a move that leads to `value` where `most` was possible."""
    if value == most:
        return Mark.BEST
    if value < 0 <= most:
        return Mark.LOSING
    drawn = value <= 0 < most
    return Mark.SLIP if drawn or most - value >= COACH.mistake_threshold() else Mark.GOOD
