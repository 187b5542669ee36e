"""A tournament on paper and in files: cross-table, pairings for the wall, CSV, JSON, TRF."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from companion.hall.tournament import exports, trf
from companion.hall.tournament.views import by_table, described, table_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from companion.hall.tournament.model import Event
    from companion.hall.tournament.views import Views


class PaperPages:
    """What anybody may print or save of the tournaments; `render` fills a template."""

    def __init__(self, views: Views, render: Callable[..., str]) -> None:
        self._views = views
        self._render = render

    @property
    def routes(self) -> list[Route]:
        """The addresses of these pages, and what answers there."""
        one = "/tournaments/{id:int}"
        return [
            Route(f"{one}/table", self.table),
            Route(f"{one}/round", self.round),
            Route(f"{one}/table.csv", self.csv),
            Route(f"{one}/tournament.json", self.json),
            Route(f"{one}/tournament.trf", self.trf),
        ]

    async def table(self, request: Request) -> Response:
        """The cross-table, to be printed."""
        event = self._event(request)
        if event is None:
            return PlainTextResponse("There is no such tournament.\n", 404)
        columns = event.tournament.rounds if event.tournament.swiss else len(event.tournament.players)
        return self._page("cross_table.html", event=event, columns=columns, **table_words(event))

    async def round(self, request: Request) -> Response:
        """The pairings of the newest round, by table and by player, to be printed and put on the wall."""
        event = self._event(request)
        if event is None:
            return PlainTextResponse("There is no such tournament.\n", 404)
        rows = by_table(event)
        seats = sorted((event.name_of(number), row) for row in rows for number in row.game[2:4] if number)
        return self._page("round.html", event=event, rows=rows, seats=seats)

    async def csv(self, request: Request) -> Response:
        """The cross-table for a spreadsheet."""
        return self._file(request, exports.as_csv, "text/csv", "csv")

    async def json(self, request: Request) -> Response:
        """Everything for programs."""
        return self._file(request, exports.as_json, "application/json", "json")

    async def trf(self, request: Request) -> Response:
        """Everything for programs of chess federations."""
        return self._file(request, trf.as_trf, "text/plain", "trf")

    def _file(self, request: Request, written: Callable[[Event], str], kind: str, ending: str) -> Response:
        event = self._event(request)
        if event is None:
            return PlainTextResponse("There is no such tournament.\n", 404)
        headers = {
            "content-disposition": f'attachment; filename="tournament-{event.id}.{ending}"',
            "cache-control": "no-store",
        }
        return Response(written(event), media_type=kind, headers=headers)

    def _event(self, request: Request) -> Event | None:
        return self._views.event(request.path_params["id"])

    def _page(self, name: str, **words: Any) -> Response:
        return HTMLResponse(self._render(name, described=described, **words), headers={"cache-control": "no-store"})
