"""`companion replay`: in words, as pictures, and by keys in a real terminal."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
import threading
import time
from pathlib import Path

import pytest
from PIL import Image, ImageSequence

from companion.__main__ import main
from companion.commands.replay import next_picture_number
from companion.display import replay_pictures
from companion.rounds import record, replaying
from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.store import Store

RECORDS = Path(__file__).parent.parent / "records"
REEF_RECORD = RECORDS / "coral-reef-cards.tcr"


def round_of(path: Path):
    return replaying.replay_record(record.check_record(path.read_text()))


@pytest.fixture
def data_folder(tmp_path) -> Path:
    """A stored round of Coral Reef that is not over: Ann's hand is open, and she has drawn."""
    store = Store(tmp_path / "data")
    header = RoundHeader("coral-reef", (("form", "cards"),), ("Ann", "Ben"), opened=(("deal", 1),))
    store.write_entries(
        [LogEntry(1, "begin", header=header), LogEntry(1, "deal", 1, "45TTTTTK"), LogEntry(1, "event", 1, "1:45")]
    )
    store.write_entries([LogEntry(1, "event", 2, "1:5"), LogEntry(1, "event", 1, "draw 3")])
    store.close()
    return tmp_path / "data"


def test_a_record_is_printed_move_by_move(capsys):
    """Without a terminal there is a line for each picture: the move, and the counts after it."""
    assert main(["replay", str(REEF_RECORD)]) == 0
    lines = capsys.readouterr().out.splitlines()
    report = record.check_record(REEF_RECORD.read_text())
    assert lines[0] == "Coral Reef (form cards): Ann - Ben"
    assert lines[2].split(maxsplit=2) == ["1", "Ann", "2:7K5   5 : 8"]
    assert len(lines) == 1 + 1 + len(report.events) + 1
    assert lines[-1] == "Ann wins: last coral placed"


def test_a_broken_record_is_replayed_up_to_its_fault(capsys, tmp_path):
    """The fault follows as `companion check` prints it; without a position there is no replay."""
    path = str(RECORDS / "27-overshoot.tcr")
    assert main(["replay", path]) == 1
    out, err = capsys.readouterr()
    stood = len(record.check_record(Path(path).read_text()).events)
    assert out.splitlines()[-2].split()[:2] == [str(stood), "Ben"]
    assert main(["check", path]) == 1
    assert err == capsys.readouterr().out
    (tmp_path / "a.tcr").write_text("companion-record: 1\ngame: chess\n")
    assert main(["replay", str(tmp_path / "a.tcr")]) == 2
    assert "line 2: game chess" in capsys.readouterr().err


def test_an_unfinished_round_hides_its_pieces(data_folder, capsys):
    """A piece that was drawn into a hand is a dot while the round is not over."""
    assert main(["replay", "--data", str(data_folder)]) == 0
    output = capsys.readouterr().out
    assert "drew •" in output
    assert "drew 3" not in output
    assert main(["replay", "1", "--data", str(data_folder)]) == 0
    assert capsys.readouterr().out == output
    assert main(["replay", "2", "--data", str(data_folder)]) == 2
    assert "there is no round 2" in capsys.readouterr().err


def test_a_picture_a_move(tmp_path, capsys):
    """`--png` writes every picture up to the result, and never mixes two rounds in one folder."""
    assert main(["replay", str(REEF_RECORD), "--png", str(tmp_path / "one")]) == 0
    assert main(["replay", str(REEF_RECORD), "--png", str(tmp_path / "big"), "--scale", "3"]) == 0
    round_ = round_of(REEF_RECORD)
    files = sorted((tmp_path / "one").iterdir())
    assert [file.name for file in files] == [f"{index:03}.png" for index in range(len(round_.events) + 2)]
    for index, file in enumerate(files):
        with Image.open(file) as picture:
            assert picture.mode == "1"
            assert picture.tobytes() == replay_pictures.round_picture(round_, index).tobytes()
    with Image.open(tmp_path / "big" / "000.png") as large:
        assert large.size == (384, 192)
        assert (
            large.resize((128, 64), Image.Resampling.NEAREST).tobytes()
            == replay_pictures.round_picture(round_, 0).tobytes()
        )
    assert main(["replay", str(REEF_RECORD), "--png", str(tmp_path / "one")]) == 2
    assert "pictures in" in capsys.readouterr().err


