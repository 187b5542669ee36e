"""Correcting a piece that was named wrongly: it is replaced where it was named, and all later events are replayed."""

from __future__ import annotations

import random

import pytest
from list_screens import list_texts

from companion import display
from companion.evening.screen_kinds import HIDE_AFTER_SECONDS
from companion.evening.screens.messages import Notice
from companion.evening.screens.phones.remote_keys import public_session
from companion.evening.screens.play import round_actions
from companion.evening.screens.play.dealing import NamingScreen
from companion.evening.screens.play.round_over import RoundOver
from companion.evening.screens.private.hints import LookAway
from companion.evening.session_values import PhoneAccess
from companion.games.api import RefusedError
from companion.inputs import CorrectPieceRequest, KeyPressed, KeyReleased
from companion.panel import widgets
from companion.panel.canvas import Canvas
from companion.rounds import on_table
from companion.table.phone_view import client_snapshot
from companion.table.public_state import public_state

PHONES = {"Ann": "a" * 64, "Ben": "b" * 64}


def ask(table, name: str, what: str, text: str = "") -> str:
    """The reply to a request of a player's phone: "" where it was granted."""
    return table.request(PHONES[name], what, text)


@pytest.fixture
def table(new_table):
    """Coral Reef with both hands known; Ann has entered a K that is really a Q."""
    made = new_table("coral-reef", opened=(("deal", 1), ("deal", 2)))
    made.wait(3)
    made.session = made.session._replace(
        phones=PhoneAccess(is_on=True, player_phones=tuple((phone, name) for name, phone in PHONES.items()))
    )
    assert ask(made, "Ann", "deal", "deal A 2 3 4 5 6 7 K") == ""
    return made


def named_pieces(table, name: str) -> list:
    return client_snapshot(table.session)["seats"][name]["named"]


def correction_target(table, name: str, piece: str) -> str:
    """Where a player has named a piece, as a request gives it."""
    for each in named_pieces(table, name):
        if piece in each["pieces"]:
            return f"{each['place']} {each['which'][each['pieces'].index(piece)]}"
    raise LookupError(piece)


def test_before_the_first_move_the_owner_corrects_alone(table):
    """A slip in a hand is corrected at once and silently; the other player's half-entered hand is kept."""
    table.type("12")
    before = table.session.screen
    assert isinstance(before, NamingScreen)
    assert ask(table, "Ann", "mend", f"{correction_target(table, 'Ann', 'K')} Q") == ""
    assert table.session.round.deals == (("deal", 1, "A234567Q"),)
    assert table.session.screen == before
    assert ask(table, "Ben", "deal", "deal A A A A 2 2 2 2") == ""
    assert client_snapshot(table.session)["seats"]["Ann"]["pieces"].split() == list("A234567Q")
    assert table.replays_to_itself()


def test_after_a_move_the_other_player_has_to_agree(table):
    """The other player agrees on a phone or at the box; then everybody sees that a piece was corrected."""
    ask(table, "Ben", "deal", "deal A A A A 2 2 2 2")
    assert ask(table, "Ann", "play", "1:45") == ""
    assert ask(table, "Ann", "mend", f"{correction_target(table, 'Ann', 'K')} Q") == ""
    assert table.family == "Ask"
    assert table.session.round.deals[0] == ("deal", 1, "A234567K")
    told = client_snapshot(table.session)
    assert "Ann has named a piece wrongly" in " ".join(told["seats"]["Ben"]["asked"]["lines"])
    assert told["seats"]["Ann"]["asked"] is None
    assert "is not asking you anything" in ask(table, "Ann", "agree")
    assert ask(table, "Ben", "agree") == ""
    assert table.session.round.deals[0] == ("deal", 1, "A234567Q")
    assert table.events == ["1: 1:45"]
    assert isinstance(table.session.screen, Notice)
    assert "corrected" in " ".join(table.session.screen.message_lines)
    assert not {"K", "Q"} & set(" ".join((*table.session.screen.message_lines, table.session.screen.heading)).split())
    assert table.replays_to_itself()


