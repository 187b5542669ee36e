"""The manifest: what the program needs to know about a game before its rules are loaded.

The menu lists all games, but loading the rules of each would delay the start. So this data is in the `__init__.py` of
the game. The parts of a manifest are plain classes, since defining a NamedTuple takes longer.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from companion.languages import Text, in_language, plural_text, text, text_from_json, texts_to_json, translate
from companion.languages.catalogues import ENGLISH

HoldingKind = Literal["deal", "rack"]
"""The word in records for what is dealt: ``deal`` for the first holding of a seat, ``rack`` for its second."""
HOLDING_KINDS: tuple[HoldingKind, ...] = ("deal", "rack")
EMPTY_MAPPING: Mapping[str, str] = MappingProxyType({})
OPTIONAL_MODULES = ("screen", "board", "coach")
"""The modules that a game may leave out."""


def holding_kind(word: str) -> HoldingKind | None:
    """The kind of holding that a word of a record names; None if it names none."""
    return next((kind for kind in HOLDING_KINDS if kind == word), None)


class Option:
    """An option of the rules, chosen before a round.

    Args:
        question: what the option decides: ``which pieces move``.
        values: each value as in records → its meaning in words, the default first: ``{"basic": "discs"}``.
        labels: each value as in records → as players write it, where that differs: ``{"cutup": "cut-up"}``.
        report: how a report says what was chosen, with ``{0}`` for the value as in records and ``{1}`` as players write
            it: ``{1} base``. With "" the report gives the value as players write it.
    """

    def __init__(
        self, question: str, values: Mapping[str, str], labels: Mapping[str, str] = EMPTY_MAPPING, *, report: str = ""
    ) -> None:
        self.question = question
        self.values = values
        self.labels = labels
        self.report = report

    @property
    def default(self) -> str:
        """The value in a round for which nothing was chosen."""
        return next(iter(self.values))


class HoldingWords:
    """What players call a holding (``hand``) and its pieces (``corals``).

    With `is_face_up` everybody may see the pieces.
    """

    def __init__(self, noun: str, pieces: str, *, is_face_up: bool = False) -> None:
        self.noun = noun
        self.pieces = pieces
        self.is_face_up = is_face_up


class Chart:
    """A chart in reports: the owner and the height of each row after each move, from `GameTexts.chart_rows`.

    Args:
        row_noun: the noun for a row: ``field``.
        caption: what the chart shows, after "… after each move, and".
        max_height: the height that is drawn darkest.
    """

    def __init__(self, row_noun: str, caption: str, *, max_height: int) -> None:
        self.row_noun = row_noun
        self.caption = caption
        self.max_height = max_height


class Manifest(NamedTuple):
    """What the program needs to know about a game. A simple game gives `id` and `name` alone.

    Args:
        id: as in a record, ``four-fields``: small ASCII letters and digits, with single hyphens between them.
        name: as on the panel, ``Four Fields``; at most 16 letters.
        players: the numbers of seats that can play, 2 to 6, the usual number first.
        options: the options of the rules, in the order in which the players are asked.
        holdings: the kinds of holdings that are dealt → what players call them.
        seat_words: a word or two for each seat, shown below its player before the round: ``white``. With () the panel
            shows ``starts`` and so on.
        pages: pages in the table menu: kind → title. The game's screen draws them in `draw_page`.
        result_counts: the unit of what the result screen counts.
        unit: the unit of the curve in a report; "" for that of `result_counts`.
        gain_text: how a report says what the best move gained: a text with the field ``gain``, one made by `counted`,
            or words with ``{}`` for the number, which are then the same for every number.
        chart: a second chart in reports.
        endings: why a round can end: code → the reason, a text or one made by `counted`: ``{"stuck": text("nobody can
            move")}``. The code is saved with each round, so it must never change: small ASCII letters with single
            hyphens between them. The reason may be reworded, but must keep its fields.
        lower_is_better: whether the lowest count is the best one.
        scores_are_points: False if scores only say who has won. BG Stats then gets no scores.
        has_best_score: whether scores of different rounds can be compared, so that there is a best score. If only
            scores of rounds with the same value of an option can be compared, such as the number of seeds, the name of
            that option: ``seeds``. Then there is a best score for each of its values.
        allows_computer_player: whether the computer can play a seat, by the game's coach, which then knows all pieces
            of that seat.
        has_records: whether rounds have records; False only for the score pad.
        aim: how a round is won, in one sentence: ``Whoever runs out of corals first wins.``
        menu_position: the position in the main menu. Games of other packages come after those that have one.
        is_on_title_screen: whether the title screen shows the game's icon.
        description: a line of about 22 characters on the game, for the menu in which it is chosen; "" for none.
    """

    id: str
    name: str
    players: tuple[int, ...] = (2,)
    options: Mapping[str, Option] = MappingProxyType({})
    holdings: Mapping[HoldingKind, HoldingWords] = MappingProxyType({})
    seat_words: tuple[str, ...] = ()
    pages: Mapping[str, str] = EMPTY_MAPPING
    result_counts: str = text("scores")
    unit: str = ""
    gain_text: str = plural_text(2, "{number} point", "{number} points")
    chart: Chart | None = None
    endings: Mapping[str, str] = EMPTY_MAPPING
    lower_is_better: bool = False
    scores_are_points: bool = True
    has_best_score: bool | str = True
    allows_computer_player: bool = False
    has_records: bool = True
    aim: str = ""
    menu_position: int = 0
    is_on_title_screen: bool = False
    description: str = ""

    @property
    def option_values(self) -> dict[str, tuple[str, ...]]:
        """The values of each option, the default first."""
        return {name: tuple(option.values) for name, option in self.options.items()}

    @property
    def option_defaults(self) -> dict[str, str]:
        """The default of each option."""
        return {name: option.default for name, option in self.options.items()}

    def accepts_options(self, options: Mapping[str, str]) -> bool:
        """Whether these are exactly the game's options, each with one of its values."""
        return options.keys() == self.options.keys() and all(
            value in self.options[name].values for name, value in options.items()
        )

    def holding_words(self, word: str) -> HoldingWords | None:
        """What players call a holding; None for a word that names none of this game's holdings, such as a refill."""
        return next((words for kind, words in self.holdings.items() if kind == word), None)

    def option_label(self, option: str, value: str) -> str:
        """The value of an option as players write it; for an unknown option the value itself."""
        definition = self.options.get(option)
        return definition.labels.get(value, value) if definition else value

    def option_report(self, option: str, value: str) -> str:
        """The value of an option as reports say it: ``the easy game``."""
        definition = self.options.get(option)
        label = self.option_label(option, value)
        return translate(definition.report).format(value, label) if definition and definition.report else label

    def ending_reason(self, code: str, /, **values: Any) -> Text:
        """One of the `endings` as a text. Raises KeyError for an unknown code or a missing value."""
        reason = self.endings[code]
        if isinstance(reason, Text) and reason.plural:
            return plural_text(values["number"], reason.message, reason.plural, **values)
        return text(reason, **values)

    def format_ending(self, reason: str) -> str:
        """A reason in the form in which it is saved: ``blocked {"fewer": 3, "more": 5}``.

        A reason that is none of the `endings` is saved as an English sentence.
        """
        import json  # The check of a record does not need it.

        message = getattr(reason, "message", reason)
        for code, template in self.endings.items():
            if getattr(template, "message", template) == message:
                values = texts_to_json(reason)["values"] if isinstance(reason, Text) else {}
                return f"{code} {json.dumps(values, ensure_ascii=False)}" if values else code
        with in_language(ENGLISH):
            return str(translate(reason))

    def parse_ending(self, saved_ending: str) -> str:
        """The reason that was saved; a sentence, or a code that this version does not know, is returned as it is."""
        import json

        code, _, values = saved_ending.partition(" ")
        if code in self.endings and values[:1] in ("", "{"):
            try:
                return self.ending_reason(code, **json.loads(values or "{}", object_hook=text_from_json))
            except (LookupError, ValueError, TypeError):
                pass  # The round was saved by a version of the game with other fields.
        return text(saved_ending)


class InstalledGame(NamedTuple):
    """A game, the Python package that it is in, and the distribution that installed that package.

    `origin` is a name and a version such as ``lanterns-at-the-table 0.1``; "" where they are not known.
    """

    manifest: Manifest
    package: str
    origin: str = ""
