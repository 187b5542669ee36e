"""`companion uplink`: sends this table's rounds to the hall of a club; it needs the extra `hall`."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from companion import Unusable
from companion.commands import options
from companion.commands.options import config, folder, say
from companion.commands.streams import printable, saying_why, without
from companion.doctor.examination import STATUS
from companion.languages import speaking, text
from companion.languages.catalogues import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.hall.messages import Link

ABOUT = """\
Sends the finished rounds of this table, and what everybody at it may see, to the hall of a club. The table does not
need it and does not notice when it ends; what is played while the hall is away is sent when it is back."""

LONGEST_LINK = 1000
MISSING = without("paho-mqtt", "hall")


def main(given: Sequence[str]) -> int:
    """Send rounds until stopped. Returns the exit status."""
    parser = options.parser("uplink", ABOUT)
    options.value(parser, "--link", "FILE", text("the file with the line that `companion hall add-table` showed"))
    options.value(parser, "--socket", "FILE", text("the table's public socket, where it is not in its usual place"))
    arguments = parser.parse_args(given)
    settings = config(arguments)
    file = Path(arguments.link) if arguments.link else settings.hall.link
    if file is None:
        said = 'name the file with the hall\'s link: --link FILE, or link = "FILE" under [hall]'
        raise Unusable(text(said))
    found = read_link(file)
    try:
        from companion.hall.uplink import Uplink
    except ImportError:
        raise Unusable(MISSING) from None
    from companion.table.state_server import public_path

    data = folder(arguments, settings)
    guests = Path(arguments.socket) if arguments.socket else public_path(data)
    with speaking(ENGLISH):  # What it sends, and the journal.
        Uplink(found, data, guests, status=status_file(data), say=say).run(stop_signals().is_set)
    return 0


def read_link(file: Path) -> Link:
    """The link in a file. Raises Unusable."""
    from companion.hall.messages import Link, LinkError

    named = printable(str(file))
    try:
        with saying_why("cannot read {file}: {why}", file=named), open(file, encoding="utf-8") as opened:
            line = opened.read(LONGEST_LINK)
        return Link.parse(line)
    except ValueError as error:
        fault = error.args[0] if isinstance(error, LinkError) else text("it is not UTF-8 text")
        raise Unusable(text("{file}: {fault}", file=named, fault=fault)) from None


def status_file(data: Path) -> Path:
    """The uplink's status file: in the service's folder, else in the data folder."""
    return Path(os.environ.get("RUNTIME_DIRECTORY") or data) / STATUS


def stop_signals() -> threading.Event:
    """An event that SIGTERM and SIGINT set."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *words: stop.set())
    return stop
