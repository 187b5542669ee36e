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
from companion.web.places import Places
from companion.web.seats import Seats
from companion.web.secret import phone_of
from companion.web.streams import STREAMS, streamed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.requests import Request

    from companion.web.table import TableClient

HERE = Path(__file__).parent

_PAGES = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=select_autoescape())


class Screen:
    """The big screen's page, and the streams of all pages.

    Args:
        table: the table.
        seats: the players' pages, whose parts are streamed.
    """

    def __init__(self, table: TableClient, seats: Seats) -> None:
        self._table = table
        self._seats = seats
        self._streams = Places(STREAMS)
        self._drawn = (-1, "")  # the number of a state and its HTML, rendered once for all watchers

    @property
    def routes(self) -> list[Route]:
        """The URLs of these pages."""
        return [
            Route("/", self.screen),
            Route("/events", self.events),
            Route("/seat/events", self.seat_events),
            Route("/host/events", self.host_events),
        ]

    async def screen(self, request: Request) -> Response:
        """The big screen."""
        return HTMLResponse(_rendered("screen.html", table=Markup(_table(self._table.public))))

    async def events(self, request: Request) -> Response:
        """The stream of the big screen."""
        return self._streamed(request, lambda: {"table": self._everybody()})

    async def seat_events(self, request: Request) -> Response:
        """The stream of a player's page."""
        phone, seats = phone_of(request), self._seats
        return self._streamed(
            request,
            lambda: {"table": seats.view(phone), "hand": str(escape(seats.hand(phone))), "draft": seats.moment(phone)},
        )

    async def host_events(self, request: Request) -> Response:
        """The stream of the host's page: the score pad."""
        return self._streamed(
            request,
            lambda: {"sheet": _rendered("host_sheet.html", sheet=(self._table.public or {}).get("sheet"))},
        )

    def _streamed(self, request: Request, view: Callable[[], dict[str, str]]) -> Response:
        phone = phone_of(request)
        return streamed(self._table, self._streams, view, request, phone if self._table.knows(phone) else "")

    def _everybody(self) -> str:
        """What all watchers see."""
        if self._drawn[0] != self._table.number:
            self._drawn = self._table.number, _table(self._table.public)
        return self._drawn[1]


def application(table: TableClient, names: tuple[str, ...] = ()) -> Starlette:
    """The pages as an ASGI application; `names` are the box's host names, which requests may ask for."""
    seats = Seats(table, _rendered)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        visiting = asyncio.create_task(table.run())
        yield
        visiting.cancel()

    return Starlette(
        routes=[
            *Screen(table, seats).routes,
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
