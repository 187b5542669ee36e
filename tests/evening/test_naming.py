"""Naming pieces with six buttons: impossible ones aren't offered, the last one can be replaced, a held BACK repeats."""

import contextlib
import random

import pytest

from companion import games
from companion.evening.screens.play import round_actions
from companion.inputs import TAKE_BACK_KEY, KeyPressed, KeyReleased
from companion.panel.canvas import Canvas
from companion.store.store import Store

ALL_HOLDINGS = {game: tuple(games.manifest_of(game).holdings) for game in games.built_in_game_ids()}


def offered(table):
    """The pieces that the picker can reach."""
    moment, round_ = table.session.screen, table.session.round
    grid = round_.move_input.piece_rows(moment.grid_word or moment.kind, round_.options)
    return [grid[row][column] for row, column in moment.pickable_positions(round_)]


def at_naming(new_table, game, kind="deal", **options):
    return new_table(game, opened=[(kind, 1)], **options)


@pytest.fixture
def refill(new_table):
    """A table of Prime Attactics at which Ann, whose display is open, must name the tile that she drew."""
    table = new_table("prime-attactics", opened=[("deal", 1)])
    table.session = round_actions.enter_holding(table.session, "deal", 1, "+1 +2 +3 +4 +5 +6 +7 -1")
    table.session = round_actions.play_event(table.session, "+7")
    return table


def test_a_tile_that_was_refused_can_be_replaced(refill):
    """It was refused because it lies face up. An arrow and OK replace it, and another OK hands the new one in."""
    refill.press("A", "1", "#")
    assert (refill.family, refill.session.screen.refusal.code) == ("Refusing", "supply")
    refill.press("back", "right")
    refill.press("ok", "ok")
    assert refill.family == "Playing"
    assert refill.events[-1].split()[:2] == ["1:", "refill"]


def test_the_picker_starts_at_a_tile_that_can_be_drawn(refill):
    """Tiles that lie face up or were played aren't offered; the first one may have been drawn."""
    assert not {"+1", "+2", "+7", "-1"} & set(offered(refill))
    refill.press("right", "ok", "ok")
    assert refill.family == "Playing"


@pytest.mark.parametrize(("game", "kind"), [(game, kind) for game, kinds in ALL_HOLDINGS.items() for kind in kinds])
def test_nothing_is_offered_more_often_than_it_exists(new_table, game, kind):
    """The rules accept whatever is picked: twenty random walks over each kind of holding end in a deal."""
    chance = random.Random(game + kind)
    for _ in range(20):
        table = at_naming(new_table, game, kind)
        size = table.session.screen.size
        for _ in range(size):
            walk = chance.choices(("up", "down", "left", "right"), k=chance.randint(1, 3))
            table.press(*walk, "ok", apart=0.1)
        assert len(table.session.screen.pieces) == size
        table.press("ok")
        assert table.family == "Playing", table.session.screen


def test_the_picker_moves_on_and_finally_replaces(new_table):
    """After OK it is on the next piece. Once all are named, OK hands them in, or after an arrow replaces the last."""
    table = at_naming(new_table, "prime-attactics", "rack")
    table.press("right", "ok", "ok", "ok", "ok")
    assert table.session.screen.pieces == ("/2", "/3", "/4", "/5")
    table.press("right", "ok")
    assert table.session.screen.pieces == ("/2", "/3", "/4", "/6")
    table.press("ok")
    assert table.family == "Playing"


def test_ok_on_the_last_named_piece_hands_in(new_table):
    """Moving the picker away and back means no other tile, so OK takes what is named."""
    table = at_naming(new_table, "prime-attactics", "rack")
    table.press("right", "ok", "ok", "ok", "ok")
    named = table.session.screen
    table.press("right", "left")
    assert (table.session.screen.cursor, table.session.screen.pieces) == (named.cursor, named.pieces)
    table.press("ok")
    assert table.family == "Playing"


