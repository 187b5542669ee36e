"""The requests of phones as values. On the table's socket each is a word and a text (docs/socket.md)."""

from enum import Enum
from typing import Literal, NamedTuple


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
