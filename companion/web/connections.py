"""Limits for connections, of number and of time, so that no client can shut the others out.

uvicorn has no limits by client. `LimitedProtocol` gives each connection a slot, closes connections that send nothing,
and reads who the client is when a proxy ("the door", systemd/door.py) stands before the pages.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
from typing import TYPE_CHECKING, ClassVar, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.web.clients import ConnectionSlots, client_key, parse_address, phone_hash_in_cookies

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.applications import Starlette

MAX_CONNECTIONS_PER_CLIENT = 32
"""The most connections of one client at once. A browser opens six, and a television may show two pages."""
MAX_CONNECTIONS = 200
"""The most connections of all clients at once. A new one then takes the slot of another, see `ConnectionSlots`."""
CHECK_SECONDS = 10.0
"""How often connections are checked: one that waits for the same request at two checks is closed."""
MAX_PROXY_LINE_BYTES = 107
"""The most bytes of the proxy's first line, by version 1 of the PROXY protocol."""
PROXY_LINE_PATTERN = re.compile(rb"PROXY TCP[46] ([0-9A-Fa-f:.]{2,45}) [0-9A-Fa-f:.]{2,45} ([0-9]{1,5}) [0-9]{1,5}\r\n")


class LimitedProtocol(H11Protocol):
    """uvicorn's HTTP/1.1 protocol with limits; `limited_protocol` makes a subclass with slots of its own.

    On a UNIX socket the first line says who the client is, because only the door may connect there (systemd/door.py).
    """

    check_seconds: ClassVar[float]
    is_known_phone: ClassVar[Callable[[str], bool]]
    """Returns whether a hash is that of a paired phone's secret."""
    slots: ClassVar[ConnectionSlots]

    _proxy_line: bytes | None = None
    """What has come of the proxy's line while it is not complete; None once it is, or where none is expected."""
    _was_waiting = False
    _check_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast("asyncio.Transport", transport))
        self._check_timer = self.loop.call_later(self.check_seconds, self._close_if_stalled)
        if transport.get_extra_info("socket").family == socket.AF_UNIX:
            self._proxy_line = b""
        else:
            self._take_slot()

    def _take_slot(self) -> None:
        """Take a slot for the client, or close the connection. The client may have gone already."""
        abort = self.transport.abort
        if self.client is None or not self.slots.take_slot(self, client_key(self.client[0]), abort):
            abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.slots.free_slot(self)
        if self._check_timer is not None:
            self._check_timer.cancel()

    def _close_if_stalled(self) -> None:
        """Close the connection if it has waited for the same request since the last check."""
        is_waiting = self.conn.their_state in (h11.IDLE, h11.SEND_BODY)
        if is_waiting and self._was_waiting:
            self.transport.close()
            return
        self._was_waiting = is_waiting
        self._check_timer = self.loop.call_later(self.check_seconds, self._close_if_stalled)

    def data_received(self, data: bytes) -> None:
        """Process received bytes; a complete request restarts the time.

        Invalid bytes may follow a complete request. uvicorn then tries to answer on a connection that h11 has already
        ended, so the running request is treated as disconnected and the connection is closed.
        """
        if self._proxy_line is not None:
            data = self._strip_proxy_line(self._proxy_line + data)
            if not data:
                return
        with contextlib.suppress(h11.LocalProtocolError):
            super().data_received(data)
        if self.conn.their_state is h11.ERROR:
            if self.cycle is not None:
                self.cycle.disconnected = True
            self.transport.close()
        elif self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._was_waiting = False
        phone = phone_hash_in_cookies(dict(self.headers or ()).get(b"cookie", b"").decode("latin-1"))
        if phone and type(self).is_known_phone(phone):
            self.slots.reserve_slot(self, phone)

    def _strip_proxy_line(self, data: bytes) -> bytes:
        """The bytes behind the proxy's line, b"" while that is not complete. An invalid line ends the connection."""
        line, line_end, rest = data.partition(b"\n")
        if not line_end and len(data) < MAX_PROXY_LINE_BYTES:
            self._proxy_line = data
            return b""
        match = PROXY_LINE_PATTERN.fullmatch(line + line_end)
        address = parse_address(match[1].decode()) if match else None
        if match is None or address is None:
            self.transport.abort()
            return b""
        self._proxy_line = None
        self.client = str(address), int(match[2])
        self._take_slot()
        return rest if not self.transport.is_closing() else b""


def limited_protocol(
    most_per_client: int = MAX_CONNECTIONS_PER_CLIENT,
    check_seconds: float = CHECK_SECONDS,
    most_connections: int = MAX_CONNECTIONS,
    is_known_phone: Callable[[str], bool] = lambda phone: False,
) -> type[asyncio.Protocol]:
    """A protocol class for uvicorn that limits connections by client and closes slow ones.

    There are at most `most_per_client` connections of one client and `most_connections` in all. `ConnectionSlots`
    reserves some for paired phones, for whose hashes `is_known_phone` is true. All are checked every `check_seconds`.
    """
    limits = {"check_seconds": check_seconds, "slots": ConnectionSlots(most_connections, most_per_client)}
    return type("Limited", (LimitedProtocol,), limits | {"is_known_phone": staticmethod(is_known_phone)})


def web_server(application: Starlette, is_known_phone: Callable[[str], bool] = lambda phone: False) -> uvicorn.Server:
    """A uvicorn server with these limits; its `run` takes the listening sockets."""
    return uvicorn.Server(
        uvicorn.Config(
            application,
            log_level="error",  # A warning for each invalid request would fill the log.
            access_log=False,
            server_header=False,
            timeout_keep_alive=10,
            timeout_graceful_shutdown=1,
            proxy_headers=False,
            lifespan="on",
            ws="none",
            http=limited_protocol(is_known_phone=is_known_phone),
            loop="asyncio",
        )
    )
