"""The pages of a player's phone: pairing, what the player may see, and moves made by tapping.

A phone is paired like this; its secret is in an HttpOnly cookie, and the table knows only the secret's hash:

    /p/CODE     the code on the panel, scanned or typed      welcome_page, with a name or a seat to choose
    /pair       a player's name, host or big screen          pair_phone, which sets a new secret
    /seat/sit   another name, while the box asks or later    change_player
    /seat       the player's page, once the box has agreed   seat_page
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.languages import text, translate
from companion.web.clients import client_key, hash_secret, make_secret, requesting_phone_hash, set_phone_cookie
from companion.web.phone_pages import BoxKeys, PhonePages
from companion.web.site import RateLimit

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.datastructures import FormData
    from starlette.requests import Request

    from companion.web.table_client import TableClient

CODE_PATTERN = re.compile(r"[0-9A-Za-z]{6}")
PIECE_PATTERN = re.compile(r"[-+0-9A-Za-z/]{1,6}")
NAMED_PIECE_PATTERN = re.compile(r"[0-9]{1,4} [0-9]{1,2}")
KEYS_PATTERN = re.compile(r"[0-9A-D]{0,24}")
HINT_PART_PATTERN = re.compile(r"[0-9]?")
MAX_TRIES, TRIES_SECONDS = 4, 120
"""How often one device may be refused in this many seconds: fewer than make the table stop all pairing."""
TOO_MANY_TRIES = text("Too many tries from this device: wait two minutes.")
CODE_LENGTH_RULE = text("A code has six letters and digits.")
MAX_PIECES = 50
"""The most pieces that a form may name."""
MAX_NAME_LETTERS = 100
"""The most letters of a player's name that is sent."""
MAX_MISFITS_LETTERS = 200
"""The most letters of the list of taps that did not fit."""

SNAPSHOT_SECONDS = 2.0
"""How long a new phone's page waits for the snapshot that shows what the box asks."""


