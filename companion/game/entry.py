"""From key presses to an event's text, typed on a keypad or picked with six buttons; and what a game tells in words.

Pure. An entry never plays: it says what OK would play and what the rules think of it so far.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ARROWS = ("up", "down", "left", "right")


REVEALING = ("draw", "refill")
"""The events that name pieces which come out of a pile."""


class Draft(NamedTuple):
    """A half-entered move, judged.

    `text` is the entry as the strip shows it in 13-pixel type, hidden pieces as dots; `event` is what OK would
    play, None while it is incomplete; `verdict` is ``more`` (incomplete), ``ok`` or ``no`` (the rules forbid it,
    OK gives the reason in full); `working` and `says` are two short lines of about 22 characters, the second
    being the verdict's last line; `marks` is whatever the game's screen marks in its picture.
    """

    text: str
    event: str | None = None
    verdict: str = "more"
    working: str = ""
    says: str = ""
    marks: Any = None


class Due(NamedTuple):
    """Pieces that the table must name now: an open refill.

    `word` begins the event (``refill``), `wanted` is how many, `says` asks for them in about 22 characters, and
    `grid` is the kind of pieces whose `grid` the picker walks.
    """

    word: str
    wanted: int
    says: str
    grid: str


class Words(Protocol):
    """A game's texts and figures besides its rules. Every function has a default for a game without them.

    `state` is the full position, `view` the public's; `states` has one position more than `events`: the start.
    """

    def reveals(self, event: str) -> str:
        """What a player has seen by this event, for the question before it is taken back; "" for nothing."""
        return ""

    def stray(self, state: Any, keys: str, key: str) -> str:
        """What is wanted where `key` means nothing after the `keys` of a move, in about 20 characters."""
        return f"{key} is no key here"

    def stray_piece(self, keys: str, kind: str, options: Mapping[str, str]) -> str:
        """The same while pieces are named; it never tells the key, since the piece may be hidden."""
        return "no such piece"

    def cannot(self, state: Any, buttons: bool = False) -> str:
        """How to say "I cannot move" (about 22 characters), "" where that is never needed.

        `buttons` is whether the players use the six buttons, which have no digits to type.
        """
        return ""

    def claimed(self, event: str) -> str:
        """What a player did who said "I cannot move", to follow the name: ``drew``, ``passed``; "" for another."""
        return ""

    def arrows(self, view: Any) -> str:
        """What the arrows of six buttons do, at rest (about 22 characters): ``◂▸ stack  ▴▾ coral``; "" for nothing.

        `view` is the public's.
        """
        return ""

    def hint(self, state: Any) -> str:
        """One legal move in words (about 40 characters) that names no hidden piece; "" where none is known."""
        return ""

    def own(self, view: Any, seat: int) -> str:
        """A seat's own open pieces in words, for its owner; `view` is the position as that seat knows it."""
        return ""

    def held(self, view: Any, seat: int) -> Sequence[str] | None:
        """The pieces in a seat's open holdings, in written form; None where a game does not tell.

        `view` is the position as that seat knows it.
        """
        return None

    def spare(self, view: Any, kind: str, seat: int) -> Mapping[str, int] | None:
        """How many of each piece a deal or refill of a seat may name, as everybody knows it; None for any number.

        The picker offers no piece that is not here; `view` is the public's, and `kind` is that of `Entry.grid`.
        """
        return None

    def table(self, view: Any) -> Sequence[str]:
        """The table in up to three short lines, for a game that draws no screen of its own."""
        return ()

    def forced(self, state: Any) -> bool:
        """Whether the seat to move must draw: its hand is open and has no valid move."""
        return False

    def turn_over(self, before: Any, after: Any) -> str:
        """Why the turn ended by itself, to follow the player's name; "" where it did not."""
        return ""

    def blocked(self, state: Any) -> str:
        """Why the round ended though nobody finished it; "" where it did not."""
        return ""

    def could(self, example: str, options: Mapping[str, str]) -> str:
        """What a false claim left undone, to follow "could have": ``played 2:54``."""
        return f"played {example}"

    def printed(self, words: str) -> str:
        """A refusal's words with the pieces as they are printed, where that differs from how records write them."""
        return words

    def counted(self, state: Any, scores: tuple[int, ...]) -> tuple[int, ...]:
        """What the result screen counts (`Manifest.counts`), seat by seat; `scores` are those of the rules."""
        return scores

    def gain(self, event: str, seat: int, before: tuple[int, ...], after: tuple[int, ...]) -> int:
        """What an event gained for its seat, for the best move of a report, from what is `counted` around it."""
        return after[seat - 1] - before[seat - 1]

    def written(self, state: Any, seat: int, event: str) -> str:
        """An event as players write it down; `state` is the position before it."""
        return event

    def lines(self, page: str, states: Sequence[Any], events: Sequence[tuple[int, str]], high: int) -> Sequence[str]:
        """The lines of one of the manifest's pages, of which the panel shows `high` at a time."""
        return ()

    def sheet(self, states: Sequence[Any], events: Sequence[tuple[int, str]]) -> list[tuple[list[str], ...]]:
        """The score sheet for a report: for each round of turns a block with the lines of each seat's column."""
        return []

    def piles(self, state: Any) -> Sequence[tuple[int, int]]:
        """For each place its height and whose it is (a seat, 0 for nobody), for the chart of `Manifest.chart`."""
        return ()


