"""The screen of Ziggurat: the map with top pips and heights; beside it the seats, the level and the entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.text import text
from companion.games.ziggurat import rules
from companion.games.ziggurat.hands import HandScreen
from companion.games.ziggurat.judging import MATCH, Marks
from companion.games.ziggurat.map import COLUMNS, UNITS, Layout, labels, layout
from companion.games.ziggurat.map import draw as draw_map
from companion.games.ziggurat.state import State
from companion.panel import parts
from companion.panel.canvas import RIGHT
from companion.panel.fonts import MIDDLE, NAME, TEXT, cut
from companion.panel.icons import icon

if TYPE_CHECKING:
    from companion.game.entry import Draft
    from companion.game.screen import Scene
    from companion.panel.canvas import Canvas


SIDES = {top: columns.side for top, columns in COLUMNS.items()}
"""The highest pip of the set → the first pixel column of the seats beside the map."""
KEYS = (("A", "up"), ("B", "short-right"), ("C", "down"), ("D", "short-left"))
LEVELS = {6: 33, 9: 33, 12: parts.STRIP}
"""The highest pip of the set → the top pixel row of the level."""
SLOTS = {6: "no", 9: "no", 12: "12s"}
"""The highest pip of the set → the widest text before `MATCH` unless both halves score."""
WAYS = 50
"""Pixel columns that the four keys of directions need beside the labels; with fewer they replace the labels."""


class Screen(HandScreen):
    """The screen of Ziggurat."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        """Draw the table of Ziggurat."""
        state: State = scene.view
        draft = scene.draft
        marks = draft.marks if draft is not None and isinstance(draft.marks, Marks) else Marks("", typed=False)
        plan = layout(state, marks)
        draw_map(canvas, state, plan, marks, forbidden=draft is not None and draft.verdict == "no")
        _seats(canvas, scene)
        _last_page(canvas, scene, plan, marks)


SCREEN = Screen()


# -- beside the map ---------------------------------------------------------------------------------------------


def _seats(canvas: Canvas, scene: Scene) -> None:
    """Draw the seats: two tabs, or a list of four. While one of four enters, only its tab, and the entry under it."""
    state: State = scene.view
    x = SIDES[state.top]
    tabs = [parts.Tab(name, str(score)) for name, score in zip(scene.names, state.scores, strict=True)]
    listed = len(tabs) > 2 and scene.draft is None
    small = any((NAME if listed else MIDDLE).width(tab.value) > RIGHT - x - 26 for tab in tabs)
    if listed:
        parts.seat_list(canvas, tabs, scene.turn, x, pitch=12, small=small)
        return
    if len(tabs) == 2:
        parts.seat_list(canvas, tabs, scene.turn, x, pitch=17, small=small)
    else:
        parts.seat_list(canvas, [tabs[(scene.turn or 1) - 1]], 1, x, small=small)
    below = _level(state) if len(tabs) == 2 else ""
    if scene.draft is not None:
        _entry(canvas, scene, below)
        return
    level, domino = LEVELS[state.top], parts.STRIP
    if level == domino:
        level, domino = (40, level) if scene.clock else (level, 40)  # The two lines of the clock stay together.
    canvas.text(_margin(state), level, below)
    canvas.text(_margin(state), domino, _last_domino(scene))


def _margin(state: State) -> int:
    """The first pixel column of the words beside the map; closer to the edge of the tabs beside the wider map."""
    return SIDES[state.top] + (2 if state.top < UNITS else 1)


def _level(state: State) -> str:
    """The level being built: ``base``, ``level 2``; "" while the table is empty."""
    if not state.played:
        return ""
    return "base" if state.level == 1 else text("level {level}", level=state.level)


def _last_domino(scene: Scene) -> str:
    """With two players: the last domino, ``6-3``; before it who starts; with a clock its first time."""
    if scene.clock:
        return scene.clock[0]
    if scene.last is None:
        return cut(scene.name(scene.turn or 1), TEXT, RIGHT - _margin(scene.view) + 1, scene.names)
    return scene.told.short.partition(" ")[0] if scene.told else ""


def _rest(scene: Scene) -> str:
    """The last line without an entry: the last domino's cells and points, ``d4e4 +3``; of four players ``L3 d4e4``.

    With a clock, the second time of `Scene.clock`; of four players both times if there is room.
    """
    state: State = scene.view
    room = RIGHT - _margin(state) + 1 - (8 if scene.device_missing else 0)
    if scene.clock:
        both = "/".join(scene.clock)
        if len(scene.names) == 2:
            return scene.clock[1] if scene.counts_down else text("of {time}", time=scene.clock[1])
        return both if TEXT.width(both) <= room else scene.clock[0]
    if scene.last is None or scene.told is None:
        return "starts" if len(scene.names) == 2 else _level(state)
    cells = scene.told.short.partition(" ")[2]
    if len(scene.names) > 2:
        said = f"L{state.level} {cells}"
        return said if TEXT.width(said) <= room else f"L{state.level}"
    points = rules.effect(scene.before, scene.last[1]).points
    said = f"{cells} +{points}"
    return said if TEXT.width(said) <= room else f"{cells}+{points}"


def _entry(canvas: Canvas, scene: Scene, level: str) -> None:
    """Draw the entered domino 13 px high; beside it its cells, or what the picker's arrows do now.

    With the double-twelve set these are below the domino and replace the level, which else keeps its place.
    """
    draft = scene.draft
    assert draft is not None
    x = _margin(scene.view)
    domino, _, cells = draft.text.partition(" ")
    said = draft.working or cells
    if scene.view.top < UNITS:
        canvas.text(x, LEVELS[scene.view.top], level)
        canvas.fitted(x, 42, domino, parts.ENTRY, RIGHT - x + 1)
        canvas.text(RIGHT - max(0, TEXT.width("e5d5") - TEXT.width(said)), parts.STRIP, said, anchor="r")
    else:
        canvas.fitted(x, 33, domino, parts.ENTRY, RIGHT - x + 1)
        canvas.text(x, LEVELS[scene.view.top], said or level)


# -- the last page ----------------------------------------------------------------------------------------------


def _last_page(canvas: Canvas, scene: Scene, plan: Layout, marks: Marks) -> None:
    """Draw the last page: a verdict over the whole line; without one the column labels and what is asked for."""
    draft, x = scene.draft, _margin(scene.view)
    end = RIGHT - 8 if scene.device_missing else RIGHT
    said = scene.say if not scene.clock else ""
    if said and TEXT.width(said) > end - x + 1:
        parts.verdict(canvas, scene.say, end=end)
    elif draft is not None and draft.verdict != "more" and not said:
        _verdict(canvas, draft, SLOTS[scene.view.top], end)
    elif draft is not None and not said and marks.asks == "way" and end + 1 - SIDES[scene.view.top] < WAYS:
        _ways(canvas, 1, 20, marks.ways)
        canvas.text(x, parts.LAST, draft.says)
    else:
        labels(canvas, plan, marks, typed=_as_keys(draft, marks))
        if draft is not None and not said and marks.asks == "way":
            _ways(canvas, SIDES[scene.view.top], 13, marks.ways)
        else:
            parts.verdict(canvas, said or (draft.says if draft is not None else _rest(scene)), x=x, end=end)


def _verdict(canvas: Canvas, draft: Draft, slot: str, end: int) -> None:
    """Draw what the entry scores, or why it is illegal; points keep their place while the picker moves."""
    x = parts.verdict(canvas, "", parts.MARK[draft.verdict], end=end)
    pips, match, _ = draft.says.partition(MATCH)
    indent = TEXT.width(slot) - TEXT.width(pips) if match else 0
    parts.verdict(canvas, draft.says, x=x + max(0, indent), end=end)


def _as_keys(draft: Draft | None, marks: Marks) -> bool:
    """Whether the columns are labelled with keys: as soon as a column is asked for in a typed entry."""
    return draft is not None and marks.typed and marks.asks != "pip"


def _ways(canvas: Canvas, x: int, pitch: int, keys: str) -> None:
    """Draw the keys of the directions in `keys`, each with its arrow, from pixel column `x`, `pitch` columns apart."""
    for index, (key, arrow) in enumerate((key, arrow) for key, arrow in KEYS if key in keys):
        left = x + index * pitch
        left += canvas.text(left, parts.LAST, key) + 1
        canvas.icon(left, parts.LAST + (icon("up").height - icon(arrow).height) // 2, arrow)
