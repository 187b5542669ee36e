"""The screen of Coral Reef: a row of tops with the stacks' numbers, hand sizes in the tabs, and the size of the deck.

Columns and rows are pixels of the panel, 128 × 64, from the upper left corner.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

from companion.games.api.entry import ERASE, Draft
from companion.games.api.screen import NamingScene, PeekScene, Scene
from companion.games.api.text import text
from companion.games.coral_reef.drafts import Marks, draw_which, piece, shown, tail
from companion.games.coral_reef.entry import ENTRY, LAST, drawable
from companion.games.coral_reef.state import State
from companion.games.plain import PICKED, PlainScreen, goes_on, naming_keys, naming_line, stray, too_many
from companion.languages import translate
from companion.panel import parts, pieces, seat_tabs
from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import BIG, MIDDLE, NAME, NAME_FACES, NUMBER_FACES, TEXT, Face, cut_text, fitting_face, with_cut_name, wrap_text
from companion.panel.icons import icon_mask
from companion.panel.names import shorten_names_in
from companion.panel.parts import KeyLabel

NOWHERE = -1
"""The cursor of a row that is shown without a picker."""
KEYS = {"cards": "0 = 10   B C D = J Q K", "tiles": text("type your tiles, 0 to 9")}
"""How corals are typed; of the cards only those whose key has another name."""
TOPS = 17
"""The upper row of the tops, which are 20 rows high."""
NUMBER = 39
"""The upper row of the stacks' numbers. It leaves a dark row above and below the plate of the marked number."""
WORKING = 28
"""The first column of a draft's sum and verdict, right of one coral; more corals move it to the right."""
FULL = 8
"""The most stacks there can be, since there are eight nines."""
PILE = text("deck")
MARGIN = 2
"""The lit columns beside a coral on its plate: as wide as a stroke, so that a 7 or K stays readable."""
GAP = 6
"""Columns between words and the size of the deck."""
NEAR = 3
"""Columns between the label of the deck and the number after it."""
CLAIMS = ("draw", "pass")
"""The first words of drafts that place no coral."""
BESIDE = 19
"""The least columns for what up and down lead to, and for the gap right of it."""
MOST_BESIDE = 72
"""The last first column of a sum and verdict at which there is still room for these labels."""
PLENTY = 72
"""The most columns of a draft in large type, 13 pixels high."""


