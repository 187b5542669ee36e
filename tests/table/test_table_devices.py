"""The loop's queue, and the devices' threads: one that ends is reported once, and restarted if possible."""

import contextlib
import queue
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from companion.evening import state_machine
from companion.inputs import DeviceMissing, Request, Tick
from companion.rounds.stored import SessionSettings, StoredHistory
from companion.table.table_devices import InputQueue, ThreadMonitor
from companion.table.workers import Workers

WAITS = 20_000
STOPPED_PROGRAM = """
import queue, signal
from companion.table.table_devices import InputQueue

signal.signal(signal.SIGUSR1, lambda *_: None)
waiting = InputQueue().queue
print("ready", flush=True)
try:
    waiting.get(timeout=0.3)
except queue.Empty:
    print("over", flush=True)
"""


class ThreadOwner:
    """Devices of which some can be restarted and some stay dead."""

    def __init__(self) -> None:
        self.ended_names: list[str] = []
        self.dead_names: list[str] = []

    def revive_threads(self) -> list[str]:
        ended, self.ended_names = self.ended_names, []
        return ended

    def dead_devices(self) -> list[str]:
        return self.dead_names


@pytest.fixture
def make_monitor():
    """Returns a function that makes (threads, monitor, log, queue)."""

    def make(watched: bool = True):
        log: list[str] = []
        inputs = InputQueue(log.append)
        threads = ThreadOwner()
        return threads, ThreadMonitor(threads, inputs, watched), log, inputs.queue

    return make


def test_running_threads_are_not_reported(make_monitor):
    """A table without devices is always well."""
    _, health, log, queue = make_monitor()
    assert health.restart_ended_threads()
    assert ThreadMonitor(None, InputQueue(), True).restart_ended_threads()
    assert log == []
    assert queue.empty()


def test_a_restarted_thread_is_reported(make_monitor):
    """The panel and the log report the restart, and the check is true."""
    threads, health, log, queue = make_monitor()
    threads.ended_names = ["keypad"]
    assert health.restart_ended_threads()
    assert queue.get_nowait() == DeviceMissing("program", "Keypad stopped:\nrestarted")
    assert health.restart_ended_threads()
    assert log == ["the keypad stopped: it was restarted"]


@pytest.mark.parametrize(("watched", "second"), [(True, "the table restarts"), (False, "restart the table")])
def test_a_thread_that_stays_dead_is_reported_once(make_monitor, watched, second):
    """The check becomes false, so the watchdog is fed no more; without a watchdog the players are asked to restart."""
    threads, health, log, queue = make_monitor(watched)
    threads.dead_names = ["buttons"]
    assert not health.restart_ended_threads()
    assert not health.restart_ended_threads()
    assert log == ["the buttons stopped: only a restart of the program helps"]
    assert queue.get_nowait().reason == f"Buttons stopped:\n{second}"
    assert queue.empty()


def test_an_exception_in_a_thread_is_one_sentence(make_monitor, capsys):
    """The error is part of the sentence, the loop wakes at once, and there is no traceback."""
    threads, health, log, queue = make_monitor()

    def fail():
        raise ValueError("no such thing")

    with health.catching_thread_errors():
        for name in ("keypad", "another"):
            one = threading.Thread(target=fail, name=name)
            one.start()
            one.join(60)
    assert isinstance(queue.get(timeout=60), Tick)
    threads.ended_names = ["keypad"]
    health.restart_ended_threads()
    assert log == [
        "an error in the program itself, in a thread beside the table (ValueError: no such thing)",
        "the keypad stopped (ValueError: no such thing): it was restarted",
    ]
    assert capsys.readouterr().err == ""


class FailingListener(socket.socket):
    """A listening socket whose first clients end the thread that accepts them, by an unexpected error."""

    faults = 0

    def accept(self):
        connection = super().accept()
        if type(self).faults:
            type(self).faults -= 1
            raise RuntimeError("no such thing")
        return connection


def is_greeted(path) -> bool:
    """Whether a client is greeted at a socket."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as client:
        client.settimeout(60)
        client.connect(str(path))
        client.sendall(b'{"companion": 2}\n')
        return client.makefile("rb").readline().startswith(b'{"state": 1')
    return False


@pytest.mark.parametrize(("faults", "mended"), [(1, 1), (3, 3), (4, 3)])
def test_the_thread_that_accepts_clients_is_restarted(tmp_path, monkeypatch, faults, mended):
    """The thread is restarted three times at most, each time with a report; then the game goes on without phones."""
    monkeypatch.setattr(socket, "socket", FailingListener)
    monkeypatch.setattr(FailingListener, "faults", faults)
    log: list[str] = []
    inputs = InputQueue(log.append)
    workers = Workers(tmp_path, inputs, lambda: None)
    health = ThreadMonitor(None, inputs, True, workers)
    banners = []
    with contextlib.closing(workers), health.catching_thread_errors():
        workers.start_request(Request.PHONES_ON)
        workers.on_shown(state_machine.start_session(SessionSettings(), StoredHistory()))
        for _ in range(faults):
            assert not is_greeted(tmp_path / "table.sock")
            assert isinstance(inputs.queue.get(timeout=60), Tick)
            assert health.restart_ended_threads()
            banners.append(inputs.queue.get_nowait().short_reason)
        assert faults > mended or is_greeted(tmp_path / "table.sock")
    again = "the phones stopped (RuntimeError: no such thing): it was restarted"
    never = "the phones stopped (RuntimeError: no such thing): only a restart of the program helps"
    assert log == [again] * mended + [never] * (faults - mended)
    assert banners == [f"Phones stopped:\n{what}" for what in ["restarted"] * mended + ["restart the table"]][:faults]


def test_a_wait_with_no_time_left_ends():
    """Before Python 3.13 a `SimpleQueue` then waits for the next input: no tick came, and no watchdog was fed."""
    waiting = InputQueue().queue
    for _ in range(WAITS):
        waiting.put(None)
        assert waiting.get(timeout=1e-6) is None
        with pytest.raises(queue.Empty):
            waiting.get(timeout=1e-6)


def test_a_wait_ends_after_the_process_was_stopped():
    """A laptop that sleeps stops the process; afterwards the terminal may have another size."""
    with subprocess.Popen([sys.executable, "-c", STOPPED_PROGRAM], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.1)
        child.send_signal(signal.SIGSTOP)
        time.sleep(0.5)
        child.send_signal(signal.SIGUSR1)
        child.send_signal(signal.SIGCONT)
        try:
            assert child.communicate(timeout=60)[0] == "over\n"
        finally:
            child.kill()
