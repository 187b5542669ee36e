"""The stored rounds on the panel: asking for them, showing them, and resuming one."""

import queue
import random

import pytest
from list_screens import digit_of_line

from companion import games
from companion.evening import state_machine
from companion.evening.screens import history
from companion.evening.screens.history import RoundPage
from companion.evening.screens.lists import TextPage
from companion.evening.screens.main_menu import MoreMenu
from companion.evening.screens.messages import Notice
from companion.evening.screens.pages import AllTimePage, ReviewPage, TodayPage
from companion.evening.screens.play.round_over import RoundOver
from companion.evening.session_values import PhoneAccess
from companion.inputs import KeyPressed, PhoneRequest, QueryResult, Request, StoredRoundRequest, parse_request
from companion.rounds.standings import group_into_matches
from companion.rounds.stored import LogEntry, RoundHeader, SessionSettings, StoredHistory
from companion.store import round_text
from companion.store.store import Store
from companion.table.loop import TableLoop

HEADER = RoundHeader("27", (("variant", "basic"),), ("Ann", "Ben"))


class Panel:
    def show(self, image, shift=0):
        self.image = image

    def contrast(self, level):
        pass

    sleep = wake = lambda self: None


@pytest.fixture
def table(tmp_path):
    """Makes tables with a real store, at the main menu; `press` presses keys."""

    def made():
        store = Store(tmp_path)
        first = state_machine.start_session(SessionSettings(("Ann", "Ben")), store.load_history(), 0.0)
        now, panel = 3.0, Panel()
        opened = TableLoop(first, store, [panel], queue.Queue(), clock=lambda: now)

        def press(*keys):
            nonlocal now
            for key in keys:
                now += 1.1
                opened.take_input(KeyPressed(key, now))
                opened.paint()
            return opened.session

        opened.press, opened.store, opened.picture = press, store, lambda: panel.image.tobytes()
        press("*", "*")  # The first press ends the title, and the next one opens "more".
        return opened

    return made


def test_standings_lead_to_all_time(table):
    """OK on the standings of the evening asks the store for those of all time."""
    here = table()
    here.store.write_entries([LogEntry(1, "begin", header=HEADER), LogEntry(1, "result", text="12 6 winners 1")])
    session = here.press("1", "#")
    assert isinstance(session.screen, AllTimePage)
    assert session.screen.rows[0][:2] == ("Ann", "1 of 1")
    assert isinstance(here.press("*").screen, MoreMenu)
    here.store.close()


LONG = {
    "sentences": ReviewPage(("What decided it?", *(f"Move {n} lost nothing at all." for n in range(9)))),
    "all time": AllTimePage(tuple((f"Player {n}", f"{n}/9", "1500") for n in range(9))),
    "today": TodayPage(),
}


@pytest.mark.parametrize("name", LONG)
def test_a_page_turned_beyond_its_end_turns_back_at_once(table, name):
    """However often down was pressed on the last page, one press of up shows the page before it."""
    here = table()
    for number in range(1, 6):
        names = (f"Player {2 * number}", f"Player {2 * number + 1}")
        here.store.write_entries([LogEntry(number, "begin", header=HEADER._replace(names=names)),
                          LogEntry(number, "result", text="12 6 winners 1")])  # fmt: skip
    here.session = here.session._replace(history=here.store.load_history()).open_screens(LONG[name])
    here.paint()
    pictures = [here.picture()]
    while pictures[-1] not in pictures[:-1]:  # Press until down shows the last page again.
        here.press("down")
        pictures.append(here.picture())
    assert len(pictures) > 3
    here.press("down", "down", "down", "up")
    assert here.picture() == pictures[-3]
    for _ in range(3):
        here.take_input(KeyPressed("down", 20.0))  # Several presses before the next picture.
    here.press("up")
    assert here.picture() == pictures[-3]
    here.store.close()


