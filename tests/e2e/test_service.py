"""What the real program reports to the service manager, and what the panel says when the disk is to blame."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import queue
import random
import shutil
import signal
import socket
import subprocess
import threading
import time
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from companion.display import table_pictures
from companion.panel import widgets
from companion.panel.canvas import Canvas

ROUND = ("--game", "27", "--players", "Ann,Ben")
BROKEN_CALLBACK = """
import lgpio
def _broken(*edge):
    raise ValueError("a fault in a callback")
lgpio._notify_thread.append(lgpio._callback_ADT(0, 5, lgpio.BOTH_EDGES, _broken))
"""
"""Code added to the program: the pin library's own thread, with a callback that fails at its first edge."""
BROKEN_READER = """
import serial
_read = serial.Serial.read
def _fail(port, size=1):
    read = _read(port, size)
    if read == b"!":
        raise RuntimeError("a fault in the reader")
    return read
serial.Serial.read = _fail
"""
"""The same for the keypad: its reader fails at an exclamation mark with an unforeseen error."""
BROKEN_LOOP = """
import sys
def _fault(frame, event, argument):
    if event == "call" and frame.f_code.co_name == "take_press" and frame.f_locals["press"].key == "D":
        raise ZeroDivisionError("a fault in the session")
sys.setprofile(_fault)
"""
"""The same for the loop, at a D; only in the main thread, like a profiler."""


PAGES_TO_FILL = 10_000
"""More pages than the small disk has."""
PATIENCE = 60.0


class ServiceManager:
    """The other end of sd_notify: each datagram with the time of its arrival.

    A thread reads them at once, since the program drops what there is no room for.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._channel = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._channel.bind(path)
        self._heard: queue.Queue[tuple[str, float]] = queue.Queue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def next_datagram(self, timeout: float = PATIENCE) -> tuple[str, float]:
        """The next datagram; ("", now) if none comes."""
        try:
            return self._heard.get(timeout=timeout)
        except queue.Empty:
            return "", time.monotonic()

    def time_of_datagram(self, wanted: str, timeout: float = PATIENCE) -> float:
        """The time at which `wanted` came."""
        end, heard = time.monotonic() + timeout, []
        while time.monotonic() < end:
            said, at = self.next_datagram(end - time.monotonic())
            if said == wanted:
                return at
            heard.append(said)
        raise AssertionError(f"{wanted} did not come, but {heard}")

    def skip_old_datagrams(self) -> None:
        """Skip what was sent before now."""
        self._say("drained")
        self.time_of_datagram("drained")

    def close(self) -> None:
        self._say("")
        self._listener.join(PATIENCE)
        self._channel.close()

    def _listen(self) -> None:
        while said := self._channel.recv(4096).decode():
            self._heard.put((said, time.monotonic()))

    def _say(self, text: str) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
            channel.sendto(text.encode(), self._path)


def thread_states(pid: int) -> set[str]:
    """The states of a process's threads: R, S, T and so on."""
    return {task.read_text().rpartition(")")[2].split()[0] for task in Path(f"/proc/{pid}/task").glob("*/stat")}


@pytest.fixture
def manager(tmp_path, monkeypatch):
    """A service manager with a watchdog of one second."""
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    monkeypatch.setenv("WATCHDOG_USEC", "1000000")
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    made = ServiceManager(str(tmp_path / "notify"))
    yield made
    made.close()


def test_the_service_is_ready_with_its_first_picture_and_stops_with_a_goodbye(box, manager, matches):
    """READY comes once the panel shows a picture, WATCHDOG each half second, STOPPING and the goodbye at the end."""
    table = box(*ROUND)
    table.start()
    manager.time_of_datagram("READY=1")
    assert table.is_panel_lit(), "READY before the first picture"
    beats = [manager.time_of_datagram("WATCHDOG=1") for _ in range(4)]
    # A busy machine may be late for many, but for none too early.
    while min(later - earlier for earlier, later in pairwise(beats)) >= 0.8:
        assert len(beats) < 60, beats
        beats.append(manager.time_of_datagram("WATCHDOG=1"))
    assert table.stop() == 0
    assert manager.time_of_datagram("STOPPING=1")
    matches(table, "27/10-goodbye")


