"""Files that a command reads: never more of them than a record can have, and never waiting for good."""

from __future__ import annotations

import os
import select
import stat
import sys
import time

from companion.commands import Unusable, printable

LONGEST_FILE = 8 * 2**20
"""Bytes of the longest file that is read; the longest round that was ever played is some 20,000."""
READ_SECONDS = 10.0
"""How long a pipe or device may take to give all that it has; standard input is waited for, as everywhere."""


def read_text(path: str, longest: int = LONGEST_FILE) -> str:
    """The text of a UTF-8 file, of standard input for ``-``. Raises Unusable."""
    try:
        data = _standard_input(longest) if path == "-" else _file(path, longest)
    except OSError as error:
        raise Unusable(f"cannot read {printable(path)}: {error.strerror or error}") from None
    except ValueError as error:  # A name that no file can have.
        raise Unusable(f"cannot read {printable(path)}: {error}") from None
    if len(data) > longest:
        raise Unusable(f"cannot read {printable(path)}: it is longer than {longest >> 20} MiB, which no record is")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unusable(f"cannot read {printable(path)}: byte {error.start + 1} is not UTF-8") from None


def _standard_input(longest: int) -> bytes:
    if sys.stdin is None:
        raise Unusable("there is no standard input to read")
    return sys.stdin.buffer.read(longest + 1)


def _file(path: str, longest: int) -> bytes:
    """What a file has, up to one byte more than `longest`. Raises OSError, Unusable."""
    # Without O_NONBLOCK, opening a FIFO that nobody writes to would wait for ever.
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return _stream(fd, path, longest)
        with os.fdopen(fd, "rb", closefd=False) as file:
            return file.read(longest + 1)
    finally:
        os.close(fd)


def _stream(fd: int, path: str, longest: int) -> bytes:
    """What a pipe or a device gives before it ends. Raises OSError, and Unusable where it does not end in time."""
    waiting = select.poll()
    waiting.register(fd, select.POLLIN)
    end, data = time.monotonic() + READ_SECONDS, bytearray()
    while len(data) <= longest:
        left = end - time.monotonic()
        if left <= 0 or not waiting.poll(left * 1000):
            raise Unusable(f"cannot read {printable(path)}: it did not end within {READ_SECONDS:g} seconds")
        part = os.read(fd, 2**16)
        if not part:
            break
        data += part
    return bytes(data)
