"""The commands: the module of a command has `main(arguments) -> exit status`, and only that module is imported.

What commands share, and parts of long ones, is in `parts`; none of it is a command.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from companion import Unusable
from companion.languages import said, text


def without(library: str | None, extras: str) -> str:
    """Why something needs a library that is not installed, and how to get it; `extras` as `pip` takes them."""
    command = f".venv/bin/pip install -c constraints.txt '.[{extras}]'"
    message = "{library} is missing: in a clone of this project `{command}` installs it (a service: [install] extras)"
    return text(message, library=library, command=command)


class BadConfiguration(Unusable):
    """The service's configuration cannot be used; systemd does not restart the service after this exit status."""

    status = 78  # EX_CONFIG of sysexits.h


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


def printable(words: str, longest: int = 200) -> str:
    """`words` cut to `longest` characters, in which unprintable characters are then escaped."""
    words = said(words)
    cut = words if len(words) <= longest else words[: longest - 1] + "…"
    return "".join(map(_escaped, cut))


def on_screen(lines: str) -> str:
    """Lines for standard output: for a terminal with unprintable characters escaped, else unchanged."""
    if not sys.stdout.isatty():
        return lines
    return "".join(char if char == "\n" else _escaped(char) for char in lines)


def _escaped(char: str) -> str:
    return char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode("ascii")


def json_text(value: object) -> str:
    """JSON on one line, in which only unprintable characters are escaped."""
    import json  # Not every command writes it.

    # A lone surrogate becomes a question mark.
    line = json.dumps(value, ensure_ascii=False).encode(errors="replace").decode()
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in line)


def cell(words: str) -> str:
    """Words for a spreadsheet cell, with an apostrophe before them if they would be read as a formula."""
    return f"'{words}" if words.startswith(("=", "+", "-", "@", "\t", "\r")) else words
