"""The organiser's desk: gives results to their pairings, free tables to those that wait, and offers to tables."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from companion.hall.database import HallError
from companion.hall.messages import Offer
from companion.hall.tournament.collecting import collect, fill

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.hall.tournament.store import Event, Tournaments


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

    def look(self) -> None:
        """Take results, place pairings, and offer them."""
        at = time.strftime("%Y-%m-%dT%H:%M:%S%z")
        with self._lock:
            try:
                collect(self._tournaments, at)
                fill(self._tournaments, self._places(), at)
                self._publish(offers(self._tournaments.all()))
            except HallError as error:
                self._say(str(error))


def offers(events: Sequence[Event]) -> dict[str, Offer]:
    """What each table is to play next: its open pairing with the lowest board, of the oldest tournament."""
    found: dict[str, Offer] = {}
    for event in reversed(events):
        for row in event.rows:
            if row.game.open and row.place:
                names = (event.name_of(row.game.first), event.name_of(row.game.second))
                offer = Offer(f"{row.id}n{row.offer}", event.name, row.game.round, event.game, event.options, names)
                found.setdefault(row.place, offer)
    return found
