"""A tournament as plain values: who plays, what was paired, how it ended.

`StoredTournament` is all that the store has of one tournament. Functions that change it return another one, with
sentences for its list of changes in `new_notes`; `TournamentStore.change_event` saves what differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import NamedTuple

from companion.languages import text
from companion.rounds.player_names import undrawable_letters


class PairingOutcome(Enum):
    """How a pairing ended, as it is written in a cross-table; a + is a win without a game."""

    FIRST = "1-0"
    DRAW = "½-½"
    SECOND = "0-1"
    FIRST_UNPLAYED = "+--"
    SECOND_UNPLAYED = "--+"
    NOBODY = "---"

    @property
    def points(self) -> tuple[int, int]:
        """The points of the first and the second player, in halves."""
        first, second = self.value[0], self.value[2]
        return _HALF_POINTS[first], _HALF_POINTS[second]

    @property
    def is_played(self) -> bool:
        """Whether the two players had a game; a + or - is a result without one."""
        return self in (PairingOutcome.FIRST, PairingOutcome.DRAW, PairingOutcome.SECOND)


_HALF_POINTS = {"1": 2, "+": 2, "½": 1, "0": 0, "-": 0}
WIN_HALF_POINTS = 2
"""The points of a win, in halves."""


class Player(NamedTuple):
    """A player of a tournament.

    Attributes:
        number: the start number, from 1.
        name: as the pages show it and as boxes are offered it.
        is_present: false for a player who is late, missing or gone, and is not paired.
        takes_half_bye: whether the player sits the next round out for half a point.
        earlier_names: the names that the player had before; a round may come in with one of them.
    """

    number: int
    name: str
    is_present: bool = True
    takes_half_bye: bool = False
    earlier_names: tuple[str, ...] = ()

    @property
    def undrawable_letters(self) -> str:
        """The letters of the name that no box can draw."""
        return undrawable_letters(self.name)


class Pairing(NamedTuple):
    """A pairing of a round; `first` starts. `outcome` is None while the game is open.

    `second` is 0 for a bye: a win, or with the outcome DRAW the half point that the player has asked for.
    """

    round: int
    board: int
    first: int
    second: int
    outcome: PairingOutcome | None = None

    @property
    def is_open(self) -> bool:
        """Whether the result is still to come."""
        return self.second != 0 and self.outcome is None

    @property
    def is_played(self) -> bool:
        """Whether there was a game that is over."""
        return self.second != 0 and self.outcome is not None and self.outcome.is_played

    def points_of(self, number: int) -> int:
        """The points of one of the two players, in halves."""
        if not self.second:
            return WIN_HALF_POINTS // 2 if self.outcome is PairingOutcome.DRAW else WIN_HALF_POINTS
        return self.outcome.points[number != self.first] if self.outcome is not None else 0

    def opponent_of(self, number: int) -> int:
        """The other player's number, 0 for a bye."""
        return self.second if number == self.first else self.first


class Tournament(NamedTuple):
    """All that pairing and standings need.

    Attributes:
        players: by their start numbers.
        games: the pairings, by round and board.
        rounds: how many there will be.
        is_swiss: false for a round-robin.
        barred_pairs: pairs of players who must not meet.
        tie_breaks: what decides between players on equal points, in order, by the keys of `tie_breaks.TIE_BREAKS`; ()
            for the usual ones.
    """

    players: tuple[Player, ...]
    games: tuple[Pairing, ...]
    rounds: int
    is_swiss: bool
    barred_pairs: frozenset[frozenset[int]] = frozenset()
    tie_breaks: tuple[str, ...] = ()

    @property
    def round(self) -> int:
        """The newest round that was paired, 0 before the first."""
        return max((game.round for game in self.games), default=0)

    def games_of(self, number: int) -> dict[int, Pairing]:
        """The pairings of a player by their rounds."""
        return {game.round: game for game in self.games if number in (game.first, game.second)}

    @property
    def finished_round(self) -> int:
        """The newest round of which no game is open, 0 for none."""
        open_rounds = {game.round for game in self.games if game.is_open}
        return min(open_rounds) - 1 if open_rounds else self.round

    @property
    def has_begun(self) -> bool:
        """Whether any round was paired."""
        return bool(self.games)


