"""Rounds of Prime Attactics at the table: typed, picked, refused, refilled, taken back."""

import random

import pytest

from companion.games.prime_attactics import GAME
from companion.games.prime_attactics.rules import RULES
from companion.inputs import KeyReleased

G = GAME.id
D1, D2 = "A4A7A0B2B6C3C5C0#", "A2A6B3B5C4C7C0A3#"
DISPLAYS = (("deal", 1), ("deal", 2))


def text_of(picture):
    return picture.tobytes()


def rounds_to_their_end(play_round, count, **options):
    """Random rounds that reach an end, with some holdings open."""
    seed = 0
    while count:
        played = play_round(G, {"level": "full", "start": "11", **options}, 2, random.Random(seed), share=0.7)
        if RULES.seat_to_move(played.states[-1]) is None:
            count -= 1
            yield played
        seed += 1


@pytest.mark.parametrize(("keys", "close"), [("typed_keys", "#"), ("picked_keys", "ok")])
def test_whole_rounds_by_keys_and_by_buttons(table_of_round, play_round, request, keys, close):
    """Each kind of input alone is enough for a whole round, whose record is the one that the rules make."""
    keys_of = request.getfixturevalue(keys)
    for played in rounds_to_their_end(play_round, 3):
        table = table_of_round(played)
        table.play(played, keys_of, close)
        assert table.family == "RoundOver"
        assert [(seat, str(move)) for seat, move in played.events] == list(table.session.round.events)
        assert table.saved_lines[-1].kind == "result"
        assert table.saved_lines[-1].text == " ".join(
            [*map(str, table.session.round.outcome.scores), "winners", *map(str, table.session.round.outcome.winners)]
        )
        assert table.replays_to_itself()


def test_a_refusal_a_refill_and_a_takeback_in_one_round(new_table):
    """A tile not on the display is refused, two drawn tiles are named, and taking that move back asks both players."""
    table = new_table(G, opened=DISPLAYS)
    table.type(D1 + D2)
    table.type("C4#")
    assert table.family == "Refusing"
    table.type("#C50#")
    assert (table.family, table.session.screen.size) == ("Dealing", 2)
    table.type("C7#")
    assert table.family == "Refusing"
    table.type("*A5#")
    assert table.events == ["1: x5D", "1: refill x7 +5"]
    table.type("*#")
    assert table.session.screen.lines == ("Ann's move and ×7 +5 go back.",)
    table.type("##")
    assert (table.family, table.events) == ("Playing", [])
    table.type("C50#C7A1#0B5#A7#")
    assert table.events == ["1: x5D", "1: refill x7 +1", "2: @-5", "2: refill +7"]


def test_an_invalid_deal_stays_for_correction(new_table):
    """An impossible display is refused at #, and * leads back to it."""
    table = new_table(G, opened=DISPLAYS)
    table.type("A4A7A0B2B6C3C5#")
    assert table.family == "Refusing"
    table.type("*C0#")
    assert table.session.screen.seat == 2


def test_the_claim_is_explained_after_a_while_and_0_ok_makes_it(new_table):
    """Without a key for a while, the panel explains that 0 # means "I can't move"."""
    table = new_table(G)
    table.wait(21)
    assert table.session.screen.shows_pass_help
    table.type("0##")
    assert table.events == ["1: pass"]


def test_0_ok_with_an_open_display_that_has_a_play_is_refused_in_full(new_table):
    """must-play: the display has a valid play."""
    table = new_table(G, opened=DISPLAYS)
    table.type(D1 + D2 + "0#")
    assert (table.family, table.session.screen.refusal.code) == ("Refusing", "must-play")


def test_hidden_tiles_of_a_deal_and_a_refill_never_reach_the_panel(new_table):
    """Two racks, or two drawn black tiles, entered key by key look the same on the panel."""
    tables = [new_table(G, opened=(("rack", 1),)) for _ in range(2)]
    for keys in zip("D2D3D4D5#", "D7D6D4D3#", strict=True):
        for table, key in zip(tables, keys, strict=True):
            table.type(key)
        assert text_of(tables[0].picture) == text_of(tables[1].picture)
    for table in tables:
        table.type("C4#C4#")
        assert table.family == "Playing"
        table.type("D4#")
        assert table.family == "Dealing"
    for keys in zip("D6", "D2", strict=True):
        for table, key in zip(tables, keys, strict=True):
            table.type(key)
        assert text_of(tables[0].picture) == text_of(tables[1].picture)
    for table in tables:
        table.type("#")
        assert table.family == "Playing"
    assert text_of(tables[0].picture) == text_of(tables[1].picture)


