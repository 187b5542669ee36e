"""What a command says where a library of one of the extras is missing."""

from __future__ import annotations

from companion.languages import text


def without(library: str | None, extras: str) -> str:
    """Why something needs a library that is not installed, and how to get it; `extras` as `pip` takes them."""
    command = f".venv/bin/pip install -c constraints.txt '.[{extras}]'"
    message = "{library} is missing: in a clone of this project `{command}` installs it (a service: [install] extras)"
    return text(message, library=library, command=command)
