"""The loop at a slow disk: a banner is shown and the watchdog is fed, but not for ever."""

from __future__ import annotations

import threading

import pytest

from companion import display
from companion.evening import state_machine
from companion.inputs import KeyPressed, StopRequested
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory
from companion.store.store import Store
from companion.table import loop, store_access
from companion.table.service import Watchdog
from companion.table.store_access import watching_slow_disk
from companion.table.table_devices import InputQueue

PATIENCE_SECONDS = 60
REQUESTED = RoundHeader("27", (("variant", "basic"),), ("Ann", "Ben"))


class RecordingPanel:
    """A panel that collects its pictures."""

    def __init__(self) -> None:
        self.pictures: list = []
        self.shown = threading.Condition()

    def show(self, image, shift=0) -> None:
        with self.shown:
            self.pictures.append(image.tobytes())
            self.shown.notify_all()

    def wait_for_picture(self, session) -> bool:
        """Wait for the picture of a session. Returns whether it came."""
        wanted = display.session_picture(session).tobytes()
        with self.shown:
            return self.shown.wait_for(lambda: wanted in self.pictures, PATIENCE_SECONDS)


class SlowStore(Store):
    """A store that writes only once `may_write` is set."""

    may_write = threading.Event()

    def write_entries(self, entries) -> None:
        assert not entries or self.may_write.wait(PATIENCE_SECONDS)
        super().write_entries(entries)


def test_a_slow_disk_shows_a_banner_and_feeds_the_watchdog(tmp_path, monkeypatch):
    """The panel shows the banner instead of the move, and the move once it is on disk."""
    monkeypatch.setattr(store_access, "SLOW_SECONDS", 0.01)
    monkeypatch.setattr(SlowStore, "may_write", may_write := threading.Event())
    may_write.set()
    fed, panel, inputs = threading.Semaphore(0), RecordingPanel(), InputQueue()
    store = SlowStore(tmp_path)
    first = state_machine.start_session(SessionSettings(requested_round=REQUESTED), StoredHistory())
    table = loop.TableLoop(first, store, [panel], inputs.queue, watchdog=Watchdog(fed.release, 0.01))
    table.show_first_session()
    may_write.clear()
    for key in "13":
        table.take_input(KeyPressed(key, 5.0))
    table.paint()
    before = table.session
    checks = []

    def check() -> None:
        checks.append(panel.wait_for_picture(before._replace(banner=loop.SAVING_BANNER)))
        checks.append(all(fed.acquire(timeout=PATIENCE_SECONDS) for _ in range(5)))
        checks.append(table.session is before)
        may_write.set()

    looking = threading.Thread(target=check, daemon=True)
    looking.start()
    table.take_input(KeyPressed("#", 6.0))  # This waits for the disk.
    looking.join(PATIENCE_SECONDS)
    assert checks == [True, True, True]
    table.paint()
    assert [text for _, text in table.session.round.events] == ["1x3"]
    assert not table.session.banner
    assert panel.pictures[-1] == display.session_picture(table.session).tobytes()
    inputs.queue.put(StopRequested())
    table.run()
    store.close()


@pytest.mark.parametrize("pause", [0.001, None])
def test_the_watchdog_is_not_fed_for_a_disk_that_is_stuck(monkeypatch, pause):
    """After the longest time that a disk may take, the watchdog is fed no more."""
    monkeypatch.setattr(store_access, "SLOW_SECONDS", 0.001)
    monkeypatch.setattr(store_access, "MAX_FED_SECONDS", 1.0)
    banners, fed = [], []
    watchdog = Watchdog(lambda: fed.append(1), pause) if pause is not None else None
    with watching_slow_disk(lambda: banners.append("slow"), watchdog):
        threads = [each for each in threading.enumerate() if each.name == "disk"]
        for each in threads:
            each.join(PATIENCE_SECONDS)
            assert not each.is_alive()
        assert banners == ["slow"]
        assert bool(fed) == (pause is not None)


def test_a_quick_disk_shows_no_banner(monkeypatch):
    """The watching thread ends with the work."""
    # On a busy machine even quick work may take a second.
    monkeypatch.setattr(store_access, "SLOW_SECONDS", PATIENCE_SECONDS)
    events = []
    with watching_slow_disk(lambda: events.append("slow"), Watchdog(lambda: events.append("fed"), 0.001)):
        pass
    assert not events
    assert not [each for each in threading.enumerate() if each.name == "disk"]
