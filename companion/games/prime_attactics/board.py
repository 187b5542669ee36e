"""The board of Prime Attactics: both scores, the displays, the number of tiles in each rack; on a phone the own tiles.

On a phone a tile is tapped, and the score that it is for; after it a double or a black tile. Unless a score is tapped,
a tile is for the own score. For a sealed display or rack all tiles that it may have can be tapped. A tap on a tile that
is chosen takes it out again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.api import board
from companion.games.api.board import Seen, Svg
from companion.games.api.text import Text, plural_text, text
from companion.games.prime_attactics.entry import ENTRY
from companion.games.prime_attactics.pick import KEY_OF, SIGN_OF, Marks, shown
from companion.games.prime_attactics.state import Side, State
from companion.games.prime_attactics.tiles import SIGNS, Move, tile_text

WIDTH, HEIGHT = 1000, 560
LARGE = 84
"""The size of a tile on the big screen."""
COLOURS = {"+": "green", "-": "blue", "x": "red", "/": "black"}
WIDE, OWN, TILES = 600, 178, 300
"""The width of a phone's drawing, and the upper edges of the own half and of the own tiles."""
PITCH, TILE = 74, 66
"""The distance between two own tiles of a row, and their size."""


class Tapped(NamedTuple):
    """A half-made play on a phone.

    Attributes:
        at_other_score: whether it is for the other score.
        tile_keys: the keys of the tile.
        second_keys: the keys of the second tile.
    """

    aimed: bool
    tile: str
    then: str

    @classmethod
    def of(cls, keys: str) -> Tapped:
        """The half-made play that these keys mean; the keys must be accepted by the move input."""
        body = keys.removeprefix("0")
        return cls(keys[:1] == "0", body[:2], body[2:])

    @property
    def keys(self) -> str:
        """The keys that type this play."""
        return "0" * self.aimed + self.tile + self.then

    def with_tile(self, written: str) -> Tapped | None:
        """The play after a tap on a tile; None for a double if no tile of its colour is chosen."""
        whole = len(self.tile) == 2
        if written[0] == "D":
            fits = whole and self.tile[0] == KEY_OF[written[1]] and self.then in ("", "0")
            return self._replace(then="" if self.then else "0") if fits else None
        keys = KEY_OF[written[0]] + written[1]
        if written[0] == "/" and self.aimed and whole and self.tile[0] in "AB":
            return self._replace(then="" if self.then == keys else keys)
        return self._replace(tile="" if self.tile == keys else keys, then="")


class Board(board.Board):
    """The board of Prime Attactics."""

    def draw(self, view: State, names: Sequence[str], last: tuple[int, Move] | None) -> Svg:
        drawing = Svg(WIDTH, HEIGHT, _title(view, names, 1))
        for index, (name, side) in enumerate(zip(names, view.sides, strict=True)):
            _large_half(drawing, index * HEIGHT / 2, name, side, f"seat{index + 1}")
        drawing.line(0, HEIGHT / 2, WIDTH, HEIGHT / 2)
        return drawing

    def on_phone(self, seen: Seen) -> Svg:
        own, other = seen.view.sides[seen.seat - 1], seen.view.sides[2 - seen.seat]
        rows = _rows(own, due=seen.due)
        drawing = Svg(WIDE, TILES + len(rows) * PITCH, _title(seen.view, seen.names, seen.seat))
        tapped = Tapped.of(seen.keys)
        if seen.due and len(tapped.tile) < 2:
            drawing.asks = _asks(seen, rows, aimed=tapped.aimed)
        draft = ENTRY.typed(seen.view, seen.keys) if seen.keys else None
        marks = draft.marks if draft else Marks()
        _half(drawing, seen, 0, other, aimed=True, marks=marks)
        _half(drawing, seen, OWN, own, aimed=False, marks=marks)
        for down, row in enumerate(rows):
            for across, tile in enumerate(row):
                x, y = 5 + across * PITCH, TILES + down * PITCH
                _tile(drawing, x, y, TILE, tile)
                if seen.due and (after := tapped.with_tile(tile)):
                    drawing.tap(after.keys, shown(tile), (x, y, TILE, TILE), chosen=tile in marks.used)
        return drawing

    def in_words(self, view: State, names: Sequence[str]) -> Sequence[str]:
        return [_side_words(name, side) for name, side in zip(names, view.sides, strict=True)]

    def key_words(self, view: State, keys: str) -> dict[str, str]:
        signs = {letter: shown(sign) for letter, sign in SIGN_OF.items()}
        return signs | {"0": text("the other score") if not keys else text("double") if keys[-1].isdigit() else "0"}


BOARD = Board()


def _title(view: State, names: Sequence[str], seat: int) -> Text:
    """Both scores, that of `seat` first."""
    own, other = view.sides[seat - 1].score, view.sides[2 - seat].score
    message = "Prime Attactics: {name} {score}, {other} {others}"
    return text(message, name=names[seat - 1], score=own, other=names[2 - seat], others=other)


