"""A seat's own phone: letting it in, what it shows its owner, and the moves that its owner makes by tapping.

A phone is known by a secret in a cookie that no script can read; the table knows only the secret's hash.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.web import secret as secrets
from companion.web.secret import hashed, phone_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from companion.web.table import Table

CODE = re.compile(r"[0-9A-Za-z]{6}")
PIECE = re.compile(r"[-+0-9A-Za-z/]{1,6}")
WHICH = re.compile(r"[0-9]{1,4} [0-9]{1,2}")
KEYS = re.compile(r"[0-9A-D]{0,24}")
MOST_PIECES = 50
LONGEST_NAME = 100


class Seats:
    """The pages of seats' phones.

    Args:
        table: the table.
        render: fills a template, ``render("seat.html", …)``.
    """

    def __init__(self, table: Table, render: Callable[..., str]) -> None:
        self._table = table
        self._render = render

    @property
    def routes(self) -> list[Route]:
        """The addresses of these pages, and what answers there."""
        return [
            Route("/p/{code}", self.welcome),
            Route("/P/{code}", self.welcome),
            Route("/pair", self.pair, methods=["POST"]),
            Route("/seat", self.seat),
            Route("/seat/sit", self.sit, methods=["POST"]),
            Route("/seat/judge", self.judge, methods=["POST"]),
            Route("/seat/play", self.play, methods=["POST"]),
            Route("/seat/pieces", self.pieces, methods=["POST"]),
            Route("/seat/back", self.back, methods=["POST"]),
            Route("/seat/agree", self.agree, methods=["POST"]),
            Route("/seat/mend", self.mend, methods=["POST"]),
            Route("/seat/words", self.words, methods=["POST"]),
        ]

    # -- letting in ---------------------------------------------------------------------------------------------

    async def welcome(self, request: Request) -> Response:
        """Where the code on the panel leads: watch, or say who you are."""
        code = request.path_params["code"]
        return self._page("welcome.html", code=code if CODE.fullmatch(code) else "", names=self._table.names)

    async def pair(self, request: Request) -> Response:
        """Ask the box to let this phone in; it gets its secret now, which counts once the box has said yes."""
        form = await request.form()
        code, name = str(form.get("code", "")), str(form.get("player", ""))
        host = "host" in form
        if not CODE.fullmatch(code) or not (host or 0 < len(name) <= LONGEST_NAME):
            return self._page("message.html", 400, message="Scan the code at the box once more.")
        secret = secrets.of(request)
        what, text = ("host", code) if host else ("pair", f"{code} {name}")
        answer = await self._table.ask(hashed(secret), what, text)
        if answer.get("refusal"):
            return self._page("message.html", 403, message=answer["refusal"])
        response = RedirectResponse("/host" if host else "/seat", 303)
        secrets.keep(response, secret)
        return response

    async def sit(self, request: Request) -> Response:
        """Ask the box to let this phone be another player's."""
        form = await request.form()
        answer = await self._table.ask(phone_of(request), "sit", str(form.get("player", ""))[:LONGEST_NAME])
        refusal = answer.get("refusal", "")
        return HTMLResponse(await self._draft(phone_of(request), "", refusal, asks=not refusal))

    # -- the seat -----------------------------------------------------------------------------------------------

    async def seat(self, request: Request) -> Response:
        """The phone's own page, or what it waits for."""
        phone = phone_of(request)
        return self._page(
            "seat.html",
            view=Markup(self.view(phone)),
            hand=self.hand(phone),
            draft=Markup(await self._draft(phone, "")),
        )

    def view(self, phone: str) -> str:
        """The part of a phone's page that changes with the table."""
        table = self._table
        board = Markup(table.public["board"]) if table.public else ""
        asks, host = phone != "" and table.asks == phone, phone != "" and table.host == phone
        words = {"asks": asks, "host": host, "board": board}
        return self._render("seat_view.html", table=table.public, seat=self._seat(phone), **words)

    def _seat(self, phone: str) -> dict[str, Any] | None:
        """What a phone's player may see, None for a phone that was not let in."""
        return self._table.seats.get(self._table.phones.get(phone, ""))

    def hand(self, phone: str) -> str:
        """A player's own pieces in words, for the player's phone."""
        seat = self._seat(phone)
        return str(seat["pieces"] or "None that the box knows.") if seat is not None else ""

    def moment(self, phone: str) -> str:
        """Changes when a half-made move has to be judged anew: at another turn, after a move, for another question."""
        seat = self._seat(phone)
        moves = (self._table.public or {}).get("moves", ())
        mine = seat and {key: value for key, value in seat.items() if key != "pieces"}
        return hashed(repr((mine, moves, self._table.names)))

    async def judge(self, request: Request) -> Response:
        """The move as far as it is tapped, judged; nothing leaves this phone but to be judged."""
        form = await request.form()
        keys = str(form.get("keys", ""))
        phone = phone_of(request)
        if form.get("mending"):  # The table has changed while a piece is being mended.
            return HTMLResponse(self._mending(phone, str(form["mending"])))
        pieces = _pieces(form.get("pieces"), (self._seat(phone) or {}).get("deal"))
        return HTMLResponse(await self._draft(phone, keys if KEYS.fullmatch(keys) else "", pieces=pieces))

    async def play(self, request: Request) -> Response:
        """The complete move goes to the table."""
        form = await request.form()
        phone = phone_of(request)
        answer = await self._table.ask(phone, "play", str(form.get("event", ""))[:100])
        return HTMLResponse(await self._draft(phone, "", answer.get("refusal", "")))

    async def pieces(self, request: Request) -> Response:
        """Pieces that the seat names: tapped one by one, taken out again by a tap, then handed in."""
        form = await request.form()
        phone = phone_of(request)
        entered = _pieces(form.get("pieces"), (self._seat(phone) or {}).get("deal"))
        added, taken = str(form.get("add", "")), str(form.get("take", ""))
        if PIECE.fullmatch(added):
            entered.append(added)
        if taken.isdigit() and int(taken) < len(entered):
            del entered[int(taken)]
        refusal = await self._hand_in(phone, entered) if form.get("done") else ""
        if form.get("done") and not refusal:
            entered = []
        return HTMLResponse(await self._draft(phone, "", refusal, entered))

    async def back(self, request: Request) -> Response:
        """Ask at the box to take the last move back."""
        return await self._wish(request, "back")

    async def agree(self, request: Request) -> Response:
        """Say yes or no to what the box asks this player."""
        form = await request.form()
        return await self._wish(request, "decline" if form.get("no") else "agree")

    async def mend(self, request: Request) -> Response:
        """Mend a piece that was named wrongly: which one, then what it is in truth."""
        form = await request.form()
        phone = phone_of(request)
        which, piece = str(form.get("which", "")), str(form.get("piece", ""))
        if WHICH.fullmatch(which) and PIECE.fullmatch(piece):
            answer = await self._table.ask(phone, "mend", f"{which} {piece}")
            return HTMLResponse(await self._draft(phone, "", answer.get("refusal", "")))
        return HTMLResponse(self._mending(phone, which))

    def _mending(self, phone: str, which: str) -> str:
        """The pieces that the player has named; or those that one of them, `which`, may be in truth."""
        named = (self._seat(phone) or {}).get("named", [])
        pieces = {f"{each['place']} {index}": (each, index) for each in named for index in range(len(each["pieces"]))}
        chosen, index = pieces.get(which, (None, 0))
        return self._render("mend.html", named=named, chosen=chosen, index=index, which=which)

    async def words(self, request: Request) -> Response:
        """A question to the referee: could I have moved, or a hint."""
        form = await request.form()
        phone = phone_of(request)
        answer = await self._table.ask(phone, "hint" if form.get("what") == "hint" else "could")
        return HTMLResponse(await self._draft(phone, "", answer.get("refusal", ""), says=answer.get("words") or []))

    async def _wish(self, request: Request, what: str) -> Response:
        phone = phone_of(request)
        answer = await self._table.ask(phone, what)
        return HTMLResponse(await self._draft(phone, "", answer.get("refusal", "")))

    async def _hand_in(self, phone: str, pieces: list[str]) -> str:
        """Why the pieces cannot stand, "" where they do."""
        deal = (self._seat(phone) or {}).get("deal")
        if not deal:
            return "These pieces are not asked for now."
        what, text = ("play", deal["word"]) if deal["play"] else ("deal", deal["word"])
        return str((await self._table.ask(phone, what, " ".join([text, *pieces]))).get("refusal", ""))

    async def _draft(
        self, phone: str, keys: str, refusal: str = "", pieces: list[str] | None = None, **more: Any
    ) -> str:
        """The half-made move, or the pieces being named, with what can be tapped next."""
        seat = self._seat(phone)
        draft: dict[str, Any] | None = None
        if seat is not None and seat["turn"] and not seat["deal"]:
            draft = (await self._table.ask(phone, "judge", keys)).get("draft")
        others = [name for name in self._table.names if seat is not None and name != seat["name"]]
        words = {"draft": draft, "keys": keys, "refusal": refusal, "pieces": pieces or []} | more
        return self._render("draft.html", table=self._table.public, seat=seat, others=others, **words)

    def _page(self, name: str, status: int = 200, **words: Any) -> Response:
        return HTMLResponse(self._render(name, **words), status, {"cache-control": "no-store"})


def _pieces(words: object, deal: dict[str, Any] | None) -> list[str]:
    """The pieces that are entered so far, of those that are asked for now."""
    grid = {piece for row in deal["grid"] for piece in row} if deal else set()
    return [piece for piece in str(words or "").split() if piece in grid][:MOST_PIECES]
