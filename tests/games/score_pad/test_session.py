"""The score pad at the table: few presses, groups, takebacks, ends, and what is saved."""

import random

import pytest
from examples import example_count
from hypothesis import given, settings
from hypothesis import strategies as st
from list_screens import list_texts

from companion.evening import rest_view, state_machine
from companion.evening.screens.pad.pad_play import PadSheet
from companion.evening.screens.phones import phones_page
from companion.evening.session_values import Outbox
from companion.inputs import (
    BUTTON_KEYS,
    KEYPAD_KEYS,
    TAKE_BACK_KEY,
    CodeIssued,
    KeyPressed,
    PairRequest,
    PhoneRequest,
    StopRequested,
)
from companion.rounds.stored import StoredHistory, StoredRound


@pytest.fixture
def pad(new_table):
    """Makes tables at the first entry of a pad: number of players, then the digits that answer who wins and the end."""

    def made(players=2, answers="11"):
        table = new_table()
        table.press("5", "5", "1", str(players), *answers)
        for _ in range(20):
            if table.family == "Scoring":
                return table
            is_seat_asked = getattr(table.session.screen.content(table.session), "title", "").startswith("Seat ")
            table.press("2" if is_seat_asked else "#")  # Ann and Ben are known, and who sits beside them is not.
        raise AssertionError(table.session.screen)

    return made


def entries(table):
    return list(table.session.pad.pad.entries)


def test_a_number_and_ok_is_an_entry(pad):
    """Digits make the points, OK enters them and moves on to the next player."""
    table = pad()
    table.press(*"12#", apart=0.3)
    assert entries(table) == [(1, 12)]
    assert table.session.screen.seat == 2
    table.press(*"C5#", apart=0.3)
    assert entries(table) == [(1, 12), (2, -5)]


@pytest.mark.parametrize("answers", ["11", "12", "13"])
def test_points_wait_however_long_for_ok(pad, answers):
    """Up twice, a pause and up again are one entry, so the sheet has one line for each turn in every kind of game."""
    table = pad(2, answers)
    table.press("up", "up")
    table.wait(50)
    table.press("up", apart=0.3)
    assert (entries(table), state_machine.next_change_time(table.session) is None or table.session.screen.points) == (
        [],
        3,
    )
    table.press("ok", apart=0.3)
    assert (entries(table), table.session.screen.seat) == ([(1, 3)], 2)


def test_left_and_right_count_by_tens(pad):
    """Once points are counted up or down, they add ten to what stands there; before that they choose the player."""
    table = pad(3)
    table.press("right", "up", "right", "right", "up", "left", "left", apart=0.2)
    assert (table.session.screen.seat, table.session.screen.points) == (2, 2)
    table.press("left", "left", apart=0.2)
    assert table.session.screen.points == -18
    table.press("ok", apart=0.2)
    assert entries(table) == [(2, -18)]


def test_moving_on_enters_the_points(pad):
    """Left and right enter typed points before they move on."""
    table = pad(3)
    table.press("7", "right", apart=0.2)
    assert entries(table) == [(1, 7)]
    assert table.session.screen.seat == 2


@pytest.mark.parametrize(("key", "sign"), [("up", 1), ("down", -1)])
def test_a_held_button_counts_by_tens(pad, key, sign):
    """Held, up and down add ten each time; a single press is always one point."""
    table, seen = pad(), []
    for number in range(4):
        table.take_input(KeyPressed(key, table.now + 0.1 * number, held=number > 0))
        seen.append(table.session.screen.points)
    assert seen == [sign * points for points in (1, 11, 21, 31)]
    table.press(key)
    assert table.session.screen.points == sign * 32


def test_back_erases_and_takes_back(pad):
    """BACK erases a digit; `* #` asks and a second `#` takes the last entry back, which stays in the store."""
    table = pad()
    table.press(*"12*", apart=0.3)
    assert table.session.screen.typed_digits == "1"
    table.press("#", *"9#", apart=0.3)
    table.press("*", "#", "#")
    assert entries(table) == [(1, 1)]
    assert [line.kind for line in table.saved_lines] == ["begin", "event", "event", "back"]


