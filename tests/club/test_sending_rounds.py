"""Real stores, real uplinks, a real Mosquitto and a real club server: what a table has saved reaches the server."""

from __future__ import annotations

import json
import random
import shutil
import threading
from datetime import UTC, datetime

import pytest
from club_night import (
    CLUB_NAME,
    PATIENCE_SECONDS,
    Broker,
    RunningThread,
    exported_records,
    save_played_round,
    wait_until,
)
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion
from ports import free_port

from companion.club import broker_client, club_server, uplink
from companion.club.club_server import ClubServer
from companion.club.club_store import ClubStore
from companion.club.mqtt_messages import table_topics
from companion.club.uplink import Uplink
from companion.games.api.result import Result
from companion.languages import join_texts, text, texts_to_json
from companion.rounds.stored import LogEntry
from companion.store.store import Store
from companion.table.state_server import StateServer

NAMES = ("Ann", "Ben")


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch):
    """Shorten the pauses, so that the tests take no longer than they must."""
    monkeypatch.setattr(uplink, "STORE_CHECK_SECONDS", 0.05)
    monkeypatch.setattr(broker_client, "RETRY_PAUSE_SECONDS", (0.1, 1.0))
    monkeypatch.setattr(club_server, "POLL_SECONDS", 0.05)


class ClubNight:
    """A club server and tables on a broker, each in a thread."""

    def __init__(self, folder, broker: Broker, rounds) -> None:
        self.folder, self.broker, self.played = folder, broker, rounds
        self.log: list[str] = []
        self._running: dict[str, RunningThread] = {}
        self.intake: ClubStore | None = None
        self.hall: ClubServer | None = None

    def start_server(self) -> None:
        self._taking = ClubStore(self.folder / "hall")
        self.intake = ClubStore(self.folder / "hall", as_server=False)
        self.hall = ClubServer(self.broker.link("hall"), self._taking, write_log=self.log.append)
        self._running["hall"] = RunningThread(self.hall)

    def stop_server(self) -> None:
        self._running.pop("hall").stop()
        self.intake.close()
        self._taking.close()

    def data_folder(self, name: str):
        return self.folder / name

    def save_round(self, name: str, *numbers: int, names=NAMES, **more) -> None:
        store = Store(self.data_folder(name), **more)
        for number in numbers:
            save_played_round(store, number, self.played[number % len(self.played)], names)
        store.close()

    def save_entries(self, name: str, *lines: LogEntry) -> None:
        store = Store(self.data_folder(name))
        store.write_entries(lines)
        store.close()

    def connect_table(self, name: str, data: str = "") -> None:
        folder = self.data_folder(data or name)
        link, status = self.broker.link(name), self.folder / f"{name}.json"
        uplink = Uplink(
            link,
            folder,
            folder / "public.sock",
            status_file=status,
            write_log=lambda said: self.log.append(f"{name}: {said}"),
        )
        self._running[name] = RunningThread(uplink)

    def disconnect_table(self, name: str) -> None:
        self._running.pop(name).stop()

    def exported_records(self, name: str = "") -> list[str]:
        return [each.record for each in self.intake.counted_rounds(name)]

    def read_status(self, name: str) -> dict:
        file = self.folder / f"{name}.json"
        return json.loads(file.read_text()) if file.exists() else {}

    def server_standings(self) -> dict[str, tuple[int, int, int]]:
        """Played, won and shared of each player, as the server counts them."""
        return {line.name: (line.played, line.won, line.drawn) for line in self.intake.standings()}

    def records_at_server(self, name: str) -> bool:
        return self.exported_records(name) == exported_records(self.data_folder(name))

    def close(self) -> None:
        for name in [*self._running]:
            self._running.pop(name).stop()
        if self.intake is not None:
            self.intake.close()
            self._taking.close()


@pytest.fixture
def club_night(tmp_path, broker, finished_rounds):
    club_night_ = ClubNight(tmp_path, broker, finished_rounds)
    yield club_night_
    club_night_.close()


