"""Translates pages: templates write ``{{ _("Come in") }}`` and are rendered in the language of their reader."""

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
"""The cookie that stores the language chosen on a page."""
CHOSEN = re.compile(rf"(?:^|; ?){COOKIE}=([a-z]{{2}})(?:;|$)")


def with_texts(templates: Environment, *, choice: bool = False) -> Environment:
    """Add ``_``, ``plural_text`` and ``format_list`` to a template environment, and return it.

    A message without values may contain HTML. With `offers_languages` each page offers a choice of language
    (``languages.html``); its application then needs the route in `companion.web.site`.
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
    """The languages to choose from: each code, and what the language calls itself."""
    return [(each, own_name(each)) for each in languages()]


def _capital(words: str) -> str:
    words = said(words)
    return words[:1].upper() + words[1:]


def _unbroken(words: str) -> str:
    """Forbid line breaks inside arithmetic: browsers break ``6-2+5`` after a hyphen that is used as a minus sign."""
    return re.sub(r"(?<=\d)-(?=\d)", "-\N{WORD JOINER}", said(words))


def _words(message: str, context: str = "", /, **values: Any) -> str:
    return text(message, context, **values) if values else Markup(text(message, context))


def code() -> str:
    """The code of the current language, such as ``de``."""
    catalogue = spoken()
    return ENGLISH if catalogue is None else catalogue.info().get("language", ENGLISH)


def of_request(headers: Mapping[str, str]) -> str:
    """The language for a page: from its cookie, else from the browser's ``Accept-Language``, else English."""
    chosen = CHOSEN.search(headers.get("cookie", ""))
    if chosen is not None and chosen[1] in languages():
        return chosen[1]
    return preferred(headers.get("accept-language", "")) or ENGLISH
