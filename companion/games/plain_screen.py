"""The screen for a game that has none of its own: it shows everything in words.

The second half has what the screens of all games share.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.game_texts import MoveTexts
from companion.games.api.move_input import Draft
from companion.games.api.screen import PAGE_ROWS, NamingScene, PageScene, PeekScene, Scene, Screen
from companion.languages import text
from companion.panel import seat_tabs, widgets
from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import MIDDLE, NAME, TEXT, cut_text, fit_text, fits_lines, with_cut_name, wrap_text
from companion.panel.widgets import KeyLabel

TOP_ROW, LINE_ROWS = 18, 15
"""The first row of the position's lines."""
MIN_NAME_LETTERS = 5
"""A name is shortened to no fewer letters than this before other words are left out."""
TABBED_SEATS = 2
"""With this number of seats each has a tab; with more seats all share one line."""


class PlainScreen(Screen):
    """Draws a game in words. The screen of a game may inherit from this class and replace only some methods."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        counted = [str(count) for count in scene.result_counts]
        tabs = [seat_tabs.SeatTab(name, count) for name, count in zip(scene.names, counted, strict=True)]
        if len(tabs) == TABBED_SEATS:
            seat_tabs.draw_tabs(canvas, tabs, scene.seat_to_move)
        else:
            widgets.draw_title(canvas, scene.player_name(scene.seat_to_move or 1), " : ".join(counted))
        for index, line in enumerate(scene.position_lines[:2]):
            canvas.fitted_text(64, TOP_ROW + LINE_ROWS * index, line, (MIDDLE, NAME, TEXT), RIGHT - LEFT, anchor="c")
        if scene.draft is not None:
            _draw_draft(canvas, scene, scene.draft)
        elif scene.bottom_line or scene.last_move is None or scene.last_move_texts is None:
            draw_bottom_line(canvas, scene, text("{who} starts", who=scene.player_name(scene.seat_to_move or 1)))
        else:
            draw_bottom_line(
                canvas, scene, _last_move_line(scene, scene.player_name(scene.last_move[0]), scene.last_move_texts)
            )

    def draw_naming(self, canvas: Canvas, scene: NamingScene) -> None:
        title = text("{who}'s {pieces}", who=scene.player_name, pieces=scene.noun)
        widgets.draw_title(canvas, title, figure=f"{len(scene.pieces)}/{scene.size}")
        if scene.is_hidden:
            widgets.draw_card_backs(canvas, len(scene.pieces), scene.size, TOP_ROW - 1, card_rows=16)
        else:
            for index, line in enumerate(wrap_text(" ".join(piece or "•" for piece in scene.pieces), TEXT, 124, 2)):
                canvas.text(2, TOP_ROW + 9 * index, line)
        draw_naming_line(
            canvas, 42 if scene.cursor is None else 46, scene, scene.stray_key_text or _naming_status(scene)
        )
        if scene.cursor is not None:
            _draw_picker(canvas, scene.rows[scene.cursor[0]], scene.cursor[1])
        draw_naming_keys(canvas, scene)

    def draw_peek(self, canvas: Canvas, scene: PeekScene) -> None:
        widgets.draw_title(canvas, text("{who}'s pieces", who=scene.player_name))
        for index, line in enumerate(wrap_text(scene.pieces_text, TEXT, 126, 5)):
            canvas.text(LEFT, 19 + index * 9, line)

    def draw_page(self, canvas: Canvas, scene: PageScene) -> None:
        widgets.draw_title(canvas, scene.title)
        for index, line in enumerate(
            scene.lines[scene.page_index * PAGE_ROWS : scene.page_index * PAGE_ROWS + PAGE_ROWS]
        ):
            canvas.text(LEFT, 19 + index * 9, cut_text(line.replace("\t", "  "), TEXT, RIGHT - LEFT + 1))
        widgets.draw_footer(canvas, widgets.key_label(scene.uses_buttons, text("back")))
        pages = max(0, len(scene.lines) - 1) // PAGE_ROWS + 1
        if pages > 1:
            canvas.text(RIGHT, widgets.LAST_LINE_ROW, f"{scene.page_index + 1}/{pages}", TEXT, "r")


PLAIN_SCREEN = PlainScreen()
"""The screen of every game that has none of its own."""


def _last_move_line(scene: Scene, name: str, move_texts: MoveTexts) -> str:
    """The last move with the player's name; only its short form if the line has no room for the rest."""
    room = RIGHT - LEFT
    shortest = name if len(name) <= MIN_NAME_LETTERS else f"{name[: MIN_NAME_LETTERS - 1]}…"
    has_room = TEXT.width(f"{shortest}: {move_texts.brief}") <= room
    return with_cut_name(f"{{}}: {move_texts.brief if has_room else move_texts.short}", name, TEXT, room, scene.names)


