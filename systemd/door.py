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

CHUNK_BYTES = 16_384
"""The most bytes that wait for one side. Until they are sent, the other side is not read."""
MAX_CLIENTS = 300
"""The most clients at once; further ones wait. The pages serve fewer, and end old connections for newcomers."""
LAST_SECONDS = 10.0
"""How long a client may take for its last bytes, once the pages have ended the connection."""
GONE_EVENTS = select.EPOLLHUP | select.EPOLLERR
LISTENING_DESCRIPTOR = 3
"""The first descriptor that the service manager passes: see sd_listen_fds(3)."""


class Side:
    """One side of a connection: its socket, the other side, and the bytes that wait to be sent to it."""

    other: Side

    def __init__(self, end: socket.socket, waiting: bytes = b"", *, is_client: bool) -> None:
        end.setblocking(False)
        self.socket = end
        self.descriptor = end.fileno()
        self.unsent = waiting
        self.is_client = is_client
        self.is_ending = False
        """Whether the pages have ended the connection, so that this client only gets its last bytes."""

    @property
    def wanted_events(self) -> int:
        """The events to wait for: room for unsent bytes, and incoming bytes.

        For neither, only the end, which is reported once.
        """
        return (select.EPOLLOUT if self.unsent else 0) | (select.EPOLLIN if self.is_reading else 0) or select.EPOLLET

    @property
    def is_reading(self) -> bool:
        """Whether this side is read now: not before the other side has taken the earlier bytes."""
        return not self.is_ending and not self.other.unsent

    def send_unsent(self) -> None:
        """Send as many of the unsent bytes as there is room for."""
        try:
            self.unsent = self.unsent[self.socket.send(self.unsent) :]
        except BlockingIOError:
            pass
        except OSError:  # This side is gone; reading from it will show that.
            self.unsent = b""


class Door:
    """The connections between clients of a listening socket and the pages' socket, whose path is `pages`."""

    def __init__(
        self, listener: socket.socket, pages: str, most: int = MAX_CLIENTS, last_seconds: float = LAST_SECONDS
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

    def serve_forever(self) -> None:
        """Copy bytes until the process is ended."""
        while True:
            room = len(self._sides) < self._most_sides or self._ending
            self._watch_for(self._listener.fileno(), select.EPOLLIN if room else 0)
            events_by_descriptor = dict(self._poll.poll(1.0 if self._ending else None))
            has_newcomer = events_by_descriptor.pop(self._listener.fileno(), 0)
            for number, events in events_by_descriptor.items():
                if (side := self._sides.get(number)) is not None:
                    self._copy_bytes(side, events)
            # Last of all, since a newcomer may get the number of a descriptor that was closed just now.
            if has_newcomer:
                self._accept_client()
            oldest_ending = time.monotonic() - self._last_seconds
            for side in [side for side, since in self._ending.items() if since < oldest_ending]:
                self._close(side)

    def _accept_client(self) -> None:
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
            self._sides[side.descriptor] = side
        for side in sides:
            self._watch_for(side.descriptor, side.wanted_events)

    def _copy_bytes(self, side: Side, events: int) -> None:
        """Send what waits for a side, read what it has, and send that to the other side."""
        ended = events & GONE_EVENTS and side.is_client
        if side.unsent:
            side.send_unsent()
        if side.is_reading and not ended:
            try:
                side.other.unsent = side.socket.recv(CHUNK_BYTES)
                ended = not side.other.unsent
                side.other.send_unsent()
            except BlockingIOError:
                pass
            except OSError:
                ended = True
        if ended:
            self._close(side)
            return
        if events & GONE_EVENTS and not side.is_client:
            side.other.is_ending = True
            self._ending.setdefault(side.other, time.monotonic())
        for each in (side, side.other):
            self._watch_for(each.descriptor, each.wanted_events)

    def _close(self, side: Side) -> None:
        for each in (side, side.other):
            self._ending.pop(each, None)
            del self._sides[each.descriptor]
            self._poll.unregister(each.descriptor)
            del self._watched[each.descriptor]
            each.socket.close()

    def _watch_for(self, number: int, events: int) -> None:
        """Let the next wait end at these events of a descriptor too."""
        watched = self._watched.get(number)
        if watched is None:
            self._poll.register(number, events)
        elif watched != events:
            self._poll.modify(number, events)
        self._watched[number] = events


def _introduction(client: socket.socket) -> bytes:
    """The line that tells the pages who the client is. Raises OSError if the client has gone."""
    family = "TCP6" if client.family == socket.AF_INET6 else "TCP4"
    (host, port), (own_host, own_port) = client.getpeername()[:2], client.getsockname()[:2]
    return f"PROXY {family} {host} {own_host} {port} {own_port}\r\n".encode()


if __name__ == "__main__":
    Door(socket.socket(fileno=LISTENING_DESCRIPTOR), sys.argv[1]).serve_forever()
