"""Server-sent events: all parts of a page at first, then each part that has changed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

from starlette.responses import HTMLResponse, Response, StreamingResponse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

BREATH_SECONDS = 15.0
"""The pause after which an idle stream sends a comment, so that proxies and phones keep it open."""
STREAMS = 100
"""The most open streams; another one is answered with 503."""


class Changing(Protocol):
    """The source of a page's data."""

    def changes(self) -> AsyncIterator[None]:
        """Yield at once, then after each change."""


def streamed(source: Changing, streams: set[object], view: Callable[[], dict[str, str]]) -> Response:
    """A response that streams a view.

    `view` returns HTML by the name of its event; `streams` are the open streams, to which this one is added.
    """
    if len(streams) >= STREAMS:
        return HTMLResponse("Too many screens are watching.\n", 503, {"retry-after": "10"})
    return StreamingResponse(
        _stream(source, streams, view), media_type="text/event-stream", headers={"cache-control": "no-store"}
    )


async def _stream(source: Changing, streams: set[object], view: Callable[[], dict[str, str]]) -> AsyncIterator[str]:
    """A view as events: all of it at first, so that a screen that reconnects misses nothing, then its changes."""
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
