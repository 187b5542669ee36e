"""The menu of the score pad."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from companion.contents.kinds import KeyMeaning, ok_back
from companion.languages import counted, listed, text
from companion.moments.ask import Ask
from companion.moments.menus.menu import Item, Menu
from companion.moments.pad import pad_rounds
from companion.moments.pad.pad_rounds import end_pad, take_back, was_ended
from companion.moments.pad.pad_sheet import open_sheet
from companion.moments.pages import help_page
from companion.moments.pages.standings_pages import open_today
from companion.moments.phones import phones_page
from companion.moments.play.asks import set_aside, unfinished
from companion.moments.setup import setup
from companion.session.model import Session


class _PadMenu(NamedTuple):
    cursor: int = 0


class PadMenu(Menu, _PadMenu):
    """The menu over the score pad: a fixed list, so that each entry keeps its digit."""

    leads_back = text("pad")

    def meanings(self, session: Session) -> tuple[KeyMeaning, ...]:
        """BACK leads to the pad, or to its result."""
        return ok_back("choose", "result" if session.pad_here.over else self.leads_back)

    def items(self, session: Session) -> tuple[Item, ...]:
        """The entries."""
        sheet = session.pad_here
        nothing = text("Nothing is entered yet.") if sheet.empty else ""
        leave = Item(text("Main menu"), Session.clear_table) if sheet.over else Item(text("Leave the game"), _ask_leave)
        return (
            Item(setup.take_back_words(session, sheet), ask_take_back),
            Item(text("End the game"), _ask_end, why=text("The game is over.") if sheet.over else nothing),
            Item(text("Standings"), open_today),
            leave,
            Item(phones_page.words(session), phones_page.open_page),
            Item(text("Score sheet"), open_sheet, why=nothing),
            Item(text("Dealer's mark: on") if session.switches.dealer else text("Dealer's mark: off"), _switch_dealer),
            Item(text("How to play"), partial(help_page.open_help, game=sheet.header.game)),
        )


def open_menu(session: Session) -> Session:
    """Show the menu."""
    return session.show(PadMenu())


def ask_take_back(session: Session) -> Session:
    """Ask before the last entry is taken back; before the first one is what led to the pad."""
    sheet = session.pad_here
    if sheet.empty:
        return setup.go_back(session, sheet.header)
    seat, points = sheet.pad.entries[-1]
    said = text("{who}'s {points} is taken back.", who=sheet.name(seat), points=f"{points:+d}")
    if was_ended(sheet):
        said = text("The game goes on.")
    elif sheet.mended is not None and not sheet.over:
        number, before = sheet.mended
        seat, now = sheet.pad.entries[number - 1]
        said = text("{who}'s {now} is {before} again.", who=sheet.name(seat), now=f"{now:+d}", before=f"{before:+d}")
    back = None if isinstance(session.moment, Menu) else session.moment
    return session.show(Ask(take_back, text("Take back?"), (said,), back=back, is_take_back=True))


def _ask_end(session: Session) -> Session:
    """Ask before the game is ended."""
    sheet = session.pad_here
    if missing := pad_rounds.without_entry(sheet):
        return session.show(missing)
    names = [sheet.name(seat) for seat in sheet.pad.leaders]
    said = counted(len(names), "{who} would win.", "{who} would share it.", who=listed(names))
    return session.show(Ask(end_pad, text("End the game?"), (said,), plain=True))


def _ask_leave(session: Session) -> Session:
    """Ask before the pad is set aside."""
    said = unfinished(session.pad_here)
    return session.show(Ask(set_aside, text("Leave the game?"), said))


def _switch_dealer(session: Session) -> Session:
    """Switch the dealer's mark on or off, and go on; it is told who deals when."""
    session, sheet = session.switch("dealer").show_floor(), session.pad_here
    if not session.switches.dealer or sheet.over:
        return session
    now, then = sheet.pad.dealer, sheet.pad.dealer % sheet.pad.players + 1
    words = text("{who} deals now,\nthen {other}, and on", who=sheet.name(now), other=sheet.name(then))
    return session._replace(banner=words)
