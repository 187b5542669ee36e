"""The screen of Coral Reef, pixel by pixel: the first turn, drafts short and long, and the fullest table."""

from __future__ import annotations

import pytest
from goldens import panel_after_a_second

from companion import display
from companion.evening.model import Session
from companion.evening.screens.messages import Notice, RefusalScreen
from companion.evening.screens.pages import FalseClaimsPage
from companion.evening.screens.play import round_actions
from companion.evening.screens.play.dealing import NamingScreen
from companion.evening.screens.play.playing import PlayScreen
from companion.evening.screens.play.round_over import RoundOver
from companion.evening.screens.private.hints import Peek
from companion.games.api import RefusedError
from companion.games.coral_reef.move_input import MOVE_INPUT
from companion.games.coral_reef.rules import RULES
from companion.games.coral_reef.state import COPIES_OF_RANK, State
from companion.games.coral_reef.sums import NINE_BAG, RANKS, bag_of
from companion.panel import fonts
from companion.panel.canvas import Canvas
from companion.rounds.on_table import new_round
from companion.rounds.stored import RoundHeader, StoredHistory

LONG_NAMES = ("Charlotte-Amalia", "Benedictus-Maria")
SHORT_NAMES = ("Ann", "Ben")
EIGHT_TOPS = (10, 9, 10, 7, 1, 6, 10, 3)


def position(tops=(4, 9, 10, 7, 2), sizes=(5, 7), pile=78, seat=1, hands=(None, None), form="cards", **more):
    """A position that needs to be true only as far as the screen shows it."""
    kept = RANKS if form == "cards" else RANKS[:-3]
    bags = tuple(None if hand is None else bag_of(hand) for hand in hands)
    sizes = tuple(size if hand is None else len(hand) for size, hand in zip(sizes, hands, strict=True))
    loose = COPIES_OF_RANK * bag_of(kept) - len(tops) * NINE_BAG - sum(bag or 0 for bag in bags)
    return State(form, tops, sizes, bags, loose, pile, seat, **more)


def session_with(state, screen=None, last=(2, "3:36T"), names=SHORT_NAMES, buttons=False, **more):
    """A session with a position on its table; `last` is the seat and text of the last event, None at the start."""
    deals = tuple(("deal", seat, "") for seat, hand in enumerate(state.hands, 1) if hand is not None)
    round_ = new_round(1, RoundHeader("coral-reef", (("form", state.form),), names))
    round_ = round_._replace(deals=deals, states=(state,))
    if last is not None:
        before = state._replace(tops=state.tops[:-1]) if last[1] == "seed" else state
        round_ = round_._replace(states=(before, state), events=(last,))
    return Session((screen or PlayScreen(),), StoredHistory(), round=round_, uses_buttons=buttons, **more)


def session_after_keys(keys, **header):
    """The session after some keys."""
    return session_with(position(**header), PlayScreen(keys))


def session_after_arrows(*arrows, **header):
    """The session after some presses of the buttons."""
    state = position(**header)
    pick = MOVE_INPUT.initial_pick(state)
    for arrow in arrows:
        pick = (
            MOVE_INPUT.pick_after_ok(state, pick) if arrow == "ok" else MOVE_INPUT.pick_after_arrow(state, pick, arrow)
        )
    return session_with(state, PlayScreen(pick=pick), buttons=True)


EIGHTS = {"tops": EIGHT_TOPS, "sizes": (32, 28), "pile": 9}

