"""The MQTT 5 connection of tables and hall to the broker, by paho-mqtt; TLS checks the certificate's fingerprint."""

from __future__ import annotations

import hashlib
import hmac
import ssl
from typing import TYPE_CHECKING

from paho.mqtt.client import Client, MQTTMessageInfo, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from companion.hall.messages import CONTENT_TYPE

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.hall.table_link import Link

KEEPALIVE = 20
"""MQTT's keep-alive: after so many seconds without a packet the client sends a ping."""
CONNECT_SECONDS = 5.0
ENDED = (ConnectionResetError, BrokenPipeError, ssl.SSLEOFError)
"""Errors of a connection that the broker has ended while it was being made."""
BAD_LOGIN = (0x86, 0x87)
"""MQTT 5 reason codes: bad user name or password; not authorised."""


def identifier(link: Link, box: str) -> str:
    """A box's MQTT client identifier: always the same, and nobody without its password can tell it.

    The broker ends a connection when another comes with the same identifier, whatever that one's user name is.
    """
    return f"{link.name}-{hmac.digest(link.password.encode(), box.encode(), 'sha256').hex()[:16]}"


def client(link: Link, identifier: str, *, manual_ack: bool = False) -> Client:
    """A client that is not connected yet. `identifier` is its MQTT client identifier, unique at the broker."""
    made = Client(CallbackAPIVersion.VERSION2, identifier, protocol=MQTTv5, manual_ack=manual_ack)
    made.username_pw_set(link.name, link.password)
    made.connect_timeout = CONNECT_SECONDS
    if link.fingerprint:
        made.tls_set_context(pinned(link.fingerprint))
        made.tls_insecure_set(True)  # The fingerprint is checked, so the host name in the certificate does not matter.
    return made


def connection(expiry: int, receive: int = 0) -> Properties:
    """Properties of CONNECT: `expiry` of the session in seconds, and how many unacknowledged messages may come."""
    limit = {"ReceiveMaximum": receive} if receive else {}
    return _properties(PacketTypes.CONNECT, SessionExpiryInterval=expiry, **limit)


def content() -> Properties:
    """Properties of PUBLISH: the content type."""
    return _properties(PacketTypes.PUBLISH, ContentType=CONTENT_TYPE)


def will(delay: int) -> Properties:
    """Properties of the last will: it is sent `delay` seconds after the connection is lost, unless it is back."""
    return _properties(PacketTypes.WILLMESSAGE, WillDelayInterval=delay, ContentType=CONTENT_TYPE)


def _properties(kind: int, **values: int | str) -> Properties:
    """Properties of a kind of packet (`PacketTypes`), by paho-mqtt's names for them."""
    made: Properties = Properties(kind)  # type: ignore[no-untyped-call]  # The library has no types here.
    for name, value in values.items():
        setattr(made, name, value)
    return made


def arrived(published: MQTTMessageInfo) -> bool:
    """Whether nothing more is to be expected: the broker has the message, or the connection was lost."""
    try:
        return published.is_published()
    except (RuntimeError, ValueError):
        return True


class WrongKey(ssl.SSLError):
    """The broker's certificate does not match the link's fingerprint."""


def pinned(fingerprint: str) -> ssl.SSLContext:
    """A TLS context that accepts one certificate, by the beginning of its SHA-256; its dates are not checked.

    So a table without a set clock can connect.
    """

    class Pinned(ssl.SSLSocket):
        """A socket whose handshake raises WrongKey for any other certificate."""

        def do_handshake(self, block: bool = False) -> None:
            super().do_handshake(block)
            shown = hashlib.sha256(self.getpeercert(binary_form=True) or b"").hexdigest()
            if not hmac.compare_digest(shown[: len(fingerprint)], fingerprint):
                raise WrongKey("the broker has another certificate than the link says")

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.sslsocket_class = Pinned
    return context


def once(say: Callable[[str], object]) -> Callable[[str], None]:
    """Wrap `say` so that a sentence equal to the last one is dropped: a broker may be away for a whole night."""
    last = ""

    def said(sentence: str) -> None:
        nonlocal last
        if sentence != last:
            last = sentence
            say(sentence)

    return said
