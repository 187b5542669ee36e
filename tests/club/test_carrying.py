"""Real stores, real uplinks, a real Mosquitto and a real club server: what a table has saved reaches the server."""

from __future__ import annotations

import json
import random
import shutil
import threading
from datetime import UTC, datetime

import pytest
from club_night import CLUB, PATIENCE, Broker, Running, exported, keep_round, until
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion
from ports import free_port

from companion.club import hall, mqtt, uplink
from companion.club.hall import ClubServer
from companion.club.intake import ClubStore
from companion.club.messages import table_topics
from companion.club.uplink import Uplink
from companion.games.api.result import Result
from companion.languages import join_texts, pack_texts, text
from companion.rounds.stored import LogEntry
from companion.store.store import Store
from companion.table.state_server import StateServer

NAMES = ("Ann", "Ben")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Shorten the pauses, so that the tests take no longer than they must."""
    monkeypatch.setattr(uplink, "STORE_CHECK_SECONDS", 0.05)
    monkeypatch.setattr(mqtt, "RETRY_PAUSE_SECONDS", (0.1, 1.0))
    monkeypatch.setattr(hall, "POLL_SECONDS", 0.05)


class Night:
    """A club server and tables on a broker, each in a thread."""

    def __init__(self, folder, broker: Broker, rounds) -> None:
        self.folder, self.broker, self.played = folder, broker, rounds
        self.said: list[str] = []
        self._running: dict[str, Running] = {}
        self.intake: ClubStore | None = None
        self.hall: ClubServer | None = None

    def open_hall(self) -> None:
        self._taking = ClubStore(self.folder / "hall")
        self.intake = ClubStore(self.folder / "hall", as_server=False)
        self.hall = ClubServer(self.broker.link("hall"), self._taking, write_log=self.said.append)
        self._running["hall"] = Running(self.hall)

    def close_hall(self) -> None:
        self._running.pop("hall").stop()
        self.intake.close()
        self._taking.close()

    def data(self, name: str):
        return self.folder / name

    def keep(self, name: str, *numbers: int, names=NAMES, **more) -> None:
        store = Store(self.data(name), **more)
        for number in numbers:
            keep_round(store, number, self.played[number % len(self.played)], names)
        store.close()

    def keep_lines(self, name: str, *lines: LogEntry) -> None:
        store = Store(self.data(name))
        store.write_entries(lines)
        store.close()

    def connect(self, name: str, data: str = "") -> None:
        folder = self.data(data or name)
        link, status = self.broker.link(name), self.folder / f"{name}.json"
        made = Uplink(
            link, folder, folder / "public.sock", status_file=status, write_log=lambda said: self.said.append(f"{name}: {said}")
        )
        self._running[name] = Running(made)

    def disconnect(self, name: str) -> None:
        self._running.pop(name).stop()

    def records(self, name: str = "") -> list[str]:
        return [each.record for each in self.intake.counted_rounds(name)]

    def status(self, name: str) -> dict:
        file = self.folder / f"{name}.json"
        return json.loads(file.read_text()) if file.exists() else {}

    def standings(self) -> dict[str, tuple[int, int, int]]:
        """Played, won and shared of each player, as the server counts them."""
        return {line.name: (line.played, line.won, line.drawn) for line in self.intake.standings()}

    def in_the_hall(self, name: str) -> bool:
        return self.records(name) == exported(self.data(name))

    def close(self) -> None:
        for name in [*self._running]:
            self._running.pop(name).stop()
        if self.intake is not None:
            self.intake.close()
            self._taking.close()


@pytest.fixture
def night(tmp_path, broker, finished_rounds):
    made = Night(tmp_path, broker, finished_rounds)
    yield made
    made.close()


def standings_of(records: list[str]) -> dict[str, tuple[int, int, int]]:
    """The standings of these rounds, counted from the lines of their records."""
    found: dict[str, list[int]] = {}
    for record in records:
        said = dict(line.split(": ", 1) for line in record.splitlines() if ": " in line)
        winners = Result.parse(said["result"]).winners
        for seat, name in enumerate(said["players"].split(", "), 1):
            line = found.setdefault(name, [0, 0, 0])
            line[0] += 1
            line[1] += winners == (seat,)
            line[2] += len(winners) > 1 and seat in winners
    return {name: tuple(line) for name, line in found.items()}


def listener(broker: Broker, topic: str) -> dict[str, bytes]:
    """Collect the messages on a topic, the newest last, with an MQTT client of its own."""
    found: dict[str, bytes] = {}
    client = Client(CallbackAPIVersion.VERSION2)
    ready = threading.Event()
    client.on_message = lambda client, userdata, message: found.update({message.topic: message.payload})
    client.on_subscribe = lambda *words: ready.set()
    client.connect("127.0.0.1", broker.port)
    client.loop_start()
    client.subscribe(topic, 1)
    assert ready.wait(PATIENCE)
    return found


def publish(broker: Broker, topic: str, *payloads: bytes, retain: bool = False, qos: int = 1) -> None:
    client = Client(CallbackAPIVersion.VERSION2)
    client.connect("127.0.0.1", broker.port)
    client.loop_start()
    for payload in payloads:
        client.publish(topic, payload, qos, retain).wait_for_publish(PATIENCE)
    client.disconnect()
    client.loop_stop()


def test_finished_rounds_reach_the_hall_as_they_are_exported(night):
    """Rounds from before and during the connection equal the table's own export."""
    night.keep("one", 1, 2, 3)
    night.keep("two", 1, 2)
    night.open_hall()
    night.connect("one")
    night.connect("two")
    until(lambda: night.in_the_hall("one") and night.in_the_hall("two"))
    night.keep("one", 4, 5)
    until(lambda: night.in_the_hall("one"))
    assert len(night.records()) == 7
    assert [(each.name, each.rounds, each.uncounted_rounds) for each in night.intake.table_rows()] == [("one", 5, 0), ("two", 2, 0)]
    until(lambda: night.status("one").get("connected") and night.status("one")["waiting"] == 0)


