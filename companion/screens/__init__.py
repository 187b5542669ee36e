"""Draws a session as a 128×64 one-bit image: lit pixels are white, columns 0 and 127 dark. Pure.

The modules that draw a session are imported at the first one, so that the title is on the panel before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.panel.canvas import Canvas
from companion.screens import first

if TYPE_CHECKING:
    from PIL import Image

    from companion.session import Session
    from companion.session.model import Round


def splash() -> Image.Image:
    """The title screen, the same as `draw` draws for a new session."""
    canvas = Canvas()
    first.splash(canvas)
    return canvas.image


def draw(session: Session) -> Image.Image:
    """Draw a session."""
    try:
        return _drawn(session)
    except Exception as error:
        if session.round is None or not games.is_added(session.round.header.game):
            raise
        return _failed(games.failure(session.round.header.game, error))


def _failed(said: str) -> Image.Image:
    """The picture if the game of another package failed to draw its own."""
    from companion.panel import parts
    from companion.panel.fonts import TEXT, wrap

    canvas = Canvas()
    parts.title(canvas, "No picture")
    for index, line in enumerate(wrap(said, TEXT, 126, 4)):
        canvas.text(1, 19 + 9 * index, line)
    return canvas.image


def _drawn(session: Session) -> Image.Image:
    from companion.screens import moments
    from companion.session.model import Playing

    canvas = Canvas(names_at(session))
    mode = session.mode
    if isinstance(mode, Playing) and session.round is not None:
        table(canvas, session, session.round)
    else:
        moments.draw(canvas, session)
    moments.overlay(canvas, session)
    return canvas.image


def turned(session: Session) -> Session:
    """The session with its open page no further than the last: one press back is then one page back.

    The session does not know how many pages the panel makes of a text.
    """
    from companion.session.model import Page

    if not isinstance(mode := session.mode, Page) or not mode.number:
        return session
    from companion.screens import reading

    last = reading.last_page(session, mode, names_at(session))
    return session._replace(mode=mode._replace(number=last)) if mode.number > last else session


def names_at(session: Session) -> tuple[str, ...]:
    """All names that the screen may show, which are cut so that they stay distinct."""
    from companion.session import evening
    from companion.session.actions import Sit
    from companion.session.model import Figure, Letting, Menu, Offered, Page, PageKind, Resume, Seats, Spelling, Walk

    on_table = session.round or session.pad
    here = on_table.header.names if on_table is not None else ()
    match session.mode:
        case Resume(round=left):
            here = left.header.names
        case Page(kind=PageKind.STANDINGS):
            here = (*here, *(each.name for each in evening.standings(evening.results(session.past))))
        case Page(kind=PageKind.EVER, rows=rows):
            here = tuple(name for name, _, _ in rows)
        case Walk(round=walked):
            here = walked.header.names
        case Page(kept=kept) if kept is not None:
            here = kept.header.names
        case Offered(offer=offer):
            here = offer.names
        case Letting(player=player):
            here = (*here, player)
        case Menu(setup=None, items=items):
            here = (*here, *(name for item in items for name in (*item.names, *(name for name, _ in item.pairs))))
        case Menu(setup=setup, items=items) if setup is not None:
            here = (*setup.names, *(item.does.name for item in items if isinstance(item.does, Sit)))
        case Seats(setup=setup) | Figure(setup=setup):
            here = setup.names
        case Spelling(setup=setup) if setup is not None:
            here = setup.names
    return tuple(dict.fromkeys(here))


def table(canvas: Canvas, session: Session, round_: Round) -> None:
    """Draw the game's own screen, from public data."""
    from companion.screens.scene import scene, screen

    screen(round_).draw(canvas, scene(session, round_))
