"""The screen of Ziggurat: the map with its top pips; beside it the seats, the level and the draft.

The 7 to 45 dominoes of a hand are named without being shown; a hand is shown to its owner alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.move_input import PRESS_HASH_TEXT
from companion.games.api.screen import NamingScene, PeekScene, Scene
from companion.games.api.text import text
from companion.games.plain_screen import PlainScreen, draw_last_line, draw_naming_keys, draw_naming_line, excess_text
from companion.games.ziggurat.drafts import Marks
from companion.games.ziggurat.map_drawing import LINE_COLUMN, draw_column_labels, draw_map, join_halves, map_layout
from companion.games.ziggurat.pieces import Domino
from companion.games.ziggurat.state import State
from companion.languages import translate
from companion.panel import own_pieces, seat_tabs, widgets
from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import (
    CONDENSED,
    MIDDLE,
    TEXT,
    WORD_FACES,
    Face,
    cut_text,
    fit_text,
    fits_lines,
    wrap_balanced,
    wrap_text,
)
from companion.panel.icons import icon_mask

PANEL_LINES = 8
"""The number of text lines that the panel holds."""
SUIT_SEPARATOR = "   "
"""What is between two suits on a line."""
START = LINE_COLUMN + 2
"""The first pixel column of what is beside the map."""
ROOM = RIGHT - START + 1
"""The pixel columns of what is beside the map."""
NUMBERS_ROW, NUMBERS_PITCH = 14, 14
"""The top pixel row of the first line of scores, and the rows from one to the next."""
TAB_ROWS, TAB_SHAPE_COLUMNS, TAB_PADDING, NUMBER_GAP = 14, 9, 2, 3
"""The rows of a seat of two; the columns of its shape with the gap after it, those at both ends, and those between
a name and its points, which are twice as many after a name that ends in a number."""
WORDS_ROWS, LAST_WORDS_ROW = ((16, 28), (16, 42)), 42
"""The top pixel rows of the words beside the map, without and with the scores of two players, then of four; and the
last row on which a line of words may begin."""
PICKED_ROW, PICKER_ROW = 30, 22
"""The top pixel rows of the domino that is picked for a play, and of the dominoes of a hand to pick from."""
KEY_MESSAGES = (PRESS_HASH_TEXT,)
"""Messages of a draft about a key, which replace what the draft does."""
ASKED_HALVES = {"column": 0, "row": 0, "way": 1}
"""What the next key is for → the half of the domino that it places: 0 for the first."""
WAY_KEYS = (("A", "up"), ("B", "short-right"), ("C", "down"), ("D", "short-left"))


class Screen(PlainScreen):
    """Draws the map, the seats, the level and the draft."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        state: State = scene.view
        draft = scene.draft
        marks = draft.marks if draft is not None and isinstance(draft.marks, Marks) else Marks("")
        layout = map_layout(state, marks)
        # The line right of the map ends above the last line, but an arrowhead may be below it.
        _draw_last_line(canvas, scene, marks, START if "right" in layout.open_sides else LINE_COLUMN)
        draw_map(canvas, state, layout, marks, is_forbidden=draft is not None and draft.verdict == "no")
        if scene.last_move is not None:
            join_halves(canvas, state, layout, scene.last_move[1].first, scene.last_move[1].second)
        # Whoever types sees the digits to press, and all words name squares by them (`GameTexts.keypad_text`).
        chosen = marks.column if marks.next_key == "row" else -1
        draw_column_labels(canvas, layout, as_digits=not scene.uses_buttons, chosen=chosen)
        face, lines = _words_beside_map(scene, marks)
        if draft is not None and draft.next_step and marks.next_key == "pip" and not scene.bottom_line:
            _draw_picked_domino(canvas, draft.text)
            lines = ()
        pitch = widgets.LINE_PITCH if face is CONDENSED else widgets.SMALL_LINE_PITCH
        rows = WORDS_ROWS[len(scene.names) > 2]
        has_numbers = rows[1] + pitch * (len(lines) - 1) <= LAST_WORDS_ROW and (len(scene.names) == 2 or not draft)
        seat = scene.seat_to_move or 1
        if has_numbers and len(scene.names) == 2:
            _draw_two_seats(canvas, scene)
        else:
            tab = seat_tabs.SeatTab(scene.player_name(seat), seat=seat)
            seat_tabs.draw_tab(canvas, tab, START, RIGHT, lit=scene.seat_to_move is not None, y=-2)
        if has_numbers and len(scene.names) > 2:
            numbers = list(map(str, state.scores))
            seat_tabs.draw_seat_numbers(canvas, numbers, START, RIGHT, NUMBERS_ROW, pitch=NUMBERS_PITCH)
        if draft is not None and lines and lines[0] == draft.text.partition(" ")[0] and marks.next_key in ASKED_HALVES:
            _draw_domino_with_half(canvas, lines[0], ASKED_HALVES[marks.next_key], rows[has_numbers])
            lines = ("", *lines[1:])
        for index, line in enumerate(lines):
            canvas.fitted_text(START, rows[has_numbers] + pitch * index, line, (face, TEXT), ROOM)

    def draw_naming(self, canvas: Canvas, scene: NamingScene) -> None:
        """A mark for each named domino, never its pips. With a row to pick from, the other players must look away."""
        title = text("{who}'s hand", who=scene.player_name)
        widgets.draw_title(canvas, title, text("{number} of {size}", number=len(scene.pieces), size=scene.size))
        missing, said = scene.missing_count, scene.stray_key_text
        if scene.partial_piece:
            said = said or text("the other half?")
        elif scene.repeated_number:
            said = said or text("domino {number} named twice", number=scene.repeated_number)
        if missing <= 0:
            said = said or (text("complete") if scene.is_complete else excess_text(scene, "", 0))
        if scene.cursor is not None:
            row, column = scene.cursor
            _draw_domino_row(canvas, scene.rows[row], column, PICKER_ROW)
        else:
            widgets.draw_card_backs(canvas, len(scene.pieces), scene.size, 17)
        draw_naming_line(canvas, scene, said or scene.look_away_text)
        example = text("A B C are 10 11 12") if scene.options["set"] == "12" else text("6 3 is 6-3")
        draw_naming_keys(canvas, scene, words="" if scene.uses_buttons or missing <= 0 else example)

    def draw_peek(self, canvas: Canvas, scene: PeekScene) -> None:
        """A hand domino by domino; a large one suit by suit, with a small title if a line is left for it.

        A hand that is too large even for that, which hardly ever happens, is wrapped like text.
        """
        view: State = scene.view
        hand = sorted(view.hands[scene.seat - 1].pieces or ())
        title = text("{who}'s hand", who=scene.player_name)
        if own_pieces.draw_pieces(canvas, list(map(str, hand))):
            widgets.draw_title(canvas, title, str(len(hand)))
            return
        lines = list(map(SUIT_SEPARATOR.join, _suit_lines(hand)))
        if len(lines) > PANEL_LINES or any(TEXT.width(line) > RIGHT for line in lines):
            lines = wrap_text(scene.pieces_text, TEXT, RIGHT, PANEL_LINES)
        has_title = len(lines) < PANEL_LINES
        if has_title:
            size = str(len(hand))
            canvas.text(LEFT, 0, cut_text(title, TEXT, RIGHT - TEXT.width(size) - 8, canvas.names), TEXT)
            canvas.text(RIGHT, 0, size, TEXT, "r")
        pitch = 9 if len(lines) < PANEL_LINES - 1 else 8
        for index, line in enumerate(lines, has_title):
            canvas.text(LEFT, pitch * index, line, TEXT)


