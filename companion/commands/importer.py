"""Imports files as rounds; what is stored already is never changed, and not stored twice.

`companion import` takes records and score pads, each checked first; `companion rescue` takes a journal that was set
aside.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion import UnusableError, games
from companion.commands import check, command_store, exported_text, options
from companion.commands.text_streams import printable_text, read_text
from companion.languages import in_language, plural_text, text
from companion.languages.catalogues import ENGLISH
from companion.rounds import record
from companion.rounds.player_names import normalize_name
from companion.rounds.stored import StoredRound
from companion.store import round_text
from companion.store.database import DATABASE_NAME
from companion.store.dates import parse_time
from companion.store.journal import JOURNAL_NAME
from companion.store.second_disk import SECOND_NAME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.rounds.record import Report
    from companion.store.store import Store

IMPORT_DESCRIPTION = """\
Imports game records (.tcr) and score pads (.json): the files named, and all in a folder. Each is checked first; one
that is not valid is reported and left out. Saved rounds are never changed, and a round that is already saved is not
imported again. The table must not be running. A file may have at most 1 MiB, a player's name at most 64 characters.

Exit status: 0 all are saved now, 1 one is not valid, 2 unusable arguments or an unreadable file."""

RESCUE_DESCRIPTION = """\
Imports the rounds of another file: a copy of rounds.journal, or rounds.journal.damaged-1. If a saved round was played
further in FILE, it continues as it did there; a round that is not saved yet gets a new number. Nothing else is changed,
and no round is imported twice. An unfinished round is offered when the table starts, or is in its history. The table
must not be running. FILE itself is not changed.

