"""The one answer that depends on what others hide: a sealed hand claims to play a piece that lies in an open hand.

Seat 1 is open. Seat 2 is sealed, has a phone and is to move.
"""

from __future__ import annotations

import random

import pytest
from game_support import support_of_game

from companion.evening.screens.messages import Notice
from companion.evening.screens.play import round_actions
from companion.evening.session_values import PhoneAccess
from companion.games.api import RefusedError
from companion.games.api.move_input import ARROWS
from companion.rounds import referee
from companion.table.phone_view import judge_draft
from companion.table.public_state import public_state

PHONE = "b" * 64
ANSWER = "These pieces clash with those of the others. Everyone, please check again."
HELD_BY_SEAT_1 = {"coral-reef": "AAAAJJQQ", "ziggurat": "0-0 0-1 0-2 0-3 1-1 1-2 1-3 2-2 2-3 3-3 0-4 0-5 0-6 1-4"}
FIRST_TURN = {"coral-reef": "draw K", "ziggurat": "0-0 d4e4"}
"""What seat 1 does first; its corals make no sum, so that its turn ends."""
POSSIBLE = {
    "coral-reef": ["1:AAAAA4", "2:AAAAA22", "3:AAAAAJ5"],
    "ziggurat": ["0-1 d5e5", "3-3 d3e3", "1-2 d6d5"],
}
"""Plays that are possible by all that seat 2 knows, but impossible because seat 1 holds a piece."""
IMPOSSIBLE = {
    "coral-reef": ["1:AAAAA", "2:QQQQQQQ", "3:AAAAAAAA", "9:AAAAA", "4:JJJJJJJ"],
    "ziggurat": ["0-1 d4e4", "3-3 a1g7", "1-2 a1a2", "2-3 g6g7", "1-4 e4e5"],
}
"""Plays that are impossible by place or sum, of pieces that seat 1 holds."""


@pytest.fixture(params=list(HELD_BY_SEAT_1))
def table(request, new_table):
    """The table after seat 1's first turn."""
    game = request.param
    fake_table = new_table(game, opened=(("deal", 1),))
    fake_table.wait(3)
    fake_table.session = round_actions.enter_holding(fake_table.session, "deal", 1, HELD_BY_SEAT_1[game])
    fake_table.session = round_actions.play_event(fake_table.session, FIRST_TURN[game])._replace(
        phones=PhoneAccess(is_on=True, player_phones=((PHONE, "Ben"),))
    )
    fake_table.carry_out()
    while fake_table.family == "Notice":
        fake_table.press("#")
    assert fake_table.session.round.turn == 2
    return fake_table


def send_request(table, what: str, text: str) -> str:
    """Send a request from the phone. Returns the refusal, "" if it was granted."""
    return table.request(PHONE, what, text)


def test_a_piece_that_another_holds_is_refused_alike_for_all_pieces(table):
    """The words and the picture are the same for every piece, and the round is unchanged."""
    game = table.session.round.header.game
    snapshots = set()
    for text in POSSIBLE[game]:
        before = table.session.round
        view = before.game.seat_view(before.state, 2)
        before.game.play_move(view, 2, before.game.parse_move(text))  # By what seat 2 knows the move is valid.
        assert send_request(table, "play", text) == ANSWER, text
        assert isinstance(table.session.screen, Notice)
        snapshot = public_state(table.session)
        assert snapshot["notice"] == ["Ben", "played pieces", "that others hold", "Everyone, check your pieces"]
        snapshots.add((snapshot["panel"], str(snapshot), table.session.outbox.sounds))
        assert table.session.round == before
        table.press("#")
        assert table.family == "Playing"
    assert len(snapshots) == 1


def test_a_move_refused_by_place_or_sum_reveals_no_piece(table):
    """Place and sum are checked as if nobody else's hand were known; everybody is told only what all can see."""
    game = table.session.round.header.game
    for text in IMPOSSIBLE[game]:
        round_ = table.session.round
        with pytest.raises(RefusedError) as known:
            round_.game.play_move(round_.game.seat_view(round_.state, 2), 2, round_.game.parse_move(text))
        refusal = send_request(table, "play", text)
        assert refusal.removesuffix(f"; {known.value.needed}") == known.value.reason, text
        aloud = referee.public_refusal(round_, text)
        assert (table.family == "Refusing") == (aloud is not None)
        assert (public_state(table.session)["refusal"] or {}).get("figure") == (aloud and aloud.figure)
        if aloud is not None:
            table.press("#")
        assert table.family == "Playing"


