"""Warnings that are saved until somebody has pressed a key: as codes, which become sentences when they are shown."""

from __future__ import annotations

import pytest

from companion.languages import in_language, translate
from companion.store.store_warnings import (
    LostSpan,
    StoreWarning,
    StoreWarnings,
    WarningKind,
    save_warning,
    saved_warnings,
)

GONE = StoreWarning(WarningKind.DAMAGED, aside_names=("rounds.journal.damaged-1",))
ALL = (
    GONE,
    StoreWarning(WarningKind.MENDED, ("rounds.db",)),
    StoreWarning(WarningKind.MENDED, ("rounds.journal", "rounds.db")),
    StoreWarning(WarningKind.DAMAGED, differs_from=7),
    StoreWarning(
        WarningKind.DAMAGED,
        lost_spans=(LostSpan(7, 9, (2, 3)), LostSpan(11, 11)),
        unnamed_spans=2,
        aside_names=("a", "b"),
    ),
    StoreWarning(WarningKind.LAST_ENTRY),
    StoreWarning(WarningKind.CUT),
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
    words = StoreWarnings(saved_warnings(tmp_path)).sentences
    with in_language("de"):
        german = translate(words)
    assert "rounds.journal.damaged-1" in german
    assert german != words


def test_the_file_stays_small(tmp_path):
    """The oldest warnings are dropped."""
    for number in range(200):
        save_warning(tmp_path, StoreWarning(WarningKind.DAMAGED, aside_names=(f"rounds.journal.damaged-{number}",)))
    assert (tmp_path / "rounds.journal.notice").stat().st_size <= 4096
    assert saved_warnings(tmp_path)[-1].aside_names == ("rounds.journal.damaged-199",)


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
