"""Small disks, for tests of what happens when one is full."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

MOST = 1 << 30
"""Bytes: no disk of a test is larger."""

PATIENCE = 60


def skip_without(*tools: str) -> None:
    """Skip the test where nobody can make a disk: without root, or where one of its tools is not installed."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a disk")
    for tool in tools:
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")


@pytest.fixture
def small_disk(tmp_path):
    """`small_disk(256)` mounts one of 256 KiB; what is put on it beyond that is refused with ENOSPC."""
    skip_without()
    mounted: list[Path] = []

    def mount(kib: int) -> Path:
        where = tmp_path / f"disk-{len(mounted)}"
        where.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={kib}k", "tmpfs", where]
        if subprocess.run(command, timeout=PATIENCE, check=False).returncode:
            pytest.skip("this machine does not let root mount a disk")
        mounted.append(where)
        return where

    yield mount
    for where in mounted:
        subprocess.run(["umount", "--lazy", where], timeout=PATIENCE, check=True)


@pytest.fixture
def fill_up():
    """`fill_up(folder)` leaves no room on a folder's disk; the file that takes it."""

    def fill(folder: Path) -> Path:
        ballast = folder / "ballast"
        with ballast.open("ab", buffering=0) as file:
            for size in (1 << 20, 4096, 1):
                with contextlib.suppress(OSError):
                    for _ in range(MOST // size):
                        file.write(bytes(size))
        return ballast

    return fill
