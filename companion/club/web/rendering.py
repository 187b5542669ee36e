"""Templates and sentences of the club server's pages; some templates extend those of the table's own pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, select_autoescape
from starlette.responses import HTMLResponse

from companion import games
from companion.languages import translate
from companion.languages.templates import add_text_functions
from companion.web import site

if TYPE_CHECKING:
    from companion.club.tournament import Event

HERE = Path(__file__).parent
WEB = Path(site.__file__).parent
_FOLDERS = FileSystemLoader([HERE / "templates", WEB / "templates"])
PAGES = add_text_functions(Environment(loader=_FOLDERS, autoescape=select_autoescape()), offers_languages=True)


def rendered(name: str, **words: Any) -> str:
    """Fill in the template `name`; `values` are what it shows."""
    return PAGES.get_template(name).render(**words)


def page(name: str, status: int = 200, **words: Any) -> HTMLResponse:
    """A response with a page of the tournaments, which browsers must not cache."""
    return HTMLResponse(rendered(name, described=described, **words), status, {"cache-control": "no-store"})


def described(event: Event) -> str:
    """The game and its options in a few words: ``27 expert``."""
    return games.game_title(event.game, event.options.items())


def sentence(clause: str) -> str:
    """An error or a note as a sentence with a capital and a full stop, in the reader's language; "" for nothing."""
    words = translate(clause)
    return f"{words[:1].upper()}{words[1:].rstrip('.')}." if words else ""


def natural(name: str) -> list[tuple[int, str]]:
    """A sort key that puts table-10 after table-9."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name)]
