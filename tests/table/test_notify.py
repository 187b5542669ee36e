"""The states that the table tells systemd, and a service manager that does not read them."""

from __future__ import annotations

import socket
import threading

import pytest

from companion.table.notify import notify


@pytest.fixture
def manager(tmp_path, monkeypatch):
    """The service manager's socket; nobody reads it unless the test does."""
    path = str(tmp_path / "notify")
    monkeypatch.setenv("NOTIFY_SOCKET", path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as made:
        made.bind(path)
        made.settimeout(60)
        yield made


def fill(manager) -> int:
    """Send states until the manager has room for none; how many it has."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
        other.setblocking(False)
        other.connect(manager.getsockname())
        for sent in range(100_000):
            try:
                other.send(b"full")
            except BlockingIOError:
                return sent
    raise AssertionError("there is always room")


@pytest.mark.timeout(60)
@pytest.mark.parametrize("seconds", [0.0, 0.05])
def test_a_manager_that_does_not_read_does_not_stop_the_table(manager, seconds):
    """The state is dropped; the next one, when there is room again, arrives."""
    full = fill(manager)
    for _ in range(3):
        notify("WATCHDOG=1", seconds)
    assert [manager.recv(100) for _ in range(full)] == [b"full"] * full
    notify("WATCHDOG=1", seconds)
    assert manager.recv(100) == b"WATCHDOG=1"
    manager.setblocking(False)
    with pytest.raises(BlockingIOError):
        manager.recv(100)


def test_a_state_that_is_sent_once_waits_for_room(manager):
    """A manager that is busy for a moment still hears that the table is ready."""
    full = fill(manager)
    telling = threading.Thread(target=notify, args=("READY=1", 60.0), daemon=True)
    telling.start()
    assert [manager.recv(100) for _ in range(full)] == [b"full"] * full
    telling.join(60)
    assert manager.recv(100) == b"READY=1"


def test_without_a_manager_nothing_happens(tmp_path, monkeypatch):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    notify("READY=1")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    notify("READY=1")
