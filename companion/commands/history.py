"""Lists of what is stored: `companion history` has the rounds, `standings` who has won, `players` the names.

The table may be running, unless a player is renamed or merged with another.
"""

from __future__ import annotations

import argparse
import csv
import sys
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from companion import UnusableError, games
from companion.commands import command_store, options
from companion.commands.text_streams import csv_cell, json_text, printable_text
from companion.games.api.computer_players import computer_strength
from companion.games.api.result import verdict_text
from companion.languages import plural_text, text, translate
from companion.rounds import replaying
from companion.rounds.player_names import MAX_NAME_LETTERS, is_valid_name, normalize_name, similar_name
from companion.rounds.standings import match_text
from companion.store import dates
from companion.store.errors import StoreError
from companion.store.history import RoundFilter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.rounds.replaying import ReplayProblem
    from companion.rounds.stored import RoundSummary, Standing
    from companion.store.store_queries import StoreQueries

HISTORY_DESCRIPTION = """\
Lists the saved rounds, newest last: number, date, game, players, scores, who won and why the round ended.
The last round of a match is followed by the match itself, with the numbers of its rounds.
`companion export NUMBER` writes a round as a record, `companion replay NUMBER` shows it."""

STANDINGS_DESCRIPTION = """\
Lists how often each player has won: overall, in the evening of a DATE such as 2026-11-21, or with --evening in the
last one; an evening lasts until five in the morning. A round that is shared or drawn counts as drawn; an unfinished one
does not count. The rating is a Plackett-Luce rating after the newest round, for all games or the one named (the title
of a score pad has none): a newcomer has 1500, and the number after ± is its standard deviation. A best score is given
for games whose scores can be compared."""

PLAYERS_DESCRIPTION = """\
Lists the players, the latest first: how many rounds each has played, and the date of the last one.

  companion players rename OLD NEW   gives a player a new name
  companion players merge OLD INTO   merges two players: all rounds of OLD become rounds of INTO

Renaming and merging change every saved round; the table must not be running. Ratings are computed again.
A merge cannot be undone, so the command asks first; --yes answers for you."""

ROUND_COLUMNS = (
    "round", "date", "game", "title", "options", "seat", "player", "score", "won", "shared", "ended because", "minutes",
    "match", "match winner",
)  # fmt: skip
"""The columns of the CSV table, which has a line for each round and player."""


def main(argv: Sequence[str]) -> int:
    """List rounds. Returns the exit status."""
    parser = options.make_parser("history", HISTORY_DESCRIPTION)
    game_help = text("only this game: its id, `pad` for all score pads, or the title of a score pad")
    options.add_value(parser, "--game", "ID", game_help, default="")
    options.add_value(parser, "--player", "NAME", text("only rounds with this player"), default="")
    options.add_value(
        parser, "--since", "DATE", text("from this date on, such as 2026-11 or 2026-11-21"), type=_parse_date
    )
    options.add_value(parser, "--until", "DATE", text("up to and including this day, month or year"), type=_parse_date)
    options.add_value(parser, "--limit", "N", text("only the newest N rounds"), type=options.parse_count)
    forms = parser.add_mutually_exclusive_group()
    options.add_switch(forms, "--json", text("as JSON: one array of objects"))
    options.add_switch(forms, "--csv", text("as CSV, for a spreadsheet: a line for each round and player"))
    arguments = parser.parse_args(argv)
    round_filter = RoundFilter(arguments.game, arguments.player, arguments.since or "", arguments.until or "")
    as_text = not (arguments.json or arguments.csv)
    with command_store.open_store_to_read(arguments) as store:
        rounds = store.summaries(round_filter, arguments.limit)
        doubts = dict(_round_doubts(store, rounds)) if as_text else {}
    if arguments.json:
        print(json_text([_round_fields(each) for each in rounds]))
    elif arguments.csv:
        _write_rounds_csv(rounds)
    else:
        for each in rounds:
            print(_round_line(each))
            if each.id in doubts:
                print(f"{'':5}  {printable_text(doubts[each.id].reason, command_store.MAX_DOUBT_CHARACTERS)}")
            if each.match is not None and each.match.rounds[-1] == each.id:
                print(f"{'':5}  {printable_text(match_text(each.match))}")
        if not rounds:
            is_filtered = round_filter != RoundFilter()
            options.print_message(text("no round matches") if is_filtered else text("no rounds yet"))
    return 0


