"""The tournaments' pages: anybody may see, print and save a tournament; the organiser's browser may change it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anyio import BrokenWorkerProcess, to_process
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.hall import exports
from companion.hall import tournament_changes as changes
from companion.hall.database import HallError
from companion.hall.desk import free_places
from companion.hall.next_round import NoPairing, next_round
from companion.hall.tie_breaks import TIES, ties_of
from companion.hall.tournament import TournamentError
from companion.hall.web.app import LARGEST_UPLOAD
from companion.hall.web.forms import NOTHING, Sent, change, choices, create, field, hand_pairs
from companion.hall.web.player_lists import ListNotConfirmedError, with_file
from companion.hall.web.rendering import page, sentence
from companion.hall.web.tournament_views import by_table, of_round, table_words
from companion.languages import speaking, text
from companion.languages.catalogues import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.datastructures import FormData
    from starlette.requests import Request

    from companion.hall.tournament_store import TournamentStore
    from companion.hall.web.app import OrganiserLogin
    from companion.hall.web.tournament_views import Views

PASSWORD_FIRST = "Say the organiser's password first."
FILES = {
    "table.csv": (exports.as_csv, "text/csv"),
    "tournament.json": (exports.as_json, "application/json"),
    "tournament.trf": (exports.as_trf, "text/plain"),
}
"""The end of an address: what writes the file, and its media type."""


class TournamentPages:
    """The pages of all tournaments.

    Args:
        tournaments: their store; another connection than that of `views`, so that no page waits for a change.
        views: what is shown of them.
        login: knows the organiser's browsers.
        places: the names of the tables that are here, the free ones first.
        stream: answers a request with a stream of what a function returns.
        changed: is called after each change, in a thread.
    """

    def __init__(
        self,
        tournaments: TournamentStore,
        views: Views,
        login: OrganiserLogin,
        places: Callable[[], Sequence[str]],
        *,
        stream: Callable[[Request, Callable[[], dict[str, str]]], Response],
        changed: Callable[[], object] = lambda: None,
    ) -> None:
        self._tournaments = tournaments
        self._views = views
        self._login = login
        self._places = places
        self._stream = stream
        self._changed = changed

    @property
    def routes(self) -> list[Route]:
        """The addresses of these pages, and what answers there."""
        one = "/tournaments/{id:int}"
        return [
            Route("/tournaments", self.list),
            Route("/tournaments", self.create, methods=["POST"]),
            Route("/tournaments/door", self.list),  # Where a wrong password leads, once the page is asked for again.
            Route("/tournaments/door", self.door, methods=["POST"]),
            Route(one, self.one),
            Route(one, self.change, methods=["POST"]),
            Route(f"{one}/events", self.events),
            Route(f"{one}/hand", self.hand),
            Route(f"{one}/table", self.table),
            Route(f"{one}/round", self.round),
            *(Route(f"{one}/{name}", self.file) for name in FILES),
        ]

    # -- all tournaments ------------------------------------------------------------------------------------------

    async def list(self, request: Request, status: int = 200, **words: Any) -> Response:
        """The page of all tournaments; what was `sent` and refused is in its form again."""
        return page(
            "tournaments.html", status, events=self._views.all(), organiser=self._login.knows(request),
            games=choices(), most=changes.MOST_ROUNDS, **{"sent": NOTHING} | words,
        )  # fmt: skip

    async def door(self, request: Request) -> Response:
        """The organiser's password."""
        address = request.client.host if request.client is not None else ""
        refusal, status = self._login.refusal(field(await request.form(), "password"), address)
        if refusal:
            return await self.list(request, status, refusal=refusal)
        response = RedirectResponse("/tournaments", 303)
        self._login.keep(response)
        return response

    async def create(self, request: Request) -> Response:
        """A new tournament."""
        if not self._login.knows(request):
            return await self.list(request, 403, refusal=text(PASSWORD_FIRST))
        form = await request.form(max_part_size=LARGEST_UPLOAD)
        try:
            form = await with_file(form)
            id_ = await run_in_threadpool(create, self._tournaments, form)
        except (TournamentError, HallError) as error:
            return await self.list(request, 400, **_refused(error, form))
        await run_in_threadpool(self._changed)
        return RedirectResponse(f"/tournaments/{id_}", 303)

    # -- one tournament -------------------------------------------------------------------------------------------

    async def one(self, request: Request, status: int = 200, **words: Any) -> Response:
        """The page of a tournament; `words` say why what was `sent` was refused, and go into its form again."""
        event = self._views.asked_for(request)
        organiser = self._login.knows(request)
        parts = self._views.stream(event.id, organiser=organiser)()
        found = self._views.candidates(event, organiser=organiser)
        before = [
            (
                number,
                [Markup(self._views.row(event, row, found, organiser=organiser)) for row in of_round(event, number)],
            )
            for number in range(event.tournament.round - 1, 0, -1)
        ]
        return page(
            "tournament.html", status, event=event, parts={key: Markup(said) for key, said in parts.items()},
            before=before, organiser=organiser, trail=self._tournaments.trail(event.id), last=event.tournament.rounds,
            ties=TIES, chosen=ties_of(event.tournament), **{"sent": NOTHING} | words,
        )  # fmt: skip

    async def events(self, request: Request) -> Response:
        """The stream of a tournament's page."""
        event = self._views.asked_for(request)
        return self._stream(request, self._views.stream(event.id, organiser=self._login.knows(request)))

    async def change(self, request: Request) -> Response:
        """Whatever the organiser changes; `what` says which."""
        if not self._login.knows(request):
            return await self.one(request, 403, refusal=text(PASSWORD_FIRST))
        form = await request.form(max_part_size=LARGEST_UPLOAD)
        id_, what = request.path_params["id"], field(form, "what")
        try:
            form = await with_file(form)
            match what:
                case "pair":
                    await self._pair(id_, again=bool(field(form, "again")))
                case "delete":
                    await run_in_threadpool(self._tournaments.delete, id_)
                case _:
                    sent = Sent(self._tournaments, form, self._places())
                    await run_in_threadpool(self._tournaments.change, id_, change, sent)
        except (TournamentError, HallError) as error:
            show = self._show_hand if what == "hand" else self.one
            return await show(request, 400, **_refused(error, form))
        await run_in_threadpool(self._changed)
        return RedirectResponse("/tournaments" if what == "delete" else f"/tournaments/{id_}", 303)

    async def _pair(self, id_: int, *, again: bool) -> None:
        """Pair the next round, in a process of its own: every other page is served meanwhile.

        Raises TournamentError, HallError.
        """
        event = self._tournaments.event(id_)
        changes.check_next_round(event.tournament)
        try:
            made = await to_process.run_sync(_paired, event.tournament, again)
        except BrokenWorkerProcess:
            raise TournamentError(text("the pairing was broken off: press the button once more")) from None
        free = free_places(self._tournaments.in_use(), self._places())
        await run_in_threadpool(self._tournaments.change, id_, changes.add_round, event.tournament, made, free)

    async def hand(self, request: Request) -> Response:
        """The form in which the organiser pairs a round by hand."""
        if not self._login.knows(request):
            return await self.one(request, 403, refusal=text(PASSWORD_FIRST))
        return await self._show_hand(request)

    async def _show_hand(self, request: Request, status: int = 200, sent: FormData = NOTHING, **words: Any) -> Response:
        """The form of a round to be paired by hand: as it was sent, else as the round is paired, else empty."""
        event = self._views.asked_for(request)
        tournament = event.tournament
        running = tournament.over < tournament.round
        games = [row.game for row in of_round(event, tournament.round)] if running else []
        out = {game.first for game in games if not game.second and game.outcome}  # for half a point
        here = [each for each in tournament.players if each.here and not each.half_bye and each.number not in out]
        pairs = hand_pairs(sent) or [(game.first, game.second) for game in games if game.second or not game.outcome]
        pairs += [(0, 0)] * ((len(here) + 1) // 2 - len(pairs))
        number = tournament.round if running else tournament.round + 1
        return page("hand.html", status, event=event, pairs=pairs, here=here, number=number, sent=sent, **words)

    # -- on paper and in files --------------------------------------------------------------------------------------

    async def table(self, request: Request) -> Response:
        """The cross-table, to be printed."""
        event = self._views.asked_for(request)
        columns = event.tournament.rounds if event.tournament.swiss else len(event.tournament.players)
        return page("cross_table.html", event=event, columns=columns, **table_words(event))

    async def round(self, request: Request) -> Response:
        """The pairings of the newest round, by table and by player, to be printed and put on the wall."""
        event = self._views.asked_for(request)
        rows = by_table(event)
        seats = sorted((event.name_of(number), row) for row in rows for number in row.game[2:4] if number)
        return page("round.html", event=event, rows=rows, seats=seats)

    async def file(self, request: Request) -> Response:
        """A file for a spreadsheet, for programs, or for programs of chess federations: in English, whoever asks."""
        event, name = self._views.asked_for(request), request.url.path.rpartition("/")[2]
        write, kind = FILES[name]
        saved_as = f'attachment; filename="tournament-{event.id}.{name.rpartition(".")[2]}"'
        headers = {"content-disposition": saved_as, "cache-control": "no-store"}
        with speaking(ENGLISH):
            return Response(write(event), media_type=kind, headers=headers)


def _refused(error: Exception, form: FormData) -> dict[str, Any]:
    """What a page needs to show why a form was refused: `stuck` if no pairing was left, `reading` a list to confirm."""
    reading = error if isinstance(error, ListNotConfirmedError) else None
    return {
        "refusal": sentence(error.args[0]), "sent": form, "stuck": isinstance(error, NoPairing), "reading": reading
    }  # fmt: skip


def _paired(tournament: Any, again: bool) -> Any:
    return next_round(tournament, again=again)
