"""Matches: assembled from their finished rounds, and played on, round by round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.languages import text
from companion.rounds import game_clock
from companion.rounds.stored import Match

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.rounds.on_table import Round
    from companion.rounds.stored import Part, RoundHeader


def in_rounds(rounds: Sequence[int]) -> str:
    """``round 3``, ``rounds 3 to 5``, ``rounds 3, 4 and 6``, ``9 rounds from 3 to 40``."""
    first, last, count = rounds[0], rounds[-1], len(rounds)
    if count == 1:
        return text("round {first}", first=first)
    if count > 2 and last - first == count - 1:
        return text("rounds {first} to {last}", first=first, last=last)
    if count > 5:
        return text("{count} rounds from {first} to {last}", count=count, first=first, last=last)
    return text("rounds {some} and {last}", some=", ".join(map(str, rounds[:-1])), last=last)


def matches(parts: Iterable[Part]) -> tuple[Match, ...]:
    """The matches that these rounds, oldest first, are of; in the order of their first rounds."""
    found: list[list[Part]] = []
    going_on: dict[tuple[str, int, tuple[str, ...]], list[list[Part]]] = {}
    numbered: dict[int, list[Part]] = {}  # by the number of the first round; won or not, for a result may be corrected
    for part in parts:
        same = going_on.setdefault((part.game, part.goal, tuple(sorted(part.names))), [])
        match = numbered.get(part.match) if part.match else None
        match = match or next((each for each in reversed(same) if follows(part, each)), None)
        if match is None:
            match = []
            found.append(match)
            same.append(match)
        match.append(part)
        if part.match:
            numbered[part.match] = match
        if match in same and max(_wins(match).values()) >= part.goal:
            same.remove(match)
    return tuple(map(_match, found))


def follows(part: Part, before: list[Part]) -> bool:
    """Whether a round continues the match of the rounds `before`.

    It does if both know the same match number; else if it has the next round number and the wins before it, if known,
    are those of `before`.
    """
    last = before[-1]
    if part.match and part.match == last.match:
        return part.number > last.number
    so_far = {name: won for name, won in _wins(before).items() if won}
    return part.number == last.number + 1 and (not part.before or dict(part.before) == so_far)


def _wins(parts: list[Part]) -> dict[str, int]:
    wins = dict.fromkeys(sorted(parts[0].names), 0)
    for part in parts:
        wins |= dict(part.before)  # Also of rounds that are not among these.
        if part.winner:
            wins[part.winner] = wins.get(part.winner, 0) + 1
    return wins


def _match(parts: list[Part]) -> Match:
    wins = sorted(_wins(parts).items(), key=lambda each: -each[1])
    return Match(parts[0].game, parts[0].goal, tuple(wins), tuple(part.round for part in parts))


def of_match(match: Match) -> str:
    """``Match: Ann beats Ben 2:1, rounds 3 to 5``."""
    return text("Match: {result}, {rounds}", result=match.result, rounds=in_rounds(match.rounds))


# -- a round as one of its match -----------------------------------------------------------------------------------


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
