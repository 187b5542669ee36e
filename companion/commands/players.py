"""`companion players`: lists the players; renames one, or merges two into one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from companion import Unusable
from companion.commands import opened_store, options
from companion.commands.streams import json_text, printable
from companion.game.box_seats import strength
from companion.languages import counted, said, text
from companion.rounds.player_names import LONGEST_NAME, alike, fit, normal_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.store.store_queries import StoreQueries

DESCRIPTION = """\
Lists the players, who sat at the table last first: rounds, and the date of the last one.

  companion players rename OLD NEW   gives a player a name that nobody has
  companion players merge OLD INTO   makes one of two: all rounds of OLD are then those of INTO

Renaming and merging change every kept round; the table must not be running. Ratings are computed anew.
A merge cannot be undone, so it is asked about first; --yes answers that."""


def main(given: Sequence[str]) -> int:
    """List, rename or merge players. Returns the exit status."""
    parser = options.parser("players", DESCRIPTION)
    parser.add_argument("what", nargs="?", choices=("list", "rename", "merge"), default="list")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options.switch(parser, "--yes", text("merge without asking"))
    options.switch(parser, "--json", text("the list as one array of objects"))
    arguments = parser.parse_args(given)
    if arguments.what == "list":
        if arguments.names:
            raise Unusable(text("the list takes no names; `companion players --help` shows how to rename one"))
        with opened_store.to_read(arguments) as store:
            tell(store, as_json=arguments.json)
        return 0
    if len(arguments.names) != 2:
        message = "`companion players {what}` takes two names, in quotes where they have blanks"
        raise Unusable(text(message, what=arguments.what))
    old, new = arguments.names
    if arguments.what == "rename":  # A name that is stored in another form is found by that form.
        new = normal_name(new)
    with opened_store.to_change(arguments) as store:
        check(store, arguments.what, old, new)
        if arguments.what == "merge" and not arguments.yes and not _sure(old, new):
            options.say(text("{who} and {other} stay two players", who=printable(old), other=printable(new)))
            return 1
        count = store.rename(old, new)
    one, more = "{who} is {other} now, in {number} round", "{who} is {other} now, in {number} rounds"
    print(counted(count, one, more, who=printable(old), other=printable(new)))
    return 0


def tell(store: StoreQueries, *, as_json: bool) -> None:
    """Print the players to standard output."""
    players = store.players()
    if as_json:
        objects = [{"name": each.name, "rounds": each.rounds, "last": each.last or None} for each in players]
        print(json_text(objects))
        return
    for each in players:
        print(f"{each.rounds:5}  {each.last[:10] or text('no date'):10}  {printable(each.name)}")
    if not players:
        options.say(text("nobody has played yet"))


def _sure(old: str, new: str) -> bool:
    """Ask at the terminal whether two players are one. Raises Unusable where nobody can be asked."""
    if not sys.stdin.isatty():
        raise Unusable(text("a merge cannot be undone: say --yes where nobody can be asked"))
    question = "All rounds of {who} are then those of {other}; this cannot be undone. Make one of the two? [y/N] "
    print(text(question, who=printable(old), other=printable(new)), end="", flush=True)
    answer = sys.stdin.readline().strip().lower()
    return answer in ("y", "yes", text("y"), text("yes"))


def check(store: StoreQueries, what: str, old: str, new: str) -> None:
    """Raises Unusable if a player cannot be renamed, or two not be merged."""
    rounds = {each.name: each.rounds for each in store.players()}
    if old not in rounds:
        raise Unusable(text("nobody named {who} has played; `companion players` lists who has", who=printable(old)))
    if old == new:
        raise Unusable(text("{who} has that name already", who=printable(old)))
    if what == "merge" and new not in rounds:
        message = "nobody named {who} has played; `companion players rename` gives a new name"
        raise Unusable(text(message, who=printable(new)))
    if what == "rename" and new in rounds:
        message = "there is a {who} already; `companion players merge` makes one of the two"
        raise Unusable(text(message, who=printable(new)))
    if strength(new):
        raise Unusable(text("{who} is what the box is called where it plays itself", who=new))
    if not fit(new):
        message = "{who} is no name: 1 to {most} characters, no comma and no control character"
        raise Unusable(text(message, who=printable(new), most=LONGEST_NAME))
    if what == "rename" and (other := alike(new, (each for each in rounds if each != old))):
        message = "there is {who} already; `companion players merge` makes one of the two"
        raise Unusable(text(message, who=printable(other)))
    if fault := store.name_fault(old, new, merged=what == "merge"):
        raise Unusable(printable(said(fault).rstrip(".")))
