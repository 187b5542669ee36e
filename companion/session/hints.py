"""Hints on the panel: requested in the table menu, computed in another thread, shown part by part.

If the seat to move has pieces that only it and the box know, the others are asked to look away first, because every
part of the hint depends on these pieces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.opponent import look_away
from companion.inputs import HintRequest
from companion.session import asks, opponent
from companion.session.model import Hint, LookAway

if TYPE_CHECKING:
    from companion.inputs import Hinted
    from companion.session.model import Round, Session

NEXT, BEFORE = ("#", "down", "right"), ("up", "left")


def why_not(session: Session, round_: Round) -> str:
    """Why no hint can be given now; "" if one can."""
    if round_.turn is None:
        return "Nobody is to move."
    if opponent.plays(round_, round_.turn):
        return "It is the box's turn, and its pieces are its own."
    if not session.hints:
        return "Hints are off: the entry above switches them on."
    return "Name what was drawn first." if round_.entry.due(round_.state) is not None else ""


def request(round_: Round) -> HintRequest:
    """The request for a hint for the seat that is to move."""
    return HintRequest(round_.header.game, round_.turn or 0, round_.states, round_.events)


def stands(session: Session, asked: HintRequest) -> bool:
    """Whether hints are on, and the position is still the one for which the hint was requested."""
    return session.hints and session.round is not None and request(session.round) == asked


def opened(session: Session, round_: Round) -> Session:
    """The session with the hint open, requested if it is new; in the same position its next part."""
    asked = request(round_)
    last = session.hint
    if last is not None and last.request == asked:
        return _shown(session, round_, last._replace(number=min(last.number + 1, max(0, len(last.parts) - 1))))
    hint = Hint(asked, hidden=_hidden(round_))
    return _shown(session, round_, hint)._replace(requests=(*session.requests, asked))


def _shown(session: Session, round_: Round, hint: Hint) -> Session:
    """The session that shows the hint; if it depends on hidden pieces, the others are asked to look away first."""
    asks_first = hint.hidden and look_away(round_.header.names, hint.request.seat)
    mode = LookAway(hint.request.seat, hint=hint) if asks_first else hint
    return session._replace(mode=mode, hint=hint)


def _hidden(round_: Round) -> bool:
    """Whether the seat to move has pieces that only it and the box know."""
    opened = [kind for kind, seat in round_.header.opened if seat == round_.turn]
    return any(not round_.manifest.holdings[kind].face_up for kind in opened)


def on_result(session: Session, answer: Hinted) -> Session:
    """The session with the answer to a request for a hint, if the position is still the same."""
    if session.hint is None or session.hint.request != answer.request or not stands(session, answer.request):
        return session
    session = session._replace(hint=_with(session.hint, answer))
    match session.mode:
        case Hint() as hint:
            return session._replace(mode=_with(hint, answer))
        case LookAway(hint=Hint() as hint) as away:
            return session._replace(mode=away._replace(hint=_with(hint, answer)))
    return session


def _with(hint: Hint, answer: Hinted) -> Hint:
    return hint._replace(percent=answer.percent, parts=answer.parts)


def press(session: Session, mode: Hint, key: str) -> Session | None:
    """OK asks again: the next part. Arrows turn the parts, BACK leaves, another key counts at the table (None)."""
    if key in NEXT or key in BEFORE:
        number = max(0, min(mode.number + (1 if key in NEXT else -1), len(mode.parts) - 1))
        mode = mode._replace(number=number)
        return session._replace(mode=mode, hint=mode)
    return asks.to_table(session) if key == "*" else None
