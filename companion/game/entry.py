"""Entering events by keypad or by six buttons ("picking"), and a game's texts.

Pure. An entry plays nothing: it returns the event that OK would play, and how the rules judge it so far.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

ARROWS = ("up", "down", "left", "right")


DRAWING = ("draw", "refill")
"""The first words of events that name the pieces that were drawn; no other event of a game begins with them."""


class Draft(NamedTuple):
    """A half-entered move with its verdict.

    Attributes:
        text: the entry, which the strip shows large; hidden pieces are dots.
        event: the text of the event that OK would play, None while it is incomplete.
        verdict: ``more`` (incomplete), ``ok`` or ``no`` (the rules refuse it; OK shows why).
        working: a line such as a sum, of about 22 characters; of about 16 on the plain screen, where it is beside the
            entry.
        says: the verdict in words, of about 22 characters; of about 14 on the plain screen, which adds a tick or cross,
            and less behind a long `text`.
        marks: what the game's screen marks in its picture; any value.
    """

    text: str
    event: str | None = None
    verdict: Literal["more", "ok", "no"] = "more"
    working: str = ""
    says: str = ""
    marks: Any = None


class Due(NamedTuple):
    """Pieces that must be named now, for an open refill.

    Attributes:
        word: the first word of the event: ``refill``.
        wanted: how many pieces.
        says: a line of about 22 characters that asks for them.
        grid: the kind of pieces, for `Entry.grid`.
    """

    word: str
    wanted: int
    says: str
    grid: str


class Words(Protocol):
    """A game's texts and numbers besides its rules; each function has a default.

    `state` is the full position, `view` the public's view; `states` begins with the start, so it has one more than
    `events`.
    """

    def reveals(self, event: str) -> str:
        """What a player has seen through this event, for the question before it is taken back; "" for nothing."""
        return ""

    def stray(self, state: Any, keys: str, key: str) -> str:
        """What is expected instead of `key`, which means nothing after `keys`; about 20 characters."""
        return f"{key} is no key here"

    def stray_piece(self, keys: str, kind: str, options: Mapping[str, str]) -> str:
        """What is expected instead of a key that means nothing while pieces are named; about 20 characters.

        It must not contain the key, since the piece may be hidden.
        """
        return "no such piece"

    def cannot(self, state: Any, buttons: bool = False) -> str:
        """How to enter "I cannot move" (about 22 characters), "" if that is not needed.

        `buttons`: the players use the six buttons, so no digits can be typed.
        """
        return ""

    def claimed(self, event: str) -> str:
        """What a player did who entered "I cannot move", after the name: ``drew``, ``passed``; "" for other events."""
        return ""

    def arrows(self, view: Any) -> str:
        """What the arrow buttons do before an entry, in about 22 characters: ``◂▸ stack  ▴▾ coral``; "" for nothing."""
        return ""

    def hint(self, state: Any) -> str:
        """A legal move in words (at most four lines of the panel), without a hidden piece; "" if none is known."""
        return ""

    def own(self, view: Any, seat: int) -> str:
        """A seat's own pieces in words, for its owner; `view` is the position as that seat knows it."""
        return ""

    def held(self, view: Any, seat: int) -> Sequence[str] | None:
        """The pieces in a seat's open holdings, in written form; None if the game does not list them.

        `view` is the position as that seat knows it.
        """
        return None

    def spare(self, view: Any, kind: str, seat: int) -> Mapping[str, int] | None:
        """How many of each piece a deal or refill of a seat may name, by public knowledge; None for no limit.

        The picker offers only these pieces. `kind` is that of `Entry.grid`.
        """
        return None

    def table(self, view: Any) -> Sequence[str]:
        """The position in up to three short lines, for a game without a screen of its own."""
        return ()

    def forced(self, state: Any) -> bool:
        """Whether the seat to move must draw, since its hand is open and has no legal move."""
        return False

    def turn_over(self, before: Any, after: Any) -> str:
        """Why the turn ended by itself, after the player's name; "" if it did not."""
        return ""

    def blocked(self, state: Any) -> str:
        """Why the round ended although nobody finished it; "" if it did not."""
        return ""

    def could(self, example: str, options: Mapping[str, str]) -> str:
        """What was possible instead of a false claim, after "could have": ``played 2:54``."""
        return f"played {example}"

    def keys(self, event: str) -> str:
        """The keypad keys that type an event, without ``#``: ``32`` for ``3x2``; "" if none are known."""
        return ""

    def printed(self, words: str) -> str:
        """A refusal's words with the pieces' printed names, if records write them differently."""
        return words

    def counted(self, state: Any, scores: tuple[int, ...]) -> tuple[int, ...]:
        """What the result screen counts (`Manifest.counts`), by seat; `scores` are those of the rules."""
        return scores

    def gain(self, event: str, seat: int, before: tuple[int, ...], after: tuple[int, ...]) -> int:
        """What an event gained for its seat, for a report's best move; `before` and `after` come from `counted`."""
        return after[seat - 1] - before[seat - 1]

    def written(self, state: Any, seat: int, event: str) -> str:
        """An event as players write it; `state` is the position before it."""
        return event

    def lines(self, page: str, states: Sequence[Any], events: Sequence[tuple[int, str]], high: int) -> Sequence[str]:
        """The lines of one of the manifest's pages; the panel shows `high` lines at a time."""
        return ()

    def sheet(self, states: Sequence[Any], events: Sequence[tuple[int, str]]) -> list[tuple[list[str], ...]]:
        """The score sheet of a report: for each round of turns a tuple with each seat's lines."""
        return []

    def charted(self, state: Any) -> Sequence[tuple[int, int]]:
        """The height and owner (a seat, 0 for nobody) of each place, for the chart of `Manifest.chart`."""
        return ()