MOMENTS = {
    "start": lambda: session_with(position((9, 9, 9, 9), (8, 8), 84), last=None),
    "turn": lambda: session_with(position()),
    "second": lambda: session_with(position(seat=2, sizes=(12, 7)), last=(1, "seed")),
    "drew": lambda: session_with(position(seat=2), last=(1, "draw 7")),
    "drew-goes-on": lambda: session_with(position(seat=2, has_drawn=True, pile=0), last=(2, "draw")),
    "passed": lambda: session_with(position(seat=2, tops=(4, 9, 10, 7, 2, 1)), last=(1, "pass")),
    "seven": lambda: session_with(position(seat=2, tops=(4, 9, 10, 7, 2, 1, 10)), last=(1, "7:55T")),
    "eight": lambda: session_with(position(EIGHT_TOPS, (3, 2), 9, seat=2), last=(1, "6:42"), names=LONG_NAMES),
    "worst": lambda: session_with(
        position((10,) * 8, (44, 36), 84, seat=2), last=(1, "8:" + "A2J" * 7), names=("MMMMMMMMMMMMMMMM", LONG_NAMES[1])
    ),
    "tiles": lambda: session_with(position(form="tiles"), last=(2, "3:A36T")),
    "nudge": lambda: session_with(position(), PlayScreen(shows_pass_help=True)),
    "stray": lambda: session_with(position(form="tiles"), PlayScreen("2", stray_key="B")),
    "forced": lambda: session_with(position(hands=("88", None))),
    "forced-buttons": lambda: session_with(position(hands=("88", None)), buttons=True, names=LONG_NAMES),
    "keypad-lost": lambda: session_with(
        position(), banner="Keypad unplugged\nbuttons still work", missing_devices=("keypad",)
    ),
    "keypad-away-entry": lambda: session_with(position(), PlayScreen("254"), missing_devices=("buttons",)),
    "pass-no-pile": lambda: session_after_keys("0", pile=0, tops=(10, 9, 10, 7, 2, 1, 1)),
    "keypad-away": lambda: session_with(position(), missing_devices=("keypad",), buttons=True),
    "stack": lambda: session_after_keys("2"),
    "no-stack": lambda: session_after_keys("7"),
    "begun": lambda: session_after_keys("25"),
    "entry": lambda: session_after_keys("254"),
    "too-many": lambda: session_after_keys("257"),
    "no": lambda: session_after_keys("257", form="tiles"),
    "face-last": lambda: session_after_keys("28BC"),
    "not-held": lambda: session_after_keys("2D", hands=("88", None)),
    "medium": lambda: session_after_keys("312348C0", sizes=(12, 7)),
    "long": lambda: session_after_keys("3" + "A" * 7 + "B" * 6 + "81", sizes=(32, 28)),
    "longest": lambda: session_after_keys("8" + "A2B" * 8 + "3", **EIGHTS),
    "longest-no": lambda: session_after_keys("8" + "A2B" * 8 + "D0", **EIGHTS),
    "seed": lambda: session_after_keys("9"),
    "no-seed": lambda: session_after_keys("9", hands=("88", None)),
    "draw": lambda: session_after_keys("0"),
    "pass": lambda: session_after_keys("0", has_drawn=True),
    "draw-which": lambda: session_after_keys("0", hands=("88", None)),
    "drawn": lambda: session_after_keys("07", hands=("88", None)),
    "must-play": lambda: session_after_keys("0", hands=("7", None)),
    "pick": lambda: session_after_arrows(),
    "pick-likely": lambda: session_after_arrows("up"),
    "pick-open": lambda: session_after_arrows("left", "up", hands=("45999", None)),
    "pick-open-sum": lambda: session_after_arrows("left", "down", "ok", hands=("45999", None)),
    "pick-which": lambda: session_after_arrows(hands=("88", None)),
    "pick-more": lambda: session_after_arrows("left", "down", "down", "down", "ok"),
    "pick-end": lambda: session_after_arrows("left", "down", "down", "down", "ok", *("down",) * 3),
    "pick-ten": lambda: session_after_arrows("left", "up", "up", "up"),
    "pick-card": lambda: session_after_arrows("right", "right", "right", hands=("88", None)),
    "pick-tile": lambda: session_after_arrows("right", "up", hands=("88", None), form="tiles"),
    "refusal": lambda: session_with(position(), RefusalScreen(refused("4:25"))),
    "refusal-long": lambda: session_with(position(EIGHT_TOPS, (32, 28), 9), RefusalScreen(refused("3:" + "A2J" * 7))),
}


def refused(text):
    """The refusal of an event of seat 1."""
    with pytest.raises(RefusedError) as caught:
        RULES.play_move(position((10, 9, 10, 9, 1), (32, 28)), 1, RULES.parse_move(text))
    return caught.value


@pytest.mark.parametrize("name", MOMENTS)
def test_the_table(golden, monkeypatch, name):
    """Each picture of the table equals its golden picture, and no word is cut."""
    golden_without_cut_words(golden, monkeypatch, MOMENTS[name](), name)


HAND = "AA2599TJ"
FORTY = "".join(rank * 4 for rank in RANKS if rank not in "5Q")[:36] + "QQQQ"

