"""The pictures at the table, for the sheet of every screen: deals, drafts, questions, results of every game."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from lists import words_of
from of_game import of_game

from companion.evening.model import Session
from companion.evening.screens.messages import Refusing, ask_without_misfits
from companion.evening.screens.pages import FalseClaimsPage
from companion.evening.screens.play import round_life
from companion.evening.screens.play.dealing import Dealing
from companion.evening.screens.play.playing import Playing
from companion.evening.screens.play.round_over import MatchScore
from companion.evening.screens.private.mending import Mending
from companion.games.api import RefusedError
from companion.games.api.hint import HintPart
from companion.inputs import ComputerMove, DeviceMissing, HintProgress, ReviewProgress
from companion.languages import text
from companion.rounds.on_table import correctable_pieces
from companion.rounds.record import check_record
from companion.rounds.stored import RoundHeader

if TYPE_CHECKING:
    from collections.abc import Callable

    from sheet_desk import Sheet, Table

    from companion.rounds.record import Report

RECORDS = Path(__file__).parents[1] / "records"
ROUNDS = ("27-expert", "coral-reef-cards", "coral-reef-tiles", "prime-attactics-full-11", "ziggurat-9-cutup",
          "ziggurat-12-cutup-four")  # fmt: skip
SEALED = ("coral-reef-sealed", "prime-attactics-sealed", "ziggurat-half-sealed")
ENTRIES = {
    "Could I have moved?": "could I have moved",
    "My pieces": "my pieces",
    "Correct a piece": "mend a piece",
    "False claims": "false claims",
    "Leave the round": "leave the round or the game",
}
"""Lines of the table menu, and the names of the pictures that they lead to."""
HINT = (
    HintPart("Look here", ("Your stack on field 7 can reach the goal: how much of it should move?",)),
    HintPart(
        "The best moves",
        ("Pieces after 3 moves.",),
        (("1 from 7 to 9", "4 ahead"), ("1 from 5 to 7", "2 ahead"), ("2 from 3 to 5", "2 ahead")),
        "1x1",
    ),
    HintPart("The next best", ("Move 2 from field 1 to 2.",), event="1x2"),
)
CLAIMS = (("Ann", "move 3:", "could have played 2:8A"), ("Ben", "move 12:", "could have moved, whatever was drawn"))


def keep_all(sheet: Sheet, keys: Callable[[str, Any, str], list[str]]) -> None:
    """Add each of these pictures; `keys` gives the keys that enter an event."""
    for name in (*ROUNDS, *SEALED):
        report = check_record((RECORDS / f"{name}.tcr").read_text(encoding="utf-8"))
        a_round(sheet, name, report, keys)
    in_any_game(sheet)
    box(sheet)


def opened_at(sheet: Sheet, report: Report, *, goal: int = 0, clock: str = "") -> Table:
    """A table at the start of a recorded round, with the holdings that are open in the record."""
    header = report.header
    opened = tuple(sorted(report.deals, key=lambda deal: (deal[1], deal[0])))
    names = ("Ann", "Ben", "Cleo", "Dan")[: len(header.players or "12")]
    about = RoundHeader(header.game, tuple(header.options.items()), names, goal, opened=opened, clock=clock)
    return sheet.desk(about)


def dealt(table: Table, name: str, report: Report) -> None:
    """Name every open holding; of the first one there are pictures with nothing, half and all of it named."""
    while isinstance(moment := table.session.screen, Dealing):
        text = report.rules.format_deal(report.deals[moment.kind, moment.seat])
        seen = f"{name}: {moment.kind}"
        if f"{seen} begun" not in table.sheet.moments:
            table.keep(f"{seen} begun")
            before, pieces = table.session, text.split()
            if len(pieces) == 1:
                pieces = list(text)
            half = tuple(pieces[: len(pieces) // 2])
            table.session = before.replace_screen(moment._replace(pieces=half))
            table.do("right")
            table.keep(f"{seen} half named")
            table.session = before.replace_screen(moment._replace(pieces=tuple(pieces)))
            table.keep(f"{seen} named")
            table.session = before
        table.session = round_life.enter_holding(table.session, moment.kind, moment.seat, text)
        table.carry_out()


def kind_of(event: str) -> str:
    """The kind of an event: a word, a sign, or "move" if it has only digits."""
    word = event.split()[0]
    return word if word.isalpha() else "move" if word[0].isdigit() else word[0]


def a_round(sheet: Sheet, name: str, report: Report, keys: Callable[[str, Any, str], list[str]]) -> None:
    """A recorded round: its deals, each kind of event half and fully entered, the questions around it, its result."""
    table = opened_at(sheet, report, goal=2)
    dealt(table, name, report)
    table.keep(f"{name}: first turn")
    if sheet.keys == "buttons" and isinstance(table.session.screen, Playing):
        table.keep(f"{name}: how to enter", screen=Playing(shows_help=True))
    table.keep(f"{name}: how to pass", screen=Playing(shows_pass_help=True))
    longest = of_game(report.header.game).longest_entry(table.session.round.state)
    if sheet.keys == "keypad" and name in SEALED and longest is not None:
        state, typed = longest
        table.keep(f"{name}: a long entry", screen=Playing(typed), round=table.session.round._replace(states=(state,)))
    last, known = len(report.events) - 1, set()
    for place, (_, move) in enumerate(report.events):
        event = str(move)
        if (kind := kind_of(event)) not in known or place in (last // 2, last):
            label = f"{name}: {kind}" + f", move {place + 1}" * (kind in known)
            known.add(kind)
            entered(table, label, keys(report.header.game, table.session.round.state, event))
        if place == last // 2:
            around(table, name)
        asked_back(table, name)
        if place == last:
            break
        table.commit(event)
    table.commit(str(report.events[-1][1]))
    over(table, name)


def entered(table: Table, label: str, keys: list[str]) -> None:
    """Enter an event and restore the table: pictures of half of it, all of it, and the notice that follows."""
    before = table.session
    last = len(keys) - 1
    names = {last: "entered", last - 1: "all but one key", last // 2: "half entered", 1: "begun", 0: ""}
    for index, key in enumerate(keys):
        if names.get(index):
            table.keep(f"{label}, {names[index]}")
        table.press(key, apart=0.2)
    if table.family in ("Notice", "Dealing"):
        table.keep(f"{label}: {table.family.lower()}")
    table.session = before._replace(now=table.now, taps=before.taps._replace(pressed_at=table.now))


def asked_back(table: Table, name: str) -> None:
    """Ask for a takeback, once where everybody has to agree, and once where nobody has."""
    before = table.session
    if not isinstance(before.screen, Playing) or not before.round.events:
        return
    table.menu("Take back")
    label = f"{name}: take back, {'all agree' if table.session.screen.agreeing_seats else 'one press'}"
    if label not in table.sheet.moments:
        table.keep(label)
        if table.session.screen.agreeing_seats:
            table.do("ok")
            table.keep(f"{label} by and by")
    table.session = before._replace(now=table.now, taps=before.taps._replace(pressed_at=table.now))


OVERSHOT = RefusedError("overshoot", "8+3 = 11", "the row ends at 9", "White has 3 stacks, so each move is 3 steps")


def around(table: Table, name: str) -> None:
    """In the middle of a round: a refusal, the table menu and its pages, a player's own pieces."""
    before = table.session
    table.keep(f"{name}: in the middle")
    refused(table, name)

    def leave() -> None:
        table.session = before._replace(now=table.now, taps=before.taps._replace(pressed_at=table.now))

    leave()
    table.do("back")
    table.keep(f"{name}: table menu")
    menu = table.session.screen
    offered = words_of(table.session)
    for words, said in (*ENTRIES.items(), *((words, page) for page, words in before.round.manifest.pages.items())):
        if words not in offered:
            continue
        table.session = table.session.replace_screen(menu)
        table.pick(words)
        table.keep(f"{name}: {said}")
        if table.family == "Menu":
            table.pick("Ann")
            table.keep(f"{name}: {said}, Ann")
        if table.family == "LookAway":
            table.do("ok")
            table.keep(f"{name}: {said}, shown")
        if table.family == "Mending":
            table.do("ok", "right")
            table.keep(f"{name}: {said}, another")
        leave()
    table.session = before._replace(now=table.now, taps=before.taps._replace(pressed_at=table.now))


