"""A phone's own board: every move can be put together with a few taps."""

from __future__ import annotations

import random
import re

import pytest
from examples import example_count
from hypothesis import given, settings
from hypothesis import strategies as st
from tapping import keys_of_move, taps_to_keys

from companion import games
from companion.games.api.board import BoardScene
from companion.games.api.move_input import without_hidden_pieces
from companion.games.coral_reef.sums import SINGLE_BAGS
from companion.games.prime_attactics.tiles import Play
from companion.table.phone_view import judge_draft
from companion.web.app import render_template

MAX_TAPS = {"27": 2, "coral-reef": 99, "prime-attactics": 3, "ziggurat": 4}
"""Game → the most taps on the board that a move takes, without the button that plays it; each coral is a tap."""


def settings_by_openness(game: str):
    """The settings of a game with all hands open, and with all sealed."""
    return [True, False] if games.manifest_of(game).holdings else [False]


@pytest.mark.parametrize(("game", "opened"), [(game, each) for game in MAX_TAPS for each in settings_by_openness(game)])
@settings(max_examples=example_count(6))
@given(seed=st.integers(0, 2**32))
def test_every_move_can_be_tapped(settings_of_all_games, play_round, typed_keys, game, opened, seed):
    """27 takes three taps at most and Ziggurat five, with the button that plays. Each undo takes one tap back."""
    chance = random.Random(seed)
    _, options, players = chance.choice([each for each in settings_of_all_games if each[0] == game])
    played = play_round(game, options, players, chance, share=float(opened))
    board, rules, names = games.load_board(game), games.load_rules(game), ("Ann", "Ben", "Cleo", "Dan")[:players]
    for index, (seat, move) in enumerate(played.events):
        state = played.states[index]
        if played.move_input.due_refill(state) is not None:
            continue
        if game == "prime-attactics" and str(move) == "pass":
            continue  # With no tile to play the board has no taps; the page's own button says "I can't move".
        view, keys = rules.seat_view(state, seat), keys_of_move(typed_keys, game, state, move)

        def shown(entered, view=view, index=index, seat=seat):
            return board.draw_scene(BoardScene(view, names, played.events[:index], seat, entered, is_to_move=True))

        taps = taps_to_keys(lambda entered: [(tap.keys, tap.words) for tap in shown(entered).all_taps], keys)
        assert len(taps) <= MAX_TAPS[game], (str(move), taps)
        while keys:
            undo = shown(keys).undo
            before = keys[:-1] if undo is None else undo
            assert sorted(keys) in [sorted(tap.keys) for tap in shown(before).all_taps], (keys, before)
            keys = before


@pytest.mark.parametrize("game", list(MAX_TAPS))
def test_a_board_of_a_waiting_player_has_no_taps(settings_of_all_games, play_round, game):
    """Neither the big screen's drawing nor that of a waiting player has any taps."""
    _, options, players = next(each for each in settings_of_all_games if each[0] == game)
    played = play_round(game, options, players, random.Random(3))
    board, rules, names = games.load_board(game), games.load_rules(game), ("Ann", "Ben", "Cleo", "Dan")[:players]
    for state in played.states[:6]:
        assert not board.draw_scene(BoardScene(rules.seat_view(state, None), names)).all_taps
        for seat in range(1, players + 1):
            assert not board.draw_scene(BoardScene(rules.seat_view(state, seat), names, seat=seat)).all_taps


