"""A hint in parts, which the player opens one by one: where to look, a good move, a comparison, the next best moves."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from companion import games
from companion.coach.advice import advise
from companion.coach.search import MOVE_SECONDS, Budget
from companion.games.api.hint import HintPart
from companion.games.api.words import decided_part, is_chance
from companion.languages import plural_text, text

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from companion.coach.search import Ranked
    from companion.games.api.coach import Coach, SeatKnowledge

FEW = 3
"""The largest number of moves that a hint compares."""
NEXT = (text("The next best"), text("The third best"))
AS_GOOD = text("Just as good")
"""The title of a move that is worth as much as the best one."""
ONLY = text("The only move")


def hint(
    game: str,
    sight: SeatKnowledge[Any],
    nodes: int = 0,
    *,
    clock: Callable[[], float] = float,
    stopped: Callable[[], bool] = bool,
    tell: Callable[[int], object] = bool,
) -> tuple[HintPart, ...]:
    """The parts of a hint for the seat ``knowledge.seat``, which is to move, in the order in which they are shown.

    `nodes` positions are searched, with 0 the coach's own number. If the game has no coach, or the coach ranks no move,
    the only part is the game's `suggested_move_text`. `report_progress` is called with the progress in percent (see
    `Budget`); `is_stopped` may end the search early. The same knowledge gives the same hint, unless the clock or
    `is_stopped` ends the search. Raises UnknownGameError.
    """
    budget = partial(Budget, seconds=MOVE_SECONDS, clock=clock, stopped=stopped, tell=tell)
    coach = games.load_coach(game)
    ranked, depth = ((), 0) if coach is None else _ranked(game, coach, sight, nodes, budget)
    if coach is None or not ranked:
        return _plain(game, sight, coach)
    entry = games.load_move_input(game)
    best = ranked[0]
    look_at = HintPart(text("Look here"), (coach.look_here_text(sight, best.move),), place=_event(best.move))
    if len(ranked) == 1:
        title = ONLY if len(games.load_rules(game).legal_moves(sight.view)) == 1 else _first(coach, best)
        return look_at, HintPart(title, (coach.move_reason(sight, best.move),), event=_event(best.move))
    rows = tuple(
        (entry.move_texts(sight.view, sight.seat, each.move).short, coach.value_text(each.value)) for each in ranked
    )
    unit = coach.unit if any(leads_to[:1].isdigit() for _, leads_to in rows) else ""
    leads = HintPart(text("The best moves"), (_sure(ranked, depth, unit),), rows, _event(best.move))
    after = (AS_GOOD if words == rows[0][1] else title for title, (_, words) in zip(NEXT, rows[1:], strict=False))
    reasons = [
        HintPart(title, (coach.move_reason(sight, each.move),), event=_event(each.move))
        for title, each in zip((_first(coach, best), *after), ranked, strict=False)
    ]
    return look_at, reasons[0], leads, *reasons[1:]


def _first(coach: Coach[Any], best: Ranked) -> str:
    """The title of the best move. If a coach's words tell only who wins, no losing move is called good."""
    words = coach.value_text(best.value)
    loses = best.value < 0 and words != coach.value_text(0) and not any(each.isdigit() for each in words)
    return text("The best I see") if loses else text("A good move")


def _event(move: Any) -> str:
    """The event that enters a move; "" for a draw or a throw, whose result nobody knows yet."""
    return "" if is_chance(str(move)) else str(move)


def _ranked(
    game: str, coach: Coach[Any], sight: SeatKnowledge[Any], nodes: int, budget_of: Callable[[int], Budget]
) -> tuple[Sequence[Ranked], int]:
    """The best move of each of the first `MAX_COMPARED_MOVES` kinds, best first, and the plies looked ahead.

    `budget_of` makes the budget for a number of positions. A forced move is not searched. If anything is hidden or
    random, half of the positions are spent on the best kinds alone, so that the order within a kind is as reliable as
    the order of the kinds (see `Coach.similarity_key`).
    """
    if not coach.knows_own_pieces(sight):
        return (), 0
    alone = len(games.load_rules(game).legal_moves(sight.view)) == 1
    at_once = alone or coach.is_exact(sight)
    nodes = 1 if alone else nodes or coach.node_budget(sight)
    budget = budget_of(nodes)

    def kind(move: Any) -> Hashable:
        return coach.similarity_key(sight, move)

    if not at_once:
        budget.nodes //= 2
    advice = advise(coach, sight, budget, few=FEW, kind=kind)
    if not (at_once or budget.stopped):
        best = _first_of_kinds(advice.ranked, kind)
        among = {decided_part(str(each.move)) for each in advice.ranked if kind(each.move) in best}
        budget.nodes = nodes
        advice = advise(coach, sight, budget, few=len(among), among=among)
    return list(_first_of_kinds(advice.ranked, kind).values()), advice.depth


def _first_of_kinds(ranked: Sequence[Ranked], kind: Callable[[Any], Hashable]) -> dict[Hashable, Ranked]:
    """The first move of each of the first `MAX_COMPARED_MOVES` kinds."""
    kinds: dict[Hashable, Ranked] = {}
    for each in ranked:
        kinds.setdefault(kind(each.move), each)
    return dict(list(kinds.items())[:FEW])


def _sure(ranked: Sequence[Ranked], depth: int, unit: str) -> str:
    """Which of the values are proven; otherwise how far ahead they are, and what they count if they are numbers."""
    proven = [each.bounds.proven for each in ranked]
    if all(proven):
        return text("That is certain.")
    if proven[0]:
        return text("The first is certain.")
    if unit:
        after, afters = "{unit:capital} after {number} move.", "{unit:capital} after {number} moves."
        return plural_text(max(1, depth), after, afters, unit=unit)
    return plural_text(max(1, depth), "Expected in {number} move.", "Expected in {number} moves.")


def _plain(game: str, sight: SeatKnowledge[Any], coach: Coach[Any] | None) -> tuple[HintPart, ...]:
    """A hint of one part, in the words of the game."""
    said = games.load_move_input(game).suggested_move_text(sight.view)
    if not said and coach is not None and not coach.knows_own_pieces(sight):
        said = text("I don't know your hand: nobody has told me.")
    return (HintPart(text("Hint"), (said or text("I have no move to suggest."),)),)
