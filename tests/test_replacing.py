"""A file that is replaced is whole at any time, and so are its permissions."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from companion.replacing import replace_file

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("fails", ["fsync", "replace"])
def test_a_file_that_cannot_be_replaced_is_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    """The old content stays, and nothing is left beside it; the next write succeeds."""
    file = tmp_path / "kept"
    replace_file(file, b"old")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os if fails == "fsync" else type(file), fails, full)
    with pytest.raises(OSError, match="No space"):
        replace_file(file, b"new")
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("kept", b"old")]
    monkeypatch.undo()
    replace_file(file, b"new")
    assert file.read_bytes() == b"new"


@pytest.mark.parametrize(
    ("mode", "exact", "left"), [(0o600, False, 0o600), (0o640, False, 0o600), (0o644, True, 0o644)]
)
def test_the_umask_takes_away_from_permissions_that_are_not_exact(
    tmp_path: Path, mode: int, exact: bool, left: int
) -> None:
    """So a service with private files writes a private password, whatever permissions the old file had."""
    file = tmp_path / "kept"
    file.touch(0o666)
    before = os.umask(0o077)
    try:
        replace_file(file, b"new", mode=mode, ignores_umask=exact)
    finally:
        os.umask(before)
    assert file.stat().st_mode & 0o777 == left


def test_what_others_left_beside_it_is_not_followed(tmp_path: Path) -> None:
    """A link in the place of the temporary file, or of the file itself, is replaced."""
    other = tmp_path / "other"
    other.write_bytes(b"theirs")
    for name in ("kept", ".kept.part"):
        (tmp_path / name).symlink_to(other)
    replace_file(tmp_path / "kept", b"ours")
    assert (other.read_bytes(), (tmp_path / "kept").read_bytes()) == (b"theirs", b"ours")
    assert not (tmp_path / "kept").is_symlink()