Exit status: 0 all is saved now, 1 not every round of FILE could be read, 2 unusable arguments or an unreadable file."""

MAX_NAME_LETTERS = 64
"""The most letters of a name: records have no limit, but standings, history and panel have to show the name."""
MAX_HEADER_CHARACTERS = 10_000
"""The most characters of header lines that are stored only for export."""


class RoundToImport(NamedTuple):
    """A round to be imported, with 0 as its number.

    `date` is in ISO 8601, "" if the record has no valid one; `other_headers` are header lines that are stored only for
    export.
    """

    stored: StoredRound
    date: str
    other_headers: tuple[tuple[str, str], ...]


def main(argv: Sequence[str]) -> int:
    """Import records. Returns the exit status."""
    parser = options.make_parser("import", IMPORT_DESCRIPTION)
    parser.add_argument("records", nargs="+", metavar="DIR|FILE")
    arguments = parser.parse_args(argv)
    files = _record_files(arguments.records)
    # Before the store is opened: then root has only its owner's rights.
    new_rounds, unreadable, rejected = _read_files(files)
    with command_store.open_store_to_change(arguments) as store:
        existing = ExistingRounds(store)
        conflicts = [number for new in new_rounds if (number := existing.find_conflict(new))]
        new_rounds = [new for new in new_rounds if not existing.find_conflict(new)]
        imported = sum(map(existing.import_round, new_rounds))
    for number in conflicts:
        message = (
            "not imported: round {number} is saved with other moves; to correct it: `companion correct {number} FILE`"
        )
        options.print_message(text(message, number=number))
    rejected += len(conflicts)
    print(plural_text(
        imported, "{number} round imported, {there} already saved, {refused} refused",
        "{number} rounds imported, {there} already saved, {refused} refused",
        there=len(new_rounds) - imported, refused=rejected,
    ))  # fmt: skip
    return 2 if unreadable else int(rejected > 0)


def _read_files(files: Sequence[str]) -> tuple[list[RoundToImport], int, int]:
    """Read all files. Returns the rounds, how many files are unreadable and how many invalid; those are reported."""
    rounds, unreadable, rejected = [], 0, 0
    for file in files:
        try:
            new = _read_round(file, read_text(file, exported_text.MAX_FILE_BYTES))
            rounds.append(_with_normal_names(file, new))
        except UnusableError as error:
            options.print_message(error.sentence)
            unreadable += 1
        except ValueError as error:
            options.print_message(text("not imported: {why}", why=error))
            rejected += 1
    return rounds, unreadable, rejected


def _read_round(file: str, content: str) -> RoundToImport:
    """Read the round of a record, or of a score pad (.json). Raises ValueError with a sentence if it is invalid."""
    report = None
    try:
        if file.endswith(".json"):
            stored, date = exported_text.parse_pad(content)
            new = RoundToImport(stored, date if parse_time(date) else "", ())
        else:
            exported_text.remove_check_line(content)
            with in_language(ENGLISH):  # The store is in English.
                report = record.check_record(content)
    except ValueError as error:
        raise ValueError(f"{printable_text(file)}: {printable_text(str(error))}") from None
    if report is not None:
        if report.fault:
            raise ValueError(check.report_text(file, report, content))
        new = _record_round(report, content)
        date = dict(new.other_headers).get("date", "")
    _warn_about_date(file, date)
    if too_long := _length_problem(new):
        raise ValueError(f"{printable_text(file)}: {too_long}")
    return new


def _warn_about_date(file: str, date: str) -> None:
    """Warn that a round has no date because the one in its file is invalid."""
    if date and not parse_time(date):
        message = "{file}: the date {date} is not valid, so the round has no date: write it like 2026-11-21"
        options.print_message(text(message, file=printable_text(file), date=printable_text(date[:40])))


def _with_normal_names(file: str, new: RoundToImport) -> RoundToImport:
    """Return the round with its players' names in their usual form; report each that is changed.

    Raises ValueError where nothing is left of a name, or two names become one.
    """
    names = new.stored.header.names
    normal_names = tuple(map(normalize_name, names))
    if not all(normal_names) or len(set(normal_names)) < len(set(names)):
        raise ValueError(text("{file}: without invisible characters, two players have the same name, or one has none",
                              file=printable_text(file)))  # fmt: skip
    for old_name, new_name in zip(names, normal_names, strict=True):
        if old_name != new_name:
            message = "{file}: the name {before} was changed to {after}"
            options.print_message(
                text(message, file=printable_text(file), before=ascii(old_name), after=printable_text(new_name))
            )
    return new._replace(stored=new.stored._replace(header=new.stored.header._replace(names=normal_names)))


def _length_problem(new: RoundToImport) -> str:
    """What is too long to be stored in a valid round; "" if nothing is."""
    longest_name = max(map(len, new.stored.header.names))
    if longest_name > MAX_NAME_LETTERS:
        message = "a player's name has {count} characters; at most {most} are allowed"
        return text(message, count=longest_name, most=MAX_NAME_LETTERS)
    header_characters = sum(len(key) + len(value) for key, value in new.other_headers)
    if header_characters > MAX_HEADER_CHARACTERS:
        message = "its other header lines have {count} characters; at most {most} are allowed"
        return text(message, count=header_characters, most=MAX_HEADER_CHARACTERS)
    return ""


def _record_round(report: Report, record_text: str) -> RoundToImport:
    """Turn a valid record into a round to be imported."""
    stored = round_text.round_from_checked_record(report, record_text)
    assert report.header is not None, "a valid record has a header"
    other = dict(report.header.other_lines)
    date = other.get("date", "")
    goal = re.fullmatch(r"first to ([1-9][0-9]?)", other.get("match", ""))
    number = re.fullmatch(r"[1-9][0-9]{0,2}", other.get("round", "")) if goal else None
    stored_keys = {key for key, value in (("date", parse_time(date)), ("match", goal), ("round", number)) if value}
    header = stored.header._replace(
        goal=int(goal[1]) if goal else 0,
        number=int(number[0]) if number else 1,
        origin=games.distribution_and_version(stored.header.game),
    )
    export_only = tuple(each for each in report.header.other_lines if each[0] not in stored_keys)
    return RoundToImport(stored._replace(header=header), date if "date" in stored_keys else "", export_only)


class ExistingRounds:
    """The rounds of a store by game, options and names, to find out which records are stored already."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rounds: dict[object, list[tuple[StoredRound, str]]] = {}
        for number in store.round_numbers():
            stored = store.load_round(number)
            if stored is not None:
                self._add(stored, store.round_start_time(number))

    def import_round(self, new: RoundToImport) -> bool:
        """Store a round unless it is stored already. Returns whether it was new. Raises UnusableError."""
        if any(_is_same_round(new, stored, date) for stored, date in self._rounds.get(_round_key(new.stored), ())):
            return False
        self._store.import_round(*new)
        self._add(new.stored, new.date)
        return True

    def find_conflict(self, new: RoundToImport) -> int:
        """Find the round that the same players began at the same time, with other moves.

        Returns its number, 0 for none.
        """
        rounds = self._rounds.get(_round_key(new.stored), ()) if new.date else ()
        if any(_is_same_round(new, stored, date) for stored, date in rounds):
            return 0
        conflicts = (
            stored.id for stored, date in rounds if stored.result and date and parse_time(date) == parse_time(new.date)
        )
        return next(conflicts, 0)

    def _add(self, stored: StoredRound, date: str) -> None:
        self._rounds.setdefault(_round_key(stored), []).append((stored, date))