class Screen(PlainScreen):
    """The screen of Coral Reef."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        view: State = scene.view
        marks = scene.draft.marks if scene.draft and isinstance(scene.draft.marks, Marks) else Marks()
        tabs(canvas, scene)
        middles = _middles(len(view.tops))
        _tops(canvas, view.tops, middles)
        if marks.row:
            row(canvas, marks.row, marks.column, NUMBER)
        elif scene.draft is None and scene.forced and scene.buttons and view.pile:
            # The hand must draw, so the corals to pick from are shown at once.
            row(canvas, drawable(view), NOWHERE, NUMBER)
        else:
            _numbers(canvas, middles, marks.stack or _first_stack(scene))
        if scene.draft is None:
            _rest(canvas, scene)
        elif marks.row:
            _picking(canvas, scene)
        elif scene.draft.text.startswith(CLAIMS):
            _claim(canvas, scene, scene.draft)
        else:
            _entry(canvas, scene, scene.draft, marks)

    def naming(self, canvas: Canvas, scene: NamingScene) -> None:
        """A card back for each coral, with a dot if it is named.

        Picking by buttons shows the row of corals, so the other player is asked to look away.
        """
        parts.draw_title(canvas, text("{who}'s hand", who=scene.name), figure=f"{len(scene.pieces)}/{scene.size}")
        parts.draw_card_backs(canvas, len(scene.pieces), scene.size, 18)
        other = cut_text(scene.away, TEXT, 126, canvas.names)
        corals = [shown(coral, scene.options["form"]) for line in scene.rows for coral in line]
        line, column = scene.cursor or (0, 0)
        place = line * len(scene.rows[0]) + column
        if scene.cursor is not None:
            row(canvas, corals, place, 37)
            canvas.text(LEFT, 46, other)
        else:
            wrong = too_many(scene, "", 0) if scene.wrong else ""
            keys = PICKED if scene.buttons else KEYS[scene.options["form"]]
            naming_line(canvas, 37, scene, stray(scene) or wrong or other)
            canvas.text(LEFT, 46, keys)
        naming_keys(canvas, scene, "" if scene.cursor is None else corals[place])

    def peek(self, canvas: Canvas, scene: PeekScene) -> None:
        """A hand coral by coral; if that needs more than two lines, a count under each rank."""
        view: State = scene.view
        corals = view.holdings[scene.seat - 1].pieces or ()
        parts.draw_title(canvas, text("{who}'s hand", who=scene.name), figure=str(len(corals)))
        held = [shown(coral, view.form) for coral in corals]
        grid_ = pieces.fit_pieces(held)
        if not held or (grid_ and grid_.lines <= 2):  # A small hand is quicker to read coral by coral.
            pieces.draw_pieces(canvas, held)
            return
        for line, y in zip(ENTRY.grid("deal", scene.options), (17, 42), strict=True):
            for index, coral in enumerate(line):
                x = LEFT + 9 + index * (18 if len(line) > 5 else 26)
                canvas.text(x, y, shown(coral, view.form), anchor="c")
                if number := corals.count(coral):
                    canvas.text(x, y + 8, str(number), MIDDLE, "c")
                else:
                    canvas.fill(x - 1, y + 14, x, y + 14)


SCREEN = Screen()


def tabs(canvas: Canvas, scene: Scene) -> None:
    """Draw the players with the sizes of their hands. If a name needs the room, both tabs lose the icon of a hand."""
    held = list(zip(scene.names, map(str, scene.view.sizes), strict=True))
    rooms = [60 - MIDDLE.width(size) - icon_mask("hand").width - 8 for _, size in held]
    badge = "hand" if all(map(fitting_face, scene.names, repeat(NAME_FACES), rooms)) else ""
    seat_tabs.draw_tabs(canvas, [seat_tabs.SeatTab(name, size, badge) for name, size in held], scene.turn)


def _tops(canvas: Canvas, tops: tuple[int, ...], middles: list[int]) -> None:
    """Draw the tops in a row; the digits of a ten are close together.

    If two tens in the middle of eight stacks would touch, the second has a narrower 1.
    """
    meet = len(tops) == FULL and tops[FULL // 2 - 1 : FULL // 2 + 1] == (10, 10)
    for index, (x, top) in enumerate(zip(middles, tops, strict=True)):
        if meet and index == FULL // 2:
            canvas.text(x - 1, TOPS, "0", BIG)
            canvas.fill(x - 5, TOPS, x - 3, TOPS + 19)
            canvas.vline(x - 6, TOPS + 1, TOPS + 3)
        else:
            canvas.text(x, TOPS, str(top), BIG, "c", digit_gap=1)


def _first_stack(scene: Scene) -> int:
    """The stack that the first arrow begins at; 0 for none."""
    if not (scene.buttons and scene.awaits) or scene.turn is None:
        return 0
    view: State = scene.view
    pick, tops = ENTRY.pick(view), view.tops
    if pick.kind == "cannot" and not scene.cannot:  # An open hand that has drawn is only to move if it can.
        return tops.index(max(tops)) + 1
    return pick.stack if pick.kind == "play" else 0


def _numbers(canvas: Canvas, middles: list[int], marked: int) -> None:
    """Draw the number of each stack under its top, that of the stack `marked` (0 for none) on a plate."""
    for stack, x in enumerate(middles, 1):
        if stack == marked:
            canvas.tag(x, NUMBER, str(stack), "c", pad=1)
        else:
            canvas.text(x, NUMBER, str(stack), TEXT, "c")


def _middles(stacks: int) -> list[int]:
    """The middle columns of the stacks. Eight tens are one column too wide, so then the middle gap is one narrower."""
    if stacks == FULL:
        return [8 + 16 * index - (index >= FULL // 2) for index in range(FULL)]
    pitch = {5: 25, 6: 21, 7: 18}.get(stacks, 30)
    return [63 - (stacks - 1) * pitch // 2 + index * pitch for index in range(stacks)]


# -- at rest ----------------------------------------------------------------------------------------------------


def _rest(canvas: Canvas, scene: Scene) -> None:
    """Draw the last move and the deck.

    If the hand to move must draw, the line says so, and how, instead of the last move.
    """
    end = _pile(canvas, scene)
    drawn = scene.last is not None and scene.last[0] == scene.turn
    room = drawn or TEXT.width(scene.say) <= end + GAP - 2 - LEFT + 1  # Long times have no room beside the deck.
    asked = drawn or scene.last is None or scene.say == translate(ENTRY.how_to_enter(scene.view, scene.buttons))
    two = bool(scene.cannot) and asked and scene.cannot != scene.say and room
    if two:
        above = scene.say or text("{who} starts", who=cut_text(scene.name(scene.turn or 1), TEXT, 60, scene.names))
        canvas.text(LEFT, parts.STRIP_ROW, scene.cannot if drawn else above)
        scene = scene if drawn else scene._replace(say=scene.cannot)
    if scene.forced and (scene.clock or not scene.say):
        message = "draw a {piece}, ◂▸, OK" if scene.buttons else "draw, type 0 {piece} #"
        draws = text(message, piece=piece(scene.view.form))
        if scene.clock:  # The times are on the line below, so the instructions stay.
            canvas.text(LEFT, parts.STRIP_ROW, draws)
            _said(canvas, scene, end, 1)
            return
        _no_move(canvas, scene, end)
        canvas.text(LEFT, parts.LAST_LINE_ROW, draws)
        return
    if scene.say:
        _said(canvas, scene, end, 1 if two else 2)
        return
    name = scene.name((scene.last or (scene.turn or 1, None))[0])
    told = text("{who} {did}", who="{}", did=scene.told.brief) if scene.told else text("{who} starts", who="{}")
    # Otherwise a move would be cut.
    if TEXT.width(translate(told).format(name[:4])) + NEAR + TEXT.width(PILE) <= end - LEFT + 1:
        end = _label(canvas, end)
    parts.draw_verdict(canvas, with_cut_name(told, name, TEXT, end - LEFT + 1, scene.names), end=end)


def _said(canvas: Canvas, scene: Scene, end: int, lines: int) -> None:
    """Draw ``scene.bottom_line`` up to column `end`.

    If it is too long, names are shortened first; then it takes two `lines`, with two clocks one above the other.
    """

    def fits(tried: str) -> bool:
        return TEXT.width(tried) <= end - LEFT + 1

    said = shorten_names_in(scene.say, scene.names, fits)
    if not fits(said) and lines > 1:
        *above, said = said.split("  ") if scene.clock else wrap_text(said, TEXT, end - LEFT + 1, 2)
        canvas.text(LEFT, parts.STRIP_ROW, " ".join(above))
    # Nearer than that it would read as part of the label.
    if TEXT.width(said) + 2 * GAP + TEXT.width(PILE) <= end - LEFT + 1:
        end = _label(canvas, end)
    parts.draw_verdict(canvas, said, end=end if fits(said) else end + GAP - NEAR)


def _no_move(canvas: Canvas, scene: Scene, end: int) -> None:
    """Draw, above the last line, who has no move."""
    said = text("{who} can't move", who=scene.name(scene.turn or 1))
    canvas.text(LEFT, parts.STRIP_ROW, cut_text(said, TEXT, end - LEFT, scene.names))


def _pile(canvas: Canvas, scene: Scene) -> int:
    """Draw the size of the deck at the right; return the last column that words left of it may use."""
    end = _end_of(scene)
    return end - canvas.fitted_text(end, 50, str(scene.view.pile), NUMBER_FACES, 60, anchor="r") - GAP


def _label(canvas: Canvas, end: int) -> int:
    """Draw `DECK_LABEL` left of the deck's size; `end` is from `_draw_deck_size`. Return the last free column."""
    end += GAP - NEAR  # The label is close to its number.
    return end - canvas.text(end, parts.LAST_LINE_ROW, PILE, TEXT, "r") - GAP


