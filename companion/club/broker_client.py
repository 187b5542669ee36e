"""The MQTT 5 connection of tables and club server to the broker, by paho-mqtt.

`BrokerClient` has no thread: its owner calls `connect_if_due` and `process_network` in turn, so every message comes in
the owner's own thread. A lost connection is made again:

    disconnected ──connect_if_due──> connecting ──accepted──> connected
         ^                               │                        │
         └──── pause, 1 to 15 seconds ───┴── refused or failed ───┴── lost

TLS checks the fingerprint of the broker's certificate, which is in the link. So a club needs no certificate authority,
and a table without a set clock can connect.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import random
import select
import ssl
import time
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from paho.mqtt.client import Client, MQTTMessage, MQTTMessageInfo, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from companion.club.mqtt_messages import CONTENT_TYPE

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Mapping

    from companion.club.mqtt_messages import Link

KEEPALIVE_SECONDS = 20
"""MQTT's keep-alive: after this many seconds without a packet the client sends a ping."""
CONNECT_SECONDS = 5.0
"""How long an attempt to connect may take."""
CONNECTION_ENDED_ERRORS = (ConnectionResetError, BrokenPipeError, ssl.SSLEOFError)
"""Errors when the broker ends a connection that is just being made."""
BAD_LOGIN_CODES = (0x86, 0x87)
"""MQTT 5 reason codes: bad user name or password; not authorised."""
RETRY_PAUSE_SECONDS = (1.0, 15.0)
"""The first and the longest pause between two attempts to connect."""
STEADY_SECONDS = 30.0
"""A connection that lasted this long resets the pause; shorter ones double it.

Two boxes with copies of one SD card have the same client identifier, so the broker disconnects them in turn."""


