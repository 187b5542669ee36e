"""The main menu with the games, and the menu "more" that it leads to."""

from __future__ import annotations

from companion import games
from companion.session.actions import Action, PlayGame
from companion.session.model import Item, Menu, Session


def main_menu(session: Session, game: str = "") -> Session:
    """The games, each always with the same digit; the cursor is on `game`, else on the one played last."""
    menu = {each.id: each.name for each in games.known(session.past.seen)}
    items = tuple(Item(PlayGame(id_), name, icon=id_) for id_, name in menu.items())
    likely = [each for each in (game, *session.past.last_games) if each in menu]
    cursor = list(menu).index(likely[0]) if likely else 0
    return session._replace(mode=Menu("main", items, cursor), round=None, pad=None, previous=None, thinking_seconds=0.0)


def more_menu(session: Session, cursor: int = 0) -> Session:
    """The menu "more", with what is not a game, the cursor on entry `cursor` (from 0)."""
    items = (
        Item(Action.STANDINGS, "Standings"),
        Item(Action.HISTORY, "History"),
        Item(Action.HINTS, f"Hints: {'on' if session.hints else 'off'}"),
        Item(Action.CLOCK, f"Clock: {'on' if session.timing else 'off'}"),
        Item(Action.DOCTOR, "Doctor"),
        Item(Action.PHONES, f"Phones: {'on' if session.phones else 'off'}"),
        Item(Action.HELP, "How to play"),
        Item(Action.NAMES, "Names"),
    )
    return session._replace(mode=Menu("more", items, cursor))