@pytest.mark.drill
def test_the_watchdog_starves_when_a_callback_thread_dies(box, manager, tmp_path, matches):
    """The pin library's thread dies of an error in a callback: panel and log say so, and the watchdog gets nothing."""
    # Not imported here: its FIFO would lie in this process's folder, and stay.
    if importlib.util.find_spec("lgpio") is None:
        pytest.skip("lgpio is not installed")
    table = box(*ROUND)
    with (tmp_path / "sitecustomize.py").open("a") as program:
        program.write(BROKEN_CALLBACK)
    table.start()
    manager.time_of_datagram("READY=1")
    assert manager.time_of_datagram("WATCHDOG=1")
    fifo = next(tmp_path.glob(".lgd-nfy*"))
    fifo.open("wb").write((1).to_bytes(8, "little") + bytes([0, 5, 1, 0]) + bytes(4))
    end = time.monotonic() + PATIENCE
    while "a fault in a callback" not in table.log_text:
        assert time.monotonic() < end
        time.sleep(0.01)
    matches(table, "buttons-stopped")
    manager.skip_old_datagrams()
    assert manager.next_datagram(1.6)[0] == "", "the watchdog is fed with dead buttons"
    table.type_keys("13#")  # The keypad's table goes on until the manager has lost its patience.
    table.settled_picture()
    assert "\n1: 1x3\n" in table.exported_record()
    assert table.log_text.count("the buttons stopped: only a restart of the program helps") == 1
    assert "Traceback" not in table.log_text
    assert table.process.poll() is None
    assert table.stop() == 0


@pytest.mark.drill
def test_a_reader_that_dies_is_started_anew(box, manager, tmp_path, matches):
    """If the keypad's thread dies of an error, a new one replaces it at once; one that always dies needs a restart."""
    table = box(*ROUND)
    with (tmp_path / "sitecustomize.py").open("a") as program:
        program.write(BROKEN_READER)
    table.start()
    manager.time_of_datagram("READY=1")
    table.settled_picture()
    table.type_keys("!")
    matches(table, "keypad-revived")
    table.type_keys("13#")
    table.settled_picture()
    assert "\n1: 1x3\n" in table.exported_record()
    assert table.log_text.count("a fault in the reader): it was restarted") == 1
    for _ in range(3):
        manager.skip_old_datagrams()
        assert manager.time_of_datagram("WATCHDOG=1")
        table.type_keys("!")
        table.settled_picture()
    matches(table, "keypad-stopped")
    manager.skip_old_datagrams()
    assert manager.next_datagram(1.6)[0] == ""
    assert table.log_text.count("only a restart of the program helps") == 1
    assert "Traceback" not in table.log_text
    assert table.stop() == 0


def test_the_watchdog_starves_when_the_loop_does(box, manager):
    """A blocked program sends nothing to the watchdog, and starts again once it continues."""
    table = box(*ROUND)
    table.start()
    manager.time_of_datagram("READY=1")
    table.process.send_signal(signal.SIGSTOP)
    while thread_states(table.process.pid) != {"T"}:
        time.sleep(0.01)
    manager.skip_old_datagrams()
    assert manager.next_datagram(1.2)[0] == ""
    table.process.send_signal(signal.SIGCONT)
    try:
        assert manager.time_of_datagram("WATCHDOG=1")
    except AssertionError as error:
        process = table.process
        raise AssertionError(f"{error}; {process.poll()}, {thread_states(process.pid)}, {table.log_text}") from None


@pytest.mark.drill
def test_a_file_of_rounds_overwritten_while_running_is_repaired(box):
    """Junk is written over one file in the middle of a round; the round continues and is saved completely."""
    table = box(*ROUND)
    table.start()
    table.type_keys("13#92#")
    table.settled_picture()
    (table.data / "rounds.journal").write_bytes(random.Random(1).randbytes(8192))
    table.type_keys("11#")
    table.settled_picture()
    assert "rounds.journal was damaged and has been repaired from the other file: nothing is lost" in table.log_text
    table.cut_power()
    assert [line for line in table.exported_record().splitlines() if line[:2] in ("1:", "2:")] == [
        "1: 1x3",
        "2: 9x2",
        "1: 1x1",
    ]


