"""The hall's templates, some of which build on those of the table's own pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, select_autoescape

from companion.languages import said
from companion.languages.templates import with_texts
from companion.web import guard

HERE = Path(__file__).parent
WEB = Path(guard.__file__).parent
_FOLDERS = FileSystemLoader([HERE / "templates", WEB / "templates"])
PAGES = with_texts(Environment(loader=_FOLDERS, autoescape=select_autoescape()), choice=True)


def rendered(name: str, **words: Any) -> str:
    """A template of the hall with these words."""
    return PAGES.get_template(name).render(**words)


def sentence(clause: str) -> str:
    """What an error or a note says as a sentence of its own, in the language that is spoken; "" for nothing."""
    words = said(clause)
    return f"{words[:1].upper()}{words[1:].rstrip('.')}." if words else ""
