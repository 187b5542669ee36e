"""What 27 says besides its drafts, and its numbers for results and reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.api import words
from companion.games.api.text import Text, counted, text
from companion.games.api.words import MoveWords
from companion.games.twenty_seven import rules
from companion.games.twenty_seven.rules import BLACK, RULES, WHITE, Move, State


class Marks(NamedTuple):
    """What the picture marks.

    Attributes:
        field: the field that the move starts from, from 1.
        pieces: how many pieces are taken, 0 while that is not entered.
        target: the field that they move to, 0 for none.
        legal: whether they may; then they are drawn there.
    """

    field: int
    pieces: int = 0
    target: int = 0
    legal: bool = False

    @property
    def lifted(self) -> int:
        """How many pieces are drawn where they go to."""
        return self.pieces if self.legal else 0


class Words(words.Words):
    """What 27 says besides its drafts."""

    def move_words(
        self, before: State, seat: int, move: Move, names: Sequence[str] = (), *, again: bool = False
    ) -> MoveWords:
        """``2 from 3 to 5``; a move to the goal tells its height, one that removes a field how many are left.

        Where the row closes up the last line tells the target's new number, or which field has gone.
        """
        target = rules.target(before, seat, move.field)
        way = {"field": move.field, "target": target}
        short = text("{pieces} from {field} to {target}", pieces=move.pieces, **way)
        plays = text("Move {pieces}: {field} → {target}", pieces=move.pieces, **way)
        moved = counted(move.pieces, "{number} piece", "{number} pieces")
        said = text("moved {pieces} from field {field} to {target}", pieces=moved, **way)
        if target == rules.goal(before, seat):
            message = "moved {pieces} from field {field} to {target}, the goal: {height} there"
            said = text(message, pieces=moved, height=rules.heights(before)[seat - 1] + move.pieces, **way)
        if move.pieces < len(before.piles[move.field - 1]):
            return MoveWords(short, "", said, str(move), plays=plays)
        said = text("{moved}; that leaves {fields} fields", moved=said, fields=len(before.piles) - 1)
        brief = text("{field}→{target}, {field} is gone", **way)
        if seat == 1:  # The fields behind the one that has gone have moved up, the target too.
            brief = text("{field} gone, {target} is now {now}", now=target - 1, **way)
        return MoveWords(short, brief, said, str(move), plays=plays)

    def stray(self, state: State, keys: str, key: str) -> str:
        """Why `key` means nothing after `keys`: it is a letter."""
        return text("{key} is not a number" if keys else "there is no field {key}", key=key)

    def missing(self, state: State, keys: str) -> str:
        """The number of pieces, since a field alone is a move only where a single piece can move."""
        return text("not yet: how many? 1-{most}", most=rules.movable(state, int(keys)))

    def skipped_because(self, state: State, seat: int) -> str:
        """No pile of its own, or none that is far enough from its end."""
        ahead = rules.steps(state, seat)
        if not ahead:
            return text("no disc on top")
        if all(field == rules.goal(state, seat) for field, top in enumerate(state.tops, 1) if top == seat):
            return text("only at its far end")
        return counted(ahead, "{number} step too far", "{number} steps too far")

    def place(self, view: State, event: str) -> Marks:
        """Its field."""
        return Marks(RULES.read(event).field)

    def how_to_enter(self, view: State, buttons: bool = False) -> str:
        """The field, then the number of pieces; left and right choose the field, up and down the number."""
        return text("◂▸ field   ▴▾ pieces" if buttons else "type field, pieces, #")

    def suggestion(self, state: State) -> str:
        """One legal move in words."""
        move = RULES.find(state)
        if move is None:
            return ""
        return text("Field {field}: move {pieces}.", field=move.field, pieces=pieces(state, move.pieces))

    def result_counts(self, state: State, scores: tuple[int, ...]) -> tuple[int, ...]:
        """The heights of the goals, by seat."""
        return rules.heights(state)

    def keys(self, event: str) -> str:
        """The digits of the field and the number of pieces: ``32`` for ``3x2``."""
        return event.replace("x", "")

    def charted(self, state: State) -> list[tuple[int, int]]:
        """For each pile how many pieces can move, and the seat whose disc is on top (0 for none).

        There are fewer piles than at the start if fields were removed.
        """
        owners = [top if top in (WHITE, BLACK) else 0 for top in state.tops]
        return [(rules.movable(state, field), owner) for field, owner in enumerate(owners, 1)]


def pieces(state: State, count: int) -> Text:
    """A number of pieces that move, in words; in the variants where field pieces move too they are not only discs."""
    if len(state.fixed) == 2:
        return counted(count, "{number} disc", "{number} discs")
    return counted(count, "{number} piece", "{number} pieces")
