"""`companion void`: a finished round no longer counts, or counts again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import Unusable
from companion.commands import opened_store, options
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Sequence

DESCRIPTION = """\
Makes a finished round void: it stays in the history, and counts in no standings, ratings or matches. With --undo it
counts again. The table must not be running."""


def main(given: Sequence[str]) -> int:
    """Void or restore a round. Returns the exit status."""
    parser = options.parser("void", DESCRIPTION)
    which = text("the round's number, as `companion history` gives it")
    options.value(parser, "round", "ROUND", which, type=options.number)
    options.switch(parser, "--undo", text("the round counts again"))
    arguments = parser.parse_args(given)
    with opened_store.to_change(arguments) as store:
        if fault := store.change_round(arguments.round, "restore" if arguments.undo else "void"):
            raise Unusable(fault)
    print(text("round {number} counts again" if arguments.undo else "round {number} is void", number=arguments.round))
    return 0
