"""A look back as it is asked for: how much is searched, and what is said of a move."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.coach.advice import coach_of
from companion.coach.lookback import Mark, Verdict, decided, look_back
from companion.coach.search import Budget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.coach.lookback import Played
    from companion.game.coach import Sight

SECONDS = 10.0
"""The most for a move, by the processor's clock; on a desktop the number of positions ends it after half a second."""


class Looked(NamedTuple):
    """What is found of a round: its verdicts, the first move first, the deciding one, and what it took."""

    verdicts: tuple[Verdict, ...]
    decided: Verdict | None
    nodes: int
    seconds: float


def looked_back(game: str, played: Played, nodes: int | None = None) -> Looked:
    """A round of a game by its id, looked back on with `nodes` positions a move. Raises UnknownGame."""
    coach, begun = coach_of(game), time.process_time()

    def budget(sight: Sight[Any]) -> Budget:
        return Budget(nodes or coach.nodes(sight), SECONDS, time.process_time)

    verdicts = tuple(look_back(coach, played, budget))[::-1]
    winners: Sequence[int] = played.rules.outcome(played.states[-1]).winners
    nodes = sum(each.nodes for each in verdicts)
    return Looked(verdicts, decided(verdicts, winners) if winners else None, nodes, time.process_time() - begun)


def in_words(verdict: Verdict) -> str:
    """A verdict in a line: ``slip, likely: 3 behind; 8x2 was better (even)``."""
    if verdict.only:
        return "the only move"
    how = f"{verdict.mark.value}, {'certain' if verdict.certain else 'likely'}: {verdict.words}"
    if verdict.mark is Mark.BEST:
        return how
    return f"{how}; {verdict.best} was better ({verdict.best_words})"


def deciding(looked: Looked, name: str) -> str:
    """The move that decided a round, in words; `name` is its player's."""
    wrong = looked.decided
    if wrong is None:
        return ""
    sure = "certain" if wrong.certain else "likely"
    said = "gave the round away" if wrong.mark is Mark.LOSING else "cost the most"
    return f"move {wrong.event + 1}, {name}, {wrong.move}: it {said} ({sure}); {wrong.best} was better"
