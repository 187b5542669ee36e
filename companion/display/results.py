"""Draws results and standings: of a round, a score pad, a match, an evening, and of all time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games import game_icons
from companion.languages import text, translate
from companion.panel import widgets
from companion.panel.canvas import LEFT, LINE_COLUMNS, RIGHT
from companion.panel.fonts import (
    BIG,
    BOLD_FACES,
    HEADING,
    MIDDLE,
    NAME,
    NAME_FACES,
    TEXT,
    Face,
    cut_text,
    fit_text,
    fitting_face,
    text_mask,
    wrap_balanced,
    wrap_text,
)
from companion.panel.icons import icon_mask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.display.key_hints import KeyHints
    from companion.evening.contents import kinds
    from companion.panel.canvas import Canvas

MIN_NAME_COLUMNS = 35
"""Columns that are left at least of a name that is cut."""
SCORE_ROW = 33
"""The top row of a score of two players, which is 20 rows high."""
CELL_ROWS, LOW_CELL_ROWS = (26, 41), (36, 45)
"""The top rows of two numbers below each other: of 13 rows each, or in the text face below a reason of two lines."""
DIGIT_GAP_COLUMNS = 5
"""Columns between a name that ends in a digit and a number, in addition to the usual ones."""
BESIDE_ICON_COLUMNS = 102
"""Columns beside a cup at the right end."""
PAGE_ROWS = 4
"""Players of a list that are visible at a time."""
MAX_GAME_COLUMNS = 5
"""The most games side by side in the standings of an evening. All games count in the total."""


def draw_result(canvas: Canvas, content: kinds.Result, hints: KeyHints) -> None:
    """Draw a round's result: who has won and why, beside an icon; then the numbers with their unit.

    Two players have one score, as large as it fits; more of them, or long names, have a cell each. Numbers that are too
    long even for that are a table without the reason. Names are cut, numbers never. Without a reason it is a list of
    the players' points.
    """
    rows, unit = content.rows, content.unit
    if not content.reason:
        _draw_ranking(canvas, content)
        return
    is_one_line = TEXT.width(content.reason) <= LINE_COLUMNS
    if is_one_line and _draw_score(canvas, unit, rows):
        _draw_winner(canvas, content, 21)
    elif is_one_line and _draw_cells(canvas, rows, unit):
        _draw_winner(canvas, content, 16)
    elif _draw_cells(canvas, rows, unit, TEXT, LOW_CELL_ROWS):
        canvas.fitted_text(LEFT, 0, content.title, _heading_faces(content.title, 0, 16), LINE_COLUMNS)
        canvas.text_block(LEFT, 16, wrap_balanced(content.reason, TEXT, LINE_COLUMNS, 2, names=canvas.names))
    else:
        widgets.draw_title(canvas, content.title, unit)
        _draw_table(canvas, rows)
    hints.draw_arrow_hint("down")


def _draw_winner(canvas: Canvas, content: kinds.Result, y: int) -> None:
    """Draw who has won and, on row `y`, why; at the right an icon if there is room for it."""
    mark = icon_mask("trophy" if len(content.winners) == 1 else game_icons.small_icon(content.game))
    fits_beside_icon = TEXT.width(content.reason) <= BESIDE_ICON_COLUMNS
    room = LINE_COLUMNS
    if fits_beside_icon or y > mark.height:
        canvas.icon(RIGHT, 0 if mark.height > 9 else 3, mark, "r")  # A small icon at the very edge looks cut off.
        room = BESIDE_ICON_COLUMNS
    top = 2 if y > mark.height else 0
    canvas.fitted_text(LEFT, top, content.title, _heading_faces(content.title, top, y), room)
    canvas.text(LEFT, y, cut_text(content.reason, TEXT, room if fits_beside_icon else LINE_COLUMNS, canvas.names))


def _heading_faces(heading: str, top: int, y: int) -> tuple[Face, ...]:
    """The faces for a heading between row `top` and words on row `y`: none whose tails would touch the words."""
    tails = text_mask(HEADING, translate(heading)).getbbox() or (0, 0, 0, 0)
    return (*(HEADING,) * (top + tails[3] - HEADING.accent_rows < y), *NAME_FACES)


def _draw_score(canvas: Canvas, label: str, rows: Sequence[tuple[str, int]]) -> bool:
    """Draw the score of two players, 20 rows high, with both names before it. Returns whether there was room."""
    if len(rows) != 2:
        return False
    (first, one), (second, other) = rows
    names = f"{first} - {second}"
    room = RIGHT - LEFT - 6 - max(TEXT.width(names), TEXT.width(label))
    forms = (f"{one} : {other}", f"{one}:{other}")
    score = next((each for each in forms if BIG.has_glyphs(each) and BIG.width(each) <= room), "")
    if score:
        canvas.text(RIGHT, SCORE_ROW, score, BIG, "r")
        canvas.text(LEFT, SCORE_ROW + 1, names)
        canvas.text(LEFT, SCORE_ROW + 12, label)
    return bool(score)


def _draw_cells(
    canvas: Canvas,
    rows: Sequence[tuple[str, int]],
    label: str = "",
    face: Face = MIDDLE,
    tops: tuple[int, int] = CELL_ROWS,
) -> bool:
    """Draw each player with a number, two below each other. Returns whether there was room."""
    if len(rows) > 4 or not all(face.has_glyphs(str(number)) for _, number in rows):
        return False
    columns = ((LEFT, RIGHT),) if len(rows) == 2 else ((LEFT, 59), (68, RIGHT))
    wide = max(face.width(str(number)) for _, number in rows)
    room = columns[0][1] - LEFT + 1 - wide - 4
    if room < min(MIN_NAME_COLUMNS, max(TEXT.width(name) for name, _ in rows)):
        return False
    down = face.capital_rows - TEXT.capital_rows
    label_columns = TEXT.width(label) + 5 if len(rows) == 2 and room - TEXT.width(label) - 5 >= MIN_NAME_COLUMNS else 0
    for index, (name, number) in enumerate(rows):
        x0, x1 = columns[index // 2]
        y, shorter = tops[index % 2], label_columns * (index == 0)
        canvas.text(x1, y, str(number), face, "r")
        canvas.text(x0, y + down, cut_text(name, TEXT, room - shorter, canvas.names))
        if shorter:
            canvas.text(x1 - wide - 4, y + down, label, TEXT, "r")
    if len(rows) > 2:
        canvas.dotted_line(64, tops[0], 64, tops[1] + face.capital_rows - 1)
    return True


def _draw_table(canvas: Canvas, rows: Sequence[tuple[str, int]]) -> None:
    """Draw each player in a line; two players with very long numbers take two lines each."""
    wide = max(TEXT.width(str(number)) for _, number in rows)
    has_two_lines = len(rows) == 2 and LINE_COLUMNS - wide - 5 < MIN_NAME_COLUMNS
    for index, (name, number) in enumerate(rows):
        y = 18 + 9 * index * (1 + has_two_lines)
        name_columns = LINE_COLUMNS if has_two_lines else LINE_COLUMNS - wide - 5
        canvas.text(LEFT, y, cut_text(name, TEXT, name_columns, canvas.names))
        canvas.text(RIGHT, y + 9 * has_two_lines, _number_text(str(number), LINE_COLUMNS), TEXT, "r")


def _number_text(number: str, width: int) -> str:
    """A number that fits into `width` pixels; of a longer one both ends and, with room, how many digits it has."""
    many = text("{number} digits", number=len(number.lstrip("-")))
    ends = text("{first}…{last} ({many})", first=number[:4], last=number[-4:], many=many)
    return next((each for each in (number, ends) if TEXT.width(each) <= width), f"{number[:3]}…{number[-2:]}")


def _draw_ranking(canvas: Canvas, content: kinds.Result) -> None:
    """Draw who has won, and everybody's points in one column or two."""
    canvas.icon(LEFT, 3, game_icons.small_icon(content.game))
    canvas.fitted_text(LEFT + 13, 2, content.title, NAME_FACES, LINE_COLUMNS - 14)
    canvas.hline(15)
    few = len(content.rows) <= PAGE_ROWS
    rows = len(content.rows) if few else (len(content.rows) + 1) // 2
    if not few:
        canvas.vline(63, 18, 52)
    for index, (name, total) in enumerate(content.rows):
        column, row = divmod(index, rows)
        x0, x1 = (LEFT, RIGHT) if few else ((LEFT, 60), (66, RIGHT))[column]
        room = x1 - x0 - 4 - canvas.text(x1, 18 + 9 * row, str(total), TEXT, "r")
        canvas.text(x0, 18 + 9 * row, _name_before_number(name, room, canvas.names))