def test_standings_of_all_time_by_game(table):
    """Right and left lead from all games to each one that was played, and around to all of them."""
    here = table()
    reef = HEADER._replace(game="coral-reef", options=(("form", "cards"),))
    here.store.write_entries([LogEntry(1, "begin", header=HEADER), LogEntry(1, "result", text="12 6 winners 1")])
    here.store.write_entries([LogEntry(2, "begin", header=reef), LogEntry(2, "result", text="0 1 winners 2")])
    here.session = here.session._replace(history=here.store.load_history())
    assert here.press("1", "#").screen.shown_game == ""
    found = []
    for key in ("right", "B", "right"):
        moment = here.press(key).screen
        found.append((moment.shown_game, [row[:2] for row in moment.rows]))
    assert found[0] == ("coral-reef", [("Ben", "1 of 1"), ("Ann", "0 of 1")])
    assert found[1] == ("27", [("Ann", "1 of 1"), ("Ben", "0 of 1")])
    assert found[2][0] == ""
    assert len(here.session.screen.rows) == 2
    assert here.press("left").screen.shown_game == "27"
    assert isinstance(here.press("*").screen, MoreMenu)
    here.store.close()


def test_an_unfinished_round_is_resumed_from_the_history(table):
    """History → a round → OK: the round is on the table again, and is offered at the next start."""
    here = table()
    here.press("*", "2")  # "27" is the second game of a first evening.
    while type(here.session.screen).__name__ != "PlayScreen":
        here.press("#")
    here.press("1", "1", "#", "*")
    here.press(digit_of_line(here.session, "Leave the round"), "#")
    assert here.store.load_history().unfinished_round is None
    session = here.press("*", "6", "1")
    assert isinstance(session.screen, RoundPage)
    assert session.screen.lines[-1] == "unfinished"
    session = here.press("#")
    assert type(session.screen).__name__ == "PlayScreen"
    assert session.round.events == ((1, "1x1"),)
    assert here.store.load_history().unfinished_round.id == 1
    here.store.close()


def test_a_void_round_is_marked_and_cannot_be_resumed(table):
    """Its moves can be replayed, but OK doesn't put it back on the table."""
    here = table()
    here.store.write_entries([LogEntry(1, "begin", header=HEADER), LogEntry(1, "event", 1, "1x1")])
    here.store.write_entries([LogEntry(1, "result", text="12 6 winners 1")])
    assert here.store.change_round(1, "void") == ""
    found = here.store.load_round(1), here.store.summaries()[0], here.store.is_match_open(1)
    page = history.page_of_found_round(QueryResult(StoredRoundRequest(1), found))
    assert "void" in page.lines
    after = page.press(here.session.replace_screen(page), "#")
    assert after.round is None
    assert after.outbox.unsaved_entries == ()
    here.store.close()


def finished(store, number, result="12 6 winners 1", header=HEADER):
    store.write_entries([LogEntry(number, "begin", header=header), LogEntry(number, "event", 1, "1x1"),
                 LogEntry(number, "result", text=result)])  # fmt: skip


def test_a_round_is_voided_and_restored_by_keys(table):
    """History → a round → menu: a question; then its page, the list and everything that follows say so."""
    here = table()
    finished(here.store, 1)
    finished(here.store, 2, "3 9 winners 2")
    session = here.press("6", "2", "#")
    assert [item.label for item in session.screen.items(session)] == ["Moves", "Make it void", "Correct"]
    question = here.press("2").screen
    assert (question.title, question.lines) == ("Void round 1?", ("It no longer counts.",))
    assert isinstance(here.press("*").screen, RoundPage)
    assert here.inputs.empty()
    assert [each.name for each in here.store.standings() if each.won] == ["Ann", "Ben"]
    here.press("#", "2", "#")
    here.take_input(here.inputs.get_nowait())
    page = here.session.screen
    assert "void" in page.lines
    assert [each.name for each in here.store.standings() if each.won] == ["Ben"]
    assert here.session.history == here.store.load_history()
    listed = here.press("*")
    assert (listed.screen.cursor, listed.screen.items(listed)[1].note) == (1, "void")
    session = here.press("#", "#")
    assert [item.label for item in session.screen.items(session)] == ["Moves", "Let it count again"]
    here.press("2")
    here.take_input(here.inputs.get_nowait())
    assert "Ann wins" in here.session.screen.lines
    assert len(here.store.standings()) == 2
    here.store.close()


