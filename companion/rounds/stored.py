"""Types that the session and the store share: stored rounds, log entries, the history, and the settings."""

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
"""The kinds of entries that the session writes to the log; `companion.store.stored_lines` adds the store's own.

``begin``: the round's first entry. ``deal``, ``rack``: the pieces of a holding. ``back``: the last deal or event is
taken back. ``drop``: all of it is taken back, and the round is no longer listed. ``result``: the round has ended.
``aside``: it is stored unfinished and not offered again. ``resume``: it goes on. ``mend``: a deal or event is replaced.
``pause``: the game clock was stopped. The last six belong to round 0, which is none: what was switched, and names
that are offered first or no longer.
"""


class LogEntry(NamedTuple):
    """One line for the store, in order: what happened in round `round`.

    With ``result`` `text` is the result as in a record; with ``mend`` the place of a standing deal or event, counted
    from 1, and its new text; with ``hints``, ``dealer``, ``rests`` and ``timing`` it is ``on`` or ``off``, with
    ``favour`` and ``unfavour`` a name, with ``language`` its code. `header` is the round's head, only with ``begin``.
    """

    round: int
    kind: LogKind
    seat: int = 0
    text: str = ""
    header: "RoundHeader | None" = None
    reason: str = ""  # why the round ended, with ``result``
    seconds: float = 0.0  # thought before the event, 0 where the clock was off; with ``begin``, since it began
    clock: str = ""  # what is left on the game clock of each seat, where one runs


class RoundHeader(NamedTuple):
    """The head of a round: what is played, by whom, and as which round of which match."""

    game: str
    options: Options
    names: tuple[str, ...]
    goal: int = 0  # round wins that end the match; 0: a single round
    number: int = 1  # of the round in its match
    wins: tuple[tuple[str, int], ...] = ()  # by name, before this round
    opened: tuple[tuple[HoldingKind, int], ...] = ()  # the open holdings: kind, seat
    clock: str = ""  # the settings of the game clock, "" where none runs
    origin: str = ""  # the package that its game came from, and its version: ``nim-at-the-table 1.0``; "" unknown
    pairing: str = ""  # the offer of a tournament's pairing that is played, "" for a round for fun


class Part(NamedTuple):
    """A finished round of a match: who won it alone, "" for nobody; `match` is the match's first round, 0 unknown."""

    round: int
    header: RoundHeader
    winner: str = ""
    match: int = 0


class Match(NamedTuple):
    """A match: round wins by name, the most first, and the numbers of its rounds."""

    game: str
    goal: int
    wins: tuple[tuple[str, int], ...]
    rounds: tuple[int, ...]

    @property
    def winner(self) -> str:
        """Who has won it, "" while nobody has."""
        return self.wins[0][0] if self.wins[0][1] >= self.goal else ""

    @property
    def result(self) -> str:
        """``Ann beats Ben 2:1``, ``Ann wins: Ann 2, Ben 1, Cleo 0``, ``Ann 1 : Ben 1, not over``."""
        if len(self.wins) != 2:
            wins = ", ".join(f"{name} {won}" for name, won in self.wins)
            return text("{who} wins: {wins}" if self.winner else "{wins}, not over", who=self.winner, wins=wins)
        (first, more), (second, fewer) = self.wins
        said = "{who} beats {other} {more}:{fewer}" if self.winner else "{who} {more} : {other} {fewer}, not over"
        return text(said, who=first, more=more, other=second, fewer=fewer)


def part(number: int, header: RoundHeader, winners: tuple[int, ...], match: int = 0) -> Part | None:
    """A finished round as a part of its match, None for a single round; `winners` are seats."""
    winner = header.names[winners[0] - 1] if len(winners) == 1 else ""
    return Part(number, header, winner, match) if header.goal else None


class StoredRound(NamedTuple):
    """A round as the store keeps it: its head, its deals (kind, seat, text) and its standing events (seat, text)."""

    id: int
    header: RoundHeader
    deals: tuple[tuple[HoldingKind, int, str], ...] = ()
    events: tuple[tuple[int, str], ...] = ()
    result: str = ""
    reason: str = ""
    times: tuple[float, ...] = ()  # seconds thought before each event, 0 where unknown; () for all
    clock: str = ""  # what was left on the game clock of each seat at the last line
    lost: str = ""  # which log entries a damaged disk has lost: "line 25 is lost"


