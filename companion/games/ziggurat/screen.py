"""The screen of Ziggurat: the map with top pips and heights; beside it the seats, the level and the draft.

The 7 to 45 dominoes of a hand are named without being shown; a hand is shown to its owner alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.move_input import ERASE_TEXT, PRESS_HASH_TEXT, Draft
from companion.games.api.screen import NamingScene, PeekScene, Scene
from companion.games.api.text import text
from companion.games.plain_screen import (
    PICK_PIECES_TEXT,
    PlainScreen,
    draw_naming_keys,
    draw_naming_line,
    excess_text,
    next_step_key,
)
from companion.games.ziggurat import rules
from companion.games.ziggurat.drafts import Marks
from companion.games.ziggurat.map_drawing import (
    COLUMNS_OF_SET,
    TWO_DIGIT_PIP,
    draw_column_letters,
    draw_map,
    map_layout,
)
from companion.games.ziggurat.pieces import Domino
from companion.games.ziggurat.state import State
from companion.languages import translate
from companion.panel import own_pieces, seat_tabs, widgets
from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import MIDDLE, NARROW, TEXT, cut_text, fits_lines, wrap_text
from companion.panel.icons import icon_mask

PIP_KEYS_TEXT = text("type two pips each")
"""How dominoes are typed."""
HIGH_PIP_KEYS_TEXT = "A B C = 10 11 12"
"""How the pips above 9 are typed."""
PANEL_LINES = 8
"""The number of text lines that the panel holds."""
SUIT_SEPARATOR = "   "
"""What is between two suits on a line."""
SEATS_COLUMNS = {top: columns.seats_column for top, columns in COLUMNS_OF_SET.items()}
"""The highest pip of the set → the first pixel column of the seats beside the map."""
WAY_KEYS = (("A", "up"), ("B", "short-right"), ("C", "down"), ("D", "short-left"))
LINE_ROWS = (40, widgets.STRIP_ROW, widgets.LAST_LINE_ROW)
"""The top pixel rows of the three lines beside the map, each within a page of the panel."""
SENTENCE_ROWS = (38, 47, widgets.LAST_LINE_ROW)
"""The top pixel rows of a sentence beside the map."""
DOMINO_ROW = 33
"""The top pixel row of the entered domino, which replaces the first line."""

ARROWS_COLUMNS = 12
"""The width in columns of the four arrows, two by two."""


class Screen(PlainScreen):
    """Draws the map with top pips and heights, the seats, the level and the draft."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        state: State = scene.view
        draft = scene.draft
        marks = draft.marks if draft is not None and isinstance(draft.marks, Marks) else Marks("")
        layout = map_layout(state, marks)
        draw_map(canvas, state, layout, marks, is_forbidden=draft is not None and draft.verdict == "no")
        draw_column_letters(canvas, layout, marks, with_keys=not scene.uses_buttons)
        _draw_seats(canvas, scene)
        x, end = words_column(state), RIGHT - 8 if scene.is_device_missing else RIGHT
        bottom_line = scene.bottom_line if not scene.clock else ""
        _draw_domino(canvas, scene, marks)
        if marks.way_keys:
            if bottom_line:
                canvas.text(x, LINE_ROWS[1], text("which?"))
            draw_way_keys(canvas, x, marks.way_keys)
        elif bottom_line:
            _draw_sentence(canvas, bottom_line, x, end, 2 if draft else 3)
        elif draft is not None and scene.clock:
            for y, line in zip(LINE_ROWS[1:], _clock_lines(scene, end - x + 1), strict=True):
                canvas.text(x, y, line)
        elif draft is not None:
            _draw_verdict(canvas, scene, draft, marks, end)
        else:
            _draw_at_rest(canvas, scene, x, end)

    def draw_naming(self, canvas: Canvas, scene: NamingScene) -> None:
        """A mark for each named domino, never its pips. With a row to pick from, the other players must look away."""
        widgets.draw_title(
            canvas, text("{who}'s hand", who=scene.player_name), figure=f"{len(scene.pieces)}/{scene.size}"
        )
        keys = (
            PICK_PIECES_TEXT
            if scene.uses_buttons
            else HIGH_PIP_KEYS_TEXT
            if scene.options["set"] == "12"
            else PIP_KEYS_TEXT
        )
        widgets.draw_card_backs(canvas, len(scene.pieces), scene.size, 17)
        others = cut_text(scene.look_away_text, TEXT, RIGHT - LEFT + 1, canvas.names)
        missing = scene.missing_count
        repeat_text = (
            text("domino {number} named twice", number=scene.repeated_number)
            if scene.repeated_number and missing >= 0
            else ""
        )
        if scene.cursor is not None:
            row, column = scene.cursor
            _draw_domino_row(canvas, scene.rows[row], column, 37)
            canvas.text(LEFT, 46, repeat_text or others)
        else:
            partial_text = text("the other half?") if scene.partial_piece else ""
            said = others if missing > 0 else text("complete") if scene.is_complete else excess_text(scene, "", 0)
            draw_naming_line(canvas, 37, scene, scene.stray_key_text or partial_text or repeat_text or said)
            canvas.text(LEFT, 46, keys if missing > 0 else "")
        draw_naming_keys(canvas, scene)

    def draw_peek(self, canvas: Canvas, scene: PeekScene) -> None:
        """A hand domino by domino; a large one suit by suit, with a small title if a line is left for it.

        A hand that is too large even for that, which hardly ever happens, is wrapped like text.
        """
        view: State = scene.view
        hand = sorted(view.hands[scene.seat - 1].pieces or ())
        title = text("{who}'s hand", who=scene.player_name)
        if own_pieces.draw_pieces(canvas, list(map(str, hand))):
            widgets.draw_title(canvas, title, figure=str(len(hand)))
            return
        lines = list(map(SUIT_SEPARATOR.join, _suit_lines(hand)))
        if len(lines) > PANEL_LINES or any(TEXT.width(line) > RIGHT for line in lines):
            lines = wrap_text(scene.pieces_text, TEXT, RIGHT, PANEL_LINES)
        has_title = len(lines) < PANEL_LINES
        if has_title:
            size = str(len(hand))
            canvas.text(LEFT, 0, cut_text(title, TEXT, RIGHT - TEXT.width(size) - 8, canvas.names))
            canvas.text(RIGHT, 0, size, TEXT, "r")
        pitch = 9 if len(lines) < PANEL_LINES - 1 else 8
        for index, line in enumerate(lines, has_title):
            canvas.text(LEFT, pitch * index, line)


