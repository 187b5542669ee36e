"""Pieces that a seat has named, which of them it still holds, and the round with one of them replaced."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from companion.game import Refused
from companion.game.manifest import HoldingKind
from companion.inputs import MendRequest
from companion.languages import text
from companion.rounds.on_table import Round, new_round, with_deal, with_event


def mended(round_: Round, place: int, written: str) -> Round:
    """The round with `written` in the place of a deal or event. Raises Refused, naming the event that fails."""
    deals, events = list(round_.deals), list(round_.events)
    if place <= len(deals):
        deals[place - 1] = (*deals[place - 1][:2], written)
    else:
        events[place - len(deals) - 1] = (events[place - len(deals) - 1][0], written)
    again = round_._replace(deals=(), events=(), times=(), states=round_.states[:1])
    for kind, seat, pieces in deals:
        again = with_deal(again, kind, seat, pieces)
    for number, ((seat, event), seconds) in enumerate(zip(events, round_.times, strict=True), 1):
        try:
            again = with_event(again, seat, event, seconds)
        except Refused:
            who, did = round_.name(seat), round_.event_words(number, hidden=True)
            said = text("First take back move {number}: {who} {did}", number=number, who=who, did=did)
            raise Refused("mend", said, "", text("nothing is corrected")) from None
    return again


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
    for place, (kind, owner, dealt) in enumerate(round_.deals, 1):
        if owner == seat:
            pieces = tuple(game.write_deal((piece,)) for piece in game.read_deal(dealt, kind, options))
            found.append(Naming(place, kind, pieces))
    for move, (owner, event) in enumerate(round_.events, 1):
        word, *named = event.split()
        if owner == seat and named and round_.entry.reveals(event):
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
    raise Refused("mend", text("There is no such piece to correct."))


def clashes(round_: Round, kind: HoldingKind, seat: int, pieces: str) -> bool:
    """Whether a refused holding is impossible only because of other seats' holdings.

    It is then valid together with the seat's own other holdings alone.
    """
    alone = new_round(round_.id, round_.header)
    try:
        for own_kind, owner, own in round_.deals:
            if owner == seat and own_kind != kind:
                alone = with_deal(alone, own_kind, seat, own)
        with_deal(alone, kind, seat, pieces)
    except Refused:
        return False
    return True


def masked(round_: Round, word: str, pieces: tuple[str, ...]) -> bool:
    """Whether any of these pieces is hidden from the others."""
    held = round_.manifest.holding(word)
    return (held is not None and not held.face_up) or any(round_.entry.masked(word, piece) for piece in pieces)


def unnamed(round_: Round) -> str:
    """That a drawn piece is to be named first, where one is; else ""."""
    return text("Name what was drawn first.") if round_.entry.due(round_.state) is not None else ""
