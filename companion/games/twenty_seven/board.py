"""The board of 27: the stacks in a row, seen from the side, piece by piece.

On a phone a stack is tapped, then how many pieces of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from companion.games.api import board
from companion.games.api.board import Place, Seen, Svg
from companion.games.api.text import Text, plural_text, join_texts, text
from companion.games.twenty_seven import rules
from companion.games.twenty_seven.entry import ENTRY
from companion.games.twenty_seven.rules import BLACK, GREY, RED, WHITE, Move, State
from companion.games.twenty_seven.words import Marks

WIDTH, HEIGHT = 1000, 560
PHONE = 600, 560
"""The width and height of a phone's drawing that has one row of numbers."""
GAP = 4
"""The gap between two pieces of a stack, in units of the drawing."""
COLOURS = {GREY: "faint", WHITE: "seat1", BLACK: "seat2", RED: "red"}
ROW, CHIP = 9, 62
"""How many numbers of pieces are in a row, and the size of each of them."""


class Board(board.Board):
    """The board of 27."""

    def draw(self, view: State, names: Sequence[str], last: tuple[int, Move] | None) -> Svg:
        drawing = Svg(WIDTH, HEIGHT, _title(view, names))
        _ends(drawing, names)
        _piles(drawing, view, 480, last[1].field if last else 0, Marks(0))
        return drawing

    def on_phone(self, seen: Seen) -> Svg:
        view, draft = seen.view, ENTRY.typed(seen.view, seen.keys) if seen.keys else None
        marks = draft.marks if draft else Marks(0)
        field = marks.field if 1 <= marks.field <= len(view.piles) else 0
        most = rules.movable(view, field) if field and view.piles[field - 1][-1] == view.to_move else 0
        rows = max(1, -(-most // ROW))
        drawing = Svg(PHONE[0], PHONE[1] + (rows - 1) * (CHIP + 8), _title(view, seen.names))
        _ends(drawing, seen.names)
        _piles(drawing, view, 400, seen.last[1].field if seen.last else 0, marks)
        if seen.due:
            drawing.asks = (
                text("Tap one of your stacks.") if not seen.keys else text("How many pieces?") if most else ""
            )
            _tap_piles(drawing, view, seen.names, field)
            _numbers(drawing, view, field, most, seen.keys)
        if not (seen.due and most):
            _counts(drawing, view, seen.names)
        return drawing

    def in_words(self, view: State, names: Sequence[str]) -> Sequence[str]:
        return [_pile_words(names, field, pile) for field, pile in enumerate(view.piles, 1)]

    def key_words(self, view: State, keys: str) -> dict[str, str]:
        if not keys:
            fields = range(1, len(view.piles) + 1)
            return {"0": ""} | {str(field): text("field {field}", field=field) for field in fields}
        return {str(count): plural_text(count, "{number} piece", "{number} pieces") for count in range(1, 10)}


BOARD = Board()


def _title(view: State, names: Sequence[str]) -> Text:
    one, two = rules.heights(view)
    return text("27: {first} {one}, {second} {two}", first=names[0], one=one, second=names[1], two=two)


def _pile_words(names: Sequence[str], field: int, pile: tuple[int, ...]) -> Text:
    """``Field 3, from the top: 2 of Ann, 1 of Ben, a grey``."""
    fixed = {GREY: text("a grey"), RED: text("a red")}
    runs = [(piece, len(list(run))) for piece, run in groupby(reversed(pile))]
    said = [fixed.get(piece) or text("{number} of {name}", number=n, name=names[piece - 1]) for piece, n in runs]
    return text("Field {field}, from the top: {pieces}", field=field, pieces=join_texts(said, ", "))


def _piles(drawing: Svg, view: State, base: float, last: int, marks: Marks) -> None:
    """Draw all stacks on the line at height `base`; higher ones with the number of pieces that can move.

    Pieces that the draft lifts are drawn above their stack, and as an outline on the target.
    """
    pitch = drawing.size[0] / len(view.piles)
    tallest = max(len(pile) for pile in view.piles)
    disc = min(36.0, (base - 100) / (tallest + 1))
    for index, pile in enumerate(view.piles):
        left, field = index * pitch + pitch * 0.1, index + 1
        lifted = marks.lifted if field == marks.field else 0
        _pile(drawing, pile, (left, base, pitch * 0.8, disc), lifted)
        if (count := rules.movable(view, field)) > 3:  # This many can be taken, and count at a goal.
            top = base - len(pile) * disc - disc * 0.7 * bool(lifted)
            drawing.text(left + pitch * 0.4, top - 8, str(count), 30)
        if field == marks.target and marks.lifted:
            high = marks.lifted * disc
            drawing.rect(left, base - len(pile) * disc - high, pitch * 0.8, high, "ghost", round_=6)
        css = "mark" if field == last else "ink"
        drawing.text((index + 0.5) * pitch, base + 56, str(field), 44, css)
    drawing.line(0, base, drawing.size[0], base)


def _pile(drawing: Svg, pile: tuple[int, ...], lowest: Place, lifted: int) -> None:
    """Draw a stack; `lowest_piece` is a rectangle whose second value is the lower edge of the lowest piece."""
    left, base, wide, disc = lowest
    for index, piece in enumerate(pile):
        up = disc * 0.7 if index >= len(pile) - lifted else 0
        _piece(drawing, piece, (left, base - (index + 1) * disc - up, wide, disc))


def _piece(drawing: Svg, piece: int, place: Place) -> None:
    """Draw a piece. It can be recognized without colours: the discs of seat 2 have a stripe, a red has two."""
    left, top, wide, disc = place
    drawing.rect(left, top + GAP, wide, disc - GAP, COLOURS[piece], round_=6)
    middle, thick = top + GAP + (disc - GAP) / 2, (disc - GAP) / 5
    if piece == BLACK:
        drawing.rect(left + wide / 4, middle - thick / 2, wide / 2, thick, "paper")
    elif piece == RED:
        for part in (0.2, 0.6):
            drawing.rect(left + wide * part, middle - thick / 2, wide / 5, thick, "paper")


def _ends(drawing: Svg, names: Sequence[str]) -> None:
    """Draw each player's name and disc at the end where the player starts, with the direction of play."""
    wide = drawing.size[0]
    for piece, left, edge, anchor, said in (
        (WHITE, 10, 66, "start", text("{name} ▸", name=names[0])),
        (BLACK, wide - 54, wide - 66, "end", text("◂ {name}", name=names[1])),
    ):
        _piece(drawing, piece, (left, 6, 44, 32))
        drawing.text(edge, 34, said, min(30.0, 370 / len(said)), "ink", anchor=anchor)


def _counts(drawing: Svg, view: State, names: Sequence[str]) -> None:
    """Write what the points of both players are."""
    for name, field, y in ((names[0], len(view.piles), 508), (names[1], 1, 546)):
        said = text("{name}'s points: the stack on field {field}", name=name, field=field)
        drawing.text(drawing.size[0] / 2, y, said, min(27.0, 880 / len(said)), "faint")


def _tap_piles(drawing: Svg, view: State, names: Sequence[str], field: int) -> None:
    """Make each stack with its number tappable. For an own stack with a single movable piece, a tap is the move."""
    pitch = drawing.size[0] / len(view.piles)
    for number, pile in enumerate(view.piles, 1):
        alone = pile[-1] == view.to_move and rules.movable(view, number) == 1
        words, keys = _pile_words(names, number, pile), f"{number}1" if alone else str(number)
        drawing.tap(keys, words, ((number - 1) * pitch, 44, pitch, 424), chosen=number == field)


def _numbers(drawing: Svg, view: State, field: int, most: int, keys: str) -> None:
    """Draw how many pieces of the chosen stack may move: each number is on the piece that would then be the lowest."""
    for count in range(1, most + 1):
        x, y = 10 + (count - 1) % ROW * (CHIP + 3), 482 + (count - 1) // ROW * (CHIP + 8)
        drawing.rect(x, y, CHIP, CHIP, COLOURS[view.piles[field - 1][-count]], round_=10)
        drawing.text(x + CHIP / 2, y + 44, str(count), 38, "paper")
        words = plural_text(count, "{number} piece", "{number} pieces")
        drawing.tap(f"{field}{count}", words, (x, y, CHIP, CHIP), chosen=keys == f"{field}{count}")
