"""Boards for the big screen and for phones, as SVG drawings.

A drawing has to look right on every page and in every colour scheme, so it names CSS classes and never a colour. These
are the classes that the page's style sheet knows:

| class | for |
| --- | --- |
| ``ink``, ``paper``, ``faint`` | text, background, less important text |
| ``line``, ``mark`` | lines, the last change |
| ``seat1`` to ``seat6`` | what belongs to a player |
| ``green``, ``blue``, ``red``, ``black`` | pieces |
| ``height1`` to ``height6`` | what lies higher and higher |
| ``on-seat1`` to ``on-seat6`` | what is written or drawn on a player's colour |
| ``back-seat1``…, ``ring-seat1``… | a quiet ground in a player's colour; an edge alone in it |
| ``card``, ``under``, ``shade`` | a piece; the edge below it that makes it a thing; its shadow |
| ``piece-ink``, ``piece-faint`` | text on a piece |
| ``ghost``, ``slot`` | an edge alone: what a half-made move will be; an empty place for a piece |
| ``halo`` | around a ring, so that it is seen on pieces |
| ``dashed``, ``dim`` | after a ring's class, and after another one: what a half-made move will be |
| ``way``, ``pill``, ``on-pill`` | the way of the last move or of the draft; a label on it, and its text |
| ``joined`` | the line between the halves of a piece, and an edge around both |
| ``ok``, ``ok-back``, ``ring-no`` | what fits, and a quiet ground for it; an edge around what does not |

All lengths are in units of the drawing, which the page scales to the screen.

A phone's drawing also has rectangles to tap. A tap stands for keys of the keypad, so a move that is tapped is judged
exactly like one that is typed.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.languages import Text, join_texts, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from xml.etree import ElementTree

    from companion.games.api.move_input import Draft

_SIGN_BETWEEN_NUMBERS = re.compile("(?<=[0-9)]) ?([-+×÷=]) ?(?=[-0-9])")
_PLACEHOLDER = re.compile("\N{NULL}([0-9]+)\N{NULL}")
MIN_TAP_UNITS = 56
"""The smallest width and height of a rectangle to tap, in a phone's drawing of 600 units.

