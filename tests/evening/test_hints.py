"""Hints on the panel: shown part by part, found by a worker, and private where pieces are hidden."""

from __future__ import annotations

import queue
import random
import threading
import time
from pathlib import Path

import pytest
from examples import first_cases_fast
from game_support import support_of_game
from list_screens import list_texts

from companion import games
from companion.coach import hints as coach_hints
from companion.coach.advice import seat_knowledge
from companion.evening.screens.play import round_actions
from companion.evening.screens.play.playing import PlayScreen
from companion.evening.screens.private.hints import Hint, LookAway
from companion.evening.session_values import PhoneAccess
from companion.games.api.hint import HintPart
from companion.inputs import HintProgress
from companion.rounds.record import check_record
from companion.table.phone_view import client_snapshot
from companion.table.public_state import public_state
from companion.table.search_workers import HintWorker

RECORDS = Path(__file__).parents[1] / "records"
TIMEOUT_SECONDS = 60
PARTS = tuple(HintPart(title, (f"{title} in words.",)) for title in ("Look here", "A good move", "The best moves"))
OPEN_RECORDS = ("27-expert", "coral-reef-cards", "prime-attactics-full-11", "ziggurat-6-solid")
DEALT_HAND = ("coral-reef", "A577789K", "3455689T")


def with_hint_requested(table):
    """A table with hints on, which has just requested one."""
    table.session = table.session._replace(switches=table.session.switches._replace(hints=True))
    table.choose("Give me a hint")
    return table


def with_open_hands(new_table):
    """A round of Coral Reef with both hands open."""
    game, *hands = DEALT_HAND
    table = new_table(game, opened=(("deal", 1), ("deal", 2)))
    for each in hands:
        table.type(support_of_game(game).keys_of_deal(each) + "#")
    return table


def replayed_to(new_table, name: str, event: int):
    """A recorded round with everything open, after so many events."""
    report = check_record((RECORDS / f"{name}.tcr").read_text(encoding="utf-8"))
    game = games.load_rules(report.header.game)
    deals = sorted(report.deals, key=lambda deal: (deal[1], deal[0]))
    table = new_table(report.header.game, opened=deals, **report.header.options)
    for kind, seat in deals:
        table.session = round_actions.enter_holding(
            table.session, kind, seat, game.format_deal(report.deals[kind, seat])
        )
    for _, move in report.events[:event]:
        table.session = round_actions.play_event(table.session, str(move))
    table.session = table.session.show_base_screen()
    table.carry_out()
    return table


def answer(table, **more) -> None:
    table.take_input(HintProgress(table.session.last_hint.request, 100, PARTS, table.now)._replace(**more))


def test_asking_again_shows_the_next_part(new_table):
    """OK shows more, up and left less. BACK leads to the table, and from there the menu to the next part."""
    table = with_hint_requested(new_table("27"))
    answer(table)
    for key, number in ("ok", 1), ("up", 0), ("down", 1), ("right", 2), ("ok", 2), ("left", 1):
        table.press(key)
        assert table.session.screen.part_number == number
    table.press("back")
    assert table.family == "Playing"
    table.choose("Give me a hint")
    assert (table.session.screen.part_number, table.session.screen.parts) == (2, PARTS)
    assert table.session.outbox.requests == ()


def coach_parts(table):
    """What the coach finds for the seat to move."""
    round_ = table.session.round
    knowledge = seat_knowledge(round_.game, round_.move_input, round_.states, round_.events, round_.turn)
    return coach_hints.make_hint(round_.header.game, knowledge)


def test_with_buttons_back_erases_all_that_a_hint_has_entered(new_table):
    """Arrows couldn't go on with half of it. With a keypad BACK erases one key."""
    table = with_hint_requested(replayed_to(new_table, "27-basic", 4))
    answer(table, parts=coach_parts(table))
    table.press("down", "ok")
    assert table.session.screen.typed_keys
    table.press("back")
    assert table.session.screen.has_empty_draft


