"""What the organiser's forms on a tournament's page change; the button that was pressed says what."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from starlette.datastructures import FormData

from companion.hall.tournament import lists, players, rounds, settings
from companion.hall.tournament.collecting import free_places
from companion.hall.tournament.model import Outcome, Wrong
from companion.hall.tournament.settings import MOST_ROUNDS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.hall.tournament.store import Tournaments

LONGEST_LIST = 20_000
"""Letters of a pasted list: as many players as a tournament may have, with their clubs."""
NO_PLACE = "-"
NOTHING = FormData()


class Change:
    """A form that was sent for a tournament; `places` are the names of the tables that are here, in order."""

    def __init__(self, tournaments: Tournaments, id_: int, form: FormData, places: Sequence[str]) -> None:
        self._tournaments = tournaments
        self._id = id_
        self._form = form
        self._places = places
        self._at = now()

    def make(self) -> None:
        """Change what the form says. Raises Wrong, HallError, Unclear."""
        does = _DOES.get(text(self._form, "what"))
        if does is None:
            raise Wrong("that cannot be asked for")
        does(self)

    # -- players ------------------------------------------------------------------------------------------------

    def _add_players(self) -> None:
        names = lists.read_players(pasted(self._form), text(self._form, "commas"))
        players.add_players(self._tournaments, self._id, names, self._at)

    def _here(self) -> None:
        players.set_here(self._tournaments, self._id, self._player, True, self._at)

    def _away(self) -> None:
        players.set_here(self._tournaments, self._id, self._player, False, self._at)

    def _half_bye(self) -> None:
        players.set_half_bye(self._tournaments, self._id, self._player, self._at)

    def _rename(self) -> None:
        players.rename(self._tournaments, self._id, self._player, text(self._form, "name"), self._at)

    def _remove(self) -> None:
        players.remove(self._tournaments, self._id, self._player, self._at)

    def _place(self) -> None:
        players.place(self._tournaments, self._id, self._player, number(self._form, "to"))

    def _lots(self) -> None:
        players.draw_lots(self._tournaments, self._id, self._at)

    def _bar_pair(self) -> None:
        self._bar(barred=True)

    def _unbar_pair(self) -> None:
        self._bar(barred=False)

    def _bar(self, *, barred: bool) -> None:
        pair = number(self._form, "one"), number(self._form, "other")
        players.bar(self._tournaments, self._id, pair, self._at, barred=barred)

    # -- rounds -------------------------------------------------------------------------------------------------

    def _pair_by_hand(self) -> None:
        pairs = [pair for pair in hand_pairs(self._form) if any(pair)]
        rounds.pair_by_hand(self._tournaments, self._id, pairs, self._free(), self._at)

    def _unpair(self) -> None:
        rounds.unpair(self._tournaments, self._id, self._at)

    def _result(self) -> None:
        said = text(self._form, "outcome")
        if said not in {"", *(each.value for each in Outcome)}:
            raise Wrong("choose a result")
        outcome = Outcome(said) if said else None
        rounds.set_outcome(self._tournaments, self._id, self._row, outcome, self._at)

    def _take(self) -> None:
        rounds.take(self._tournaments, self._id, self._row, number(self._form, "round"), self._at)

    def _move(self) -> None:
        place = text(self._form, "place")
        if place != NO_PLACE and place not in self._places:
            raise Wrong("choose a table")
        rounds.move(self._tournaments, self._id, self._row, "" if place == NO_PLACE else place)

    def _start_clock(self) -> None:
        rounds.set_clock(self._tournaments, self._id, running=True)

    def _stop_clock(self) -> None:
        rounds.set_clock(self._tournaments, self._id, running=False)

    # -- the tournament -------------------------------------------------------------------------------------------

    def _settings(self) -> None:
        ties = [str(each) for each in self._form.getlist("tie") if each]
        settings.change(
            self._tournaments, self._id, name=text(self._form, "name"), rounds=number(self._form, "rounds"), ties=ties,
            minutes=number(self._form, "minutes"), at=self._at,
        )  # fmt: skip

    def _put_away(self) -> None:
        settings.archive(self._tournaments, self._id, archived=True)

    def _bring_back(self) -> None:
        settings.archive(self._tournaments, self._id, archived=False)

    def _delete(self) -> None:
        settings.delete(self._tournaments, self._id)

    # -- the fields -----------------------------------------------------------------------------------------------

    @property
    def _player(self) -> int:
        return number(self._form, "player")

    @property
    def _row(self) -> int:
        return number(self._form, "row")

    def _free(self) -> list[str]:
        return free_places(self._tournaments.all(), self._places)


_DOES: dict[str, Callable[[Change], None]] = {
    "players": Change._add_players,
    "here": Change._here,
    "away": Change._away,
    "half-bye": Change._half_bye,
    "rename": Change._rename,
    "remove": Change._remove,
    "place": Change._place,
    "lots": Change._lots,
    "bar": Change._bar_pair,
    "unbar": Change._unbar_pair,
    "hand": Change._pair_by_hand,
    "unpair": Change._unpair,
    "result": Change._result,
    "take": Change._take,
    "move": Change._move,
    "start-clock": Change._start_clock,
    "stop-clock": Change._stop_clock,
    "settings": Change._settings,
    "put-away": Change._put_away,
    "bring-back": Change._bring_back,
    "delete": Change._delete,
}


def create(tournaments: Tournaments, form: FormData, game: str, options: dict[str, str]) -> int:
    """Open a tournament of a game with its players, if some were entered; its number.

    Raises Wrong, HallError, Unclear.
    """
    names = lists.read_players(pasted(form), text(form, "commas"))
    swiss = text(form, "system") != "round-robin"
    many = number(form, "rounds")
    if swiss and not many:
        raise Wrong(f"say how many rounds: 1 to {MOST_ROUNDS}")
    made = settings.create(tournaments, text(form, "name"), game, options, swiss=swiss, rounds=many if swiss else 1)
    players.add_players(tournaments, made, names, now())
    return made


def text(form: FormData, key: str, longest: int = 100) -> str:
    """A field of a form without blanks around it, "" where it is missing."""
    value = form.get(key, "")
    return value[:longest].strip() if isinstance(value, str) else ""


def number(form: FormData, key: str) -> int:
    """A field of a form as a whole number, 0 where it is none."""
    return whole(text(form, key))


def whole(said: str) -> int:
    """A text as a whole number, 0 where it is none."""
    return int(said) if said.isascii() and said.isdecimal() and len(said) < 10 else 0


def hand_pairs(form: FormData) -> list[tuple[int, int]]:
    """The pairs of a round that is paired by hand, 0 for nobody."""
    sides = [[whole(str(each)) for each in form.getlist(side)] for side in ("first", "second")]
    return list(zip(*sides, strict=False))


def pasted(form: FormData) -> str:
    """The pasted list of players. Raises Wrong if it is too long: it is never cut."""
    names = form.get("names", "")
    if not isinstance(names, str) or len(names) > LONGEST_LIST:
        raise Wrong(f"a list of players has {LONGEST_LIST:,} letters at most: add them in two steps")
    return names


def now() -> str:
    """The time of day in ISO 8601."""
    return time.strftime("%Y-%m-%dT%H:%M:%S%z")
