"""Own pieces and hints, which only one player may see, after the others were asked to look away.

A hint is requested in the table menu, and a worker searches for it. It is shown part by part. If the seat to move has
pieces that only it and the box know, every part of the hint depends on them and is private.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from companion.evening.contents import kinds
from companion.evening.screen_kinds import MoveScreen, PrivateScreen, TableScreen
from companion.evening.screens.messages import Confirmation
from companion.evening.screens.play import computer_moves, scenes
from companion.games.api.computer_players import look_away_text
from companion.games.api.hint import HintPart
from companion.games.api.move_input import ARROWS, Draft
from companion.games.api.screen import PeekScene
from companion.inputs import HintRequest
from companion.languages import text
from companion.rounds import on_table

if TYPE_CHECKING:
    from companion.evening.model import Screen, Session
    from companion.inputs import HintProgress
    from companion.rounds.on_table import Round


PEEK_SECONDS = 2.0
MAX_HOLD_SECONDS = 30.0
"""Seconds for which a held OK shows pieces at most, in case the release gets lost."""
PRIVACY_SENTENCES = {
    "hint": "{who}'s hint is shown.",
    "mend": "{who}'s pieces are shown, to correct one.",
}
"""What the privacy screen announces where it isn't the player's own pieces."""


class LookAway(TableScreen):
    """The privacy screen before `private_screen`, or without one before the player's own pieces.

    OK shows them: own pieces for two seconds, or while a button is held. The private screen is opened over this one, so
    this is what everybody else sees meanwhile. `sentence_key` says in `PRIVACY_SENTENCES` what is going to be shown.
    """

    seat: int
    sentence_key: str = ""
    private_screen: Screen | None = None

    is_interruptible = False

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        # Only the people at the box can see whether the others look away.
        return ("back",)

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key != "#":
            return session.close_screen()
        seconds = MAX_HOLD_SECONDS if has_hold_button(session) else PEEK_SECONDS
        return session.open_screens(self.private_screen or Peek(self.seat, session.now + seconds))

    def content(self, session: Session) -> kinds.Content:
        round_ = session.current_round
        who = round_.player_name(self.seat)
        pieces_sentence = (
            "{who}'s pieces are shown while OK is held."
            if has_hold_button(session)
            else "{who}'s pieces are shown for two seconds."
        )
        heading = look_away_text(round_.header.names, self.seat) or text("For {who}", who=who)
        return kinds.Notice(
            "eye",
            heading,
            "",
            text(PRIVACY_SENTENCES.get(self.sentence_key, pieces_sentence), who=who),
            kinds.ok_and_back_hints("show", "back"),
        )


def has_hold_button(session: Session) -> bool:
    """Whether OK is a button of the box, which reports when it is released."""
    return session.uses_buttons and not session.settings.is_terminal and not session.key_device


class Peek(PrivateScreen):
    """A player's own pieces, until the monotonic time `ends_at`, or while OK is held."""

    seat: int
    ends_at: float

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        return session.show_base_screen() if key == "*" else session

    def release(self, session: Session, key: str) -> Session:
        return session.show_base_screen() if key == "ok" else session

    def next_change_time(self, session: Session) -> float:
        return self.ends_at

    def content(self, session: Session) -> kinds.Content:
        round_ = session.current_round
        view = round_.game.seat_view(round_.state, self.seat)
        words = round_.move_input.own_pieces_text(view, self.seat)
        scene = PeekScene(view, round_.options, round_.player_name(self.seat), self.seat, words)
        return kinds.Drawn(round_.header.game, scene)

    def hide(self, session: Session) -> Session:
        return session.show_base_screen()


NEXT_KEYS, PREVIOUS_KEYS = ("#", "down", "right"), ("up", "left")
"""The keys that lead to the next part of a hint, and those that lead back."""