@pytest.mark.parametrize("how", ["decline", "key"])
def test_nothing_is_corrected_without_consent(table, how):
    """The other player's no, on a phone or at the box, leaves everything as it was, also the draft at the box."""
    ask(table, "Ben", "deal", "deal A A A A 2 2 2 2")
    ask(table, "Ann", "play", "1:45")
    table.type("12")
    before = table.session
    ask(table, "Ann", "mend", f"{correction_target(table, 'Ann', 'K')} Q")
    if how == "decline":
        assert ask(table, "Ben", "decline") == ""
    else:
        table.press("*")
    assert (table.session.screen, table.session.round) == (before.screen, before.round)


def test_a_key_meant_for_the_game_agrees_to_nothing(table):
    """An OK right after a phone's question was meant for the screen before."""
    ask(table, "Ben", "deal", "deal A A A A 2 2 2 2")
    ask(table, "Ann", "play", "1:45")
    ask(table, "Ann", "mend", f"{correction_target(table, 'Ann', 'K')} Q")
    table.press("#", apart=0.3)
    assert table.family == "Ask"
    table.press("#", apart=1.0)
    assert table.family == "Notice"


def test_a_correction_that_contradicts_a_move_is_refused(table):
    """A piece that has been played can't become another one. The refusal names the move, and no piece."""
    ask(table, "Ben", "deal", "deal A A A A 2 2 2 2")
    ask(table, "Ann", "play", "1:45")
    before = table.session.round
    ask(table, "Ann", "mend", "1 3 Q")  # This phone still shows the pieces from before the move.
    assert ask(table, "Ben", "agree") == ""
    assert table.session.round == before
    assert table.session.screen.next_line == "First take back move 1: Ann 1:45"
    assert not [line for line in table.saved_lines if line.kind == "mend"]


def test_a_phone_offers_the_pieces_that_are_still_held(table):
    """Like the panel, a phone leaves out the pieces that were played, but counts in the whole hand."""
    ask(table, "Ben", "deal", "deal A A A A 2 2 2 2")
    assert [(each["pieces"], each["which"]) for each in named_pieces(table, "Ann")] == [([*"A234567K"], [*range(8)])]
    assert ask(table, "Ann", "play", "1:45") == ""
    assert [(each["pieces"], each["which"]) for each in named_pieces(table, "Ann")] == [
        ([*"A2367K"], [0, 1, 2, 5, 6, 7])
    ]
    assert ask(table, "Ann", "mend", f"{correction_target(table, 'Ann', 'K')} Q") == ""
    assert ask(table, "Ben", "agree") == ""
    assert table.session.round.deals[0] == ("deal", 1, "A234567Q")


def test_a_drawn_piece_is_corrected_in_its_draw(table):
    """The record then has the corrected draw."""
    ask(table, "Ben", "deal", "deal K K K K Q Q Q Q")
    ask(table, "Ann", "play", "1:45")
    assert ask(table, "Ben", "play", "draw J") == ""
    assert ask(table, "Ben", "mend", f"{correction_target(table, 'Ben', 'J')} Q") == ""
    assert ask(table, "Ann", "agree") == ""
    assert table.events[1] == "2: draw Q"
    assert table.replays_to_itself()


@pytest.mark.parametrize("text", ["", "1", "1 0", "1 0 X", "9 0 Q", "1 99 Q", "-1 0 Q", "2 0 Q", "a b c"])
def test_only_own_pieces_can_be_corrected(table, text):
    """And only to a piece that exists."""
    ask(table, "Ben", "deal", "deal A A A A 2 2 2 2")
    before = table.session.round
    assert "no such piece" in ask(table, "Ann", "mend", text)
    assert table.session.round == before


def test_after_the_result_nothing_can_be_corrected(table):
    """In a finished round a move has to be taken back first."""
    ask(table, "Ben", "deal", "deal A A A A 2 2 2 2")
    table.session = round_actions.play_event(table.session, "1:45")
    table.session = table.session.open_screens(RoundOver())
    assert "busy" in ask(table, "Ann", "mend", "1 0 Q")


