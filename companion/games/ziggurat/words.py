"""What Ziggurat says apart from its drafts: plays in words, messages about keys, hands, a suggestion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.api import words
from companion.games.api.text import plural_text, text
from companion.games.api.words import MoveWords
from companion.games.ziggurat import GAME, rules
from companion.games.ziggurat.grid import CELLS, SIDE
from companion.games.ziggurat.judging import Marks, best, halves, wanted, way_key
from companion.games.ziggurat.pieces import PIPS, Move
from companion.games.ziggurat.rules import RULES
from companion.games.ziggurat.state import VACANT, State

TWO_DIGITS = 10
"""Pips from this one on have two digits."""
_MANY = 20
"""A hand of more dominoes than this is written suit by suit."""


class Words(words.Words):
    """What Ziggurat says apart from its drafts."""

    def move_words(
        self, before: State, seat: int, move: Move, names: Sequence[str] = (), *, again: bool = False
    ) -> MoveWords:
        """``6-3 d4e4``; in a sentence ``laid 6-3 on d4 and e4: 2 points``, above the base with the level."""
        points = rules.effect(before, move).points
        said = plural_text(points, "{number} point", "{number} points") if points else text("no points")
        values = {"domino": f"{move.p}-{move.q}", "first": CELLS[move.first], "second": CELLS[move.second]}
        plays = text("Lay {domino} on {first} and {second}", **values)
        if before.level == 1:
            said = text("laid {domino} on {first} and {second}: {points}", points=said, **values)
            return MoveWords(str(move), said=said, plays=plays)
        message = "laid {domino} on {first} and {second}, level {level}: {points}"
        return MoveWords(str(move), said=text(message, level=before.level, points=said, **values), plays=plays)

    def stray(self, state: State, keys: str, key: str) -> str:
        if len(keys) < 2:
            return text("pips: 0-{top}", top=state.top) if state.top < TWO_DIGITS else text("pips: 0-9, A-C")
        return ("column: 1-7", "row: 1-7", "way: A B C D")[len(keys) - 2]

    def missing(self, state: State, keys: str) -> str:
        wanted = text("not yet: 2nd pip"), text("not yet: column"), text("not yet: row"), text("not yet: which way")
        return wanted[len(keys) - 1]

    def stray_piece(self, keys: str, kind: str, options: Mapping[str, str]) -> str:
        return text("pips are 0 to {top}", top=options.get("set", GAME.defaults["set"]))

    def place(self, view: State, event: str) -> Marks:
        move = RULES.read(event)
        return Marks("", ((move.first, VACANT), (move.second, VACANT)))

    def how_to_enter(self, view: State, buttons: bool = False) -> str:
        """Two pips, then the square and the letter of the way; with buttons, that the arrows change the pips.

        Pips of two digits have letters, which nobody guesses, so there only these are explained; the rest is asked for
        step by step. The text must fit the 44 columns beside the map of the double-twelve set.
        """
        if not buttons:
            return text("pips, column, row, A-D") if view.top < TWO_DIGITS else text("A=10, B=11, C=12")
        if view.level > 1:
            return text("▴▾◂▸ pips on ▴") if view.top < TWO_DIGITS else text("▴▾◂▸ pip on ▴")
        return text("▴▾◂▸ pips on dots") if view.top < TWO_DIGITS else text("▴▾◂▸ pip on dots")

    def suggestion(self, state: State) -> str:
        """A free pair of squares and the pips that would score there, from the table alone."""
        if not state.free:
            return ""
        move = best(state)
        scoring = [(pip, CELLS[cell]) for pip, cell in halves(move) if pip in wanted(state, cell)]
        cells = f"{CELLS[move.first]} {CELLS[move.second]}"
        if not scoring:
            return text("Try {cells}: any domino fits.", cells=cells)
        (pip, cell), *more = scoring
        if not more:
            return text("Try {cells}: {pip} on {cell} would score.", cells=cells, pip=pip, cell=cell)
        message = "Try {cells}: {pip} on {cell} and {other_pip} on {other} would score."
        return text(message, cells=cells, pip=pip, cell=cell, other_pip=more[0][0], other=more[0][1])

    def own(self, view: State, seat: int) -> str:
        """``0-3 6-6``; a hand of more than 20 dominoes suit by suit: ``0-3 5 6; 4-4 6``."""
        hand = view.hands[seat - 1].pieces or ()
        if len(hand) <= _MANY:
            return RULES.write_deal(hand)
        suits: dict[int, list[str]] = {}
        for low, high in hand:
            suits.setdefault(low, []).append(str(high))
        return "; ".join(f"{low}-{' '.join(highs)}" for low, highs in suits.items())

    def held(self, view: State, seat: int) -> list[str]:
        return list(map(str, view.hands[seat - 1].pieces or ()))

    def keys(self, event: str) -> str:
        """Pips, square and way: ``6-3 d4e4`` is ``6344B``."""
        move = RULES.read(event)
        column, row = divmod(move.first, SIDE)
        return f"{PIPS[move.p]}{PIPS[move.q]}{column + 1}{row + 1}{way_key(move.first, move.second)}"