@pytest.mark.parametrize(
    ("name", "event"),
    first_cases_fast(3, [*((name, 4) for name in OPEN_RECORDS), ("27-expert", 12), ("ziggurat-6-solid", 7)]),
)
def test_ok_on_a_move_enters_it(new_table, name, event):
    """In every game the table shows the draft with its verdict, and OK plays it."""
    table = with_hint_requested(replayed_to(new_table, name, event))
    round_ = table.session.round
    answer(table, parts=coach_parts(table))
    if table.family == "LookAway":
        table.press("ok")
    table.press("down")
    move = table.session.screen.parts[1].event
    table.press("ok")
    assert table.session.screen.draft(round_).verdict == "ok"
    table.press("ok")
    assert str(round_.game.parse_move(table.session.round.events[len(round_.events)][1])) == move


def test_look_here_shows_the_place_on_the_board(new_table):
    """OK shows the place, not the move. OK again reads on, BACK leaves; a digit or an arrow begins the move there."""
    table = with_hint_requested(new_table("27"))
    answer(table, parts=(PARTS[0]._replace(place="1x3"), *PARTS[1:]))
    table.press("ok")
    draft = table.session.screen.content(table.session).scene.draft
    assert (draft.text, draft.event, draft.marks.field, draft.marks.pieces) == ("", None, 1, 0)
    shown = table.session.screen
    table.press("ok")
    assert (table.session.screen.part_number, table.session.screen.shows_board) == (1, False)
    for key, screen in (
        ("1", PlayScreen(typed_keys="1")),
        ("back", PlayScreen()),
        ("up", PlayScreen(pick=(1, 1))),
        ("down", PlayScreen(pick=(1, 9))),
    ):
        table.session = table.session.show_base_screen(shown)
        table.press(key)
        assert table.session.screen == screen


def test_the_marked_place_is_private_where_a_hand_is_hidden(new_table):
    """Meanwhile the big screen shows the privacy screen; after half a minute the box does too."""
    table = with_hint_requested(with_open_hands(new_table))
    everybody = public_state(table.session)["panel"]
    answer(table, parts=(PARTS[0]._replace(place="1:72"), *PARTS[1:]))
    table.press("ok", "ok")
    assert table.session.screen.shows_board
    assert public_state(table.session)["panel"] == everybody
    table.wait(31)
    assert isinstance(table.session.screen, LookAway)


def test_a_digit_begins_the_move(new_table):
    """A player who has read enough types the move at once."""
    table = with_hint_requested(new_table("27"))
    answer(table)
    table.press("1")
    assert table.session.screen == PlayScreen(typed_keys="1")


def test_it_shows_the_progress_of_the_search(new_table):
    """Each report is another picture. A key leaves, and asking again shows what was found meanwhile."""
    table = with_hint_requested(new_table("27"))
    seen = {table.picture.tobytes()}
    for percent in 20, 60:
        answer(table, percent=percent, parts=())
        seen.add(table.picture.tobytes())
    assert len(seen) == 3
    table.press("#", "*")
    assert table.family == "Playing"
    answer(table)
    assert table.family == "Playing"
    table.choose("Give me a hint")
    assert table.session.screen.parts == PARTS


def test_a_hint_for_another_position_is_dropped(new_table):
    """After a move, after a takeback or with hints switched off it isn't shown."""
    table = with_hint_requested(new_table("27"))
    request = table.session.last_hint.request
    table.press("*")
    for change in (
        lambda: round_actions.play_event(table.session, "1x1"),
        lambda: table.session._replace(switches=table.session.switches._replace(hints=False)),
    ):
        before, table.session = table.session, change()
        table.carry_out()
        table.take_input(HintProgress(request, 100, PARTS, table.now))
        assert table.session.last_hint.parts == ()
        table.session = before
    table.session = round_actions.play_event(table.session, "1x1")
    table.carry_out()
    table.choose("Give me a hint")
    assert table.session.last_hint.request.events == table.session.round.events != request.events