def test_a_failing_board_leaves_the_keypads_buttons(new_table, monkeypatch):
    """The public snapshot reports the failure, and the player can go on with the keypad's keys."""
    table = new_table("27")
    table.wait(3)
    monkeypatch.setattr(type(games.load_board("27")), "draw_scene", lambda board, seen: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        judge_draft(table.session, 1, "1")
    monkeypatch.setattr(games, "is_added_game", lambda game: True)
    draft = judge_draft(table.session, 1, "1")
    assert draft["board"] is None
    assert draft["next"]


def test_the_page_frames_only_what_the_drawing_does_not(new_table):
    """27 draws its own frames; in Ziggurat the squares where a domino may lie are framed by the page."""
    stacks = judge_draft(new_table("27").session, 1, "")["board"]
    page = render_template("own_board.html", board=stacks, seat={"turn": True})
    assert page.count("fits drawn") == 1
    assert 'class="halo"' not in page.partition('class="taps"')[2]
    squares = judge_draft(new_table("ziggurat").session, 1, "01")["board"]
    page = render_template("own_board.html", board=squares, seat={"turn": True})
    assert 'class="tap fits"' in page
    assert 'class="halo"' in page


@pytest.mark.parametrize("stack", [1, 2, 3, 4])
@pytest.mark.parametrize("corals", ["2", "12", "111111", "11111111"])
def test_half_placed_corals_fan_down_from_their_stack(new_table, stack, corals):
    """They were once drawn below stack 1, whichever was tapped; many of them stay above the deck."""
    drawn = judge_draft(new_table("coral-reef").session, 1, f"{stack}{corals}")["board"]
    left, _, width, _ = next(tap["place"] for tap in drawn["taps"] if tap["keys"].startswith(str(stack)))
    cards = re.findall(r'class="card" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', drawn["svg"])
    each_card = [tuple(map(float, card)) for card in cards]
    fan = [card for card in each_card if card[0] + card[2] / 2 == pytest.approx(left + width / 2, abs=0.02)]
    assert len(fan) == 1 + len(corals)
    assert [card[1] for card in fan] == sorted({card[1] for card in fan})
    assert len({card[2] for card in fan}) == 1
    deck = next(tap["place"] for tap in drawn["taps"] if tap["keys"] == "0")
    assert fan[-1][1] + fan[-1][3] < deck[1]


def coral_scene(hands: tuple[str, str], tops: tuple[int, ...], **values) -> BoardScene:
    """A round of Coral Reef with cards as Ann's phone sees it; `values` are further fields of the scene."""
    rules = games.load_rules("coral-reef")
    deals = {("deal", seat): rules.parse_deal(hand, "deal", {}) for seat, hand in enumerate(hands, 1)}
    state = rules.initial_state(2, {"form": "cards"}, deals)._replace(tops=tops)
    seat = values.pop("seat", 1)
    return BoardScene(rules.seat_view(state, seat or None), ("Ann", "Ben"), seat=seat, **values)


def labels_of(drawing) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]+)</text>", str(drawing).replace("\N{NO-BREAK SPACE}", " "))


NONE_COMPLETES = "None of your corals completes this: take one back, or tap another stack."


@pytest.mark.parametrize(
    ("keys", "working", "says"),
    [
        ("3", "", ""),
        ("36", "", "6: 4 more make 10."),
        ("36B", "J takes 1 away and is never last.", "6 − 1 = 5: 5 more make 10."),
        ("36B5", "6 − 1 + 5 = 10", "5 is the new top of stack 3."),
        ("3263", NONE_COMPLETES, "2 + 6 + 3 = 11: 1 too many for 10."),
        ("251", "5 + 1 = 6", "1 is the new top of stack 2."),
        ("36D", "K takes 3 away and is never last.", "6 − 3 = 3: 7 more make 10."),
        ("18", NONE_COMPLETES, "8: 5 too many for 3."),
        ("3268", NONE_COMPLETES, "2 + 6 + 8 = 16: 6 too many for 10."),
        ("9", "", "You have no 9."),
        ("0", "", "You can still lay: stack 1, 2, 3, 4 or 5."),
    ],
)
def test_a_phone_writes_sums_of_corals_out(keys, working, says):
    """The panel has room for ``6-1 = 5`` and ``5 to go`` only."""
    scene = coral_scene(("A23568JK", "22334455"), (3, 6, 10, 5, 9), keys=keys, is_to_move=True)
    draft = games.load_move_input("coral-reef").draft_from_keys(scene.view, keys)
    sentences = games.load_board("coral-reef").draft_sentences(scene, draft)
    assert [sentence.replace("\N{NO-BREAK SPACE}", " ") for sentence in sentences] == [working, says]


