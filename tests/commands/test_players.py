"""`companion players` lists the players, renames one, and merges two."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.read_only_store import ReadOnlyStore
from companion.store.store import Store

COMPANION = Path(sys.executable).with_name("companion")


@pytest.fixture
def data_folder(tmp_path):
    store = Store(tmp_path)
    for number, names in enumerate((("Ann", "Ben"), ("Anne", "Ben"), ("Ben", "Cleo")), 1):
        store.write_entries(
            [LogEntry(number, "begin", header=RoundHeader("27", (), names, goal=2, wins=((names[0], 1),)))]
        )
        store.write_entries([LogEntry(number, "result", text="12 6 winners 1")])
    store.close()
    return str(tmp_path)


def list_players(data_folder, capsys):
    assert main(["players", "--data", data_folder, "--json"]) == 0
    return [(each["name"], each["rounds"]) for each in json.loads(capsys.readouterr().out)]


def test_players_are_listed_newest_first(data_folder, capsys):
    """By when they last sat at the table, with all of their rounds counted."""
    assert list_players(data_folder, capsys) == [("Ben", 3), ("Cleo", 1), ("Anne", 1), ("Ann", 1)]
    assert main(["players", "--data", data_folder]) == 0
    assert capsys.readouterr().out.splitlines()[0].split()[0] == "3"


def test_a_player_is_renamed(data_folder, capsys):
    """Renaming changes rounds, standings and matches alike."""
    assert main(["players", "rename", "Ben", "Benedikt", "--data", data_folder]) == 0
    assert "in 3 rounds" in capsys.readouterr().out
    assert ("Benedikt", 3) in list_players(data_folder, capsys)
    store = ReadOnlyStore(Path(data_folder))
    assert store.load_round(3).header.names == ("Benedikt", "Cleo")
    assert store.load_round(3).header.wins == (("Benedikt", 1),)
    assert {each.name for each in store.standings()} == {"Ann", "Anne", "Benedikt", "Cleo"}
    store.close()


def test_two_players_are_merged(data_folder, capsys):
    """The rounds are added up, and the rating is that of one player who played them all."""
    assert main(["players", "merge", "Anne", "Ann", "--yes", "--data", data_folder]) == 0
    capsys.readouterr()
    assert main(["standings", "--data", data_folder, "--json"]) == 0
    table = {each["name"]: each for each in json.loads(capsys.readouterr().out)}
    assert (table["Ann"]["played"], table["Ann"]["won"], table["Ann"]["streak"]) == (2, 2, 2)
    assert "Anne" not in table
    assert table["Ann"]["rating"] > table["Cleo"]["rating"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["rename", "Zoe", "Zoé"], "nobody named Zoe has played"),
        (["rename", "Ann", "Ann"], "Ann already has that name"),
        (["rename", "Ann", "Ben"], "there is already a player named Ben"),
        (["rename", "Ann", "BEN"], "there is already a player named Ben"),
        (["rename", "Ann", "A, B"], "cannot be a name"),
        (["rename", "Ann", "A" * 17], "cannot be a name"),
        (["rename", "Ann"], "needs two names"),
        (["merge", "Ann", "Zoe"], "nobody named Zoe has played"),
        (["merge", "Ann", "Ben"], "sat at the same table in round 1"),
        (["list", "Ann"], "the list takes no names"),
    ],
)
def test_an_invalid_change_is_refused_in_one_sentence(data_folder, capsys, words, told):
    before = list_players(data_folder, capsys)
    assert main(["players", *words, "--data", data_folder]) == 2
    assert told in capsys.readouterr().err
    assert list_players(data_folder, capsys) == before


@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), ("\n", 1), ("no\n", 1), ("\x04", 1)])
def test_a_merge_is_asked_about_first(data_folder, capsys, answer, status):
    """Only a yes at the terminal merges two players, because it cannot be undone."""
    ours, theirs = pty.openpty()
    try:
        os.write(ours, answer.encode())
        command = [COMPANION, "players", "merge", "Anne", "Ann", "--data", data_folder]
        done = subprocess.run(command, stdin=theirs, capture_output=True, text=True, timeout=60, check=False)
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode == status
    assert "cannot be undone" in done.stdout
    assert ("Anne" in dict(list_players(data_folder, capsys))) is bool(status)


def test_where_nobody_can_be_asked_no_players_are_merged(data_folder, capsys):
    """Without a terminal --yes is needed."""
    done = subprocess.run(
        [COMPANION, "players", "merge", "Anne", "Ann", "--data", data_folder],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, "--yes" in done.stderr) == (2, True)
    assert "Anne" in dict(list_players(data_folder, capsys))


def test_names_stay_while_a_table_is_running(data_folder, capsys, tmp_path):
    store = Store(tmp_path)
    assert main(["players", "rename", "Ann", "Anna", "--data", data_folder]) == 2
    assert "Another table is running" in capsys.readouterr().err
    store.close()
