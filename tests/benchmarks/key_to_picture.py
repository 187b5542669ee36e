"""From the key that plays a move to its picture: store with its syncs, drawing, and the panel's wire, on one thread.

Run it as `python tests/benchmarks/key_to_picture.py [FOLDER [SECOND]]` in a clone. The rounds are saved in a new folder
within FOLDER, by default the one for temporary files; it has to be on the disk that is measured. The second file is in
SECOND if that is given. Rounds of 27 are played at random. The wire is a model of I2C at 400 kHz, nine bits a byte,
that takes its time. In the program the panel has a thread of its own: a key press waits only for store and drawing.
"""

from __future__ import annotations

import os
import queue
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import wire
from luma.core.interface.serial import i2c

from companion.evening import state_machine
from companion.games.twenty_seven.rules import RULES
from companion.inputs import KeyPressed
from companion.rounds.stored import RoundHeader, SessionSettings
from companion.store.store import Store
from companion.table.loop import TableLoop
from hardware import frames
from hardware.panel_link import PanelLink, PanelState

HEADER = RoundHeader("27", (("variant", "advanced"),), ("Ann", "Ben"))
ROUNDS = 12
BIT_SECONDS = 1 / 400_000
seconds_spent = {"wire": 0.0, "sync": 0.0}


class TimedPanel:
    """A panel that is sent each picture before `show` returns; its slow model of a chip is fed later."""

    def __init__(self) -> None:
        self.bus = wire.wire_bus.Bus(wire.wire_chips.Ssd1306())
        self._feed, self.bus.message = self.bus.message, self._take  # type: ignore[method-assign]
        self._messages: list[bytes] = []
        wire.wire_bus.Adapter(self.bus).install(wire.smbus2)
        self._link = PanelLink("ssd1306", lambda: i2c(port=1), refresh_seconds=float("inf"))
        self._frame = b""

    def _take(self, message: bytes) -> None:
        self._messages.append(message)
        seconds = 9 * (1 + len(message)) * BIT_SECONDS
        seconds_spent["wire"] += seconds
        time.sleep(seconds)

    def show(self, image: wire.Image.Image, shift: int = 0) -> None:
        """Send the columns that have changed."""
        self._frame = frames.pack_frame(image, shift)
        self._link.show_state(PanelState(self._frame, 0xCF, True))

    def is_shown(self) -> None:
        """Whether the chip shows the picture."""
        for message in self._messages:
            self._feed(message)
        self._messages.clear()
        assert self.bus.chip.seen() == self._frame

    def contrast(self, level: int) -> None:
        """Costs no time that is measured."""

    sleep = wake = lambda self: None


def measure_moves(folder: Path, second: Path | None) -> list[tuple[float, float, float]]:
    """Seconds of each move: in all, on the wire, in the journal's syncs."""
    chance, panel, times = random.Random(27), TimedPanel(), []
    store = Store(folder, second_folder=second)
    real = os.fdatasync

    def sync(fd: int) -> None:
        begun = time.perf_counter()
        real(fd)
        seconds_spent["sync"] += time.perf_counter() - begun

    os.fdatasync = sync
    for _ in range(ROUNDS):
        settings = SessionSettings((), HEADER)
        table = TableLoop(
            state_machine.start_session(settings, store.load_history()._replace(unfinished_round=None)),
            store,
            [panel],
            queue.Queue(),
        )
        table.show_first_session()
        state = RULES.initial_state(2, {"variant": "advanced"}, {})
        while (turn := RULES.seat_to_move(state)) is not None:
            move = chance.choice(RULES.legal_moves(state))
            state = RULES.play_move(state, turn, move)
            for key in str(move).replace("x", ""):
                table.take_input(KeyPressed(key, table.session.now + 0.1))
                table.paint()
            panel.is_shown()
            seconds_spent.update(wire=0.0, sync=0.0)
            begun = time.perf_counter()
            table.take_input(KeyPressed("#", table.session.now + 0.1))
            table.paint()
            times.append((time.perf_counter() - begun, seconds_spent["wire"], seconds_spent["sync"]))
            panel.is_shown()
        table.tidy_store()
        assert store.load_history().next_round > 1
    os.fdatasync = real
    store.close()
    return times


def main() -> None:
    """Print the medians and the 90th percentiles."""
    where, second = (*map(Path, sys.argv[1:]), None, None)[:2]
    with tempfile.TemporaryDirectory(dir=where) as folder:
        times_by_part = measure_moves(Path(folder), second)
    for name, times in zip(
        ("key to picture", "of it wire", "of it syncs"), zip(*times_by_part, strict=True), strict=True
    ):
        most = statistics.quantiles(times, n=10)[-1]
        print(f"{name:16} {1000 * statistics.median(times):6.2f} ms, nine of ten in {1000 * most:6.2f}")
    print(f"{len(times_by_part)} moves")


if __name__ == "__main__":
    main()
