"""The menu "more": what is not a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.game.text import text
from companion.inputs import Request
from companion.moments.menus import help_pages, names
from companion.moments.menus.menu import Item, Menu
from companion.moments.phones import phones_page
from companion.moments.play import rounds
from companion.moments.reading import doctor
from companion.moments.reading.standings_pages import open_today
from companion.session import clock

if TYPE_CHECKING:
    from companion.session.model import Session


class _MoreMenu(NamedTuple):
    cursor: int = 0


class MoreMenu(Menu, _MoreMenu):
    """What is not a game, over the main menu."""

    leads_back = "menu"

    def items(self, session: Session) -> tuple[Item, ...]:
        """A fixed list, so that each entry keeps its digit."""
        return (
            Item("Standings", open_today),
            Item("History", _ask_history),
            Item(text("Hints: {state}", state="on" if session.hints else "off"), rounds.switch_hints),
            Item(text("Clock: {state}", state="on" if session.timing else "off"), clock.switch_clock),
            Item("Doctor", doctor.open_doctor),
            Item(phones_page.words(session), phones_page.open_page),
            Item("How to play", help_pages.open_games),
            Item("Names", names.open_names),
        )


def _ask_history(session: Session) -> Session:
    """Ask the store for the rounds."""
    return session._replace(requests=(*session.requests, Request.HISTORY))
