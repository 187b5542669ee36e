"""The report as Markdown without pictures, so that every viewer shows it alike."""

from __future__ import annotations

import re
from math import log1p
from typing import TYPE_CHECKING

from companion.languages import join_texts, text, translate
from companion.report import facts, plots, sentences
from companion.rounds.standings import STANDINGS_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.report.gather import Evening, ReportedRound

BAR_CHARACTERS = "▁▂▃▄▅▆▇█"
MAX_BARS = 60
"""The most bars of a curve. Of a longer round only every second, third … move is shown."""


def markdown_report(evening: Evening) -> str:
    """Format the report in GitHub's Markdown, which has tables."""
    lines = [
        f"# {escape_markdown(sentences.headline(evening))}",
        "",
        text("{day}. {lead}.", day=sentences.long_date(evening.day), lead=sentences.summary_line(evening)),
        "",
    ]
    games, won = evening.games, {each.name: dict(each.won_by_game) for each in evening.standings}
    lines += markdown_table(
        (text("Player"), *(translate(heading) for _, heading in STANDINGS_COLUMNS), *map(sentences.game_name, games)),
        [(escape_markdown(each.name), *(getattr(each, field) for field, _ in STANDINGS_COLUMNS),
          *(won[each.name].get(game, "–") for game in games)) for each in evening.standings],
    )  # fmt: skip
    if evening.matches:
        lines += ["", f"**{text('Matches:')}**", ""]
        lines += [f"- {escape_markdown(sentences.match_text(each))}." for each in evening.matches]
    if think := sentences.longest_think_text(evening):
        lines += ["", text("**{what}** {think}.", what=text("Longest think:"), think=escape_markdown(think))]
    for number, reported in enumerate(evening.rounds, 1):
        lines += ["", *_round_lines(number, reported)]
    return sentences.bidi_name_isolator(map(escape_markdown, evening.user_names))("\n".join(lines) + "\n")


def _round_lines(number: int, reported: ReportedRound) -> Iterator[str]:
    title, result = sentences.game_title(reported), sentences.result_text(reported)
    parts = (sentences.options_text(reported), sentences.time_span_text(reported), sentences.end_reason(reported))
    heading = {"title": escape_markdown(title), "result": escape_markdown(result)}
    yield text("## {number}. {title}: {result}", number=number, **heading)
    yield ""
    if details := join_texts(map(text, filter(None, parts)), ". ", "capital"):
        yield from (f"{details}.", "")
    yield from markdown_table(
        (text("Player"), text("{unit:capital}", unit=sentences.unit_of_counts(reported)), text("Move by move")),
        list(_player_rows(reported)),
    )
    yield ""
    for _, title, sentence in sentences.notable_moments(reported):
        yield text("- **{what}:** {sentence}.", what=title, sentence=escape_markdown(sentence))
    if reported.round is not None and (sheet := facts.score_sheet(reported.round)):
        yield ""
        columns = [tuple("<br>".join(map(escape_markdown, column)) for column in block) for block in sheet]
        yield from markdown_table(tuple(map(escape_markdown, reported.summary.names)), columns)


def _player_rows(reported: ReportedRound) -> Iterator[tuple[object, ...]]:
    figures = sentences.final_counts_by_seat(reported) or ("",) * len(reported.summary.names)
    for seat, (name, figure) in enumerate(zip(reported.summary.names, figures, strict=True)):
        mark = "**" if name in reported.summary.winners else ""
        curve = "" if reported.facts is None else sparkline(reported.facts.curve, seat)
        yield f"{mark}{escape_markdown(name)}{mark}", f"{mark}{figure}{mark}", curve


def sparkline(curve: Sequence[tuple[int, ...]], seat: int) -> str:
    """A seat's curve as bars, with the same scale for all seats of the round. The last move is always shown."""
    step = -(-len(curve) // MAX_BARS)
    rows = [curve[number] for number in range((len(curve) - 1) % step, len(curve), step)]
    scale = log1p if plots.has_wide_range(curve) else float
    values = [scale(value) for row in curve for value in row]
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    return "".join(
        BAR_CHARACTERS[int((scale(row[seat]) - low) / span * (len(BAR_CHARACTERS) - 1) + 0.5)] for row in rows
    )


def markdown_table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """Format a table as lines. Its cells must be valid Markdown already."""

    def line(cells: Sequence[object]) -> str:
        return f"| {' | '.join(map(str, cells))} |"

    return [line(heads), line(["---"] * len(heads)), *map(line, rows)]


def escape_markdown(sentence: str) -> str:
    """Escape everything that Markdown or HTML would interpret; not for the beginning of a line."""
    return re.sub(r"([\\`*_\[\]<>&|~$])", r"\\\1", sentence)
