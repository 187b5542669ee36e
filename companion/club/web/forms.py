"""What the organiser sends: the password, and the forms of tournaments with what each of their buttons changes.

A browser in which somebody has entered the organiser's password may change tournaments. The password is in the club
server's data folder.
"""

from __future__ import annotations

import hmac
import time
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from starlette.datastructures import FormData

from companion import games
from companion.club import tournament_changes as changes
from companion.club.tournament import PairingOutcome, TournamentError
from companion.club.tournament_director import free_tables, set_chosen_round
from companion.club.web.player_lists import parse_players
from companion.languages import text
from companion.web.site import RateLimit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.requests import Request
    from starlette.responses import Response

    from companion.club.tournament import StoredTournament
    from companion.club.tournament_store import TournamentStore

ORGANISER_COOKIE = "companion-organiser"
COOKIE_SECONDS = 30 * 24 * 3600
"""How long a browser stays the organiser's."""
MAX_WRONG_PASSWORDS, WRONG_PASSWORD_SECONDS = 5, 60.0
"""Wrong passwords of one address that are answered in the usual way, and the seconds after which one more is."""
MAX_UPLOAD_BYTES = 4 * 2**20
"""The largest body of a request with a list of players, in bytes.

A file may have 1 MiB, and as the text of a form it is up to twice that."""
NO_TABLE = "-"
"""The value of a form for "no table yet"."""
EMPTY_FORM = FormData()


class OrganiserLogin:
    """Lets the organiser's browsers in, by a cookie that is derived from the password."""

    def __init__(self, secret: str) -> None:
        self._secret = secret
        # Derived from the password, so that old cookies are worthless once a new password was made.
        self._cookie = hmac.digest(secret.encode(), b"organiser's browser", "sha256").hex()
        self._wrong_passwords = RateLimit(1 / WRONG_PASSWORD_SECONDS, MAX_WRONG_PASSWORDS)

    def is_organiser(self, request: Request) -> bool:
        """Whether a request comes from a browser that was let in."""
        return hmac.compare_digest(request.cookies.get(ORGANISER_COOKIE, "").encode(), self._cookie.encode())

    def password_refusal(self, password: str, address: str) -> tuple[str, int]:
        """Why a password from an address does not let anybody in, and the response's status; "" where it does.

        The right password is always accepted, so nobody can lock the organiser out with wrong ones. Ten letters of 31
        are more than anybody can try.
        """
        if hmac.compare_digest(password.strip().lower().encode(), self._secret.encode()):
            self._wrong_passwords.buckets.pop(address, None)
            return "", 200
        if not self._wrong_passwords.allows(address, time.monotonic()):
            return text(
                "Too many wrong tries: on the club server's computer, “companion hall password” shows the right one."
            ), 429
        return text(
            "That is not the organiser's password. On the club server's computer, “companion hall password” shows it."
        ), 403

    def set_cookie(self, response: Response) -> None:
        """Let a browser in from now on."""
        response.set_cookie(ORGANISER_COOKIE, self._cookie, httponly=True, samesite="strict", max_age=COOKIE_SECONDS)


class GameChoice(NamedTuple):
    """A game with its options: as the form sends it, and in words."""

    game: str
    options: dict[str, str]
    form_value: str
    title: str


def tournament_game_choices() -> list[GameChoice]:
    """Each installed game that two can play and that leaves a record, with each choice of its options."""
    choices_found = []
    for game in (each for each in games.all_manifests() if each.has_records and 2 in each.players):
        for chosen in product(*game.option_values.values()):
            options = dict(zip(game.option_values, chosen, strict=True))
            form_value = " ".join((game.id, *(f"{name}={value}" for name, value in options.items())))
            choices_found.append(GameChoice(game.id, options, form_value, games.game_title(game.id, options.items())))
    return choices_found


class ChangeForm(NamedTuple):
    """A form that was sent for a tournament; `tables` are the names of the connected tables, in order."""

    tournaments: TournamentStore
    form: FormData
    tables: Sequence[str]

    @property
    def player_number(self) -> int:
        """The number of the player who is changed."""
        return form_number(self.form, "player")

    @property
    def pairing_id(self) -> int:
        """The id of the pairing that is changed."""
        return form_number(self.form, "row")

    @property
    def pair(self) -> tuple[int, int]:
        """The numbers of the two players whose pair is barred or allowed."""
        return form_number(self.form, "one"), form_number(self.form, "other")


def apply_form(event: StoredTournament, change_form: ChangeForm) -> StoredTournament:
    """Change a tournament as a form says. Raises TournamentError, ClubDatabaseError."""
    apply_change = _CHANGES.get(form_field(change_form.form, "what"))
    if apply_change is None:
        raise TournamentError(text("this is not possible here"))
    return apply_change(event, change_form)


def _add_players(event: StoredTournament, change_form: ChangeForm) -> StoredTournament:
    names = _names_in_form(change_form.form, [player.name for player in event.tournament.players])
    if not names:
        raise TournamentError(text("there are no players in this list"))
    return changes.add_players(event, names)


