"""Hints on the panel: requested in the table menu, computed in another thread, shown part by part.

If the seat to move has pieces that only it and the box know, the others are asked to look away first, because every
part of the hint depends on these pieces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.contents import kinds
from companion.game.box_seats import look_away
from companion.game.entry import Draft
from companion.game.hint import HintPart
from companion.inputs import HintRequest
from companion.languages import text
from companion.moments.play import box_moves, scenes
from companion.moments.private.look_away import COVERED_SECONDS, LookAway
from companion.rounds import namings
from companion.session.screen_kinds import MoveScreen, PrivateScreen

if TYPE_CHECKING:
    from companion.inputs import Hinted
    from companion.rounds.on_table import Round
    from companion.session.model import Session

NEXT, BEFORE = ("#", "down", "right"), ("up", "left")


class Hint(PrivateScreen):
    """A hint for the seat to move, open at part `number` (from 0); without `parts` the search has done `percent` of it.

    `hidden` is whether it depends on pieces that only this seat and the box know, `on_board` whether the table shows
    the place that the open part is about.
    """

    request: HintRequest
    percent: int = 0
    parts: tuple[HintPart, ...] = ()
    number: int = 0
    hidden: bool = False
    on_board: bool = False

    @property
    def is_public(self) -> bool:
        """Whether it depends on no hidden piece."""
        return not self.hidden

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK enters the move that the part is about, or shows its place; else it tells the next part.

        Arrows turn the parts, BACK leaves. Keys of a move count at the table.
        """
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
        """What the table marks of the place that the open part is about; None for nothing."""
        event = self.parts[self.number].place if self.parts else ""
        round_ = session.round_here
        return round_.entry.place(round_.game.view(round_.state, None), event) if event else None

    def due(self, session: Session) -> float | None:
        """When it is covered by itself, if it depends on hidden pieces."""
        return session.taps.pressed + COVERED_SECONDS if self.hidden else None

    def tick(self, session: Session) -> Session:
        """Cover it."""
        return self.cover(session)

    def cover(self, session: Session) -> Session:
        """Show the privacy screen, which leads back to the part that is open."""
        return session.close().show(self.privacy_screen)

    def content(self, session: Session) -> kinds.Content:
        """Its parts; while it is thought out how far it has come."""
        back = kinds.KeyMeaning("back", text("back"))
        if not self.parts:
            return kinds.Progress(text("Hint"), self.percent, text("I am thinking."), text("You can play on."), (back,))
        place = self._place(session)
        if self.on_board and place is not None:
            say = text("{key}: read on", key="OK" if session.buttons else "#")
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
        return session.round_here.entry.keys(event) if event else ""

    def announces(self, session: Session) -> tuple[str, ...]:
        """The part that is open, if it depends on no hidden piece."""
        return tuple(self.parts[self.number].said) if self.parts and not self.hidden else ()

    @property
    def privacy_screen(self) -> LookAway:
        """The screen before it, where it depends on hidden pieces."""
        return LookAway(self.request.seat, "hint", self)


def _leave(session: Session) -> Session:
    """Close the hint with its privacy screen: the move that is due is below."""
    return session.close_to(MoveScreen)


def why_not(session: Session, round_: Round) -> str:
    """Why no hint can be given now; "" if one can."""
    if round_.turn is None:
        return text("Nobody is to move.")
    if box_moves.plays(round_, round_.turn):
        return text("It is the box's turn, and its pieces are its own.")
    if not session.switches.hints:
        return text("Hints are off: the entry above switches them on.")
    return namings.unnamed(round_)


def request(round_: Round) -> HintRequest:
    """The request for a hint for the seat that is to move."""
    return HintRequest(round_.header.game, round_.turn or 0, round_.states, round_.events)


def stands(session: Session, asked: HintRequest) -> bool:
    """Whether hints are on, and the position is still the one for which the hint was requested."""
    return session.switches.hints and session.round is not None and request(session.round) == asked


def open_hint(session: Session, round_: Round) -> Session:
    """Open a hint, requested if it is new; in the same position its next part."""
    asked = request(round_)
    last = session.hint
    if isinstance(last, Hint) and last.request == asked:
        return _show_hint(
            session, round_, last._replace(number=min(last.number + 1, max(0, len(last.parts) - 1)), on_board=False)
        )
    hint = Hint(asked, hidden=_hidden(round_))
    return _show_hint(session, round_, hint).request(asked)


def _show_hint(session: Session, round_: Round, hint: Hint) -> Session:
    """The session that shows the hint; if it depends on hidden pieces, the others are asked to look away first."""
    others = look_away(round_.header.names, hint.request.seat)
    privacy = (hint.privacy_screen,) if hint.hidden else ()
    return session.show_base(*privacy if privacy and others else (*privacy, hint))._replace(hint=hint)


def _hidden(round_: Round) -> bool:
    """Whether the seat to move has pieces that only it and the box know."""
    opened = [kind for kind, seat in round_.header.opened if seat == round_.turn]
    return any(not round_.manifest.holdings[kind].face_up for kind in opened)


def take_hint(session: Session, hinted: Hinted) -> Session:
    """Take a hint, or how far it is thought out, if the position is still the same."""
    last = session.hint
    if not isinstance(last, Hint) or last.request != hinted.request or not stands(session, hinted.request):
        return session
    session = session._replace(hint=_with(last, hinted))
    match session.screen:
        case Hint() as hint:
            return session.show(_with(hint, hinted))
        case LookAway(then=Hint() as hint) as away:
            return session.show(away._replace(then=_with(hint, hinted)))
    return session


def _with(hint: Hint, hinted: Hinted) -> Hint:
    return hint._replace(percent=hinted.percent, parts=hinted.parts)
