"""`companion analyse`: judges each move of a record, and says how certain that verdict is."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from companion.coach import review
from companion.coach.verdicts import PlayedRound
from companion.commands import options
from companion.commands.check import player_text, report_text
from companion.commands.text_streams import printable_text, read_texts
from companion.languages import format_decimal, plural_text, text, translate
from companion.rounds import replaying
from companion.rounds.record import check_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.coach.review import Review
    from companion.coach.verdicts import Verdict
    from companion.rounds.record import Report

DESCRIPTION = """\
Reviews game records (.tcr): marks each move best, good, slip or losing, and names a better one.
`certain` means proven by a search to the end of the round; `likely` is not proven. Each move is judged by what its
player knew at the time. Draws, refills, and moves from a hand that the record does not show get no mark. It takes about
half a second per move on a desktop computer.

Exit status: 0 done, 1 a record is not valid, 2 unusable arguments or an unreadable file."""


def main(argv: Sequence[str]) -> int:
    """Analyse the named files. Returns the exit status."""
    parser = options.make_parser_without_config("analyse", DESCRIPTION)
    options.add_value(parser, "records", "FILE", text("game records; - is standard input"), nargs="+")
    json_help = text("one JSON object a line for each valid record; docs/records.md lists its fields")
    options.add_switch(parser, "--json", json_help)
    nodes_help = text("search at most N positions per move, 1 to 9999999, and a sixth more to confirm a mistake")
    options.add_value(parser, "--nodes", "N", nodes_help, type=_parse_nodes, default=0)
    arguments = parser.parse_intermixed_args(argv)
    status = 0
    for path, record_text in read_texts(arguments.records):
        if record_text is None:
            status = 2
            continue
        report = check_record(record_text)
        fault = report_text(path, report, record_text) if report.fault else ""
        if not record_text.strip():
            fault = text("{file} is empty: there is no record in it.", file=printable_text(path))
        if fault:
            status = max(status, 1)
            print(fault, file=sys.stderr)
            continue
        analysis = _review_record(report, arguments.nodes)
        print(
            review_json(path, report, analysis) if arguments.json else review_transcript(path, report, analysis),
            flush=True,
        )
    return status


def _parse_nodes(value: str) -> int:
    """Parse a number of positions, 1 to 9999999. Raises ArgumentTypeError for anything else."""
    if value.isascii() and value.isdigit() and len(value) < 8 and int(value):
        return int(value)
    raise argparse.ArgumentTypeError(text("give a number of positions, for example --nodes=20000"))


def _review_record(report: Report, nodes: int) -> Review:
    """Review the moves of a valid record. Raises ValueError if the record has no header."""
    round_ = replaying.replay_record(report)
    played = PlayedRound(round_.game, round_.move_input, round_.states, round_.events)
    return review.review_round(round_.header.game, played, nodes)


def review_json(path: str, report: Report, analysis: Review) -> str:
    """The verdicts as one JSON object, with the fields that docs/records.md lists."""
    import json

    fields: dict[str, Any] = {"file": path, "game": report.header.game if report.header else None}
    fields["moves"] = [_verdict_fields(report, each) for each in analysis.verdicts]
    fields["over"] = report.is_over
    deciding = analysis.deciding_verdict
    fields["decided"] = None if deciding is None else report.lines[deciding.event_index]
    fields["decided_certain"] = analysis.is_proven
    fields |= {"nodes": analysis.searched_nodes, "seconds": round(analysis.seconds, 3)}
    return json.dumps(fields)


def _verdict_fields(report: Report, verdict: Verdict) -> dict[str, Any]:
    return {
        "line": report.lines[verdict.event_index],
        "seat": verdict.seat,
        "move": verdict.move,
        "mark": verdict.mark.value,
        "certain": verdict.is_certain,
        "only": verdict.is_only_move,
        "value": verdict.value,
        "proven": verdict.is_value_proven,
        "best": verdict.best_move,
        "best_value": verdict.best_value,
        "depth": verdict.plies,
        "nodes": verdict.searched_nodes,
    }


def review_transcript(path: str, report: Report, analysis: Review) -> str:
    """A line for each move, then the deciding move, then how many positions were searched in how many seconds.

    The last line is missing if no move was judged.
    """
    lines: list[str] = [text("{one}: {other}", one=printable_text(path), other=report.game_name)]
    names = report.header.players if report.header else ()
    name_width = max((len(printable_text(name, 16)) for name in names), default=6)
    verdicts_by_event = {each.event_index: each for each in analysis.verdicts}
    move_width = max((len(str(move)) for _, move in report.events), default=0)
    for event, (seat, move) in enumerate(report.events):
        player_name = printable_text(names[seat - 1], 16) if names else text("seat {seat}", seat=seat)
        marks = review.verdict_text(verdicts_by_event[event]) if event in verdicts_by_event else ""
        lines.append(f"{event + 1:>3}  {player_name:{name_width}}  {move!s:{move_width}}  {marks}".rstrip())
    if analysis.deciding_verdict is not None:
        move = review.deciding_move_text(analysis, player_text(report, analysis.deciding_verdict.seat))
        lines.append(text("Decided by {move}.", move=move))
    else:
        undecided = review.undecided_text(analysis, is_over=report.is_over)
        lines.append(undecided if report.events else text("No move has been made."))
    if not analysis.verdicts:
        return "\n".join(map(translate, lines))
    proven = sum(each.is_certain for each in analysis.verdicts)
    lines.append(plural_text(
        len(analysis.verdicts),
        "{proven} of {number} verdict is certain; {nodes} positions searched in {seconds} seconds of processor time.",
        "{proven} of {number} verdicts are certain; {nodes} positions searched in {seconds} seconds of processor time.",
        proven=proven, nodes=analysis.searched_nodes, seconds=format_decimal(analysis.seconds),
    ))  # fmt: skip
    return "\n".join(map(translate, lines))
