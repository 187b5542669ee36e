"""The review of a round: judges its moves within a budget, and puts the verdicts into words."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.coach.advice import coach_for_game
from companion.coach.search import MOVE_SECONDS, Budget
from companion.coach.verdicts import Mark, Verdict, deciding_verdict, is_proven_decisive, judge_moves
from companion.languages import Text, join_texts, plural_text, text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.coach.verdicts import PlayedRound
    from companion.games.api.coach import SeatKnowledge

MARK_TEXTS = {
    Mark.BEST: text("best"), Mark.GOOD: text("good"), Mark.SLIP: text("slip"), Mark.LOSING: text("losing")
}  # fmt: skip
NOTHING_LOST_TEXT = text("I found no move that lost the round.")
NOTHING_LOST_OF_SOME_TEXT = text("None of the moves I can judge lost the round.")
"""The same, for a round in which a player's pieces are hidden."""
MIN_MOVE_NODES = 100
"""The positions that each move gets besides its share, when `round_worth_moves` limits the whole round."""
SECOND_SEARCH_PARTS = 6
"""A move that looks like a mistake is searched again, with one part in this many of the coach's usual positions."""


class Review(NamedTuple):
    """The review of a round.

    Attributes:
        verdicts: the verdicts, the first move first.
        deciding_verdict: the verdict on the move that decided the round; None if there is none or the round is not
            over.
        searched_nodes: the number of positions that were searched.
        seconds: the time taken, by the clock.
        winners: the seats that have won; () if the round is not over.
        unjudged_seats: the seats that moved but have no verdict, because their pieces are hidden.
        is_proven: whether it is proven that this move decided the round, and no other.
    """

    verdicts: tuple[Verdict, ...]
    deciding_verdict: Verdict | None
    searched_nodes: int
    seconds: float
    winners: tuple[int, ...] = ()
    unjudged_seats: tuple[int, ...] = ()
    is_proven: bool = False


