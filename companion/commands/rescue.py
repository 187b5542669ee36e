"""`companion rescue`: takes the rounds of a file that was set aside into the store."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion import Unusable
from companion.commands import opened_store, options
from companion.commands.streams import printable
from companion.languages import counted, text
from companion.store.journal_files.second import JOURNAL, SECOND

DESCRIPTION = """\
Takes the rounds of another file into the kept rounds: a copy of rounds.journal, or rounds.journal.damaged-1. A round
that is here and was played on there goes on as it did there; one that is not here gets a new number. Nothing that is
kept is changed, and what is here already is not taken in a second time. An unfinished round is offered when the table
starts, or lies in its history. The table must not be running, and FILE stays as it is.

Exit status: 0 all is kept now, 1 not every round of FILE could be read, 2 unusable arguments or an unreadable file."""


def main(given: Sequence[str]) -> int:
    """Take in the rounds of a file. Returns the exit status."""
    parser = options.parser("rescue", DESCRIPTION)
    parser.add_argument("file", metavar="FILE", type=Path)
    arguments = parser.parse_args(given)
    file, named = arguments.file.absolute(), printable(str(arguments.file))
    with opened_store.to_change(arguments) as store:
        if not file.exists():
            raise Unusable(text("there is no file {file}", file=named))
        if file.resolve() in [(store.folder / name).resolve() for name in (JOURNAL, SECOND)]:
            message = "{file} is the file that the table uses; name one that was set aside"
            raise Unusable(text(message, file=named))
        done, unread = store.merge(file)
    if not any(done):
        raise Unusable(text("there are no rounds in {file}", file=named))
    print(counted(
        done.taken, "{number} round taken in, {continued} gone on with, {there} kept already",
        "{number} rounds taken in, {continued} gone on with, {there} kept already",
        continued=done.continued, there=done.there,
    ))  # fmt: skip
    if unread:
        options.say(unread)
    return int(bool(unread))
