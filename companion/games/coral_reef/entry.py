"""Entering a move of Coral Reef: a stack, then corals in placing order, typed or picked with the arrow buttons.

| button | before the first coral is added | afterwards |
| --- | --- | --- |
| left, right | the stack; after the last one a seed, then "I can't move" | likely choices |
| up, down | the last coral | the last coral, or the end |
| OK | with a tick it plays; with an underscore it adds the coral | the same |

The likely choices (`with_likely_choice`) are: left the same coral again, right a face card, and both the end. The
picker uses only public knowledge, also for an open hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.games.api import Refused, entry
from companion.games.api.entry import Draft
from companion.games.api.text import text
from companion.games.coral_reef import drafts
from companion.games.coral_reef.drafts import Marks, left_over, ranks, shown
from companion.games.coral_reef.moves import total
from companion.games.coral_reef.rules import RULES
from companion.games.coral_reef.state import State
from companion.games.coral_reef.sums import count
from companion.games.coral_reef.words import KEYS, Words, is_open
from companion.languages import translate

END = "."
"""The choice after the last coral: OK plays the draft as it is, right or wrong."""
LAST = text("done")
"""The label of `END_CHOICE`."""
MORE = "+"
"""Follows a coral that makes the sum right, for the choice to add this coral and go on with another one."""


class Pick(NamedTuple):
    """The state of the picker.

    Attributes:
        kind: ``play``, ``seed``, ``cannot`` ("I can't move"), or ``card`` (the coral that an open hand draws).
        stack: the stack of a ``play``, from 1.
        corals: the corals added so far.
        cursor: the choice under the cursor: a coral, a coral and `MORE_SUFFIX`, or `END_CHOICE`.
        is_coral_chosen: whether up or down was pressed for the first coral, so that it stays from stack to stack.
    """

    kind: str
    stack: int = 1
    corals: str = ""
    cursor: str = ""
    chosen: bool = False


def drawable(public: State) -> tuple[str, ...]:
    """The labels of the corals that may be drawn, by public knowledge."""
    return tuple(shown(coral, public.form) for coral in left_over(public, ""))


def draws_open(state: State) -> bool:
    """Whether "I can't move" of an open hand may lead to a draw, by public knowledge."""
    return is_open(state) and state.pile > 0 and not state.drew


def drawing(public: State) -> Pick:
    """The picker on the first coral that an open hand may draw."""
    return Pick("card", cursor=next(iter(left_over(public, ""))))


def on_stack(public: State, stack: int) -> Pick:
    """The picker on a stack (from 1), with the most likely first coral under the cursor."""
    return starting(public, Pick("play", stack))


def starting(public: State, pick: Pick) -> Pick:
    """The pick with its cursor on the most likely next coral.

    That is the coral that completes the sum, or else the next lower one. If the sum is above the top, it is a face
    card; if the sum is right already, the ten. If there is no such coral, it is the first of the choices.
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
    """The choices for up and down, which wrap around: the corals that may be left, from ace to king, then `END_CHOICE`.

    A coral that makes the sum right is followed by the same coral with `MORE_SUFFIX`, unless it is the hand's last one.
    `END_CHOICE` needs at least one coral.
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
    """The pick with the next (`step` 1) or previous (-1) choice."""
    ring = choices(public, pick)
    return pick._replace(cursor=ring[(ring.index(pick.cursor) + step) % len(ring)])


def beside(public: State, pick: Pick) -> tuple[str, ...]:
    """What up and down lead to, as labels with their arrows; () if they lead to nothing else."""
    above, below = (stepped(public, pick, step).cursor for step in (1, -1))
    return () if above == below == pick.cursor else (_led("▴", above, public), _led("▾", below, public))


def leaps(public: State, pick: Pick) -> tuple[str, ...]:
    """What right and left lead to once a coral is added, as labels with their arrows; () if they lead to nothing else.

    The labels also have the corals before the choice. A coral alone would be read as a stack, since these arrows lead
    to stacks at first.
    """
    if not pick.corals:
        return ()
    ahead, back = (leapt(public, pick, step).cursor for step in (1, -1))
    if ahead == back == pick.cursor:
        return ()
    added = "".join(shown(coral, public.form) for coral in pick.corals)
    return tuple(_led(arrow + added * (to != END), to, public) for arrow, to in (("▸", ahead), ("◂", back)))


def _led(arrow: str, choice: str, public: State) -> str:
    """A choice as the label of an arrow. A coral with a plus means that another coral follows."""
    return arrow + (translate(LAST) if choice == END else shown(choice[0], public.form) + choice[1:])


def leapt(public: State, pick: Pick, step: int) -> Pick:
    """The pick on the next (`step` 1) or previous (-1) likely choice.

    These are the coral that completes the sum, a face card, the end if the sum is right, and the last coral again if
    that is not too much.
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
    """The next face card for `with_likely_choice`, or "".

    It is one above `last` if that is a jack or queen, otherwise the first from the jack on. A face card that UP reaches
    in one step from `completing` is skipped.
    """
    beside = ring[(ring.index(fills) + 1) % len(ring)]
    higher = "JQK".partition(last)[2] if last in "JQ" else ""
    return next((face for face in higher + "JQK" if face in ring and face != beside), "")


