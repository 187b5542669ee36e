"""Values that session and store exchange: stored rounds, log entries, the history, and the session's settings."""

from typing import Literal, NamedTuple

from companion.games.api.manifest import HoldingKind
from companion.games.api.result import Result
from companion.languages import text

Options = tuple[tuple[str, str], ...]  # option name and value, in the game's order

LogKind = (
    HoldingKind
    | Literal["begin", "event", "back", "drop", "result", "aside", "resume", "mend", "pause"]
    | Literal["hints", "dealer", "rests", "timing", "language", "favour", "unfavour"]
)
"""The kinds of log entries that the session writes; `companion.store.stored_entries` adds the store's own.

| kind | what has happened |
| --- | --- |
| ``begin`` | the round has begun; always its first entry |
| ``deal``, ``rack`` | the pieces of a holding were entered |
| ``event`` | a move was played |
| ``back`` | the last deal or event was taken back |
| ``drop`` | everything was taken back, and the round is no longer listed |
| ``result`` | the round has ended |
| ``aside`` | the round was left unfinished, and is not offered again |
| ``resume`` | the round goes on |
| ``mend`` | a deal or event was replaced |
| ``pause`` | the game clock was stopped |

The other kinds belong to round 0, which is no round: what was switched, and which names are offered first or no longer.
"""


class LogEntry(NamedTuple):
    """One entry of the journal: what has happened in round `round`.

    `text` depends on the kind. For ``result`` it is the result as in a record; for ``mend`` the number of a remaining
    deal or event (from 1), and its new text; for ``hints``, ``dealer``, ``rests`` and ``timing`` it is ``on`` or
    ``off``; for ``favour`` and ``unfavour`` a name; for ``language`` its code. `header` is the round's header, with
    ``begin`` only.
    """

    round: int
    kind: LogKind
    seat: int = 0
    text: str = ""
    header: "RoundHeader | None" = None
    reason: str = ""  # why the round ended, with ``result``
    seconds: float = 0.0  # thinking time before the event, 0 if not measured; with ``begin``, the time since it began
    clock: str = ""  # what each seat has left on the game clock, "" without one


class RoundHeader(NamedTuple):
    """The header of a round: what is played, by whom, and as which round of which match."""

    game: str
    options: Options
    names: tuple[str, ...]
    goal: int = 0  # round wins that end the match; 0: a single round
    number: int = 1  # the round's number in its match
    wins: tuple[tuple[str, int], ...] = ()  # rounds won by each name before this round
    opened: tuple[tuple[HoldingKind, int], ...] = ()  # the open holdings: kind, seat
    clock: str = ""  # the settings of the game clock, "" without one
    origin: str = ""  # the package of its game, with its version: ``lanterns-at-the-table 0.1``; "" if unknown
    pairing: str = ""  # the id of the tournament's pairing that is played, "" for a round for fun

    def with_name(self, old: str, new: str) -> "RoundHeader":
        """The header with another name for one of the players."""
        names = tuple(new if name == old else name for name in self.names)
        return self._replace(names=names, wins=tuple((new if name == old else name, won) for name, won in self.wins))


class MatchPart(NamedTuple):
    """A finished round as part of its match: `winner` is who won it alone, "" for nobody.

    `match` is the number of the match's first round, 0 if unknown.
    """

    round: int
    header: RoundHeader
    winner: str = ""
    match: int = 0


class Match(NamedTuple):
    """A match: the rounds won by each name, the most first, and the numbers of its rounds."""

    game: str
    goal: int
    wins: tuple[tuple[str, int], ...]
    rounds: tuple[int, ...]

    @property
    def winner(self) -> str:
        """Who has won the match, "" while nobody has."""
        return self.wins[0][0] if self.wins[0][1] >= self.goal else ""

    @property
    def result_text(self) -> str:
        """``Ann beats Ben 2:1``, ``Ann wins: Ann 2, Ben 1, Cleo 0``, ``Ann 1 : Ben 1, not over``."""
        if len(self.wins) != 2:
            wins = ", ".join(f"{name} {won}" for name, won in self.wins)
            return text("{who} wins: {wins}" if self.winner else "{wins}, not over", who=self.winner, wins=wins)
        (first, more), (second, fewer) = self.wins
        sentence = "{who} beats {other} {more}:{fewer}" if self.winner else "{who} {more} : {other} {fewer}, not over"
        return text(sentence, who=first, more=more, other=second, fewer=fewer)


def make_match_part(number: int, header: RoundHeader, winners: tuple[int, ...], match: int = 0) -> MatchPart | None:
    """Make a finished round a part of its match; None for a single round. `winners` are seats."""
    winner = header.names[winners[0] - 1] if len(winners) == 1 else ""
    return MatchPart(number, header, winner, match) if header.goal else None


class StoredRound(NamedTuple):
    """A round as the store has it, without what was taken back.

    Deals are kind, seat and text; events are seat and text.
    """

    id: int
    header: RoundHeader
    deals: tuple[tuple[HoldingKind, int, str], ...] = ()
    events: tuple[tuple[int, str], ...] = ()
    result: str = ""
    reason: str = ""
    event_seconds: tuple[float, ...] = ()  # thinking time before each event, 0 if unknown; () if all are unknown
    clock_left: str = ""  # what each seat had left on the game clock at the last entry
    lost_entries: str = ""  # which log entries were lost by a damaged disk: "line 25 is lost"


