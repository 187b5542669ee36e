"""The session: the round on the table, the screens, and what the loop has to do.

Every value here is immutable. `state_machine.update_session` makes the next session from an input. A round remembers
the answers of its rules, so that each is asked once (`companion.rounds.on_table`).

The screens are a stack. The topmost one takes the keys and is on the panel::

    screens[-1]   Confirmation "Take back?"     OK: close_screen()   → the move again
    screens[-2]   ...
    screens[0]    PlayScreen                    the base screen, for what is on the table

    open_screens(screen)          puts a screen on top
    close_screen()                removes the topmost one, but never the base screen
    replace_screen(screen)        puts another one in the topmost one's place
    show_base_screen(*screens)    drops all; the base screen is made anew from the table (BaseDue)
"""

import math
from collections.abc import Callable
from typing import Any, ClassVar, Literal, NamedTuple, Self, dataclass_transform

from companion.evening.contents.kinds import Content
from companion.evening.session_values import (
    BoxSettings,
    ClubOffer,
    Network,
    Outbox,
    PhoneAccess,
    PhoneAnswer,
    Setup,
    Switches,
    Taps,
)
from companion.inputs import (
    AskedByPhone,
    ComputerMove,
    ReviewProgress,
    SessionRequest,
)
from companion.rounds import standings
from companion.rounds.game_clock import GameClock
from companion.rounds.on_table import PadRound, Round
from companion.rounds.stored import LogEntry, SessionSettings, StoredHistory

DOUBLE_TAP_GUARD_SECONDS = 0.4
"""Seconds after its picture was sent in which a screen ignores the keys for which `Screen.may_be_double_tap` is true.

To see a new picture, choose a key and press it takes a person about 0.4 seconds, so an earlier press can't be an answer
to it, and a later one is meant. The second tap of a double tap follows the first by 0.1 to 0.3 seconds. Desktops count
two clicks within 0.5 seconds as a double click, and 0.1 of these pass before the picture is shown.
"""
ARROWS = {"A": "up", "B": "right", "C": "down", "D": "left"}
"""The arrow keys that a keypad's letters stand for, except in a move input."""


@dataclass_transform(frozen_default=True)
class Screen:
    """What takes keys and shows something: a menu, a question, a move that is due.

    A screen is a record of its annotated fields, like a frozen dataclass. It is none, because making sixty dataclasses
    takes a tenth of a second on a desktop computer, and a second on a Raspberry Pi. Each screen has its own `content`,
    and most have their own `press`. The other methods have defaults that suit a page.
    """

    _fields: ClassVar[tuple[str, ...]] = ()
    _keyword_fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, *, kw_only: bool = False) -> None:
        own = tuple(name for name, kind in cls.__annotations__.items() if "ClassVar" not in str(kind))
        cls._keyword_fields = (*cls._keyword_fields, *own) if kw_only else cls._keyword_fields
        cls._fields = (
            *(name for name in cls._fields if name not in cls._keyword_fields),
            *(() if kw_only else own),
            *cls._keyword_fields,
        )

    def __init__(self, *values: Any, **named: Any) -> None:
        field_values = dict(zip(self._fields, values, strict=False)) | named
        if len(values) > len(self._fields) or not field_values.keys() <= set(self._fields):
            raise TypeError(f"{type(self).__name__} has the fields {self._fields}")
        vars(self).update(
            {name: field_values[name] if name in field_values else getattr(self, name) for name in self._fields}
        )

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
    def public_name(self) -> str:
        """The name that clients know the screen by: its class's name, or one name for all menus, pages or questions."""
        return type(self).__name__

    @property
    def game_id(self) -> str:
        """The id of the game that is set up or replayed on this screen, "" for none."""
        return ""

    @property
    def is_public(self) -> bool:
        """Whether everybody may see it. If not, the others see the topmost public screen below it."""
        return True

    @property
    def is_interruptible(self) -> bool:
        """Whether a message, such as that a player's time is up, may be opened over it."""
        return True

    @property
    def allows_naming(self) -> bool:
        """Whether players may name their dealt pieces on phones while this screen is open."""
        return False

    # -- keys and time ----------------------------------------------------------------------------------------------

    @property
    def letter_keys(self) -> Literal["arrows", "keys", "text"]:
        """What a keypad's A to D are on this screen.

        ``arrows``: arrow keys. ``keys``: keys of a move input. ``text``: arrow keys as well, while a keyboard's letters
        are letters.
        """
        return "arrows"

    def press(self, session: "Session", key: str, *, held: bool = False) -> "Session":
        """The session after a key; `held` is whether it is an automatic repeat."""
        return session

    def release(self, session: "Session", key: str) -> "Session":
        """The session after a button was released; `key` is the button's own name, such as ``ok``."""
        return session

    def may_be_double_tap(self, session: "Session", key: str) -> bool:
        """Whether `key`, right after the picture was shown, may be the second tap of the press that led here."""
        return False

    @property
    def can_take_back(self) -> bool | None:
        """Whether a long press of BACK asks for a takeback here; None means: only on a score pad."""
        return None

    def phone_keys(self, session: "Session", meant: tuple[str, ...]) -> tuple[str, ...]:
        """The keys that phones may press here, of those in `meant`: the box's keys that have an effect now."""
        return meant

    def next_change_time(self, session: "Session") -> float | None:
        """The monotonic time at which the screen changes by itself; None while it waits for an input."""
        return None

    def tick(self, session: "Session") -> "Session":
        """The session after that change, once its time has come."""
        return session

    # -- what it shows ----------------------------------------------------------------------------------------------

    def content(self, session: "Session") -> Content:
        """The value that the screen shows, which is one kind of content."""
        raise NotImplementedError

    def shown_names(self, session: "Session") -> tuple[str, ...]:
        """The players that it shows besides those of the round. Names are cut so that they stay distinct."""
        return ()


