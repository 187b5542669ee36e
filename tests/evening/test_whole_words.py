"""No word on the panel is cut: every sentence of every game is drawn with the longest names, and nothing is lost.

The drawing kit reports each text that loses letters (`fonts.on_text_cut`); only the names of players may be cut.
"""

import ast
import itertools
import random
import sys
from pathlib import Path

import pytest
from game_support import support_of_game

import companion
from companion import display, games
from companion.display import dispatch
from companion.evening.contents.kinds import Result, ok_and_back_hints
from companion.evening.screens.messages import Notice, RefusalScreen
from companion.evening.screens.play.dealing import NamingScreen
from companion.evening.screens.play.playing import PlayScreen
from companion.evening.screens.play.round_over import RoundOver
from companion.games import api as kit
from companion.games.api import RefusedError
from companion.inputs import BUTTON_KEYS, KEYPAD_KEYS, TAKE_BACK_KEY, DeviceMissing
from companion.panel import fonts
from companion.panel.canvas import Canvas
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory

NAMES = ("Wilhelmina Mommo", "Wilhelmina Momma", "Maximiliane Wolf", "Maximilian Wolfe")
SETTING_COUNT = 25
"""How many of the settings of all games are played."""
FAST_NUMBERS = (18,)
HOME = Path(companion.__file__).parent


@pytest.fixture
def losses(monkeypatch):
    """The texts that the kit reports as cut, whole and as shown, without those that only lose letters of names."""
    found = []

    def report(whole, shown, room):
        if whole not in NAMES and (whole, shown) not in found:
            found.append((whole, shown))

    monkeypatch.setattr(fonts, "on_text_cut", report)
    return found


# -- whatever is pressed ----------------------------------------------------------------------------------------


def press_and_draw(table, *keys, apart=1.1):
    """Press keys and draw the panel after each."""
    for key in keys:
        table.press(key, apart=apart)
        assert table.picture


def at_later_time(table, before):
    """The table as it was, at a later time."""
    table.session = before._replace(
        now=table.session.now, taps=before.taps._replace(pressed_at=table.session.taps.pressed_at)
    )


def walk_through_menus(table, held):
    """Open every entry of the table menu and the pages behind it, without agreeing to anything."""
    ok, back = ("ok", "back") if held else ("#", "*")
    for entry in range(9):
        before = table.session
        press_and_draw(table, back)
        press_and_draw(table, *["down"] * entry, ok) if held else press_and_draw(table, str(entry + 1))
        press_and_draw(table, "down", "down")
        at_later_time(table, before)


def press_every_key(table):
    """Press every key there is, also after some other keys, each followed by OK; each time from the same table."""
    for keys in [(*first, last) for first in ("", "0", "2", "A", "D3") for last in KEYPAD_KEYS]:
        before = table.session
        press_and_draw(table, *keys, "#", apart=0.1)
        at_later_time(table, before)
    for key in (*BUTTON_KEYS, TAKE_BACK_KEY):
        before = table.session
        press_and_draw(table, key, "up", "up", "ok", "down", "ok", "left", "ok", apart=0.1)
        at_later_time(table, before)


def wait_without_keys(table):
    """Wait until the panel says how to pass, and then until devices are missing."""
    before = table.session
    table.wait(25)
    assert table.picture
    for device in ("keypad", "buttons", "panel", "lamps"):
        table.take_input(DeviceMissing(device, "", table.now))
        assert table.picture
    at_later_time(table, before)


