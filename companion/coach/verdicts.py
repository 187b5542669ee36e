"""How good a move was, by what is proven and what is guessed of it, and which move has decided a round."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from companion.coach.search import Bounds
from companion.game.words import is_chance


class Mark(Enum):
    """How good a move was."""

    BEST = "best"  # No move has a higher value.
    GOOD = "good"  # It loses less value than `Coach.slip`.
    SLIP = "slip"  # It loses at least `Coach.slip`, or turns a win into a draw.
    LOSING = "losing"  # It loses a round that was not lost before.


class Verdict(NamedTuple):
    """The judgement of a move.

    Attributes:
        event: the move's event, from 0.
        seat: who made it, from 1.
        move: its text.
        mark: how good it was.
        certain: whether the mark is proven.
        value: the value that the move leads to for its seat, in the coach's unit.
        most: the value of the best move.
        best: the best move's text; with a certain mark it is proven to be better, unless that is `Mark.BEST`.
        words: `value` in words; with a certain mark a proven bound of it: ``at best 2 behind``.
        best_words: `most` in words; with a certain mark a proven bound of it: ``at least even``.
        only: whether it was the only legal move; then nothing is searched, and both values are 0.
        nodes: the positions searched.
        depth: the plies looked ahead.
        proven: whether `value` is certain; the mark may be without it.
        shown: the move as a hint shows it (`MoveWords.short`), which may differ from its text.
        best_shown: the best move so.
        lost: whether it turned a round that was not lost into a lost one; None if neither is proven.
        given: whether it turned a won round into one in which the win is shared; None if neither is proven.
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
    """Whether the mean of values in sampled positions is more than two standard errors above 0; True without any."""
    count, total = len(losses), sum(losses)
    if not count:
        return True
    spread = sum((count * loss - total) ** 2 for loss in losses)  # count² times the sum of squared differences
    return total > 0 and total**2 * count * (count - 1) > 4 * spread


def judge(most: Bounds, value: Bounds, slip: int) -> tuple[Mark, bool]:
    """The mark of a move and whether it is certain.

    `value` has the move's value and bounds, `most` those of the best move; `slip` is that of the coach.
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


def lost_it(before: Bounds, after: Bounds) -> bool | None:
    """Whether a move has turned a round that was not lost into a lost one; None if neither is proven."""
    if after.high < 0 <= before.low:
        return True
    return False if after.low >= 0 or before.high < 0 else None


def gave_win(before: Bounds, after: Bounds) -> bool | None:
    """Whether a move has turned a won round into one in which the win is shared; None if neither is proven."""
    if before.low > 0 and after.low == after.high == 0:
        return True
    return False if before.high <= 0 or after.low > 0 or after.high < 0 else None


def decided(verdicts: Sequence[Verdict], winners: Sequence[int]) -> Verdict | None:
    """The move that decided the round, among those of seats that did not win.

    It is the last certain `LOSING` one, else the mistake that lost the most value, the last of equal ones. If several
    share the win it is the last move that certainly gave a win of one's own away. None if there is none of these.
    """
    if len(winners) > 1:
        given = [each for each in verdicts if each.seat in winners and each.given]
        return max(given, key=lambda each: each.event, default=None)
    wrong = [each for each in verdicts if each.seat not in winners and each.mark in (Mark.SLIP, Mark.LOSING)]
    losing = [each for each in wrong if each.mark is Mark.LOSING and each.certain]
    if losing:
        return max(losing, key=lambda each: each.event)
    return max(wrong, key=lambda each: (each.most - each.value, each.event), default=None)


def surely_decided(
    verdicts: Sequence[Verdict], wrong: Verdict, events: Sequence[tuple[int, str]], winners: Sequence[int]
) -> bool:
    """Whether it is proven that the move `wrong` has decided the round, and no other.

    It is proven to have given the round, or among several winners the win, away, and each later move of those who may
    have done so is proven not to have. What is proven is true: no other look back, whatever its budget, proves another.
    """
    shared = len(winners) > 1
    gave = {each.event: each.given if shared else each.lost for each in verdicts}
    later = [
        event
        for event, (seat, text) in enumerate(events)
        if event > wrong.event and (seat in winners) is shared and not is_chance(text)
    ]
    return gave[wrong.event] is True and all(gave.get(event) is False for event in later)
