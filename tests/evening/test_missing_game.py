"""A game whose package was removed: its rounds are kept, their pages name the game, and records can be exported."""

from __future__ import annotations

import pytest

from companion import display
from companion.__main__ import main
from companion.commands.exported_text import remove_check_line
from companion.display.replay_pictures import PANELS
from companion.doctor import disk
from companion.evening import state_machine
from companion.evening.model import Session
from companion.evening.screens import stored_rounds
from companion.evening.screens.lists import MenuScreen
from companion.evening.screens.main_menu import MainMenu
from companion.evening.screens.play.round_over import reason_sentence
from companion.inputs import KeyPressed
from companion.languages import text
from companion.report.gather import gather_evening
from companion.report.markdown import markdown_report
from companion.rounds.stored import LogEntry, RoundHeader, SessionSettings
from companion.store.store import Store
from companion.table import host_answers

MISSING_GAME_HEADER = RoundHeader("lanterns", (("cards", "3"),), ("Ann", "Ben"), origin="lanterns-at-the-table 0.1")
RECORD = """\
companion-record: 1
game: lanterns
options: cards=3
players: Ann, Ben
deal 1: 3 4 5
1: 1-2
# thought 2.5 s
2: 3-1
"""


@pytest.fixture
def store(tmp_path):
    """A store with a finished and an unfinished round of a game that isn't installed."""
    opened = Store(tmp_path)
    opened.write_entries(
        [
            LogEntry(1, "begin", header=MISSING_GAME_HEADER),
            LogEntry(1, "event", 1, "1-3"),
            LogEntry(1, "result", text="1 0 winners 1"),
        ]
    )
    opened.write_entries([LogEntry(2, "begin", header=MISSING_GAME_HEADER), LogEntry(2, "deal", 1, "3 4 5")])
    opened.write_entries([LogEntry(2, "event", 1, "1-2", seconds=2.5), LogEntry(2, "event", 2, "3-1")])
    yield opened
    opened.close()


def test_the_table_starts_and_names_the_round(store):
    """The panel says that it is saved and which game is missing; every other game can be played."""
    session = state_machine.start_session(SessionSettings(), store.load_history())
    assert session.banner == "Round 2 on hold:\nno game lanterns"
    assert isinstance(session.screen, MenuScreen)
    display.session_picture(session)
    for key in "2##":
        session = state_machine.update_session(session, KeyPressed(key, session.now + 1.0))
        display.session_picture(session)
    assert not isinstance(session.screen, MainMenu)
    assert store.load_history().unfinished_round.id == 2


def test_a_match_of_it_does_not_stop_the_table(tmp_path):
    """A match that waits for its next round is kept and named in the same way."""
    opened = Store(tmp_path)
    match = MISSING_GAME_HEADER._replace(goal=3)
    opened.write_entries([LogEntry(1, "begin", header=match), LogEntry(1, "result", text="1 0 winners 1")])
    assert (
        state_machine.start_session(SessionSettings(), opened.load_history()).banner
        == "Round 1 on hold:\nno game lanterns"
    )
    opened.close()


def test_its_rounds_are_exported_as_records(store, tmp_path, capsys):
    """As they were written while the game was installed; hidden pieces of an unfinished one only with --reveal."""
    data = ["--data", str(tmp_path)]
    assert main(["export", "2", "--reveal", *data]) == 0
    written = capsys.readouterr().out
    lines = remove_check_line(written).splitlines(keepends=True)
    assert "".join(line for line in lines if not line.startswith("date:")) == RECORD
    assert main(["export", "2", *data]) == 2
    assert "has hidden pieces" in capsys.readouterr().err
    assert main(["export", "--all", str(tmp_path / "out"), "--reveal", *data]) == 0
    assert sorted(each.name for each in (tmp_path / "out").iterdir()) == ["000001-lanterns.tcr", "000002-lanterns.tcr"]
    capsys.readouterr()
    assert main(["history", *data]) == 0
    assert (
        capsys.readouterr().out.count("the game lanterns is not installed: played with lanterns-at-the-table 0.1\n")
        == 2
    )


def test_its_package_is_named_wherever_its_rounds_are_shown(store, tmp_path, capsys):
    """The doctor, a replay, a report, and the pages of host and panel say which package has the game."""
    gone = "the game lanterns is not installed: played with lanterns-at-the-table 0.1"
    (found,) = disk.check_rounds(tmp_path)[2]
    assert (found.state, found.text) == ("note", f"Rounds 1 and 2 cannot be shown: {gone}.")
    assert main(["replay", "1", "--data", str(tmp_path)]) == 2
    assert f"round 1 can no longer be replayed: {gone}" in capsys.readouterr().err
    evening = gather_evening(store)
    assert [each.problem for each in evening.rounds] == [gone, gone]
    assert f"- **Not shown:** {gone}." in markdown_report(evening)
    with pytest.raises(host_answers.UnanswerableError, match=gone):
        host_answers.replayed_round(store, "1 0", panels=PANELS)
    kept = store.load_round(1)
    page = stored_rounds.open_last_position(Session((MainMenu(),), store.load_history()), kept).screen
    assert page.lines == ("Round 1", f"It cannot be shown: {gone}.")


@pytest.mark.parametrize(
    ("reason", "said"),
    [("", ""), ("no {piece} is left", "No {piece} is left."), (text("no tiles left"), "No tiles left.")],
)
def test_any_reason_becomes_a_sentence(reason, said):
    """A game of another package may give plain words, with any letters in them."""
    assert reason_sentence(reason) == said
