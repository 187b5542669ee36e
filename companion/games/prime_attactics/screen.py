"""The screen of Prime Attactics: both scores, the display of the seat to move, and arithmetic in the last lines."""

from __future__ import annotations

from companion.games.api.entry import Draft
from companion.games.api.screen import Scene
from companion.games.api.text import text
from companion.games.plain import goes_on
from companion.games.prime_attactics import rules
from companion.games.prime_attactics.entry import ENTRY
from companion.games.prime_attactics.hands import PITCH, TILES, HandScreen, cells, header
from companion.games.prime_attactics.pick import AT_OTHER, SIGN_KEYS, Marks, second_tiles, shown
from companion.games.prime_attactics.state import Side, State
from companion.games.prime_attactics.tiles import Play, Refill, tile_text
from companion.languages import translate
from companion.panel import parts
from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import BIG, MIDDLE, NARROW, TEXT, Face, cut_text, fitting_face, with_cut_name, wrap_text, fits_lines
from companion.panel.names import shorten_names_in

SCORE = 16
"""The top row of a score that is 20 pixels high."""
HALVES = (33, 96)
"""The middle columns of the two halves, for scores that are centred."""
FIRST = (4, 69)
"""The first columns of scores 20 pixels high with fewer than six digits: left-aligned, to leave room for a result."""
HALF = 61
"""The width of a half in pixels."""
AIM = (60, 68)
"""The last column before the arrowhead between the scores, and the first one after it.

A result that ends between these leaves no room for the arrowhead.
"""
LARGE = 6
"""The most digits of a score 20 pixels high."""
LONG = 10_000_000
"""Scores from this one on take the whole width of their half."""
AIMED = "→"
"""The sign before a draft for the other score. It is within one page, so that changing the aim sends few bytes."""
NUMBER, WORKING = 20, 42
"""The fixed columns of a draft: of its tile's number, and of the working after a tile with its double."""
FIRST_AT_OTHER = text("0 first: other's score")
"""What players with a keypad see before their first key."""
SHORTEST = 5
"""A name that would have to be cut below this many letters is left out."""
SUM = 46
"""The usual first column of the last move's arithmetic. Longer arithmetic begins further left."""
BESIDE = {MIDDLE: 18, TEXT: 24}
"""Font of a result beside its score, the largest first → its top row, so that it is on the fewest pages.
"""


class Screen(HandScreen):
    """The screen of Prime Attactics."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        view: State = scene.view
        header(canvas, scene.names, scene.turn)
        marks = scene.draft.marks if scene.draft and isinstance(scene.draft.marks, Marks) else None
        longest = max(len(str(side.score)) for side in view.sides)
        for seat, side in enumerate(view.sides, 1):
            score(canvas, seat, side.score, longest)
        canvas.dotted_line(64, SCORE, 64, SCORE + 18)
        own, beside = scene.turn or 1, 0
        draft = scene.draft
        # The draft may still become a pass.
        passes = draft is not None and "pass" in (draft.event, draft.attempt, draft.text)
        aimed = marks is not None and marks.aimed and not passes
        target = 3 - own if aimed else own
        if marks is not None and marks.score is not None and longest < LARGE:
            beside = _change(canvas, target, view.sides[target - 1].score, marks.score)
        if aimed and not AIM[0] < beside < AIM[1]:
            _aim(canvas, target == 2, 4 if all(side.score < LONG for side in view.sides) else 3)
        _display(canvas, scene, marks)
        if draft is not None and marks is not None:
            _entry(canvas, scene, draft, marks, beside > 0)
        else:
            _last(canvas, scene)


SCREEN = Screen()


def _aim(canvas: Canvas, right: bool, wide: int) -> None:
    """Draw an arrowhead between the scores, within one page, if the draft is for the other score.

    With `right` it points to seat 2's score. It is `columns` wide.
    """
    canvas.clear(64, 24, 64, 31)
    for index in range(wide):
        x = 63 + index if right else 65 - index
        canvas.vline(x, 28 - wide + index, 26 + wide - index)


def _change(canvas: Canvas, seat: int, value: int, result: int) -> int:
    """Draw the draft's result beside the score: ``154→77``. Returns its last column, 0 if there is no room for it."""
    x = FIRST[seat - 1] + BIG.width(str(value)) + 3
    face = fitting_face(f"→{result}", tuple(BESIDE), FIRST[seat - 1] + HALF - 3 - x)
    return 0 if face is None else x + canvas.text(x, BESIDE[face], f"→{result}", face) - 1


