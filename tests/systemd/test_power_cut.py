"""An upgrade on a card whose plug is pulled, and on a full card.

The machine is on ext4 on a loop device. Its image is on XFS, which clones a file in one step: a clone is the disk as a
power cut leaves it, with exactly what the file system had sent to the disk at that moment. This does not show a card
that loses or reorders writes which it has already confirmed.
"""

from __future__ import annotations

import base64
import contextlib
import csv
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).parent.parent.parent / "systemd"
RECORD = Path(__file__).parent.parent / "records"
CHECKOUT = "home/pi/tabletop-companion"
INSTALL = "cd tabletop-companion && ./systemd/install"
SECONDS = 60
PATIENCE = 120.0
TICK = 0.1
"""More than the resolution with which a file system notes when a file was written."""
START_EVERY = 10
"""Each cut is compared file by file; for one in this many, the service's command is started too."""
USER = ["setpriv", "--reuid", "companion", "--regid", "companion", "--init-groups"]
TRIAL = """
import sys
sys.path.insert(0, "/srv")
import trial
trial.STAY_SECONDS = 0.5
sys.exit(trial.main(*sys.argv[1:]))
"""


def command(*words: str | Path) -> str:
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout.strip()


@contextlib.contextmanager
def mount_image(image: Path, at: Path):
    at.mkdir(exist_ok=True)
    command("mount", "-o", "loop", image, at)
    try:
        yield at
    finally:
        unmount(at)


def unmount(at: Path) -> None:
    """Unmount; a machine that is being started may still have it in its own mount table for a while."""
    for _ in range(50):
        subprocess.run(["umount", "--recursive", at], capture_output=True, timeout=60, check=False)
        if not os.path.ismount(at):
            return
        time.sleep(0.1)
    command("umount", "--recursive", "--lazy", at)


class Card:
    """A card in a machine. `folder` is where its files are."""

    def __init__(self, place: Path, folder: Path) -> None:
        self.image = place / "card.img"
        self.folder = folder
        self.cuts: list[tuple[float, Path]] = []
        self._seen = 0.0  # When the card was last looked at, by the clock of its file system.

    def cut(self, at: float) -> None:
        """Save the card as it would be if the plug were pulled now; only once if nothing was written since the last
        cut.
        """
        before, self._seen = self._seen, time.time()
        if self.cuts and self.image.stat().st_mtime < before - TICK:
            self.cuts.append((at, self.cuts[-1][1]))
            return
        image = self.image.with_name(f"cut-{len(self.cuts)}.img")
        command("cp", "--reflink=always", self.image, image)
        self.cuts.append((at, image))


@pytest.fixture
def card():
    """A card of 2 GB, formatted like a Pi's, and empty."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a card")
    if shutil.which("mkfs.xfs") is None:
        pytest.skip("xfsprogs is not installed")
    with tempfile.TemporaryDirectory(prefix="card-", ignore_cleanup_errors=True) as text:
        folder = Path(text)
        command("truncate", "-s", "20G", folder / "place.img")
        command("mkfs.xfs", "-q", "-m", "reflink=1", folder / "place.img")
        with mount_image(folder / "place.img", folder / "place") as place:
            command("truncate", "-s", "2G", place / "card.img")
            command("mkfs.ext4", "-q", "-m", "0", "-E", "lazy_itable_init=0,lazy_journal_init=0", place / "card.img")
            with mount_image(place / "card.img", folder / "card") as at:
                yield Card(place, at)


def set_version(machine, number: str) -> None:
    file = machine.root / CHECKOUT / "companion/__init__.py"
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(f'__version__ = "{number}"\n' if "__version__ =" in line else line for line in lines))


@pytest.mark.drill
@pytest.mark.timeout(3600)
def test_a_plug_cannot_kill_an_upgrade(machines, card, record_property):
    """A full card stops an upgrade cleanly; the plug leaves the old version or the new one, at every second."""
    machine = machines("bookworm", card.folder)
    set_version(machine, "1.0")
    machine.run(INSTALL, user="pi")
    (machine.root / "srv/trial.py").write_text((SYSTEMD / "trial.py").read_text())
    try:
        check_leavings(machine, card)
        fill_while_building(machine, card)
        use_full_card(machine, card)
        upgrade_with_cuts(machine, card)
    finally:
        machine.close()
    figures = examine_cuts(card)
    record_property("figures", json.dumps(figures))
    print(figures)
    assert [cut for cut in figures["cuts"] if cut.get("fault")] == []
    # One cut a second, and on a busy machine fewer: copying a card takes its time.
    moments = [cut["at"] for cut in figures["cuts"]]
    assert moments[0] < 0
    assert moments[-1] >= SECONDS
    assert len(moments) > 5


def free_mib(card: Card) -> int:
    return int(command("df", "--output=avail", "-BM", card.folder).split()[-1].rstrip("M"))


def fill_up_to(card: Card, mib: int) -> Path:
    """A file that leaves this much room, or nearly none, also for root."""
    ballast = card.folder / "ballast"
    with ballast.open("ab") as file:
        end = file.tell()
        with contextlib.suppress(OSError):
            os.posix_fallocate(file.fileno(), 0, end + (free_mib(card) - mib) * 2**20)
    return ballast


def check_leavings(machine, card: Card) -> None:
    """Free space is checked only after what killed runs have left is deleted."""
    left = machine.root / "opt/companion/.build.killed"
    left.mkdir()
    with (left / "wheel").open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, 200 * 2**20)
    ballast = fill_up_to(card, 150)
    said = machine.run(INSTALL, user="pi")[1]
    ballast.unlink()
    assert "companion 1.0 is installed" in said
    assert not left.exists()


def fill_while_building(machine, card: Card) -> None:
    """The card fills up at three moments of an upgrade: it says so, the old version runs on, and nothing is left
    behind.
    """
    set_version(machine, "2.0")
    here = machine.root / "opt/companion"
    for moment in (".build.*", "env-*/bin/pip", "env-*/lib/python3*/site-packages/PIL"):
        pid, before, known = machine.show("MainPID"), set(here.iterdir()), set(here.glob(moment))
        with ThreadPoolExecutor(1) as beside:
            upgrade = beside.submit(machine.run, INSTALL, user="pi", check=False)
            while not set(here.glob(moment)) - known and not upgrade.done():
                time.sleep(0.02)
            while (ballast := fill_up_to(card, 0)) and free_mib(card) > 0 and not upgrade.done():
                pass
            status, said = upgrade.result()
        ballast.unlink()
        assert status != 0, f"{moment}: {said}"
        assert "the version installed before was not changed" in said
        assert machine.show("MainPID") == pid
        assert set(here.iterdir()) == before


def use_full_card(machine, card: Card) -> None:
    """On a full card the rounds can be read, and the service starts and says what to do."""
    machine.run("systemctl stop companion")
    ballast = fill_up_to(card, 0)
    with ballast.open("ab", buffering=0) as file, contextlib.suppress(OSError):
        for _ in range(1 << 20):  # 4 GiB: the card is smaller.
            file.write(bytes(4096))
    assert json.loads(machine.run("companion history --json", user="pi")[1]) == []
    machine.run("systemctl start companion")
    end = time.monotonic() + PATIENCE
    while "The disk is full: delete something" not in machine.run("journalctl -u companion -o cat --no-pager")[1]:
        assert time.monotonic() < end, "the journal says nothing of the full disk"
        time.sleep(0.2)
    ballast.unlink()


def upgrade_with_cuts(machine, card: Card) -> None:
    """From the upgrade's beginning to a minute after its end, a power cut is simulated once a second."""
    with ThreadPoolExecutor(1) as beside:
        upgrade, done = beside.submit(machine.run, INSTALL, user="pi"), 0.0
        begun = now = time.monotonic()
        while not done or not card.cuts or card.cuts[-1][0] - done < SECONDS:
            if not done and upgrade.done():
                assert "companion 2.0 is installed" in upgrade.result()[1]
                done = now
            card.cut(now)
            time.sleep(max(0.0, begun + len(card.cuts) - time.monotonic()))
            now = time.monotonic()
    card.cuts = [(at - done, image) for at, image in card.cuts]


