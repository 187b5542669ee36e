"""Adds up finished rounds: matches of several rounds, standings, and ratings.

The panel, the commands, the report, the big screen and the club server all count here, so that their numbers agree; at
a club night a shared win counts for the order too. Ratings follow the Plackett-Luce model of the openskill library,
which allows any number of players. A round has two ranks, winners and others, since the order of the others is unknown.
Ratings are shown on a scale like that of chess: a new player has 1500 ± 500, where the second number is the standard
deviation.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from companion import games
from companion.games.api.computer_players import has_computer_player
from companion.languages import text
from companion.rounds import game_clock
from companion.rounds.stored import Match, Rating, Standing

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from companion.rounds.on_table import Round
    from companion.rounds.stored import FinishedRound, MatchPart, RoundHeader, StoredHistory

SHAPES = 6
"""How many colours and shapes of players there are."""
STANDINGS_COLUMNS = (("won", text("Won")), ("drawn", text("Drawn")), ("played", text("Played")))
"""The columns of standings in a report and on the club's page: a field of `Standing`, and its heading."""


def round_numbers_text(numbers: Sequence[int]) -> str:
    """Numbers of rounds as text: ``round 3``, ``rounds 3 to 5``, ``rounds 3, 4 and 6``, ``9 rounds from 3 to 40``."""
    first, last, count = numbers[0], numbers[-1], len(numbers)
    if count == 1:
        return text("round {first}", first=first)
    if count > 2 and last - first == count - 1:
        return text("rounds {first} to {last}", first=first, last=last)
    if count > 5:
        return text("{count} rounds from {first} to {last}", count=count, first=first, last=last)
    return text("rounds {some} and {last}", some=", ".join(map(str, numbers[:-1])), last=last)


def group_into_matches(parts: Iterable[MatchPart]) -> tuple[Match, ...]:
    """Group the rounds of matches, given oldest first, into matches, in the order of their first rounds.

    A round knows the number of its match's first round. Where it does not, as in older records, it continues a match of
    the same players if the numbers of rounds and wins fit: see `_continues_match`.
    """
    matches: list[list[MatchPart]] = []
    unfinished: dict[tuple[str, int, tuple[str, ...]], list[list[MatchPart]]] = {}
    # By the number of the first round. A match that is won stays, since a result may be corrected.
    numbered: dict[int, list[MatchPart]] = {}
    for part in parts:
        header = part.header
        candidates = unfinished.setdefault((header.game, header.goal, tuple(sorted(header.names))), [])
        match = numbered.get(part.match) or next(
            (each for each in reversed(candidates) if _continues_match(header, each)), None
        )
        if match is None:
            match = []
            matches.append(match)
            candidates.append(match)
        match.append(part)
        if part.match:
            numbered[part.match] = match
        if match in candidates and max(_wins(match).values()) >= header.goal:
            candidates.remove(match)
    return tuple(map(_make_match, matches))


def _continues_match(header: RoundHeader, earlier_rounds: list[MatchPart]) -> bool:
    """Whether a round continues a match: its number follows, and the wins noted in it, if any, are those so far."""
    wins_so_far = {name: won for name, won in _wins(earlier_rounds).items() if won}
    return header.number == earlier_rounds[-1].header.number + 1 and (
        not header.wins or dict(header.wins) == wins_so_far
    )


def _wins(parts: list[MatchPart]) -> dict[str, int]:
    wins = dict.fromkeys(sorted(parts[0].header.names), 0)
    for part in parts:
        wins |= dict(part.header.wins)  # These also count rounds that are not among the parts.
        if part.winner:
            wins[part.winner] = wins.get(part.winner, 0) + 1
    return wins


def _make_match(parts: list[MatchPart]) -> Match:
    wins, header = sorted(_wins(parts).items(), key=lambda each: -each[1]), parts[0].header
    return Match(header.game, header.goal, tuple(wins), tuple(part.round for part in parts))


def match_text(match: Match) -> str:
    """``Match: Ann beats Ben 2:1, rounds 3 to 5``."""
    return text("Match: {result}, {rounds}", result=match.result_text, rounds=round_numbers_text(match.rounds))


# -- a round as one of its match -----------------------------------------------------------------------------------


def repeat_header(header: RoundHeader) -> RoundHeader:
    """The header for playing the same round again: a single round, or the first round of such a match."""
    return header._replace(number=1, wins=())


def next_round_header(round_: Round) -> RoundHeader:
    """The header of a match's next round. Each player moves up one seat, so that another one starts."""
    header = round_.header
    return rotate_seats(header)._replace(number=header.number + 1, wins=match_wins(round_))


def following_header(round_: Round) -> RoundHeader:
    """The header of what follows a round: the match's next round, or after the match the first one of another."""
    header = next_round_header(round_)
    return repeat_header(header) if match_winner(round_) else header


def rotate_seats(header: RoundHeader) -> RoundHeader:
    """The header with each player moved up one seat, with their open holdings and clock.

    It belongs to no pairing any more.
    """
    seats = len(header.names)
    opened = sorted(((kind, (seat - 2) % seats + 1) for kind, seat in header.opened), key=lambda held: held[::-1])
    names, clock = (*header.names[1:], header.names[0]), game_clock.rotate_controls(header.clock)
    return header._replace(names=names, opened=tuple(opened), clock=clock, pairing="")


def match_wins(round_: Round) -> tuple[tuple[str, int], ...]:
    """The rounds won in the match by each name, with this round; a drawn round counts for nobody."""
    wins_by_name = dict(round_.header.wins)
    winners = round_.outcome.winners if round_.is_over else ()
    if len(winners) == 1:
        name = round_.player_name(winners[0])
        wins_by_name[name] = wins_by_name.get(name, 0) + 1
    return tuple(wins_by_name.items())


