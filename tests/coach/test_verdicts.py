"""Verdicts on artificial positions: a certain mark is proven, and so is everything that it names."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from companion import games
from companion.coach.advice import seat_knowledge
from companion.coach.hints import make_hint
from companion.coach.review import deciding_move_text, review_lines, review_round
from companion.coach.rules_coach import RulesCoach
from companion.coach.search import Bounds, Budget
from companion.coach.verdicts import (
    Mark,
    PlayedRound,
    Verdict,
    deciding_verdict,
    gave_away_the_win,
    is_beyond_chance,
    is_proven_decisive,
    judge_moves,
    lost_the_round,
    mark_move,
)
from companion.games.api.coach import Tree
from companion.games.api.game_texts import MoveTexts
from companion.rounds.record import check_record

WON = 1000


class LineTree(Tree[Any, Any]):
    """A tree with one move from the start to each of the `ends`: a value ends the round, None leads on for ever."""

    def __init__(self, ends: dict[str, int | None]) -> None:
        self._ends = ends

    def root(self) -> tuple[str, int]:
        return "start", 0

    def seat_to_move(self, node: tuple[str, int]) -> int:
        return 1 if node[0] == "start" else 0 if self._ends[node[0]] is not None else 2 - node[1] % 2

    def ordered_moves(self, node: tuple[str, int]) -> tuple[str, ...]:
        return tuple(self._ends) if node[0] == "start" else (node[0],)

    def child_node(self, node: tuple[str, int], move: str) -> tuple[str, int]:
        return move, node[1] + 1

    def position_key(self, node: tuple[str, int]) -> tuple[str, int]:
        return node

    def value_bounds(self, node: tuple[str, int], seat: int) -> tuple[int, int]:
        value = None if node[0] == "start" else self._ends[node[0]]
        return (-WON, WON) if value is None else (value, value)

    def estimated_value(self, node: tuple[str, int], seat: int) -> int:
        return self._ends.get(node[0]) or 50

    def rules_move(self, node: tuple[str, int], move: str) -> str:
        return move


class LineCoach(RulesCoach):
    """A coach of such trees. It knows the whole position if `whole`, otherwise only the final value of some moves."""

    def __init__(self, ends: dict[str, int | None], *, whole: bool, settled: dict[str, int]) -> None:
        self._line, self._whole, self._settled = ends, whole, settled

    def is_exact(self, knowledge: Any) -> bool:
        return self._whole

    def build_tree(self, world: Any, sample: Any) -> LineTree:
        return LineTree(self._line)

    def value_text(self, value: int) -> str:
        return str(value)

    def final_value(self, knowledge: Any, move: Any) -> int | None:
        return self._settled.get(move)


class DealtCoach(LineCoach):
    """A coach that samples positions: the next tree of its list for each."""

    def __init__(self, lines: list[dict[str, int | None]]) -> None:
        super().__init__(lines[0], whole=False, settled={})
        self._lines, self._dealt = lines, 0

    def world_count(self, nodes: int) -> int:
        return len(self._lines)

    def sample_world(self, knowledge: Any, sample: Any) -> int:
        self._dealt += 1
        return self._dealt % len(self._lines)

    def build_tree(self, world: int, sample: Any) -> LineTree:
        return LineTree(self._lines[world])


def verdict_on_line(
    ends: dict[str, int | None], played: str, *, whole: bool = True, settled: dict[str, int] | None = None
) -> Verdict:
    """The verdict on a move that was played from the start."""
    return verdict_by_coach(LineCoach(ends, whole=whole, settled=settled or {}), ends, played)


def verdict_by_coach(coach: LineCoach, moves: Iterable[str], played: str) -> Verdict:
    """The verdict of a coach on one of the moves from the start."""
    rules: Any = SimpleNamespace(
        seat_view=lambda state, seat: state,
        legal_moves=lambda view: list(moves),
        parse_move=str,
        chance_outcomes=lambda state: {},
    )
    entry: Any = SimpleNamespace(move_texts=lambda before, seat, move: MoveTexts(move))
    round_ = PlayedRound(rules, entry, ("start", "end"), ((1, played),))
    (found,) = judge_moves(coach, round_, lambda knowledge: Budget(30, extra_nodes=60))
    return found


def test_the_better_move_of_a_certain_mark_is_proven_to_be_better() -> None:
    """It is not the one that only seems best; without a proof it is the one that seems best."""
    found = verdict_on_line({"lost": -10, "long": None, "sure": 10}, "lost")
    assert (found.mark, found.is_certain, found.is_value_proven) == (Mark.LOSING, True, True)
    assert (found.best_move, found.value_text, found.best_value_text) == ("sure", "-10", "10")
    likely = verdict_on_line({"long": None, "even": 0}, "even")
    assert (likely.mark, likely.is_certain, likely.is_value_proven) == (Mark.SLIP, False, False)
    assert (likely.best_move, likely.value_text, likely.best_value_text) == ("long", "0", "50")


def test_an_only_move_is_marked_and_not_searched() -> None:
    """Whatever it leads to, an only move is not searched; with another legal move it gets a verdict."""
    found = verdict_on_line({"lost": -10}, "lost")
    assert (found.is_only_move, found.mark, found.is_certain, found.value, found.searched_nodes) == (
        True,
        Mark.BEST,
        True,
        0,
        0,
    )
    assert not verdict_on_line({"lost": -10, "sure": 10}, "lost").is_only_move


@pytest.mark.parametrize(("settled", "certain"), [(WON, True), (-WON, False)])
def test_next_to_hidden_pieces_only_a_won_end_is_surely_best(settled: int, certain: bool) -> None:
    """A move that certainly loses is not certainly best if all others lost only in the sampled worlds."""
    found = verdict_on_line({"ends": settled, "stays": -WON}, "ends", whole=False, settled={"ends": settled})
    assert (found.mark, found.is_certain) == (Mark.BEST, certain)


@pytest.mark.parametrize(
    ("lost", "mark"), [(0, Mark.BEST), (1, Mark.GOOD), (2, Mark.GOOD), (4, Mark.LOSING), (8, Mark.LOSING)]
)
def test_a_move_that_loses_in_few_sampled_positions_is_no_mistake(lost: int, mark: Mark) -> None:
    """One or two lost worlds of eight can be chance, so a mistake must cost more than that."""
    lines: list[dict[str, int | None]] = [{"bold": -WON if number < lost else 0, "calm": 0} for number in range(8)]
    found = verdict_by_coach(DealtCoach(lines), lines[0], "bold")
    assert (found.mark, found.is_certain) == (mark, False)
    assert found.best_move == ("bold" if mark is Mark.BEST else "calm")


@pytest.mark.parametrize(
    ("losses", "beyond"),
    [((), True), ((5, 5), True), ((0, 5), False), ((4, 5, 6), True), ((0, 0, 0), False), ((-5, -5), False)],
)
def test_beyond_chance_is_more_than_two_standard_errors(losses: tuple[int, ...], beyond: bool) -> None:
    """The mean must be above 0 by more than twice its standard error; without samples it always counts."""
    assert is_beyond_chance(losses) == beyond


@pytest.mark.drill
@pytest.mark.parametrize("game", games.built_in_game_ids())
def test_a_hint_that_is_followed_is_not_called_a_mistake(game: str) -> None:
    """A likely verdict does not contradict the hint that the player got, whatever their budgets were."""
    rules, entry, coach, chance = games.load_rules(game), games.load_move_input(game), games.load_coach(game), Random(1)
    assert coach is not None
    options = {name: next(iter(option.values)) for name, option in games.manifest_of(game).options.items()}
    states, events, followed = [rules.initial_state(2, options, rules.deal_holdings(2, options, chance.sample))], [], []
    while (seat := rules.seat_to_move(states[-1])) is not None and len(events) < 60:
        moves = rules.legal_moves(states[-1])
        move = chance.choice(moves)
        if len(moves) > 1 and len(events) % 5 == 4:
            knowledge = seat_knowledge(rules, entry, states, events, seat)
            first = [row for part in make_hint(game, knowledge) for row, _ in part.rows][:1]
            hinted = [each for each in moves if [entry.move_texts(knowledge.view, seat, each).short] == first]
            if len(hinted) == 1:  # A short form may leave out what moves differ in.
                move = hinted[0]
                followed.append(len(events))
        move = rules.complete_draw(states[-1], move, chance.sample)
        states.append(rules.play_move(states[-1], seat, move))
        events.append((seat, str(move)))
    looked = review_round(game, PlayedRound(rules, entry, states, events), round_worth_moves=4)
    marks = [each.mark for each in looked.verdicts if each.event_index in followed and not each.is_certain]
    assert marks
    assert set(marks) <= {Mark.BEST, Mark.GOOD}


def test_a_win_given_away_for_a_draw_is_a_certain_slip_however_little_it_costs() -> None:
    """The result of the round changes from a win to a draw, so the coach's `mistake_threshold` does not matter."""
    assert mark_move(Bounds(1, 1, 1), Bounds(0, 0, 0), threshold=10) == (Mark.SLIP, True)
    assert mark_move(Bounds(2, 2, 2), Bounds(1, 1, 1), threshold=10) == (Mark.GOOD, True)


