"""The arguments of commands that have to start at once, without argparse."""

from __future__ import annotations

from collections.abc import Sequence

from companion import Unusable
from companion.commands.streams import printable
from companion.languages import text


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
