"""`companion export`: writes stored rounds as records; the store is only read, so the table may be running.

In a folder each round has a file, and a power cut or a full disk never leaves an incomplete one.
"""

from __future__ import annotations

import fcntl
import os
import re
import stat
import sys
from collections import Counter
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from companion import UnusableError, games
from companion.commands import command_store, exported_text, options
from companion.commands.text_streams import printable_text, terminal_text, unusable_on_error
from companion.games.api import RefusedError
from companion.games.score_pad import pad
from companion.languages import in_language, os_error_text, plural_text, text
from companion.languages.catalogues import ENGLISH
from companion.replacing import PART_ENDING, replace_file
from companion.store.errors import StoreError
from companion.store.round_text import record_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from companion.games.api.manifest import HoldingKind
    from companion.rounds.stored import StoredRound
    from companion.store.store_queries import StoreQueries

DESCRIPTION = """\
Writes a round as a record (.tcr) to standard output: the newest, if none is named. The table may be running.
The hidden pieces of an unfinished round are only exported with --reveal.
A score pad is written as CSV, one entry a line, or with --json as a JSON object."""


STORED_ROUND_ERRORS = (RefusedError, StoreError, ValueError, LookupError)
"""Raised for a stored round that cannot be read, because the rules have changed or the disk is faulty."""


def main(argv: Sequence[str]) -> int:
    """Export rounds. Returns the exit status."""
    arguments = _make_parser().parse_args(argv)
    if arguments.all is not None and arguments.round is not None:
        raise UnusableError(
            text("use either --all, which writes every round, or the number {number}", number=arguments.round)
        )
    if arguments.check and arguments.all is None:
        raise UnusableError(text("--check needs a folder: name it with --all DIR"))
    if arguments.all is not None:
        return _export_all(arguments)
    with command_store.open_store_to_read(arguments) as store:
        exported = _export_one(store, arguments)
    sys.stdout.write(terminal_text(exported))
    return 0


def _make_parser() -> options.CommandParser:
    """Make the parser of the arguments."""
    parser = options.make_parser("export", DESCRIPTION)
    round_help = text("the round's number, as `companion history` shows it")
    options.add_value(parser, "round", "ROUND", round_help, nargs="?", type=options.parse_count)
    options.add_switch(parser, "--reveal", text("include the hidden pieces of an unfinished round"))
    formats = parser.add_mutually_exclusive_group()
    options.add_switch(formats, "--json", text("write a score pad as one JSON object"))
    options.add_value(
        formats,
        "--all",
        "DIR",
        text("write every round as a file in DIR; the file of a round that has changed is updated"),
    )
    options.add_switch(formats, "--bgstats", text("write a link that sends a finished round to BG Stats"))
    options.add_switch(parser, "--check", text("with --all: write nothing, only report whether DIR has every round"))
    return parser


def _export_one(store: StoreQueries, arguments: argparse.Namespace) -> str:
    """The requested round in the requested form: record, CSV, JSON or link. Raises UnusableError."""
    stored = command_store.find_round(store, arguments.round)
    if arguments.bgstats:
        return _bgstats_link(store, stored.id) + "\n"
    if arguments.json and stored.header.game != pad.PAD_ID:
        raise UnusableError(text("round {number} is not a score pad: --json is for score pads only", number=stored.id))
    try:
        if arguments.json:
            return exported_text.pad_json(store, stored)
        return record_or_csv(store, stored, reveal=arguments.reveal)
    except STORED_ROUND_ERRORS as error:
        raise UnusableError(exported_text.export_failure_text(stored.id, error)) from None