SLIP = 3
INTERVALS = [(low, high) for low in range(-4, 5) for high in range(low, 5)]


def true_verdict(most: int, value: int) -> tuple[Mark, bool, bool]:
    """The mark of a move, whether it lost the round and whether it gave away the win, if both values are known."""
    lost, given = value < 0 <= most, value == 0 < most
    if value == most:
        return Mark.BEST, lost, given
    if lost:
        return Mark.LOSING, lost, given
    return Mark.SLIP if most - value >= SLIP or most > 0 >= value else Mark.GOOD, lost, given


def test_certain_is_what_holds_for_every_value_within_the_bounds() -> None:
    """Over all bounds: a mark is certain exactly if it is the same for all values within the bounds."""
    for most, value in product(INTERVALS, INTERVALS):
        pairs = product(range(most[0], most[1] + 1), range(value[0], value[1] + 1))
        found = {true_verdict(best, played) for best, played in pairs if played <= best}
        if not found:
            continue
        before, after = Bounds(most[0], *most), Bounds(value[0], *value)
        mark, certain = mark_move(before, after, SLIP)
        marks, losing, giving = (set(each) for each in zip(*found, strict=True))
        assert certain == (len(marks) == 1), (most, value)
        assert not certain or marks == {mark}, (most, value)
        assert lost_the_round(before, after) in losing if len(losing) == 1 else lost_the_round(before, after) is None
        assert (
            gave_away_the_win(before, after) in giving if len(giving) == 1 else gave_away_the_win(before, after) is None
        )


