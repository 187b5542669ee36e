"""Adds up finished rounds: matches of several rounds, standings, and ratings.

The panel, the commands, the report, the big screen and the club server all count here, so that they agree. Ratings
follow the Plackett-Luce model of the openskill library, which allows any number of players. A round has two ranks,
winners and others, since the order of the others is unknown. Ratings are shown on a scale like that of chess: a new
player has 1500 ± 500, where the second number is the standard deviation.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from companion import games
from companion.games.api.box_seats import has_computer_player
from companion.languages import text
from companion.rounds import game_clock
from companion.rounds.stored import Match, Rating, Standing

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from companion.rounds.on_table import Round
    from companion.rounds.stored import FinishedRound, Part, RoundHeader, StoredHistory

COLUMNS = (("won", text("Won")), ("drawn", text("Drawn")), ("played", text("Played")))
"""The columns of standings in a report and on the club's page: a field of `Standing`, and its heading."""


def in_rounds(rounds: Sequence[int]) -> str:
    """Numbers of rounds as text: ``round 3``, ``rounds 3 to 5``, ``rounds 3, 4 and 6``, ``9 rounds from 3 to 40``."""
    first, last, count = rounds[0], rounds[-1], len(rounds)
    if count == 1:
        return text("round {first}", first=first)
    if count > 2 and last - first == count - 1:
        return text("rounds {first} to {last}", first=first, last=last)
    if count > 5:
        return text("{count} rounds from {first} to {last}", count=count, first=first, last=last)
    return text("rounds {some} and {last}", some=", ".join(map(str, rounds[:-1])), last=last)


def matches_of(parts: Iterable[Part]) -> tuple[Match, ...]:
    """Group the rounds of matches, given oldest first, into matches, in the order of their first rounds.

    A round knows the number of its match's first round. Where it does not, as in older records, it continues a match of
    the same players if the numbers of rounds and wins fit: see `_continues_match`.
    """
    found: list[list[Part]] = []
    going_on: dict[tuple[str, int, tuple[str, ...]], list[list[Part]]] = {}
    numbered: dict[
        int, list[Part]
    ] = {}  # by the first round's number; even a match that is won, since a result may be corrected
    for part in parts:
        header = part.header
        same = going_on.setdefault((header.game, header.goal, tuple(sorted(header.names))), [])
        match = numbered.get(part.match) or next((each for each in reversed(same) if _goes_on(header, each)), None)
        if match is None:
            match = []
            found.append(match)
            same.append(match)
        match.append(part)
        if part.match:
            numbered[part.match] = match
        if match in same and max(_wins(match).values()) >= header.goal:
            same.remove(match)
    return tuple(map(_match, found))


def _goes_on(header: RoundHeader, before: list[Part]) -> bool:
    """Whether a round continues a match: its number follows, and the wins noted in it, if any, are those so far."""
    so_far = {name: won for name, won in _wins(before).items() if won}
    return header.number == before[-1].header.number + 1 and (not header.wins or dict(header.wins) == so_far)


def _wins(parts: list[Part]) -> dict[str, int]:
    wins = dict.fromkeys(sorted(parts[0].header.names), 0)
    for part in parts:
        wins |= dict(part.header.wins)  # These also count rounds that are not among the parts.
        if part.winner:
            wins[part.winner] = wins.get(part.winner, 0) + 1
    return wins


def _match(parts: list[Part]) -> Match:
    wins, header = sorted(_wins(parts).items(), key=lambda each: -each[1]), parts[0].header
    return Match(header.game, header.goal, tuple(wins), tuple(part.round for part in parts))


def match_words(match: Match) -> str:
    """``Match: Ann beats Ben 2:1, rounds 3 to 5``."""
    return text("Match: {result}, {rounds}", result=match.result, rounds=in_rounds(match.rounds))


# -- a round as one of its match -----------------------------------------------------------------------------------


def same_again(header: RoundHeader) -> RoundHeader:
    """The header for playing the same round again: a single round, or the first round of such a match."""
    return header._replace(number=1, wins=())


def next_round(round_: Round) -> RoundHeader:
    """The header of a match's next round. Each player moves up one seat, so that another one starts."""
    header = round_.header
    return moved_up(header)._replace(number=header.number + 1, wins=wins(round_))


def moved_up(header: RoundHeader) -> RoundHeader:
    """The header with each player moved up one seat, with their open holdings and clock.

    It belongs to no pairing any more.
    """
    seats = len(header.names)
    opened = sorted(((kind, (seat - 2) % seats + 1) for kind, seat in header.opened), key=lambda held: held[::-1])
    names, clock = (*header.names[1:], header.names[0]), game_clock.moved_up(header.clock)
    return header._replace(names=names, opened=tuple(opened), clock=clock, pairing="")


