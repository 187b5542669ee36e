"""What is shown over anything else: notices, refusals, questions that players agree to, the last picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.evening import double_taps
from companion.evening.contents import kinds
from companion.evening.model import Screen
from companion.evening.screen_kinds import MessageScreen, MoveScreen, PrivateScreen, TableScreen
from companion.languages import counted, joined, text
from companion.rounds import on_table, referee

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.evening.model import Session
    from companion.games.api import Refused
    from companion.rounds.on_table import Round


class Goodbye(Screen):
    """The last screen: the power may be cut. No key means anything."""

    interruptible = False

    def content(self, session: Session) -> kinds.Content:
        """That all is kept."""
        return kinds.Cover(last=True)


class Notice(MessageScreen):
    """A message until the next key: an icon's name, a heading, what happened, what follows."""

    icon: str
    heading: str
    lines: tuple[str, ...]
    after: str

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """As any message; OK too may be followed by one that was meant for it."""
        return double_taps.mark_erased(session.close()) if key == "#" else super().press(session, key)

    def announces(self, session: Session) -> tuple[str, ...]:
        """The message."""
        return self.heading, *self.lines, self.after

    def content(self, session: Session) -> kinds.Content:
        """The message; any key closes it once it was seen for long enough."""
        meanings = (kinds.KeyMeaning("any", text("any key")),) if double_taps.takes_any_key(session) else ()
        return kinds.Notice(self.icon, self.heading, joined(self.lines, " "), self.after, meanings)


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
    title = text("Ignored: {keys}", keys=" ".join(keys[-MOST_KEYS:])) if keys else text("A key was ignored")
    said = counted(len(keys) or 1, "This key does not fit.", "These keys do not fit.")
    return session.open(Misfit(does, title, (said, question), at_box=True))


class Refusing(MessageScreen):
    """A refusal that fills the panel until the next key, over the refused draft; `fresh` is the new one after it.

    BACK leads to the draft. Without `fresh` it is kept whatever is pressed, as pieces are that were dealt or drawn.
    """

    refused: Refused
    fresh: Screen | None = None

    thinking = True

    def close(self, session: Session) -> Session:
        """Show the new draft, or the refused one."""
        return session.close() if self.fresh is None else session.close().show(self.fresh)

    def due(self, session: Session) -> float | None:
        """When own pieces below are covered by themselves."""
        below = session.close()
        return below.screen.due(below) if isinstance(below.screen, PrivateScreen) else None

    def tick(self, session: Session) -> Session:
        """Cover them."""
        below = session.close()
        return below.screen.tick(below)

    def content(self, session: Session) -> kinds.Content:
        """The reason; any key closes it once it was seen for long enough."""
        refused = self.refused
        figure, against = (referee.with_names(words, session.round) for words in (refused.figure, refused.against))
        meanings: tuple[kinds.KeyMeaning, ...] = ()
        if double_taps.takes_any_key(session):
            # Where any other key begins anew, BACK alone keeps the entry.
            again = text("try again") if self.fresh is None else text("retry")
            wrong = session.round is not None and told_wrongly(session.round, refused)  # There nothing is to be fixed.
            fixes = text("keep") if wrong else text("fix it")
            keeps = () if self.fresh is None else (kinds.KeyMeaning("back", fixes),)
            meanings = (kinds.KeyMeaning("any", again), *keeps)
        rule, needed = (referee.with_seats(words, session.round) for words in (refused.rule, refused.needed))
        round_ = session.round
        if round_ is not None and _must_draw(round_, refused):
            rule = text("Did you draw? Then enter the draw first.")
        elif round_ is not None and told_wrongly(round_, refused):
            rule = text("Named wrongly? In the menu: Correct a piece.")
        return kinds.Refusal(refused.code, figure, against, rule, needed, meanings)


def _must_draw(round_: Round, refused: Refused) -> bool:
    """Whether what is not held may just have been drawn."""
    return refused.code == "held" and round_.entry.forced(round_.known)


def told_wrongly(round_: Round, refused: Refused) -> bool:
    """Whether pieces that were told may be wrong: those of the seat to move, or those that another one holds."""
    if not round_.turn or _must_draw(round_, refused):
        return False
    if refused.row in refused.of_others:
        others = (seat for seat in range(1, len(round_.header.names) + 1) if seat != round_.turn)
        return any(on_table.correctable(round_, seat) for seat in others)
    return refused.code == "held" and bool(on_table.correctable(round_, round_.turn))
