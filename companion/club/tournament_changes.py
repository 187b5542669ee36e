"""What the organiser changes in a tournament: its settings, its players, its rounds and their results.

Each function takes a tournament and returns the changed one, or raises TournamentError. Nothing is saved here, so a
change that is refused half-way leaves no trace.
"""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING

from companion.club.next_round import half_byes
from companion.club.tie_breaks import TIES
from companion.club.tournament import Game, PairingOutcome, Player, Row, TournamentError
from companion.languages import plural_text, join_texts, text
from companion.rounds.player_names import similar_name, is_valid_name, normalize_name, invalid_name_reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.club.next_round import NextRound
    from companion.club.tournament import Event, Tournament

MOST_PLAYERS, MOST_ROUNDS, LONGEST_TITLE, MOST_MINUTES = 128, 30, 40, 600
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
    if not name or len(name) > LONGEST_TITLE:
        raise TournamentError(text("a tournament's name has 1 to {most} letters", most=LONGEST_TITLE))
    if not 1 <= rounds <= MOST_ROUNDS:
        raise TournamentError(text("a tournament has 1 to {most} rounds", most=MOST_ROUNDS))


def change_settings(event: Event, name: str, rounds: int, minutes: int, ties: Iterable[str]) -> Event:
    """Set name, number of rounds, minutes of a round, and tie-breaks.

    `minutes` is 0 for no limit. `ties` are keys of `TIE_BREAKS` in order; none for the usual ones.
    """
    before = event.tournament
    rounds, ties = rounds if before.swiss else before.rounds, tuple(dict.fromkeys(ties))
    check_settings(name, rounds)
    if not set(ties) <= TIES.keys():
        raise TournamentError(text("choose the tie-breaks"))
    if not 0 <= minutes <= MOST_MINUTES:
        raise TournamentError(text("a round has at most {most} minutes", most=MOST_MINUTES))
    if rounds < before.round:
        one, more = "{number} round is already paired", "{number} rounds are already paired"
        raise TournamentError(plural_text(before.round, one, more))
    changed = event._replace(name=name, minutes=minutes, tournament=before._replace(rounds=rounds, ties=ties))
    for said, old, new in [
        ("the name is now {after}; it was {before}", event.name, name),
        ("the number of rounds is now {after}; it was {before}", before.rounds, rounds),
        ("the tie-breaks are now: {after}; they were: {before}", _named(before.ties), _named(ties)),
    ]:
        if old != new:
            changed = changed.with_note(text(said, after=new, before=old))
    return changed


def _named(ties: Sequence[str]) -> str:
    return join_texts([TIES[tie].name for tie in ties], ", ") if ties else text("the usual ones")


def archive(event: Event, archived: bool) -> Event:
    """Put a tournament away, or bring it back."""
    return event._replace(archived=archived)


def set_clock(event: Event, running: bool) -> Event:
    """Start the clock of the round, or stop it."""
    if running and not event.minutes:
        raise TournamentError(text("first set how many minutes a round has"))
    return event._replace(clock=time.time() if running else 0.0)


# -- players ----------------------------------------------------------------------------------------------------


def add_players(event: Event, names: Iterable[str]) -> Event:
    """Add the players who are not in yet, behind the others and in their order."""
    tournament = event.tournament
    known = [player.name for player in tournament.players]
    new = [name for name in dict.fromkeys(names) if name not in known]
    for number, name in enumerate(new):
        _check_apart(name, [*known, *new[:number]])
    if tournament.begun and not tournament.swiss:
        raise TournamentError(text("nobody can join a round-robin after its first round is paired"))
    if len(known) + len(new) > MOST_PLAYERS:
        raise TournamentError(text("a tournament has at most {most} players", most=MOST_PLAYERS))
    event = event.with_players([*tournament.players, *(Player(n, name) for n, name in enumerate(new, len(known) + 1))])
    for name in new if tournament.begun else ():
        event = event.with_note(text("{who} joins after round {round}", who=name, round=tournament.round))
    return event


def _check_apart(name: str, others: Sequence[str]) -> None:
    if other := similar_name(name, others):
        said = "{one} and {other} differ only in capital letters: change one of them"
        raise TournamentError(text(said, one=other, other=name))


def set_here(event: Event, number: int, here: bool) -> Event:
    """Set whether a player is present, and so is paired from the next round on."""
    player = event.player(number)
    said = "{who} is here from round {round} on" if here else "{who} is away from round {round} on"
    note = text(said, who=player.name, round=event.tournament.round + 1)
    return event.with_player(player._replace(here=here, half_bye=False)).with_note(note)


def set_half_bye(event: Event, number: int) -> Event:
    """Let a player sit the next round out for half a point."""
    player = event.player(number)
    if not event.tournament.swiss:
        raise TournamentError(text("only a Swiss tournament has half-point byes: in a round-robin everybody meets"))
    said = text("{who} sits out round {round} for half a point", who=player.name, round=event.tournament.round + 1)
    return event.with_player(player._replace(here=True, half_bye=True)).with_note(said)


