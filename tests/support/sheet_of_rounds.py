"""The pictures at the table, for the sheet of every screen: deals, drafts, questions, results of every game."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from game_support import support_of_game
from list_screens import list_texts

from companion.evening.model import Session
from companion.evening.screens.messages import RefusalScreen, ask_to_ignore_misfit_keys
from companion.evening.screens.pages import FalseClaimsPage
from companion.evening.screens.play import round_actions
from companion.evening.screens.play.dealing import NamingScreen
from companion.evening.screens.play.playing import PlayScreen
from companion.evening.screens.play.round_over import MatchScore
from companion.evening.screens.private.corrections import CorrectionScreen
from companion.games.api import RefusedError
from companion.games.api.hint import HintPart
from companion.inputs import ComputerMove, DeviceMissing, HintProgress, ReviewProgress
from companion.languages import text
from companion.rounds.on_table import correctable_pieces
from companion.rounds.record import check_record
from companion.rounds.stored import RoundHeader

if TYPE_CHECKING:
    from collections.abc import Callable

    from screen_sheet import ScreenSheet, SheetTable

    from companion.rounds.record import Report

RECORDS = Path(__file__).parents[1] / "records"
ROUND_NAMES = ("27-expert", "coral-reef-cards", "coral-reef-tiles", "prime-attactics-full-11", "ziggurat-9-cutup",
          "ziggurat-12-cutup-four")  # fmt: skip
SEALED_ROUND_NAMES = ("coral-reef-sealed", "prime-attactics-sealed", "ziggurat-half-sealed")
MENU_PICTURES = {
    "Could I have moved?": "could I have moved",
    "My pieces": "my pieces",
    "Correct a piece": "mend a piece",
    "Leave the round": "leave the round or the game",
}
"""Lines of the table menu, and the names of the pictures that they lead to."""
HINT_PARTS = (
    HintPart("Look here", ("Your stack on field 7 can reach the goal: how much of it should move?",)),
    HintPart(
        "The best moves",
        ("Pieces after 3 moves.",),
        (("1 from 7 to 9", "best"), ("1 from 5 to 7", "good"), ("2 from 3 to 5", "bad")),
        "1x1",
    ),
    HintPart("The next best", ("Move 2 from field 1 to 2.",), event="1x2"),
)
CLAIM_ROWS = (("Ann", "move 3:", "could have played 2:8A"), ("Ben", "move 12:", "could have moved, whatever was drawn"))


def add_all_pictures(sheet: ScreenSheet, keys: Callable[[str, Any, str], list[str]]) -> None:
    """Add each of these pictures; `keys` gives the keys that enter an event."""
    for name in (*ROUND_NAMES, *SEALED_ROUND_NAMES):
        report = check_record((RECORDS / f"{name}.tcr").read_text(encoding="utf-8"))
        add_round_pictures(sheet, name, report, keys)
    add_common_pictures(sheet)
    add_computer_pictures(sheet)


def table_of_record(sheet: ScreenSheet, report: Report, *, goal: int = 0, clock: str = "") -> SheetTable:
    """A table at the start of a recorded round, with the holdings that are open in the record."""
    header = report.header
    opened = tuple(sorted(report.deals, key=lambda deal: (deal[1], deal[0])))
    names = ("Ann", "Ben", "Cleo", "Dan")[: len(header.players or "12")]
    about = RoundHeader(header.game, tuple(header.options.items()), names, goal, opened=opened, clock=clock)
    return sheet.new_table(about)


def name_all_holdings(table: SheetTable, name: str, report: Report) -> None:
    """Name every open holding; of the first one there are pictures with nothing, half and all of it named."""
    while isinstance(moment := table.session.screen, NamingScreen):
        text = report.rules.format_deal(report.deals[moment.kind, moment.seat])
        seen = f"{name}: {moment.kind}"
        if f"{seen} begun" not in table.sheet.pictures:
            table.add_picture(f"{seen} begun")
            before, pieces = table.session, text.split()
            if len(pieces) == 1:
                pieces = list(text)
            half = tuple(pieces[: len(pieces) // 2])
            table.session = before.replace_screen(moment._replace(pieces=half))
            table.do("right")
            table.add_picture(f"{seen} half named")
            table.session = before.replace_screen(moment._replace(pieces=tuple(pieces)))
            table.add_picture(f"{seen} named")
            table.session = before
        table.session = round_actions.enter_holding(table.session, moment.kind, moment.seat, text)
        table.carry_out()


def kind_of(event: str) -> str:
    """The kind of an event: a word, a sign, or "move" if it has only digits."""
    word = event.split()[0]
    return word if word.isalpha() else "move" if word[0].isdigit() else word[0]


def add_round_pictures(
    sheet: ScreenSheet, name: str, report: Report, keys: Callable[[str, Any, str], list[str]]
) -> None:
    """A recorded round: its deals, each kind of event half and fully entered, the questions around it, its result."""
    table = table_of_record(sheet, report, goal=2)
    name_all_holdings(table, name, report)
    table.add_picture(f"{name}: start", screen=PlayScreen(shows_start=True))
    table.add_picture(f"{name}: first turn")
    if sheet.keys == "buttons" and isinstance(table.session.screen, PlayScreen):
        table.add_picture(f"{name}: how to enter", screen=PlayScreen(shows_help=True))
    table.add_picture(f"{name}: how to pass", screen=PlayScreen(shows_pass_help=True))
    longest = support_of_game(report.header.game).longest_draft(table.session.round.state)
    if sheet.keys == "keypad" and name in SEALED_ROUND_NAMES and longest is not None:
        state, typed = longest
        table.add_picture(
            f"{name}: a long entry", screen=PlayScreen(typed), round=table.session.round._replace(states=(state,))
        )
    last, known = len(report.events) - 1, set()
    for place, (_, move) in enumerate(report.events):
        event = str(move)
        if (kind := kind_of(event)) not in known or place in (last // 2, last):
            label = f"{name}: {kind}" + f", move {place + 1}" * (kind in known)
            known.add(kind)
            add_entry_pictures(table, label, keys(report.header.game, table.session.round.state, event))
        if place == last // 2:
            add_mid_round_pictures(table, name)
        add_takeback_pictures(table, name)
        if place == last:
            break
        table.commit(event)
    table.commit(str(report.events[-1][1]))
    add_result_pictures(table, name)


def add_entry_pictures(table: SheetTable, label: str, keys: list[str]) -> None:
    """Enter an event and restore the table: pictures of half of it, all of it, and the notice that follows."""
    before = table.session
    last = len(keys) - 1
    names = {last: "entered", last - 1: "all but one key", last // 2: "half entered", 1: "begun", 0: ""}
    for index, key in enumerate(keys):
        if names.get(index):
            table.add_picture(f"{label}, {names[index]}")
        table.press(key, apart=0.2)
    if table.family in ("Notice", "Dealing"):
        table.add_picture(f"{label}: {table.family.lower()}")
    table.session = before._replace(now=table.now, taps=before.taps._replace(pressed_at=table.now))


def add_takeback_pictures(table: SheetTable, name: str) -> None:
    """Ask for a takeback, once where everybody has to agree, and once where nobody has."""
    before = table.session
    if not isinstance(before.screen, PlayScreen) or not before.round.events:
        return
    table.menu("Take back")
    label = f"{name}: take back, {'all agree' if table.session.screen.agreeing_seats else 'one press'}"
    if label not in table.sheet.pictures:
        table.add_picture(label)
        if table.session.screen.agreeing_seats:
            table.do("ok")
            table.add_picture(f"{label} by and by")
    table.session = before._replace(now=table.now, taps=before.taps._replace(pressed_at=table.now))


OVERSHOOT_REFUSAL = RefusedError(
    "overshoot", "8+3 = 11", "the row ends at 9", "seat 1 has 3 stacks, so each move is 3 steps"
)


def add_mid_round_pictures(table: SheetTable, name: str) -> None:
    """In the middle of a round: a refusal, the table menu and its pages, a player's own pieces."""
    before = table.session
    table.add_picture(f"{name}: in the middle")
    add_refusal_pictures(table, name)

    def leave() -> None:
        table.session = before._replace(now=table.now, taps=before.taps._replace(pressed_at=table.now))

    leave()
    table.do("back")
    table.add_picture(f"{name}: table menu")
    menu = table.session.screen
    offered = list_texts(table.session)
    for words, said in (
        *MENU_PICTURES.items(),
        *((words, page) for page, words in before.round.manifest.pages.items()),
    ):
        if words not in offered:
            continue
        table.session = table.session.replace_screen(menu)
        table.pick(words)
        table.add_picture(f"{name}: {said}")
        if table.family == "Menu":
            table.pick("Ann")
            table.add_picture(f"{name}: {said}, Ann")
        if table.family == "LookAway":
            table.do("ok")
            table.add_picture(f"{name}: {said}, shown")
        if table.family == "CorrectionScreen":
            table.do("ok", "right")
            table.add_picture(f"{name}: {said}, another")
        leave()
    table.session = before._replace(now=table.now, taps=before.taps._replace(pressed_at=table.now))


