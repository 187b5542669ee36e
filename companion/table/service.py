"""The table as a service: its state for systemd (sd_notify(3)), the watchdog, and the signals that end it.

Without systemd, as in a terminal, nothing is sent, and only the signals matter.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from companion.inputs import Input, StopRequested, Tick

NOTIFY_SECONDS = 1.0
"""Seconds to wait for room at the service manager with a state that is not sent again soon."""
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""The signals that stop the table."""


def notify_service_manager(state: str, patience_seconds: float = NOTIFY_SECONDS) -> None:
    """Send a state such as ``READY=1`` to the service manager, if there is one.

    If the manager has so many unread states that there is no room, wait at most `patience_seconds`, then drop the
    state: the game must not stand still for a service manager.
    """
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    import socket  # Only a service needs this import.

    if address.startswith("@"):
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
            channel.settimeout(patience_seconds)
            channel.connect(address)  # Only a connected socket can wait until there is room.
            channel.send(state.encode())
    except OSError:
        pass  # A service manager that does not answer must not end the game.


class Watchdog(NamedTuple):
    """Restarts the program unless `feed` is called often enough.

    `interval_seconds` is half the time after which systemd would restart it.
    """

    feed: Callable[[], object]
    interval_seconds: float


def systemd_watchdog() -> Watchdog | None:
    """The watchdog that systemd has set for this process, None without one."""
    limit_microseconds, pid = os.environ.get("WATCHDOG_USEC", ""), os.environ.get("WATCHDOG_PID", "")
    if not limit_microseconds.isdigit() or (pid and pid != str(os.getpid())):
        return None
    return Watchdog(lambda: notify_service_manager("WATCHDOG=1", 0.0), int(limit_microseconds) / 2_000_000)


@contextmanager
def stopping_on_signals(put_input: Callable[[Input], object]) -> Iterator[None]:
    """Within this context SIGTERM, SIGINT and SIGHUP put a StopRequested on the queue. Only for the main thread.

    Python runs signal handlers between two bytecodes of the main thread. A signal that comes just before that thread
    waits for the queue would therefore have no effect until the next input. A thread that reads the wake-up file
    descriptor (`signal.set_wakeup_fd`) notices the signal at once. The descriptor reports every signal that has a
    handler, such as a terminal's new size; any signal that does not stop the table only wakes the main thread, so that
    its handler runs.
    """
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)

    def listen() -> None:
        while byte := os.read(read_end, 1):
            put_input(_signal_input(byte[0], time.monotonic()))

    listener = threading.Thread(target=listen, name="signals", daemon=True)
    listener.start()
    handlers_before = [(number, signal.signal(number, lambda *_: None)) for number in STOP_SIGNALS]
    fd_before = signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(fd_before)
        for number, handler in handlers_before:
            signal.signal(number, handler)
        os.close(write_end)
        listener.join()
        os.close(read_end)


def _signal_input(number: int, now: float) -> Input:
    if number not in STOP_SIGNALS:
        return Tick(now)
    return StopRequested("interrupt" if number == signal.SIGINT else "terminate", now)
