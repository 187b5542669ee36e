"""What `companion history` and `companion standings` list: in words, as JSON and as CSV."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from companion import games
from companion.__main__ import main
from companion.games.score_pad.pad import Pad
from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.store import Store

ROUNDS = (
    ("27", ("Ann", "Ben"), "12 6 winners 1"),
    ("27", ("Ben", "Ann"), "6 12 winners 2"),
    ("coral-reef", ("Ann", "Cleo"), "0 0 winners 1 2"),
    ("coral-reef", ("Cleo", "Ben"), ""),
)


@pytest.fixture
def data_folder(tmp_path):
    store = Store(tmp_path)
    for number, (game, names, result) in enumerate(ROUNDS, 1):
        store.write_entries([LogEntry(number, "begin", header=RoundHeader(game, (), names))])
        if result:
            store.write_entries([LogEntry(number, "result", text=result)])
    store.close()
    return str(tmp_path)


def test_history_lists_every_round(data_folder, capsys):
    """`companion history --json` has each stored round, oldest first, an unfinished one without a result."""
    assert main(["history", "--data", data_folder, "--json"]) == 0
    rounds = json.loads(capsys.readouterr().out)
    assert [each["round"] for each in rounds] == [1, 2, 3, 4]
    assert [each["winners"] for each in rounds] == [["Ann"], ["Ann"], ["Ann", "Cleo"], None]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--game", "27"], [1, 2]),
        (["--player", "Cleo"], [3, 4]),
        (["--since", "2999"], []),
        (["--until", "2999"], [1, 2, 3, 4]),
        (["--until", "1999"], []),
    ],
)
def test_history_can_be_filtered(data_folder, capsys, words, found):
    assert main(["history", "--data", data_folder, "--json", *words]) == 0
    assert [each["round"] for each in json.loads(capsys.readouterr().out)] == found


def test_history_for_people_names_the_winner(data_folder, capsys):
    """Each line has the players with their scores and who won, or that the round is unfinished."""
    assert main(["history", "--data", data_folder]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("Ann 12 - Ben 6  Ann wins")
    assert lines[4].endswith("a draw")
    assert lines[6].endswith("unfinished")
    assert lines[1].strip() == (
        "under the rules installed here it is not over: "
        f"played with an unknown version, but {games.BUILT_IN_ORIGIN} is installed"
    ), "these rounds have no moves"


@pytest.fixture
def match_folder(tmp_path):
    """The folder of a store with a match of three rounds, and a single round in the middle."""
    store = Store(tmp_path)
    header = RoundHeader("27", (), ("Ann", "Ben"), 2)
    heads = (
        header,
        header._replace(names=("Ben", "Ann"), number=2, wins=(("Ann", 1),)),
        RoundHeader("27", (), ("Cleo", "Ben")),
        header._replace(number=3, wins=(("Ann", 1), ("Ben", 1))),
    )
    for number, head in enumerate(heads, 1):
        lines = [LogEntry(number, "begin", header=head), LogEntry(number, "result", text="12 6 winners 1")]
        store.write_entries(lines)
    store.close()
    return str(tmp_path)


def test_history_lists_matches(match_folder, capsys):
    """The last round of a match is followed by its winner and rounds; in JSON each round has the match."""
    assert main(["history", "--data", match_folder]) == 0
    assert capsys.readouterr().out.splitlines()[-1].strip() == "Match: Ann beats Ben 2:1, rounds 1, 2 and 4"
    assert main(["history", "--data", match_folder, "--json"]) == 0
    found = [each["match"] for each in json.loads(capsys.readouterr().out)]
    told = {"goal": 2, "wins": {"Ann": 2, "Ben": 1}, "rounds": [1, 2, 4], "winner": "Ann"}
    assert found == [told, told, None, told]
    assert main(["history", "--data", match_folder, "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["match"], row["match winner"]) for row in rows[::2]] == [
        ("1", "Ann"),
        ("1", "Ann"),
        ("", ""),
        ("1", "Ann"),
    ]


def test_the_report_lists_matches(match_folder, capsys, tmp_path):
    """Each format says who beat whom by how many rounds, and in which rounds of the evening."""
    for ending in ("md", "html", "png"):
        if ending != "md":
            pytest.importorskip("matplotlib")
        assert main(["report", "--data", match_folder, "-o", str(tmp_path / f"a.{ending}")]) == 0
    said = "27, rounds 1, 2 and 4: Ann beats Ben 2:1"
    assert said in (tmp_path / "a.md").read_text()
    page = re.sub(r"[\u2066-\u2069]|</?bdi>", "", (tmp_path / "a.html").read_text())
    assert said in page


def test_standings_agree_with_the_rounds(data_folder, capsys):
    """Played, won, drawn and the streak are counted over the finished rounds."""
    assert main(["standings", "--data", data_folder, "--json"]) == 0
    table = {each.pop("name"): each for each in json.loads(capsys.readouterr().out)}
    counted = ("played", "won", "drawn", "rate", "streak", "longest", "best")
    assert [table["Ann"][each] for each in counted] == [3, 2, 1, 0.667, 0, 2, {"27": 12}]
    assert [table["Ben"][each] for each in counted] == [2, 0, 0, 0.0, 0, 0, {"27": 6}]
    assert [table["Cleo"][each] for each in counted] == [1, 0, 1, 0.0, 0, 0, {}]
    assert table["Ann"]["rating"] > 1500 > table["Ben"]["rating"]
    assert table["Ann"]["uncertainty"] < 500


def test_standings_of_one_evening_or_game(data_folder, capsys):
    """By a date, the last evening or a game; an invalid date is refused."""
    assert main(["standings", "--data", data_folder, "--json", "--game", "27"]) == 0
    assert [each["name"] for each in json.loads(capsys.readouterr().out)] == ["Ann", "Ben"]
    assert main(["standings", "--data", data_folder, "--json", "--evening"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 3
    assert main(["standings", "--data", data_folder, "2020-02-02"]) == 0
    assert "no finished round matches" in capsys.readouterr().err
    assert main(["standings", "--data", data_folder, "yesterday"]) == 2
    assert "write a date like" in capsys.readouterr().err


def test_a_table_for_a_spreadsheet(data_folder, capsys):
    """`--csv` has a line for each round and player, and no name that a spreadsheet would compute."""
    store = Store(Path(data_folder))
    store.write_entries(
        [LogEntry(5, "begin", header=RoundHeader("pad", Pad(2, "Skat").stored_options, ("=1+1", "Ben")))]
    )
    store.write_entries([LogEntry(5, "event", 1, "+7"), LogEntry(5, "result", text="7 0 winners 1", reason="")])
    store.close()
    assert main(["history", "--data", data_folder, "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 10
    assert [rows[0][each] for each in ("round", "game", "player", "score", "won", "shared")] == [
        "1", "27", "Ann", "12", "1", "0",
    ]  # fmt: skip
    assert (rows[8]["player"], rows[8]["score"], rows[6]["score"]) == ("'=1+1", "7", "")
    assert [each["title"] for each in rows[6:]] == ["", "", "Skat", "Skat"]
    assert main(["standings", "--data", data_folder, "--csv"]) == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("player,played,won,drawn,win rate")
    assert main(["history", "--data", data_folder, "--limit", "1"]) == 0
    assert "Skat" in capsys.readouterr().out
    assert main(["history", "--data", data_folder, "--limit", "0"]) == 2


def test_a_score_pad_is_found_by_its_title(data_folder, capsys):
    """`--game` takes the title of a pad; one without a title is found as `pad`."""
    store = Store(Path(data_folder))
    for number, title in ((5, "Skat"), (6, "Zoë's Ska\"t"), (7, "Game")):
        store.write_entries(
            [LogEntry(number, "begin", header=RoundHeader("pad", Pad(2, title).stored_options, ("Ann", "Ben")))]
        )
        store.write_entries([LogEntry(number, "result", text="7 0 winners 1", reason="")])
    store.close()
    for wanted, found in (("Skat", [5]), ("Zoë's Ska\"t", [6]), ("pad", [5, 6, 7]), ("Ska", [])):
        assert main(["history", "--data", data_folder, "--json", "--game", wanted]) == 0
        assert [each["round"] for each in json.loads(capsys.readouterr().out)] == found
    assert main(["standings", "--data", data_folder, "--json", "--game", "Skat"]) == 0
    assert [(each["name"], each["won"]) for each in json.loads(capsys.readouterr().out)] == [("Ann", 1), ("Ben", 0)]
    assert main(["history", "--data", data_folder, "--limit", "1"]) == 0
    assert "  pad  " in capsys.readouterr().out


def test_no_rounds_is_a_sentence(tmp_path, capsys):
    assert main(["standings", "--data", str(tmp_path / "none")]) == 2
    assert "No rounds are saved" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        "history --since garbage", "history --since 2026-13", "history --until 20.11.2026", "history --since=",
        "history --limit 99999999999999999999", "history --limit x", "standings 2026-11-20 --evening",
        "export 99999999999999999999", "export 0", "export x", "export 1 --all DIR", "export --all /dev/null/x",
        "export --all=", "replay 1 --png=", "replay 1 --gif=", "report -o .html",
    ],
)  # fmt: skip
def test_an_invalid_argument_is_refused_in_one_sentence(data_folder, capsys, words):
    """Nothing is written or listed."""
    assert main([*words.split(), "--data", data_folder]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("companion: ")
    assert told.err.count("\n") == 1
    assert "error in the program" not in told.err
    assert "Errno" not in told.err


def test_a_closed_output_is_no_failure(data_folder, monkeypatch):
    """With standard output closed a command ends as usual."""
    monkeypatch.setattr("sys.stdout", None)
    assert main(["history", "--data", data_folder]) == 0


def test_an_empty_list_and_an_empty_search_differ(tmp_path, capsys):
    """Only a search says that there are no such rounds."""
    Store(tmp_path).close()
    for asked, words in (((), "no rounds yet"), (("--player", "Ann"), "no round matches")):
        assert main(["history", "--data", str(tmp_path), *asked]) == 0
        assert words in capsys.readouterr().err