def record_or_csv(store: StoreQueries, stored: StoredRound, *, reveal: bool = False) -> str:
    """A stored round as a record with its check line, or a score pad as CSV.

    Raises UnusableError if that would reveal hidden pieces before the round is over.
    """
    round_header = stored.header
    if round_header.game == pad.PAD_ID:
        return exported_text.pad_csv(stored)
    hidden = any(_is_hidden(round_header.game, kind) for kind, _, _ in stored.deals)
    if hidden and not stored.result and not reveal:
        message = "round {number} is not over and has hidden pieces; use --reveal to export it anyway"
        raise UnusableError(text(message, number=stored.id))
    with in_language(ENGLISH):
        return exported_text.add_check_line(record_text(store, stored))


def _is_hidden(game: str, kind: HoldingKind) -> bool:
    """Whether a holding is hidden from the other players; true if the game is not installed, because it may be."""
    try:
        return not games.manifest_of(game).holdings[kind].is_face_up
    except games.UnknownGameError:
        return True


def _bgstats_link(store: StoreQueries, number: int) -> str:
    """The link of a stored round. Raises UnusableError if the app cannot import it."""
    from companion.report import bgstats, gather

    summary = next(each for each in store.summaries() if each.id == number)
    link = bgstats.import_link(gather.gather_round_facts(store, summary))
    if not link:
        message = "round {number} cannot be sent to BG Stats: it is not finished, or has no date with a time"
        raise UnusableError(text(message, number=number))
    return link


def _export_all(arguments: argparse.Namespace) -> int:
    """Write or check all rounds as ROUND-GAME.tcr, score pads as ROUND-GAME.json, which `import` reads.

    Unfinished rounds with hidden pieces are left out unless --reveal is given. Returns the exit status.
    """
    folder, counts = options.nonempty_path(arguments.all), Counter[str]()
    # The store is closed before the folder is used, because root has only the owner's rights while it is open.
    with command_store.open_store_to_read(arguments) as store:
        rounds = list(_exported_rounds(store, counts, reveal=arguments.reveal))
    return _check_files(folder, rounds, counts) if arguments.check else _write_files(folder, rounds, counts)


def _write_files(folder: Path, rounds: Iterable[tuple[str, str, bytes]], counts: Counter[str]) -> int:
    """Write every round to a folder. Returns the exit status: 0 if none was left out."""
    with _locked_folder(folder):
        for name, ending, data in rounds:
            file, existing = _find_file(folder, name, ending, data)
            counts["there" if existing == data else "new" if existing is None else "renewed"] += 1
            if existing != data:
                with unusable_on_error("cannot write {file}: {why}", file=printable_text(str(file))):
                    replace_file(file, data)
    new, renewed, unchanged = (counts[how] for how in ("new", "renewed", "there"))
    where = printable_text(str(folder))
    one, more = "{number} round written to {folder}", "{number} rounds written to {folder}"
    if renewed and unchanged:
        one = "{number} round written to {folder}, {renewed} updated, {there} unchanged"
        more = "{number} rounds written to {folder}, {renewed} updated, {there} unchanged"
    elif renewed:
        one = "{number} round written to {folder}, {renewed} updated"
        more = "{number} rounds written to {folder}, {renewed} updated"
    elif unchanged:
        one = "{number} round written to {folder}, {there} unchanged"
        more = "{number} rounds written to {folder}, {there} unchanged"
    print(plural_text(new, one, more, folder=where, renewed=renewed, there=unchanged))
    return 1 if counts["left out"] else 0


def _check_files(folder: Path, rounds: Iterable[tuple[str, str, bytes]], counts: Counter[str]) -> int:
    """Report whether a folder has every round as it is stored now. Returns the exit status: 0 if it has."""
    for name, ending, data in rounds:
        file, existing = _find_file(folder, name, ending, data)
        counts["held" if existing == data else "missing"] += 1
        if existing is None:
            options.print_message(text("{file} is missing", file=printable_text(str(file))))
        elif existing != data:
            options.print_message(text("{file} differs from the saved round", file=printable_text(str(file))))
    total, up_to_date, where = counts.total(), counts["held"], printable_text(str(folder))
    if not total:
        options.print_message(text("no rounds yet"))
    elif up_to_date == total:
        print(
            plural_text(
                total, "{folder} is complete: {number} round", "{folder} is complete: {number} rounds", folder=where
            )
        )
    else:
        one, more = "{folder} has {held} of {number} round", "{folder} has {held} of {number} rounds"
        print(plural_text(total, one, more, folder=where, held=up_to_date))
    return int(up_to_date != total)


