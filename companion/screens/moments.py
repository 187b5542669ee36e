"""The screens around a game: setting up, dealing, questions, results, pages to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from companion.game.opponent import look_away
from companion.game.result import heading
from companion.panel import pages, parts, results
from companion.panel.fonts import TEXT, named, wrap
from companion.panel.pages import Box
from companion.screens import doctor, hints, marks, mending, phones, reading, scene, setting_up
from companion.screens import pad as pad_screen
from companion.screens.legends import beside, legend, ok_back
from companion.session import guard, hooks, rounds
from companion.session.model import (
    Ask,
    ClockSetting,
    Dealing,
    Doctor,
    Figure,
    Goodbye,
    Hint,
    Letting,
    LookAway,
    MatchScore,
    Mending,
    Menu,
    Notice,
    Offered,
    PadOver,
    PadSheet,
    Page,
    Peek,
    Phones,
    Playing,
    Refusing,
    Resume,
    RoundOver,
    Scoring,
    Seats,
    Session,
    Spelling,
    Splash,
    Walk,
)

if TYPE_CHECKING:
    from companion.panel.canvas import Canvas

ICONS = {"skip": "passed"}


def draw(canvas: Canvas, session: Session) -> None:
    """Draw the session's mode; while a move is due the game draws its own screen."""
    mode = session.mode
    match mode:
        case Splash():
            setting_up.splash(canvas, session, mode)
        case Resume():
            setting_up.resume(canvas, session, mode)
        case Menu():
            setting_up.menu(canvas, session, mode)
        case Seats():
            setting_up.seats(canvas, session, mode)
        case Spelling():
            setting_up.spelling(canvas, session, mode)
        case Figure():
            setting_up.figure(canvas, session, mode)
        case ClockSetting():
            setting_up.clock_setting(canvas, session, mode)
        case Page():
            reading.page(canvas, session, mode)
        case Doctor():
            _doctor(canvas, session, mode)
        case Phones():
            phones.draw(canvas, session, mode)
        case Letting():
            phones.letting(canvas, session, mode)
        case Offered():
            setting_up.offered(canvas, session, mode)
        case PadSheet():
            _pad_sheet(canvas, session, mode)
        case Walk():
            reading.walk(canvas, session, mode)
        case Goodbye():
            _goodbye(canvas, session, mode)
        case Playing():
            pass
        case _:
            _at_table(canvas, session, mode)


def _at_table(
    canvas: Canvas,
    session: Session,
    mode: Dealing
    | LookAway
    | Hint
    | Peek
    | Mending
    | Refusing
    | Notice
    | Ask
    | RoundOver
    | MatchScore
    | Scoring
    | PadOver,
) -> None:
    """Draw a mode of a round or score pad."""
    match mode:
        case Dealing():
            _dealing(canvas, session, mode)
        case LookAway():
            _look_away(canvas, session, mode)
        case Hint():
            hints.draw(canvas, session, mode)
        case Peek():
            _peek(canvas, session, mode)
        case Mending():
            mending.draw(canvas, session, mode)
        case Refusing():
            _refusing(canvas, session, mode)
        case Notice():
            _notice(canvas, session, mode)
        case Ask():
            _ask(canvas, session, mode)
        case RoundOver():
            _round_over(canvas, session, mode)
        case MatchScore():
            _match(canvas, session, mode)
        case Scoring():
            _scoring(canvas, session, mode)
        case PadOver():
            _pad_over(canvas, session, mode)
        case _:
            assert_never(mode)


def overlay(canvas: Canvas, session: Session) -> None:
    """Draw over any screen: that a press was ignored, a banner, or the small sign of a missing device."""
    if session.wait_until:
        parts.waiting(canvas)
    elif session.banner and not isinstance(session.mode, Goodbye):
        first, _, second = session.banner.partition("\n")
        if not second:
            lines = wrap(first, TEXT, 108, 2)
            first, second = lines[0], lines[1] if len(lines) > 1 else ""
        parts.banner(canvas, first, second)
    elif session.missing_devices and isinstance(session.mode, Playing | Scoring):
        canvas.clear(121, 55, 126, 63)
        canvas.icon(126, 56, "alert-small", "r")


# -- pieces -----------------------------------------------------------------------------------------------------


def _dealing(canvas: Canvas, session: Session, mode: Dealing) -> None:
    """Draw pieces that are being named."""
    if (round_ := session.round) is not None:
        scene.screen(round_).naming(canvas, scene.naming(session, round_, mode))


def _look_away(canvas: Canvas, session: Session, mode: LookAway) -> None:
    round_ = session.round
    if round_ is None:
        return
    how = "while OK is held" if session.buttons and not session.settings.terminal else "for two seconds"
    left, right = ok_back(session, "show", "no")
    how = "to mend one" if mode.mending is not None else how
    name, away = round_.name(mode.seat), look_away(round_.header.names, mode.seat)
    what = f"A hint for {name}" if mode.hint is not None else f"{name}'s pieces, {how}"
    pages.notice(canvas, "eye", away or f"For {name}", "", what, left=left, right=right)


