"""A seat that the computer plays: who may give it the seat, and how its moves are confirmed and taken back."""

from __future__ import annotations

import queue
import random

import pytest
from game_support import support_of_game
from list_screens import digit_of_line, key_words, list_lines, list_texts

from companion import games
from companion.evening import state_machine
from companion.evening.screens.lists import PageScreen
from companion.evening.screens.phones import pairing
from companion.evening.screens.play import round_actions
from companion.evening.screens.setup import seats
from companion.games.api.computer_players import COMPUTER_NAMES, look_away_text
from companion.inputs import ComputerMove
from companion.panel.canvas import Canvas
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory, StoredRound
from companion.table.public_state import public_state
from companion.table.search_workers import ComputerPlayerWorker

TIMEOUT_SECONDS = 60
GAMES_WITH_COMPUTER = [game.id for game in games.built_in_manifests() if game.allows_computer_player]


def with_computer_player(new_table, names=("Ann", "box-1")):
    """A table of 27 with a computer player. Nothing answers its requests, which are in `requests`."""
    return past_its_page(new_table("27", names=names))


def past_its_page(table):
    """The same table after the pages that explain what a computer player means."""
    while table.family == "Page":
        table.press("#")
    return table


def give_move(table, move: str = "", share: int = 100, *, failed: bool = False) -> None:
    table.take_input(ComputerMove(table.session.computer_move.request, share, move, failed, table.now))


def test_three_games_have_a_computer_player():
    """Their manifests say so. Coral Reef hides too much for a search."""
    assert GAMES_WITH_COMPUTER == ["27", "prime-attactics", "ziggurat"]


@pytest.mark.parametrize("game", ["coral-reef", *GAMES_WITH_COMPUTER])
def test_a_seat_can_be_given_to_the_computer(new_table, game):
    """Its names are at the end of the list. A page explains it, and its holdings can't be sealed."""
    table = new_table(history=StoredHistory(player_names=("Ann", "Ben", "box-3")))
    table.press(str(1 + [each.id for each in games.built_in_manifests()].index(game)))
    while table.family != "Seats":
        table.press("#")
    table.press("1")
    offered = [name for line in list_lines(table.session) for name in line.names]
    if game not in GAMES_WITH_COMPUTER:
        assert not set(COMPUTER_NAMES) & set(offered)
        return
    assert offered[-3:] == list(COMPUTER_NAMES)
    table.press(digit_of_line(table.session, "box-2"))
    assert isinstance(table.session.screen, PageScreen)
    assert table.session.screen.lines == ("box-2", seats.computer_player_text(game))
    assert key_words(table.session, "ok") == "next"
    table.press("#", "#", "#")
    while table.family == "Menu":
        moment = table.session.screen
        # The computer must know what it holds, so there is no question about it.
        assert not moment.title.startswith("box-2")
        table.press("#")
    held = {kind for kind, seat in table.session.round.header.opened if seat == 1}
    assert held == set(games.manifest_of(game).holdings)
    assert table.session.round.header.names == ("box-2", "Ben")


@pytest.mark.parametrize("game", GAMES_WITH_COMPUTER)
@pytest.mark.parametrize("names", [("Ann", "box-2"), ("box-3", "box-1")])
def test_the_command_line_shows_the_same_page_as_the_menus(new_table, game, names):
    """Before the round for which `--players` asks there is a page for each seat of the computer."""
    table = new_table(
        game, names=names, opened=[(kind, seat) for seat in (1, 2) for kind in games.manifest_of(game).holdings]
    )
    for name in names:
        if name in COMPUTER_NAMES:
            page = table.session.screen
            assert isinstance(page, PageScreen)
            assert (page.lines, key_words(table.session, "ok")) == ((name, seats.computer_player_text(game)), "next")
            assert table.session.round.is_empty
            table.press("#")
    assert table.family == ("Dealing" if games.manifest_of(game).holdings else "Playing")


def test_a_round_of_people_begins_at_once(new_table):
    """Without a computer player there is no such page."""
    assert new_table("27").family == "Playing"


def test_its_move_is_requested_once_a_turn_and_confirmed_by_ok(new_table):
    """While it thinks, OK changes nothing and the menu opens; its move waits for OK, and is played as its own."""
    table = with_computer_player(new_table)
    assert table.session.computer_move is None
    table.type("11#")
    assert len(table.requests) == 1
    request = table.requests[0]
    assert (request.seat, request.strength, request.events) == (2, 1, ((1, "1x1"),))
    table.press("#", "3", "2", "#", "*")
    assert table.family == "Menu"
    give_move(table, share=40)
    table.press("*")
    assert table.session.computer_move.percent == 40
    thinking = table.picture.tobytes()
    assert public_state(table.session)["notice"] == ["box-1 thinks: 40%"]
    give_move(table, "9x2")
    assert table.picture.tobytes() != thinking
    assert public_state(table.session)["notice"][0] == "box-1: 9x2"
    assert table.events == ["1: 1x1"]
    table.press("#")
    assert table.events == ["1: 1x1", "2: 9x2"]
    assert table.session.computer_move is None
    assert len(table.requests) == 1
    assert table.replays_to_itself()


