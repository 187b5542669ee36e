"""What a seat may know of a round: the only place where a coach's `Sight` is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.game.coach import Seen, Sight
from companion.game.entry import as_seen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game import Rules
    from companion.game.entry import Entry


def look(
    rules: Rules[Any, Any], entry: Entry, states: Sequence[Any], events: Sequence[tuple[int, str]], seat: int
) -> Sight[Any]:
    """The round as `seat` knows it.

    `states` begins with the start, so it has one more than `events`; an event is its seat and its text.
    """
    past = tuple(
        Seen(rules.view(before, None), who, as_seen(entry, text))
        for before, (who, text) in zip(states, events, strict=False)
    )
    return Sight(seat, rules.view(states[-1], seat), past)
