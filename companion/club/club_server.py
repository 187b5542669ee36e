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

from companion.club import broker_client
from companion.club.club_database import ClubDatabaseError, timestamp_now
from companion.club.club_store import MessageRefusedError, MissingMessageError
from companion.club.mqtt_messages import (
    MAX_MESSAGE_BYTES,
    OfferMessage,
    StateMessage,
    UnreadableError,
    encode_message,
    parse_log_message,
    parse_state,
    table_in_topic,
    table_topics,
)
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from paho.mqtt.client import Client, MQTTMessage
    from paho.mqtt.properties import Properties

    from companion.club.club_store import ClubStore
    from companion.club.mqtt_messages import Link

MAX_BATCH_MESSAGES = 200
"""The most messages in one transaction, and the most that the broker may send unacknowledged."""
RESEND_REQUEST_SECONDS = 2.0
"""The shortest time between two requests to a table to send from further back.

Messages that are already on their way still arrive after the first request."""
REFUSAL_REPORT_SECONDS = 60.0
"""The shortest time between two sentences about refused messages of one table."""
STORE_RETRY_SECONDS = 1.0
"""The pause before a transaction that failed is tried again."""
POLL_SECONDS = 0.2
"""How often `ClubServer.run_until` calls `stop`, and looks for new offers."""

BROKER_DISCONNECTED = (
    "There has been no connection to the broker at {address} since {since}, so nothing arrives from the tables. They "
    "save what is played and send it later. Check that the broker's computer and the network are on; to start the "
    "broker there: `sudo systemctl restart companion-broker` (without services: Mosquitto, as in docs/hall.md)."
)

ResultT = TypeVar("ResultT")


class _BatchOutcome:
    """What follows from a batch once it is on disk: the tables to answer, and sentences for the log."""

    def __init__(self) -> None:
        self.stores_to_answer: dict[str, str] = {}  # by table: the store about which it is told what the server has
        self.sentences: list[str] = []
        self.quiet_until: dict[str, float] = {}  # by table: until when its refusals are not reported


