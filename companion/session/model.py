"""The session: the round on the table, the current moment, and what is to be done outside of it.

Everything is a value that nobody changes; `companion.evening.update` makes the next session from an input. A round
notes what it has asked its rules, which are asked once (`companion.rounds.on_table`).
"""

import math
from collections.abc import Callable
from typing import Any, ClassVar, Literal, NamedTuple

from companion.contents.kinds import Content
from companion.inputs import BoxMove, ChangeRequest, NameRequest, PhoneRequest, QueryResult, SessionRequest
from companion.rounds.game_clock import GameClock
from companion.rounds.on_table import PadRound, Round
from companion.rounds.stored import (
    LogEntry,
    Settings,
    StoredHistory,
)
from companion.session.hall_offer import HallOffer
from companion.session.outbox import Outbox, PhoneAnswer
from companion.session.phones import PhoneAccess
from companion.session.round_setup import Setup
from companion.session.switches import Switches
from companion.session.taps import Taps

GUARD_SECONDS = 0.4
"""How long after its picture was sent a moment ignores the keys that it names in `Moment.ignores`.

To see a new picture, choose a key and press it takes a person about 0.4 seconds, so an earlier press can't be an answer
to it, and a later one is meant. The second tap of a double tap is earlier: it follows the first by 0.1 to 0.3 seconds,
and desktops take two clicks for one double click up to 0.5, of which the picture uses up 0.1 until it is shown.
"""


