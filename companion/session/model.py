"""What the session is made of: the round on the table, the moment the players are in, and what is to be kept.

All of it immutable; `companion.session.update` makes the next one from an input.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from companion import entry as entries
from companion import games
from companion import pad as pads
from companion.entry import Draft, Entry
from companion.game import Game, Outcome, Refused
from companion.inputs import Finding
from companion.pad import Pad
from companion.ratings import Rating

Options = tuple[tuple[str, str], ...]  # option name and value, in the game's order


class Write(NamedTuple):
    """One line for the store, in order: what happened in round `round`.

    `kind` is ``begin``, ``deal``, ``rack``, ``event``, ``back`` (the last event is taken back), ``result`` (the
    round has ended, `text` as in a record), ``aside`` (kept unfinished, not offered again) or ``resume``.
    `about` is the round's head, only with ``begin``.
    """

    round: int
    kind: str
    seat: int = 0
    text: str = ""
    about: About | None = None
    reason: str = ""  # why the round ended, with ``result``
    seconds: float = 0.0  # thought before the event, 0 where the clock was off


class About(NamedTuple):
    """The head of a round: what is played, by whom, and as which round of which match."""

    game: str
    options: Options
    names: tuple[str, ...]
    goal: int = 0  # round wins that end the match; 0: a single round
    number: int = 1  # of the round in its match
    wins: tuple[tuple[str, int], ...] = ()  # by name, before this round
    opened: tuple[tuple[str, int], ...] = ()  # the open holdings: kind, seat


class Saved(NamedTuple):
    """A round as the store keeps it: its head, its deals (kind, seat, text) and its standing events (seat, text)."""

    id: int
    about: About
    deals: tuple[tuple[str, int, str], ...] = ()
    events: tuple[tuple[int, str], ...] = ()
    result: str = ""
    reason: str = ""
    times: tuple[float, ...] = ()  # seconds thought before each event, 0 where unknown; () for all


class Result(NamedTuple):
    """A finished round for the standings."""

    game: str
    names: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]  # seats
    at: str = ""


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
    """

    name: str
    played: int
    won: int
    drawn: int
    streak: int = 0
    longest: int = 0
    best: tuple[tuple[str, int], ...] = ()
    rating: Rating | None = None

    @property
    def rate(self) -> float:
        """The share of rounds won, 0 to 1."""
        return self.won / self.played


class Past(NamedTuple):
    """What the store knows when the table opens."""

    next_round: int = 1
    names: tuple[str, ...] = ()
    last_games: tuple[str, ...] = ()
    tonight: tuple[Result, ...] = ()
    fresh: tuple[Result, ...] = ()  # finished since the table opened
    unfinished: Saved | None = None
    between: Saved | None = None  # the last finished round of a match that goes on
    pads: tuple[tuple[Options, tuple[str, ...]], ...] = ()  # options and names of score pads, newest first


class Settings(NamedTuple):
    """What does not change while the table is open."""

    names: tuple[str, ...] = ()  # from the configuration
    about: About | None = None  # a round asked for on the command line
    keypad: bool = True  # a keypad is attached, so legends start as # and *
    buttons: bool = True  # there are buttons
    timing: bool = False  # whether the clock runs from the start


class Round(NamedTuple):
    """The round on the table. `states` has one position more than `events`: the start, then one after each."""

    id: int
    about: About
    game: Game[Any, Any]
    entry: Entry
    waiting: tuple[tuple[str, int], ...]  # open holdings still to be entered, in order
    deals: tuple[tuple[str, int, str], ...]
    states: tuple[Any, ...]
    events: tuple[tuple[int, str], ...] = ()
    times: tuple[float, ...] = ()  # one for each event: the seconds thought before it, 0 where the clock was off

    @property
    def spent(self) -> tuple[float, ...]:
        """The seconds that each seat has thought, by seat."""
        total = [0.0] * len(self.about.names)
        for (seat, _), seconds in zip(self.events, self.times, strict=True):
            total[seat - 1] += seconds
        return tuple(total)

    @property
    def options(self) -> dict[str, str]:
        """The options by name."""
        return dict(self.about.options)

    @property
    def state(self) -> Any:
        """The position now."""
        return self.states[-1]

    @property
    def turn(self) -> int | None:
        """The seat whose event is due; None when the round is over or pieces are still being dealt."""
        return None if self.waiting else self.game.turn(self.state)

    @property
    def outcome(self) -> Outcome:
        """The scores, and how the round ended if it has."""
        return self.game.outcome(self.state)

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        return not self.waiting and self.game.turn(self.state) is None

    def name(self, seat: int) -> str:
        """The player in a seat."""
        return self.about.names[seat - 1]