def _name_before_number(name: str, room: int, names: Sequence[str]) -> str:
    """A name cut to `room` columns before a number.

    A name that ends in a digit gets a wider gap; otherwise ``Player 1`` and a 2 beside it would be read as one number.
    """
    return cut_text(name, TEXT, room - DIGIT_GAP_COLUMNS * name[-1:].isdigit(), names)


def draw_match_result(canvas: Canvas, content: kinds.MatchResult, hints: KeyHints) -> None:
    """Draw a match between rounds: each player's wins as a number, and as dots if at most five wins decide it.

    In a match that is won, a cup replaces the colon.
    """
    rows, note = content.wins, content.note
    if len(rows) > 2:
        widgets.draw_title(canvas, text("Match"), note)
        _draw_cells(canvas, rows)
        return
    names, dots = [name for name, _ in rows], content.goal <= 5
    room = (LINE_COLUMNS - TEXT.width(note) - 14) // 2
    if any(fitting_face(name, BOLD_FACES, room) is None for name in names):
        # Long names need the whole line: the note is below, or dots replace it.
        room, dots = 60, dots and not content.champion
        canvas.text(64, 44, "" if dots else cut_text(note, TEXT, LINE_COLUMNS, canvas.names), TEXT, "c")
    else:
        canvas.text(64, 5, note, TEXT, "c")
    face = next((face for face in BOLD_FACES if all(fitting_face(name, (face,), room) for name in names)), TEXT)
    canvas.fitted_text(LEFT, 2, names[0], (face,), room)
    canvas.fitted_text(RIGHT, 2, names[1], (face,), room, anchor="r")
    canvas.hline(15)
    for x, (_, won) in zip((28, 99), rows, strict=True):
        canvas.fitted_text(x, 20, str(won), (BIG, MIDDLE), 50, anchor="c")
        for index in range(content.goal if dots else 0):
            canvas.icon(x - 6 * content.goal + 12 * index + 3, 44, "dot" if index < won else "ring")
    if content.champion:
        canvas.icon(63, 20, "trophy", "c")
    else:
        canvas.text(63, 20, ":", BIG, "c")


