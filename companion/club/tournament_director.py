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

from companion.club.club_database import ClubDatabaseError
from companion.club.mqtt_messages import OfferMessage
from companion.club.tournament import PairingOutcome, TournamentError
from companion.club.tournament_changes import assign_table, set_outcome
from companion.games.api.result import Result
from companion.languages import text
from companion.rounds import record
from companion.rounds.player_names import normalize_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.club.club_store import RoundRow
    from companion.club.tournament import PairingRow, StoredTournament
    from companion.club.tournament_store import TournamentStore

_PAIRING_LINE = re.compile(r"^pairing:[ \t]*(\w+)n\d+[ \t]*$", re.M)
AS_PAIRED, SEATS_SWAPPED = "as paired", "seats changed"
"""How the players of a pairing sat in its round."""


class Candidate(NamedTuple):
    """A round that may be the result of a pairing, about which the organiser decides.

    `reason` says what the round is and why it was not taken. `seating` is `AS_PAIRED` or `SEATS_SWAPPED`, or "" where
    neither of the two was there.
    """

    round: RoundRow
    reason: str
    seating: str


def collect_results(tournaments: TournamentStore, event: StoredTournament) -> StoredTournament:
    """Give open pairings the results that have come, and withdraw those whose round no longer counts.

    This reads the club's rounds, in the caller's transaction. Raises ClubDatabaseError.
    """
    result_rounds = {row.result_round for row in event.rows if row.result_round is not None}
    open_since = [row.counts_after for row in event.rows if row.game.is_open]
    if not result_rounds and not open_since:
        return event
    rounds = tournaments.counted_rounds(min(open_since, default=sys.maxsize), result_rounds)
    rounds_by_pairing: dict[str, list[RoundRow]] = {}
    for _, each in sorted(rounds.items()):
        rounds_by_pairing.setdefault(pairing_token(each.record), []).append(each)
    for row in event.rows:
        if row.result_round is not None:
            event = _recheck_result(event, row, rounds.get(row.result_round))
        elif row.game.is_open:
            new_rounds = (each for each in rounds_by_pairing.get(row.token, ()) if each.arrival > row.counts_after)
            matching = ((each, sat) for each in new_rounds if (sat := seating_if_matching(event, row, each)))
            if match := next(matching, None):
                event = set_result_from_round(event, row, *match)
    return event


def _recheck_result(event: StoredTournament, row: PairingRow, round_: RoundRow | None) -> StoredTournament:
    """Withdraw a pairing's result if its round was taken back at its table, or correct it if the round was."""
    if round_ is None:
        return set_outcome(event, row, None, origin="taken back")
    seating = seating_in_round(event, row, round_.players) or AS_PAIRED
    if seating == AS_PAIRED and pairing_outcome(round_.result) is row.game.outcome:
        return event
    return set_result_from_round(event, row, round_, seating)


def set_result_from_round(event: StoredTournament, row: PairingRow, round_: RoundRow, seating: str) -> StoredTournament:
    """Make a round the result of a pairing; the player on the first seat counts as the one who started."""
    if seating == SEATS_SWAPPED:
        row = row._replace(game=row.game._replace(first=row.game.second, second=row.game.first))
    origin = "turned" if seating == SEATS_SWAPPED else "brought"
    return set_outcome(
        event, row, pairing_outcome(round_.result), source=round_.arrival, origin=origin, table=round_.table
    )


def set_chosen_round(event: StoredTournament, pairing_id: int, round_: RoundRow | None) -> StoredTournament:
    """Make a round the result of a pairing because the organiser says so. Raises TournamentError."""
    pairing = event.pairing(pairing_id)
    seating = seating_in_round(event, pairing, round_.players) if round_ is not None else ""
    if round_ is None or not seating or any(each.result_round == round_.arrival for each in event.rows):
        raise TournamentError(text("these two have not played such a round"))
    return set_result_from_round(event, pairing, round_, seating)


def pairing_token(record_text: str) -> str:
    """The token of the pairing that a record's round was set up for, "" for a round for fun."""
    match = _PAIRING_LINE.search(record_text)
    return match[1] if match else ""


def seating_if_matching(event: StoredTournament, row: PairingRow, round_: RoundRow) -> str:
    """How the two of a pairing sat in a round of its game with its options.

    "" if the round is another game, has other options, or neither of the two played it.
    """
    if round_.game != event.game:
        return ""
    header = record.check_record(round_.record).header
    if header is None or dict(header.options) != dict(event.options):
        return ""
    return seating_in_round(event, row, round_.players)


def seating_in_round(event: StoredTournament, row: PairingRow, players: Sequence[str]) -> str:
    """How the two of a pairing sat, by the names that they have or had, in capitals or not.

    "" if neither of the two was there.
    """
    if len(players) != 2:
        return ""
    first, second = (_names_of_player(event, number) for number in (row.game.first, row.game.second))
    one, other = map(_folded_name, players)
    as_paired, swapped = (one in first) + (other in second), (one in second) + (other in first)
    if not as_paired and not swapped:
        return ""
    return AS_PAIRED if as_paired >= swapped else SEATS_SWAPPED


def _names_of_player(event: StoredTournament, number: int) -> set[str]:
    player = event.tournament.players[number - 1]
    return {_folded_name(name) for name in (player.name, *player.earlier_names)}


def _folded_name(name: str) -> str:
    return normalize_name(name).casefold()


def pairing_outcome(result: str) -> PairingOutcome:
    """A round's result as that of a pairing that sat as paired; all who share a win share the point."""
    winners: Sequence[int] = Result.parse(result).winners
    if len(winners) != 1:
        return PairingOutcome.DRAW
    return PairingOutcome.FIRST if winners[0] == 1 else PairingOutcome.SECOND


