"""What is said after a key: only what is new, only to whom it may be said, and never twice."""

from __future__ import annotations

import random

import pytest
from game_support import support_of_game

from companion import games
from companion.evening.screens.messages import Notice
from companion.evening.screens.pages import open_help
from companion.games.twenty_seven import rules
from companion.rounds.stored import RoundHeader, SessionSettings
from companion.voice import spoken

HAND = "57788991"
HAND_SAID = "5 7 7 8 8 9 9"


def test_moving_a_cursor_says_only_what_is_under_it(heard_table):
    table = heard_table()
    assert table.heard.startswith("5 entries. 1. Coral Reef. ")
    assert "a digit chooses. hash: choose. star: more" in table.heard
    assert table.key("C").startswith("2. 27.")
    assert "entries" not in table.heard
    assert "Enter: choose" in table.repeat()


def test_a_key_that_does_nothing_is_answered(heard_table):
    table = heard_table(SessionSettings(("Ann", "Ben"), RoundHeader("27", (), names=("Ann", "Ben"))))
    assert table.key("#") != ""
    assert table.key("#") == "This key does nothing here."
    assert table.key("D") == "there is no field divide."


def test_a_refusal_does_not_repeat_the_move_before_it(heard_table):
    table = heard_table(SessionSettings(("Ann", "Ben"), RoundHeader("27", (), names=("Ann", "Ben"))))
    assert table.key("1", "2", "#").startswith("Ann moved 2 from 1 to 2. Ben's turn.")
    assert table.key("1", "#").startswith("Not allowed. field 1. Ann's disc is on top.")
    assert table.key("*").startswith("Ben's turn. field 1. not yours. not allowed.")
    assert "Ann moved 2 from 1 to 2" in table.repeat()


def test_players_who_see_hear_moves_refusals_and_results_alone(heard_table):
    """With the level "table" no cursor, no key and no menu is said."""
    table = heard_table(SessionSettings(("Ann", "Ben"), RoundHeader("27", (), names=("Ann", "Ben"))), level="table")
    said = [table.key(key) for key in ("1", "2", "#", "*", "C", "*", "1", "#", "*", "*")]
    assert [each for each in said if each] == [
        "Ann moved 2 from 1 to 2. Ben's turn.",
        "Not allowed. field 1. Ann's disc is on top. your own disc must be on top.",
    ]


def test_the_board_is_read_part_by_part_and_from_the_start_after_another_key(heard_table):
    table = heard_table(SessionSettings(("Ann", "Ben"), RoundHeader("27", (), names=("Ann", "Ben"))))
    parts = table.read_board()
    assert parts[:2] == ["Ann's turn. 1 step, towards field 9.", "Field 1, from the top: 9 of Ann, a red"]
    assert len(parts) == 10
    table.key("1")
    assert table.narrator.next_part(table.session) == "Ann's turn. 1 step, towards field 9."


def test_who_asks_hears_what_each_key_enters(heard_table):
    """Also the keys whose names on a number pad are signs: of Ziggurat's ways, and of Prime Attactics' signs."""
    table = heard_table(SessionSettings(("Ann", "Ben"), RoundHeader("ziggurat", (), names=("Ann", "Ben"))))
    table.key("#", "6", "3")
    assert "column 1. column 2. column 3." in table.repeat()
    table.key("4", "4")
    assert "plus: up. minus: right. times: down. divide: left." in table.repeat()


@pytest.mark.parametrize(
    ("has_keypad", "device", "words"),
    [
        (False, "", "While back is held down, up says everything once more, and down reads the table."),
        (True, "number pad", "Num Lock says everything once more, and pressed twice it reads the table."),
        (True, "keyboard", "F1 says everything once more, and F2 reads the table."),
        (True, "", ""),
    ],
)
def test_the_keys_of_the_voice_are_said_once_for_each_device(heard_table, has_keypad, device, words):
    """With the first words for it. A keypad has none."""
    table = heard_table(SessionSettings(has_keypad=has_keypad))
    table.session = table.session._replace(key_device=device)
    assert words in table.listen(is_pressed=False) + table.all_heard[0]
    assert sum(words in said for said in table.all_heard) == (1 if words else len(table.all_heard))