def dealt(round_: Round, kind: str, seat: int, text: str) -> Round:
    """The round with a holding entered. Raises Refused ``syntax`` or ``deal`` where it cannot be."""
    text = round_.game.write_deal(round_.game.read_deal(text, kind, round_.options))
    deals = (*round_.deals, (kind, seat, text))
    known = {(k, s): round_.game.read_deal(t, k, round_.options) for k, s, t in deals}
    state = round_.game.start(len(round_.about.names), round_.options, known)
    waiting = tuple(each for each in round_.waiting if each != (kind, seat))
    return round_._replace(deals=deals, states=(state,), waiting=waiting)


def begun(number: int, about: About) -> Round:
    """A new round, its open holdings still to be entered."""
    game = games.load(about.game)
    state = game.start(len(about.names), dict(about.options), {})
    return Round(number, about, game, entries.load(about.game), about.opened, (), (state,))


def played(round_: Round, seat: int, text: str, seconds: float = 0.0) -> Round:
    """The round after an event's text, before which its seat has thought so long. Raises Refused."""
    move = round_.game.read(text)
    state = round_.game.play(round_.state, seat, move)
    return round_._replace(
        states=(*round_.states, state), events=(*round_.events, (seat, str(move))), times=(*round_.times, seconds)
    )


def rebuilt(saved: Saved) -> Round:
    """The round that the store kept, replayed. Raises Refused where the rules no longer allow it."""
    round_ = begun(saved.id, saved.about)
    for kind, seat, text in saved.deals:
        round_ = dealt(round_, kind, seat, text)
    times = saved.times or (0.0,) * len(saved.events)
    for (seat, text), seconds in zip(saved.events, times, strict=True):
        round_ = played(round_, seat, text, seconds)
    return round_


class PadRound(NamedTuple):
    """The score pad on the table; `about` is its head as for a round, its game is ``pad``; `over` with its result."""

    id: int
    about: About
    pad: Pad
    over: bool = False

    def name(self, seat: int) -> str:
        """The player in a seat."""
        return self.about.names[seat - 1]


def pad_rebuilt(saved: Saved) -> PadRound:
    """The score pad that the store kept. Raises ValueError where it cannot have been one."""
    about = saved.about
    return PadRound(saved.id, about, pads.opened(len(about.names), about.options, saved.events))


# -- the moments ------------------------------------------------------------------------------------------------


class Splash(NamedTuple):
    """The title, until a press or `until` (monotonic seconds); `ok` is down then, and at its end the doctor opens."""

    until: float
    ok: bool = False


class Resume(NamedTuple):
    """ "Go on?", with the unfinished round, or the match that waits for its next round (`between`)."""

    round: Round | PadRound
    between: bool = False


class Item(NamedTuple):
    """A line of a menu: what it does, its words, and a note at its right ("" for the digit that picks it)."""

    does: str
    label: str
    note: str = ""


class Menu(NamedTuple):
    """A list to pick from; `kind` says which, `title` heads it ("" for none), `setup` is what is being set up."""

    kind: str
    items: tuple[Item, ...]
    cursor: int = 0
    title: str = ""
    note: str = ""
    setup: Setup | None = None


class Setup(NamedTuple):
    """A round in the making: the choices so far."""

    game: str
    options: Options = ()
    seats: int = 2
    goal: int = 0
    names: tuple[str, ...] = ()
    opened: tuple[tuple[str, int], ...] = ()
    asked: int = 0  # how many questions have been answered


class Seats(NamedTuple):
    """Who sits where; the first starts."""

    setup: Setup


class Spelling(NamedTuple):
    """A new name, letter by letter; `seat` is 0 for a game's; `tap` is the key and time of the last multi-tap."""

    setup: Setup
    seat: int
    text: str = ""
    tap: tuple[str, float] = ("", 0.0)


class Figure(NamedTuple):
    """A number to be set: the score pad's target or number of turns; `keys` are typed digits, else `value` stands."""

    setup: Setup
    value: int
    keys: str = ""


class Dealing(NamedTuple):
    """Pieces being named: a holding of the deal, or a refill in the round (`kind` is the event's word then).

    `pieces` are whole ones, `keys` those of a begun one; `at` is the picker's row and column, None while typing;
    `wrong` is why the pieces cannot stand.
    """

    kind: str
    seat: int
    size: int
    pieces: tuple[str, ...] = ()
    keys: str = ""
    at: tuple[int, int] | None = None
    wrong: Refused | None = None


