"""The door of the pages: bytes pass unchanged and at once, the pages learn who the client is, and nobody blocks it."""

from __future__ import annotations

import contextlib
import os
import re
import select
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

DOOR = Path(__file__).parents[2] / "systemd" / "door.py"
PATIENCE = 60
SMALL = f"""
import importlib.util, socket, sys
spec = importlib.util.spec_from_file_location("door", {str(DOOR)!r})
door = importlib.util.module_from_spec(spec)
spec.loader.exec_module(door)
door.Door(socket.socket(fileno=3), sys.argv[1], most=int(sys.argv[2]), last_seconds=float(sys.argv[3])).serve_forever()
"""
"""The door with other limits."""


class OpenDoor:
    """A door between a port of this computer and `pages`, a listening Unix socket."""

    def __init__(self, folder: Path, *limits: str) -> None:
        path = str(folder / "pages.sock")
        self.pages = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.pages.bind(path)
        self.pages.listen(50)
        self.pages.settimeout(PATIENCE)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = self.listener.getsockname()
        program = ["-c", SMALL] if limits else [str(DOOR)]
        command = [sys.executable, "-I", "-S", *program, path, *limits]
        self.process = subprocess.Popen(["bash", "-c", 'exec 3<&"$0" "$@"', str(self.listener.fileno()), *command],
                                        pass_fds=[self.listener.fileno()])  # fmt: skip

    def client(self, source: str = "127.0.0.1") -> socket.socket:
        return socket.create_connection(self.address, PATIENCE, (source, 0))

    def handed_over(self) -> tuple[socket.socket, bytes]:
        """The pages' side of the next client, and the line that introduces the client."""
        pages, _ = self.pages.accept()
        pages.settimeout(PATIENCE)
        line = b""
        while not line.endswith(b"\n"):
            line += pages.recv(1)
        return pages, line

    def pair(self, source: str = "127.0.0.1") -> tuple[socket.socket, socket.socket]:
        client = self.client(source)
        return client, self.handed_over()[0]

    def close(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)
        self.listener.close()
        self.pages.close()


@pytest.fixture
def door(tmp_path):
    """Makes a door; its limits are given as words."""
    made: list[OpenDoor] = []

    def make(*limits: str) -> OpenDoor:
        made.append(OpenDoor(tmp_path, *limits))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_the_pages_are_told_who_comes(door):
    """The first line is the client's address and port in the PROXY protocol, and nothing that the client has sent."""
    opened = door()
    client = opened.client("127.0.0.7")
    client.sendall(b"GET / HTTP/1.1\r\n")
    pages, line = opened.handed_over()
    port = client.getsockname()[1]
    assert line == f"PROXY TCP4 127.0.0.7 127.0.0.1 {port} {opened.address[1]}\r\n".encode()
    assert pages.recv(100) == b"GET / HTTP/1.1\r\n"


def test_all_bytes_go_through_both_ways(door):
    """Megabytes in both directions at once arrive unchanged, and the end of the pages reaches the client."""
    client, pages = door().pair()
    sent = [os.urandom(3_000_000), os.urandom(4_000_000)]
    got: dict[str, bytes] = {}

    def read(name: str, end: socket.socket, length: int) -> None:
        data = bytearray()
        while len(data) < length and (chunk := end.recv(65_536)):
            data += chunk
        got[name] = bytes(data)

    work = [threading.Thread(target=client.sendall, args=(sent[0],)),
            threading.Thread(target=read, args=("pages", pages, len(sent[0]))),
            threading.Thread(target=read, args=("client", client, len(sent[1])))]  # fmt: skip
    for each in work:
        each.start()
    pages.sendall(sent[1])
    for each in work:
        each.join(PATIENCE)
    assert (got["pages"] == sent[0], got["client"] == sent[1]) == (True, True)
    pages.close()
    assert client.recv(1) == b""


def test_a_line_of_a_stream_is_not_held_back(door):
    """Each event of a stream arrives while the stream stays open."""
    client, pages = door().pair()
    for number in range(50):
        event = b"data: %d\n\n" % number
        pages.sendall(event)
        assert client.recv(100) == event


