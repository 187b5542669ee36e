"""A client with many addresses shuts nobody out: the command itself, with more connections than it has room for."""

from __future__ import annotations

import http.client
import socket
import subprocess
import time

import pytest
from ports import free_port

PATIENCE = 60
STREAM = b"GET /events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"


@pytest.fixture
def port(companion_command, tmp_path):
    """The port of `companion web` beside a table that is not connected."""
    number = free_port()
    command = [companion_command, "web", "--host", "127.0.0.1", "--port", str(number), "--socket", tmp_path / "none"]
    web = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    end = time.monotonic() + PATIENCE
    while not _first_answer(number, "/"):
        assert time.monotonic() < end
        time.sleep(0.1)
    yield number
    web.kill()
    web.wait(PATIENCE)


def _first_answer(port: int, path: str, source: str = "127.0.0.1") -> bytes:
    """The first bytes of the answer to a client at an address; b"" if it gets none."""
    try:
        asking = http.client.HTTPConnection("127.0.0.1", port, PATIENCE, (source, 0))
        asking.request("GET", path)
        answer = asking.getresponse()
        return answer.read(20) if answer.status == 200 else b"refused: %d" % answer.status
    except OSError:
        return b""


def _open_connections(port: int, addresses: int, each: int, sent: bytes = b"") -> list[socket.socket]:
    """Open so many connections from each of so many addresses."""
    made = []
    for number in range(addresses * each):
        made.append(socket.create_connection(("127.0.0.1", port), PATIENCE, (f"127.0.1.{number % addresses + 1}", 0)))
        made[-1].sendall(sent)
    return made


def test_thirty_addresses_shut_nobody_out(port):
    """With 930 connections from thirty addresses, a client at another address is answered at the first try."""
    held = _open_connections(port, 30, 31)
    assert _first_answer(port, "/", "127.0.0.2").startswith(b"<!doctype")
    for each in held:
        each.close()


def test_four_addresses_do_not_take_all_streams(port):
    """With 120 streams from four addresses, the stream of another address begins at the first try."""
    held = _open_connections(port, 4, 30, STREAM)
    for each in held[-4:]:
        each.settimeout(PATIENCE)
        each.recv(10)  # The server has come to them.
    assert _first_answer(port, "/events", "127.0.0.2").startswith(b"event: table")
    for each in held:
        each.close()
