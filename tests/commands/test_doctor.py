"""`companion doctor` as a process, with real libraries, a panel on a fake wire, and a keypad on a pseudo-terminal."""

from __future__ import annotations

import json
import os
import pty
import queue
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
import time
import tty
from pathlib import Path

import pytest
from PIL import Image

from companion import __main__ as program
from companion import settings_file
from companion.commands import table_startup
from companion.commands.doctor import EXIT_TO_DO, STUCK_SECONDS
from companion.config import Config
from companion.display import messages
from companion.doctor import disk, examination
from companion.inputs import BoxExamined, DeviceMissing, DeviceReturned, Finding
from companion.store.store import Store
from companion.table.table_devices import InputQueue

COMPANION = Path(sysconfig.get_path("scripts")) / "companion"
WIRE_PROGRAM = Path(__file__).parents[1] / "hardware" / "wire"
BARE_CONFIGURATION = '[display]\ndriver = "none"\n[buttons]\nboard = "none"\n'


PATIENCE_SECONDS = 60.0


class OutputReader:
    """A process whose output is read line by line through a pipe, in a user's environment."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: list[str] = []
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def wait_for_line(self, text: str) -> None:
        """Wait for a line with these words, while the process is still running."""
        while text not in (self.lines or [""])[-1]:
            try:
                line = self._lines.get(timeout=PATIENCE_SECONDS)
            except queue.Empty:
                pytest.fail(f"{text!r} was not said while it went on, but {self.lines}")
            assert line, f"it ended with {self.process.wait(PATIENCE_SECONDS)}: {self.lines}"
            self.lines.append(line.rstrip())

    def interrupt(self) -> list[str]:
        """Press Ctrl-C, and return the output up to the end."""
        self.process.send_signal(signal.SIGINT)
        return self.read_to_end()

    def read_to_end(self) -> list[str]:
        """The output up to the end of the process."""
        self.process.wait(PATIENCE_SECONDS)
        self._reader.join(PATIENCE_SECONDS)
        while not self._lines.empty():
            self.lines.append(self._lines.get().rstrip())
        return self.lines[:-1]

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put("")


class DoctorBench:
    """A folder with a fake wire, buttons, a keypad and a configuration, where the doctor runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(WIRE_PROGRAM, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        os.mkfifo(folder / "pins")
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        (folder / "tty").symlink_to(os.ttyname(self.slave))
        self.readers: list[OutputReader] = []
        (folder / "config.toml").write_text(f'[keypad]\nport = "{folder}/tty"\n')

    def start(self, *arguments: str) -> OutputReader:
        process = subprocess.Popen(
            [COMPANION, "doctor", "--config", "config.toml", "--data", "data", *arguments],
            env={**os.environ, "PYTHONPATH": str(self.folder)},
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.readers.append(OutputReader(process))
        return self.readers[-1]

    def findings(self, *arguments: str) -> dict[str, dict[str, str]]:
        lines = self.start("--json", *arguments).read_to_end()
        return {each["about"]: each for each in json.loads("\n".join(lines))}


@pytest.fixture
def bench(tmp_path):
    doctor_bench = DoctorBench(tmp_path)
    yield doctor_bench
    for each in doctor_bench.readers:
        each.process.kill()
        each.process.wait(PATIENCE_SECONDS)
    os.close(doctor_bench.master)
    os.close(doctor_bench.slave)


def test_all_devices(bench):
    """The test picture is shown, presses and bytes are printed as they come, and every device has a finding."""
    running = bench.start("--seconds", "3000")
    running.wait_for_line("Press everything")
    shown = Image.new("1", (128, 64))
    frame = (bench.folder / "frame").read_bytes()
    shown.putdata([255 * (frame[y // 8 * 128 + x] >> y % 8 & 1) for y in range(64) for x in range(128)])
    assert shown.tobytes() == messages.panel_test_picture().tobytes()
    os.write(bench.master, b"5\r\n")
    running.wait_for_line("0x0A")
    with (bench.folder / "pins").open("w", buffering=1) as fingers:
        fingers.write("26 down\n")
        running.wait_for_line("ok pressed")
        fingers.write("26 up\n")
        running.wait_for_line("ok released")
        said = running.interrupt()
    assert running.process.returncode == EXIT_TO_DO
    heard = [line.split(None, 1) for line in said if line.startswith("       ")]
    assert ["keypad", "0x35 '5': key 5"] in heard
    assert ["buttons", "ok pressed"] in heard
    found = {line[7:16].strip(): line for line in said if line[:1].strip()}
    assert found["bus"].startswith("ok     bus       0x3C answers on I2C bus 1.")
    assert "It should show a line along all four edges" in found["panel"]
    assert found["buttons"].startswith("TO DO  buttons   ok worked, up, down, left, right, back did not: press them")
    assert "3 bytes, keys 5 #." in found["keypad"]
    assert "the lamp of seat 1 was lit, the lamp of seat 2 was lit and the buzzer sounded" in found["lamps"]
    outputs = (bench.folder / "outputs").read_text().split("\n")
    assert {"17 1", "17 0", "27 1", "27 0", "18 1", "18 0"} <= set(outputs)


def test_without_listening(bench):
    """With --seconds 0 nothing is waited for, and faults of the devices are still found."""
    (bench.folder / "unplugged").touch()
    (bench.folder / "tty").unlink()
    found = bench.findings("--seconds", "0")
    assert found["panel"]["state"] == found["keypad"]["state"] == found["bus"]["state"] == "do"
    assert found["bus"]["text"].startswith("Nothing answers on I2C bus 1")
    assert found["keypad"]["text"] == f"No keypad: {bench.folder}/tty is missing."
    assert found["buttons"]["state"] == found["lamps"]["state"] == "ok"
    assert found["disk"]["text"] == f"{bench.folder}/data will be created at the first start."


def test_a_stuck_button_is_reported(bench):
    """A button that is down before and after listening is stuck."""
    (bench.folder / "held").write_text("13")
    found = bench.findings("--seconds", "0.2")
    assert found["buttons"]["state"] == "do"
    assert found["buttons"]["text"].startswith("Held down all the time: left.")


@pytest.mark.drill
def test_pins_without_a_press_are_to_be_checked(bench):
    """Nothing works on such a box, so it counts in the exit status."""
    running = bench.start("--seconds", "0.1")
    said = [line for line in running.read_to_end() if line[7:14] == "buttons"]
    assert running.process.returncode == EXIT_TO_DO
    assert said[0].startswith("TO DO  buttons   No button press arrived. Run this again and press every button")


@pytest.mark.drill
def test_a_stuck_back_button_is_reported(bench):
    """BACK counts only when it is let go, but one that stays down is reported."""
    running = bench.start("--seconds", "600")
    running.wait_for_line("Press everything")
    with (bench.folder / "pins").open("w", buffering=1) as fingers:
        fingers.write("21 down\n")
        running.wait_for_line("back held")
        time.sleep(STUCK_SECONDS)
        said = running.interrupt()
    (found,) = (line for line in said if line.startswith("TO DO  buttons"))
    assert "Held down all the time: back" in found


def test_devices_of_a_running_table_are_left_alone(bench):
    """The doctor says so, and the table goes on as before."""
    store = Store(bench.folder / "data")
    found = bench.findings("--seconds", "1")
    store.close()
    assert found["table"]["text"].startswith(
        f"A table is running on {bench.folder}/data, so its devices were not tested"
    )
    assert not {"panel", "bus", "keypad", "buttons", "lamps"} & set(found)
    assert not (bench.folder / "frame").exists()
    assert found["rounds"]["state"] == "ok"
    # Beside other programs that write, this may take seconds, which is a finding.
    assert found["disk"]["state"] == "ok" or found["disk"]["text"].startswith("Slow: a write took")


def test_nothing_to_do_is_exit_status_0(tmp_path, capsys, monkeypatch):
    # Beside other programs that write, this may take seconds.
    monkeypatch.setattr(disk, "SLOW_WRITE_SECONDS", PATIENCE_SECONDS)
    (tmp_path / "config.toml").write_text(BARE_CONFIGURATION)
    status = program.main(["doctor", "--config", f"{tmp_path}/config.toml", "--data", str(tmp_path), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert status == 0, found
    assert {each["state"] for each in found} <= {"ok", "note"}
    assert set(found[0]) == {"about", "state", "text"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[keypad]\nspeed = 9600\n", "there is no key keypad.speed"),
        ('[display]\ndriver = "ssd1351"\n', "display.driver must be one of"),
        ("[buttons]\nup = 2\nok = 5\n", "both use pin 2"),
        ("no toml", "is not TOML"),
    ],
)
def test_an_unusable_configuration(tmp_path, capsys, text, words):
    """File and key are named, the other findings follow, and the exit status is 2."""
    (tmp_path / "config.toml").write_text(text)
    assert program.main(["doctor", "--config", f"{tmp_path}/config.toml", "--seconds", "0"]) == 2
    said = capsys.readouterr().out
    assert words in said
    assert "config.toml" in said
    assert "clock" in said


@pytest.mark.parametrize("seconds", ["-1", "3601", "soon", "nan"])
def test_invalid_seconds_are_refused(capsys, seconds):
    assert program.main(["doctor", "--seconds", seconds]) == 2
    assert "use 0 to 3600 seconds" in capsys.readouterr().err


def test_missing_devices_of_a_running_table_are_findings(tmp_path):
    """Each expected device is a finding, with the reason if it is missing; then the surroundings."""
    away = {"keypad": "no keypad: /dev/x is missing"}
    found = examination.examine_at_table(tmp_path, Config(), ["panel", "keypad", "buttons"], away)
    assert [(each.about, each.state) for each in found[:4]] == [
        ("panel", "ok"), ("keypad", "do"), ("buttons", "ok"), ("settings", "ok")
    ]  # fmt: skip
    assert found[1].text == "No keypad: /dev/x is missing."
    assert [each.about for each in found[4:7]] == ["disk", "rounds", "clock"]


def test_the_box_is_examined_beside_the_loop(tmp_path):
    """The queue knows which devices are missing, and the findings arrive on it in pages."""
    inputs = InputQueue()
    inputs.put(DeviceMissing("panel", "panel unplugged", detail="nothing answers at its address"))
    inputs.put(DeviceMissing("keypad", "keypad unplugged"))
    inputs.put(DeviceReturned("panel"))
    table_startup.start_box_examination(inputs, tmp_path, None, ["panel", "keypad"])
    while not isinstance(event := inputs.queue.get(timeout=PATIENCE_SECONDS), BoxExamined):
        pass
    states = [(each.about, each.state, each.text) for each in event.findings[:2]]
    assert states == [("panel", "ok", "It answers."), ("keypad", "do", "Keypad unplugged.")]


def test_ctrl_c_ends_listening(bench):
    """What came so far is summed up, and this is no failure."""
    running = bench.start("--seconds", "3000")
    running.wait_for_line("Press everything")
    os.write(bench.master, b"7")
    running.wait_for_line("key 7")
    said = "\n".join(running.interrupt())
    assert "1 byte, keys 7." in said
    assert "clock" in said
    assert running.process.returncode == ("TO DO" in said)


def test_it_offers_to_repair(bench):
    """A command that a finding names, and where the panel and the keypad really are: each after a "y" of its own."""
    (bench.folder / "address").write_text("0x3D")
    (bench.folder / "bin").mkdir()
    sudo = bench.folder / "bin" / "sudo"
    sudo.write_text(f'#!/bin/sh\necho "$@" >>{bench.folder}/ran\n')
    sudo.chmod(0o755)
    (bench.folder / "data").mkdir()
    master, slave = pty.openpty()
    port = os.ttyname(bench.slave)
    program = (
        f"from hardware import keypad; keypad.KeypadSearch.__init__.__defaults__ = (lambda: {{{port!r}: {port!r}}},);"
        "from companion.commands.doctor import main;"
        "main(['--config', 'config.toml', '--data', 'data', '--seconds', '5'])"
    )
    (bench.folder / "config.toml").write_text('[keypad]\nport = "/nowhere"\n')
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(bench.folder), "PYTHONUNBUFFERED": "1",
             "PATH": f"{sudo.parent}:{os.environ['PATH']}"},
        cwd=bench.folder, stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    os.write(master, b"y\n" * 9)
    reader = OutputReader(process)
    bench.readers.append(reader)
    reader.wait_for_line("Press everything")
    os.write(bench.master, b"5")
    said = "\n".join(reader.read_to_end())
    assert f"A key came from {port}, which is not configured" in said
    assert settings_file.load_settings(bench.folder / "data") == {
        ("display", "address"): 0x3D, ("keypad", "port"): port,
    }, said  # fmt: skip
    missing = re.findall("`sudo (raspi-config [^`]+)`", said)
    assert (bench.folder / "ran").read_text().splitlines() == [*dict.fromkeys(missing)] if missing else True
    os.close(master)
    os.close(slave)


@pytest.mark.parametrize(("state", "sentence", "command"), [
    ("do", "No permission for /dev/i2c-1: `sudo usermod -aG i2c pi`, then log in again.", "sudo usermod -aG i2c pi"),
    ("note", "Run `sudo systemctl stop companion` first.", ""),
    ("do", "Run `sudo timedatectl set-time 'YYYY-MM-DD hh:mm'`.", ""),
    ("do", "`ls /dev/serial/by-id/` lists its name.", ""),
])  # fmt: skip
def test_which_commands_repair(state, sentence, command):
    assert Finding("i2c", state, sentence).command == command
