"""What a game is: refusals, holdings, outcomes, and the class that the rules of a game inherit from.

The rest of the program plays a game only through these classes, so a new game needs no change outside its folder. Rules
are pure functions of a position: no I/O, no clock, no random numbers. What was dealt or drawn at the real table is part
of the events.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from companion.games.api.result import Result, leading_seats

# Loading a module makes it an attribute of its package. So this one must be loaded first; then `text` is the function.
from companion.games.api.text import Text, text

make_tuple = tuple.__new__
"""``make_tuple(State, (…))`` builds the same value as ``State(…)`` in half the time.

A NamedTuple's own constructor is slow.
"""

S = TypeVar("S")
M = TypeVar("M")
P = TypeVar("P")


class RefusedError(Exception):
    """The rules refuse an event; the position stays as it was.

    This is not a `ValueError`, so that a bug in the rules is never mistaken for a refusal. Everybody at the table reads
    the text of a refusal, so it never names a hidden piece that the event itself does not name.

    Each game has its own class that inherits from this one, with a table of sentences. A row has up to four sentences,
    in which fields stand for the values. Where one code needs several rows, further words after the code tell them
    apart::

        SENTENCES = {
            "heap": ("heap {heap}", "there are {heaps}", "there is no such heap"),
            "pieces": ("take {pieces}", "heap {heap} has {left}", "take what is there"),
            "pieces none": ("take {pieces}", "heap {heap} is empty", "take what is there"),
        }

        class RefusedError(api.RefusedError):
            sentences = SENTENCES

        raise RefusedError("heap", heap=4, heaps=3)

    Args:
        row: the key of a row in the table. Its first word is the code, such as ``sum`` or ``not-yours``, which programs
            rely on: it never changes in later versions.
        phrases: the sentences themselves, for a refusal that has no row in the table.
        values: the values of the fields: numbers, words or texts.
    """

    sentences: Mapping[str, tuple[str, ...]] = {
        "syntax seat": ("seat {seat}", "the seats are 1 to {players}", "there is no such seat"),
        "over": ("the round is over", "", "no more moves can be made"),
        "turn": ("seat {seat}", "seat {to_move} is to move", "wait for your turn"),
        "deal none": ("{kind} line", "there are no hands", "nothing is dealt in this game"),
    }
    """Row → figure, conflict, rule and what is needed. Sentences that are left out at the end count as ""."""
    rows_about_others: Collection[str] = ()
    """The rows that say what another seat holds. They may be wrong, since that seat may have named its pieces wrongly.
    """

    def __init__(self, row: str, /, *phrases: str, **values: Any) -> None:
        super().__init__(row)
        self.row = row
        self.code = row.partition(" ")[0]
        self.values = values
        self._phrases = phrases
        if not phrases and row not in self.sentences:
            raise LookupError(f"SENTENCES of {type(self).__module__} has no row {row!r}")
        self._templates = () if phrases else self.sentences[row]

    def _phrase(self, index: int) -> str:
        if index < len(self._phrases):
            return self._phrases[index]
        return (
            text(self._templates[index], **self.values)
            if index < len(self._templates) and self._templates[index]
            else ""
        )

    @property
    def figure(self) -> str:
        """The numbers of the move, which the panel shows in large type: ``2+5 = 7``."""
        return self._phrase(0)

    @property
    def conflict(self) -> str:
        """What the numbers conflict with, in about 22 characters: ``the top of 4 is 9``.

        The line beside a draft on the plain screen has less room than that.
        """
        return self._phrase(1)

    @property
    def rule(self) -> str:
        """The rule in the players' words: ``a face card must not end up on top``."""
        return self._phrase(2)

    @property
    def needed(self) -> str:
        """What would have been accepted, or "" where that cannot be computed: ``2 more are needed``."""
        return self._phrase(3)

    @property
    def reason(self) -> str:
        """The whole reason in one sentence of about 80 characters: ``a jack on top: a face card must not …``."""
        numbers = _join_phrases("{one}, {other}", self.figure, self.conflict)
        return _join_phrases("{one}: {other}", numbers, self.rule)

    def __str__(self) -> str:
        return f"{self.code}: {self.reason}"


def _join_phrases(message: str, first: str, second: str) -> str:
    """Join two parts of a sentence by a message such as ``{one}: {other}``.

    If one part is empty, return the other alone.
    """
    return text(message, one=first, other=second) if first and second else first or second


