"""The score pad: a cell for each player, the one under the cursor inverted, and the entry below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.languages import Text, said, text
from companion.panel import parts
from companion.panel.canvas import HEIGHT, LEFT, RIGHT, Canvas
from companion.panel.fonts import BIG, MIDDLE, NAME, NAMES, NARROW, TEXT, Face, cut
from companion.screens.key_hints import cut_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.contents.kinds import Score, Scores, Sheet
    from companion.screens.key_hints import KeyHints

Faced = tuple[Face, int, bool]
"""The face of points, how many times as large it is drawn, and whether names stand above the points."""
Layout = tuple[int, int, Faced]
TOP, FLOOR = 10, 52
"""The first row of the cells and the row of the line below them."""
SHORTEST = 17
"""The width of a long name as ``A…e``."""
PICKED, TYPED = text("▴▾± ◂▸ player"), text("A+ C- D◂▸B next")
"""What the arrows do, on buttons and on a keypad."""
FIRST = text("type points, #")
"""What a keypad's players enter, as long as nothing is."""
ENTERS = "◂▸"
"""What enters points beside OK on buttons: choosing another player."""
HELD, ERASED = text("hold: 10"), text("erase")
"""What a held arrow counts by, and what BACK does."""
STEPS = range(4, 7)
"""The points after so many single steps, at which it is told what a held arrow does."""
CELL = 57
"""The columns of a cell's points."""
TALL = 21
"""The rows of a cell from which the name can be larger, above the points."""
APART, LEAST = 6, 60
"""The columns between the words of the first row, and the fewest for the last entry."""
ROUNDS, SUM = 3, 46
"""The turns of the sheet that are visible at a time, and the row of the sums below them."""
NAMED, LEAST_NAMED = 30, 14
"""The columns of a name beside an arrow, and the fewest: of less the arrow stands alone."""
CROWN, CROWNED = 9, 29
"""The columns of the crown before who is ahead, and of a name beside it: one of five letters stays whole."""


def scores(c: Canvas, content: Scores, hints: KeyHints) -> None:
    """Draw the pad in play: its game, the last entry, every player's points, the change and the new total.

    At rest the points alone take the whole panel.
    """
    top, floor = (0, HEIGHT) if content.at_rest else (TOP, FLOOR)
    players = content.players
    pitch = (floor - top) // ((len(players) + 1) // 2)
    faced = _faces(players, pitch, at_rest=content.at_rest)
    if not all(_has_crown(players, seat, faced[seat - 1]) for seat, each in enumerate(players, 1) if each.leads):
        players = tuple(each._replace(leads=False) for each in players)  # Else those who share the lead would not.
        faced = _faces(players, pitch, at_rest=content.at_rest)
    for seat in range(1, len(players) + 1):
        _cell(c, players, seat, seat == content.seat, (top, pitch, faced[seat - 1]))
    if content.at_rest:
        return
    _heading(c, content)
    c.hline(FLOOR)
    if content.line:
        c.text(1, parts.LAST, cut(content.line, TEXT, 126, c.names))
    elif content.change:
        _change(c, content, buttons=hints.buttons)
    else:
        _keys(c, content, hints)


def _heading(c: Canvas, content: Scores) -> None:
    """The first row: the game, how it ends, and the last entry.

    Where not all has room, of how it ends the less important part is left out, then the game; but who deals stands
    there in place of the last entry.
    """
    title, last = content.title, content.last
    whole = RIGHT - LEFT + 1
    rooms = [(note, whole - (TEXT.width(note) + APART if note else 0)) for note in content.notes]
    note, room = next(((note, room) for note, room in rooms if TEXT.width(title) <= room), rooms[-1])
    if last and TEXT.width(title) + APART + TEXT.width(last) > room:
        stays = isinstance(title, Text) or room < LEAST
        title, last = (title, "") if stays else ("", last)
    left = TEXT.width(title) + APART if title else 0
    if last := last if room - left >= LEAST else "":
        c.text(RIGHT, 1, cut_name(last, room - left, c.names), TEXT, "r")
    x = LEFT + c.text(LEFT, 1, cut(cut_name(title, room, c.names), TEXT, room, c.names)) + APART
    c.text(*((x if title else LEFT, 1, note) if last else (RIGHT, 1, note, TEXT, "r")))


