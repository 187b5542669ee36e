"""The screens around a game: setting up, dealing, questions, results, pages to read."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from typing import TYPE_CHECKING, Any

from companion import pad
from companion.games import GAMES
from companion.screens import doctor, first, pages, parts
from companion.screens import pad as pad_screen
from companion.screens.canvas import RIGHT
from companion.screens.fonts import TEXT, balanced, cut, named, wrap
from companion.screens.pages import Box
from companion.screens.parts import Row
from companion.session import lists, rounds
from companion.session.model import (
    Ask,
    Dealing,
    Doctor,
    Figure,
    Goodbye,
    LookAway,
    MatchScore,
    Menu,
    Notice,
    PadOver,
    PadRound,
    Page,
    Peek,
    Playing,
    Refusing,
    Resume,
    Round,
    RoundOver,
    Scoring,
    Seats,
    Session,
    Spelling,
    Splash,
)
from companion.session.setup import LETTERS, MENU

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.screens.canvas import Canvas
    from companion.screens.parts import Legend

ICONS = {"skip": "passed"}
SHOWN = 5
UNDER_TITLE = 3


def draw(canvas: Canvas, session: Session) -> None:
    """Draw the moment that the session is in."""
    _DRAW[type(session.mode)](canvas, session, session.mode)


def overlay(canvas: Canvas, session: Session) -> None:
    """What may lie over any screen: a banner, or the small sign of a device that is away."""
    if session.banner and not isinstance(session.mode, Goodbye):
        first, _, second = session.banner.partition("\n")
        if not second:
            lines = wrap(first, TEXT, 108, 2)
            first, second = lines[0], lines[1] if len(lines) > 1 else ""
        parts.banner(canvas, first, second)
    elif session.away and isinstance(session.mode, Playing | Scoring):
        canvas.clear(121, 55, 126, 63)
        canvas.icon(126, 56, "alert-small", "r")


def legend(session: Session, does: str, key: str = "OK") -> Legend:
    """A key's tag as the device last used calls it, and what it does."""
    if not session.buttons:
        key = {"OK": "#", "BACK": "*"}.get(key, key)
    return key, does


def _ok_back(session: Session, ok: str, back: str) -> tuple[Legend, Legend]:
    return legend(session, ok), legend(session, back, "BACK")


# -- setting up -------------------------------------------------------------------------------------------------


def _splash(canvas: Canvas, session: Session, mode: Splash) -> None:
    first.splash(canvas)


def _resume(canvas: Canvas, session: Session, mode: Resume) -> None:
    about = mode.round.about
    who = " - ".join(about.names) if len(about.names) == 2 else f"{len(about.names)} players"
    left, right = _ok_back(session, "go on", "menu")
    name = MENU[about.game] if isinstance(mode.round, Round) else mode.round.pad.title
    pages.resume(canvas, "Go on?", f"{about.game}-large", name, (who, _left_at(mode)), left, right)


def _left_at(mode: Resume) -> str:
    """Where the round was left."""
    if isinstance(mode.round, PadRound):
        count = len(mode.round.pad.entries)
        return f"{count} {'entry' if count == 1 else 'entries'}"
    if mode.between:
        return f"round {mode.round.about.number + 1} of the match"
    return "being dealt" if mode.round.waiting else f"move {len(mode.round.events) + 1}"


def _menu(canvas: Canvas, session: Session, mode: Menu) -> None:
    if mode.kind == "holding":
        _holding(canvas, session, mode)
        return
    if mode.title:
        parts.title(canvas, mode.title, mode.note)
    page = mode.cursor // lists.PAGE
    rows = [_row(mode, at) for at in range(len(mode.items))]
    shown = UNDER_TITLE if mode.title else SHOWN
    first = max(page * lists.PAGE, mode.cursor - shown + 1)
    y, pitch = (19, 12) if mode.title else (2, 11)
    parts.menu(canvas, rows, mode.cursor, first, shown=shown, y=y, pitch=pitch)
    parts.footer(canvas, *_ok_back(session, *_LEGENDS.get(mode.kind, ("choose", "back"))))


