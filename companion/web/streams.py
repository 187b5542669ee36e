"""Server-sent events: all parts of a page at first, then each part that has changed.

Because a new stream starts with everything, a page that loses its connection misses nothing when it reconnects.
"""

from __future__ import annotations

import asyncio
import contextlib
from asyncio import FIRST_COMPLETED
from typing import TYPE_CHECKING, Generic, TypeVar

from starlette.responses import Response, StreamingResponse

from companion.web.clients import client_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.requests import Request

    from companion.web.clients import Places

BREATH_SECONDS = 15.0
"""The pause after which an idle stream sends a beat. A page that gets nothing for 35 seconds shows that it is
disconnected."""
STREAMS = 100
"""The most open streams; another one replaces one of the client that has the most."""

T = TypeVar("T")


class Changing:
    """The source of a page's data; `number` counts its changes."""

    def __init__(self) -> None:
        self.number = 0
        self._changed = asyncio.Condition()

    async def changes(self) -> AsyncIterator[None]:
        """Yield at once, then after each change; changes during one step of the caller count as one."""
        told = -1
        while True:
            async with self._changed:
                while self.number == told:
                    await self._changed.wait()
                told = self.number
            yield

    async def wait_until(self, holds: Callable[[], bool], seconds: float) -> None:
        """Wait until a condition is true after a change, at most so many seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds), self._changed:
                await self._changed.wait_for(holds)

    async def count_change(self) -> None:
        """Count a change, and wake whoever waits in `changes`."""
        async with self._changed:
            self.number += 1
            self._changed.notify_all()


class Kept(Generic[T]):
    """Values by key, each made anew when the version that belongs to it has changed."""

    def __init__(self) -> None:
        self._kept: dict[object, tuple[object, T]] = {}

    def made(self, key: object, version: object, make: Callable[[], T]) -> T:
        """The value of a key: the cached one if it has this version, else what `make` returns."""
        known = self._kept.get(key)
        if known is None or known[0] != version:
            known = self._kept[key] = version, make()
        return known[1]


def streamed(
    source: Changing, streams: Places, view: Callable[[], dict[str, str]], request: Request, keeper: str = ""
) -> Response:
    """A response that streams the parts of a page.

    `render_parts` returns HTML by the name of its event. The stream takes one of the `slots`, reserved for
    `paired_phone` unless that is "".
    """
    client = client_of(request.client.host) if request.client else ""
    return StreamingResponse(
        one_page(source, streams, view, client, keeper),
        media_type="text/event-stream",
        headers={"cache-control": "no-store"},
    )


async def one_page(
    source: Changing, streams: Places, view: Callable[[], dict[str, str]], client: str, keeper: str
) -> AsyncIterator[str]:
    """Yield the parts of a page as events: all of them at first, then those that have changed.

    Ends when the stream's slot is taken away.
    """
    gone = asyncio.get_running_loop().create_future()
    streams.take(gone, client, gone.cancel)
    if keeper:
        streams.keep(gone, keeper)
    told: dict[str, str] = {}
    changes = source.changes()
    following = asyncio.ensure_future(anext(changes))
    try:
        while not gone.done():
            done, _ = await asyncio.wait({following, gone}, timeout=BREATH_SECONDS, return_when=FIRST_COMPLETED)
            if gone.done():
                break
            if not done:
                yield "event: beat\ndata:\n\n"
                continue
            for event, words in view().items():
                if told.get(event) == words:
                    continue
                told[event] = words
                yield f"event: {event}\n" + "".join(f"data: {line}\n" for line in words.splitlines() or [""]) + "\n"
            following = asyncio.ensure_future(anext(changes))
    finally:
        following.cancel()
        streams.give_back(gone)
        gone.cancel()
