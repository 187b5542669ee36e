"""The unit by systemd's own judgement: nothing in it is unknown, and it gives the program next to nothing."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).parent.parent.parent / "systemd"
UNIT = SYSTEMD / "companion.service"
MOST = 1.0
LOOSE = ("ProcSubset=all", "UMask=0007", "PrivateDevices=no", "SupplementaryGroups=", "DeviceAllow=")


@pytest.fixture
def analyze(tmp_path):
    """Runs systemd-analyze on the unit, its program being one that exists here."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    unit = tmp_path / UNIT.name
    unit.write_text(re.sub("^ExecStart=.*$", "ExecStart=/bin/true", UNIT.read_text(), flags=re.M))

    def run(*words: str) -> str:
        done = subprocess.run(
            ["systemd-analyze", *words, unit], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    return run


def test_systemd_has_nothing_to_say(analyze):
    """`systemd-analyze verify` returns success for unknown keys too, so it has to be silent."""
    assert analyze("verify") == ""


@pytest.mark.parametrize("name", ["companion-back", "companion-proven"])
def test_the_way_back_is_as_tight(tmp_path, name):
    """The units of root's that go back, or see that there is no need, have no unknown key either, and little power."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    unit = tmp_path / f"{name}.service"
    unit.write_text(re.sub("^ExecStart=.*$", "ExecStart=/bin/true", (SYSTEMD / unit.name).read_text(), flags=re.M))
    said = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, timeout=60, check=False)
    assert (said.returncode, said.stdout + said.stderr) == (0, "")
    command = ["systemd-analyze", "security", "--offline=true", unit]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    level = re.search(r"Overall exposure level for \S+: ([\d.]+)", said.stdout)
    assert float(level[1]) <= 2.5, said.stdout


@pytest.mark.parametrize("name", ["companion-web.service", "companion-door.service", "companion-phones.service"])
def test_the_units_of_the_pages_are_tight(tmp_path, name):
    """What serves phones has no more power than the table: pages and door an exposure of at most 1.0."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    for other in ("companion", "companion-web", "companion-door", "companion-phones"):
        for file in SYSTEMD.glob(f"{other}.s*"):
            text = re.sub("^(ExecStart(?:Pre)?)=.*$", r"\1=/bin/true", file.read_text(), flags=re.M)
            (tmp_path / file.name).write_text(text)
    unit = tmp_path / name
    said = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, timeout=60, check=False)
    assert (said.returncode, said.stdout + said.stderr) == (0, "")
    command = ["systemd-analyze", "security", "--offline=true", unit]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    level = re.search(r"Overall exposure level for \S+: ([\d.]+)", said.stdout)
    assert float(level[1]) <= (1.5 if name == "companion-phones.service" else MOST), said.stdout


@pytest.mark.parametrize("name", ["uplink", "broker", "hall"])
def test_the_units_of_a_club_are_tight(tmp_path, name):
    """What has the network has no more power than the table: an exposure of at most 1.0, and no key is unknown."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    for each in ("companion-uplink", "companion-broker", "companion-hall", "companion-back"):
        text = re.sub(
            "^Exec(Start|Reload)=.*$", r"Exec\1=/bin/true", (SYSTEMD / f"{each}.service").read_text(), flags=re.M
        )
        (tmp_path / f"{each}.service").write_text(text)
    unit = tmp_path / f"companion-{name}.service"
    said = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, timeout=60, check=False)
    assert (said.returncode, said.stdout + said.stderr) == (0, "")
    command = ["systemd-analyze", "security", "--offline=true", unit]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert float(re.search(r"Overall exposure level for \S+: ([\d.]+)", said.stdout)[1]) <= MOST, said.stdout
    users = (SYSTEMD / "sysusers.d" / "companion-club.conf").read_text()
    assert f"u companion-{name} " in users
    assert f"User=companion-{name}\n" in unit.read_text()


def test_an_unknown_key_would_be_noticed(analyze, tmp_path):
    """The silence above means something: a key that does not exist is told."""
    unit = tmp_path / UNIT.name
    unit.write_text(unit.read_text().replace("WatchdogSec=", "WatchDogSeconds="))
    assert "WatchDogSeconds" in analyze("verify")


def test_the_sandbox_is_tight(analyze):
    """`systemd-analyze security` finds an exposure of at most 1.0."""
    level = re.search(r"Overall exposure level for \S+: ([\d.]+)", analyze("security", "--offline=true"))
    assert float(level[1]) <= MOST


@pytest.mark.parametrize("directive", LOOSE)
def test_what_is_loose_says_why(directive):
    """Above each directive that is not at its tightest stands the reason."""
    lines = UNIT.read_text().splitlines()
    index = next(number for number, line in enumerate(lines) if line.startswith(directive))
    above = [line for line in lines[:index] if not line.startswith(directive.partition("=")[0])]
    assert any(line.startswith("#") for line in above[-3:]), lines[index]


def test_a_start_that_hangs_reaches_the_limit():
    """As many starts as the limit allows, each to its time limit, fit into its interval: else it would try for ever."""
    number = {name: int(value) for name, value in re.findall(r"^(\w+)=(\d+)$", UNIT.read_text(), re.M)}
    each = number["TimeoutStartSec"] + number["TimeoutStopSec"] + number["RestartSec"]
    assert number["StartLimitBurst"] * each < number["StartLimitIntervalSec"]


def test_the_unit_waits_for_no_network():
    """Nothing in the unit orders it after, or asks for, a network."""
    directives = [line for line in UNIT.read_text().splitlines() if line and not line.startswith("#")]
    assert not [line for line in directives if "network" in line.lower() and line != "PrivateNetwork=yes"]


def test_every_group_of_the_unit_is_made():
    """A group that does not exist would stop the unit: sysusers.d makes each."""
    text = (SYSTEMD / "sysusers.d" / "companion.conf").read_text()
    made = set(re.findall(r"^[gu] (\S+)", text, re.M))
    unit = UNIT.read_text()
    wanted = re.search(r"^SupplementaryGroups=(.*)$", unit, re.M)[1].split()
    assert {"companion", *wanted} <= made


@pytest.mark.parametrize("example", [False, True])
def test_the_example_configuration_can_be_used(example):
    """The file in /etc is the defaults as it is, and stands with every example in it switched on."""
    from companion import config

    text = (SYSTEMD / "config.toml").read_text()
    if example:
        text = re.sub(r"^# (?=\w+ = )", "", text, flags=re.M)
        assert text.count("#") < (SYSTEMD / "config.toml").read_text().count("#")
    parsed = config.parse(text, SYSTEMD / "config.toml")
    assert (parsed._replace(file=None) == config.Config()) is not example


def test_a_program_that_dies_leaves_no_image_of_its_memory():
    """Hands of players are in it: none of the units lets the kernel write one."""
    units = sorted(SYSTEMD.glob("*.service"))
    assert units
    assert [unit.name for unit in units if "\nLimitCORE=0\n" not in unit.read_text()] == []