_LEGENDS = {
    "main": ("choose", "more"),
    "table": ("choose", "table"),
    "more": ("choose", "menu"),
    "name": ("choose", "seats"),
    "pad": ("choose", "pad"),
}


def _row(mode: Menu, at: int) -> Row:
    item = mode.items[at]
    digit = str(at % lists.PAGE + 1)
    if mode.kind == "main":
        return Row(item.label, digit, item.note)
    if mode.kind == "option":
        return Row(item.label, item.note, "chosen" if at == mode.cursor else "free")
    return Row(item.label, item.note or (item.does if mode.kind == "how many" else digit), item.icon)


def _holding(canvas: Canvas, session: Session, mode: Menu) -> None:
    parts.title(canvas, mode.title, mode.note)
    parts.explained(canvas, [Row(item.label, item.note, item.does) for item in mode.items], mode.cursor)
    parts.footer(canvas, *_ok_back(session, "choose", "back"))


def _seats(canvas: Canvas, session: Session, mode: Seats) -> None:
    setup = mode.setup
    if setup.game == pad.ID:
        pad_screen.seats(canvas, setup, *_ok_back(session, "start", "change"))
        return
    discs = ("full-disc", "broken-disc") if setup.game == "27" else ("",) * setup.seats
    boxes = [Box(name, "", pad_screen.PLACES[at], discs[at]) for at, name in enumerate(setup.names)]
    left, right = _ok_back(session, "start", "change")
    pages.players(canvas, "Players", MENU[setup.game], boxes, 1, left, right)


def _spelling(canvas: Canvas, session: Session, mode: Spelling) -> None:
    parts.title(canvas, "New name", f"seat {mode.seat}" if mode.seat else "of the game")
    wide = canvas.fitted(1, 19, mode.text, parts.ENTRY, 116)
    canvas.fill(3 + wide, 31, 10 + wide, 32)
    if session.buttons:
        _letters(canvas, mode.text[-1:].upper() or " ")
    else:
        canvas.text(1, 36, "1-' 2abc 3def 4ghi 5jkl")
        canvas.text(1, 45, "6mno 7pqrs 8tuv 9wxyz")
    parts.footer(canvas, *_ok_back(session, "done", "erase"))


def _letters(canvas: Canvas, chosen: str) -> None:
    """The letters that up and down go through, the chosen one inverse in the middle; what right does."""
    at = LETTERS.find(chosen)
    for by in range(-4, 5):
        letter = LETTERS[(at + by) % len(LETTERS)].replace(" ", "_")
        if by:
            canvas.text(64 + 12 * by + (3 if by > 0 else -3), 36, letter, TEXT, "c")
        else:
            canvas.fill(58, 34, 69, 44)
            canvas.text(64, 36, letter, TEXT, "c", inverse=True)
    canvas.text(64, 46, "right: one more letter", TEXT, "c")


def _figure(canvas: Canvas, session: Session, mode: Figure) -> None:
    pad_screen.figure(canvas, mode, *_ok_back(session, "choose", "back"))


# -- pieces -----------------------------------------------------------------------------------------------------


def _dealing(canvas: Canvas, session: Session, mode: Dealing) -> None:
    """Pieces being named: hidden ones as dots on their backs, open ones as they are."""
    round_ = session.round
    if round_ is None:
        return
    if own := _of_game(round_, "dealing"):
        own(canvas, session, mode)
        return
    entered = len(mode.pieces)
    noun = round_.entry.HOLDINGS[mode.kind][0] if mode.kind in round_.entry.HOLDINGS else mode.kind
    parts.title(canvas, f"{round_.name(mode.seat)}'s {noun}", figure=f"{entered}/{mode.size}")
    masked = [round_.entry.masked(mode.kind, piece) for piece in mode.pieces]
    if mode.kind == "rack" or (mode.kind in round_.game.HOLDINGS and noun != "display"):
        parts.cards(canvas, entered, mode.size)
    else:
        shown = ["•" if hidden else piece for piece, hidden in zip(mode.pieces, masked, strict=True)]
        for at, line in enumerate(wrap(" ".join(shown), TEXT, 124, 2)):
            canvas.text(2, 20 + 10 * at, line)
    canvas.text(1, 42 if mode.at is None else 46, _deal_says(session, mode, noun))
    if mode.at is not None:
        _deal_picker(canvas, session, mode)
    left = "done" if entered >= mode.size and not mode.keys else "add" if mode.at is not None else "done"
    parts.footer(canvas, *_ok_back(session, left, "erase"))


