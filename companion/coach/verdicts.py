"""Verdicts on the moves of a round: each is marked best, good, slip or losing, and each mark is certain or likely.

A fair verdict depends on what the player knew at the time, not on what became known later. So each move is compared
with the best one by a search from the player's own view. A mark is certain only if proven bounds decide it: because a
single position fits what was seen, or because a move ends the round whatever is hidden. (A claim does not count as
seen, since it may be false.)

| mark | the move |
| --- | --- |
| best | has no better alternative |
| good | loses less than the coach's `mistake_threshold` |
| slip | loses at least that, or turns a win into a draw |
| losing | loses a round that was not lost before |

The marks also tell which move decided the round.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.coach.advice import UNPROVEN_BOUND, advise, seat_knowledge
from companion.coach.search import Bounds, RankedMove, Search
from companion.games.api.game_texts import chosen_part, is_chance
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from companion.coach.search import Budget, TranspositionTable
    from companion.games.api import Rules
    from companion.games.api.coach import Coach, SeatKnowledge
    from companion.games.api.move_input import MoveInput


MUCH_WORSE_MISTAKES = 3
"""A move that loses the value of so many mistakes is much worse than the best one."""


def worth_text(coach: Coach[Any], best_value: int, value: int) -> str:
    """How a move compares with the best one, in words; of the best one that it wins, if the coach says so."""
    mistakes = (best_value - value) / coach.mistake_threshold()
    if mistakes >= MUCH_WORSE_MISTAKES:
        return text("bad")
    if mistakes >= 1:
        return text("worse")
    if mistakes > 0:
        return text("good", "beside a move of a hint")
    words = coach.value_text(value)
    return text("best", "beside a move of a hint") if value <= 0 or any(each.isdigit() for each in words) else words


class Comparison(NamedTuple):
    """The best move and the one that was played, the bounds of the best value, and the plies looked ahead."""

    best: RankedMove
    played: RankedMove
    best_bounds: Bounds
    plies: int


class PlayedRound(NamedTuple):
    """A round, as far as it was played.

    `states` begins with the initial position, so it has one more element than `events`; an event is its seat and its
    text.
    """

    rules: Rules[Any, Any]
    move_input: MoveInput
    states: Sequence[Any]
    events: Sequence[tuple[int, str]]

    def is_decided_by_chance(self, index: int) -> bool:
        """Whether chance decided an event, and no player."""
        return is_chance(self.events[index][1]) or bool(self.rules.chance_outcomes(self.states[index]))


def judge_moves(
    coach: Coach[Any], round_: PlayedRound, budget: Callable[[SeatKnowledge[Any]], Budget]
) -> Iterator[Verdict]:
    """Yield a verdict for each move, the last move first: what is proven of late positions helps with earlier ones.

    `budget` is called for each move that is searched. What chance decides, and moves of sealed holdings, get no
    verdict.
    """
    table: TranspositionTable = {}
    move_texts = round_.move_input.move_texts
    for event_index in range(len(round_.events) - 1, -1, -1):
        seat, event_text = round_.events[event_index]
        if round_.is_decided_by_chance(event_index):
            continue
        knowledge = seat_knowledge(
            round_.rules, round_.move_input, round_.states[: event_index + 1], round_.events[:event_index], seat
        )
        choices = round_.rules.legal_moves(knowledge.view) if coach.knows_own_pieces(knowledge) else ()
        played = next((move for move in choices if str(move) == event_text), None)
        if played is None:
            played = _equivalent_move(round_, event_index, choices)
        if played is None:  # The holding was sealed.
            continue
        if len(choices) == 1:
            yield Verdict(
                event_index, seat, event_text, Mark.BEST, is_certain=True, value=0, best_value=0, best_move=event_text,
                is_only_move=True, lost_the_round=False, gave_away_the_win=False,
            )  # fmt: skip
            continue
        budget_left = budget(knowledge)
        is_fully_known = coach.is_exact(knowledge)
        comparison = (
            _compare_exactly(coach, knowledge, played, budget_left, table)
            if is_fully_known
            else _compare_by_sampling(coach, knowledge, played, budget_left)
        )
        if comparison is None:
            continue
        best_bounds, played_bounds = comparison.best_bounds, comparison.played.bounds
        mark, certain = mark_move(best_bounds, played_bounds, coach.mistake_threshold())
        lost, given = lost_the_round(best_bounds, played_bounds), gave_away_the_win(best_bounds, played_bounds)
        if mark in (Mark.SLIP, Mark.LOSING) and not certain and budget_left.allow_extra_nodes():
            comparison, mark = _compare_again(coach, knowledge, comparison, budget_left)
        best, played, best_bounds, plies = comparison
        yield Verdict(
            event_index, seat, event_text, mark, is_certain=certain, value=played.value, best_value=best_bounds.value,
            best_move=chosen_part(str(best.move)),
            value_text=_value_text(coach, played.bounds, mark, certain=certain),
            best_value_text=_value_text(coach, best.bounds, Mark.BEST, certain=certain),
            searched_nodes=budget_left.used_nodes, plies=plies, is_value_proven=certain and played.bounds.is_proven,
            short_move=move_texts(knowledge.view, seat, round_.rules.parse_move(event_text)).short,
            short_best_move=move_texts(knowledge.view, seat, best.move).short,
            lost_the_round=lost, gave_away_the_win=given,
            is_much_worse=best_bounds.value - played.value >= MUCH_WORSE_MISTAKES * coach.mistake_threshold(),
        )  # fmt: skip


def _value_text(coach: Coach[Any], bounds: Bounds, mark: Mark, *, certain: bool) -> str:
    """The value of a move in words: an estimate, or for a certain mark the bound that the mark depends on."""
    if not certain or bounds.is_proven:
        return coach.value_text(bounds.value)
    if mark is Mark.BEST:
        return text("at least {value}", value=coach.value_text(bounds.low))
    return text("at best {value}", value=coach.value_text(bounds.high))


def _equivalent_move(round_: PlayedRound, event_index: int, choices: Sequence[Any]) -> Any:
    """The move among `choices` that leads to the same position as the event, which a record may write differently."""
    seat = round_.events[event_index][0]
    state, state_after = round_.states[event_index], round_.states[event_index + 1]
    return next((move for move in choices if round_.rules.play_move(state, seat, move) == state_after), None)


def _compare_exactly(
    coach: Coach[Any], knowledge: SeatKnowledge[Any], played: Any, budget: Budget, table: TranspositionTable
) -> Comparison | None:
    """Compare the best and the played move of a position in which everything is known, by one search."""
    search = Search(
        coach.build_tree(coach.sample_world(knowledge, _take_in_order), _take_in_order), knowledge.seat, budget, table
    )
    tree, root = search.tree, search.tree.root()
    node_limit = budget.node_limit
    budget.node_limit = node_limit * 2 // 3
    ranked = search.rank_moves(root, 1)
    depth = search.plies
    budget.node_limit = 0 if budget.was_stopped else node_limit
    tree_move = next(move for move in tree.ordered_moves(root) if tree.rules_move(root, move) == played)
    value = search.search_value(tree.child_node(root, tree_move), max_plies=max(1, depth))
    best, best_proven = ranked[0], max(ranked, key=lambda each: each.low)
    if best.move == played:
        low, high = max(value.low, best.low), min(value.high, best.high)
        value = Bounds(max(low, min(high, best.value)), low, high)
    # The best-ranked move has the higher estimate, but only this one may be proven better.
    if best_proven.low > value.high:
        best = best_proven
    best_bounds = Bounds(max(best.value, value.value), best_proven.low, max(each.high for each in ranked))
    return Comparison(best, RankedMove(played, *value), best_bounds, depth)


def _compare_by_sampling(
    coach: Coach[Any], knowledge: SeatKnowledge[Any], played: Any, budget: Budget
) -> Comparison | None:
    """Compare the best and the played move over sampled worlds; None if the played one was not searched."""
    advice = advise(coach, knowledge, budget)
    value = next((each for each in advice.ranked_moves if each.move == played), None)
    if value is None:  # Of several equivalent moves (`Coach.similarity_key`) only one may have been searched.
        kind = coach.similarity_key(knowledge, played)
        value = next((each for each in advice.ranked_moves if coach.similarity_key(knowledge, each.move) == kind), None)
    if value is None:
        return None
    best = advice.ranked_moves[0]
    wins = best.low == best.high > 0  # If even the best move certainly loses, other moves may only seem to lose.
    best_bounds = Bounds(best.value, best.low, best.high if wins else UNPROVEN_BOUND)
    return Comparison(best, value, best_bounds, advice.plies)


def _compare_again(
    coach: Coach[Any], knowledge: SeatKnowledge[Any], first_comparison: Comparison, budget: Budget
) -> tuple[Comparison, Mark]:
    """Compare the best and the played move once more, only these two and equally far ahead, and mark the played one.

    The first search, of all moves, is too shallow to call one of them a mistake. The played move is no mistake if the
    best one is not better in this search, or only as much better as chance can make it in so few worlds.
    """
    best_text, played_text = chosen_part(str(first_comparison.best.move)), str(first_comparison.played.move)
    decisions = {best_text, played_text}
    advice = advise(coach, knowledge, budget, exact_count=len(decisions), decisions=decisions)
    ranked_by_decision = {chosen_part(str(each.move)): each for each in advice.ranked_moves}
    best, played = ranked_by_decision[best_text], ranked_by_decision[played_text]
    if best.value <= played.value:
        return Comparison(played, played, played.bounds, advice.plies), Mark.BEST
    best_values, played_values = (advice.world_values.get(chosen_part(str(each.move)), {}) for each in (best, played))
    losses = [best_values[world] - played_values[world] for world in best_values.keys() & played_values.keys()]
    mark = Mark.LOSING if played.value < 0 <= best.value else Mark.SLIP
    if best.value - played.value < coach.mistake_threshold() or not is_beyond_chance(losses):
        mark = Mark.GOOD
    return Comparison(best, played, best.bounds, advice.plies), mark


def _take_in_order(pieces: Sequence[Any], count: int) -> Sequence[Any]:
    """A sampler for a fully known position, in which there are exactly as many pieces as are drawn."""
    return pieces[:count]


# -- marks ---------------------------------------------------------------------------------------------------------


class Mark(Enum):
    """How good a move was."""

    BEST = "best"  # No move has a higher value.
    GOOD = "good"  # It loses less value than `Coach.mistake_threshold`.
    SLIP = "slip"  # It loses at least `Coach.mistake_threshold`, or turns a win into a draw.
    LOSING = "losing"  # It loses a round that was not lost before.


class Verdict(NamedTuple):
    """The verdict on one move.

    Attributes:
        event_index: the index of the move's event, from 0.
        seat: the seat that made it, from 1.
        move: the text of the move.
        mark: how good the move was.
        is_certain: whether the mark is proven.
        value: the value that the move leads to for its seat, in the coach's unit.
        best_value: the value of the best move.
        best_move: the text of the best move. With a certain mark it is proven to be better, unless the mark is `BEST`.
        value_text: `value` in words; with a certain mark a proven bound of it: ``at best 2 behind``.
        best_value_text: `best_value` in words; with a certain mark a proven bound of it: ``at least even``.
        is_only_move: whether no other move was legal. Then nothing is searched, and both values are 0.
        searched_nodes: the number of positions that were searched.
        plies: how many plies were looked ahead.
        is_value_proven: whether `value` is certain. The mark may be certain without that.
        short_move: the move as a hint shows it (`MoveTexts.short`), which may differ from its text.
        short_best_move: the best move in the same form.
        lost_the_round: whether the move lost a round that was not lost before; None if the bounds do not decide it.
        gave_away_the_win: whether the move turned a win alone into a shared one; None if the bounds do not decide it.
        is_much_worse: whether the best move was much better.
    """

    event_index: int
    seat: int
    move: str
    mark: Mark
    is_certain: bool
    value: int
    best_value: int
    best_move: str
    value_text: str = ""
    best_value_text: str = ""
    is_only_move: bool = False
    searched_nodes: int = 0
    plies: int = 0
    is_value_proven: bool = False
    short_move: str = ""
    short_best_move: str = ""
    lost_the_round: bool | None = None
    gave_away_the_win: bool | None = None
    is_much_worse: bool = False


def is_beyond_chance(losses: Sequence[int]) -> bool:
    """Whether the mean of these losses is more than two standard errors above 0; True for an empty sequence."""
    count, total = len(losses), sum(losses)
    if not count:
        return True
    spread = sum((count * loss - total) ** 2 for loss in losses)  # count² times the sum of squared differences
    return total > 0 and total**2 * count * (count - 1) > 4 * spread


def mark_move(best: Bounds, played: Bounds, threshold: int) -> tuple[Mark, bool]:
    """The mark of a move, and whether it is certain.

    The arguments are the bounds of the best move, those of the played move, and the coach's `mistake_threshold`.
    """
    if played.low >= best.high:
        return Mark.BEST, True
    if played.high < 0 <= best.low:
        return Mark.LOSING, True
    same_result = played.low > 0 or best.high < 0 or (played.low >= 0 and best.high <= 0)
    if played.high < best.low:
        not_losing = played.low >= 0 or best.high < 0
        if not_losing and (best.low - played.high >= threshold or (best.low > 0 >= played.high)):
            return Mark.SLIP, True
        if same_result and best.high - played.low < threshold:
            return Mark.GOOD, True
    loss = best.value - played.value
    if loss <= 0:
        return Mark.BEST, False
    if loss < threshold:
        return Mark.GOOD, False
    return (Mark.LOSING if played.value < 0 <= best.value else Mark.SLIP), False


def lost_the_round(best: Bounds, played: Bounds) -> bool | None:
    """Whether a move lost a round that was not lost before; None if the bounds do not decide it."""
    if played.high < 0 <= best.low:
        return True
    return False if played.low >= 0 or best.high < 0 else None


def gave_away_the_win(best: Bounds, played: Bounds) -> bool | None:
    """Whether a move turned a win alone into a shared one; None if the bounds do not decide it."""
    if best.low > 0 and played.low == played.high == 0:
        return True
    return False if best.high <= 0 or played.low > 0 or played.high < 0 else None


def deciding_verdict(verdicts: Sequence[Verdict], winners: Sequence[int]) -> Verdict | None:
    """The verdict on the move that decided the round; None if there is none.

    Of the seats that did not win, it is the last move that certainly lost the round; otherwise the mistake that lost
    the most value, the last of equal ones. If several seats share the win, it is the last of their moves that certainly
    gave away a win alone.
    """
    if len(winners) > 1:
        winning_mistakes = [each for each in verdicts if each.seat in winners and each.gave_away_the_win]
        return max(winning_mistakes, key=lambda each: each.event_index, default=None)
    mistakes = [each for each in verdicts if each.seat not in winners and each.mark in (Mark.SLIP, Mark.LOSING)]
    losing = [each for each in mistakes if each.mark is Mark.LOSING and each.is_certain]
    if losing:
        return max(losing, key=lambda each: each.event_index)
    return max(mistakes, key=lambda each: (each.best_value - each.value, each.event_index), default=None)


def is_proven_decisive(
    verdicts: Sequence[Verdict],
    verdict: Verdict,
    events: Sequence[tuple[int, str]],
    winners: Sequence[int],
    is_decided_by_chance: Callable[[int], bool] | None = None,
) -> bool:
    """Whether it is proven that one move decided the round, and no other.

    That move is proven to have given away the round (or, with several winners, the win alone), and each later move of
    the same side is proven not to have done so. What is proven stays true: no other review, whatever its budget, can
    prove another move.
    """
    is_shared = len(winners) > 1
    gave_away = {each.event_index: each.gave_away_the_win if is_shared else each.lost_the_round for each in verdicts}
    later_moves = [
        index
        for index, (seat, event_text) in enumerate(events)
        if index > verdict.event_index and (seat in winners) is is_shared
        if not (is_decided_by_chance(index) if is_decided_by_chance else is_chance(event_text))
    ]
    return gave_away[verdict.event_index] is True and all(gave_away.get(index) is False for index in later_moves)
