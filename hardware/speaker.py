"""The voice's loudspeaker: ``espeak-ng`` makes the sound, ``aplay`` plays it to ALSA.

Both are processes of their own for each utterance, because a process that is killed is silent at once. The words go
through a pipe and are never an argument, which other users of the computer could read.
"""

from __future__ import annotations

import subprocess
import threading
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from companion.languages import os_error_text, text
from hardware.device_classes import Presence, ThreadedDevice

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.inputs import Input

DEVICE = "sound"
"""The device's name, as in DeviceMissing."""
MAX_UTTERANCE_SECONDS = 120.0
"""An utterance that takes longer is cut off: a sound card that hangs must not silence the box for ever."""
MAX_BYTES = 8192
"""The most bytes of an utterance. A pipe of Linux takes 64 KiB, so that nobody waits for the synthesizer."""
MAX_WAITING = 4
"""The most utterances that wait; older ones are dropped."""


class Utterance(NamedTuple):
    """Words to say, the language's code, the speed in words a minute, and the loudness, 0 to 200 (100 is usual)."""

    words: str
    language: str = "en"
    speed: int = 170
    loudness: int = 100


class Speaker(ThreadedDevice):
    """Says one utterance after the other. Reports DeviceMissing when one could not be heard.

    The thread and the processes start with the first utterance.

    Args:
        put: takes DeviceMissing and DeviceReturned.
        output: the ALSA device.
    """

    def __init__(self, put: Callable[[Input], object], output: str = "default") -> None:
        super().__init__(DEVICE)
        self._presence, self._output = Presence(put, DEVICE), output
        self._waiting: deque[Utterance] = deque(maxlen=MAX_WAITING)
        self._changed = threading.Condition()
        self._processes: tuple[subprocess.Popen[bytes], ...] = ()
        self._is_silenced = False

    def speak_words(self, words: str, language: str, speed: int, loudness: int) -> None:
        """Say words after what is being said; returns at once."""
        with self._changed:
            self._waiting.append(Utterance(words, language, speed, loudness))
            if self.thread.ident is None:
                self.start()
            self._changed.notify_all()

    @property
    def is_speaking(self) -> bool:
        """Whether something is being said, or is still to be said."""
        return bool(self._processes or self._waiting)

    def silence(self) -> None:
        """Be silent at once, and forget what was still to be said. Any thread may call this."""
        with self._changed:
            self._waiting.clear()
            self._is_silenced = True
            for process in self._processes:
                process.kill()

    def close(self) -> None:
        """Be silent for good."""
        self._is_closing = True
        self.silence()
        with self._changed:
            self._changed.notify_all()
        self._join()

    def _run(self) -> None:
        while not self._is_closing:
            with self._changed:
                while not (self._waiting or self._is_closing):
                    self._changed.wait()
                if self._is_closing:
                    return
                utterance, self._is_silenced = self._waiting.popleft(), False
            fault = self.speak(utterance)
            if fault:
                self._presence.report_missing(text("no sound"), fault)
            elif not self._is_silenced:
                self._presence.report_returned()

    def speak(self, utterance: Utterance) -> str:
        """Say something and wait until it was heard or silenced. Returns why it could not be heard, "" if it was."""
        try:
            with self._changed:  # So that nobody silences the first process before the second is there.
                if self._is_silenced:
                    return ""
                self._processes = synthesizer, player = self._start_processes(utterance)
        except OSError as error:
            message = "{program} cannot be started ({why}): install espeak-ng and alsa-utils"
            return text(message, program=error.filename or "espeak-ng", why=os_error_text(error))
        try:
            _, said = player.communicate(timeout=MAX_UTTERANCE_SECONDS)
            synthesizer.wait(timeout=1)
        except subprocess.TimeoutExpired:
            said = b""
        finally:
            with self._changed:
                for process in self._processes:
                    process.kill()
                self._processes = ()
            synthesizer.wait()
            player.wait()
        if self._is_silenced or (player.returncode == 0 and synthesizer.returncode == 0):
            return ""
        lines = said.decode(errors="replace").strip().splitlines() or [text("it hangs")]
        return text("connect a loudspeaker or an earphone ({why})", why=lines[-1])

    def _start_processes(self, said: Utterance) -> tuple[subprocess.Popen[bytes], subprocess.Popen[bytes]]:
        """Start both programs, the first with its words. Raises OSError."""
        options = ["-v", said.language, "-s", str(said.speed), "-a", str(said.loudness), "--stdin", "--stdout"]
        player = subprocess.Popen(
            ["aplay", "-q", "-D", self._output, "-"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip
        try:
            synthesizer = subprocess.Popen(
                ["espeak-ng", *options], stdin=subprocess.PIPE, stdout=player.stdin, stderr=subprocess.DEVNULL
            )
        except OSError:
            player.kill()
            player.communicate()
            raise
        finally:
            if player.stdin is not None:
                player.stdin.close()
                player.stdin = None
        if synthesizer.stdin is not None:
            with synthesizer.stdin as words:  # Far less than a pipe takes, so this doesn't wait.
                words.write(said.words.encode()[:MAX_BYTES] + b"\n")
        return synthesizer, player
