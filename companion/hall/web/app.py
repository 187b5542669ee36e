"""The hall's web application: which pages it has, how large a request may be, and who may change a tournament.

Whoever has said the organiser's password may; it lies in the hall's data folder.
"""

from __future__ import annotations

import contextlib
import hmac
import time
from typing import TYPE_CHECKING

import segno
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route

from companion.hall.web.rendering import HERE, rendered
from companion.languages import text
from companion.web.addresses import addresses
from companion.web.guard import Rate
from companion.web.site import site

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from starlette.requests import Request

    from companion.hall.web.television import HallView

LARGEST = 65_536
"""The largest body of a request, in bytes: a round that is paired by hand."""
LARGEST_UPLOAD = 4 * 2**20
"""The same of a list of players: a file and a text, which after a file is up to twice as long in UTF-8."""
FILES = ("hall.css", "tournament.css", "clock.js", "turns.js")
COOKIE = "companion-organiser"
COOKIE_SECONDS = 30 * 24 * 3600
"""So long a browser stays the organiser's."""
TRIES, PARDON_SECONDS = 5, 60.0
"""So many wrong passwords of one address are answered in the usual way, and one more after each so many seconds."""


class NightPages:
    """The pages for a television and for the organiser, with their streams. `night` is what they show."""

    def __init__(self, night: HallView) -> None:
        self._night = night

    @property
    def routes(self) -> list[Route]:
        """The URLs of these pages."""
        return [
            Route("/", self.television),
            Route("/events", self.events),
            Route("/organiser", self.organiser),
            Route("/organiser/events", self.organiser_events),
            *(Route(f"/{name}", _file) for name in FILES),
        ]

    async def television(self, request: Request) -> Response:
        """The page for a television."""
        parts = {key: Markup(said) for key, said in self._night.television()().items()}
        address = followed(request) if self._night.tournaments is not None else ""
        code = segno.make(address, error="m").svg_data_uri(scale=8) if address else ""
        return HTMLResponse(rendered("hall.html", parts=parts, address=address, code=code))

    async def events(self, request: Request) -> Response:
        """The stream of a television's page."""
        return self._night.streamed(request, self._night.television())

    async def organiser(self, request: Request) -> Response:
        """The organiser's page."""
        return HTMLResponse(rendered("organiser.html", notes=Markup(self._night.notes()["notes"])))

    async def organiser_events(self, request: Request) -> Response:
        """The stream of the organiser's page."""
        return self._night.streamed(request, self._night.notes)


async def _file(request: Request) -> Response:
    return FileResponse(HERE / "static" / request.url.path.strip("/"))


def followed(request: Request) -> str:
    """The address of the tournaments for a phone: as the television asked, or this computer's own; "" without one."""
    host, port = request.url.hostname or "", request.url.port or 80
    if host in ("localhost", "127.0.0.1", "::1"):
        own = next(iter(addresses(port)), "")
        return f"{own}tournaments" if own else ""
    return f"{request.url.scheme}://{request.url.netloc}/tournaments"


def application(night: HallView, names: tuple[str, ...] = (), more: Sequence[Route] = ()) -> Starlette:
    """The pages as an ASGI application.

    `names` are this computer's host names, which requests may ask for; `more` are the routes of further pages.
    """

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        night.begin()
        yield

    pages = [*NightPages(night).routes, *more]
    return site(pages, lifespan, lambda: rendered("no_page.html"), names, largest=LARGEST, uploads=LARGEST_UPLOAD)


class OrganiserLogin:
    """Lets the organiser's browsers in."""

    def __init__(self, secret: str) -> None:
        self._secret = secret
        # Of this running hall: whoever only has an old cookie says the password again after a new one was made.
        self._cookie = hmac.digest(secret.encode(), b"organiser's browser", "sha256").hex()
        self._wrong = Rate(1 / PARDON_SECONDS, TRIES)

    def knows(self, request: Request) -> bool:
        """Whether a request comes from a browser that was let in."""
        return hmac.compare_digest(request.cookies.get(COOKIE, "").encode(), self._cookie.encode())

    def refusal(self, said: str, address: str) -> tuple[str, int]:
        """Why a password from an address does not let anybody in, and the answer's status; "" where it does.

        The right one always does: nobody locks the organiser out by wrong ones, and ten letters of 31 are more than
        anybody can try.
        """
        if hmac.compare_digest(said.strip().lower().encode(), self._secret.encode()):
            self._wrong.buckets.pop(address, None)
            return "", 200
        if not self._wrong.allows(address, time.monotonic()):
            return text("Too many wrong passwords: look the right one up by `companion hall password`."), 429
        return text("That is not the organiser's password: `companion hall password` shows it."), 403

    def keep(self, response: Response) -> None:
        """Let a browser in from now on."""
        response.set_cookie(COOKIE, self._cookie, httponly=True, samesite="strict", max_age=COOKIE_SECONDS)
