"""A round walked through again: its pictures are the table's own, and they keep what is hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import record, screens
from companion.moments.play.playing import Playing
from companion.moments.play.round_over import RoundOver
from companion.rounds import replaying, told_events
from companion.rounds.on_table import with_event
from companion.screens import replay
from companion.session.model import Session

RECORDS = sorted((Path(__file__).parents[1] / "records").glob("*.tcr"))
HANDS = """\
companion-record: 1
game: coral-reef
players: Ann, Ben
deal 1: {hand}
1: 1:45
2: 2:T8
"""


def read(path: Path) -> record.Report:
    return record.check(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_picture_is_the_tables_own(path):
    """Picture n is what the table draws after n events of a round played to there, and the last one is its result."""
    report = read(path)
    round_ = replaying.of_record(report)
    table = round_._replace(states=round_.states[:1], events=())
    for index, (seat, move) in enumerate(report.events):
        if index % 7 == 0:
            assert replay.picture(round_, index) == screens.draw(
                Session(Playing(), replay.StoredHistory(), round=table)
            )
        table = with_event(table, seat, str(move))
    over = report.rules.turn(report.state) is None
    assert replaying.last(round_) == len(report.events) + over
    mode = RoundOver() if over else Playing()
    last = screens.draw(Session(mode, replay.StoredHistory(), round=table))
    if over:
        last.paste(0, (0, 55, 128, 64))  # The keys that go on from a result at the table.
    assert replay.picture(round_, replaying.last(round_)) == last
    assert replaying.standing(round_, len(report.events)) == replaying.standing(table, len(report.events))


def test_no_picture_shows_what_a_hand_holds():
    """The pictures of a round are the same whatever else an open hand holds."""
    one, other = (
        replaying.of_record(record.check(HANDS.format(hand=hand))) for hand in ("4 5 A A A 2 3 K", "4 5 8 8 9 9 Q Q")
    )
    for index in range(3):
        assert replay.picture(one, index) == replay.picture(other, index)


def test_what_is_drawn_into_an_open_hand_is_a_dot():
    """In words too, a hidden holding stays hidden; a record that is given says what it says."""
    reef = replaying.of_record(read(Path(__file__).parents[1] / "records" / "coral-reef-half-sealed.tcr"))
    assert told_events.event(reef, 6, hidden=True) == "drew •"
    assert replaying.describe(reef, 6) == "Ann  drew T  6:7"
    prime = replaying.of_record(read(Path(__file__).parents[1] / "records" / "prime-attactics-full-11.tcr"))
    hidden = [told_events.event(prime, index, hidden=True) for index in range(1, len(prime.events) + 1)]
    assert not [text for text in hidden if text.startswith("refill") and "/" in text]
    assert any(text.startswith("refill •") for text in hidden)
    assert "refill Dx +1" in hidden
