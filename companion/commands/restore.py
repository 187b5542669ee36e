"""`companion restore`: puts a copy of the journal in the place of the saved rounds, with the rights of their owner."""

from __future__ import annotations

import os
import stat
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import UnusableError
from companion import config as configuration
from companion.commands import command_store, options
from companion.commands.text_streams import printable_text, unusable_on_error
from companion.languages import plural_text, text
from companion.store.data_folder import acting_as_owner
from companion.store.errors import raising_store_errors
from companion.store.restoring import find_fault, restore_journal
from companion.store.store_warnings import WarningKind

if TYPE_CHECKING:
    from collections.abc import Sequence

DESCRIPTION = """\
Replaces the saved rounds by those of FILE, a copy of rounds.journal. What was saved before is kept in a folder that is
named. FILE itself is not changed. As root it stops the service meanwhile, and the service can read what was restored.

Exit status: 0 all is restored, 1 a round of FILE could not be read or the service does not start, 2 unusable arguments
or file."""

LOSSES = (WarningKind.DAMAGED, WarningKind.LAST_ENTRY, WarningKind.CUT)
"""The warnings after which a round may lack something."""
SYSTEMD_FOLDER = Path("/run/systemd/system")
"""It exists where systemd runs: sd_booted(3)."""


def main(argv: Sequence[str]) -> int:
    """Restore the rounds of a file. Returns the exit status."""
    parser = options.make_parser("restore", DESCRIPTION)
    parser.add_argument("file", metavar="FILE")
    arguments = parser.parse_args(argv)
    config = options.load_config(arguments)
    source = _open_file(arguments.file)
    if not arguments.data and config.table.data is None:
        _make_service_folder()
    folder = options.data_folder(arguments, config)
    is_started, must_start = True, _stop_service(folder)
    try:
        with acting_as_owner(folder), raising_store_errors(text("Not restored"), folder):
            replaced = restore_journal(source, folder)
        with command_store.open_store_in(folder) as store:
            count, warnings = len(store.round_numbers()), store.pending_warnings.warnings
    finally:
        os.close(source)
        if must_start:
            is_started = _call_systemctl("start").returncode == 0
    where = printable_text(str(folder))
    print(plural_text(count, "{number} round restored in {folder}", "{number} rounds restored in {folder}",
                      folder=where))  # fmt: skip
    if replaced is not None:
        print(text("what was saved there before is in {folder}", folder=printable_text(str(replaced))))
    for warning in warnings:
        options.print_message(warning.sentences)
    return int(not is_started or any(warning.kind in LOSSES for warning in warnings))


def _open_file(name: str) -> int:
    """Open the file to be restored. Raises UnusableError if it is none.

    It is opened only once, so that what was checked is what is restored.
    """
    path, file = options.nonempty_path(name), printable_text(name)
    if path.is_dir():
        message = "{file} is a folder: name a copy of rounds.journal; for a folder of records use `companion import`"
        raise UnusableError(text(message, file=file))
    with unusable_on_error("cannot read {file}: {why}", file=file):
        source = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        fault = find_fault(source) if stat.S_ISREG(os.fstat(source).st_mode) else text("it is no ordinary file")
    if fault:
        os.close(source)
        raise UnusableError(text("{file} cannot be restored: {why}", file=file, why=fault))
    return source


def _make_service_folder() -> None:
    """As root, make the service's folder where it is missing, or the rounds would be restored for root alone."""
    if os.geteuid() == 0 and not configuration.SYSTEM_DATA.exists():
        import pwd

        with suppress(KeyError):  # There is no service.
            user = pwd.getpwnam("companion")
            configuration.SYSTEM_DATA.mkdir()
            os.chown(configuration.SYSTEM_DATA, user.pw_uid, user.pw_gid)
            configuration.SYSTEM_DATA.chmod(0o2770)


def _stop_service(folder: Path) -> bool:
    """As root, stop the service of this folder. Returns whether it is to be started again, also where it had failed."""
    if os.geteuid() != 0 or folder != configuration.SYSTEM_DATA or not SYSTEMD_FOLDER.is_dir():
        return False
    state = _call_systemctl("is-active", capture_output=True).stdout.strip()
    if state in (b"inactive", b"unknown"):
        return False
    _call_systemctl("stop")
    _call_systemctl("reset-failed", stderr=subprocess.DEVNULL)
    return True


def _call_systemctl(verb: str, **settings: Any) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(["systemctl", verb, "companion.service"], timeout=120, check=False, **settings)
    except subprocess.TimeoutExpired:
        raise UnusableError(text("systemd does not answer: restart the box")) from None