class PairingRow(NamedTuple):
    """A pairing as it is stored.

    Attributes:
        id: its number in the store, 0 before it is saved.
        token: a word that no other pairing of any club has; the record of a round played for the pairing contains it.
        game: who plays, and how it ended.
        table: the name of the table, "" for none yet.
        offer_count: how often the pairing was offered to a table.
        counts_after: the club's newest round when the pairing was made or opened again. Only a later round can be its
            result. With a result that was entered by hand, the newest round then.
        result_round: the club's round that is the result, None for a result that was entered by hand.
    """

    id: int
    token: str
    game: Pairing
    table: str
    offer_count: int
    counts_after: int
    result_round: int | None


class StoredTournament(NamedTuple):
    """A tournament with its name, and the game and options that are played.

    Attributes:
        is_archived: whether the tournament is put away: listed apart, and nothing of it is offered to tables.
        round_minutes: how long a round may take, 0 for no limit.
        clock_started_at: when the clock of the round was started, in seconds since 1970; 0.0 while it is stopped.
        newest_club_round: the number of the club's newest round when this was read.
        new_notes: sentences for the list of changes that are not saved yet.
    """

    id: int
    name: str
    game: str
    options: Mapping[str, str]
    tournament: Tournament
    rows: tuple[PairingRow, ...]
    is_archived: bool = False
    round_minutes: int = 0
    clock_started_at: float = 0.0
    newest_club_round: int = 0
    new_notes: tuple[str, ...] = ()

    def player_name(self, number: int) -> str:
        """A player's name, "" for 0."""
        return self.tournament.players[number - 1].name if number else ""

    def names_of_pairing(self, game: Pairing) -> str:
        """The two names of a pairing, or the name and the word for a bye."""
        one, other = self.player_name(game.first), self.player_name(game.second)
        return f"{one} – {other}" if other else text("{who} – bye", who=one)

    def player(self, number: int) -> Player:
        """A player by the start number. Raises TournamentError."""
        if not 1 <= number <= len(self.tournament.players):
            raise TournamentError(text("there is no such player"))
        return self.tournament.players[number - 1]

    def pairing(self, id_: int) -> PairingRow:
        """A pairing of two players by its id. Raises TournamentError."""
        pairing_row = next((row for row in self.rows if row.id == id_ and row.game.second), None)
        if pairing_row is None:
            raise TournamentError(text("there is no such pairing"))
        return pairing_row

    def with_note(self, sentence: str) -> StoredTournament:
        """Return a copy with one more sentence for the list of changes."""
        return self._replace(new_notes=(*self.new_notes, sentence))

    def with_players(self, players: Iterable[Player]) -> StoredTournament:
        """Return a copy with these players instead."""
        return self._replace(tournament=self.tournament._replace(players=tuple(players)))

    def with_player(self, player: Player) -> StoredTournament:
        """Return a copy in which this player replaces the one of the same number."""
        return self.with_players(player if each.number == player.number else each for each in self.tournament.players)

    def with_rows(self, rows: Iterable[PairingRow]) -> StoredTournament:
        """Return a copy with these pairings instead, in the same order."""
        rows = tuple(rows)
        games = tuple(row.game for row in rows)
        return self._replace(rows=rows, tournament=self.tournament._replace(games=games))

    def with_row(self, row: PairingRow) -> StoredTournament:
        """Return a copy in which this pairing replaces the one of the same id."""
        return self.with_rows(row if each.id == row.id else each for each in self.rows)


class TournamentError(Exception):
    """Something cannot be done with a tournament; the only argument is the reason, a sentence as `Text`."""
