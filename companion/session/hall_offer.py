"""The pairing of a tournament that the hall has for this table, and what became of it here."""

from typing import NamedTuple

from companion.inputs import Offer


class HallOffer(NamedTuple):
    """The hall's offer.

    Attributes:
        offer: the newest one, None for none.
        decided: the id of the one about which OK or BACK was pressed.
        begun: the id of the one to which OK was pressed.
    """

    offer: Offer | None = None
    decided: str = ""
    begun: str = ""

    @property
    def waits(self) -> bool:
        """Whether there is one to which nobody has said anything."""
        return self.offer is not None and self.offer.id != self.decided
