"""A club server whose disk is full waits, says so, can be stopped, and takes everything once there is room."""

from __future__ import annotations

import signal
import subprocess
import sys
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest
from club_night import (
    PATIENCE_SECONDS,
    RunningThread,
    exported_records,
    process_environment,
    save_played_round,
    wait_until,
)
from ports import free_port

from companion.club import uplink
from companion.club.club_database import ClubDatabase, ClubDatabaseError
from companion.club.club_store import ClubStore
from companion.club.uplink import Uplink
from companion.store.store import Store

COMPANION = Path(sys.executable).with_name("companion")


class ServerOnSmallDisk:
    """`companion hall` with its data on a small disk, and one table that connects to it."""

    def __init__(self, folder, disk, broker) -> None:
        self.data, self._table, self._broker = disk / "data", folder / "table", broker
        self._port, self.log = free_port(), folder / "hall.log"
        (folder / "club").mkdir()
        (folder / "club" / "hall.link").write_text(str(broker.link("hall")))
        command = [COMPANION, "hall", "--data", self.data, "--club", folder / "club", "serve", "--page", self._port]
        with open(self.log, "ab") as out:
            self.process = subprocess.Popen([*map(str, command)], stdout=out, stderr=out, env=process_environment())

    def organisers_page(self) -> str:
        assert self.process.poll() is None, self.log.read_text()
        with urllib.request.urlopen(f"http://127.0.0.1:{self._port}/organiser", timeout=PATIENCE_SECONDS) as answer:
            return answer.read().decode()

    def connect_table(self) -> RunningThread:
        return RunningThread(Uplink(self._broker.link("table-1"), self._table, self._table / "none"))

    def save_round(self, number: int, played) -> None:
        store = Store(self._table)
        save_played_round(store, number, played, ("Ann", "Ben"))
        store.close()

    def has_everything(self) -> bool:
        intake = ClubStore(self.data, as_server=False)
        try:
            return [each.record for each in intake.counted_rounds()] == exported_records(self._table)
        finally:
            intake.close()


@pytest.fixture
def small_server(tmp_path, small_disk, broker):
    server = ServerOnSmallDisk(tmp_path, small_disk(2048), broker)
    yield server
    server.process.kill()
    server.process.wait(PATIENCE_SECONDS)


@pytest.mark.drill
def test_a_full_disk_is_reported_and_nothing_is_lost(small_server, fill_up, finished_rounds, monkeypatch):
    """Page and log report the full disk, and SIGTERM ends the server."""
    monkeypatch.setattr(uplink, "STORE_CHECK_SECONDS", 0.05)
    wait_until(
        lambda: "pages are on port" in small_server.log.read_text() and "connected to" in small_server.log.read_text()
    )
    ballast = fill_up(small_server.data)
    small_server.save_round(1, finished_rounds[0])
    table = small_server.connect_table()
    try:
        wait_until(
            lambda: "disk is full" in small_server.organisers_page()
        )  # Its state is in the batch that cannot be saved.
        wait_until(lambda: "disk is full" in small_server.log.read_text())
        ballast.unlink()
        wait_until(small_server.has_everything)
        wait_until(lambda: "disk is full" not in small_server.organisers_page())
        wait_until(lambda: "messages are saved again" in small_server.log.read_text())
        fill_up(small_server.data)
        small_server.save_round(2, finished_rounds[1])
        wait_until(lambda: "disk is full" in small_server.organisers_page())
        small_server.process.send_signal(signal.SIGTERM)
        assert small_server.process.wait(PATIENCE_SECONDS) == 0
    finally:
        table.stop()


def test_a_commit_that_fails_leaves_no_transaction_open(tmp_path):
    """If only COMMIT fails, nothing has changed, and the next transaction works."""
    with closing(ClubDatabase(tmp_path, as_server=True)) as db:
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("CREATE TABLE one (n INTEGER PRIMARY KEY REFERENCES one (n) DEFERRABLE INITIALLY DEFERRED, m)")
        db.execute("CREATE TABLE two (n INTEGER REFERENCES one (n) DEFERRABLE INITIALLY DEFERRED)")
        with pytest.raises(ClubDatabaseError), db.transaction():
            db.execute("INSERT INTO two VALUES (7)")
        with db.transaction():
            db.execute("INSERT INTO one VALUES (1, 1)")
        assert db.select("SELECT (SELECT count(*) FROM one), (SELECT count(*) FROM two)") == [(1, 0)]


def test_tournaments_that_cannot_be_opened_are_reported(tmp_path):
    """The disk is full, or the file belongs to others, when a new version has to add its columns."""
    from companion import UnusableError
    from companion.commands.hall import serve_club_pages

    (tmp_path / "hall.db").write_bytes(b"no database" * 1000)
    with pytest.raises(UnusableError, match="cannot be used"), serve_club_pages(None, None, tmp_path, None, "secret"):
        pass
