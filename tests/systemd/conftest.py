"""A small Debian, booted with systemd-nspawn: real systemd as PID 1, without a virtual machine."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parent.parent.parent
PACKAGES = "systemd,systemd-sysv,udev,dbus,sudo,ca-certificates,python3-venv"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
KEYPAD = """
import os, pty, shutil, sys, tty
master, slave = pty.openpty()
tty.setraw(slave)
shutil.chown(os.ttyname(slave), group="dialout")
os.chmod(os.ttyname(slave), 0o660)
os.symlink(os.ttyname(slave), "/run/keypad.new")
os.replace("/run/keypad.new", "/run/keypad")
print("plugged in", flush=True)
while keys := os.read(0, 100):
    os.write(master, keys)
"""
"""Run inside: a keypad at /run/keypad, typing what it reads from standard input."""


class Machine:
    """A Debian root and what runs in it. `root` is its file system, seen from outside."""

    def __init__(self, folder: Path, release: str) -> None:
        self.root = folder / release
        self.release = release
        self.log = folder / f"{release}.console"
        self.keypad: subprocess.Popen[str] | None = None
        self._nspawn: subprocess.Popen[bytes] | None = None
        self._init = 0

    def build(self) -> None:
        """Unpack the release from this machine's own package sources; skips where they do not have it."""
        command = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={PACKAGES}", *_apt_options()]
        sources = _sources(self.release)
        done = subprocess.run(
            [*command, self.release, self.root, *(["-"] if sources else [])],
            input=sources,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            pytest.skip(f"no root of {self.release} from these package sources: {done.stderr.strip()[-300:]}")
        (self.root / "etc/hosts").write_text(f"127.0.0.1 localhost\n127.0.1.1 {os.uname().nodename}\n")
        (self.root / "etc/pip.conf").write_text(_pip_config())
        proxies = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
        (self.root / "etc/environment").write_text("".join(f"{name}={value}\n" for name, value in proxies.items()))
        if CERTIFICATES.exists():
            shutil.copy(CERTIFICATES, self.root / "etc/ssl/certs/ca-certificates.crt")

    def boot(self) -> None:
        """Start it, and wait until systemd has started everything."""
        binds = [f"--bind-ro={path}" for path in _local_indexes()]
        command = ["systemd-nspawn", "-q", "-D", self.root, "--register=no", "--keep-unit", "--console=read-only"]
        command.append(f"--hostname={os.uname().nodename}")
        with self.log.open("wb") as log:
            self._nspawn = subprocess.Popen(
                [*command, *binds, "--boot"], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if self._nspawn.poll() is not None:
                pytest.skip(f"systemd-nspawn cannot boot here: {self.log.read_text(errors='replace')[-300:]}")
            children = Path(f"/proc/{self._nspawn.pid}/task/{self._nspawn.pid}/children").read_text().split()
            self._init = int(children[-1]) if children else 0
            if self._init and self.run("systemctl is-system-running", check=False)[1].strip() in (
                "running",
                "degraded",
            ):
                return
            time.sleep(0.1)
        pytest.fail(f"it does not boot: {self.log.read_text(errors='replace')[-2000:]}")

    def run(self, command: str, *, user: str = "root", check: bool = True) -> tuple[int, str]:
        """Run a shell command inside, by `user` after a new login; the exit status, and both outputs."""
        login = ["bash", "-c", command] if user == "root" else ["su", "-", user, "-c", command]
        done = subprocess.run(
            [*self._enter(), *login], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        assert not check or done.returncode == 0, f"{command}: {done.returncode}\n{done.stdout}"
        return done.returncode, done.stdout

    def show(self, name: str) -> str:
        """A property of the service."""
        return self.run(f"systemctl show companion --value --property={name}")[1].strip()

    def plug_in_keypad(self) -> None:
        """A keypad is there, at /run/keypad, until `close`."""
        self.keypad = subprocess.Popen(
            [*self._enter(), "python3", "-c", KEYPAD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.keypad.stdout is not None
        assert self.keypad.stdout.readline() == "plugged in\n"

    def type(self, keys: str) -> None:
        assert self.keypad is not None
        assert self.keypad.stdin is not None
        self.keypad.stdin.write(keys)
        self.keypad.stdin.flush()

    def close(self) -> None:
        """Pull its plug."""
        if self.keypad is not None:
            self.keypad.kill()
            self.keypad.wait()
        if self._nspawn is None:
            return
        if self._init and self._nspawn.poll() is None:
            # With its first process the kernel ends all others of the machine; nothing of it is needed any more.
            os.kill(self._init, signal.SIGKILL)
        try:
            self._nspawn.wait(15)
        except subprocess.TimeoutExpired:
            self._nspawn.kill()
            self._nspawn.wait()

    def _enter(self) -> list[str]:
        spaces = ["--mount", "--uts", "--ipc", "--pid"]
        clean = ["env", "-i", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root"]
        return ["nsenter", f"--target={self._init}", *spaces, *clean]


def _sources(release: str) -> str:
    """The Debian sources of this machine with their release exchanged; "" for mmdebstrap's own choice."""
    about = Path("/etc/os-release").read_text()
    here = re.search(r"^VERSION_CODENAME=(\w+)$", about, re.M)
    if not here or not re.search(r"^ID=debian$", about, re.M):
        return ""
    ours = re.compile(rf"(?<![\w-]){here[1]}(-updates|-security)?(?![\w-])")
    found = []
    for file in (Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))):
        if file.suffix in (".list", ".sources") and file.exists():
            pieces = file.read_text().splitlines() if file.suffix == ".list" else file.read_text().split("\n\n")
            wanted = [piece.strip() for piece in pieces if ours.search(piece) and not piece.startswith("#")]
            found += [ours.sub(lambda match: release + (match[1] or ""), piece) for piece in wanted]
    # mmdebstrap takes one format at a time from standard input.
    stanzas = [piece for piece in found if piece.startswith("Types:")]
    return "\n\n".join(stanzas) + "\n" if stanzas else "".join(f"{line}\n" for line in found)


def _apt_options() -> list[str]:
    """The ways of this machine through proxies, and how old it lets package lists be."""
    dump = subprocess.run(["apt-config", "dump"], capture_output=True, text=True, check=False).stdout
    wanted = re.compile(r"Acquire::(https?::[^ ]+|Check-Valid-Until|Check-Date) .*;")
    return [f"--aptopt={line}" for line in dump.splitlines() if wanted.fullmatch(line) and '""' not in line]


def _pip_settings() -> dict[str, str]:
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False
    )
    settings = {}
    for line in listed.stdout.splitlines():
        name, _, value = line.partition("=")
        settings[name.rsplit(".", 1)[-1]] = shlex.split(value)[0] if value else ""
    return settings


def _pip_config() -> str:
    """What this machine's pip is told, from all its files and the environment, as one file."""
    settings = _pip_settings()
    if "cert" in settings:
        settings["cert"] = str(CERTIFICATES)
    return "[global]\n" + "".join(f"{name} = {value}\n" for name, value in settings.items())


def _local_indexes() -> list[str]:
    """Folders of this machine that its pip looks for packages in."""
    words = " ".join(_pip_settings().values()).replace("file://", "").split()
    folders = {Path(word) for word in words if word.startswith("/") and Path(word).is_dir()}
    # An index of files has its pages in `simple` and the files beside it.
    return sorted({str(folder.parent if folder.name == "simple" else folder) for folder in folders})


def _checkout(to: Path) -> None:
    """What a clone of this project would have, with the changes that are not committed yet."""
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={CHECKOUT}", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=CHECKOUT,
        capture_output=True,
        check=False,
    )
    if listed.returncode:
        shutil.copytree(CHECKOUT, to, ignore=shutil.ignore_patterns(".venv", ".git", "*cache*"))
        return
    for name in listed.stdout.decode().split("\0"):
        if name and (CHECKOUT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(CHECKOUT / name, to / name)


@pytest.fixture(scope="session")
def machines():
    """`machines("bookworm")`: that Debian, booted, with a checkout in the home of `pi`, who may use sudo."""
    for tool in ("mmdebstrap", "systemd-nspawn", "nsenter"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    if os.geteuid() != 0:
        pytest.skip("only root can boot a machine with systemd-nspawn")
    made: list[Machine] = []
    # Not below pytest's folders, which it keeps for a while: a machine is a third of a gigabyte.
    with tempfile.TemporaryDirectory(prefix="machines-", ignore_cleanup_errors=True) as folder:

        def make(release: str) -> Machine:
            made.append(Machine(Path(folder), release))
            machine = made[-1]
            machine.build()
            _checkout(machine.root / "srv/tabletop-companion")
            machine.boot()
            machine.run("useradd --create-home --shell /bin/bash pi")
            machine.run("echo 'pi ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/pi")
            machine.run("mv /srv/tabletop-companion /home/pi/ && chown -R pi: /home/pi")
            return machine

        yield make
        for each in made:
            each.close()
