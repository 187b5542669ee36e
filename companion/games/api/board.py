"""Boards for the big screen and for phones: SVG drawings whose colours come from the page's style sheet.

Lengths are in units of the drawing, which is scaled to the screen. The CSS classes for colours are ``ink`` (text),
``paper`` (background), ``faint`` (less important text), ``line``, ``mark`` (the last change), ``seat1`` to ``seat4``,
for pieces ``green``, ``blue``, ``red`` and ``black``, and ``height1`` to ``height6`` for what lies higher and higher;
``card`` is a piece with an edge, ``ghost`` an edge alone: what a half-made move will be.

A phone's drawing has places to tap. A tap stands for keys of the keypad, so it means what these mean.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.languages import Text, joined

if TYPE_CHECKING:
    from collections.abc import Sequence
    from xml.etree import ElementTree

_MARK = re.compile("\N{NULL}([0-9]+)\N{NULL}")
LEAST = 56
"""The least width and height of a place to tap, in a phone's drawing of 600 units: 24 pixels on the smallest phone."""

Place = tuple[float, float, float, float]
"""A rectangle of a drawing: its left and upper edge, its width and height."""


class Tap(NamedTuple):
    """A place of a phone's drawing that can be tapped.

    Args:
        keys: all keys of the entry after the tap, as they would be typed; "" for nothing entered.
        words: what is there and what the tap does, for those who hear the page.
        place: its left and upper edge, its width and height, in units of the drawing.
        chosen: whether it is part of the half-made move.
        leads: whether it can lead to a move, as far as the player knows; what the draft refuses does not anyhow.
    """

    keys: str
    words: str
    place: Place
    chosen: bool = False
    leads: bool = True


class Svg:
    """A drawing of `width` × `height` units; `title` is read by screen readers.

    As a `str` it is a text: the words in it that are texts are said in the language of whoever sees the page.

    Attributes:
        size: width and height.
        taps: the places to tap, in the order in which a keyboard reaches them.
        asks: what to tap next, in place of what the draft says is missing; "" where that will do.
    """

    def __init__(self, width: float, height: float, title: str) -> None:
        from xml.etree import ElementTree  # A table without phones and big screens draws no board.

        self.size = width, height
        self.taps: list[Tap] = []
        self.asks = ""
        self._xml = ElementTree
        size = f"0 0 {_number(width)} {_number(height)}"
        self._root = self._xml.Element("svg", {"viewBox": size, "role": "img", "class": "board"})
        self._words: list[str] = []
        self._xml.SubElement(self._root, "title").text = self._place_of(title)

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
        made.text = self._place_of(words)

    def tap(self, keys: str, words: str, place: Place, *, chosen: bool = False, leads: bool = True) -> None:
        """Let a place be tapped (see `Tap`)."""
        self.taps.append(Tap(keys, words, place, chosen, leads))

    def _add(self, tag: str, css: str, **numbers: float) -> ElementTree.Element:
        attributes = {name: _number(value) for name, value in numbers.items() if value or name not in ("rx",)}
        return self._xml.SubElement(self._root, tag, {"class": css} | attributes)

    def _place_of(self, words: str) -> str:
        """A mark in the place of words that are a text, until the drawing is written."""
        if not isinstance(words, Text):
            return words
        self._words.append(words)
        return f"\N{NULL}{len(self._words) - 1}\N{NULL}"

    def __str__(self) -> str:
        parts = _MARK.split(self._xml.tostring(self._root, encoding="unicode"))
        return joined((self._words[int(part)] if at % 2 else part for at, part in enumerate(parts)), "", "xml")


class Seen(NamedTuple):
    """What a drawing is made of.

    Args:
        view: the position as whoever looks at it knows it.
        names: the players by seat.
        moves: all events so far, each with its seat, without hidden pieces.
        seat: whose phone it is for; 0 for the big screen.
        keys: the keys of the half-made move, all of which `Entry.typed` takes.
        due: whether this seat is to move, so that the drawing may have places to tap.
    """

    view: Any
    names: Sequence[str]
    moves: Sequence[tuple[int, Any]] = ()
    seat: int = 0
    keys: str = ""
    due: bool = False

    @property
    def last(self) -> tuple[int, Any] | None:
        """The last event's seat and move, None before the first."""
        return self.moves[-1] if self.moves else None


class Board(ABC):
    """The board of a game, inherited from here; the game's `board` module has one object of its class, ``BOARD``."""

    def show(self, seen: Seen) -> Svg:
        """Draw a position for the big screen, or for a phone: there with what its player holds, and places to tap."""
        return self.on_phone(seen) if seen.seat else self.draw(seen.view, seen.names, seen.last)

    def on_phone(self, seen: Seen) -> Svg:
        """Draw a position for a phone; the default is `draw`, without places to tap: buttons below it enter a move."""
        return self.draw(seen.view, seen.names, seen.last)

    def in_words(self, view: Any, names: Sequence[str]) -> Sequence[str]:
        """The position in short sentences, for those who hear the page; the default leaves it to the entry's lines."""
        return ()

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
