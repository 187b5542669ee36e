"""What the organiser changes in a tournament: its settings, its players, its rounds and their results.

Each function takes a tournament and returns the changed one, or raises TournamentError. Nothing is saved here, so a
change that is refused half-way leaves no trace.
"""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING

from companion.club.next_round import half_bye_games
from companion.club.tie_breaks import TIE_BREAKS
from companion.club.tournament import Pairing, PairingOutcome, PairingRow, Player, TournamentError
from companion.languages import join_texts, plural_text, text
from companion.rounds.player_names import invalid_name_reason, is_valid_name, normalize_name, similar_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.club.next_round import NextRound
    from companion.club.tournament import StoredTournament, Tournament

MAX_PLAYERS, MAX_ROUNDS, MAX_TITLE_LETTERS, MAX_MINUTES = 128, 30, 40, 600
RESULT_NOTES = {
    ("entered", False): "round {round}, {pair}: {result} (entered by hand)",
    ("entered", True): "round {round}, {pair}: {result} (entered by hand; it was {before})",
    ("brought", False): "round {round}, {pair}: {result} (from {table})",
    ("brought", True): "round {round}, {pair}: {result} (from {table}; it was {before})",
    ("turned", False): "round {round}, {pair}: {result} (from {table}, {who} started)",
    ("turned", True): "round {round}, {pair}: {result} (from {table}, {who} started; it was {before})",
    ("opened", True): "round {round}, {pair}: open again (by hand; it was {before})",
    ("taken back", True): "round {round}, {pair}: open again (taken back at the table; it was {before})",
}
"""The sentence for the list of changes about a result: by how it came, and by whether there was one before."""

# -- settings ---------------------------------------------------------------------------------------------------


def check_settings(name: str, rounds: int) -> None:
    """Raise TournamentError unless a tournament can have this name and number of rounds."""
    if not name or len(name) > MAX_TITLE_LETTERS:
        raise TournamentError(text("a tournament's name has 1 to {most} letters", most=MAX_TITLE_LETTERS))
    if not 1 <= rounds <= MAX_ROUNDS:
        raise TournamentError(text("a tournament has 1 to {most} rounds", most=MAX_ROUNDS))


def change_settings(
    event: StoredTournament, name: str, rounds: int, minutes: int, ties: Iterable[str]
) -> StoredTournament:
    """Set name, number of rounds, minutes of a round, and tie-breaks.

    `minutes` is 0 for no limit. `ties` are keys of `TIE_BREAKS` in order; none for the usual ones.
    """
    tournament = event.tournament
    rounds, ties = rounds if tournament.is_swiss else tournament.rounds, tuple(dict.fromkeys(ties))
    check_settings(name, rounds)
    if not set(ties) <= TIE_BREAKS.keys():
        raise TournamentError(text("choose the tie-breaks"))
    if not 0 <= minutes <= MAX_MINUTES:
        raise TournamentError(text("a round has at most {most} minutes", most=MAX_MINUTES))
    if rounds < tournament.round:
        one, more = "{number} round is already paired", "{number} rounds are already paired"
        raise TournamentError(plural_text(tournament.round, one, more))
    changed = event._replace(
        name=name, round_minutes=minutes, tournament=tournament._replace(rounds=rounds, tie_breaks=ties)
    )
    for message, old, new in [
        ("the name is now {after}; it was {before}", event.name, name),
        ("the number of rounds is now {after}; it was {before}", tournament.rounds, rounds),
        (
            "the tie-breaks are now: {after}; they were: {before}",
            _tie_break_names(tournament.tie_breaks),
            _tie_break_names(ties),
        ),
    ]:
        if old != new:
            changed = changed.with_note(text(message, after=new, before=old))
    return changed


def _tie_break_names(ties: Sequence[str]) -> str:
    return join_texts([TIE_BREAKS[tie].name for tie in ties], ", ") if ties else text("the usual ones")


def set_archived(event: StoredTournament, is_archived: bool) -> StoredTournament:
    """Put a tournament away, or bring it back."""
    return event._replace(is_archived=is_archived)


def set_clock_running(event: StoredTournament, starts: bool) -> StoredTournament:
    """Start the clock of the round, or stop it."""
    if starts and not event.round_minutes:
        raise TournamentError(text("first set how many minutes a round has"))
    return event._replace(clock_started_at=time.time() if starts else 0.0)


# -- players ----------------------------------------------------------------------------------------------------


