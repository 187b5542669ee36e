"""The pages for a television, with boards, free tables, results and standings, and the page with the organiser's notes.

What a table sends comes from the network and is never trusted. It is shown as escaped text or in an ``<img>``, so SVG
from a table never becomes part of the page. An SVG can refer to its own parts, and each of them to others, until a
browser never ends; so a drawing with anything but what boards are made of is left out.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import re
import time
from functools import cache
from html import escape, unescape
from typing import TYPE_CHECKING, NamedTuple

import segno
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route

from companion import games
from companion.club.club_database import timestamp_now
from companion.club.web.forms import MAX_UPLOAD_BYTES
from companion.club.web.rendering import CLUB_WEB_FOLDER, TABLE_WEB_FOLDER, as_sentence, natural_key, render_template
from companion.games.api.result import Result, named_verdict
from companion.languages import current_catalogue, plural_text, text
from companion.rounds.standings import STANDINGS_COLUMNS
from companion.store import dates
from companion.web.clients import ConnectionSlots, page_urls
from companion.web.site import guarded_site
from companion.web.streams import MAX_STREAMS, ChangeSource, VersionedCache, stream_response

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

    from starlette.requests import Request

    from companion.club.club_store import ClubStore, RoundRow
    from companion.club.mqtt_messages import StateMessage
    from companion.club.web.tournament_pages import TournamentViews

MAX_BODY_BYTES = 65_536
"""The largest body of a request, in bytes; a round that is paired by hand is the longest."""
STATIC_FILES = ("club.css", "clock.js", "turns.js")
MAX_RESULTS, MAX_STANDINGS_ROWS, MAX_NOTES, MAX_WAITING_TABLES = 8, 16, 60, 12
"""The most results, rows of the standings, notes and waiting tables on a page."""
NO_TOURNAMENT_PARTS = {"slides": "", "lists": "", "foot": ""}
TABLES_UNREACHABLE = "No connection to the tables. The games go on there, and the results come later."
LIST_SECONDS = 1.0
"""The shortest time between two reads of results and standings."""
MAX_WORD_LETTERS, MAX_SEATS = 64, 8
TABLES_PER_SLIDE = 16
"""How many tables one picture on the television shows."""
MAX_SVG_LETTERS, MAX_SVG_ELEMENTS = 300_000, 5_000
"""The most letters and elements of a drawing; the largest board of a known game has less than a tenth of both."""
SVG_ELEMENTS = {"svg", "title", "g", "rect", "circle", "line", "path", "polygon", "text"}
SVG_ATTRIBUTES = {
    "viewBox", "role", "class", "xmlns", "x", "y", "width", "height", "rx", "cx", "cy", "r", "x1", "y1", "x2", "y2",
    "points", "d", "font-size", "text-anchor", "data-dx", "data-dy",
}  # fmt: skip
"""With these `companion.games.api.board.Svg` draws."""
_TAG_PATTERN = re.compile(r"""</?([A-Za-z]+)((?:\s+[A-Za-z0-9-]+="[^"<>]*")*)\s*/?>""")
_TEXT_PATTERN = re.compile(r"(?<=>)[^<>]*[^\W\d_]{2}[^<>]*(?=</text>)")
_ATTRIBUTE_PATTERN = re.compile(r'([A-Za-z0-9-]+)="')


class Seat(NamedTuple):
    """A player at a table; `score` is "" while there is none, and `colour` 0 where there is none."""

    name: str
    score: str
    is_to_move: bool
    colour: int


class TableView(NamedTuple):
    """A table as the television shows it.

    `state` says in words what happens there. `picture` is a data URL of the table's board, "" for none.
    """

    name: str
    state: str
    game: str = ""
    seats: tuple[Seat, ...] = ()
    verdict: str = ""
    picture: str = ""


class WaitingTable(NamedTuple):
    """A table without a round; `has_ended` is true while it still shows the result of its last one."""

    name: str
    has_ended: bool


