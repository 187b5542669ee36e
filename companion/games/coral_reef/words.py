"""The texts and numbers of Coral Reef apart from its rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.api import words
from companion.games.api.text import Text, text
from companion.games.api.words import MoveWords
from companion.games.coral_reef.drafts import CARD_KEYS, Marks, piece, shown
from companion.games.coral_reef.moves import Move, worked_sum
from companion.games.coral_reef.rules import RULES
from companion.games.coral_reef.state import State
from companion.games.coral_reef.sums import COUNTS, UNITS, can_move, count

KEYS = dict(zip("1234567890BCD", "A23456789TJQK", strict=True)) | {"A": "A"}
"""Key → coral."""
LONG = 5
"""The most corals that the panel's last line lists. For a longer play it gives their number."""
CLOSE = 5
"""From this number of corals on, a list has no blanks between them where there is little room."""


def is_open(state: State) -> bool:
    """Whether the hand to move is open, which is public knowledge."""
    return state.seat is not None and state.hands[state.seat - 1] is not None


_TYPED = str.maketrans("ATJQK", "10BCD")
"""Coral → its key, for corals that are no digits."""


class Words(words.Words):
    """What Coral Reef says apart from its drafts."""

    def move_words(
        self, before: State, seat: int, move: Move, names: Sequence[str] = (), *, again: bool = False
    ) -> MoveWords:
        """``54 on 2``, in the last line ``5 4 on 2``; ``new stack``, ``draw``, ``pass``.

        Only the notation and the button name a drawn coral.
        """
        if move.kind == "seed":
            stack = len(before.tops) + 1
            said = text("started stack {stack} with a nine", stack=stack)
            return MoveWords(text("new stack"), "", said, "seed", plays=text("Start a new stack"))
        if move.kind == "draw":
            said = text("could not play and drew; {pile} left in the deck", pile=before.pile - 1)
            plays = text("I drew {coral}", coral=shown(move.corals, before.form)) if move.corals else ""
            return MoveWords("draw", text("drew"), said, str(move), plays=plays)
        if move.kind == "pass":
            return MoveWords("pass", text("passed"), text("could not play and passed"))
        corals = labels(before.form, move)
        brief = text("{corals} on {stack}", corals=corals, stack=move.stack)
        if len(move.corals) > LONG:
            brief = text("{count} corals on {stack}", count=len(move.corals), stack=move.stack)
        close = corals if len(move.corals) < CLOSE else corals.replace(" ", "")
        short = text("{corals} on {stack}", corals=close, stack=move.stack)
        plays = text("Place {corals} on stack {stack}", corals=corals, stack=move.stack)
        return MoveWords(short, brief, _placed(before, move), str(move), plays=plays)

    def reveals(self, event: str) -> str:
        return text("a coral") if event.startswith("draw") else ""

    def claimed(self, event: str) -> str:
        return text("drew") if event.startswith("draw") else text("passed") if event == "pass" else ""

    def keys(self, event: str) -> str:
        """``2:54`` is ``254``, a seed a lone ``9``; ``0`` draws, with the drawn coral after it, or passes."""
        word, _, drawn = event.partition(" ")
        typed = {"seed": "9", "draw": "0" + drawn, "pass": "0"}.get(word, event.replace(":", ""))
        return typed.translate(_TYPED)

    def cannot(self, state: State, buttons: bool = False) -> str:
        """How a sealed hand enters a draw, or a pass once it has drawn; "" for an open hand (see `must_draw`)."""
        if state.seat is None or is_open(state):
            return ""
        if not buttons:
            return text("no move? 0 # draws") if state.pile and not state.drew else text("no move? 0 # passes")
        # After a draw the picker begins at the pass, see `pick_at_first_arrow`.
        return text("no move? ▸ passes") if state.drew else text("no move? ▸ to the end")

    def place(self, view: State, event: str) -> Marks | None:
        move = RULES.read(event)
        return Marks(move.stack) if move.stack else None

    def how_to_enter(self, view: State, buttons: bool = False) -> str:
        return text("◂▸ stack   ▴▾ coral") if buttons else text("type stack, corals")

    def forced(self, state: State) -> bool:
        return is_open(state) and RULES.find(state) is None

    def stray(self, state: State, keys: str, key: str) -> str:
        if not keys:
            return text("there is no stack {key}", key=key)
        return text("tiles are 0 to 9") if keys[0] == "0" else text("{key} is not a tile", key=key)

    def no_more(self, state: State, keys: str, key: str) -> str:
        return text("the first 0 counts") if keys[0] == "0" and len(keys) > 1 else ""

    def missing(self, state: State, keys: str) -> str:
        if state.form == "cards" and keys != "0":  # The keys of cards are shown above this line.
            return text("which? {keys}", keys=CARD_KEYS)
        return text("not yet: which?") if keys == "0" else text("not yet: which tiles?")

    def stray_piece(self, keys: str, kind: str, options: Mapping[str, str]) -> str:
        return text("tiles are 0 to 9")

    def piece_keys(self, kind: str, options: Mapping[str, str]) -> str:
        return text("tiles are 0 to 9") if options.get("form") == "tiles" else CARD_KEYS

    def turn_ended_because(self, before: State, after: State) -> str:
        if before.seat is None or not is_open(before) or after.seat == before.seat:
            return ""
        return text("drew and still can't move") if after.pile < before.pile else ""

    def blocked(self, state: State) -> str:
        if state.seat is not None or not all(state.sizes):
            return ""
        return text("nobody can move or draw any more")

    def could(self, example: str, options: Mapping[str, str]) -> str:
        move = RULES.read(example)
        if move.kind == "seed":
            return text("started a stack with a nine")
        return text("placed {corals} on {stack}", corals=labels(options.get("form", "cards"), move), stack=move.stack)

    def suggestion(self, state: State) -> str:
        """A stack that corals of an open hand fit, without naming them; for a sealed hand what everybody can see."""
        if state.seat is not None and not is_open(state):
            return _wanted(state)
        move = RULES.find(state) if is_open(state) else None
        if move is None:
            draw = text("Nothing fits: draw a {piece}.", piece=piece(state.form))
            return draw if self.forced(state) else ""
        if move.kind == "seed":
            return text("You can move.")  # Saying that no stack fits would reveal the nine.
        return text("Something in the hand fits stack {stack}.", stack=move.stack)

    def piece_words(self, piece: str, options: Mapping[str, str]) -> str:
        return shown(piece, options.get("form", "cards"))

    def own(self, view: State, seat: int) -> str:
        corals = view.holdings[seat - 1].pieces or ()
        return " ".join(shown(coral, view.form) for coral in corals)

    def result_counts(self, state: State, scores: tuple[int, ...]) -> tuple[int, ...]:
        return state.sizes

    def gain(self, event: str, seat: int, before: tuple[int, ...], after: tuple[int, ...]) -> int:
        return len(event.partition(":")[2]) or int(event == "seed")


