"""What the store reports about its files and disks: warnings, which become sentences only when they are shown.

Warnings are saved as codes and values rather than sentences, so that they can be shown in any language. A warning about
damage stays in a file beside the journal until somebody has pressed a key, and is repeated at each start until then.
"""

from __future__ import annotations

import json
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from companion.languages import format_list, join_texts, plural_text, text
from companion.store.data_folder import MAX_SMALL_FILE_BYTES, delete_or_set_aside, overwrite_file, read_small_file
from companion.store.errors import DISK_FULL_SENTENCE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from companion.languages import Text

NOTICE_NAME = "rounds.journal.notice"
"""The file with the warnings that nobody has confirmed."""
MAX_NAMED_SPANS = 6
"""How many spans of lost entries a warning names."""


class WarningKind(Enum):
    """What a warning is about. The panel, which has no room for the sentence, shows a few words for each kind."""

    DAMAGED = "rounds were damaged, or are gone"
    MENDED = "files were damaged, and nothing is lost"
    LAST_ENTRY = "the last entry may be missing"
    CUT = "the last entries may be missing"
    NO_ROOM = "the disk is full"
    AWAY = "the second disk is not connected"
    FOREIGN = "the second disk is another table's"
    BACK = "the second disk has all rounds"


class LostSpan(NamedTuple):
    """A span of entries that are in no file any more, and the rounds that they may have belonged to."""

    first: int
    last: int
    rounds: tuple[int, ...] = ()

    @property
    def display_text(self) -> Text:
        """``lines 7 to 9 (round 2)``."""
        lines = text("lines {first} to {last}", first=self.first, last=self.last)
        if self.first == self.last:
            lines = text("line {number}", number=self.first)
        if len(self.rounds) > 1:
            one, other = self.rounds[0], self.rounds[-1]
            return text("{lines} (round {one} or {other})", lines=lines, one=one, other=other)
        return text("{lines} (round {round})", lines=lines, round=self.rounds[0]) if self.rounds else lines


class StoreWarning(NamedTuple):
    """A warning: what has happened, and the values of its sentence.

    Attributes:
        kind: what has happened.
        files: the names of the damaged files.
        differs_from: the number of the entry from which on two files differ; 0 if they do not.
        lost_spans: the first few spans of entries that are lost.
        unnamed_spans: how many further spans there are.
        aside_names: the names under which damaged files were set aside.
    """

    kind: WarningKind
    files: tuple[str, ...] = ()
    differs_from: int = 0
    lost_spans: tuple[LostSpan, ...] = ()
    unnamed_spans: int = 0
    aside_names: tuple[str, ...] = ()

    @property
    def sentences(self) -> Text:
        """The sentence, followed by one about the files that were set aside."""
        if not self.aside_names:
            return self._sentence
        where = text("The old files were set aside as {files}.", files=format_list(self.aside_names))
        return join_texts((self._sentence, where), " ")

    @property
    def _sentence(self) -> Text:
        if self.lost_spans:
            return text(
                "The saved rounds were damaged in both files: {lost}.",
                lost=lost_text(self.lost_spans, self.unnamed_spans),
            )
        if self.differs_from:
            return text("The two files of saved rounds differ from line {number} on.", number=self.differs_from)
        if len(self.files) > 1:
            return text(
                "Both files of saved rounds were damaged, but in different places, and have been repaired: nothing is "
                "lost."
            )
        if self.files:
            mended = "{file} was damaged and has been repaired from the other file: nothing is lost."
            return text(mended, file=self.files[0])
        return _SENTENCES[self.kind]


_SENTENCES = {
    WarningKind.DAMAGED: text("The files of saved rounds are gone; new ones were started."),
    WarningKind.LAST_ENTRY: text(
        "The last entry may be missing: the power failed while it was being written, or the disk has changed it."
    ),
    WarningKind.CUT: text("The last entries may be missing: all files of saved rounds were cut short."),
    WarningKind.NO_ROOM: DISK_FULL_SENTENCE,
    WarningKind.AWAY: text(
        "The disk for the second copy of the rounds is not connected or cannot be written to: both copies are on the "
        "box."
    ),
    WarningKind.FOREIGN: text(
        "The disk for the second copy holds another table's rounds and is left as it is: both copies are on the box."
    ),
    WarningKind.BACK: text("The second copy of the rounds is on its own disk."),
}


def lost_text(spans: Sequence[LostSpan], unnamed_spans: int = 0) -> Text:
    """Spans of lost entries in words, with the rounds around them: ``line 7 (round 2) is lost``."""
    some = join_texts([each.display_text for each in spans], ", ")
    if unnamed_spans:
        some = plural_text(
            unnamed_spans, "{some} and {number} more place", "{some} and {number} more places", some=some
        )
    one = len(spans) == 1 and not unnamed_spans and spans[0].first == spans[0].last
    return text("{lines} is lost", lines=some) if one else text("{lines} are lost", lines=some)


class StoreWarnings(NamedTuple):
    """Warnings for the players, none of them twice."""

    warnings: tuple[StoreWarning, ...] = ()

    def with_warnings(self, *more: StoreWarning) -> StoreWarnings:
        """Return these warnings and further ones, none of them twice."""
        return StoreWarnings(tuple(dict.fromkeys((*self.warnings, *more))))

    @property
    def sentences(self) -> str:
        """The sentences of all warnings, "" for none."""
        return join_texts([each.sentences for each in self.warnings], " ") if self.warnings else ""

    @property
    def kinds(self) -> frozenset[WarningKind]:
        return frozenset(each.kind for each in self.warnings)


def saved_warnings(folder: Path) -> tuple[StoreWarning, ...]:
    """Read the warnings that nobody has confirmed; () if their file cannot be read."""
    try:
        return tuple(
            StoreWarning(
                WarningKind[name],
                tuple(files),
                differ,
                tuple(LostSpan(a, b, tuple(c)) for a, b, c in lost),
                more,
                tuple(at),
            )
            for name, files, differ, lost, more, at in json.loads(read_small_file(folder / NOTICE_NAME) or b"[]")
        )
    except (ValueError, LookupError, TypeError, RecursionError):
        return ()


def save_warning(folder: Path, warning: StoreWarning) -> None:
    """Add a warning to the file, unless it is there already; on disk when this returns. Raises StoreError, OSError."""
    warnings = StoreWarnings(saved_warnings(folder)).with_warnings(warning).warnings
    while len(data := json.dumps([[each.kind.name, *each[1:]] for each in warnings]).encode()) > MAX_SMALL_FILE_BYTES:
        warnings = warnings[1:]
    overwrite_file(folder / NOTICE_NAME, data, sync=True)


def delete_warnings(folder: Path) -> None:
    """Delete the saved warnings, since somebody has pressed a key. Raises OSError."""
    delete_or_set_aside(folder / NOTICE_NAME)
