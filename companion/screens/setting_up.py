"""The screens before a round: the title, menus, options, players, names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.games.score_pad import rules as pad
from companion.panel import menus, pages, parts
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import NAME, NARROW, TEXT, cut
from companion.panel.menus import Row
from companion.panel.pages import Box
from companion.screens import first, marks
from companion.screens import pad as pad_screen
from companion.session import menu_keys, offers
from companion.session.actions import Count, PlayGame
from companion.session.clock_setting import KINDS
from companion.session.model import (
    ClockSetting,
    Figure,
    Menu,
    Offered,
    PadRound,
    Resume,
    Round,
    Seats,
    Session,
    Setup,
    Spelling,
    Splash,
)
from companion.session.setup import last_head
from companion.session.spelling import LETTERS

if TYPE_CHECKING:
    from companion.panel.canvas import Canvas
    from companion.panel.fonts import Face

from companion.screens.legends import beside, changing, ok_back, scrolling, swapping

SHOWN = 5
UNDER_TITLE = 3
CHOSEN = 82
"""The width in pixels for the choices made before, beside the title."""
SPELLED = (NAME, NARROW, TEXT)
"""The faces for a name that is being spelled; the first that fits is used."""
SPELT, WHEEL, BESIDE = 30, 12, 79
"""The row of its capitals, the columns of the box of the letter that changes, and where the arrows are explained."""
MOST_HINTED = 3
"""Under the clocks of so many seats there is room for a line about the arrows."""
TAPPED = ("1-' 2abc 3def 4ghi", "5jkl 6mno 7pqrs 8tuv", "9wxyz 0 space")
"""What the digits of a keypad spell."""


def splash(canvas: Canvas, session: Session, mode: Splash) -> None:
    """The title."""
    first.splash(canvas)


def offered(canvas: Canvas, session: Session, mode: Offered) -> None:
    """A pairing of a tournament: at which table, who starts against whom, and what is played."""
    offer = mode.offer
    parts.title(canvas, offer.place, figure=f"round {offer.round}")
    for y, name in zip((17, 30), offer.names, strict=False):
        canvas.fitted(LEFT, y, name, SPELLED, 126)
    canvas.text(LEFT, 43, cut(offers.words(offer), TEXT, 126))
    parts.footer(canvas, *ok_back(session, "play it", "later"))


def resume(canvas: Canvas, session: Session, mode: Resume) -> None:
    """The question whether to resume an unfinished round."""
    header = mode.round.header
    who = " - ".join(header.names) if len(header.names) == 2 else f"{len(header.names)} players"
    left, right = ok_back(session, "go on", "menu")
    name = games.described(header.game).name if isinstance(mode.round, Round) else mode.round.pad.title
    pages.resume(
        canvas, "Go on?", mark=marks.large(header.game), name=name, lines=(who, _left_at(mode)), left=left, right=right
    )


def _left_at(mode: Resume) -> str:
    """Where the round was left."""
    if isinstance(mode.round, PadRound):
        count = len(mode.round.pad.entries)
        return f"{count} {'entry' if count == 1 else 'entries'}"
    if mode.between:
        return f"match, round {mode.round.header.number + 1}"
    moves = [text for _, text in mode.round.events if not mode.round.entry.reveals(text)]
    return "being dealt" if mode.round.waiting else f"move {len(moves) + 1}"


def menu(canvas: Canvas, session: Session, mode: Menu) -> None:
    """A list to pick from."""
    if mode.kind == "holding":
        _holding(canvas, session, mode)
        return
    if mode.title:
        parts.question(canvas, mode.title, mode.note)
    page = mode.cursor // menu_keys.PAGE
    rows = [_row(mode, index, session.buttons) for index in range(len(mode.items))]
    shown, y, pitch = (UNDER_TITLE, 19, 12) if mode.title else (SHOWN, 2, 11)
    if any(row.pairs for row in rows):
        shown, pitch = 2, 18
    first = max(page * menu_keys.PAGE, mode.cursor - shown + 1)
    menus.menu(canvas, rows, mode.cursor, first, shown=shown, y=y, pitch=pitch)
    does = mode.items[mode.cursor].does
    again = isinstance(does, PlayGame) and last_head(session, does.game) is not None
    left, right = ok_back(session, *(("new", "more") if again else _LEGENDS.get(mode.kind, ("choose", "back"))))
    parts.footer(canvas, left, right)
    if len(rows) > shown:
        scrolling(canvas, session)
    if again and (session.buttons or len(rows) <= shown):  # One more legend than that has no room.
        beside(canvas, session, left, right, "same")


SCORED = menus.BESIDE_BAR - 23
"""The width of a row of the history, between its game's icon and the scrollbar."""
_LEGENDS = {
    "main": ("choose", "more"),
    "table": ("choose", "table"),
    "more": ("choose", "menu"),
    "pad": ("choose", "pad"),
}


def _row(mode: Menu, index: int, buttons: bool) -> Row:
    """A row of a list; with a keypad it has the digit that picks it."""
    item = mode.items[index]
    digit = "" if buttons else str(index % menu_keys.PAGE + 1)
    if mode.title and not item.icon:
        shown = str(item.does.number) if digit and isinstance(item.does, Count) else digit
        return Row(item.label, item.note, digit=shown, dotted=bool(item.why))
    mark = "match" if item.icon == "match" else marks.mark(item.icon) if item.icon else ""
    if item.pairs:
        line = " - ".join(f"{name} {score}".rstrip() for name, score in item.pairs)
        room = SCORED - bool(item.note) * (TEXT.width(item.note) + 3)
        whole = TEXT.width(line) <= room
        return Row(line, item.note, mark) if whole else Row("", item.note, mark, pairs=item.pairs)
    if mode.kind == "history":
        return Row(item.label, item.note, mark)
    return Row(item.label, item.note or digit, mark, dotted=bool(item.why))


