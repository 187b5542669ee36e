"""A stick for the backup, or for the second copy, under real systemd: set up as docs/service.md says.

A tmpfs with the owner and mode of the line for /etc/fstab takes the place of the stick.
"""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from drill_machines import wait_until
from setup_keys import keys_to_begin_round

from companion.games.twenty_seven.rules import RULES
from companion.store.store_warnings import StoreWarning, WarningKind

PAGE = (Path(__file__).parents[2] / "docs" / "service.md").read_text()
BACKUP = re.search(r"`\[table\]` `(backup = \"/media/stick/\w+\")`", PAGE)[1]
SECOND = re.search(r"`\[table\]`\s`(second = \"/media/stick/\w+\")`", PAGE)[1]
DROP_IN = re.search(r"`(\[Service\])` and `(ReadWritePaths=-/media/stick)`", PAGE).groups()
CONFIG = """
[table]
players = ["Ann", "Ben"]
language = "en"
{stick}
[display]
driver = "none"
[keypad]
port = "/run/keypad"
[buttons]
board = "none"
"""
FOLDER = "/media/stick/rounds"


def keys_of_a_round(seed: int) -> str:
    """What is typed in the main menu for a whole round; the next entry closes a notice."""
    chance, state = random.Random(seed), RULES.initial_state(2, {"variant": "advanced"}, {})
    keys = keys_to_begin_round("27", variant="advanced")
    while RULES.seat_to_move(state) is not None:
        move = chance.choice(RULES.legal_moves(state))
        state = RULES.play_move(state, RULES.seat_to_move(state), move)
        keys += str(move).replace("x", "") + "#"
    return keys


def play(machine, seed: int) -> None:
    """Restart the service and play a round to its result."""
    before = finished_rounds(machine)
    machine.run("systemctl reset-failed companion; systemctl restart companion")
    pid = machine.show("MainPID")
    assert wait_until(lambda: "/dev/pts/" in machine.run(f"ls -l /proc/{pid}/fd", check=False)[1]), "it opens no keypad"
    machine.type(keys_of_a_round(seed))
    assert wait_until(lambda: finished_rounds(machine) == before + 1), journal_text(machine)


def finished_rounds(machine) -> int:
    status, said = machine.run("companion history --json", user="pi", check=False)
    return sum(each["over"] for each in json.loads(said)) if status == 0 else 0


def journal_text(machine) -> str:
    return machine.run("journalctl -u companion -o cat --no-pager")[1]


def set_up(machines, stick: str):
    """A machine with the program, a keypad, and a configured stick that is not plugged in; and the stick's mount
    options.
    """
    machine = machines("bookworm")
    machine.install()
    (machine.root / "etc/companion/config.toml").write_text(CONFIG.format(stick=stick))
    drop_in = machine.root / "etc/systemd/system/companion.service.d/override.conf"
    drop_in.parent.mkdir(parents=True)
    drop_in.write_text("\n".join(DROP_IN) + "\n")
    machine.run("mkdir -p /media/stick && systemctl daemon-reload")
    machine.plug_in_keypad()
    return machine, "uid=$(id -u companion),gid=$(id -g companion),mode=770"


@pytest.mark.drill
def test_after_each_result_all_rounds_are_on_the_stick(machines):
    """A missing stick is reported and the evening goes on; with it every round is there, and each record is valid."""
    machine, owner = set_up(machines, BACKUP)
    play(machine, 1)
    assert wait_until(lambda: f"no backup in {FOLDER}: it is on the same disk as the rounds" in journal_text(machine))
    assert machine.run(f"ls {FOLDER}", check=False)[0] != 0
    machine.run(f"mount -t tmpfs -o {owner} tmpfs /media/stick")
    play(machine, 2)
    assert wait_until(lambda: machine.run(f"companion export --all {FOLDER} --check", user="pi", check=False)[0] == 0)
    files = machine.run(f"ls {FOLDER}/*")[1].split()
    assert [Path(file).name for file in files] == ["000001-27.tcr", "000002-27.tcr"]
    machine.run(f"companion check {' '.join(files)}", user="pi")
    assert "Traceback" not in journal_text(machine)


@pytest.mark.drill
def test_the_second_file_is_on_a_stick_that_is_pulled_in_a_round(machines):
    """Journal and database are on the card; once the stick is back and the round is over, it has everything."""
    machine, owner = set_up(machines, SECOND)
    # What is mounted stays while it is not at its place, as a stick that somebody holds in his hand.
    machine.run(f"mkdir /run/hand && mount -t tmpfs -o {owner} tmpfs /run/hand && mount --bind /run/hand /media/stick")
    play(machine, 1)
    assert StoreWarning(WarningKind.BACK).sentences in journal_text(machine)
    assert is_second_copy_alone(machine)

    machine.run("systemctl restart companion")
    pid = machine.show("MainPID")
    assert wait_until(lambda: "/dev/pts/" in machine.run(f"ls -l /proc/{pid}/fd", check=False)[1]), "it opens no keypad"
    before, keys = saved_events(machine), keys_of_a_round(2)
    moves = keys[4:].split("#")
    for number, part in enumerate((keys[:4] + "#".join(moves[:4]), "#".join(moves[4:8]), "#".join(moves[8:]))):
        machine.type(part + "#" * (number < 2))
        if number == 0:
            assert wait_until(lambda: saved_events(machine) == before + 4)
            machine.run("umount --lazy /media/stick")
        elif number == 1:
            assert wait_until(lambda: StoreWarning(WarningKind.AWAY).sentences in journal_text(machine)), journal_text(
                machine
            )
            assert wait_until(lambda: saved_events(machine) == before + 8)
            machine.run("mount --bind /run/hand /media/stick")
    assert wait_until(lambda: finished_rounds(machine) == 2), journal_text(machine)
    assert wait_until(lambda: journal_text(machine).count(StoreWarning(WarningKind.BACK).sentences) == 2), journal_text(
        machine
    )
    assert is_second_copy_alone(machine)
    assert machine.show("MainPID") == pid
    assert "Traceback" not in journal_text(machine)


def saved_events(machine) -> int:
    return int(machine.run("grep -c ' event ' /var/lib/companion/rounds.journal", check=False)[1])


def is_second_copy_alone(machine) -> bool:
    """Whether the second copy is only on the stick, and equals the journal."""
    machine.run("! test -e /var/lib/companion/rounds.journal-2")
    return not machine.run(
        f"cmp <(sed /^$/d /var/lib/companion/rounds.journal) <(sed /^$/d {FOLDER}/rounds.journal-2)"
    )[1]
