"""Pictures of the stored rounds and the standings."""

import random

import pytest

from companion import display
from companion.display.results import RATING_TEXT, all_time_pages
from companion.evening.model import Session
from companion.evening.screens.history import History, RoundPage, round_item, round_items, round_lines
from companion.evening.screens.main_menu import MainMenu
from companion.evening.screens.pages import AllTimePage, TodayPage, all_time_row
from companion.gamekit.contract.picture_faults import recorded_texts
from companion.inputs import StoredRoundRequest
from companion.panel import fonts
from companion.rounds import standings
from companion.rounds.standings import group_into_matches
from companion.rounds.stored import (
    FinishedRound,
    MatchPart,
    Rating,
    RoundHeader,
    RoundSummary,
    Standing,
    StoredHistory,
    StoredRound,
)

NAMES = ("Wilhelmina Mommo", "Wilhelmina Momma", "Maximiliane Wolf", "Maximilian Wolfe")
ROUND = StoredRound(12, RoundHeader("27", (), ("Ann", "Ben")))
DATE = "2026-11-21"


def test_standings_of_all_time(golden):
    """Four players a page: rounds won of those played, and the ratings on pages of their own."""
    rows = (("Ann", "128 of 240", "1712±61"), ("Ben", "97 of 221", "1533±70"), 
            ("Hildegard von B", "9 of 40", "1401±122"), ("Dan", "0 of 1", "1312±456"))  # fmt: skip
    golden(display.session_picture(Session((AllTimePage(rows),), StoredHistory())), "history/all-time")
    golden(
        display.session_picture(Session((AllTimePage(rows, page_number=1),), StoredHistory())),
        "history/all-time-ratings",
    )
    golden(display.session_picture(Session((AllTimePage(),), StoredHistory())), "history/all-time-empty")


def test_a_short_name_is_whole_beside_thousands_of_rounds(golden):
    """Numbers of four digits cut no name."""
    rows = (("Ann", "1280 of 2400", "1712±61"), ("Ben", "970 of 2210", "1533±70"), ("Mommo", "9 of 40", "1401±122"),
            ("Dan", "0 of 1", ""))  # fmt: skip
    golden(display.session_picture(Session((AllTimePage(rows),), StoredHistory())), "history/all-time-thousands")
    with recorded_texts() as written:
        display.session_picture(Session((AllTimePage(rows),), StoredHistory()))
    assert {f"{place} {name}" for place, (name, *_) in enumerate(rows[:3], 1)} <= {each.text for each in written}


@pytest.mark.parametrize(("played", "is_rated"), [(9, False), (10, True)])
def test_a_rating_needs_ten_rounds_and_is_explained(played, is_rated):
    """It has a page of its own, and the page after it says what it means."""
    rows = (all_time_row(Standing("Ann", played, 3, 0, rating=Rating())),)
    pages = all_time_pages(AllTimePage(rows).content(Session((MainMenu(),), StoredHistory())))
    assert [(page.title, page.rows) for page in pages[1:]] == [
        ("Rating", [("1 Ann", "1500")]),
        ("Rating", ()),
    ] * is_rated
    assert pages[-1].words == (RATING_TEXT if is_rated else "")


def test_pages_of_rounds(golden):
    """A finished round with its reason, and an unfinished one that can be resumed."""
    lines = ("Round 12", "27, 20:15", "Ann 12, Ben 6", "Ann wins: all discs are stacked")
    over = ROUND._replace(result="12 6 winners 1")
    golden(
        display.session_picture(Session((RoundPage(lines, note=DATE, stored_round=over),), StoredHistory())),
        "history/round",
    )
    lines = ("Round 12", "Prime Attactics, 20:15", "Ann - Ben", "unfinished")
    golden(
        display.session_picture(Session((RoundPage(lines, note=DATE, stored_round=ROUND),), StoredHistory())),
        "history/unfinished",
    )


