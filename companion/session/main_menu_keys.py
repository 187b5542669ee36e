"""Keys in the main menu, in the menu "more", and in the history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.inputs import Request, RoundRequest
from companion.session import clock, doctor, help_pages, menu_keys, names, phones, rounds, setup
from companion.session.actions import Action, HelpOf, PlayGame
from companion.session.main_menu import main_menu, more_menu
from companion.session.model import Menu, Page, PageKind, Session

if TYPE_CHECKING:
    from companion.session.actions import Does


def press(session: Session, menu: Menu, key: str) -> Session:
    """A key in the main menu, in "more", or in the history."""
    if key == "*":
        return main_menu(session) if menu.kind == "more" else more_menu(session)
    here = menu.items[menu.cursor].does
    if key == "right" and isinstance(here, PlayGame) and setup.last_head(session, here.game) is not None:
        return setup.same_again(session, here.game)
    session, menu, item = menu_keys.picked(session, menu, key)
    return session if item is None else _chosen(session, menu, item.does)


def _chosen(session: Session, menu: Menu, does: Does) -> Session:
    """The session after an entry of these menus."""
    match does:
        case PlayGame(game):
            return setup.choose(session, game)
        case RoundRequest() as request:
            return session._replace(requests=(*session.requests, request))
        case Action.HINTS:
            return more_menu(rounds.hints_switched(session), menu.cursor)
        case Action.CLOCK:
            return more_menu(clock.switched(session), menu.cursor)
        case HelpOf(game):
            return help_pages.opened(session, game)
        case Action.HELP:
            return help_pages.menu(session)
        case Action.HISTORY:
            return session._replace(requests=(*session.requests, Request.HISTORY))
        case Action.DOCTOR:
            return doctor.opened(session)
        case Action.PHONES:
            return phones.opened(session)
        case Action.NAMES:
            return names.opened(session)
        case Action.STANDINGS:
            return session._replace(mode=Page(PageKind.STANDINGS, back=menu))
    return session
