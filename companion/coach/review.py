"""The review of a round: judges its moves within a budget, and puts the verdicts into words."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.coach.advice import coach_of
from companion.coach.lookback import Mark, Verdict, deciding_move, is_proven, look_back
from companion.coach.search import MOVE_SECONDS, Budget
from companion.games.api.words import is_chance
from companion.languages import Text, plural_text, join_texts, text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.coach.lookback import Played
    from companion.games.api.coach import SeatKnowledge

MARKS = {
    Mark.BEST: text("best"), Mark.GOOD: text("good"), Mark.SLIP: text("slip"), Mark.LOSING: text("losing")
}  # fmt: skip
NOT_FOUND = text("I found no move that lost the round.")
OF_SOME = text("None of the moves I can judge lost the round.")
"""The same, for a round in which a player's pieces are hidden."""
LEAST = 100
"""The positions that each move gets besides its share, when `round_worth_moves` limits the whole round."""
AGAIN = 6
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
    decided: Verdict | None
    nodes: int
    seconds: float
    winners: tuple[int, ...] = ()
    unjudged: tuple[int, ...] = ()
    sure: bool = False


def review_round(
    game: str,
    played: Played,
    nodes: int = 0,
    *,
    worth: int = 0,
    clock: Callable[[], float] = time.process_time,
    stopped: Callable[[], bool] = bool,
    tell: Callable[[int], object] = bool,
) -> Review:
    """Review a round of a game by its id, searching `nodes` positions for each move; with 0 the coach's own number.

    With `round_worth_moves` above 0 the whole round gets about as many positions as that many moves would. Each move
    gets at most `MOVE_SECONDS` by `clock`. Before each move `report_event` is called with the number of its event, from
    1; the last move comes first. `is_stopped` may end the review early, with the verdicts so far. Raises
    UnknownGameError.
    """
    coach, started = coach_of(game), clock()
    verdicts: list[Verdict] = []

    def budget(sight: SeatKnowledge[Any]) -> Budget:
        tell(len(sight.past_events) + 1)
        count = nodes or coach.node_budget(sight)
        first = worth * count // len(played.events) + LEAST if worth else count
        return Budget(first, MOVE_SECONDS, clock, stopped, more=count // AGAIN)

    for verdict in look_back(coach, played, budget):
        if stopped():
            break
        verdicts.insert(0, verdict)
    winners: Sequence[int] = played.rules.outcome(played.states[-1]).winners
    used = sum(each.nodes for each in verdicts)
    moved = {seat for seat, event in played.events if not is_chance(event)}
    unjudged = tuple(sorted(moved - {each.seat for each in verdicts}))
    decisive = deciding_move(verdicts, winners) if winners else None
    sure = decisive is not None and is_proven(verdicts, decisive, played.events, winners)
    return Review(tuple(verdicts), decisive, used, clock() - started, tuple(winners), unjudged, sure)


def review_lines(looked: Review, names: Sequence[str], unit: str = "", last: int = 0) -> tuple[str, ...]:
    """A review in lines for the panel.

    They name the deciding move, say whether that is certain, and count each player's marks. Moves are written as in a
    hint, and `unit` is what their leads are counted in (see `Coach`). `move_count` is the number of all events, as the
    walk through the round counts them; with 0 the line leaves it out.
    """
    if not looked.verdicts:
        return (text("I don't know all the pieces, so I can't judge moves. Name them at the start, then I can."),)
    wrong = looked.decided
    lines = [OF_SOME if looked.unjudged else NOT_FOUND]
    if wrong is not None:
        number = f"{wrong.event + 1}/{last}" if last else wrong.event + 1
        lines = [
            text("Move {number}: {who}'s {move} {did}.", number=number, who=names[wrong.seat - 1],
                 move=_led(wrong, wrong.shown, wrong.words, unit), did=_did(wrong)),
            text("{move} was better.", move=_led(wrong, wrong.best_shown, wrong.best_words, unit)),
            text("That is certain.") if looked.sure else plural_text(
                max(1, wrong.depth), "I looked {number} move ahead.", "I looked {number} moves ahead."
            ),
        ]  # fmt: skip
    for seat, name in enumerate(names, 1):
        marks = [each.mark for each in looked.verdicts if each.seat == seat]
        counts = [_counted(marks.count(mark), mark) for mark in Mark if mark in marks]
        if counts:
            unpunished = Mark.LOSING in marks and looked.winners == (seat,)
            message = "{who}'s moves: {marks} (not punished)." if unpunished else "{who}'s moves: {marks}."
            lines.append(text(message, who=name, marks=join_texts(counts, ", ")))
        elif seat in looked.unjudged:
            lines.append(text("I can't judge {who}'s moves: the pieces are hidden.", who=name))
    return tuple(lines)


def _counted(count: int, mark: Mark) -> str:
    match mark:
        case Mark.BEST:
            return plural_text(count, "{number} best", "{number} best")
        case Mark.GOOD:
            return plural_text(count, "{number} good", "{number} good")
        case Mark.SLIP:
            return plural_text(count, "{number} slip", "{number} slips")
    return plural_text(count, "{number} losing", "{number} losing")


def verdict_words(verdict: Verdict) -> str:
    """A verdict in a line: ``slip, likely: 3 behind; 8x2 was better (even)``."""
    if verdict.only:
        return text("the only move")
    how = {"mark": MARKS[verdict.mark], "sure": _sure(verdict.certain), "words": verdict.words}
    if verdict.mark is Mark.BEST:
        return text("{mark}, {sure}: {words}", **how)
    message = "{mark}, {sure}: {words}; {best} was better ({best_words})"
    return text(message, best=verdict.best, best_words=verdict.best_words, **how)


def deciding_words(looked: Review, name: str) -> str:
    """The move that decided a round, in words; "" if there is none. `name` is the name of its player."""
    wrong = looked.decided
    if wrong is None:
        return ""
    made, better = _led(wrong, wrong.move, wrong.words), _led(wrong, wrong.best, wrong.best_words)
    return text(
        "move {number}, {who}, {move}: it {did}, {sure}; {better} was better",
        number=wrong.event + 1, who=name, move=made, did=_did(wrong), sure=_sure(looked.sure), better=better,
    )  # fmt: skip


def undecided_words(looked: Review, *, over: bool) -> str:
    """A sentence that says why no move is said to have decided the round."""
    if not looked.verdicts:
        return text("No move can be judged: the pieces were never named.")
    if not over:
        return text("The round is not over, so nothing is decided yet.")
    return OF_SOME if looked.unjudged else NOT_FOUND


def _did(wrong: Verdict) -> Text:
    if wrong.lost:
        return text("gave the round away")
    return text("gave the win away") if wrong.given else text("cost the most")


def _sure(proven: bool) -> Text:
    return text("certain") if proven else text("likely")


def _led(wrong: Verdict, move: str, led: str, unit: str = "") -> str:
    """A move and where it leads: ``3x2 (2 behind)``; the move alone if both moves lead to the same words."""
    if unit and any(each.isdigit() for each in led):
        led = text("then {led} in {unit}", led=led, unit=unit)
    return move if wrong.words == wrong.best_words else text("{move} ({led})", move=move, led=led)