def expected_standings(records: list[str]) -> dict[str, tuple[int, int, int]]:
    """The standings of these rounds, counted from the lines of their records."""
    counts: dict[str, list[int]] = {}
    for record in records:
        result = dict(line.split(": ", 1) for line in record.splitlines() if ": " in line)
        winners = Result.parse(result["result"]).winners
        for seat, name in enumerate(result["players"].split(", "), 1):
            line = counts.setdefault(name, [0, 0, 0])
            line[0] += 1
            line[1] += winners == (seat,)
            line[2] += len(winners) > 1 and seat in winners
    return {name: tuple(line) for name, line in counts.items()}


def collect_messages(broker: Broker, topic: str) -> dict[str, bytes]:
    """Collect the messages on a topic, the newest last, with an MQTT client of its own."""
    payloads: dict[str, bytes] = {}
    client = Client(CallbackAPIVersion.VERSION2)
    ready = threading.Event()
    client.on_message = lambda client, userdata, message: payloads.update({message.topic: message.payload})
    client.on_subscribe = lambda *words: ready.set()
    client.connect("127.0.0.1", broker.port)
    client.loop_start()
    client.subscribe(topic, 1)
    assert ready.wait(PATIENCE_SECONDS)
    return payloads


def publish_payload(broker: Broker, topic: str, *payloads: bytes, retain: bool = False, qos: int = 1) -> None:
    client = Client(CallbackAPIVersion.VERSION2)
    client.connect("127.0.0.1", broker.port)
    client.loop_start()
    for payload in payloads:
        client.publish(topic, payload, qos, retain).wait_for_publish(PATIENCE_SECONDS)
    client.disconnect()
    client.loop_stop()


def test_finished_rounds_reach_the_server_as_exported(club_night):
    """Rounds from before and during the connection equal the table's own export."""
    club_night.save_round("one", 1, 2, 3)
    club_night.save_round("two", 1, 2)
    club_night.start_server()
    club_night.connect_table("one")
    club_night.connect_table("two")
    wait_until(lambda: club_night.records_at_server("one") and club_night.records_at_server("two"))
    club_night.save_round("one", 4, 5)
    wait_until(lambda: club_night.records_at_server("one"))
    assert len(club_night.exported_records()) == 7
    assert [(each.name, each.rounds, each.uncounted_rounds) for each in club_night.intake.table_summaries()] == [
        ("one", 5, 0),
        ("two", 2, 0),
    ]
    wait_until(lambda: club_night.read_status("one").get("connected") and club_night.read_status("one")["waiting"] == 0)


def test_takebacks_and_new_names_are_sent_too(club_night):
    """A round that is taken back leaves the server, and a renamed player is renamed there."""
    club_night.save_round("one", 1, 2)
    club_night.start_server()
    club_night.connect_table("one")
    wait_until(lambda: club_night.records_at_server("one"))
    club_night.save_entries("one", LogEntry(2, "back"))
    wait_until(lambda: len(club_night.exported_records()) == 1)
    store = Store(club_night.data_folder("one"))
    store.rename_player("Ann", "Anna")
    store.close()
    wait_until(lambda: club_night.records_at_server("one"))
    assert "Anna" in {line.name for line in club_night.intake.standings()}


def test_an_unfinished_round_never_leaves_the_table(club_night):
    """Neither the state nor the log has a running round's pieces."""
    payloads = collect_messages(club_night.broker, "club/#")
    hidden = next(each for each in club_night.played if ("deal", 1) in each.deals)
    cut = hidden._replace(states=hidden.states[:2], events=hidden.events[:1])
    store = Store(club_night.data_folder("one"))
    save_played_round(store, 1, next(each for each in club_night.played if not each.deals), NAMES)
    save_played_round(store, 2, cut, NAMES)
    store.close()
    club_night.start_server()
    club_night.connect_table("one")
    wait_until(lambda: len(club_night.exported_records()) == 1 and club_night.read_status("one").get("waiting") == 0)
    publish_payload(club_night.broker, "club/end", b"What the broker had taken before this has come.")
    wait_until(lambda: "club/end" in payloads)
    pieces = hidden.rules.format_deal(hidden.deals["deal", 1]).encode()
    assert table_topics(CLUB_NAME, "one").log in payloads
    assert not [topic for topic, payload in payloads.copy().items() if pieces in payload]


