"""The hall's web application: the television at ``/``, the organiser's page, server-sent events, static files."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from markupsafe import Markup
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from companion.hall.pages import HERE, WEB, rendered
from companion.web.guard import Guard
from companion.web.streams import streamed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from starlette.requests import Request

    from companion.hall.pages import Night

LARGEST = 65_536
"""The largest body of a request, in bytes: the pasted list of a large tournament's players with their clubs."""


class NightPages:
    """The pages for a television and for the organiser, with their streams. `night` is what they show."""

    def __init__(self, night: Night) -> None:
        self._night = night
        self._streams: set[object] = set()

    @property
    def routes(self) -> list[Route]:
        """The URLs of these pages."""
        return [
            Route("/", self.television),
            Route("/events", self.events),
            Route("/organiser", self.organiser),
            Route("/organiser/events", self.organiser_events),
            Route("/hall.css", _hall_style),
            Route("/tournament.css", _tournament_style),
        ]

    async def television(self, request: Request) -> Response:
        """The page for a television."""
        parts = {key: Markup(said) for key, said in self._night.television()().items()}
        return HTMLResponse(rendered("hall.html", parts=parts))

    async def events(self, request: Request) -> Response:
        """The stream of a television's page."""
        return streamed(self._night, self._streams, self._night.television())

    async def organiser(self, request: Request) -> Response:
        """The organiser's page."""
        return HTMLResponse(rendered("organiser.html", notes=Markup(self._night.notes()["notes"])))

    async def organiser_events(self, request: Request) -> Response:
        """The stream of the organiser's page."""
        return streamed(self._night, self._streams, self._night.notes)


async def _hall_style(request: Request) -> Response:
    return FileResponse(HERE / "static" / "hall.css")


async def _tournament_style(request: Request) -> Response:
    return FileResponse(HERE / "static" / "tournament.css")


def application(night: Night, names: tuple[str, ...] = (), more: Sequence[Route] = ()) -> Starlette:
    """The pages as an ASGI application.

    `names` are this computer's host names, which requests may ask for; `more` are the routes of further pages.
    """

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        night.begin()
        yield

    return Starlette(
        routes=[*NightPages(night).routes, *more, Mount("/static", StaticFiles(directory=WEB / "static"))],
        middleware=[Middleware(Guard, names=names, largest=LARGEST), Middleware(GZipMiddleware, minimum_size=500)],
        lifespan=lifespan,
    )
