"""Has questions about stored rounds answered by another process, so that they do not delay the table.

It is a process and not a thread so that a long question does not take Python's interpreter lock from the table, and so
that a question that lasts too long can be ended.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import select
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

from companion.languages import packed, text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

IDLE_SECONDS = 60.0
"""The seconds after which an idle process ends."""
ANSWER_SECONDS = 120.0
"""The longest time for an answer."""
WAITING = 20
"""The most questions that wait; a further one is refused."""
MOST_BYTES = 4 << 20
"""The longest answer, in bytes."""


class Reader:
    """Answers questions one after the other in a process that runs only while there are questions.

    Args:
        data: the data folder.
        tell: called with each answer, a line of JSON with its line end, in the reader's thread.
        command: the command line of the process: `python -m companion.commands.host_process` on the data folder.
        idle: seconds after which an idle process ends.
        seconds: the longest time for an answer.
    """

    def __init__(
        self,
        data: Path,
        tell: Callable[[bytes], object],
        command: Sequence[str] = (),
        idle: float = IDLE_SECONDS,
        seconds: float = ANSWER_SECONDS,
    ) -> None:
        self._command = command or (sys.executable, "-P", "-m", "companion.commands.host_process", str(data))
        self.tell = tell
        self.idle = idle
        self.seconds = seconds
        self._questions: queue.Queue[tuple[int, str, str]] = queue.Queue(WAITING)
        self._starting = threading.Lock()
        self.thread: threading.Thread | None = None

    def ask(self, number: int, what: str, asked: str) -> None:
        """Ask a question and return at once; its answer or refusal goes to `tell`."""
        with self._starting:
            try:
                self._questions.put_nowait((number, what, asked))
            except queue.Full:
                self._refuse(number, text("The box is busy with other questions: try again in a moment."))
                return
            if self.thread is None:
                self.thread = threading.Thread(target=self._work, name="reader", daemon=True)
                self.thread.start()

    def _work(self) -> None:
        process: subprocess.Popen[bytes] | None = None
        while True:
            try:
                number, what, asked = self._questions.get(timeout=self.idle)
            except queue.Empty:
                with self._starting:
                    if self._questions.empty():
                        self.thread = None
                        break
                continue
            try:
                if process is None or process.poll() is not None:
                    process = subprocess.Popen(
                        self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True, bufsize=0
                    )
                line = self._answered(process, {"ask": number, "what": what, "text": asked})
            except OSError:
                line = None
            if line is not None:
                self.tell(line)
                continue
            self._refuse(number, text("The box could not answer: try again in a moment."))
            _end(process)
            process = None
        _end(process, kill=False)

    def _answered(self, process: subprocess.Popen[bytes], words: dict[str, object]) -> bytes | None:
        """The line of the answer; None if it does not come in time or is too long. Raises OSError."""
        assert process.stdin is not None, "it was opened as a pipe"
        assert process.stdout is not None, "it was opened as a pipe"
        process.stdin.write(json.dumps(words).encode() + b"\n")
        process.stdin.flush()
        line = bytearray()
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([process.stdout], [], [], self.seconds)
            chunk = os.read(process.stdout.fileno(), 65_536) if ready else b""
            line += chunk
            if not chunk or len(line) > MOST_BYTES:
                return None
        return bytes(line)

    def _refuse(self, number: int, why: str) -> None:
        self.tell(json.dumps({"answer": number, "refusal": packed(why)}).encode() + b"\n")


def _end(process: subprocess.Popen[bytes] | None, *, kill: bool = True) -> None:
    """End a process, by killing it if it hangs."""
    if process is None:
        return
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            if pipe is not None:
                pipe.close()
    if kill:
        process.kill()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
