"""The texts and numbers of Coral Reef apart from its rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from companion.games.api import game_texts
from companion.games.api.board import written_sum
from companion.games.api.game_texts import MoveTexts
from companion.games.api.text import Text, plural_text, text
from companion.games.coral_reef.drafts import CARD_KEYS_TEXT, Marks, printed_corals
from companion.games.coral_reef.moves import Move, sum_text
from companion.games.coral_reef.rules import RULES
from companion.games.coral_reef.state import State
from companion.games.coral_reef.sums import CORAL_VALUES, SINGLE_BAGS, can_move, count_in_bag

CORAL_OF_KEY = dict(zip("1234567890BCD", "A23456789TJQK", strict=True)) | {"A": "A"}
"""Key → coral."""
MAX_LISTED_CORALS = 5
"""The most corals that the panel's last line lists. For a longer play it gives their number."""


def is_hand_open(state: State) -> bool:
    """Whether the hand to move is open, which is public knowledge."""
    return state.to_move is not None and state.hands[state.to_move - 1] is not None


_KEY_OF_CORAL = str.maketrans("ATJQK", "10BCD")
"""Coral → its key, for corals that are no digits."""


class GameTexts(game_texts.GameTexts):
    """What Coral Reef says apart from its drafts."""

    spoken_forms: ClassVar = {
        r"0 = 10  (?P<keys>\S \S \S) = J Q K": "0 for a ten, {keys} for jack, queen and king",
        r"(?<=[\wÀ-ÿ,] )A(?![\wÀ-ÿ])": "ace",
        r"(?<![\wÀ-ÿ])J(?![\wÀ-ÿ])": "jack",
        r"(?<![\wÀ-ÿ])Q(?![\wÀ-ÿ])": "queen",
        r"(?<![\wÀ-ÿ])K(?![\wÀ-ÿ])": "king",
        r"(?<![\wÀ-ÿ])A(?![\wÀ-ÿ]| [a-zà-ÿ])": "ace",
    }

    def spoken_draft(self, draft_text: str) -> str:
        stack, colon, corals = draft_text.partition(":")
        if not colon:
            return {"draw": text("draw"), "pass": text("pass")}.get(draft_text.split()[0], draft_text)
        pieces = (part if part == "10" else " ".join(part) for part in corals.split())
        return text("stack {stack}: {corals}", stack=stack, corals=" ".join(pieces))

    def move_texts(
        self, state_before: State, seat: int, move: Move, names: Sequence[str] = (), *, moves_again: bool = False
    ) -> MoveTexts:
        """``8+4+J on 2``, ``new stack``, ``draw``, ``pass``.

        Only the notation and the button name a drawn coral.
        """
        if move.kind == "seed":
            stack = len(state_before.tops) + 1
            sentence = text("started stack {stack} with a nine", stack=stack)
            return MoveTexts(text("new stack"), "", sentence, "seed", button_label=text("Start a new stack"))
        if move.kind == "draw":
            sentence = text("could not play and drew; {pile} left in the deck", pile=state_before.deck - 1)
            button_label = (
                text("I drew {coral}", coral=printed_corals(move.corals, state_before.form)) if move.corals else ""
            )
            return MoveTexts("draw", text("drew"), sentence, str(move), button_label=button_label)
        if move.kind == "pass":
            button_label = text("Pass", "button")
            return MoveTexts("pass", text("passed"), text("could not play and passed"), button_label=button_label)
        signs = "".join("+" + printed_corals(coral, state_before.form) for coral in move.corals)
        brief = short = text("{corals} on {stack}", corals=signs.removeprefix("+"), stack=move.stack)
        if len(move.corals) > MAX_LISTED_CORALS:
            brief = text("{count} corals on {stack}", count=len(move.corals), stack=move.stack)
        button_label = text("Lay {corals}", corals=printed_play(state_before.form, move).replace(" ", ", "))
        return MoveTexts(short, brief, _placed_sentence(state_before, move), str(move), button_label=button_label)

    def revealed_piece_text(self, event: str) -> str:
        return text("a coral") if event.startswith("draw") else ""

    def claim_text(self, event: str) -> str:
        return text("drew") if event.startswith("draw") else text("passed") if event == "pass" else ""

    def keys_for_event(self, event: str) -> str:
        """``2:54`` is ``254``, a seed a lone ``9``; ``0`` draws, with the drawn coral after it, or passes."""
        word, _, drawn = event.partition(" ")
        keys = {"seed": "9", "draw": "0" + drawn, "pass": "0"}.get(word, event.replace(":", ""))
        return keys.translate(_KEY_OF_CORAL)

    def claim_instructions(self, state: State, uses_buttons: bool = False) -> str:
        """How a sealed hand enters a draw, or a pass once it has drawn; "" for an open hand (see `must_draw`)."""
        if state.to_move is None or is_hand_open(state):
            return ""
        if state.has_drawn:  # The picker begins at the pass, see `pick_at_first_arrow`.
            return text("Can't move? Pass: ▸") if uses_buttons else text("Can't move? Pass: 0")
        return text("Can't move? ↩ menu") if uses_buttons else text("Can't move? Type 0.")

    def move_marks(self, view: State, event: str) -> Marks | None:
        move = RULES.parse_move(event)
        return Marks(move.stack) if move.stack else None

    def turn_text(self, view: State, names: Sequence[str]) -> str:
        return plural_text(view.sizes[(view.to_move or 1) - 1], "{number} coral in hand", "{number} corals in hand")

    def input_instructions(self, view: State, uses_buttons: bool = False) -> str:
        return text("◂▸ stack   ▴▾ coral") if uses_buttons else text("Which stack?")

    def example_event(self, view: State) -> str:
        return "2:54"

    def must_draw(self, state: State) -> bool:
        return is_hand_open(state) and RULES.find_legal_move(state) is None

    def stray_key_text(self, state: State, keys: str, key: str) -> str:
        if not keys:
            return text("there is no stack {key}", key=key)
        return text("corals are 0 to 9") if keys[0] == "0" else text("{key} is not a coral", key=key)

    def extra_key_text(self, state: State, keys: str, key: str) -> str:
        return text("the first one counts") if keys[0] == "0" and len(keys) > 1 else ""

    def incomplete_text(self, state: State, keys: str) -> str:
        return text("Which did you draw?") if keys == "0" else text("First choose a coral.")

    def stray_piece_key_text(self, keys: str, kind: str, options: Mapping[str, str]) -> str:
        return text("corals are 0 to 9")

    def piece_keys_text(self, kind: str, options: Mapping[str, str]) -> str:
        return text("corals are 0 to 9") if options.get("form") == "tiles" else CARD_KEYS_TEXT

    def turn_end_reason(self, state_before: State, state_after: State) -> str:
        if (
            state_before.to_move is None
            or not is_hand_open(state_before)
            or state_after.to_move == state_before.to_move
        ):
            return ""
        return text("drew and still can't move") if state_after.deck < state_before.deck else ""

    def blocked_reason(self, state: State) -> str:
        if state.to_move is not None or not all(state.sizes):
            return ""
        return text("nobody can move or draw any more")

    def possible_move_text(self, example: str, options: Mapping[str, str]) -> str:
        move = RULES.parse_move(example)
        if move.kind == "seed":
            return text("started a stack with a nine")
        return text(
            "laid {corals} on {stack}", corals=printed_play(options.get("form", "cards"), move), stack=move.stack
        )

    def suggested_move_text(self, state: State) -> str:
        """A stack that corals of an open hand fit, without naming them; for a sealed hand what everybody can see."""
        if state.to_move is not None and not is_hand_open(state):
            return _public_suggestion(state)
        move = RULES.find_legal_move(state) if is_hand_open(state) else None
        if move is None:
            draw = text("Nothing fits: draw a coral.")
            return draw if self.must_draw(state) else ""
        if move.kind == "seed":
            return text("You can move.")  # Saying that no stack fits would reveal the nine.
        return text("Something in the hand fits stack {stack}.", stack=move.stack)

    def printed_piece(self, piece: str, options: Mapping[str, str]) -> str:
        return printed_corals(piece, options.get("form", "cards"))

    def own_pieces_text(self, view: State, seat: int) -> str:
        corals = view.holdings[seat - 1].pieces or ()
        return " ".join(printed_corals(coral, view.form) for coral in corals)

    def result_counts(self, state: State, scores: tuple[int, ...]) -> tuple[int, ...]:
        return state.sizes

    def event_gain(self, event: str, seat: int, counts_before: tuple[int, ...], counts_after: tuple[int, ...]) -> int:
        return len(event.partition(":")[2]) or int(event == "seed")


