"""Server-sent events: all parts of a page at first, then each part that has changed."""

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
"""The pause after which an idle stream sends a beat: a page that hears nothing for 35 seconds says that it is lost."""
STREAMS = 100
"""The most open streams; another one takes the place of one of the client that has the most."""

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
        """Wait for a change after which something holds, at most so long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds), self._changed:
                await self._changed.wait_for(holds)

    async def count_change(self) -> None:
        """Wake whoever waits in `changes`."""
        async with self._changed:
            self.number += 1
            self._changed.notify_all()


class Kept(Generic[T]):
    """What was made of something, for each key; it is made anew where the version of that is another."""

    def __init__(self) -> None:
        self._kept: dict[object, tuple[object, T]] = {}

    def made(self, key: object, version: object, make: Callable[[], T]) -> T:
        """What `make` makes for a key, or has made for the same version."""
        known = self._kept.get(key)
        if known is None or known[0] != version:
            known = self._kept[key] = version, make()
        return known[1]


def streamed(
    source: Changing, streams: Places, view: Callable[[], dict[str, str]], request: Request, keeper: str = ""
) -> Response:
    """A response that streams a view.

    `view` returns HTML by the name of its event; `streams` are the places of the open streams, of which the client of
    the request gets one. `keeper` is the paired phone that keeps it, "" for none.
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
    """A view as events: all of it at first, so that a screen that reconnects misses nothing, then its changes."""
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
