"""The pages for phones as services: a port that is open while phones are on, and a program without a network."""

from __future__ import annotations

import random
import re

import httpx2
import pytest
import zxingcpp
from drill_machines import PATIENCE_SECONDS, press_at_rest, reserved_port, wait_until, wait_until_title_is_over
from PIL import Image
from setup_keys import keys_to_begin_round

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
PAGES = "http://127.0.0.1:8027"


@pytest.fixture
def port():
    """The machines share one network; this reserves the port for one of them."""
    with reserved_port(8027):
        yield


@pytest.mark.drill
@pytest.mark.timeout(1800)
@pytest.mark.usefixtures("port")
@pytest.mark.parametrize("release", ["bookworm", "trixie"])
def test_a_round_through_the_installed_services(machines, play_round, release):
    """Off: nothing listens. On: two phones play a round through the socket. The pages see no stored rounds."""
    machine = machines(release)
    (machine.root / "etc/companion").mkdir(parents=True)
    (machine.root / "etc/companion/config.toml").write_text(CONFIG)
    try:
        machine.install()
        machine.plug_in_keypad()
        assert machine.run("systemctl is-enabled companion-phones.path")[1] == "enabled\n"
        assert not is_listening(machine)
        assert wait_until(
            lambda: "/dev/pts/" in machine.run(f"ls -l /proc/{machine.show('MainPID')}/fd", check=False)[1]
        )
        wait_until_title_is_over(machine)
        press_at_rest(machine, "*5#")
        assert wait_until(lambda: is_listening(machine)), machine.run("journalctl -o cat -n 60")[1]
        phones = [pair_phone(machine, name) for name in ("Ann", "Ben")]
        check_confinement(machine)
        play_round_on_phones(machine, phones, play_round)
        kill_pages(machine, phones[0])
        switch_phones_off(machine)
    finally:
        machine.close()


def is_listening(machine) -> bool:
    """Whether anything in the machine listens on the port of the pages (0x1F5B)."""
    return re.search(r":1F5B [0-9A-F]+:0000 0A ", machine.run("cat /proc/net/tcp /proc/net/tcp6")[1]) is not None


def pair_phone(machine, name: str):
    """A phone with a player's seat: the code is read from the panel, and the box says yes once."""
    phone = httpx2.Client(base_url=PAGES, headers={"origin": PAGES}, follow_redirects=True, timeout=PATIENCE_SECONDS)
    code = wait_until(lambda: _code(machine))
    assert code, machine.run("journalctl -o cat -n 60; hostname -I; ls -l /run/companion-table /run/companion-phones")[
        1
    ]
    answer = phone.post("/pair", data={"code": code, "player": name})
    assert "Look at the box" in answer.text, answer.text
    press_at_rest(machine, "#")
    assert wait_until(lambda: "Look at the box" not in phone.get("/seat").text)
    press_at_rest(machine, "5")
    return phone


def _code(machine) -> str:
    with Image.open(machine.root / "var/lib/companion/panel.png") as panel:
        picture = panel.convert("L").resize((1024, 512))
    for found in zxingcpp.read_barcodes(picture):
        if match := re.fullmatch(r"HTTP://[\d.]+:8027/P/([0-9A-Z]{6})", found.text):
            return match[1]
    return ""


