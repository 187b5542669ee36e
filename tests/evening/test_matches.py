"""Matches, put together from their rounds: who has won, by how many wins, in which rounds."""

import pytest

from companion import display
from companion.display import dispatch
from companion.evening.contents.kinds import MatchResult
from companion.evening.screens.play.round_over import MatchScore
from companion.games.api import Outcome
from companion.panel import widgets
from companion.panel.canvas import LINE_COLUMNS, Canvas
from companion.panel.fonts import TEXT
from companion.rounds import standings
from companion.rounds.standings import group_into_matches, round_numbers_text
from companion.rounds.stored import Match, MatchPart, RoundHeader, SessionSettings, StoredHistory

ANN = MatchPart(1, RoundHeader("27", (), ("Ann", "Ben"), 2, 1), "Ann", 1)
BEN = MatchPart(2, RoundHeader("27", (), ("Ben", "Ann"), 2, 2, (("Ann", 1),)), "Ben", 1)
LAST = MatchPart(3, RoundHeader("27", (), ("Ann", "Ben"), 2, 3, (("Ann", 1), ("Ben", 1))), "Ann", 1)
WON = Match("27", 2, (("Ann", 2), ("Ben", 1)), (1, 2, 3))


def test_a_match_consists_of_all_its_rounds():
    """Three rounds with the seats swapped are one match; two of them are one that isn't over."""
    assert group_into_matches((ANN, BEN, LAST)) == (WON,)
    assert (WON.winner, WON.result_text) == ("Ann", "Ann beats Ben 2:1")
    (left,) = group_into_matches((ANN, BEN))
    assert (left.winner, left.result_text) == ("", "Ann 1 : Ben 1, not over")


def test_interleaved_matches_are_told_apart():
    """Between two rounds there may be a match of other players or another game, or a second match of the same two."""
    others = MatchPart(2, RoundHeader("27", (), ("Cleo", "Ann"), 2, 1), "Cleo", 2)
    game = MatchPart(3, RoundHeader("ziggurat", (), ("Ann", "Ben"), 2, 1), "Ben", 3)
    second = [part._replace(round=part.round + 6, match=7) for part in (ANN, BEN, LAST)]
    parts = (ANN, others, game, BEN._replace(round=4), LAST._replace(round=6), *second)
    assert [match.rounds for match in group_into_matches(parts)] == [(1, 4, 6), (2,), (3,), (7, 8, 9)]


def test_rounds_without_match_id_are_matched_by_number():
    """Rounds of records don't tell the match or the wins before them, so they follow each other by number."""
    records = [part._replace(header=part.header._replace(wins=()), match=0) for part in (ANN, BEN, LAST)]
    assert group_into_matches(records) == (WON,)
    assert len(group_into_matches([part._replace(match=0) for part in (ANN, LAST)])) == 2


def test_wins_of_missing_rounds_count():
    """They are known even if the first rounds of a match aren't among these; a drawn round counts for nobody."""
    assert group_into_matches((LAST,)) == (WON._replace(rounds=(3,)),)
    drawn = BEN._replace(winner="")
    assert group_into_matches((ANN, drawn, LAST._replace(header=LAST.header._replace(wins=(("Ann", 1),)))))[0].wins == (
        ("Ann", 2),
        ("Ben", 0),
    )


def test_the_cost_grows_linearly_with_the_rounds(monkeypatch):
    """A round is only compared with open matches of its players, however many matches there were."""
    looked = []
    goes_on = standings._continues_match
    monkeypatch.setattr(standings, "_continues_match", lambda *match: looked.append(1) or goes_on(*match))
    parts = [
        part._replace(round=part.round + index, match=index + 1)
        for index in range(0, 900, 3)
        for part in (ANN, BEN, LAST)
    ]
    assert len(group_into_matches(parts)) == 300
    assert len(looked) < len(parts)