class FinishedRound(NamedTuple):
    """A finished round for the standings."""

    game: str
    names: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]  # seats
    date: str = ""
    part: Part | None = None  # of a match, where it is a round of one


SCALE = 60
"""Points shown for each point of the library, whose newcomer has 25 ± 25/3."""


class RoundSummary(NamedTuple):
    """A round without its events.

    Attributes:
        id: the round's number.
        game: the game's id.
        names: the players by seat.
        result: as a record writes it; "" for an unfinished round.
        begun, ended: ISO 8601, "" if unknown.
        evening: the number of the evening, 0 without a date.
        state: ``running``, ``aside`` (kept unfinished), ``over``, ``closed`` (over, its match ended), ``imported``,
            or ``void`` (it was over, and its result no longer counts).
        reason: why the round ended.
        title: the name of the game whose points a score pad kept, else "".
        options: pairs of name and value.
        match: the match that this finished round belongs to.
        seconds: how long it took, by monotonic time; None if unknown.
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
    def no_result(self) -> str:
        """Why it has no result, in a word."""
        return text("void") if self.state == "void" else text("unfinished")

    @property
    def scores(self) -> list[int]:
        """The scores by seat, empty without a result."""
        return list(Result.parse(self.result).scores) if self.result else []

    @property
    def winners(self) -> list[str]:
        """The names of the winners, more than one if they share the win."""
        return list(Result.parse(self.result).names_of_winners(self.names)) if self.result else []


class Rating(NamedTuple):
    """A player's strength: mean and standard deviation in the library's points."""

    mu: float = 25.0
    sigma: float = 25.0 / 3

    @property
    def shown(self) -> int:
        """The mean in shown points: 1500 for a newcomer."""
        return round(self.mu * SCALE)

    @property
    def doubt(self) -> int:
        """The standard deviation in shown points: 500 for a newcomer."""
        return round(self.sigma * SCALE)


class Standing(NamedTuple):
    """One player's line of standings.

    Args:
        name: the player.
        played: finished rounds.
        won: those won alone.
        drawn: those shared or drawn.
        streak: how many of the last ones running were won.
        longest: the longest such run.
        best: the best score by game, for games whose scores compare.
        rating: the strength and its doubt, None where it is not known.
        won_by_game: the rounds won alone of each game that was played.
    """

    name: str
    played: int
    won: int
    drawn: int
    streak: int = 0
    longest: int = 0
    best: tuple[tuple[str, int], ...] = ()
    rating: Rating | None = None
    won_by_game: tuple[tuple[str, int], ...] = ()

    @property
    def rate(self) -> float:
        """The share of rounds won, 0 to 1."""
        return self.won / self.played


class StoredHistory(NamedTuple):
    """What the store knows when the table opens."""

    next_round: int = 1
    names: tuple[str, ...] = ()
    last_games: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()  # the games of other packages, in the order in which they were first seen
    tonight: tuple[FinishedRound, ...] = ()
    fresh: tuple[FinishedRound, ...] = ()  # finished since the table opened
    unfinished: StoredRound | None = None
    between: StoredRound | None = None  # the last finished round of a match that goes on
    pads: tuple[tuple[Options, tuple[str, ...]], ...] = ()  # options and names of score pads, newest first
    heads: tuple[RoundHeader, ...] = ()  # of the last round of each game that was played
    left: tuple[str, ...] = ()  # the games whose last round was left before its end
    favourites: tuple[str, ...] = ()  # names that are offered first
    hints: bool = False  # whether they were on when they were last switched
    dealer: bool = False  # the same of the score pad's mark
    rests: bool = False  # the same of the rest view at once
    timing: bool | None = None  # the same of the clock of thinking times, None if it was never switched
    language: str = ""  # the one that was chosen at the box last, "" for none


class Settings(NamedTuple):
    """What does not change while the table is open."""

    names: tuple[str, ...] = ()  # from the configuration
    requested: RoundHeader | None = None  # a round asked for on the command line
    keypad: bool = True  # a keypad is attached, so legends start as # and *
    buttons: bool = True  # there are buttons
    timing: bool = False  # whether the clock of thinking times runs where it was never switched at the box
    players_press: bool = False  # any player's phone may press the box's keys, not the host's alone
    language: str = ""  # the one of the panel where none was chosen at the box, "" for English
    asks_language: bool = False  # a new box is asked which one it speaks
    terminal: bool = False  # a keyboard is keypad and buttons at once, and does not tell when a key comes up again
