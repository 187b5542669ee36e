"""A real Mosquitto with a club's own files: what a table can reach with its credentials, and what it cannot."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import threading
import time
from contextlib import closing

import pytest
from club_night import PATIENCE_SECONDS, Broker, RunningThread, exported_records, save_played_round, wait_until
from paho.mqtt.client import Client
from ports import free_port

from companion import UnusableError
from companion.club import broker_access, broker_client, club_server, uplink
from companion.club.club_server import ClubServer
from companion.club.club_store import ClubStore
from companion.club.mqtt_messages import Link, table_topics
from companion.club.uplink import Uplink
from companion.commands import hall as command
from companion.store import database
from companion.store.store import Store

CLUB = "chess-house"
ACCESS_LIST_WITHOUT_OFFERS = f"""\
user hall
topic read club/{CLUB}/table/+/state
topic read club/{CLUB}/table/+/log
topic write club/{CLUB}/table/+/have

pattern write club/{CLUB}/table/%u/state
pattern write club/{CLUB}/table/%u/log
pattern read club/{CLUB}/table/%u/have
"""
"""The access list of a version that had no tournaments."""


class ClubBroker(Broker):
    """A Mosquitto that runs with a club's own files."""

    def __init__(self, folder) -> None:
        self.folder, self.port, self.process = folder, free_port(), None
        broker_access.set_up_club(folder, broker_access.Club(CLUB, "127.0.0.1", self.port))
        self.file = folder / broker_access.SETTINGS_FILE
        if os.geteuid() == 0:  # As root Mosquitto would give up its rights, and then could read none of root's files.
            self.file.write_text(f"{self.file.read_text()}user root\n")

    def add_table(self, name: str, **more) -> Link:
        link = broker_access.add_table(self.folder, name, **more)
        if self.process is not None:
            self.process.send_signal(signal.SIGHUP)
        return link


@pytest.fixture
def club(tmp_path):
    broker = ClubBroker(tmp_path / "club")
    broker.links = {name: broker.add_table(name) for name in ("table-1", "table-2")}
    broker.links["hall"] = Link.parse((broker.folder / broker_access.LINK_FILE).read_text())
    broker.start()
    yield broker
    broker.kill()


class RecordingClient:
    """An MQTT client with somebody's credentials; it collects its messages, and why it was refused."""

    def __init__(self, link: Link, identifier: str = "") -> None:
        self.got: list[tuple[str, bytes]] = []
        self.refused = ""
        self.settled = threading.Event()
        self.client: Client = broker_client.make_paho_client(
            link, identifier or f"guest-{link.name}-{time.monotonic_ns()}"
        )
        self.client.on_connect = self._on_connect
        self.client.on_message = lambda client, userdata, message: self.got.append((message.topic, message.payload))
        self.client.on_subscribe = lambda *words: self.settled.set()

    def _on_connect(self, client, userdata, flags, reason, properties) -> None:
        if reason.is_failure:
            self.refused = str(reason)
            self.settled.set()
        else:
            client.subscribe("#", 1)


def connect_client(club, link: Link, identifier: str = "") -> RecordingClient:
    client = RecordingClient(link, identifier)
    client.client.connect("127.0.0.1", club.port)
    client.client.loop_start()
    assert client.settled.wait(PATIENCE_SECONDS)
    return client


def disconnect_clients(*guests: RecordingClient) -> None:
    for each in guests:
        each.client.disconnect()
        each.client.loop_stop()


def publish_and_wait(client: RecordingClient, topic: str, payload: bytes) -> None:
    """Publish a retained message, and wait until the broker has answered."""
    client.client.publish(topic, payload, 1, retain=True).wait_for_publish(PATIENCE_SECONDS)


