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

NAME_PATTERN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,22}[A-Za-z0-9])?")
"""The name of a table or a club: 1 to 24 letters, digits and hyphens.

Names are parts of topics and of access lists, so nothing else is allowed in them."""
FINGERPRINT_PATTERN = re.compile(r"[0-9a-f]{32,64}")
PORT, PORT_TLS = 1883, 8883
"""MQTT's usual ports, without and with encryption."""
SCHEMA_VERSION = 1
"""The version of the messages; messages of other versions are refused."""
CONTENT_TYPE = f"application/vnd.tabletop-companion+json;schema={SCHEMA_VERSION}"
MAX_MESSAGE_BYTES = 1 << 20
"""The longest message, in bytes; the longest known round has about 20,000."""
MAX_WORD_LETTERS = 64
"""The most letters of short texts, such as identities and names."""
INTEGER_LIMIT = 1 << 53
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
        scheme, fragment = ("mqtts", f"#{self.fingerprint}") if self.fingerprint else ("mqtt", "")
        return f"{scheme}://{self.name}:{quote(self.password, safe='')}@{self.address}/{self.club}{fragment}"

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
            if not NAME_PATTERN.fullmatch(word):
                message = "{word} in the link is not a name of 1 to 24 letters, digits and hyphens"
                raise LinkError(text(message, word=repr(word[:30])))
        is_encrypted = parts.scheme == "mqtts"
        if is_encrypted and not FINGERPRINT_PATTERN.fullmatch(parts.fragment):
            raise LinkError(text("the link must end with # and the digits of the certificate's fingerprint"))
        default_port = PORT_TLS if is_encrypted else PORT
        return cls(
            name,
            unquote(parts.password),
            parts.hostname,
            port or default_port,
            club,
            parts.fragment if is_encrypted else "",
        )


class UnreadableError(ValueError):
    """A message that is not valid; the text, a `Text`, completes "a message was refused: …"."""


class Topics(NamedTuple):
    """The topics of one table, all below ``club/CLUB/table/NAME``."""

    state: str
    log: str
    have: str
    offer: str


def table_topics(club: str, name: str) -> Topics:
    """The topics of a table; the name ``+`` gives the filters for all tables."""
    topic_start = f"club/{club}/table/{name}"
    return Topics(f"{topic_start}/state", f"{topic_start}/log", f"{topic_start}/have", f"{topic_start}/offer")


def table_in_topic(topic: str) -> str:
    """The name of the table that a topic belongs to. Raises UnreadableError."""
    levels = topic.split("/")
    if len(levels) != 5 or levels[0] != "club" or levels[2] != "table" or not NAME_PATTERN.fullmatch(levels[3]):
        raise UnreadableError(text("its topic does not belong to a table"))
    return levels[3]


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


class HaveMessage(NamedTuple):
    """What the server has of a store, from server to table.

    `entries` are log entries that the server has: the last one received, the newest, then older ones at growing
    distances. When `ask` changes, the table sends again from the newest of them that its store holds too.
    """

    store: str
    ask: str
    entries: tuple[EntryPosition, ...]


class StateMessage(NamedTuple):
    """A table's present state, which the broker retains.

    Attributes:
        store: the identity of the table's store.
        here: whether the uplink is connected; false in its last will.
        heard: the newest `ask` of the server that the uplink has received, "" before the first.
        waiting: how many changed rounds the server does not have yet.
        public: what everybody at the table may see (docs/socket.md); None while the table's program is not running.
        words: the English sentences on its board that are texts → their JSON objects (`companion.languages.TEXT_KEYS`).
    """

    store: str
    here: bool
    heard: str = ""
    waiting: int = 0
    public: Mapping[str, Any] | None = None
    words: Mapping[str, Any] | None = None


class OfferMessage(NamedTuple):
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


def encode_message(message: LogMessage | HaveMessage | StateMessage | OfferMessage) -> bytes:
    """Encode a message as JSON, with the version of the schema."""
    fields = {"schema": SCHEMA_VERSION, **message._asdict()}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def parse_log_message(payload: bytes) -> LogMessage:
    """Parse a message of a table's log. Raises UnreadableError."""
    fields = _parse_object(payload)
    return LogMessage(
        store=_word_field(fields, "store"),
        after=_parse_position(fields.get("after"), "after"),
        entry=_parse_entry(fields.get("entry"), "entry"),
        round=_count_field(fields, "round"),
        first=_parse_checksum(fields.get("first"), "first"),
        record=_text_field(fields, "record"),
        why=_text_field(fields, "why")[: MAX_WORD_LETTERS * 4],
    )


