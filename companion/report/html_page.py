"""The report as one self-contained HTML page: it needs no network, no script and no other file."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.games.api.computer_players import has_computer_player
from companion.games.game_icons import small_icon
from companion.languages import Text
from companion.panel.icons import icon_mask, icon_path
from companion.report import bgstats, facts, plots, sentences
from companion.rounds.standings import STANDINGS_COLUMNS
from companion.rounds.stored import FinishedRound

if TYPE_CHECKING:
    from PIL import Image

    from companion.report.gather import Evening, ReportedRound
    from companion.rounds.public_view import PanelPictures

TEMPLATE_FOLDER = Path(__file__).parent
PALETTE_SIZE = 8
"""How many colours the page has for players. The ninth player has the first colour again."""


def html_report(evening: Evening, panels: PanelPictures) -> str:
    """Render the page. Raises ModuleNotFoundError without the libraries of the extra ``report``."""
    from jinja2 import Environment, FileSystemLoader

    from companion.languages.templates import add_text_functions

    isolated = sentences.bidi_name_isolator(evening.user_names)
    templates = add_text_functions(
        Environment(
            loader=FileSystemLoader(TEMPLATE_FOLDER),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=lambda value: isolated(value) if type(value) in (str, Text) else value,
        )
    )
    colour = {name: number % PALETTE_SIZE for number, name in enumerate(evening.players)}
    return templates.get_template("page.html").render(
        sentences=sentences,
        bgstats=bgstats,
        evening=evening,
        style=(TEMPLATE_FOLDER / "page.css").read_text(encoding="utf-8"),
        marks=[(game, *icon_path(icon_mask(small_icon(game)))) for game in evening.games],
        colour=colour,
        columns=STANDINGS_COLUMNS,
        tonight=_data_uri(standings_picture(evening, panels)),
        won={place.name: _rounds_won(evening, place.name) for place in evening.standings},
        rounds=[_round_data(number, reported, colour, panels) for number, reported in enumerate(evening.rounds, 1)],
    )


def _round_data(number: int, reported: ReportedRound, colour: dict[str, int], panels: PanelPictures) -> dict[str, Any]:
    """The values of a round for the template."""
    from markupsafe import Markup

    players = [colour[name] for name in reported.summary.names]
    picture, has_moves = last_picture(reported, panels), reported.facts is not None and len(reported.facts.curve) > 1
    return {
        "number": number,
        "reported": reported,
        "players": players,
        "chart": Markup(plots.chart_svg(reported, players, number)) if has_moves else "",
        "picture": "" if picture is None else _data_uri(picture),
        "sheet": [] if reported.round is None else facts.score_sheet(reported.round),
    }


def _rounds_won(evening: Evening, name: str) -> list[tuple[int, str]]:
    """The rounds that a player has won alone: number on the page (from 1), and the game's id."""
    return [
        (number, reported.summary.game)
        for number, reported in enumerate(evening.rounds, 1)
        if reported.summary.winners == [name] and not has_computer_player(reported.summary.names)
    ]


def standings_picture(evening: Evening, panels: PanelPictures) -> Image.Image:
    """The panel's picture of the evening's standings."""
    results = tuple(
        FinishedRound(reported.summary.game, reported.summary.names, tuple(reported.summary.scores),
               tuple(reported.summary.names.index(name) + 1 for name in reported.summary.winners))
        for reported in evening.rounds if reported.summary.result
    )  # fmt: skip
    return panels.standings_picture(results)


def last_picture(reported: ReportedRound, panels: PanelPictures) -> Image.Image | None:
    """The panel's last picture of a round; None if the round can no longer be replayed."""
    round_ = reported.round
    return None if round_ is None else panels.round_picture(round_, len(round_.events))


def _data_uri(picture: Image.Image) -> str:
    file = io.BytesIO()
    picture.save(file, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode('ascii')}"
