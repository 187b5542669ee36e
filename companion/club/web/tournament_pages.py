"""The tournaments' pages: anybody may see, print and save a tournament; the organiser's browser may change it.

Hundreds of phones may look at one tournament. What the pages show is therefore rendered only when something has
changed, once for all who look.
"""

from __future__ import annotations

import time
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

from anyio import BrokenWorkerProcess, to_process
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.club import tournament_changes as changes
from companion.club import tournament_exports
from companion.club.club_database import ClubDatabaseError
from companion.club.next_round import NoPairingError, make_next_round, surely_pairable_rounds
from companion.club.tie_breaks import TIE_BREAKS, tie_break_keys, virtual_opponent_points
from companion.club.tournament import PairingOutcome, TournamentError
from companion.club.tournament_director import free_tables, result_candidates
from companion.club.web.forms import (
    EMPTY_FORM,
    MAX_UPLOAD_BYTES,
    ChangeForm,
    apply_form,
    create_tournament,
    form_field,
    pairs_in_form,
    tournament_game_choices,
)
from companion.club.web.player_lists import ListNotConfirmedError, form_with_file
from companion.club.web.rendering import (
    as_sentence,
    bye_text,
    natural_key,
    page_response,
    render_template,
)
from companion.languages import current_catalogue, in_language, text
from companion.languages.catalogues import ENGLISH
from companion.web.streams import VersionedCache

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.datastructures import FormData
    from starlette.requests import Request

    from companion.club.tournament import Pairing, PairingRow, StoredTournament
    from companion.club.tournament_director import Candidate
    from companion.club.tournament_exports import CrossTableRow
    from companion.club.tournament_store import TournamentStore
    from companion.club.web.forms import OrganiserLogin

PASSWORD_NEEDED = "Enter the organiser's password first."
EXPORT_FILES = {
    "table.csv": (tournament_exports.tournament_csv, "text/csv"),
    "tournament.json": (tournament_exports.tournament_json, "application/json"),
    "tournament.trf": (tournament_exports.tournament_trf, "text/plain"),
}
"""The end of an address: the function that writes the file, and its media type."""
ROWS_PER_SLIDE = 20
"""How many boards or players one picture on the television shows."""
MAX_SIDE_ROWS = 12
"""How many rows the standings beside the tables on the television have, for all tournaments together."""
MAX_SHOWN_TOURNAMENTS = 2
"""How many tournaments the television shows, the newest."""