def rename_player(event: Event, number: int, name: str) -> Event:
    """Give a player another name; rounds that come in with an earlier one are still recognised."""
    player, name = event.player(number), normalize_name(name)
    if not is_valid_name(name):
        raise TournamentError(invalid_name_reason(name))
    others = [each.name for each in event.tournament.players if each.number != number]
    if name in others:
        raise TournamentError(text("there is already a player named {who}", who=name))
    _check_apart(name, others)
    if name == player.name:
        return event
    renamed = event.with_player(player._replace(name=name, earlier=(*player.earlier, player.name)))
    # An offer at a table contains the name, so it has to be made again.
    rows = [row._replace(offer=row.offer + (row.game.open and number in row.game[2:4])) for row in event.rows]
    return renamed.with_rows(rows).with_note(text("{before} is now {who}", before=player.name, who=name))


def remove_player(event: Event, number: int) -> Event:
    """Remove a player who was never paired."""
    player = event.player(number)
    if event.tournament.games_of(number):
        raise TournamentError(text("{who} has already been paired: mark the player as away instead", who=player.name))
    order = [each.number for each in event.tournament.players if each.number != number]
    return _reorder(event, order).with_note(text("{who} was removed", who=player.name))


def place_player(event: Event, number: int, to: int) -> Event:
    """Move a player to another position in the list, from 1."""
    event.player(number)
    order = [other for other in _changeable_order(event) if other != number]
    order.insert(max(1, min(to, len(order) + 1)) - 1, number)
    return _reorder(event, order)


def draw_lots(event: Event) -> Event:
    """Put the players in a random order."""
    order = _changeable_order(event)
    secrets.SystemRandom().shuffle(order)
    return _reorder(event, order).with_note(text("the order of the players was drawn by lot"))


def _changeable_order(event: Event) -> list[int]:
    """The numbers of the players of a tournament that has not begun. Raises TournamentError if it has."""
    if event.tournament.begun:
        raise TournamentError(text("the order cannot change once a round is paired: take back its pairing first"))
    return [player.number for player in event.tournament.players]


def _reorder(event: Event, order: Sequence[int]) -> Event:
    """Number the players anew, in this order of their old numbers; a player who is not in it is removed."""
    new = {0: 0} | {old: number for number, old in enumerate(order, 1)}
    tournament = event.tournament
    barred = frozenset(frozenset(map(new.__getitem__, pair)) for pair in tournament.barred if pair <= new.keys())
    rows = [
        row._replace(game=row.game._replace(first=new[row.game.first], second=new[row.game.second]))
        for row in event.rows
    ]
    event = event._replace(tournament=tournament._replace(barred=barred)).with_rows(rows)
    return event.with_players(tournament.players[old - 1]._replace(number=new[old]) for old in order)


def bar_pair(event: Event, numbers: Iterable[int], barred: bool) -> Event:
    """Set whether two players must not meet."""
    one, other = map(event.player, sorted(numbers))
    if one == other:
        raise TournamentError(text("choose two different players"))
    tournament = event.tournament
    if not tournament.swiss:
        raise TournamentError(text("in a round-robin everybody meets"))
    pair = {frozenset((one.number, other.number))}
    changed = tournament._replace(barred=tournament.barred | pair if barred else tournament.barred - pair)
    said = "{one} and {other} must not meet" if barred else "{one} and {other} may meet"
    return event._replace(tournament=changed).with_note(text(said, one=one.name, other=other.name))


# -- rounds -----------------------------------------------------------------------------------------------------


def check_next_round(tournament: Tournament) -> None:
    """Raise TournamentError if no further round can be paired now."""
    if len(tournament.players) < 2:
        raise TournamentError(text("enter at least two players first"))
    if tournament.over < tournament.round:
        raise TournamentError(text("round {round} is not over", round=tournament.over + 1))
    if tournament.round >= tournament.rounds:
        raise TournamentError(text("all rounds have been played"))


def add_round(event: Event, paired_for: Tournament, made: NextRound, places: Iterable[str]) -> Event:
    """Add a round that was paired for the tournament as it was then, `paired_for`.

    The first boards get the free `tables`. Raises TournamentError if the tournament has changed meanwhile.
    """
    if event.tournament != paired_for:
        raise TournamentError(text("somebody has just changed the tournament: check it, then pair again"))
    begun = _begin(event, made.games, places).with_note(text("round {round} is paired", round=paired_for.round + 1))
    if again := _again(event, made.games):
        begun = begun.with_note(text("no other pairing was possible: {again}", again=again))
    if not made.starts_kept:
        said = text("some players start more or less often than usual: no other pairing was possible")
        begun = begun.with_note(said)
    return begun


