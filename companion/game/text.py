"""Texts: sentences whose values are kept apart, so that they can be said in other words where they are shown.

A text is a `str`: the English sentence, so whatever takes words takes it. Beside that it keeps the message and its
values. A plain `str` passes wherever a text does: it is the same in every language, as a name is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


class Text(str):
    """An English sentence, with what it was made of.

    Attributes:
        message: the sentence with a field for each value: ``{who}'s pieces``. It identifies the text.
        values: the values by the names of their fields: words, numbers, or texts.
        plural: the message for a number other than one, "" for a text that no number changes.
        number: the number that decides between `message` and `plural`, None for a text that no number changes.
    """

    message: str
    values: Mapping[str, Any]
    plural: str
    number: int | None


def text(message: str, /, **values: Any) -> Text:
    """The text of a message with a value for each of its fields. Raises KeyError where a value is missing."""
    made = Text(message.format_map(values) if values else message)
    made.message, made.values, made.plural, made.number = message, values, "", None
    return made


def counted(number: int, one: str, more: str, /, **values: Any) -> Text:
    """The text of `one` for the number 1, else of `more`; the number is the value of their field ``number``."""
    values["number"] = number
    made = Text((one if number == 1 else more).format_map(values))
    made.message, made.values, made.plural, made.number = one, values, more, number
    return made
