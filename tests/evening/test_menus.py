"""Menus are fixed lists for a keypad: A to D are arrows, digits never change, and what can't be used is missing."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from list_screens import digit_of_line, key_words, line_under_cursor, list_lines, list_texts

from companion.evening.model import Session
from companion.evening.screens.lists import LAST_DIGIT_POSITION, ListScreen, MenuItem, MenuScreen, TextPage
from companion.evening.screens.main_menu import MainMenu
from companion.evening.screens.name_screens import SpellingScreen
from companion.evening.screens.pad.pad_play import PadScreen
from companion.evening.screens.play import round_actions
from companion.evening.screens.play.table_menu import TableMenu
from companion.evening.session_values import PhoneAccess
from companion.inputs import QueryResult, Request, StoredRoundRequest
from companion.panel.canvas import Canvas
from companion.rounds import record, replaying, standings
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory
from companion.store.store import Store

GAMES = ["Coral Reef", "27", "Prime Attactics", "Ziggurat", "Score pad"]
AT_TABLE = ["I can't move", "Give me a hint", "Could I have moved?", "How to play", "Hints: off",
            "Standings", "Phones: switch on", "Back to set-up", "Leave the round"]  # fmt: skip
FIRST_MOVES = {"27": "11#", "coral-reef": "0#", "prime-attactics": "A1#", "ziggurat": "6344B#"}


def test_entries_of_the_main_menu_keep_their_digits(new_table):
    """Whatever was played last, each game keeps its digit; only the cursor is on the last one."""
    for last, cursor in ((), 0), (("ziggurat", "27"), 3), (("pad",), 4), (("go", "27"), 1):
        table = new_table(history=StoredHistory(last_games=last))
        table.wait(3)
        assert list_texts(table.session) == GAMES
        assert table.session.screen.cursor == cursor


@pytest.mark.parametrize("game", ["27", "coral-reef", "prime-attactics", "ziggurat"])
def test_the_table_menu_begins_with_this_turn(new_table, game):
    """Then come the round and the evening. What can't be used now is missing, and its digit stays free."""
    table = new_table(game)
    table.press("9", "*")
    if table.family == "Playing":  # BACK only erased a key.
        table.press("*")
    missing = set() if game in ("coral-reef", "prime-attactics") else {"I can't move", "Could I have moved?"}
    for switched in (False, True):
        table.session = table.session._replace(switches=table.session.switches._replace(hints=switched))
        lines = *AT_TABLE[:3], *table.session.round.manifest.pages.values(), *AT_TABLE[3:]
        expected = [words.replace("Hints: off", "Hints: on") if switched else words for words in lines]
        assert list_texts(table.session) == [words for words in expected if words not in missing]
    digits = {line.words: line.place for line in list_lines(table.session)}
    assert digits["Leave the round"] == LAST_DIGIT_POSITION
    table.press("*", *FIRST_MOVES[game], "*")
    after = {line.words: line.place for line in list_lines(table.session)}
    assert after.pop("Take back") == 0
    assert after == {label: digit for label, digit in digits.items() if label in after}


def test_switching_hints_keeps_the_cursor(new_table):
    """Its row stays where it is, under the cursor, whatever it says."""
    table = new_table("27")
    table.wait(3)
    table.press("back")
    down = list_texts(table.session).index("Hints: off")
    table.press(*["down"] * down, "ok")
    assert list_texts(table.session)[table.session.screen.cursor] == "Hints: on"
    table.press("ok")
    assert list_texts(table.session)[table.session.screen.cursor] == "Hints: off"


def test_no_digit_is_there_twice(new_table):
    """Each has its own through a round, and 0 always leaves it; the cursor reaches those behind the ninth."""
    table = new_table("prime-attactics")
    table.session = table.session._replace(switches=table.session.switches._replace(hints=True))
    table.press("0", "*", "*")
    content = table.session.screen.content(table.session)
    digits = [content.digit_of(line) for line in content.lines]
    assert "".join(digit or "-" for digit in digits) == "23456789--0"  # 1 stays free for Take back.
    table.press("0")
    assert (table.family, table.session.screen.title) == ("Ask", "Leave the round?")


def test_zero_leaves_the_table(new_table):
    """Also a score pad, whose menu is shorter, and a finished one."""
    table = new_table()
    table.press("5", "1", "2", "1", "1", "#", *"12#", "*", "0")
    assert table.session.screen.title == "Leave the game?"


