"""The board of Prime Attactics: both scores, the displays, the number of tiles in each rack; on a phone the own tiles.

On a phone a tile is tapped, and the score that it is for; after it a double or a black tile. Unless a score is tapped,
a tile is for the own score. For a sealed display or rack all tiles that it may have can be tapped. A tap on a tile that
is chosen takes it out again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.api import board
from companion.games.api.board import BoardScene, Svg
from companion.games.api.text import Text, plural_text, text
from companion.games.prime_attactics.move_input import MOVE_INPUT
from companion.games.prime_attactics.picker import KEY_OF_SIGN, SIGN_OF_KEY, Marks, printed_signs
from companion.games.prime_attactics.state import Side, State
from companion.games.prime_attactics.tiles import SIGNS, Move, tile_text

SCREEN_WIDTH, SCREEN_HEIGHT = 1000, 560
LARGE_TILE_SIZE = 84
"""The size of a tile on the big screen."""
SIGN_CLASSES = {"+": "green", "-": "blue", "x": "red", "/": "black"}
PHONE_WIDTH, OWN_HALF_TOP, OWN_TILES_TOP = 600, 178, 300
"""The width of a phone's drawing, and the upper edges of the own half and of the own tiles."""
TILE_PITCH, TILE_SIZE = 74, 66
"""The distance between two own tiles of a row, and their size."""


class TappedPlay(NamedTuple):
    """A half-made play on a phone.

    Attributes:
        at_other_score: whether it is for the other score.
        tile_keys: the keys of the tile.
        second_keys: the keys of the second tile.
    """

    at_other_score: bool
    tile_keys: str
    second_keys: str

    @classmethod
    def from_keys(cls, keys: str) -> TappedPlay:
        """The half-made play that these keys mean; the keys must be accepted by the move input."""
        body = keys.removeprefix("0")
        return cls(keys[:1] == "0", body[:2], body[2:])

    @property
    def keys(self) -> str:
        """The keys that type this play."""
        return "0" * self.at_other_score + self.tile_keys + self.second_keys

    def after_tap(self, written: str) -> TappedPlay | None:
        """The play after a tap on a tile; None for a double if no tile of its colour is chosen."""
        has_tile = len(self.tile_keys) == 2
        if written[0] == "D":
            fits = has_tile and self.tile_keys[0] == KEY_OF_SIGN[written[1]] and self.second_keys in ("", "0")
            return self._replace(second_keys="" if self.second_keys else "0") if fits else None
        keys = KEY_OF_SIGN[written[0]] + written[1]
        if written[0] == "/" and self.at_other_score and has_tile and self.tile_keys[0] in "AB":
            return self._replace(second_keys="" if self.second_keys == keys else keys)
        return self._replace(tile_keys="" if self.tile_keys == keys else keys, second_keys="")


class Board(board.Board):
    """Draws both scores and displays, and how many tiles each rack has."""

    def draw(self, view: State, names: Sequence[str], last_move: tuple[int, Move] | None) -> Svg:
        drawing = Svg(SCREEN_WIDTH, SCREEN_HEIGHT, _title(view, names, 1))
        for index, (name, side) in enumerate(zip(names, view.sides, strict=True)):
            _draw_large_half(drawing, index * SCREEN_HEIGHT / 2, name, side, f"seat{index + 1}")
        drawing.add_line(0, SCREEN_HEIGHT / 2, SCREEN_WIDTH, SCREEN_HEIGHT / 2)
        return drawing

    def draw_for_phone(self, scene: BoardScene) -> Svg:
        own, other = scene.view.sides[scene.seat - 1], scene.view.sides[2 - scene.seat]
        rows = _tile_rows(own, is_to_move=scene.is_to_move)
        drawing = Svg(PHONE_WIDTH, OWN_TILES_TOP + len(rows) * TILE_PITCH, _title(scene.view, scene.names, scene.seat))
        tapped = TappedPlay.from_keys(scene.keys)
        if scene.is_to_move and len(tapped.tile_keys) < 2:
            drawing.prompt = _prompt(scene, rows, at_other_score=tapped.at_other_score)
        draft = MOVE_INPUT.draft_from_keys(scene.view, scene.keys) if scene.keys else None
        marks = draft.marks if draft else Marks()
        _draw_half(drawing, scene, 0, other, at_other_score=True, marks=marks)
        _draw_half(drawing, scene, OWN_HALF_TOP, own, at_other_score=False, marks=marks)
        for down, row in enumerate(rows):
            for across, tile in enumerate(row):
                x, y = 5 + across * TILE_PITCH, OWN_TILES_TOP + down * TILE_PITCH
                _draw_tile(drawing, x, y, TILE_SIZE, tile)
                if scene.is_to_move and (after := tapped.after_tap(tile)):
                    drawing.add_tap(
                        after.keys, printed_signs(tile), (x, y, TILE_SIZE, TILE_SIZE), chosen=tile in marks.used_tiles
                    )
        return drawing

    def position_sentences(self, view: State, names: Sequence[str]) -> Sequence[str]:
        return [_side_sentence(name, side) for name, side in zip(names, view.sides, strict=True)]

    def key_labels(self, view: State, keys: str) -> dict[str, str]:
        signs = {letter: printed_signs(sign) for letter, sign in SIGN_OF_KEY.items()}
        return signs | {"0": text("the other score") if not keys else text("double") if keys[-1].isdigit() else "0"}


BOARD = Board()


def _title(view: State, names: Sequence[str], seat: int) -> Text:
    """Both scores, that of `seat` first."""
    own, other = view.sides[seat - 1].score, view.sides[2 - seat].score
    message = "Prime Attactics: {name} {score}, {other} {others}"
    return text(message, name=names[seat - 1], score=own, other=names[2 - seat], others=other)


