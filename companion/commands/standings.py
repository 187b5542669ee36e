"""`companion standings`: who has won how often; it only reads, so it works beside a running table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from companion.commands import printable, tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.store import Kept

ABOUT = """\
Lists who has won how often: of all time, or of the last evening with --evening. A round that is shared or drawn
counts as drawn; an unfinished one does not count."""


class Standing(NamedTuple):
    """A player's rounds; `streak` is how many of the last ones running were won."""

    name: str
    played: int
    won: int
    drawn: int
    streak: int

    @property
    def rate(self) -> float:
        """The share of rounds won, 0 to 1."""
        return self.won / self.played


def main(given: Sequence[str]) -> int:
    """List standings; the exit status."""
    parser = tables.Parser(prog="companion standings", description=ABOUT)
    parser.add_argument("--evening", action="store_true", help="only the last evening")
    parser.add_argument("--game", metavar="ID", help="only this game")
    parser.add_argument("--json", action="store_true", help="one array of objects")
    parser.add_argument("--config", metavar="FILE")
    parser.add_argument("--data", metavar="DIR")
    arguments = parser.parse_args(given)
    with tables.reading(arguments) as store:
        rounds = store.kept()
    if arguments.evening and rounds:
        last = max(each.evening for each in rounds)
        rounds = [each for each in rounds if each.evening == last]
    table = standings(each for each in rounds if arguments.game in (None, each.game))
    if arguments.json:
        print(json.dumps([each._asdict() | {"rate": round(each.rate, 3)} for each in table], ensure_ascii=False))
        return 0
    if not table:
        tables.say("no round has ended yet")
        return 0
    wide = max(len(each.name) for each in table)
    print(f"{'':{wide}}  played  won  drawn  rate  streak")
    for name, played, won, drawn, streak in table:
        print(f"{printable(name):{wide}}  {played:6}  {won:3}  {drawn:5}  {won / played:4.0%}  {streak:6}")
    return 0


def standings(rounds: Iterable[Kept]) -> list[Standing]:
    """Finished rounds, oldest first, as standings: most won first, then fewest played, then by name."""
    players: dict[str, Standing] = {}
    for kept in rounds:
        if not kept.result:
            continue
        winners = kept.winners
        for name in kept.names:
            before = players.get(name, Standing(name, 0, 0, 0, 0))
            won, drawn = winners == [name], name in winners and len(winners) > 1
            players[name] = Standing(
                name, before.played + 1, before.won + won, before.drawn + drawn, before.streak + 1 if won else 0
            )
    return sorted(players.values(), key=lambda each: (-each.won, each.played, each.name))
