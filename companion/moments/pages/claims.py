"""False claims of a round: who has said "I cannot" and could."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.languages import text
from companion.moments.pages.page import PageScreen

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.session.model import Session


class Claims(PageScreen):
    """False claims, one at a time: who, which move, what it could have been.

    OK after the last one leads to `then`, which `leads` says.
    """

    rows: tuple[tuple[str, str, str], ...]
    then: Callable[[Session], Session] | None = None
    leads: str = text("next")

    @property
    def last(self) -> int:
        """The last claim."""
        return len(self.rows) - 1

    def ignores(self, session: Session, key: str) -> bool:
        """OK goes on from a claim only once it was seen."""
        return key == "#"

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK goes through the claims first."""
        if key == "#" and self.number < self.last:
            return super().press(session, "down")
        return self.then(session) if key == "#" and self.then is not None else super().press(session, key)

    def content(self, session: Session) -> kinds.Content:
        """All claims."""
        back = text("back") if self.then is None else text("result")
        leads = self.leads if self.number == self.last else text("next")
        return kinds.Claims(text("False claim"), self.rows, kinds.ok_back(leads, back), self.number)
