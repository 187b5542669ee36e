"""`companion standings`: who has won how often; it only reads the store, so the table may be running."""

from __future__ import annotations

import csv
import sys
from typing import TYPE_CHECKING

from companion import Unusable
from companion.commands import cell, json_text, printable, tables
from companion.store import dates as evening
from companion.store.store import RoundFilter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.rounds.stored import Standing

DESCRIPTION = """\
Lists who has won how often: of all time, of the evening of a DATE such as 2026-11-21, or with --evening of the
last one; an evening runs to five in the morning. A round that is shared or drawn counts as drawn; an unfinished one
does not count. The rating is a Plackett-Luce rating after the newest round, of all games or of the one named (the
title of a pad has none): 1500 for a newcomer, with its standard deviation after the ±. The best score is that of a
game whose scores compare."""

COLUMNS = ("player", "played", "won", "drawn", "win rate", "streak", "longest streak", "rating", "uncertainty", "best")


def main(given: Sequence[str]) -> int:
    """List standings. Returns the exit status."""
    arguments = _parser().parse_args(given)
    if arguments.date and arguments.evening:
        raise Unusable("give a DATE for that evening, or --evening for the last one, not both")
    try:
        day = evening.read_date(arguments.date) if arguments.date else None
    except ValueError as error:
        raise Unusable(str(error)) from None
    with tables.reading(arguments) as store:
        rounds = None
        if day or arguments.evening:
            rounds = [each.id for each in evening.rounds_of(store.summaries(), day)]
        table = store.standings(RoundFilter(arguments.game), rounds)
        ended = bool(table) or any(each.result for each in store.summaries())
    if arguments.json:
        print(json_text([fields(each) for each in table]))
    elif arguments.csv:
        tell_csv(table)
    elif table:
        tell(table)
    else:
        narrowed = rounds is not None or arguments.game
        none = "no round has ended yet but with the box, which does not count" if ended else "no round has ended yet"
        tables.say("no such round has ended" if narrowed else none)
    return 0


def _parser() -> tables.Parser:
    """The parser of the arguments."""
    parser = tables.Parser(prog="companion standings", description=DESCRIPTION)
    parser.add_argument("date", nargs="?", metavar="DATE", help="only this evening")
    parser.add_argument("--evening", action="store_true", help="only the last evening")
    parser.add_argument(
        "--game", metavar="ID", default="", help="only this game; `pad` for all score pads, or their title"
    )
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="one array of objects")
    forms.add_argument("--csv", action="store_true", help="for a spreadsheet")
    parser.add_argument("--config", metavar="FILE")
    parser.add_argument("--data", metavar="DIR")
    return parser


def fields(each: Standing) -> dict[str, object]:
    """A player's standing as an object for JSON; `rate` is the share of rounds won, 0 to 1."""
    return {
        "name": each.name,
        "played": each.played,
        "won": each.won,
        "drawn": each.drawn,
        "rate": round(each.rate, 3),
        "streak": each.streak,
        "longest": each.longest,
        "rating": each.rating.shown if each.rating else None,
        "uncertainty": each.rating.doubt if each.rating else None,
        "best": dict(each.best),
    }


def best(each: Standing) -> str:
    """The best scores, each as the game's id and the score, with commas between."""
    return ", ".join(f"{game} {score}" for game, score in each.best)


def tell_csv(table: Sequence[Standing]) -> None:
    """Print the standings as CSV, with a line of headings."""
    lines = csv.writer(sys.stdout, lineterminator="\n")
    lines.writerow(COLUMNS)
    for each in table:
        lines.writerow((cell(each.name), *list(fields(each).values())[1:-1], best(each)))


def tell(table: Sequence[Standing]) -> None:
    """Print the standings in columns."""
    wide = max(len(printable(each.name)) for each in table)
    print(f"{'':{wide}}  played  won  drawn  rate  streak  longest  rating      best")
    for each in table:
        rating = f"{each.rating.shown} ± {each.rating.doubt}" if each.rating else "-"
        counts = f"{each.played:6}  {each.won:3}  {each.drawn:5}  {each.rate:4.0%}  {each.streak:6}  {each.longest:7}"
        print(f"{printable(each.name):{wide}}  {counts}  {rating:10}  {best(each)}".rstrip())