def test_rounds_with_a_computer_player_are_not_in_the_standings():
    """A day of nothing else says so in whole words, and doesn't say that no round has ended."""
    alone = FinishedRound("27", ("Ann", "box-1"), (3, 1), (1,))
    both = (alone, FinishedRound("ziggurat", ("Ann", "Ben"), (3, 1), (2,)))
    assert [(each.name, each.played, each.won) for each in standings.compute_standings(both)] == [
        ("Ben", 1, 1),
        ("Ann", 1, 0),
    ]
    drawn = {
        tonight: display.session_picture(Session((TodayPage(),), StoredHistory(evening_rounds=tonight))).tobytes()
        for tonight in ((), (alone,), both, both[1:])
    }
    assert drawn[(alone,)] != drawn[()]
    assert drawn[both] == drawn[both[1:]]


def test_standings_of_more_than_a_page(golden):
    """A scrollbar says that there are more than four players, above or below."""
    rows = tuple((f"Player {index}", f"0 of {index}", "1500±500") for index in range(1, 9))
    golden(display.session_picture(Session((AllTimePage(rows),), StoredHistory())), "history/all-time-more")
    results = tuple(FinishedRound("pad", (f"Player {index}", "Ann"), (1, 0), (1,)) for index in range(1, 6))
    golden(
        display.session_picture(Session((TodayPage(),), StoredHistory(evening_rounds=results))), "history/tonight-more"
    )
    golden(
        display.session_picture(Session((TodayPage(page_number=1),), StoredHistory(evening_rounds=results))),
        "history/tonight-rest",
    )


def test_the_history(golden):
    """A row a round: its game, the players, and the scores of up to four; of more players, who has won."""
    rounds = (
        RoundSummary(9, "27", ("Ann", "Ben"), "12 6 winners 1", DATE, 1, "over"),
        RoundSummary(8, "pad", NAMES, "120 -5 7 1044 winners 4", DATE, 1, "over"),
        RoundSummary(7, "ziggurat", ("Ann", "Hildegard", "Cleo"), "", DATE, 1, "aside"),
        RoundSummary(
            6, "pad", tuple(f"Player {at}" for at in range(1, 9)), "1 2 3 4 5 6 7 8 winners 8", DATE, 1, "over"
        ),
        RoundSummary(5, "pad", NAMES[:3], "10000 2 3 winners 1", DATE, 1, "over"),
        RoundSummary(4, "coral-reef", NAMES[:2], "1 0 winners 1", DATE, 1, "over"),
        RoundSummary(3, "coral-reef", NAMES[:2], "0 0 winners 1 2", DATE, 1, "over"),
        RoundSummary(2, "ziggurat", ("Ann", "Ben", "Cleo"), "9 3 1 winners 1", DATE, 1, "over"),
    )
    items = tuple(map(round_item, rounds))
    for at in (1, 3, 5, 7):
        picture = display.session_picture(Session((History("History", (), items, at),), StoredHistory()))
        golden(picture, f"history/history-{at}")
    few = display.session_picture(Session((History("History", (), (items[0], *items[3:6])),), StoredHistory()))
    golden(few, "history/history")


def test_rows_of_the_history_are_whole(monkeypatch):
    """Rounds of two to eight players with long names and scores: only names are cut, and these have a mark."""
    lost = []
    monkeypatch.setattr(fonts, "on_text_cut", lambda whole, shown, room: lost.append((whole, shown)))
    eight = (*NAMES, "Alexandrasophie", "Alexandersamuel", "Player 1", "Player 2")
    for players in range(2, 9):
        for score in (7, -130, 9999, 123456):
            for result in ("", f"{' '.join([str(score)] * players)} winners 2"):
                kept = RoundSummary(9, "pad", eight[:players], result, DATE, 1, "over" if result else "aside")
                display.session_picture(Session((History("History", (), (round_item(kept),)),), StoredHistory()))
    assert not lost


