"""The picker of Coral Reef: what it can be on, where it starts and how it moves, by public knowledge alone.

The choices for the next coral form a ring (`choices`), on which up and down move the cursor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.game.entry import Draft
from companion.game.text import text
from companion.games.coral_reef.drafts import Marks, left_over, shown, total
from companion.games.coral_reef.state import State
from companion.games.coral_reef.words import is_open
from companion.languages import said

if TYPE_CHECKING:
    from collections.abc import Sequence

END = "."
"""The choice after the last coral: OK plays the entry as it is, right or wrong."""
LAST = text("done")
"""The label of `END`."""
MORE = "+"
"""Follows a coral that makes the sum right, for the choice to add it and go on with another coral."""


class Pick(NamedTuple):
    """The picker.

    Attributes:
        kind: ``play``, ``seed``, ``cannot`` ("I cannot"), or ``card`` (the coral that an open hand draws).
        stack: the stack of a ``play``, from 1.
        corals: the corals added so far.
        cursor: the choice under the cursor: a coral, a coral and `MORE`, or `END`.
        chosen: whether up or down has led to the first coral, so that it stays from stack to stack.
    """

    kind: str
    stack: int = 1
    corals: str = ""
    cursor: str = ""
    chosen: bool = False


def picked_card(public: State, coral: str) -> Draft:
    """The draft of an open hand's draw, with the row of corals that its owner picks from."""
    marks = Marks(row=drawable(public), column=list(left_over(public, "")).index(coral))
    return Draft("draw •", f"draw {coral}", "ok", "", text("look away please"), marks)


def drawable(public: State) -> tuple[str, ...]:
    """The labels of the corals that may be drawn, by public knowledge."""
    return tuple(shown(coral, public.form) for coral in left_over(public, ""))


def draws_open(state: State) -> bool:
    """Whether "I cannot" of an open hand may lead to a draw, by public knowledge."""
    return is_open(state) and state.pile > 0 and not state.drew


def drawing(public: State) -> Pick:
    """The picker on the first coral that an open hand may draw."""
    return Pick("card", cursor=next(iter(left_over(public, ""))))


def on_stack(public: State, stack: int) -> Pick:
    """The picker on a stack (from 1), with the most likely first coral under the cursor."""
    return starting(public, Pick("play", stack))


def starting(public: State, pick: Pick) -> Pick:
    """The pick with its cursor on the most likely next coral: the one that completes the sum, else the next lower one.

    If the sum is above the top, that is a face card; if it is right already, the ten. If there is no such coral, it is
    the first choice of the ring.
    """
    ring = choices(public, pick._replace(cursor=""))
    missing = public.tops[pick.stack - 1] - total(pick.corals)
    if missing > 0:
        wanted = [coral for coral in ring if coral in "A23456789" and total(coral) <= missing]
    elif missing < 0:
        wanted = [coral for coral in ring if coral in "JQK" and -total(coral) <= -missing]
    else:
        wanted = [coral for coral in ring if coral == "T"]
    return pick._replace(cursor=wanted[-1] if wanted else ring[0])


def choices(public: State, pick: Pick) -> list[str]:
    """The ring of choices for up and down: the corals that may be left, from ace to king, then `END`.

    A coral that makes the sum right is followed by the same coral with `MORE`, unless it is the hand's last one. `END`
    needs at least one coral.
    """
    if len(pick.corals) >= public.sizes[(public.seat or 1) - 1]:
        return [END]
    missing = public.tops[pick.stack - 1] - total(pick.corals)
    last = len(pick.corals) + 1 == public.sizes[(public.seat or 1) - 1]
    ring = []
    for coral in left_over(public, pick.corals):
        ring.append(coral)
        if coral not in "TJQK" and total(coral) == missing and not last:
            ring.append(coral + MORE)
    return [*ring, END] if pick.corals else ring


def stepped(public: State, pick: Pick, step: int) -> Pick:
    """The pick with the next (`step` 1) or previous (-1) choice of the ring."""
    ring = choices(public, pick)
    return pick._replace(cursor=ring[(ring.index(pick.cursor) + step) % len(ring)])


def beside(public: State, pick: Pick) -> tuple[str, ...]:
    """What up and down lead to, as labels with their arrows; () where there is nothing else."""
    above, below = (stepped(public, pick, step).cursor for step in (1, -1))
    return () if above == below == pick.cursor else (_led("▴", above, public), _led("▾", below, public))


def leaps(public: State, pick: Pick) -> tuple[str, ...]:
    """What right and left lead to once a coral is added, as labels with their arrows; () where nothing else.

    They have the corals before it too: a coral alone would be read as a stack, to which these arrows lead at first.
    """
    if not pick.corals:
        return ()
    ahead, back = (leapt(public, pick, step).cursor for step in (1, -1))
    if ahead == back == pick.cursor:
        return ()
    added = "".join(shown(coral, public.form) for coral in pick.corals)
    return tuple(_led(arrow + added * (to != END), to, public) for arrow, to in (("▸", ahead), ("◂", back)))


def _led(arrow: str, choice: str, public: State) -> str:
    """A choice as the label of an arrow; a coral with a plus goes on to another one."""
    return arrow + (said(LAST) if choice == END else shown(choice[0], public.form) + choice[1:])


def leapt(public: State, pick: Pick, step: int) -> Pick:
    """The pick on the next (`step` 1) or previous (-1) likely choice.

    These are the coral that completes the sum, a face card, `END` where the sum is right, and the last coral again
    where that is not too much.
    """
    ring = choices(public, pick)
    fills, last = starting(public, pick).cursor, pick.corals[-1]
    missing = public.tops[pick.stack - 1] - total(pick.corals)
    wanted = [fills, _face(ring, fills, last)]
    if not missing:
        wanted.append(END)
    if total(last) <= missing:
        wanted.append(last)
    stops = [coral for coral in dict.fromkeys(wanted) if coral in ring]
    if pick.cursor not in stops:
        return pick._replace(cursor=fills)
    return pick._replace(cursor=stops[(stops.index(pick.cursor) + step) % len(stops)])


def _face(ring: Sequence[str], fills: str, last: str) -> str:
    """The face card for `leapt`, "" for none: one above `last` if that is a jack or queen, else from the jack on.

    A face card that UP reaches in one step from `fills` is skipped.
    """
    beside = ring[(ring.index(fills) + 1) % len(ring)]
    higher = "JQK".partition(last)[2] if last in "JQ" else ""
    return next((face for face in higher + "JQK" if face in ring and face != beside), "")


def along(public: State, coral: str, step: int, jump: bool) -> str:
    """The next (`step` 1) or previous (-1) coral to draw, with `jump` the one half a row away; wraps around."""
    row = list(left_over(public, ""))
    return row[(row.index(coral) + step * (max(1, len(row) // 2) if jump else 1)) % len(row)]
