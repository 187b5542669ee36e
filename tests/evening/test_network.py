"""The network without a keyboard: what the box asks the helper for, how a password is entered, and who can see it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from driven_table import DrivenTable
from list_screens import list_lines, list_texts

from companion.commands import table_startup
from companion.config import Config, parse_config
from companion.evening.screens.lists import ListScreen, TextPage
from companion.evening.screens.network import (
    PASSWORD_CELLS,
    PASSWORD_TAPS,
    PROBLEM_TEXTS,
    PasswordScreen,
    parse_networks,
)
from companion.evening.screens.stick import HelperWait
from companion.evening.session_values import BoxSettings, Network
from companion.inputs import HelperAnswered, HelperRequest, PhoneRequest, SettingRequest
from companion.table import phone_view
from companion.voice.spoken import spoken_screen
from hardware.devices import make_devices

HELPER = Path(__file__).parents[2] / "systemd" / "network"
LISTED = (r" :64:WPA2:Home\: net 1", "*:90::Café", r" :31:WPA1 WPA2:back\\slash", r" :70:WPA2:Home\: net 1",
          " :80:WPA2 802.1X:Office", " :99:WPA2:", "nonsense")  # fmt: skip
"""As `nmcli -t -f IN-USE,SIGNAL,SECURITY,SSID device wifi list` prints networks."""
PRINTABLE = {chr(code) for code in range(32, 127)}
PASSWORD = "Zy x#1pass"


@pytest.fixture
def table():
    found = DrivenTable()
    found.session = found.session._replace(settings=found.session.settings._replace(has_network=True))
    found.press("#", "*", "9")
    open_entry(found, "Network")
    return found


@pytest.fixture
def listed(table):
    answer(table, "ok", *LISTED)
    return table


def open_entry(table, words: str) -> None:
    table.session = table.session.screen.pick_item(table.session, list_texts(table.session).index(words) + 1)
    table.carry_out()


def answer(table, *lines: str) -> None:
    """The helper answers the newest request, without its password."""
    request = table.requests[-1]
    table.take_input(HelperAnswered(request._replace(lines=request.lines[:2]), lines, table.now))


def test_the_list_of_nmcli_is_read():
    """The network in use comes first, then the strongest; none twice, none without a name, none of a company."""
    assert parse_networks(LISTED) == (
        Network("Café", is_open=True, is_in_use=True), Network("Home: net 1"), Network("back\\slash"),
    )  # fmt: skip


def test_networks_are_listed(table):
    assert table.requests[-1] == HelperRequest("network", ("list",))
    assert isinstance(table.session.screen, HelperWait)
    answer(table, "ok", *LISTED)
    assert list_texts(table.session) == ["Café", "Home: net 1", "back\\slash", "Open a hotspot", "Look again"]
    assert list_lines(table.session)[0].note == "in use"
    table.press("5")
    assert table.requests[-1].lines == ("list",)
    answer(table, "ok")
    assert list_texts(table.session) == ["Open a hotspot", "Look again"]


def test_an_open_network_is_joined_at_once(listed):
    listed.press("5")
    answer(listed, "ok", " :90::Café")
    listed.press("1")
    assert listed.requests[-1].lines == ("join", "Café", "")
    answer(listed, "ok", *LISTED)
    assert listed.session.screen.lines == ("Network", "The box is in Café.")
    listed.press("#")
    assert isinstance(listed.session.screen, ListScreen)
    count = len(listed.requests)
    listed.press("1")
    assert listed.session.screen.lines == ("Network", "The box is in Café.")
    assert len(listed.requests) == count


@pytest.mark.parametrize("buttons", [False, True], ids=["keypad", "buttons"])
def test_a_password_is_entered(listed, buttons):
    """By taps and by arrows: small and capital letters, signs and spaces as they are; too short a one is refused."""
    listed.press("2")
    if buttons:
        for letter in PASSWORD:
            screen = listed.session.screen
            row = next(index for index, each in enumerate(PASSWORD_CELLS) if letter in each)
            if screen.shows_signs is not bool(row):
                go_to(listed, len(screen.cells) - 3)
            go_to(listed, PASSWORD_CELLS[row].index(letter))
        go_to(listed, len(listed.session.screen.cells) - 1)
    else:
        for letter in PASSWORD:
            digit = next(digit for digit, letters in PASSWORD_TAPS.items() if letter in letters)
            listed.press(*digit * (PASSWORD_TAPS[digit].index(letter) + 1), apart=0.5)
            listed.wait(3)
            if letter == "1":
                listed.press("#")
                assert "8 letters at least" in listed.session.banner
        listed.press("#")
    assert listed.requests[-1].lines == ("join", "Home: net 1", PASSWORD)
    assert PASSWORD not in repr(listed.session)
    answer(listed, "not-joined")
    assert listed.session.screen.lines[1] == "The network didn't let the box in. Is the password right?"


def go_to(table, cell: int) -> None:
    """Move the cursor to a cell with the right arrow, and press OK."""
    while table.session.screen.cursor != cell:
        table.press("right")
    table.press("ok")


def test_every_letter_of_a_password_can_be_entered():
    """WPA's passwords are in printable ASCII."""
    assert {*"".join(PASSWORD_CELLS)} == {*"".join(PASSWORD_TAPS.values())} == PRINTABLE
    assert len("".join(PASSWORD_CELLS)) == len("".join(PASSWORD_TAPS.values())) == len(PRINTABLE)


