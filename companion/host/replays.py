"""A finished round after some of its events, as data for the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.rounds import replaying, told_events
from companion.rounds.on_table import PadRound
from companion.screens import public, replay

if TYPE_CHECKING:
    from companion.rounds.on_table import Round

LISTED = 6
"""The most events that are listed, the newest first."""


def shown(round_: Round | PadRound, move: int) -> dict[str, Any]:
    """A round after `move` events; 0 is its start, and a `move` beyond the last event shows the end.

    Keys: ``move`` (the events played), ``last`` (the number of events), ``standing`` (counts by seat), ``unit`` of the
    counts, ``moves`` (the newest events in words), ``board`` (SVG, "" for a game without one), ``panel`` (PNG in base64
    where there is no board), ``sheet`` (a score pad's, else None), ``fault`` (a sentence where a game of another
    package failed to show its round, else "").
    """
    last = len(told_events.events(round_))
    move = min(move, last)
    told: dict[str, Any] = {"move": move, "last": last, "standing": list(replaying.standing(round_, move)), "board": ""}
    told["panel"] = told["unit"] = told["fault"] = ""
    if isinstance(round_, PadRound):
        cut = round_._replace(pad=round_.pad._replace(entries=round_.pad.entries[:move]))
        entries = [{"name": cut.name(seat), "told": f"{points:+d}"} for seat, points in cut.pad.entries[-LISTED:]]
        return told | {"moves": entries, "sheet": public.sheet(cut)}
    cut_ = round_._replace(states=round_.states[: move + 1], events=round_.events[:move], times=round_.times[:move])
    faults: list[str] = []
    board, moves = public.board(cut_, faults), public.moves(cut_, faults)
    return told | {
        "unit": round_.manifest.result_counts,
        "moves": moves,
        "board": board,
        "panel": "" if board else public.png(replay.picture(round_, move)),
        "sheet": None,
        "fault": " ".join(faults[:1]),
    }