def test_a_match_of_four_lists_everybody():
    """Every player with the wins, the most first."""
    four = MatchPart(1, RoundHeader("ziggurat", (), ("Dan", "Ann", "Ben", "Cleo"), 1, 1), "Cleo", 1)
    assert group_into_matches((four,))[0].result_text == "Cleo wins: Cleo 1, Ann 0, Ben 0, Dan 0"


@pytest.mark.parametrize(
    ("rounds", "said"),
    [
        ((3,), "round 3"),
        ((3, 4), "rounds 3 and 4"),
        ((3, 4, 5), "rounds 3 to 5"),
        ((3, 4, 6), "rounds 3, 4 and 6"),
        ((1, 3, 5, 7, 9, 40), "6 rounds from 1 to 40"),
    ],
)
def test_round_numbers_are_listed_in_short(rounds, said):
    """A few numbers one by one, a run by its ends, many by how many there are."""
    assert round_numbers_text(rounds) == said


@pytest.mark.parametrize(
    ("name", "buttons", "said"),
    [
        ("Ben", False, ("Ben starts", "menu")),
        ("Ben", True, ("Ben starts", "menu")),
        ("Wolfgang-Amadeus", False, ("next round", "menu")),
        ("Wolfgang-Amadeus", True, ("next round", "menu")),
    ],
)
def test_the_next_round_is_offered_in_whole_words(table_class, monkeypatch, name, buttons, said):
    """The footer says who starts the next round; words that are too long beside the keys are replaced, not cut."""
    desk = table_class(
        SessionSettings((), RoundHeader("27", (("variant", "basic"),), ("Ann", name), 3)), StoredHistory()
    )
    session = desk.session.replace_screen(MatchScore())._replace(uses_buttons=buttons)
    written = []
    footer = widgets.draw_footer
    monkeypatch.setattr(widgets, "draw_footer", lambda *legends: written.append(legends[1:]) or footer(*legends))
    display.session_picture(session)
    ok, back = written[0]
    assert (ok[1], back[1]) == said
    assert widgets.footer_columns(ok, back, "", TEXT) <= LINE_COLUMNS


@pytest.mark.parametrize(("count", "said"), [(2, "draw: no win"), (4, "shared: no win")])
def test_a_round_that_several_have_won_counts_for_nobody_and_says_so(table_class, monkeypatch, count, said):
    """Otherwise the match's score would not change, without a reason on the panel."""
    names = ("Ann", "Ben", "Cleo", "Dan")[:count]
    desk = table_class(SessionSettings((), RoundHeader("ziggurat", (), names, 2)), StoredHistory())
    session = desk.session.replace_screen(MatchScore())
    with monkeypatch.context() as patched:
        patched.setattr(type(session.round), "outcome", Outcome((1, 0), (1,), ""))
        assert session.screen.content(session).note == "first to 2"
    assert session.screen.content(session).note == said


@pytest.mark.parametrize("goal", [2, 5, 9])
@pytest.mark.parametrize("names", [("Ann", "Ben"), ("Wwwwwwwwwwwwwwww", "Mmmmmmmmmmmmmmmm")])
def test_a_won_match_names_its_winner(monkeypatch, goal, names):
    """The winner's name is large, above what was won."""
    written = []
    draw = Canvas.text
    monkeypatch.setattr(
        Canvas, "text", lambda c, x, y, s, *more, **how: written.append(s) or draw(c, x, y, s, *more, **how)
    )
    large = Canvas.large_text
    monkeypatch.setattr(Canvas, "large_text", lambda c, x, y, s, *more: written.append(s) or large(c, x, y, s, *more))
    wins = ((names[0], goal), (names[1], 0))
    content = MatchResult(wins, goal, names[0], f"{names[0]} wins")
    dispatch.draw_content(Canvas(names), content, uses_buttons=True)
    assert written[1] == "wins the match"
    assert written[0][0] == names[0][0]
