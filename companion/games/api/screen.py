"""What a game's screen draws, and the scenes that it gets: plain data without hidden pieces.

A screen never gets the full position or the session, so it cannot show what a player hides.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.games.api.box_seats import look_away
from companion.games.api.entry import Draft, Due
from companion.games.api.words import MoveWords

if TYPE_CHECKING:
    from companion.panel.canvas import Canvas

ROWS = 4
"""How many lines of a page the panel shows at a time."""


class Scene(NamedTuple):
    """One moment of a round as everybody at the table may see it.

    Args:
        view: the position in the public's view.
        before: the view before the last event, None at the start.
        last: the last event's seat and move.
        told: the last event in words, None at the start.
        options: the round's options.
        names: the players by seat.
        turn: the seat to move, None when the round is over.
        draft: the half-entered move.
        say: a line shown at the bottom instead of the last move, "" for none: about the last key, how to enter
            "I cannot move", or the clock.
        buttons: whether the keys are called OK and BACK.
        result_counts: what the result will count, by seat.
        position_lines: the entry's lines about the position, for a game without a drawing.
        recent: the last event with the view before it, its seat and its move; if it only names drawn pieces, which
            complete the event before, that one stands before it.
        forced: whether the seat to move has no legal move and must draw.
        device_missing: whether a device is missing; its sign covers the last columns of the last line.
        cannot: how to enter "I cannot move" while nothing is entered, "" if that is not needed; a screen with a second
            line may show it.
        again: whether these players have just played a round of this game, in other seats.
        back: whether a move has just been taken back, so that what followed the last event was told before.
        awaits: whether the next key begins a move, so that a screen may mark where its picker would begin.
        clock: the times in `say`, () if it is not the clock.
        counts_down: True if `clock` has the time left (of both seats; with more than two seats, of the seat to move),
            False if it has the time of this move and of the round.
    """

    view: Any
    before: Any
    last: tuple[int, Any] | None
    options: Mapping[str, str]
    names: tuple[str, ...]
    turn: int | None
    draft: Draft | None
    say: str
    buttons: bool
    result_counts: tuple[int, ...] = ()
    position_lines: Sequence[str] = ()
    recent: tuple[tuple[Any, int, Any], ...] = ()
    forced: bool = False
    device_missing: bool = False
    told: MoveWords | None = None
    clock: tuple[str, ...] = ()
    counts_down: bool = False
    cannot: str = ""
    awaits: bool = False
    back: bool = False
    again: bool = False

    def name(self, seat: int) -> str:
        """The name of the player in a seat."""
        return self.names[seat - 1]

    @property
    def away(self) -> str:
        """Who must not look while the seat to move names a hidden piece: ``Ben, look away``; "" for nobody."""
        return look_away(self.names, self.turn or 1)


def first_repeated(pieces: Sequence[str]) -> int:
    """The number, from 1, of the first piece that stands before it too; 0 for none."""
    return next((at for at, piece in enumerate(pieces, 1) if piece in pieces[: at - 1]), 0)


class NamingScene(NamedTuple):
    """Pieces being named: a holding of the deal, or what a refill drew.

    Args:
        kind: the record's word for the holding or refill.
        noun: what players call it.
        view: the position in the public's view.
        options: the round's options.
        names: the players by seat.
        seat: whose pieces they are.
        size: how many pieces must be named.
        pieces: the pieces entered, in written form; "" for a hidden one.
        begun: the keys of a half-entered piece, a dot for each key if the piece is hidden.
        twice: what `first_repeated` finds among the pieces entered, hidden or not.
        rows: the pieces to pick from.
        cursor: the picker's row and column, None while typing.
        replaces: whether OK replaces the last piece by the one under the picker.
        excess: a piece entered too often ("" for a hidden one), and how many of it there can be; None for none.
        refused: whether OK has had these pieces refused, so that now it shows them to their owner.
        stray: what is expected instead of the last key, "" if that key was accepted.
        due: what a refill must name, None while a holding is dealt.
        hidden: whether everything here is hidden from the others.
        buttons: whether the keys are called OK and BACK.
    """

    kind: str
    noun: str
    view: Any
    options: Mapping[str, str]
    names: tuple[str, ...]
    seat: int
    size: int
    pieces: tuple[str, ...]
    begun: str
    twice: int
    rows: Sequence[Sequence[str]]
    cursor: tuple[int, int] | None
    stray: str
    due: Due | None
    hidden: bool
    buttons: bool
    replaces: bool = False
    excess: tuple[str, int] | None = None
    refused: bool = False

    @property
    def name(self) -> str:
        """The name of the player whose pieces they are."""
        return self.names[self.seat - 1]

    @property
    def away(self) -> str:
        """Who must not look while hidden pieces are named: ``Ben, look away``; "" for nobody."""
        return look_away(self.names, self.seat)

    @property
    def missing(self) -> int:
        """How many pieces are missing, negative for too many."""
        return self.size - len(self.pieces)

    @property
    def wrong(self) -> bool:
        """Whether too many pieces are entered, or more of one kind than there are."""
        return self.missing < 0 or self.excess is not None

    @property
    def whole(self) -> bool:
        """Whether the right number of pieces is entered, and they can exist together."""
        return not self.missing and not self.begun and not self.wrong


class PeekScene(NamedTuple):
    """A seat's own pieces, for its owner alone.

    Attributes:
        view: the position as that seat knows it.
        options: the round's options.
        name: the owner's name.
        seat: whose pieces they are.
        words: the pieces in words.
    """

    view: Any
    options: Mapping[str, str]
    name: str
    seat: int
    words: str


class PageScene(NamedTuple):
    """One of the manifest's pages.

    Attributes:
        kind: its key in `Manifest.pages`.
        title: its heading.
        lines: all its lines.
        number: which part of it is shown, from 0; a part has `ROWS` lines.
        view: the position in the public's view.
        names: the players by seat.
        buttons: whether the keys are called OK and BACK.
    """

    kind: str
    title: str
    lines: tuple[str, ...]
    number: int
    view: Any
    names: tuple[str, ...]
    buttons: bool


class Screen(ABC):
    """The screen of a game; the game's `screen` module has one object of its class, ``SCREEN``.

    `companion.games.plain.PlainScreen` draws everything in words; inherit from it to draw only a part yourself.
    """

    @abstractmethod
    def draw(self, canvas: "Canvas", scene: Scene) -> None:
        """Draw the position."""

    @abstractmethod
    def naming(self, canvas: "Canvas", scene: NamingScene) -> None:
        """Draw the pieces that are being named."""

    @abstractmethod
    def peek(self, canvas: "Canvas", scene: PeekScene) -> None:
        """Draw a player's own pieces."""

    @abstractmethod
    def page(self, canvas: "Canvas", scene: PageScene) -> None:
        """Draw one of the manifest's pages."""
