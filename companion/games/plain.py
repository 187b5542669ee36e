"""The screen for a game that has none of its own: it shows everything in words.

The second half has what the screens of all games share.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.entry import Draft
from companion.games.api.screen import ROWS, NamingScene, PageScene, PeekScene, Scene, Screen
from companion.games.api.words import MoveWords
from companion.languages import text
from companion.panel import parts, seat_tabs
from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import MIDDLE, NAME, TEXT, cut_text, fit_text, with_cut_name, wrap_text, fits_lines
from companion.panel.parts import KeyLabel

TOP, LINE = 18, 15
"""The first row of the position's lines."""
SHORT = 5
"""A name is shortened to no fewer letters than this before other words are left out."""
SEATS = 2
"""With this number of seats each has a tab; with more seats all share one line."""


class PlainScreen(Screen):
    """Draws a game in words. The screen of a game may inherit from this class and replace only some methods."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        counted = [str(count) for count in scene.result_counts]
        tabs = [seat_tabs.SeatTab(name, count) for name, count in zip(scene.names, counted, strict=True)]
        if len(tabs) == SEATS:
            seat_tabs.draw_tabs(canvas, tabs, scene.turn)
        else:
            parts.draw_title(canvas, scene.name(scene.turn or 1), " : ".join(counted))
        for index, line in enumerate(scene.position_lines[:2]):
            canvas.fitted_text(64, TOP + LINE * index, line, (MIDDLE, NAME, TEXT), RIGHT - LEFT, anchor="c")
        if scene.draft is not None:
            _entry(canvas, scene, scene.draft)
        elif scene.say or scene.last is None or scene.told is None:
            strip(canvas, scene, text("{who} starts", who=scene.name(scene.turn or 1)))
        else:
            strip(canvas, scene, _last_move(scene, scene.name(scene.last[0]), scene.told))

    def naming(self, canvas: Canvas, scene: NamingScene) -> None:
        title = text("{who}'s {pieces}", who=scene.name, pieces=scene.noun)
        parts.draw_title(canvas, title, figure=f"{len(scene.pieces)}/{scene.size}")
        if scene.hidden:
            parts.draw_card_backs(canvas, len(scene.pieces), scene.size, TOP - 1, card_rows=16)
        else:
            for index, line in enumerate(wrap_text(" ".join(piece or "•" for piece in scene.pieces), TEXT, 124, 2)):
                canvas.text(2, TOP + 9 * index, line)
        naming_line(canvas, 42 if scene.cursor is None else 46, scene, stray(scene) or _says(scene))
        if scene.cursor is not None:
            _picker(canvas, scene.rows[scene.cursor[0]], scene.cursor[1])
        naming_keys(canvas, scene)

    def peek(self, canvas: Canvas, scene: PeekScene) -> None:
        parts.draw_title(canvas, text("{who}'s pieces", who=scene.name))
        for index, line in enumerate(wrap_text(scene.words, TEXT, 126, 5)):
            canvas.text(LEFT, 19 + index * 9, line)

    def page(self, canvas: Canvas, scene: PageScene) -> None:
        parts.draw_title(canvas, scene.title)
        for index, line in enumerate(scene.lines[scene.number * ROWS : scene.number * ROWS + ROWS]):
            canvas.text(LEFT, 19 + index * 9, cut_text(line.replace("\t", "  "), TEXT, RIGHT - LEFT + 1))
        parts.draw_footer(canvas, parts.key_label(scene.buttons, text("back")))
        pages = max(0, len(scene.lines) - 1) // ROWS + 1
        if pages > 1:
            canvas.text(RIGHT, parts.LAST_LINE_ROW, f"{scene.number + 1}/{pages}", TEXT, "r")


PLAIN = PlainScreen()
"""The screen of every game that has none of its own."""


def _last_move(scene: Scene, name: str, told: MoveWords) -> str:
    """The last move with the player's name; only its short form if the line has no room for the rest."""
    room = RIGHT - LEFT
    shortest = name if len(name) <= SHORT else f"{name[: SHORT - 1]}…"
    whole = TEXT.width(f"{shortest}: {told.brief}") <= room
    return with_cut_name(f"{{}}: {told.brief if whole else told.short}", name, TEXT, room, scene.names)


