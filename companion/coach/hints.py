"""A hint in parts, which the player opens one by one: where to look, a good move, a comparison, the next best moves."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from companion import games
from companion.coach.advice import advise
from companion.coach.search import MOVE_SECONDS, Budget
from companion.coach.verdicts import worth_text
from companion.games.api.game_texts import chosen_part, is_chance
from companion.games.api.hint import HintPart
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from companion.coach.search import RankedMove
    from companion.games.api.coach import Coach, SeatKnowledge

MAX_COMPARED_MOVES = 3
"""The largest number of moves that a hint compares."""
NEXT_BEST_TITLES = (text("The next best"), text("The third best"))
AS_GOOD_TITLE = text("Just as good")
"""The title of a move that is worth as much as the best one."""
ONLY_MOVE_TITLE = text("The only move")


def make_hint(
    game: str,
    knowledge: SeatKnowledge[Any],
    nodes: int = 0,
    *,
    clock: Callable[[], float] = float,
    is_stopped: Callable[[], bool] = bool,
    report_progress: Callable[[int], object] = bool,
) -> tuple[HintPart, ...]:
    """The parts of a hint for the seat ``knowledge.seat``, which is to move, in the order in which they are shown.

    `nodes` positions are searched, with 0 the coach's own number. If the game has no coach, or the coach ranks no move,
    the only part is the game's `suggested_move_text`. `report_progress` is called with the progress in percent (see
    `Budget`); `is_stopped` may end the search early. The same knowledge gives the same hint, unless the clock or
    `is_stopped` ends the search. Raises UnknownGameError.
    """
    if games.load_rules(game).chance_outcomes(knowledge.view):
        return (HintPart(text("Hint"), (text("Chance decides now: enter what came."),)),)
    budget = partial(Budget, seconds=MOVE_SECONDS, clock=clock, is_stopped=is_stopped, report_progress=report_progress)
    coach = games.load_coach(game)
    ranked = () if coach is None else _rank_by_kind(game, coach, knowledge, nodes, budget)
    if coach is None or not ranked:
        return _suggestion_hint(game, knowledge, coach)
    move_input = games.load_move_input(game)
    best = ranked[0]
    look_here = HintPart(
        text("Look here"), (coach.look_here_text(knowledge, best.move),), place=_enterable_event(best.move)
    )
    if len(ranked) == 1:
        title = (
            ONLY_MOVE_TITLE
            if len(games.load_rules(game).legal_moves(knowledge.view)) == 1
            else _best_move_title(coach, best)
        )
        return look_here, HintPart(title, (coach.move_reason(knowledge, best.move),), event=_enterable_event(best.move))
    worths = [worth_text(coach, best.value, each.value) for each in ranked]
    rows = tuple(
        (move_input.move_texts(knowledge.view, knowledge.seat, each.move).short, worth)
        for each, worth in zip(ranked, worths, strict=True)
    )
    comparison = HintPart(text("The best moves"), (), rows, _enterable_event(best.move))
    next_titles = (
        AS_GOOD_TITLE if each.value == best.value else title
        for title, each in zip(NEXT_BEST_TITLES, ranked[1:], strict=False)
    )
    reasons = [
        HintPart(title, (coach.move_reason(knowledge, each.move),), event=_enterable_event(each.move))
        for title, each in zip((_best_move_title(coach, best), *next_titles), ranked, strict=False)
    ]
    return look_here, reasons[0], comparison, *reasons[1:]


def _best_move_title(coach: Coach[Any], best: RankedMove) -> str:
    """The title of the best move. If a coach's words tell only who wins, no losing move is called good."""
    words = coach.value_text(best.value)
    loses = best.value < 0 and words != coach.value_text(0) and not any(each.isdigit() for each in words)
    return text("The best I see") if loses else text("A good move")


def _enterable_event(move: Any) -> str:
    """The event that enters a move; "" for a draw or a throw, whose result nobody knows yet."""
    return "" if is_chance(str(move)) else str(move)


def _rank_by_kind(
    game: str, coach: Coach[Any], knowledge: SeatKnowledge[Any], nodes: int, budget_of: Callable[[int], Budget]
) -> Sequence[RankedMove]:
    """The best move of each of the first `MAX_COMPARED_MOVES` kinds, best first.

    `budget_of` makes the budget for a number of positions. A forced move is not searched. If anything is hidden or
    random, half of the positions are spent on the best kinds alone, so that the order within a kind is as reliable as
    the order of the kinds (see `Coach.similarity_key`).
    """
    if not coach.knows_own_pieces(knowledge):
        return ()
    is_forced = len(games.load_rules(game).legal_moves(knowledge.view)) == 1
    is_single_search = is_forced or coach.is_exact(knowledge)
    nodes = 1 if is_forced else nodes or coach.node_budget(knowledge)
    budget = budget_of(nodes)

    def kind(move: Any) -> Hashable:
        return coach.similarity_key(knowledge, move)

    if not is_single_search:
        budget.node_limit //= 2
    advice = advise(coach, knowledge, budget, exact_count=MAX_COMPARED_MOVES, kind_of_move=kind)
    if not (is_single_search or budget.was_stopped):
        best_of_kinds = _first_of_each_kind(advice.ranked_moves, kind)
        decisions = {chosen_part(str(each.move)) for each in advice.ranked_moves if kind(each.move) in best_of_kinds}
        budget.node_limit = nodes
        advice = advise(coach, knowledge, budget, exact_count=len(decisions), decisions=decisions)
    return list(_first_of_each_kind(advice.ranked_moves, kind).values())


def _first_of_each_kind(ranked: Sequence[RankedMove], kind: Callable[[Any], Hashable]) -> dict[Hashable, RankedMove]:
    """The first move of each of the first `MAX_COMPARED_MOVES` kinds."""
    kinds: dict[Hashable, RankedMove] = {}
    for each in ranked:
        kinds.setdefault(kind(each.move), each)
    return dict(list(kinds.items())[:MAX_COMPARED_MOVES])


def _suggestion_hint(game: str, knowledge: SeatKnowledge[Any], coach: Coach[Any] | None) -> tuple[HintPart, ...]:
    """A hint of one part, in the words of the game."""
    suggestion = games.load_move_input(game).suggested_move_text(knowledge.view)
    if not suggestion and coach is not None and not coach.knows_own_pieces(knowledge):
        suggestion = text("I don't know your hand: nobody has told me.")
    return (HintPart(text("Hint"), (suggestion or text("I have no move to suggest."),)),)
