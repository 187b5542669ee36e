"""What screens of a kind share: those beside the board, inputs, moves, messages, and what only one player may see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.evening import double_taps
from companion.evening.model import Screen

if TYPE_CHECKING:
    from companion.evening.contents.kinds import Content
    from companion.evening.model import Session
    from companion.rounds.on_table import Round

COVERED_SECONDS = 30.0
"""In seconds: how long without a press something stays on the panel that only one player may see."""


class TableScreen(Screen):
    """A screen beside which others see the board of a round."""

    @property
    def thinking(self) -> bool:
        """Whether thinking time runs in it."""
        return False

    def board(self, session: Session) -> Round | None:
        """The round, that on the table; None for none."""
        return session.round

    def announces(self, session: Session) -> tuple[str, ...]:
        """What a big screen tells of it beside the board, a heading first."""
        return ()


class InputScreen(Screen):
    """A screen in which letters, digits or pieces are entered."""

    @property
    def erases(self) -> bool:
        """Whether BACK may repeat while it is held: something is entered that it erases step by step."""
        return False

    def take_words(self, session: Session, words: str) -> tuple[Session, str]:
        """Take a name or a number that a phone sends whole: the session after that, and why it was not taken, or ""."""
        return session, ""


class MoveScreen(TableScreen, InputScreen):
    """A base screen that waits for a move, for pieces or for points; what is entered of them is the draft."""

    letters = "keys"
    thinking = True

    @property
    def at_rest(self) -> bool:
        """Whether a move is due and the draft is empty."""
        return False

    @property
    def shows_missing(self) -> bool:
        """Whether its picture has the small sign of a missing device."""
        return True

    def fits(self, base: Screen) -> bool:
        """Whether its draft goes on where `base` is what is due on the table now."""
        return False

    def after_cancel(self) -> MoveScreen:
        """The same draft, which tells that nothing has changed by a key that cancelled a question."""
        return self

    def content_at_rest(self, session: Session) -> Content:
        """What the panel shows in its place after some seconds without a key, where it is `at_rest`."""
        return self.content(session)


class MessageScreen(TableScreen):
    """A message to everybody: OK and BACK close it, any other key does so too and counts on what is below it."""

    letters = "keys"
    naming_goes_on = True

    def ignores(self, session: Session, key: str) -> bool:
        """OK closes it only once it was seen."""
        return key == "#"

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """BACK leads back to what is below, any other key on."""
        if key == "*":
            return double_taps.mark_erased(session.close())
        below = self.close(session)
        return below if key == "#" else below.press(key)

    def close(self, session: Session) -> Session:
        """Show what follows it."""
        return session.close()


class BoxScreen(Screen):
    """A screen about the box, which may be opened in the middle of anything: nothing of the table is at hand."""

    interruptible = False
    takes_back = False


class PrivateScreen(TableScreen):
    """What only one player may see. Below it is the privacy screen, which asks the others to look away first."""

    interruptible = False

    @property
    def is_public(self) -> bool:
        """Whether it depends on nothing hidden after all."""
        return False

    @property
    def privacy_screen(self) -> Screen:
        """The screen that asks the others to look away, and then leads to it."""
        raise NotImplementedError

    def cover(self, session: Session) -> Session:
        """Hide it: the privacy screen is there again, and leads back to it."""
        return session.close().show(self.privacy_screen)

    def due(self, session: Session) -> float | None:
        """When it is covered by itself."""
        return None if self.is_public else session.taps.pressed + COVERED_SECONDS

    def tick(self, session: Session) -> Session:
        """Cover it."""
        return self.cover(session)


def cover(session: Session) -> Session:
    """The session in which a private screen is hidden, before something is opened in the middle of it."""
    below = close_messages(session)  # A refusal may lie over own pieces.
    screen = below.screen
    return screen.cover(below) if isinstance(screen, PrivateScreen) and not screen.is_public else session


def close_messages(session: Session) -> Session:
    """The session without the messages that lie over everything else."""
    while isinstance(session.screen, MessageScreen) and not session.at_base:
        session = session.close()
    return session


def move_at_rest(session: Session) -> MoveScreen | None:
    """The move that is due and of which nothing is entered, None where anything else is shown."""
    screen = session.screen
    return screen if isinstance(screen, MoveScreen) and screen.at_rest else None


def thinking(session: Session) -> bool:
    """Whether the seat to move thinks: its move is not covered by anything else."""
    return isinstance(session.screen, TableScreen) and session.screen.thinking
