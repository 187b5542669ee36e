"""A round of 27 at the table: typed, picked, refused and taken back."""

import pytest

from companion.inputs import DeviceMissing, DeviceReturned, KeyReleased


def test_a_move_is_typed_as_field_then_count(new_table):
    """Field, count, # plays the move (key table, 27)."""
    table = new_table("27")
    table.type("13#")
    assert table.events == ["1: 1x3"]


def test_a_move_is_picked_with_arrows(new_table):
    """The first arrow shows one disc, or down the whole stack; up stops there, and OK plays (six buttons)."""
    table = new_table("27")
    table.press("right", "up", "ok")
    table.press("down", "up", "ok")
    assert table.events == ["1: 1x2", "2: 9x9"]


def test_ok_with_nothing_entered_does_nothing(new_table):
    """# with nothing entered does nothing."""
    table = new_table("27")
    table.press("#", "ok")
    assert (table.family, table.events) == ("Playing", [])


def test_the_draft_stays_after_an_early_ok(new_table):
    """The draft stays after an early #."""
    table = new_table("27")
    table.type("1#")
    assert table.session.screen.typed_keys == "1"


def test_a_refusal_leads_back_to_the_draft(new_table):
    """* on a refusal leads back to the draft."""
    table = new_table("27")
    table.type("94#")
    assert table.family == "Refusing"
    table.press("*")
    assert table.session.screen.typed_keys == "4"


def test_another_field_replaces_one_that_can_not_move(new_table):
    """The replaced key is forgotten: OK plays what the panel shows."""
    table = new_table("27")
    table.type("51")
    assert (table.session.screen.typed_keys, table.session.screen.misfit_keys) == ("1", "")
    table.type("3#")
    assert table.events == ["1: 1x3"]


def test_a_refusal_is_closed_by_ok(new_table):
    """# on a refusal only closes it."""
    table = new_table("27")
    table.type("94##")
    assert (table.family, table.session.screen.typed_keys) == ("Playing", "")


def test_a_key_on_a_refusal_begins_a_new_draft(new_table):
    """Any other key on a refusal is the first key of a new draft."""
    table = new_table("27")
    table.type("94#12#")
    assert table.events == ["1: 1x2"]


def test_a_takeback_is_star_ok_ok(new_table):
    """* # asks whether to take the move back, a second # confirms it."""
    table = new_table("27")
    table.type("13#92#*##")
    assert (table.family, table.events) == ("Playing", ["1: 1x3"])
    assert [line.kind for line in table.saved_lines] == ["begin", "event", "event", "back"]


def test_any_other_key_cancels_a_takeback(new_table):
    """Any key but # cancels the takeback."""
    table = new_table("27")
    table.type("13#*#1")
    assert (table.family, table.events) == ("Playing", ["1: 1x3"])


def test_star_opens_no_menu_within_a_second_of_erasing(new_table):
    """One * too many must not turn the next move into choices of a menu."""
    table = new_table("27")
    table.type("1")
    table.press("*", "*", apart=0.5)
    assert table.family == "Playing"
    table.press("*")
    assert table.family == "Menu"


def test_own_stacks_that_can_move_are_picked_first(new_table):
    """The picker begins on an own stack; to its right come illegal ones, and at last the first one again."""
    table = new_table("27")
    table.type("13#92#12#")
    assert table.session.round.turn == 2
    fields = []
    for _ in range(6):
        table.press("right")
        fields.append(table.session.screen.pick.field)
    piles = table.session.round.state.stacks
    own = [field for field, pile in enumerate(piles, 1) if pile[-1] == 2]
    assert len(own) == 2
    assert [fields[4], fields[0]] == own
    assert not {*fields[1:4]} & {*own}
    assert fields[5] == fields[0]


def test_only_one_disc_is_taken_by_ok(new_table):
    """A field from which only one piece can move needs no number, but it may be typed."""
    table = new_table("27")
    table.type("11#91#2#")
    assert table.events == ["1: 1x1", "2: 9x1", "1: 2x1"]
    table.type("81#")
    assert table.events[-1] == "2: 8x1"


@pytest.mark.parametrize(
    ("before", "key", "code", "says"),
    [
        ("", "9", "not-yours", "not yours"),
        ("11#", "1", "not-yours", "not yours"),
        ("", "4", "not-yours", "4 is empty"),
        ("14#99#13#86#32#72#", "6", "overshoot", "too far"),
        ("", "10", "count", "at least 1"),
    ],
)
def test_what_can_never_be_is_crossed_at_once(new_table, before, key, code, says):
    """The other player's stack is refused at once; a field that can't move asks for no number."""
    table = new_table("27")
    table.type(before)
    table.type(key)
    draft = table.session.screen.content(table.session).scene.draft
    assert draft.verdict == "no"
    assert draft.message == says
    table.type("#")
    assert (table.family, table.session.screen.refusal.code) == ("Refusing", code)
    refusal = table.session.screen.content(table.session)
    assert "seat" not in f"{refusal.figure}{refusal.against}{refusal.rule}"