def is_waiting(last: StateMessage) -> bool:
    """Return whether a table is connected and has no round on it, or one that is over."""
    public = last.public
    return last.here and public is not None and (not public.get("game") or _is_over(last))


def _is_over(last: StateMessage) -> bool:
    public = last.public or {}
    sheet = public.get("sheet")
    return bool(public.get("result")) or (isinstance(sheet, dict) and sheet.get("over") is True)


class ClubNightView(ChangeSource):
    """What the pages show of a running club night.

    Args:
        last_states: returns every table's last state, by name.
        club_store: the club's file, opened for the pages alone.
        store_problem: returns why the server can save nothing, "" while it can.
        disconnection: returns since when the broker has not been connected, as a sentence; "" while it is.
    """

    def __init__(
        self,
        last_states: Callable[[], Mapping[str, StateMessage]],
        club_store: ClubStore,
        store_problem: Callable[[], str] = lambda: "",
        disconnection: Callable[[], str] = lambda: "",
    ) -> None:
        super().__init__()
        self.tournaments: TournamentViews | None = None  # None while there are no pages of tournaments
        self._stream_slots = ConnectionSlots(MAX_STREAMS)
        self.last_states = last_states
        self.store_problem = store_problem
        self.disconnection = disconnection
        self._club_store = club_store
        self._loop: asyncio.AbstractEventLoop | None = None
        self._cards = VersionedCache[str]()  # by name and language
        self._seen_times = VersionedCache[dict[str, str]]()
        self._lists_version: object = None
        self._lists_read_at = -LIST_SECONDS
        self._lists = VersionedCache[str]()  # by language
        self._waiting: dict[str, WaitingTable] = {}  # in the order in which the tables began to wait

    @property
    def routes(self) -> list[Route]:
        async def events(request: Request) -> Response:
            return self.stream_response(request, self.television_view())

        async def organiser(request: Request) -> Response:
            return HTMLResponse(render_template("organiser.html", notes=Markup(self.render_notes()["notes"])))

        async def organiser_events(request: Request) -> Response:
            return self.stream_response(request, self.render_notes)

        return [
            Route("/", self._television_page),
            Route("/events", events),
            Route("/organiser", organiser),
            Route("/organiser/events", organiser_events),
            *(Route(f"/{name}", _serve_static_file) for name in STATIC_FILES),
        ]

    async def _television_page(self, request: Request) -> Response:
        parts = {key: Markup(said) for key, said in self.television_view()().items()}
        address = tournaments_url(request) if self.tournaments is not None else ""
        code = segno.make(address, error="m").svg_data_uri(scale=8) if address else ""
        return HTMLResponse(render_template("television.html", parts=parts, address=address, code=code))

    @contextlib.asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """Remember the event loop of the pages while they are served, so that other threads can wake them."""
        self._loop = asyncio.get_running_loop()
        yield

    def wake_pages(self) -> None:
        """Wake whoever waits in `changes`; any thread may call this."""
        if self._loop is not None and not self._loop.is_closed():
            asyncio.run_coroutine_threadsafe(self.count_change(), self._loop)

    def television_view(self) -> Callable[[], dict[str, str]]:
        """Return a function that renders the changing parts of one television page, as HTML by the name of their event.

        The part with all tables is sent again only when other tables come or go, with each table's card as it is then:
        while a browser replaces that part, it drops an event of a single card.
        """
        tables_html = VersionedCache[str]()
        tournaments = self.tournaments
        clock = tournaments.clock_renderer() if tournaments is not None else _render_heading

        def render_parts() -> dict[str, str]:
            last_states, is_disconnected = dict(self.last_states()), bool(self.disconnection())
            names = sorted(last_states, key=natural_key)
            seen = self._seen_times.get_or_make("", self._club_store.change_version, self._club_store.seen_times)
            cards = {
                f"table-{name}": self._render_card(
                    name, last_states[name], seen.get(name, ""), is_disconnected=is_disconnected
                )
                for name in names
            }

            def render_tables() -> str:
                listed = [(name, Markup(cards[f"table-{name}"])) for name in names]
                pages = [listed[n : n + TABLES_PER_SLIDE] for n in range(0, len(listed), TABLES_PER_SLIDE)]
                return render_template("places.html", pages=pages, is_disconnected=is_disconnected)

            waiting_now = {
                name: WaitingTable(name, _is_over(last_states[name]))
                for name in names
                if is_waiting(last_states[name]) and not _called_names(last_states[name].public or {})
            }
            still_waiting = [name for name in self._waiting if name in waiting_now]
            self._waiting = {name: waiting_now[name] for name in (*still_waiting, *waiting_now)}
            waiting = [] if is_disconnected else [*self._waiting.values()]
            waits_html = render_template(
                "waits.html", waits=waiting[:MAX_WAITING_TABLES], more=len(waiting) - MAX_WAITING_TABLES
            )
            of_tournaments = tournaments.television_parts() if tournaments is not None else NO_TOURNAMENT_PARTS
            return {
                **of_tournaments,
                "places": tables_html.get_or_make("", (names, is_disconnected), render_tables),
                "waits": waits_html,
                "lists": of_tournaments["lists"] or self._current_lists(),
                "clock": clock(),
                "foot": escape(text(TABLES_UNREACHABLE)) if is_disconnected else of_tournaments["foot"],
                **cards,
            }

        return render_parts

    def render_notes(self) -> dict[str, str]:
        """The changing part of the organiser's page as HTML, by the name of its event."""
        states = dict(self.last_states())
        tables, notes = self._club_store.table_summaries(), self._club_store.newest_organiser_notes(MAX_NOTES)
        disconnected = self.disconnection()
        troubles = [as_sentence(each) for each in (disconnected, self.store_problem()) if each]
        values = {
            "troubles": troubles,
            "disconnected": disconnected,
            "tables": tables,
            "states": states,
            "notes": notes,
        }
        return {"notes": render_template("notes.html", **values)}

    def connected_tables(self) -> list[str]:
        """The names of the connected tables, those without a round first, otherwise in order."""
        connected = {name: last for name, last in dict(self.last_states()).items() if last.here}
        return sorted(connected, key=lambda name: (not is_waiting(connected[name]), natural_key(name)))

    def stream_response(self, request: Request, render_parts: Callable[[], dict[str, str]]) -> Response:
        """Answer a request with a stream of a page's parts, sent at each change."""
        return stream_response(self, self._stream_slots, render_parts, request)

    def _render_card(self, name: str, last: StateMessage, seen_at: str, *, is_disconnected: bool) -> str:
        def render() -> str:
            view = TableView(name, text("unknown")) if is_disconnected else table_view(name, last, seen_at)
            return render_template("card.html", table=view)

        version = last, is_disconnected, "" if last.here else seen_at
        return self._cards.get_or_make((name, current_catalogue()), version, render)

    def _current_lists(self) -> str:
        """Results and standings of tonight as HTML, read again at most once a second, because many rounds may come."""
        tonight = dates.evening_date(timestamp_now())
        today = f"{tonight}T{dates.EVENING_END.seconds // 3600:02}"
        version, now = (self._club_store.change_version, today), time.monotonic()
        if version != self._lists_version and now >= self._lists_read_at + LIST_SECONDS:
            self._lists_version, self._lists_read_at = version, now
        elif version != self._lists_version and self._loop is not None:
            self._loop.call_later(LIST_SECONDS, self.wake_pages)
        return self._lists.get_or_make(current_catalogue(), self._lists_version, lambda: self._render_lists(today))

    def _render_lists(self, since: str) -> str:
        """Render the results, and the standings of the rounds that arrived since a time."""
        rows = self._club_store.counted_rounds(newest=MAX_RESULTS)
        results = [(row, result_text(row), games.manifest_or_placeholder(row.game).name) for row in rows]
        lines = self._club_store.standings(since)
        return render_template(
            "lists.html",
            results=results,
            columns=STANDINGS_COLUMNS,
            lines=lines[:MAX_STANDINGS_ROWS],
            more=len(lines) - MAX_STANDINGS_ROWS,
        )


