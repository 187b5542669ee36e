"""What was done in a round or on a score pad, as the table tells it, and the round as it was before."""

from __future__ import annotations

from companion.game.entry import as_seen
from companion.games.score_pad import rules as pads
from companion.rounds.on_table import PadRound, Round


def events(round_: Round | PadRound) -> tuple[tuple[int, str], ...]:
    """What was done: seat and text, oldest first."""
    if isinstance(round_, PadRound):
        return tuple((seat, pads.write(points)) for seat, points in round_.pad.entries)
    return round_.events


def event(round_: Round | PadRound, number: int, *, hidden: bool) -> str:
    """Event `number` (from 1) as the table tells it: ``2:54``, ``drew 7``.

    With `hidden`, there is a dot for what only its owner has seen.
    """
    if isinstance(round_, PadRound):
        return pads.write(round_.pad.entries[number - 1][1])
    text = round_.events[number - 1][1]
    text = as_seen(round_.entry, text) if hidden else text
    done = round_.entry.claimed(text)
    return " ".join([done, *text.split()[1:]]) if done else text


def after(round_: Round, number: int) -> Round:
    """The round as it was after event `number`."""
    return round_._replace(
        states=round_.states[: number + 1], events=round_.events[:number], times=round_.times[:number]
    )
