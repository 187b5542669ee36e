"""The messages between tables and club server, the topics that they go by, and links; docs/hall.md describes them.

A link is the URL by which a table connects: name, password, broker, club and the certificate's fingerprint. Each
message is one JSON object in UTF-8. Received bytes are parsed and checked only here, so that no other module has to
doubt them; `UnreadableError` says what is wrong with a message.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urlsplit

from companion.languages import text
from companion.store.history import START_POSITION, EntryPosition

NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,22}[A-Za-z0-9])?")
"""The name of a table or a club: 1 to 24 letters, digits and hyphens.

Names are parts of topics and of access lists, so nothing else is allowed in them."""
FINGERPRINT = re.compile(r"[0-9a-f]{32,64}")
PORT, PORT_TLS = 1883, 8883
"""MQTT's usual ports, without and with encryption."""
SCHEMA = 1
"""The version of the messages; messages of other versions are refused."""
CONTENT_TYPE = f"application/vnd.tabletop-companion+json;schema={SCHEMA}"
MOST_BYTES = 1 << 20
"""The longest message, in bytes; the longest known round has about 20,000."""
LONGEST_WORD = 64
"""The most letters of short texts, such as identities and names."""
BIGGEST = 1 << 53
"""Integers below this limit (2**53) are read exactly by every JSON parser."""


class LinkError(ValueError):
    """A link that cannot be used; the one argument is a sentence, which is a text and never quotes the password."""


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
        """Parse a link. Raises LinkError."""
        try:
            parts = urlsplit(line.strip())
            port = parts.port
        except ValueError:
            raise LinkError(text("a link looks like mqtts://TABLE:PASSWORD@HOST:8883/CLUB#FINGERPRINT")) from None
        if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname or not parts.password:
            raise LinkError(text("a link looks like mqtts://TABLE:PASSWORD@HOST:8883/CLUB#FINGERPRINT"))
        name, club = parts.username or "", parts.path.lstrip("/")
        for word in (name, club):
            if not NAME.fullmatch(word):
                said = "{word} in the link is not a name of 1 to 24 letters, digits and hyphens"
                raise LinkError(text(said, word=repr(word[:30])))
        secure = parts.scheme == "mqtts"
        if secure and not FINGERPRINT.fullmatch(parts.fragment):
            raise LinkError(text("the link must end with # and the digits of the certificate's fingerprint"))
        usual = PORT_TLS if secure else PORT
        return cls(name, unquote(parts.password), parts.hostname, port or usual, club, parts.fragment if secure else "")


class UnreadableError(ValueError):
    """A message that is not valid; the text, a `Text`, completes "a message was refused: …"."""


class Topics(NamedTuple):
    """The topics of one table, all below ``club/CLUB/table/NAME``."""

    state: str
    log: str
    have: str
    offer: str


def topics(club: str, name: str) -> Topics:
    """The topics of a table; the name ``+`` gives the filters for all tables."""
    start = f"club/{club}/table/{name}"
    return Topics(f"{start}/state", f"{start}/log", f"{start}/have", f"{start}/offer")


def table_of(topic: str) -> str:
    """The name of the table that a topic belongs to. Raises UnreadableError."""
    words = topic.split("/")
    if len(words) != 5 or words[0] != "club" or words[2] != "table" or not NAME.fullmatch(words[3]):
        raise UnreadableError(text("its topic does not belong to a table"))
    return words[3]


class LogMessage(NamedTuple):
    """A change of one round, from table to server.

    Attributes:
        store: the identity of the table's store.
        after: the log entry of the message before; a server without it has missed a message.
        entry: the log entry of this change.
        round: the round's number in its store.
        first: the checksum of the round's first log entry, which tells it from another round of the same number.
        record: the finished round's record; "" where the round no longer counts or cannot be sent.
        why: the reason where it cannot be sent, else "".
    """

    store: str
    after: EntryPosition
    entry: EntryPosition
    round: int
    first: int
    record: str
    why: str = ""


class Have(NamedTuple):
    """What the server has of a store, from server to table.

    `entries` are log entries that the server has: the last one received, the newest, then older ones at growing
    distances. When `ask` changes, the table sends again from the newest of them that its store holds too.
    """

    store: str
    ask: str
    entries: tuple[EntryPosition, ...]


class State(NamedTuple):
    """A table's present state, which the broker retains.

    Attributes:
        store: the identity of the table's store.
        here: whether the uplink is connected; false in its last will.
        heard: the newest `ask` of the server that the uplink has received, "" before the first.
        waiting: how many changed rounds the server does not have yet.
        public: what everybody at the table may see (docs/socket.md); None while the table's program is not running.
        words: the words on its board that are texts, in English → their parts (`companion.languages.PARTS`).
    """

    store: str
    here: bool
    heard: str = ""
    waiting: int = 0
    public: Mapping[str, Any] | None = None
    words: Mapping[str, Any] | None = None


