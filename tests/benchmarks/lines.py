"""How many lines of code the program has: `python tests/benchmarks/lines.py`, in a clone.

A line counts if it holds a token of Python that is not part of a docstring, a comment or an import. Templates, style
sheets and JavaScript are counted apart, without blank lines. Only files that git tracks are read.
"""

from __future__ import annotations

import ast
import io
import subprocess
import tokenize
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("card", "companion", "hardware", "systemd")
OTHER_SUFFIXES = (".html", ".css", ".js")
UNCOUNTED_TOKENS = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def uncounted_lines(tree: ast.Module) -> set[int]:
    """The lines, from 1, of docstrings and imports."""
    found: set[int] = set()
    for node in ast.walk(tree):
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        if text or isinstance(node, ast.Import | ast.ImportFrom):
            assert isinstance(node, ast.stmt)
            found |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return found


def count_lines(source: str) -> int:
    """The lines of code of a Python source."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in UNCOUNTED_TOKENS:
            lines |= set(range(token.start[0], token.end[0] + 1))
    return len(lines - uncounted_lines(ast.parse(source)))


def main() -> None:
    """Print the lines of each folder of code, the sum, and the lines of templates, style sheets and JavaScript."""
    tracked = subprocess.check_output(["git", "ls-files", *FOLDERS], cwd=ROOT, text=True).splitlines()
    python: Counter[str] = Counter()
    others: Counter[str] = Counter()
    for name in tracked:
        path = Path(name)
        if path.suffix == ".py":
            python["/".join(path.parts[:-1][:2])] += count_lines((ROOT / path).read_text("utf-8"))
        elif path.suffix in OTHER_SUFFIXES:
            text = (ROOT / path).read_text("utf-8")
            others[path.suffix] += sum(bool(line.strip()) for line in text.splitlines())
    for folder, lines in sorted(python.items()):
        print(f"{folder:24} {lines:6}")
    print(f"{'Python in all':24} {python.total():6}")
    for suffix, lines in sorted(others.items()):
        print(f"{suffix:24} {lines:6}")


if __name__ == "__main__":
    main()