On the smallest phone that is 24 pixels.
"""

LETTER_WIDTH = 0.7
"""The width of a letter or digit in the widest of the fonts, as a share of the font size."""
_SEAT_OF_CLASS = re.compile("(?<=seat)[1-6]")
_SHAPE_CORNERS = {
    2: ((0, -1.1), (1.1, 0), (0, 1.1), (-1.1, 0)),
    3: ((-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)),
    4: ((0, -0.95), (1.05, 0.85), (-1.05, 0.85)),
    5: (
        *((-0.33, -0.95), (0.33, -0.95), (0.33, -0.33), (0.95, -0.33), (0.95, 0.33), (0.33, 0.33)),
        *((0.33, 0.95), (-0.33, 0.95), (-0.33, 0.33), (-0.95, 0.33), (-0.95, -0.33), (-0.33, -0.33)),
    ),
}
"""The corners of the shapes of seats 2 to 5: diamond, square, triangle, cross, around the middle with radius 1."""

Rectangle = tuple[float, float, float, float]
"""A rectangle of a drawing: the left edge, the upper edge, the width and the height, in units of the drawing."""


class Tap(NamedTuple):
    """A rectangle of a phone's drawing that can be tapped. Its field names are part of the socket's protocol.

    Args:
        keys: all keys of the draft after the tap, as they would be typed on the keypad; "" to clear the draft.
        words: what is there and what the tap does, for those who hear the page read aloud.
        place: the rectangle, in units of the drawing.
        chosen: whether this is part of the half-made move.
        leads: False if the player already knows that this tap leads to no legal move. What the draft refuses is found
            out anyway.
        drawn: whether the drawing itself shows what can be tapped here, or is chosen; otherwise the page frames it.
    """

    keys: str
    words: str
    place: Rectangle
    chosen: bool = False
    leads: bool = True
    drawn: bool = False


class Svg:
    """A drawing of `width` × `height` units; screen readers read the `title`.

    Convert it to `str` to get the SVG. The result is a text: the words in it are translated for whoever sees the page.

    Attributes:
        size: the width and the height.
        taps: the rectangles to tap, in the order in which the Tab key reaches them.
        prompt: what to tap next, shown instead of what the draft says is missing; "" to show that.
        verb: what the button says before the move is complete, ``Lay``; "" for ``Move``.
        undo: the keys of the draft without its last tap; None where each tap is one key.
        tray: a second drawing, for the player's own pieces: a phone shows it under the board, or beside it when it
            lies on its side. None for a board that has everything in one drawing.
    """

    def __init__(self, width: float, height: float, title: str) -> None:
        from xml.etree import ElementTree  # A table without phones and big screens never draws a board.

        self.size = width, height
        self.taps: list[Tap] = []
        self.prompt = self.verb = ""
        self.undo: str | None = None
        self.tray: Svg | None = None
        self._xml = ElementTree
        size = f"0 0 {_format_number(width)} {_format_number(height)}"
        self._root = self._xml.Element("svg", {"viewBox": size, "role": "img", "class": "board"})
        self._texts: list[str] = []
        self._shapes: list[tuple[ElementTree.Element, int, float, float, float]] = []
        self._xml.SubElement(self._root, "title").text = self._placeholder_for(title)

    @property
    def all_taps(self) -> list[Tap]:
        """The rectangles to tap of the board and of its tray."""
        return self.taps + (self.tray.taps if self.tray is not None else [])

    def add_rect(
        self, x: float, y: float, width: float, height: float, css: str = "ink", *, corner_radius: float = 0
    ) -> None:
        """Draw a filled rectangle whose upper left corner is at (x, y)."""
        self._add("rect", css, x=x, y=y, width=width, height=height, rx=corner_radius)

    def add_circle(self, x: float, y: float, radius: float, css: str = "ink") -> None:
        """Draw a filled circle around (x, y)."""
        self._add("circle", css, cx=x, cy=y, r=radius)

    def add_shape(self, seat: int, x: float, y: float, radius: float, css: str = "") -> None:
        """Draw the shape of a seat around (x, y), ● ◆ ■ ▲ ✚ ○ for 1 to 6; it has the colour of the seat, or `css`."""
        css = css or f"seat{seat}"
        shape = self._add("path", css)
        shape.set("d", _shape_path(seat, x, y, radius))
        if "seat" in css:
            self._shapes.append((shape, seat, x, y, radius))

    def set_colours(self, colours: Sequence[int]) -> None:
        """Give each seat the colour and shape with this number, instead of those with the number of the seat."""
        for shape, seat, x, y, radius in self._shapes:
            shape.set("d", _shape_path(colours[seat - 1], x, y, radius))
        for element in self._root.findall("*[@class]"):
            css = _SEAT_OF_CLASS.sub(lambda found: str(colours[int(found[0]) - 1]), element.attrib["class"])
            element.set("class", css)
        if self.tray is not None:
            self.tray.set_colours(colours)

    def add_path(self, path: str, css: str = "way") -> None:
        """Draw an SVG path, such as the way of a move; ``path`` is its ``d`` attribute."""
        self._add("path", css).set("d", path)

    def add_line(self, x0: float, y0: float, x1: float, y1: float, css: str = "line") -> None:
        """Draw a line from (x0, y0) to (x1, y1)."""
        self._add("line", css, x1=x0, y1=y0, x2=x1, y2=y1)

    def add_text(
        self, x: float, y: float, label: str, size: float, css: str = "ink", *, anchor: str = "middle"
    ) -> None:
        """Write a label on the baseline `y` with the font size `size`; `x` is its ``start``, ``middle`` or ``end``."""
        element = self._add("text", css, x=x, y=y, **{"font-size": size})
        element.set("text-anchor", anchor)
        element.text = self._placeholder_for(label)

    def add_centred_text(self, place: Rectangle, label: str, size: float, css: str = "ink") -> None:
        """Write a label into the middle of a rectangle."""
        x, y, width, height = place
        self.add_text(x + width / 2, y + height / 2 + 0.36 * size, label, size, css)

    def add_name(self, seat: int, x: float, y: float, name: str, size: float, *, anchor: str = "start") -> None:
        """Write what belongs to a seat, such as its name, beside the shape of the seat.

        `x` is the edge of the shape: the left one, or with the anchor ``end`` the right one.
        """
        inward = 1 if anchor == "start" else -1
        self.add_shape(seat, x + inward * 0.45 * size, y - 0.34 * size, 0.38 * size)
        self.add_text(x + inward * 1.1 * size, y, name, size, anchor=anchor)

    def add_piece(self, place: Rectangle, css: str = "card", *, edge: float, corner_radius: float) -> None:
        """Draw a piece with an edge of the height `edge` below it, which makes it a thing."""
        x, y, width, height = place
        for below in ("under",) if css == "card" else (css, "shade"):
            self.add_rect(x, y + edge, width, height, below, corner_radius=corner_radius)
        self.add_rect(*place, css, corner_radius=corner_radius)

    def add_pill(
        self, x: float, y: float, label: str, size: float, *, css: str = "pill", text_css: str = "on-pill"
    ) -> None:
        """Write a label into a pill around (x, y), or so far beside it that the pill is inside the drawing."""
        width, height = pill_width(label, size), 1.5 * size
        left = min(max(x - width / 2, 0), self.size[0] - width)
        place = left, max(y - height / 2, 0), width, height
        self.add_rect(*place, css, corner_radius=height / 2)
        self.add_centred_text(place, label, size, text_css)

    def add_ring(self, place: Rectangle, css: str, *, corner_radius: float = 14) -> None:
        """Draw a ring of the class `css` around a rectangle, with a halo that sets it off from the pieces."""
        for each in ("halo", css):
            self.add_rect(*place, each, corner_radius=corner_radius)

    @contextmanager
    def travelling_from(self, dx: float, dy: float) -> Iterator[None]:
        """Let what is drawn meanwhile travel from a place that is (dx, dy) away; with (0, 0) it just is where it is."""
        count = len(self._root)
        yield
        for element in self._root[count:] if dx or dy else ():
            element.attrib |= {"data-dx": _format_number(dx), "data-dy": _format_number(dy)}

    def add_tap(
        self, keys: str, words: str, place: Rectangle, *, chosen: bool = False, leads: bool = True, drawn: bool = False
    ) -> None:
        """Make a rectangle that can be tapped; the arguments are the fields of `Tap`."""
        self.taps.append(Tap(keys, words, place, chosen, leads, drawn))

    def _add(self, tag: str, css: str, **numbers: float) -> ElementTree.Element:
        attributes = {name: _format_number(value) for name, value in numbers.items() if value or name != "rx"}
        return self._xml.SubElement(self._root, tag, {"class": css} | attributes)

    def _placeholder_for(self, label: str) -> str:
        """Return a placeholder for a label that is translated later, when the drawing is converted to a string."""
        if not isinstance(label, Text):
            return label
        self._texts.append(label)
        return f"\N{NULL}{len(self._texts) - 1}\N{NULL}"

    def __str__(self) -> str:
        parts = _PLACEHOLDER.split(self._xml.tostring(self._root, encoding="unicode"))
        return join_texts((self._texts[int(part)] if at % 2 else part for at, part in enumerate(parts)), "", "xml")


class BoardScene(NamedTuple):
    """What a board draws: the position as one person knows it, and that person's half-made move.

    Args:
        view: the position as the viewer knows it.
        names: the players by seat.
        moves: all events so far, each with its seat, without hidden pieces.
        seat: the seat whose phone this is for; 0 for the big screen.
        keys: the keys of the half-made move. `MoveInput.draft_from_keys` accepts all of them.
        is_to_move: whether it is this seat's turn, so that the drawing may have rectangles to tap.
    """

    view: Any
    names: Sequence[str]
    moves: Sequence[tuple[int, Any]] = ()
    seat: int = 0
    keys: str = ""
    is_to_move: bool = False

    @property
    def last_move(self) -> tuple[int, Any] | None:
        """The seat and the move of the last event; None before the first one."""
        return self.moves[-1] if self.moves else None


def panel_sentences(draft: Draft) -> tuple[str, str]:
    """The two short lines of the panel, for `Board.draft_sentences`; why a draft is refused is one sentence of both."""
    if draft.verdict == "no" and draft.working and draft.message:
        return "", text("{one}, {other}", one=draft.working, other=draft.message)
    return draft.working, draft.message


class Board(ABC):
    """The board of a game.

    The game's `board` module inherits from this class and has one object of its own class, ``BOARD``.
    """

    def draw_scene(self, scene: BoardScene) -> Svg:
        """Draw a position: for the phone of ``scene.seat``, or for the big screen if that is 0."""
        return self.draw_for_phone(scene) if scene.seat else self.draw(scene.view, scene.names, scene.last_move)

    def draw_for_phone(self, scene: BoardScene) -> Svg:
        """Draw a position for a phone, with the player's own pieces and rectangles to tap.

        The default is `draw`, where nothing can be tapped: the player enters moves by the buttons below the drawing.
        """
        return self.draw(scene.view, scene.names, scene.last_move)

    def position_sentences(self, view: Any, names: Sequence[str]) -> Sequence[str]:
        """The position in short sentences, for those who hear the page read aloud.

        By default there are none, and the page reads the `position_lines` of the game.
        """
        return ()

    def draft_sentences(self, scene: BoardScene, draft: Draft) -> tuple[str, str]:
        """What a phone says of the half-made move of ``scene.keys``: the verdict or its sum, and what is said of it.

        What is said of a refused one is why; the page shows it first. By default these are `panel_sentences`.
        """
        return panel_sentences(draft)

    def piece_class(self, piece: str) -> str:
        """The class of a piece, such as ``green``, where a player names it on a phone; "" for one without a colour."""
        return ""

    @abstractmethod
    def draw(self, view: Any, names: Sequence[str], last_move: tuple[int, Any] | None) -> Svg:
        """Draw the position for the big screen.

        `view` is the public's view and `names` are the players by seat. `last_move` is the seat and the move of the
        last event, or None before the first one.
        """

    def key_labels(self, view: Any, keys: str) -> dict[str, str]:
        """Labels (key → label) of the keypad on a phone's page, after the keys entered so far.

        A key that is left out shows itself; a key with the label "" is not offered. A game without this method has
        labels from its drafts: what each key enters.
        """
        return {}


def ring_class(seat: int, *, is_drafted: bool = False, is_refused: bool = False) -> str:
    """The class of a ring in a player's colour, broken around what is only half-made; that of one around a refusal."""
    return "ring-no" if is_refused else f"ring-seat{seat}" + " dashed" * is_drafted


