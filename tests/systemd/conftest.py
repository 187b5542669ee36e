"""A small Debian, booted with systemd-nspawn: real systemd as PID 1, without a virtual machine."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import debian_roots
import pytest

PACKAGES = "systemd,systemd-sysv,udev,dbus,sudo,ca-certificates,python3"
INSTALL = "sudo apt install ./tabletop-companion_*.deb"
PATIENCE = 900
"""Seconds that any command may take."""
KEYPAD = """
import os, pty, shutil, sys, time, tty
master, slave = pty.openpty()
tty.setraw(slave)
shutil.chown(os.ttyname(slave), group="dialout")
os.chmod(os.ttyname(slave), 0o660)
os.symlink(os.ttyname(slave), "/run/keypad.new")
os.replace("/run/keypad.new", "/run/keypad")
print("plugged in", flush=True)
while keys := os.read(0, 20):  # Of more at once the table takes none: a keypad does not send so many.
    os.write(master, keys)
    time.sleep(0.2)
"""
"""Run inside the machine: a keypad at /run/keypad, which types what it reads from standard input."""


class Machine:
    """A Debian root and what runs in it. `root` is its file system, seen from outside.

    With `firewall`, systemd enforces IPAddressDeny in it, as on any Debian. That needs control groups of version 2
    alone, while this computer may mix both, and bpf(2), which systemd-nspawn forbids otherwise.
    """

    def __init__(self, folder: Path, release: str, *, firewall: bool = False) -> None:
        self.firewall = firewall
        self.root = folder / release
        self.release = release
        self.package = Path()
        self.log = folder / f"{release}.console"
        self.keypad: subprocess.Popen[str] | None = None
        self._nspawn: subprocess.Popen[bytes] | None = None
        self._init = 0
        self._spaces: list[str] = []

    def build(self) -> None:
        """Unpack the root. Skips the test if this machine's package sources do not have the release."""
        debian_roots.unpack_root(self.root, self.release, PACKAGES)
        proxies = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
        (self.root / "etc/environment").write_text("".join(f"{name}={value}\n" for name, value in proxies.items()))

    def boot(self, *, alone: bool = False) -> None:
        """Start the machine, and wait until systemd has started everything; `alone` on a network of its own."""
        binds = [f"--bind-ro={path}" for path in debian_roots.local_package_indexes()]
        command = ["systemd-nspawn", "-q", "-D", self.root, "--register=no", "--keep-unit", "--console=read-only"]
        command.append(f"--hostname={os.uname().nodename}")
        self._spaces = ["--mount", "--uts", "--ipc", "--pid"]
        if alone:
            command.append("--private-network")
            self._spaces.append("--net")
        more = {"SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1", "SYSTEMD_SECCOMP": "0"} if self.firewall else {}
        with self.log.open("wb") as log:
            self._nspawn = subprocess.Popen(
                [*command, *binds, "--boot"], stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=os.environ | more
            )
        end = time.monotonic() + 180
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
        """Run a shell command inside, by `user` after a new login. Returns the exit status, and both outputs."""
        login = ["bash", "-c", command] if user == "root" else ["su", "-", user, "-c", command]
        done = subprocess.run(
            [*self._enter(), *login],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert not check or done.returncode == 0, f"{command}: {done.returncode}\n{done.stdout}"
        return done.returncode, done.stdout

    def install(self) -> str:
        """Install the package in the home of `pi`. Returns what that says."""
        return self.run(INSTALL, user="pi")[1]

    def on_its_network(self, command: str) -> str:
        """Run a shell command of this computer on the machine's network. Returns its output."""
        enter = ["nsenter", f"--target={self._init}", "--net", "bash", "-c", command]
        return subprocess.run(enter, check=True, stdout=subprocess.PIPE, text=True, timeout=PATIENCE).stdout

    def start(self, command: str) -> subprocess.Popen[str]:
        """Start a shell command inside, by root, that runs beside others. Its output can be read."""
        return subprocess.Popen([*self._enter(), "bash", "-c", command], stdout=subprocess.PIPE, text=True)

    def show(self, name: str) -> str:
        """A property of the service."""
        return self.run(f"systemctl show companion --value --property={name}")[1].strip()

    def plug_in_keypad(self) -> None:
        """Plug in a keypad, at /run/keypad, until `close`."""
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
        """Pull the machine's plug."""
        if self.keypad is not None:
            self.keypad.kill()
            self.keypad.wait(15)
        if self._nspawn is None:
            return
        if self._init and self._nspawn.poll() is None:
            # With its first process the kernel ends all others of the machine; nothing of it is needed any more.
            os.kill(self._init, signal.SIGKILL)
        try:
            self._nspawn.wait(15)
        except subprocess.TimeoutExpired:
            self._nspawn.kill()
            self._nspawn.wait(15)

    def _enter(self) -> list[str]:
        clean = ["env", "-i", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root"]
        return ["nsenter", f"--target={self._init}", *self._spaces, *clean]


@pytest.fixture(scope="session")
def machines():
    """`machines("bookworm")`: that Debian, booted, with the package in the home of `pi`, who may use sudo.

    A second argument is the folder for the machine. With `firewall`, units can use only their allowed addresses.
    """
    for tool in ("mmdebstrap", "systemd-nspawn", "nsenter"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    if os.geteuid() != 0:
        pytest.skip("only root can boot a machine with systemd-nspawn")
    made: list[Machine] = []
    # Not below pytest's folders, which it keeps for a while: a machine is a third of a gigabyte.
    with tempfile.TemporaryDirectory(prefix="machines-", ignore_cleanup_errors=True) as folder:

        def make(release: str, place: Path | None = None, *, firewall: bool = False) -> Machine:
            # A folder for each: one worker may make several machines of a release.
            made.append(Machine(place or Path(tempfile.mkdtemp(dir=folder)), release, firewall=firewall))
            machine = made[-1]
            machine.build()
            package = debian_roots.build_package(release)
            machine.boot()
            machine.run("useradd --create-home --shell /bin/bash pi")
            machine.run("echo 'pi ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/pi")
            machine.package = machine.root / "home/pi/tabletop-companion_0_amd64.deb"
            shutil.copy(package, machine.package)
            return machine

        yield make
        for each in made:
            each.close()
