"""The events of Coral Reef, the sentences of its refusals, and the names and sums of corals."""

from typing import Literal, NamedTuple

from companion.games import api
from companion.games.api.text import text
from companion.games.coral_reef.sums import CORAL_VALUES

ALL_SEEN_RULE = "all eight have been seen"
MUST_PLAY_RULE = "draw or pass only when nothing fits and you hold no nine"
HELD_ONLY_RULE = "play only what you hold"
TOO_FEW_CONFLICT = "{who} has fewer"
SENTENCES = {
    "syntax": ("{said}", "not a move", "write a play as 2:54, or write seed, draw or pass"),
    "syntax hand": ("this is not a hand", "", "corals are A or 1, 2 to 9, T or 0, J, Q, K"),
    "syntax tiles": ("no face cards", "", "tiles go from 0 to 9, with no J, Q or K"),
    "syntax sealed": ("draw", "the hand is sealed", "don't name the coral"),
    "syntax open": ("draw which?", "the hand is open", "name the coral you drew"),
    "deal seat": ("{kind} {seat}", "the hands are 1 and 2", "there is no such hand"),
    "deal size": ("{corals} of {hand}", "", "a hand starts with {hand} corals"),
    "deal alike": ("too many alike", "", "there are eight of each; four nines are on the table"),
    "stack": ("stack {stack}", "the stacks are 1 to {stacks}", "there is no such stack"),
    "held": ("no {coral} in hand", "", HELD_ONLY_RULE),
    "held twice": ("{coral} twice", TOO_FEW_CONFLICT, HELD_ONLY_RULE),
    "held often": ("{coral} {times} times", TOO_FEW_CONFLICT, HELD_ONLY_RULE),
    "held few": ("{corals}", "the hand has only {left}", HELD_ONLY_RULE),
    "supply": ("no {coral} left", "", ALL_SEEN_RULE),
    "supply drawn": ("not in the deck", "", "all eight of these have been seen"),
    "ten-last": ("a {ten} not last", "", "a {ten} must come last, so you can place only one"),
    "face-top": ("a {coral} on top", "", "a face card must not end up on top"),
    "sum one low": ("{coral} on stack {stack}", "the top is {top}", "", "{by} more needed"),
    "sum one high": ("{coral} on stack {stack}", "the top is {top}", "", "{by} too many"),
    "sum one ten": (
        "{coral} on stack {stack}",
        "the top is {top}",
        "a {ten} adds 0; it is 10 only on top",
        "{by} more needed",
    ),
    "sum low": ("{sum}", "stack {stack} needs {top}", "", "{by} more needed"),
    "sum high": ("{sum}", "stack {stack} needs {top}", "", "{by} too many"),
    "sum ten": (
        "{sum}",
        "stack {stack} needs {top}",
        "a {ten} adds 0; it is 10 only on top",
        "{by} more needed",
    ),
    "drawn": ("already drawn", "", "draw only one coral a turn, then play"),
    "drawn sealed": ("already drawn", "", "draw only one coral a turn, then play or pass"),
    "must-play": ("you can move", "", MUST_PLAY_RULE),
    "pile": ("empty deck", "nothing is left to draw", "play or pass"),
    "must-draw": ("draw first", "the deck has {pile}", "draw a coral before you pass"),
}
"""Code, with further words where a code has several rows → figure, conflict, rule, what is needed."""


class RefusedError(api.RefusedError):
    """A refusal of Coral Reef, with the sentences of this game."""

    sentences = SENTENCES


class Move(NamedTuple):
    """An event; `str` is its short written form: ``2:54``, ``seed``, ``draw``, ``draw 7``, ``pass``.

    Attributes:
        kind: what is done.
        stack: the stack of a ``play`` as written, 0 to 999; the rules accept 1 to the number of stacks. Otherwise 0.
        corals: the corals of a ``play`` in placing order, or the one that an open hand drew; otherwise "".
    """

    kind: Literal["play", "seed", "draw", "pass"]
    stack: int = 0
    corals: str = ""

    def __str__(self) -> str:
        if self.kind == "play":
            return f"{self.stack}:{self.corals}"
        return f"draw {self.corals}" if self.corals else self.kind


FACE_CARDS = frozenset("JQK")
CARD_NAMES = {"A": text("ace"), "T": text("ten"), "J": text("jack"), "Q": text("queen"), "K": text("king")}
"""What players call the cards that have no number."""
SEED, DRAW, PASS = Move("seed"), Move("draw"), Move("pass")


def check_corals_of_form(form: str, corals: str) -> None:
    """Raise RefusedError ``syntax`` for a face card if the round is played with tiles."""
    if form == "tiles" and not FACE_CARDS.isdisjoint(corals):
        raise RefusedError("syntax tiles")


def coral_name(coral: str, form: str) -> str:
    """What players call a coral: ``ace``, ``7``, ``king``; with tiles ``1``, ``0``."""
    if form == "tiles":
        return {"A": "1", "T": "0"}.get(coral, coral)
    return CARD_NAMES.get(coral, coral)


def corals_sum(corals: str) -> int:
    """The sum of what corals count when they are placed (ten 0, jack -1, queen -2, king -3)."""
    return sum(map(CORAL_VALUES.__getitem__, corals))


def full_sum_text(corals: str) -> str:
    """The sum of placed corals with all its terms: ``5+4 = 9``."""
    terms = "".join([f"{CORAL_VALUES[coral]:+d}" for coral in corals]).removeprefix("+")
    return f"{terms} = {corals_sum(corals)}"


def sum_text(corals: str) -> str:
    """The sum of placed corals, ``2+5 = 7``; only the result if this has more than 14 characters."""
    sum_ = full_sum_text(corals)
    return sum_ if len(corals) > 1 and len(sum_) <= 14 else str(corals_sum(corals))
