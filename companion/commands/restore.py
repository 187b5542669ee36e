"""`companion backup` writes rounds and settings to another disk; `companion restore` puts them, or a journal, back.

What is put back is read and written with the rights of the folder's owner, whoever runs the command.
"""

from __future__ import annotations

import os
import stat
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import UnusableError, settings_file
from companion import config as configuration
from companion.commands import command_store, options
from companion.commands.text_streams import printable_text, unusable_on_error
from companion.languages import plural_text, text
from companion.store.backup_files import open_backup, open_newest_backup, write_backup
from companion.store.data_folder import acting_as_owner
from companion.store.errors import raising_store_errors
from companion.store.restoring import find_fault, restore_journal
from companion.store.store_warnings import WarningKind

if TYPE_CHECKING:
    from collections.abc import Sequence

DESCRIPTION = """\
Replaces the saved rounds by those of FILE: a copy of rounds.journal, a backup, or a folder with backups, of which the
newest valid one counts. A backup's settings are taken over too. What was saved before is kept in a folder that is
named. FILE itself is not changed. As root it stops the service meanwhile, and the service can read what was restored.

Exit status: 0 all is restored, 1 a round of FILE could not be read or the service does not start, 2 unusable arguments
or file."""

BACKUP_DESCRIPTION = """\
Writes a new file with all rounds and the settings chosen at the box into the folder DIR, for `companion restore`. No
older file is changed. Hidden pieces of an unfinished round are in it. The table may be running meanwhile."""

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
    if not arguments.data and config.table.data is None:
        _make_service_folder()
    folder = options.data_folder(arguments, config)
    source, settings = _open_source(arguments.file, folder)
    is_started, must_start = True, _stop_service(folder)
    try:
        with acting_as_owner(folder), raising_store_errors(text("Not restored"), folder):
            replaced = restore_journal(source, folder)
            if settings is not None:
                if replaced is not None and (folder / settings_file.SETTINGS_NAME).exists():
                    (folder / settings_file.SETTINGS_NAME).rename(replaced / settings_file.SETTINGS_NAME)
                settings_file.save_settings(folder, settings)
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


def backup(argv: Sequence[str]) -> int:
    """Write a backup, or show the newest one. Returns the exit status."""
    parser = options.make_parser("backup", BACKUP_DESCRIPTION)
    parser.add_argument("disk", metavar="DIR")
    options.add_switch(parser, "--newest", text("write nothing, and show the newest backup in DIR"))
    arguments = parser.parse_args(argv)
    folder, disk = options.data_folder(arguments, options.load_config(arguments)), options.nonempty_path(arguments.disk)
    with unusable_on_error("no backup: {why}"):
        name = "" if arguments.newest else write_backup(folder, disk)
        found = open_newest_backup(disk, folder)
    if found is None or (name and found.name != name):
        raise UnusableError(text("there is no valid backup in {folder}", folder=printable_text(arguments.disk)))
    os.close(found.journal)
    print(found.name)
    made = "{:04}-{:02}-{:02} {:02}:{:02}".format(*found.made_at)
    print(plural_text(found.round_count, "{number} round, {date}", "{number} rounds, {date}",
                      date=made))  # fmt: skip
    return 0


def _open_source(name: str, folder: Path) -> tuple[int, settings_file.ChosenSettings | None]:
    """Open what is to be restored: a journal, and the settings of a backup. Raises UnusableError.

    A file is opened only once, so that what was checked is what is restored.
    """
    path, file = options.nonempty_path(name), printable_text(name)
    with unusable_on_error("cannot read {file}: {why}", file=file):
        try:
            if not path.is_dir() and path.suffix != ".zip":
                return _open_journal(path), None
            folder.mkdir(parents=True, exist_ok=True)  # Its owner reads the backup.
            found = open_newest_backup(path, folder) if path.is_dir() else open_backup(path, folder)
            if found is None:
                message = "it is a folder without a backup; for a folder of records use `companion import`"
                raise ValueError(text(message))
            with acting_as_owner(folder), tempfile.TemporaryDirectory() as scratch:
                if found.settings is None:
                    return found.journal, None
                Path(scratch, settings_file.SETTINGS_NAME).write_bytes(found.settings)
                return found.journal, settings_file.load_settings(Path(scratch))
        except (ValueError, configuration.ConfigError) as fault:
            raise UnusableError(text("{file} cannot be restored: {why}", file=file, why=fault.args[0])) from None


def _open_journal(path: Path) -> int:
    """Open a copy of the journal. Raises ValueError with the reason if it is none, and OSError."""
    source = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    fault = find_fault(source) if stat.S_ISREG(os.fstat(source).st_mode) else text("it is no ordinary file")
    if fault:
        os.close(source)
        raise ValueError(fault)
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
