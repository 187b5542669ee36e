"""The screens around a game: setting up, dealing, questions, results, pages to read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from companion.panel import pages, parts
from companion.panel.canvas import RIGHT
from companion.panel.fonts import TEXT, named, wrap
from companion.panel.pages import Box
from companion.screens import doctor, phones, reading, setting_up
from companion.screens import pad as pad_screen
from companion.screens.legends import erasing, legend, ok_back
from companion.screens.reading import of_game
from companion.session import rounds
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
    Page,
    Peek,
    Phones,
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

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.panel.canvas import Canvas

ICONS = {"skip": "passed"}


def draw(canvas: Canvas, session: Session) -> None:
    """Draw the moment that the session is in."""
    _DRAW[type(session.mode)](canvas, session, session.mode)


def overlay(canvas: Canvas, session: Session) -> None:
    """What may lie over any screen: that a press was ignored, a banner, or the small sign of a device that is away."""
    if session.wait_until:
        parts.waiting(canvas)
    elif session.banner and not isinstance(session.mode, Goodbye):
        first, _, second = session.banner.partition("\n")
        if not second:
            lines = wrap(first, TEXT, 108, 2)
            first, second = lines[0], lines[1] if len(lines) > 1 else ""
        parts.banner(canvas, first, second)
    elif session.away and isinstance(session.mode, Playing | Scoring):
        canvas.clear(121, 55, 126, 63)
        canvas.icon(126, 56, "alert-small", "r")


# -- pieces -----------------------------------------------------------------------------------------------------


def _dealing(canvas: Canvas, session: Session, mode: Dealing) -> None:
    """Pieces being named: hidden ones as dots on their backs, open ones as they are."""
    round_ = session.round
    if round_ is None:
        return
    if own := of_game(round_, "dealing"):
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
    parts.footer(canvas, legend(session, left), erasing(session, mode))


def _deal_says(session: Session, mode: Dealing, noun: str) -> str:
    round_ = session.round
    assert round_ is not None
    if mode.keys:
        hidden = mode.kind in round_.game.HOLDINGS and noun != "display"
        return "half a piece entered" if hidden else f"{mode.keys}_"
    missing = mode.size - len(mode.pieces)
    others = [name for at, name in enumerate(round_.about.names, 1) if at != mode.seat]
    if mode.at is None and noun not in ("display", mode.kind):
        who = others[0] if len(others) == 1 else "Others"
        return f"{who}, look away"
    return f"{missing} to come" if missing > 0 else "complete" if missing == 0 else f"{-missing} too many"


def _deal_picker(canvas: Canvas, session: Session, mode: Dealing) -> None:
    """The row of pieces under the cursor: the one that OK adds stands inverse."""
    round_ = session.round
    assert round_ is not None
    assert mode.at is not None
    row, column = mode.at
    pieces: Any = round_.entry.grid(mode.grid, round_.options)[row]
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
    how = "while OK is held" if session.buttons and not session.settings.terminal else "for two seconds"
    left, right = ok_back(session, "show", "no")
    pages.notice(canvas, "eye", f"{who}, look away", "", f"{round_.name(mode.seat)}'s pieces, {how}", left, right)


def _peek(canvas: Canvas, session: Session, mode: Peek) -> None:
    """A player's own pieces, for its owner alone."""
    round_ = session.round
    if round_ is None:
        return
    if own := of_game(round_, "peek"):
        own(canvas, session, mode)
        return
    parts.title(canvas, f"{round_.name(mode.seat)}'s pieces")
    words = round_.entry.own(round_.game.view(round_.state, mode.seat), mode.seat)
    for at, line in enumerate(wrap(words, TEXT, 126, 5)):
        canvas.text(1, 19 + at * 9, line)


# -- questions and answers --------------------------------------------------------------------------------------


