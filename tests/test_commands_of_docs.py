"""Every command in README and docs is run as it is written, here or where this file says."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from debian_roots import copy_checkout
from drill_machines import reserved_port, wait_until
from examples import first_cases_fast

from companion.rounds import record

ROOT = Path(__file__).parents[1]
PAGES = sorted([*(ROOT / "docs").glob("*.md"), ROOT / "README.md"])
PATIENCE = 120
BLOCK = re.compile(r"^ *```sh\n(.*?)^ *```", re.M | re.S)
FENCED = re.compile(r"^ *```.*?^ *```", re.M | re.S)
PROGRAMS = {"companion", ".venv/bin/companion", ".venv/bin/pip", ".venv/bin/pytest", "companion-game",
            "dpkg-buildpackage", "git", "hostname", "ls", "mosquitto", "pip", "pkill", "python", "sudo",
            "systemctl"}  # fmt: skip
"""What a command begins with; a text in backquotes that begins otherwise, or is one word without a folder, is none."""
WORDS = {"COMMAND": "check", "FILE": "mine.tcr", "FILE…": "mine.tcr", "DIR": "backup", "[ROUND]": "1"}
"""What is filled in for a word of the reader."""

RUN_HERE = {
    "companion COMMAND --help", "companion history", "companion standings", "companion report -o FILE",
    "companion export", "companion export [ROUND]", "companion export --all DIR", "companion export --all backup",
    "companion export --all backup --check", "companion import FILE…", "companion check a.tcr", "companion check FILE…",
    "companion moves FILE", "companion analyse FILE…", "companion replay FILE",
    "companion replay mine.tcr --png pictures", "hostname -I",
}  # fmt: skip
"""What is run here, in a home with a stored round and its record, and succeeds."""
NAMES = {
    "companion analyse", "companion analyse --json", "companion check", "companion doctor", "companion export --all",
    "companion hall move", "companion import", "companion moves", "companion players", "companion replay",
    "companion report", "companion rescue", "companion restore", "companion uplink", "companion correct",
    "companion void",
}  # fmt: skip
"""What is named without the arguments that it needs, or looks at what is not there: it says so and ends."""
SERVING_COMMANDS = {".venv/bin/companion web": "the table's pages are on port 8027"}
"""What runs until it is stopped, and what it says; started here, and stopped again."""
EXTRAS = {f".venv/bin/pip install -c constraints.txt '.[{extras}]'" for extras in ("web", "report", "hall,web")}
"""What is run in a drill here, in a clone with an environment of its own."""

DRILL, CLUB, HALL = "tests/systemd/test_drill.py", "tests/systemd/test_club.py", "tests/commands/test_hall.py"
STICK = "tests/systemd/test_usb_stick.py"
RUN_ELSEWHERE = {
    "companion-game install lanterns-at-the-table": (DRILL, "companion-game install lanterns"),
    "companion-game install PATH": (DRILL, "companion-game install lanterns"),
    "companion-game install": (DRILL, "companion-game install lanterns"),
    "companion-game uninstall": (DRILL, "companion-game uninstall"),
    "dpkg-buildpackage -b -d --no-sign": ("tests/support/debian_roots.py", '"dpkg-buildpackage", "-b", "-d"'),
    "sudo apt install espeak-ng alsa-utils": (".ci/run", "espeak-ng alsa-utils"),
    "sudo apt purge tabletop-companion": (DRILL, "dpkg --purge tabletop-companion"),
    "sudo dpkg -i tabletop-companion_*.deb": ("tests/systemd/test_upgrade.py", 'return f"dpkg -i /srv/{number}.deb"'),
    "sudo systemctl disable --now companion": (CLUB, "systemctl disable --now companion"),
    "sudo systemctl restart companion": (DRILL, 'COMMANDS["configured"]'),
    "sudo journalctl --unit companion --boot --no-pager": (DRILL, 'COMMANDS["logs"]'),
    "sudo systemctl stop companion && companion import backup && sudo systemctl start companion": (
        DRILL, 'COMMANDS["restore"]'),
    "sudo systemctl stop companion && companion rescue /var/lib/companion/rounds.journal.damaged-1 && sudo systemctl "
    "start companion": ("tests/commands/test_rescue.py", "rounds.journal.damaged-1"),
    "sudo /usr/lib/tabletop-companion/back": ("tests/systemd/test_upgrade.py", "companion/back"),
    "sudo touch /etc/companion/network\nsudo systemctl restart companion-network.socket companion": (
        "tests/systemd/test_usb_stick.py", "touch /etc/companion/network && systemctl restart companion-network.socket",
    ),
    ".venv/bin/companion new kalah": ("tests/commands/test_new.py", 'main(["new", "four-fields"])'),
    "companion new lanterns --hands": (DRILL, "companion new lanterns --hands"),
    "companion export 3 > kalah/kalah_at_the_table/records/corner.tcr": (
        "tests/e2e/test_added_games.py", 'run(lanterns, "export"'),
    "python3 write_card.py /media/$USER/bootfs": ("tests/card/test_write_card.py", "source / PROGRAM.name, card"),
    "openssl genpkey -algorithm ed25519 -out private.pem\n"
    "openssl pkey -in private.pem -pubout -out debian/update-key.pem\n"
    "openssl pkeyutl -sign -inkey private.pem -rawin -in PACKAGE.deb -out PACKAGE.deb.sig": (
        STICK, "openssl pkeyutl -sign -inkey /srv/{key}.pem -rawin -in {name} -out {name}.sig"),
    "companion backup DIR": ("tests/commands/test_backup.py", 'run(capsys, "backup"'),
    "companion export --all DIR": ("tests/commands/test_export_all.py", '"--all"'),
    "sudo companion restore FILE": ("tests/commands/test_as_root.py", 'run_command("restore"'),
    "companion correct ROUND FILE": ("tests/commands/test_correct.py", 'run("correct", 1, pad)'),
    "companion void ROUND": ("tests/commands/test_correct.py", 'run("void", 1)'),
    "companion void ROUND --undo": ("tests/commands/test_correct.py", 'run("void", 1, "--undo")'),
    "companion play": ("tests/stranger/test_bare_root.py", 'COMMANDS["start"]'),
    "companion run": (DRILL, 'COMMANDS["install"]'),
    "companion hall": (CLUB, "hall: install"),
    "companion hall tables": (CLUB, "companion hall tables"),
    "companion hall password": (CLUB, "companion hall password"),
    "companion hall export DIR": (CLUB, "companion hall export /root/all"),
    "companion hall access": ("tests/club/test_access.py", '"access"])'),
    "companion hall standings": (HALL, '"standings"])'),
    "companion hall move OLD NEW": (HALL, '"move", "table-1", "box-9"])'),
    "companion hall set-up CLUB": ("tests/club/test_access.py", '"set-up", CLUB'),
    "companion hall add-table NAME": ("tests/club/test_access.py", '"add-table", "table-1"])'),
    "companion hall serve --page 0": ("tests/club/test_drills.py", '"--page"'),
    "companion uplink --link FILE": ("tests/e2e/test_club_server.py", '"--link"'),
    ".venv/bin/companion hall set-up our-club --host 192.168.1.10": (
        "tests/club/test_access.py", '"set-up", CLUB, "--host"'),
    ".venv/bin/companion hall": ("tests/e2e/test_club_server.py", '"hall"'),
    "mosquitto -c ~/.local/state/companion-hall/club/mosquitto.conf": ("tests/support/club_night.py", "mosquitto.conf"),
    ".venv/bin/companion play --game kalah --data /tmp/kalah": (
        "tests/e2e/test_added_games.py", 'box_with_packages(box, lanterns, "--game", "lanterns")',
    ),
    "python -m companion.commands.host_process": ("tests/table/test_host_worker.py", "companion.commands.host_process"),
}  # fmt: skip
"""What needs root, a machine, a terminal or other programs: the file that runs it, and the words by which it does."""
BY_HAND = {
    "sudo raspi-config nonint do_i2c 0": "only a Pi has it",
    "sudo raspi-config nonint do_spi 0": "only a Pi has it",
    "sudo raspi-config nonint do_serial_hw 0 && sudo raspi-config nonint do_serial_cons 1": "only a Pi has it",
    "sudo apt install python3-spidev": "only Raspberry Pi OS has its partner",
    "ls /dev/serial/by-id/": "lists what is plugged in",
    "sudo systemctl edit companion": "opens an editor; tests/systemd/test_stick.py writes what is typed there",
    "sudo systemctl stop companion && companion doctor": "asks a person about lamps and keys",
    "sudo mkdir -p /media/stick && sudo systemctl daemon-reload && sudo mount /media/stick": "needs a stick",
    "systemctl status 'companion-*'": "shows pages to read",
    "pkill -HUP -x mosquitto": "every broker of the computer would read its passwords",
    "touch companion/languages/it.po\n.venv/bin/python -m companion.languages.update": "it would add a language",
    '.venv/bin/python -m companion.gamekit.sentence_preview "Dein Satz" satz.png': "tests/languages has it",
    "python -m companion.languages.update kalah_at_the_table": "tests/languages calls its functions",
    # What runs this test.
    ".venv/bin/pip install --no-deps . && .venv/bin/pytest tests/languages tests/display/test_every_screen.py": "here",
    ".venv/bin/pip install --editable PATH": "tests/commands/test_new.py installs a new game so",
    "python tests/benchmarks/evening.py -v": "measures for minutes",
}
"""What no test runs, and why."""


def page_commands(page: Path) -> set[str]:
    """The commands of a page: its shell blocks, and what is in backquotes and begins with a program."""
    text = page.read_text(encoding="utf-8")
    found = {block.strip() for block in BLOCK.findall(text)}
    for said in re.findall(r"`([^`\n]+)`", FENCED.sub("", text)):
        first = said.split()[0]
        if first in PROGRAMS and (" " in said or "/" in said):
            found.add(said)
    return found


def marked_blocks(page: Path) -> set[str]:
    """The blocks that a drill reads from the page by a comment above them, and runs as they are."""
    return {block.strip() for block in re.findall(r"<!-- [\w: -]+ -->\n```sh\n(.*?)```", page.read_text(), re.S)}


def test_every_command_of_the_docs_is_run_somewhere():
    """Every command is run here or elsewhere, or there is a reason why not; and none of these lists is outdated."""
    named = set().union(*(page_commands(page) for page in PAGES))
    drilled = set().union(*(marked_blocks(page) for page in PAGES))
    known = RUN_HERE | NAMES | set(SERVING_COMMANDS) | EXTRAS | set(RUN_ELSEWHERE) | set(BY_HAND)
    assert named - drilled - known == set(), "no test runs it"
    assert known - named == set(), "no page names it"


@pytest.mark.parametrize("command", RUN_ELSEWHERE)
def test_what_is_run_elsewhere_exists(command):
    """The file that is said to run a command contains the code that does so."""
    file, words = RUN_ELSEWHERE[command]
    assert words in (ROOT / file).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A home with a stored round, its record, and the environment of the tests as `.venv`."""
    folder = tmp_path_factory.mktemp("home")
    text = re.findall(r"^```tcr\n(.*?)^```", (ROOT / "docs" / "records.md").read_text(encoding="utf-8"), re.M | re.S)[0]
    assert record.check_record(text).fault is None
    for name in ("a.tcr", "mine.tcr"):
        (folder / name).write_text(text, encoding="utf-8")
    (folder / ".venv").symlink_to(sys.prefix)
    done = run_command(folder, "companion import a.tcr && companion export --all backup")
    assert done.returncode == 0, done.stdout
    return folder


