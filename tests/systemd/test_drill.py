"""The service under real systemd, from its package to its removal, as docs/service.md tells a new user."""

from __future__ import annotations

import json
import re
import shutil
import time
from pathlib import Path

import debian_roots
import pytest
from drill_machines import wait_until
from PIL import Image, ImageChops
from setup_keys import keys_to_begin_round

from companion import display
from companion.evening import state_machine
from companion.evening.screens.box_checks import Doctor
from companion.inputs import Finding
from companion.rounds.stored import SessionSettings, StoredHistory

GOLDEN = Path(__file__).parent.parent / "e2e" / "golden" / "27"
CONFIG = """
[table]
players = ["Ann", "Ben"]
language = "en"
[display]
driver = "png"
path = "/var/lib/companion/panel.png"
[keypad]
port = "/run/keypad"
[buttons]
board = "none"
"""
SPY = "import os; os.access('/srv/spy', os.W_OK) and open(f'/srv/spy/{}-{{os.getuid()}}', 'a').close()\n"
"""A line of Python that leaves a file with the number of the user who runs it, where that user may write."""
SETUP = """
import sys, setuptools
folder = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
setuptools.setup(data_files=[(folder, ["spy.pth"])])
"""
PAGE = (Path(__file__).parent.parent.parent / "docs" / "service.md").read_text()
COMMANDS = {name: text.strip() for name, text in re.findall(r"<!-- pi: (\w+) -->\n```sh\n(.*?)```", PAGE, re.S)}
"""What the page says to do, by the mark above it; all of it is done here, word for word."""


class Service:
    """The service in a machine, seen by what its panel shows."""

    def __init__(self, machine) -> None:
        self.machine = machine
        self.panel = machine.root / "var/lib/companion/panel.png"

    def shows(self, name: str) -> bool:
        """Whether the panel comes to show a golden picture, wherever the shift against burn-in has moved it."""
        with Image.open(GOLDEN / f"{name}.png") as golden:
            wanted = [ImageChops.offset(golden.convert("1"), shift, 0).tobytes() for shift in (0, -1, 1)]
        shown = wait_until(lambda: self.panel.exists() and Image.open(self.panel).convert("1").tobytes() in wanted)
        if not shown and self.panel.exists():
            shutil.copy(self.panel, GOLDEN / f"{name}.actual.png")
        return bool(shown)

    def events(self) -> list[str]:
        """The events of the newest round, exported beside the running service by the user who installed it."""
        record = self.machine.run("companion export", user="pi")[1]
        return [line for line in record.splitlines() if re.match(r"\d: ", line)]

    def restarts(self) -> int:
        return int(self.machine.show("NRestarts"))

    def running(self) -> bool:
        return self.machine.show("ActiveState") == "active"

    def pid(self) -> int:
        return int(self.machine.show("MainPID"))


@pytest.mark.drill
@pytest.mark.parametrize("release", ["bookworm", "trixie"])
def test_the_service_under_systemd(machines, release, record_property):
    """Install, play, kill, watchdog, stop, backup, upgrade, uninstall: each does what it promises."""
    machine = machines(release)
    service = Service(machine)
    install(machine)
    configure(machine, service)
    figures = measure_start(machine, service)
    record_property("figures", json.dumps(figures))
    print(f"{release}: {figures}")
    play_by_keypad(machine, service)
    kill_service(machine, service)
    examine(machine, service)
    trigger_watchdog(machine, service)
    stop_service(machine, service)
    back_up(machine, service)
    add_game(machine)
    upgrade(machine, service)
    uninstall(machine)