def test_a_take_back_and_a_new_name_go_out_too(night):
    """A round that is taken back leaves the server, and a renamed player is renamed there."""
    night.keep("one", 1, 2)
    night.open_hall()
    night.connect("one")
    until(lambda: night.in_the_hall("one"))
    night.keep_lines("one", LogEntry(2, "back"))
    until(lambda: len(night.records()) == 1)
    store = Store(night.data_folder("one"))
    store.rename_player("Ann", "Anna")
    store.close()
    until(lambda: night.in_the_hall("one"))
    assert "Anna" in {line.name for line in night.intake.standings()}


def test_an_unfinished_round_never_leaves_the_table(night):
    """Neither the state nor the log has a running round's pieces."""
    said = listener(night.broker, "club/#")
    hidden = next(each for each in night.played if ("deal", 1) in each.deals)
    cut = hidden._replace(states=hidden.states[:2], events=hidden.events[:1])
    store = Store(night.data_folder("one"))
    keep_round(store, 1, next(each for each in night.played if not each.deals), NAMES)
    keep_round(store, 2, cut, NAMES)
    store.close()
    night.open_hall()
    night.connect("one")
    until(lambda: len(night.records()) == 1 and night.status("one").get("waiting") == 0)
    publish(night.broker, "club/end", b"What the broker had taken before this has come.")
    until(lambda: "club/end" in said)
    pieces = hidden.rules.format_deal(hidden.deals["deal", 1]).encode()
    assert table_topics(CLUB, "one").log in said
    assert not [topic for topic, payload in said.copy().items() if pieces in payload]


def test_what_the_uplink_sends_of_a_table_is_what_its_socket_tells_everybody(night, tmp_path):
    """The snapshot is retained, and a table that leaves is reported; nothing else of the socket is sent."""
    said = listener(night.broker, "club/#")
    night.keep("one", 1)
    level = text("level {level}", level=3)
    words = {
        "public": {"game": "27", "board": join_texts(("<svg>", level, "</svg>"), "", "xml")},
        "seats": {"Ann": {"pieces": "secret"}},
        "phones": {"h": "Ann"},
    }
    guests = StateServer("hall link", night.data_folder("one") / "public.sock", lambda session: words)
    guests.open()
    guests.publish(None)
    topic = table_topics(CLUB, "one").state
    night.open_hall()
    night.connect("one")
    try:
        guests.publish("a session")
        state = until(lambda: json.loads(said.get(topic, b"{}")).get("public") and json.loads(said[topic]))
        assert state["public"] == words["public"] == {"game": "27", "board": "<svg>level 3</svg>"}
        assert state["words"] == {"level 3": pack_texts(level)}
        assert b"secret" not in b"".join(said.copy().values())
        until(lambda: "one" in night.hall.last_states and night.hall.last_states["one"].words == state["words"])
        night.disconnect("one")
        until(lambda: not json.loads(said[topic])["here"])
        until(lambda: not night.hall.last_states["one"].here)
    finally:
        guests.close()