def _round_doubts(store: StoreQueries, rounds: Sequence[RoundSummary]) -> Iterator[tuple[int, ReplayProblem]]:
    """Yield the number of each round whose moves no longer give its result, with what is wrong."""
    for each in rounds:
        with suppress(StoreError):  # The doctor reports damage.
            stored = store.load_round(each.id)
            if stored is not None and (doubt := replaying.find_problem(stored)):
                yield each.id, doubt


def _parse_date(value: str) -> str:
    """Check a year, a month or a day in ISO 8601. Raises ArgumentTypeError for anything else."""
    try:
        datetime.fromisoformat(value + "0000-01-01"[len(value) :])
        if len(value) in (len("2026"), len("2026-11"), len("2026-11-21")) and value.replace("-", "").isdigit():
            return value
    except ValueError:
        pass
    message = "write a date like 2026, 2026-11 or 2026-11-21, not {given}"
    raise argparse.ArgumentTypeError(text(message, given=repr(printable_text(value, 30))))


def _round_fields(summary: RoundSummary) -> dict[str, object]:
    """A round as an object for JSON. Programs read it, so its keys must not change."""
    is_over, match = bool(summary.result), summary.match
    return {
        "round": summary.id,
        "game": summary.game,
        "title": summary.title or None,
        "options": dict(summary.options),
        "date": summary.begun or None,
        "ended": summary.ended or None,
        "minutes": round_minutes(summary),
        "players": list(summary.names),
        "over": is_over,
        "void": summary.state == "void",
        "scores": summary.scores if is_over else None,
        "winners": summary.winners if is_over else None,
        "reason": games.ending_text(summary.game, summary.reason) or None,
        "match": match
        and {
            "goal": match.goal,
            "wins": dict(match.wins),
            "rounds": list(match.rounds),
            "winner": match.winner or None,
        },
    }


def _write_rounds_csv(rounds: Sequence[RoundSummary]) -> None:
    """Write the rounds as CSV to standard output."""
    lines = csv.writer(sys.stdout, lineterminator="\n")
    lines.writerow(ROUND_COLUMNS)
    for summary in rounds:
        options = " ".join(f"{name}={value}" for name, value in summary.options if name != "title")
        minutes = round_minutes(summary)
        for seat, name in enumerate(summary.names, 1):
            figures: tuple[object, ...] = ("", "", "")
            if summary.result:
                has_won, is_alone = name in summary.winners, len(summary.winners) == 1
                figures = (summary.scores[seat - 1], int(has_won and is_alone), int(has_won and not is_alone))
            lines.writerow((
                summary.id, summary.begun, summary.game, csv_cell(summary.title), csv_cell(options), seat,
                csv_cell(name), *figures, games.ending_text(summary.game, summary.reason),
                "" if minutes is None else minutes, summary.match.rounds[0] if summary.match else "",
                csv_cell(summary.match.winner) if summary.match else "",
            ))  # fmt: skip


def round_minutes(summary: RoundSummary) -> int | None:
    """How many minutes a round took; None if unknown."""
    return None if summary.seconds is None else round(summary.seconds / 60)


def _round_line(summary: RoundSummary) -> str:
    """A round as one line: ``12  2026-11-21 20:15  27  Ann 12 - Ben 6  Ann wins: neither can move``."""
    date = summary.begun[:16].replace("T", " ") or text("no date")
    players_text = " - ".join(summary.names)
    if not summary.result:
        ending = summary.no_result_reason
    else:
        ending = printable_text(verdict_text(summary.winners, len(summary.names)))
        if summary.reason:
            ending = text("{how}: {reason}", how=ending, reason=games.ending_text(summary.game, summary.reason))
        players_text = " - ".join(f"{name} {score}" for name, score in zip(summary.names, summary.scores, strict=True))
    title = printable_text(summary.title or summary.game)
    return f"{summary.id:5}  {date:16}  {title:15}  {printable_text(players_text)}  {ending}"


# -- who has won how often --------------------------------------------------------------------------------------

