"""`companion check`: replays records and says for each whether it is legal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion import Unusable
from companion.commands import arguments, files, printable
from companion.game.result import named_verdict
from companion.record import check

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.record import Report

USAGE = """\
companion check [--json] FILE…

Replays game records (.tcr) and says for each whether it stands: every event, the deals and the result.
`-` is standard input.

  --json   one JSON object a line and file, nothing else on standard output

Exit status: 0 all stand, 1 one does not, 2 unusable arguments or an unreadable file."""


def main(given: Sequence[str]) -> int:
    """Check the named files. Returns the exit status."""
    flags, paths = arguments(given, ("--json", "--help", "-h"))
    if flags & {"--help", "-h"}:
        print(USAGE)
        return 0
    if not paths:
        raise Unusable("name the records to check, or - for standard input: companion check FILE…")
    status = 0
    for path, text in files.texts(paths):
        if text is None:
            status = 2
            continue
        report = check(text)
        if report.fault and status == 0:
            status = 1
        print(as_json(path, report) if "--json" in flags else in_words(path, report, text))
    return status


def as_json(path: str, report: Report) -> str:
    """The report as one line of JSON; fields and their order are those of the record format."""
    import json

    fields: dict[str, Any] = {
        "file": path,
        "game": report.header and report.header.game,
        "ok": report.fault is None,
        "events": len(report.events),
    }
    if report.fault:
        fields |= report.fault._asdict()
    if report.state is None:
        fields |= dict.fromkeys(("to_move", "over", "scores", "winners", "claims"))
    else:
        to_move, outcome = report.rules.turn(report.state), report.rules.outcome(report.state)
        fields |= {"to_move": to_move, "over": to_move is None, "scores": outcome.scores, "winners": outcome.winners}
        fields["claims"] = [{"line": claim.line, "seat": claim.seat} for claim in report.claims]
    return json.dumps(fields)


def in_words(path: str, report: Report, text: str) -> str:
    """The report in words: whether the record is legal, or the wrong line and why; and all proven false claims."""
    name = printable(path)
    if report.fault:
        line, code, message = report.fault
        shown = printable(text.split("\n")[line - 1].strip(" \t\r\ufeff"), 100)
        said = [f"{name}, line {line}: {shown}", f"  {code}: {printable(message, 400)}."]
    else:
        said = [f"{name} stands: {standing(report)}"]
    for claim in report.claims:
        maybe = f"had one, whatever was drawn later; {claim.example} for example"
        could = f"could have said {claim.example}" if claim.sure else maybe
        said.append(f"{name}, line {claim.line}: {player(report, claim.seat)} claimed to have no move, but {could}.")
    return "\n".join(said)


def standing(report: Report) -> str:
    """The state of a legal record's round: ``27, 34 events, Ann wins 12 to 6: neither can move.``"""
    rules = report.rules
    scores, winners, reason = rules.outcome(report.state)
    count = len(report.events)
    said = f"{report.name}, {count} event{'' if count == 1 else 's'}"
    figures = " to ".join(map(str, scores))
    to_move = rules.turn(report.state)
    if to_move is not None:
        return f"{said}, {figures}, {player(report, to_move)} is to move."
    names = [player(report, seat) for seat in winners]
    return f"{said}, {named_verdict(names)}, {figures}: {reason}."


def player(report: Report, seat: int) -> str:
    """A player's name and seat, ``Ann (seat 1)``; the seat alone if the record has no names."""
    names = report.header.players if report.header else ()
    return f"{printable(names[seat - 1], 40)} (seat {seat})" if names else f"seat {seat}"