def _holding(canvas: Canvas, session: Session, mode: Menu) -> None:
    short = TEXT.width(mode.title) + TEXT.width(mode.note) > 118
    parts.title(canvas, mode.title, mode.note.split()[0] if short else mode.note)
    menus.explained(canvas, [Row(item.label, item.note, item.icon) for item in mode.items], mode.cursor)
    parts.footer(canvas, *ok_back(session, "choose", "back"))


def seats(canvas: Canvas, session: Session, mode: Seats) -> None:
    """Who sits where."""
    setup = mode.setup
    if setup.game == pad.ID:
        pad_screen.seats(canvas, setup, *ok_back(session, "start", "names"))
        swapping(canvas, session)
        return
    game = games.manifest(setup.game)
    icons = [marks.drawn(setup.game, icon) for icon in game.seat_icons] or [""] * setup.seats
    boxes = [Box(name, "", pad_screen.PLACES[index], icons[index]) for index, name in enumerate(setup.names)]
    left, right = ok_back(session, "start", "names")
    pages.players(canvas, "Players", _chosen(setup), boxes, starts=1, left=left, right=right)
    swapping(canvas, session)


def _chosen(setup: Setup) -> str:
    """The options and the length of the match; where there is no room for all, the last options go."""
    chosen, match = games.labels(setup.game, setup.options), [f"to {setup.goal}"] * bool(setup.goal)
    while chosen and TEXT.width(", ".join(chosen + match)) > CHOSEN:
        chosen.pop()
    return ", ".join(chosen + match)


def spelling(canvas: Canvas, session: Session, mode: Spelling) -> None:
    """A name being spelled."""
    whose = mode.name or (f"seat {mode.seat}" if mode.seat else "of the game")
    parts.title(canvas, "Rename" if mode.name else "New name", whose)
    if session.buttons:
        _wheel(canvas, mode.text[:-1], mode.text[-1:] or " ")
    else:
        wide = canvas.fitted(1, 15, mode.text, parts.ENTRY, 116)
        canvas.fill(3 + wide, 26, 10 + wide, 27)
        for index, keys in enumerate(TAPPED):
            canvas.text(1, 31 + 8 * index, keys)
    done, erase = ok_back(session, "done", "erase" if mode.text else "back")
    parts.footer(canvas, done if mode.text.strip() else None, erase)


def _wheel(canvas: Canvas, before: str, letter: str) -> None:
    """The name, its last letter in a box between the ones that up and down lead to; beside them what arrows do."""
    index = LETTERS.find(letter.upper())
    above, below = (LETTERS[(index + by) % len(LETTERS)].replace(" ", "_") for by in (1, -1))
    face = next((face for face in SPELLED if _ends(before, face) + WHEEL < RIGHT), SPELLED[-1])
    top = SPELT + (NAME.capitals - face.capitals) // 2
    canvas.text(LEFT, top, before, face)
    x = _ends(before, face)
    canvas.plate(x, SPELT - 3, x + WHEEL - 1, SPELT + NAME.capitals + 2)
    canvas.text(x + WHEEL // 2, top, letter, face, "c", inverse=True)
    middle = x + WHEEL // 2
    canvas.text(middle, 18, above, TEXT, "c")
    canvas.text(middle, 46, below, TEXT, "c")
    start = BESIDE if x < BESIDE - WHEEL else LEFT
    canvas.icon(start, 20, "more-up")
    canvas.icon(start + 7, 20, "more-down")
    canvas.text(start + 15, 18, "letter")
    if before or letter != " ":
        canvas.icon(start + 4, 47, "right")
        canvas.text(start + 15, 46, "next")


def _ends(before: str, face: Face) -> int:
    """The first column of the box behind the letters that stand already; a blank at the end is as wide as its box."""
    ink = face.width(before.rstrip())
    return LEFT + ink + 2 * bool(ink) + 6 * (len(before) - len(before.rstrip()))


def figure(canvas: Canvas, session: Session, mode: Figure) -> None:
    """A target or a number of turns being set."""
    pad_screen.figure(canvas, mode, *ok_back(session, "done", "erase" if mode.keys else "back"))
    if not mode.full:
        changing(canvas, session, 45)


def clock_setting(canvas: Canvas, session: Session, mode: ClockSetting) -> None:
    """The game clock being set: a row a seat with its minutes and seconds, the value under the cursor inverse."""
    setup, kind = mode.setup, KINDS[mode.delay]
    parts.title(canvas, "Clock", kind)
    if mode.on == len(mode.values):
        canvas.clear(RIGHT - TEXT.width(kind) - 2, 3, RIGHT, 14)
        canvas.tag(RIGHT, 5, kind, "r")
    names = setup.names if len(setup.names) == setup.seats else [f"seat {seat}" for seat in range(1, setup.seats + 1)]
    for at, name in enumerate(names):
        y = 18 + 9 * at if setup.seats > 2 else 19 + 12 * at
        canvas.text(LEFT, y, cut(name, TEXT, 50, setup.names))
        for which, unit, x in ((2 * at, "min", 96), (2 * at + 1, "s", RIGHT)):
            shown = f"{mode.values[which]} {unit}"
            if which == mode.on:
                canvas.tag(x, y, shown, "r")
            else:
                canvas.text(x - 2, y, shown, TEXT, "r")
    parts.footer(canvas, *ok_back(session, "done", "erase" if mode.keys else "back"))
    if setup.seats <= MOST_HINTED:
        number = mode.on < len(mode.values)
        changing(canvas, session, 45 if setup.seats > 2 else 44, walks=True, number=number)
    else:
        swapping(canvas, session)
