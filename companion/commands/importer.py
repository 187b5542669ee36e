"""Imports files as rounds; what is stored already is never changed, and not stored twice.

`companion import` takes records and score pads, each checked first; `companion rescue` takes a journal that was set
aside.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion import UnusableError, games
from companion.commands import check, exported_text, opened_store, options
from companion.commands.streams import printable, read_text
from companion.languages import plural_text, in_language, text
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

LONGEST_NAME = 64
"""The most letters of a name: records have no limit, but standings, history and panel have to show the name."""
LONGEST_HEADER = 10_000
"""The most characters of header lines that are stored only for export."""


class Incoming(NamedTuple):
    """A round to be imported, with 0 as its number.

    `date` is in ISO 8601, "" if the record has no valid one; `other_headers` are header lines that are stored only for
    export.
    """

    saved: StoredRound
    date: str
    other: tuple[tuple[str, str], ...]


def main(given: Sequence[str]) -> int:
    """Import records. Returns the exit status."""
    parser = options.parser("import", IMPORT_DESCRIPTION)
    parser.add_argument("records", nargs="+", metavar="DIR|FILE")
    arguments = parser.parse_args(given)
    found = _record_files(arguments.records)
    new_rounds, unread, refused = _read(found)  # Before the store is opened: then root has only its owner's rights.
    with opened_store.open_to_change(arguments) as store:
        existing = ExistingRounds(store)
        other = [number for new in new_rounds if (number := existing.find_conflict(new))]
        new_rounds = [new for new in new_rounds if not existing.find_conflict(new)]
        taken = sum(map(existing.take_in, new_rounds))
    for number in other:
        message = (
            "not imported: round {number} is saved with other moves; to correct it: `companion correct {number} FILE`"
        )
        options.say(text(message, number=number))
    refused += len(other)
    print(plural_text(
        taken, "{number} round imported, {there} already saved, {refused} refused",
        "{number} rounds imported, {there} already saved, {refused} refused",
        there=len(new_rounds) - taken, refused=refused,
    ))  # fmt: skip
    return 2 if unread else int(refused > 0)


def _read(found: Sequence[str]) -> tuple[list[Incoming], int, int]:
    """Read all files. Returns the rounds, how many files are unreadable and how many invalid; those are reported."""
    rounds, unread, refused = [], 0, 0
    for file in found:
        try:
            new = _incoming(file, read_text(file, exported_text.LONGEST_FILE))
            rounds.append(_with_normal_names(file, new))
        except UnusableError as error:
            options.say(error.sentence)
            unread += 1
        except ValueError as error:
            options.say(text("not imported: {why}", why=error))
            refused += 1
    return rounds, unread, refused


def _incoming(file: str, whole: str) -> Incoming:
    """Read the round of a record, or of a score pad (.json). Raises ValueError with a sentence if it is invalid."""
    report = None
    try:
        if file.endswith(".json"):
            saved, date = exported_text.read_pad(whole)
            new = Incoming(saved, date if parse_time(date) else "", ())
        else:
            exported_text.without_sum_line(whole)
            with in_language(ENGLISH):  # The store is in English.
                report = record.check_record(whole)
    except ValueError as error:
        raise ValueError(f"{printable(file)}: {printable(str(error))}") from None
    if report is not None:
        if report.fault:
            raise ValueError(check.in_words(file, report, whole))
        new = _record_round(report, whole)
        date = dict(new.other).get("date", "")
    _warn_of_date(file, date)
    if too_long := _too_long(new):
        raise ValueError(f"{printable(file)}: {too_long}")
    return new


def _warn_of_date(file: str, date: str) -> None:
    """Warn that a round has no date because the one in its file is invalid."""
    if date and not parse_time(date):
        message = "{file}: the date {date} is not valid, so the round has no date: write it like 2026-11-21"
        options.say(text(message, file=printable(file), date=printable(date[:40])))


def _with_normal_names(file: str, new: Incoming) -> Incoming:
    """Return the round with its players' names in their usual form; report each that is changed.

    Raises ValueError where nothing is left of a name, or two names become one.
    """
    names = new.saved.header.names
    normal = tuple(map(normalize_name, names))
    if not all(normal) or len(set(normal)) < len(set(names)):
        raise ValueError(text("{file}: without invisible characters, two players have the same name, or one has none",
                              file=printable(file)))  # fmt: skip
    for before, after in zip(names, normal, strict=True):
        if before != after:
            message = "{file}: the name {before} was changed to {after}"
            options.say(text(message, file=printable(file), before=ascii(before), after=printable(after)))
    return new._replace(stored=new.saved._replace(header=new.saved.header._replace(names=normal)))


def _too_long(new: Incoming) -> str:
    """What is too long to be stored in a valid round; "" if nothing is."""
    longest = max(map(len, new.saved.header.names))
    if longest > LONGEST_NAME:
        message = "a player's name has {count} characters; at most {most} are allowed"
        return text(message, count=longest, most=LONGEST_NAME)
    header = sum(len(key) + len(value) for key, value in new.other)
    if header > LONGEST_HEADER:
        message = "its other header lines have {count} characters; at most {most} are allowed"
        return text(message, count=header, most=LONGEST_HEADER)
    return ""


def _record_round(report: Report, whole: str) -> Incoming:
    """Turn a valid record into a round to be imported."""
    saved = round_text.round_of_report(report, whole)
    assert report.header is not None, "a record that stands has a header"
    other = dict(report.header.other_lines)
    date = other.get("date", "")
    goal = re.fullmatch(r"first to ([1-9][0-9]?)", other.get("match", ""))
    number = re.fullmatch(r"[1-9][0-9]{0,2}", other.get("round", "")) if goal else None
    used = {key for key, read in (("date", parse_time(date)), ("match", goal), ("round", number)) if read}
    header = saved.header._replace(
        goal=int(goal[1]) if goal else 0,
        number=int(number[0]) if number else 1,
        origin=games.distribution_of(saved.header.game),
    )
    export_only = tuple(each for each in report.header.other_lines if each[0] not in used)
    return Incoming(saved._replace(header=header), date if "date" in used else "", export_only)


class ExistingRounds:
    """The rounds of a store by game, options and names, to find out which records are stored already."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rounds: dict[object, list[tuple[StoredRound, str]]] = {}
        for number in store.round_numbers():
            saved = store.load_round(number)
            if saved is not None:
                self._add(saved, store.begin_date(number))

    def take_in(self, new: Incoming) -> bool:
        """Store a round unless it is stored already. Returns whether it was new. Raises UnusableError."""
        if any(_is_same_round(new, saved, date) for saved, date in self._rounds.get(_round_key(new.saved), ())):
            return False
        self._store.import_round(*new)
        self._add(new.saved, new.date)
        return True

    def find_conflict(self, new: Incoming) -> int:
        """Find the round that the same players began at the same time, with other moves.

        Returns its number, 0 for none.
        """
        rounds = self._rounds.get(_round_key(new.saved), ()) if new.date else ()
        if any(_is_same_round(new, saved, date) for saved, date in rounds):
            return 0
        same = (saved.id for saved, date in rounds if saved.result and date and parse_time(date) == parse_time(new.date))
        return next(same, 0)

    def _add(self, saved: StoredRound, date: str) -> None:
        self._rounds.setdefault(_round_key(saved), []).append((saved, date))


