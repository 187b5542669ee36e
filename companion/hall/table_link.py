"""The link by which a table connects to its hall: one URL with name, password, broker, club and key's fingerprint."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

from companion.languages import text

NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,22}[A-Za-z0-9])?")
"""The name of a table or a club: 1 to 24 letters, digits and hyphens, for it stands in topics and access lists."""
FINGERPRINT = re.compile(r"[0-9a-f]{32,64}")
PORT, PORT_TLS = 1883, 8883


class BadLink(ValueError):
    """A link that cannot be used, in one sentence, which is a text and never quotes the password."""


class Link(NamedTuple):
    """``mqtts://TABLE:PASSWORD@HOST:PORT/CLUB#FINGERPRINT``, or ``mqtt://…`` without encryption.

    `fingerprint` is the beginning of the SHA-256 of the broker's certificate, 32 to 64 hexadecimal digits; "" without
    encryption.
    """

    name: str
    password: str
    host: str
    port: int
    club: str
    fingerprint: str = ""

    def __str__(self) -> str:
        kind, pinned = ("mqtts", f"#{self.fingerprint}") if self.fingerprint else ("mqtt", "")
        return f"{kind}://{self.name}:{quote(self.password, safe='')}@{self.address}/{self.club}{pinned}"

    @property
    def address(self) -> str:
        """The broker's host and port: ``192.168.1.10:8883``."""
        return f"{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    @classmethod
    def parse(cls, line: str) -> Link:
        """Read a link. Raises BadLink."""
        try:
            parts = urlsplit(line.strip())
            port = parts.port
        except ValueError:
            raise BadLink(text("a link is like mqtts://TABLE:PASSWORD@HOST:8883/CLUB#FINGERPRINT")) from None
        if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname or not parts.password:
            raise BadLink(text("a link is like mqtts://TABLE:PASSWORD@HOST:8883/CLUB#FINGERPRINT"))
        name, club = parts.username or "", parts.path.lstrip("/")
        for word in (name, club):
            if not NAME.fullmatch(word):
                said = "{word} in the link is no name of 1 to 24 letters, digits and hyphens"
                raise BadLink(text(said, word=repr(word[:30])))
        secure = parts.scheme == "mqtts"
        if secure and not FINGERPRINT.fullmatch(parts.fragment):
            raise BadLink(text("the link ends with # and the digits of the certificate's fingerprint"))
        usual = PORT_TLS if secure else PORT
        return cls(name, unquote(parts.password), parts.hostname, port or usual, club, parts.fragment if secure else "")
