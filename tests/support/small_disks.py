"""Small disks, for tests of what happens when a disk is full."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

MAX_DISK_BYTES = 1 << 30
"""The largest size of a test's disk, in bytes."""

PATIENCE_SECONDS = 60


def skip_without(*tools: str) -> None:
    """Skip the test without root, or without one of its tools, since then no disk can be made."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a disk")
    for tool in tools:
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")


@pytest.fixture
def small_disk(tmp_path):
    """`small_disk(256)` mounts a disk of 256 KiB; what does not fit is refused with ENOSPC."""
    skip_without()
    mounted: list[Path] = []

    def mount(kib: int) -> Path:
        where = tmp_path / f"disk-{len(mounted)}"
        where.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={kib}k", "tmpfs", where]
        if subprocess.run(command, timeout=PATIENCE_SECONDS, check=False).returncode:
            pytest.skip("this machine does not let root mount a disk")
        mounted.append(where)
        return where

    yield mount
    for where in mounted:
        subprocess.run(["umount", "--lazy", where], timeout=PATIENCE_SECONDS, check=True)


@pytest.fixture
def fill_up():
    """`fill_up(folder)` fills the disk of a folder, and returns the file that does."""

    def fill(folder: Path) -> Path:
        ballast = folder / "ballast"
        with ballast.open("ab", buffering=0) as file:
            for size in (1 << 20, 4096, 1):
                with contextlib.suppress(OSError):
                    for _ in range(MAX_DISK_BYTES // size):
                        file.write(bytes(size))
        return ballast

    return fill
