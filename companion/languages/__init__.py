"""Texts: sentences whose values are kept apart, and what they are in the language of whoever sees them.

A text is a `str`: the English sentence, so whatever takes words takes it. Beside that it keeps the message and its
values. A plain `str` passes wherever a text does: it is the same in every language, as a name is.

English is spoken where nothing else is said: records, JSON and the journal are made there. What a person sees is made
or shown inside ``with speaking("de"):``; there `text` gives the German sentence at once, `said` that of a text that was
made before, and so does an f-string. A message without a usable entry in the catalogue is English, never an error.
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
    """A sentence, English unless it was made where something else is spoken, with what it was made of.

    Attributes:
        message: the sentence with a field for each value: ``{who}'s pieces``, after its context, if it has one. It
            identifies the text.
        values: the values by the names of their fields: words, numbers, or texts.
        plural: the message for a number other than one, "" for a text that no number changes.
        number: the number that decides between `message` and `plural`, None for a text that no number changes.
        made_in: the catalogue of the language in which it was made, None for English.
        last: what it was in the language in which it was last said anew.
    """

    message: str
    values: Mapping[str, Any]
    plural: str
    number: int | None
    made_in: Catalogue | None
    last: Text | None = None

    def having(self, values: Mapping[str, Any]) -> Text:
        """The same sentence with other values."""
        return _make_text(self.message, self.plural, self.number, values)

    def __format__(self, form: str) -> str:
        """As in the language that is spoken.

        In a field ``{words:capital}`` it has a capital at its start, in ``{words:xml}`` it is a part of XML.
        """
        words = str(said(self))
        match form:
            case "capital":
                return words[:1].upper() + words[1:]
            case "xml":
                return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return format(words, form)


def text(message: str, context: str = "", /, **values: Any) -> Text:
    """The text of a message with a value for each of its fields. Raises KeyError where a value is missing.

    A text of a message whose fields have no values yet may be given as the message. The `context` tells translators
    which of its meanings an English message has: ``text("full", "a hand")``, ``text("full", "the long game")``.
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
    """The text of a message without values in the language that is spoken, which each press shows again."""
    return _make_text(message, "", None, {})


def counted(number: int, one: str, more: str, /, **values: Any) -> Text:
    """The text of `one` for the number 1, else of `more`; the number is the value of their field ``number``."""
    return _make_text(one, more, number, values | {"number": number})


def listed(words: Iterable[object]) -> str:
    """Words as a list in a sentence: ``Ann, Ben and Cleo``; "" for none."""
    *some, last = [each if isinstance(each, str) else str(each) for each in words] or [""]
    return text("{some} and {last}", some=joined(some, ", "), last=last) if some else last


def joined(words: Iterable[object], between: str, form: str = "") -> Text:
    """Words one after the other, in every language in this order; those that are texts in this `form` of a field."""
    values = {f"word{place}": word for place, word in enumerate(words)}
    fields = (
        f"{{{name}:{form}}}" if form and isinstance(word, Text) else f"{{{name}}}" for name, word in values.items()
    )
    return text(between.join(fields), **values)


def decimal(number: float, form: str = ".1f") -> str:
    """A number with its point, or whatever the language has in its place: ``1.5``, ``1,5``."""
    whole, _, part = f"{number:{form}}".partition(".")
    return text("{whole}.{part}", whole=whole, part=part) if part else whole


def grouped(number: int) -> str:
    """A number with its digits in groups of three: ``1,234``, ``1.234``."""
    thousands, _, rest = f"{number:,}".rpartition(",")
    if not thousands:
        return rest
    return text("{thousands},{rest}", thousands=grouped(int(thousands.replace(",", ""))), rest=rest)