def _end_of(scene: Scene) -> int:
    """The last column for words, left of the sign of a missing device if that is shown."""
    return RIGHT - 8 if scene.device_missing else RIGHT


# -- while entering ---------------------------------------------------------------------------------------------


def _picking(canvas: Canvas, scene: Scene) -> None:
    """Draw who must look away while a drawn coral is picked.

    Above that is the line of `_draw_at_rest`, or the question.
    """
    words = scene.away
    end = _end_of(scene)
    if TEXT.width(words) + GAP + NUMBER_FACES[0].width(str(scene.view.pile)) <= end - LEFT:
        end = _pile(canvas, scene)
    if scene.forced:
        _no_move(canvas, scene, end)
    else:
        canvas.text(LEFT, parts.STRIP_ROW, cut_text(draw_which(scene.view).says, TEXT, end - LEFT))
    parts.draw_verdict(canvas, words, end=end)


def _claim(canvas: Canvas, scene: Scene, draft: Draft) -> None:
    """Draw a draw or a pass as a sentence. If the hand must draw, the line above is that of `_draw_at_rest`."""
    end = _end_of(scene) if scene.buttons else _pile(canvas, scene)  # The same as while a coral is picked.
    if scene.forced and not draft.working:
        _no_move(canvas, scene, end)
    else:
        canvas.text(LEFT, parts.STRIP_ROW, draft.working)
    mark, key = ("", None) if scene.say else (parts.VERDICT_ICONS[draft.verdict], goes_on(scene))
    parts.draw_verdict(canvas, scene.say or draft.says, mark, end=end, key=key)


