"""The organiser's forms of tournaments: which games they offer, and what each of their buttons changes."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from starlette.datastructures import FormData

from companion import games
from companion.hall.tournament import player_changes, round_changes, settings
from companion.hall.tournament.desk import free_places
from companion.hall.tournament.model import PairingOutcome, Wrong
from companion.hall.tournament.settings import MOST_ROUNDS
from companion.hall.web.player_lists import read_players
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.hall.tournament.tournaments import Tournaments

NO_PLACE = "-"
NOTHING = FormData()


class Choice(NamedTuple):
    """A game with its options: as the form sends it, and in words."""

    game: str
    options: dict[str, str]
    sent: str
    words: str


def choices() -> list[Choice]:
    """Each installed game that two can play and that leaves a record, with each choice of its options."""
    found = []
    for game in (each for each in games.known() if each.recorded and 2 in each.players):
        for chosen in product(*game.values.values()):
            options = dict(zip(game.values, chosen, strict=True))
            sent = " ".join((game.id, *(f"{name}={value}" for name, value in options.items())))
            found.append(Choice(game.id, options, sent, games.in_words(game.id, options.items())))
    return found


class Sent(NamedTuple):
    """A form that was sent for a tournament; `places` are the names of the tables that are here, in order."""

    tournaments: Tournaments
    id: int
    form: FormData
    places: Sequence[str]

    @property
    def of(self) -> tuple[Tournaments, int]:
        """What is changed."""
        return self.tournaments, self.id

    @property
    def player(self) -> tuple[Tournaments, int, int]:
        """The player who is changed."""
        return self.tournaments, self.id, number(self.form, "player")

    @property
    def row(self) -> tuple[Tournaments, int, int]:
        """The pairing that is changed."""
        return self.tournaments, self.id, number(self.form, "row")

    @property
    def pair(self) -> tuple[int, int]:
        """Two players, by their numbers."""
        return number(self.form, "one"), number(self.form, "other")


def change(sent: Sent) -> None:
    """Change what a form says. Raises Wrong, HallError, ListNotConfirmedError."""
    does = _DOES.get(field(sent.form, "what"))
    if does is None:
        raise Wrong(text("that cannot be asked for"))
    does(sent)


def _add_players(sent: Sent) -> None:
    known = [player.name for player in sent.tournaments.event(sent.id).tournament.players]
    names = _players(sent.form, known)
    if not names:
        raise Wrong(text("there is no player in this list"))
    player_changes.add_players(*sent.of, names)


def _players(form: FormData, known: Sequence[str] = ()) -> list[str]:
    return read_players(str(form.get("names", "")), field(form, "commas"), field(form, "seen"), known)


def _pair_by_hand(sent: Sent) -> None:
    free = free_places(sent.tournaments.in_use(), sent.places)
    round_changes.pair_by_hand(*sent.of, [pair for pair in hand_pairs(sent.form) if any(pair)], free)


def _enter_result(sent: Sent) -> None:
    said = field(sent.form, "outcome")
    if said not in {"", *(each.value for each in PairingOutcome)}:
        raise Wrong(text("choose a result"))
    round_changes.set_outcome(*sent.row, PairingOutcome(said) if said else None)


def _move(sent: Sent) -> None:
    place = field(sent.form, "place")
    if place != NO_PLACE and place not in sent.places:
        raise Wrong(text("choose a table"))
    round_changes.move(*sent.row, "" if place == NO_PLACE else place)


def _change_settings(sent: Sent) -> None:
    settings.change(
        *sent.of, name=field(sent.form, "name"), rounds=number(sent.form, "rounds"),
        minutes=number(sent.form, "minutes"), ties=[str(each) for each in sent.form.getlist("tie") if each],
    )  # fmt: skip


_DOES: dict[str, Callable[[Sent], object]] = {
    "players": _add_players,
    "here": lambda sent: player_changes.set_here(*sent.player, True),
    "away": lambda sent: player_changes.set_here(*sent.player, False),
    "half-bye": lambda sent: player_changes.set_half_bye(*sent.player),
    "rename": lambda sent: player_changes.rename(*sent.player, field(sent.form, "name")),
    "remove": lambda sent: player_changes.remove(*sent.player),
    "place": lambda sent: player_changes.place(*sent.player, number(sent.form, "to")),
    "lots": lambda sent: player_changes.draw_lots(*sent.of),
    "bar": lambda sent: player_changes.bar(*sent.of, sent.pair, barred=True),
    "unbar": lambda sent: player_changes.bar(*sent.of, sent.pair, barred=False),
    "hand": _pair_by_hand,
    "unpair": lambda sent: round_changes.unpair(*sent.of),
    "result": _enter_result,
    "take": lambda sent: round_changes.take(*sent.row, number(sent.form, "round")),
    "move": _move,
    "start-clock": lambda sent: round_changes.set_clock(*sent.of, running=True),
    "stop-clock": lambda sent: round_changes.set_clock(*sent.of, running=False),
    "settings": _change_settings,
    "put-away": lambda sent: settings.archive(*sent.of, archived=True),
    "bring-back": lambda sent: settings.archive(*sent.of, archived=False),
    "delete": lambda sent: settings.delete(*sent.of),
}


def create(tournaments: Tournaments, form: FormData, game: str, options: dict[str, str]) -> int:
    """Open a tournament of a game with its players, if some were entered; its number.

    Raises Wrong, HallError, ListNotConfirmedError.
    """
    names = _players(form)
    swiss = field(form, "system") != "round-robin"
    many = number(form, "rounds")
    if swiss and not many:
        raise Wrong(text("say how many rounds: 1 to {most}", most=MOST_ROUNDS))
    made = settings.create(tournaments, field(form, "name"), game, options, swiss=swiss, rounds=many if swiss else 1)
    player_changes.add_players(tournaments, made, names)
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