class BrokerClient(ABC):
    """A client of the broker that connects again whenever the connection is lost; all in its owner's thread.

    Args:
        link: user name and password, and the broker's address.
        write_log: called with each sentence for the log. A sentence equal to the last one is dropped, because a broker
            may be missing for a whole night.

    Attributes:
        event_sentences: the sentence for each event: "bad login", "refused", "unreachable", "ended" and "lost"; with
            the fields name, host and why.
    """

    event_sentences: ClassVar[Mapping[str, str]]

    def __init__(self, link: Link, write_log: Callable[[str], object]) -> None:
        self.link = link
        self.is_connected = False
        self.connected_at = 0.0
        self.client: Client | None = None
        self._write_log = write_log
        self._last_sentence = ""
        self._was_refused = False  # whether the broker refused the login, with a reason
        self._retry_pause = RETRY_PAUSE_SECONDS[0]
        self._next_try_at = 0.0

    @abstractmethod
    def make_client(self) -> tuple[Client, Properties]:
        """A client for one connection, and the properties of its CONNECT packet."""

    @abstractmethod
    def on_connected(self, client: Client) -> None:
        """Subscribe to the owner's topics; called for each new connection."""

    @abstractmethod
    def take_message(self, message: MQTTMessage) -> None:
        """Process a message that has arrived."""

    @abstractmethod
    def on_disconnected(self) -> None:
        """Forget what belonged to the connection; also called after each failed attempt."""

    def report(self, sentence: str) -> None:
        """Write a sentence to the log, unless it is the same as the last one."""
        if sentence != self._last_sentence:
            self._last_sentence = sentence
            self._write_log(sentence)

    def connect_if_due(self) -> None:
        """Try to connect, if there is no connection and the pause after the last attempt is over."""
        if self.client is not None or time.monotonic() < self._next_try_at:
            return
        self.client, properties = self.make_client()
        self.client.on_connect, self.client.on_disconnect = self._on_connect, self._on_disconnect
        self.client.on_message = lambda client, userdata, message: self.take_message(message)
        try:
            self.client.connect(
                self.link.host, self.link.port, KEEPALIVE_SECONDS, clean_start=True, properties=properties
            )
        except (OSError, ValueError) as error:
            why = str(getattr(error, "strerror", "") or error)
            self.close_connection("ended" if isinstance(error, CONNECTION_ENDED_ERRORS) else "unreachable", why)

    def _on_connect(self, client: Client, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        self._was_refused = reason.is_failure
        if self._was_refused:
            self._retry_pause = RETRY_PAUSE_SECONDS[1]
            self._report_event("bad login" if reason.value in BAD_LOGIN_CODES else "refused", str(reason))
            return
        self.is_connected, self.connected_at = True, time.monotonic()
        self.on_connected(client)

    def _on_disconnect(self, client: Client, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        if client is self.client:
            self._on_connection_lost()

    def _on_connection_lost(self) -> None:
        if time.monotonic() - self.connected_at >= STEADY_SECONDS:
            self._retry_pause = RETRY_PAUSE_SECONDS[0]
        self.close_connection("" if self._was_refused else "lost" if self.is_connected else "ended")

    def _report_event(self, event: str, why: str) -> None:
        self.report(self.event_sentences[event].format(name=self.link.name, host=self.link.host, why=why))

    def close_connection(self, event: str = "", why: str = "") -> None:
        """Close the connection, and set the time of the next attempt.

        `event` is a key of `event_sentences`, whose sentence is written to the log; "" for none.
        """
        client, self.client = self.client, None
        if client is not None:
            with contextlib.suppress(OSError, ValueError):
                client.disconnect()
        self.is_connected = False
        if event:
            self._report_event(event, why)
        # Random, so that the tables of a club do not all reconnect at the same moment.
        self._next_try_at = time.monotonic() + self._retry_pause * random.uniform(0.5, 1)
        self._retry_pause = min(self._retry_pause * 2, RETRY_PAUSE_SECONDS[1])
        self.on_disconnected()

    def process_network(self, seconds: float, other_socket: socket.socket | None = None) -> bool:
        """Wait at most `seconds` for data, and process one packet of the broker.

        Returns whether `other_socket` has data.
        """
        if self.client is not None and self.client.socket() is None:
            self._on_connection_lost()
        client = self.client
        broker = client.socket() if client is not None else None
        poll = select.poll()
        # poll() does not see bytes that TLS has already decrypted.
        pending = getattr(broker, "pending", int)()
        if client is not None and broker is not None:
            poll.register(broker, select.POLLIN | (select.POLLOUT if client.want_write() else 0))
        if other_socket is not None:
            poll.register(other_socket, select.POLLIN)
        ready = {fd for fd, _ in poll.poll(0 if pending else seconds * 1000)}
        if client is not None and broker is not None:
            if client.want_write():
                client.loop_write()
            if broker.fileno() in ready or pending:
                client.loop_read()
            client.loop_misc()
        return other_socket is not None and other_socket.fileno() in ready


def client_identifier(link: Link, box_id: str) -> str:
    """A box's MQTT client identifier, which is always the same, and which nobody without its password can compute.

    The broker ends a connection when another client comes with the same identifier, whatever that one's user name is.
    """
    return f"{link.name}-{hmac.digest(link.password.encode(), box_id.encode(), 'sha256').hex()[:16]}"


def make_paho_client(link: Link, identifier: str, *, manual_ack: bool = False) -> Client:
    """A paho client that is not connected yet. `identifier` is its MQTT client identifier, unique at the broker."""
    paho_client = Client(CallbackAPIVersion.VERSION2, identifier, protocol=MQTTv5, manual_ack=manual_ack)
    paho_client.username_pw_set(link.name, link.password)
    paho_client.connect_timeout = CONNECT_SECONDS
    if link.fingerprint:
        paho_client.tls_set_context(pinned_tls_context(link.fingerprint))
        # The fingerprint is checked, so the host name in the certificate does not matter.
        paho_client.tls_insecure_set(True)
    return paho_client


def packet_properties(packet_type: int, **values: int | str) -> Properties:
    """MQTT 5's properties of a kind of packet (`PacketTypes`), by paho-mqtt's names for them."""
    result: Properties = Properties(packet_type)  # type: ignore[no-untyped-call]  # The library has no types here.
    for name, value in values.items():
        setattr(result, name, value)
    return result


def publish_message(client: Client, topic: str, payload: bytes, *, retain: bool = True) -> MQTTMessageInfo:
    """Publish a message with its content type, at QoS 1."""
    message_properties = packet_properties(PacketTypes.PUBLISH, ContentType=CONTENT_TYPE)
    return client.publish(topic, payload, 1, retain, message_properties)


def is_delivered_or_lost(published: MQTTMessageInfo) -> bool:
    """Whether waiting longer is of no use: the broker has the message, or the connection was lost."""
    try:
        return published.is_published()
    except (RuntimeError, ValueError):
        return True


class WrongCertificateError(ssl.SSLError):
    """The broker's certificate does not match the link's fingerprint."""


def pinned_tls_context(fingerprint: str) -> ssl.SSLContext:
    """A TLS context that accepts one certificate, by the beginning of its SHA-256.

    The certificate's dates are not checked, so that a table without a set clock can connect.
    """

    class PinnedSocket(ssl.SSLSocket):
        """A socket whose handshake raises WrongCertificateError for any other certificate."""

        def do_handshake(self, block: bool = False) -> None:
            super().do_handshake(block)
            digest = hashlib.sha256(self.getpeercert(binary_form=True) or b"").hexdigest()
            if not hmac.compare_digest(digest[: len(fingerprint)], fingerprint):
                raise WrongCertificateError("the broker's certificate does not match the link")

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.sslsocket_class = PinnedSocket
    return context