def _entry(canvas: Canvas, scene: Scene, draft: Draft, marks: Marks) -> None:
    """Draw the draft at the left, its sum and verdict beside it, and the deck if there is still room.

    If it is too long for that, it is drawn in small type above its verdict (`_draw_long_draft`). A picked draft has no
    stack number, since the stack is marked above; so fewer pixels change from one stack to the next.
    """
    text, cursor = draft.text.partition(":")[2] if marks.picked else draft.text, marks.cursor
    face = MIDDLE if MIDDLE.has_glyphs(text) else NAME
    wide = face.width(text.rstrip("_")) + 2 * MARGIN if cursor else face.width(text)
    wide += (TEXT.width(translate(LAST)) + 8) * marks.ends
    x = max(WORKING, 2 + wide + 6)
    led = max(BESIDE, *(TEXT.width(choice) + NEAR for choice in marks.beside)) if marks.beside else 0
    beside = marks.beside if x + led <= MOST_BESIDE else ()
    x += led * bool(beside)
    room = _end_of(scene) - x + 1
    mark, working, says, key = parts.VERDICT_ICONS[draft.verdict], draft.working, draft.says, goes_on(scene)
    if scene.say:
        lines = scene.say.split("  ") if scene.clock else wrap_text(scene.say, TEXT, room)
        mark, (working, says), key = "", ("", *lines)[-2:], None
    elif scene.last is None and draft.verdict == "more" and not (working or scene.buttons):
        working = translate(ERASE)
    told = TEXT.width(says) + _before(mark, key)
    fits = wide <= PLENTY and told <= room
    if not fits or (working and not _shorter(working, room)):
        _long_entry(canvas, scene, draft, marks)
        return
    _written(canvas, 2, 63 - face.capital_rows, text, face, cursor=cursor)
    if marks.ends:
        canvas.tag(wide, parts.LAST_LINE_ROW, translate(LAST), "r", pad=1)
    _arrows(canvas, 2 + wide + 3 + bool(cursor), beside)
    canvas.text(x, parts.STRIP_ROW, _shorter(working, room))
    parts.draw_verdict(canvas, says, mark, x=x, key=key)
    pile = NUMBER_FACES[0].width(str(scene.view.pile)) + GAP
    leaps = max(map(TEXT.width, marks.leaps), default=0)
    if leaps and max(TEXT.width(working), told) + leaps + NEAR <= room:
        _arrows(canvas, _end_of(scene) - leaps + 1, marks.leaps)
    elif not marks.picked and max(TEXT.width(working), told) + pile <= room:
        # The verdict's length changes from pick to pick, so the deck would appear and disappear.
        end = _pile(canvas, scene)
        if told + pile + TEXT.width(PILE) + GAP <= room:
            _label(canvas, end)