def is_match_open(round_: Round) -> bool:
    """Whether a round belongs to a match that nobody has won yet."""
    return bool(round_.header.goal) and not match_winner(round_)


def match_winner(round_: Round) -> str:
    """The name that has won the match, "" while the match goes on."""
    goal = round_.header.goal
    return next((name for name, won in match_wins(round_) if goal and won >= goal), "")


# -- standings --------------------------------------------------------------------------------------------------------


class Tally:
    """Counts one player's finished rounds, which must be added oldest first."""

    __slots__ = ("best_scores", "drawn", "longest_streak", "played", "streak", "won", "won_by_game")

    def __init__(self) -> None:
        self.played = self.won = self.drawn = self.streak = self.longest_streak = 0
        self.best_scores: dict[str, int] = {}
        self.won_by_game: dict[str, int] = {}

    def add_round(self, game: str, wins: int, shared_wins: int) -> None:
        """Count a round.

        `wins` is 1 if the player has won it alone, `shared_wins` is 1 for a shared win; else they are 0.
        """
        self.played += 1
        self.won += wins
        self.drawn += shared_wins
        self.streak = self.streak + 1 if wins else 0
        self.longest_streak = max(self.longest_streak, self.streak)
        self.won_by_game[game] = self.won_by_game.get(game, 0) + wins

    def keep_best_score(self, category: str, score: int) -> None:
        """Remember a score if it is the best so far of its category: a game, or a game with one of its options."""
        self.best_scores[category] = max(self.best_scores.get(category, score), score)


def make_standings(
    tallies: Mapping[str, Tally],
    find_rating: Callable[[str], Rating | None] = lambda name: None,
    *,
    shared_wins_count: bool = False,
) -> list[Standing]:
    """Rank players by their tallies: most wins first, then fewest rounds played, then by name.

    With `shared_wins_count`, as on the club server, more shared wins come before fewer rounds played.
    """
    standings = [
        Standing(
            name, each.played, each.won, each.drawn, each.streak, each.longest_streak,
            tuple(sorted(each.best_scores.items())), find_rating(name), tuple(each.won_by_game.items()),
        )
        for name, each in tallies.items()
    ]  # fmt: skip
    return sorted(standings, key=lambda each: (-each.won, -each.drawn * shared_wins_count, each.played, each.name))


def compute_standings(rounds: Iterable[FinishedRound], *, shared_wins_count: bool = False) -> list[Standing]:
    """The standings of finished rounds, given oldest first; rounds with a computer player do not count."""
    tallies: dict[str, Tally] = {}
    for result in counting_rounds(rounds):
        winners = {result.names[seat - 1] for seat in result.winners}
        for name in dict.fromkeys(result.names):
            won, shared = winners == {name} and len(result.winners) == 1, len(result.winners) > 1 and name in winners
            tallies.setdefault(name, Tally()).add_round(result.game, won, shared)
    return make_standings(tallies, shared_wins_count=shared_wins_count)


def counting_rounds(rounds: Iterable[FinishedRound]) -> tuple[FinishedRound, ...]:
    """The rounds that count in standings: those without a computer player."""
    return tuple(result for result in rounds if not has_computer_player(result.names))


def day_rounds(history: StoredHistory) -> tuple[FinishedRound, ...]:
    """All finished rounds of the evening, also those since the table was opened."""
    return (*history.evening_rounds, *history.new_rounds)


def player_colours(history: StoredHistory, names: Sequence[str]) -> dict[str, int]:
    """The colour and shape, 1 to 6, of the players with these names by seat, and of the others of the evening.

    They stay a player's for the whole evening, also when players swap seats. A new player gets one that nobody has had,
    if there is one; with more than six players each has the number of the seat.
    """
    colours: dict[str, int] = {}
    for seated in (*(each.names for each in day_rounds(history)), tuple(names)):
        if len(seated) > SHAPES:
            continue
        kept: dict[int, str] = {}
        for name in seated:
            if name in colours:
                kept.setdefault(colours[name], name)
        taken = {*colours.values()}
        free = (n for n in sorted(range(1, SHAPES + 1), key=lambda n: n in taken) if n not in kept)
        colours |= {name: next(free) for name in seated if name not in kept.values()}
    return colours if len(names) <= SHAPES else colours | {name: seat for seat, name in enumerate(names, 1)}


def games_played(rounds: tuple[FinishedRound, ...]) -> list[str]:
    """The ids of the games of these rounds, in the order of the main menu."""
    order = [game.id for game in games.all_manifests()]
    played = dict.fromkeys(result.game for result in rounds)
    return sorted(played, key=lambda game: order.index(game) if game in order else len(order))


def rate_players(ratings: Mapping[str, Rating], winners: Collection[str]) -> dict[str, Rating]:
    """The players' ratings after a round, by name. If all share the win, their ratings move towards each other.

    Raises ImportError if the library openskill is not installed.
    """
    model = _rating_model()
    names = list(ratings)
    teams = [[model.rating(mu=ratings[name].mu, sigma=ratings[name].sigma)] for name in names]
    rated_teams = model.rate(teams, ranks=[1 if name in winners else 2 for name in names])
    return {name: Rating(team[0].mu, team[0].sigma) for name, team in zip(names, rated_teams, strict=True)}


@cache
def _rating_model() -> Any:
    from openskill.models import PlackettLuce

    return PlackettLuce()