def labels(form: str, move: Move) -> str:
    """The corals of a play as they are printed, in placing order: ``10 J``."""
    return " ".join([shown(coral, form) for coral in move.corals])


def _placed(before: State, move: Move) -> Text:
    """A play in a sentence, with the sum if it has several corals: ``placed 5 4 on stack 2: 5+4 = 9, now 4 on top``."""
    top = COUNTS[move.corals[-1]] or 10
    values: dict[str, Any] = {"corals": labels(before.form, move), "stack": move.stack, "top": top}
    if len(move.corals) == 1:
        return text("placed {corals} on stack {stack}, now {top} on top", **values)
    message = "placed {corals} on stack {stack}: {sum}, now {top} on top"
    return text(message, sum=worked_sum(move.corals), **values)


def draws_that_fit(state: State, bag: int) -> tuple[int, int]:
    """How many of the unseen corals would let a hand with these corals move, and how many corals are unseen."""
    unseen = {coral: count(state.loose, coral) for coral in UNITS}
    fitting = sum(copies for coral, copies in unseen.items() if copies and can_move(bag + UNITS[coral], state.tops))
    return fitting, sum(unseen.values())


def _wanted(state: State) -> str:
    """The numbers that corals must add up to, and how many of the unseen corals can be played alone."""
    tops = sorted(set(state.tops))
    *some, last = map(str, tops)
    numbers = text("{some} or {last}", some=", ".join(some), last=last) if some else last
    alone, unseen = draws_that_fit(state, 0)
    values = {"alone": alone, "unseen": unseen}
    if len(tops) > 4:
        return text("Of the {unseen} unseen corals, {alone} fit alone.", **values)
    message = "What you place must add up to {numbers}. Of the {unseen} unseen corals, {alone} fit alone."
    return text(message, numbers=numbers, **values)