def review_round(
    game: str,
    played: PlayedRound,
    nodes: int = 0,
    *,
    round_worth_moves: int = 0,
    clock: Callable[[], float] = time.process_time,
    is_stopped: Callable[[], bool] = bool,
    report_event: Callable[[int], object] = bool,
) -> Review:
    """Review a round of a game by its id, searching `nodes` positions for each move; with 0 the coach's own number.

    With `round_worth_moves` above 0 the whole round gets about as many positions as that many moves would. Each move
    gets at most `MOVE_SECONDS` by `clock`. Before each move `report_event` is called with the number of its event, from
    1; the last move comes first. `is_stopped` may end the review early, with the verdicts so far. Raises
    UnknownGameError.
    """
    coach, started = coach_for_game(game), clock()
    verdicts: list[Verdict] = []

    def budget(knowledge: SeatKnowledge[Any]) -> Budget:
        report_event(len(knowledge.past_events) + 1)
        count = nodes or coach.node_budget(knowledge)
        first_nodes = round_worth_moves * count // len(played.events) + MIN_MOVE_NODES if round_worth_moves else count
        return Budget(first_nodes, MOVE_SECONDS, clock, is_stopped, extra_nodes=count // SECOND_SEARCH_PARTS)

    for verdict in judge_moves(coach, played, budget):
        if is_stopped():
            break
        verdicts.insert(0, verdict)
    winners: Sequence[int] = played.rules.outcome(played.states[-1]).winners
    searched_nodes = sum(each.searched_nodes for each in verdicts)
    seats_that_moved = {seat for index, (seat, _) in enumerate(played.events) if not played.is_decided_by_chance(index)}
    unjudged = tuple(sorted(seats_that_moved - {each.seat for each in verdicts}))
    deciding = deciding_verdict(verdicts, winners) if winners else None
    is_proven = deciding is not None and is_proven_decisive(
        verdicts, deciding, played.events, winners, played.is_decided_by_chance
    )
    return Review(tuple(verdicts), deciding, searched_nodes, clock() - started, tuple(winners), unjudged, is_proven)


def review_lines(review: Review, names: Sequence[str], move_count: int = 0) -> tuple[str, ...]:
    """A review in lines for the panel.

    They name the deciding move, say whether that is certain, and count each player's marks. Moves are written as in a
    hint. `move_count` is the number of all events, as the walk through the round counts them; with 0 the line leaves it
    out.
    """
    if not review.verdicts:
        return (text("I don't know all the pieces, so I can't judge moves. Name them at the start, then I can."),)
    mistake = review.deciding_verdict
    lines = [NOTHING_LOST_OF_SOME_TEXT if review.unjudged_seats else NOTHING_LOST_TEXT]
    if mistake is not None:
        number = f"{mistake.event_index + 1}/{move_count}" if move_count else mistake.event_index + 1
        better = "{move} was much better." if mistake.is_much_worse else "{move} was better."
        lines = [
            text("Move {number}: {who}'s {move} {did}.", number=number, who=names[mistake.seat - 1],
                 move=mistake.short_move, did=_mistake_text(mistake)),
            text(better, move=mistake.short_best_move),
            text("That is certain.") if review.is_proven else plural_text(
                max(1, mistake.plies), "I looked {number} move ahead.", "I looked {number} moves ahead."
            ),
        ]  # fmt: skip
    for seat, name in enumerate(names, 1):
        marks = [each.mark for each in review.verdicts if each.seat == seat]
        counts = [_mark_count_text(marks.count(mark), mark) for mark in Mark if mark in marks]
        if counts:
            is_unpunished = Mark.LOSING in marks and review.winners == (seat,)
            message = "{who}'s moves: {marks} (not punished)." if is_unpunished else "{who}'s moves: {marks}."
            lines.append(text(message, who=name, marks=join_texts(counts, ", ")))
        elif seat in review.unjudged_seats:
            lines.append(text("I can't judge {who}'s moves: the pieces are hidden.", who=name))
    return tuple(lines)


def _mark_count_text(count: int, mark: Mark) -> str:
    match mark:
        case Mark.BEST:
            return plural_text(count, "{number} best", "{number} best")
        case Mark.GOOD:
            return plural_text(count, "{number} good", "{number} good")
        case Mark.SLIP:
            return plural_text(count, "{number} slip", "{number} slips")
    return plural_text(count, "{number} losing", "{number} losing")


def verdict_text(verdict: Verdict) -> str:
    """A verdict in a line: ``slip, likely: 3 behind; 8x2 was better (even)``."""
    if verdict.is_only_move:
        return text("the only move")
    values = {
        "mark": MARK_TEXTS[verdict.mark],
        "sure": _certainty_text(verdict.is_certain),
        "words": verdict.value_text,
    }
    if verdict.mark is Mark.BEST:
        return text("{mark}, {sure}: {words}", **values)
    message = "{mark}, {sure}: {words}; {best} was better ({best_words})"
    if verdict.best_value_text == verdict.value_text:
        message = "{mark}, {sure}: {words}; {best} was better"
    return text(message, best=verdict.best_move, best_words=verdict.best_value_text, **values)


def deciding_move_text(review: Review, name: str) -> str:
    """The move that decided a round, in words; "" if there is none. `name` is the name of its player."""
    mistake = review.deciding_verdict
    if mistake is None:
        return ""
    played = _move_with_value(mistake, mistake.move, mistake.value_text)
    better = _move_with_value(mistake, mistake.best_move, mistake.best_value_text)
    return text(
        "move {number}, {who}, {move}: it {did}, {sure}; {better} was better",
        number=mistake.event_index + 1, who=name, move=played, did=_mistake_text(mistake),
        sure=_certainty_text(review.is_proven), better=better,
    )  # fmt: skip


def undecided_text(review: Review, *, is_over: bool) -> str:
    """A sentence that says why no move is said to have decided the round."""
    if not review.verdicts:
        return text("No move can be judged: the pieces were never named.")
    if not is_over:
        return text("The round is not over, so nothing is decided yet.")
    return NOTHING_LOST_OF_SOME_TEXT if review.unjudged_seats else NOTHING_LOST_TEXT


def _mistake_text(mistake: Verdict) -> Text:
    if mistake.lost_the_round:
        return text("gave the round away")
    return text("gave the win away") if mistake.gave_away_the_win else text("cost the most")


def _certainty_text(proven: bool) -> Text:
    return text("certain") if proven else text("likely")


def _move_with_value(mistake: Verdict, move: str, value_text: str) -> str:
    """A move and where it leads: ``3x2 (2 behind)``; the move alone if both moves lead to the same words."""
    return move if mistake.value_text == mistake.best_value_text else text("{move} ({led})", move=move, led=value_text)