@pytest.mark.parametrize(("earphone", "is_said"), [("", False), ("Ben", False), ("Ann", True)])
def test_a_hand_is_said_only_to_its_owner_alone(heard_table, earphone, is_said):
    """After the others were asked to look away, and only into this player's ear."""
    header = RoundHeader("coral-reef", (), names=("Ann", "Ben"), opened=(("deal", 1),))
    table = heard_table(SessionSettings(("Ann", "Ben"), header), earphone=earphone)
    table.key(*HAND[:-1], "#")
    assert "Ben, look away" in table.heard
    table.key("#")
    assert not table.session.screen.is_public
    assert (HAND_SAID in table.repeat().replace(",", "")) == is_said
    wanted = "Only Ann may see this: on the panel, on a phone, or in an earphone. Backspace: back."
    assert is_said or table.heard == wanted
    assert not any(HAND_SAID in said for said in table.all_heard[:-1])


@pytest.mark.parametrize(("earphone", "is_said"), [("", False), ("Ben", False), ("Ann", True)])
def test_a_hand_that_is_named_is_said_to_its_owner_alone(heard_table, earphone, is_said):
    """Each piece, the whole hand before it is handed in, and what a correction has changed; to the others only dots."""
    header = RoundHeader("coral-reef", (), names=("Ann", "Ben"), opened=(("deal", 1),))
    table = heard_table(SessionSettings(("Ann", "Ben"), header), earphone=earphone)
    assert ("5. 1 of 8." if is_said else "hidden. 1 of 8.") in table.key("5")
    said = table.key(*HAND[1:])
    assert said.startswith("5, 7, 7, 8, 8, 9, 9, ace. 8 of 8." if is_said else "hidden. 8 of 8.")
    table.key("#")
    start = len(table.all_heard)
    table.key("*")
    choose_correction(table)
    table.key("#", "4")
    assert any("ace is now 4." in each for each in table.all_heard[start:]) == is_said
    assert is_said or not any("ace" in each.split() for each in table.all_heard[start:])


def choose_correction(table) -> None:
    """Open the correction of Ann's pieces from the table menu."""
    for _ in range(12):
        if "Correct a piece" in table.heard:
            break
        table.key("C")
    table.key("#")
    while table.session.screen.is_public:
        table.key("#")


@pytest.mark.parametrize("earphone", ["", "Ben"])
def test_an_open_display_is_corrected_by_ear(heard_table, earphone):
    """It lies face up, so anybody may hear it; how a double is named is said, and what the sheets say, with names."""
    header = RoundHeader("prime-attactics", (("level", "easy"),), ("Ann", "Ben"), opened=(("deal", 1),))
    table = heard_table(SessionSettings((), header), earphone=earphone)
    assert "number, or 0: double" in table.all_heard[0]
    said = table.key(*"A2A3B4C0C5")
    assert said.startswith("plus 2, plus 3, minus 4, double times, times 5. 5 of 5.")
    table.key("#", "#", "*")
    choose_correction_of_display(table)
    assert "plus 2, plus 3, minus 4, times 5, double times" in table.heard
    assert table.key("C").startswith("plus 3")
    assert spoken.pronounced(table.session, "not yet: its number, 2-5", "prime-attactics").endswith("number, 2 to 5")
    table.key("#", "A", "5")
    assert any("plus 3, plus 5" in each for each in table.all_heard), table.all_heard[-3:]


def choose_correction_of_display(table) -> None:
    """Open the correction of Ann's display from the table menu."""
    for _ in range(12):
        if "Correct a piece" in table.heard:
            break
        table.key("C")
    table.key("#")


@pytest.mark.parametrize("game", games.built_in_game_ids())
def test_every_move_is_told_with_open_hands_too(heard_table, settings_of_all_games, play_round, typed_keys, game):
    """A play whose draw is named at once is told before the question about the draw, and the draw after it."""
    _, options, players = next(each for each in settings_of_all_games if each[0] == game)
    played = play_round(game, options, players, random.Random(2), share=1.0, longest=12)
    opened = tuple(sorted(played.deals, key=lambda held: (held[1], list(played.manifest.holdings).index(held[0]))))
    header = RoundHeader(game, tuple(played.header.options.items()), ("Ann", "Ben"), opened=opened)
    table = heard_table(SessionSettings((), header, has_keypad=True))
    for kind, seat in opened:
        table.key(*support_of_game(game).keys_of_deal(played.rules.format_deal(played.deals[kind, seat])), "#")
    for number, ((_, event), state) in enumerate(zip(played.events, played.states, strict=False)):
        if table.session.has_result:
            break
        at = len(table.all_heard)
        table.key(*typed_keys(game, state, str(event)))
        for _ in range(3):
            if isinstance(table.session.screen, Notice):
                table.key("#")
        assert spoken.move_words(table.session, number) in " ".join(table.all_heard[at:]), str(event)