def examine_cuts(card: Card) -> dict:
    """For each cut, in seconds from the upgrade's end: the version that is there, or what is wrong with it."""
    found: list[dict] = []
    for number, (at, image) in enumerate(card.cuts):
        if found and image == card.cuts[number - 1][1]:
            found.append({**found[-1], "at": round(at)})
            continue
        with mount_image(image, card.folder.parent / "cut") as folder:
            free = shutil.disk_usage(folder).free >> 10
            found.append(
                {
                    "at": round(at),
                    "free_kib": free,
                    **examine_root(folder / "bookworm", number % START_EVERY == 0 or -3 < at < 3),
                }
            )
    versions = [cut.get("version") for cut in found]
    disks = len({image for _, image in card.cuts})
    return {"old": versions.count("1.0"), "new": versions.count("2.0"), "disks": disks, "cuts": found}


def examine_root(root: Path, start: bool) -> dict[str, str]:
    """The version that a card would boot."""
    try:
        environment = (root / "opt/companion/current").readlink().name
        damaged = damaged_files(root / "opt/companion" / environment)
        assert not damaged, f"{len(damaged)} files are not as installed, such as {damaged[0]}"
        unit = (root / "usr/local/lib/systemd/system/companion.service").read_text()
        assert unit == (SYSTEMD / "companion.service").read_text(), "the unit is damaged"
        version = command("chroot", root, "/usr/local/bin/companion", "--version")
        rounds = ["/usr/local/bin/companion", "history", "--json", "--data", "/var/lib/companion"]
        json.loads(command("chroot", root, *USER, *rounds))
        if start:
            # As the card's journal stands, it may still be full. Reading has to work then; a first start needs room.
            (root.parent / "ballast").unlink(missing_ok=True)
            command("sync", "--file-system", root)
            (root / "srv/trial").mkdir()
            shutil.chown(root / "srv/trial", *owner(root / "var/lib/companion"))
            program = f"/opt/companion/{environment}/bin/companion"
            command("chroot", root, *USER, "python3", "-I", "-c", TRIAL, program, "/srv/trial")
    except (AssertionError, OSError) as fault:
        return {"fault": str(fault)}
    return {"version": version.removeprefix("companion ")}


def owner(path: Path) -> tuple[int, int]:
    return path.stat().st_uid, path.stat().st_gid


def damaged_files(environment: Path) -> list[str]:
    """The files of an environment that differ from what their package says."""
    damaged = []
    packages = next(environment.glob("lib/python3*/site-packages"))
    records = list(packages.glob("*.dist-info/RECORD"))
    assert len(records) > 5, "packages are missing"
    for record in records:
        rows = list(csv.reader(record.read_text().splitlines()))
        assert rows, f"{record} is empty"
        for name, wanted, _ in rows:
            kind, _, digest = wanted.partition("=")
            if kind == "sha256" and "__pycache__" not in name:  # What is compiled may be compiled anew.
                data = (packages / name).read_bytes() if (packages / name).exists() else b""
                if base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode() != digest:
                    damaged.append(name)
    return damaged
