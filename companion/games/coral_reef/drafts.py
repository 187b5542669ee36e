"""Drafts of Coral Reef: a half-made move with its sum, and what is missing or why the rules refuse it.

A `state` here is the full position for a typed move, and the public's view for a picked one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from companion.games.api import Refused
from companion.games.api.entry import Draft
from companion.games.api.text import Text, text
from companion.games.coral_reef.moves import SEED, Move, name, total, worked
from companion.games.coral_reef.rules import RULES
from companion.games.coral_reef.state import HAND, State
from companion.games.coral_reef.sums import COUNTS, RANKS, count

LINE = 22
"""The most characters of a sum. A longer sum loses its first terms."""
FACE_KEYS = "B=J C=Q D=K"
"""The letters of a keypad that stand for face cards."""
CARD_KEYS = f"0=10 {FACE_KEYS}"
"""The keys of all cards that have something else printed on them."""


class Marks(NamedTuple):
    """What the picture highlights.

    Attributes:
        stack: the stack of the draft, from 1; 0 for none.
        cursor: the last coral of the draft, as it is printed, if the picker is on it; otherwise "".
        is_picked: whether the draft is picked by buttons, not typed.
        row: the labels of the corals from which a drawn one is picked; () while none is drawn.
        column: the index in `row` under the cursor, from 0.
        up_down_labels: what up and down lead to, as labels with their arrows; () for nothing else.
        left_right_labels: what right and left lead to once a coral is added, in the same form.
        is_at_end: whether the picker is past the last coral, where OK plays the draft as it is.
        next_step: what OK leads to, if that is not what the draft says.
    """

    stack: int = 0
    cursor: str = ""
    picked: bool = False
    row: tuple[str, ...] = ()
    column: int = 0
    beside: tuple[str, ...] = ()
    leaps: tuple[str, ...] = ()
    ends: bool = False
    goes_to: str = ""


def shown(corals: str, form: str) -> str:
    """Corals as they are printed: with tiles the ace is ``1`` and the ten ``0``, with cards the ten is ``10``."""
    if form == "tiles":
        return corals.replace("A", "1").replace("T", "0")
    return corals.replace("T", " 10 ").replace("  ", " ").strip()


def piece(form: str) -> Text:
    """What a coral of this form is called: ``tile`` or ``card``."""
    return text("tile") if form == "tiles" else text("card")


def tail(sum_: str) -> str:
    """A sum without its first term: ``…+1+2 = 9``. If no terms are left, ``… = 9``, it is returned unchanged."""
    terms, _, result = sum_.lstrip("…").partition(" = ")
    rest = re.sub(r"^[+-]?\d+", "", terms)
    return f"…{rest} = {result}"


def ranks(form: str) -> str:
    """All corals of a form, from ace to king or ten."""
    return RANKS if form == "cards" else RANKS[:-3]


def left_over(state: State, corals: str) -> dict[str, int]:
    """How many of each coral the seat to move may still have beside `corals`; corals with 0 are left out."""
    bag = state.hands[(state.seat or 1) - 1]
    have = {coral: count(state.loose if bag is None else bag, coral) for coral in ranks(state.form)}
    return {coral: left for coral, held in have.items() if (left := held - corals.count(coral)) > 0}


def stack_alone(state: State, stack: int) -> Draft:
    """The draft of a stack without corals."""
    if stack > len(state.tops):
        # The rules refuse the stack with any coral, and OK shows why.
        no_stack, last = text("no stack {stack}", stack=stack), len(state.tops)
        says = text("new stack: type 9 #") if stack == last + 1 else text("only 1 to {last}", last=last)
        return Draft(f"{stack}:_", f"{stack}:A", "no", no_stack, says)
    tiles = state.form == "tiles"
    if not tiles:
        return Draft(f"{stack}:_", None, "more", FACE_KEYS, text("cards? 0=10"), Marks(stack))
    laid = state.sizes[(state.seat or 1) - 1] < HAND  # A player who has laid tiles knows the key of a ten.
    return Draft(f"{stack}:_", None, "more", "", text("tiles?") if laid else text("tiles? 0=10"), Marks(stack))


def play(state: State, stack: int, corals: str, *, ends: bool = False) -> Draft:
    """The draft of corals on a stack: ``ok``, ``no``, or ``more`` with what is missing.

    With `is_at_end` the player adds no more corals, so an incomplete sum is a ``no``.
    """
    event = f"{stack}:{corals}"
    entered = f"{stack}:{shown(corals, state.form)}"
    if stack > len(state.tops):
        return stack_alone(state, stack)._replace(text=entered, event=event)
    top = state.tops[stack - 1]
    working = _sum(corals, top)
    if refused := RULES.refusal(state, Move("play", stack, corals)):
        if not ends and (wanted := _wanted(state, corals, top, refused.code)):
            marks = Marks(stack, goes_to=text("add a 10") if total(corals) == top else "")
            return Draft(entered + "_", None, "more", working, wanted, marks, event)
        short, says = _short(refused, working, corals, top, state.form)
        if ends and refused.code == "face-top":  # The sum stays, as beside every coral before it.
            short, says = working, text("{coral} can't be last", coral=corals[-1])
        return Draft(entered, event, "no", short, says, Marks(stack))
    return Draft(entered, event, "ok", working, text("top {top}", top=COUNTS[corals[-1]] or 10), Marks(stack))


def seed(state: State) -> Draft:
    """The draft of a seed: a nine from the hand starts a new stack."""
    if refused := RULES.refusal(state, SEED):
        says = text("not in hand") if refused.code == "held" else text("none left")
        return Draft(text("nine"), "seed", "no", text("no nine"), says)
    return Draft(text("nine"), "seed", "ok", text("a nine starts"), text("stack {stack}", stack=len(state.tops) + 1))


def cannot(state: State) -> Draft:
    """The draft of "I can't move" for a sealed hand: a draw, or a pass after a draw or with an empty deck."""
    event, says = "pass", text("pass: turn ends")
    if state.pile and not state.drew:
        event, says = "draw", text("draw one {piece}", piece=piece(state.form))
    return Draft(event, event, "ok", "", says)


def must_play(entered: str, event: str) -> Draft:
    """The draft of "I can't move" for an open hand that has a legal play or seed."""
    return Draft(entered, event, "no", "", text("no: you can move"))


def draw_which(state: State) -> Draft:
    """The draft of a draw into an open hand, before its owner has named the coral."""
    keys = "" if state.form == "tiles" else CARD_KEYS
    return Draft("draw _", None, "more", keys, text("draw which {piece}?", piece=piece(state.form)))


def drawn(state: State, coral: str) -> Draft:
    """The draft of a coral that was drawn into an open hand and named by its owner; it is shown as a dot."""
    if RULES.refusal(state, Move("draw", 0, coral)):
        return Draft("draw •", f"draw {coral}", "no", text("not in deck"), text("none left"))
    return Draft("draw •", f"draw {coral}", "ok", "", text("draw this {piece}", piece=piece(state.form)))


def _sum(corals: str, top: int) -> str:
    """The sum of the corals in at most `MAX_SUM_CHARACTERS` characters.

    For a single number or ten it is "": the entered text shows the coral already, and so few pixels change when the
    picker moves from stack to stack. The verdict says what a ten counts. A single face card is compared with the top:
    ``-1 on 9``.
    """
    if len(corals) == 1 and corals in "A23456789T":
        return ""
    if len(corals) == 1:
        return text("{count} on {top}", count=total(corals), top=top)
    sum_ = worked(corals)
    while len(sum_) > LINE:
        sum_ = tail(sum_)
    return sum_


def _wanted(state: State, corals: str, top: int, code: str) -> str:
    """What an incomplete play needs, such as ``3 to go``; "" if more corals cannot make it legal.

    A sum above the top can still become right, since face cards subtract. For a sealed hand only public knowledge is
    used, and no combination of corals is searched for.
    """
    left = state.sizes[(state.seat or 1) - 1] - len(corals)
    missing = top - total(corals)
    if corals[-1] == "T" or left < 1 or code not in ("sum", "face-top"):
        return ""
    if missing > 0:
        return text("{missing} to go", missing=missing)
    faces = any(coral in left_over(state, corals) for coral in "JQK")
    if missing < 0:
        return text("{over} over", over=-missing) if faces and left > 1 else ""
    goes_on = code == "face-top" and "T" in left_over(state, corals)
    return text("{coral} can't be last", coral=corals[-1]) if goes_on else ""


def _adds_nothing(form: str) -> Text:
    """That a ten counts nothing when it is placed."""
    return text("a {coral} adds 0", coral=name("T", form))


def _short(refused: Refused, working: str, corals: str, top: int, form: str) -> tuple[str, str]:
    """A refusal as the two short lines of a draft, `Draft.working` and `Draft.message`."""
    if refused.code == "sum":
        if corals == "T":
            return _adds_nothing(form), text("must be last")
        if corals[-1] == "T":
            return working, _adds_nothing(form)
        by = top - total(corals)
        return working, text("{missing} short", missing=by) if by > 0 else text("{over} over", over=-by)
    if refused.code == "held":
        return refused.figure, text("not in hand")
    return refused.figure, {
        "supply": text("none left"),
        "ten-last": text("must be last"),
        "face-top": text("can't be last"),
    }.get(refused.code, refused.against)
