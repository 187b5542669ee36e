"""The pictures before and between rounds, for the sheet of every screen: menus, questions, pages of text, the pad."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lists import title_of, words_of
from of_game import options_of

from companion import games
from companion.evening.screens import stored_rounds
from companion.evening.screens.beginning import Resume, Splash
from companion.evening.screens.history import RoundPage
from companion.evening.screens.main_menu import MoreMenu
from companion.evening.screens.pad import pad_rounds
from companion.evening.screens.pages import AllTimePage, open_help
from companion.evening.screens.phones.phones_page import Letting
from companion.evening.screens.stored_rounds import Walk
from companion.inputs import (
    BoxExamined,
    CodeIssued,
    Finding,
    PairingOffer,
    PairingOffered,
    PagesServed,
    QueryResult,
    Request,
    StopRequested,
)
from companion.rounds.on_table import replay_pad, replay_round
from companion.rounds.stored import FinishedRound, MatchPart, RoundHeader, RoundSummary, StoredHistory, StoredRound

if TYPE_CHECKING:
    from sheet_desk import Sheet, Table

DATE = "2026-11-21"
OPTIONS = (("title", "Rummy"), ("wins", "highest"), ("target", "0"), ("turns", "0"))
TITLE = RoundHeader("27", options_of("27"), ("Ann", "Ben"))
ROUND = StoredRound(12, TITLE, events=((1, "1x1"), (2, "9x1"), (1, "1x1")))
PAD = StoredRound(7, RoundHeader("pad", OPTIONS, ("Ann", "Ben", "Cleo")), events=((1, "+12"), (2, "-5"), (3, "+40")))
WIN = MatchPart(3, RoundHeader("27", (), ("Ann", "Ben"), 2, 1), "Ann")
PAST = StoredHistory(
    13,
    ("Ann", "Ben", "Cleo", "Dan", "Hildegard"),
    ("27",),
    evening_rounds=(
        FinishedRound("27", ("Ann", "Ben"), (12, 6), (1,), match_part=WIN),
        FinishedRound("pad", ("Cleo", "Dan", "Hildegard"), (3, 4, 5), (3,)),
    ),
    recent_pads=((OPTIONS, ("Ann", "Ben", "Cleo")),),
    recent_headers=(TITLE,),
    favourites=("Cleo",),
)
KEPT = (
    RoundSummary(12, "27", ("Ann", "Ben"), "12 6 winners 1", DATE, 1, "over"),
    RoundSummary(11, "prime-attactics", ("Ann", "Ben"), "123456 654321 winners 2", DATE, 1, "over"),
    RoundSummary(10, "ziggurat", ("Ann", "Ben", "Cleo", "Dan"), "", DATE, 1, "aside"),
    RoundSummary(9, "coral-reef", ("Ann", "Ben"), "1 0 winners 1", DATE, 1, "over"),
)
FINDINGS = (
    Finding("panel", "ok", "The panel answers on I2C bus 1."),
    Finding("keypad", "do", "No keypad on /dev/ttyACM0: is its plug in?"),
    Finding("clock", "note", "Not set by the network; only the dates of rounds depend on it."),
)
LINES = ("Round 12", "27, 20:15", "Ann 12, Ben 6", "Ann wins: all discs are stacked", "Match: Ann beats Ben 2:0")
OFFER = PairingOffer("1n1", "table-4", "Club", 2, "27", options_of("27", variant="expert"), ("Ann", "Ben"))
EVER = tuple((name, f"{n}/9", f"15{n}0±61") for n, name in enumerate(("Ann", "Ben", "Cleo", "Dan", "Hildegard")))
PHONE = ("a" * 64, "Ann")


def keep_all(sheet: Sheet) -> None:
    """Add each of these pictures."""
    menus(sheet)
    pages(sheet)
    phones(sheet)
    for game in games.built_in_game_ids():
        questions(sheet, game)
    names(sheet)
    pad_questions(sheet)
    pad(sheet)


def menus(sheet: Sheet) -> None:
    """The title, an unfinished round, the main menu and the menus behind it."""
    table = sheet.desk(past=PAST)
    table.keep("title", screen=Splash(9.0))
    for name, kept, between in (("round", replay_round(ROUND), False), ("pad", replay_pad(PAD), False),
                                ("match", replay_round(ROUND), True)):  # fmt: skip
        table.keep(f"go on with a {name}", screen=Resume(kept, between))
    table.wait(30)
    table.keep("main menu")
    menu = table.session
    table.do("right")
    table.keep("the same again")
    table.session = menu
    table.session = table.session._replace(banner="Keypad unplugged\nbuttons still work")
    table.keep("banner")
    table.give(PairingOffered(OFFER, table.now))
    table.keep("pairing", banner="")
    table.do("back", "back")
    table.keep("more")
    table.keep("a press too early", taps=table.session.taps._replace(wait_until=table.now + 1))
    more = table.session
    table.pick("How to play")
    table.keep("help")
    for game in games.built_in_game_ids():
        table.keep(f"help on {game}", screen=open_help(table.session, game).screen)
    table.session = more
    table.pick("Check the box")
    table.keep("doctor looks")
    table.give(BoxExamined(FINDINGS, table.now))
    table.do("up", "up")
    for page in ("overview", "panel", "keypad", "clock"):
        table.keep(f"doctor: {page}")
        table.do("ok")
    table.keep("doctor: keys")
    table.do("up", "left", "ok")
    table.keep("doctor: keys heard")
    table.give(StopRequested(at=table.now))
    table.keep("goodbye")


def pages(sheet: Sheet) -> None:
    """Standings, the history, a round of it and its moves, and names."""
    table = sheet.desk(past=PAST)
    table.session = table.session.replace_screen(MoreMenu())
    more = table.session
    table.pick("Standings")
    table.keep("standings of the day")
    table.do("down")
    table.keep("standings: the rest")
    table.do("down")
    table.keep("standings: a match")
    table.keep("standings of all time", screen=AllTimePage(EVER))
    table.keep("standings of a game", screen=AllTimePage(EVER[:3], shown_game="27"))
    table.session = more
    table.pick("History")
    table.give(QueryResult(Request.HISTORY, KEPT, table.now))
    table.keep("history")
    lines = LINES
    page = RoundPage(lines, note=DATE, stored_round=ROUND._replace(result="12 6 winners 1"))
    table.keep("a round", screen=page)
    table.session = table.session.replace_screen(page)
    table.do("ok")
    table.keep("a round: menu")
    table.pick("Make it void")
    table.keep("a round: void?")
    table.do("back", "ok")
    table.pick("Correct")
    table.keep("a round: correct")
    table.session = stored_rounds.choose_wrong_entry(table.session.open_screens(page), replay_pad(PAD), type(page))
    table.keep("a pad: which entry")
    table.do("ok")
    table.keep("a pad: other points")
    table.press("up")
    table.do("ok")
    table.keep("a pad: correct?")
    table.session = table.session.replace_screen(page)
    table.keep("a void round: menu", screen=page._replace(is_void=True).press(table.session, "#").screen)
    table.keep("an unfinished round", screen=page._replace(lines=lines[:2], stored_round=ROUND))
    table.keep("moves of a round", screen=Walk(replay_round(ROUND), 2))
    table.keep("moves of a pad", screen=Walk(replay_pad(PAD), 2))
    table.session = more
    table.pick("Names")
    table.keep("names")
    table.pick("Ann")
    table.keep("a name")
    table.pick("Rename")
    table.keep("rename")
    table.session = more
    table.pick("Names")
    table.pick("Ann")
    table.pick("Merge")
    table.keep("the same as")
    table.pick("Hildegard")
    table.keep("one player?")


def phones(sheet: Sheet) -> None:
    """The page of phones, and the question about a phone."""
    table = sheet.desk(past=PAST)
    table.session = table.session.replace_screen(MoreMenu())
    table.pick("Phones")
    table.keep("phones: not served")
    table.give(PagesServed(("http://192.168.1.23:8080/",), table.now))
    table.give(CodeIssued("4711", table.now))
    table.keep("phones")
    table.session = table.session._replace(phones=table.session.phones._replace(player_phones=(PHONE,)))
    table.keep("phones: one is in")
    table.do("right")
    table.keep("phones: send away")
    table.keep("a phone asks", screen=Letting(*PHONE, None))


def questions(sheet: Sheet, game: str) -> None:
    """Every question of a game, with open holdings chosen, up to the first turn or the first piece."""
    table = sheet.desk()
    table.wait(30)
    table.pick(games.manifest_of(game).name)
    asked = 0
    without_holdings = not games.manifest_of(game).holdings
    while table.family in ("Menu", "Seats"):
        kind = asks(table)
        asked += 1
        table.keep(f"{game}: {asked}. {kind}")
        if kind == "match" and without_holdings:
            clocks(table)  # The same in every game: kept once, in one that asks for little else.
        table.pick("told to me") if kind == "holding" else table.do("ok")


def asks(table: Table) -> str:
    """What a question before a round is about."""
    if table.family == "Seats":
        return "players"
    asked = title_of(table.session)[1]
    kinds = {"how many play": "seats", "rounds, clock": "match"}
    return kinds.get(asked, "holding" if words_of(table.session)[-1] == "told to me" else "option")


def clocks(table: Table) -> None:
    """The game clock and its own times for each seat; then back at the question of rounds."""
    before = table.session
    table.pick("game clock")
    table.keep("game clock")
    table.pick("own times")
    table.keep("own times")
    table.do("right", "right", "right", "right")
    table.keep("own times: what seconds are")
    table.session = before


def names(sheet: Sheet) -> None:
    """Who sits where, a new name, four players."""
    table = sheet.desk(past=PAST)
    table.wait(30)
    table.pick("Ziggurat")
    while table.family != "Seats":
        table.pick("four") if asks(table) == "seats" else table.do("ok")
    table.keep("players: four")
    table.do("back")
    table.keep("who sits here")
    table.pick("box-1")
    table.keep("about the box")
    table.do("ok")
    table.pick("new name")
    table.keep("new name")
    table.do(*("right", "up", "right") if sheet.keys == "buttons" else "262")
    table.keep("new name: begun")


def pad_questions(sheet: Sheet) -> None:
    """The questions of the score pad."""
    table = sheet.desk(past=PAST)
    table.wait(30)
    table.pick("Score pad")
    table.keep("pad: title")
    table.pick("new name")
    table.keep("pad: new title")
    table.do("back")
    table.pick("any game")
    kinds = {"how many play": "how many", "who wins": "wins", "when does it end": "ends"}
    while table.family == "Menu":
        kind = kinds[title_of(table.session)[1]]
        table.keep(f"pad: {kind}")
        table.pick("5") if kind == "how many" else table.do(*["down"] * (kind == "ends"), "ok")
    table.keep("pad: a number")
    table.do("up", "ok")
    table.keep("pad: players")


def pad(sheet: Sheet) -> None:
    """The pad in play, its menu, sheet and result, for two and five players."""
    for players in (2, 5):
        names = ("Ann", "Ben", "Cleo", "Dan", "Hildegard")[:players]
        table = sheet.desk()
        table.session = pad_rounds.begin_pad(table.session, RoundHeader("pad", OPTIONS, names))
        table.keep(f"pad of {players}")
        table.press(*("up", "up") if sheet.keys == "buttons" else "12", apart=0.2)
        table.keep(f"pad of {players}: entered")
        for _ in range(4 * players):
            table.do("up" if sheet.keys == "buttons" else "7", "ok")
        table.keep(f"pad of {players}: later", switches=table.session.switches._replace(dealer=players == 5))
        table.do("back")
        table.keep(f"pad of {players}: menu")
        table.pick("Score sheet")
        table.keep(f"pad of {players}: sheet")
        table.do("back", "back")
        table.pick("End the", "Main menu")
        table.keep(f"pad of {players}: end?")
        table.do("ok")
        table.keep(f"pad of {players}: result")
        if players == 2:
            sheet_ = table.session.pad
            long = sheet_._replace(pad=sheet_.pad._replace(entries=((1, 10**22), (2, 10**21))))
            table.keep("pad of 2: long numbers", pad=long)
