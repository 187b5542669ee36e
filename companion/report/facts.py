"""What a round tells when it is looked back at. Pure: the round and the times of its events in, facts out.

Moves are counted as everywhere: event n of the record is move n.

- The *turning point* is the first move after which the one winner was ahead of everybody, in what the game counts,
  and stayed so to the end. A shared win has none, nor has one that a tie-break decided.
- The *best move* is the first one that gains most: in Coral Reef the most corals in one play, in 27 the most pieces
  onto one's own goal, in Prime Attactics the largest swing between the two scores, in Ziggurat the most points, on a
  score pad the most points towards winning.
- The *longest think* is the longest time that a move took: by the clock of the round where it ran, else from the
  entry before it; naming drawn tiles is no move, and more than ten minutes are a pause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.games.prime_attactics import rules as prime_attactics
from companion.games.twenty_seven import rules as twenty_seven
from companion.screens import replay
from companion.session.model import PadRound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.session.model import Round

PAUSE = 600.0
"""Seconds that are no longer a think but a pause."""

COUNTS = {
    "coral-reef": "corals left",
    "27": "pieces on the goal",
    "prime-attactics": "score",
    "ziggurat": "points",
    "pad": "points",
}
"""Game → what its curve counts."""

GAINS = {
    "coral-reef": "{} corals in one play",
    "27": "{} pieces onto the goal",
    "prime-attactics": "a swing of {}",
    "ziggurat": "{} points",
    "pad": "{} points",
}
"""Game → what the best move gained."""

FEWER = ("coral-reef",)
"""The games in which less is better; on a score pad that is one of its options."""


class Best(NamedTuple):
    """The best move: its number, its seat, as it is written, and what it gained."""

    move: int
    seat: int
    text: str
    gain: int


class Think(NamedTuple):
    """The longest think: before which move, whose, and how many seconds."""

    move: int
    seat: int
    seconds: float


class Facts(NamedTuple):
    """A round looked back at; `curve` has what every seat counts at the start and after each move."""

    curve: tuple[tuple[int, ...], ...]
    turning: int | None
    best: Best | None
    think: Think | None


def of(round_: Round | PadRound, seconds: Sequence[float | None] = ()) -> Facts:
    """The facts of a round or score pad; `seconds` that each move took, where they are known."""
    curve = tuple(replay.curve(round_))
    if isinstance(round_, PadRound):
        winners, sign = round_.pad.leaders if round_.over else (), -1 if round_.pad.lowest else 1
    else:
        winners, sign = round_.outcome.winners if round_.over else (), -1 if round_.about.game in FEWER else 1
    turning = turning_point([tuple(sign * each for each in row) for row in curve], winners)
    return Facts(curve, turning, _best(round_, curve), _think(round_, seconds))


def turning_point(curve: Sequence[tuple[int, ...]], winners: Sequence[int]) -> int | None:
    """The first move after which the sole winner leads for good; more is better in `curve`."""
    if len(winners) != 1:
        return None
    at = winners[0] - 1
    turning = None
    for move in range(len(curve) - 1, 0, -1):
        row = curve[move]
        if any(other >= row[at] for seat, other in enumerate(row) if seat != at):
            break
        turning = move
    return turning


def _best(round_: Round | PadRound, curve: Sequence[tuple[int, ...]]) -> Best | None:
    best = None
    for move, (seat, text) in enumerate(replay.events(round_), 1):
        gain = _gain(round_.about.game, text, seat, curve[move - 1], curve[move])
        if isinstance(round_, PadRound) and round_.pad.lowest:
            gain = -gain
        if gain > (best.gain if best else 0):
            best = Best(move, seat, text, gain)
    return best and best._replace(text=_written(round_, best.move))


def _gain(game: str, text: str, seat: int, before: tuple[int, ...], after: tuple[int, ...]) -> int:
    """What a move gained for the seat that made it."""
    if game == "coral-reef":
        return len(text.partition(":")[2]) or int(text == "seed")
    gained = [then - now for now, then in zip(before, after, strict=True)]
    if game == "prime-attactics":
        return gained[seat - 1] - gained[2 - seat]
    return gained[seat - 1]


def _written(round_: Round | PadRound, move: int) -> str:
    """A move as players write it down: in Prime Attactics the line of the score sheet."""
    seat, text = replay.events(round_)[move - 1]
    if isinstance(round_, PadRound) or round_.about.game != "prime-attactics":
        return text
    played = prime_attactics.read(text)
    if not isinstance(played, prime_attactics.Play):
        return text
    return prime_attactics.sheet_line(round_.states[move - 1], seat, played)


def _think(round_: Round | PadRound, seconds: Sequence[float | None]) -> Think | None:
    longest = None
    for move, ((seat, text), took) in enumerate(zip(replay.events(round_), seconds, strict=False), 1):
        if took is None or text.startswith("refill") or not 0 < took <= PAUSE:
            continue
        if longest is None or took > longest.seconds:
            longest = Think(move, seat, took)
    return longest


def score_sheet(round_: Round) -> list[tuple[list[str], list[str]]]:
    """The score sheet of Prime Attactics: a block a round of turns, in it the lines of the two columns.

    A play stands in the column of the score that it changed, as on the sample sheet of the rules.
    """
    blocks: dict[int, tuple[list[str], list[str]]] = {}
    for move, (seat, text) in enumerate(round_.events, 1):
        before, played = round_.states[move - 1], prime_attactics.read(text)
        if isinstance(played, prime_attactics.Play):
            block = blocks.setdefault(before.turns // 2, ([], []))
            block[2 - seat if played.aimed else seat - 1].append(_written(round_, move))
    return list(blocks.values())


def pile_heights(round_: Round) -> list[list[tuple[int, int]]]:
    """The piles of 27 at the start and after each move: how many pieces can move, and whose disc is on top (0: none).

    From seat 1's home on; where a field was taken away the line is shorter.
    """
    return [
        [
            (
                twenty_seven.movable(state, field),
                pile[-1] if pile[-1] in (twenty_seven.WHITE, twenty_seven.BLACK) else 0,
            )
            for field, pile in enumerate(state.piles, 1)
        ]
        for state in round_.states
    ]
