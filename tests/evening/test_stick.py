"""The menu of the USB stick: what it asks the helper for, and what it makes of each answer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from driven_table import DrivenTable
from list_screens import list_texts

from companion.evening.screens.box_settings import SettingsMenu
from companion.evening.screens.lists import ListScreen, TextPage
from companion.evening.screens.messages import Confirmation
from companion.evening.screens.stick import PROBLEM_TEXTS, HelperWait
from companion.inputs import HelperAnswered, HelperRequest
from companion.rounds.stored import SessionSettings

HELPER = Path(__file__).parents[2] / "debian" / "stick"


@pytest.fixture
def table():
    found = DrivenTable()
    found.press("#", "*", "9")
    found.press(str(list_texts(found.session).index("USB stick") + 1))
    return found


def answer(table, *lines: str) -> None:
    """The helper answers the newest request."""
    table.take_input(HelperAnswered(table.requests[-1], lines, table.now))


@pytest.mark.parametrize(("digit", "task"), [("1", "backup"), ("3", "report")])
def test_what_changes_nothing_on_the_box_is_done_at_once(table, digit, task):
    table.press(digit)
    assert table.requests[-1] == HelperRequest("stick", (f"{task} en",))
    assert isinstance(table.session.screen, HelperWait)
    answer(table, "ok", "companion-backup-1.zip")
    assert isinstance(table.session.screen, TextPage)
    assert table.session.screen.lines[2] == "companion-backup-1.zip"
    table.press("#")
    assert isinstance(table.session.screen, ListScreen)


@pytest.mark.parametrize(("digit", "task", "said"), [("2", "restore", "backup-1: 3 rounds"), ("4", "update", "1.2")])
def test_what_changes_the_box_is_told_first_and_needs_one_ok(table, digit, task, said):
    """BACK changes nothing, any other key neither."""
    table.press(digit)
    assert table.requests[-1].lines[0].startswith("find-")
    answer(table, "ok", said)
    screen = table.session.screen
    assert isinstance(screen, Confirmation)
    assert said in screen.lines[0]
    count = len(table.requests)
    table.press("5", "right", "*")
    assert isinstance(table.session.screen, ListScreen)
    assert len(table.requests) == count
    table.press(digit)
    answer(table, "ok", said)
    table.press("#")
    assert table.requests[-1] == HelperRequest("stick", (f"{task} en",))


@pytest.mark.parametrize("word", [*PROBLEM_TEXTS, "no-helper", "anything else"])
def test_every_problem_is_one_sentence(table, word):
    table.press("4")
    answer(table, word)
    assert isinstance(table.session.screen, TextPage)
    assert len(table.session.screen.lines) == 2


def test_the_box_has_a_sentence_for_every_word_of_the_helper():
    """Except for one that no box sends a task for."""
    script = re.sub("#.*", "", HELPER.read_text())
    words = {*re.findall(r"answer ([a-z-]+)", script), *re.findall(r"(?:reason|status)=([a-z-]+)", script)}
    assert words - {"ok", "unknown"} == {*PROBLEM_TEXTS}
    assert {*re.findall(r"^    ([a-z-]+)\)", script, re.M)} == {
        "backup", "report", "find-backup", "restore", "find-update", "update"
    }  # fmt: skip


def test_who_leaves_is_not_called_back(table):
    table.press("1", "*")
    assert isinstance(table.session.screen, ListScreen)
    answer(table, "ok", "companion-backup-1.zip")
    assert isinstance(table.session.screen, ListScreen)
    table.press("*")
    assert isinstance(table.session.screen, SettingsMenu)


def test_a_terminal_has_no_stick():
    table = DrivenTable(SessionSettings(is_terminal=True))
    table.press("#", "*", "9")
    assert "USB stick" not in list_texts(table.session)
