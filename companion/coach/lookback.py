"""A round looked back on: each move marked best, good, slip or losing, certain where it is proven, likely where not.

Each move is judged by what its player knew then, not by what came to light later. *Certain* rests on proven bounds
alone: they hold only where what was seen leaves a single position, and claims are no part of what was seen.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.coach.advice import UNKNOWN, advise
from companion.coach.search import Bounds, Search
from companion.coach.sight import look
from companion.game.entry import REVEALING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from companion.coach.budget import Budget
    from companion.coach.search import Table
    from companion.game import Rules
    from companion.game.coach import Coach, Sight
    from companion.game.entry import Entry


class Mark(Enum):
    """How good a move was."""

    BEST = "best"  # Nothing leads to more.
    GOOD = "good"  # A little less, and the same seat wins.
    SLIP = "slip"  # Less by what the game calls a slip, or a draw where there was a win.
    LOSING = "losing"  # It gives away a round that was not lost.


class Verdict(NamedTuple):
    """What is found of an event, counted from 0.

    `value` is what the move leads to for its seat, `most` what the best one does, `best` that move, `words` and
    `best_words` say these values. `only` is whether there was nothing else to do. `nodes` and `depth` are the effort.
    """

    event: int
    seat: int
    move: str
    mark: Mark
    certain: bool
    value: int
    most: int
    best: str
    words: str
    best_words: str
    only: bool
    nodes: int
    depth: int


class Played(NamedTuple):
    """A round as far as it was played: `states` has one position more than `events`, the start."""

    rules: Rules[Any, Any]
    entry: Entry
    states: Sequence[Any]
    events: Sequence[tuple[int, str]]


def look_back(coach: Coach[Any], round_: Played, budget: Callable[[Sight[Any]], Budget]) -> Iterator[Verdict]:
    """A verdict for every move that its player chose, the last one first: what is proven of the end helps before it.

    `budget` is asked for each move. Draws, refills and moves of sealed holdings have no verdict.
    """
    table: Table = {}
    for event in range(len(round_.events) - 1, -1, -1):
        seat, text = round_.events[event]
        if text.split()[0] in REVEALING:
            continue
        sight = look(round_.rules, round_.entry, round_.states[: event + 1], round_.events[:event], seat)
        choices = round_.rules.moves(sight.view) if coach.knows(sight) else ()
        played = next((move for move in choices if str(move) == text), None)
        if played is None:  # The record may write it another way round, or it was of a sealed holding.
            played = _same(round_, event, choices)
        if played is None:
            continue
        if len(choices) == 1:
            yield Verdict(event, seat, text, Mark.BEST, True, 0, 0, text, "", "", True, 0, 0)
            continue
        spent = budget(sight)
        if coach.exact(sight):
            found = _exactly(coach, sight, played, spent, table)
        else:
            found = _roughly(coach, sight, played, spent)
        if found is None:
            continue
        best, most, value, depth = found
        mark, certain = judge(most, value, coach.slip())
        said = coach.words(value.value), coach.words(most.value)
        yield Verdict(
            event, seat, text, mark, certain, value.value, most.value, best, *said, False, spent.used, depth
        )  # fmt: skip


def _same(round_: Played, event: int, choices: Sequence[Any]) -> Any:
    """The choice that leads to the position that the event led to, None for none."""
    seat = round_.events[event][0]
    state, after = round_.states[event], round_.states[event + 1]
    return next((move for move in choices if round_.rules.play(state, seat, move) == after), None)


def _exactly(
    coach: Coach[Any], sight: Sight[Any], played: Any, budget: Budget, table: Table
) -> tuple[str, Bounds, Bounds, int] | None:
    """The best move, what it is worth, what the played one is worth, and how far it was looked ahead."""
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
    most = Bounds(ranked[0].value, max(each.low for each in ranked), max(each.high for each in ranked))
    if ranked[0].move == played:
        value = Bounds(most.value, max(value.low, ranked[0].low), min(value.high, ranked[0].high))
    return str(ranked[0].move), Bounds(max(most.value, value.value), *most[1:]), value, depth


def _roughly(
    coach: Coach[Any], sight: Sight[Any], played: Any, budget: Budget
) -> tuple[str, Bounds, Bounds, int] | None:
    """The same over positions that fit; None where nothing was found."""
    advice = advise(coach, sight, budget)
    value = next((each for each in advice.ranked if each.move == played), None)
    if value is None:  # Of moves that differ in nothing that matters only one may have been looked at.
        kind = coach.alike(sight, played)
        value = next((each for each in advice.ranked if coach.alike(sight, each.move) == kind), None)
    if value is None:
        return None
    best = advice.ranked[0]
    most = Bounds(best.value, best.low, UNKNOWN if best.low != best.high else best.high)
    return str(best.move), most, Bounds(*value[1:]), advice.depth


def judge(most: Bounds, value: Bounds, slip: int) -> tuple[Mark, bool]:
    """How good a move is that is worth `value` where the best one is worth `most`, and whether that is certain."""
    if value.low >= most.high:
        return Mark.BEST, True
    if value.high < 0 <= most.low:
        return Mark.LOSING, True
    kept = value.low > 0 or most.high < 0 or (value.low >= 0 and most.high <= 0)
    if value.high < most.low:
        not_losing = value.low >= 0 or most.high < 0
        if not_losing and (most.low - value.high >= slip or (most.low > 0 >= value.high)):
            return Mark.SLIP, True
        if kept and most.high - value.low < slip:
            return Mark.GOOD, True
    loss = most.value - value.value
    if loss <= 0:
        return Mark.BEST, False
    if loss < slip:
        return Mark.GOOD, False
    return (Mark.LOSING if value.value < 0 <= most.value else Mark.SLIP), False


def decided(verdicts: Sequence[Verdict], winners: Sequence[int]) -> Verdict | None:
    """The move by which the round was decided: the loser's last losing one, else the one that cost the most.

    None where nobody lost, or no move of theirs was worse than good.
    """
    wrong = [each for each in verdicts if each.seat not in winners and each.mark in (Mark.SLIP, Mark.LOSING)]
    losing = [each for each in wrong if each.mark is Mark.LOSING]
    if losing:
        return max(losing, key=lambda each: (each.certain, each.event))
    return max(wrong, key=lambda each: (each.most - each.value, each.event), default=None)


def _nothing(pieces: Sequence[Any], count: int) -> Sequence[Any]:
    """Where a single position fits, what is drawn from holds just as many as are wanted."""
    return pieces[:count]
