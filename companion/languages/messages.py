"""Finds the messages in code: the words that `text` and `counted` are given, also by way of names and tables.

Followed are names to all that is assigned to them in their function or module, tables to all their values, and
functions whose argument is a message to their calls everywhere. The tables ``SENTENCES`` have messages alone.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

MAKERS = {"text": (0,), "counted": (1, 2)}
"""The functions that make a text, and which of their arguments are messages."""
HOMES = ("companion.languages", "companion.game.text")
"""The modules that they are imported from."""
TABLES = ("SENTENCES", "sentences")
FIELD = re.compile(r"\{[^{}]*\}")
WITHOUT_LETTERS = (
    "{whole}.{part}", "{thousands},{rest}", "{weekday:capital}, {day} {month} {year}", "{won}: {reason}",
    "{name}: {size}", "{move}: {value}", "{one}: {other}", "{why}; {needed}",
)  # fmt: skip
"""The messages without letters in which languages differ: numbers, dates, and colons."""
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Found(NamedTuple):
    """A message and its plural ("" for none), and its line."""

    line: int
    message: str
    plural: str = ""


def of_modules(trees: Mapping[Path, ast.Module]) -> Iterator[tuple[Path, Found]]:
    """Each message of some modules, in the order of their lines."""
    modules = {path: _Module(tree) for path, tree in trees.items()}
    makers: dict[str, tuple[int | str, ...]] = {
        name: (*places,) for name, places in MAKERS.items() if name != "counted"
    }
    for module in modules.values():
        makers |= module.passing_on()
    for path, module in modules.items():
        yield from ((path, found) for found in sorted(set(module.messages(makers))))


class _Module:
    """A module whose messages are looked for."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._around: dict[ast.AST, ast.AST] = {
            inner: outer for outer in ast.walk(tree) for inner in ast.iter_child_nodes(outer)
        }

        self._called: dict[str, list[ast.Call]] = {}
        for node in self._around:
            match node:
                case ast.Call(func=ast.Name(id=name)):
                    self._called.setdefault(name, []).append(node)
                case ast.Call(func=ast.Attribute(attr=name)) if name not in MAKERS:
                    self._called.setdefault(name, []).append(node)
        self._imported = {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module in HOMES
            for alias in node.names
        }
        own = {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}
        if own >= MAKERS.keys():  # The module that makes them, whose lists have a message.
            self._imported |= own

    def passing_on(self) -> dict[str, tuple[int | str, ...]]:
        """The functions that take messages as arguments: their names, and the places and names of these arguments."""
        found: dict[str, tuple[int | str, ...]] = {}
        for call in self._calls("text"):
            function = self._function(call)
            if not isinstance(function, ast.FunctionDef) or not call.args or function.name in MAKERS:
                continue
            arguments = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
            method = bool(arguments) and arguments[0] == "self"
            for name in (each.id for each in ast.walk(call.args[0]) if isinstance(each, ast.Name)):
                if name in arguments:
                    found[function.name] = (*found.get(function.name, ()), arguments.index(name) - method, name)
        return found

    def messages(self, makers: Mapping[str, tuple[int | str, ...]]) -> Iterator[Found]:
        """The messages that calls of `makers` are given, those of `counted`, and those of tables."""
        for name, places in makers.items():
            for call in self._calls(name):
                given = [each for place, each in enumerate(call.args) if place in places]
                given += [each.value for each in call.keywords if each.arg in places]
                for each in given:
                    yield from self._words(each, self._function(call))
        for call in self._calls("counted"):
            function = self._function(call)
            ones, mores = ([*self._words(each, function)] for each in call.args[1:3])
            yield from (Found(one.line, one.message, more.message) for one, more in zip(ones, mores, strict=True))
        for node in ast.walk(self._tree):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in TABLES:
                    yield from self._words(value, None)
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if name in TABLES:
                    yield from self._words(value, None)

    def _calls(self, name: str) -> list[ast.Call]:
        return self._called.get(name, []) if name not in MAKERS or name in self._imported else []

    def _function(self, node: ast.AST) -> Function | None:
        while (outer := self._around.get(node)) is not None:
            if isinstance(outer, Function):
                return outer
            node = outer
        return None

    def _words(self, value: ast.expr, function: ast.AST | None, seen: frozenset[str] = frozenset()) -> Iterator[Found]:
        """The sentences that an expression may be."""
        match value:
            case ast.Constant(value=str(words)):
                if re.search(r"[^\W\d_]", FIELD.sub("", words)) or words in WITHOUT_LETTERS:
                    yield Found(value.lineno, words)
            case ast.IfExp(body=one, orelse=other):
                yield from self._words(one, function, seen)
                yield from self._words(other, function, seen)
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.BoolOp(values=parts) | ast.Dict(values=parts):
                for each in parts:
                    yield from self._words(each, function, seen)
            case ast.BinOp(left=one, op=ast.BitOr(), right=other):
                yield from self._words(one, function, seen)
                yield from self._words(other, function, seen)
            case ast.Subscript(value=table) | ast.Starred(value=table) | ast.NamedExpr(value=table):
                yield from self._words(table, function, seen)
            case ast.Call(func=ast.Attribute(value=table, attr="get" | "values" | "items"), args=arguments):
                for each in (table, *arguments[1:]):
                    yield from self._words(each, function, seen)
            case ast.Call(func=ast.Name(id="zip" | "enumerate" | "reversed" | "dict" | "MappingProxyType"), args=parts):
                for each in parts:
                    yield from self._words(each, function, seen)
            case ast.Name(id=name) if name not in seen:
                for assigned in self._assigned(name, function):
                    yield from self._words(assigned, function, seen | {name})

    def _assigned(self, name: str, function: ast.AST | None) -> Iterator[ast.expr]:
        """All that a name may stand for: in its function, else in the module."""
        found = [*_bound(name, function)] if function is not None else []
        outer = self._function(function) if function is not None else None
        yield from found or (self._assigned(name, outer) if function is not None else _bound(name, self._tree))


def _bound(name: str, tree: ast.AST) -> Iterator[ast.expr]:
    """What is assigned to a name in a function or module: by ``=``, ``:=`` and ``for``."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                yield from _matched(name, target, value)
            case ast.NamedExpr(target=target, value=value):
                yield from _matched(name, target, value)
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                yield from _matched(name, target, value)


def _matched(name: str, target: ast.expr, value: ast.expr) -> Iterator[ast.expr]:
    """The part of a value that a target's name gets."""
    if isinstance(target, ast.Name) and target.id == name:
        yield value
    elif isinstance(target, ast.Tuple):
        places = [place for place, each in enumerate(target.elts) if isinstance(each, ast.Name) and each.id == name]
        parts = value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts) else ()
        yield from (parts[place] if parts else value for place in places)
