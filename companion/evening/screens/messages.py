"""What is shown over anything else: messages, refusals, questions that players agree to, the last picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.evening import double_taps
from companion.evening.contents import kinds
from companion.evening.model import Screen
from companion.evening.screen_kinds import MessageScreen, MoveScreen, PrivateScreen, TableScreen
from companion.languages import plural_text, join_texts, text
from companion.rounds import on_table, referee

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.evening.model import Session
    from companion.games.api import RefusedError
    from companion.rounds.on_table import Round


class Goodbye(Screen):
    """The last screen, which says that the power may be cut. No key does anything."""

    interruptible = False

    def content(self, session: Session) -> kinds.Content:
        return kinds.Cover(last=True)


class Notice(MessageScreen):
    """A message until the next key: an icon's name, a heading, what happened, and what follows.

    A BACK right after the OK that closes it may have been meant for the message, so it opens no menu.
    """

    icon: str
    heading: str
    lines: tuple[str, ...]
    after: str

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        return double_taps.mark_erased(session.close()) if key == "#" else super().press(session, key)

    def announces(self, session: Session) -> tuple[str, ...]:
        return self.heading, *self.lines, self.after

    def content(self, session: Session) -> kinds.Content:
        meanings = (kinds.KeyMeaning("any", text("any key")),) if double_taps.takes_any_key(session) else ()
        return kinds.Notice(self.icon, self.heading, join_texts(self.lines, " "), self.after, meanings)


MOST_KEYS = 5
"""The most keys that are listed as left out, which are the last ones."""


class Ask(Screen):
    """A question; once everybody concerned has agreed, `on_agreed` makes the session.

    OK agrees, once for each player in `agreeing_seats`. An arrow does nothing. Any other key cancels and keeps the
    draft.

    Attributes:
        on_agreed: makes the session after the last yes.
        title: the question.
        lines: what the question is about.
        agreeing_seats: the seats that have to agree, in this order; () where a single OK is enough.
        agreed_seats: those of them who have agreed.
        is_takeback: the question is about a takeback, for which a second OK agrees at once.
        names: the players in its words.
        needs_ok_or_back: only OK and BACK answer, so that no other key does so by mistake.
        on_declined: for a question that a phone has asked: reports who said no. Then any key may be meant for the game.
        is_box_only: no phone may say yes.
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
        return "Ask"

    def ignores(self, session: Session, key: str) -> bool:
        # Nobody may agree by a key that was meant for the game, or by a double tap.
        if self.declined is not None:
            return True
        return key == "#" == session.taps.key and (session.over or not self.is_take_back)

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "#":
            agreed = self.must_agree[: len(self.agreed) + 1]
            if len(agreed) < len(self.must_agree):
                return session.show(self._replace(agreed=agreed))
            return self.does(session.close())
        if key in ("up", "down", "left", "right") or (self.plain and key != "*"):
            return session
        session = self._decline(session).close()
        # A key that only cancelled the question doesn't become part of the draft.
        if key != "*" and isinstance(session.screen, MoveScreen):
            session = session.show(session.screen.after_cancel())
        return session

    def _decline(self, session: Session) -> Session:
        """Report to the phone that asked who said no."""
        if self.declined is None or session.round is None:
            return session
        return self.declined(session, session.round.player_name(self.asked))

    @property
    def asked(self) -> int:
        """The next seat that has to agree, 0 for none."""
        return self.must_agree[len(self.agreed)] if len(self.agreed) < len(self.must_agree) else 0

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        # A phone may always say no.
        return tuple(key for key in meant if key != "ok") if self.at_box else meant

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return self.names

    def content(self, session: Session) -> kinds.Content:
        yes, no = kinds.KeyMeaning("ok", text("yes")), kinds.KeyMeaning("back", text("no"))
        round_ = session.round
        if round_ is None or not self.must_agree:
            return kinds.Question(self.title, self.lines, (yes, no))
        seats = tuple(
            kinds.Seat(round_.player_name(seat), "yes" if seat in self.agreed else "asked" if seat == self.asked else "")
            for seat in sorted(self.must_agree)
        )
        yes = kinds.KeyMeaning("ok", text("{who} agrees", who=round_.player_name(self.asked)), shorter=(yes.says,))
        return kinds.Question(self.title, self.lines, (yes, no), seats)


