"""The organiser's desk: gives results to their pairings, free tables to those that wait, and offers to tables."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from companion.hall.database import HallError
from companion.hall.messages import Offer
from companion.hall.tournament.collecting import collect, fill

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.hall.tournament.model import Event
    from companion.hall.tournament.tournaments import Tournaments


class Desk:
    """Looks after all tournaments of a running hall; may be called from any thread.

    Args:
        tournaments: their store.
        places: the names of the tables that are here, in order.
        publish: sends every table its offer; tables without one are not in the dictionary.
        say: takes sentences for the journal.
    """

    def __init__(
        self,
        tournaments: Tournaments,
        places: Callable[[], Sequence[str]],
        publish: Callable[[dict[str, Offer]], object] = lambda offers: None,
        say: Callable[[str], object] = lambda sentence: None,
    ) -> None:
        self._tournaments = tournaments
        self._places = places
        self._publish = publish
        self._say = say
        self._lock = threading.Lock()
        self._seen: object = None
        self._offers: dict[str, Offer] = {}

    def look(self) -> None:
        """Take results, place pairings, and offer them; it is called for every press at any table.

        So the tournaments are read only where the store or the tables that are here have changed, and once.
        """
        with self._lock:
            try:
                places = self._places()
                if self._seen != (self._tournaments.version, places):
                    self._offers = self._arranged(places)
                self._publish(self._offers)
            except HallError as error:
                self._say(str(error))

    def _arranged(self, places: Sequence[str]) -> dict[str, Offer]:
        """What every table is to play, after results were taken and pairings placed. Raises HallError."""
        with self._tournaments.together():
            events = self._tournaments.in_use()
            if collect(self._tournaments, events):
                events = self._tournaments.in_use()
            if fill(self._tournaments, events, places):
                events = self._tournaments.in_use()
            seen = self._tournaments.version, places
        self._seen = seen
        return offers(events)


def offers(events: Sequence[Event]) -> dict[str, Offer]:
    """What each table is to play next: its open pairing with the lowest board, of the oldest tournament."""
    found: dict[str, Offer] = {}
    for event in reversed(events):
        for row in event.rows:
            if row.game.open and row.place:
                names = (event.name_of(row.game.first), event.name_of(row.game.second))
                offer = Offer(f"{row.word}n{row.offer}", event.name, row.game.round, event.game, event.options, names)
                found.setdefault(row.place, offer)
    return found
