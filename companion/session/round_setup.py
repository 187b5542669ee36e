"""What is chosen of a round before it begins."""

from collections.abc import Callable
from typing import Any, NamedTuple

from companion.game.manifest import HoldingKind
from companion.rounds.stored import Options


def _keep(session: Any, setup: "Setup") -> Any:
    return session


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
    ask: Callable[[Any, "Setup"], Any] = _keep  # what asks a session the next question, or begins the round
    back: Any = None  # the moment before the first question, None for what is there when nothing covers the table
