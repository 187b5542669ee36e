"""Asks the helpers, services of their own, for what the table may not do itself, such as mounting a USB stick.

systemd listens on a socket for each helper, which only the table may use, and starts it. A request is a few lines; the
answer is everything up to the end of the stream.
"""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from companion.inputs import HelperAnswered

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.inputs import HelperRequest

SOCKETS_FOLDER = Path("/run/companion-helpers")
NETWORK_SWITCH = Path("/etc/companion/network")
"""The file without which systemd does not listen for tasks with Wi-Fi (systemd/companion-network.socket)."""
ANSWER_SECONDS = 1800.0
"""Seconds that an answer may take: an update compiles nothing, but a worn card is slow."""
MAX_ANSWER_LETTERS = 1 << 16
NO_ANSWER: tuple[str, ...] = ("no-helper",)
"""The answer of a helper that is not installed or is busy."""


def ask_helper(request: HelperRequest, on_answer: Callable[[HelperAnswered], object]) -> threading.Thread:
    """Ask in a thread of its own, which is returned at once. `on_answer` gets the answer there."""

    def ask() -> None:
        lines = NO_ANSWER
        with suppress(OSError), socket.socket(socket.AF_UNIX) as channel:
            channel.settimeout(ANSWER_SECONDS)
            channel.connect(str(SOCKETS_FOLDER / request.helper))
            channel.sendall("".join(f"{line}\n" for line in request.lines).encode())
            with channel.makefile(encoding="utf-8", errors="replace") as answer:
                lines = tuple(answer.read(MAX_ANSWER_LETTERS).splitlines()) or NO_ANSWER
        # What nobody needs any more is not handed on: the third line is a password.
        on_answer(HelperAnswered(request._replace(lines=request.lines[:2]), lines, time.monotonic()))

    thread = threading.Thread(target=ask, name=request.helper, daemon=True)
    thread.start()
    return thread
