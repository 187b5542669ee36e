"""The menu "more": what is not a game."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion import games
from companion.contents import kinds
from companion.inputs import Request
from companion.languages import text
from companion.moments.menus import history, language, names
from companion.moments.menus.menu import Item, ListScreen, MenuScreen
from companion.moments.pages import doctor
from companion.moments.pages.help_page import open_help
from companion.moments.pages.page import Reply
from companion.moments.pages.standings_pages import open_today
from companion.moments.phones import phones_page
from companion.session import thinking_time
from companion.session.model import Session

if TYPE_CHECKING:
    from companion.contents.kinds import KeyMeaning
    from companion.inputs import QueryResult


class MoreMenu(MenuScreen):
    """What is not a game, over the main menu."""

    leads_back = text("menu")
    between_rounds = True

    def items(self, session: Session) -> tuple[Item, ...]:
        """A fixed list, so that each entry keeps its digit."""
        return (
            Item(text("Standings"), open_today),
            Item(text("How to play"), _open_games),
            Item(
                text("Hints: on") if session.switches.hints else text("Hints: off"),
                partial(Session.switch, which="hints"),
            ),
            Item(
                text("Turn time: on") if session.switches.timing else text("Turn time: off"), thinking_time.switch_clock
            ),
            Item(text("Check the box"), doctor.open_doctor),
            Item(phones_page.words(session), phones_page.open_page),
            Item(text("History"), _ask_history),
            Item(text("Names"), names.open_names),
            Item(
                text("Big score: always") if session.switches.rests else text("Big score: when idle"),
                partial(Session.switch, which="rests"),
            ),
            Item(language.words(session), language.ask),
        )


class Learning(ListScreen):
    """The games to learn, listed as in the main menu but for what OK does."""

    def meanings(self, session: Session) -> tuple[KeyMeaning, ...]:
        """OK opens how the game is played."""
        return kinds.ok_back("how to play", self.leads_back)


def _open_games(session: Session) -> Session:
    """Show the games to choose from, the cursor on the one played last."""
    known = games.known(session.past.seen)
    last = session.past.last_games[0] if session.past.last_games else ""
    cursor = next((place for place, each in enumerate(known) if each.id == last), 0)
    items = tuple(Item(each.name, partial(open_help, game=each.id), icon=each.id) for each in known)
    return session.open(Learning("", (), items, cursor=cursor))


def take_history(session: Session, result: QueryResult) -> Session:
    """Open the history that was asked for, if the menu is still there."""
    if not isinstance(session.screen, MoreMenu):
        return session
    if not result.found:
        return session.open(Reply((text("History"), text("No round is kept yet."))))
    return session.open(history.of_rounds(result.found))


def _ask_history(session: Session) -> Session:
    """Ask the store for the rounds."""
    return session.request(Request.HISTORY)
