"""The screen of Ziggurat, pixel by pixel: base and levels, drafts typed and picked, and the fullest tables."""

from __future__ import annotations

import random

import pytest
from goldens import panel_after_a_second

from companion import display
from companion.evening.model import Session
from companion.evening.screens.messages import RefusalScreen
from companion.evening.screens.play.dealing import NamingScreen
from companion.evening.screens.play.playing import PlayScreen
from companion.evening.screens.play.round_over import RoundOver
from companion.evening.screens.private.hints import Peek
from companion.gamekit.contract.picture_faults import recorded_texts
from companion.games.api import RefusedError
from companion.games.ziggurat import map_drawing, rules, screen
from companion.games.ziggurat.drafts import Marks
from companion.games.ziggurat.grid import SQUARE_COUNT, SQUARE_NAMES
from companion.games.ziggurat.map_drawing import map_layout
from companion.games.ziggurat.move_input import MOVE_INPUT
from companion.games.ziggurat.pieces import DOMINO_BITS, Domino, Move
from companion.games.ziggurat.rules import RULES
from companion.games.ziggurat.state import NO_PIP
from companion.panel.canvas import RIGHT, Canvas
from companion.rounds.on_table import new_round
from companion.rounds.stored import RoundHeader, StoredHistory

LONG = ("Wilhelmina-Maria", "Maximilian Moore", "MMMMMMMMMMMMMMMM", "Charlotte-Amalia")
SHORT = ("Ann", "Ben", "Cleo", "Dan")

FOUR = {"scores": (9, 12, 107, 10), "seat": 4, "last": (3, "6-3 d4e4")}
TOP = {"top": 12, "scores": (66, 72), "last": (2, "11-12 d5c5")}
HIGHEST = {"top": 12, "scores": (126, 131), "seat": 2, "last": (1, "9-9 d4d5")}

LEVEL_3 = ("c3", "53 22 22 01", "13 62 42 42", "32 63 33 12", "01 22 52 62")
LEVEL_2 = ("d4", "31 41 52 02", "10.1 12.1 0.1 0.1", "9.1 11.1 8.2 6.2", "12.1 10.1 7.1 1.1")
GAPS = ("c3", "51 0. 42 42", "11 62 41 31", "32 62 31 12", "01 21 . 62")
WIDE = ("c3", "12.5 10.6 11.6 10.4", "10.6 11.6 12.5 12.5", "10.5 12.5 11.6 10.6", "12.3 10.2 12.6 11.6")
WIDE_HIGH = ("c3", "12.5 10.6 11.6 10.4", "10.6 11.13 12.13 12.5", "10.5 12.14 11.14 10.6", "12.3 10.2 12.6 11.6")
TOWER = ("c3", "2.5 0.6 1.6 0.4", "0.6 11.22 12.22 2.5", "0.5 12.22 11.22 0.6", "2.3 0.2 2.6 1.6")
BASE_FULL = ("0-0 d4e4", "0-1 f4g4", "0-2 d5e5", "0-3 f5g5", "0-4 d6e6", "0-5 f6g6", "0-6 d7e7", "1-1 f7g7")
HIGH = ("b2", "7.9 10.8 9.14 3.2", "9.3 11.9 9.14 10.6", "5.5 7.13 1.4 2.12", "8.7 4.13 9.10 7.11")


def base_positions(*events, top=6, solid=True, players=2):
    """The positions of a base, from the initial position on."""
    options = {"set": str(top), "base": "solid" if solid else "cutup"}
    states = [RULES.initial_state(players, options, {})]
    for event in events:
        states.append(RULES.play_move(states[-1], RULES.seat_to_move(states[-1]), RULES.parse_move(event)))
    return states, [RULES.parse_move(event) for event in events]