def _sealed_display_text(side: Side) -> Text:
    return plural_text(side.display.size, "{number} tile on display", "{number} tiles on display")


def _side_sentence(name: str, side: Side) -> Text:
    """``Ann: 11, on display +1 -2, 4 in the rack``."""
    values = {"name": name, "score": side.score, "rack": side.rack.size}
    if side.display.pieces is None:
        return text("{name}: {score}, {sealed} on display, {rack} in the rack", sealed=side.display.size, **values)
    tiles = " ".join(printed_signs(tile_text(tile)) for tile in side.display.pieces)
    return text("{name}: {score}, on display {tiles}, {rack} in the rack", tiles=tiles, **values)


def _draw_large_half(drawing: Svg, top: float, name: str, side: Side, css: str) -> None:
    digits = str(side.score)
    drawing.add_rect(20, top + 34, 18, 100, css, corner_radius=6)
    drawing.add_text(60, top + 100, name, min(52.0, 640 / len(name)), "ink", anchor="start")
    drawing.add_text(SCREEN_WIDTH - 20, top + 122, digits, min(130.0, 1000 / len(digits)), "ink", anchor="end")
    if side.display.pieces is None:
        drawing.add_text(60, top + 230, _sealed_display_text(side), 44, "faint", anchor="start")
    else:
        for index, tile in enumerate(side.display.pieces):
            _draw_tile(drawing, 20 + index * (LARGE_TILE_SIZE + 12), top + 160, LARGE_TILE_SIZE, tile_text(tile))
    drawing.add_text(SCREEN_WIDTH - 20, top + 230, text("rack {rack}", rack=side.rack.size), 44, "faint", anchor="end")


def _draw_half(drawing: Svg, scene: BoardScene, top: float, side: Side, *, at_other_score: bool, marks: Marks) -> None:
    """Draw a player's name and score, and what the score would become. A tap on the score makes the play for it.

    The other player's half has that player's display too.
    """
    seat = 3 - scene.seat if at_other_score else scene.seat
    name, score = scene.names[seat - 1], str(side.score)
    drawing.add_rect(8, top + 14, 14, 64, f"seat{seat}", corner_radius=6)
    drawing.add_text(34, top + 44, name, min(34.0, 420 / len(name)), anchor="start")
    rack = text("rack {rack}", rack=side.rack.size)
    drawing.add_text(34, top + 76, rack, 26, "faint", anchor="start")
    will_change = marks.score is not None and marks.at_other_score == at_other_score and bool(marks.used_tiles)
    written = text("{score} → {then}", score=score, then=marks.score) if will_change else score
    drawing.add_text(
        580, top + 70, written, min(72.0, 560 / len(written)), "mark" if will_change else "ink", anchor="end"
    )
    if scene.is_to_move:
        tapped = TappedPlay.from_keys(scene.keys)._replace(at_other_score=at_other_score)
        words = text("play on {name}'s score, {score}", name=name, score=score)
        drawing.add_tap(
            tapped.keys,
            words,
            (4, top + 4, 592, 84),
            chosen=TappedPlay.from_keys(scene.keys).at_other_score == at_other_score,
        )
    if not at_other_score:
        drawing.add_line(0, top - 6, PHONE_WIDTH, top - 6)
    elif side.display.pieces is None:
        drawing.add_text(34, top + 136, _sealed_display_text(side), 28, "faint", anchor="start")
    else:
        for index, tile in enumerate(side.display.pieces):
            _draw_tile(drawing, 5 + index * TILE_PITCH, top + 98, 56, tile_text(tile))


def _prompt(scene: BoardScene, rows: list[list[str]], *, at_other_score: bool) -> str:
    """What to tap next; or that no tile can be played, on the other score if that was tapped, else on either."""

    def can_go(tile: str, aim: str) -> bool:
        draft = (
            MOVE_INPUT.draft_from_keys(scene.view, f"{aim}{KEY_OF_SIGN[tile[0]]}{tile[1]}") if tile[0] != "D" else None
        )
        return draft is not None and draft.verdict != "no"

    other = scene.names[2 - scene.seat]
    tiles = [tile for row in rows for tile in row]
    if at_other_score:
        if any(can_go(tile, "0") for tile in tiles):
            return text("Tap a tile for {name}'s score.", name=other)
        return text("None of your tiles can go on {name}'s score.", name=other)
    if any(can_go(tile, aim) for tile in tiles for aim in ("", "0")):
        return text("Tap a tile for your score, or first {name}'s score.", name=other)
    return text("None of your tiles can be played.")


def _tile_rows(side: Side, *, is_to_move: bool) -> list[list[str]]:
    """The own tiles in rows: those that are held, and while the seat is to move those a sealed holding may have."""
    rows: list[list[str]] = []
    for held, sealed in ((side.display.pieces, side.unseen_coloured), (side.rack.pieces, side.unseen_black)):
        tiles = [tile_text(tile) for tile in (held if held is not None else sealed if is_to_move else ())]
        if held is None:
            kinds = list(dict.fromkeys(tiles))
            rows += [row for sign in SIGNS if (row := [tile for tile in kinds if sign in tile])]
        elif tiles:
            rows.append(tiles)
    return rows


def _draw_tile(drawing: Svg, x: float, y: float, size: float, tile: str) -> None:
    """Draw a tile in the colour of its sign; `tile` is written ``+3``, or ``D+`` for a double."""
    drawing.add_rect(x, y, size, size, SIGN_CLASSES[tile[tile[0] == "D"]], corner_radius=10)
    drawing.add_text(x + size / 2, y + size * 0.69, printed_signs(tile), size * 0.52, "on")
