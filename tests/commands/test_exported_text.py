"""The check of exported rounds: a changed byte of a record or a score pad is noticed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from examples import examples

from companion.__main__ import main
from companion.commands.exported_text import parse_pad, add_check_key, add_check_line, remove_check_line
from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.store import Store

HEADER = RoundHeader("27", (("variant", "basic"),), ("Jürgen", "Ben"))
SKAT = RoundHeader("pad", (("title", "Skat"),), ("Ann", "Ben"))


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    """A folder with a record and a score pad, as `companion export --all` writes them."""
    store = Store(tmp_path / "data")
    store.write_entries([LogEntry(1, "begin", header=HEADER), LogEntry(1, "event", 1, "1x1"), LogEntry(1, "event", 2, "9x1")])
    store.write_entries([LogEntry(2, "begin", header=SKAT), LogEntry(2, "event", 1, "+5"), LogEntry(2, "event", 2, "+7")])
    store.close()
    assert main(["export", "--all", str(tmp_path / "out"), "--data", str(tmp_path / "data")]) == 0
    return tmp_path / "out"


def taken_in(folder: Path, file: Path, data: bytes) -> bool:
    """Whether a file with these bytes can be imported into an empty store."""
    folder.mkdir()
    changed = folder / f"changed{file.suffix}"
    changed.write_bytes(data)
    return main(["import", str(changed), "--data", str(folder / "into")]) == 0


@pytest.mark.parametrize("name", ["000001-27.tcr", "000002-pad.json"])
def test_no_changed_byte_of_a_name_or_date_is_taken_in(exported: Path, tmp_path: Path, name: str, capsys) -> None:
    """No rule covers names and dates, so every bit of them is tried; the refusal says what to do."""
    whole = (exported / name).read_bytes()
    begins = whole.index(b"players" if name.endswith("tcr") else b'"date"')
    for place in range(begins, begins + 60, max(1, 60 // examples(60))):
        data = bytearray(whole)
        data[place] ^= 1 << place % 8
        assert not taken_in(tmp_path / str(place), exported / name, data), (place, bytes(data))
    assert "since it was exported" in capsys.readouterr().err


def test_a_record_that_went_by_mail_still_fits() -> None:
    text = add_check_line("companion-record: 1\ngame: 27\n1: 1x1\n")
    assert remove_check_line("\ufeff" + text.replace("\n", "\r\n")) == "companion-record: 1\ngame: 27\n1: 1x1\n"


def test_what_has_no_check_is_taken_as_it_is() -> None:
    """Records by hand, by other programs or by older versions have none."""
    assert remove_check_line("companion-record: 1\ngame: 27\n") == "companion-record: 1\ngame: 27\n"


def test_an_edited_file_says_how_it_is_taken_in_all_the_same(exported: Path) -> None:
    """The refusal says which line to remove, and then the file is imported."""
    record = (exported / "000001-27.tcr").read_text().replace("Ben", "Bob")
    with pytest.raises(ValueError, match='remove its "sum"'):
        remove_check_line(record)
    said = json.loads((exported / "000002-pad.json").read_text())
    changed = said | {"title": "Doppelkopf"}
    with pytest.raises(ValueError, match='remove its "sum"'):
        parse_pad(json.dumps(changed))
    del changed["sum"]
    assert parse_pad(json.dumps(changed))[0].header.options[0] == ("title", "Doppelkopf")
    assert add_check_key(changed)["sum"] != said["sum"]
