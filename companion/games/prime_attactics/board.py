"""The board of Prime Attactics: both scores, the displays, the number of tiles in each rack; a tray for the own tiles.

On a phone a tile is tapped, and the score that it is for; after it a double or a black tile. Unless a score is tapped,
a tile is for the own score. For a sealed display or rack all tiles that it may have can be tapped. A tap on a tile that
is chosen takes it back. A half-made play is written into the score that it is for, and so is the last play.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from companion.games.api import RefusedError, board
from companion.games.api.board import LETTER_WIDTH, BoardScene, Svg, written_sum
from companion.games.api.move_input import Draft
from companion.games.api.text import Text, plural_text, text
from companion.games.prime_attactics.game_texts import DOUBLE_KEY_TEXT
from companion.games.prime_attactics.move_input import MOVE_INPUT
from companion.games.prime_attactics.picker import KEY_OF_SIGN, SIGN_OF_KEY, Marks, printed_signs, printed_tile
from companion.games.prime_attactics.rules import RULES
from companion.games.prime_attactics.state import Side, State
from companion.games.prime_attactics.tiles import (
    BLACK,
    BLUE,
    DOUBLE_BIT,
    NUMBER_MASK,
    RED,
    SIGNS,
    Move,
    Play,
    tile_text,
)

SIGN_CLASSES = {"+": "green", "-": "blue", "x": "red", "/": "black"}
TILE_PITCH, TILE_SIZE, TRAY_ROW_HEIGHT = 75, 72, 80
"""The distance between two tiles of the tray, their size, and the height of a row of them."""

SCORE_SIZE = 114
"""The largest font size of a score."""
MIN_SUM_SIZE = 44
"""A sum that would have to be smaller leaves out the score that it starts from."""


class Layout(NamedTuple):
    """The measures of a drawing, in its units.

    Attributes:
        size: the width and the height of the drawing.
        band_height: the height of the band of a score.
        tile_size: the size of the tiles of a display.
        band_tops: the upper edge of each band, the upper one first.
        display_tops: that of each display that is drawn.
    """

    size: tuple[float, float]
    band_height: float
    tile_size: float
    band_tops: tuple[float, float]
    display_tops: tuple[float, ...]


SCREEN_LAYOUT = Layout((1000, 582), 152, 86, (8, 300), (178, 470))
PHONE_LAYOUT = Layout((600, 500), 184, 66, (8, 308), (217,))


class Sum(NamedTuple):
    """A play as it is written into the score that it is for.

    Attributes:
        score: the score before it.
        tiles: the tiles that are played, in written form.
        result: the score after it; None if the rules forbid it.
        seat: whose play it is.
        is_drafted: whether it is half-made; otherwise it is the last play.
    """

    score: int
    tiles: tuple[str, ...]
    result: int | None
    seat: int
    is_drafted: bool = True


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

    @property
    def undone(self) -> TappedPlay:
        """The play without its last tap."""
        if self.second_keys:
            return self._replace(second_keys="")
        return TappedPlay(self.at_other_score and self.tile_keys != "", "", "")

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
        return self.draw_scene(BoardScene(view, names, (last_move,) if last_move else ()))

    def draw_scene(self, scene: BoardScene) -> Svg:
        layout = PHONE_LAYOUT if scene.seat else SCREEN_LAYOUT
        lower_seat = scene.seat or 2
        drawing = Svg(*layout.size, _title(scene.view, scene.names, scene.seat or 1))
        draft = MOVE_INPUT.draft_from_keys(scene.view, scene.keys) if scene.keys else None
        marks = draft.marks if draft is not None else Marks()
        # With nothing to play no score can be tapped: "I can't move" is all that is left, and the page then shows it.
        can_tap = scene.is_to_move and (scene.keys != "" or any(_can_play(scene, each) for each in (True, False)))
        for index, seat in enumerate((3 - lower_seat, lower_seat)):
            _draw_band(drawing, layout, scene, seat, marks, can_tap=can_tap)
            if index < len(layout.display_tops):
                _draw_display(drawing, layout, index, scene.view.sides[seat - 1])
        if scene.seat:
            tapped = TappedPlay.from_keys(scene.keys)
            drawing.verb, drawing.undo = text("Play", "button"), tapped.undone.keys
            if scene.is_to_move and len(tapped.tile_keys) < 2:
                drawing.prompt = _prompt(scene, at_other_score=tapped.at_other_score)
            drawing.tray = _draw_tray(scene, tapped, marks)
        return drawing

    def draft_sentences(self, scene: BoardScene, draft: Draft) -> tuple[str, str]:
        marks = draft.marks
        if draft.verdict == "no" and (refused := _refusal_of_draft(scene.view, draft)) is not None:
            return _refusal_sentences(refused) if refused.code != "level" else ("", draft.message)
        if not marks.used_tiles or scene.keys.endswith("D"):  # The panel names the keys that may follow.
            return "", draft.message if draft.verdict == "no" and draft.message != DOUBLE_KEY_TEXT else ""
        if draft.verdict != "ok" or marks.score is None:
            return written_sum(draft.working), draft.message
        sum_ = f"{written_sum(draft.working)} = {marks.score}"
        values = {"before": scene.view.sides[_seat_played_on(scene, marks) - 1].score, "after": marks.score}
        if not marks.score:
            return sum_, text("Then you have won.") if marks.at_other_score else text("Then you have lost.")
        if marks.at_other_score:
            return sum_, text("{name} goes from {before} to {after}.", name=scene.names[2 - scene.seat], **values)
        return sum_, text("You go from {before} to {after}.", **values)

    def piece_class(self, piece: str) -> str:
        return _class_of_tile(piece)

    def position_sentences(self, view: State, names: Sequence[str]) -> Sequence[str]:
        return [_side_sentence(name, side) for name, side in zip(names, view.sides, strict=True)]

    def key_labels(self, view: State, keys: str) -> dict[str, str]:
        signs = {letter: printed_signs(sign) for letter, sign in SIGN_OF_KEY.items()}
        return signs | {"0": text("the other score") if not keys else text("double") if keys[-1].isdigit() else "0"}


BOARD = Board()


def _refusal_of_draft(view: State, draft: Draft) -> RefusedError | None:
    """Why the rules refuse a half-made play; None for one that cannot be written, which the draft judges itself."""
    with suppress(RefusedError):
        return RULES.refusal(view, RULES.parse_move(draft.event or draft.attempted_event))
    return None


def _refusal_sentences(refused: RefusedError) -> tuple[str, str]:
    """What is allowed, or the rule; and why a play is refused."""
    why, allowed = refused.conflict, refused.needed or refused.rule
    if refused.code in ("slam-level", "slam-target", "slam-once", "slam-early"):
        why, allowed = refused.rule, refused.conflict if refused.code == "slam-early" else ""
    reason = text("{what:capital}.", what=why)
    if refused.code in ("inexact", "negative"):
        values = refused.values | {"sum": written_sum(refused.values["sum"])}
        message = {
            "inexact": "{sum} leaves {rest} over.",
            "inexact small": "{sum} leaves {rest} over.",
            "negative": "{sum} would be below 0.",
            "negative slam": "{sum} would be below 1.",
        }[refused.row]
        reason = text(message, **values)
    return text("{what:capital}.", what=allowed) if allowed else "", reason


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
    tiles = " ".join(printed_tile(tile_text(tile)) for tile in side.display.pieces)
    return text("{name}: {score}, on display {tiles}, {rack} in the rack", tiles=tiles, **values)


def _seat_played_on(scene: BoardScene, marks: Marks) -> int:
    return 3 - scene.seat if marks.at_other_score else scene.seat


def _sum_in_band(scene: BoardScene, seat: int, marks: Marks) -> Sum | None:
    """The play that is written into a seat's score: the half-made one, else the last one; None for neither."""
    score = scene.view.sides[seat - 1].score
    if marks.used_tiles and _seat_played_on(scene, marks) == seat:
        return Sum(score, marks.used_tiles, marks.score, scene.seat)
    last_play = next(((mover, move) for mover, move in reversed(scene.moves) if isinstance(move, Play)), None)
    if last_play is None or (3 - last_play[0] if last_play[1].at_other_score else last_play[0]) != seat:
        return None
    mover, play = last_play
    tiles = tuple(tile_text(tile) for tile in (play.tile, play.second_tile) if tile)
    return Sum(_score_before(score, play), tiles, score, mover, is_drafted=False)


