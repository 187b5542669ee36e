"""`companion web`: serves pages of the table for a big screen and for phones; it needs the extra `web`."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Sequence
from pathlib import Path

from companion import Unusable
from companion.commands import options
from companion.commands.options import config, folder, say
from companion.commands.streams import saying_why, without
from companion.languages import text
from companion.table.state_server import socket_path

PORT = 8027
FIRST_HANDED_IN = 3
"""The number of the first file descriptor that the service manager passes: sd_listen_fds(3)."""
DESCRIPTION = """\
Serves the table as a web page to this network's screens and phones, while phones are switched on at the box. The table
does not need it and does not notice when it ends."""


def main(given: Sequence[str]) -> int:
    """Serve until stopped. Returns the exit status."""
    parser = options.parser("web", DESCRIPTION)
    parser.add_argument("--host", default="0.0.0.0", help=text("the address to listen on (all)"))
    parser.add_argument("--port", type=int, default=PORT, help=text("the port ({port})", port=PORT))
    options.value(parser, "--socket", "FILE", text("the table's socket, where it is not in its usual place"))
    arguments = parser.parse_args(given)
    if not 1 <= arguments.port <= 65_535:
        raise Unusable(text("--port is 1 to 65535, not {port}", port=arguments.port))
    try:
        from companion.web.app import application
        from companion.web.clients import addresses
        from companion.web.connections import server
        from companion.web.table_client import TableClient
    except ImportError as error:
        raise Unusable(without(error.name, "web")) from None
    path = Path(arguments.socket) if arguments.socket else socket_path(folder(arguments, config(arguments)))
    listener = _listener(arguments.host, arguments.port)
    say(f"the table's pages are on port {arguments.port}")
    table = TableClient(path, lambda: addresses(arguments.port))
    pages = server(application(table, (socket.gethostname(),)), table.knows)
    with contextlib.suppress(KeyboardInterrupt):
        pages.run([listener])
    return 0 if pages.started else 1


def _listener(host: str, port: int) -> socket.socket:
    """The socket that the service manager passes (sd_listen_fds(3)), or a new one. Raises Unusable."""
    if os.environ.get("LISTEN_PID") == str(os.getpid()) and os.environ.get("LISTEN_FDS", "0") != "0":
        return socket.socket(fileno=FIRST_HANDED_IN)
    with saying_why("{host} port {port} cannot be used: {why}", host=host, port=port):
        return socket.create_server((host, port))
