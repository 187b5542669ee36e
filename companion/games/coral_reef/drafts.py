"""Half-entered moves of Coral Reef, judged: what they add up to, what is missing, why they cannot stand.

A position here is the full one for what is typed, and the public's view for what is picked.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from companion.game import Refused
from companion.game.entry import Draft
from companion.games.coral_reef import rules
from companion.games.coral_reef.sums import COUNTS, RANKS, count

LINE = 22
"""Characters of a line of a draft; a longer sum shows its end."""


class Marks(NamedTuple):
    """What the picture marks.

    A stack (from 1, 0 for none), whether the picker stands on the last coral of the entry, whether the entry is
    `picked`, and the row of corals that a drawn one is picked from, with the `column` under the cursor.
    """

    stack: int = 0
    cursor: bool = False
    picked: bool = False
    row: tuple[str, ...] = ()
    column: int = 0


def shown(corals: str, form: str) -> str:
    """Corals as players see them: on tiles the one and the ten are digits."""
    return corals.replace("A", "1").replace("T", "0") if form == "tiles" else corals


def label(coral: str, form: str) -> str:
    """A single coral as it is printed: ``A``, ``10``, ``K``; tiles have digits."""
    return "10" if coral == "T" and form == "cards" else shown(coral, form)


def piece(form: str) -> str:
    """What a coral of this form is called where it must not be named."""
    return "tile" if form == "tiles" else "card"


def worked(corals: str) -> str:
    """The whole sum of placed corals: ``5+4 = 9``."""
    terms = "".join(f"{COUNTS[coral]:+d}" for coral in corals).removeprefix("+")
    return f"{terms} = {total(corals)}"


def total(corals: str) -> int:
    """What corals count when placed."""
    return sum(COUNTS[coral] for coral in corals)


def tail(sum_: str) -> str:
    """A sum without its first term, ``…+1+2 = 9``; as it is where only the result is left, ``… = 9``."""
    terms, _, result = sum_.lstrip("…").partition(" = ")
    rest = re.sub(r"^[+-]?\d+", "", terms)
    return f"…{rest} = {result}"


def ranks(form: str) -> str:
    """All corals of a form, from ace to king or ten."""
    return RANKS if form == "cards" else RANKS[:-3]


def left_over(state: rules.State, corals: str) -> dict[str, int]:
    """How many of each coral the seat to move may still add to `corals`; those that are out are left out."""
    bag = state.hands[(state.seat or 1) - 1]
    have = {coral: count(state.loose if bag is None else bag, coral) for coral in ranks(state.form)}
    return {coral: left for coral, held in have.items() if (left := held - corals.count(coral)) > 0}


def stack_alone(state: rules.State, stack: int) -> Draft:
    """A stack is chosen and no coral yet."""
    if stack > len(state.tops):
        return Draft(f"{stack}:_", None, "no", f"no stack {stack}", f"only 1 to {len(state.tops)}")
    return Draft(f"{stack}:_", None, "more", "", "corals?", Marks(stack))


def play(state: rules.State, stack: int, corals: str) -> Draft:
    """Corals on a stack: right, wrong, or what is still missing."""
    event = f"{stack}:{corals}"
    text = f"{stack}:{shown(corals, state.form)}"
    if stack > len(state.tops):
        return stack_alone(state, stack)._replace(text=text, event=event)
    top = state.tops[stack - 1]
    working = _sum(corals, top)
    try:
        after = rules.play(state, state.seat or 1, rules.Move("play", stack, corals))
    except Refused as refused:
        if wanted := _wanted(state, corals, top, refused.code):
            return Draft(text + "_", event, "more", working, wanted, Marks(stack))
        return Draft(text, event, "no", *_short(refused, working, corals, top), Marks(stack))
    return Draft(text, event, "ok", working, f"top {after.tops[stack - 1]}", Marks(stack))


def seed(state: rules.State) -> Draft:
    """A nine of the hand as a new stack."""
    try:
        rules.play(state, state.seat or 1, rules.Move("seed"))
    except Refused as refused:
        says = "not in hand" if refused.code == "held" else "none left"
        return Draft("seed", "seed", "no", "no nine", says)
    return Draft("seed", "seed", "ok", "a nine starts", f"stack {len(state.tops) + 1}")


def cannot(state: rules.State) -> Draft:
    """ "I cannot" of a sealed hand: it draws, then passes."""
    event = "draw" if state.pile and not state.drew else "pass"
    if event == "draw":
        return Draft(event, event, "ok", "", f"draw one {piece(state.form)}")
    return Draft(event, event, "ok", "", "pass: turn ends")


def must_play(text: str, event: str) -> Draft:
    """ "I cannot" of an open hand that can."""
    return Draft(text, event, "no", "has a move", "must play")


def draw_which(state: rules.State) -> Draft:
    """An open hand draws: its owner names what."""
    return Draft("draw _", None, "more", "", f"draw which {piece(state.form)}?")


def drawn(state: rules.State, coral: str) -> Draft:
    """A coral drawn into an open hand without a valid move, named by its owner and shown to nobody."""
    try:
        rules.play(state, state.seat or 1, rules.Move("draw", 0, coral))
    except Refused:
        return Draft("draw •", f"draw {coral}", "no", "not in pile", "none left")
    return Draft("draw •", f"draw {coral}", "ok", "", f"draw this {piece(state.form)}")


def _sum(corals: str, top: int) -> str:
    """The sum in at most `LINE` characters, from the second coral on.

    A single one that counts what it shows stands beside its top as it is, so that walking from stack to stack
    changes few pixels; what a ten counts, its verdict says; any other is set against its top.
    """
    if len(corals) == 1 and corals in "A23456789T":
        return ""
    if len(corals) == 1:
        return f"{total(corals)} on {top}"
    sum_ = worked(corals)
    while len(sum_) > LINE:
        sum_ = tail(sum_)
    return sum_


def _wanted(state: rules.State, corals: str, top: int, code: str) -> str:
    """What a play lacks that more corals of the hand could mend, "" where none can.

    It could go on above its top, since face cards take off; whether the hand has what it takes is not looked into.
    """
    left = state.sizes[(state.seat or 1) - 1] - len(corals)
    missing = top - total(corals)
    if corals[-1] == "T" or left < 1 or code not in ("sum", "face-top"):
        return ""
    if missing > 0:
        return f"{missing} low"
    faces = any(coral in left_over(state, corals) for coral in "JQK")
    if missing < 0:
        return f"{-missing} high" if faces and left > 1 else ""
    return "add a ten?" if code == "face-top" and "T" in left_over(state, corals) else ""


def _short(refused: Refused, working: str, corals: str, top: int) -> tuple[str, str]:
    """A refusal in the two short lines of a draft."""
    if refused.code == "sum":
        return working, "ten is 0" if corals[-1] == "T" else f"not {top}"
    if refused.code == "held":
        return refused.figure, "not in hand"
    return refused.figure, {
        "supply": "none left",
        "ten-last": "it goes last",
        "face-top": "never last",
    }.get(refused.code, refused.against)
