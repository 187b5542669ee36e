"""A round as one of its match: what the next one begins with, and who has won how many."""

from __future__ import annotations

from companion.rounds import game_clock
from companion.rounds.on_table import Round
from companion.rounds.stored import RoundHeader


def again(header: RoundHeader) -> RoundHeader:
    """The header of the same round again: a single round, or the first round of such a match."""
    return header._replace(number=1, wins=())


def following(round_: Round) -> RoundHeader:
    """The header of the next round: each player moves up a seat, so that another starts."""
    header = round_.header
    return moved_up(header)._replace(number=header.number + 1, wins=wins(round_))


def moved_up(header: RoundHeader) -> RoundHeader:
    """The header with each player, and the player's open holdings, moved up one seat: another round, of no pairing."""
    seats = len(header.names)
    opened = sorted(((kind, (seat - 2) % seats + 1) for kind, seat in header.opened), key=lambda held: held[::-1])
    names, clock = (*header.names[1:], header.names[0]), game_clock.moved_up(header.clock)
    return header._replace(names=names, opened=tuple(opened), clock=clock, pairing="")


def wins(round_: Round) -> tuple[tuple[str, int], ...]:
    """Round wins in the match by name, this round's included; a drawn round scores nobody."""
    so_far = dict(round_.header.wins)
    winners = round_.outcome.winners if round_.over else ()
    if len(winners) == 1:
        name = round_.name(winners[0])
        so_far[name] = so_far.get(name, 0) + 1
    return tuple(so_far.items())


def champion(round_: Round) -> str:
    """The name that has won the match, "" while it goes on."""
    goal = round_.header.goal
    return next((name for name, won in wins(round_) if goal and won >= goal), "")
