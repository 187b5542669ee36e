"""How long the voice takes beside espeak-ng alone, and what it costs the table: `python tests/benchmarks/voice.py`.

ALSA plays to a file through its plugins ``file`` and ``null``, as in the tests, so a card's own delay is not in it.

key to sound    from the key on the loop's queue, through store and picture, to the first samples that aplay writes;
                beside `espeak-ng | aplay` with the same words, begun by hand.
key to silence  from the key on the device's thread until both processes have ended.
the table       the time from a key to the end of its picture while the voice speaks, beside the same without a voice.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from companion.evening import state_machine
from companion.inputs import KeyPressed
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory
from companion.store.store import Store
from companion.table.loop import TableLoop
from companion.table.table_devices import InputQueue
from companion.table.voice_worker import VoiceWorker
from hardware.device_classes import PictureDevice
from hardware.speaker import Speaker

if TYPE_CHECKING:
    from collections.abc import Callable

SETTINGS = SessionSettings(("Ann", "Ben"), RoundHeader("27", (("variant", "basic"),), ("Ann", "Ben")))
WORDS = "field 1. How many? Backspace: undo."
REPEATS, KEYS = 40, "13*12**C*"
TYPING_SECONDS = 0.1
"""Between two keys of somebody who types fast: each silences the words for the one before."""
PATIENCE, HEADER_BYTES = 10.0, 44


class Table:
    """A loop over a store on this disk, with the voice at a level; `press` is a key and its picture."""

    def __init__(self, folder: Path, level: str) -> None:
        self.inputs = InputQueue()
        session = state_machine.start_session(SETTINGS, StoredHistory(), time.monotonic())
        self.speaker = Speaker(print)
        self.voice = VoiceWorker(self.speaker, self.inputs)
        session = session._replace(box=session.box._replace(voice=level))
        self.loop = TableLoop(
            session, Store(folder), [PictureDevice()], self.inputs.queue, on_shown=self.voice.on_shown
        )
        self.loop.show_first_session()
        self.press("#")
        self.press("#")

    def press(self, key: str) -> float:
        """Put a key, and let the loop take it and paint. Returns how long that took, in seconds."""
        begun = time.monotonic()
        self.inputs.put(KeyPressed(key, begun, device="number pad"))
        self.loop.take_input(self.inputs.queue.get(timeout=PATIENCE))
        self.loop.paint()
        return time.monotonic() - begun


def seconds_until(is_so: Callable[[], bool]) -> float:
    """Wait until something is so. Returns how long that took."""
    begun = time.monotonic()
    while not is_so():
        if time.monotonic() - begun > PATIENCE:
            raise TimeoutError
        time.sleep(0.0005)
    return time.monotonic() - begun


def measure_alone(sound: Path) -> float:
    """From the start of `espeak-ng | aplay` to its first samples."""
    sound.unlink(missing_ok=True)
    begun = time.monotonic()
    player = subprocess.Popen(["aplay", "-q", "-"], stdin=subprocess.PIPE)
    synthesizer = subprocess.Popen(["espeak-ng", "-v", "en", "--stdout", WORDS], stdout=player.stdin)
    seconds_until(lambda: sound.exists() and sound.stat().st_size > HEADER_BYTES)
    took = time.monotonic() - begun
    if player.stdin is not None:
        player.stdin.close()
    synthesizer.wait(PATIENCE)
    player.wait(PATIENCE)
    return took


def main() -> None:
    """Print the medians, and the ratios."""
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if sys.argv[1:] else None) as scratch:
        folder, sound = Path(scratch), Path(scratch) / "sound.wav"
        (folder / "asound.conf").write_text(
            f'pcm.!default {{ type file slave.pcm nowhere file "{sound}" format wav }}\npcm.nowhere {{ type null }}\n'
        )
        os.environ["ALSA_CONFIG_PATH"] = str(folder / "asound.conf")
        alone = statistics.median(measure_alone(sound) for _ in range(REPEATS))
        table = Table(folder / "aloud", "everything")
        seconds_until(lambda: not table.speaker.is_speaking)
        to_sound, to_silence = [], []
        for _ in range(REPEATS):
            sound.unlink(missing_ok=True)
            begun = time.monotonic()
            table.press("1")
            seconds_until(lambda: sound.exists() and sound.stat().st_size > HEADER_BYTES)
            to_sound.append(time.monotonic() - begun)
            table.press("*")
            seconds_until(lambda: not table.speaker.is_speaking)
            sound.unlink(missing_ok=True)
            table.speaker.speak_words(WORDS * 100, "en", 170, 100)
            seconds_until(lambda: sound.exists() and sound.stat().st_size > HEADER_BYTES)
            begun = time.monotonic()
            table.inputs.put(KeyPressed("C", begun))
            seconds_until(lambda: not table.speaker.is_speaking)
            to_silence.append(time.monotonic() - begun)
            table.inputs.queue.get(timeout=PATIENCE)
        quiet = Table(folder / "quiet", "off")
        times: dict[str, list[float]] = {"quiet": [], "speaking": []}
        for _ in range(REPEATS // 4):
            for name, each in (("quiet", quiet), ("speaking", table)):
                for key in KEYS:
                    times[name].append(each.press(key))
                    time.sleep(TYPING_SECONDS)
        table.voice.close()
    sounded, silenced = statistics.median(to_sound), statistics.median(to_silence)
    without, speaking = (statistics.median(times[name]) for name in ("quiet", "speaking"))
    print(f"espeak-ng and aplay alone  {alone * 1000:6.1f} ms")
    print(f"key to sound               {sounded * 1000:6.1f} ms  {sounded / alone:5.2f} times as long")
    print(f"key to silence             {silenced * 1000:6.1f} ms  {silenced / alone:5.2f} times as long")
    print(f"  the longest              {max(to_silence) * 1000:6.1f} ms")
    print(f"key to picture, no voice   {without * 1000:6.2f} ms")
    print(f"key to picture, speaking   {speaking * 1000:6.2f} ms  {speaking / without:5.2f} times as long")


if __name__ == "__main__":
    main()