def test_a_table_reaches_only_its_own_topics(club):
    """Each of its four topics works in one direction only."""
    one, two, organiser = (connect_client(club, club.links[name]) for name in ("table-1", "table-2", "hall"))
    ours, theirs = table_topics(CLUB, "table-1"), table_topics(CLUB, "table-2")
    for topic in (
        ours.state,
        ours.log,
        ours.have,
        ours.offer,
        theirs.state,
        theirs.log,
        theirs.have,
        theirs.offer,
        "$SYS/x",
        "club/x/table/y/log",
    ):
        publish_and_wait(one, topic, b"by one")
    publish_and_wait(two, theirs.state, b"by two")
    publish_and_wait(organiser, ours.have, b"by the hall")
    publish_and_wait(organiser, theirs.have, b"by the hall")
    publish_and_wait(organiser, ours.offer, b"to one")
    publish_and_wait(organiser, theirs.offer, b"to two")
    publish_and_wait(organiser, theirs.state, b"by the hall")
    wait_until(lambda: len(organiser.got) >= 3 and len(one.got) >= 2 <= len(two.got))
    publish_and_wait(one, ours.state, b"the end")
    wait_until(lambda: (ours.state, b"the end") in organiser.got)
    try:
        assert sorted(organiser.got) == sorted(
            [(ours.state, b"by one"), (ours.log, b"by one"), (theirs.state, b"by two"), (ours.state, b"the end")]
        )
        assert sorted(one.got) == [(ours.have, b"by the hall"), (ours.offer, b"to one")]
        assert sorted(two.got) == [(theirs.have, b"by the hall"), (theirs.offer, b"to two")]
    finally:
        disconnect_clients(one, two, organiser)


def test_the_access_list_of_an_older_version_is_updated(club, capsys):
    """After `companion hall access` the tables get offers, without a new link."""
    file = club.folder / broker_access.ACCESS_FILE
    wanted = file.read_text()
    offer = table_topics(CLUB, "table-1").offer

    def told() -> bool:
        """Whether an offer of the server reaches a table that connects now."""
        organiser, table = connect_client(club, club.links["hall"]), connect_client(club, club.links["table-1"])
        publish_and_wait(organiser, offer, b"to one")
        publish_and_wait(organiser, table_topics(CLUB, "table-1").have, b"the end")
        wait_until(lambda: any(payload == b"the end" for _, payload in table.got))
        disconnect_clients(organiser, table)
        return (offer, b"to one") in table.got

    assert told()  # Mosquitto handles signals only some time after it listens.
    file.write_text(ACCESS_LIST_WITHOUT_OFFERS)
    club.process.send_signal(signal.SIGHUP)
    wait_until(lambda: not told())
    assert command.main(["--club", str(club.folder), "access"]) == 0
    assert "SIGHUP" not in (output := capsys.readouterr().out)
    assert "pkill -HUP" in output
    assert file.read_text() == wanted
    club.process.send_signal(signal.SIGHUP)
    wait_until(told)
    assert command.main(["--club", str(club.folder), "access"]) == 0
    assert "pkill" not in capsys.readouterr().out


def test_only_the_right_password_is_accepted(club):
    """A wrong password, an unknown name, and a link that was replaced are refused."""
    right = club.links["table-1"]
    for link in (right._replace(password="wrong"), right._replace(name="table-9")):
        turned_away = connect_client(club, link)
        assert "uthorized" in turned_away.refused
        disconnect_clients(turned_away)
    new_link = club.add_table("table-1", renews_link=True)

    def refused() -> bool:
        old = connect_client(club, right)
        disconnect_clients(old)
        return bool(old.refused)

    wait_until(refused, pause=0.2)
    new = connect_client(club, new_link)
    assert not new.refused
    disconnect_clients(new)


def test_a_broker_with_another_certificate_gets_no_password(club):
    """Nothing is sent to a broker whose certificate is not the one of the link."""
    with pytest.raises(broker_client.WrongCertificateError):
        connect_client(club, club.links["table-1"]._replace(fingerprint="ab" * 20))


