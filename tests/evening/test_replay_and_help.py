"""A stored round replayed on the panel, and the pages that explain how a game is played."""

from __future__ import annotations

import random
import re

import pytest
from list_screens import digit_of_line

from companion import display, games
from companion.display import dispatch
from companion.evening.model import Session
from companion.evening.screens import stored_rounds
from companion.evening.screens.history import RoundPage
from companion.evening.screens.pages import HelpPage, open_help
from companion.evening.screens.stored_rounds import Walk
from companion.games.score_pad import pad
from companion.panel.canvas import Canvas
from companion.panel.fonts import TEXT, wrap_text
from companion.rounds.stored import RoundHeader, StoredHistory, StoredRound
from companion.table.public_state import public_state

NAMES = ("Annabella", "Ben")


@pytest.fixture
def stored(play_round):
    """Makes a stored round of a game with open hands, of so many events (None for all of them)."""

    def made(game: str, count: int | None = None) -> StoredRound:
        options = games.manifest_of(game).option_defaults
        played = play_round(game, options, 2, random.Random(5))
        deals = tuple((kind, seat, played.rules.format_deal(pieces)) for (kind, seat), pieces in played.deals.items())
        header = RoundHeader(game, tuple(options.items()), NAMES, opened=tuple(played.deals))
        events = tuple((seat, str(move)) for seat, move in played.events)
        return StoredRound(
            7, header, deals, events[:count], "" if count else str(played.rules.outcome(played.states[-1]).result)
        )

    return made


def page_of_round(saved: StoredRound) -> RoundPage:
    return RoundPage(("Round 7", "played", "Annabella - Ben"), stored_round=saved)


def open_replay(saved: StoredRound) -> Session:
    page = page_of_round(saved)
    return stored_rounds.open_last_position(Session((page,), StoredHistory()), saved)


def test_a_draw_is_shown_as_at_the_table(stored, monkeypatch):
    """Where the table says that a player drew, so does the replay, with the coral once the round is over."""
    drawn = []
    text = Canvas.text

    def noted(canvas, x, y, words, *more, **named):
        drawn.append(words)
        return text(canvas, x, y, words, *more, **named)

    monkeypatch.setattr(Canvas, "text", noted)
    session = open_replay(stored("coral-reef"))
    events = session.screen.round.events
    draws = [number for number, (_, event) in enumerate(events, 1) if event.startswith("draw")]
    assert draws
    for number in draws:
        drawn.clear()
        event = events[number - 1][1]
        display.session_picture(session.replace_screen(session.screen._replace(event_number=number)))
        assert any(words.endswith(f"drew{event.removeprefix('draw')}") for words in drawn)
        assert not any(f" {event}" in words for words in drawn)


@pytest.mark.parametrize("game", games.built_in_game_ids())
def test_a_replay_begins_at_the_last_position(golden, stored, game):
    """Left steps back to the start and stops there, right steps forward, BACK leads to the page."""
    saved = stored(game, 7)
    session = open_replay(saved)
    assert isinstance(session.screen, Walk)
    last = len(saved.events)
    assert session.screen.event_number == last > 1
    golden(display.session_picture(session), f"walk/{game}")
    pictures = {display.session_picture(session).tobytes()}
    for number in range(last - 1, -1, -1):
        session = session.screen.press(session, "left")
        assert session.screen.event_number == number
        pictures.add(display.session_picture(session).tobytes())
    assert len(pictures) == last + 1
    assert session.screen.press(session, "left").screen.event_number == 0
    assert session.screen.press(session, "#").screen.event_number == 1
    assert session.screen.press(session, "*").screen == page_of_round(saved)


def test_an_unfinished_round_shows_no_hidden_piece(stored):
    """As long as a round can be resumed, the pictures don't depend on what a player hides."""
    saved = stored("coral-reef", 1)
    hand = next(text for kind, seat, text in saved.deals if seat == 2)
    other = "".join(sorted("22334456", key=str))
    assert hand != other
    changed = saved._replace(deals=tuple((k, s, other if s == 2 else text) for k, s, text in saved.deals))
    for number in (0, 1):
        one, two = (open_replay(each) for each in (saved, changed))
        drawn = [
            display.session_picture(each.replace_screen(each.screen._replace(event_number=number))).tobytes()
            for each in (one, two)
        ]
        assert drawn[0] == drawn[1]


def test_a_score_pad_is_replayed_too(golden):
    """Each entry has its picture."""
    header = RoundHeader(pad.PAD_ID, pad.Pad(3).stored_options, ("Ann", "Ben", "Cleo"))
    saved = StoredRound(3, header, (), ((1, "+5"), (2, "+7"), (3, "-2")), "5 7 -2 winners 2")
    session = open_replay(saved)
    assert session.screen.event_number == 3
    golden(display.session_picture(session), "walk/pad")


def test_a_round_that_no_longer_replays_says_so(stored):
    """Rules that were corrected since refuse a saved move, so a sentence replaces the picture."""
    saved = stored("27", 3)._replace(events=((1, "9x9"),))
    assert open_replay(saved).screen.lines[1] == (
        "It no longer gives the same result: its move 1 is not valid under the rules installed here: "
        f"played with an unknown version, but {games.BUILT_IN_ORIGIN} is installed."
    )


