"""The events of Coral Reef: their written form, and the words for their corals."""

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from companion.game.text import text
from companion.games.coral_reef.refusals import Refused
from companion.games.coral_reef.sums import COUNTS


class Move(NamedTuple):
    """An event; `str` is its short written form: ``2:54``, ``seed``, ``draw``, ``draw 7``, ``pass``.

    Attributes:
        kind: what it is.
        stack: the stack of a ``play``, 0–999 as written; the rules accept 1 to the number of stacks. Otherwise 0.
        corals: those of a ``play`` in placing order; the one drawn by an open hand; otherwise "".
    """

    kind: Literal["play", "seed", "draw", "pass"]
    stack: int = 0
    corals: str = ""

    def __str__(self) -> str:
        if self.kind == "play":
            return f"{self.stack}:{self.corals}"
        return f"draw {self.corals}" if self.corals else self.kind


FACES = frozenset("JQK")
NAMES = {"A": text("ace"), "T": text("ten"), "J": text("jack"), "Q": text("queen"), "K": text("king")}
"""What players call the cards that have no number."""
SEED, DRAW, PASS = Move("seed"), Move("draw"), Move("pass")

_CORAL = "[A2-9TJQK10]"
# Both cases of each letter are listed, since matching with IGNORECASE takes much longer.
_PLAY = re.compile(r"(0|[1-9][0-9]{0,2})[ \t]*:([A2-9TJQK10atjqk \t,]+)")
_DRAW = re.compile(rf"draw[ \t,]+({_CORAL})", re.ASCII | re.IGNORECASE)
_HAND = re.compile(rf"(?:{_CORAL}|[ \t,])*", re.ASCII | re.IGNORECASE)
_PLAIN = {"seed": SEED, "draw": DRAW, "pass": PASS}
_WRITTEN = str.maketrans("10atjqk", "ATATJQK", " \t,")


def read(text: str) -> Move:
    """Parse an event's text, without judging the move. Raises Refused ``syntax`` for anything else."""
    text = text.strip(" \t")
    if (played := _PLAY.fullmatch(text)) and (corals := played[2].translate(_WRITTEN)):
        return Move("play", int(played[1]), corals)
    if drawn := _DRAW.fullmatch(text):
        return Move("draw", 0, drawn[1].translate(_WRITTEN))
    # Only ASCII: `lower` turns some other Unicode characters into ASCII letters, which are no letters of an event.
    if text.isascii() and text.lower() in _PLAIN:
        return _PLAIN[text.lower()]
    raise Refused("syntax", said=_short(text))


def read_corals(text: str) -> str:
    """The corals of a deal line in the order written. Raises Refused ``syntax`` if one is no coral."""
    if not _HAND.fullmatch(text):
        # The text is not shown: the rest of it may be a hand that nobody else should see.
        raise Refused("syntax hand")
    return text.translate(_WRITTEN)


def check_form(form: str, corals: str) -> None:
    """Raise Refused ``syntax`` for a face card if the round is played with tiles."""
    if form == "tiles" and not FACES.isdisjoint(corals):
        raise Refused("syntax tiles")


def name(coral: str, form: str) -> str:
    """What players call a coral: ``ace``, ``7``, ``king``; with tiles ``1``, ``0``."""
    if form == "tiles":
        return {"A": "1", "T": "0"}.get(coral, coral)
    return NAMES.get(coral, coral)


def worked_sum(corals: Iterable[str]) -> str:
    """The sum of placed corals with its terms, ``2+5 = 7``; only the result if that has more than 14 characters."""
    counts = [COUNTS[coral] for coral in corals]
    working = "".join(map("{:+d}".format, counts)).removeprefix("+")
    line = f"{working} = {sum(counts)}"
    return line if len(counts) > 1 and len(line) <= 14 else str(sum(counts))


def _short(text: str) -> str:
    """An entry as a refusal shows it: at most 12 characters, with ``?`` for all but printable ASCII."""
    shown = "".join(sign if " " <= sign <= "~" else "?" for sign in text[:12])
    return shown if len(text) <= 12 else shown[:11] + "…"
