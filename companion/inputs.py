"""Everything that reaches the session from outside, and everything that it asks for.

Three groups of values:

- **Inputs** (`Input`): key presses, devices, the clock, results of work done elsewhere, requests of phones. They wait
  on one queue, and the loop hands each to `state_machine.update_session`.
- **Requests of the session** (`SessionRequest`): work that the session may not do itself, such as a search or a query
  of the stored rounds. The loop carries a request out, and the result comes back as an input that holds the request.
- **Requests of phones** (`AnyRequest`), which arrive inside a `PhoneRequest`. On the table's socket each is a word and
  a text (docs/socket.md), and `parse_request` reads it.
"""

from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from companion.languages import text

if TYPE_CHECKING:
    from companion.games.api.hint import HintPart

KEYPAD_KEYS = "0123456789ABCD*#"
BUTTON_KEYS = ("up", "down", "left", "right", "ok", "back")
TAKE_BACK_KEY = "take-back"
"""The key of a long press of BACK: it asks for a takeback where there is something to take back."""
REPEAT_KEY, BOARD_KEY = "repeat", "board"
"""The keys of the voice: it says everything about the screen once more, and what is on the table part by part."""
VOICE_CHORDS = {"up": REPEAT_KEY, "down": BOARD_KEY}
"""The buttons that are keys of the voice while BACK is down."""
DOCTOR_KEY = "doctor"
"""The key of an OK button that is down when the box starts: it opens the doctor's pages."""


class KeyPressed(NamedTuple):
    """A key was pressed.

    Attributes:
        key: one of `KEYPAD_KEYS` or `BUTTON_KEYS`, `TAKE_BACK_KEY`, `DOCTOR_KEY`, or a character of a keyboard, whose
            letters from a to z arrive as capitals.
        at: monotonic seconds.
        held: whether this is an automatic repeat of a key that is held down.
        device: the USB device that it was pressed on, "" for any other; ``keyboard`` for letters, arrows and gamepads.
        pin: the pin (BCM number) of a button while the box learns its buttons, else -1. `key` is "" for a button that
            is not configured.
    """

    key: str
    at: float = 0.0
    held: bool = False
    device: Literal["", "number pad", "keyboard"] = ""
    pin: int = -1


class KeyReleased(NamedTuple):
    """A button was released. A keypad doesn't report releases."""

    key: str
    at: float = 0.0


class DeviceMissing(NamedTuple):
    """A device is missing, or doesn't work.

    Attributes:
        device: ``panel``, ``keypad``, ``number pad``, ``buttons``, ``lamps`` or ``disk``. Other names are reported and
            not remembered.
        short_reason: the reason in one or two lines that fit on the panel.
        at: monotonic seconds.
        detail: further details, or the whole reason where `short_reason` has two lines.
    """

    device: str
    short_reason: str
    at: float = 0.0
    detail: str = ""

    @property
    def reason(self) -> str:
        """The reason in one sentence, for a log or a page."""
        if not self.detail:
            return self.short_reason
        if "\n" in self.short_reason:
            return self.detail
        return text("{short}: {detail}", short=self.short_reason, detail=self.detail)


class DeviceReturned(NamedTuple):
    """A device that was missing works again, or has just been connected."""

    device: str
    at: float = 0.0


class SettingFound(NamedTuple):
    """The box has found out by itself how a device is connected.

    Attributes:
        port: the serial port of the keypad, "" if this is about the panel.
        address: the I2C address of the panel, 0 if this is about the keypad.
        at: monotonic seconds.
    """

    port: str = ""
    address: int = 0
    at: float = 0.0


class Tick(NamedTuple):
    """Time has passed: something is due, such as dimming the panel."""

    at: float = 0.0


class StopRequested(NamedTuple):
    """The program has to end: the user typed Ctrl-C (``interrupt``), or the system asks it to (``terminate``)."""

    cause: Literal["interrupt", "terminate"] = "terminate"
    at: float = 0.0


