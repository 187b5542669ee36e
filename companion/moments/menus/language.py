"""The language of the box: each one in its own name."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.languages import text
from companion.languages.catalogues import languages, own_name
from companion.moments.menus.menu import Item, ListScreen
from companion.rounds.stored import LogEntry

if TYPE_CHECKING:
    from companion.session.model import Session


def words(session: Session) -> str:
    """The entry of the menu "more"."""
    return text("Language: {name}", name=own_name(session.language))


def is_open(session: Session) -> bool:
    """Whether it is to be asked: on a box whose owner has not chosen one, before anything was played on it."""
    past = session.past
    return session.settings.asks_language and not (past.language or past.names or past.next_round > 1)


def ask(session: Session) -> Session:
    """Show the languages, the cursor on the one that is spoken; BACK leads back and keeps that one."""
    known = languages()
    items = tuple(Item(own_name(each), partial(_speak, language=each)) for each in known)
    cursor = known.index(session.language) if session.language in known else 0
    return session.open(ListScreen(text("Language"), (), items, cursor=cursor))


def _speak(session: Session, language: str) -> Session:
    """Speak a language from now on; it is stored."""
    line = LogEntry(0, "language", text=language)
    past = session.past._replace(language=language)
    return session.close()._replace(language=language, past=past).keep(line)
