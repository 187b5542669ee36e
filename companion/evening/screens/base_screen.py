"""The base screen for what is on the table.

================================= ======================================
on the table                      base screen
================================= ======================================
a round, pieces to be named       `NamingScreen`
a round, a move is due            `PlayScreen`
a round that is over              `RoundOver`
a score pad                       `PadScreen`, or `PadOver`
nothing                           `MainMenu`
================================= ======================================
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from companion.evening.model import BaseDue, QuestionDue
from companion.evening.screen_kinds import MoveScreen, TableScreen
from companion.evening.screens.main_menu import main_menu_screen
from companion.evening.screens.pad.pad_play import PadOver, PadScreen
from companion.evening.screens.play.dealing import NamingScreen
from companion.evening.screens.play.playing import PlayScreen, has_start_page
from companion.evening.screens.play.round_over import RoundOver
from companion.evening.screens.setup import setup

if TYPE_CHECKING:
    from companion.evening.model import Screen, Session
    from companion.rounds.on_table import PadRound, Round


def open_due_screens(session: Session) -> Session:
    """The session after an input, in which placeholders (`BaseDue`, `QuestionDue`) are replaced by screens."""
    while isinstance(session.screen, QuestionDue):
        session = setup.ask_question(session, session.screen.setup)
    due, *over = session.screens
    if not isinstance(due, BaseDue):
        return session
    screens = (*_with_draft(current_base_screen(session), due.previous_screens), *over)
    if session.taps.familiar_screen is session.screen:
        session = session._replace(taps=session.taps._replace(familiar_screen=screens[-1]))
    ready_players = session.ready_players if isinstance(screens[0], RoundOver) else ()
    session = session._replace(screens=screens, ready_players=ready_players)
    for key in due.pending_keys:
        session = open_due_screens(session.press_key(key))
    return session


def _with_draft(base: Screen, previous_screens: tuple[Screen, ...]) -> tuple[Screen, ...]:
    """The new base screen, or the previous screens if they hold a draft that still fits.

    Menus that were open over the old base screen stay open over the new one.
    """
    if previous_screens and isinstance(previous_screens[0], MoveScreen) and previous_screens[0].fits_base_screen(base):
        return previous_screens
    return base, *takewhile(lambda each: each.allows_naming and not isinstance(each, TableScreen), previous_screens[1:])


def current_base_screen(session: Session) -> Screen:
    """The base screen of the round or score pad on the table; the main menu where there is none."""
    if session.pad is not None:
        return _pad_screen(session.pad)
    return _round_screen(session, session.round) if session.round is not None else main_menu_screen(session)


def _round_screen(session: Session, round_: Round) -> Screen:
    if round_.missing_holdings:
        kind, seat = round_.missing_holdings[0]
        return NamingScreen(
            kind, seat, round_.game.holding_size(kind, len(round_.header.names), round_.options), grid_word=kind
        )
    turn = round_.turn
    if turn is None:
        return RoundOver()
    if due := round_.move_input.due_refill(round_.state):
        return NamingScreen(due.event_word, turn, due.piece_count, grid_word=due.piece_kind)
    return PlayScreen(shows_start=has_start_page(session, round_))


def _pad_screen(sheet: PadRound) -> Screen:
    """The pad's screen, the cursor where it was; at first on the seat that has had the fewest turns."""
    taken = sheet.pad.turns_taken
    return PadOver() if sheet.is_over else PadScreen(sheet.cursor_seat or taken.index(min(taken)) + 1)
