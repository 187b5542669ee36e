"""The host's pages: history with filters, replays of finished rounds, reports, names, and the score pad.

The pages' process cannot read the rounds. The table has questions answered by `companion.table.host_answers`, and
changes go to the table as requests.
"""

from __future__ import annotations

import json
import re
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from markupsafe import Markup
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.languages import text, translate
from companion.languages.templates import current_language
from companion.web.clients import requesting_phone_hash
from companion.web.phone_pages import PhonePages

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from starlette.requests import Request

    from companion.web.phone_pages import BoxKeys
    from companion.web.table_client import TableClient

FILTER_KEYS = ("game", "player", "since", "until", "page")
MAX_RECORD_LETTERS = 50_000
"""The most letters of a corrected record, encoded as JSON."""
MAX_VALUE_LETTERS = 60
"""The most letters of a filter's value or of a name."""
MAX_PASSWORD_LETTERS = 64
"""The most letters of a network's password that are sent to the table, which judges it."""
MAX_SEATS = 8
NEW_NAME = "+"
"""The choice of a seat for which a new name is typed."""
DATE_PATTERN = re.compile(r"\d{4}-\d\d-\d\d")
LINE_PATTERN = re.compile(r"\d{0,5}")
POINTS_PATTERN = re.compile(r"[+-]?\d{1,7}")
SETTING_PATTERN = re.compile(r"[a-z-]{1,12}")
FILE_NAME_PATTERN = re.compile(r"[\w.-]{1,60}")
REPORT_TYPES = ("text/html", "text/markdown")
NO_ANSWER = text("The box could not answer.")


class _HostMessageError(Exception):
    """The host gets this message instead of a page."""


