"""The store: what is written can be read again, in order, and everything else stays as it was."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import get_args

import pytest

from companion.rounds.stored import LogEntry, LogKind, RoundHeader, StoredRound
from companion.store import database
from companion.store.errors import FolderInUseError, StoreError
from companion.store.read_only_store import ReadOnlyStore
from companion.store.round_text import record_text
from companion.store.store import Store
from companion.store.stored_entries import ENTRY_KINDS

HEADER = RoundHeader("27", (("variant", "basic"),), ("Ann", "Ben"))
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


class Clocks:
    """A wall clock that can be set, and monotonic seconds that only pass."""

    def __init__(self) -> None:
        self.wall = NOON
        self.seconds = 0.0
        self.boot = "first"

    def restart(self, wall: datetime) -> None:
        """Restart the box: monotonic time begins again, and the wall clock shows some time."""
        self.wall, self.seconds, self.boot = wall, 0.0, self.boot + "'"

    def pass_(self, **time: float) -> None:
        self.wall += timedelta(**time)
        self.seconds += timedelta(**time).total_seconds()


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


@pytest.fixture
def opened(tmp_path, clocks):
    """Opens the store of the test's folder, and closes the one before."""
    stores = []

    def open_(**more) -> Store:
        for each in stores:
            each.close()
        now = {"monotonic": lambda: clocks.seconds, "boot": clocks.boot}
        stores.append(Store(tmp_path / "data", lambda: clocks.wall, **now, **more))
        return stores[-1]

    yield open_
    for each in stores:
        each.close()


def write_begin(number: int, header: RoundHeader = HEADER) -> LogEntry:
    return LogEntry(number, "begin", header=header)


def write_event(number: int, seat: int, text: str) -> LogEntry:
    return LogEntry(number, "event", seat, text)


def write_result(number: int, text: str = "9 3 winners 1") -> LogEntry:
    return LogEntry(number, "result", text=text)


# -- rounds -------------------------------------------------------------------------------------------------------


def test_a_round_is_there_again_as_it_was_written(opened):
    """Header, deals and events of a round come back in their order, also after a restart."""
    header = RoundHeader(
        "coral-reef", (("form", "cards"),), ("Ann", "Ben"), 3, 2, (("Ann", 1),), (("deal", 1), ("deal", 2))
    )
    store = opened()
    store.write_entries([write_begin(1, header), LogEntry(1, "deal", 1, "2345A"), LogEntry(1, "deal", 2, "6789T")])
    store.write_entries([write_event(1, 1, "seed"), write_event(1, 2, "2:54")])
    kept = StoredRound(1, header, (("deal", 1, "2345A"), ("deal", 2, "6789T")), ((1, "seed"), (2, "2:54")))
    assert store.load_round() == store.load_round(1) == kept
    assert opened().load_history().unfinished_round == kept


def test_the_last_head_of_each_game_is_there_again(opened):
    """What each game was last played with comes back after a restart; dropped and imported rounds do not count."""
    store = opened()
    first = RoundHeader("27", (("variant", "basic"),), ("Ann", "Ben"))
    second = RoundHeader("27", (("variant", "expert"),), ("Ben", "Ann"), 3)
    coral = RoundHeader("coral-reef", (("form", "tiles"),), ("Ann", "Ben"), opened=(("deal", 2),))
    store.write_entries(
        [write_begin(1, first), write_event(1, 1, "1x1"), write_begin(2, coral), write_event(2, 1, "seed")]
    )
    store.write_entries([write_begin(3, second), write_event(3, 1, "1x1"), write_begin(4, first), LogEntry(4, "drop")])
    assert set(opened().load_history().recent_headers) == {second, coral}
    store = opened()
    assert set(store.load_history().unfinished_games) == {"27", "coral-reef"}
    store.write_entries([LogEntry(2, "result", text="1 0 winners 1", reason="Ann has none left"), LogEntry(3, "aside")])
    assert opened().load_history().unfinished_games == ("27",)


