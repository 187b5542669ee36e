"""Entering a move of Coral Reef: a stack, then corals in placing order, typed or picked with the arrow buttons.

| button | before the first coral is added | afterwards |
| --- | --- | --- |
| left, right | the stack; after the last one a seed, then "I can't move" | likely choices |
| up, down | the coral: up begins with the likeliest, down with the one before | the last coral, or the end |
| OK | with a tick it plays; with an underscore it adds the coral | the same |

The likely choices (`with_likely_choice`) are: left the same coral again, right a face card, and both the end. The
picker uses only public knowledge, also for an open hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.games.api import RefusedError, move_input
from companion.games.api.move_input import Draft
from companion.games.api.text import text
from companion.games.coral_reef import drafts
from companion.games.coral_reef.drafts import Marks, available_corals, corals_of_form, printed_corals
from companion.games.coral_reef.game_texts import CORAL_OF_KEY, GameTexts, is_hand_open
from companion.games.coral_reef.moves import corals_sum
from companion.games.coral_reef.rules import RULES
from companion.games.coral_reef.state import State
from companion.games.coral_reef.sums import count_in_bag

END_CHOICE = "."
"""The choice after the last coral: OK plays the draft as it is, right or wrong."""
MORE_SUFFIX = "+"
"""Follows a coral that makes the sum right, for the choice to add this coral and go on with another one."""


class Pick(NamedTuple):
    """The state of the picker.

    Attributes:
        kind: ``play``, ``seed``, ``cannot`` ("I can't move"), or ``card`` (the coral that an open hand draws).
        stack: the stack of a ``play``, from 1.
        corals: the corals added so far.
        cursor: the choice under the cursor: a coral, a coral and `MORE_SUFFIX`, or `END_CHOICE`; "" before an arrow has
            chosen a ``card`` or the first coral, so that OK lays nothing that was not chosen.
    """

    kind: str
    stack: int = 1
    corals: str = ""
    cursor: str = ""


def possible_draw_labels(public: State) -> tuple[str, ...]:
    """The labels of the corals that may be drawn, by public knowledge."""
    return tuple(printed_corals(coral, public.form) for coral in available_corals(public, ""))


def may_draw_openly(state: State) -> bool:
    """Whether "I can't move" of an open hand may lead to a draw, by public knowledge."""
    return is_hand_open(state) and state.deck > 0 and not state.has_drawn


def pick_of_drawn_coral() -> Pick:
    """The picker of the coral that an open hand has drawn: on none, so that no hasty OK names a wrong one."""
    return Pick("card")


def with_likely_cursor(public: State, pick: Pick) -> Pick:
    """The pick with its cursor on the most likely next coral.

    That is the coral that completes the sum, or else the next lower one. If the sum is above the top, it is a face
    card; if the sum is right already, the ten. If there is no such coral, it is the first of the choices.
    """
    choices = cursor_choices(public, pick._replace(cursor=""))
    missing = public.tops[pick.stack - 1] - corals_sum(pick.corals)
    if missing > 0:
        wanted = [coral for coral in choices if coral in "A23456789" and corals_sum(coral) <= missing]
    elif missing < 0:
        wanted = [coral for coral in choices if coral in "JQK" and -corals_sum(coral) <= -missing]
    else:
        wanted = [coral for coral in choices if coral == "T"]
    return pick._replace(cursor=wanted[-1] if wanted else choices[0])


def cursor_choices(public: State, pick: Pick) -> list[str]:
    """The choices for up and down, which wrap around: the corals that may be left, from ace to king, then `END_CHOICE`.

    A coral that makes the sum right is followed by the same coral with `MORE_SUFFIX`, unless it is the hand's last one.
    `END_CHOICE` needs at least one coral.
    """
    if len(pick.corals) >= public.sizes[(public.to_move or 1) - 1]:
        return [END_CHOICE]
    missing = public.tops[pick.stack - 1] - corals_sum(pick.corals)
    is_last_coral = len(pick.corals) + 1 == public.sizes[(public.to_move or 1) - 1]
    choices = []
    for coral in available_corals(public, pick.corals):
        choices.append(coral)
        if coral not in "TJQK" and corals_sum(coral) == missing and not is_last_coral:
            choices.append(coral + MORE_SUFFIX)
    return [*choices, END_CHOICE] if pick.corals else choices


def with_next_choice(public: State, pick: Pick, step: int) -> Pick:
    """The pick with the next (`step` 1) or previous (-1) choice. With none yet, the next is the likeliest coral."""
    if not pick.cursor:
        pick = with_likely_cursor(public, pick)
        step = min(step, 0)
    choices = cursor_choices(public, pick)
    return pick._replace(cursor=choices[(choices.index(pick.cursor) + step) % len(choices)])


def with_likely_choice(public: State, pick: Pick, step: int) -> Pick:
    """The pick on the next (`step` 1) or previous (-1) likely choice.

    These are the coral that completes the sum, a face card, the end if the sum is right, and the last coral again if
    that is not too much.
    """
    choices = cursor_choices(public, pick)
    completing, last = with_likely_cursor(public, pick).cursor, pick.corals[-1]
    missing = public.tops[pick.stack - 1] - corals_sum(pick.corals)
    wanted = [completing, _next_face_card(choices, completing, last)]
    if not missing:
        wanted.append(END_CHOICE)
    if corals_sum(last) <= missing:
        wanted.append(last)
    stops = [coral for coral in dict.fromkeys(wanted) if coral in choices]
    if pick.cursor not in stops:
        return pick._replace(cursor=completing)
    return pick._replace(cursor=stops[(stops.index(pick.cursor) + step) % len(stops)])


def _next_face_card(choices: Sequence[str], completing: str, last: str) -> str:
    """The next face card for `with_likely_choice`, or "".

    It is one above `last` if that is a jack or queen, otherwise the first from the jack on. A face card that UP reaches
    in one step from `completing` is skipped.
    """
    next_choice = choices[(choices.index(completing) + 1) % len(choices)]
    higher = "JQK".partition(last)[2] if last in "JQ" else ""
    return next((face for face in higher + "JQK" if face in choices and face != next_choice), "")


class MoveInput(GameTexts, move_input.MoveInput):
    """Entering a move of Coral Reef; a pick is a `Pick`."""

    def draft_from_keys(self, state: State, keys: str) -> Draft | None:
        """``254`` is ``2:54``, ``9`` a seed, ``0`` "I can't move", ``07`` a seven drawn into an open hand."""
        corals = "".join(CORAL_OF_KEY.get(key, "?") for key in keys[1:])
        if not set(corals) <= set(corals_of_form(state.form)) or (state.form == "tiles" and "A" in keys):
            return None
        if keys[0] == "0":
            return _typed_claim_draft(state, corals)
        if keys in ("9", f"{len(state.tops) + 1}9"):  # Some players type the number of the new stack before the nine.
            return drafts.seed_draft(state)
        # There are eight nines, so never more than eight stacks.
        if keys[0] not in "12345678" or len(corals) > state.sizes[(state.to_move or 1) - 1] + 1:
            return None
        if not corals:
            return drafts.stack_draft(state, int(keys[0]))
        return drafts.play_draft(state, int(keys[0]), corals)

    def initial_pick(self, state: State) -> Pick:
        """The stack with the highest top, since most sums match it.

        For an open hand without a legal move it is the coral to draw, for a sealed hand that has drawn it is the pass.
        """
        if self.must_draw(state) and may_draw_openly(state):
            return pick_of_drawn_coral()
        if state.has_drawn and not is_hand_open(state):
            return Pick("cannot")
        return Pick("play", state.tops.index(max(state.tops)) + 1)

    def pick_at_first_arrow(self, state: State, arrow: str) -> Pick:
        """From a stack it goes on at once; it chooses no drawn coral; after a draw only right leads to the pass."""
        pick = self.initial_pick(state)
        if pick.kind == "card" or (pick.kind == "cannot" and arrow == "right"):
            return pick
        return self.pick_after_arrow(state, pick, arrow if pick.kind == "play" else "up")

    def pick_after_arrow(self, state: State, pick: Pick, arrow: str) -> Pick:
        public = RULES.seat_view(state, None)
        step = 1 if arrow in ("up", "right") else -1
        if pick.kind == "card":
            row = list(available_corals(public, ""))
            across = -(-len(row) // 2)  # The panel shows them in two lines.
            if not pick.cursor:
                starts = {"right": 0, "left": -1, "up": across - 1, "down": min(across, len(row) - 1)}
                return pick._replace(cursor=row[starts[arrow]])
            index = row.index(pick.cursor)
            if arrow in ("up", "down"):
                return pick._replace(cursor=row[min((index + across) % (2 * across), len(row) - 1)])
            return pick._replace(cursor=row[(index + step) % len(row)])
        if arrow in ("up", "down"):
            # After a draw the picker begins at the pass; a player who looks for a coral means a stack.
            if pick.kind == "cannot":
                return Pick("play", 1)
            return with_next_choice(public, pick, step) if pick.kind == "play" else pick
        if pick.corals:
            return with_likely_choice(public, pick, step)
        stacks = len(public.tops)
        picks = [Pick("play", stack) for stack in range(1, stacks + 1)]
        picks += [Pick("seed")] * ("9" in available_corals(public, "")) + [Pick("cannot")]
        index = picks.index(Pick(pick.kind, pick.stack if pick.kind == "play" else 1))
        # A draw is hard to take back, so one step left of the first stack is the last stack, not "I can't move".
        next_pick = picks[stacks - 1 if index == 0 and step < 0 else (index + step) % len(picks)]
        # A chosen coral stays under the cursor from stack to stack.
        return next_pick._replace(cursor=pick.cursor[:1]) if next_pick.kind == "play" else next_pick

    def pick_after_ok(self, state: State, pick: Pick) -> Pick | None:
        """ "I can't move" of an open hand that must draw leads to the corals to draw from.

        If the hand can move, the rules refuse first: to name a drawn coral, its player would already have to look at
        it.
        """
        public = RULES.seat_view(state, None)
        if pick.kind == "cannot" and may_draw_openly(state):
            return pick_of_drawn_coral() if self.must_draw(state) else None
        if pick.kind != "play" or pick.cursor in ("", END_CHOICE):
            return None
        if self.draft_from_pick(state, pick).verdict != "more":
            return None
        return with_likely_cursor(public, pick._replace(corals=pick.corals + pick.cursor[0]))

    def pick_after_back(self, state: State, pick: Pick) -> Pick | None:
        if pick.kind == "card":
            return Pick("cannot")
        return pick._replace(corals=pick.corals[:-1], cursor=pick.corals[-1]) if pick.corals else None

    def draft_from_pick(self, state: State, pick: Pick) -> Draft:
        public = RULES.seat_view(state, None)
        if pick.kind == "seed":
            return _tried_if_open(state, drafts.seed_draft(public))
        if pick.kind == "card":
            labels = possible_draw_labels(public)
            if not pick.cursor:
                return Draft("draw _", marks=Marks(row=labels, column=-1), message=text("◂▴▾▸ choose it"))
            column = list(available_corals(public, "")).index(pick.cursor)
            verb = text("it is {piece}", piece=labels[column])
            return Draft("draw •", f"draw {pick.cursor}", "ok", marks=Marks(row=labels, column=column), next_step=verb)
        if pick.kind == "cannot":
            if not is_hand_open(state):
                return drafts.cannot_move_draft(public)
            # Whether it may draw depends on its hand, so the panel shows that only after OK.
            return drafts.open_draw_draft(public) if may_draw_openly(state) else drafts.must_play_draft("draw", "pass")
        if not pick.cursor:
            working = text("They must add up to {top}.", top=public.tops[pick.stack - 1])
            arrows = self.input_instructions(public, uses_buttons=True)
            if pick.stack == len(public.tops) and "9" in available_corals(public, ""):
                arrows = text("▸ new stack   ▴▾ coral")
            return drafts.stack_draft(public, pick.stack)._replace(working=working, message=arrows)
        if pick.cursor == END_CHOICE:
            return _picked_corals_draft(state, pick.stack, pick.corals, is_at_end=True)
        corals = pick.corals + pick.cursor[0]
        draft = _picked_corals_draft(state, pick.stack, corals)
        add = text("add {piece}", piece=printed_corals(pick.cursor[0], public.form))
        if pick.cursor.endswith(MORE_SUFFIX):
            working = text("{sum} first, then more", sum=drafts.sum_or_coral(corals, public.form))
            return draft._replace(
                text=f"{draft.text}_", event=None, verdict="more", working=working, message="", next_step=add
            )
        if corals == "9" and pick.stack == len(public.tops) and draft.verdict == "ok":
            return draft._replace(working=text("9 on {stack}, or ▸ new stack", stack=pick.stack))
        return draft._replace(next_step=add) if draft.verdict == "more" else draft

    def refused_draft(self, draft: Draft, refused: RefusedError) -> Draft:
        """The panel must not show that an open hand lacks a coral, so only the refusal says it."""
        message = text("not in hand") if refused.code == "held" else refused.conflict
        return draft._replace(verdict="no", message=message, next_step="")

    def parse_typed_pieces(
        self, keys: str, kind: str, options: Mapping[str, str]
    ) -> tuple[tuple[str, ...], str] | None:
        coral = CORAL_OF_KEY.get(keys, "")
        form = options.get("form", "cards")
        return ((coral,), "") if coral and coral in corals_of_form(form) and (form, keys) != ("tiles", "A") else None

    def piece_rows(self, kind: str, options: Mapping[str, str]) -> Sequence[Sequence[str]]:
        row = corals_of_form(options.get("form", "cards"))
        half = (len(row) + 1) // 2
        return row[:half], row[half:]

    def available_pieces(self, view: State, kind: str, seat: int) -> Mapping[str, int]:
        return {coral: count_in_bag(view.unseen, coral) for coral in corals_of_form(view.form)}

    def held_pieces(self, view: State, seat: int) -> list[str]:
        return list(view.holdings[seat - 1].pieces or ())

    def is_piece_hidden(self, kind: str, piece: str) -> bool:
        return True


MOVE_INPUT = MoveInput()


def _typed_claim_draft(state: State, corals: str) -> Draft | None:
    if not is_hand_open(state):
        return None if corals else drafts.cannot_move_draft(state)
    if RULES.find_legal_move(state) is not None:
        return None if corals else drafts.must_play_draft("draw", "pass")
    if len(corals) > 1:
        return None
    return drafts.draft_of_drawn_coral(state, corals) if corals else drafts.unnamed_draw_draft(state)


def _picked_corals_draft(state: State, stack: int, corals: str, *, is_at_end: bool = False) -> Draft:
    """The draft of picked corals. It does not show whether an open hand has them, since others see the panel."""
    return _tried_if_open(state, drafts.play_draft(RULES.seat_view(state, None), stack, corals, is_at_end=is_at_end))


def _tried_if_open(state: State, draft: Draft) -> Draft:
    """The same draft. One that is ``ok`` by public knowledge is only tried, since an open hand may lack the corals."""
    if draft.verdict != "ok" or not is_hand_open(state):
        return draft
    return draft._replace(next_step=text("try it"), is_conditional=True)
