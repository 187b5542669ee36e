"""The game record: one round as plain text; reads and replays it line by line, and writes it.

Pure: text in, `Report` out. Parsing ends at the first wrong line; the report has everything before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.game import Outcome, Refused
from companion.games import failure, load, manifest
from companion.record.parser import LONGEST_REASON, ONCE, VERSION, Parser, fault_of
from companion.record.values import BLANKS, FalseClaim, Fault, Header, Report, is_key, read_holding, usable_name

__all__ = ["LONGEST_REASON", "VERSION", "FalseClaim", "Fault", "Header", "Report", "check", "write"]


def check(text: str) -> Report:
    """Read and replay a record. Any text gives a report, a wrong record one with a fault; a bad record never raises."""
    parser = Parser()
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    try:
        parser.read(lines)
        parser.finish()
    except Refused as refused:
        return parser.report(parser.bad_deal() or fault_of(parser.number, refused))
    except Exception as error:
        return parser.report(fault_of(parser.number, Refused("header", failure(parser.id, error))))
    return parser.report(None)


def write(
    header: Header,
    deals: Mapping[tuple[str, int], Sequence[Any]],
    events: Sequence[tuple[int, Any]],
    outcome: Outcome | None = None,
) -> str:
    """Write a round in the canonical form: all options, deals by seat, each event (a move or its text) in short form.

    The result is written if `outcome` has winners. Raises ValueError for a name or value that a line cannot contain,
    and UnknownGame for a game that is not installed.
    """
    rules, game = load(header.game), manifest(header.game)
    options = " ".join(f"{name}={header.options.get(name, usual)}" for name, usual in game.defaults.items())
    lines = [f"companion-record: {VERSION}", f"game: {header.game}", f"options: {options}"]
    if header.players:
        if not all(usable_name(name) for name in header.players):
            raise ValueError(f"a name in a record has no comma and no control character: {header.players}")
        lines.append(f"players: {', '.join(header.players)}")
    for key, value in header.other:
        reserved = key in (*ONCE, "result") or read_holding(key)
        breaks = "\n" in value or value != value.lstrip(BLANKS).rstrip(BLANKS + "\r")
        if reserved or breaks or not is_key(key):
            raise ValueError(f"not a header line of a record: {key!r}: {value!r}")
        lines.append(f"{key}: {value}".rstrip(" "))
    for seat in range(1, header.seats + 1):
        for kind in game.holdings:
            if (kind, seat) in deals:
                lines.append(f"{kind} {seat}: {rules.write_deal(deals[kind, seat])}")
    lines += [f"{seat}: {move}" for seat, move in events]
    if outcome is not None and outcome.winners:
        lines.append(f"result: {outcome.result}")
    return "\n".join(lines) + "\n"
