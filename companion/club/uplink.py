"""The process beside a table that sends its rounds and its public snapshot to the club server.

    to the server      …/log      each changed round, with its record
                       …/state    the table's public snapshot
    from the server    …/have     which log entries the server has
                       …/offer    a pairing, which is handed to the table's public socket

One thread waits for the broker's and the table's sockets, and reads the store when its files have changed. The uplink
saves nothing: after a crash the server says where to continue.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
from typing import TYPE_CHECKING, Any, ClassVar

from paho.mqtt.packettypes import PacketTypes

from companion.club import mqtt
from companion.club.backlog import Backlog, StoreWatch
from companion.club.messages import CONTENT_TYPE, State, UnreadableError, read_have, read_offer, topics, write
from companion.languages import Text, pack_texts, in_language, unpack_text
from companion.languages.catalogues import ENGLISH
from companion.replacing import replace_file
from companion.store.errors import StoreError
from companion.store.open_to_read import ReadOnlyStore
from companion.table.state_server import PROTOCOL_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from paho.mqtt.client import Client, MQTTMessage, MQTTMessageInfo
    from paho.mqtt.properties import Properties

    from companion.club.messages import Have, Link
    from companion.store.store_queries import StoreQueries

LOOK_SECONDS = 1.0
"""How often the store's files are checked for changes."""
TABLE_RETRY_SECONDS = 1.0
"""The pause between two attempts to connect to the table's socket."""
LONGEST_LINE = 1 << 20
"""The longest line of the table's socket, in bytes."""
STATE_SECONDS = 0.2
"""The shortest time between two states that are published; only the newest is sent."""
SILENT_SECONDS = 15.0
"""After so long without a message from the server, unconfirmed messages are sent again."""
WILL_SECONDS = 10
"""The last will's delay: a table that reconnects within it never counts as disconnected."""
SESSION_SECONDS = 60
"""How long the broker keeps the session of a lost connection; longer than the will's delay."""


