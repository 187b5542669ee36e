"""Checks the data folder: free space, speed of writing, whether a table runs on it, whether rounds can be read."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import subprocess
import tempfile
import time
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from companion.inputs import Finding
from companion.rounds import versions
from companion.rounds.matches import in_rounds
from companion.store.store import FILE, Store, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.rounds.versions import Doubt

LITTLE = 20 * 2**20
"""The least free space in bytes (20 MiB); an evening needs less than 1 MiB."""
_ASIDE = re.compile(re.escape(FILE) + r"\.(newer|damaged)-[0-9]+")
SLOW = 1.0
"""In seconds: the longest time for a small write; a good card needs some hundredths of a second."""


def check_room(folder: Path) -> Finding:
    """Check the free space, and how long it takes to write a test block, which is removed again."""
    if not os.path.isdir(folder):  # Path.is_dir would raise for a folder that may not be entered.
        return _not_made(folder)
    try:
        free = shutil.disk_usage(folder).free
        seconds = _write(folder)
    except OSError as error:
        return Finding("disk", "do", _why_not(folder, error))
    if free < LITTLE:
        return Finding("disk", "do", f"Only {_size(free)} are free in {folder}: delete something there is too much of.")
    if seconds > SLOW:
        text = (
            f"Slow: a write took {seconds:.1f} s. The card may be worn: `companion export --all DIR` saves the rounds."
        )
        return Finding("disk", "do", text)
    return Finding("disk", "ok", f"{_size(free)} are free in {folder}, a write took {seconds * 1000:.0f} ms.")


def check_rounds(folder: Path) -> tuple[Finding, str]:
    """The finding about stored rounds, and the start of the newest one not imported (ISO 8601, "" for none)."""
    if os.path.isdir(folder) and not os.access(folder, os.R_OK | os.X_OK):
        return Finding("rounds", "do", f"They cannot be read: {_permission(folder)}"), ""
    if not os.path.exists(folder / FILE):
        return Finding("rounds", "note", f"No round is kept in {folder} yet."), ""
    try:
        store = Store(folder, reading=True)
    except StoreError as error:
        return Finding("rounds", "do", str(error)), ""
    try:
        if store.warning:
            return Finding("rounds", "do", store.warning), ""
        kept = store.summaries()
    finally:
        store.close()
    newest = next((each.begun for each in reversed(kept) if each.state != "imported"), "")
    return Finding("rounds", "ok", f"{len(kept)} {'round is' if len(kept) == 1 else 'rounds are'} kept."), newest


def check_rules(folder: Path) -> Iterator[Finding]:
    """The findings about kept rounds that no longer give their result: their game is gone, or has other rules now."""
    if not os.path.exists(folder / FILE):
        return
    found: dict[tuple[str, Doubt], list[int]] = {}
    with suppress(StoreError), closing(Store(folder, reading=True)) as store:  # `check_rounds` tells of what fails.
        for number in store.numbers():
            with suppress(StoreError):
                saved = store.round(number)
                if saved is not None and (doubt := versions.doubt(saved)):
                    # Those that came to be in doubt in the same way are told together.
                    about = doubt if doubt.gone else doubt._replace(what="")
                    found.setdefault((saved.header.game, about), []).append(number)
    for (game, doubt), numbers in found.items():
        which = in_rounds(numbers)
        if doubt.gone:
            yield Finding("games", "note", f"{which.capitalize()} cannot be shown: {doubt}.")
        else:
            said = f"of {game} no longer {'gives its result' if len(numbers) == 1 else 'give their results'}"
            yield Finding("games", "note", f"{which.capitalize()} {said}: {doubt}. `companion history` says how.")


def check_set_aside(folder: Path) -> Finding | None:
    """The finding about files of rounds that were set aside, None if there are none."""
    names = sorted(each.name for each in folder.glob(f"{FILE}.*") if _ASIDE.fullmatch(each.name))
    if not names:
        return None
    return Finding(
        "set aside",
        "note",
        f"{', '.join(names)} in {folder}: while no table runs, `companion rescue FILE` takes in every round of it that "
        "is not here. After that you may delete it.",
    )


@contextmanager
def held_back(folders: Iterable[Path]) -> Iterator[Path | None]:
    """Yield the first of the folders on which a table is running, else None; no table can start within this context.

    If there is no permission for a folder, the service manager is asked instead. Nothing is created or changed.
    """
    taken: list[int] = []
    running = None
    for folder in dict.fromkeys(folders):
        try:
            taken.append(os.open(folder / "table.lock", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC))
            fcntl.flock(taken[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            running = running or folder
        except PermissionError:
            if _service_runs():
                running = running or folder
        except OSError:
            continue  # No table has run there yet.
    try:
        yield running
    finally:
        for descriptor in taken:
            os.close(descriptor)


def _service_runs() -> bool:
    if not os.path.isdir("/run/systemd/system"):
        return False
    with suppress(OSError, subprocess.SubprocessError):
        asked = subprocess.run(["systemctl", "is-active", "--quiet", "companion"], timeout=5, check=False)
        return asked.returncode == 0
    return False


def _not_made(folder: Path) -> Finding:
    """The finding for a folder that does not exist yet; the first start creates it."""
    if os.path.exists(folder):
        return Finding("disk", "do", f"{folder} is no folder: name another one with data in [table].")
    above = next(each for each in folder.absolute().parents if os.path.isdir(each))
    if os.access(above, os.W_OK | os.X_OK):
        return Finding("disk", "ok", f"{folder} will be made at the first start.")
    text = f"{folder} cannot be made, for this user may not write in {above}: name another one with data in [table]."
    return Finding("disk", "do", text)


def _write(folder: Path) -> float:
    """Write and sync a block. Returns the seconds it took. Raises OSError."""
    begun = time.monotonic()
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        file.write(bytes(4096))
        os.fsync(file.fileno())
    return time.monotonic() - begun


def _why_not(folder: Path, error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"The disk is full: delete something, so that {folder} has room."
    if error.errno == errno.EROFS:
        return f"{folder} can only be read: restart the Pi; if that does not help, the card is worn out."
    if isinstance(error, PermissionError):
        return f"No permission to write in {folder}: {_permission(folder)}"
    return f"{folder} cannot be written to ({error.strerror}): check the card, or use another one."


def _permission(folder: Path) -> str:
    """A sentence how this user can get permission for the folder."""
    return f"`sudo usermod -aG {_group(folder)} $USER`, then log in again."


def _group(folder: Path) -> str:
    with suppress(OSError, KeyError):
        return folder.group()
    return "companion"


def _size(count: float) -> str:
    return f"{count / 2**30:.1f} GB" if count >= 2**30 else f"{count / 2**20:.0f} MB"