def test_there_is_nothing_in_a_new_store(opened):
    """A first evening has no rounds, no names, no standings, and counts from one."""
    history = opened().load_history()
    assert (history.next_round, history.player_names, history.last_games) == (1, (), ())
    assert (history.evening_rounds, history.recent_pads) == ((), ())
    assert opened().summaries() == opened().standings() == opened().players() == []
    assert history.unfinished_round is history.open_match_round is opened().load_round() is None


def test_all_entries_of_a_write_are_saved_or_none(opened):
    """A write that fails at its last entry leaves nothing of its first."""
    store = opened()
    store.write_entries([write_begin(1)])
    with pytest.raises(StoreError, match=r"^Not saved: "):
        store.write_entries([write_event(1, 1, "1x1"), write_begin(1)])
    assert store.load_round(1).events == ()
    store.write_entries([write_event(1, 1, "1x1")])
    assert store.load_round(1).events == ((1, "1x1"),)


def test_what_is_taken_back_no_longer_counts_but_is_not_deleted(opened, tmp_path):
    """A takeback removes the newest remaining event, then the one before, then the last deal."""
    store = opened()
    store.write_entries(
        [write_begin(1), LogEntry(1, "deal", 1, "2345A"), write_event(1, 1, "1x1"), write_event(1, 2, "9x1")]
    )
    store.write_entries([LogEntry(1, "back")])
    assert store.load_round(1).events == ((1, "1x1"),)
    store.write_entries([write_event(1, 2, "9x2"), LogEntry(1, "back"), LogEntry(1, "back")])
    assert store.load_round(1).events == ()
    store.write_entries([LogEntry(1, "back")])
    assert store.load_round(1).deals == ()
    rows = sqlite3.connect(tmp_path / "data" / "rounds.db").execute(
        "SELECT text FROM log_entries WHERE round = 1 AND kind IN ('deal', 'event') ORDER BY id"
    )
    assert [text for (text,) in rows] == ["2345A", "1x1", "9x1", "9x2"]


def test_taking_back_the_last_event_takes_the_result_back(opened):
    """A round whose end is taken back goes on, counts in no standings, and can end otherwise."""
    store = opened()
    store.write_entries([write_begin(1), write_event(1, 1, "1x1"), write_result(1)])
    assert store.load_history().unfinished_round is None
    assert len(store.load_history().evening_rounds) == 1
    store.write_entries([LogEntry(1, "back")])
    history = store.load_history()
    assert (history.unfinished_round.id, history.unfinished_round.result) == (1, "")
    assert (history.evening_rounds, store.standings()) == ((), [])
    store.write_entries([write_event(1, 1, "1x2"), write_result(1, "4 8 winners 2")])
    assert [each[:4] for each in store.standings()] == [("Ben", 1, 1, 0), ("Ann", 1, 0, 0)]


def test_a_round_put_aside_is_saved_and_not_offered_again(opened):
    """Of two unfinished rounds, the newest that was not set aside is offered."""
    store = opened()
    store.write_entries([write_begin(1), write_begin(2), LogEntry(2, "aside")])
    assert store.load_history().unfinished_round.id == 1
    store.write_entries([LogEntry(1, "aside")])
    assert store.load_history().unfinished_round is None
    assert [each.id for each in store.summaries()] == [1, 2]


def test_a_match_goes_on_until_somebody_has_won_it(opened):
    """After a finished round of a match that nobody has won, the next round is offered; else it is not."""
    store = opened()
    store.write_entries([write_begin(1, HEADER._replace(goal=2)), write_result(1)])
    assert store.load_history().open_match_round.id == 1
    store.write_entries([write_begin(2, HEADER._replace(goal=2, number=2, wins=(("Ann", 1),))), write_result(2)])
    assert store.load_history().open_match_round is None
    store.write_entries([write_begin(3, HEADER._replace(goal=2)), write_result(3), LogEntry(3, "aside")])
    assert store.load_history().open_match_round is None