class Moment(tuple[Any, ...]):
    """What the evening is in: a menu, a question, a move that is due. The defaults are those of a page without keys.

    A moment is a tuple of what it knows, made of the fields of a `NamedTuple`. Two of different kinds are never equal.
    Each has its own `says`, most have their own `press`; the rest is for those that need it.

    Attributes:
        family: the name of the class that all its kind share, such as ``Menu``.
        takes_letters: whether the keys of a keyboard's letters mean something.
        letters_are_keys: whether a keypad's A to D are keys of an entry, and no arrows.
        thinking: whether thinking time runs in it.
        interruptible: whether a notice, such as that of a time that is up, may be shown in its place.
        tells_its_guard: whether its picture changes once it no longer ignores the keys of `ignores`.
        shows_missing: whether its picture has the small sign of a missing device.
        at_board: whether others see the board of the round while it is there.
        naming_goes_on: whether players may name their pieces of a deal on phones meanwhile; not where it would lead
            back to the deal of another player.
        before_private: whether it stands before what only one player may see.
        takes_offers: whether the hall's offer of a pairing is asked about over it.
    """

    family: ClassVar[str] = ""
    takes_letters: ClassVar[bool] = False
    letters_are_keys: ClassVar[bool] = False
    thinking: ClassVar[bool] = False
    interruptible: ClassVar[bool] = False
    tells_its_guard: ClassVar[bool] = False
    shows_missing: ClassVar[bool] = False
    at_board: ClassVar[bool] = False
    naming_goes_on: ClassVar[bool] = False
    before_private: ClassVar[bool] = False
    takes_offers: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        cls.family = cls.family or cls.__name__

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((type(self), *self))

    @property
    def of_game(self) -> str:
        """The game that is set up or walked through here, by its id, "" for none."""
        return ""

    @property
    def at_rest(self) -> bool:
        """Whether a move is due and nothing of it is entered."""
        return False

    # -- keys -------------------------------------------------------------------------------------------------------

    def press(self, session: "Session", key: str, *, held: bool = False) -> "Session":
        """Do what a key means; `held` for an automatic repeat."""
        return session

    def press_button(self, session: "Session", key: str) -> "Session | None":
        """Do what a key means as its device names it, such as "ok"; None if that is no more than the key means."""
        return None

    def release(self, session: "Session", key: str) -> "Session":
        """Do what letting go of a key means, as its device names it."""
        return session

    def ignores(self, session: "Session", key: str) -> bool:
        """Whether a key that comes right after its picture may be the second tap of the press that led to it."""
        return False

    def letters_are_arrows(self, session: "Session") -> bool:
        """Whether a keypad's A to D are arrows, and no keys of an entry."""
        return not self.letters_are_keys

    @property
    def erases(self) -> bool:
        """Whether BACK may repeat while it is held: there is an entry that it erases step by step."""
        return False

    def takes_back(self, session: "Session") -> bool:
        """Whether a long press of BACK asks here for the take-back."""
        return session.pad is not None

    def beneath(self, session: "Session", key: str) -> "Session | None":
        """The session beneath it, for a key that closes it and counts there; None for a key of its own."""
        return None

    @property
    def after_cancel(self) -> "Moment":
        """What follows it where a key only cancelled a question over it."""
        return self

    @property
    def untyped(self) -> "Moment":
        """It without typed keys of an entry that was not kept: the next key begins a new one."""
        return self

    def settle(self, session: "Session") -> "Session":
        """Count what is entered, where that counts by itself too."""
        return session

    # -- time, and what the kept rounds tell -----------------------------------------------------------------------

    def due(self, session: "Session") -> float | None:
        """The monotonic time at which it changes by itself; None while it waits for an input."""
        return None

    def tick(self, session: "Session") -> "Session":
        """Change by itself, which was `due`."""
        return session

    def take_query_result(self, session: "Session", result: QueryResult) -> "Session":
        """Take what the kept rounds tell; a moment that has not asked is not concerned."""
        return session

    # -- what it shows, at the box and to others --------------------------------------------------------------------

    def says(self, session: "Session") -> Content:
        """What it shows: one kind of content. Each moment has its own."""
        raise NotImplementedError

    def says_at_rest(self, session: "Session") -> Content:
        """What the panel shows in its place after some seconds without a key, where it is `at_rest`."""
        return self.says(session)

    def shown_names(self, session: "Session") -> tuple[str, ...]:
        """The players that it shows beside those of the round on the table; names are cut so that they differ."""
        return ()

    @property
    def turned(self) -> int:
        """How often a text was turned of which the display makes pages; 0 for anything else."""
        return 0

    def turn_to(self, number: int) -> "Moment":
        """It, turned so often."""
        return self

    def round_shown(self, session: "Session") -> Round | None:
        """The round whose board others see while it is there."""
        return session.round if self.at_board else None

    def announces(self, session: "Session") -> tuple[str, ...]:
        """What a big screen tells of it beside the board, a heading first."""
        return ()

    @property
    def in_public(self) -> "Moment":
        """What others than those at the box see of it."""
        return self.covered

    # -- what lies over and under it --------------------------------------------------------------------------------

    @property
    def covered(self) -> "Moment":
        """What takes its place to cover it: the question before what only one player may see; else itself."""
        return self

    @property
    def behind_notice(self) -> "Moment":
        """What is behind a notice or refusal, which any press or request of a phone closes; else itself."""
        return self

    def interrupted(self, session: "Session") -> "Moment":
        """What is there again after something that came in the middle of it."""
        return self.covered

    def fits(self, waits: "Moment") -> bool:
        """Whether what is half entered here may stay where the table now `waits` for that."""
        return False

    # -- phones -----------------------------------------------------------------------------------------------------

    @property
    def asked(self) -> int:
        """The seat that is to say yes or no, which its player's phone may do; 0 for none."""
        return 0

    @property
    def asking_phone(self) -> str:
        """The phone that waits to be let in by it, "" for none."""
        return ""

    @property
    def between_rounds(self) -> bool:
        """Whether nobody is in the middle of anything: then names may be changed."""
        return False

    def phone_keys(self, session: "Session", meant: tuple[str, ...]) -> tuple[str, ...]:
        """The keys of the box that phones may press, of those that mean something by what it shows."""
        return meant

    def pick_entry(self, session: "Session", number: int) -> "Session":
        """Pick an entry or a seat, counted from 1, which a phone names."""
        return session

    def enter_points(self, session: "Session", seat: int, points: int) -> "Session | None":
        """Enter a seat's points on the score pad, sent by a phone; None where the box is busy with anything else."""
        return None

    def take_words(self, session: "Session", words: str) -> "tuple[Session, str]":
        """Take a name or a number that a phone sends whole: the session after that, and why it was not taken, or ""."""
        return session, ""


def _as_it_is(session: "Session") -> Moment:
    return session.moment


def _ask_nothing(session: "Session", setup: Setup) -> "Session":
    return session


