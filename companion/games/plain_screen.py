"""The screen for a game that has none of its own: it shows everything in words.

The second half has what the screens of all games share.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.game_texts import MoveTexts
from companion.games.api.screen import PAGE_ROWS, NamingScene, PageScene, PeekScene, Scene, Screen
from companion.languages import text
from companion.panel import seat_tabs, widgets
from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import CONDENSED, TEXT, WORD_FACES, cut_text, with_cut_name
from companion.panel.widgets import KeyLabel

TOP_ROW, LINE_ROWS = 17, 11
"""The first row of the position's lines."""
MIN_NAME_LETTERS = 5
"""A name is shortened to no fewer letters than this before other words are left out."""
TABBED_SEATS = 2
"""With this number of seats each has a large tab; with more seats all have small ones."""


class PlainScreen(Screen):
    """Draws a game in words. The screen of a game may inherit from this class and replace only some methods."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        counted = [str(count) for count in scene.result_counts]
        tabs = [seat_tabs.SeatTab(name, count) for name, count in zip(scene.names, counted, strict=True)]
        if len(tabs) == TABBED_SEATS:
            seat_tabs.draw_tabs(canvas, tabs, scene.seat_to_move)
        else:
            seat_tabs.draw_small_tabs(canvas, tabs, scene.seat_to_move)
        top = TOP_ROW + (len(tabs) > seat_tabs.SMALL_TABS_IN_ROW)
        for index, line in enumerate(scene.position_lines[:2]):
            canvas.fitted_text(64, top + LINE_ROWS * index, line, WORD_FACES, RIGHT - LEFT, anchor="c")
        if scene.draft is not None:
            widgets.draw_detail(canvas, "  ".join(filter(None, (scene.draft.text, scene.draft.working))))
            draw_last_line(canvas, scene, "")
        elif scene.last_move is None or scene.last_move_texts is None:
            draw_last_line(canvas, scene, text("{who} starts", who=scene.player_name(scene.seat_to_move or 1)))
        else:
            draw_last_line(
                canvas, scene, _last_move_line(scene, scene.player_name(scene.last_move[0]), scene.last_move_texts)
            )

    def draw_naming(self, canvas: Canvas, scene: NamingScene) -> None:
        title = text("{who}'s {pieces}", who=scene.player_name, pieces=scene.noun)
        widgets.draw_title(canvas, title, f"{len(scene.pieces)}/{scene.size}")
        if scene.is_hidden and scene.cursor is None:
            widgets.draw_card_backs(canvas, len(scene.pieces), scene.size, TOP_ROW - 1, card_rows=10)
        elif not scene.is_hidden:
            widgets.draw_words(canvas, " ".join(piece or "•" for piece in scene.pieces), lines=1)
        if scene.cursor is not None:
            _draw_picker(canvas, scene.rows[scene.cursor[0]], scene.cursor[1], TOP_ROW + LINE_ROWS)
        draw_naming_line(canvas, scene, scene.stray_key_text or _naming_status(scene))
        draw_naming_keys(canvas, scene)

    def draw_peek(self, canvas: Canvas, scene: PeekScene) -> None:
        widgets.draw_title(canvas, text("{who}'s pieces", who=scene.player_name))
        widgets.draw_words(canvas, scene.pieces_text)

    def draw_page(self, canvas: Canvas, scene: PageScene) -> None:
        widgets.draw_title(canvas, scene.title)
        first = scene.page_index * PAGE_ROWS
        for index, line in enumerate(scene.lines[first : first + PAGE_ROWS]):
            y = widgets.WORDS_ROW - 1 + index * widgets.SMALL_LINE_PITCH
            canvas.text(LEFT, y, cut_text(line.replace("\t", "  "), TEXT, RIGHT - LEFT + 1), TEXT)
        pages = max(0, len(scene.lines) - 1) // PAGE_ROWS + 1
        back = widgets.key_label(scene.uses_buttons, text("back"))
        widgets.draw_footer(canvas, back, words=f"{scene.page_index + 1}/{pages}" if pages > 1 else "")


PLAIN_SCREEN = PlainScreen()
"""The screen of every game that has none of its own."""


def _last_move_line(scene: Scene, name: str, move_texts: MoveTexts) -> str:
    """The last move with the player's name; only its short form if the line has no room for the rest."""
    room = RIGHT - LEFT
    shortest = name if len(name) <= MIN_NAME_LETTERS else f"{name[: MIN_NAME_LETTERS - 1]}…"
    has_room = TEXT.width(f"{shortest}: {move_texts.brief}") <= room
    return with_cut_name(f"{{}}: {move_texts.brief if has_room else move_texts.short}", name, TEXT, room, scene.names)