@pytest.mark.parametrize("game", ["coral-reef", "prime-attactics", "ziggurat"])
@pytest.mark.parametrize("seed", range(8))
def test_a_corrected_round_equals_one_that_was_named_rightly(new_table, play_round, settings_of_all_games, game, seed):
    """With one piece named wrongly and corrected, the round is the same to the last state."""
    chance = random.Random(seed)
    _, options, players = chance.choice([each for each in settings_of_all_games if each[0] == game])
    played = play_round(game, options, players, chance, share=1.0, longest=12)
    made = new_table(game, names=("Ann", "Ben", "Cleo", "Dan")[:players], opened=tuple(played.deals), **options)
    made.wait(3)
    for key, pieces in played.deals.items():
        made.session = round_actions.enter_holding(made.session, *key, played.rules.format_deal(pieces))
    for _, move in played.events:
        if made.session.round.is_over:
            break
        made.session = round_actions.play_event(made.session, str(move))
    made.carry_out()
    right = made.session.round
    for seat in range(1, players + 1):
        for each in on_table.find_namings(right, seat):
            grid = [piece for row in right.move_input.piece_rows(each.word, right.options) for piece in row]
            which, other = chance.randrange(len(each.pieces)), chance.choice(grid)
            try:
                named, text = on_table.requested_correction(right, seat, CorrectPieceRequest(each.number, which, other))
                wrong = round_actions.correct_pieces(made.session, named.number, text)
            except RefusedError:
                continue
            old = each.pieces[which]
            again = next(one for one in on_table.find_namings(wrong.round, seat) if one.number == each.number)
            named, text = on_table.requested_correction(
                wrong.round, seat, CorrectPieceRequest(each.number, again.pieces.index(other), old)
            )
            back = round_actions.correct_pieces(wrong, named.number, text)
            assert (back.round.deals, back.round.events, back.round.states) == (right.deals, right.events, right.states)


# -- at the panel ---------------------------------------------------------------------------------------------------


def coral_reef(new_table):
    """Coral Reef with both hands known; Ann has handed in a K that is really a Q, Ben is entering his hand."""
    made = new_table("coral-reef", opened=(("deal", 1), ("deal", 2)))
    made.wait(3)
    made.type("1234567D#")
    return made


def open_correction_menu(table) -> None:
    """Open the own pieces of the only player, or the first one, with any, through the table menu."""
    table.choose("Correct a piece")
    if table.family == "Menu":
        table.press("1")
    assert table.family == "LookAway"
    table.press("#")
    assert table.family == "CorrectionScreen"


def test_at_the_panel_a_piece_is_corrected_before_the_round(new_table):
    """The table menu leads to the own hand: move to a piece, OK, type the right one. The other pieces stay."""
    table = coral_reef(new_table)
    open_correction_menu(table)
    assert table.session.screen.pieces == tuple("A234567K")
    table.press("D")
    assert table.session.screen.cursor_index == 7
    table.press("#", "C")
    assert table.session.round.deals == (("deal", 1, "A234567Q"),)
    assert (table.family, table.session.screen.message_lines) == ("Notice", ("corrected a piece",))
    table.wait(1)
    table.press("#")
    assert table.family == "Dealing"
    table.type("11112222#")
    assert table.family == "Playing"
    assert table.replays_to_itself()


def test_at_the_panel_a_piece_is_corrected_with_buttons(new_table):
    """Arrows move over the pieces, OK shows the picker on the wrong one, arrows and OK pick the right one."""
    table = coral_reef(new_table)
    table.choose("Correct a piece")
    assert table.family == "LookAway"
    table.press("ok", "left", "ok")
    assert table.session.screen.picker_position is not None
    table.press("left", "ok")
    assert table.session.round.deals == (("deal", 1, "A234567Q"),)


def test_half_a_tile_shows_its_sign_and_not_the_key(new_table):
    """C types ×, and the owner reads what is printed on the tile."""
    table = new_table("prime-attactics", opened=[("deal", 1)])
    table.session = round_actions.enter_holding(table.session, "deal", 1, "+1 +2 +3 +4 +5 +6 +7 -1")
    table.choose("Correct a piece")
    table.press("#", "C")
    assert table.session.screen.content(table.session).new == "×_"


