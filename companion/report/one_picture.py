"""The report as one picture: headline, standings, and for each round its last picture and its curve."""

from __future__ import annotations

import io
import warnings
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from PIL import Image

from companion.languages import text, translate
from companion.report import html_page, plots, sentences
from companion.rounds import standings

if TYPE_CHECKING:
    from companion.report.gather import Evening, ReportedRound
    from companion.rounds.public_view import PanelPictures

INK, SOFT, RULE, PAPER, ACCENT = "#1d1b19", "#6b645b", "#ded6c9", "#faf7f2", "#b83c25"
PLAYERS = ("#d0482f", "#2678c8", "#2a8f57", "#a8760f", "#8a5cd0", "#c23f86", "#0e8f96", "#7a7f36")
"""The players' colours, the same as on the page."""

COLUMN_COUNT, ROUND_WIDTH_INCHES, ROUND_HEIGHT_INCHES = 3, 4.4, 4.0
"""How many rounds are side by side, and the width and height of one in inches."""

HEAD_INCHES, LINE_INCHES = 1.9, 0.34
"""The height of the headline, and of one line of the standings, in inches."""

PANEL_INCHES = 2.0
"""The height of the panel beside the standings, in inches."""

MATCH_LETTERS = 70
"""The most letters in a line about a match. Even wide letters then end before the panel."""

RESULT_LETTERS = 32
"""A longer result is written smaller, so that it does not reach the next column."""

DPI = 141
"""A panel twice as large as its pixels is then 1.9 inches wide."""
FRAME_PIXELS = 3
"""The width of the frame around a panel, in pixels."""
STYLE = plots.PLOT_STYLE | {
    "figure.constrained_layout.use": False,
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "axes.edgecolor": RULE,
    "axes.labelcolor": SOFT,
    "xtick.color": RULE,
    "ytick.color": RULE,
    "xtick.labelcolor": SOFT,
    "ytick.labelcolor": SOFT,
    "text.color": INK,
    "grid.color": RULE,
}


def png_report(evening: Evening, panels: PanelPictures) -> bytes:
    """Draw the report as a PNG file. Raises ModuleNotFoundError without the libraries of the extra ``report``."""
    from matplotlib import rc_context

    with rc_context(STYLE):
        figure = draw_report(evening, panels)
        file = io.BytesIO()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # Letters that the font lacks are drawn as empty boxes.
            figure.savefig(file, format="png", dpi=DPI, metadata={"Software": None})
    return file.getvalue()


