"""A tournament on paper and in files: cross-table, pairings for the wall, CSV, JSON, TRF."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.routing import Route

from companion.hall.tournament.pages import exports, trf
from companion.hall.tournament.pages.views import by_table, page, table_words
from companion.languages import speaking
from companion.languages.catalogues import ENGLISH

if TYPE_CHECKING:
    from starlette.requests import Request

    from companion.hall.tournament.pages.views import Views

FILES = {
    "table.csv": (exports.as_csv, "text/csv"),
    "tournament.json": (exports.as_json, "application/json"),
    "tournament.trf": (trf.as_trf, "text/plain"),
}
"""The end of an address: what writes the file, and its media type."""


def routes(views: Views) -> list[Route]:
    """What anybody may print or save of the tournaments: the addresses, and what answers there."""

    async def table(request: Request) -> Response:
        """The cross-table, to be printed."""
        event = views.asked_for(request)
        columns = event.tournament.rounds if event.tournament.swiss else len(event.tournament.players)
        return page("cross_table.html", event=event, columns=columns, **table_words(event))

    async def round_(request: Request) -> Response:
        """The pairings of the newest round, by table and by player, to be printed and put on the wall."""
        event = views.asked_for(request)
        rows = by_table(event)
        seats = sorted((event.name_of(number), row) for row in rows for number in row.game[2:4] if number)
        return page("round.html", event=event, rows=rows, seats=seats)

    async def file(request: Request) -> Response:
        """A file for a spreadsheet, for programs, or for programs of chess federations: in English, whoever asks."""
        event, name = views.asked_for(request), request.url.path.rpartition("/")[2]
        write, kind = FILES[name]
        saved_as = f'attachment; filename="tournament-{event.id}.{name.rpartition(".")[2]}"'
        headers = {"content-disposition": saved_as, "cache-control": "no-store"}
        with speaking(ENGLISH):
            return Response(write(event), media_type=kind, headers=headers)

    one = "/tournaments/{id:int}"
    pages = [Route(f"{one}/table", table), Route(f"{one}/round", round_)]
    return [*pages, *(Route(f"{one}/{name}", file) for name in FILES)]
