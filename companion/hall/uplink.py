"""The process beside a table that sends its rounds and its public view to the hall, and needs nothing of the table.

One thread: it waits for the broker's and the table's sockets at once, and looks at the store when its files have
changed. Nothing is kept here; a killed uplink begins where the hall says.
"""

from __future__ import annotations

import contextlib
import os
import random
import select
import time
from typing import TYPE_CHECKING, Any

from paho.mqtt.client import Client, MQTTMessage

from companion.hall import mqtt
from companion.hall.messages import State, Unreadable, read_have, topics, write
from companion.hall.outbox import Outbox
from companion.hall.public_view import PublicView
from companion.hall.status import StatusFile
from companion.store.lock import StoreError
from companion.store.store import FILE, Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.hall.link import Link
    from companion.hall.messages import Have

LOOK_SECONDS = 1.0
"""So often the store's files are looked at."""
STATE_SECONDS = 0.2
"""The shortest time between two states; what is overtaken meanwhile is left out."""
SILENT_SECONDS = 15.0
"""After this time without a word of the hall, what it has not said to have is sent again."""
WILL_SECONDS = 10
"""A table that is back within this time was never away."""
SESSION_SECONDS = 60
"""So long the broker knows a table that is away; it must be longer than the will's delay."""
RETRY_SECONDS = (1.0, 15.0)
"""The first and the longest pause between two tries to connect."""
STEADY_SECONDS = 30.0
"""A connection that lasts as long is a good one. Shorter ones make the pauses longer: a copy of this box's card may be
in another box, and each of the two throws the other out."""


