"""`companion standings`: who has won how often; it only reads the store, so the table may be running."""

from __future__ import annotations

import csv
import sys
from typing import TYPE_CHECKING

from companion import Unusable
from companion.commands import opened_store, options
from companion.commands.streams import cell, json_text, printable
from companion.languages import text
from companion.store import dates as evening
from companion.store.history import RoundFilter

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

LEFT = (0, 7, 8)
"""The columns of words, which begin at the left."""


def main(given: Sequence[str]) -> int:
    """List standings. Returns the exit status."""
    arguments = _parser().parse_args(given)
    if arguments.date and arguments.evening:
        raise Unusable(text("give a DATE for that evening, or --evening for the last one, not both"))
    try:
        day = evening.read_date(arguments.date) if arguments.date else None
    except ValueError as error:
        raise Unusable(str(error)) from None
    with opened_store.to_read(arguments) as store:
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
        options.say(text("no such round has ended" if narrowed else none))
    return 0


def _parser() -> options.Parser:
    """The parser of the arguments."""
    parser = options.parser("standings", DESCRIPTION)
    options.value(parser, "date", "DATE", text("only this evening"), nargs="?")
    options.switch(parser, "--evening", text("only the last evening"))
    options.value(parser, "--game", "ID", text("only this game; `pad` for all score pads, or their title"), default="")
    forms = parser.add_mutually_exclusive_group()
    options.switch(forms, "--json", text("one array of objects"))
    options.switch(forms, "--csv", text("for a spreadsheet"))
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
    """Print the standings in columns, each as wide as its heading at least."""
    heads = ["", *text("played  won  drawn  rate  streak  longest  rating  best").split("  ")]
    rows = [heads]
    for each in table:
        rating = f"{each.rating.shown} ± {each.rating.doubt}" if each.rating else "-"
        counts = (each.played, each.won, each.drawn, f"{each.rate:.0%}", each.streak, each.longest)
        rows.append([printable(each.name), *map(str, counts), rating, best(each)])
    wide = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    least = (0, 6, 3, 5, 4, 6, 7, 10, 0)
    for row in rows:
        cells = [
            f"{words:{max(width, some)}}" if column in LEFT else f"{words:>{max(width, some)}}"
            for column, (words, width, some) in enumerate(zip(row, wide, least, strict=True))
        ]
        print("  ".join(cells).rstrip())
