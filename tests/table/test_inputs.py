"""The queue that the loop waits for: whatever happens, a wait has an end."""

import queue
import signal
import subprocess
import sys
import time

import pytest

from companion.table.input_queue import Inputs

ROUNDS = 20_000
STOPPED = """
import queue, signal
from companion.table.input_queue import Inputs

signal.signal(signal.SIGUSR1, lambda *_: None)
waiting = Inputs().queue
print("ready", flush=True)
try:
    waiting.get(timeout=0.3)
except queue.Empty:
    print("over", flush=True)
"""


def test_a_wait_that_is_over_before_it_begins_has_an_end():
    """Before Python 3.13 a `SimpleQueue` then waits until the next input: no tick and no word to the watchdog came."""
    waiting = Inputs().queue
    for _ in range(ROUNDS):
        waiting.put(None)
        assert waiting.get(timeout=1e-6) is None
        with pytest.raises(queue.Empty):
            waiting.get(timeout=1e-6)


def test_a_stop_beyond_the_wait_and_a_signal_leave_it_an_end():
    """As when a laptop sleeps, and the terminal has another size afterwards."""
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