def level_position(level, drawn, scores=(21, 18), top=6, seat=1, solid=True):
    """A position on a level: `drawn` is the lowest square and the rows from above, each square its pip and height."""
    pips, heights = [NO_PIP] * SQUARE_COUNT, [0] * SQUARE_COUNT
    low = SQUARE_NAMES.index(drawn[0])
    for row, line in enumerate(drawn[1:]):
        for column, square in enumerate(line.split()):
            cell = low + 7 * column + 3 - row
            pip, height = square.split(".") if "." in square else (square[0], square[1:])
            if height:
                pips[cell], heights[cell] = int(pip), int(height)
    *below, built = (sum(1 << cell for cell in range(SQUARE_COUNT) if heights[cell] > under) for under in range(level))
    ground = sum(1 << cell for cell in range(SQUARE_COUNT) if heights[cell] == level - 1)
    begun = RULES.initial_state(len(scores), {"set": str(top), "base": "solid" if solid else "cutup"}, {})
    begun = RULES.play_move(begun, 1, RULES.parse_move("3-6 d4e4"))
    return begun._replace(
        sizes=(7,) * len(scores), scores=scores, to_move=seat, level=level, top_pips=tuple(pips),
        ground=ground, built_on_level=built, built_below=tuple(below),
    )  # fmt: skip


def session_with(states, moves=(), screen=None, names=SHORT, buttons=False, **more):
    """A session with positions on its table; `moves` led to the last of them."""
    state = states[-1]
    players = len(state.sizes)
    options = (("set", str(state.highest_pip)), ("base", "solid"))
    round_ = new_round(1, RoundHeader("ziggurat", options, tuple(names[:players])))
    events = tuple((number % players + 1, str(move)) for number, move in enumerate(moves))
    round_ = round_._replace(states=tuple(states), events=events)
    return Session((screen or PlayScreen(),), StoredHistory(), round=round_, uses_buttons=buttons, **more)


def on_base(*events, keys="", names=SHORT, picked=None, **header):
    """A table with its base begun, and with keys entered or a pick after some presses."""
    states, moves = base_positions(*events, **header)
    return session_with(states, moves, entering(states[-1], keys, picked), names, picked is not None)


def on_level(level, drawn, keys="", last=(2, "6-3 d4e4"), names=SHORT, picked=None, top=6, scores=(21, 18), seat=1,
             solid=True, **more):  # fmt: skip
    """A table on a level; `last` is the seat and the text of the last event."""
    state = level_position(level, drawn, scores, top, seat, solid)
    move = RULES.parse_move(last[1])
    pips = list(state.top_pips)
    pips[move.first] = move.p
    shown = session_with((state._replace(top_pips=tuple(pips)), state), (), entering(state, keys, picked), names,
                  picked is not None, **more)  # fmt: skip
    return shown._replace(round=shown.round._replace(events=(last,)))


def entering(state, keys, presses):
    if presses is None:
        return PlayScreen(keys)
    pick = MOVE_INPUT.initial_pick(state)
    for press in presses:
        pick = (
            MOVE_INPUT.pick_after_ok(state, pick) if press == "ok" else MOVE_INPUT.pick_after_arrow(state, pick, press)
        )
    return PlayScreen(pick=pick)


THREE_ROWS = ("6-3 d4e4", "4-2 c4c5", "6-1 d5e5", "3-0 f4f5", "2-5 c6d6")
NINE = ("12-10 d4e4", "10-11 d5d6", "12-12 e5e6", "0-10 f4f5")
FULL = (*THREE_ROWS, "5-1 e6f6", "6-6 c7d7")