def draw_report(evening: Evening, panels: PanelPictures) -> Any:
    """Draw the report as a matplotlib figure."""
    from matplotlib.figure import Figure

    colours = {name: PLAYERS[index % len(PLAYERS)] for index, name in enumerate(evening.players)}
    rows = -(-len(evening.rounds) // COLUMN_COUNT)
    head = head_height(evening)
    height = head + ROUND_HEIGHT_INCHES * rows + 0.3
    figure = Figure(figsize=(ROUND_WIDTH_INCHES * COLUMN_COUNT + 0.3, height), dpi=DPI)
    _draw_head(figure, evening, colours, height)
    left, top = 2 * ROUND_WIDTH_INCHES + 0.35, height - HEAD_INCHES + 0.1
    _draw_panel(figure, left, top, html_page.standings_picture(evening, panels), 4)
    for index, reported in enumerate(evening.rounds):
        left = index % COLUMN_COUNT * ROUND_WIDTH_INCHES + 0.35
        top = height - head - index // COLUMN_COUNT * ROUND_HEIGHT_INCHES
        if (picture := html_page.last_picture(reported, panels)) is not None:
            _draw_panel(figure, left, top - 0.8, picture, 2)
        _draw_round(figure, index + 1, reported, colours, left=left, top=top)
    return figure


def head_height(evening: Evening) -> float:
    """The height in inches of everything above the rounds: headline, standings, and the panel beside them."""
    return HEAD_INCHES + max(LINE_INCHES * (len(evening.standings) + len(_match_lines(evening)) + 2), PANEL_INCHES)


def _match_lines(evening: Evening) -> list[str]:
    """The sentences about matches, wrapped so that they end before the panel."""
    return [
        line
        for match in evening.matches
        for line in wrap(text("Match of {match}", match=sentences.match_text(match)), MATCH_LETTERS)
    ]


def _add_axes(figure: Any, left: float, top: float, width: float, height: float) -> Any:
    """Add axes at a position in inches.

    `top` is the distance of their upper edge from the lower edge of the picture.
    """
    across, up = figure.get_size_inches()
    return figure.add_axes((left / across, (top - height) / up, width / across, height / up))


def _write_text(figure: Any, left: float, y: float, label: str, **settings: Any) -> None:
    across, up = figure.get_size_inches()
    figure.text(left / across, y / up, label, **({"va": "baseline"} | settings))


def _draw_head(figure: Any, evening: Evening, colours: dict[str, str], high: float) -> None:
    _write_text(figure, 0.35, high - 0.55, sentences.long_date(evening.day), color=ACCENT, weight="bold", size=12)
    _write_text(figure, 0.35, high - 1.08, sentences.headline(evening), family="serif", weight="bold", size=28)
    _write_text(figure, 0.35, high - 1.45, text("{lead}.", lead=sentences.summary_line(evening)), color=SOFT, size=13)
    columns: list[tuple[float, str, str]] = [(0.35, "left", text("Player"))]
    columns += [
        (4.2 + 0.95 * number, "right", translate(heading))
        for number, (_, heading) in enumerate(standings.STANDINGS_COLUMNS)
    ]
    _write_text(
        figure, 0.35, high - head_height(evening) + 0.12, text("○ turning point   △ best move"), color=SOFT, size=9
    )
    y = high - HEAD_INCHES - 0.12
    for left, side, title in columns:
        _write_text(figure, left, y, title, color=SOFT, ha=side)
    for place in evening.standings:
        y -= LINE_INCHES
        cells = (place.name, *(getattr(place, field) for field, _ in standings.STANDINGS_COLUMNS))
        for number, ((left, side, _), cell) in enumerate(zip(columns, cells, strict=True)):
            strong = "bold" if number in (0, 1) else "normal"
            colour = INK if number else colours[place.name]
            _write_text(figure, left, y, str(cell), ha=side, size=13, weight=strong, color=colour)
    for line in _match_lines(evening):
        y -= LINE_INCHES
        _write_text(figure, 0.35, y, line, size=11)


def _draw_panel(figure: Any, left: float, top: float, picture: Image.Image, scale: int) -> None:
    """Draw a picture of the panel in a black frame, each pixel as a square of `scale` whole pixels.

    `left` and `top` are in inches, `top` from the lower edge.
    """
    framed = Image.new("L", (picture.width + 2 * FRAME_PIXELS, picture.height + 2 * FRAME_PIXELS))
    framed.paste(picture.convert("L"), (FRAME_PIXELS, FRAME_PIXELS))
    large = framed.resize((framed.width * scale, framed.height * scale), Image.Resampling.NEAREST)
    figure.figimage(large, round(left * DPI), round(top * DPI) - large.height, cmap="gray", vmin=0, vmax=255)


def _draw_round(
    figure: Any, number: int, reported: ReportedRound, colours: dict[str, str], *, left: float, top: float
) -> None:
    """Draw a round: game, result, the scores beside the panel's last picture, and the curve."""
    heading = text("Round {number} · {title}", number=number, title=sentences.game_title(reported))
    _write_text(figure, left, top - 0.35, heading, color=SOFT)
    result = sentences.result_text(reported)
    large = 14 * min(1.0, RESULT_LETTERS / len(result))
    _write_text(figure, left, top - 0.62, result, family="serif", weight="bold", size=large)
    step = min(0.235, 1.0 / len(reported.summary.names))
    size = min(10.0, 60 * step)
    counts = sentences.final_counts_by_seat(reported)
    for seat, (name, count) in enumerate(zip(reported.summary.names, counts, strict=True)):
        y = top - 0.75 - step * (seat + 1)
        bold = "bold" if name in reported.summary.winners else "normal"
        _write_text(figure, left + 2.02, y, name, color=colours[name], weight=bold, size=size)
        _write_text(figure, left + ROUND_WIDTH_INCHES - 0.45, y, str(count), ha="right", weight=bold, size=size)
    if reported.facts is None or len(reported.facts.curve) < 2:
        return
    curve = _add_axes(figure, left + 0.3, top - 2.08, ROUND_WIDTH_INCHES - 0.85, 1.45)
    plots.draw_curve(curve, reported, [colours[name] for name in reported.summary.names])
    curve.set_xlabel("")
    title = text("{unit:capital} after each move", unit=sentences.unit_of_counts(reported))
    curve.set_title(title, color=SOFT, size=9, loc="left", pad=3)
