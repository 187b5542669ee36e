"""The club server: saves the rounds that the tables send, and tells each table which rounds it has.

    topic …/TABLE/log      ──> saved, refereed again, acknowledged
    topic …/TABLE/have     <── which log entries are saved; a new `ask` means "send again from there"
    topic …/TABLE/state    ──> the table's last state, for the pages
    topic …/TABLE/offer    <── a pairing for the table's main menu

A message is acknowledged to the broker once it is on disk, so a server that was killed gets it again. All of this
happens in the one thread that runs `ClubServer.run_until`.
"""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING, ClassVar, TypeVar

from paho.mqtt.packettypes import PacketTypes

from companion.club import mqtt
from companion.club.database import HallError, time_of_day
from companion.club.intake import GapError, MessageRefusedError
from companion.club.messages import (
    MOST_BYTES,
    Offer,
    State,
    UnreadableError,
    read_log,
    read_state,
    table_of,
    topics,
    write,
)
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from paho.mqtt.client import Client, MQTTMessage
    from paho.mqtt.properties import Properties

    from companion.club.intake import Intake
    from companion.club.messages import Link

BATCH = 200
"""The most messages in one transaction, and the most that the broker may send unacknowledged."""
ASK_SECONDS = 2.0
"""The shortest time between two requests to a table to send from further back.

Messages that are already on their way still arrive after the first request."""
TOLD_SECONDS = 60.0
"""The shortest time between two sentences about refused messages of one table."""
RETRY_SECONDS = 1.0
"""The pause before a transaction that failed is tried again."""
WAKE_SECONDS = 0.2
"""How often `ClubServer.run_until` calls `stop`, and looks for new offers."""

BROKER_LOST = (
    "There has been no connection to the broker at {address} since {since}, so nothing arrives from the tables. They "
    "save what is played and send it later. Check that the broker's computer and the network are on; to start the "
    "broker there: `sudo systemctl restart companion-broker` (without services: Mosquitto, as in docs/hall.md)."
)

_T = TypeVar("_T")


class _Done:
    """What follows from a batch once it is on disk: the tables to answer, and sentences for the log."""

    def __init__(self) -> None:
        self.tell: dict[str, str] = {}  # by table: the store about which it is told what the server has
        self.said: list[str] = []
        self.quiet: dict[str, float] = {}  # by table: until when its refusals are not reported


