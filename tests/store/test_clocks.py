"""When a round was played and how long it took, whatever the clock does: a Pi has no battery for its clock.

Each test plays rounds with a wall clock that is set, jumps or starts anew, and with monotonic time that only passes.
"""

import json
import queue
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from companion.commands.history import round_minutes
from companion.evening import state_machine
from companion.report.gather import gather_evening
from companion.rounds import standings
from companion.rounds.stored import LogEntry, RoundHeader, SessionSettings
from companion.store import dates
from companion.store.round_text import record_text
from companion.store.store import Store
from companion.table.loop import TableLoop

HEADER = RoundHeader("27", (("variant", "expert"),), ("Ann", "Ben"))
EVENTS = ["1x10", "8x2", "1x3", "7x3", "2x4", "4x4", "3x3", "2x3"]
TONIGHT = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
SHUTDOWN = datetime(2026, 11, 14, 22, 10, tzinfo=UTC)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Box:
    """A box with a folder of rounds. Its clock can be set, its program and the box itself can be restarted."""

    def __init__(self, folder, wall: datetime) -> None:
        self.folder, self.wall, self.seconds, self.boot = folder, wall, 7.0, 1
        self.store = self.open()

    def open(self) -> Store:
        self.store = Store(self.folder, lambda: self.wall, monotonic=lambda: self.seconds, boot=f"boot-{self.boot}")
        return self.store

    def wait(self, minutes: float) -> None:
        self.wall += timedelta(minutes=minutes)
        self.seconds += 60 * minutes

    def start_program(self) -> None:
        self.store.close()
        self.open()

    def start_box(self, wall: datetime) -> None:
        self.wall, self.seconds, self.boot = wall, 7.0, self.boot + 1
        self.start_program()

    def play(self, number: int, then=lambda: None, *, over: bool = True) -> None:
        """Play a round of 18 minutes; `then` happens in the middle of it."""
        self.store.write_entries([LogEntry(number, "begin", header=HEADER)])
        for place, event in enumerate(EVENTS):
            self.wait(2)
            self.store.write_entries([LogEntry(number, "event", place % 2 + 1, event)])
            if place == 3:
                then()
        self.wait(2)
        if over:
            self.store.write_entries([LogEntry(number, "result", text="11 11 winners 1 2")])

    def set_clock(self, wall: datetime):
        """Set the clock to this time."""
        return lambda: setattr(self, "wall", wall)

    def check_dates(self) -> list[tuple[str, int | None]]:
        """Return the start and the minutes of each round, and check that everybody has the same evenings."""
        rounds = self.store.summaries()
        for each in rounds:
            assert each.evening == dates.evening_number(each.begun)
            dated = f"date: {each.begun}\n" if each.begun else "players: Ann, Ben\n"
            assert dated in record_text(self.store, self.store.load_round(each.id))
            assert ("date:" in record_text(self.store, self.store.load_round(each.id))) == bool(each.begun)
        if (found := gather_evening(self.store)) is not None:
            numbers = [each.summary.id for each in found.rounds]
            assert numbers == [each.id for each in rounds if dates.evening_date(each.begun) == found.day]
        return [(each.begun[:16], round_minutes(each)) for each in rounds]


@pytest.fixture
def box(tmp_path):
    """`box(wall)`: a box that is switched on with its clock at `wall`. Its database is compared with one built anew."""
    made = []

    def on(wall: datetime) -> Box:
        made.append(Box(tmp_path / f"box-{len(made)}", wall))
        return made[-1]

    yield on
    for each in made:
        before = each.store.summaries()
        each.store.close()
        for file in each.folder.glob("rounds.db*"):
            file.unlink()
        assert each.open().summaries() == before
        each.store.close()


@pytest.mark.parametrize("boot", [SHUTDOWN, EPOCH, TONIGHT + timedelta(days=400), TONIGHT + timedelta(hours=3)])
def test_a_clock_that_is_set_in_the_middle_of_a_round(box, boot):
    """From the last shutdown's time, from 1970, forwards and back: every round since the start of the box is
    tonight's.
    """
    here = box(boot)
    here.play(1)
    here.wait(2)
    here.play(2, here.set_clock(TONIGHT))
    here.play(3)
    assert here.check_dates() == [("2026-11-21T19:32", 18), ("2026-11-21T19:52", 18), ("2026-11-21T20:10", 18)]
    here.start_program()
    assert len(here.store.load_history().evening_rounds) == len(gather_evening(here.store).rounds) == 3
    assert gather_evening(here.store).day == date(2026, 11, 21)


