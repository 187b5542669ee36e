"""The session: the round on the table, the current screen, and what is to be done outside of it.

Everything is a value that nobody changes; `update` in `state_machine` makes the next session from an input. A round
remembers the answers of its rules, which are asked once (`companion.rounds.on_table`).
"""

import math
from collections.abc import Callable
from typing import Any, ClassVar, Literal, NamedTuple, Self, dataclass_transform

from companion.evening.contents.kinds import Content
from companion.evening.fields import HallOffer, Outbox, PhoneAccess, PhoneAnswer, Setup, Switches, Taps
from companion.inputs import BoxMove, ChangeRequest, NameRequest, PhoneRequest, SessionRequest
from companion.rounds.game_clock import GameClock
from companion.rounds.on_table import PadRound, Round
from companion.rounds.stored import (
    LogEntry,
    Settings,
    StoredHistory,
)

GUARD_SECONDS = 0.4
"""How long after its picture was sent a screen ignores the keys that it names in `Screen.ignores`.

To see a new picture, choose a key and press it takes a person about 0.4 seconds, so an earlier press can't be an answer
to it, and a later one is meant. The second tap of a double tap is earlier: it follows the first by 0.1 to 0.3 seconds,
and desktops take two clicks for one double click up to 0.5, of which the picture uses up 0.1 until it is shown.
"""
ARROWS = {"A": "up", "B": "right", "C": "down", "D": "left"}
"""The arrow keys that a keypad's letters stand for, except in an input."""


@dataclass_transform(frozen_default=True)
class Screen:
    """What takes keys and shows something: a menu, a question, a move that is due. The defaults are a page's.

    A screen is a record of its annotations, like a frozen dataclass; but making sixty dataclasses takes a tenth of a
    second on a desktop computer, and a second on a Raspberry Pi. Each has its own `content`, most have their own
    `press`; the rest is for those that need it.
    """

    _fields: ClassVar[tuple[str, ...]] = ()
    _named: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, *, kw_only: bool = False) -> None:
        own = tuple(name for name, kind in cls.__annotations__.items() if "ClassVar" not in str(kind))
        cls._named = (*cls._named, *own) if kw_only else cls._named
        cls._fields = (
            *(name for name in cls._fields if name not in cls._named),
            *(() if kw_only else own),
            *cls._named,
        )

    def __init__(self, *values: Any, **named: Any) -> None:
        given = dict(zip(self._fields, values, strict=False)) | named
        if len(values) > len(self._fields) or not given.keys() <= set(self._fields):
            raise TypeError(f"{type(self).__name__} has the fields {self._fields}")
        vars(self).update({name: given[name] if name in given else getattr(self, name) for name in self._fields})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a screen is a value: its {name} cannot be changed")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"

    def _replace(self, **changed: Any) -> Self:
        return type(self)(**vars(self) | changed)

    # -- what it is -------------------------------------------------------------------------------------------------

    @property
    def family(self) -> str:
        """The name by which clients know it: that of its class, or one for all menus and one for all pages."""
        return type(self).__name__

    @property
    def of_game(self) -> str:
        """The id of the game that is set up or walked through here, "" for none."""
        return ""

    @property
    def is_public(self) -> bool:
        """Whether everybody may see it; otherwise others see the topmost public screen below it."""
        return True

    @property
    def interruptible(self) -> bool:
        """Whether a notice, such as that of a time that is up, may be opened over it."""
        return True

    @property
    def naming_goes_on(self) -> bool:
        """Whether players may name their pieces of a deal on phones meanwhile."""
        return False

    # -- keys and time ----------------------------------------------------------------------------------------------

    @property
    def letters(self) -> Literal["arrows", "keys", "text"]:
        """What a keypad's A to D are: arrows, or keys of an input; "text" where a keyboard's letters count too."""
        return "arrows"

    def press(self, session: "Session", key: str, *, held: bool = False) -> "Session":
        """Do what a key means; `held` for an automatic repeat."""
        return session

    def release(self, session: "Session", key: str) -> "Session":
        """Do what letting go of a key means, as its device names it."""
        return session

    def ignores(self, session: "Session", key: str) -> bool:
        """Whether a key that comes right after its picture may be the second tap of the press that led to it."""
        return False

    @property
    def takes_back(self) -> bool | None:
        """Whether a long press of BACK asks here for the takeback; None for: on a score pad."""
        return None

    def phone_keys(self, session: "Session", meant: tuple[str, ...]) -> tuple[str, ...]:
        """The keys of the box that phones may press, of those that mean something by what it shows."""
        return meant

    def due(self, session: "Session") -> float | None:
        """The monotonic time at which it changes by itself; None while it waits for an input."""
        return None

    def tick(self, session: "Session") -> "Session":
        """Change by itself, which was `due`."""
        return session

    # -- what it shows ----------------------------------------------------------------------------------------------

    def content(self, session: "Session") -> Content:
        """What it shows: one kind of content. Each screen has its own."""
        raise NotImplementedError

    def shown_names(self, session: "Session") -> tuple[str, ...]:
        """The players that it shows beside those of the round on the table; names are cut so that they differ."""
        return ()