class _Silent(Words):
    """A game that has nothing to tell."""


SILENT: Words = _Silent()
"""What an entry that is a module takes its functions from for what its game has not got."""


class Entry(Words, Protocol):
    """The entry of a game: a module with these names and those of `Words`, or an object of a class that inherits them.

    `state` is the full position, and a pick is an opaque tuple.
    """

    @abstractmethod
    def typed(self, state: Any, keys: str) -> Draft | None:
        """The draft of keypad keys ``0-9 A-D``, one or more; None where the last of them means nothing there."""

    @abstractmethod
    def pick(self, state: Any) -> Any:
        """Where the picker starts: at the most likely move as the public can tell it, never from a hidden hand."""

    @abstractmethod
    def moved(self, state: Any, pick: Any, arrow: str) -> Any:
        """The pick after one of `ARROWS`; choices wrap round, and only pieces that exist can be chosen."""

    @abstractmethod
    def picked(self, state: Any, pick: Any) -> Draft:
        """The draft of a pick; judged by what the public knows, so that walking over pieces tells nothing."""

    def entered(self, state: Any, pick: Any) -> Any | None:
        """The pick's next step after OK, None where it is complete and OK plays its draft."""
        return None

    def erased(self, state: Any, pick: Any) -> Any | None:
        """The pick one step back, None where nothing of it is left."""
        return None

    def due(self, state: Any) -> Due | None:
        """The pieces that must be named before the next move, None for none."""
        return None

    def pieces(self, keys: str, kind: str, options: Mapping[str, str]) -> tuple[tuple[str, ...], str] | None:
        """Dealt or refilled pieces as typed: the whole ones in written form and the keys of a begun one.

        `kind` is one of the manifest's holdings or a `Due.word`. None where the last key means nothing there.
        """
        return None

    def grid(self, kind: str, options: Mapping[str, str]) -> Sequence[Sequence[str]]:
        """The pieces to pick a deal from, in rows, in written form."""
        return ()

    def masked(self, kind: str, piece: str) -> bool:
        """Whether a piece of a deal or refill is hidden from the others, so entered as a dot."""
        return False


def as_seen(entry: Entry, text: str) -> str:
    """An event's text as everybody saw it: a dot for each piece from a pile that only its owner has seen."""
    word, *pieces = text.split()
    if word not in REVEALING:
        return text
    return " ".join([word, *("•" if entry.masked(word, piece) else piece for piece in pieces)])
