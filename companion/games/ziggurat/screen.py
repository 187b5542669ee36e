"""The screen of Ziggurat: the map with top pips and heights; beside it the seats, the level and the draft.

The 7 to 45 dominoes of a hand are named without being shown; a hand is shown to its owner alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.entry import ERASE, PRESS, Draft
from companion.games.api.screen import NamingScene, PeekScene, Scene
from companion.games.api.text import text
from companion.games.plain import PICKED, PlainScreen, goes_on, naming_keys, naming_line, stray, too_many
from companion.games.ziggurat import rules
from companion.games.ziggurat.judging import Marks
from companion.games.ziggurat.map import COLUMNS, TWO_DIGITS_FROM, labels, layout
from companion.games.ziggurat.map import draw as draw_map
from companion.games.ziggurat.pieces import Domino
from companion.games.ziggurat.state import State
from companion.languages import translate
from companion.panel import parts, pieces, seat_tabs
from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import MIDDLE, NARROW, TEXT, cut_text, wrap_text, fits_lines
from companion.panel.icons import icon_mask

KEYS = text("type two pips each")
"""How dominoes are typed."""
HIGH_KEYS = "A B C = 10 11 12"
"""How the pips above 9 are typed."""
HIGH = 8
"""The number of text lines that the panel holds."""
SEPARATOR = "   "
"""What is between two suits on a line."""
SIDES = {top: columns.side for top, columns in COLUMNS.items()}
"""The highest pip of the set → the first pixel column of the seats beside the map."""
WAY_KEYS = (("A", "up"), ("B", "short-right"), ("C", "down"), ("D", "short-left"))
LINES = (40, parts.STRIP_ROW, parts.LAST_LINE_ROW)
"""The top pixel rows of the three lines beside the map, each within a page of the panel."""
PROSE = (38, 47, parts.LAST_LINE_ROW)
"""The top pixel rows of a sentence beside the map."""
ENTRY = 33
"""The top pixel row of the entered domino, which replaces the first line."""

TURNS = 12
"""The width in columns of the four arrows, two by two."""


class Screen(PlainScreen):
    """The screen of Ziggurat."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        state: State = scene.view
        draft = scene.draft
        marks = draft.marks if draft is not None and isinstance(draft.marks, Marks) else Marks("")
        plan = layout(state, marks)
        draw_map(canvas, state, plan, marks, forbidden=draft is not None and draft.verdict == "no")
        labels(canvas, plan, marks, keys=not scene.buttons)
        _seats(canvas, scene)
        x, end = margin(state), RIGHT - 8 if scene.device_missing else RIGHT
        words = scene.say if not scene.clock else ""
        _domino(canvas, scene, marks)
        if marks.ways:
            if words:
                canvas.text(x, LINES[1], text("which?"))
            ways(canvas, x, marks.ways)
        elif words:
            _say(canvas, words, x, end, 2 if draft else 3)
        elif draft is not None and scene.clock:
            for y, line in zip(LINES[1:], _times(scene, end - x + 1), strict=True):
                canvas.text(x, y, line)
        elif draft is not None:
            _verdict(canvas, scene, draft, marks, end)
        else:
            _rest(canvas, scene, x, end)

    def naming(self, canvas: Canvas, scene: NamingScene) -> None:
        """A mark for each named domino, never its pips. With a row to pick from, the other players must look away."""
        parts.draw_title(canvas, text("{who}'s hand", who=scene.name), figure=f"{len(scene.pieces)}/{scene.size}")
        keys = PICKED if scene.buttons else HIGH_KEYS if scene.options["set"] == "12" else KEYS
        parts.draw_card_backs(canvas, len(scene.pieces), scene.size, 17)
        others = cut_text(scene.away, TEXT, RIGHT - LEFT + 1, canvas.names)
        missing = scene.missing
        twice = text("domino {number} named twice", number=scene.twice) if scene.twice and missing >= 0 else ""
        if scene.cursor is not None:
            row, column = scene.cursor
            _row(canvas, scene.rows[row], column, 37)
            canvas.text(LEFT, 46, twice or others)
        else:
            begun = text("the other half?") if scene.begun else ""
            said = others if missing > 0 else text("complete") if scene.whole else too_many(scene, "", 0)
            naming_line(canvas, 37, scene, stray(scene) or begun or twice or said)
            canvas.text(LEFT, 46, keys if missing > 0 else "")
        naming_keys(canvas, scene)

    def peek(self, canvas: Canvas, scene: PeekScene) -> None:
        """A hand domino by domino; a large one suit by suit, with a small title if a line is left for it.

        A hand that is too large even for that, which hardly ever happens, is wrapped like text.
        """
        view: State = scene.view
        hand = sorted(view.hands[scene.seat - 1].pieces or ())
        title = text("{who}'s hand", who=scene.name)
        if pieces.draw_pieces(canvas, list(map(str, hand))):
            parts.draw_title(canvas, title, figure=str(len(hand)))
            return
        lines = list(map(SEPARATOR.join, _suits(hand)))
        if len(lines) > HIGH or any(TEXT.width(line) > RIGHT for line in lines):
            lines = wrap_text(scene.words, TEXT, RIGHT, HIGH)
        titled = len(lines) < HIGH
        if titled:
            size = str(len(hand))
            canvas.text(LEFT, 0, cut_text(title, TEXT, RIGHT - TEXT.width(size) - 8, canvas.names))
            canvas.text(RIGHT, 0, size, TEXT, "r")
        pitch = 9 if len(lines) < HIGH - 1 else 8
        for index, line in enumerate(lines, titled):
            canvas.text(LEFT, pitch * index, line)


