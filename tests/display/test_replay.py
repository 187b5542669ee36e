"""The pictures of a replayed round are the table's own, and hide what is hidden."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion import display
from companion.display import replay_pictures
from companion.evening.model import Session
from companion.evening.screens.play.playing import PlayScreen
from companion.evening.screens.play.round_over import RoundOver
from companion.panel import widgets
from companion.panel.canvas import Canvas
from companion.rounds import record, replaying
from companion.rounds.on_table import with_event
from companion.rounds.stored import FinishedRound

RECORDS = sorted((Path(__file__).parents[1] / "records").glob("*.tcr"))
HANDS = """\
companion-record: 1
game: coral-reef
players: Ann, Ben
deal 1: {hand}
1: 1:45
2: 2:T8
"""


def check_record(path: Path) -> record.Report:
    """The report of a record file."""
    return record.check_record(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_picture_is_the_tables_own(path):
    """Picture n is what the table draws after n events, and the last one is the result."""
    report = check_record(path)
    round_ = replaying.replay_record(report)
    table = round_._replace(states=round_.states[:1], events=())
    for index, (seat, move) in enumerate(report.events):
        if index and index % 7 == 0:  # Before the first move the table says how a move is entered.
            at_table = display.session_picture(Session((PlayScreen(),), replay_pictures.StoredHistory(), round=table))
            above = (0, 0, 128, widgets.DETAIL_ROW - 2)  # Below, the table may say which keys enter a move.
            assert replay_pictures.round_picture(round_, index).crop(above) == at_table.crop(above)
        table = with_event(table, seat, str(move))
    over = report.rules.seat_to_move(report.state) is None
    assert replaying.last_picture_number(round_) == len(report.events) + over
    moment = RoundOver() if over else PlayScreen()
    last = display.session_picture(Session((moment,), replay_pictures.StoredHistory(), round=table))
    if over:
        last.paste(0, (0, widgets.LAST_LINE_ROW - 1, 128, 64))  # There the table shows its keys.
    box = (0, 0, 128, 64 if over else widgets.DETAIL_ROW - 2)
    assert replay_pictures.round_picture(round_, replaying.last_picture_number(round_)).crop(box) == last.crop(box)
    assert round_.counts_after(len(report.events)) == table.counts_after(len(report.events))


def test_no_picture_shows_what_a_hand_holds():
    """The pictures of a round are the same whatever else an open hand holds."""
    one, other = (
        replaying.replay_record(record.check_record(HANDS.format(hand=hand)))
        for hand in ("4 5 A A A 2 3 K", "4 5 8 8 9 9 Q Q")
    )
    for index in range(3):
        assert replay_pictures.round_picture(one, index) == replay_pictures.round_picture(other, index)


def test_a_piece_drawn_into_an_open_hand_is_a_dot():
    """A hidden holding stays hidden in words too; a record that is given is shown as it is."""
    reef = replaying.replay_record(check_record(Path(__file__).parents[1] / "records" / "coral-reef-half-sealed.tcr"))
    assert reef.event_text(6, hidden=True) == "drew •"
    assert replaying.picture_text(reef, 6) == "Ann  drew T  6:7"
    prime = replaying.replay_record(check_record(Path(__file__).parents[1] / "records" / "prime-attactics-full-11.tcr"))
    hidden = [prime.event_text(index, hidden=True) for index in range(1, len(prime.events) + 1)]
    assert not [text for text in hidden if text.startswith("refill") and "/" in text]
    assert any(text.startswith("refill •") for text in hidden)
    assert "refill Dx +1" in hidden


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_no_picture_names_a_key(path, monkeypatch):
    """Nobody presses anything in a replay, so it shows neither OK nor #, nor the digit of a column."""
    written = []
    text = Canvas.text
    monkeypatch.setattr(Canvas, "text", lambda *given, **more: written.append(given[3]) or text(*given, **more))
    round_ = replaying.replay_record(check_record(path))
    for number in range(len(round_.events) + 1):  # The last line of a result is erased.
        replay_pictures.round_picture(round_, number)
    assert not [words for words in written if re.search(r"#|\bOK\b|[0-9]:[a-h]\b", words)]


def test_an_entered_move_marks_its_place():
    """Between two positions of a replay is the move as it is entered; a draw isn't shown so."""
    round_ = replaying.replay_record(check_record(Path(__file__).parents[1] / "records" / "coral-reef-half-sealed.tcr"))
    for number, (_, event) in enumerate(round_.events, 1):
        marked = replay_pictures.move_input_picture(round_, number)
        assert (marked is None) == event.startswith(("draw", "pass")), event
        assert marked != replay_pictures.round_picture(round_, number - 1)


def test_the_picture_of_standings_names_no_key():
    """A report shows it, where nobody can press anything."""
    rounds = (FinishedRound("27", ("Ann", "Ben"), (12, 6), (1,)),)
    assert replay_pictures.standings_picture(rounds).crop((0, 52, 128, 64)).getbbox() is None
    assert replay_pictures.standings_picture(rounds).getbbox() is not None