def result_candidates(tournaments: TournamentStore, event: StoredTournament) -> dict[int, list[Candidate]]:
    """Rounds of a pairing's players, or set up for it, that were not taken by themselves; by the id of the pairing.

    Where a result was entered by hand, only those that came later and differ from it.
    """
    open_rows = [row for row in event.rows if row.game.second and row.result_round is None]
    result_rounds = {row.result_round for row in event.rows}
    rounds = tournaments.counted_rounds(min((row.counts_after for row in open_rows), default=sys.maxsize))
    candidates_by_row: dict[int, list[Candidate]] = {}
    for row in open_rows:
        for n, each in rounds.items():
            if n > row.counts_after and n not in result_rounds and (why := _candidate_reason(event, row, each)):
                candidates_by_row.setdefault(row.id, []).append(
                    Candidate(each, why, seating_in_round(event, row, each.players))
                )
    return candidates_by_row


def _candidate_reason(event: StoredTournament, row: PairingRow, round_: RoundRow) -> str:
    """Why a round that may be a pairing's result was not taken; "" for a round that has nothing to do with it."""
    if row.game.outcome is not None and (
        pairing_token(round_.record) != row.token or _agrees_with_result(event, row, round_)
    ):
        return ""
    pair_names = _names_of_player(event, row.game.first) | _names_of_player(event, row.game.second)
    has_both_players = {_folded_name(each) for each in round_.players} <= pair_names
    if row.game.outcome is not None:
        message = "{table} has sent {players}, {result}, after a result was entered by hand. The entered result counts."
    elif pairing_token(round_.record) == row.token:
        message = (
            "{table} has sent {players}, {result}. It was set up for this pairing, but with other players, "
            "another game or other options."
        )
    elif has_both_players and seating_if_matching(event, row, round_):
        message = "{table} has sent {players}, {result}. It was set up by hand at the box, not for this pairing."
    else:
        return ""
    scores = "\u00a0:\u00a0".join(map(str, Result.parse(round_.result).scores))
    return text(message, table=round_.table, players=" – ".join(round_.players), result=scores)


def _agrees_with_result(event: StoredTournament, row: PairingRow, round_: RoundRow) -> bool:
    """Whether a round has the same result as a pairing, or is not of its two players."""
    seating = seating_in_round(event, row, round_.players)
    round_outcome, entered_outcome = pairing_outcome(round_.result), row.game.outcome
    has_same_points = (
        entered_outcome is not None
        and entered_outcome.is_played
        and round_outcome.points[:: -1 if seating == SEATS_SWAPPED else 1] == entered_outcome.points
    )
    return not seating or has_same_points


def free_tables(events: Sequence[StoredTournament], tables: Sequence[str]) -> list[str]:
    """The tables at which no pairing of these tournaments is open."""
    used_tables = {row.table for event in events for row in event.rows if row.game.is_open}
    return [table for table in tables if table not in used_tables]


def assign_tables(events: Sequence[StoredTournament], tables: Sequence[str]) -> list[StoredTournament]:
    """Give pairings that wait for a table one that is free, those of the oldest tournament first."""
    free = iter(free_tables(events, tables))
    assigned = []
    for event in reversed(events):
        changed = event
        for row in event.rows:
            if row.game.is_open and not row.table and (table := next(free, "")):
                changed = assign_table(changed, row, table)
        assigned.append(changed)
    return assigned[::-1]


class TournamentDirector:
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
        connected_tables: Callable[[], Sequence[str]],
        publish_offers: Callable[[dict[str, OfferMessage]], object] = lambda offers: None,
        write_log: Callable[[str], object] = lambda sentence: None,
    ) -> None:
        self._tournaments = tournaments
        self._connected_tables = connected_tables
        self._publish_offers = publish_offers
        self._write_log = write_log
        self._lock = threading.Lock()
        self._arranged_version: object = None
        self._offers: dict[str, OfferMessage] = {}

    def take_results_and_offer_pairings(self) -> None:
        """Take results, assign tables to pairings, and offer the pairings there.

        This is called for every key press at any table, so the tournaments are read only when the store has changed, or
        other tables are connected.
        """
        with self._lock:
            try:
                tables = self._connected_tables()
                if self._arranged_version != (self._tournaments.change_version, tables):
                    self._offers = self._arrange(tables)
                self._publish_offers(self._offers)
            except ClubDatabaseError as error:
                self._write_log(str(error))

    def _arrange(self, tables: Sequence[str]) -> dict[str, OfferMessage]:
        """What every table is to play, after results were taken and tables assigned. Raises ClubDatabaseError."""
        with self._tournaments.transaction():
            events_before = self._tournaments.active_events()
            events_after = assign_tables([collect_results(self._tournaments, event) for event in events_before], tables)
            for old, new in zip(events_before, events_after, strict=True):
                self._tournaments.save_event(old, new)
            arranged_version = self._tournaments.change_version, tables
        self._arranged_version = arranged_version
        return offers_by_table(events_after)


def offers_by_table(events: Sequence[StoredTournament]) -> dict[str, OfferMessage]:
    """What each table is to play next: its open pairing with the lowest board, of the oldest tournament."""
    offers_found: dict[str, OfferMessage] = {}
    for event in reversed(events):
        for row in event.rows:
            if row.game.is_open and row.table:
                names = (event.player_name(row.game.first), event.player_name(row.game.second))
                offer = OfferMessage(
                    f"{row.token}n{row.offer_count}", event.name, row.game.round, event.game, event.options, names
                )
                offers_found.setdefault(row.table, offer)
    return offers_found
