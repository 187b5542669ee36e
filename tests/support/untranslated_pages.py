"""Finds untranslated sentences on a page in a browser, in its texts and in what is read aloud."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from babel.messages.pofile import read_po
from untranslated_words import READ_ALOUD_ATTRIBUTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CATALOGUES = Path(__file__).parents[2] / "companion" / "languages"

VISIBLE_TEXTS_SCRIPT = """(attributes) => {
  const found = [], walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
  const unread = "script, style, noscript, .languages";
  while (walker.nextNode())
    if (!walker.currentNode.parentElement.closest(unread)) found.push(walker.currentNode.textContent);
  for (const each of document.querySelectorAll("h1, h2, p, li, button, a, label, summary, th, td, text, title"))
    if (!each.closest(unread)) found.push(each.textContent);
  for (const name of attributes)
    for (const each of document.querySelectorAll(`[${name}]`))
      if (!each.closest(".languages")) found.push(each.getAttribute(name));
  return found.map((each) => each.replace(/\\s+/g, " ").trim());
}"""
FIELD = re.compile(r"\{\w*(?::\w+)?\}")


def untranslated_texts(page, code: str) -> list[str]:
    """The texts of a page that are English messages although its language has a translation."""
    shown = page.evaluate(VISIBLE_TEXTS_SCRIPT, list(READ_ALOUD_ATTRIBUTES))
    return sorted({each for each in shown if each and _is_untranslated(each, code)})


@cache
def _is_untranslated(said: str, code: str) -> bool:
    whole, translated = _patterns(code)
    return any(each.fullmatch(said) for each in whole) and not any(each.fullmatch(said) for each in translated)


@cache
def _patterns(code: str) -> tuple[list[re.Pattern[str]], list[re.Pattern[str]]]:
    """The English messages that have a translation into a language, and all translations into it."""
    entries = [(each if isinstance(each, str) else each[0], said) for each, said in _entries(code) if each]
    own = {said for _, said in entries}
    other = {each for each, said in entries if said and said != each and each not in own}
    return _compiled(other), _compiled(own)


def _entries(code: str) -> Iterator[tuple[str, str]]:
    """Each message of a language's catalogue, in both forms of a plural, with its translation."""
    with (CATALOGUES / f"{code}.po").open("rb") as file:
        for message in read_po(file):
            plural = not isinstance(message.id, str)
            yield from zip(message.id, message.string, strict=True) if plural else [(message.id, message.string)]


def _compiled(messages: Iterable[str]) -> list[re.Pattern[str]]:
    return [re.compile(_pattern(each)) for each in messages if _has_words(each)]


def _has_words(message: str) -> bool:
    """Whether a message has words: any letter in a message without fields, else a word of three letters or more."""
    least = 3 if FIELD.search(message) else 1
    return re.search(rf"[^\W\d_]{{{least},}}", FIELD.sub(" ", message)) is not None


def _pattern(message: str) -> str:
    plain = re.sub(r"</?\w+>", "", " ".join(message.split()))
    return ".+".join(map(re.escape, FIELD.split(plain)))