SCREEN = Screen()


# -- beside the map ---------------------------------------------------------------------------------------------


def _words_beside_map(scene: Scene, marks: Marks) -> tuple[Face, Sequence[str]]:
    """What is asked for, what a draft does, or why it is impossible; at rest the level, and where to lay a domino."""
    draft, state = scene.draft, scene.view
    if scene.clock and (scene.counts_down or len(scene.names) > 2):
        return CONDENSED, scene.bottom_line.split("  ") if scene.counts_down else scene.clock[:1]
    if draft is not None and not scene.bottom_line and draft.message not in map(translate, KEY_MESSAGES):
        return CONDENSED, list(filter(None, marks.short_lines))
    if sentence := scene.bottom_line or (draft.message if draft is not None else ""):
        pass
    elif not state.played_dominoes:
        sentence = text("Start: lay on the dots")
    elif len(scene.names) > 2:
        sentence = text("Base") if state.level == 1 else text("Level {level}", level=state.level)
    elif state.level > 1:
        return CONDENSED, (text("Level {level}:", level=state.level), text("{points} a match", points=state.level))
    else:
        sentence = text("lay next to a domino")
    is_short = fits_lines(translate(sentence), CONDENSED, ROOM, 3)
    face, lines = (CONDENSED, 3) if is_short else (TEXT, 4)
    if not fits_lines(translate(sentence), face, ROOM, lines):
        sentence = sentence.replace("/", "/ ")  # Two times may be on two lines.
    return face, wrap_balanced(sentence, face, ROOM, lines, scene.names)