def made_up_verdict(event: int, mark: Mark, value: int, most: int, *, certain: bool = True) -> Verdict:
    """A verdict on a move of seat 1 or 2, alternating from seat 1; a certain one has proven values."""
    bounds = Bounds(most, most, most), Bounds(value, value, value)
    lost, given = (lost_the_round(*bounds), gave_away_the_win(*bounds)) if certain else (None, None)
    return Verdict(
        event,
        event % 2 + 1,
        "a",
        mark,
        is_certain=certain,
        value=value,
        best_value=most,
        best_move="b",
        lost_the_round=lost,
        gave_away_the_win=given,
    )


def test_the_last_proven_loss_decides_else_what_cost_the_most() -> None:
    """An estimate below 0 is not a loss yet: among likely mistakes the largest one is named."""
    small, large = (
        made_up_verdict(3, Mark.LOSING, -5, 5, certain=False),
        made_up_verdict(1, Mark.SLIP, 5, 90, certain=False),
    )
    early, late = made_up_verdict(1, Mark.LOSING, -5, 5), made_up_verdict(3, Mark.LOSING, -5, 5)
    assert deciding_verdict((large, small), (1,)) == large
    assert deciding_verdict((early, late, made_up_verdict(5, Mark.SLIP, 5, 90, certain=False)), (1,)) == late
    assert deciding_verdict((large, small), (2,)) is None


