"""Paired phones stay paired over a restart of the table, for one evening."""

from __future__ import annotations

import json

import pytest

from companion.evening.model import Session
from companion.evening.screens.messages import Goodbye
from companion.evening.screens.phones import phones_page
from companion.evening.session_values import PhoneAccess
from companion.inputs import Request
from companion.rounds.stored import StoredHistory
from companion.table.phone_worker import PHONES_FILE, PHONES_VALID_SECONDS, PhoneSaver, SavedPhones, read_saved_phones

OFF = Session((Goodbye(),), StoredHistory())
ON = OFF._replace(
    phones=PhoneAccess(is_on=True, player_phones=(("a" * 64, "Ann"), ("b" * 64, "Ben")), host="b" * 64, screen="c" * 64)
)


def save_sessions(folder, *sessions: Session) -> float:
    """Save the phones of these sessions, one after the other. Returns when the file was written, 0.0 for no file."""
    saver = PhoneSaver(folder)
    for session in sessions:
        saver.save_phones_if_changed(session)
        saver.close()
    return json.loads((folder / PHONES_FILE).read_text())["at"] if (folder / PHONES_FILE).exists() else 0.0


def test_phones_that_were_in_are_in_after_a_restart(tmp_path):
    """The same phones are paired, and the socket is opened for them."""
    at = save_sessions(tmp_path, OFF, ON)
    saved_phones = read_saved_phones(tmp_path, at + 60)
    assert saved_phones == SavedPhones(ON.phones.player_phones, ON.phones.host, ON.phones.screen)
    again = phones_page.restore_phones(OFF, *saved_phones)
    assert again.phones == ON.phones
    assert again.outbox.requests == (Request.PHONES_ON,)


def test_the_file_of_an_earlier_version_has_no_screen(tmp_path):
    (tmp_path / PHONES_FILE).write_text('{"at": 1.0, "paired": {"a": "Ann"}, "host": "a"}')
    assert read_saved_phones(tmp_path, 2.0) == SavedPhones((("a", "Ann"),), "a")


def test_phones_are_in_for_one_evening(tmp_path):
    """Nobody is in long after the last phone was paired, or when the clock was set back."""
    at = save_sessions(tmp_path, ON)
    assert read_saved_phones(tmp_path, at + PHONES_VALID_SECONDS - 1) is not None
    assert read_saved_phones(tmp_path, at + PHONES_VALID_SECONDS) is None
    assert read_saved_phones(tmp_path, at - 1) is None


def test_switching_phones_off_removes_the_file(tmp_path):
    assert save_sessions(tmp_path, ON, OFF) == 0.0
    assert list(tmp_path.iterdir()) == []


def test_only_the_tables_user_can_read_the_file(tmp_path):
    save_sessions(tmp_path, ON)
    assert (tmp_path / PHONES_FILE).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "{}", '{"at": 1.0, "paired": {"a": 1}, "host": ""}', "[" * 9999]
)
def test_a_damaged_file_counts_as_none(tmp_path, text):
    (tmp_path / PHONES_FILE).write_text(text)
    assert read_saved_phones(tmp_path, 2.0) is None


def test_a_table_goes_on_without_saving_phones(tmp_path):
    assert save_sessions(tmp_path / "missing", ON) == 0.0
