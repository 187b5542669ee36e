"""Whether a record that has come counts, by the rules of its game."""

from __future__ import annotations

import json
from typing import NamedTuple

from companion import record

LONGEST_NAME = 64
"""Letters of a player's name; a record knows no longest one, but pages have to show it."""


class Judged(NamedTuple):
    """A record that counts: its game, the players as JSON, the result as records have it; or why it does not."""

    game: str = ""
    players: str = "[]"
    result: str = ""
    fault: str = ""


def judge(text: str) -> Judged:
    """What a record says, checked by the rules of its game; `fault` where it cannot count."""
    report = record.check(text)
    if report.fault is not None:
        return Judged(fault=f"line {report.fault.line}: {report.fault.message}"[:300])
    header, rules = report.header, report.rules
    assert header is not None, "a record that stands has a header"
    if rules.turn(report.state) is not None:
        return Judged(fault="it is not over")
    if not header.players or any(len(name) > LONGEST_NAME for name in header.players):
        return Judged(fault=f"it must name its players, with at most {LONGEST_NAME} letters each")
    result = str(rules.outcome(report.state).result)
    return Judged(header.game, json.dumps(header.players), result)
