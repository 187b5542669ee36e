"""A finished round after one of its events, as the pages show it: the board, the counts and what happened in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.screens import public, replay
from companion.session.model import PadRound

if TYPE_CHECKING:
    from companion.session.model import Round

of_kept = replay.of_kept
LISTED = 6
"""So many events are listed up to the one that is shown, the newest first."""


def shown(round_: Round | PadRound, move: int) -> dict[str, Any]:
    """A round after `move` events, 0 for its start; after the last one its result is told.

    Keys: ``move`` (no more than there are), ``last``, ``told``, ``standing`` (counts by seat), ``unit``, ``moves``,
    ``board`` (SVG, "" where the game has none), ``panel`` (PNG in base64 where there is no board), ``sheet``.
    """
    last = len(replay.events(round_))
    move = min(move, last)
    told: dict[str, Any] = {"move": move, "last": last, "standing": list(replay.standing(round_, move)), "board": ""}
    told["panel"] = told["unit"] = told["result"] = ""
    if isinstance(round_, PadRound):
        cut = round_._replace(pad=round_.pad._replace(entries=round_.pad.entries[:move]))
        entries = [{"name": cut.name(seat), "told": f"{points:+d}"} for seat, points in cut.pad.entries[-LISTED:]]
        return told | {"moves": entries, "sheet": public.sheet(cut)}
    cut_ = round_._replace(states=round_.states[: move + 1], events=round_.events[:move], times=round_.times[:move])
    board = public.board(cut_)
    return told | {
        "unit": round_.manifest.counts,
        "moves": public.moves(cut_),
        "board": board,
        "panel": "" if board else public.png(replay.picture(round_, move)),
        "sheet": None,
    }
