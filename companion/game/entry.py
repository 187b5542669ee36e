"""Entering events by keypad or by six buttons ("picking"), and a game's texts.

Pure. An entry plays nothing: it returns the event that OK would play, and how the rules judge it so far.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from companion.languages import text

ARROWS = ("up", "down", "left", "right")


DRAWING = ("draw", "refill")
"""The first words of events that name the pieces that were drawn; no other event of a game begins with them."""
SHORT = 4
"""Behind a move of so many letters the last line of the panel has room for "moves again", else for "again"."""
PRESS = text("now press #")
"""What a complete entry says after a key too many."""
DRAW = text("# draws, * not")
"""What a draw says after a key too many: it may be one that nobody meant."""
ERASE = text("* erases")
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


class _Forms(NamedTuple):
    short: str
    brief: str
    said: str
    written: str
    plays: str


class MoveWords(_Forms):
    """A move in words, in as many forms as it is shown in; a form that is "" is the one before it, but for `plays`.

    Args:
        short: the move alone, in about 9 characters: ``3x2 to 5``. Hints list it so.
        brief: what stands after the player's name in the panel's last line, in about 14 characters: ``drew``.
        said: what follows the player's name in a sentence, on phones and the big screen: ``moved 2 pieces from …``.
        written: how players write it down, for reports; "" for `short`.
        plays: what stands on a phone's button that plays it, in about 25 characters: ``Move 2: 3 → 5``; "" for
            ``Play`` and the entry's text.
    """

    def __new__(cls, short: str, brief: str = "", said: str = "", written: str = "", *, plays: str = "") -> "MoveWords":
        """Each form that is left out is as said above."""
        return super().__new__(cls, short, brief or short, said or brief or short, written or short, plays)


class Words:
    """A game's texts and numbers besides its rules; each function has a default.

    `state` is the full position, `view` the public's view; `states` begins with the start, so it has one more than
    `events`.
    """

    def move_words(
        self, before: Any, seat: int, move: Any, names: Sequence[str] = (), *, again: bool = False
    ) -> MoveWords:
        """A move in words. The default is its text.

        `before` is the position before it, as whoever reads the words knows it; `names` are the players by seat, ()
        where nobody is named. `again` is whether the same seat is to move after it.
        """
        written = str(move)
        if again and not draws(written):
            brief = "{move}, moves again" if len(written) <= SHORT else "{move}, again"
            return MoveWords(written, text(brief, move=written), written=written)
        return MoveWords(written)

    def reveals(self, event: str) -> str:
        """What a player has seen through this event, for the question before it is taken back; "" for nothing."""
        return ""

    def stray(self, state: Any, keys: str, key: str) -> str:
        """What is expected instead of `key`, which means nothing after `keys`; about 20 characters.

        It is asked only while `keys` are incomplete; see `after_stray`.
        """
        return text("{key} is no key here", key=key)

    def nowhere(self, state: Any, pick: Any, arrow: str) -> str:
        """What is told of an arrow that changes nothing of `pick`; about 20 characters."""
        return text("no further")

    def missing(self, state: Any, keys: str) -> str:
        """What is told of an OK that comes too early for `keys`: what is still to be typed; about 20 characters."""
        return text("not complete yet")

    def stray_piece(self, keys: str, kind: str, options: Mapping[str, str]) -> str:
        """What is expected instead of a key that means nothing while pieces are named; about 20 characters.

        It must not contain the key, since the piece may be hidden.
        """
        return text("no such piece")

    def place(self, view: Any, event: str) -> Any:
        """What the screen marks (`Draft.marks`) of where a move is, without the move; None where that is nowhere."""
        return None

    def begun(self, keys: str) -> str:
        """The keys of a piece that is not whole yet, as its owner reads them while it is mended."""
        return keys

    def cannot(self, state: Any, buttons: bool = False) -> str:
        """How to enter "I cannot move" (about 22 characters), "" if that is not needed.

        `buttons`: the players use the six buttons, so no digits can be typed.
        """
        return ""

    def claimed(self, event: str) -> str:
        """What a player did who entered "I cannot move", after the name: ``drew``, ``passed``; "" for other events."""
        return ""

    def how_to_enter(self, view: Any, buttons: bool = False) -> str:
        """What to enter and in which order, in about 22 characters: ``heap, pieces, #``; "" for nothing.

        `buttons`: the players use the six buttons, so it is what the arrows do: ``◂▸ heap  ▴▾ pieces``. The panel says
        it as long as nobody has played, and later to a player who has not.
        """
        return text("◂▴▾▸ choose, OK plays") if buttons else text("type a move, then #")

    def suggestion(self, state: Any) -> str:
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
        """How many of each piece a deal or refill of a seat may name, as far as `view` tells; None for no limit.

        `view` is what all know, for the box's picker, or what the seat knows, for its phone. Only these are offered.
        `kind` is that of `Entry.grid`.
        """
        return None

    def position_lines(self, view: Any) -> Sequence[str]:
        """The position in up to three short lines, for a game without a screen of its own."""
        return ()

    def forced(self, state: Any) -> bool:
        """Whether the seat to move must draw, since its hand is open and has no legal move."""
        return False

    def turn_ended_because(self, before: Any, after: Any) -> str:
        """Why the turn ended by itself, after the player's name; "" if it did not."""
        return ""

    def blocked(self, state: Any) -> str:
        """Why the round ended although nobody finished it; "" if it did not."""
        return ""

    def could(self, example: str, options: Mapping[str, str]) -> str:
        """What was possible instead of a false claim, after "could have": ``played 2:54``."""
        return text("played {move}", move=example)

    def keys(self, event: str) -> str:
        """The keypad keys that type an event, without ``#``: ``32`` for ``3x2``; "" if none are known."""
        return ""

    def printed(self, words: str) -> str:
        """A refusal's words with the pieces' printed names, if records write them differently."""
        return words

    def piece_words(self, piece: str, options: Mapping[str, str]) -> str:
        """A piece in its written form as it is printed."""
        return self.printed(piece)

    def result_counts(self, state: Any, scores: tuple[int, ...]) -> tuple[int, ...]:
        """What the result screen counts (`Manifest.result_counts`), by seat; `scores` are those of the rules."""
        return scores

    def gain(self, event: str, seat: int, before: tuple[int, ...], after: tuple[int, ...]) -> int:
        """What an event gained for its seat, for a report's best move; `before` and `after` are `result_counts`."""
        return after[seat - 1] - before[seat - 1]

    def lines(self, page: str, states: Sequence[Any], events: Sequence[tuple[int, str]], high: int) -> Sequence[str]:
        """The lines of one of the manifest's pages; the panel shows `high` lines at a time."""
        return ()

    def sheet(self, states: Sequence[Any], events: Sequence[tuple[int, str]]) -> list[tuple[list[str], ...]]:
        """The score sheet of a report: for each round of turns a tuple with each seat's lines."""
        return []

    def charted(self, state: Any) -> Sequence[tuple[int, int]]:
        """The height and owner (a seat, 0 for nobody) of each place, for the chart of `Manifest.chart`."""
        return ()


class Entry(Words, ABC):
    """The entry of a game, inherited from here; the game's `entry` module has one object of its class, ``ENTRY``.

    `state` is the full position. A pick is the state of an entry by buttons: a tuple that only the game understands.
    """

    @abstractmethod
    def typed(self, state: Any, keys: str) -> Draft | None:
        """The draft of one or more keypad keys ``0-9 A-D``; None if the last key means nothing there."""

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


def after_stray(draft: Draft | None) -> Draft | None:
    """The draft after a key that means nothing there; None where `Words.stray` says what is expected instead.

    What has a tick keeps that, and says how it is played; what has a cross keeps that, and says how it is erased.
    """
    if draft is None or draft.verdict == "more":
        return None
    if draft.verdict == "ok":
        return draft._replace(says=DRAW if draws(draft.event or "-") else PRESS)
    return draft._replace(says=ERASE)


def after_arrow(draft: Draft | None, says: str) -> Draft | None:
    """The draft after an arrow that leads nowhere: a tick `says` that it is all, a cross keeps its reason.

    None while it is incomplete.
    """
    if draft is None or draft.verdict == "more":
        return None
    return draft._replace(says=says) if draft.verdict == "ok" else draft


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
