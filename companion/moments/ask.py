"""A question that some or all players have to agree to before something is discarded or changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.languages import counted, text
from companion.session.model import Screen
from companion.session.screen_kinds import MoveScreen, TableScreen

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.session.model import Session

MOST_KEYS = 5
"""So many of the keys that did not fit are shown, the last ones."""


class Ask(Screen):
    """A question; the seats `must_agree` have to agree, the first of them have `agreed`. Then `does` makes the session.

    With `is_take_back` a second OK agrees at once. With `plain` OK and BACK alone answer: no other key is one of them
    by mistake. `names` are the players in its words. With `at_box` no phone says yes. `declined`, where a phone has
    asked, makes the session that tells it who said no; then any key may be meant for the game.
    """

    does: Callable[[Session], Session]
    title: str
    lines: tuple[str, ...]
    must_agree: tuple[int, ...] = ()
    agreed: tuple[int, ...] = ()
    is_take_back: bool = False
    names: tuple[str, ...] = ()
    plain: bool = False
    declined: Callable[[Session, str], Session] | None = None
    at_box: bool = False

    letters = "keys"

    @property
    def family(self) -> str:
        """One for questions of all kinds."""
        return "Ask"

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
            return self.does(session.close())
        if key in ("up", "down", "left", "right") or (self.plain and key != "*"):
            return session
        session = self._decline(session).close()
        # Another key than BACK is not part of the draft either.
        if key != "*" and isinstance(session.screen, MoveScreen):
            session = session.show(session.screen.after_cancel())
        return session

    def _decline(self, session: Session) -> Session:
        """Tell whoever asked by a phone who said no."""
        if self.declined is None or session.round is None:
            return session
        return self.declined(session, session.round.name(self.asked))

    @property
    def asked(self) -> int:
        """The next seat that has to agree, 0 for none."""
        return self.must_agree[len(self.agreed)] if len(self.agreed) < len(self.must_agree) else 0

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        """A phone may say no, and yes where it may."""
        return tuple(key for key in meant if key != "ok") if self.at_box else meant

    def shown_names(self, session: Session) -> tuple[str, ...]:
        """Those in its words."""
        return self.names

    def content(self, session: Session) -> kinds.Content:
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


class Misfit(Ask, TableScreen):
    """The question after keys that did not fit a draft: whether what they have left of it counts.

    Only the next OK plays it. Every key but OK and BACK goes on with the draft.
    """

    thinking = True
    naming_goes_on = True

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK and BACK answer; any other key counts on the draft below."""
        return super().press(session, key, held=held) if key in ("#", "*") else session.close().press(key)


def ask_without(session: Session, keys: str, question: str, does: Callable[[Session], Session]) -> Session:
    """Ask whether a draft counts without `keys`, which did not fit; "" for keys that others may not see."""
    title = text("Left out: {keys}", keys=" ".join(keys[-MOST_KEYS:])) if keys else text("A key was left out")
    said = counted(len(keys) or 1, "This key does not fit.", "These keys do not fit.")
    return session.open(Misfit(does, title, (said, question), at_box=True))