def test_a_hint_is_offered_while_hints_are_off(new_table):
    """Everybody is asked first whether there shall be hints; a yes gives the first one."""
    table = new_table("27")
    table.choose("Give me a hint")
    assert (table.family, table.session.switches.hints) == ("Ask", False)
    table.press("#")
    assert table.session.switches.hints
    assert type(table.session.screen).__name__ == "Hint"


@pytest.mark.parametrize("game", ["coral-reef", "prime-attactics"])
def test_i_cant_move_is_an_entry_of_the_menu(new_table, game):
    """It enters what its key enters, and OK then plays it."""
    table = new_table(game)
    table.press("0")
    by_key = table.session.screen
    table.press("*", "*")
    table.press(digit_of_line(table.session, "I can't move"))
    assert table.session.screen == by_key
    table.press("#")
    assert len(table.events) == 1


def test_could_i_have_moved_also_checks_the_last_claim(new_table):
    """After "I can't move" the answer is about this turn and about the claim before it: which move, and whose."""
    table = new_table("coral-reef")
    table.type("0#")
    table.choose("Could I")
    said = " ".join(table.session.screen.lines)
    assert "Ann's pieces are secret" in said
    assert "Ann drew at move 1" in said


def test_the_cursor_starts_on_the_main_menu_after_a_round(new_table, play_round):
    """After a round `* #` leads to the main menu."""
    table = new_table("27")
    played = play_round("27", {"variant": "basic"}, 2, random.Random(1))
    for _, event in played.events:
        table.session = round_actions.play_event(table.session, str(event))
    table.press("*")
    line = line_under_cursor(table.session)
    assert line.words == "Main menu"
    table.press("#")
    assert isinstance(table.session.screen, MainMenu)


def test_every_entry_can_be_reached_with_a_keypad(new_table):
    """A and C move through a list to its last entry, and D and B from page to page; the picture shows the entry."""
    table = new_table()
    items = tuple(MenuItem(f"Entry {number}", Session.show_base_screen) for number in range(1, 21))
    table.wait(3)
    table.session = table.session.open_screens(ListScreen("History", (), items))
    seen = {table.picture.tobytes()}
    for number in range(1, 20):
        table.press("C")
        assert table.session.screen.cursor == number
        seen.add(table.picture.tobytes())
    assert len(seen) == 20
    table.press("A")
    assert table.session.screen.cursor == 18
    for key, cursor in (("D", 9), ("D", 0), ("D", 18), ("B", 0), ("C", 1), ("B", 9), ("B", 18), ("B", 0)):
        table.press(key)
        assert table.session.screen.cursor == cursor
    assert [hint.says for hint in table.session.screen.content(table.session).key_hints if hint.key == "right"] == [
        "page"
    ]


def test_a_list_of_one_page_has_no_ends_to_jump_to(new_table):
    """Left, right and 0 do nothing there, so that nobody lands on an entry that was not meant."""
    table = new_table()
    items = tuple(MenuItem(f"Entry {number}", Session.show_base_screen) for number in range(1, 10))
    table.wait(3)
    table.session = table.session.open_screens(ListScreen("History", (), items, cursor=3))
    table.press("D", "B", "0")
    assert table.session.screen.cursor == 3
    assert not [hint for hint in table.session.screen.content(table.session).key_hints if hint.key == "right"]


def test_a_keypads_letters_keep_the_keypads_key_hints(new_table):
    """A to D are arrows, and the hints remain # and *, and the keys that scroll."""
    table = new_table("27")
    table.press("*")
    shown = table.picture.tobytes()
    table.press("C", "A")
    assert table.picture.tobytes() == shown
    table.press("down", "up")
    assert table.picture.tobytes() != shown


def test_seats_are_swapped_with_a_keypad(new_table):
    """B and D move everybody up or down a seat."""
    for key in "BD":
        table = new_table()
        table.to_players("2")
        table.press(key)
        assert table.session.screen.setup.names == ("Ben", "Ann")


def test_a_page_is_turned_with_a_keypad(new_table):
    """C and A turn a page, and don't close it."""
    table = new_table("27")
    table.session = table.session.open_screens(TextPage(("Long", *["word " * 30] * 3)))
    first = table.picture.tobytes()
    table.press("C")
    assert table.picture.tobytes() != first
    table.press("A")
    assert table.picture.tobytes() == first


