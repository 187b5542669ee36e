"""The screen of Coral Reef: a row of tops with the stacks' numbers, the deck, and the draft's sum in words.

Columns and rows are pixels of the panel, 128 × 64, from the upper left corner.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.games.api.screen import NamingScene, PeekScene, Scene
from companion.games.api.text import text
from companion.games.coral_reef.drafts import CARD_KEYS_TEXT, Marks, printed_corals, without_first_term
from companion.games.coral_reef.move_input import MOVE_INPUT
from companion.games.coral_reef.state import State
from companion.games.plain_screen import (
    PICK_PIECES_TEXT,
    PlainScreen,
    draw_last_line,
    draw_naming_keys,
    draw_naming_line,
    excess_text,
)
from companion.languages import join_texts, translate
from companion.panel import own_pieces, seat_tabs, widgets
from companion.panel.canvas import LEFT, LINE_COLUMNS, RIGHT, Canvas
from companion.panel.fonts import BIG, CONDENSED, MIDDLE, TEXT, WORD_FACES, fits_width
from companion.panel.widgets import DETAIL_ROW

TYPE_NUMBERS_TEXT = text("type corals, 0 to 9")
TOPS_ROW = 17
"""The upper row of the tops, which are 20 rows high."""
DECK_TEXT = text("deck")
DECK_GAP_COLUMNS, DECK_NUMBER_ROW = 4, 26
"""The columns left of the deck, and the upper row of the number below its label."""
PLATE_MARGIN_COLUMNS = 3
"""The lit columns beside the top of the draft's stack."""
CORAL_ROWS = (17, 29)
"""The upper rows of the two lines of corals from which one is picked."""
KEYS_ROW = 28
"""The upper row of the line on how corals are named."""


