"""The host's pages: history with filters, replays of finished rounds, reports, names, and the score pad.

Stored rounds are read by `companion.host`, which the table runs; changes are requests to the table.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from markupsafe import Markup
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.languages import said, text
from companion.languages.templates import code
from companion.web.phone_pages import Pages
from companion.web.secret import phone_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from companion.web.box import Box
    from companion.web.table import TableClient

FILTERS = ("game", "player", "since", "until", "page")
LONGEST = 60
"""The most letters of a filter's value or of a name."""
DAY = re.compile(r"\d{4}-\d\d-\d\d")
POINTS = re.compile(r"[+-]?\d{1,7}")
FILE = re.compile(r"[\w.-]{1,60}")
TYPES = ("text/html", "text/markdown")


class Host(Pages):
    """The pages of the host's phone."""

    def __init__(self, table: TableClient, render: Callable[..., str], box: Box) -> None:
        super().__init__(table, render)
        self._box = box

    @property
    def routes(self) -> list[Route]:
        """The URLs of these pages."""
        return [
            Route("/host", self.home),
            Route("/host/waits", self.waits),
            Route("/host/ask", self.ask, methods=["POST"]),
            Route("/host/history", self.history),
            Route("/host/round/{number:int}", self.round),
            Route("/host/round/{number:int}/picture", self.picture),
            Route("/host/report", self.report),
            Route("/host/names", self.names),
            Route("/host/names", self.rename, methods=["POST"]),
            Route("/host/pad", self.pad),
            Route("/host/pad", self.points, methods=["POST"]),
        ]

    def _is_host(self, request: Request) -> bool:
        phone = phone_of(request)
        return phone != "" and phone == self._table.host

    def _stranger(self, request: Request, refusal: str = "") -> Response:
        """The page for a phone that is not the host's: how to become it, or that the box is asking."""
        phone, table = phone_of(request), self._table
        known = phone in table.phones
        asks = phone != "" and phone == table.asks
        words = {"known": known, "asks": asks, "shows": table.shows, "refusal": refusal or table.news.get(phone, "")}
        return self._page("host_no.html", 200 if asks else 403, **words)

    async def home(self, request: Request) -> Response:
        """The host's menu; for another phone, how to become the host's."""
        if not self._is_host(request):
            return self._stranger(request)
        return self._page("host.html", box=Markup(self._box.part(phone_of(request))))

    async def ask(self, request: Request) -> Response:
        """Let the box ask whether a paired phone may be the host's too."""
        answer = await self._table.ask(phone_of(request), "host")
        if answer.get("refusal"):
            return self._stranger(request, answer["refusal"])
        return RedirectResponse("/host", 303)

    async def waits(self, request: Request) -> Response:
        """Polled by a phone that waits: redirects to ``/host`` once the box has been answered."""
        phone = phone_of(request)
        asks = phone != "" and phone == self._table.asks
        return Response(status_code=204, headers={} if asks else {"hx-redirect": "/host"})

    # -- stored rounds ------------------------------------------------------------------------------------------

    async def history(self, request: Request) -> Response:
        """A page of the rounds that the filter selects, newest first."""
        if not self._is_host(request):
            return self._stranger(request)
        asked = {key: request.query_params.get(key, "")[:LONGEST] for key in FILTERS}
        answer = await self._table.ask(phone_of(request), "history", json.dumps(asked))
        if "found" not in answer:
            return self._refused(answer)
        page = int(asked["page"]) if asked["page"].isdecimal() else 0
        return self._page("history.html", asked=asked, page=page, **answer["found"])

    async def round(self, request: Request) -> Response:
        """A replay of a finished round, with a slider over its events."""
        return await self._replayed(request, "round.html")

    async def picture(self, request: Request) -> Response:
        """The part of a replay that the slider changes."""
        return await self._replayed(request, "replayed.html")

    async def _replayed(self, request: Request, template: str) -> Response:
        if not self._is_host(request):
            return self._stranger(request)
        move = request.query_params.get("move", "0")
        move = move if move.isdecimal() and len(move) < 8 else "0"
        answer = await self._table.ask(phone_of(request), "round", f"{request.path_params['number']} {move}")
        if "found" not in answer:
            return self._refused(answer)
        found = answer["found"]
        step = template == "replayed.html" and "step" in request.query_params  # By a button: the slider goes along.
        return self._page(template, round=found, board=Markup(said(found["board"])), step=step)

    async def report(self, request: Request) -> Response:
        """Download the report of an evening."""
        if not self._is_host(request):
            return self._stranger(request)
        day = request.query_params.get("day", "")
        if not DAY.fullmatch(day):
            return self._refused({"refusal": text("A report is of one evening: pick it from the list.")})
        answer = await self._table.ask(phone_of(request), "report", f"{day} {code()}")
        if "found" not in answer:
            return self._refused(answer)
        found = answer["found"]
        name, kind = str(found["name"]), str(found["type"])
        if not FILE.fullmatch(name) or kind not in TYPES:
            return self._refused({})
        headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
        return Response(found["body"], media_type=kind, headers=headers)

    # -- names --------------------------------------------------------------------------------------------------

    async def names(self, request: Request) -> Response:
        """All players, and the favourites."""
        return await self._names(request) if self._is_host(request) else self._stranger(request)

    async def rename(self, request: Request) -> Response:
        """Rename or merge players, or change the favourites; a merge, which cannot be undone, is asked about first."""
        if not self._is_host(request):
            return self._stranger(request)
        form = await request.form()
        what = str(form.get("what", ""))
        old, new = (str(form.get(key, ""))[:LONGEST].strip() for key in ("name", "new"))
        if what not in ("rename", "merge", "favour", "unfavour"):
            return await self._names(request, text("That cannot be asked for."))
        if what == "merge" and old == new:
            return await self._names(request, text("Choose two different names."))
        if what == "merge" and form.get("sure") != "yes":
            return self._page("merge.html", old=old, new=new)
        whom = f"{old},{new}" if what in ("rename", "merge") else old
        answer = await self._table.ask(phone_of(request), what, whom)
        if answer.get("refusal"):
            return await self._names(request, answer["refusal"])
        return RedirectResponse("/host/names", 303)

    async def _names(self, request: Request, refusal: str = "") -> Response:
        answer = await self._table.ask(phone_of(request), "names")
        if "found" not in answer:
            return self._refused(answer)
        return self._page("names.html", refusal=refusal, favourites=self._table.favourites, **answer["found"])

    # -- the score pad ------------------------------------------------------------------------------------------

    async def pad(self, request: Request) -> Response:
        """The score pad that is being kept at the table, with a form for points."""
        return self._pad() if self._is_host(request) else self._stranger(request)

    async def points(self, request: Request) -> Response:
        """Enter points for one player."""
        if not self._is_host(request):
            return self._stranger(request)
        form = await request.form()
        seat, points = str(form.get("seat", "")), str(form.get("points", "")).strip().replace("−", "-")
        if not (seat.isdecimal() and len(seat) == 1 and POINTS.fullmatch(points)):
            return self._pad(text("Points are a whole number, such as 12 or -5."), seat, points)
        sheet = (self._table.public or {}).get("sheet")
        if sheet and form.get("names") != ", ".join(sheet["names"]):  # A seat of the page may be another player's now.
            return self._pad(text("Other players are on the score pad now. Whose points are these?"), points=points)
        answer = await self._table.ask(phone_of(request), "points", f"{seat} {int(points):+d}")
        if answer.get("refusal"):
            return self._pad(answer["refusal"], seat, points)
        return RedirectResponse("/host/pad", 303)

    def _pad(self, refusal: str = "", seat: str = "", points: str = "") -> Response:
        """The page of the score pad; the `seat` and `points` that were refused are in its form again."""
        sheet = (self._table.public or {}).get("sheet")
        shown = Markup(self._render("host_sheet.html", sheet=sheet))
        return self._page("pad.html", sheet=sheet, shown=shown, refusal=refusal, seat=seat, points=points[:8])

    def _refused(self, answer: dict[str, Any]) -> Response:
        return self._page("host_message.html", 400, message=answer.get("refusal") or text("The box could not answer."))
