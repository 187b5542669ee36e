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

from companion.club import broker_client
from companion.club.backlog import Backlog, StoreWatch
from companion.club.mqtt_messages import (
    CONTENT_TYPE,
    StateMessage,
    UnreadableError,
    encode_message,
    parse_offer,
    parse_received_entries,
    table_topics,
)
from companion.languages import Text, in_language, text_from_json, texts_to_json
from companion.languages.catalogues import ENGLISH
from companion.replacing import replace_file
from companion.store.errors import StoreError
from companion.store.read_only_store import ReadOnlyStore
from companion.table.state_server import PROTOCOL_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from paho.mqtt.client import Client, MQTTMessage, MQTTMessageInfo
    from paho.mqtt.properties import Properties

    from companion.club.mqtt_messages import HaveMessage, Link
    from companion.store.store_queries import StoreQueries

STORE_CHECK_SECONDS = 1.0
"""How often the store's files are checked for changes."""
TABLE_RETRY_SECONDS = 1.0
"""The pause between two attempts to connect to the table's socket."""
MAX_LINE_BYTES = 1 << 20
"""The longest line of the table's socket, in bytes."""
PUBLISH_PAUSE_SECONDS = 0.2
"""The shortest time between two states that are published; only the newest is sent."""
RESEND_SECONDS = 15.0
"""After so long without a message from the server, unconfirmed messages are sent again."""
WILL_DELAY_SECONDS = 10
"""The last will's delay: a table that reconnects within it never counts as disconnected."""
SESSION_SECONDS = 60
"""How long the broker keeps the session of a lost connection; longer than the will's delay."""


