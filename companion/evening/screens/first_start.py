"""The first start of a box, after its language: a test of its keys, and the players' names. Each step can be left.

The steps lie over one another, the first one on top, so that leaving one shows the next::

    language ──► keys ──► names ──► the menu below
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.evening.contents import kinds
from companion.evening.screens.box_checks import BUTTON_LABELS, Doctor
from companion.evening.screens.name_screens import MAX_FAVOURITES, SpellingScreen, set_favourite
from companion.languages import text

if TYPE_CHECKING:
    from companion.evening.model import Session


class FirstKeys(Doctor):
    """Shows each key as it arrives; OK or BACK, pressed twice in a row, leads to the next step."""

    is_key_page = True

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key in ("#", "*") and self.newest_keys[-1:] == (self.key_label(session, key),):
            return session.close_screen()
        return self.add_key(session, key)

    def content(self, session: Session) -> kinds.Content:
        count = len({*self.newest_keys} & {*BUTTON_LABELS.values()})
        note = text("{number} pressed", number=self.key_count)
        if session.uses_buttons:
            note = text("{number} of {most}", number=count, most=len(BUTTON_LABELS))
        introduction = text("Press every key:"), text("each is shown here.")
        keys = kinds.Keys(text("Keys"), note, self.newest_keys, introduction)
        return kinds.Findings(keys.title, "", "", (), keys, (kinds.KeyHint("back", text("twice: next")),), 1)


def name_step(session: Session) -> SpellingScreen:
    """Asks for the next name that the box will offer; BACK ends this."""
    return SpellingScreen(text("Who plays?"), str(len(session.history.favourites) + 1), _add_name)


def _add_name(session: Session, name: str) -> Session:
    session = set_favourite(session, name, is_favourite=True)
    if len(session.history.favourites) >= MAX_FAVOURITES:
        return session.close_screen()
    return session.replace_screen(name_step(session))