def why(error: OSError) -> str:
    """The system's own words for an error; the commonest ones have a translation (`companion.languages.update`)."""
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
    """A message with its values, in the words of the catalogue where its entry fits them."""
    if catalogue is not None and message:
        form = catalogue.gettext(message) if number is None else catalogue.ngettext(message, plural, number)
        form = form.rpartition(CONTEXT_END)[2]
        try:
            return form.format_map(values) if values else form
        except (LookupError, ValueError, AttributeError):
            pass  # A broken entry, which the tests refuse: that of a game of another package.
    form = message.rpartition(CONTEXT_END)[2] if number in (None, 1) else plural
    return form.format_map(values) if values else form


def said(words: str) -> str:
    """Words as they are in the language that is spoken; a plain `str` as it is.

    A text keeps what it was last, for what is on a panel is shown again with every press.
    """
    if words.__class__ is not Text or (catalogue := _spoken.get()) is words.made_in:
        return words
    last = words.last
    if last is None or last.made_in is not catalogue:
        words.last = last = words.having(words.values)
    return last


def all_said(value: Value) -> Value:
    """A value with every text in it as in the language that is spoken; in English it is the value itself.

    What a position of a game is made of is left as it is: it has no texts, and is large.
    """
    if (catalogue := _spoken.get()) is None:
        return value
    if isinstance(value, tuple | list):
        return _walked(value, catalogue)  # type: ignore[no-any-return]
    return said(value) if isinstance(value, Text) else value  # type: ignore[return-value]


PARTS = frozenset(("text", "values", "plural", "number"))
"""The keys of a text as JSON."""


def packed(value: Any) -> Any:
    """Plain data for JSON whose texts are objects of their parts, from which `unpacked` makes them again."""
    if isinstance(value, Text):
        values = {name: _plain(packed(each)) for name, each in value.values.items()}
        return {"text": value.message, "values": values, "plural": value.plural, "number": value.number}
    if isinstance(value, dict):
        return {name: packed(each) for name, each in value.items()}
    return list(map(packed, value)) if isinstance(value, list | tuple) else value


def _plain(value: Any) -> Any:
    """A value of a text as JSON can carry it: a path, say, as its letters."""
    return value if isinstance(value, str | int | float | list | dict | None) else str(value)


def unpacked(found: dict[str, Any]) -> Any:
    """A text of its parts, any other object as it is: what `json.loads` is given as ``object_hook``."""
    if found.keys() != PARTS:
        return found
    return _make_text(found["text"], found["plural"], found["number"], found["values"])


POSITIONS = frozenset(("view", "before", "last", "recent", "result_counts", "clock", "names"))
"""The fields of a scene or a line that have positions, moves, numbers and names."""
LEAVES = frozenset((str, int, bool, float, type(None), dict, frozenset))
"""The types of what has no texts in it."""


@cache
def _passed(kind: type) -> frozenset[int]:
    """The places of a named tuple that have no texts by their `POSITIONS`; none of any other type."""
    return frozenset(place for place, name in enumerate(getattr(kind, "_fields", ())) if name in POSITIONS)


def _walked(value: Any, catalogue: Catalogue | None) -> Any:
    """A tuple or a list with every text in it said; where none is to be said anew it is the value itself."""
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
    """The catalogue of the language that is spoken, None for English."""
    return _spoken.get()


def imported(name: str) -> ModuleType:
    """A module by its name; what texts it makes while it is imported are English, whatever is spoken."""
    from importlib import import_module

    with speaking(catalogues.ENGLISH):
        return import_module(name)


class speaking:
    """While it is entered, this thread or task speaks a language; one without a catalogue is English."""

    def __init__(self, language: str) -> None:
        self._catalogue = catalogues.catalogue(language)
        self._token: Token[Catalogue | None] | None = None

    def __enter__(self) -> None:
        self._token = _spoken.set(self._catalogue)

    def __exit__(self, *error: object) -> None:
        if self._token is not None:
            _spoken.reset(self._token)


def speak(language: str) -> None:
    """From here on this thread or task speaks a language; one without a catalogue is English."""
    _spoken.set(catalogues.catalogue(language))
