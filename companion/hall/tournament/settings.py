"""A tournament as a whole: opened, set up, put away, deleted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from companion.hall.tournament.model import Wrong
from companion.hall.tournament.tie_breaks import TIES
from companion.hall.tournament.tournaments import TABLES
from companion.languages import counted, joined, text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.hall.tournament.tournaments import Tournaments

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
    assert cursor.lastrowid is not None, "a row was inserted"
    return cursor.lastrowid


def check_name(name: str) -> None:
    """Raises Wrong."""
    if not name or len(name) > LONGEST_TITLE:
        raise Wrong(text("a tournament's name has 1 to {most} letters", most=LONGEST_TITLE))


def check_rounds(rounds: int) -> None:
    """Raises Wrong."""
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Wrong(text("a tournament has 1 to {most} rounds", most=MOST_ROUNDS))


def change(tournaments: Tournaments, id_: int, *, name: str, rounds: int, ties: Sequence[str], minutes: int) -> None:
    """Set name, number of rounds, tie-breaks in order (none: the usual), and minutes of a round (0: any).

    Raises Wrong.
    """
    check_name(name)
    if not set(ties) <= TIES.keys():
        raise Wrong(text("choose the tie-breaks"))
    if not 0 <= minutes <= MOST_MINUTES:
        raise Wrong(text("a round has at most {most} minutes", most=MOST_MINUTES))
    with tournaments.changing(id_) as event:
        rounds = rounds if event.tournament.swiss else event.tournament.rounds
        check_rounds(rounds)
        if rounds < event.tournament.round:
            one, more = "{number} round is paired already", "{number} rounds are paired already"
            raise Wrong(counted(event.tournament.round, one, more))
        kept = " ".join(dict.fromkeys(ties))
        tournaments.execute(
            "UPDATE tournaments SET name = ?, rounds = ?, ties = ?, minutes = ? WHERE id = ?",
            name, rounds, kept, minutes, id_,
        )  # fmt: skip
        for said, before, after in [
            ("the name: {after}, it was {before}", event.name, name),
            ("the number of rounds: {after}, it was {before}", event.tournament.rounds, rounds),
            ("the tie-breaks: {after}; before: {before}", _named(event.tournament.ties), _named(kept.split())),
        ]:
            if before != after:
                tournaments.note(id_, text(said, after=after, before=before))


def _named(ties: Sequence[str]) -> str:
    return joined([TIES[tie].name for tie in ties], ", ") if ties else text("the usual ones")


def archive(tournaments: Tournaments, id_: int, *, archived: bool) -> None:
    """Put a tournament away, or bring it back. Raises Wrong."""
    with tournaments.changing(id_):
        tournaments.execute("UPDATE tournaments SET archived = ? WHERE id = ?", archived, id_)


def delete(tournaments: Tournaments, id_: int) -> None:
    """Delete a tournament that was put away; the rounds that were played for it stay in the hall. Raises Wrong."""
    with tournaments.changing(id_) as event:
        if not event.archived:
            raise Wrong(text("only a tournament that was put away can be deleted"))
        for table in TABLES:
            tournaments.execute(f"DELETE FROM {table} WHERE tournament = ?", id_)
        tournaments.execute("DELETE FROM tournaments WHERE id = ?", id_)
