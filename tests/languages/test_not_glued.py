"""Sentences are whole: none is put together from texts, and none with English words is shown without being a text."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT_FUNCTIONS = {"text", "plural_text", "format_list", "translate"}
"""The functions whose results are texts."""
SENTENCE_PATTERN = re.compile(r"[^\W\d_]|[.,:;!?()]")
"""What must not be written beside a text: letters and punctuation. Blanks are columns, stars are Markdown."""
ENGLISH = re.compile(r"[A-Za-z']{2,},? [a-z']{2,}|\0 [a-z]{3,}|\b[A-Za-z]{2,} \0")
"""Words that are part of a sentence, or one word beside a field. A null stands for each field."""
PROGRAM_PATTERN = re.compile(
    r"\b(?:SELECT|INSERT|PRAGMA|FROM|WHERE|UPDATE|DELETE|ORDER BY|VALUES|winners)\b|state = |^user \0\n|\[^|\\b|://"
)
"""SQL, patterns, addresses, the broker's access list."""
ALLOWED = {
    "companion: an error in the program itself (\0: \0)": "a line of the journal",
    "companion: \0": "the program's name before what it says",
    ".venv/bin/pip install -c constraints.txt '.[\0]'": "a command",
    "sudo systemctl start \0": "a command",
    "ALTER TABLE \0 ADD COLUMN \0 \0": "SQL",
    "Player \0": "a name, which is the same in every language",
    "Python \0": "a name and its version",
    "XXP \0": "a line of a tournament's file",
    "XXR \0": "a line of a tournament's file",
    "\0 back": "a class of CSS",
    "\0 joined": "a class of CSS",
    "\0-\0 lost": "a line of the journal's file",
    "\0\n# thought \0 s": "a line of a record",
    "companion \0": "a name and its version, or a command",
    "draw \0": "a move of a record",
    "ring-seat\0 dashed": "classes of a drawing",
    "height\0 joined": "classes of a drawing",
    "\0 dim": "classes of a drawing",
    "first to \0": "a line of a record",
    "held \0": "a refusal's code",
    "pad \0": "a key of a file for another program",
    "tabletop-companion \0": "a name and its version",
    "this table speaks version \0 of the protocol": "an answer to a program",
}
"""F-strings that are no sentence, with a null for each field, and what they are."""
FAULTS = {
    "ValueError", "TypeError", "RuntimeError", "AssertionError", "KeyError", "LookupError", "ConfigError",
    "SocketError", "ImportError", "AttributeError",
}  # fmt: skip
"""Errors of the program itself, of the configuration, which is English like its keys, and of the table's socket."""
JOURNAL_FUNCTIONS = {"notify_service_manager", "print_message", "report", "write_log"}
"""Functions that write lines of the journal, which is English."""


def find_faults(tree):
    """Each place of a module that puts a sentence together, as (line, why)."""
    around = {inner: outer for outer in ast.walk(tree) for inner in ast.iter_child_nodes(outer)}
    for function in [tree, *(each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef))]:
        known = texts_of(function)
        for node in ast.walk(function):
            if innermost(node, around) is not (function if function is not tree else None):
                continue
            if isinstance(node, ast.JoinedStr) and f_string_skeleton(node) in ALLOWED:
                continue
            if (parts := parts_put_together(node)) and joins_text(parts, known):
                yield node.lineno, "a text is put together with words or marks"
            elif isinstance(node, ast.JoinedStr) and not is_for_programs(node, around) and is_english(node):
                yield node.lineno, "an f-string has English words"


def innermost(node, around):
    """The function that a node is in, None for the module."""
    while (node := around.get(node)) is not None:
        if isinstance(node, ast.FunctionDef):
            return node
    return None


def is_text(value, known=frozenset()):
    """Whether an expression is a text, by the function it calls or the name it was assigned to."""
    match value:
        case ast.Call(func=ast.Name(id=name)) if name in TEXT_FUNCTIONS:
            return True
        case ast.Call(func=ast.Name(id="str"), args=[inner]) if is_text(inner, known):
            return True
        case ast.FormattedValue(value=inner):
            return is_text(inner, known)
        case ast.IfExp(body=one, orelse=other):
            return is_text(one, known) or is_text(other, known)
        case ast.Name(id=name):
            return name in known
    return False