class Screen(PlainScreen):
    """Draws the row of tops and the deck, below them the stacks' numbers or the draft in words."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        view: State = scene.view
        marks = scene.draft.marks if scene.draft and isinstance(scene.draft.marks, Marks) else Marks()
        if marks.row:
            widgets.draw_title(canvas, text("Which did you draw?"), line=False)
            _draw_corals(canvas, marks.row, marks.column)
        else:
            tabs = list(map(seat_tabs.SeatTab, scene.names, map(str, view.sizes)))
            seat_tabs.draw_tabs(canvas, tabs, scene.seat_to_move)
            _draw_tops(canvas, view.tops, marks)
            canvas.text(RIGHT, TOPS_ROW - 1, DECK_TEXT, anchor="r")
            canvas.text(RIGHT, DECK_NUMBER_ROW, str(view.deck), MIDDLE, "r")
        if detail := _detail(scene, marks):
            widgets.draw_detail(canvas, _sum_that_fits(detail))
        else:
            start = _start_of_picker(scene)
            for stack, x in enumerate(_middle_columns(len(view.tops)), 1):
                canvas.tag(x, DETAIL_ROW, str(stack), "c", lit=stack == start)
        draw_last_line(canvas, scene, _last_move_line(scene), says_why=scene.draft is not None and bool(marks.row))

    def draw_naming(self, canvas: Canvas, scene: NamingScene) -> None:
        """A card back for each coral, or the corals to pick from; below that the other player is asked to look away."""
        named = text("{number} of {size}", number=len(scene.pieces), size=scene.size)
        _draw_hand_title(canvas, scene.player_name, named)
        picked = ""
        if scene.cursor is None:
            widgets.draw_card_backs(canvas, len(scene.pieces), scene.size, TOPS_ROW, card_rows=10)
            keys = CARD_KEYS_TEXT if scene.options["form"] == "cards" else TYPE_NUMBERS_TEXT
            widgets.draw_detail(canvas, PICK_PIECES_TEXT if scene.uses_buttons else keys, y=KEYS_ROW)
        else:
            corals = [printed_corals(coral, scene.options["form"]) for line in scene.rows for coral in line]
            index = scene.cursor[0] * len(scene.rows[0]) + scene.cursor[1]
            picked = corals[index]
            _draw_corals(canvas, corals, index)
        excess = excess_text(scene, "", 0) if scene.is_invalid else ""
        draw_naming_line(canvas, scene, scene.stray_key_text or excess or scene.look_away_text)
        draw_naming_keys(canvas, scene, picked)

    def draw_peek(self, canvas: Canvas, scene: PeekScene) -> None:
        """A hand coral by coral; if that needs more than two lines, a count under each rank."""
        view: State = scene.view
        corals = view.holdings[scene.seat - 1].pieces or ()
        _draw_hand_title(canvas, scene.player_name, str(len(corals)))
        labels = [printed_corals(coral, view.form) for coral in corals]
        grid = own_pieces.largest_fitting_grid(labels)
        if not labels or (grid and grid.lines <= 2):  # A small hand is quicker to read coral by coral.
            own_pieces.draw_pieces(canvas, labels)
            return
        for line, y in zip(MOVE_INPUT.piece_rows("deal", scene.options), (17, 41), strict=True):
            for index, coral in enumerate(line):
                x = LEFT + 9 + index * (18 if len(line) > 5 else 26)
                canvas.text(x, y, printed_corals(coral, view.form), TEXT, anchor="c")
                if number := corals.count(coral):
                    canvas.text(x, y + 9, str(number), MIDDLE, "c")
                else:
                    canvas.fill(x - 1, y + 14, x, y + 14)


SCREEN = Screen()


def _draw_hand_title(canvas: Canvas, name: str, note: str) -> None:
    widgets.draw_title(canvas, text("{who}'s hand", who=name), note)


def _stack_columns(stacks: int) -> float:
    """The columns of a stack: all stacks together have what the deck leaves free."""
    return (LINE_COLUMNS - CONDENSED.width(DECK_TEXT) - DECK_GAP_COLUMNS) / stacks


def _middle_columns(stacks: int) -> list[int]:
    return [LEFT + int(_stack_columns(stacks) * (index + 0.5)) for index in range(stacks)]


def _start_of_picker(scene: Scene) -> int:
    """The stack from which the first arrow starts, so that nobody has to guess it; 0 with a keypad or for none."""
    if not (scene.uses_buttons and scene.awaits_move):
        return 0
    pick = MOVE_INPUT.initial_pick(scene.view)
    return pick.stack if pick.kind == "play" else 0


def _draw_tops(canvas: Canvas, tops: tuple[int, ...], marks: Marks) -> None:
    """Draw the tops in a row, that of the draft's stack on a plate. A ten has close digits.

    What a move would put on top, or begin a stack with, is in a dotted slot instead: it is not laid yet.
    """
    if marks.new_top:
        tops = (*tops[: marks.stack - 1], marks.new_top, *tops[marks.stack :])
    room = int(_stack_columns(len(tops)))
    for stack, (x, top) in enumerate(zip(_middle_columns(len(tops)), map(str, tops), strict=True), 1):
        faces = ((BIG, 1), (MIDDLE, 0), (CONDENSED, 1))
        face, gap = next(each for each in faces if each[0].width(top, each[1]) < room - 1 or each[0] is CONDENSED)
        wide = face.width(top, gap)
        left = x - wide // 2
        is_on_plate = stack == marks.stack and not marks.new_top
        if stack == marks.stack:
            margin = min(PLATE_MARGIN_COLUMNS, (room - wide) // 2)
            x0, x1 = max(LEFT, left - margin), left + wide + margin - 1
            if is_on_plate:
                canvas.fill_rounded_box(x0, TOPS_ROW - 1, x1, TOPS_ROW + 20)
            else:
                _draw_dotted_slot(canvas, x0, x1, has_sides=x0 < left - 1)
        y = TOPS_ROW + (BIG.capital_rows - face.capital_rows) // 2
        canvas.text(left, y, top, face, inverse=is_on_plate, digit_gap=gap)


def _draw_dotted_slot(canvas: Canvas, x0: int, x1: int, *, has_sides: bool) -> None:
    canvas.dotted_line(x0, TOPS_ROW + 21, x1, TOPS_ROW + 21)
    for x in (x0, x1) if has_sides else ():
        canvas.dotted_line(x, TOPS_ROW + 1, x, TOPS_ROW + 21)


def _detail(scene: Scene, marks: Marks) -> str:
    """The line below the tops: the draft's sum with its verdict, or what is to be done; "" for the stacks' numbers."""
    draft = scene.draft
    if marks.row:
        return scene.look_away_text
    if draft is not None:
        if draft.verdict == "more" or not draft.message:
            return draft.working
        if not draft.working:
            return draft.message
        both = translate(join_texts((draft.working, draft.message), ", "))
        if fits_width(both, WORD_FACES[-1], LINE_COLUMNS):
            return both
        if draft.verdict == "ok":
            return draft.working
        return both if " = " in both else draft.message
    if not scene.must_draw:
        return ""
    return text("Nothing fits: press ▸.") if scene.uses_buttons else text("Nothing fits: type 0.")


def _sum_that_fits(words: str) -> str:
    """Words with a sum, which has blanks between its terms if there is room, or else loses its first terms.

    Of words without room even for ``… = 18`` only those behind the sum are left.
    """
    words = translate(words)
    spaced = re.sub(r"(?<=\d)([+-])(?=\d)", r" \1 ", words)
    if fits_width(spaced, WORD_FACES[0], LINE_COLUMNS):
        return spaced
    while " = " in words and not fits_width(words, WORD_FACES[-1], LINE_COLUMNS):
        shorter = without_first_term(words)
        if shorter == words:
            return words.partition(", ")[2] or words
        words = shorter
    return words


def _last_move_line(scene: Scene) -> str:
    """The last move in words; after a draw how to pass."""
    if scene.last_move is None or scene.last_move_texts is None:
        return text("{who} starts", who=scene.player_name(scene.seat_to_move or 1))
    if scene.view.has_drawn and scene.claim_instructions:
        return scene.claim_instructions
    seat, move = scene.last_move
    message = "{who}: {did}" if move.kind in ("play", "seed") else "{who} {did}"
    return text(message, who=scene.player_name(seat), did=scene.last_move_texts.brief)


def _draw_corals(canvas: Canvas, corals: Sequence[str], chosen: int) -> None:
    """Draw corals in two lines, the one at the index `chosen` inverse."""
    across = -(-len(corals) // 2)
    pitch = LINE_COLUMNS // across
    for index, coral in enumerate(corals):
        line, column = divmod(index, across)
        canvas.tag(LEFT + pitch * column + pitch // 2, CORAL_ROWS[line], coral, "c", lit=index == chosen)