def test_a_hand_of_fourteen_dominoes_takes_at_most_sixty_presses(new_table, naming_keys):
    """Named from low to high, as a sorted hand is, including the OK that hands it in."""
    chance = random.Random(14)
    for _ in range(30):
        table = at_naming(new_table, "ziggurat")
        hand = games.load_rules("ziggurat").deal_holdings(2, table.session.round.options, chance.sample)["deal", 1]
        keys = naming_keys(table.session.round, table.session.screen, sorted(map(str, hand)))
        assert len(keys) <= 60
        table.press(*keys, apart=0.1)
        assert table.family == "Playing"


def test_held_ok_shows_all_named_pieces_and_a_tap_hands_them_in(new_table, golden):
    """So a whole hand can be looked at before it counts. Keys that report no release hand it in at once."""
    table = at_naming(new_table, "coral-reef")
    table.press("right", *["ok"] * 8)
    golden(table.picture, "hold-ok")
    named = table.session.screen._replace(ok_down_at=0.0)
    table.take_input(KeyPressed("ok", table.now))
    table.wait(1)
    assert table.family == "CorrectionScreen"
    table.take_input(KeyReleased("ok", table.now))
    assert table.session.screen == named
    table.take_input(KeyPressed("ok", table.now + 2, device="keyboard"))
    assert table.family == "Playing"
    table = at_naming(new_table, "coral-reef")
    table.press("right", *["ok"] * 8)
    table.take_input(KeyPressed("ok", table.now + 2))
    assert table.family == "Dealing"
    table.take_input(KeyReleased("ok", table.now + 2.1))
    assert table.family == "Playing"


def test_a_held_back_erases_and_opens_no_menu(new_table):
    """Held down, it removes piece after piece and stops at the last one. Only a new press opens the menu."""
    table = at_naming(new_table, "ziggurat")
    table.press("right", *["ok"] * 5)
    table.press(TAKE_BACK_KEY)
    assert len(table.session.screen.pieces) == 4
    for _ in range(9):
        table.now += 0.125
        table.take_input(KeyPressed("back", table.now, True))
    table.take_input(KeyReleased("back", table.now))
    assert (table.family, table.session.screen.pieces) == ("Dealing", ())
    table.press("back")
    assert table.family == "Menu"


def test_a_long_back_keeps_the_draft_if_the_takeback_is_declined(new_table):
    """It asks at once, with no menu before; after a no the half-picked move is there again."""
    table = new_table("ziggurat")
    table.press("right", "ok", "ok", "right", "ok", "ok")
    assert table.events
    table.press("right", "ok")
    pick = table.session.screen.pick
    table.press(TAKE_BACK_KEY)
    assert table.family == "Ask"
    table.now += 0.125
    table.take_input(KeyPressed("back", table.now, True))
    assert table.family == "Ask", "a repeat of the held button is no answer"
    table.press("back")
    assert (table.family, table.session.screen.pick) == ("Playing", pick)


def test_a_long_back_in_a_menu_counts_as_a_short_one(new_table):
    """Nothing can be taken back there, but the press isn't lost."""
    table = new_table("27")
    table.press("back", "down", "ok")
    assert table.family == "Page"
    table.press(TAKE_BACK_KEY)
    assert table.family == "Menu"


IMPOSSIBLE = [
    ("prime-attactics", "deal", "A7" * 8, "+7: only 1 left"),
    ("prime-attactics", "deal", "A0" * 8, "D+: only 4 left"),
    ("prime-attactics", "rack", "D2" * 4, "too many of one kind"),
    ("ziggurat", "deal", "66" * 14, "domino 2 named twice"),
]


@pytest.mark.parametrize(("game", "kind", "keys", "said"), IMPOSSIBLE)
def test_impossible_pieces_are_neither_complete_nor_done(new_table, monkeypatch, game, kind, keys, said):
    """For too many of one kind the panel says so, and the hint for OK isn't "done"."""
    table = at_naming(new_table, game, kind)
    table.press(*keys, apart=0.2)
    written = record_texts(monkeypatch)
    assert table.picture
    assert said in written
    assert not {"complete", "done"} & set(written)
    table.press("#")
    assert table.family == "Refusing"
    table.press("#")
    assert table.picture
    assert "fix it" in written


