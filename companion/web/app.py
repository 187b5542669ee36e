"""The web application: the big screen at ``/``, players' and host's pages, server-sent events, static files."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from typing import TYPE_CHECKING, Any

import segno
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.languages import current_catalogue, format_list, text, translate
from companion.web.clients import ConnectionSlots, requesting_phone_hash
from companion.web.host_pages import HostPages
from companion.web.player_pages import PlayerPages
from companion.web.site import WEB_FOLDER, guarded_site, page_templates
from companion.web.streams import MAX_STREAMS, VersionedCache, stream_response

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Sequence

    from starlette.requests import Request

    from companion.web.table_client import TableClient

MAX_BODY_BYTES = 65_536
"""The largest body of a request, in bytes; a corrected record is the longest that is sent."""

TEMPLATES = page_templates(WEB_FOLDER / "templates")


class BigScreen:
    """The big screen's page, and the streams of all pages.

    Args:
        table: the table.
        player_pages: the players' pages, whose parts are streamed.
        host_pages: the host's pages, whose parts are streamed.
    """

    def __init__(self, table: TableClient, player_pages: PlayerPages, host_pages: HostPages) -> None:
        self._table = table
        self._player_pages = player_pages
        self._host_pages = host_pages
        self._stream_slots = ConnectionSlots(MAX_STREAMS)
        # By language, and by whether the code and the digits are shown: the HTML of the newest state.
        self._rendered_tables = VersionedCache[str]()

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/", self.screen_page),
            Route("/events", self.screen_events),
            Route("/seat/events", self.seat_events),
            Route("/host/events", self.host_events),
        ]

    async def screen_page(self, request: Request) -> Response:
        """The table for everybody. A phone that opens the bare address comes to its own page; links lead here."""
        phone = requesting_phone_hash(request)
        own_page = "/seat" if phone in self._table.phones else "/host" if self._table.is_host(phone) else ""
        if own_page and "referer" not in request.headers:
            return RedirectResponse(own_page, 303)
        page = render_template("screen.html", table=Markup(self.public_part(phone)), own_page=own_page)
        return HTMLResponse(page, headers={"cache-control": "no-store"})

    async def screen_events(self, request: Request) -> Response:
        """The stream of the big screen: its one part."""
        phone = requesting_phone_hash(request)
        return self._stream_response(request, lambda: {"table": self.public_part(phone)})

    async def seat_events(self, request: Request) -> Response:
        """The stream of a player's page: the table, the box's keys, and the draft's version."""
        phone, seats = requesting_phone_hash(request), self._player_pages
        return self._stream_response(
            request,
            lambda: {
                "table": seats.render_table_part(phone),
                "box": seats.box_keys.render_keys(phone),
                "draft": seats.draft_inputs_hash(phone),
            },
        )

    async def host_events(self, request: Request) -> Response:
        """The stream of the host's pages: the score pad, the box's keys, and the table."""
        phone = requesting_phone_hash(request)
        await self._host_pages.load_games(request)

        def render_parts() -> dict[str, str]:
            if self._table.public is None:
                return dict.fromkeys(("sheet", "box", "table"), render_template("away.html"))
            sheet = render_template("host_sheet.html", sheet=self._table.public["sheet"])
            keys = self._player_pages.box_keys.render_keys(phone)
            return {"sheet": sheet, "box": keys, "table": self._host_pages.render_table_part(phone)}

        return self._stream_response(request, render_parts)

    def _stream_response(self, request: Request, render_parts: Callable[[], dict[str, str]]) -> Response:
        phone = requesting_phone_hash(request)
        return stream_response(
            self._table, self._stream_slots, render_parts, request, phone if self._table.is_let_in(phone) else ""
        )

    def public_part(self, phone: str) -> str:
        """What the big screen shows, as HTML; rendered once in each language for all who watch.

        The screen that was let in has the code too, and the phone about which the box asks has its digits.
        """
        table = self._table
        code, digits = table.code_for_screen(phone), table.question_digits if table.is_asking_to_let_in(phone) else ""
        return self._rendered_tables.get_or_make(
            (current_catalogue(), bool(code), bool(digits)),
            table.number,
            lambda: render_table(table.public, table.phones.values(), table.page_url, code, digits),
        )


