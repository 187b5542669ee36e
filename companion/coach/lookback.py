"""Looking back on a round: each move is marked best, good, slip or losing, and each mark is certain or likely.

Each move is judged by what its player knew at the time, not by what became known later. A mark is certain only if
proven bounds decide it: if a single position is consistent with what was seen (a claim does not count as seen, since
it may be false), or if a move ends the round whatever is hidden.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.coach.advice import UNKNOWN, advise
from companion.coach.search import Bounds, Ranked, Search
from companion.coach.sight import look
from companion.coach.verdicts import Mark, Verdict, beyond_chance, gave_win, judge, lost_it
from companion.game.words import decision, is_chance
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from companion.coach.budget import Budget
    from companion.coach.search import Table
    from companion.game import Rules
    from companion.game.coach import Coach, Sight
    from companion.game.entry import Entry


class Compared(NamedTuple):
    """The best move and the one that was played, what bounds the best value, and the plies looked ahead."""

    best: Ranked
    played: Ranked
    most: Bounds
    depth: int


class Played(NamedTuple):
    """A round as far as it was played: `states` begins with the start, so it has one more than `events`.

    An event is its seat and its text.
    """

    rules: Rules[Any, Any]
    entry: Entry
    states: Sequence[Any]
    events: Sequence[tuple[int, str]]


def look_back(coach: Coach[Any], round_: Played, budget: Callable[[Sight[Any]], Budget]) -> Iterator[Verdict]:
    """Yield a verdict for each move, the last one first: what is proven of late positions helps with earlier ones.

    `budget` is called for each move that is searched. What chance decides and moves of sealed holdings have no verdict.
    """
    table: Table = {}
    words = round_.entry.move_words
    for event in range(len(round_.events) - 1, -1, -1):
        seat, written = round_.events[event]
        if is_chance(written):
            continue
        sight = look(round_.rules, round_.entry, round_.states[: event + 1], round_.events[:event], seat)
        choices = round_.rules.moves(sight.view) if coach.knows(sight) else ()
        played = next((move for move in choices if str(move) == written), None)
        if played is None:  # The record may write an equal move differently, or the holding was sealed.
            played = _same(round_, event, choices)
        if played is None:
            continue
        if len(choices) == 1:
            yield Verdict(
                event, seat, written, Mark.BEST, certain=True, value=0, most=0, best=written, only=True,
                lost=False, given=False,
            )  # fmt: skip
            continue
        spent = budget(sight)
        if coach.exact(sight):
            found = _exactly(coach, sight, played, spent, table)
        else:
            found = _roughly(coach, sight, played, spent)
        if found is None:
            continue
        mark, certain = judge(found.most, found.played.bounds, coach.slip())
        lost, given = lost_it(found.most, found.played.bounds), gave_win(found.most, found.played.bounds)
        if mark in (Mark.SLIP, Mark.LOSING) and not certain and spent.extend():
            found, mark = _again(coach, sight, found, spent)
        best, value, most, depth = found
        yield Verdict(
            event, seat, written, mark, certain=certain, value=value.value, most=most.value,
            best=decision(str(best.move)),
            words=_in_words(coach, value.bounds, mark, certain=certain),
            best_words=_in_words(coach, best.bounds, Mark.BEST, certain=certain),
            nodes=spent.used, depth=depth, proven=certain and value.bounds.proven,
            shown=words(sight.view, seat, round_.rules.read(written)).short,
            best_shown=words(sight.view, seat, best.move).short,
            lost=lost, given=given,
        )  # fmt: skip


def _in_words(coach: Coach[Any], found: Bounds, mark: Mark, *, certain: bool) -> str:
    """The value of a move in words: an estimate, or with a certain mark the bound that the mark depends on."""
    if not certain or found.proven:
        return coach.words(found.value)
    if mark is Mark.BEST:
        return text("at least {value}", value=coach.words(found.low))
    return text("at best {value}", value=coach.words(found.high))


def _same(round_: Played, event: int, choices: Sequence[Any]) -> Any:
    """The move of `choices` that leads to the same position as the event, None if there is none."""
    seat = round_.events[event][0]
    state, after = round_.states[event], round_.states[event + 1]
    return next((move for move in choices if round_.rules.play(state, seat, move) == after), None)


def _exactly(coach: Coach[Any], sight: Sight[Any], played: Any, budget: Budget, table: Table) -> Compared | None:
    """The best and the played move of a position of which everything is known, by one search."""
    sample = _nothing
    search = Search(coach.tree(coach.world(sight, sample), sample), sight.seat, budget, table)
    tree, root = search.tree, search.tree.root()
    limit = budget.nodes
    budget.nodes = limit * 2 // 3
    ranked = search.rank(root, 1)
    depth = search.depth
    budget.nodes = 0 if budget.stopped else limit
    step = next(move for move in tree.moves(root) if tree.named(root, move) == played)
    value = search.find(tree.after(root, step), deepest=max(1, depth))
    best, surest = ranked[0], max(ranked, key=lambda each: each.low)
    if best.move == played:
        low, high = max(value.low, best.low), min(value.high, best.high)
        value = Bounds(max(low, min(high, best.value)), low, high)
    if surest.low > value.high:  # The first one is estimated higher, but may not be proven to be better.
        best = surest
    most = Bounds(max(best.value, value.value), surest.low, max(each.high for each in ranked))
    return Compared(best, Ranked(played, *value), most, depth)


def _roughly(coach: Coach[Any], sight: Sight[Any], played: Any, budget: Budget) -> Compared | None:
    """As `_exactly`, but over sampled positions; None if the move was not ranked."""
    advice = advise(coach, sight, budget)
    value = next((each for each in advice.ranked if each.move == played), None)
    if value is None:  # Of several equivalent moves (`Coach.alike`) only one may have been searched.
        kind = coach.alike(sight, played)
        value = next((each for each in advice.ranked if coach.alike(sight, each.move) == kind), None)
    if value is None:
        return None
    best = advice.ranked[0]
    wins = best.low == best.high > 0  # Next to a move that surely loses, others may only seem to lose.
    most = Bounds(best.value, best.low, best.high if wins else UNKNOWN)
    return Compared(best, value, most, advice.depth)


def _again(coach: Coach[Any], sight: Sight[Any], first: Compared, budget: Budget) -> tuple[Compared, Mark]:
    """The best and the played move, searched again alone and equally far ahead, and the mark.

    The first look, at all moves, is too shallow to call one of them a mistake. It is none if the other move is not
    better in this look, or no more so than by chance in so few sampled positions.
    """
    among = {decision(str(first.best.move)), str(first.played.move)}
    advice = advise(coach, sight, budget, few=len(among), among=among)
    found = {decision(str(each.move)): each for each in advice.ranked}
    best, played = found[decision(str(first.best.move))], found[str(first.played.move)]
    if best.value <= played.value:
        return Compared(played, played, played.bounds, advice.depth), Mark.BEST
    more, less = (advice.values.get(decision(str(each.move)), {}) for each in (best, played))
    losses = [more[world] - less[world] for world in more.keys() & less.keys()]
    mark = Mark.LOSING if played.value < 0 <= best.value else Mark.SLIP
    if best.value - played.value < coach.slip() or not beyond_chance(losses):
        mark = Mark.GOOD
    return Compared(best, played, best.bounds, advice.depth), mark


def _nothing(pieces: Sequence[Any], count: int) -> Sequence[Any]:
    """A sampler for a fully known position: there are exactly as many pieces as are drawn."""
    return pieces[:count]
