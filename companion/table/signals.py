"""The signals that end a table, as an input on its queue."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion.inputs import Input, Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NUMBERS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@contextmanager
def stop_signals(put: Callable[[Input], object]) -> Iterator[None]:
    """Meanwhile SIGTERM, SIGINT and SIGHUP put a Stop; only in the main thread.

    Python runs a handler between two steps of its main thread. A signal that comes just before that thread waits for
    the queue would be noticed at the next input only, so a thread of its own hears of it from the C handler's pipe.
    """
    heard, told = os.pipe()
    os.set_blocking(told, False)

    def listen() -> None:
        while byte := os.read(heard, 1):
            put(Stop("interrupt" if byte[0] == signal.SIGINT else "terminate", time.monotonic()))

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
