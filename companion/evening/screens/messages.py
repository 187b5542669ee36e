"""What is shown over anything else: messages, refusals, questions that players agree to, the last picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.evening import double_taps
from companion.evening.contents import kinds
from companion.evening.model import Screen
from companion.evening.screen_kinds import MessageScreen, MoveScreen, PrivateScreen, TableScreen
from companion.games.api.move_input import ARROWS
from companion.languages import join_texts, keys_text, plural_text, text
from companion.rounds import on_table, referee

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.evening.model import Session
    from companion.games.api import RefusedError
    from companion.rounds.on_table import Round


class Goodbye(Screen):
    """The last screen, which says that the power may be cut. No key does anything."""

    is_interruptible = False

    def content(self, session: Session) -> kinds.Content:
        return kinds.Cover(last=True)


class Notice(MessageScreen):
    """A message until the next key: an icon's name, a heading, what happened, and what follows.

    A BACK right after the OK that closes it may have been meant for the message, so it opens no menu.
    """

    icon: str
    heading: str
    message_lines: tuple[str, ...]
    next_line: str

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        return double_taps.mark_erased(session.close_screen()) if key == "#" else super().press(session, key)

    def announcement(self, session: Session) -> tuple[str, ...]:
        return self.heading, *self.message_lines, self.next_line

    def content(self, session: Session) -> kinds.Content:
        hints = (kinds.KeyHint("ok", text("go on")),)
        return kinds.Notice(self.icon, self.heading, join_texts(self.message_lines, " "), self.next_line, hints)


MAX_MISFITS_SHOWN = 5
"""The most keys that are listed as ignored, which are the last ones."""


class Confirmation(Screen):
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
        answers: what OK and BACK say.
    """

    on_agreed: Callable[[Session], Session]
    title: str
    lines: tuple[str, ...]
    agreeing_seats: tuple[int, ...] = ()
    agreed_seats: tuple[int, ...] = ()
    is_takeback: bool = False
    names: tuple[str, ...] = ()
    needs_ok_or_back: bool = False
    on_declined: Callable[[Session, str], Session] | None = None
    is_box_only: bool = False
    answers: tuple[str, str] = (text("yes"), text("no"))

    letter_keys = "keys"

    @property
    def public_name(self) -> str:
        return "Ask"

    def may_be_double_tap(self, session: Session, key: str) -> bool:
        # Nobody may agree by a key that was meant for the game, or by a double tap.
        if self.on_declined is not None:
            return True
        return key == "#" == session.taps.last_key and (session.has_result or not self.is_takeback)

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "#":
            agreed = self.agreeing_seats[: len(self.agreed_seats) + 1]
            if len(agreed) < len(self.agreeing_seats):
                return session.replace_screen(self._replace(agreed_seats=agreed))
            return self.on_agreed(session.close_screen())
        if key in ("up", "down", "left", "right") or (self.needs_ok_or_back and key != "*"):
            return session
        session = self._report_decline(session).close_screen()
        # A key that only cancelled the question doesn't become part of the draft.
        if key != "*" and isinstance(session.screen, MoveScreen):
            session = session.replace_screen(session.screen.with_cancel_notice())
        return session

    def _report_decline(self, session: Session) -> Session:
        """Report to the phone that asked who said no."""
        if self.on_declined is None or session.round is None:
            return session
        return self.on_declined(session, session.round.player_name(self.asked_seat))

    @property
    def asked_seat(self) -> int:
        """The next seat that has to agree, 0 for none."""
        return self.agreeing_seats[len(self.agreed_seats)] if len(self.agreed_seats) < len(self.agreeing_seats) else 0

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        # A phone may always say no.
        return tuple(key for key in meant if key != "ok") if self.is_box_only else meant

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return self.names

    def content(self, session: Session) -> kinds.Content:
        yes, no = kinds.KeyHint("ok", self.answers[0]), kinds.KeyHint("back", self.answers[1])
        round_ = session.round
        if round_ is None or not self.agreeing_seats:
            return kinds.Question(self.title, self.lines, (yes, no))
        seats = tuple(
            kinds.AskedPlayer(
                round_.player_name(seat),
                "yes" if seat in self.agreed_seats else "asked" if seat == self.asked_seat else "",
            )
            for seat in sorted(self.agreeing_seats)
        )
        yes = kinds.KeyHint("ok", text("{who} agrees", who=round_.player_name(self.asked_seat)), shorter=(yes.says,))
        return kinds.Question(self.title, self.lines, (yes, no), seats)


