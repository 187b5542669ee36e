"""The host's pages: history with filters, replays of finished rounds, reports, names, and the score pad.

The pages' process cannot read the rounds. The table has questions answered by `companion.table.host_answers`, and
changes go to the table as requests.
"""

from __future__ import annotations

import json
import re
from functools import partial
from typing import TYPE_CHECKING, Any

from markupsafe import Markup
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.languages import translate, text
from companion.languages.templates import current_language
from companion.web.clients import phone_of
from companion.web.phone_pages import Pages

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

    from companion.web.phone_pages import BoxKeys
    from companion.web.table_client import TableClient

FILTERS = ("game", "player", "since", "until", "page")
LONGEST_RECORD = 50_000
"""The most letters of a corrected record, encoded as JSON."""
LONGEST_VALUE = 60
"""The most letters of a filter's value or of a name."""
DAY = re.compile(r"\d{4}-\d\d-\d\d")
POINTS = re.compile(r"[+-]?\d{1,7}")
FILE = re.compile(r"[\w.-]{1,60}")
TYPES = ("text/html", "text/markdown")
SILENT = text("The box could not answer.")


class _RefusedError(Exception):
    """The host gets this message instead of a page."""


class HostPages(Pages):
    """The pages of the host's phone; any other phone is shown how to become the host's."""

    def __init__(self, table: TableClient, render: Callable[..., str], box: BoxKeys) -> None:
        super().__init__(table, render)
        self._box = box

    @property
    def routes(self) -> list[Route]:
        host = self._for_host
        return [
            Route("/host", host(self.home)),
            Route("/host/waits", self.waits),
            Route("/host/ask", self.ask, methods=["POST"]),
            Route("/host/history", host(self.history)),
            Route("/host/round/{number:int}", host(self.round)),
            Route("/host/round/{number:int}/picture", host(partial(self.round, template="replayed.html"))),
            Route("/host/round/{number:int}/change", host(self.change_page)),
            Route("/host/round/{number:int}/change", host(self.change), methods=["POST"]),
            Route("/host/report", host(self.report)),
            Route("/host/names", host(self.names)),
            Route("/host/names", host(self.rename), methods=["POST"]),
            Route("/host/pad", host(self.pad)),
            Route("/host/pad", host(self.points), methods=["POST"]),
        ]

    def _for_host(self, page: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        """Wrap a page so that only the host's phone gets it; another phone is shown how to become the host's."""

        async def guarded(request: Request) -> Response:
            phone = phone_of(request)
            if not self._table.is_host(phone):
                return self._stranger(request)
            try:
                return await page(request)
            except _RefusedError as refused:
                return self._page("host_message.html", 400, message=refused.args[0])

        return guarded

    async def _ask_rounds(self, request: Request, what: str, asked: str = "") -> dict[str, Any]:
        """Ask the table a question about stored rounds. Raises _HostMessageError."""
        answer = await self._table.ask(phone_of(request), what, asked)
        if "found" not in answer:
            raise _RefusedError(answer.get("refusal") or SILENT)
        found: dict[str, Any] = answer["found"]
        return found

    def _stranger(self, request: Request, refusal: str = "") -> Response:
        """The page for a phone that is not the host's.

        The page shows how to become the host's phone, or that the box asks about this phone, or that the table is not
        connected.
        """
        phone = phone_of(request)
        refusal = refusal or self._table.news.get(phone, "")
        return self._page("host_no.html", 200 if self._waits(phone) else 403, phone, refusal=refusal)

    def _waits(self, phone: str) -> bool:
        """Whether the box asks about a phone, or the table is not connected.

        Without the table nobody knows whose phone this is.
        """
        return self._table.public is None or self._table.asks_about(phone)

    async def home(self, request: Request) -> Response:
        return self._page("host.html", box=Markup(self._box.part(phone_of(request))))

    async def ask(self, request: Request) -> Response:
        """Let the box ask whether a paired phone may become the host's too."""
        answer = await self._table.ask(phone_of(request), "host")
        if answer.get("refusal"):
            return self._stranger(request, answer["refusal"])
        return RedirectResponse("/host", 303)

    async def waits(self, request: Request) -> Response:
        """Answer a phone that waits, and asks for this again and again.

        Redirects to ``/host`` once the question at the box has been answered, or the table is connected again.
        """
        return Response(status_code=204, headers={} if self._waits(phone_of(request)) else {"hx-redirect": "/host"})

    # -- stored rounds ------------------------------------------------------------------------------------------

    async def history(self, request: Request) -> Response:
        """A page of the rounds that the filter selects, newest first."""
        asked = {key: request.query_params.get(key, "")[:LONGEST_VALUE] for key in FILTERS}
        found = await self._ask_rounds(request, "history", json.dumps(asked))
        page = int(asked["page"]) if asked["page"].isdecimal() else 0
        return self._page("history.html", asked=asked, page=page, **found)

    async def round(self, request: Request, template: str = "round.html") -> Response:
        """A replay of a finished round, with a slider over its events.

        With the template ``replayed.html`` only the part that the slider changes is sent.
        """
        move = request.query_params.get("move", "0")
        move = move if move.isdecimal() and len(move) < 8 else "0"
        found = await self._ask_rounds(request, "round", f"{request.path_params['number']} {move}")
        step = template == "replayed.html" and "step" in request.query_params  # A button also has to move the slider.
        return self._page(template, round=found, board=Markup(translate(found["board"])), step=step)

    async def change_page(self, request: Request, refusal: str = "", sent: str | None = None) -> Response:
        """A finished round, to be corrected or made void.

        `submitted` is a text that was refused; the form shows it again, with the `refusal`.
        """
        found = await self._ask_rounds(request, "record", str(request.path_params["number"]))
        if sent is not None:
            found["text"] = sent
        return self._page("change.html", round=found, refusal=refusal)

    async def change(self, request: Request) -> Response:
        """Correct a finished round, make it void, or let it count again; the last two are asked about first."""
        form = await request.form()
        what, sent = str(form.get("what", "")), str(form.get("text", "")).replace("\r\n", "\n")
        number = request.path_params["number"]
        if what not in ("correct", "void", "restore"):
            return await self.change_page(request, text("This is not possible here."))
        if what != "correct" and form.get("sure") != "yes":
            return self._page("change_sure.html", number=number, what=what)
        if what == "correct" and len(json.dumps(sent)) > LONGEST_RECORD:
            return await self.change_page(request, text("This text is too long."))
        whole = f"{number} {sent}" if what == "correct" else str(number)
        answer = await self._table.ask(phone_of(request), what, whole)
        if answer.get("refusal"):
            return await self.change_page(request, answer["refusal"], sent if what == "correct" else None)
        return RedirectResponse(f"/host/round/{number}/change", 303)

    async def report(self, request: Request) -> Response:
        day = request.query_params.get("day", "")
        if not DAY.fullmatch(day):
            raise _RefusedError(text("A report covers one evening: choose it from the list."))
        found = await self._ask_rounds(request, "report", f"{day} {current_language()}")
        name, kind = str(found["name"]), str(found["type"])
        if not FILE.fullmatch(name) or kind not in TYPES:
            raise _RefusedError(SILENT)
        headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
        return Response(found["body"], media_type=kind, headers=headers)

    # -- names --------------------------------------------------------------------------------------------------

    async def names(self, request: Request, refusal: str = "") -> Response:
        """All players, and the names that the box offers first."""
        found = await self._ask_rounds(request, "names")
        news = self._table.news.get(phone_of(request), "")
        return self._page("names.html", refusal=refusal, news=news, favourites=self._table.favourites, **found)

    async def rename(self, request: Request) -> Response:
        """Rename or merge players, or change which names the box offers first.

        A merge cannot be undone, so it is asked about first.
        """
        form = await request.form()
        what = str(form.get("what", ""))
        old, new = (str(form.get(key, ""))[:LONGEST_VALUE].strip(" ") for key in ("name", "new"))
        if what not in ("rename", "merge", "favour", "unfavour"):
            return await self.names(request, text("This is not possible here."))
        if what == "merge" and old == new:
            return await self.names(request, text("Choose two different names."))
        if what == "merge" and form.get("sure") != "yes":
            return self._page("merge.html", old=old, new=new)
        whom = f"{old},{new}" if what in ("rename", "merge") else old
        answer = await self._table.ask(phone_of(request), what, whom)
        if answer.get("refusal"):
            return await self.names(request, answer["refusal"])
        return RedirectResponse("/host/names", 303)

    # -- the score pad ------------------------------------------------------------------------------------------

    async def pad(self, request: Request, refusal: str = "", seat: str = "", points: str = "") -> Response:
        """The score pad at the table, with a form for points.

        `seat` and `points` are an input that was refused; the form shows it again.
        """
        sheet = (self._table.public or {}).get("sheet")
        shown = Markup(self._render("host_sheet.html", sheet=sheet))
        return self._page("pad.html", sheet=sheet, shown=shown, refusal=refusal, seat=seat, points=points[:8])

    async def points(self, request: Request) -> Response:
        """Enter points for one player of the score pad."""
        form = await request.form()
        seat, points = str(form.get("seat", "")), str(form.get("points", "")).strip().replace("−", "-")
        if not (seat.isdecimal() and len(seat) == 1 and POINTS.fullmatch(points)):
            return await self.pad(request, text("Enter the points as a whole number, such as 12 or -5."), seat, points)
        sheet = (self._table.public or {}).get("sheet")
        if sheet and form.get("names") != ", ".join(sheet["names"]):  # The page's seats may be other players' now.
            return await self.pad(
                request, text("Other players are on the score pad now. Whose points are these?"), points=points
            )
        answer = await self._table.ask(phone_of(request), "points", f"{seat} {int(points):+d}")
        if answer.get("refusal"):
            return await self.pad(request, answer["refusal"], seat, points)
        return RedirectResponse("/host/pad", 303)