def printed_play(form: str, move: Move) -> str:
    """The corals of a play as they are printed, in placing order: ``10 J``."""
    return " ".join([printed_corals(coral, form) for coral in move.corals])


def _placed_sentence(before: State, move: Move) -> Text:
    """A play in a sentence, with the sum if it has several corals: ``laid 5 4 on stack 2: 5 + 4 = 9, now …``."""
    top = CORAL_VALUES[move.corals[-1]] or 10
    values: dict[str, Any] = {"corals": printed_play(before.form, move), "stack": move.stack, "top": top}
    if len(move.corals) == 1:
        return text("laid {corals} on stack {stack}, now {top} on top", **values)
    message = "laid {corals} on stack {stack}: {sum}, now {top} on top"
    return text(message, sum=written_sum(sum_text(move.corals)), **values)


def count_draws_allowing_move(state: State, bag: int) -> tuple[int, int]:
    """How many of the unseen corals would let a hand with these corals move, and how many corals are unseen."""
    unseen = {coral: count_in_bag(state.unseen, coral) for coral in SINGLE_BAGS}
    fitting = sum(
        copies for coral, copies in unseen.items() if copies and can_move(bag + SINGLE_BAGS[coral], state.tops)
    )
    return fitting, sum(unseen.values())


def _public_suggestion(state: State) -> str:
    """The numbers that corals must add up to, and how many of the unseen corals can be played alone."""
    tops = sorted(set(state.tops))
    *other_numbers, last = map(str, tops)
    numbers = text("{some} or {last}", some=", ".join(other_numbers), last=last) if other_numbers else last
    fitting, unseen = count_draws_allowing_move(state, 0)
    values = {"alone": fitting, "unseen": unseen}
    if len(tops) > 4:
        return text("Of the {unseen} unseen corals, {alone} fit alone.", **values)
    message = "What you place must add up to {numbers}. Of the {unseen} unseen corals, {alone} fit alone."
    return text(message, numbers=numbers, **values)
