"""The doctor's pages: overview, findings, keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.panel import menus, parts
from companion.panel.canvas import LEFT, Canvas
from companion.panel.fonts import HEADING, NAMES, TEXT, cut, wrap
from companion.session import doctor

if TYPE_CHECKING:
    from companion.inputs import Finding
    from companion.panel.parts import Legend
    from companion.session.model import Doctor

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


def draw(c: Canvas, mode: Doctor, back: Legend, more: Legend, twice: Legend) -> None:
    """Draw the open page; the legends are for leaving, for the next page, and for leaving the page of keys."""
    if mode.findings is not None:
        menus.page_bar(c, mode.number, doctor.last(mode) + 1)
    if mode.number == doctor.last(mode):
        _keys(c, mode)
        parts.footer(c, None, twice)
        return
    if mode.number == 0:
        _overview(c, mode.findings)
    elif mode.findings:
        _finding(c, mode.findings[mode.number - 1], f"{mode.number}/{len(mode.findings)}")
    parts.footer(c, more, back)


def _overview(c: Canvas, findings: tuple[Finding, ...] | None) -> None:
    """Draw each finding's name with a sign; of more than eight, those without a fault are left out first."""
    if findings is None:
        parts.title(c, "Doctor")
        c.text(LEFT, 22, "I am looking …")
        return
    states = {finding.about: finding.state for finding in findings}
    wrong, noted = (sum(state == kind for state in states.values()) for kind in ("do", "note"))
    said = f"{wrong} to do" if wrong else f"{noted} note{'s' * (noted > 1)}" if noted else "all is well"
    parts.title(c, "Doctor", said)
    names = sorted(states, key=lambda name: ("do", "note", "ok").index(states[name]))[: 2 * ROWS]
    names = [name for name in states if name in names]
    for index, name in enumerate(names):
        x, y = LEFT + 64 * (index // ROWS), 18 + 9 * (index % ROWS)
        c.icon(x + (2 if states[name] == "note" else 0), y, MARKS[states[name]])
        c.text(x + 11, y, cut(name, TEXT, 46))


def _finding(c: Canvas, finding: Finding, number: str) -> None:
    parts.title(c, finding.about.capitalize(), number)
    for index, words in enumerate(wrap(finding.text, TEXT, WIDE, LINES)):
        c.text(LEFT, 18 + 9 * index, words)


def _keys(c: Canvas, mode: Doctor) -> None:
    """Draw the last key large, and the ones before it in a row."""
    parts.title(c, "Keys", f"{mode.total} heard")
    if not mode.pressed:
        c.text(LEFT, 22, "Press every key:")
        c.text(LEFT, 32, "each is shown here.")
        return
    c.fitted(MIDDLE, 20, mode.pressed[-1], (HEADING, *NAMES), WIDE, anchor="c")
    row = ""
    for key in reversed(mode.pressed[:-1]):
        longer = f"{key} {row}".rstrip()
        if TEXT.width(longer) > WIDE:
            break
        row = longer
    c.text(MIDDLE, 39, row, TEXT, "c")
