"""Pictures of the panel for reports and pages, which know no panel: who asks for them hands in what draws them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL import Image

    from companion.rounds.on_table import AnyRound
    from companion.rounds.stored import FinishedRound


class Panels(NamedTuple):
    """What draws the panel, each picture one bit, 128×64, lit pixels white.

    Args:
        of_round: a round after so many of its events, as everybody saw it.
        of_standings: the standings of finished rounds.
    """

    of_round: Callable[[AnyRound, int], Image.Image]
    of_standings: Callable[[tuple[FinishedRound, ...]], Image.Image]
