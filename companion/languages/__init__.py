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
    from collections.abc import Hashable, Iterable, Mapping
    from contextvars import Token
    from gettext import NullTranslations as Catalogue
    from types import ModuleType

Value = TypeVar("Value")

CONTEXT_END = "\x04"
"""What stands between a message's context and the message in `Text.message`, as in gettext's compiled catalogues."""

_spoken: ContextVar[Catalogue | None] = ContextVar("language", default=None)


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
    made_in: Catalogue | None
    last: Text | None = None

    def having(self, values: Mapping[str, Any]) -> Text:
        """Return the same sentence with other values."""
        return _make_text(self.message, self.plural, self.number, values)

    def __format__(self, form: str) -> str:
        """Format the sentence in the current language.

        The format ``{field:capital}`` begins it with a capital letter, ``{field:xml}`` escapes it for XML.
        """
        words = str(said(self))
        match form:
            case "capital":
                return words[:1].upper() + words[1:]
            case "xml":
                return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return format(words, form)


def text(message: str, context: str = "", /, **values: Any) -> Text:
    """Make the text of a message with a value for each of its fields. Raises KeyError if a value is missing.

    The message may itself be a text whose fields have no values yet. The `context` tells translators which of its
    meanings an English message has: ``text("full", "a hand")``, ``text("full", "the long game")``.
    """
    if isinstance(message, Text):
        return message.having(values or message.values)
    if context:
        message = f"{context}{CONTEXT_END}{message}"
    if not values and (catalogue := _spoken.get()) is not None:
        return _whole(catalogue, message)
    return _make_text(message, "", None, values)


@lru_cache(maxsize=4096)
def _whole(catalogue: Hashable, message: str) -> Text:
    """Make a text without values. It is cached, since the same few hundred are shown again with every key press."""
    return _make_text(message, "", None, {})


def counted(number: int, one: str, more: str, /, **values: Any) -> Text:
    """Make a text that depends on a number: `one` for the number 1, else `more`.

    The number is also the value of the field ``{number}``: ``plural_text(3, "{number} round", "{number} rounds")``.
    """
    return _make_text(one, more, number, values | {"number": number})


def listed(words: Iterable[object]) -> str:
    """Format items as a list inside a sentence: ``Ann, Ben and Cleo``; "" for no items."""
    *some, last = [each if isinstance(each, str) else str(each) for each in words] or [""]
    return text("{some} and {last}", some=joined(some, ", "), last=last) if some else last


def joined(words: Iterable[object], between: str, form: str = "") -> Text:
    """Join items with a separator; the order is the same in every language.

    `format_spec` is the format of items that are texts.
    """
    values = {f"word{place}": word for place, word in enumerate(words)}
    fields = (
        f"{{{name}:{form}}}" if form and isinstance(word, Text) else f"{{{name}}}" for name, word in values.items()
    )
    return text(between.join(fields), **values)


def decimal(number: float, form: str = ".1f") -> str:
    """Format a number with the decimal point or comma of the current language: ``1.5``, ``1,5``."""
    whole, _, part = f"{number:{form}}".partition(".")
    return text("{whole}.{part}", whole=whole, part=part) if part else whole


def grouped(number: int) -> str:
    """Format a whole number with its digits in groups of three: ``1,234``, in German ``1.234``."""
    thousands, _, rest = f"{number:,}".rpartition(",")
    if not thousands:
        return rest
    return text("{thousands},{rest}", thousands=grouped(int(thousands.replace(",", ""))), rest=rest)


def why(error: OSError) -> str:
    """Return the operating system's sentence for an error, translated if `companion.languages.update` lists it."""
    return text(error.strerror or str(error))


def _make_text(message: str, plural: str, number: int | None, values: Mapping[str, Any]) -> Text:
    catalogue = _spoken.get()
    made = Text(_sentence(catalogue, message, plural, number, values))
    made.made_in = catalogue
    made.message, made.values, made.plural, made.number = message, values, plural, number
    return made