def test_an_animation_shows_the_result_longest(tmp_path):
    """`--gif` enlarges every picture four times, and repeats."""
    file = tmp_path / "reef.gif"
    assert main(["replay", str(REEF_RECORD), "--gif", str(file)]) == 0
    round_ = round_of(REEF_RECORD)
    with Image.open(file) as gif:
        frames = [frame.convert("1") for frame in ImageSequence.Iterator(gif)]
        times = [frame.info["duration"] for frame in ImageSequence.Iterator(gif)]
        assert (gif.size, gif.info["loop"]) == ((512, 256), 0)
    marked = [
        number
        for number in range(1, len(round_.events) + 1)
        if replay_pictures.move_input_picture(round_, number) is not None
    ]
    assert len(marked) > len(round_.events) // 2
    assert len(frames) == replaying.last_picture_number(round_) + 1 + len(marked)
    small = frames[-1].resize((128, 64), Image.Resampling.NEAREST)
    assert small.tobytes() == replay_pictures.round_picture(round_, replaying.last_picture_number(round_)).tobytes()
    assert times[-1] == max(times) > 2 * times[2]
    assert sorted(times[1:-1]) == [700] * len(marked) + [900] * (replaying.last_picture_number(round_) - 1)


@pytest.mark.parametrize(
    ("number", "key", "then"),
    [
        (0, "right", 1),
        (9, "6", 9),
        (3, "4", 2),
        (0, "left", 0),
        (5, "home", 0),
        (5, "8", 9),
        (5, "C", 5),
        (5, "*", None),
    ],
)
def test_what_the_keys_do(number, key, then):
    """They never lead past the start or the end; other keys do nothing."""
    assert next_picture_number(number, key, last=9) == then


def test_unusable_arguments_are_refused(capsys):
    for arguments in (["--scale", "0"], ["no-such-file.tcr"], [str(REEF_RECORD), "--gif", "/no/such/folder/a.gif"]):
        assert main(["replay", *arguments]) == 2
        assert capsys.readouterr().err.count("\n") == 1


# -- in a terminal, with a panel ----------------------------------------------------------------------------------


PATIENCE_SECONDS = 60.0


class ReplayProcess:
    """`companion replay --panel` in a terminal of its own; its panel is a PNG file."""

    def __init__(self, folder: Path, *arguments: object) -> None:
        self.panel = folder / "panel.png"
        (folder / "config.toml").write_text(f'[display]\ndriver = "png"\npath = "{self.panel}"\n')
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 140, 0, 0))
        command = [sys.executable, "-m", "companion", "replay", *map(str, arguments), "--panel"]
        command += ["--config", str(folder / "config.toml"), "--data", str(folder / "data")]
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=subprocess.PIPE, env={**os.environ, "TERM": "xterm"}
        )
        os.close(slave)
        threading.Thread(target=self.read_output, daemon=True).start()

    def read_output(self) -> None:
        """Read the output, so that the terminal does not block."""
        with contextlib.suppress(OSError):
            while os.read(self.master, 65536):
                pass

    def wait_for_picture(self, picture: Image.Image) -> None:
        """Wait until the panel shows a picture. Returns whether it does."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not self.panel.exists() or Image.open(self.panel).tobytes() != picture.tobytes():
            assert self.process.poll() is None, f"it ended with {self.process.returncode}"
            assert time.monotonic() < end, "the panel never showed it"
            time.sleep(0.01)

    def type_keys(self, keys: bytes) -> None:
        os.write(self.master, keys)


@pytest.fixture
def start_replay(tmp_path):
    """Returns `start_replay(file)`, which starts a `ReplayProcess`; all are ended."""
    replays: list[ReplayProcess] = []

    def walk(*arguments: object) -> ReplayProcess:
        replays.append(ReplayProcess(tmp_path, *arguments))
        return replays[-1]

    yield walk
    for each in replays:
        each.process.kill()
        each.process.wait(PATIENCE_SECONDS)


def test_a_round_is_walked_through_by_keys(start_replay):
    """Right, End and left in a terminal show the same pictures on the panel; `*` leaves."""
    round_ = round_of(REEF_RECORD)
    walk = start_replay(REEF_RECORD)
    walk.wait_for_picture(replay_pictures.round_picture(round_, 0))
    walk.type_keys(b"\x1b[C6")
    walk.wait_for_picture(replay_pictures.round_picture(round_, 2))
    walk.type_keys(b"\x1b[4~")
    walk.wait_for_picture(replay_pictures.round_picture(round_, replaying.last_picture_number(round_)))
    walk.type_keys(b"\x1b[D\x1b[D")
    walk.wait_for_picture(replay_pictures.round_picture(round_, replaying.last_picture_number(round_) - 2))
    walk.type_keys(b"*")
    assert walk.process.wait(PATIENCE_SECONDS) == 0


def test_the_panel_is_left_to_a_running_table(data_folder, start_replay):
    """`--panel` is refused in a sentence while a table is running on the folder."""
    store = Store(data_folder)
    walk = start_replay(REEF_RECORD)
    _, err = walk.process.communicate(timeout=PATIENCE_SECONDS)
    store.close()
    assert walk.process.returncode == 2
    assert b"Another table is running" in err
    assert not walk.panel.exists()
