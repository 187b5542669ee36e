"""What a table has to send, and from where: decided by its store and by what the hall says it has, and nothing else.

It keeps nothing that must outlive it. It knows neither MQTT nor time.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from companion.game import Refused
from companion.hall.messages import LONGEST, LogMessage, newest_held, write
from companion.store.file import StoreError
from companion.store.outgoing import START, Position
from companion.store.written import record_text

if TYPE_CHECKING:
    from companion.hall.messages import Have
    from companion.store.outgoing import Change
    from companion.store.store import Store

WINDOW = 32
"""So many messages are on their way at once; the hall has said that it has those before."""


class Outgoing(NamedTuple):
    """A message on its way, and the entry that it is about."""

    entry: Position
    payload: bytes


class Outbox:
    """The rounds of one store on their way to the hall.

    `knows` is false until the hall has said what it has of this store; before that nothing is sent. `waiting` is how
    many changed rounds the hall had not got when the store was last read. `full` tells that there is more than may be
    on its way at once.
    """

    def __init__(self, store: str) -> None:
        self.store = store
        self.knows = False
        self.waiting = 0
        self.full = False
        self._ask = ""
        self._got = START  # what the hall has got, as far as it has said
        self._next = START  # behind this, nothing was sent since it last asked
        self._out: deque[Position] = deque()  # sent, and the hall has not said so yet

    def forget(self) -> None:
        """The connection is a new one: whatever was on its way may be lost."""
        self.knows, self._ask = False, ""
        self._out.clear()

    def send_again(self) -> None:
        """The hall has been silent for long: what it has not said to have goes out once more."""
        self._next = self._got
        self._out.clear()

    def take(self, have: Have, store: Store) -> bool:
        """What the hall says it has; whether something may have to be sent now. Raises StoreError."""
        if have.store != self.store:
            return False
        if have.ask != self._ask:
            self._ask, self.knows = have.ask, True
            self._got = self._next = newest_held(have.entries, store.holds)
            self._out.clear()
            return True
        got = [each for each in have.entries if each in self._out]
        if not got:
            return False
        newest = max(got)
        while self._out and self._out[0] <= newest:
            self._got = self._out.popleft()
        return True

    @property
    def heard(self) -> str:
        """The newest `ask` of the hall, "" for none."""
        return self._ask

    @property
    def on_the_way(self) -> int:
        """How many messages the hall has not said to have."""
        return len(self._out)

    def due(self, store: Store) -> list[Outgoing]:
        """The next messages; they count as sent. Raises StoreError."""
        with store.snapshot():
            self.waiting = len(store.changes(self._got.entry))
            room = WINDOW - len(self._out) if self.knows else 0
            found = store.changes(self._next.entry, room) if room else []
            made = []
            for change in found:
                made.append(Outgoing(change.entry, _payload(self.store, self._next, change, store)))
                self._next = change.entry
                self._out.append(change.entry)
        self.full = len(self._out) >= WINDOW
        return made


def _payload(identity: str, after: Position, change: Change, store: Store) -> bytes:
    record, why = _record(store, change)
    message = LogMessage(identity, after, change.entry, change.round, change.first, record, why)
    made = write(message)
    if len(made) > LONGEST:
        return write(message._replace(record="", why="its record is too long to be sent"))
    return made


def _record(store: Store, change: Change) -> tuple[str, str]:
    """The record of a round that is over, and otherwise "", with the reason where it ought to have one."""
    if not change.over:
        return "", ""
    try:
        saved = store.round(change.round)
        if saved is None or not saved.result:
            return "", ""
        return record_text(store, saved), ""
    except Refused as refused:
        return "", refused.why
    except (StoreError, ValueError, LookupError) as error:
        return "", str(error)
