"""The last moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.session.model import Moment

if TYPE_CHECKING:
    from companion.session.model import Session


class Goodbye(Moment):
    """The last screen: the power may be cut. No key means anything."""

    def says(self, session: Session) -> kinds.Content:
        """That all is kept."""
        return kinds.Cover(last=True)