def _round_key(saved: StoredRound) -> object:
    """Game, options and names. A round from before its game had an option was played with the option's default."""
    header = saved.header
    options = games.manifest_or_placeholder(header.game).option_defaults | dict(header.options)
    return header.game, frozenset(options.items()), tuple(map(normalize_name, header.names))


def _is_same_round(new: Incoming, saved: StoredRound, date: str) -> bool:
    """Whether the new round is stored already, possibly with more events, which were played after its export."""
    if sorted(new.saved.deals) != sorted(saved.deals):
        return False
    if not new.date or not date:
        return new.saved.events == saved.events
    return parse_time(new.date) == parse_time(date) and saved.events[: len(new.saved.events)] == new.saved.events


def _record_files(named: Sequence[str]) -> list[str]:
    """The named files, and for a named folder its records, sorted by name.

    Raises UnusableError for a folder without any.
    """
    found = []
    for name in named:
        inside = [name]
        if name != "-" and Path(name).is_dir():
            inside = sorted(str(file) for ending in ("tcr", "json") for file in Path(name).glob(f"*.{ending}"))
        if not inside:
            message = "there are no records (.tcr) or score pads (.json) in {folder}"
            raise UnusableError(text(message, folder=printable(name)))
        found += inside
    return found


def rescue(given: Sequence[str]) -> int:
    """Import the rounds of a journal that was set aside. Returns the exit status."""
    parser = options.parser("rescue", RESCUE_DESCRIPTION)
    parser.add_argument("file", metavar="FILE", type=Path)
    arguments = parser.parse_args(given)
    file, named = arguments.file.absolute(), printable(str(arguments.file))
    with opened_store.open_to_change(arguments) as store:
        if not file.exists():
            raise UnusableError(text("there is no file {file}", file=named))
        if file.resolve() in [(store.folder / name).resolve() for name in (JOURNAL_NAME, DATABASE_NAME, SECOND_NAME)]:
            message = "{file} is the file that the table uses; name one that was set aside"
            raise UnusableError(text(message, file=named))
        done, unread = store.merge_file(file)
    if not any(done):
        raise UnusableError(text("there are no rounds in {file}", file=named))
    print(plural_text(
        done.imported, "{number} round imported, {continued} continued, {there} already saved",
        "{number} rounds imported, {continued} continued, {there} already saved",
        continued=done.continued, there=done.already_here,
    ))  # fmt: skip
    if unread:
        options.say(unread)
    return int(bool(unread))