# -- standings and evenings ---------------------------------------------------------------------------------------


def test_standings_count_wins_shared_wins_and_rounds(opened):
    """A shared win counts as drawn for all who share it; an unfinished round counts for nobody."""
    store = opened()
    for number, result in enumerate(["9 3 winners 1", "3 9 winners 2", "5 5 winners 1 2", "8 1 winners 1"], 1):
        store.write_entries([write_begin(number), write_result(number, result)])
    store.write_entries([write_begin(5)])
    assert [each[:4] for each in store.standings()] == [("Ann", 4, 2, 1), ("Ben", 4, 1, 1)]


def test_a_score_beyond_any_integer_is_saved(opened):
    """Prime Attactics multiplies: a score of hundreds of digits is read back completely."""
    store = opened()
    score = "7" * 900
    store.write_entries([write_begin(1), write_result(1, f"{score} 2 winners 1")])
    assert store.load_history().evening_rounds[0].scores == (int(score), 2)


def test_an_evening_ends_at_five_in_the_morning(opened, clocks):
    """Rounds of one evening are listed together; from five in the morning on it is another one."""
    store = opened()
    store.write_entries([write_begin(1), write_result(1)])
    clocks.pass_(hours=3)
    assert len(opened().load_history().evening_rounds) == 1
    clocks.pass_(hours=24)
    store = opened()
    assert store.load_history().evening_rounds == ()
    store.write_entries([write_begin(2), write_result(2)])
    assert len(store.load_history().evening_rounds) == 1
    assert store.standings()[0].played == 2


def test_a_box_that_is_never_switched_off_has_evenings_too(opened, clocks):
    """The next day is another evening in a store that stays open."""
    store = opened()
    store.write_entries([write_begin(1), write_result(1)])
    clocks.pass_(hours=24)
    store.write_entries([write_begin(2), write_result(2)])
    assert len(store.load_history().evening_rounds) == 1


@pytest.mark.parametrize("jump", [timedelta(days=-20000), timedelta(days=-1), timedelta(days=400)])
def test_order_does_not_depend_on_the_clock(opened, clocks, jump):
    """Whatever the wall clock does between entries, history, the unfinished round and events keep their order."""
    store = opened()
    store.write_entries([write_begin(1), write_result(1), write_begin(2), write_event(2, 1, "1x1")])
    clocks.wall += jump
    store.write_entries([write_event(2, 2, "9x1")])
    clocks.wall -= 2 * jump
    store.write_entries([write_event(2, 1, "1x2"), write_begin(3), write_result(3)])
    clocks.wall += jump
    store = opened()
    history = store.load_history()
    assert [each.id for each in store.summaries()] == [1, 2, 3]
    assert history.unfinished_round.events == ((1, "1x1"), (2, "9x1"), (1, "1x2"))
    assert history.next_round == 4


def test_a_clock_that_is_set_while_the_box_is_on_does_not_end_the_evening(opened, clocks):
    """The earlier rounds since the start of the box are dated by the clock that is right."""
    store = opened()
    store.write_entries([write_begin(1), write_result(1)])
    clocks.wall += timedelta(days=30)
    store.write_entries([write_begin(2), write_result(2)])
    assert len(store.load_history().evening_rounds) == 2


def test_a_clock_that_is_set_before_the_first_round_begins_an_evening(opened, clocks):
    """A box without a battery clock wakes in its last evening; the date from the network begins another."""
    store = opened()
    store.write_entries([write_begin(1), write_result(1)])
    clocks.restart(clocks.wall)
    store = opened()
    clocks.wall += timedelta(days=7)
    store.write_entries([write_begin(2), write_result(2)])
    assert [each.date[:10] for each in store.load_history().evening_rounds] == ["2026-11-28"]