def test_nobody_else_sees_the_password(listed):
    """Phones and the big screen see the list below it. A long one is shown by its end."""
    listed.press("2")
    listed.session = listed.session.replace_screen(listed.session.screen._replace(name_text="secret-4711-of-the-net"))
    assert isinstance(listed.session.screen, PasswordScreen)
    assert "4711" not in repr(phone_view.client_snapshot(listed.session))
    assert listed.session.screen.content(listed.session).text == "…711-of-the-net"
    assert "4711" not in repr(HelperAnswered(HelperRequest("network", ("join", "Home")), ("ok",)))


@pytest.mark.parametrize("word", [*PROBLEM_TEXTS, "no-helper", "anything else"])
def test_every_problem_is_one_sentence(table, word):
    answer(table, word)
    assert isinstance(table.session.screen, TextPage)
    assert len(table.session.screen.lines) == 2


def test_the_box_has_a_sentence_for_every_word_of_the_helper():
    script = re.sub("#.*", "", HELPER.read_text())
    assert {*re.findall(r"answer ([a-z-]+)", script)} - {"ok", "unknown"} <= {*PROBLEM_TEXTS}


def test_a_hotspot_shows_its_code(listed):
    listed.press("4")
    assert listed.requests[-1].lines == ("hotspot",)
    answer(listed, "ok", "companion-d0ff", "aB3dE6gH")
    assert listed.session.screen.lines == ("Hotspot", "Network: companion-d0ff", "Code: aB3dE6gH")


def test_who_leaves_is_not_called_back(table):
    table.press("*")
    answer(table, "ok", *LISTED)
    assert "USB stick" in list_texts(table.session)


def test_it_is_off_until_root_makes_a_file(tmp_path, monkeypatch):
    """Without the file neither box nor phone offers it, and systemd does not listen; a terminal has none at all."""
    table = DrivenTable()
    table.press("#", "*", "9")
    assert "Network" not in list_texts(table.session)
    assert phone_view.client_snapshot(table.session)["settings"]["networks"] is None
    assert (
        f"ConditionPathExists={table_startup.NETWORK_SWITCH}\n"
        in HELPER.with_name("companion-network.socket").read_text()
    )
    devices = make_devices(parse_config('[display]\ndriver = "none"\n[buttons]\nboard = "none"\n', tmp_path), print)
    for switch, given, is_on in (
        (tmp_path, devices, True),
        (tmp_path / "none", devices, False),
        (tmp_path, None, False),
    ):
        monkeypatch.setattr(table_startup, "NETWORK_SWITCH", switch)
        assert table_startup.session_settings(Config(), None, given).has_network is is_on


def ask(table, setting: str, words: str = "", code: str = "") -> None:
    table.session = table.session._replace(phones=table.session.phones._replace(is_on=True, host="h"))
    table.take_input(PhoneRequest(7, "h", SettingRequest(setting, code, words), table.now))


def test_the_hosts_phone_joins_a_network(listed):
    """It gets its reply when the helper has answered, and the panel stays as it is."""
    screen, count = listed.session.screen, len(listed.phone_replies)
    ask(listed, "networks")
    assert listed.requests[-1] == HelperRequest("network", ("list",), 7, "h")
    answer(listed, "ok", *LISTED)
    ask(listed, "join", f"Home: net 1\t{PASSWORD}")
    assert listed.requests[-1].lines == ("join", "Home: net 1", PASSWORD)
    answer(listed, "not-joined")
    ask(listed, "join", "Café\tno matter")
    assert listed.requests[-1].lines == ("join", "Café", "")
    answer(listed, "ok", *LISTED)
    refusals = [each.refusal for each in listed.phone_replies[count:]]
    assert refusals == ["", "The network didn't let the box in. Is the password right?", ""]
    assert listed.session.screen == screen
    rows = phone_view.client_snapshot(listed.session)["settings"]["networks"]
    assert rows == [["Café", True, True], ["Home: net 1", False, False], ["back\\slash", False, False]]


@pytest.mark.parametrize("words", ["Elsewhere\tlong enough", "Home: net 1\tshort", "Home: net 1\tnot-äscii-1",
                                   "Home: net 1", "Home: net 1\tlong\nenough"])  # fmt: skip
def test_what_can_not_be_joined_is_refused(listed, words):
    count = len(listed.requests)
    ask(listed, "join", words)
    assert len(listed.requests) == count
    assert listed.phone_replies[-1].refusal


def test_a_lock_and_the_configuration_count_for_the_phone_too(listed):
    count = len(listed.requests)
    listed.session = listed.session._replace(box=BoxSettings(lock="2718"))
    ask(listed, "networks", code="1111")
    listed.session = listed.session._replace(
        box=BoxSettings(), settings=listed.session.settings._replace(has_network=False)
    )
    ask(listed, "networks")
    assert len(listed.requests) == count
    assert all(each.refusal for each in listed.phone_replies[-2:])


def test_an_earphone_alone_hears_the_last_letter(listed):
    """A loudspeaker would tell the password to the room."""
    listed.press("2", "3")
    assert spoken_screen(listed.session)[:4] == ("Only the panel shows this.", "", "", "")
    assert spoken_screen(listed.session, earphone="Ann").entry == "d"
