import json

import pytest

from companion.__main__ import main
from companion.session.model import About, Write
from companion.store import Store

ROUNDS = (
    ("27", ("Ann", "Ben"), "12 6 winners 1"),
    ("27", ("Ben", "Ann"), "6 12 winners 2"),
    ("coral-reef", ("Ann", "Cleo"), "0 0 winners 1 2"),
    ("coral-reef", ("Cleo", "Ben"), ""),
)


@pytest.fixture
def data(tmp_path):
    store = Store(tmp_path)
    for number, (game, names, result) in enumerate(ROUNDS, 1):
        store.write([Write(number, "begin", about=About(game, (), names))])
        if result:
            store.write([Write(number, "result", text=result)])
    store.close()
    return str(tmp_path)


def test_history_lists_every_round(data, capsys):
    """`companion history --json` has each kept round, oldest first, an unfinished one without a result."""
    assert main(["history", "--data", data, "--json"]) == 0
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
def test_history_can_be_filtered(data, capsys, words, found):
    """Filters by game, player and date."""
    assert main(["history", "--data", data, "--json", *words]) == 0
    assert [each["round"] for each in json.loads(capsys.readouterr().out)] == found


def test_history_for_people_names_the_winner(data, capsys):
    """A line has the scores and who won, or that the round is unfinished."""
    assert main(["history", "--data", data]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("Ann - Ben  12:6  Ann wins")
    assert lines[2].endswith("a draw")
    assert lines[3].endswith("unfinished")


def test_standings_agree_with_the_rounds(data, capsys):
    """Played, won, drawn and the streak, counted over the finished rounds."""
    assert main(["standings", "--data", data, "--json"]) == 0
    table = {each.pop("name"): each for each in json.loads(capsys.readouterr().out)}
    assert table["Ann"] == {"played": 3, "won": 2, "drawn": 1, "streak": 0, "rate": 0.667}
    assert table["Ben"] == {"played": 2, "won": 0, "drawn": 0, "streak": 0, "rate": 0.0}
    assert table["Cleo"] == {"played": 1, "won": 0, "drawn": 1, "streak": 0, "rate": 0.0}


def test_no_rounds_is_a_sentence(tmp_path, capsys):
    """A folder without rounds is told in a sentence."""
    assert main(["standings", "--data", str(tmp_path / "none")]) == 2
    assert "No rounds are kept" in capsys.readouterr().err