def environment(folder: Path) -> dict[str, str]:
    """An environment in which this folder is the user's home."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "COMPANION", "STATE_"))}
    return kept | {"HOME": str(folder), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


def run_command(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a reader would."""
    return subprocess.run(["bash", "-c", command], cwd=folder, env=environment(folder), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=PATIENCE,
                          check=False)  # fmt: skip


@pytest.mark.parametrize("command", sorted(RUN_HERE))
def test_a_command_of_the_docs_does_what_it_says(home, command):
    """As written on the page, with a name for each of the reader's own words, it succeeds."""
    words = WORDS | ({"FILE": "evening.md"} if " -o " in command else {})
    done = run_command(home, " ".join(words.get(word, word) for word in command.split(" ")))
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("command", first_cases_fast(5, sorted(NAMES)))
def test_a_command_without_its_arguments_says_what_it_needs(home, command):
    """Whoever types only what the page names sees no traceback and does not wait."""
    done = run_command(home, command)
    assert "Traceback" not in done.stdout
    assert done.stdout.strip()
    assert done.returncode in (0, 1, 2)


@pytest.mark.drill
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("command", SERVING_COMMANDS)
def test_a_command_that_serves_starts_and_stops(home, command):
    """It says that it is ready, and Ctrl-C ends it without an error."""
    with reserved_port(8027):
        log = home / "serves.log"
        with log.open("wb") as said:
            process = subprocess.Popen(shlex.split(command), cwd=home, env=environment(home), stdout=said, stderr=said)
        try:
            assert wait_until(lambda: SERVING_COMMANDS[command] in log.read_text() or process.poll() is not None)
            assert SERVING_COMMANDS[command] in log.read_text()
            assert wait_until(lambda: is_served(8027))
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()
            process.wait(PATIENCE)