def test_the_stores_answer_does_not_lead_back_to_a_left_page(table):
    """The answer about a void round changes what counts, but not what the panel shows."""
    here = table()
    finished(here.store, 1)
    here.press("6", "1", "#", "2", "#", "*", "*")
    before = here.session.screen
    here.take_input(here.inputs.get_nowait())
    assert here.session.screen == before
    assert here.session.history.evening_rounds == ()
    here.store.close()


def test_a_refusal_of_the_store_is_shown(table):
    """For example of a round that another client has voided meanwhile."""
    here = table()
    finished(here.store, 1)
    here.press("6", "1", "#", "2")
    assert here.store.change_round(1, "void") == ""
    here.press("#")
    here.take_input(here.inputs.get_nowait())
    assert here.session.screen.lines == ("Round 1", "Round 1 is void: let it count again first.")
    here.store.close()


def test_the_box_says_where_a_round_is_corrected(table):
    """Moves can't be changed on the panel."""
    here = table()
    finished(here.store, 1)
    page = here.press("6", "1", "#", "3").screen
    assert isinstance(page, TextPage)
    assert "companion correct 1" in page.lines[-1]
    assert isinstance(here.press("#").screen, RoundPage)
    here.store.close()


def test_an_entry_of_a_finished_pad_is_corrected_by_keys(table):
    """Menu → Correct → an entry → its points. A question shows the effect; BACK at any step changes nothing."""
    here = table()
    entries = [LogEntry(1, "event", seat, points) for seat, points in ((1, "+12"), (2, "+21"), (1, "+3"))]
    here.store.write_entries(
        [LogEntry(1, "begin", header=PAD), *entries, LogEntry(1, "result", text="15 21 winners 2")]
    )
    session = here.press("6", "1", "#", "3")
    assert [item.label for item in session.screen.items(session)] == ["Ann +3", "Ben +21", "Ann +12"]
    shown = here.press("2").screen.content(here.session)
    assert (shown.title, shown.last, shown.change, shown.total) == ("correct turn 1", "Ben +21", "+21", 21)
    assert here.press("2").screen.content(here.session).total == 2
    question = here.press("#").screen
    assert (question.title, question.lines) == ("Correct round 1?", ("Ben has 2 points.", "Ann wins"))
    assert here.press("*", "*", "*").screen.title == "Correct"
    here.press("2", "5", "*", "#")
    assert here.session.screen.title == "Correct"  # Nothing was changed.
    assert here.inputs.empty()
    here.press("2", "4", "C", "#", "#")
    here.take_input(here.inputs.get_nowait())
    assert here.store.load_round(1).events == ((1, "+12"), (2, "-4"), (1, "+3"))
    assert here.store.load_round(1).result == "15 -4 winners 1"
    assert "Ann wins" in here.session.screen.lines
    assert [each.winners for each in here.session.history.evening_rounds] == [(1,)]
    here.store.close()


def test_a_match_is_resumed_from_the_menu_of_its_last_round(table):
    """That is the first entry there, and the round can be voided before."""
    here = table()
    header = HEADER._replace(goal=3)
    finished(here.store, 1, header=header)
    session = here.press("6", "1", "#")
    words = [item.label for item in session.screen.items(session)]
    assert words == ["Continue", "Moves", "Make it void", "Correct"]
    assert here.press("1").round.header.goal == 3
    here.store.close()


HOST = "c" * 64
PAD = RoundHeader("pad", (("title", "Skat"), ("wins", "highest"), ("target", "0"), ("turns", "2")), ("Ann", "Ben"))


@pytest.fixture
def hosted(table):
    """A table at its main menu with the host's phone; `ask` sends a request of it and returns the reply."""
    here = table()
    here.press("*")
    here.session = here.session._replace(phones=PhoneAccess(is_on=True, host=HOST))

    def ask(what, text):
        told = []
        here._send_reply = told.append
        here.take_input(PhoneRequest(1, HOST, parse_request(what, text), here.session.now))
        while not here.inputs.empty():
            here.take_input(here.inputs.get_nowait())
        (answer,) = told
        return answer.refusal

    here.ask = ask
    yield here
    here.store.close()