def install(machine) -> None:
    """One command, without the network: users are made, the table runs, and its user may read the rounds."""
    machine.run(COMMANDS["install"], user="pi")
    assert wait_until(lambda: machine.show("ActiveState") == "active"), machine.run("journalctl -u companion")[1]
    assert machine.run("systemctl is-enabled companion")[1] == "enabled\n"
    assert "companion" in machine.run("id -nG", user="pi")[1].split()
    assert machine.run("systemd-analyze verify companion.service")[1] == ""
    assert machine.run("systemctl --failed --no-legend")[1] == ""
    assert machine.run("ss -Htln 'sport = :8027 or sport = :8028' 2>/dev/null || true")[1] == ""
    said = "companion: no panel bus: switch I2C or SPI on with raspi-config"
    assert wait_until(lambda: said in machine.run(COMMANDS["logs"], user="pi")[1])
    journal = machine.run(COMMANDS["logs"], user="pi")[1]
    assert "Traceback" not in journal
    assert len(journal.splitlines()) < 10, journal


def configure(machine, service) -> None:
    """Settings in /etc take effect at the next start; the keypad may come later."""
    (machine.root / "etc/companion/config.toml").write_text(CONFIG)
    machine.run(COMMANDS["configured"], user="pi")
    assert wait_until(service.panel.exists)
    machine.plug_in_keypad()
    assert wait_until(lambda: f"/proc/{service.pid()}/fd" and _has_keypad_open(machine, service))
    user = machine.run(f"stat -c '%U %G' /proc/{service.pid()}")[1].split()
    assert user == ["companion", "companion"]
    assert machine.run("stat -c '%a %U %G' /var/lib/companion")[1] == "2770 companion companion\n"


def _has_keypad_open(machine, service) -> bool:
    return "/dev/pts/" in machine.run(f"ls -l /proc/{service.pid()}/fd", check=False)[1]


def measure_start(machine, service) -> dict[str, float]:
    """Seconds from the start to READY and to the first picture, memory, size; generous limits against a slip.

    READY comes after the first picture, since there might be none yet otherwise.
    """
    machine.run("systemctl stop companion")
    service.panel.unlink()
    before = time.time()
    machine.run("systemctl start companion")
    picture = service.panel.stat().st_mtime - before
    ready = time.time() - before
    rollup = machine.run(f"cat /proc/{service.pid()}/smaps_rollup")[1]
    size = machine.run("du -sm /usr/lib/tabletop-companion | cut -f1")[1]
    figures = {
        "ready_s": round(ready, 2),
        "picture_s": round(picture, 2),
        "memory_mib": round(int(re.search(r"^Pss: +(\d+)", rollup, re.M)[1]) / 1024, 1),
        "environment_mib": int(size),
    }
    assert figures["ready_s"] < 60
    assert figures["memory_mib"] < 100
    assert figures["environment_mib"] < 200
    return figures


def play_by_keypad(machine, service) -> None:
    """The keypad sets up a round and plays two moves; both are in the export at once."""
    game, *questions = keys_to_begin_round("27", variant="advanced")
    machine.type(game)
    assert service.shows("01-options")
    machine.type("".join(questions))
    machine.type("13#92#")
    assert service.shows("12-gone-on")
    assert wait_until(lambda: service.events() == ["1: 1x3", "2: 9x2"])
    stranger = machine.run("cd / && sudo -u nobody companion export", check=False)
    assert stranger[0] == 2
    assert "only members of the group companion can read the rounds in" in stranger[1]


def kill_service(machine, service) -> None:
    """After kill -9 the service is back by itself, and offers the round."""
    before = service.restarts()
    machine.run(f"kill -9 {service.pid()}")
    assert wait_until(lambda: service.restarts() == before + 1 and service.running())
    assert service.shows("11-continue")
    machine.type("#")
    assert service.shows("12-gone-on")
    assert service.events() == ["1: 1x3", "2: 9x2"]


