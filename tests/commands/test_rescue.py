"""`companion rescue`: rounds of a file that was set aside are stored again, once each, and can be continued."""

from __future__ import annotations

import json
import shutil
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from long_journals import chained_lines

from companion.__main__ import main
from companion.rounds.stored import LogEntry, RoundHeader
from companion.store import dates, journal_lines
from companion.store.store import Store
from companion.store.stored_entries import StoredHeader

sys.path.insert(0, str(Path(__file__).parent.parent / "store"))

HEADER = RoundHeader("27", (("variant", "advanced"),), ("Ann", "Ben"))
DATE = "2026-11-21T20:00:00+01:00"


def play_round(store: Store, number: int, events: int, *, begin: bool = True, over: bool = True, of=HEADER) -> None:
    if begin:
        store.write_entries([LogEntry(number, "begin", header=of)])
    for index in range(events):
        store.write_entries([LogEntry(number, "event", index % 2 + 1, f"{number % 9 + 1}x{index % 9 + 1}")])
    if over:
        store.write_entries([LogEntry(number, "result", text="12 6 winners 1", reason="all discs are stacked")])


@pytest.fixture
def journals(tmp_path):
    """A folder after a downgrade: two rounds and an unfinished one; `newer-1` has what was played since."""
    store = Store(tmp_path / "data")
    play_round(store, 1, 3)
    play_round(store, 2, 4, of=HEADER._replace(goal=2))
    play_round(store, 3, 5, over=False, of=HEADER._replace(goal=2, number=2, wins=(("Ann", 1),)))
    store.close()
    shutil.copytree(tmp_path / "data", tmp_path / "newer")
    store = Store(tmp_path / "newer")
    play_round(store, 3, 2, begin=False)
    play_round(store, 4, 6)
    play_round(store, 5, 7, over=False)
    wanted = {number: store.load_round(number) for number in store.round_numbers()}
    store.close()
    file = tmp_path / "data" / "rounds.journal.damaged-1"
    (tmp_path / "newer" / "rounds.journal").rename(file)
    return tmp_path / "data", file, wanted


def run_rescue(folder: Path, file: Path, capsys) -> tuple[int, str, str]:
    status = main(["rescue", "--data", str(folder), str(file)])
    return status, *capsys.readouterr()


def test_rounds_of_the_newer_file_are_rescued(journals, capsys):
    """Rounds of the newer file are as they were played, the unfinished one too; a second time adds nothing."""
    folder, file, wanted = journals
    before = file.read_bytes()
    assert run_rescue(folder, file, capsys) == (0, "2 rounds imported, 1 continued, 2 already saved\n", "")
    store = Store(folder)
    assert {number: store.load_round(number) for number in store.round_numbers()} == wanted
    assert store.load_history().unfinished_round == wanted[5]
    assert [each.state for each in store.summaries()] == ["over", "over", "over", "over", "running"]
    assert [each.match.rounds if each.match else None for each in store.summaries()][1:3] == [(2, 3), (2, 3)]
    assert len({each.evening for each in store.summaries()}) == 1
    assert store.standings()[0][:3] == ("Ann", 4, 4)
    store.write_entries([LogEntry(5, "event", 2, "9x9")])
    rescued = store.load_round(5)
    store.close()
    assert run_rescue(folder, file, capsys) == (0, "0 rounds imported, 0 continued, 5 already saved\n", "")
    store = Store(folder)
    assert (store.warning_text, store.load_round(5)) == ("", rescued)
    store.close()
    assert file.read_bytes() == before


def test_a_round_that_went_on_in_both_becomes_two(journals, capsys):
    """The round here is never changed; the other one becomes a round of its own, set aside."""
    folder, file, wanted = journals
    store = Store(folder, lambda: datetime.now(UTC) + timedelta(hours=1))
    store.write_entries([LogEntry(3, "event", 1, "1x1"), LogEntry(3, "aside")])
    play_round(store, 4, 1, over=False)
    rounds_here = {number: store.load_round(number) for number in store.round_numbers()}
    store.close()
    assert run_rescue(folder, file, capsys)[:2] == (0, "3 rounds imported, 0 continued, 2 already saved\n")
    store = Store(folder)
    assert {number: store.load_round(number) for number in (1, 2, 3, 4)} == rounds_here
    assert [store.load_round(number)._replace(id=0) for number in (5, 6, 7)] == [
        wanted[number]._replace(id=0) for number in (3, 4, 5)
    ]
    assert store.load_history().unfinished_round.id == 4
    assert [each.state for each in store.summaries()][-3:] == ["over", "over", "aside"]
    store.close()
    assert run_rescue(folder, file, capsys)[1] == "0 rounds imported, 0 continued, 5 already saved\n"


