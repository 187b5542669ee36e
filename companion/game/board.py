"""Boards for the big screen: SVG drawings whose colours come from the page's style sheet, for light and dark pages.

Lengths are in units of the drawing, which is scaled to the
screen. The CSS classes for colours are ``ink`` (text), ``paper`` (background), ``faint`` (less important text),
``line``, ``mark`` (the last change), ``seat1`` to ``seat4``, for pieces ``green``, ``blue``, ``red`` and ``black``, and
``height1`` to ``height6`` for what lies higher and higher.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

if TYPE_CHECKING:
    from collections.abc import Sequence


class Svg:
    """A drawing of `width` × `height` units; `title` is read by screen readers."""

    def __init__(self, width: float, height: float, title: str) -> None:
        size = f"0 0 {_number(width)} {_number(height)}"
        self._root = ElementTree.Element("svg", {"viewBox": size, "role": "img", "class": "board"})
        ElementTree.SubElement(self._root, "title").text = title

    def rect(self, x: float, y: float, wide: float, high: float, css: str = "ink", *, round_: float = 0) -> None:
        """Draw a filled rectangle from its upper left corner (x, y), with corners of radius `round_`."""
        self._add("rect", css, x=x, y=y, width=wide, height=high, rx=round_)

    def circle(self, x: float, y: float, radius: float, css: str = "ink") -> None:
        """Draw a filled circle around (x, y)."""
        self._add("circle", css, cx=x, cy=y, r=radius)

    def line(self, x0: float, y0: float, x1: float, y1: float, css: str = "line") -> None:
        """Draw a line between two points."""
        self._add("line", css, x1=x0, y1=y0, x2=x1, y2=y1)

    def text(self, x: float, y: float, words: str, size: float, css: str = "ink", *, anchor: str = "middle") -> None:
        """Write words on the baseline `y` with font size `size`; `x` is their ``start``, ``middle`` or ``end``."""
        made = self._add("text", css, x=x, y=y, **{"font-size": size})
        made.set("text-anchor", anchor)
        made.text = words

    def _add(self, tag: str, css: str, **numbers: float) -> ElementTree.Element:
        attributes = {name: _number(value) for name, value in numbers.items() if value or name not in ("rx",)}
        return ElementTree.SubElement(self._root, tag, {"class": css} | attributes)

    def __str__(self) -> str:
        return ElementTree.tostring(self._root, encoding="unicode")


class Board(ABC):
    """The board of a game, inherited from here; the game's `board` module has one object of its class, ``BOARD``."""

    @abstractmethod
    def draw(self, view: Any, names: Sequence[str], last: tuple[int, Any] | None) -> Svg:
        """Draw the position.

        `view` is the public's view, `names` are the players by seat, `last` is the last event's seat and move, or None.
        """

    @abstractmethod
    def key_words(self, view: Any, keys: str) -> dict[str, str]:
        """Labels (key → words) of a phone's keypad after the keys entered so far.

        A key without a label shows itself; a key with the label "" is not offered.
        """


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
