"""What Ziggurat says apart from its drafts: plays in words, messages about keys, hands, a suggestion."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from companion.games.api import game_texts
from companion.games.api.game_texts import MoveTexts
from companion.games.api.text import plural_text, text
from companion.games.ziggurat import GAME, rules
from companion.games.ziggurat.drafts import Marks, halves_of_move, highest_scoring_play, scoring_pips, way_key
from companion.games.ziggurat.grid import GRID_SIDE, SQUARE_NAMES
from companion.games.ziggurat.pieces import PIP_KEYS, Move
from companion.games.ziggurat.rules import RULES
from companion.games.ziggurat.state import NO_PIP, State

TWO_DIGIT_PIP = 10
"""Pips from this one on have two digits."""
_MAX_LISTED_DOMINOES = 20
"""A hand of more dominoes than this is written suit by suit."""
_SQUARES_PATTERN = re.compile(r"(?<!\w)(?:[a-g][1-7]){1,2}(?!\w)")
"""The name of a square, or of two that a record writes together: ``d4e4``."""


class GameTexts(game_texts.GameTexts):
    """What Ziggurat says apart from its drafts."""

    spoken_forms: ClassVar = {
        r"(?<=[a-zà-ÿ] )0-(?P<top>6|9|12)(?![0-9 ])": "0 to {top}",
        "(?P<side>4)×4": "{side} by {side}",
        r"(?<!\w)(?P<one>[0-9]{1,2})-(?P<other>[0-9]{0,2})": "{one} {other},",
        r"(?<![A-Za-zÀ-ÿ])(?P<column>[a-g])(?P<row>[1-7])(?![0-9A-Zh-z])": "{column}{row}",
        "(?<=/[1-7]) (?=[1-7]/[1-7])": ",",
        r"(?<![0-9])(?P<column>[1-7])/(?P<row>[1-7])(?![0-9])": "column {column} row {row}",
        r"(?<![0-9])(?P<column>[1-7])/(?![0-9])": "column {column}",
        r"(?<!\w)(?P<column>[1-7])\s?: [a-g](?!\w)": "column {column}",
    }

    def move_texts(
        self, state_before: State, seat: int, move: Move, names: Sequence[str] = (), *, moves_again: bool = False
    ) -> MoveTexts:
        """``6-3 d4e4``; in a sentence ``laid 6-3 on d4 and e4: 2 points``, above the base with the level."""
        points = rules.score_of_play(state_before, move).points
        points_text = plural_text(points, "{number} point", "{number} points") if points else text("no points")
        values = {
            "domino": move.domino_text,
            "first": SQUARE_NAMES[move.first],
            "second": SQUARE_NAMES[move.second],
        }
        button_label = text("Lay {domino} on {first} and {second}", **values)
        sentence = text("laid {domino} on {first} and {second}: {points}", points=points_text, **values)
        if state_before.level > 1:
            message = "laid {domino} on {first} and {second}, level {level}: {points}"
            sentence = text(message, level=state_before.level, points=points_text, **values)
        return MoveTexts(str(move), sentence=sentence, button_label=button_label)

    def stray_key_text(self, state: State, keys: str, key: str) -> str:
        if len(keys) < 2:
            return (
                text("pips: 0 to {top}", top=state.highest_pip)
                if state.highest_pip < TWO_DIGIT_PIP
                else text("pips: 0 to 9, A-C")
            )
        return (text("column: 1 to 7"), text("row: 1 to 7"), text("way: A B C D"))[len(keys) - 2]

    def incomplete_text(self, state: State, keys: str) -> str:
        wanted = text("not yet: 2nd pip"), text("not yet: column"), text("not yet: row"), text("not yet: which way")
        return wanted[len(keys) - 1]

    def stray_piece_key_text(self, keys: str, kind: str, options: Mapping[str, str]) -> str:
        return text("pips are 0 to {top}", top=options.get("set", GAME.option_defaults["set"]))

    def move_marks(self, view: State, event: str) -> Marks:
        move = RULES.parse_move(event)
        return Marks("", ((move.first, NO_PIP), (move.second, NO_PIP)))

    def keypad_text(self, written: str) -> str:
        """``6-3 d4e4`` is ``6-3 4/4 5/4``."""

        def typed(found: re.Match[str]) -> str:
            names = re.findall("..", found[0])
            return " ".join(f"{'abcdefg'.index(name[0]) + 1}/{name[1]}" for name in names)

        return _SQUARES_PATTERN.sub(typed, written)

    def turn_text(self, view: State, names: Sequence[str]) -> str:
        scores = ", ".join(f"{name} {points}" for name, points in zip(names, view.scores, strict=True))
        return text("level {level}, points: {scores}", level=view.level, scores=scores)

    def input_instructions(self, view: State, uses_buttons: bool = False) -> str:
        """An example of a play's keys; with the double-twelve set with pips that have letters."""
        if uses_buttons:
            return text("Arrows set both pips")
        if view.highest_pip < TWO_DIGIT_PIP:
            return text("6 3 4 4 B #: 3 right of 6")
        return text("A 1 4 4 B #: 1 right of 10")

    def suggested_move_text(self, state: State) -> str:
        """A free pair of squares and the pips that would score there, from the table alone."""
        if not state.free_pairs:
            return ""
        move = highest_scoring_play(state)
        scoring = [(pip, SQUARE_NAMES[cell]) for pip, cell in halves_of_move(move) if pip in scoring_pips(state, cell)]
        cells = f"{SQUARE_NAMES[move.first]} {SQUARE_NAMES[move.second]}"
        if not scoring:
            return text("Try {cells}: any domino fits.", cells=cells)
        (pip, cell), *more = scoring
        if not more:
            return text("Try {cells}: {pip} on {cell} would score.", cells=cells, pip=pip, cell=cell)
        message = "Try {cells}: {pip} on {cell} and {other_pip} on {other} would score."
        return text(message, cells=cells, pip=pip, cell=cell, other_pip=more[0][0], other=more[0][1])

    def own_pieces_text(self, view: State, seat: int) -> str:
        """``0-3 6-6``; a hand of more than 20 dominoes suit by suit: ``0-3 5 6; 4-4 6``."""
        hand = view.hands[seat - 1].pieces or ()
        if len(hand) <= _MAX_LISTED_DOMINOES:
            return RULES.format_deal(hand)
        suits: dict[int, list[str]] = {}
        for low, high in hand:
            suits.setdefault(low, []).append(str(high))
        return "; ".join(f"{low}-{' '.join(highs)}" for low, highs in suits.items())

    def held_pieces(self, view: State, seat: int) -> list[str]:
        return list(map(str, view.hands[seat - 1].pieces or ()))

    def keys_for_event(self, event: str) -> str:
        """Pips, square and way: ``6-3 d4e4`` is ``6344B``."""
        move = RULES.parse_move(event)
        column, row = divmod(move.first, GRID_SIDE)
        return f"{PIP_KEYS[move.p]}{PIP_KEYS[move.q]}{column + 1}{row + 1}{way_key(move.first, move.second)}"