def test_a_takeback_tells_the_move_that_is_now_the_last(heard_table):
    table = heard_table(SessionSettings((), RoundHeader("27", (), names=("Ann", "Ben"))))
    table.key("1", "2", "#", "9", "3", "#", "*", "#", "#")
    assert table.heard.startswith("A move was taken back. The last move is now: Ann moved 2 from 1 to 2. Ben's turn.")
    table.key("*", "#", "#")
    assert table.heard.startswith("A move was taken back. Ann's turn.")


def test_the_keys_of_a_move_are_said_unasked_in_the_first_turns_alone(heard_table):
    table = heard_table(SessionSettings((), RoundHeader("27", (), names=("Ann", "Ben"))))
    said = [table.key(*keys, "#") for keys in ("12", "98", "12", "92", "12", "82")]
    assert ["Backspace: menu" in each for each in said] == [True, True, True, False, False, False]
    assert "Backspace: menu" in table.repeat()


def test_a_voice_that_is_changed_says_so(heard_table):
    table = heard_table()
    for level, said in (("table", "1. Coral Reef."), ("off", "The voice is off.")):
        table.session = table.session._replace(box=table.session.box._replace(voice=level))
        assert table.listen(is_pressed=True).startswith(said)


def test_level_speed_and_loudness_say_their_new_value_at_each_level_that_speaks(heard_table):
    """Off is followed by everything, so that the key that has switched the voice off brings back the menus."""
    table = heard_table(SessionSettings(has_keypad=True))
    table.key("*")
    for wanted in ("Settings", "Sound"):
        while wanted not in table.heard:
            table.key("C")
        table.key("#")
    assert table.key("1") == "1. Voice: table. moves, but no menus."
    assert table.key("2") == "2. Speed: 4. then 5; divide lowers it."
    assert table.key("1").startswith("The voice is off.")
    assert table.key("1") == "1. Voice: all. to play without seeing."
    table.key("2")
    assert table.heard == "2. Speed: 5. then 1; divide lowers it."
    assert table.key("2") == "2. Speed: 1. then 2; divide lowers it."


def test_what_covers_what_is_said(heard_table, play_round, typed_keys):
    """With the move, and when the table is read."""
    played = play_round("27", games.manifest_of("27").option_defaults, 2, random.Random(2))
    table = heard_table(SessionSettings((), RoundHeader("27", (), names=("Ann", "Ben"))))
    for (seat, event), state in zip(played.events, played.states, strict=False):
        target = rules.target_field(state, seat, event.field)
        covers = state.tops[target - 1] == 3 - seat and target != rules.goal_field(state, seat)
        table.key(*typed_keys("27", state, str(event)))
        assert (f"covered {('Ben', 'Ann')[seat - 1]}'s disc" in spoken.move_words(table.session)) == covers
        if covers:
            assert any(", covering " in part for part in table.read_board())
            return
    raise AssertionError(played.events)


def test_the_keys_of_cards_are_said_in_the_first_turns_alone(heard_table):
    """On a number pad too, where they have names of its own."""
    table = heard_table(SessionSettings((), RoundHeader("coral-reef", (), names=("Ann", "Ben"))))
    assert "for jack, queen and king" in table.key("2")
    table.key("*")
    for _ in range(3):
        table.key(*"0#0#")
    assert "jack" not in table.key("2")


def test_a_name_is_spelled_letter_by_letter_and_said_whole_at_its_end(heard_table):
    table = heard_table(SessionSettings(has_keypad=True))
    table.key(*"3###*#")
    assert [table.key(key) for key in "26B"] == ["A.", "m.", "n."]
    assert "A, n. Enter: done. Backspace: erase." in table.repeat()
    assert table.key("#").startswith("An. Seat 2.")


def test_a_page_of_help_ends_with_its_sentence(heard_table):
    table = heard_table(SessionSettings((), RoundHeader("27", (), names=("Ann", "Ben"))))
    table.session = open_help(table.session, "27")
    table.listen(is_pressed=True)
    table.key("C")
    assert table.heard.startswith("Set up: lay a row of nine fields: a red disc, seven grey ones, a red one. Page 2")