STANDINGS_COLUMNS = (
    "player", "played", "won", "drawn", "win rate", "streak", "longest streak", "rating", "uncertainty", "best",
)  # fmt: skip
COLUMN_WIDTHS = ("<0", ">6", ">3", ">5", ">4", ">6", ">7", "<10", "<0")
"""The side to which each column of the list is aligned, and its least number of characters."""


def standings(argv: Sequence[str]) -> int:
    """List standings. Returns the exit status."""
    arguments = _make_standings_parser().parse_args(argv)
    if arguments.date and arguments.evening:
        raise UnusableError(text("use a DATE or --evening, not both"))
    try:
        day = dates.parse_date(arguments.date) if arguments.date else None
    except ValueError as error:
        raise UnusableError(str(error)) from None
    with command_store.open_store_to_read(arguments) as store:
        rounds = None
        if day or arguments.evening:
            rounds = [each.id for each in dates.rounds_of_evening(store.summaries(), day)]
        table = store.standings(RoundFilter(arguments.game), rounds)
        has_ended_rounds = bool(table) or any(each.result for each in store.summaries())
    if arguments.json:
        print(json_text([_standing_fields(each) for each in table]))
    elif arguments.csv:
        _write_standings_csv(table)
    elif table:
        _print_standings(table)
    else:
        is_filtered = rounds is not None or arguments.game
        nothing_message = (
            "only rounds with the computer have been finished so far, and they do not count"
            if has_ended_rounds
            else "no round has been finished yet"
        )
        options.print_message(text("no finished round matches" if is_filtered else nothing_message))
    return 0


def _make_standings_parser() -> options.CommandParser:
    """Make the parser of the arguments."""
    parser = options.make_parser("standings", STANDINGS_DESCRIPTION)
    options.add_value(parser, "date", "DATE", text("only the evening of this date"), nargs="?")
    options.add_switch(parser, "--evening", text("only the last evening"))
    game_help = text("only this game: its id, `pad` for all score pads, or the title of a score pad")
    options.add_value(parser, "--game", "ID", game_help, default="")
    forms = parser.add_mutually_exclusive_group()
    options.add_switch(forms, "--json", text("as JSON: one array of objects"))
    options.add_switch(forms, "--csv", text("as CSV, for a spreadsheet"))
    return parser


def _standing_fields(each: Standing) -> dict[str, object]:
    """A player's standing as an object for JSON; `rate` is the share of rounds won, 0 to 1."""
    return {
        "name": each.name,
        "played": each.played,
        "won": each.won,
        "drawn": each.drawn,
        "rate": round(each.win_share, 3),
        "streak": each.streak,
        "longest": each.longest_streak,
        "rating": each.rating.display_points if each.rating else None,
        "uncertainty": each.rating.display_deviation if each.rating else None,
        "best": dict(each.best_scores),
    }


def _best_scores_text(each: Standing) -> str:
    """The best scores, each as the game's id and the score, with commas between."""
    return ", ".join(f"{game} {score}" for game, score in each.best_scores)


def _write_standings_csv(table: Sequence[Standing]) -> None:
    """Print the standings as CSV, with a line of headings."""
    lines = csv.writer(sys.stdout, lineterminator="\n")
    lines.writerow(STANDINGS_COLUMNS)
    for each in table:
        lines.writerow((csv_cell(each.name), *list(_standing_fields(each).values())[1:-1], _best_scores_text(each)))


def _print_standings(table: Sequence[Standing]) -> None:
    """Print the standings in columns, each at least as wide as its heading."""
    rows = [["", *text("played  won  drawn  rate  streak  longest  rating  best").split("  ")]]
    for each in table:
        rating = f"{each.rating.display_points} ± {each.rating.display_deviation}" if each.rating else "-"
        counts = (each.played, each.won, each.drawn, f"{each.win_share:.0%}", each.streak, each.longest_streak)
        rows.append([printable_text(each.name), *map(str, counts), rating, _best_scores_text(each)])
    formats = [
        f"{least[0]}{max(int(least[1:]), *map(len, column))}"
        for least, column in zip(COLUMN_WIDTHS, zip(*rows, strict=True), strict=True)
    ]
    for row in rows:
        print("  ".join(map(format, row, formats)).rstrip())