AROUND = {
    "deal": lambda: session_with(position(), NamingScreen("deal", 1, 8, tuple("AA259")), last=None),
    "deal-wrong": lambda: session_with(
        position(), NamingScreen("deal", 1, 8, tuple("AA259A25"), stray_key="9"), last=None, names=LONG_NAMES
    ),
    "deal-picked": lambda: session_with(
        position(), NamingScreen("deal", 1, 8, tuple("AA259"), cursor=(1, 2)), last=None, buttons=True
    ),
    "deal-tiles": lambda: session_with(
        position(form="tiles"), NamingScreen("deal", 2, 8, cursor=(0, 0)), last=None, buttons=True, names=LONG_NAMES
    ),
    "peek": lambda: session_with(position(hands=(HAND, None)), Peek(1, 2.0)),
    "peek-forty": lambda: session_with(position(hands=(None, FORTY)), Peek(2, 2.0), names=LONG_NAMES),
    "peek-tiles": lambda: session_with(position(hands=("AA2599T3", None), form="tiles"), Peek(1, 2.0)),
    "turn-over": lambda: noticed(position(hands=("88", None)), "draw 8"),
    "turn-over-skip": lambda: noticed(position(hands=("88", "66"), pile=1, tops=(1, 2, 1, 1)), "draw 8", LONG_NAMES),
    "skip": lambda: noticed(position(hands=("28", "88"), pile=0, tops=(2, 2, 1, 1)), "1:2"),
    "blocked": lambda: noticed(position(pile=0, idle_turns=1), "pass"),
    "claim": lambda: session_with(
        over(),
        FalseClaimsPage(
            (("Ben", "move 12:", "could have played 2:54"),), RoundOver(), open_next=Session.show_base_screen
        ),
    ),
    "claims": lambda: session_with(
        over(),
        FalseClaimsPage(
            page_number=2,
            rows=(("",) * 3,) * 2 + ((LONG_NAMES[1], "move 112:", "could have played 2:8A2A2A2JJJKQA"),),
        ),
    ),
    "won": lambda: session_with(over()._replace(sizes=(0, 4)), RoundOver(), None, names=("Ann", "Ben")),
    "blocked-result": lambda: session_with(over(), RoundOver(), None, names=LONG_NAMES),
    "blocked-draw": lambda: session_with(over()._replace(sizes=(12, 12)), RoundOver(), None, names=LONG_NAMES),
}


def over():
    """A round that neither player could finish."""
    return position(seat=None, sizes=(21, 34), pile=0)


def noticed(state, text, names=SHORT_NAMES):
    """The notice after an event of seat 1."""
    session = round_actions.play_event(session_with(state, names=names), text)
    assert isinstance(session.screen, Notice)
    return session


@pytest.mark.parametrize("name", AROUND)
def test_screens_around_a_round(golden, monkeypatch, name):
    """Each picture of the other screens equals its golden picture, and no word is cut."""
    golden_without_cut_words(golden, monkeypatch, AROUND[name](), name)


def golden_without_cut_words(golden, monkeypatch, session, name):
    lost = []
    monkeypatch.setattr(fonts, "on_text_cut", lambda whole, shown, room: lost.append(whole))
    golden(panel_after_a_second(session), name)
    assert not [whole for whole in lost if " " in whole]


def test_typing_changes_only_the_stack_and_the_words():
    """Typing puts the stack on a plate and changes the words below the tops; the other tops and the deck stay."""
    rest, typing = display.session_picture(session_with(position())), display.session_picture(session_after_keys("254"))
    for box in ((0, 0, 128, 16), (0, 0, 20, 40), (43, 0, 128, 40)):
        assert rest.crop(box).tobytes() == typing.crop(box).tobytes()
    assert rest.tobytes() != typing.tobytes()


def test_a_long_sum_shows_its_end(monkeypatch):
    """A sum that is too long for its line loses its first terms, and the new top, which is its last one."""
    seen = []
    monkeypatch.setattr(Canvas, "fitted_text", lambda canvas, x, y, said, *more, **how: seen.append(said) or 0)
    display.session_picture(session_after_keys("3" + "A" * 7 + "B" * 6 + "81", sizes=(32, 28)))
    assert [said for said in seen if said.startswith("…") and said.endswith("-1+8+1 = 10")]


def test_no_picture_tells_what_an_open_hand_drew():
    """A draw into an open hand looks the same for every coral (promise 3)."""
    pictures = {
        display.session_picture(session_after_keys("0" + key, hands=("88", None))).tobytes() for key in "134567890ABCD"
    } | {display.session_picture(session_after_keys("02", hands=("88", None))).tobytes()}
    assert len(pictures) == 1
    told = {
        display.session_picture(session_with(position(seat=2), last=(1, f"draw {coral}"))).tobytes() for coral in RANKS
    }
    assert len(told) == 1


def test_a_hand_shows_each_rank():
    """The picture of a hand counts every coral, so two hands never look the same."""
    hands = ("AA2599TJ", "AA2599TQ", "A22599TJ", "AA2599")
    assert (
        len(
            {
                display.session_picture(session_with(position(hands=(hand, None)), Peek(1, 2.0))).tobytes()
                for hand in hands
            }
        )
        == 4
    )
