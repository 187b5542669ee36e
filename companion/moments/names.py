"""Changing names of players, at the box or on the host's phone: favourites, renaming, and merging two players.

A changed name changes every stored round, which takes a moment: the session requests it of the store, and its result is
an input.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.inputs import NameRequest
from companion.languages import text
from companion.moments.lists import Item, ListScreen, MenuScreen, Reply
from companion.moments.messages import Ask
from companion.moments.setup.spelling import Spelling, ask_if_alike
from companion.rounds.player_names import fit, unfit
from companion.rounds.stored import LogEntry

if TYPE_CHECKING:
    from companion.rounds.stored import StoredHistory
    from companion.session.model import Session

MOST_FAVOURITES = 20
FULL = text("There are {most} favourites already.", most=MOST_FAVOURITES)
FIRST = text("first")
"""What stands beside a name that is offered first."""


def set_favourite(session: Session, name: str, *, first: bool) -> Session:
    """Add a name to the favourites or remove it, which is stored; nothing changes if it is so already."""
    before = session.past.favourites
    if (name in before) is first:
        return session
    after = (*before, name) if first else tuple(each for each in before if each != name)
    line = LogEntry(0, "favour" if first else "unfavour", text=name)
    return session._replace(past=session.past._replace(favourites=after)).keep(line)


def take_change(session: Session, past: StoredHistory, request: NameRequest) -> Session:
    """Take over what the store has changed of a name; `past` is what it knows since.

    Names under which nobody has played yet are known to the session alone.
    """
    known = session.past
    people = (request.new if name == request.old else name for name in known.names)
    past = past._replace(
        seen=known.seen,
        next_round=max(past.next_round, known.next_round),
        names=tuple(dict.fromkeys((*past.names, *people))),
    )
    names = dict.fromkeys(request.new if name == request.old else name for name in session.phones.players)
    paired = tuple((_phone(session, name, request), name) for name in names)
    after = session._replace(past=past, previous=None, left=(), phones=session.phones._replace(paired=paired))
    if request.old in past.favourites:
        after = set_favourite(set_favourite(after, request.old, first=False), request.new, first=True)
    return after


def _phone(session: Session, name: str, request: NameRequest) -> str:
    """The phone of a player after a change of names; of two players who are one now, that of the name that stays."""
    phones = {whose: phone for phone, whose in session.phones.paired}
    return phones[name] if name in phones else phones[request.old]


# -- at the box -------------------------------------------------------------------------------------------------


def open_names(session: Session) -> Session:
    """Show everybody whom the box knows, favourites first."""
    return _open_list(session)


def _open_list(session: Session, name: str = "", notes: tuple[str, ...] = ()) -> Session:
    """Show the names, the cursor on `name`; `notes` tell what has been done."""
    first = session.past.favourites
    known = list(dict.fromkeys((*first, *session.past.names, *session.settings.names)))
    if not known:
        nobody = text("Nobody has played yet. Names are entered when a game begins.")
        return session.open(Reply((text("Names"), nobody)))
    items = (
        Item(each, partial(_open_name, name=each), FIRST if each in first else "", names=(each,)) for each in known
    )
    cursor = known.index(name) if name in known else 0
    return session.open(ListScreen(text("Names"), notes, tuple(items), cursor=cursor))


def _open_name(session: Session, name: str) -> Session:
    """Show what can be done with a name."""
    return session.open(NameMenu(name))


class NameMenu(MenuScreen):
    """What can be done with a name, over the list of names."""

    name: str

    def items(self, session: Session) -> tuple[Item, ...]:
        """Offer it first or no longer, rename it, or say who is the same."""
        first = self.name in session.past.favourites
        full = FULL if not first and len(session.past.favourites) >= MOST_FAVOURITES else ""
        others = any(each != self.name for each in session.past.names)
        unknown = "" if self.name in session.past.names else text("{who} has not played yet.", who=self.name)
        return (
            Item(
                text("First in lists: yes") if first else text("First in lists: no"),
                partial(set_favourite, name=self.name, first=not first),
                why=full,
            ),
            Item(text("Rename"), self._spell, why=unknown),
            Item(text("Merge with another"), self._ask_same, why="" if others else text("Nobody else has played.")),
        )

    def heading(self, session: Session) -> tuple[str, tuple[str, ...]]:
        """The name."""
        return self.name, ()

    def close(self, session: Session) -> Session:
        """Show the list of names."""
        return _open_list(session.close().close(), self.name)

    def _spell(self, session: Session) -> Session:
        """Have the name spelled anew."""
        return session.open(Spelling(text("Rename"), self.name, self._rename, self.name))

    def _rename(self, session: Session, new: str) -> Session:
        """Ask the store for the new name, unless it is the old one; first whether another player is meant by it."""
        menu = self._replace(cursor=1)
        if new == self.name:
            return session.close_to(NameMenu)
        if new in session.past.names:
            return self._ask_merge(session, new)
        others = [each for each in session.past.names if each != self.name]
        return ask_if_alike(session, new, others, menu._ask_merge, partial(menu.ask_store, new=new, merged=False))

    def _ask_same(self, session: Session) -> Session:
        """Show the players with whom this one can be merged: all who have played."""
        others = (each for each in session.past.names if each != self.name)
        items = tuple(Item(each, partial(self._ask_merge, other=each), names=(each,)) for each in others)
        return session.open(ListScreen(self.name, (text("is the same as"),), items))

    def _ask_merge(self, session: Session, other: str) -> Session:
        """Ask whether this player and another are one."""
        does = partial(self._replace(cursor=2).ask_store, new=other, merged=True)
        said = text("{old} becomes {new}.", old=self.name, new=other)
        return session.open(Ask(does, text("One player?"), (said,), names=(self.name, other)))

    def ask_store(self, session: Session, new: str, *, merged: bool) -> Session:
        """Ask the store for the new name; until it has it this menu stands there."""
        menu = session.close_to(NameMenu).show(self)
        if not fit(new):
            return menu.open(Reply((text("Rename"), unfit(new))))
        return menu.request(NameRequest(self.name, new, merged))


def tell_renamed(session: Session, request: NameRequest, why: str, past: StoredHistory | None) -> Session:
    """Show what the store says: a page with `why` it refused, or for "" the list with the new name."""
    if not why and past is not None:
        while isinstance(session.screen, NameMenu | ListScreen) and not session.at_base:
            session = session.close()
        notes = (text("{old} → {new}", old=request.old, new=request.new), text("it is done"))
        return _open_list(take_change(session, past, request), request.new, notes)
    said = text("Merge with another") if request.merged else text("Rename")
    return session.open(Reply((said, why)))
