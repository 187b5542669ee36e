"""What a key press of a whole evening costs: bytes on the wire, and the processor's time from key to last byte.

Run it as `python tests/benchmarks/evening.py`. Rounds of every game are typed into the session, sealed holdings, and
every picture goes through the production path to a wire-level SSD1306; for comparison luma's own whole frames. Then,
in processes of their own: the time from start to the first picture, and the peak memory, against importing alone
the libraries that `companion run` uses.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import presses
import wire

from companion import games, screens
from companion import session as sessions
from companion.inputs import Pressed
from companion.session.model import About, Notice, Past, Settings

ROUNDS = 3  # of each game
LIBRARIES = "import gpiozero, serial, sqlite3, PIL.Image, luma.oled.device, luma.core.interface.serial"
REPEATS = 9


def evening(tests):
    """Each key press of the evening: the session after it, and the seconds that the update took."""
    chance = random.Random(presses.SEED)
    for game in games.GAMES:
        settings = [(options, players) for each, options, players in tests.SETTINGS if each == game]
        for number in range(ROUNDS):
            options, players = settings[number % len(settings)]
            played = tests._play_round(game, options, players, chance, 0.0, 60)
            about = About(game, tuple(played.header.options.items()), played.header.players)
            session = sessions.start(Settings((), about), Past(), 0.0)
            for state, (_, move) in zip(played.states, played.events, strict=False):
                keys = tests._typed_keys(game, state, str(move))
                while keys or isinstance(session.mode, Notice):
                    key = keys.pop(0) if keys else "#"
                    begun = time.process_time()
                    session = sessions.update(session, Pressed(key, session.clock + 0.5))
                    yield session, time.process_time() - begun


def wire_and_processor(tests) -> None:
    bus = wire.wire_bus.Bus(wire.wire_chips.Ssd1306())
    restore = wire.wire_bus.Adapter(bus).install(wire.smbus2)
    show, theirs = wire.ours("ssd1306"), wire.lumas("ssd1306")
    sizes, ours, lumas = [], [], []
    for session, updating in evening(tests):
        messages: list[bytes] = []
        take, bus.message = bus.message, messages.append
        begun = time.process_time()
        picture = screens.draw(session)
        drawing = time.process_time() - begun
        show(picture)
        ours.append(updating + time.process_time() - begun)
        sent = list(messages)
        begun = time.process_time()
        theirs(picture)
        lumas.append(updating + drawing + time.process_time() - begun)
        bus.message = take
        sizes.append(sum(1 + len(message) for message in sent))
    restore()
    # The first picture of all comes with the chip's own setting up.
    ordered = sorted(sizes[1:])
    p95 = ordered[int(0.95 * (len(ordered) - 1))]
    median = statistics.median(ordered)
    print(f"{len(sizes)} key presses: median {median:g} bytes, p95 {p95}, most {ordered[-1]}; luma's frame 1034")
    print(f"median to luma's frame: 1/{1034 / max(median, 1):.1f}")
    mine, other = statistics.median(ours) * 1000, statistics.median(lumas) * 1000
    print(
        f"CPU from key to last byte: median {mine:.2f} ms; with luma's own sending {other:.2f} ms; {mine / other:.2f}"
    )


def memory(pid: int) -> float:
    """The peak memory of a running process in MiB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024


def process(*command: str, ends_at: Path) -> tuple[float, float]:
    """Seconds until a file is there that the process makes, and its peak memory in MiB then."""
    begun = time.perf_counter()
    child = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while not ends_at.exists():
        time.sleep(0.0005)
    taken = time.perf_counter() - begun
    peak = memory(child.pid)
    child.kill()
    child.wait()
    return taken, peak


def start_up() -> None:
    imports, starts = [], []
    for _ in range(REPEATS):
        with tempfile.TemporaryDirectory() as name:
            done = Path(name) / "done"
            code = f"{LIBRARIES}, time; open({str(done)!r}, 'w'); time.sleep(9)"
            imports.append(process(sys.executable, "-c", code, ends_at=done))
    for _ in range(REPEATS):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            wire_folder = Path(__file__).parents[1] / "hardware" / "wire"
            for file in wire_folder.glob("*.py"):
                (folder / file.name).write_text(file.read_text())
            command = [str(Path(sys.executable).with_name("companion")), "run", "--data", str(folder / "data")]
            starts.append(process("env", f"PYTHONPATH={folder}", *command, ends_at=folder / "frame"))
    for what, at, unit in (("start to first byte on the panel", 0, "s"), ("peak memory", 1, "MiB")):
        bare = statistics.median(each[at] for each in imports)
        whole = statistics.median(each[at] for each in starts)
        print(f"{what}: {whole:.3g} {unit}; importing the libraries {bare:.3g} {unit}; ratio {whole / bare:.2f}")


def main() -> None:
    """Print the figures."""
    warnings.simplefilter("ignore", DeprecationWarning)
    wire_and_processor(presses.helpers())
    start_up()


if __name__ == "__main__":
    main()