@pytest.mark.parametrize(("keys", "chosen", "says"), [("0", 0, ""), ("05", 1, "You drew 5.")])
def test_a_coral_that_was_drawn_is_marked(keys, chosen, says):
    """A ring is around it, and a second tap takes it back."""
    scene = coral_scene(("22223333", "22334455"), (1, 1, 1, 1), keys=keys, is_to_move=True)
    board, draft = games.load_board("coral-reef"), games.load_move_input("coral-reef").draft_from_keys(scene.view, keys)
    tray = board.draw_scene(scene).tray
    assert [tap.keys for tap in tray.taps if tap.chosen] == ["0"] * chosen
    assert str(tray).count("ring-seat1") == chosen
    if says:
        assert board.draft_sentences(scene, draft) == ("", says)


def test_a_ten_can_complete_a_sum_after_a_face_card():
    """9 − 1 + 10 on an 8: the jack and the ten are framed, and nothing says that no coral completes the sum."""
    scene = coral_scene(("9JT22222", "22334455"), (8, 8, 8, 8), is_to_move=True)
    board, move_input = games.load_board("coral-reef"), games.load_move_input("coral-reef")
    for keys, coral in (("19", "J"), ("19B", "10")):
        drawing = board.draw_scene(scene._replace(keys=keys))
        assert next(tap for tap in drawing.tray.taps if tap.words == coral).leads
        sentences = board.draft_sentences(scene._replace(keys=keys), move_input.draft_from_keys(scene.view, keys))
        assert not any("None" in sentence for sentence in sentences)


def test_the_last_corals_lie_below_the_former_top():
    """The ring has the colour of who placed them; only the big screen, which has room, writes their sum."""
    rules, board = games.load_rules("coral-reef"), games.load_board("coral-reef")
    moves = ((2, rules.parse_move("1:43")),)
    screen = board.draw_scene(coral_scene(("A23568JK", "22334455"), (3, 6, 10, 5), moves=moves, seat=0))
    assert labels_of(screen)[:4] == ["7", "4", "3", "3"]
    assert "4 + 3 = 7" in labels_of(screen)
    assert "ring-seat2" in str(screen)
    assert "data-dy" in str(screen)
    assert screen.tray is None
    phone = board.draw_scene(coral_scene(("A23568JK", "22334455"), (3, 6, 10, 5), moves=moves))
    assert "ring-seat2" in str(phone)
    assert "4 + 3 = 7" not in labels_of(phone)


def test_a_placed_coral_is_taken_back_in_the_tray_or_on_its_stack():
    """Its place in the tray stays, as a broken outline."""
    drawing = games.load_board("coral-reef").draw_scene(
        coral_scene(("A23568JK", "22334455"), (3, 6, 10, 5), keys="36B", is_to_move=True)
    )
    assert ("36", "take J back") in [(tap.keys, tap.words) for tap in drawing.taps]
    assert {("36", "take J back"), ("3B", "take 6 back")} <= {(tap.keys, tap.words) for tap in drawing.tray.taps}
    assert str(drawing.tray).count('class="slot"') == 2


def test_a_long_hand_has_further_rows():
    """One that is a little longer has narrower corals in one row; the rows of a longer one have equally many."""
    board, scene = games.load_board("coral-reef"), coral_scene(("A23568JK", "22334455"), (9, 9, 9, 9))
    rules = games.load_rules("coral-reef")
    state = scene.view._replace(hands=(sum(SINGLE_BAGS[coral] for coral in "A23456789TJQKA234"), None), sizes=(17, 8))
    tray = board.draw_scene(scene._replace(view=rules.seat_view(state, 1))).tray
    assert tray.size[1] == 2 * board.draw_scene(scene).tray.size[1]
    assert len(labels_of(tray)) == 17
    ten = state._replace(hands=(sum(SINGLE_BAGS[coral] for coral in "A23456789T"), None), sizes=(10, 8))
    assert board.draw_scene(scene._replace(view=rules.seat_view(ten, 1))).tray.size == board.draw_scene(scene).tray.size


