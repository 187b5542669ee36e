"""Draws the charts of a round as SVG for a page, by matplotlib. The page's CSS variables give the colours.

Matplotlib draws in stand-in colours that occur nowhere else; `_svg_element` replaces them by ``var(--…)``.
"""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any

from companion.languages import format_decimal, text, translate
from companion.report import facts
from companion.rounds.on_table import Round

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.games.api.manifest import Chart
    from companion.report.gather import ReportedRound

WIDTH_POINTS, CURVE_POINTS, SECOND_CHART_POINTS = 320.0, 145.0, 105.0
"""In points: the width of a chart, the height of the curve, and the height of the second chart below it."""

INK_STAND_IN, RULE_STAND_IN = "#010203", "#010204"
"""Stand-in colours of text and lines. Those of players are made by `stand_in_colour`."""

WIDE_RANGE_RATIO = 50
"""If the largest score is this many times the smallest, the score axis is logarithmic."""

PLOT_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.size": 10.0,
    "text.parse_math": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.edgecolor": RULE_STAND_IN,
    "axes.labelcolor": INK_STAND_IN,
    "xtick.color": RULE_STAND_IN,
    "ytick.color": RULE_STAND_IN,
    "xtick.labelcolor": INK_STAND_IN,
    "ytick.labelcolor": INK_STAND_IN,
    "ytick.major.size": 0.0,
    "text.color": INK_STAND_IN,
    "grid.color": RULE_STAND_IN,
    "grid.linewidth": 0.8,
    "lines.linewidth": 2.0,
    "lines.solid_capstyle": "round",
    "figure.constrained_layout.use": True,
    "figure.constrained_layout.h_pad": 0.03,
    "figure.constrained_layout.w_pad": 0.02,
}

SVG = "{http://www.w3.org/2000/svg}"
XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (5, 2, 1.5, 2)))
"""The dash patterns of the lines, so that they can be told apart without colours."""


def stand_in_colour(player: int) -> str:
    """The stand-in colour of a player, counted from 0."""
    return f"#0105{player:02x}"


def chart_svg(reported: ReportedRound, players: Sequence[int], number: int) -> str:
    """The round's curve, and the game's second chart if it has one, as an ``<svg>`` element for a page.

    `players` has the colour number of each seat, from 0. `number` makes the ids inside the element unique on the page.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    colours = [stand_in_colour(player) for player in players]
    charted = facts.rows_of_second_chart(reported.round)
    rows = [CURVE_POINTS, SECOND_CHART_POINTS] if charted else [CURVE_POINTS]
    file = io.StringIO()
    with rc_context(PLOT_STYLE | {"svg.hashsalt": str(number)}):
        figure = Figure(figsize=(WIDTH_POINTS / 72, sum(rows) / 72))
        axes = figure.subplots(len(rows), 1, sharex=True, squeeze=False, gridspec_kw={"height_ratios": rows})[:, 0]
        draw_curve(axes[0], reported, colours)
        if charted:
            axes[0].set_xlabel("")
            assert isinstance(reported.round, Round), "a score pad has no places"
            assert reported.round.manifest.chart is not None, "only a game with a chart has places"
            draw_second_chart(axes[1], charted, reported.round.manifest.chart, colours)
        empty = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(file, format="svg", transparent=True, metadata=empty)
    return _svg_element(file.getvalue(), f"c{number}-")


def draw_curve(axes: Any, reported: ReportedRound, colours: Sequence[str]) -> None:
    """Draw what each seat counts after each move. A ring marks the turning point, a triangle the best move."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    round_facts = reported.facts
    if round_facts is None:
        return
    moves = range(len(round_facts.curve))
    for seat, colour in enumerate(colours):
        values = [float(row[seat]) for row in round_facts.curve]
        axes.step(moves, values, where="post", color=colour, linestyle=DASHES[seat % len(DASHES)])
        axes.plot(moves[-1:], values[-1:], "o", color=colour, markersize=4.5)
    if has_wide_range(round_facts.curve):
        axes.set_yscale("symlog", linthresh=10, linscale=0.5)
    else:
        axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: axis_label(value)))
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.set_xlim(0, max(1, len(round_facts.curve) - 1) * 1.02)
    axes.grid(axis="y")
    axes.set_xlabel(text("move"))
    marks = []
    if round_facts.turning_move is not None:
        marks.append((round_facts.turning_move, reported.summary.names.index(reported.summary.winners[0]), "o"))
    if round_facts.best_move is not None:
        marks.append((round_facts.best_move.number, round_facts.best_move.seat - 1, "^"))
    for move, player, marker in marks:
        axes.plot([move], [float(round_facts.curve[move][player])], marker, color=colours[player], markersize=8,
                  markerfacecolor="none", markeredgewidth=1.6, clip_on=False, zorder=5)  # fmt: skip


