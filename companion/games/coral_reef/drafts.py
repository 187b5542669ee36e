"""Drafts of Coral Reef: a half-made move with its sum, and what is missing or why the rules refuse it.

A `state` here is the full position for a typed move, and the public's view for a picked one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from companion.games.api import RefusedError
from companion.games.api.move_input import Draft
from companion.games.api.text import Text, text
from companion.games.coral_reef.moves import SEED, Move, coral_name, corals_sum, full_sum_text
from companion.games.coral_reef.rules import RULES
from companion.games.coral_reef.state import HAND_SIZE, State
from companion.games.coral_reef.sums import CORAL_VALUES, RANKS, count_in_bag

MAX_SUM_CHARACTERS = 22
"""The most characters of a sum. A longer sum loses its first terms."""
FACE_KEYS_TEXT = "B=J C=Q D=K"
"""The letters of a keypad that stand for face cards."""
CARD_KEYS_TEXT = f"0=10 {FACE_KEYS_TEXT}"
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
    is_picked: bool = False
    row: tuple[str, ...] = ()
    column: int = 0
    up_down_labels: tuple[str, ...] = ()
    left_right_labels: tuple[str, ...] = ()
    is_at_end: bool = False
    next_step: str = ""


def printed_corals(corals: str, form: str) -> str:
    """Corals as they are printed: with tiles the ace is ``1`` and the ten ``0``, with cards the ten is ``10``."""
    if form == "tiles":
        return corals.replace("A", "1").replace("T", "0")
    return corals.replace("T", " 10 ").replace("  ", " ").strip()


def coral_word(form: str) -> Text:
    """What a coral of this form is called: ``tile`` or ``card``."""
    return text("tile") if form == "tiles" else text("card")


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
        no_stack, last = text("no stack {stack}", stack=stack), len(state.tops)
        message = text("new stack: type 9 #") if stack == last + 1 else text("only 1 to {last}", last=last)
        return Draft(f"{stack}:_", f"{stack}:A", "no", no_stack, message)
    if state.form != "tiles":
        return Draft(f"{stack}:_", None, "more", FACE_KEYS_TEXT, text("cards? 0=10"), Marks(stack))
    has_laid = state.sizes[(state.to_move or 1) - 1] < HAND_SIZE  # A player who has laid tiles knows the key of a ten.
    return Draft(f"{stack}:_", None, "more", "", text("tiles?") if has_laid else text("tiles? 0=10"), Marks(stack))


def play_draft(state: State, stack: int, corals: str, *, is_at_end: bool = False) -> Draft:
    """The draft of corals on a stack: ``ok``, ``no``, or ``more`` with what is missing.

    With `is_at_end` the player adds no more corals, so an incomplete sum is a ``no``.
    """
    event = f"{stack}:{corals}"
    entered_text = f"{stack}:{printed_corals(corals, state.form)}"
    if stack > len(state.tops):
        return stack_draft(state, stack)._replace(text=entered_text, event=event)
    top = state.tops[stack - 1]
    working = _sum_line(corals, top)
    if refused := RULES.refusal(state, Move("play", stack, corals)):
        if not is_at_end and (missing_text := _missing_text(state, corals, top, refused.code)):
            marks = Marks(stack, next_step=text("add a 10") if corals_sum(corals) == top else "")
            return Draft(entered_text + "_", None, "more", working, missing_text, marks, event)
        working_line, message = _refusal_lines(refused, working, corals, top, state.form)
        if is_at_end and refused.code == "face-top":  # The sum stays, as beside every coral before it.
            working_line, message = working, text("{coral} can't be last", coral=corals[-1])
        return Draft(entered_text, event, "no", working_line, message, Marks(stack))
    return Draft(
        entered_text, event, "ok", working, text("top {top}", top=CORAL_VALUES[corals[-1]] or 10), Marks(stack)
    )


def seed_draft(state: State) -> Draft:
    """The draft of a seed: a nine from the hand starts a new stack."""
    if refused := RULES.refusal(state, SEED):
        message = text("not in hand") if refused.code == "held" else text("none left")
        return Draft(text("nine"), "seed", "no", text("no nine"), message)
    return Draft(text("nine"), "seed", "ok", text("a nine starts"), text("stack {stack}", stack=len(state.tops) + 1))


def cannot_move_draft(state: State) -> Draft:
    """The draft of "I can't move" for a sealed hand: a draw, or a pass after a draw or with an empty deck."""
    event, message = "pass", text("pass: turn ends")
    if state.deck and not state.has_drawn:
        event, message = "draw", text("draw one {piece}", piece=coral_word(state.form))
    return Draft(event, event, "ok", "", message)


def must_play_draft(entered_text: str, event: str) -> Draft:
    """The draft of "I can't move" for an open hand that has a legal play or seed."""
    return Draft(entered_text, event, "no", "", text("no: you can move"))


def unnamed_draw_draft(state: State) -> Draft:
    """The draft of a draw into an open hand, before its owner has named the coral."""
    keys = "" if state.form == "tiles" else CARD_KEYS_TEXT
    return Draft("draw _", None, "more", keys, text("draw which {piece}?", piece=coral_word(state.form)))


def draft_of_drawn_coral(state: State, coral: str) -> Draft:
    """The draft of a coral that was drawn into an open hand and named by its owner; it is shown as a dot."""
    if RULES.refusal(state, Move("draw", 0, coral)):
        return Draft("draw •", f"draw {coral}", "no", text("not in deck"), text("none left"))
    return Draft("draw •", f"draw {coral}", "ok", "", text("draw this {piece}", piece=coral_word(state.form)))


def _sum_line(corals: str, top: int) -> str:
    """The sum of the corals in at most `MAX_SUM_CHARACTERS` characters.

    For a single number or ten it is "": the entered text shows the coral already, and so few pixels change when the
    picker moves from stack to stack. The verdict says what a ten counts. A single face card is compared with the top:
    ``-1 on 9``.
    """
    if len(corals) == 1 and corals in "A23456789T":
        return ""
    if len(corals) == 1:
        return text("{count} on {top}", count=corals_sum(corals), top=top)
    sum_ = full_sum_text(corals)
    while len(sum_) > MAX_SUM_CHARACTERS:
        sum_ = without_first_term(sum_)
    return sum_


def _missing_text(state: State, corals: str, top: int, code: str) -> str:
    """What an incomplete play needs, such as ``3 to go``; "" if more corals cannot make it legal.

    A sum above the top can still become right, since face cards subtract. For a sealed hand only public knowledge is
    used, and no combination of corals is searched for.
    """
    corals_left = state.sizes[(state.to_move or 1) - 1] - len(corals)
    missing = top - corals_sum(corals)
    if corals[-1] == "T" or corals_left < 1 or code not in ("sum", "face-top"):
        return ""
    if missing > 0:
        return text("{missing} to go", missing=missing)
    has_faces = any(coral in available_corals(state, corals) for coral in "JQK")
    if missing < 0:
        return text("{over} over", over=-missing) if has_faces and corals_left > 1 else ""
    can_add_ten = code == "face-top" and "T" in available_corals(state, corals)
    return text("{coral} can't be last", coral=corals[-1]) if can_add_ten else ""


def _ten_adds_nothing_text(form: str) -> Text:
    """That a ten counts nothing when it is placed."""
    return text("a {coral} adds 0", coral=coral_name("T", form))


def _refusal_lines(refused: RefusedError, working: str, corals: str, top: int, form: str) -> tuple[str, str]:
    """A refusal as the two short lines of a draft, `Draft.working` and `Draft.message`."""
    if refused.code == "sum":
        if corals == "T":
            return _ten_adds_nothing_text(form), text("must be last")
        if corals[-1] == "T":
            return working, _ten_adds_nothing_text(form)
        missing = top - corals_sum(corals)
        return working, text("{missing} short", missing=missing) if missing > 0 else text("{over} over", over=-missing)
    if refused.code == "held":
        return refused.figure, text("not in hand")
    return refused.figure, {
        "supply": text("none left"),
        "ten-last": text("must be last"),
        "face-top": text("can't be last"),
    }.get(refused.code, refused.conflict)
