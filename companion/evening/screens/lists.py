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
from itertools import count
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from companion.evening import double_taps
from companion.evening.contents import kinds
from companion.evening.contents.kinds import PAGE_SIZE, KeyHint
from companion.evening.model import Screen
from companion.languages import text

if TYPE_CHECKING:
    from companion.evening.model import Session


FORWARD_KEYS, BACKWARD_KEYS = ("down", "right", "8", "0"), ("up", "left", "2")
"""The keys that turn a page, and those that turn it back."""


class PageScreen(Screen, kw_only=True):
    """A page to read; `page_number` is how many pages were turned.

    Down and right (or 8 and 0) turn the page, up and left (or 2) turn it back. Any other key leaves.
    """

    page_number: int = 0

    @property
    def public_name(self) -> str:
        return "Page"

    @property
    def last_page(self) -> int | None:
        """The number of the last page, None where that depends on the display."""
        return None

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key in FORWARD_KEYS:
            number = self.page_number + 1 if self.last_page is None else min(self.page_number + 1, self.last_page)
            return session.replace_screen(self._replace(page_number=number))
        if key in BACKWARD_KEYS:
            return session.replace_screen(self._replace(page_number=max(0, self.page_number - 1)))
        return self.leave(session)

    def leave(self, session: Session) -> Session:
        """Close the page, so that the screen below it is back."""
        return double_taps.relax_double_tap_guard(session.close_screen())


class TextPage(PageScreen):
    """A page of a few lines, the first of them the heading.

    `open_next` makes the session that follows OK, if it is not None. BACK leads back to the screen below.
    """

    lines: tuple[str, ...]
    open_next: Callable[[Session], Session] | None = None

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "*" and self.open_next is not None:
            return session.close_screen()
        return super().press(session, key, held=held)

    def leave(self, session: Session) -> Session:
        if self.open_next is None:
            return super().leave(session)
        return double_taps.relax_double_tap_guard(self.open_next(session.close_screen()))

    def content(self, session: Session) -> kinds.Content:
        title, *lines = self.lines
        back = kinds.KeyHint("back", text("back"))
        hints = (back,) if self.open_next is None else (kinds.KeyHint("ok", text("next")), back)
        return kinds.Reading(title, tuple(lines), hints, self.page_number)


LAST_DIGIT_POSITION = PAGE_SIZE
"""The position of an entry with the digit 0, in a list without pages: whatever leads away from the table has it."""


class MenuItem(NamedTuple):
    """An entry of a menu: its label, its action, and what else is shown of it (see `kinds.ChoiceLine`).

    `position` is its position in the list, None for the next free one. `word` names it for the host's phone, which
    over a game offers some entries by themselves, also those that are not `is_listed` at the box, and those that can't
    be used now, which have an `unavailable_reason`. `lower` is the action of the left arrow for a level. With
    `keeps_digit` its digit stays free while it is missing, so that no other entry ever has that.
    """

    label: str
    action: Callable[[Session], Session]
    note: str = ""
    icon: str = ""
    unavailable_reason: str = ""
    pairs: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] = ()
    explanation: str = ""
    position: int | None = None
    word: str = ""
    is_listed: bool = True
    lower: Callable[[Session], Session] | None = None
    keeps_digit: bool = False

    @property
    def can_be_used(self) -> bool:
        return self.is_listed and not self.unavailable_reason