class Uplink(broker_client.BrokerClient):
    """Sends the rounds of one data folder to a club server.

    Args:
        link: this table's name and password, and the broker's address.
        data_folder: the table's data folder.
        table_socket: the table's public socket (docs/socket.md).
        status_file: the file that the doctor reads; None for none.
        write_log: called with each sentence for the log.
    """

    event_sentences: ClassVar[Mapping[str, str]] = {
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
        data_folder: Path,
        table_socket: Path,
        *,
        status_file: Path | None = None,
        write_log: Callable[[str], object] = lambda sentence: None,
    ) -> None:
        super().__init__(link, write_log)
        self._topics = table_topics(link.club, link.name)
        self._data_folder = data_folder
        self._status_file = StatusFile(status_file)
        self._backlog: Backlog | None = None
        self._last_heard_at = 0.0
        self._new_haves: list[HaveMessage] = []
        self._watch = StoreWatch(data_folder)
        self._next_check_at = 0.0
        self._reads_now = False  # whether the store has to be read at once
        self._read_failed = False  # whether the store could not be read
        self._table_client = PublicSocketClient(table_socket)
        self._published: StateMessage | None = None  # the last state on this connection
        self._published_at = 0.0
        self._publishing: MQTTMessageInfo | None = None  # whether the broker has that state yet

    def run_until(self, stop: Callable[[], bool]) -> None:
        """Stay connected until `stop()` is true, then tell the server that this table leaves."""
        try:
            while not stop():
                self.run_step()
        finally:
            self._say_goodbye()

    def run_step(self) -> None:
        """Send what is due, then wait at most a second for the sockets."""
        now = time.monotonic()
        self._send_changes_if_due(now)
        if self._backlog is not None:
            self.connect_if_due()
        self._resend_if_silent(now)
        wait = self._publish_state(now)
        if self._backlog is not None:
            self._status_file.write_status(
                self.is_connected and self._backlog.has_server_answer, self._backlog.waiting_rounds
            )
        self._wait_for_sockets(0.0 if self._reads_now else wait)

    @property
    def is_idle(self) -> bool:
        """Whether every saved change was sent, and no message of the server waits to be processed."""
        return not (self._reads_now or self._new_haves or self._watch.is_unsettled)

    # -- the store ----------------------------------------------------------------------------------------------

    def _send_changes_if_due(self, now: float) -> None:
        """Read the store if it has changed or the server has sent a message, and send what is due.

        A store that could not be read is read again a second later, whether it has changed by then or not.
        """
        if now >= self._next_check_at:
            self._next_check_at = now + STORE_CHECK_SECONDS
            self._reads_now = self._watch.has_changed() or self._read_failed or self._reads_now
        if not (self._reads_now or self._new_haves):
            return
        self._reads_now = self._read_failed = False
        try:
            with contextlib.closing(ReadOnlyStore(self._data_folder, is_beside_table=True)) as store:
                self._send_changes(store)
        except StoreError as error:
            self._read_failed = True
            self.report(str(error).rstrip("."))

    def _send_changes(self, store: StoreQueries) -> None:
        if not store.identity:
            self._read_failed = True  # The table is just creating the store.
            return
        if self._backlog is None or self._backlog.store_id != store.identity:
            self._backlog = Backlog(store.identity)
            if self.client is not None:
                self.close_connection()  # The last will contains the store's identity.
        for have in self._new_haves:
            self._backlog.note_received_entries(have, store)
        self._new_haves.clear()
        for payload in self._backlog.take_next_messages(store):
            if self.client is not None:
                broker_client.publish_message(self.client, self._topics.log, payload, retain=False)

    # -- the broker ---------------------------------------------------------------------------------------------

    def make_client(self) -> tuple[Client, Properties]:
        assert self._backlog is not None, "nothing connects before the store is known"
        # The identifier is made from the store's. So a second box of the same name does not disconnect this one, and a
        # new connection of this box replaces its own old one.
        client = broker_client.make_paho_client(
            self.link, broker_client.client_identifier(self.link, self._backlog.store_id)
        )
        leaving = encode_message(StateMessage(self._backlog.store_id, here=False))
        kind = PacketTypes.WILLMESSAGE
        will = broker_client.packet_properties(kind, WillDelayInterval=WILL_DELAY_SECONDS, ContentType=CONTENT_TYPE)
        client.will_set(self._topics.state, leaving, 1, True, will)
        return client, broker_client.packet_properties(PacketTypes.CONNECT, SessionExpiryInterval=SESSION_SECONDS)

    def on_connected(self, client: Client) -> None:
        self._last_heard_at = self.connected_at
        self.report(f"connected to the club server at {self.link.host} as {self.link.name}")
        client.subscribe([(self._topics.have, 1), (self._topics.offer, 1)])

    def take_message(self, message: MQTTMessage) -> None:
        payload = bytes(message.payload)
        try:
            if message.topic == self._topics.offer:  # An empty message withdraws an offer.
                self._table_client.send_offer(
                    parse_offer(payload)._asdict() | {"table": self.link.name} if payload else None
                )
            if message.topic != self._topics.have or not payload:
                return
            self._last_heard_at = time.monotonic()
            have = parse_received_entries(payload)
            self._new_haves.append(have)
            if self._backlog is not None and have.store != self._backlog.store_id and not message.retain:
                self.report(f"another box uses the name {self.link.name} at the club: each box needs a name of its own")
        except UnreadableError as error:
            self.report(f"the club server sent a message that is not valid: {error}")

    def on_disconnected(self) -> None:
        self._published = self._publishing = None
        self._new_haves.clear()
        if self._backlog is not None:
            self._backlog.reset_for_new_connection()

    def _resend_if_silent(self, now: float) -> None:
        """Send unconfirmed messages again if the server has been silent for `RESEND_SECONDS`."""
        backlog = self._backlog
        if not self.is_connected or backlog is None or now - self._last_heard_at < RESEND_SECONDS:
            return
        if backlog.unconfirmed_count or not backlog.has_server_answer:
            self._last_heard_at = now
            backlog.resend_unconfirmed()
            self._published = None
            self._reads_now = True

    def _publish_state(self, now: float) -> float:
        """Publish the state if it is new and the broker has the last one.

        Returns how many seconds `run_step` may wait.
        """
        client, backlog = self.client, self._backlog
        if not self.is_connected or client is None or backlog is None:
            return STORE_CHECK_SECONDS
        public = self._table_client.public
        state = StateMessage(
            backlog.store_id, True, backlog.last_ask, backlog.waiting_rounds, public, board_texts(public)
        )
        if state == self._published or (
            self._publishing is not None and not broker_client.is_delivered_or_lost(self._publishing)
        ):
            return STORE_CHECK_SECONDS
        if (wait := self._published_at + PUBLISH_PAUSE_SECONDS - now) > 0:
            return min(wait, STORE_CHECK_SECONDS)
        self._published, self._published_at = state, now
        self._publishing = broker_client.publish_message(client, self._topics.state, encode_message(state))
        return STORE_CHECK_SECONDS

    def _wait_for_sockets(self, seconds: float) -> None:
        """Wait at most so many seconds for data of the broker or the table, and process it."""
        if self.process_network(seconds, self._table_client.connected_socket()):
            self._table_client.receive()

    def _say_goodbye(self) -> None:
        """Publish that this table leaves, waiting at most two seconds for the broker, and disconnect."""
        client = self.client
        if client is not None and self.is_connected and self._backlog is not None:
            end = time.monotonic() + 2
            goodbye = broker_client.publish_message(
                client, self._topics.state, encode_message(StateMessage(self._backlog.store_id, here=False))
            )
            while self.is_connected and not broker_client.is_delivered_or_lost(goodbye) and time.monotonic() < end:
                self._wait_for_sockets(0.1)
        self.close_connection()
        self._table_client.close()
        self._status_file.write_status(False, self._backlog.waiting_rounds if self._backlog is not None else 0)


