"""The doctor's pages: overview, findings, keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.languages import text
from companion.panel import menus, parts
from companion.panel.canvas import LEFT, Canvas
from companion.panel.fonts import HEADING, NAMES, TEXT, cut, wrap
from companion.screens.legends import keys, scrolling

if TYPE_CHECKING:
    from companion.contents import kinds
    from companion.inputs import Finding

MARKS = {"ok": "tick", "do": "cross", "note": "dot"}
WIDE = menus.BESIDE_BAR - LEFT + 1
"""The columns of a page, which has a scrollbar at its right."""
LINES = 4
"""The lines of a finding on a page; `paged` splits longer ones."""
MIDDLE = (LEFT + menus.BESIDE_BAR + 1) // 2
ROWS = 4
"""Rows of the overview, in two columns."""


def paged(findings: list[Finding]) -> tuple[Finding, ...]:
    """The findings, with each that is too long for a page split into several of the same name."""
    pages = []
    for finding in findings:
        lines = wrap(finding.text, TEXT, WIDE)
        chunks = [lines[index : index + LINES] for index in range(0, len(lines), LINES)]
        pages += [finding._replace(text=" ".join(chunk)) for chunk in chunks]
    return tuple(pages)


def draw(c: Canvas, content: kinds.Findings, *, buttons: bool) -> None:
    """Draw the open page."""
    ok, back = keys(content.meanings, buttons=buttons)
    if content.found is not None:
        menus.page_bar(c, content.at, len(content.found) + 2)
    if content.at > len(content.found or ()):
        _keys(c, content.keys)
    elif content.at and content.found:
        _finding(c, content.found[content.at - 1], f"{content.at}/{len(content.found)}")
    else:
        _overview(c, content)
    parts.footer(c, ok, back)
    if ok is not None and content.found is not None:
        scrolling(c, buttons=buttons)


def _overview(c: Canvas, content: kinds.Findings) -> None:
    """Draw each finding's name with a sign; of more than eight, those without a fault are left out first."""
    if content.found is None:
        parts.title(c, content.title)
        c.text(LEFT, 22, content.looking)
        return
    parts.title(c, content.title, content.note)
    states = {finding.about: finding.state for finding in content.found}
    names = sorted(states, key=lambda name: ("do", "note", "ok").index(states[name]))[: 2 * ROWS]
    names = [name for name in states if name in names]
    for index, name in enumerate(names):
        x, y = LEFT + 64 * (index // ROWS), 18 + 9 * (index % ROWS)
        c.icon(x + (2 if states[name] == "note" else 0), y, MARKS[states[name]])
        c.text(x + 11, y, cut(text(name), TEXT, 51 if index < ROWS else 46))


def _finding(c: Canvas, finding: Finding, number: str) -> None:
    part = finding.part
    parts.title(c, f"{part[:1].upper()}{part[1:]}", number)
    for index, words in enumerate(wrap(finding.text, TEXT, WIDE, LINES)):
        c.text(LEFT, 18 + 9 * index, words)


def _keys(c: Canvas, content: kinds.Keys) -> None:
    """Draw the last key large, and the ones before it in a row."""
    parts.title(c, content.title, content.note)
    if not content.pressed:
        lines = [line for words in content.begin for line in wrap(words, TEXT, WIDE)]
        for index, line in enumerate(lines):
            c.text(LEFT, (22 if len(lines) < 3 else 19) + (10 if len(lines) < 4 else 9) * index, line)
        return
    c.fitted(MIDDLE, 20, content.pressed[-1], (HEADING, *NAMES), WIDE, anchor="c")
    row = ""
    for key in reversed(content.pressed[:-1]):
        longer = f"{key} {row}".rstrip()
        if TEXT.width(longer) > WIDE:
            break
        row = longer
    c.text(MIDDLE, 39, row, TEXT, "c")