class PlayerPages(PhonePages):
    """The pages of players' phones, and of a phone that is to become a player's."""

    def __init__(self, table: TableClient, render: Callable[..., str]) -> None:
        super().__init__(table, render)
        self.box_keys = BoxKeys(table, render)
        self._try_limit = RateLimit(MAX_TRIES / TRIES_SECONDS, MAX_TRIES)

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/p", self.welcome_page),
            Route("/p/{code}", self.welcome_page),
            Route("/P/{code}", self.welcome_page),
            Route("/pair", self.pair_phone, methods=["POST"]),
            Route("/pair", self.welcome_page),
            Route("/seat", self.seat_page),
            Route("/seat/sit", self.change_player, methods=["POST"]),
            Route("/seat/moves", self.moves_page),
            Route("/seat/judge", self.judge_draft, methods=["POST"]),
            Route("/seat/play", self.play_move, methods=["POST"]),
            Route("/seat/pieces", self.enter_pieces, methods=["POST"]),
            Route("/seat/back", self.ask_takeback, methods=["POST"]),
            Route("/seat/agree", self.answer_question, methods=["POST"]),
            Route("/seat/mend", self.correct_piece, methods=["POST"]),
            Route("/seat/rematch", self.ask_rematch, methods=["POST"]),
            Route("/seat/review", self.toggle_review, methods=["POST"]),
            Route("/seat/words", self.ask_referee, methods=["POST"]),
        ]

    # -- pairing ------------------------------------------------------------------------------------------------

    async def welcome_page(self, request: Request) -> Response:
        """The page of the code on the panel, scanned or typed.

        If the code is right the page asks whose phone this is, else the page shows what is wrong with the code. A phone
        about which the box is asking may choose another name.
        """
        phone = requesting_phone_hash(request)
        if self._table.is_asking_to_let_in(phone):
            asked = (self._table.public or {}).get("content") or {}
            return self._welcome_response(player=asked.get("name", ""), is_right=True, is_asking=True)
        code = _typed_code(request.path_params.get("code") or request.query_params.get("code", ""))
        if not code and phone in self._table.phones:
            return RedirectResponse("/seat", 303)  # The back button leads here too, after another name was chosen.
        if not code or self._table.public is None:
            return self._welcome_response(code)
        if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return self._welcome_response(code)  # A link of another site must not use up this device's tries.
        refusal = await self._ask_with_code(request, "code", code) if CODE_PATTERN.fullmatch(code) else CODE_LENGTH_RULE
        # This phone used the code to get in, and the back button leads here.
        if refusal and self._table.is_let_in(phone):
            return RedirectResponse(
                "/host" if self._table.is_host(phone) else "/seat" if phone in self._table.phones else "/", 303
            )
        return self._welcome_response(code, refusal, is_right=not refusal)

    def _welcome_response(
        self,
        code: str = "",
        refusal: str = "",
        player: str = "",
        *,
        is_right: bool = False,
        is_asking: bool = False,
        sure: str = "",
    ) -> Response:
        """The form for the code and the name, with a refusal; once the code `is_right` also with names to choose from.

        `is_asking` is whether the box asks about this phone already, so that no code is needed. `sure` is a name whose
        phone this one replaces if the form is sent again.
        """
        public = self._table.public
        seats = [each["name"] for each in public["players"]] if public is not None else []
        status = 200 if not refusal else 429 if refusal == TOO_MANY_TRIES else 403
        values: dict[str, Any] = {"possible": self._table.names, "seats": seats, "phones": self._table.phones.values()}
        values["colours"] = public["colours"] if public is not None else {}
        values |= {"scanned": is_right, "asking": is_asking, "away": public is None, "sure": sure}
        return self._page_response("welcome.html", status, code=code, player=player, refusal=refusal, **values)

    async def _ask_with_code(self, request: Request, kind: str, argument: str, secret: str = "") -> str:
        """Send the table a request with a code, for a phone with this secret. Returns why it is refused, "" if not."""
        client = client_key(request.client.host) if request.client else ""
        if not self._try_limit.allows(client, time.monotonic(), is_counted=False):
            return TOO_MANY_TRIES
        previous_phone = requesting_phone_hash(request)
        answer = await self._table.send_request(
            hash_secret(secret), kind, argument, previous_phone if self._table.is_let_in(previous_phone) else ""
        )
        refusal: str = answer.get("refusal", "")
        if refusal and not self._table.asking_phone:  # While the box asks about another phone, every code is refused.
            self._try_limit.allows(client, time.monotonic())
        return refusal

    async def pair_phone(self, request: Request) -> Response:
        """Let the box ask whether to pair this phone.

        The phone gets a new secret now, which is valid once somebody at the box has agreed.
        """
        form = await request.form()
        code, name = _typed_code(form.get("code", "")), str(form.get("player", "")).strip(" ")
        role = next((each for each in ("host", "screen") if each in form), "")
        if not CODE_PATTERN.fullmatch(code):
            return self._welcome_response(code, CODE_LENGTH_RULE, player=name)
        if not (role or 0 < len(name) <= MAX_NAME_LETTERS):
            return self._welcome_response(code, text("Enter your name."))
        others = [
            each.casefold() for phone, each in self._table.phones.items() if phone != requesting_phone_hash(request)
        ]
        is_at_seats = bool((self._table.public or {}).get("players"))  # There each seat says whether it has a phone.
        if not (role or is_at_seats) and name.casefold() in others and form.get("sure") != name:
            reason = text(
                "{who} already has a phone. To let this one take its place, press the button again.", who=name
            )
            return self._welcome_response(code, reason, player=name, sure=name)
        secret = make_secret()
        kind, argument = (role, code) if role else ("pair", f"{code} {name}")
        if refusal := await self._ask_with_code(request, kind, argument, secret):
            return self._welcome_response(code, refusal, player=name)
        phone = hash_secret(secret)  # The reply comes before the snapshot that says that the box asks.
        await self._table.wait_until(
            lambda: self._table.is_asking_to_let_in(phone) or self._table.is_let_in(phone), SNAPSHOT_SECONDS
        )
        response = RedirectResponse({"host": "/host", "screen": "/"}.get(role, "/seat"), 303)
        set_phone_cookie(response, secret)
        return response

    async def change_player(self, request: Request) -> Response:
        """Let the box ask whether this phone may be another player's."""
        name = str((await request.form()).get("player", ""))[:MAX_NAME_LETTERS]
        if "hx-request" in request.headers:
            return await self._send_request(request, "sit", name)
        answer = await self._table.send_request(requesting_phone_hash(request), "sit", name)
        if refusal := answer.get("refusal", ""):
            return self._welcome_response("", refusal, name, is_right=True, is_asking=True)
        return RedirectResponse("/seat", 303)

    # -- the seat -----------------------------------------------------------------------------------------------

    async def seat_page(self, request: Request) -> Response:
        """The player's page, or for an unpaired phone what it waits for."""
        phone = requesting_phone_hash(request)
        return self._page_response(
            "seat.html",
            view=Markup(self.render_table_part(phone)),
            box=Markup(self.box_keys.render_keys(phone)),
            draft=Markup(await self._render_draft(phone, "")),
        )

    def render_table_part(self, phone: str) -> str:
        """The part of a phone's page that shows the table, as HTML."""
        public = self._table.public
        board, keys = Markup(translate(public["board"])) if public else "", self.box_keys.allowed_keys(phone)
        values = {"board": board, "remote": keys, "seen": self._table.remote.get("seen", "")}
        return self._render_for_phone("seat_view.html", phone, seat=self._table.view_for_phone(phone), **values)

    def draft_inputs_hash(self, phone: str) -> str:
        """A hash of all that a draft depends on: the turn, the moves, the board, the questions to this player.

        When it changes, the page has its draft judged again.
        """
        seat, public = self._table.view_for_phone(phone), self._table.public or {}
        # A phone that watches shows the public board, which is there once all pieces are named.
        on_table = public.get("game"), public.get("moves", ()), bool(public.get("board")), public.get("box")
        closes = seat and seat.get("holds") and self._table.remote.get("seen")
        return hash_secret(repr((seat, on_table, closes, self._table.names, self._table.is_asking_to_let_in(phone))))

    async def moves_page(self, request: Request) -> Response:
        """All moves of the round; with a number also the board as it was after that move."""
        number = str(request.query_params.get("move", ""))[:6]
        answer = await self._table.send_request(requesting_phone_hash(request), "moves", number)
        board = Markup(translate(answer.get("board", "")))
        values = {"moves": answer.get("moves", ()), "at": answer.get("at"), "refusal": answer.get("refusal", "")}
        return self._page_response(
            "moves.html", board=board, colours=(self._table.public or {}).get("colours", {}), **values
        )

    async def judge_draft(self, request: Request) -> Response:
        """Judge a draft; nothing is played."""
        form = await request.form()
        phone = requesting_phone_hash(request)
        if form.get("mending"):  # The table's state changed while the player was correcting a piece.
            return HTMLResponse(self._render_correction(phone, str(form["mending"]), form))
        pieces = _entered_pieces(form, self._pieces_to_name(phone))
        part, _, version = str(form.get("hint", "")).partition(" ")
        # An outdated hint goes.
        hint = await self._hint_values(phone, part) if version == self.draft_inputs_hash(phone) else {}
        values = {"pieces": pieces, "misfits": _misfit_labels(form), **hint}
        return HTMLResponse(await self._render_draft(phone, self._draft_keys(phone, form), **values))

    async def play_move(self, request: Request) -> Response:
        """Play a complete move.

        If taps did not fit, the page names them in place of its green tick; a button pressed before that plays nothing.
        """
        form = await request.form()
        phone = requesting_phone_hash(request)
        keys, misfits = self._draft_keys(phone, form), _misfit_labels(form)
        if keys and misfits and not form.get("sure"):
            return HTMLResponse(await self._render_draft(phone, keys, misfits=misfits))
        return await self._send_request(request, "play", str(form.get("event", ""))[:100])

    async def enter_pieces(self, request: Request) -> Response:
        """Add or remove one of the pieces that the player names, or submit all of them."""
        form = await request.form()
        phone = requesting_phone_hash(request)
        deal = self._pieces_to_name(phone)
        entered = _entered_pieces(form, deal)
        added, removed = str(form.get("add", "")), str(form.get("take", ""))
        if PIECE_PATTERN.fullmatch(added):
            entered = [added] if deal.get("size") == 1 else [*entered, added]
        if removed.isdigit() and int(removed) < len(entered):
            del entered[int(removed)]
        if not form.get("done"):
            return HTMLResponse(await self._render_draft(phone, "", pieces=entered))
        refusal = text("The box is not asking for these pieces now.")
        if deal:
            argument = " ".join([deal["word"], *entered])
            answer = await self._table.send_request(phone, "play" if deal["play"] else "deal", argument)
            refusal = answer.get("refusal", "")
        return HTMLResponse(await self._render_draft(phone, "", refusal, entered if refusal else []))

    async def ask_takeback(self, request: Request) -> Response:
        """Let the box ask another player whether the last move is taken back."""
        return await self._send_request(request, "back")

    async def ask_rematch(self, request: Request) -> Response:
        """The player is ready for the next round."""
        return await self._send_request_or_reload(request, "rematch")

    async def toggle_review(self, request: Request) -> Response:
        """Let the box show where the round was decided, or close that page."""
        return await self._send_request_or_reload(request, "review")

    async def answer_question(self, request: Request) -> Response:
        """Answer yes or no to the box's question to this player."""
        return await self._send_request(request, "decline" if (await request.form()).get("no") else "agree")

    async def correct_piece(self, request: Request) -> Response:
        """Correct a wrongly named piece: first choose which one, then what it really is."""
        form = await request.form()
        piece_place, piece = str(form.get("which", "")), str(form.get("piece", ""))
        if NAMED_PIECE_PATTERN.fullmatch(piece_place) and PIECE_PATTERN.fullmatch(piece):
            return await self._send_request(request, "mend", f"{piece_place} {piece}")
        return HTMLResponse(self._render_correction(requesting_phone_hash(request), piece_place, form))

    def _render_correction(self, phone: str, piece_place: str, form: FormData) -> str:
        """The pieces that the player has named; or for one of them, at `piece_place`, those that it may really be.

        The move of the `form` that was begun before is there again afterwards.
        """
        named = (self._table.view_for_phone(phone) or {}).get("named", [])
        correction: dict[str, Any] = next(
            (
                {"wrong": piece, "grid": each["grid"], "words": each["words"], "classes": each["classes"]}
                for each in named
                for piece, index in zip(each["pieces"], each["which"], strict=True)
                if piece_place == f"{each['place']} {index}"
            ),
            {},
        )
        correction |= {"draft_keys": self._draft_keys(phone, form), "turn": str(form.get("turn", ""))[:40]}
        return self._render("mend.html", named=named, which=piece_place, **correction)

    async def ask_referee(self, request: Request) -> Response:
        """Ask the referee whether another move was possible, how to play, or for a hint, part by part."""
        form = await request.form()
        phone = requesting_phone_hash(request)
        if form.get("what") == "hint":
            values = await self._hint_values(phone, str(form.get("part", "")))
        else:
            answer = await self._table.send_request(phone, "help" if form.get("what") == "help" else "could")
            values = {"refusal": answer.get("refusal", ""), "says": answer.get("words") or []}
        values |= {"pieces": _entered_pieces(form, self._pieces_to_name(phone)), "misfits": _misfit_labels(form)}
        return HTMLResponse(await self._render_draft(phone, self._draft_keys(phone, form), **values))

    async def _hint_values(self, phone: str, part: str) -> dict[str, Any]:
        """A part of a hint as values of the page, "" for the first part.

        The values are its words, whether the page has to ask again, and the number of the part that follows.
        """
        part = part if HINT_PART_PATTERN.fullmatch(part) else ""
        answer = await self._table.send_request(phone, "hint", part)
        next_part = answer.get("part", 0) + 1
        return {
            "refusal": answer.get("refusal", ""),
            "says": answer.get("words") or [],
            "waits": answer.get("wait", False),
            "hint": f"{part} {self.draft_inputs_hash(phone)}",
            "part": part,
            "following": next_part if next_part < answer.get("parts", 0) else 0,
        }

    async def _send_request(self, request: Request, kind: str, argument: str = "") -> Response:
        """Send the table a request of this seat. Returns the page's part for it, with a refusal if there is one.

        A move that was begun before stays, unless it is played now.
        """
        phone = requesting_phone_hash(request)
        answer = await self._table.send_request(phone, kind, argument)
        keys = "" if kind == "play" else self._draft_keys(phone, await request.form())
        return HTMLResponse(await self._render_draft(phone, keys, answer.get("refusal", "")))

    async def _send_request_or_reload(self, request: Request, kind: str) -> Response:
        """Send a request whose form works without script too: then the page is shown again."""
        answer = await self._send_request(request, kind)
        return answer if "hx-request" in request.headers else RedirectResponse("/seat", 303)

    def _pieces_to_name(self, phone: str) -> dict[str, Any]:
        """The pieces that a phone's player has to name now, empty for none."""
        return (self._table.view_for_phone(phone) or {}).get("deal") or {}

    def _draft_keys(self, phone: str, form: FormData) -> str:
        """The keys of the move that is being made; "" for none, for what is no keys, and for those of another turn."""
        keys, begun = str(form.get("keys", "")), (self._table.view_for_phone(phone) or {}).get("begun", "")
        return keys if KEYS_PATTERN.fullmatch(keys) and form.get("turn", begun) == begun else ""

    async def _render_draft(
        self,
        phone: str,
        keys: str,
        refusal: str = "",
        pieces: list[str] | None = None,
        misfits: str = "",
        **extra_values: Any,
    ) -> str:
        """The draft, or the pieces named so far, with what can be tapped next, as HTML; `misfits` did not fit."""
        seat = self._table.view_for_phone(phone)
        draft: dict[str, Any] | None = None
        is_over = (self._table.public or {}).get("result")  # Then the board is beside the result.
        if seat is not None and (seat["turn"] or seat["seat"]) and not is_over:
            draft = (await self._table.send_request(phone, "judge", keys)).get("draft")
        labels = dict.fromkeys((*misfits.split(", "), *draft["misfits"])) if draft and draft["keys"] else {}
        misfit_labels = ", ".join(filter(None, labels))
        others = [name for name in self._table.names if seat is not None and name != seat["name"]]
        values = {"draft": draft, "keys": keys, "refusal": refusal, "pieces": pieces or [], "misfits": misfit_labels}
        values["sure"] = misfit_labels and draft and draft["verdict"] == "ok"
        values |= {"seat": seat, "others": others, "remote": self.box_keys.allowed_keys(phone)}
        values["seen"] = self._table.remote.get("seen", "")
        return self._render_for_phone("draft.html", phone, **values | extra_values)


def _typed_code(typed: object) -> str:
    """A code as it is on the panel: typed without spaces, in capitals."""
    return "".join(str(typed).split()).upper()


def _entered_pieces(form: FormData, deal: dict[str, Any]) -> list[str]:
    """The pieces named so far, without any that cannot be asked for now."""
    grid = {piece for row in deal.get("grid", ()) for piece in row}
    return [piece for piece in str(form.get("pieces", "")).split() if piece in grid][:MAX_PIECES]


def _misfit_labels(form: FormData) -> str:
    """The labels of the taps that did not fit the draft."""
    return str(form.get("misfits", ""))[:MAX_MISFITS_LETTERS]
