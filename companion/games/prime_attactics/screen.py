"""The screen of Prime Attactics: both scores, the display of the seat to move, and arithmetic in the last lines."""

from __future__ import annotations

from companion.games.api.move_input import Draft
from companion.games.api.screen import Scene
from companion.games.api.text import text
from companion.games.plain_screen import next_step_key
from companion.games.prime_attactics import rules
from companion.games.prime_attactics.holding_screens import (
    TILE_PITCH_COLUMNS,
    TILES_ROW,
    HoldingScreen,
    draw_header,
    draw_tile_row,
)
from companion.games.prime_attactics.move_input import MOVE_INPUT
from companion.games.prime_attactics.picker import (
    LOWERING_SIGNS,
    SIGN_KEYS_TEXT,
    Marks,
    possible_second_tiles,
    printed_signs,
)
from companion.games.prime_attactics.state import Side, State
from companion.games.prime_attactics.tiles import Play, Refill, tile_text
from companion.languages import translate
from companion.panel import widgets
from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import (
    BIG,
    MIDDLE,
    NARROW,
    TEXT,
    Face,
    cut_text,
    fits_lines,
    fitting_face,
    with_cut_name,
    wrap_text,
)
from companion.panel.name_cutting import shorten_names_in

SCORE_ROW = 16
"""The top row of a score that is 20 pixels high."""
HALF_MIDDLE_COLUMNS = (33, 96)
"""The middle columns of the two halves, for scores that are centred."""
SCORE_COLUMNS = (4, 69)
"""The first columns of scores 20 pixels high with fewer than six digits: left-aligned, to leave room for a result."""
HALF_COLUMNS = 61
"""The width of a half in pixels."""
ARROWHEAD_COLUMNS = (60, 68)
"""The last column before the arrowhead between the scores, and the first one after it.

A result that ends between these leaves no room for the arrowhead.
"""
MAX_LARGE_DIGITS = 6
"""The most digits of a score 20 pixels high."""
LONG_SCORE = 10_000_000
"""Scores from this one on take the whole width of their half."""
AIM_SIGN = "→"
"""The sign before a draft for the other score. It is within one page, so that changing the score sends few bytes."""
NUMBER_COLUMN, WORKING_COLUMN = 20, 42
"""The fixed columns of a draft: of its tile's number, and of the working after a tile with its double."""
AIM_KEY_TEXT = text("0 first: other's score")
"""What players with a keypad see before their first key."""
MIN_NAME_LETTERS = 5
"""A name that would have to be cut below this many letters is left out."""
SUM_COLUMN = 46
"""The usual first column of the last move's arithmetic. Longer arithmetic begins further left."""
RESULT_ROWS = {MIDDLE: 18, TEXT: 24}
"""Font of a result beside its score, the largest first → its top row, so that it is on the fewest pages.
"""


class Screen(HoldingScreen):
    """Draws both scores, the tiles of the seat to move, and the arithmetic of the draft."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        view: State = scene.view
        draw_header(canvas, scene.names, scene.seat_to_move)
        marks = scene.draft.marks if scene.draft and isinstance(scene.draft.marks, Marks) else None
        longest = max(len(str(side.score)) for side in view.sides)
        for seat, side in enumerate(view.sides, 1):
            draw_score(canvas, seat, side.score, longest)
        canvas.dotted_line(64, SCORE_ROW, 64, SCORE_ROW + 18)
        own, result_end = scene.seat_to_move or 1, 0
        draft = scene.draft
        # The draft may still become a pass.
        is_pass = draft is not None and "pass" in (draft.event, draft.attempted_event, draft.text)
        at_other_score = marks is not None and marks.at_other_score and not is_pass
        target = 3 - own if at_other_score else own
        if marks is not None and marks.score is not None and longest < MAX_LARGE_DIGITS:
            result_end = _draw_result(canvas, target, view.sides[target - 1].score, marks.score)
        if at_other_score and not ARROWHEAD_COLUMNS[0] < result_end < ARROWHEAD_COLUMNS[1]:
            _draw_arrowhead(canvas, target == 2, 4 if all(side.score < LONG_SCORE for side in view.sides) else 3)
        _draw_display(canvas, scene, marks)
        if draft is not None and marks is not None:
            _draw_draft(canvas, scene, draft, marks, result_end > 0)
        else:
            _draw_last_move(canvas, scene)


SCREEN = Screen()


def _draw_arrowhead(canvas: Canvas, right: bool, columns: int) -> None:
    """Draw an arrowhead between the scores, within one page, if the draft is for the other score.

    With `right` it points to seat 2's score. It is `columns` wide.
    """
    canvas.clear(64, 24, 64, 31)
    for index in range(columns):
        x = 63 + index if right else 65 - index
        canvas.vline(x, 28 - columns + index, 26 + columns - index)


def _draw_result(canvas: Canvas, seat: int, value: int, result: int) -> int:
    """Draw the draft's result beside the score: ``154→77``. Returns its last column, 0 if there is no room for it."""
    x = SCORE_COLUMNS[seat - 1] + BIG.width(str(value)) + 3
    face = fitting_face(f"→{result}", tuple(RESULT_ROWS), SCORE_COLUMNS[seat - 1] + HALF_COLUMNS - 3 - x)
    return 0 if face is None else x + canvas.text(x, RESULT_ROWS[face], f"→{result}", face) - 1


