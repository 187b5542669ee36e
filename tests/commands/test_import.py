"""`companion import`: each record is checked and imported once, and nothing that is stored changes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from game_support import all_options

from companion import games
from companion.__main__ import main
from companion.commands.exported_text import remove_check_line
from companion.rounds.stored import LogEntry, RoundHeader, StoredRound
from companion.store.read_only_store import ReadOnlyStore
from companion.store.store import Store

RECORDS = Path(__file__).parent.parent / "records"
ROUND = """\
companion-record: 1
game: 27
players: Ann, Ben
date: 2026-11-21T20:15:00+01:00
note: by the sea
1: 1x1
2: 9x1
"""


@pytest.fixture
def data_folder(tmp_path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def run_command(data_folder, capsys):
    """Returns a function that runs a command on the data folder: exit status, standard output, standard error."""

    def command(name: str, *arguments: object) -> tuple[int, str, str]:
        status = main([name, "--data", str(data_folder), *map(str, arguments)])
        return status, *capsys.readouterr()

    return command


def test_every_sample_record_is_imported_once(run_command, data_folder, tmp_path):
    """Invalid ones are reported; a second import, and one of the export, add nothing."""
    assert run_command("import", RECORDS)[:2] == (1, "25 rounds imported, 0 already saved, 1 refused\n")
    assert run_command("import", RECORDS)[:2] == (1, "0 rounds imported, 25 already saved, 1 refused\n")
    assert run_command("export", "--reveal", "--all", tmp_path / "out")[0] == 0
    assert run_command("import", tmp_path / "out") == (0, "0 rounds imported, 25 already saved, 0 refused\n", "")
    first = {file.name: file.read_text() for file in (tmp_path / "out").iterdir()}
    other = tmp_path / "other"
    main(["import", "--data", str(other), str(tmp_path / "out")])
    main(["export", "--data", str(other), "--reveal", "--all", str(tmp_path / "again")])
    assert {file.name: file.read_text() for file in (tmp_path / "again").iterdir()} == first
    assert main(["check", *map(str, (tmp_path / "again").iterdir())]) == 0


def test_an_invalid_record_is_reported_with_its_line(run_command, tmp_path):
    """The other records are imported all the same."""
    (tmp_path / "bad.tcr").write_text(ROUND + "1: 2x9\n")
    (tmp_path / "good.tcr").write_text(ROUND)
    status, output, complaint = run_command("import", tmp_path / "bad.tcr", tmp_path / "good.tcr")
    assert (status, output) == (1, "1 round imported, 0 already saved, 1 refused\n")
    assert f"not imported: {tmp_path}/bad.tcr, line 8: 1: 2x9" in complaint


def test_date_and_other_header_lines_are_saved(run_command, tmp_path):
    """An imported round is exported with its own date, match and notes."""
    record_text = ROUND.replace("note:", "match: first to 3\nround: 2\nnote:")
    (tmp_path / "one.tcr").write_text(record_text)
    run_command("import", tmp_path / "one.tcr")
    options = " ".join(f"{name}={value}" for name, value in all_options("27"))
    assert remove_check_line(run_command("export")[1]) == record_text.replace("players", f"options: {options}\nplayers")


def test_an_imported_round_has_the_version_of_its_rules(run_command, data_folder, tmp_path):
    """So it can be reported when other rules give another result one day."""
    (tmp_path / "one.tcr").write_text(ROUND)
    run_command("import", tmp_path / "one.tcr")
    store = ReadOnlyStore(data_folder)
    assert store.load_round(1).header.origin == games.distribution_and_version("27") != ""
    store.close()


@pytest.mark.parametrize(
    ("change", "known"),
    [
        (("date: 2026-11-21T20:15:00+01:00", "date: 2026-11-21T19:15:00Z"), True),
        (("date: 2026-11-21T20:15:00+01:00\n", ""), True),
        (("date: 2026-11-21T20:15:00+01:00", "date: last summer"), True),
        (("2: 9x1\n", ""), True),
        (("note: by the sea", "note: no, at home"), True),
        (("date: 2026-11-21", "date: 2026-11-22"), False),
        (("2: 9x1\n", "2: 9x2\n"), False),
        (("2: 9x1\n", "2: 9x1\n1: 1x1\n"), False),
        (("Ann, Ben", "Ben, Ann"), False),
        (("players", "options: variant=advanced\nplayers"), False),
    ],
)
def test_a_round_is_recognised_by_moves_players_and_date(run_command, tmp_path, change, known):
    """In any notation of the date; also an earlier export of a round that was continued."""
    (tmp_path / "one.tcr").write_text(ROUND)
    (tmp_path / "two.tcr").write_text(ROUND.replace(*change))
    assert (tmp_path / "two.tcr").read_text() != ROUND
    taken = "0 rounds imported, 1 already saved" if known else "1 round imported, 0 already saved"
    run_command("import", tmp_path / "one.tcr")
    assert run_command("import", tmp_path / "two.tcr")[1] == f"{taken}, 0 refused\n"


def test_changes_and_unreadable_dates_are_reported(run_command, tmp_path):
    """Names are changed to their usual form, and an invalid date is named."""
    (tmp_path / "plain.tcr").write_text(ROUND.replace("Ann", "Ann Lee"))
    (tmp_path / "space.tcr").write_text(ROUND.replace("Ann", "Ann\u00a0Lee"))
    (tmp_path / "date.tcr").write_text(ROUND.replace("2026-11-21T20:15:00+01:00", "21.11.2026").replace("9x1", "9x2"))
    run_command("import", tmp_path / "plain.tcr")
    _, counted, errors = run_command("import", tmp_path / "space.tcr", tmp_path / "date.tcr")
    assert counted == "1 round imported, 1 already saved, 0 refused\n"
    assert r"'Ann\xa0Lee' was changed to Ann Lee" in errors
    assert "the date 21.11.2026 is not valid" in errors
    (tmp_path / "two.tcr").write_text(ROUND.replace("Ben", "Ann\u200b"))
    assert run_command("import", tmp_path / "two.tcr")[0] == 1


def test_a_backup_of_another_app_is_named(run_command, tmp_path):
    (tmp_path / "bgstats.json").write_text('{"players": [], "games": [], "plays": []}')
    assert "it is a backup of the app BG Stats" in run_command("import", tmp_path / "bgstats.json")[2]


def test_a_round_older_than_an_option_is_recognised(run_command, data_folder, tmp_path):
    """The stored round lacks the option, and its record has the default."""
    header = RoundHeader("27", (), ("Ann", "Ben"))
    old_round = StoredRound(0, header, (), ((1, "1x1"), (2, "9x1")), "", "", ())
    store = Store(data_folder)
    store.import_round(old_round, "2026-11-21T20:15:00+01:00", ())
    store.close()
    (tmp_path / "same.tcr").write_text(ROUND)
    assert run_command("import", tmp_path / "same.tcr")[1] == "0 rounds imported, 1 already saved, 0 refused\n"


def test_an_import_leaves_the_unfinished_round_alone(run_command, data_folder, tmp_path):
    """The unfinished round is offered at the next start as before."""
    store = Store(data_folder)
    header = RoundHeader("27", (("variant", "basic"),), ("Cleo", "Dan"))
    store.write_entries([LogEntry(1, "begin", header=header), LogEntry(1, "event", 1, "1x1")])
    unfinished = store.load_round(1)
    store.close()
    (tmp_path / "one.tcr").write_text(ROUND)
    run_command("import", tmp_path / "one.tcr")
    store = Store(data_folder)
    assert store.load_round(1) == store.load_history().unfinished_round == unfinished
    assert store.load_history().next_round == 3
    store.close()


def test_a_running_table_is_not_imported_into(run_command, data_folder, tmp_path):
    """The import is refused in a sentence, and adds nothing."""
    (tmp_path / "one.tcr").write_text(ROUND)
    store = Store(data_folder)
    status, output, complaint = run_command("import", tmp_path / "one.tcr")
    assert (status, output) == (2, "")
    assert "Another table is running on" in complaint
    assert store.round_numbers() == []
    store.close()


@pytest.mark.parametrize("given", [["nowhere.tcr"], ["."], []])
def test_unusable_files_are_refused_in_one_sentence(run_command, tmp_path, monkeypatch, given):
    """A missing file, a folder without records, and no file at all have exit status 2."""
    monkeypatch.chdir(tmp_path)
    status, _, complaint = run_command("import", *given)
    assert status == 2
    assert complaint.startswith("companion: ")
    assert complaint.count("\n") == 1


PAD = {
    "round": 3, "game": "pad", "title": "Skat", "date": "2026-11-21T20:00:00+01:00", "players": ["Ann", "Ben"],
    "wins": "lowest", "target": None, "turns": 2, "entries": [{"seat": 1, "points": 5}, {"seat": 2, "points": -3}],
    "totals": [5, -3], "over": True, "winners": ["Ben"],
}  # fmt: skip


def test_a_score_pad_is_imported_once(tmp_path, capsys):
    """The pad has its entries and its result, and is recognised the second time."""
    file = tmp_path / "000003-pad.json"
    file.write_text(json.dumps(PAD))
    for told in ("1 round imported, 0 already saved", "0 rounds imported, 1 already saved"):
        assert main(["import", str(file), "--data", str(tmp_path / "data")]) == 0
        assert told in capsys.readouterr().out
    assert main(["export", "--json", "--data", str(tmp_path / "data")]) == 0
    back = json.loads(capsys.readouterr().out)
    assert (back["totals"], back["winners"], back["date"]) == ([5, -3], ["Ben"], PAD["date"])


@pytest.mark.parametrize(
    "change",
    [
        {"game": "27"}, {"players": ["Ann"]}, {"players": ["Ann", "Ann"]}, {"players": 5}, {"totals": [5, 3]},
        {"winners": ["Ann"]}, {"entries": [{"seat": 3, "points": 1}]}, {"entries": [{"seat": 1}]}, {"entries": None},
        {"turns": "many"}, {"target": []}, {"title": None, "totals": None}, {"entries": [{"seat": 1, "points": 10**9}]},
        {"entries": [{"seat": 1, "points": float("inf")}]}, {"target": 10**30}, {"turns": -1}, {"wins": "sideways"},
        {"entries": [{"seat": 1, "points": 5.7}, {"seat": 2, "points": -3}]}, {"title": "x" * 17}, {"title": "a\x1b"},
    ],
)  # fmt: skip
def test_an_invalid_score_pad_is_refused_in_one_sentence(tmp_path, capsys, change):
    file = tmp_path / "pad.json"
    file.write_text(json.dumps(PAD | change))
    assert main(["import", str(file), "--data", str(tmp_path / "data")]) == 1
    assert "not imported: " in capsys.readouterr().err


def test_any_bytes_as_a_score_pad_end_in_a_sentence(tmp_path, capsys):
    """Text that is no JSON, or nested without end, is refused."""
    file = tmp_path / "pad.json"
    for text in ("", "{", "[]", "null", "[" * 100_000, '{"game": "pad"}'):
        file.write_text(text)
        assert main(["import", str(file), "--data", str(tmp_path / "data")]) == 1
        assert "not imported: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "it is not valid JSON"),
        ("9" * 5000, "it is not valid JSON"),
        (json.dumps({"game": "pad"}), 'it has no "players", which every score pad needs'),
        (json.dumps(PAD | {"players": 5}), "part of it does not have the form of a score pad"),
        (json.dumps(PAD | {"entries": None}), "part of it does not have the form of a score pad"),
    ],
)
def test_a_score_pads_problem_is_our_own_sentence(tmp_path, capsys, text, said):
    """Never Python's own words for the error."""
    file = tmp_path / "pad.json"
    file.write_text(text)
    assert main(["import", str(file), "--data", str(tmp_path / "data")]) == 1
    assert capsys.readouterr().err.rstrip().rstrip(".").endswith(said)


def test_thinking_times_are_imported(tmp_path, data_folder, capsys):
    """The times of an export are saved again, for each move."""
    file = tmp_path / "timed.tcr"
    file.write_text(ROUND.replace("1: 1x1\n", "1: 1x1\n# thought 11.5 s\n# a fine day\n"))
    assert main(["import", str(file), "--data", str(data_folder)]) == 0
    store = ReadOnlyStore(data_folder)
    assert store.load_round(1).event_seconds == (11.5, 0.0)
    store.close()
    capsys.readouterr()
    assert main(["export", "1", "--data", str(data_folder)]) == 0
    assert "1: 1x1\n# thought 11.5 s\n2: 9x1\n" in capsys.readouterr().out
