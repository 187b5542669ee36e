"""The web's end of the table's socket: keeps the newest state, and comes back by itself when the table does."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any

from companion.table.guests import VERSION

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

RETRY_SECONDS = 0.5
LINE = 1 << 20
"""The longest line that a table sends, in bytes."""


class Table:
    """The table behind a socket, which is told the addresses of its `pages`.

    `public` is what everybody may see, None while the table is away; `number` counts the changes, also those of
    coming and going.
    """

    def __init__(self, path: Path, pages: Callable[[], list[str]] = list) -> None:
        self._path = path
        self._pages = pages
        self.public: dict[str, Any] | None = None
        self.number = 0
        self._news = asyncio.Condition()

    async def run(self) -> None:
        """Stay connected for ever."""
        while True:
            # It is not there, went away, or speaks another language: ask again.
            with contextlib.suppress(OSError, ValueError):
                await self._visit()
            if self.public is not None:
                await self._tell(None)
            await asyncio.sleep(RETRY_SECONDS)

    async def changes(self) -> AsyncIterator[dict[str, Any] | None]:
        """The state now, and then each newer one; what is overtaken meanwhile is left out."""
        told = -1
        while True:
            async with self._news:
                while self.number == told:
                    await self._news.wait()
                told, public = self.number, self.public
            yield public

    async def _visit(self) -> None:
        reader, writer = await asyncio.open_unix_connection(self._path, limit=LINE)
        try:
            writer.write(json.dumps({"companion": VERSION, "pages": self._pages()}).encode() + b"\n")
            await writer.drain()
            while line := await reader.readline():
                words = json.loads(line)
                if "public" in words:
                    await self._tell(words["public"])
        finally:
            writer.close()

    async def _tell(self, public: dict[str, Any] | None) -> None:
        async with self._news:
            self.public = public
            self.number += 1
            self._news.notify_all()