@pytest.mark.parametrize("game", ["coral-reef", "prime-attactics"])
def test_hidden_pieces_are_in_the_tray_alone(settings_of_all_games, play_round, game):
    """The board itself is the same whatever a waiting player holds, and the big screen has no tray."""
    _, options, players = next(each for each in settings_of_all_games if each[0] == game)
    played = play_round(game, options, players, random.Random(5), share=1.0)
    board, rules, names = games.load_board(game), games.load_rules(game), ("Ann", "Ben")
    for index, state in enumerate(played.states[:12]):
        moves = tuple(
            (seat, rules.parse_move(without_hidden_pieces(played.move_input, str(move))))
            for seat, move in played.events[:index]
        )
        assert board.draw_scene(BoardScene(rules.seat_view(state, None), names, moves)).tray is None
        for seat in (1, 2):
            own = board.draw_scene(BoardScene(rules.seat_view(state, seat), names, moves, seat))
            public = board.draw_scene(BoardScene(rules.seat_view(state, None), names, moves, seat))
            assert str(own) == str(public)
            assert own.tray is not None


@settings(max_examples=example_count(6))
@given(seed=st.integers(0, 2**32))
def test_the_last_play_is_written_into_its_score(settings_of_all_games, play_round, seed):
    """The score before it is worked out backwards; it stays while the tiles drawn after it are named."""
    chance = random.Random(seed)
    _, options, players = chance.choice([each for each in settings_of_all_games if each[0] == "prime-attactics"])
    played = play_round("prime-attactics", options, players, chance, share=1.0)
    board, rules = games.load_board("prime-attactics"), games.load_rules("prime-attactics")
    score_and_result = None
    for index, (seat, move) in enumerate(played.events):
        before, after = played.states[index : index + 2]
        if isinstance(move, Play):
            changed = 2 - seat if move.at_other_score else seat - 1
            score_and_result = [str(before.sides[changed].score), str(after.sides[changed].score)]
        scene = BoardScene(rules.seat_view(after, None), ("Ann", "Ben"), played.events[: index + 1])
        labels = labels_of(board.draw_scene(scene))
        assert labels.count("=") == (score_and_result is not None)
        if score_and_result is not None:
            equals, (score, result) = labels.index("="), score_and_result
            assert labels[equals + 1] == result
            assert {score, "…"} & set(labels[equals - 3 : equals - 1])


@pytest.mark.parametrize(
    ("keys", "working", "says", "written"),
    [
        ("0D3", "9 ÷ 3 = 3", "Ben goes from 9 to 3.", ["9", "÷3", "=", "3"]),
        ("C20", "12 × 2 × 2 = 48", "You go from 12 to 48.", ["12", "×2", "D×", "=", "48"]),
        ("0B5", "9 − 5 = 4", "Ben goes from 9 to 4.", ["9", "−5", "=", "4"]),
        ("0D4", "8 or 12 would do.", "9 ÷ 4 leaves 1 over.", ["9", "÷4", "=", "?"]),
        ("0", "", "", []),
        ("A4D", "", "A slam dunk is for the other score.", ["12", "+4", "=", "?"]),
        ("0A4D3", "Not before turn 7.", "Slam dunks come after three turns each.", ["9", "+4", "÷3", "=", "?"]),
    ],
)
def test_a_half_made_play_is_written_into_its_score(keys, working, says, written):
    rules, board = games.load_rules("prime-attactics"), games.load_board("prime-attactics")
    deals = {("deal", 1): "+4 +5 D+ -5 D- -2 x2 Dx", ("rack", 1): "/2 /3 /4 /6"}
    options = {"level": "full"}
    state = rules.initial_state(2, options, {key: rules.parse_deal(deals[key], key[0], options) for key in deals})
    sides = tuple(side._replace(score=score) for side, score in zip(state.sides, (12, 9), strict=True))
    view = rules.seat_view(state._replace(sides=sides), 1)
    scene = BoardScene(view, ("Ann", "Ben"), seat=1, keys=keys, is_to_move=True)
    draft = games.load_move_input("prime-attactics").draft_from_keys(view, keys)
    sentences = board.draft_sentences(scene, draft)
    assert [sentence.replace("\N{NO-BREAK SPACE}", " ") for sentence in sentences] == [working, says]
    drawing = board.draw_scene(scene)
    labels = labels_of(drawing)
    assert (labels[labels.index("=") - len(written) + 2 : labels.index("=") + 2] if written else []) == written
    assert str(drawing.tray).count('class="slot"') == max(len(written) - 3, 0)
    assert ("ring-no" in str(drawing)) == ("?" in written)