class PublicSocketClient:
    """A client of the table's public socket that reconnects by itself.

    `public` is the newest public snapshot (docs/socket.md) with its texts, None while the table is not connected.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._socket: socket.socket | None = None
        self._next_try = 0.0
        self._unfinished_line = b""
        self.public: Mapping[str, Any] | None = None
        self._offer: bytes | None = None

    def connected_socket(self) -> socket.socket | None:
        """The connected socket, or None; tries to connect at most once in `TABLE_RETRY_SECONDS`."""
        if self._socket is None and time.monotonic() >= self._next_try:
            self._next_try = time.monotonic() + TABLE_RETRY_SECONDS
            connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                connection.settimeout(1)
                connection.connect(str(self._path))
                connection.sendall(json.dumps({"companion": PROTOCOL_VERSION, "texts": True}).encode() + b"\n")
                if self._offer is not None:
                    connection.sendall(self._offer)
                connection.setblocking(False)
            except OSError:
                connection.close()
            else:
                self._socket, self._unfinished_line = connection, b""
        return self._socket

    def send_offer(self, offer: Mapping[str, Any] | None) -> None:
        """Send the table an offer, now and whenever the table is connected again.

        None says that there is no offer any more.
        """
        self._offer = json.dumps({"offer": offer}).encode() + b"\n"
        if self._socket is not None:
            try:
                self._socket.sendall(self._offer)
            except OSError:
                self.close()  # The offer is sent when the table is connected again.

    def receive(self) -> None:
        """Read what has arrived at the socket and update `public`; close the socket if the table has ended."""
        assert self._socket is not None, "only what `connected_socket` gave has anything to read"
        try:
            data = self._socket.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        *lines, self._unfinished_line = (self._unfinished_line + data).split(b"\n")
        if not data or len(self._unfinished_line) > MAX_LINE_BYTES:
            self.close()
            return
        for line in lines:
            with contextlib.suppress(ValueError, RecursionError), in_language(ENGLISH):
                message = json.loads(line, object_hook=text_from_json)
                if isinstance(message, dict) and isinstance(message.get("public"), dict):
                    self.public = message["public"]

    def close(self) -> None:
        """Close the socket, if it is open; `public` becomes None."""
        if self._socket is not None:
            self._socket.close()
        self._socket, self.public = None, None


def board_texts(public: Mapping[str, Any] | None) -> dict[str, Any]:
    """The words on a board that are texts, in English → their parts.

    With these the club's pages can show the board in their own language.
    """
    board = public and public.get("board")
    values = board.values.values() if isinstance(board, Text) else ()
    return {str(each): texts_to_json(each) for each in values if isinstance(each, Text)}


class StatusFile:
    """A JSON file for the doctor, replaced at each change.

    Its keys are ``connected``, ``since``, ``waiting``, ``waiting_since`` and ``pid``.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._written: tuple[bool, int] | None = None
        self._since = self._waiting_since = ""

    def write_status(self, connected: bool, waiting: int) -> None:
        """Write whether the server is connected and how many rounds wait, with the times at which both changed."""
        if self._path is None or (connected, waiting) == self._written:
            return
        now = time.strftime("%Y-%m-%dT%H:%M:%S%z")
        if self._written is None or self._written[0] != connected:
            self._since = now
        if self._written is None or not self._written[1]:
            self._waiting_since = now
        self._written = connected, waiting
        data = {
            "connected": connected,
            "since": self._since,
            "waiting": waiting,
            "waiting_since": self._waiting_since,
            "pid": os.getpid(),
        }
        with contextlib.suppress(OSError):
            # The doctor runs as another user, and the file has no secret in it.
            replace_file(self._path, json.dumps(data).encode(), mode=0o644, ignores_umask=True, sync=False)