def test_a_round_that_counts_corals_says_so(play_round):
    """The history shows what the result showed: who won, and on the round's page the corals that were left."""
    played = play_round("coral-reef", {"form": "cards"}, 2, random.Random(5), share=0.0)
    about = RoundHeader("coral-reef", tuple(played.header.options.items()), ("Ann", "Ben"))
    state = played.states[-1]
    result = played.rules.outcome(state).result
    events = tuple((seat, str(move)) for seat, move in played.events)
    saved = StoredRound(4, about, (), events, str(result))
    kept = RoundSummary(
        4, "coral-reef", about.names, str(result), f"{DATE}T20:15:00", 1, "over", reason="last coral placed"
    )
    ann, ben = state.sizes
    assert f"Ann\N{NO-BREAK SPACE}{ann}, Ben\N{NO-BREAK SPACE}{ben} corals left" in round_lines(kept, saved)
    winner = result.single_winner_name(about.names)
    assert round_item(kept).label == f"{winner} beat {'Ben' if winner == 'Ann' else 'Ann'}"
    broken = saved._replace(events=(*events, (1, "9")))
    one, other = result.scores
    assert f"Ann\N{NO-BREAK SPACE}{one}, Ben\N{NO-BREAK SPACE}{other}" in round_lines(kept, broken)


def test_a_match_in_the_history_and_today(golden):
    """Its result is above its last round; the round's page and the last page of the day show it."""
    parts = (
        MatchPart(3, RoundHeader("27", (), ("Ann", "Ben"), 2, 1), "Ann"),
        MatchPart(4, RoundHeader("27", (), ("Ben", "Ann"), 2, 2, (("Ann", 1),)), "Ann"),
        MatchPart(5, RoundHeader("ziggurat", (), NAMES, 1, 1), NAMES[2]),
    )
    first, second = group_into_matches(parts)
    rounds = (
        RoundSummary(5, "ziggurat", NAMES, "9 9 31 9 winners 3", "2026-11-21T21:00:00", 1, "over", match=second),
        RoundSummary(4, "27", ("Ben", "Ann"), "6 12 winners 2", "2026-11-21T20:45:00", 1, "over", match=first),
        RoundSummary(3, "27", ("Ann", "Ben"), "12 6 winners 1", "2026-11-21T20:15:00", 1, "over", match=first),
    )
    items = tuple(item for each in rounds for item in round_items(each))
    asked = [item.action(Session((MainMenu(),), StoredHistory())).outbox.requests for item in items]
    assert asked == [(StoredRoundRequest(number),) for number in (5, 5, 4, 4, 3)]
    golden(
        display.session_picture(Session((History("History", (), items, 2),), StoredHistory())),
        "history/history-match",
    )
    page = RoundPage(round_lines(rounds[1]), note=DATE, stored_round=ROUND._replace(result="6 12 winners 2"))
    assert "Match: Ann beats Ben 2:0, rounds 3 and 4" in page.lines
    golden(display.session_picture(Session((page,), StoredHistory())), "history/round-match")
    results = tuple(
        FinishedRound(head.game, head.names, (), (head.names.index(part.winner) + 1,), match_part=part)
        for part, head in ((part, part.header) for part in parts)
    )
    for at in (5, 6):
        golden(
            display.session_picture(Session((TodayPage(page_number=at),), StoredHistory(evening_rounds=results))),
            f"history/today-match-{at - 4}",
        )


def test_a_round_of_eight(golden):
    """What doesn't fit a page is on the next one, and the page says so; after the last page there is none."""
    names = ", ".join(f"Player {number} {number * 111}" for number in range(1, 9))
    lines = ("Round 6", "Skat, 20:15", names, "Player 8 wins")
    over = ROUND._replace(result="12 6 winners 1")
    golden(
        display.session_picture(Session((RoundPage(lines, note=DATE, stored_round=over),), StoredHistory())),
        "history/round-of-eight",
    )
    second, last, beyond = (
        display.session_picture(Session((RoundPage(lines, over, note=DATE, page_number=number),), StoredHistory()))
        for number in (1, 2, 3)
    )
    golden(second, "history/round-of-eight-rest")
    assert second.tobytes() != last.tobytes() == beyond.tobytes()