# -- the players ------------------------------------------------------------------------------------------------


def players(argv: Sequence[str]) -> int:
    """List, rename or merge players. Returns the exit status."""
    parser = options.make_parser("players", PLAYERS_DESCRIPTION)
    parser.add_argument("what", nargs="?", choices=("list", "rename", "merge"), default="list")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options.add_switch(parser, "--yes", text("merge without asking"))
    options.add_switch(parser, "--json", text("as JSON: the list as one array of objects"))
    arguments = parser.parse_args(argv)
    if arguments.what == "list":
        if arguments.names:
            raise UnusableError(
                text("the list takes no names; `companion players --help` shows how to rename a player")
            )
        with command_store.open_store_to_read(arguments) as store:
            _print_players(store, as_json=arguments.json)
        return 0
    if len(arguments.names) != 2:
        message = "`companion players {what}` needs two names; put a name with spaces in quotes"
        raise UnusableError(text(message, what=arguments.what))
    old, new = arguments.names
    if arguments.what == "rename":  # A merge finds both names in the form in which they are stored.
        new = normalize_name(new)
    with command_store.open_store_to_change(arguments) as store:
        _check_change(store, arguments.what, old, new)
        if arguments.what == "merge" and not arguments.yes and not _confirm_merge(old, new):
            options.print_message(
                text("{who} and {other} remain two players", who=printable_text(old), other=printable_text(new))
            )
            return 1
        count = store.rename_player(old, new)
    one, more = "{who} is now {other}, in {number} round", "{who} is now {other}, in {number} rounds"
    print(plural_text(count, one, more, who=printable_text(old), other=printable_text(new)))
    return 0


def _print_players(store: StoreQueries, *, as_json: bool) -> None:
    """Print the players to standard output."""
    players = store.players()
    if as_json:
        objects = [{"name": each.name, "rounds": each.rounds, "last": each.last_begun or None} for each in players]
        print(json_text(objects))
        return
    for each in players:
        print(f"{each.rounds:5}  {each.last_begun[:10] or text('no date'):10}  {printable_text(each.name)}")
    if not players:
        options.print_message(text("nobody has played yet"))


def _confirm_merge(old: str, new: str) -> bool:
    """Ask at the terminal whether two players are one. Raises UnusableError where nobody can be asked."""
    if not sys.stdin.isatty():
        raise UnusableError(text("a merge cannot be undone: to confirm it without a terminal, use --yes"))
    question = "All rounds of {who} will become rounds of {other}; this cannot be undone. Merge them? [y/N] "
    print(text(question, who=printable_text(old), other=printable_text(new)), end="", flush=True)
    answer = sys.stdin.readline().strip().lower()
    return answer in ("y", "yes", text("y"), text("yes"))


def _check_change(store: StoreQueries, kind: str, old: str, new: str) -> None:
    """Raise UnusableError if a player cannot be renamed, or two cannot be merged."""
    rounds = {each.name: each.rounds for each in store.players()}
    if old not in rounds:
        raise UnusableError(
            text("nobody named {who} has played; `companion players` lists the players", who=printable_text(old))
        )
    if old == new:
        raise UnusableError(text("{who} already has that name", who=printable_text(old)))
    if kind == "merge" and new not in rounds:
        message = "nobody named {who} has played; to give a new name, use `companion players rename`"
        raise UnusableError(text(message, who=printable_text(new)))
    if kind == "rename" and new in rounds:
        message = "there is already a player named {who}; `companion players merge` merges the two"
        raise UnusableError(text(message, who=printable_text(new)))
    if computer_strength(new):
        raise UnusableError(text("{who} is one of the names that the computer plays under: choose another", who=new))
    if not is_valid_name(new):
        message = "{who} cannot be a name: use 1 to {most} characters, without commas and control characters"
        raise UnusableError(text(message, who=printable_text(new), most=MAX_NAME_LETTERS))
    if kind == "rename" and (other := similar_name(new, (each for each in rounds if each != old))):
        message = "there is already a player named {who}; `companion players merge` merges the two"
        raise UnusableError(text(message, who=printable_text(other)))
    if fault := store.rename_fault(old, new, is_merge=kind == "merge"):
        raise UnusableError(printable_text(translate(fault).rstrip(".")))