def test_the_history_leads_to_the_moves(new_table, stored):
    """Right on the page of a round opens them, and so does an entry in the menu of a finished one."""
    table = new_table()
    table.wait(3)
    for saved, keys in ((stored("27"), ("right", "#1")), (stored("27", 3), ("right",))):
        for way in keys:
            table.session = table.session.replace_screen(page_of_round(saved))
            table.press(*([way] if way == "right" else way))
            assert table.family == "Walk"
            table.press("*")
            assert table.family == "Page"


def help_pages() -> list[tuple[str, int, str]]:
    return [
        (each.id, at, told) for each in games.built_in_manifests() for at, told in enumerate(games.help_pages(each.id))
    ]


@pytest.mark.parametrize(("game", "at", "told"), help_pages())
def test_each_page_of_help_fits(game, at, told):
    """A page has up to four lines of the panel, and whole words."""
    assert len(wrap_text(told, TEXT, 126)) <= 4


@pytest.mark.parametrize("game", [each.id for each in games.built_in_manifests()])
def test_help_is_short(game):
    """At most twelve pages for either set of keys; for a phone there are none about keys."""
    assert all(len(games.help_pages(game, uses_buttons=buttons)) <= 12 for buttons in (True, False))
    without_keys = games.help_pages(game, names_keys=False)
    assert 0 < len(without_keys) < len(games.help_pages(game, uses_buttons=False))
    assert not re.search(r"[#*◂▸]|\b(OK|BACK|key)\b", " ".join(without_keys))


@pytest.mark.parametrize(("game", "at", "told"), help_pages())
def test_no_line_ends_within_keys(game, at, told):
    """The keys of a sequence such as ``2 5 4 #`` have no-break spaces between them."""
    assert not re.search(r"[0-9A-D*] #", told)


def test_every_built_in_game_has_help():
    """They have more than the sentence for games without help."""
    assert all(games.help_pages(each.id) != (games.NO_HELP_TEXT,) for each in games.built_in_manifests())


def test_a_game_without_help_says_where_to_find_it(monkeypatch, tmp_path):
    """A game of another package may leave the file out."""
    monkeypatch.setattr(games.os.path, "dirname", lambda path: str(tmp_path))
    assert games.help_pages("27") == (games.NO_HELP_TEXT,)


def test_help_opens_from_more_and_from_the_table(new_table, golden):
    """Both lead to the pages. OK and down turn them, BACK leads back."""
    table = new_table()
    table.wait(3)
    table.press("*")
    table.press(digit_of_line(table.session, "How to play"))
    table.press(digit_of_line(table.session, "Ziggurat"))
    golden(table.picture, "help/keypad")
    content = table.session.screen.content(table.session)
    last = dispatch.last_page(content, ())
    assert last > 8
    table.press(*["#"] * last)
    assert table.session.screen.page_number == last
    table.press("*")
    assert table.family == "Menu"
    table.press("*", "*")
    playing = new_table("coral-reef")
    playing.wait(3)
    playing.choose("How to play")
    golden(playing.picture, "help/buttons")
    assert isinstance(playing.session.screen, HelpPage)
    playing.press("back", "back")
    assert playing.family == "Playing"


def test_the_pages_tell_the_keys_that_were_used_last(new_table):
    """A keypad's keys, or the arrows; the other pages are the same."""
    table = new_table("27")
    table.wait(3)
    told = {}
    for buttons in (True, False):
        session = open_help(table.session._replace(uses_buttons=buttons), "27")
        told[buttons] = session.screen.content(session).paragraphs
    assert any("◂▸ choose the stack" in page for page in told[True])
    assert any("3\u00a02\u00a0# moves two discs from field 3" in page for page in told[False])
    both = set(told[True]) & set(told[False])
    assert [page for page in told[True] if page in both] == [page for page in told[False] if page in both]
    assert told[True][0] == told[False][0]
    assert "Goal" in told[True][0]
    assert all("*" not in page for page in told[True])


def test_help_pages_turn_back(new_table):
    """Up leads to the page before."""
    table = new_table("27")
    table.wait(3)
    session = open_help(table.session, "27")
    session = session.screen.press(session, "down")
    assert session.screen.page_number == 1
    assert session.screen.press(session, "up").screen.page_number == 0
    for _ in range(60):
        session = session.screen.press(session, "down")
    session = display.clamp_to_last_page(session)
    last = dispatch.last_page(session.screen.content(session), ())
    assert session.screen.page_number == last
    assert session.screen.press(session, "up").screen.page_number == last - 1


def test_an_added_game_that_fails_in_a_replay_is_reported(stored, monkeypatch):
    """The panel and the big screen report it; in a built-in game it is a bug of the program, and is raised."""

    def fail(*words, **named):
        raise RuntimeError("the game has failed")

    session = open_replay(stored("27"))
    monkeypatch.setattr(stored_rounds.scenes, "round_scene", fail)
    with pytest.raises(RuntimeError):
        display.session_picture(session)
    monkeypatch.setattr(games, "is_added_game", lambda game: game == "27")
    assert display.session_picture(session).getbbox()
    assert public_state(session)["content"] is None


def test_a_replay_of_an_unfinished_round_hides_what_was_drawn(stored):
    """It names no drawn black tile, which only its owner has seen."""
    saved = stored("prime-attactics", 30)
    drawn = [number for number, (_, event) in enumerate(saved.events, 1) if "/" in event and event.startswith("refill")]
    assert drawn
    there = open_replay(saved)
    for number in drawn:
        line = (
            there.replace_screen(there.screen._replace(event_number=number, has_moved=True))
            .screen.content(there)
            .scene.bottom_line
        )
        assert "drew" in line
        assert "÷" not in line.replace("÷•", "")
