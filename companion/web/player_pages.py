"""The pages of a player's phone: pairing, what the player may see, and moves made by tapping.

A phone is paired like this; its secret is in an HttpOnly cookie, and the table knows only the secret's hash:

    /p/CODE     the code on the panel, scanned or typed      welcome_page
    /pair       a player's name; the box asks                pair_phone, which sets a new secret
    /seat       the player's page, once the box has agreed   seat_page
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.languages import translate, text
from companion.web.clients import client_of, hashed, new_secret, phone_of, set_secret
from companion.web.phone_pages import BoxKeys, Pages
from companion.web.site import Rate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.datastructures import FormData
    from starlette.requests import Request

    from companion.web.table_client import TableClient

CODE = re.compile(r"[0-9A-Za-z]{6}")
PIECE = re.compile(r"[-+0-9A-Za-z/]{1,6}")
WHICH = re.compile(r"[0-9]{1,4} [0-9]{1,2}")
KEYS = re.compile(r"[0-9A-D]{0,24}")
PART = re.compile(r"[0-9]?")
TRIES, TRIES_SECONDS = 4, 120
"""How often one device may be refused in so many seconds: fewer than make the table stop all pairing."""
TOO_MANY = text("Too many tries from this device: wait two minutes.")
SIX = text("A code has six letters and digits.")
MOST_PIECES = 50
"""The most pieces that a form may name."""
LONGEST_NAME = 100
"""The most letters of a player's name that is sent."""
LONGEST_MISFITS = 200
"""The most letters of the list of taps that did not fit."""

SNAPSHOT_SECONDS = 2.0
"""How long a new phone's page waits for the snapshot that shows what the box asks."""


