"""What a game is: refusals, holdings, outcomes, and the class that the rules of a game inherit from.

No I/O, no clock, no random numbers: what was dealt or drawn at the real table is part of the events.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from companion.games.api.result import Result, leaders

# A module that is loaded becomes an attribute of its package: this one has to be loaded before `text` is the function.
from companion.games.api.text import Text, text

make = tuple.__new__
"""``make(State, (…))`` is ``State(…)`` in half the time, since a NamedTuple's own constructor is slow."""

S = TypeVar("S")
M = TypeVar("M")
P = TypeVar("P")


class Refused(Exception):
    """The rules refuse an event; the position is unchanged.

    It is not a `ValueError`, so that a bug in the rules is never mistaken for a refusal. Everybody at the table reads
    it, so it never names a hidden piece that the event does not name.

    A game has a class of its own that inherits from this one: a table of its codes and their sentences, with a field
    for each value. Where a code has more than one row, more words after it tell them apart::

        SENTENCES = {
            "heap": ("heap {heap}", "there are {heaps}", "there is no such heap"),
            "pieces": ("take {pieces}", "heap {heap} has {left}", "take what is there"),
            "pieces none": ("take {pieces}", "heap {heap} is empty", "take what is there"),
        }

        class Refused(api.Refused):
            sentences = SENTENCES

        raise Refused("heap", heap=4, heaps=3)

    Args:
        code: a row of the table. Its first word, such as ``sum`` or ``not-yours``, stays the same in later versions.
        given: the sentences themselves, where there is no row for them.
        values: the values of the fields: numbers, words, texts.
    """

    sentences: Mapping[str, tuple[str, ...]] = {
        "syntax seat": ("seat {seat}", "the seats are 1 to {players}", "there is no such seat"),
        "over": ("the round is over", "", "no more moves can be made"),
        "turn": ("seat {seat}", "seat {to_move} is to move", "wait for your turn"),
        "deal none": ("{kind} line", "there are no hands", "nothing is dealt in this game"),
    }
    """Row → figure, against, rule, needed; what is left out at the end is ""."""
    of_others: Collection[str] = ()
    """The rows that say what another seat holds: it may have been told wrongly."""

    def __init__(self, code: str, /, *given: str, **values: Any) -> None:
        super().__init__(code)
        self.row = code
        self.code = code.partition(" ")[0]
        self.values = values
        self._given = given
        self._row = () if given else self.sentences[code]

    def _row_said(self, place: int) -> str:
        if place < len(self._given):
            return self._given[place]
        return text(self._row[place], **self.values) if place < len(self._row) and self._row[place] else ""

    @property
    def figure(self) -> str:
        """The numbers, which the panel shows large: ``2+5 = 7``."""
        return self._row_said(0)

    @property
    def against(self) -> str:
        """What they contradict, in about 22 characters: ``the top of 4 is 9``.

        That is too long for the verdict of a `Draft` on the plain screen.
        """
        return self._row_said(1)

    @property
    def rule(self) -> str:
        """The rule in the players' words: ``the corals must add up``."""
        return self._row_said(2)

    @property
    def needed(self) -> str:
        """What would have been accepted, if that can be computed: ``2 more are needed``."""
        return self._row_said(3)

    @property
    def why(self) -> str:
        """The reason in one sentence of about 80 characters: ``2+5 = 7, the top of 4 is 9: the …``."""
        numbers = _between("{one}, {other}", self.figure, self.against)
        return _between("{one}: {other}", numbers, self.rule)

    def __str__(self) -> str:
        return f"{self.code}: {self.why}"


def _between(message: str, one: str, other: str) -> str:
    """Two parts of a sentence with the message's sign between them, or the one that is not empty."""
    return text(message, one=one, other=other) if one and other else one or other


class Outcome(NamedTuple):
    """How a round stands: the score of each seat, the winning seats, and why it ended.

    During the round there are no winners and no reason. A draw has all seats that share the win as winners.
    """

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str

    @property
    def result(self) -> Result:
        """Scores and winners, as records and the store write them."""
        return Result(self.scores, self.winners)

    @classmethod
    def by_score(cls, scores: tuple[int, ...], reason: str) -> "Outcome":
        """The highest score wins, and equal ones share the win; without a `reason` the round is not over yet."""
        return make(cls, (scores, leaders(scores) if reason else (), reason))


class Claim(NamedTuple):
    """A false claim "I cannot move", proven by later events.

    Attributes:
        event: the claim's event, from 0.
        seat: who made it.
        example: an event that was possible.
        sure: False if the example depends on pieces drawn later: some event was possible in any case, but not
            necessarily this one.
    """

    event: int
    seat: int
    example: str
    sure: bool = True


class Holding(NamedTuple, Generic[P]):
    """A player's pieces: how many, and the sorted pieces if the referee knows them.

    Attributes:
        size: how many pieces.
        pieces: the pieces of an *open* holding; None for a *sealed* one, whose pieces only its owner knows.
    """

    size: int
    pieces: tuple[P, ...] | None

    @property
    def open(self) -> bool:
        """Whether the referee knows the pieces."""
        return self.pieces is not None


