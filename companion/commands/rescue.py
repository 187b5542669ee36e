"""`companion rescue`: takes the rounds of a file that was set aside into the store."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from companion import Unusable
from companion.commands import printable, tables
from companion.store.store import FILE

if TYPE_CHECKING:
    from collections.abc import Sequence

DESCRIPTION = """\
Takes the rounds of a file that was set aside into the kept rounds: rounds.db.newer-1, which going back to an older
version leaves, rounds.db.damaged-1, or rounds.db.before-5. A round that is here and was played on there goes on as it
did there; one that is not here gets a new number. Nothing that is kept is changed, and what is here already is not
taken in a second time. An unfinished round is offered when the table starts, or lies in its history. The table must
not be running, and FILE stays as it is.

Exit status: 0 all is kept now, 1 not every round of FILE could be read, 2 unusable arguments or an unreadable file."""


def main(given: Sequence[str]) -> int:
    """Take in the rounds of a file. Returns the exit status."""
    parser = tables.Parser(
        prog="companion rescue", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument("--config", metavar="FILE")
    parser.add_argument("--data", metavar="DIR")
    arguments = parser.parse_args(given)
    folder = tables.folder(arguments, tables.config(arguments))
    file, said = arguments.file.absolute(), printable(str(arguments.file))
    with tables.store(folder) as store:
        if store.warning:
            tables.say(store.warning)
        if not file.exists():
            raise Unusable(f"there is no file {said}")
        if file.resolve() == (folder / FILE).resolve():
            raise Unusable(f"{said} is the file that the table uses; name one that was set aside")
        done, found = store.merge(file)
    if not found.rounds:
        raise Unusable(f"there are no rounds in {said}")
    print(f"{_count(done.taken)} taken in, {done.continued} gone on with, {done.there} kept already")
    if found.damaged or found.short:
        tables.say(found.said())
    return int(bool(found.damaged or found.short))


def _count(number: int) -> str:
    return f"{number} round{'' if number == 1 else 's'}"
