"""Server-sent events: a page's parts as they are, all of them at first, then those that have changed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

from starlette.responses import HTMLResponse, Response, StreamingResponse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

BREATH_SECONDS = 15.0
"""So often a stream that has nothing to tell sends a comment, or proxies and phones would hang up."""
STREAMS = 100
"""Watchers at once; the next one is asked to come back."""


class Changing(Protocol):
    """What a page shows."""

    def changes(self) -> AsyncIterator[None]:
        """Once now, and then whenever there is something new."""


def streamed(source: Changing, streams: set[object], view: Callable[[], dict[str, str]]) -> Response:
    """The stream of a view, event by event; `streams` are those that are open."""
    if len(streams) >= STREAMS:
        return HTMLResponse("Too many screens are watching.\n", 503, {"retry-after": "10"})
    return StreamingResponse(
        _stream(source, streams, view), media_type="text/event-stream", headers={"cache-control": "no-store"}
    )


async def _stream(source: Changing, streams: set[object], view: Callable[[], dict[str, str]]) -> AsyncIterator[str]:
    """A view as events: all of it at first, so that a screen that comes back misses nothing, then what has changed."""
    me = object()
    streams.add(me)
    told: dict[str, str] = {}
    changes = source.changes()
    following = asyncio.ensure_future(anext(changes))
    try:
        while True:
            done, _ = await asyncio.wait({following}, timeout=BREATH_SECONDS)
            if not done:
                yield ": still here\n\n"
                continue
            for event, words in view().items():
                if told.get(event) == words:
                    continue
                told[event] = words
                yield f"event: {event}\n" + "".join(f"data: {line}\n" for line in words.splitlines() or [""]) + "\n"
            following = asyncio.ensure_future(anext(changes))
    finally:
        following.cancel()
        streams.discard(me)
