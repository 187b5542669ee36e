"""The coach's searches beside the loop, each in a thread: the review of a round, a hint, a computer player's move.

A search may take a minute on a small computer, and the table must stay usable meanwhile. A request of the session or of
a phone starts a search, and the result comes as an input. A search whose result nobody waits for any more is stopped.
The coach is imported by the first search, because a table without one should spend neither time nor memory on it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from companion import games
from companion.evening.screens import pages
from companion.evening.screens.private import hints
from companion.games.api.hint import HintPart
from companion.inputs import ComputerMove, HintProgress, HintRequest, Input, ReviewRequest, ReviewProgress, ComputerMoveRequest
from companion.languages import text

if TYPE_CHECKING:
    from companion.evening.model import Session

LOOK_BACK_WORTH = 4
"""The effort of a review, in moves of the coach at its usual effort.

It takes 1 to 5 s on a PC, 15 to 75 s on a Pi Zero 2."""

Asked = TypeVar("Asked", ReviewRequest, HintRequest, ComputerMoveRequest)
Put = Callable[[Input], object]


class SearchWorker(Generic[Asked]):
    """Runs one search at a time; a new one stops the one before.

    Args:
        put_input: called with each result, until the search is stopped.
    """

    name: str
    """The name of the thread."""

    def __init__(self, put: Put) -> None:
        self._put = put
        self._stop = threading.Event()
        self._request: Asked | None = None

    def start(self, request: Asked) -> threading.Thread:
        """Start a search and return its thread."""
        self._stop.set()
        stop = self._stop = threading.Event()
        self._request = request
        arguments = (request, lambda found: self._take(found, stop), stop.is_set)
        thread = threading.Thread(target=self._search, args=arguments, name=self.name, daemon=True)
        thread.start()
        return thread

    def stop_if_outdated(self, session: Session) -> None:
        """Stop the search if the session no longer waits for its result."""
        if not self._is_awaited(session):
            self._stop.set()

    def _take(self, found: Input, stop: threading.Event) -> None:
        if not stop.is_set():
            self._put(found)

    def _is_awaited(self, session: Session) -> bool:
        raise NotImplementedError

    def _search(self, request: Asked, put: Put, is_stopped: Callable[[], bool]) -> None:
        raise NotImplementedError


class LookBackWorker(SearchWorker[ReviewRequest]):
    """Finds what decided a round. First its progress and then its result come as inputs."""

    name = "coach"

    def _is_awaited(self, session: Session) -> bool:
        return pages.is_review_open(session)

    def _search(self, request: ReviewRequest, put: Put, is_stopped: Callable[[], bool]) -> None:
        from companion.coach.lookback import PlayedRound
        from companion.coach.review import review_lines, review_round

        def report(left: int) -> None:
            wait = text("The answer will appear here: please wait.")
            lines = text("Moves left to check: {number}.", number=left), wait
            put(ReviewProgress(request, lines, time.monotonic()))

        game = request.game
        try:
            played = PlayedRound(games.load_rules(game), games.load_move_input(game), request.states, request.events)
            looked = review_round(
                game, played, round_worth_moves=LOOK_BACK_WORTH, clock=time.thread_time, is_stopped=is_stopped, report_event=report
            )
            coach = games.load_coach(game)
            lines = review_lines(looked, request.names, coach.unit if coach is not None else "", len(request.events))
        except Exception as error:  # A game of another package may raise anything; its round is already saved.
            lines = (f"{games.failure_text(game, error)}.",)
        put(ReviewProgress(request, lines, time.monotonic()))


class ComputerPlayerWorker(SearchWorker[ComputerMoveRequest]):
    """Finds the moves of a computer player. First its progress and then the move come as inputs."""

    name = "opponent"

    def _is_awaited(self, session: Session) -> bool:
        return session.computer_move is not None and session.computer_move.request is self._request

    def _search(self, request: ComputerMoveRequest, put: Put, is_stopped: Callable[[], bool]) -> None:
        from companion.coach.advice import choose_move, coach_for_game, seat_knowledge

        def report(share: int = 0, move: str = "", *, failed: bool = False) -> None:
            put(ComputerMove(request, share, move, failed, time.monotonic()))

        game = request.game
        try:
            sight = seat_knowledge(games.load_rules(game), games.load_move_input(game), request.states, request.events, request.seat)
            move = choose_move(coach_for_game(game), sight, request.strength, request.seed, is_stopped=is_stopped, report_progress=report)
        except Exception:  # The players must not wait for ever: they enter a move for the computer player.
            report(failed=True)
            if not games.is_added_game(game):
                raise
            return
        report(100, "" if move is None else str(move), failed=move is None)


class HintWorker(SearchWorker[HintRequest]):
    """Finds hints, once for each position, for the box and for the phone of the seat that is to move."""

    name = "hint"

    def __init__(self, put: Put) -> None:
        super().__init__(put)
        self._lock = threading.Lock()
        self._latest: HintProgress | None = None
        self._box_waits = False

    def ask(self, request: HintRequest, *, box: bool = False) -> HintProgress:
        """Return what is known so far of a hint, and start a search if this hint has not been asked for before.

        With `for_box` the progress and then the hint come as inputs too.
        """
        with self._lock:
            if self._latest is None or self._latest.request != request:
                self._latest, self._box_waits = HintProgress(request), False
                self.start(request)
            self._box_waits = self._box_waits or box
            if box and self._latest.parts:
                self._put(self._latest._replace(at=time.monotonic()))
            return self._latest

    def stop_if_outdated(self, session: Session) -> None:
        if self._latest is not None and not hints.is_current(session, self._latest.request):
            with self._lock:
                self._stop.set()
                self._latest = None

    def _take(self, found: Input, stop: threading.Event) -> None:
        with self._lock:
            if isinstance(found, HintProgress) and not stop.is_set():
                self._latest = found
                if self._box_waits:
                    self._put(found)

    def _search(self, request: HintRequest, put: Put, is_stopped: Callable[[], bool]) -> None:
        from companion.coach.advice import seat_knowledge
        from companion.coach.hints import make_hint

        def report(percent: int) -> None:
            put(HintProgress(request, percent, at=time.monotonic()))

        game = request.game
        try:
            sight = seat_knowledge(games.load_rules(game), games.load_move_input(game), request.states, request.events, request.seat)
            parts = make_hint(game, sight, clock=time.thread_time, is_stopped=is_stopped, report_progress=report)
        except Exception as error:  # A game of another package may raise anything; the round goes on.
            parts = (HintPart("Hint", (f"{games.failure_text(game, error)}.",)),)
        put(HintProgress(request, 100, parts, time.monotonic()))
