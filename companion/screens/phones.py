"""Phones: the address of their page as a QR code and in letters, and the questions about one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.panel import parts
from companion.panel.canvas import LEFT
from companion.panel.fonts import NAME, NAMES, TEXT, wrap
from companion.screens.legends import footer, keys

if TYPE_CHECKING:
    from companion.contents import kinds
    from companion.panel.canvas import Canvas

MODULE, QUIET = 2, 3
"""Pixels of a module of the code, and modules of quiet zone around it: version 2 takes 62 of the 64 rows."""
BESIDE = 64
"""The first column beside the code."""


def code(canvas: Canvas, content: kinds.Code, *, buttons: bool) -> None:
    """Draw QR code and URL, or what they wait for."""
    legends = keys(content.meanings, buttons=buttons)
    if not content.address:
        parts.title(canvas, content.heading)
        waiting = wrap(content.waiting, TEXT, 126, 4)
        top, pitch = (20, 10) if len(waiting) < 4 else (18, 9)
        for index, line in enumerate(waiting):
            canvas.text(LEFT, top + pitch * index, line)
        parts.footer(canvas, *legends)
        return
    _code(canvas, content.address)
    host, _, port = content.shown.rpartition(":")
    lines = (*_halves(host), f":{port}")
    titled = len(lines) > 2 or NAME.width(content.heading) >= 126 - BESIDE - 2
    if titled:
        lines = (content.heading, *lines)
    else:
        canvas.text(BESIDE + 2, 2, content.heading, NAME)
    top = 1 if titled else 15
    for index, line in enumerate(lines):
        canvas.text(BESIDE + 2, top + (8 if len(lines) > 3 else 9) * index, line)
    canvas.text(BESIDE + 2, 34, content.code, NAME)
    for y, legend in zip((47, 56), legends, strict=True):
        if legend is not None:
            wide = canvas.tag(BESIDE + 2, y, legend[0])
            canvas.text(BESIDE + 2 + wide + 3, y, legend[1])


def _halves(host: str) -> tuple[str, ...]:
    """An address in one line, or in two if it is too long."""
    if TEXT.width(host) <= 126 - BESIDE:
        return (host,)
    first = host[: host.rfind(".", 0, len(host) // 2 + 2) + 1]
    return first, host[len(first) :]


def _code(canvas: Canvas, address: str) -> None:
    """Draw the URL as a QR code, dark on a lit square; nothing if the library is not installed."""
    try:
        import segno
    except ImportError:
        return
    made = segno.make(address.upper(), micro=False, error="l", boost_error=False)
    rows = [bytes(row) for row in made.matrix]
    size = len(rows) * MODULE + 2 * QUIET * MODULE
    left, top = LEFT, (64 - size) // 2
    canvas.fill(left, top, left + size - 1, top + size - 1)
    for y, row in enumerate(rows):
        for x, dark in enumerate(row):
            if dark:
                x0, y0 = left + (x + QUIET) * MODULE, top + (y + QUIET) * MODULE
                canvas.clear(x0, y0, x0 + MODULE - 1, y0 + MODULE - 1)


def question(canvas: Canvas, content: kinds.PhoneQuestion, *, buttons: bool) -> None:
    """Draw whose phone it is, and what it must show."""
    parts.title(canvas, content.title, figure=content.figure)
    said, name = (17, 27) if content.must_show else (20, 32)
    canvas.text(LEFT, said, content.said)
    canvas.fitted(LEFT, name, content.name, NAMES, 126)
    if content.digits:
        wide = canvas.text(LEFT, 43, content.must_show)
        canvas.text(LEFT + wide + 6, 42, content.digits, NAME)
    footer(canvas, content.meanings, buttons=buttons)
