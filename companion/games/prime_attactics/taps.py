"""A phone's board of Prime Attactics: a tile is tapped, and the score that it goes on; a double or black tile after it.

Without a tap on a score a tile goes on the own one. Of a sealed display or rack all tiles that it may have can be
tapped. A tap on a tile that is chosen takes it out again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.game.board import Svg
from companion.game.text import counted, text
from companion.games.prime_attactics.entry import ENTRY
from companion.games.prime_attactics.pick import Marks, shown
from companion.games.prime_attactics.tiles import tile_text
from companion.games.prime_attactics.typed import SIGNS

if TYPE_CHECKING:
    from companion.game.board import Seen
    from companion.games.prime_attactics.state import Side

COLOURS = {"+": "green", "-": "blue", "x": "red", "/": "black"}
LETTERS = {sign: letter for letter, sign in SIGNS.items()}
"""Sign → its key."""
WIDE, OWN, TILES = 600, 178, 300
"""The width of the drawing, the upper edges of the own half and of the own tiles."""
IN_ROW, PITCH, TILE = 8, 74, 66


class Tapped(NamedTuple):
    """What is entered: whether it is aimed at the other score, the keys of the tile, and of what goes with it."""

    aimed: bool
    tile: str
    then: str

    @classmethod
    def of(cls, keys: str) -> Tapped:
        """What these keys mean, which the entry takes."""
        body = keys.removeprefix("0")
        return cls(keys[:1] == "0", body[:2], body[2:])

    @property
    def keys(self) -> str:
        """The keys that mean this."""
        return "0" * self.aimed + self.tile + self.then

    def with_tile(self, written: str) -> Tapped | None:
        """What is entered after a tap on a tile; None for a double that no tile of its colour is chosen for."""
        whole = len(self.tile) == 2
        if written[0] == "D":
            fits = whole and self.tile[0] == LETTERS[written[1]] and self.then in ("", "0")
            return self._replace(then="" if self.then else "0") if fits else None
        keys = LETTERS[written[0]] + written[1]
        if written[0] == "/" and self.aimed and whole and self.tile[0] in "AB":
            return self._replace(then="" if self.then == keys else keys)
        return self._replace(tile="" if self.tile == keys else keys, then="")


def draw_tile(drawing: Svg, x: float, y: float, size: float, tile: str) -> None:
    """Draw a tile in the colour of its sign; `tile` is written ``+3``, or ``D+`` for a double."""
    drawing.rect(x, y, size, size, COLOURS[tile[tile[0] == "D"]], round_=10)
    drawing.text(x + size / 2, y + size * 0.69, shown(tile), size * 0.52, "on")


def drawn(seen: Seen) -> Svg:
    """The board for a seat's phone: the other's half, the own one, and below it the own tiles."""
    own, other = seen.view.sides[seen.seat - 1], seen.view.sides[2 - seen.seat]
    rows = _rows(own, due=seen.due)
    first, second = seen.names[seen.seat - 1], seen.names[2 - seen.seat]
    title = text(
        "Prime Attactics: {name} {score}, {other} {others}",
        name=first,
        score=own.score,
        other=second,
        others=other.score,
    )
    drawing = Svg(WIDE, TILES + len(rows) * PITCH, title)
    tapped = Tapped.of(seen.keys)
    if seen.due and len(tapped.tile) < 2:
        drawing.asks = _asks(seen, rows, second, aimed=tapped.aimed)
    draft = ENTRY.typed(seen.view, seen.keys) if seen.keys else None
    marks = draft.marks if draft else Marks()
    _half(drawing, seen, 0, other, aimed=True, marks=marks)
    _half(drawing, seen, OWN, own, aimed=False, marks=marks)
    for down, row in enumerate(rows):
        for across, tile in enumerate(row):
            x, y = 5 + across * PITCH, TILES + down * PITCH
            draw_tile(drawing, x, y, TILE, tile)
            after = Tapped.of(seen.keys).with_tile(tile) if seen.due else None
            if after is not None:
                drawing.tap(after.keys, shown(tile), (x, y, TILE, TILE), chosen=tile in marks.used)
    return drawing


def _asks(seen: Seen, rows: list[list[str]], other: str, *, aimed: bool) -> str:
    """What to tap next, or that no tile can be played: on the other score where it is aimed at that, else on either."""

    def can_go(tile: str, aim: str) -> bool:
        draft = ENTRY.typed(seen.view, f"{aim}{LETTERS[tile[0]]}{tile[1]}") if tile[0] != "D" else None
        return draft is not None and draft.verdict != "no"

    tiles = [tile for row in rows for tile in row]
    if aimed:
        if any(can_go(tile, "0") for tile in tiles):
            return text("Tap a tile for {name}'s score.", name=other)
        return text("None of your tiles can go on {name}'s score.", name=other)
    if any(can_go(tile, aim) for tile in tiles for aim in ("", "0")):
        return text("Tap a tile for your score, or first {name}'s score.", name=other)
    return text("None of your tiles can be played.")


def _half(drawing: Svg, seen: Seen, top: float, side: Side, *, aimed: bool, marks: Marks) -> None:
    """A player's name and score, with what it becomes; the score is tapped to play on it. The other's display too."""
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
        drawing.text(
            34,
            top + 136,
            counted(side.display.size, "{number} tile on display", "{number} tiles on display"),
            28,
            "faint",
            anchor="start",
        )
    else:
        for index, tile in enumerate(side.display.pieces):
            draw_tile(drawing, 5 + index * PITCH, top + 98, 56, tile_text(tile))


def _rows(side: Side, *, due: bool) -> list[list[str]]:
    """The own tiles in rows: what is held, and while the seat is to move what a sealed holding may have."""
    found: list[list[str]] = []
    for held, sealed in ((side.display.pieces, side.coloured), (side.rack.pieces, side.black)):
        tiles = [tile_text(tile) for tile in (held if held is not None else sealed if due else ())]
        if held is None:
            kinds = list(dict.fromkeys(tiles))
            found += [row for sign in "+-x/" if (row := [tile for tile in kinds if sign in tile])]
        elif tiles:
            found.append(tiles)
    return found
