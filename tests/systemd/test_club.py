"""A club night as services: docs/hall.md, command by command, on two bare machines, until a round arrives."""

from __future__ import annotations

import random
import re
import socket
import time
from itertools import product
from pathlib import Path

import httpx2
import pytest
from drill_machines import reserved_port, wait_until
from PIL import Image, ImageChops
from setup_keys import keys_to_begin_round

from companion import display
from companion.evening import state_machine
from companion.evening.screens.box_checks import Doctor
from companion.inputs import Finding
from companion.rounds.stored import SessionSettings, StoredHistory

PAGE = (Path(__file__).parents[2] / "docs" / "hall.md").read_text()
COMMANDS = {
    name: text.strip() for name, text in re.findall(r"<!-- ((?:hall|table): [\w-]+) -->\n```sh\n(.*?)```", PAGE, re.S)
}
"""What the page says to do, by the mark above it: word for word, in its order."""
LATER = COMMANDS.pop("hall: password")
"""Not needed before the first table is connected."""
DEVICES = """
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
TELEVISION = "http://127.0.0.1:8028/"
PUBLIC = "198.51.100.7"
"""An address that belongs to nobody (RFC 5737), and is no private one."""
HEARS = """
import socket
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as heard:
    heard.bind(("127.0.0.1", 0))
    print(heard.getsockname()[1], flush=True)
    while (said := heard.recv(100)) != b"end":
        print(said.decode(), flush=True)
try:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as said:
        said.sendto(b"x", ("%s", 9))
    print("has spoken")
except PermissionError:
    print("may not speak")
"""
"""Prints its port, what it receives, and whether it may send to a public address."""
MOST = 1.0
"""The exposure of the table's unit and of the pages'."""


@pytest.fixture
def ports():
    """The machines share one network; this reserves the ports of broker and pages for one club server."""
    with reserved_port(8028):
        yield


def test_at_most_ten_commands():
    """From a bare Debian to the first table."""
    assert [*COMMANDS] == [
        "hall: install", "hall: set-up", "hall: add-table", "table: install", "table: link", "table: configure",
    ]  # fmt: skip
    assert len(COMMANDS) <= 10
    assert len(re.findall(r"```sh\n", PAGE[: PAGE.index("### Without services")])) == len(COMMANDS)
    assert LATER.startswith("sudo companion hall password")


@pytest.mark.drill
@pytest.mark.timeout(1800)
@pytest.mark.usefixtures("ports")
def test_from_two_bare_machines_to_a_round_in_the_hall(machines, play_round, typed_keys):
    """Each command of the page does what it says. A round played without the club server is on it afterwards."""
    hall, table = machines("trixie", firewall=True), machines("bookworm", firewall=True)
    try:
        link = set_up_hall(hall)
        set_up_table(table, link)
        check_confinement(hall, table)
        check_firewall(hall, table)
        check_organiser(hall)
        hall.run("systemctl stop companion-broker companion-hall")
        assert wait_until(lambda: "Not connected since" in doctor_state(table)), doctor_state(table)
        assert wait_until(lambda: shows_doctor(table, "note"))
        record = play_round_by_keys(table, play_round("27", {"variant": "basic"}, 2, random.Random(8)), typed_keys)
        assert wait_until(lambda: "1 round has been waiting since" in doctor_state(table)), doctor_state(table)
        hall.run("systemctl start companion-hall")  # Which wants the broker.
        check_arrival(hall, table, record)
        kill_services(hall, table)
        leave_club(table)
        uninstall(hall)
    finally:
        hall.close()
        table.close()


def set_up_hall(hall) -> str:
    """Run the page's commands for the club server. Returns the link that is printed."""
    hall.run("sudo apt-get update", user="pi")
    run_step(hall, "hall: install")
    hall.run("systemctl disable --now companion")
    run_step(hall, "hall: set-up")
    shown = run_step(hall, "hall: add-table")
    assert "SIGHUP" not in shown
    assert "pkill" not in shown, "the broker's service was not told"
    return next(line for line in shown.splitlines() if line.startswith("mqtts://table-4:"))


def set_up_table(table, link: str) -> None:
    """Run the page's commands for a box; its devices are added to its configuration."""
    # The address of this machine may be none of a private network, which alone may come to the services.
    link = re.sub(r"@[^:]+:", "@127.0.0.1:", link)
    run_step(table, "table: install")
    (table.root / "etc/companion/config.toml").write_text(DEVICES)
    run_step(table, "table: link", link)
    run_step(table, "table: configure")
    sent = "Connected. Everything has been sent."
    assert wait_until(lambda: sent in doctor_state(table)), table.run("journalctl -o cat -n 60")[1]


