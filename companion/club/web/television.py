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
from companion.club.database import time_of_day
from companion.club.web.forms import LARGEST_UPLOAD
from companion.club.web.rendering import HERE, WEB, natural, rendered, sentence
from companion.games.api.result import Result, named_verdict
from companion.languages import plural_text, current_catalogue, text
from companion.rounds.standings import STANDINGS_COLUMNS
from companion.store import dates
from companion.web.clients import ConnectionSlots, page_urls
from companion.web.site import guarded_site
from companion.web.streams import MAX_STREAMS, ChangeSource, VersionedCache, stream_response

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

    from starlette.requests import Request

    from companion.club.intake import Intake
    from companion.club.messages import State
    from companion.club.web.tournament_pages import Views

LARGEST = 65_536
"""The largest body of a request, in bytes; a round that is paired by hand is the longest."""
FILES = ("hall.css", "tournament.css", "clock.js", "turns.js")
RESULTS, LINES, NOTES, WAITS = 8, 16, 60, 12
"""The most results, rows of the standings, notes and waiting tables on a page."""
LIST_SECONDS = 1.0
"""The shortest time between two reads of results and standings."""
LONGEST_WORD, MOST_SEATS = 64, 8
TABLES = 16
"""How many tables one picture on the television shows."""
LONGEST, MOST_PARTS = 300_000, 5_000
"""The most letters and elements of a drawing; the largest board of a known game has less than a tenth of both."""
ELEMENTS = {"svg", "title", "g", "rect", "circle", "line", "text"}
ATTRIBUTES = {
    "viewBox", "role", "class", "xmlns", "x", "y", "width", "height", "rx", "cx", "cy", "r", "x1", "y1", "x2", "y2",
    "font-size", "text-anchor",
}  # fmt: skip
"""With these `companion.games.api.board.Svg` draws."""
_PART = re.compile(r"""</?([A-Za-z]+)((?:\s+[A-Za-z0-9-]+="[^"<>]*")*)\s*/?>""")
_WORDS = re.compile(r"(?<=>)[^<>]*[^\W\d_]{2}[^<>]*(?=</text>)")
_NAME = re.compile(r'([A-Za-z0-9-]+)="')
_PNG = re.compile(r"[A-Za-z0-9+/]{1,20000}={0,2}")


class Seat(NamedTuple):
    """A player at a table; `score` is "" while there is none."""

    name: str
    score: str
    turn: bool


class TableView(NamedTuple):
    """A table as the television shows it.

    `picture` is a data URL of the table's board (`is_board` true) or else of its panel, "" for none.
    """

    name: str
    here: bool
    game: str = ""
    seats: tuple[Seat, ...] = ()
    won: str = ""
    picture: str = ""
    board: bool = False


class Waiting(NamedTuple):
    """A table without a round; `has_ended` is true while it still shows the result of its last one."""

    name: str
    ended: bool


def waits(last: State) -> bool:
    """Return whether a table is connected and has no round on it, or one that is over."""
    public = last.public
    return last.here and public is not None and (not public.get("game") or _over(last))


def _over(last: State) -> bool:
    public = last.public or {}
    sheet = public.get("sheet")
    return bool(public.get("result")) or (isinstance(sheet, dict) and sheet.get("over") is True)


