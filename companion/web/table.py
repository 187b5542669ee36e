"""The web's end of the table's socket: keeps the newest state, and comes back by itself when the table does."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import secrets
from typing import TYPE_CHECKING, Any

from companion.table.guests import VERSION

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

RETRY_SECONDS = 0.5
LINE = 8 << 20
"""The longest line that a table sends, in bytes."""
ANSWER_SECONDS = 5.0
"""So long a wish waits for the table's answer."""
FOLLOW_SECONDS = 1.0
"""So long a wish that was granted waits for the state that it has led to, so that the page is not one behind."""
SLOW = {"report": 300.0, "history": 60.0, "round": 60.0, "names": 60.0, "rename": 60.0, "merge": 60.0}
"""So long these wait, which read or change all rounds on a small computer."""
QUESTIONS = ("judge", "could", "hint", "report", "history", "round", "names")
"""Wishes that change nothing."""
AWAY = "The table is away. Try again in a moment."


class Table:
    """The table behind a socket, which is told the addresses of its `pages`.

    `public` is what everybody may see, None while the table is away; `phones` are the phones that were let in, and
    whose they are; `seats` is what each player's own phone may see; `names` are those whose a phone may be; `host` is
    the host's phone, `asks` the one that waits for an answer at the box, `favourites` are the names that the box offers
    first. `number` counts the changes, also those of coming and going.
    """

    def __init__(self, path: Path, pages: Callable[[], list[str]] = list) -> None:
        self._path = path
        self._pages = pages
        self.public: dict[str, Any] | None = None
        self.phones: dict[str, str] = {}
        self.seats: dict[str, dict[str, Any]] = {}
        self.names: list[str] = []
        self.host = ""
        self.asks = ""
        self.favourites: list[str] = []
        self.number = 0
        self._news = asyncio.Condition()
        self._writer: asyncio.StreamWriter | None = None
        # Answers go to every guest of the socket: what another one has asked must not be taken for ours.
        self._numbers = itertools.count(secrets.randbits(48))
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}

    async def run(self) -> None:
        """Stay connected for ever."""
        while True:
            # It is not there, went away, or speaks another language: ask again.
            with contextlib.suppress(OSError, ValueError):
                await self._visit()
            if self.public is not None:
                await self._tell({"public": None})
            await asyncio.sleep(RETRY_SECONDS)

    async def changes(self) -> AsyncIterator[None]:
        """Once now, and then whenever the state is a newer one; what is overtaken meanwhile is left out."""
        told = -1
        while True:
            async with self._news:
                while self.number == told:
                    await self._news.wait()
                told = self.number
            yield

    async def ask(self, phone: str, what: str, text: str = "") -> dict[str, Any]:
        """Hand a phone's wish to the table and wait for the answer; ``refusal`` in it says why not, "" if granted."""
        writer = self._writer
        if writer is None:
            return {"refusal": AWAY}
        number, before = next(self._numbers), self.number
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            words = {"ask": number, "phone": phone, "what": what, "text": text}
            writer.write(json.dumps(words).encode() + b"\n")
            async with asyncio.timeout(SLOW.get(what, ANSWER_SECONDS)):
                await writer.drain()
                found: dict[str, Any] = await answer
            if what not in QUESTIONS and not found.get("refusal"):
                await self._newer(before)
            return found
        except (OSError, TimeoutError):
            return {"refusal": AWAY}
        finally:
            self._waiting.pop(number, None)

    async def _newer(self, before: int) -> None:
        """Wait for a state after this one, but not for long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FOLLOW_SECONDS), self._news:
                await self._news.wait_for(lambda: self.number > before)

    async def _visit(self) -> None:
        reader, writer = await asyncio.open_unix_connection(self._path, limit=LINE)
        try:
            writer.write(json.dumps({"companion": VERSION, "pages": self._pages()}).encode() + b"\n")
            await writer.drain()
            self._writer = writer
            while line := await reader.readline():
                words = json.loads(line)
                if "public" in words:
                    await self._tell(words)
                elif (waiting := self._waiting.get(words.get("answer", 0))) is not None and not waiting.done():
                    waiting.set_result(words)
        finally:
            self._writer = None
            writer.close()

    async def _tell(self, words: dict[str, Any]) -> None:
        async with self._news:
            self.public, self.phones, self.seats = words["public"], words.get("phones", {}), words.get("seats", {})
            self.names, self.host, self.asks = words.get("names", []), words.get("host", ""), words.get("asks", "")
            self.favourites = words.get("favourites", [])
            self.number += 1
            self._news.notify_all()