class MisfitConfirmation(Confirmation, TableScreen):
    """The question after keys that did not fit a draft: whether what is left of it counts.

    Only OK plays it. Every key but OK and BACK goes on with the draft.
    """

    counts_thinking_time = True
    allows_naming = True

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        return super().press(session, key, held=held) if key in ("#", "*") else session.close_screen().press_key(key)


def ask_to_ignore_misfit_keys(
    session: Session, keys: str, question: str, on_agreed: Callable[[Session], Session]
) -> Session:
    """Ask whether a draft counts without the `keys` that did not fit; "" for keys that the others may not see."""
    title = text("Ignored: {keys}", keys=keys_text(keys[-MAX_MISFITS_SHOWN:])) if keys else text("A key was ignored")
    explanation = plural_text(len(keys) or 1, "This key does not fit.", "These keys do not fit.")
    return session.open_screens(MisfitConfirmation(on_agreed, title, (explanation, question), is_box_only=True))


class RefusalScreen(MessageScreen):
    """A refusal, which fills the panel until the next key.

    BACK leads to the refused draft below; so does OK for one that was picked, and an arrow changes it. Any other key
    replaces it by `new_draft` and counts there. Without `new_draft` every key leads to the refused draft, as for pieces
    that were dealt or drawn.
    """

    refusal: RefusedError
    new_draft: Screen | None = None
    keeps_pick: bool = False

    public_name = "Refusing"
    counts_thinking_time = True

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if self.keeps_pick and key in ("#", *ARROWS):
            below = session.close_screen()
            return double_taps.mark_erased(below) if key == "#" else below.press_key(key)
        return super().press(session, key, held=held)

    def leave(self, session: Session) -> Session:
        below = session.close_screen()
        return below if self.new_draft is None else below.replace_screen(self.new_draft)

    def next_change_time(self, session: Session) -> float | None:
        # Own pieces below the refusal are hidden in time too.
        below = session.close_screen()
        return below.screen.next_change_time(below) if isinstance(below.screen, PrivateScreen) else None

    def tick(self, session: Session) -> Session:
        below = session.close_screen()
        return below.screen.tick(below)

    def content(self, session: Session) -> kinds.Content:
        refused = self.refusal
        figure, against = (
            referee.with_player_names(words, session.round) for words in (refused.figure, refused.conflict)
        )
        below = session.close_screen().screen
        is_empty = isinstance(below, MoveScreen) and below.has_empty_draft
        hints = (kinds.KeyHint("ok", text("go on")) if is_empty else kinds.KeyHint("back", text("change it")),)
        rule, needed = (referee.with_seat_names(words, session.round) for words in (refused.rule, refused.needed))
        round_ = session.round
        if round_ is not None and _draw_comes_first(round_, refused):
            rule = text("Did you draw? Then enter the draw first.")
        elif round_ is not None and may_be_misnamed(round_, refused):
            rule = text("Named wrongly? In the menu: Correct a piece.")
        return kinds.Refusal(refused.code, figure, against, rule, needed, hints)


def _draw_comes_first(round_: Round, refused: RefusedError) -> bool:
    """Whether the piece that isn't held may just have been drawn, so that the draw has to be entered first."""
    return refused.code == "held" and round_.move_input.must_draw(round_.known_state)


def may_be_misnamed(round_: Round, refused: RefusedError) -> bool:
    """Whether the reason may be a piece that was named wrongly: the mover's own, or one that another player holds."""
    if not round_.turn or _draw_comes_first(round_, refused):
        return False
    if refused.row in refused.rows_about_others:
        others = (seat for seat in range(1, len(round_.header.names) + 1) if seat != round_.turn)
        return any(on_table.correctable_pieces(round_, seat) for seat in others)
    return refused.code == "held" and bool(on_table.correctable_pieces(round_, round_.turn))
