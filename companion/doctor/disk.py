"""Checks the data folder: free space, speed of writing, whether a table is running on it, and its stored rounds."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import subprocess
import tempfile
import time
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from companion.inputs import Finding
from companion.languages import format_decimal, os_error_text, plural_text, text, translate
from companion.rounds import replaying
from companion.rounds.standings import round_numbers_text
from companion.store import second_disk
from companion.store.database import DATABASE_NAME
from companion.store.errors import StoreError
from companion.store.journal import JOURNAL_NAME
from companion.store.read_only_store import ReadOnlyStore
from companion.store.second_disk import SECOND_NAME
from companion.store.store_warnings import WarningKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.rounds.replaying import ReplayProblem

MIN_FREE_BYTES = 20 * 2**20
"""The least free space in bytes (20 MiB). An evening needs less than 1 MiB."""
_ASIDE_PATTERN = re.compile(r"rounds\.(journal|journal-2|db)\.damaged-[0-9]+")
MOUNTS_FILE, KERNEL_COMMAND_FILE = Path("/proc/self/mounts"), Path("/proc/cmdline")
"""The list of mounted file systems, and the command line with which the kernel was started."""
OVERLAY_ROOT_PATTERN = re.compile(r"\b(boot=overlay|overlayroot=tmpfs)\b")
"""How the older and newer versions of raspi-config make the kernel use an overlay in memory."""
SLOW_WRITE_SECONDS = 1.0
"""A small write that takes longer is too slow. A good card needs some hundredths of a second."""


def check_free_space(folder: Path) -> Finding:
    """The finding about free space, and how long it takes to write a test block, which is deleted again."""
    if not os.path.isdir(folder):  # Path.is_dir would raise for a folder that may not be entered.
        return _missing_folder_finding(folder)
    try:
        free = shutil.disk_usage(folder).free
        seconds = time_write(folder)
    except OSError as error:
        return Finding("disk", "do", _write_fault(folder, error))
    if free < MIN_FREE_BYTES:
        message = "Only {size} free in {folder}: delete something you do not need."
        return Finding("disk", "do", text(message, size=_size_text(free), folder=folder))
    if seconds > SLOW_WRITE_SECONDS:
        message = (
            "Slow: a write took {seconds} s. The card may be worn out: save the rounds elsewhere with "
            "`companion export --all DIR`."
        )
        return Finding("disk", "do", text(message, seconds=format_decimal(seconds)))
    message, milliseconds = "{size} free in {folder}; a write took {milliseconds} ms.", f"{seconds * 1000:.0f}"
    return Finding("disk", "ok", text(message, size=_size_text(free), folder=folder, milliseconds=milliseconds))


def check_permanence(folder: Path) -> Finding | None:
    """The finding that everything in the folder is lost when the Pi is switched off; None if it is not."""
    if not is_in_memory(folder):
        return None
    message = "{folder} is only in memory: its rounds are lost when the Pi is switched off. {do}"
    overlay = "Switch off the overlay file system with `sudo raspi-config nonint do_overlayfs 1`, then restart the Pi."
    folder_advice = "Choose another folder: set data in [table]."
    do = text(overlay) if _file_system_of(folder.resolve())[0] == "overlay" else text(folder_advice)
    return Finding("disk", "do", text(message, folder=folder, do=do))


def is_in_memory(folder: Path) -> bool:
    """Whether a folder's file system is memory, or an overlay that writes to memory; False if that is unknown.

    An overlay over the root rarely says which folder it writes to, but then the kernel's command line asks for the
    overlay.
    """
    with suppress(OSError):
        kind, settings = _file_system_of(folder.resolve())
        if kind != "overlay":
            return kind in ("tmpfs", "ramfs")
        if OVERLAY_ROOT_PATTERN.search(KERNEL_COMMAND_FILE.read_text()):
            return True
        upper = next((each[9:] for each in settings.split(",") if each.startswith("upperdir=")), "")
        return os.path.isdir(upper) and _file_system_of(Path(upper))[0] in ("tmpfs", "ramfs")
    return False


def _file_system_of(path: Path) -> tuple[str, str]:
    """The type and the settings of the file system that a path is on, ("", "") if unknown. Raises OSError."""
    type_and_settings, longest = ("", ""), -1
    for line in MOUNTS_FILE.read_text(errors="replace").splitlines():
        where, kind, settings = line.split()[1:4]
        point = Path(where.replace("\\040", " "))
        if path.is_relative_to(point) and len(point.parts) >= longest:
            type_and_settings, longest = (kind, settings), len(point.parts)
    return type_and_settings


def check_rounds(folder: Path) -> tuple[Finding, str, list[Finding]]:
    """The finding about stored rounds, the start of the newest one played here, and further findings.

    The start is ISO 8601, "" for none. The further findings are about rounds that no longer give their result.
    """
    if os.path.isdir(folder) and not os.access(folder, os.R_OK | os.X_OK):
        return Finding("rounds", "do", text("The rounds cannot be read: {do}", do=_permission_advice(folder))), "", []
    if not any(os.path.exists(folder / name) for name in (JOURNAL_NAME, DATABASE_NAME)):
        return Finding("rounds", "note", text("No rounds are saved in {folder} yet.", folder=folder)), "", []
    try:
        store = ReadOnlyStore(folder)
    except StoreError as error:
        return Finding("rounds", "do", translate(error.sentence)), "", []
    with closing(store):
        doubtful = list(_check_replays(store))
        if store.warning_text:
            return Finding("rounds", "do", translate(store.warning_text)), "", doubtful
        summaries = store.summaries()
    newest = next((each.begun for each in reversed(summaries) if each.state != "imported"), "")
    if not summaries:
        return Finding("rounds", "ok", text("No rounds are saved in {folder} yet.", folder=folder)), "", doubtful
    count = plural_text(len(summaries), "{number} round is saved.", "{number} rounds are saved.")
    return Finding("rounds", "ok", count), newest, doubtful


def _check_replays(store: ReadOnlyStore) -> Iterator[Finding]:
    """The findings about rounds that no longer give their result: their game is missing, or has other rules now."""
    numbers_by_problem: dict[tuple[str, ReplayProblem], list[int]] = {}
    with suppress(StoreError):
        for number in store.round_numbers():
            with suppress(StoreError):
                saved = store.load_round(number)
                if saved is not None and (doubt := replaying.find_problem(saved)):
                    # Rounds with the same problem are reported in one finding.
                    shared_problem = doubt if doubt.is_unplayable else doubt._replace(fault="")
                    numbers_by_problem.setdefault((saved.header.game, shared_problem), []).append(number)
    for (game, doubt), numbers in numbers_by_problem.items():
        rounds = round_numbers_text(numbers)
        if doubt.is_unplayable:
            sentence = text("{which:capital} cannot be shown: {doubt}.", which=rounds, doubt=doubt.reason)
        else:
            sentence = plural_text(
                len(numbers),
                "{which:capital} of {game} no longer gives the same result: {doubt}. For details: `companion history`.",
                "{which:capital} of {game} no longer give the same results: {doubt}. For details: `companion history`.",
                which=rounds, game=game, doubt=doubt.reason,
            )  # fmt: skip
        yield Finding("games", "note", sentence)


def check_second_copy(folder: Path) -> Finding | None:
    """The finding about another disk that is configured for the second copy of the rounds; None if none is."""
    with suppress(StoreError, OSError):
        second = second_disk.second_folder(folder)
        if second is None:
            return None
        kind = second_disk.find_disk_fault(folder, second)
        if kind is WarningKind.FOREIGN:
            message = "{file} holds another table's rounds and is left as it is: use another disk."
            return Finding("copies", "do", text(message, file=second / SECOND_NAME))
        if kind:
            message = (
                "The disk for {there} is not connected: until it is back, both copies of the rounds are in {folder}."
            )
            return Finding("copies", "do", text(message, there=second, folder=folder))
        if not second_disk.is_up_to_date(folder, second):
            message = (
                "The second copy of the rounds will be written to {there} at the next start, or after the next round."
            )
            return Finding("copies", "note", text(message, there=second))
        return Finding("copies", "ok", text("The second copy of the rounds is in {there}.", there=second))
    return None


def check_files_set_aside(folder: Path) -> Finding | None:
    """The finding about files of rounds that were set aside; None if there are none."""
    names = sorted(each.name for each in folder.glob("rounds.*") if _ASIDE_PATTERN.fullmatch(each.name))
    if not names:
        return None
    message = (
        "{files} in {folder}: stop the table and run `companion rescue FILE` to import each round that is missing "
        "here. After that you can delete the file."
    )
    return Finding("set aside", "note", text(message, files=", ".join(names), folder=folder))


@contextmanager
def keep_tables_from_starting(folders: Iterable[Path]) -> Iterator[Path | None]:
    """Yield the first of the folders on which a table is running, else None. Within this context no table can start.

    If this user may not read a folder's lock, the service manager is asked instead. Nothing is created or changed.
    """
    running_folder = None
    with ExitStack() as locks:
        for folder in dict.fromkeys(folders):
            try:
                lock = os.open(folder / "table.lock", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
                locks.callback(os.close, lock)
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                running_folder = running_folder or folder
            except PermissionError:
                if _is_service_running():
                    running_folder = running_folder or folder
            except OSError:
                continue  # No table has run there yet.
        yield running_folder


def _is_service_running() -> bool:
    if not os.path.isdir("/run/systemd/system"):
        return False
    with suppress(OSError, subprocess.SubprocessError):
        process = subprocess.run(["systemctl", "is-active", "--quiet", "companion"], timeout=5, check=False)
        return process.returncode == 0
    return False


def _missing_folder_finding(folder: Path) -> Finding:
    """The finding for a folder that does not exist yet. The first start creates it."""
    if os.path.exists(folder):
        message = "{folder} is not a folder: set data in [table] to another one."
        return Finding("disk", "do", text(message, folder=folder))
    above = next(each for each in folder.absolute().parents if os.path.isdir(each))
    if os.access(above, os.W_OK | os.X_OK):
        return Finding("disk", "ok", text("{folder} will be created at the first start.", folder=folder))
    message = (
        "{folder} cannot be created, because this user may not write in {above}: set data in [table] to another folder."
    )
    return Finding("disk", "do", text(message, folder=folder, above=above))


def time_write(folder: Path) -> float:
    """Write and sync a block. Returns the seconds it took. Raises OSError."""
    begun = time.monotonic()
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        file.write(bytes(4096))
        os.fsync(file.fileno())
    return time.monotonic() - begun


def _write_fault(folder: Path, error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return text("The disk is full: delete something to make room in {folder}.", folder=folder)
    if error.errno == errno.EROFS:
        message = "{folder} is read-only: restart the Pi; if that does not help, the card is worn out."
        return text(message, folder=folder)
    if isinstance(error, PermissionError):
        return text("No permission to write in {folder}: {do}", folder=folder, do=_permission_advice(folder))
    message = "{folder} cannot be written to ({why}): check the card, or use another one."
    return text(message, folder=folder, why=os_error_text(error))


def _permission_advice(folder: Path) -> str:
    """A sentence that says how this user can get permission for the folder."""
    return text("run `sudo usermod -aG {group} $USER`, then log in again.", group=_group(folder))


def _group(folder: Path) -> str:
    with suppress(OSError, KeyError):
        return folder.group()
    return "companion"


def _size_text(count: float) -> str:
    if count >= 2**30:
        return text("{size} GB", size=format_decimal(count / 2**30))
    return text("{size} MB", size=f"{count / 2**20:.0f}")