def add_players(event: StoredTournament, names: Iterable[str]) -> StoredTournament:
    """Add the players who are not in yet, behind the others and in their order."""
    tournament = event.tournament
    existing_names = [player.name for player in tournament.players]
    new = [name for name in dict.fromkeys(names) if name not in existing_names]
    for number, name in enumerate(new):
        _check_distinct(name, [*existing_names, *new[:number]])
    if tournament.has_begun and not tournament.is_swiss:
        raise TournamentError(text("nobody can join a round-robin after its first round is paired"))
    if len(existing_names) + len(new) > MAX_PLAYERS:
        raise TournamentError(text("a tournament has at most {most} players", most=MAX_PLAYERS))
    event = event.with_players(
        [*tournament.players, *(Player(n, name) for n, name in enumerate(new, len(existing_names) + 1))]
    )
    for name in new if tournament.has_begun else ():
        event = event.with_note(text("{who} joins after round {round}", who=name, round=tournament.round))
    return event


def _check_distinct(name: str, others: Sequence[str]) -> None:
    if other := similar_name(name, others):
        message = "{one} and {other} differ only in capital letters: change one of them"
        raise TournamentError(text(message, one=other, other=name))


def set_present(event: StoredTournament, number: int, is_present: bool) -> StoredTournament:
    """Set whether a player is present, and so is paired from the next round on."""
    player = event.player(number)
    message = "{who} is here from round {round} on" if is_present else "{who} is away from round {round} on"
    note = text(message, who=player.name, round=event.tournament.round + 1)
    return event.with_player(player._replace(is_present=is_present, takes_half_bye=False)).with_note(note)


def grant_half_bye(event: StoredTournament, number: int) -> StoredTournament:
    """Let a player sit the next round out for half a point."""
    player = event.player(number)
    if not event.tournament.is_swiss:
        raise TournamentError(text("only a Swiss tournament has half-point byes: in a round-robin everybody meets"))
    note = text("{who} sits out round {round} for half a point", who=player.name, round=event.tournament.round + 1)
    return event.with_player(player._replace(is_present=True, takes_half_bye=True)).with_note(note)


def rename_player(event: StoredTournament, number: int, name: str) -> StoredTournament:
    """Give a player another name; rounds that come in with an earlier one are still recognised."""
    player, name = event.player(number), normalize_name(name)
    if not is_valid_name(name):
        raise TournamentError(invalid_name_reason(name))
    others = [each.name for each in event.tournament.players if each.number != number]
    if name in others:
        raise TournamentError(text("there is already a player named {who}", who=name))
    _check_distinct(name, others)
    if name == player.name:
        return event
    renamed = event.with_player(player._replace(name=name, earlier_names=(*player.earlier_names, player.name)))
    # An offer at a table contains the name, so it has to be made again.
    rows = [
        row._replace(offer_count=row.offer_count + (row.game.is_open and number in row.game[2:4])) for row in event.rows
    ]
    return renamed.with_rows(rows).with_note(text("{before} is now {who}", before=player.name, who=name))


def remove_player(event: StoredTournament, number: int) -> StoredTournament:
    """Remove a player who was never paired."""
    player = event.player(number)
    if event.tournament.games_of(number):
        raise TournamentError(text("{who} has already been paired: mark the player as away instead", who=player.name))
    order = [each.number for each in event.tournament.players if each.number != number]
    return _reorder(event, order).with_note(text("{who} was removed", who=player.name))


def move_player(event: StoredTournament, number: int, position: int) -> StoredTournament:
    """Move a player to another position in the list, from 1."""
    event.player(number)
    order = [other for other in _changeable_order(event) if other != number]
    order.insert(max(1, min(position, len(order) + 1)) - 1, number)
    return _reorder(event, order)


def draw_lots(event: StoredTournament) -> StoredTournament:
    """Put the players in a random order."""
    order = _changeable_order(event)
    secrets.SystemRandom().shuffle(order)
    return _reorder(event, order).with_note(text("the order of the players was drawn by lot"))


def _changeable_order(event: StoredTournament) -> list[int]:
    """The numbers of the players of a tournament that has not begun. Raises TournamentError if it has."""
    if event.tournament.has_begun:
        raise TournamentError(text("the order cannot change once a round is paired: take back its pairing first"))
    return [player.number for player in event.tournament.players]


