"""The review of a round: three presses ask for it, a worker finds it, a page shows it."""

from __future__ import annotations

import queue
import re
import subprocess
import sys
from pathlib import Path

import pytest
from list_screens import digit_of_line, list_texts

from companion.evening.screens.lists import PageScreen
from companion.evening.screens.pages import ReviewPage
from companion.evening.session_values import PhoneAccess
from companion.inputs import PhoneRequest, ReviewProgress, ReviewRequest, parse_request
from companion.rounds.record import check_record
from companion.table.phone_view import client_snapshot
from companion.table.search_workers import ReviewWorker

RECORDS = Path(__file__).parents[1] / "records"
TIMEOUT_SECONDS = 60


def replayed(new_table, name: str):
    """A table at the result of a recorded round of 27, entered by keys."""
    report = check_record((RECORDS / f"{name}.tcr").read_text(encoding="utf-8"))
    table = new_table(report.header.game, names=report.header.players, **report.header.options)
    for _, move in report.events:
        while table.family == "Notice":
            table.press("#")
        table.press(*f"{move.field}{move.pieces}#")
    while table.family == "Notice":
        table.press("#")
    assert table.family == "RoundOver"
    return table


def request_review(table) -> ReviewRequest:
    """The request of the menu's entry, with the page open."""
    table.press("*")
    key = digit_of_line(table.session, "What decided it?")
    (request,) = table.session.screen.press(table.session, key).outbox.requests
    table.press(key)
    return request


def test_two_presses_request_it(new_table):
    """Menu and digit. Before the round is over there is no such entry."""
    table = new_table("27")
    table.press("*")
    assert "What decided it?" not in list_texts(table.session)
    table = replayed(new_table, "27-expert")
    request = request_review(table)
    assert isinstance(table.session.screen, ReviewPage)
    assert request.events == table.session.round.events
    assert request.states == table.session.round.states


def test_the_page_shows_the_progress_and_the_result(new_table):
    """Each report replaces the lines. After BACK, further reports aren't shown."""
    table = replayed(new_table, "27-expert")
    request = request_review(table)
    table.take_input(ReviewProgress(request, ("12 to go.",), table.now))
    assert table.session.screen.lines == ("What decided it?", "12 to go.")
    table.take_input(ReviewProgress(request._replace(events=request.events[:-1]), ("Of another round.",), table.now))
    assert table.session.screen.lines == ("What decided it?", "12 to go.")
    table.press("*", "*")
    assert table.family == "RoundOver"
    table.take_input(ReviewProgress(request, ("Too late.",), table.now))
    assert table.family == "RoundOver"


def test_a_review_is_kept_once_it_is_made(new_table):
    """Opened again it is there at once; one that was left unfinished is made anew."""
    table = replayed(new_table, "27-expert")
    request = request_review(table)
    table.take_input(ReviewProgress(request, ("12 to go.",), table.now))
    table.press("*", "*")
    table.wait(2)
    assert request_review(table) == request
    table.take_input(ReviewProgress(request, ("Move 3 decided it.",), table.now, is_complete=True))
    table.press("*", "*")
    table.wait(2)
    table.press("*")
    table.press(digit_of_line(table.session, "What decided it?"))
    assert table.session.screen.lines == ("What decided it?", "Move 3 decided it.")
    assert table.session.outbox.requests == ()


def test_a_phone_can_leave_the_page_while_its_text_changes(new_table):
    """A press that meets the next report used to be refused as one for another page."""
    table = replayed(new_table, "27-expert")
    host = "h" * 64
    table.session = table.session._replace(phones=PhoneAccess(is_on=True, host=host))
    request = request_review(table)
    table.take_input(ReviewProgress(request, ("12 to go.",), table.now))
    seen = client_snapshot(table.session)["remote"]["seen"]
    table.take_input(ReviewProgress(request, ("11 to go.",), table.now))
    table.take_input(PhoneRequest(7, host, parse_request("press", f"{seen} back"), table.now + 2))
    assert not isinstance(table.session.screen, ReviewPage)


def test_the_worker_reviews_beside_the_loop(new_table):
    """It reports its progress and then what it has found, always by inputs."""
    table = replayed(new_table, "27-expert")
    request = request_review(table)
    inputs: queue.Queue = queue.Queue()
    coach = ReviewWorker(inputs.put)
    coach.start_search(request)
    coach.stop_if_outdated(table.session)  # The page is open: go on.
    told = [inputs.get(timeout=TIMEOUT_SECONDS)]
    while "left to check" in told[-1].lines[0]:
        table.take_input(told[-1])
        told.append(inputs.get(timeout=TIMEOUT_SECONDS))
    assert len(told) > 3
    table.take_input(told[-1])
    assert isinstance(table.session.screen, PageScreen)
    assert table.session.screen.lines[1].startswith("Move ")
    assert re.search(r"That is (certain|likely, (1 move|\d+ moves) on)\.$", table.session.screen.lines[3])
    assert all(name in " ".join(table.session.screen.lines[4:]) for name in request.names)


def test_the_worker_stops_when_the_page_is_left(new_table):
    """What it has found by then isn't shown."""
    table = replayed(new_table, "27-expert")
    request = request_review(table)
    inputs: queue.Queue = queue.Queue()
    reached = []

    def put(event) -> None:
        inputs.put(event)
        if not reached:
            reached.append(event)
            coach.stop_if_outdated(table.session)

    coach = ReviewWorker(put)
    table.press("*")
    thread = coach.start_search(request)
    thread.join(timeout=TIMEOUT_SECONDS)
    assert not thread.is_alive()
    assert inputs.qsize() == 1


@pytest.mark.parametrize(
    "module", ["companion.commands.table_startup", "companion.table.loop", "companion.commands.check"]
)
def test_the_coach_is_not_imported_before_it_is_needed(module):
    """Start, memory and idling cost no more than without it."""
    program = f"import {module}, sys; print(*[name for name in sys.modules if 'coach' in name])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert set(done.stdout.split()) <= {"companion.table.search_workers"}
