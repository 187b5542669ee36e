"""The clock in the strip of each game, beside what else is there."""

import random

import pytest

from companion import display
from companion.evening.model import Session
from companion.evening.screens.play.playing import PlayScreen
from companion.evening.session_values import Switches
from companion.games import built_in_game_ids
from companion.rounds.on_table import replay_round
from companion.rounds.stored import RoundHeader, StoredHistory, StoredRound


@pytest.mark.parametrize("game", built_in_game_ids())
def test_the_clock_of_a_game(golden, play_round, game):
    """Who is to move, the time of this move and of the round; nothing of the table gives way to them."""
    from companion import games

    options = games.manifest_of(game).option_defaults
    played = play_round(game, options, 2, random.Random(5))
    events = tuple((seat, str(move)) for seat, move in played.events[:7])
    opened = tuple(played.deals)
    deals = tuple((kind, seat, played.rules.format_deal(pieces)) for (kind, seat), pieces in played.deals.items())
    header = RoundHeader(game, tuple(options.items()), ("Annabella", "Ben"), opened=opened)
    round_ = replay_round(StoredRound(1, header, deals, events, event_seconds=(83.0,) * len(events)))
    golden(
        display.session_picture(
            Session(
                (PlayScreen(),), StoredHistory(), round=round_, switches=Switches(timing=True), thinking_seconds=67.4
            )
        ),
        f"clock/{game}",
    )
