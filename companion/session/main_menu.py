"""The main menu with the games, and the menu "more" that it leads to."""

from __future__ import annotations

from companion import games
from companion.session.model import Item, Menu, Session


def main_menu(session: Session, game: str = "") -> Session:
    """The games, each always with the same digit; the cursor is on `game`, else on the one played last."""
    menu = {each.id: each.name for each in games.known(session.past.seen)}
    items = tuple(Item("game", name, id_) for id_, name in menu.items())
    likely = [each for each in (game, *session.past.last_games) if each in menu]
    at = list(menu).index(likely[0]) if likely else 0
    return session._replace(mode=Menu("main", items, at), round=None, pad=None, previous=None, thinking_seconds=0.0)


def more_menu(session: Session, at: int = 0) -> Session:
    """What the main menu leads to besides games, the cursor on entry `at`."""
    items = (
        Item("standings", "Standings"),
        Item("history", "History"),
        Item("hints", f"Hints: {'on' if session.hints else 'off'}"),
        Item("clock", f"Clock: {'on' if session.timing else 'off'}"),
        Item("doctor", "Doctor"),
        Item("phones", "Phones"),
    )
    return session._replace(mode=Menu("more", items, at))
