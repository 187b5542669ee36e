"""`companion check` replays records and says whether each is valid; `companion moves` lists what can follow one.

Both read their arguments without argparse, which takes longer to import than a record to check.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from companion import UnusableError
from companion.commands.text_streams import printable_text, read_text, read_texts
from companion.games.api.result import named_verdict, scores_text
from companion.languages import plural_text, text
from companion.rounds.record import check_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.rounds.record import Report

KNOWN_OPTIONS = ("--json", "--help", "-h")
USAGE = """\
companion check [--json] FILE…

Replays game records (.tcr) and says for each whether it is valid: every move, the deals and the result.
`-` is standard input.

  --json   one JSON object for each file, on a line of its own, and nothing else on standard output

Exit status: 0 all are valid, 1 one is not, 2 unusable arguments or an unreadable file."""


MOVES_USAGE = """\
companion moves [--json] FILE

Lists every legal move of the player whose turn it is after a game record (.tcr), one a line, sorted as text.
`-` is standard input. A draw or refill that is due is listed without its pieces.

  --json   one object: {"to_move": 1, "moves": ["1x1", "1x2"]}

Exit status: 0 listed, 1 the record is not valid, 2 unusable arguments or an unreadable file."""


def main(argv: Sequence[str]) -> int:
    """Check the named files. Returns the exit status."""
    as_json, paths = _parse_arguments(argv, USAGE)
    if not paths:
        raise UnusableError(text("name the records to check, or - for standard input: companion check FILE…"))
    status = 0
    for path, record_text in read_texts(paths):
        if record_text is None:
            status = 2
            continue
        report = check_record(record_text)
        if report.fault and status == 0:
            status = 1
        print(_report_json(path, report) if as_json else report_text(path, report, record_text))
    return status


def moves(argv: Sequence[str]) -> int:
    """List the moves after the named record. Returns the exit status."""
    as_json, paths = _parse_arguments(argv, MOVES_USAGE)
    if len(paths) != 1:
        raise UnusableError(text("name one record, or - for standard input: companion moves FILE"))
    record_text = read_text(paths[0])
    report = check_record(record_text)
    if report.fault:
        print(report_text(paths[0], report, record_text), file=sys.stderr)
        return 1
    to_move = report.rules.seat_to_move(report.state)
    legal = sorted(map(str, report.rules.legal_moves(report.state)))
    if as_json:
        import json

        print(json.dumps({"to_move": to_move, "moves": legal}))
    elif to_move is None:
        print(text("The round is over."), file=sys.stderr)
    elif not legal:
        sentence = "There is nothing to list: seat {seat} is to move, and the record does not show its pieces."
        print(text(sentence, seat=to_move), file=sys.stderr)
    else:
        print("\n".join(legal))
    return 0


def _parse_arguments(argv: Sequence[str], usage: str) -> tuple[bool, list[str]]:
    """Whether --json is given, and the files; after ``--`` nothing is an option.

    Raises UnusableError for an unknown option. ``--help`` prints the usage and ends the program, as it does with
    argparse.
    """
    options_end = argv.index("--") if "--" in argv else len(argv)
    options = {each for each in argv[:options_end] if each.startswith("-") and each != "-"}
    for name in (each for each in argv[:options_end] if each in options and each not in KNOWN_OPTIONS):
        message = "there is no option {name}; the options are {names}"
        raise UnusableError(text(message, name=printable_text(name), names=", ".join(KNOWN_OPTIONS)))
    if options & {"--help", "-h"}:
        print(text(usage))
        raise SystemExit
    return "--json" in options, [
        *(each for each in argv[:options_end] if each not in options),
        *argv[options_end + 1 :],
    ]


def _report_json(path: str, report: Report) -> str:
    """The report as one line of JSON. Programs read it, so the fields and their order must not change."""
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
        to_move, outcome = report.rules.seat_to_move(report.state), report.rules.outcome(report.state)
        fields |= {"to_move": to_move, "over": to_move is None, "scores": outcome.scores, "winners": outcome.winners}
        fields["claims"] = [{"line": claim.line, "seat": claim.seat} for claim in report.false_claims]
    return json.dumps(fields)


def report_text(path: str, report: Report, record_text: str) -> str:
    """A report in words: whether the record is valid, or the invalid line and why; and all proven false claims."""
    name = printable_text(path)
    if report.fault:
        line, code, message = report.fault
        line_text = printable_text(record_text.split("\n")[line - 1].strip(" \t\r\ufeff"), 100)
        heading = text("{file}, line {line}: {shown}", file=name, line=line, shown=line_text)
        lines = [heading, f"  {code}: {printable_text(message, 400)}."]
    else:
        lines = [text("{file} is valid: {standing}", file=name, standing=standing_text(report))]
        if report.is_over and not report.has_result:
            hint = "  It has no result to compare with. It would be this line: {line}"
            lines.append(text(hint, line=f"result: {report.rules.outcome(report.state).result}"))
    for claim in report.false_claims:
        sentence = (
            "{file}, line {line}: {who} claimed to have no move, but could have played {example}." if claim.is_sure else
            "{file}, line {line}: {who} claimed to have no move, but had one whatever was drawn later, "
            "for example {example}."
        )  # fmt: skip
        player_name = player_text(report, claim.seat)
        lines.append(text(sentence, file=name, line=claim.line, who=player_name, example=claim.example))
    return "\n".join(lines)


def standing_text(report: Report) -> str:
    """The state of a valid record's round: ``27, 34 events, Ann wins 12 to 6: neither can move.``"""
    rules = report.rules
    scores, winners, reason = rules.outcome(report.state)
    count = len(report.events)
    to_move = rules.seat_to_move(report.state)
    if to_move is not None:
        return plural_text(
            count, "{game}, {number} move, {figures}, {who} is to move.",
            "{game}, {number} moves, {figures}, {who} is to move.",
            game=report.game_name, figures=scores_text(scores), who=player_text(report, to_move),
        )  # fmt: skip
    names = [player_text(report, seat) for seat in winners]
    return plural_text(
        count, "{game}, {number} move, {won}, {figures}: {reason}.",
        "{game}, {number} moves, {won}, {figures}: {reason}.",
        game=report.game_name, won=named_verdict(names), figures=scores_text(scores), reason=reason,
    )  # fmt: skip


def player_text(report: Report, seat: int) -> str:
    """A player's name and seat, ``Ann (seat 1)``; the seat alone if the record has no names."""
    names = report.header.players if report.header else ()
    if not names:
        return text("seat {seat}", seat=seat)
    return text("{who} (seat {seat})", who=printable_text(names[seat - 1], 40), seat=seat)
