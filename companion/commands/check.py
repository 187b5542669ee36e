"""`companion check`: replays records and says for each whether it is legal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion import Unusable
from companion.commands.streams import printable, read_texts
from companion.game.result import figures, named_verdict
from companion.languages import counted, text
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
    flags, paths = arguments(given, USAGE, "--json")
    if not paths:
        raise Unusable(text("name the records to check, or - for standard input: companion check FILE…"))
    status = 0
    for path, whole in read_texts(paths):
        if whole is None:
            status = 2
            continue
        report = check(whole)
        if report.fault and status == 0:
            status = 1
        print(as_json(path, report) if "--json" in flags else in_words(path, report, whole))
    return status


def arguments(given: Sequence[str], usage: str, *flags: str) -> tuple[set[str], list[str]]:
    """Split arguments into flags and others; after ``--`` nothing is a flag. Raises Unusable for an unknown flag.

    ``--help`` prints the usage and ends the program, as it does with argparse, which takes longer to import than a
    record to check.
    """
    found, rest, flags = set(), [], (*flags, "--help", "-h")
    given = list(given)
    while given:
        argument = given.pop(0)
        if argument == "--":
            rest += given
            break
        if argument in flags:
            found.add(argument)
        elif argument.startswith("-") and argument != "-":
            message = "there is no option {name}; the options are {names}"
            raise Unusable(text(message, name=printable(argument), names=", ".join(flags)))
        else:
            rest.append(argument)
    if found & {"--help", "-h"}:
        print(text(usage))
        raise SystemExit
    return found, rest


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


def in_words(path: str, report: Report, whole: str) -> str:
    """The report in words: whether the record is legal, or the wrong line and why; and all proven false claims."""
    name = printable(path)
    if report.fault:
        line, code, message = report.fault
        shown = printable(whole.split("\n")[line - 1].strip(" \t\r\ufeff"), 100)
        where = text("{file}, line {line}: {shown}", file=name, line=line, shown=shown)
        lines = [where, f"  {code}: {printable(message, 400)}."]
    else:
        lines = [text("{file} stands: {standing}", file=name, standing=standing(report))]
    for claim in report.claims:
        sentence = (
            "{file}, line {line}: {who} claimed to have no move, but could have said {example}." if claim.sure else
            "{file}, line {line}: {who} claimed to have no move, but had one, whatever was drawn later; "
            "{example} for example."
        )  # fmt: skip
        who = player(report, claim.seat)
        lines.append(text(sentence, file=name, line=claim.line, who=who, example=claim.example))
    return "\n".join(lines)


def standing(report: Report) -> str:
    """The state of a legal record's round: ``27, 34 events, Ann wins 12 to 6: neither can move.``"""
    rules = report.rules
    scores, winners, reason = rules.outcome(report.state)
    count = len(report.events)
    to_move = rules.turn(report.state)
    if to_move is not None:
        return counted(
            count, "{game}, {number} event, {figures}, {who} is to move.",
            "{game}, {number} events, {figures}, {who} is to move.",
            game=report.name, figures=figures(scores), who=player(report, to_move),
        )  # fmt: skip
    names = [player(report, seat) for seat in winners]
    return counted(
        count, "{game}, {number} event, {won}, {figures}: {reason}.",
        "{game}, {number} events, {won}, {figures}: {reason}.",
        game=report.name, won=named_verdict(names), figures=figures(scores), reason=reason,
    )  # fmt: skip


def player(report: Report, seat: int) -> str:
    """A player's name and seat, ``Ann (seat 1)``; the seat alone if the record has no names."""
    names = report.header.players if report.header else ()
    if not names:
        return text("seat {seat}", seat=seat)
    return text("{who} (seat {seat})", who=printable(names[seat - 1], 40), seat=seat)