def _score_before(score: int, play: Play) -> int:
    """The score that a play has led from; divisions leave no remainder."""
    number = play.tile & NUMBER_MASK
    if play.second_tile:
        score = score // 2 if play.second_tile & DOUBLE_BIT else score * (play.second_tile & NUMBER_MASK)
    if play.tile < BLUE:
        return score - number
    if play.tile < RED:
        return score + number
    return score // number if play.tile < BLACK else score * number


def _draw_band(drawing: Svg, layout: Layout, scene: BoardScene, seat: int, marks: Marks, *, can_tap: bool) -> None:
    """Draw a player's shape, name and score, with the play that is for it. A tap makes the half-made play for it."""
    side, name, index = scene.view.sides[seat - 1], scene.names[seat - 1], int(seat == (scene.seat or 2))
    place = left, top, width, height = (4, layout.band_tops[index], layout.size[0] - 8, layout.band_height)
    drawing.add_rect(*place, f"back-seat{seat}", corner_radius=22)
    drawing.add_name(seat, left + 20, top + 49, name, board.fitting_size(name, 36, width * 0.52))
    if seat != scene.seat:
        rack = text("rack {rack}", rack=side.rack.size)
        y = top + 46 if scene.seat else layout.display_tops[index] + layout.tile_size * 0.66
        drawing.add_text(left + width - 24, y, rack, 32, "faint", anchor="end")
    middle = top + height * 0.62
    if (sum_ := _sum_in_band(scene, seat, marks)) is not None:
        origins = layout.display_tops if not scene.seat else (layout.size[1], layout.display_tops[0])
        _draw_sum(drawing, layout, sum_, middle, origins[(sum_.seat - (scene.seat or 1)) % 2])
        drawing.add_rect(*place, board.ring_class(sum_.seat, is_refused=sum_.result is None), corner_radius=22)
    else:
        size = board.fitting_size(str(side.score), SCORE_SIZE, width - 56)
        drawing.add_text(left + width - 28, middle + size * 0.36, str(side.score), size, anchor="end")
    if can_tap:
        at_other_score = seat != scene.seat
        tapped = TappedPlay.from_keys(scene.keys)
        words = text("play on {name}'s score, {score}", name=name, score=side.score)
        after = tapped._replace(at_other_score=at_other_score).keys
        is_chosen = bool(scene.keys) and tapped.at_other_score == at_other_score
        if is_chosen or after != scene.keys:  # With nothing chosen a tap on the own score would change nothing.
            drawing.add_tap(after, words, place, chosen=is_chosen, drawn=sum_ is not None and sum_.is_drafted)


