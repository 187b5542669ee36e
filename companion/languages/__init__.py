"""Sentences that can be translated after they were made: texts keep their message and its values apart.

The rules refuse a move in English, but the same refusal is shown on a German panel and on a Spanish phone. So a
sentence is a `Text`: a `str` with the English sentence, which also remembers its message (``{who}'s pieces``) and its
values. Whatever takes a `str` takes a `Text`. A plain `str` is the same in every language, as a name is.

    with in_language("de"):
        text("Round {number}", number=3)     a new text, in German at once
        translate(refusal)                   a text made before, now in German
        f"{refusal}"                         the same, in an f-string

Outside such a block the language is English: records, JSON and the journal are written there. A message without a
usable entry in the catalogue stays English; that is never an error.
"""

from __future__ import annotations

from contextvars import ContextVar
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from companion.languages import catalogues

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping
    from contextvars import Token
    from gettext import NullTranslations as Catalogue
    from types import ModuleType

Value = TypeVar("Value")

CONTEXT_END = "\x04"
"""What stands between a message's context and the message in `Text.message`, as in gettext's compiled catalogues."""

_current_catalogue: ContextVar[Catalogue | None] = ContextVar("language", default=None)


class Text(str):
    """A sentence with the message and the values that it was made of.

    Attributes:
        message: the English sentence with a field for each value: ``{who}'s pieces``, after its context, if it has
            one. It identifies the text.
        values: the values by the names of their fields: strings, numbers, or other texts.
        plural: the message for every number but one; "" if the sentence depends on no number.
        number: the number that chooses between `message` and `plural`; None if the sentence depends on none.
        catalogue: the catalogue of the language in which the text was made, None for English.
        last_translation: the newest result of `translate` for this text, a cache.
    """

    message: str
    values: Mapping[str, Any]
    plural: str
    number: int | None
    catalogue: Catalogue | None
    last_translation: Text | None = None

    def with_values(self, values: Mapping[str, Any]) -> Text:
        """Return the same sentence with other values."""
        return _make_text(self.message, self.plural, self.number, values)

    def __format__(self, format_spec: str) -> str:
        """Format the sentence in the current language.

        The format ``{field:capital}`` begins it with a capital letter, ``{field:xml}`` escapes it for XML.
        """
        words = str(translate(self))
        match format_spec:
            case "capital":
                return words[:1].upper() + words[1:]
            case "xml":
                return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return format(words, format_spec)


def text(message: str, context: str = "", /, **values: Any) -> Text:
    """Make the text of a message with a value for each of its fields. Raises KeyError if a value is missing.

    The message may itself be a text whose fields have no values yet. The `context` tells translators which of its
    meanings an English message has: ``text("full", "a hand")``, ``text("full", "the long game")``.
    """
    if isinstance(message, Text):
        return message.with_values(values or message.values)
    if context:
        message = f"{context}{CONTEXT_END}{message}"
    if not values and (catalogue := _current_catalogue.get()) is not None:
        return _text_without_values(catalogue, message)
    return _make_text(message, "", None, values)


def keys_text(keys: str) -> Text:
    """Keys of a keypad, one after the other, as a value of a sentence: ``0 A 4``, on a number pad ``0 + 4``."""
    return text(" ".join(keys), "keys")


@lru_cache(maxsize=4096)
def _text_without_values(catalogue: Hashable, message: str) -> Text:
    """Make a text without values. It is cached, since the same few hundred are shown again with every key press."""
    return _make_text(message, "", None, {})


def plural_text(number: int, one: str, more: str, /, **values: Any) -> Text:
    """Make a text that depends on a number: `one` for the number 1, else `more`.

    The number is also the value of the field ``{number}``: ``plural_text(3, "{number} round", "{number} rounds")``.
    """
    return _make_text(one, more, number, values | {"number": number})


def format_list(items: Iterable[object]) -> str:
    """Format items as a list inside a sentence: ``Ann, Ben and Cleo``; "" for no items."""
    *earlier, last = [each if isinstance(each, str) else str(each) for each in items] or [""]
    return text("{some} and {last}", some=join_texts(earlier, ", "), last=last) if earlier else last


def join_texts(items: Iterable[object], separator: str, format_spec: str = "") -> Text:
    """Join items with a separator; the order is the same in every language.

    `format_spec` is the format of items that are texts.
    """
    values = {f"word{place}": word for place, word in enumerate(items)}
    fields = (
        f"{{{name}:{format_spec}}}" if format_spec and isinstance(word, Text) else f"{{{name}}}"
        for name, word in values.items()
    )
    return text(separator.join(fields), **values)


def format_decimal(number: float, format_spec: str = ".1f") -> str:
    """Format a number with the decimal point or comma of the current language: ``1.5``, ``1,5``."""
    whole, _, part = f"{number:{format_spec}}".partition(".")
    return text("{whole}.{part}", whole=whole, part=part) if part else whole


def format_integer(number: int) -> str:
    """Format a whole number with its digits in groups of three: ``1,234``, in German ``1.234``."""
    thousands, _, rest = f"{number:,}".rpartition(",")
    if not thousands:
        return rest
    return text("{thousands},{rest}", thousands=format_integer(int(thousands.replace(",", ""))), rest=rest)


def os_error_text(error: OSError) -> str:
    """Return the operating system's sentence for an error, translated if `companion.languages.update` lists it."""
    return text(error.strerror or str(error))


def _make_text(message: str, plural: str, number: int | None, values: Mapping[str, Any]) -> Text:
    catalogue = _current_catalogue.get()
    made_text = Text(_format_message(catalogue, message, plural, number, values))
    made_text.catalogue = catalogue
    made_text.message, made_text.values, made_text.plural, made_text.number = message, values, plural, number
    return made_text


