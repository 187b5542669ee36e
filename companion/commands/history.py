"""`companion history`: the kept rounds, newest last; it only reads, so it works beside a running table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from companion.commands import printable, tables

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from companion.store import Kept

ABOUT = """\
Lists the kept rounds, newest last: number, date, game, players, scores. `companion export NUMBER` writes one out."""


def main(given: Sequence[str]) -> int:
    """List rounds; the exit status."""
    parser = tables.Parser(prog="companion history", description=ABOUT)
    parser.add_argument("--game", metavar="ID", help="only this game")
    parser.add_argument("--player", metavar="NAME", help="only rounds that this player sat in")
    parser.add_argument("--since", metavar="DATE", default="", help="such as 2026-11 or 2026-11-21")
    parser.add_argument("--until", metavar="DATE", default="", help="this day, month or year included")
    parser.add_argument("--json", action="store_true", help="one array of objects")
    parser.add_argument("--config", metavar="FILE")
    parser.add_argument("--data", metavar="DIR")
    arguments = parser.parse_args(given)
    with tables.reading(arguments) as store:
        rounds = [each for each in store.kept() if wanted(each, arguments)]
    if arguments.json:
        print(json.dumps([fields(each) for each in rounds], ensure_ascii=False))
        return 0
    for each in rounds:
        print(line(each))
    if not rounds:
        tables.say("no such round is kept")
    return 0


def wanted(kept: Kept, arguments: argparse.Namespace) -> bool:
    """Whether a round passes the filters; one without a date passes none of the two for dates."""
    return (
        arguments.game in (None, kept.game)
        and (arguments.player is None or arguments.player in kept.names)
        and (not arguments.since or kept.begun >= arguments.since)
        and (not arguments.until or "" < kept.begun[: len(arguments.until)] <= arguments.until)
    )


def fields(kept: Kept) -> dict[str, object]:
    """A round for programs."""
    over = bool(kept.result)
    return {
        "round": kept.id,
        "game": kept.game,
        "date": kept.begun or None,
        "players": list(kept.names),
        "over": over,
        "scores": kept.scores if over else None,
        "winners": kept.winners if over else None,
    }


def line(kept: Kept) -> str:
    """A round for people: ``12  2026-11-21 20:15  27  Ann - Ben  12:6  Ann wins``."""
    date = kept.begun[:16].replace("T", " ") or "no date"
    names = printable(" - ".join(kept.names))
    if not kept.result:
        told = "unfinished"
    else:
        won = kept.winners
        how = f"{won[0]} wins" if len(won) == 1 else "a draw" if len(won) == len(kept.names) else "a shared win"
        told = f"{':'.join(map(str, kept.scores))}  {printable(how)}"
    return f"{kept.id:5}  {date:16}  {kept.game:15}  {names}  {told}"
