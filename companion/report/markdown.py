"""The report as Markdown without pictures, so that every viewer shows it alike."""

from __future__ import annotations

import re
from math import log1p
from typing import TYPE_CHECKING

from companion.languages import join_texts, translate, text
from companion.report import facts, plots, words
from companion.rounds.standings import STANDINGS_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.report.gather import Evening, ReportedRound

BARS = "▁▂▃▄▅▆▇█"
WIDEST = 60
"""The most bars of a curve. Of a longer round only every second, third … move is shown."""


def markdown(evening: Evening) -> str:
    """Format the report in GitHub's Markdown, which has tables."""
    lines = [
        f"# {escaped(words.headline(evening))}",
        "",
        text("{day}. {lead}.", day=words.long_date(evening.day), lead=words.lead(evening)),
        "",
    ]
    games, won = evening.games, {each.name: dict(each.won_by_game) for each in evening.places}
    lines += table(
        (text("Player"), *(translate(heading) for _, heading in STANDINGS_COLUMNS), *map(words.game_name, games)),
        [(escaped(each.name), *(getattr(each, field) for field, _ in STANDINGS_COLUMNS),
          *(won[each.name].get(game, "–") for game in games)) for each in evening.places],
    )  # fmt: skip
    if evening.matches:
        lines += ["", f"**{text('Matches:')}**", "", *(f"- {escaped(words.match(each))}." for each in evening.matches)]
    if think := words.longest_think(evening):
        lines += ["", text("**{what}** {think}.", what=text("Longest think:"), think=escaped(think))]
    for number, reported in enumerate(evening.rounds, 1):
        lines += ["", *_round(number, reported)]
    return words.isolating(map(escaped, evening.texts))("\n".join(lines) + "\n")


def _round(number: int, reported: ReportedRound) -> Iterator[str]:
    told = filter(None, (words.options(reported), words.when(reported), words.reason(reported)))
    yield f"## {number}. {escaped(words.title(reported))}: {escaped(words.result(reported))}"
    yield ""
    if details := join_texts(map(text, told), ". ", "capital"):
        yield from (f"{details}.", "")
    yield from table(
        (text("Player"), text("{unit:capital}", unit=words.unit(reported)), text("Move by move")),
        list(_players(reported)),
    )
    yield ""
    for _, what, sentence in words.happenings(reported):
        yield f"- **{what}:** {escaped(sentence)}."
    if reported.round is not None and (sheet := facts.score_sheet(reported.round)):
        yield ""
        columns = [tuple("<br>".join(map(escaped, column)) for column in block) for block in sheet]
        yield from table(tuple(map(escaped, reported.summary.names)), columns)


def _players(reported: ReportedRound) -> Iterator[tuple[object, ...]]:
    figures = words.figures(reported) or ("",) * len(reported.summary.names)
    for seat, (name, figure) in enumerate(zip(reported.summary.names, figures, strict=True)):
        mark = "**" if name in reported.summary.winners else ""
        curve = "" if reported.facts is None else sparkline(reported.facts.curve, seat)
        yield f"{mark}{escaped(name)}{mark}", f"{mark}{figure}{mark}", curve


def sparkline(curve: Sequence[tuple[int, ...]], seat: int) -> str:
    """A seat's curve as bars, with the same scale for all seats of the round. The last move is always shown."""
    step = -(-len(curve) // WIDEST)
    shown = [curve[number] for number in range((len(curve) - 1) % step, len(curve), step)]
    scale = log1p if plots.wide_range(curve) else float
    values = [scale(value) for row in curve for value in row]
    low, high = min(values), max(values)
    reach = (high - low) or 1.0
    return "".join(BARS[int((scale(row[seat]) - low) / reach * (len(BARS) - 1) + 0.5)] for row in shown)


def table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """Format a table as lines. Its cells must be valid Markdown already."""

    def line(cells: Sequence[object]) -> str:
        return f"| {' | '.join(map(str, cells))} |"

    return [line(heads), line(["---"] * len(heads)), *map(line, rows)]


def escaped(words: str) -> str:
    """Escape everything that Markdown or HTML would interpret; not for the beginning of a line."""
    return re.sub(r"([\\`*_\[\]<>&|~$])", r"\\\1", words)
