"""A hostile client in the network: requests of every kind to the pages, lines of every kind to the table's socket."""

from __future__ import annotations

import asyncio
import os
import random
import re
import socket
import subprocess
import time
from collections import Counter
from pathlib import Path

import httpx2
import pytest
from browser import code_on
from ports import free_port

REQUEST_COUNT = int(os.environ.get("PYTEST_REQUESTS", "5000"))
"""The number of requests; `PYTEST_REQUESTS=100000` for the long run."""
WORKERS = 40
IDLE = 500
PATIENCE = 60.0
PATHS = ["/", "/events", "/pair", "/seat", "/seat/sit", "/seat/judge", "/seat/play", "/seat/pieces", "/seat/back",
         "/seat/agree", "/seat/events", "/seat/mend", "/seat/words", "/p/ABCDEF", "/P/ABCDEF", "/static/page.css",
         "/seat/moves", "/seat/moves?move=9", "/seat/moves?move=" + "9" * 30, "/seat/moves?move=%C2%B2",
         "/host", "/host/ask", "/host/waits", "/host/box", "/host/play/27", "/host/history", "/host/names",
         "/host/pad", "/host/events", "/host/round/1", "/host/round/" + "9" * 30, "/host/round/1/picture?move=9",
         "/host/report?day=2026-11-21",
         "/host/history?game=%27&page=" + "9" * 30, "/static/../app.py", "//", "*",
         "/static/%2e%2e/app.py", "/p/" + "A" * 3_000, "/p/%00%ff", "/seat?x=%F0", "/favicon.ico"]  # fmt: skip
FIELDS = [
    "what",
    "name",
    "new",
    "seat",
    "points",
    "host",
    "which",
    "piece",
    "code",
    "player",
    "event",
    "keys",
    "pieces",
    "add",
    "take",
    "done",
    "x" * 300,
]
VALUES = ["1x1", "ABCDEF", "Ann", "Ben", "", "0", "-1", "9" * 400, "%00", "%ED%A0%80", "%F0%9F%8E%B2", "é", "<b>",
          "A K 3", "draw 7", "1%0A2", "' OR 1=1", "A" * 5_000]  # fmt: skip


def hostile_request(chance: random.Random, port: int, secrets: list[str]) -> bytes:
    """A random request, often nearly right, sometimes nothing like HTTP."""
    if chance.random() < 0.05:
        return chance.randbytes(chance.randint(1, 2_000))
    method = chance.choice(["GET", "GET", "POST", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "BREW"])
    path = chance.choice([path for path in PATHS if not path.endswith("/events")])
    host = chance.choice([f"127.0.0.1:{port}"] * 6 + ["evil.example", "", "8.8.8.8", "127.0.0.1.evil.example", "[::1"])
    origin = chance.choice([f"http://{host}"] * 6 + ["https://evil.example", "null", ""])
    body = "&".join(f"{chance.choice(FIELDS)}={chance.choice(VALUES)}" for _ in range(chance.randint(0, 4))).encode()
    if chance.random() < 0.03:
        body = chance.randbytes(chance.choice([10, 8_192, 20_000]))
    length = chance.choice([str(len(body))] * 8 + ["-1", "99999999", "x", "0"])
    kind = chance.choice(
        ["application/x-www-form-urlencoded"] * 5 + ["multipart/form-data; boundary=x", "text/plain", "é"]
    )
    lines = [f"{method} {path} HTTP/1.{chance.choice('1119')}", f"host: {host}", f"origin: {origin}",
             f"content-type: {kind}", f"content-length: {length}"]  # fmt: skip
    if chance.random() < 0.6:
        cookie = chance.choice([*secrets, "0" * 32, "x" * 3_000, "\x7f;;=", ""])
        lines.append(f"cookie: companion-phone={cookie}")
    if chance.random() < 0.03:
        lines.append("transfer-encoding: chunked")
    if chance.random() < 0.03:
        lines.append("x: " + "y" * 70_000)
    return "\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n" + body


