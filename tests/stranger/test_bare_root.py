"""README's two commands on a machine that is not ours: a bare Debian with its HOME, PATH and LANG, and nothing else."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import tempfile
import termios
import time
from pathlib import Path

import debian
import pytest
from terminal import Screen

from companion import screens
from companion import session as sessions
from companion.inputs import Pressed, Tick
from companion.session.model import Settings, StoredHistory
from hardware import blocks

README = (debian.CHECKOUT / "README.md").read_text()
COMMANDS = {name: text.strip() for name, text in re.findall(r"<!-- (start|tests) -->\n```sh\n(.*?)```", README, re.S)}
"""The two commands, by the marks above them; they are run word for word."""
CLONE = "/srv/tabletop-companion"
ENVIRONMENT = ("HOME=/root", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8")
INSTALLED = 600.0
"""Seconds in which the installation has to be over and the table has to show."""
PATIENCE = 60.0
SIZE = (140, 40)


class Root:
    """A bare Debian with a clone in it; each command finds it as it was unpacked."""

    def __init__(self, folder: Path, release: str) -> None:
        self.folder = folder
        self.release = release
        debian.unpack(folder / "unpacked", release)
        debian.copy_checkout(folder / "unpacked" / CLONE[1:])

    def fresh(self, name: str) -> Path:
        """The root for a command."""
        subprocess.run(
            ["cp", "-a", "--reflink=auto", self.folder / "unpacked", self.folder / name], timeout=INSTALLED, check=True
        )
        return self.folder / name

    def inside(self, root: Path, command: str, *more: str, console: str = "pipe") -> list[str | Path]:
        """What runs a command in the clone, by root, without any service; its environment has `more` besides."""
        call = ["systemd-nspawn", "-q", "-D", root, "--register=no", "--keep-unit", f"--console={console}"]
        binds = [f"--bind-ro={path}" for path in debian.local_indexes()]
        clean = ["/usr/bin/env", "-i", *ENVIRONMENT, *more]
        return [*call, *binds, "--", *clean, "bash", "-c", f"cd {CLONE} && {command}"]


@pytest.fixture
def bare():
    """`bare("bookworm")`: a `Root` of that release."""
    for tool in ("mmdebstrap", "systemd-nspawn"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    if os.geteuid() != 0:
        pytest.skip("only root can make a Debian root")
    # Not below pytest's folders, which it keeps for a while: a root is a third of a gigabyte.
    with tempfile.TemporaryDirectory(prefix="bare-", ignore_cleanup_errors=True) as folder:
        yield lambda release: Root(Path(folder), release)


class Terminal:
    """A command on a pseudo-terminal, what it writes put on a model of a screen."""

    def __init__(self, command: list[str | Path]) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
        os.close(slave)
        self.screen = Screen()
        self.written = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def until(self, holds, seconds: float) -> bool:
        """Take what is written until something holds, or it ends, or so many seconds are over; whether it holds."""
        end = time.monotonic() + seconds
        while not holds():
            ready, _, _ = select.select([self.master], [], [], max(0.0, end - time.monotonic()))
            if not ready or not self._take():
                return bool(holds())
        return True

    def shows(self, session, seconds: float = PATIENCE) -> None:
        """Wait for the picture of a session."""
        wanted = [line.rstrip() for line in blocks.lines(screens.draw(session), blocks.HALF)]
        shown = self.until(lambda: [self.screen.line(row + 1).rstrip() for row in range(32)] == wanted, seconds)
        assert shown, "\n".join([self.written[-3000:], *wanted])

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE)
        os.close(self.master)

    def _take(self) -> bool:
        try:
            text = self._decoder.decode(os.read(self.master, 65536))
        except OSError:  # Nobody is at the other end any more.
            return False
        self.written += text
        begun = self.written.find("\x1b[?1049h")
        if self.screen.written:
            self.screen.feed(text)
        elif begun >= 0:  # What apt and pip write before is not the table's.
            self.screen.feed(self.written[begun:])
        return True


def pressed(session, keys: str):
    """The session after some keys."""
    for key in keys:
        session = sessions.update(session, Pressed(key, session.clock + 2.0))
    return session


def started(root: Root) -> float:
    """The start command leads to a table, a first move, and a peaceful end by Ctrl-C; seconds until it showed."""
    here = root.fresh("start")
    begun = time.monotonic()
    table = Terminal(root.inside(here, COMMANDS["start"], "TERM=xterm-256color", console="interactive"))
    try:
        menu = sessions.update(sessions.start(Settings(terminal=True), StoredHistory()), Tick(3.0))
        table.shows(menu, INSTALLED)
        seconds = time.monotonic() - begun
        turn = pressed(menu, "2###")
        assert type(turn.mode).__name__ == "Playing"
        table.type("2###")
        table.shows(turn)
        table.type("13#")
        table.shows(pressed(turn, "13#"))
        table.type("\x03")
        table.until(lambda: False, PATIENCE)
        assert table.process.wait(PATIENCE) == 0, table.written[-3000:]
        # What may follow are systemd-nspawn's own words.
        left = table.written.rpartition("\x1b[?1049l")[2]
        assert left.startswith("All is kept.\r\n"), table.written[-300:]
        assert "Traceback" not in table.written
    finally:
        table.close()
    kept = subprocess.run(
        root.inside(here, ".venv/bin/companion export"), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert "\n1: 1x3\n" in kept.stdout, kept
    return seconds


def suite_passes(root: Root) -> float:
    """The test command passes; how many seconds it took."""
    here = root.fresh("tests")
    begun = time.monotonic()
    log = root.folder / "log"
    with log.open("wb") as file:
        done = subprocess.run(
            root.inside(here, COMMANDS["tests"]),
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            timeout=1500,
            check=False,
        )
    said = log.read_text(errors="replace")
    assert done.returncode == 0, said[-20_000:]
    print(said.strip().splitlines()[-1])
    return time.monotonic() - begun


@pytest.mark.drill
@pytest.mark.parametrize("release", ["bookworm", "trixie"])
def test_the_commands_of_the_readme(bare, release, record_property):
    """Both commands do what the README promises, on either Debian, as root without sudo."""
    assert set(COMMANDS) == {"start", "tests"}
    begun = time.monotonic()
    root = bare(release)
    figures = {"root_s": round(time.monotonic() - begun), "menu_s": round(started(root)), "tests_s": 0}
    figures["tests_s"] = round(suite_passes(root))
    record_property("figures", str(figures))
    print(f"{release}: {figures}")