def test_a_double_tap_confirms_nothing(new_table):
    """An OK that comes with the picture of the move doesn't count; the next one does."""
    table = with_computer_player(new_table)
    table.type("11#")
    give_move(table, "9x2")
    table.press("#", apart=0.1)
    assert table.events == ["1: 1x1"]
    table.press("#")
    assert table.events == ["1: 1x1", "2: 9x2"]


def test_alone_with_the_computer_a_draw_is_taken_back_at_once(new_table):
    """Nobody else has to agree, and the question can be drawn."""
    opened = [(kind, seat) for seat in (1, 2) for kind in ("deal", "rack")]
    table = past_its_page(new_table("prime-attactics", names=("Ann", "box-1"), opened=opened))
    table.type("B7B4A1A2A3A5C2C3#D2D3D4D5#A7A6A5A4C7C6C5C4#D2D3D4D5#0B7#C4#")
    assert table.events == ["1: @-7", "1: refill x4"]
    table.press("*", "#")
    assert (table.family, table.session.screen.agreeing_seats) == ("Ask", ())
    assert table.picture.getbbox()
    table.press("#")
    assert table.events == []


def test_a_takeback_includes_the_computers_move(new_table):
    """It undoes that move and the person's before it; while the computer thinks, only the person's."""
    table = with_computer_player(new_table)
    table.type("11#")
    give_move(table, "9x2")
    table.press("#")
    table.choose("Take back")
    assert table.family == "Ask"
    table.press("#")
    assert table.events == []
    table.type("12#")
    assert len(table.requests) == 2
    table.choose("Take back")
    table.press("#")
    assert table.events == []
    table.take_input(ComputerMove(table.requests[1], 100, "9x1", False, table.now))
    assert table.session.computer_move is None
    assert table.events == []
    assert table.replays_to_itself()


def test_the_computers_first_move_can_be_taken_back(new_table):
    """There is no person's move before it, so it is requested again."""
    table = with_computer_player(new_table, ("box-2", "Ann"))
    give_move(table, "1x9")
    table.press("#")
    assert table.events == ["1: 1x9"]
    table.choose("Take back")
    table.press("#")
    assert table.events == []
    assert table.session.computer_move.request.seat == 1


def test_the_players_enter_a_move_where_it_finds_none(new_table):
    """The panel asks them to; their move is checked like any other. The same happens if the rules refuse its move."""
    table = with_computer_player(new_table)
    table.type("11#")
    give_move(table, failed=True)
    assert table.session.banner
    table.type("92#")
    assert table.events == ["1: 1x1", "2: 9x2"]
    table.type("11#")
    give_move(table, "1x1")
    table.press("#")
    assert len(table.events) == 3
    table.type("91#")
    assert len(table.events) == 4


def test_after_a_restart_it_finds_the_same_move(table_class):
    """A round that was left in its turn requests its move again, with the same seed."""
    header = RoundHeader("27", (("variant", "basic"),), ("Ann", "box-3"))
    table = table_class(SessionSettings(()), StoredHistory(unfinished_round=StoredRound(7, header, (), ((1, "1x1"),))))
    assert table.family == "Resume"
    table.press("#")
    request = table.session.computer_move.request
    assert (request.seat, request.strength, request.seed) == (2, 3, 8)


def test_nobody_can_look_at_its_pieces(new_table):
    """It has no phone, and "My pieces" are those of people."""
    rules = games.load_rules("ziggurat")
    options = games.manifest_of("ziggurat").option_defaults
    deals = rules.deal_holdings(2, options, random.Random(2).sample)
    table = past_its_page(new_table("ziggurat", names=("Ann", "box-2"), opened=(("deal", 1), ("deal", 2))))
    for seat in (1, 2):
        table.type(support_of_game("ziggurat").keys_of_deal(rules.format_deal(deals["deal", seat])) + "#")
    assert pairing.possible_phone_owners(table.session) == ("Ann",)
    table.choose("My pieces")
    assert table.family == "LookAway"
    assert table.session.screen.seat == 1


@pytest.mark.parametrize(
    ("names", "seat", "words"),
    [
        (("Ann", "Ben"), 1, "Ben, look away"),
        (("Ann", "box-1"), 1, ""),
        (("Ann", "box-1"), 2, ""),
        (("Ann", "Ben", "box-1"), 1, "Ben, look away"),
        (("Ann", "Ben", "box-1"), 3, "Others, look away"),
        (("Ann", "Ben", "Cleo"), 2, "Others, look away"),
        (("Ann", "box-1", "box-2"), 3, ""),
    ],
)
def test_only_people_are_asked_to_look_away(names, seat, words):
    """Never the computer, and nobody where one person alone enters everybody's pieces."""
    assert look_away_text(names, seat) == words


