"""A stored round as the text of a record."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from companion import games, record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.rounds.stored import StoredRound
    from companion.store.queries.store_queries import StoreQueries

_EVENT = re.compile(r"[ \t]*[1-9][0-9]*[ \t]*:")
_THOUGHT = re.compile(r"# thought ([0-9]{1,6}(?:\.[0-9]{1,3})?) s")


def record_text(store: StoreQueries, saved: StoredRound) -> str:
    """The record of a stored round with everything that is known, hidden pieces too. Score pads have no record.

    Raises Refused, StoreError, ValueError or LookupError for a round that can no longer be read.
    """
    begun = store.begun(saved.id)
    other = [("date", begun)] if begun else []
    said = saved.header
    if said.goal:
        other += [("match", f"first to {said.goal}"), ("round", str(said.number))]
    other += store.other(saved.id)
    header = record.Header(said.game, dict(said.options), said.names, tuple(other))
    try:
        rules = games.load(said.game)
    except games.UnknownGame:  # The game's package was removed; its rules checked the round when it was played.
        written = _as_kept(header, saved)
    else:
        deals: dict[tuple[str, int], tuple[Any, ...]] = {
            (kind, seat): rules.read_deal(text, kind, header.options) for kind, seat, text in saved.deals
        }
        written = record.write(header, deals, [(seat, rules.read(event)) for seat, event in saved.events])
    written = timed(written, saved.times)
    return f"{written}result: {saved.result}\n" if saved.result else written


def timed(written: str, times: Sequence[float]) -> str:
    """A record without its result, with a comment on each event's thinking time where it was measured."""
    if not times:
        return written
    lines = written.splitlines()
    head = len(lines) - len(times)
    thought = [f"{line}\n# thought {seconds:g} s" if seconds else line
               for line, seconds in zip(lines[head:], times, strict=True)]  # fmt: skip
    return "\n".join([*lines[:head], *thought]) + "\n"


def thinking_seconds(whole: str, count: int) -> tuple[float, ...]:
    """The thinking time before each of `count` events, from the comments that `timed` writes; () for none."""
    times: list[float] = []
    for line in whole.splitlines():
        if _EVENT.match(line):
            times.append(0.0)
        elif times and (said := _THOUGHT.fullmatch(line.rstrip())):
            times[-1] = float(said[1])
    return tuple(times) if len(times) == count and any(times) else ()


def _as_kept(header: record.Header, saved: StoredRound) -> str:
    """The record of a game that is not installed: its deals and events exactly as stored."""
    options = " ".join(f"{name}={value}" for name, value in header.options.items())
    lines = [f"companion-record: {record.VERSION}", f"game: {header.game}", f"options: {options}".rstrip()]
    lines += [f"players: {', '.join(header.players)}", *(f"{key}: {value}" for key, value in header.other)]
    lines += [f"{kind} {seat}: {pieces}" for kind, seat, pieces in saved.deals]
    return "\n".join([*lines, *(f"{seat}: {event}" for seat, event in saved.events)]) + "\n"
