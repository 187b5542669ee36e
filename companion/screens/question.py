"""Questions on the panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents.kinds import meaning
from companion.games import marks
from companion.panel import full_screens, parts
from companion.panel.canvas import LEFT
from companion.panel.fonts import NAME, NARROW, TEXT, cut, wrap
from companion.panel.full_screens import Box
from companion.screens.legends import cut_name, fitting, keys, without_name

if TYPE_CHECKING:
    from companion.contents.kinds import Pairing, Question, Resumption
    from companion.panel.canvas import Canvas

NAMES = (NAME, NARROW, TEXT)
"""The faces for a player's name; the first that fits is used."""
AGREES = {True: 61, False: 85}
"""The columns for who agrees, on a box of buttons and on a keypad."""


def question(canvas: Canvas, content: Question, *, buttons: bool) -> None:
    """A question; who is to agree stands in a box each."""
    left, right = keys(content.meanings, buttons=buttons)
    said = " ".join(content.lines)
    if content.seats and left is not None and right is not None:
        ok, room = meaning(content.meanings, "ok"), AGREES[buttons]
        forms = (ok.says, *ok.shorter) if ok is not None else ()
        words = next((each for each in forms if TEXT.width(without_name(each)) <= room), left[1])
        left = left[0], cut_name(words, room, canvas.names)
        boxes = [Box(*seat) for seat in content.seats]
        full_screens.question(canvas, content.title, content.note, said, boxes, left=left, right=right)
        return
    parts.title(canvas, content.title)
    lines = wrap(said, TEXT, 126, 4, canvas.names)
    top, pitch = (20, 11) if len(lines) < 4 else (18, 9)
    for index, line in enumerate(lines):
        canvas.text(LEFT, top + pitch * index, line)
    parts.footer(canvas, left, right)


def resumption(canvas: Canvas, content: Resumption, *, buttons: bool) -> None:
    """Whether to go on with a game, with its large mark."""
    left, right = fitting(content.meanings, buttons=buttons)
    mark, lines = marks.large(content.game), (content.players, content.left_at)
    full_screens.resume(canvas, content.title, mark=mark, name=content.name, lines=lines, left=left, right=right)


def pairing(canvas: Canvas, content: Pairing, *, buttons: bool) -> None:
    """A pairing of a tournament."""
    parts.title(canvas, content.title, figure=content.round)
    for y, name in zip((17, 30), content.names, strict=False):
        canvas.fitted(LEFT, y, name, NAMES, 126)
    canvas.text(LEFT, 43, cut(content.game, TEXT, 126))
    parts.footer(canvas, *keys(content.meanings, buttons=buttons))
