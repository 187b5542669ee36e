"""The table as a service: its state for systemd (sd_notify(3)), the watchdog, and the signals that end it."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from companion.inputs import Input, Stop, Tick

SENT_ONCE_SECONDS = 1.0
"""The patience for a state that is not sent again soon."""
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def notify(state: str, seconds: float = SENT_ONCE_SECONDS) -> None:
    """Send a state such as ``READY=1`` to the service manager, if there is one.

    Where the manager has so many unread states that there is no room, wait at most so many seconds, then drop it: the
    game must not stand still for a service manager.
    """
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    import socket  # Only a service needs this import.

    if address.startswith("@"):
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
            channel.settimeout(seconds)
            channel.connect(address)  # Only a connected socket can wait until there is room.
            channel.send(state.encode())
    except OSError:
        pass  # A service manager that does not answer must not end the game.


class Watchdog(NamedTuple):
    """Restarts the program unless `feed` is called; `pause` is half its limit, in seconds."""

    feed: Callable[[], object]
    pause: float


def watchdog() -> Watchdog | None:
    """The watchdog of systemd, None without one."""
    limit, pid = os.environ.get("WATCHDOG_USEC", ""), os.environ.get("WATCHDOG_PID", "")
    if not limit.isdigit() or (pid and pid != str(os.getpid())):
        return None
    return Watchdog(lambda: notify("WATCHDOG=1", 0.0), int(limit) / 2_000_000)


@contextmanager
def stop_signals(put: Callable[[Input], object]) -> Iterator[None]:
    """Within this context SIGTERM, SIGINT and SIGHUP put a Stop on the queue. Only for the main thread.

    Python runs signal handlers between two bytecodes of the main thread, so a signal just before that thread waits for
    the queue would have an effect only at the next input. A thread that reads the wake-up file descriptor
    (`signal.set_wakeup_fd`) notices it at once. That descriptor tells of every signal with a handler, such as a
    terminal's new size: any other one only wakes the main thread, so that its handler runs.
    """
    reading, writing = os.pipe()
    os.set_blocking(writing, False)

    def listen() -> None:
        while byte := os.read(reading, 1):
            put(_input_for(byte[0], time.monotonic()))

    listener = threading.Thread(target=listen, name="signals", daemon=True)
    listener.start()
    before = [(number, signal.signal(number, lambda *_: None)) for number in SIGNALS]
    fd_before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(fd_before)
        for number, handler in before:
            signal.signal(number, handler)
        os.close(writing)
        listener.join()
        os.close(reading)


def _input_for(number: int, now: float) -> Input:
    if number not in SIGNALS:
        return Tick(now)
    return Stop("interrupt" if number == signal.SIGINT else "terminate", now)