def test_the_target_asks_whether_the_game_is_over(pad):
    """Reaching the target asks; OK ends it, BACK plays on, and no other key answers."""
    table = pad(2, "12")
    table.press(*"100#", apart=0.3)
    assert table.family == "Ask"
    table.press("7", "A")
    assert table.family == "Ask"
    table.press("*", "7", "#", apart=0.3)
    assert entries(table) == [(1, 100), (2, 7)]
    assert table.family == "Ask"  # The turn has come round.
    table.press("*", *"200#", "#", apart=0.3)
    assert entries(table)[-1] == (1, 200)
    table.press("*", "4", "#")
    assert table.family == "PadOver"
    assert table.saved_lines[-1].text == "300 7 winners 1"


def test_the_target_is_asked_about_again_when_the_turn_has_come_round(pad):
    """After a no the question comes once more at the end of the turn; arrows do not answer it."""
    table = pad(3, "12")
    table.press(*"100#", apart=0.3)
    table.press("*", *"5#", apart=0.3)
    assert table.family == "Scoring"
    table.press(*"7#", apart=0.3)
    assert table.session.screen.lines == ("Ann has 100 points.", "Is the game over?")
    for arrow in ("up", "down", "left", "right"):
        table.press(arrow)
        assert (table.family, entries(table)) == ("Ask", [(1, 100), (2, 5), (3, 7)])
    table.press("#")
    assert table.family == "PadOver"


def test_turns_end_the_game_by_themselves(pad):
    """After the last turn of the last player the pad is over; 0 is a turn without points."""
    table = pad(2, "23")
    for _ in range(19):
        table.press("1", "#", apart=0.3)
    assert table.family == "Scoring"
    table.press("0", "#")
    assert table.family == "PadOver"
    assert table.saved_lines[-1].text == "10 9 winners 2"  # The fewest points win.


def test_a_counted_turn_ends_with_ok_and_not_with_a_pause(pad):
    """Points counted up in bursts are one turn; the game ends after everybody's last one, with the right winner."""
    table = pad(2, "13")
    for points in (3, 1):
        table.press(*["up"] * points, apart=0.3)
        table.wait(5)
    assert (entries(table), table.session.pad.pad.current_turn) == ([], 1)
    table.press("#")
    assert (entries(table), table.session.screen.seat) == ([(1, 4)], 2)
    table.press("up", apart=0.3)
    table.wait(5)
    table.press("up", "ok")
    assert (entries(table), table.session.screen.seat) == ([(1, 4), (2, 2)], 1)
    for _ in range(9):
        for _ in range(2):
            table.press("up", apart=0.3)
            table.wait(5)
            table.press("up", "#")
    assert table.family == "PadOver"
    assert table.saved_lines[-1].text == "22 20 winners 1"


def test_with_counted_turns_a_second_entry_asks_first(pad, golden):
    """A player who had the turn corrects it, which uses up no other one, or begins the next; BACK leaves the draft."""
    table = pad(2, "13")
    table.press(*"21#5#12#", apart=0.3)
    table.press("left", *"C9#", apart=0.3)
    golden(table.picture, "pad-correct-a-turn")
    table.press("*")
    assert (table.session.screen.points, entries(table)) == (-9, [(1, 21), (2, 5), (1, 12)])
    table.press("#", "1", apart=0.3)
    assert (entries(table), table.session.pad.pad.current_turn, table.session.screen.seat) == (
        [(1, 21), (2, 5), (1, 3)],
        2,
        2,
    )
    assert (table.saved_lines[-1].kind, table.saved_lines[-1].text) == ("mend", "3 +3")
    table.press("left", *"4", "right", "2", apart=0.3)
    assert entries(table)[3:] == [(1, 4)]
    table.press(*"6#7#", apart=0.3)
    assert entries(table)[4:] == [(2, 6), (2, 7)]  # The cursor stays on whoever is behind, and nothing is asked.
    assert table.replays_to_itself()


