"""What holds for every picture: nothing is cut, texts keep their margin, the edge columns are dark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

from companion.contract.margins import Written, faults, noted
from companion.panel import fonts
from companion.panel.canvas import HEIGHT, LEFT, RIGHT, WIDTH, Canvas

WRONG = {
    "touches": "touches another text, a line or a picture: leave a dark pixel around it",
    "cut": "is painted over in part",
}


class Loss(NamedTuple):
    """A text that was cut, what is shown of it, and its room; `drawn` is how many texts had been drawn before."""

    whole: str
    shown: str
    room: str
    drawn: int


def checked(draw: Callable[[Canvas, Any], object], scene: Any, names: Sequence[str], *, closely: bool = True) -> bytes:
    """The picture that is drawn of a scene. AssertionError says what is wrong with it; the names alone may be cut.

    Only `closely` the margins are looked at, which takes as long as all else.
    """
    canvas = Canvas(names)
    losses: list[Loss] = []
    watch: AbstractContextManager[list[Written]] = noted() if closely else nullcontext([])
    with watch as written:
        before = fonts.on_loss
        fonts.on_loss = lambda text, shown, room: losses.append(Loss(text, shown, room, len(written)))
        try:
            draw(canvas, scene)
        finally:
            fonts.on_loss = before
    lost = next((each for each in losses if each.whole not in names), None)
    if lost and not closely:
        return checked(draw, scene, names)  # To say where.
    assert lost is None, f"{lost.whole!r} is cut: {lost.shown!r}{_where(lost, written)}: {lost.room}"
    for column in (0, WIDTH - 1):
        lit = canvas.image.crop((column, 0, column + 1, HEIGHT)).getbbox()
        assert lit is None, f"column {column} is lit; pictures have columns {LEFT} to {RIGHT}"
    _check_margins(canvas, written)
    return canvas.image.tobytes()


def _where(lost: Loss, written: list[Written]) -> str:
    """Where a text stands that was cut: the first one since then that shows a part of it."""
    found = next((each for each in written[lost.drawn :] if each.text and each.text in lost.shown), None)
    return f" at column {found.place[0]}, row {found.place[1]}" if found else ""


def _check_margins(canvas: Canvas, written: list[Written]) -> None:
    mine = [each for each in written if each.canvas is canvas]
    for text, what, pixels in faults(canvas.image, mine, tails=True):
        raise AssertionError(f"{text!r} {WRONG[what]} (at column {pixels[0][0]}, row {pixels[0][1]})")
