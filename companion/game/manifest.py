"""The manifest: what the program needs to know about a game before its rules are loaded.

Plain classes, since a record is to be checked at once: one as a NamedTuple takes longer to make than to use.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

NONE: Mapping[str, str] = MappingProxyType({})
OPTIONAL = ("screen", "board", "coach")
"""The parts that a game may do without."""


class Option:
    """An option of the rules, as it is asked for before a round.

    Args:
        question: what it decides: ``which pieces move``.
        values: each value as records write it, the default first → what it means: ``{"basic": "discs"}``.
        labels: value → how players write it, where records write it otherwise: ``{"cutup": "cut-up"}``.
    """

    __slots__ = ("labels", "question", "values")

    def __init__(self, question: str, values: Mapping[str, str], labels: Mapping[str, str] = NONE) -> None:
        self.question = question
        self.values = values
        self.labels = labels


class HoldingWords:
    """What players call a holding (``hand``) and its pieces (``corals``); `face_up` where everybody may see it."""

    __slots__ = ("face_up", "noun", "pieces")

    def __init__(self, noun: str, pieces: str, *, face_up: bool = False) -> None:
        self.noun = noun
        self.pieces = pieces
        self.face_up = face_up


class Chart:
    """The second chart of a report, drawn from the entry's `piles`: whose each place is, move after move.

    Args:
        place: what a row is: ``field``.
        caption: what the chart shows, to follow "… after each move, and".
        highest: the height that is drawn darkest.
    """

    __slots__ = ("caption", "highest", "place")

    def __init__(self, place: str, caption: str, *, highest: int) -> None:
        self.place = place
        self.caption = caption
        self.highest = highest


class Manifest(NamedTuple):
    """What the program needs to know about a game. A simple game gives `id` and `name` alone.

    Args:
        id: as in a record: ``four-fields``; small ASCII letters and digits, single hyphens between.
        name: as on the panel: ``Four Fields``, at most 16 letters.
        players: the numbers of seats that can play, 2 to 4, the usual one first.
        options: the options of the rules, in the order in which they are asked for.
        holdings: the record's word for what is dealt, ``deal`` or ``rack`` → what players call it.
        discs: an icon beside each player before the round.
        pages: pages that the table menu offers: kind → its words; drawn by the screen's `page`.
        counts: what the result screen counts.
        unit: what the curve of a report counts, "" for the same.
        gain: what the best move of a report gained, with ``{}`` for the number.
        chart: a second chart in reports.
        fewer: whether less is better in what is counted.
        points: whether the scores tell more than who has won; without, BG Stats gets none.
        best: whether higher scores are better and compare from round to round, so that there is a best one.
        recorded: False for what has no rules to replay a record by: the score pad.
        place: where the main menu has it. Games of other packages stand after those with a place.
        mark: whether the title shows its icon.
    """

    id: str
    name: str
    players: tuple[int, ...] = (2,)
    options: Mapping[str, Option] = MappingProxyType({})
    holdings: Mapping[str, HoldingWords] = MappingProxyType({})
    discs: tuple[str, ...] = ()
    pages: Mapping[str, str] = NONE
    counts: str = "scores"
    unit: str = ""
    gain: str = "{} points"
    chart: Chart | None = None
    fewer: bool = False
    points: bool = True
    best: bool = True
    recorded: bool = True
    place: int = 0
    mark: bool = False

    @property
    def values(self) -> dict[str, tuple[str, ...]]:
        """Each option's values, the default first."""
        return {name: tuple(option.values) for name, option in self.options.items()}

    @property
    def defaults(self) -> dict[str, str]:
        """Each option's default."""
        return {name: next(iter(option.values)) for name, option in self.options.items()}

    def label(self, option: str, value: str) -> str:
        """An option's value as players write it; of an option that is not known, the value."""
        known = self.options.get(option)
        return known.labels.get(value, value) if known else value


class InstalledGame(NamedTuple):
    """A game and the name of its package."""

    manifest: Manifest
    package: str
