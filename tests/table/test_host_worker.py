"""The process that answers the host's questions: real processes, none of which can delay the table."""

from __future__ import annotations

import json
import os
import sys
import threading
import time

import pytest

from companion.languages import text_from_json
from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.store import Store
from companion.table.host_worker import MAX_WAITING_QUESTIONS, HostWorker

PATIENCE_SECONDS = 60


class RecordedWorker:
    """A worker and the answers that it has given."""

    def __init__(self, data, **more) -> None:
        self.answers_received: list[dict] = []
        self.changed = threading.Condition()
        self.worker = HostWorker(data, self.take_answer, **more)

    def take_answer(self, line: bytes) -> None:
        assert line.endswith(b"\n")
        with self.changed:
            self.answers_received.append(json.loads(line, object_hook=text_from_json))
            self.changed.notify_all()

    def wait_for_answers(self, count: int) -> list[dict]:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.answers_received) >= count, PATIENCE_SECONDS)
        return self.answers_received


def write_script(tmp_path, text: str) -> tuple[str, ...]:
    """Write a program to run instead of the real one; it counts its starts."""
    file = tmp_path / "reader.py"
    file.write_text(f"import sys, time\nopen({str(tmp_path / 'starts')!r}, 'a').write('x')\n{text}\n")
    return sys.executable, str(file)


def count_starts(tmp_path) -> int:
    return len((tmp_path / "starts").read_text())


ECHO = "for line in sys.stdin: print(line.replace('ask', 'answer').strip(), flush=True)"


def test_the_worker_answers_beside_a_running_table(tmp_path):
    """The table keeps its lock and goes on writing while the process reads its rounds."""
    table = Store(tmp_path)
    table.write_entries([LogEntry(1, "begin", header=RoundHeader("27", (), ("Ann", "Ben")))])
    table.write_entries([LogEntry(1, "result", text="12 6 winners 1")])
    asked = RecordedWorker(tmp_path)
    asked.worker.ask(1, "history", "{}")
    (answer,) = asked.wait_for_answers(1)
    assert answer["answer"] == 1
    assert [each["number"] for each in answer["found"]["rounds"]] == [1]
    table.write_entries([LogEntry(2, "begin", header=RoundHeader("27", (), ("Ann", "Ben")))])
    asked.worker.ask(2, "history", "{}")
    assert [each["number"] for each in asked.wait_for_answers(2)[1]["found"]["rounds"]] == [2, 1]
    table.close()


def test_one_process_answers_many_questions_and_ends_when_nobody_asks(tmp_path):
    asked = RecordedWorker(tmp_path, command=write_script(tmp_path, ECHO), idle_seconds=PATIENCE_SECONDS)
    for number in (1, 2):
        asked.worker.ask(number, "names", "")
    asked.wait_for_answers(2)

    def hear(line: bytes) -> None:
        asked.worker.idle_seconds = 0.1  # Set by the reader's own thread, before it waits for the next question.
        asked.take_answer(line)

    asked.worker.on_answer = hear
    asked.worker.ask(3, "names", "")
    assert [each["answer"] for each in asked.wait_for_answers(3)] == [1, 2, 3]
    assert count_starts(tmp_path) == 1
    end = time.monotonic() + PATIENCE_SECONDS
    while asked.worker.process is not None:
        assert time.monotonic() < end
        time.sleep(0.05)
    asked.worker.ask(4, "names", "")
    assert asked.wait_for_answers(4)[3]["answer"] == 4
    assert count_starts(tmp_path) == 2


@pytest.mark.parametrize("fault", ["sys.exit(1)", "time.sleep(600)", "sys.stdin.readline(); print('x' * (5 << 20))"])
def test_a_failed_process_costs_one_answer(tmp_path, fault):
    """A process that ends, hangs or sends too much costs one answer; the next question starts another one."""
    first = f"if not __import__('os').path.exists({str(tmp_path / 'again')!r}):\n    {fault}\n{ECHO}"
    asked = RecordedWorker(
        tmp_path, command=write_script(tmp_path, first), answer_seconds=1 if "sleep" in fault else PATIENCE_SECONDS
    )
    asked.worker.ask(1, "names", "")
    assert "could not answer" in asked.wait_for_answers(1)[0]["refusal"]
    (tmp_path / "again").touch()
    asked.worker.answer_seconds = PATIENCE_SECONDS
    asked.worker.ask(2, "names", "")
    assert asked.wait_for_answers(2)[1]["what"] == "names"


def test_ask_never_waits(tmp_path):
    """A question too many is refused at once."""
    waits = f"while not __import__('os').path.exists({str(tmp_path / 'go')!r}): time.sleep(0.05)\n{ECHO}"
    asked = RecordedWorker(
        tmp_path, command=write_script(tmp_path, waits), answer_seconds=PATIENCE_SECONDS, idle_seconds=0.1
    )
    for number in range(MAX_WAITING_QUESTIONS + 2):
        asked.worker.ask(number, "names", "")
    assert "busy" in asked.wait_for_answers(1)[0]["refusal"]
    (tmp_path / "go").touch()
    asked.wait_for_answers(MAX_WAITING_QUESTIONS + 2)


def test_the_process_ends_with_the_table(tmp_path):
    """The process ends when its input ends."""
    import subprocess

    command = [sys.executable, "-P", "-m", "companion.commands.host_process", str(tmp_path)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ})
    output, _ = process.communicate(b'{"ask": 7, "what": "names", "text": ""}\n', timeout=PATIENCE_SECONDS)
    assert process.returncode == 0
    assert json.loads(output, object_hook=text_from_json) == {
        "answer": 7,
        "refusal": f"No rounds are saved in {tmp_path}.",
    }