def last_turn(pad):
    """Three players with two turns each; only the first player has had the second."""
    table = pad(3, "13")
    table.session = table.session._replace(
        pad=table.session.pad._replace(pad=table.session.pad.pad._replace(turn_limit=2))
    )
    table.press(*"1#2#3#4#", apart=1.0)
    return table


def test_a_correction_is_taken_back_alone(pad):
    """The turn has its points from before the correction; the next takeback is of the last entry."""
    table = pad(2, "13")
    table.press("#", *"5#", *"2#", "right", "9", "#", "#")
    assert entries(table) == [(1, 5), (2, 11)]
    table.wait(3)
    table.press("*", "1")
    assert table.session.screen.lines == ("Ben's +11 becomes +2 again.",)
    table.press("#")
    assert entries(table) == [(1, 5), (2, 2)]
    assert table.saved_lines[-1].kind == "mend"
    table.wait(3)
    table.press("*", "1", "#", apart=0.3)
    assert entries(table) == [(1, 5)]


def test_who_has_had_all_turns_has_no_further_one(pad):
    """More points for that player correct the last turn, and nothing else."""
    table = last_turn(pad)
    table.press("left", "5", "#", apart=1.0)
    assert list_texts(table.session) == ["turn 2: +4 +5 = +9", "change nothing"]
    table.press("2")
    assert (table.family, entries(table)[-1]) == ("Scoring", (1, 4))
    table.press("left", "5", "#", apart=1.0)
    table.press("1")
    assert entries(table)[-1] == (1, 9)
    assert table.session.screen.seat == 2


def test_a_turn_begins_with_who_had_the_first_one(pad):
    """A player who was passed over and entered later does not change who begins the next turn."""
    table = pad(3, "13")
    table.press("#", *"5#", "right", *"4#", *"7#")
    assert entries(table) == [(1, 5), (3, 4), (2, 7)]
    assert table.session.screen.seat == 1


def test_a_minus_after_a_turn_without_points_begins_minus_points(pad):
    """After one OK too many the panel shows +0; a sign still begins new points."""
    table = pad()
    table.wait(3)
    table.press("#", "C", "5", "#", apart=1.0)
    assert entries(table) == [(1, -5)]


def test_the_dealers_mark_is_explained(pad):
    """Nobody has named a dealer, so the panel explains that the mark follows the seats."""
    table = pad(3)
    table.press(*"5#", "*", "5")
    assert table.session.banner.startswith("Ann deals now,")
    table.press("4", "*", "5")
    assert not table.session.banner


def test_an_entry_out_of_turn_asks_first(pad):
    """Even if all had the same number of turns, points out of turn are usually meant as a correction."""
    table = pad(3, "13")
    table.press(*"1#2#3#", apart=1.0)
    table.press("right", "5", "#", apart=1.0)
    assert list_texts(table.session) == ["turn 1: +2 +5 = +7", "turn 2: +5"]
    table.press("1")
    assert (entries(table), table.session.screen.seat) == ([(1, 1), (2, 7), (3, 3)], 1)


def test_taking_back_in_a_counted_turn_drops_what_is_being_entered(pad):
    """A long BACK makes no turn of points that were not entered yet; stopping the table saves them."""
    table = pad(2, "13")
    table.press("up", "up", TAKE_BACK_KEY, apart=0.3)
    assert (table.family, table.session.screen.points, entries(table)) == ("Scoring", None, [])
    table.press("up")
    table.take_input(StopRequested(table.now))
    assert entries(table) == [(1, 1)]


