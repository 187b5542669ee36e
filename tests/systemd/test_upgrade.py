"""Upgrades that go wrong, under real systemd: the old version plays on, with all its rounds."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

RECORDS = Path(__file__).parent.parent / "records"
CHECKOUT = "home/pi/tabletop-companion"
INSTALL = "cd tabletop-companion && ./systemd/install"
OPT = "opt/companion"
PATIENCE = 600
"""Seconds that a busy machine may take for one step."""

FAULT = """

import os, sys
if sys.argv[1:2] == ["run"] and {where}:
    import socket, time
    send = socket.socket.send

    def fault(channel, data):
        if data == b"READY=1":
            {fault}
        return send(channel, data)

    socket.socket.send = fault
    {at_import}
"""
"""Added to a version: it fails at its import, or when it has opened the rounds and is about to say READY."""
FAULTS = {
    "run raises": ("raise ValueError('a fault of this version')", "pass"),
    "a library is missing": ("pass", "import a_library_that_is_missing"),
    "an import fails": ("pass", "from companion import a_name_that_is_missing"),
    "hangs at the start": ("time.sleep(10000)", "pass"),
    "exits after READY": ("send(channel, data); os._exit(3)", "pass"),
}
TABLES = "companion/store/database.py"
TYPO = "[table\n"
AS_A_SERVICE = '"INVOCATION_ID" in os.environ'
"""Fails only under systemd: the trial on a copy of the rounds passes."""


class Checkout:
    """The checkout in a machine, from which versions are installed."""

    def __init__(self, machine) -> None:
        self.machine = machine
        self.folder = machine.root / CHECKOUT
        self.package = self.folder / "companion" / "__init__.py"
        self.tables = self.folder / TABLES
        self.clean = {file: file.read_text() for file in (self.package, self.tables)}

    def restore(self) -> None:
        for file, text in self.clean.items():
            file.write_text(text)

    def version(self, number: str, fault: str = "", where: str = "True", *, migrates: bool = False) -> None:
        """Make it version `number`, with other tables; with `fault` one that fails where `where` holds."""
        self.restore()
        text = re.sub(r'__version__ = ".*"', f'__version__ = "{number}"', self.clean[self.package])
        if fault:
            raised, at_import = FAULTS[fault]
            text += FAULT.format(where=where, fault=raised, at_import=at_import)
        if fault or migrates:
            old = self.clean[self.tables]
            later = re.sub(r"^TABLES_VERSION = (\d+)$", r"TABLES_VERSION = 1\1", old, flags=re.M)
            new = later.replace("CREATE TABLE log_entries", "CREATE TABLE later (number);\nCREATE TABLE log_entries")
            assert later != old
            assert new.count("TABLE later") == 1
            self.tables.write_text(new)
        self.package.write_text(text)


def saved_rounds(machine) -> list[dict]:
    """The stored rounds, read by the installed version."""
    return json.loads(machine.run("companion history --json", user="pi")[1])


def find_files(machine, pattern: str) -> list[str]:
    return sorted(path.name for path in (machine.root / "var/lib/companion").glob(pattern))


def environments(machine) -> list[str]:
    return sorted(path.name for path in (machine.root / OPT).glob("env-*"))


def installed_version(machine) -> str:
    return machine.run("companion --version", user="pi")[1].strip()


def is_steady(machine) -> bool:
    """Whether it comes to run as the same process for two seconds. A start takes its time on a busy machine."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        pid = machine.show("MainPID")
        time.sleep(2)
        if machine.show("ActiveState") == "active" and machine.show("MainPID") == pid != "0":
            return True
    return False


@pytest.mark.drill
def test_an_upgrade_that_fails(machines):
    """Five kinds of failure, in the trial and as a service; a killed installer; a pulled plug."""
    machine = machines("bookworm")
    checkout = Checkout(machine)
    install(machine, checkout)
    fail_in_trial(machine, checkout)
    for fault in FAULTS:
        fail_as_service(machine, checkout, fault)
    kill_installer(machine, checkout)
    cut_power_while_starting(machine, checkout)
    go_back_by_hand(machine, checkout)
    cut_power_after_start(machine, checkout)


