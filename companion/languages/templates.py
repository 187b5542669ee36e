"""Translates pages: templates write ``{{ _("Come in") }}`` and are rendered in the language of their reader."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from companion.languages import current_catalogue, format_list, plural_text, text, translate
from companion.languages.catalogues import ENGLISH, available_languages, native_language_name, preferred_language

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Environment

COOKIE_NAME = "language"
"""The cookie that stores the language chosen on a page."""
COOKIE_PATTERN = re.compile(rf"(?:^|; ?){COOKIE_NAME}=([a-z]{{2}})(?:;|$)")


def add_text_functions(templates: Environment, *, offers_languages: bool = False) -> Environment:
    """Add ``_``, ``plural_text`` and ``format_list`` to a template environment, and return it.

    A message without values may contain HTML. With `offers_languages` each page offers a choice of language
    (``languages.html``); its application then needs the route in `companion.web.site`.
    """
    finalize_before = templates.finalize

    def finalize(value: Any) -> Any:
        value = translate(value)
        return finalize_before(value) if finalize_before is not None else value

    templates.finalize = finalize
    templates.filters |= {"capital": _capital, "translate": translate, "unbroken": _without_breaks}
    templates.globals |= {"_": _page_text, "plural_text": plural_text, "format_list": format_list}
    templates.globals |= {
        "language": current_language,
        "offered_languages": offered_languages if offers_languages else tuple,
    }
    return templates


def offered_languages() -> list[tuple[str, str]]:
    """The languages to choose from: each code, and what the language calls itself."""
    return [(each, native_language_name(each)) for each in available_languages()]


def _capital(words: str) -> str:
    words = translate(words)
    return words[:1].upper() + words[1:]


def _without_breaks(words: str) -> str:
    """Forbid line breaks inside ``6−2`` and ``0-3``, and before the signs of ``6 − 2 = 4``."""
    joined = re.sub(r"(?<=\d)([-−+×÷])(?=\d)", "\N{WORD JOINER}\\1\N{WORD JOINER}", translate(words))
    return re.sub(r"(?<=[\d)]) (?=[-−+×÷=]\s)", "\N{NO-BREAK SPACE}", joined)


def _page_text(message: str, context: str = "", /, **values: Any) -> str:
    return text(message, context, **values) if values else Markup(text(message, context))


def current_language() -> str:
    """The code of the current language, such as ``de``."""
    catalogue = current_catalogue()
    return ENGLISH if catalogue is None else catalogue.info().get("language", ENGLISH)


def request_language(headers: Mapping[str, str]) -> str:
    """The language for a page: from its cookie, else from the browser's ``Accept-Language``, else English."""
    chosen = COOKIE_PATTERN.search(headers.get("cookie", ""))
    if chosen is not None and chosen[1] in available_languages():
        return chosen[1]
    return preferred_language(headers.get("accept-language", "")) or ENGLISH
