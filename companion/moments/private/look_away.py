"""The others are asked to look away before something is shown that only one player may see, such as own pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.game.box_seats import look_away
from companion.game.screen import PeekScene
from companion.languages import text
from companion.session.screen_kinds import PrivateScreen, TableScreen

if TYPE_CHECKING:
    from companion.session.model import Screen, Session

PEEK_SECONDS = 2.0
HELD_SECONDS = 30.0
"""In seconds: the longest time for which a held OK shows pieces, in case its release is lost."""
COVERED_SECONDS = 30.0
"""In seconds: how long without a press something stays on the panel that only one player may see."""
SENTENCES = {"hint": "A hint for {who}", "mend": "{who}'s pieces, to correct one"}
"""What is shown then, where it is not only the pieces."""


class LookAway(TableScreen):
    """The privacy screen before `then`, which `what` names in `SENTENCES`; without them before the player's own pieces.

    What only the player may see is opened over it, so it is what everybody else sees meanwhile.
    """

    seat: int
    what: str = ""
    then: Screen | None = None

    interruptible = False

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        """Only those at the box see that the others look away."""
        return ("back",)

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK shows it: pieces for two seconds, or while a button is held."""
        if key != "#":
            return session.close()
        seconds = HELD_SECONDS if _can_hold(session) else PEEK_SECONDS
        return session.open(self.then or Peek(self.seat, session.clock + seconds))

    def content(self, session: Session) -> kinds.Content:
        """Who is to look away, and what is shown then."""
        round_ = session.round_here
        who = round_.name(self.seat)
        own = "{who}'s pieces, while OK is held" if _can_hold(session) else "{who}'s pieces, for two seconds"
        heading = look_away(round_.header.names, self.seat) or text("For {who}", who=who)
        return kinds.Notice(
            "eye", heading, "", text(SENTENCES.get(self.what, own), who=who), kinds.ok_back("show", "no")
        )


def _can_hold(session: Session) -> bool:
    """Whether OK is a button that tells when it is let go."""
    return session.buttons and not session.settings.terminal


class Peek(PrivateScreen):
    """A player's own pieces, until `until` or while OK is held."""

    seat: int
    until: float

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """BACK covers them."""
        return session.show_base() if key == "*" else session

    def release(self, session: Session, key: str) -> Session:
        """OK that is let go covers them."""
        return session.show_base() if key == "ok" else session

    def due(self, session: Session) -> float:
        """When they are covered."""
        return self.until

    def tick(self, session: Session) -> Session:
        """Cover them."""
        return session.show_base()

    def content(self, session: Session) -> kinds.Content:
        """The pieces, as their owner knows them."""
        round_ = session.round_here
        view = round_.game.view(round_.state, self.seat)
        words = round_.entry.own(view, self.seat)
        scene = PeekScene(view, round_.options, round_.name(self.seat), self.seat, words)
        return kinds.Drawn(round_.header.game, scene)

    def cover(self, session: Session) -> Session:
        """A look at own pieces is over."""
        return session.show_base()
