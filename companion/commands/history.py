"""`companion history`: lists stored rounds, newest last; it only reads the store, so the table may be running."""

from __future__ import annotations

import argparse
import csv
import sys
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from companion import games
from companion.commands import opened_store, options
from companion.commands.streams import cell, json_text, printable
from companion.game.result import verdict
from companion.languages import text
from companion.rounds import replaying
from companion.rounds.standings import match_words
from companion.store.errors import StoreError
from companion.store.history import RoundFilter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.rounds.replaying import Doubt
    from companion.rounds.stored import RoundSummary
    from companion.store.store_queries import StoreQueries

DESCRIPTION = """\
Lists the kept rounds, newest last: number, date, game, players, scores, who won and why the round ended.
After the last round of a match stands the match, with the numbers of its rounds.
`companion export NUMBER` writes one out, `companion replay NUMBER` shows it."""

LONGEST_DOUBT = 300
"""The most characters that are said of what is wrong with a round."""
COLUMNS = (
    "round", "date", "game", "title", "options", "seat", "player", "score", "won", "shared", "ended because", "minutes",
    "match", "match winner",
)  # fmt: skip
"""The columns of the CSV table, which has a line for each round and player."""


def main(given: Sequence[str]) -> int:
    """List rounds. Returns the exit status."""
    parser = options.parser("history", DESCRIPTION)
    options.value(parser, "--game", "ID", text("only this game; `pad` for all score pads, or their title"), default="")
    options.value(parser, "--player", "NAME", text("only rounds that this player sat in"), default="")
    options.value(parser, "--since", "DATE", text("such as 2026-11 or 2026-11-21"), type=_date)
    options.value(parser, "--until", "DATE", text("this day, month or year included"), type=_date)
    options.value(parser, "--limit", "N", text("only so many of the newest"), type=options.number)
    forms = parser.add_mutually_exclusive_group()
    options.switch(forms, "--json", text("one array of objects"))
    options.switch(forms, "--csv", text("a line for each round and player, for a spreadsheet"))
    arguments = parser.parse_args(given)
    wanted = RoundFilter(arguments.game, arguments.player, arguments.since or "", arguments.until or "")
    plain = not (arguments.json or arguments.csv)
    with opened_store.to_read(arguments) as store:
        rounds = store.summaries(wanted, arguments.limit)
        doubts = dict(_doubts(store, rounds)) if plain else {}
    if arguments.json:
        print(json_text([fields(each) for each in rounds]))
    elif arguments.csv:
        write_table(rounds)
    else:
        for each in rounds:
            print(line(each))
            if each.id in doubts:
                print(f"{'':5}  {printable(doubts[each.id].words, LONGEST_DOUBT)}")
            if each.match is not None and each.match.rounds[-1] == each.id:
                print(f"{'':5}  {printable(match_words(each.match))}")
        if not rounds:
            narrowed = wanted != RoundFilter()
            options.say(text("no such round is saved") if narrowed else text("no round is saved yet"))
    return 0


def _doubts(store: StoreQueries, rounds: Sequence[RoundSummary]) -> Iterator[tuple[int, Doubt]]:
    """What is wrong with those of the rounds that no longer give their result, each with its number."""
    for each in rounds:
        with suppress(StoreError):  # The doctor tells of damage.
            saved = store.round(each.id)
            if saved is not None and (found := replaying.doubt(saved)):
                yield each.id, found


def _date(given: str) -> str:
    """A year, a month or a day in ISO 8601. Raises ArgumentTypeError for anything else."""
    try:
        datetime.fromisoformat(given + "0000-01-01"[len(given) :])
        if len(given) in (len("2026"), len("2026-11"), len("2026-11-21")) and given.replace("-", "").isdigit():
            return given
    except ValueError:
        pass
    message = "a date is given like 2026, 2026-11 or 2026-11-21, not {given}"
    raise argparse.ArgumentTypeError(text(message, given=repr(printable(given, 30))))


def fields(kept: RoundSummary) -> dict[str, object]:
    """A round as an object for JSON."""
    over = bool(kept.result)
    return {
        "round": kept.id,
        "game": kept.game,
        "title": kept.title or None,
        "options": dict(kept.options),
        "date": kept.begun or None,
        "ended": kept.ended or None,
        "minutes": minutes(kept),
        "players": list(kept.names),
        "over": over,
        "void": kept.state == "void",
        "scores": kept.scores if over else None,
        "winners": kept.winners if over else None,
        "reason": games.ending(kept.game, kept.reason) or None,
        "match": match(kept),
    }


def match(kept: RoundSummary) -> dict[str, object] | None:
    """A round's match as an object for JSON, None for none.

    Its fields are the wins needed (`goal`), the wins by name, the numbers of its rounds, and its winner.
    """
    if kept.match is None:
        return None
    found = kept.match
    return {"goal": found.goal, "wins": dict(found.wins), "rounds": list(found.rounds), "winner": found.winner or None}


def write_table(rounds: Sequence[RoundSummary]) -> None:
    """Write the rounds as CSV to standard output."""
    lines = csv.writer(sys.stdout, lineterminator="\n")
    lines.writerow(COLUMNS)
    for kept in rounds:
        options = " ".join(f"{name}={value}" for name, value in kept.options if name != "title")
        taken = minutes(kept)
        for seat, name in enumerate(kept.names, 1):
            figures: tuple[object, ...] = ("", "", "")
            if kept.result:
                won, alone = name in kept.winners, len(kept.winners) == 1
                figures = (kept.scores[seat - 1], int(won and alone), int(won and not alone))
            lines.writerow((
                kept.id, kept.begun, kept.game, cell(kept.title), cell(options), seat, cell(name),
                *figures, games.ending(kept.game, kept.reason), "" if taken is None else taken,
                kept.match.rounds[0] if kept.match else "", cell(kept.match.winner) if kept.match else "",
            ))  # fmt: skip


def minutes(kept: RoundSummary) -> int | None:
    """How many minutes a round took; None if unknown."""
    return None if kept.seconds is None else round(kept.seconds / 60)


def line(kept: RoundSummary) -> str:
    """A round as one line: ``12  2026-11-21 20:15  27  Ann 12 - Ben 6  Ann wins: neither can move``."""
    date = kept.begun[:16].replace("T", " ") or text("no date")
    who = " - ".join(kept.names)
    if not kept.result:
        ending = kept.no_result
    else:
        ending = printable(verdict(kept.winners, len(kept.names)))
        if kept.reason:
            ending = text("{how}: {reason}", how=ending, reason=games.ending(kept.game, kept.reason))
        who = " - ".join(f"{name} {score}" for name, score in zip(kept.names, kept.scores, strict=True))
    return f"{kept.id:5}  {date:16}  {printable(kept.title or kept.game):15}  {printable(who)}  {ending}"