def test_matches_are_renumbered(journals, tmp_path, capsys):
    """Another table's rounds keep their evenings, and a match has its own rounds."""
    folder, _, _ = journals
    day, match = datetime.now(UTC) - timedelta(days=9), HEADER._replace(names=("Cleo", "Dan"), goal=2)
    for evening in (0, 1):
        other = Store(tmp_path / "other", lambda evening=evening: day + timedelta(days=evening), boot=f"{evening}")
        with closing(other) as store:
            play_round(store, 3 * evening + 1, 2)
            play_round(store, 3 * evening + 2, 3, of=match)
            play_round(store, 3 * evening + 3, 4, of=match._replace(number=2, wins=(("Cleo", 1),)))
    with closing(Store(folder)) as store:
        rounds_here = [(each.id, each.evening, each.match and each.match.rounds) for each in store.summaries()]
    assert run_rescue(folder, tmp_path / "other" / "rounds.journal", capsys)[1].startswith(
        "6 rounds imported, 0 continued"
    )
    with closing(Store(folder)) as store:
        rounds_there = [(each.id, each.evening, each.match and each.match.rounds) for each in store.summaries()]
    first = dates.evening_number(day.astimezone().isoformat())
    assert rounds_there[: len(rounds_here)] == rounds_here
    assert rounds_there[len(rounds_here) :] == [
        (4, first, None),
        (5, first, (5, 6)),
        (6, first, (5, 6)),
        (7, first + 1, None),
        (8, first + 1, (8, 9)),
        (9, first + 1, (8, 9)),
    ]


@pytest.mark.parametrize("kinds", [("aside",), ("pause",), ("aside", "resume", "pause")], ids="-".join)
def test_a_round_without_new_moves_here_is_continued(journals, capsys, kinds):
    """Setting the round aside, resuming it or stopping its clock here does not stop the rescue."""
    folder, file, wanted = journals
    with closing(Store(folder)) as store:
        store.write_entries([LogEntry(3, kind) for kind in kinds])
    assert run_rescue(folder, file, capsys)[1] == "2 rounds imported, 1 continued, 2 already saved\n"
    with closing(Store(folder)) as store:
        assert store.load_round(3) == wanted[3]


def test_entries_before_a_rounds_beginning_are_left_out(tmp_path, capsys):
    """They belong to another round with that number, whose beginning is lost."""
    lost = chained_lines(1, [("event", 1, "1x1", DATE, 0.0, "")], 1)
    begun = [("begin", 0, StoredHeader(HEADER, 1).to_text(), DATE, 0.0, ""), ("event", 1, "2x1", DATE, 0.0, "")]
    lines = [*chained_lines(0, [("store", 0, "ab" * 16, "", 0.0, "")]), *lost]
    lines += chained_lines(1, begun, len(lines), lost[-1].checksum)
    file = tmp_path / "found"
    file.write_bytes(journal_lines.HEADER_LINE + b"\n" + journal_lines.format_entries(lines))
    assert run_rescue(tmp_path / "data", file, capsys)[1] == "1 round imported, 0 continued, 0 already saved\n"
    with closing(Store(tmp_path / "data")) as store:
        assert store.load_round(1).events == ((1, "2x1"),)


def test_the_valid_rounds_of_a_damaged_file_are_rescued(journals, capsys):
    """A sentence names the line that cannot be read and its round, and the exit status is 1."""
    folder, file, wanted = journals
    data = bytearray(file.read_bytes())
    data[data.index(b" 5x3") + 1] = ord("7")
    file.write_bytes(data)
    status, output, complaint = run_rescue(folder, file, capsys)
    assert (status, output) == (1, "2 rounds imported, 1 continued, 2 already saved\n")
    assert complaint == "companion: Line 25 (round 4) is lost.\n"
    store = Store(folder)
    assert store.load_round(5) == wanted[5]
    assert store.load_round(4).events == tuple(each for each in wanted[4].events if each[1] != "5x3")
    store.close()


def test_an_unusable_file_is_refused_in_one_sentence(tmp_path, capsys):
    """A missing file, one without rounds, one that is no file, and the one that the table uses."""
    Store(tmp_path / "data").close()
    (tmp_path / "junk").write_bytes(b"junk" * 5000)
    (tmp_path / "folder").mkdir()
    for name, why in (("none", "there is no file"), ("junk", "there are no rounds in"),
                      ("folder", "not an ordinary file"),
                      ("data/rounds.db", "is the file that the table uses")):  # fmt: skip
        status, output, complaint = run_rescue(tmp_path / "data", tmp_path / name, capsys)
        assert (status, output) == (2, "")
        assert why in complaint
        assert len(complaint.splitlines()) == 1


def test_the_doctor_names_a_file_that_was_set_aside(journals, capsys):
    """The doctor names nothing else in the folder."""
    folder, *_ = journals
    (folder / "rounds.journal.note").write_bytes(b"")
    main(["doctor", "--seconds", "0", "--json", "--data", str(folder)])
    found = [each for each in json.loads(capsys.readouterr().out) if each["about"] == "set aside"]
    assert [each["state"] for each in found] == ["note"]
    assert found[0]["text"].startswith("rounds.journal.damaged-1 in ")
    assert "`companion rescue FILE`" in found[0]["text"]