BOX_PARTS = (
    text("program"), text("settings"), text("table"), text("panel"), text("bus"), text("buttons"), text("keypad"),
    text("number pad"), text("lamps"), text("disk"), text("rounds"), text("copies"), text("set aside"), text("backup"),
    text("clock"), text("voltage"), text("hall"), text("games"), text("sound"),
)  # fmt: skip
"""The parts of the box that a `Finding` can be about. A finding may also be about a group of users, by its name."""


class Finding(NamedTuple):
    """What the doctor found out about one part of the box, in a sentence that also says what to do.

    Attributes:
        about: one of `BOX_PARTS`, or the name of a group of users.
        state: ``ok``, ``do`` (something has to be done) or ``note`` (for information, or unknown).
        text: the sentence.
    """

    about: str
    state: Literal["ok", "do", "note"]
    text: str

    @property
    def part(self) -> str:
        """The name of the part, as a text that can be translated."""
        return text(self.about)

    @property
    def command(self) -> str:
        """The command in the sentence that repairs it as it stands, "" for none."""
        start = self.text.find("`sudo ") if self.state == "do" else -1
        command = self.text[start + 1 :].partition("`")[0] if start >= 0 else ""
        return "" if "YYYY" in command else command


class BoxExamined(NamedTuple):
    """The result of `Request.EXAMINE_BOX`: one or more findings for each part of the box."""

    findings: tuple[Finding, ...]
    at: float = 0.0


class Request(Enum):
    """Requests of the session that need no data. The comment names the input that brings the result."""

    EXAMINE_BOX = "examine the box"  # BoxExamined
    STANDINGS = "standings of all time"  # QueryResult
    HISTORY = "the newest rounds"  # QueryResult
    PHONES_ON = "let phones come"  # PagesServed
    PHONES_OFF = "send all phones away"
    PHONE_CODE = "a code for a phone"  # CodeIssued


class StoredRoundRequest(NamedTuple):
    """Asks for a stored round by its number. The result is a `QueryResult`."""

    number: int


class GameStandingsRequest(NamedTuple):
    """Asks for the standings of all rounds of one game, by its id. The result is a `QueryResult`."""

    game: str


class NameChangeRequest(NamedTuple):
    """Asks the store to change a player's name in every saved round. The result is a `QueryResult`.

    Attributes:
        old: the name now.
        new: the name from then on.
        is_merge: whether `new` is another player already, so that the two become one.
        request_number: the number of the phone's request that this one comes from, for the reply to it.
        phone: the phone that asked, "" for the box itself.
    """

    old: str
    new: str
    is_merge: bool
    request_number: int = 0
    phone: str = ""


class StoredRoundChangeRequest(NamedTuple):
    """Asks the store to change a finished round. The result is a `QueryResult`.

    Attributes:
        round: the round's number.
        change: ``void`` (it no longer counts), ``restore`` (it counts again) or ``correct``.
        text: the round as it should be, for ``correct``.
        request_number: as in `NameChangeRequest`.
        phone: as in `NameChangeRequest`.
    """

    round: int
    change: Literal["void", "restore", "correct"]
    text: str = ""
    request_number: int = 0
    phone: str = ""


class ReviewRequest(NamedTuple):
    """Asks a coach where a round was decided. `ReviewProgress` brings the result, repeatedly while the search runs.

    `states` are all positions of the round, which is one more than `events`; `names` are the players by seat.
    """

    game: str
    states: tuple[Any, ...]
    events: tuple[tuple[int, str], ...]
    names: tuple[str, ...]


class ReviewProgress(NamedTuple):
    """What a review has found so far, in lines for the panel."""

    request: ReviewRequest
    lines: tuple[str, ...]
    at: float = 0.0
    is_complete: bool = False


class HintRequest(NamedTuple):
    """Asks a coach for a hint for the `seat` that is to move.

    `states` are all positions of the round, which is one more than `events`.
    """

    game: str
    seat: int
    states: tuple[Any, ...]
    events: tuple[tuple[int, str], ...]