class Entry(Words, entry.Entry):
    """Entering a move of Coral Reef; a pick is a `Pick`."""

    def typed(self, state: State, keys: str) -> Draft | None:
        """``254`` is ``2:54``, ``9`` a seed, ``0`` "I can't move", ``07`` a seven drawn into an open hand."""
        corals = "".join(KEYS.get(key, "?") for key in keys[1:])
        if not set(corals) <= set(ranks(state.form)) or (state.form == "tiles" and "A" in keys):
            return None
        if keys[0] == "0":
            return _typed_cannot(state, corals)
        if keys in ("9", f"{len(state.tops) + 1}9"):  # Some players type the number of the new stack before the nine.
            return drafts.seed(state)
        # There are eight nines, so never more than eight stacks.
        if keys[0] not in "12345678" or len(corals) > state.sizes[(state.seat or 1) - 1] + 1:
            return None
        if not corals:
            return drafts.stack_alone(state, int(keys[0]))
        return drafts.play(state, int(keys[0]), corals)

    def pick(self, state: State) -> Pick:
        """The stack with the highest top, since most sums match it.

        For an open hand without a legal move it is the coral to draw, for a sealed hand that has drawn it is the pass.
        """
        if self.forced(state) and draws_open(state):
            return drawing(RULES.view(state, None))
        if state.drew and not is_open(state):
            return Pick("cannot")
        return on_stack(RULES.view(state, None), state.tops.index(max(state.tops)) + 1)

    def first_pick(self, state: State, arrow: str) -> Pick:
        """Left and right go on from the initial pick at once; after a draw only right leads to the pass."""
        pick = self.pick(state)
        if pick.kind == "cannot":
            return pick if arrow == "right" else self.pick_changed(state, pick, "up")
        return self.pick_changed(state, pick, arrow) if pick.kind == "play" and arrow in ("left", "right") else pick

    def pick_changed(self, state: State, pick: Pick, arrow: str) -> Pick:
        public = RULES.view(state, None)
        step = 1 if arrow in ("up", "right") else -1
        if pick.kind == "card":
            row = list(left_over(public, ""))  # Up and down jump over half of the row.
            by = max(1, len(row) // 2) if arrow in ("up", "down") else 1
            return pick._replace(cursor=row[(row.index(pick.cursor) + step * by) % len(row)])
        if arrow in ("up", "down"):
            # After a draw the picker begins at the pass; a player who looks for a coral means a stack.
            if pick.kind == "cannot":
                return on_stack(public, 1)
            return stepped(public, pick, step)._replace(chosen=True) if pick.kind == "play" else pick
        if pick.corals:
            return leapt(public, pick, step)
        stacks = len(public.tops)
        places = [Pick("play", stack) for stack in range(1, stacks + 1)]
        places += [Pick("seed")] * ("9" in left_over(public, "")) + [Pick("cannot")]
        here = places.index(Pick(pick.kind, pick.stack if pick.kind == "play" else 1))
        # A draw is hard to take back, so one step left of the first stack is the last stack, not "I can't move".
        there = places[stacks - 1 if here == 0 and step < 0 else (here + step) % len(places)]
        if there.kind != "play":
            return there
        # A chosen coral stays under the cursor from stack to stack.
        moved = there._replace(cursor=pick.cursor[:1], chosen=True)
        return moved if pick.chosen and moved.cursor in choices(public, moved) else on_stack(public, there.stack)

    def entered(self, state: State, pick: Pick) -> Pick | None:
        """ "I can't move" of an open hand that must draw leads to the corals to draw from.

        If the hand can move, the rules refuse first: to name a drawn coral, its player would already have to look at
        it.
        """
        public = RULES.view(state, None)
        if pick.kind == "cannot" and draws_open(state):
            return drawing(public) if self.forced(state) else None
        if pick.kind != "play" or pick.cursor == END or self.picked(state, pick).verdict != "more":
            return None
        return starting(public, pick._replace(corals=pick.corals + pick.cursor[0]))

    def erased(self, state: State, pick: Pick) -> Pick | None:
        if pick.kind == "card":
            return Pick("cannot")
        return pick._replace(corals=pick.corals[:-1], cursor=pick.corals[-1]) if pick.corals else None

    def picked(self, state: State, pick: Pick) -> Draft:
        public = RULES.view(state, None)
        if pick.kind == "seed":
            then = text("▸ pass") if state.drew or not state.pile else text("▸ draw")
            seed = drafts.seed(public)
            return _unproven(state, seed._replace(marks=Marks(picked=True, leaps=(then,))))
        if pick.kind == "card":
            marks = Marks(row=drawable(public), column=list(left_over(public, "")).index(pick.cursor))
            return Draft("draw •", f"draw {pick.cursor}", "ok", "", text("please look away"), marks)
        if pick.kind == "cannot":
            if not is_open(state):
                return drafts.cannot(public)
            if draws_open(state):  # Whether it may draw depends on its hand, so the panel shows that only after OK.
                # The working explains letters, which buttons do not have.
                asked = drafts.draw_which(public)._replace(attempt="pass", working="")
                return asked._replace(says="", goes_to=text("draw"))
            return drafts.must_play("draw", "pass")
        under = shown(pick.cursor[0], public.form)
        marks = Marks(pick.stack, under, picked=True, beside=beside(public, pick), leaps=leaps(public, pick))
        if pick.cursor == END:
            ended = _judged(state, pick.stack, pick.corals, ends=True)
            return ended._replace(marks=marks._replace(cursor="", ends=True))
        draft = _judged(state, pick.stack, pick.corals + pick.cursor[0])
        if pick.cursor.endswith(MORE):
            # The coral is not marked as under the cursor: OK adds it and moves on to the underscore.
            return draft._replace(
                text=f"{draft.text}_", event=None, verdict="more", working=draft.working or text("and more"), says="",
                marks=marks._replace(cursor=""), goes_to=text("add"),
            )  # fmt: skip
        if draft.verdict == "more":  # OK adds the coral, and the next step says how much is missing.
            return draft._replace(marks=marks, says="", goes_to=draft.marks.goes_to or draft.says)
        return draft._replace(marks=marks)

    def crossed(self, draft: Draft, refused: Refused) -> Draft:
        """The panel must not show that an open hand lacks a coral, so only the refusal says it."""
        return draft._replace(verdict="no", says=text("not in hand") if refused.code == "held" else refused.against)

    def pieces(self, keys: str, kind: str, options: Mapping[str, str]) -> tuple[tuple[str, ...], str] | None:
        coral = KEYS.get(keys, "")
        form = options.get("form", "cards")
        return ((coral,), "") if coral and coral in ranks(form) and (form, keys) != ("tiles", "A") else None

    def grid(self, kind: str, options: Mapping[str, str]) -> Sequence[Sequence[str]]:
        row = ranks(options.get("form", "cards"))
        half = (len(row) + 1) // 2
        return row[:half], row[half:]

    def spare(self, view: State, kind: str, seat: int) -> Mapping[str, int]:
        return {coral: count(view.loose, coral) for coral in ranks(view.form)}

    def held(self, view: State, seat: int) -> list[str]:
        return list(view.holdings[seat - 1].pieces or ())

    def masked(self, kind: str, piece: str) -> bool:
        return True


ENTRY = Entry()


def _typed_cannot(state: State, corals: str) -> Draft | None:
    if not is_open(state):
        return None if corals else drafts.cannot(state)
    if RULES.find(state) is not None:
        return None if corals else drafts.must_play("draw", "pass")
    if len(corals) > 1:
        return None
    return drafts.drawn(state, corals) if corals else drafts.draw_which(state)


def _judged(state: State, stack: int, corals: str, *, ends: bool = False) -> Draft:
    """The draft of picked corals. It does not show whether an open hand has them, since others see the panel."""
    return _unproven(state, drafts.play(RULES.view(state, None), stack, corals, ends=ends))


def _unproven(state: State, draft: Draft) -> Draft:
    """The same draft; one that is ``ok`` by public knowledge says that an open hand may not have the corals."""
    return draft._replace(says=text("if in hand")) if draft.verdict == "ok" and is_open(state) else draft
