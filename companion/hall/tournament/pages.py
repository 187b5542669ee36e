"""The tournaments' pages: everybody sees pairings and cross-table, the organiser's browser enters and changes them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from starlette.datastructures import FormData
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from companion import games
from companion.hall.database import HallError
from companion.hall.tournament import collecting, exports, roundrobin
from companion.hall.tournament.model import Outcome
from companion.hall.tournament.store import MOST_ROUNDS, Event, Wrong

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.requests import Request

    from companion.game.manifest import Manifest
    from companion.hall.organiser import Door
    from companion.hall.tournament.store import Tournaments

LONGEST_LIST = 20_000
"""Letters of a pasted list: as many players as a tournament may have, with their clubs."""
NO_PLACE = "-"
NOTHING = FormData()


class TournamentPages:
    """The pages of all tournaments.

    Args:
        tournaments: their store.
        door: knows the organiser's browsers.
        places: the names of the tables that are here, in order.
        render: fills a template.
        changed: is called after each change.
    """

    def __init__(
        self,
        tournaments: Tournaments,
        door: Door,
        places: Callable[[], Sequence[str]],
        render: Callable[..., str],
        changed: Callable[[], object] = lambda: None,
    ) -> None:
        self._tournaments = tournaments
        self._door = door
        self._places = places
        self._render = render
        self._changed = changed

    @property
    def routes(self) -> list[Route]:
        """The addresses of these pages, and what answers there."""
        return [
            Route("/tournaments", self.list),
            Route("/tournaments", self.create, methods=["POST"]),
            Route("/tournaments/door", self.door, methods=["POST"]),
            Route("/tournaments/{id:int}", self.one),
            Route("/tournaments/{id:int}", self.change, methods=["POST"]),
            Route("/tournaments/{id:int}/table", self.table),
            Route("/tournaments/{id:int}/table.csv", self.csv),
            Route("/tournaments/{id:int}/tournament.json", self.json),
        ]

    async def list(self, request: Request) -> Response:
        """All tournaments; the organiser can open one."""
        return self._list(request)

    async def door(self, request: Request) -> Response:
        """The organiser's password."""
        refusal = self._door.refusal(_text(await request.form(), "password"))
        if refusal:
            return self._list(request, refusal, 403)
        response = RedirectResponse("/tournaments", 303)
        self._door.keep(response)
        return response

    async def create(self, request: Request) -> Response:
        """A new tournament."""
        if not self._door.knows(request):
            return self._list(request, "Say the organiser's password first.", 403)
        form = await request.form()
        game, _, chosen = _text(form, "game").partition(" ")
        found = next((each for each in _games() if each.id == game), None)
        options = dict(pair.split("=", 1) for pair in chosen.split() if "=" in pair)
        rounds = _text(form, "rounds")
        if found is None or found.defaults.keys() != options.keys():
            return self._list(request, "Choose a game.", 400, form)
        if any(value not in found.values[name] for name, value in options.items()):
            return self._list(request, "Choose a game.", 400, form)
        swiss = _text(form, "system") != "round-robin"
        if swiss and not (rounds.isdecimal() and len(rounds) < 4):
            return self._list(request, f"Say how many rounds: 1 to {MOST_ROUNDS}.", 400, form)
        try:
            id_ = self._tournaments.create(
                _text(form, "name"), game, options, swiss=swiss, rounds=int(rounds) if swiss else 1
            )
        except (Wrong, HallError) as error:
            return self._list(request, _sentence(error), 400, form)
        self._changed()
        return RedirectResponse(f"/tournaments/{id_}", 303)

    async def one(self, request: Request) -> Response:
        """A tournament: the round, the standings, the players."""
        return self._one(request)

    async def change(self, request: Request) -> Response:
        """Whatever the organiser changes; `what` says which."""
        if not self._door.knows(request):
            return self._one(request, "Say the organiser's password first.", 403)
        form = await request.form()
        try:
            self._do(request.path_params["id"], form)
        except (Wrong, HallError, exports.BadNames) as error:
            return self._one(request, _sentence(error), 400, form)
        self._changed()
        return RedirectResponse(f"/tournaments/{request.path_params['id']}", 303)

    def _do(self, id_: int, form: FormData) -> None:
        """Raises Wrong, HallError, BadNames."""
        at, tournaments = _now(), self._tournaments
        match _text(form, "what"):
            case "players":
                tournaments.add_players(id_, exports.read_players(_pasted(form)), at)
            case "here" | "away" as said:
                tournaments.set_here(id_, _number(form, "player"), said == "here", at)
            case "pair":
                free = collecting.free_places(tournaments.all(), self._places())
                tournaments.pair(id_, free, at)
            case "unpair":
                tournaments.unpair(id_, at)
            case "result":
                outcome = _text(form, "outcome")
                if outcome not in {"", *(each.value for each in Outcome)}:
                    raise Wrong("choose a result")
                tournaments.set_outcome(id_, _number(form, "row"), Outcome(outcome) if outcome else None, at)
            case "move":
                place = _text(form, "place")
                if place != NO_PLACE and place not in self._places():
                    raise Wrong("choose a table")
                tournaments.move(id_, _number(form, "row"), "" if place == NO_PLACE else place, at)
            case _:
                raise Wrong("that cannot be asked for")

    async def table(self, request: Request) -> Response:
        """The cross-table, to be printed."""
        event = self._event(request)
        if event is None:
            return self._list(request, "There is no such tournament.", 404)
        columns = event.tournament.rounds if event.tournament.swiss else len(event.tournament.players)
        return self._page("cross_table.html", event=event, lines=exports.cross_table(event), columns=columns)

    async def csv(self, request: Request) -> Response:
        """The cross-table for a spreadsheet."""
        return self._file(request, exports.as_csv, "text/csv", "csv")

    async def json(self, request: Request) -> Response:
        """Everything for programs."""
        return self._file(request, exports.as_json, "application/json", "json")

    def _file(self, request: Request, written: Callable[[Event], str], kind: str, ending: str) -> Response:
        event = self._event(request)
        if event is None:
            return self._list(request, "There is no such tournament.", 404)
        headers = {
            "content-disposition": f'attachment; filename="tournament-{event.id}.{ending}"',
            "cache-control": "no-store",
        }
        return Response(written(event), media_type=kind, headers=headers)

    def _event(self, request: Request) -> Event | None:
        try:
            return self._tournaments.event(request.path_params["id"])
        except (Wrong, OverflowError):
            return None

    def _one(self, request: Request, refusal: str = "", status: int = 200, sent: FormData = NOTHING) -> Response:
        """The page of a tournament; what was `sent` and refused is in its form again."""
        event = self._event(request)
        if event is None:
            return self._list(request, "There is no such tournament.", 404)
        tournament = event.tournament
        rounds = [
            (number, [each for each in event.rows if each.game.round == number])
            for number in range(tournament.round, 0, -1)
        ]
        last = tournament.rounds if tournament.swiss else roundrobin.rounds_of(max(2, len(tournament.players)))
        return self._page(
            "tournament.html", status, event=event, rounds=rounds, lines=exports.cross_table(event), refusal=refusal,
            organiser=self._door.knows(request), outcomes=list(Outcome), places=self._places(), last=last,
            done=not any(game.open for game in tournament.games), trail=self._tournaments.trail(event.id), sent=sent,
        )  # fmt: skip

    def _list(self, request: Request, refusal: str = "", status: int = 200, sent: FormData = NOTHING) -> Response:
        """The page of all tournaments; what was `sent` and refused is in its form again."""
        return self._page(
            "tournaments.html", status, events=self._tournaments.all(), organiser=self._door.knows(request),
            games=choices(), refusal=refusal, most=MOST_ROUNDS, sent=sent,
        )  # fmt: skip

    def _page(self, name: str, status: int = 200, **words: Any) -> Response:
        rendered = self._render(name, number=exports.number, described=described, **words)
        return HTMLResponse(rendered, status, {"cache-control": "no-store"})