class BaseDue(Screen):
    """A placeholder for the base screen, which is made at the end of each input by `base_screen.open_due_screens`.

    So code that changes the round doesn't need to know any screen. `previous_screens` are the screens before, whose
    draft is kept if it still fits; `pending_keys` were pressed meanwhile, and are pressed on the new base screen.
    """

    previous_screens: tuple[Screen, ...] = ()
    pending_keys: tuple[str, ...] = ()

    letter_keys = "keys"

    def press(self, session: "Session", key: str, *, held: bool = False) -> "Session":
        return session.replace_screen(self._replace(pending_keys=(*self.pending_keys, key)))


class QuestionDue(Screen):
    """A placeholder for the next question of a setup, or for the round that begins after the last one."""

    setup: Setup

    @property
    def game_id(self) -> str:
        return self.setup.game


class Session(NamedTuple):
    """The state of the evening. All times are monotonic seconds, which come with each input.

    Attributes:
        screens: the stack of screens: the base screen first, the topmost one last.
        history: the history of the stored rounds: names, favourites, last options.
        settings: the configuration, as far as the session needs it.
        box: the settings of the box.
        networks: the Wi-Fi networks that were in sight at the last look, the one in use first.
        wrong_codes: how many wrong codes of the settings were entered in a row.
        locked_until: the time before which no code of the settings counts.
        round: the round on the table, None for none.
        pad: the score pad on the table, None for none.
        previous_round: the round before, with its result, None for none.
        left_text: what became of the round or score pad that was left before its end, until the next one; "" for none.
        started_round: the id of the round whose start page was shown last, 0 for none.
        uses_buttons: whether the last press came from buttons, so that key hints say OK and BACK.
        key_device: where the last key was pressed, as in `KeyPressed`: it decides how key hints call the keys, and
            whether letters are letters where a name is typed.
        switches: what is switched on.
        last_hint: the last hint, open at the part that was read last.
        last_review: what the last review of a round has found so far.
        thinking_seconds: how long the seat to move has thought.
        computer_move: the move of the computer player whose turn it is, None in a person's turn.
        game_clock: the game clock of the round, None for none.
        now: the time of the last input.
        taps: the last presses and pictures.
        rest_view_at: from this time on the rest view may be shown.
        language: the language of the panel, such as ``de``.
        light: whether the panel is on, dimmed or off.
        unfinished_setups: the choices of setups that were left halfway, one a game.
        missing_devices: the names of devices that are missing.
        banner: two lines over the last rows of the picture, "" for none.
        pixel_shift: the shift of the picture against burn-in: -1, 0 or 1 pixels.
        outbox: what the loop has to do.
        is_stopping: whether the program is about to end.
        phones: which phones may reach the table.
        club_offer: the pairing that the club server offers.
        ready_players: who has said on a phone that the next round may begin, until it does.
    """

    screens: tuple[Screen, ...]
    history: StoredHistory
    settings: SessionSettings = SessionSettings()
    box: BoxSettings = BoxSettings()
    networks: tuple[Network, ...] = ()
    wrong_codes: int = 0
    locked_until: float = 0.0
    round: Round | None = None
    pad: PadRound | None = None
    previous_round: Round | PadRound | None = None
    left_text: str = ""
    started_round: int = 0
    uses_buttons: bool = False
    key_device: Literal["", "number pad", "keyboard"] = ""
    switches: Switches = Switches()
    last_hint: Screen | None = None
    last_review: ReviewProgress | None = None
    thinking_seconds: float = 0.0
    computer_move: ComputerMove | None = None
    game_clock: GameClock | None = None
    now: float = 0.0
    taps: Taps = Taps()
    rest_view_at: float = math.inf
    language: str = "en"
    light: Literal["on", "dim", "off"] = "on"
    unfinished_setups: tuple[Setup, ...] = ()
    missing_devices: tuple[str, ...] = ()
    banner: str = ""
    pixel_shift: int = 0
    outbox: Outbox = Outbox()
    is_stopping: bool = False
    phones: PhoneAccess = PhoneAccess()
    club_offer: ClubOffer = ClubOffer()
    ready_players: tuple[str, ...] = ()

    @property
    def game_id(self) -> str:
        """The id of the game on the table, else of the one that is set up or replayed; "" for none."""
        return self.round.header.game if self.round is not None else self.screen.game_id

    @property
    def ok_name(self) -> str:
        """What the device in use calls the key OK."""
        return "OK" if self.uses_buttons or self.key_device else "#"

    @property
    def current_round(self) -> Round:
        """The round on the table. Raises LookupError where there is none."""
        if self.round is None:
            raise LookupError("no round is on the table")
        return self.round

    @property
    def current_pad(self) -> PadRound:
        """The score pad on the table. Raises LookupError where there is none."""
        if self.pad is None:
            raise LookupError("no score pad is on the table")
        return self.pad

    @property
    def has_result(self) -> bool:
        """Whether the round or score pad on the table has its result."""
        on_table = self.pad or self.round
        return on_table is not None and on_table.is_over

    @property
    def player_colours(self) -> dict[str, int]:
        """The colour and shape of each player at the table, or else with a phone, and of the others of the evening."""
        on_table = self.round or self.pad
        names = on_table.header.names if on_table is not None else self.phones.players[: standings.SHAPES]
        return standings.player_colours(self.history, names)

    # -- the stack of screens ---------------------------------------------------------------------------------------

    @property
    def screen(self) -> Screen:
        """The topmost screen, which takes the keys and is on the panel."""
        return self.screens[-1]

    @property
    def is_at_base(self) -> bool:
        """Whether nothing is open over the base screen."""
        return len(self.screens) == 1

    def open_screens(self, *screens: Screen) -> "Session":
        """Open screens over the topmost one; the last argument is then on top."""
        return self._replace(screens=(*self.screens, *screens))

    def close_screen(self) -> "Session":
        """Close the topmost screen. The base screen stays."""
        return self if self.is_at_base else self._replace(screens=self.screens[:-1])

    def replace_screen(self, screen: Screen) -> "Session":
        """Show a screen in place of the topmost one."""
        return self._replace(screens=(*self.screens[:-1], screen))

    def replace_screens(self, kind: type[Screen], change: Callable[[Any], Screen]) -> "Session":
        """Replace every screen of a class by what `change` makes of it, wherever it lies in the stack."""
        return self._replace(screens=tuple(change(each) if isinstance(each, kind) else each for each in self.screens))

    def close_screens_above(self, kind: type[Screen]) -> "Session":
        """Close what lies over the topmost screen of a class, or over the base screen if there is none."""
        session = self
        while not session.is_at_base and not isinstance(session.screen, kind):
            session = session.close_screen()
        return session

    def show_base_screen(self, *screens: Screen) -> "Session":
        """Drop all screens: a new base screen is made for what is on the table, and `screens` are opened over it."""
        return self._replace(screens=(BaseDue(), *screens))

    def press_key(self, key: str, *, held: bool = False) -> "Session":
        """Press a key on the topmost screen; a keypad's letters become arrows where the screen takes no letters."""
        letters = self.screen.letter_keys
        types_letters = self.settings.is_terminal or self.key_device == "keyboard"
        if letters == "arrows" or (letters == "text" and not types_letters):
            key = ARROWS.get(key, key)
        return self.screen.press(self, key, held=held)

    def with_light_on(self) -> "Session":
        """Light the panel, as a key press does."""
        return self._replace(light="on", taps=self.taps._replace(pressed_at=self.now))

    def save_entries(self, *entries: LogEntry) -> "Session":
        """Put entries into the outbox, for the store to save."""
        return self._replace(outbox=self.outbox._replace(unsaved_entries=(*self.outbox.unsaved_entries, *entries)))

    def send_request(self, *requests: SessionRequest) -> "Session":
        """Put requests into the outbox; their results arrive as inputs."""
        return self._replace(outbox=self.outbox._replace(requests=(*self.outbox.requests, *requests)))

    def reply_to_phone(self, request: AskedByPhone, refusal: str = "") -> "Session":
        """Reply to a phone's request: `refusal` is "" if it was granted, else the reason."""
        answers = (*self.outbox.answers, PhoneAnswer(request.request_number, refusal))
        return self._replace(outbox=self.outbox._replace(answers=answers))

    def toggle_switch(self, which: Literal["hints", "dealer", "rests", "timing"]) -> "Session":
        """Turn a switch over, on or off, and save that."""
        is_on = not getattr(self.switches, which)
        switched = self._replace(switches=self.switches._replace(**{which: is_on}))
        return switched.save_entries(LogEntry(0, which, text="on" if is_on else "off"))

    def play_sound(self, sound: str) -> "Session":
        """Have the buzzer play a sound."""
        return self._replace(outbox=self.outbox._replace(sounds=(*self.outbox.sounds, sound)))

    def without_sounds(self) -> "Session":
        return self._replace(outbox=self.outbox._replace(sounds=()))

    def clear_table(self) -> "Session":
        """Take the round or score pad off the table, so that the base screen is the main menu."""
        return self._replace(
            round=None, pad=None, previous_round=None, left_text="", thinking_seconds=0.0
        ).show_base_screen()
