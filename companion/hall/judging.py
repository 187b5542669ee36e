"""Whether a record that a table sent counts in the standings: checked by the rules of its game."""

from __future__ import annotations

import json
from typing import NamedTuple

from companion import record

LONGEST_NAME = 64
"""The most letters of a player's name: records have no limit, but the pages have to show it."""


class Judged(NamedTuple):
    """A record that counts: game id, players (JSON list) and result as records write it; else `fault` says why not."""

    game: str = ""
    players: str = "[]"
    result: str = ""
    fault: str = ""


def judge(text: str) -> Judged:
    """Check a record. It counts if it stands by its game's rules, is finished and names its players."""
    report = record.check(text)
    if report.fault is not None:
        return Judged(fault=f"line {report.fault.line}: {report.fault.message}"[:300])
    header = report.header
    assert header is not None, "a record that stands has a header"
    if not report.over:
        return Judged(fault="it is not over")
    if not header.players or any(len(name) > LONGEST_NAME for name in header.players):
        return Judged(fault=f"it must name its players, with at most {LONGEST_NAME} letters each")
    result = str(report.rules.outcome(report.state).result)
    return Judged(header.game, json.dumps(header.players), result)
