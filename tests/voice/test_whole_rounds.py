"""A round of each game from the main menu to its result, by the keys of a number pad and what is said alone.

The player here knows the pieces in the hands and nothing else of the box: each key is chosen by what was heard last.
"""

from __future__ import annotations

import random
import re

import pytest
from game_support import support_of_game

from companion import games
from companion.evening.screens.play.round_over import RoundOver

CLAIMING_GAME = "coral-reef"
"""The game in which a false "I can't move" of a secret hand comes to light."""
LANGUAGES = "en", "de", "es", "fr"
NEVER_SAID = re.compile(r"[#*▴▾◂▸↩×÷→•_]|\{|\bNone\b|[,.]{2}")
"""Signs for the eye, which nobody can hear."""


def choose(table, wanted: str) -> str:
    """Move the cursor down a list until a pattern is heard, and choose that entry."""
    for _ in range(30):
        if re.search(wanted, table.heard):
            return table.key("#")
        table.key("C")
    raise AssertionError(f"{wanted} was not heard: {table.all_heard[-30:]}")


def press_until(table, key: str, is_reached) -> None:
    """Press a key until something is reached, at most 30 times."""
    for _ in range(30):
        if is_reached():
            return
        table.key(key)
    raise AssertionError(table.all_heard[-10:])


def begin_round(table, game: str) -> None:
    """Begin a round from the main menu, with the hands secret and everything else as it is proposed."""
    choose(table, games.manifest_of(game).name)
    press_until(table, "#", lambda: "Enter: start" in table.heard)
    table.key("#")
    for _ in range(4):
        if "Ann starts" in table.heard:
            break
        choose(table, "secret|not named")
    assert "Enter: start" in table.heard
    table.key("#")


def name_to_move(table) -> str:
    """Whose turn it is, by the key that repeats; messages are closed as the voice says."""
    for _ in range(5):
        said = table.repeat()
        if (found := re.search(r"(\w+)'s turn", said)) is not None:
            return found[1]
        assert "Enter:" in said or "Any key goes on" in said, said
        table.key("#")
    raise AssertionError(table.all_heard[-10:])


def is_entry_empty(table) -> bool:
    return "Backspace: menu" in table.repeat()


def enter(table, game: str, event: str) -> str:
    """Type an event, and play it once the voice says what Enter does. Returns what is said of it."""
    table.key(*support_of_game(game).keys_of_event(event))
    assert "Enter" in table.repeat(), (event, table.all_heard[-5:])
    return table.key("#")


def refuse(table, game: str, state) -> None:
    """Enter a move that the rules refuse: the voice says so and why, and all of it can be erased."""
    rules, chance = games.load_rules(game), random.Random(1)
    for _ in range(500):
        event = support_of_game(game).random_event(chance)
        draft = games.load_move_input(game).draft_from_keys(state, support_of_game(game).keys_of_event(event))
        if draft is not None and draft.verdict == "no" and rules.refusal(state, rules.parse_move(event)) is not None:
            break
    enter(table, game, event)
    assert table.heard.startswith("Not allowed."), (event, table.heard)
    assert len(table.heard) > len("Not allowed.") + 10
    press_until(table, "*", lambda: is_entry_empty(table))


def take_back(table) -> None:
    """Take the last move back through the table menu; whoever is asked agrees."""
    table.key("*")
    choose(table, "Take back")
    for _ in range(9):
        if "taken back" in table.heard:
            break
        assert "Enter:" in table.repeat(), table.all_heard[-5:]
        table.key("#")


@pytest.mark.parametrize("game", [game for game in games.built_in_game_ids() if games.manifest_of(game).has_records])
def test_a_round_is_played_by_ear(heard_table, play_round, game):
    """A refusal, a takeback, a false claim where the game has claims, and a result that is said whole."""
    rules, options = games.load_rules(game), games.manifest_of(game).option_defaults
    for seed in range(400):
        share = support_of_game(game).PLANNED_OPEN_SHARE
        played = play_round(game, options, 2, random.Random(seed), share=share)
        if len(played.events) < 8:
            continue
        claims = rules.false_claims(played.states[0], played.events)
        if rules.seat_to_move(played.states[-1]) is None and (claims or game != CLAIMING_GAME):
            break
    else:
        raise AssertionError("no such round")
    table = heard_table()
    begin_round(table, game)
    for number, (state, (seat, move)) in enumerate(zip(played.states, played.events, strict=False)):
        assert name_to_move(table) == ("Ann", "Ben")[seat - 1]
        if number == 2:
            refuse(table, game, state)
        said = enter(table, game, str(move))
        if number == 4 and str(move).split()[0] not in ("draw", "refill"):
            take_back(table)
            said = enter(table, game, str(move))
        assert ("Ann", "Ben")[seat - 1] in said.partition(". ")[0], (str(move), said)
    press_until(table, "#", lambda: isinstance(table.session.screen, RoundOver))
    outcome = rules.outcome(played.states[-1])
    winners = [("Ann", "Ben")[seat - 1] for seat in outcome.winners]
    assert (f"{winners[0]} wins" if len(winners) == 1 else "draw") in table.heard, table.heard
    if game == CLAIMING_GAME:
        table.key("#")
        assert re.search("could have (laid|started|moved)", table.heard), table.heard
    assert [said for said in table.all_heard if NEVER_SAID.search(said)] == []
