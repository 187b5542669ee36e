"""Reads SQLite's write-ahead log (WAL): where it ends, and whether it was longer before.

The format is documented in sqlite.org/walformat.html. SQLite takes the first invalid frame as the end, whatever
follows. Here damage in the middle is told apart from the incomplete end that a power cut leaves.
"""

import os
import struct
from pathlib import Path
from typing import NamedTuple

from companion.store.lock import plain_bytes

MAGIC = 0x377F0682
"""The magic number of a WAL; its last bit gives the byte order of the checksums."""
INDEX_HEAD = struct.Struct("=12xB3xII8s8s8x")
"""The header of the -shm file: whether it is valid, frames, pages, checksum of the last frame, salt; native order."""
BLOCK = 4096
"""In bytes: what a file system writes at once."""
FRAME = 24
"""The bytes of a frame's header, which comes before its page."""


class End(NamedTuple):
    """Where a WAL ends: the salt of its generation, the number of frames, the checksum of the last one."""

    salt: bytes = bytes(8)
    frames: int = 0
    checksum: bytes = bytes(8)


class WriteAheadLog(NamedTuple):
    """The state of a WAL: the last commit up to which it is intact, and how many commits follow a damaged frame.

    `last` is the number of the last frame of this generation, intact or not. `unwritten`: the first frame that is not
    intact was never written whole, as a power cut leaves it, so nobody was told that its commit is kept. `bad_head`:
    there are frames, but the WAL's header is damaged. `salt` is that of this generation.
    """

    end: End = End()
    behind: int = 0
    last: int = 0
    unwritten: bool = False
    bad_head: bool = False
    salt: bytes = bytes(8)


def told_by_index(fd: int) -> End:
    """Where the WAL ends according to its index (-shm)."""
    head = os.pread(fd, INDEX_HEAD.size, 0)
    if len(head) < INDEX_HEAD.size:
        return End()
    valid, frames, _, checksum, salt = INDEX_HEAD.unpack(head)
    return End(salt, frames, checksum) if valid and frames else End()


def read(path: Path) -> WriteAheadLog:
    """Read a WAL; a missing or empty one has no frames. Raises StoreError, OSError."""
    return _read(plain_bytes(path))


def brought_in(database: bytes, data: bytes) -> bytes:
    """The bytes of a database with all intact commits of its WAL applied."""
    end = _read(data).end
    if not end.frames:
        return database
    made, page = bytearray(database), int.from_bytes(data[8:12], "big")
    pages = 0
    for offset in range(32, 32 + end.frames * (FRAME + page), FRAME + page):
        number, pages = struct.unpack(">II", data[offset : offset + 8])
        made.extend(bytes(max(0, number * page - len(made))))
        made[(number - 1) * page : number * page] = data[offset + FRAME : offset + FRAME + page]
    return bytes(made[: pages * page])  # The commit frame has the database's size in pages.


def _read(data: bytes) -> WriteAheadLog:
    if len(data) <= 32:
        return WriteAheadLog()
    magic, _, page = struct.unpack(">III", data[:12])
    order = ">" if magic & 1 else "<"
    if magic & ~1 != MAGIC or page & (page - 1) or page < 512 or _sum(data[:24], (0, 0), order) != _two(data[24:32]):
        return WriteAheadLog(bad_head=any(data[:32]))  # It is on disk before any frame is written.
    return _frames(data, page, order)


def holds(fd: int, end: End, page: int) -> bool:
    """Whether an open WAL still has the frame that was its last. Raises OSError."""
    if not end.frames:
        return True
    frame = os.pread(fd, FRAME, 32 + (end.frames - 1) * (FRAME + page))
    return len(frame) == FRAME and frame[8:16] == end.salt and struct.pack("=II", *_two(frame[16:])) == end.checksum


def pages(fd: int, frames: int, page: int) -> set[int]:
    """The page numbers of the first `frames` frames of a WAL. Raises OSError."""
    heads = (os.pread(fd, 4, 32 + number * (FRAME + page)) for number in range(frames))
    return {int.from_bytes(head, "big") for head in heads}


def _frames(data: bytes, page: int, order: str) -> WriteAheadLog:
    salt, before = data[16:24], _two(data[24:32])
    end, broken, unwritten, behind, last = End(), False, False, 0, 0
    for number, offset in enumerate(range(32, len(data), FRAME + page), 1):
        frame = data[offset : offset + FRAME + page]
        if not broken:
            after = _sum(frame[24:], _sum(frame[:8], before, order), order) if len(frame) == FRAME + page else None
            # A damaged salt, or an earlier generation's rest: the frames behind it show which.
            broken = frame[8:16] != salt or after != _two(frame[16:24])
            unwritten = broken and _is_unwritten(frame, offset, page, salt)
            before = after or before
        if len(frame) < FRAME or frame[8:16] != salt:
            continue
        last = number
        commit = frame[4:8] != bytes(4)
        if broken:
            behind += commit
        elif commit:
            end = End(salt, number, struct.pack("=II", *before))
    return WriteAheadLog(end, behind, last, unwritten, salt=salt)


def _is_unwritten(frame: bytes, offset: int, page: int, salt: bytes) -> bool:
    """Whether a frame that is not intact is cut short, begins with something else, or ends with a block of nothing."""
    if len(frame) < FRAME + page or sum(one != other for one, other in zip(frame[8:16], salt, strict=True)) > 1:
        return True
    return not any(frame[-((offset + FRAME + page) % BLOCK) :])


def _two(data: bytes) -> tuple[int, int]:
    first, second = struct.unpack(">II", data)
    return first, second


def _sum(data: bytes, before: tuple[int, int], order: str) -> tuple[int, int]:
    """The WAL's checksum of bytes, continued from the bytes before."""
    one, two = before
    words = iter(struct.unpack(f"{order}{len(data) // 4}I", data[: len(data) // 8 * 8]))
    for word in words:
        one = (one + word + two) & 0xFFFFFFFF
        two = (two + next(words) + one) & 0xFFFFFFFF
    return one, two