class _Silent(Words):
    """The defaults of `Words`."""


SILENT: Words = _Silent()
"""The defaults of `Words`, for entries that are modules: they copy the functions that their game does not need."""


class Entry(Words, Protocol):
    """The entry of a game: a module with these functions and those of `Words`, or an object of a class that inherits.

    `state` is the full position. A pick is the state of an entry by buttons: a tuple that only the game understands.
    """

    @abstractmethod
    def typed(self, state: Any, keys: str) -> Draft | None:
        """The draft of one or more keypad keys ``0-9 A-D``; None if the last key means nothing there."""

    @abstractmethod
    def pick(self, state: Any) -> Any:
        """The first pick: the most likely move by public knowledge, independent of hidden hands."""

    @abstractmethod
    def moved(self, state: Any, pick: Any, arrow: str) -> Any:
        """The pick after one of `ARROWS`; choices wrap around, and only pieces that exist can be chosen."""

    @abstractmethod
    def picked(self, state: Any, pick: Any) -> Draft:
        """The draft of a pick, judged by public knowledge, so that moving over pieces reveals nothing."""

    def entered(self, state: Any, pick: Any) -> Any | None:
        """The next pick after OK; None if the pick is complete, so that OK plays its draft."""
        return None

    def erased(self, state: Any, pick: Any) -> Any | None:
        """The pick without its last step; None if it has no step to take back."""
        return None

    def due(self, state: Any) -> Due | None:
        """The pieces that must be named before the next move; None for none."""
        return None

    def pieces(self, keys: str, kind: str, options: Mapping[str, str]) -> tuple[tuple[str, ...], str] | None:
        """Parse typed pieces: the complete ones in written form, and the keys of an incomplete one.

        `kind` is one of the manifest's holdings or a `Due.word`. None if the last key means nothing there.
        """
        return None

    def grid(self, kind: str, options: Mapping[str, str]) -> Sequence[Sequence[str]]:
        """The pieces to pick from, in rows and written form."""
        return ()

    def masked(self, kind: str, piece: str) -> bool:
        """Whether a piece of a deal or refill is hidden from the others, and so shown as a dot."""
        return False


def draws(text: str) -> bool:
    """Whether an event is a draw or refill, which names the pieces that were drawn."""
    return text.split()[0] in DRAWING


def as_seen(entry: Entry, text: str) -> str:
    """An event's text as everybody saw it, with a dot for each piece that only its owner has seen."""
    word, *pieces = text.split()
    return " ".join([word, *("•" if entry.masked(word, piece) else piece for piece in pieces)]) if draws(text) else text


def without_hidden(entry: Entry, text: str) -> str:
    """An event's text without the pieces that only its owner has seen; `Rules.read` reads it."""
    word, *pieces = text.split()
    return " ".join([word, *(piece for piece in pieces if not entry.masked(word, piece))]) if draws(text) else text
