"""Pictures of the score pad, for every number of players."""

import pytest

from companion import display
from companion.evening.model import Session
from companion.evening.screens.name_screens import SpellingScreen
from companion.evening.screens.pad.pad_actions import correct_entry
from companion.evening.screens.pad.pad_play import PadOver, PadScreen
from companion.evening.screens.pad.pad_setup import Figure
from companion.evening.session_values import Setup
from companion.games.score_pad.pad import Pad
from companion.panel import fonts
from companion.panel.canvas import Canvas
from companion.rounds.on_table import PadRound
from companion.rounds.stored import RoundHeader, StoredHistory

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Evelyn", "Finn", "Gustav", "Hildegard von B")
POINTS = (12, 105, 7, -30, 1234, 99999, 0, 3)


def session(players, moment, **header):
    sheet = Pad(players, **header)
    for seat, points in enumerate(POINTS[:players], 1):
        sheet = sheet.with_entry(seat, points)
    table = PadRound(1, RoundHeader("pad", sheet.stored_options, NAMES[:players]), sheet)
    return Session((moment,), StoredHistory(), pad=table)


@pytest.mark.parametrize("players", range(2, 9))
def test_a_pad_in_play(golden, players):
    """Every name, every total, who leads and whose points are being entered can be read."""
    header = (
        {"title": "Rummy", "target": 500, "lowest_wins": True} if players % 2 else {"title": "Dice", "turn_limit": 9}
    )
    golden(
        display.session_picture(session(players, PadScreen(players - 1, typed_digits="25"), **header)),
        f"{players}-entering",
    )


@pytest.mark.parametrize("players", [2, 3, 4, 6, 8])
def test_the_result_of_a_pad(golden, players):
    """The winner is above, everybody's points are below."""
    golden(display.session_picture(session(players, PadOver(), title="Dice")), f"{players}-over")


def test_a_drawn_pad(golden):
    """Equal points are a draw, between two as among many."""
    sheet = Pad(2, "Dice").with_entry(1, 0)
    table = PadRound(1, RoundHeader("pad", sheet.stored_options, ("Player 3", "Player 8")), sheet)
    golden(display.session_picture(Session((PadOver(),), StoredHistory(), pad=table)), "2-draw")


@pytest.mark.parametrize("keys", ["keypad", "buttons"])
def test_a_pad_at_rest(golden, keys):
    """What the arrows do is below: at the start in words, then in short beside the last entry."""
    buttons = keys == "buttons"
    golden(
        display.session_picture(session(4, PadScreen(1), title="Dice")._replace(uses_buttons=buttons)),
        f"at-rest-{keys}",
    )
    began = PadRound(
        1, RoundHeader("pad", Pad(5).stored_options, tuple(f"Player {seat}" for seat in range(1, 6))), Pad(5)
    )
    golden(
        display.session_picture(Session((PadScreen(1),), StoredHistory(), pad=began, uses_buttons=buttons)),
        f"at-the-start-{keys}",
    )


def test_setting_a_pad_up(golden):
    """A target in large digits, and a name spelled with buttons."""
    setup = Setup("pad", Pad(2, "Rummy", target=500).stored_options)
    golden(display.session_picture(Session((Figure(setup, 500),), StoredHistory())), "target")
    spelling = SpellingScreen("New name", "of the game", lambda session, name: session, "Rum")
    golden(display.session_picture(Session((spelling,), StoredHistory(), uses_buttons=True)), "spelling")


@pytest.mark.parametrize("players", range(2, 9))
def test_no_digit_of_a_score_is_cut(players, monkeypatch):
    """Scores of seven digits are whole in their cells, and in the line of the points that are being entered."""
    lost = []
    monkeypatch.setattr(fonts, "on_text_cut", lambda words, shown, room: lost.append((words, shown)))
    sheet = Pad(players)
    for seat in (*range(1, players + 1), *range(1, players + 1)):
        sheet = sheet.with_entry(seat, -999_999 if seat == 1 else 999_999)
    names = tuple(f"Alexandra {letter}" for letter in "ABCDEFGH"[:players])
    for pad in (sheet, Pad(players).with_entry(1, 999_999)):
        for cursor in (1, 2):
            table = PadRound(1, RoundHeader("pad", pad.stored_options, names), pad)
            display.session_picture(Session((PadScreen(cursor, typed_digits="123456"),), StoredHistory(), pad=table))
    assert [words for words, _ in lost if any(letter.isdigit() for letter in words)] == []


@pytest.mark.parametrize("players", [2, 4, 5, 8])
def test_a_pad_nobody_touches(golden, players):
    """After a while the points take the whole panel."""
    resting = session(players, PadScreen(1), title="Dice")._replace(rest_view_at=0.0)
    golden(display.session_picture(resting), f"{players}-untouched")


def in_play(names, points):
    """The picture of a pad with these points for each player, whose entries were the last ones."""
    sheet = Pad(len(names))
    for seat, each in enumerate(points, 1):
        sheet = sheet.with_entry(seat, each)
    table = PadRound(1, RoundHeader("pad", sheet.stored_options, names), sheet)
    return display.session_picture(Session((PadScreen(2),), StoredHistory(), pad=table))