def test_no_draft_reveals_where_a_piece_is(table):
    """Typing and taps, on the phone and at the box, are judged by what the seat knows."""
    round_ = table.session.round
    for text in (*POSSIBLE[round_.header.game], *IMPOSSIBLE[round_.header.game]):
        keys = support_of_game(round_.header.game).keys_of_event(text)
        view = round_.game.seat_view(round_.state, 2)
        for end in range(1, len(keys) + 1):
            assert round_.judge_draft(keys[:end]) == round_.move_input.draft_from_keys(view, keys[:end])
        if text in POSSIBLE[round_.header.game]:
            assert (round_.judge_draft(keys).verdict, round_.judge_draft(keys).event) == ("ok", text)
            draft = judge_draft(table.session, 2, keys)
            assert (draft["verdict"], draft["event"]) == ("ok", text)


def test_the_box_judges_first_by_what_the_seat_knows(table):
    """Place and sum come first; what only Ann's pieces forbid is refused as in a record, in front of everybody."""
    round_ = table.session.round
    for text in IMPOSSIBLE[round_.header.game]:
        with pytest.raises(RefusedError) as known:
            round_.game.play_move(round_.game.seat_view(round_.state, 2), 2, round_.game.parse_move(text))
        with pytest.raises(RefusedError) as refused:
            round_actions.play_event(table.session, text)
        assert (refused.value.code, refused.value.reason) == (known.value.code, known.value.reason)
    for text in POSSIBLE[round_.header.game]:
        with pytest.raises(RefusedError) as refused:
            round_actions.play_event(table.session, text)
        assert refused.value.code == "supply"


def test_a_pick_is_judged_by_what_the_seat_knows(table):
    """Arrows and OK lead to the same picks whatever others hide."""
    round_, chance = table.session.round, random.Random(1)
    entry, view = round_.move_input, round_.game.seat_view(round_.state, 2)
    pick = first = entry.initial_pick(view)
    for _ in range(500):
        step = chance.choice((*ARROWS, "ok"))
        pick = (entry.pick_after_ok(view, pick) or first) if step == "ok" else entry.pick_after_arrow(view, pick, step)
        assert (
            round_.judge_draft("", pick)
            == entry.draft_from_pick(view, pick)
            == entry.draft_from_pick(round_.state, pick)
        )


def test_the_picker_offers_every_piece_whoever_holds_it(table):
    """The six buttons' picker is the same whatever others hide."""
    round_ = table.session.round
    before, now = table.session, table.now
    sealed = round_._replace(states=(*round_.states[:-1], round_.game.seat_view(round_.state, 2)))
    shown = []
    for each in (round_, sealed):
        table.session, table.now = before._replace(round=each), now
        seen = []
        for key in ("right", "right", "down", "down", "#", "right", "down", "down", "#", "left", "up", "#") * 3:
            table.press(key)
            if table.session.round.turn != 2 or table.family != "Playing":
                break
            seen.append(table.picture.tobytes())
        shown.append(seen)
    assert shown[0] == shown[1]
    assert len(set(shown[0])) > 5


@pytest.mark.parametrize("table", ["coral-reef"], indirect=True)
def test_a_typed_move_is_played_on_the_full_position_once(table, monkeypatch):
    """OK checks a typed move only against the full position: what its player knows was checked with the last key."""
    table.press("19")
    round_ = table.session.round
    played, play = [], type(round_.game).play_move
    monkeypatch.setattr(
        type(round_.game), "play_move", lambda rules, *words: played.append(words) or play(rules, *words)
    )
    assert round_.known_state != round_.state
    table.press("#")
    assert table.session.round.events[-1] == (2, "1:9")
    assert [state for state, _, _ in played] == [round_.state]
