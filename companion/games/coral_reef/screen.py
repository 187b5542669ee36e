"""The screen of Coral Reef: a row of tops with the stacks' numbers, hand sizes in the tabs, and the size of the deck.

Columns and rows are pixels of the panel, 128 × 64, from the upper left corner.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

from companion.games.api.move_input import ERASE_TEXT, Draft
from companion.games.api.screen import NamingScene, PeekScene, Scene
from companion.games.api.text import text
from companion.games.coral_reef.drafts import Marks, coral_word, printed_corals, unnamed_draw_draft, without_first_term
from companion.games.coral_reef.move_input import END_LABEL, MOVE_INPUT, possible_draw_labels
from companion.games.coral_reef.state import State
from companion.games.plain_screen import (
    PICK_PIECES_TEXT,
    PlainScreen,
    draw_naming_keys,
    draw_naming_line,
    excess_text,
    next_step_key,
)
from companion.languages import translate
from companion.panel import own_pieces, seat_tabs, widgets
from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import (
    BIG,
    MIDDLE,
    NAME,
    NAME_FACES,
    NUMBER_FACES,
    TEXT,
    Face,
    cut_text,
    fitting_face,
    with_cut_name,
    wrap_text,
)
from companion.panel.icons import icon_mask
from companion.panel.name_cutting import shorten_names_in
from companion.panel.widgets import KeyLabel

NO_CURSOR = -1
"""The cursor of a row that is shown without a picker."""
KEYS_LINES = {"cards": "0 = 10   B C D = J Q K", "tiles": text("type your tiles, 0 to 9")}
"""How corals are typed; of the cards only those whose key has another name."""
TOPS_ROW = 17
"""The upper row of the tops, which are 20 rows high."""
NUMBERS_ROW = 39
"""The upper row of the stacks' numbers. It leaves a dark row above and below the plate of the marked number."""
WORKING_COLUMN = 28
"""The first column of a draft's sum and verdict, right of one coral; more corals move it to the right."""
MAX_STACKS = 8
"""The most stacks there can be, since there are eight nines."""
DECK_LABEL = text("deck")
PLATE_MARGIN_COLUMNS = 2
"""The lit columns beside a coral on its plate: as wide as a stroke, so that a 7 or K stays readable."""
DECK_GAP_COLUMNS = 6
"""Columns between words and the size of the deck."""
LABEL_GAP_COLUMNS = 3
"""Columns between the label of the deck and the number after it."""
CLAIM_WORDS = ("draw", "pass")
"""The first words of drafts that place no coral."""
LABEL_COLUMNS = 19
"""The least columns for what up and down lead to, and for the gap right of it."""
MAX_LABEL_COLUMN = 72
"""The last first column of a sum and verdict at which there is still room for these labels."""
MAX_LARGE_COLUMNS = 72
"""The most columns of a draft in large type, 13 pixels high."""


