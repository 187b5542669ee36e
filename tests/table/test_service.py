"""The states that the table sends to systemd, a service manager that does not read them, and the stop signals."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading

import pytest

from companion.inputs import StopRequested
from companion.table.service import notify_service_manager, stopping_on_signals
from companion.table.table_devices import InputQueue

UNLUCKY_PROGRAM = """
import signal, sys, threading
signal.signal(signal.SIGWINCH, lambda *_: print("drawn again", flush=True))
from companion.table.table_devices import InputQueue
from companion.table.service import stopping_on_signals

inputs = InputQueue()
with stopping_on_signals(inputs.put):
    # The kernel may hand a signal to any thread. Handed to another one, it does not wake the main thread's wait.
    other = threading.Thread(target=lambda: (print("ready", flush=True), threading.Event().wait()), daemon=True)
    other.start()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGWINCH})
    print(inputs.queue.get(timeout=60), flush=True)
"""


@pytest.fixture
def manager_socket(tmp_path, monkeypatch):
    """The service manager's socket; nobody reads it unless the test does."""
    path = str(tmp_path / "notify")
    monkeypatch.setenv("NOTIFY_SOCKET", path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as server:
        server.bind(path)
        server.settimeout(60)
        yield server


def fill_queue(manager_socket) -> int:
    """Send states until the manager has room for no more. Returns how many it has."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as client:
        client.setblocking(False)
        client.connect(manager_socket.getsockname())
        for sent in range(100_000):
            try:
                client.send(b"full")
            except BlockingIOError:
                return sent
    raise AssertionError("there is always room")


@pytest.mark.timeout(60)
@pytest.mark.parametrize("seconds", [0.0, 0.05])
def test_a_manager_that_does_not_read_does_not_stop_the_table(manager_socket, seconds):
    """The state is dropped; the next one arrives once there is room again."""
    full = fill_queue(manager_socket)
    for _ in range(3):
        notify_service_manager("WATCHDOG=1", seconds)
    assert [manager_socket.recv(100) for _ in range(full)] == [b"full"] * full
    notify_service_manager("WATCHDOG=1", seconds)
    assert manager_socket.recv(100) == b"WATCHDOG=1"
    manager_socket.setblocking(False)
    with pytest.raises(BlockingIOError):
        manager_socket.recv(100)


def test_a_state_that_is_sent_once_waits_for_room(manager_socket):
    full = fill_queue(manager_socket)
    telling = threading.Thread(target=notify_service_manager, args=("READY=1", 60.0), daemon=True)
    telling.start()
    assert [manager_socket.recv(100) for _ in range(full)] == [b"full"] * full
    telling.join(60)
    assert manager_socket.recv(100) == b"READY=1"


def test_without_a_manager_nothing_happens(tmp_path, monkeypatch):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    notify_service_manager("READY=1")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    notify_service_manager("READY=1")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_each_stop_signal_becomes_an_input(number):
    """Each puts one Stop on the queue, and afterwards the handlers are those of before."""
    inputs, before = InputQueue(), [signal.getsignal(each) for each in signal.Signals if each != signal.SIGKILL]
    with stopping_on_signals(inputs.put):
        os.kill(os.getpid(), number)
        stop = inputs.queue.get(timeout=60)
    assert isinstance(stop, StopRequested)
    assert stop.cause == ("interrupt" if number == signal.SIGINT else "terminate")
    assert inputs.queue.empty()
    assert [signal.getsignal(each) for each in signal.Signals if each != signal.SIGKILL] == before
    assert not [each for each in threading.enumerate() if each.name == "signals"]


@pytest.mark.parametrize(
    ("number", "said"),
    [(signal.SIGTERM, r"StopRequested\(cause='terminate', .*\)\n"), (signal.SIGWINCH, r"drawn again\nTick\(.*\)\n")],
)
def test_a_signal_on_another_thread_reaches_the_loop(number, said):
    """The main thread waits for the queue while the kernel gives the signal to another thread."""
    child = subprocess.Popen([sys.executable, "-c", UNLUCKY_PROGRAM], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "ready\n"
        child.send_signal(number)
        out, _ = child.communicate(timeout=50)
    finally:
        child.kill()
    assert re.fullmatch(said, out), out
