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
from companion.club.desk import free_places, take_chosen_round
from companion.club.tournament import PairingOutcome, TournamentError
from companion.club.web.player_lists import read_players
from companion.languages import text
from companion.web.site import RateLimit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.requests import Request
    from starlette.responses import Response

    from companion.club.tournament import Event
    from companion.club.tournament_store import TournamentStore

COOKIE = "companion-organiser"
COOKIE_SECONDS = 30 * 24 * 3600
"""How long a browser stays the organiser's."""
TRIES, PARDON_SECONDS = 5, 60.0
"""Wrong passwords of one address that are answered in the usual way, and the seconds after which one more is."""
LARGEST_UPLOAD = 4 * 2**20
"""The largest body of a request with a list of players, in bytes.

A file may have 1 MiB, and as the text of a form it is up to twice that."""
NO_PLACE = "-"
"""The value of a form for "no table yet"."""
NOTHING = FormData()


class OrganiserLogin:
    """Lets the organiser's browsers in, by a cookie that is derived from the password."""

    def __init__(self, secret: str) -> None:
        self._secret = secret
        # Derived from the password, so that old cookies are worthless once a new password was made.
        self._cookie = hmac.digest(secret.encode(), b"organiser's browser", "sha256").hex()
        self._wrong = RateLimit(1 / PARDON_SECONDS, TRIES)

    def knows(self, request: Request) -> bool:
        """Whether a request comes from a browser that was let in."""
        return hmac.compare_digest(request.cookies.get(COOKIE, "").encode(), self._cookie.encode())

    def refusal(self, said: str, address: str) -> tuple[str, int]:
        """Why a password from an address does not let anybody in, and the response's status; "" where it does.

        The right password is always accepted, so nobody can lock the organiser out with wrong ones. Ten letters of 31
        are more than anybody can try.
        """
        if hmac.compare_digest(said.strip().lower().encode(), self._secret.encode()):
            self._wrong.buckets.pop(address, None)
            return "", 200
        if not self._wrong.allows(address, time.monotonic()):
            return text("Too many wrong passwords: `companion hall password` shows the right one."), 429
        return text("That is not the organiser's password: `companion hall password` shows it."), 403

    def keep(self, response: Response) -> None:
        """Let a browser in from now on."""
        response.set_cookie(COOKIE, self._cookie, httponly=True, samesite="strict", max_age=COOKIE_SECONDS)


class Choice(NamedTuple):
    """A game with its options: as the form sends it, and in words."""

    game: str
    options: dict[str, str]
    sent: str
    words: str


def choices() -> list[Choice]:
    """Each installed game that two can play and that leaves a record, with each choice of its options."""
    found = []
    for game in (each for each in games.all_manifests() if each.has_records and 2 in each.players):
        for chosen in product(*game.option_values.values()):
            options = dict(zip(game.option_values, chosen, strict=True))
            sent = " ".join((game.id, *(f"{name}={value}" for name, value in options.items())))
            found.append(Choice(game.id, options, sent, games.game_title(game.id, options.items())))
    return found


class Sent(NamedTuple):
    """A form that was sent for a tournament; `tables` are the names of the connected tables, in order."""

    tournaments: TournamentStore
    form: FormData
    places: Sequence[str]

    @property
    def player(self) -> int:
        """The number of the player who is changed."""
        return number(self.form, "player")

    @property
    def row(self) -> int:
        """The id of the pairing that is changed."""
        return number(self.form, "row")

    @property
    def pair(self) -> tuple[int, int]:
        """The numbers of the two players whose pair is barred or allowed."""
        return number(self.form, "one"), number(self.form, "other")


def change(event: Event, sent: Sent) -> Event:
    """Change a tournament as a form says. Raises TournamentError, ClubDatabaseError."""
    does = _CHANGES.get(field(sent.form, "what"))
    if does is None:
        raise TournamentError(text("this is not possible here"))
    return does(event, sent)


def _add_players(event: Event, sent: Sent) -> Event:
    names = _players(sent.form, [player.name for player in event.tournament.players])
    if not names:
        raise TournamentError(text("there are no players in this list"))
    return changes.add_players(event, names)


def _players(form: FormData, known: Sequence[str] = ()) -> list[str]:
    return read_players(str(form.get("names", "")), field(form, "commas"), field(form, "seen"), known)


