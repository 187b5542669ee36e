"""The web application: the big screen at ``/``, players' and host's pages, server-sent events, static files."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, select_autoescape
from markupsafe import Markup, escape
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.languages import format_list, translate, current_catalogue, text
from companion.languages.templates import add_text_functions
from companion.web.clients import Places, phone_of
from companion.web.host_pages import HostPages
from companion.web.player_pages import PlayerPages
from companion.web.site import HERE, site
from companion.web.streams import STREAMS, Kept, streamed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from starlette.requests import Request

    from companion.web.table_client import TableClient

LARGEST = 65_536
"""The largest body of a request, in bytes; a corrected record is the longest that is sent."""

_LOADER = FileSystemLoader(HERE / "templates")
_PAGES = add_text_functions(Environment(loader=_LOADER, autoescape=select_autoescape()), offers_languages=True)


class BigScreen:
    """The big screen's page, and the streams of all pages.

    Args:
        table: the table.
        player_pages: the players' pages, whose parts are streamed.
    """

    def __init__(self, table: TableClient, seats: PlayerPages) -> None:
        self._table = table
        self._seats = seats
        self._streams = Places(STREAMS)
        # By language: the HTML of the newest state, rendered once for all who watch.
        self._drawn = Kept[str]()

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/", self.screen),
            Route("/events", self.events),
            Route("/seat/events", self.seat_events),
            Route("/host/events", self.host_events),
        ]

    async def screen(self, request: Request) -> Response:
        table, known = Markup(table_part(self._table.public)), self._table.knows(phone_of(request))
        return HTMLResponse(rendered("screen.html", table=table, known=known), headers={"cache-control": "no-store"})

    async def events(self, request: Request) -> Response:
        """The stream of the big screen: its one part."""
        return self._streamed(request, lambda: {"table": self.everybody()})

    async def seat_events(self, request: Request) -> Response:
        """The stream of a player's page: the table, the box's keys, the player's pieces, and the draft's version."""
        phone, seats = phone_of(request), self._seats
        return self._streamed(
            request,
            lambda: {
                "table": seats.view(phone),
                "box": seats.box.part(phone),
                "hand": str(escape(seats.hand(phone))),
                "draft": seats.moment(phone),
            },
        )

    async def host_events(self, request: Request) -> Response:
        """The stream of the host's pages: the score pad, and the box's keys."""
        phone = phone_of(request)

        def view() -> dict[str, str]:
            if self._table.public is None:
                return dict.fromkeys(("sheet", "box"), rendered("away.html"))
            sheet = rendered("host_sheet.html", sheet=self._table.public["sheet"])
            return {"sheet": sheet, "box": self._seats.box.part(phone)}

        return self._streamed(request, view)

    def _streamed(self, request: Request, view: Callable[[], dict[str, str]]) -> Response:
        phone = phone_of(request)
        return streamed(self._table, self._streams, view, request, phone if self._table.knows(phone) else "")

    def everybody(self) -> str:
        """What the big screen shows, as HTML; rendered once in each language for all who watch."""
        return self._drawn.made(current_catalogue(), self._table.number, lambda: table_part(self._table.public))


def application(table: TableClient, names: tuple[str, ...] = ()) -> Starlette:
    """The pages as an ASGI application; `host_names` are the box's own names, which requests may ask for."""
    seats = PlayerPages(table, rendered)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        visiting = asyncio.create_task(table.run())
        yield
        visiting.cancel()

    pages = [*BigScreen(table, seats).routes, *seats.routes, *seats.box.routes]
    pages += HostPages(table, rendered, seats.box).routes
    return site(pages, lifespan, _no_page, names, fault=_fault, largest=LARGEST)


def _no_page() -> str:
    """The page for an address that does not exist, or that takes no forms, with a link that leads on."""
    return rendered("nowhere.html", said=text("This page does not exist"))


async def _fault(request: Request, error: Exception) -> Response:
    """The page for an error in the program itself."""
    return HTMLResponse(rendered("nowhere.html", said=text("The box could not answer.")), 500)


def won(winners: Sequence[str]) -> str:
    """Who has won: ``Ann wins``, ``Ann and Ben share the win``, ``Nobody wins``."""
    if not winners:
        return text("Nobody wins")
    if len(winners) == 1:
        return text("{who} wins", who=winners[0])
    return text("{who} share the win", who=format_list(winners))


_PAGES.globals["won"] = won


def rendered(name: str, **words: Any) -> str:
    """Fill in the template `name`; `values` are what it shows."""
    return _PAGES.get_template(name).render(**words)


def table_part(public: dict[str, Any] | None) -> str:
    """The part of the big screen that changes, as HTML.

    The board's SVG is put in as it is: it comes from the table, which escapes every text in it.
    """
    return rendered("table.html", table=public, board=Markup(translate(public["board"])) if public else "")