@pytest.mark.parametrize(("wrong", "place"), [("D2D2D3D4#", 2), ("D7D3D7D4#", 3)])
def test_a_refused_rack_names_no_tile(new_table, wrong, place):
    """No refusal names a hidden piece: it says which of the pieces is wrong, by its number in the order of entry."""
    table = new_table(G, opened=(("rack", 1),))
    table.type(wrong)
    assert table.family == "Refusing"
    assert table.session.screen.refusal.reason.startswith(f"piece {place}, a set has only 1")


def test_a_rack_is_shown_to_its_owner_after_the_other_looks_away(new_table):
    """My pieces, after "look away, Ben", while OK is held; displays are not in that menu."""
    table = new_table(G, opened=(*DISPLAYS, ("rack", 2)))
    table.type(D1 + D2 + "D2D3D5D7#")
    table.choose("My pieces")
    assert table.family == "LookAway"
    before = text_of(table.picture)
    table.press("ok")
    assert table.family == "Peek"
    assert text_of(table.picture) != before
    table.take_input(KeyReleased("ok", table.now))
    assert table.family == "Playing"
    table.choose("My pieces")
    assert (table.family, table.session.screen.seat) == ("LookAway", 2)


def test_the_score_sheet_opens_at_its_end_and_is_paged(new_table):
    """Up and down turn its pages, and stop at both ends."""
    table = new_table(G)
    table.type("C7#C7#C60#C60#C5#C5#C4#C4#")
    table.choose("Score sheet")
    end = table.session.screen.page_number
    assert end > 0
    pictures = {end: text_of(table.picture)}
    table.press("down")
    assert text_of(table.picture) == pictures[end]
    table.press(*["up"] * (end + 3))
    assert table.session.screen.page_number == 0
    assert text_of(table.picture) != pictures[end]
    table.press("down")
    assert table.session.screen.page_number == 1
    table.press("back")
    assert table.family == "Menu"


def test_the_tiles_page_shows_what_is_played_and_nothing_hidden(new_table):
    """Played tiles are covered as on the board; an open rack changes nothing on this page."""
    plain, known = new_table(G), new_table(G, opened=(("rack", 1),))
    known.type("D2D3D4D5#")
    before = None
    for table in (plain, known):
        table.choose("Tiles left")
        before = text_of(table.picture)
        table.press("back", "back")
        table.type("C7#")
        table.choose("Tiles left")
        assert text_of(table.picture) != before
    assert text_of(plain.picture) == text_of(known.picture)


def test_the_last_line_stays_the_plays_after_its_refill(new_table):
    """The last line is about the play, not about the tiles drawn after it."""
    from companion.games.prime_attactics import screen

    table = new_table(G, opened=DISPLAYS)
    table.type(D1 + D2 + "C50#C7A5#")
    assert screen.last_play(table.session.screen.content(table.session).scene) == ("Ann", "×5 doubled")
    table.type("0C4#A7#")
    assert screen.last_play(table.session.screen.content(table.session).scene) == ("Ben", "×4 on Ann")


@pytest.mark.parametrize(("level", "keys", "said"), [("full", "A8", "1 to 7"), ("easy", "C7", "2 to 5")])
def test_a_display_takes_no_tile_that_does_not_exist(new_table, level, keys, said):
    """A display is face up: a number that the level does not have is refused at its key, with the range of numbers."""
    table = new_table(G, level=level, opened=(("deal", 1),))
    table.type("B2" + keys)
    assert (table.session.screen.pieces, table.session.screen.typed_keys) == (("-2",), keys[0])
    scene = table.session.screen.content(table.session).scene
    assert scene.stray_key_text == f"its number: {said}"


def test_a_drawn_tile_is_corrected_by_one_of_its_kind(new_table):
    """If a coloured tile was drawn, no black one can be named, neither at first nor when it is corrected."""
    table = new_table(G, opened=DISPLAYS)
    table.type(D1 + D2)
    table.type("C5#")
    table.type("C5#")  # The five is on the table.
    assert table.family == "Refusing"
    table.press("#", "#")
    assert table.family == "CorrectionScreen"
    table.press("#", "D")
    assert table.session.screen.content(table.session).said == "type A+ B- or C×"