class HallView(ChangeSource):
    """What the pages show of a running club night.

    Args:
        last_states: returns every table's last state, by name.
        club_store: the club's file, opened for the pages alone.
        store_problem: returns why the server can save nothing, "" while it can.
        disconnection: returns since when the broker has not been connected, as a sentence; "" while it is.
    """

    def __init__(
        self,
        last_states: Callable[[], Mapping[str, State]],
        intake: Intake,
        trouble: Callable[[], str] = lambda: "",
        disconnected: Callable[[], str] = lambda: "",
    ) -> None:
        super().__init__()
        self.tournaments: Views | None = None  # None while there are no pages of tournaments
        self._streams = ConnectionSlots(MAX_STREAMS)
        self.last_states = last_states
        self.trouble = trouble
        self.disconnected = disconnected
        self._intake = intake
        self._loop: asyncio.AbstractEventLoop | None = None
        self._drawn = VersionedCache[str]()  # by name and language
        self._version: object = None
        self._listed = -LIST_SECONDS
        self._lists = VersionedCache[str]()  # by language
        self._waiting: dict[str, Waiting] = {}  # in the order in which the tables began to wait

    @property
    def routes(self) -> list[Route]:
        async def events(request: Request) -> Response:
            return self.streamed(request, self.television())

        async def organiser(request: Request) -> Response:
            return HTMLResponse(rendered("organiser.html", notes=Markup(self.notes()["notes"])))

        async def organiser_events(request: Request) -> Response:
            return self.streamed(request, self.notes)

        return [
            Route("/", self._page),
            Route("/events", events),
            Route("/organiser", organiser),
            Route("/organiser/events", organiser_events),
            *(Route(f"/{name}", _file) for name in FILES),
        ]

    async def _page(self, request: Request) -> Response:
        parts = {key: Markup(said) for key, said in self.television()().items()}
        address = followed(request) if self.tournaments is not None else ""
        code = segno.make(address, error="m").svg_data_uri(scale=8) if address else ""
        return HTMLResponse(rendered("hall.html", parts=parts, address=address, code=code))

    @contextlib.asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """Remember the event loop of the pages while they are served, so that other threads can wake them."""
        self._loop = asyncio.get_running_loop()
        yield

    def changed(self) -> None:
        """Wake whoever waits in `changes`; any thread may call this."""
        if self._loop is not None and not self._loop.is_closed():
            asyncio.run_coroutine_threadsafe(self.count_change(), self._loop)

    def television(self) -> Callable[[], dict[str, str]]:
        """Return a function that renders the changing parts of one television page, as HTML by the name of their event.

        The part with all tables is sent again only when other tables come or go, with each table's card as it is then:
        while a browser replaces that part, it drops an event of a single card.
        """
        places = VersionedCache[str]()
        clock = self.tournaments.clocks() if self.tournaments is not None else str

        def parts() -> dict[str, str]:
            last_states = dict(self.last_states())
            names = sorted(last_states, key=natural)
            cards = {f"table-{name}": self._card(name, last_states[name]) for name in names}

            def placed() -> str:
                listed = [(name, Markup(cards[f"table-{name}"])) for name in names]
                pages = [listed[n : n + TABLES] for n in range(0, len(listed), TABLES)]
                return rendered("places.html", pages=pages)

            found = {name: Waiting(name, _over(last_states[name])) for name in names if waits(last_states[name])}
            kept = [name for name in self._waiting if name in found]
            self._waiting = {name: found[name] for name in (*kept, *found)}
            waiting = [*self._waiting.values()]
            said = rendered("waits.html", waits=waiting[:WAITS], more=len(waiting) - WAITS)
            slides = self.tournaments.slides() if self.tournaments is not None else ""
            lists = self._lists_now(bool(slides))
            tables = places.get_or_make("", names, placed)
            return {"places": tables, "waits": said, "lists": lists, "slides": slides, "clock": clock(), **cards}

        return parts

    def notes(self) -> dict[str, str]:
        """The changing part of the organiser's page as HTML, by the name of its event."""
        states = dict(self.last_states())
        tables, told = self._intake.tables(), self._intake.notes(NOTES)
        disconnected = self.disconnected()
        troubles = [sentence(each) for each in (disconnected, self.trouble()) if each]
        words = {"troubles": troubles, "disconnected": disconnected, "tables": tables, "states": states, "notes": told}
        return {"notes": rendered("notes.html", **words)}

    def here(self) -> list[str]:
        """The names of the connected tables, those without a round first, otherwise in order."""
        here = {name: last for name, last in dict(self.last_states()).items() if last.here}
        return sorted(here, key=lambda name: (not waits(here[name]), natural(name)))

    def streamed(self, request: Request, view: Callable[[], dict[str, str]]) -> Response:
        """Answer a request with a stream of a page's parts, sent at each change."""
        return stream_response(self, self._streams, view, request)

    def _card(self, name: str, last: State) -> str:
        return self._drawn.get_or_make((name, current_catalogue()), last, lambda: rendered("card.html", table=table_view(name, last)))

    def _lists_now(self, tournament: bool) -> str:
        """Results and standings as HTML, read again at most once a second, because many rounds may come at once.

        The standings are those of tonight. During a tournament there are none, because the tournament has its own,
        which also count results that were entered by hand.
        """
        tonight = dates.evening_date(time_of_day())
        today = f"{tonight}T{dates.EVENING_END.seconds // 3600:02}"
        version, now = (self._intake.version, today, tournament), time.monotonic()
        if version != self._version and now >= self._listed + LIST_SECONDS:
            self._version, self._listed = version, now
        elif version != self._version and self._loop is not None:
            self._loop.call_later(LIST_SECONDS, self.changed)
        return self._lists.get_or_make(current_catalogue(), self._version, lambda: self._draw_lists("" if tournament else today))

    def _draw_lists(self, since: str) -> str:
        """Render the results, and the standings of the rounds that arrived since a time, with "" none."""
        results = [(row, in_words(row.players, row.result), games.manifest_or_placeholder(row.game).name)
                   for row in self._intake.rounds(newest=RESULTS)]  # fmt: skip
        lines = self._intake.standings(since) if since else []
        return rendered("lists.html", results=results, columns=STANDINGS_COLUMNS, lines=lines[:LINES], more=len(lines) - LINES)


async def _file(request: Request) -> Response:
    return FileResponse(HERE / "static" / request.url.path.strip("/"))


def followed(request: Request) -> str:
    """The address of the tournaments' page for a phone, "" without one.

    This is the address at which the television asked, or this computer's own if the television runs on it.
    """
    host, port = request.url.hostname or "", request.url.port or 80
    if host in ("localhost", "127.0.0.1", "::1"):
        own = next(iter(page_urls(port)), "")
        return f"{own}tournaments" if own else ""
    return f"{request.url.scheme}://{request.url.netloc}/tournaments"