class Uplink(mqtt.BrokerClient):
    """Sends the rounds of one data folder to a club server.

    Args:
        link: this table's name and password, and the broker's address.
        data_folder: the table's data folder.
        table_socket: the table's public socket (docs/socket.md).
        status_file: the file that the doctor reads; None for none.
        write_log: called with each sentence for the log.
    """

    journal_lines: ClassVar[Mapping[str, str]] = {
        "bad login": "the club's broker does not let {name} in: its name or password is wrong",
        "refused": "the club's broker does not let {name} in: {why}",
        "unreachable": "the club server at {host} cannot be reached: {why}",
        # A broker that has all the connections it may have ends a new one without saying why.
        "ended": "the club server at {host} accepts no more tables now: it has as many as it can, or is just starting",
        "lost": "the connection to the club server at {host} was lost",
    }

    def __init__(
        self,
        link: Link,
        data: Path,
        guests: Path,
        *,
        status: Path | None = None,
        say: Callable[[str], object] = lambda sentence: None,
    ) -> None:
        super().__init__(link, say)
        self._topics = topics(link.club, link.name)
        self._data = data
        self._status = StatusFile(status)
        self._backlog: Backlog | None = None
        self._heard_at = 0.0
        self._haves: list[Have] = []
        self._watch = StoreWatch(data)
        self._next_look = 0.0
        self._more = False  # whether the store has to be read at once
        self._unread = False  # whether the store could not be read
        self._view = PublicView(guests)
        self._published: State | None = None  # the last state on this connection
        self._published_at = 0.0
        self._telling: MQTTMessageInfo | None = None  # whether the broker has that state yet

    def run(self, stop: Callable[[], bool]) -> None:
        """Stay connected until `stop()` is true, then tell the server that this table leaves."""
        try:
            while not stop():
                self.step()
        finally:
            self._leave()

    def step(self) -> None:
        """Send what is due, then wait at most a second for the sockets."""
        now = time.monotonic()
        self._look(now)
        if self._backlog is not None:
            self.connect_if_due()
        self._nudge(now)
        wait = self._publish_state(now)
        if self._backlog is not None:
            self._status.write(self.connected and self._backlog.knows, self._backlog.waiting)
        self._wait(0.0 if self._more else wait)

    @property
    def idle(self) -> bool:
        """Whether every saved change was sent, and no message of the server waits to be processed."""
        return not (self._more or self._haves or self._watch.again)

    # -- the store ----------------------------------------------------------------------------------------------

    def _look(self, now: float) -> None:
        """Read the store if it has changed or the server has sent a message, and send what is due.

        A store that could not be read is read again a second later, whether it has changed by then or not.
        """
        if now >= self._next_look:
            self._next_look = now + LOOK_SECONDS
            self._more = self._watch.changed() or self._unread or self._more
        if not (self._more or self._haves):
            return
        self._more = self._unread = False
        try:
            with contextlib.closing(ReadOnlyStore(self._data, is_beside_table=True)) as store:
                self._send(store)
        except StoreError as error:
            self._unread = True
            self.say(str(error).rstrip("."))

    def _send(self, store: StoreQueries) -> None:
        if not store.identity:
            self._unread = True  # The table is just creating the store.
            return
        if self._backlog is None or self._backlog.store != store.identity:
            self._backlog = Backlog(store.identity)
            if self.client is not None:
                self.drop()  # The last will contains the store's identity.
        for have in self._haves:
            self._backlog.take(have, store)
        self._haves.clear()
        for payload in self._backlog.due(store):
            if self.client is not None:
                mqtt.publish(self.client, self._topics.log, payload, retain=False)

    # -- the broker ---------------------------------------------------------------------------------------------

    def make_client(self) -> tuple[Client, Properties]:
        assert self._backlog is not None, "nothing connects before the store is known"
        # The identifier is made from the store's. So a second box of the same name does not disconnect this one, and a
        # new connection of this box replaces its own old one.
        made = mqtt.client(self.link, mqtt.identifier(self.link, self._backlog.store))
        gone = write(State(self._backlog.store, here=False))
        kind = PacketTypes.WILLMESSAGE
        will = mqtt.properties(kind, WillDelayInterval=WILL_SECONDS, ContentType=CONTENT_TYPE)
        made.will_set(self._topics.state, gone, 1, True, will)
        return made, mqtt.properties(PacketTypes.CONNECT, SessionExpiryInterval=SESSION_SECONDS)

    def on_connected(self, client: Client) -> None:
        self._heard_at = self.connected_at
        self.say(f"connected to the club server at {self.link.host} as {self.link.name}")
        client.subscribe([(self._topics.have, 1), (self._topics.offer, 1)])

    def receive(self, message: MQTTMessage) -> None:
        payload = bytes(message.payload)
        try:
            if message.topic == self._topics.offer:  # An empty message withdraws an offer.
                self._view.offer(read_offer(payload)._asdict() | {"table": self.link.name} if payload else None)
            if message.topic != self._topics.have or not payload:
                return
            self._heard_at = time.monotonic()
            have = read_have(payload)
            self._haves.append(have)
            if self._backlog is not None and have.store != self._backlog.store and not message.retain:
                self.say(f"another box uses the name {self.link.name} at the club: each box needs a name of its own")
        except UnreadableError as error:
            self.say(f"the club server sent a message that is not valid: {error}")

    def on_disconnected(self) -> None:
        self._published = self._telling = None
        self._haves.clear()
        if self._backlog is not None:
            self._backlog.forget()

    def _nudge(self, now: float) -> None:
        """Send unconfirmed messages again if the server has been silent for `RESEND_SECONDS`."""
        backlog = self._backlog
        if not self.connected or backlog is None or now - self._heard_at < SILENT_SECONDS:
            return
        if backlog.on_the_way or not backlog.knows:
            self._heard_at = now
            backlog.send_again()
            self._published = None
            self._more = True

    def _publish_state(self, now: float) -> float:
        """Publish the state if it is new and the broker has the last one.

        Returns how many seconds `run_step` may wait.
        """
        client, backlog = self.client, self._backlog
        if not self.connected or client is None or backlog is None:
            return LOOK_SECONDS
        public = self._view.public
        state = State(backlog.store, True, backlog.heard, backlog.waiting, public, board_words(public))
        if state == self._published or (self._telling is not None and not mqtt.arrived(self._telling)):
            return LOOK_SECONDS
        if (wait := self._published_at + STATE_SECONDS - now) > 0:
            return min(wait, LOOK_SECONDS)
        self._published, self._published_at = state, now
        self._telling = mqtt.publish(client, self._topics.state, write(state))
        return LOOK_SECONDS

    def _wait(self, seconds: float) -> None:
        """Wait at most so many seconds for data of the broker or the table, and process it."""
        if self.wait(seconds, self._view.socket()):
            self._view.read()

    def _leave(self) -> None:
        """Publish that this table leaves, waiting at most two seconds for the broker, and disconnect."""
        client = self.client
        if client is not None and self.connected and self._backlog is not None:
            end = time.monotonic() + 2
            gone = mqtt.publish(client, self._topics.state, write(State(self._backlog.store, here=False)))
            while self.connected and not mqtt.arrived(gone) and time.monotonic() < end:
                self._wait(0.1)
        self.drop()
        self._view.close()
        self._status.write(False, self._backlog.waiting if self._backlog is not None else 0)