class TournamentViews:
    """The changing parts of the tournaments' pages, and of the television's.

    Args:
        tournaments: their store, opened only to read.
        connected_tables: returns the names of the connected tables, the free ones first.
    """

    def __init__(self, tournaments: TournamentStore, connected_tables: Callable[[], Sequence[str]]) -> None:
        self.tournaments = tournaments
        self._connected_tables = connected_tables
        self._parts = VersionedCache[dict[str, str]]()  # by tournament, whether for the organiser, and language
        self._pairings = VersionedCache[str]()  # by the same and by board
        self._television_parts = VersionedCache[dict[str, str]]()  # by language
        self._events = VersionedCache[list["StoredTournament"]]()

    def all_events(self) -> list[StoredTournament]:
        """Every tournament, the newest first; read again when something has changed."""
        return self._events.get_or_make("all", self.tournaments.change_version, self.tournaments.all_events)

    def requested_event(self, request: Request) -> StoredTournament:
        """The tournament whose number is in a request's path. Raises HTTPException 404."""
        event = self._find_event(request.path_params["id"])
        if event is None:
            raise HTTPException(404)
        return event

    def _find_event(self, id_: int) -> StoredTournament | None:
        return next((event for event in self.all_events() if event.id == id_), None)

    def page_parts(self, id_: int, *, for_organiser: bool) -> dict[str, str]:
        """The parts of a tournament's page by the names of their events; none where the tournament was deleted."""
        key = id_, for_organiser, current_catalogue()
        version = self.tournaments.change_version, frozenset(self._connected_tables())
        return self._parts.get_or_make(key, version, lambda: self._render_parts(id_, for_organiser=for_organiser))

    def _render_parts(self, id_: int, *, for_organiser: bool) -> dict[str, str]:
        event = self._find_event(id_)
        if event is None:
            return {}
        candidates_by_row = self.result_candidates(event, for_organiser=for_organiser)
        rows = pairings_of_round(event, event.tournament.round)
        paired = [row for row in rows if row.game.second]
        html = {
            "about": render_template("about.html", event=event),
            "progress": render_template(
                "progress.html", event=event, paired=len(paired), decided=sum(not row.game.is_open for row in paired)
            ),
            "standings": render_template("standings.html", event=event, **standings_values(event)),
        }
        if for_organiser:
            html["actions"] = self._render_actions(event)
        connected, is_over = self._connected_tables(), event.tournament.finished_round == event.tournament.round
        # What needs the organiser comes first, then open pairings, then the others, and byes.
        for row in sorted(
            rows, key=lambda row: (row.id not in candidates_by_row, not row.game.is_open, not row.game.second)
        ):
            # A pairing's part changes only with the pairing, because an organiser may have its form open.
            names, candidates = event.names_of_pairing(row.game), candidates_by_row.get(row.id)
            version = row, names, candidates, row.table in connected, not row.game.second and is_over
            draw = partial(self.render_pairing, event, row, candidates_by_row, for_organiser=for_organiser)
            html[f"row-{row.id}"] = self._pairings.get_or_make(
                (id_, for_organiser, current_catalogue(), row.game.board), version, draw
            )
        return html

    def result_candidates(self, event: StoredTournament, *, for_organiser: bool) -> dict[int, list[Candidate]]:
        """For the organiser: rounds that may be the results of pairings, by the ids of the pairings."""
        return result_candidates(self.tournaments, event) if for_organiser else {}

    def render_pairing(
        self,
        event: StoredTournament,
        row: PairingRow,
        candidates_by_row: dict[int, list[Candidate]],
        *,
        for_organiser: bool,
    ) -> str:
        """A pairing as HTML, for the organiser with what can be changed."""
        return render_template(
            "pairing.html", event=event, row=row, organiser=for_organiser, outcomes=list(PairingOutcome),
            places=self._connected_tables(), candidates=candidates_by_row.get(row.id, ()),
        )  # fmt: skip

    def _render_actions(self, event: StoredTournament) -> str:
        """What the organiser can do next, as HTML; this depends on the results."""
        tournament = event.tournament
        has_results = any(row.game.is_played for row in pairings_of_round(event, tournament.round))
        is_running = tournament.finished_round < tournament.round
        by_hand = tournament.round if is_running and not has_results else 0
        if not is_running and tournament.round < tournament.rounds:
            by_hand = tournament.round + 1
        present_count = sum(player.is_present for player in tournament.players)
        return render_template(
            "actions.html", event=event, decided=has_results, count=present_count,
            safe=surely_pairable_rounds(present_count),
            by_hand=by_hand * (tournament.is_swiss and len(tournament.players) > 1),
        )  # fmt: skip

    def page_view(self, id_: int, *, for_organiser: bool) -> Callable[[], dict[str, str]]:
        """Return a function that renders the parts of a tournament's page.

        It renders the list of pairings again only when other pairings are in it: cards must not move under a finger.
        """
        boards, clock = VersionedCache[str](), self.clock_renderer(id_)

        def render_parts() -> dict[str, str]:
            html = self.page_parts(id_, for_organiser=for_organiser)
            if not html:
                return {}
            rows = {name: part for name, part in html.items() if name.startswith("row-")}
            return {
                "boards": boards.get_or_make("", sorted(rows), lambda: render_template("pairings.html", rows=rows)),
                "clock": clock(),
                **html,
            }

        return render_parts

    def clock_renderer(self, id_: int = 0) -> Callable[[], str]:
        """Return a function that renders the running clocks of one tournament, or (0) of those on the television.

        Each page is sent once how much is left, and again when a clock is started or stopped. In between the clock runs
        in the browser.
        """
        rendered_clocks = VersionedCache[str]()

        def render_clocks() -> str:
            events = [each for each in self.all_events() if each.id == id_] if id_ else self._shown_events()
            running = [
                (each.name if len(events) > 1 else "", each.tournament.round, each.round_minutes, each.clock_started_at)
                for each in events
                if each.clock_started_at
            ]
            heading = "" if id_ else _television_heading(events)
            return rendered_clocks.get_or_make(
                "",
                (running, heading),
                lambda: render_template("clock.html", running=running, now=time.time(), heading=heading),
            )

        return render_clocks

    def television_parts(self) -> dict[str, str]:
        """The television's parts about tournaments.

        They are the pictures with the pairings by table and with the standings, the standings beside the tables, and
        who has a bye. All are "" while no tournament is shown.
        """
        return self._television_parts.get_or_make(
            current_catalogue(), self.tournaments.change_version, self._render_television_parts
        )

    def _render_television_parts(self) -> dict[str, str]:
        ranks = [(each, tournament_exports.cross_table(each)) for each in self._shown_events()]
        byes = [
            bye_text(event, row.game)
            for event, _ in ranks
            for row in pairings_of_round(event, event.tournament.round)
            if not row.game.second
        ]
        return {
            "slides": "".join(_render_slides(event, lines) for event, lines in reversed(ranks)),
            "lists": render_template("ranks.html", ranks=ranks, rows=MAX_SIDE_ROWS // len(ranks)) if ranks else "",
            "foot": escape(" · ".join(byes)),
        }

    def _shown_events(self) -> list[StoredTournament]:
        return [each for each in self.all_events() if each.rows and not each.is_archived][:MAX_SHOWN_TOURNAMENTS]


def _television_heading(events: Sequence[StoredTournament]) -> str:
    """What the television shows above the tables: the only tournament and its round, or that it is a club night."""
    if len(events) != 1:
        return text("Club night")
    tournament = events[0].tournament
    return text(
        "{event}, round {round} of {last}", event=events[0].name, round=tournament.round, last=tournament.rounds
    )


def _render_slides(event: StoredTournament, lines: Sequence[CrossTableRow]) -> str:
    """The television's pictures of a tournament: its pairings by table, and its standings."""
    boards = _slide_chunks(pairings_by_table(event))
    return render_template("slides.html", event=event, boards=boards, standings=_slide_chunks(lines))


def _slide_chunks(rows: Sequence[Any]) -> list[Sequence[Any]]:
    return [rows[n : n + ROWS_PER_SLIDE] for n in range(0, len(rows), ROWS_PER_SLIDE)]


def pairings_of_round(event: StoredTournament, number: int) -> list[PairingRow]:
    """The pairings of a round by their boards, byes last."""
    return [row for row in event.rows if row.game.round == number]


def pairings_by_table(event: StoredTournament) -> list[PairingRow]:
    """The pairings of the newest round by their tables, those without one last."""
    return sorted(
        pairings_of_round(event, event.tournament.round), key=lambda row: (not row.table, natural_key(row.table))
    )


def standings_values(event: StoredTournament) -> dict[str, Any]:
    """The values that the templates of standings need."""
    return {
        "lines": tournament_exports.cross_table(event),
        "ties": [TIE_BREAKS[key] for key in tie_break_keys(event.tournament)],
        "byes": [_bye_sentence(event, row.game) for row in event.rows if not row.game.second],
    }


def _bye_sentence(event: StoredTournament, game: Pairing) -> str:
    """Who has or had a bye, what it counts for, and what it counts for in a Buchholz that decides."""
    tournament = event.tournament
    counts_in_buchholz = tournament.is_swiss and game.round <= tournament.finished_round
    if not counts_in_buchholz or not {"buchholz", "cut"} & {*tie_break_keys(tournament)}:
        return bye_text(event, game)
    games = tournament.games_of(game.first)
    opponent_points = virtual_opponent_points(games, game.first, game.round, tournament.finished_round)
    return text(
        "{bye}; in Buchholz it counts {points}",
        bye=bye_text(event, game),
        points=tournament_exports.format_points(opponent_points, 2),
    )


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
        views: TournamentViews,
        login: OrganiserLogin,
        connected_tables: Callable[[], Sequence[str]],
        *,
        stream_response: Callable[[Request, Callable[[], dict[str, str]]], Response],
        on_change: Callable[[], object] = lambda: None,
    ) -> None:
        self._tournaments = tournaments
        self._views = views
        self._login = login
        self._connected_tables = connected_tables
        self._stream_response = stream_response
        self._on_change = on_change

    @property
    def routes(self) -> list[Route]:
        one = "/tournaments/{id:int}"
        return [
            Route("/tournaments", self.list_page),
            Route("/tournaments", self.create_tournament, methods=["POST"]),
            Route("/tournaments/door", self.list_page),  # For a reload after a wrong password.
            Route("/tournaments/door", self.log_in, methods=["POST"]),
            Route(one, self.tournament_page),
            Route(one, self.change_tournament, methods=["POST"]),
            Route(f"{one}/events", self.tournament_events),
            Route(f"{one}/hand", self.hand_pairing_page),
            Route(f"{one}/standings", self.standings_page),
            Route(f"{one}/table", self.cross_table_page),
            Route(f"{one}/round", self.round_page),
            *(Route(f"{one}/{name}", self.download_file) for name in EXPORT_FILES),
        ]

    # -- all tournaments ------------------------------------------------------------------------------------------

    async def list_page(self, request: Request, status: int = 200, **values: Any) -> Response:
        """The page of all tournaments; a `submitted` form that was refused is filled in again."""
        return page_response(
            "tournaments.html", status, events=self._views.all_events(), organiser=self._login.is_organiser(request),
            games=tournament_game_choices(), most=changes.MAX_ROUNDS, **{"submitted": EMPTY_FORM} | values,
        )  # fmt: skip

    async def log_in(self, request: Request) -> Response:
        """Check the organiser's password, and let the browser in."""
        address = request.client.host if request.client is not None else ""
        refusal, status = self._login.password_refusal(form_field(await request.form(), "password"), address)
        if refusal:
            return await self.list_page(request, status, refusal=refusal)
        response = RedirectResponse("/tournaments", 303)
        self._login.set_cookie(response)
        return response

    async def create_tournament(self, request: Request) -> Response:
        if not self._login.is_organiser(request):
            return await self.list_page(request, 403, refusal=text(PASSWORD_NEEDED))
        form = await request.form(max_part_size=MAX_UPLOAD_BYTES)
        try:
            form = await form_with_file(form)
            id_ = await run_in_threadpool(create_tournament, self._tournaments, form)
        except (TournamentError, ClubDatabaseError) as error:
            return await self.list_page(request, 400, **_refusal_values(error, form))
        await run_in_threadpool(self._on_change)
        return RedirectResponse(f"/tournaments/{id_}", 303)

    # -- one tournament -------------------------------------------------------------------------------------------

    async def tournament_page(self, request: Request, status: int = 200, **values: Any) -> Response:
        """The page of a tournament; `values` say why a `submitted` form was refused, and fill it in again."""
        event = self._views.requested_event(request)
        organiser = self._login.is_organiser(request)
        parts = self._views.page_view(event.id, for_organiser=organiser)()
        candidates_by_row = self._views.result_candidates(event, for_organiser=organiser)
        earlier_rounds = [
            (
                number,
                [
                    Markup(self._views.render_pairing(event, row, candidates_by_row, for_organiser=organiser))
                    for row in pairings_of_round(event, number)
                ],
            )
            for number in range(event.tournament.round - 1, 0, -1)
        ]
        return page_response(
            "tournament.html", status, event=event, parts={key: Markup(said) for key, said in parts.items()},
            here="", before=earlier_rounds, organiser=organiser, ties=TIE_BREAKS,
            trail=self._tournaments.changes_newest_first(event.id),
            chosen=tie_break_keys(event.tournament), **{"submitted": EMPTY_FORM} | values,
        )  # fmt: skip

    async def tournament_events(self, request: Request) -> Response:
        event = self._views.requested_event(request)
        return self._stream_response(
            request, self._views.page_view(event.id, for_organiser=self._login.is_organiser(request))
        )

    async def change_tournament(self, request: Request) -> Response:
        """Apply a form of the organiser's; its field `what` says which."""
        if not self._login.is_organiser(request):
            return await self.tournament_page(request, 403, refusal=text(PASSWORD_NEEDED))
        form = await request.form(max_part_size=MAX_UPLOAD_BYTES)
        id_, kind = request.path_params["id"], form_field(form, "what")
        try:
            form = await form_with_file(form)
            match kind:
                case "pair":
                    await self._pair_next_round(id_, allows_rematches=bool(form_field(form, "again")))
                case "delete":
                    await run_in_threadpool(self._tournaments.delete_tournament, id_)
                case _:
                    change_form = ChangeForm(self._tournaments, form, self._connected_tables())
                    await run_in_threadpool(self._tournaments.change_event, id_, apply_form, change_form)
        except (TournamentError, ClubDatabaseError) as error:
            show_page = self._hand_pairing_form if kind == "hand" else self.tournament_page
            return await show_page(request, 400, **_refusal_values(error, form))
        await run_in_threadpool(self._on_change)
        return RedirectResponse("/tournaments" if kind == "delete" else f"/tournaments/{id_}", 303)

    async def _pair_next_round(self, id_: int, *, allows_rematches: bool) -> None:
        """Pair the next round in a process of its own, so that every other page is served meanwhile.

        Raises TournamentError, ClubDatabaseError.
        """
        event = self._tournaments.read_event(id_)
        changes.check_next_round(event.tournament)
        try:
            paired_round = await to_process.run_sync(_pair_in_process, event.tournament, allows_rematches)
        except BrokenWorkerProcess:
            raise TournamentError(text("the pairing was interrupted: press the button again")) from None
        tables = free_tables(self._tournaments.active_events(), self._connected_tables())
        await run_in_threadpool(
            self._tournaments.change_event, id_, changes.add_round, event.tournament, paired_round, tables
        )

    async def hand_pairing_page(self, request: Request) -> Response:
        """The form in which the organiser pairs a round by hand."""
        if not self._login.is_organiser(request):
            return await self.tournament_page(request, 403, refusal=text(PASSWORD_NEEDED))
        return await self._hand_pairing_form(request)

    async def _hand_pairing_form(
        self, request: Request, status: int = 200, submitted: FormData = EMPTY_FORM, **values: Any
    ) -> Response:
        """The form for pairing a round by hand.

        The form is filled in as it was sent, else as the round is paired, else it is empty.
        """
        event = self._views.requested_event(request)
        tournament = event.tournament
        is_running = tournament.finished_round < tournament.round
        games = [row.game for row in pairings_of_round(event, tournament.round)] if is_running else []
        half_bye_takers = {game.first for game in games if not game.second and game.outcome}  # for half a point
        present = [
            each
            for each in tournament.players
            if each.is_present and not each.takes_half_bye and each.number not in half_bye_takers
        ]
        pairs = pairs_in_form(submitted) or [
            (game.first, game.second) for game in games if game.second or not game.outcome
        ]
        pairs += [(0, 0)] * ((len(present) + 1) // 2 - len(pairs))
        number = tournament.round if is_running else tournament.round + 1
        return page_response(
            "hand.html", status, event=event, pairs=pairs, here=present, number=number, submitted=submitted, **values
        )

    # -- on paper and in files --------------------------------------------------------------------------------------

    async def standings_page(self, request: Request) -> Response:
        """The standings on a page of their own, with what decides between players on equal points."""
        event = self._views.requested_event(request)
        standings = Markup(self._views.page_parts(event.id, for_organiser=False)["standings"])
        return self._event_page(request, "standings_page.html", event, standings=standings)

    async def cross_table_page(self, request: Request) -> Response:
        """The cross-table on a page of its own, to be printed."""
        event = self._views.requested_event(request)
        columns = event.tournament.rounds if event.tournament.is_swiss else len(event.tournament.players)
        return self._event_page(request, "cross_table.html", event, columns=columns, **standings_values(event))

    async def round_page(self, request: Request) -> Response:
        """The pairings of the newest round, by player and by table, to be printed and put on the wall."""
        event = self._views.requested_event(request)
        rows = pairings_by_table(event)
        seats = sorted((event.player_name(number), row) for row in rows for number in row.game[2:4] if number)
        return self._event_page(request, "round.html", event, rows=rows, seats=seats)

    def _event_page(self, request: Request, template: str, event: StoredTournament, **values: Any) -> Response:
        """A page of a tournament to look at."""
        end = request.url.path.removeprefix(f"/tournaments/{event.id}")
        return page_response(template, event=event, here=end, organiser=self._login.is_organiser(request), **values)

    async def download_file(self, request: Request) -> Response:
        """A file for a spreadsheet or for other programs, always in English."""
        event, name = self._views.requested_event(request), request.url.path.rpartition("/")[2]
        write, media_type = EXPORT_FILES[name]
        saved_as = f'attachment; filename="tournament-{event.id}.{name.rpartition(".")[2]}"'
        headers = {"content-disposition": saved_as, "cache-control": "no-store"}
        with in_language(ENGLISH):
            return Response(write(event), media_type=media_type, headers=headers)


def _refusal_values(error: Exception, form: FormData) -> dict[str, Any]:
    """The values with which a page shows why a form was refused.

    `stuck` is true if no pairing was left, and `reading` is a list of players that has to be confirmed.
    """
    unconfirmed_list = error if isinstance(error, ListNotConfirmedError) else None
    return {
        "refusal": as_sentence(error.args[0]),
        "submitted": form,
        "stuck": isinstance(error, NoPairingError),
        "reading": unconfirmed_list,
    }


def _pair_in_process(tournament: Any, allows_rematches: bool) -> Any:
    return make_next_round(tournament, allows_rematches=allows_rematches)