def examine(machine, service) -> None:
    """The doctor leaves the running service's devices alone; the panel's own doctor pages open within the sandbox."""
    status, said = machine.run("companion doctor --seconds 0", user="pi", check=False)
    assert status in (0, 1), said
    assert "A table is running on /var/lib/companion, so its devices were not tested" in said
    assert "2 rounds" in said or "1 round" in said
    machine.run("systemctl restart companion")
    assert service.shows("11-continue")
    machine.type("0")
    wanted = [
        ImageChops.offset(doctor_page(clock, disk), shift, 0).tobytes()
        for clock in ("ok", "note")
        for disk in ("ok", "do")
        for shift in (0, -1, 1)
    ]

    def back_at_the_overview() -> bool:
        machine.type("A" * 8)  # It opens at its first note, if it has one.
        return Image.open(service.panel).convert("1").tobytes() in wanted

    assert wait_until(back_at_the_overview)
    machine.type("*")
    assert service.shows("11-continue")
    machine.run("systemctl stop companion")
    said = machine.run("companion doctor --seconds 0", user="pi", check=False)[1]
    assert "The test picture is in /var/lib/companion/panel.png." in said
    # What it says is to be done is done, word for word; `run` logs in again.
    advice = re.search(r"^TO DO +dialout .*`(sudo .*)`", said, re.M)
    assert advice, said
    machine.run(advice[1], user="pi")
    assert "/run/keypad is open; no key was pressed." in machine.run("companion doctor --seconds 0", user="pi")[1]
    # The starts of a drill are more than those of a loose contact: they count from here on.
    machine.run("systemctl reset-failed companion; systemctl start companion")
    assert service.shows("11-continue")


def doctor_page(clock: str, disk: str) -> Image.Image:
    """What the doctor's first page shows if everything is fine.

    Whether the network sets the clock depends on the host. Beside other programs that write, a write may take seconds.
    """
    names = ("panel", "keypad", "settings", "disk", "rounds", "clock")
    findings = tuple(Finding(name, {"clock": clock, "disk": disk}.get(name, "ok"), "") for name in names)
    return display.session_picture(
        state_machine.start_session(SessionSettings(), StoredHistory()).replace_screen(Doctor(findings))
    )


def trigger_watchdog(machine, service) -> None:
    """A program that hangs is ended by the watchdog and comes back. The limit is shortened for this drill."""
    drop_in = machine.root / "etc/systemd/system/companion.service.d/drill.conf"
    drop_in.parent.mkdir()
    # All device libraries load within the sandbox; lgpio, where there is one, can make its FIFO there.
    loads = "import sys; sys.path.insert(0, '/usr/lib/tabletop-companion'); import luma.oled.device, smbus2, serial"
    loads += ", luma.core.interface.serial, gpiozero, PIL.ImageDraw, sqlite3"
    loads += ", lgpio" if machine.release == "bookworm" else ""  # Trixie's comes from Raspberry Pi OS.
    drop_in.write_text(f'[Service]\nWatchdogSec=20\nTimeoutAbortSec=1\nExecStartPre=/usr/bin/python3 -I -c "{loads}"\n')
    machine.run("systemctl daemon-reload && systemctl restart companion")
    assert service.shows("11-continue")
    time.sleep(25)
    assert service.restarts() == 0, "a service that is well was bitten"
    machine.run(f"kill -STOP {service.pid()}")
    assert wait_until(lambda: service.restarts() == 1 and service.running())
    assert wait_until(lambda: "Watchdog timeout" in machine.run("journalctl -u companion -o cat")[1])
    assert service.shows("11-continue")
    drop_in.unlink()
    machine.run("systemctl daemon-reload && systemctl restart companion")


def stop_service(machine, service) -> None:
    """Stopping takes less time than the unit allows, counts as success, and leaves the goodbye on the panel."""
    assert service.shows("11-continue")
    machine.run("systemctl stop companion")
    assert machine.show("Result") == "success"  # Beyond the unit's limit it would be "timeout".
    assert service.shows("10-goodbye")
    assert "Traceback" not in machine.run("journalctl -u companion -o cat")[1]


def back_up(machine, service) -> None:
    """The user exports all rounds and imports them again: all are there already. Then the service can still write."""
    assert "1 round written to backup" in machine.run(COMMANDS["backup"], user="pi")[1]
    machine.run("systemctl start companion")
    assert "0 rounds imported, 1 already saved" in machine.run(COMMANDS["restore"], user="pi")[1]
    assert "1 round imported" in machine.run("companion import --data elsewhere backup", user="pi")[1]
    assert service.running()
    assert service.shows("11-continue")
    machine.type("#11#")
    assert wait_until(lambda: service.events() == ["1: 1x3", "2: 9x2", "1: 1x1"])