SEAT = "seat {seat}"
"""The message of `who_is_in`."""


def inherits(function: Callable[..., object], default: Callable[..., object]) -> bool:
    """Whether a game has left a function of its rules or entry as it is inherited."""
    return getattr(function, "__func__", None) is default


def who_is_in(seat: int) -> Text:
    """The player in a seat, as a value of a text: ``seat 2``, at the table the player's name."""
    return text(SEAT, seat=seat)


def parse_number(text: str) -> int | None:
    """The number from 0 to 999 that ASCII digits without leading zeros stand for; None for any other text."""
    plain = text.isascii() and text.isdigit() and len(text) <= 3 and (text[0] != "0" or text == "0")
    return int(text) if plain else None


def check_seat(seat: int, players: int) -> None:
    """Raise Refused ``syntax`` for a seat that does not exist."""
    if not 1 <= seat <= players:
        raise Refused("syntax seat", seat=seat, players=players)


def check_turn(seat: int, to_move: int | None) -> None:
    """Raise Refused ``over`` if the round has ended (`to_move` is None), ``turn`` if it is another seat's turn."""
    if to_move is None:
        raise Refused("over")
    if seat != to_move:
        raise Refused("turn", seat=seat, to_move=to_move)


class Rules(ABC, Generic[S, M]):
    """The rules of a game, inherited from here; the game's `rules` module has one object of its class, ``RULES``.

    The defaults are those of a game without hands and without chance. States are immutable; every function is pure.
    Seats count from 1.
    """

    @abstractmethod
    def start(self, players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], tuple[Any, ...]]) -> S:
        """The first position of a round.

        `deals` has the pieces of each open holding by (kind, seat); holdings that are missing are sealed. Missing
        options have their default. Raises Refused ``deal`` for a wrong number of pieces or pieces that cannot exist
        together.
        """

    @abstractmethod
    def turn(self, state: S) -> int | None:
        """The seat to move, None when the round is over."""

    @abstractmethod
    def moves(self, state: S) -> Sequence[M]:
        """All legal events of the seat to move, each once and in a fixed order; none when the round is over.

        A draw or refill is listed without its pieces, which `complete` adds. Of a seat whose holding is sealed only
        the events that name none of its pieces are listed, such as a pass.
        """

    @abstractmethod
    def read(self, text: str) -> M:
        """Parse an event's text; `str` of the move gives it back. Raises Refused ``syntax``."""

    @abstractmethod
    def play(self, state: S, seat: int, move: M) -> S:
        """The position after an event. Raises Refused by the first check that fails, in the order documented for the
        game."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome:
        """The present scores; winners and reason once the round is over."""

    def refusal(self, state: S, move: M) -> Refused | None:
        """Why `play` refuses a move of the seat to move; None if that seat may make it."""
        try:
            self.play(state, self.turn(state) or 1, move)
        except Refused as refused:
            return refused
        return None

    def size(self, kind: str, players: int, options: Mapping[str, str]) -> int:
        """How many pieces a seat holds at the start in a holding, such as ``deal`` or ``rack``."""
        return 0

    def read_deal(self, text: str, kind: str, options: Mapping[str, str]) -> tuple[Any, ...]:
        """Parse pieces, and sort them: those of a record's deal line, or those that players hand in.

        What players hand in is each piece in its written form, with a blank between two, whatever `write_deal` writes.
        Raises Refused ``syntax`` for text that is no list of pieces, ``deal`` in a game without hands.
        """
        raise Refused("deal none", kind=kind)

    def write_deal(self, pieces: Sequence[Any]) -> str:
        """Dealt pieces in their short written form, which `read_deal` reads; of a single piece that of `Entry.grid`."""
        return ""

    def deal(
        self, players: int, options: Mapping[str, str], sample: Callable[[Sequence[Any], int], Sequence[Any]]
    ) -> dict[tuple[str, int], tuple[Any, ...]]:
        """Deal every holding of every seat, by (kind, seat); `sample` draws like `random.Random.sample`."""
        return {}

    def find(self, state: S) -> M | None:
        """One legal play of the seat to move; None if there is none or its holding is sealed. Faster than `moves`.

        The default is the first of `moves`; a game with hands writes its own.
        """
        return next(iter(self.moves(state)), None)

    def complete(self, state: S, move: M, sample: Callable[[Sequence[Any], int], Sequence[Any]]) -> M:
        """A draw or refill with its pieces, drawn by `sample` from all pieces that may be there."""
        return move

    def skipped(self, state: S) -> tuple[int, ...]:
        """The seats that were skipped after the last event because they could not move, in order."""
        return ()

    def view(self, state: S, seat: int | None) -> S:
        """The position as `seat` knows it: hidden holdings of other seats are sealed; for None those of all seats."""
        return state

    def claims(self, start: S, events: Sequence[tuple[int, M]]) -> tuple[Claim, ...]:
        """The false claims that the events prove, in order; empty for a game without claims."""
        return ()
