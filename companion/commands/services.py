"""The programs beside a table that talk to its socket, each a service of its own.

`companion web` serves the pages for a big screen and for phones; it needs the extra `web`. `companion uplink` sends the
table's rounds to a club server; it needs the extra `hall`.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from companion import UnusableError
from companion.commands import options
from companion.commands.options import data_folder, load_config, print_message
from companion.commands.text_streams import missing_library_message, printable_text, unusable_on_error
from companion.languages import in_language, text
from companion.languages.catalogues import ENGLISH
from companion.table.state_server import public_socket_path, socket_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.club.mqtt_messages import Link

WEB_PORT = 8027
"""The usual port of the table's pages."""
FIRST_PASSED_DESCRIPTOR = 3
"""The number of the first file descriptor that the service manager passes: sd_listen_fds(3)."""
WEB_DESCRIPTION = """\
Serves the table as a web page to the screens and phones on this network, while phones are switched on at the box. It is
independent of the table, which does not notice when it stops."""

UPLINK_DESCRIPTION = """\
Sends the finished rounds of this table, and what everybody at it may see, to a club server. It is independent of the
table, which does not notice when it stops. Rounds played while the server cannot be reached are sent later."""

MAX_LINK_CHARACTERS = 1000
"""The most characters of a link that are read."""
PAHO_MISSING = missing_library_message("paho-mqtt", "hall")


def web(argv: Sequence[str]) -> int:
    """Serve the pages until stopped. Returns the exit status."""
    parser = options.make_parser("web", WEB_DESCRIPTION)
    parser.add_argument("--host", default="0.0.0.0", help=text("the address to listen on (all)"))
    parser.add_argument("--port", type=int, default=WEB_PORT, help=text("the port ({port})", port=WEB_PORT))
    options.add_value(parser, "--socket", "FILE", text("the table's socket, if it is not in its usual place"))
    arguments = parser.parse_args(argv)
    if not 1 <= arguments.port <= 65_535:
        raise UnusableError(text("--port must be 1 to 65535, not {port}", port=arguments.port))
    try:
        from companion.web.app import web_application
        from companion.web.clients import page_urls
        from companion.web.connections import web_server
        from companion.web.table_client import TableClient
    except ImportError as error:
        raise UnusableError(missing_library_message(error.name, "web")) from None
    path = Path(arguments.socket) if arguments.socket else socket_path(data_folder(arguments, load_config(arguments)))
    listener = _listening_socket(arguments.host, arguments.port)
    print_message(f"the table's pages are on port {arguments.port}")
    table = TableClient(path, lambda: page_urls(arguments.port))
    running_server = web_server(web_application(table, (socket.gethostname(),)), table.is_let_in)
    with suppress(KeyboardInterrupt):
        running_server.run([listener])
    return 0 if running_server.started else 1


def _listening_socket(host: str, port: int) -> socket.socket:
    """The listening socket that the service manager passes (sd_listen_fds(3)), or a new one. Raises UnusableError."""
    if os.environ.get("LISTEN_PID") == str(os.getpid()) and os.environ.get("LISTEN_FDS", "0") != "0":
        return socket.socket(fileno=FIRST_PASSED_DESCRIPTOR)
    with unusable_on_error("{host} port {port} cannot be used: {why}", host=host, port=port):
        return socket.create_server((host, port))


def uplink(argv: Sequence[str]) -> int:
    """Send rounds until stopped. Returns the exit status."""
    parser = options.make_parser("uplink", UPLINK_DESCRIPTION)
    options.add_value(parser, "--link", "FILE", text("the file with the link that `companion hall add-table` showed"))
    options.add_value(parser, "--socket", "FILE", text("the table's public socket, if it is not in its usual place"))
    arguments = parser.parse_args(argv)
    settings = load_config(arguments)
    file = Path(arguments.link) if arguments.link else settings.hall.link
    if file is None:
        raise UnusableError(text('name the file with the link to the club: --link FILE, or link = "FILE" under [hall]'))
    link = read_link(file)
    try:
        from companion.club.uplink import Uplink
    except ImportError:
        raise UnusableError(PAHO_MISSING) from None
    folder = data_folder(arguments, settings)
    table_socket = Path(arguments.socket) if arguments.socket else public_socket_path(folder)
    from companion.doctor.examination import STATUS_NAME

    status_file = Path(os.environ.get("RUNTIME_DIRECTORY") or folder) / STATUS_NAME
    with in_language(ENGLISH):  # What is sent and logged is in English.
        Uplink(link, folder, table_socket, status_file=status_file, write_log=print_message).run_until(
            stop_signal_event().is_set
        )
    return 0


def read_link(file: Path) -> Link:
    """Read the link in a file. Raises UnusableError."""
    from companion.club.mqtt_messages import Link, LinkError

    file_name = printable_text(str(file))
    try:
        with unusable_on_error("cannot read {file}: {why}", file=file_name), open(file, encoding="utf-8") as opened:
            line = opened.read(MAX_LINK_CHARACTERS)
        return Link.parse(line)
    except ValueError as error:
        problem = error.args[0] if isinstance(error, LinkError) else text("it is not UTF-8 text")
        raise UnusableError(text("{file}: {fault}", file=file_name, fault=problem)) from None


def stop_signal_event() -> threading.Event:
    """An event that SIGTERM and SIGINT set."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *words: stop.set())
    return stop
