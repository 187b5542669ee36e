"""The table's socket with real connections: what clients are sent, and that none of them can delay the table."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import socket
import stat
import threading
import time

import pytest

from companion.inputs import PhoneRequest, RoundChangeRequest
from companion.table.phone_worker import PhoneWorker
from companion.table.state_server import MAX_CLIENTS, MAX_LINE_BYTES, PROTOCOL_VERSION, SocketError, StateServer

PATIENCE_SECONDS = 60


class Client:
    """A connection to the socket that has sent its first line."""

    def __init__(self, path, version=PROTOCOL_VERSION, **more) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(PATIENCE_SECONDS)
        self.socket.connect(str(path))
        self.send_line(json.dumps({"companion": version, **more}).encode() + b"\n")
        self.lines = self.socket.makefile("rb")

    def send_line(self, data: bytes) -> None:
        self.socket.sendall(data)

    def read_message(self) -> dict:
        return json.loads(self.lines.readline())

    def is_disconnected(self) -> bool:
        try:
            return self.lines.readline() == b""
        except OSError:
            return True


@pytest.fixture
def server(tmp_path):
    """An open socket whose snapshot is the session itself; what clients send is in `heard`."""
    messages, departures = [], []
    path = tmp_path / "s"
    state_server = StateServer(
        "phones", path, lambda session: {"public": {"told": session}}, messages.append, lambda: departures.append(1)
    )
    state_server.path, state_server.heard, state_server.gone = path, messages, departures
    state_server.open()
    yield state_server
    state_server.close()


def becomes_true(condition) -> bool:
    end = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def test_a_client_gets_the_newest_state_and_each_newer_one(server):
    server.publish("first")
    client = Client(server.path)
    assert client.read_message() == {"state": 1, "public": {"told": "first"}}
    server.publish("second")
    assert client.read_message()["public"] == {"told": "second"}
    assert server.heard[0]["companion"] == PROTOCOL_VERSION


def test_only_the_group_may_connect(server):
    assert stat.S_IMODE(server.path.stat().st_mode) == 0o660


def test_a_client_of_another_version_is_disconnected(server):
    server.publish("state")
    client = Client(server.path, version=99)
    assert "version 2" in client.read_message()["error"]
    assert client.is_disconnected()


@pytest.mark.parametrize("words", [b"x" * (MAX_LINE_BYTES + 5000), b"\xff\xfe\n[1]\n{}\n" + b"[" * 5000 + b"\n"])
def test_nonsense_does_not_stop_the_server(server, words):
    """Whatever a client sends, the next client gets the state."""
    server.publish("state")
    client = Client(server.path)
    client.read_message()
    with contextlib.suppress(OSError):
        client.send_line(words)
    assert Client(server.path).read_message()["public"] == {"told": "state"}


def test_a_client_that_does_not_read_delays_nobody(tmp_path):
    """The loop publishes at once, and other clients are served."""
    served = StateServer("phones", tmp_path / "s", lambda session: {"public": {"told": session * 100_000}})
    served.open()
    try:
        served.publish("a")
        Client(tmp_path / "s")
        other = Client(tmp_path / "s")
        other.read_message()
        before = time.thread_time()
        for _ in range(200):
            served.publish("b")
        assert time.thread_time() - before < 1.0
        while other.read_message()["state"] < 201:
            pass
    finally:
        served.close()


def test_a_client_that_stops_reading_is_disconnected(tmp_path, monkeypatch):
    """The client is disconnected when nothing could be sent to it within the limit."""
    monkeypatch.setattr("companion.table.state_server.CLIENT_TIMEOUT_SECONDS", 0.2)
    disconnected = threading.Event()
    served = StateServer("phones", tmp_path / "s", lambda session: {"told": session}, on_last_left=disconnected.set)
    served.open()
    try:
        client = Client(tmp_path / "s")
        served.publish("a" * 10_000_000)
        assert disconnected.wait(PATIENCE_SECONDS)
        client.socket.close()
    finally:
        served.close()


def test_a_client_may_be_silent(tmp_path):
    """The limit is only for the first line, and for what is sent to the client."""
    messages = []
    served = StateServer("phones", tmp_path / "s", lambda session: {}, messages.append)
    served.open()
    try:
        served.publish("state")
        client = Client(tmp_path / "s")
        client.read_message()
        (place,) = served.clients
        place.settimeout(0.2)  # Set after its first line, for which a busy machine may need longer.
        client.send_line(b'{"more": 1}\n')
        assert becomes_true(lambda: messages[1:] == [{"more": 1}])  # From here on the new limit holds.
        time.sleep(1.0)
        client.send_line(b'{"more": 2}\n')
        assert becomes_true(lambda: messages[2:] == [{"more": 2}])
        served.publish("another")
        assert client.read_message()["state"] == 2
    finally:
        served.close()


def test_clients_are_served_without_socket_timeouts_of_the_kernel(server, monkeypatch):
    """The server works where the kernel's time is wider than C's long, as on 32-bit Debian 13.

    There the kernel refuses a timeout that is packed as two longs.
    """

    def refused(self, level, option, value):
        raise OSError(errno.EDOM, os.strerror(errno.EDOM))

    monkeypatch.setattr(socket.socket, "setsockopt", refused)
    server.publish("state")
    assert Client(server.path).read_message()["state"] == 1


def test_the_table_learns_when_the_last_client_leaves(server):
    """The table then knows that nobody serves its pages."""
    server.publish("state")
    client = Client(server.path)
    client.read_message()
    client.socket.shutdown(socket.SHUT_RDWR)
    assert becomes_true(lambda: server.gone)


def test_one_client_too_many_is_disconnected(server):
    server.publish("state")
    served = [Client(server.path) for _ in range(MAX_CLIENTS)]
    assert all(client.read_message() for client in served)
    with contextlib.suppress(BrokenPipeError):  # It may be disconnected before its first line.
        assert Client(server.path).is_disconnected()


def test_the_socket_of_a_killed_table_is_replaced_and_nothing_else(tmp_path):
    """A file of that name stays, and the error names it."""
    path = tmp_path / "s"
    stale = socket.socket(socket.AF_UNIX)
    stale.bind(str(path))
    stale.close()
    served = StateServer("phones", path, lambda session: {})
    served.open()
    served.close()
    assert not path.exists()
    path.write_text("mine")
    with pytest.raises(SocketError, match="something else"):
        StateServer("phones", path, lambda session: {}).open()
    assert path.read_text() == "mine"


def test_a_table_that_starts_removes_what_a_killed_one_left(tmp_path):
    """The service watches this socket: left behind, it would keep the port of the pages open."""
    killed = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    killed.bind(str(tmp_path / "table.sock"))
    killed.close()
    for _ in range(2):
        PhoneWorker(tmp_path, lambda event: None, lambda request: None)
        assert not (tmp_path / "table.sock").exists()
    (tmp_path / "table.sock").write_text("mine")
    PhoneWorker(tmp_path, lambda event: None, lambda request: None)
    assert (tmp_path / "table.sock").read_text() == "mine"


def test_only_a_corrected_record_may_be_long(tmp_path):
    """Any other long request is ignored, as is a record that does not fit into a client's line."""
    inputs = []
    served = PhoneWorker(tmp_path, inputs.append, lambda request: None)
    served.server.open()
    try:
        client = Client(tmp_path / "table.sock")
        for what, size in (("play", 5_000), ("correct", 61_000), ("correct", 5_000)):
            message = {"ask": size, "phone": "c" * 64, "what": what, "text": "12 " + "x" * size}
            client.send_line(json.dumps(message).encode() + b"\n")
        assert becomes_true(lambda: any(isinstance(each, PhoneRequest) for each in inputs))
    finally:
        served.server.close()
    requests = [each.request for each in inputs if isinstance(each, PhoneRequest)]
    assert requests == [RoundChangeRequest(12, "correct", "x" * 5_000)]
