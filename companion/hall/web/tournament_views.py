"""What the pages show of tournaments, as HTML: read again only when something has changed, whoever looks."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

from markupsafe import Markup
from starlette.exceptions import HTTPException

from companion.hall import exports
from companion.hall.desk import candidates
from companion.hall.next_round import safe_rounds
from companion.hall.tie_breaks import TIES, ties_of
from companion.hall.tournament import PairingOutcome
from companion.hall.web.rendering import described, natural, rendered
from companion.languages import spoken
from companion.web.streams import Kept

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.requests import Request

    from companion.hall.desk import Candidate
    from companion.hall.tournament import Event, Row
    from companion.hall.tournament_store import TournamentStore

SLIDE = 20
"""Boards or players of one picture on the television."""
SHOWN = 2
"""The tournaments on the television, the newest."""


class Views:
    """The changing parts of the tournaments' pages, and of the television's.

    Args:
        tournaments: their store, opened for reading alone.
        places: the names of the tables that are here, the free ones first.
    """

    def __init__(self, tournaments: TournamentStore, places: Callable[[], Sequence[str]]) -> None:
        self.tournaments = tournaments
        self._places = places
        self._parts = Kept[dict[str, str]]()  # by number, whether for the organiser, language
        self._rows = Kept[str]()  # likewise, and by board
        self._slides = Kept[str]()  # by language
        self._events = Kept[list["Event"]]()

    def all(self) -> list[Event]:
        """Every tournament, the newest first; read again where something has changed."""
        return self._events.made("all", self.tournaments.version, self.tournaments.all)

    def asked_for(self, request: Request) -> Event:
        """The tournament whose number is in a request's path. Raises HTTPException 404."""
        event = self._event(request.path_params["id"])
        if event is None:
            raise HTTPException(404)
        return event

    def _event(self, id_: int) -> Event | None:
        return next((event for event in self.all() if event.id == id_), None)

    def parts(self, id_: int, *, organiser: bool) -> dict[str, str]:
        """The parts of a tournament's page by the names of their events; none where it was deleted."""
        key = id_, organiser, spoken()
        return self._parts.made(key, self.tournaments.version, lambda: self._draw_parts(id_, organiser=organiser))

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
            # A pairing's own part stays as it was until the pairing changes: an organiser may have its form open.
            shown = row, event.pair(row.game), found.get(row.id)
            draw = partial(self.row, event, row, found, organiser=organiser)
            html[f"row-{row.id}"] = self._rows.made((id_, organiser, spoken(), row.game.board), shown, draw)
        return html

    def candidates(self, event: Event, *, organiser: bool) -> dict[int, list[Candidate]]:
        """What the organiser is asked about pairings: rounds that may be their results, by the ids of the pairings."""
        return candidates(self.tournaments, event) if organiser else {}

    def row(self, event: Event, row: Row, found: dict[int, list[Candidate]], *, organiser: bool) -> str:
        """A pairing, for the organiser with what can be changed."""
        return rendered(
            "board.html", event=event, row=row, organiser=organiser, outcomes=list(PairingOutcome),
            places=self._places(), candidates=found.get(row.id, ()),
        )  # fmt: skip

    def _actions(self, event: Event) -> str:
        """What the organiser can do next; it comes and goes with the results."""
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
        """What a stream of a tournament's page sends; the list of boards comes again only for other boards."""
        boards, clock = Kept[str](), self.clocks(id_)

        def parts() -> dict[str, str]:
            html = self.parts(id_, organiser=organiser)
            if not html:
                return {}
            rows = [name for name in html if name.startswith("row-")]
            return {"boards": boards.made("", rows, lambda: self.boards(id_, html)), "clock": clock(), **html}

        return parts

    def clocks(self, id_: int = 0) -> Callable[[], str]:
        """The clocks of the rounds that run, of one tournament or (0) of those on the television.

        Each page is told once how much is left, and again when a clock is started or stopped: it runs there by itself.
        """
        drawn = Kept[str]()

        def clock() -> str:
            running = [
                (each.name if not id_ else "", each.tournament.round, each.minutes, each.clock)
                for each in ([each for each in self.all() if each.id == id_] if id_ else self._events_shown())
                if each.clock
            ]
            return drawn.made("", running, lambda: rendered("clock.html", running=running, now=time.time()))

        return clock

    def boards(self, id_: int, html: dict[str, str]) -> str:
        """The boards of the newest round, each in a place of its own."""
        rows = {name: Markup(said) for name, said in html.items() if name.startswith("row-")}
        return rendered("boards.html", event=self._event(id_), rows=rows)

    def slides(self) -> str:
        """The television's pictures of tournaments: the boards of the newest round by table, and the standings."""
        return self._slides.made(
            spoken(), self.tournaments.version, lambda: "".join(map(self._slides_of, reversed(self._events_shown())))
        )

    def _events_shown(self) -> list[Event]:
        return [each for each in self.all() if each.rows and not each.archived][:SHOWN]

    def _slides_of(self, event: Event) -> str:
        rows = by_table(event)
        lines = exports.cross_table(event)
        return rendered(
            "slides.html", event=event, boards=_chunks(rows), last=event.tournament.rounds,
            **table_words(event) | {"standings": _chunks(lines)},
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
    """What the templates of standings need."""
    return {"lines": exports.cross_table(event), "ties": [TIES[key] for key in ties_of(event.tournament)]}