SCREEN = Screen()


# -- beside the map ---------------------------------------------------------------------------------------------


def _draw_seats(canvas: Canvas, scene: Scene) -> None:
    """Draw the seats: two tabs, or a list of four, in small letters above a sentence.

    While one of four players enters a move, only that player's tab is drawn.
    """
    state: State = scene.view
    x = SEATS_COLUMNS[state.highest_pip]
    tabs = [seat_tabs.SeatTab(name, str(score)) for name, score in zip(scene.names, state.scores, strict=True)]
    is_list = len(tabs) > 2 and scene.draft is None
    has_small_numbers = any((NARROW if is_list else MIDDLE).width(tab.value) > RIGHT - x - 26 for tab in tabs)
    if is_list and scene.bottom_line and not scene.clock:
        _draw_small_list(canvas, tabs, scene.seat_to_move, x)
    elif is_list or len(tabs) == 2:
        seat_tabs.draw_seat_list(
            canvas, tabs, scene.seat_to_move, x, pitch=11 if is_list else 17, has_small_numbers=has_small_numbers
        )
    else:
        seat = scene.seat_to_move or 1
        seat_tabs.draw_seat_list(
            canvas, [tabs[seat - 1]], seat, x, first_seat=seat, has_small_numbers=has_small_numbers
        )


def _draw_small_list(canvas: Canvas, tabs: Sequence[seat_tabs.SeatTab], seat_to_move: int | None, x: int) -> None:
    """Draw the seats nine rows each, which leaves room for three lines."""
    for seat, tab in enumerate(tabs, 1):
        y, inverse = 9 * (seat - 1), seat == seat_to_move
        if inverse:
            canvas.fill_rounded_box(x, y, RIGHT, y + 8)
        end = RIGHT - 4 - canvas.text(RIGHT - 3, y + 1, tab.value, anchor="r", inverse=inverse)
        canvas.fitted_text(x + 3, y + 1, tab.name, (TEXT,), end - x - 5, inverse=inverse)


