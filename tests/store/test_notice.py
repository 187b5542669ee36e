"""Warnings that are saved until somebody has pressed a key: as codes, which become sentences when they are shown."""

from __future__ import annotations

import pytest

from companion.languages import translate, in_language
from companion.store.notices import Happened, Lost, Told, Warned, save_warning, saved_warnings

GONE = Warned(Happened.DAMAGED, aside=("rounds.journal.damaged-1",))
ALL = (
    GONE,
    Warned(Happened.MENDED, ("rounds.db",)),
    Warned(Happened.MENDED, ("rounds.journal", "rounds.db")),
    Warned(Happened.DAMAGED, differ=7),
    Warned(Happened.DAMAGED, lost=(Lost(7, 9, (2, 3)), Lost(11, 11)), more=2, aside=("a", "b")),
    Warned(Happened.LAST_ENTRY),
    Warned(Happened.CUT),
)


def test_every_warning_comes_back_as_it_was_saved_and_once(tmp_path):
    """With the values of its sentence; the file has no sentence."""
    for each in (*ALL, *ALL):
        save_warning(tmp_path, each)
    assert saved_warnings(tmp_path) == ALL
    assert "damaged," not in (tmp_path / "rounds.journal.notice").read_text()


def test_it_is_shown_in_the_language_of_the_table(tmp_path):
    """Two sentences, one of them with values."""
    save_warning(tmp_path, GONE)
    words = Told(saved_warnings(tmp_path)).words
    with in_language("de"):
        german = translate(words)
    assert "rounds.journal.damaged-1" in german
    assert german != words


def test_the_file_stays_small(tmp_path):
    """The oldest warnings are dropped."""
    for number in range(200):
        save_warning(tmp_path, Warned(Happened.DAMAGED, aside=(f"rounds.journal.damaged-{number}",)))
    assert (tmp_path / "rounds.journal.notice").stat().st_size <= 4096
    assert saved_warnings(tmp_path)[-1].aside == ("rounds.journal.damaged-199",)


@pytest.mark.parametrize(
    "junk",
    [
        b"What an older version said.",
        b"",
        b"\xff\x00 damaged",
        b"[" * 4000,
        b"17",
        b'[["CUT"]]',
        b"[[[], 1, 2, 3, 4, 5]]",
    ],
)
def test_junk_is_not_shown(junk, tmp_path):
    """J9: junk stops no start and is never shown."""
    (tmp_path / "rounds.journal.notice").write_bytes(junk)
    assert saved_warnings(tmp_path) == ()
