"""A friend's record may have names of any text. Showing them must not slow the table down or spoil other names."""

from __future__ import annotations

import pytest

from companion import display
from companion.evening.model import Session
from companion.evening.screens.main_menu import MoreMenu
from companion.evening.screens.pages import TodayPage
from companion.evening.state_machine import update_session
from companion.inputs import QueryResult, Request, StoredRoundRequest
from companion.panel import fonts
from companion.rounds.stored import FinishedRound, RoundHeader, RoundSummary, Standing, StoredHistory, StoredRound

MAX_GLYPHS = 20_000
"""A picture with the longest usual names takes some hundred glyphs; a Pi Zero places some 100,000 in a second."""
HOSTILE_NAMES = {
    "one word": "W" * 3_000,
    "many": "W" * 300_000,
    "blanks": "i" + " " * 3_000 + "i",
    "a number": "Player " + "1" * 3_000,
    "words": "a " * 1_500 + "b",
    "boxes": "\N{SNOWMAN}" * 3_000,
}


@pytest.fixture
def glyphs(monkeypatch):
    """A list that grows with each glyph that is placed."""
    placed: list[str] = []
    glyph = fonts.Face.glyph

    def counted(face, mark):
        placed.append(mark)
        return glyph(face, mark)

    monkeypatch.setattr(fonts.Face, "glyph", counted)
    fonts.text_mask.cache_clear()
    return placed


def screens_with(name: str):
    """The history, a round of it, and both standings, with a player of that name."""
    kept = RoundSummary(1, "27", (name, "Ben"), "12 6 winners 1", "2026-11-21T20:00:00+01:00", 1, "imported")
    saved = StoredRound(1, RoundHeader("27", (("variant", "basic"),), (name, "Ben")), result="12 6 winners 1")
    past = StoredHistory(evening_rounds=(FinishedRound("27", (name, "Ben"), (12, 6), (1,)),))
    more = Session((MoreMenu(),), past)
    history = update_session(more, QueryResult(Request.HISTORY, (kept,) * 5))
    yield history
    yield update_session(history, QueryResult(StoredRoundRequest(1), (saved, kept, False)))
    yield update_session(
        history, QueryResult(StoredRoundRequest(1), (saved._replace(result=""), kept._replace(result=""), False))
    )
    standings = Session((TodayPage(),), past)
    yield standings
    yield update_session(standings, QueryResult(Request.STANDINGS, (Standing(name, 5, 3, 1), Standing("Ben", 5, 2, 1))))


@pytest.mark.parametrize("name", HOSTILE_NAMES.values(), ids=HOSTILE_NAMES)
def test_no_name_makes_drawing_slow(name, glyphs):
    """However long a name is, a picture places no more glyphs than would fill it a few times over."""
    for session in screens_with(name):
        glyphs.clear()
        display.session_picture(session)
        assert len(glyphs) < MAX_GLYPHS
