"""The messages between tables and hall, and their topics; docs/hall.md describes them.

Each is one JSON object in UTF-8. What comes from outside is read here alone: `Unreadable` says what is wrong.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.hall.link import NAME
from companion.store.outgoing import START, Position

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SCHEMA = 1
"""The version of the messages; a message of another one is refused."""
CONTENT_TYPE = f"application/vnd.tabletop-companion+json;schema={SCHEMA}"
LONGEST = 1 << 20
"""The longest message, in bytes; the longest round that was ever played is some 20,000."""
LONGEST_WORD = 64
BIGGEST = 1 << 53
"""Below this every program reads a JSON number exactly."""


class Unreadable(ValueError):
    """A message that is none of ours, in words that fit behind "refused: "."""


class Topics(NamedTuple):
    """The topics of one table, all below ``club/CLUB/table/NAME``."""

    state: str
    log: str
    have: str


def topics(club: str, name: str) -> Topics:
    """The topics of a table; with ``+`` as its name those of all tables."""
    start = f"club/{club}/table/{name}"
    return Topics(f"{start}/state", f"{start}/log", f"{start}/have")


def table_of(topic: str) -> tuple[str, str]:
    """The table's name and the last word of a topic. Raises Unreadable."""
    words = topic.split("/")
    if len(words) != 5 or words[0] != "club" or words[2] != "table" or not NAME.fullmatch(words[3]):
        raise Unreadable("its topic is not that of a table")
    return words[3], words[4]


class LogMessage(NamedTuple):
    """What became of a round: its record, "" where it no longer counts, and `why` where that is the table's fault.

    `after` is the entry that the message before it was about: whoever has not got that one misses something.
    """

    store: str
    after: Position
    entry: Position
    round: int
    first: int
    record: str
    why: str = ""


class Have(NamedTuple):
    """What the hall has of a store: entries, the one it got last first, then older ones at growing distances.

    `ask` changes whenever the table should look again from where to send; until then it just goes on.
    """

    store: str
    ask: str
    entries: tuple[Position, ...]


class State(NamedTuple):
    """A table now. `public` is what everybody at the table may see, as docs/socket.md lists it; None while the table is
    away. `waiting` are the changed rounds that are not in the hall yet, `heard` the newest `ask` of the hall, "" for
    none; `here` is false in the uplink's last will."""

    store: str
    here: bool
    heard: str = ""
    waiting: int = 0
    public: Mapping[str, Any] | None = None


def write(message: LogMessage | Have | State) -> bytes:
    """A message as it is sent."""
    fields = {"schema": SCHEMA, **message._asdict()}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def read_log(payload: bytes) -> LogMessage:
    """Raises Unreadable."""
    said = _object(payload)
    return LogMessage(
        _word(said, "store"),
        _position(said.get("after"), "after"),
        _entry(said.get("entry"), "entry"),
        _count(said, "round"),
        _sum(said.get("first"), "first"),
        _text(said, "record"),
        _text(said, "why")[:LONGEST_WORD * 4],
    )  # fmt: skip


def read_have(payload: bytes) -> Have:
    """Raises Unreadable."""
    said = _object(payload)
    entries = said.get("entries")
    if not isinstance(entries, list):
        raise Unreadable('"entries" is no list')
    return Have(_word(said, "store"), _word(said, "ask"), tuple(_position(each, "entries") for each in entries[:100]))


def read_state(payload: bytes) -> State:
    """Raises Unreadable."""
    said = _object(payload)
    public = said.get("public")
    if not isinstance(public, dict | None) or not isinstance(said.get("here"), bool):
        raise Unreadable('"public" is no object, or "here" neither true nor false')
    heard = _word(said, "heard") if said.get("heard") else ""
    return State(_word(said, "store"), said["here"], heard, _count(said, "waiting"), public)


def _object(payload: bytes) -> dict[str, Any]:
    if len(payload) > LONGEST:
        raise Unreadable(f"it has {len(payload)} bytes, and at most {LONGEST} are read")
    try:
        said = json.loads(payload.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Unreadable("it is no JSON in UTF-8") from None
    if not isinstance(said, dict):
        raise Unreadable("it is no JSON object")
    if said.get("schema") != SCHEMA or isinstance(said["schema"], bool):
        raise Unreadable(f"its schema is {str(said.get('schema'))[:20]}, and {SCHEMA} is spoken here")
    return said


def _no_number(text: str) -> Any:
    raise ValueError(text)


def _word(said: Mapping[str, Any], key: str) -> str:
    value = said.get(key)
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_WORD or not value.isalnum() or not value.isascii():
        raise Unreadable(f'"{key}" is no word of letters and digits')
    return value


def _text(said: Mapping[str, Any], key: str) -> str:
    value = said.get(key)
    if not isinstance(value, str):
        raise Unreadable(f'"{key}" is no text')
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Unreadable(f'"{key}" has half a character in it') from None
    return value


def _count(said: Mapping[str, Any], key: str) -> int:
    value = said.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < BIGGEST:
        raise Unreadable(f'"{key}" is no number from 0 on')
    return value


def _sum(value: object, key: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not -(1 << 31) <= value < 1 << 31:
        raise Unreadable(f'"{key}" is no checksum')
    return value


def _position(value: object, key: str) -> Position:
    if not isinstance(value, list) or len(value) != 2:
        raise Unreadable(f'"{key}" is no entry with its checksum')
    return Position(_count({key: value[0]}, key), _sum(value[1], key))


def _entry(value: object, key: str) -> Position:
    found = _position(value, key)
    if found.entry == START.entry:
        raise Unreadable(f'"{key}" is no entry')
    return found


def newest_held(entries: Sequence[Position], held: Any) -> Position:
    """The newest of these entries for which `held(entry)` is true, START for none."""
    return next((each for each in sorted(entries, reverse=True) if held(each)), START)
