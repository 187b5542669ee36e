"""Walking through a stored round: its position after each event, beginning with the last. The table is unchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import Refused
from companion.game.entry import as_seen
from companion.games.score_pad import rules as pads
from companion.session.model import PadRound, Page, PageKind, Walk, pad_of, round_of

if TYPE_CHECKING:
    from companion.session.model import Round, Session, StoredRound


def opened(session: Session, page: Page, kept: StoredRound) -> Session:
    """The last position of a kept round, over its page."""
    try:
        is_pad = kept.header.game == pads.ID
        walk = Walk(pad_of(kept)._replace(over=bool(kept.result)) if is_pad else round_of(kept), 0, page)
    except (Refused, ValueError) as no:
        why = no.why if isinstance(no, Refused) else str(no)
        return session._replace(
            mode=Page(PageKind.ANSWER, (f"Round {kept.id}", f"It no longer replays: {why}"), back=page.back)
        )
    return session._replace(mode=walk._replace(number=count(walk)))


def count(mode: Walk) -> int:
    """How many events the round has."""
    return len(events(mode.round))


def press(session: Session, mode: Walk, key: str) -> Session:
    """Left and up step back; right, down and OK step forward; BACK leaves. It stops at both ends."""
    last = count(mode)
    if key in ("left", "up", "4", "2"):
        return session._replace(mode=mode._replace(number=max(0, mode.number - 1)))
    if key in ("right", "down", "#", "6", "8"):
        return session._replace(mode=mode._replace(number=min(last, mode.number + 1)))
    return session._replace(mode=mode.back) if key == "*" else session


# -- a round at a moment ---------------------------------------------------------------------------------------


def events(round_: Round | PadRound) -> tuple[tuple[int, str], ...]:
    """What was done: seat and text, oldest first."""
    if isinstance(round_, PadRound):
        return tuple((seat, pads.write(points)) for seat, points in round_.pad.entries)
    return round_.events


def event(round_: Round | PadRound, number: int, *, hidden: bool) -> str:
    """Event `number` (from 1) as the table tells it: ``2:54``, ``drew 7``.

    With `hidden`, there is a dot for what only its owner has seen.
    """
    if isinstance(round_, PadRound):
        return pads.write(round_.pad.entries[number - 1][1])
    text = round_.events[number - 1][1]
    text = as_seen(round_.entry, text) if hidden else text
    done = round_.entry.claimed(text)
    return " ".join([done, *text.split()[1:]]) if done else text


def after(round_: Round, number: int) -> Round:
    """The round as it was after event `number`."""
    return round_._replace(
        states=round_.states[: number + 1], events=round_.events[:number], times=round_.times[:number]
    )
