"""Decides which rounds a table still has to send to the club server.

The server says which log entries it has. The rounds that changed after the newest of those are sent in order, at most
`MAX_UNCONFIRMED_MESSAGES` ahead of what the server confirms:

    confirmed                last sent
        │      unconfirmed       │
    ────┴────────────────────────┴────────> log entries of the table's store

Nothing here has to outlive the process: after a restart the server is asked again. There is no MQTT and no clock in
this module.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from companion.club.mqtt_messages import MAX_MESSAGE_BYTES, LogMessage, encode_message, newest_common_entry
from companion.games.api import RefusedError
from companion.store.database import DATABASE_NAME
from companion.store.errors import StoreError
from companion.store.history import START_POSITION, EntryPosition
from companion.store.round_text import record_text

if TYPE_CHECKING:
    from pathlib import Path

    from companion.club.mqtt_messages import HaveMessage
    from companion.store.history import RoundChange
    from companion.store.store_queries import StoreQueries

MAX_UNCONFIRMED_MESSAGES = 32
"""The most messages that are sent before the server confirms the first of them."""


class Backlog:
    """The rounds of one store that are still to be sent.

    Attributes:
        store_id: the store's identity.
        has_server_answer: whether the server has said what it has of this store; nothing is sent before that.
        last_ask: the newest `ask` received from the server, "" before the first.
        waiting_rounds: how many changed rounds the server did not have when the store was last read.
    """

    def __init__(self, store_id: str) -> None:
        self.store_id = store_id
        self.has_server_answer = False
        self.waiting_rounds = 0
        self.last_ask = ""
        self._confirmed = START_POSITION  # the newest entry that the server has confirmed
        self._last_sent = START_POSITION  # the newest entry that was sent
        self._unconfirmed: deque[EntryPosition] = deque()  # sent but not confirmed, oldest first

    def reset_for_new_connection(self) -> None:
        """Start over for a new connection, on which messages that were sent may be lost."""
        self.has_server_answer, self.last_ask = False, ""
        self._unconfirmed.clear()

    def resend_unconfirmed(self) -> None:
        """Mark all unconfirmed messages to be sent again, because the server has been silent for too long."""
        self._last_sent = self._confirmed
        self._unconfirmed.clear()

    def note_received_entries(self, have: HaveMessage, store: StoreQueries) -> None:
        """Process a message that says what the server has. Raises StoreError."""
        if have.store != self.store_id:
            return
        if have.ask != self.last_ask:
            self.last_ask, self.has_server_answer = have.ask, True
            self._confirmed = self._last_sent = newest_common_entry(have.entries, store.has_entry)
            self._unconfirmed.clear()
            return
        newest = max((each for each in have.entries if each in self._unconfirmed), default=START_POSITION)
        while self._unconfirmed and self._unconfirmed[0] <= newest:
            self._confirmed = self._unconfirmed.popleft()

    @property
    def unconfirmed_count(self) -> int:
        """How many messages are sent but not confirmed."""
        return len(self._unconfirmed)

    def take_next_messages(self, store: StoreQueries) -> list[bytes]:
        """Take the next messages, encoded; they count as sent from now on. Raises StoreError."""
        with store.read_transaction():
            self.waiting_rounds = len(store.round_changes(self._confirmed.number))
            room = MAX_UNCONFIRMED_MESSAGES - len(self._unconfirmed) if self.has_server_answer else 0
            changes = store.round_changes(self._last_sent.number, room) if room else []
            payloads = []
            for change in changes:
                payloads.append(_encode_change(self.store_id, self._last_sent, change, store))
                self._last_sent = change.position
                self._unconfirmed.append(change.position)
        return payloads


def _encode_change(store_id: str, previous_entry: EntryPosition, change: RoundChange, store: StoreQueries) -> bytes:
    record, why = _change_record(store, change)
    message = LogMessage(
        store_id, previous_entry, change.position,
        round=change.round, first=change.first_checksum, record=record, why=why,
    )  # fmt: skip
    payload = encode_message(message)
    if len(payload) > MAX_MESSAGE_BYTES:
        return encode_message(message._replace(record="", why="its record is too long to be sent"))
    return payload


def _change_record(store: StoreQueries, change: RoundChange) -> tuple[str, str]:
    """The record of a finished round, else ""; and the reason where a finished round has no record."""
    if not change.is_over:
        return "", ""
    try:
        stored = store.load_round(change.round)
        if stored is None or not stored.result:
            return "", ""
        return record_text(store, stored), ""
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
        self._last_state: list[tuple[int, int, int] | None] = []
        self.is_unsettled = False  # The next call reports a change once more.

    def has_changed(self) -> bool:
        """Whether inode, size or time of a file differ from the last call; true at the first call.

        A change is reported twice, because a write may be half done when it is noticed: the log is written over from
        its start, so its size stays the same, and file systems count time in steps of some milliseconds.
        """
        state = [_file_state(file) for file in self._files]
        differs, self._last_state = state != self._last_state, state
        changed, self.is_unsettled = differs or self.is_unsettled, differs
        return changed


def _file_state(file: Path) -> tuple[int, int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
