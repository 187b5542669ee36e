"""Pages in the language of whoever asks for them: their words are messages too, ``{{ _("Come in") }}``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from companion.languages import counted, listed, said, spoken, text
from companion.languages.catalogues import ENGLISH, languages, own_name, preferred

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Environment

COOKIE = "language"
CHOSEN = re.compile(rf"(?:^|; ?){COOKIE}=([a-z]{{2}})(?:;|$)")


def with_texts(templates: Environment, *, choice: bool = False) -> Environment:
    """Templates with ``_``, ``counted`` and ``listed``; a message without values may have marks of HTML.

    With `choice` each page offers the languages (``languages.html``): its application has the route of
    `companion.web.site`, and its guard follows what browsers wish.
    """
    own = templates.finalize

    def shown(value: Any) -> Any:
        value = said(value)
        return own(value) if own is not None else value

    templates.finalize = shown
    templates.filters |= {"capital": _capital, "said": said, "unbroken": _unbroken}
    templates.globals |= {"_": _words, "counted": counted, "listed": listed, "language": code}
    templates.globals["offered"] = offered if choice else tuple
    return templates


def offered() -> list[tuple[str, str]]:
    """The languages to choose from: code, and what each calls itself."""
    return [(each, own_name(each)) for each in languages()]


def _capital(words: str) -> str:
    words = said(words)
    return words[:1].upper() + words[1:]


def _unbroken(words: str) -> str:
    """Arithmetic that no line is broken in: browsers break one behind a minus that is a hyphen, ``6-2+5``."""
    return re.sub(r"(?<=\d)-(?=\d)", "-\N{WORD JOINER}", said(words))


def _words(message: str, context: str = "", /, **values: Any) -> str:
    return text(message, context, **values) if values else Markup(text(message, context))


def code() -> str:
    """The code of the language that is spoken."""
    catalogue = spoken()
    return ENGLISH if catalogue is None else catalogue.info().get("language", ENGLISH)


def of_request(headers: Mapping[str, str]) -> str:
    """The language that a page is asked for in: that of its cookie, else the browser's, else English."""
    chosen = CHOSEN.search(headers.get("cookie", ""))
    if chosen is not None and chosen[1] in languages():
        return chosen[1]
    return preferred(headers.get("accept-language", "")) or ENGLISH