# -- rounds from elsewhere ----------------------------------------------------------------------------------------


def test_an_imported_round_counts_and_is_never_offered(opened):
    """Imported rounds are in history and all-time standings with their date, and are never in the way."""
    store = opened()
    store.write_entries([write_begin(1), write_begin(2, HEADER._replace(goal=3)), write_result(2)])
    header = HEADER._replace(goal=3)
    date = "2020-02-02T20:00:00+01:00"
    number = store.import_round(
        StoredRound(0, header, (), ((1, "1x1"),), "9 3 winners 1"), date, [("note", "by the sea")]
    )
    unfinished = store.import_round(StoredRound(0, header), "2020-02-03T20:00:00+01:00")
    store = opened()
    history = store.load_history()
    assert (number, unfinished, history.next_round) == (3, 4, 5)
    assert (history.unfinished_round.id, history.open_match_round.id) == (1, 2)
    assert (store.round_start_time(3), store.header_lines_without_column(3)) == (date, [("note", "by the sea")])
    assert store.load_round(3) == StoredRound(3, header, (), ((1, "1x1"),), "9 3 winners 1")
    assert [each.id for each in store.summaries()] == [1, 2, 3, 4]
    assert store.standings()[0].played == 2
    assert [each.date[:4] for each in history.evening_rounds] == ["2026"]


def test_imported_rounds_share_an_evening_by_their_dates(opened, tmp_path):
    """Rounds of one date are of one evening; those without a date are of none."""
    store = opened()
    store.write_entries([write_begin(1), write_result(1)])
    for begun in ("2020-02-02T20:00:00", "2020-02-02T21:00:00", "2020-02-05T20:00:00", "", ""):
        store.import_round(StoredRound(0, HEADER, (), (), "9 3 winners 1"), begun)
    store.write_entries([write_begin(7), write_result(7)])
    rows = sqlite3.connect(tmp_path / "data" / "rounds.db").execute("SELECT evening FROM rounds ORDER BY id")
    here, old = date(2026, 11, 21).toordinal(), date(2020, 2, 2).toordinal()
    assert [evening for (evening,) in rows] == [here, old, old, old + 3, 0, 0, here]


@pytest.mark.parametrize(
    ("hour", "begun", "counts"),
    [
        (11, "2026-11-21", True),
        (11, "2026-11-21T10:30:00", True),
        (11, "2026-11-20T21:00:00", False),
        (1, "2026-11-20T21:00:00", True),
        (1, "2026-11-21T00:30:00", True),
        (11, "2025-11-21", False),
        (11, "", False),
    ],
)
def test_rounds_of_this_day_count_in_its_standings_when_they_are_imported(tmp_path, hour, begun, counts):
    """A record with this evening's date, which lasts until five in the morning, counts among its results."""
    store = Store(tmp_path, lambda: datetime(2026, 11, 21, hour).astimezone())
    store.import_round(StoredRound(0, HEADER, (), (), "7 2 winners 1"), begun)
    store.write_entries([write_begin(2), write_result(2)])
    store.close()
    store = Store(tmp_path, lambda: datetime(2026, 11, 21, hour).astimezone())
    assert [each.scores for each in store.load_history().evening_rounds] == ([(7, 2)] if counts else []) + [(9, 3)]
    store.close()


# -- opening ------------------------------------------------------------------------------------------------------


def test_one_table_for_each_folder(opened, tmp_path):
    """A second table on the folder is refused in a sentence until the first is closed; reading is not."""
    store = opened()
    store.write_entries([write_begin(1)])
    with pytest.raises(FolderInUseError, match="Another table is running on"):
        Store(tmp_path / "data")
    reader = ReadOnlyStore(tmp_path / "data")
    assert reader.load_round(1).header == HEADER
    reader.close()
    store.close()
    Store(tmp_path / "data").close()