def test_a_table_goes_on_while_broker_or_hall_are_away(night):
    """A killed broker forgets everything; when all are back, each round is at the server once, in order."""
    night.keep("one", 1)
    night.open_hall()
    night.connect("one")
    until(lambda: night.in_the_hall("one") and night.status("one").get("waiting") == 0)
    night.broker.kill()
    until(lambda: not night.status("one")["connected"])
    night.keep("one", 2, 3)
    until(lambda: night.status("one")["waiting"] == 2)
    night.broker.start()
    until(lambda: night.in_the_hall("one"))
    night.close_hall()
    night.keep("one", 4)
    night.open_hall()
    until(lambda: night.in_the_hall("one"))
    assert len(night.records()) == 4


def test_a_table_restored_from_an_older_copy(night):
    """Rounds from before and after the restore count, and the server notes what has happened."""
    night.keep("one", *range(1, 6))
    shutil.copytree(night.data_folder("one"), night.folder / "backup")
    night.keep("one", *range(6, 20))
    night.open_hall()
    night.connect("one")
    until(lambda: night.in_the_hall("one"))
    before = night.records()
    night.disconnect("one")
    shutil.rmtree(night.data_folder("one"))
    shutil.copytree(night.folder / "backup", night.data_folder("one"))
    night.keep("one", 6, 7, names=("Cleo", "Dan"))
    night.connect("one")
    until(lambda: len(night.records()) == len(before) + 2)
    assert night.records() == before + exported(night.data_folder("one"))[-2:]
    assert night.standings() == standings_of(before + exported(night.data_folder("one"))[-2:])
    assert len([each for each in night.intake.newest_notes() if "an older copy" in each[2]]) == 1


def test_messages_that_come_twice_and_out_of_order(night, tmp_path):
    """Whatever comes when and how often, each round is at the server once, in its order."""
    night.keep("one", *range(1, 9))
    said: list[bytes] = []
    client = Client(CallbackAPIVersion.VERSION2)
    ready = threading.Event()
    client.on_message = lambda client, userdata, message: said.append(message.payload)
    client.on_subscribe = lambda *words: ready.set()
    client.connect("127.0.0.1", night.broker.port)
    client.loop_start()
    client.subscribe(table_topics(CLUB, "one").log, 1)
    assert ready.wait(PATIENCE)
    night.open_hall()
    night.connect("one")
    until(lambda: night.in_the_hall("one") and len(said) >= 8)
    client.disconnect()
    client.loop_stop()
    night.disconnect("one")
    night.close_hall()
    shutil.rmtree(tmp_path / "hall")  # Another club server, which knows nothing of this table.
    night.open_hall()
    until(lambda: night.hall.is_connected)
    mixed = [*said, *said]
    random.Random(18).shuffle(mixed)
    assert mixed[0] != said[0]
    publish(night.broker, table_topics(CLUB, "one").log, *mixed)
    night.connect("one")
    until(lambda: night.in_the_hall("one") and night.status("one").get("connected"))
    publish(night.broker, table_topics(CLUB, "one").log, *mixed)
    night.keep("one", 9)
    until(lambda: len(night.records()) == 9)
    assert night.in_the_hall("one")
    assert night.standings() == standings_of(exported(night.data_folder("one")))
    assert night.intake.newest_notes() == []


