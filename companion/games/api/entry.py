"""Entering events by keypad or by six buttons ("picking").

Pure. An entry plays nothing: it returns the event that OK would play, and how the rules judge it so far.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from companion.games.api import Refused
from companion.games.api.words import MoveWords as MoveWords
from companion.games.api.words import Words, draws
from companion.languages import text

ARROWS = ("up", "down", "left", "right")

PRESS = text("now press #")
"""What a complete entry says after a key too many."""
DRAW, PASS = text("# draw, * undo"), text("# pass, * undo")
"""What a draw and a pass say after a key too many: it may be one that nobody meant."""
ERASE = text("* deletes")
"""What a crossed entry says after a key too many: its reason was seen, and OK tells it again."""


class Draft(NamedTuple):
    """A half-entered move with its verdict.

    Attributes:
        text: the entry, which the strip shows large; hidden pieces are dots.
        event: the text of the event that OK would play; None for ``more``, and for a ``no`` that is no event yet.
        verdict: ``more`` (incomplete), ``ok`` or ``no`` (impossible; OK shows why).
        working: a line such as a sum, of about 22 characters; of about 16 on the plain screen, where it is beside the
            entry.
        says: the verdict in words, of about 22 characters; of about 14 on the plain screen, which adds a tick or cross,
            and less behind a long `text`.
        marks: what the game's screen marks in its picture; any value.
        goes_to: what OK goes on to while the entry is incomplete, in a word: ``turn``. The panel shows it beside the
            key; a tick stands only where OK plays. "" where OK does not go on.
        attempt: without an event, the text of one that OK has the rules judge all the same: they say why it cannot be,
            or take "I cannot move" (`Words.claimed`). "" for none: then OK tells what `says` tells of a ``no``.
    """

    text: str
    event: str | None = None
    verdict: Literal["more", "ok", "no"] = "more"
    working: str = ""
    says: str = ""
    marks: Any = None
    attempt: str = ""
    goes_to: str = ""


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


class Entry(Words, ABC):
    """The entry of a game, inherited from here; the game's `entry` module has one object of its class, ``ENTRY``.

    `state` is the full position. A pick is the state of an entry by buttons: a tuple that only the game understands.
    """

    @abstractmethod
    def typed(self, state: Any, keys: str) -> Draft | None:
        """The draft of one or more keypad keys ``0-9 A-D``; None if the last key means nothing there."""

    def kept(self, state: Any, keys: str) -> str:
        """Typed keys without those that a later one has taken the place of: BACK erases what is seen."""
        return keys

    @abstractmethod
    def pick(self, state: Any) -> Any:
        """The first pick: the most likely move by public knowledge, independent of hidden hands."""

    def first_pick(self, state: Any, arrow: str) -> Any:
        """What the first arrow shows: `pick`, unless an arrow has a better place to begin."""
        return self.pick(state)

    @abstractmethod
    def pick_changed(self, state: Any, pick: Any, arrow: str) -> Any:
        """The pick after one of `ARROWS`; choices wrap around, and only pieces that exist can be chosen."""

    @abstractmethod
    def picked(self, state: Any, pick: Any) -> Draft:
        """The draft of a pick, judged by public knowledge, so that moving over pieces reveals nothing."""

    def crossed(self, draft: Draft, refused: "Refused") -> Draft:
        """A draft that had a tick, after the rules have refused it by what the panel did not tell: it has a cross."""
        return draft._replace(verdict="no", says=refused.against)

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


def after_stray(draft: Draft | None, *, claims: bool = False) -> Draft | None:
    """The draft after a key that means nothing there; None where `Words.stray` says what is expected instead.

    What has a tick keeps that, and says how it is played; what has a cross keeps that, and says how it is erased. What
    `claims` that nothing can be played says that it ends the turn: nobody enters more keys who means that.
    """
    if draft is None or draft.verdict == "more":
        return None
    if draft.verdict == "ok":
        passes = PASS if claims else PRESS
        return draft._replace(says=DRAW if draws(draft.event or "-") else passes)
    return draft._replace(says=ERASE)


def after_arrow(draft: Draft | None, says: str, *, claims: bool = False) -> Draft | None:
    """The draft after an arrow that leads nowhere: a tick `says` why, if anything is to be said, a cross keeps its
    reason.

    So does what `claims` that nothing can be played, since OK ends the turn. None while it is incomplete.
    """
    if draft is None or draft.verdict == "more":
        return None
    return draft._replace(says=says) if says and draft.verdict == "ok" and not claims else draft


def as_seen(entry: Entry, event: str) -> str:
    """An event's text as everybody saw it, with a dot for each piece that only its owner has seen."""
    word, *pieces = event.split()
    seen = ("•" if entry.masked(word, piece) else piece for piece in pieces)
    return " ".join((word, *seen)) if draws(event) else event


def without_hidden(entry: Entry, event: str) -> str:
    """An event's text without the pieces that only its owner has seen; `Rules.read` reads it."""
    word, *pieces = event.split()
    return " ".join([word, *(piece for piece in pieces if not entry.masked(word, piece))]) if draws(event) else event