def _names_in_form(form: FormData, existing_names: Sequence[str] = ()) -> list[str]:
    return parse_players(
        str(form.get("names", "")), form_field(form, "commas"), form_field(form, "seen"), existing_names
    )


def _pair_by_hand(event: StoredTournament, change_form: ChangeForm) -> StoredTournament:
    free = free_tables(change_form.tournaments.active_events(), change_form.tables)
    return changes.pair_by_hand(event, [pair for pair in pairs_in_form(change_form.form) if any(pair)], free)


def _enter_outcome(event: StoredTournament, change_form: ChangeForm) -> StoredTournament:
    outcome = form_field(change_form.form, "outcome")
    if outcome not in {"", *(each.value for each in PairingOutcome)}:
        raise TournamentError(text("choose a result"))
    return changes.enter_outcome(event, change_form.pairing_id, PairingOutcome(outcome) if outcome else None)


def _set_chosen_round(event: StoredTournament, change_form: ChangeForm) -> StoredTournament:
    arrival = form_number(change_form.form, "round")
    return set_chosen_round(
        event, change_form.pairing_id, change_form.tournaments.counted_rounds(arrival - 1).get(arrival)
    )


def _move_pairing(event: StoredTournament, change_form: ChangeForm) -> StoredTournament:
    table = form_field(change_form.form, "place")
    if table != NO_TABLE and table not in change_form.tables:
        raise TournamentError(text("choose a table"))
    return changes.move_pairing(event, change_form.pairing_id, "" if table == NO_TABLE else table)


def _change_settings(event: StoredTournament, change_form: ChangeForm) -> StoredTournament:
    ties = [str(each) for each in change_form.form.getlist("tie") if each]
    rounds, minutes = form_number(change_form.form, "rounds"), form_number(change_form.form, "minutes")
    return changes.change_settings(event, form_field(change_form.form, "name"), rounds, minutes, ties)


_CHANGES: dict[str, Callable[[StoredTournament, ChangeForm], StoredTournament]] = {
    "players": _add_players,
    "here": lambda event, sent: changes.set_present(event, sent.player_number, True),
    "away": lambda event, sent: changes.set_present(event, sent.player_number, False),
    "half-bye": lambda event, sent: changes.grant_half_bye(event, sent.player_number),
    "rename": lambda event, sent: changes.rename_player(event, sent.player_number, form_field(sent.form, "name")),
    "remove": lambda event, sent: changes.remove_player(event, sent.player_number),
    "place": lambda event, sent: changes.move_player(event, sent.player_number, form_number(sent.form, "to")),
    "lots": lambda event, sent: changes.draw_lots(event),
    "bar": lambda event, sent: changes.bar_pair(event, sent.pair, True),
    "unbar": lambda event, sent: changes.bar_pair(event, sent.pair, False),
    "hand": _pair_by_hand,
    "unpair": lambda event, sent: changes.unpair_round(event),
    "result": _enter_outcome,
    "take": _set_chosen_round,
    "move": _move_pairing,
    "start-clock": lambda event, sent: changes.set_clock_running(event, True),
    "stop-clock": lambda event, sent: changes.set_clock_running(event, False),
    "settings": _change_settings,
    "put-away": lambda event, sent: changes.set_archived(event, True),
    "bring-back": lambda event, sent: changes.set_archived(event, False),
}


def create_tournament(tournaments: TournamentStore, form: FormData) -> int:
    """Create a tournament with its players, if some were entered. Returns its number.

    Raises TournamentError, ClubDatabaseError.
    """
    chosen = next((each for each in tournament_game_choices() if each.form_value == form.get("game")), None)
    if chosen is None:
        raise TournamentError(text("Choose a game."))
    names = _names_in_form(form)
    swiss = form_field(form, "system") != "round-robin"
    rounds = form_number(form, "rounds") if swiss else 1
    if not rounds:
        raise TournamentError(text("enter the number of rounds: 1 to {most}", most=changes.MAX_ROUNDS))
    changes.check_settings(form_field(form, "name"), rounds)
    tournament_id = tournaments.create_tournament(
        form_field(form, "name"), chosen.game, chosen.options, swiss=swiss, rounds=rounds
    )
    tournaments.change_event(tournament_id, changes.add_players, names)
    return tournament_id


def form_field(form: FormData, key: str, most_letters: int = 100) -> str:
    """A field of a form without blanks around it, "" where it is missing."""
    value = form.get(key, "")
    return value[:most_letters].strip() if isinstance(value, str) else ""


def form_number(form: FormData, key: str) -> int:
    """A field of a form as a whole number, 0 where it is none."""
    return parse_number(form_field(form, key))


def parse_number(digits: str) -> int:
    """A text as a whole number, 0 where it is none."""
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else 0


def pairs_in_form(form: FormData) -> list[tuple[int, int]]:
    """The pairs of a round that is paired by hand, 0 for nobody."""
    sides = [[parse_number(str(each)) for each in form.getlist(side)] for side in ("first", "second")]
    return list(zip(*sides, strict=False))
