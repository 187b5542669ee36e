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

from companion.coach.advice import UNKNOWN, advise, look
from companion.coach.search import Bounds, Ranked, Search
from companion.games.api.words import decided_part, is_chance
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from companion.coach.search import Budget, Table
    from companion.games.api import Rules
    from companion.games.api.coach import Coach, SeatKnowledge
    from companion.games.api.entry import MoveInput


class Compared(NamedTuple):
    """The best move and the one that was played, the bounds of the best value, and the plies looked ahead."""

    best: Ranked
    played: Ranked
    most: Bounds
    depth: int


class Played(NamedTuple):
    """A round, as far as it was played.

    `states` begins with the initial position, so it has one more element than `events`; an event is its seat and its
    text.
    """

    rules: Rules[Any, Any]
    entry: MoveInput
    states: Sequence[Any]
    events: Sequence[tuple[int, str]]


def look_back(coach: Coach[Any], round_: Played, budget: Callable[[SeatKnowledge[Any]], Budget]) -> Iterator[Verdict]:
    """Yield a verdict for each move, the last move first: what is proven of late positions helps with earlier ones.

    `budget` is called for each move that is searched. What chance decides, and moves of sealed holdings, get no
    verdict.
    """
    table: Table = {}
    words = round_.entry.move_texts
    for event in range(len(round_.events) - 1, -1, -1):
        seat, written = round_.events[event]
        if is_chance(written):
            continue
        sight = look(round_.rules, round_.entry, round_.states[: event + 1], round_.events[:event], seat)
        choices = round_.rules.legal_moves(sight.view) if coach.knows_own_pieces(sight) else ()
        played = next((move for move in choices if str(move) == written), None)
        if played is None:
            played = _same(round_, event, choices)
        if played is None:  # The holding was sealed.
            continue
        if len(choices) == 1:
            yield Verdict(
                event, seat, written, Mark.BEST, certain=True, value=0, most=0, best=written, only=True,
                lost=False, given=False,
            )  # fmt: skip
            continue
        spent = budget(sight)
        known = coach.is_exact(sight)
        found = _exactly(coach, sight, played, spent, table) if known else _roughly(coach, sight, played, spent)
        if found is None:
            continue
        before, after = found.most, found.played.bounds
        mark, certain = judge(before, after, coach.mistake_threshold())
        lost, given = lost_round(before, after), gave_win_away(before, after)
        if mark in (Mark.SLIP, Mark.LOSING) and not certain and spent.extend():
            found, mark = _again(coach, sight, found, spent)
        best, value, most, depth = found
        yield Verdict(
            event, seat, written, mark, certain=certain, value=value.value, most=most.value,
            best=decided_part(str(best.move)),
            words=_in_words(coach, value.bounds, mark, certain=certain),
            best_words=_in_words(coach, best.bounds, Mark.BEST, certain=certain),
            nodes=spent.used, depth=depth, proven=certain and value.bounds.proven,
            shown=words(sight.view, seat, round_.rules.parse_move(written)).short,
            best_shown=words(sight.view, seat, best.move).short,
            lost=lost, given=given,
        )  # fmt: skip


def _in_words(coach: Coach[Any], found: Bounds, mark: Mark, *, certain: bool) -> str:
    """The value of a move in words: an estimate, or for a certain mark the bound that the mark depends on."""
    if not certain or found.proven:
        return coach.value_text(found.value)
    if mark is Mark.BEST:
        return text("at least {value}", value=coach.value_text(found.low))
    return text("at best {value}", value=coach.value_text(found.high))


def _same(round_: Played, event: int, choices: Sequence[Any]) -> Any:
    """The move among `choices` that leads to the same position as the event, which a record may write differently."""
    seat = round_.events[event][0]
    state, after = round_.states[event], round_.states[event + 1]
    return next((move for move in choices if round_.rules.play_move(state, seat, move) == after), None)