class Misfit(Ask, TableScreen):
    """The question after keys that did not fit a draft: whether what is left of it counts.

    Only OK plays it. Every key but OK and BACK goes on with the draft.
    """

    thinking = True
    naming_goes_on = True

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        return super().press(session, key, held=held) if key in ("#", "*") else session.close().press(key)


def ask_without(session: Session, keys: str, question: str, does: Callable[[Session], Session]) -> Session:
    """Ask whether a draft counts without the `keys` that did not fit; "" for keys that the others may not see."""
    title = text("Ignored: {keys}", keys=" ".join(keys[-MOST_KEYS:])) if keys else text("A key was ignored")
    said = plural_text(len(keys) or 1, "This key does not fit.", "These keys do not fit.")
    return session.open(Misfit(does, title, (said, question), at_box=True))


class Refusing(MessageScreen):
    """A refusal, which fills the panel until the next key.

    BACK leads to the refused draft below. Any other key replaces that by `new_draft`, a new draft, on which it counts.
    Without `new_draft` the refused draft is kept whatever is pressed, as it is for pieces that were dealt or drawn.
    """

    refused: RefusedError
    fresh: Screen | None = None

    thinking = True

    def close(self, session: Session) -> Session:
        return session.close() if self.fresh is None else session.close().show(self.fresh)

    def due(self, session: Session) -> float | None:
        # Own pieces below the refusal are hidden in time too.
        below = session.close()
        return below.screen.due(below) if isinstance(below.screen, PrivateScreen) else None

    def tick(self, session: Session) -> Session:
        below = session.close()
        return below.screen.tick(below)

    def content(self, session: Session) -> kinds.Content:
        refused = self.refused
        figure, against = (referee.with_player_names(words, session.round) for words in (refused.figure, refused.conflict))
        meanings: tuple[kinds.KeyMeaning, ...] = ()
        if double_taps.takes_any_key(session):
            # Where any other key starts a new draft, only BACK keeps the refused one.
            again = text("try again") if self.fresh is None else text("retry")
            # If a piece was named wrongly, there is nothing to fix in the draft.
            wrong = session.round is not None and told_wrongly(session.round, refused)  # There nothing is to be fixed.
            fixes = text("keep") if wrong else text("fix it")
            keeps = () if self.fresh is None else (kinds.KeyMeaning("back", fixes),)
            meanings = (kinds.KeyMeaning("any", again), *keeps)
        rule, needed = (referee.with_seat_names(words, session.round) for words in (refused.rule, refused.needed))
        round_ = session.round
        if round_ is not None and _must_draw(round_, refused):
            rule = text("Did you draw? Then enter the draw first.")
        elif round_ is not None and told_wrongly(round_, refused):
            rule = text("Named wrongly? In the menu: Correct a piece.")
        return kinds.Refusal(refused.code, figure, against, rule, needed, meanings)


def _must_draw(round_: Round, refused: RefusedError) -> bool:
    """Whether the piece that isn't held may just have been drawn, so that the draw has to be entered first."""
    return refused.code == "held" and round_.move_input.must_draw(round_.known_state)


def told_wrongly(round_: Round, refused: RefusedError) -> bool:
    """Whether the reason may be a piece that was named wrongly: the mover's own, or one that another player holds."""
    if not round_.turn or _must_draw(round_, refused):
        return False
    if refused.row in refused.rows_about_others:
        others = (seat for seat in range(1, len(round_.header.names) + 1) if seat != round_.turn)
        return any(on_table.correctable_pieces(round_, seat) for seat in others)
    return refused.code == "held" and bool(on_table.correctable_pieces(round_, round_.turn))
