"""USB sticks for tests: real file systems in files, which are plugged in, pulled, and break down while in use."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from small_disks import skip_without


class Stick:
    """A small file system, and the folder where it is mounted: ext4, or FAT as on a new USB stick."""

    def __init__(self, folder: Path, kind: str = "ext4") -> None:
        self.image, self.where, self.kind = folder / "image", folder / "mounted", kind
        self.where.mkdir(parents=True)
        with self.image.open("wb") as file:
            file.truncate(1 << 20 if kind == "ext4" else 16 << 20)
        if kind == "ext4":
            run("mkfs.ext4", "-q", "-O", "^has_journal", self.image)
        elif shutil.which("mkfs.vfat") is None:
            pytest.skip("dosfstools is not installed")
        else:
            run("mkfs.vfat", self.image)
        self.device = ""

    @property
    def folder(self) -> Path:
        """The configured folder, which the program creates."""
        return self.where / "rounds"

    def put_in(self, options: str = "rw") -> None:
        command = ["losetup", "--find", "--show", self.image]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        if done.returncode:  # As in a root without devices of its own.
            pytest.skip("this machine does not let root mount a disk")
        self.device = done.stdout.strip()
        command = ["mount", "-o", options, self.device, self.where]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        if done.returncode:
            run("losetup", "--detach", self.device)
            self.device = ""
            assert self.kind == "vfat", done.stderr
            pytest.skip("this machine's kernel has no FAT")

    def take_out(self) -> None:
        if self.device:
            run("umount", "--lazy", self.where)
            run("losetup", "--detach", self.device)
            self.device = ""

    def break_down(self) -> None:
        """Let every sector fail from now on, as when a stick is pulled."""
        with self.image.open("r+b") as file:
            kept = file.read()
            file.truncate(0)
        run("losetup", "--set-capacity", self.device)
        self.image.with_name("kept").write_bytes(kept)

    def put_back(self) -> None:
        """Plug in a stick that broke down, as it was then, after a check of its file system."""
        self.take_out()
        self.image.write_bytes(self.image.with_name("kept").read_bytes())
        command = ["e2fsck", "-fy", self.image]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode in (0, 1), done.stdout
        self.put_in()


def run(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def sticks(tmp_path):
    """`sticks()` is a new stick."""
    skip_without("mkfs.ext4", "losetup")
    made: list[Stick] = []

    def make(kind: str = "ext4") -> Stick:
        made.append(Stick(tmp_path / f"stick-{len(made)}", kind))
        return made[-1]

    yield make
    for each in made:
        each.take_out()