def test_the_uplink_sends_only_the_public_snapshot(club_night, tmp_path):
    """The snapshot is retained, and a table that leaves is reported; nothing else of the socket is sent."""
    payloads = collect_messages(club_night.broker, "club/#")
    club_night.save_round("one", 1)
    level = text("level {level}", level=3)
    snapshot = {
        "public": {"game": "27", "board": join_texts(("<svg>", level, "</svg>"), "", "xml")},
        "seats": {"Ann": {"pieces": "secret"}},
        "phones": {"h": "Ann"},
    }
    guests = StateServer("hall link", club_night.data_folder("one") / "public.sock", lambda session: snapshot)
    guests.open()
    guests.publish(None)
    topic = table_topics(CLUB_NAME, "one").state
    club_night.start_server()
    club_night.connect_table("one")
    try:
        guests.publish("a session")
        state = wait_until(lambda: json.loads(payloads.get(topic, b"{}")).get("public") and json.loads(payloads[topic]))
        assert state["public"] == snapshot["public"] == {"game": "27", "board": "<svg>level 3</svg>"}
        assert state["words"] == {"level 3": texts_to_json(level)}
        assert b"secret" not in b"".join(payloads.copy().values())
        wait_until(
            lambda: "one" in club_night.hall.last_states and club_night.hall.last_states["one"].words == state["words"]
        )
        club_night.disconnect_table("one")
        wait_until(lambda: not json.loads(payloads[topic])["here"])
        wait_until(lambda: not club_night.hall.last_states["one"].here)
    finally:
        guests.close()


def test_a_table_was_last_seen_when_it_left(club_night, monkeypatch):
    """Not when its last round came, nor when a server that was away learns that it has left."""
    times = ["2026-11-21T20:00:00+0100", "2026-11-21T21:00:00+0100", "2026-11-21T22:00:00+0100"]
    monkeypatch.setattr(club_server, "timestamp_now", lambda: times[0])

    def seen_times() -> list[str]:
        return [each.last_heard for each in club_night.intake.table_summaries()]

    club_night.save_round("one", 1)
    club_night.start_server()
    club_night.connect_table("one")
    wait_until(lambda: club_night.exported_records() and club_night.hall.last_states["one"].here)
    assert seen_times() == times[:1]
    club_night.disconnect_table("one")
    wait_until(lambda: not club_night.hall.last_states["one"].here)
    del times[0]
    club_night.connect_table("one")
    wait_until(lambda: seen_times() == times[:1])
    club_night.stop_server()
    club_night.disconnect_table("one")
    before = times.pop(0)
    club_night.start_server()
    wait_until(lambda: "one" in club_night.hall.last_states)
    assert seen_times() == [before]


def test_a_table_goes_on_without_broker_and_server(club_night):
    """A killed broker forgets everything; when all are back, each round is at the server once, in order."""
    club_night.save_round("one", 1)
    club_night.start_server()
    club_night.connect_table("one")
    wait_until(lambda: club_night.records_at_server("one") and club_night.read_status("one").get("waiting") == 0)
    club_night.broker.kill()
    wait_until(lambda: not club_night.read_status("one")["connected"])
    club_night.save_round("one", 2, 3)
    wait_until(lambda: club_night.read_status("one")["waiting"] == 2)
    club_night.broker.start()
    wait_until(lambda: club_night.records_at_server("one"))
    club_night.stop_server()
    club_night.save_round("one", 4)
    club_night.start_server()
    wait_until(lambda: club_night.records_at_server("one"))
    assert len(club_night.exported_records()) == 4