def _sealed(side: Side) -> Text:
    return plural_text(side.display.size, "{number} tile on display", "{number} tiles on display")


def _side_words(name: str, side: Side) -> Text:
    """``Ann: 11, on display +1 -2, 4 in the rack``."""
    values = {"name": name, "score": side.score, "rack": side.rack.size}
    if side.display.pieces is None:
        return text("{name}: {score}, {sealed} on display, {rack} in the rack", sealed=side.display.size, **values)
    tiles = " ".join(shown(tile_text(tile)) for tile in side.display.pieces)
    return text("{name}: {score}, on display {tiles}, {rack} in the rack", tiles=tiles, **values)


def _large_half(drawing: Svg, top: float, name: str, side: Side, css: str) -> None:
    digits = str(side.score)
    drawing.rect(20, top + 34, 18, 100, css, round_=6)
    drawing.text(60, top + 100, name, min(52.0, 640 / len(name)), "ink", anchor="start")
    drawing.text(WIDTH - 20, top + 122, digits, min(130.0, 1000 / len(digits)), "ink", anchor="end")
    if side.display.pieces is None:
        drawing.text(60, top + 230, _sealed(side), 44, "faint", anchor="start")
    else:
        for index, tile in enumerate(side.display.pieces):
            _tile(drawing, 20 + index * (LARGE + 12), top + 160, LARGE, tile_text(tile))
    drawing.text(WIDTH - 20, top + 230, text("rack {rack}", rack=side.rack.size), 44, "faint", anchor="end")


def _half(drawing: Svg, seen: Seen, top: float, side: Side, *, aimed: bool, marks: Marks) -> None:
    """Draw a player's name and score, and what the score would become. A tap on the score makes the play for it.

    The other player's half has that player's display too.
    """
    seat = 3 - seen.seat if aimed else seen.seat
    name, score = seen.names[seat - 1], str(side.score)
    drawing.rect(8, top + 14, 14, 64, f"seat{seat}", round_=6)
    drawing.text(34, top + 44, name, min(34.0, 420 / len(name)), anchor="start")
    rack = text("rack {rack}", rack=side.rack.size)
    drawing.text(34, top + 76, rack, 26, "faint", anchor="start")
    becomes = marks.score is not None and marks.aimed == aimed and bool(marks.used)
    written = text("{score} → {then}", score=score, then=marks.score) if becomes else score
    drawing.text(580, top + 70, written, min(72.0, 560 / len(written)), "mark" if becomes else "ink", anchor="end")
    if seen.due:
        tapped = Tapped.of(seen.keys)._replace(aimed=aimed)
        words = text("play on {name}'s score, {score}", name=name, score=score)
        drawing.tap(tapped.keys, words, (4, top + 4, 592, 84), chosen=Tapped.of(seen.keys).aimed == aimed)
    if not aimed:
        drawing.line(0, top - 6, WIDE, top - 6)
    elif side.display.pieces is None:
        drawing.text(34, top + 136, _sealed(side), 28, "faint", anchor="start")
    else:
        for index, tile in enumerate(side.display.pieces):
            _tile(drawing, 5 + index * PITCH, top + 98, 56, tile_text(tile))


def _asks(seen: Seen, rows: list[list[str]], *, aimed: bool) -> str:
    """What to tap next; or that no tile can be played, on the other score if that was tapped, else on either."""

    def can_go(tile: str, aim: str) -> bool:
        draft = ENTRY.typed(seen.view, f"{aim}{KEY_OF[tile[0]]}{tile[1]}") if tile[0] != "D" else None
        return draft is not None and draft.verdict != "no"

    other = seen.names[2 - seen.seat]
    tiles = [tile for row in rows for tile in row]
    if aimed:
        if any(can_go(tile, "0") for tile in tiles):
            return text("Tap a tile for {name}'s score.", name=other)
        return text("None of your tiles can go on {name}'s score.", name=other)
    if any(can_go(tile, aim) for tile in tiles for aim in ("", "0")):
        return text("Tap a tile for your score, or first {name}'s score.", name=other)
    return text("None of your tiles can be played.")


def _rows(side: Side, *, due: bool) -> list[list[str]]:
    """The own tiles in rows: those that are held, and while the seat is to move those a sealed holding may have."""
    found: list[list[str]] = []
    for held, sealed in ((side.display.pieces, side.coloured), (side.rack.pieces, side.black)):
        tiles = [tile_text(tile) for tile in (held if held is not None else sealed if due else ())]
        if held is None:
            kinds = list(dict.fromkeys(tiles))
            found += [row for sign in SIGNS if (row := [tile for tile in kinds if sign in tile])]
        elif tiles:
            found.append(tiles)
    return found


def _tile(drawing: Svg, x: float, y: float, size: float, tile: str) -> None:
    """Draw a tile in the colour of its sign; `tile` is written ``+3``, or ``D+`` for a double."""
    drawing.rect(x, y, size, size, COLOURS[tile[tile[0] == "D"]], round_=10)
    drawing.text(x + size / 2, y + size * 0.69, shown(tile), size * 0.52, "on")