def _exported_rounds(store: StoreQueries, counts: Counter[str], *, reveal: bool) -> Iterator[tuple[str, str, bytes]]:
    """Yield each round's file name, ending and content.

    A round that cannot be exported is reported and counted as left out.
    """
    void_rounds = {each.id for each in store.summaries() if each.state == "void"}
    for number in store.round_numbers():
        try:
            stored = store.load_round(number)
            if stored is None or number in void_rounds:
                continue
            is_pad = stored.header.game == pad.PAD_ID
            exported = exported_text.pad_json(store, stored) if is_pad else record_or_csv(store, stored, reveal=reveal)
        except UnusableError as error:
            options.print_message(error.sentence)
        except STORED_ROUND_ERRORS as error:
            options.print_message(exported_text.export_failure_text(number, error))
        else:
            yield f"{number:06}-{stored.header.game}", "json" if is_pad else "tcr", exported.encode(errors="replace")
            continue
        counts["left out"] += 1


# -- a folder with a file for each round ------------------------------------------------------------------------

_DATE_PATTERN = re.compile(rb'(?:^date: |"date": ")([^"\n]+T[^"\n]+)', re.MULTILINE)
_SUM_LINE_PATTERN = re.compile(rb"# sum [0-9a-f]{8}\n?\Z")
"""The check line at the end of a record, which changes when the round goes on; see `exported_text`."""


@contextmanager
def _locked_folder(folder: Path) -> Iterator[None]:
    """Create and lock a folder; at the end of the context its file names are synced.

    Raises UnusableError.
    """
    with unusable_on_error("cannot write to {folder}: {why}", folder=printable_text(str(folder))):
        folder.mkdir(parents=True, exist_ok=True)
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for leftover in folder.glob(f".*{PART_ENDING}"):  # An export that was interrupted has left this.
            with suppress(OSError):
                leftover.unlink()
        yield
        os.fsync(fd)
    except BlockingIOError:
        raise UnusableError(text("another export to {folder} is running", folder=printable_text(str(folder)))) from None
    finally:
        os.close(fd)


def _find_file(folder: Path, name: str, ending: str, data: bytes) -> tuple[Path, bytes | None]:
    """The path for a round's file, and the content of an existing one, None for none. Raises UnusableError.

    The path is NAME.ENDING, or if that is another round's file, NAME-2.ENDING and so on.
    """
    number = 0
    while True:
        number += 1
        file = folder / f"{name}{f'-{number}' if number > 1 else ''}.{ending}"
        try:
            if not stat.S_ISREG(os.lstat(file).st_mode):  # A link or a pipe is not ours.
                continue
            existing = file.read_bytes()
        except FileNotFoundError:
            return file, None
        except OSError as error:
            message = "cannot read {file}: {why}"
            raise UnusableError(text(message, file=printable_text(str(file)), why=os_error_text(error))) from None
        if existing == data or _is_same_round(existing, data):
            return file, existing


def _is_same_round(existing: bytes, current: bytes) -> bool:
    """Whether two contents of a file are states of the same round, and not rounds of different stores.

    Number and game are already equal, being in the file's name; the date of the start (to the second) must be equal
    too. Events and names may differ.
    """
    # A full disk or a power cut may leave an empty file, or one of zeros.
    if current.startswith(_SUM_LINE_PATTERN.sub(b"", existing).rstrip(b"\0")):
        return True
    old_date, new_date = _DATE_PATTERN.search(existing), _DATE_PATTERN.search(current)
    return old_date is not None and new_date is not None and old_date[1] == new_date[1]