def refused(table: Table, name: str) -> None:
    """Add the first refusal of a random event."""
    game, before, chance = table.session.round.header.game, table.session, Random(5)
    for _ in count():
        try:
            round_life.play_event(before, of_game(game).guess(chance))
        except RefusedError as why:
            if why.rule:
                table.keep(f"{name}: refused", screen=Refusing(why, Playing()))
                break
    if not any(each.endswith("refused in four lines") for each in table.sheet.moments):
        table.keep(f"{name}: refused in four lines", screen=Refusing(OVERSHOT, Playing()))
        question = ask_without_misfits(table.session, "A2", text("Play {move}?", move="1×3"), Session.show_base_screen)
        table.keep(f"{name}: keys left out", screen=question.screen)


def over(table: Table, name: str) -> None:
    """The result of a round, the screens after it, and the match."""
    assert table.family == "RoundOver", table.family
    table.keep(f"{name}: result")
    before = table.session
    table.do("back")
    table.keep(f"{name}: menu after the result")
    if "False claims" in words_of(table.session):
        table.pick("False claims")
        table.keep(f"{name}: claims, round over")
    table.session = before
    table.keep(f"{name}: match", screen=MatchScore())
    header = before.round.header
    won = before.round._replace(header=header._replace(goal=1))
    table.keep(f"{name}: match won", screen=MatchScore(), round=won)


