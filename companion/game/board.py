"""Large boards for the big screen: an SVG drawing with the colours left to the page, so that light and dark both work.

A game's `board` module has ``draw(view, names, last) -> Svg``, and tells moves in words. `view` is the position as
everybody may see it, `names`
are the players by seat, `last` is the last event's seat and move or None. Lengths are in units of the drawing, whose
width and height fill the screen.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, Protocol
from xml.etree import ElementTree

if TYPE_CHECKING:
    from collections.abc import Sequence

CLASSES = ("ink", "paper", "faint", "line", "mark", "seat1", "seat2", "seat3", "seat4", "green", "blue", "red", "black")
"""The colours that a page has: text, ground, what matters less, lines, what has just changed, seats, and pieces."""


class Svg:
    """A drawing of `width` × `height` units; `title` is what a screen reader says."""

    def __init__(self, width: float, height: float, title: str) -> None:
        size = f"0 0 {_number(width)} {_number(height)}"
        self._root = ElementTree.Element("svg", {"viewBox": size, "role": "img", "class": "board"})
        ElementTree.SubElement(self._root, "title").text = title

    def rect(self, x: float, y: float, wide: float, high: float, css: str = "ink", round_: float = 0) -> None:
        """A filled rectangle from its upper left corner, its corners rounded by `round_`."""
        self._add("rect", css, x=x, y=y, width=wide, height=high, rx=round_)

    def circle(self, x: float, y: float, radius: float, css: str = "ink") -> None:
        """A filled circle around (x, y)."""
        self._add("circle", css, cx=x, cy=y, r=radius)

    def line(self, x0: float, y0: float, x1: float, y1: float, css: str = "line") -> None:
        """A line between two points."""
        self._add("line", css, x1=x0, y1=y0, x2=x1, y2=y1)

    def text(self, x: float, y: float, words: str, size: float, css: str = "ink", anchor: str = "middle") -> None:
        """Words on the base line `y`, `size` high; `anchor` is ``start``, ``middle`` or ``end``."""
        made = self._add("text", css, x=x, y=y, **{"font-size": size})
        made.set("text-anchor", anchor)
        made.text = words

    def _add(self, tag: str, css: str, **numbers: float) -> ElementTree.Element:
        attributes = {name: _number(value) for name, value in numbers.items() if value or name not in ("rx",)}
        return ElementTree.SubElement(self._root, tag, {"class": css} | attributes)

    def __str__(self) -> str:
        return ElementTree.tostring(self._root, encoding="unicode")


class Board(Protocol):
    """A board is a module with this function."""

    @abstractmethod
    def draw(self, view: Any, names: Sequence[str], last: tuple[int, Any] | None) -> Svg:
        """The position as everybody may see it."""

    @abstractmethod
    def key_words(self, view: Any, keys: str) -> dict[str, str]:
        """What a phone writes on the keypad's keys that may follow `keys`.

        A key without a word is itself, one with "" is not offered.
        """

    def told(self, before: Any, seat: int, move: Any, after: Any, names: Sequence[str]) -> str:
        """What a move did, as players say it after the player's name, from the public's views around it."""
        return str(move)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
