"""A card with Raspberry Pi OS, written by `card/write_card.py`, and what the box does with it at power-on."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[2] / "card" / "write_card.py"
SCRIPT = runpy.run_path(str(PROGRAM))
BASE, REPORT = "tabletop-companion_0.9.0+deb13_arm64.deb", "tabletop-companion-report_0.9.0+deb13_arm64.deb"
FOREIGN = "#cloud-config\nhostname: games\nusers:\n- name: ann\n  passwd: $6$x\n"


@pytest.fixture
def card(tmp_path) -> Path:
    """The first partition of a card that was just written, by Imager with a user."""
    folder = tmp_path / "bootfs"
    folder.mkdir()
    for name in ("cmdline.txt", "config.txt", "meta-data", "network-config"):
        (folder / name).write_text(f"{name}\n")
    (folder / "user-data").write_text(FOREIGN)
    return folder


@pytest.fixture
def source(tmp_path) -> Path:
    """The folder with the program and the package for the Pi, and another one's package."""
    folder = tmp_path / "downloads"
    folder.mkdir()
    (folder / PROGRAM.name).write_bytes(PROGRAM.read_bytes())
    (folder / BASE).write_bytes(b"package")
    (folder / BASE.replace("arm64", "amd64")).write_bytes(b"another processor's")
    return folder


def run(source: Path, card: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", source / PROGRAM.name, card]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def waiting(card: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (card / "companion").iterdir()}


def test_a_card_gets_package_and_settings_and_keeps_its_own(card, source):
    """Only user-data grows; a second run with new settings replaces what waits, and says so."""
    (source / REPORT).write_bytes(b"report")
    before = {path.name: path.read_bytes() for path in card.iterdir()}
    done = run(source, card)
    assert (done.returncode, done.stderr) == (0, "")
    assert "; in place of what waited there: nothing\nuser-data keeps all its settings and got a bootcmd" in done.stdout
    assert waiting(card) == {BASE: b"package", REPORT: b"report", "install": SCRIPT["INSTALL"].encode()}
    assert (card / "user-data").read_text() == FOREIGN + SCRIPT["USER_DATA"]
    assert {name: (card / name).read_bytes() for name in before if name != "user-data"} == {
        name: data for name, data in before.items() if name != "user-data"
    }
    (source / BASE).rename(source / BASE.replace("0.9.0", "0.9.1"))
    (source / "config.toml").write_text('[display]\ndriver = "sh1106"\n')
    done = run(source, card)
    assert f"; in place of what waited there: {BASE}" in done.stdout.replace(f"{REPORT}, ", "")
    assert set(waiting(card)) == {BASE.replace("0.9.0", "0.9.1"), REPORT, "config.toml", "install"}
    assert (card / "user-data").read_text() == FOREIGN + SCRIPT["USER_DATA"]
    for file in source.glob("*.deb"):
        file.unlink()
    assert run(source, card).stdout.startswith("For the next power-on: config.toml;"), "settings alone, later"


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda card, source: (card / "cmdline.txt").unlink(), "is not the first partition of a card"),
        (lambda card, source: (card / "user-data").unlink(), "has no user-data, since its system is older than Trixie"),
        (lambda card, source: (source / BASE).unlink(), "there is no package"),
        (lambda card, source: (source / BASE.replace("0.9.0", "0.9.1")).touch(), "in several versions"),
        (lambda card, source: (source / "config.toml").write_text("[display"), "config.toml: Expected"),
        (lambda card, source: (card / "user-data").write_text("#!/bin/sh\n"), "add this by hand\n\n# The tabletop"),
        (lambda card, source: (card / "user-data").write_text(FOREIGN + "bootcmd: [ls]\n"), "a bootcmd of its own"),
        (lambda card, source: (card / "user-data").write_text("#cloud-config\n{hostname: box}\n"), "no list of"),
    ],
)
def test_what_is_no_such_card_is_refused_and_not_changed(card, source, spoil, why):
    spoil(card, source)
    before = {path: path.read_bytes() for path in card.rglob("*")}
    done = run(source, card)
    assert (done.returncode, done.stdout) == (1, "")
    assert why in done.stderr
    assert "Traceback" not in done.stderr
    assert {path: path.read_bytes() for path in card.rglob("*")} == before


def test_without_a_path_it_explains_itself(source):
    done = subprocess.run(
        [sys.executable, source / PROGRAM.name], capture_output=True, text=True, check=False, timeout=60
    )
    assert "python3 write_card.py" in done.stderr


class Box:
    """The script of the card on a box whose folders are under `root`; `programs` note how they are called."""

    def __init__(self, root: Path, card: Path) -> None:
        self.root, self.card, self.calls = root, card, root / "calls"
        (root / "bin").mkdir(parents=True)
        for name in ("dpkg", "systemctl", "raspi-config", "sync"):
            self.program(name, 'echo "${0##*/} $*" >>"$CALLS"')
        self.script = SCRIPT["INSTALL"].replace("/boot/firmware/companion", str(card / "companion"))
        self.script = self.script.replace("/etc/companion", str(root / "etc"))

    def program(self, name: str, text: str) -> None:
        file = self.root / "bin" / name
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)

    def power_on(self) -> list[str]:
        """Run the script. Returns what it called, without `sync`."""
        self.calls.write_text("")
        environment = {"PATH": f"{self.root / 'bin'}:{os.environ['PATH']}", "CALLS": str(self.calls)}
        self.status = subprocess.run(["sh", "-c", self.script], env=environment, timeout=60, check=False).returncode
        return [call for call in self.calls.read_text().splitlines() if not call.startswith("sync")]


@pytest.fixture
def box(card, tmp_path) -> Box:
    return Box(tmp_path / "box", card)


def test_the_box_takes_what_is_on_the_card_once(box, card, source):
    """First both, then only new settings, then nothing; what the box had is kept."""
    (source / "config.toml").write_text('[display]\ninterface = "spi"\n')
    run(source, card)
    buses = ["raspi-config nonint do_i2c 0", "raspi-config nonint do_spi 0"]
    assert box.power_on() == [*buses, f"dpkg --install {BASE}"]
    assert (box.root / "etc/config.toml").read_text() == '[display]\ninterface = "spi"\n'
    assert set(waiting(card)) == {"install"}
    assert box.power_on() == []
    (source / BASE).unlink()
    (source / "config.toml").write_text("# mine\n")
    run(source, card)
    assert box.power_on() == ["systemctl restart --no-block companion.service", buses[0]]
    assert (box.root / "etc/config.toml").read_text() == "# mine\n"
    assert (box.root / "etc/config.toml.before").read_text() == '[display]\ninterface = "spi"\n'


def test_what_was_cut_or_failed_is_repeated(box, card, source):
    """The package stays on the card until it is installed, and the card says why it is not."""
    run(source, card)
    box.program("dpkg", "echo wrong architecture; exit 1")
    box.power_on()
    assert box.status == 1
    assert "wrong architecture" in (card / "companion/problem.txt").read_text()
    assert BASE in waiting(card)
    box.program("dpkg", 'echo "dpkg $*" >>"$CALLS"; kill -KILL $PPID')
    box.power_on()
    assert BASE in waiting(card)
    box.program("dpkg", 'echo "dpkg $*" >>"$CALLS"')
    assert f"dpkg --install {BASE}" in box.power_on()
    assert set(waiting(card)) == {"install"}
