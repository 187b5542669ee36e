"""What a game's screen draws: the scenes, plain data that are made from what may be seen, and the protocol.

The full position and the session never get here, so no picture of a game can show what a player hides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.game.entry import Draft, Due
    from companion.panel.canvas import Canvas

ROWS = 4
"""Lines of a page that the panel shows at a time."""


class Scene(NamedTuple):
    """One moment of a round as everybody at the table may see it.

    Args:
        view: the position, in the public's view.
        before: the one before the last event, None at the start.
        last: the last event's seat and move.
        options: the round's.
        names: the players, by seat.
        turn: the seat to move, None when the round is over.
        draft: the entry on the table.
        say: a line for the strip that takes the place of the last move's (a key that means nothing here, how to pass,
            the clock).
        buttons: whether legends read OK and BACK.
        counted: what the result will count, by seat.
        table: the entry's lines about the table, for a game that draws none itself.
        recent: the last two events, oldest first, each with the view before it, its seat and its move, for games
            where an event only completes the one before.
        forced: whether the seat to move must do what no move is, which the referee says aloud.
        device_missing: whether a device is missing, whose sign takes the last columns of P7.
        clock: the times in `say`, () where it says something else.
        counts_down: whether these are what is left to the seats in their order, of more than two to the one to move;
            else they are the times of this move and of the round.
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
    counted: tuple[int, ...] = ()
    table: Sequence[str] = ()
    recent: tuple[tuple[Any, int, Any], ...] = ()
    forced: bool = False
    device_missing: bool = False
    clock: tuple[str, ...] = ()
    counts_down: bool = False

    def name(self, seat: int) -> str:
        """The player in a seat."""
        return self.names[seat - 1]


class NamingScene(NamedTuple):
    """Pieces being named: a holding of the deal, or what a refill drew.

    Args:
        kind: the record's word for the holding, or the refill's.
        noun: what players call it.
        view: the position, in the public's view.
        options: the round's.
        names: the players, by seat.
        seat: whose pieces they are.
        size: how many there are to be.
        pieces: those entered, in written form; "" for one that is hidden.
        begun: the keys of a piece that is half entered; hidden, a dot for each.
        twice: whether a hidden piece has been entered twice.
        rows: the pieces that the picker walks.
        cursor: the picker's row and column, None while typing.
        replaces: whether OK puts the piece under the picker in the place of the last one.
        excess: a piece that is entered more often than it can be there, "" for a hidden one, and how many there can
            be; None where there is none.
        stray: what is wanted, after a key that means nothing here; "" after any other.
        due: what a refill must name, None while a holding is dealt.
        hidden: whether everything here is hidden from the others.
        buttons: whether legends read OK and BACK.
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
    twice: bool
    rows: Sequence[Sequence[str]]
    cursor: tuple[int, int] | None
    stray: str
    due: Due | None
    hidden: bool
    buttons: bool
    replaces: bool = False
    excess: tuple[str, int] | None = None

    @property
    def name(self) -> str:
        """Whose pieces they are."""
        return self.names[self.seat - 1]

    @property
    def others(self) -> tuple[str, ...]:
        """Everybody else."""
        return tuple(name for seat, name in enumerate(self.names, 1) if seat != self.seat)

    @property
    def missing(self) -> int:
        """How many pieces are still to come, negative where there are too many."""
        return self.size - len(self.pieces)

    @property
    def whole(self) -> bool:
        """Whether as many pieces are entered as there are to be, and all of them can be there at once."""
        return not self.missing and not self.begun and self.excess is None


class PeekScene(NamedTuple):
    """A seat's own pieces, for its owner alone: `view` is the position as that seat knows it, `words` tell them."""

    view: Any
    options: Mapping[str, str]
    name: str
    seat: int
    words: str


class PageScene(NamedTuple):
    """One of the pages that a manifest names: page `number` (from 0) of its `lines` is open; `view` is public."""

    kind: str
    title: str
    lines: tuple[str, ...]
    number: int
    view: Any
    names: tuple[str, ...]
    buttons: bool


class Screen(Protocol):
    """The screen of a game: a module with these names, or an object that has them.

    `companion.games.plain` has a class that draws all of it in words; inherit from it to draw only some yourself.
    """

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        """Draw the table."""

    def naming(self, canvas: Canvas, scene: NamingScene) -> None:
        """Draw the pieces that are being named."""

    def peek(self, canvas: Canvas, scene: PeekScene) -> None:
        """Draw a player's own pieces."""

    def page(self, canvas: Canvas, scene: PageScene) -> None:
        """Draw one of the manifest's pages."""
