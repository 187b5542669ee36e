"""The pictures before and between rounds, for the sheet of every screen: menus, questions, pages of text, the pad."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_support import all_options
from list_screens import list_texts, list_title

from companion import games
from companion.evening.screens import stored_rounds
from companion.evening.screens.box_settings import ClockInput, LockCode, PanelMenu, SoundMenu
from companion.evening.screens.evening_start import Resume, Splash
from companion.evening.screens.first_start import FirstKeys, name_step
from companion.evening.screens.history import RoundPage
from companion.evening.screens.main_menu import MoreMenu
from companion.evening.screens.pad import pad_actions
from companion.evening.screens.pages import AllTimePage, open_help
from companion.evening.screens.phones.phones_page import PhoneAdmission
from companion.evening.screens.stored_rounds import Walk
from companion.inputs import (
    BoxExamined,
    CodeIssued,
    Finding,
    HelperAnswered,
    HelperRequest,
    PagesServed,
    PairingOffer,
    PairingOffered,
    QueryResult,
    Request,
    StopRequested,
)
from companion.languages import text
from companion.rounds.on_table import replay_pad, replay_round
from companion.rounds.stored import FinishedRound, MatchPart, RoundHeader, RoundSummary, StoredHistory, StoredRound

if TYPE_CHECKING:
    from screen_sheet import ScreenSheet, SheetTable

DATE = "2026-11-21"
OPTIONS = (("title", "Rummy"), ("wins", "highest"), ("target", "0"), ("turns", "0"))
TITLE = RoundHeader("27", all_options("27"), ("Ann", "Ben"))
ROUND = StoredRound(12, TITLE, events=((1, "1x1"), (2, "9x1"), (1, "1x1")))
PAD = StoredRound(7, RoundHeader("pad", OPTIONS, ("Ann", "Ben", "Cleo")), events=((1, "+12"), (2, "-5"), (3, "+40")))
WIN = MatchPart(3, RoundHeader("27", (), ("Ann", "Ben"), 2, 1), "Ann")
HISTORY = StoredHistory(
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
ROUND_SUMMARIES = (
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
NETWORKS, HOTSPOT = ("Verein am Turm 5 GHz", "Jansens", "Café"), ("companion-d0ff", "epz5u7kv")
STICK_ANSWERS = ("214 rounds, 2026-11-21 22:45", "no space left")
ROUND_LINES = ("Round 12", "27, 20:15", "Ann 12, Ben 6", "Ann wins: all discs are stacked", "Match: Ann beats Ben 2:0")
OFFER = PairingOffer("1n1", "table-4", "Club", 2, "27", all_options("27", variant="expert"), ("Ann", "Ben"))
ALL_TIME_ROWS = tuple(
    (name, text("{won} of {played}", won=n, played=9), f"15{n}0±61")
    for n, name in enumerate(("Ann", "Ben", "Cleo", "Dan", "Hildegard"))
)
PAIRED_PHONE = ("a" * 64, "Ann")


def add_all_pictures(sheet: ScreenSheet) -> None:
    """Add each of these pictures."""
    add_menu_pictures(sheet)
    add_page_pictures(sheet)
    add_phone_pictures(sheet)
    for game in games.built_in_game_ids():
        add_question_pictures(sheet, game)
    add_name_pictures(sheet)
    add_pad_question_pictures(sheet)
    add_pad_pictures(sheet)


def add_menu_pictures(sheet: ScreenSheet) -> None:
    """The title, an unfinished round, the main menu and the menus behind it."""
    table = sheet.new_table(history=HISTORY)
    table.add_picture("title", screen=Splash(9.0))
    for name, kept, between in (("round", replay_round(ROUND), False), ("pad", replay_pad(PAD), False),
                                ("match", replay_round(ROUND), True)):  # fmt: skip
        table.add_picture(f"go on with a {name}", screen=Resume(kept, between))
    table.wait(30)
    table.add_picture("main menu")
    menu = table.session
    table.do("right")
    table.add_picture("the same again")
    table.session = menu
    table.session = table.session._replace(banner="Keypad unplugged\nbuttons still work")
    table.add_picture("banner")
    table.take_input(PairingOffered(OFFER, table.now))
    table.add_picture("pairing", banner="")
    table.do("back", "back")
    table.add_picture("more")
    table.add_picture("a press too early", taps=table.session.taps._replace(wait_until=table.now + 1))
    more = table.session
    table.pick("How to play")
    table.add_picture("help")
    for game in games.built_in_game_ids():
        table.add_picture(f"help on {game}", screen=open_help(table.session, game).screen)
    table.session = more
    table.pick("Check the box")
    table.add_picture("doctor looks")
    table.take_input(BoxExamined(FINDINGS, table.now))
    table.do("up", "up")
    for page in ("overview", "panel", "keypad", "clock"):
        table.add_picture(f"doctor: {page}")
        table.do("down")
    table.add_picture("doctor: keys")
    table.do("up", "left", "ok")
    table.add_picture("doctor: keys heard")
    table.session = more
    table.pick("Settings")
    table.add_picture("settings")
    table.pick("Language")
    table.add_picture("language")
    table.do("back")
    table.add_picture("settings: panel", screen=PanelMenu())
    table.add_picture("settings: sound", screen=SoundMenu())
    table.pick("Locked")
    table.add_picture("new code")
    table.do("up", "ok" if sheet.keys == "buttons" else "right", "down")
    table.add_picture("new code: two digits")
    table.session = more.open_screens(ClockInput())
    table.do(*"26113")
    table.add_picture("clock")
    table.session = more._replace(box=more.box._replace(lock="2718")).open_screens(LockCode(is_locked=True))
    table.add_picture("settings are locked")
    table.do(*"1111")
    table.add_picture("wrong code")
    table.session = more
    table.pick("Settings")
    table.pick("USB stick")
    table.add_picture("stick")
    table.pick("Put a backup back")
    table.add_picture("stick: wait")
    found, failure = STICK_ANSWERS
    table.take_input(HelperAnswered(HelperRequest("stick", ("find-backup en",)), ("ok", found)))
    table.add_picture("stick: put it back?")
    table.do("back")
    for task, answer in (("Back everything up", ("ok", found)), ("Take the report", ("failed", failure)),
                         ("Update the program", ("forged",))):  # fmt: skip
        table.pick(task)
        table.take_input(HelperAnswered(table.requests[-1], answer))
        table.add_picture(f"stick: {answer[0]}")
        table.do("back")
    table.pick("Update the program")
    table.take_input(HelperAnswered(table.requests[-1], ("ok", "1.2.0")))
    table.add_picture("stick: update?")
    table.session = more._replace(settings=more.settings._replace(has_network=True))
    table.pick("Settings")
    table.pick("Network")
    found = (f"{state}{name}" for state, name in zip(("*:64:WPA2:", " :80:WPA2:", " :31::"), NETWORKS, strict=True))
    table.take_input(HelperAnswered(table.requests[-1], ("ok", *found)))
    table.add_picture("networks")
    table.pick(NETWORKS[1])
    table.add_picture("password")
    table.session = table.session.replace_screen(table.session.screen._replace(name_text="correct horse bat"))
    table.do("8" if sheet.keys == "keypad" else "ok")
    table.add_picture("password: a long one")
    table.do("back")
    table.session = table.session.close_screen()
    table.pick("Open a hotspot")
    table.take_input(HelperAnswered(table.requests[-1], ("ok", *HOTSPOT)))
    table.add_picture("hotspot")
    table.session = more.open_screens(FirstKeys())
    table.add_picture("first start: buttons")
    table.do("up", "left", "ok")
    table.add_picture("first start: keys")
    table.do("ok")
    table.session = more.open_screens(name_step(more))
    table.add_picture("first start: names")
    table.take_input(StopRequested(at=table.now))
    table.add_picture("goodbye")


def add_page_pictures(sheet: ScreenSheet) -> None:
    """Standings, the history, a round of it and its moves, and names."""
    table = sheet.new_table(history=HISTORY)
    table.session = table.session.replace_screen(MoreMenu())
    more = table.session
    table.pick("Standings")
    table.add_picture("standings of the day")
    table.do("down")
    table.add_picture("standings: the rest")
    table.do("down")
    table.add_picture("standings: a match")
    table.add_picture("standings of all time", screen=AllTimePage(ALL_TIME_ROWS))
    table.add_picture("standings of a game", screen=AllTimePage(ALL_TIME_ROWS[:3], shown_game="27"))
    table.session = more
    table.pick("History")
    table.take_input(QueryResult(Request.HISTORY, ROUND_SUMMARIES, table.now))
    table.add_picture("history")
    lines = ROUND_LINES
    page = RoundPage(lines, note=DATE, stored_round=ROUND._replace(result="12 6 winners 1"))
    table.add_picture("a round", screen=page)
    table.session = table.session.replace_screen(page)
    table.do("ok")
    table.add_picture("a round: menu")
    table.pick("Make it void")
    table.add_picture("a round: void?")
    table.do("back", "ok")
    table.pick("Correct")
    table.add_picture("a round: correct")
    table.session = stored_rounds.ask_which_entry_is_wrong(
        table.session.open_screens(page), replay_pad(PAD), type(page)
    )
    table.add_picture("a pad: which entry")
    table.do("ok")
    table.add_picture("a pad: other points")
    table.press("up")
    table.do("ok")
    table.add_picture("a pad: correct?")
    table.session = table.session.replace_screen(page)
    table.add_picture("a void round: menu", screen=page._replace(is_void=True).press(table.session, "#").screen)
    table.add_picture("an unfinished round", screen=page._replace(lines=lines[:2], stored_round=ROUND))
    table.add_picture("moves of a round", screen=Walk(replay_round(ROUND), 2))
    table.add_picture("moves of a pad", screen=Walk(replay_pad(PAD), 2))
    table.session = more
    table.pick("Names")
    table.add_picture("names")
    table.pick("Ann")
    table.add_picture("a name")
    table.pick("Rename")
    table.add_picture("rename")
    table.session = more
    table.pick("Names")
    table.pick("Ann")
    table.pick("Merge")
    table.add_picture("the same as")
    table.pick("Hildegard")
    table.add_picture("one player?")


def add_phone_pictures(sheet: ScreenSheet) -> None:
    """The page of phones, and the question about a phone."""
    table = sheet.new_table(history=HISTORY)
    table.session = table.session.replace_screen(MoreMenu())
    table.pick("Phones")
    table.press("#")
    table.add_picture("phones: not served")
    table.take_input(PagesServed(("http://192.168.1.23:8080/",), table.now))
    table.take_input(CodeIssued("4711", table.now))
    table.add_picture("phones")
    table.session = table.session._replace(phones=table.session.phones._replace(player_phones=(PAIRED_PHONE,)))
    table.add_picture("phones: one is in")
    table.do("right")
    table.add_picture("phones: send away")
    table.session = table.session._replace(phones=table.session.phones._replace(player_phones=(), screen="b"))
    table.add_picture("phones: send the big screen away")
    table.add_picture("a phone asks", screen=PhoneAdmission(*PAIRED_PHONE))
    table.add_picture("a big screen asks", screen=PhoneAdmission(PAIRED_PHONE[0], "", is_screen=True))


def add_question_pictures(sheet: ScreenSheet, game: str) -> None:
    """Every question of a game, with open holdings chosen, up to the first turn or the first piece."""
    table = sheet.new_table()
    table.wait(30)
    table.pick(games.manifest_of(game).name)
    asked = 0
    without_holdings = not games.manifest_of(game).holdings
    while table.family in ("Menu", "Seats"):
        kind = question_kind(table)
        asked += 1
        table.add_picture(f"{game}: {asked}. {kind}")
        if kind == "match" and without_holdings:
            add_clock_pictures(table)  # The same in every game: kept once, in one that asks for little else.
        table.pick("open") if kind == "holding" else table.do("ok")


def question_kind(table: SheetTable) -> str:
    """What a question before a round is about."""
    if table.family == "Seats":
        return "players"
    asked = list_title(table.session)[1]
    kinds = {"how many play": "seats", "rounds, clock": "match"}
    return kinds.get(asked, "holding" if list_texts(table.session)[-1] == "open" else "option")


def add_clock_pictures(table: SheetTable) -> None:
    """The game clock and its own times for each seat; then back at the question of rounds."""
    before = table.session
    table.pick("game clock")
    table.add_picture("game clock")
    table.pick("own times")
    table.add_picture("own times")
    table.do("right", "right", "right", "right")
    table.add_picture("own times: what seconds are")
    table.session = before


def add_name_pictures(sheet: ScreenSheet) -> None:
    """Who sits where, a new name, four players."""
    table = sheet.new_table(history=HISTORY)
    table.wait(30)
    table.pick("Ziggurat")
    while table.family != "Seats":
        table.pick("four") if question_kind(table) == "seats" else table.do("ok")
    table.add_picture("players: four")
    table.do("back")
    table.add_picture("who sits here")
    table.pick("box-1")
    table.add_picture("about the box")
    table.do("ok")
    table.pick("new name")
    table.add_picture("new name")
    table.do(*("right", "up", "right") if sheet.keys == "buttons" else "262")
    table.add_picture("new name: begun")


def add_pad_question_pictures(sheet: ScreenSheet) -> None:
    """The questions of the score pad."""
    table = sheet.new_table(history=HISTORY)
    table.wait(30)
    table.pick("Score pad")
    table.add_picture("pad: title")
    table.pick("a new game")
    table.add_picture("pad: new title")
    table.do("back")
    table.pick("any game")
    kinds = {"how many play": "how many", "who wins": "wins", "when does it end": "ends"}
    while table.family == "Menu":
        kind = kinds[list_title(table.session)[1]]
        table.add_picture(f"pad: {kind}")
        table.pick("five") if kind == "how many" else table.do(*["down"] * (kind == "ends"), "ok")
    table.add_picture("pad: a number")
    table.do("up", "ok")
    table.add_picture("pad: players")


def add_pad_pictures(sheet: ScreenSheet) -> None:
    """The pad in play, its menu, sheet and result, for two, three and five players."""
    for players in (2, 3, 5):
        names = ("Ann", "Ben", "Cleo", "Dan", "Hildegard")[:players]
        table = sheet.new_table()
        table.session = pad_actions.begin_pad(table.session, RoundHeader("pad", OPTIONS, names))
        table.add_picture(f"pad of {players}")
        table.press(*("up", "up") if sheet.keys == "buttons" else "12", apart=0.2)
        table.add_picture(f"pad of {players}: entered")
        for _ in range(4 * players):
            table.do("up" if sheet.keys == "buttons" else "7", "ok")
        table.add_picture(f"pad of {players}: later", switches=table.session.switches._replace(dealer=players == 5))
        table.do("back")
        table.add_picture(f"pad of {players}: menu")
        table.pick("Score sheet")
        table.add_picture(f"pad of {players}: sheet")
        table.do("back", "back")
        table.pick("End the", "Main menu")
        table.add_picture(f"pad of {players}: end?")
        table.do("ok")
        table.add_picture(f"pad of {players}: result")
        if players == 2:
            sheet_ = table.session.pad
            long = sheet_._replace(pad=sheet_.pad._replace(entries=((1, 10**22), (2, 10**21))))
            table.add_picture("pad of 2: long numbers", pad=long)