def _of_game(round_: Round, name: str) -> Callable[[Canvas, Session, Any], None] | None:
    """A game's own drawing of a moment (``dealing``, ``page``, ``peek``), where its screen has one."""
    drawing: Callable[[Canvas, Session, Any], None] | None
    drawing = getattr(import_module(f"companion.screens.{GAMES[round_.about.game]}"), name, None)
    return drawing


def _deal_says(session: Session, mode: Dealing, noun: str) -> str:
    round_ = session.round
    assert round_ is not None
    if mode.keys:
        hidden = mode.kind in round_.game.HOLDINGS and noun != "display"
        return "half a piece entered" if hidden else f"{mode.keys}_"
    missing = mode.size - len(mode.pieces)
    others = [name for at, name in enumerate(round_.about.names, 1) if at != mode.seat]
    if mode.at is None and noun not in ("display", mode.kind):
        who = others[0] if len(others) == 1 else "the others"
        return f"{who}, look away please" if len(others) == 1 else "Others, look away please"
    return f"{missing} to come" if missing > 0 else "complete" if missing == 0 else f"{-missing} too many"


def _deal_picker(canvas: Canvas, session: Session, mode: Dealing) -> None:
    """The row of pieces under the cursor: the one that OK adds stands inverse."""
    round_ = session.round
    assert round_ is not None
    assert mode.at is not None
    row, column = mode.at
    pieces: Any = round_.entry.grid(mode.kind, round_.options)[row]
    x = 1
    canvas.clear(1, 36, 126, 54)
    # The chosen piece stays near the middle, so that its neighbours on both sides are in sight.
    for at in range(max(0, min(column - 3, len(pieces) - 7)), len(pieces)):
        wide = TEXT.width(pieces[at])
        if x + wide + 3 > RIGHT:
            break
        if at == column:
            x += canvas.tag(x, 40, pieces[at]) + 4
        else:
            x += canvas.text(x, 40, pieces[at]) + 6


def _look_away(canvas: Canvas, session: Session, mode: LookAway) -> None:
    round_ = session.round
    if round_ is None:
        return
    others = [name for at, name in enumerate(round_.about.names, 1) if at != mode.seat]
    who = others[0] if len(others) == 1 else "Others"
    how = "while OK is held" if session.buttons else "for two seconds"
    left, right = _ok_back(session, "show", "no")
    pages.notice(canvas, "eye", f"{who}, look away", "", f"{round_.name(mode.seat)}'s pieces, {how}", left, right)


def _peek(canvas: Canvas, session: Session, mode: Peek) -> None:
    """A player's own pieces, for its owner alone."""
    round_ = session.round
    if round_ is None:
        return
    if own := _of_game(round_, "peek"):
        own(canvas, session, mode)
        return
    parts.title(canvas, f"{round_.name(mode.seat)}'s pieces")
    words = round_.entry.own(round_.game.view(round_.state, mode.seat), mode.seat)
    for at, line in enumerate(wrap(words, TEXT, 126, 5)):
        canvas.text(1, 19 + at * 9, line)


# -- questions and answers --------------------------------------------------------------------------------------


def _refusing(canvas: Canvas, session: Session, mode: Refusing) -> None:
    refused = mode.refused
    pages.refusal(canvas, refused.figure, refused.against, refused.rule, refused.needed)


def _notice(canvas: Canvas, session: Session, mode: Notice) -> None:
    said = " ".join(mode.lines)
    pages.notice(canvas, ICONS.get(mode.icon, mode.icon), mode.heading, said, mode.after)