def install(machine, checkout) -> None:
    """Install the first version, with rounds."""
    machine.run("groupadd companion-fans && usermod -aG companion-fans pi && chmod 700 /home/pi")
    checkout.version("1.0")
    said = machine.run(INSTALL, user="pi")[1]
    assert "companion 1.0 is installed" in said
    assert "pi is now in the group companion;" in said, "another group's name was taken for it"
    machine.run("systemctl stop companion && mkdir -p /srv/records", user="root")
    for record in sorted(RECORDS.rglob("*.tcr"))[:4]:
        (machine.root / "srv/records" / record.name).write_text(record.read_text())
    machine.run("setpriv --reuid companion --regid companion --init-groups companion import /srv/records", check=False)
    machine.run("systemctl start companion")
    assert len(saved_rounds(machine)) >= 2


def fail_in_trial(machine, checkout) -> None:
    """A version that cannot start is refused while the old one runs on undisturbed."""
    before, pid = saved_rounds(machine), machine.show("MainPID")
    for fault, sentence in (("run raises", "stops by itself"), ("exits after READY", "stops by itself")):
        checkout.version("6.6", fault)
        status, said = machine.run(INSTALL, user="pi", check=False)
        assert status == 1, said
        assert f"fails its test on a copy of the rounds: it {sentence}" in said
        assert "the version installed before was not changed" in said
        assert machine.show("MainPID") == pid
        assert environments(machine) == ["env-1"]
    assert (installed_version(machine), saved_rounds(machine)) == ("companion 1.0", before)


def fail_as_service(machine, checkout, fault: str) -> None:
    """A version that passes its trial but fails as the service is undone: program, unit, rounds and all."""
    before = saved_rounds(machine)
    checkout.version("6.6", fault, AS_A_SERVICE)
    unit = checkout.folder / "systemd/companion.service"
    text = unit.read_text()
    unit.write_text(text.replace("Restart=on-failure", "Restart=on-failure\n# a newer unit"))
    status, said = machine.run(INSTALL, user="pi", check=False)
    unit.write_text(text)
    print(f"{fault}: {said}")
    assert status == 1, said
    assert "the new version does not start: see above. companion 1.0 was put back and is running" in said
    assert is_steady(machine), fault
    assert (installed_version(machine), saved_rounds(machine)) == ("companion 1.0", before)
    assert "a newer unit" not in machine.run("systemctl cat companion")[1]
    assert environments(machine) == ["env-1"]
    assert find_files(machine, "rounds.*damaged*") == []
    assert list((machine.root / OPT).glob("unproven")) == []


def kill_installer(machine, checkout) -> None:
    """What a killed installer leaves, at three moments, is gone after the next run, and does not stop it."""
    checkout.version("2.0")
    (machine.root / OPT / ".build.killed").mkdir()
    (machine.root / OPT / "env-7/lib").mkdir(parents=True)
    for seconds in (2, 6, 11):
        machine.run(f"cd /{CHECKOUT} && timeout --signal=KILL {seconds} setsid --wait ./systemd/install", check=False)
        machine.run("for pid in $(pgrep -f /opt/companion/env-.*pip); do kill -9 $pid; done", check=False)
        machine.run(f"timeout {PATIENCE} flock /{OPT}/.lock true")  # What it had started may still be ending.
        assert is_steady(machine)
        assert installed_version(machine) in ("companion 1.0", "companion 2.0")
    before = saved_rounds(machine)
    said = machine.run(INSTALL, user="pi")[1]
    assert "companion 2.0 is installed" in said
    assert installed_version(machine) == "companion 2.0"
    assert len(environments(machine)) == 2
    left = {path.name for path in (machine.root / OPT).iterdir()} - set(environments(machine))
    assert left == {".lock", "current", "previous"}
    assert saved_rounds(machine) == before


