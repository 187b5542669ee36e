"""Decides which rounds a table still has to send to the club server.

The server says which log entries it has. The rounds that changed after the newest of those are sent in order, at most
`MOST_UNCONFIRMED_MESSAGES` ahead of what the server confirms:

    confirmed                last sent
        │      unconfirmed       │
    ────┴────────────────────────┴────────> log entries of the table's store

Nothing here has to outlive the process: after a restart the server is asked again. There is no MQTT and no clock in
this module.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from companion.club.messages import MOST_BYTES, LogMessage, newest_held, write
from companion.games.api import RefusedError
from companion.store.database import DATABASE_NAME
from companion.store.errors import StoreError
from companion.store.history import START_POSITION, EntryPosition
from companion.store.round_text import record_text

if TYPE_CHECKING:
    from pathlib import Path

    from companion.club.messages import Have
    from companion.store.history import RoundChange
    from companion.store.store_queries import StoreQueries

WINDOW = 32
"""The most messages that are sent before the server confirms the first of them."""


class Backlog:
    """The rounds of one store that are still to be sent.

    Attributes:
        store_id: the store's identity.
        has_server_answer: whether the server has said what it has of this store; nothing is sent before that.
        last_ask: the newest `ask` received from the server, "" before the first.
        waiting_rounds: how many changed rounds the server did not have when the store was last read.
    """

    def __init__(self, store: str) -> None:
        self.store = store
        self.knows = False
        self.waiting = 0
        self.heard = ""
        self._got = START_POSITION  # the newest entry that the server has confirmed
        self._next = START_POSITION  # the newest entry that was sent
        self._out: deque[EntryPosition] = deque()  # sent but not confirmed, oldest first

    def forget(self) -> None:
        """Start over for a new connection, on which messages that were sent may be lost."""
        self.knows, self.heard = False, ""
        self._out.clear()

    def send_again(self) -> None:
        """Mark all unconfirmed messages to be sent again, because the server has been silent for too long."""
        self._next = self._got
        self._out.clear()

    def take(self, have: Have, store: StoreQueries) -> None:
        """Process a message that says what the server has. Raises StoreError."""
        if have.store != self.store:
            return
        if have.ask != self.heard:
            self.heard, self.knows = have.ask, True
            self._got = self._next = newest_held(have.entries, store.has_entry)
            self._out.clear()
            return
        newest = max((each for each in have.entries if each in self._out), default=START_POSITION)
        while self._out and self._out[0] <= newest:
            self._got = self._out.popleft()

    @property
    def on_the_way(self) -> int:
        """How many messages are sent but not confirmed."""
        return len(self._out)

    def due(self, store: StoreQueries) -> list[bytes]:
        """Take the next messages, encoded; they count as sent from now on. Raises StoreError."""
        with store.read_transaction():
            self.waiting = len(store.round_changes(self._got.number))
            room = WINDOW - len(self._out) if self.knows else 0
            found = store.round_changes(self._next.number, room) if room else []
            made = []
            for change in found:
                made.append(_payload(self.store, self._next, change, store))
                self._next = change.position
                self._out.append(change.position)
        return made


def _payload(identity: str, after: EntryPosition, change: RoundChange, store: StoreQueries) -> bytes:
    record, why = _record(store, change)
    message = LogMessage(
        identity, after, change.position, round=change.round, first=change.first_checksum, record=record, why=why
    )  # fmt: skip
    made = write(message)
    if len(made) > MOST_BYTES:
        return write(message._replace(record="", why="its record is too long to be sent"))
    return made


def _record(store: StoreQueries, change: RoundChange) -> tuple[str, str]:
    """The record of a finished round, else ""; and the reason where a finished round has no record."""
    if not change.is_over:
        return "", ""
    try:
        saved = store.load_round(change.round)
        if saved is None or not saved.result:
            return "", ""
        return record_text(store, saved), ""
    except RefusedError as refused:
        return "", refused.reason
    except (StoreError, ValueError, LookupError) as error:
        return "", str(error)


class StoreWatch:
    """Notices when a store was written, by its database and the write-ahead log of that.

    Both are written after the journal, so by then the new entries can be read.
    """

    def __init__(self, folder: Path) -> None:
        self._files = [folder / name for name in (DATABASE_NAME, f"{DATABASE_NAME}-wal")]
        self._seen: list[tuple[int, int, int] | None] = []
        self.again = False  # The next call reports a change once more.

    def changed(self) -> bool:
        """Whether inode, size or time of a file differ from the last call; true at the first call.

        A change is reported twice, because a write may be half done when it is noticed: the log is written over from
        its start, so its size stays the same, and file systems count time in steps of some milliseconds.
        """
        seen = [_identity(file) for file in self._files]
        differs, self._seen = seen != self._seen, seen
        changed, self.again = differs or self.again, differs
        return changed


def _identity(file: Path) -> tuple[int, int, int] | None:
    try:
        at = file.stat()
    except OSError:
        return None
    return at.st_ino, at.st_size, at.st_mtime_ns
