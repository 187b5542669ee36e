"""Directs tournaments at the tables: each open pairing gets a free table, is offered there, and takes the result.

A box that accepts an offer writes the pairing's token into the round's record. A finished round with that token becomes
the pairing's result by itself. Any other round of the same two players is only a candidate, about which the organiser
decides.
"""

from __future__ import annotations

import re
import sys
import threading
from typing import TYPE_CHECKING, NamedTuple

from companion.club.database import HallError
from companion.club.messages import Offer
from companion.club.tournament import PairingOutcome, TournamentError
from companion.club.tournament_changes import offer_at, set_outcome
from companion.games.api.result import Result
from companion.languages import text
from companion.rounds import record
from companion.rounds.player_names import normalize_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.club.intake import RoundRow
    from companion.club.tournament import Event, Row
    from companion.club.tournament_store import TournamentStore

_PAIRING = re.compile(r"^pairing:[ \t]*(\w+)n\d+[ \t]*$", re.M)
SEATED, CROSSED = "as paired", "seats changed"
"""How the players of a pairing sat in its round."""


class Candidate(NamedTuple):
    """A round that may be the result of a pairing, about which the organiser decides.

    `reason` says what the round is and why it was not taken. `seating` is `AS_PAIRED` or `SEATS_SWAPPED`, or "" where
    neither of the two was there.
    """

    round: RoundRow
    why: str
    sat: str


def collect_results(tournaments: TournamentStore, event: Event) -> Event:
    """Give open pairings the results that have come, and withdraw those whose round no longer counts.

    This reads the club's rounds, in the caller's transaction. Raises ClubDatabaseError.
    """
    used = {row.source for row in event.rows if row.source is not None}
    since = [row.since for row in event.rows if row.game.open]
    if not used and not since:
        return event
    rounds = tournaments.rounds(min(since, default=sys.maxsize), used)
    came: dict[str, list[RoundRow]] = {}
    for _, each in sorted(rounds.items()):
        came.setdefault(pairing_of(each.record), []).append(each)
    for row in event.rows:
        if row.source is not None:
            event = _check_again(event, row, rounds.get(row.source))
        elif row.game.open:
            new = (each for each in came.get(row.word, ()) if each.n > row.since)
            suiting = ((each, sat) for each in new if (sat := suiting_seats(event, row, each)))
            if found := next(suiting, None):
                event = take_round(event, row, *found)
    return event


def _check_again(event: Event, row: Row, round_: RoundRow | None) -> Event:
    """Withdraw a pairing's result if its round was taken back at its table, or correct it if the round was."""
    if round_ is None:
        return set_outcome(event, row, None, how="taken back")
    sat = seats(event, row, round_.players) or SEATED
    if sat == SEATED and outcome_of(round_.result) is row.game.outcome:
        return event
    return take_round(event, row, round_, sat)


def take_round(event: Event, row: Row, round_: RoundRow, sat: str) -> Event:
    """Make a round the result of a pairing; the player on the first seat counts as the one who started."""
    if sat == CROSSED:
        row = row._replace(game=row.game._replace(first=row.game.second, second=row.game.first))
    how = "turned" if sat == CROSSED else "brought"
    return set_outcome(event, row, outcome_of(round_.result), source=round_.n, how=how, table=round_.name)


def take_chosen_round(event: Event, row: int, round_: RoundRow | None) -> Event:
    """Make a round the result of a pairing because the organiser says so. Raises TournamentError."""
    found = event.row(row)
    sat = seats(event, found, round_.players) if round_ is not None else ""
    if round_ is None or not sat or any(each.source == round_.n for each in event.rows):
        raise TournamentError(text("these two have not played such a round"))
    return take_round(event, found, round_, sat)


def pairing_of(written: str) -> str:
    """The token of the pairing that a record's round was set up for, "" for a round for fun."""
    found = _PAIRING.search(written)
    return found[1] if found else ""


def suiting_seats(event: Event, row: Row, round_: RoundRow) -> str:
    """How the two of a pairing sat in a round of its game with its options.

    "" if the round is another game, has other options, or neither of the two played it.
    """
    if round_.game != event.game:
        return ""
    header = record.check_record(round_.record).header
    if header is None or dict(header.options) != dict(event.options):
        return ""
    return seats(event, row, round_.players)


def seats(event: Event, row: Row, players: Sequence[str]) -> str:
    """How the two of a pairing sat, by the names that they have or had, in capitals or not.

    "" if neither of the two was there.
    """
    if len(players) != 2:
        return ""
    first, second = (_names(event, number) for number in (row.game.first, row.game.second))
    one, other = map(_plain, players)
    straight, crossed = (one in first) + (other in second), (one in second) + (other in first)
    if not straight and not crossed:
        return ""
    return SEATED if straight >= crossed else CROSSED