def test_letters_spell_in_a_terminal_and_are_arrows_on_a_keypad(new_table):
    """While a name is spelled, A is a letter on a keyboard; on a keypad it does nothing there."""
    for terminal, name in ((True, "Aa"), (False, "A")):
        table = new_table()
        table.to_players("2")
        table.press("1")
        table.session = table.session.open_screens(
            SpellingScreen("New name", "seat 1", lambda session, name: session, "A")
        )
        table.session = table.session._replace(settings=table.session.settings._replace(is_terminal=terminal))
        table.press("A")
        assert table.session.screen.name_text == name


def test_the_owner_is_chosen_where_several_hands_are_known(new_table):
    """My pieces asks whose. The digit is that of the seat."""
    table = new_table("coral-reef", opened=(("deal", 1), ("deal", 2)))
    table.type("12345678#12345678#")
    table.choose("My pieces")
    assert list_texts(table.session) == ["Ann", "Ben"]
    table.press("2")
    assert (table.family, table.session.screen.seat) == ("LookAway", 2)


def test_back_hides_the_pieces_at_once(new_table):
    """Nobody has to wait; any other key changes nothing."""
    table = new_table("coral-reef", opened=(("deal", 1),))
    table.type("12345678#")
    table.choose("My pieces")
    table.press("#", apart=0.8)
    assert table.family == "Peek"
    table.press("5", apart=0.1)
    assert table.family == "Peek"
    table.press("*", apart=0.1)
    assert table.family == "Playing"


def test_the_letters_of_the_score_pad(new_table):
    """A and C are plus and minus, D and B the player before and after."""
    table = new_table()
    table.press("5", "1", "3", "1", "1", "2", "#")
    table.press("C", "5", "B", apart=0.2)
    assert (table.session.pad.pad.entries, table.session.screen.seat) == (((1, -5),), 2)
    table.press("D", "D", apart=0.2)
    assert table.session.screen.seat == 3
    table.press("C", "A", "7", "#", apart=0.2)
    assert table.session.pad.pad.entries[-1] == (3, 7)


def test_a_number_up_to_a_million_fits(new_table):
    """Seven digits make a million. A digit too many changes nothing, and the panel says so, also for the target."""
    table = new_table()
    table.press("5", "1", "2", "1", "2")
    table.press(*"1000000")
    silent = table.picture.tobytes()
    table.press("0")
    assert (table.session.screen.typed_digits, table.picture.tobytes() != silent) == ("1000000", True)
    table.press("#", "#", "#")  # The first asks about the digit that was left out.
    assert isinstance(table.session.screen, PadScreen)
    table.press(*"999999", apart=0.1)
    silent = table.picture.tobytes()
    table.press("9", apart=0.1)
    assert (table.session.screen.typed_digits, table.picture.tobytes() != silent) == ("999999", True)
    table.press("#", "#")
    assert table.session.pad.pad.entries == ((1, 999_999),)


def test_a_typed_name_is_offered_from_then_on(new_table):
    """It is in the list even if no round was begun with it."""
    table = new_table()
    table.session = table.session._replace(settings=SessionSettings(is_terminal=True))
    table.to_players("2")
    table.press("1", "1", *"ZOE", "#")
    table.press("*", "*", "*", "*", "*")
    assert isinstance(table.session.screen, MenuScreen)
    assert "Zoe" in table.session.history.player_names


def between_rounds(table_class, play_round):
    """A table at which the first round of a match to two was played, and its saved events."""
    table = table_class(
        SessionSettings((), RoundHeader("27", (("variant", "basic"),), ("Ann", "Ben"), 2)), StoredHistory()
    )
    table.press("*")
    played = play_round("27", {"variant": "basic"}, 2, random.Random(3))
    for _, event in played.events:
        table.session = round_actions.play_event(table.session, str(event))
    table.carry_out()
    table.wait(2)
    return table


def test_leaving_a_match_asks_first(table_class, play_round):
    """`* #` between two rounds warns, and says how to resume the match; any other key stays."""
    table = between_rounds(table_class, play_round)
    table.press("*", "#")
    assert (table.family, table.session.screen.lines) == (
        "Ask",
        ("It is saved. Go on from the box's History.",),
    )
    table.press("#", apart=0.2)
    assert table.family == "Ask"
    table.press("*")
    assert table.family == "RoundOver"
    table.press("*", "#", "#")
    assert isinstance(table.session.screen, MainMenu)


