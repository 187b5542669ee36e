"""The start of `companion run`: what is loaded before the title is shown, and in which order things begin."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion import UnusableError, display
from companion.__main__ import main
from companion.commands import run
from companion.config import Config
from companion.evening import state_machine
from companion.panel import fonts
from companion.panel.canvas import Canvas
from companion.rounds.stored import SessionSettings, StoredHistory
from companion.store import store as store_module
from companion.store.data_folder import LOCK_NAME, refuse_second_table
from companion.store.errors import FolderInUseError, failure_reason
from companion.store.store import Store
from hardware.devices import Devices

LATE_MODULES = (
    "companion.evening.state_machine",
    "companion.store.store",
    "companion.table.loop",
    "companion.display.dispatch",
    "sqlite3",
    "gpiozero",
)

PHONE_MODULES = ("xml.etree.ElementTree", "companion.web", "companion.report.plots", "importlib.metadata")
"""Modules that need memory, and that a table without phones and big screens never needs."""


class RecordingPart:
    """A device or a screen that records its calls."""

    def __init__(self, name, calls):
        self._name, self._calls = name, calls

    def __getattr__(self, what):
        return lambda *arguments, **more: self._calls.append(f"{self._name} {what}")


def test_the_title_loads_nothing_slow():
    """Nothing slow that can wait is loaded until the title is drawn and the panel's driver is there."""
    program = (
        "import sys; from companion.commands import run; from companion import display; from hardware import devices;"
        "from companion.config import Config; display.title_picture(); devices.make_devices(Config(), print);"
        f"print([name for name in {LATE_MODULES} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"


def test_a_table_without_phones_loads_nothing_for_them():
    """A module that only boards need would take memory at every table."""
    program = (
        "import sys; import companion.commands.run, companion.evening.state_machine, companion.table.loop,"
        "companion.store.store,companion.table.workers, companion.display;"
        f"print([name for name in {PHONE_MODULES} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"


def test_the_title_is_the_sessions_first_picture():
    """When the session is there, no pixel of the panel changes."""
    first = state_machine.start_session(SessionSettings(), StoredHistory())
    assert display.title_picture().tobytes() == display.session_picture(first).tobytes()


def test_devices_open_in_order():
    """First the keypad's port, then the title, which is waited for, then the pins."""
    calls = []
    sources = {"buttons": RecordingPart("buttons", calls), "keypad": RecordingPart("keypad", calls)}
    devices = Devices(RecordingPart("screen", calls), RecordingPart("lamps", calls), sources, Config(), calls.append)
    devices.start(display.title_picture())
    order = ["keypad start", "screen show", "screen start", "screen wait_until_shown", "buttons start", "lamps start"]
    assert calls == order
    calls.clear()
    devices.start()
    assert calls == [step for step in order if step not in ("screen show", "screen wait_until_shown")]


def test_a_second_table_opens_no_device(tmp_path, monkeypatch):
    """The second table is refused before it could draw over the first table's panel."""
    monkeypatch.setattr("hardware.devices.make_devices", lambda *arguments: pytest.fail("it opened its devices"))
    store = Store(tmp_path)
    with pytest.raises(UnusableError, match="Another table is running"):
        run.main(["--data", str(tmp_path)])
    store.close()


@pytest.mark.parametrize("text", ["[display]\ndriver = 'no-such-driver'\n", "[display]\nbus = 'one'\n", "[display\n"])
def test_a_bad_configuration_has_its_own_exit_status(tmp_path, text):
    """With 78 the service manager does not restart the program; every other refusal has 2."""
    (tmp_path / "config.toml").write_text(text)
    assert main(["run", "--config", str(tmp_path / "config.toml"), "--data", str(tmp_path)]) == 78
    assert main(["history", "--config", str(tmp_path / "config.toml")]) == 2
    unit = (Path(__file__).parent.parent.parent / "systemd/companion.service").read_text()
    assert "\nRestartPreventExitStatus=78\n" in unit


def test_a_folder_as_picture_is_a_bad_configuration(tmp_path, capsys):
    """Nothing is written to that folder."""
    (tmp_path / "config.toml").write_text("[display]\ndriver = 'png'\npath = '/'\n[buttons]\nboard = 'none'\n")
    assert main(["run", "--config", str(tmp_path / "config.toml"), "--data", str(tmp_path)]) == 78
    assert "display.path names /: it is a folder or a device" in capsys.readouterr().err


def test_asking_whether_a_table_runs_leaves_no_trace(tmp_path):
    """The question creates no file, works on any folder, and holds no lock."""
    refuse_second_table(tmp_path)
    refuse_second_table(tmp_path / "none")
    (tmp_path / "file").touch()
    refuse_second_table(tmp_path / "file")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    (tmp_path / LOCK_NAME).touch()
    refuse_second_table(tmp_path)
    store = Store(tmp_path)
    with pytest.raises(FolderInUseError, match="Another table is running"):
        refuse_second_table(tmp_path)
    store.close()
    refuse_second_table(tmp_path)


READ_ONLY = OSError(errno.EROFS, os.strerror(errno.EROFS))
REASONS = [
    READ_ONLY,
    OSError(errno.ENOSPC, ""),
    OSError(errno.EIO, ""),
    PermissionError(errno.EACCES, ""),
    OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)),
]


@pytest.mark.parametrize("error", REASONS, ids=repr)
def test_the_panel_shows_the_whole_reason(monkeypatch, tmp_path, error):
    """However long the reason is: nobody at a table reads a log."""
    monkeypatch.setattr(fonts, "on_text_cut", lambda whole, shown: pytest.fail(f"{whole!r} is shown as {shown!r}"))
    shown, drawn = [], Canvas.text

    def text(canvas, x, y, s, *more, **options):
        shown.append(s)
        return drawn(canvas, x, y, s, *more, **options)

    def fail(*_, **__):
        raise error

    monkeypatch.setattr(Canvas, "text", text)
    monkeypatch.setattr(store_module, "lock_folder", fail)
    config = "[display]\ndriver = 'png'\npath = 'panel.png'\n[buttons]\nboard = 'none'\n"
    (tmp_path / "config.toml").write_text(config)
    assert main(["run", "--config", str(tmp_path / "config.toml"), "--data", str(tmp_path / "data")]) == 2
    assert failure_reason(error)[1:] in " ".join(shown)