class HintProgress(NamedTuple):
    """A hint; while it has no `parts` yet, `percent` says how much of the search is done."""

    request: HintRequest
    percent: int = 0
    parts: "tuple[HintPart, ...]" = ()
    at: float = 0.0


class ComputerMoveRequest(NamedTuple):
    """Asks a coach for the move of a computer player. `ComputerMove` brings it, repeatedly while the search runs.

    Attributes:
        game: the game's id.
        states: all positions of the round, which is one more than `events`.
        events: all events with their seats.
        seat: the seat that the computer plays.
        strength: from 1, the weakest.
        seed: picks one of several equally good moves.
    """

    game: str
    states: tuple[Any, ...]
    events: tuple[tuple[int, str], ...]
    seat: int
    strength: int
    seed: int = 0


class ComputerMove(NamedTuple):
    """The move of a computer player.

    Attributes:
        request: what was asked for.
        percent: how much of the search is done, in percent.
        move: the move as in a record, "" while the search runs.
        has_failed: whether the search found no move; then the players enter one.
        at: monotonic seconds.
    """

    request: ComputerMoveRequest
    percent: int = 0
    move: str = ""
    has_failed: bool = False
    at: float = 0.0


class HelperRequest(NamedTuple):
    """Asks a helper, a service of its own, for what the table may not do itself. The result is a `HelperAnswered`.

    Attributes:
        helper: ``clock``, ``network`` or ``stick``.
        lines: what it is asked for: the local time, such as ``2026-11-30 10:05``; a task with a stick and the box's
            language; a task with the network, and to join one its name and its password.
        request_number: the number of the phone's request that asked for it.
        phone: the hash of this phone's secret, "" where somebody at the box has asked.
    """

    helper: str
    lines: tuple[str, ...]
    request_number: int = 0
    phone: str = ""


class HelperAnswered(NamedTuple):
    """The answer of a helper: one word, then what is shown. A word of its own says that it cannot be reached.

    Its `request` has no password any more.
    """

    request: HelperRequest
    lines: tuple[str, ...]
    at: float = 0.0


SearchRequest = ReviewRequest | HintRequest | ComputerMoveRequest
"""What a coach searches for, on a worker beside the loop."""
StoreRequest = Request | StoredRoundRequest | GameStandingsRequest | NameChangeRequest | StoredRoundChangeRequest
"""What the store is asked for. Of the plain requests these are `STANDINGS` and `HISTORY`."""
SessionRequest = StoreRequest | SearchRequest | HelperRequest
"""Everything that a session can ask for."""


class QueryResult(NamedTuple):
    """The answer of the store.

    What `values` holds depends on the request:

    ======================== ============================================================================
    Request.STANDINGS        a standing for each player, the best first
    Request.HISTORY          a summary of each round, the newest first
    GameStandingsRequest     as `Request.STANDINGS`, of one game
    StoredRoundRequest       the round, its summary, and whether its match goes on after it
    NameChangeRequest        why it was refused ("" if it was done), and the new history
    StoredRoundChangeRequest the same two, then the newest rounds, and what a `StoredRoundRequest` gets
    ======================== ============================================================================
    """

    request: StoreRequest
    values: tuple[Any, ...]
    at: float = 0.0


class PagesServed(NamedTuple):
    """The web pages are served at these addresses; () means that they no longer are."""

    addresses: tuple[str, ...]
    at: float = 0.0


class CodeIssued(NamedTuple):
    """A new code that lets a phone in, which the session had asked for."""

    code: str
    at: float = 0.0


# -- what phones ask for: on the table's socket each is a word and a text (docs/socket.md) ----------------------------


class PairRequest(NamedTuple):
    """Pair this phone with a player.

    Attributes:
        code: the code that the box shows.
        player: the player's name.
        previous_phone: the phone as which the box knew this one before, whose pairings it takes over; "" for none.
    """

    code: str
    player: str
    previous_phone: str = ""


class CodeRequest(NamedTuple):
    """Asks whether `code` is the one that the box shows. The code stays valid."""

    code: str