def draw_score(canvas: Canvas, seat: int, value: int, longest: int) -> None:
    """Draw a seat's score as large as the number of digits of the longer score, `longest`, allows.

    Up to six digits it is 20 pixels high, then smaller; from eleven digits on it has two lines.
    """
    digits, x = str(value), HALF_MIDDLE_COLUMNS[seat - 1]
    digits_in_line = 10 if longest > 16 or longest <= 10 else 8
    if longest >= 10 == digits_in_line:  # A line of ten digits must not touch the arrowhead in the middle.
        x += -1 if seat == 1 else 1
    first = len(digits) % digits_in_line or digits_in_line
    lines = tuple(filter(None, (digits[:first], digits[first:])))
    if len(digits) > 20:  # This can't happen in a real round: two sets of tiles give at most fifteen digits.
        lines = (f"{digits[:8]}…", text("{number} digits", number=len(digits)))
    # Aligned at the edges, to leave room for the arrowhead in the middle.
    if len(digits) == MAX_LARGE_DIGITS == longest:
        is_left = seat == 1
        canvas.text(LEFT if is_left else RIGHT, SCORE_ROW, digits, BIG, "l" if is_left else "r", digit_gap=1)
    elif longest <= MAX_LARGE_DIGITS:
        canvas.text(SCORE_COLUMNS[seat - 1], SCORE_ROW, digits, BIG)
    elif len(lines) == 1:
        face = _small_font(longest)
        canvas.text(x, SCORE_ROW + (BIG.capital_rows - face.capital_rows) // 2, digits, face, "c")
    else:
        for index, line in enumerate(lines):
            canvas.text(x + 29, SCORE_ROW + 1 + index * 10, line, _small_font(longest), "r")


def _small_font(longest: int) -> Face:
    """The font of both scores, if the longer one has more digits than fit 20 pixels high."""
    if longest == MAX_LARGE_DIGITS + 1:
        return MIDDLE
    return NARROW if longest == MAX_LARGE_DIGITS + 2 or 10 < longest <= 16 else TEXT


def _draw_display(canvas: Canvas, scene: Scene, marks: Marks | None) -> None:
    """Draw the tiles of the seat to move, or the choices of its picker. A sealed display is replaced by words."""
    view: State = scene.view
    if marks is not None and marks.choices:
        draw_tile_row(canvas, marks.choices, (marks.chosen_index,))
        return
    if view.end_reason:
        return
    side = view.sides[view.to_move - 1]
    tiles, rack = side.display.pieces, side.rack.size
    if tiles is None:
        canvas.text(64, TILES_ROW, _sealed_display_text(scene, side), anchor="c")
        return
    used = list(marks.used_tiles) if marks else []
    picked = []
    for index, tile in enumerate(map(tile_text, tiles)):
        if tile in used:
            used.remove(tile)
            picked.append(index)
    draw_tile_row(canvas, [printed_signs(tile_text(tile)) for tile in tiles], picked)
    said = text("rack {rack}", rack=rack)
    if TEXT.width(said) <= RIGHT - TILE_PITCH_COLUMNS * len(tiles):
        canvas.text(RIGHT, TILES_ROW, said, anchor="r")


def _sealed_display_text(scene: Scene, side: Side) -> str:
    """The words in place of a sealed display: after a play what to draw, otherwise how many tiles there are.

    The request to draw stays while the next move is entered. Players with a keypad see before their first key how a
    play is made on the other score; and where the panel explains how to enter a play, it also explains how to pass.
    """
    if scene.last_move is None and scene.draft is None and not scene.uses_buttons:
        return AIM_KEY_TEXT
    if (
        scene.draft is None
        and scene.claim_instructions
        and scene.bottom_line == MOVE_INPUT.input_instructions(scene.view, scene.uses_buttons)
    ):
        return scene.claim_instructions
    if request := _request_to_draw_text(scene):
        return shorten_names_in(request, scene.names, lambda tried: TEXT.width(tried) <= RIGHT - LEFT)
    return text("{display} on display, {rack} in rack", display=side.display.size, rack=side.rack.size)


def _request_to_draw_text(scene: Scene) -> str:
    """What the player who has just played must draw, without naming it; "" if the box asks for the tiles.

    The message that nothing is left to draw disappears with the first key of the next move.
    """
    if (
        scene.view_before is None
        or scene.last_move is None
        or not isinstance(scene.last_move[1], Play)
        or scene.is_after_takeback
    ):
        return ""
    seat, side_before = scene.last_move[0], scene.view_before.sides[scene.last_move[0] - 1]
    side_now: Side = scene.view.sides[seat - 1]
    coloured = (
        len(side_before.unseen_coloured)
        - len(side_now.unseen_coloured)
        + side_now.display.size
        - side_before.display.size
    )
    black = len(side_before.unseen_black) - len(side_now.unseen_black) + side_now.rack.size - side_before.rack.size
    who = scene.player_name(seat)
    if coloured > 0 and black > 0:
        return text("{who}: draw {coloured} +-×, {black} ÷", who=who, coloured=coloured, black=black)
    if coloured > 0 or black > 0:
        message = "{who}: draw {number} +-×" if coloured > 0 else "{who}: draw {number} ÷"
        return text(message, who=who, number=max(coloured, black))
    are_sealed = side_before.display.pieces is None and side_before.rack.pieces is None
    return text("{who}: none left to draw", who=who) if are_sealed and scene.draft is None else ""


# -- the strip while entering -----------------------------------------------------------------------------------


def _draw_draft(canvas: Canvas, scene: Scene, draft: Draft, marks: Marks, has_result_beside: bool) -> None:
    """Draw the draft on the left, its working and verdict on the right.

    With `has_result_beside` the result is already beside the score and is not repeated. `Scene.bottom_line` replaces
    working and verdict; the result is before it if there is room.
    """
    bottom_line, key = scene.bottom_line, None if scene.bottom_line else next_step_key(scene)
    tile = draft.text.removeprefix(AIM_SIGN)
    play_text = text("pass") if tile == "pass" else tile
    x = (
        max(WORKING_COLUMN, NUMBER_COLUMN + MIDDLE.width(tile[1:]) + 6)
        if MIDDLE.has_glyphs(tile)
        else widgets.column_beside_draft(play_text)
    )
    working, message, mark = draft.working, draft.message, widgets.VERDICT_ICONS[draft.verdict]
    keys_text = "" if scene.uses_buttons else SIGN_KEYS_TEXT
    # Such a tile is usually meant for the other score.
    if keys_text and tile[0] in printed_signs(LOWERING_SIGNS) and draft.text == tile:
        if draft.verdict == "ok":
            keys_text = _other_score_keys_text(scene, draft.event or "", RIGHT - x + 1)
        elif draft.verdict == "more":
            keys_text = text("0: other score")
    if bottom_line:
        line = (
            bottom_line
            if marks.score is None or has_result_beside or scene.clock
            else f"= {marks.score}: {bottom_line}"
        )
        bottom_line = line if fits_lines(line, TEXT, RIGHT - x + 1, 2) else bottom_line
        first, *rest = bottom_line.split("  ") if scene.clock else wrap_text(bottom_line, TEXT, RIGHT - x + 1, 2)
        working, message, mark = first if rest else "", rest[0] if rest else first, ""
    elif (draft.verdict == "ok" and marks.score is not None and "=" not in draft.message) or (
        not working and (draft.verdict == "no" or not marks.used_tiles)
    ):
        working = keys_text
    elif draft.verdict == "ok" and marks.score and has_result_beside:
        # For a single tile, the score and the result beside it already tell everything.
        message = _fitting_working(working, RIGHT - x - 10) if len(marks.used_tiles) > 1 else _adding_key_text(scene)
        working = keys_text
    elif draft.verdict == "ok" and marks.score:
        # As above, for a single tile.
        working = _fitting_working(working, RIGHT - x + 1) if len(marks.used_tiles) > 1 else keys_text
        message = f"= {marks.score}"
        if _draw_long_draft(canvas, draft, x, message):
            return
    if (
        scene.last_move is None
        and draft.verdict == "ok"
        and not (bottom_line or message)
        and (not scene.uses_buttons or not working)
    ):
        # Later in the round the players know what a tick means.
        message = text("OK plays") if scene.uses_buttons else text("# plays")
    if scene.uses_buttons and not (bottom_line or working) and _has_black_tiles_beyond(scene, marks):
        working = text("◂▸ to ÷")
    if not MIDDLE.has_glyphs(tile):
        if not fits_lines(message, TEXT, RIGHT - x - 10, 1):  # This is beside a pass, which has no working.
            working, message = wrap_text(message, TEXT, RIGHT - x - 10, 2)
        widgets.draw_draft_strip(
            canvas, play_text.replace(AIM_SIGN, _aim_arrow(scene)), working, message, mark, key=key
        )
        return
    canvas.text(x, widgets.STRIP_ROW, cut_text(working, TEXT, RIGHT - x + 1))
    widgets.draw_verdict(canvas, message, mark, x=x, key=key)
    if draft.text != tile:
        canvas.text(2, widgets.LAST_LINE_ROW, _aim_arrow(scene))
    canvas.text(NUMBER_COLUMN - 3, 63 - MIDDLE.capital_rows, tile[:1], MIDDLE, "r")
    canvas.text(NUMBER_COLUMN, 63 - MIDDLE.capital_rows, tile[1:], MIDDLE)


def _has_black_tiles_beyond(scene: Scene, marks: Marks) -> bool:
    """Whether the picker is on the open display, and goes on from there to black tiles that are not visible."""
    side: Side = scene.view.sides[scene.view.to_move - 1]
    return bool(marks.used_tiles) and not marks.choices and side.display.pieces is not None and side.rack.size > 0


def _aim_arrow(scene: Scene) -> str:
    """The arrow of a play on the other score. It points to that score."""
    return "←" if scene.seat_to_move == 2 else AIM_SIGN


def _other_score_keys_text(scene: Scene, event: str, room: int) -> str:
    """How a play on the own score is typed as one on the other score: ``0B4: on Ben``."""
    seat = 2 if scene.seat_to_move == 1 else 1
    typed = translate(text("{keys}: on {who}", keys=MOVE_INPUT.keys_for_event(f"@{event}"), who="{}"))
    return with_cut_name(typed, scene.player_name(seat), TEXT, room, scene.names)


def _adding_key_text(scene: Scene) -> str:
    """The key that adds something to a single tile, and what it adds: ``D: slam dunk``, ``0 adds D×``; "" for none."""
    draft = scene.draft
    if scene.uses_buttons or draft is None or not isinstance(draft.marks, Marks):
        return ""
    sign = draft.marks.used_tiles[0][0]
    adding = possible_second_tiles(scene.view, sign)
    if draft.marks.at_other_score and "/" in adding:
        return text("D: slam dunk")
    return text("0 adds {tile}", tile=printed_signs(f"D{sign}")) if "D" in adding else ""


def _draw_long_draft(canvas: Canvas, draft: Draft, x: int, result: str) -> bool:
    """Draw draft and working above the result if that has no room from column `x` on. Returns whether it did so."""
    if x + 12 + TEXT.width(result) <= RIGHT:
        return False
    canvas.text(2, widgets.STRIP_ROW, draft.text)
    canvas.text(RIGHT, widgets.STRIP_ROW, _fitting_working(draft.working, 80), anchor="r")
    digits = result.removeprefix("= ")
    if TEXT.width(result) <= RIGHT - 13:
        widgets.draw_verdict(canvas, result, "tick")
    else:
        widgets.draw_verdict(
            canvas, digits if TEXT.width(digits) <= 126 else text("{number} digits", number=len(digits))
        )
    return True


def _fitting_working(working: str, room: int) -> str:
    """The working if it fits in `room` pixels; otherwise without its first number, which is the score shown above."""
    if TEXT.width(working) <= room:
        return working
    digits = len(working) - len(working.lstrip("(0123456789"))
    return "…" + working[digits:].replace(")", "")


# -- the strip at rest ------------------------------------------------------------------------------------------


def _draw_last_move(canvas: Canvas, scene: Scene) -> None:
    """Draw the last move in one line, or in two if it is long. The arithmetic is always on the last line."""
    is_display_open = (
        scene.seat_to_move is not None and scene.view.sides[scene.seat_to_move - 1].display.pieces is not None
    )
    has_instructions = (
        is_display_open
        and scene.claim_instructions
        and scene.bottom_line == MOVE_INPUT.input_instructions(scene.view, scene.uses_buttons)
    )
    # With an open display there is no free line above for it.
    if bottom_line := scene.claim_instructions if has_instructions else scene.bottom_line:
        widgets.draw_verdict(canvas, bottom_line)
        if is_display_open and scene.last_move is None and not scene.uses_buttons:
            canvas.text(64, widgets.STRIP_ROW, AIM_KEY_TEXT, anchor="c")
        return
    move, sum_ = last_move_lines(scene)
    move_line = with_cut_name(move[1], move[0], TEXT, 126, scene.names)
    if not sum_ or TEXT.width(move_line) + TEXT.width(sum_[0]) <= 118:
        canvas.text(LEFT, widgets.LAST_LINE_ROW, move_line)
        if sum_:
            _draw_sum(canvas, sum_[0], LEFT + TEXT.width(move_line) + 7)
        if not scene.uses_buttons and scene.seat_to_move:
            canvas.text(WORKING_COLUMN, widgets.STRIP_ROW, SIGN_KEYS_TEXT)
        return
    canvas.text(LEFT, widgets.STRIP_ROW, move_line)
    # A number is never cut: arithmetic too long for the line is left out, since the scores above show its result.
    _draw_sum(canvas, next((line for line in sum_ if TEXT.width(line) <= 126), ""))


def _draw_sum(canvas: Canvas, sum_: str, x: int = LEFT) -> None:
    """Draw arithmetic on the last page from column `SUM_COLUMN`, or further left (from `x` on) if it is long."""
    canvas.text(max(x, min(SUM_COLUMN, RIGHT - TEXT.width(sum_) + 1)), widgets.LAST_LINE_ROW, sum_)


def last_move_lines(scene: Scene) -> tuple[tuple[str, str], tuple[str, ...]]:
    """The last play as (name, ``{} ×7D``), and its arithmetic, the longest form first. Refills are passed over."""
    last_play = next((each for each in reversed(scene.recent_events) if not isinstance(each[2], Refill)), None)
    if last_play is None:
        return (scene.player_name(scene.seat_to_move or 1), text("{who} starts", who="{}")), ()
    before, seat, move = last_play
    name_and_text = (
        scene.player_name(seat),
        text("{who} {did}", who="{}", did=MOVE_INPUT.move_texts(before, seat, move).brief),
    )
    if not isinstance(move, Play):
        return name_and_text, ()
    sum_, result = rules.working_of_play(before, seat, move)
    forms: tuple[str, ...] = (f"{printed_signs(sum_)} = {result}", f"= {result}", f"{result}")
    other = scene.player_name(3 - seat)
    with_owner = shorten_names_in(f"{other} {forms[0]}", scene.names, lambda tried: TEXT.width(tried) <= 126)
    if (
        move.at_other_score
        and TEXT.width(with_owner) <= 126
        and len(with_owner) - len(forms[0]) > min(MIN_NAME_LETTERS, len(other))
    ):
        forms = (with_owner, *forms)
    return name_and_text, forms
