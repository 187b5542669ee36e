"""What the hall's pages are made of: templates, some of which build on the table's own, and boards as pictures.

An SVG can name its own parts, and each of them others, until a browser never ends: a drawing with anything but what
boards are made of is left out.
"""

from __future__ import annotations

import base64
import re
from functools import cache
from html import escape, unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, select_autoescape
from starlette.responses import HTMLResponse

from companion import games
from companion.languages import said
from companion.languages.templates import with_texts
from companion.web import guard

if TYPE_CHECKING:
    from companion.hall.tournament import Event

HERE = Path(__file__).parent
WEB = Path(guard.__file__).parent
_FOLDERS = FileSystemLoader([HERE / "templates", WEB / "templates"])
PAGES = with_texts(Environment(loader=_FOLDERS, autoescape=select_autoescape()), choice=True)
LONGEST, MOST_PARTS = 300_000, 5_000
"""The most letters and elements of a drawing; the largest board of a known game has less than a tenth of both."""
ELEMENTS = {"svg", "title", "g", "rect", "circle", "line", "text"}
ATTRIBUTES = {
    "viewBox", "role", "class", "xmlns", "x", "y", "width", "height", "rx", "cx", "cy", "r", "x1", "y1", "x2", "y2",
    "font-size", "text-anchor",
}  # fmt: skip
"""What `companion.game.board.Svg` draws with."""
_PART = re.compile(r"""</?([A-Za-z]+)((?:\s+[A-Za-z0-9-]+="[^"<>]*")*)\s*/?>""")
_WORDS = re.compile(r"(?<=>)[^<>]*[^\W\d_]{2}[^<>]*(?=</text>)")
_NAME = re.compile(r'([A-Za-z0-9-]+)="')


def rendered(name: str, **words: Any) -> str:
    """A template of the hall with these words."""
    return PAGES.get_template(name).render(**words)


def page(name: str, status: int = 200, **words: Any) -> HTMLResponse:
    """A page of the tournaments: a template with these words. Nobody may keep it."""
    return HTMLResponse(rendered(name, described=described, **words), status, {"cache-control": "no-store"})


def described(event: Event) -> str:
    """The game and its options in a few words: ``27 expert``."""
    return games.in_words(event.game, event.options.items())


def sentence(clause: str) -> str:
    """What an error or a note says as a sentence of its own, in the language that is spoken; "" for nothing."""
    words = said(clause)
    return f"{words[:1].upper()}{words[1:].rstrip('.')}." if words else ""


def natural(name: str) -> list[tuple[int, str]]:
    """A sort key that puts table-10 after table-9."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name)]


def picture_of(svg: object) -> str:
    """A drawing as a data URL with the pages' colours and in their language, "" for anything else.

    In an ``<img>`` it can neither run scripts nor load anything.
    """
    if not (isinstance(svg, str) and svg.startswith("<svg") and len(svg) <= LONGEST and _is_plain(svg)):
        return ""
    begin, end, rest = svg.partition(">")
    words = _WORDS.sub(lambda found: escape(games.on_board(unescape(found[0])), quote=False), rest)
    whole = f"{begin}{end}<style>{_colours()}</style>{words}"
    if "xmlns=" not in begin:
        whole = whole.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return f"data:image/svg+xml;base64,{base64.b64encode(whole.encode('utf-8', 'replace')).decode()}"


def _is_plain(svg: str) -> bool:
    """Whether a drawing has nothing but text, and elements and attributes that boards have."""
    parts = list(_PART.finditer(svg))
    if len(parts) != svg.count("<") or len(parts) > 2 * MOST_PARTS:
        return False  # There is another "<": a comment, an instruction, a definition.
    return all(part[1] in ELEMENTS and set(_NAME.findall(part[2])) <= ATTRIBUTES for part in parts)


@cache
def _colours() -> str:
    """The style of boards, with their colours."""
    return (WEB / "static" / "board.css").read_text(encoding="utf-8")