class ChangePlayerRequest(NamedTuple):
    """Give this phone, which was let in before, to another player."""

    player: str


class RoleRequest(NamedTuple):
    """Show this phone the host's pages, or (`is_screen`) let it show the code as the big screen.

    `code` is "" for a phone that was let in before. `previous_phone` is the same as in `PairRequest`.
    """

    code: str
    previous_phone: str = ""
    is_screen: bool = False


class PlayRequest(NamedTuple):
    """Play an event, written as in a record."""

    event: str


class NamePiecesRequest(NamedTuple):
    """Name the pieces of the player's own holding `kind`. `pieces` are written as in a record."""

    kind: str
    pieces: str


class CorrectPieceRequest(NamedTuple):
    """Replace a wrongly named piece of the player's own by `piece`.

    `naming_number` counts deals and events of the round from 1, `piece_index` the pieces that are named there from 0.
    Both are -1 where the phone sent no number.
    """

    naming_number: int
    piece_index: int
    piece: str


class FavouriteRequest(NamedTuple):
    """From the host: add a name to the favourites, which the box offers first, or remove it."""

    name: str
    is_favourite: bool


class RenameRequest(NamedTuple):
    """From the host: rename a player. With `is_merge`, make one player of two."""

    old: str
    new: str
    is_merge: bool


class RoundChangeRequest(NamedTuple):
    """From the host: void or restore a finished round, or correct it so that it reads as `text`.

    `round` is -1 where the phone sent no number.
    """

    round: int
    change: Literal["void", "restore", "correct"]
    text: str


class ScoreRequest(NamedTuple):
    """From the host: enter points on the score pad, written as its events are.

    `seat` counts from 1; it is -1 where the phone sent no number.
    """

    seat: int
    points: str


class StartRequest(NamedTuple):
    """From the host: begin a round or score pad with everything that was chosen on one form.

    Attributes:
        game: the game's id.
        options: the options of its rules, or of the score pad.
        names: the players by seat.
        goal: how many rounds win the match, 0 for a single round.
        clock: the game clock in written form, "" for none.
        opened: the holdings that are told to the referee: the kind and the seat of each.
        hints: whether players may ask for hints.
    """

    game: str
    options: tuple[tuple[str, str], ...]
    names: tuple[str, ...]
    goal: int
    clock: str
    opened: tuple[tuple[str, int], ...]
    hints: bool


class SettingRequest(NamedTuple):
    """From the host: change a setting of the box.

    Attributes:
        setting: the word of its entry in the box's settings, ``name``, ``clock``, ``networks`` to look for them, or
            ``join``.
        code: the code that opens the settings, "" for none.
        text: the name; the time as ``2026-11-30T10:05``; the network's name, a tab and its password; any other setting
            takes its next value.
    """

    setting: str
    code: str
    text: str


class PressRequest(NamedTuple):
    """Press a key of the box.

    Attributes:
        page_mark: the mark of what the phone's page showed; if the box shows something else by now, nothing happens.
        key: ``ok``, ``back``, ``up``, ``down``, ``left``, ``right``, ``close`` (what lies over the game), ``pick``,
            ``menu`` or ``type``.
        text: for ``pick`` the number of a list's entry, from 1; for ``menu`` the word of an entry of the table menu;
            for ``type`` a name or a number.
    """

    page_mark: str
    key: str
    text: str = ""


class PlainRequest(Enum):
    """Requests that come without a text; the value is the word on the socket."""

    TAKE_BACK = "back"
    AGREE = "agree"
    DECLINE = "decline"
    REMATCH = "rematch"
    REVIEW = "review"


HostRequest = FavouriteRequest | RenameRequest | RoundChangeRequest | ScoreRequest | StartRequest | SettingRequest
SeatRequest = PlayRequest | NamePiecesRequest | CorrectPieceRequest | PlainRequest
AnyRequest = PairRequest | CodeRequest | ChangePlayerRequest | RoleRequest | HostRequest | PressRequest | SeatRequest


