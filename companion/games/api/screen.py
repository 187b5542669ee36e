"""What the screen of a game draws: scenes, which are plain data without hidden pieces.

A screen never gets the full position or the session, so even a screen with an error cannot show what a player hides.

| scene | shows | method |
| --- | --- | --- |
| `Scene` | the position, the last move, the draft | `Screen.draw` |
| `NamingScene` | pieces that a player names: dealt, or drawn in a refill | `Screen.draw_naming` |
| `PeekScene` | a player's own pieces | `Screen.draw_peek` |
| `PageScene` | a page of the table menu | `Screen.draw_page` |
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.games.api.computer_players import look_away_text
from companion.games.api.game_texts import MoveTexts
from companion.games.api.move_input import Draft, DueRefill

if TYPE_CHECKING:
    from companion.panel.canvas import Canvas

PAGE_ROWS = 4
"""The number of lines of a page that the panel shows at a time."""


class Scene(NamedTuple):
    """One moment of a round, as everybody at the table may see it.

    Args:
        view: the position in the public's view.
        view_before: the view before the last event; None at the start.
        last_move: the seat and the move of the last event; None at the start.
        options: the options of the round.
        names: the players by seat.
        seat_to_move: the seat that is to move; None when the round is over.
        draft: the half-made move; None while nothing is entered.
        bottom_line: a line shown instead of the last move, such as about the last key, how to say "I can't move", or
            the clock; "" for none.
        uses_buttons: whether the keys are called OK and BACK.
        result_counts: what the result will count, by seat.
        position_lines: lines about the position, for a game without a drawing.
        recent_events: the last event: the view before it, its seat and its move. If it only names the pieces that were
            drawn by the event before, that event comes first.
        must_draw: whether the seat to move has no legal move and so must draw.
        is_device_missing: whether a device is missing. Its sign covers the last columns of the last line.
        last_move_texts: the last event in words; None at the start.
        clock: the times in `bottom_line`; () if that is not about the clock.
        counts_down: True if `clock` has the time that is left (of both seats; with more than two seats, of the seat to
            move), False if it has the time of this move and of the round.
        claim_instructions: how to enter "I can't move" while nothing is entered; "" if that is not needed. A screen
            with a second line may show it.
        awaits_move: whether the next key begins a move, so that a screen may mark where its picker would begin.
        is_after_takeback: whether a move has just been taken back. What followed the last event was then shown before.
        is_rematch: whether these players have just played a round of this game, in other seats.
        start_page: the goal, and how a move is entered, on the page at the start of a round, which the panel shows
            instead of the game's picture; () once a key was pressed.
        back_label: what BACK does, where that is neither the table menu nor to undo a step; "" elsewhere.
    """

    view: Any
    view_before: Any
    last_move: tuple[int, Any] | None
    options: Mapping[str, str]
    names: tuple[str, ...]
    seat_to_move: int | None
    draft: Draft | None
    bottom_line: str
    uses_buttons: bool
    result_counts: tuple[int, ...] = ()
    position_lines: Sequence[str] = ()
    recent_events: tuple[tuple[Any, int, Any], ...] = ()
    must_draw: bool = False
    is_device_missing: bool = False
    last_move_texts: MoveTexts | None = None
    clock: tuple[str, ...] = ()
    counts_down: bool = False
    claim_instructions: str = ""
    awaits_move: bool = False
    is_after_takeback: bool = False
    is_rematch: bool = False
    start_page: tuple[str, ...] = ()
    back_label: str = ""

    def player_name(self, seat: int) -> str:
        """The name of the player in a seat."""
        return self.names[seat - 1]

    @property
    def look_away_text(self) -> str:
        """Who must look away while the seat to move names a hidden piece: ``Ben, look away``; "" for nobody."""
        return look_away_text(self.names, self.seat_to_move or 1)


def first_repeat_position(pieces: Sequence[str]) -> int:
    """The number, from 1, of the first piece that equals an earlier one; 0 if all pieces differ."""
    return next((number for number, piece in enumerate(pieces, 1) if piece in pieces[: number - 1]), 0)


class NamingScene(NamedTuple):
    """Pieces that a player is naming: those of a deal, or those drawn in a refill.

    Args:
        kind: the record's word for the holding or refill.
        noun: what players call it.
        view: the position in the public's view.
        options: the options of the round.
        names: the players by seat.
        seat: the seat whose pieces are named.
        size: how many pieces must be named.
        pieces: the pieces entered so far, in written form; "" for a hidden one.
        partial_piece: the keys of a piece that is not complete yet; a dot for each key if the piece is hidden.
        repeated_number: the `first_repeat_position` of the pieces entered, whether hidden or not.
        rows: the pieces to pick from.
        cursor: the row and the column of the picker; None while the pieces are typed.
        stray_key_text: what is expected instead of the last key; "" if that key was accepted.
        due_refill: what a refill must name; None while a holding is dealt.
        is_hidden: whether everything here is hidden from the other players.
        uses_buttons: whether the keys are called OK and BACK.
        replaces_last: whether OK replaces the last piece by the one under the picker.
        excess: a piece entered too often ("" for a hidden one), and how many of it there can be; None for none.
        was_refused: whether OK was pressed and these pieces were refused. The next OK shows them to their owner.
        can_hold_ok: whether all pieces are named and OK, while it is held, shows them to their owner.
    """

    kind: str
    noun: str
    view: Any
    options: Mapping[str, str]
    names: tuple[str, ...]
    seat: int
    size: int
    pieces: tuple[str, ...]
    partial_piece: str
    repeated_number: int
    rows: Sequence[Sequence[str]]
    cursor: tuple[int, int] | None
    stray_key_text: str
    due_refill: DueRefill | None
    is_hidden: bool
    uses_buttons: bool
    replaces_last: bool = False
    excess: tuple[str, int] | None = None
    was_refused: bool = False
    can_hold_ok: bool = False

    @property
    def player_name(self) -> str:
        """The name of the player whose pieces they are."""
        return self.names[self.seat - 1]

    @property
    def look_away_text(self) -> str:
        """Who must look away while hidden pieces are named: ``Ben, look away``; "" for nobody."""
        return look_away_text(self.names, self.seat)

    @property
    def missing_count(self) -> int:
        """How many more pieces must be named."""
        return self.size - len(self.pieces)

    @property
    def is_invalid(self) -> bool:
        """Whether more pieces of one kind are entered than there are."""
        return self.excess is not None

    @property
    def is_complete(self) -> bool:
        """Whether the right number of pieces is entered, and all of them can exist together."""
        return not self.missing_count and not self.partial_piece and not self.is_invalid


class PeekScene(NamedTuple):
    """The pieces of a seat, shown to their owner alone.

    Attributes:
        view: the position as that seat knows it.
        options: the options of the round.
        player_name: the name of the owner.
        seat: the seat whose pieces they are.
        pieces_text: the pieces in words.
    """

    view: Any
    options: Mapping[str, str]
    player_name: str
    seat: int
    pieces_text: str


class PageScene(NamedTuple):
    """One of the pages that the manifest adds to the table menu.

    Attributes:
        kind: the key of the page in `Manifest.pages`.
        title: the heading.
        lines: all lines of the page.
        page_index: which part of the lines is shown, from 0; each part has `PAGE_ROWS` lines.
        view: the position in the public's view.
        names: the players by seat.
        uses_buttons: whether the keys are called OK and BACK.
    """

    kind: str
    title: str
    lines: tuple[str, ...]
    page_index: int
    view: Any
    names: tuple[str, ...]
    uses_buttons: bool


class Screen(ABC):
    """The screen of a game. The game's `screen` module has one object of its own class, ``SCREEN``.

    `companion.games.plain_screen.PlainScreen` draws everything in words; inherit from that to draw only a part
    yourself.
    """

    @abstractmethod
    def draw(self, canvas: "Canvas", scene: Scene) -> None:
        """Draw the position, with the last move or the draft."""

    @abstractmethod
    def draw_naming(self, canvas: "Canvas", scene: NamingScene) -> None:
        """Draw the pieces that a player is naming."""

    @abstractmethod
    def draw_peek(self, canvas: "Canvas", scene: PeekScene) -> None:
        """Draw a player's own pieces, for that player alone."""

    @abstractmethod
    def draw_page(self, canvas: "Canvas", scene: PageScene) -> None:
        """Draw one page of the table menu."""