def _draw_sum(drawing: Svg, layout: Layout, sum_: Sum, middle: float, origin: float) -> None:
    """Write a play around the height `middle`: ``9 [÷3] = 3``, the result of a half-made one in a broken outline.

    The tiles of the last play come from the height `origin`.
    """
    before, result = str(sum_.score), "?" if sum_.result is None else str(sum_.result)
    size = _sum_size(layout, sum_, before, result)
    if size < MIN_SUM_SIZE:
        before = "…"
        size = _sum_size(layout, sum_, before, result)
    small, tile_size, pitch, result_width = size * 0.7, size * 0.66, size * 0.72, LETTER_WIDTH * size * len(result)
    x = 32 + LETTER_WIDTH * small * len(before)
    if not sum_.is_drafted:
        x = layout.size[0] - 32 - result_width - size * 0.76 - pitch * len(sum_.tiles)
    drawing.add_text(x, middle + small * 0.36, before, small, anchor="end")
    x += size * 0.12
    for tile in sum_.tiles:
        with drawing.travelling_from(0, 0 if sum_.is_drafted else origin - middle):
            _draw_tile(drawing, x, middle - tile_size / 2, tile_size, tile)
        x += pitch
    drawing.add_text(x + size * 0.26, middle + small * 0.34, "=", small, "faint")
    x += size * 0.64
    if sum_.is_drafted:
        place = (x - size * 0.1, middle - size * 0.5, result_width + size * 0.2, size)
        css = board.ring_class(sum_.seat, is_drafted=True, is_refused=sum_.result is None)
        drawing.add_rect(*place, css, corner_radius=16)
        drawing.add_centred_text(place, result, size)
    else:
        drawing.add_text(layout.size[0] - 32, middle + size * 0.36, result, size, anchor="end")


def _sum_size(layout: Layout, sum_: Sum, before: str, result: str) -> float:
    """The font size in which a sum fits into a band."""
    letters = LETTER_WIDTH * (0.7 * len(before) + len(result))
    return min(SCORE_SIZE, (layout.size[0] - 64) / (letters + 0.72 * len(sum_.tiles) + 0.94))


def _draw_display(drawing: Svg, layout: Layout, index: int, side: Side) -> None:
    top, size = layout.display_tops[index], layout.tile_size
    if side.display.pieces is None:
        drawing.add_text(24, top + size * 0.66, _sealed_display_text(side), 32, "faint", anchor="start")
        return
    for place, tile in enumerate(side.display.pieces):
        _draw_tile(drawing, 8 + place * size * 1.12, top, size, tile_text(tile))