def described(event: Event) -> str:
    """The game and its options in a few words: ``27 expert``."""
    return games.in_words(event.game, event.options.items())


def _games() -> list[Manifest]:
    """The installed games that two can play and that leave a record."""
    return [each for each in games.known() if each.recorded and 2 in each.players]


def choices() -> list[tuple[str, str]]:
    """Each game with each choice of its options: as the form sends it, and in words."""
    found = []
    for game in _games():
        options: list[dict[str, str]] = [{}]
        for name, values in game.values.items():
            options = [{**each, name: value} for each in options for value in values]
        for each in options:
            sent = " ".join((game.id, *(f"{name}={value}" for name, value in each.items())))
            found.append((sent, games.in_words(game.id, each.items())))
    return found


def _sentence(error: Exception) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _text(form: FormData, key: str, longest: int = 100) -> str:
    value = form.get(key, "")
    return value[:longest].strip() if isinstance(value, str) else ""


def _pasted(form: FormData) -> str:
    """The pasted list of players. Raises Wrong if it is too long: it is never cut."""
    names = form.get("names", "")
    if not isinstance(names, str) or len(names) > LONGEST_LIST:
        raise Wrong(f"a list of players has {LONGEST_LIST:,} letters at most: add them in two steps")
    return names


def _number(form: FormData, key: str) -> int:
    text = _text(form, key)
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S%z")