def texts_of(function):
    """The names to which a function assigns texts."""
    return {
        target.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and is_text(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def parts_put_together(node):
    """The parts of an expression that joins strings, [] for any other one."""
    match node:
        case ast.JoinedStr(values=parts):
            return parts
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [left, right]
        case ast.BinOp(left=ast.Constant(value=str()) as left, op=ast.Mod(), right=right):
            return [left, *(right.elts if isinstance(right, ast.Tuple) else [right])]
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()) as form, attr="join" | "format"), args=args):
            inner = [each.elt if isinstance(each, ast.GeneratorExp | ast.ListComp) else each for each in args]
            return [form, *(part for each in inner for part in (each.elts if isinstance(each, ast.List) else [each]))]
    return []


def joins_text(parts, known):
    """Whether a text is joined to letters or punctuation, or two texts without a blank line or columns between them."""
    words = "".join(part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))
    count = sum(is_text(part, known) for part in parts)
    return count > 0 and (bool(SENTENCE_PATTERN.search(words)) or (count > 1 and words in ("", " ")))


def is_english(node):
    """Whether the words of an f-string are part of an English sentence."""
    whole = f_string_skeleton(node)
    return bool(ENGLISH.search(whole)) and not PROGRAM_PATTERN.search(whole)


def f_string_skeleton(node):
    """An f-string with a null for each field."""
    return "".join(part.value if isinstance(part, ast.Constant) else "\0" for part in node.values)


def is_for_programs(node, around):
    """Whether an f-string is in an error of the program, in an assertion, or in a line of the journal."""
    while (node := around.get(node)) is not None:
        match node:
            case ast.Assert() | ast.FunctionDef(name="__repr__"):
                return True
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in FAULTS | JOURNAL_FUNCTIONS:
                return True
            case ast.stmt():
                return False
    return False


def program_modules():
    """The modules of the program."""
    return [path for each in ("companion", "hardware") for path in sorted((ROOT / each).rglob("*.py"))]


def test_no_sentence_is_put_together():
    """In no module but those of `EXEMPT_MODULES`, each for its reason."""
    found = {}
    for path in program_modules():
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(tuple(EXEMPT_MODULES)):
            for line, why in find_faults(ast.parse(path.read_text("utf-8"))):
                found[f"{name}:{line}"] = why
    assert found == {}


EXEMPT_MODULES = {
    "companion/config.py": "the configuration is English, as its keys are",
    "companion/gamekit/contract/": "it tells the author of a game what to mend",
    "companion/gamekit/sentence_preview.py": "it tells a translator how wide a sentence is",
    "companion/languages/update.py": "it tells a translator what is done",
    "companion/panel/fonts.py": "its sentences tell a test what is cut",
    "companion/rounds/record.py": "answers of check",
    "companion/club/uplink.py": "lines of the journal",
}
"""Modules whose sentences no catalogue has, and why."""


@pytest.mark.parametrize(
    "code",
    [
        'f"{text(a)}: {b}"',
        'f"{text(a)} of {b}"',
        'text(a) + "."',
        "text(a) + text(b)",
        '"%s, %s" % (text(a), b)',
        '", ".join([text(a), b])',
        '"{}: {}".format(text(a), b)',
        'f"{str(text(a))}!"',
        'f"{plural_text(n, a, b)} ({format_list(names)})"',
        'def f():\n    words = text(a)\n    return f"{words}, {b}"',
        'f"{count} rounds are kept"',
        'show(f"the table {name}")',
        'show(f"piece {number}")',
    ],
)
def test_a_sentence_that_is_put_together_is_found(code):
    """One of each kind."""
    assert [*find_faults(ast.parse(code))]


@pytest.mark.parametrize(
    "code",
    [
        'text("{who} wins", who=name)',
        'f"{number:5}  {text(a):10}  {text(b)}"',
        '"\\n".join([text(a), text(b)])',
        'f"{folder}/{name}.tcr"',
        'raise ValueError(f"no such seat {seat}")',
        'db.execute(f"SELECT id FROM rounds WHERE {where}")',
        'print_message(f"the table {name} is there")',
    ],
)
def test_what_is_no_sentence_of_parts_passes(code):
    """Columns, lines, paths, errors of the program, SQL, lines of the journal."""
    assert [*find_faults(ast.parse(code))] == []