def test_a_decision_is_certain_only_if_no_later_move_can_have_been_it() -> None:
    """A proven loss certainly decides only if each later move of that player is proven to have lost nothing more."""
    lost, behind = made_up_verdict(1, Mark.LOSING, -5, 5), made_up_verdict(3, Mark.SLIP, -9, -1)
    guess = made_up_verdict(3, Mark.GOOD, 5, 5, certain=False)
    events = [(event % 2 + 1, "a") for event in range(5)]
    assert is_proven_decisive((lost, behind), lost, events, (1,))
    assert not is_proven_decisive((lost, guess), lost, events, (1,))
    assert not is_proven_decisive((lost,), lost, events, (1,)), "a move without a verdict may be anything"
    assert is_proven_decisive((lost,), lost, events[:3], (1,))
    assert not is_proven_decisive((behind,), behind, events, (1,)), "what cost the most is never certain"
    won, shared = made_up_verdict(1, Mark.SLIP, 0, 5), made_up_verdict(3, Mark.BEST, 0, 0)
    assert is_proven_decisive((won, shared), won, events[:4], (1, 2)) is False, "nothing is known of the other's moves"
    others = (made_up_verdict(0, Mark.BEST, -5, -5), made_up_verdict(2, Mark.BEST, 0, 0))
    assert is_proven_decisive((others[0], won, others[1], shared), won, events[:4], (1, 2))


ROUND_TEXT = """\
companion-record: 1
game: 27
options: variant=expert
players: Ann, Ben
1: 1x10
2: 8x2
1: 1x8
2: 7x3
1: 2x9
2: 6x2
1: 3x10
2: 5x2
1: 1x3
2: 4x1
1: 2x8
2: 4x2
1: 3x20
2: 2x5
"""
"""Move 6 gave the round away; a shorter search proves only later mistakes."""


def test_what_one_look_back_calls_certain_no_other_contradicts() -> None:
    """With any budget, on the box or by the command, only one move can be certain to have decided the round."""
    report = check_record(ROUND_TEXT)
    assert report.is_over
    states = [report.start]
    for seat, move in report.events:
        states.append(report.rules.play_move(states[-1], seat, move))
    events = [(seat, str(move)) for seat, move in report.events]
    played = PlayedRound(report.rules, games.load_move_input("27"), states, events)
    certain, likely = set(), set()
    for nodes, worth in ((40, 0), (600, 0), (2000, 0), (4000, 4), (20_000, 0)):
        looked = review_round("27", played, nodes, round_worth_moves=worth, clock=float)
        panel = review_lines(looked, ("Ann", "Ben"))
        (certain if panel[2] == "That is certain." else likely).add(looked.deciding_verdict.event_index + 1)
        assert (", certain;" in deciding_move_text(looked, "Ben")) == (panel[2] == "That is certain.")
    assert certain == {6}
    assert likely, "no look-back was too short: this proves nothing"


def test_a_shared_win_is_never_called_lost() -> None:
    """A player who shares the win gave away at most a win alone, and this is only said if it is proven."""
    lost, slip = made_up_verdict(0, Mark.LOSING, -5, 5), made_up_verdict(1, Mark.SLIP, 0, 5)
    later, guess = made_up_verdict(2, Mark.SLIP, 0, 5), made_up_verdict(3, Mark.SLIP, 0, 5, certain=False)
    behind = made_up_verdict(4, Mark.SLIP, -9, -1)
    assert deciding_verdict((lost, slip, later, guess, behind), (1, 2)) == later
    assert deciding_verdict((lost, guess, behind), (1, 2)) is None
    assert deciding_verdict((lost, slip, later, guess, behind), (2,)) == lost
