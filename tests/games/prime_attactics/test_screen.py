"""Golden pictures of Prime Attactics: turns, drafts, picks, tiles being named, pages, and the longest of everything."""

import random

import pytest
from goldens import panel_after_a_second
from list_screens import index_of_line, list_lines

from companion import display
from companion.evening import state_machine
from companion.evening.model import Session
from companion.evening.screens.base_screen import current_base_screen
from companion.evening.screens.evening_start import Splash
from companion.evening.screens.play.playing import PlayScreen
from companion.gamekit.contract.picture_faults import recorded_texts
from companion.games.prime_attactics import GAME
from companion.games.prime_attactics.rules import RULES
from companion.inputs import ComputerMove, ComputerMoveRequest, KeyPressed, KeyReleased
from companion.panel.canvas import Canvas
from companion.rounds.on_table import replay_round
from companion.rounds.stored import RoundHeader, StoredHistory, StoredRound

ANN, BEN = "+4 +7 D+ -2 -6 x3 x5 Dx", "+2 +6 -3 -5 x4 x7 Dx +3"
DISPLAYS = (("deal", 1, ANN), ("deal", 2, BEN))
SHEET = ((1, "x3"), (2, "+2"), (1, "x7D"), (2, "@/3"), (1, "+3"))
LONG_NAMES = ("Maximiliane-Anna", "Wolfgang-Amadeus")


def session_with(deals=(), events=(), names=("Ann", "Ben"), scores=(), level="full", waiting=(), turns=None):
    """A session at a table; `scores` replace those of the position, `waiting` holdings are still to be named."""
    header = RoundHeader(GAME.id, (("level", level), ("start", "11")), names,
                  opened=tuple(held[:2] for held in deals) + tuple(waiting))  # fmt: skip
    round_ = replay_round(StoredRound(1, header, tuple(deals), tuple(events)))
    if scores:
        sides = tuple(side._replace(score=score) for side, score in zip(round_.state.sides, scores, strict=True))
        state = round_.state._replace(sides=sides, turns=round_.state.turns if turns is None else turns)
        round_ = round_._replace(states=(*round_.states[:-1], state))
    session = Session((Splash(0.0),), StoredHistory(), round=round_)
    screen = current_base_screen(session)
    return session.replace_screen(screen._replace(shows_start=False) if isinstance(screen, PlayScreen) else screen)


def press(session, *keys):
    for key in keys:
        session = state_machine.update_session(session, KeyPressed(key, session.now + 2))
    return session