def test_a_hint_that_depends_on_hidden_pieces_is_private(new_table):
    """The others look away first. It hides by itself, and no screen or other phone gets a word of it."""
    table = with_hint_requested(with_open_hands(new_table))
    away = table.session.screen
    assert isinstance(away, LookAway)
    everybody = public_state(table.session)
    answer(table)
    table.press("ok")
    assert isinstance(table.session.screen, Hint)
    table.press("ok")
    words = PARTS[1].lines[0]
    shown = public_state(table.session)
    assert shown["panel"] == everybody["panel"]
    assert shown["notice"] is None
    assert words not in str(
        client_snapshot(table.session._replace(phones=PhoneAccess(is_on=True, player_phones=(("a" * 64, "Ben"),))))
    )
    table.wait(31)
    assert isinstance(table.session.screen, LookAway)
    table.press("ok")
    assert table.session.screen.part_number == 1
    table.press("back")
    assert table.family == "Playing"


def test_alone_with_the_computer_nobody_has_to_look_away(new_table):
    """It is shown at once, but still not on the big screen."""
    table = new_table("ziggurat", names=("Ann", "box-1"), opened=(("deal", 1), ("deal", 2)))
    rules, options = games.load_rules("ziggurat"), games.manifest_of("ziggurat").option_defaults
    for (kind, seat), pieces in rules.deal_holdings(2, options, random.Random(1).sample).items():
        table.session = round_actions.enter_holding(table.session, kind, seat, rules.format_deal(pieces))
    table.session = table.session.show_base_screen()
    table.carry_out()
    with_hint_requested(table)
    assert isinstance(table.session.screen, Hint)
    thinking = public_state(table.session)["panel"]
    answer(table)
    assert public_state(table.session)["panel"] == thinking


def test_the_others_may_refuse_to_look_away(new_table):
    """BACK before a hint shows nothing of it."""
    table = with_hint_requested(with_open_hands(new_table))
    table.press("*")
    assert table.family == "Playing"


def test_a_public_hint_is_on_the_big_screen(new_table):
    table = with_hint_requested(new_table("27"))
    assert public_state(table.session)["notice"] is None
    answer(table)
    table.press("#")
    told = public_state(table.session)
    assert told["notice"] == ["A good move", "A good move in words."]
    assert told["board"].startswith("<svg")


def test_there_is_no_hint_while_a_piece_is_to_be_named(new_table):
    """The drawn piece comes first, so the menu has no entry for it."""
    table = replayed_to(new_table, "prime-attactics-full-11", 1)
    assert table.session.round.move_input.due_refill(table.session.round.state) is not None
    table.session = table.session._replace(switches=table.session.switches._replace(hints=True))
    table.press("*")
    assert "Give me a hint" not in list_texts(table.session)


def test_the_worker_searches_beside_the_loop(new_table, think_out_hint, quick_coaches):
    """It reports its progress, then the hint. A phone that asks again gets the answer at once."""
    table = with_hint_requested(new_table("27"))
    told = think_out_hint(table)
    assert [each.percent for each in told] == sorted({each.percent for each in told})
    assert told[-1].percent == 100
    assert table.session.screen.parts == told[-1].parts


def wait_for_hint(desk: HintWorker, request) -> HintProgress:
    """What a worker has found, once it has."""
    while not (found := desk.request_hint(request)).parts:
        time.sleep(0.01)
    return found


def test_a_phones_search_does_not_wake_the_loop(new_table, quick_coaches):
    """The loop gets nothing that it hasn't asked for; when the box asks, it gets what is known at once."""
    inputs: queue.Queue = queue.Queue()
    hints, request = HintWorker(inputs.put), with_hint_requested(new_table("27")).session.last_hint.request
    assert wait_for_hint(hints, request).parts
    assert inputs.empty()
    hints.request_hint(request, for_box=True)
    assert inputs.get_nowait().parts


