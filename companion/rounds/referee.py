"""What the referee says to the question whether somebody could have moved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion import games
from companion.game import Refused, inherits
from companion.game.words import Words
from companion.languages import text

if TYPE_CHECKING:
    from companion.rounds.on_table import Round

Known = Literal["all", "some", "none"]

_HAS: dict[Known, str] = {
    "all": "{who} has no valid move now.",
    "some": "{who} has no valid move in what is open to me.",
    "none": "{who}'s pieces are secret: I cannot know.",
}
_HAD: dict[Known, str] = {
    "all": "{who} {did} at move {number}, and had no valid move then.",
    "some": "{who} {did} at move {number}, and had no valid move then in what is open to me.",
    "none": "{who} {did} at move {number}, the pieces secret: I cannot know.",
}


def could(round_: Round) -> tuple[str, ...]:
    """Lines that say whether the seat to move has a legal move, and whether the last "I cannot" was right, if known."""
    turn = round_.turn
    now = text("Nobody is to move.")
    # Where nobody can say "I cannot", the rules give the turn to who can move.
    never_passes = inherits(round_.entry.claimed, Words.claimed)
    if turn is not None and (never_passes or round_.game.find(round_.state) is not None):
        now = text("{who} has a valid move now.", who=round_.name(turn))
    elif turn is not None:
        now = text(_HAS[_known_to(round_, turn)], who=round_.name(turn))
    return text("Could I have moved?"), now, *_last_claim(round_)


def _last_claim(round_: Round) -> tuple[str, ...]:
    """Whether the last "I cannot" was right, as far as is known: of skipped seats, else of the last draw or pass."""
    skipped = () if round_.waiting else round_.game.skipped(round_.state)
    if skipped:
        return tuple(_skipped(round_, seat) for seat in dict.fromkeys(skipped))
    for number, (seat, event) in reversed(list(enumerate(round_.events, 1))):
        if claimed := round_.entry.claimed(event):  # Refused where an open holding had a valid play.
            had = _HAD[_known_to(round_, seat)]
            return (text(had, number=number, who=round_.name(seat), did=claimed),)
    return ()


def _skipped(round_: Round, seat: int) -> str:
    """That a seat was skipped, and why."""
    if why := round_.entry.skipped_because(round_.state, seat):
        return text("{who} was skipped: {why}.", who=round_.name(seat), why=why)
    return text("{who} was skipped: no valid move.", who=round_.name(seat))


def _known_to(round_: Round, seat: int) -> Known:
    """How many of a seat's pieces the referee knows."""
    kinds = tuple(round_.manifest.holdings)
    opened = [kind for kind in kinds if (kind, seat) in round_.header.opened]
    return "all" if len(opened) == len(kinds) else "some" if opened else "none"


def refused_for_all(round_: Round, move: str) -> Refused | None:
    """Why a move of the seat to move is refused by what everybody may know; None if that does not forbid it.

    What is no move at all is nobody's business but the phone's that has sent it.
    """
    game, seat = round_.game, round_.turn
    try:
        if seat is not None:
            game.play(game.view(round_.state, None), seat, game.read(move))
    except Refused as refused:
        return refused if refused.code != "syntax" else None
    except Exception:  # A game of another package may judge no position that nobody in it sees.
        if not games.is_added(round_.header.game):
            raise
    return None
