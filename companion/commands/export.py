"""`companion export`: a kept round as a record; it only reads, so it works beside a running table."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from companion import games, record
from companion.commands import Unusable, pad_text, printable, tables
from companion.games.score_pad import rules as pad

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from companion.session.model import Saved
    from companion.store.store import Store

ABOUT = """\
Writes a round as a record (.tcr) on standard output, the newest if none is named; also while the table is running.
Hidden holdings of a round that is not over leave the box only with --reveal.
A score pad is written as CSV, an entry a line, or with --json as an object."""


def main(given: Sequence[str]) -> int:
    """Export rounds; the exit status."""
    parser = tables.Parser(prog="companion export", description=ABOUT)
    parser.add_argument(
        "round", nargs="?", type=tables.number, help="the round's number, as `companion history` gives it"
    )
    parser.add_argument("--reveal", action="store_true", help="also the hidden pieces of a round that is not over")
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="a score pad as one object")
    forms.add_argument("--all", metavar="DIR", help="every round as a file in DIR; nothing there is overwritten")
    forms.add_argument("--bgstats", action="store_true", help="as a link that hands a finished round to BG Stats")
    parser.add_argument("--config", metavar="FILE")
    parser.add_argument("--data", metavar="DIR")
    arguments = parser.parse_args(given)
    if arguments.all is not None and arguments.round is not None:
        raise Unusable(f"--all writes every round: leave out either it or the {arguments.round}")
    with tables.reading(arguments) as store:
        if arguments.all is not None:
            return _all(store, tables.named(arguments.all), reveal=arguments.reveal)
        saved = store.round(arguments.round)
        if saved is None:
            which = "there are no rounds" if arguments.round is None else f"there is no round {arguments.round}"
            raise Unusable(f"{which} in {store.folder}")
        if arguments.bgstats:
            print(_bgstats(store, saved.id))
            return 0
        if arguments.json and saved.about.game != pad.ID:
            raise Unusable(f"round {saved.id} is no score pad: --json is for those, a record is text")
        written = pad_text.json_object(store, saved) if arguments.json else text(store, saved, reveal=arguments.reveal)
        sys.stdout.write(written)
    return 0


def text(store: Store, saved: Saved, *, reveal: bool = False) -> str:
    """A kept round as a record, a score pad as CSV.

    Raises Unusable where it would show hidden pieces before the round is over.
    """
    about = saved.about
    if about.game == pad.ID:
        return pad_text.csv_table(saved)
    rules = games.load(about.game)
    options = dict(about.options)
    hidden = [kind for kind, _, _ in saved.deals if _hidden(about.game, kind)]
    if hidden and not saved.result and not reveal:
        raise Unusable(f"round {saved.id} is not over and holds hidden pieces; --reveal exports it all the same")
    deals = {(kind, seat): rules.read_deal(pieces, kind, options) for kind, seat, pieces in saved.deals}
    begun = store.begun(saved.id)
    other = [("date", begun)] if begun else []
    if about.goal:
        other += [("match", f"first to {about.goal}"), ("round", str(about.number))]
    other += store.other(saved.id)
    events = [(seat, rules.read(event)) for seat, event in saved.events]
    header = record.Header(about.game, options, about.names, tuple(other))
    written = timed(record.write(header, deals, events), saved.times)
    return f"{written}result: {saved.result}\n" if saved.result else written


def timed(written: str, times: Sequence[float]) -> str:
    """A record without its result, with a comment after each event before which its player's time was taken."""
    if not times:
        return written
    lines = written.splitlines()
    head = len(lines) - len(times)
    thought = [f"{line}\n# thought {seconds:g} s" if seconds else line
               for line, seconds in zip(lines[head:], times, strict=True)]  # fmt: skip
    return "\n".join([*lines[:head], *thought]) + "\n"


def _bgstats(store: Store, number: int) -> str:
    """The link of a kept round. Raises Unusable where the app could not take it."""
    from companion.report import bgstats, gather

    kept = next(each for each in store.kept() if each.id == number)
    link = bgstats.link(gather.told(store, kept))
    if not link:
        raise Unusable(f"round {number} cannot be handed to BG Stats: it is not finished, or has no date with a time")
    return link


def _hidden(game: str, kind: str) -> bool:
    """Whether a holding is hidden from the other players; Prime Attactics' display lies face up."""
    return not (game == "prime-attactics" and kind == "deal")


def _all(store: Store, folder: Path, *, reveal: bool) -> int:
    """Every round as ROUND-GAME.tcr, a pad as .json, for `import`; what cannot be shown yet is told and left out."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unusable(f"cannot write to {printable(str(folder))}: {error.strerror or error}") from None
    written = kept = held_back = 0
    for number in store.numbers():
        saved = store.round(number)
        if saved is None:
            continue
        try:
            is_pad = saved.about.game == pad.ID
            whole = pad_text.json_object(store, saved) if is_pad else text(store, saved, reveal=reveal)
        except Unusable as error:
            tables.say(str(error))
            held_back += 1
            continue
        file = folder / f"{number:06}-{saved.about.game}.{'json' if is_pad else 'tcr'}"
        try:
            with file.open("x", encoding="utf-8") as out:
                out.write(whole)
            written += 1
        except FileExistsError:
            kept += 1
        except OSError as error:
            raise Unusable(f"cannot write {printable(str(file))}: {error.strerror or error}") from None
    print(f"{written} rounds written to {folder}" + (f", {kept} were there already" if kept else ""))
    return 1 if held_back else 0
