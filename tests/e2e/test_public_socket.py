"""The socket that shows other programs on the box what everybody may see, and nothing else."""

from __future__ import annotations

import json
import socket
import subprocess
from contextlib import closing

import pytest
from club_night import RunningThread, process_environment, wait_until

from companion import games
from companion.club.club_server import ClubServer
from companion.club.club_store import ClubStore
from companion.club.mqtt_messages import OfferMessage

PATIENCE_SECONDS = 60.0
HOSTILE_LINES = b'{"companion": 2, "pages": ["http://evil"]}\n{"ask": 1, "phone": "x", "what": "pair", "text": "A"}\n'


def test_the_public_socket_shows_what_is_public_and_takes_no_request(box):
    """The public state is there from the start, without phones or a club; requests of a client are ignored."""
    table = box()
    table.start()
    with socket.socket(socket.AF_UNIX) as guest:
        guest.settimeout(PATIENCE_SECONDS)
        wait_until(lambda: guest.connect_ex(str(table.data / "public.sock")) == 0)
        guest.sendall(HOSTILE_LINES)
        lines = guest.makefile()
        first = json.loads(lines.readline())
        table.type_keys("2")
        second = first
        while second["public"]["panel"] == first["public"]["panel"]:
            second = json.loads(lines.readline())
    for said in (first, second):
        assert said.keys() == {"state", "public"}
    assert not (table.data / "table.sock").exists()
    table.settled_picture()
    assert table.stop() == 0
    assert not (table.data / "public.sock").exists()


@pytest.mark.drill
def test_a_box_with_only_an_uplink_asks_for_its_pairing_and_learns_when_it_ends(
    box, broker, companion_command, tmp_path
):
    """`companion uplink --link FILE` beside a box whose configuration names no club."""
    (tmp_path / "table-1.link").write_text(str(broker.link("table-1")))
    table = box(folder=tmp_path / "box")
    offers = {
        "table-1": OfferMessage("7n1", "Club evening", 2, "27", games.manifest_of("27").option_defaults, ("Ann", "Ben"))
    }
    with closing(ClubStore(tmp_path / "hall")) as intake:
        hall = ClubServer(broker.link("hall"), intake)
        hall.set_on_change(lambda: hall.set_offers(offers))

        def shown() -> dict:
            state = hall.last_states.get("table-1")
            return state.public or {} if state is not None else {}

        running = RunningThread(hall)
        table.start()
        uplink = subprocess.Popen(
            [companion_command, "uplink", "--data", table.data, "--link", tmp_path / "table-1.link"],
            env=process_environment(),
        )
        try:
            wait_until(lambda: shown().get("moment") == "offered")
            table.type_keys("~#")
            wait_until(lambda: shown().get("moment") == "playing")
            assert [each["name"] for each in shown()["players"]] == ["Ann", "Ben"]
            offers.clear()  # The organiser has set the result.
            hall.set_offers(offers)
            wait_until(lambda: shown().get("moment") == "notice")
            assert shown()["notice"] == ["Organiser", "has closed or changed this pairing.", "Ask before you go on"]
            table.type_keys("~#")
            wait_until(lambda: shown().get("moment") == "playing")
        finally:
            uplink.kill()
            uplink.wait(PATIENCE_SECONDS)
            running.stop()
    assert table.stop() == 0
