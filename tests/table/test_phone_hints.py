"""Hints on a phone, over the table's socket: part by part, and only for the player to move."""

from __future__ import annotations

import json
import socket

import pytest

from companion.evening.fields import PhoneAccess
from companion.evening.screens.play import round_life
from companion.table.phone_worker import PhoneWorker
from companion.table.search_workers import HintWorker
from companion.table.state_server import PROTOCOL_VERSION

SECONDS = 60
ANN, BEN = "a" * 64, "b" * 64


class Phones:
    """The pages' end of a table's socket."""

    def __init__(self, path) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(SECONDS)
        self.socket.connect(str(path))
        self.lines = self.socket.makefile("rb")
        self.socket.sendall(json.dumps({"companion": PROTOCOL_VERSION}).encode() + b"\n")

    def ask(self, phone: str, text: str = "") -> dict:
        """Ask for a hint and wait for the answer."""
        words = {"ask": 7, "phone": phone, "what": "hint", "text": text}
        self.socket.sendall(json.dumps(words).encode() + b"\n")
        while "answer" not in (heard := json.loads(self.lines.readline())):
            pass
        return heard


@pytest.fixture
def table(desk, tmp_path):
    """A round of 27 with hints on, both players' phones paired, and the socket open."""
    made = desk("27")
    made.wait(3)
    made.session = made.session._replace(
        switches=made.session.switches._replace(hints=True),
        phones=PhoneAccess(is_on=True, player_phones=((ANN, "Ann"), (BEN, "Ben"))),
    )
    made.hints = HintWorker(lambda event: None)
    served = PhoneWorker(tmp_path, lambda event: None, made.hints.request_hint)
    served.server.open()
    served.server.publish(made.session)
    made.served, made.phones = served, Phones(tmp_path / "table.sock")
    yield made
    served.server.close()


def found(table, text: str = "") -> dict:
    """The answer to Ann's phone once the search is finished."""
    while (answer := table.phones.ask(ANN, text)).get("wait"):
        assert answer["words"][1].startswith("I am thinking: ")
    return answer


def test_a_phone_asks_part_by_part(table, quick_coaches):
    """A part beyond the last one is the last one."""
    first = found(table)
    assert (first["words"][0], first["part"], first["parts"]) == ("Look here", 0, 4)
    assert found(table, "2")["words"][0] == "The best moves"
    for text, part in ("9", 3), ("-1", 0), ("x", 0), ("٣", 0), ("9" * 300, 3):
        assert found(table, text)["part"] == part


def test_only_whoever_is_to_move_gets_one(table, quick_coaches):
    """The other player has to wait, an unpaired phone gets nothing, and with hints off the answer says so."""
    assert table.phones.ask(BEN)["words"] == ["Hint", "You can have a hint when it is your turn."]
    assert table.phones.ask("c" * 64)["words"] == []
    found(table)
    table.session = round_life.play_event(table.session, "1x1")
    table.hints.stop_if_outdated(table.session)
    table.served.server.publish(table.session)
    assert table.phones.ask(ANN)["words"] == ["Hint", "You can have a hint when it is your turn."]
    table.served.server.publish(table.session._replace(switches=table.session.switches._replace(hints=False)))
    assert "off" in table.phones.ask(BEN)["words"][1]
