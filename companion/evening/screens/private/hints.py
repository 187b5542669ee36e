"""Own pieces and hints, which only one player may see, after the others were asked to look away.

A hint is requested in the table menu, and a worker searches for it. It is shown part by part. If the seat to move has
pieces that only it and the box know, every part of the hint depends on them and is private.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.evening.contents import kinds
from companion.evening.screen_kinds import MoveScreen, PrivateScreen, TableScreen
from companion.evening.screens.play import box_moves, scenes
from companion.games.api.box_seats import look_away_text
from companion.games.api.entry import Draft
from companion.games.api.hint import HintPart
from companion.games.api.screen import PeekScene
from companion.inputs import HintRequest
from companion.languages import text
from companion.rounds import on_table

if TYPE_CHECKING:
    from companion.evening.model import Screen, Session
    from companion.inputs import HintProgress
    from companion.rounds.on_table import Round


PEEK_SECONDS = 2.0
HELD_SECONDS = 30.0
"""Seconds for which a held OK shows pieces at most, in case the release gets lost."""
SENTENCES = {"hint": "A hint for {who}", "mend": "{who}'s pieces, to correct one"}
"""What the privacy screen announces where it isn't the player's own pieces."""


class LookAway(TableScreen):
    """The privacy screen before `private_screen`, or without one before the player's own pieces.

    OK shows them: own pieces for two seconds, or while a button is held. The private screen is opened over this one, so
    this is what everybody else sees meanwhile. `sentence_key` says in `PRIVACY_SENTENCES` what is going to be shown.
    """

    seat: int
    what: str = ""
    then: Screen | None = None

    interruptible = False

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        # Only the people at the box can see whether the others look away.
        return ("back",)

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key != "#":
            return session.close()
        seconds = HELD_SECONDS if _can_hold(session) else PEEK_SECONDS
        return session.open(self.then or Peek(self.seat, session.clock + seconds))

    def content(self, session: Session) -> kinds.Content:
        round_ = session.round_here
        who = round_.player_name(self.seat)
        own = "{who}'s pieces, while OK is held" if _can_hold(session) else "{who}'s pieces, for two seconds"
        heading = look_away_text(round_.header.names, self.seat) or text("For {who}", who=who)
        return kinds.Notice(
            "eye", heading, "", text(SENTENCES.get(self.what, own), who=who), kinds.ok_back("show", "no")
        )


def _can_hold(session: Session) -> bool:
    """Whether OK is a button, which reports when it is released."""
    return session.buttons and not session.settings.is_terminal


class Peek(PrivateScreen):
    """A player's own pieces, until the monotonic time `ends_at`, or while OK is held."""

    seat: int
    until: float

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        return session.show_base() if key == "*" else session

    def release(self, session: Session, key: str) -> Session:
        return session.show_base() if key == "ok" else session

    def due(self, session: Session) -> float:
        return self.until

    def content(self, session: Session) -> kinds.Content:
        round_ = session.round_here
        view = round_.game.seat_view(round_.state, self.seat)
        words = round_.move_input.own_pieces_text(view, self.seat)
        scene = PeekScene(view, round_.options, round_.player_name(self.seat), self.seat, words)
        return kinds.Drawn(round_.header.game, scene)

    def cover(self, session: Session) -> Session:
        return session.show_base()


NEXT, BEFORE = ("#", "down", "right"), ("up", "left")
"""The keys that lead to the next part of a hint, and those that lead back."""


