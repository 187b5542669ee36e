"""Collects the messages of a package from its code and pages, and updates its catalogues. A tool for developers.

``python -m companion.languages.update`` in the folder of this repository writes ``messages.pot``, merges it into each
``.po`` file and compiles each ``.mo`` file. For a game of another package, name the package's folder: ``… update
my_game_at_the_table``. An empty file ``it.po`` becomes a new catalogue. The tool needs Babel.

Babel itself finds a message in code only where it is written as an argument of `text`. Here a message may also reach
`text` by way of names and tables:

| in the code | counts as messages |
| --- | --- |
| a name | everything that is assigned to this name anywhere in its module |
| a table | all its values |
| a function that passes an argument on to `text` | that argument, in every call of a function of this name |
| tables named ``SENTENCES`` | all their values |
"""

from __future__ import annotations

import ast
import errno
import os
import re
import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

from companion.languages.catalogues import NATIVE_NAME

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

OWN_PACKAGE = Path("companion")
"""The package whose messages are collected if no other is named."""
EXTRA_PACKAGES = {"companion": ("hardware",)}
"""Further packages whose messages belong into a package's catalogues."""
HEADER = "# See docs/translating.md."
OS_ERRORS = (
    errno.ENOENT, errno.EACCES, errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ENOSPC, errno.EDQUOT, errno.EROFS,
    errno.EIO, errno.EPERM, errno.ENAMETOOLONG, errno.EBUSY, errno.ELOOP, errno.EADDRINUSE, errno.ENXIO,
)  # fmt: skip
"""The commonest errors of the operating system. The messages of all others stay as the system has them."""

TEXT_FUNCTIONS = ("text", "plural_text")
"""The functions that make a text: from their first argument, or from the second with the third as its plural."""
TEXT_MODULES = ("companion.languages", "companion.games.api.text")
"""The modules from which these functions are imported."""
TABLE_NAMES = ("SENTENCES", "ARGPARSE_MESSAGES", "sentences", "spoken_forms")
"""The names of tables whose values are all messages."""
FIELD_PATTERN = re.compile(r"\{[^{}]*\}")
MESSAGES_WITHOUT_LETTERS = (
    "{whole}.{part}", "{thousands},{rest}", "{weekday:capital}, {day} {month} {year}", "{won}: {reason}",
    "{name}: {size}", "{move}: {value}", "{one}: {other}", "{why}; {needed}", "{what:capital}.",
    "## {number}. {title}: {result}", "- **{what}:** {sentence}.",
)  # fmt: skip
"""Messages without letters that still differ between languages: numbers, dates and colons."""


class FoundMessage(NamedTuple):
    """A message, its plural and its context ("" for none), and its line in the file (from 1)."""

    line: int
    message: str
    plural: str = ""
    context: str = ""