def _draw_two_seats(canvas: Canvas, scene: Scene) -> None:
    """Draw both seats, each with its shape, name and points; that of the player to move is on a plate.

    There the shape gives way to a name that is whole only without it.
    """
    for seat, (name, points) in enumerate(zip(scene.names, map(str, scene.view.scores), strict=True), 1):
        y, lit = TAB_ROWS * (seat - 1) - 2, seat == scene.seat_to_move
        x, end = START + TAB_PADDING, RIGHT - TAB_PADDING
        if lit:
            canvas.fill_rounded_box(START, y, RIGHT, y + TAB_ROWS - 1)
        end -= canvas.text(end, y + 3, points, anchor="r", inverse=lit) + NUMBER_GAP * (1 + name[-1:].isdigit())
        is_whole = [CONDENSED.width(name) <= end + 1 - start for start in (x + TAB_SHAPE_COLUMNS, x)]
        if not lit or is_whole != [False, True]:
            seat_tabs.draw_seat_shape(canvas, x, y + 4, seat, small=True, inverse=lit)
            x += TAB_SHAPE_COLUMNS
        face, shown = fit_text(name, WORD_FACES, end + 1 - x, canvas.names)
        down = CONDENSED.capital_rows - face.capital_rows
        canvas.text(x, y + 3 + down, shown, face, inverse=lit)


def _draw_last_line(canvas: Canvas, scene: Scene, marks: Marks, start: int) -> None:
    """Draw what OK and BACK do. All words are above; the keys of the ways replace what BACK does."""
    if marks.way_keys and not scene.bottom_line:
        draw_way_keys(canvas, START, marks.way_keys)
        return
    draft = scene.draft
    if draft is None and not (scene.awaits_move or scene.back_label):  # A picture of a replay has no keys.
        return
    if draft is not None:
        draft = draft._replace(message="")
        if scene.bottom_line:
            draft = draft._replace(verdict="more", next_step="")
        elif draft.verdict == "no":
            draft = draft._replace(next_step=text("why?", "in a narrow line"))
    draw_last_line(canvas, scene._replace(draft=draft, bottom_line=""), "", start=start)


def _draw_domino_with_half(canvas: Canvas, domino: str, asked: int, y: int) -> None:
    """Draw a domino on row `y` with the half that is asked for on a plate."""
    x = START
    for half, pip in enumerate(domino.split("-")):
        x += canvas.text(x, y, "-") + 1 if half else 0
        x += canvas.tag(x, y, pip, lit=half == asked) + 1


def _draw_picked_domino(canvas: Canvas, domino: str) -> None:
    """Draw a domino in large digits between the arrows that change its first and its second pip."""
    canvas.icon(START + 1, PICKED_ROW + 1, "more-up")
    canvas.icon(START + 1, PICKED_ROW + 9, "more-down")
    x = START + 10 + canvas.text(START + 9, PICKED_ROW, domino, MIDDLE)
    for arrow in ("more-left", "more-right"):
        x += 3 + canvas.icon(x + 2, PICKED_ROW + 4, arrow)


def draw_way_keys(canvas: Canvas, x: int, keys: str) -> None:
    """Draw the keys of the directions in `keys`, each with its arrow, from pixel column `x` on."""
    for key, arrow in WAY_KEYS:
        if key in keys:
            width = canvas.text(x, widgets.LAST_LINE_ROW, key) + 1
            top = widgets.LAST_LINE_ROW + (CONDENSED.capital_rows - icon_mask(arrow).height) // 2
            x += width + canvas.icon(x + width, top, arrow) + 4


# -- a hand ---------------------------------------------------------------------------------------------------------


def _draw_domino_row(canvas: Canvas, dominoes: Sequence[str], cursor: int, y: int) -> None:
    """Draw as many dominoes of a row as fit, from two before index `cursor` on, the one at `cursor` on a plate."""
    x = LEFT
    for index in range(max(0, min(cursor - 2, len(dominoes) - 4)), len(dominoes)):
        if x + CONDENSED.width(dominoes[index]) + 3 > RIGHT:
            break
        x += canvas.tag(x, y, dominoes[index], lit=index == cursor) + 3


def _suit_lines(hand: Sequence[Domino]) -> list[list[str]]:
    """The suits (``0-0 3 6``: all dominoes with the same lower pip), as lists of those that share a line.

    Longer suits are placed first, each on the first line with room for it, so that few lines are needed; then lines and
    the suits on them are sorted by lower pip.
    """
    suits: dict[int, str] = {}
    for low, high in hand:
        suits[low] = f"{suits[low]} {high}" if low in suits else f"{low}-{high}"
    lines: list[list[str]] = []
    for suit in sorted(suits.values(), key=TEXT.width, reverse=True):
        line = next((line for line in lines if TEXT.width(SUIT_SEPARATOR.join([*line, suit])) <= RIGHT), None)
        if line is None:
            lines.append([suit])
        else:
            line.append(suit)
    order = list(suits.values())
    return sorted((sorted(line, key=order.index) for line in lines), key=lambda line: order.index(line[0]))