def _exactly(coach: Coach[Any], sight: SeatKnowledge[Any], played: Any, budget: Budget, table: Table) -> Compared | None:
    """Compare the best and the played move of a position in which everything is known, by one search."""
    search = Search(coach.build_tree(coach.sample_world(sight, _nothing), _nothing), sight.seat, budget, table)
    tree, root = search.tree, search.tree.root()
    limit = budget.nodes
    budget.nodes = limit * 2 // 3
    ranked = search.rank(root, 1)
    depth = search.depth
    budget.nodes = 0 if budget.stopped else limit
    step = next(move for move in tree.ordered_moves(root) if tree.rules_move(root, move) == played)
    value = search.find(tree.child_node(root, step), deepest=max(1, depth))
    best, surest = ranked[0], max(ranked, key=lambda each: each.low)
    if best.move == played:
        low, high = max(value.low, best.low), min(value.high, best.high)
        value = Bounds(max(low, min(high, best.value)), low, high)
    if surest.low > value.high:  # The best-ranked move has the higher estimate, but only this one may be proven better.
        best = surest
    most = Bounds(max(best.value, value.value), surest.low, max(each.high for each in ranked))
    return Compared(best, Ranked(played, *value), most, depth)


def _roughly(coach: Coach[Any], sight: SeatKnowledge[Any], played: Any, budget: Budget) -> Compared | None:
    """Compare them like `_compare_exactly`, but over sampled worlds; None if the move was not ranked."""
    advice = advise(coach, sight, budget)
    value = next((each for each in advice.ranked if each.move == played), None)
    if value is None:  # Of several equivalent moves (`Coach.similarity_key`) only one may have been searched.
        kind = coach.similarity_key(sight, played)
        value = next((each for each in advice.ranked if coach.similarity_key(sight, each.move) == kind), None)
    if value is None:
        return None
    best = advice.ranked[0]
    wins = best.low == best.high > 0  # If even the best move certainly loses, other moves may only seem to lose.
    most = Bounds(best.value, best.low, best.high if wins else UNKNOWN)
    return Compared(best, value, most, advice.depth)


def _again(coach: Coach[Any], sight: SeatKnowledge[Any], first: Compared, budget: Budget) -> tuple[Compared, Mark]:
    """Compare the best and the played move once more, alone and equally far ahead; with the mark that follows.

    The first search, of all moves, is too shallow to call one of them a mistake. It is no mistake if the other move is
    not better in this search either, or only as much better as chance can make it in so few worlds.
    """
    among = {decided_part(str(first.best.move)), str(first.played.move)}
    advice = advise(coach, sight, budget, few=len(among), among=among)
    found = {decided_part(str(each.move)): each for each in advice.ranked}
    best, played = found[decided_part(str(first.best.move))], found[str(first.played.move)]
    if best.value <= played.value:
        return Compared(played, played, played.bounds, advice.depth), Mark.BEST
    more, less = (advice.values.get(decided_part(str(each.move)), {}) for each in (best, played))
    losses = [more[world] - less[world] for world in more.keys() & less.keys()]
    mark = Mark.LOSING if played.value < 0 <= best.value else Mark.SLIP
    if best.value - played.value < coach.mistake_threshold() or not beyond_chance(losses):
        mark = Mark.GOOD
    return Compared(best, played, best.bounds, advice.depth), mark


def _nothing(pieces: Sequence[Any], count: int) -> Sequence[Any]:
    """A sampler for a fully known position, in which there are exactly as many pieces as are drawn."""
    return pieces[:count]


# -- marks ---------------------------------------------------------------------------------------------------------


class Mark(Enum):
    """How good a move was; the module's table explains the marks."""

    BEST = "best"  # No move has a higher value.
    GOOD = "good"  # It loses less value than `Coach.mistake_threshold`.
    SLIP = "slip"  # It loses at least `Coach.mistake_threshold`, or turns a win into a draw.
    LOSING = "losing"  # It loses a round that was not lost before.