class ModuleMessages:
    """The messages in the code of one module."""

    def __init__(self, tree: ast.Module) -> None:
        self._functions: list[ast.FunctionDef] = []
        self._calls: dict[str, list[ast.Call]] = {}
        self._assigned: dict[str, list[ast.expr]] = {}
        usable = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        for node in ast.walk(tree):
            match node:
                case ast.ImportFrom(module=module, names=names) if module in TEXT_MODULES:
                    usable |= {alias.name for alias in names}
                case ast.FunctionDef(name=name) if name not in TEXT_FUNCTIONS:
                    self._functions.append(node)
                case ast.Call(func=ast.Name(id=name)) if name in usable or name not in TEXT_FUNCTIONS:
                    self._calls.setdefault(name, []).append(node)
                case ast.Call(func=ast.Attribute(attr=name)) if name not in TEXT_FUNCTIONS:
                    self._calls.setdefault(name, []).append(node)
                case (
                    ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value)
                ):
                    self._note_assignment(target, value)
                case ast.NamedExpr(target=target, value=value):
                    self._note_assignment(target, value)
                case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                    self._note_assignment(target, value)

    def _note_assignment(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
                for each, part in zip(targets, values, strict=True):
                    self._note_assignment(each, part)
            case ast.Tuple(elts=targets), _:
                for each in targets:
                    self._note_assignment(each, value)
            case ast.Name(id=name), _:
                self._assigned.setdefault(name, []).append(value)

    def forwarded_arguments(self) -> dict[str, set[int | str]]:
        """Find the functions that pass an argument on to `text`, by name, with the positions and names of the
        arguments.
        """
        arguments_by_function: dict[str, set[int | str]] = {}
        for function in self._functions:
            inside = set(ast.walk(function))
            first = [call.args[0] for call in self._calls.get("text", ()) if call in inside and call.args]
            names = {each.id for argument in first for each in ast.walk(argument) if isinstance(each, ast.Name)}
            arguments = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
            for place, name in enumerate(arguments):
                if name in names:
                    forwarded = arguments_by_function.setdefault(function.name, set())
                    forwarded |= {place - (arguments[0] == "self"), name}
        return arguments_by_function

    def find_messages(self, text_functions: Mapping[str, set[int | str]]) -> Iterator[FoundMessage]:
        """Find all messages of the module.

        These are the arguments of `text_functions` and of `plural_text`, and the values of tables.
        """
        expressions = [table for name in TABLE_NAMES for table in self._assigned.get(name, ())]
        for name, places in text_functions.items():
            for call in self._calls.get(name, ()):
                match call.args:
                    case [message, ast.Constant(value=str(context))] if name == "text":
                        yield from (found._replace(context=context) for found in self._find_sentences(message))
                        continue
                expressions += [each for place, each in enumerate(call.args) if place in places]
                expressions += [each.value for each in call.keywords if each.arg in places]
        for each in expressions:
            yield from self._find_sentences(each)
        for call in self._calls.get("plural_text", ()):
            ones, mores = (self._find_sentences(each) for each in call.args[1:3])
            yield from (one._replace(plural=more.message) for one, more in zip(ones, mores, strict=True))

    def _find_sentences(self, value: ast.AST, followed_names: frozenset[str] = frozenset()) -> Iterator[FoundMessage]:
        """Find the sentences that an expression may evaluate to."""
        parts: Iterable[ast.AST] = ()
        match value:
            case ast.Constant(value=str(words)):
                if re.search(r"[^\W\d_]", FIELD_PATTERN.sub("", words)) or words in MESSAGES_WITHOUT_LETTERS:
                    yield FoundMessage(value.lineno, words)
            case ast.Name(id=name):
                parts = self._assigned.get(name, ()) if name not in followed_names else ()
                followed_names |= {name}
            case ast.IfExp(body=one, orelse=other):
                parts = (one, other)
            case ast.Dict(values=values):
                parts = values
            case ast.Subscript(value=table):
                parts = (table,)
            case ast.Call(func=ast.Attribute(value=table, attr="get" | "values" | "items"), args=arguments):
                parts = (table, *arguments[1:])
            case ast.Call(
                func=ast.Name(id="zip" | "enumerate" | "reversed" | "dict" | "MappingProxyType"), args=values
            ):
                parts = values
            case ast.Tuple() | ast.List() | ast.BoolOp() | ast.BinOp() | ast.Starred() | ast.NamedExpr():
                parts = ast.iter_child_nodes(value)
        for each in parts:
            yield from self._find_sentences(each, followed_names)


class UndatedCatalog(Catalog):
    """A catalogue whose header has no dates and versions, which would change with every run."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """The headers that the program needs to read the catalogue."""
        language = [("Language", str(self.locale)), ("Plural-Forms", self.plural_forms)] if self.locale else []
        return [*language, ("MIME-Version", "1.0"), ("Content-Type", "text/plain; charset=utf-8")]


def package_messages(package: Path) -> Iterator[tuple[str, FoundMessage]]:
    """All messages of a package, each with the path of its file, relative to the folder that contains the package."""
    folder = package.parent
    packages = (package, *(folder / name for name in EXTRA_PACKAGES.get(package.name, ())))
    # Nobody but its author plays the game of a template.
    files = [path for each in packages for path in sorted(each.rglob("*.py")) if "/gamekit/template" not in str(path)]
    modules = {path: ModuleMessages(ast.parse(path.read_text("utf-8"))) for path in files}
    text_functions: dict[str, set[int | str]] = {"text": {0}}
    for module in modules.values():
        text_functions |= module.forwarded_arguments()
    for path, module in modules.items():
        yield from (
            (str(path.relative_to(folder)), found_message)
            for found_message in sorted(set(module.find_messages(text_functions)))
        )
    if package.name == OWN_PACKAGE.name:
        yield from (("companion/languages/__init__.py", FoundMessage(1, os.strerror(error))) for error in OS_ERRORS)
    for path in sorted(each for each in package.rglob("help.txt") if "/gamekit/template" not in str(each)):
        for page in re.findall(r"(?:\A|\n\n)(?:Keypad: |Buttons: )?((?:.|\n(?!\n))+)", path.read_text("utf-8").strip()):
            yield str(path.relative_to(folder)), FoundMessage(1, re.sub(r"[ \t\n]+", " ", page.strip()))
    for path in sorted(package.rglob("*.html")):
        with path.open("rb") as page:
            for line, function, message, _ in babel_extract(page, ("_", "plural_text"), (), {}):
                messages = message if isinstance(message, tuple) else (message,)
                first, *more = [each for each in messages if isinstance(each, str)]
                second = more[0] if more else ""
                plural, context = (second, "") if function == "plural_text" else ("", second)
                yield str(path.relative_to(folder)), FoundMessage(line, first, plural, context)


def make_template(package: Path) -> Catalog:
    """Make the catalogue of all messages of a package, without translations."""
    catalogue = UndatedCatalog(header_comment=HEADER, fuzzy=False)
    for path, found_message in package_messages(package):
        flags = ["python-brace-format"] if "{" in found_message.message else []
        ids = (found_message.message, found_message.plural) if found_message.plural else found_message.message
        catalogue.add(ids, None, [(path, found_message.line)], flags=flags, context=found_message.context or None)
    catalogue.add(NATIVE_NAME, auto_comments=["What this language calls itself, such as Deutsch"])
    return catalogue


def po_bytes(catalogue: Catalog) -> bytes:
    """A catalogue as the content of a ``.po`` file, without line numbers, which change with every edit of the code."""
    file = BytesIO()
    write_po(file, catalogue, width=120, include_lineno=False, ignore_obsolete=True)
    return file.getvalue()


def is_translated(message: Message) -> bool:
    """Whether a message is translated in all its plural forms."""
    forms = (message.string,) if isinstance(message.string, str) else message.string or ("",)
    return all(forms) and not message.fuzzy


def mo_bytes(catalogue: Catalog) -> bytes:
    """A catalogue as the content of a ``.mo`` file, without the messages that are not translated."""
    for message in list(catalogue):
        if message.id and not is_translated(message):
            catalogue.delete(message.id, message.context)
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def read_catalogue(path: Path) -> Catalog:
    """Read a ``.po`` file; its name is the language's code."""
    with path.open("rb") as file:
        found = read_po(file, locale=path.stem)
    catalogue = UndatedCatalog(path.stem, header_comment=found.header_comment if len(found) else HEADER, fuzzy=False)
    for message in found:
        if message.id:
            catalogue[message.id] = message
            forms = (message.string,) if isinstance(message.string, str) else message.string or ()
            forms = tuple(typeset(form, path.stem) for form in forms)
            message.string = forms if isinstance(message.string, tuple) else forms[0]
    return catalogue


def typeset(words: str, language: str) -> str:
    """A translation with the no-break spaces of its language: French has one before ``: ; ! ?`` and in ``« »``."""
    if language != "fr":
        return words
    return re.sub(r" (?=[:;!?»])|(?<=«) ", "\N{NO-BREAK SPACE}", words)


def update_catalogues(package: Path) -> None:
    """Update all catalogues of a package, and print how many messages of each are translated."""
    folder = package / "languages"
    folder.mkdir(exist_ok=True)
    template = make_template(package)
    (folder / "messages.pot").write_bytes(po_bytes(template))
    for path in sorted(folder.glob("*.po")):
        catalogue = read_catalogue(path)
        catalogue.update(template, no_fuzzy_matching=True)
        path.write_bytes(po_bytes(catalogue))
        path.with_suffix(".mo").write_bytes(mo_bytes(read_catalogue(path)))
        print(f"{path}: {sum(is_translated(each) for each in catalogue if each.id)} of {len(catalogue)} messages")


if __name__ == "__main__":
    update_catalogues(Path(sys.argv[1]) if len(sys.argv) > 1 else OWN_PACKAGE)
