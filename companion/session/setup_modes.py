"""The modes of menus, and of what is asked before a round."""

from typing import Literal, NamedTuple

from companion.game.manifest import HoldingKind
from companion.inputs import Offer
from companion.session.actions import Does
from companion.session.stored import Options


class Item(NamedTuple):
    """A line of a menu: what it does, its words, a note at its right ("" for the digit that picks it), an icon.

    `pairs` replace the words: up to four players of a round, each with a score, "" for none. `icon` is a game's id or
    the name of an icon. `why` is why it cannot be used now, "" if it can: such a line is dotted, and choosing it shows
    the reason. `names` are the players in the words.
    """

    does: Does
    label: str
    note: str = ""
    icon: str = ""
    why: str = ""
    pairs: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] = ()


MenuKind = Literal[
    "main", "more", "history", "help", "table", "whose", "pad", "names", "name of", "same as",
    "option", "seats", "match", "holding", "name", "pad title", "how many", "wins", "ends", "clock",
]  # fmt: skip
"""The menus; those of the second line are questions before a round, which alone have a `Menu.setup`."""


class Menu(NamedTuple):
    """A list to pick from; `kind` says which, `title` heads it ("" for none), `setup` is what is being set up."""

    kind: MenuKind
    items: tuple[Item, ...]
    cursor: int = 0
    title: str = ""
    note: str = ""
    setup: "Setup | None" = None


class Setup(NamedTuple):
    """A round in the making: the choices so far."""

    game: str
    options: Options = ()
    seats: int = 2
    goal: int = 0
    clock: str = ""  # the game clock in written form
    names: tuple[str, ...] = ()
    opened: tuple[tuple[HoldingKind, int], ...] = ()
    sealed: tuple[tuple[HoldingKind, int], ...] = ()  # holdings (kind, seat) that the players chose to keep sealed
    asked: int = 0  # how many questions have been answered


class Question(NamedTuple):
    """What is asked before a round: `which` option or property of a score pad, or about a holding of `seat`."""

    kind: Literal["option", "seats", "match", "players", "pad"] | HoldingKind
    which: str = ""
    seat: int = 0


class Seats(NamedTuple):
    """Who sits where; the first starts."""

    setup: Setup


class Offered(NamedTuple):
    """The question whether a pairing of a tournament is begun; `back` is the menu that it stands over."""

    offer: Offer
    back: Menu


class Spelling(NamedTuple):
    """A new name, letter by letter; `seat` is 0 for a game's; `tap` is the key and time of the last multi-tap.

    `name` is the player who is renamed; before a round "", and then `setup` is what is being set up.
    """

    setup: Setup | None
    seat: int
    text: str = ""
    tap: tuple[str, float] = ("", 0.0)
    name: str = ""


class Figure(NamedTuple):
    """A number to be set: the score pad's target or number of turns; `keys` are typed digits, else `value` stands.

    `full` tells that a digit more would be too many.
    """

    setup: Setup
    value: int
    keys: str = ""
    full: bool = False


class ClockSetting(NamedTuple):
    """The game clock being set: `values` are minutes and seconds of seat 1, of seat 2 and so on.

    The cursor is `on` a value, or after the last one on the meaning of the seconds (added or free); `keys` are typed
    digits.
    """

    setup: Setup
    values: tuple[int, ...]
    delay: bool = False
    on: int = 0
    keys: str = ""