def parse_received_entries(payload: bytes) -> HaveMessage:
    """Parse what the server has. Raises UnreadableError."""
    fields = _parse_object(payload)
    entries = fields.get("entries")
    if not isinstance(entries, list):
        raise UnreadableError(text('"entries" is not a list'))
    return HaveMessage(
        _word_field(fields, "store"),
        _word_field(fields, "ask"),
        tuple(_parse_position(each, "entries") for each in entries[:100]),
    )


def parse_state(payload: bytes) -> StateMessage:
    """Parse a table's state. Raises UnreadableError."""
    fields = _parse_object(payload)
    public = fields.get("public")
    if not isinstance(public, dict | None) or not isinstance(fields.get("here"), bool):
        raise UnreadableError(text('"public" is not an object, or "here" is neither true nor false'))
    last_ask = _word_field(fields, "heard") if fields.get("heard") else ""
    board_texts = fields.get("words")
    board_texts = board_texts if isinstance(board_texts, dict) else None
    return StateMessage(
        _word_field(fields, "store"), fields["here"], last_ask, _count_field(fields, "waiting"), public, board_texts
    )


def parse_offer(payload: bytes) -> OfferMessage:
    """Parse what a table is offered. Raises UnreadableError."""
    fields = _parse_object(payload)
    options, players = fields.get("options"), fields.get("players")
    if not isinstance(options, dict) or not all(isinstance(value, str) for value in options.values()):
        raise UnreadableError(text('"options" is not an object of texts'))
    if not isinstance(players, list) or len(players) != 2 or not all(isinstance(name, str) for name in players):
        raise UnreadableError(text('"players" is not a list of two names'))
    event, game = _text_field(fields, "event")[:MAX_WORD_LETTERS], _text_field(fields, "game")[:MAX_WORD_LETTERS]
    return OfferMessage(_word_field(fields, "id"), event, _count_field(fields, "round"), game, options, tuple(players))


def _parse_object(payload: bytes) -> dict[str, Any]:
    if len(payload) > MAX_MESSAGE_BYTES:
        raise UnreadableError(
            text("it has {size} bytes; at most {most} are allowed", size=len(payload), most=MAX_MESSAGE_BYTES)
        )
    try:
        fields = json.loads(payload.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise UnreadableError(text("it is not JSON in UTF-8")) from None
    if not isinstance(fields, dict):
        raise UnreadableError(text("it is not a JSON object"))
    if fields.get("schema") != SCHEMA_VERSION or isinstance(fields["schema"], bool):
        schema = str(fields.get("schema"))[:20]
        raise UnreadableError(
            text("its schema is {schema}, but this version uses {ours}", schema=schema, ours=SCHEMA_VERSION)
        )
    return fields


def _refuse_constant(constant: str) -> Any:
    raise ValueError(constant)


def _word_field(fields: Mapping[str, Any], key: str) -> str:
    value = fields.get(key)
    if (
        not isinstance(value, str)
        or not 0 < len(value) <= MAX_WORD_LETTERS
        or not value.isalnum()
        or not value.isascii()
    ):
        raise UnreadableError(text('"{key}" is not a word of letters and digits', key=key))
    return value


def _text_field(fields: Mapping[str, Any], key: str) -> str:
    value = fields.get(key)
    if not isinstance(value, str):
        raise UnreadableError(text('"{key}" is not a text', key=key))
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UnreadableError(text('"{key}" contains half a character', key=key)) from None
    return value


def _count_field(fields: Mapping[str, Any], key: str) -> int:
    value = fields.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < INTEGER_LIMIT:
        raise UnreadableError(text('"{key}" is not a whole number, 0 or more', key=key))
    return value


def _parse_checksum(value: object, key: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not -(1 << 31) <= value < 1 << 31:
        raise UnreadableError(text('"{key}" is not a checksum', key=key))
    return value


def _parse_position(value: object, key: str) -> EntryPosition:
    if not isinstance(value, list) or len(value) != 2:
        raise UnreadableError(text('"{key}" is not a log entry with its checksum', key=key))
    return EntryPosition(_count_field({key: value[0]}, key), _parse_checksum(value[1], key))


def _parse_entry(value: object, key: str) -> EntryPosition:
    position = _parse_position(value, key)
    if position.number == START_POSITION.number:
        raise UnreadableError(text('"{key}" is not a log entry', key=key))
    return position


def newest_common_entry(entries: Sequence[EntryPosition], holds: Any) -> EntryPosition:
    """The newest of these entries for which `holds(entry)` is true; START_POSITION if there is none."""
    return next((each for each in sorted(entries, reverse=True) if holds(each)), START_POSITION)