def run_step(machine, name: str, typed: str = "") -> str:
    """Run a command of the page by the user of the machine. Returns its output."""
    command = COMMANDS[name]
    return machine.run(f"printf '%s\\n' '{typed}' | {{ {command}\n}}" if typed else command, user="pi")[1]


def doctor_state(table) -> str:
    """What the doctor says about the club server."""
    said = table.run("companion doctor --seconds 0", user="pi", check=False)[1]
    return next(line for line in said.splitlines() if re.match(r"(ok|note|TO DO) +hall ", line))


def shows_doctor(table, state: str) -> bool:
    """Whether the doctor's first page on the panel says so about the club server, whatever it says about the clock."""
    if table.keypad is None:
        table.plug_in_keypad()
    for key in "*8":
        time.sleep(1)
        table.type(key)
    panel = table.root / "var/lib/companion/panel.png"
    pictures = {
        ImageChops.offset(doctor_page(hall=state, keypad=keypad, clock=clock, disk=disk), shift, 0).tobytes()
        for keypad, clock, disk in product(("ok", "do"), ("ok", "note"), ("ok", "do")) for shift in (0, -1, 1)
    }  # fmt: skip

    def back_at_the_overview() -> bool:
        table.type("A" * 8)  # It opens at its first fault or note, if it has one.
        return Image.open(panel).convert("1").tobytes() in pictures

    found = wait_until(back_at_the_overview, 5)
    if found:  # Keys that came too early after a start would leave a menu open for the next try.
        table.type("*")
    return bool(found)


def doctor_page(**states: str) -> Image.Image:
    """The doctor's first page; everything that is not named is fine."""
    names = ("panel", "keypad", "settings", "hall", "disk", "rounds", "clock")
    findings = tuple(Finding(name, states.get(name, "ok"), "") for name in names)
    return display.session_picture(
        state_machine.start_session(SessionSettings(), StoredHistory()).replace_screen(Doctor(findings))
    )


def check_confinement(hall, table) -> None:
    """Each service has a user of its own, no more exposure than the table's, and reads only its own files."""
    for machine, name in ((table, "uplink"), (hall, "broker"), (hall, "hall")):
        unit = f"companion-{name}"
        said = machine.run(f"systemd-analyze security --no-pager {unit}")[1]
        assert float(re.search(r"Overall exposure level for \S+: ([\d.]+)", said)[1]) <= MOST, said
        assert machine.run(f"stat -c '%U %G' /proc/{pid(machine, unit)}")[1].split() == [unit, unit]
    assert can_do_as_service(table, "companion-uplink", "cp /var/lib/companion/rounds.journal /dev/null")
    for forbidden in ("touch /var/lib/companion/x", "cat /etc/companion/hall.link", "touch /run/companion-public/x"):
        assert not can_do_as_service(table, "companion-uplink", forbidden), forbidden
    for forbidden in ("touch /etc/companion-hall/x", "ls /var/lib/companion-hall", "ls /var/lib/companion"):
        assert not can_do_as_service(hall, "companion-broker", forbidden), forbidden
    for forbidden in ("cat /etc/companion-hall/key.pem", "cat /etc/companion-hall/passwords", "ls /var/lib/companion"):
        assert not can_do_as_service(hall, "companion-hall", forbidden), forbidden


def check_firewall(hall, table) -> None:
    """No service receives from a public address, or sends to one; a program beside them has no such limit."""
    for machine, name in ((table, "uplink"), (hall, "broker"), (hall, "hall")):
        group = f"system.slice/companion-{name}.service"
        assert what_a_program_hears(machine, f"echo $$ > /sys/fs/cgroup/{group}/cgroup.procs") == ["may not speak"], (
            name
        )
    assert what_a_program_hears(hall, "true") == ["from outside", "has spoken"]


def what_a_program_hears(machine, before: str) -> list[str]:
    """What a program started after a shell command receives from a public address, and whether it may answer."""
    with machine.start(f"{before}; exec python3 -c '{HEARS % PUBLIC}'") as program:
        to = ("127.0.0.1", int(program.stdout.readline()))
        for address, said in ((PUBLIC, b"from outside"), ("127.0.0.1", b"end")):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
                sender.setsockopt(socket.SOL_IP, 19, 1)  # IP_TRANSPARENT: any address may be the sender's.
                sender.bind((address, 0))
                sender.sendto(said, to)
        return program.stdout.read().splitlines()


