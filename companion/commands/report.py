"""`companion report`: writes an evening as one file; it only reads the store, so the table may be running."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from companion import Unusable
from companion.commands import files, printable, tables, without
from companion.report.gather import gather
from companion.store.dates import read_date

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from companion.report.gather import Evening

DESCRIPTION = """\
Writes an evening down, the newest or the one of DATE: who won how often, and every round with its curve, its turning
point, its best move and its longest think. The file's ending says how: one page for a browser (.html), text (.md) or
a picture (.png). Rounds begun before five in the morning belong to the evening before."""

ENDINGS = (".html", ".md", ".png")


def main(given: Sequence[str]) -> int:
    """Write a report. Returns the exit status."""
    parser = tables.Parser(
        prog="companion report", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("date", nargs="?", type=_date, help="the evening's date, such as 2026-11-21")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="a file ending in .html, .md or .png")
    parser.add_argument("--marks", action="store_true", help="also say which move decided each round: takes a while")
    parser.add_argument("--config", metavar="FILE")
    parser.add_argument("--data", metavar="DIR")
    arguments = parser.parse_args(given)
    file = Path(arguments.output)
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        raise Unusable(f"{printable(arguments.output)} ends in none of {', '.join(ENDINGS)}")
    with tables.reading(arguments) as store:
        evening = gather(store, arguments.date)
    if evening is None:
        when = f"of the evening of {arguments.date}" if arguments.date else "with a date"
        raise Unusable(f"no round {when} is kept")
    if arguments.marks:
        from companion.report.decided import with_decisions

        evening = with_decisions(evening)
    written = _written(evening, ending)
    try:
        files.write_named(file, written)
    except OSError as error:
        raise Unusable(f"cannot write {printable(str(file))}: {error.strerror or error}") from None
    print(f"written: {printable(str(file))}")
    return 0


def _date(text: str) -> date:
    try:
        return read_date(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _written(evening: Evening, ending: str) -> bytes:
    """The report in the format of a file ending. Raises Unusable if a library for it is missing."""
    if ending == ".md":
        from companion.report.text import markdown

        return markdown(evening).encode()
    try:
        if ending == ".html":
            from companion.report.page import html

            return html(evening).encode()
        from companion.report.picture import png

        return png(evening)
    except ModuleNotFoundError as error:
        raise Unusable(f"a .md report needs no library, for {ending} {without(error.name, 'report')}") from None
