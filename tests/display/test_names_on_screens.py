"""On every screen with names, two that begin alike can be told apart, and a cut name has its mark."""

from __future__ import annotations

import re

import pytest

from companion import display, games
from companion.display import dispatch
from companion.evening.contents.kinds import Choice, ChoiceLine, MatchResult
from companion.evening.model import Session
from companion.evening.screens.evening_start import Resume
from companion.evening.screens.lists import MenuItem
from companion.evening.screens.main_menu import MoreMenu
from companion.evening.screens.messages import Confirmation
from companion.evening.screens.pad.pad_play import PadOver, PadScreen
from companion.evening.screens.pages import AllTimePage, TodayPage
from companion.evening.screens.phones.phones_page import PhoneAdmission
from companion.evening.screens.play.playing import PlayScreen
from companion.evening.screens.play.round_over import MatchScore, RoundOver
from companion.evening.screens.setup.offers import Offered
from companion.evening.screens.setup.questions import SetupQuestion
from companion.evening.screens.setup.seats import Seats
from companion.evening.session_values import Setup
from companion.evening.state_machine import update_session
from companion.games.score_pad import pad
from companion.inputs import PairingOffer, QueryResult, Request
from companion.panel import seat_tabs, widgets
from companion.panel.canvas import Canvas
from companion.panel.name_cutting import ELLIPSIS
from companion.rounds.on_table import PadRound, replay_round
from companion.rounds.stored import FinishedRound, MatchPart, RoundHeader, RoundSummary, StoredHistory, StoredRound

ALIKE = ("Alexandrasophie", "Alexandersamuel")
OTHER_NAMES = ("Cleo", "Dan", "Wilhelmina Momma", "Wilhelmina Mommo", "Player 7", "Player 12")
DATE = "2026-11-21T20:15:00"


def header(game, names, goal=0):
    return RoundHeader(game, tuple(games.manifest_of(game).option_defaults.items()), tuple(names), goal)


def round_at(game, moment=None):
    """A round at its start, or at another moment."""

    def made(names):
        names = (*names, *OTHER_NAMES)[: max(games.manifest_of(game).players)] if moment is None else names
        round_ = replay_round(StoredRound(1, header(game, names, 3)))
        return Session((moment or PlayScreen(),), StoredHistory(), round=round_)

    return made


