"""A board that a table has drawn, as a picture for the pages: only what boards are made of, so that none hangs them.

An SVG can name its own parts, and each of them others, until a browser never ends: such a drawing is left out.
"""

from __future__ import annotations

import base64
import re
from functools import cache
from html import escape, unescape
from pathlib import Path

from companion import games
from companion.web import guard

LONGEST, MOST_PARTS = 300_000, 5_000
"""The most letters and elements of a drawing; the largest board of a known game has less than a tenth of both."""
ELEMENTS = {"svg", "title", "g", "rect", "circle", "line", "text"}
ATTRIBUTES = {
    "viewBox", "role", "class", "xmlns", "x", "y", "width", "height", "rx", "cx", "cy", "r", "x1", "y1", "x2", "y2",
    "font-size", "text-anchor",
}  # fmt: skip
"""What `companion.game.board.Svg` draws with."""
_STYLES = Path(guard.__file__).parent / "static"
_PART = re.compile(r"""</?([A-Za-z]+)((?:\s+[A-Za-z0-9-]+="[^"<>]*")*)\s*/?>""")
_WORDS = re.compile(r"(?<=>)[^<>]*[^\W\d_]{2}[^<>]*(?=</text>)")
_NAME = re.compile(r'([A-Za-z0-9-]+)="')


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
    return (_STYLES / "board.css").read_text(encoding="utf-8")
