"""How the uplink notices what a table has written, and misses nothing."""

from __future__ import annotations

import os

import pytest
from club_night import PATIENCE, Running, exported, keep_round, until

from companion.club import hall, uplink
from companion.club.backlog import StoreWatch
from companion.club.hall import ClubServer
from companion.club.intake import ClubStore
from companion.club.uplink import Uplink
from companion.store.database import DATABASE_NAME
from companion.store.errors import StoreError
from companion.store.open_to_read import ReadOnlyStore
from companion.store.store import Store


def test_a_change_is_told_once_more_since_it_may_have_been_half_done(tmp_path):
    """The end of a write may leave the file's size and time as they were in its middle."""
    (tmp_path / DATABASE_NAME).write_bytes(b"a")
    watch = StoreWatch(tmp_path)
    assert [watch.has_changed() for _ in range(3)] == [True, True, False]
    os.utime(tmp_path / DATABASE_NAME, ns=(0, 1))
    assert [watch.has_changed() for _ in range(4)] == [True, True, False, False]


@pytest.mark.parametrize("fails", ["opening", "reading"])
def test_a_store_that_could_not_be_read_is_read_again(tmp_path, broker, finished_rounds, monkeypatch, fails):
    """No further change of the file is needed."""
    monkeypatch.setattr(uplink, "STORE_CHECK_SECONDS", 0.05)
    monkeypatch.setattr(hall, "POLL_SECONDS", 0.05)
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
    keep_round(store, 1, finished_rounds[0], ("Ann", "Ben"))
    intake = ClubStore(tmp_path / "hall")
    reader = ClubStore(tmp_path / "hall", as_server=False)
    said: list[str] = []
    table = Uplink(broker.link("table-1"), tmp_path / "table", tmp_path / "none", write_log=said.append)
    running = [Running(ClubServer(broker.link("hall"), intake)), Running(table)]
    try:
        until(lambda: len(reader.counted_rounds()) == 1)
        until(lambda: table.is_idle)
        failing.append(fails)
        keep_round(store, 2, finished_rounds[1], ("Ann", "Ben"))
        until(lambda: said[-1] == f"it fails at {fails}", PATIENCE)
        until(lambda: [each.record for each in reader.counted_rounds()] == exported(tmp_path / "table"))
    finally:
        for each in running:
            each.stop()
        store.close()
        intake.close()
        reader.close()