class FinishedRound(NamedTuple):
    """A finished round, with what standings need of it."""

    game: str
    names: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]  # seats
    date: str = ""
    match_part: MatchPart | None = None  # its part in a match, None for a single round


POINTS_PER_UNIT = 60
"""Points shown for one point of the library, in which a new player has 25 ± 25/3."""


class RoundSummary(NamedTuple):
    """A round without its events, for lists.

    Attributes:
        id: the round's number.
        game: the game's id.
        names: the players by seat.
        result: the result as in a record; "" for an unfinished round.
        begun, ended: ISO 8601, "" if unknown.
        evening: the number of the evening, 0 without a date.
        state: ``running``, ``aside`` (left unfinished), ``over``, ``closed`` (over, and its match ended), ``imported``,
            or ``void`` (it was over, and its result no longer counts).
        reason: why the round ended.
        title: the name of the game that a score pad was used for, else "".
        options: pairs of name and value.
        match: the match that this finished round belongs to.
        seconds: how long the round took, by monotonic time; None if unknown.
    """

    id: int
    game: str
    names: tuple[str, ...]
    result: str
    begun: str
    evening: int
    state: str
    ended: str = ""
    reason: str = ""
    title: str = ""
    options: tuple[tuple[str, str], ...] = ()
    match: Match | None = None
    seconds: float | None = None

    @property
    def no_result_reason(self) -> str:
        """Why the round has no result, in a word: ``void`` or ``unfinished``."""
        return text("void") if self.state == "void" else text("unfinished")

    @property
    def scores(self) -> list[int]:
        """The scores by seat; empty without a result."""
        return list(Result.parse(self.result).scores) if self.result else []

    @property
    def winners(self) -> list[str]:
        """The names of the winners, more than one for a shared win."""
        return list(Result.parse(self.result).winner_names(self.names)) if self.result else []


class Rating(NamedTuple):
    """A player's strength: mean and standard deviation, in points of the library openskill."""

    mu: float = 25.0
    sigma: float = 25.0 / 3

    @property
    def display_points(self) -> int:
        """The mean as players see it: 1500 for a new player."""
        return round(self.mu * POINTS_PER_UNIT)

    @property
    def display_deviation(self) -> int:
        """The standard deviation as players see it: 500 for a new player."""
        return round(self.sigma * POINTS_PER_UNIT)


class Standing(NamedTuple):
    """One player's line in the standings.

    Attributes:
        name: the player.
        played: finished rounds.
        won: rounds won alone.
        drawn: rounds shared or drawn.
        streak: how many of the last rounds were won in a row.
        longest_streak: the most rounds ever won in a row.
        best_scores: the best score of each game whose scores can be compared.
        rating: the rating, None if unknown.
        won_by_game: the rounds won alone, by game.
    """

    name: str
    played: int
    won: int
    drawn: int
    streak: int = 0
    longest_streak: int = 0
    best_scores: tuple[tuple[str, int], ...] = ()
    rating: Rating | None = None
    won_by_game: tuple[tuple[str, int], ...] = ()

    @property
    def win_share(self) -> float:
        """The share of rounds won, from 0 to 1."""
        return self.won / self.played


class StoredHistory(NamedTuple):
    """What a session knows of earlier rounds when the table is opened."""

    next_round: int = 1
    player_names: tuple[str, ...] = ()
    last_games: tuple[str, ...] = ()
    seen_games: tuple[str, ...] = ()  # the games of other packages, in the order in which they were first seen
    evening_rounds: tuple[FinishedRound, ...] = ()
    new_rounds: tuple[FinishedRound, ...] = ()  # finished since the table opened
    unfinished_round: StoredRound | None = None
    open_match_round: StoredRound | None = None  # the last round, if it is finished and its match is not
    recent_pads: tuple[tuple[Options, tuple[str, ...]], ...] = ()  # options and names of score pads, newest first
    recent_headers: tuple[RoundHeader, ...] = ()  # the header of the last round of each game that was played
    unfinished_games: tuple[str, ...] = ()  # the games whose last round was never finished
    favourites: tuple[str, ...] = ()  # names that are offered first
    hints: bool = False  # whether hints were switched on last
    dealer: bool = False  # the same for the score pad's dealer mark
    rests: bool = False  # the same for showing the rest view at once
    timing: bool | None = None  # the same for measuring thinking times, None if it was never switched
    language: str = ""  # the code of the language that was chosen at the box last, "" for none


class SessionSettings(NamedTuple):
    """What does not change while the table is open."""

    player_names: tuple[str, ...] = ()  # from the configuration
    requested_round: RoundHeader | None = None  # a round that the command line asks for
    has_keypad: bool = True  # a keypad is attached, so key hints say # and * at first
    has_buttons: bool = True  # there are buttons
    has_buzzer: bool = True  # there is a buzzer
    has_network: bool = False  # the settings list and join Wi-Fi networks
    measures_thinking: bool = False  # thinking times are measured unless that was switched off at the box
    players_may_press: bool = False  # any player's phone may press the box's keys, not only the host's
    language: str = ""  # the panel's language if none was chosen at the box, "" for English
    asks_language: bool = False  # a new box asks for its language first
    is_terminal: bool = False  # a keyboard is keypad and buttons in one, and reports no releases
