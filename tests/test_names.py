"""Names that no tool follows, in docstrings, docs and the templates of pages, are names that the code has."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROGRAM = [
    path for folder in ("card", "companion", "hardware", "systemd") for path in sorted((ROOT / folder).rglob("*.py"))
]
TEMPLATES = sorted((ROOT / "companion").rglob("*.html"))
DOCS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
QUOTED = re.compile(r"`([A-Za-z_][\w.]*)(?:\([^`]*\))?`")
OTHER_PROJECTS = {"bounce_time", "sd_notify"}
"""Names of gpiozero and systemd."""
CODE_WORD = re.compile(r"_?[a-z]+(_[a-z0-9]+)+|_?([A-Z][a-z]+){2,}|[A-Z]+(_[A-Z]+)+")
"""What can only be a name: ``with_underscores``, ``InCapitals``, ``A_CONSTANT``."""


def docstrings(tree: ast.Module) -> list[ast.Constant]:
    """The strings that stand alone as a statement: docstrings, and those below an assignment."""
    expressions = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    return [node for node in expressions if isinstance(node, ast.Constant) and isinstance(node.value, str)]


@cache
def code_words() -> frozenset[str]:
    """All words of the code and of the other files beside it, without those of docstrings and comments."""
    words: set[str] = set()
    for path in PROGRAM:
        code = path.read_text("utf-8")
        tree = ast.parse(code)
        prose = {id(docstring) for docstring in docstrings(tree)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
                words |= set(re.findall(r"\w+", node.value))
        tokens = tokenize.generate_tokens(io.StringIO(code).readline)
        words |= {token.string for token in tokens if token.type == tokenize.NAME}
    others = [
        path for folder in ("companion", "systemd", "tests") for path in (ROOT / folder).rglob("*") if path.is_file()
    ]
    for path in [ROOT / "pyproject.toml", *others]:
        if path not in PROGRAM and path.suffix in (".py", ".html", ".css", ".js", ".toml", ".txt", ".bash", ""):
            words |= set(re.findall(r"\w+", path.read_text("utf-8", "replace")))
    return frozenset(words)


def unknown_names(text: str) -> set[str]:
    """The names in backticks that the code does not have."""
    parts = {part for quoted in QUOTED.findall(text) for part in quoted.split(".")}
    return {part for part in parts if CODE_WORD.fullmatch(part)} - code_words() - OTHER_PROJECTS


def test_docstrings_name_what_there_is():
    faults = {}
    for path in PROGRAM:
        code = path.read_text("utf-8")
        names = set().union(*(unknown_names(node.value) for node in docstrings(ast.parse(code))))
        if names := names | unknown_names("\n".join(re.findall("#.*", code))):
            faults[str(path.relative_to(ROOT))] = sorted(names)
    assert not faults


def test_docs_name_what_there_is():
    faults = {path.name: sorted(names) for path in DOCS if (names := unknown_names(path.read_text("utf-8")))}
    assert not faults


def test_templates_use_attributes_that_there_are():
    """Jinja prints nothing for an attribute that is missing, and counts it as false: a page would be silently wrong."""
    names = {token for path in PROGRAM for token in re.findall(r"\w+", path.read_text("utf-8"))}
    faults = {}
    for path in TEMPLATES:
        code = " ".join(re.findall(r"\{[{%].*?[}%]\}", path.read_text("utf-8"), re.S))
        used = set(re.findall(r"\b[a-z_]+\.([a-z_]+)", re.sub(r'"[^"]*"', "", code)))
        own = set(re.findall(r"\b(?:set|macro) (\w+)", code))
        own |= {"index", "index0", "last", "first", "length", "html", "nav"}
        if missing := used - names - own:
            faults[path.name] = sorted(missing)
    assert not faults