def _reorder(event: StoredTournament, order: Sequence[int]) -> StoredTournament:
    """Number the players anew, in this order of their old numbers; a player who is not in it is removed."""
    new_numbers = {0: 0} | {old: number for number, old in enumerate(order, 1)}
    tournament = event.tournament
    barred = frozenset(
        frozenset(map(new_numbers.__getitem__, pair)) for pair in tournament.barred_pairs if pair <= new_numbers.keys()
    )
    rows = [
        row._replace(game=row.game._replace(first=new_numbers[row.game.first], second=new_numbers[row.game.second]))
        for row in event.rows
    ]
    event = event._replace(tournament=tournament._replace(barred_pairs=barred)).with_rows(rows)
    return event.with_players(tournament.players[old - 1]._replace(number=new_numbers[old]) for old in order)


def bar_pair(event: StoredTournament, numbers: Iterable[int], is_barred: bool) -> StoredTournament:
    """Set whether two players must not meet."""
    one, other = map(event.player, sorted(numbers))
    if one == other:
        raise TournamentError(text("choose two different players"))
    tournament = event.tournament
    if not tournament.is_swiss:
        raise TournamentError(text("in a round-robin everybody meets"))
    pair = {frozenset((one.number, other.number))}
    changed = tournament._replace(
        barred_pairs=tournament.barred_pairs | pair if is_barred else tournament.barred_pairs - pair
    )
    message = "{one} and {other} must not meet" if is_barred else "{one} and {other} may meet"
    return event._replace(tournament=changed).with_note(text(message, one=one.name, other=other.name))


# -- rounds -----------------------------------------------------------------------------------------------------


def check_next_round(tournament: Tournament) -> None:
    """Raise TournamentError if no further round can be paired now."""
    if len(tournament.players) < 2:
        raise TournamentError(text("enter at least two players first"))
    if tournament.finished_round < tournament.round:
        raise TournamentError(text("round {round} is not over", round=tournament.finished_round + 1))
    if tournament.round >= tournament.rounds:
        raise TournamentError(text("all rounds have been played"))


def add_round(
    event: StoredTournament, paired_for: Tournament, paired_round: NextRound, tables: Iterable[str]
) -> StoredTournament:
    """Add a round that was paired for the tournament as it was then, `paired_for`.

    The first boards get the free `tables`. Raises TournamentError if the tournament has changed meanwhile.
    """
    if event.tournament != paired_for:
        raise TournamentError(text("somebody has just changed the tournament: check it, then pair again"))
    changed = _add_pairings(event, paired_round.games, tables).with_note(
        text("round {round} is paired", round=paired_for.round + 1)
    )
    if rematches := _rematch_text(event, paired_round.games):
        changed = changed.with_note(text("no other pairing was possible: {again}", again=rematches))
    if not paired_round.follows_start_rule:
        message = text("some players start more or less often than usual: no other pairing was possible")
        changed = changed.with_note(message)
    return changed


def pair_by_hand(event: StoredTournament, pairs: Sequence[tuple[int, int]], tables: Iterable[str]) -> StoredTournament:
    """Pair a round as the organiser has entered it; the first of each pair starts, and a second 0 is a bye.

    This is the next round, or the newest one once more as long as it has no result.
    """
    if not event.tournament.is_swiss:
        raise TournamentError(
            text("a round-robin cannot be paired by hand: its pairings are fixed, so that everybody meets once")
        )
    if event.tournament.finished_round < event.tournament.round:
        event = unpair_round(event)
    check_next_round(event.tournament)
    _check_pairs(event, pairs)
    number = event.tournament.round + 1
    games = [Pairing(number, board, *pair) for board, pair in enumerate(pairs, 1)]
    rematches = _rematch_text(event, games)
    message = "round {round} is paired by hand: {again}" if rematches else "round {round} is paired by hand"
    changed = _add_pairings(event, [*games, *half_bye_games(event.tournament, number, len(games))], tables)
    return changed.with_note(text(message, round=number, again=rematches))


def _check_pairs(event: StoredTournament, pairs: Sequence[tuple[int, int]]) -> None:
    """Raise TournamentError unless everybody who has to be paired is in exactly one pair."""
    paired_numbers = [number for pair in pairs for number in pair if number]
    expected_numbers = {
        player.number for player in event.tournament.players if player.is_present and not player.takes_half_bye
    }
    for number in paired_numbers:
        if number not in expected_numbers:
            raise TournamentError(text("there is no such player, or the player is away"))
        if paired_numbers.count(number) > 1:
            raise TournamentError(text("{who} is in two pairs", who=event.player_name(number)))
    if missing := sorted(expected_numbers - set(paired_numbers)):
        message = "{who} is not in a pair: choose an opponent or the bye, or mark the player as away"
        raise TournamentError(text(message, who=event.player_name(missing[0])))
    if any(not first for first, _ in pairs):
        raise TournamentError(text("put the player with the bye on the left"))