def test_a_table_whose_clock_is_wrong(night):
    """Dates that run backwards, from 2040 to 1970, change nothing: the order is that of play."""
    night.open_hall()
    night.connect("one")
    for number, year in enumerate((2026, 2040, 1970, 1999), 1):
        night.keep("one", number, now=lambda year=year: datetime(year, 1, 1, tzinfo=UTC))
    until(lambda: night.in_the_hall("one") and len(night.records()) == 4)
    assert night.intake.newest_notes() == []
    assert night.standings() == standings_of(exported(night.data_folder("one")))
    night.keep_lines("one", LogEntry(4, "back"))
    until(lambda: len(night.records()) == 3 and night.in_the_hall("one"))
    assert night.standings() == standings_of(exported(night.data_folder("one")))


def test_two_boxes_with_one_name(night):
    """Both are told that each needs a name of its own, and the rounds of both are received once."""
    night.keep("one", 1, 2)
    night.keep("other", 1, 3)
    night.open_hall()
    night.connect("one")
    until(lambda: len(night.records()) == 2)
    link = night.broker.link("one")
    second = Running(
        Uplink(link, night.data_folder("other"), night.data_folder("other") / "public.sock", status_file=None, write_log=night.said.append)
    )
    try:
        until(lambda: len(night.records()) == 4)
        until(lambda: any("each box needs a name of its own" in each for each in [*night.said]))
        assert night.records() == exported(night.data_folder("one")) + exported(night.data_folder("other"))
        night.keep("one", 4)
        night.keep("other", 5)
        until(lambda: len(night.records()) == 6)
        until(lambda: any("different rounds" in each[2] for each in night.intake.newest_notes()))
        assert night.standings() == standings_of(exported(night.data_folder("one")) + exported(night.data_folder("other")))
    finally:
        second.stop()


def test_a_hostile_publisher_is_told_and_the_hall_goes_on(night, random_bytes):
    """Random bytes, ten megabytes, a wrong schema and replays change nothing at the server."""
    said = listener(night.broker, "club/+/table/one/log")
    night.keep("one", 1, 2)
    night.open_hall()
    night.connect("one")
    until(lambda: night.in_the_hall("one"))
    log = table_topics(CLUB, "one").log
    replay = until(lambda: said.get(log))
    evil = table_topics(CLUB, "evil")
    for topic in (evil.log, evil.state, evil.have, f"club/{CLUB}/table/evil/log/more", "club//table/x/log"):
        publish(night.broker, topic, random_bytes, b"\0" * 10_000_000, b"[" * 200_000, b'{"schema":9}', replay)
    publish(night.broker, log, replay, replay)
    publish(night.broker, evil.state, b"null", retain=True)
    night.keep("one", 3)
    until(lambda: night.in_the_hall("one"))
    assert len(night.records()) == 3
    until(lambda: any("evil" in each and "refused" in each for each in [*night.said]))
    until(
        lambda: any(
            name == "evil" and sentence.startswith("a message was refused:")
            for _, name, sentence in night.intake.newest_notes()
        )
    )


@pytest.fixture
def random_bytes():
    return random.Random(18).randbytes(5_000)


def test_a_broker_that_is_not_there_is_told_once(night):
    """The uplink counts what waits, reports the broker once, and ends when asked to."""
    night.keep("one", 1, 2)
    night.broker.kill()
    night.broker.port = free_port()
    night.connect("one")
    until(lambda: night.status("one").get("waiting") == 2)
    until(lambda: any("cannot be reached" in each for each in [*night.said]))
    night.disconnect("one")
    assert len([each for each in night.said if "cannot be reached" in each]) == 1


def test_two_boxes_with_copies_of_one_card(night):
    """They disconnect each other in turn; what both play counts once, and neither loses anything."""
    night.keep("one", 1, 2)
    shutil.copytree(night.data_folder("one"), night.data_folder("copy"))
    night.keep("one", 3)
    night.keep("copy", 3, names=("Cleo", "Dan"))
    night.open_hall()
    night.connect("one")
    link = night.broker.link("one")
    second = Running(
        Uplink(link, night.data_folder("copy"), night.data_folder("copy") / "public.sock", status_file=None, write_log=night.said.append)
    )
    try:
        until(lambda: len(night.records()) == 4)
        wanted = {*exported(night.data_folder("one")), *exported(night.data_folder("copy"))}
        assert sorted(night.records()) == sorted(wanted)
        assert len(wanted) == 4
        assert night.standings() == standings_of([*wanted])
    finally:
        second.stop()
