"""The board on a player's own phone: what the player holds is in it, and it is tapped to make a move.

Everything is made of `view(state, seat)`, so nothing here depends on what other players hide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion import games
from companion.game.board import Seen
from companion.rounds.published import played

if TYPE_CHECKING:
    from companion.game.board import Svg, Tap
    from companion.game.entry import Draft
    from companion.rounds.on_table import Round


def own_board(round_: Round, number: int, keys: str, *, due: bool) -> dict[str, Any] | None:
    """A seat's board with the half-made move in it; None for a game without a board, or whose board fails.

    `due` is whether the seat is to move. Keys of the answer: ``svg``, ``box`` (its view box), ``tall`` (whether it is
    much higher than wide), ``asks`` (what to tap next), ``words`` (the position in sentences), ``taps``: each place
    to tap as a `companion.game.board.Tap`, and whether the rules may allow what is entered then (``fits``).
    """
    board = games.load_board(round_.header.game)
    if board is None:
        return None
    view = round_.game.view(round_.state, number)
    names = round_.header.names
    try:
        drawing = board.show(Seen(view, names, played(round_), number, keys, due))
        return _board_data(drawing) | {
            "words": list(board.in_words(view, names) or round_.entry.position_lines(view)),
            "taps": [_tap(tap, round_.entry.typed(view, tap.keys) if tap.keys else None) for tap in drawing.taps],
        }
    except Exception:
        if not games.is_added(round_.header.game):
            raise
        return None  # What everybody is told says that it has failed.


def _board_data(drawing: Svg) -> dict[str, Any]:
    wide, high = drawing.size
    return {"svg": str(drawing), "box": f"0 0 {wide:g} {high:g}", "tall": high > 1.3 * wide, "asks": drawing.asks}


def _tap(tap: Tap, after: Draft | None) -> dict[str, Any]:
    """A place to tap as data; `after` is the draft of its keys, None for none."""
    return tap._asdict() | {"fits": tap.leads and (after is None or after.verdict != "no")}