def test_the_host_corrects_the_entries_of_a_score_pad(hosted):
    """The standings at the table follow. A fault is reported with its line, and then nothing is changed."""
    entries = LogEntry(1, "event", 1, "+12"), LogEntry(1, "event", 2, "+21")
    hosted.store.write_entries(
        [LogEntry(1, "begin", header=PAD), *entries, LogEntry(1, "result", text="12 21 winners 2")]
    )
    for wrong, why in (
        ("1: +12\n\n3: +2\n", "Line 3, 3: +2: an entry is a seat and its points, such as 1: +12."),
        ("1: +12\n2: x", "Line 2, 2: x: an entry is a seat and its points, such as 1: +12."),
        ("1: 1\n1: 2\n1: 3", "Line 3: Ann has no turns left."),
        ("1: +12\n2: +21\n", "Nothing was changed."),
        ("\n", "A score pad needs at least one entry."),
    ):
        assert hosted.ask("correct", f"1 {wrong}") == why
        assert hosted.store.load_round(1).result == "12 21 winners 2"
    assert hosted.ask("correct", "1 1: 12\r\n2: −2\r\n") == ""
    assert (hosted.store.load_round(1).events, hosted.store.load_round(1).result) == (
        ((1, "+12"), (2, "-2")),
        "12 -2 winners 1",
    )
    assert [each.winners for each in hosted.session.history.evening_rounds] == [(1,)]
    assert "+21" in (hosted.store.folder / "rounds.journal").read_text()


def test_the_host_corrects_a_round_that_is_refereed_again(hosted, play_round):
    """Its own text changes nothing, and a wrong move is reported with its line; game and players stay."""
    played = play_round("27", {"variant": "basic"}, 2, random.Random(4))
    other = play_round("27", {"variant": "basic"}, 2, random.Random(5))
    store, outcome = hosted.store, played.rules.outcome(played.states[-1])
    lines = [LogEntry(1, "event", seat, str(move)) for seat, move in played.events]
    store.write_entries([LogEntry(1, "begin", header=HEADER), *lines, LogEntry(1, "result", text=str(outcome.result))])
    before = store.load_round(1)
    whole = round_text.editable_text(store, before)
    head = whole[: whole.index("\n1: ") + 1]
    assert "result:" not in whole
    assert hosted.ask("correct", f"1 {whole}") == "Nothing was changed."
    assert hosted.ask("correct", f"1 {head}1: 9x9\n").startswith(f"Line {head.count(chr(10)) + 1}, 1: 9x9: ")
    assert "cannot change" in hosted.ask("correct", f"1 {whole.replace('Ann', 'Anna')}")
    assert hosted.ask("correct", f"1 {head}1: 1x1\n") == "The round is not over after its last move."
    assert hosted.ask("correct", "9 x") == "There is no round 9."
    assert store.load_round(1) == before
    moves = "".join(f"{seat}: {move}\n" for seat, move in other.events)
    assert hosted.ask("correct", f"1 {head}{moves}") == ""
    assert [move for _, move in store.load_round(1).events] == [str(move) for _, move in other.events]
    assert store.load_round(1).result == str(other.rules.outcome(other.states[-1]).result)


def test_the_host_voids_and_restores_a_round(hosted):
    """As at the box. A void round has to be restored before it can be corrected."""
    finished(hosted.store, 1)
    assert hosted.ask("restore", "1") == "Round 1 is not void."
    assert hosted.ask("void", "1") == ""
    assert hosted.session.history.evening_rounds == ()
    assert hosted.ask("correct", "1 x") == "Round 1 is void: let it count again first."
    assert hosted.ask("restore", "1") == ""
    assert len(hosted.session.history.evening_rounds) == 1