def _faces(players: Sequence[Score], pitch: int, *, at_rest: bool) -> list[Faced]:
    """How the points of each player are drawn in cells of `pitch` rows.

    Points above which names stand are alike for all. Beside names each player's are as large as leaves the name whole;
    at rest the points come first.
    """

    def fits(face: Face, scale: int = 1) -> bool:
        return all(face.has(str(each.total)) and face.width(str(each.total)) * scale <= CELL for each in players)

    seats, rows = range(1, len(players) + 1), (len(players) + 1) // 2
    if pitch > 2 * TALL and fits(MIDDLE, 2):
        return [(MIDDLE, 2, True) for _ in seats]
    if pitch > TALL or (rows == 2 and not all(_beside(players, seat, TEXT) for seat in seats)):
        above = (BIG, MIDDLE, NAME, NARROW) if pitch > TALL else (NAME, NARROW)
        return [(next((face for face in above if fits(face)), TEXT), 1, True) for _ in seats]
    faces = tuple(face for face in (MIDDLE, NAME, NARROW) if face.capitals + 2 <= pitch)
    return [(_face_beside(players, seat, faces, at_rest=at_rest), 1, False) for seat in seats]


def _face_beside(players: Sequence[Score], seat: int, faces: Sequence[Face], *, at_rest: bool) -> Face:
    """The face of a player's points beside the name.

    It is the largest that leaves the name whole; for a name that is too long it is the smallest, which leaves most of
    it, and at rest the largest.
    """
    if not at_rest and _beside(players, seat, TEXT):
        return next((face for face in faces if _beside(players, seat, face)), TEXT)
    points = str(players[seat - 1].total)
    room = CELL - SHORTEST
    sizes = faces if at_rest else faces[::-1]
    return next((face for face in sizes if face.has(points) and face.width(points) <= room), TEXT)


def _beside(players: Sequence[Score], seat: int, face: Face) -> bool:
    """Whether a player's whole name, after its crown, has room beside the points."""
    player = players[seat - 1]
    wide = TEXT.width(player.name) + CROWN * player.leads
    return face.has(str(player.total)) and wide <= _room(players, seat, (face, 1, False))


