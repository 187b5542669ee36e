"""Runs a look back with its budget, and puts its verdicts in words."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.coach.advice import coach_of
from companion.coach.budget import SECONDS, Budget
from companion.coach.hints import moves_on
from companion.coach.lookback import Mark, Verdict, decided, look_back
from companion.game.entry import draws

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.coach.lookback import Played
    from companion.game.coach import Sight

NOT_FOUND = "No move was found that lost the round."
OF_SOME = "Of the moves that can be judged, none was found that lost the round."
"""The same where a player's pieces are hidden."""
UNPUNISHED = " (not punished)"
"""Added to the losing moves of a player who won all the same."""
LEAST = 100
"""The positions that each move gets in addition to its share when `worth` limits the whole round."""
AGAIN = 6
"""A move that seems to be a mistake is looked at again, with one of so many parts of the coach's usual positions."""


class Looked(NamedTuple):
    """The result of a look back.

    Attributes:
        verdicts: the verdicts, the first move first.
        decided: the move that decided the round; None if there is none or the round is not over.
        nodes: the positions searched.
        seconds: the time taken, by the clock.
        winners: the seats that have won; () if the round is not over.
        unjudged: the seats that moved, but of whose moves none has a verdict, as their pieces are hidden.
    """

    verdicts: tuple[Verdict, ...]
    decided: Verdict | None
    nodes: int
    seconds: float
    winners: tuple[int, ...] = ()
    unjudged: tuple[int, ...] = ()


def looked_back(
    game: str,
    played: Played,
    nodes: int = 0,
    *,
    worth: int = 0,
    clock: Callable[[], float] = time.process_time,
    stopped: Callable[[], bool] = bool,
    tell: Callable[[int], object] = bool,
) -> Looked:
    """Look back on a round of a game by its id, searching `nodes` positions a move, 0 for `Coach.nodes`.

    With `worth` above 0 the whole round gets about as many positions as `worth` moves would. Each move gets at most
    `SECONDS` by `clock`. Before each move `tell` gets its event number, from 1, the last first; `stopped` may end the
    look back early, with the verdicts so far. Raises UnknownGame.
    """
    coach, started = coach_of(game), clock()
    verdicts: list[Verdict] = []

    def budget(sight: Sight[Any]) -> Budget:
        tell(len(sight.past) + 1)
        count = nodes or coach.nodes(sight)
        first = worth * count // len(played.events) + LEAST if worth else count
        return Budget(first, SECONDS, clock, stopped, more=count // AGAIN)

    for verdict in look_back(coach, played, budget):
        if stopped():
            break
        verdicts.insert(0, verdict)
    winners: Sequence[int] = played.rules.outcome(played.states[-1]).winners
    used = sum(each.nodes for each in verdicts)
    moved = {seat for seat, text in played.events if not draws(text)}
    unjudged = tuple(sorted(moved - {each.seat for each in verdicts}))
    decisive = decided(verdicts, winners) if winners else None
    return Looked(tuple(verdicts), decisive, used, clock() - started, tuple(winners), unjudged)


def in_lines(looked: Looked, names: Sequence[str], printed: Callable[[str], str]) -> tuple[str, ...]:
    """A look back in lines for the panel: the deciding move, whether that is certain, and each player's marks.

    Both moves are written as in a hint; `printed` is that of the game's entry.
    """
    if not looked.verdicts:
        return ("I cannot judge moves of hidden pieces that I do not know.",)
    wrong = looked.decided
    lines = [OF_SOME if looked.unjudged else NOT_FOUND]
    if wrong is not None:
        made, better = printed(wrong.shown), printed(wrong.best_shown)
        lines = [
            f"Move {wrong.event + 1}: {names[wrong.seat - 1]}'s {made}{_led(wrong, wrong.words)} {_did(wrong)}.",
            f"{better}{_led(wrong, wrong.best_words)} was better.",
            f"That is {_sure(wrong)}{_ahead(wrong)}.",
        ]
    for seat, name in enumerate(names, 1):
        marks = [each.mark for each in looked.verdicts if each.seat == seat]
        counts = [_counted(marks.count(mark), mark) for mark in Mark if mark in marks]
        if counts:
            unpunished = UNPUNISHED if Mark.LOSING in marks and looked.winners == (seat,) else ""
            lines.append(f"{name}'s moves: {', '.join(counts)}{unpunished}.")
        elif seat in looked.unjudged:
            lines.append(f"I cannot judge {name}'s moves: the pieces are hidden.")
    return tuple(lines)


def _counted(count: int, mark: Mark) -> str:
    return f"{count} slip{'s' if count > 1 else ''}" if mark is Mark.SLIP else f"{count} {mark.value}"


def in_words(verdict: Verdict) -> str:
    """A verdict in a line: ``slip, likely: 3 behind; 8x2 was better (even)``."""
    if verdict.only:
        return "the only move"
    how = f"{verdict.mark.value}, {_sure(verdict)}: {verdict.words}"
    if verdict.mark is Mark.BEST:
        return how
    return f"{how}; {verdict.best} was better ({verdict.best_words})"


def deciding(looked: Looked, name: str) -> str:
    """The move that decided a round, in words; "" if there is none. `name` is its player's name."""
    wrong = looked.decided
    if wrong is None:
        return ""
    made, better = wrong.move + _led(wrong, wrong.words), wrong.best + _led(wrong, wrong.best_words)
    return f"move {wrong.event + 1}, {name}, {made}: it {_did(wrong)}, {_sure(wrong)}; {better} was better"


def undecided(looked: Looked, *, over: bool) -> str:
    """Why no move is said to have decided a round, as a sentence."""
    if not looked.verdicts:
        return "No move can be judged: what was held is sealed."
    if not over:
        return "The round is not over, so nothing is decided."
    return OF_SOME if looked.unjudged else NOT_FOUND


def _did(wrong: Verdict) -> str:
    if not wrong.certain:
        return "cost the most"
    if wrong.mark is Mark.LOSING:
        return "gave the round away"
    return "gave the win away" if wrong.win_given else "cost the most"


def _sure(verdict: Verdict) -> str:
    return "certain" if verdict.certain else "likely"


def _ahead(wrong: Verdict) -> str:
    """How far ahead a likely verdict looked, as a hint says it: a hint looks further, so its values may differ."""
    return "" if wrong.certain else f", {moves_on(wrong.depth)}"


def _led(wrong: Verdict, led: str) -> str:
    """Where a move of the verdict leads, in brackets: `` (2 behind)``; "" if both moves lead to the same words."""
    return "" if wrong.words == wrong.best_words else f" ({led})"