def test_the_picker_starts_on_the_wrong_piece(new_table, monkeypatch):
    """OK takes what is marked. On the piece as it is, OK says that it keeps it, also once the round runs."""
    table = new_table("prime-attactics", opened=[("deal", 1)])
    table.session = round_actions.enter_holding(table.session, "deal", 1, "+1 +2 +3 +4 +5 +6 +7 -1")
    table.session = round_actions.play_event(table.session, "+7")
    table.choose("Correct a piece")
    table.press("right", "ok")
    marked, footers = [], []
    tag, footer = Canvas.tag, widgets.draw_footer
    monkeypatch.setattr(Canvas, "tag", lambda *given, lit=True: marked.extend(given[3:4] * lit) or tag(*given, lit=lit))
    monkeypatch.setattr(widgets, "draw_footer", lambda *given: footers.append(given[1]) or footer(*given))
    display.session_picture(table.session)
    assert "+2" in marked
    assert footers == [("OK", "keep it")]
    table.press("right")
    display.session_picture(table.session)
    assert footers[-1] == ("OK", "replace")


def test_at_the_panel_a_correction_after_a_move_asks_the_other_player(new_table):
    """The moves are kept, and everybody is told."""
    table = coral_reef(new_table)
    table.type("11112222#")
    table.type("145#")
    assert table.events == ["1: 1:45"]
    open_correction_menu(table)
    table.press("D", "#", "C")
    assert table.family == "Ask"
    assert table.session.round.deals[0] == ("deal", 1, "A234567K")
    table.press("#")
    assert table.session.round.deals[0] == ("deal", 1, "A234567Q")
    assert table.events == ["1: 1:45"]
    assert table.family == "Notice"
    assert table.replays_to_itself()


def test_played_pieces_are_not_offered(new_table):
    """They lie on the table for all to see, so the cursor only moves over the pieces that are still held."""
    table = coral_reef(new_table)
    table.type("11112222#")
    table.type("145#")
    open_correction_menu(table)
    assert table.session.screen.pieces == tuple("A2367K")
    table.press("B", "B", "#", "9")
    assert table.family == "Ask"
    table.press("#")
    assert table.session.screen.message_lines == ("corrected a piece",)
    assert table.session.round.deals[0] == ("deal", 1, "A245679K")


@pytest.mark.parametrize("game", ["coral-reef", "prime-attactics", "ziggurat"])
def test_exactly_the_held_pieces_can_be_corrected(new_table, play_round, settings_of_all_games, game):
    """At every moment of a round with open hands each held piece is offered, as often as it is held."""
    for seed in range(3):
        chance = random.Random(seed)
        _, options, players = chance.choice([each for each in settings_of_all_games if each[0] == game])
        played = play_round(game, options, players, chance, share=1.0)
        names = ("Ann", "Ben", "Cleo", "Dan")[:players]
        made = new_table(game, names=names, opened=tuple(played.deals), **options)
        made.wait(3)
        for key, pieces in played.deals.items():
            made.session = round_actions.enter_holding(made.session, *key, played.rules.format_deal(pieces))
        for _, move in played.events:
            round_ = made.session.round
            for seat in range(1, players + 1):
                offered = [named.pieces[which] for named, which in on_table.correctable_pieces(round_, seat)]
                held = round_.move_input.held_pieces(round_.game.seat_view(round_.state, seat), seat)
                assert sorted(offered) == sorted(held)
            made.session = round_actions.play_event(made.session, str(move))


def test_a_refused_hand_leads_to_its_wrong_piece(new_table):
    """After the refusal another OK leads to the pieces. BACK keeps what was entered, and nothing is erased."""
    table = new_table("ziggurat", opened=(("deal", 1),))
    table.wait(3)
    table.type("66" * 14 + "#")
    assert table.family == "Refusing"
    table.press("#", "#")
    assert table.family == "LookAway"
    table.press("*")
    assert table.family == "Dealing"
    assert len(table.session.screen.pieces) == 14


