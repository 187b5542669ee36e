"""The inputs of the session, its requests to the rest of the program, and what phones ask for.

Devices put inputs on a queue, and each updates the session.
"""

from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from companion.languages import text

if TYPE_CHECKING:
    from companion.games.api.hint import HintPart

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


# -- what phones ask for: on the table's socket each is a word and a text (docs/socket.md) ----------------------------


class PairRequest(NamedTuple):
    """Pair this phone with a player. `code` is the one that the box shows.

    `was` is the phone that it was known as before, whose pairings go over to it; "" for none.
    """

    code: str
    player: str
    was: str = ""


class CodeRequest(NamedTuple):
    """Whether `code` is the one that the box shows; it stays valid."""

    code: str


class SitRequest(NamedTuple):
    """Pair this phone, which was let in before, with another player."""

    player: str


class HostingRequest(NamedTuple):
    """Show this phone the host's pages. `code` is "" for a phone that was let in before; `was` as in `PairRequest`."""

    code: str
    was: str = ""


class PlayRequest(NamedTuple):
    """Play an event, written as in a record."""

    event: str


class DealRequest(NamedTuple):
    """Name the player's own holding `kind`; `pieces` are written as in a record."""

    kind: str
    pieces: str


class MendRequest(NamedTuple):
    """Replace a piece that was named wrongly by `piece`.

    `place` counts deals and events from 1, `which` the pieces that are named there from 0; -1 if what was sent is no
    number.
    """

    place: int
    which: int
    piece: str


class FavouriteRequest(NamedTuple):
    """From the host: offer a name among the first ones, or, if not `favoured`, no longer."""

    name: str
    favoured: bool


class RenameRequest(NamedTuple):
    """From the host: rename a player, or, if `merged`, make two players one."""

    old: str
    new: str
    merged: bool


class RoundChangeRequest(NamedTuple):
    """From the host: void or restore a finished round, or correct it as `text` has it.

    `round` is -1 if what was sent is no number.
    """

    round: int
    change: Literal["void", "restore", "correct"]
    text: str


class ScoreRequest(NamedTuple):
    """From the host: enter points on the score pad, written as its events are.

    `seat` counts from 1; -1 if what was sent is no number.
    """

    seat: int
    points: str


class PressRequest(NamedTuple):
    """Press a key of the box.

    `seen` is the mark of what the phone's page showed. `key` is ``ok``, ``back``, ``up``, ``down``, ``left``,
    ``right``, ``close`` (what holds a player up), ``pick`` (`text` is the number of an entry) or ``type`` (`text` is a
    name or a number).
    """

    seen: str
    key: str
    text: str = ""


class PlainRequest(Enum):
    """A request without a text."""

    TAKE_BACK = "back"
    AGREE = "agree"
    DECLINE = "decline"


HostRequest = FavouriteRequest | RenameRequest | RoundChangeRequest | ScoreRequest
SeatRequest = PlayRequest | DealRequest | MendRequest | PlainRequest
AnyRequest = PairRequest | CodeRequest | SitRequest | HostingRequest | HostRequest | PressRequest | SeatRequest


class PhoneRequest(NamedTuple):
    """What a phone asks for, None for something unknown.

    `phone` is the hash of its secret; `number` is the request's, for the answer.
    """

    number: int
    phone: str
    request: AnyRequest | None
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


def read_request(what: str, text: str = "", was: str = "") -> AnyRequest | None:
    """Read a request from its word and its text, and as which phone the asking one was known before.

    Returns None if the word is unknown.
    """
    first, _, rest = text.partition(" ")
    match what:
        case "pair":
            return PairRequest(first, rest, was)
        case "code":
            return CodeRequest(text)
        case "sit":
            return SitRequest(text)
        case "host":
            return HostingRequest(text, was)
        case "play":
            return PlayRequest(text)
        case "deal":
            return DealRequest(first, rest)
        case "mend":
            place, which, piece = [*text.split(), "", "", ""][:3]
            return MendRequest(_number(place), _number(which), piece)
        case "favour" | "unfavour":
            return FavouriteRequest(text, what == "favour")
        case "rename" | "merge":
            old, _, new = text.partition(",")
            return RenameRequest(old, new, what == "merge")
        case "void" | "restore" | "correct":
            return RoundChangeRequest(_number(first), what, rest)
        case "points":
            return ScoreRequest(_number(first), rest)
        case "press":
            key, _, said = rest.partition(" ")
            return PressRequest(first, key, said)
        case "back" | "agree" | "decline":
            return PlainRequest(what)
        case _:
            return None


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
