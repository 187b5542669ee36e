"""Drafts of Coral Reef: a half-made move with its sum, and what is missing or why the rules refuse it.

A `state` here is the full position for a typed move, and the public's view for a picked one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from companion.games.api import RefusedError
from companion.games.api.move_input import Draft
from companion.games.api.text import text
from companion.games.coral_reef.moves import FACE_CARDS, SEED, Move, coral_name, corals_sum, full_sum_text
from companion.games.coral_reef.rules import RULES
from companion.games.coral_reef.state import State
from companion.games.coral_reef.sums import CORAL_VALUES, RANKS, count_in_bag

CARD_KEYS_TEXT = text("0 = 10  B C D = J Q K")
"""The keys of all cards that have something else printed on them."""
DRAW_ONE_TEXT = text("Can't move? Draw one.")


class Marks(NamedTuple):
    """What the picture highlights.

    Attributes:
        stack: the stack of the draft, from 1; 0 for none.
        new_top: what would be on top of it, 0 while that is not known; drawn as not yet laid.
        row: the labels of the corals from which a drawn one is picked; () while none is drawn.
        column: the index in `row` under the cursor, from 0; -1 for none.
    """

    stack: int = 0
    new_top: int = 0
    row: tuple[str, ...] = ()
    column: int = 0


def printed_corals(corals: str, form: str) -> str:
    """Corals as they are printed: with tiles the ace is ``1`` and the ten ``0``, with cards the ten is ``10``."""
    if form == "tiles":
        return corals.replace("A", "1").replace("T", "0")
    return corals.replace("T", " 10 ").replace("  ", " ").strip()


def without_first_term(sum_: str) -> str:
    """A sum without its first term: ``…+1+2 = 9``. If no terms are left, ``… = 9``, it is returned unchanged."""
    terms, _, result = sum_.lstrip("…").partition(" = ")
    rest = re.sub(r"^[+-]?\d+", "", terms)
    return f"…{rest} = {result}"


def corals_of_form(form: str) -> str:
    """All corals of a form, from ace to king or ten."""
    return RANKS if form == "cards" else RANKS[:-3]


def available_corals(state: State, corals: str) -> dict[str, int]:
    """How many of each coral the seat to move may still have beside `corals`; corals with 0 are left out."""
    bag = state.hands[(state.to_move or 1) - 1]
    have = {coral: count_in_bag(state.unseen if bag is None else bag, coral) for coral in corals_of_form(state.form)}
    return {coral: left for coral, held in have.items() if (left := held - corals.count(coral)) > 0}


def stack_draft(state: State, stack: int) -> Draft:
    """The draft of a stack without corals."""
    if stack > len(state.tops):
        # The rules refuse the stack with any coral, and OK shows why.
        message = text("no stack {stack}", stack=stack)
        if stack == len(state.tops) + 1:
            message = text("new stack: type 9")
        return Draft(f"{stack}:_", f"{stack}:A", "no", "", message)
    if state.form == "tiles":
        working = text("They must add up to {top}.", top=state.tops[stack - 1])
        return Draft(f"{stack}:_", None, "more", working, text("Which corals?"), Marks(stack))
    return Draft(f"{stack}:_", None, "more", CARD_KEYS_TEXT, text("Which corals?"), Marks(stack))


def play_draft(state: State, stack: int, corals: str, *, is_at_end: bool = False) -> Draft:
    """The draft of corals on a stack: ``ok``, ``no``, or ``more`` with what is missing.

    With `is_at_end` the player adds no more corals, so an incomplete sum is a ``no``.
    """
    event = f"{stack}:{corals}"
    entered_text = f"{stack}:{printed_corals(corals, state.form)}"
    if stack > len(state.tops):
        return stack_draft(state, stack)._replace(text=entered_text, event=event)
    top = state.tops[stack - 1]
    if refused := RULES.refusal(state, Move("play", stack, corals)):
        if not is_at_end and (missing := _missing_texts(state, corals, top, refused.code)):
            return Draft(entered_text + "_", None, "more", *missing, Marks(stack), event)
        return Draft(entered_text, event, "no", *_refusal_texts(refused, corals, top, state.form), Marks(stack))
    new_top = CORAL_VALUES[corals[-1]] or 10
    marks = Marks(stack, new_top)
    if len(corals) == 1:
        coral = printed_corals(corals, state.form)
        working = text("{corals} on stack {stack}", corals=coral, stack=stack)
        return Draft(entered_text, event, "ok", working, "", marks, next_step=text("lay {piece}", piece=coral))
    on_top = text("{top} on top", top=new_top)
    return Draft(entered_text, event, "ok", full_sum_text(corals), on_top, marks)


def seed_draft(state: State) -> Draft:
    """The draft of a seed: a nine from the hand starts a new stack."""
    if refused := RULES.refusal(state, SEED):
        message = text("no nine in hand") if refused.code == "held" else text("no nine left")
        return Draft(text("nine"), "seed", "no", "", message)
    stack = len(state.tops) + 1
    working = text("9 as new stack {stack}", stack=stack)
    return Draft(text("nine"), "seed", "ok", working, "", Marks(stack, 9), next_step=text("lay {piece}", piece="9"))


def cannot_move_draft(state: State) -> Draft:
    """The draft of "I can't move" for a sealed hand: a draw, or a pass after a draw or with an empty deck."""
    if state.deck and not state.has_drawn:
        return Draft("draw", "draw", "ok", "", DRAW_ONE_TEXT, next_step=text("draw a coral"))
    message, verb = text("The deck is empty."), text("pass")
    if state.has_drawn:
        message, verb = text("Drawn. Does it fit?"), text("no: pass")
    return Draft("pass", "pass", "ok", "", message, next_step=verb)


def open_draw_draft(state: State) -> Draft:
    """The draft of "I can't move" for an open hand that may have to draw, which the panel must not show before OK."""
    return Draft("draw _", None, "more", DRAW_ONE_TEXT, attempted_event="pass", next_step=text("draw a coral"))


def must_play_draft(entered_text: str, event: str) -> Draft:
    """The draft of "I can't move" for an open hand that has a legal play or seed."""
    return Draft(entered_text, event, "no", "", text("You can move."))


def unnamed_draw_draft(state: State) -> Draft:
    """The draft of a draw into an open hand, before its owner has named the coral."""
    keys = "" if state.form == "tiles" else CARD_KEYS_TEXT
    return Draft("draw _", None, "more", keys, text("Which did you draw?"))


def draft_of_drawn_coral(state: State, coral: str) -> Draft:
    """The draft of a coral that was drawn into an open hand and named by its owner; it is shown as a dot."""
    if RULES.refusal(state, Move("draw", 0, coral)):
        return Draft("draw •", f"draw {coral}", "no", "", text("none left in the deck"))
    return Draft("draw •", f"draw {coral}", "ok", "", "", next_step=text("draw it"))


def sum_or_coral(corals: str, form: str) -> str:
    """The sum of the corals, ``5+4 = 9``; of a single number the number, of a ten or face card ``K = -3``."""
    if len(corals) > 1:
        return full_sum_text(corals)
    printed, counts = printed_corals(corals, form), corals_sum(corals)
    return printed if counts > 0 else f"{printed} = {counts}"


def _missing_texts(state: State, corals: str, top: int, code: str) -> tuple[str, str] | None:
    """What an incomplete play needs, such as ``5: 4 more to make 9``, and what is asked for.

    None if more corals cannot make it legal. A sum above the top can still become right, since face cards subtract. For
    a sealed hand only public knowledge is used, and no combination of corals is searched for.
    """
    corals_left = state.sizes[(state.to_move or 1) - 1] - len(corals)
    missing = top - corals_sum(corals)
    if corals[-1] == "T" or corals_left < 1 or code not in ("sum", "face-top"):
        return None
    sum_ = sum_or_coral(corals, state.form)
    if missing > 0:
        message = "{sum}: {missing} more" if "=" in sum_ else "{sum}: {missing} more to make {top}"
        return text(message, sum=sum_, missing=missing, top=top), text("Next coral?")
    if missing < 0:
        has_faces = any(coral in available_corals(state, corals) for coral in "JQK")
        over = text("{sum}: {over} too many", sum=sum_, over=-missing)
        return (over, text("Lower it by {over}", over=-missing)) if has_faces and corals_left > 1 else None
    if code == "face-top" and "T" in available_corals(state, corals):
        return text("{sum}, {coral} can't be last", sum=sum_, coral=corals[-1]), text("Put a 10 on top")
    return None


def _refusal_texts(refused: RefusedError, corals: str, top: int, form: str) -> tuple[str, str]:
    """A refusal as the sum or what is wrong, and why."""
    sum_ = sum_or_coral(corals, form)
    if refused.code == "sum":
        if corals[-1] == "T":
            return sum_ if corals != "T" else "", text("a {ten} goes last", ten=coral_name("T", form))
        if form == "cards" and corals_sum(corals) > top and FACE_CARDS.isdisjoint(corals):
            return sum_, text("not {top}: faces first", top=top)
        return sum_, text("not {top}", top=top)
    if refused.code == "held":
        return refused.figure, "" if refused.row == "held" else text("not in hand")
    if refused.code == "ten-last":
        return "", text("a {ten} goes last", ten=coral_name("T", form))
    if refused.code == "face-top":
        return sum_, text("{coral} can't be last", coral=corals[-1])
    return "", refused.figure