class Screen(PlainScreen):
    """Draws the row of tops, with the size of the deck and the draft below it."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        view: State = scene.view
        marks = scene.draft.marks if scene.draft and isinstance(scene.draft.marks, Marks) else Marks()
        draw_tabs(canvas, scene)
        middles = _stack_columns(len(view.tops))
        _draw_tops(canvas, view.tops, middles)
        if marks.row:
            draw_coral_row(canvas, marks.row, marks.column, NUMBERS_ROW)
        elif scene.draft is None and scene.must_draw and scene.uses_buttons and view.deck:
            # The hand must draw, so the corals to pick from are shown at once.
            draw_coral_row(canvas, possible_draw_labels(view), NO_CURSOR, NUMBERS_ROW)
        else:
            _draw_stack_numbers(canvas, middles, marks.stack or _stack_at_first_arrow(scene))
        if scene.draft is None:
            _draw_at_rest(canvas, scene)
        elif marks.row:
            _draw_coral_picking(canvas, scene)
        elif scene.draft.text.startswith(CLAIM_WORDS):
            _draw_claim(canvas, scene, scene.draft)
        else:
            _draw_draft(canvas, scene, scene.draft, marks)

    def draw_naming(self, canvas: Canvas, scene: NamingScene) -> None:
        """A card back for each coral, with a dot if it is named.

        Picking by buttons shows the row of corals, so the other player is asked to look away.
        """
        widgets.draw_title(
            canvas, text("{who}'s hand", who=scene.player_name), figure=f"{len(scene.pieces)}/{scene.size}"
        )
        widgets.draw_card_backs(canvas, len(scene.pieces), scene.size, 18)
        other = cut_text(scene.look_away_text, TEXT, 126, canvas.names)
        corals = [printed_corals(coral, scene.options["form"]) for line in scene.rows for coral in line]
        line, column = scene.cursor or (0, 0)
        index = line * len(scene.rows[0]) + column
        if scene.cursor is not None:
            draw_coral_row(canvas, corals, index, 37)
            canvas.text(LEFT, 46, other)
        else:
            excess = excess_text(scene, "", 0) if scene.is_invalid else ""
            keys = PICK_PIECES_TEXT if scene.uses_buttons else KEYS_LINES[scene.options["form"]]
            draw_naming_line(canvas, 37, scene, scene.stray_key_text or excess or other)
            canvas.text(LEFT, 46, keys)
        draw_naming_keys(canvas, scene, "" if scene.cursor is None else corals[index])

    def draw_peek(self, canvas: Canvas, scene: PeekScene) -> None:
        """A hand coral by coral; if that needs more than two lines, a count under each rank."""
        view: State = scene.view
        corals = view.holdings[scene.seat - 1].pieces or ()
        widgets.draw_title(canvas, text("{who}'s hand", who=scene.player_name), figure=str(len(corals)))
        labels = [printed_corals(coral, view.form) for coral in corals]
        grid = own_pieces.largest_fitting_grid(labels)
        if not labels or (grid and grid.lines <= 2):  # A small hand is quicker to read coral by coral.
            own_pieces.draw_pieces(canvas, labels)
            return
        for line, y in zip(MOVE_INPUT.piece_rows("deal", scene.options), (17, 42), strict=True):
            for index, coral in enumerate(line):
                x = LEFT + 9 + index * (18 if len(line) > 5 else 26)
                canvas.text(x, y, printed_corals(coral, view.form), anchor="c")
                if number := corals.count(coral):
                    canvas.text(x, y + 8, str(number), MIDDLE, "c")
                else:
                    canvas.fill(x - 1, y + 14, x, y + 14)


SCREEN = Screen()


def draw_tabs(canvas: Canvas, scene: Scene) -> None:
    """Draw the players with the sizes of their hands. If a name needs the room, both tabs lose the icon of a hand."""
    seats = list(zip(scene.names, map(str, scene.view.sizes), strict=True))
    rooms = [60 - MIDDLE.width(size) - icon_mask("hand").width - 8 for _, size in seats]
    badge = "hand" if all(map(fitting_face, scene.names, repeat(NAME_FACES), rooms)) else ""
    seat_tabs.draw_tabs(canvas, [seat_tabs.SeatTab(name, size, badge) for name, size in seats], scene.seat_to_move)


def _draw_tops(canvas: Canvas, tops: tuple[int, ...], middles: list[int]) -> None:
    """Draw the tops in a row; the digits of a ten are close together.

    If two tens in the middle of eight stacks would touch, the second has a narrower 1.
    """
    tens_touch = len(tops) == MAX_STACKS and tops[MAX_STACKS // 2 - 1 : MAX_STACKS // 2 + 1] == (10, 10)
    for index, (x, top) in enumerate(zip(middles, tops, strict=True)):
        if tens_touch and index == MAX_STACKS // 2:
            canvas.text(x - 1, TOPS_ROW, "0", BIG)
            canvas.fill(x - 5, TOPS_ROW, x - 3, TOPS_ROW + 19)
            canvas.vline(x - 6, TOPS_ROW + 1, TOPS_ROW + 3)
        else:
            canvas.text(x, TOPS_ROW, str(top), BIG, "c", digit_gap=1)


def _stack_at_first_arrow(scene: Scene) -> int:
    """The stack that the first arrow begins at; 0 for none."""
    if not (scene.uses_buttons and scene.awaits_move) or scene.seat_to_move is None:
        return 0
    view: State = scene.view
    pick, tops = MOVE_INPUT.initial_pick(view), view.tops
    if pick.kind == "cannot" and not scene.claim_instructions:  # An open hand that has drawn is only to move if it can.
        return tops.index(max(tops)) + 1
    return pick.stack if pick.kind == "play" else 0


def _draw_stack_numbers(canvas: Canvas, middles: list[int], marked: int) -> None:
    """Draw the number of each stack under its top, that of the stack `marked` (0 for none) on a plate."""
    for stack, x in enumerate(middles, 1):
        if stack == marked:
            canvas.tag(x, NUMBERS_ROW, str(stack), "c", pad=1)
        else:
            canvas.text(x, NUMBERS_ROW, str(stack), TEXT, "c")


def _stack_columns(stacks: int) -> list[int]:
    """The middle columns of the stacks. Eight tens are one column too wide, so then the middle gap is one narrower."""
    if stacks == MAX_STACKS:
        return [8 + 16 * index - (index >= MAX_STACKS // 2) for index in range(MAX_STACKS)]
    pitch = {5: 25, 6: 21, 7: 18}.get(stacks, 30)
    return [63 - (stacks - 1) * pitch // 2 + index * pitch for index in range(stacks)]


# -- at rest ----------------------------------------------------------------------------------------------------


def _draw_at_rest(canvas: Canvas, scene: Scene) -> None:
    """Draw the last move and the deck.

    If the hand to move must draw, the line says so, and how, instead of the last move.
    """
    end = _draw_deck_size(canvas, scene)
    has_drawn = scene.last_move is not None and scene.last_move[0] == scene.seat_to_move
    # Long times have no room beside the deck.
    room = has_drawn or TEXT.width(scene.bottom_line) <= end + DECK_GAP_COLUMNS - 2 - LEFT + 1
    has_instructions = (
        has_drawn
        or scene.last_move is None
        or scene.bottom_line == translate(MOVE_INPUT.input_instructions(scene.view, scene.uses_buttons))
    )
    has_two_lines = (
        bool(scene.claim_instructions) and has_instructions and scene.claim_instructions != scene.bottom_line and room
    )
    if has_two_lines:
        above = scene.bottom_line or text(
            "{who} starts", who=cut_text(scene.player_name(scene.seat_to_move or 1), TEXT, 60, scene.names)
        )
        canvas.text(LEFT, widgets.STRIP_ROW, scene.claim_instructions if has_drawn else above)
        scene = scene if has_drawn else scene._replace(bottom_line=scene.claim_instructions)
    if scene.must_draw and (scene.clock or not scene.bottom_line):
        message = "draw a {piece}, ◂▸, OK" if scene.uses_buttons else "draw, type 0 {piece} #"
        draw_instructions = text(message, piece=coral_word(scene.view.form))
        if scene.clock:  # The times are on the line below, so the instructions stay.
            canvas.text(LEFT, widgets.STRIP_ROW, draw_instructions)
            _draw_bottom_line(canvas, scene, end, 1)
            return
        _draw_no_move(canvas, scene, end)
        canvas.text(LEFT, widgets.LAST_LINE_ROW, draw_instructions)
        return
    if scene.bottom_line:
        _draw_bottom_line(canvas, scene, end, 1 if has_two_lines else 2)
        return
    name = scene.player_name((scene.last_move or (scene.seat_to_move or 1, None))[0])
    template = (
        text("{who} {did}", who="{}", did=scene.last_move_texts.brief)
        if scene.last_move_texts
        else text("{who} starts", who="{}")
    )
    # Otherwise a move would be cut.
    if TEXT.width(translate(template).format(name[:4])) + LABEL_GAP_COLUMNS + TEXT.width(DECK_LABEL) <= end - LEFT + 1:
        end = _draw_deck_label(canvas, end)
    widgets.draw_verdict(canvas, with_cut_name(template, name, TEXT, end - LEFT + 1, scene.names), end=end)


def _draw_bottom_line(canvas: Canvas, scene: Scene, end: int, lines: int) -> None:
    """Draw ``scene.bottom_line`` up to column `end`.

    If it is too long, names are shortened first; then it takes two `lines`, with two clocks one above the other.
    """

    def fits(tried: str) -> bool:
        return TEXT.width(tried) <= end - LEFT + 1

    line = shorten_names_in(scene.bottom_line, scene.names, fits)
    if not fits(line) and lines > 1:
        *above, line = line.split("  ") if scene.clock else wrap_text(line, TEXT, end - LEFT + 1, 2)
        canvas.text(LEFT, widgets.STRIP_ROW, " ".join(above))
    # Nearer than that it would read as part of the label.
    if TEXT.width(line) + 2 * DECK_GAP_COLUMNS + TEXT.width(DECK_LABEL) <= end - LEFT + 1:
        end = _draw_deck_label(canvas, end)
    widgets.draw_verdict(canvas, line, end=end if fits(line) else end + DECK_GAP_COLUMNS - LABEL_GAP_COLUMNS)


def _draw_no_move(canvas: Canvas, scene: Scene, end: int) -> None:
    """Draw, above the last line, who has no move."""
    line = text("{who} can't move", who=scene.player_name(scene.seat_to_move or 1))
    canvas.text(LEFT, widgets.STRIP_ROW, cut_text(line, TEXT, end - LEFT, scene.names))


def _draw_deck_size(canvas: Canvas, scene: Scene) -> int:
    """Draw the size of the deck at the right; return the last column that words left of it may use."""
    end = _last_text_column(scene)
    return end - canvas.fitted_text(end, 50, str(scene.view.deck), NUMBER_FACES, 60, anchor="r") - DECK_GAP_COLUMNS


def _draw_deck_label(canvas: Canvas, end: int) -> int:
    """Draw `DECK_LABEL` left of the deck's size; `end` is from `_draw_deck_size`. Return the last free column."""
    end += DECK_GAP_COLUMNS - LABEL_GAP_COLUMNS  # The label is close to its number.
    return end - canvas.text(end, widgets.LAST_LINE_ROW, DECK_LABEL, TEXT, "r") - DECK_GAP_COLUMNS


