"""Limits of connections and of requests, each by a server on a port of its own."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.routing import Route, Router

from companion.web.connections import limited
from companion.web.guard import BURST, MOST_ADDRESSES, PER_SECOND, Rate

PATIENCE = 60


async def _hello(request):
    return PlainTextResponse(f"hello {len(await request.body())}")


async def _served(work, most, seconds):
    """Run `work(port)` beside a server with these limits."""
    app = Router([Route("/", _hello, methods=["GET", "POST"])])
    config = uvicorn.Config(app, host="127.0.0.1", port=0, http=limited(most, seconds), ws="none", log_level="error",
                            lifespan="off")  # fmt: skip
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    try:
        async with asyncio.timeout(PATIENCE):
            while not server.started:
                await asyncio.sleep(0.01)
            await work(server.servers[0].sockets[0].getsockname()[1])
    finally:
        server.should_exit = True
        await running


async def _get(port, source="127.0.0.1"):
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    writer.write(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    answer = await reader.read()
    writer.close()
    return answer


def test_one_address_cannot_take_all_connections():
    """Beyond the limit connections of one address are closed at once; another is served, and so is the first again."""

    async def work(port):
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(4)]
        reader, _ = await asyncio.open_connection("127.0.0.1", port)
        with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
            await reader.readexactly(1)
        assert b"hello 0" in await _get(port, "127.0.0.2")
        for _, writer in held:
            writer.close()
            await writer.wait_closed()
        while b"hello 0" not in await _again(port):
            await asyncio.sleep(0.01)

    async def _again(port):
        try:
            return await _get(port)
        except ConnectionResetError:
            return b""

    asyncio.run(_served(work, 4, 60))


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nabc"])
def test_a_request_that_does_not_end_is_closed(sent):
    """Nothing, half a head or half a body: the connection is closed, however long the sender waits."""

    async def work(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        assert b"hello" not in await reader.read()
        writer.close()

    asyncio.run(_served(work, 4, 0.1))


def test_a_body_that_goes_wrong_behind_its_answer_ends_the_connection(caplog):
    """An early answer, then nonsense for a body: the connection ends, and nothing is said in the journal."""

    async def work(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST /nowhere HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n")
        assert b"Not Found" in await reader.readuntil(b"\r\n\r\nNot Found")
        writer.write(b"nonsense\r\n\r\n")
        with contextlib.suppress(ConnectionResetError):
            assert await reader.read() == b""
        assert b"hello 0" in await _get(port)

    asyncio.run(_served(work, 4, 60))
    assert [record for record in caplog.records if record.exc_info] == []


def test_a_request_after_another_is_served():
    """A connection that is kept for the next request is not one that dawdles."""

    async def work(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for length in (3, 0, 5):
            body = b"x" * length
            writer.write(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n%s" % (length, body))
            assert b"hello %d" % length in await reader.readuntil(b"hello %d" % length)
        writer.close()

    asyncio.run(_served(work, 4, 60))


def test_requests_of_one_address_have_a_rate():
    """So many at once, then so many a second; another address is not held up, and not every address is remembered."""
    rate = Rate()
    assert [rate.allows("10.0.0.1", 5.0) for _ in range(int(BURST) + 5)] == [True] * int(BURST) + [False] * 5
    assert rate.allows("10.0.0.2", 5.0)
    assert [rate.allows("10.0.0.1", 6.0) for _ in range(int(PER_SECOND) + 1)] == [True] * int(PER_SECOND) + [False]
    for number in range(2 * MOST_ADDRESSES):
        rate.allows(f"10.1.{number // 256}.{number % 256}", 7.0)
    assert len(rate._buckets) == MOST_ADDRESSES
