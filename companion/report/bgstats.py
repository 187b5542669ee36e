"""A finished round as a link that imports it into BG Stats, an app for recording plays.

The link has the play as JSON; opened on a device with the app, it shows the app's import dialog. The format is
described at https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/.
"""

from __future__ import annotations

import json
from datetime import UTC
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from companion import games
from companion.languages import in_language
from companion.languages.catalogues import ENGLISH
from companion.report import sentences
from companion.rounds.on_table import PadRound

if TYPE_CHECKING:
    from companion.report.gather import ReportedRound

LINK_BEGINNING = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE_NAME = "Tabletop Companion"


def import_link(reported: ReportedRound) -> str:
    """The link for a round; "" if it is not finished, or if its start lacks the time and offset that the app needs."""
    with in_language(ENGLISH):  # The link is read by a program.
        play = play_data(reported)
    return LINK_BEGINNING + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="") if play else ""


def play_data(reported: ReportedRound) -> dict[str, Any]:
    """The play in the app's format; {} for a round without a link."""
    summary, began = reported.summary, reported.began
    if not summary.result or began is None or began.tzinfo is None:
        return {}
    has_no_points = not games.manifest_or_placeholder(summary.game).scores_are_points
    players = [
        {"name": name, "sourcePlayerId": name, "startPlayer": seat == 0, "winner": name in summary.winners}
        | ({} if has_no_points else {"score": summary.scores[seat]})
        for seat, name in enumerate(summary.names)
    ]
    play: dict[str, Any] = {
        "sourceName": SOURCE_NAME,
        "sourcePlayId": f"{summary.begun} {summary.id}",
        "playDate": f"{began.astimezone(UTC):%Y-%m-%d %H:%M:%S}",
        "game": {
            "name": sentences.game_title(reported),
            "sourceGameId": f"pad {sentences.game_title(reported)}"
            if isinstance(reported.round, PadRound)
            else summary.game,
            "highestWins": not (isinstance(reported.round, PadRound) and reported.round.pad.lowest_wins),
            "noPoints": has_no_points,
        },
        "players": players,
    }
    if summary.seconds is not None:
        play["durationMin"] = max(1, round(summary.seconds / 60))
    if variant := sentences.options_text(reported):
        play["board"] = variant
    return play
