"""An offer's way from the club server over the broker to the table's socket, whatever was disconnected meanwhile."""

from __future__ import annotations

import pytest
from club_night import Broker, RunningThread, wait_until

from companion.club import broker_client, uplink
from companion.club import club_server as hall_module
from companion.club.club_server import ClubServer
from companion.club.club_store import ClubStore
from companion.club.mqtt_messages import OfferMessage, UnreadableError, encode_message, parse_offer
from companion.club.uplink import Uplink
from companion.store.store import Store
from companion.table.state_server import StateServer

OFFER = OfferMessage("7n1", "Club evening", 2, "27", {"variant": "expert"}, ("Ann", "Ben"))


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch):
    monkeypatch.setattr(uplink, "STORE_CHECK_SECONDS", 0.05)
    monkeypatch.setattr(broker_client, "RETRY_PAUSE_SECONDS", (0.1, 1.0))
    monkeypatch.setattr(hall_module, "POLL_SECONDS", 0.05)


def record_offers(folder) -> tuple[StateServer, list]:
    """Open the table's socket, and collect the offers that it receives."""
    offers: list = []

    def heard(words) -> None:
        if "offer" in words:
            offers.append(words["offer"])

    clients = StateServer("hall link", folder / "public.sock", lambda session: {}, heard)
    clients.open()
    return clients, offers


def test_an_offer_reaches_its_table_and_is_withdrawn(tmp_path, monkeypatch):
    """Sent to one table, withdrawn, and sent again after the table or the broker came back."""
    monkeypatch.setattr("companion.club.uplink.TABLE_RETRY_SECONDS", 0.05)
    broker = Broker(tmp_path / "broker")
    broker.start()
    folder = tmp_path / "table-1"
    folder.mkdir()
    Store(folder).close()
    guests, told = record_offers(folder)
    intake = ClubStore(tmp_path / "hall")
    offers = {"table-1": OFFER, "table-2": OFFER._replace(id="8n1")}
    hall = ClubServer(broker.link("hall"), intake)
    hall.set_on_change(lambda: hall.set_offers(offers))
    running = [RunningThread(hall), RunningThread(Uplink(broker.link("table-1"), folder, folder / "public.sock"))]
    try:
        wanted = OFFER._asdict() | {"players": ["Ann", "Ben"], "schema": None, "table": "table-1"}
        del wanted["schema"]
        wait_until(lambda: told and told[-1] == wanted)
        guests.close()
        guests, told = record_offers(folder)
        wait_until(lambda: told and told[-1] == wanted)
        broker.kill()
        broker.start()
        offers.clear()
        wait_until(lambda: told[-1] is None)
        assert all(each is None or each["id"] == "7n1" for each in told)
    finally:
        for each in running:
            each.stop()
        guests.close()
        intake.close()
        broker.kill()


def test_an_offer_is_parsed_as_it_was_encoded():
    assert parse_offer(encode_message(OFFER)) == OFFER


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"{", "not JSON"),
        (b'{"schema": 2}', "schema"),
        (encode_message(OFFER).replace(b'"Ben"]', b'"Ben","Cleo"]'), "two names"),
        (encode_message(OFFER).replace(b'{"variant":"expert"}', b"[]"), "options"),
        (encode_message(OFFER).replace(b'"7n1"', b'"../x"'), "id"),
        (encode_message(OFFER).replace(b'"round":2', b'"round":-2'), "round"),
    ],
)
def test_an_invalid_offer_is_refused(said, why):
    with pytest.raises(UnreadableError, match=why):
        parse_offer(said)
