"""Computes facts about a finished round. Pure: the round and the times of its events in, facts out.

Moves are counted as everywhere: move n is event n of the record.

- The *turning point* is the first move after which the sole winner was ahead of all others, in what the game counts,
  and stayed ahead to the end. A shared win has none, and neither has a win that was decided by a tie-break.
- The *best move* is the first one with the greatest gain, which the game's move input defines. On a score pad it is the
  entry with the most points towards winning.
- The *longest think* is the longest time that a move took: by the round's clock if it ran, else since the event before.
  Naming drawn pieces does not count as a move, and more than ten minutes are a break.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.rounds.on_table import PadRound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.rounds.on_table import AnyRound

PAUSE_SECONDS = 600.0
"""A longer time is a break, not a think."""


class BestMove(NamedTuple):
    """The best move: its number (from 1), its seat, its text as players write it, and what it gained."""

    number: int
    seat: int
    text: str
    gain: int


class LongestThink(NamedTuple):
    """The longest think: the number of the move after it (from 1), its seat, and the seconds."""

    number: int
    seat: int
    seconds: float


class Facts(NamedTuple):
    """The facts of one round. Each is None if there is none.

    `curve` is what each seat counts, at the start and after each move. `turning_move` is the turning point's number,
    from 1.
    """

    curve: tuple[tuple[int, ...], ...]
    turning_move: int | None
    best_move: BestMove | None
    longest_think: LongestThink | None


def round_facts(round_: AnyRound, event_seconds: Sequence[float | None] = ()) -> Facts:
    """The facts of a round or score pad. `event_seconds` is what each move took, None if unknown."""
    curve, sign = tuple(round_.curve), -1 if round_.is_fewer_better else 1
    turning = turning_point([tuple(sign * each for each in row) for row in curve], round_.winners)
    return Facts(curve, turning, _find_best_move(round_, curve), _find_longest_think(round_, event_seconds))


def turning_point(curve: Sequence[tuple[int, ...]], winners: Sequence[int]) -> int | None:
    """The number of the first move (from 1) after which the sole winner leads to the end; None if there is none.

    In `curve`, more is better.
    """
    if len(winners) != 1:
        return None
    winner = winners[0] - 1
    turning = None
    for move in range(len(curve) - 1, 0, -1):
        row = curve[move]
        if any(other >= row[winner] for seat, other in enumerate(row) if seat != winner):
            break
        turning = move
    return turning


def _find_best_move(round_: AnyRound, curve: Sequence[tuple[int, ...]]) -> BestMove | None:
    best = None
    for move, (seat, text) in enumerate(round_.events, 1):
        gain = _gain_of(round_, seat, text, curve[move - 1], curve[move])
        if gain > (best.gain if best else 0):
            best = BestMove(move, seat, text, gain)
    return best and best._replace(text=_written_move(round_, best.number))


def _gain_of(round_: AnyRound, seat: int, text: str, before: tuple[int, ...], after: tuple[int, ...]) -> int:
    """What a move gained for the seat that made it."""
    if isinstance(round_, PadRound):
        gained = after[seat - 1] - before[seat - 1]
        return -gained if round_.pad.lowest_wins else gained
    return round_.move_input.event_gain(text, seat, before, after)


def _written_move(round_: AnyRound, move: int) -> str:
    """A move as players write it down."""
    seat, text = round_.events[move - 1]
    if isinstance(round_, PadRound):
        return text
    names = round_.header.names
    return round_.move_input.move_texts(round_.states[move - 1], seat, round_.game.parse_move(text), names).notation


def _find_longest_think(round_: AnyRound, seconds: Sequence[float | None]) -> LongestThink | None:
    longest = None
    for move, ((seat, text), spent) in enumerate(zip(round_.events, seconds, strict=False), 1):
        if spent is None or not 0 < spent <= PAUSE_SECONDS or _is_naming(round_, move, text):
            continue
        if longest is None or spent > longest.seconds:
            longest = LongestThink(move, seat, spent)
    return longest


def _is_naming(round_: AnyRound, move: int, text: str) -> bool:
    """Whether a move only names pieces that were drawn."""
    if isinstance(round_, PadRound):
        return False
    due = round_.move_input.due_refill(round_.states[move - 1])
    return due is not None and text.partition(" ")[0] == due.event_word


def score_sheet(round_: AnyRound) -> list[tuple[list[str], ...]]:
    """The score sheet: for each round of turns a tuple with each seat's lines; [] if the game has none."""
    return [] if isinstance(round_, PadRound) else round_.move_input.score_sheet(round_.states, round_.events)


def rows_of_second_chart(round_: AnyRound | None) -> list[Sequence[tuple[int, int]]]:
    """The game's second chart: for the start and after each move, the height and the owner of each of its rows.

    The owner is a seat, 0 for nobody. [] if the game has no such chart.
    """
    if round_ is None or isinstance(round_, PadRound) or round_.manifest.chart is None:
        return []
    return [round_.move_input.chart_rows(state) for state in round_.states]
