"""A connection to the broker: paho-mqtt as tables and hall use it, MQTT 5, the broker's key checked before all else."""

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

    from companion.hall.link import Link

KEEPALIVE = 20
"""Seconds after which a silent connection is asked for a sign of life."""
CONNECT_SECONDS = 5.0
BAD_LOGIN = (0x86, 0x87)
"""MQTT's reasons for a wrong name or password, and for a name that may not connect."""


def client(link: Link, identifier: str, *, manual_ack: bool = False) -> Client:
    """A client that is not connected yet; `identifier` is what the broker tells its connections apart by."""
    made = Client(CallbackAPIVersion.VERSION2, identifier, protocol=MQTTv5, manual_ack=manual_ack)
    made.username_pw_set(link.name, link.password)
    made.connect_timeout = CONNECT_SECONDS
    if link.fingerprint:
        made.tls_set_context(pinned(link.fingerprint))
        made.tls_insecure_set(True)  # The one certificate is known; what it calls itself does not matter.
    return made


def connection(expiry: int, receive: int = 0) -> Properties:
    """Of CONNECT: seconds that the broker keeps the session, and how many messages it may send unacknowledged."""
    limit = {"ReceiveMaximum": receive} if receive else {}
    return _properties(PacketTypes.CONNECT, SessionExpiryInterval=expiry, **limit)


def content() -> Properties:
    """Of PUBLISH: what a message is."""
    return _properties(PacketTypes.PUBLISH, ContentType=CONTENT_TYPE)


def will(delay: int) -> Properties:
    """Of the last will: seconds after which it is sent, if the table is not back by then."""
    return _properties(PacketTypes.WILLMESSAGE, WillDelayInterval=delay, ContentType=CONTENT_TYPE)


def _properties(kind: int, **values: int | str) -> Properties:
    """The properties of a kind of packet, by the names that paho-mqtt gives them."""
    made: Properties = Properties(kind)  # type: ignore[no-untyped-call]  # The library has no types here.
    for name, value in values.items():
        setattr(made, name, value)
    return made


def arrived(published: MQTTMessageInfo) -> bool:
    """Whether the broker has a message, or never will: the connection was lost."""
    try:
        return published.is_published()
    except (RuntimeError, ValueError):
        return True


class WrongKey(ssl.SSLError):
    """The broker's certificate is not the one of the link."""


def pinned(fingerprint: str) -> ssl.SSLContext:
    """TLS to the holder of one certificate, known by its SHA-256; dates do not matter, so no clock is needed."""

    class Pinned(ssl.SSLSocket):
        """A socket that goes on only with the right certificate."""

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
    """Pass a sentence on unless it is the one that was said last: a broker may be away for a whole night."""
    last = ""

    def said(sentence: str) -> None:
        nonlocal last
        if sentence != last:
            last = sentence
            say(sentence)

    return said
