"""The tournaments' pages: anybody may see, print and save a tournament; the organiser's browser may change it.

Hundreds of phones may look at one tournament. What the pages show is therefore rendered only when something has
changed, once for all who look.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

from anyio import BrokenWorkerProcess, to_process
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.club import exports
from companion.club import tournament_changes as changes
from companion.club.database import HallError
from companion.club.desk import candidates, free_places
from companion.club.next_round import NoPairingError, next_round, safe_rounds
from companion.club.tie_breaks import TIES, ties_of
from companion.club.tournament import PairingOutcome, TournamentError
from companion.club.web.forms import LARGEST_UPLOAD, NOTHING, Sent, change, choices, create, field, hand_pairs
from companion.club.web.player_lists import ListNotConfirmedError, with_file
from companion.club.web.rendering import described, natural, page, rendered, sentence
from companion.languages import in_language, current_catalogue, text
from companion.languages.catalogues import ENGLISH
from companion.web.streams import VersionedCache

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.datastructures import FormData
    from starlette.requests import Request

    from companion.club.desk import Candidate
    from companion.club.tournament import Event, Row
    from companion.club.tournament_store import TournamentStore
    from companion.club.web.forms import OrganiserLogin

PASSWORD_FIRST = "Enter the organiser's password first."
FILES = {
    "table.csv": (exports.as_csv, "text/csv"),
    "tournament.json": (exports.as_json, "application/json"),
    "tournament.trf": (exports.as_trf, "text/plain"),
}
"""The end of an address: the function that writes the file, and its media type."""
SLIDE = 20
"""How many boards or players one picture on the television shows."""
SHOWN = 2
"""How many tournaments the television shows, the newest."""


class Views:
    """The changing parts of the tournaments' pages, and of the television's.

    Args:
        tournaments: their store, opened only to read.
        connected_tables: returns the names of the connected tables, the free ones first.
    """

    def __init__(self, tournaments: TournamentStore, places: Callable[[], Sequence[str]]) -> None:
        self.tournaments = tournaments
        self._places = places
        self._parts = VersionedCache[dict[str, str]]()  # by tournament, whether for the organiser, and language
        self._rows = VersionedCache[str]()  # by the same and by board
        self._slides = VersionedCache[str]()  # by language
        self._events = VersionedCache[list["Event"]]()

    def all(self) -> list[Event]:
        """Every tournament, the newest first; read again when something has changed."""
        return self._events.get_or_make("all", self.tournaments.version, self.tournaments.all)

    def asked_for(self, request: Request) -> Event:
        """The tournament whose number is in a request's path. Raises HTTPException 404."""
        event = self._event(request.path_params["id"])
        if event is None:
            raise HTTPException(404)
        return event

    def _event(self, id_: int) -> Event | None:
        return next((event for event in self.all() if event.id == id_), None)

    def parts(self, id_: int, *, organiser: bool) -> dict[str, str]:
        """The parts of a tournament's page by the names of their events; none where the tournament was deleted."""
        key = id_, organiser, current_catalogue()
        return self._parts.get_or_make(key, self.tournaments.version, lambda: self._draw_parts(id_, organiser=organiser))

    def _draw_parts(self, id_: int, *, organiser: bool) -> dict[str, str]:
        event = self._event(id_)
        if event is None:
            return {}
        found = self.candidates(event, organiser=organiser)
        html = {
            "about": rendered("about.html", event=event, described=described, last=event.tournament.rounds),
            "standings": rendered("standings.html", event=event, **table_words(event)),
        }
        if organiser:
            html["actions"] = self._actions(event)
        for row in of_round(event, event.tournament.round):
            # A pairing's part changes only with the pairing, because an organiser may have its form open.
            shown = row, event.pair(row.game), found.get(row.id)
            draw = partial(self.row, event, row, found, organiser=organiser)
            html[f"row-{row.id}"] = self._rows.get_or_make((id_, organiser, current_catalogue(), row.game.board), shown, draw)
        return html

    def candidates(self, event: Event, *, organiser: bool) -> dict[int, list[Candidate]]:
        """For the organiser: rounds that may be the results of pairings, by the ids of the pairings."""
        return candidates(self.tournaments, event) if organiser else {}

    def row(self, event: Event, row: Row, found: dict[int, list[Candidate]], *, organiser: bool) -> str:
        """A pairing as HTML, for the organiser with what can be changed."""
        return rendered(
            "board.html", event=event, row=row, organiser=organiser, outcomes=list(PairingOutcome),
            places=self._places(), candidates=found.get(row.id, ()),
        )  # fmt: skip

    def _actions(self, event: Event) -> str:
        """What the organiser can do next, as HTML; this depends on the results."""
        tournament = event.tournament
        decided = any(row.game.played for row in of_round(event, tournament.round))
        running = tournament.over < tournament.round
        by_hand = tournament.round if running and not decided else 0
        if not running and tournament.round < tournament.rounds:
            by_hand = tournament.round + 1
        count = sum(player.here for player in tournament.players)
        return rendered(
            "actions.html", event=event, decided=decided, count=count, safe=safe_rounds(count),
            by_hand=by_hand * (tournament.swiss and len(tournament.players) > 1),
        )  # fmt: skip

    def stream(self, id_: int, *, organiser: bool) -> Callable[[], dict[str, str]]:
        """Return a function that renders the parts of a tournament's page.

        The list of boards is sent again only when the boards are other ones.
        """
        boards, clock = VersionedCache[str](), self.clocks(id_)

        def parts() -> dict[str, str]:
            html = self.parts(id_, organiser=organiser)
            if not html:
                return {}
            rows = [name for name in html if name.startswith("row-")]
            return {"boards": boards.get_or_make("", rows, lambda: self.boards(id_, html)), "clock": clock(), **html}

        return parts

    def clocks(self, id_: int = 0) -> Callable[[], str]:
        """Return a function that renders the running clocks of one tournament, or (0) of those on the television.

        Each page is sent once how much is left, and again when a clock is started or stopped. In between the clock runs
        in the browser.
        """
        drawn = VersionedCache[str]()

        def clock() -> str:
            running = [
                (each.name if not id_ else "", each.tournament.round, each.minutes, each.clock)
                for each in ([each for each in self.all() if each.id == id_] if id_ else self._events_shown())
                if each.clock
            ]
            return drawn.get_or_make("", running, lambda: rendered("clock.html", running=running, now=time.time()))

        return clock

    def boards(self, id_: int, html: dict[str, str]) -> str:
        """The boards of the newest round as HTML, each in an element of its own."""
        rows = {name: Markup(said) for name, said in html.items() if name.startswith("row-")}
        return rendered("boards.html", event=self._event(id_), rows=rows)

    def slides(self) -> str:
        """The television's pictures of tournaments: the boards of the newest round by table, and the standings."""
        return self._slides.get_or_make(
            current_catalogue(), self.tournaments.version, lambda: "".join(map(self._slides_of, reversed(self._events_shown())))
        )

    def _events_shown(self) -> list[Event]:
        return [each for each in self.all() if each.rows and not each.archived][:SHOWN]

    def _slides_of(self, event: Event) -> str:
        words = table_words(event)
        return rendered(
            "slides.html", event=event, boards=_chunks(by_table(event)), last=event.tournament.rounds,
            standings=_chunks(words["lines"]), **words,
        )  # fmt: skip