def test_a_table_restored_from_an_older_copy(club_night):
    """Rounds from before and after the restore count, and the server notes what has happened."""
    club_night.save_round("one", *range(1, 6))
    shutil.copytree(club_night.data_folder("one"), club_night.folder / "backup")
    club_night.save_round("one", *range(6, 20))
    club_night.start_server()
    club_night.connect_table("one")
    wait_until(lambda: club_night.records_at_server("one"))
    before = club_night.exported_records()
    club_night.disconnect_table("one")
    shutil.rmtree(club_night.data_folder("one"))
    shutil.copytree(club_night.folder / "backup", club_night.data_folder("one"))
    club_night.save_round("one", 6, 7, names=("Cleo", "Dan"))
    club_night.connect_table("one")
    wait_until(lambda: len(club_night.exported_records()) == len(before) + 2)
    assert club_night.exported_records() == before + exported_records(club_night.data_folder("one"))[-2:]
    assert club_night.server_standings() == expected_standings(
        before + exported_records(club_night.data_folder("one"))[-2:]
    )
    assert len([each for each in club_night.intake.newest_organiser_notes() if "an older copy" in each[2]]) == 1


def test_duplicate_and_late_messages_change_nothing(club_night, tmp_path):
    """Whatever comes when and how often, each round is at the server once, in its order."""
    club_night.save_round("one", *range(1, 9))
    payloads: list[bytes] = []
    client = Client(CallbackAPIVersion.VERSION2)
    ready = threading.Event()
    client.on_message = lambda client, userdata, message: payloads.append(message.payload)
    client.on_subscribe = lambda *words: ready.set()
    client.connect("127.0.0.1", club_night.broker.port)
    client.loop_start()
    client.subscribe(table_topics(CLUB_NAME, "one").log, 1)
    assert ready.wait(PATIENCE_SECONDS)
    club_night.start_server()
    club_night.connect_table("one")
    wait_until(lambda: club_night.records_at_server("one") and len(payloads) >= 8)
    client.disconnect()
    client.loop_stop()
    club_night.disconnect_table("one")
    club_night.stop_server()
    shutil.rmtree(tmp_path / "hall")  # Another club server, which knows nothing of this table.
    club_night.start_server()
    wait_until(lambda: club_night.hall.is_connected)
    mixed = [*payloads, *payloads]
    random.Random(18).shuffle(mixed)
    assert mixed[0] != payloads[0]
    publish_payload(club_night.broker, table_topics(CLUB_NAME, "one").log, *mixed)
    club_night.connect_table("one")
    wait_until(lambda: club_night.records_at_server("one") and club_night.read_status("one").get("connected"))
    publish_payload(club_night.broker, table_topics(CLUB_NAME, "one").log, *mixed)
    club_night.save_round("one", 9)
    wait_until(lambda: len(club_night.exported_records()) == 9)
    assert club_night.records_at_server("one")
    assert club_night.server_standings() == expected_standings(exported_records(club_night.data_folder("one")))
    assert club_night.intake.newest_organiser_notes() == []


def test_a_tables_clock_does_not_matter(club_night):
    """Dates that run backwards, from 2040 to 1970, change nothing: the order is that of play."""
    club_night.start_server()
    club_night.connect_table("one")
    for number, year in enumerate((2026, 2040, 1970, 1999), 1):
        club_night.save_round("one", number, now=lambda year=year: datetime(year, 1, 1, tzinfo=UTC))
    wait_until(lambda: club_night.records_at_server("one") and len(club_night.exported_records()) == 4)
    assert club_night.intake.newest_organiser_notes() == []
    assert club_night.server_standings() == expected_standings(exported_records(club_night.data_folder("one")))
    club_night.save_entries("one", LogEntry(4, "back"))
    wait_until(lambda: len(club_night.exported_records()) == 3 and club_night.records_at_server("one"))
    assert club_night.server_standings() == expected_standings(exported_records(club_night.data_folder("one")))