def add_refusal_pictures(table: SheetTable, name: str) -> None:
    """Add the first refusal of a random event."""
    game, before, chance = table.session.round.header.game, table.session, Random(5)
    for _ in count():
        try:
            round_actions.play_event(before, support_of_game(game).random_event(chance))
        except RefusedError as why:
            if why.rule:
                table.add_picture(f"{name}: refused", screen=RefusalScreen(why, PlayScreen()))
                break
    if not any(each.endswith("refused in four lines") for each in table.sheet.pictures):
        table.add_picture(f"{name}: refused in four lines", screen=RefusalScreen(OVERSHOOT_REFUSAL, PlayScreen()))
        question = ask_to_ignore_misfit_keys(
            table.session,
            "A2",
            text("{move}?", move=text("Move {pieces} from {field} to {target}", pieces=3, field=1, target=2)),
            Session.show_base_screen,
        )
        table.add_picture(f"{name}: keys left out", screen=question.screen)


def add_result_pictures(table: SheetTable, name: str) -> None:
    """The result of a round, the screens after it, and the match."""
    assert table.family == "RoundOver", table.family
    table.add_picture(f"{name}: result")
    before = table.session
    table.do("back")
    table.add_picture(f"{name}: menu after the result")
    if "Missed moves" in list_texts(table.session):
        table.pick("Missed moves")
        table.add_picture(f"{name}: claims, round over")
    table.session = before
    table.add_picture(f"{name}: match", screen=MatchScore())
    header = before.round.header
    won = before.round._replace(header=header._replace(goal=1))
    table.add_picture(f"{name}: match won", screen=MatchScore(), round=won)