def _draw_draft(canvas: Canvas, scene: Scene, draft: Draft) -> None:
    """Draw the draft with its working and verdict.

    `Scene.bottom_line` replaces these two, above a long draft if necessary.
    """
    bottom_line = scene.bottom_line
    if not bottom_line:
        mark = widgets.VERDICT_ICONS[draft.verdict]
        widgets.draw_draft_strip(canvas, draft.text, draft.working, draft.message, mark, key=next_step_key(scene))
        return
    font, shown_text = fit_text(draft.text, widgets.DRAFT_FACES, widgets.MAX_DRAFT_COLUMNS)
    room = RIGHT + 1 - max(widgets.WORKING_COLUMN, font.width(shown_text) + widgets.DRAFT_GAP_COLUMNS)
    if fits_lines(bottom_line, TEXT, room, 2):
        widgets.draw_draft_strip(canvas, draft.text, *("", *wrap_text(bottom_line, TEXT, room))[-2:])
    else:
        canvas.text(LEFT, widgets.STRIP_ROW, cut_text(draft.text, TEXT, RIGHT - LEFT + 1))
        widgets.draw_verdict(canvas, bottom_line)


def _naming_status(scene: NamingScene) -> str:
    """How many pieces are still to be named; while pieces are hidden, who must look away."""
    if scene.partial_piece:
        return text("piece not complete yet") if scene.is_hidden else f"{scene.partial_piece}_"
    if scene.is_invalid:
        return excess_text(scene, *(scene.excess or ("", 0)))
    if scene.is_hidden and scene.cursor is None and scene.look_away_text:
        return scene.look_away_text
    return text("{number} more to name", number=scene.missing_count) if scene.missing_count else text("complete")


def _draw_picker(canvas: Canvas, pieces: Sequence[str], column: int) -> None:
    """Draw the row of pieces under the cursor. The piece that OK adds is inverse and near the middle."""
    x = LEFT
    for index in range(max(0, min(column - 3, len(pieces) - 7)), len(pieces)):
        if x + TEXT.width(pieces[index]) + 3 > RIGHT:
            break
        x += canvas.tag(x, 36, pieces[index]) + 4 if index == column else canvas.text(x, 36, pieces[index]) + 6


# -- what screens share -----------------------------------------------------------------------------------------


def draw_bottom_line(canvas: Canvas, scene: Scene, line_at_rest: str) -> None:
    """Draw the last line for a game whose own drawing reaches down to it: the verdict of a draft, or `line_at_rest`."""
    if scene.draft is not None and not scene.bottom_line:
        widgets.draw_verdict(
            canvas, scene.draft.message, widgets.VERDICT_ICONS[scene.draft.verdict], key=next_step_key(scene)
        )
    else:
        widgets.draw_verdict(canvas, scene.bottom_line or line_at_rest)


def next_step_key(scene: Scene) -> KeyLabel | None:
    """OK and what it leads to, where it does not play the draft yet. This replaces the tick."""
    draft = scene.draft
    return widgets.key_label(scene.uses_buttons, draft.next_step) if draft is not None and draft.next_step else None


PICK_PIECES_TEXT = text("arrows choose, OK adds")
"""How pieces are named with the six buttons."""


def draw_naming_line(canvas: Canvas, y: int, scene: NamingScene, message: str) -> None:
    """Draw a line about the pieces that are named; it has a cross while these pieces are invalid."""
    widgets.draw_verdict(canvas, message, "cross" if scene.is_invalid and message != scene.stray_key_text else "", y=y)


def draw_naming_keys(canvas: Canvas, scene: NamingScene, piece: str = "") -> None:
    """Draw what the keys do while pieces are named; with buttons also that the arrows move over the pieces.

    `piece` is the piece that OK adds, for a picker that then moves on to another piece by itself.
    """
    back_key = widgets.key_label(
        scene.uses_buttons, text("undo") if scene.pieces or scene.partial_piece else text("menu"), "BACK"
    )
    ok_key = naming_ok_key(scene)
    if piece and ok_key is not None and ok_key[1] == text("add"):
        ok_key = widgets.key_label(scene.uses_buttons, text("add {piece}", piece=piece))
    widgets.draw_footer(canvas, ok_key, back_key)
    if scene.uses_buttons and scene.rows:
        arrows = ("more-left", "more-up", "more-down", "more-right")
        widgets.draw_arrow_keys(canvas, "", "", arrows if len(scene.rows) > 1 else arrows[::3])


def naming_ok_key(scene: NamingScene) -> KeyLabel | None:
    """What OK does while pieces are named; None while there is nothing that OK could add or finish."""
    if scene.replaces_last and not scene.partial_piece:
        return widgets.key_label(scene.uses_buttons, text("replace last"))
    if scene.was_refused and not scene.missing_count:
        return widgets.key_label(scene.uses_buttons, text("fix it"))
    if scene.is_complete:
        return widgets.key_label(scene.uses_buttons, text("done"))
    return (
        widgets.key_label(scene.uses_buttons, text("add"))
        if scene.cursor is not None and scene.missing_count > 0
        else None
    )


def excess_text(scene: NamingScene, piece: str, available: int) -> str:
    """What is wrong with the pieces: there are too many in all, or more of one piece than there are left.

    `piece` is written as the game writes it, and `available` is how many of it are left.
    """
    if scene.missing_count < 0:
        return text("{number} too many", number=-scene.missing_count)
    if piece:
        return text("{piece}: only {spare} left" if available else "{piece}: none left", piece=piece, spare=available)
    return text("too many of one kind")
