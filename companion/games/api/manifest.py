"""The manifest: what the program knows about a game before its rules are loaded.

The parts of a manifest are plain classes, since defining a NamedTuple would make the start of the program slower.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from companion.languages import Text, counted, packed, said, speaking, text, unpacked
from companion.languages.catalogues import ENGLISH

HoldingKind = Literal["deal", "rack"]
"""The record's word for what is dealt: ``deal`` for the first holding of a seat, ``rack`` for its second."""
HOLDING_KINDS: tuple[HoldingKind, ...] = ("deal", "rack")
NONE: Mapping[str, str] = MappingProxyType({})
OPTIONAL = ("screen", "board", "coach")
"""The modules that a game may leave out."""


def holding_kind(word: str) -> HoldingKind | None:
    """The kind of holding that a word names in records; None if it names none."""
    return next((kind for kind in HOLDING_KINDS if kind == word), None)


class Option:
    """An option of the rules, chosen before a round.

    Args:
        question: what it decides: ``which pieces move``.
        values: value as in records → its meaning in words, the default first: ``{"basic": "discs"}``.
        labels: value as in records → as players write it, if that differs: ``{"cutup": "cut-up"}``.
        report: how a report says what was chosen, ``{0}`` the value as in records, ``{1}`` as players write it:
            ``{1} base``; "" for the value as players write it.
    """

    def __init__(
        self, question: str, values: Mapping[str, str], labels: Mapping[str, str] = NONE, *, report: str = ""
    ) -> None:
        self.question = question
        self.values = values
        self.labels = labels
        self.report = report

    @property
    def default(self) -> str:
        """The value of a round in which nothing is chosen."""
        return next(iter(self.values))


class HoldingWords:
    """What players call a holding (``hand``) and its pieces (``corals``); with `face_up` everybody may see them."""

    def __init__(self, noun: str, pieces: str, *, face_up: bool = False) -> None:
        self.noun = noun
        self.pieces = pieces
        self.face_up = face_up


class Chart:
    """A chart in reports: the owner and height of each place after each move, from the entry's `charted`.

    Args:
        place: the name of a row: ``field``.
        caption: what the chart shows, after "… after each move, and".
        highest: the height that is drawn darkest.
    """

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
        holdings: the kinds of holdings that are dealt → what players call them.
        seat_icons: an icon for each seat, shown beside its player before the round.
        seat_words: a word or two for each seat, shown there below its player: ``white``; () for ``starts`` and so on.
        pages: pages in the table menu: kind → its words; drawn by the screen's `page`.
        result_counts: the unit of what the result screen counts.
        unit: the unit of the curve in a report, "" for that of `result_counts`.
        gain: how a report says what the best move gained: a text with the field ``gain``, or one of `counted`; or words
            with ``{}`` for the number, which are the same for each.
        chart: a second chart in reports.
        endings: why a round can end: code → the reason, a text or one of `counted`: ``{"stuck": text("nobody can
            move")}``. The code is saved with a round, small ASCII letters with single hyphens between, and its reason
            keeps its fields for good; its wording may change.
        fewer: whether less is better in what is counted.
        points: whether scores are points; False if they only say who has won, so that BG Stats gets no scores.
        best: whether scores of different rounds can be compared, so that there is a best score. Where they can be only
            between rounds of the same kind, such as those with as many pieces: the option that says which, ``seeds``;
            there is then a best score for each of its values.
        opponent: whether the box can play a seat by the game's coach, which then knows all pieces of that seat.
        recorded: whether rounds have records; False only for the score pad.
        place: the place in the main menu. Games of other packages follow those with a place.
        mark: whether the title screen shows its icon.
    """

    id: str
    name: str
    players: tuple[int, ...] = (2,)
    options: Mapping[str, Option] = MappingProxyType({})
    holdings: Mapping[HoldingKind, HoldingWords] = MappingProxyType({})
    seat_icons: tuple[str, ...] = ()
    seat_words: tuple[str, ...] = ()
    pages: Mapping[str, str] = NONE
    result_counts: str = text("scores")
    unit: str = ""
    gain: str = counted(2, "{number} point", "{number} points")
    chart: Chart | None = None
    endings: Mapping[str, str] = NONE
    fewer: bool = False
    points: bool = True
    best: bool | str = True
    opponent: bool = False
    recorded: bool = True
    place: int = 0
    mark: bool = False

    @property
    def values(self) -> dict[str, tuple[str, ...]]:
        """The values of each option, the default first."""
        return {name: tuple(option.values) for name, option in self.options.items()}

    @property
    def defaults(self) -> dict[str, str]:
        """The default of each option."""
        return {name: option.default for name, option in self.options.items()}

    def holding(self, word: str) -> HoldingWords | None:
        """What players call a holding; None if the word is none of this game's holdings, such as a refill's."""
        return next((words for kind, words in self.holdings.items() if kind == word), None)

    def label(self, option: str, value: str) -> str:
        """An option's value as players write it; for an unknown option the value itself."""
        known = self.options.get(option)
        return known.labels.get(value, value) if known else value

    def reported(self, option: str, value: str) -> str:
        """An option's value as reports say it: ``the easy game``."""
        known = self.options.get(option)
        words = self.label(option, value)
        return said(known.report).format(value, words) if known and known.report else words

    def ending(self, code: str, /, **values: Any) -> Text:
        """The reason of one of the `endings`. Raises KeyError for another code, or where a value is missing."""
        reason = self.endings[code]
        if isinstance(reason, Text) and reason.plural:
            return counted(values["number"], reason.message, reason.plural, **values)
        return text(reason, **values)

    def format_ending(self, reason: str) -> str:
        """A reason as it is saved: ``blocked {"fewer": 3, "more": 5}``; one that is no ending's in English words."""
        import json  # A record's check does without it.

        message = getattr(reason, "message", reason)
        for code, each in self.endings.items():
            if getattr(each, "message", each) == message:
                values = packed(reason)["values"] if isinstance(reason, Text) else {}
                return f"{code} {json.dumps(values, ensure_ascii=False)}" if values else code
        with speaking(ENGLISH):
            return str(said(reason))

    def parse_ending(self, saved: str) -> str:
        """The reason that was saved: of words, or of a code that is unknown here, these themselves."""
        import json

        code, _, values = saved.partition(" ")
        if code in self.endings and values[:1] in ("", "{"):
            try:
                return self.ending(code, **json.loads(values or "{}", object_hook=unpacked))
            except (LookupError, ValueError, TypeError):
                pass  # Another version of the game has given it other values.
        return text(saved)


class InstalledGame(NamedTuple):
    """A game, the Python package that it is in, and the name and version under which that was installed.

    `origin` is such as ``nim-at-the-table 1.0``; "" where that is not known.
    """

    manifest: Manifest
    package: str
    origin: str = ""