class Uplink:
    """Sends one data folder to its hall.

    Args:
        link: who this table is, and where its hall's broker.
        data: the data folder of the table.
        guests: the table's socket that tells what is public.
        status: where it is told, as a JSON object, whether the hall is reached and what waits; None for nowhere.
        say: takes sentences for the journal.
        clock: monotonic seconds.
    """

    def __init__(
        self,
        link: Link,
        data: Path,
        guests: Path,
        status: Path | None = None,
        say: Callable[[str], object] = lambda sentence: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._link = link
        self._topics = topics(link.club, link.name)
        self._data = data
        self._status = StatusFile(status)
        self._say = mqtt.once(say)
        self._clock = clock
        self._outbox: Outbox | None = None
        self._client: Client | None = None
        self._connected = False
        self._refused = False  # by the broker, which has said why
        self._pause = RETRY_SECONDS[0]
        self._next_try = 0.0
        self._heard_at = 0.0
        self._connected_at = 0.0
        self._haves: list[Have] = []
        self._signature: object = None
        self._next_look = 0.0
        self._more = False
        self._view = PublicView(guests, clock)
        self._told: State | None = None  # the state that was published last on this connection
        self._told_at = 0.0
        self._telling: Any = None  # paho's note about it

    def run(self, stop: Callable[[], bool]) -> None:
        """Stay connected until `stop()`; then say goodbye."""
        try:
            while not stop():
                self.step()
        finally:
            self._leave()

    def step(self) -> None:
        """Do what there is to do, then wait for the next thing, a second at the most."""
        now = self._clock()
        self._look(now)
        if self._client is None and now >= self._next_try and self._outbox is not None:
            self._connect()
        self._nudge(now)
        wait = self._publish_state(now)
        if self._outbox is not None:
            self._status.write(self._connected and self._outbox.knows, self._outbox.waiting)
        self._wait(0.0 if self._more else min(wait, LOOK_SECONDS))

    # -- the store ----------------------------------------------------------------------------------------------

    def _look(self, now: float) -> None:
        """Read the store where it has changed, or where the hall has said something, and send what is due."""
        if now >= self._next_look:
            self._next_look = now + LOOK_SECONDS
            signature = _signature(self._data)
            if signature != self._signature:
                self._signature, self._more = signature, True
        if not (self._more or self._haves):
            return
        self._more = False
        try:
            store = Store(self._data, reading=True, beside=True)
        except StoreError as error:
            self._say(str(error).rstrip("."))
            return
        with contextlib.closing(store):
            try:
                self._send(store)
            except StoreError as error:
                self._say(str(error).rstrip("."))

    def _send(self, store: Store) -> None:
        if self._outbox is None or self._outbox.store != store.identity:
            self._outbox = Outbox(store.identity)
            if self._client is not None:
                self._drop("")  # The will names the store.
        haves, self._haves = self._haves, []
        for have in haves:
            self._outbox.take(have, store)
        for message in self._outbox.due(store):
            if self._client is not None:
                self._client.publish(self._topics.log, message.payload, 1, properties=mqtt.content())

    # -- the broker ---------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        assert self._outbox is not None
        # Another box of this name gets an identifier of its own, this one the same again: its last will is not executed
        # where it is back in time.
        made = mqtt.client(self._link, f"{self._link.name}-{self._outbox.store[:8]}")
        made.on_connect, made.on_disconnect, made.on_message = self._on_connect, self._on_disconnect, self._on_message
        gone = write(State(self._outbox.store, here=False))
        made.will_set(self._topics.state, gone, 1, retain=True, properties=mqtt.will(WILL_SECONDS))
        self._client = made
        try:
            made.connect(
                self._link.host,
                self._link.port,
                mqtt.KEEPALIVE,
                clean_start=True,
                properties=mqtt.connection(SESSION_SECONDS),
            )
        except (OSError, ValueError) as error:
            self._drop(f"the hall at {self._link.host} is not reached: {_reason(error)}")

    def _on_connect(self, client: Client, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        self._refused = reason.is_failure
        if reason.is_failure:
            self._pause = RETRY_SECONDS[1]
            bad = reason.value in mqtt.BAD_LOGIN
            self._say(f"the hall does not let {self._link.name} in: {'name or password is wrong' if bad else reason}")
            return
        self._connected = True
        self._heard_at = self._connected_at = self._clock()
        self._say(f"connected to the hall at {self._link.host} as {self._link.name}")
        client.subscribe(self._topics.have, 1)

    def _on_disconnect(self, client: Client, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        if client is not self._client:
            return
        self._lost()

    def _on_message(self, client: Client, userdata: Any, message: MQTTMessage) -> None:
        if message.topic != self._topics.have or not message.payload:
            return
        try:
            have = read_have(bytes(message.payload))
            self._haves.append(have)
            if self._outbox is not None and have.store != self._outbox.store and not message.retain:
                self._say(f"another box comes to the hall as {self._link.name}: each needs a name of its own")
        except Unreadable as error:
            self._say(f"the hall said something that is not understood: {error}")
        self._heard_at = self._clock()

    def _lost(self) -> None:
        """The broker has ended the connection, or the network has."""
        if self._clock() - self._connected_at >= STEADY_SECONDS:
            self._pause = RETRY_SECONDS[0]
        self._drop("" if self._refused else f"the connection to the hall at {self._link.host} is lost")

    def _drop(self, sentence: str) -> None:
        """The connection is gone; the next one is tried after a pause."""
        client, self._client = self._client, None
        if client is not None:
            client.on_disconnect = None
            with contextlib.suppress(OSError, ValueError):
                client.disconnect()
        self._connected, self._told, self._telling = False, None, None
        self._haves.clear()
        if self._outbox is not None:
            self._outbox.forget()
        if sentence:
            self._say(sentence)
        # Not all tables of a club at the same moment.
        self._next_try = self._clock() + self._pause * random.uniform(0.5, 1)
        self._pause = min(self._pause * 2, RETRY_SECONDS[1])

    def _nudge(self, now: float) -> None:
        """Where the hall has been silent for long, say again what it has not answered."""
        outbox = self._outbox
        if not self._connected or outbox is None or now - self._heard_at < SILENT_SECONDS:
            return
        if outbox.on_the_way or not outbox.knows:
            self._heard_at = now
            outbox.send_again()
            self._told, self._more = None, True

    def _publish_state(self, now: float) -> float:
        """Publish the state if it is another one than was told last; the seconds until that may be tried again."""
        outbox = self._outbox
        if not self._connected or self._client is None or outbox is None:
            return LOOK_SECONDS
        state = State(outbox.store, True, outbox.heard, outbox.waiting, self._view.public)
        if state == self._told:
            return LOOK_SECONDS
        wait = self._told_at + STATE_SECONDS - now
        if wait > 0:
            return wait
        if self._telling is not None and not mqtt.arrived(self._telling):
            return LOOK_SECONDS  # Its acknowledgement wakes us.
        self._told, self._told_at = state, now
        self._telling = self._client.publish(
            self._topics.state, write(state), 1, retain=True, properties=mqtt.content()
        )
        return LOOK_SECONDS

    # -- waiting ------------------------------------------------------------------------------------------------

    def _wait(self, seconds: float) -> None:
        """Wait until broker or table have something to say, or the time is over; take what they say."""
        polled = select.poll()
        broker = self._client.socket() if self._client is not None else None
        if self._client is not None and broker is None:
            self._lost()
        if broker is not None and self._client is not None:
            polled.register(broker, select.POLLIN | (select.POLLOUT if self._client.want_write() else 0))
            if getattr(broker, "pending", int)():
                seconds = 0.0  # Of what was decrypted already the socket does not tell.
        table = self._view.socket()
        if table is not None:
            polled.register(table, select.POLLIN)
        ready = {fd for fd, _ in polled.poll(seconds * 1000)}
        if table is not None and table.fileno() in ready:
            self._view.read()
        client = self._client
        if client is not None and broker is not None:
            if client.want_write():
                client.loop_write()
            if broker.fileno() in ready or getattr(broker, "pending", int)():
                client.loop_read()
            client.loop_misc()

    def _leave(self) -> None:
        """Say that this table goes, as far as that is possible at once."""
        client = self._client
        if client is not None and self._connected and self._outbox is not None:
            end = self._clock() + 2
            gone = client.publish(self._topics.state, write(State(self._outbox.store, here=False)), 1, retain=True)
            while self._connected and not mqtt.arrived(gone) and self._clock() < end:
                self._wait(0.1)
        self._drop("")
        self._view.close()
        self._status.write(False, self._outbox.waiting if self._outbox is not None else 0)


def _signature(folder: Path) -> object:
    """What tells whether a store was written: the files, their sizes and times."""
    found: list[tuple[int, int, int] | None] = []
    for name in (FILE, f"{FILE}-wal"):
        try:
            at = os.stat(folder / name)
        except OSError:
            found.append(None)
        else:
            found.append((at.st_ino, at.st_size, at.st_mtime_ns))
    return tuple(found)


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", "") or error)