def _pair_by_hand(event: Event, sent: Sent) -> Event:
    free = free_places(sent.tournaments.in_use(), sent.places)
    return changes.pair_by_hand(event, [pair for pair in hand_pairs(sent.form) if any(pair)], free)


def _enter_outcome(event: Event, sent: Sent) -> Event:
    said = field(sent.form, "outcome")
    if said not in {"", *(each.value for each in PairingOutcome)}:
        raise TournamentError(text("choose a result"))
    return changes.enter_outcome(event, sent.row, PairingOutcome(said) if said else None)


def _take(event: Event, sent: Sent) -> Event:
    n = number(sent.form, "round")
    return take_chosen_round(event, sent.row, sent.tournaments.rounds(n - 1).get(n))


def _move(event: Event, sent: Sent) -> Event:
    place = field(sent.form, "place")
    if place != NO_PLACE and place not in sent.places:
        raise TournamentError(text("choose a table"))
    return changes.move_pairing(event, sent.row, "" if place == NO_PLACE else place)


def _change_settings(event: Event, sent: Sent) -> Event:
    ties = [str(each) for each in sent.form.getlist("tie") if each]
    rounds, minutes = number(sent.form, "rounds"), number(sent.form, "minutes")
    return changes.change_settings(event, field(sent.form, "name"), rounds, minutes, ties)


_CHANGES: dict[str, Callable[[Event, Sent], Event]] = {
    "players": _add_players,
    "here": lambda event, sent: changes.set_here(event, sent.player, True),
    "away": lambda event, sent: changes.set_here(event, sent.player, False),
    "half-bye": lambda event, sent: changes.set_half_bye(event, sent.player),
    "rename": lambda event, sent: changes.rename_player(event, sent.player, field(sent.form, "name")),
    "remove": lambda event, sent: changes.remove_player(event, sent.player),
    "place": lambda event, sent: changes.place_player(event, sent.player, number(sent.form, "to")),
    "lots": lambda event, sent: changes.draw_lots(event),
    "bar": lambda event, sent: changes.bar_pair(event, sent.pair, True),
    "unbar": lambda event, sent: changes.bar_pair(event, sent.pair, False),
    "hand": _pair_by_hand,
    "unpair": lambda event, sent: changes.unpair_round(event),
    "result": _enter_outcome,
    "take": _take,
    "move": _move,
    "start-clock": lambda event, sent: changes.set_clock(event, True),
    "stop-clock": lambda event, sent: changes.set_clock(event, False),
    "settings": _change_settings,
    "put-away": lambda event, sent: changes.archive(event, True),
    "bring-back": lambda event, sent: changes.archive(event, False),
}


def create(tournaments: TournamentStore, form: FormData) -> int:
    """Create a tournament with its players, if some were entered. Returns its number.

    Raises TournamentError, ClubDatabaseError.
    """
    chosen = next((each for each in choices() if each.sent == form.get("game")), None)
    if chosen is None:
        raise TournamentError(text("Choose a game."))
    names = _players(form)
    swiss = field(form, "system") != "round-robin"
    many = number(form, "rounds") if swiss else 1
    if not many:
        raise TournamentError(text("enter the number of rounds: 1 to {most}", most=changes.MOST_ROUNDS))
    changes.check_settings(field(form, "name"), many)
    made = tournaments.create(field(form, "name"), chosen.game, chosen.options, swiss=swiss, rounds=many)
    tournaments.change(made, changes.add_players, names)
    return made


def field(form: FormData, key: str, longest: int = 100) -> str:
    """A field of a form without blanks around it, "" where it is missing."""
    value = form.get(key, "")
    return value[:longest].strip() if isinstance(value, str) else ""


def number(form: FormData, key: str) -> int:
    """A field of a form as a whole number, 0 where it is none."""
    return whole(field(form, key))


def whole(said: str) -> int:
    """A text as a whole number, 0 where it is none."""
    return int(said) if said.isascii() and said.isdecimal() and len(said) < 10 else 0


def hand_pairs(form: FormData) -> list[tuple[int, int]]:
    """The pairs of a round that is paired by hand, 0 for nobody."""
    sides = [[whole(str(each)) for each in form.getlist(side)] for side in ("first", "second")]
    return list(zip(*sides, strict=False))
