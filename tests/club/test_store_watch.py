"""How the uplink notices what a table has written, and misses nothing."""

from __future__ import annotations

import os

import pytest
from club_night import PATIENCE_SECONDS, RunningThread, exported_records, save_played_round, wait_until

from companion.club import club_server, uplink
from companion.club.backlog import StoreWatch
from companion.club.club_server import ClubServer
from companion.club.club_store import ClubStore
from companion.club.uplink import Uplink
from companion.store.database import DATABASE_NAME
from companion.store.errors import StoreError
from companion.store.read_only_store import ReadOnlyStore
from companion.store.store import Store


def test_a_change_is_reported_twice(tmp_path):
    """The end of a write may leave the file's size and time as they were in its middle."""
    (tmp_path / DATABASE_NAME).write_bytes(b"a")
    watch = StoreWatch(tmp_path)
    assert [watch.has_changed() for _ in range(3)] == [True, True, False]
    os.utime(tmp_path / DATABASE_NAME, ns=(0, 1))
    assert [watch.has_changed() for _ in range(4)] == [True, True, False, False]


@pytest.mark.parametrize("fails", ["opening", "reading"])
def test_a_failed_read_is_repeated(tmp_path, broker, finished_rounds, monkeypatch, fails):
    """No further change of the file is needed."""
    monkeypatch.setattr(uplink, "STORE_CHECK_SECONDS", 0.05)
    monkeypatch.setattr(club_server, "POLL_SECONDS", 0.05)
    failing: list[str] = []

    class Failing(ReadOnlyStore):
        def __init__(self, *words, **more) -> None:
            if failing == ["opening"]:
                raise StoreError(f"it fails at {failing.pop()}.")
            super().__init__(*words, **more)

        def read_transaction(self):
            if failing == ["reading"]:
                raise StoreError(f"it fails at {failing.pop()}.")
            return super().read_transaction()

    monkeypatch.setattr(uplink, "ReadOnlyStore", Failing)
    store = Store(tmp_path / "table")
    save_played_round(store, 1, finished_rounds[0], ("Ann", "Ben"))
    intake = ClubStore(tmp_path / "hall")
    reader = ClubStore(tmp_path / "hall", as_server=False)
    log: list[str] = []
    table = Uplink(broker.link("table-1"), tmp_path / "table", tmp_path / "none", write_log=log.append)
    running = [RunningThread(ClubServer(broker.link("hall"), intake)), RunningThread(table)]
    try:
        wait_until(lambda: len(reader.counted_rounds()) == 1)
        wait_until(lambda: table.is_idle)
        failing.append(fails)
        save_played_round(store, 2, finished_rounds[1], ("Ann", "Ben"))
        wait_until(lambda: log[-1] == f"it fails at {fails}", PATIENCE_SECONDS)
        wait_until(lambda: [each.record for each in reader.counted_rounds()] == exported_records(tmp_path / "table"))
    finally:
        for each in running:
            each.stop()
        store.close()
        intake.close()
        reader.close()
