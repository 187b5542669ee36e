"""`companion report`: writes the report of an evening as one file; the table may be running meanwhile."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from companion import UnusableError
from companion.commands import command_store, options
from companion.commands.text_streams import missing_library_message, printable_text, unusable_on_error
from companion.languages import text
from companion.replacing import replace_file
from companion.report.gather import gather_evening
from companion.store.dates import parse_date

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from companion.report.gather import Evening

DESCRIPTION = """\
Writes a report of an evening, the latest or that of DATE: how often each player won, and every round with its curve,
its turning point, its best move and its longest think. The file's ending decides the form: a page for a browser
(.html), text (.md) or a picture (.png). Rounds begun before five in the morning belong to the evening before."""

FILE_ENDINGS = (".html", ".md", ".png")


def main(argv: Sequence[str]) -> int:
    """Write a report. Returns the exit status."""
    parser = options.make_parser("report", DESCRIPTION)
    options.add_value(
        parser, "date", "DATE", text("the evening's date, such as 2026-11-21"), nargs="?", type=_parse_date
    )
    output_help = text("a file ending in .html, .md or .png")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help=output_help)
    options.add_switch(parser, "--marks", text("also show which move decided each round; this takes a while"))
    arguments = parser.parse_args(argv)
    file = Path(arguments.output)
    ending = file.suffix.lower()
    if ending not in FILE_ENDINGS:
        message = "{file} must end in one of {endings}"
        raise UnusableError(text(message, file=printable_text(arguments.output), endings=", ".join(FILE_ENDINGS)))
    with command_store.open_store_to_read(arguments) as store:
        evening = gather_evening(store, arguments.date)
    if evening is None:
        message = (
            "there are no rounds from the evening of {date}" if arguments.date else "there are no rounds with a date"
        )
        raise UnusableError(text(message, date=arguments.date))
    if arguments.marks:
        from companion.report.gather import with_deciding_moves

        evening = with_deciding_moves(evening)
    content = _report_bytes(evening, ending)
    with unusable_on_error("cannot write {file}: {why}", file=printable_text(str(file))):
        _write_file(file, content)
    print(text("written to {file}", file=printable_text(str(file))))
    return 0


def _write_file(path: Path, data: bytes) -> None:
    """Replace a file; follow links, and write pipes and devices directly. Raises OSError."""
    if path.exists() and not path.is_file():
        path.write_bytes(data)
    else:
        replace_file(path.resolve(), data)


def _parse_date(value: str) -> date:
    try:
        return parse_date(value)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _report_bytes(evening: Evening, ending: str) -> bytes:
    """The report in the format of a file ending. Raises UnusableError if a library for it is missing."""
    if ending == ".md":
        from companion.report.markdown import markdown_report

        return markdown_report(evening).encode()
    from companion.display.replay_pictures import PANELS

    try:
        if ending == ".html":
            from companion.report.html_page import html_report

            return html_report(evening, PANELS).encode()
        from companion.report.one_picture import png_report

        return png_report(evening, PANELS)
    except ModuleNotFoundError as error:
        message = "for {ending}, {without}; a .md report needs no library"
        raise UnusableError(
            text(message, ending=ending, without=missing_library_message(error.name, "report"))
        ) from None
