"""The modes of a session: the current one decides what a key does and what is shown."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.session.setup_modes import ClockSetting, Figure, Menu, Offered, Seats, Spelling

if TYPE_CHECKING:
    from companion.game import Refused
    from companion.inputs import Finding, HintPart, HintRequest
    from companion.session.actions import Action
    from companion.session.on_table import PadRound, Round
    from companion.session.stored import StoredRound


class Splash(NamedTuple):
    """The title, until a press or `until` (monotonic seconds); `ok` is down then, and at its end the doctor opens."""

    until: float
    ok: bool = False


class Resume(NamedTuple):
    """ "Go on?", with the unfinished round, or the match that waits for its next round (`between`)."""

    round: Round | PadRound
    between: bool = False


class Dealing(NamedTuple):
    """Pieces being named: a holding of the deal, or a refill in the round (`kind` is the event's word then).

    `pieces` are whole ones, `keys` those of a begun one; `cursor` is the picker's row and column, None while typing;
    `moved` tells that it was moved since OK; `wrong` is why the pieces cannot stand; `stray` is a key just pressed that
    means nothing here; `grid` is the kind of pieces that the picker walks.
    """

    kind: str
    seat: int
    size: int
    pieces: tuple[str, ...] = ()
    keys: str = ""
    cursor: tuple[int, int] | None = None
    moved: bool = False
    wrong: Refused | None = None
    stray: str = ""
    grid: str = ""


CANCELLED = "cancelled"
"""As `stray`: the key was the answer no to a question, and is no part of an entry."""


class Playing(NamedTuple):
    """The table in play. An entry is typed (`keys`) or picked (`pick`), or neither yet."""

    keys: str = ""
    pick: Any = None
    stray: str = ""  # a key that meant nothing here, to be told
    arrows: bool = False  # nothing was entered for some seconds: say what the arrows of six buttons do
    nudge: bool = False  # nothing was entered for a while: say how to pass


class Scoring(NamedTuple):
    """The score pad in play: the seat under the cursor and the change that is being entered for it.

    The change is typed (`keys` after a `sign`, "" for plus) or counted up and down (`step`, None while it is not);
    `at` is when it was last added to, in monotonic seconds; `full` tells that a digit more would be too many.
    """

    seat: int = 1
    keys: str = ""
    sign: str = ""
    step: int | None = None
    at: float = 0.0
    full: bool = False

    @property
    def points(self) -> int | None:
        """The change, None while there is none."""
        if self.keys:
            return int(self.sign + self.keys)
        return self.step


class PadSheet(NamedTuple):
    """The running sheet of the score pad, from round `row` and seat `column` on, both from 0."""

    row: int
    column: int = 0


class PadOver(NamedTuple):
    """The result of the score pad; `by_pause` tells that a pause led here, and that OK may be meant for the entry."""

    by_pause: bool = False


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
    """A question before something is thrown away or changed; `agreed` seats have said yes, `wanted` must.

    `mend` is the place of a deal or event and what it is to say; `unbidden` tells that a phone has led here, `by_pause`
    that a pause has, so that a key meant for the game may follow. `names` are two players who are to be one.
    """

    does: Action
    title: str
    lines: tuple[str, ...]
    wanted: tuple[int, ...] = ()
    agreed: tuple[int, ...] = ()
    back: Any = None
    mend: tuple[int, str] = (0, "")
    unbidden: bool = False
    by_pause: bool = False
    names: tuple[str, str] = ("", "")


class Mending(NamedTuple):
    """A player's own pieces, in the order in which they were named, of which one is mended.

    The cursor stands `on` a piece (from 0). After OK it is named anew (`naming`): typed (`keys`) or picked (`cursor`, a
    row and column of its grid). `stray` tells that the last key meant nothing. `entry` is the hand that is still being
    entered, None for pieces that were handed in.
    """

    seat: int
    pieces: tuple[str, ...]
    on: int = 0
    naming: bool = False
    keys: str = ""
    cursor: tuple[int, int] | None = None
    stray: bool = False
    entry: Dealing | None = None


class Hint(NamedTuple):
    """A hint for the seat to move, open at part `number` (from 0); without `parts` so many hundredths are thought out.

    `hidden` tells that it rests on pieces that only this seat and the box know.
    """

    request: HintRequest
    percent: int = 0
    parts: tuple[HintPart, ...] = ()
    number: int = 0
    hidden: bool = False


class LookAway(NamedTuple):
    """Before what only one player may see is shown: the others are asked to look away.

    `mending` or `hint` is what is shown then; without either it is a look at the player's own pieces.
    """

    seat: int
    mending: Mending | None = None
    hint: Hint | None = None


class Peek(NamedTuple):
    """A player's own pieces, until `until` or while OK is held."""

    seat: int
    until: float


class RoundOver(NamedTuple):
    """The result of the round."""


class MatchScore(NamedTuple):
    """The match so far, between rounds."""


class PageKind(Enum):
    """What a page to read is about."""

    STANDINGS = "the standings of this evening"
    EVER = "the standings of all time"
    ROUND = "a round of the history"
    CLAIMS = "false claims of a round"
    ANSWER = "an answer in a few lines"
    HELP = "how a game is played, a part a line"
    OWN = "a page that the game's manifest names"
    LOOK_BACK = "where the round was decided, or that it is being looked for"


class Page(NamedTuple):
    """A page to read, open at its part `number` (from 0).

    The first of `lines` is the heading, with `note` at its right. Instead, CLAIMS and EVER have `rows`: a false claim
    (who, which move, what it could have been), or a player (name, won and played, rating). `kept` is the round of a
    ROUND, whose match goes on after it where `match` says so; `own` is the manifest's word for an OWN page; `game` is
    the one that EVER is about, "" for all.
    """

    kind: PageKind
    lines: tuple[str, ...] = ()
    number: int = 0
    back: Any = None
    kept: StoredRound | None = None
    match: bool = False
    rows: tuple[tuple[str, str, str], ...] = ()
    note: str = ""
    own: str = ""
    game: str = ""

    @property
    def goes_on(self) -> bool:
        """Whether OK goes on with its round, or with the next one of its match."""
        return self.kept is not None and (self.match or not self.kept.result)


class Walk(NamedTuple):
    """A kept round looked at again: the table after event `number`, 0 for the start; `back` is the round's page."""

    round: Round | PadRound
    number: int
    back: Page


class Doctor(NamedTuple):
    """What was found out about the box: page 0 is an overview, the last one shows the keys as they arrive.

    `findings` is None while the box is being looked at; `heard` are the newest keys, in order, `total` counts all.
    """

    back: Any
    findings: tuple[Finding, ...] | None = None
    number: int = 0
    heard: tuple[str, ...] = ()
    total: int = 0


class Phones(NamedTuple):
    """How a phone or a big screen comes to the table: the address of its page, as a code and in letters.

    Page `number` 0; each further page is that of one phone that was let in, which can be taken away there.
    """

    back: Any
    number: int = 0


class PairingCode(NamedTuple):
    """The code on the page of phones, until when it counts, and how often a wrong one was tried."""

    text: str
    until: float
    wrong: int = 0


class Letting(NamedTuple):
    """A phone asks to be `player`'s, with the right code or after it was let in; `phone` is the hash of its secret.

    `player` is "" for a phone that asks to be the host's.
    """

    phone: str
    player: str
    back: Any


class Answer(NamedTuple):
    """The answer to a phone's wish by its number: "" where it was granted, else why not, in one sentence."""

    number: int
    refusal: str = ""


class Goodbye(NamedTuple):
    """The plug may be pulled."""


Mode = (
    Splash | Resume | Menu | Seats | Spelling | Figure | ClockSetting | Dealing | Playing | Scoring | Refusing
    | Notice | Ask | LookAway | Hint | Peek | Mending | RoundOver | PadOver | MatchScore | Page | Doctor | Phones
    | Letting | Offered | Walk | PadSheet | Goodbye
)  # fmt: skip