def _draw_tray(scene: BoardScene, tapped: TappedPlay, marks: Marks) -> Svg:
    """Draw the own tiles; a broken outline is the place of one that is chosen.

    While the player waits, the room of sealed tiles has only their number, so that the board stays where it is.
    """
    side = scene.view.sides[scene.seat - 1]
    rows = _tile_rows(side)
    tray = Svg(600, len(rows) * TRAY_ROW_HEIGHT, text("Your tiles"))
    chosen = list(marks.used_tiles)
    for down, row in enumerate(rows):
        is_rack = row[0][0] == "/"
        if not scene.is_to_move and (side.rack if is_rack else side.display).pieces is None:
            if is_rack or not down:
                y = down * TRAY_ROW_HEIGHT + 3 + TILE_SIZE * 0.64
                number = text("rack {rack}", rack=side.rack.size) if is_rack else _sealed_display_text(side)
                tray.add_text(8, y, number, 30, "faint", anchor="start")
            continue
        for across, tile in enumerate(row):
            place = x, y, _, _ = (3 + across * TILE_PITCH, 3 + down * TRAY_ROW_HEIGHT, TILE_SIZE, TILE_SIZE)
            if is_chosen := tile in chosen:
                chosen.remove(tile)
                tray.add_rect(*place, "slot", corner_radius=11)
                tray.add_centred_text(place, printed_tile(tile), TILE_SIZE * 0.48, "faint")
            else:
                _draw_tile(tray, x, y, TILE_SIZE, tile)
            if scene.is_to_move and (after := tapped.after_tap(tile)):
                name = _tile_name(tile)
                words = text("take {piece} back", piece=name) if is_chosen else name
                tray.add_tap(after.keys, words, place, chosen=is_chosen, drawn=is_chosen)
    if side.rack.pieces:
        x = 3 + len(side.rack.pieces) * TILE_PITCH + 6
        y = (len(rows) - 1) * TRAY_ROW_HEIGHT + 3 + TILE_SIZE * 0.64
        tray.add_text(x, y, text("only you see these"), 26, "faint", anchor="start")
    return tray


def _can_play(scene: BoardScene, on_other_score: bool) -> bool:
    """Whether any own tile can begin a play on a score."""
    tiles = (tile for row in _tile_rows(scene.view.sides[scene.seat - 1]) for tile in row if tile[0] != "D")
    keys = (f"{'0' * on_other_score}{KEY_OF_SIGN[tile[0]]}{tile[1]}" for tile in tiles)
    drafts = (MOVE_INPUT.draft_from_keys(scene.view, each) for each in keys)
    return any(draft is not None and draft.verdict != "no" for draft in drafts)


def _prompt(scene: BoardScene, *, at_other_score: bool) -> str:
    """What to tap next; or that no tile can be played, on the other score if that was tapped, else on either."""
    other = scene.names[2 - scene.seat]
    if _can_play(scene, True):
        message = "Tap a tile for {name}'s score." if at_other_score else "Tap a tile, or first {name}'s score."
        return text(message, name=other)
    if at_other_score:
        return text("None of your tiles can go on {name}'s score.", name=other)
    if _can_play(scene, False):
        return text("Tap a tile, or first {name}'s score.", name=other)
    return text("None of your tiles can be played.")


def _tile_rows(side: Side) -> list[list[str]]:
    """The own tiles in rows: those that are held, or those that a sealed holding may have."""
    rows: list[list[str]] = []
    for held, sealed in ((side.display.pieces, side.unseen_coloured), (side.rack.pieces, side.unseen_black)):
        tiles = [tile_text(tile) for tile in (held if held is not None else sealed)]
        if held is None:
            kinds = list(dict.fromkeys(tiles))
            rows += [row for sign in SIGNS if (row := [tile for tile in kinds if sign in tile])]
        elif tiles:
            rows.append(tiles)
    return rows


def _tile_name(tile: str) -> str:
    """What a tile is called, also by a voice."""
    return text("double {sign}", sign=printed_tile(tile[1])) if tile[0] == "D" else printed_tile(tile)


def _class_of_tile(tile: str) -> str:
    """The class of a tile by its sign; a double is written ``D+``."""
    return SIGN_CLASSES[tile[tile[0] == "D"]]


def _draw_tile(drawing: Svg, x: float, y: float, size: float, tile: str) -> None:
    """Draw a tile in the colour of its sign; `tile` is written ``+3``, or ``D+`` for a double."""
    drawing.add_piece((x, y, size, size), _class_of_tile(tile), edge=size * 0.07, corner_radius=size * 0.16)
    drawing.add_centred_text((x, y, size, size), printed_tile(tile), size * 0.5, "on")