def words_column(state: State) -> int:
    """The first pixel column of the words beside the map. Beside the wider map it is closer to the edge of the tabs."""
    return SEATS_COLUMNS[state.highest_pip] + (2 if state.highest_pip < TWO_DIGIT_PIP else 1)


def _level_text(state: State, room: int) -> str:
    """The level being built: ``base``, ``level 2``; "" while the table is empty, or if a language has no room."""
    if not state.played_dominoes:
        return ""
    level_text = text("base") if state.level == 1 else text("level {level}", level=state.level)
    return level_text if TEXT.width(level_text) <= room else ""


def _draw_sentence(canvas: Canvas, sentence: str, x: int, end: int, lines: int) -> None:
    """Write a sentence beside the map, or over the whole last line if it needs more than `lines` lines there."""
    if not fits_lines(sentence, TEXT, end - x + 1, lines):
        sentence = sentence.replace("/", "/ ")  # The two times may then be on two lines.
    if not fits_lines(sentence, TEXT, end - x + 1, lines):
        canvas.clear(LEFT, widgets.LAST_LINE_ROW - 1, RIGHT, 63)
        widgets.draw_verdict(canvas, sentence, end=end)
        return
    lines_to_draw = wrap_text(sentence, TEXT, end - x + 1, lines)
    for y, line in zip(SENTENCE_ROWS[-len(lines_to_draw) :], lines_to_draw, strict=True):
        canvas.text(x, y, line)


def _draw_at_rest(canvas: Canvas, scene: Scene, x: int, end: int) -> None:
    """Draw the squares of the last domino, the level, and the domino with its points; with a clock its times.

    - If domino and points need two lines, the squares are left out; with four seats, which leave room for two lines,
      the level is left out.
    - When a level begins, the level comes last, and a line that explains the mark of free squares replaces the squares.
    """
    state: State = scene.view
    level = _level_text(state, end - x + 1)
    if scene.last_move is None or scene.view_before is None or scene.last_move_texts is None:
        lines = [
            "",
            cut_text(scene.player_name(scene.seat_to_move or 1), TEXT, end - x + 1, scene.names),
            text("starts"),
        ]
    else:
        domino, _, cells = scene.last_move_texts.short.partition(" ")
        points = f"+{rules.score_of_play(scene.view_before, scene.last_move[1]).points}"
        if scene.view_before.level < state.level:
            cells = text("now on ▴")
            if TEXT.width(cells) > end - x + 1:
                cells = text("on ▴{height}", height=state.level - 1)
        lines = [cells, level, f"{domino} {points}"]
        is_wide = TEXT.width(lines[2]) > end - x + 1
        if is_wide:
            lines = [domino, level if len(scene.names) == 2 else domino, points]
        # The points belong to the level before, so they come before the new level.
        if scene.view_before.level < state.level:
            new_level = f"→ {level}" if TEXT.width(f"→ {level}") <= end - x + 1 else level
            lower_lines = [cells, level] if len(scene.names) == 2 else [f"{domino} {points}", new_level]
            lines = [domino, points, new_level] if is_wide else [f"{domino} {points}", *lower_lines]
    if scene.clock:
        lines = [text("starts") if scene.last_move is None else lines[1], *_clock_lines(scene, end - x + 1)]
    for y, line in zip(LINE_ROWS[len(scene.names) > 2 :], lines[len(scene.names) > 2 :], strict=True):
        canvas.text(x, y, line)


def _clock_lines(scene: Scene, room: int) -> list[str]:
    """The two times of the clock as two lines; with four players both on the second line, if there is room."""
    first, *second = scene.clock
    if len(scene.names) > 2:
        both = "/".join(scene.clock)
        return ["", both if TEXT.width(both) <= room else first]
    if not scene.counts_down:
        return [first, text("sum {time}", time=second[0])]
    names = [cut_text(name, TEXT, room - TEXT.width(f" {time}"), scene.names)
             for name, time in zip(scene.names, scene.clock, strict=True)]  # fmt: skip
    return [f"{name} {time}" if len(name) > 1 else time for name, time in zip(names, scene.clock, strict=True)]