def test_a_won_match_has_a_row_in_the_history(table):
    """The row stands above the match's last round, shows the wins, and leads to that round's page."""
    here = table()
    header = HEADER._replace(goal=2)
    later = header._replace(names=("Ben", "Ann"), number=2, wins=(("Ann", 1),))
    here.store.write_entries([LogEntry(1, "begin", header=header), LogEntry(1, "result", text="12 6 winners 1"),
                      LogEntry(2, "begin", header=later), LogEntry(2, "result", text="6 12 winners 2")])  # fmt: skip
    session = here.press("6")
    rows = session.screen.items(session)
    assert [(item.action(session).outbox.requests, item.pairs, item.icon) for item in rows] == [
        ((StoredRoundRequest(2),), (("Ann", "2"), ("Ben", "0")), "match"),
        ((StoredRoundRequest(2),), (("Ben", "6"), ("Ann", "12")), "27"),
        ((StoredRoundRequest(1),), (("Ann", "12"), ("Ben", "6")), "27"),
    ]
    assert "Match: Ann beats Ben 2:0, rounds 1 and 2" in here.press("1").screen.lines
    here.store.close()


def test_a_match_just_won_follows_the_standings_of_the_day(table_class, play_round, typed_keys):
    """A round that ends a match adds a page to the day's standings at once."""
    header = RoundHeader("27", (("variant", "basic"),), ("Ann", "Ben"), goal=1)
    seeds = (play_round("27", {"variant": "basic"}, 2, random.Random(seed)) for seed in range(20))
    played = next(each for each in seeds if len(each.rules.outcome(each.states[-1]).winners) == 1)
    winner = header.names[played.rules.outcome(played.states[-1]).winners[0] - 1]
    at_table = table_class(SessionSettings((), header), StoredHistory())
    at_table.wait(3)
    for state, (_, move) in zip(played.states, played.events, strict=False):
        at_table.press(*typed_keys("27", state, str(move)), apart=0.2)
        while isinstance(at_table.session.screen, Notice):
            at_table.press("#")
    assert isinstance(at_table.session.screen, RoundOver)
    (result,) = at_table.session.history.new_rounds
    assert group_into_matches([result.match_part])[0].winner == winner
    at_table.session = at_table.session.replace_screen(TodayPage())
    first = at_table.picture
    at_table.press("8")
    assert at_table.picture.tobytes() != first.tobytes()


def test_an_empty_history_says_so(table):
    here = table()
    session = here.press("6")
    assert session.screen == TextPage(("History", "No rounds are saved yet."))
    here.store.close()


def test_a_late_answer_of_the_store_changes_nothing(new_table):
    """It doesn't tear the players out of their round."""
    table = new_table("27")
    before = table.session
    for request in (Request.STANDINGS, Request.HISTORY, StoredRoundRequest(1)):
        assert state_machine.update_session(before, QueryResult(request, (), before.now)) == before


@pytest.mark.parametrize(
    ("origin", "why"),
    [
        (
            games.distribution_and_version("27"),
            f"played with {games.distribution_and_version('27')}, whose rules were changed without a new version",
        ),
        ("other-27 1.0", f"played with other-27 1.0, but {games.distribution_and_version('27')} is installed"),
        (
            "tabletop-companion 0.1",
            f"played with tabletop-companion 0.1, but {games.distribution_and_version('27').split()[1]} is installed",
        ),
        ("", f"played with an unknown version, but {games.distribution_and_version('27')} is installed"),
    ],
)
def test_a_round_that_no_longer_replays_names_its_version(table, monkeypatch, origin, why):
    """Its page in the history says so, below the saved result."""
    # Without this, the record would have the program's own version, which is trusted.
    monkeypatch.setattr(games, "is_added_game", lambda game: True)
    here = table()
    here.store.write_entries([
        LogEntry(1, "begin", header=HEADER._replace(origin=origin)), LogEntry(1, "event", 1, "1x1"),
        LogEntry(1, "result", text="5 3 winners 1", reason="no one can move"),
    ])  # fmt: skip
    said = f"It no longer gives the same result: under the rules installed here it is not over: {why}."
    assert here.press("6", "1").screen.lines[2:] == (
        "Ann\N{NO-BREAK SPACE}5, Ben\N{NO-BREAK SPACE}3",
        "Ann wins: no one can move",
        said,
    )
    here.store.close()