def _cell(c: Canvas, players: Sequence[Score], seat: int, chosen: bool, layout: Layout) -> None:
    """A player's cell: two columns. The name stands above the points where there are the rows for it, else beside.

    `layout` is the first row of all cells, the rows of each, and how its points are drawn.
    """
    top, pitch, (face, scale, above) = layout
    name, total, leads = players[seat - 1]
    x0, x1 = _columns(players, seat)
    y0 = top + (seat - 1) // 2 * pitch
    y1 = y0 + pitch - 2
    if chosen:
        c.plate(x0, y0, x1, y1)
    points = str(total)
    if above:
        faces, y = (NAMES, y0 + 2) if pitch >= 2 * TALL else ((TEXT,), y0 + 1)
        _crowned(c, x0 + 3, y, name, _room(players, seat, layout[2]), leads=leads, inverse=chosen, faces=faces)
        y = (y + faces[0].capitals + y1 + 1 - face.capitals * scale) // 2
        c.large((x0 + x1) // 2, y, points, face, scale, inverse=chosen)
        return
    middle = y0 + (pitch - 1) // 2
    c.text(x1 - 2, middle - face.capitals // 2, points, face, "r", inverse=chosen)
    _crowned(c, x0 + 2, middle - TEXT.capitals // 2, name, _room(players, seat, layout[2]), leads=leads, inverse=chosen)


def _columns(players: Sequence[Score], seat: int) -> tuple[int, int]:
    """The first and the last column of a cell; the last one has the whole row if it is alone in it."""
    if seat % 2 == 0:
        return 65, RIGHT
    return LEFT, RIGHT if seat == len(players) else 62


def _room(players: Sequence[Score], seat: int, faced: Faced) -> int:
    """The columns for a name, and the crown before it."""
    (x0, x1), (face, _, above) = _columns(players, seat), faced
    return x1 - x0 - (5 if above else 6 + face.width(str(players[seat - 1].total)))


def _has_crown(players: Sequence[Score], seat: int, faced: Faced) -> bool:
    """Whether there is room for a crown beside a name, whole or (a long one) cut."""
    wide, room = TEXT.width(players[seat - 1].name), _room(players, seat, faced)
    return room >= min(wide, CROWNED) + CROWN


def _crowned(
    c: Canvas, x: int, y: int, name: str, width: int, *, leads: bool, inverse: bool, faces: Sequence[Face] = (TEXT,)
) -> None:
    """A name, after a crown if it leads."""
    if leads:
        c.icon(x, y + (faces[0].capitals - 4) // 2, "crown", inverse=inverse)
        x, width = x + CROWN, width - CROWN
    c.fitted(x, y, name, faces, width, inverse=inverse)


def _change(c: Canvas, content: Scores, *, buttons: bool) -> None:
    """The last rows: the change, and the new total that OK enters."""
    # The numbers come first: no digit of them gives way to a name.
    crowded = content.total is not None and TEXT.width(str(content.total)) > 36
    faces = (TEXT,) if content.limit or crowded else (NAME, NARROW, TEXT)
    wide = c.fitted(LEFT + 1, 56 if content.limit else 54, content.change, faces, 60)
    if content.limit:
        c.text(RIGHT, 56, content.limit, TEXT, "r")
    elif content.total is not None:
        made, enters = f": {content.total}", buttons and content.change != "+0"
        key, steps = parts.legend(buttons, "")[0], abs(int(content.change))
        hint = "" if not buttons else said(HELD) if steps in STEPS else f"↩ {said(ERASED)}"
        room = RIGHT - LEFT - wide - 13 - TEXT.width(made) - TEXT.width(key)
        room -= (TEXT.width(ENTERS) + 6) * enters  # Never left out for a long name.
        name = content.players[content.seat - 1].name
        # With buttons a name that has no room beside what BACK does is left out: its player's cell is lit.
        beside = room - (TEXT.width(hint) + 2 * parts.APART) * bool(hint)
        whole = TEXT.width(name) <= beside
        shown = cut(name, TEXT, room, c.names) + made if whole or (not hint and room >= SHORTEST) else f"={made[1:]}"
        right = RIGHT - c.text(RIGHT, parts.LAST, shown, TEXT, "r") - 3
        right -= c.tag(right, parts.LAST, key, "r")
        left = LEFT + wide + parts.APART
        if enters and TEXT.width(ENTERS) + 3 <= right - left:
            right -= c.text(right - 3, parts.LAST, ENTERS, TEXT, "r") + 3
        if hint and TEXT.width(hint) + 2 * parts.APART <= right - left:
            c.text(left + parts.APART, parts.LAST, hint)
    else:
        c.text(RIGHT, parts.LAST, text("points?"), TEXT, "r")


def _keys(c: Canvas, content: Scores, hints: KeyHints) -> None:
    """The last row: what the arrows do, and how to leave."""
    parts.footer(c, None, hints.legends()[1])
    first, last = c.free
    told = said(PICKED if hints.buttons else TYPED if content.last else FIRST)
    c.text(first, parts.LAST, told if TEXT.width(told) <= last - first else told.rpartition(" ")[0])


def sheet(c: Canvas, content: Sheet, hints: KeyHints) -> None:
    """The sheet: turn by turn what each player got, and below it the sums; as many as have room."""
    rows, players = content.rows, len(content.names)
    cells = [*(cell for row in rows for cell in row if cell is not None), *content.totals]
    number = TEXT.width(str(len(rows)))
    wide = max(24, *(TEXT.width(str(cell)) for cell in cells))
    edge = parts.scrollbar(c, content.row, ROUNDS, len(rows), y1=42) - 1
    across = min(players, (edge - LEFT - number) // (wide + 6))
    first = min(content.column, players - across)
    pitch = (edge - LEFT - number) // across
    visible = rows[content.row : content.row + ROUNDS]
    for place, seat in enumerate(range(first, first + across), 1):
        x = LEFT + number + pitch * place
        c.text(x, 4, cut(content.names[seat], TEXT, pitch - 5, c.names), TEXT, "r")
        for line, row in enumerate(visible):
            c.text(x, 18 + 9 * line, "-" if row[seat] is None else str(row[seat]), TEXT, "r")
        c.text(x, SUM, str(content.totals[seat]), TEXT, "r")
    c.hline(15)
    for line in range(len(visible)):
        c.text(LEFT, 18 + 9 * line, str(content.row + line + 1))
    c.hline(SUM - 2)
    c.text(LEFT, SUM, "=")
    _others(c, content.names, first, first + across, buttons=hints.buttons)
    if len(rows) > ROUNDS:
        hints.draw_scroll_keys()


def _others(c: Canvas, names: Sequence[str], first: int, after: int, *, buttons: bool) -> None:
    """In the footer: which players stand left and right of those that are visible, and the keys that lead there."""
    x, end = c.free
    there = [("left", "D", names[first - 1])] if first else []
    there += [("right", "B", names[after])] if after < len(names) else []
    for arrow, key, name in there:
        x += 0 if buttons else c.text(x, parts.LAST, key) + 2
        x += c.icon(x, parts.LAST + 2, arrow) + 3
        if (room := min(NAMED, end - x)) >= LEAST_NAMED:
            x += c.text(x, parts.LAST, cut(name, TEXT, room, c.names)) + parts.APART
    c.free = (x, end)