@pytest.mark.parametrize("boot", [SHUTDOWN, EPOCH])
def test_a_clock_that_is_set_between_two_rounds(box, boot):
    """The next result shows it; a round that was set aside before is dated too."""
    here = box(boot)
    here.play(1)
    here.play(2, over=False)
    here.set_clock(TONIGHT)()
    here.play(3)
    assert here.check_dates() == [("2026-11-21T19:24", 18), ("2026-11-21T19:42", None), ("2026-11-21T20:00", 18)]


def test_a_box_without_a_network_gives_no_date(box):
    """A clock in 1970 has not been set. Its rounds have no date, but a duration, and count as tonight's."""
    here = box(EPOCH)
    here.play(1)
    here.start_program()
    here.play(2, here.start_program)
    assert here.check_dates() == [("", 18), ("", 18)]
    assert len(here.store.load_history().evening_rounds) == 2
    assert gather_evening(here.store) is None
    here.start_box(TONIGHT)
    assert here.store.load_history().evening_rounds == ()


def test_a_box_that_wakes_before_its_newest_round_goes_on_with_that_evening(box):
    """After a restart without a network the clock shows 1970, or an hour ago."""
    here = box(TONIGHT)
    here.play(1)
    for wall in (EPOCH, TONIGHT - timedelta(days=1)):
        here.start_box(wall)
        assert len(here.store.load_history().evening_rounds) == 1


def test_the_program_starts_anew_in_the_middle_of_a_round(box):
    """Monotonic time goes on, so the round's duration is known even if the clock jumps meanwhile."""
    here = box(SHUTDOWN)
    here.play(1, lambda: (here.start_program(), here.set_clock(TONIGHT)()))
    assert here.check_dates() == [("2026-11-21T19:52", 18)]


@pytest.mark.parametrize(
    ("first", "second", "begun"),
    [
        (TONIGHT, TONIGHT + timedelta(minutes=9), "2026-11-21T20:00"),
        (SHUTDOWN, TONIGHT, "2026-11-21T20:10"),
        (EPOCH, TONIGHT, "2026-11-21T20:10"),
        (TONIGHT, EPOCH, "2026-11-21T20:00"),
        (TONIGHT, SHUTDOWN, "2026-11-21T20:00"),
        (EPOCH, EPOCH, ""),
    ],
)
def test_the_box_starts_anew_in_the_middle_of_a_round(box, first, second, begun):
    """The round's duration is unknown. Its date is that of its result, if the clock was set by then."""
    here = box(first)
    here.play(1, lambda: here.start_box(second))
    assert here.check_dates() == [(begun, None)]
    (kept,) = here.store.summaries()
    assert (kept.ended != "") == (second == TONIGHT or second > first)


def test_the_hour_of_summer_time(box):
    """A round across the change of the hour has its true duration and its evening."""
    berlin = ZoneInfo("Europe/Berlin")
    here = box(datetime(2026, 10, 24, 23, 55, tzinfo=UTC))
    here.store._now = lambda: Local(here.wall.astimezone(berlin))
    here.play(1, lambda: here.wait(60))
    here.play(2)
    assert here.check_dates() == [("2026-10-25T01:55", 78), ("2026-10-25T02:13", 18)]
    assert {each.evening for each in here.store.summaries()} == {date(2026, 10, 24).toordinal()}


class Local:
    """A time with its own zone, which it keeps when it is converted to the machine's."""

    def __init__(self, time: datetime) -> None:
        self._time = time

    def astimezone(self) -> datetime:
        return self._time


def test_a_result_that_is_taken_back_dates_the_round_again(box):
    """Only the last result counts."""
    here = box(SHUTDOWN)
    here.play(1)
    here.store.write_entries([LogEntry(1, "back")])
    here.set_clock(TONIGHT)()
    here.store.write_entries([LogEntry(1, "event", 2, EVENTS[-1]), LogEntry(1, "result", text="11 11 winners 1 2")])
    assert here.check_dates() == [("2026-11-21T19:42", 18)]


def round_times(box: Box) -> list[tuple[object, ...]]:
    """When each round began and ended, on which evening, and how long it took, in the order of the rounds."""
    return [(each.id, each.begun, each.ended, each.evening, each.seconds) for each in box.store.summaries()]


def void_and_restore(box: Box, number: int) -> None:
    """Void a round, and let it count again."""
    assert box.store.change_round(number, "void") == box.store.change_round(number, "restore") == ""


def correct(box: Box, number: int) -> None:
    """Correct a round: another last move, and another result."""
    saved = box.store.load_round(number)
    last = "3x9" if saved.events[-1][1] != "3x9" else EVENTS[-1]
    events = (*saved.events[:-1], (2, last))
    result = "11 11 winners 1" if saved.result != "11 11 winners 1" else "11 11 winners 2"
    assert box.store.change_round(number, saved._replace(events=events, result=result, event_seconds=())) == ""
    assert (box.store.load_round(number).events, box.store.load_round(number).result) == (events, result)