class PublicView:
    """A client of the table's public socket that reconnects by itself.

    `public` is the newest public snapshot (docs/socket.md) with its texts, None while the table is not connected.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._socket: socket.socket | None = None
        self._next_try = 0.0
        self._rest = b""
        self.public: Mapping[str, Any] | None = None
        self._offer: bytes | None = None

    def socket(self) -> socket.socket | None:
        """The connected socket, or None; tries to connect at most once in `TABLE_RETRY_SECONDS`."""
        if self._socket is None and time.monotonic() >= self._next_try:
            self._next_try = time.monotonic() + TABLE_RETRY_SECONDS
            made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                made.settimeout(1)
                made.connect(str(self._path))
                made.sendall(json.dumps({"companion": PROTOCOL_VERSION, "texts": True}).encode() + b"\n")
                if self._offer is not None:
                    made.sendall(self._offer)
                made.setblocking(False)
            except OSError:
                made.close()
            else:
                self._socket, self._rest = made, b""
        return self._socket

    def offer(self, offer: Mapping[str, Any] | None) -> None:
        """Send the table an offer, now and whenever the table is connected again.

        None says that there is no offer any more.
        """
        self._offer = json.dumps({"offer": offer}).encode() + b"\n"
        if self._socket is not None:
            try:
                self._socket.sendall(self._offer)
            except OSError:
                self.close()  # The offer is sent when the table is connected again.

    def read(self) -> None:
        """Read what has arrived at the socket and update `public`; close the socket if the table has ended."""
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
            with contextlib.suppress(ValueError, RecursionError), in_language(ENGLISH):
                words = json.loads(line, object_hook=unpack_text)
                if isinstance(words, dict) and isinstance(words.get("public"), dict):
                    self.public = words["public"]

    def close(self) -> None:
        """Close the socket, if it is open; `public` becomes None."""
        if self._socket is not None:
            self._socket.close()
        self._socket, self.public = None, None


def board_words(public: Mapping[str, Any] | None) -> dict[str, Any]:
    """The words on a board that are texts, in English → their parts.

    With these the club's pages can show the board in their own language.
    """
    board = public and public.get("board")
    words = board.values.values() if isinstance(board, Text) else ()
    return {str(each): pack_texts(each) for each in words if isinstance(each, Text)}


class StatusFile:
    """A JSON file for the doctor, replaced at each change.

    Its keys are ``connected``, ``since``, ``waiting``, ``waiting_since`` and ``pid``.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._said: tuple[bool, int] | None = None
        self._since = self._waiting_since = ""

    def write(self, connected: bool, waiting: int) -> None:
        """Write whether the server is connected and how many rounds wait, with the times at which both changed."""
        if self._path is None or (connected, waiting) == self._said:
            return
        now = time.strftime("%Y-%m-%dT%H:%M:%S%z")
        if self._said is None or self._said[0] != connected:
            self._since = now
        if self._said is None or not self._said[1]:
            self._waiting_since = now
        self._said = connected, waiting
        said = {
            "connected": connected,
            "since": self._since,
            "waiting": waiting,
            "waiting_since": self._waiting_since,
            "pid": os.getpid(),
        }
        with contextlib.suppress(OSError):
            # The doctor runs as another user, and the file has no secret in it.
            replace_file(self._path, json.dumps(said).encode(), mode=0o644, ignores_umask=True, sync=False)
