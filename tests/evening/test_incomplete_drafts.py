"""An OK that comes too early says what is missing, keeps the draft, and changes nothing else."""

import pytest

from companion.evening.model import Session

INCOMPLETE = [
    ("27", "1", "How many? 1 to 9"),
    ("coral-reef", "3", "First choose a coral."),
    ("prime-attactics", "C", "not yet: its number, 2-7"),
    ("prime-attactics", "0A", "not yet: its number, 1-7"),
    ("ziggurat", "6", "not yet: 2nd pip"),
    ("ziggurat", "63", "not yet: column"),
    ("ziggurat", "634", "not yet: row"),
    ("ziggurat", "6344", "not yet: which way"),
]
"""Game, the keys of an incomplete draft, and the line after OK."""


def verdict_line(session: Session) -> str:
    """The line in place of the verdict."""
    return session.screen.content(session).scene.bottom_line


@pytest.mark.parametrize(("game", "keys", "told"), INCOMPLETE)
def test_it_says_what_is_missing(new_table, game, keys, told):
    """The draft stays as it is; the next key continues it, and the line goes."""
    table = new_table(game)
    table.type(keys)
    before = table.picture
    table.type("#")
    assert (table.family, table.session.screen.typed_keys, verdict_line(table.session)) == ("Playing", keys, told)
    assert table.picture.tobytes() != before.tobytes()
    table.type("*")
    assert (table.session.screen.typed_keys, verdict_line(table.session) == told) == (keys[:-1], False)


def test_it_asks_for_the_drawn_card(new_table):
    """An open hand that has to draw names what it drew."""
    table = new_table("coral-reef", opened=[("deal", 1)])
    table.type("00000000#0#")
    assert (table.session.screen.typed_keys, verdict_line(table.session)) == ("0", "Which did you draw?")


def test_it_says_what_half_a_piece_lacks(new_table):
    """Also while pieces are named. The half is kept."""
    table = new_table("prime-attactics", opened=[("deal", 1)])
    table.type("A#")
    assert table.session.screen.typed_keys == "A"
    assert table.session.screen.content(table.session).scene.stray_key_text == "its number: 1 to 7"


def test_an_impossible_piece_is_crossed_and_ok_says_why(new_table, golden):
    """A tile of which a set has only one, named twice."""
    table = new_table("prime-attactics", opened=[("deal", 1)])
    table.type("A1A1")
    golden(table.picture, "named-twice")
    table.type("A2A3A4A5A6A7#")
    assert table.session.screen.refusal.figure == "+1"


def test_ok_on_an_incomplete_pick_takes_the_next_step(new_table):
    """With buttons OK always leads on, so nothing is ever missing."""
    table = new_table("ziggurat")
    table.press("right", "ok")
    assert table.session.screen.stray_key == ""


def test_an_arrow_that_leads_nowhere_keeps_tick_and_cross(new_table):
    """OK still plays what has a tick, and a cross keeps its reason; "no further" replaces neither."""
    table = new_table("27")
    table.press("down", "up")
    draft = table.session.screen.content(table.session).scene.draft
    assert (draft.verdict, draft.next_step, verdict_line(table.session)) == ("ok", "move 9", "")
    table = new_table("prime-attactics", start="11")
    table.press("right", "right", "ok", "down")
    draft = table.session.screen.content(table.session).scene.draft
    assert (draft.verdict, draft.message, verdict_line(table.session)) == ("no", "4 left over", "")


def test_a_hand_of_tiles_says_what_to_type(new_table, golden):
    """Before the first tile, as it does for cards."""
    table = new_table("coral-reef", opened=[("deal", 1)], form="tiles")
    table.type("1")
    golden(table.picture, "hand-of-tiles")


def test_after_a_stray_key_ok_does_not_pass(new_table):
    """In Prime Attactics 0 alone is a pass; with a stray key behind it OK asks first."""
    table = new_table("prime-attactics", start="11")
    table.press("0", "3", "#")
    assert (table.session.screen.title, table.session.round.events) == ("Ignored: 3", ())
    assert table.session.screen.lines[-1] == "Do you mean: I can't move?"
    table.press("#")
    assert [event for _, event in table.session.round.events] == ["pass"]


def test_a_coloured_refill_takes_no_black_tile(new_table):
    """One coloured tile is asked for, so D, which begins a black one, is refused at once, as on the display."""
    table = new_table("prime-attactics", opened=[("deal", 1)])
    table.type("A1B2C3A2A7B7A3B3#")
    table.type("A1#")
    assert table.family == "Dealing"
    table.press("D")
    assert (table.session.screen.typed_keys, table.session.screen.stray_key) == ("", "D")
