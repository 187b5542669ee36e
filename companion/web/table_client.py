"""The pages' client of the table's socket: it has the newest state, and reconnects by itself."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import secrets
from typing import TYPE_CHECKING, Any

from companion.languages import text, text_from_json
from companion.table.state_server import PROTOCOL_VERSION
from companion.web.streams import ChangeSource

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RETRY_SECONDS = 0.5
"""The pause between two attempts to connect."""
MAX_LINE_BYTES = 8 << 20
"""The longest line that is read from the socket, in bytes."""
ANSWER_SECONDS = 15.0
"""How long a request waits for the table's answer."""
FOLLOW_SECONDS = 5.0
"""How long an accepted request waits for the next state, so that the page shows its effect."""
SLOW_REQUEST_SECONDS = {
    "report": 300.0, "history": 60.0, "round": 60.0, "record": 60.0, "names": 60.0, "rename": 60.0, "merge": 60.0,
    "correct": 60.0, "void": 60.0, "restore": 60.0,
    "setting": 240.0,  # Joining a network.
}  # fmt: skip
"""How long requests wait that read or change all stored rounds, in seconds."""
QUESTIONS = ("judge", "could", "help", "hint", "moves", "report", "history", "round", "record", "names", "games")
"""Requests that change nothing, so that no new state follows them."""
NOT_CONNECTED = text("The table cannot be reached. Try again in a moment.")


class TableClient(ChangeSource):
    """The table's state as its socket sends it (docs/socket.md). Phones are known by the hash of their secret.

    Args:
        path: the socket.
        page_urls: returns the pages' URLs, which are sent to the table at each connection.

    Attributes:
        public: what everybody may see; None while the table is not connected.
        phones: the paired phones and their players' names.
        seats: what each player may see, by name.
        names: the players that a phone may be paired with.
        host: the host's phone, "" for none.
        screen: the big screen that was let in, "" for none.
        asking_phone: the phone that waits for an answer at the box, "" for none.
        question_digits: the two digits that the box shows with its question; that phone shows them too.
        favourites: the names that the box offers first.
        remote: which of the box's keys phones may press, and whose phones.
        settings: the name of the box, whether its settings are locked, and the word and label of each.
        played: the number of this evening's finished rounds, by game.
        news: messages for phones that are out, or were refused.
        number: counts the changes, connecting and disconnecting included (`ChangeSource`).
    """

    def __init__(self, path: Path, page_urls: Callable[[], list[str]] = list) -> None:
        super().__init__()
        self._path = path
        self._page_urls = page_urls
        self._state_count = 0
        self._set_state({"public": None})
        self._writer: asyncio.StreamWriter | None = None
        # The table sends answers to all its clients. A random start keeps our numbers apart from other clients'.
        self._numbers = itertools.count(secrets.randbits(48))
        self._waiting_answers: dict[int, asyncio.Future[tuple[dict[str, Any], int]]] = {}

    def is_let_in(self, phone: str) -> bool:
        """Whether a phone was let in, as a player's, as the host's or as the big screen."""
        return phone != "" and (phone in self.phones or phone in (self.host, self.screen))

    def is_host(self, phone: str) -> bool:
        """Whether a phone is the host's; false for a phone without a secret."""
        return phone != "" and phone == self.host

    def is_asking_to_let_in(self, phone: str) -> bool:
        """Whether the box asks now whether to let a phone in."""
        return phone != "" and phone == self.asking_phone

    def code_for_screen(self, phone: str) -> str:
        """The code that lets phones in, while the panel shows it; "" for all but the screen that was let in."""
        return self._code if phone != "" and phone == self.screen else ""

    def view_for_phone(self, phone: str) -> dict[str, Any] | None:
        """What a phone's player may see; None for an unpaired phone."""
        return self.seats.get(self.phones.get(phone, ""))

    @property
    def page_url(self) -> str:
        """Where phones find the pages, "" without a network."""
        return next(iter(self._page_urls()), "")

    async def stay_connected(self) -> None:
        """Connect, and reconnect whenever the connection is lost, until cancelled."""
        while True:
            # The table is not running, has ended, or speaks another version: try again.
            with contextlib.suppress(OSError, ValueError):
                await self._follow_table()
            if self.public is not None:
                self._set_state({"public": None})
                await self.count_change()
            await asyncio.sleep(RETRY_SECONDS)

    async def send_request(self, phone: str, kind: str, argument: str = "", previous_phone: str = "") -> dict[str, Any]:
        """Send a phone's request to the table and wait for its answer (docs/socket.md).

        `previous_phone` is the phone as which this one was known before it got the secret with which it asks now.
        ``refusal`` in the answer says why the request was refused, also when the table is not connected; "" if it was
        accepted.
        """
        writer = self._writer
        if writer is None:
            return {"refusal": NOT_CONNECTED}
        number = next(self._numbers)
        answer: asyncio.Future[tuple[dict[str, Any], int]] = asyncio.get_running_loop().create_future()
        self._waiting_answers[number] = answer
        try:
            message = {"ask": number, "phone": phone, "what": kind, "text": argument, "was": previous_phone}
            writer.write(json.dumps(message).encode() + b"\n")
            async with asyncio.timeout(SLOW_REQUEST_SECONDS.get(kind, ANSWER_SECONDS)):
                await writer.drain()
                reply, states_before = await answer
            if kind not in QUESTIONS and not reply.get("refusal"):
                # States that came while the table was at work don't have the effect yet.
                await self.wait_until(lambda: self._state_count > states_before, FOLLOW_SECONDS)
            return reply
        except (OSError, TimeoutError):
            return {"refusal": NOT_CONNECTED}
        finally:
            self._waiting_answers.pop(number, None)

    async def _follow_table(self) -> None:
        reader, writer = await asyncio.open_unix_connection(self._path, limit=MAX_LINE_BYTES)
        try:
            writer.write(
                json.dumps({"companion": PROTOCOL_VERSION, "pages": self._page_urls(), "texts": True}).encode() + b"\n"
            )
            await writer.drain()
            self._writer = writer
            while line := await reader.readline():
                message = json.loads(line, object_hook=text_from_json)
                if "public" in message:
                    self._set_state(message)
                    await self.count_change()
                elif (answer := self._waiting_answers.get(message.get("answer", 0))) is not None and not answer.done():
                    answer.set_result((message, self._state_count))
        finally:
            self._writer = None
            writer.close()

    def _set_state(self, state: dict[str, Any]) -> None:
        self._state_count += 1
        self.public: dict[str, Any] | None = state["public"]
        self.phones: dict[str, str] = state.get("phones", {})
        self.seats: dict[str, dict[str, Any]] = state.get("seats", {})
        self.names: list[str] = state.get("names", [])
        self.host: str = state.get("host", "")
        self.screen: str = state.get("screen", "")
        self._code: str = state.get("code", "")
        self.asking_phone: str = state.get("asks", "")
        self.question_digits: str = state.get("shows", "")
        self.favourites: list[str] = state.get("favourites", [])
        self.news: dict[str, str] = state.get("news", {})
        self.remote: dict[str, Any] = state.get("remote", {})
        self.settings: dict[str, Any] = state.get("settings", {})
        self.played: dict[str, int] = state.get("played", {})
