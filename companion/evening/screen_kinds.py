"""The base classes of screens: what all moves, inputs, messages and private screens have in common.

======================= ===========================================================================
`TableScreen`           others see the board beside it
`InputScreen`           letters, digits or pieces are entered
`MoveScreen`            a base screen: a move, pieces or points are due, and there is a draft
`MessageScreen`         a message to everybody, which any key closes
`BoxScreen`             about the box; may open in the middle of anything
`PrivateScreen`         only one player may see it; a privacy screen lies below it
======================= ===========================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.evening import double_taps
from companion.evening.model import Screen

if TYPE_CHECKING:
    from companion.evening.contents.kinds import Content
    from companion.evening.model import Session
    from companion.rounds.on_table import Round

HIDE_AFTER_SECONDS = 30.0
"""Seconds without a press after which the panel hides what only one player may see."""


class TableScreen(Screen):
    """A screen beside which clients show the board of a round."""

    @property
    def counts_thinking_time(self) -> bool:
        """Whether thinking time runs while this screen is on top."""
        return False

    def board(self, session: Session) -> Round | None:
        """The round whose board is shown, None for none."""
        return session.round

    def announcement(self, session: Session) -> tuple[str, ...]:
        """What a big screen says beside the board, a heading first; () for nothing."""
        return ()


class InputScreen(Screen):
    """A screen on which letters, digits or pieces are entered."""

    @property
    def can_erase(self) -> bool:
        """Whether there is something that BACK erases step by step, so that a held BACK may repeat."""
        return False

    def take_text(self, session: Session, words: str) -> tuple[Session, str]:
        """Take a name or a number that a phone sends as a whole.

        Returns the session after it, and why it was refused, "" if it was taken.
        """
        return session, ""


class MoveScreen(TableScreen, InputScreen):
    """A base screen that waits for a move, for pieces or for points. What is entered of them so far is the draft."""

    letter_keys = "keys"
    counts_thinking_time = True

    @property
    def has_empty_draft(self) -> bool:
        """Whether a move is due and its draft is empty."""
        return False

    def begin_move_at(self, session: Session, event: str, arrow: str) -> Session:
        """Begin a move with an arrow at the place of `event`, which a hint has marked."""
        return self.press(session, arrow)

    @property
    def shows_device_warning(self) -> bool:
        """Whether its picture has room for the small sign of a missing device."""
        return True

    @property
    def can_rest(self) -> bool:
        """Whether the rest view may replace it."""
        return self.has_empty_draft

    def fits_base_screen(self, base: Screen) -> bool:
        """Whether its draft can go on where `base` is the new base screen."""
        return False

    def with_cancel_notice(self) -> MoveScreen:
        """The same draft, saying that nothing has changed, since a key has just cancelled a question."""
        return self

    def rest_view_content(self, session: Session) -> Content:
        """The content of the rest view, for a move whose draft is empty."""
        return self.content(session)


class MessageScreen(TableScreen):
    """A message to everybody.

    OK and BACK close it. Any other key closes it too, and counts on the screen below.
    """

    letter_keys = "keys"
    allows_naming = True

    def may_be_double_tap(self, session: Session, key: str) -> bool:
        # OK may only close a message that has been seen.
        return key == "#"

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "*":
            return double_taps.mark_erased(session.close_screen())
        below = self.leave(session)
        return below if key == "#" else below.press_key(key)

    def leave(self, session: Session) -> Session:
        """Close the message and show what follows it."""
        return session.close_screen()


class BoxScreen(Screen):
    """A screen about the box itself. It may be opened in the middle of anything."""

    is_interruptible = False
    can_take_back = False


class PrivateScreen(TableScreen):
    """What only one player may see.

    The privacy screen lies below it in the stack. It asks the others to look away first, and it is what they see on
    phones and on a big screen. After `HIDE_AFTER_SECONDS` without a press it is shown again.
    """

    is_interruptible = False

    @property
    def is_public(self) -> bool:
        return False

    @property
    def privacy_screen(self) -> Screen:
        """The screen that asks the others to look away, and leads to this one."""
        raise NotImplementedError

    def hide(self, session: Session) -> Session:
        """Show the privacy screen again, from which this screen can be reached."""
        return session.close_screen().replace_screen(self.privacy_screen)

    def next_change_time(self, session: Session) -> float | None:
        return None if self.is_public else session.taps.pressed_at + HIDE_AFTER_SECONDS

    def tick(self, session: Session) -> Session:
        return self.hide(session)


def hide_private_screen(session: Session) -> Session:
    """Hide a private screen before something is opened in the middle of it."""
    below = close_messages(session)  # A refusal may lie over a private screen.
    screen = below.screen
    return screen.hide(below) if isinstance(screen, PrivateScreen) and not screen.is_public else session


def close_messages(session: Session) -> Session:
    """Close the messages that lie over everything else."""
    while isinstance(session.screen, MessageScreen) and not session.is_at_base:
        session = session.close_screen()
    return session


def topmost_empty_move_screen(session: Session) -> MoveScreen | None:
    """The topmost screen if it is a move with an empty draft, else None."""
    screen = session.screen
    return screen if isinstance(screen, MoveScreen) and screen.has_empty_draft else None


def is_player_thinking(session: Session) -> bool:
    """Whether the seat to move is thinking: nothing covers its move."""
    return isinstance(session.screen, TableScreen) and session.screen.counts_thinking_time
