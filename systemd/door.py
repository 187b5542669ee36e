"""The door of the pages: copies bytes between the port of the network and the pages' socket.

    client ──TCP──> door ──Unix socket──> pages
                     └ first line: "PROXY TCP4 client own port port", then the client's bytes unchanged

The door is the only part of the pages that is connected to the network. It interprets nothing of what it copies. The
first line that the pages get is the client's address, as in version 1 of the PROXY protocol. companion-door.service
runs the door, with the listening socket of the port as descriptor 3:

    python3 -I -S door.py /run/companion-web/pages.sock
"""

from __future__ import annotations

import select
import socket
import sys
import time

CHUNK = 16_384
"""The most bytes that wait for one side. Until they are sent, the other side is not read."""
MOST = 300
"""The most clients at once; further ones wait. The pages serve fewer, and end old connections for newcomers."""
LAST_SECONDS = 10.0
"""How long a client may take for its last bytes, once the pages have ended the connection."""
GONE = select.EPOLLHUP | select.EPOLLERR
HANDED_IN = 3
"""The first descriptor that the service manager passes: see sd_listen_fds(3)."""


class Side:
    """One side of a connection: its socket, the other side, and the bytes that wait to be sent to it."""

    other: Side

    def __init__(self, end: socket.socket, waiting: bytes = b"", *, is_client: bool) -> None:
        end.setblocking(False)
        self.end = end
        self.number = end.fileno()
        self.waiting = waiting
        self.is_client = is_client
        self.last = False
        """Whether the pages have ended the connection, so that this client only gets its last bytes."""

    @property
    def wanted(self) -> int:
        """The events to wait for: room for unsent bytes, and incoming bytes.

        For neither, only the end, which is reported once.
        """
        return (select.EPOLLOUT if self.waiting else 0) | (select.EPOLLIN if self.reads else 0) or select.EPOLLET

    @property
    def reads(self) -> bool:
        """Whether this side is read now: not before the other side has taken the earlier bytes."""
        return not self.last and not self.other.waiting

    def send(self) -> None:
        """Send as many of the unsent bytes as there is room for."""
        try:
            self.waiting = self.waiting[self.end.send(self.waiting) :]
        except BlockingIOError:
            pass
        except OSError:  # This side is gone; reading from it will show that.
            self.waiting = b""


class Door:
    """The connections between clients of a listening socket and the pages' socket, whose path is `pages`."""

    def __init__(
        self, listener: socket.socket, pages: str, most: int = MOST, last_seconds: float = LAST_SECONDS
    ) -> None:
        self._listener = listener
        self._pages = pages
        self._most_sides = 2 * most
        self._last_seconds = last_seconds
        self._poll = select.epoll()
        self._watched: dict[int, int] = {}
        self._sides: dict[int, Side] = {}
        self._ending: dict[Side, float] = {}  # clients that only get their last bytes, and since when, the oldest first
        listener.setblocking(False)

    def serve(self) -> None:
        """Copy bytes until the process is ended."""
        while True:
            room = len(self._sides) < self._most_sides or self._ending
            self._watch(self._listener.fileno(), select.EPOLLIN if room else 0)
            happened = dict(self._poll.poll(1.0 if self._ending else None))
            comes = happened.pop(self._listener.fileno(), 0)
            for number, events in happened.items():
                if (side := self._sides.get(number)) is not None:
                    self._copy(side, events)
            if comes:  # Last of all, since a newcomer may get the number of a descriptor that was closed just now.
                self._let_in()
            late = time.monotonic() - self._last_seconds
            for side in [side for side, since in self._ending.items() if since < late]:
                self._close(side)

    def _let_in(self) -> None:
        """Connect one more client with the pages. A client that only gets its last bytes is closed to make room."""
        if len(self._sides) >= self._most_sides and self._ending:
            self._close(next(iter(self._ending)))
        try:
            client = self._listener.accept()[0]
        except OSError:  # The client has gone again.
            return
        pages = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            sides = Side(client, is_client=True), Side(pages, _introduction(client), is_client=False)
            pages.connect(self._pages)
        except OSError:  # The client has gone again, or the pages are not running.
            client.close()
            pages.close()
            return
        for side, other in zip(sides, sides[::-1], strict=True):
            side.other = other
            self._sides[side.number] = side
        for side in sides:
            self._watch(side.number, side.wanted)

    def _copy(self, side: Side, events: int) -> None:
        """Send what waits for a side, read what it has, and send that to the other side."""
        ended = events & GONE and side.is_client
        if side.waiting:
            side.send()
        if side.reads and not ended:
            try:
                side.other.waiting = side.end.recv(CHUNK)
                ended = not side.other.waiting
                side.other.send()
            except BlockingIOError:
                pass
            except OSError:
                ended = True
        if ended:
            self._close(side)
            return
        if events & GONE and not side.is_client:
            side.other.last = True
            self._ending.setdefault(side.other, time.monotonic())
        for each in (side, side.other):
            self._watch(each.number, each.wanted)

    def _close(self, side: Side) -> None:
        for each in (side, side.other):
            self._ending.pop(each, None)
            del self._sides[each.number]
            self._poll.unregister(each.number)
            del self._watched[each.number]
            each.end.close()

    def _watch(self, number: int, wanted: int) -> None:
        """Wait for these events of a descriptor."""
        before = self._watched.get(number)
        if before is None:
            self._poll.register(number, wanted)
        elif before != wanted:
            self._poll.modify(number, wanted)
        self._watched[number] = wanted


def _introduction(client: socket.socket) -> bytes:
    """The line that tells the pages who the client is. Raises OSError if the client has gone."""
    family = "TCP6" if client.family == socket.AF_INET6 else "TCP4"
    (host, port), (own, own_port) = client.getpeername()[:2], client.getsockname()[:2]
    return f"PROXY {family} {host} {own} {port} {own_port}\r\n".encode()


if __name__ == "__main__":
    Door(socket.socket(fileno=HANDED_IN), sys.argv[1]).serve()