def _last_text_column(scene: Scene) -> int:
    """The last column for words, left of the sign of a missing device if that is shown."""
    return RIGHT - 8 if scene.is_device_missing else RIGHT


# -- while entering ---------------------------------------------------------------------------------------------


def _draw_coral_picking(canvas: Canvas, scene: Scene) -> None:
    """Draw who must look away while a drawn coral is picked.

    Above that is the line of `_draw_at_rest`, or the question.
    """
    words = scene.look_away_text
    end = _last_text_column(scene)
    if TEXT.width(words) + DECK_GAP_COLUMNS + NUMBER_FACES[0].width(str(scene.view.deck)) <= end - LEFT:
        end = _draw_deck_size(canvas, scene)
    if scene.must_draw:
        _draw_no_move(canvas, scene, end)
    else:
        canvas.text(LEFT, widgets.STRIP_ROW, cut_text(unnamed_draw_draft(scene.view).message, TEXT, end - LEFT))
    widgets.draw_verdict(canvas, words, end=end)


def _draw_claim(canvas: Canvas, scene: Scene, draft: Draft) -> None:
    """Draw a draw or a pass as a sentence. If the hand must draw, the line above is that of `_draw_at_rest`."""
    # The same as while a coral is picked.
    end = _last_text_column(scene) if scene.uses_buttons else _draw_deck_size(canvas, scene)
    if scene.must_draw and not draft.working:
        _draw_no_move(canvas, scene, end)
    else:
        canvas.text(LEFT, widgets.STRIP_ROW, draft.working)
    mark, key = ("", None) if scene.bottom_line else (widgets.VERDICT_ICONS[draft.verdict], next_step_key(scene))
    widgets.draw_verdict(canvas, scene.bottom_line or draft.message, mark, end=end, key=key)