@pytest.mark.parametrize("answers", ["21", "22", "23"])
def test_ok_shows_a_turn_without_points(pad, golden, answers):
    """The next OK enters it, so that the game never seems to hang; a double press does not."""
    table = pad(2, answers)
    table.press("#")
    golden(table.picture, f"pad-no-points-{answers}")
    table.press("#", apart=0.1)
    assert entries(table) == []
    table.wait(1)
    table.press("*")
    assert table.session.screen.points is None
    table.wait(1)
    table.press("#")
    table.wait(1)
    table.press("#")
    assert entries(table) == [(1, 0)]
    assert table.session.screen.seat == 2


def test_an_end_can_be_taken_back(pad):
    """A takeback from the result opens the pad again, and the result no longer counts for the evening."""
    table = pad()
    table.press(*"3#", "*", "4", "#")
    assert len(table.session.history.new_rounds) == 1
    table.press("*", "1", "#")
    assert table.family == "Scoring"
    assert table.session.history.new_rounds == ()


def test_an_end_that_was_a_slip_leaves_the_points(pad):
    """Only the end is taken back, if the players have declared it, and all of this is stored."""
    table = pad()
    table.press(*"5#7#", apart=0.3)
    table.wait(2)
    table.choose("End the game")
    table.press("#")
    assert table.family == "PadOver"
    table.wait(2)
    table.choose("Take back")
    assert table.session.screen.lines == ("The game goes on.",)
    table.press("#")
    assert (table.family, entries(table)) == ("Scoring", [(1, 5), (2, 7)])
    assert table.replays_to_itself()


def test_a_sign_alone_waits_for_its_points(pad):
    """OK after a plus or minus alone neither enters anything nor moves on."""
    table = pad()
    table.press("C", "#")
    assert (table.session.screen.sign, table.session.screen.seat, entries(table)) == ("-", 1, [])
    table.press("5", "#")
    assert entries(table) == [(1, -5)]


def test_again_with_another_first(pad):
    """OK at the result plays the same game again, seats swapped."""
    table = pad()
    table.press(*"3#", "*", "4", "#", "#")
    assert table.session.pad.header.names == ("Ben", "Ann")
    assert entries(table) == []


def test_an_unfinished_pad_is_offered_again(pad, new_table):
    """After a power cut `#` resumes the pad, at the player who is due."""
    table = pad(3)
    table.press(*"5#6#", apart=0.3)
    again = new_table(history=StoredHistory(next_round=2, unfinished_round=table.saved()))
    assert again.family == "Resume"
    again.press("#")
    assert entries(again) == [(1, 5), (2, 6)]
    assert again.session.screen.seat == 3


def test_a_game_known_from_earlier_asks_only_for_its_players(new_table):
    """The title of an earlier pad brings its number of players, its names and its end."""
    options = (("title", "Skat"), ("wins", "lowest"), ("target", "0"), ("turns", "36"))
    table = new_table(history=StoredHistory(recent_pads=((options, ("Cleo", "Dan", "Eve")),)))
    table.press("5", "5", "1")
    assert table.family == "Seats"
    table.press("#")
    sheet = table.session.pad
    assert (sheet.header.names, sheet.pad.turn_limit, sheet.pad.lowest_wins) == (("Cleo", "Dan", "Eve"), 36, True)


def test_a_broken_pad_does_not_stop_the_table(new_table, pad):
    """An invalid entry leaves the round in the store and opens the menu with a sentence."""
    left = pad()
    left.press(*"5#")
    saved: StoredRound = left.saved()
    table = new_table(history=StoredHistory(next_round=2, unfinished_round=saved._replace(events=((1, "x"),))))
    assert table.family == "Menu"
    assert table.session.banner == f"Round {saved.id} on hold:\nit cannot be read"


def test_switching_off_saves_the_points(pad):
    """Points that are on the panel when the box is switched off are saved."""
    table = pad()
    table.press(*"12", apart=0.2)
    table.take_input(StopRequested())
    assert (table.saved_lines[-1].kind, table.saved_lines[-1].text) == ("event", "+12")


