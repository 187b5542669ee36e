"""Hints on a phone, over the table's socket: part by part, and only for the player to move."""

from __future__ import annotations

import json
import socket

import pytest

from companion.evening.screens.play import round_actions
from companion.evening.session_values import PhoneAccess
from companion.table.phone_worker import PhoneWorker
from companion.table.search_workers import HintWorker
from companion.table.state_server import PROTOCOL_VERSION

PATIENCE_SECONDS = 60
ANN, BEN = "a" * 64, "b" * 64


class FakePages:
    """The pages' end of a table's socket."""

    def __init__(self, path) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(PATIENCE_SECONDS)
        self.socket.connect(str(path))
        self.lines = self.socket.makefile("rb")
        self.socket.sendall(json.dumps({"companion": PROTOCOL_VERSION}).encode() + b"\n")

    def ask_for_hint(self, phone: str, text: str = "") -> dict:
        """Ask for a hint and wait for the answer."""
        request = {"ask": 7, "phone": phone, "what": "hint", "text": text}
        self.socket.sendall(json.dumps(request).encode() + b"\n")
        while "answer" not in (message := json.loads(self.lines.readline())):
            pass
        return message


@pytest.fixture
def table(new_table, tmp_path):
    """A round of 27 with hints on, both players' phones paired, and the socket open."""
    fake_table = new_table("27")
    fake_table.wait(3)
    fake_table.session = fake_table.session._replace(
        switches=fake_table.session.switches._replace(hints=True),
        phones=PhoneAccess(is_on=True, player_phones=((ANN, "Ann"), (BEN, "Ben"))),
    )
    fake_table.hints = HintWorker(lambda event: None)
    worker = PhoneWorker(tmp_path, lambda event: None, fake_table.hints.request_hint)
    worker.server.open()
    worker.server.publish(fake_table.session)
    fake_table.served, fake_table.phones = worker, FakePages(tmp_path / "table.sock")
    yield fake_table
    worker.server.close()


def finished_hint(table, text: str = "") -> dict:
    """The answer to Ann's phone once the search is finished."""
    while (answer := table.phones.ask_for_hint(ANN, text)).get("wait"):
        assert answer["words"][1].startswith("I am thinking: ")
    return answer


def test_a_phone_asks_part_by_part(table, quick_coaches):
    """A part beyond the last one is the last one."""
    first = finished_hint(table)
    assert (first["words"][0], first["part"], first["parts"]) == ("Look here", 0, 4)
    assert finished_hint(table, "2")["words"][0] == "The best moves"
    for text, part in ("9", 3), ("-1", 0), ("x", 0), ("٣", 0), ("9" * 300, 3):
        assert finished_hint(table, text)["part"] == part


def test_only_whoever_is_to_move_gets_one(table, quick_coaches):
    """The other player has to wait, an unpaired phone gets nothing, and with hints off the answer says so."""
    assert table.phones.ask_for_hint(BEN)["words"] == ["Hint", "You can have a hint when it is your turn."]
    assert table.phones.ask_for_hint("c" * 64)["words"] == []
    finished_hint(table)
    table.session = round_actions.play_event(table.session, "1x1")
    table.hints.stop_if_outdated(table.session)
    table.served.server.publish(table.session)
    assert table.phones.ask_for_hint(ANN)["words"] == ["Hint", "You can have a hint when it is your turn."]
    table.served.server.publish(table.session._replace(switches=table.session.switches._replace(hints=False)))
    assert "off" in table.phones.ask_for_hint(BEN)["words"][1]
