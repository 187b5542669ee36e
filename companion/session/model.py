"""The session: the round on the table, the current mode, and entries to be stored.

Everything is immutable; `companion.session.update` makes the next session from an input.
"""

from typing import Literal, NamedTuple

from companion.game.entry import Draft
from companion.inputs import (
    BoxMove,
    GameStandings,
    HintRequest,
    LookBackRequest,
    MoveRequest,
    NameRequest,
    Offer,
    Request,
    RoundRequest,
)
from companion.session.game_clock import GameClock
from companion.session.modes import (
    CANCELLED,
    Answer,
    Ask,
    Dealing,
    Doctor,
    Goodbye,
    Hint,
    Letting,
    LookAway,
    MatchScore,
    Mending,
    Mode,
    Notice,
    PadOver,
    PadSheet,
    Page,
    PageKind,
    PairingCode,
    Peek,
    Phones,
    Playing,
    Refusing,
    Resume,
    RoundOver,
    Scoring,
    Splash,
    Walk,
)
from companion.session.on_table import PadRound, Round, new_round, pad_of, round_of, with_deal, with_event
from companion.session.setup_modes import (
    ClockSetting,
    Figure,
    Item,
    Menu,
    Offered,
    Question,
    Seats,
    Setup,
    Spelling,
)
from companion.session.stored import (
    FinishedRound,
    LogEntry,
    Options,
    RoundHeader,
    Settings,
    Standing,
    StoredHistory,
    StoredRound,
)

SessionRequest = Request | RoundRequest | GameStandings | NameRequest | LookBackRequest | HintRequest | MoveRequest

__all__ = [
    "CANCELLED",
    "Answer",
    "Ask",
    "ClockSetting",
    "Dealing",
    "Doctor",
    "Figure",
    "FinishedRound",
    "Goodbye",
    "Hint",
    "Item",
    "Letting",
    "LogEntry",
    "LookAway",
    "MatchScore",
    "Mending",
    "Menu",
    "Mode",
    "Notice",
    "Offered",
    "Options",
    "PadOver",
    "PadRound",
    "PadSheet",
    "Page",
    "PageKind",
    "PairingCode",
    "Peek",
    "Phones",
    "Playing",
    "Question",
    "Refusing",
    "Resume",
    "Round",
    "RoundHeader",
    "RoundOver",
    "Scoring",
    "Seats",
    "Session",
    "Settings",
    "Setup",
    "Spelling",
    "Splash",
    "Standing",
    "StoredHistory",
    "StoredRound",
    "Walk",
    "draft",
    "new_round",
    "pad_of",
    "round_of",
    "with_deal",
    "with_event",
]


class Session(NamedTuple):
    """The state of the evening. Times are monotonic seconds, which come with each input."""

    mode: Mode
    past: StoredHistory
    settings: Settings = Settings()
    round: Round | None = None
    pad: PadRound | None = None
    previous: Round | PadRound | None = None  # the one before, with its result
    buttons: bool = False  # the last press came from buttons: legends are OK and BACK
    hints: bool = False
    hint: Hint | None = None  # the last one that was asked for, at the part that was read last
    dealer: bool = False  # the score pad marks who deals
    timing: bool = False  # the clock runs
    thinking_seconds: float = 0.0  # seconds that the seat to move has thought
    box_move: BoxMove | None = None  # the thought of the box whose turn it is, None in a person's turn
    game_clock: GameClock | None = None  # of the round on the table, None where it has none
    clock: float = 0.0
    pressed: float = 0.0
    erased: float = -10.0
    key: str = ""  # the last one that counted
    shown: float | None = 0.0  # when this picture was sent to the panel, None before
    wait_until: float = 0.0  # until when the panel says that a press was ignored, 0 for not
    light: Literal["on", "dim", "off"] = "on"
    left: tuple[Setup, ...] = ()  # what was chosen for games whose questions were left, one a game
    ignore_until_pause: bool = False  # a press woke the panel: presses do nothing up to a pause of a second
    missing_devices: tuple[str, ...] = ()  # lost devices
    banner: str = ""
    shift: int = 0  # -1, 0, 1 pixels against burn-in
    sounds: tuple[str, ...] = ()
    unsaved: tuple[LogEntry, ...] = ()
    # To the surroundings, answered by inputs.
    requests: tuple[SessionRequest, ...] = ()
    stopping: bool = False
    phones: bool = False  # phones and big screens may come
    pages: tuple[str, ...] = ()  # the addresses of the page, () while nobody serves it
    code: PairingCode | None = None  # lets one phone in
    locked: float = 0.0  # until then no code is looked at
    paired: tuple[tuple[str, str], ...] = ()  # phones that were let in, and whose they are: a player's name
    host: str = ""  # the phone that may see the host's pages, which may be a player's too
    answers: tuple[Answer, ...] = ()  # to phones, on their way
    offer: Offer | None = None  # the pairing that the hall has for this table
    answered_offer: str = ""  # the one to which OK or BACK was pressed


def draft(session: Session) -> Draft | None:
    """The half-entered move with its verdict; None while nothing is entered."""
    mode = session.mode.back if isinstance(session.mode, Refusing) else session.mode
    round_ = session.round
    if not isinstance(mode, Playing) or round_ is None:
        return None
    if mode.pick is not None:
        return round_.entry.picked(round_.state, mode.pick)
    return round_.entry.typed(round_.state, mode.keys) if mode.keys else None
