"""Draws a session as a picture of 128×64 pixels of one bit: lit pixels are white, columns 0 and 127 stay dark.

::

    session ──► its topmost screen's content ──► dispatch.draw_content ──► a function for this kind ──► picture
                                                                    table_pictures.draw_overlay ──┘

Drawing changes nothing and reads no device. Read `dispatch` first, then `key_hints` and `table_pictures`. The modules
that draw a session are imported when the first one is drawn, so that the title is on the panel before that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.display import title_screen
from companion.languages import text, translate_all
from companion.languages.key_names import in_language_of_device
from companion.panel.canvas import LEFT, LINE_COLUMNS, Canvas

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PIL import Image

    from companion.evening.contents.kinds import Content
    from companion.evening.model import Session

MAX_ERROR_LETTERS = 80
"""The most letters of an error's own words."""
_screen_faults: dict[tuple[str, str], str] = {}


def screen_faults() -> Mapping[tuple[str, str], str]:
    """The first failure of each function of the screens of added games: (game, function) → a sentence.

    The plain screen was drawn instead.
    """
    return _screen_faults


def title_picture(name: str = "") -> Image.Image:
    """The title screen, which is the picture of a new session, with the name of the box if it has one."""
    canvas = Canvas()
    title_screen.draw_title_screen(canvas, name or title_screen.NAME)
    return canvas.image


def session_picture(session: Session, content: Content | None = None) -> Image.Image:
    """The picture of a session, in its language.

    With a `content` it is the picture of that one, instead of what the topmost screen shows.
    """
    with in_language_of_device(session.language, "" if session.uses_buttons else session.key_device):
        try:
            return _content_picture(session, content)
        except Exception as error:
            return _failure_picture(games.failure_text(session.game_id, error))


def _failure_picture(reason: str) -> Image.Image:
    """The picture where the game of another package has failed to draw its own."""
    from companion.panel import widgets
    from companion.panel.fonts import TEXT, wrap_text

    canvas = Canvas()
    widgets.draw_title(canvas, text("No picture"))
    canvas.text_block(LEFT, 19, wrap_text(reason, TEXT, LINE_COLUMNS, 4))
    return canvas.image


def _content_picture(session: Session, content: Content | None) -> Image.Image:
    from companion.display import dispatch, table_pictures
    from companion.display.keypad_texts import with_keypad_texts
    from companion.evening import rest_view
    from companion.evening.screen_kinds import topmost_empty_move_screen
    from companion.games.plain_screen import PLAIN_SCREEN
    from companion.panel import widgets

    widgets.key_device.set(session.key_device)
    canvas = Canvas(visible_names(session), tuple(session.player_colours[name] for name in _table_names(session)))
    if content is None:
        draft = topmost_empty_move_screen(session) if rest_view.is_rest_view_shown(session) else None
        content = session.screen.content(session) if draft is None else draft.rest_view_content(session)
    content = with_keypad_texts(session, translate_all(content), canvas.names)
    try:
        dispatch.draw_content(canvas, content, uses_buttons=session.uses_buttons)
    except Exception as error:
        game, scene = getattr(content, "game", ""), getattr(content, "scene", None)
        if scene is None or not games.has_failed_screen(game, error):
            raise
        canvas = Canvas(canvas.names, canvas.colours)
        table_pictures.draw_game_scene(canvas, scene, PLAIN_SCREEN)
        function = table_pictures.screen_function(scene)
        if (game, function) not in _screen_faults:
            _screen_faults[game, function] = _screen_fault(session, game, function, error)
    table_pictures.draw_overlay(canvas, session, content)
    return canvas.image


def _screen_fault(session: Session, game: str, function: str, error: Exception) -> str:
    """Which function of which package failed, at which move, and at which line of its code."""
    frame = games.frame_at_fault(error)
    file = frame.tb_frame.f_code.co_filename.rpartition("/")[2] if frame is not None else "?"
    return text(
        "{package}: {function} of {game} failed after move {number} ({error}, {file}, line {line})",
        package=games.distribution_and_version(game) or games.package_name(game), function=f"Screen.{function}",
        game=game, number=len(session.round.events) if session.round is not None else 0,
        error=f"{type(error).__name__}: {error}"[:MAX_ERROR_LETTERS], file=file,
        line=frame.tb_lineno if frame is not None else 0,
    )  # fmt: skip


def clamp_to_last_page(session: Session) -> Session:
    """Turn an open page back to its last one if it was turned further, so that one press back is then one page back.

    The session can't know how many pages the panel makes of a text.
    """
    from companion.evening.screens.lists import PageScreen

    screen = session.screen
    if not isinstance(screen, PageScreen) or not screen.page_number or screen.last_page is not None:
        return session
    from companion.display import dispatch
    from companion.display.keypad_texts import with_keypad_texts

    names = visible_names(session)
    with in_language_of_device(session.language, "" if session.uses_buttons else session.key_device):
        last = dispatch.last_page(with_keypad_texts(session, translate_all(screen.content(session)), names), names)
    if last is None or screen.page_number <= last:
        return session
    return session.replace_screen(screen._replace(page_number=last))


def visible_names(session: Session) -> tuple[str, ...]:
    """All names that the screen may show. Names are cut so that all of these stay distinct."""
    return tuple(dict.fromkeys((*_table_names(session), *session.screen.shown_names(session))))


def _table_names(session: Session) -> tuple[str, ...]:
    on_table = session.round or session.pad
    return on_table.header.names if on_table is not None else ()
