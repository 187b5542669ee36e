"""From key presses to an event's text: one module a game, typed on a keypad or picked with six buttons.

Pure. An entry never plays: it says what OK would play and what the rules think of it so far.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ARROWS = ("up", "down", "left", "right")


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


class Entry(Protocol):
    """An entry is a module with these names; `state` is the full position, and a pick is an opaque tuple.

    A module may have more, for games that need it: ``sheet`` (a score sheet), and, read by `companion.session.extra`,
    ``forced``, ``turn_over``, ``blocked`` and ``could`` as Coral Reef has them.
    """

    HOLDINGS: Mapping[str, tuple[str, str]]  # record word → what players call it and its pieces: ("hand", "corals")
    ASKS: Mapping[str, tuple[str, tuple[str, ...]]]  # option → what it decides and, value by value, what each adds

    def typed(self, state: Any, keys: str) -> Draft | None:
        """The draft of keypad keys ``0-9 A-D``, one or more; None where the last of them means nothing there."""

    def pick(self, state: Any) -> Any:
        """Where the picker starts: at the most likely move as the public can tell it, never from a hidden hand."""

    def moved(self, state: Any, pick: Any, arrow: str) -> Any:
        """The pick after one of `ARROWS`; choices wrap round, and only pieces that exist can be chosen."""

    def entered(self, state: Any, pick: Any) -> Any | None:
        """The pick's next step after OK, None where it is complete and OK plays its draft."""

    def erased(self, state: Any, pick: Any) -> Any | None:
        """The pick one step back, None where nothing of it is left."""

    def picked(self, state: Any, pick: Any) -> Draft:
        """The draft of a pick; judged by what the public knows, so that walking over pieces tells nothing."""

    def due(self, state: Any) -> Due | None:
        """The pieces that must be named before the next move, None for none."""

    def pieces(self, keys: str, kind: str, options: Mapping[str, str]) -> tuple[tuple[str, ...], str] | None:
        """Dealt or refilled pieces as typed: the whole ones in written form and the keys of a begun one.

        `kind` is one of the game's HOLDINGS or a `Due.word`. None where the last key means nothing there.
        """

    def grid(self, kind: str, options: Mapping[str, str]) -> Sequence[Sequence[str]]:
        """The pieces to pick a deal from, in rows, in written form."""

    def masked(self, kind: str, piece: str) -> bool:
        """Whether a piece of a deal or refill is hidden from the others, so entered as a dot."""

    def reveals(self, event: str) -> str:
        """What a player has seen by this event, for the question before it is taken back; "" for nothing."""

    def cannot(self, state: Any) -> str:
        """How to say "I cannot move" (about 22 characters), "" where that is never needed."""

    def hint(self, state: Any) -> str:
        """One legal move in words (about 40 characters) that names no hidden piece; "" where none is known."""

    def own(self, view: Any, seat: int) -> str:
        """A seat's own open pieces in words, for its owner; `view` is the position as that seat knows it."""

    def result(self, state: Any) -> tuple[str, tuple[int, ...]]:
        """What the result screen counts and the numbers, seat by seat: ("corals left", (0, 4))."""
