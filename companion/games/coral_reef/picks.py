"""Where the picker of Coral Reef can stand, and where it starts; all of it from what everybody knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.game.entry import Draft
from companion.games.coral_reef import rules
from companion.games.coral_reef.drafts import Marks, label, left_over, total
from companion.games.coral_reef.words import is_open

if TYPE_CHECKING:
    from collections.abc import Sequence

END = "."
"""The picker's place behind the last coral: OK plays what is entered, right or wrong."""
MORE = "+"
"""Beside a coral that makes the sum right: add it, but go on."""


class Pick(NamedTuple):
    """The picker: on a ``play``, a ``seed``, the ``cannot`` of the seat, or the ``card`` that it draws.

    `corals` are added already, `cursor` is the one under the cursor, `END`, or a coral and `MORE`.
    """

    kind: str
    stack: int = 1
    corals: str = ""
    cursor: str = ""


def picked_card(public: rules.State, coral: str) -> Draft:
    """The draft of a coral that an open hand draws."""
    marks = Marks(row=drawable(public), column=list(left_over(public, "")).index(coral))
    return Draft("draw •", f"draw {coral}", "ok", "", "look away please", marks)


def drawable(public: rules.State) -> tuple[str, ...]:
    """The labels of the corals that may be drawn, as far as everybody can tell."""
    return tuple(label(coral, public.form) for coral in left_over(public, ""))


def draws_open(state: rules.State) -> bool:
    """Whether "I cannot" of an open hand may lead to a draw, as far as everybody can tell."""
    return is_open(state) and state.pile > 0 and not state.drew


def drawing(public: rules.State) -> Pick:
    """The picker on the first coral that an open hand may draw."""
    return Pick("card", cursor=next(iter(left_over(public, ""))))


def on_stack(public: rules.State, stack: int) -> Pick:
    """The picker on a stack (from 1), on the likeliest first coral."""
    return starting(public, Pick("play", stack))


def starting(public: rules.State, pick: Pick) -> Pick:
    """The pick with its cursor where the next coral most likely is: on the one that fills the sum, else just below."""
    ring = choices(public, pick._replace(cursor=""))
    missing = public.tops[pick.stack - 1] - total(pick.corals)
    if missing > 0:
        wanted = [coral for coral in ring if coral in "A23456789" and total(coral) <= missing]
    elif missing < 0:
        wanted = [coral for coral in ring if coral in "JQK" and -total(coral) <= -missing]
    else:
        wanted = [coral for coral in ring if coral == "T"]
    return pick._replace(cursor=wanted[-1] if wanted else ring[0])


def choices(public: rules.State, pick: Pick) -> list[str]:
    """What up and down walk: the corals that may be left, from ace to king, then the end of the entry.

    A coral that makes the sum right stands there twice, the second time to go on after it.
    """
    if len(pick.corals) >= public.sizes[(public.seat or 1) - 1]:
        return [END]
    missing = public.tops[pick.stack - 1] - total(pick.corals)
    ring = []
    for coral in left_over(public, pick.corals):
        ring.append(coral)
        if coral not in "TJQK" and total(coral) == missing:
            ring.append(coral + MORE)
    return [*ring, END] if pick.corals else ring


def stepped(public: rules.State, pick: Pick, step: int) -> Pick:
    """The coral above (`step` 1) or below (-1), round the end.

    Of the first coral the place to go on after a right sum is passed over on the way up, since few go there and many
    to the corals behind it; it is reached from above.
    """
    ring = choices(public, pick)
    place = ring.index(pick.cursor) + step
    if step > 0 and not pick.corals and ring[place % len(ring)].endswith(MORE):
        place += 1
    return pick._replace(cursor=ring[place % len(ring)])


def leapt(public: rules.State, pick: Pick, step: int) -> Pick:
    """The picker on the next of: what fills the sum, a face card, the end of the entry, the last coral again."""
    ring = choices(public, pick)
    fills, last = starting(public, pick).cursor, pick.corals[-1]
    wanted = dict.fromkeys((fills, _face(ring, fills, last), END, last))
    stops = [coral for coral in wanted if coral in ring]
    if pick.cursor not in stops:
        return pick._replace(cursor=fills)
    return pick._replace(cursor=stops[(stops.index(pick.cursor) + step) % len(stops)])


def _face(ring: Sequence[str], fills: str, last: str) -> str:
    """The face card after the last coral, else the jack; the one after it where UP leads there from what fills."""
    beside = ring[(ring.index(fills) + 1) % len(ring)]
    higher = "JQK".partition(last)[2] if last in "JQ" else ""
    return next((face for face in higher + "JQK" if face in ring and face != beside), "")


def along(public: rules.State, coral: str, step: int, jump: bool) -> str:
    """The next coral of a row, or the one half a row away."""
    row = list(left_over(public, ""))
    return row[(row.index(coral) + step * (max(1, len(row) // 2) if jump else 1)) % len(row)]
