"""Turns the signals that end a table into inputs on its queue."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from companion.inputs import Input, Stop, Tick

NUMBERS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@contextmanager
def stop_signals(put: Callable[[Input], object]) -> Iterator[None]:
    """Within this context SIGTERM, SIGINT and SIGHUP put a Stop on the queue. Only for the main thread.

    Python runs signal handlers between two bytecodes of the main thread, so a signal just before that thread waits for
    the queue would have an effect only at the next input. A thread that reads the wake-up file descriptor
    (`signal.set_wakeup_fd`) notices it at once. That descriptor tells of every signal with a handler, such as a
    terminal's new size: any other one only wakes the main thread, so that its handler runs.
    """
    heard, told = os.pipe()
    os.set_blocking(told, False)

    def listen() -> None:
        while byte := os.read(heard, 1):
            put(_meant(byte[0], time.monotonic()))

    listener = threading.Thread(target=listen, name="signals", daemon=True)
    listener.start()
    before = [(number, signal.signal(number, lambda *_: None)) for number in NUMBERS]
    fd_before = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(fd_before)
        for number, handler in before:
            signal.signal(number, handler)
        os.close(told)
        listener.join()
        os.close(heard)


def _meant(number: int, now: float) -> Input:
    """What a signal means to the table."""
    if number not in NUMBERS:
        return Tick(now)
    return Stop("interrupt" if number == signal.SIGINT else "terminate", now)