def _sentence(
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


def said(words: str) -> str:
    """Translate a sentence into the current language; a plain `str` is returned unchanged.

    A text remembers its last translation, since what is on the panel is drawn again with every key press.
    """
    if words.__class__ is not Text or (catalogue := _spoken.get()) is words.made_in:
        return words
    last = words.last
    if last is None or last.made_in is not catalogue:
        words.last = last = words.having(words.values)
    return last


def all_said(value: Value) -> Value:
    """Translate every text inside a value, such as a screen's content; in English, return the value itself.

    Positions of a game are skipped: they contain no texts, and are large.
    """
    if (catalogue := _spoken.get()) is None:
        return value
    if isinstance(value, tuple | list):
        return _walked(value, catalogue)  # type: ignore[no-any-return]
    return said(value) if isinstance(value, Text) else value  # type: ignore[return-value]


PARTS = frozenset(("text", "values", "plural", "number"))
"""The keys of the JSON object that stands for a text."""


def packed(value: Any) -> Any:
    """Convert plain data for JSON: each text becomes an object with `TEXT_KEYS`, which `unpack_text` converts back."""
    if isinstance(value, Text):
        values = {name: _plain(packed(each)) for name, each in value.values.items()}
        return {"text": value.message, "values": values, "plural": value.plural, "number": value.number}
    if isinstance(value, dict):
        return {name: packed(each) for name, each in value.items()}
    return list(map(packed, value)) if isinstance(value, list | tuple) else value


def _plain(value: Any) -> Any:
    """Convert a value of a text to something that JSON can carry: a path, for example, to its string."""
    return value if isinstance(value, str | int | float | list | dict | None) else str(value)


def unpacked(found: dict[str, Any]) -> Any:
    """Convert a JSON object back to a text, if it is one: the ``object_hook`` of `json.loads`."""
    if found.keys() != PARTS:
        return found
    return _make_text(found["text"], found["plural"], found["number"], found["values"])


POSITIONS = frozenset(("view", "before", "last", "recent", "result_counts", "clock", "names"))
"""The fields of scenes and list rows whose values contain no texts: positions, moves, numbers and names."""
LEAVES = frozenset((str, int, bool, float, type(None), dict, frozenset))
"""The types whose values contain no texts."""


@cache
def _passed(kind: type) -> frozenset[int]:
    """The indexes of the fields of a named tuple that contain no texts; none for other types."""
    return frozenset(place for place, name in enumerate(getattr(kind, "_fields", ())) if name in POSITIONS)


def _walked(value: Any, catalogue: Catalogue | None) -> Any:
    """Translate every text inside a tuple or list. If none has to be translated, return the value itself."""
    kind = value.__class__
    walked: list[Any] = []
    for place, each in enumerate(value):
        inner = each.__class__
        if inner in LEAVES or not each:
            continue
        new: Any = each
        if inner is Text:
            if each.made_in is not catalogue:
                new = said(each)
        elif isinstance(each, tuple | list) and place not in _passed(kind):
            new = _walked(each, catalogue)
        if new is not each:
            walked = walked or list(value)
            walked[place] = new
    if not walked or kind is list:
        return walked or value
    return value._make(walked) if hasattr(kind, "_make") else tuple(walked)


def spoken() -> Catalogue | None:
    """The catalogue of the current language, None for English."""
    return _spoken.get()


def imported(name: str) -> ModuleType:
    """Import a module by its name, with the texts that it makes while it is imported in English.

    A module's texts are made once for all, so they must not depend on who caused the import.
    """
    from importlib import import_module

    with speaking(catalogues.ENGLISH):
        return import_module(name)


class speaking:
    """A context manager that sets the language of this thread or task; a language without a catalogue is English."""

    def __init__(self, language: str) -> None:
        self._catalogue = catalogues.catalogue(language)
        self._token: Token[Catalogue | None] | None = None

    def __enter__(self) -> None:
        self._token = _spoken.set(self._catalogue)

    def __exit__(self, *error: object) -> None:
        if self._token is not None:
            _spoken.reset(self._token)


def speak(language: str) -> None:
    """Set the language of this thread or task from here on; a language without a catalogue is English."""
    _spoken.set(catalogues.catalogue(language))