def test_a_client_that_does_not_read_delays_nobody(door):
    """Beside clients that read none of their megabytes another is answered, and the waiting costs no processor time."""
    opened = door()
    held = [opened.pair() for _ in range(3)]
    for _, pages in held:
        pages.setblocking(False)
        while select.select([], [pages], [], 0.5)[1]:
            pages.send(b"x" * 65_536)
        pages.close()
    client, pages = opened.pair()
    before = processor_time(opened.process.pid)
    pages.sendall(b"answer")
    assert client.recv(100) == b"answer"
    time.sleep(1)
    assert processor_time(opened.process.pid) - before < 50


def processor_time(pid: int) -> int:
    """The processor time of a process so far, in hundredths of a second."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def test_the_last_bytes_have_a_time(door):
    """If the pages end a connection whose client reads nothing, the door ends it too after a while."""
    opened = door("5", "0.1")
    first = opened.pair()
    before = len(list(Path(f"/proc/{opened.process.pid}/fd").iterdir()))
    client, pages = opened.pair()
    pages.setblocking(False)
    while select.select([], [pages], [], 0.5)[1]:
        pages.send(b"x" * 65_536)
    pages.close()
    wait_for_descriptors(opened, before)
    assert min(client.fileno(), first[0].fileno()) >= 0


def wait_for_descriptors(opened: OpenDoor, descriptors: int) -> None:
    """Wait until the door has at most this many descriptors."""
    folder = Path(f"/proc/{opened.process.pid}/fd")
    end = time.monotonic() + PATIENCE
    while len(list(folder.iterdir())) > descriptors:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_at_the_limit_one_that_is_ending_makes_room(door):
    """At the limit the next client waits until the pages end another one, however slowly that one reads its last
    bytes.
    """
    opened = door("2", "1000")
    (first, pages), (second, other) = opened.pair(), opened.pair()
    third = opened.client()
    opened.pages.settimeout(0.5)
    with pytest.raises(TimeoutError):
        opened.pages.accept()
    opened.pages.settimeout(PATIENCE)
    pages.setblocking(False)
    while select.select([], [pages], [], 0.5)[1]:
        pages.send(b"x" * 65_536)
    pages.close()
    newcomer, _ = opened.handed_over()
    newcomer.sendall(b"answer")
    assert third.recv(100) == b"answer"
    other.sendall(b"too")
    assert second.recv(100) == b"too"
    first.close()


def test_clients_that_vanish_leave_nothing(door):
    """After a thousand clients that end in every possible way, the door has no more descriptors than before."""
    opened = door()
    client, pages = opened.pair()
    folder = Path(f"/proc/{opened.process.pid}/fd")
    before = len(list(folder.iterdir()))
    for number in range(1000):
        gone = opened.client()
        broken = number % 3 == 1
        if broken:
            gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # It breaks off.
        with contextlib.suppress(OSError):  # The pages may have ended it already.
            if number % 2:
                gone.sendall(b"GET / HTTP/1.1\r\n")
            if number % 5 == 4:
                gone.shutdown(socket.SHUT_WR)
        gone.close()
        if number % 7 < 5 and not broken:  # One that has broken off may be gone before it is handed over.
            opened.pages.accept()[0].close()
    client.sendall(b"still here")
    assert pages.recv(100) == b"still here"
    while select.select([opened.pages], [], [], 0.5)[0]:
        opened.pages.accept()[0].close()
    wait_for_descriptors(opened, before)


def test_the_door_is_small(door):
    """It uses less than 16 MiB of memory, and a byte often goes there and back in less than a tenth of a second."""
    opened = door()
    client, pages = opened.pair()
    times = []
    for _ in range(200):
        begun = time.perf_counter()
        client.sendall(b"a")
        pages.recv(1)
        pages.sendall(b"b")
        client.recv(1)
        times.append(time.perf_counter() - begun)
    status = Path(f"/proc/{opened.process.pid}/status").read_text()
    kib = int(re.search(r"VmHWM:\s+(\d+)", status)[1])
    print(f"{kib} KiB, median {sorted(times)[100] * 1e6:.0f} µs there and back")
    assert kib < 16 * 1024
    assert sorted(times)[20] < 0.1  # On a busy machine most may wait for their turns.
