"""The commands, one module each with a `main(arguments) -> exit status`; only the one asked for is imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class Unusable(Exception):
    """Arguments, a file or a setting that cannot be used, in one sentence."""

    status = 2


class BadConfiguration(Unusable):
    """The service's configuration cannot be used. The service manager does not try again after this exit status."""

    status = 78  # EX_CONFIG of sysexits.h


def arguments(given: Sequence[str], flags: Sequence[str]) -> tuple[set[str], list[str]]:
    """The flags and the rest of the arguments, all after ``--`` being no flag. Raises Unusable for another flag.

    Written by hand because argparse takes longer to import than a record to check.
    """
    found, rest = set(), []
    given = list(given)
    while given:
        argument = given.pop(0)
        if argument == "--":
            rest += given
            break
        if argument in flags:
            found.add(argument)
        elif argument.startswith("-") and argument != "-":
            raise Unusable(f"there is no option {printable(argument)}; the options are {', '.join(flags)}")
        else:
            rest.append(argument)
    return found, rest


def printable(text: str, longest: int = 200) -> str:
    """`text` cut to `longest` characters, with whatever could upset a terminal written as an escape."""
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    if cut.isprintable():
        return cut
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode("ascii") for char in cut
    )


def cell(text: str) -> str:
    """Text for a cell of a spreadsheet, which is not to take it for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