MOMENTS = {
    "start": lambda: on_base(),
    "begins": lambda: on_base().replace_screen(PlayScreen(shows_start=True)),
    "begins-buttons": lambda: on_base().replace_screen(PlayScreen(shows_start=True))._replace(uses_buttons=True),
    "start-buttons": lambda: on_base()._replace(uses_buttons=True),
    "start-four": lambda: on_base(players=4, names=LONG, top=12),
    "one": lambda: on_base("6-3 d4e4"),
    "one-upright": lambda: on_base("6-3 d4d5"),
    "base": lambda: on_base(*THREE_ROWS),
    "base-two-rows": lambda: on_base(*THREE_ROWS[:2]),
    "base-four-rows": lambda: on_base(*FULL),
    "base-cutup": lambda: on_base("6-3 d4e4", "6-6 d5d6", "1-1 d7e7", "4-3 f4f5", solid=False),
    "base-twelve": lambda: on_base(*NINE, top=12, names=LONG),
    "base-twelve-upright": lambda: on_base("12-10 d4d5", "11-11 d6d7", top=12),
    "base-pip": lambda: on_base(*THREE_ROWS, keys="5"),
    "base-column": lambda: on_base(*THREE_ROWS, keys="55"),
    "base-row": lambda: on_base(*THREE_ROWS, keys="555"),
    "base-way": lambda: on_base(*THREE_ROWS, keys="5556"),
    "base-entry": lambda: on_base(*THREE_ROWS, keys="5556B"),
    "base-entry-outside": lambda: on_base(*THREE_ROWS, keys="5533B"),
    "one-column": lambda: on_base("6-3 d4e4", keys="552"),
    "one-entry-left": lambda: on_base("6-3 d4e4", keys="5524B"),
    "one-entry-above": lambda: on_base("6-3 d4d5", keys="6646A"),
    "base-touch": lambda: on_base("6-3 d4e4", keys="5523A"),
    "base-occupied": lambda: on_base(*THREE_ROWS, keys="5545A"),
    "base-twelve-entry": lambda: on_base(*NINE, top=12, keys="C566A", names=LONG),
    "base-picked": lambda: on_base(*THREE_ROWS, picked=("ok",)),
    "level": lambda: on_level(3, LEVEL_3),
    "level-two": lambda: on_level(2, LEVEL_2, top=12, scores=(5, 4), last=(1, "6-7 f5f4"), seat=2),
    "level-gaps": lambda: on_level(2, GAPS, last=(2, "6-3 d5d4"), solid=False),
    "level-column": lambda: on_level(3, LEVEL_3, "46"),
    "level-row": lambda: on_level(3, LEVEL_3, "465"),
    "level-way": lambda: on_level(3, LEVEL_3, "4655"),
    "level-entry": lambda: on_level(3, LEVEL_3, "4655D"),
    "level-upright": lambda: on_level(3, LEVEL_3, "2456C"),
    "level-no-match": lambda: on_level(3, LEVEL_3, "5556C"),
    "level-uneven": lambda: on_level(3, LEVEL_3, "4644A"),
    "level-edge": lambda: on_level(3, LEVEL_3, "4666A"),
    "level-off": lambda: on_level(3, LEVEL_3, "4677A"),
    "level-played": lambda: on_level(3, LEVEL_3, "63"),
    "level-not-in-set": lambda: on_level(3, LEVEL_3, "94"),
    "level-stray": lambda: on_level(3, LEVEL_3).replace_screen(PlayScreen("46", stray_key="C")),
    "level-keypad-lost": lambda: on_level(
        3, LEVEL_3, banner="Keypad unplugged\nbuttons still work", missing_devices=("keypad",)
    ),
    "level-keypad-away": lambda: on_level(3, LEVEL_3, missing_devices=("keypad",)),
    "pick-first": lambda: on_level(3, LEVEL_3, picked=()),
    "pick-four": lambda: on_level(3, LEVEL_3, **FOUR, picked=("right",)),
    "pick-second": lambda: on_level(3, LEVEL_3, picked=("right",)),
    "pick-cell": lambda: on_level(3, LEVEL_3, picked=("ok",)),
    "pick-way": lambda: on_level(3, LEVEL_3, picked=("ok", "up")),
    "long-names": lambda: on_level(3, LEVEL_3, names=LONG, scores=(121, 98), last=(2, "0-0 d4e4")),
    "four": lambda: on_level(3, LEVEL_3, scores=(9, 12, 7, 10), seat=3, last=(2, "6-3 d4e4")),
    "four-long": lambda: on_level(3, LEVEL_3, **FOUR, names=LONG),
    "four-entry": lambda: on_level(3, LEVEL_3, "4655D", scores=(9, 12, 7, 10), seat=3, last=(2, "6-3 d4e4")),
    "four-column": lambda: on_level(3, LEVEL_3, "46", **FOUR, names=LONG),
    "twelve": lambda: on_level(6, WIDE, **TOP),
    "twelve-long": lambda: on_level(6, WIDE, **TOP | {"scores": (166, 172)}, names=LONG),
    "twelve-column": lambda: on_level(6, WIDE, "CB", **TOP),
    "twelve-way": lambda: on_level(6, WIDE, "CB55", **TOP),
    "twelve-entry": lambda: on_level(6, WIDE, "CC55B", **TOP, names=LONG),
    "twelve-four": lambda: on_level(6, WIDE, **TOP | FOUR | {"last": (3, "11-12 d5c5")}, names=LONG),
    "high": lambda: on_level(14, HIGH, **HIGHEST),
    "high-twelve": lambda: on_level(14, WIDE_HIGH, **HIGHEST),
    "high-twelve-entry": lambda: on_level(14, WIDE_HIGH, "AC55B", **HIGHEST),
    "tower": lambda: on_level(23, TOWER, **HIGHEST),
    "level-begins": lambda: on_base(*BASE_FULL),
    "level-begins-four": lambda: on_base(*BASE_FULL, players=4),
    "four-how": lambda: on_base("6-3 d4e4", players=4).replace_screen(PlayScreen(shows_help=True)),
    "four-said": lambda: on_level(3, LEVEL_3, "46", **FOUR).replace_screen(PlayScreen("46", stray_key="D")),
    "press": lambda: on_level(3, LEVEL_3).replace_screen(PlayScreen("4655D", stray_key="1")),
    "high-entry": lambda: on_level(14, HIGH, "4732A", **HIGHEST),
    "high-forbidden": lambda: on_level(14, HIGH, "4723B", **HIGHEST),
    "high-four": lambda: on_level(14, HIGH, **HIGHEST | {"scores": (126, 131, 98, 102)}, names=LONG),
    "refusal": lambda: refusal_session("4644A"),
    "refusal-base": lambda: refusal_session("", "5523B"),
}  # fmt: skip


