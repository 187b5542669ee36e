"""The modes of a session: the current one decides what a key does and what is shown."""

from enum import Enum
from typing import Any, NamedTuple

from companion.game import Refused
from companion.game.hint import HintPart
from companion.inputs import Finding, HintRequest
from companion.session.actions import Action
from companion.session.on_table import PadRound, Round
from companion.session.setup_modes import ClockSetting, Figure, Menu, Offered, Seats, Spelling
from companion.session.stored import StoredRound


class Splash(NamedTuple):
    """The title screen, until a key or `until` (monotonic seconds); with `ok` OK is held, and the doctor opens then."""

    until: float
    ok: bool = False


class Resume(NamedTuple):
    """ "Go on?", with the unfinished round, or the match that waits for its next round (`between`)."""

    round: Round | PadRound
    between: bool = False


class Dealing(NamedTuple):
    """Pieces are being named: a holding of the deal, or a refill in the round (`kind` is then the event's word).

    `pieces` are complete ones, `keys` those of an incomplete one; `cursor` is the picker's row and column, None while
    typing, `moved` whether it was moved since OK; `wrong` is why the pieces are refused; `stray` is the last key if it
    meant nothing; `grid` is the kind of pieces to pick from.
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
"""The value of `stray` after a key that cancelled a question."""


class Playing(NamedTuple):
    """A move is due. An entry is typed (`keys`), picked (`pick`), or not begun."""

    keys: str = ""
    pick: Any = None
    stray: str = ""  # the last key, if it meant nothing
    arrows: bool = False  # nothing was entered for some seconds: say what the arrow buttons do
    nudge: bool = False  # nothing was entered for a while: say how to pass


class Scoring(NamedTuple):
    """The score pad in play: the seat under the cursor, and the points being entered for it.

    They are typed (`keys` after a `sign`, "" for plus) or counted up and down (`step`, else None); `at` is when they
    last changed, in monotonic seconds; `full` is whether another digit would be too many.
    """

    seat: int = 1
    keys: str = ""
    sign: str = ""
    step: int | None = None
    at: float = 0.0
    full: bool = False

    @property
    def points(self) -> int | None:
        """The points being entered, None for none."""
        if self.keys:
            return int(self.sign + self.keys)
        return self.step


class PadSheet(NamedTuple):
    """The running sheet of the score pad, from round `row` and seat `column` on, both from 0."""

    row: int
    column: int = 0


class PadOver(NamedTuple):
    """The result of the score pad; `by_pause`: it came after a pause, so OK may be meant for the entry."""

    by_pause: bool = False


class Refusing(NamedTuple):
    """A refusal that fills the panel until the next key; `back` is the mode with the entry."""

    refused: Refused
    back: Any


class Notice(NamedTuple):
    """A message until the next key: an icon's name, a heading, what happened, and what follows."""

    icon: str
    heading: str
    lines: tuple[str, ...]
    after: str
    then: Any


class Ask(NamedTuple):
    """A question before something is discarded or changed; the seats `must_agree` have to agree, `agreed` have.

    `mend` is the place of a deal or event and its new text. `unbidden` (a phone asked) and `by_pause` (it came after a
    pause) mean that a key may be meant for the game. `names` are two players to be merged.
    """

    does: Action
    title: str
    lines: tuple[str, ...]
    must_agree: tuple[int, ...] = ()
    agreed: tuple[int, ...] = ()
    back: Any = None
    mend: tuple[int, str] = (0, "")
    unbidden: bool = False
    by_pause: bool = False
    names: tuple[str, str] = ("", "")


class Mending(NamedTuple):
    """A player's own pieces, in the order in which they were named, one of which is corrected.

    The cursor is `on` a piece (from 0). After OK its replacement is named (`naming`): typed (`keys`) or picked
    (`cursor`, a row and column of its grid). `stray`: the last key meant nothing. `entry` is the hand that is still
    being entered, None for pieces that were handed in.
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
    """A hint for the seat to move, open at part `number` (from 0); without `parts` the search has done `percent` of it.

    `hidden` is whether it depends on pieces that only this seat and the box know.
    """

    request: HintRequest
    percent: int = 0
    parts: tuple[HintPart, ...] = ()
    number: int = 0
    hidden: bool = False


class LookAway(NamedTuple):
    """The others are asked to look away before something is shown that only one player may see.

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
    """The kinds of pages to read."""

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
    the one that EVER is about, "" for all; `leads_on` says that what follows it was not there before.
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
    leads_on: bool = False

    @property
    def goes_on(self) -> bool:
        """Whether OK resumes its round, or begins the next one of its match."""
        return self.kept is not None and (self.match or not self.kept.result)


class Walk(NamedTuple):
    """A stored round replayed: the table after event `number`, 0 for the start; `back` is the round's page."""

    round: Round | PadRound
    number: int
    back: Page


class Doctor(NamedTuple):
    """The doctor's pages: page 0 is an overview, the last one shows the keys as they arrive.

    `findings` is None while the box is being examined; `pressed` are the newest keys in order, `total` counts all keys.
    """

    back: Any
    findings: tuple[Finding, ...] | None = None
    number: int = 0
    pressed: tuple[str, ...] = ()
    total: int = 0


class Phones(NamedTuple):
    """How a phone or a big screen reaches the table: the URL of its page, as a QR code and in letters.

    That is page `number` 0; each further page is about one paired phone, which can be removed there.
    """

    back: Any
    number: int = 0


class PairingCode(NamedTuple):
    """The code on the page of phones, until when it is valid, and how many wrong ones were tried."""

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
    """The answer to a phone's request by its number: "" where it was granted, else why not, in one sentence."""

    number: int
    refusal: str = ""


class Goodbye(NamedTuple):
    """The last screen: the power may be cut."""


Mode = (
    Splash | Resume | Menu | Seats | Spelling | Figure | ClockSetting | Dealing | Playing | Scoring | Refusing
    | Notice | Ask | LookAway | Hint | Peek | Mending | RoundOver | PadOver | MatchScore | Page | Doctor | Phones
    | Letting | Offered | Walk | PadSheet | Goodbye
)  # fmt: skip
