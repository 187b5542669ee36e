"""Keys in the main menu, in the menu "more", and in the history."""

from __future__ import annotations

from companion.session import clock, doctor, menu_keys, phones, rounds, setup
from companion.session.main_menu import main_menu, more_menu
from companion.session.model import Menu, Page, Session


def press(session: Session, menu: Menu, key: str) -> Session:
    """A key in the main menu, in "more", or in the history."""
    if key == "*":
        return main_menu(session) if menu.kind == "more" else more_menu(session)
    if menu.kind == "main" and key == "right" and setup.last_head(session, menu.items[menu.cursor].note) is not None:
        return setup.same_again(session, menu.items[menu.cursor].note)
    menu, index = menu_keys.press(menu, key)
    session = session._replace(mode=menu)
    if index is None:
        return session
    item = menu.items[index]
    if menu.kind == "main":
        return setup.choose(session, item.note)
    if menu.kind == "history":
        return session._replace(requests=(*session.requests, item.does))
    return _more(session, menu, item.does)


def _more(session: Session, menu: Menu, does: str) -> Session:
    if does == "hints":
        return more_menu(rounds.hints_switched(session), menu.cursor)
    if does == "clock":
        return more_menu(clock.switched(session), menu.cursor)
    if does == "history":
        return session._replace(requests=(*session.requests, "history"))
    if does == "doctor":
        return doctor.opened(session)
    if does == "phones":
        return phones.opened(session)
    return session._replace(mode=Page(does, back=menu))
