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

from companion.store.stored_entries import StoredEntry

try:
    from _blake2 import blake2b  # hashlib takes ten times as long to import: 30 ms on a Pi Zero 2.
except ImportError:  # pragma: no cover
    from hashlib import blake2b

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from companion.store.stored_entries import EntryKind

CHECK_DIGITS = 12
"""The hexadecimal digits of a line's check: 48 bits of BLAKE2b."""
MAX_LINE_BYTES = 1 << 20
"""The most bytes of a line."""
_LINE_PATTERN = re.compile(rb"([0-9a-f]{12}) ((\d{1,15})(?:-(\d{1,15})|\+(\d{1,9}))? .*)", re.DOTALL)
_UNREADABLE = re.compile(r"[\x00-\x1f\x7f\\]")
_ESCAPED = re.compile(r"\\(u[0-9a-f]{4}|[\\nrs])")
_SHORT_ESCAPES = {"n": "\n", "r": "\r", "s": " ", "\\": "\\"}


class CheckedLine(NamedTuple):
    """A line of a file whose check is right.

    Attributes:
        number: of the entry; 0 for the first line, which names the format.
        last: the last number that the line covers; larger than `number` only for lost entries.
        following_lines: how many of the next lines were written together with this one.
        data: the bytes of the line, without the line break.
    """

    number: int
    last: int
    following_lines: int
    data: bytes

    @property
    def is_placeholder(self) -> bool:
        """Whether the line is a placeholder for entries that were lost."""
        return self.data.endswith(b" lost")


def seal_line(body: str) -> bytes:
    """Put a line's check before it. Returns bytes without a line break."""
    data = body.encode("utf-8", "backslashreplace")
    return _check(data) + b" " + data


def parse_journal_line(data: bytes) -> CheckedLine | None:
    """Check a line and parse its number; None if its check is wrong. `data` has no line break."""
    match = _LINE_PATTERN.fullmatch(data)
    if match is None or _check(match[2]) != match[1]:
        return None
    number = int(match[3])
    return CheckedLine(number, int(match[4] or number), int(match[5] or 0), data)


def _check(data: bytes) -> bytes:
    return blake2b(data, digest_size=CHECK_DIGITS // 2).hexdigest().encode()


HEADER_LINE = seal_line("0 companion-journal 1")
"""The first line of each journal, which names the format."""


def placeholder_line(first: int, last: int) -> CheckedLine:
    """Make the line that takes the place of lost entries."""
    return CheckedLine(first, last, 0, seal_line(f"{first}-{last} lost"))


def format_entries(entries: Sequence[StoredEntry]) -> bytes:
    """Format entries that are saved together or not at all, as the lines of a file."""
    following_lines = len(entries)
    encoded = []
    for line in entries:
        following_lines -= 1
        number = f"{line.id}+{following_lines}" if following_lines else f"{line.id}"
        words = (number, line.round, f"{line.checksum & 0xFFFFFFFF:08x}", line.kind, line.seat, _as_word(line.date),
                 f"{line.seconds!r}".removesuffix(".0"), _as_word(line.clock), _escape_text(line.text))  # fmt: skip
        encoded.append(seal_line(" ".join(map(str, words))) + b"\n")
    return b"".join(encoded)


def parse_entries(lines: Iterable[CheckedLine | None]) -> Iterator[StoredEntry]:
    """Parse the entries in lines. A placeholder gives an entry ``lost``.

    Lines that say nothing to this version are skipped, such as the first one, or those of a newer program.
    """
    for line in lines:
        fields = _parse_entry(line) if line is not None and line.number else None
        if fields is not None:
            yield fields


def _parse_entry(line: CheckedLine) -> StoredEntry | None:
    if line.is_placeholder:
        return StoredEntry(line.last, 0, "lost", 0, str(line.number), "", 0.0, "", 0)
    words = line.data[CHECK_DIGITS + 1 :].decode("utf-8", "replace").split(" ", 8)
    if len(words) != 9:
        return None  # The line is a newer program's.
    try:
        _, round_, sum_, kind, seat, date, seconds, clock, text = words
        number = int(sum_, 16)
        return StoredEntry(
            line.number, int(round_), cast("EntryKind", kind), int(seat),
            _unescape_text(text), _unescape_text(date, "-"), float(seconds), _unescape_text(clock, "-"),
            number - 0x1_0000_0000 if number & 0x8000_0000 else number,
        )  # fmt: skip
    except ValueError:
        return None


def _as_word(text: str) -> str:
    """Escape a text so that it is one word: "-" for no text, and no spaces."""
    if text in ("", "-"):
        return r"\u002d" if text else "-"
    return _escape_text(text).replace(" ", r"\s")


def _escape_text(text: str) -> str:
    return _UNREADABLE.sub(_escape_character, text)


def _escape_character(match: re.Match[str]) -> str:
    char = match[0]
    return {"\n": r"\n", "\r": r"\r", "\\": r"\\"}.get(char) or f"\\u{ord(char):04x}"


def _unescape_text(text: str, empty: str = "") -> str:
    if "\\" not in text:
        return text if text != empty else ""
    return _ESCAPED.sub(lambda found: _SHORT_ESCAPES.get(found[1]) or chr(int(found[1][1:], 16)), text)
