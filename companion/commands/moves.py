"""`companion moves`: lists every legal event of the seat to move after a record."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from companion import Unusable
from companion.commands.check import arguments, in_words
from companion.commands.streams import read_text
from companion.languages import text
from companion.record import check

USAGE = """\
companion moves [--json] FILE

Lists every legal event of the seat to move after a game record (.tcr), one a line, sorted as text.
`-` is standard input. A draw or refill that is due stands there without its pieces.

  --json   one object: {"to_move": 1, "moves": ["1x1", "1x2"]}

Exit status: 0 listed, 1 the record does not stand, 2 unusable arguments or an unreadable file."""


def main(given: Sequence[str]) -> int:
    """List the moves after the named record. Returns the exit status."""
    flags, paths = arguments(given, USAGE, "--json")
    if len(paths) != 1:
        raise Unusable(text("name one record, or - for standard input: companion moves FILE"))
    whole = read_text(paths[0])
    report = check(whole)
    if report.fault:
        print(in_words(paths[0], report, whole), file=sys.stderr)
        return 1
    to_move = report.rules.turn(report.state)
    moves = sorted(map(str, report.rules.moves(report.state)))
    if "--json" in flags:
        import json

        print(json.dumps({"to_move": to_move, "moves": moves}))
    elif to_move is None:
        print(text("The round is over."), file=sys.stderr)
    elif not moves:
        sentence = "Nothing can be listed: seat {seat} is to move, and what it holds is sealed."
        print(text(sentence, seat=to_move), file=sys.stderr)
    else:
        print("\n".join(moves))
    return 0
