"""Limits for connections, so that no client shuts the others out: a number for each address, a time for a request."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from typing import TYPE_CHECKING, ClassVar, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from starlette.applications import Starlette

MOST_OF_ONE = 32
"""The most connections at once from one address. A browser opens six, and a television may show two pages."""
REQUEST_SECONDS = 10.0
"""How often connections are checked: one that waits for the same request at two checks is closed."""


class LimitedProtocol(H11Protocol):
    """uvicorn's HTTP/1.1 protocol with the limits of a class made by `limited`, which has a count of its own."""

    most: ClassVar[int]
    seconds: ClassVar[float]
    open_now: ClassVar[Counter[str]]
    """How many connections each address has open."""

    _address = ""
    _waited = False
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Accept a connection, or close it at once if its address has too many."""
        connection = cast("asyncio.Transport", transport)
        super().connection_made(connection)
        self._address = self.client[0] if self.client else ""
        self.open_now[self._address] += 1
        if self.open_now[self._address] > self.most:
            connection.abort()
        else:
            self._timer = self.loop.call_later(self.seconds, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count a connection that has ended."""
        super().connection_lost(exc)
        self.open_now[self._address] -= 1
        if not self.open_now[self._address]:
            del self.open_now[self._address]
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        """Close the connection if it has waited for the same request since the last check."""
        waits = self.conn.their_state in (h11.IDLE, h11.SEND_BODY)
        if waits and self._waited:
            self.transport.close()
            return
        self._waited = waits
        self._timer = self.loop.call_later(self.seconds, self._look)

    def data_received(self, data: bytes) -> None:
        """Process received bytes; a complete request restarts the time.

        Invalid bytes may follow a complete request. uvicorn then tries to answer on a connection that h11 has
        already ended, so the running request is treated as disconnected and the connection is closed.
        """
        with contextlib.suppress(h11.LocalProtocolError):
            super().data_received(data)
        if self.conn.their_state is h11.ERROR:
            if self.cycle is not None:
                self.cycle.disconnected = True
            self.transport.close()
        elif self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._waited = False


def limited(most: int = MOST_OF_ONE, seconds: float = REQUEST_SECONDS) -> type[asyncio.Protocol]:
    """A protocol class for uvicorn that limits connections by address and closes slow ones.

    At most `most` connections from one address; they are checked every `seconds`.
    """
    limits = {"most": most, "seconds": seconds, "open_now": Counter[str]()}
    return type("Limited", (LimitedProtocol,), limits)


def server(application: Starlette) -> uvicorn.Server:
    """A uvicorn server with these limits; its `run` takes the listening sockets."""
    return uvicorn.Server(
        uvicorn.Config(
            application,
            log_level="error",  # A warning for each invalid request would fill the journal.
            access_log=False,
            server_header=False,
            limit_concurrency=600,
            timeout_keep_alive=10,
            timeout_graceful_shutdown=1,
            proxy_headers=False,
            lifespan="on",
            ws="none",
            http=limited(),
            loop="asyncio",
        )
    )