class Hint(PrivateScreen):
    """A hint for the seat to move.

    OK enters the move that the open part is about, or shows its place on the board; where there is neither it turns to
    the next part. Arrows turn the parts, BACK leaves. A key of a move counts at the table, and an arrow on the board
    begins the move there.

    Attributes:
        request: what was asked for.
        percent: how much of the search is done, while there are no `parts`.
        parts: the parts.
        part_number: the open part, from 0.
        is_hidden: whether it depends on pieces that only this seat and the box know.
        shows_board: whether the board shows the place that the open part is about.
    """

    request: HintRequest
    percent: int = 0
    parts: tuple[HintPart, ...] = ()
    part_number: int = 0
    is_hidden: bool = False
    shows_board: bool = False

    @property
    def is_public(self) -> bool:
        return not self.is_hidden

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key not in (*NEXT_KEYS, *PREVIOUS_KEYS, "*"):
            return _leave_hint(session).press_key(key)
        if self.shows_board and key in ARROWS:
            session = _leave_hint(session)
            screen, place = session.screen, self.parts[self.part_number].place
            return screen.begin_move_at(session, place, key) if isinstance(screen, MoveScreen) else session
        if key == "#" and not self.shows_board and self._marked_place(session) is not None:
            return self._show(session, self._replace(shows_board=True))
        if key == "*":
            return _leave_hint(session)
        if key == "#" and (typed := self._move_keys(session)):
            session = _leave_hint(session)
            for each in typed:
                session = session.screen.press(session, each)
            return session
        number = max(0, min(self.part_number + (1 if key in NEXT_KEYS else -1), len(self.parts) - 1))
        return self._show(session, self._replace(part_number=number, shows_board=False))

    def _show(self, session: Session, screen: Hint) -> Session:
        return session.replace_screen(screen)._replace(last_hint=screen)

    def _marked_place(self, session: Session) -> Any:
        """What the board marks for the open part, None for nothing."""
        event = self.parts[self.part_number].place if self.parts else ""
        round_ = session.current_round
        return round_.move_input.move_marks(round_.game.seat_view(round_.state, None), event) if event else None

    def content(self, session: Session) -> kinds.Content:
        back = kinds.KeyHint("back", text("back"))
        if not self.parts:
            return kinds.Progress(text("Hint"), self.percent, text("I am thinking."), text("You can play on."), (back,))
        place = self._marked_place(session)
        if self.shows_board and place is not None:
            say = text("{key} for more", key=session.ok_name)
            round_ = session.current_round
            scene = scenes.round_scene(session, round_, Draft("", marks=place), say)
            return kinds.Drawn(round_.header.game, scene._replace(back_label=text("table")))
        has_more = self.part_number < len(self.parts) - 1
        ok_label = text("enter it") if self._move_keys(session) else text("more") if has_more else ""
        if place is not None:
            ok_label = text("show it")
        ok = (kinds.KeyHint("ok", ok_label),) if ok_label else ()
        return kinds.Parts(self.parts, (*ok, back), self.part_number)

    def _move_keys(self, session: Session) -> str:
        """The keys that enter the move of the open part, so that the table shows where it is; "" for none."""
        event = self.parts[self.part_number].event if self.parts else ""
        return session.current_round.move_input.keys_for_event(event) if event else ""

    def announcement(self, session: Session) -> tuple[str, ...]:
        return tuple(self.parts[self.part_number].text_lines) if self.parts and not self.is_hidden else ()

    @property
    def privacy_screen(self) -> LookAway:
        return LookAway(self.request.seat, "hint", self)


def _leave_hint(session: Session) -> Session:
    """Close the hint and its privacy screen. The move that is due is below."""
    return session.close_screens_above(MoveScreen)


def no_hint_reason(round_: Round) -> str:
    """Why no hint can be given now, even if hints are on; "" if one can."""
    if round_.turn is None:
        return text("Nobody is to move.")
    if computer_moves.is_computer_seat(round_, round_.turn):
        return text("It is the computer's turn, and its pieces are secret.")
    return on_table.unnamed_piece_reason(round_)


def hint_request(round_: Round) -> HintRequest:
    """The request for a hint for the seat that is to move."""
    return HintRequest(round_.header.game, round_.turn or 0, round_.states, round_.events)


def is_current(session: Session, requested: HintRequest) -> bool:
    """Whether hints are on, and the position is still the one for which the hint was requested."""
    return session.switches.hints and session.round is not None and hint_request(session.round) == requested


def open_hint_or_ask(session: Session, round_: Round) -> Session:
    """Open a hint; if hints are off, ask everybody first whether they shall be on."""
    if session.switches.hints:
        return open_hint(session, round_)
    question = Confirmation(
        partial(_open_first_hint, round_=round_), text("Hints are off"), (text("Shall I give hints from now on?"),)
    )
    return session.show_base_screen(question)


def _open_first_hint(session: Session, round_: Round) -> Session:
    return open_hint(session.toggle_switch("hints"), round_)


def open_hint(session: Session, round_: Round) -> Session:
    """Open a hint, which is requested if the position is new; in the same position the next part of the last hint."""
    new_request = hint_request(round_)
    last = session.last_hint
    if isinstance(last, Hint) and last.request == new_request:
        return _show_hint(
            session,
            round_,
            last._replace(part_number=min(last.part_number + 1, max(0, len(last.parts) - 1)), shows_board=False),
        )
    hint = Hint(new_request, is_hidden=_depends_on_hidden(round_))
    return _show_hint(session, round_, hint).send_request(new_request)


def _show_hint(session: Session, round_: Round, hint: Hint) -> Session:
    """Show a hint. If it depends on hidden pieces, the others are asked to look away first."""
    others = look_away_text(round_.header.names, hint.request.seat)
    privacy = (hint.privacy_screen,) if hint.is_hidden else ()
    return session.show_base_screen(*privacy if privacy and others else (*privacy, hint))._replace(last_hint=hint)


def _depends_on_hidden(round_: Round) -> bool:
    """Whether the seat to move has pieces that only it and the box know."""
    opened = [kind for kind, seat in round_.header.opened if seat == round_.turn]
    return any(not round_.manifest.holdings[kind].is_face_up for kind in opened)


def apply_hint_progress(session: Session, progress: HintProgress) -> Session:
    """Take a hint or the progress of its search, if the position is still the same."""
    last = session.last_hint
    if not isinstance(last, Hint) or last.request != progress.request or not is_current(session, progress.request):
        return session
    session = session._replace(last_hint=_with_progress(last, progress))
    session = session.replace_screens(Hint, lambda hint: _with_progress(hint, progress))
    return session.replace_screens(
        LookAway,
        lambda away: (
            away._replace(private_screen=_with_progress(away.private_screen, progress))
            if isinstance(away.private_screen, Hint)
            else away
        ),
    )


def _with_progress(hint: Hint, progress: HintProgress) -> Hint:
    return hint._replace(percent=progress.percent, parts=progress.parts)