def in_any_game(sheet: Sheet) -> None:
    """Hints, clocks, devices and a review, which are the same in every game."""
    report = check_record((RECORDS / "27-expert.tcr").read_text(encoding="utf-8"))
    cards = check_record((RECORDS / "coral-reef-sealed.tcr").read_text(encoding="utf-8"))
    table = opened_at(sheet, report)
    table.session = table.session._replace(switches=table.session.switches._replace(hints=True))
    table.menu("Give me a hint")
    table.keep("hint: thinking")
    table.give(HintProgress(table.session.last_hint.request, 100, HINT, table.now))
    table.keep("hint")
    table.do("ok")
    table.keep("hint: the next part")
    table.do("ok")
    table.keep("hint: entered")
    table.do("back", "back")
    table.give(DeviceMissing("lamps", "Lamps unplugged", table.now))
    table.keep("a device is missing", banner="")
    table.keep(
        "the stopwatch",
        switches=table.session.switches._replace(timing=True),
        thinking_seconds=63.0,
        missing_devices=(),
        banner="",
    )
    table.session = table.session.replace_screen(Playing())._replace(banner="")
    table.keep("rest view")
    table.keep("rest view: how to pass", screen=Playing(shows_pass_help=True), round=opened_at(sheet, cards).session.round)
    table.keep("rest view: thinking time", switches=table.session.switches._replace(timing=True), thinking_seconds=63.0)
    table.keep("false claims", screen=FalseClaimsPage(CLAIMS))
    for _, move in report.events:
        if table.session.round.turn is not None:
            table.commit(str(move))
    table.do("back")
    table.pick("What decided it?")
    table.keep("look back: looking")
    table.give(ReviewProgress(next(r for r in reversed(table.requests) if hasattr(r, "names")), ("Move 12 decided it.",)))
    table.keep("look back")
    dominoes = check_record((RECORDS / "ziggurat-9-cutup.tcr").read_text(encoding="utf-8"))
    many = opened_at(sheet, dominoes)
    many.deal(dominoes)
    named = correctable_pieces(many.session.round, 1)
    many.keep("mend one of many pieces", screen=Mending(1, tuple(each.pieces[which] for each, which in named), 16))
    clocked = opened_at(sheet, report, clock="600+5")
    clocked.keep("game clock: OK starts it")
    clocked.do("ok", "up", "back", "ok") if sheet.keys == "buttons" else clocked.do("ok", "5", "back", "ok")
    clocked.wait(40)
    clocked.keep("game clock: runs")
    clocked.keep("rest view: game clock")
    four = check_record((RECORDS / "ziggurat-12-cutup-four.tcr").read_text(encoding="utf-8"))
    at_four = opened_at(sheet, four)
    at_four.deal(four)
    for _, move in four.events[:60]:
        at_four.commit(str(move))
    at_four.keep("rest view: four players")


def box(sheet: Sheet) -> None:
    """The computer thinks, and has found its move."""
    header = RoundHeader("27", (("variant", "basic"),), ("box-2", "Ben"))
    table = sheet.desk(header)
    table.do("ok")  # It has been told what it means that the box plays.
    request = table.session.computer_move.request
    table.keep("the box thinks")
    table.give(ComputerMove(request, 100, "1x1", at=table.now))
    table.keep("the box's move")
    table.give(ComputerMove(request, 100, "", has_failed=True, at=table.now))
    table.keep("the box finds no move")
