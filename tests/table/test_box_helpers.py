"""How the table asks a helper, over a real socket."""

from __future__ import annotations

import queue
import socket

import pytest

from companion.inputs import HelperAnswered, HelperRequest
from companion.table import box_helpers

JOIN = HelperRequest("network", ("join", "Home", "secret word"), 7, "phone")


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """Ask a helper; returns what it was asked and the answer. It says `said`, None for a helper that is missing."""
    monkeypatch.setattr(box_helpers, "SOCKETS_FOLDER", tmp_path)

    def asked(request: HelperRequest, said: bytes | None) -> tuple[bytes, HelperAnswered]:
        answers: queue.Queue[HelperAnswered] = queue.Queue()
        with socket.socket(socket.AF_UNIX) as listener:
            listener.settimeout(30)
            if said is None:
                return b"", _answer(request, answers)
            listener.bind(str(tmp_path / request.helper))
            listener.listen()
            thread = box_helpers.ask_helper(request, answers.put)
            channel = listener.accept()[0]
            with channel:
                channel.settimeout(30)
                with channel.makefile("rb") as asked_lines:
                    lines = b"".join(asked_lines.readline() for _ in request.lines)
                channel.sendall(said)
            thread.join(30)
            return lines, answers.get(timeout=30)

    return asked


def _answer(request: HelperRequest, answers: queue.Queue[HelperAnswered]) -> HelperAnswered:
    box_helpers.ask_helper(request, answers.put).join(30)
    return answers.get(timeout=30)


def test_the_password_goes_to_the_helper_and_no_further(ask):
    lines, answered = ask(JOIN, b"ok\n*:90:WPA2:Home\n")
    assert lines == b"join\nHome\nsecret word\n"
    assert answered.request == JOIN._replace(lines=("join", "Home"))
    assert answered.lines == ("ok", "*:90:WPA2:Home")


@pytest.mark.parametrize("said", [None, b""])
def test_a_helper_that_is_missing_or_says_nothing(ask, said):
    answered = ask(JOIN, said)[1]
    assert answered.lines == box_helpers.NO_ANSWER
    assert "secret word" not in repr(answered)
