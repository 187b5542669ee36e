"""A hint in parts, each asked for on its own: what to look at, a good move, the best of a few, the next ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion import games
from companion.coach.advice import advise
from companion.coach.search import Budget

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from companion.coach.search import Ranked
    from companion.game.coach import Coach, Sight

FEW = 3
"""So many moves are told, the best first."""
SECONDS = 10.0
"""The most that is thought, by the processor's clock; on a desktop the number of positions ends it after half a second.
"""
ORDER = ("", "A good move", "The next best", "The third best")
ONLY = "The only move"


class Part(NamedTuple):
    """A part of a hint: its title, rows of a move and what it leads to, and lines of words below them."""

    title: str
    lines: tuple[str, ...] = ()
    rows: tuple[tuple[str, str], ...] = ()


def hint(
    game: str,
    sight: Sight[Any],
    *,
    clock: Callable[[], float] = float,
    stopped: Callable[[], bool] = bool,
    tell: Callable[[int], object] = bool,
) -> tuple[Part, ...]:
    """What the seat that is to move may be told, part by part; the same for the same sight.

    A game without a coach, or a seat of which the coach knows too little, gets what its entry says of the seat's view.
    `tell` is told how many hundredths of the budget are used; `stopped` may end it early. Raises UnknownGame.
    """
    coach: Coach[Any] | None = games.load_coach(game)
    ranked = () if coach is None else _ranked(game, coach, sight, clock, stopped, tell)
    if coach is None or not ranked:
        return _plain(game, sight, coach)
    printed = games.load_entry(game).printed
    best = ranked[0]
    look_at = Part("Look here", (coach.look_at(sight, best.move),))
    if len(ranked) == 1:
        title = ONLY if len(games.load(game).moves(sight.view)) == 1 else ORDER[1]
        return look_at, Part(title, (coach.reason(sight, best.move),))
    rows = tuple((printed(coach.short(sight, each.move)), coach.words(each.value)) for each in ranked)
    sure = "certain" if all(each.low == each.high for each in ranked) else "likely"
    leads = Part("The best moves", (f"That is {sure}.",), rows)
    reasons = [Part(ORDER[place], (coach.reason(sight, each.move),)) for place, each in enumerate(ranked, 1)]
    return look_at, reasons[0], leads, *reasons[1:]


def _ranked(
    game: str,
    coach: Coach[Any],
    sight: Sight[Any],
    clock: Callable[[], float],
    stopped: Callable[[], bool],
    tell: Callable[[int], object],
) -> Sequence[Ranked]:
    """The first few moves, best first, one of each kind; where there is only one nothing is searched."""
    if not coach.knows(sight):
        return ()
    alone = len(games.load(game).moves(sight.view)) == 1
    nodes = 1 if alone else coach.nodes(sight)

    def told() -> bool:
        tell(min(99, 100 * budget.used // nodes))
        return stopped()

    budget = Budget(nodes, SECONDS, clock, told)

    def kind(move: Any) -> Hashable:
        return coach.alike(sight, move)

    kinds: dict[Hashable, Ranked] = {}
    for each in advise(coach, sight, budget, FEW, kind=kind).ranked:
        kinds.setdefault(kind(each.move), each)
    return list(kinds.values())[:FEW]


def _plain(game: str, sight: Sight[Any], coach: Coach[Any] | None) -> tuple[Part, ...]:
    """One part, in the words of the game's entry."""
    said = games.load_entry(game).hint(sight.view)
    if not said and coach is not None and not coach.knows(sight):
        said = "I do not know what you hold: nobody has named it to me."
    return (Part("Hint", (said or "I know of no move to offer.",)),)
