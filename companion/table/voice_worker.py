"""The voice beside the loop: a thread that finds the words for what the panel shows, and has them spoken.

A key silences the voice before it is put on the queue, whatever the loop is doing. The words for its effect follow once
that is on the panel. Nothing here can hold up the loop or end it: a failure is a sentence in the log.
"""

from __future__ import annotations

import queue
import threading
import time
from typing import TYPE_CHECKING, NamedTuple, Protocol

from companion.inputs import BOARD_KEY, REPEAT_KEY, KeyPressed

if TYPE_CHECKING:
    from companion.evening.model import Session
    from companion.table.table_devices import InputQueue

BURST_SECONDS = 0.02
"""The thread waits so long before it looks for words, so that it takes no time from a burst of keys."""
TWICE_SECONDS = 0.5
"""Two presses of the key that repeats within this time read the board."""


class Voice(Protocol):
    """What `VoiceWorker` needs of `hardware.speaker.Speaker`."""

    def speak_words(self, words: str, language: str, speed: int, loudness: int) -> None:
        """Say words after what is being said; returns at once. Speed in words a minute, loudness 1 to 200."""

    def silence(self) -> None:
        """Be silent at once, and forget what was still to be said."""

    def close(self) -> None:
        """Be silent at once, and say nothing from then on."""


class Job(NamedTuple):
    """What the thread has to say: a `key` of the voice, or "" for what was shown, after so many `presses`."""

    session: Session
    presses: int
    key: str = ""


class VoiceWorker:
    """Says what is shown, as far as the settings of the box want it.

    Args:
        voice: what speaks.
        inputs: whose keys silence the voice, and which gets a sentence about a failure.
        earphone: the name of the only player who hears the voice, "" if everybody does.
    """

    def __init__(self, voice: Voice, inputs: InputQueue, earphone: str = "") -> None:
        self._voice, self._inputs, self._earphone = voice, inputs, earphone
        self._jobs: queue.Queue[Job | None] = queue.Queue()
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._shown: Session | None = None
        self._presses = 0
        self._repeated_at = float("-inf")
        inputs.take_key = self.take_key

    def take_key(self, press: KeyPressed) -> bool:
        """Be silent, and take the keys of the voice. Returns whether `press` is one of them."""
        session, is_voice_key = self._shown, press.key in (REPEAT_KEY, BOARD_KEY)
        if session is None or session.box.voice == "off":
            return is_voice_key
        self._voice.silence()
        if not is_voice_key:
            self._presses += 1
            return False
        is_twice = press.key == REPEAT_KEY and press.at - self._repeated_at < TWICE_SECONDS
        self._repeated_at = press.at if press.key == REPEAT_KEY else self._repeated_at
        if not press.held:
            self._jobs.put(Job(session, self._presses, BOARD_KEY if is_twice else press.key))
        return True

    def on_shown(self, session: Session) -> None:
        """Take a session that was shown; returns at once."""
        was_on = self._shown is not None and self._shown.box.voice != "off"
        self._shown = session
        if was_on and session.box.voice == "off":
            self._voice.silence()
        if was_on or session.box.voice != "off":
            if self._thread.ident is None:
                self._thread.start()
            self._jobs.put(Job(session, self._presses))

    def close(self) -> None:
        """Say what is still to be said of the last picture, and end."""
        if self._thread.ident is not None:
            self._jobs.put(None)
            self._thread.join(1.0)
        self._voice.close()

    def _run(self) -> None:
        from companion.voice.narrator import Narrator  # Imported late: most boxes never speak.

        narrator, heard, pressed_at, reported = Narrator(self._earphone), 0, 0.0, ""
        while (job := self._jobs.get()) is not None:
            if not job.key:
                time.sleep(BURST_SECONDS)
                if job.presses != self._presses:  # What this key changed is said with what the next one does.
                    continue
            session = job.session
            is_pressed = job.presses > heard and session.taps.pressed_at > pressed_at and not job.key
            try:
                if job.key == REPEAT_KEY:
                    words = narrator.repeat(session)
                elif job.key == BOARD_KEY:
                    words = narrator.next_part(session)
                else:
                    words = narrator.words_for(session, is_pressed=is_pressed)
            except Exception as error:  # Also a game of another package: the round goes on without words.
                words, reason = "", f"{type(error).__name__}: {error}"
                if reason != reported:
                    self._inputs.report(f"the voice has failed ({reason})")
                reported = reason
            if is_pressed:
                heard, pressed_at = job.presses, session.taps.pressed_at
                if words:  # What was to be said of the picture before is out of date.
                    self._voice.silence()
            if words and job.presses == self._presses:
                self._voice.speak_words(words, session.language, session.box.speed, session.box.loudness)