def check_confinement(machine) -> None:
    """Only the door is connected to the network, not the pages; neither has rounds, and their users can read none."""
    for user in ("companion-web", "companion-door"):
        assert machine.run(f"stat -c '%U %G' /proc/{_pid(machine, user)}")[1].split() == [user, user]
    assert count_network_sockets(machine, _pid(machine)) == 0
    assert count_network_sockets(machine, _pid(machine, "companion-door")) >= 1
    # The systemd of trixie cannot hide the network in a container without one of its own: then from no program at all.
    hides = network_devices(machine.run("systemd-run -q --wait -P -p PrivateNetwork=yes cat /proc/self/net/dev")[1])
    assert hides == ["lo"] or machine.release == "trixie"
    for pid in (_pid(machine), _pid(machine, "companion-door"), machine.show("MainPID")):
        assert network_devices(machine.run(f"cat /proc/{pid}/net/dev")[1]) == hides
    inside = f"nsenter --target {_pid(machine)} --mount --"
    assert machine.run(f"{inside} cat /var/lib/companion/rounds.journal", check=False)[0] != 0, "not even as root"
    for name in ("companion-web", "companion-door"):
        user = f"setpriv --reuid {name} --regid {name} --clear-groups"
        assert machine.run(f"{user} cat /var/lib/companion/rounds.journal", check=False)[0] != 0
        assert machine.run(f"{user} ls /var/lib/companion", check=False)[0] != 0
    memory = machine.run(f"grep VmHWM /proc/{_pid(machine, 'companion-door')}/status")[1]
    print(f"the door: {memory}")
    assert int(memory.split()[1]) < 16 * 1024
    assert "Traceback" not in machine.run("journalctl -u 'companion*' -o cat")[1]


def network_devices(devices: str) -> list[str]:
    """The network devices in a text like that of /proc/net/dev."""
    return re.findall(r"^ *([\w-]+):", devices, re.M)


def count_network_sockets(machine, pid: str) -> int:
    """How many descriptors of a process are network sockets."""
    inodes = set(re.findall(r"socket:\[(\d+)\]", machine.run(f"ls -l /proc/{pid}/fd")[1]))
    return len(inodes & set(machine.run("cat /proc/net/{tcp,udp,raw}{,6} | awk '{print $10}'")[1].split()))


def _pid(machine, unit: str = "companion-web") -> str:
    return machine.run(f"systemctl show {unit} --value --property=MainPID")[1].strip()


def play_round_on_phones(machine, phones, play_round) -> None:
    """A round of 27 by two phones is the round that the box saves."""
    press_at_rest(machine, f"**{keys_to_begin_round('27')}")
    played = play_round("27", {"variant": "basic"}, 2, random.Random(8))
    for seat, move in played.events:
        phone = phones[seat - 1]
        assert wait_until(lambda phone=phone: "Your turn, " in phone.get("/seat").text), phone.get("/seat").text
        answer = phone.post("/seat/play", data={"event": str(move)})
        assert answer.status_code == 200
    wanted = [f"{seat}: {move}" for seat, move in played.events]
    export = "companion export | grep '^[12]: '"
    assert wait_until(lambda: machine.run(export, user="pi", check=False)[1].splitlines() == wanted)


def kill_pages(machine, phone) -> None:
    """After a kill the pages are served again, and a phone that was let in still is."""
    pid = _pid(machine)
    machine.run(f"kill -9 {pid}")

    def served() -> bool:
        try:
            return "Ann" in phone.get("/seat").text
        except httpx2.HTTPError:
            return False

    assert wait_until(served)
    assert _pid(machine) != pid


def switch_phones_off(machine) -> None:
    """A killed table is back with its phones for that evening; a stopped one leaves no port open."""
    pid = machine.show("MainPID")
    machine.run(f"kill -9 {pid}")
    assert wait_until(lambda: machine.show("MainPID") not in ("", "0", pid))
    assert wait_until(lambda: is_listening(machine)), machine.run("journalctl -o cat -n 60")[1]
    machine.run("systemctl stop companion")
    assert wait_until(lambda: not is_listening(machine)), machine.run(
        "systemctl list-units 'companion*' --all; ls /run/companion-table"
    )[1]
    assert wait_until(lambda: machine.run("systemctl is-active companion-web", check=False)[1] != "active\n")
    machine.run("systemctl start companion")
    states = "systemctl is-active companion companion-phones.path"
    assert wait_until(lambda: machine.run(states, check=False)[1].split() == ["active", "active"])
