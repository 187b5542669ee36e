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
from companion.table.devices import ThreadMonitor, InputQueue
from companion.table.workers import Workers

ROUNDS = 20_000
STOPPED = """
import queue, signal
from companion.table.devices import Inputs

signal.signal(signal.SIGUSR1, lambda *_: None)
waiting = Inputs().queue
print("ready", flush=True)
try:
    waiting.get(timeout=0.3)
except queue.Empty:
    print("over", flush=True)
"""


class Threads:
    """Devices of which some can be restarted and some stay dead."""

    def __init__(self) -> None:
        self.ended: list[str] = []
        self.gone: list[str] = []

    def revive(self) -> list[str]:
        ended, self.ended = self.ended, []
        return ended

    def dead(self) -> list[str]:
        return self.gone


@pytest.fixture
def watch():
    """Returns a function that makes (threads, monitor, log, queue)."""

    def made(watched: bool = True):
        said: list[str] = []
        inputs = InputQueue(said.append)
        threads = Threads()
        return threads, ThreadMonitor(threads, inputs, watched), said, inputs.queue

    return made


def test_all_is_well(watch):
    """A table without devices is always well."""
    _, health, said, queue = watch()
    assert health.restart_ended_threads()
    assert ThreadMonitor(None, InputQueue(), True).restart_ended_threads()
    assert said == []
    assert queue.empty()


def test_what_is_mended(watch):
    """The panel and the log report the restart, and the check is true."""
    threads, health, said, queue = watch()
    threads.ended = ["keypad"]
    assert health.restart_ended_threads()
    assert queue.get_nowait() == DeviceMissing("program", "Keypad stopped:\nrestarted")
    assert health.restart_ended_threads()
    assert said == ["the keypad stopped: it was restarted"]


@pytest.mark.parametrize(("watched", "second"), [(True, "the table restarts"), (False, "restart the table")])
def test_what_cannot_be_mended(watch, watched, second):
    """The check becomes false, so the watchdog is fed no more; without a watchdog the players are asked to restart."""
    threads, health, said, queue = watch(watched)
    threads.gone = ["buttons"]
    assert not health.restart_ended_threads()
    assert not health.restart_ended_threads()
    assert said == ["the buttons stopped: only a restart of the program helps"]
    assert queue.get_nowait().reason == f"Buttons stopped:\n{second}"
    assert queue.empty()


def test_a_thread_that_ends_by_an_error(watch, capsys):
    """The error is part of the sentence, the loop wakes at once, and there is no traceback."""
    threads, health, said, queue = watch()

    def fail():
        raise ValueError("no such thing")

    with health.catching_thread_errors():
        for name in ("keypad", "another"):
            one = threading.Thread(target=fail, name=name)
            one.start()
            one.join(60)
    assert isinstance(queue.get(timeout=60), Tick)
    threads.ended = ["keypad"]
    health.restart_ended_threads()
    assert said == [
        "an error in the program itself, in a thread beside the table (ValueError: no such thing)",
        "the keypad stopped (ValueError: no such thing): it was restarted",
    ]
    assert capsys.readouterr().err == ""


class Accepting(socket.socket):
    """A listening socket whose first clients end the thread that accepts them, by an unexpected error."""

    faults = 0

    def accept(self):
        guest = super().accept()
        if type(self).faults:
            type(self).faults -= 1
            raise RuntimeError("no such thing")
        return guest


def comes(path) -> bool:
    """Whether a client is greeted at a socket."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as guest:
        guest.settimeout(60)
        guest.connect(str(path))
        guest.sendall(b'{"companion": 2}\n')
        return guest.makefile("rb").readline().startswith(b'{"state": 1')
    return False


@pytest.mark.parametrize(("faults", "mended"), [(1, 1), (3, 3), (4, 3)])
def test_a_socket_that_accepts_nobody_any_more(tmp_path, monkeypatch, faults, mended):
    """The thread is restarted three times at most, each time with a report; then the game goes on without phones."""
    monkeypatch.setattr(socket, "socket", Accepting)
    monkeypatch.setattr(Accepting, "faults", faults)
    said: list[str] = []
    inputs = InputQueue(said.append)
    workers = Workers(tmp_path, inputs, lambda: None)
    health = ThreadMonitor(None, inputs, True, workers)
    told = []
    with contextlib.closing(workers), health.catching_thread_errors():
        workers.start_request(Request.PHONES_ON)
        workers.on_shown(state_machine.start_session(SessionSettings(), StoredHistory()))
        for _ in range(faults):
            assert not comes(tmp_path / "table.sock")
            assert isinstance(inputs.queue.get(timeout=60), Tick)
            assert health.restart_ended_threads()
            told.append(inputs.queue.get_nowait().short_reason)
        assert faults > mended or comes(tmp_path / "table.sock")
    again = "the phones stopped (RuntimeError: no such thing): it was restarted"
    never = "the phones stopped (RuntimeError: no such thing): only a restart of the program helps"
    assert said == [again] * mended + [never] * (faults - mended)
    assert told == [f"Phones stopped:\n{what}" for what in ["restarted"] * mended + ["restart the table"]][:faults]


def test_a_wait_that_is_over_before_it_begins_has_an_end():
    """Before Python 3.13 a `SimpleQueue` then waits for the next input: no tick came, and no watchdog was fed."""
    waiting = InputQueue().queue
    for _ in range(ROUNDS):
        waiting.put(None)
        assert waiting.get(timeout=1e-6) is None
        with pytest.raises(queue.Empty):
            waiting.get(timeout=1e-6)


def test_a_stop_beyond_the_wait_and_a_signal_leave_it_an_end():
    """A laptop that sleeps stops the process; afterwards the terminal may have another size."""
    with subprocess.Popen([sys.executable, "-c", STOPPED], stdout=subprocess.PIPE, text=True) as child:
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
