"""The referee's answer to the question whether somebody could have moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.rounds.on_table import Round


def could(round_: Round) -> tuple[str, ...]:
    """Lines that say whether the seat to move has a legal move, and whether the last "I cannot" was right, if known."""
    turn = round_.turn
    now = "Nobody is to move."
    if turn is not None and round_.game.find(round_.state) is not None:
        now = f"{round_.name(turn)} has a valid move."
    elif turn is not None:
        now = f"{round_.name(turn)} {_without(round_, turn, 'has')}."
    return "Could I have moved?", now, *_last_claim(round_)


def _last_claim(round_: Round) -> tuple[str, ...]:
    """Whether the last "I cannot" was right, as far as is known: of skipped seats, else of the last draw or pass."""
    skipped = () if round_.waiting else round_.game.skipped(round_.state)
    if skipped:
        return tuple(f"{round_.name(seat)} was skipped: no valid move." for seat in dict.fromkeys(skipped))
    for number, (seat, text) in reversed(list(enumerate(round_.events, 1))):
        if claimed := round_.entry.claimed(text):  # Refused where an open holding had a valid play.
            return (f"Move {number}: {round_.name(seat)} {claimed} and {_without(round_, seat, 'had')}.",)
    return ()


def _without(round_: Round, seat: int, verb: str) -> str:
    """That a seat has no valid play, as far as the referee knows its pieces."""
    kinds = tuple(round_.manifest.holdings)
    opened = [kind for kind in kinds if (kind, seat) in round_.header.opened]
    if len(opened) == len(kinds):
        return f"{verb} no valid move"
    return f"{verb} no valid move in what is open to me" if opened else f"{verb} sealed pieces: I cannot know"