def _chunks(every: Sequence[Any]) -> list[Sequence[Any]]:
    return [every[n : n + SLIDE] for n in range(0, len(every), SLIDE)]


def of_round(event: Event, number: int) -> list[Row]:
    """The pairings of a round by their boards, byes last."""
    return [row for row in event.rows if row.game.round == number]


def by_table(event: Event) -> list[Row]:
    """The pairings of the newest round by their tables, those without one last."""
    return sorted(of_round(event, event.tournament.round), key=lambda row: (not row.place, natural(row.place)))


def table_words(event: Event) -> dict[str, Any]:
    """The values that the templates of standings need."""
    return {"lines": exports.cross_table(event), "ties": [TIES[key] for key in ties_of(event.tournament)]}


class TournamentPages:
    """The pages of all tournaments.

    Args:
        tournaments: their store; another connection than that of `views`, so that no page waits for a change.
        views: what the pages show of tournaments.
        login: knows the organiser's browsers.
        connected_tables: returns the names of the connected tables, the free ones first.
        stream_response: answers a request with a stream of the parts that a function renders.
        on_change: called after each change, in a thread.
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
        one = "/tournaments/{id:int}"
        return [
            Route("/tournaments", self.list),
            Route("/tournaments", self.create, methods=["POST"]),
            Route("/tournaments/door", self.list),  # For a reload after a wrong password.
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
        """The page of all tournaments; a form that was `sent` and refused is filled in again."""
        return page(
            "tournaments.html", status, events=self._views.all(), organiser=self._login.knows(request),
            games=choices(), most=changes.MOST_ROUNDS, **{"sent": NOTHING} | words,
        )  # fmt: skip

    async def door(self, request: Request) -> Response:
        """Check the organiser's password, and let the browser in."""
        address = request.client.host if request.client is not None else ""
        refusal, status = self._login.refusal(field(await request.form(), "password"), address)
        if refusal:
            return await self.list(request, status, refusal=refusal)
        response = RedirectResponse("/tournaments", 303)
        self._login.keep(response)
        return response

    async def create(self, request: Request) -> Response:
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
        """The page of a tournament; `values` say why a form that was `sent` was refused, and fill it in again."""
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
        event = self._views.asked_for(request)
        return self._stream(request, self._views.stream(event.id, organiser=self._login.knows(request)))

    async def change(self, request: Request) -> Response:
        """Apply a form of the organiser's; its field `what` says which."""
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
        """Pair the next round in a process of its own, so that every other page is served meanwhile.

        Raises TournamentError, ClubDatabaseError.
        """
        event = self._tournaments.event(id_)
        changes.check_next_round(event.tournament)
        try:
            made = await to_process.run_sync(_paired, event.tournament, again)
        except BrokenWorkerProcess:
            raise TournamentError(text("the pairing was interrupted: press the button again")) from None
        free = free_places(self._tournaments.in_use(), self._places())
        await run_in_threadpool(self._tournaments.change, id_, changes.add_round, event.tournament, made, free)

    async def hand(self, request: Request) -> Response:
        """The form in which the organiser pairs a round by hand."""
        if not self._login.knows(request):
            return await self.one(request, 403, refusal=text(PASSWORD_FIRST))
        return await self._show_hand(request)

    async def _show_hand(self, request: Request, status: int = 200, sent: FormData = NOTHING, **words: Any) -> Response:
        """The form for pairing a round by hand.

        The form is filled in as it was sent, else as the round is paired, else it is empty.
        """
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
        """The cross-table on a page of its own, to be printed."""
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
        """A file for a spreadsheet or for other programs, always in English."""
        event, name = self._views.asked_for(request), request.url.path.rpartition("/")[2]
        write, kind = FILES[name]
        saved_as = f'attachment; filename="tournament-{event.id}.{name.rpartition(".")[2]}"'
        headers = {"content-disposition": saved_as, "cache-control": "no-store"}
        with in_language(ENGLISH):
            return Response(write(event), media_type=kind, headers=headers)


def _refused(error: Exception, form: FormData) -> dict[str, Any]:
    """The values with which a page shows why a form was refused.

    `stuck` is true if no pairing was left, and `reading` is a list of players that has to be confirmed.
    """
    reading = error if isinstance(error, ListNotConfirmedError) else None
    return {
        "refusal": sentence(error.args[0]), "sent": form, "stuck": isinstance(error, NoPairingError), "reading": reading
    }  # fmt: skip


def _paired(tournament: Any, again: bool) -> Any:
    return next_round(tournament, again=again)
