"""`companion players`: lists the players; renames one, or merges two into one."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from companion import Unusable
from companion.commands import json_text, printable, tables
from companion.game.opponent import strength
from companion.rounds.player_names import LONGEST_NAME, fit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.store.store import Store

DESCRIPTION = """\
Lists the players, who sat at the table last first: rounds, and the date of the last one.

  companion players rename OLD NEW   gives a player a name that nobody has
  companion players merge OLD INTO   makes one of two: all rounds of OLD are then those of INTO

Renaming and merging change every kept round; the table must not be running. Ratings are computed anew.
A merge cannot be undone, so it is asked about first; --yes answers that."""


def main(given: Sequence[str]) -> int:
    """List, rename or merge players. Returns the exit status."""
    parser = tables.Parser(
        prog="companion players", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="?", choices=("list", "rename", "merge"), default="list")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--yes", action="store_true", help="merge without asking")
    parser.add_argument("--json", action="store_true", help="the list as one array of objects")
    parser.add_argument("--config", metavar="FILE")
    parser.add_argument("--data", metavar="DIR")
    arguments = parser.parse_args(given)
    if arguments.what == "list":
        if arguments.names:
            raise Unusable("the list takes no names; `companion players --help` shows how to rename one")
        with tables.reading(arguments) as store:
            tell(store, as_json=arguments.json)
        return 0
    if len(arguments.names) != 2:
        raise Unusable(f"`companion players {arguments.what}` takes two names, in quotes where they have blanks")
    old, new = arguments.names
    folder = tables.folder(arguments, tables.config(arguments))
    with tables.store(folder) as store:
        check(store, arguments.what, old, new)
        if arguments.what == "merge" and not arguments.yes and not _sure(old, new):
            tables.say(f"{printable(old)} and {printable(new)} stay two players")
            return 1
        count = store.rename(old, new)
    print(f"{printable(old)} is {printable(new)} now, in {count} round{'' if count == 1 else 's'}")
    return 0


def tell(store: Store, *, as_json: bool) -> None:
    """Print the players to standard output."""
    players = store.players()
    if as_json:
        objects = [{"name": each.name, "rounds": each.rounds, "last": each.last or None} for each in players]
        print(json_text(objects))
        return
    for each in players:
        print(f"{each.rounds:5}  {each.last[:10] or 'no date':10}  {printable(each.name)}")
    if not players:
        tables.say("nobody has played yet")


def _sure(old: str, new: str) -> bool:
    """Ask at the terminal whether two players are one. Raises Unusable where nobody can be asked."""
    if not sys.stdin.isatty():
        raise Unusable("a merge cannot be undone: say --yes where nobody can be asked")
    both = f"All rounds of {printable(old)} are then those of {printable(new)}; this cannot be undone."
    print(f"{both} Make one of the two? [y/N] ", end="", flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def check(store: Store, what: str, old: str, new: str) -> None:
    """Raises Unusable if a player cannot be renamed, or two not be merged."""
    rounds = {each.name: each.rounds for each in store.players()}
    if old not in rounds:
        raise Unusable(f"nobody named {printable(old)} has played; `companion players` lists who has")
    if old == new:
        raise Unusable(f"{printable(old)} has that name already")
    if what == "merge" and new not in rounds:
        raise Unusable(f"nobody named {printable(new)} has played; `companion players rename` gives a new name")
    if what == "rename" and new in rounds:
        raise Unusable(f"there is a {printable(new)} already; `companion players merge` makes one of the two")
    if strength(new):
        raise Unusable(f"{new} is what the box is called where it plays itself")
    if not fit(new):
        raise Unusable(
            f"{printable(new)} is no name: 1 to {LONGEST_NAME} characters, no comma and no control character"
        )
    if fault := store.name_fault(old, new, merged=what == "merge"):
        raise Unusable(printable(fault.rstrip(".")))