SCREEN = Screen()


# -- beside the map ---------------------------------------------------------------------------------------------


def _seats(canvas: Canvas, scene: Scene) -> None:
    """Draw the seats: two tabs, or a list of four, in small letters above a sentence.

    While one of four players enters a move, only that player's tab is drawn.
    """
    state: State = scene.view
    x = SIDES[state.top]
    tabs = [seat_tabs.SeatTab(name, str(score)) for name, score in zip(scene.names, state.scores, strict=True)]
    listed = len(tabs) > 2 and scene.draft is None
    small = any((NARROW if listed else MIDDLE).width(tab.value) > RIGHT - x - 26 for tab in tabs)
    if listed and scene.say and not scene.clock:
        _small_list(canvas, tabs, scene.turn, x)
    elif listed or len(tabs) == 2:
        seat_tabs.draw_seat_list(canvas, tabs, scene.turn, x, pitch=11 if listed else 17, has_small_numbers=small)
    else:
        seat_tabs.draw_seat_list(canvas, [tabs[(scene.turn or 1) - 1]], 1, x, has_small_numbers=small)


def _small_list(canvas: Canvas, tabs: Sequence[seat_tabs.SeatTab], turn: int | None, x: int) -> None:
    """Draw the seats nine rows each, which leaves room for three lines."""
    for seat, tab in enumerate(tabs, 1):
        y, inverse = 9 * (seat - 1), seat == turn
        if inverse:
            canvas.plate(x, y, RIGHT, y + 8)
        end = RIGHT - 4 - canvas.text(RIGHT - 3, y + 1, tab.value, anchor="r", inverse=inverse)
        canvas.fitted_text(x + 3, y + 1, tab.name, (TEXT,), end - x - 5, inverse=inverse)


def margin(state: State) -> int:
    """The first pixel column of the words beside the map. Beside the wider map it is closer to the edge of the tabs."""
    return SIDES[state.top] + (2 if state.top < TWO_DIGITS_FROM else 1)


def _level(state: State, room: int) -> str:
    """The level being built: ``base``, ``level 2``; "" while the table is empty, or if a language has no room."""
    if not state.played:
        return ""
    told = text("base") if state.level == 1 else text("level {level}", level=state.level)
    return told if TEXT.width(told) <= room else ""


def _say(canvas: Canvas, words: str, x: int, end: int, lines: int) -> None:
    """Write a sentence beside the map, or over the whole last line if it needs more than `lines` lines there."""
    if not fits_lines(words, TEXT, end - x + 1, lines):
        words = words.replace("/", "/ ")  # The two times may then be on two lines.
    if not fits_lines(words, TEXT, end - x + 1, lines):
        canvas.clear(LEFT, parts.LAST_LINE_ROW - 1, RIGHT, 63)
        parts.draw_verdict(canvas, words, end=end)
        return
    told = wrap_text(words, TEXT, end - x + 1, lines)
    for y, line in zip(PROSE[-len(told) :], told, strict=True):
        canvas.text(x, y, line)


def _rest(canvas: Canvas, scene: Scene, x: int, end: int) -> None:
    """Draw the squares of the last domino, the level, and the domino with its points; with a clock its times.

    - If domino and points need two lines, the squares are left out; with four seats, which leave room for two lines,
      the
      level is left out.
    - When a level begins, the level comes last, and a line that explains the mark of free squares replaces the squares.
    """
    state: State = scene.view
    level = _level(state, end - x + 1)
    if scene.last is None or scene.before is None or scene.told is None:
        lines = ["", cut_text(scene.name(scene.turn or 1), TEXT, end - x + 1, scene.names), text("starts")]
    else:
        domino, _, cells = scene.told.short.partition(" ")
        points = f"+{rules.effect(scene.before, scene.last[1]).points}"
        if scene.before.level < state.level:
            cells = text("now on ▴")
            if TEXT.width(cells) > end - x + 1:
                cells = text("on ▴{height}", height=state.level - 1)
        lines = [cells, level, f"{domino} {points}"]
        wide = TEXT.width(lines[2]) > end - x + 1
        if wide:
            lines = [domino, level if len(scene.names) == 2 else domino, points]
        # The points belong to the level before, so they come before the new level.
        if scene.before.level < state.level:
            begun = f"→ {level}" if TEXT.width(f"→ {level}") <= end - x + 1 else level
            two = [cells, level] if len(scene.names) == 2 else [f"{domino} {points}", begun]
            lines = [domino, points, begun] if wide else [f"{domino} {points}", *two]
    if scene.clock:
        lines = [text("starts") if scene.last is None else lines[1], *_times(scene, end - x + 1)]
    for y, line in zip(LINES[len(scene.names) > 2 :], lines[len(scene.names) > 2 :], strict=True):
        canvas.text(x, y, line)


