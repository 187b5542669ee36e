"""The check of exported rounds: a changed byte of a record or a score pad is noticed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from examples import example_count

from companion.__main__ import main
from companion.commands.exported_text import add_check_key, add_check_line, parse_pad, remove_check_line
from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.store import Store

HEADER = RoundHeader("27", (("variant", "basic"),), ("Jürgen", "Ben"))
SKAT = RoundHeader("pad", (("title", "Skat"),), ("Ann", "Ben"))


@pytest.fixture
def exported_folder(tmp_path: Path) -> Path:
    """A folder with a record and a score pad, as `companion export --all` writes them."""
    store = Store(tmp_path / "data")
    store.write_entries(
        [LogEntry(1, "begin", header=HEADER), LogEntry(1, "event", 1, "1x1"), LogEntry(1, "event", 2, "9x1")]
    )
    store.write_entries(
        [LogEntry(2, "begin", header=SKAT), LogEntry(2, "event", 1, "+5"), LogEntry(2, "event", 2, "+7")]
    )
    store.close()
    assert main(["export", "--all", str(tmp_path / "out"), "--data", str(tmp_path / "data")]) == 0
    return tmp_path / "out"


def can_be_imported(folder: Path, file: Path, data: bytes) -> bool:
    """Whether a file with these bytes can be imported into an empty store."""
    folder.mkdir()
    changed_folder = folder / f"changed{file.suffix}"
    changed_folder.write_bytes(data)
    return main(["import", str(changed_folder), "--data", str(folder / "into")]) == 0


@pytest.mark.parametrize("name", ["000001-27.tcr", "000002-pad.json"])
def test_a_changed_byte_of_a_name_or_date_is_refused(exported_folder: Path, tmp_path: Path, name: str, capsys) -> None:
    """No rule covers names and dates, so every bit of them is tried; the refusal says what to do."""
    whole = (exported_folder / name).read_bytes()
    begins = whole.index(b"players" if name.endswith("tcr") else b'"date"')
    for place in range(begins, begins + 60, max(1, 60 // example_count(60))):
        data = bytearray(whole)
        data[place] ^= 1 << place % 8
        assert not can_be_imported(tmp_path / str(place), exported_folder / name, data), (place, bytes(data))
    assert "since it was exported" in capsys.readouterr().err


def test_line_ends_and_byte_order_marks_are_no_change() -> None:
    text = add_check_line("companion-record: 1\ngame: 27\n1: 1x1\n")
    assert remove_check_line("\ufeff" + text.replace("\n", "\r\n")) == "companion-record: 1\ngame: 27\n1: 1x1\n"


def test_a_record_without_a_check_is_accepted() -> None:
    """Records by hand, by other programs or by older versions have none."""
    assert remove_check_line("companion-record: 1\ngame: 27\n") == "companion-record: 1\ngame: 27\n"


def test_an_edited_file_says_how_to_import_it(exported_folder: Path) -> None:
    """The refusal says which line to remove, and then the file is imported."""
    record = (exported_folder / "000001-27.tcr").read_text().replace("Ben", "Bob")
    with pytest.raises(ValueError, match='remove its "sum"'):
        remove_check_line(record)
    said = json.loads((exported_folder / "000002-pad.json").read_text())
    changed = said | {"title": "Doppelkopf"}
    with pytest.raises(ValueError, match='remove its "sum"'):
        parse_pad(json.dumps(changed))
    del changed["sum"]
    assert parse_pad(json.dumps(changed))[0].header.options[0] == ("title", "Doppelkopf")
    assert add_check_key(changed)["sum"] != said["sum"]
