"""Text that commands read and print: files within limits of size and time, and words in a form that is safe to print.

Files come from anywhere, so reading one must always end, and what is printed must not control the terminal.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion import UnusableError
from companion.languages import os_error_text, text, translate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_FILE_BYTES = 8 * 2**20
"""The longest file that is read, in bytes; the longest known round has about 20,000."""
READ_SECONDS = 10.0
"""How long reading a pipe or device may take; standard input has no limit."""


def read_text(path: str, most_bytes: int = MAX_FILE_BYTES) -> str:
    """The text of a UTF-8 file (``-``: standard input) of at most `most_bytes`. Raises UnusableError."""
    try:
        data = _read_standard_input(most_bytes) if path == "-" else _read_file(path, most_bytes)
    except OSError as error:
        raise UnusableError(
            text("cannot read {file}: {why}", file=printable_text(path), why=os_error_text(error))
        ) from None
    except ValueError as error:  # The file name has a null character.
        raise UnusableError(text("cannot read {file}: {why}", file=printable_text(path), why=error)) from None
    if len(data) > most_bytes:
        message = "cannot read {file}: it is larger than {size} MiB, too large for a record"
        raise UnusableError(text(message, file=printable_text(path), size=most_bytes >> 20))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        message = "cannot read {file}: byte {number} is not UTF-8"
        raise UnusableError(text(message, file=printable_text(path), number=error.start + 1)) from None


def read_texts(paths: Iterable[str]) -> Iterator[tuple[str, str | None]]:
    """Yield each path with its text, or None if it cannot be read, which is reported on standard error."""
    for path in paths:
        try:
            content = read_text(path)
        except UnusableError as error:
            sys.stdout.flush()  # This keeps the order if both streams go to the same place.
            print(f"companion: {error.sentence}", file=sys.stderr)
            yield path, None
        else:
            yield path, content


@contextmanager
def unusable_on_error(message: str, **values: object) -> Iterator[None]:
    """Within this context an OSError becomes an UnusableError with a message.

    `why` in the message stands for the system's own words.
    """
    try:
        yield
    except OSError as error:
        raise UnusableError(text(message, why=os_error_text(error), **values)) from None


def _read_standard_input(most_bytes: int) -> bytes:
    if sys.stdin is None:
        raise UnusableError(text("there is no standard input to read"))
    return sys.stdin.buffer.read(most_bytes + 1)


def _read_file(path: str, most_bytes: int) -> bytes:
    """The content of a file, at most one byte more than `most_bytes`. Raises OSError, UnusableError."""
    # Without O_NONBLOCK, opening a FIFO that nobody writes to would wait for ever.
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return _read_stream(fd, path, most_bytes)
        with os.fdopen(fd, "rb", closefd=False) as file:
            return file.read(most_bytes + 1)
    finally:
        os.close(fd)


def _read_stream(fd: int, path: str, most_bytes: int) -> bytes:
    """The content of a pipe or a device. Raises OSError, and UnusableError if it does not end in time."""
    import select  # Imported here because few files are pipes.

    poll = select.poll()
    poll.register(fd, select.POLLIN)
    end, data = time.monotonic() + READ_SECONDS, bytearray()
    while len(data) <= most_bytes:
        seconds_left = end - time.monotonic()
        if seconds_left <= 0 or not poll.poll(seconds_left * 1000):
            message = "cannot read {file}: it did not end within {seconds} seconds"
            raise UnusableError(text(message, file=printable_text(path), seconds=f"{READ_SECONDS:g}"))
        chunk = os.read(fd, 2**16)
        if not chunk:
            break
        data += chunk
    return bytes(data)


def printable_text(value: str, most_letters: int = 200) -> str:
    """A text cut to `most_letters`, in which unprintable characters are then escaped."""
    value = translate(value)
    cut = value if len(value) <= most_letters else value[: most_letters - 1] + "…"
    return "".join(map(_escape_char, cut))


def terminal_text(lines: str) -> str:
    """Lines for standard output: for a terminal with unprintable characters escaped, else unchanged."""
    if not sys.stdout.isatty():
        return lines
    return "".join(char if char == "\n" else _escape_char(char) for char in lines)


def _escape_char(char: str) -> str:
    # French sentences have no-break spaces, which Python does not count as printable.
    return (
        char
        if char.isprintable() or char == "\N{NO-BREAK SPACE}"
        else char.encode("unicode_escape", "surrogatepass").decode("ascii")
    )


def json_text(value: object) -> str:
    """JSON on one line, in which only unprintable characters are escaped."""
    import json  # Imported here because few commands write JSON.

    # A lone surrogate becomes a question mark.
    line = json.dumps(value, ensure_ascii=False).encode(errors="replace").decode()
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in line)


def csv_cell(value: str) -> str:
    """A text for a spreadsheet cell, with an apostrophe before it if it would be read as a formula."""
    return f"'{value}" if value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


def missing_library_message(library: str | None, extras: str) -> str:
    """Why something needs a library that is not installed, and how to get it; `extras` as `pip` takes them."""
    command = f".venv/bin/pip install -c constraints.txt '.[{extras}]'"
    message = (
        "{library} is missing: in a clone of this project `{command}` installs it; a box needs the package {package}"
    )
    package = "tabletop-companion-report" if extras == "report" else "tabletop-companion"
    return text(message, library=library, command=command, package=package)
