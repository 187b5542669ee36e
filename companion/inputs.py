"""The inputs of the session, and its requests to the rest of the program.

Devices put inputs on a queue, and each updates the session.
"""

from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from companion.languages import text

if TYPE_CHECKING:
    from companion.game.hint import HintPart
    from companion.phone_requests import AnyRequest

KEYPAD = "0123456789ABCD*#"
BUTTONS = ("up", "down", "left", "right", "ok", "back")
TAKE_BACK = "take-back"
"""The key that stands for a long press of BACK."""
DOCTOR = "doctor"
"""The key that stands for an OK that is down at the start."""


class Pressed(NamedTuple):
    """A key was pressed: one of `KEYPAD` or `BUTTONS`, `TAKE_BACK`, `DOCTOR`, or a character of a keyboard.

    A keyboard's letters from a to z are capitals. `held` marks an automatic repeat; `at` is in monotonic seconds.
    """

    key: str
    at: float = 0.0
    held: bool = False


class Released(NamedTuple):
    """A button was released; a keypad does not report releases."""

    key: str
    at: float = 0.0


class DeviceLost(NamedTuple):
    """A device is missing: ``panel``, ``keypad``, ``buttons``, ``lamps`` or ``disk``; other names are only reported.

    `short` is the reason in one or two lines that fit on the panel; `detail` are further details, or the whole reason
    where `short` has two lines.
    """

    device: str
    short: str
    at: float = 0.0
    detail: str = ""

    @property
    def why(self) -> str:
        """The reason in one sentence."""
        if "\n" in self.short and self.detail:
            return self.detail
        return text("{short}: {detail}", short=self.short, detail=self.detail) if self.detail else self.short


class DeviceBack(NamedTuple):
    """A device works (again)."""

    device: str
    at: float = 0.0


class Tick(NamedTuple):
    """The time for something has come, such as dimming the panel."""

    at: float = 0.0


class Stop(NamedTuple):
    """The program has to end; `why` is ``interrupt`` or ``terminate``."""

    why: Literal["interrupt", "terminate"] = "terminate"
    at: float = 0.0


PARTS = (
    text("program"), text("settings"), text("table"), text("panel"), text("bus"), text("buttons"), text("keypad"),
    text("lamps"), text("disk"), text("rounds"), text("copies"), text("set aside"), text("backup"), text("clock"),
    text("voltage"), text("hall"), text("games"),
)  # fmt: skip
"""The parts of the box that findings are about; groups of users have names."""


class Finding(NamedTuple):
    """The result of examining a part of the box, in a sentence that also says what to do.

    `about` is one of `PARTS` or a group, `state` is ``ok``, ``do`` (something has to be done) or ``note`` (for
    information, or unknown).
    """

    about: str
    state: Literal["ok", "do", "note"]
    text: str

    @property
    def part(self) -> str:
        """What it is about, in words."""
        return text(self.about)


class BoxExamined(NamedTuple):
    """The box was examined, as the session had requested."""

    findings: tuple[Finding, ...]
    at: float = 0.0


class Request(Enum):
    """Requests of the session without further data, each with the input that brings it."""

    EXAMINE_BOX = "examine the box"  # BoxExamined
    STANDINGS = "standings of all time"  # QueryResult
    HISTORY = "the newest rounds"  # QueryResult
    PHONES_ON = "let phones come"  # PagesServed
    PHONES_OFF = "send all phones away"
    PHONE_CODE = "a code for a phone"  # CodeIssued


class RoundRequest(NamedTuple):
    """The session requests a stored round by its number; brought by QueryResult."""

    number: int


class GameStandings(NamedTuple):
    """The session requests the standings of all rounds of a game, by its id; brought by QueryResult."""

    game: str


class NameRequest(NamedTuple):
    """The session asks for a name to be changed in every kept round, or (`merged`) to be another player's.

    Brought by QueryResult. `number` is that of the request of a `phone`, for the answer to it; "" is the box itself.
    """

    old: str
    new: str
    merged: bool
    number: int = 0
    phone: str = ""