def test_back_on_a_whole_hand_erases_its_last_piece(new_table):
    """As it does for each piece before; then OK shows the others to their owner, and one is corrected."""
    table = new_table("coral-reef", opened=(("deal", 1),))
    table.wait(3)
    table.type("12345678")
    table.press("*")
    assert (table.family, table.session.screen.pieces) == ("Dealing", tuple("A234567"))
    table.press("#")
    assert table.family == "LookAway"
    table.press("#")
    assert table.session.screen.pieces == tuple("A234567")
    table.press("#", "9", "8", "#")
    assert table.session.round.deals == (("deal", 1, "A2345689"),)


def test_ok_shows_the_pieces_typed_so_far(new_table):
    """Where they are typed, it can do nothing else before all are named."""
    table = new_table("coral-reef", opened=(("deal", 1),))
    table.wait(3)
    table.type("123#")
    assert table.family == "LookAway"
    table.press("#")
    assert table.session.screen.pieces == tuple("A23")
    table.press("*")
    assert (table.family, table.session.screen.pieces) == ("Dealing", tuple("A23"))
    table.press("#", "*")
    assert table.session.screen.pieces == tuple("A23"), "nothing is erased before the hand is whole"


def test_a_held_ok_button_shows_the_pieces_until_it_is_released(new_table):
    """A short press only adds a piece, a long one adds none. Clients get the privacy screen meanwhile."""
    table = new_table("coral-reef", opened=(("deal", 1),))
    table.wait(3)
    table.press("right", "ok")
    table.wait(0.5)
    table.take_input(KeyReleased("ok", table.now))
    table.wait(2)
    assert table.family == "Dealing"
    table.take_input(KeyPressed("ok", table.now))
    table.wait(1)
    assert len(table.session.screen.pieces) == 1
    assert isinstance(public_session(table.session).screen, LookAway)
    table.take_input(KeyReleased("ok", table.now))
    assert (table.family, len(table.session.screen.pieces)) == ("Dealing", 1)


def test_pieces_that_lie_face_up_are_erased_by_one_back(new_table):
    """They are on the panel anyway."""
    table = new_table("prime-attactics", opened=(("deal", 1),))
    table.wait(3)
    table.type("A1A2A3A4A5A6A7B1*")
    assert (table.family, len(table.session.screen.pieces)) == ("Dealing", 7)


def test_shown_pieces_are_hidden_after_a_while(new_table):
    """If nobody presses a key, the privacy screen is back."""
    table = coral_reef(new_table)
    open_correction_menu(table)
    table.wait(HIDE_AFTER_SECONDS + 1)
    assert table.family == "LookAway"
    table.press("#", "#")
    table.press("doctor")
    table.press("*")
    assert table.family == "LookAway"


def test_big_screens_and_phones_do_not_see_the_pieces(new_table):
    """While a player corrects a piece, the others are shown the privacy screen."""
    table = coral_reef(new_table)
    table.choose("Correct a piece")
    asked = public_state(table.session)["panel"]
    table.press("ok")
    assert table.family == "CorrectionScreen"
    assert public_state(table.session)["panel"] == asked


def test_where_nothing_was_named_nothing_can_be_corrected(new_table):
    """The menu then has no entry for it."""
    table = new_table("coral-reef")
    table.wait(3)
    table.press("*")
    assert "Correct a piece" not in list_texts(table.session)


def test_while_a_piece_is_to_be_named_nobody_is_to_move(new_table):
    """A player who has moved and still has to name the drawn piece isn't asked to move again."""
    made = new_table("prime-attactics", opened=(("deal", 1), ("deal", 2)))
    made.wait(3)
    paired = tuple((phone, name) for name, phone in PHONES.items())
    made.session = made.session._replace(phones=PhoneAccess(is_on=True, player_phones=paired))
    for name in PHONES:
        assert ask(made, name, "deal", "deal +2 +3 +6 -2 -4 x4 x6 Dx") == ""
    assert ask(made, "Ann", "play", "+2") == ""
    assert made.session.round.move_input.due_refill(made.session.round.state) is not None
    assert ask(made, "Ann", "mend", f"{correction_target(made, 'Ann', '+6')} +7") == ""
    assert ask(made, "Ben", "agree") == ""
    assert isinstance(made.session.screen, Notice)
    assert (made.session.screen.message_lines, made.session.screen.next_line) == (("corrected a piece: +6 → +7",), "")