def test_a_lock_dies_with_its_table(tmp_path):
    """A table that was killed leaves its lock file, but no lock."""
    script = (
        f"import os, pathlib, companion.store.store as c; s = c.Store(pathlib.Path({str(tmp_path)!r})); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", script], timeout=60, check=False).returncode == 9
    assert (tmp_path / "table.lock").exists()
    Store(tmp_path).close()


def test_a_reader_sees_what_is_saved_and_changes_nothing(opened, tmp_path):
    """Beside a running table a reader sees each committed entry. It has no method that writes."""
    store = opened()
    reader = ReadOnlyStore(tmp_path / "data")
    store.write_entries([write_begin(1), write_event(1, 1, "1x1")])
    assert reader.load_round().events == ((1, "1x1"),)
    assert not hasattr(reader, "write_entries")
    reader.close()


def test_a_reader_beside_a_table_reads_the_file_that_is_there(opened):
    """Until the table has rebuilt the other one."""
    store = opened()
    store.write_entries(
        [LogEntry(1, "begin", header=HEADER), LogEntry(1, "event", 1, "1x1"), LogEntry(1, "event", 2, "2x2")]
    )
    journal = store.folder / "rounds.journal"
    data = journal.read_bytes()
    for gone in (journal, store.folder / "rounds.db"):
        gone.unlink()
        for beside in (False, True):
            with closing(ReadOnlyStore(store.folder, is_beside_table=beside)) as reader:
                assert (reader.warning_text, reader.load_round(1)) == ("", store.load_round(1))
        journal.write_bytes(data)


def test_tables_of_another_version_are_made_anew_from_the_entries(tmp_path, monkeypatch):
    """They differ from those of this program, so they are not used as they are. Nothing is lost or reported."""

    def tables() -> tuple[int, bool]:
        with closing(sqlite3.connect(tmp_path / database.DATABASE_NAME)) as db:
            there = db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'of_another_version'").fetchone()[0]
            return db.execute("SELECT tables FROM store").fetchone()[0], bool(there)

    with monkeypatch.context() as patch:
        patch.setattr(database, "TABLES_VERSION", database.TABLES_VERSION + 1)
        patch.setattr(database, "SCHEMA", f"{database.SCHEMA} CREATE TABLE of_another_version (x);")
        store = Store(tmp_path)
        store.write_entries([write_begin(1), write_event(1, 1, "1x1")])
        store.tidy_up()
        store.close()
    assert tables() == (database.TABLES_VERSION + 1, True)
    with closing(ReadOnlyStore(tmp_path)) as store:
        assert (store.warning_text, store.load_round(1).events) == ("", ((1, "1x1"),))
    store = Store(tmp_path)
    assert (store.warning_text, store.load_round(1).events) == ("", ((1, "1x1"),))
    store.tidy_up()
    store.close()
    assert tables() == (database.TABLES_VERSION, False)


