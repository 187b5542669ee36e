"""Draws results and standings: of a round, a score pad, a match, an evening, and of all time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion import games
from companion.languages import text, translate
from companion.panel import seat_tabs, widgets
from companion.panel.canvas import LEFT, LINE_COLUMNS, RIGHT
from companion.panel.fonts import (
    CONDENSED,
    HEADING,
    MIDDLE,
    NAME_FACES,
    TEXT,
    WORD_FACES,
    cut_text,
    fits_width,
    fitting_face,
    short_number,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.display.key_hints import KeyHints
    from companion.evening.contents import kinds
    from companion.panel.canvas import Canvas
    from companion.panel.fonts import Face

REASON_ROW, SCORES_ROW = 25, 37
"""The rows of the reason and of the scores, below the winner."""
WINS_ROW, WORD_GAP_COLUMNS = 11, 6
"""The row of the word beside the winner, and the columns before it."""
NAME_ROW, BELOW_NAME_ROW = 0, 12
"""The rows of a winner's long name, and of the word below it."""
COLUMN_ROWS = (REASON_ROW, SCORES_ROW), (33, 42)
"""The rows of names and of numbers in columns: without a reason, and below one."""
RANKING_REASON_ROW = 42
"""The row of the reason below three rows of names and numbers."""
LARGE_SHAPE_COLUMNS = 22
"""Columns of a winner's shape, with the dark ones after it."""
MIN_NAME_COLUMNS, NAME_GAP_COLUMNS = 20, 4
"""The fewest columns of a name beside a score, and the dark ones between them."""
COLUMNS = (LEFT, 60), (67, RIGHT)
"""The first and last columns of two players side by side."""
MAX_SHAPES = 4
"""The most players who each have a shape."""
MAX_DOTS, DOT_COLUMNS = 3, 9
"""The most rounds won that are drawn as dots, and the columns of each."""
BAR_GAP_COLUMNS = 3
"""More columns between a number and the scrollbar, which would look like one digit more."""
PAGE_ROWS = widgets.MAX_LINES
"""Players of a list that are visible at a time."""
RATING_TEXT = text("It rises when you beat strong players: 1500 is usual. You get one after ten rounds.")


def draw_result(canvas: Canvas, content: kinds.Result, hints: KeyHints) -> None:
    """Draw a round's result: the winner large, why, and everybody's number; of more than four players a list."""
    hints.draw_footer()
    if len(content.rows) > MAX_SHAPES:
        widgets.draw_title(canvas, content.title)
        _draw_ranking(canvas, content.rows, content.reason)
        return
    reason = content.reason
    if len(content.winners) == 1:
        _draw_winner(canvas, content.winners[0], seat_tabs.seat_icon(canvas, content.seats[0]), text("wins"))
    else:
        _draw_large(canvas, LEFT, content.title, LINE_COLUMNS)
    if len(content.rows) > len(COLUMNS) and fits_width(reason, TEXT, LINE_COLUMNS):
        _draw_reason_and_columns(canvas, content)
    elif fits_width(reason, CONDENSED, LINE_COLUMNS):
        canvas.text(LEFT, REASON_ROW, reason)
        _draw_scores(canvas, content, SCORES_ROW, (MIDDLE, *WORD_FACES))
    else:
        widgets.draw_words(canvas, reason, REASON_ROW - 3, lines=1)
        _draw_scores(canvas, content, SCORES_ROW + 4, WORD_FACES)


def _draw_winner(canvas: Canvas, name: str, shape: str = "", does: str = "") -> None:
    """Draw who has won as large as it fits, after the seat's shape if there is one, and a cup.

    What the player `does` stands beside the name, or below it.
    """
    x, end = LEFT, RIGHT - canvas.icon(RIGHT, 2, "trophy", "r") - NAME_GAP_COLUMNS
    if shape:
        canvas.large_icon(LEFT, 2, shape)
        x += LARGE_SHAPE_COLUMNS
    beside = WORD_GAP_COLUMNS + CONDENSED.width(does)
    if does and x + 2 * CONDENSED.width(name) + beside > end + 1:
        # A long name has the word below it.
        canvas.fitted_text(x, NAME_ROW, name, NAME_FACES, end - x + 1)
        canvas.text(x, BELOW_NAME_ROW, does)
        return
    x += _draw_large(canvas, x, name, end - x + 1) + WORD_GAP_COLUMNS
    if does:
        canvas.text(x, WINS_ROW, does)