class Hint(PrivateScreen):
    """A hint for the seat to move.

    OK enters the move that the open part is about, or shows its place on the board; where there is neither it turns to
    the next part. Arrows turn the parts, BACK leaves. A key of a move counts at the table.

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
    number: int = 0
    hidden: bool = False
    on_board: bool = False

    @property
    def is_public(self) -> bool:
        return not self.hidden

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key not in (*NEXT, *BEFORE, "*"):
            return _leave(session).press(key)
        if self.on_board and key in ("*", *BEFORE):
            return self._open(session, self._replace(on_board=False))
        if key == "#" and not self.on_board and self._place(session) is not None:
            return self._open(session, self._replace(on_board=True))
        if key == "*":
            return _leave(session)
        if key == "#" and (typed := self._typed(session)):
            session = _leave(session)
            for each in typed:
                session = session.screen.press(session, each)
            return session
        number = max(0, min(self.number + (1 if key in NEXT else -1), len(self.parts) - 1))
        return self._open(session, self._replace(number=number, on_board=False))

    def _open(self, session: Session, there: Hint) -> Session:
        return session.show(there)._replace(hint=there)

    def _place(self, session: Session) -> Any:
        """What the board marks for the open part, None for nothing."""
        event = self.parts[self.number].place if self.parts else ""
        round_ = session.round_here
        return round_.move_input.move_marks(round_.game.seat_view(round_.state, None), event) if event else None

    def content(self, session: Session) -> kinds.Content:
        back = kinds.KeyMeaning("back", text("back"))
        if not self.parts:
            return kinds.Progress(text("Hint"), self.percent, text("I am thinking."), text("You can play on."), (back,))
        place = self._place(session)
        if self.on_board and place is not None:
            say = text("{key} for more", key="OK" if session.buttons else "#")
            round_ = session.round_here
            return kinds.Drawn(round_.header.game, scenes.scene(session, round_, Draft("", marks=place), say))
        more = self.number < len(self.parts) - 1
        does = text("enter it") if self._typed(session) else text("more") if more else ""
        if place is not None:
            does = text("show it")
        ok = (kinds.KeyMeaning("ok", does),) if does else ()
        return kinds.Parts(self.parts, (*ok, back), self.number)

    def _typed(self, session: Session) -> str:
        """The keys that enter the move of the open part, so that the table shows where it is; "" for none."""
        event = self.parts[self.number].event if self.parts else ""
        return session.round_here.move_input.keys_for_event(event) if event else ""

    def announces(self, session: Session) -> tuple[str, ...]:
        return tuple(self.parts[self.number].text_lines) if self.parts and not self.hidden else ()

    @property
    def privacy_screen(self) -> LookAway:
        return LookAway(self.request.seat, "hint", self)


def _leave(session: Session) -> Session:
    """Close the hint and its privacy screen. The move that is due is below."""
    return session.close_to(MoveScreen)


def why_not(session: Session, round_: Round) -> str:
    """Why no hint can be given now; "" if one can."""
    if round_.turn is None:
        return text("Nobody is to move.")
    if box_moves.plays(round_, round_.turn):
        return text("It is the computer's turn, and its pieces are secret.")
    if not session.switches.hints:
        return text("Hints are off: the entry above switches them on.")
    return on_table.unnamed_piece_reason(round_)


def request(round_: Round) -> HintRequest:
    """The request for a hint for the seat that is to move."""
    return HintRequest(round_.header.game, round_.turn or 0, round_.states, round_.events)


def stands(session: Session, asked: HintRequest) -> bool:
    """Whether hints are on, and the position is still the one for which the hint was requested."""
    return session.switches.hints and session.round is not None and request(session.round) == asked


def open_hint(session: Session, round_: Round) -> Session:
    """Open a hint, which is requested if the position is new; in the same position the next part of the last hint."""
    asked = request(round_)
    last = session.hint
    if isinstance(last, Hint) and last.request == asked:
        return _show_hint(
            session, round_, last._replace(number=min(last.number + 1, max(0, len(last.parts) - 1)), on_board=False)
        )
    hint = Hint(asked, hidden=_hidden(round_))
    return _show_hint(session, round_, hint).request(asked)


def _show_hint(session: Session, round_: Round, hint: Hint) -> Session:
    """Show a hint. If it depends on hidden pieces, the others are asked to look away first."""
    others = look_away_text(round_.header.names, hint.request.seat)
    privacy = (hint.privacy_screen,) if hint.hidden else ()
    return session.show_base(*privacy if privacy and others else (*privacy, hint))._replace(hint=hint)


def _hidden(round_: Round) -> bool:
    """Whether the seat to move has pieces that only it and the box know."""
    opened = [kind for kind, seat in round_.header.opened if seat == round_.turn]
    return any(not round_.manifest.holdings[kind].is_face_up for kind in opened)


def take_hint(session: Session, hinted: HintProgress) -> Session:
    """Take a hint or the progress of its search, if the position is still the same."""
    last = session.hint
    if not isinstance(last, Hint) or last.request != hinted.request or not stands(session, hinted.request):
        return session
    session = session._replace(hint=_with(last, hinted))
    session = session.change_screens(Hint, lambda hint: _with(hint, hinted))
    return session.change_screens(
        LookAway, lambda away: away._replace(then=_with(away.then, hinted)) if isinstance(away.then, Hint) else away
    )


def _with(hint: Hint, hinted: HintProgress) -> Hint:
    return hint._replace(percent=hinted.percent, parts=hinted.parts)
