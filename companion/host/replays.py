"""A finished round after some of its events, as data for the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.panel.canvas import base64_png
from companion.rounds import published
from companion.rounds.on_table import PadRound

if TYPE_CHECKING:
    from companion.rounds.on_table import AnyRound
    from companion.rounds.published import Panels

LISTED = 6
"""The most events that are listed, the newest first."""


def shown(round_: AnyRound, move: int, panels: Panels) -> dict[str, Any]:
    """A round after `move` events; 0 is its start, and a `move` beyond the last event shows the end.

    Keys: ``move`` (the events played), ``last`` (the number of events), ``standing`` (counts by seat), ``unit`` of the
    counts, ``moves`` (the newest events in words), ``board`` (SVG, "" for a game without one), ``panel`` (PNG in base64
    where there is no board), ``sheet`` (a score pad's, else None), ``fault`` (a sentence where a game of another
    package failed to show its round, else "").
    """
    last = len(round_.events)
    move = min(move, last)
    told: dict[str, Any] = {"move": move, "last": last, "standing": list(round_.counts(move)), "board": ""}
    told["panel"] = told["unit"] = told["fault"] = ""
    if isinstance(round_, PadRound):
        cut = round_.after(move)
        entries = [{"name": cut.name(seat), "told": f"{points:+d}"} for seat, points in cut.pad.entries[-LISTED:]]
        return told | {"moves": entries, "sheet": published.sheet(cut)}
    cut_ = round_.after(move)
    faults: list[str] = []
    board, moves = published.board(cut_, faults), published.moves(cut_, faults)
    return told | {
        "unit": round_.manifest.result_counts,
        "moves": moves,
        "board": board,
        "panel": "" if board else base64_png(panels.of_round(round_, move)),
        "sheet": None,
        "fault": " ".join(faults[:1]),
    }