class Outcome(NamedTuple):
    """The scores of all seats, the winners, and why the round ended.

    While the round is running there are no winners and the reason is "". In a draw the winners are all seats that share
    the win.
    """

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str

    @property
    def result(self) -> Result:
        """The scores and winners alone, as records and the store save them."""
        return Result(self.scores, self.winners)

    @classmethod
    def by_score(cls, scores: tuple[int, ...], reason: str) -> "Outcome":
        """An outcome in which the highest score wins; seats with equal scores share the win.

        Pass "" as `reason` while the round is running: then there are no winners yet.
        """
        return make_tuple(cls, (scores, leading_seats(scores) if reason else (), reason))


class Claim(NamedTuple):
    """A claim "I can't move" that later events prove false.

    Attributes:
        event: the index of the claim among the round's events, from 0.
        seat: the seat that made the claim.
        example: the text of an event that the seat could have played.
        is_certain: False if the example depends on which pieces were drawn later. Some event was possible in any case,
            but not necessarily this one.
    """

    event: int
    seat: int
    example: str
    is_certain: bool = True


class Holding(NamedTuple, Generic[P]):
    """The pieces that one player holds: always their number, and the pieces themselves if the referee knows them.

    Attributes:
        size: the number of pieces.
        pieces: the sorted pieces of an *open* holding; None for a *sealed* one, whose pieces only its owner knows.
    """

    size: int
    pieces: tuple[P, ...] | None

    @property
    def is_open(self) -> bool:
        """Whether the referee knows the pieces of this holding."""
        return self.pieces is not None

    @property
    def is_told(self) -> bool:
        """Whether the players told the box the pieces, so that they name what they draw. Everybody knows that.

        It stays true of a view that seals the holding by `sealed`.
        """
        return self.is_open

    def sealed(self) -> "Holding[P]":
        """The same holding as others see it, for `Rules.seat_view`: its size alone, and `is_told`."""
        return (_HoldingSealedByView if self.is_told else Holding)(self.size, None)


class _HoldingSealedByView(Holding[P]):
    """Equal to any sealed holding of its size, so that views of open and sealed hands stay alike."""

    __slots__ = ()

    @property
    def is_told(self) -> bool:
        return True


SEAT_MESSAGE = "seat {seat}"
"""The message that `player_in_seat` makes a text of."""


def is_inherited(method: Callable[..., object], default: Callable[..., object]) -> bool:
    """Whether a game inherits this method unchanged, instead of writing its own.

    The first argument is the bound method of the game's object, such as ``RULES.complete_draw``; `default` is the
    function of the base class, such as ``Rules.complete_draw``.
    """
    return getattr(method, "__func__", None) is default


def player_in_seat(seat: int) -> Text:
    """The player in a seat, as a value for a text: ``seat 2`` in a record; at the table the player's name."""
    return text(SEAT_MESSAGE, seat=seat)


def parse_number(text: str) -> int | None:
    """The number from 0 to 999 that a text of ASCII digits stands for; None for any other text or for leading zeros."""
    plain = text.isascii() and text.isdigit() and len(text) <= 3 and (text[0] != "0" or text == "0")
    return int(text) if plain else None


def check_seat(seat: int, players: int) -> None:
    """Raise RefusedError ``syntax`` for a seat that does not exist."""
    if not 1 <= seat <= players:
        raise RefusedError("syntax seat", seat=seat, players=players)


def check_turn(seat: int, seat_to_move: int | None) -> None:
    """Check that it is this seat's turn.

    Raises RefusedError ``over`` if the round has ended (`seat_to_move` is None), and ``turn`` if another seat is to
    move.
    """
    if seat_to_move is None:
        raise RefusedError("over")
    if seat != seat_to_move:
        raise RefusedError("turn", seat=seat, to_move=seat_to_move)