def _naming_status(scene: NamingScene) -> str:
    """How many pieces are still to be named; while pieces are hidden, who must look away."""
    if scene.partial_piece:
        return text("piece not complete yet") if scene.is_hidden else f"{scene.partial_piece}_"
    if scene.excess is not None:
        return excess_text(scene, *scene.excess)
    if scene.is_hidden and scene.cursor is None and scene.look_away_text:
        return scene.look_away_text
    return text("{number} more to name", number=scene.missing_count) if scene.missing_count else text("complete")


def _draw_picker(canvas: Canvas, pieces: Sequence[str], column: int, y: int) -> None:
    """Draw the row of pieces under the cursor. The piece that OK adds is inverse and near the middle."""
    x = LEFT
    for index in range(max(0, min(column - 3, len(pieces) - 7)), len(pieces)):
        if x + CONDENSED.width(pieces[index]) + 3 > RIGHT:
            break
        x += canvas.tag(x, y, pieces[index]) + 4 if index == column else canvas.text(x, y, pieces[index]) + 6


# -- what screens share -----------------------------------------------------------------------------------------


def draw_last_line(
    canvas: Canvas,
    scene: Scene,
    at_rest: str | Sequence[str],
    *,
    says_why: bool = True,
    start: int = LEFT,
    other_key: KeyLabel | None = None,
) -> None:
    """Draw the last line of a position: what OK and BACK do, and between them words.

    With no draft the words are `at_rest`, such as the last move; of several the first that fit. With a draft they are
    its message, which is left out without `says_why` where OK does something: for a screen that has it elsewhere.
    `Scene.bottom_line` replaces both. The line begins on column `start`. An `other_key` is
    drawn in place of BACK.
    """
    draft, has_verdict = scene.draft, scene.draft is not None and scene.draft.verdict != "more"
    back_label = scene.back_label or (text("menu") if draft is None else text("undo"))
    back = widgets.key_label(scene.uses_buttons, back_label, "BACK")
    ok = None
    words = scene.bottom_line or (at_rest if draft is None else draft.message)
    if draft is not None and not scene.bottom_line and (has_verdict or draft.next_step):
        verb = draft.next_step or (text("play") if draft.verdict == "ok" else text("why?"))
        ok = widgets.key_label(scene.uses_buttons, verb)
        words = words if says_why else ""
    has_mark = draft is not None and ok and has_verdict and not (draft.is_conditional and draft.verdict == "ok")
    mark = widgets.VERDICT_ICONS[draft.verdict] if draft is not None and has_mark else ""
    widgets.draw_footer(
        canvas,
        ok,
        other_key or (None if scene.is_device_missing else back),
        words,
        mark,
        start=start,
        end=RIGHT - 8 if scene.is_device_missing else RIGHT,
    )


PICK_PIECES_TEXT = text("arrows choose, OK adds")
"""How pieces are named with the six buttons."""


def draw_naming_line(canvas: Canvas, scene: NamingScene, message: str, *, y: int = widgets.DETAIL_ROW) -> None:
    """Draw a line about the pieces that are named; it has a cross if it says what is wrong with them."""
    is_fault = scene.is_invalid and not scene.partial_piece
    mark = "cross" if is_fault and message not in (scene.stray_key_text, scene.look_away_text) else ""
    widgets.draw_detail(canvas, message, mark, y=y)


def draw_naming_keys(canvas: Canvas, scene: NamingScene, piece: str = "", words: str = "") -> None:
    """Draw what the keys do while pieces are named; with buttons also that the arrows move over the pieces.

    `piece` is the piece that OK adds. `words`, such as how a piece is typed, stand where OK does nothing.
    """
    back = text("undo") if scene.pieces or scene.partial_piece else text("menu")
    back_key = widgets.key_label(scene.uses_buttons, back, "BACK")
    ok_key = naming_ok_key(scene)
    if words and ok_key is not None and ok_key[1] == text("see them"):
        ok_key = None
    if piece and ok_key is not None and ok_key[1] == text("add"):
        ok_key = widgets.key_label(scene.uses_buttons, text("add {piece}", piece=piece))
    widgets.draw_footer(canvas, ok_key, back_key, "" if ok_key else words)
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
        return widgets.key_label(scene.uses_buttons, text("done, hold: look") if scene.can_hold_ok else text("done"))
    if scene.missing_count <= 0:
        return None
    if scene.cursor is not None:
        return widgets.key_label(scene.uses_buttons, text("add"))
    can_look = scene.is_hidden and scene.pieces and not scene.partial_piece
    return widgets.key_label(scene.uses_buttons, text("see them")) if can_look else None


def excess_text(scene: NamingScene, piece: str, available: int) -> str:
    """What is wrong with the pieces: more of one piece than there are left.

    `piece` is written as the game writes it, and `available` is how many of it are left.
    """
    if piece:
        return text("{piece}: only {spare} left" if available else "{piece}: none left", piece=piece, spare=available)
    return text("too many of one kind")