class PlayerPages(Pages):
    """The pages of players' phones, and of a phone that is to become a player's."""

    def __init__(self, table: TableClient, render: Callable[..., str]) -> None:
        super().__init__(table, render)
        self.box = BoxKeys(table, render)
        self._tries = Rate(TRIES / TRIES_SECONDS, TRIES)

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/p", self.welcome),
            Route("/p/{code}", self.welcome),
            Route("/P/{code}", self.welcome),
            Route("/pair", self.pair, methods=["POST"]),
            Route("/pair", self.welcome),
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

    # -- pairing ------------------------------------------------------------------------------------------------

    async def welcome(self, request: Request) -> Response:
        """The page of the code on the panel, scanned or typed.

        If the code is right the page asks whose phone this is, else the page shows what is wrong with the code.
        """
        typed = str(request.path_params.get("code") or request.query_params.get("code", ""))
        code = "".join(typed.split()).upper()
        if not code or self._table.public is None:
            return self._welcome(code)
        if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return self._welcome(code)  # A link of another site must not use up this device's tries.
        refusal = await self._try(request, "code", code) if CODE.fullmatch(code) else SIX
        phone = phone_of(request)
        if refusal and self._table.knows(phone):  # This phone used the code to get in, and the back button leads here.
            return RedirectResponse("/host" if self._table.is_host(phone) else "/seat", 303)
        return self._welcome(code, refusal, () if refusal else self._table.names)

    def _welcome(self, code: str, refusal: str = "", names: Sequence[str] = ()) -> Response:
        """The form for the code, with a refusal; or with `names` the question whose phone this is."""
        public = self._table.public
        between = public is not None and not public["players"]
        status = 200 if not refusal else 429 if refusal == TOO_MANY else 403
        words = {"names": names, "between": between, "away": public is None}
        return self._page("welcome.html", status, None, code=code, refusal=refusal, **words)

    async def _try(self, request: Request, what: str, asked: str, secret: str = "") -> str:
        """Send the table a request with a code, for a phone with this secret. Returns why it is refused, "" if not."""
        client = client_of(request.client.host) if request.client else ""
        if not self._tries.allows(client, time.monotonic(), counts=False):
            return TOO_MANY
        was = phone_of(request)
        answer = await self._table.ask(hashed(secret), what, asked, was if self._table.knows(was) else "")
        refusal: str = answer.get("refusal", "")
        if refusal and not self._table.asks:  # While the box asks about another phone, every code is refused.
            self._tries.allows(client, time.monotonic())
        return refusal

    async def pair(self, request: Request) -> Response:
        """Let the box ask whether to pair this phone.

        The phone gets a new secret now, which is valid once somebody at the box has agreed.
        """
        form = await request.form()
        code, name = str(form.get("code", "")), str(form.get("player", "")).strip(" ")
        host = "host" in form
        if not CODE.fullmatch(code) or not (host or 0 < len(name) <= LONGEST_NAME):
            return self._welcome("", text("Enter the code from the box again."))
        secret = new_secret()
        what, says = ("host", code) if host else ("pair", f"{code} {name}")
        if refusal := await self._try(request, what, says, secret):
            return self._welcome(code, refusal)
        phone = hashed(secret)  # The reply comes before the snapshot that says that the box asks.
        await self._table.wait_until(
            lambda: self._table.asks_about(phone) or self._table.knows(phone), SNAPSHOT_SECONDS
        )
        response = RedirectResponse("/host" if host else "/seat", 303)
        set_secret(response, secret)
        return response

    async def sit(self, request: Request) -> Response:
        """Let the box ask whether this phone may become another player's."""
        form = await request.form()
        return await self._send(request, "sit", str(form.get("player", ""))[:LONGEST_NAME])

    # -- the seat -----------------------------------------------------------------------------------------------

    async def seat(self, request: Request) -> Response:
        """The player's page, or for an unpaired phone what it waits for."""
        phone = phone_of(request)
        return self._page(
            "seat.html",
            view=Markup(self.view(phone)),
            box=Markup(self.box.part(phone)),
            hand=self.hand(phone),
            draft=Markup(await self._draft(phone, "")),
        )

    def view(self, phone: str) -> str:
        """The part of a phone's page that shows the table, as HTML."""
        public = self._table.public
        board, keys = Markup(translate(public["board"])) if public else "", self.box.keys(phone)
        return self._part("seat_view.html", phone, seat=self._table.seat_of(phone), board=board, remote=keys)

    def hand(self, phone: str) -> str:
        """The player's own pieces in words; "" for an unpaired phone."""
        seat = self._table.seat_of(phone)
        return translate(seat["pieces"] or text("None that the box knows of.")) if seat is not None else ""

    def moment(self, phone: str) -> str:
        """A hash of all that a draft depends on: the turn, the moves, the questions to this player.

        When it changes, the page has its draft judged again.
        """
        seat, public = self._table.seat_of(phone), self._table.public or {}
        on_table = public.get("game"), public.get("moves", ())
        mine = seat and {key: value for key, value in seat.items() if key != "pieces"}
        return hashed(repr((mine, on_table, self._table.names, self._table.asks_about(phone))))

    async def judge(self, request: Request) -> Response:
        """Judge a draft; nothing is played."""
        form = await request.form()
        keys = str(form.get("keys", ""))
        phone = phone_of(request)
        if form.get("mending"):  # The table's state changed while the player was correcting a piece.
            return HTMLResponse(self._mending(phone, str(form["mending"])))
        pieces = _pieces(form.get("pieces"), (self._table.seat_of(phone) or {}).get("deal"))
        part, _, moment = str(form.get("hint", "")).partition(" ")
        hint = await self._hint(phone, part) if moment == self.moment(phone) else {}  # An outdated hint goes.
        keys = keys if KEYS.fullmatch(keys) else ""
        return HTMLResponse(await self._draft(phone, keys, pieces=pieces, misfits=_misfits(form), **hint))

    async def play(self, request: Request) -> Response:
        """Play a complete move.

        If taps did not fit, the page names them first, and the move is played only when the button is pressed again.
        """
        form = await request.form()
        keys, misfits = str(form.get("keys", "")), _misfits(form)
        if KEYS.fullmatch(keys) and keys and misfits and not form.get("sure"):
            return HTMLResponse(await self._draft(phone_of(request), keys, misfits=misfits, sure=True))
        return await self._send(request, "play", str(form.get("event", ""))[:100])

    async def pieces(self, request: Request) -> Response:
        """Add or remove one of the pieces that the player names, or submit all of them."""
        form = await request.form()
        phone = phone_of(request)
        entered = _pieces(form.get("pieces"), (self._table.seat_of(phone) or {}).get("deal"))
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
        """Let the box ask another player whether the last move is taken back."""
        return await self._send(request, "back")

    async def agree(self, request: Request) -> Response:
        """Answer yes or no to the box's question to this player."""
        form = await request.form()
        return await self._send(request, "decline" if form.get("no") else "agree")

    async def mend(self, request: Request) -> Response:
        """Correct a wrongly named piece: first choose which one, then what it really is."""
        form = await request.form()
        which, piece = str(form.get("which", "")), str(form.get("piece", ""))
        if WHICH.fullmatch(which) and PIECE.fullmatch(piece):
            return await self._send(request, "mend", f"{which} {piece}")
        return HTMLResponse(self._mending(phone_of(request), which))

    def _mending(self, phone: str, which: str) -> str:
        """The pieces that the player has named; or for one of them, `which`, the pieces that it may really be."""
        named = (self._table.seat_of(phone) or {}).get("named", [])
        wrong: dict[str, Any] = next(
            (
                {"wrong": piece, "grid": each["grid"], "words": each["words"]}
                for each in named
                for piece, index in zip(each["pieces"], each["which"], strict=True)
                if which == f"{each['place']} {index}"
            ),
            {},
        )
        return self._render("mend.html", named=named, which=which, **wrong)

    async def words(self, request: Request) -> Response:
        """Ask the referee whether another move was possible, or for a hint, part by part."""
        form = await request.form()
        phone = phone_of(request)
        if form.get("what") == "hint":
            return HTMLResponse(await self._draft(phone, "", **await self._hint(phone, str(form.get("part", "")))))
        answer = await self._table.ask(phone, "could")
        return HTMLResponse(await self._draft(phone, "", answer.get("refusal", ""), says=answer.get("words") or []))

    async def _hint(self, phone: str, part: str) -> dict[str, Any]:
        """A part of a hint as values of the page, "" for the first part.

        The values are its words, whether the page has to ask again, and the number of the part that follows.
        """
        part = part if PART.fullmatch(part) else ""
        answer = await self._table.ask(phone, "hint", part)
        following = answer.get("part", 0) + 1
        return {
            "refusal": answer.get("refusal", ""),
            "says": answer.get("words") or [],
            "waits": answer.get("wait", False),
            "hint": f"{part} {self.moment(phone)}",
            "part": part,
            "following": following if following < answer.get("parts", 0) else 0,
        }

    async def _send(self, request: Request, what: str, asked: str = "") -> Response:
        """Send the table a request of this seat. Returns the page's part for it, with a refusal if there is one."""
        phone = phone_of(request)
        answer = await self._table.ask(phone, what, asked)
        return HTMLResponse(await self._draft(phone, "", answer.get("refusal", "")))

    async def _hand_in(self, phone: str, pieces: list[str]) -> str:
        """Submit the pieces. Returns why they are refused, "" if they are accepted."""
        deal = (self._table.seat_of(phone) or {}).get("deal")
        if not deal:
            return text("The box is not asking for these pieces now.")
        what, word = ("play", deal["word"]) if deal["play"] else ("deal", deal["word"])
        refusal: str = (await self._table.ask(phone, what, " ".join([word, *pieces]))).get("refusal", "")
        return refusal

    async def _draft(
        self, phone: str, keys: str, refusal: str = "", pieces: list[str] | None = None, misfits: str = "", **more: Any
    ) -> str:
        """The draft, or the pieces named so far, with what can be tapped next, as HTML; `misfits` did not fit."""
        seat = self._table.seat_of(phone)
        draft: dict[str, Any] | None = None
        if seat is not None and (seat["turn"] or seat["seat"]):
            draft = (await self._table.ask(phone, "judge", keys)).get("draft")
        left_out = ", ".join(filter(None, (misfits, *draft["misfits"]))) if draft and draft["keys"] else ""
        others = [name for name in self._table.names if seat is not None and name != seat["name"]]
        words = {"draft": draft, "keys": keys, "refusal": refusal, "pieces": pieces or [], "misfits": left_out}
        return self._part("draft.html", phone, **words | {"seat": seat, "others": others} | more)


def _misfits(form: FormData) -> str:
    """The labels of the taps that did not fit the draft."""
    return str(form.get("misfits", ""))[:LONGEST_MISFITS]


def _pieces(words: object, deal: dict[str, Any] | None) -> list[str]:
    """The pieces named so far, without any that cannot be asked for now."""
    grid = {piece for row in deal["grid"] for piece in row} if deal else set()
    return [piece for piece in str(words or "").split() if piece in grid][:MOST_PIECES]