def test_the_certificates_dates_do_not_matter(club, tmp_path, finished_rounds, monkeypatch):
    """To a Pi without a clock every certificate seems not valid yet; the fingerprint is what counts."""
    monkeypatch.setattr(uplink, "STORE_CHECK_SECONDS", 0.05)
    monkeypatch.setattr(club_server, "POLL_SECONDS", 0.05)
    club.kill()
    make_certificate_from_2040(club.folder)
    link = club.add_table("table-3")
    club.start()
    ours = Link.parse((club.folder / broker_access.LINK_FILE).read_text())._replace(
        fingerprint=broker_access.certificate_fingerprint(club.folder)
    )
    store = Store(tmp_path / "table")
    save_played_round(store, 1, finished_rounds[0], ("Ann", "Ben"))
    store.close()
    intake = ClubStore(tmp_path / "hall")
    reader = ClubStore(tmp_path / "hall", as_server=False)
    running = [
        RunningThread(ClubServer(ours, intake)),
        RunningThread(Uplink(link, tmp_path / "table", tmp_path / "none")),
    ]
    try:
        wait_until(
            lambda: [each.record for each in reader.counted_rounds("table-3")] == exported_records(tmp_path / "table")
        )
    finally:
        for each in running:
            each.stop()
        intake.close()
        reader.close()


def test_no_table_can_disconnect_the_server_or_another_table(club, tmp_path, finished_rounds, monkeypatch):
    """With its own password, and all that it can know of others, a table can end only its own connection."""
    monkeypatch.setattr(uplink, "STORE_CHECK_SECONDS", 0.05)
    monkeypatch.setattr(club_server, "POLL_SECONDS", 0.05)
    store = Store(tmp_path / "table")
    identity = store.identity
    save_played_round(store, 1, finished_rounds[0], ("Ann", "Ben"))
    intake = ClubStore(tmp_path / "hall")
    reader = ClubStore(tmp_path / "hall", as_server=False)
    log: list[str] = []
    running = [
        RunningThread(ClubServer(club.links["hall"], intake, write_log=log.append)),
        RunningThread(Uplink(club.links["table-2"], tmp_path / "table", tmp_path / "none", write_log=log.append)),
    ]
    try:
        wait_until(lambda: len(reader.counted_rounds()) == 1)
        known = [
            "hall",
            "table-2",
            f"table-2-{identity[:8]}",
            broker_client.client_identifier(club.links["table-1"], identity),
        ]
        for identifier in known:
            disconnect_clients(connect_client(club, club.links["table-1"], identifier))
        save_played_round(store, 2, finished_rounds[1], ("Ann", "Ben"))
        try:
            wait_until(lambda: len(reader.counted_rounds()) == 2)
        finally:
            print(*log, sep="\n")
        assert sum(sentence.startswith("connected to") for sentence in log) == 2
        assert not [sentence for sentence in log if "was lost" in sentence]
    finally:
        for each in running:
            each.stop()
        store.close()
        intake.close()
        reader.close()


def test_a_full_broker_is_reported(club, tmp_path, monkeypatch):
    """The broker ends a connection beyond its limit without a reason; the uplink reports one."""
    monkeypatch.setattr(broker_client, "RETRY_PAUSE_SECONDS", (0.1, 1.0))
    club.kill()
    settings = club.file.read_text()
    club.file.write_text(settings.replace("max_connections 500", "max_connections 1"))
    assert club.file.read_text() != settings
    club.start()
    log: list[str] = []
    uplinks = []
    try:
        for name, told in (
            ("table-1", "connected to the club server"),
            ("table-2", "the club server at 127.0.0.1 accepts no more"),
        ):
            Store(tmp_path / name).close()
            uplinks.append(
                RunningThread(Uplink(club.links[name], tmp_path / name, tmp_path / "none", write_log=log.append))
            )
            # The connection of `club.start` may still take the only place for a moment.
            wait_until(lambda told=told: any(sentence.startswith(told) for sentence in log))
            log.clear()
    finally:
        for each in uplinks:
            each.stop()


def test_a_full_broker_without_encryption_is_reported(tmp_path):
    """Without encryption the connection is accepted for a moment, but it is not reported as lost."""
    log: list[str] = []
    Store(tmp_path / "table").close()
    with socket.create_server(("127.0.0.1", 0)) as server:
        link = Link("table-1", "x", "127.0.0.1", server.getsockname()[1], "club")
        uplink = Uplink(link, tmp_path / "table", tmp_path / "none", write_log=log.append)
        uplink.run_step()
        server.accept()[0].close()
        wait_until(lambda: uplink.run_step() or log)
        assert log[0].startswith("the club server at 127.0.0.1 accepts no more tables now")