def _draw_draft(canvas: Canvas, scene: Scene, draft: Draft, marks: Marks) -> None:
    """Draw the draft at the left, its sum and verdict beside it, and the deck if there is still room.

    If it is too long for that, it is drawn in small type above its verdict (`_draw_long_draft`). A picked draft has no
    stack number, since the stack is marked above; so fewer pixels change from one stack to the next.
    """
    entered, cursor = draft.text.partition(":")[2] if marks.is_picked else draft.text, marks.cursor
    face = MIDDLE if MIDDLE.has_glyphs(entered) else NAME
    entered_width = face.width(entered.rstrip("_")) + 2 * PLATE_MARGIN_COLUMNS if cursor else face.width(entered)
    entered_width += (TEXT.width(translate(END_LABEL)) + 8) * marks.is_at_end
    x = max(WORKING_COLUMN, 2 + entered_width + 6)
    labels_width = (
        max(LABEL_COLUMNS, *(TEXT.width(choice) + LABEL_GAP_COLUMNS for choice in marks.up_down_labels))
        if marks.up_down_labels
        else 0
    )
    labels = marks.up_down_labels if x + labels_width <= MAX_LABEL_COLUMN else ()
    x += labels_width * bool(labels)
    room = _last_text_column(scene) - x + 1
    working, message = draft.working, draft.message
    mark, key = widgets.VERDICT_ICONS[draft.verdict], next_step_key(scene)
    if scene.bottom_line:
        lines = scene.bottom_line.split("  ") if scene.clock else wrap_text(scene.bottom_line, TEXT, room)
        mark, (working, message), key = "", ("", *lines)[-2:], None
    elif scene.last_move is None and draft.verdict == "more" and not (working or scene.uses_buttons):
        working = translate(ERASE_TEXT)
    message_width = TEXT.width(message) + _mark_columns(mark, key)
    fits = entered_width <= MAX_LARGE_COLUMNS and message_width <= room
    if not fits or (working and not _shortened_sum(working, room)):
        _draw_long_draft(canvas, scene, draft, marks)
        return
    _draw_entered(canvas, 2, 63 - face.capital_rows, entered, face, cursor=cursor)
    if marks.is_at_end:
        canvas.tag(entered_width, widgets.LAST_LINE_ROW, translate(END_LABEL), "r", pad=1)
    _draw_arrow_labels(canvas, 2 + entered_width + 3 + bool(cursor), labels)
    canvas.text(x, widgets.STRIP_ROW, _shortened_sum(working, room))
    widgets.draw_verdict(canvas, message, mark, x=x, key=key)
    deck_width = NUMBER_FACES[0].width(str(scene.view.deck)) + DECK_GAP_COLUMNS
    leaps_width = max(map(TEXT.width, marks.left_right_labels), default=0)
    if leaps_width and max(TEXT.width(working), message_width) + leaps_width + LABEL_GAP_COLUMNS <= room:
        _draw_arrow_labels(canvas, _last_text_column(scene) - leaps_width + 1, marks.left_right_labels)
    elif not marks.is_picked and max(TEXT.width(working), message_width) + deck_width <= room:
        # The verdict's length changes from pick to pick, so the deck would appear and disappear.
        end = _draw_deck_size(canvas, scene)
        if message_width + deck_width + TEXT.width(DECK_LABEL) + DECK_GAP_COLUMNS <= room:
            _draw_deck_label(canvas, end)