@settings(max_examples=example_count(60), deadline=None)
@given(
    st.integers(2, 8),
    st.sampled_from(("11", "12", "13", "21", "22", "23")),
    st.lists(st.sampled_from((*KEYPAD_KEYS, *BUTTON_KEYS, TAKE_BACK_KEY, *"###", "wait")), min_size=30, max_size=120),
    st.integers(0, 2**32),
)
def test_any_keys_on_a_pad(random_table, players, answers, keys, seed):
    """Whatever is pressed, nothing raises an error, and the pad on the panel is what its log entries replay to."""
    table, chance = random_table(), random.Random(seed)
    table.press("5", "5", "1", str(players), *answers)
    for key in keys:
        if key == "wait":
            table.wait(chance.choice((1, 3)))
        else:
            table.press(key, apart=chance.choice((0.1, 0.7, 1.3)))
        assert table.replays_to_itself()
        picture = table.picture
        assert picture.crop((0, 0, 1, 64)).getbbox() is None
        assert picture.crop((127, 0, 128, 64)).getbbox() is None


@pytest.mark.parametrize("key", ["#", "*"])
def test_a_phone_that_asks_beside_a_pad_is_answered(pad, key):
    """The question about a phone waits for OK or BACK, as during any round, and then the pad is there again."""
    table = pad()
    table.session = phones_page.open_phones_page(table.session).close_screen()._replace(outbox=Outbox(requests=()))
    table.take_input(CodeIssued("K7Q2MB", table.now))
    table.take_input(PhoneRequest(1, "a" * 64, PairRequest("K7Q2MB", table.session.pad.player_name(1)), table.now))
    assert table.family == "Letting"
    table.press(key)
    assert table.family == "Scoring"
    assert bool(table.session.phones.player_phones) == (key == "#")


def test_the_menu_leaves_the_cursor_where_it_was(pad):
    """After the menu and a page of it, the chosen player is still the one whose points are entered next."""
    table = pad(3)
    table.press("B", "*", "*")
    assert table.session.screen.seat == 2
    table.press("B", "*", "3", "*", "*", *"12#")
    assert entries(table) == [(3, 12)]


def test_leaving_a_pad_shows_whether_it_is_saved(pad):
    """Only a pad with an entry is saved."""
    table = pad()
    table.press("*", "0")
    assert table.session.screen.lines == ("Nothing has been played, so it isn't saved.",)
    table.press("*", *"12#", "*", "0")
    assert table.session.screen.lines == ("Nobody has won. Go on later from the box's History.",)


def test_a_double_ok_passes_over_nobody(pad):
    """A second OK right after an entry is ignored with a message; after a pause it shows a turn without points."""
    table = pad(3)
    table.press(*"12##", apart=0.2)
    assert (entries(table), table.session.screen.seat) == ([(1, 12)], 2)
    assert table.session.taps.wait_until
    table.wait(1)
    table.press("#")
    assert (table.session.screen.seat, table.session.screen.points) == (2, 0)


def test_the_sheet_shows_every_turn(pad, golden):
    """Turn by turn each player's points, and the sums; up and down lead through the turns, BACK to the pad."""
    table = pad(3)
    for points in (5, 7, 2, 11, 1, 3, 4, 4, 4, 100000, 20, 30, 9):
        table.press(*str(points), "#")
    table.choose("Score sheet")
    assert table.session.screen == PadSheet(3)
    golden(table.picture, "sheet-buttons")
    assert table.session.pad.pad.points_by_turn[1] == [11, 1, 3]
    assert table.session.pad.pad.points_by_turn[-1] == [9, None, None]
    assert table.session.screen.content(table.session).totals == (100029, 32, 39)
    table.press("up", "up", "up")
    assert table.session.screen.first_turn == 0
    golden(table.picture, "sheet-first")
    table.press("5")
    assert table.session.screen == PadSheet(0)
    table.press("*")
    assert table.family == "Scoring"


