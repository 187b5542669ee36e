"""README's two commands on a bare Debian, with only HOME, PATH and LANG set."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import debian_roots
import pytest
from terminal import Terminal, keys_to_players, main_menu_session, session_after_keys

README = (debian_roots.CHECKOUT / "README.md").read_text()
COMMANDS = {name: text.strip() for name, text in re.findall(r"<!-- (start|tests) -->\n```sh\n(.*?)```", README, re.S)}
"""The two commands, by the marks above them; they are run word for word."""
PATHS = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
USER_ID = 1000
"""The user id of the user who is not root; sudo asks for no password."""
HOMES = {"root": "/root", "joerg": "/home/Jörg Müller"}
"""User → the home that holds the clone, which nobody else may enter."""
SUITE_SECONDS = 1800.0
"""Seconds in which the tests must be over, also beside other drills."""
INSTALLATION_SECONDS = 600.0
"""Seconds in which the installation must be over and the table must show."""
PATIENCE = 60.0
MAX_FAILURE_LETTERS = 8000
"""The number of letters of a failure that are shown."""


class Root:
    """A bare Debian with a clone of the project in the home of `user`."""

    def __init__(self, folder: Path, release: str, user: str) -> None:
        self.log = folder / "log"
        self.root = folder / "root"
        self.user, self.home = user, HOMES[user]
        debian_roots.unpack_root(self.root, release, "sudo" if user != "root" else "")
        home = self.root / self.home[1:]
        debian_roots.copy_checkout(home / "tabletop-companion")
        if user != "root":
            with (self.root / "etc/passwd").open("a") as users:
                users.write(f"{user}:x:{USER_ID}:{USER_ID}::{self.home}:/bin/bash\n")
            with (self.root / "etc/group").open("a") as groups:
                groups.write(f"{user}:x:{USER_ID}:\n")
            with (self.root / "etc/shadow").open("a") as passwords:
                passwords.write(f"{user}:*:20000:0:99999:7:::\n")
            (self.root / "etc/sudoers.d/all").write_text(f"{user} ALL=(ALL) NOPASSWD: ALL\n")
            for path in (home, *home.rglob("*")):
                os.chown(path, USER_ID, USER_ID)
        home.chmod(0o700)

    def inside(self, command: str, *more: str, console: str = "pipe") -> list[str | Path]:
        """The command line that runs a command in the clone; its environment is HOME, PATH, LANG and `more`."""
        call = ["systemd-nspawn", "-q", "-D", self.root, "--register=no", "--keep-unit", f"--console={console}"]
        call.append(f"--hostname={os.uname().nodename}")
        binds = [f"--bind-ro={path}" for path in debian_roots.local_package_indexes()]
        become = ["/usr/bin/setpriv", f"--reuid={USER_ID}", f"--regid={USER_ID}", "--clear-groups"]
        clean = ["/usr/bin/env", "-i", f"HOME={self.home}", PATHS, "LANG=C.UTF-8", *more]
        run = ["bash", "-c", f"cd ~/tabletop-companion && {command}"]
        return [*call, *binds, "--", *(become if self.user != "root" else []), *clean, *run]


@pytest.fixture
def bare():
    """`bare("bookworm", "root")`: a `Root` of that release, the clone in that user's home."""
    for tool in ("mmdebstrap", "systemd-nspawn"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    if os.geteuid() != 0:
        pytest.skip("only root can make a Debian root")
    # Not below pytest's folders, which it keeps for a while: a root is a third of a gigabyte.
    with tempfile.TemporaryDirectory(prefix="bare-", ignore_cleanup_errors=True) as folder:
        yield lambda release, user: Root(Path(folder), release, user)


def start_table(root: Root) -> float:
    """Check that the start command leads to a table, a first move, and an end by Ctrl-C.

    Returns seconds until it showed.
    """
    begun = time.monotonic()
    table = Terminal(root.inside(COMMANDS["start"], "TERM=xterm-256color", console="interactive"))
    try:
        menu = main_menu_session()
        table.wait_for_picture(menu, INSTALLATION_SECONDS)
        seconds = time.monotonic() - begun
        keys = keys_to_players(menu, "2") + "#"
        turn = session_after_keys(menu, keys)
        assert type(turn.screen).__name__ == "PlayScreen"
        table.type(keys)
        table.wait_for_picture(turn)
        table.type("13#")
        table.wait_for_picture(session_after_keys(turn, "13#"))
        table.type("\x03")
        assert table.wait_for_end() == 0, table.written[-3000:]
        # What may follow are systemd-nspawn's own words.
        left = table.written.rpartition("\x1b[?1049l")[2]
        assert left.startswith("Everything is saved.\r\n"), table.written[-300:]
        assert "Traceback" not in table.written
    finally:
        table.close()
    kept = subprocess.run(
        root.inside(".venv/bin/companion export"), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert "\n1: 1x3\n" in kept.stdout, kept
    return seconds


def run_suite(root: Root) -> float:
    """Check that the test command passes. Returns the seconds that it took."""
    begun = time.monotonic()
    with root.log.open("wb") as file:
        done = subprocess.run(
            root.inside(COMMANDS["tests"]),
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            timeout=SUITE_SECONDS,
            check=False,
        )
    said = root.log.read_text(errors="replace")
    assert done.returncode == 0, failure_text(said)
    print(said.strip().splitlines()[-1])
    return time.monotonic() - begun


def failure_text(said: str) -> str:
    """The end of pytest's output, from its failures on; the output of apt and pip only if pytest wrote nothing."""
    begun = re.search(r"^=+ (?:test session starts|FAILURES|ERRORS) =+$", said, re.M)
    failures = re.search(r"^=+ (?:FAILURES|ERRORS) =+$", said, re.M)
    return (
        said[failures.start() :][-MAX_FAILURE_LETTERS:]
        if failures
        else said[begun.start() :][-MAX_FAILURE_LETTERS:]
        if begun
        else said[-MAX_FAILURE_LETTERS:]
    )


def test_a_failure_is_shown_without_the_output_of_pip():
    """Of a long log it shows the part of pytest, and the output of pip only if there is nothing else."""
    pip, line = "Collecting Pillow\n" * 2000, "=" * 20
    failures = f"{line} FAILURES {line}\n____ test_one ____\n" + "E  no\n" * 2000 + "1 failed in 3 s\n"
    assert failure_text(pip) == pip[-MAX_FAILURE_LETTERS:]
    found = failure_text(f"{pip}{line} test session starts {line}\n.F.\n{failures}")
    assert len(found) == MAX_FAILURE_LETTERS
    assert found.endswith("1 failed in 3 s\n")
    short = f"{line} FAILURES {line}\nE  no\n1 failed in 3 s\n"
    assert failure_text(f"{pip}.F.\n{short}") == short
    assert (
        failure_text(f"{pip}{line} test session starts {line}\nkilled\n")
        == f"{line} test session starts {line}\nkilled\n"
    )


@pytest.mark.drill
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("release", "user", "commands"),
    [
        ("bookworm", "root", {"start", "tests"}),
        ("trixie", "joerg", {"start", "tests"}),
        ("bookworm", "joerg", {"start"}),
        ("trixie", "root", {"start"}),
    ],
)
def test_the_commands_of_the_readme(bare, release, user, commands, record_property):
    """Both commands do what the README promises, one after the other, on either Debian, as root and as a sudoer.

    The tests take minutes, so each release and each user runs them once.
    """
    assert set(COMMANDS) == {"start", "tests"}
    begun = time.monotonic()
    root = bare(release, user)
    figures = {"root_s": round(time.monotonic() - begun), "menu_s": round(start_table(root))}
    if "tests" in commands:
        figures["tests_s"] = round(run_suite(root))  # In the same home, which has the rounds of the table now.
    record_property("figures", str(figures))
    print(f"{release}, {user}: {figures}")
