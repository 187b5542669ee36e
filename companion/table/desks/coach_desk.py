"""Runs the coach's look back over a round in a thread; its results come as inputs."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from companion import games
from companion.inputs import Input, LookBackRequest, LookedBack
from companion.languages import text
from companion.moments import pages

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.session.model import Session

WORTH = 4
"""The effort of a look back, in moves of the coach at its usual effort: 1 to 5 s on a PC, 15 to 75 s on a Pi Zero 2."""


class CoachDesk:
    """Runs one look back at a time; a new one, or leaving the page, stops the one before.

    Args:
        put: puts an input on the loop's queue.
    """

    def __init__(self, put: Callable[[Input], object]) -> None:
        self._put = put
        self._stop = threading.Event()

    def look_back(self, request: LookBackRequest) -> threading.Thread:
        """Start a look back in a thread. LookedBack inputs follow: first its progress, then the result."""
        self._stop.set()
        self._stop = threading.Event()
        arguments = (self._put, request, self._stop)
        thread = threading.Thread(target=_look_back, args=arguments, name="coach", daemon=True)
        thread.start()
        return thread

    def stop_if_outdated(self, session: Session) -> None:
        """Stop the look back if the session no longer waits for it."""
        if not pages.awaits_look_back(session):
            self._stop.set()


def _look_back(put: Callable[[Input], object], request: LookBackRequest, stop: threading.Event) -> None:
    """Look back and put progress and result on the queue; nothing after `stop` is set."""
    from companion.coach.lookback import Played
    from companion.coach.told import in_lines, looked_back

    def tell(left: int) -> None:
        if not stop.is_set():
            lines = text("Moves to look at: {number}.", number=left), text("It shows here: please wait.")
            put(LookedBack(request, lines, time.monotonic()))

    try:
        rules, entry = games.load(request.game), games.load_entry(request.game)
        played = Played(rules, entry, request.states, request.events)
        looked = looked_back(request.game, played, worth=WORTH, clock=time.thread_time, stopped=stop.is_set, tell=tell)
        coach = games.load_coach(request.game)
        lines = in_lines(looked, request.names, coach.unit if coach is not None else "", len(request.events))
    except Exception as error:  # A game of another package may raise anything; its round is already stored.
        lines = (f"{games.failure(request.game, error)}.",)
    if not stop.is_set():
        put(LookedBack(request, lines, time.monotonic()))