class ClubServer(broker_client.BrokerClient):
    """The club server, connected to one broker.

    Args:
        link: the server's user name and password, and the broker's address.
        club_store: the club's file.
        write_log: called with each sentence for the log.
    """

    event_sentences: ClassVar[Mapping[str, str]] = {
        "bad login": "the broker does not let {name} in: {why}",
        "refused": "the broker does not let {name} in: {why}",
        "unreachable": "the broker at {host} cannot be reached",
        "ended": "the connection to the broker was lost",
        "lost": "the connection to the broker was lost",
    }

    def __init__(
        self, link: Link, club_store: ClubStore, *, write_log: Callable[[str], object] = lambda sentence: None
    ) -> None:
        super().__init__(link, write_log)
        self._club_store = club_store
        self._on_change: Callable[[], object] = lambda: None
        self._disconnected_at = ""  # in ISO 8601; "" while connected, and before the first attempt has failed
        self.last_states: dict[str, StateMessage] = {}  # by table: the last that was received
        self.store_problem = ""  # why nothing can be saved, one sentence; "" while all is well
        self._batch: list[MQTTMessage] = []  # received on this connection, and not on disk yet
        self._next_store_at = 0.0
        self._connection_token = ""
        self._asks: dict[str, tuple[int, float]] = {}  # by store: the requests to send again, and the last one's time
        self._quiet_until: dict[str, float] = {}  # by table: until when its refusals are not reported
        self._offers: Mapping[str, OfferMessage] | None = None  # what each table is offered; None before any is set
        self._published_offers: dict[str, OfferMessage | None] = {}  # what was last published on this connection

    @property
    def disconnection_sentence(self) -> str:
        """Since when the broker has not been connected, and what to do about it, as a sentence; "" while it is."""
        since_text = self._disconnected_at[:16].replace("T", " ")
        return text(BROKER_DISCONNECTED, address=self.link.address, since=since_text) if since_text else ""

    def set_on_change(self, on_change: Callable[[], object]) -> None:
        """Set a function that `run_until` calls, in its thread, after each change of states, rounds or sentences."""
        self._on_change = on_change

    def set_offers(self, offers: Mapping[str, OfferMessage]) -> None:
        """Set what each table is offered; any thread may call this.

        A table that is not in `offers` is told that it has no offer.
        """
        self._offers = dict(offers)

    def run_until(self, stop: Callable[[], bool]) -> None:
        """Receive messages until `stop()` is true. Messages that are not on disk by then are sent again next time."""
        while (
            rounds_now_counted := self._run_in_transaction(self._club_store.recheck_uncounted)
        ) is None and not stop():
            time.sleep(STORE_RETRY_SECONDS)
        if rounds_now_counted:
            self.report(f"{rounds_now_counted} rounds now count that did not count before")
        try:
            while not stop():
                self.connect_if_due()
                self._receive_batch()
                if self._batch and time.monotonic() >= self._next_store_at:
                    self._store_batch()
                self._publish_offers()
        finally:
            self.close_connection()

    def make_client(self) -> tuple[Client, Properties]:
        # Random: whoever came with the same identifier would throw the server off the broker.
        client = broker_client.make_paho_client(self.link, f"{self.link.name}-{secrets.token_hex(8)}", manual_ack=True)
        return client, broker_client.packet_properties(
            PacketTypes.CONNECT, SessionExpiryInterval=0, ReceiveMaximum=MAX_BATCH_MESSAGES
        )

    def on_connected(self, client: Client) -> None:
        self._published_offers.clear()  # The broker may have forgotten the offers.
        self._connection_token = secrets.token_hex(6)
        self._disconnected_at = ""
        self.report(f"connected to the broker at {self.link.host}")
        all_tables = table_topics(self.link.club, "+")
        client.subscribe([(all_tables.state, 1), (all_tables.log, 1)])
        self._on_change()

    def on_disconnected(self) -> None:
        self._batch.clear()
        if not self._disconnected_at:
            self._disconnected_at = timestamp_now()
            self._on_change()

    def take_message(self, message: MQTTMessage) -> None:
        # No table may fill the memory. The broker limits unacknowledged messages, but not those of QoS 0: they are
        # dropped while nothing can be saved.
        if message.qos or len(self._batch) < MAX_BATCH_MESSAGES:
            message.payload = message.payload[: MAX_MESSAGE_BYTES + 1]
            self._batch.append(message)

    def _receive_batch(self) -> None:
        """Wait for a message, and receive what comes with it, up to `MAX_BATCH_MESSAGES`."""
        count = len(self._batch)
        self.process_network(POLL_SECONDS)
        while count < len(self._batch) < MAX_BATCH_MESSAGES:
            count = len(self._batch)
            self.process_network(0)

    def _store_batch(self) -> None:
        """Save a batch, acknowledge it, and tell its tables which log entries the server has.

        If the batch cannot be saved it is tried again after `STORE_RETRY_SECONDS`.
        """
        outcome = self._run_in_transaction(self._take_batch)
        if outcome is None or self.client is None:
            self._next_store_at = time.monotonic() + STORE_RETRY_SECONDS
            return
        self._quiet_until |= outcome.quiet_until
        for sentence in outcome.sentences:
            self.report(sentence)
        client, batch, self._batch = self.client, self._batch, []
        for each in batch:
            client.ack(each.mid, each.qos)
        for name, store in outcome.stores_to_answer.items():
            have = self._club_store.received_entries_message(store, self._ask_token(store))
            self._publish(table_topics(self.link.club, name).have, encode_message(have))
        self._on_change()

    def _run_in_transaction(self, work: Callable[[], ResultT]) -> ResultT | None:
        """Run `work` in a transaction. Returns None, and reports why, if nothing of it could be saved."""
        try:
            with self._club_store.transaction():
                result = work()
        except ClubDatabaseError as error:
            self._set_store_problem(error.args[0])
            return None
        self._set_store_problem("")
        return result

    def _publish(self, topic: str, payload: bytes) -> None:
        if self.client is not None:
            broker_client.publish_message(self.client, topic, payload)

    def _publish_offers(self) -> None:
        offers = self._offers
        if not self.is_connected or offers is None:
            return
        for name in {*offers, *self._published_offers, *self.last_states}:
            offer = offers.get(name)
            if name not in self._published_offers or self._published_offers[name] != offer:
                self._published_offers[name] = offer
                self._publish(
                    table_topics(self.link.club, name).offer, encode_message(offer) if offer is not None else b""
                )

    def _set_store_problem(self, sentence: str) -> None:
        """Report in the log and on the organiser's page why nothing can be saved, or ("") that it can be again."""
        if sentence != self.store_problem:
            self.store_problem = sentence
            self.report(sentence or "messages are saved again")
            self._on_change()

    def _take_batch(self) -> _BatchOutcome:
        """Save a batch, within a transaction that may be tried again.

        For that reason nothing is reported or acknowledged here, but collected in the outcome.
        """
        outcome = _BatchOutcome()
        for each in self._batch:
            self._take_message(each, outcome)
        return outcome

    def _take_message(self, received: MQTTMessage, outcome: _BatchOutcome) -> None:
        name, topic, payload = "", received.topic, bytes(received.payload)
        try:
            name = table_in_topic(topic)
            if topic.endswith("/state"):
                self._take_state(name, payload, outcome.stores_to_answer, is_retained=received.retain)
                return
            message = parse_log_message(payload)
            outcome.stores_to_answer[name] = message.store
            outcome.sentences += [
                f"{name} {sentence}" for sentence in self._club_store.store_message(name, message, timestamp_now())
            ]
        except MissingMessageError:
            self._request_resend(message.store)
        except (UnreadableError, MessageRefusedError) as error:
            outcome.stores_to_answer.pop(name, None)
            self._report_refusal(name, text("a message was refused: {why}", why=error.args[0]), outcome)

    def _take_state(self, name: str, payload: bytes, stores_to_answer: dict[str, str], *, is_retained: bool) -> None:
        if not payload:  # An empty message removes a retained one.
            self.last_states.pop(name, None)
            return
        state = parse_state(payload)
        was_here = name in self.last_states and self.last_states[name].here
        self.last_states[name] = state
        self._club_store.register_or_refuse_store(name, state.store, timestamp_now())
        # A goodbye that the broker has kept says nothing about when the table left.
        if state.here != was_here and (state.here or not is_retained):
            self._club_store.save_seen_time(state.store, timestamp_now())
        if state.here and state.heard != self._ask_token(state.store):
            stores_to_answer[name] = state.store
            # The table has just connected, and may not know that an offer was withdrawn.
            self._published_offers.pop(name, None)

    def _report_refusal(self, name: str, sentence: str, outcome: _BatchOutcome) -> None:
        """Report a refused message, at most one a table in `REFUSAL_REPORT_SECONDS`."""
        now = time.monotonic()
        if now >= outcome.quiet_until.get(name, self._quiet_until.get(name, 0.0)):
            outcome.quiet_until[name] = now + REFUSAL_REPORT_SECONDS
            outcome.sentences.append(f"{name or 'unknown sender'}: {sentence}")
            self._club_store.add_note(name, sentence, timestamp_now())

    def _ask_token(self, store: str) -> str:
        return f"{self._connection_token}n{self._asks.get(store, (0, 0.0))[0]}"

    def _request_resend(self, store: str) -> None:
        count, last = self._asks.get(store, (0, -RESEND_REQUEST_SECONDS))
        if time.monotonic() - last >= RESEND_REQUEST_SECONDS:
            self._asks[store] = count + 1, time.monotonic()
