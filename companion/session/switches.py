"""What the players switch on and off in the menus; the store keeps it."""

from typing import NamedTuple


class Switches(NamedTuple):
    """What is switched on.

    Attributes:
        hints: a hint may be asked for.
        dealer: the score pad marks who deals.
        timing: the clock of thinking times runs.
        rests: the rest view comes at once, not only after some seconds.
    """

    hints: bool = False
    dealer: bool = False
    timing: bool = False
    rests: bool = False
