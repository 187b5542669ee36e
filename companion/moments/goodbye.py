"""The last screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.session.model import Screen

if TYPE_CHECKING:
    from companion.session.model import Session


class Goodbye(Screen):
    """The last screen: the power may be cut. No key means anything."""

    interruptible = False

    def content(self, session: Session) -> kinds.Content:
        """That all is kept."""
        return kinds.Cover(last=True)