def pad_with_points(players, points, moment):
    """A score pad on which everybody has about so many points."""

    def made(names):
        sheet = pad.restore_pad(players, (("title", "Rummy"), ("wins", "highest"), ("target", "0"), ("turns", "0")))
        sheet = sheet._replace(entries=tuple((seat, points + seat // 3) for seat in range(1, players + 1)))
        about = RoundHeader("pad", sheet.stored_options, (*names, *OTHER_NAMES)[:players])
        return Session((moment,), StoredHistory(), pad=PadRound(1, about, sheet, is_over=isinstance(moment, PadOver)))

    return made


def today(names):
    """The standings of a day with five games."""
    played = (("27", 2, 1), ("coral-reef", 2, 2), ("prime-attactics", 2, 2), ("ziggurat", 4, 2), ("pad", 8, 2))
    results = tuple(
        FinishedRound(game, (*names, *OTHER_NAMES)[:count], (100,) * count, (winner,)) for game, count, winner in played
    )
    return StoredHistory(evening_rounds=results)


def history_of_match(names):
    part = MatchPart(1, RoundHeader("27", (), tuple(sorted(names)), 1, 1), sorted(names)[0])
    return StoredHistory(evening_rounds=(FinishedRound("27", part.header.names, (1, 0), (1,), match_part=part),))


def history(*rounds):
    """The list of rounds; a round is a game, how many play, and the result."""

    def made(names):
        kept = [
            RoundSummary(at, game, (*names, *OTHER_NAMES)[:count], result, DATE, 1, "over" if result else "aside")
            for at, (game, count, result) in enumerate(rounds, 1)
        ]
        return update_session(Session((MoreMenu(),), StoredHistory()), QueryResult(Request.HISTORY, tuple(kept)))

    return made


def setup(names):
    return Setup("27", (("variant", "basic"),), 2, names=tuple(names))


SCREENS = {
    **{f"start of {game}": round_at(game) for game in games.built_in_game_ids()},
    **{f"result of {game}": round_at(game, RoundOver()) for game in games.built_in_game_ids()},
    "match": round_at("27", MatchScore()),
    "take-back": round_at("27", Confirmation(Session.show_base_screen, "Take back?", ("Seen.",), (1, 2))),
    "phone": lambda names: Session((PhoneAdmission("", names[0]),), StoredHistory()),
    "pairing": lambda names: Session(
        (Offered(PairingOffer("1n1", "table-4", "Club", 2, "27", (("variant", "expert"),), tuple(names[:2]))),),
        StoredHistory(),
    ),
    "phone at a table": lambda names: round_at("27", PhoneAdmission("", names[0]))(ALIKE),
    "go on": lambda names: Session((Resume(replay_round(StoredRound(1, header("27", names)))),), StoredHistory()),
    "seats": lambda names: Session((Seats(setup(names)),), StoredHistory()),
    "who": lambda names: Session(
        (
            SetupQuestion(
                "",
                (),
                tuple(MenuItem(name, Session.show_base_screen, names=(name,)) for name in names),
                setup(OTHER_NAMES[:2]),
            ),
        ),
        StoredHistory(),
    ),
    "today": lambda names: Session((TodayPage(),), today(names)),
    "match of today": lambda names: Session((TodayPage(page_number=1),), history_of_match(names)),
    "all time": lambda names: Session(
        (AllTimePage(tuple((name, "128/240", "1712±61") for name in (*names, *OTHER_NAMES))),), StoredHistory()
    ),
    "history": history(("27", 2, ""), ("prime-attactics", 2, "123456 654321 winners 2")),
    "history of corals": history(("coral-reef", 2, "1 0 winners 1"), ("coral-reef", 2, "0 0 winners 1 2")),
    "history of four": history(("ziggurat", 4, "120 98 101 7 winners 1"), ("ziggurat", 3, "")),
    **{
        f"pad of {players} at {points}": pad_with_points(players, points, PadScreen(1))
        for players in range(2, 9)
        for points in (7, 120, -1234, 12345, 123456)
    },
    **{
        f"result of {players} at {points}": pad_with_points(players, points, PadOver())
        for players in range(2, 9)
        for points in (7, -1234, 123456)
    },
}


@pytest.fixture
def written_texts(monkeypatch):
    """A list of every text that is drawn."""
    found = []
    text = Canvas.text

    def spied(canvas, x, y, s, *more, **how):
        found.append(s)
        return text(canvas, x, y, s, *more, **how)

    monkeypatch.setattr(Canvas, "text", spied)
    return found


SORTED_SCREENS = ("match", "today", "match of today", "all time")
"""Screens that list players by name or by wins, and not by seat."""


@pytest.mark.parametrize("name", SCREENS)
def test_names_that_begin_alike_stay_apart(written_texts, name):
    """Exchanged, they make another picture; a form that isn't the whole name has its mark."""
    first = display.session_picture(SCREENS[name](ALIKE))
    words = re.findall(r"Al[\w…]*|A…\w*", " ".join(written_texts))
    forms = {word for word in words if word not in (*ALIKE, "All")}
    assert all(ELLIPSIS in form for form in forms)
    if name in SORTED_SCREENS:
        assert len({*forms, *words} - {"All"}) >= 2
    elif not name.startswith("result"):  # There the seats' shapes stand for the players, and only the winner is named.
        assert first.tobytes() != display.session_picture(SCREENS[name](ALIKE[::-1])).tobytes()


@pytest.mark.parametrize("wins", [(1, 2), (12, 10)])
@pytest.mark.parametrize("goal", [3, 15])
def test_a_match_cuts_names_with_a_mark(written_texts, wins, goal):
    """Between the rounds of a match as well."""
    canvas = Canvas(ALIKE)
    rows = tuple(zip(ALIKE, wins, strict=True))
    dispatch.draw_content(canvas, MatchResult(rows, goal, "", f"first to {goal}"), uses_buttons=False)
    shown = [said for said in written_texts if said.startswith("Al")]
    assert len(set(shown)) == 2
    assert all(ELLIPSIS in form or form in ALIKE for form in shown)


def test_headers_and_tabs_keep_names_apart(written_texts):
    """A title, a list of seats, tabs, and a menu with more names."""
    canvas = Canvas(ALIKE)
    for name in ALIKE:
        widgets.draw_title(canvas, f"{name}'s hand", "21 cards")
        widgets.draw_footer(canvas, words=f"{name} starts", end=60)
        lines = (ChoiceLine(f"{name}'s pieces", 0, "open"),)
        dispatch.draw_content(canvas, Choice(lines, 0, ()), uses_buttons=True)
    seat_tabs.draw_tabs(canvas, [seat_tabs.SeatTab(name, "120") for name in ALIKE], 1)
    shown = [said for said in written_texts if said.startswith("Al")]
    assert len(shown) == len(set(shown))
    assert all(ELLIPSIS in said or any(name in said for name in ALIKE) for said in shown)


@pytest.mark.parametrize("game", games.built_in_game_ids())
def test_the_seats_screen_shows_the_length_of_a_match(written_texts, game):
    """However many options there are, what was chosen last is shown in full, and options give way."""
    chosen = tuple((name, values[-1]) for name, values in games.manifest_of(game).option_values.items())
    for goal in (0, 2, 12):
        written_texts.clear()
        display.session_picture(Session((Seats(Setup(game, chosen, 2, goal, names=ALIKE[:2])),), StoredHistory()))
        told = f"{goal} wins" if goal else games.option_labels(game, chosen)[0]
        assert any(words.endswith(told) if goal else words.startswith(told) for words in written_texts)