def menu(session, words):
    session = press(session, "*")
    place = list_lines(session)[index_of_line(session, words)].place
    return press(session, *"0" * (place // 9), str(place % 9 + 1))


def box_plays(session, move):
    """The session with this move of the computer player on the panel, for people to make."""
    round_ = session.round
    request = ComputerMoveRequest(round_.header.game, round_.states, round_.events, round_.turn, 2)
    return session._replace(computer_move=ComputerMove(request, 100, move))


PASSED, FIRST_PLAY = ((1, "pass"),), ((1, "x5D"), (1, "refill x7 +5"))
SLAM_KEYS = ("up", "left", "up", "ok", "down", "down")
PICTURES = {
    # The mock-ups: a turn, six digits, an entry.
    "turn": lambda: session_with(DISPLAYS, ((1, "x5D"), (1, "refill x7 +5"))),
    "turn-six": lambda: press(session_with(DISPLAYS, scores=(130977, 51200)), *"C5#A5#0C4#B1#"),
    "entry": lambda: press(session_with(DISPLAYS, scores=(33, 13)), *"C50"),
    # At rest.
    "starts": lambda: (lambda begun: begun.replace_screen(PlayScreen(shows_start=True)))(session_with(DISPLAYS)),
    "first-turn": lambda: session_with(DISPLAYS),
    "first-turn-buttons": lambda: session_with(DISPLAYS)._replace(uses_buttons=True),
    "slam-offered": lambda: session_with(DISPLAYS, FIRST_PLAY, scores=(110, 11), turns=7),
    "slam-offered-sealed": lambda: session_with(events=PASSED, scores=(110, 11), turns=9)._replace(uses_buttons=True),
    "sealed": lambda: session_with(events=SHEET),
    "aimed": lambda: session_with(events=SHEET[:4]),
    "claim": lambda: session_with(events=((1, "pass"),)),
    "easy": lambda: session_with((("deal", 1, "+2 +5 -3 x4 D+"),), level="easy"),
    "nudge": lambda: (lambda asked: asked.replace_screen(asked.screen._replace(shows_pass_help=True)))(session_with()),
    # Typed. What was to be drawn stays while the next play is entered.
    "typed-after-a-play": lambda: press(session_with(events=SHEET[:1]), "A"),
    "typed-large": lambda: press(session_with(scores=(351296, 4564)), *"A5"),
    "typed-0": lambda: press(session_with(), "0"),
    "typed-tile": lambda: press(session_with(DISPLAYS, scores=(33, 13)), *"C5"),
    "typed-sign": lambda: press(session_with(DISPLAYS), *"0A"),
    "typed-aimed": lambda: press(session_with(DISPLAYS, scores=(11, 462)), *"0B6"),
    "typed-slam-begun": lambda: press(session_with(DISPLAYS, scores=(11, 462), turns=6), *"0A4D"),
    "typed-slam": lambda: press(session_with(DISPLAYS, scores=(11, 461), turns=6), *"0A7D6"),
    "typed-slam-early": lambda: press(session_with(DISPLAYS), *"0A7D6"),
    "typed-negative": lambda: press(session_with(DISPLAYS, scores=(5, 5)), *"B6"),
    "typed-inexact": lambda: press(session_with(), *"0D3"),
    "typed-not-held": lambda: press(session_with(DISPLAYS), *"C7"),
    "typed-wins": lambda: press(session_with(DISPLAYS, scores=(5, 6)), *"0B6"),
    "typed-stray": lambda: press(session_with(DISPLAYS), *"CA"),
    "refused": lambda: press(session_with(), *"0D3#"),
    # The result of the move of the box stands beside the score, else below it, if there is room for it.
    "box": lambda: box_plays(session_with(DISPLAYS, scores=(33, 13), names=("box-2", "Ben")), "x5D"),
    "box-four-digits": lambda: box_plays(session_with(DISPLAYS, scores=(2448, 5), names=("box-2", "Ben")), "x5D"),
    "box-slam": lambda: box_plays(session_with(DISPLAYS, scores=(11, 9451), names=("box-2", "Ben"), turns=6), "@+4/5"),
    "box-long": lambda: box_plays(session_with(DISPLAYS, scores=(1234567890, 5), names=("box-2", "Ben")), "x5D"),
    # Picked.
    "picked-display": lambda: press(session_with(DISPLAYS), "right", "down"),
    "picked-black": lambda: press(session_with(DISPLAYS), "right", "right", "right"),
    "picked-sign": lambda: press(session_with(), "up"),
    "picked-number": lambda: press(session_with(), "up", "ok"),
    "picked-pass": lambda: press(session_with(), "up", "right", "right"),
    "picked-slam": lambda: press(session_with(turns=6, scores=(11, 11)), *SLAM_KEYS),
    "picked-slam-black": lambda: press(session_with(turns=6, scores=(11, 11)), *SLAM_KEYS, "ok"),
    # Tiles named.
    "deal-display": lambda: press(session_with(waiting=(("deal", 1),)), *"A4A7A0B2"),
    "deal-begun": lambda: press(session_with(waiting=(("deal", 1),)), *"A4A7C"),
    "deal-picked": lambda: press(session_with(waiting=(("deal", 1),)), *"A4A7", "down", "down", "right"),
    "deal-buttons": lambda: session_with(waiting=(("deal", 1),))._replace(uses_buttons=True),
    "deal-rack": lambda: press(session_with(waiting=(("rack", 1),)), *"D2D3"),
    "deal-rack-picked": lambda: press(session_with(waiting=(("rack", 2),), names=LONG_NAMES), "right", "ok", "right"),
    "refill": lambda: press(session_with((*DISPLAYS, ("rack", 1, "/2 /3 /5 /7")), scores=(11, 11), turns=6), *"0A4D5#"),
    "refill-black": lambda: press(
        session_with((*DISPLAYS, ("rack", 1, "/2 /3 /5 /7")), scores=(11, 11), turns=6), *"0A4D5#A2D6"
    ),
    # Pages.
    "sheet": lambda: menu(session_with(events=SHEET), "Score sheet"),
    "sheet-late": lambda: menu(
        press(session_with(), *"C7#C7#C60#C60#C5#C5#C4#C4#C20#C20#C30#C3#A60#A60#A70#A70#"), "Score sheet"
    ),
    "tiles": lambda: menu(session_with(events=SHEET), "Tiles left"),
    "tiles-easy": lambda: menu(session_with(level="easy", events=((1, "x3"), (2, "+2D"))), "Tiles left"),
    "peek": lambda: press(menu(session_with((("rack", 1, "/2 /3 /5 /7"),)), "My pieces"), "#"),
    # The worst cases.
    "long-names": lambda: session_with(events=SHEET[:4], names=LONG_NAMES),
    "long-7-8": lambda: press(session_with(DISPLAYS, scores=(1234567, 12345678)), *"C50"),
    "long-10-11": lambda: press(session_with(scores=(1234567890, 12345678901), names=LONG_NAMES), *"C2#"),
    "long-16": lambda: press(session_with(DISPLAYS, scores=(1234567890123456, 9876543210987654)), *"C50"),
    "long-20": lambda: press(session_with(scores=(12345678901234567890, 18765432109876543210)), *"0C2#"),
    "long-21": lambda: press(session_with(scores=(12345678901234567890, 98765432109876543210)), *"0C2#"),
    "long-20-entry": lambda: press(
        session_with(DISPLAYS, scores=(12345678901234567890, 98765432109876543210)), *"0C50"
    ),
    "long-sheet": lambda: menu(press(session_with(scores=(1234567890, 123456)), *"C50#C60#"), "Score sheet"),
    "result-long": lambda: session_with(events=((1, "pass"), (2, "pass")), scores=(1234567890123456, 9876543210987654)),
    "result": lambda: press(session_with(DISPLAYS, scores=(154, 6)), *"0B6#"),
}  # fmt: skip


NAMES, HALVES = (0, 0, 128, 15), ((0, 16, 63, 38), (66, 16, 128, 38))


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_match(golden, name):
    """Every picture of the game equals its golden picture."""
    golden(panel_after_a_second(PICTURES[name]()), name)


def test_a_draft_changes_neither_names_nor_the_score_that_it_leaves_alone():
    """Only the target's half and the lines below differ while a draft grows."""
    session = session_with(DISPLAYS, scores=(462, 13))
    before = [display.session_picture(session).crop(box).tobytes() for box in (NAMES, *HALVES)]
    for key in "0A4D3":
        session = press(session, key)
        names, own, _ = (display.session_picture(session).crop(box).tobytes() for box in (NAMES, *HALVES))
        assert [names, own] == before[:2]


@pytest.mark.parametrize(("keys", "changed"), [("", ()), ("B", (0,)), ("0B", (1,))])
def test_a_draft_asks_beside_the_score_that_it_is_for(keys, changed):
    """``11→?`` is in the half of the own score, or of the other one."""
    rest, entered = (display.session_picture(press(session_with(scores=(11, 11)), *each)) for each in ("", keys))
    for index, half in enumerate(HALVES):
        assert (rest.crop(half).tobytes() != entered.crop(half).tobytes()) == (index in changed)


def test_a_result_is_beside_the_score_that_changes():
    """``154→77`` is in the half of the score that a complete draft is for, and nowhere else."""
    before = session_with(scores=(154, 154))
    halves = {"own": (30, 16, 61, 36), "other": (95, 16, 127, 36)}
    for keys, changed in (("D2", "own"), ("0D2", "other")):
        entered = press(before, *keys)
        for half, box in halves.items():
            same = (
                display.session_picture(entered).crop(box).tobytes()
                == display.session_picture(before).crop(box).tobytes()
            )
            assert same == (half != changed), (keys, half)


def test_tiles_are_named_from_a_row_that_is_there_before_the_first_arrow():
    """The first arrow marks a tile of the row and changes the footer; the prompt stays where it is."""
    before = PICTURES["deal-buttons"]()
    first, marked = display.session_picture(before), display.session_picture(press(before, "right"))
    assert first.crop((0, 40, 128, 52)).tobytes() == marked.crop((0, 40, 128, 52)).tobytes()
    assert first.crop((16, 28, 128, 40)).tobytes() == marked.crop((16, 28, 128, 40)).tobytes()
    assert first.crop((0, 28, 16, 40)).tobytes() != marked.crop((0, 28, 16, 40)).tobytes()


def test_nothing_is_lit_beside_the_picture(play_round):
    """Columns 0 and 127 stay dark in every position of random rounds, with picks and typed drafts."""
    for seed in range(4):
        chance = random.Random(seed)
        played = play_round(GAME.id, {"level": chance.choice(GAME.option_values["level"])}, 2, chance)
        deals = tuple((kind, seat, RULES.format_deal(tiles)) for (kind, seat), tiles in played.deals.items())
        events = tuple((seat, str(move)) for seat, move in played.events)
        for length in range(0, len(events) - 1, 7):
            session = session_with(deals, events[:length], LONG_NAMES, level=played.header.options["level"])
            for key in ("", *chance.choices(["left", "right", "up", "down", "ok", "0", "A", "D", "3"], k=12)):
                session = press(session, key) if key else session
                picture = display.session_picture(session)
                assert not [x for x in (0, 127) if picture.crop((x, 0, x + 1, 64)).getbbox()]


def test_a_peek_ends_when_ok_comes_up():
    """The pieces are hidden again."""
    session = press(menu(session_with((("rack", 1, "/2 /3 /5 /7"),)), "My pieces"), "ok")
    covered = state_machine.update_session(session, KeyReleased("ok", session.now + 1))
    assert type(covered.screen).__name__ == "PlayScreen"


@pytest.mark.parametrize(("deals", "keys"), [((), "0"), (DISPLAYS, "0"), ((), "C"), (DISPLAYS, "0D")])
def test_the_letters_of_the_signs_stay_in_sight(deals, keys):
    """They stay while the draft waits for a sign or for its number."""
    assert "A+ B− C× D÷" in texts_on(press(session_with(deals), *keys))


def texts_on(session):
    with recorded_texts() as written:
        display.session_picture(session)
    return [each.text for each in written]


@pytest.mark.parametrize(
    ("keys", "turns", "said"),
    [
        ("B", 0, "0 first: on Ben's score"),
        ("D", 0, "0 first: on Ben's score"),
        ("B", 5, "number, or 0: on Ben"),
        ("0", 5, "on Ben: which sign?"),
        ("0B", 5, "on Ben: − number?"),
        ("A", 5, "+ number?"),
        ("B2", 5, "on yourself!"),
        ("D2", 5, "on yourself!"),
        ("A4", 5, "double it"),
    ],
)
def test_0_is_called_by_what_it_does_at_that_place(keys, turns, said):
    """First it aims at the other score, which is named; behind a number it doubles."""
    words = texts_on(press(session_with(DISPLAYS, scores=(12, 12), turns=turns), *keys))
    assert said in words


@pytest.mark.parametrize(
    ("keys", "said"), [("B5", "on yourself!"), ("B50", "doubled"), ("0B50", "on Ben!"), ("0A4", "on Ben!")]
)
def test_a_play_that_helps_the_other_player_is_pointed_out(keys, said):
    """The higher score wins: it is the result that counts, not the sign."""
    deal = ("deal", 1, "-5 D- +4 +7 D+ x3 x5 Dx")
    assert said in texts_on(press(session_with((deal,), scores=(110, 110), turns=5), *keys))


@pytest.mark.parametrize(("keys", "place"), [("0D4", 1), ("D4", 0)])
def test_a_refused_play_shows_whose_score_it_is_for(keys, place):
    """``11→?`` is beside the score that cannot be divided."""
    session = session_with(DISPLAYS, scores=(11, 13), turns=5)
    assert ["11→?" in texts_on(press(session, *keys)), "13→?" in texts_on(press(session, *keys))] == [
        place == 0,
        place == 1,
    ]


def test_how_a_double_is_named_is_said_before_and_while_its_sign_is_typed():
    """It is typed as the sign and 0."""
    session = session_with(waiting=(("deal", 1),))
    assert "double of +: A 0" in texts_on(session)
    assert "number, or 0: double" in texts_on(press(session, "A"))
    assert "7 more tiles" in texts_on(press(session, "A", "0"))
    assert not any("double" in each for each in texts_on(session._replace(uses_buttons=True)))


@pytest.mark.parametrize("buttons", [False, True])
@pytest.mark.parametrize(
    ("events", "said"),
    [
        ((*FIRST_PLAY, (2, "@/5")), "Ben draws 1 black"),
        ((*FIRST_PLAY, (2, "@/5"), (1, "x3"), (1, "refill -1"), (2, "@-5"), (2, "refill +1")), "Ben: −5 on Ann"),
    ],
)
def test_what_must_be_drawn_is_said_at_once_beside_an_open_display(events, said, buttons):
    """Before any key, even where a player's first turn would explain how a tile is played."""
    assert said in texts_on(session_with(DISPLAYS, events)._replace(uses_buttons=buttons))


def test_a_slam_dunk_says_that_its_black_tile_is_drawn_too():
    """Its coloured tile was named to the box, and nobody but the table sees to the other one."""
    session = session_with(DISPLAYS, FIRST_PLAY, scores=(110, 11), turns=7)
    slam = press(session, *"0A2D2#")
    assert type(slam.screen).__name__ == "NamingScreen"
    assert "Ben draws 1 black" in texts_on(press(slam, *"A1#"))


@pytest.mark.parametrize("deals", [(), DISPLAYS])
def test_the_letters_are_explained_until_each_player_has_moved_twice(deals):
    """With a keypad they are on the table for two turns of each player beside a short play, with buttons never."""
    for turns in (2, 3, 4):
        session = session_with(deals, ((1, "x5"), (1, "refill x7")) if deals else PASSED, scores=(11, 11), turns=turns)
        assert ("A+ B− C× D÷" in " ".join(texts_on(session))) == (turns < 4)
        assert "A+ B− C× D÷" not in " ".join(texts_on(session._replace(uses_buttons=True)))


@pytest.mark.parametrize(
    ("deals", "buttons", "offer"),
    [
        ((), False, "Slam dunk: 0 A 1 D 7 #"),
        ((), True, "Slam dunk: ▾ on + or −"),
        (DISPLAYS, False, "slam dunk?"),
        (DISPLAYS, True, "slam dunk?"),
    ],
)
def test_the_slam_dunk_is_offered_in_words_from_turn_7(deals, buttons, offer):
    """The panel names its keys if there is room; not before turn 7, and not to a player who has made it."""
    events = FIRST_PLAY if deals else PASSED
    session = session_with(deals, events, scores=(11, 11), turns=6)._replace(uses_buttons=buttons)
    assert offer in " ".join(texts_on(session))
    sides = tuple(side._replace(has_slammed=True) for side in session.round.state.sides)
    for other in (with_state(session, turns=5), with_state(session, sides=sides)):
        assert "slam dunk" not in " ".join(texts_on(other)).lower()


@pytest.mark.parametrize(("keys", "said"), [("A2", "slam: 0 A 2 D"), ("0A2", "D: slam dunk")])
def test_a_draft_that_can_become_a_slam_dunk_says_how(keys, said):
    """Behind what OK does; with buttons it is the arrow down."""
    session = session_with(DISPLAYS, FIRST_PLAY, scores=(11, 11), turns=7)
    assert said in texts_on(press(session, *keys))
    picked = [press(session._replace(uses_buttons=True), "right", *["left"] * count) for count in range(8)]
    assert any("▾ slam dunk" in texts_on(each._replace(uses_buttons=True)) for each in picked)


def with_state(session, **changes):
    states = (*session.round.states[:-1], session.round.state._replace(**changes))
    return session._replace(round=session.round._replace(states=states))


@pytest.mark.parametrize(
    ("events", "said"),
    [
        (SHEET[:1], "Ann draws 1 coloured"),
        (SHEET[:3], "Ann draws 2 coloured"),
        (SHEET[:4], "Ben draws 1 black"),
        (((1, "x6"), (2, "@/6"), (1, "x3"), (2, "@/3"), (1, "x5"), (2, "@/5")), "Ben: none left to draw"),
        ((*SHEET[:4], (1, "pass")), "8 on display, 4 in rack"),
    ],
)
def test_the_panel_says_who_draws_what(events, said, monkeypatch):
    """By name and number, since otherwise the numbers would be taken for those of the player to move."""
    drawn = []
    text = Canvas.text
    monkeypatch.setattr(Canvas, "text", lambda c, x, y, s, *m, **n: drawn.append(str(s)) or text(c, x, y, s, *m, **n))
    display.session_picture(session_with(events=events))
    assert said in drawn


@pytest.mark.parametrize(
    ("keys", "turns", "told"),
    [("C7D", 0, "double it"), ("0C2D", 13, "slam dunk: + or −"), ("D3D", 0, "now press #")],
)
def test_the_key_d_is_explained(keys, turns, told, monkeypatch):
    """A double is printed D and typed 0, so a player who presses D must not think that it was accepted."""
    drawn = []
    text = Canvas.text
    monkeypatch.setattr(Canvas, "text", lambda c, x, y, s, *m, **n: drawn.append(str(s)) or text(c, x, y, s, *m, **n))
    display.session_picture(press(session_with(scores=(12, 12), turns=turns), *keys))
    assert told in drawn
