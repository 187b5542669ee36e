"""An upgrade on a card whose plug is pulled, and on a full card.

The machine is on ext4 on a loop device. Its image is on XFS, which clones a file in one step: a clone is the disk as a
power cut leaves it, with exactly what the file system had sent to the disk at that moment. This does not show a card
that loses or reorders writes which it has already confirmed.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import debian_roots
import pytest
from drill_machines import wait_until

HOME = "usr/lib/tabletop-companion"
STATE = "var/lib/tabletop-companion"
SECONDS = 20
"""How long cuts are made after the upgrade's end: it has proven itself by then."""
EVERY = 0.4
PATIENCE = 120.0
TICK = 0.1
"""More than the resolution with which a file system notes when a file was written."""


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


@pytest.mark.drill
@pytest.mark.timeout(1800)
def test_a_plug_cannot_kill_an_upgrade(machines, card, record_property):
    """A full card stops an upgrade cleanly; the plug leaves the old version or the new one, at every moment."""
    machine = machines("bookworm", card.folder)
    old, new = (package_of(machine, card, number) for number in ("1.0", "2.0"))
    machine.run("dpkg -i /srv/1.0.deb && usermod -aG companion pi")
    try:
        assert wait_until(lambda: list((machine.root / STATE).iterdir()) == []), "1.0 has not proved itself"
        fill_while_unpacking(machine, card)
        use_full_card(machine, card)
        upgrade_with_cuts(machine, card)
    finally:
        machine.close()
    figures = examine_cuts(card, {"1.0": old, "2.0": new})
    record_property("figures", json.dumps(figures))
    print(figures)
    assert [cut for cut in figures["cuts"] if cut.get("fault")] == []
    moments = [cut["at"] for cut in figures["cuts"]]
    assert moments[0] < 0
    assert moments[-1] >= SECONDS
    assert len(moments) >= 20
    assert figures["old"]
    assert figures["new"]


def package_of(machine, card: Card, number: str) -> Path:
    """Make a package of another version, /srv/NUMBER.deb in the machine. Returns the folder with its files."""

    def change(files: Path, control: Path) -> None:
        package = files / HOME / "companion"
        text = re.sub('__version__ = ".*"', f'__version__ = "{number}"', (package / "__init__.py").read_text())
        (package / "__init__.py").write_text(text)
        # As debian/rules does: what is missing, the program would write when root runs it.
        (machine.root / "srv/__init__.py").write_text(text)
        command(
            "chroot", machine.root, "python3", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", "/srv"
        )
        shutil.copytree(machine.root / "srv/__pycache__", package / "__pycache__", dirs_exist_ok=True)
        described = (control / "control").read_text()
        (control / "control").write_text(re.sub("Version: .*", f"Version: {number}", described))

    made = debian_roots.repack(machine.package, machine.root / f"srv/{number}.deb", change)
    command("dpkg-deb", "--extract", made, card.folder.parent / number)
    return card.folder.parent / number


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


def fill_while_unpacking(machine, card: Card) -> None:
    """The card is full before and while dpkg unpacks: it says so, and the old version runs on, also after a restart."""
    for room in (0, 20):
        pid, ballast = machine.show("MainPID"), fill_up_to(card, room)
        status, said = machine.run("dpkg -i /srv/2.0.deb", check=False)
        ballast.unlink()
        assert status != 0, said
        assert "No space left on device" in said
        assert machine.show("MainPID") == pid
        machine.run("systemctl restart companion")
        assert machine.run("companion --version")[1] == "companion 1.0\n"


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
    """From the upgrade's beginning until it has proven itself, a power cut is simulated again and again."""
    with ThreadPoolExecutor(1) as beside:
        upgrade, done = beside.submit(machine.run, "dpkg -i /srv/2.0.deb"), 0.0
        begun = now = time.monotonic()
        while not done or not card.cuts or card.cuts[-1][0] - done < SECONDS:
            if not done and upgrade.done():
                assert upgrade.result()[0] == 0
                done = now
            card.cut(now)
            time.sleep(max(0.0, begun + len(card.cuts) * EVERY - time.monotonic()))
            now = time.monotonic()
    card.cuts = [(at - done, image) for at, image in card.cuts]


def examine_cuts(card: Card, versions: dict[str, Path]) -> dict:
    """For each cut, in seconds from the upgrade's end: the version that is there, or what is wrong with it."""
    found: list[dict] = []
    for number, (at, image) in enumerate(card.cuts):
        if found and image == card.cuts[number - 1][1]:
            found.append({**found[-1], "at": round(at, 1)})
            continue
        with mount_image(image, card.folder.parent / "cut") as folder:
            found.append({"at": round(at, 1), **examine_root(folder / "bookworm", versions)})
    numbers = [cut.get("version") for cut in found]
    disks = len({image for _, image in card.cuts})
    return {"old": numbers.count("1.0"), "new": numbers.count("2.0"), "disks": disks, "cuts": found}


def examine_root(root: Path, versions: dict[str, Path]) -> dict[str, str]:
    """The version that a card would boot: whole, and wanted by the boot, or of no use."""
    try:
        version = command("chroot", root, "/usr/bin/companion", "--version").removeprefix("companion ")
        is_back = (root / STATE / "back").exists() and (root / f"{HOME}.previous").exists()
        home = root / (f"{HOME}.previous" if is_back else HOME)
        damaged = damaged_files(home, versions[version] / HOME)
        assert not damaged, f"{len(damaged)} files are not those of {version}, such as {damaged[0]}"
        unit = root / "lib/systemd/system/companion.service"
        assert unit.read_text() == (versions[version] / "lib/systemd/system/companion.service").read_text()
        assert (root / "etc/systemd/system/multi-user.target.wants/companion.service").is_symlink()
        rounds = ["/usr/bin/companion", "history", "--json", "--data", "/var/lib/companion"]
        json.loads(
            command("chroot", root, "setpriv", "--reuid", "companion", "--regid", "companion", "--init-groups", *rounds)
        )
    except (AssertionError, OSError) as fault:
        return {"fault": str(fault)}
    return {"version": version}


def damaged_files(home: Path, wanted: Path) -> list[str]:
    """The files of a version that differ from what its package brings, or that it does not bring."""
    names = {file.relative_to(folder) for folder in (home, wanted) for file in folder.rglob("*") if not file.is_dir()}
    return [
        str(name) for name in sorted(names)
        if not (home / name).is_file()
        or not (wanted / name).is_file()
        or (home / name).read_bytes() != (wanted / name).read_bytes()
    ]  # fmt: skip
