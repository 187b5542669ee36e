"""The signals that end a table."""

import os
import re
import signal
import subprocess
import sys
import threading

import pytest

from companion.inputs import Stop
from companion.table.input_queue import Inputs
from companion.table.signals import stop_signals

AT_ITS_WORST = """
import signal, sys, threading
signal.signal(signal.SIGWINCH, lambda *_: print("drawn again", flush=True))
from companion.table.input_queue import Inputs
from companion.table.signals import stop_signals

inputs = Inputs()
with stop_signals(inputs.put):
    # The kernel may hand a signal to any thread. Handed to another one, it does not wake the main thread's wait.
    other = threading.Thread(target=lambda: (print("ready", flush=True), threading.Event().wait()), daemon=True)
    other.start()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGWINCH})
    print(inputs.queue.get(timeout=60), flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_each_becomes_an_input(number):
    """Each puts one Stop, and afterwards the handlers are those of before."""
    inputs, before = Inputs(), [signal.getsignal(each) for each in signal.Signals if each != signal.SIGKILL]
    with stop_signals(inputs.put):
        os.kill(os.getpid(), number)
        stop = inputs.queue.get(timeout=60)
    assert isinstance(stop, Stop)
    assert stop.why == ("interrupt" if number == signal.SIGINT else "terminate")
    assert inputs.queue.empty()
    assert [signal.getsignal(each) for each in signal.Signals if each != signal.SIGKILL] == before
    assert not [each for each in threading.enumerate() if each.name == "signals"]


@pytest.mark.parametrize(
    ("number", "said"),
    [(signal.SIGTERM, r"Stop\(why='terminate', .*\)\n"), (signal.SIGWINCH, r"drawn again\nTick\(.*\)\n")],
)
def test_one_that_does_not_wake_the_main_thread(number, said):
    """A table whose main thread waits for the queue hears of a signal that another thread was given; a few end it."""
    child = subprocess.Popen([sys.executable, "-c", AT_ITS_WORST], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "ready\n"
        child.send_signal(number)
        out, _ = child.communicate(timeout=50)
    finally:
        child.kill()
    assert re.fullmatch(said, out), out
