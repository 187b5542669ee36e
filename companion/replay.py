"""A round walked through again: what the panel shows after each event, and what happened in words. Pure.

Picture 0 is the start, picture n the table after event n; a round that is over has one more, its result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import screens
from companion.session.model import About, Past, Playing, RoundOver, Saved, Session, rebuilt

if TYPE_CHECKING:
    from PIL import Image

    from companion.record import Report
    from companion.session.model import Round

NAMES = ("Player 1", "Player 2")
"""Of a record that names nobody."""

REVEALING = ("draw", "refill")
"""The events that name pieces which come out of a pile."""


def of_record(report: Report) -> Round:
    """The round of a record, as far as it stands. Raises ValueError where header or deals are broken."""
    if report.header is None or report.state is None:
        raise ValueError("the record has no position")
    header, rules = report.header, report.rules
    about = About(header.game, tuple(header.options.items()), header.players or NAMES, opened=tuple(report.deals))
    deals = tuple((kind, seat, rules.write_deal(pieces)) for (kind, seat), pieces in report.deals.items())
    return rebuilt(Saved(0, about, deals, tuple((seat, str(move)) for seat, move in report.events)))


def last(round_: Round) -> int:
    """The number of the last picture."""
    return len(round_.events) + int(round_.over)


def picture(round_: Round, at: int) -> Image.Image:
    """Picture `at`, 0 to `last`: one bit, 128×64, lit pixels white, as the table draws it for everybody to see."""
    if at > len(round_.events):
        return screens.draw(Session(RoundOver(), Past(), round=round_))
    cut = round_._replace(states=round_.states[: at + 1], events=round_.events[:at])
    return screens.draw(Session(Playing(), Past(), round=cut))


def event(round_: Round, at: int, *, hidden: bool) -> str:
    """Event `at` (from 1) as a record writes it; with `hidden`, a dot for what only its owner has seen."""
    text = round_.events[at - 1][1]
    word, *pieces = text.split()
    if not hidden or word not in REVEALING:
        return text
    return " ".join([word, *("•" if round_.entry.masked(word, piece) else piece for piece in pieces)])


def told(round_: Round, at: int, *, hidden: bool = False) -> str:
    """What picture `at` shows, in a line: ``Ann  x3  33:11``; with `hidden` it names no piece of an open holding."""
    if at > len(round_.events):
        winners = [round_.name(seat) for seat in round_.outcome.winners]
        how = f"{winners[0]} wins" if len(winners) == 1 else f"{' and '.join(winners)} share the win"
        return f"{how}: {round_.outcome.reason}"
    figures = ":".join(map(str, standing(round_, at)))
    if at == 0:
        return f"start  {figures}"
    return f"{round_.name(round_.events[at - 1][0])}  {event(round_, at, hidden=hidden)}  {figures}"


def standing(round_: Round, at: int) -> tuple[int, ...]:
    """What is counted after event `at`, by seat: in Coral Reef the corals left in the hands, else the scores."""
    state = round_.states[at]
    if round_.about.game == "coral-reef":
        return tuple(state.sizes)
    return round_.game.outcome(state).scores
