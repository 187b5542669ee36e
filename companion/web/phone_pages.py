"""What all pages of phones share, and the box's keys on them: what the box shows, with a button for each key."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.languages import text
from companion.web.clients import requesting_phone_hash

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from companion.web.table_client import TableClient

PRESS_PATTERN = re.compile(r"ok|back|up|down|left|right|close|type|pick \d{1,3}|menu [a-z]{1,12}")
SCREEN_MARK_PATTERN = re.compile(r"[0-9a-f]{8}")
MAX_TYPED_LETTERS = 40
"""The most letters of a name or a number that is typed for the box."""


class PhonePages:
    """Pages about one table.

    Args:
        table: the table.
        render: fills in a template, ``render("seat.html", name=value, …)``.
    """

    def __init__(self, table: TableClient, render: Callable[..., str]) -> None:
        self._table = table
        self._render = render

    def _render_for_phone(self, name: str, phone: str, **values: Any) -> str:
        """Fill in a template with these values, and with what the table's snapshot says about a phone."""
        table = self._table
        phone_values: dict[str, Any] = {
            "asks": table.is_asking_to_let_in(phone),
            "shows": table.question_digits,
            "news": table.news.get(phone, ""),
        }
        phone_values |= {"table": table.public, "away": table.public is None, "known": phone in table.phones}
        return self._render(name, host=table.is_host(phone), hosted=table.host != "", **phone_values, **values)

    def _page_response(self, name: str, status: int = 200, phone: str | None = None, **values: Any) -> Response:
        """A response with a template's page, which browsers must not cache; with a `phone` the page is about that."""
        values["box_name"] = self._table.settings.get("name", "")
        page = self._render(name, **values) if phone is None else self._render_for_phone(name, phone, **values)
        return HTMLResponse(page, status, {"cache-control": "no-store"})


class BoxKeys(PhonePages):
    """The part of a phone's page that shows the box's screen and its keys."""

    @property
    def routes(self) -> list[Route]:
        return [Route("/box", self.press_key, methods=["POST"])]

    def allowed_keys(self, phone: str) -> list[str]:
        """The box's keys that a phone may press now; see docs/socket.md for their names."""
        table = self._table
        is_allowed = table.is_host(phone) or (table.remote.get("players") and phone in table.phones)
        return table.remote.get("keys", []) if phone and is_allowed else []

    def render_keys(self, phone: str, refusal: str = "", *, has_menu: bool = True) -> str:
        """The box's keys for a phone, as HTML; "" where it may press none.

        What the box shows to everybody is left out beside a player's board, because that page has it already. With
        `has_menu` there is a button for the menu over a game.
        """
        table = self._table
        seat = table.view_for_phone(phone)
        values: dict[str, Any] = {"keys": self.allowed_keys(phone), "seen": table.remote.get("seen", "")}
        values |= {"has_menu": has_menu, "beside": bool(seat and seat["seat"])}
        public = table.public or {}
        values["news"] = "" if seat else table.news.get(phone, "")  # A player's page shows its news beside the board.
        return self._render(
            "box.html", content=public.get("content"), colours=public.get("colours", {}), refusal=refusal, **values
        )

    async def press_key(self, request: Request) -> Response:
        """Press a key of the box, if the box still shows what the page showed."""
        form = await request.form()
        phone = requesting_phone_hash(request)
        screen_mark, key = str(form.get("seen", "")), str(form.get("press", ""))
        if not SCREEN_MARK_PATTERN.fullmatch(screen_mark) or not PRESS_PATTERN.fullmatch(key):
            return HTMLResponse(self.render_keys(phone, text("This is not possible here.")))
        typed = str(form.get("said", ""))[:MAX_TYPED_LETTERS] if key == "type" else ""
        answer = await self._table.send_request(phone, "press", " ".join((screen_mark, key, typed)).rstrip(" "))
        if "hx-request" not in request.headers:
            return RedirectResponse("/host" if self._table.is_host(phone) else "/seat", 303)
        is_hosts_table = request.headers.get("hx-current-url", "").endswith("/host")
        return HTMLResponse(self.render_keys(phone, answer.get("refusal", ""), has_menu=not is_hosts_table))
