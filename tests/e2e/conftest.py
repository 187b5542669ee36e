"""Fixtures for the real program with real libraries: `companion run`, a pseudo-terminal as keypad, an SSD1306 model."""

from __future__ import annotations

import contextlib
import os
import pty
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
import tty
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from hardware.keypad import HOLD_SECONDS, MAX_BURST_KEYS

WIRE_MODELS = Path(__file__).parent.parent / "hardware" / "wire"
COMPANION = Path(sysconfig.get_path("scripts")) / "companion"
PATIENCE_SECONDS = 60.0
QUIET_SECONDS = 0.25
BUTTON_PINS = {"up": 5, "down": 6, "left": 13, "right": 19, "ok": 26, "back": 21}


class Box:
    """One box; `folder` has its panel (see tests/hardware/wire/sitecustomize.py), `data` its rounds."""

    def __init__(self, folder: Path, *arguments: str, keypad: bool = True, config: str = "") -> None:
        self.folder = folder
        self.data = folder / "data"
        self.arguments = arguments
        self.process: subprocess.Popen[bytes] | None = None
        self.master = -1
        self._at_once = 0  # keys typed since the table was last waited for
        shutil.copytree(WIRE_MODELS, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        # A new box without it is asked its language first: that has tests of its own.
        text = config if "[table]" in config else f'[table]\nlanguage = "en"\n{config}'
        if keypad:
            self.connect_keypad()
            text += f'\n[keypad]\nport = "{folder / "tty"}"\n'
        (folder / "config.toml").write_text(text)

    def start(self, *before: str) -> None:
        """Switch the box on.

        Returns once a picture is shown; `before` are words in front of the command, such as a tracer.
        """
        (self.folder / "frame").unlink(missing_ok=True)
        self.log = (self.folder / "journal").open("ab")
        self.process = subprocess.Popen(
            [*before, *map(str, self.command), *self.arguments],
            env=self.environment,
            cwd=self.folder,
            stdout=self.log,
            stderr=self.log,
        )
        end = time.monotonic() + PATIENCE_SECONDS
        while not self.is_panel_lit():
            ended = self.process.poll() is not None
            # What cannot go on may end right after its first picture.
            assert not ended or self.is_panel_lit(), self.log_text
            assert time.monotonic() < end, f"no picture: {self.log_text}"
            time.sleep(0.01)

    @property
    def command(self) -> list[str | Path]:
        """The command line of the program, without what `start` puts in front."""
        return [COMPANION, "run", "--config", self.folder / "config.toml", "--data", self.data]

    @property
    def environment(self) -> dict[str, str]:
        """The environment in which models replace the wires."""
        return {**os.environ, "PYTHONPATH": str(self.folder)}

    def is_panel_lit(self) -> bool:
        return any(self.panel_memory())

    @property
    def log_text(self) -> str:
        return (self.folder / "journal").read_text()

    def type_keys(self, keys: str) -> None:
        """Type on the keypad; at a `~` in `keys` wait until everything before has been read, and a second more."""
        for number, part in enumerate(keys.split("~")):
            if number:
                self.settled_picture()
                time.sleep(1.1)
            for key in part:
                if self._at_once == MAX_BURST_KEYS:  # More at once would be no keypad's.
                    self.settled_picture()
                    time.sleep(4 * HOLD_SECONDS)
                    self._at_once = 0
                self._at_once += 1
                os.write(self.master, key.encode())

    def connect_keypad(self) -> None:
        """Connect the keypad under its name, at a new port each time."""
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        (self.folder / "tty").unlink(missing_ok=True)
        (self.folder / "tty").symlink_to(os.ttyname(self.slave))

    def disconnect_keypad(self) -> None:
        """Disconnect the keypad: what was not read yet is lost."""
        (self.folder / "tty").unlink()
        os.close(self.master)
        os.close(self.slave)
        self.master = -1

    def press_buttons(self, *keys: str) -> None:
        """Press buttons of the breadboard, one after the other; `pins` must have been made a FIFO.

        Each is a tap of 30 ms by the buttons' own clock: on a busy machine an arrow that is pressed and then released
        may be down for so long that it repeats. Returns once all have been tapped.
        """
        wanted = self.button_taps() + len(keys)
        with (self.folder / "pins").open("w") as fingers:
            fingers.writelines(f"{BUTTON_PINS[key]} tap 0 0\n" for key in keys)
        end = time.monotonic() + PATIENCE_SECONDS
        while self.button_taps() < wanted:
            assert time.monotonic() < end, f"{wanted - self.button_taps()} of {keys} were not tapped"
            time.sleep(0.01)

    def button_taps(self) -> int:
        """The number of buttons tapped so far."""
        taps = self.folder / "taps"
        return len(taps.read_text().splitlines()) if taps.exists() else 0

    def send_bytes(self, data: bytes) -> None:
        """Let the keypad send arbitrary bytes."""
        view = memoryview(data)
        while view:
            view = view[os.write(self.master, view[:1024]) :]

    def context_switches(self) -> dict[str, tuple[int, int]]:
        """Voluntary and involuntary context switches of each thread so far, by its name and number."""
        found = {}
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            status = dict(line.split(":", 1) for line in (task / "status").read_text().splitlines() if ":" in line)
            counts = int(status["voluntary_ctxt_switches"]), int(status["nonvoluntary_ctxt_switches"])
            found[f"{status['Name'].strip()} {int(task.name) - self.process.pid}"] = counts
        return found

    def resident_kib(self) -> int:
        """The resident memory of the process, in KiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0])

    def panel_memory(self) -> bytes:
        """The panel's memory: 8 pages of 128 columns."""
        try:
            return (self.folder / "frame").read_bytes()
        except FileNotFoundError:
            return bytes(1024)

    def panel_picture(self) -> Image.Image:
        """The panel as an image."""
        return frame_image(self.panel_memory())

    def wait_for_picture(self, wanted: Image.Image, seconds: float = PATIENCE_SECONDS) -> bool:
        """Wait for a picture on the panel, wherever the shift against burn-in has moved it. Returns whether it came."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if any(
                is_same_picture(self.panel_picture(), ImageChops.offset(wanted, shift, 0))
                for shift in (0, -1, 1, -2, 2)
            ):
                return True
            time.sleep(0.01)
        return False

    def settled_picture(self) -> Image.Image:
        """The picture once it has not changed for a while and the program has nothing left to do."""
        last, since = self.panel_memory(), time.monotonic()
        end = since + PATIENCE_SECONDS
        while time.monotonic() - since < QUIET_SECONDS:
            time.sleep(0.02)
            now = self.panel_memory()
            if now != last or is_process_busy(self.process.pid):
                last, since = now, time.monotonic()
            assert time.monotonic() < end, "it is never at rest"
        return frame_image(last)

    def cut_power(self) -> None:
        """Cut the power."""
        self.process.kill()
        self.process.wait(PATIENCE_SECONDS)
        self.log.close()

    def stop(self) -> int:
        """Stop as the service manager does. Returns the exit status."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(PATIENCE_SECONDS)
        self.log.close()
        return status

    def exported_record(self, *arguments: str) -> str:
        """The newest round as a record, without its date and check; "" if none is saved yet."""
        done = subprocess.run(
            [COMPANION, "export", "--data", self.data, *arguments],
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        if "there are no rounds" in done.stderr:
            return ""  # A round in which nothing has happened is not kept.
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines(keepends=True)
        return "".join(line for line in lines if not line.startswith(("date:", "# sum ")))

    def is_valid_record(self, record: Path) -> bool:
        """Whether a record is valid."""
        return (
            subprocess.run(
                [COMPANION, "check", record], capture_output=True, timeout=PATIENCE_SECONDS, check=False
            ).returncode
            == 0
        )

    def close(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.cut_power()
        if self.master >= 0:
            os.close(self.master)
            os.close(self.slave)
            self.master = -1


def is_process_busy(pid: int) -> bool:
    """Whether a thread of a process, or of one that it started, runs, waits to run, or waits for a disk.

    On a busy machine, a program that had no time yet looks just like one that has nothing to do, except for this.
    """
    for task in Path(f"/proc/{pid}/task").glob("*"):
        with contextlib.suppress(OSError):
            if (task / "stat").read_text().rpartition(")")[2].split()[0] in "RDt":
                return True
            if any(is_process_busy(int(child)) for child in (task / "children").read_text().split()):
                return True
    return False


@pytest.fixture
def is_busy():
    """`is_busy(pid)`: whether a process has something left to do."""
    return is_process_busy


def frame_image(frame: bytes) -> Image.Image:
    """A frame of 8 pages as an image, a lit pixel white."""
    image = Image.new("1", (128, 64))
    image.putdata([255 * (frame[y // 8 * 128 + x] >> y % 8 & 1) for y in range(64) for x in range(128)])
    return image


def is_same_picture(one: Image.Image, other: Image.Image) -> bool:
    return one.tobytes() == other.tobytes()


@pytest.fixture
def box(tmp_path):
    """Makes boxes: `box("--game", "27", …)`, not yet started."""
    made = []

    def make(*arguments: str, folder: Path | None = None, **more) -> Box:
        made.append(Box(folder or tmp_path, *arguments, **more))
        return made[-1]

    yield make
    for each in made:
        each.close()


def _without_shift(picture: Image.Image) -> Image.Image:
    """A picture without the shift against burn-in, if that can be seen: nearly all pictures begin in column 1."""
    left = (picture.getbbox() or (1,))[0]
    return ImageChops.offset(picture, 1 - left, 0) if left < 3 else picture


@pytest.fixture
def matches():
    """`matches(box, "name")` waits for golden/NAME.png on the panel; UPDATE_GOLDEN=1 rewrites it."""

    def compare(box: Box, name: str) -> None:
        path = Path(__file__).parent / "golden" / f"{name}.png"
        if os.environ.get("UPDATE_GOLDEN"):
            path.parent.mkdir(parents=True, exist_ok=True)
            _without_shift(box.settled_picture()).save(path)
        with Image.open(path) as golden:
            if not box.wait_for_picture(golden.convert("1")):
                box.panel_picture().save(path.with_suffix(".actual.png"))
                pytest.fail(f"the panel does not show {path.name}; see {path.stem}.actual.png beside it")

    return compare


@pytest.fixture
def python() -> str:
    return sys.executable


@pytest.fixture(scope="session")
def companion_command() -> Path:
    """The installed `companion`."""
    return COMPANION