@pytest.fixture
def small_disk(tmp_path):
    """Mounts a disk of 1 MiB at the box's data folder."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    where = tmp_path / "data"
    where.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", where], timeout=PATIENCE, check=False
    ).returncode:
        pytest.skip("this machine does not let root mount a disk")
    yield where
    subprocess.run(["umount", "--lazy", where], timeout=PATIENCE, check=True)


def fill_disk(disk) -> None:
    """Fill a disk to its last byte."""
    with (disk / "ballast").open("wb", buffering=0) as ballast, contextlib.suppress(OSError):
        for _ in range(PAGES_TO_FILL):
            ballast.write(bytes(4096))


def banner_picture(first: str, second: str) -> Image.Image:
    """A picture with a banner and nothing else."""
    canvas = Canvas()
    table_pictures.draw_banner(canvas, first, second)
    return canvas.image


def strip_rows(image: Image.Image) -> bytes:
    """The lower part of a picture, where banners are."""
    return image.crop((0, widgets.DETAIL_ROW, 128, 64)).tobytes()


def shifted_strips(image: Image.Image) -> list[bytes]:
    """The lower part of a picture, wherever the shift against burn-in has moved it."""
    return [strip_rows(ImageChops.offset(image, shift, 0)) for shift in (-1, 0, 1)]


@pytest.mark.drill
def test_a_move_that_the_full_disk_refused_is_not_played(box, small_disk, tmp_path):
    """The panel says why, the log once, the draft stays, and with room on the disk the same OK plays it."""
    table = box(*ROUND)
    table.start()
    table.type_keys("13#")
    shown = table.settled_picture()
    fill_disk(small_disk)
    # The files may have room for another move: moves are taken until one is refused.
    for keys in ("92#", "11#", "91#", "21#"):
        table.type_keys(keys)
        shown = table.settled_picture()
        if "Not saved: the disk is full." in table.log_text:
            break
    else:
        pytest.fail("the disk was never full")
    told = shifted_strips(banner_picture("Not saved: the disk", "is full."))
    for _ in range(3):
        assert strip_rows(shown) in told
        table.type_keys("#")
        shown = table.settled_picture()
    assert table.log_text.count("Not saved: the disk is full.") == 1
    assert table.process.poll() is None
    before = [line for line in table.exported_record().splitlines() if line[1:2] == ":"]
    (small_disk / "ballast").unlink()
    table.type_keys("#")
    assert table.settled_picture().tobytes() != shown.tobytes()
    after = [line for line in table.exported_record().splitlines() if line[1:2] == ":"]
    assert after[: len(before)] == before
    assert len(after) == len(before) + 1
    assert table.stop() == 0


@pytest.mark.drill
def test_a_table_that_cannot_start_shows_so_on_its_panel(box, small_disk, matches):
    """With a disk that is full from the start the panel names the reason, since nobody at a table reads a log."""
    fill_disk(small_disk)
    table = box(*ROUND)
    table.start()
    assert table.process.wait(PATIENCE) == 2
    assert "companion: The data folder" in table.log_text or "cannot be opened: the disk" in table.log_text
    assert isinstance(table.panel_picture(), Image.Image)
    matches(table, "cannot-start")


def test_a_fault_in_the_loop_ends_the_program(box, tmp_path, matches):
    """An unforeseen error: a sentence on the panel, one in the log, and a status that causes a restart."""
    table = box(*ROUND)
    with (tmp_path / "sitecustomize.py").open("a") as program:
        program.write(BROKEN_LOOP)
    table.start()
    table.type_keys("13#")
    table.settled_picture()
    table.type_keys("D")
    assert table.process.wait(PATIENCE) == 70
    matches(table, "program-fault")
    assert table.log_text.count("an error in the program itself (ZeroDivisionError: a fault in the session)") == 1
    assert "Traceback" not in table.log_text
    assert "\n1: 1x3\n" in table.exported_record()


def test_a_second_table_leaves_the_first_one_alone(box, tmp_path):
    """A second table ends with a sentence, and draws nothing over the picture of the first."""
    table = box(*ROUND)
    table.start()
    wires = box(*ROUND, folder=tmp_path / "second")
    second = subprocess.run(
        [*map(str, table.command), *ROUND],
        env=wires.environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert second.returncode == 2
    assert "Another table is running on" in second.stderr
    assert (wires.folder / "log").read_text() == ""
    assert not (wires.folder / "frame").exists()
    assert table.stop() == 0


@pytest.mark.drill
def test_a_slow_card_is_reported_and_is_no_reason_for_a_restart(box, manager):
    """With 1.5 seconds for each access to the file the panel says so, the watchdog is fed, and the move is saved."""
    assert shutil.which("strace"), "strace is not installed"
    table = box(*ROUND)
    table.start()
    manager.time_of_datagram("READY=1")
    table.settled_picture()
    slow = "inject=write,pwrite64,fdatasync,fsync:delay_enter=1500000"
    names = ("journal", "db", "db-wal", "sums")
    files = [word for name in names for word in ("-P", str(table.data / f"rounds.{name}"))]
    command = ["strace", "-f", "-o", table.folder / "trace", "-p", str(table.process.pid), *files, "-e", slow]
    tracer = subprocess.Popen([*map(str, command)], stderr=subprocess.PIPE)
    try:
        while b"attached" not in tracer.stderr.readline():
            assert tracer.poll() is None
        table.type_keys("13#")
        told, beats, end = shifted_strips(banner_picture("Saving…", "")), 0, time.monotonic() + 2 * PATIENCE
        while strip_rows(table.panel_picture()) not in told:
            assert time.monotonic() < end, "nothing is told"
            time.sleep(0.01)
        manager.skip_old_datagrams()
        while strip_rows(table.panel_picture()) in told:
            assert time.monotonic() < end, "the move is never kept"
            beats += manager.next_datagram()[0] == "WATCHDOG=1"
        assert beats > 2, "the watchdog would have ended the table"
        table.settled_picture()
        assert "\n1: 1x3\n" in table.exported_record()
    finally:
        tracer.terminate()
        tracer.wait(PATIENCE)
    assert (table.folder / "trace").read_text().count("(DELAYED)") > 2
    assert table.stop() == 0
    assert "Traceback" not in table.log_text
