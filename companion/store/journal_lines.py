"""Formats and parses the lines of a journal file: UTF-8, one log entry a line, each with its number and its own check.

    3f9a0c12d4e1 1234 57 9c2f01ab event 2 2026-11-21T20:15:03+01:00 4.5 - 2:54
    │            │    │  │        │     │ │                         │   │ └ text
    │            │    │  │        │     │ │                         │   └ clock ("-" for none)
    │            │    │  │        │     │ └ time                    └ seconds of thinking
    │            │    │  │        │     └ seat
    │            │    │  │        └ kind
    │            │    │  └ checksum, continued from the round's entry before
    │            │    └ round
    │            └ number of the entry
    └ check of everything that follows on the line

docs/journal.md describes the format.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, cast

from companion.store.stored_lines import StoredLine

try:
    from _blake2 import blake2b  # hashlib takes ten times as long to import: 30 ms on a Pi Zero 2.
except ImportError:  # pragma: no cover
    from hashlib import blake2b

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from companion.store.stored_lines import LineKind

CHECK = 12
"""The hexadecimal digits of a line's check: 48 bits of BLAKE2b."""
LONGEST_LINE = 1 << 20
"""The most bytes of a line."""
_LINE = re.compile(rb"([0-9a-f]{12}) ((\d{1,15})(?:-(\d{1,15})|\+(\d{1,9}))? .*)", re.DOTALL)
_UNREADABLE = re.compile(r"[\x00-\x1f\x7f\\]")
_ESCAPED = re.compile(r"\\(u[0-9a-f]{4}|[\\nrs])")
_SHORT = {"n": "\n", "r": "\r", "s": " ", "\\": "\\"}


class Sealed(NamedTuple):
    """A line of a file whose check is right.

    Attributes:
        number: of the entry; 0 for the first line, which names the format.
        last: the last number that the line covers; larger than `number` only for lost entries.
        following_lines: how many of the next lines were written together with this one.
        data: the bytes of the line, without the line break.
    """

    number: int
    last: int
    more: int
    data: bytes

    @property
    def lost(self) -> bool:
        """Whether the line is a placeholder for entries that were lost."""
        return self.data.endswith(b" lost")


def sealed(body: str) -> bytes:
    """Put a line's check before it. Returns bytes without a line break."""
    data = body.encode("utf-8", "backslashreplace")
    return _check(data) + b" " + data


def opened(data: bytes) -> Sealed | None:
    """Check a line and parse its number; None if its check is wrong. `data` has no line break."""
    found = _LINE.fullmatch(data)
    if found is None or _check(found[2]) != found[1]:
        return None
    number = int(found[3])
    return Sealed(number, int(found[4] or number), int(found[5] or 0), data)


def _check(data: bytes) -> bytes:
    return blake2b(data, digest_size=CHECK // 2).hexdigest().encode()


HEADER = sealed("0 companion-journal 1")
"""The first line of each journal, which names the format."""


def placeholder(first: int, last: int) -> Sealed:
    """Make the line that takes the place of lost entries."""
    return Sealed(first, last, 0, sealed(f"{first}-{last} lost"))


def written(lines: Sequence[StoredLine]) -> bytes:
    """Format entries that are saved together or not at all, as the lines of a file."""
    left = len(lines)
    made = []
    for line in lines:
        left -= 1
        number = f"{line.id}+{left}" if left else f"{line.id}"
        words = (number, line.round, f"{line.sum & 0xFFFFFFFF:08x}", line.kind, line.seat, _word(line.date),
                 f"{line.seconds!r}".removesuffix(".0"), _word(line.clock), _escaped(line.text))  # fmt: skip
        made.append(sealed(" ".join(map(str, words))) + b"\n")
    return b"".join(made)


def understood(lines: Iterable[Sealed | None]) -> Iterator[StoredLine]:
    """Parse the entries in lines. A placeholder gives an entry ``lost``.

    Lines that say nothing to this version are skipped, such as the first one, or those of a newer program.
    """
    for line in lines:
        fields = _fields(line) if line is not None and line.number else None
        if fields is not None:
            yield fields


def _fields(line: Sealed) -> StoredLine | None:
    if line.lost:
        return StoredLine(line.last, 0, "lost", 0, str(line.number), "", 0.0, "", 0)
    words = line.data[CHECK + 1 :].decode("utf-8", "replace").split(" ", 8)
    if len(words) != 9:
        return None  # The line is a newer program's.
    try:
        _, round_, sum_, kind, seat, date, seconds, clock, text = words
        number = int(sum_, 16)
        return StoredLine(
            line.number, int(round_), cast("LineKind", kind), int(seat), _plain(text), _plain(date, "-"),
            float(seconds), _plain(clock, "-"), number - 0x1_0000_0000 if number & 0x8000_0000 else number,
        )  # fmt: skip
    except ValueError:
        return None


def _word(text: str) -> str:
    """Escape a text so that it is one word: "-" for no text, and no spaces."""
    if text in ("", "-"):
        return r"\u002d" if text else "-"
    return _escaped(text).replace(" ", r"\s")


def _escaped(text: str) -> str:
    return _UNREADABLE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    return {"\n": r"\n", "\r": r"\r", "\\": r"\\"}.get(char) or f"\\u{ord(char):04x}"


def _plain(text: str, empty: str = "") -> str:
    if "\\" not in text:
        return text if text != empty else ""
    return _ESCAPED.sub(lambda found: _SHORT.get(found[1]) or chr(int(found[1][1:], 16)), text)
