"""A message to everybody, which the next key closes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.contents import kinds
from companion.languages import joined, text
from companion.session import double_taps
from companion.session.model import Moment

if TYPE_CHECKING:
    from companion.session.model import Session


class _Notice(NamedTuple):
    icon: str
    heading: str
    lines: tuple[str, ...]
    after: str
    then: Moment


class Notice(Moment, _Notice):
    """A message until the next key: an icon's name, a heading, what happened, what follows, and the moment `then`."""

    interruptible = True
    tells_its_guard = True
    at_board = True
    letters_are_keys = True
    naming_goes_on = True

    @property
    def behind_notice(self) -> Moment:
        """What comes next, and if that is closed by a press too, what is beneath it."""
        return self.then.behind_notice

    def ignores(self, session: Session, key: str) -> bool:
        """OK closes it only once it was seen."""
        return key == "#"

    def beneath(self, session: Session, key: str) -> Session | None:
        """Every key but OK and BACK counts for what comes next."""
        return None if key in "#*" else session.show(self.then)

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK and BACK close it."""
        return double_taps.show_erased(session, self.then)

    def announces(self, session: Session) -> tuple[str, ...]:
        """The message."""
        return self.heading, *self.lines, self.after

    def says(self, session: Session) -> kinds.Content:
        """The message; any key closes it once it was seen for long enough."""
        meanings = (kinds.KeyMeaning("any", text("any key")),) if double_taps.takes_any_key(session) else ()
        return kinds.Notice(self.icon, self.heading, joined(self.lines, " "), self.after, meanings)