def test_two_boxes_with_one_name_are_reported(club_night):
    """Both are told that each needs a name of its own, and the rounds of both are received once."""
    club_night.save_round("one", 1, 2)
    club_night.save_round("other", 1, 3)
    club_night.start_server()
    club_night.connect_table("one")
    wait_until(lambda: len(club_night.exported_records()) == 2)
    link = club_night.broker.link("one")
    second = RunningThread(
        Uplink(
            link,
            club_night.data_folder("other"),
            club_night.data_folder("other") / "public.sock",
            status_file=None,
            write_log=club_night.log.append,
        )
    )
    try:
        wait_until(lambda: len(club_night.exported_records()) == 4)
        wait_until(lambda: any("each box needs a name of its own" in each for each in [*club_night.log]))
        assert club_night.exported_records() == exported_records(club_night.data_folder("one")) + exported_records(
            club_night.data_folder("other")
        )
        club_night.save_round("one", 4)
        club_night.save_round("other", 5)
        wait_until(lambda: len(club_night.exported_records()) == 6)
        wait_until(lambda: any("different rounds" in each[2] for each in club_night.intake.newest_organiser_notes()))
        assert club_night.server_standings() == expected_standings(
            exported_records(club_night.data_folder("one")) + exported_records(club_night.data_folder("other"))
        )
    finally:
        second.stop()


def test_a_hostile_publisher_is_reported_and_ignored(club_night, random_bytes):
    """Random bytes, ten megabytes, a wrong schema and replays change nothing at the server."""
    payloads = collect_messages(club_night.broker, "club/+/table/one/log")
    club_night.save_round("one", 1, 2)
    club_night.start_server()
    club_night.connect_table("one")
    wait_until(lambda: club_night.records_at_server("one"))
    log = table_topics(CLUB_NAME, "one").log
    replay = wait_until(lambda: payloads.get(log))
    evil = table_topics(CLUB_NAME, "evil")
    for topic in (evil.log, evil.state, evil.have, f"club/{CLUB_NAME}/table/evil/log/more", "club//table/x/log"):
        publish_payload(
            club_night.broker, topic, random_bytes, b"\0" * 10_000_000, b"[" * 200_000, b'{"schema":9}', replay
        )
    publish_payload(club_night.broker, log, replay, replay)
    publish_payload(club_night.broker, evil.state, b"null", retain=True)
    club_night.save_round("one", 3)
    wait_until(lambda: club_night.records_at_server("one"))
    assert len(club_night.exported_records()) == 3
    wait_until(lambda: any("evil" in each and "refused" in each for each in [*club_night.log]))
    wait_until(
        lambda: any(
            name == "evil" and sentence.startswith("a message was refused:")
            for _, name, sentence in club_night.intake.newest_organiser_notes()
        )
    )


@pytest.fixture
def random_bytes():
    return random.Random(18).randbytes(5_000)


def test_a_missing_broker_is_reported_once(club_night):
    """The uplink counts what waits, reports the broker once, and ends when asked to."""
    club_night.save_round("one", 1, 2)
    club_night.broker.kill()
    club_night.broker.port = free_port()
    club_night.connect_table("one")
    wait_until(lambda: club_night.read_status("one").get("waiting") == 2)
    wait_until(lambda: any("cannot be reached" in each for each in [*club_night.log]))
    club_night.disconnect_table("one")
    assert len([each for each in club_night.log if "cannot be reached" in each]) == 1


def test_two_boxes_with_copies_of_one_card_lose_nothing(club_night):
    """They disconnect each other in turn; what both play counts once, and neither loses anything."""
    club_night.save_round("one", 1, 2)
    shutil.copytree(club_night.data_folder("one"), club_night.data_folder("copy"))
    club_night.save_round("one", 3)
    club_night.save_round("copy", 3, names=("Cleo", "Dan"))
    club_night.start_server()
    club_night.connect_table("one")
    link = club_night.broker.link("one")
    second = RunningThread(
        Uplink(
            link,
            club_night.data_folder("copy"),
            club_night.data_folder("copy") / "public.sock",
            status_file=None,
            write_log=club_night.log.append,
        )
    )
    try:
        wait_until(lambda: len(club_night.exported_records()) == 4)
        wanted = {*exported_records(club_night.data_folder("one")), *exported_records(club_night.data_folder("copy"))}
        assert sorted(club_night.exported_records()) == sorted(wanted)
        assert len(wanted) == 4
        assert club_night.server_standings() == expected_standings([*wanted])
    finally:
        second.stop()