def score(canvas: Canvas, seat: int, value: int, longest: int) -> None:
    """Draw a seat's score as large as the number of digits of the longer score, `longest`, allows.

    Up to six digits it is 20 pixels high, then smaller; from eleven digits on it has two lines.
    """
    digits, x = str(value), HALVES[seat - 1]
    across = 10 if longest > 16 or longest <= 10 else 8
    if longest >= 10 == across:  # A line of ten digits must not touch the arrowhead in the middle.
        x += -1 if seat == 1 else 1
    first = len(digits) % across or across
    lines = tuple(filter(None, (digits[:first], digits[first:])))
    if len(digits) > 20:  # This can't happen in a real round: two sets of tiles give at most fifteen digits.
        lines = (f"{digits[:8]}…", text("{number} digits", number=len(digits)))
    if len(digits) == LARGE == longest:  # Aligned at the edges, to leave room for the arrowhead in the middle.
        left = seat == 1
        canvas.text(LEFT if left else RIGHT, SCORE, digits, BIG, "l" if left else "r", digit_gap=1)
    elif longest <= LARGE:
        canvas.text(FIRST[seat - 1], SCORE, digits, BIG)
    elif len(lines) == 1:
        face = _small(longest)
        canvas.text(x, SCORE + (BIG.capital_rows - face.capital_rows) // 2, digits, face, "c")
    else:
        for index, line in enumerate(lines):
            canvas.text(x + 29, SCORE + 1 + index * 10, line, _small(longest), "r")


def _small(longest: int) -> Face:
    """The font of both scores, if the longer one has more digits than fit 20 pixels high."""
    if longest == LARGE + 1:
        return MIDDLE
    return NARROW if longest == LARGE + 2 or 10 < longest <= 16 else TEXT


def _display(canvas: Canvas, scene: Scene, marks: Marks | None) -> None:
    """Draw the tiles of the seat to move, or the choices of its picker. A sealed display is replaced by words."""
    view: State = scene.view
    if marks is not None and marks.row:
        cells(canvas, marks.row, (marks.chosen,))
        return
    if view.ended:
        return
    side = view.sides[view.to_move - 1]
    tiles, rack = side.display.pieces, side.rack.size
    if tiles is None:
        canvas.text(64, TILES, _of_sealed(scene, side), anchor="c")
        return
    used = list(marks.used) if marks else []
    picked = []
    for index, tile in enumerate(map(tile_text, tiles)):
        if tile in used:
            used.remove(tile)
            picked.append(index)
    cells(canvas, [shown(tile_text(tile)) for tile in tiles], picked)
    said = text("rack {rack}", rack=rack)
    if TEXT.width(said) <= RIGHT - PITCH * len(tiles):
        canvas.text(RIGHT, TILES, said, anchor="r")


def _of_sealed(scene: Scene, side: Side) -> str:
    """The words in place of a sealed display: after a play what to draw, otherwise how many tiles there are.

    The request to draw stays while the next move is entered. Players with a keypad see before their first key how a
    play is made on the other score; and where the panel explains how to enter a play, it also explains how to pass.
    """
    if scene.last is None and scene.draft is None and not scene.buttons:
        return FIRST_AT_OTHER
    if scene.draft is None and scene.cannot and scene.say == ENTRY.how_to_enter(scene.view, scene.buttons):
        return scene.cannot
    if draws := _draws(scene):
        return shorten_names_in(draws, scene.names, lambda tried: TEXT.width(tried) <= RIGHT - LEFT)
    return text("{display} on display, {rack} in rack", display=side.display.size, rack=side.rack.size)


def _draws(scene: Scene) -> str:
    """What the player who has just played must draw, without naming it; "" if the box asks for the tiles.

    The message that nothing is left to draw disappears with the first key of the next move.
    """
    if scene.before is None or scene.last is None or not isinstance(scene.last[1], Play) or scene.back:
        return ""
    seat, was = scene.last[0], scene.before.sides[scene.last[0] - 1]
    now: Side = scene.view.sides[seat - 1]
    coloured = len(was.coloured) - len(now.coloured) + now.display.size - was.display.size
    black = len(was.black) - len(now.black) + now.rack.size - was.rack.size
    who = scene.name(seat)
    if coloured > 0 and black > 0:
        return text("{who}: draw {coloured} +-×, {black} ÷", who=who, coloured=coloured, black=black)
    if coloured > 0 or black > 0:
        message = "{who}: draw {number} +-×" if coloured > 0 else "{who}: draw {number} ÷"
        return text(message, who=who, number=max(coloured, black))
    sealed = was.display.pieces is None and was.rack.pieces is None
    return text("{who}: none left to draw", who=who) if sealed and scene.draft is None else ""


# -- the strip while entering -----------------------------------------------------------------------------------


def _entry(canvas: Canvas, scene: Scene, draft: Draft, marks: Marks, beside: bool) -> None:
    """Draw the draft on the left, its working and verdict on the right.

    With `has_result_beside` the result is already beside the score and is not repeated. `Scene.bottom_line` replaces
    working and verdict; the result is before it if there is room.
    """
    say, key = scene.say, None if scene.say else goes_on(scene)
    tile = draft.text.removeprefix(AIMED)
    whole = text("pass") if tile == "pass" else tile
    x = max(WORKING, NUMBER + MIDDLE.width(tile[1:]) + 6) if MIDDLE.has_glyphs(tile) else parts.column_beside_draft(whole)
    working, says, mark = draft.working, draft.says, parts.VERDICT_ICONS[draft.verdict]
    keys = "" if scene.buttons else SIGN_KEYS
    if keys and tile[0] in shown(AT_OTHER) and draft.text == tile:  # Such a tile is usually meant for the other score.
        if draft.verdict == "ok":
            keys = _at_other(scene, draft.event or "", RIGHT - x + 1)
        elif draft.verdict == "more":
            keys = text("0: other score")
    if say:
        told = say if marks.score is None or beside or scene.clock else f"= {marks.score}: {say}"
        say = told if fits_lines(told, TEXT, RIGHT - x + 1, 2) else say
        first, *rest = say.split("  ") if scene.clock else wrap_text(say, TEXT, RIGHT - x + 1, 2)
        working, says, mark = first if rest else "", rest[0] if rest else first, ""
    elif (draft.verdict == "ok" and marks.score is not None and "=" not in draft.says) or (
        not working and (draft.verdict == "no" or not marks.used)
    ):
        working = keys
    elif draft.verdict == "ok" and marks.score and beside:
        # For a single tile, the score and the result beside it already tell everything.
        says = _fits(working, RIGHT - x - 10) if len(marks.used) > 1 else _adds(scene)
        working = keys
    elif draft.verdict == "ok" and marks.score:
        working = _fits(working, RIGHT - x + 1) if len(marks.used) > 1 else keys  # As above, for a single tile.
        says = f"= {marks.score}"
        if _long_entry(canvas, draft, x, says):
            return
    if scene.last is None and draft.verdict == "ok" and not (say or says) and (not scene.buttons or not working):
        # Later in the round the players know what a tick means.
        says = text("OK plays") if scene.buttons else text("# plays")
    if scene.buttons and not (say or working) and _more_tiles(scene, marks):
        working = text("◂▸ to ÷")
    if not MIDDLE.has_glyphs(tile):
        if not fits_lines(says, TEXT, RIGHT - x - 10, 1):  # This is beside a pass, which has no working.
            working, says = wrap_text(says, TEXT, RIGHT - x - 10, 2)
        parts.draw_draft_strip(canvas, whole.replace(AIMED, _arrow(scene)), working, says, mark, key=key)
        return
    canvas.text(x, parts.STRIP_ROW, cut_text(working, TEXT, RIGHT - x + 1))
    parts.draw_verdict(canvas, says, mark, x=x, key=key)
    if draft.text != tile:
        canvas.text(2, parts.LAST_LINE_ROW, _arrow(scene))
    canvas.text(NUMBER - 3, 63 - MIDDLE.capital_rows, tile[:1], MIDDLE, "r")
    canvas.text(NUMBER, 63 - MIDDLE.capital_rows, tile[1:], MIDDLE)


def _more_tiles(scene: Scene, marks: Marks) -> bool:
    """Whether the picker is on the open display, and goes on from there to black tiles that are not visible."""
    side: Side = scene.view.sides[scene.view.to_move - 1]
    return bool(marks.used) and not marks.row and side.display.pieces is not None and side.rack.size > 0


def _arrow(scene: Scene) -> str:
    """The arrow of a play on the other score. It points to that score."""
    return "←" if scene.turn == 2 else AIMED


def _at_other(scene: Scene, event: str, room: int) -> str:
    """How a play on the own score is typed as one on the other score: ``0B4: on Ben``."""
    seat = 2 if scene.turn == 1 else 1
    typed = translate(text("{keys}: on {who}", keys=ENTRY.keys(f"@{event}"), who="{}"))
    return with_cut_name(typed, scene.name(seat), TEXT, room, scene.names)


def _adds(scene: Scene) -> str:
    """The key that adds something to a single tile, and what it adds: ``D: slam dunk``, ``0 adds D×``; "" for none."""
    draft = scene.draft
    if scene.buttons or draft is None or not isinstance(draft.marks, Marks):
        return ""
    sign = draft.marks.used[0][0]
    adding = second_tiles(scene.view, sign)
    if draft.marks.aimed and "/" in adding:
        return text("D: slam dunk")
    return text("0 adds {tile}", tile=shown(f"D{sign}")) if "D" in adding else ""


def _long_entry(canvas: Canvas, draft: Draft, x: int, result: str) -> bool:
    """Draw draft and working above the result if that has no room from column `x` on. Returns whether it did so."""
    if x + 12 + TEXT.width(result) <= RIGHT:
        return False
    canvas.text(2, parts.STRIP_ROW, draft.text)
    canvas.text(RIGHT, parts.STRIP_ROW, _fits(draft.working, 80), anchor="r")
    digits = result.removeprefix("= ")
    if TEXT.width(result) <= RIGHT - 13:
        parts.draw_verdict(canvas, result, "tick")
    else:
        parts.draw_verdict(canvas, digits if TEXT.width(digits) <= 126 else text("{number} digits", number=len(digits)))
    return True


def _fits(working: str, room: int) -> str:
    """The working if it fits in `room` pixels; otherwise without its first number, which is the score shown above."""
    if TEXT.width(working) <= room:
        return working
    digits = len(working) - len(working.lstrip("(0123456789"))
    return "…" + working[digits:].replace(")", "")


# -- the strip at rest ------------------------------------------------------------------------------------------


def _last(canvas: Canvas, scene: Scene) -> None:
    """Draw the last move in one line, or in two if it is long. The arithmetic is always on the last line."""
    open_ = scene.turn is not None and scene.view.sides[scene.turn - 1].display.pieces is not None
    asked = open_ and scene.cannot and scene.say == ENTRY.how_to_enter(scene.view, scene.buttons)
    if told := scene.cannot if asked else scene.say:  # With an open display there is no free line above for it.
        parts.draw_verdict(canvas, told)
        if open_ and scene.last is None and not scene.buttons:
            canvas.text(64, parts.STRIP_ROW, FIRST_AT_OTHER, anchor="c")
        return
    move, sum_ = describe_last_move(scene)
    whole = with_cut_name(move[1], move[0], TEXT, 126, scene.names)
    if not sum_ or TEXT.width(whole) + TEXT.width(sum_[0]) <= 118:
        canvas.text(LEFT, parts.LAST_LINE_ROW, whole)
        if sum_:
            _sum(canvas, sum_[0], LEFT + TEXT.width(whole) + 7)
        if not scene.buttons and scene.turn:
            canvas.text(WORKING, parts.STRIP_ROW, SIGN_KEYS)
        return
    canvas.text(LEFT, parts.STRIP_ROW, whole)
    # A number is never cut: arithmetic too long for the line is left out, since the scores above show its result.
    _sum(canvas, next((line for line in sum_ if TEXT.width(line) <= 126), ""))


def _sum(canvas: Canvas, sum_: str, x: int = LEFT) -> None:
    """Draw arithmetic on the last page from column `SUM_COLUMN`, or further left (from `x` on) if it is long."""
    canvas.text(max(x, min(SUM, RIGHT - TEXT.width(sum_) + 1)), parts.LAST_LINE_ROW, sum_)


def describe_last_move(scene: Scene) -> tuple[tuple[str, str], tuple[str, ...]]:
    """The last play as (name, ``{} ×7D``), and its arithmetic, the longest form first. Refills are passed over."""
    found = next((each for each in reversed(scene.recent) if not isinstance(each[2], Refill)), None)
    if found is None:
        return (scene.name(scene.turn or 1), text("{who} starts", who="{}")), ()
    before, seat, move = found
    told = scene.name(seat), text("{who} {did}", who="{}", did=ENTRY.move_words(before, seat, move).brief)
    if not isinstance(move, Play):
        return told, ()
    sum_, result = rules.working(before, seat, move)
    forms: tuple[str, ...] = (f"{shown(sum_)} = {result}", f"= {result}", f"{result}")
    other = scene.name(3 - seat)
    whose = shorten_names_in(f"{other} {forms[0]}", scene.names, lambda tried: TEXT.width(tried) <= 126)
    if move.aimed and TEXT.width(whose) <= 126 and len(whose) - len(forms[0]) > min(SHORTEST, len(other)):
        forms = (whose, *forms)
    return told, forms
