"""Upgrades that go wrong, under real systemd: the version before plays on, with all its rounds."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import debian_roots
import pytest
from drill_machines import wait_until

RECORDS = Path(__file__).parent.parent / "records"
PATIENCE = 600
"""Seconds that a busy machine may take for one step."""
HOME = "usr/lib/tabletop-companion"
STATE = "var/lib/tabletop-companion"
BACK = "sudo /usr/lib/tabletop-companion/back"
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
    "an import fails": ("pass", "from companion import a_name_that_is_missing"),
    "hangs at the start": ("time.sleep(10000)", "pass"),
    "exits after READY": ("send(channel, data); os._exit(3)", "pass"),
    "fails once": (
        "os.path.exists('/var/lib/companion/once') or (os.mkdir('/var/lib/companion/once'), os._exit(3))",
        "pass",
    ),
}
AS_A_SERVICE = 'os.getcwd() == "/run/companion"'
"""Fails only as the service: the trial on a copy of the rounds passes."""
STARTS = 3
QUICK = f"[Unit]\nStartLimitBurst={STARTS}\n[Service]\nRestartSec=1\nTimeoutStartSec=10\n"
"""Fewer starts than the unit allows, and shorter ones, for this drill."""


def version(machine, number: str, fault: str = "", where: str = "True") -> str:
    """Make a package of another version; with `fault` one with other tables that fails where `where` holds. Returns the
    command that installs it.
    """

    def change(files: Path, control: Path) -> None:
        package = files / HOME / "companion"
        text = re.sub('__version__ = ".*"', f'__version__ = "{number}"', (package / "__init__.py").read_text())
        if fault:
            raised, at_import = FAULTS[fault]
            text += FAULT.format(where=where, fault=raised, at_import=at_import)
            tables = package / "store/database.py"
            later = re.sub(r"^TABLES_VERSION = (\d+)$", r"TABLES_VERSION = 1\1", tables.read_text(), flags=re.M)
            tables.write_text(later.replace("CREATE TABLE log", "CREATE TABLE later (number);\nCREATE TABLE log", 1))
        (package / "__init__.py").write_text(text)
        for compiled in (*package.glob("__pycache__/__init__.*"), *package.glob("store/__pycache__/database.*")):
            compiled.unlink()
        described = (control / "control").read_text()
        (control / "control").write_text(re.sub("Version: .*", f"Version: {number}", described))

    debian_roots.repack(machine.package, machine.root / f"srv/{number}.deb", change)
    return f"dpkg -i /srv/{number}.deb"


def saved_rounds(machine) -> list[dict]:
    """The stored rounds, read by the version that runs."""
    return json.loads(machine.run("companion history --json", user="pi")[1])


def running_version(machine) -> str:
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


def state(machine) -> set[str]:
    return {path.name for path in (machine.root / STATE).iterdir()}


def comes_to(machine, *wanted: str) -> bool:
    """Whether the state of the versions becomes this; a version is proven after ten seconds, without any file there."""
    assert wait_until(lambda: state(machine) == set(wanted), PATIENCE), (state(machine), log(machine))
    return True


def log(machine) -> str:
    return machine.run("journalctl -u 'companion*' -o cat --no-pager")[1]


@pytest.mark.drill
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("release", ["bookworm", "trixie"])
def test_an_upgrade_that_fails(machines, release):
    """Two kinds in the trial, four as a service; a first start that fails; a wrong setting; the way back by hand."""
    machine = machines(release)
    first_installation_is_cut(machine)
    for fault in ("run raises", "exits after READY"):
        fail_in_trial(machine, fault)
    unit = machine.root / "etc/systemd/system/companion.service.d/drill.conf"
    unit.parent.mkdir(parents=True)
    unit.write_text(QUICK)
    for fault in ("run raises", "an import fails", "hangs at the start", "exits after READY"):
        fail_as_service(machine, fault)
    fail_once(machine)
    refuse_its_settings(machine)
    go_back_by_hand(machine)
    cut_an_upgrade(machine)
    lose_its_python(machine)


def first_installation_is_cut(machine) -> None:
    """What a killed dpkg leaves of a first installation never becomes a version to go back to."""
    first, home = version(machine, "1.0"), machine.root / HOME
    for moment in ("*/*.dpkg-new", "launch"):
        dpkg = machine.start(f"echo $$ >/run/dpkg.pid; exec {first} >/dev/null")
        assert wait_until(lambda moment=moment: any(home.glob(moment)))
        machine.run("kill -KILL $(cat /run/dpkg.pid)", check=False)
        dpkg.wait(PATIENCE)
    machine.run(f"{first} || {first}")
    assert not (machine.root / f"{HOME}.previous").exists()
    comes_to(machine)
    machine.run("usermod -aG companion pi && systemctl stop companion && mkdir -p /srv/records")
    for record in sorted(RECORDS.rglob("*.tcr"))[:4]:
        (machine.root / "srv/records" / record.name).write_text(record.read_text())
    machine.run("setpriv --reuid companion --regid companion --init-groups companion import /srv/records", check=False)
    machine.run("systemctl start companion")
    assert len(saved_rounds(machine)) >= 2


def fail_in_trial(machine, fault: str) -> None:
    """A version that cannot start is not used, while the one before runs on undisturbed."""
    before, pid = saved_rounds(machine), machine.show("MainPID")
    said = machine.run(version(machine, "6.6", fault))[1]
    assert "this version does not start on a copy of the rounds: see above. The one before it runs on" in said
    assert machine.show("MainPID") == pid
    assert (running_version(machine), saved_rounds(machine)) == ("companion 1.0", before)
    assert not (machine.root / "var/lib/companion-trial").exists()
    comes_to(machine, "back", "unproven")


def fail_as_service(machine, fault: str) -> None:
    """A version that passes its trial but fails as the service is undone once it has failed as often as is allowed."""
    before, since = saved_rounds(machine), log(machine).count("Failed with result")
    machine.run(version(machine, "6.6", fault, AS_A_SERVICE))
    comes_to(machine, "back", "unproven")
    assert wait_until(lambda: "companion 1.0 was put back" in log(machine)), log(machine)
    assert is_steady(machine), fault
    assert log(machine).count("Failed with result") - since >= STARTS, "it went back too early"
    assert (running_version(machine), saved_rounds(machine)) == ("companion 1.0", before)
    assert list((machine.root / "var/lib/companion").glob("rounds.*damaged*")) == []


def fail_once(machine) -> None:
    """A single failure is no reason to go back."""
    machine.run(version(machine, "2.0", "fails once", AS_A_SERVICE))
    comes_to(machine)
    assert running_version(machine) == "companion 2.0"


def refuse_its_settings(machine) -> None:
    """Settings that cannot be used are no reason either: another version would not do better."""
    config = machine.root / "etc/companion/config.toml"
    text = config.read_text()
    machine.run(version(machine, "3.0"))
    config.write_text("[table\n")
    assert wait_until(lambda: machine.run("systemctl restart companion", check=False)[0] != 0)
    assert machine.show("ExecMainStatus") == "78"
    time.sleep(3)
    assert "back" not in state(machine)
    config.write_text(text)
    machine.run("systemctl restart companion")
    comes_to(machine)
    assert running_version(machine) == "companion 3.0"


def go_back_by_hand(machine) -> None:
    """One command goes back to the version before, also from one that has proved itself; installing ends it."""
    before = saved_rounds(machine)
    assert "companion 2.0 was put back" in machine.run(BACK, user="pi")[1]
    assert is_steady(machine)
    assert (running_version(machine), saved_rounds(machine)) == ("companion 2.0", before)
    status, said = machine.run(BACK, user="pi", check=False)
    assert (status, said) == (1, "companion: there is no version to go back to\n")
    machine.run(version(machine, "4.0"))
    comes_to(machine)
    assert running_version(machine) == "companion 4.0"


def cut_an_upgrade(machine) -> None:
    """Killed before it is configured, an upgrade changes nothing, also after a boot; the same command completes it."""
    before, install = saved_rounds(machine), version(machine, "5.0")
    machine.run(install.replace("-i", "--unpack"))
    machine.run("systemctl restart companion")
    assert is_steady(machine)
    assert (running_version(machine), saved_rounds(machine)) == ("companion 4.0", before)
    machine.run(install)
    comes_to(machine)
    assert (running_version(machine), saved_rounds(machine)) == ("companion 5.0", before)


def lose_its_python(machine) -> None:
    """A version whose Python is gone is none to go back to, and says so in one sentence if it is the only one."""
    change = r"sed -i '1s|python3\.[0-9]*|python3.1|'"
    machine.run(f"{change} /{HOME}.previous/launch")
    status, said = machine.run(BACK, user="pi", check=False)
    assert (status, said) == (1, "companion: the version before does not start on this Debian, so this one stays\n")
    machine.run(f"touch /{STATE}/back && systemctl reset-failed companion && systemctl restart companion")
    assert is_steady(machine)
    assert running_version(machine) == "companion 5.0"
    machine.run(f"rm /{STATE}/back && {change} /{HOME}/launch")
    gone = "companion: its python3.1 is gone: install the package for this release of Debian\n"
    assert machine.run("companion --version", check=False) == (78, gone)
    assert machine.run("systemctl restart companion", check=False)[0] != 0
    assert machine.show("ExecMainStatus") == "78"


OLD = """
mkdir -p /opt/companion/env-1/bin /etc/companion /etc/sysusers.d /etc/tmpfiles.d /usr/local/lib/systemd/system
dpkg-deb -x /home/pi/tabletop-companion_0_amd64.deb /srv/old
cp -r /srv/old/usr/lib/tabletop-companion /opt/companion/env-1/lib
rm -r /opt/companion/env-1/lib/companion/__pycache__
sed -i 's/^__version__ = .*/__version__ = "0.8.0"/' /opt/companion/env-1/lib/companion/__init__.py
printf '#!/bin/sh\\nexec /opt/companion/env-1/lib/launch "$@"\\n' >/opt/companion/env-1/bin/companion
chmod 755 /opt/companion/env-1/bin/companion
ln -s env-1 /opt/companion/current
ln -s /opt/companion/current/bin/companion /usr/local/bin/companion
for each in sysusers.d tmpfiles.d; do cp /srv/old/usr/lib/$each/companion.conf /etc/$each/; done
sed 's#/usr/bin/companion#/opt/companion/current/bin/companion#' /srv/old/lib/systemd/system/companion.service \\
    >/usr/local/lib/systemd/system/companion.service
