"""Connections that take nothing from others: so many from one address, and none that keeps a request half sent."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from typing import TYPE_CHECKING, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from starlette.applications import Starlette

MOST_OF_ONE = 32
"""Connections at once from one address. A browser opens six, and a television may show two pages."""
REQUEST_SECONDS = 10.0
"""In twice this time at the most a request has come whole, or its connection is closed."""


def limited(most: int = MOST_OF_ONE, seconds: float = REQUEST_SECONDS) -> type[asyncio.Protocol]:
    """A protocol for uvicorn that counts connections by address and closes those that dawdle."""
    open_now: Counter[str] = Counter()

    class Limited(H11Protocol):
        """HTTP/1.1, with limits for each address and for the time of a request."""

        _address = ""
        _waited = False
        _timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            """Take a connection, or close it at once where its address has too many."""
            connection = cast("asyncio.Transport", transport)
            super().connection_made(connection)
            self._address = self.client[0] if self.client else ""
            open_now[self._address] += 1
            if open_now[self._address] > most:
                connection.abort()
            else:
                self._timer = self.loop.call_later(seconds, self._look)

        def connection_lost(self, exc: Exception | None) -> None:
            """Forget a connection."""
            super().connection_lost(exc)
            open_now[self._address] -= 1
            if not open_now[self._address]:
                del open_now[self._address]
            if self._timer is not None:
                self._timer.cancel()

        def _look(self) -> None:
            """Close the connection if it has waited for the same request since the last look."""
            waits = self.conn.their_state in (h11.IDLE, h11.SEND_BODY)
            if waits and self._waited:
                self.transport.close()
                return
            self._waited = waits
            self._timer = self.loop.call_later(seconds, self._look)

        def data_received(self, data: bytes) -> None:
            """Take what has come; a request that is whole starts the waiting anew.

            What cannot be read may come behind an answer, or while one is being made. uvicorn answers in both cases
            where h11 has ended the connection already, so the request counts as one whose sender has gone.
            """
            with contextlib.suppress(h11.LocalProtocolError):
                super().data_received(data)
            if self.conn.their_state is h11.ERROR:
                if self.cycle is not None:
                    self.cycle.disconnected = True
                self.transport.close()
            elif self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
                self._waited = False

    return Limited


def server(application: Starlette) -> uvicorn.Server:
    """What serves pages within these limits; `run` takes the sockets that it listens on."""
    return uvicorn.Server(
        uvicorn.Config(
            application,
            log_level="error",  # A request that cannot be read is no news, and a thousand would fill the journal.
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