def last_row_page(rows: Sequence[object]) -> int:
    """The number of the last page of rows, from 0."""
    return max(0, (len(rows) - 1) // PAGE_ROWS)


def last_page_of_all_time(content: kinds.AllTime) -> int:
    """The number of the last page, from 0. The ratings have pages of their own after those of the rounds won."""
    pages = last_row_page(content.rows) + 1
    return pages * (2 if any(rating for _, _, rating in content.rows) else 1) - 1


def draw_all_time(canvas: Canvas, content: kinds.AllTime, hints: KeyHints) -> None:
    """Draw the rounds won of those played, and on further pages the ratings, without their doubt."""
    last = last_page_of_all_time(content)
    at, pages = min(content.at, last), last_row_page(content.rows) + 1
    shows_ratings = at >= pages
    note = text("rating") if shows_ratings else text("won")
    if content.game:
        _draw_game(canvas, content.game, 5, content.title)
        canvas.text(RIGHT, 5, note, TEXT, "r")
    else:
        widgets.draw_title(canvas, content.title, note)
    edge = hints.draw_page_bar(at, last + 1)
    first = at % pages * PAGE_ROWS
    for index, (name, won, rating) in enumerate(content.rows[first : first + PAGE_ROWS]):
        y = 18 + 9 * index
        end = edge - canvas.text(edge, y, rating.partition("±")[0] if shows_ratings else won, TEXT, "r") - 5
        canvas.text(LEFT, y, cut_text(name, TEXT, end, canvas.names))
    if not content.rows:
        canvas.text_block(LEFT, 22, wrap_text(content.none, TEXT, LINE_COLUMNS, 2))
    hints.draw_keys_to_other_game(without_word=last > 0 and not hints.uses_buttons)


def draw_standings(canvas: Canvas, content: kinds.Standings, hints: KeyHints) -> None:
    """Draw four players a page, and then a page for each match."""
    last = last_row_page(content.rows)
    count = len(content.matches)
    at = min(content.at, last + count)
    edge = hints.draw_page_bar(at, last + 1 + count)
    if at > last:
        note = text("match {number}/{count}", number=at - last, count=count) if count > 1 else text("match")
        _draw_match(canvas, content.title, content.matches[at - last - 1], note, edge)
    elif content.rows:
        _draw_wins(canvas, content, at, edge)
    else:
        widgets.draw_title(canvas, content.title)
        canvas.text_block(LEFT, 22, wrap_text(content.none, TEXT, LINE_COLUMNS, 2))


def _draw_wins(canvas: Canvas, content: kinds.Standings, page: int, edge: int) -> None:
    """Draw four rows of a page: up to five columns headed by the games' icons, and the total at the right.

    `edge` is the last column beside the scrollbar.
    """
    rows = [(name, won[:MAX_GAME_COLUMNS], total) for name, won, total in content.rows]
    games = [game_icons.small_icon(game) for game in content.games[:MAX_GAME_COLUMNS]]
    total = text("all")
    columns, room = _column_layout(len(games), rows, edge, TEXT.width(total))
    face, shown = fit_text(content.title, NAME_FACES, room, canvas.names)
    canvas.text(LEFT, 2 + NAME.capital_rows - face.capital_rows, shown, face)
    canvas.text(edge, 5, total, TEXT, "r")
    for x, mark in zip(columns, games, strict=True):
        canvas.icon(x, 8 - icon_mask(mark).height // 2, mark, "c")
    canvas.hline(15)
    tall = len(rows) < PAGE_ROWS
    for index, (name, cells, whole) in enumerate(rows[PAGE_ROWS * page : PAGE_ROWS * page + PAGE_ROWS]):
        y = 20 + 12 * index if tall else 18 + 9 * index
        canvas.text(LEFT, y, _name_before_number(name, room, canvas.names))
        for x, cell in zip(columns, cells, strict=True):
            canvas.text(x, y, cell, TEXT, "c")
        if tall:
            canvas.fitted_text(edge, y - 2, whole, (NAME, TEXT), 17, anchor="r")
        else:
            canvas.text(edge, y, whole, TEXT, "r")


def _column_layout(
    count: int, rows: Sequence[tuple[str, Sequence[str], str]], edge: int, head: int
) -> tuple[list[int], int]:
    """The middle of each of `count` columns, and the columns for names.

    The totals end at column `edge`, below a word that is `head` columns wide.
    """
    widest = max((TEXT.width(cell) for _, cells, _ in rows for cell in cells), default=5)
    totals = max((TEXT.width(total) for _, _, total in rows), default=5)
    pitch, gap = (20, 5) if count < 4 else (16, 5) if count == 4 else (14, 3)
    step = max(pitch, widest + gap)
    last = min(edge - head - 10, edge - totals - 5 - widest // 2)
    columns = [last - step * (count - 1 - index) for index in range(count)]
    return columns, min(columns, default=last) - widest // 2 - 5


def _draw_match(canvas: Canvas, title: str, match: kinds.MatchFigures, note: str, edge: int) -> None:
    """Draw a match: its game, its rounds, and who beat whom; of more than two players everybody's wins.

    `edge` is the last column beside the scrollbar.
    """
    if len(match.wins) > 2:
        room = 113 - canvas.text(RIGHT, 4, text("won"), TEXT, "r") - 5
        fitting = (words for words in match.summary if TEXT.width(words) <= room)
        _draw_game(canvas, match.game, 4, next(fitting, match.summary[-1]))
        for index, (name, won) in enumerate(match.wins[:4]):
            canvas.text(LEFT, 18 + 9 * index, cut_text(name, TEXT, edge - 16, canvas.names))
            canvas.text(edge, 18 + 9 * index, str(won), TEXT, "r")
        return
    mark = icon_mask(game_icons.small_icon(match.game))
    widgets.draw_title(canvas, title, note)
    canvas.icon(5, 22 - mark.height // 2, mark, "c")
    canvas.text(14, 19, cut_text(match.name, TEXT, edge - 13))
    lines = wrap_text(match.result, TEXT, edge, 2, names=canvas.names)
    canvas.text_block(LEFT, 31 - 3 * (len(lines) > 1), [*lines, match.rounds])


def _draw_game(canvas: Canvas, game: str, y: int, words: str) -> None:
    """Draw a heading of a game's mark and words in the small face."""
    mark = icon_mask(game_icons.small_icon(game))
    canvas.icon(5, 7 - mark.height // 2, mark, "c")
    canvas.text(14, y, words)
    canvas.hline(15)