def _draw_arrow_labels(canvas: Canvas, x: int, choices: tuple[str, ...]) -> None:
    """Draw what two arrows of the picker lead to, one above the other."""
    for y, choice in zip((widgets.STRIP_ROW, widgets.LAST_LINE_ROW), choices, strict=False):
        canvas.text(x, y, choice)


def _mark_columns(mark: str, key: KeyLabel | None) -> int:
    """The columns before a verdict: for its mark, or for a key and what it leads to."""
    if key is not None:
        return icon_mask(widgets.OK_ICONS[key[0]]).width + TEXT.width(key[1]) + 3 * widgets.LABEL_GAP_COLUMNS
    return 11 * bool(mark)


def _draw_long_draft(canvas: Canvas, scene: Scene, draft: Draft, marks: Marks) -> None:
    """Draw the draft above its verdict, and the sum at the right of the shorter of the two."""
    end = _last_text_column(scene)
    entered = _shortened_entry(draft.text)
    mark = "" if scene.bottom_line else widgets.VERDICT_ICONS[draft.verdict]
    if marks.cursor:  # There is no room for a plate between the lines.
        entered = _shortened_entry(f"{draft.text.rstrip('_').removesuffix(marks.cursor)}[{marks.cursor}]")
    wide = canvas.text(LEFT, widgets.STRIP_ROW, entered)
    if marks.is_at_end:
        wide += DECK_GAP_COLUMNS + canvas.tag(
            LEFT + wide + DECK_GAP_COLUMNS, widgets.STRIP_ROW, translate(END_LABEL), pad=1
        )
    key = None if scene.bottom_line else next_step_key(scene)
    widgets.draw_verdict(canvas, scene.bottom_line or draft.message, mark, end=end, key=key)
    if scene.bottom_line:
        return
    above = end - wide - 10
    below = end - _mark_columns(mark, key) - TEXT.width(draft.message) - 10
    y = widgets.STRIP_ROW if above > below else widgets.LAST_LINE_ROW
    canvas.text(end, y, _shortened_sum(draft.working, max(above, below)), anchor="r")