class Hall(mqtt.BrokerClient):
    """The club server, connected to one broker.

    Args:
        link: the server's user name and password, and the broker's address.
        club_store: the club's file.
        write_log: called with each sentence for the log.
    """

    journal_lines: ClassVar[Mapping[str, str]] = {
        "bad login": "the broker does not let {name} in: {why}",
        "refused": "the broker does not let {name} in: {why}",
        "unreachable": "the broker at {host} cannot be reached",
        "ended": "the connection to the broker was lost",
        "lost": "the connection to the broker was lost",
    }

    def __init__(self, link: Link, intake: Intake, *, say: Callable[[str], object] = lambda sentence: None) -> None:
        super().__init__(link, say)
        self._intake = intake
        self._changed: Callable[[], object] = lambda: None
        self._disconnected_at = ""  # in ISO 8601; "" while connected, and before the first attempt has failed
        self.last_states: dict[str, State] = {}  # by table: the last that was received
        self.trouble = ""  # why nothing can be saved, one sentence; "" while all is well
        self._batch: list[MQTTMessage] = []  # received on this connection, and not on disk yet
        self._next_store = 0.0
        self._session = ""
        self._asks: dict[str, tuple[int, float]] = {}  # by store: the requests to send again, and the last one's time
        self._quiet: dict[str, float] = {}  # by table: until when its refusals are not reported
        self._offers: Mapping[str, Offer] | None = None  # what each table is offered; None before any is set
        self._offered: dict[str, Offer | None] = {}  # what was last published on this connection

    @property
    def disconnected(self) -> str:
        """Since when the broker has not been connected, and what to do about it, as a sentence; "" while it is."""
        since = self._disconnected_at[:16].replace("T", " ")
        return text(BROKER_LOST, address=self.link.address, since=since) if since else ""

    def on_change(self, changed: Callable[[], object]) -> None:
        """Set a function that `run_until` calls, in its thread, after each change of states, rounds or sentences."""
        self._changed = changed

    def offer(self, offers: Mapping[str, Offer]) -> None:
        """Set what each table is offered; any thread may call this.

        A table that is not in `offers` is told that it has no offer.
        """
        self._offers = dict(offers)

    def run(self, stop: Callable[[], bool]) -> None:
        """Receive messages until `stop()` is true. Messages that are not on disk by then are sent again next time."""
        while (counted := self._store(self._intake.judge_again)) is None and not stop():
            time.sleep(RETRY_SECONDS)
        if counted:
            self.say(f"{counted} rounds now count that did not count before")
        try:
            while not stop():
                self.connect_if_due()
                self._receive_batch()
                if self._batch and time.monotonic() >= self._next_store:
                    self._take_and_answer()
                self._publish_offers()
        finally:
            self.drop()

    def make_client(self) -> tuple[Client, Properties]:
        made = mqtt.client(self.link, f"{self.link.name}-{secrets.token_hex(8)}", manual_ack=True)
        return made, mqtt.properties(PacketTypes.CONNECT, SessionExpiryInterval=0, ReceiveMaximum=BATCH)

    def on_connected(self, client: Client) -> None:
        self._offered.clear()  # The broker may have forgotten the offers.
        self._session = secrets.token_hex(6)
        self._disconnected_at = ""
        self.say(f"connected to the broker at {self.link.host}")
        every = topics(self.link.club, "+")
        client.subscribe([(every.state, 1), (every.log, 1)])
        self._changed()

    def on_disconnected(self) -> None:
        self._batch.clear()
        if not self._disconnected_at:
            self._disconnected_at = time_of_day()
            self._changed()

    def receive(self, message: MQTTMessage) -> None:
        # No table may fill the memory. The broker limits unacknowledged messages, but not those of QoS 0: they are
        # dropped while nothing can be saved.
        if message.qos or len(self._batch) < BATCH:
            message.payload = message.payload[: MOST_BYTES + 1]
            self._batch.append(message)

    def _receive_batch(self) -> None:
        """Wait for a message, and receive what comes with it, up to `MOST_BATCH_MESSAGES`."""
        count = len(self._batch)
        self.wait(WAKE_SECONDS)
        while count < len(self._batch) < BATCH:
            count = len(self._batch)
            self.wait(0)

    def _take_and_answer(self) -> None:
        """Save a batch, acknowledge it, and tell its tables which log entries the server has.

        If the batch cannot be saved it is tried again after `STORE_RETRY_SECONDS`.
        """
        done = self._store(self._take_batch)
        if done is None or self.client is None:
            self._next_store = time.monotonic() + RETRY_SECONDS
            return
        self._quiet |= done.quiet
        for sentence in done.said:
            self.say(sentence)
        client, batch, self._batch = self.client, self._batch, []
        for each in batch:
            client.ack(each.mid, each.qos)
        for name, store in done.tell.items():
            have = self._intake.have(store, self._ask_from(store))
            self._publish(topics(self.link.club, name).have, write(have))
        self._changed()

    def _store(self, work: Callable[[], _T]) -> _T | None:
        """Run `work` in a transaction. Returns None, and reports why, if nothing of it could be saved."""
        try:
            with self._intake.transaction():
                found = work()
        except HallError as error:
            self._tell_trouble(error.args[0])
            return None
        self._tell_trouble("")
        return found

    def _publish(self, topic: str, payload: bytes) -> None:
        if self.client is not None:
            mqtt.publish(self.client, topic, payload)

    def _publish_offers(self) -> None:
        offers = self._offers
        if not self.connected or offers is None:
            return
        for name in {*offers, *self._offered, *self.last_states}:
            offer = offers.get(name)
            if name not in self._offered or self._offered[name] != offer:
                self._offered[name] = offer
                self._publish(topics(self.link.club, name).offer, write(offer) if offer is not None else b"")

    def _tell_trouble(self, sentence: str) -> None:
        """Report in the log and on the organiser's page why nothing can be saved, or ("") that it can be again."""
        if sentence != self.trouble:
            self.trouble = sentence
            self.say(sentence or "what comes is kept again")
            self._changed()

    def _take_batch(self) -> _Done:
        """Save a batch, within a transaction that may be tried again.

        For that reason nothing is reported or acknowledged here, but collected in the outcome.
        """
        done = _Done()
        for each in self._batch:
            self._take_one(each.topic, bytes(each.payload), done)
        return done

    def _take_one(self, topic: str, payload: bytes, done: _Done) -> None:
        name = ""
        try:
            name = table_of(topic)
            if topic.endswith("/state"):
                self._take_state(name, payload, done.tell)
                return
            message = read_log(payload)
            done.tell[name] = message.store
            done.said += [f"{name} {sentence}" for sentence in self._intake.take(name, message, time_of_day())]
        except GapError:
            self._ask_anew(message.store)
        except (UnreadableError, MessageRefusedError) as error:
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
            self._offered.pop(name, None)  # The table has just connected, and may not know that an offer was withdrawn.

    def _refuse(self, name: str, sentence: str, done: _Done) -> None:
        """Report a refused message, at most one a table in `REFUSAL_REPORT_SECONDS`."""
        now = time.monotonic()
        if now >= done.quiet.get(name, self._quiet.get(name, 0.0)):
            done.quiet[name] = now + TOLD_SECONDS
            done.said.append(f"{name or 'unknown sender'}: {sentence}")
            self._intake.tell(name, sentence, time_of_day())

    def _ask_from(self, store: str) -> str:
        return f"{self._session}n{self._asks.get(store, (0, 0.0))[0]}"

    def _ask_anew(self, store: str) -> None:
        count, last = self._asks.get(store, (0, -ASK_SECONDS))
        if time.monotonic() - last >= ASK_SECONDS:
            self._asks[store] = count + 1, time.monotonic()
