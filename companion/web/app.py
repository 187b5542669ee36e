"""The pages: the big screen at ``/``, its changes as server-sent events at ``/events``, and the files they need."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, select_autoescape
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from companion.web.guard import Guard

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

    from companion.web.table import Table

HERE = Path(__file__).parent
BREATH_SECONDS = 15.0
"""So often a stream that has nothing to tell sends a comment, or proxies and phones would hang up."""
STREAMS = 100
"""Watchers at once; the next one is asked to come back."""

_PAGES = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=select_autoescape())


def application(table: Table, names: tuple[str, ...] = ()) -> Starlette:
    """The web as an ASGI application; `names` are those of the box besides its addresses."""
    streams: set[object] = set()

    async def screen(request: Request) -> Response:
        return HTMLResponse(_PAGES.get_template("screen.html").render(table=Markup(_table(table.public))))

    async def events(request: Request) -> Response:
        if len(streams) >= STREAMS:
            return HTMLResponse("Too many screens are watching.\n", 503, {"retry-after": "10"})
        return StreamingResponse(
            _stream(table, streams), media_type="text/event-stream", headers={"cache-control": "no-store"}
        )

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        visiting = asyncio.create_task(table.run())
        yield
        visiting.cancel()

    return Starlette(
        routes=[
            Route("/", screen),
            Route("/events", events),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ],
        middleware=[Middleware(Guard, names=names), Middleware(GZipMiddleware, minimum_size=500)],
        lifespan=lifespan,
    )


def _table(public: dict[str, Any] | None) -> str:
    """What changes of the big screen. The board is our own drawing; every word in it was escaped when it was drawn."""
    board = Markup(public["board"]) if public else ""
    return _PAGES.get_template("table.html").render(table=public, board=board)


async def _stream(table: Table, streams: set[object]) -> AsyncIterator[str]:
    """The table's picture as events, whole each time, so that a screen that comes back misses nothing."""
    me = object()
    streams.add(me)
    try:
        changes = table.changes()
        following = asyncio.ensure_future(anext(changes))
        while True:
            done, _ = await asyncio.wait({following}, timeout=BREATH_SECONDS)
            if not done:
                yield ": still here\n\n"
                continue
            lines = _table(following.result()).splitlines()
            yield "event: table\n" + "".join(f"data: {line}\n" for line in lines) + "\n"
            following = asyncio.ensure_future(anext(changes))
    finally:
        following.cancel()
        streams.discard(me)
