"""The pairing of a tournament that the hall has for this table, and what became of it here."""

from typing import NamedTuple

from companion.inputs import Offer


class HallOffer(NamedTuple):
    """The hall's offer.

    Attributes:
        offer: the newest one, None for none, or for one that cannot be played here.
        current: the id of the newest one, "" for none, None before the hall has said anything.
        decided: the id of the one about which OK or BACK was pressed.
        begun: the id of the one to which OK was pressed.
        settled: the id of the one whose round has ended here, or was reported to be the table's no more.
    """

    offer: Offer | None = None
    current: str | None = None
    decided: str = ""
    begun: str = ""
    settled: str = ""

    @property
    def waits(self) -> bool:
        """Whether there is one to which nobody has said anything."""
        return self.offer is not None and self.offer.id != self.decided

    def withdraws(self, pairing: str) -> bool:
        """Whether the hall has none or another one for this table; not where it is offered once more.

        `pairing` is the id of an offer: the pairing's word, the letter n, and how often it was offered.
        """
        return self.current is not None and self.current.rpartition("n")[0] != pairing.rpartition("n")[0]
