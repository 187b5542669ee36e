"""What a game is: refusals, holdings, outcomes, and the protocol that the rules of every game fulfil.

No I/O, no clock and no chance: what the real table dealt or drew comes in as an event with its result in it.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from companion.game.result import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

make = tuple.__new__
"""``make(State, (…))`` for ``State(…)`` where time counts: a NamedTuple's own constructor takes twice as long."""

S = TypeVar("S")
M = TypeVar("M")
P = TypeVar("P")


class Refused(Exception):
    """A ruling against an event; the position stays as it was.

    Deliberately no `ValueError`: a bug in the rules never looks like a ruling.

    Args:
        code: the stable code of the rules, such as ``sum`` or ``not-yours``.
        figure: the numbers, as large as the panel can show them: ``2+5 = 7``.
        against: what they clash with, about 22 characters: ``the top of 4 is 9``.
        rule: the rule in the players' words: ``the corals must add up``.
        needed: what would have done, where that is arithmetic: ``2 more are needed``.
    """

    def __init__(self, code: str, figure: str, against: str = "", rule: str = "", needed: str = "") -> None:
        super().__init__(code, figure, against, rule, needed)
        self.code = code
        self.figure = figure
        self.against = against
        self.rule = rule
        self.needed = needed

    @property
    def why(self) -> str:
        """The whole reason in one sentence of about 80 characters: ``2+5 = 7, the top of 4 is 9: the …``."""
        numbers = ", ".join(part for part in (self.figure, self.against) if part)
        return ": ".join(part for part in (numbers, self.rule) if part)

    def __str__(self) -> str:
        return f"{self.code}: {self.why}"


class Outcome(NamedTuple):
    """How a round stands or ended: a score a seat, the winning seats (none while it runs), and why it ended."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str

    @property
    def result(self) -> Result:
        """The scores and winners, as they are written down."""
        return Result(self.scores, self.winners)


class Claim(NamedTuple):
    """A proven false "I cannot": which event (from 0), which seat, and an event that had been possible.

    `sure` is False where the example rests on which pieces were drawn later: some event had been possible whichever
    those were, but not always this one.
    """

    event: int
    seat: int
    example: str
    sure: bool = True


class Holding(NamedTuple, Generic[P]):
    """What a player holds: `size` pieces, sorted in `pieces` where open to the referee, None where sealed."""

    size: int
    pieces: tuple[P, ...] | None

    @property
    def open(self) -> bool:
        """Whether the referee knows the contents."""
        return self.pieces is not None


def check_seat(seat: int, players: int) -> None:
    """Raise Refused ``syntax`` for a seat that does not exist."""
    if not 1 <= seat <= players:
        raise Refused("syntax", f"seat {seat}", f"the seats are 1 to {players}", "there is no such seat")


def check_turn(seat: int, to_move: int | None) -> None:
    """Raise Refused ``over`` where the round has ended (`to_move` is None), ``turn`` for another seat's turn."""
    if to_move is None:
        raise Refused("over", "the round is over", "", "nothing more can be played")
    if seat != to_move:
        raise Refused("turn", f"seat {seat}", f"seat {to_move} is to move", "wait for your turn")


class Rules(Protocol[S, M]):
    """The rules of a game: a module with these names, or an object of a class that inherits from this one.

    Whoever inherits gets what is written out here: a game without hands and without chance. States are immutable;
    every function is pure.
    """

    @abstractmethod
    def start(self, players: int, options: Mapping[str, str], deals: Mapping[tuple[str, int], tuple[Any, ...]]) -> S:
        """The first position; a holding (kind, seat) without a deal is sealed; a missing option is its default.

        Raises Refused ``deal`` for a wrong count or pieces that cannot all be there.
        """

    @abstractmethod
    def turn(self, state: S) -> int | None:
        """The seat whose event is due, None when the round is over."""

    @abstractmethod
    def moves(self, state: S) -> Sequence[M]:
        """Every legal event of the seat to move as `companion moves` lists it, each once, in a stable order.

        A draw or refill that is due stands there without its pieces: see `complete`.
        """

    @abstractmethod
    def read(self, text: str) -> M:
        """An event's text as a move; `str` is its inverse. Raises Refused ``syntax``."""

    @abstractmethod
    def play(self, state: S, seat: int, move: M) -> S:
        """The position after the event. Raises Refused with the first check that fails, in the order in which
        the game's rules name them."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome:
        """The scores as they stand; winners and reason once the round is over."""

    def size(self, kind: str, players: int, options: Mapping[str, str]) -> int:
        """How many pieces a seat holds at the start in the holding `kind`."""
        return 0

    def read_deal(self, text: str, kind: str, options: Mapping[str, str]) -> tuple[Any, ...]:
        """The pieces of a deal line, sorted. Raises Refused ``syntax`` where one cannot be read."""
        raise Refused("deal", f"{kind} line", "there are no hands", "nothing is dealt in this game")

    def write_deal(self, pieces: Sequence[Any]) -> str:
        """The short written form of dealt pieces; `read_deal` is its inverse."""
        return ""

    def deal(
        self, players: int, options: Mapping[str, str], sample: Callable[[Sequence[Any], int], Sequence[Any]]
    ) -> dict[tuple[str, int], tuple[Any, ...]]:
        """A complete deal, every holding of every seat; `sample` draws like `random.Random.sample`."""
        return {}

    def find(self, state: S) -> M | None:
        """One valid play of the seat to move; None if none or its holding is sealed. Quicker than `moves` if it can."""
        return next(iter(self.moves(state)), None)

    def complete(self, state: S, move: M, sample: Callable[[Sequence[Any], int], Sequence[Any]]) -> M:
        """`move` with the pieces that chance gives it, drawn by `sample` from all that may be there."""
        return move

    def skipped(self, state: S) -> tuple[int, ...]:
        """The seats that the last event passed over by itself, in order."""
        return ()

    def view(self, state: S, seat: int | None) -> S:
        """The position as `seat` knows it, other seats' open hidden holdings sealed; None is the public's view."""
        return state

    def claims(self, start: S, events: Sequence[tuple[int, M]]) -> tuple[Claim, ...]:
        """The false claims that the events prove, in order; empty for games without claims."""
        return ()