class Verdict(NamedTuple):
    """The verdict on one move.

    Attributes:
        event: the index of the move's event, from 0.
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
        lost_the_round: whether the move lost a round that was not lost before; None if neither is proven.
        gave_away_the_win: whether the move turned a win alone into a shared one; None if neither is proven.
    """

    event: int
    seat: int
    move: str
    mark: Mark
    certain: bool
    value: int
    most: int
    best: str
    words: str = ""
    best_words: str = ""
    only: bool = False
    nodes: int = 0
    depth: int = 0
    proven: bool = False
    shown: str = ""
    best_shown: str = ""
    lost: bool | None = None
    given: bool | None = None


def beyond_chance(losses: Sequence[int]) -> bool:
    """Whether the mean of these losses is more than two standard errors above 0; True for an empty sequence."""
    count, total = len(losses), sum(losses)
    if not count:
        return True
    spread = sum((count * loss - total) ** 2 for loss in losses)  # count² times the sum of squared differences
    return total > 0 and total**2 * count * (count - 1) > 4 * spread


def judge(most: Bounds, value: Bounds, slip: int) -> tuple[Mark, bool]:
    """The mark of a move, and whether it is certain.

    The arguments are the bounds of the best move, those of the played move, and the coach's `mistake_threshold`.
    """
    if value.low >= most.high:
        return Mark.BEST, True
    if value.high < 0 <= most.low:
        return Mark.LOSING, True
    same_result = value.low > 0 or most.high < 0 or (value.low >= 0 and most.high <= 0)
    if value.high < most.low:
        not_losing = value.low >= 0 or most.high < 0
        if not_losing and (most.low - value.high >= slip or (most.low > 0 >= value.high)):
            return Mark.SLIP, True
        if same_result and most.high - value.low < slip:
            return Mark.GOOD, True
    loss = most.value - value.value
    if loss <= 0:
        return Mark.BEST, False
    if loss < slip:
        return Mark.GOOD, False
    return (Mark.LOSING if value.value < 0 <= most.value else Mark.SLIP), False


def lost_round(before: Bounds, after: Bounds) -> bool | None:
    """Whether a move lost a round that was not lost before; None if neither is proven."""
    if after.high < 0 <= before.low:
        return True
    return False if after.low >= 0 or before.high < 0 else None


def gave_win_away(before: Bounds, after: Bounds) -> bool | None:
    """Whether a move turned a win alone into a shared one; None if neither is proven."""
    if before.low > 0 and after.low == after.high == 0:
        return True
    return False if before.high <= 0 or after.low > 0 or after.high < 0 else None


def deciding_move(verdicts: Sequence[Verdict], winners: Sequence[int]) -> Verdict | None:
    """The verdict on the move that decided the round, among the moves of seats that did not win; None if there is none.

    It is the last move that certainly lost the round; otherwise the mistake that lost the most value, the last of equal
    ones. If several seats share the win, it is the last move that certainly gave away a win alone.
    """
    if len(winners) > 1:
        given = [each for each in verdicts if each.seat in winners and each.given]
        return max(given, key=lambda each: each.event, default=None)
    wrong = [each for each in verdicts if each.seat not in winners and each.mark in (Mark.SLIP, Mark.LOSING)]
    losing = [each for each in wrong if each.mark is Mark.LOSING and each.certain]
    if losing:
        return max(losing, key=lambda each: each.event)
    return max(wrong, key=lambda each: (each.most - each.value, each.event), default=None)


def is_proven(
    verdicts: Sequence[Verdict], wrong: Verdict, events: Sequence[tuple[int, str]], winners: Sequence[int]
) -> bool:
    """Whether it is proven that one move decided the round, and no other.

    That move is proven to have given away the round (or, with several winners, the win alone), and each later move of
    the same side is proven not to have done so. What is proven stays true: no other review, whatever its budget, can
    prove another move.
    """
    shared = len(winners) > 1
    gave = {each.event: each.given if shared else each.lost for each in verdicts}
    later = [
        event
        for event, (seat, text) in enumerate(events)
        if event > wrong.event and (seat in winners) is shared and not is_chance(text)
    ]
    return gave[wrong.event] is True and all(gave.get(event) is False for event in later)