class PhoneRequest(NamedTuple):
    """A request that a phone has sent.

    Attributes:
        request_number: its number, for the reply.
        phone: the hash of the phone's secret.
        request: what it asks for, None for something unknown.
        at: monotonic seconds.
    """

    request_number: int
    phone: str
    request: AnyRequest | None
    at: float = 0.0


AskedByPhone = PhoneRequest | NameChangeRequest | StoredRoundChangeRequest | HelperRequest
"""What a phone gets a reply to."""


class PairingOffer(NamedTuple):
    """A pairing of a club's tournament that the club server offers to this table.

    Attributes:
        id: changes when the same pairing is offered once more.
        table_name: this table's name at the club.
        event: the tournament's name.
        round: the round of the tournament, from 1.
        game: the game's id.
        options: the options of its rules.
        names: the players; the first one starts.
    """

    id: str
    table_name: str
    event: str
    round: int
    game: str
    options: tuple[tuple[str, str], ...]
    names: tuple[str, ...]


class PairingOffered(NamedTuple):
    """The club server offers a pairing; None means that it has none for this table any more."""

    offer: PairingOffer | None
    at: float = 0.0


Input = (
    KeyPressed
    | KeyReleased
    | DeviceMissing
    | DeviceReturned
    | SettingFound
    | Tick
    | StopRequested
    | BoxExamined
    | HelperAnswered
    | QueryResult
    | ReviewProgress
    | HintProgress
    | ComputerMove
    | PagesServed
    | CodeIssued
    | PhoneRequest
    | PairingOffered
)


def parse_request(word: str, text: str = "", previous_phone: str = "") -> AnyRequest | None:
    """The request that a phone's word and text stand for, None for an unknown word.

    `previous_phone` is the phone as which the box knew the asking one before, "" for none.
    """
    first, _, rest = text.partition(" ")
    match word:
        case "pair":
            return PairRequest(first, rest, previous_phone)
        case "code":
            return CodeRequest(text)
        case "sit":
            return ChangePlayerRequest(text)
        case "host" | "screen":
            return RoleRequest(text, previous_phone, word == "screen")
        case "play":
            return PlayRequest(text)
        case "deal":
            return NamePiecesRequest(first, rest)
        case "mend":
            place, which, piece = [*text.split(), "", "", ""][:3]
            return CorrectPieceRequest(_parse_number(place), _parse_number(which), piece)
        case "favour" | "unfavour":
            return FavouriteRequest(text, word == "favour")
        case "rename" | "merge":
            old, _, new = text.partition(",")
            return RenameRequest(old, new, word == "merge")
        case "void" | "restore" | "correct":
            return RoundChangeRequest(_parse_number(first), word, rest)
        case "points":
            return ScoreRequest(_parse_number(first), rest)
        case "start":
            return _parse_start(text)
        case "setting":
            code, _, typed_text = rest.partition(" ")
            return SettingRequest(first, code.strip("-"), typed_text)
        case "press":
            key, _, typed_text = rest.partition(" ")
            return PressRequest(first, key, typed_text)
        case "back" | "agree" | "decline" | "rematch" | "review":
            return PlainRequest(word)
        case _:
            return None


def _parse_start(text: str) -> StartRequest | None:
    """The start of a round from its JSON object, None for anything else."""
    import json  # A table without phones does not need it.

    try:
        match json.loads(text):
            case {
                "game": str(game), "options": dict(options), "names": list(names), "goal": int(goal),
                "clock": str(clock), "opened": list(opened), "hints": bool(hints),
            } if all(isinstance(each, str) for each in (*options.values(), *names, *opened)):  # fmt: skip
                holdings = tuple(
                    (kind, _parse_number(seat)) for kind, _, seat in (each.partition(" ") for each in opened)
                )
                return StartRequest(game, tuple(options.items()), tuple(names), goal, clock, holdings, hints)
    except (ValueError, RecursionError):
        pass
    return None


def _parse_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
