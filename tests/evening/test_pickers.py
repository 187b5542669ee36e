"""Every picker at random moments: presses show, BACK leads out, and no impossible piece is offered."""

import random

import pytest

from companion import games
from companion.evening.screens.play.playing import PlayScreen
from companion.games.api import RefusedError
from companion.rounds.stored import RoundHeader, SessionSettings

ARROWS = ("up", "down", "left", "right")
IMPOSSIBLE_PIECE_CODES = ("supply", "set")
"""The codes of refusals of a piece that doesn't exist, or that everybody can see elsewhere."""
TABLE_COUNT, PRESS_COUNT = 4, 12


def random_tables(table_class, settings, play_round, game, chance):
    """Tables in the middle of random rounds, at which a move is due."""
    for options, players in [each[1:] for each in settings if each[0] == game]:
        played = play_round(game, options, players, chance, longest=30)
        names = ("Ann", "Ben", "Cleo", "Dan")[:players]
        table = table_class(SessionSettings((), RoundHeader(game, tuple(options.items()), names)))
        for _ in range(TABLE_COUNT):
            state = chance.choice(played.states)
            round_ = table.session.round._replace(states=(state,), events=(), event_seconds=())
            session = table.session._replace(round=round_).show_base_screen()
            if isinstance(session.screen, PlayScreen):
                yield table, session


def assert_pick_is_possible(session):
    """Check that a complete pick names no piece that can't be there, unless it has a cross."""
    round_, moment = session.round, session.screen
    draft = round_.move_input.draft_from_pick(round_.state, moment.pick)
    event = draft.event or draft.attempted_event
    if not event:
        return True
    try:
        round_.game.play_move(round_.game.seat_view(round_.state, None), round_.turn, round_.game.parse_move(event))
    except RefusedError as refused:
        return refused.code not in IMPOSSIBLE_PIECE_CODES or draft.verdict == "no"
    return True


@pytest.mark.parametrize("game", games.built_in_game_ids())
def test_every_press_shows_and_back_leads_out(table_class, settings_of_all_games, play_round, game):
    """A press changes the panel or gives a reason; BACK, pressed often enough, leaves an empty draft."""
    chance = random.Random(f"pickers {game}")
    unseen = []
    for table, session in random_tables(table_class, settings_of_all_games, play_round, game, chance):
        table.session = session
        table.press("right")
        for _ in range(PRESS_COUNT):
            before, pick = table.picture.tobytes(), table.session.screen.pick
            assert assert_pick_is_possible(table.session), pick
            key = chance.choice((*ARROWS, *ARROWS, "ok"))
            table.press(key)
            said = isinstance(table.session.screen, PlayScreen) and table.session.screen.stray_key
            if table.picture.tobytes() == before and not said:
                unseen.append((key, pick, table.session.screen))
            if table.family == "Refusing":
                table.press("back")
            if not isinstance(table.session.screen, PlayScreen) or table.session.screen.pick is None:
                break
        presses = 0
        while isinstance(table.session.screen, PlayScreen) and table.session.screen.pick is not None:
            table.press("back")
            presses += 1
            assert presses < 40
    assert not unseen, unseen[:5]


@pytest.mark.parametrize(
    ("game", "keys", "figure"),
    [("27", "0", "field 0"), ("27", "9", "field 9"), ("coral-reef", "7", "stack 7"), ("coral-reef", "76", "stack 6")],
)
def test_ok_says_why_a_square_or_stack_is_crossed(new_table, game, keys, figure):
    """The draft has its cross before it is complete, and OK opens the refusal as for a complete one."""
    table = new_table(game)
    table.press(*keys, "#")
    assert table.family == "Refusing"
    assert table.session.screen.refusal.figure == figure