def _render_heading() -> str:
    """The television's heading without tournaments."""
    return render_template("clock.html", heading=text("Club night"))


async def _serve_static_file(request: Request) -> Response:
    return FileResponse(CLUB_WEB_FOLDER / "static" / request.url.path.strip("/"))


def tournaments_url(request: Request) -> str:
    """The address of the tournaments' page for a phone, "" without one.

    This is the address at which the television asked, or this computer's own if the television runs on it.
    """
    host, port = request.url.hostname or "", request.url.port or 80
    if host in ("localhost", "127.0.0.1", "::1"):
        own_url = next(iter(page_urls(port)), "")
        return f"{own_url}tournaments" if own_url else ""
    return f"{request.url.scheme}://{request.url.netloc}/tournaments"


def club_application(
    view: ClubNightView, host_names: tuple[str, ...] = (), extra_routes: Sequence[Route] = ()
) -> Starlette:
    """The club server's pages as an ASGI application.

    `host_names` are this computer's names, which requests may ask for; `extra_routes` are the routes of further pages.
    """

    pages = [*view.routes, *extra_routes]
    return guarded_site(
        pages,
        view.lifespan,
        lambda: render_template("no_page.html"),
        host_names,
        most_body_bytes=MAX_BODY_BYTES,
        most_upload_bytes=MAX_UPLOAD_BYTES,
    )


