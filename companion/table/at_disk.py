"""Watches the loop while it waits for the disk: says so after a second, and feeds the watchdog meanwhile.

A worn card may need seconds for each access, and a move a handful of them: a table that waits for it is not stuck.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SLOW_SECONDS = 1.0
"""How long the disk may take before the players are told."""
LONGEST_SECONDS = 180.0
"""How long the watchdog is fed for one piece of work; what takes longer is stuck, and a restart may help."""


class AtDisk:
    """The watch over the loop's work on the disk.

    Args:
        tell: called with the words for the panel, in a thread, while the loop waits.
        alive: feeds the watchdog.
        beat: seconds between two calls of `alive`; None without a watchdog.
    """

    def __init__(
        self, tell: Callable[[str], object], alive: Callable[[], object] | None = None, beat: float | None = None
    ) -> None:
        self._tell = tell
        self._alive = alive
        self._beat = beat

    @contextmanager
    def work(self, words: str) -> Iterator[None]:
        """Within this context the loop waits for the disk; `words` are for the panel if that takes long."""
        done = threading.Event()
        watch = threading.Thread(target=self._watch, args=(words, done), name="disk", daemon=True)
        watch.start()
        try:
            yield
        finally:
            done.set()
            watch.join()

    def _watch(self, words: str, done: threading.Event) -> None:
        if done.wait(SLOW_SECONDS):
            return
        self._tell(words)
        if self._alive is None or self._beat is None:
            return
        end = time.monotonic() + LONGEST_SECONDS
        while time.monotonic() < end:
            self._alive()
            if done.wait(self._beat):
                return