def check_organiser(hall) -> None:
    """The password that the page's command prints lets the organizer in; another one does not."""
    said = hall.run(LATER, user="pi")[1].split()
    assert len(said) == 1, said
    assert hall.run("stat -c '%U %a' /var/lib/companion-hall/organiser")[1].split() == ["companion-hall", "600"]
    assert hall.run("companion hall password", user="pi", check=False)[0] != 0
    headers = {"origin": TELEVISION.rstrip("/")}
    with httpx2.Client(base_url=TELEVISION, headers=headers, follow_redirects=True) as browser:
        refused = browser.post("/tournaments/door", data={"password": "wrong"})
        assert refused.status_code == 403
        assert "companion hall password" in refused.text
        asked = {"name": "Club evening", "game": "27 variant=expert", "system": "swiss", "rounds": "3"}
        assert browser.post("/tournaments", data=asked).status_code == 403
        assert browser.post("/tournaments/door", data={"password": said[0]}).status_code == 200
        opened = browser.post("/tournaments", data=asked)
        assert opened.status_code == 200
        assert "Club evening" in opened.text


def can_do_as_service(machine, unit: str, command: str) -> bool:
    """Whether a program of this service's user, with the service's view of the files, can do something."""
    groups = machine.run(f"systemctl show {unit} --value --property=SupplementaryGroups")[1].strip()
    user = f"setpriv --reuid {unit} --regid {unit} {f'--groups {groups}' if groups else '--clear-groups'}"
    inside = f"nsenter --target {pid(machine, unit)} --mount -- {user}"
    return machine.run(f"{inside} {command}", check=False)[0] == 0


def pid(machine, unit: str) -> str:
    return machine.run(f"systemctl show {unit} --value --property=MainPID")[1].strip()


def play_round_by_keys(table, round_, typed_keys) -> str:
    """Play a round of 27 by keys. Returns its record, as the table exports it."""
    game, *questions = keys_to_begin_round("27")
    for keys in ("*", game, "".join(questions)):
        time.sleep(1)
        table.type(keys)
    time.sleep(1)
    moves = zip(round_.states, round_.events, strict=False)
    table.type("".join(key for state, (_, move) in moves for key in typed_keys("27", state, str(move))))
    wanted = [f"{seat}: {move}" for seat, move in round_.events]
    record = wait_until(lambda: (text := export(table)) and "\nresult: " in text and text)
    assert record, export(table) + table.run("journalctl -o cat -u companion -n 60")[1]
    assert [line for line in record.splitlines() if re.match(r"\d: ", line)] == wanted
    return record


def export(table) -> str:
    return table.run("companion export", user="pi", check=False)[1]


def check_arrival(hall, table, record: str) -> None:
    """The round is on the club server as the table has it, on its page, and the table knows that."""
    assert wait_until(lambda: "table-4: 1 round," in tables(hall)), tables(hall)
    hall.run("rm -rf /root/all && companion hall export /root/all")
    assert [file.read_text() for file in (hall.root / "root/all").iterdir()] == [record.rpartition("# sum ")[0]]
    assert wait_until(lambda: "Ann wins" in (page := httpx2.get(TELEVISION).text) and "table-4" in page)
    assert wait_until(lambda: "Connected. Everything has been sent." in doctor_state(table)), doctor_state(table)
    table.run("systemctl restart companion")  # To the main menu.
    assert wait_until(lambda: shows_doctor(table, "ok"))


def tables(hall) -> str:
    return hall.run("sudo companion hall tables", user="pi", check=False)[1]


def kill_services(hall, table) -> None:
    """Whatever is killed comes back by itself, and nothing counts twice."""
    for machine, unit in ((hall, "companion-broker"), (hall, "companion-hall"), (table, "companion-uplink")):
        before = pid(machine, unit)
        machine.run(f"kill -9 {before}")
        assert wait_until(lambda machine=machine, unit=unit, before=before: pid(machine, unit) not in (before, "0")), (
            unit
        )
    assert wait_until(lambda: "Connected. Everything has been sent." in doctor_state(table)), doctor_state(table)
    assert "table-4: 1 round," in tables(hall)
    for machine in (hall, table):
        assert "Traceback" not in machine.run("journalctl -u 'companion*' -o cat")[1]


def leave_club(table) -> None:
    """A box that leaves the club has no uplink any more, and plays on."""
    table.run("rm /etc/companion/hall.link && systemctl stop companion-uplink && systemctl start companion-uplink")
    assert table.run("systemctl is-active companion-uplink companion", check=False)[1].split() == ["inactive", "active"]


def uninstall(hall) -> None:
    """All services are gone; the club and its rounds stay, also after a purge."""
    assert "The rounds stay" in hall.run("sudo apt-get purge -y tabletop-companion", user="pi")[1]
    assert hall.run("systemctl list-unit-files 'companion*' --no-legend", check=False)[1] == ""
    assert hall.run("cat /proc/[0-9]*/comm 2>/dev/null | grep mosquitto", check=False)[1] == ""
    assert (hall.root / "etc/companion-hall/club.json").exists()
    assert (hall.root / "var/lib/companion-hall/hall.db").exists()
