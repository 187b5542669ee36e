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
from companion.inputs import (
    ComputerMove,
    ComputerMoveRequest,
    HintProgress,
    HintRequest,
    Input,
    ReviewProgress,
    ReviewRequest,
)
from companion.languages import text

if TYPE_CHECKING:
    from companion.evening.model import Session

REVIEW_EFFORT_MOVES = 4
"""The effort of a review, in moves of the coach at its usual effort.

It takes 1 to 5 s on a PC, 15 to 75 s on a Pi Zero 2."""

RequestT = TypeVar("RequestT", ReviewRequest, HintRequest, ComputerMoveRequest)
PutInput = Callable[[Input], object]


class SearchWorker(Generic[RequestT]):
    """Runs one search at a time; a new one stops the one before.

    Args:
        put_input: called with each result, until the search is stopped.
    """

    thread_name: str
    """The name of the thread."""

    def __init__(self, put_input: PutInput) -> None:
        self._put_input = put_input
        self._stop = threading.Event()
        self._request: RequestT | None = None

    def start_search(self, request: RequestT) -> threading.Thread:
        """Start a search and return its thread."""
        self._stop.set()
        stop = self._stop = threading.Event()
        self._request = request
        arguments = (request, lambda found: self._take_result(found, stop), stop.is_set)
        thread = threading.Thread(target=self._search, args=arguments, name=self.thread_name, daemon=True)
        thread.start()
        return thread

    def stop_if_outdated(self, session: Session) -> None:
        """Stop the search if the session no longer waits for its result."""
        if not self._is_awaited(session):
            self._stop.set()

    def _take_result(self, result: Input, stop: threading.Event) -> None:
        if not stop.is_set():
            self._put_input(result)

    def _is_awaited(self, session: Session) -> bool:
        raise NotImplementedError

    def _search(self, request: RequestT, put_result: PutInput, is_stopped: Callable[[], bool]) -> None:
        raise NotImplementedError


class ReviewWorker(SearchWorker[ReviewRequest]):
    """Finds what decided a round. First its progress and then its result come as inputs."""

    thread_name = "coach"

    def _is_awaited(self, session: Session) -> bool:
        return pages.is_review_open(session)

    def _search(self, request: ReviewRequest, put_result: PutInput, is_stopped: Callable[[], bool]) -> None:
        from companion.coach.review import review_lines, review_round
        from companion.coach.verdicts import PlayedRound

        def report_progress(moves_left: int) -> None:
            please_wait = text("The answer will appear here: please wait.")
            lines = text("Moves left to check: {number}.", number=moves_left), please_wait
            put_result(ReviewProgress(request, lines, time.monotonic()))

        game = request.game
        try:
            played = PlayedRound(games.load_rules(game), games.load_move_input(game), request.states, request.events)
            review = review_round(
                game,
                played,
                round_worth_moves=REVIEW_EFFORT_MOVES,
                clock=time.thread_time,
                is_stopped=is_stopped,
                report_event=report_progress,
            )
            lines = review_lines(review, request.names, len(request.events))
        except Exception as error:  # A game of another package may raise anything; its round is already saved.
            lines = (f"{games.failure_text(game, error)}.",)
        put_result(ReviewProgress(request, lines, time.monotonic(), is_complete=True))


class ComputerPlayerWorker(SearchWorker[ComputerMoveRequest]):
    """Finds the moves of a computer player. First its progress and then the move come as inputs."""

    thread_name = "opponent"

    def _is_awaited(self, session: Session) -> bool:
        return session.computer_move is not None and session.computer_move.request is self._request

    def _search(self, request: ComputerMoveRequest, put_result: PutInput, is_stopped: Callable[[], bool]) -> None:
        from companion.coach.advice import choose_move, coach_for_game, seat_knowledge

        def report_progress(percent: int = 0, move: str = "", *, has_failed: bool = False) -> None:
            put_result(ComputerMove(request, percent, move, has_failed, time.monotonic()))

        game = request.game
        try:
            knowledge = seat_knowledge(
                games.load_rules(game), games.load_move_input(game), request.states, request.events, request.seat
            )
            move = choose_move(
                coach_for_game(game),
                knowledge,
                request.strength,
                request.seed,
                is_stopped=is_stopped,
                report_progress=report_progress,
            )
        except Exception:  # The players must not wait for ever: they enter a move for the computer player.
            report_progress(has_failed=True)
            if not games.is_added_game(game):
                raise
            return
        report_progress(100, "" if move is None else str(move), has_failed=move is None)


class HintWorker(SearchWorker[HintRequest]):
    """Finds hints, once for each position, for the box and for the phone of the seat that is to move."""

    thread_name = "hint"

    def __init__(self, put_input: PutInput) -> None:
        super().__init__(put_input)
        self._lock = threading.Lock()
        self._latest_hint: HintProgress | None = None
        self._box_waits = False

    def request_hint(self, request: HintRequest, *, for_box: bool = False) -> HintProgress:
        """Return what is known so far of a hint, and start a search if this hint has not been asked for before.

        With `for_box` the progress and then the hint come as inputs too.
        """
        with self._lock:
            if self._latest_hint is None or self._latest_hint.request != request:
                self._latest_hint, self._box_waits = HintProgress(request), False
                self.start_search(request)
            self._box_waits = self._box_waits or for_box
            if for_box and self._latest_hint.parts:
                self._put_input(self._latest_hint._replace(at=time.monotonic()))
            return self._latest_hint

    def stop_if_outdated(self, session: Session) -> None:
        if self._latest_hint is not None and not hints.is_current(session, self._latest_hint.request):
            with self._lock:
                self._stop.set()
                self._latest_hint = None

    def _take_result(self, result: Input, stop: threading.Event) -> None:
        with self._lock:
            if isinstance(result, HintProgress) and not stop.is_set():
                self._latest_hint = result
                if self._box_waits:
                    self._put_input(result)

    def _search(self, request: HintRequest, put_result: PutInput, is_stopped: Callable[[], bool]) -> None:
        from companion.coach.advice import seat_knowledge
        from companion.coach.hints import make_hint

        def report_progress(percent: int) -> None:
            put_result(HintProgress(request, percent, at=time.monotonic()))

        game = request.game
        try:
            knowledge = seat_knowledge(
                games.load_rules(game), games.load_move_input(game), request.states, request.events, request.seat
            )
            parts = make_hint(
                game, knowledge, clock=time.thread_time, is_stopped=is_stopped, report_progress=report_progress
            )
        except Exception as error:  # A game of another package may raise anything; the round goes on.
            parts = (HintPart("Hint", (f"{games.failure_text(game, error)}.",)),)
        put_result(HintProgress(request, 100, parts, time.monotonic()))