def test_the_uplink_waits_for_the_stores_identity(tmp_path):
    """At a first start the store's file is there before its identity; until then nothing connects."""
    log: list[str] = []
    Store(tmp_path / "table").close()
    with closing(sqlite3.connect(tmp_path / "table" / database.DATABASE_NAME, isolation_level=None)) as db:
        identity = db.execute("SELECT identity FROM store").fetchone()[0]
        db.execute("UPDATE store SET identity = ''")
        uplink = Uplink(Link("table-1", "x", "127.0.0.1", free_port(), "club"), tmp_path / "table", tmp_path / "none",
                        write_log=log.append)  # fmt: skip
        uplink.run_step()
        assert log == []
        db.execute("UPDATE store SET identity = ?", (identity,))
    wait_until(lambda: uplink.run_step() or log)
    assert "cannot be reached" in log[0]


def make_certificate_from_2040(folder) -> None:
    """Replace the certificate by one that is valid from 2040 on."""
    (folder / "ca.cnf").write_text(
        f"[ca]\ndefault_ca = x\n[x]\ndatabase = {folder}/index\nserial = {folder}/serial\nnew_certs_dir = {folder}\n"
        "default_md = sha256\npolicy = any\n[any]\ncommonName = supplied\n"
    )
    (folder / "index").write_text("")
    (folder / "serial").write_text("01\n")
    key = folder / broker_access.KEY_FILE
    subprocess.run(
        ["openssl", "req", "-new", "-key", key, "-subj", "/CN=x", "-out", folder / "csr"], check=True, timeout=60
    )
    command = ["openssl", "ca", "-batch", "-selfsign", "-config", folder / "ca.cnf", "-keyfile", key, "-in"]
    command += [folder / "csr", "-out", folder / broker_access.CERTIFICATE_FILE, "-notext"]
    command += ["-startdate", "20400101000000Z", "-enddate", "20500101000000Z"]
    subprocess.run(command, check=True, timeout=60, capture_output=True)


def test_a_hash_is_that_of_mosquitto(tmp_path):
    """From the same salt the hash is the one that mosquitto_passwd makes."""
    import base64

    file = tmp_path / "passwords"
    try:
        subprocess.run(["mosquitto_passwd", "-b", "-c", file, "ann", "a password"], check=True, timeout=60)
    except FileNotFoundError:
        pytest.skip("Mosquitto is not installed")
    theirs = file.read_text().strip().partition(":")[2]
    assert broker_access.hash_password("a password", base64.b64decode(theirs.split("$")[3])) == theirs


def test_secrets_are_not_readable_by_others(club):
    """Only owner and group can read key, passwords and links, and no password is in the access list."""
    for name in (broker_access.KEY_FILE, broker_access.PASSWORDS_FILE, broker_access.LINK_FILE):
        assert (club.folder / name).stat().st_mode & 0o777 == 0o640
    text = (club.folder / broker_access.PASSWORDS_FILE).read_text()
    assert not [link for link in club.links.values() if link.password in text]


def test_the_command_sets_up_a_club_and_its_tables(tmp_path, capsys):
    """A club is set up once, and a table's link can be renewed; invalid names are refused in a sentence."""
    where = ["--club", str(tmp_path / "club")]
    with pytest.raises(UnusableError, match="no club in"):
        command.main([*where, "add-table", "table-1"])
    assert command.main([*where, "set-up", CLUB, "--host", "hall.local", "--port", "18883"]) == 0
    with pytest.raises(UnusableError, match=r"already a club in"):
        command.main([*where, "set-up", CLUB, "--host", "hall.local"])
    capsys.readouterr()
    assert command.main([*where, "add-table", "table-1"]) == 0
    link_line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("mqtts://"))
    link = Link.parse(link_line)
    assert (link.name, link.host, link.port, link.club) == ("table-1", "hall.local", 18883, CLUB)
    with pytest.raises(UnusableError, match="--again"):
        command.main([*where, "add-table", "table-1"])
    assert command.main([*where, "add-table", "table-1", "--again"]) == 0
    for name in ("hall", "a/b", "#", ""):
        with pytest.raises(UnusableError, match="name"):
            command.main([*where, "add-table", name])
    assert broker_access.table_names(tmp_path / "club") == ["table-1"]