def web_application(table: TableClient, host_names: tuple[str, ...] = ()) -> Starlette:
    """The pages as an ASGI application; `host_names` are the box's own names, which requests may ask for."""
    player_pages = PlayerPages(table, render_template)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        connection_task = asyncio.create_task(table.stay_connected())
        yield
        connection_task.cancel()

    host_pages = HostPages(table, render_template, player_pages.box_keys)
    pages = [*BigScreen(table, player_pages, host_pages).routes, *host_pages.routes]
    pages += [*player_pages.routes, *player_pages.box_keys.routes]
    return guarded_site(
        pages, lifespan, _not_found_page, host_names, error_page=_error_page, most_body_bytes=MAX_BODY_BYTES
    )


def _not_found_page() -> str:
    """The page for an address that does not exist, or that takes no forms, with a link that leads on."""
    return render_template("nowhere.html", said=text("This page does not exist"))


async def _error_page(request: Request, error: Exception) -> Response:
    """The page for an error in the program itself."""
    return HTMLResponse(render_template("nowhere.html", said=text("The box could not answer.")), 500)


def winner_text(winners: Sequence[str]) -> str:
    """Who has won: ``Ann wins``, ``Ann and Ben share the win``, ``Nobody wins``."""
    if not winners:
        return text("Nobody wins")
    if len(winners) == 1:
        return text("{who} wins", who=winners[0])
    return text("{who} share the win", who=format_list(winners))


def result_sentence(public: dict[str, Any], own_name: str = "") -> str:
    """A result in a sentence, to the player `own_name` or to everybody: ``You win, 6 to 4``, ``Ann wins, 6 to 4``.

    Where the lower number wins, as that of the corals left, the sentence leaves the numbers out.
    """
    winners, players = public["result"]["winners"], public["players"]
    one, other = (players[0]["score"], players[-1]["score"]) if len(players) == 2 else (None, None)
    if public["result"].get("void"):
        return text("Void: it was {one} to {other}", one=one, other=other) if one != other else text("Void")
    if len(winners) == len(players):
        return text("A draw, {one} to {other}", one=one, other=other) if one is not None else text("A draw")
    if len(winners) != 1:
        return winner_text(winners)
    is_own = winners[0] == own_name
    won, *others = (each["score"] for each in sorted(players, key=lambda each: each["name"] not in winners))
    if len(others) != 1 or won < others[0]:
        return text("You win") if is_own else winner_text(winners)
    other = others[0]
    if is_own:
        return text("You win, {won} to {other}", won=won, other=other)
    return text("{who} wins, {won} to {other}", who=winners[0], won=won, other=other)


TEMPLATES.globals |= {"won": winner_text, "result_sentence": result_sentence}


def render_template(name: str, **values: Any) -> str:
    """Fill in the template `name`; `values` are what it shows."""
    return TEMPLATES.get_template(name).render(**values)


def render_table(
    public: dict[str, Any] | None,
    phone_owners: Iterable[str] = (),
    page_url: str = "",
    code: str = "",
    digits: str = "",
) -> str:
    """The part of the big screen that changes, as HTML.

    The board's SVG is put in as it is: it comes from the table, which escapes every text in it. `phone_owners` are the
    players with a phone, and `page_url` is where phones find the pages, "" for nowhere. `code` lets a phone in, and
    `digits` are what the box shows while it asks about this screen; both are "" for most screens.
    """
    scanned = f"{page_url}p/{code}" if code else page_url
    return render_template(
        "table.html",
        table=public,
        board=Markup(translate(public["board"])) if public else "",
        people=[{"name": name, "phone": True} for name in phone_owners],
        address=page_url.partition("://")[2].rstrip("/"),
        qr_code=Markup(qr_code_svg(scanned)) if page_url else "",
        code=code,
        digits=digits,
    )


@functools.lru_cache(maxsize=4)
def qr_code_svg(url: str) -> str:
    """The QR code of a URL as SVG, which scanners want dark on light in every colour scheme."""
    return segno.make(url, micro=False).svg_inline(
        border=3, omitsize=True, dark="#000", light="#fff", title=url, svgclass="qr-code", lineclass=None
    )