def _peek(canvas: Canvas, session: Session, mode: Peek) -> None:
    """Draw a player's own pieces."""
    if (round_ := session.round) is not None:
        scene.screen(round_).peek(canvas, scene.peek(round_, mode))


# -- questions and answers --------------------------------------------------------------------------------------


def _refusing(canvas: Canvas, session: Session, mode: Refusing) -> None:
    refused = mode.refused
    figure, against = (hooks.with_names(words, session.round) for words in (refused.figure, refused.against))
    left = pages.TRY_AGAIN if guard.takes_any_key(session) else None
    pages.refusal(canvas, figure, against, refused.rule, refused.needed, left=left)


def _notice(canvas: Canvas, session: Session, mode: Notice) -> None:
    said = " ".join(mode.lines)
    left = pages.ANY_KEY if guard.takes_any_key(session) else None
    pages.notice(canvas, ICONS.get(mode.icon, mode.icon), mode.heading, said, mode.after, left=left)


def _ask(canvas: Canvas, session: Session, mode: Ask) -> None:
    round_ = session.round
    if mode.must_agree and round_ is not None:
        asked = mode.must_agree[len(mode.agreed)] if len(mode.agreed) < len(mode.must_agree) else 0
        boxes = [
            Box(round_.name(seat), "yes" if seat in mode.agreed else "asked" if seat == asked else "")
            for seat in sorted(mode.must_agree)
        ]
        who = named("{} agrees", round_.name(asked), TEXT, 61 if session.buttons else 85, round_.header.names)
        left, right = ok_back(session, who, "no")
        pages.question(canvas, mode.title, "", " ".join(mode.lines), boxes, left=left, right=right)
        return
    parts.title(canvas, mode.title)
    for index, line in enumerate(wrap(" ".join(mode.lines), TEXT, 126, 3, canvas.names)):
        canvas.text(1, 20 + 11 * index, line)
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
    title = heading(winners, len(round_.header.names))
    numbers = round_.counted
    seats = range(1, len(numbers) + 1)
    order = sorted(seats, key=lambda seat: (seat not in outcome.winners, -numbers[seat - 1]))  # The winner comes first.
    rows = [(round_.name(seat), numbers[seat - 1]) for seat in order]
    left, right = ok_back(session, "next" if round_.header.goal else "again", "menu")
    mark = "trophy" if len(winners) == 1 else marks.mark(round_.header.game)
    results.result(canvas, title, outcome.reason, round_.manifest.counts, rows, left=left, right=right, mark=mark)
    beside(canvas, session, left, right, "why?", way="down")


def _match(canvas: Canvas, session: Session, mode: MatchScore) -> None:
    round_ = session.round
    if round_ is None:
        return
    won = dict(rounds.wins(round_))
    champion = rounds.champion(round_)
    starts = f"{rounds.following(round_).names[0]} starts"
    back = "menu" if champion else "result"
    room = parts.beside(*(key for key, _ in ok_back(session, "", back))) - TEXT.width(back)
    wordings = ("rematch",) if champion else (starts, "next round", "next")
    ok = next((words for words in wordings if TEXT.width(words) <= room), wordings[-1])
    left, right = ok_back(session, ok, back)
    mark = "trophy" if champion else ""
    note = f"{champion} wins" if champion else f"first to {round_.header.goal}"
    names = sorted(round_.header.names) if len(round_.header.names) == 2 else list(round_.header.names)
    if len(names) == 2:
        results.match(
            canvas,
            names,
            note,
            [won.get(name, 0) for name in names],
            round_.header.goal,
            left=left,
            right=right,
            mark=mark,
        )
        return
    rows: list[tuple[str, list[str], str]] = [(name, [], str(won.get(name, 0))) for name in names]
    results.standings(canvas, note, [], rows, left=left, right=right, total="wins")


def _scoring(canvas: Canvas, session: Session, mode: Scoring) -> None:
    if session.pad is not None:
        pad_screen.draw(canvas, session.pad, mode, legend(session, "menu", "BACK"), dealer=session.dealer)


def _pad_sheet(canvas: Canvas, session: Session, mode: PadSheet) -> None:
    if session.pad is not None:
        pad_screen.running(canvas, session.pad, mode, legend(session, "back", "BACK"))


def _pad_over(canvas: Canvas, session: Session, mode: PadOver) -> None:
    if session.pad is not None:
        pad_screen.over(canvas, session.pad, *ok_back(session, "again", "menu"))


def _goodbye(canvas: Canvas, session: Session, mode: Goodbye) -> None:
    pages.goodbye(canvas)
