"""A table's public view: received at the table's socket, and published as the table's state."""

from __future__ import annotations

import contextlib
import json
import math
import socket
import time
from typing import TYPE_CHECKING, Any

from companion.hall import mqtt
from companion.hall.messages import write
from companion.table.state_server import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from paho.mqtt.client import Client, MQTTMessageInfo

    from companion.hall.messages import State

RETRY_SECONDS = 1.0
"""The pause between two tries to connect to the table."""
LONGEST_LINE = 1 << 20
STATE_SECONDS = 0.2
"""The shortest time between two states that are published; only the newest is sent."""


class PublicView:
    """A client of the table's socket that reconnects by itself.

    `public` is the newest public view (docs/socket.md), None while the table is not connected.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._socket: socket.socket | None = None
        self._next_try = 0.0
        self._rest = b""
        self.public: Mapping[str, Any] | None = None
        self._offer: bytes | None = None

    def socket(self) -> socket.socket | None:
        """The connected socket, or None; tries to connect at most once in `RETRY_SECONDS`."""
        if self._socket is None and time.monotonic() >= self._next_try:
            self._next_try = time.monotonic() + RETRY_SECONDS
            made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                made.settimeout(1)
                made.connect(str(self._path))
                made.sendall(json.dumps({"companion": VERSION}).encode() + b"\n")
                if self._offer is not None:
                    made.sendall(self._offer)
                made.setblocking(False)
            except OSError:
                made.close()
            else:
                self._socket, self._rest = made, b""
        return self._socket

    def offer(self, offer: Mapping[str, Any] | None) -> None:
        """Hand the table what the hall offers it, now and whenever the table is back; None for nothing any more."""
        self._offer = json.dumps({"offer": offer}).encode() + b"\n"
        if self._socket is not None:
            try:
                self._socket.sendall(self._offer)
            except OSError:
                self.close()  # It is told when it is back.

    def read(self) -> None:
        """Read what has arrived at the socket and update `public`; close it where the table has gone."""
        assert self._socket is not None, "only what `socket` gave has anything to read"
        try:
            data = self._socket.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        *lines, self._rest = (self._rest + data).split(b"\n")
        if not data or len(self._rest) > LONGEST_LINE:
            self.close()
            return
        for line in lines:
            with contextlib.suppress(ValueError, RecursionError):
                words = json.loads(line)
                if isinstance(words, dict) and isinstance(words.get("public"), dict):
                    self.public = words["public"]

    def close(self) -> None:
        """Close the socket, if it is open; `public` becomes None."""
        if self._socket is not None:
            self._socket.close()
        self._socket, self.public = None, None


class StateSender:
    """Publishes the states of one table under `topic`, as retained messages."""

    def __init__(self, topic: str) -> None:
        self._topic = topic
        self._published: State | None = None  # the state published last on this connection
        self._published_at = -math.inf
        self._telling: MQTTMessageInfo | None = None  # its way to the broker

    def forget(self) -> None:
        """Start over for a new connection."""
        self._published, self._telling = None, None

    def again(self) -> None:
        """Publish the state once more, although it is the same."""
        self._published = None

    def send(self, client: Client, state: State, now: float) -> float:
        """Publish a state if it is new and its time has come.

        Returns the seconds until it should be tried again, infinite where something else will tell: another state, or
        the broker's acknowledgement of the last one.
        """
        if state == self._published:
            return math.inf
        wait = self._published_at + STATE_SECONDS - now
        if wait > 0:
            return wait
        if self._telling is not None and not mqtt.arrived(self._telling):
            return math.inf
        self._published, self._published_at = state, now
        self._telling = client.publish(self._topic, write(state), 1, retain=True, properties=mqtt.content())
        return math.inf