def _entry(canvas: Canvas, scene: Scene, draft: Draft) -> None:
    """Draw the draft with its working and verdict.

    `Scene.bottom_line` replaces these two, above a long draft if necessary.
    """
    say = scene.say
    if not say:
        mark = parts.VERDICT_ICONS[draft.verdict]
        parts.draw_draft_strip(canvas, draft.text, draft.working, draft.says, mark, key=goes_on(scene))
        return
    face, shown = fit_text(draft.text, parts.DRAFT_FACES, parts.MAX_DRAFT_COLUMNS)
    room = RIGHT + 1 - max(parts.WORKING_COLUMN, face.width(shown) + parts.DRAFT_GAP_COLUMNS)
    if fits_lines(say, TEXT, room, 2):
        parts.draw_draft_strip(canvas, draft.text, *("", *wrap_text(say, TEXT, room))[-2:])
    else:
        canvas.text(LEFT, parts.STRIP_ROW, cut_text(draft.text, TEXT, RIGHT - LEFT + 1))
        parts.draw_verdict(canvas, say)


def _says(scene: NamingScene) -> str:
    """How many pieces are still to be named; while pieces are hidden, who must look away."""
    if scene.begun:
        return text("piece not complete yet") if scene.hidden else f"{scene.begun}_"
    if scene.wrong:
        return too_many(scene, *(scene.excess or ("", 0)))
    if scene.hidden and scene.cursor is None and scene.away:
        return scene.away
    return text("{number} more to name", number=scene.missing) if scene.missing else text("complete")


def _picker(canvas: Canvas, pieces: Sequence[str], column: int) -> None:
    """Draw the row of pieces under the cursor. The piece that OK adds is inverse and near the middle."""
    x = LEFT
    for index in range(max(0, min(column - 3, len(pieces) - 7)), len(pieces)):
        if x + TEXT.width(pieces[index]) + 3 > RIGHT:
            break
        x += canvas.tag(x, 36, pieces[index]) + 4 if index == column else canvas.text(x, 36, pieces[index]) + 6


# -- what screens share -----------------------------------------------------------------------------------------


def strip(canvas: Canvas, scene: Scene, rest: str) -> None:
    """Draw the last line for a game whose own drawing reaches down to it: the verdict of a draft, or `line_at_rest`."""
    if scene.draft is not None and not scene.say:
        parts.draw_verdict(canvas, scene.draft.says, parts.VERDICT_ICONS[scene.draft.verdict], key=goes_on(scene))
    else:
        parts.draw_verdict(canvas, scene.say or rest)


def goes_on(scene: Scene) -> KeyLabel | None:
    """OK and what it leads to, where it does not play the draft yet. This replaces the tick."""
    draft = scene.draft
    return parts.key_label(scene.buttons, draft.goes_to) if draft is not None and draft.goes_to else None


PICKED = text("arrows choose, OK adds")
"""How pieces are named with the six buttons."""


def naming_line(canvas: Canvas, y: int, scene: NamingScene, words: str) -> None:
    """Draw a line about the pieces that are named; it has a cross while these pieces are invalid."""
    parts.draw_verdict(canvas, words, "cross" if scene.wrong and words != scene.stray else "", y=y)


def naming_keys(canvas: Canvas, scene: NamingScene, piece: str = "") -> None:
    """Draw what the keys do while pieces are named; with buttons also that the arrows move over the pieces.

    `piece` is the piece that OK adds, for a picker that then moves on to another piece by itself.
    """
    erases = parts.key_label(scene.buttons, text("undo") if scene.pieces or scene.begun else text("menu"), "BACK")
    ok = adding(scene)
    if piece and ok is not None and ok[1] == text("add"):
        ok = parts.key_label(scene.buttons, text("add {piece}", piece=piece))
    parts.draw_footer(canvas, ok, erases)
    if scene.buttons and scene.rows:
        arrows = ("more-left", "more-up", "more-down", "more-right")
        parts.draw_arrow_keys(canvas, "", "", arrows if len(scene.rows) > 1 else arrows[::3])


def adding(scene: NamingScene) -> KeyLabel | None:
    """What OK does while pieces are named; None while there is nothing that OK could add or finish."""
    if scene.replaces and not scene.begun:
        return parts.key_label(scene.buttons, text("replace last"))
    if scene.refused and not scene.missing:
        return parts.key_label(scene.buttons, text("fix it"))
    if scene.whole:
        return parts.key_label(scene.buttons, text("done"))
    return parts.key_label(scene.buttons, text("add")) if scene.cursor is not None and scene.missing > 0 else None


def too_many(scene: NamingScene, piece: str, spare: int) -> str:
    """What is wrong with the pieces: there are too many in all, or more of one piece than there are left.

    `piece` is written as the game writes it, and `available` is how many of it are left.
    """
    if scene.missing < 0:
        return text("{number} too many", number=-scene.missing)
    if piece:
        return text("{piece}: only {spare} left" if spare else "{piece}: none left", piece=piece, spare=spare)
    return text("too many of one kind")


def stray(scene: NamingScene) -> str:
    """The message about a key that means nothing while pieces are named; "" after any other key."""
    return scene.stray
