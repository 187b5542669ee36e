"""What is chosen of a round before it begins."""

from typing import NamedTuple

from companion.game.manifest import HoldingKind
from companion.rounds.stored import Options


class Setup(NamedTuple):
    """A round in the making: the choices so far."""

    game: str
    options: Options = ()
    seats: int = 2
    goal: int = 0
    clock: str = ""  # the game clock in written form
    names: tuple[str, ...] = ()
    opened: tuple[tuple[HoldingKind, int], ...] = ()
    sealed: tuple[tuple[HoldingKind, int], ...] = ()  # holdings (kind, seat) that the players chose to keep sealed
    asked: int = 0  # how many questions are behind
    pairing: str = ""  # the offer of a tournament that is set up