class HostPages(PhonePages):
    """The pages of the host's phone; any other phone is shown how to become the host's."""

    def __init__(self, table: TableClient, render: Callable[..., str], box_keys: BoxKeys) -> None:
        super().__init__(table, render)
        self._box_keys = box_keys
        # What the table has last said about its games; every host's page is shown the same.
        self._games: list[dict[str, Any]] = []
        # Results in words by rounds, before they were corrected: a page shows what a correction has changed.
        self._told_before: dict[int, str] = {}

    @property
    def routes(self) -> list[Route]:
        host = self._host_only
        return [
            Route("/host", host(self.home_page)),
            Route("/host/box", host(self.keys_page)),
            Route("/host/play/{game}", host(self.setup_page)),
            Route("/host/play/{game}", host(self.start_round), methods=["POST"]),
            Route("/host/waits", self.poll_waiting),
            Route("/host/ask", self.ask_to_be_host, methods=["POST"]),
            Route("/host/settings", host(self.settings_page)),
            Route("/host/settings", host(self.change_setting), methods=["POST"]),
            Route("/host/standings", host(partial(self.table_page, template="host_standings.html"))),
            Route("/host/phones", host(partial(self.table_page, template="host_phones.html"))),
            Route("/host/history", host(self.history_page)),
            Route("/host/round/{number:int}", host(self.round_page)),
            Route("/host/round/{number:int}/picture", host(partial(self.round_page, template="replayed.html"))),
            Route("/host/round/{number:int}/change", host(self.change_page)),
            Route("/host/round/{number:int}/change", host(self.change_round), methods=["POST"]),
            Route("/host/report", host(self.download_report)),
            Route("/host/names", host(self.names_page)),
            Route("/host/names", host(self.change_names), methods=["POST"]),
            Route("/host/pad", host(self.pad_page)),
            Route("/host/pad", host(self.enter_points), methods=["POST"]),
        ]

    def _host_only(self, page: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        """Wrap a page so that only the host's phone gets it; another phone is shown how to become the host's."""

        async def guarded_page(request: Request) -> Response:
            phone = requesting_phone_hash(request)
            if not self._table.is_host(phone):
                return self._not_host_page(request)
            try:
                return await page(request)
            except _HostMessageError as refused:
                back = urlsplit(request.headers.get("referer", "")).path  # A page of our own, with what was entered.
                back = back if back.startswith("/host") else "/host"
                return self._page_response("host_message.html", 400, message=refused.args[0], back=back)

        return guarded_page

    async def _ask_host_question(self, request: Request, question: str, argument: str = "") -> dict[str, Any]:
        """Ask the table a question about stored rounds. Raises _HostMessageError."""
        answer = await self._table.send_request(requesting_phone_hash(request), question, argument)
        if "found" not in answer:
            raise _HostMessageError(answer.get("refusal") or NO_ANSWER)
        answer_found: dict[str, Any] = answer["found"]
        return answer_found

    def _not_host_page(self, request: Request, refusal: str = "") -> Response:
        """The page for a phone that is not the host's.

        The page shows how to become the host's phone, or that the box asks about this phone, or that the table is not
        connected.
        """
        phone = requesting_phone_hash(request)
        refusal = refusal or self._table.news.get(phone, "")
        return self._page_response("host_no.html", 200 if self._is_waiting(phone) else 403, phone, refusal=refusal)

    def _is_waiting(self, phone: str) -> bool:
        """Whether the box asks about a phone, or the table is not connected.

        Without the table nobody knows whose phone this is.
        """
        return self._table.public is None or self._table.is_asking_to_let_in(phone)

    async def home_page(self, request: Request) -> Response:
        """The games to choose from, or while a game is on the table what the host can do with it."""
        await self.load_games(request)
        return self._page_response("host.html", view=Markup(self.render_table_part(requesting_phone_hash(request))))

    async def load_games(self, request: Request) -> None:
        """Ask the table for its games, for `render_table_part`; without an answer those before stay."""
        phone = requesting_phone_hash(request)
        if self._table.is_host(phone):
            answer = await self._table.send_request(phone, "games")
            self._games = answer.get("found", {}).get("games", self._games)

    def render_table_part(self, phone: str) -> str:
        """The part of the host's page that changes with the table, as HTML."""
        public = self._table.public or {}
        return self._render_for_phone(
            "host_table.html",
            phone,
            remote=self._table.remote,
            box=Markup(self._box_keys.render_keys(phone)),
            board=Markup(translate(public.get("board", ""))),
            games=self._games,
            phones=self._table.phones,
            played=self._table.played,
        )

    async def keys_page(self, request: Request) -> Response:
        """What the box shows, with all its keys."""
        box = Markup(self._box_keys.render_keys(requesting_phone_hash(request)))
        return self._page_response("host_box.html", box=box)

    async def table_page(self, request: Request, template: str) -> Response:
        """A page about the evening, which nothing at the box waits for."""
        table, phone = self._table, requesting_phone_hash(request)
        return self._page_response(template, phone=phone, phones=table.phones, screen=table.screen, remote=table.remote)

    # -- the settings of the box ------------------------------------------------------------------------------------

    async def settings_page(self, request: Request, refusal: str = "") -> Response:
        """The settings of the box; while they are locked, each change needs the code."""
        return self._page_response("host_settings.html", refusal=refusal, box=self._table.settings)

    async def change_setting(self, request: Request) -> Response:
        form = await request.form()
        setting, code, words = (str(form.get(key, ""))[:MAX_VALUE_LETTERS] for key in ("setting", "code", "text"))
        if not SETTING_PATTERN.fullmatch(setting) or " " in code:
            return await self.settings_page(request, text("This is not possible here."))
        if setting == "join":
            words += "\t" + str(form.get("password", ""))[:MAX_PASSWORD_LETTERS]
        argument = f"{setting} {code or '-'} {words}"
        answer = await self._table.send_request(requesting_phone_hash(request), "setting", argument)
        if answer.get("refusal"):
            return await self.settings_page(request, answer["refusal"])
        return RedirectResponse("/host/settings", 303)

    # -- a new round --------------------------------------------------------------------------------------------

    async def setup_page(
        self, request: Request, refusal: str = "", chosen: dict[str, Any] | None = None, typed: Sequence[str] = ()
    ) -> Response:
        """The form of a game: its options, who sits where, hints and clock.

        `chosen` is what was sent with the form that was refused, or in which the seats were swapped; `typed` are the
        new names in it.
        """
        found = await self._ask_host_question(request, "games")
        game = next((each for each in found["games"] if each["id"] == request.path_params["game"]), None)
        if game is None:
            raise _HostMessageError(text("The box does not have this game."))
        if chosen is None:
            chosen = game | {"hints": found["hints"], "clock": game["clock"][0]}
            chosen["options"] = {each["name"]: each["chosen"] for each in game["options"]}
            chosen["opened"] = [f"{kind} {seat}" for kind, _, seats in game["holdings"] for seat in seats]
        clocks = dict(found["clocks"])
        if own_times := next((each for each in (chosen["clock"], game["clock"][0]) if each not in clocks), ""):
            clocks[own_times] = game["clock"][1]
        values = {"game": game, "chosen": chosen, "clocks": clocks, "goals": found["goals"]}
        names = dict.fromkeys((*found["people"], *filter(None, chosen["names"])))
        people = [name for name in names if name not in (*dict(game["computers"]), *typed)]
        return self._page_response("setup.html", refusal=refusal, people=people, typed=typed, **values)

    async def start_round(self, request: Request) -> Response:
        """Begin the round of a form, or show the form again: refused, or with everybody a seat further up."""
        form = await request.form()
        sent = {key: str(value)[:MAX_VALUE_LETTERS].strip() for key, value in form.items()}
        seats = [sent.get(f"seat{seat}", "") for seat in range(1, MAX_SEATS + 1)]
        typed = [sent.get(f"new{seat}", "") for seat, name in enumerate(seats, 1) if name == NEW_NAME]
        names = [sent.get(f"new{seat}", "") if name == NEW_NAME else name for seat, name in enumerate(seats, 1)]
        while names and not seats[len(names) - 1]:
            names.pop()
        options = {key.removeprefix("option-"): value for key, value in sent.items() if key.startswith("option-")}
        chosen: dict[str, Any] = {
            "game": request.path_params["game"],
            "options": options,
            "names": names,
            "goal": int(sent["goal"]) if sent.get("goal", "").isdecimal() else 0,
            "clock": sent.get("clock", ""),
            "opened": [str(each)[:MAX_VALUE_LETTERS] for each in form.getlist("opened")][: 2 * MAX_SEATS],
            "hints": "hints" in sent,
        }
        if sent.get("do") == "swap":
            times = chosen["clock"].split()  # A player's own time moves along.
            swapped = {"names": [*names[1:], *names[:1]], "clock": " ".join([*times[1:], *times[:1]])}
            return await self.setup_page(request, "", chosen | swapped, typed)
        phone = requesting_phone_hash(request)
        answer = await self._table.send_request(phone, "start", json.dumps(chosen, ensure_ascii=False))
        if answer.get("refusal"):
            return await self.setup_page(request, answer["refusal"], chosen, typed)
        return RedirectResponse("/seat" if self._table.phones.get(phone) in names else "/host", 303)

    async def ask_to_be_host(self, request: Request) -> Response:
        """Let the box ask whether a paired phone may become the host's too."""
        answer = await self._table.send_request(requesting_phone_hash(request), "host")
        if answer.get("refusal"):
            return self._not_host_page(request, answer["refusal"])
        return RedirectResponse("/host", 303)

    async def poll_waiting(self, request: Request) -> Response:
        """Answer a phone that waits, and asks for this again and again.

        Redirects to ``/host`` once the question at the box has been answered, or the table is connected again.
        """
        return Response(
            status_code=204,
            headers={} if self._is_waiting(requesting_phone_hash(request)) else {"hx-redirect": "/host"},
        )

    # -- stored rounds ------------------------------------------------------------------------------------------

    async def history_page(self, request: Request) -> Response:
        """A page of the rounds that the filter selects, newest first."""
        filter_values = {key: request.query_params.get(key, "")[:MAX_VALUE_LETTERS] for key in FILTER_KEYS}
        found = await self._ask_host_question(request, "history", json.dumps(filter_values))
        page = int(filter_values["page"]) if filter_values["page"].isdecimal() else 0
        return self._page_response("history.html", asked=filter_values, page=page, colours=self._colours, **found)

    async def round_page(self, request: Request, template: str = "round.html") -> Response:
        """A replay of a finished round, with a slider over its events.

        With the template ``replayed.html`` only the part that the slider changes is sent.
        """
        move = request.query_params.get("move", "0")
        move = move if move.isdecimal() and len(move) < 8 else "0"
        round_found = await self._ask_host_question(request, "round", f"{request.path_params['number']} {move}")
        # A button also has to move the slider.
        is_step = template == "replayed.html" and "step" in request.query_params
        return self._page_response(
            template, round=round_found, board=Markup(translate(round_found["board"])), step=is_step,
            colours=self._colours,
        )  # fmt: skip

    @property
    def _colours(self) -> dict[str, int]:
        """The colours and shapes of tonight's players."""
        colours: dict[str, int] = (self._table.public or {}).get("colours", {})
        return colours

    async def change_page(
        self, request: Request, refusal: str = "", submitted: str = "", line: str = "", *, is_tapped: bool = False
    ) -> Response:
        """A finished round, to be corrected or made void.

        `submitted` is the text as changed so far; `line` is that of the move which is corrected now, counted from 0.
        `is_tapped` says that what was refused was one move, and not a text that somebody has typed.
        """
        number, move = request.path_params["number"], request.query_params.get("move", "")
        is_changed = submitted != ""
        if not submitted and LINE_PATTERN.fullmatch(move) and move:  # From the replay, which shows the move.
            round_found = await self._ask_host_question(request, "record", str(number))
            submitted = round_found["text"]
            line = "".join(str(each["line"]) for each in round_found["moves"][int(move) - 1 : int(move)])
        argument = f"{number} {line or '-'}\n{submitted}" if submitted else str(number)
        round_found = await self._ask_host_question(request, "record", argument)
        round_found["text"] = submitted or round_found["text"]
        public = self._table.public or {}
        is_over = public.get("result") or (public.get("sheet") or {}).get("over")
        on_table = bool(public.get("game")) and not is_over
        values: dict[str, Any] = {
            "line": line,
            "is_changed": is_changed,
            "is_tapped": is_tapped,
            "is_saved": "saved" in request.query_params and not refusal,
            "told_before": self._told_before.get(number, ""),
            "colours": self._colours,
        }
        return self._page_response("change.html", round=round_found, refusal=refusal, on_table=on_table, **values)

    async def change_round(self, request: Request) -> Response:
        """Correct a finished round, make it void, or let it count again; the last two are asked about first.

        A form without one of these shows the moves, or what could be played in place of one of them.
        """
        form = await request.form()
        kind, submitted = str(form.get("what", "look")), str(form.get("text", "")).replace("\r\n", "\n")
        line, number = str(form.get("line", "")), request.path_params["number"]
        if kind not in ("correct", "void", "restore", "look") or not LINE_PATTERN.fullmatch(line):
            return await self.change_page(request, text("This is not possible here."))
        if kind in ("void", "restore") and form.get("sure") != "yes":
            return self._page_response("sure.html", number=number, what=kind, back=request.url.path)
        is_tapped = "move" in form
        if is_tapped and line:
            move, seat = str(form["move"])[:MAX_VALUE_LETTERS], str(form.get("inserts", ""))[:1]
            submitted = record_with_move(submitted, int(line), move, seat)
        if len(json.dumps(submitted)) > MAX_RECORD_LETTERS:
            return await self.change_page(request, text("This text is too long."))
        if kind == "look":
            return await self.change_page(request, "", submitted, line)
        argument, before = str(number), ""
        if kind == "correct":
            argument += f" {submitted}"
            before = (await self._ask_host_question(request, "record", str(number)))["told"]
        answer = await self._table.send_request(requesting_phone_hash(request), kind, argument)
        if answer.get("refusal"):
            return await self.change_page(request, answer["refusal"], submitted, is_tapped=is_tapped)
        self._told_before[number] = before
        return RedirectResponse(f"/host/round/{number}/change" + "?saved=1" * (kind == "correct"), 303)

    async def download_report(self, request: Request) -> Response:
        day = request.query_params.get("day", "")
        if not DATE_PATTERN.fullmatch(day):
            raise _HostMessageError(text("A report covers one evening: choose it from the list."))
        report_found = await self._ask_host_question(request, "report", f"{day} {current_language()}")
        name, media_type = str(report_found["name"]), str(report_found["type"])
        if not FILE_NAME_PATTERN.fullmatch(name) or media_type not in REPORT_TYPES:
            raise _HostMessageError(NO_ANSWER)
        headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
        return Response(report_found["body"], media_type=media_type, headers=headers)

    # -- names --------------------------------------------------------------------------------------------------

    async def names_page(self, request: Request, refusal: str = "", **submitted: str) -> Response:
        """All players, and the names that the box offers first.

        `submitted` is what was sent with a form that was refused; the form shows it again.
        """
        found = await self._ask_host_question(request, "names")
        news = self._table.news.get(requesting_phone_hash(request), "")
        return self._page_response(
            "names.html", refusal=refusal, news=news, favourites=self._table.favourites, sent=submitted, **found
        )

    async def change_names(self, request: Request) -> Response:
        """Rename or merge players, or change which names the box offers first.

        A merge cannot be undone, so it is asked about first.
        """
        form = await request.form()
        kind = str(form.get("what", ""))
        old, new = (str(form.get(key, ""))[:MAX_VALUE_LETTERS].strip(" ") for key in ("name", "new"))
        if kind not in ("rename", "merge", "favour", "unfavour"):
            return await self.names_page(request, text("This is not possible here."))
        if kind == "merge" and old == new:
            return await self.names_page(request, text("Choose two different names."), what=kind, name=old, new=new)
        if kind == "merge" and form.get("sure") != "yes":
            return self._page_response("sure.html", old=old, new=new, what=kind, back="/host/names")
        argument = f"{old},{new}" if kind in ("rename", "merge") else old
        answer = await self._table.send_request(requesting_phone_hash(request), kind, argument)
        if answer.get("refusal"):
            return await self.names_page(request, answer["refusal"], what=kind, name=old, new=new)
        return RedirectResponse("/host/names", 303)

    # -- the score pad ------------------------------------------------------------------------------------------

    async def pad_page(self, request: Request, refusal: str = "", seat: str = "", points: str = "") -> Response:
        """The score pad at the table, with a form for points.

        `seat` and `points` are an input that was refused; the form shows it again.
        """
        sheet = (self._table.public or {}).get("sheet")
        sheet_html = Markup(self._render("host_sheet.html", sheet=sheet))
        return self._page_response(
            "pad.html", sheet=sheet, shown=sheet_html, refusal=refusal, seat=seat, points=points[:8]
        )

    async def enter_points(self, request: Request) -> Response:
        """Enter points for one player of the score pad."""
        form = await request.form()
        seat, points = str(form.get("seat", "")), str(form.get("points", "")).strip().replace("−", "-")
        if not (seat.isdecimal() and len(seat) == 1 and POINTS_PATTERN.fullmatch(points)):
            return await self.pad_page(
                request, text("Enter the points as a whole number, such as 12 or -5."), seat, points
            )
        sheet = (self._table.public or {}).get("sheet")
        if sheet and form.get("names") != ", ".join(sheet["names"]):  # The page's seats may be other players' now.
            return await self.pad_page(
                request, text("Other players are on the score pad now. Whose points are these?"), points=points
            )
        answer = await self._table.send_request(requesting_phone_hash(request), "points", f"{seat} {int(points):+d}")
        if answer.get("refusal"):
            return await self.pad_page(request, answer["refusal"], seat, points)
        return RedirectResponse("/host/pad", 303)


def record_with_move(record_text: str, line: int, move: str, seat: str = "") -> str:
    """A record in which the event of a line, counted from 0, is another one, or for "" is left out.

    With a `seat` the event is that seat's and comes before the line.
    """
    lines = record_text.split("\n")
    if seat.isdigit():
        lines.insert(line, f"{seat}: {move}")
    elif move:
        lines[line : line + 1] = [f"{each.partition(':')[0]}: {move}" for each in lines[line : line + 1]]
    else:  # With the comment on its thinking time.
        del lines[line : line + 1 + "".join(lines[line + 1 : line + 2]).startswith("#")]
    return "\n".join(lines)
