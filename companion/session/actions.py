"""The actions of menu entries, as values."""

from enum import Enum
from typing import Literal, NamedTuple

from companion.inputs import RoundRequest


class Action(Enum):
    """Actions without further data, of menu entries and of questions that were agreed to."""

    TAKE_BACK = "take back"
    COULD_HAVE_MOVED = "could I have moved"
    PEEK = "my pieces"
    HINTS = "hints on or off"
    HINT = "give me a hint"
    CLOCK = "clock on or off"
    GAME_CLOCK = "game clock: set before a round, paused in it"
    HELP = "how to play"
    SHEET = "the running sheet of a score pad"
    DEALER = "the dealer's mark on or off"
    OWN_TIMES = "game clock with a time for each seat"
    STANDINGS = "standings"
    HISTORY = "history"
    DOCTOR = "doctor"
    PHONES = "phones"
    CLAIMS = "false claims"
    END = "end the round or the game"
    LEAVE = "leave for the main menu"
    MEND = "mend a piece"
    LOOK_BACK = "where was it decided"
    NAMES = "names of players"


class PlayGame(NamedTuple):
    """Begin the questions of a game, by its id."""

    game: str


class GamePage(NamedTuple):
    """Open one of the pages that a game has of its own, by its key in the manifest."""

    page: str


class ShowPieces(NamedTuple):
    """Show the pieces of a seat to its owner."""

    seat: int


class HelpOf(NamedTuple):
    """Show how a game is played, by its id."""

    game: str


class NamesOf(NamedTuple):
    """Show what can be done with the name of a player."""

    name: str


class ChangeName(NamedTuple):
    """Have the name of a player offered ``first`` or no longer, ``rename`` the player, or say who is the ``same``."""

    how: Literal["first", "rename", "same"]


class MergeInto(NamedTuple):
    """Say which other player one is."""

    name: str


class MendPieces(NamedTuple):
    """Show the pieces of a seat to its owner, to mend one."""

    seat: int


class Choose(NamedTuple):
    """Answer a question with the value of an option, a title, or an end of a score pad."""

    value: str


class Count(NamedTuple):
    """Answer how many play."""

    number: int


class Goal(NamedTuple):
    """Answer how many round wins end the match; 0 for a single round."""

    wins: int


class Time(NamedTuple):
    """Answer what the game clock gives each seat, as the head of a round says it; "" for none."""

    control: str


class Hold(NamedTuple):
    """Answer whether a holding is open to the referee."""

    open: bool


class Sit(NamedTuple):
    """Put a player into a seat."""

    seat: int
    name: str


class Spell(NamedTuple):
    """Spell a new name for a seat; 0 for the name of a game."""

    seat: int


class PadAgain(NamedTuple):
    """Set a score pad up as the last one of a title was."""

    title: str


Does = (
    Action | PlayGame | GamePage | ShowPieces | MendPieces | HelpOf | Choose | Count | Goal | Time | Hold | Sit | Spell
    | PadAgain | RoundRequest | NamesOf | ChangeName
    | MergeInto
)  # fmt: skip