class Offer(NamedTuple):
    """A pairing of a tournament, offered to a table; a table that has none gets an empty message.

    Attributes:
        id: a word that changes when the pairing is offered once more.
        event: the tournament's name.
        round: its round, from 1.
        game: the game's id.
        options: the options of its rules.
        players: two names; the first one starts.
    """

    id: str
    event: str
    round: int
    game: str
    options: Mapping[str, str]
    players: tuple[str, ...]


def write(message: LogMessage | Have | State | Offer) -> bytes:
    """Encode a message as JSON, with the version of the schema."""
    fields = {"schema": SCHEMA, **message._asdict()}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def read_log(payload: bytes) -> LogMessage:
    """Parse a message of a table's log. Raises UnreadableError."""
    said = _object(payload)
    return LogMessage(
        store=_word(said, "store"),
        after=_position(said.get("after"), "after"),
        entry=_entry(said.get("entry"), "entry"),
        round=_count(said, "round"),
        first=_sum(said.get("first"), "first"),
        record=_text(said, "record"),
        why=_text(said, "why")[: LONGEST_WORD * 4],
    )


def read_have(payload: bytes) -> Have:
    """Parse what the server has. Raises UnreadableError."""
    said = _object(payload)
    entries = said.get("entries")
    if not isinstance(entries, list):
        raise UnreadableError(text('"entries" is not a list'))
    return Have(_word(said, "store"), _word(said, "ask"), tuple(_position(each, "entries") for each in entries[:100]))


def read_state(payload: bytes) -> State:
    """Parse a table's state. Raises UnreadableError."""
    said = _object(payload)
    public = said.get("public")
    if not isinstance(public, dict | None) or not isinstance(said.get("here"), bool):
        raise UnreadableError(text('"public" is not an object, or "here" is neither true nor false'))
    heard = _word(said, "heard") if said.get("heard") else ""
    words = said.get("words")
    words = words if isinstance(words, dict) else None
    return State(_word(said, "store"), said["here"], heard, _count(said, "waiting"), public, words)


def read_offer(payload: bytes) -> Offer:
    """Parse what a table is offered. Raises UnreadableError."""
    said = _object(payload)
    options, players = said.get("options"), said.get("players")
    if not isinstance(options, dict) or not all(isinstance(value, str) for value in options.values()):
        raise UnreadableError(text('"options" is not an object of texts'))
    if not isinstance(players, list) or len(players) != 2 or not all(isinstance(name, str) for name in players):
        raise UnreadableError(text('"players" is not a list of two names'))
    event, game = _text(said, "event")[:LONGEST_WORD], _text(said, "game")[:LONGEST_WORD]
    return Offer(_word(said, "id"), event, _count(said, "round"), game, options, tuple(players))


def _object(payload: bytes) -> dict[str, Any]:
    if len(payload) > MOST_BYTES:
        raise UnreadableError(
            text("it has {size} bytes; at most {most} are allowed", size=len(payload), most=MOST_BYTES)
        )
    try:
        said = json.loads(payload.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise UnreadableError(text("it is not JSON in UTF-8")) from None
    if not isinstance(said, dict):
        raise UnreadableError(text("it is not a JSON object"))
    if said.get("schema") != SCHEMA or isinstance(said["schema"], bool):
        schema = str(said.get("schema"))[:20]
        raise UnreadableError(text("its schema is {schema}, but this version uses {ours}", schema=schema, ours=SCHEMA))
    return said


def _no_number(text: str) -> Any:
    raise ValueError(text)


def _word(said: Mapping[str, Any], key: str) -> str:
    value = said.get(key)
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_WORD or not value.isalnum() or not value.isascii():
        raise UnreadableError(text('"{key}" is not a word of letters and digits', key=key))
    return value


def _text(said: Mapping[str, Any], key: str) -> str:
    value = said.get(key)
    if not isinstance(value, str):
        raise UnreadableError(text('"{key}" is not a text', key=key))
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UnreadableError(text('"{key}" contains half a character', key=key)) from None
    return value


def _count(said: Mapping[str, Any], key: str) -> int:
    value = said.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < BIGGEST:
        raise UnreadableError(text('"{key}" is not a whole number, 0 or more', key=key))
    return value


def _sum(value: object, key: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not -(1 << 31) <= value < 1 << 31:
        raise UnreadableError(text('"{key}" is not a checksum', key=key))
    return value


def _position(value: object, key: str) -> EntryPosition:
    if not isinstance(value, list) or len(value) != 2:
        raise UnreadableError(text('"{key}" is not a log entry with its checksum', key=key))
    return EntryPosition(_count({key: value[0]}, key), _sum(value[1], key))


def _entry(value: object, key: str) -> EntryPosition:
    found = _position(value, key)
    if found.number == START_POSITION.number:
        raise UnreadableError(text('"{key}" is not a log entry', key=key))
    return found


def newest_held(entries: Sequence[EntryPosition], held: Any) -> EntryPosition:
    """The newest of these entries for which `holds(entry)` is true; START if there is none."""
    return next((each for each in sorted(entries, reverse=True) if held(each)), START_POSITION)