class Playing(NamedTuple):
    """The table in play. An entry is typed (`keys`) or picked (`pick`), or neither yet."""

    keys: str = ""
    pick: Any = None
    stray: str = ""  # a key that meant nothing here, to be told
    nudge: bool = False  # nothing was entered for a while: say how to pass


class Scoring(NamedTuple):
    """The score pad in play: the seat under the cursor and the change that is being entered for it.

    The change is typed (`keys`, negative with `minus`) or counted up and down (`step`, None while it is not); `at`
    is when it was last added to, in monotonic seconds.
    """

    seat: int = 1
    keys: str = ""
    minus: bool = False
    step: int | None = None
    at: float = 0.0

    @property
    def points(self) -> int | None:
        """The change, None while there is none."""
        if self.keys:
            return -int(self.keys) if self.minus else int(self.keys)
        return self.step


class PadOver(NamedTuple):
    """The result of the score pad."""


class Refusing(NamedTuple):
    """A refusal that fills the panel until the next press; `back` is the moment with the entry in it."""

    refused: Refused
    back: Any


class Notice(NamedTuple):
    """Something to be told that waits for a press: an icon's name, a heading, what happened, and what follows."""

    icon: str
    heading: str
    lines: tuple[str, ...]
    after: str
    then: Any


class Ask(NamedTuple):
    """A question before something is thrown away; `agreed` seats have said yes, `wanted` must."""

    does: str  # take-back, end, aside
    title: str
    lines: tuple[str, ...]
    wanted: tuple[int, ...] = ()
    agreed: tuple[int, ...] = ()
    back: Any = None


class LookAway(NamedTuple):
    """Before a player's own pieces are shown: the others are asked to look away."""

    seat: int


class Peek(NamedTuple):
    """A player's own pieces, until `until` or while OK is held."""

    seat: int
    until: float


class RoundOver(NamedTuple):
    """The result of the round."""


class MatchScore(NamedTuple):
    """The match so far, between rounds."""


class Page(NamedTuple):
    """A page to read: ``standings``, ``ever``, ``round``, ``sheet``, ``tiles``, ``claims``, ``answer``.

    Of ``claims`` each line is a page: who, which move and what it could have been, tabs between. Of ``ever`` each
    line is a player: name, won and played, rating, tabs between. `kept` is the round of a ``round``.
    """

    kind: str
    lines: tuple[str, ...] = ()
    at: int = 0
    back: Any = None
    kept: Saved | None = None


class Doctor(NamedTuple):
    """What was found out about the box: page 0 is an overview, the last one shows the keys as they arrive.

    `findings` is None while the box is being looked at; `heard` are the newest keys, in order, `total` counts all.
    """

    back: Any
    findings: tuple[Finding, ...] | None = None
    at: int = 0
    heard: tuple[str, ...] = ()
    total: int = 0


class Goodbye(NamedTuple):
    """The plug may be pulled."""


Mode = (
    Splash | Resume | Menu | Seats | Spelling | Figure | Dealing | Playing | Scoring | Refusing | Notice | Ask
    | LookAway | Peek | RoundOver | PadOver | MatchScore | Page | Doctor | Goodbye
)  # fmt: skip


class Session(NamedTuple):
    """The evening at one moment. Times are monotonic seconds, handed in with each input."""

    mode: Mode
    past: Past
    settings: Settings = Settings()
    round: Round | None = None
    pad: PadRound | None = None
    buttons: bool = False  # the last press came from buttons: legends are OK and BACK
    hints: bool = False
    timing: bool = False  # the clock runs
    thought: float = 0.0  # seconds that the seat to move has thought
    clock: float = 0.0
    pressed: float = 0.0
    erased: float = -10.0
    light: str = "on"  # on, dim, off
    swallow: bool = False  # a press woke the panel: presses do nothing up to a pause of a second
    away: tuple[str, ...] = ()  # devices that are away
    banner: str = ""
    shift: int = 0  # -1, 0, 1 pixels against burn-in
    sounds: tuple[str, ...] = ()
    unsaved: tuple[Write, ...] = ()
    wanted: tuple[str, ...] = ()
    """What the surroundings are asked for: ``doctor``, answered by Examined; ``ever``, ``history``, ``round 12``,
    answered by Listed."""
    stopping: bool = False


def draft(session: Session) -> Draft | None:
    """The entry on the table, judged; None while nothing is entered."""
    mode = session.mode.back if isinstance(session.mode, Refusing) else session.mode
    round_ = session.round
    if not isinstance(mode, Playing) or round_ is None:
        return None
    if mode.pick is not None:
        return round_.entry.picked(round_.state, mode.pick)
    return round_.entry.typed(round_.state, mode.keys) if mode.keys else None
