"""The database: deleted, rebuilt beside the table from a long journal, and with entries of a newer program."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from long_journals import write_journal

from companion.evening.screens import history
from companion.rounds import replaying
from companion.rounds.stored import LogEntry, RoundHeader
from companion.store import journal_lines, open_store, stored_entries
from companion.store.errors import StoreError
from companion.store.journal import RECENT_BYTES
from companion.store.journal_lines import format_entries, seal_line
from companion.store.open_store import NOT_LISTED_YET
from companion.store.read_only_store import ReadOnlyStore
from companion.store.round_text import record_text
from companion.store.store import Store
from companion.store.stored_entries import StoredEntry

if TYPE_CHECKING:
    from collections.abc import Iterator

HEADER = RoundHeader("27", (("variant", "advanced"),), ("Ann", "Ben"))
ROUNDS = 900
PATIENCE = 60
HELD = ("sh", "-c", 'kill -STOP $$; exec "$@"', "sh")
"""Stops a command before it begins; a busy machine might otherwise run it to its end first."""


@pytest.fixture(scope="module")
def long(tmp_path_factory) -> Path:
    """A folder with more rounds than are read at once, without a database."""
    folder = write_journal(tmp_path_factory.mktemp("long") / "data", ROUNDS, results=True)
    assert (folder / "rounds.journal").stat().st_size > RECENT_BYTES
    return folder


@pytest.fixture
def folder(long, tmp_path) -> Path:
    return Path(shutil.copytree(long, tmp_path / "data"))


@pytest.fixture
def beside(folder, monkeypatch) -> Iterator[Store]:
    """A table's store whose database is being built; the process that builds it waits until it is let go."""
    begin = subprocess.Popen
    monkeypatch.setattr(open_store.subprocess, "Popen", lambda command, **more: begin([*HELD, *command], **more))
    store = Store(folder, in_background=True)
    store.stop_waiting_for_locks()
    yield store
    store.close()


def let_go(store: Store) -> None:
    pid = store.files.maker_process.pid
    until = time.monotonic() + PATIENCE
    while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "T":
        assert time.monotonic() < until
        time.sleep(0.02)
    os.kill(pid, signal.SIGCONT)
    until = time.monotonic() + PATIENCE
    while not store.needs_tidying:
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.drill
def test_the_table_plays_while_its_index_is_made(beside, folder):
    """It begins at the right number, offers the last names, and says that lists are not ready; then it has
    everything.
    """
    past = beside.load_history()
    assert (past.next_round, past.player_names) == (ROUNDS + 1, ("Ann", "Ben"))
    for ask in (beside.standings, beside.summaries, beside.players, lambda: beside.rename_player("Ann", "Anna")):
        with pytest.raises(StoreError, match=NOT_LISTED_YET):
            ask()
    with pytest.raises(StoreError, match=NOT_LISTED_YET):  # J8: it costs a reader nothing meanwhile.
        ReadOnlyStore(folder)
    beside.write_entries([LogEntry(ROUNDS + 1, "begin", header=HEADER), LogEntry(ROUNDS + 1, "event", 1, "1x1")])
    assert not beside.needs_tidying
    let_go(beside)
    beside.write_entries([LogEntry(ROUNDS + 1, "result", text="9 3 winners 1")])
    beside.tidy_up()
    assert len(beside.round_numbers()) == ROUNDS + 1
    assert beside.standings()[0].played == ROUNDS + 1
    assert beside.load_round(ROUNDS + 1).result
    assert beside.database.execute("PRAGMA busy_timeout").fetchone() == (0,)
    with closing(ReadOnlyStore(folder)) as reader:
        assert len(reader.round_numbers()) == ROUNDS + 1


@pytest.mark.drill
def test_the_lists_are_there_without_a_round_being_finished(beside):
    """Lists work as soon as the process has ended, without waiting for the end of a round."""
    let_go(beside)
    assert len(beside.summaries()) == ROUNDS


@pytest.mark.drill
def test_a_process_that_was_killed_is_started_again(beside):
    """At the next pause. What it has left is not taken for a database."""
    first = beside.files.maker_process
    first.kill()
    first.wait(PATIENCE)
    beside.tidy_up()
    with pytest.raises(StoreError, match=NOT_LISTED_YET):
        beside.standings()
    beside.tidy_up()
    assert beside.files.maker_process not in (None, first)
    let_go(beside)
    assert beside.standings()[0].played == ROUNDS