def cut_power_while_starting(machine, checkout) -> None:
    """The plug is pulled while a new version that cannot start is started: the next boot goes back by itself.

    The version before has no pages for phones: their units are removed, though nothing may be written in /etc.
    """
    before = saved_rounds(machine)
    config = machine.root / "etc/companion/config.toml"
    text = config.read_text()
    config.write_text('[install]\nextras = ["web"]\n')
    machine.run(f"rm -f /{OPT}/current/systemd/companion-{{phones,web}}.*")
    checkout.version("6.6", "hangs at the start", AS_A_SERVICE)
    machine.run(f"cd /{CHECKOUT} && (setsid ./systemd/install > /dev/null 2>&1 < /dev/null &)")
    unproven = machine.root / OPT / "unproven"
    end = time.monotonic() + PATIENCE
    while not (unproven.exists() and machine.show("ActiveState") == "activating"):
        assert time.monotonic() < end
        time.sleep(0.2)
    machine.close()
    config.write_text(text)
    link = machine.root / "etc/systemd/system/multi-user.target.wants/companion-phones.path"
    assert link.is_symlink()
    # The start limit is reached at the same speed by failing at once.
    drop_in = machine.root / "etc/systemd/system/companion.service.d/drill.conf"
    drop_in.parent.mkdir(parents=True, exist_ok=True)
    drop_in.write_text("[Unit]\nStartLimitBurst=2\n[Service]\nTimeoutStartSec=3\n")
    machine.boot()
    end = time.monotonic() + PATIENCE
    while unproven.exists():
        assert time.monotonic() < end, machine.run("journalctl -u companion -u companion-back -o cat")[1]
        time.sleep(0.5)
    while "was put back and is running" not in machine.run("journalctl -u companion-back -o cat")[1]:
        assert time.monotonic() < end, machine.run("journalctl -u companion -u companion-back -o cat")[1]
        time.sleep(0.5)
    drop_in.unlink()
    machine.run("systemctl daemon-reload")
    assert is_steady(machine)
    assert (installed_version(machine), saved_rounds(machine)) == ("companion 2.0", before)


def cut_power_after_start(machine, checkout) -> None:
    """The plug is pulled when a new version has just started: the boot proves it, and no typo undoes it."""
    checkout.version("4.0", migrates=True)
    machine.run(INSTALL, user="pi")
    machine.close()
    unproven = machine.root / OPT / "unproven"
    unproven.touch()  # As it lies there in the ten seconds before the installer's end.
    machine.boot()
    end = time.monotonic() + PATIENCE
    while unproven.exists():
        assert time.monotonic() < end, machine.run("journalctl -u 'companion*' -o cat")[1]
        time.sleep(0.5)
    before = saved_rounds(machine)
    unproven.touch()
    config = machine.root / "etc/companion/config.toml"
    text = config.read_text()
    config.write_text(TYPO)
    assert machine.run("systemctl restart companion", check=False)[0] != 0
    assert machine.show("ExecMainStatus") == "78"
    while "another version would not help" not in machine.run("journalctl -u companion-back -o cat")[1]:
        assert time.monotonic() < end, machine.run("journalctl -u companion -u companion-back -o cat")[1]
        time.sleep(0.5)
    config.write_text(text)
    machine.run("systemctl restart companion")
    assert saved_rounds(machine) == before
    assert installed_version(machine) == "companion 4.0"
    checkout.restore()


def go_back_by_hand(machine, checkout) -> None:
    """One command goes back to the version before, also if the current one has proved itself."""
    checkout.version("3.0")
    machine.run(INSTALL, user="pi")
    before = saved_rounds(machine)
    said = machine.run("sudo /opt/companion/current/systemd/back", user="pi")[1]
    assert "companion 2.0 was put back and is running" in said
    assert (installed_version(machine), saved_rounds(machine)) == ("companion 2.0", before)
    status, said = machine.run("sudo /opt/companion/current/systemd/back", user="pi", check=False)
    assert (status, "there is no previous version to put back" in said) == (1, True)
