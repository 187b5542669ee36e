"""Templates and sentences of the club server's pages; some templates extend those of the table's own pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse

from companion import games
from companion.club.tournament import WIN_HALF_POINTS, PairingOutcome
from companion.languages import text, translate
from companion.web import site

if TYPE_CHECKING:
    from companion.club.tournament import Pairing, StoredTournament

CLUB_WEB_FOLDER = Path(__file__).parent
TABLE_WEB_FOLDER = Path(site.__file__).parent
TEMPLATES = site.page_templates(CLUB_WEB_FOLDER / "templates", TABLE_WEB_FOLDER / "templates")


def render_template(name: str, **values: Any) -> str:
    """Fill in the template `name`; `values` are what it shows."""
    return TEMPLATES.get_template(name).render(**values)


def page_response(name: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A response with a page of the tournaments, which browsers must not cache."""
    return HTMLResponse(render_template(name, **values), status, {"cache-control": "no-store"})


def game_title(event: StoredTournament) -> str:
    """The game and its options in a few words: ``27 expert``."""
    return games.game_title(event.game, event.options.items())


OUTCOME_SENTENCES = {
    PairingOutcome.FIRST: "{first} won",
    PairingOutcome.DRAW: "Draw",
    PairingOutcome.SECOND: "{second} won",
    PairingOutcome.FIRST_UNPLAYED: "{first} won without a game",
    PairingOutcome.SECOND_UNPLAYED: "{second} won without a game",
    PairingOutcome.NOBODY: "no game, no points",
}


def outcome_text(event: StoredTournament, game: Pairing, outcome: PairingOutcome) -> str:
    """How a pairing ended or may end, in words: ``Ann won``."""
    sentence = OUTCOME_SENTENCES[outcome]
    return text(sentence, first=event.player_name(game.first), second=event.player_name(game.second))


def bye_text(event: StoredTournament, game: Pairing) -> str:
    """Who has or had a bye, and what it counts for: nothing before its round is over."""
    who = event.player_name(game.first)
    points = text("a point") if game.points_of(game.first) == WIN_HALF_POINTS else text("half a point")
    if game.round > event.tournament.finished_round:
        return text("{who} has the bye: {points} when the round is over", who=who, points=points)
    return text("{who} had the bye in round {round}: {points}", who=who, round=game.round, points=points)


TEMPLATES.globals |= {"game_title": game_title, "outcome_text": outcome_text, "bye_text": bye_text}


def as_sentence(clause: str) -> str:
    """An error or a note as a sentence with a capital and a full stop, in the reader's language; "" for nothing."""
    translated = translate(clause)
    return f"{translated[:1].upper()}{translated[1:].rstrip('.')}." if translated else ""


def natural_key(name: str) -> list[tuple[int, str]]:
    """A sort key that puts table-10 after table-9."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name)]
