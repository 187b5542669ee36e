"""The write-ahead log of SQLite, read from outside: how far it goes, and whether it once went further.

The format is documented in sqlite.org/walformat.html. SQLite itself takes the first frame that does not fit for the
end, whatever follows it; here that is told from the end that a power cut leaves.
"""

from __future__ import annotations

import os
import struct
from typing import TYPE_CHECKING, NamedTuple

from companion.store.lock import plain_bytes

if TYPE_CHECKING:
    from pathlib import Path

MAGIC = 0x377F0682
"""The last bit says in which byte order the checksums are counted."""
INDEX_HEAD = struct.Struct("=12xB3xII8s8s8x")
"""The head of the -shm file: whether it is valid, frames, pages, checksum of the last frame (native order), salt."""
FRAME = 24
"""Bytes of the head of a frame, before its page."""


class End(NamedTuple):
    """How far a log goes: the salt of its generation, its frames, the checksum of the last one."""

    salt: bytes = bytes(8)
    frames: int = 0
    checksum: bytes = bytes(8)


class Log(NamedTuple):
    """What a log holds: up to which commit it is whole, and how many commits come after a damaged frame.

    `last` is the number of the last frame of this generation, whole or not. `bad_head`: there are frames, but what they
    belong to cannot be read.
    """

    end: End = End()
    behind: int = 0
    last: int = 0
    bad_head: bool = False


def told_by_index(fd: int) -> End:
    """How far the log goes by the index (-shm) that SQLite shares with its readers."""
    head = os.pread(fd, INDEX_HEAD.size, 0)
    if len(head) < INDEX_HEAD.size:
        return End()
    valid, frames, _, checksum, salt = INDEX_HEAD.unpack(head)
    return End(salt, frames, checksum) if valid and frames else End()


def read(path: Path) -> Log:
    """Read a log; one that is missing or empty has no frames. Raises StoreError, OSError."""
    return _read(plain_bytes(path))


def brought_in(database: bytes, data: bytes) -> bytes:
    """The bytes of a database with the pages of all commits that are whole in the bytes of its log."""
    end = _read(data).end
    if not end.frames:
        return database
    made, page = bytearray(database), int.from_bytes(data[8:12], "big")
    pages = 0
    for offset in range(32, 32 + end.frames * (FRAME + page), FRAME + page):
        number, pages = struct.unpack(">II", data[offset : offset + 8])
        made.extend(bytes(max(0, number * page - len(made))))
        made[(number - 1) * page : number * page] = data[offset + FRAME : offset + FRAME + page]
    return bytes(made[: pages * page])  # The last frame, which commits, has the size of the database.


def _read(data: bytes) -> Log:
    if len(data) <= 32:
        return Log()
    magic, _, page = struct.unpack(">III", data[:12])
    order = ">" if magic & 1 else "<"
    if magic & ~1 != MAGIC or page & (page - 1) or page < 512 or _sum(data[:24], (0, 0), order) != _two(data[24:32]):
        return Log(bad_head=True)
    return _frames(data, page, order)


def holds(fd: int, end: End, page: int) -> bool:
    """Whether a log that is open still has the last frame that it had. Raises OSError."""
    if not end.frames:
        return True
    frame = os.pread(fd, FRAME, 32 + (end.frames - 1) * (FRAME + page))
    return len(frame) == FRAME and frame[8:16] == end.salt and struct.pack("=II", *_two(frame[16:])) == end.checksum


def pages(fd: int, frames: int, page: int) -> set[int]:
    """The numbers of the pages in the first frames of a log. Raises OSError."""
    heads = (os.pread(fd, 4, 32 + number * (FRAME + page)) for number in range(frames))
    return {int.from_bytes(head, "big") for head in heads}


def _frames(data: bytes, page: int, order: str) -> Log:
    salt, before = data[16:24], _two(data[24:32])
    end, broken, behind, last = End(), False, 0, 0
    for number, offset in enumerate(range(32, len(data), 24 + page), 1):
        frame = data[offset : offset + 24 + page]
        if len(frame) < 24 or frame[8:16] != salt:
            broken = True  # The rest of a generation before, or a salt that was changed: the frames behind will tell.
            continue
        last = number
        commit = frame[4:8] != bytes(4)
        if not broken:
            counted = _sum(frame[24:], _sum(frame[:8], before, order), order)
            broken = len(frame) < 24 + page or counted != _two(frame[16:24])
            before = counted
        if broken:
            behind += commit
        elif commit:
            end = End(salt, number, struct.pack("=II", *before))
    return Log(end, behind, last)


def _two(data: bytes) -> tuple[int, int]:
    first, second = struct.unpack(">II", data)
    return first, second


def _sum(data: bytes, before: tuple[int, int], order: str) -> tuple[int, int]:
    """SQLite's checksum of bytes, continued from the bytes before."""
    one, two = before
    words = iter(struct.unpack(f"{order}{len(data) // 4}I", data[: len(data) // 8 * 8]))
    for word in words:
        one = (one + word + two) & 0xFFFFFFFF
        two = (two + next(words) + one) & 0xFFFFFFFF
    return one, two