def add_common_pictures(sheet: ScreenSheet) -> None:
    """Hints, clocks, devices and a review, which are the same in every game."""
    report = check_record((RECORDS / "27-expert.tcr").read_text(encoding="utf-8"))
    cards = check_record((RECORDS / "coral-reef-sealed.tcr").read_text(encoding="utf-8"))
    table = table_of_record(sheet, report)
    table.session = table.session._replace(switches=table.session.switches._replace(hints=True))
    table.menu("Give me a hint")
    table.add_picture("hint: thinking")
    table.take_input(HintProgress(table.session.last_hint.request, 100, HINT_PARTS, table.now))
    table.add_picture("hint")
    table.do("ok")
    table.add_picture("hint: the next part")
    table.do("ok")
    table.add_picture("hint: entered")
    table.do("back", "back")
    table.take_input(DeviceMissing("lamps", "Lamps unplugged", table.now))
    table.add_picture("a device is missing", banner="")
    table.add_picture(
        "the stopwatch",
        switches=table.session.switches._replace(timing=True),
        thinking_seconds=63.0,
        missing_devices=(),
        banner="",
    )
    table.session = table.session.replace_screen(PlayScreen())._replace(banner="")
    table.add_picture("rest view")
    table.add_picture(
        "rest view: how to pass",
        screen=PlayScreen(shows_pass_help=True),
        round=table_of_record(sheet, cards).session.round,
    )
    table.add_picture(
        "rest view: thinking time", switches=table.session.switches._replace(timing=True), thinking_seconds=63.0
    )
    table.add_picture("false claims", screen=FalseClaimsPage(CLAIM_ROWS))
    for _, move in report.events:
        if table.session.round.turn is not None:
            table.commit(str(move))
    table.do("back")
    table.pick("What decided it?")
    table.add_picture("look back: looking")
    table.take_input(
        ReviewProgress(next(r for r in reversed(table.requests) if hasattr(r, "names")), ("Move 12 decided it.",))
    )
    table.add_picture("look back")
    dominoes = check_record((RECORDS / "ziggurat-9-cutup.tcr").read_text(encoding="utf-8"))
    many = table_of_record(sheet, dominoes)
    many.deal(dominoes)
    named = correctable_pieces(many.session.round, 1)
    many.add_picture(
        "mend one of many pieces", screen=CorrectionScreen(1, tuple(each.pieces[which] for each, which in named), 16)
    )
    clocked = table_of_record(sheet, report, clock="600+5")
    clocked.add_picture("game clock: OK starts it")
    clocked.do("ok", "up", "back", "ok") if sheet.keys == "buttons" else clocked.do("ok", "5", "back", "ok")
    clocked.wait(40)
    clocked.add_picture("game clock: runs")
    clocked.add_picture("rest view: game clock")
    four = check_record((RECORDS / "ziggurat-12-cutup-four.tcr").read_text(encoding="utf-8"))
    at_four = table_of_record(sheet, four)
    at_four.deal(four)
    for _, move in four.events[:60]:
        at_four.commit(str(move))
    at_four.add_picture("rest view: four players")


def add_computer_pictures(sheet: ScreenSheet) -> None:
    """The computer thinks, and has found its move."""
    header = RoundHeader("27", (("variant", "basic"),), ("box-2", "Ben"))
    table = sheet.new_table(header)
    table.do("ok")  # It has been told what it means that the box plays.
    request = table.session.computer_move.request
    table.add_picture("the box thinks")
    table.take_input(ComputerMove(request, 100, "1x1", at=table.now))
    table.add_picture("the box's move")
    table.take_input(ComputerMove(request, 100, "", has_failed=True, at=table.now))
    table.add_picture("the box finds no move")