def add_game(machine) -> None:
    """A game in a folder that only its author may read is there for everybody; root never ran a line of it."""
    machine.run("companion new lanterns --hands", user="pi")
    game = machine.root / "home/pi/lanterns"
    (game / "setup.py").write_text(SPY.format("build") + SETUP)
    (game / "spy.pth").write_text(SPY.format("start"))
    with (game / "lanterns_at_the_table/__init__.py").open("a") as file:
        file.write(SPY.format("import"))
    machine.run("chmod 700 /home/pi/lanterns && chown -R pi: /home/pi/lanterns && install -d -m 1777 /srv/spy")
    shutil.copy(game / "lanterns_at_the_table/records/whole.tcr", machine.root / "srv/lanterns.tcr")
    check = "companion check /srv/lanterns.tcr"
    machine.run("sudo apt-get update && sudo apt-get install -y --no-install-recommends python3-pip", user="pi")
    machine.run("companion-game install lanterns", user="pi")
    for user in ("pi", "companion"):
        said = machine.run(f"setpriv --reuid {user} --regid {user} --clear-groups {check}")[1]
        assert "is valid: Lanterns, 15 moves" in said
    assert "game lanterns: the games are coral-reef" in machine.run(check, check=False)[1]
    may = {machine.run(f"id -u {user}")[1].strip() for user in ("companion-games", "companion", "pi")}
    seen = {file.name.rpartition("-")[2] for file in (machine.root / "srv/spy").iterdir()}
    assert seen
    assert seen <= may
    assert machine.run("find /home/pi/lanterns ! -user pi")[1] == ""
    machine.run("cp -a /home/pi/lanterns /srv/lanterns && companion-game uninstall lanterns-at-the-table")
    assert "game lanterns: the games are" in machine.run(check, user="pi", check=False)[1]
    machine.run("companion-game install /srv/lanterns")
    assert sorted(file.name for file in game.iterdir()) == [
        "lanterns_at_the_table", "pyproject.toml", "setup.py", "spy.pth", "tests"
    ]  # fmt: skip


def upgrade(machine, service) -> None:
    """The same command installs a newer version, and touches neither settings, games nor rounds."""
    before, events = service.pid(), service.events()

    def change(files: Path, control: Path) -> None:
        version = files / "usr/lib/tabletop-companion/companion/__init__.py"
        version.write_text(version.read_text().replace('__version__ = "', '__version__ = "9.9.'))
        for compiled in (version.parent / "__pycache__").glob("__init__.*"):
            compiled.unlink()
        (control / "control").write_text((control / "control").read_text().replace("Version: ", "Version: 9.9."))

    debian_roots.repack(machine.package, machine.package, change)
    machine.run(COMMANDS["install"], user="pi")
    assert wait_until(lambda: service.running() and service.pid() != before)
    assert machine.run("companion --version", user="pi")[1].startswith("companion 9.9.")
    assert (machine.root / "etc/companion/config.toml").read_text() == CONFIG
    assert service.events() == events
    assert "is valid" in machine.run("companion check /srv/lanterns.tcr", user="pi")[1]
    state = machine.root / "var/lib/tabletop-companion"
    assert wait_until(lambda: list(state.iterdir()) == []), "it has not proved itself"


def uninstall(machine) -> None:
    """Service and program are gone, settings and rounds are not; after a purge the rounds are still there."""
    rounds = machine.root / "var/lib/companion/rounds.journal"
    machine.run(COMMANDS["uninstall"], user="pi")
    assert (machine.root / "etc/companion/config.toml").read_text() == CONFIG
    assert "The rounds stay" in machine.run("dpkg --purge tabletop-companion")[1]
    assert machine.run("systemctl cat companion", check=False)[0] != 0
    left = "/etc/companion /usr/bin/companion* /usr/lib/tabletop-* /var/lib/tabletop-* /var/lib/companion-*"
    assert machine.run(f"ls -d {left} 2>/dev/null", check=False)[1] == ""
    assert rounds.stat().st_size > 0