def fitting_size(label: str, size: float, width: float) -> float:
    """The font size in which a label is at most `width` wide: `size` or smaller."""
    return min(size, width / (LETTER_WIDTH * len(label)))


def pill_width(label: str, size: float) -> float:
    """The width of a pill with a label in a font size."""
    return 0.6 * size * (len(label) + 2)


def written_sum(short_sum: str) -> str:
    """A sum with spaces and real signs, ``6 − 1 + 5 = 10`` for ``6-1+5 = 10``. No line ends after a sign."""
    return _SIGN_BETWEEN_NUMBERS.sub(" \\1\N{NO-BREAK SPACE}", short_sum).replace("-", "−")


def _shape_path(seat: int, x: float, y: float, radius: float) -> str:
    """The shape of a seat around (x, y) as an SVG path."""
    if seat == 1:
        return _circle_path(x, y, radius * 0.92, 1)
    if seat == 6:  # The inner circle runs the other way round, so that it is a hole.
        return _circle_path(x, y, radius * 0.92, 1) + _circle_path(x, y, radius * 0.45, 0)
    points = (f"{_format_number(x + dx * radius)} {_format_number(y + dy * radius)}" for dx, dy in _SHAPE_CORNERS[seat])
    return f"M{'L'.join(points)}z"


def _circle_path(x: float, y: float, radius: float, sweep: int) -> str:
    r = _format_number(radius)
    return f"M{_format_number(x - radius)} {_format_number(y)}a{r} {r} 0 1 {sweep} 0 {'.01' if sweep else '-.01'}z"


def _format_number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