def test_a_match_is_stopped_from_its_score(table_class, play_round):
    """BACK on the score opens the menu on that entry, and only a yes stops it."""
    table = between_rounds(table_class, play_round)
    table.press("#")
    assert key_words(table.session, "back") == "menu"
    table.wait(2)
    table.press("*")
    assert line_under_cursor(table.session).words == "Stop the match"
    table.press("#")
    assert table.session.screen.title == "Stop the match?"
    table.wait(2)
    table.press("#")
    assert isinstance(table.session.screen, MainMenu)


def test_a_match_that_was_left_is_resumed_from_the_history(table_class, play_round, tmp_path):
    """Its last round's page offers that; the page of an earlier round doesn't, nor that of a won match."""
    table = between_rounds(table_class, play_round)
    first = table.session.round
    store = Store(tmp_path)
    store.write_entries(table.saved_lines)
    assert store.is_match_open(1)
    table.press("*", "#", "#", "*", "6")
    table.session = table.session._replace(outbox=table.session.outbox._replace(requests=()))
    table.take_input(QueryResult(Request.HISTORY, tuple(store.summaries()), table.now))
    table.take_input(
        QueryResult(
            StoredRoundRequest(1), (store.load_round(1), store.summaries()[0], store.is_match_open(1)), table.now
        )
    )
    table.press("#", "#")
    assert (table.family, table.session.round.header) == ("Playing", standings.next_round_header(first))
    so_far = len(store.round_numbers())
    table.press("1", "1", "#")
    store.write_entries([line for line in table.saved_lines if line.round == 2])
    assert (so_far, store.round_numbers(), store.is_match_open(1), store.is_match_open(2)) == (1, [1, 2], False, False)
    store.close()


def test_a_won_match_is_left_without_a_question(table_class, play_round):
    table = between_rounds(table_class, play_round)
    won = table.session.round._replace(header=table.session.round.header._replace(goal=1))
    table.session = table.session._replace(round=won)
    table.press("*", "#")
    assert isinstance(table.session.screen, MainMenu)


def pick_into(picked, words):
    """An action that opens nothing, and only adds the words to the list of what was picked."""

    def opens(session):
        picked.append(words)
        return session

    return opens


def test_a_digit_picks_the_entry_beside_it(new_table, monkeypatch):
    """On every page of a long menu: nine entries a page, and each page counts from 1."""
    picked: list[str] = []
    items = tuple(MenuItem(words, pick_into(picked, words)) for words in (f"Entry {number}" for number in range(1, 21)))
    written = []
    text = Canvas.text
    monkeypatch.setattr(
        Canvas, "text", lambda c, x, y, s, *more, **how: written.append((y, s)) or text(c, x, y, s, *more, **how)
    )
    table = new_table()
    table.wait(3)
    for cursor in range(20):
        menu = ListScreen("", (), items, cursor)
        table.session = table.session.replace_screen(menu)
        written.clear()
        assert table.picture
        digits = {y: said for y, said in written if said.isdigit()}
        labels = {y: said for y, said in written if said.startswith("Entry")}
        assert digits.keys() == labels.keys()
        for y, digit in digits.items():
            menu.press(table.session, digit)
            assert picked.pop() == labels[y]


def test_the_entry_of_phones_says_whether_they_are_on(new_table):
    """As hints and clock do."""
    table = new_table()
    table.wait(3)
    for switched, said in ((False, "Phones: switch on"), (True, "Phones: on")):
        table.session = table.session._replace(phones=PhoneAccess(is_on=switched))
        table.press("*")
        assert said in list_texts(table.session)
        table.press("*")


def test_the_takeback_entry_names_its_target_before_the_first_event(new_table):
    """On a fresh pad or round that is the result before, or the setup; after an entry it says "Take back" again."""
    table = new_table()
    table.press("5", "1", "2", "1", "1", "#")

    def first():
        table.press("*")
        labels = [words for words in list_texts(table.session) if words.startswith(("Back to", "Take back"))]
        table.press("*")
        assert len(labels) == 1
        return labels[0]

    assert first() == "Back to set-up"
    table.press(*"5#")
    assert first() == "Take back"
    table.choose("End the game")
    table.press("#", "#")
    assert (table.family, first()) == ("Scoring", "Back to the result")
    table = new_table("27")
    table.wait(3)
    assert first() == "Back to set-up"
    table.press(*"11#")
    assert first() == "Take back"