printf '[games]\\npackages = ["nim"]\\n[install]\\nextras = ["web"]\\n' >/etc/companion/config.toml
systemd-sysusers
systemd-tmpfiles --create companion.conf
systemctl daemon-reload
systemctl enable --now companion
"""
"""What the installer of versions before 0.9 left, as far as it matters here."""


@pytest.mark.drill
@pytest.mark.timeout(900)
def test_an_older_installation_is_taken_over(machines):
    """Its files in /usr/local and /etc are gone, its settings stay, and its program is the way back."""
    machine = machines("bookworm")
    machine.run(OLD)
    assert is_steady(machine), log(machine)
    settings = (machine.root / "etc/companion/config.toml").read_text()
    said = machine.run("dpkg -i /home/pi/tabletop-companion_0_amd64.deb")[1]
    assert "sudo companion-game install NAME" in said
    comes_to(machine)
    assert machine.run("systemctl show companion --value --property=FragmentPath")[1].startswith("/lib/systemd/system/")
    left = "/usr/local/*/companion /usr/local/lib/systemd/system/comp* /etc/sysusers.d/comp* /etc/tmpfiles.d/comp*"
    assert machine.run(f"ls -d {left} 2>/dev/null", check=False)[1] == ""
    assert (machine.root / "etc/companion/config.toml").read_text() == settings
    assert running_version(machine) != "companion 0.8.0"
    assert "companion 0.8.0 was put back" in machine.run(BACK, user="pi")[1]
    assert is_steady(machine)
    machine.run(version(machine, "2.0"))
    comes_to(machine)
    machine.run(version(machine, "3.0"))
    comes_to(machine)
    assert not (machine.root / "opt/companion").exists()
