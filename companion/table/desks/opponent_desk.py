"""The box as a player: it thinks beside the loop in a thread of its own, and what it finds is an input."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from companion import games
from companion.inputs import BoxMove, Input, MoveRequest

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.session.model import Session


class OpponentDesk:
    """Finds the moves that the session asks for, one at a time; what nobody waits for any more is stopped.

    Args:
        put: takes the inputs.
    """

    def __init__(self, put: Callable[[Input], object]) -> None:
        self._put = put
        self._stop = threading.Event()
        self._request: MoveRequest | None = None

    def think(self, request: MoveRequest) -> threading.Thread:
        """Begin to think in a thread; BoxMove follows, first with how far it has come."""
        self._stop.set()
        self._stop, self._request = threading.Event(), request
        arguments = (self._put, request, self._stop)
        thread = threading.Thread(target=_think, args=arguments, name="opponent", daemon=True)
        thread.start()
        return thread

    def stop_if_outdated(self, session: Session) -> None:
        """Stop where the session no longer waits for this move."""
        if session.box_move is None or session.box_move.request is not self._request:
            self._stop.set()
            self._request = None


def _think(put: Callable[[Input], object], request: MoveRequest, stop: threading.Event) -> None:
    """Find a move and put it on the queue; nothing once it is stopped."""
    from companion.coach.advice import choose, coach_of, look

    def tell(share: int = 0, move: str = "", *, failed: bool = False) -> None:
        if not stop.is_set():
            put(BoxMove(request, share, move, failed, time.monotonic()))

    try:
        rules, entry = games.load(request.game), games.load_entry(request.game)
        sight = look(rules, entry, request.states, request.events, request.seat)
        coach = coach_of(request.game)
        move = choose(coach, sight, request.strength, request.seed, stopped=stop.is_set, tell=tell)
    except Exception:  # Nobody waits for ever: the players enter a move for the box.
        tell(failed=True)
        if not games.is_added(request.game):
            raise
        return
    tell(100, "" if move is None else str(move), failed=move is None)