@pytest.mark.parametrize(
    ("change", "boot"),
    [
        (correct, SHUTDOWN),
        *(pytest.param(correct, each, marks=pytest.mark.drill) for each in (EPOCH, TONIGHT + timedelta(days=400))),
        *(pytest.param(void_and_restore, each, marks=pytest.mark.drill) for each in (EPOCH, SHUTDOWN)),
    ],
)
def test_a_corrected_round_keeps_its_date_whenever_the_clock_was_set(box, change, boot):
    """Corrected before the clock is set, after it, after it has dated the round, and days later: the date is the
    same.
    """
    changed, left = box(boot), box(boot)
    for here in (changed, left):
        here.play(1)
        here.play(2, here.start_program)
    steps = [lambda here: None, lambda here: here.set_clock(TONIGHT)(), lambda here: here.play(3),
             lambda here: here.start_box(EPOCH), lambda here: here.play(4),
             lambda here: here.set_clock(TONIGHT + timedelta(days=2))(), lambda here: here.play(5)]  # fmt: skip
    for step in steps:
        step(changed)
        step(left)
        assert round_times(changed) == round_times(left)
        for number in {1, changed.store.round_numbers()[-1]}:
            change(changed, number)
        assert round_times(changed) == round_times(left)
        assert len(changed.store.load_history().evening_rounds) == len(left.store.load_history().evening_rounds)


@pytest.mark.parametrize("ends", [EPOCH, TONIGHT])
@pytest.mark.parametrize("change", [correct, void_and_restore])
def test_a_corrected_round_keeps_its_date_where_the_box_started_anew(box, ends, change):
    """Its duration is unknown, and stays so."""
    here = box(SHUTDOWN)
    here.play(1, lambda: here.start_box(ends))
    before = round_times(here)
    here.start_box(TONIGHT + timedelta(days=1))
    change(here, 1)
    assert round_times(here) == before


@pytest.mark.parametrize(
    ("first", "begun", "long"),
    [
        (TONIGHT - timedelta(minutes=30), "2026-11-21T19:30", 30),
        (TONIGHT - timedelta(minutes=9944), "2026-11-21T20:00", None),
        (EPOCH, "2026-11-21T20:00", None),
        (TONIGHT + timedelta(hours=2), "2026-11-21T22:00", None),
    ],
)
def test_rounds_of_older_versions(box, first, begun, long):
    """They have only dates. An impossible duration is unknown, and the result's date counts."""
    here = box(TONIGHT)
    head = json.dumps({"game": "27", "options": [["variant", "expert"]], "names": ["Ann", "Ben"], "evening": 1})
    events = [("event", place % 2 + 1, event, first.isoformat(), 0.0, "") for place, event in enumerate(EVENTS)]
    with here.store._transaction("Not saved") as new:
        new.append_entries(1, [("begin", 0, head, first.isoformat(), 0.0, ""), *events,
                       ("result", 0, "11 11 winners 1 2", TONIGHT.isoformat(), 0.0, "")])  # fmt: skip
    assert here.check_dates() == [(begun, long)]


@pytest.mark.parametrize("jump", [timedelta(minutes=5), -timedelta(minutes=5), timedelta(days=7)])
def test_a_jump_is_nobodys_think(box, jump):
    """If the clock was set during a round, the times between its moves are unknown."""
    here = box(TONIGHT)
    here.play(1)
    here.play(2, lambda: setattr(here, "wall", here.wall + jump))
    quiet, jumped = (each.facts.longest_think for each in gather_evening(here.store).rounds[-2:])
    assert quiet.seconds == 120
    assert jumped is None


def test_a_box_that_stays_on_shows_the_evening_that_it_is(box):
    """The panel has the same evening as the commands: the next one begins with its first move."""
    here = box(TONIGHT)
    here.play(1)
    result = here.store.evening_rounds()
    for later, shown in ((60, result), (24 * 60, ())):
        history = here.store.load_history()._replace(evening_rounds=(), new_rounds=result, unfinished_round=None)
        table = TableLoop(state_machine.start_session(SessionSettings(), history), here.store, [], queue.Queue())
        here.wait(later)
        begins = LogEntry(len(here.store.round_numbers()) + 1, "begin", header=HEADER)
        table._save(table.session._replace(outbox=table.session.outbox._replace(unsaved_entries=(begins,))))
        assert standings.day_rounds(table.session.history) == shown


def test_older_versions_read_the_head_of_a_round_without_a_date(box):
    """They need the number of its evening, and ignore the rest."""
    here = box(EPOCH)
    here.play(1)
    (head,) = here.store.database.execute("SELECT text FROM log_entries WHERE kind = 'begin'").fetchone()
    assert {"game", "names", "evening"} <= json.loads(head).keys()