def wins(round_: Round) -> tuple[tuple[str, int], ...]:
    """The rounds won in the match by each name, with this round; a drawn round counts for nobody."""
    so_far = dict(round_.header.wins)
    winners = round_.outcome.winners if round_.over else ()
    if len(winners) == 1:
        name = round_.name(winners[0])
        so_far[name] = so_far.get(name, 0) + 1
    return tuple(so_far.items())


def champion(round_: Round) -> str:
    """The name that has won the match, "" while the match goes on."""
    goal = round_.header.goal
    return next((name for name, won in wins(round_) if goal and won >= goal), "")


# -- standings --------------------------------------------------------------------------------------------------------


class Tally:
    """Counts one player's finished rounds, which must be added oldest first."""

    __slots__ = ("best", "drawn", "longest", "played", "streak", "won", "won_by_game")

    def __init__(self) -> None:
        self.played = self.won = self.drawn = self.streak = self.longest = 0
        self.best: dict[str, int] = {}
        self.won_by_game: dict[str, int] = {}

    def add(self, game: str, won: int, shared: int) -> None:
        """Count a round.

        `wins` is 1 if the player has won it alone, `shared_wins` is 1 for a shared win; else they are 0.
        """
        self.played += 1
        self.won += won
        self.drawn += shared
        self.streak = self.streak + 1 if won else 0
        self.longest = max(self.longest, self.streak)
        self.won_by_game[game] = self.won_by_game.get(game, 0) + won

    def scored(self, what: str, score: int) -> None:
        """Remember a score if it is the best so far of its category: a game, or a game with one of its options."""
        self.best[what] = max(self.best.get(what, score), score)


def rank_players(
    tallies: Mapping[str, Tally],
    rating: Callable[[str], Rating | None] = lambda name: None,
    *,
    shared_count: bool = False,
) -> list[Standing]:
    """Rank players by their tallies: most wins first, then fewest rounds played, then by name.

    With `shared_wins_count`, as on the club server, more shared wins come before fewer rounds played.
    """
    found = [
        Standing(
            name, each.played, each.won, each.drawn, each.streak, each.longest,
            tuple(sorted(each.best.items())), rating(name), tuple(each.won_by_game.items()),
        )
        for name, each in tallies.items()
    ]  # fmt: skip
    return sorted(found, key=lambda each: (-each.won, -each.drawn * shared_count, each.played, each.name))


def standings_of(rounds: Iterable[FinishedRound], *, shared_count: bool = False) -> list[Standing]:
    """The standings of finished rounds, given oldest first; rounds with a computer player do not count."""
    tallies: dict[str, Tally] = {}
    for result in counting(rounds):
        winners = {result.names[seat - 1] for seat in result.winners}
        for name in dict.fromkeys(result.names):
            won, shared = winners == {name} and len(result.winners) == 1, len(result.winners) > 1 and name in winners
            tallies.setdefault(name, Tally()).add(result.game, won, shared)
    return rank_players(tallies, shared_count=shared_count)


def counting(rounds: Iterable[FinishedRound]) -> tuple[FinishedRound, ...]:
    """The rounds that count in standings: those without a computer player."""
    return tuple(result for result in rounds if not has_computer_player(result.names))


def day_rounds(past: StoredHistory) -> tuple[FinishedRound, ...]:
    """All finished rounds of the evening, also those since the table was opened."""
    return (*past.tonight, *past.fresh)


def games_played(day: tuple[FinishedRound, ...]) -> list[str]:
    """The ids of the games of these rounds, in the order of the main menu."""
    order = [game.id for game in games.all_manifests()]
    played = dict.fromkeys(result.game for result in day)
    return sorted(played, key=lambda game: order.index(game) if game in order else len(order))


def rate_players(before: Mapping[str, Rating], winners: Collection[str]) -> dict[str, Rating]:
    """The players' ratings after a round, by name. If all share the win, their ratings move towards each other.

    Raises ImportError if the library openskill is not installed.
    """
    model = _model()
    names = list(before)
    teams = [[model.rating(mu=before[name].mu, sigma=before[name].sigma)] for name in names]
    after = model.rate(teams, ranks=[1 if name in winners else 2 for name in names])
    return {name: Rating(team[0].mu, team[0].sigma) for name, team in zip(names, after, strict=True)}


@cache
def _model() -> Any:
    from openskill.models import PlackettLuce

    return PlackettLuce()