def _format_message(
    catalogue: Catalogue | None, message: str, plural: str, number: int | None, values: Mapping[str, Any]
) -> str:
    """Fill a message in with its values, translated if the catalogue has an entry with the same fields."""
    if catalogue is not None and message:
        form = catalogue.gettext(message) if number is None else catalogue.ngettext(message, plural, number)
        form = form.rpartition(CONTEXT_END)[2]
        try:
            return form.format_map(values) if values else form
        except (LookupError, ValueError, AttributeError):
            pass  # The entry is broken. The tests allow none here, but a game of another package may bring one.
    form = message.rpartition(CONTEXT_END)[2] if number in (None, 1) else plural
    return form.format_map(values) if values else form


def translate(sentence: str) -> str:
    """Translate a sentence into the current language; a plain `str` is returned unchanged.

    A text remembers its last translation, since what is on the panel is drawn again with every key press.
    """
    if sentence.__class__ is not Text or (catalogue := _current_catalogue.get()) is sentence.catalogue:
        return sentence
    last = sentence.last_translation
    if last is None or last.catalogue is not catalogue:
        sentence.last_translation = last = sentence.with_values(sentence.values)
    return last


def translate_all(content: Value) -> Value:
    """Translate every text inside a value, such as a screen's content; in English, return the value itself.

    Positions of a game are skipped: they contain no texts, and are large.
    """
    if _current_catalogue.get() is None:
        return content
    changed: Value = change_texts(content, translate)
    return changed


TEXT_KEYS = frozenset(("text", "values", "plural", "number"))
"""The keys of the JSON object that stands for a text."""


def texts_to_json(value: Any) -> Any:
    """Convert plain data for JSON: a text becomes an object with `TEXT_KEYS`, which `text_from_json` converts back."""
    if isinstance(value, Text):
        values = {name: _plain_value(texts_to_json(each)) for name, each in value.values.items()}
        return {"text": value.message, "values": values, "plural": value.plural, "number": value.number}
    if isinstance(value, dict):
        return {name: texts_to_json(each) for name, each in value.items()}
    return list(map(texts_to_json, value)) if isinstance(value, list | tuple) else value


def _plain_value(value: Any) -> Any:
    """Convert a value of a text to something that JSON can carry: a path, for example, to its string."""
    return value if isinstance(value, str | int | float | list | dict | None) else str(value)


def text_from_json(json_object: dict[str, Any]) -> Any:
    """Convert a JSON object back to a text, if it is one: the ``object_hook`` of `json.loads`."""
    if json_object.keys() != TEXT_KEYS:
        return json_object
    return _make_text(json_object["text"], json_object["plural"], json_object["number"], json_object["values"])


FIELDS_WITHOUT_TEXTS = frozenset(
    ("view", "view_before", "last_move", "recent_events", "result_counts", "clock", "names")
)
"""The fields of scenes and list rows whose values contain no texts: positions, moves, numbers and names."""
TYPES_WITHOUT_TEXTS = frozenset((str, int, bool, float, type(None), dict, frozenset))
"""The types whose values contain no texts."""


@cache
def _indexes_without_texts(kind: type) -> frozenset[int]:
    """The indexes of the fields of a named tuple that contain no texts; none for other types."""
    return frozenset(place for place, name in enumerate(getattr(kind, "_fields", ())) if name in FIELDS_WITHOUT_TEXTS)


def change_texts(value: Any, change: Callable[[str], str], *, and_strings: bool = False) -> Any:
    """Change every text inside a value, with `and_strings` plain strings too. What stays the same is the value itself.

    Positions of a game are skipped: they contain no texts, and are large.
    """
    kind = value.__class__
    if kind is Text or (and_strings and kind is str):
        return change(value)
    if not isinstance(value, tuple | list):
        return value
    walked: list[Any] = []
    for place, each in enumerate(value):
        inner, new = each.__class__, each
        if inner is Text or (and_strings and inner is str):
            new = change(each)
        elif inner in TYPES_WITHOUT_TEXTS or not each:
            continue
        elif isinstance(each, tuple | list) and place not in _indexes_without_texts(kind):
            new = change_texts(each, change, and_strings=and_strings)
        if new is not each:
            walked = walked or list(value)
            walked[place] = new
    if not walked or kind is list:
        return walked or value
    return kind._make(walked) if hasattr(kind, "_make") else tuple(walked)


def current_catalogue() -> Catalogue | None:
    """The catalogue of the current language, None for English."""
    return _current_catalogue.get()


def import_in_english(name: str) -> ModuleType:
    """Import a module by its name, with the texts that it makes while it is imported in English.

    A module's texts are made once for all, so they must not depend on who caused the import.
    """
    from importlib import import_module

    with in_language(catalogues.ENGLISH):
        return import_module(name)


class in_language:
    """A context manager that sets the language of this thread or task; a language without a catalogue is English."""

    def __init__(self, language: str) -> None:
        self._catalogue = catalogues.load_catalogue(language)
        self._token: Token[Catalogue | None] | None = None

    def __enter__(self) -> None:
        self._token = _current_catalogue.set(self._catalogue)

    def __exit__(self, *error: object) -> None:
        if self._token is not None:
            _current_catalogue.reset(self._token)


def set_page_language(language: str) -> None:
    """Set the language of a page's task from here on; a language without a catalogue is English, with ’ for '."""
    _current_catalogue.set(catalogues.load_catalogue(language) or catalogues.page_english())
