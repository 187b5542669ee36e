"""What a phone may wish for, as values; the table's socket says it in two texts (docs/socket.md)."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class WishToPair(NamedTuple):
    """A phone with a code wants to be a player's."""

    code: str
    player: str


class WishToSit(NamedTuple):
    """A phone that was let in wants to be another player's."""

    player: str


class WishToHost(NamedTuple):
    """A phone wants to be the host's, with a code, or without one ("") where it was let in before."""

    code: str


class WishToPlay(NamedTuple):
    """A complete move, as a record writes it."""

    event: str


class WishToDeal(NamedTuple):
    """A holding of the player's own: the record's word for it, and its pieces as a record writes them."""

    kind: str
    pieces: str


class WishToMend(NamedTuple):
    """Another piece where one was named wrongly.

    The `place` among deals and events (from 1), `which` of the pieces named there (from 0), and the piece that is to
    be there. A number that is none is -1.
    """

    place: int
    which: int
    piece: str


class WishToFavour(NamedTuple):
    """The host's: a name is among those that the box offers first, or (not `favoured`) no longer."""

    name: str
    favoured: bool


class WishToRename(NamedTuple):
    """The host's: a player has another name, or (`merged`) is another player."""

    old: str
    new: str
    merged: bool


class WishToScore(NamedTuple):
    """The host's: points of the score pad as its record writes them, for a seat (from 1; -1 for what is none)."""

    seat: int
    points: str


class PlainWish(Enum):
    """What a phone may ask for without saying more."""

    TAKE_BACK = "back"
    AGREE = "agree"
    DECLINE = "decline"


HostWish = WishToFavour | WishToRename | WishToScore
SeatWish = WishToPlay | WishToDeal | WishToMend | PlainWish
Wish = WishToPair | WishToSit | WishToHost | HostWish | SeatWish


def read_wish(what: str, text: str = "") -> Wish | None:
    """A wish as the socket says it: a word, and a text that depends on it. None for a word that is unknown."""
    first, _, rest = text.partition(" ")
    match what:
        case "pair":
            return WishToPair(first, rest)
        case "sit":
            return WishToSit(text)
        case "host":
            return WishToHost(text)
        case "play":
            return WishToPlay(text)
        case "deal":
            return WishToDeal(first, rest)
        case "mend":
            place, which, piece = [*text.split(), "", "", ""][:3]
            return WishToMend(_number(place), _number(which), piece)
        case "favour" | "unfavour":
            return WishToFavour(text, what == "favour")
        case "rename" | "merge":
            old, _, new = text.partition(",")
            return WishToRename(old, new, what == "merge")
        case "points":
            return WishToScore(_number(first), rest)
        case "back" | "agree" | "decline":
            return PlainWish(what)
        case _:
            return None


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
