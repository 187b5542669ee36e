"""A tournament as a whole: opened, set up, put away, deleted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from companion.hall.tournament.model import Wrong
from companion.hall.tournament.standings import TIES
from companion.hall.tournament.store import TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.hall.tournament.store import Tournaments

MOST_ROUNDS, LONGEST_TITLE, MOST_MINUTES = 30, 40, 600


def create(
    tournaments: Tournaments, name: str, game: str, options: Mapping[str, str], *, swiss: bool, rounds: int
) -> int:
    """A new tournament; its number. Raises Wrong."""
    check_name(name)
    check_rounds(rounds)
    with tournaments.together():
        cursor = tournaments.execute(
            "INSERT INTO tournaments (name, game, options, swiss, rounds) VALUES (?, ?, ?, ?, ?)",
            name, game, json.dumps(dict(options)), swiss, rounds,
        )  # fmt: skip
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def check_name(name: str) -> None:
    """Raises Wrong."""
    if not name or len(name) > LONGEST_TITLE:
        raise Wrong(f"a tournament's name has 1 to {LONGEST_TITLE} letters")


def check_rounds(rounds: int) -> None:
    """Raises Wrong."""
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Wrong(f"a tournament has 1 to {MOST_ROUNDS} rounds")


def change(
    tournaments: Tournaments, id_: int, *, name: str, rounds: int, ties: Sequence[str], minutes: int, at: str
) -> None:
    """Set name, number of rounds, tie-breaks in order (none: the usual), and minutes of a round (0: any).

    Raises Wrong.
    """
    check_name(name)
    if not set(ties) <= TIES.keys():
        raise Wrong("choose the tie-breaks")
    if not 0 <= minutes <= MOST_MINUTES:
        raise Wrong(f"a round has at most {MOST_MINUTES} minutes")
    with tournaments.together():
        event = tournaments.event(id_)
        rounds = rounds if event.tournament.swiss else event.tournament.rounds
        check_rounds(rounds)
        if rounds < event.tournament.round:
            raise Wrong(f"{event.tournament.round} rounds are paired already")
        kept = " ".join(dict.fromkeys(ties))
        tournaments.execute(
            "UPDATE tournaments SET name = ?, rounds = ?, ties = ?, minutes = ? WHERE id = ?",
            name, rounds, kept, minutes, id_,
        )  # fmt: skip
        for what, before, after in (
            ("name", event.name, name),
            ("number of rounds", event.tournament.rounds, rounds),
            ("tie-breaks", " ".join(event.tournament.ties) or "usual", kept or "usual"),
        ):
            if before != after:
                tournaments.note(id_, at, f"the {what}: {after}, it was {before}".replace("_", "-"))


def archive(tournaments: Tournaments, id_: int, *, archived: bool) -> None:
    """Put a tournament away, or bring it back. Raises Wrong."""
    with tournaments.together():
        tournaments.event(id_)
        tournaments.execute("UPDATE tournaments SET archived = ? WHERE id = ?", archived, id_)


def delete(tournaments: Tournaments, id_: int) -> None:
    """Delete a tournament that was put away; the rounds that were played for it stay in the hall. Raises Wrong."""
    with tournaments.together():
        if not tournaments.event(id_).archived:
            raise Wrong("only a tournament that was put away can be deleted")
        for table in TABLES:
            tournaments.execute(f"DELETE FROM {table} WHERE tournament = ?", id_)
        tournaments.execute("DELETE FROM tournaments WHERE id = ?", id_)
