"""The hall: stores the rounds that the tables send, tells each table what it has, and keeps every table's last state.

A message is acknowledged to the broker once it is on disk, so a hall that was killed gets it again. There are two
threads: paho's, which only puts messages on a queue, and the one that runs `Hall.run`.
"""

from __future__ import annotations

import contextlib
import queue
import secrets
import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from companion.hall import mqtt
from companion.hall.database import HallError, time_of_day
from companion.hall.intake import Gap, MessageRefused
from companion.hall.messages import MOST_BYTES, Offer, State, Unreadable, read_log, read_state, table_of, topics, write
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from paho.mqtt.client import Client, MQTTMessage

    from companion.hall.intake import Intake
    from companion.hall.table_link import Link

BATCH = 200
"""The most messages in one transaction, and the most that the broker may send unacknowledged."""
ASK_SECONDS = 2.0
"""The shortest time between two requests to a table to send from further back: what is on its way still arrives."""
TOLD_SECONDS = 60.0
"""The shortest time between two sentences about refused messages of one table."""
RETRY_SECONDS = 1.0
"""The pause before a transaction that failed is tried again."""
RECONNECT_SECONDS = (1, 10)
"""The first and the longest pause between two tries to connect."""
WAKE_SECONDS = 0.5
"""How often `Hall.run` asks `stop`."""

BROKER_LOST = (
    "There has been no connection to the broker at {address} since {since}, so nothing arrives from the tables. They "
    "save what is played and send it later. Check that the broker's computer and the network are on; to start the "
    "broker there: `sudo systemctl restart companion-broker` (without services: Mosquitto, as in docs/hall.md)."
)

_T = TypeVar("_T")
_UNKNOWN = object()
"""In the place of an offer: what the table was told is not known."""


class _Arrived(NamedTuple):
    """A message; `mid` is None for a state, which is acknowledged already."""

    connection: int
    topic: str
    payload: bytes
    mid: int | None


class _Done:
    """What follows from a batch once it is on disk: whom to tell what the hall has, and sentences for the journal."""

    def __init__(self) -> None:
        self.tell: dict[str, str] = {}  # by table: the store whose `Have` it gets
        self.said: list[str] = []
        self.quiet: dict[str, float] = {}  # by table: until when its refusals are not reported