def _ask(canvas: Canvas, session: Session, mode: Ask) -> None:
    round_ = session.round
    if mode.wanted and round_ is not None:
        asked = mode.wanted[len(mode.agreed)] if len(mode.agreed) < len(mode.wanted) else 0
        boxes = [
            Box(round_.name(seat), "yes" if seat in mode.agreed else "asked" if seat == asked else "")
            for seat in sorted(mode.wanted)
        ]
        who = f"{round_.name(asked)} agrees"  # The box tells who is asked, where the name is too long.
        fits = TEXT.width(who) <= (52 if session.buttons else 74)
        left, right = _ok_back(session, who if fits else "agrees", "no")
        pages.question(canvas, mode.title, "", " ".join(mode.lines), boxes, left, right)
        return
    parts.title(canvas, mode.title)
    for at, line in enumerate(wrap(" ".join(mode.lines), TEXT, 126, 3)):
        canvas.text(1, 20 + 11 * at, line)
    parts.footer(canvas, *_ok_back(session, "yes", "no"))


def _page(canvas: Canvas, session: Session, mode: Page) -> None:
    if mode.kind == "standings":
        _standings(canvas, session, mode)
        return
    if mode.kind == "ever":
        _ever(canvas, session, mode)
        return
    if mode.kind == "claims":
        _claim(canvas, session, mode)
        return
    own = _of_game(session.round, "page") if session.round and mode.kind in ("sheet", "tiles") else None
    if own is not None:
        own(canvas, session, mode)
        return
    title, *lines = mode.lines or (mode.kind.capitalize(),)
    parts.title(canvas, *title.split("\t"))
    wrapped = [part for line in lines for part in wrap(line, TEXT, 126)]
    last = max(0, (len(wrapped) - 1) // 4)
    shown = min(mode.at, last)
    for at, line in enumerate(wrapped[shown * 4 : shown * 4 + 4]):
        canvas.text(1, 19 + at * 9, line)
    if mode.kept is not None and not mode.kept.result:
        parts.footer(canvas, *_ok_back(session, "go on with it", "back"))
    else:
        parts.footer(canvas, legend(session, "back"))
        if last:
            canvas.text(RIGHT, parts.LAST, f"{shown + 1}/{last + 1}", TEXT, "r")


def _ever(canvas: Canvas, session: Session, mode: Page) -> None:
    """Standings of all time: rounds won of those played, and the rating with its doubt."""
    parts.title(canvas, "All time", "rating")
    canvas.text(74, 5, "won", TEXT, "r")
    first = min(mode.at * 4, max(0, (len(mode.lines) - 1) // 4 * 4))
    for at, line in enumerate(mode.lines[first : first + 4]):
        name, won, rating = line.split("\t")
        y = 18 + 9 * at
        canvas.text(RIGHT, y, rating, TEXT, "r")
        end = 74 - canvas.text(74, y, won, TEXT, "r") - 5
        end -= parts.more(canvas, end, y, at == 0 and first > 0, at == 3 and first + 4 < len(mode.lines))
        canvas.text(1, y, cut(name, TEXT, end))
    if not mode.lines:
        canvas.text(1, 22, "No round has ended yet.")
    parts.footer(canvas, legend(session, "back"))


def _doctor(canvas: Canvas, session: Session, mode: Doctor) -> None:
    more, back = _ok_back(session, "more", "back")
    doctor.draw(canvas, mode, back, more, (back[0], "twice: back"))


def _claim(canvas: Canvas, session: Session, mode: Page) -> None:
    """One false "I cannot" that the round has proven."""
    who, move, could = mode.lines[mode.at].split("\t")
    number = f"{mode.at + 1}/{len(mode.lines)}" if len(mode.lines) > 1 else ""
    parts.title(canvas, "False claim", figure=number)
    lines = balanced(could, TEXT, 126, 3)
    canvas.text(1, 20 if len(lines) < 3 else 18, named(f"{{}}, {move}", who, TEXT, 126))
    for at, line in enumerate(lines):
        canvas.text(1, (31 if len(lines) < 3 else 28) + 9 * at, line)
    parts.footer(canvas, *_ok_back(session, "next", "result" if isinstance(mode.back, RoundOver) else "back"))


def _standings(canvas: Canvas, session: Session, mode: Page) -> None:
    """Round wins of the evening: names down, games across."""
    results = (*session.past.tonight, *session.past.fresh)
    played = [game for game in MENU if any(result.game == game for result in results)]
    names = dict.fromkeys(name for result in results for name in result.names)
    table = []
    for name in names:
        won = [
            sum(result.game == game and _won(result, name) for result in results)
            if any(result.game == game and name in result.names for result in results)
            else None
            for game in played
        ]
        total = sum(count or 0 for count in won)
        table.append((name, ["-" if count is None else str(count) for count in won], total))
    sat = Counter(name for result in results for name in result.names)
    table.sort(key=lambda row: (-row[2], sat[row[0]], row[0]))  # As `companion standings` has them.
    rows = [(name, cells, str(total)) for name, cells, total in table]
    at = min(mode.at * 4, max(0, (len(rows) - 1) // 4 * 4))
    if not rows:
        parts.title(canvas, "Tonight")
        canvas.text(1, 22, "No round has ended yet.")
        parts.footer(canvas, *_ok_back(session, "all time", "back"))
        return
    left, right = _ok_back(session, "all time", "back")
    pages.standings(canvas, "Tonight", played, rows, left, right, first=at)


def _won(result: Any, name: str) -> bool:
    return len(result.winners) == 1 and result.names[result.winners[0] - 1] == name


# -- results ----------------------------------------------------------------------------------------------------


def _round_over(canvas: Canvas, session: Session, mode: RoundOver) -> None:
    round_ = session.round
    if round_ is None:
        return
    outcome = round_.outcome
    winners = [round_.name(seat) for seat in outcome.winners]
    heading = f"{winners[0]} wins" if len(winners) == 1 else "A draw"
    if 1 < len(winners) < len(round_.about.names):
        heading = "Shared win"
    label, figure = round_.entry.result(round_.state, round_.about.names)
    left, right = _ok_back(session, "next", "menu")
    mark = "trophy" if len(winners) == 1 else round_.about.game
    pages.result(canvas, heading, outcome.reason, label, figure, left, right, mark)


def _match(canvas: Canvas, session: Session, mode: MatchScore) -> None:
    round_ = session.round
    if round_ is None:
        return
    won = dict(rounds.wins(round_))
    champion = rounds.champion(round_)
    ok = "menu" if champion else f"{rounds.following(round_).names[0]} starts"
    left, right = _ok_back(session, ok, "result")
    note = f"{champion} wins" if champion else f"first to {round_.about.goal}"
    names = sorted(round_.about.names) if len(round_.about.names) == 2 else list(round_.about.names)
    if len(names) == 2:
        pages.match(canvas, names, note, [won.get(name, 0) for name in names], round_.about.goal, left, right)
        return
    rows: list[tuple[str, list[str], str]] = [(name, [], str(won.get(name, 0))) for name in names]
    pages.standings(canvas, note, [], rows, left, right, total="wins")


def _scoring(canvas: Canvas, session: Session, mode: Scoring) -> None:
    if session.pad is not None:
        pad_screen.draw(canvas, session.pad, mode, legend(session, "menu", "BACK"))


def _pad_over(canvas: Canvas, session: Session, mode: PadOver) -> None:
    if session.pad is not None:
        pad_screen.over(canvas, session.pad, *_ok_back(session, "again", "menu"))


def _goodbye(canvas: Canvas, session: Session, mode: Goodbye) -> None:
    pages.goodbye(canvas)


_DRAW: dict[type, Callable[[Canvas, Session, Any], None]] = {
    Splash: _splash, Resume: _resume, Menu: _menu, Seats: _seats, Spelling: _spelling, Figure: _figure,
    Dealing: _dealing, LookAway: _look_away, Peek: _peek, Refusing: _refusing, Notice: _notice, Ask: _ask, Page: _page,
    Doctor: _doctor, RoundOver: _round_over, MatchScore: _match, Scoring: _scoring, PadOver: _pad_over,
    Goodbye: _goodbye,
}  # fmt: skip