async def attacked(port: int, secrets: list[str], count: int) -> Counter[str]:
    """The statuses of so many requests, sent in pieces and from many addresses."""
    statuses: Counter[str] = Counter()
    left = [count]

    async def worker(number: int) -> None:
        chance = random.Random(number)
        while left[0] > 0:
            source = f"127.0.{chance.randint(3, 60)}.{chance.randint(1, 250)}"
            try:
                async with asyncio.timeout(10):
                    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
            except OSError:
                statuses["not taken"] += 1
                left[0] -= 1
                continue
            for _ in range(chance.randint(1, 12)):
                left[0] -= 1
                if not await one(chance, reader, writer):
                    break
            writer.close()

    async def one(chance: random.Random, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Whether the connection stands after one request."""
        data = hostile_request(chance, port, secrets)
        try:
            async with asyncio.timeout(2 if chance.random() < 0.02 else 0.5):
                cut = chance.randint(1, len(data)) if chance.random() < 0.1 else len(data)
                writer.write(data[:cut])
                await asyncio.sleep(0)
                writer.write(data[cut:])
                await writer.drain()
                head = await reader.readuntil(b"\r\n\r\n")
                if data.startswith(b"HEAD "):
                    pass  # The length that it names is of what would be sent to GET.
                elif match := re.search(rb"content-length: (\d+)", head):
                    await reader.readexactly(int(match[1]))
                elif b"chunked" in head:
                    await reader.readuntil(b"0\r\n\r\n")
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            statuses["no answer"] += 1
            return False
        statuses[head[9:12].decode("latin-1")] += 1
        return b"connection: close" not in head.lower()

    await asyncio.gather(*(worker(number) for number in range(WORKERS)))
    return statuses


def phone_at(port: int, address: str) -> httpx2.Client:
    """A phone at an address of its own."""
    origin = f"http://127.0.0.1:{port}"
    transport = httpx2.HTTPTransport(local_address=address)
    return httpx2.Client(base_url=origin, headers={"origin": origin}, follow_redirects=True, timeout=PATIENCE,
                         transport=transport)  # fmt: skip


@pytest.mark.drill
@pytest.mark.timeout(1200)
def test_a_hostile_client_changes_nothing(box, companion_command, tmp_path, record_property):
    """No traceback, no wrong state; the paired phone is served all the time."""
    table = box()
    table.start()
    table.type_keys("~A~*~5~#")
    port = free_port()
    log = (tmp_path / "web.log").open("wb")
    web = subprocess.Popen(
        [companion_command, "web", "--data", table.data, "--host", "127.0.0.1", "--port", str(port)],
        stdout=log, stderr=log)  # fmt: skip
    try:
        phone = phone_at(port, "127.0.0.2")
        assert (
            "Look at the box"
            in phone.post("/pair", data={"code": code_on(table).removeprefix("/P/"), "player": "Player 1"}).text
        )
        table.type_keys("~#")  # The box takes no yes right after it asked.
        table.type_keys("~*~*~2~#~#~#")
        wait_until(lambda: "Your turn" in phone.get("/seat").text)
        phone.post("/seat/play", data={"event": "1x1"})
        record = table.exported_record()
        assert "1: 1x1" in record
        secret = next(iter(dict(phone.cookies).values()))
        statuses = asyncio.run(_attack_and_look(port, [secret[::-1], secret[:-1], "0"], phone))
        send_hostile_lines(table.data / "table.sock")
        print(dict(statuses))
        record_property("statuses", str(dict(statuses)))
        assert not {status for status in statuses if status.startswith("5")} - {"503"}
        assert table.exported_record() == record
        wait_until(lambda: "Player 1" in phone.get("/seat").text)
        table.type_keys("#~91#")  # The table still takes moves; after a long attack a press wakes its panel first.
        wait_until(lambda: "2: 9x1" in table.exported_record())
        assert len((tmp_path / "web.log").read_text().splitlines()) < 5
        assert "Traceback" not in table.log_text
    finally:
        web.kill()
        web.wait(PATIENCE)
    assert table.stop() == 0


async def _attack_and_look(port: int, secrets: list[str], phone: httpx2.Client) -> Counter[str]:
    """Attack beside many idle connections; the phone asks all the while and is answered each time."""
    idle = []
    for _ in range(IDLE):
        try:
            idle.append(await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.9", 0)))
        except OSError:
            continue
    attack = asyncio.create_task(attacked(port, secrets, REQUEST_COUNT))
    while not attack.done():
        async with asyncio.timeout(PATIENCE):
            while (await asyncio.to_thread(phone.get, "/seat")).status_code != 200:
                await asyncio.sleep(0.5)
        await asyncio.sleep(0.5)
    for _, writer in idle:
        writer.close()
    return await attack


def send_hostile_lines(path: Path) -> None:
    """Send every kind of line to the table's own socket, which a program on the box may reach."""
    chance = random.Random(5)
    words = ["companion", "pages", "ask", "phone", "what", "text", "judge", "play", "pair", "back", "agree", "deal",
             "host", "history", "names", "round", "report", "points", "favour", "rename", "1 2", "{}"]  # fmt: skip
    for _ in range(400):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as guest:
            guest.settimeout(5)
            try:
                guest.connect(str(path))
                if chance.random() < 0.8:
                    guest.sendall(b'{"companion": 2}\n')
                for _ in range(chance.randint(1, 5)):
                    kind = chance.random()
                    if kind < 0.3:
                        guest.sendall(chance.randbytes(300) + b"\n")
                    elif kind < 0.35:
                        guest.sendall(b"[" * 100_000)
                    else:
                        values = ["1", "-1", "null", "[]", "{}", "1e400", "[[]]", *(f'"{word}"' for word in words)]
                        pairs = ", ".join(f'"{chance.choice(words)}": {chance.choice(values)}' for _ in range(4))
                        guest.sendall(("{" + pairs + "}\n").encode())
            except OSError:
                continue


def wait_until(holds) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.1)