def test_there_must_be_something_to_read(tmp_path):
    """Reading a folder without rounds is refused, and creates none."""
    with pytest.raises(StoreError, match=r"^No rounds are saved in .*\.$"):
        ReadOnlyStore(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


def test_a_move_is_synced_in_the_journal_before_the_database_has_it(opened, monkeypatch):
    """One sync of the journal, then SQLite's own."""
    store = opened()
    store.write_entries([write_begin(1)])
    synced: list[str] = []
    real = os.fdatasync

    def sync(fd: int) -> None:
        real(fd)
        synced.append(os.path.basename(os.readlink(f"/proc/self/fd/{fd}")))
        assert store.database.in_transaction

    monkeypatch.setattr(os, "fdatasync", sync)
    store.write_entries([write_event(1, 1, "1x1"), write_event(1, 2, "9x1")])
    assert synced == ["rounds.journal"]
    assert not store.database.in_transaction
    assert [store.database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous", "journal_mode")] == [
        2,
        "wal",
    ]


def test_a_move_that_the_database_refuses_is_in_neither(opened, monkeypatch):
    """The journal is cut off again; the next move has the number of the refused one."""
    store = opened()
    store.write_entries([write_begin(1)])
    with monkeypatch.context() as patch:
        patch.setattr(database.DatabaseFile, "commit", lambda file: 1 / 0)
        with pytest.raises(StoreError):
            store.write_entries([write_event(1, 1, "1x1")])
    assert "1x1" not in (store.folder / "rounds.journal").read_text()
    store.write_entries([write_event(1, 1, "2x1")])
    store = opened()
    assert (store.warning_text, store.load_round(1).events) == ("", ((1, "2x1"),))


def test_a_table_whose_lock_was_deleted_lets_no_second_one_write(opened, tmp_path):
    """J5: after `rm table.lock` the running table takes the lock again, and reads what a second one has played."""
    store = opened()
    store.write_entries([write_begin(1), write_event(1, 1, "1x1")])
    for number, lives in ((2, False), (3, True)):
        (tmp_path / "data" / "table.lock").unlink()
        second = Store(tmp_path / "data")
        second.write_entries([write_begin(number), write_event(number, 1, "2x2")])
        if lives:
            with pytest.raises(FolderInUseError):
                store.write_entries([write_event(1, 2, "3x3")])
        second.close()
        store.write_entries([write_event(1, 2, f"{number}x1")])
        assert store.load_round(number).events == ((1, "2x2"),)
    (tmp_path / "data" / "table.lock").unlink()
    store.write_entries([write_event(1, 1, "4x1")])
    with pytest.raises(FolderInUseError):
        Store(tmp_path / "data")
    store = opened()
    assert (store.warning_text, [text for _, text in store.load_round(1).events]) == ("", ["1x1", "2x1", "3x1", "4x1"])


def test_a_journal_can_be_copied_and_is_the_whole_store(opened, tmp_path):
    """Alone in another folder it is a backup of everything, even if it was copied while the table ran."""
    store = opened()
    store.write_entries(
        [write_begin(1), write_event(1, 1, "1x1"), write_result(1), write_begin(2), write_event(2, 1, "2x1")]
    )
    (tmp_path / "copy").mkdir()
    shutil.copy(tmp_path / "data" / "rounds.journal", tmp_path / "copy" / "rounds.journal")
    copy = Store(tmp_path / "copy")
    assert [copy.load_round(number) for number in (1, 2)] == [store.load_round(number) for number in (1, 2)]
    assert (copy.identity, copy.standings()) == (store.identity, store.standings())
    copy.close()


@pytest.mark.parametrize(("folder", "file"), [(0o2770, 0o660), (0o755, 0o644), (0o700, 0o600)])
def test_files_are_shared_as_their_folder_is(tmp_path, folder, file):
    """Whoever may read and write the folder may read and write its files, whatever the umask."""
    where = tmp_path / "data"
    where.mkdir()
    where.chmod(folder)
    before = os.umask(0o077)
    try:
        store = Store(where)
        store.write_entries([write_begin(1)])
        for each in where.iterdir():
            assert each.stat().st_mode & 0o777 == file, each.name
    finally:
        os.umask(before)
        store.close()


@pytest.fixture
def everybodys():
    """A folder that every user can enter, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("running", [True, False])
def test_a_member_of_the_group_reads_what_another_user_saves(everybodys, running):
    """A user of the folder's group exports beside the running table and after it; the table can write afterwards."""
    where = everybodys / "data"
    where.mkdir()
    os.chown(where, 4001, 4000)
    where.chmod(0o2770)
    keep = (
        "import sys, pathlib; from companion.store.store import Store; from companion.rounds.stored import *; "
        f"s = Store(pathlib.Path({str(where)!r})); n = s.load_history().next_round; "
        f"s.write_entries([LogEntry(n, 'begin', header=RoundHeader('27', (('variant', 'basic'),), ('Ann', 'Ben')))]); "
        "print(n, flush=True); sys.stdin.read(); s.close()"
    )
    read = (
        "import pathlib; from companion.store.read_only_store import ReadOnlyStore; "
        f"s = ReadOnlyStore(pathlib.Path({str(where)!r})); print(s.load_round().id); s.close()"
    )

    def python(script: str, user: int, **more) -> subprocess.Popen:
        # Everything is loaded as root, since another user may not be allowed to read this checkout or its Python.
        become = (
            "import importlib, json, os, pathlib, pkgutil, sys\n"
            "import companion.games, companion.store\n"
            "for each in pkgutil.walk_packages(companion.store.__path__, 'companion.store.'):\n"
            "    importlib.import_module(each.name)\n"
            "companion.games.load_rules('27'), companion.games.load_move_input('27')\n"
            f"os.setgroups([]); os.setgid(4000); os.setuid({user}); exec({script!r})"
        )
        return subprocess.Popen([sys.executable, "-c", become], stdout=subprocess.PIPE, text=True, **more)

    for number in (1, 2):
        table = python(keep, 4001, stdin=subprocess.PIPE)
        assert table.stdout.readline() == f"{number}\n"
        if not running:
            table.communicate(timeout=60)
        assert python(read, 4002).communicate(timeout=60)[0] == f"{number}\n"
        table.communicate(timeout=60)
        assert table.returncode == 0


@pytest.mark.parametrize("what", ["hints", "dealer"])
def test_what_was_switched_is_as_it_was_left(opened, what):
    """A switch of the hints or of the dealer's mark belongs to no round, and is as before after a restart."""
    store = opened()
    assert not getattr(store.load_history(), what)
    store.write_entries([LogEntry(0, what, text="on")])
    assert getattr(opened().load_history(), what)
    opened().write_entries([LogEntry(0, what, text="off")])
    assert not getattr(opened().load_history(), what)
    assert opened().round_numbers() == []


def test_every_line_that_is_written_can_be_rescued():
    """A rescue reads only entries of known kinds. Each kind that a session can write is one of them."""

    def kinds(of: object) -> set[object]:
        return set().union(*(kinds(each) for each in get_args(of))) if get_args(of) else {of}

    assert {"event", "favour", "unfavour", "dealer", "pause"} <= kinds(LogKind) <= ENTRY_KINDS


def test_a_round_knows_the_pairing_that_it_was_played_for_and_so_does_its_record(opened):
    """After a restart, with a database rebuilt from the entries, and in the record's header."""
    store = opened()
    header = RoundHeader("27", (("variant", "basic"),), ("Ann", "Ben"))
    store.write_entries(
        [
            write_begin(1, header._replace(pairing="k7n1")),
            write_event(1, 1, "1x1"),
            write_begin(2, header),
            write_event(2, 1, "1x1"),
        ]
    )
    store = opened()
    assert [store.load_round(number).header.pairing for number in (1, 2)] == ["k7n1", ""]
    assert "\npairing: k7n1\n" in record_text(store, store.load_round(1))
    assert "pairing" not in record_text(store, store.load_round(2))
    assert [each.pairing for each in store.load_history().recent_headers] == [""]


def test_reading_in_the_same_process_leaves_the_locks(tmp_path):
    """Closing any descriptor of a file drops the process's locks; the next reader would then cut the log's index short.

    The doctor at the box and the host's pages read beside the table in its own process.
    """

    def locks() -> list[str]:
        inodes = {str(file.stat().st_ino) for file in tmp_path.glob("rounds.db*")}
        lines = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
        return sorted(" ".join(line[1:]) for line in lines if line[5].rpartition(":")[2] in inodes)

    with closing(Store(tmp_path)):
        before = locks()
        assert before
        for beside in (False, True):
            ReadOnlyStore(tmp_path, is_beside_table=beside).close()
        assert locks() == before