def refusal_session(keys, base=""):
    """The refusal that OK brings."""
    shown = on_base(*THREE_ROWS, keys=base) if base else on_level(3, LEVEL_3, keys)
    state, draft = shown.round.state, MOVE_INPUT.draft_from_keys(shown.round.state, keys or base)
    with pytest.raises(RefusedError) as caught:
        RULES.play_move(state, state.to_move, RULES.parse_move(draft.event))
    return shown.replace_screen(RefusalScreen(caught.value))


@pytest.mark.parametrize("name", MOMENTS)
def test_the_table(golden, name):
    """Each picture of the table equals its golden picture."""
    golden(panel_after_a_second(MOMENTS[name]()), name)


def dealing_session(top, names, players, moment, **more):
    """A table at which a hand is being dealt."""
    states, _ = base_positions(top=top, players=players)
    return session_with(states, (), moment, names, **more)


def peeking_session(hand, top=6, names=SHORT):
    """A hand shown to its owner."""
    states, _ = base_positions(top=top)
    state = states[0]._replace(sizes=(len(hand), 7), dealt_bits=(sum(DOMINO_BITS[domino] for domino in hand), None))
    return session_with((state,), (), Peek(1, 2.0), names)


def dealt_session(top, seed):
    """A hand dealt to the first of two."""
    return RULES.deal_holdings(2, {"set": str(top)}, random.Random(seed).sample)["deal", 1]


WIDEST = sorted((Domino(low, high) for low in range(13) for high in range(low, 13)), key=lambda domino: -domino.high)[
    :45
]

