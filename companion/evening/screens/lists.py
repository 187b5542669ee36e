"""Pages to read and lists to pick from: what all of them have in common.

=============== ============================================================
`PageScreen`    a text that is turned page by page
`TextPage`      a page of a few lines
`MenuScreen`    a list whose entries depend on the session
`ListScreen`    a list whose entries are known when it is opened
=============== ============================================================
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from companion.evening import double_taps
from companion.evening.contents import kinds
from companion.evening.contents.kinds import PAGE, VISIBLE, KeyMeaning
from companion.evening.model import Screen
from companion.languages import text

if TYPE_CHECKING:
    from companion.evening.model import Session


FORWARD, BACKWARD = ("down", "right", "8", "0"), ("up", "left", "2")
"""The keys that turn a page, and those that turn it back."""


class PageScreen(Screen, kw_only=True):
    """A page to read; `page_number` is how many pages were turned.

    Down and right (or 8 and 0) turn the page, up and left (or 2) turn it back. Any other key leaves.
    """

    number: int = 0

    @property
    def family(self) -> str:
        return "Page"

    @property
    def last(self) -> int | None:
        """The number of the last page, None where that depends on the display."""
        return None

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key in FORWARD:
            number = self.number + 1 if self.last is None else min(self.number + 1, self.last)
            return session.show(self._replace(number=number))
        if key in BACKWARD:
            return session.show(self._replace(number=max(0, self.number - 1)))
        return self.leave(session)

    def leave(self, session: Session) -> Session:
        """Close the page, so that the screen below it is back."""
        return double_taps.mark_seen(session.close())


class Reply(PageScreen):
    """A page of a few lines, the first of them the heading.

    After it `open_next` makes the session, if that is not None; BACK leads back to the screen below. With
    `shows_next_hint` the hint for OK is "next", since what follows is something new.
    """

    lines: tuple[str, ...]
    leads_on: bool = False
    then: Callable[[Session], Session] | None = None

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        return session.close() if key == "*" and self.then is not None else super().press(session, key, held=held)

    def leave(self, session: Session) -> Session:
        return super().leave(session) if self.then is None else double_taps.mark_seen(self.then(session.close()))

    def content(self, session: Session) -> kinds.Content:
        title, *lines = self.lines
        keys = [kinds.KeyMeaning("ok", text("next") if self.leads_on else text("back"))]
        keys += [kinds.KeyMeaning("back", text("back"))] * (self.then is not None)
        return kinds.Reading(title, tuple(lines), tuple(keys), self.number)


class Item(NamedTuple):
    """An entry of a menu: its label, its action, and what else is shown of it (see `kinds.ChoiceLine`).

    `position` is its position in the list, None for the next one.
    """

    words: str
    opens: Callable[[Session], Session]
    note: str = ""
    icon: str = ""
    why: str = ""
    pairs: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] = ()
    explains: str = ""
    place: int | None = None


class MenuScreen(Screen, kw_only=True):
    """A list to pick from, whose entries depend on the session.

    Arrows move the cursor, OK and digits pick, BACK leaves. An entry that can't be used now gives the reason instead.
    """

    cursor: int = 0

    leads_back: ClassVar[str] = text("back")
    between_rounds: ClassVar[bool] = False  # whether names may be changed here, since no round is being played
    naming_goes_on = True

    @property
    def family(self) -> str:
        return "Menu"

    def items(self, session: Session) -> tuple[Item, ...]:
        """The entries, which may change with the session."""
        raise NotImplementedError

    def heading(self, session: Session) -> tuple[str, tuple[str, ...]]:
        """The title and the question, its longest wording first; ("", ()) for a list without a title."""
        return "", ()

    def meanings(self, session: Session) -> tuple[KeyMeaning, ...]:
        """The hints for keys other than arrows and digits."""
        return kinds.ok_back("choose", self.leads_back)

    def close(self, session: Session) -> Session:
        """Leave the menu by BACK, which leads to the base screen."""
        return double_taps.mark_seen(session.show_base())

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "*":
            return self.close(session)
        items = self.items(session)
        places = _places(items)
        moved = self._moved(key, places)
        if moved is not None:
            return session.show(self._replace(cursor=moved))
        place = places[self.cursor] // PAGE * PAGE + int(key) - 1 if key.isdigit() else None
        picked = self.cursor if key == "#" else places.index(place) if place in places else None
        if picked is None:
            return session
        item, session = items[picked], session.show(self._replace(cursor=picked))
        if item.why:
            return session.open(Reply((item.words, item.why)))
        return item.opens(session)

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        # A phone picks an entry directly, so it needs no cursor.
        return ("pick", *(key for key in meant if key == "back"))

    def pick_entry(self, session: Session, number: int) -> Session:
        """Pick the entry that a phone names, counted from 1."""
        if not 1 <= number <= len(self.items(session)):
            return session
        return self._replace(cursor=number - 1).press(session, "#")

    def _moved(self, key: str, places: list[int]) -> int | None:
        """The cursor after an arrow, or after 0, which turns the page; None for any other key.

        Left and right lead to the ends of a page that is longer than the panel, and from there to the next page.
        """
        if key in ("up", "down"):
            return (self.cursor + (1 if key == "down" else -1)) % len(places)
        if key not in ("left", "right", "0"):
            return None
        pages = [place // PAGE for place in places]
        here = [index for index, page in enumerate(pages) if page == pages[self.cursor]]
        end, by = (here[0], -1) if key == "left" else (here[-1], 1)
        if key != "0" and self.cursor != end and len(places) > VISIBLE:
            return end
        return self.cursor if len(here) == len(places) else (end + by) % len(places)

    def content(self, session: Session) -> kinds.Content:
        items = self.items(session)
        lines = (
            kinds.ChoiceLine(item.words, place, item.note, item.icon, item.why, item.pairs, item.names, item.explains)
            for item, place in zip(items, _places(items), strict=True)
        )
        return kinds.Choice(tuple(lines), self.cursor, self.meanings(session), *self.heading(session))


def _places(items: tuple[Item, ...]) -> list[int]:
    """The position of each entry, from which its page and its digit follow."""
    return [index if item.place is None else item.place for index, item in enumerate(items)]


class ListScreen(MenuScreen):
    """A menu whose entries are known when it is opened. BACK leads to the screen below.

    `notes` are the question, its longest wording first.
    """

    title: str
    notes: tuple[str, ...]
    listed: tuple[Item, ...]

    def items(self, session: Session) -> tuple[Item, ...]:
        return self.listed

    def heading(self, session: Session) -> tuple[str, tuple[str, ...]]:
        return self.title, self.notes

    def close(self, session: Session) -> Session:
        return session.close()

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return tuple(name for item in self.listed for name in (*item.names, *(name for name, _ in item.pairs)))
