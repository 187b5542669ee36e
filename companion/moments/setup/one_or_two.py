"""A new name that differs from a known one in accents, large and small letters alone: one player, or two?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.languages import text
from companion.moments.menus.menu import Item, ListScreen
from companion.rounds.player_names import alike

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.session.model import Session


def ask_if_alike(
    session: Session,
    name: str,
    known: Iterable[str],
    one: Callable[[Session, str], Session],
    two: Callable[[Session], Session],
) -> Session:
    """Ask whether a name is meant for one of the `known` ones that is alike: then `one` goes on with that, else `two`.

    BACK leads to the screen below, where the name can be changed.
    """
    other = alike(name, known, accents=False)
    if not other:
        return two(session)
    items = (
        Item(text("yes, {who}", who=other), lambda after: one(after, other), names=(other,)),
        Item(text("no, {who} is new", who=name), two, names=(name,)),
    )
    asked = text("Are you {who}?", who=other)
    return session.open(ListScreen(asked, (), items))