def _round_key(stored: StoredRound) -> object:
    """Game, options and names. A round from before its game had an option was played with the option's default."""
    header = stored.header
    options = games.manifest_or_placeholder(header.game).option_defaults | dict(header.options)
    return header.game, frozenset(options.items()), tuple(map(normalize_name, header.names))


def _is_same_round(new: RoundToImport, stored: StoredRound, date: str) -> bool:
    """Whether the new round is stored already, possibly with more events, which were played after its export."""
    if sorted(new.stored.deals) != sorted(stored.deals):
        return False
    if not new.date or not date:
        return new.stored.events == stored.events
    return parse_time(new.date) == parse_time(date) and stored.events[: len(new.stored.events)] == new.stored.events


def _record_files(names: Sequence[str]) -> list[str]:
    """The named files, and for a named folder its records, sorted by name.

    Raises UnusableError for a folder without any.
    """
    files = []
    for name in names:
        files_of_name = [name]
        if name != "-" and Path(name).is_dir():
            files_of_name = sorted(str(file) for ending in ("tcr", "json") for file in Path(name).glob(f"*.{ending}"))
        if not files_of_name:
            message = "there are no records (.tcr) or score pads (.json) in {folder}"
            raise UnusableError(text(message, folder=printable_text(name)))
        files += files_of_name
    return files


def rescue(argv: Sequence[str]) -> int:
    """Import the rounds of a journal that was set aside. Returns the exit status."""
    parser = options.make_parser("rescue", RESCUE_DESCRIPTION)
    parser.add_argument("file", metavar="FILE", type=Path)
    arguments = parser.parse_args(argv)
    file, file_name = arguments.file.absolute(), printable_text(str(arguments.file))
    with command_store.open_store_to_change(arguments) as store:
        if not file.exists():
            raise UnusableError(text("there is no file {file}", file=file_name))
        if file.resolve() in [(store.folder / name).resolve() for name in (JOURNAL_NAME, DATABASE_NAME, SECOND_NAME)]:
            message = "{file} is the file that the table uses; name one that was set aside"
            raise UnusableError(text(message, file=file_name))
        counts, unreadable = store.merge_file(file)
    if not any(counts):
        raise UnusableError(text("there are no rounds in {file}", file=file_name))
    print(plural_text(
        counts.imported, "{number} round imported, {continued} continued, {there} already saved",
        "{number} rounds imported, {continued} continued, {there} already saved",
        continued=counts.continued, there=counts.already_here,
    ))  # fmt: skip
    if unreadable:
        options.print_message(unreadable)
    return int(bool(unreadable))