def _names(event: Event, number: int) -> set[str]:
    player = event.tournament.players[number - 1]
    return {_plain(name) for name in (player.name, *player.earlier)}


def _plain(name: str) -> str:
    return normalize_name(name).casefold()


def outcome_of(result: str) -> PairingOutcome:
    """A round's result as that of a pairing that sat as paired; all who share a win share the point."""
    winners: Sequence[int] = Result.parse(result).winners
    if len(winners) != 1:
        return PairingOutcome.DRAW
    return PairingOutcome.FIRST if winners[0] == 1 else PairingOutcome.SECOND


def candidates(tournaments: TournamentStore, event: Event) -> dict[int, list[Candidate]]:
    """Rounds of a pairing's players, or set up for it, that were not taken by themselves; by the id of the pairing.

    Where a result was entered by hand, only those that came later and differ from it.
    """
    waiting = [row for row in event.rows if row.game.second and row.source is None]
    used = {row.source for row in event.rows}
    rounds = tournaments.rounds(min((row.since for row in waiting), default=sys.maxsize))
    found: dict[int, list[Candidate]] = {}
    for row in waiting:
        for n, each in rounds.items():
            if n > row.since and n not in used and (why := _doubt(event, row, each)):
                found.setdefault(row.id, []).append(Candidate(each, why, seats(event, row, each.players)))
    return found


def _doubt(event: Event, row: Row, round_: RoundRow) -> str:
    """Why a round that may be a pairing's result was not taken; "" for a round that has nothing to do with it."""
    if row.game.outcome is not None and (pairing_of(round_.record) != row.word or _agrees(event, row, round_)):
        return ""
    both = {_plain(each) for each in round_.players} <= _names(event, row.game.first) | _names(event, row.game.second)
    if row.game.outcome is not None:
        said = "{table} has sent {players}, {result}, after a result was entered by hand. The entered result counts."
    elif pairing_of(round_.record) == row.word:
        said = (
            "{table} has sent {players}, {result}. It was set up for this pairing, but with other players, "
            "another game or other options."
        )
    elif both and suiting_seats(event, row, round_):
        said = "{table} has sent {players}, {result}. It was set up by hand at the box, not for this pairing."
    else:
        return ""
    scores = "\u00a0:\u00a0".join(map(str, Result.parse(round_.result).scores))
    return text(said, table=round_.name, players=" – ".join(round_.players), result=scores)


def _agrees(event: Event, row: Row, round_: RoundRow) -> bool:
    """Whether a round has the same result as a pairing, or is not of its two players."""
    sat = seats(event, row, round_.players)
    brought, entered = outcome_of(round_.result), row.game.outcome
    same = entered is not None and entered.played and brought.points[:: -1 if sat == CROSSED else 1] == entered.points
    return not sat or same


def free_places(events: Sequence[Event], places: Sequence[str]) -> list[str]:
    """The tables at which no pairing of these tournaments is open."""
    taken = {row.place for event in events for row in event.rows if row.game.open}
    return [place for place in places if place not in taken]


def fill_tables(events: Sequence[Event], places: Sequence[str]) -> list[Event]:
    """Give pairings that wait for a table one that is free, those of the oldest tournament first."""
    free = iter(free_places(events, places))
    filled = []
    for event in reversed(events):
        changed = event
        for row in event.rows:
            if row.game.open and not row.place and (place := next(free, "")):
                changed = offer_at(changed, row, place)
        filled.append(changed)
    return filled[::-1]


class Desk:
    """Keeps all tournaments of a running club server up to date; any thread may call it.

    Args:
        tournaments: their store.
        connected_tables: returns the names of the tables that are connected, in order.
        publish_offers: sends every table its offer; tables without one are not in the dictionary.
        write_log: called with sentences about faults.
    """

    def __init__(
        self,
        tournaments: TournamentStore,
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
        """Take results, assign tables to pairings, and offer the pairings there.

        This is called for every key press at any table, so the tournaments are read only when the store has changed, or
        other tables are connected.
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
        """What every table is to play, after results were taken and tables assigned. Raises ClubDatabaseError."""
        with self._tournaments.transaction():
            before = self._tournaments.in_use()
            after = fill_tables([collect_results(self._tournaments, event) for event in before], places)
            for old, new in zip(before, after, strict=True):
                self._tournaments.save(old, new)
            seen = self._tournaments.version, places
        self._seen = seen
        return offers(after)


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