@pytest.mark.drill
@pytest.mark.parametrize("when", ["being made", "made, not taken on"])
def test_a_plug_pulled_while_the_index_is_made_costs_nothing(beside, folder, tmp_path, when):
    """The next start has all rounds, whatever is left of a database."""
    beside.write_entries([LogEntry(ROUNDS + 1, "begin", header=HEADER)])
    if when != "being made":
        let_go(beside)
    shutil.copytree(folder, tmp_path / "after")
    with closing(Store(tmp_path / "after")) as store:
        assert (store.warning_text, len(store.round_numbers())) == ("", ROUNDS + 1)


@pytest.mark.drill
def test_an_index_that_lags_far_behind_is_made_beside(folder):
    """As on an older copy of the card. A database that lacks little is completed before the table is up."""
    with closing(Store(folder)):
        pass
    index = {part.name: part.read_bytes() for part in folder.glob("rounds.[ds]*")}
    with closing(Store(folder)) as store:
        number = ROUNDS + 1
        store.write_entries([LogEntry(number, "begin", header=HEADER)])
        store.write_entries([LogEntry(number, "event", at % 2 + 1, "1x1") for at in range(100)])
    for expected in (True, False):
        for name, data in index.items():
            (folder / name).write_bytes(data)
        with closing(Store(folder, in_background=True)) as store:
            assert store.files.is_complete == expected
            assert store.load_history().next_round == ROUNDS + 2
        if expected:
            with closing(Store(folder)) as store:
                store.write_entries([LogEntry(number, "event", at % 2 + 1, "1x1") for at in range(20_000)])


def test_a_lost_rename_is_of_no_neighbouring_round(tmp_path):
    """J9: its round is unknown, so none is named."""
    with closing(Store(tmp_path)) as store:
        for number in range(1, 4):
            store.write_entries(
                [LogEntry(number, "begin", header=HEADER), LogEntry(number, "result", text="9 3 winners 1")]
            )
        store.rename_player("Ann", "Anna")
    lines = (tmp_path / "rounds.journal").read_bytes().splitlines(keepends=True)
    (tmp_path / "rounds.journal").write_bytes(b"".join([*lines[:9], b"x" + lines[9][1:], *lines[10:]]))
    (tmp_path / "rounds.db").unlink()
    with closing(Store(tmp_path)) as store:
        assert "line 9 is lost" in store.warning_text


# -- versions 0.6 and 0.7 ------------------------------------------------------------------------------------------


def test_a_folder_goes_back_and_forth_between_versions(tmp_path):
    """J7: two journals and an index become journal and database; an older version goes on, and no round appears
    twice.
    """
    with closing(Store(tmp_path)) as store:
        store.write_entries([LogEntry(1, "begin", header=HEADER), LogEntry(1, "event", 1, "1x1")])
    journal, moves = tmp_path / "rounds.journal", ["1x1"]
    for number in range(3):
        if number == 0:  # As only an older version has ever used it.
            (tmp_path / "rounds.sums").unlink()
            (tmp_path / "rounds.db").unlink()
            with closing(sqlite3.connect(tmp_path / "rounds.db")) as db:  # Of one before 0.6.
                db.executescript("PRAGMA user_version = 5; CREATE TABLE entries (id INTEGER PRIMARY KEY);")
        last = [*journal_lines.parse_entries(map(journal_lines.parse_journal_line, journal.read_bytes().splitlines()))][
            -1
        ]
        for _ in range(3):
            fields = (last.id + 1, 1, "event", 2, f"{last.id}x2", last.date, 0.0, "")
            last = stored_entries.make_entry(fields, last.checksum)
            append_newer_lines(tmp_path, format_entries([last])[:-1])
            moves.append(last.text)
        shutil.copy(journal, tmp_path / "rounds.journal-2")
        (tmp_path / "rounds.index").write_bytes(b"of an older version")
        with closing(ReadOnlyStore(tmp_path)) as store:
            assert (store.warning_text, [text for _, text in store.load_round(1).events]) == ("", moves)
        with closing(Store(tmp_path)) as store:
            assert (store.warning_text, store.round_numbers()) == ("", [1])
            assert [text for _, text in store.load_round(1).events] == moves
        names = {"rounds.journal", "rounds.db", "rounds.sums", "table.lock", "rounds.db.damaged-1"}
        assert {file.name for file in tmp_path.iterdir()} == names


