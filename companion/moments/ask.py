"""A question that some or all players have to agree to before something is discarded or changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.contents import kinds
from companion.languages import counted, text
from companion.session.model import Moment

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.session.model import Session

MOST_KEYS = 5
"""So many of the keys that did not fit are shown, the last ones."""


class _Ask(NamedTuple):
    does: Callable[[Session], Session]
    title: str
    lines: tuple[str, ...]
    must_agree: tuple[int, ...] = ()
    agreed: tuple[int, ...] = ()
    back: Moment | None = None
    is_take_back: bool = False
    names: tuple[str, ...] = ()
    plain: bool = False
    declined: Callable[[Session, str], Session] | None = None
    at_box: bool = False


class Ask(Moment, _Ask):
    """A question; the seats `must_agree` have to agree, the first of them have `agreed`. Then `does` makes the session.

    `back` is the moment beneath, None for what is there when nothing covers the table. With `is_take_back` a second OK
    agrees at once. With `plain` OK and BACK alone answer: no other key is one of them by mistake. `names` are the
    players in its words. With `at_box` no phone says yes. `declined`, where a phone has asked, makes the session that
    tells it who said no; then any key may be meant for the game.
    """

    interruptible = True
    letters_are_keys = True

    def ignores(self, session: Session, key: str) -> bool:
        """Nobody agrees by a key that was meant for the game, nor by a double tap."""
        if self.declined is not None:
            return True
        return key == "#" == session.taps.key and (session.over or not self.is_take_back)

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK agrees, once for each player asked; an arrow does nothing, another key cancels and keeps a draft."""
        if key == "#":
            agreed = self.must_agree[: len(self.agreed) + 1]
            if len(agreed) < len(self.must_agree):
                return session.show(self._replace(agreed=agreed))
            return self.does(session.show(self.back))
        if key in ("up", "down", "left", "right") or (self.plain and key != "*"):
            return session
        session = self._decline(session).show(self.back)
        # Another key than BACK is not part of the entry either.
        return session if key == "*" else session.show(session.moment.after_cancel)

    def _decline(self, session: Session) -> Session:
        """Tell whoever asked by a phone who said no."""
        if self.declined is None or session.round is None:
            return session
        return self.declined(session, session.round.name(self.asked))

    @property
    def asked(self) -> int:
        """The next of those who have to agree."""
        return self.must_agree[len(self.agreed)] if len(self.agreed) < len(self.must_agree) else 0

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        """A phone may say no, and yes where it may."""
        return tuple(key for key in meant if key != "ok") if self.at_box else meant

    def shown_names(self, session: Session) -> tuple[str, ...]:
        """Those in its words."""
        return self.names

    def says(self, session: Session) -> kinds.Content:
        """The question, and whose yes is awaited."""
        yes, no = kinds.KeyMeaning("ok", text("yes")), kinds.KeyMeaning("back", text("no"))
        round_ = session.round
        if round_ is None or not self.must_agree:
            return kinds.Question(self.title, self.lines, (yes, no))
        seats = tuple(
            kinds.Seat(round_.name(seat), "yes" if seat in self.agreed else "asked" if seat == self.asked else "")
            for seat in sorted(self.must_agree)
        )
        yes = kinds.KeyMeaning("ok", text("{who} agrees", who=round_.name(self.asked)), shorter=(yes.says,))
        return kinds.Question(self.title, self.lines, (yes, no), seats)


class Misfit(Ask):
    """The question after keys that did not fit an entry: whether what they have left of it counts.

    Only the next OK plays it. Every key but OK and BACK goes on with the entry.
    """

    thinking = True
    at_board = True
    naming_goes_on = True

    def beneath(self, session: Session, key: str) -> Session | None:
        """The entry, for a key that goes on with it."""
        return None if key in ("#", "*") else session.show(self.back)

    def fits(self, waits: Moment) -> bool:
        """Whether the entry may stay."""
        return self.back is not None and self.back.fits(waits)


def ask_without(keys: str, question: str, back: Moment, does: Callable[[Session], Session]) -> Misfit:
    """The question whether an entry counts without `keys`, which did not fit; "" for keys that others may not see."""
    title = text("Left out: {keys}", keys=" ".join(keys[-MOST_KEYS:])) if keys else text("A key was left out")
    said = counted(len(keys) or 1, "This key does not fit.", "These keys do not fit.")
    return Misfit(does, title, (said, question), back=back, at_box=True)
