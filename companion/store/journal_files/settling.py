"""Judges the journal's files where they are not alike: which are damaged, and which a power cut has left behind."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from companion.languages import counted, joined, listed, text
from companion.store.journal_files.journal_lines import understood
from companion.store.journal_files.mending import Source, Together
from companion.store.notices import Happened, Told, told
from companion.store.notices import joined as both_said

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from companion.store.journal_files.mending import Lines

NOTHING_LOST = "nothing is lost"
"""What a sentence has where all lines are there."""
LAST_ENTRY = told(
    Happened.LAST_ENTRY,
    text("The last entry may be missing: the power failed while it was written, or the disk has changed it."),
)
CUT = told(Happened.CUT, text("The last entries may be missing: all files of the kept rounds were cut short."))


class State(NamedTuple):
    """The files of a journal as they were found.

    Attributes:
        together: the lines of all of them.
        anew: the files that have to be written anew.
        damaged: those of them that are not just as a power cut leaves them.
        to_keep: those of which something is left out.
        cut: they may end early, and nobody knows.
    """

    together: Together
    anew: list[Path]
    damaged: list[Path]
    to_keep: list[Path]
    cut: bool


def judged(
    paths: Sequence[Path], sources: Sequence[Source], spare: Lines | None = None, *, away: bool = False
) -> State:
    """Judge open files; `spare` has lines that were kept, `away`: the second file was elsewhere. Raises OSError."""
    together = Together(sources, spare)
    for _ in together.lines():
        pass
    short = all(source.short for source in sources)
    state = State(together, [], [], [], short and spare is None)
    known = spare.top if spare is not None else 0
    for path, source in zip(paths, sources, strict=True):
        here = os.path.lexists(path) and os.path.samestat(os.lstat(path), os.fstat(source.fd))
        well = source.clean and not source.rest and source.top == together.top and not together.lost
        back = any(together.line(number) for first, last in source.gone for number in range(first, last + 1))
        if here and well and not back:
            if short:
                state.anew.append(path)
            continue
        state.anew.append(path)
        late = away and source is not sources[0] and source.clean and not together.other
        if not late and (not here or together.lost or not _was_cut(source, sources, together, known)):
            state.damaged.append(path)
        if not here or together.lost or together.other:
            state.to_keep.append(path)
    return state


def _was_cut(mine: Source, sources: Sequence[Source], found: Together, known: int) -> bool:
    """Whether a file is as a power cut leaves it while lines are written, and not damaged."""
    if not mine.clean or found.other or len(sources) < 2:
        return False
    first, second = sources[:2]
    if mine is first:  # The second file has nothing of what was being written.
        return mine.top >= found.top == second.top and not second.rest
    if mine.top < 0:  # The second file was being made.
        return not found.top
    line = first.line(mine.top + 1)
    return known <= mine.top and first.clean and line is not None and line.number + line.more == found.top


# -- what is told -------------------------------------------------------------------------------------------------


def to_tell(state: State, aside: Sequence[str] = ()) -> Told:
    """What the players are told, no words for nothing; `aside` are the names under which damaged files are kept."""
    found, happened = state.together, Happened.DAMAGED
    end = CUT if state.cut else LAST_ENTRY if found.rest else Told()
    if found.lost:
        what = text("The kept rounds were damaged in both files: {lost}.", lost=lost(state))
    elif found.other:
        what = text("The two files of the kept rounds differ from line {number} on.", number=found.other)
    elif end.words or not state.damaged:
        return end
    elif len(state.damaged) > 1:
        happened = Happened.MENDED
        what = text("Both files of the kept rounds were damaged, at different places, and mended: nothing is lost.")
    else:
        happened, name = Happened.MENDED, state.damaged[0].name
        what = text("{file} was damaged, and mended from the other file: nothing is lost.", file=name)
    where = text("What there was lies aside as {files}.", files=listed(aside)) if aside else ""
    return told(happened, both_said(what, where)).and_then(end)


def kept_to_tell(words: str) -> Told:
    """What was kept to be told again, which is the words alone: what has happened is found in these."""
    rest, happened = words, frozenset[Happened]()
    for end in (LAST_ENTRY, CUT):
        if end.words in rest:
            rest, happened = rest.replace(end.words, ""), happened | end.happened
    if rest.strip() or (words and not happened):
        happened |= {Happened.MENDED if NOTHING_LOST in rest else Happened.DAMAGED}
    return Told(words, happened)


def lost(state: State) -> str:
    """The lines that are lost, with the rounds before and after them: ``line 7 (round 2) is lost``; "" for none."""
    spans = state.together.lost
    if not spans:
        return ""
    some: str = joined([_lines_of(*span, state.together.files) for span in spans[:6]], ", ")
    if len(spans) > 6:
        some = counted(len(spans) - 6, "{some} and {number} more place", "{some} and {number} more places", some=some)
    one = len(spans) == 1 and spans[0][0] == spans[0][1]
    return text("{lines} is lost", lines=some) if one else text("{lines} are lost", lines=some)


def _lines_of(first: int, last: int, sources: Sequence[Source]) -> str:
    lines = text("lines {first} to {last}", first=first, last=last)
    if first == last:
        lines = text("line {number}", number=first)
    beside = understood(
        next(filter(None, (each.line(number) for each in sources)), None) for number in (first - 1, last + 1)
    )
    rounds = sorted({line.round for line in beside} - {0})
    if len(rounds) > 1:
        return text("{lines} (round {one} or {other})", lines=lines, one=rounds[0], other=rounds[1])
    return text("{lines} (round {round})", lines=lines, round=rounds[0]) if rounds else lines