# -- lines of a newer program -------------------------------------------------------------------------------------


def append_newer_lines(folder: Path, *more: bytes) -> bytes:
    """Append lines to the journal of a closed store, as a newer program might. Returns what the journal then has."""
    path = folder / "rounds.journal"
    path.write_bytes(path.read_bytes().rstrip(b"\n") + b"\n" + b"".join(line + b"\n" for line in more))
    return path.read_bytes()


def test_lines_of_a_newer_program_are_skipped_and_stay(tmp_path):
    """Unknown kinds, and lines of another form. Rounds are shown as far as they are understood."""
    with closing(Store(tmp_path)) as store:
        store.write_entries([LogEntry(1, "begin", header=HEADER), LogEntry(1, "event", 1, "1x1")])
        last = StoredEntry(*store.database.execute("SELECT * FROM log_entries ORDER BY id DESC LIMIT 1").fetchone())
    cheer = stored_entries.make_entry((last.id + 1, 1, "cheer", 2, "well played", last.date, 0.0, ""), last.checksum)
    other = seal_line(f"{last.id + 2} a form that nobody knows")
    move = stored_entries.make_entry((last.id + 3, 1, "event", 2, "9x2", last.date, 0.0, ""), cheer.checksum)
    head = stored_entries.StoredHeader(HEADER, 1).to_text().replace("{", '{"weather":"rain",', 1)
    begun = stored_entries.make_entry((last.id + 4, 2, "begin", 0, head, last.date, 0.0, ""), 0)
    before = append_newer_lines(
        tmp_path, format_entries([cheer])[:-1], other, format_entries([move])[:-1], format_entries([begun])[:-1]
    )
    for opens in (ReadOnlyStore, Store, Store):
        with closing(opens(tmp_path)) as store:
            assert store.load_round(1).events == ((1, "1x1"), (2, "9x2"))
            assert store.load_round(2).header == HEADER
    with closing(Store(tmp_path)) as store:
        store.write_entries([LogEntry(1, "event", 1, "3x3")])
    assert (tmp_path / "rounds.journal").read_bytes().startswith(before)
    damaged = bytearray((tmp_path / "rounds.journal").read_bytes())
    damaged[len(before) // 2] ^= 1
    (tmp_path / "rounds.journal").write_bytes(damaged)
    with closing(Store(tmp_path)) as store:
        assert "nothing is lost" in store.warning_text
    assert (tmp_path / "rounds.journal").read_bytes().startswith(before)


@pytest.mark.parametrize("kind", ["begin", "back", "mend", "result", "rename", "drop", "match", "aside"])
def test_a_line_that_cannot_follow_the_one_before_it_stops_nothing(tmp_path, kind):
    """The entry before may be lost: a second beginning, a takeback of nothing, a text without meaning."""
    for text in ("", "1 1x1", stored_entries.StoredHeader(HEADER._replace(names=("Cleo", "Dan")), 1).to_text()):
        folder = tmp_path / str(len(text))
        with closing(Store(folder)) as store:
            store.write_entries([LogEntry(1, "begin", header=HEADER), LogEntry(2, "begin", header=HEADER)])
            last = StoredEntry(*store.database.execute("SELECT * FROM log_entries ORDER BY id DESC LIMIT 1").fetchone())
            before = store.database.execute("SELECT sum FROM log_entries WHERE round = 1").fetchone()[0]
        line = stored_entries.make_entry((last.id + 1, 1, kind, 0, text, last.date, 0.0, ""), before)
        append_newer_lines(folder, format_entries([line])[:-1])
        with closing(Store(folder)) as store:
            assert store.load_history().next_round == 3
            found = store.load_round(2)
            assert found.header.names == ("Ann", "Ben")
            if kind == "begin" and "Cleo" in text:  # Not the events of the one under the names of the other.
                assert store.load_round(1).header.names == ("Cleo", "Dan")


def test_any_line_of_any_kind_stops_nothing(tmp_path):
    """Random lines with right checks, as no program writes them: the table starts and can be played on."""
    chance = random.Random(5)
    kinds = sorted(stored_entries.ENTRY_KINDS)
    for number in range(40):
        folder = tmp_path / str(number)
        with closing(Store(folder)) as store:
            store.write_entries([LogEntry(1, "begin", header=HEADER), LogEntry(1, "event", 1, "1x1")])
        more, sums = [], {}
        texts = (
            "",
            "x",
            "[]",
            '["Ann", "Ben"]',
            "9 3 winners 1",
            "9 winners 7",
            stored_entries.StoredHeader(HEADER, 1).to_text(),
            "on",
        )
        for place in range(12):
            round_ = chance.randint(0, 3)
            fields = (4 + place, round_, chance.choice(kinds), chance.randint(0, 5), chance.choice(texts), "", 0.0, "")
            line = stored_entries.make_entry(fields, sums.get(round_, chance.randint(0, 1)))
            sums[round_] = line.checksum
            more.append(format_entries([line])[:-1])
        append_newer_lines(folder, *more)
        with closing(Store(folder)) as store:
            beginning = store.load_history().next_round
            store.write_entries([LogEntry(beginning, "begin", header=HEADER), LogEntry(beginning, "event", 1, "2x2")])
            assert store.load_round(beginning).events == ((1, "2x2"),)


@pytest.mark.parametrize(("gone", "left"), [("9x9", ["1x1", "3x3"]), ("2x2", ["1x1"]), ("1x1", ["3x3"])])
def test_what_follows_a_lost_line_meets_no_other(tmp_path, gone, left):
    """A takeback or a correction of a lost move changes no other move."""
    with closing(Store(tmp_path)) as store:
        store.write_entries(
            [LogEntry(1, "begin", header=HEADER), LogEntry(1, "event", 1, "1x1"), LogEntry(1, "event", 2, "9x9")]
        )
        store.write_entries([LogEntry(1, "back"), LogEntry(1, "event", 2, "2x2")])
        store.write_entries([LogEntry(1, "mend", 2, "2 3x3"), LogEntry(2, "begin", header=HEADER)])
        assert [text for _, text in store.load_round(1).events] == ["1x1", "3x3"]
    data = bytearray((tmp_path / "rounds.journal").read_bytes())
    data[data.index(f" {gone}\n".encode()) + 1] ^= 1
    (tmp_path / "rounds.journal").write_bytes(data)
    (tmp_path / "rounds.db").unlink()
    with closing(Store(tmp_path)) as store:
        assert "(round 1) is lost" in store.warning_text
        assert [text for _, text in store.load_round(1).events] == left
        assert store.load_history().next_round == 3


def test_a_finished_round_that_has_lost_a_move_carries_a_mark(tmp_path):
    """J4: if both files have lost a move, every page and command that shows the round says so, until it is void."""
    with closing(Store(tmp_path)) as store:
        moves = [LogEntry(1, "event", at % 2 + 1, f"{at}x{at}") for at in range(1, 5)]
        store.write_entries([LogEntry(1, "begin", header=HEADER), *moves, LogEntry(1, "result", text="9 3 winners 1")])
        store.write_entries([LogEntry(2, "begin", header=HEADER), LogEntry(2, "result", text="9 3 winners 1")])
    data = (tmp_path / "rounds.journal").read_bytes()
    (tmp_path / "rounds.journal").write_bytes(data.replace(b" 2x2\n", b" 2x3\n"))
    (tmp_path / "rounds.db").unlink()
    with closing(Store(tmp_path)) as store:
        assert "line 4 (round 1) is lost" in store.warning_text
        saved = store.load_round(1)
        assert (saved.lost_entries, store.load_round(2).lost_entries) == ("line 4 is lost", "")
        assert replaying.find_problem(saved).reason == "line 4 is lost"
        assert "It no longer gives the same result: line 4 is lost." in history.round_lines(store.summaries()[0], saved)
        assert "\n# line 4 is lost\nresult: " in record_text(store, saved)
        assert store.change_round(1, "void") == ""
        assert "lost" not in str(replaying.find_problem(store.load_round(1)))