def is_served(port: int) -> bool:
    """Whether a page is served at a port."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE) as answer:
            return answer.status == 200
    except OSError:
        return False


@pytest.mark.drill
@pytest.mark.timeout(1200)
def test_what_the_docs_say_brings_the_extras(tmp_path):
    """In a clone without extras a command gives the docs' advice, and following it makes the command work."""
    clone = tmp_path / "clone"
    copy_checkout(clone)
    prepared = "python3 -m venv .venv && .venv/bin/pip install -q -c constraints.txt . && "
    done = run_in_clone(clone, prepared + ".venv/bin/companion web")
    assert done.returncode == 2, done.stdout
    advice = re.search(r"`(\.venv/bin/pip install [^`]+)` installs it", done.stdout)[1]
    assert advice in EXTRAS
    for command in sorted(EXTRAS, key=lambda each: each != advice):
        done = run_in_clone(clone, command)
        assert done.returncode == 0, done.stdout
        done = run_in_clone(clone, ".venv/bin/python -c 'import companion.web.connections'")
        assert done.returncode == 0, done.stdout
    done = run_in_clone(clone, ".venv/bin/python -c 'import paho.mqtt.client, jinja2, matplotlib, uvicorn'")
    assert done.returncode == 0, done.stdout


def run_in_clone(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a clone, which is its own home. Installing takes a while."""
    clean = {name: value for name, value in environment(folder).items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    return subprocess.run(["bash", "-c", command], cwd=folder, env=clean | {"PATH": os.environ["PATH"]},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=600, check=False)  # fmt: skip
