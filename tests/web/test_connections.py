"""Limits of connections and of requests, each tested with a server on a port of its own."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.routing import Route, Router

from companion.web.clients import PHONE_COOKIE, ConnectionSlots, client_key, hash_secret
from companion.web.connections import limited_protocol
from companion.web.site import MAX_BURST_REQUESTS, MAX_COUNTED_CLIENTS, REQUESTS_PER_SECOND, RateLimit

PATIENCE_SECONDS = 60


async def _hello(request):
    return PlainTextResponse(f"hello {len(await request.body())}")


async def _run_beside_server(check, most, seconds, *more):
    """Run `work(port)` beside a server with these limits."""
    app = Router([Route("/", _hello, methods=["GET", "POST"])])
    http = limited_protocol(most, seconds, *more)
    config = uvicorn.Config(app, host="127.0.0.1", port=0, http=http, ws="none", log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not server.started:
                await asyncio.sleep(0.01)
            await check(server.servers[0].sockets[0].getsockname()[1])
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
    """Another address is still served, and so is the first one after it has closed a connection."""

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

    asyncio.run(_run_beside_server(work, 4, 60))


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nabc"])
def test_a_request_that_does_not_end_is_closed(sent):
    """The sender may have sent nothing, half a head or half a body."""

    async def work(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        assert b"hello" not in await reader.read()
        writer.close()

    asyncio.run(_run_beside_server(work, 4, 0.1))


def test_an_invalid_body_after_the_response_ends_the_connection(caplog):
    """The response came early, then the body turns out invalid; nothing is logged."""

    async def work(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST /nowhere HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n")
        assert b"Not Found" in await reader.readuntil(b"\r\n\r\nNot Found")
        writer.write(b"nonsense\r\n\r\n")
        with contextlib.suppress(ConnectionResetError):
            assert await reader.read() == b""
        assert b"hello 0" in await _get(port)

    asyncio.run(_run_beside_server(work, 4, 60))
    assert [record for record in caplog.records if record.exc_info] == []


def test_a_kept_connection_serves_the_next_request():
    async def work(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for length in (3, 0, 5):
            body = b"x" * length
            writer.write(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n%s" % (length, body))
            assert b"hello %d" % length in await reader.readuntil(b"hello %d" % length)
        writer.close()

    asyncio.run(_run_beside_server(work, 4, 60))


def test_requests_of_one_address_are_limited():
    """Other addresses are not limited by it, and only so many addresses are remembered."""
    rate = RateLimit()
    assert [rate.allows("10.0.0.1", 5.0) for _ in range(int(MAX_BURST_REQUESTS) + 5)] == [True] * int(
        MAX_BURST_REQUESTS
    ) + [False] * 5
    assert rate.allows("10.0.0.2", 5.0)
    assert [rate.allows("10.0.0.1", 6.0) for _ in range(int(REQUESTS_PER_SECOND) + 1)] == [True] * int(
        REQUESTS_PER_SECOND
    ) + [False]
    for number in range(2 * MAX_COUNTED_CLIENTS):
        rate.allows(f"10.1.{number // 256}.{number % 256}", 7.0)
    assert len(rate.buckets) == MAX_COUNTED_CLIENTS


# -- many clients ---------------------------------------------------------------------------------------------------

PAIRED_PHONE = hash_secret("Ann's secret")
ANNS_REQUEST = f"GET / HTTP/1.1\r\nhost: x\r\ncookie: {PHONE_COOKIE}=Ann's secret\r\n\r\n".encode()


def test_a_newcomer_gets_a_slot_when_all_are_taken():
    """A paired phone keeps its connection."""

    async def work(port):
        ann = await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.3", 0))
        ann[1].write(ANNS_REQUEST)
        await ann[0].readuntil(b"hello 0")
        held = [await asyncio.open_connection("127.0.0.1", port, local_addr=(f"127.0.1.{number % 30 + 1}", 0))
                for number in range(90)]  # fmt: skip
        assert b"hello 0" in await _get(port, "127.0.0.2")
        ann[1].write(ANNS_REQUEST)
        assert b"hello 0" in await ann[0].readuntil(b"hello 0")
        for _, writer in (*held, ann):
            writer.close()

    asyncio.run(_run_beside_server(work, 32, 60, 20, lambda phone: phone == PAIRED_PHONE))


def test_the_client_with_most_slots_loses_its_oldest():
    """A reserved slot is taken away only when all are reserved."""
    evicted = []
    places = ConnectionSlots(4, most_reserved_per_phone=1)
    for who in ("a1", "b1", "b2", "a2"):
        places.take_slot(who, who[0], lambda who=who: evicted.append(who))
    places.reserve_slot("b1", "the phone of b")
    places.take_slot("c1", "c", lambda: evicted.append("c1"))
    assert evicted == ["a1"]
    places.reserve_slot("b2", "the phone of b")  # One too many is not reserved.
    places.take_slot("c2", "c", lambda: evicted.append("c2"))
    places.take_slot("d1", "d", lambda: evicted.append("d1"))
    assert (evicted, len(places)) == (["a1", "b2", "c1"], 4)
    places.free_slot("c2")
    places.take_slot("d2", "d", lambda: evicted.append("d2"))
    assert (evicted, len(places)) == (["a1", "b2", "c1"], 4)


@pytest.mark.parametrize(("one", "other", "same"), [
    ("fd00::1", "fd00::ffff:1:2:3", True), ("fe80::1%eth0", "fe80::2", True), ("fd00::1", "fd00:0:0:1::1", False),
    ("10.0.0.1", "10.0.0.2", False), ("10.0.0.1", "::ffff:10.0.0.1", True),
])  # fmt: skip
def test_a_network_of_ipv6_is_one_client(one, other, same):
    """A device has as many addresses of its /64 as it likes."""
    assert (client_key(one) == client_key(other)) is same


# -- behind the door --------------------------------------------------------------------------------------------------


async def _client_address(request):
    return PlainTextResponse(f"{request.client.host} {request.client.port}\n")


def _run_behind_proxy(tmp_path, check):
    """Run `work(path)` beside a server that listens on a UNIX socket."""

    async def running():
        path = tmp_path / "pages.sock"
        site = Router([Route("/", _client_address)])
        protocol = limited_protocol(3, 60)
        config = uvicorn.Config(site, uds=str(path), http=protocol, ws="none", log_level="error", lifespan="off")
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve())
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not server.started:
                    await asyncio.sleep(0.01)
                await check(str(path))
        finally:
            server.should_exit = True
            await serving

    asyncio.run(running())


def test_the_proxys_line_names_the_client(tmp_path):
    """The line may come in pieces; the limits then count for the address that it names."""

    async def work(path):
        reader, writer = await asyncio.open_unix_connection(path)
        for byte in b"PROXY TCP4 192.168.1.7 192.168.1.20 50123 8027\r\nGET / HTTP/1.1\r\nhost: x\r\n\r\n":
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0)
        assert b"192.168.1.7 50123" in await reader.readuntil(b"50123\n")
        more = []
        for port in range(3):
            more.append(await asyncio.open_unix_connection(path))
            more[-1][1].write(
                b"PROXY TCP4 192.168.1.7 192.168.1.20 %d 8027\r\nGET / HTTP/1.1\r\nhost: x\r\n\r\n" % port
            )
        answers = [await each.read(10) for each, _ in more[2:]]
        assert answers == [b""]
        for _, each in (*more, (reader, writer)):
            each.close()

    _run_behind_proxy(tmp_path, work)


@pytest.mark.parametrize("line", [
    b"GET / HTTP/1.1\r\nhost: x\r\n\r\n", b"PROXY UNKNOWN\r\n", b"PROXY TCP4 1.2.3 10.0.0.1 1 2\r\n", b"\r\n",
    b"PROXY TCP4 10.0.0.300 10.0.0.1 1 2\r\n", b"PROXY TCP4 10.0.0.1 10.0.0.1 x 2\r\n", b"x" * 200, b"PROXY \xff\r\n",
])  # fmt: skip
def test_a_connection_without_the_proxys_line_is_closed(tmp_path, line):
    """A connection that does not begin with a valid line is closed without a response."""

    async def work(path):
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(line + b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
        with contextlib.suppress(ConnectionResetError):
            assert await reader.read() == b""
        writer.close()

    _run_behind_proxy(tmp_path, work)


def test_the_proxys_line_is_no_request_on_the_port_itself():
    """Where the pages listen on the network themselves, the proxy's line is an invalid request."""

    async def work(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"PROXY TCP4 192.168.1.7 192.168.1.20 50123 8027\r\nGET / HTTP/1.1\r\nhost: x\r\n\r\n")
        assert b"400 Bad Request" in await reader.read()
        writer.close()

    asyncio.run(_run_beside_server(work, 4, 60))