def _times(scene: Scene, room: int) -> list[str]:
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


def _domino(canvas: Canvas, scene: Scene, marks: Marks) -> None:
    """Draw the entered domino 13 pixels high, and the typed square beside it, or below it until there is a verdict."""
    if scene.draft is None:
        return
    x = margin(scene.view)
    domino, _, cells = scene.draft.text.partition(" ")
    cell = "" if marks.picked else cells[:2]
    wide = canvas.fitted_text(x, ENTRY, domino, parts.DRAFT_FACES, RIGHT - x + 1)
    if x + wide + 3 + TEXT.width(cell) <= RIGHT + 1:
        canvas.text(x + wide + 3, ENTRY, cell)
    elif scene.draft.verdict == "more" and not scene.say:
        canvas.text(x, LINES[1], cell)
    if marks.turns and x + wide + 3 + TURNS <= RIGHT + 1:
        for row, arrows in enumerate((("more-up", "more-down"), ("left", "right"))):
            for column, arrow in enumerate(arrows):
                canvas.icon(x + wide + 4 + 6 * column, ENTRY + 1 + 7 * row, arrow)


def _verdict(canvas: Canvas, scene: Scene, draft: Draft, marks: Marks, end: int) -> None:
    """Draw what is asked for; otherwise in two lines what the draft does, or why it is illegal.

    The level keeps its line while dominoes are picked, and squares for which the way is not chosen yet. What OK does is
    shown if a play is picked, or if it scores nothing.
    """
    x = margin(scene.view)
    about_keys = draft.says in (translate(PRESS), translate(ERASE))
    *above, last = wrap_text(draft.says, TEXT, end - x + 1, 2) if about_keys else marks.lines
    plain = marks.picked or not last
    plays = parts.key_label(scene.buttons, text("play")) if plain and draft.verdict == "ok" else None
    if above and draft.verdict != "more":  # While the way is not chosen, there are no points to show.
        parts.draw_verdict(canvas, above[0], parts.VERDICT_ICONS[draft.verdict], x=x, y=LINES[1], end=end)
    elif marks.asks == "pip" or (marks.picked and draft.verdict != "ok"):
        canvas.text(x, LINES[1], text("turned") if marks.fitted else _level(scene.view, end - x + 1))
    if key := goes_on(scene) or plays:
        parts.draw_verdict(canvas, "", x=x, key=key)
    elif TEXT.width(last) <= end - x + 1:
        mark = parts.VERDICT_ICONS[draft.verdict] if (last,) == marks.lines else ""
        parts.draw_verdict(canvas, last, mark, x=x, end=end)


def ways(canvas: Canvas, x: int, keys: str) -> None:
    """Draw the keys of the directions in `keys`, each with its arrow, from pixel column `x` on, or further left."""
    x = min(x, RIGHT + 2 - 12 * len(keys))
    for key, arrow in WAY_KEYS:
        if key in keys:
            canvas.text(x, parts.LAST_LINE_ROW, key)
            canvas.icon(x + 6, parts.LAST_LINE_ROW + (icon_mask("up").height - icon_mask(arrow).height) // 2, arrow)
            x += 12


# -- a hand ---------------------------------------------------------------------------------------------------------


def _row(canvas: Canvas, dominoes: Sequence[str], cursor: int, y: int) -> None:
    """Draw as many dominoes of a row as fit, from two before index `cursor` on, the one at `cursor` inverse."""
    x = LEFT + 2
    for index in range(max(0, min(cursor - 2, len(dominoes) - 4)), len(dominoes)):
        wide = TEXT.width(dominoes[index])
        if x + wide + 1 > RIGHT:
            break
        if index == cursor:
            canvas.tag(x - 2, y, dominoes[index])
        else:
            canvas.text(x, y, dominoes[index])
        x += wide + 7


def _suits(hand: Sequence[Domino]) -> list[list[str]]:
    """The suits (``0-0 3 6``: all dominoes with the same lower pip), as lists of those that share a line.

    Longer suits are placed first, each on the first line with room for it, so that few lines are needed; then lines and
    the suits on them are sorted by lower pip.
    """
    suits: dict[int, str] = {}
    for low, high in hand:
        suits[low] = f"{suits[low]} {high}" if low in suits else f"{low}-{high}"
    lines: list[list[str]] = []
    for suit in sorted(suits.values(), key=TEXT.width, reverse=True):
        line = next((line for line in lines if TEXT.width(SEPARATOR.join([*line, suit])) <= RIGHT), None)
        if line is None:
            lines.append([suit])
        else:
            line.append(suit)
    order = list(suits.values())
    return sorted((sorted(line, key=order.index) for line in lines), key=lambda line: order.index(line[0]))