def test_any_entry_is_corrected_from_the_sheet(pad, golden):
    """OK on the sheet lists the entries, the last one first; new points replace the chosen entry."""
    table = pad(3)
    for points in (5, 7, 2, 11):
        table.press(*str(points), "#")
    table.choose("Score sheet")
    table.press("#")
    golden(table.picture, "pad-which-entry")
    table.press("3")
    golden(table.picture, "pad-correct-entry")
    table.press("B", *"70")
    golden(table.picture, "pad-correct-entry-typed")
    table.press("#")
    assert entries(table) == [(1, 5), (2, 70), (3, 2), (1, 11)]
    assert (table.family, table.session.screen.seat) == ("Scoring", 2)
    assert table.replays_to_itself()
    table.choose("Take back")
    table.press("#")
    assert entries(table) == [(1, 5), (2, 7), (3, 2), (1, 11)]
    table.choose("Score sheet")
    table.press("#", "1", "4", "*", "*")
    assert entries(table)[-1] == (1, 11)
    assert table.family == "Scoring"


def test_a_corrected_number_has_the_sign_of_the_entry(pad):
    """A key changes the sign; erasing shows the entry again, with its turn."""
    table = pad(3)
    table.press("C", "5", "#")
    table.choose("Correct a score")
    table.press("1", "6")
    content = table.session.screen.content(table.session)
    assert (content.correction, content.line) == ("turn 1: -6", "was -5")
    table.press("*")
    content = table.session.screen.content(table.session)
    assert (content.correction, content.line) == ("turn 1: -5", "The right points?")
    table.press("6", "A", "#")
    assert entries(table) == [(1, 6)]


@pytest.mark.parametrize("keys", ["keypad", "buttons"])
def test_a_wide_sheet_names_the_hidden_columns(pad, golden, keys):
    """Some of eight players have no room, so the arrows name the columns that they lead to."""
    table = pad(8)
    for points in range(1, 25):
        table.press(*str(points * 11), "#", apart=0.3)
    table.choose("Score sheet")
    key = "B" if keys == "keypad" else "right"
    table.press(key, key, key)
    golden(table.picture, f"sheet-wide-{keys}")


def test_the_dealer_moves_on_with_each_round(pad, golden):
    """With the mark on, the dealer is named at the top: the next seat once everybody has had an entry."""
    table = pad(3)
    table.choose("Dealer")
    assert table.family == "Scoring"
    assert table.session.pad.pad.dealer == 1
    golden(table.picture, "dealer")
    assert table.saved_lines[-1][:4] == (0, "dealer", 0, "on")
    for points in ("5", "7", "2"):
        assert table.session.pad.pad.dealer == 1
        table.press(points, "#")
    assert table.session.pad.pad.dealer == 2


def test_after_ten_seconds_the_points_are_large(pad):
    """Large points never cover a draft; the first key brings the pad back and counts."""
    table = pad(3)
    table.press("5")
    table.wait(rest_view.IDLE_SECONDS + 1)
    assert not rest_view.is_rest_view_shown(table.session)
    table.press("#")
    table.wait(rest_view.IDLE_SECONDS + 1)
    assert rest_view.is_rest_view_shown(table.session)
    table.press("7")
    assert (rest_view.is_rest_view_shown(table.session), table.session.screen.typed_digits) == (False, "7")


@pytest.mark.parametrize("points", ["5", "0"])
def test_the_end_asks_about_a_player_without_any_entry(pad, points):
    """If the fewest points win, nobody should win by being forgotten; an entered 0 is an entry."""
    table = pad()
    table.press(*"3#")
    table.wait(2)
    table.choose("End the game")
    assert table.session.screen.lines == (
        f"{table.session.pad.player_name(2)} has no entry yet, and would end with 0.",
    )
    table.press("*")
    assert (table.family, entries(table)) == ("Scoring", [(1, 3)])
    table.press(points, "#")
    table.wait(2)
    table.choose("End the game")
    assert "no entry" not in " ".join(table.session.screen.lines)