def _refusing(canvas: Canvas, session: Session, mode: Refusing) -> None:
    refused = mode.refused
    figure, against = (_with_names(words, session.round) for words in (refused.figure, refused.against))
    pages.refusal(canvas, figure, against, refused.rule, refused.needed)


def _with_names(words: str, round_: Round | None) -> str:
    """What the rules say of ``seat 2``, of the player there."""
    if round_ is None:
        return words
    if round_.about.game == "prime-attactics":
        words = re.sub(r"/(?=\d)", "÷", re.sub(r"(?<![a-z])x(?=\d)", "×", words))  # As tiles are printed.
    return re.sub(r"\bseat ([1-4])\b", lambda found: round_.name(int(found[1])), words)


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
        left, right = ok_back(session, who if fits else "agrees", "no")
        pages.question(canvas, mode.title, "", " ".join(mode.lines), boxes, left, right)
        return
    parts.title(canvas, mode.title)
    for at, line in enumerate(wrap(" ".join(mode.lines), TEXT, 126, 3)):
        canvas.text(1, 20 + 11 * at, line)
    parts.footer(canvas, *ok_back(session, "yes", "no"))


def _doctor(canvas: Canvas, session: Session, mode: Doctor) -> None:
    more, back = ok_back(session, "more", "back")
    doctor.draw(canvas, mode, back, more, (back[0], "twice: back"))


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
    label, numbers = round_.entry.result(round_.state)
    order = sorted(range(1, len(numbers) + 1), key=lambda seat: seat not in outcome.winners)
    figure = ":".join(str(numbers[seat - 1]) for seat in order)  # The heading's winner comes first.
    left, right = ok_back(session, "next" if round_.about.goal else "again", "menu")
    mark = "trophy" if len(winners) == 1 else round_.about.game
    pages.result(canvas, heading, outcome.reason, label, figure, left, right, mark)


def _match(canvas: Canvas, session: Session, mode: MatchScore) -> None:
    round_ = session.round
    if round_ is None:
        return
    won = dict(rounds.wins(round_))
    champion = rounds.champion(round_)
    ok = "menu" if champion else named("{} starts", rounds.following(round_).names[0], TEXT, 62)
    left, right = ok_back(session, ok, "result")
    mark = "trophy" if champion else ""
    note = f"{champion} wins" if champion else f"first to {round_.about.goal}"
    names = sorted(round_.about.names) if len(round_.about.names) == 2 else list(round_.about.names)
    if len(names) == 2:
        pages.match(canvas, names, note, [won.get(name, 0) for name in names], round_.about.goal, left, right, mark)
        return
    rows: list[tuple[str, list[str], str]] = [(name, [], str(won.get(name, 0))) for name in names]
    pages.standings(canvas, note, [], rows, left, right, total="wins")


def _scoring(canvas: Canvas, session: Session, mode: Scoring) -> None:
    if session.pad is not None:
        pad_screen.draw(canvas, session.pad, mode, legend(session, "menu", "BACK"))


def _pad_over(canvas: Canvas, session: Session, mode: PadOver) -> None:
    if session.pad is not None:
        pad_screen.over(canvas, session.pad, *ok_back(session, "again", "menu"))


def _goodbye(canvas: Canvas, session: Session, mode: Goodbye) -> None:
    pages.goodbye(canvas)


_DRAW: dict[type, Callable[[Canvas, Session, Any], None]] = {
    Splash: setting_up.splash,
    Resume: setting_up.resume,
    Menu: setting_up.menu,
    Seats: setting_up.seats,
    Spelling: setting_up.spelling,
    Figure: setting_up.figure,
    Dealing: _dealing,
    LookAway: _look_away,
    Peek: _peek,
    Refusing: _refusing,
    Notice: _notice,
    Ask: _ask,
    Page: reading.page,
    Doctor: _doctor,
    Phones: phones.draw,
    RoundOver: _round_over,
    MatchScore: _match,
    Scoring: _scoring,
    PadOver: _pad_over,
    Goodbye: _goodbye,
}