def test_a_long_press_of_back_asks_for_a_takeback(new_table):
    """Holding BACK asks for a takeback, whatever its first press did."""
    table = new_table("27")
    table.type("13#")
    table.press("back", "take-back", apart=0.8)
    assert table.family == "Ask"


def test_a_stray_key_is_explained_and_the_draft_stays(new_table):
    """A key that means nothing changes the last line, and OK asks about it before it plays."""
    table = new_table("27")
    table.type("1A")
    assert (table.session.screen.typed_keys, table.session.screen.stray_key) == ("1", "A")
    table.type("3#")
    assert table.events == []
    table.type("#")
    assert table.events == ["1: 1x3"]


def test_a_lost_keypad_is_a_banner_over_a_playable_table(new_table):
    """The banner goes at the next press; the sign stays until the device is connected again."""
    table = new_table("27")
    table.take_input(DeviceMissing("keypad", "keypad unplugged", table.now))
    assert table.session.banner
    table.press("right")
    assert not table.session.banner
    assert table.session.missing_devices == ("keypad",)
    table.take_input(DeviceReturned("keypad", table.now))
    assert table.session.missing_devices == ()


def test_the_panel_dims_and_sleeps_and_a_waking_press_does_nothing_else(new_table):
    """It dims after a minute and sleeps after five.

    The press that wakes it, and presses in the next second, do nothing.
    """
    table = new_table("27")
    table.type("1")
    table.wait(61)
    assert table.session.light == "dim"
    table.type("3")
    assert table.session.screen.typed_keys == "13"
    table.wait(301)
    assert table.session.light == "off"
    table.press("#", "#", apart=0.3)
    assert (table.session.light, table.events) == ("on", [])
    table.press("#", apart=1.5)
    assert table.events == ["1: 1x3"]


def test_a_whole_evening_by_keys(new_table):
    """Menu, options, players, a round to its end, the next round with the seats swapped."""
    table = new_table()
    table.wait(3)
    table.to_players("2")
    table.press("#")
    for _ in range(400):
        if table.family == "RoundOver":
            break
        round_ = table.session.round
        move = round_.game.legal_moves(round_.state)[-1]
        table.type(f"{str(move).replace('x', '')}#")
        if table.family == "Notice":
            table.press("#")
    assert table.family == "RoundOver"
    assert table.saved_lines[-1].kind == "result"
    table.press("#")
    assert table.session.round.header.names == ("Ben", "Ann")


def test_a_released_button_means_nothing_to_a_table_in_play(new_table):
    """A release of OK matters only while it shows a player's pieces."""
    table = new_table("27")
    before = table.session.screen
    table.take_input(KeyReleased("ok", table.now))
    assert table.session.screen == before


def test_go_on_is_offered_and_taken(new_table):
    """An unfinished round is offered at the start; # resumes it."""
    from companion.rounds.stored import StoredHistory

    first = new_table("27")
    first.type("13#")
    second = new_table(history=StoredHistory(next_round=2, unfinished_round=first.saved()))
    assert second.family == "Resume"
    second.press("#")
    assert second.events == ["1: 1x3"]


def test_a_declined_round_stays_saved(new_table):
    """* at "Go on?" leaves the round saved as unfinished, and the menu opens."""
    from companion.rounds.stored import StoredHistory

    first = new_table("27")
    first.type("13#")
    second = new_table(history=StoredHistory(next_round=2, unfinished_round=first.saved()))
    second.press("*")
    assert second.family == "Menu"
    assert [line.kind for line in second.saved_lines] == ["aside"]


def test_a_hint_tells_where_to_look_then_moves_with_numbers(new_table, think_out_hint, quick_coaches):
    """With hints on: where to look, a good move, the best ones with their values, the next best one.

    The first move is of two kinds: the whole stack goes, or a part of it stays.
    """
    table = new_table("27", variant="expert")
    table.choose("Give me a hint")
    table.press("#")
    think_out_hint(table)
    assert [part.title for part in table.session.screen.parts] == [
        "Look here", "A good move", "The best moves", "The next best"]  # fmt: skip
    assert table.session.screen.parts[1].lines[0].startswith("Move ")
