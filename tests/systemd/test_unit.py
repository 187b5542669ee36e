"""The units by systemd's own judgement: nothing in them is unknown, and they allow the program next to nothing."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).parent.parent.parent / "systemd"
UNIT = SYSTEMD / "companion.service"
MOST = 1.0
LOOSE_DIRECTIVES = ("ProcSubset=all", "UMask=0007", "PrivateDevices=no", "SupplementaryGroups=", "DeviceAllow=")


def analyze(what: str, unit: Path) -> str:
    """What systemd-analyze says about a unit. Whether a manual page is installed here does not matter."""
    without = ("--man=no",) if what == "verify" else ("--offline=true",)
    command = ["systemd-analyze", what, *without, unit]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def exposure_of(unit: Path) -> float:
    return float(re.search(r"Overall exposure level for \S+: ([\d.]+)", analyze("security", unit))[1])


@pytest.fixture
def units(tmp_path):
    """Copies all units and makes their programs some that exist here. Returns the path of one of them."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    for file in SYSTEMD.glob("companion*.*"):
        text = re.sub("^(Exec[A-Z][A-Za-z]*)=.*$", r"\1=/bin/true", file.read_text(), flags=re.M)
        (tmp_path / file.name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("companion.service", MOST),
        ("companion-web.service", MOST),
        ("companion-door.service", MOST),
        ("companion-phones.service", 1.5),
        ("companion-clock@.service", 1.5),
        ("companion-network@.service", 1.5),
        ("companion-uplink.service", MOST),
        ("companion-broker.service", MOST),
        ("companion-hall.service", MOST),
        ("companion-back.service", 2.5),
        ("companion-proven.service", 2.5),
        ("companion-stick@.service", 7.5),
    ],
)
def test_each_unit_is_tight(units, name, most):
    """No unit has an unknown key (verify is silent only then), and each allows next to nothing."""
    assert analyze("verify", units / name) == ""
    assert exposure_of(units / name) <= most


def test_no_unit_is_left_out():
    """Each service has its limit above."""
    limits = next(mark for mark in test_each_unit_is_tight.pytestmark if mark.name == "parametrize").args[1]
    assert sorted(name for name, _ in limits) == sorted(file.name for file in SYSTEMD.glob("*.service"))


@pytest.mark.parametrize("name", ["uplink", "broker", "hall"])
def test_each_unit_of_a_club_has_a_user_of_its_own(name):
    """And this user is made."""
    assert f"u companion-{name} " in (SYSTEMD / "sysusers.d" / "companion-club.conf").read_text()
    assert f"User=companion-{name}\n" in (SYSTEMD / f"companion-{name}.service").read_text()


def test_the_table_waits_for_nothing_late():
    """Neither for a network, nor for a login, nor for sysinit.target, before which Raspberry Pi OS runs cloud-init."""
    text = UNIT.read_text()
    awaited = " ".join(re.findall(r"^(?:After|Wants|Requires|BindsTo|PartOf)=(.*)$", text, re.M)).split()
    assert set(awaited) == {
        "local-fs.target", "systemd-tmpfiles-setup.service", "systemd-modules-load.service",
        "systemd-udev-trigger.service", "companion-proven.service",
    }  # fmt: skip
    for line in ("DefaultDependencies=no", "Conflicts=shutdown.target", "Before=shutdown.target"):
        assert f"\n{line}\n" in text


def test_an_unknown_key_would_be_noticed(units):
    """So the silence above means something."""
    unit = units / UNIT.name
    unit.write_text(unit.read_text().replace("WatchdogSec=", "WatchDogSeconds="))
    assert "WatchDogSeconds" in analyze("verify", unit)


@pytest.mark.parametrize("directive", LOOSE_DIRECTIVES)
def test_what_is_loose_says_why(directive):
    """Above each directive that is not at its strictest there is the reason."""
    lines = UNIT.read_text().splitlines()
    index = next(number for number, line in enumerate(lines) if line.startswith(directive))
    above = [line for line in lines[:index] if not line.startswith(directive.partition("=")[0])]
    assert any(line.startswith("#") for line in above[-3:]), lines[index]


def test_a_start_that_hangs_reaches_the_limit():
    """As many starts as allowed, each up to its time limit, fit into the interval; else it would try for ever."""
    number = {name: int(value) for name, value in re.findall(r"^(\w+)=(\d+)$", UNIT.read_text(), re.M)}
    each = number["TimeoutStartSec"] + number["TimeoutStopSec"] + number["RestartSec"]
    assert number["StartLimitBurst"] * each < number["StartLimitIntervalSec"]


def test_the_unit_waits_for_no_network():
    """Nothing in the unit orders it after a network, or asks for one."""
    directives = [line for line in UNIT.read_text().splitlines() if line and not line.startswith("#")]
    assert not [line for line in directives if "network" in line.lower() and line != "PrivateNetwork=yes"]


def test_every_group_of_the_unit_is_made():
    """A missing group would stop the unit; sysusers.d creates each."""
    text = (SYSTEMD / "sysusers.d" / "companion.conf").read_text()
    made = set(re.findall(r"^[gu] (\S+)", text, re.M))
    unit = UNIT.read_text()
    wanted = re.search(r"^SupplementaryGroups=(.*)$", unit, re.M)[1].split()
    assert {"companion", *wanted} <= made


@pytest.mark.parametrize("example", [False, True])
def test_the_example_configuration_can_be_used(example):
    """The file in /etc has only defaults, and is valid with every example in it switched on."""
    from companion import config

    text = (SYSTEMD / "config.toml").read_text()
    if example:
        text = re.sub(r"^# (?=\w+ = )", "", text, flags=re.M)
        assert text.count("#") < (SYSTEMD / "config.toml").read_text().count("#")
    parsed = config.parse_config(text, SYSTEMD / "config.toml")
    assert (parsed._replace(file=None) == config.Config()) is not example


def test_a_program_that_dies_leaves_no_image_of_its_memory():
    """Its memory has players' hands, so no unit lets the kernel write a core dump."""
    services = sorted(SYSTEMD.glob("*.service"))
    assert services
    assert [unit.name for unit in services if "\nLimitCORE=0\n" not in unit.read_text()] == []