def _draw_large(canvas: Canvas, x: int, words: str, room: int) -> int:
    """Write words in the first 22 rows, as large as they fit into `room` columns. Returns their width."""
    if (wide := 2 * CONDENSED.width(words)) <= room:
        canvas.large_text(x + wide // 2, 2, words, CONDENSED, 2)
        return wide
    return canvas.fitted_text(x, 4, words, (HEADING, *NAME_FACES), room)


def _draw_scores(canvas: Canvas, content: kinds.Result, y: int, faces: Sequence[Face]) -> None:
    """Draw each seat's shape and number in the order of the seats; between two players there is room for names."""
    scores = dict(zip(content.seats, content.rows, strict=True))
    wide = LINE_COLUMNS // len(scores)
    for seat, (name, number) in sorted(scores.items()):
        x, end = LEFT + wide * (seat - 1), LEFT + wide * seat - 3
        seat_tabs.draw_seat_shape(canvas, x, y + (faces[0].capital_rows - 7) // 2, seat, small=True)
        x += seat_tabs.SMALL_SHAPE_COLUMNS
        shown = str(number)
        if not fitting_face(shown, faces, end - x):
            shown = short_number(shown)
        x += canvas.fitted_text(x, y, shown, faces, end - x + 1) + NAME_GAP_COLUMNS
        if end - x >= MIN_NAME_COLUMNS and (len(scores) == 2 or fits_width(name, CONDENSED, end - x + 1)):
            canvas.fitted_text(x, y + (faces[0].capital_rows - 9) // 2, name, WORD_FACES, end - x + 1)


def _draw_reason_and_columns(canvas: Canvas, content: kinds.Result) -> None:
    """Draw the reason in a line, if there is one; below it each seat's name above its shape and number."""
    if content.reason:
        canvas.text(LEFT, REASON_ROW - 2, content.reason, TEXT)
    names_row, numbers_row = COLUMN_ROWS[bool(content.reason)]
    name_face, face = (TEXT, CONDENSED) if content.reason else (CONDENSED, MIDDLE)
    wide = LINE_COLUMNS // len(content.rows)
    for seat, (name, number) in sorted(zip(content.seats, content.rows, strict=True)):
        x, room = LEFT + wide * (seat - 1), wide - NAME_GAP_COLUMNS
        canvas.text(x, names_row, cut_text(name, name_face, room, canvas.names), name_face)
        faces = (face, *WORD_FACES)
        if fitting_face(str(number), faces, room - seat_tabs.SMALL_SHAPE_COLUMNS):
            seat_tabs.draw_seat_shape(canvas, x, numbers_row + (face.capital_rows - 7) // 2, seat, small=True)
            x, room = x + seat_tabs.SMALL_SHAPE_COLUMNS, room - seat_tabs.SMALL_SHAPE_COLUMNS
        shown = str(number) if fitting_face(str(number), faces, room) else short_number(str(number))
        canvas.fitted_text(x, numbers_row, shown, faces, room)


def _draw_ranking(canvas: Canvas, rows: Sequence[tuple[str, object]], reason: str = "") -> None:
    """Draw names with numbers: up to three below each other, else in two columns; smaller above a reason."""
    columns = 1 if len(rows) <= PAGE_ROWS else 2
    per_column = -(-len(rows) // columns)
    face, pitch = (CONDENSED, widgets.LINE_PITCH) if per_column <= PAGE_ROWS else (TEXT, widgets.SMALL_LINE_PITCH)
    if reason and per_column <= PAGE_ROWS and fits_width(reason, WORD_FACES[-1], LINE_COLUMNS):
        face, pitch = TEXT, widgets.SMALL_LINE_PITCH
        canvas.fitted_text(LEFT, RANKING_REASON_ROW, reason, WORD_FACES, LINE_COLUMNS)
    for index, row in enumerate(rows):
        cell = (LEFT, RIGHT) if columns == 1 else COLUMNS[index // per_column]
        _draw_named_number(canvas, row, cell, widgets.WORDS_ROW + pitch * (index % per_column), face)


def _draw_named_number(canvas: Canvas, row: tuple[str, object], cell: tuple[int, int], y: int, face: Face) -> None:
    """Write a name, and its number at the right; a number that is too long in a short form."""
    (x0, x1), name, number = cell, row[0], str(row[1])
    shown = number if fits_width(number, face, x1 - x0 - MIN_NAME_COLUMNS) else short_number(number)
    end = x1 - canvas.text(x1, y, shown, face, "r") - 2 * NAME_GAP_COLUMNS
    canvas.text(x0, y, cut_text(name, face, end - x0 + 1, canvas.names), face)


def draw_match_result(canvas: Canvas, content: kinds.MatchResult, hints: KeyHints) -> None:
    """Draw a match between rounds, each player's wins as a number and as dots; or who has won it."""
    if content.champion:
        _draw_winner(canvas, content.champion)
        y = REASON_ROW if len(content.wins) == 2 else REASON_ROW - 2
        canvas.fitted_text(LEFT, y, text("wins the match"), WORD_FACES, LINE_COLUMNS)
        for index, row in enumerate(content.wins):
            if len(content.wins) == 2:
                _draw_named_number(canvas, row, COLUMNS[index], SCORES_ROW + 2, CONDENSED)
            else:
                _draw_named_number(canvas, row, COLUMNS[index % 2], 35 + 8 * (index // 2), TEXT)
        return
    widgets.draw_title(canvas, text("Match"), content.note, line=False)
    if len(content.wins) > 2:
        _draw_ranking(canvas, content.wins)
        return
    for y, (name, won) in zip((16, 32), content.wins, strict=True):
        end = RIGHT - DOT_COLUMNS * content.goal if content.goal <= MAX_DOTS else RIGHT
        for index in range(content.goal if content.goal <= MAX_DOTS else 0):
            canvas.icon(end + 4 + DOT_COLUMNS * index, y + 4, "dot" if index < won else "ring")
        end -= canvas.text(end, y, str(won), MIDDLE, "r") + 2 * NAME_GAP_COLUMNS
        canvas.fitted_text(LEFT, y + 2, name, WORD_FACES, end - LEFT + 1)


# -- standings -----------------------------------------------------------------------------------------------------


class TablePage(NamedTuple):
    """A page of standings: its title, and its rows, each with what is at the right, or `words` to read."""

    title: str
    rows: Sequence[tuple[str, str]] = ()
    words: str = ""
    note: str = ""


def standings_pages(content: kinds.Standings) -> list[TablePage]:
    """The pages of an evening: the rounds won, then those of each game if there are several, then the matches."""
    if not content.rows:
        return [TablePage(content.title, words=content.none)]
    title = translate(text("Tonight: rounds won"))
    pages = _pages_of(title, _ranked((name, won) for name, _, won in content.rows))
    for index, game in enumerate(content.games if len(content.games) > 1 else ()):
        won = ((name, cells[index]) for name, cells, _ in content.rows if cells[index].isdigit())
        ranked = _ranked(sorted(won, key=lambda row: -int(row[1])))
        pages += _pages_of(games.manifest_or_placeholder(game).name, ranked, translate(text("won")))
    for match in content.matches:
        words = f"{match.result}. {match.rounds[:1].upper()}{match.rounds[1:]}."
        pages.append(TablePage(match.name, words=words, note=translate(text("match"))))
    return pages


def all_time_pages(content: kinds.AllTime) -> list[TablePage]:
    """The pages of all time: the rounds won, then the ratings and what they mean."""
    if not content.rows:
        return [TablePage(content.title, words=content.none)]
    note = translate(text("won")) if content.game else ""
    pages = _pages_of(content.title, _ranked((name, won) for name, won, _ in content.rows), note)
    rated = [(name, rating.partition("±")[0]) for name, _, rating in content.rows if rating]
    if rated:
        pages += _pages_of(text("Rating"), _ranked(sorted(rated, key=lambda row: -int(row[1]))))
        pages.append(TablePage(text("Rating"), words=translate(RATING_TEXT)))
    return pages


def _ranked(rows: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The rows, best first, each name with its rank; equal numbers have equal ranks."""
    listed = list(rows)
    numbers = [number for _, number in listed]
    return [(f"{numbers.index(number) + 1} {name}", number) for name, number in listed]


def _pages_of(title: str, rows: Sequence[tuple[str, str]], note: str = "") -> list[TablePage]:
    starts = range(0, len(rows), PAGE_ROWS)
    return [TablePage(title, rows[start : start + PAGE_ROWS], note=note) for start in starts]


def draw_standings(canvas: Canvas, content: kinds.Standings, hints: KeyHints) -> None:
    """Draw a page of an evening's standings."""
    _draw_table_page(canvas, standings_pages(content), content.at, hints)


def draw_all_time(canvas: Canvas, content: kinds.AllTime, hints: KeyHints) -> None:
    """Draw a page of the standings of all time."""
    _draw_table_page(canvas, all_time_pages(content), content.at, hints)


def _draw_table_page(canvas: Canvas, pages: Sequence[TablePage], number: int, hints: KeyHints) -> None:
    at = min(number, len(pages) - 1)
    page, edge = pages[at], hints.draw_page_bar(at, len(pages)) - BAR_GAP_COLUMNS * (len(pages) > 1)
    widgets.draw_title(canvas, page.title, page.note)
    widgets.draw_words(canvas, page.words, end=edge)
    for index, (name, won) in enumerate(page.rows):
        y = widgets.WORDS_ROW + widgets.LINE_PITCH * index
        end = (
            edge - canvas.fitted_text(edge, y, won, WORD_FACES, edge - MIN_NAME_COLUMNS, anchor="r") - NAME_GAP_COLUMNS
        )
        canvas.text(LEFT, y, cut_text(name, CONDENSED, end - LEFT + 1, canvas.names))
    hints.draw_right_hint()
