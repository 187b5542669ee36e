"""The voice beside the loop: keys silence it before they are queued, and nothing of it holds up or ends the table."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from driven_table import DrivenTable

from companion.inputs import BOARD_KEY, REPEAT_KEY, KeyPressed
from companion.rounds.stored import RoundHeader, SessionSettings
from companion.table.table_devices import InputQueue
from companion.table.voice_worker import VoiceWorker
from companion.voice import narrator

PATIENCE = 30.0
SILENCE = "-"
ROUND = SessionSettings(("Ann", "Ben"), RoundHeader("27", (), ("Ann", "Ben")))


class WrittenVoice:
    """Notes what is to be said, and each silence, in order."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self._changed = threading.Condition()

    def speak_words(self, words: str, language: str, speed: int, loudness: int) -> None:
        self._note(words)

    def silence(self) -> None:
        self._note(SILENCE)

    def close(self) -> None:
        self._note("closed")

    def _note(self, what: str) -> None:
        with self._changed:
            self.said.append(what)
            self._changed.notify_all()

    def wait_for(self, part: str) -> str:
        """Wait until something with this part was said. Returns it."""
        with self._changed:
            assert self._changed.wait_for(lambda: any(part in each for each in self.said), PATIENCE), self.said
            return next(each for each in self.said if part in each)


class TableAloud:
    """A table, the queue of its keys, and its voice."""

    def __init__(self, level: str) -> None:
        self.table, self.voice, self.logged = DrivenTable(ROUND), WrittenVoice(), []
        self.inputs = InputQueue(self.logged.append)
        self.worker = VoiceWorker(self.voice, self.inputs)
        self.table.wait(3)
        self.show(level)

    def show(self, level: str) -> None:
        """Show the session, with the voice at a level."""
        session = self.table.session
        self.worker.on_shown(session._replace(box=session.box._replace(voice=level)))

    def press(self, key: str, *, shown: bool = True) -> None:
        """A key as a device puts it, and what the loop does with it."""
        self.table.now += 1.1
        self.inputs.put(KeyPressed(key, self.table.now, device="number pad"))
        while not self.inputs.queue.empty():
            self.table.take_input(self.inputs.queue.get())
        if shown:
            self.show("everything")


@pytest.fixture
def aloud() -> Iterator[TableAloud]:
    made = TableAloud("everything")
    yield made
    made.worker.close()


def test_a_key_silences_before_it_is_queued(aloud):
    """Its own words come once the picture is shown."""
    aloud.voice.wait_for("Ann's turn")
    aloud.press("3", shown=False)
    assert aloud.voice.said[-1] == SILENCE
    aloud.show("everything")
    assert "field 3" in aloud.voice.wait_for("field 3")


def test_keys_of_the_voice_never_reach_the_session(aloud):
    """The first says the screen once more, the other one reads the board; so does the first one twice."""
    aloud.voice.wait_for("Ann's turn")
    before = aloud.table.session
    aloud.inputs.put(KeyPressed(REPEAT_KEY, 50.0))
    aloud.voice.wait_for("9: field 9")
    aloud.inputs.put(KeyPressed(BOARD_KEY, 60.0))
    aloud.inputs.put(KeyPressed(BOARD_KEY, 61.0))
    aloud.voice.wait_for("Field 1, from the top")
    aloud.inputs.put(KeyPressed(REPEAT_KEY, 70.0))
    aloud.inputs.put(KeyPressed(REPEAT_KEY, 70.3))
    aloud.voice.wait_for("Field 2, from the top")
    assert aloud.inputs.queue.empty()
    assert aloud.table.session is before


def test_while_it_is_off_nothing_is_said_and_no_thread_runs():
    """Its keys do nothing then, also with no voice at all."""
    quiet = TableAloud("off")
    quiet.inputs.put(KeyPressed(REPEAT_KEY, 50.0))
    assert quiet.inputs.queue.empty()
    assert quiet.voice.said == []
    assert not any(thread.name == "voice" for thread in threading.enumerate())
    without = InputQueue()
    without.put(KeyPressed(BOARD_KEY, 1.0))
    assert without.queue.empty()


def test_switching_it_off_silences_it(aloud):
    aloud.voice.wait_for("Ann's turn")
    aloud.show("off")
    assert aloud.voice.said[-1] == SILENCE


def test_a_failure_is_one_sentence_in_the_log(aloud, monkeypatch):
    """And the next words are said as if nothing had been."""
    aloud.voice.wait_for("Ann's turn")
    with monkeypatch.context() as patch:
        patch.setattr(narrator, "spoken_screen", lambda *rest: 1 / 0)
        for key in "31":
            aloud.press(key)
        aloud.inputs.put(KeyPressed(REPEAT_KEY, 50.0))
        end = time.monotonic() + PATIENCE
        while not aloud.worker._jobs.empty() and time.monotonic() < end:
            time.sleep(0.005)
    aloud.press("2")
    aloud.voice.wait_for("Move 2 from 1 to 2")
    assert aloud.logged == ["the voice has failed (ZeroDivisionError: division by zero)"]
