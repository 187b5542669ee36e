"""Content → panel: each kind of content is drawn by one function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.contents import kinds
from companion.game.screen import NamingScene, PageScene, PeekScene, Scene
from companion.games.plain import PLAIN
from companion.languages import text
from companion.panel import full_screens
from companion.panel.canvas import LEFT, RIGHT
from companion.panel.fonts import TEXT, cut
from companion.screens import (
    choice,
    doctor,
    figures,
    first,
    form,
    letters,
    mending,
    pad,
    phones,
    question,
    reading,
    rest,
    result,
)
from companion.screens.legends import keys

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.contents.kinds import Content
    from companion.panel.canvas import Canvas

ICONS = {"skip": "passed"}
"""The icons whose drawing has another name than what it says."""


def last_page(content: Content | None, names: Sequence[str]) -> int | None:
    """The number of the last page, from 0, of what is split into pages where it is shown; None for anything else.

    `names` are all that the screen may show.
    """
    match content:
        case kinds.Reading(parted=False):
            return len(reading.in_pages(content, names)) - 1
        case kinds.Standings():
            return figures.last_of(content.rows) + len(content.matches)
        case kinds.AllTime():
            return figures.last_of_all_time(content)
    return None


def notice(canvas: Canvas, content: kinds.Notice, *, buttons: bool) -> None:
    """A message with its icon."""
    left, right = keys(content.meanings, buttons=buttons)
    left = full_screens.ANY_KEY if kinds.meaning(content.meanings, "any") else left
    if content.icon == "eye":
        full_screens.look_away(canvas, content.heading, content.follows, left=left, right=right)
        return
    icon = ICONS.get(content.icon, content.icon)
    full_screens.notice(canvas, icon, content.heading, content.said, content.follows, left=left, right=right)


def refusal(canvas: Canvas, content: kinds.Refusal, *, buttons: bool) -> None:
    """Why a move is refused."""
    again, right = kinds.meaning(content.meanings, "any"), keys(content.meanings, buttons=buttons)[1]
    left = (full_screens.ANY_KEY[0], again.says) if again else None
    full_screens.refusal(canvas, content.figure, content.against, content.rule, content.needed, left=left, right=right)


def drawn(canvas: Canvas, content: kinds.Drawn, *, buttons: bool) -> None:
    """What a game draws itself, in words where it has no screen."""
    screen = games.load_screen(content.game) or PLAIN
    match content.scene:
        case Scene() as scene:
            screen.draw(canvas, _with_clock(scene))
        case NamingScene() as scene:
            screen.naming(canvas, scene)
        case PeekScene() as scene:
            screen.peek(canvas, scene)
        case PageScene() as scene:
            screen.page(canvas, scene)


def _with_clock(scene: Scene) -> Scene:
    """The scene with its clock, if it has one, in words: whose the times are."""
    if not scene.clock or scene.say:
        return scene
    if not scene.counts_down:
        name = cut(scene.name(scene.turn or 1), TEXT, 26, scene.names)
        times = text("{turn}, sum {round}", turn=scene.clock[0], round=scene.clock[1])
        return scene._replace(say=f"{name} {times}")
    names = scene.names if len(scene.clock) == 2 else (scene.name(scene.turn or 1),)
    room = (RIGHT - LEFT - 5 * (len(scene.clock) - 1)) // len(scene.clock)
    said = [
        f"{cut(name, TEXT, room - TEXT.width(f' {left}'), scene.names)} {left}"
        for name, left in zip(names, scene.clock, strict=True)
    ]
    return scene._replace(say="  ".join(said))


def cover(canvas: Canvas, content: kinds.Cover, *, buttons: bool) -> None:
    """The title, or the last picture."""
    if content.last:
        full_screens.goodbye(canvas)
    else:
        first.splash(canvas)


DRAWN_BY: dict[type[Content], Callable[..., None]] = {
    kinds.Notice: notice,
    kinds.Question: question.question,
    kinds.Refusal: refusal,
    kinds.Result: result.result,
    kinds.MatchResult: result.match,
    kinds.Cover: cover,
    kinds.Scores: pad.scores,
    kinds.Sheet: pad.sheet,
    kinds.Resumption: question.resumption,
    kinds.Pairing: question.pairing,
    kinds.Reading: reading.reading,
    kinds.Parts: reading.of_parts,
    kinds.Progress: reading.progress,
    kinds.Claims: reading.claims,
    kinds.Standings: figures.standings,
    kinds.AllTime: figures.all_time,
    kinds.OwnPieces: mending.own_pieces,
    kinds.Mend: mending.mend,
    kinds.Findings: doctor.draw,
    kinds.Code: phones.code,
    kinds.PhoneQuestion: phones.question,
    kinds.Drawn: drawn,
    kinds.Rest: rest.rest,
    kinds.Choice: choice.choice,
    kinds.Seating: form.seating,
    kinds.Amount: form.amount,
    kinds.Form: form.form,
    kinds.Letters: letters.letters,
}
"""The function that draws each kind of content: on a canvas, its keys named as on `buttons` or as on a keypad."""


def draw(canvas: Canvas, content: Content, *, buttons: bool) -> None:
    """Draw a content; `buttons`: the keys are named as on a box of buttons, else as on a keypad."""
    DRAWN_BY[type(content)](canvas, content, buttons=buttons)
