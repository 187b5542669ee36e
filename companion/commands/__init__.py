"""The commands: the module of a command has `main(arguments) -> exit status`, and only that module is imported.

Modules whose names begin with `_`, and `files`, `options`, `tables`, `examination`, `probe` and `pad_text`, are shared
by several commands.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from companion import Unusable

if TYPE_CHECKING:
    from collections.abc import Sequence


def without(library: str | None, extras: str) -> str:
    """Why something needs a library that is not installed, and how to get it; `extras` as `pip` takes them."""
    command = f".venv/bin/pip install -c constraints.txt '.[{extras}]'"
    return f"{library} is missing: in a clone of this project `{command}` installs it (a service: [install] extras)"


class BadConfiguration(Unusable):
    """The service's configuration cannot be used; systemd does not restart the service after this exit status."""

    status = 78  # EX_CONFIG of sysexits.h


def arguments(given: Sequence[str], flags: Sequence[str]) -> tuple[set[str], list[str]]:
    """Split arguments into flags and others; after ``--`` nothing is a flag. Raises Unusable for an unknown flag.

    Written by hand, because importing argparse takes longer than checking a record.
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
    """`text` cut to `longest` characters, in which unprintable characters are then escaped."""
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return "".join(map(_escaped, cut))


def on_screen(text: str) -> str:
    """Text of several lines for standard output: for a terminal with unprintable characters escaped, else unchanged."""
    if not sys.stdout.isatty():
        return text
    return "".join(char if char == "\n" else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    return char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode("ascii")


def json_text(said: object) -> str:
    """JSON on one line, in which only unprintable characters are escaped."""
    import json  # Not every command writes it.

    text = (
        json.dumps(said, ensure_ascii=False).encode(errors="replace").decode()
    )  # A lone surrogate becomes a question mark.
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)


def cell(text: str) -> str:
    """Text for a spreadsheet cell, with an apostrophe before it if it would be read as a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