def draw_second_chart(
    axes: Any, charted: Sequence[Sequence[tuple[int, int]]], chart: Chart, colours: Sequence[str]
) -> None:
    """Draw a game's second chart: rows in the colour of their owner, stronger the higher their value is."""
    places = max(map(len, charted))
    for place in range(places):
        heights_and_owners = [row[place] if place < len(row) else (0, 0) for row in charted]
        for first, last, (height, owner) in _runs_of_equals(heights_and_owners):
            if height:
                colour = colours[owner - 1] if owner else INK_STAND_IN
                axes.broken_barh([(first, last - first)], (place + 0.54, 0.92), facecolor=colour,
                                 alpha=min(1.0, 0.14 + 0.86 * height / chart.max_height), linewidth=0)  # fmt: skip
    axes.set_ylim(0.4, places + 0.6)
    axes.set_yticks(range(1, places + 1, 2))
    axes.set_ylabel(translate(chart.row_noun))
    axes.set_xlabel(text("move"))


def _runs_of_equals(states: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, tuple[int, int]]]:
    """Find runs of equal values: the first move, the move after the last, and the value (height, owner)."""
    first = 0
    for index in range(1, len(states) + 1):
        if index == len(states) or states[index] != states[first]:
            yield first, index, states[first]
            first = index


def has_wide_range(curve: Sequence[tuple[int, ...]]) -> bool:
    """Whether scores need a logarithmic axis: none is negative, and their ratio is at least `WIDE_RANGE_RATIO`."""
    values = [value for row in curve for value in row]
    return min(values) >= 0 and max(values) >= WIDE_RANGE_RATIO * max(1, min(values))


def axis_label(value: float) -> str:
    """A number for an axis: ``462``, ``37k``, ``4.2M``."""
    for size, mark in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            return f"{format_decimal(value / (1e3 if mark == 'k' else size), '.3g')}{mark}"
    return format_decimal(value, "g")


def _svg_element(svg: str, prefix: str) -> str:
    """Turn an SVG file into an element for a page.

    Ids in use get `prefix`, others are removed; stand-in colours become CSS variables.
    """
    ET.register_namespace("", SVG[1:-1])
    root = ET.fromstring(re.sub(r"<!DOCTYPE[^>]*>", "", svg))
    used = set(re.findall(r"url\(#([^)]+)\)", svg)) | set(re.findall(r'href="#([^"]+)"', svg))
    for parent in list(root.iter()):
        for child in [child for child in parent if child.tag in (f"{SVG}metadata", f"{SVG}style")]:
            parent.remove(child)
        name = parent.attrib.pop("id", None)
        if name is not None and name in used:
            parent.set("id", prefix + name)
        if XLINK_HREF in parent.attrib:
            parent.set("href", f"#{prefix}{parent.attrib.pop(XLINK_HREF)[1:]}")
    for size in ("width", "height"):
        del root.attrib[size]
    root.set("aria-hidden", "true")
    root.set("stroke-linejoin", "round")
    svg = ET.tostring(root, encoding="unicode")
    svg = re.sub(r"url\(#", f"url(#{prefix}", svg)
    svg = re.sub(r"font: ([0-9.]+)px [^;\"]*", r"font-size: \1px", svg)
    svg = re.sub(r"#0105([0-9a-f]{2})", lambda found: f"var(--player-{int(found[1], 16) + 1})", svg)
    return svg.replace(INK_STAND_IN, "var(--soft)").replace(RULE_STAND_IN, "var(--rule)")
