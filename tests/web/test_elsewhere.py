"""The one answer that rests on what others hide: a piece that a sealed hand is said to play lies in an open one.

Seat 1 is open, seat 2 sealed with a phone and to move.
"""

from __future__ import annotations

import pytest
from of_game import of_game

from companion.game import Refused
from companion.inputs import PhoneRequest
from companion.moments.notice import Notice
from companion.moments.play import rounds
from companion.phone_requests import read_request
from companion.screens.public import public
from companion.screens.seats import judged

PHONE = "b" * 64
ANSWER = "These pieces do not fit those of the others: look again, all of you."
HELD = {"coral-reef": "AAAAJJQQ", "ziggurat": "0-0 0-1 0-2 0-3 1-1 1-2 1-3 2-2 2-3 3-3 0-4 0-5 0-6 1-4"}
BEGUN = {"coral-reef": "draw K", "ziggurat": "0-0 d4e4"}
"""What seat 1 does first; its corals make no sum, so that its turn ends."""
POSSIBLE = {
    "coral-reef": ["1:AAAAA4", "2:AAAAA22", "3:AAAAAJ5"],
    "ziggurat": ["0-1 d5e5", "3-3 d3e3", "1-2 d6d5"],
}
"""Plays that stand on the table, whatever is known to seat 2, and are impossible since seat 1 holds a piece."""
IMPOSSIBLE = {
    "coral-reef": ["1:AAAAA", "2:QQQQQQQ", "3:AAAAAAAA", "9:AAAAA", "4:JJJJJJJ"],
    "ziggurat": ["0-1 d4e4", "3-3 a1g7", "1-2 a1a2", "2-3 g6g7", "1-4 e4e5"],
}
"""Plays that are impossible by place or sum, of pieces that seat 1 holds."""


@pytest.fixture(params=list(HELD))
def table(request, desk):
    """The table after seat 1's first turn."""
    game = request.param
    made = desk(game, opened=(("deal", 1),))
    made.wait(3)
    made.session = rounds.deal(made.session, "deal", 1, HELD[game])
    made.session = rounds.commit(made.session, BEGUN[game])._replace(phones=True, paired=((PHONE, "Ben"),))
    made._keep()
    while made.mode == "Notice":
        made.press("#")
    assert made.session.round.turn == 2
    return made


def tell(table, what: str, text: str) -> str:
    """What the phone is told: "" where its request was granted."""
    table.now += 1.1
    table.session = table.session._replace(answers=())
    answers = []
    before = table._keep
    table._keep = lambda **more: (answers.extend(table.session.answers), before(**more))
    table.give(PhoneRequest(7, PHONE, read_request(what, text), table.now))
    table._keep = before
    return answers[0].refusal


def test_a_piece_that_is_elsewhere_has_one_answer_that_everybody_is_told(table):
    """Whatever the piece: the same words and the same picture, and the round is as it was; OK at the box goes on."""
    game = table.session.round.header.game
    seen = set()
    for text in POSSIBLE[game]:
        before = table.session.round
        view = before.game.view(before.state, 2)
        before.game.play(view, 2, before.game.read(text))  # By what seat 2 knows it stands.
        assert tell(table, "play", text) == ANSWER, text
        assert isinstance(table.session.mode, Notice)
        told = public(table.session)
        assert told["notice"] == ["Ben", "played pieces", "that others hold", "All look at your pieces"]
        seen.add((told["panel"], str(told), table.session.sounds))
        assert table.session.round == before
        table.press("#")
        assert table.mode == "Playing"
    assert len(seen) == 1


def test_what_is_impossible_anyway_says_nothing_of_a_piece(table):
    """Place and sum refuse it as if nobody else's hand were known, and nobody is told."""
    game = table.session.round.header.game
    for text in IMPOSSIBLE[game]:
        round_ = table.session.round
        with pytest.raises(Refused) as known:
            round_.game.play(round_.game.view(round_.state, 2), 2, round_.game.read(text))
        assert tell(table, "play", text) == known.value.why, text
        assert table.mode == "Playing"


def test_no_draft_says_that_a_piece_is_elsewhere(table):
    """Typing and taps judge by what the seat knows: what stands there has a tick, whoever holds the piece."""
    round_ = table.session.round
    for text in POSSIBLE[round_.header.game]:
        found = judged(table.session, 2, of_game(round_.header.game).typed(text))
        assert (found["verdict"], found["event"]) == ("ok", text)


def test_at_the_box_a_piece_that_is_elsewhere_is_refused_as_records_are(table):
    """What is entered at the box is on the panel for everybody: the order of the rules' checks holds."""
    game = table.session.round.header.game
    for text in (*POSSIBLE[game], IMPOSSIBLE[game][0]):
        with pytest.raises(Refused) as refused:
            rounds.commit(table.session, text)
        assert refused.value.code == "supply"
