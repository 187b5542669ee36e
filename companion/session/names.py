"""Changing names of players, at the box or on the host's phone: favourites, renaming, and merging two players.

A changed name changes every stored round, which takes a moment: the session requests it of the store, and the answer is
an input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.inputs import NameRequest
from companion.session import menu_keys
from companion.session.actions import Action, ChangeName, MergeInto, NamesOf
from companion.session.main_menu import more_menu
from companion.session.model import Ask, Item, LogEntry, Menu, Page, PageKind, Spelling
from companion.session.spelling import fit, spelled, unfit

if TYPE_CHECKING:
    from companion.session.model import Session
    from companion.session.stored import StoredHistory

MOST_FAVOURITES = 20
FULL = f"There are {MOST_FAVOURITES} favourites already."
FIRST = "first"
"""What stands beside a name that is offered first."""


def favoured(session: Session, name: str, *, first: bool) -> Session:
    """The session with a name added to the favourites or removed, and stored; unchanged if it is so already."""
    before = session.past.favourites
    if (name in before) is first:
        return session
    after = (*before, name) if first else tuple(each for each in before if each != name)
    line = LogEntry(0, "favour" if first else "unfavour", text=name)
    return session._replace(past=session.past._replace(favourites=after), unsaved=(*session.unsaved, line))


def changed(session: Session, past: StoredHistory, request: NameRequest) -> Session:
    """The session after the store has changed a name; `past` is what it knows since."""
    known = session.past
    past = past._replace(seen=known.seen, next_round=max(past.next_round, known.next_round))
    names = dict.fromkeys(request.new if name == request.old else name for _, name in session.paired)
    paired = tuple((_phone(session, name, request), name) for name in names)
    after = session._replace(past=past, previous=None, left=(), paired=paired)
    if request.old in past.favourites:
        after = favoured(favoured(after, request.old, first=False), request.new, first=True)
    return after


def _phone(session: Session, name: str, request: NameRequest) -> str:
    """The phone of a player after a change of names; of two players who are one now, that of the name that stays."""
    phones = {whose: phone for phone, whose in session.paired}
    return phones[name] if name in phones else phones[request.old]


# -- at the box -------------------------------------------------------------------------------------------------


def opened(session: Session, name: str = "") -> Session:
    """The list of everybody whom the box knows, favourites first, the cursor on `name`."""
    first = session.past.favourites
    known = dict.fromkeys((*first, *session.past.names, *session.settings.names))
    if not known:
        said = ("Names", "Nobody has played yet.")
        return session._replace(mode=Page(PageKind.ANSWER, said, back=session.mode))
    items = tuple(Item(NamesOf(each), each, FIRST if each in first else "", names=(each,)) for each in known)
    cursor = list(known).index(name) if name in known else 0
    return session._replace(mode=Menu("names", items, cursor, "Names"))


def _of(session: Session, name: str, cursor: int = 0) -> Session:
    """What can be done with a name, the cursor on entry `cursor`."""
    first = name in session.past.favourites
    full = FULL if not first and len(session.past.favourites) >= MOST_FAVOURITES else ""
    others = any(each != name for each in session.past.names)
    items = (
        Item(ChangeName("first"), f"Offered first: {'yes' if first else 'no'}", why=full),
        Item(ChangeName("rename"), "Rename"),
        Item(ChangeName("same"), "Same as another", why="" if others else "Nobody else has played."),
    )
    return session._replace(mode=Menu("name of", items, cursor, name))


def _merging(session: Session, name: str) -> Session:
    """The menu of the players with whom this one can be merged: all who have played."""
    items = tuple(Item(MergeInto(each), each, names=(each,)) for each in session.past.names if each != name)
    return session._replace(mode=Menu("same as", items, 0, name, "is the same as"))


def press(session: Session, menu: Menu, key: str) -> Session:
    """A key in the list of names, or in a menu about one (its title)."""
    name = menu.title
    if key == "*":
        if menu.kind == "names":
            back = more_menu(session)
            places = [item.does for item in back.mode.items] if isinstance(back.mode, Menu) else []
            return more_menu(session, places.index(Action.NAMES))
        return opened(session, name) if menu.kind == "name of" else _of(session, name, 2)
    session, menu, item = menu_keys.picked(session, menu, key)
    if item is None:
        return session
    match item.does:
        case NamesOf(each):
            return _of(session, each)
        case MergeInto(other):
            ask = Ask(Action.NAMES, "One player?", (name, "becomes", f"{other}."), back=menu, names=(name, other))
            return session._replace(mode=ask)
        case ChangeName("first"):
            return _of(favoured(session, name, first=name not in session.past.favourites), name)
        case ChangeName("rename"):
            return session._replace(mode=Spelling(None, 0, name, name=name))
        case ChangeName("same"):
            return _merging(session, name)
    return session


def press_spelling(session: Session, mode: Spelling, key: str) -> Session:
    """A key while a player is renamed: OK is done, BACK erases or leaves."""
    new = mode.text.strip()
    if key == "#" and new:
        if new == mode.name:
            return _of(session, mode.name, 1)
        return _asked(session, mode.name, new, merged=False)
    if key == "*" and not mode.text:
        return _of(session, mode.name, 1)
    return session._replace(mode=spelled(mode, key, session.clock))


def press_ask(session: Session, ask: Ask, key: str) -> Session:
    """OK makes one of two players, any other key leaves them two."""
    return _asked(session, *ask.names, merged=True) if key == "#" else session._replace(mode=ask.back)


def _asked(session: Session, old: str, new: str, *, merged: bool) -> Session:
    """The session that asks the store; until it answers the menu about the name stands there."""
    if not fit(new):
        return session._replace(mode=Page(PageKind.ANSWER, ("Rename", unfit(new)), back=_of(session, old, 1).mode))
    session = _of(session, old, 2 if merged else 1)
    return session._replace(requests=(*session.requests, NameRequest(old, new, merged)))


def on_result(session: Session, request: NameRequest, why: str, past: StoredHistory | None) -> Session:
    """The session after the store's answer: a page with `why` it refused, or for "" the list with the new name."""
    if not why and past is not None:
        return opened(changed(session, past, request), request.new)
    said = "Same as another" if request.merged else "Rename"
    return session._replace(mode=Page(PageKind.ANSWER, (said, why), back=session.mode))
