"""Whether a record that a table sent counts in the standings: checked by the rules of its game."""

from __future__ import annotations

import json
from typing import NamedTuple

from companion import record
from companion.languages import text

LONGEST_NAME, LONGEST_FAULT = 64, 300
"""The most letters of a player's name, and of why a record does not count: the pages have to show them."""


class Judged(NamedTuple):
    """A record that counts: game id, players (JSON list) and result as records write it; else `fault` says why not."""

    game: str = ""
    players: str = "[]"
    result: str = ""
    fault: str = ""


def judge(written: str) -> Judged:
    """Check a record. It counts if it stands by its game's rules, is finished and names its players."""
    report = record.check(written)
    if report.fault is not None:
        fault = text("line {line}: {why}", line=report.fault.line, why=report.fault.message)
        return Judged(fault=fault if len(fault) <= LONGEST_FAULT else fault[:LONGEST_FAULT])
    header = report.header
    assert header is not None, "a record that stands has a header"
    if not report.over:
        return Judged(fault=text("it is not over"))
    if not header.players or any(len(name) > LONGEST_NAME for name in header.players):
        return Judged(fault=text("it must name its players, with at most {most} letters each", most=LONGEST_NAME))
    result = str(report.rules.outcome(report.state).result)
    return Judged(header.game, json.dumps(header.players), result)
