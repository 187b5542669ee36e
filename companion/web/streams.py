"""Server-sent events: all parts of a page at first, then each part that has changed.

Because a new stream starts with everything, a page that loses its connection misses nothing when it reconnects.
"""

from __future__ import annotations

import asyncio
import contextlib
from asyncio import FIRST_COMPLETED
from typing import TYPE_CHECKING, Generic, TypeVar

from starlette.responses import Response, StreamingResponse

from companion.web.clients import client_key

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.requests import Request

    from companion.web.clients import ConnectionSlots

HEARTBEAT_SECONDS = 15.0
"""The pause after which an idle stream sends a beat. A page that gets nothing for 35 seconds shows that it is
disconnected."""
MAX_STREAMS = 100
"""The most open streams; another one replaces one of the client that has the most."""

ValueT = TypeVar("ValueT")


class ChangeSource:
    """The source of a page's data; `number` counts its changes."""

    def __init__(self) -> None:
        self.number = 0
        self._changed = asyncio.Condition()

    async def changes(self) -> AsyncIterator[None]:
        """Yield at once, then after each change; changes during one step of the caller count as one."""
        yielded_number = -1
        while True:
            async with self._changed:
                while self.number == yielded_number:
                    await self._changed.wait()
                yielded_number = self.number
            yield

    async def wait_until(self, condition: Callable[[], bool], seconds: float) -> None:
        """Wait until a condition is true after a change, at most so many seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds), self._changed:
                await self._changed.wait_for(condition)

    async def count_change(self) -> None:
        """Count a change, and wake whoever waits in `changes`."""
        async with self._changed:
            self.number += 1
            self._changed.notify_all()


class VersionedCache(Generic[ValueT]):
    """Values by key, each made anew when the version that belongs to it has changed."""

    def __init__(self) -> None:
        self._values: dict[object, tuple[object, ValueT]] = {}

    def get_or_make(self, key: object, version: object, make: Callable[[], ValueT]) -> ValueT:
        """The value of a key: the cached one if it has this version, else what `make` returns."""
        cached = self._values.get(key)
        if cached is None or cached[0] != version:
            cached = self._values[key] = version, make()
        return cached[1]


def stream_response(
    source: ChangeSource,
    slots: ConnectionSlots,
    render_parts: Callable[[], dict[str, str]],
    request: Request,
    paired_phone: str = "",
) -> Response:
    """A response that streams the parts of a page.

    `render_parts` returns HTML by the name of its event. The stream takes one of the `slots`, reserved for
    `paired_phone` unless that is "".
    """
    client = client_key(request.client.host) if request.client else ""
    return StreamingResponse(
        page_events(source, slots, render_parts, client, paired_phone),
        media_type="text/event-stream",
        headers={"cache-control": "no-store"},
    )


async def page_events(
    source: ChangeSource,
    slots: ConnectionSlots,
    render_parts: Callable[[], dict[str, str]],
    client: str,
    paired_phone: str,
) -> AsyncIterator[str]:
    """Yield the parts of a page as events: all of them at first, then those that have changed.

    Ends when the stream's slot is taken away.
    """
    evicted = asyncio.get_running_loop().create_future()
    slots.take_slot(evicted, client, evicted.cancel)
    if paired_phone:
        slots.reserve_slot(evicted, paired_phone)
    sent_parts: dict[str, str] = {}
    changes = source.changes()
    next_change = asyncio.ensure_future(anext(changes))
    try:
        while not evicted.done():
            done, _ = await asyncio.wait({next_change, evicted}, timeout=HEARTBEAT_SECONDS, return_when=FIRST_COMPLETED)
            if evicted.done():
                break
            if not done:
                yield "event: beat\ndata:\n\n"
                continue
            for event, html in render_parts().items():
                if sent_parts.get(event) == html:
                    continue
                sent_parts[event] = html
                yield f"event: {event}\n" + "".join(f"data: {line}\n" for line in html.splitlines() or [""]) + "\n"
            next_change = asyncio.ensure_future(anext(changes))
    finally:
        next_change.cancel()
        slots.free_slot(evicted)
        evicted.cancel()
