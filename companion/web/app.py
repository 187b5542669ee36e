"""The web application: the big screen at ``/``, players' and host's pages, server-sent events, static files."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, select_autoescape
from markupsafe import Markup, escape
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from companion.web.guard import Guard
from companion.web.host import Host
from companion.web.seats import Seats
from companion.web.secret import phone_of
from companion.web.streams import streamed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

    from companion.web.table import Table

HERE = Path(__file__).parent

_PAGES = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=select_autoescape())


def application(table: Table, names: tuple[str, ...] = ()) -> Starlette:
    """The pages as an ASGI application; `names` are the box's host names, which requests may ask for."""
    streams: set[object] = set()
    drawn = [-1, ""]  # the number of a state and its HTML, rendered once for all watchers

    def everybody() -> str:
        if drawn[0] != table.number:
            drawn[:] = table.number, _table(table.public)
        return str(drawn[1])

    seats = Seats(table, _rendered)

    async def screen(request: Request) -> Response:
        return HTMLResponse(_rendered("screen.html", table=Markup(_table(table.public))))

    async def events(request: Request) -> Response:
        return streamed(table, streams, lambda: {"table": everybody()})

    async def seat_events(request: Request) -> Response:
        phone = phone_of(request)
        return streamed(
            table,
            streams,
            lambda: {"table": seats.view(phone), "hand": str(escape(seats.hand(phone))), "draft": seats.moment(phone)},
        )

    async def sheet_events(request: Request) -> Response:
        return streamed(
            table, streams, lambda: {"sheet": _rendered("sheet.html", sheet=(table.public or {}).get("sheet"))}
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
            Route("/seat/events", seat_events),
            Route("/host/events", sheet_events),
            *seats.routes,
            *Host(table, _rendered).routes,
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ],
        middleware=[Middleware(Guard, names=names), Middleware(GZipMiddleware, minimum_size=500)],
        lifespan=lifespan,
    )


def _rendered(name: str, **words: Any) -> str:
    return _PAGES.get_template(name).render(**words)


def _table(public: dict[str, Any] | None) -> str:
    """The big screen's changing part. The board's SVG comes from the table, which escapes every text in it."""
    return _rendered("table.html", table=public, board=Markup(public["board"]) if public else "")