@pytest.mark.parametrize(
    "number",
    [pytest.param(each, marks=() if each in FAST_NUMBERS else pytest.mark.drill) for each in range(SETTING_COUNT)],
)
def test_no_word_is_cut_in_a_round(
    losses, settings_of_all_games, table_class, play_round, typed_keys, picked_keys, typed_deal, number
):
    """Deals, drafts, refusals, menus, pages, messages and the result of a random round."""
    game, options, players = settings_of_all_games[number]
    chance, held = random.Random(number), number % 2 == 1
    played = play_round(game, options, players, chance, share=(0.5, 1.0, 0.8)[number % 3])
    opened = tuple(
        sorted(played.deals, key=lambda held: (held[1], list(games.manifest_of(game).holdings).index(held[0])))
    )
    header = RoundHeader(game, tuple(options.items()), NAMES[:players], goal=5, opened=opened)
    table = table_class(
        SessionSettings((), header, has_keypad=not held, measures_thinking=number % 4 == 0), StoredHistory()
    )
    table.session = table.session._replace(switches=table.session.switches._replace(hints=True))
    table.wait(3)
    for kind, seat in opened:
        press_every_key(table)
        press_and_draw(table, *typed_deal(game, played.rules.format_deal(played.deals[kind, seat])), apart=0.2)
    moments = {len(played.events) * index // 4 for index in range(4)}
    for index, (state, (_, move)) in enumerate(zip(played.states, played.events, strict=False)):
        if isinstance(table.session.screen, NamingScreen | PlayScreen) and index in moments:
            press_every_key(table)
            walk_through_menus(table, held)
            wait_without_keys(table)
        press_and_draw(table, *(picked_keys if held else typed_keys)(game, state, str(move)), apart=0.2)
        while isinstance(table.session.screen, Notice | RefusalScreen):
            press_and_draw(table, "#")
    if isinstance(table.session.screen, RoundOver):
        walk_through_menus(table, held)
        press_and_draw(table, "#", "#", "#")
    assert not losses


def test_no_word_is_cut_before_a_round(losses, table_class):
    """Every question of every game, with the widest answers; one press at a time through each menu."""
    for game in range(1, 6):
        for way in ("#", "2#", "3", "9"):
            table = table_class(SessionSettings(NAMES[:2]), StoredHistory())
            table.wait(3)
            press_and_draw(table, str(game))
            for _ in range(12):
                press_and_draw(table, "down", "up", *way)
    assert not losses


# -- how a round ends -------------------------------------------------------------------------------------------

RESULT_REASONS = ("neither can move", "blocked: 11 corals each", "blocked: 10 against 11", "last coral placed",
           "only one place left on level 12", "all dominoes played", "two turns running were missed",
           "Wilhelmina's skat is over", "the fewest points win")  # fmt: skip


@pytest.mark.parametrize("reason", RESULT_REASONS)
@pytest.mark.parametrize("figures", [(7, 12), (123456, 654321), (10**12, 1), (10**40, 10**39), (4, 3, 2, 1)])
def test_no_word_of_a_result_is_cut(losses, reason, figures):
    """Whoever wins with whatever numbers, the reason is whole; numbers that are too long have a short form."""
    for heading in ("A draw", "Shared win", f"{NAMES[0]} wins"):
        rows = tuple(zip(NAMES, figures, strict=False))
        winners = NAMES[:1] if heading.endswith("wins") else NAMES[:2]
        seats = tuple(range(1, len(rows) + 1))
        hints = ok_and_back_hints("new round", "menu")
        content = Result("27", heading, winners, reason, "score", rows, hints, seats)
        dispatch.draw_content(Canvas(NAMES), content, uses_buttons=False)
    assert not losses


# -- whatever is refused ----------------------------------------------------------------------------------------


def refusal_sites():
    """Every place in the rules that refuses: file, first and last line."""
    found = []
    for path in sorted((HOME / "games").glob("*/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "RefusedError":
                found.append((str(path), node.lineno, node.end_lineno))
    assert len(found) > 50, "the rules refuse by another name"
    return found


def extremes():
    """Calls that are refused for reasons which random rounds seldom give, with the largest numbers there are."""
    for game in games.built_in_game_ids():
        rules = games.load_rules(game)
        yield rules.parse_move, "?" * 40
        if games.manifest_of(game).holdings:
            yield rules.parse_deal, "?" * 40, "deal", {}
        for players in games.manifest_of(game).players:
            state = rules.initial_state(players, {}, {})
            move = rules.parse_move(support_of_game(game).random_event(random.Random(1)))
            yield from ((rules.play_move, state, seat, move) for seat in (2, 5))
            yield rules.initial_state, players, {}, {("what", 9): ()}
    yield from _coral_extremes()
    yield from _prime_extremes()
    yield from _line_extremes()
    yield from _ziggurat_extremes()


REFUSED_CORAL_PLAYS = ("9:A/999:A/1:TA/1:A23/1:AAAAAAAAA/1:AAAAAAAA/1:AK/1:AQ/1:44455555/1:4/1:A/1:T/1:JJJJJJJA/"
          "seed/draw/draw 2/draw A/draw K/pass")  # fmt: skip


def _coral_extremes():
    rules = games.load_rules("coral-reef")
    for form in ("cards", "tiles"):
        for hand in (tuple("AAAAAAAA"), tuple("34444455"), None):
            state = rules.initial_state(2, {"form": form}, {("deal", 1): hand} if hand else {})
            for text in REFUSED_CORAL_PLAYS.split("/"):
                yield rules.play_move, state, 1, rules.parse_move(text)
                yield rules.play_move, state._replace(has_drawn=True), 1, rules.parse_move(text)
                yield rules.play_move, state._replace(deck=0), 1, rules.parse_move(text)
                yield rules.play_move, state._replace(to_move=None), 1, rules.parse_move(text)
                yield rules.play_move, state._replace(unseen=0, tops=(10,) * 8), 1, rules.parse_move(text)
                if hand:
                    yield rules.play_move, state._replace(hands=(0, None), has_drawn=True), 1, rules.parse_move(text)
                    yield rules.play_move, state._replace(hands=(0, None), deck=0), 1, rules.parse_move(text)
                    yield rules.play_move, state._replace(hands=(0, None), unseen=0), 1, rules.parse_move(text)
    tens = rules.initial_state(2, {}, {})._replace(tops=(10,) * 4)
    yield rules.play_move, tens, 1, rules.parse_move("1:T")
    yield rules.initial_state, 2, {}, {("deal", 1): tuple("A")}
    yield rules.initial_state, 2, {}, {("deal", 1): tuple("99999999")}


def _prime_extremes():
    rules = games.load_rules("prime-attactics")
    yield rules.parse_move, "@x4/4"
    yield rules.parse_move, "@+3D/2"
    texts = ("+9", "x1", "/9", "+999", "@-999", "@/999", "x7", "/7", "/6", "@/7", "/3D", "@-7", "-7", "@-7/7", "-7/7",
             "+7/7", "@-2/3", "x7D", "D+", "+7D", "pass", "refill +7", "refill D+ /7", "refill")  # fmt: skip
    for level in ("full", "easy"):
        deals = rules.deal_holdings(2, {"level": level}, lambda tiles, count: list(tiles)[:count])
        for some in (deals, {}):
            state = rules.initial_state(2, {"level": level, "start": "19"}, some)
            for text in texts:
                if text in ("D+",):
                    continue
                for score in (1, 3, 987654321098764):
                    sides = tuple(side._replace(score=score) for side in state.sides)
                    slammed = tuple(side._replace(has_slammed=True) for side in sides)
                    empty = tuple(side._replace(display=side.display._replace(size=0)) for side in sides)
                    bare = tuple(side._replace(unseen_coloured=(), unseen_black=()) for side in sides)
                    for now in (sides, slammed, empty, bare):
                        yield rules.play_move, state._replace(sides=now, turns=9), 1, rules.parse_move(text)
                        yield rules.play_move, state._replace(sides=now, turns=0), 1, rules.parse_move(text)
                        for due in ((2, 0), (1, 1), (0, 1)):
                            yield rules.play_move, state._replace(sides=now, due_refill=due), 1, rules.parse_move(text)
        for tiles in (("+7",), ("+9",) * 8, ("+7",) * 8, ("/2",) * 8, ("+2",) * 5):
            dealt = rules.parse_deal(" ".join(tiles), "deal", {})
            yield rules.initial_state, 2, {"level": level}, {("deal", 1): dealt}
            yield rules.initial_state, 2, {"level": level}, {("rack", 1): dealt[:4]}


def _line_extremes():
    rules = games.load_rules("27")
    for variant in games.manifest_of("27").options["variant"].values:
        state = rules.initial_state(2, {"variant": variant}, {})
        line = tuple((*pile, seat) for pile, seat in zip(state.stacks, (2, 2, 2, 1, 2, 1, 1, 1, 1), strict=True))
        for seat in (1, 2):
            for piles in (state.stacks, line, tuple(((0,),) * 9), tuple(((3,),) * 9)):
                now = state._replace(stacks=piles, tops=tuple(pile[-1] for pile in piles), to_move=seat)
                for field in range(12):
                    for count in (0, 1, 27, 99, 999):
                        yield rules.play_move, now, seat, type(rules.parse_move("1x3"))(field, count)
    yield kit.Rules.parse_deal, None, "", "deal", {}


def _ziggurat_extremes():
    rules = games.load_rules("ziggurat")
    split = rules.initial_state(2, {}, {})
    for seat, text in ((1, "0-5 e4d4"), (2, "1-3 f4f5")):
        split = rules.play_move(split, seat, rules.parse_move(text))
    yield rules.play_move, split, 1, rules.parse_move("1-2 g5g6")
    for top in games.manifest_of("ziggurat").options["set"].values:
        deals = rules.deal_holdings(2, {"set": top}, lambda dominoes, count: list(dominoes)[:count])
        for some in (deals, {}):
            state = rules.initial_state(2, {"set": top}, some)
            for text in ("12-12 d4e4", "999-999 d4e4", "0-0 a1a1", "0-0 a1c1", "0-0 a1a2", "6-6 d4e4"):
                yield rules.play_move, state, 1, rules.parse_move(text)
        hand = deals["deal", 1]
        for dealt in (hand[:3], (hand[0],) * len(hand), (type(hand[0])(99, 99),) * len(hand)):
            yield rules.initial_state, 2, {"set": top}, {("deal", 1): dealt}
        yield rules.initial_state, 2, {"set": top}, {("deal", 1): hand, ("deal", 2): hand}


def folder(game):
    return type(games.load_rules(game)).__module__.rpartition(".")[0]


def refusals(settings, play_round, guess):
    """Every different refusal with its game: of the extremes, and of guesses and plays along random rounds."""
    found = {}

    def tried(game, call, *given):
        try:
            call(*given)
        except RefusedError as refused:
            found.setdefault((game, refused.figure, refused.conflict, refused.rule, refused.needed), refused)

    for call, *given in extremes():
        tried(next((each for each in games.built_in_game_ids() if folder(each) in call.__module__), "27"), call, *given)
    for game, options, players in settings:
        chance = random.Random(f"{game} {options} {players}")
        played = play_round(game, options, players, chance, longest=80)
        moves = [move for _, move in played.events]
        for state in played.states:
            texts = [guess(game, chance) for _ in range(4)]
            for move in (
                *map(played.rules.parse_move, texts),
                *chance.choices(moves or [played.rules.parse_move(texts[0])], k=4),
            ):
                tried(game, played.rules.play_move, state, played.rules.seat_to_move(state) or 1, move)
    return [(game, refused) for (game, *_), refused in found.items()]


def test_no_word_of_a_refusal_is_cut(losses, monkeypatch, settings_of_all_games, new_table, play_round, guess):
    """Every place that refuses is reached, and whatever it can say is whole on the panel, with a gap between lines."""
    reached, rows, close = set(), set(), []
    write = Canvas.text

    def text(canvas, x, y, s, face=fonts.TEXT, *more, **named):
        rows.add(y if face is fonts.TEXT and len(s) > 1 else None)
        return write(canvas, x, y, s, face, *more, **named)

    monkeypatch.setattr(Canvas, "text", text)
    original = kit.RefusedError.__init__

    def spied(self, *words, **named):
        frame = sys._getframe(1)
        reached.add((frame.f_code.co_filename, frame.f_lineno))
        original(self, *words, **named)

    monkeypatch.setattr(kit.RefusedError, "__init__", spied)
    for game, refused in refusals(settings_of_all_games, play_round, guess):
        table = new_table(game or "27", NAMES[:2])
        table.session = table.session.replace_screen(RefusalScreen(refused))
        rows.clear()
        display.session_picture(table.session)
        tops = sorted(rows - {None})
        if any(below - above < 9 for above, below in itertools.pairwise(tops)):
            close.append((tops, refused))
    missed = [
        f"{Path(file).relative_to(HOME)}:{first}"
        for file, first, last in refusal_sites()
        if not any(name == file and first <= line <= last for name, line in reached)
    ]
    assert not missed
    assert not close
    # A number wider than the panel continues in a second line. None of it is lost, and no word is broken.
    assert not [(said, shown) for said, shown in losses if " " in said or shown.replace(" / ", "") != said]