def _add_pairings(event: StoredTournament, games: Iterable[Pairing], tables: Iterable[str]) -> StoredTournament:
    """Add the pairings of a round; those of two players get these tables, as long as there are any."""
    free_tables = iter(tables)
    rows = [
        PairingRow(id=0, token=secrets.token_hex(5), game=game, table=next(free_tables, "") if game.is_open else "",
                   offer_count=1, counts_after=event.newest_club_round, result_round=None)
        for game in games
    ]  # fmt: skip
    event = event.with_players(player._replace(takes_half_bye=False) for player in event.tournament.players)
    return event._replace(clock_started_at=0.0).with_rows([*event.rows, *rows])


def _rematch_text(event: StoredTournament, games: Iterable[Pairing]) -> str:
    """A text that says who meets again in these pairings, or has a second bye; "" for nobody."""
    former_pairs = {
        frozenset(game[2:4]) for game in event.tournament.games if game.is_played or not (game.second or game.outcome)
    }
    repeated = [game for game in games if frozenset(game[2:4]) in former_pairs and not game.outcome]
    clauses = [text("{pair} meet again", pair=event.names_of_pairing(game)) if game.second
            else text("{who} has a second bye", who=event.player_name(game.first)) for game in repeated]  # fmt: skip
    return join_texts(clauses, ", ")


def unpair_round(event: StoredTournament) -> StoredTournament:
    """Take the newest round back, as long as it has no result."""
    tournament = event.tournament
    games = [game for game in tournament.games if game.round == tournament.round]
    if not games:
        raise TournamentError(text("no round is paired"))
    if any(game.is_played for game in games):
        message = text("round {round} already has a result: correct the results instead", round=tournament.round)
        raise TournamentError(message)
    half_bye_takers = {game.first for game in games if not game.second and game.outcome}
    players = [
        each._replace(takes_half_bye=each.takes_half_bye or each.number in half_bye_takers)
        for each in tournament.players
    ]
    event = event.with_rows(row for row in event.rows if row.game.round != tournament.round).with_players(players)
    return event.with_note(text("the pairing of round {round} was taken back", round=tournament.round))


def enter_outcome(event: StoredTournament, pairing_id: int, outcome: PairingOutcome | None) -> StoredTournament:
    """Enter or correct a result by hand; None opens the pairing again."""
    return set_outcome(event, event.pairing(pairing_id), outcome, origin="entered")


def set_outcome(
    event: StoredTournament,
    row: PairingRow,
    outcome: PairingOutcome | None,
    *,
    origin: str,
    source: int | None = None,
    table: str = "",
) -> StoredTournament:
    """Give a pairing another result, and note that in the list of changes.

    `origin` is "entered", "brought" by a round of a table, "turned" if its players had swapped seats, or "taken back".
    """
    old_outcome = row.game.outcome
    # A result that was entered by hand stays, whatever a table sends later, until the pairing is opened again.
    counts_after = row.counts_after if source is not None else event.newest_club_round
    offer, game = row.offer_count + (outcome is None), row.game._replace(outcome=outcome)
    changed = event.with_row(row._replace(game=game, result_round=source, counts_after=counts_after, offer_count=offer))
    if outcome is old_outcome:
        return changed
    message = RESULT_NOTES["opened" if origin == "entered" and outcome is None else origin, old_outcome is not None]
    return changed.with_note(text(
        message, round=game.round, pair=event.names_of_pairing(game), result=outcome.value if outcome else "",
        before=old_outcome.value if old_outcome else "", table=table, who=event.player_name(game.first),
    ))  # fmt: skip


def move_pairing(event: StoredTournament, pairing_id: int, table: str) -> StoredTournament:
    """Move a pairing to another table, or offer it to its table once more; "" for no table yet."""
    pairing = event.pairing(pairing_id)
    if not pairing.game.is_open:
        raise TournamentError(text("there is no such open pairing"))
    return assign_table(event, pairing, table)


def assign_table(event: StoredTournament, row: PairingRow, table: str) -> StoredTournament:
    """Offer a pairing at `table`; with "" the offer is withdrawn."""
    return event.with_row(row._replace(table=table, offer_count=row.offer_count + 1))