class Rules(ABC, Generic[S, M]):
    """The rules of a game.

    The game's `rules` module inherits from this class and has one object of its own class, ``RULES``.

    The defaults are those of a game without hands and without chance. Positions are immutable and every method is pure.
    Seats are counted from 1. A round runs like this::

        initial_state ──▶ state ──▶ legal_moves / parse_move ──▶ play_move ──▶ next state ──▶ …
                            │
                            └─▶ seat_to_move is None: the round is over, and outcome tells who has won
    """

    @abstractmethod
    def initial_state(
        self, players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], tuple[Any, ...]]
    ) -> S:
        """The first position of a round.

        Args:
            players: the number of seats.
            options: the options that were chosen; an option that is missing has its default.
            deals: the pieces of each open holding by (kind, seat). A holding that is missing is sealed.

        Raises RefusedError ``deal`` for a wrong number of pieces, or for pieces that cannot all exist.
        """

    @abstractmethod
    def seat_to_move(self, state: S) -> int | None:
        """The seat that is to move, counted from 1; None when the round is over."""

    @abstractmethod
    def legal_moves(self, state: S) -> Sequence[M]:
        """All legal events of the seat to move, each once and in a fixed order; empty when the round is over.

        A draw or refill is listed without its pieces, which `complete_draw` adds. For a seat whose holding is sealed,
        only those events are listed that name none of its pieces, such as a pass.
        """

    @abstractmethod
    def parse_move(self, text: str) -> M:
        """Parse the text of an event into a move, without judging it; `str` of the move gives the short text back.

        Raises RefusedError ``syntax`` for any other text.
        """

    @abstractmethod
    def play_move(self, state: S, seat: int, move: M) -> S:
        """The position after a seat plays a move.

        Raises RefusedError for an illegal move. Each game documents the order of its checks; the first that fails
        decides.
        """

    @abstractmethod
    def outcome(self, state: S) -> Outcome:
        """The present scores, and once the round is over also the winners and the reason."""

    def refusal(self, state: S, move: M) -> RefusedError | None:
        """The error that `play_move` would raise for a move of the seat to move; None for a legal move."""
        try:
            self.play_move(state, self.seat_to_move(state) or 1, move)
        except RefusedError as refused:
            return refused
        return None

    def holding_size(self, kind: str, players: int, options: Mapping[str, str]) -> int:
        """The number of pieces that a seat holds at the start in a holding of this kind, ``deal`` or ``rack``."""
        return 0

    def parse_deal(self, text: str, kind: str, options: Mapping[str, str]) -> tuple[Any, ...]:
        """Parse the pieces of a holding, and sort them.

        The text comes from the deal line of a record, or from the players. Players always give each piece in its
        written form with a blank between two of them, however `format_deal` writes a whole deal.

        Raises RefusedError ``syntax`` for text that is no list of pieces, and ``deal`` in a game without hands.
        """
        raise RefusedError("deal none", kind=kind)

    def format_deal(self, pieces: Sequence[Any]) -> str:
        """Dealt pieces in their short written form, which `parse_deal` reads.

        A single piece is written as in `MoveInput.piece_rows`.
        """
        return ""

    def deal_holdings(
        self, players: int, options: Mapping[str, str], sample: Callable[[Sequence[Any], int], Sequence[Any]]
    ) -> dict[tuple[str, int], tuple[Any, ...]]:
        """Deal every holding of every seat at random: the pieces by (kind, seat).

        `sample` draws without replacement, like `random.Random.sample`.
        """
        return {}

    def find_legal_move(self, state: S) -> M | None:
        """One legal play of the seat to move, found faster than by `legal_moves`, with all its pieces.

        None if there is none, and always for a seat whose holding is sealed, even where `legal_moves` lists a draw or a
        pass: a move that is found means that the seat could have moved. The default takes the first of `legal_moves`;
        a game with hands should write its own.
        """
        return next(iter(self.legal_moves(state)), None)

    def complete_draw(self, state: S, move: M, sample: Callable[[Sequence[Any], int], Sequence[Any]]) -> M:
        """A draw or refill together with its pieces, which `sample` draws from all pieces that may be there.

        These are the copies that `deal_holdings` deals from, less those whose place is known. Any other move, and a
        draw of a sealed holding, is returned unchanged.
        """
        return move

    def chance_outcomes(self, state: S) -> Mapping[M, int]:
        """What chance decides now, each event with its weight: of two dice ``{"roll 2": 1, "roll 3": 2, …}``.

        {} where a player decides. `legal_moves` lists the same events. No hint, look-back or computer player judges or
        chooses them; a search tries one of them, as likely as its weight says.
        """
        return {}

    def skipped_seats(self, state: S) -> tuple[int, ...]:
        """The seats that were skipped after the last event because they could not move, in order."""
        return ()

    def seat_view(self, state: S, seat: int | None) -> S:
        """The position as one seat knows it: the hidden holdings of all other seats are sealed.

        With None as `seat` it is the public's view, in which all hidden holdings are sealed.
        """
        return state

    def false_claims(self, start: S, events: Sequence[tuple[int, M]]) -> tuple[Claim, ...]:
        """The claims "I can't move" that the events prove false, in order; empty for a game without such claims."""
        return ()