def pair_by_hand(event: Event, pairs: Sequence[tuple[int, int]], places: Iterable[str]) -> Event:
    """Pair a round as the organiser has entered it; the first of each pair starts, and a second 0 is a bye.

    This is the next round, or the newest one once more as long as it has no result.
    """
    if not event.tournament.swiss:
        raise TournamentError(
            text("a round-robin cannot be paired by hand: its pairings are fixed, so that everybody meets once")
        )
    if event.tournament.over < event.tournament.round:
        event = unpair_round(event)
    check_next_round(event.tournament)
    _check_pairs(event, pairs)
    number = event.tournament.round + 1
    games = [Game(number, board, *pair) for board, pair in enumerate(pairs, 1)]
    again = _again(event, games)
    said = "round {round} is paired by hand: {again}" if again else "round {round} is paired by hand"
    begun = _begin(event, [*games, *half_byes(event.tournament, number, len(games))], places)
    return begun.with_note(text(said, round=number, again=again))


def _check_pairs(event: Event, pairs: Sequence[tuple[int, int]]) -> None:
    """Raise TournamentError unless everybody who has to be paired is in exactly one pair."""
    seated = [number for pair in pairs for number in pair if number]
    due = {player.number for player in event.tournament.players if player.here and not player.half_bye}
    for number in seated:
        if number not in due:
            raise TournamentError(text("there is no such player, or the player is away"))
        if seated.count(number) > 1:
            raise TournamentError(text("{who} is in two pairs", who=event.name_of(number)))
    if missing := sorted(due - set(seated)):
        said = "{who} is not in a pair: choose an opponent or the bye, or mark the player as away"
        raise TournamentError(text(said, who=event.name_of(missing[0])))
    if any(not first for first, _ in pairs):
        raise TournamentError(text("put the player with the bye on the left"))


def _begin(event: Event, games: Iterable[Game], places: Iterable[str]) -> Event:
    """Add the pairings of a round; those of two players get these tables, as long as there are any."""
    free = iter(places)
    rows = [
        Row(0, secrets.token_hex(5), game, next(free, "") if game.open else "", 1, event.newest, None) for game in games
    ]
    event = event.with_players(player._replace(half_bye=False) for player in event.tournament.players)
    return event._replace(clock=0.0).with_rows([*event.rows, *rows])


def _again(event: Event, games: Iterable[Game]) -> str:
    """A text that says who meets again in these games, or has a second bye; "" for nobody."""
    before = {
        frozenset(game[2:4]) for game in event.tournament.games if game.played or not (game.second or game.outcome)
    }
    repeated = [game for game in games if frozenset(game[2:4]) in before and not game.outcome]
    said = [text("{pair} meet again", pair=event.pair(game)) if game.second
            else text("{who} has a second bye", who=event.name_of(game.first)) for game in repeated]  # fmt: skip
    return join_texts(said, ", ")


def unpair_round(event: Event) -> Event:
    """Take the newest round back, as long as it has no result."""
    tournament = event.tournament
    games = [game for game in tournament.games if game.round == tournament.round]
    if not games:
        raise TournamentError(text("no round is paired"))
    if any(game.played for game in games):
        said = text("round {round} already has a result: correct the results instead", round=tournament.round)
        raise TournamentError(said)
    half_byes_ = {game.first for game in games if not game.second and game.outcome}
    players = [each._replace(half_bye=each.half_bye or each.number in half_byes_) for each in tournament.players]
    event = event.with_rows(row for row in event.rows if row.game.round != tournament.round).with_players(players)
    return event.with_note(text("the pairing of round {round} was taken back", round=tournament.round))


def enter_outcome(event: Event, row: int, outcome: PairingOutcome | None) -> Event:
    """Enter or correct a result by hand; None opens the pairing again."""
    return set_outcome(event, event.row(row), outcome, how="entered")


def set_outcome(
    event: Event, row: Row, outcome: PairingOutcome | None, *, how: str, source: int | None = None, table: str = ""
) -> Event:
    """Give a pairing another result, and note that in the list of changes.

    `origin` is "entered", "brought" by a round of a table, "turned" if its players had swapped seats, or "taken back".
    """
    before = row.game.outcome
    # A result that was entered by hand stays, whatever a table sends later, until the pairing is opened again.
    since = row.since if source is not None else event.newest
    offer, game = row.offer + (outcome is None), row.game._replace(outcome=outcome)
    changed = event.with_row(row._replace(game=game, source=source, since=since, offer=offer))
    if outcome is before:
        return changed
    said = RESULT_NOTES["opened" if how == "entered" and outcome is None else how, before is not None]
    return changed.with_note(text(
        said, round=game.round, pair=event.pair(game), result=outcome.value if outcome else "",
        before=before.value if before else "", table=table, who=event.name_of(game.first),
    ))  # fmt: skip


def move_pairing(event: Event, row: int, place: str) -> Event:
    """Move a pairing to another table, or offer it to its table once more; "" for no table yet."""
    found = event.row(row)
    if not found.game.open:
        raise TournamentError(text("there is no such open pairing"))
    return offer_at(event, found, place)


def offer_at(event: Event, row: Row, place: str) -> Event:
    """Offer a pairing at a table, or ("") at none yet."""
    return event.with_row(row._replace(place=place, offer=row.offer + 1))
