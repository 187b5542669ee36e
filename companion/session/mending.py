"""Mending: a piece that was named wrongly is replaced in its deal or refill, and all later events are replayed.

The piece may be hidden, so no message about a mend names a piece.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from companion.game import Refused
from companion.session import rounds
from companion.session.actions import Action
from companion.session.model import Ask, Dealing, Menu, Notice, Phones, Playing, Refusing, new_round, with_deal

if TYPE_CHECKING:
    from companion.game.manifest import HoldingKind
    from companion.phone_requests import MendRequest
    from companion.session.model import Mode, Round, Session


class Naming(NamedTuple):
    """Pieces that a seat has named at once.

    `place` counts the standing deals and events of the round from 1, as the store's ``mend`` does; `word` is the
    holding's or the event's, `move` the number of the event, 0 for a deal.
    """

    place: int
    word: str
    pieces: tuple[str, ...]
    move: int = 0


def namings(round_: Round, seat: int) -> tuple[Naming, ...]:
    """All pieces that a seat has named in the round, where they were named."""
    game, options = round_.game, round_.options
    found = []
    for place, (kind, owner, text) in enumerate(round_.deals, 1):
        if owner == seat:
            pieces = tuple(game.write_deal((piece,)) for piece in game.read_deal(text, kind, options))
            found.append(Naming(place, kind, pieces))
    for move, (owner, text) in enumerate(round_.events, 1):
        word, *named = text.split()
        if owner == seat and named and round_.entry.reveals(text):
            found.append(Naming(len(round_.deals) + move, word, tuple(named), move))
    return tuple(found)


def mendable(round_: Round, seat: int) -> list[tuple[Naming, int]]:
    """The named pieces that a seat still holds, each by its naming and which of it (from 0), the first named first.

    What has been played lies on the table for everybody to see. Of pieces that are alike the ones named last are held.
    """
    every = [(named, which) for named in namings(round_, seat) for which in range(len(named.pieces))]
    held = round_.entry.held(round_.game.view(round_.state, seat), seat) if not round_.waiting else None
    if held is None:
        return every
    left, found = Counter(held), []
    for named, which in reversed(every):
        if left[named.pieces[which]]:
            left[named.pieces[which]] -= 1
            found.append((named, which))
    return found[::-1]


def requested(round_: Round, seat: int, request: MendRequest) -> tuple[Naming, str]:
    """The naming that a request refers to, and the new text for its place. Raises Refused."""
    for named in namings(round_, seat):
        grid = {one for row in round_.entry.grid(named.word, round_.options) for one in row}
        if named.place == request.place and 0 <= request.which < len(named.pieces) and request.piece in grid:
            pieces = " ".join((*named.pieces[: request.which], request.piece, *named.pieces[request.which + 1 :]))
            return named, f"{named.word} {pieces}" if named.move else pieces
    raise Refused("mend", "There is no such piece to mend.")


def clashes(round_: Round, kind: HoldingKind, seat: int, text: str) -> bool:
    """Whether a refused holding is impossible only because of other seats' holdings.

    It is then valid together with the seat's own other holdings alone.
    """
    alone = new_round(round_.id, round_.header)
    try:
        for own_kind, owner, own in round_.deals:
            if owner == seat and own_kind != kind:
                alone = with_deal(alone, own_kind, seat, own)
        with_deal(alone, kind, seat, text)
    except Refused:
        return False
    return True


def ask(session: Session, round_: Round, seat: int, place: int, text: str, *, unbidden: bool = True) -> Session:
    """The session with the mend done if no move has been made, else with the question to another player.

    `unbidden` is whether a phone asks, so that the question may interrupt anything.
    """
    if not round_.events:
        return _done(session, session.mode, place, text)
    other = seat % len(round_.header.names) + 1
    lines = (f"{round_.name(seat)} has named", "a piece wrongly.")
    question = Ask(
        Action.MEND, "Mend a piece?", lines, (seat, other), (seat,), session.mode, (place, text), unbidden=unbidden
    )
    return session._replace(mode=question)


def agreed(session: Session, question: Ask) -> Session:
    """The session with the mend done, or refused if a later event would become illegal; a notice says which."""
    round_ = session.round
    if round_ is None:
        return session
    place, text = question.mend
    seat = [*round_.deals, *(("", seat, text) for seat, text in round_.events)][place - 1][1]
    try:
        after = _done(session, question.back, place, text)
        turn = after.round.turn if after.round is not None else None
        said, follows = ("has mended", "a wrong piece"), f"{round_.name(turn)} is to move" if turn is not None else ""
    except Refused as refused:
        after = session._replace(mode=question.back)
        said = ("cannot mend", "that piece")
        follows = refused.figure if refused.code == "mend" else "The pieces would not fit"
    return after._replace(mode=Notice("hand", round_.name(seat), said, follows, after.mode))


def _done(session: Session, mode: Mode, place: int, text: str) -> Session:
    """The session with the mend on its way to the store."""
    return undisturbed(rounds.mend(session, place, text), mode)


def undisturbed(after: Session, mode: Mode) -> Session:
    """The session after a phone's request, in the mode from before if that still fits the round.

    This keeps what somebody else has half entered.
    """
    if after.round is None or after.mode != (waits := rounds.table(after.round)):
        return after  # Something is told now.
    begun = mode.back if isinstance(mode, Refusing) else mode
    match waits, begun:
        case Playing(), Playing(pick=None):
            return after._replace(mode=mode)
        case Dealing(), Dealing() if (begun.kind, begun.seat, begun.size) == (waits.kind, waits.seat, waits.size):
            return after._replace(mode=mode)
        case _, Menu() | Phones():
            return after._replace(mode=mode)
    return after