def _arrows(canvas: Canvas, x: int, choices: tuple[str, ...]) -> None:
    """Draw what two arrows of the picker lead to, one above the other."""
    for y, choice in zip((parts.STRIP_ROW, parts.LAST_LINE_ROW), choices, strict=False):
        canvas.text(x, y, choice)


def _before(mark: str, key: KeyLabel | None) -> int:
    """The columns before a verdict: for its mark, or for a key and what it leads to."""
    if key is not None:
        return icon_mask(parts.OK_ICONS[key[0]]).width + TEXT.width(key[1]) + 3 * parts.LABEL_GAP_COLUMNS
    return 11 * bool(mark)


def _long_entry(canvas: Canvas, scene: Scene, draft: Draft, marks: Marks) -> None:
    """Draw the draft above its verdict, and the sum at the right of the shorter of the two."""
    end = _end_of(scene)
    text = _tail_of(draft.text)
    mark = "" if scene.say else parts.VERDICT_ICONS[draft.verdict]
    if marks.cursor:  # There is no room for a plate between the lines.
        text = _tail_of(f"{draft.text.rstrip('_').removesuffix(marks.cursor)}[{marks.cursor}]")
    wide = canvas.text(LEFT, parts.STRIP_ROW, text)
    if marks.ends:
        wide += GAP + canvas.tag(LEFT + wide + GAP, parts.STRIP_ROW, translate(LAST), pad=1)
    key = None if scene.say else goes_on(scene)
    parts.draw_verdict(canvas, scene.say or draft.says, mark, end=end, key=key)
    if scene.say:
        return
    above = end - wide - 10
    below = end - _before(mark, key) - TEXT.width(draft.says) - 10
    y = parts.STRIP_ROW if above > below else parts.LAST_LINE_ROW
    canvas.text(end, y, _shorter(draft.working, max(above, below)), anchor="r")


def _written(canvas: Canvas, x: int, y: int, text: str, face: Face, *, cursor: str) -> None:
    """Draw what is entered. The last coral, under the `cursor`, is on a plate, and then there is no underscore."""
    if not cursor:
        canvas.text(x, y, text, face)
        return
    before = canvas.text(x, y, text.rstrip("_").removesuffix(cursor), face)
    x = x + before + MARGIN + 1 if before else LEFT + MARGIN
    canvas.plate(x - MARGIN, y - MARGIN, x + face.width(cursor) + MARGIN - 1, 63)
    canvas.text(x, y, cursor, face, inverse=True)


def _shorter(working: str, room: int) -> str:
    """A sum without as many first terms as needed to fit `room` columns; "" if even its result does not fit."""
    while TEXT.width(working) > room:
        shorter = tail(working)
        if shorter == working or " = " not in working:
            return ""  # Not even the result fits, or there is no sum to shorten.
        working = shorter
    return working


def _tail_of(text: str) -> str:
    """What is entered in at most 126 columns: the stack and all corals, or as many of the last ones as fit."""
    stack, _, corals = text.partition(":")
    face, dots = TEXT, ""
    while face.width(f"{stack}:{dots}{corals}") > 126:
        corals, dots = corals[1:], "…"
    return f"{stack}:{dots}{corals}" if corals else text


# -- a hand ---------------------------------------------------------------------------------------------------------


def row(canvas: Canvas, corals: Sequence[str], cursor: int, y: int) -> None:
    """Draw corals from edge to edge with equal gaps at row `y`, the one at index `cursor` inverse."""
    ink = [TEXT.width(coral) for coral in corals]
    gap = (RIGHT - LEFT + 1 - sum(ink)) / len(corals)
    for index, coral in enumerate(corals):
        x = LEFT + round(sum(ink[:index]) + gap * (index + 0.5))
        if index == cursor:
            canvas.tag(x - 1, y, coral, pad=1)
        else:
            canvas.text(x, y, coral)
