"""What is kept of damage until somebody has pressed a key: sentences that can be said in any language."""

from __future__ import annotations

import pytest

from companion.games.api.text import text
from companion.languages import listed, said, speaking
from companion.store import notices
from companion.store.journal_files import diagnosis
from companion.store.notices import Happened
from companion.store.writing import GONE

NAME = "rounds.journal.notice"
MENDED = "rounds.journal was damaged, and mended from the other file: nothing is lost."


def test_what_is_kept_is_told_in_the_language_of_the_table(tmp_path):
    """Two sentences, one of them with values."""
    path = tmp_path / "rounds.journal"
    where = text("What there was lies aside as {files}.", files="rounds.journal.1")
    notices.add(path, GONE)
    notices.add(path, where)
    notices.add(path, GONE)  # Once.
    assert notices.sentences(path) == f"{GONE} {where}"
    with speaking("de"):
        german = said(notices.sentences(path))
        assert german == f"{said(GONE)} {said(where)}"
    assert "rounds.journal.1" in german
    assert GONE not in german


def test_a_long_sentence_is_kept_whole(tmp_path):
    """In English, where the form for all languages has no room."""
    path = tmp_path / "rounds.journal"
    long = listed(text("line {number} is lost", number=number) for number in range(90))
    notices.add(path, long)
    assert notices.sentences(path) == long


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (b"What an older version said.", "What an older version said."),
        (b"", ""),
        (b"\xff\x00 damaged", "\N{REPLACEMENT CHARACTER} damaged"),
        (b"[" * 4000, "[" * 4000),
        (b"17", "17"),
        (b'{"text": "{files}", "values": {}, "plural": "", "number": null}', "{files}"),
    ],
)
def test_what_else_stands_there_is_told_as_it_is(written, kept, tmp_path):
    """An older version's sentences, or a damaged file: no start fails for it."""
    (tmp_path / NAME).write_bytes(written)
    assert notices.sentences(tmp_path / "rounds.journal") == kept


@pytest.mark.parametrize(
    ("words", "happened"),
    [
        ("", set()),
        (diagnosis.LAST_ENTRY.words, {Happened.LAST_ENTRY}),
        (f"{diagnosis.LAST_ENTRY.words} {diagnosis.CUT.words}", {Happened.LAST_ENTRY, Happened.CUT}),
        (MENDED, {Happened.MENDED}),
        (f"{MENDED} {diagnosis.CUT.words}", {Happened.MENDED, Happened.CUT}),
        (f"{GONE} {diagnosis.CUT.words}", {Happened.DAMAGED, Happened.CUT}),
        ("What an older version said.", {Happened.DAMAGED}),
        (" ", {Happened.DAMAGED}),
    ],
)
def test_what_has_happened_is_known_of_words_alone(words, happened):
    """At the next start only the words are there; a file that was damaged itself is damage too."""
    assert diagnosis.kept_to_tell(words) == (words, happened)
