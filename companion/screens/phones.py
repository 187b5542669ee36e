"""How a phone reaches the table's page: its URL as a QR code and in letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.panel import parts
from companion.panel.canvas import LEFT
from companion.panel.fonts import NAME, NAMES, TEXT, wrap
from companion.screens.legends import ok_back
from companion.session import phones

if TYPE_CHECKING:
    from companion.panel.canvas import Canvas
    from companion.session.model import Letting, Phones, Session

MODULE, QUIET = 2, 3
"""Pixels of a module of the code, and modules of quiet zone around it: version 2 takes 62 of the 64 rows."""
HOST = "the host"
"""Whose a phone is that may see the host's pages."""
BESIDE = 64
"""The first column beside the code."""


def draw(canvas: Canvas, session: Session, mode: Phones) -> None:
    """Draw QR code and URL, or how to start the pages if they are not served."""
    if not session.pages:
        parts.title(canvas, "Phones")
        for index, line in enumerate(wrap("Waiting for the page: start companion web beside this table", TEXT, 126, 3)):
            canvas.text(LEFT, 20 + 10 * index, line)
        parts.footer(canvas, *ok_back(session, "off", "back"))
        return
    if 0 < mode.number <= len(phones.let_in(session)):
        _let_in(canvas, session, mode)
        return
    code = session.code.text if session.code is not None else ""
    _code(canvas, session.pages[0] + (f"p/{code}" if code else ""))
    address = session.pages[0].partition("://")[2].rstrip("/")
    host, _, port = address.rpartition(":")
    lines = (*_halves(host), f":{port}")
    count = len(phones.let_in(session))
    heading = f"{count} phone{'' if count == 1 else 's'} ▸" if count else "Phones"
    if count or len(lines) > 2:
        lines = (heading, *lines)
    else:
        canvas.text(BESIDE + 2, 2, heading, NAME)
    top = 1 if lines[0] == heading else 14
    for index, line in enumerate(lines):
        canvas.text(BESIDE + 2, top + (8 if len(lines) > 3 else 9) * index, line)
    canvas.text(BESIDE + 2, 34, code, NAME)
    ok, back = ok_back(session, "off", "back")
    for y, (key, does) in ((47, ok), (56, back)):
        wide = canvas.tag(BESIDE + 2, y, key)
        canvas.text(BESIDE + 2 + wide + 3, y, does)


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


def _let_in(canvas: Canvas, session: Session, mode: Phones) -> None:
    """Draw one paired phone: its player, and that OK removes it."""
    found = phones.let_in(session)
    parts.title(canvas, "Send away?", figure=f"{mode.number}/{len(found)}")
    name = found[mode.number - 1][1]
    canvas.text(LEFT, 20, "the phone of")
    canvas.fitted(LEFT, 32, name or HOST, NAMES, 126)
    parts.footer(canvas, *ok_back(session, "yes", "no"))


def letting(canvas: Canvas, session: Session, mode: Letting) -> None:
    """Draw the question whether to pair a phone, and with which player."""
    parts.title(canvas, "A phone asks")
    canvas.text(LEFT, 20, "to come in as")
    canvas.fitted(LEFT, 32, mode.player or HOST, NAMES, 126)
    parts.footer(canvas, *ok_back(session, "let it in", "no"))