class Session(NamedTuple):
    """The state of the evening. Times are monotonic seconds, which come with each input."""

    moment: Moment
    past: StoredHistory
    settings: Settings = Settings()
    round: Round | None = None
    pad: PadRound | None = None
    previous: Round | PadRound | None = None  # the one before, with its result
    buttons: bool = False  # the last press came from buttons: legends are OK and BACK
    switches: Switches = Switches()
    hint: Moment | None = None  # the last one that was asked for, at the part that was read last
    thinking_seconds: float = 0.0  # seconds that the seat to move has thought
    box_move: BoxMove | None = None  # the thought of the box whose turn it is, None in a person's turn
    game_clock: GameClock | None = None  # of the round on the table, None where it has none
    clock: float = 0.0
    taps: Taps = Taps()
    rests_at: float = math.inf  # from then on the rest view may be shown
    language: str = "en"  # what the panel speaks
    light: Literal["on", "dim", "off"] = "on"
    left: tuple[Setup, ...] = ()  # what was chosen for games whose questions were left, one a game
    missing_devices: tuple[str, ...] = ()  # lost devices
    banner: str = ""
    shift: int = 0  # -1, 0, 1 pixels against burn-in
    outbox: Outbox = Outbox()
    stopping: bool = False
    phones: PhoneAccess = PhoneAccess()
    hall: HallOffer = HallOffer()
    chosen_in: Moment | None = None  # the menu that the setup of a round began in, None for that of the floor
    floor: Callable[["Session"], Moment] = _as_it_is  # what is there when nothing covers it
    ask: Callable[["Session", Setup], "Session"] = _ask_nothing  # asks a setup's next question, or begins its round

    @property
    def game(self) -> str:
        """The game on the table, else the one that is set up or walked through, by its id; "" for none."""
        return self.round.header.game if self.round is not None else self.moment.of_game

    @property
    def round_here(self) -> Round:
        """The round on the table. Raises LookupError where there is none."""
        if self.round is None:
            raise LookupError("no round is on the table")
        return self.round

    @property
    def pad_here(self) -> PadRound:
        """The score pad on the table. Raises LookupError where there is none."""
        if self.pad is None:
            raise LookupError("no score pad is on the table")
        return self.pad

    @property
    def over(self) -> bool:
        """Whether the round or score pad on the table has its result."""
        on_table = self.pad or self.round
        return on_table is not None and on_table.over

    @property
    def at_floor(self) -> bool:
        """Whether nothing covers the table, whatever is entered there."""
        return type(self.moment) is type(self.floor(self))

    def show_floor(self) -> "Session":
        """Show what is there when nothing covers the table."""
        return self._replace(moment=self.floor(self))

    def show(self, moment: Moment | None) -> "Session":
        """Show a moment, for None what is there when nothing covers the table."""
        return self.show_floor() if moment is None else self._replace(moment=moment)

    def wake(self) -> "Session":
        """Light the panel, as a press does."""
        return self._replace(light="on", taps=self.taps._replace(pressed=self.clock))

    def keep(self, *entries: LogEntry) -> "Session":
        """Have the store keep entries."""
        return self._replace(outbox=self.outbox._replace(unsaved=(*self.outbox.unsaved, *entries)))

    def request(self, *requests: SessionRequest) -> "Session":
        """Request something of the surroundings, which comes as an input."""
        return self._replace(outbox=self.outbox._replace(requests=(*self.outbox.requests, *requests)))

    def answer(self, request: PhoneRequest | NameRequest | ChangeRequest, refusal: str = "") -> "Session":
        """Answer a phone's request: "" if it was accepted, else why not."""
        answers = (*self.outbox.answers, PhoneAnswer(request.number, refusal))
        return self._replace(outbox=self.outbox._replace(answers=answers))

    def switch(self, which: Literal["hints", "dealer", "rests", "timing"]) -> "Session":
        """Switch something on or off, which is stored."""
        on = not getattr(self.switches, which)
        switched = self._replace(switches=self.switches._replace(**{which: on}))
        return switched.keep(LogEntry(0, which, text="on" if on else "off"))

    def sound(self, sound: str) -> "Session":
        """Have the buzzer sound."""
        return self._replace(outbox=self.outbox._replace(sounds=(*self.outbox.sounds, sound)))

    def silent(self) -> "Session":
        """Its sounds were heard."""
        return self._replace(outbox=self.outbox._replace(sounds=()))

    def clear_table(self) -> "Session":
        """Take the round or score pad off the table: what is there then is the main menu."""
        return self._replace(round=None, pad=None, previous=None, thinking_seconds=0.0).show_floor()