def _draw_domino(canvas: Canvas, scene: Scene, marks: Marks) -> None:
    """Draw the entered domino 13 pixels high, and the typed square beside it, or below it until there is a verdict."""
    if scene.draft is None:
        return
    x = words_column(scene.view)
    domino, _, cells = scene.draft.text.partition(" ")
    cell = "" if marks.is_picked else cells[:2]
    domino_columns = canvas.fitted_text(x, DOMINO_ROW, domino, widgets.DRAFT_FACES, RIGHT - x + 1)
    if x + domino_columns + 3 + TEXT.width(cell) <= RIGHT + 1:
        canvas.text(x + domino_columns + 3, DOMINO_ROW, cell)
    elif scene.draft.verdict == "more" and not scene.bottom_line:
        canvas.text(x, LINE_ROWS[1], cell)
    if marks.can_turn and x + domino_columns + 3 + ARROWS_COLUMNS <= RIGHT + 1:
        for row, arrows in enumerate((("more-up", "more-down"), ("left", "right"))):
            for column, arrow in enumerate(arrows):
                canvas.icon(x + domino_columns + 4 + 6 * column, DOMINO_ROW + 1 + 7 * row, arrow)


def _draw_verdict(canvas: Canvas, scene: Scene, draft: Draft, marks: Marks, end: int) -> None:
    """Draw what is asked for; otherwise in two lines what the draft does, or why it is illegal.

    The level keeps its line while dominoes are picked, and squares for which the way is not chosen yet. What OK does is
    shown if a play is picked, or if it scores nothing.
    """
    x = words_column(scene.view)
    is_about_keys = draft.message in (translate(PRESS_HASH_TEXT), translate(ERASE_TEXT))
    *above, last = wrap_text(draft.message, TEXT, end - x + 1, 2) if is_about_keys else marks.short_lines
    shows_key = marks.is_picked or not last
    play_key = widgets.key_label(scene.uses_buttons, text("play")) if shows_key and draft.verdict == "ok" else None
    if above and draft.verdict != "more":  # While the way is not chosen, there are no points to show.
        widgets.draw_verdict(canvas, above[0], widgets.VERDICT_ICONS[draft.verdict], x=x, y=LINE_ROWS[1], end=end)
    elif marks.next_key == "pip" or (marks.is_picked and draft.verdict != "ok"):
        canvas.text(x, LINE_ROWS[1], text("turned") if marks.has_turned else _level_text(scene.view, end - x + 1))
    if key := next_step_key(scene) or play_key:
        widgets.draw_verdict(canvas, "", x=x, key=key)
    elif TEXT.width(last) <= end - x + 1:
        mark = widgets.VERDICT_ICONS[draft.verdict] if (last,) == marks.short_lines else ""
        widgets.draw_verdict(canvas, last, mark, x=x, end=end)


def draw_way_keys(canvas: Canvas, x: int, keys: str) -> None:
    """Draw the keys of the directions in `keys`, each with its arrow, from pixel column `x` on, or further left."""
    x = min(x, RIGHT + 2 - 12 * len(keys))
    for key, arrow in WAY_KEYS:
        if key in keys:
            canvas.text(x, widgets.LAST_LINE_ROW, key)
            canvas.icon(x + 6, widgets.LAST_LINE_ROW + (icon_mask("up").height - icon_mask(arrow).height) // 2, arrow)
            x += 12


# -- a hand ---------------------------------------------------------------------------------------------------------


def _draw_domino_row(canvas: Canvas, dominoes: Sequence[str], cursor: int, y: int) -> None:
    """Draw as many dominoes of a row as fit, from two before index `cursor` on, the one at `cursor` inverse."""
    x = LEFT + 2
    for index in range(max(0, min(cursor - 2, len(dominoes) - 4)), len(dominoes)):
        width = TEXT.width(dominoes[index])
        if x + width + 1 > RIGHT:
            break
        if index == cursor:
            canvas.tag(x - 2, y, dominoes[index])
        else:
            canvas.text(x, y, dominoes[index])
        x += width + 7


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