def test_the_worker_stops_when_the_position_changes(new_table, monkeypatch):
    """A move ends the thread, and what it has found by then isn't shown."""
    over, think = threading.Event(), coach_hints.make_hint

    def slowly(*args, report_progress, **more):
        """Think on only once the moment is over: a fast computer would have found it before."""
        return think(
            *args, report_progress=lambda percent: (report_progress(percent), over.wait(TIMEOUT_SECONDS)), **more
        )

    monkeypatch.setattr(coach_hints, "make_hint", slowly)
    table, inputs = with_hint_requested(new_table("27")), queue.Queue()
    hints, before = HintWorker(inputs.put), threading.enumerate()
    hints.request_hint(table.session.last_hint.request, for_box=True)
    hints.stop_if_outdated(table.session)
    hints.request_hint(table.session.last_hint.request, for_box=True)
    (thought,) = (each for each in threading.enumerate() if each.name == "hint" and each not in before)
    hints.stop_if_outdated(table.session._replace(round=round_actions.play_event(table.session, "1x1").round))
    over.set()
    thought.join(timeout=TIMEOUT_SECONDS)
    assert not thought.is_alive()
    while not inputs.empty():
        assert not inputs.get().parts


def test_a_game_without_a_coach_has_a_plain_hint(new_table, monkeypatch, think_out_hint):
    """The hint of its entry is shown, as a single part."""
    monkeypatch.setattr(games, "load_coach", lambda game: None)
    table = with_hint_requested(new_table("27"))
    think_out_hint(table)
    assert table.session.screen.parts == (HintPart("Hint", ("Field 1: move 1 disc.",)),)


def test_a_failing_coach_is_reported(new_table, monkeypatch, think_out_hint):
    """For a game of another package one sentence is shown, and the round goes on."""

    def fails(*args, **more):
        raise ZeroDivisionError("of its own")

    monkeypatch.setattr(games, "is_added_game", lambda game: True)
    monkeypatch.setattr(coach_hints, "make_hint", fails)
    table = with_hint_requested(new_table("27"))
    think_out_hint(table)
    assert "27" in table.session.screen.parts[0].lines[0]
    table.press("*")
    assert table.family == "Playing"


def test_a_sealed_hand_gets_a_sentence(new_table, think_out_hint, monkeypatch):
    """Without knowing the hand there is no advice: the hint says what everybody can see, or that it can't help."""
    table = with_hint_requested(new_table("coral-reef"))
    think_out_hint(table)
    assert isinstance(table.session.screen, Hint)
    assert table.session.screen.parts[0].lines[0].endswith("Of the 100 unseen corals, 4 fit alone.")
    monkeypatch.setattr(games.load_move_input("coral-reef"), "suggested_move_text", lambda view: "")
    told = coach_hints.make_hint(
        "coral-reef",
        seat_knowledge(
            games.load_rules("coral-reef"), games.load_move_input("coral-reef"), table.session.round.states, (), 1
        ),
    )
    assert "nobody has told me" in told[0].lines[0]


POSITIONS = [
    ("27-expert", 12), ("27-advanced", 5), ("coral-reef-cards", 6), ("coral-reef-tiles", 0),
    ("prime-attactics-full-11", 4), ("prime-attactics-easy-13", 0), ("ziggurat-6-solid", 7), ("ziggurat-9-cutup", 2),
]  # fmt: skip
"""Records with everything open, and the number of events before the hint."""


@pytest.mark.parametrize(("name", "event"), POSITIONS)
def test_pictures_of_each_part(new_table, think_out_hint, quick_coaches, golden, name, event):
    """The privacy screen where a hand is hidden, the progress, then each part, with either set of keys."""
    table = with_hint_requested(replayed_to(new_table, name, event))
    if isinstance(table.session.screen, LookAway):
        golden(table.picture, f"hints/{name}-away")
        table.press("ok")
    table.take_input(HintProgress(table.session.last_hint.request, 40, (), table.now))
    golden(table.picture, "hints/thinking")
    think_out_hint(table)
    for number, _ in enumerate(table.session.screen.parts, 1):
        golden(table.picture, f"hints/{name}-{number}")
        table.press("#" if number % 2 else "ok")
        if isinstance(table.session.screen, Hint) and table.session.screen.shows_board:
            golden(table.picture, f"hints/{name}-place")
            table.press("#")