@pytest.mark.parametrize(
    ("names", "points"),
    [
        (("Greta", "Ben", "Player 3"), (119, 0, 0)),
        (("Greta", "Ben", "Cleo", "Henry"), (119, 5, 7, 119)),
    ],
)
def test_no_name_is_cut_where_its_row_has_room(monkeypatch, names, points):
    """A name of five letters is whole beside three digits; the last row is as wide as the panel."""
    written = []
    text = Canvas.text
    monkeypatch.setattr(
        Canvas, "text", lambda c, x, y, s, *more, **how: written.append(s) or text(c, x, y, s, *more, **how)
    )
    in_play(names, points)
    assert set(names) <= set(written)


def test_a_third_digit_makes_nobody_elses_points_smaller():
    """Points without room beside their name are smaller; those of all others stay as they are."""
    names = ("Thomas", "Ben", "Cleo", "Dan", "Eve")
    two, three = (in_play(names, (points, 200, 16, 7, 14)).crop((0, 0, 128, 50)) for points in (94, 104))
    assert two.crop((0, 0, 64, 16)).tobytes() != three.crop((0, 0, 64, 16)).tobytes()
    for others in ((64, 0, 128, 50), (0, 16, 128, 50)):
        assert two.crop(others).tobytes() == three.crop(others).tobytes()


@pytest.mark.parametrize("players", [2, 3, 5])
def test_only_the_number_that_is_entered_changes(players):
    """The names and all other points stay as they are while points are entered."""
    before, after = (
        display.session_picture(session(players, PadScreen(2, typed_digits=typed))) for typed in ("", "81")
    )
    cells = {2: [(0, 0, 63, 50), (64, 0, 128, 12)], 3: [(0, 0, 128, 16), (0, 34, 128, 50)], 5: [(0, 0, 63, 50)]}
    for box in cells[players]:
        assert before.crop(box).tobytes() == after.crop(box).tobytes()


LONG_NAMES = ("Maximilian", "Hildegard", "Gran")


def pad_of(names, *entries, **header):
    """A pad of these players, with entries of seat and points."""
    sheet = Pad(len(names), "Dice", **header)
    for seat, points in entries:
        sheet = sheet.with_entry(seat, points)
    return PadRound(1, RoundHeader("pad", sheet.stored_options, names), sheet)


def at_pad(table, moment, **changed):
    return Session((moment,), StoredHistory(), pad=table, **changed)


def test_a_long_name_leaves_the_sum_visible(golden):
    """The name is cut, so that points which are only typed never look as if they had been entered."""
    table = pad_of(LONG_NAMES, (1, 12), (2, 4), (3, 25))
    golden(display.session_picture(at_pad(table, PadScreen(1, typed_digits="12"))), "sum-of-a-long-name")
    golden(display.session_picture(at_pad(table, PadScreen(2, typed_digits="1"))), "sum-of-one-digit")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_correction_does_not_look_like_adding(golden, players):
    """It says which turn is being corrected, and what it was; afterwards the last line says what was corrected."""
    names = (*LONG_NAMES, "Ida")[:players]
    table = pad_of(names, *((seat, 20 + seat) for seat in range(1, players + 1)), (1, 7))
    draft = PadScreen(1, typed_digits="9", corrected_entry=1)
    golden(display.session_picture(at_pad(table, draft)), f"{players}-correcting")
    content = draft.content(at_pad(table, draft))
    assert content.correction == "turn 1: +9"
    assert (content.line, content.total) == ("was +21" if players < 4 else "turn 1: +9", 16)
    done = correct_entry(at_pad(table, draft), number=1, points=-12)
    assert done.pad.pad.entries[0] == (1, 9)
    shown = PadScreen(done.pad.cursor_seat).content(done)
    assert shown.line == "corrected: Maximilian +9"
    typed = PadScreen(done.pad.cursor_seat, typed_digits="3").content(done)
    assert (typed.correction, typed.line == shown.line) == ("", False)


@pytest.mark.parametrize(
    ("header", "line"),
    [({}, "Points? C: minus"), ({"target": 100}, "to 100. C: minus"), ({"turn_limit": 9}, "turn 2/9. C: minus")],
)
def test_a_keypad_always_says_how_to_subtract(header, line):
    """Not only before the first entry; buttons and number pads have no C."""
    table = pad_of(LONG_NAMES, (1, 12), (2, 4), (3, 25), **header)
    session = at_pad(table, PadScreen(1))
    assert PadScreen(1).content(session).line == line
    for other in (session._replace(uses_buttons=True), session._replace(key_device="number pad")):
        assert "C:" not in PadScreen(1).content(other).line


def test_a_sign_alone_is_no_result():
    """After C the panel shows the score and the sign, not ``25 = -``."""
    table = pad_of(LONG_NAMES, (1, 25))
    content = PadScreen(1, sign="-").content(at_pad(table, PadScreen(1)))
    assert (content.change, content.total, content.line) == ("-", None, "points?")


def test_the_next_game_says_who_starts():
    """The players move up a seat, and the last line says so, which hides no player."""
    table = pad_of(LONG_NAMES, (1, 25))._replace(is_over=True)
    after = PadOver().press(at_pad(table, PadOver()), "#")
    line = PadScreen().content(after).line
    assert (after.pad.header.names[0], after.banner, line) == ("Hildegard", "", "Hildegard starts")