class BaseDue(Screen):
    """A base screen that is still to be made, by `companion.evening.screens.base` at the end of an input.

    So what changes the round needs to know no screen. `was` are the screens before, with a half-made move that goes on
    if it still fits; `keys` were pressed since, and count on the base screen.
    """

    was: tuple[Screen, ...] = ()
    keys: tuple[str, ...] = ()

    letters = "keys"

    def press(self, session: "Session", key: str, *, held: bool = False) -> "Session":
        """Keep the key for the base screen."""
        return session.show(self._replace(keys=(*self.keys, key)))


class QuestionDue(Screen):
    """The next question of a setup, which is still to be asked, or its round to be begun, as a base screen is made."""

    setup: Setup

    @property
    def of_game(self) -> str:
        """The game that is set up."""
        return self.setup.game


class Session(NamedTuple):
    """The state of the evening. Times are monotonic seconds, which come with each input.

    `screens` are a stack: the base screen, and what was opened over it, the topmost one last.
    """

    screens: tuple[Screen, ...]
    past: StoredHistory
    settings: Settings = Settings()
    round: Round | None = None
    pad: PadRound | None = None
    previous: Round | PadRound | None = None  # the one before, with its result
    buttons: bool = False  # the last press came from buttons: legends are OK and BACK
    switches: Switches = Switches()
    hint: Screen | None = None  # the last one that was asked for, at the part that was read last
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

    @property
    def game(self) -> str:
        """The game on the table, else the one that is set up or walked through, by its id; "" for none."""
        return self.round.header.game if self.round is not None else self.screen.of_game

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

    # -- the stack of screens ---------------------------------------------------------------------------------------

    @property
    def screen(self) -> Screen:
        """The topmost screen, which takes keys and is on the panel."""
        return self.screens[-1]

    @property
    def at_base(self) -> bool:
        """Whether nothing is open over the base screen."""
        return len(self.screens) == 1

    def open(self, *screens: Screen) -> "Session":
        """Open screens over the topmost one, the last of them on top."""
        return self._replace(screens=(*self.screens, *screens))

    def close(self) -> "Session":
        """Close the topmost screen; the base screen stays."""
        return self if self.at_base else self._replace(screens=self.screens[:-1])

    def show(self, screen: Screen) -> "Session":
        """Show a screen in place of the topmost one."""
        return self._replace(screens=(*self.screens[:-1], screen))

    def change_screens(self, kind: type[Screen], change: Callable[[Any], Screen]) -> "Session":
        """Change the screens of a kind, wherever they lie."""
        return self._replace(screens=tuple(change(each) if isinstance(each, kind) else each for each in self.screens))

    def close_to(self, kind: type[Screen]) -> "Session":
        """Close what lies over the topmost screen of a kind, or over the base screen where there is none."""
        session = self
        while not session.at_base and not isinstance(session.screen, kind):
            session = session.close()
        return session

    def show_base(self, *screens: Screen) -> "Session":
        """Show a new base screen for what is on the table, and nothing over it but these screens."""
        return self._replace(screens=(BaseDue(), *screens))

    def press(self, key: str, *, held: bool = False) -> "Session":
        """Press a key on the topmost screen; a keypad's letters are arrows where it takes no letters."""
        letters = self.screen.letters
        if letters == "arrows" or (letters == "text" and not self.settings.terminal):
            key = ARROWS.get(key, key)
        return self.screen.press(self, key, held=held)

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
        return self._replace(round=None, pad=None, previous=None, thinking_seconds=0.0).show_base()