class ChangeRequest(NamedTuple):
    """The session asks for a finished round to be changed: ``void``, ``restore``, or ``correct`` as `text` has it.

    Brought by QueryResult. `number` and `phone` are as in `NameRequest`.
    """

    round: int
    change: Literal["void", "restore", "correct"]
    text: str = ""
    number: int = 0
    phone: str = ""


class LookBackRequest(NamedTuple):
    """The session asks where a round was decided; brought by LookedBack, repeatedly while the search runs.

    `states` are all positions of the round, one more than `events`; `names` are the players by seat.
    """

    game: str
    states: tuple[Any, ...]
    events: tuple[tuple[int, str], ...]
    names: tuple[str, ...]


class LookedBack(NamedTuple):
    """What a look back has found so far, in lines for the panel, and what had been asked."""

    request: LookBackRequest
    lines: tuple[str, ...]
    at: float = 0.0


class HintRequest(NamedTuple):
    """A hint is wanted for the `seat` that is to move; `states` has one position more than `events`: the start."""

    game: str
    seat: int
    states: tuple[Any, ...]
    events: tuple[tuple[int, str], ...]


class Hinted(NamedTuple):
    """A hint, or how many hundredths of it are thought out while it has no `parts`, and what had been asked."""

    request: HintRequest
    percent: int = 0
    parts: "tuple[HintPart, ...]" = ()
    at: float = 0.0


class MoveRequest(NamedTuple):
    """The session asks for a move of the box, which plays for `seat`; brought by BoxMove, more than once.

    `states` are all positions of the round, one more than `events`; `strength` is from 1; of equally good moves `seed`
    picks one.
    """

    game: str
    states: tuple[Any, ...]
    events: tuple[tuple[int, str], ...]
    seat: int
    strength: int
    seed: int = 0


class BoxMove(NamedTuple):
    """How far the box has thought, in hundredths; then its move, or that it found none (`failed`)."""

    request: MoveRequest
    share: int = 0
    move: str = ""
    failed: bool = False
    at: float = 0.0


SearchRequest = LookBackRequest | HintRequest | MoveRequest
"""What a coach searches for, beside the loop."""
RoundsRequest = Request | RoundRequest | GameStandings | NameRequest | ChangeRequest
"""What is asked of the kept rounds; of the plain requests two are."""
SessionRequest = RoundsRequest | SearchRequest
"""All that the session requests."""


class QueryResult(NamedTuple):
    """What the kept rounds tell, and what had been asked.

    `found` is a tuple of standings, of rounds in a line each (newest first), or of the round, its line, and whether
    its match goes on after it; after a `NameRequest` or `ChangeRequest` why it was not done ("" if it was) and the
    history from now on, after a `ChangeRequest` then the newest rounds, and what a `RoundRequest` finds.
    """

    request: RoundsRequest
    found: tuple[Any, ...]
    at: float = 0.0


class PagesServed(NamedTuple):
    """The table's page is served at these addresses; () when it no longer is."""

    pages: tuple[str, ...]
    at: float = 0.0


class CodeIssued(NamedTuple):
    """A new code for letting a phone in, as the session had wanted."""

    code: str
    at: float = 0.0


class PhoneRequest(NamedTuple):
    """What a phone asks for, None for something unknown.

    `phone` is the hash of its secret; `number` is the request's, for the answer.
    """

    number: int
    phone: str
    request: "AnyRequest | None"
    at: float = 0.0


class Offer(NamedTuple):
    """A pairing of a club's tournament, offered to this table by its hall.

    `id` changes when it is offered once more; `place` is the name that the hall has for this table; `options` are
    those of the game's rules; who is named first starts.
    """

    id: str
    place: str
    event: str
    round: int
    game: str
    options: tuple[tuple[str, str], ...]
    names: tuple[str, ...]


class OfferMade(NamedTuple):
    """The hall offers a pairing, or (None) has none for this table any more."""

    offer: Offer | None
    at: float = 0.0


Input = (
    Pressed
    | Released
    | DeviceLost
    | DeviceBack
    | Tick
    | Stop
    | BoxExamined
    | QueryResult
    | LookedBack
    | Hinted
    | BoxMove
    | PagesServed
    | CodeIssued
    | PhoneRequest
    | OfferMade
)