def table_view(name: str, last: StateMessage, seen_at: str = "") -> TableView:
    """What is shown of a table; invalid parts of what the table sent are left out.

    `seen_at` is when a table that is not connected was last seen, in ISO 8601; "" if nobody knows.
    """
    public = last.public
    if not last.here:
        seen = seen_at[:16].replace("T", " ").removeprefix(f"{timestamp_now()[:10]} ")
        return TableView(name, text("not connected, last seen {time}", time=seen) if seen else text("not connected"))
    if public is None:
        return TableView(name, text("not switched on"))
    if called := _called_names(public):
        colours = public.get("colours")
        known = colours if isinstance(colours, dict) else {}
        seats = tuple(Seat(each, "", False, _colour(known.get(each))) for each in called)
        return TableView(name, text("please come"), _short_text(public["content"].get("game")), seats)
    result = public.get("result")
    winners = result.get("winners") if isinstance(result, dict) else None
    winner_names = [_short_text(each) for each in winners[:MAX_SEATS]] if isinstance(winners, list) else []
    state = text("free") if is_waiting(last) and not public.get("game") else text("playing")
    return TableView(
        name,
        text("just finished") if _is_over(last) else state,
        game=_short_text(public.get("game")),
        seats=_parse_seats(public.get("players"), public.get("colours")),
        verdict=named_verdict(winner_names) if winner_names else "",
        picture=board_picture(public.get("board"), last.words or {}),
    )


def _called_names(public: Mapping[str, object]) -> list[str]:
    """The players of the pairing that the box offers, whom the television calls to it; none if it offers none."""
    content = public.get("content")
    names = content.get("names") if isinstance(content, dict) and content.get("kind") == "pairing" else None
    return [_short_text(each) for each in names[:MAX_SEATS]] if isinstance(names, list) else []


def board_picture(svg: object, texts: Mapping[str, object]) -> str:
    """A drawing as a data URL with the pages' colours and in their language, "" for anything else.

    `texts` are the words in it that are texts, in English → their parts. An ``<img>`` of the drawing can neither run
    scripts nor load anything.
    """
    if not (isinstance(svg, str) and svg.startswith("<svg") and len(svg) <= MAX_SVG_LETTERS and _is_safe_svg(svg)):
        return ""
    begin, end, body = svg.partition(">")
    translated_body = _TEXT_PATTERN.sub(
        lambda found: escape(_translate_words(unescape(found[0]), texts), quote=False), body
    )
    drawing = f"{begin}{end}<style>{_board_style()}</style>{translated_body}"
    if "xmlns=" not in begin:
        drawing = drawing.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return f"data:image/svg+xml;base64,{base64.b64encode(drawing.encode('utf-8', 'replace')).decode()}"


