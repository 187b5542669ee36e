"""Words as a command prints them: on a terminal, as JSON, in a cell of a spreadsheet."""

from __future__ import annotations

import sys

from companion.languages import said


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
    # French sentences have no-break spaces.
    return (
        char
        if char.isprintable() or char == "\N{NO-BREAK SPACE}"
        else char.encode("unicode_escape", "surrogatepass").decode("ascii")
    )


def json_text(value: object) -> str:
    """JSON on one line, in which only unprintable characters are escaped."""
    import json  # Not every command writes it.

    # A lone surrogate becomes a question mark.
    line = json.dumps(value, ensure_ascii=False).encode(errors="replace").decode()
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in line)


def cell(words: str) -> str:
    """Words for a spreadsheet cell, with an apostrophe before them if they would be read as a formula."""
    return f"'{words}" if words.startswith(("=", "+", "-", "@", "\t", "\r")) else words
