"""Hints beside the loop: thought out in a thread, once for each moment, for the box and for the phone of the seat."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from companion import games
from companion.game.hint import HintPart
from companion.inputs import Hinted
from companion.moments.private import hints

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.inputs import HintRequest, Input
    from companion.session.model import Session


class HintDesk:
    """Answers those who ask for a hint; whoever asks again while nothing has changed gets the latest answer.

    Args:
        put: takes the inputs.
    """

    def __init__(self, put: Callable[[Input], object]) -> None:
        self._put = put
        self._lock = threading.Lock()
        self._thought: _Thought | None = None

    def ask(self, request: HintRequest, *, box: bool = False) -> Hinted:
        """What is known by now; a thread begins to think where nobody has asked this before.

        Where the `box` asks, Hinted follows as an input, with how far it has come and then with the hint.
        """
        with self._lock:
            if self._thought is None or self._thought.latest.request != request:
                self._end()
                self._thought = _Thought(self._put, request)
                self._thought.start()
            thought = self._thought
            thought.box = thought.box or box
            if box and thought.latest.parts:
                self._put(thought.latest._replace(at=time.monotonic()))
            return thought.latest

    def stop_if_outdated(self, session: Session) -> None:
        """Stop, and forget what was found, once the moment that it was asked for is over."""
        if self._thought is not None and not hints.stands(session, self._thought.latest.request):
            with self._lock:
                self._end()

    def _end(self) -> None:
        if self._thought is not None:
            self._thought.stop.set()
        self._thought = None


class _Thought(threading.Thread):
    """The thread that thinks of one hint. `box` tells whether the box waits for it; `latest` is its newest state."""

    def __init__(self, put: Callable[[Input], object], request: HintRequest) -> None:
        super().__init__(name="hint", daemon=True)
        self._put = put
        self.box = False
        self.stop = threading.Event()
        self.latest = Hinted(request)

    def run(self) -> None:
        """Think, and tell the box where it waits; nothing more once it is stopped."""
        request = self.latest.request
        try:
            parts = _parts(request, self.stop.is_set, self._reached)
        except Exception as error:  # Of a game of another package: the round plays on, whatever it raises.
            parts = (HintPart("Hint", (f"{games.failure(request.game, error)}.",)),)
        self._tell(Hinted(request, 100, parts))

    def _reached(self, percent: int) -> None:
        self._tell(Hinted(self.latest.request, percent))

    def _tell(self, latest: Hinted) -> None:
        self.latest = latest
        if self.box and not self.stop.is_set():
            self._put(latest._replace(at=time.monotonic()))


def _parts(request: HintRequest, stopped: Callable[[], bool], tell: Callable[[int], object]) -> tuple[HintPart, ...]:
    """The hint that was asked for, with what its seat may know."""
    from companion.coach.advice import look
    from companion.coach.hints import hint

    game = request.game
    sight = look(games.load(game), games.load_entry(game), request.states, request.events, request.seat)
    return hint(game, sight, clock=time.thread_time, stopped=stopped, tell=tell)