class MenuScreen(Screen, kw_only=True):
    """A list to pick from, whose entries depend on the session.

    Up and down move the cursor, OK and digits pick, BACK leaves. Entries that can't be used now are missing. With
    `has_pages` there are digits for each nine entries, and left, right and 0 turn the page; otherwise none is
    there twice, and 0 is that of `LAST_DIGIT_POSITION`.
    """

    cursor: int = 0

    back_label: ClassVar[str] = text("back")
    has_pages: ClassVar[bool] = False
    is_between_rounds: ClassVar[bool] = False  # whether names may be changed here, since no round is being played
    allows_naming = True

    @property
    def public_name(self) -> str:
        return "Menu"

    def items(self, session: Session) -> tuple[MenuItem, ...]:
        """The entries, which may change with the session."""
        raise NotImplementedError

    def listed_items(self, session: Session) -> tuple[MenuItem, ...]:
        """The entries that can be used now, each with its position, from which its page and its digit follow."""
        numbered = [item for item in self.items(session) if item.can_be_used or item.keeps_digit]
        fixed = [item.position for item in numbered if item.position is not None]
        free = (position for position in count() if position not in fixed)
        placed = [item._replace(position=next(free)) if item.position is None else item for item in numbered]
        return tuple(item for item in placed if item.can_be_used)

    def heading(self, session: Session) -> tuple[str, tuple[str, ...]]:
        """The title and the question, its longest wording first; ("", ()) for a list without a title."""
        return "", ()

    def key_hints(self, session: Session) -> tuple[KeyHint, ...]:
        """The hints for keys other than arrows and digits."""
        return kinds.ok_and_back_hints("choose", self.back_label)

    def leave(self, session: Session) -> Session:
        """Leave the menu by BACK, which leads to the base screen."""
        return double_taps.relax_double_tap_guard(session.show_base_screen())

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "*":
            return self.leave(session)
        items = self.listed_items(session)
        positions = [item.position or 0 for item in items]
        new_cursor = self._moved_cursor(key, positions)
        if new_cursor is not None:
            return session.replace_screen(self._replace(cursor=new_cursor))
        picked_index = self.cursor if key == "#" else None
        if key.isdigit():
            picked_position = self._page_of(positions[self.cursor]) * PAGE_SIZE + (int(key) or 10) - 1
            picked_index = positions.index(picked_position) if picked_position in positions else None
        if picked_index is None:
            return session
        return items[picked_index].action(session.replace_screen(self._replace(cursor=picked_index)))

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        # A phone picks an entry directly, so it needs no cursor.
        return ("pick", *(key for key in meant if key == "back"))

    def pick_item(self, session: Session, number: int) -> Session:
        """Pick the entry that a phone names, counted from 1."""
        if not 1 <= number <= len(self.listed_items(session)):
            return session
        return self._replace(cursor=number - 1).press(session, "#")

    def _page_of(self, position: int) -> int:
        return position // PAGE_SIZE if self.has_pages else 0

    def _moved_cursor(self, key: str, positions: list[int]) -> int | None:
        """The cursor after an arrow, or after 0 in a list with pages; None for any other key.

        Left, right and 0 lead to the first entry of another page. In a list of one page they do nothing.
        """
        if key in ("up", "down"):
            return (self.cursor + (1 if key == "down" else -1)) % len(positions)
        if key not in ("left", "right", "0") or (key == "0" and not self.has_pages):
            return None
        pages = [*map(self._page_of, positions)]
        known_pages = sorted(set(pages))
        if len(known_pages) == 1:
            return self.cursor
        step = -1 if key == "left" else 1
        return pages.index(known_pages[(known_pages.index(pages[self.cursor]) + step) % len(known_pages)])

    def content(self, session: Session) -> kinds.Content:
        lines = (
            kinds.ChoiceLine(
                item.label, item.position or 0, item.note, item.icon, "", item.pairs, item.names, item.explanation
            )
            for item in self.listed_items(session)
        )
        title, notes = self.heading(session)
        content = kinds.Choice(tuple(lines), self.cursor, self.key_hints(session), title, notes, self.has_pages)
        has_right_hint = any(hint.key == "right" for hint in content.key_hints)
        if has_right_hint or len({*map(content.page_of, content.lines)}) == 1:
            return content
        return content._replace(key_hints=(*content.key_hints, KeyHint("left"), KeyHint("right", text("page"))))


class ListScreen(MenuScreen):
    """A menu whose entries are known when it is opened. BACK leads to the screen below.

    `notes` are the question, its longest wording first.
    """

    title: str
    notes: tuple[str, ...]
    list_items: tuple[MenuItem, ...]

    has_pages = True

    def items(self, session: Session) -> tuple[MenuItem, ...]:
        return self.list_items

    def heading(self, session: Session) -> tuple[str, tuple[str, ...]]:
        return self.title, self.notes

    def leave(self, session: Session) -> Session:
        return session.close_screen()

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return tuple(name for item in self.list_items for name in (*item.names, *(name for name, _ in item.pairs)))