def _translate_words(word_text: str, texts: Mapping[str, object]) -> str:
    """The words of a board in the language of the page, if they are a text whose message the catalogue has.

    The parts come from another machine, so only messages of our own catalogues are formatted, and only with short
    values.
    """
    games.added_manifests()  # Loading the games of other packages loads their catalogues too.
    catalogue = current_catalogue()
    match texts.get(word_text):
        case {"text": str(message), "values": dict(values), "number": int() | None as number} if catalogue is not None:
            has_short_values = all(
                isinstance(each, str | int) and len(str(each)) <= MAX_WORD_LETTERS for each in values.values()
            )
            # Before Python 3.11.4 `gettext` does not know a message that has a plural.
            form = catalogue.gettext(message) if number is None else catalogue.ngettext(message, message, number)
            if has_short_values and form != message:
                with contextlib.suppress(LookupError, ValueError, AttributeError):  # Values that the message lacks.
                    if number is not None:
                        return plural_text(number, message, message, **values)
                    return text(message, **values)
    return word_text


def _is_safe_svg(svg: str) -> bool:
    """Whether a drawing has nothing but text, and elements and attributes that boards have."""
    parts = list(_TAG_PATTERN.finditer(svg))
    if len(parts) != svg.count("<") or len(parts) > 2 * MAX_SVG_ELEMENTS:
        return False  # Some "<" begins no plain tag, but a comment, an instruction or a definition.
    return all(part[1] in SVG_ELEMENTS and set(_ATTRIBUTE_PATTERN.findall(part[2])) <= SVG_ATTRIBUTES for part in parts)


@cache
def _board_style() -> str:
    """The stylesheet of boards, with their colours."""
    return (TABLE_WEB_FOLDER / "static" / "board.css").read_text(encoding="utf-8")


def _parse_seats(players: object, colours: object) -> tuple[Seat, ...]:
    listed = players[:MAX_SEATS] if isinstance(players, list) else []
    numbers = colours if isinstance(colours, dict) else {}
    return tuple(
        Seat(
            name := _short_text(each.get("name")),
            _short_text(each.get("score")),
            each.get("turn") is True,
            _colour(numbers.get(name, seat)),
        )
        for seat, each in enumerate(listed, 1)
        if isinstance(each, dict)
    )


def _colour(number: object) -> int:
    """A player's colour and shape, 0 for none that is known."""
    return number if isinstance(number, int) and number in range(1, 7) else 0


def _short_text(value: object) -> str:
    """A string or integer as text, cut to `MAX_WORD_LETTERS`; "" for any other value."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return str(value)[:MAX_WORD_LETTERS] if isinstance(value, str) or abs(value) < 1 << 63 else ""


def result_text(row: RoundRow) -> str:
    """A result, the winner and the winner's points first: ``Ben 12 : 6 Ann``.

    With more than two players only the winners are named. Scores that only say who has won are left out.
    """
    players, parsed = row.players, Result.parse(row.result)
    order = sorted(range(len(players)), key=lambda seat: seat + 1 not in parsed.winners)
    verdict = named_verdict(parsed.winner_names(players))
    if not games.manifest_or_placeholder(row.game).scores_are_points:
        is_won = len(players) == 2 and len(parsed.winners) == 1
        return text("{winner} beat {loser}", winner=players[order[0]], loser=players[order[1]]) if is_won else verdict
    scores = "\u00a0:\u00a0".join(str(parsed.scores[seat])[:12] for seat in order)
    if len(players) == 2:
        return f"{players[order[0]]} {scores} {players[order[1]]}"
    return text("{verdict}, {scores}", verdict=verdict, scores=scores)
