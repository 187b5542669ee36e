"""The coach beside the loop: it looks back in a thread of its own, and what it finds is an input."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from companion import games
from companion.inputs import Input, LookBackRequest, LookedBack
from companion.session import looking_back

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.session.model import Session

WORTH = 4
"""A look back takes no longer than so many moves do on the command line: two seconds, thirty on a Pi Zero 2."""


class CoachDesk:
    """Answers what the session asks the coach. One question at a time: a new one, or none any more, ends the last.

    Args:
        put: takes the inputs.
    """

    def __init__(self, put: Callable[[Input], object]) -> None:
        self._put = put
        self._stop = threading.Event()

    def look_back(self, request: LookBackRequest) -> threading.Thread:
        """Begin to look back in a thread; LookedBack follows, first with how far it has come."""
        self._stop.set()
        self._stop = threading.Event()
        arguments = (self._put, request, self._stop)
        thread = threading.Thread(target=_look_back, args=arguments, name="coach", daemon=True)
        thread.start()
        return thread

    def shown(self, session: Session) -> None:
        """Stop where nobody waits for the answer any more."""
        if not looking_back.waits(session):
            self._stop.set()


def _look_back(put: Callable[[Input], object], request: LookBackRequest, stop: threading.Event) -> None:
    """Look back, and put what is found on the queue; nothing once it is stopped."""
    from companion.coach.lookback import Played
    from companion.coach.told import in_lines, looked_back

    def tell(left: int) -> None:
        if not stop.is_set():
            lines = (f"I look back: {left} to go.", "You need not wait.")
            put(LookedBack(request, lines, time.monotonic()))

    try:
        rules, entry = games.load(request.game), games.load_entry(request.game)
        played = Played(rules, entry, request.states, request.events)
        looked = looked_back(request.game, played, worth=WORTH, clock=time.thread_time, stopped=stop.is_set, tell=tell)
        lines = in_lines(looked, request.names, entry.printed)
    except Exception as error:  # Of a game of another package: its round is over and kept, whatever it raises.
        if not games.is_added(request.game):
            raise
        lines = (f"{games.failure(request.game, error)}.",)
    if not stop.is_set():
        put(LookedBack(request, lines, time.monotonic()))
