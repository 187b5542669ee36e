"""Reads the messages out of a package's code and pages, and brings its catalogues up to date; for development alone.

``python -m companion.languages.update`` in the folder of this repository writes ``messages.pot``, merges it into each
``.po`` and compiles each ``.mo``. A game of another package names its folder: ``… update my_game_at_the_table``. A file
``it.po`` that is empty becomes a new catalogue. It needs Babel.
"""

from __future__ import annotations

import ast
import re
import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

from companion.languages.catalogues import OWN_NAME
from companion.languages.messages import Found, of_modules

if TYPE_CHECKING:
    from collections.abc import Iterator

OWN = Path("companion")
"""The package whose messages are read where no other is named."""
BESIDE = {"companion": ("hardware",)}
"""The packages whose messages belong to another one's catalogues."""
HEADER = "# See docs/translating.md."


class Undated(Catalog):
    """A catalogue whose header has no dates and no versions, which would change with every run."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """What the program has to know."""
        language = [("Language", str(self.locale)), ("Plural-Forms", self.plural_forms)] if self.locale else []
        return [*language, ("MIME-Version", "1.0"), ("Content-Type", "text/plain; charset=utf-8")]


def messages(package: Path) -> Iterator[tuple[str, Found]]:
    """Each message of a package, with the path of its file below the package's folder."""
    folder = package.parent
    packages = (package, *(folder / name for name in BESIDE.get(package.name, ())))
    trees = {path: ast.parse(path.read_text("utf-8")) for each in packages for path in sorted(each.rglob("*.py"))}
    for path, found in of_modules(trees):
        yield str(path.relative_to(folder)), found
    for path in sorted(package.rglob("help.txt")):
        for page in re.findall(r"(?:\A|\n\n)(?:Keypad: |Buttons: )?((?:.|\n(?!\n))+)", path.read_text("utf-8").strip()):
            yield str(path.relative_to(folder)), Found(1, " ".join(page.split()))
    for path in sorted(package.rglob("*.html")):
        with path.open("rb") as page:
            for line, function, said, _ in babel_extract(page, ("_", "counted"), (), {}):
                strings = [each for each in (said if isinstance(said, tuple) else (said,)) if isinstance(each, str)]
                yield (
                    str(path.relative_to(folder)),
                    Found(line, strings[0], strings[1] if function == "counted" else ""),
                )


def template(package: Path) -> Catalog:
    """All messages of a package, without translations."""
    made = Undated(header_comment=HEADER, fuzzy=False)
    for path, found in messages(package):
        flags = ["python-brace-format"] if "{" in found.message else []
        made.add(
            (found.message, found.plural) if found.plural else found.message, None, [(path, found.line)], flags=flags
        )
    made.add(OWN_NAME, auto_comments=["What this language calls itself, such as Deutsch"])
    return made


def written(catalogue: Catalog) -> bytes:
    """A catalogue as a file: without line numbers, which would change it with every edit of the code."""
    file = BytesIO()
    write_po(file, catalogue, width=120, include_lineno=False, ignore_obsolete=True)
    return file.getvalue()


def is_done(message: Message) -> bool:
    """Whether a message is translated, in all its forms."""
    forms = (message.string,) if isinstance(message.string, str) else message.string or ("",)
    return all(forms) and not message.fuzzy


def compiled(catalogue: Catalog) -> bytes:
    """A catalogue as the program reads it, without what is not translated."""
    for message in list(catalogue):
        if message.id and not is_done(message):
            catalogue.delete(message.id)
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def read(path: Path) -> Catalog:
    """A ``.po`` file, in the language of its name."""
    made = Undated(path.stem, header_comment=HEADER, fuzzy=False)
    with path.open("rb") as file:
        for message in read_po(file, locale=path.stem):
            if message.id:
                made[message.id] = message
    return made


def update(package: Path) -> None:
    """Bring the catalogues of a package up to date."""
    folder = package / "languages"
    folder.mkdir(exist_ok=True)
    whole = template(package)
    (folder / "messages.pot").write_bytes(written(whole))
    for path in sorted(folder.glob("*.po")):
        catalogue = read(path)
        catalogue.update(whole, no_fuzzy_matching=True)
        path.write_bytes(written(catalogue))
        path.with_suffix(".mo").write_bytes(compiled(read(path)))
        print(f"{path}: {sum(is_done(each) for each in catalogue if each.id)} of {len(catalogue)} messages")


if __name__ == "__main__":
    update(Path(sys.argv[1]) if len(sys.argv) > 1 else OWN)