def application(night: HallView, names: tuple[str, ...] = (), more: Sequence[Route] = ()) -> Starlette:
    """The club server's pages as an ASGI application.

    `host_names` are this computer's names, which requests may ask for; `extra_routes` are the routes of further pages.
    """

    pages = [*night.routes, *more]
    return guarded_site(pages, night.lifespan, lambda: rendered("no_page.html"), names, most_body_bytes=LARGEST, most_upload_bytes=LARGEST_UPLOAD)


def table_view(name: str, last: State) -> TableView:
    """What is shown of a table; invalid parts of what the table sent are left out."""
    public = last.public
    if not last.here or public is None:
        return TableView(name, last.here)
    result = public.get("result")
    winners = result.get("winners") if isinstance(result, dict) else None
    panel = public.get("panel")
    picture = picture_of(public.get("board"), last.words or {})
    is_board = bool(picture)
    if not picture and isinstance(panel, str) and _PNG.fullmatch(panel):
        picture = f"data:image/png;base64,{panel}"
    won = [_word(each) for each in winners[:MOST_SEATS]] if isinstance(winners, list) else []
    return TableView(
        name,
        here=True,
        game=_word(public.get("game")),
        seats=_seats(public.get("players")),
        won=named_verdict(won) if won else "",
        picture=picture,
        board=is_board,
    )


def picture_of(svg: object, texts: Mapping[str, object]) -> str:
    """A drawing as a data URL with the pages' colours and in their language, "" for anything else.

    `texts` are the words in it that are texts, in English → their parts. An ``<img>`` of the drawing can neither run
    scripts nor load anything.
    """
    if not (isinstance(svg, str) and svg.startswith("<svg") and len(svg) <= LONGEST and _is_plain(svg)):
        return ""
    begin, end, rest = svg.partition(">")
    words = _WORDS.sub(lambda found: escape(_translated(unescape(found[0]), texts), quote=False), rest)
    whole = f"{begin}{end}<style>{_colours()}</style>{words}"
    if "xmlns=" not in begin:
        whole = whole.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return f"data:image/svg+xml;base64,{base64.b64encode(whole.encode('utf-8', 'replace')).decode()}"


def _translated(words: str, texts: Mapping[str, object]) -> str:
    """The words of a board in the language of the page, if they are a text whose message the catalogue has.

    The parts come from another machine, so only messages of our own catalogues are formatted, and only with short
    values.
    """
    games.added_manifests()  # Loading the games of other packages loads their catalogues too.
    catalogue = current_catalogue()
    match texts.get(words):
        case {"text": str(message), "values": dict(values), "number": int() | None as number} if catalogue is not None:
            short = all(isinstance(each, str | int) and len(str(each)) <= LONGEST_WORD for each in values.values())
            # Before Python 3.11.4 `gettext` does not know a message that has a plural.
            form = catalogue.gettext(message) if number is None else catalogue.ngettext(message, message, number)
            if short and form != message:
                with contextlib.suppress(LookupError, ValueError, AttributeError):  # Values that the message lacks.
                    if number is not None:
                        return plural_text(number, message, message, **values)
                    return text(message, **values)
    return words


def _is_plain(svg: str) -> bool:
    """Whether a drawing has nothing but text, and elements and attributes that boards have."""
    parts = list(_PART.finditer(svg))
    if len(parts) != svg.count("<") or len(parts) > 2 * MOST_PARTS:
        return False  # Some "<" begins no plain tag, but a comment, an instruction or a definition.
    return all(part[1] in ELEMENTS and set(_NAME.findall(part[2])) <= ATTRIBUTES for part in parts)


@cache
def _colours() -> str:
    """The stylesheet of boards, with their colours."""
    return (WEB / "static" / "board.css").read_text(encoding="utf-8")


def _seats(said: object) -> tuple[Seat, ...]:
    listed = said[:MOST_SEATS] if isinstance(said, list) else []
    return tuple(
        Seat(_word(each.get("name")), _word(each.get("score")), each.get("turn") is True)
        for each in listed
        if isinstance(each, dict)
    )


def _word(said: object) -> str:
    """A string or integer as text, cut to `MOST_WORD_LETTERS`; "" for any other value."""
    if isinstance(said, bool) or not isinstance(said, str | int):
        return ""
    return str(said)[:LONGEST_WORD] if isinstance(said, str) or abs(said) < 1 << 63 else ""


def in_words(players: tuple[str, ...], result: str) -> str:
    """A result, the winner and the winner's points first: ``Ben 12 : 6 Ann``.

    With more than two players only the winners are named.
    """
    found = Result.parse(result)
    order = sorted(range(len(players)), key=lambda seat: seat + 1 not in found.winners)
    scores = "\u00a0:\u00a0".join(str(found.scores[seat])[:12] for seat in order)
    if len(players) == 2:
        return f"{players[order[0]]} {scores} {players[order[1]]}"
    return text("{verdict}, {scores}", verdict=named_verdict(found.winner_names(players)), scores=scores)
