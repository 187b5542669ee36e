"""Has questions about stored rounds answered by another process, so that they do not delay the table.

A thread would not do. A long question would take Python's interpreter lock from the table, and a question that takes
too long could not be ended.

    StateServer ──> HostWorker.ask ──> queue ──> thread ──> process (companion.commands.host_process)
    StateServer <── on_answer <────────────────── thread <── one line of JSON
"""

from __future__ import annotations

import json
import os
import queue
import select
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

from companion.languages import text, texts_to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

IDLE_SECONDS = 60.0
"""Seconds without a question after which the process is ended."""
ANSWER_SECONDS = 120.0
"""Seconds that an answer may take."""
MAX_WAITING_QUESTIONS = 20
"""The most questions that wait; a further one is refused."""
MAX_ANSWER_BYTES = 4 << 20
"""The longest answer, in bytes."""


class HostWorker:
    """Answers questions one after the other, in a process that runs only while there are questions.

    Args:
        data_folder: the table's data folder.
        on_answer: called with each answer, a line of JSON with its line end, in the worker's thread.
        command: the command line of the process; by default `python -m companion.commands.host_process` on the data
            folder.
        idle_seconds: seconds without a question after which the process is ended.
        answer_seconds: seconds that an answer may take.
    """

    def __init__(
        self,
        data_folder: Path,
        on_answer: Callable[[bytes], object],
        command: Sequence[str] = (),
        idle_seconds: float = IDLE_SECONDS,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        self._command = command or (sys.executable, "-P", "-m", "companion.commands.host_process", str(data_folder))
        self.on_answer = on_answer
        self.idle_seconds = idle_seconds
        self.answer_seconds = answer_seconds
        self._questions: queue.Queue[tuple[int, str, str]] = queue.Queue(MAX_WAITING_QUESTIONS)
        self._start_lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self.process: subprocess.Popen[bytes] | None = None

    def ask(self, number: int, question: str, argument: str) -> None:
        """Ask a question and return at once; the answer or refusal goes to `on_answer`."""
        try:
            self._questions.put_nowait((number, question, argument))
        except queue.Full:
            self._refuse(number, text("The box is busy with other questions: try again in a moment."))
            return
        with self._start_lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._answer_questions, name="reader", daemon=True)
                self._thread.start()

    def _answer_questions(self) -> None:
        while True:
            try:
                number, question, argument = self._questions.get(
                    timeout=self.idle_seconds if self.process is not None else None
                )
            except queue.Empty:
                self._end_process()
                continue
            try:
                line = self._ask_process({"ask": number, "what": question, "text": argument})
            except OSError:
                line = None
            if line is not None:
                self.on_answer(line)
                continue
            self._refuse(number, text("The box could not answer: try again in a moment."))
            self._end_process()

    def _ask_process(self, question: dict[str, object]) -> bytes | None:
        """Get the line of the answer; None if it does not come in time or is too long. Raises OSError."""
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True, bufsize=0
            )
        assert self.process.stdin is not None, "it was opened as a pipe"
        assert self.process.stdout is not None, "it was opened as a pipe"
        self.process.stdin.write(json.dumps(question).encode() + b"\n")
        line = bytearray()
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([self.process.stdout], [], [], self.answer_seconds)
            chunk = os.read(self.process.stdout.fileno(), 65_536) if ready else b""
            line += chunk
            if not chunk or len(line) > MAX_ANSWER_BYTES:
                return None
        return bytes(line)

    def _end_process(self) -> None:
        """End the process, even one that hangs, and close its pipes. It only reads, so killing it harms nothing."""
        if self.process is not None:
            with self.process:
                self.process.kill()
        self.process = None

    def _refuse(self, number: int, reason: str) -> None:
        self.on_answer(json.dumps({"answer": number, "refusal": texts_to_json(reason)}).encode() + b"\n")