class Hall:
    """The hall, connected to one broker.

    Args:
        link: the hall's user name and password, and the broker's address.
        intake: the hall's store.
        say: called with each sentence for the journal.
    """

    def __init__(self, link: Link, intake: Intake, *, say: Callable[[str], object] = lambda sentence: None) -> None:
        self._link = link
        self._intake = intake
        self._say = mqtt.once(say)
        self._changed: Callable[[], object] = lambda: None
        self.connected = False
        self._disconnected_at = ""  # in ISO 8601; "" while connected, and before the first try has failed
        self.last_states: dict[str, State] = {}  # by table: the last that it has sent
        self.trouble = ""  # why nothing can be stored, one sentence; "" while all is well
        self._queue: queue.Queue[_Arrived | str] = queue.Queue()
        self._states: dict[str, bytes] = {}  # by topic: the newest state that is not processed yet
        self._lock = threading.Lock()
        self._connection = 0
        self._session = ""
        self._asks: dict[str, tuple[int, float]] = {}  # by store: requests to send again, and when the last was
        self._quiet: dict[str, float] = {}  # by table: until when its refusals are not reported
        self._offered: dict[str, Offer | object | None] = {}  # what each table was last told on this connection
        self._client = self._make_client()

    @property
    def disconnected(self) -> str:
        """Since when the broker has not been connected, and what to do about it, as a sentence; "" while it is."""
        since = self._disconnected_at[:16].replace("T", " ")
        return text(BROKER_LOST, address=self._link.address, since=since) if since else ""

    def on_change(self, changed: Callable[[], object]) -> None:
        """Have a function called after each change of states, rounds or sentences, in the thread of `run`."""
        self._changed = changed

    def offer(self, offers: Mapping[str, Offer]) -> None:
        """Tell every table what it is offered, those without an offer that there is none; from any thread."""
        with self._lock:
            if not self.connected:
                return
            for name in {*offers, *self._offered, *dict(self.last_states)}:
                offer = offers.get(name)
                if self._offered.get(name, _UNKNOWN) != offer:
                    self._offered[name] = offer
                    payload = write(offer) if offer is not None else b""
                    topic = topics(self._link.club, name).offer
                    self._client.publish(topic, payload, 1, retain=True, properties=mqtt.content())

    def run(self, stop: Callable[[], bool]) -> None:
        """Receive messages until `stop()` is true. Messages that are not on disk by then are sent again next time."""
        if counted := self._retry_until_stored(self._intake.judge_again, stop):
            self._say(f"{counted} rounds count now that did not before")
        self._client.connect_async(
            self._link.host,
            self._link.port,
            mqtt.KEEPALIVE,
            clean_start=True,
            properties=mqtt.connection(0, BATCH),
        )
        self._client.loop_start()
        shown = ""
        try:
            while not stop():
                if shown != self._disconnected_at:
                    shown = self._disconnected_at
                    self._changed()
                with contextlib.suppress(queue.Empty):
                    self._take_and_answer(self._gather_batch(self._queue.get(timeout=WAKE_SECONDS)), stop)
        finally:
            self._client.disconnect()
            self._client.loop_stop()

    def _make_client(self) -> Client:
        # A random identifier: whoever came with the same one would throw the hall off the broker.
        made = mqtt.client(self._link, f"{self._link.name}-{secrets.token_hex(8)}", manual_ack=True)
        made.reconnect_delay_set(*RECONNECT_SECONDS)
        made.max_queued_messages_set(2 * BATCH)
        made.on_connect, made.on_disconnect = self._on_connect, self._on_disconnect
        made.on_message, made.on_connect_fail = self._on_message, self._on_connect_fail
        return made

    # -- in paho's thread ---------------------------------------------------------------------------------------

    def _on_connect(self, client: Client, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        if reason.is_failure:
            self._note_disconnected()
            self._say(f"the broker does not let {self._link.name} in: {reason}")
            return
        with self._lock:
            self._offered.clear()  # The broker may have forgotten them.
        self._connection += 1
        self._session = secrets.token_hex(6)
        self.connected = True
        self._disconnected_at = ""
        self._say(f"connected to the broker at {self._link.host}")
        every = topics(self._link.club, "+")
        client.subscribe([(every.state, 1), (every.log, 1)])

    def _note_disconnected(self) -> None:
        self._disconnected_at = self._disconnected_at or time_of_day()

    def _on_connect_fail(self, client: Client, userdata: Any) -> None:
        self._note_disconnected()
        self._say(f"the broker at {self._link.host} is not reached")

    def _on_disconnect(self, client: Client, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        self.connected = False
        self._note_disconnected()
        self._say("the connection to the broker is lost")

    def _on_message(self, client: Client, userdata: Any, message: MQTTMessage) -> None:
        """Queue a message. Of a table's states only the newest is kept, so no table can fill the memory."""
        if message.topic.endswith("/state"):
            client.ack(message.mid, message.qos)
            with self._lock:
                known = message.topic in self._states
                self._states[message.topic] = bytes(message.payload[: MOST_BYTES + 1])
            if not known:
                self._queue.put(message.topic)
        elif message.qos == 1:  # The broker's limit of unacknowledged messages leaves QoS 0 out, so those are ignored.
            payload = bytes(message.payload[: MOST_BYTES + 1])
            self._queue.put(_Arrived(self._connection, message.topic, payload, message.mid))

    # -- in the thread of run -----------------------------------------------------------------------------------

    def _gather_batch(self, first: _Arrived | str) -> list[_Arrived]:
        batch = [self._decode(first)]
        with contextlib.suppress(queue.Empty):
            while len(batch) < BATCH:
                batch.append(self._decode(self._queue.get_nowait()))
        return batch

    def _decode(self, queued: _Arrived | str) -> _Arrived:
        """What was queued; for the topic of a state, the newest state of that table."""
        if isinstance(queued, _Arrived):
            return queued
        with self._lock:
            return _Arrived(self._connection, queued, self._states.pop(queued), None)

    def _take_and_answer(self, batch: list[_Arrived], stop: Callable[[], bool]) -> None:
        """Store a batch, acknowledge it, and tell its tables what the hall has; if stopped before, nothing of it."""
        done = self._retry_until_stored(lambda: self._take_batch(batch), stop)
        if done is None:
            return
        self._quiet |= done.quiet
        for sentence in done.said:
            self._say(sentence)
        for each in batch:
            if each.mid is not None and each.connection == self._connection:
                self._client.ack(each.mid, 1)
        for name, store in done.tell.items():
            self._tell_have(name, store)
        self._changed()

    def _retry_until_stored(self, work: Callable[[], _T], stop: Callable[[], bool]) -> _T | None:
        """Do `work` in a transaction, again until it is on disk. Returns None if the hall is stopped before."""
        while True:
            try:
                with self._intake.together():
                    found = work()
            except HallError as error:
                self._tell_trouble(error.args[0])
            else:
                self._tell_trouble("")
                return found
            if stop():
                return None
            time.sleep(RETRY_SECONDS)

    def _tell_trouble(self, sentence: str) -> None:
        """Tell the journal and the organiser's page why nothing can be stored, or ("") that it can be again."""
        if sentence != self.trouble:
            self.trouble = sentence
            self._say(sentence or "what comes is kept again")
            self._changed()

    def _take_batch(self, batch: list[_Arrived]) -> _Done:
        """Take a batch in, within a transaction that may be tried again: nothing is told or acknowledged here."""
        done = _Done()
        for each in batch:
            self._take_one(each, done)
        return done

    def _take_one(self, arrived: _Arrived, done: _Done) -> None:
        name = ""
        try:
            name = table_of(arrived.topic)
            if arrived.mid is None:
                self._take_state(name, arrived.payload, done.tell)
                return
            message = read_log(arrived.payload)
            done.tell[name] = message.store
            done.said += [f"{name} {sentence}" for sentence in self._intake.take(name, message, time_of_day())]
        except Gap:
            self._ask_anew(message.store)
        except (Unreadable, MessageRefused) as error:
            done.tell.pop(name, None)
            self._refuse(name, text("a message was refused: {why}", why=error.args[0]), done)

    def _take_state(self, name: str, payload: bytes, tell: dict[str, str]) -> None:
        if not payload:  # An empty message removes a retained one.
            self.last_states.pop(name, None)
            return
        state = read_state(payload)
        self.last_states[name] = state
        self._intake.admit(name, state.store, time_of_day())
        if state.here and state.heard != self._ask_from(state.store):
            tell[name] = state.store

    def _refuse(self, name: str, sentence: str, done: _Done) -> None:
        """Report a refused message, at most one a table in `TOLD_SECONDS`."""
        now = time.monotonic()
        if now >= done.quiet.get(name, self._quiet.get(name, 0.0)):
            done.quiet[name] = now + TOLD_SECONDS
            done.said.append(f"{name or 'somebody'}: {sentence}")
            self._intake.tell(name, sentence, time_of_day())

    def _ask_from(self, store: str) -> str:
        return f"{self._session}n{self._asks.get(store, (0, 0.0))[0]}"

    def _ask_anew(self, store: str) -> None:
        count, last = self._asks.get(store, (0, -ASK_SECONDS))
        if time.monotonic() - last >= ASK_SECONDS:
            self._asks[store] = count + 1, time.monotonic()

    def _tell_have(self, name: str, store: str) -> None:
        if self.connected:
            have = self._intake.have(store, self._ask_from(store))
            topic = topics(self._link.club, name).have
            self._client.publish(topic, write(have), 1, retain=True, properties=mqtt.content())
