"""The pages' client of the table's socket."""

from __future__ import annotations

import asyncio
import contextlib
import json

from companion.web.table_client import TableClient


def test_an_answer_to_another_client_is_ignored(tmp_path):
    """The table sends every answer to all its clients; each takes only its own."""

    async def play() -> tuple[dict, dict]:
        guests, asked = [], asyncio.Queue()

        async def serve(reader, writer):
            guests.append(writer)
            writer.write(b'{"state": 1, "public": {}}\n')
            while line := await reader.readline():
                if "ask" in (replies := json.loads(line)):
                    await asked.put(replies)

        server = await asyncio.start_unix_server(serve, tmp_path / "table.sock")
        tables = [TableClient(tmp_path / "table.sock") for _ in range(2)]
        visits = [asyncio.create_task(table.stay_connected()) for table in tables]
        while not all(table.public is not None for table in tables):
            await asyncio.sleep(0.01)
        waits = [
            asyncio.create_task(table.send_request(name, "could")) for table, name in zip(tables, "ab", strict=True)
        ]
        for _ in waits:
            replies = await asked.get()
            for client in guests:
                answer = {"answer": replies["ask"], "words": replies["phone"]}
                client.write(json.dumps(answer).encode() + b"\n")
        answers = await asyncio.gather(*waits)
        for visit in visits:
            visit.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await visit
        server.close()
        return answers

    async def limited():
        async with asyncio.timeout(60):
            return await play()

    first, second = asyncio.run(limited())
    assert (first["words"], second["words"]) == ("a", "b")