def _draw_entered(canvas: Canvas, x: int, y: int, entered: str, face: Face, *, cursor: str) -> None:
    """Draw what is entered. The last coral, under the `cursor`, is on a plate, and then there is no underscore."""
    if not cursor:
        canvas.text(x, y, entered, face)
        return
    width_before = canvas.text(x, y, entered.rstrip("_").removesuffix(cursor), face)
    x = x + width_before + PLATE_MARGIN_COLUMNS + 1 if width_before else LEFT + PLATE_MARGIN_COLUMNS
    canvas.fill_rounded_box(
        x - PLATE_MARGIN_COLUMNS, y - PLATE_MARGIN_COLUMNS, x + face.width(cursor) + PLATE_MARGIN_COLUMNS - 1, 63
    )
    canvas.text(x, y, cursor, face, inverse=True)


def _shortened_sum(working: str, room: int) -> str:
    """A sum without as many first terms as needed to fit `room` columns; "" if even its result does not fit."""
    while TEXT.width(working) > room:
        shorter = without_first_term(working)
        if shorter == working or " = " not in working:
            return ""  # Not even the result fits, or there is no sum to shorten.
        working = shorter
    return working


def _shortened_entry(entered: str) -> str:
    """What is entered in at most 126 columns: the stack and all corals, or as many of the last ones as fit."""
    stack, _, corals = entered.partition(":")
    face, dots = TEXT, ""
    while face.width(f"{stack}:{dots}{corals}") > 126:
        corals, dots = corals[1:], "…"
    return f"{stack}:{dots}{corals}" if corals else entered


# -- a hand ---------------------------------------------------------------------------------------------------------


def draw_coral_row(canvas: Canvas, corals: Sequence[str], cursor: int, y: int) -> None:
    """Draw corals from edge to edge with equal gaps at row `y`, the one at index `cursor` inverse."""
    widths = [TEXT.width(coral) for coral in corals]
    gap = (RIGHT - LEFT + 1 - sum(widths)) / len(corals)
    for index, coral in enumerate(corals):
        x = LEFT + round(sum(widths[:index]) + gap * (index + 0.5))
        if index == cursor:
            canvas.tag(x - 1, y, coral, pad=1)
        else:
            canvas.text(x, y, coral)
