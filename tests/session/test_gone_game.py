"""A game whose package was removed stops nothing: its rounds are kept, named, and go out as records."""

from __future__ import annotations

import pytest

from companion import screens
from companion import session as sessions
from companion.__main__ import main
from companion.inputs import Pressed
from companion.session.model import LogEntry, Menu, RoundHeader, Settings
from companion.store.store import Store

GONE = RoundHeader("nim", (("piles", "3"),), ("Ann", "Ben"))
RECORD = """\
companion-record: 1
game: nim
options: piles=3
players: Ann, Ben
deal 1: 3 4 5
1: 1-2
# thought 2.5 s
2: 3-1
"""


@pytest.fixture
def store(tmp_path):
    """A store with a finished and an unfinished round of a game that is not here."""
    opened = Store(tmp_path)
    opened.write(
        [LogEntry(1, "begin", header=GONE), LogEntry(1, "event", 1, "1-3"), LogEntry(1, "result", text="1 0 winners 1")]
    )
    opened.write([LogEntry(2, "begin", header=GONE), LogEntry(2, "deal", 1, "3 4 5")])
    opened.write([LogEntry(2, "event", 1, "1-2", seconds=2.5), LogEntry(2, "event", 2, "3-1")])
    yield opened
    opened.close()


def test_the_table_opens_and_names_the_round(store):
    """The panel says that it is kept and which game is missing; every other game can be played."""
    session = sessions.start(Settings(), store.past())
    assert session.banner == "Round 2 is kept:\nno game nim"
    assert isinstance(session.mode, Menu)
    screens.draw(session)
    for key in "2##":
        session = sessions.update(session, Pressed(key, session.clock + 1.0))
        screens.draw(session)
    assert not isinstance(session.mode, Menu) or session.mode.kind != "main"
    assert store.past().unfinished.id == 2


def test_a_match_of_it_does_not_stop_the_table_either(tmp_path):
    """A match that waits for its next round is kept and named in the same way."""
    opened = Store(tmp_path)
    match = GONE._replace(goal=3)
    opened.write([LogEntry(1, "begin", header=match), LogEntry(1, "result", text="1 0 winners 1")])
    assert sessions.start(Settings(), opened.past()).banner == "Round 1 is kept:\nno game nim"
    opened.close()


def test_its_rounds_go_out_as_records(store, tmp_path, capsys):
    """As they were written when the game was here; hidden pieces of an unfinished one only with --reveal."""
    data = ["--data", str(tmp_path)]
    assert main(["export", "2", "--reveal", *data]) == 0
    written = capsys.readouterr().out
    assert "".join(line for line in written.splitlines(keepends=True) if not line.startswith("date:")) == RECORD
    assert main(["export", "2", *data]) == 2
    assert "holds hidden pieces" in capsys.readouterr().err
    assert main(["export", "--all", str(tmp_path / "out"), "--reveal", *data]) == 0
    assert sorted(each.name for each in (tmp_path / "out").iterdir()) == ["000001-nim.tcr", "000002-nim.tcr"]
    capsys.readouterr()
    assert main(["history", *data]) == 0
    assert capsys.readouterr().out.count("nim") == 2