def test_leaving_a_round_says_whether_it_is_saved(new_table):
    """A round without events isn't in the history afterwards, and the question doesn't say that it is saved."""
    table = new_table("27")
    table.choose("Leave the", "Main menu")
    assert table.session.screen.lines == ("Nothing has been played, so it isn't saved.",)
    table.press("*")
    table.type("11#")
    table.choose("Leave the", "Main menu")
    assert table.session.screen.lines == ("Nobody has won. Go on later from the box's History.",)


RECORDS = Path(__file__).parents[1] / "records"


@pytest.mark.parametrize(("kept", "word"), [("coral-reef-sealed", "missed moves"), ("27-basic", "new round")])
def test_ok_on_a_result_is_labelled_claims_if_there_are_false_ones(new_table, kept, word):
    """OK is "missed moves" where one is proven, and "new round" where none is."""
    played = replaying.replay_record(record.check_record((RECORDS / f"{kept}.tcr").read_text("utf-8")))
    table = new_table(played.header.game, played.header.names, **dict(played.header.options))
    for seat, event in played.events:
        assert table.session.round.turn == seat
        table.session = round_actions.play_event(table.session, event)
    table.wait(3)
    while table.family == "Notice":
        table.press("#")
    ok = next(each for each in table.session.screen.content(table.session).key_hints if each.key == "ok")
    assert (table.family, ok.says) == ("RoundOver", word)
    table.wait(2)
    table.press("#")
    assert (type(table.session.screen).__name__ == "FalseClaimsPage") is (word == "missed moves")


def test_the_last_false_claim_says_what_follows(new_table):
    """OK leads from claim to claim, and from the last one to another round, which the key hint says."""
    played = replaying.replay_record(record.check_record((RECORDS / "coral-reef-sealed.tcr").read_text("utf-8")))
    table = new_table(played.header.game, played.header.names, **dict(played.header.options))
    for _, event in played.events:
        table.session = round_actions.play_event(table.session, event)
    table.wait(3)
    while table.family == "Notice":
        table.press("#")
    table.wait(2)
    table.press("#")
    said = []
    while table.session.round.is_over:
        said.append(key_words(table.session, "ok"))
        table.wait(2)
        table.press("#")
    assert said == [*["next"] * (len(said) - 1), "new round"]


def test_could_i_have_moved_waits_for_a_drawn_piece(new_table):
    """While a tile is to be named, nobody is told that there is no move."""
    table = new_table("prime-attactics", opened=(("deal", 1), ("rack", 1)))
    table.type("A1B2C3A2A7B7A3B3#")
    table.type("D2D3D4D5#")
    table.type("A1#")
    assert table.family == "Dealing"
    table.press("*")
    item = next(each for each in TableMenu().items(table.session) if each.label == "Could I have moved?")
    assert item.unavailable_reason == "First say what was drawn."


def test_in_a_game_without_passes_only_a_skipped_player_asks(new_table):
    """In Ziggurat the round ends when nobody can move, and in 27 a player without a move is skipped."""
    for game in "ziggurat", "27":
        table = new_table(game)
        assert "Could I have moved?" not in [each.label for each in TableMenu().listed_items(table.session)]
    rng = random.Random(3)
    while not (round_ := table.session.round).game.skipped_seats(round_.state):
        moves = round_.game.legal_moves(round_.state)
        table.session = round_actions.play_event(table.session, str(rng.choice(list(moves))))
    table.session = table.session.show_base_screen()
    table.choose("Could I have moved?")
    assert " was skipped: " in table.session.screen.lines[2]
    table.press("*")
    assert table.family == "Playing"


def test_leaving_a_further_round_says_that_the_match_is_saved(new_table):
    """The round before is saved, and with it the match."""
    table = new_table("27")
    header = table.session.round.header._replace(goal=2, number=2, wins=(("Ann", 1),))
    table.session = round_actions.begin_round(table.session, header)
    table.choose("Leave the")
    assert table.session.screen.lines == ("The match is saved, this round isn't. Go on from the box's History.",)
    table = new_table("27")
    table.session = round_actions.begin_round(table.session, table.session.round.header._replace(number=2))
    table.choose("Leave the")
    assert table.session.screen.lines == ("Nothing has been played, so it isn't saved.",)