@pytest.mark.parametrize(
    ("game", "kind", "keys"), [("prime-attactics", "rack", "D2D3D4D5D6"), ("coral-reef", "deal", "123456789")]
)
def test_a_piece_too_many_is_refused_at_once(new_table, monkeypatch, game, kind, keys):
    """The panel says why and how to delete one; OK asks before it goes on without that key."""
    table = at_naming(new_table, game, kind)
    table.press(*keys, apart=0.2)
    written = record_texts(monkeypatch)
    assert table.picture
    assert "that is all; * deletes" in written
    assert len(table.session.screen.pieces) == table.session.screen.size
    table.press("#")
    assert table.family == "Ask"


def test_a_sign_is_replaced_by_another_while_tiles_are_named(new_table):
    """Without a question: it was no tile yet."""
    table = at_naming(new_table, "prime-attactics", "deal")
    table.press(*"AB3", apart=0.2)
    assert (table.session.screen.pieces, table.session.screen.misfit_keys) == (("-3",), "")


def test_a_refill_of_a_tile_that_is_face_up_is_not_done(refill, monkeypatch):
    """The drawn tile can't be one that lies on the display; one that is possible is complete."""
    refill.press("A", "1")
    written = record_texts(monkeypatch)
    assert refill.picture
    assert "+1: none left" in written
    assert "done" not in written
    refill.press("*", "B", "2")
    written.clear()
    assert refill.picture
    assert {"complete", "done"} <= set(written)


@pytest.mark.parametrize(("game", "kind"), [(game, kind) for game, kinds in ALL_HOLDINGS.items() for kind in kinds])
def test_what_the_panel_calls_done_is_accepted(new_table, monkeypatch, game, kind):
    """Whatever was typed, the rules accept the pieces if the panel says "done"."""
    chance = random.Random(kind + game)
    written = record_texts(monkeypatch)
    done = 0
    for _ in range(40):
        table = at_naming(new_table, game, kind)
        moment, round_ = table.session.screen, table.session.round
        pieces = [
            piece
            for row in round_.move_input.piece_rows(moment.grid_word or moment.kind, round_.options)
            for piece in row
        ]
        named = tuple(
            chance.choices(pieces, k=moment.size) if chance.random() < 0.5 else chance.sample(pieces * 2, moment.size)
        )
        table.session = table.session.replace_screen(moment._replace(pieces=named))
        written.clear()
        assert table.picture
        said = "done" in written
        table.press("#")
        assert (table.family != "Refusing") == said, named
        done += said
    assert done


def record_texts(monkeypatch):
    """A list of every text that is drawn from now on."""
    written = []
    text = Canvas.text
    monkeypatch.setattr(
        Canvas, "text", lambda c, x, y, s, *more, **how: written.append(s) or text(c, x, y, s, *more, **how)
    )
    return written


def test_a_round_is_saved_while_its_first_hand_is_named(new_table, table_class, tmp_path):
    """Also after the hand was taken back; a round that is left then is removed."""
    table, so_far = new_table("coral-reef", opened=(("deal", 1), ("deal", 2))), 0
    with contextlib.closing(Store(tmp_path)) as store:

        def next_start():
            """A table that is started on the same rounds."""
            nonlocal so_far
            store.write_entries(table.saved_lines[so_far:])
            so_far = len(table.saved_lines)
            return table_class(history=store.load_history())

        table.type("24")
        after = next_start()
        assert after.family == "Resume"
        after.press("#")
        assert (after.family, after.session.round.header.names) == ("Dealing", ("Ann", "Ben"))
        assert (
            after.session.round.missing_holdings == table.session.round.missing_holdings == (("deal", 1), ("deal", 2))
        )
        table.type("682468#")
        assert table.session.round.deals
        assert next_start().session.screen.round.missing_holdings == (("deal", 2),)
        table.press("*", "#", "#")
        assert (table.family, table.session.round.is_empty) == ("Dealing", True)
        assert next_start().family == "Resume"
        table.choose("Leave the round")
        table.press("#")
        assert next_start().family == "Splash"
        assert store.round_numbers() == []