EVERY = tuple(f"{low}-{high}" for low in range(13) for high in range(low, 13))
NINES = tuple(each for each in EVERY if max(map(int, str(each).split("-"))) < 10)

AROUND = {
    "deal": lambda: dealing_session(6, SHORT, 2, NamingScreen("deal", 1, 14, EVERY[:5])),
    "deal-half": lambda: dealing_session(6, SHORT, 2, NamingScreen("deal", 1, 14, EVERY[:5], "3")),
    "deal-twice": lambda: dealing_session(6, SHORT, 2, NamingScreen("deal", 1, 14, ("0-0", "6-6", "6-6"))),
    "deal-seven": lambda: dealing_session(6, LONG, 4, NamingScreen("deal", 3, 7, EVERY[:3])),
    "deal-many": lambda: dealing_session(6, SHORT, 2, NamingScreen("deal", 1, 14, EVERY[:14], stray_key="6")),
    "deal-forty-five": lambda: dealing_session(12, LONG, 2, NamingScreen("deal", 2, 45, EVERY[:30])),
    "deal-twenty-seven": lambda: dealing_session(9, LONG, 2, NamingScreen("deal", 2, 27, NINES[:27])),
    "deal-picked": lambda: dealing_session(
        12, LONG, 2, NamingScreen("deal", 1, 45, EVERY[:30], cursor=(3, 8)), buttons=True
    ),
    "deal-picked-six": lambda: dealing_session(
        6, SHORT, 2, NamingScreen("deal", 1, 14, EVERY[:5], cursor=(0, 6)), buttons=True
    ),
    "peek": lambda: peeking_session(dealt_session(6, 1)),
    "peek-seven": lambda: peeking_session(dealt_session(6, 1)[:7]),
    "peek-twenty-two": lambda: peeking_session(dealt_session(12, 5)[:22], 12),
    "peek-one": lambda: peeking_session(dealt_session(6, 1)[:1]),
    "peek-nine": lambda: peeking_session(dealt_session(9, 1), 9),
    "peek-twelve": lambda: peeking_session(dealt_session(12, 5), 12, LONG),
    "peek-widest": lambda: peeking_session(WIDEST, 12, LONG),
    "result": lambda: session_with((level_position(14, HIGH, (126, 131), 12)._replace(to_move=None),), (), RoundOver()),
    "result-four": lambda: session_with(
        (level_position(14, HIGH, (126, 131, 98, 102), 12)._replace(to_move=None),), (), RoundOver(), LONG
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", AROUND)
def test_around_the_table(golden, name):
    """The pictures of dealing, of a player's own hand and of the result equal their golden pictures."""
    golden(panel_after_a_second(AROUND[name]()), name)


@pytest.mark.parametrize("name", ["base", "level", "twelve", "four"])
def test_a_draft_changes_no_pip_of_the_map(name):
    """Only the labels below the map and what is beside it differ from the table at rest."""
    before = display.session_picture(MOMENTS[name]())
    after = display.session_picture(PlayScreen().press(MOMENTS[name](), "4"))
    assert before.crop((0, 0, 66, 52)).tobytes() == after.crop((0, 0, 66, 52)).tobytes()
    assert before.tobytes() != after.tobytes()


def test_no_picture_of_the_table_depends_on_an_open_hand():
    """A hidden hand changes nothing on the table at rest."""
    options = {"set": "9"}
    deals = RULES.deal_holdings(2, options, random.Random(2).sample)
    pictures = set()
    for known in ({}, {("deal", 1): deals["deal", 1]}, deals):
        state = RULES.play_move(RULES.initial_state(2, options, known), 1, Move(*deals["deal", 1][0], 24, 31))
        shown = session_with((RULES.initial_state(2, options, known), state), (Move(*deals["deal", 1][0], 24, 31),))
        pictures.add(display.session_picture(shown).tobytes())
    assert len(pictures) == 1


@pytest.mark.parametrize("players", [2, 4])
def test_an_empty_table_has_no_level(new_table, monkeypatch, players):
    """Before the first domino no level is named; from then on the words are about the base."""
    written = []
    text = Canvas.text
    monkeypatch.setattr(
        Canvas, "text", lambda c, x, y, s, *more, **how: written.append(s) or text(c, x, y, s, *more, **how)
    )
    table = new_table("ziggurat", names=SHORT[:players])
    for keys in ("", "6", "6"):
        table.press(*keys)
        assert table.picture
    said_of_base = {2: "a domino", 4: "Base"}[players]
    assert said_of_base not in written
    table.press(*"44B#")
    assert table.picture
    assert said_of_base in written


def plays_everywhere(state):
    """A play of the first remaining domino on each pair that the rules allow."""
    return [Marks("", tuple(zip(place, (0, 0), strict=True))) for place in rules.free_pairs(state)]


@pytest.mark.parametrize(("top", "solid"), [(6, True), (6, False), (9, True), (12, False)])
def test_the_map_has_one_size_and_shows_all_dominoes_and_legal_moves(top, solid):
    """Over random rounds the squares move on the map together, and at most three times."""
    for seed in range(15):
        dice, moved = random.Random(seed), 0
        options = {"set": str(top), "base": "solid" if solid else "cutup"}
        state = RULES.initial_state(2, options, RULES.deal_holdings(2, options, dice.sample))
        before = map_layout(state, Marks(""))
        while moves := RULES.legal_moves(state):
            move = dice.choice(moves)
            entered = map_layout(state, Marks("", ((move.first, move.p), (move.second, move.q))))
            for marks in plays_everywhere(state):
                plan = map_layout(state, marks)
                seen = {cell for cell in range(SQUARE_COUNT) if state.top_pips[cell] != NO_PIP}
                assert all(map(plan.corner_of, seen | {cell for cell, _ in marks.pips_on_squares}))
            state = RULES.play_move(state, RULES.seat_to_move(state), move)
            plan = map_layout(state, Marks(""))
            assert solid or plan[:2] == entered[:2], "the map moves while a domino is entered, not when it is played"
            moved += plan[:2] != before[:2]
            before = plan
            assert state.level == 1 or not plan.open_sides
        assert moved <= 3


def test_four_ways_have_room_beside_the_map():
    """From a square with four free neighbours the last arrow ends before the edge of the panel."""
    canvas = Canvas(())
    screen.draw_way_keys(canvas, screen.START, "ABCD")
    assert canvas.image.getbbox()[2] <= RIGHT + 1


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
@pytest.mark.parametrize("keys", ["3", "36", "363"])
def test_what_is_entered_next_has_room_beside_the_wider_map(keys, language):
    """The second pip, the column, the row, in every language; a question that is too long would be left out."""
    session = on_base("6-6 d4e4", keys=keys, top=12)._replace(language=language)
    with recorded_texts() as written:
        display.session_picture(session)
    assert sum(each.text.endswith("?") for each in written) == 1


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_a_level_of_two_digits_has_room_beside_the_map(language):
    """It is whole in every language, and so is what a match counts there; both scores stay beside it."""
    session = on_level(23, TOWER, top=12)._replace(language=language)
    with recorded_texts() as written:
        display.session_picture(session)
    assert sum("23" in each.text for each in written) == 2
    assert {"21", "18"} <= {each.text for each in written}


def test_a_square_has_its_pip_only_where_something_can_lie_on_it():
    """Lit squares are on the level, dark ones one below it; the others are shaded, and no number looks like a pip."""
    map_drawing._squares_mask.cache_clear()  # A map that another test has drawn would write nothing.
    with recorded_texts() as written:
        display.session_picture(on_level(3, LEVEL_3))
    on_map = [each.text for each in written if 9 <= each.position[0] < 66 and each.position[1] < 52]
    assert sorted(on_map) == sorted("5221644631256")
