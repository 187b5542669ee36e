"""The pages' client of the table's socket."""

from __future__ import annotations

import asyncio
import contextlib
import json
from unittest.mock import ANY

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


def test_a_page_shows_the_effect_of_a_slow_request(tmp_path):
    """A state that comes while the table is still at work, such as joining a network, is not waited for."""

    async def serve(reader, writer):
        def send(message):
            writer.write(json.dumps(message).encode() + b"\n")

        await reader.readline()
        send({"public": {}, "settings": {"name": "before"}})
        number = json.loads(await reader.readline())["ask"]
        send({"public": {}, "settings": {"name": "meanwhile"}})
        send({"answer": number, "refusal": ""})
        await asyncio.sleep(0.2)
        send({"public": {}, "settings": {"name": "after"}})
        await reader.read()

    async def ask():
        path = tmp_path / "table.sock"
        table = TableClient(path)
        async with await asyncio.start_unix_server(serve, path), asyncio.timeout(60):
            following = asyncio.create_task(table.stay_connected())
            await table.wait_until(lambda: table.public is not None, 60)
            assert await table.send_request("phone", "setting", "join - Home") == {"answer": ANY, "refusal": ""}
            following.cancel()
        return table.settings["name"]

    assert asyncio.run(ask()) == "after"