@pytest.mark.parametrize("buttons", [False, True])
@pytest.mark.parametrize("game", ["coral-reef", *GAMES_WITH_COMPUTER])
def test_alone_with_the_computer_nobody_is_asked_to_look_away(new_table, monkeypatch, game, buttons):
    """Neither while pieces are named nor before own pieces are shown; with two people one of them is."""
    drawn = []
    text = Canvas.text

    def kept(canvas, x, y, words, *more, **named):
        drawn.append(words)
        return text(canvas, x, y, words, *more, **named)

    monkeypatch.setattr(Canvas, "text", kept)
    holdings = games.manifest_of(game).holdings
    rules, options = games.load_rules(game), games.manifest_of(game).option_defaults
    deals = rules.deal_holdings(2, options, random.Random(2).sample)
    for names in (("Ann", "box-1"), ("Ann", "Ben")):
        drawn.clear()
        table = past_its_page(
            new_table(game, names=names, opened=[(kind, seat) for seat in (1, 2) for kind in holdings])
        )
        while table.family == "Dealing":
            if buttons:
                table.press("right")
            assert table.picture
            kind, seat = table.session.round.missing_holdings[0]
            table.session = round_actions.enter_holding(table.session, kind, seat, rules.format_deal(deals[kind, seat]))
            table.carry_out()
        if holdings:
            table.choose("My pieces")
            if table.family == "Menu":
                table.press("ok")
            assert table.family == "LookAway"
            assert table.picture
        asked = any("look away" in words for words in drawn)
        assert asked == bool(holdings and "Ben" in names)


def test_the_computers_time_does_not_run(table_class):
    """Others make its moves, so only people's time can run out."""
    header = RoundHeader("27", (("variant", "basic"),), ("Ann", "box-3"), clock="300")
    table = past_its_page(table_class(SessionSettings((), header)))
    table.type("11#")
    left = table.session.game_clock.seconds_left
    table.wait(100)
    assert table.session.game_clock.seconds_left == left


@pytest.mark.parametrize("game", GAMES_WITH_COMPUTER)
def test_the_keys_of_a_move_enter_that_move(play_round, settings_of_all_games, game):
    """In every game, for each legal move for which the move input knows keys."""
    entry = games.load_move_input(game)
    for which, (_, options, players) in enumerate(each for each in settings_of_all_games if each[0] == game):
        played = play_round(game, options, players, random.Random(which), share=1.0)
        for state in played.sample_positions(4):
            for move in played.rules.legal_moves(state):
                if entry.due_refill(state) is None:
                    typed = entry.draft_from_keys(state, entry.keys_for_event(str(move)))
                    assert (typed.event or typed.attempted_event) == str(move)


# -- the desk beside the loop ---------------------------------------------------------------------------------------


def test_the_worker_reports_its_progress_and_then_a_legal_move(new_table):
    """All of it by inputs, the last one with the move."""
    table = with_computer_player(new_table)
    table.type("11#")
    request = table.requests[0]._replace(strength=2)
    inputs: queue.Queue = queue.Queue()
    ComputerPlayerWorker(inputs.put).start_search(request).join(TIMEOUT_SECONDS)
    told = [inputs.get() for _ in range(inputs.qsize())]
    assert [each.percent for each in told] == sorted(each.percent for each in told)
    assert all(not each.move for each in told[:-1])
    rules = games.load_rules("27")
    assert told[-1].move in map(str, rules.legal_moves(request.states[-1]))


def test_the_worker_stops_when_nobody_waits(new_table):
    """What it finds for a position that was taken back isn't reported."""
    table = with_computer_player(new_table)
    table.type("11#")
    inputs: queue.Queue = queue.Queue()
    desk_of_box = ComputerPlayerWorker(lambda event: (inputs.put(event), desk_of_box.stop_if_outdated(elsewhere)))
    elsewhere = table.session._replace(computer_move=None)
    thread = desk_of_box.start_search(table.requests[0]._replace(strength=3))
    thread.join(TIMEOUT_SECONDS)
    assert not thread.is_alive()
    assert inputs.qsize() == 1
    assert not inputs.get().move


def test_the_worker_reports_a_failing_coach(new_table, monkeypatch):
    """Also in a game of another package, so that nobody waits for ever."""
    table = with_computer_player(new_table)
    table.type("11#")
    monkeypatch.setattr("companion.coach.advice.choose_move", lambda *_, **__: 1 / 0)
    monkeypatch.setattr(games, "is_added_game", lambda game: True)
    inputs: queue.Queue = queue.Queue()
    ComputerPlayerWorker(inputs.put).start_search(table.requests[0]).join(TIMEOUT_SECONDS)
    assert inputs.get().has_failed


def test_a_session_that_starts_in_its_turn_requests_a_move_at_once():
    """The round of the command line may start with it, before any key is pressed."""
    header = RoundHeader("27", (("variant", "basic"),), ("box-1", "Ann"))
    (request,) = state_machine.start_session(SessionSettings((), header), StoredHistory()).outbox.requests
    assert request.seat == 1


def test_there_is_no_hint_in_the_computers_turn(new_table):
    """A hint would show people what the computer holds."""
    table = with_computer_player(new_table)
    table.session = table.session._replace(switches=table.session.switches._replace(hints=True))
    table.type("11#")
    table.press("*")
    assert "Give me a hint" not in list_texts(table.session)
