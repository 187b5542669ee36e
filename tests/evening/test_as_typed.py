"""OK plays exactly what was typed, or nothing: if a key didn't fit, the players are asked first."""

from __future__ import annotations

import random

import pytest
from examples import example_count
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import games
from companion.evening import state_machine
from companion.evening.screens.messages import MisfitConfirmation
from companion.evening.screens.pad import pad_actions
from companion.evening.screens.play.playing import PlayScreen
from companion.games.prime_attactics.picker import without_overridden_keys
from companion.games.score_pad import pad
from companion.inputs import KeyPressed
from companion.rounds.stored import RoundHeader

KEYS = "0123456789ABCD"
BUTTON_PRESSES = ("up", "down", "left", "right", "up", "down", "left", "right", "ok", "ok", "ok", "back")
TYPED_KEYS = st.text(KEYS, min_size=1, max_size=6)
MAX_POINTS = str(pad.MAX_POINTS)
HEADER_OF_THREE = RoundHeader(pad.PAD_ID, pad.Pad(3).stored_options, ("Ann", "Ben", "Cleo"))


def with_stray_keys(keys: str, chance: random.Random) -> str:
    """The keys of a move with up to two other keys among them or behind them."""
    for _ in range(chance.randrange(3)):
        at = chance.randint(0, len(keys))
        keys = keys[:at] + chance.choice(KEYS) + keys[at:]
    return keys


def effective_keys(round_, keys: str) -> str:
    """The typed keys without those that docs/playing.md says are replaced by the next one."""
    entry, state = round_.move_input, round_.known_state
    while len(keys) > 1 and (first := entry.draft_from_keys(state, keys[0])) and first.verdict == "no":
        longer = entry.draft_from_keys(state, keys[:2])
        if (longer is not None and longer.verdict != "no") or entry.draft_from_keys(state, keys[1]) is None:
            break
        keys = keys[1:]
    if round_.header.game == "prime-attactics":
        return without_overridden_keys(keys)
    if round_.header.game == "coral-reef" and keys != f"{len(state.tops) + 1}9":
        return keys[0] + keys[1:].replace("A", "1")
    return keys[-1] if round_.header.game == "coral-reef" else keys


@pytest.mark.parametrize("game", games.built_in_game_ids())
@settings(max_examples=example_count(60))
@given(seed=st.integers(0, 2**32), typed=TYPED_KEYS)
def test_the_first_ok_plays_exactly_the_typed_keys_or_nothing(random_table, game, seed, typed):
    """The event that was played, typed again, gives the same keys, except for replaced ones; the second OK plays."""
    chance = random.Random(seed)
    table = random_table(game, chance)
    if not isinstance(table.session.screen, PlayScreen):
        return
    before = table.session.round
    of_moves = [
        keys for move in before.game.legal_moves(before.state) if (keys := before.move_input.keys_for_event(str(move)))
    ]
    if of_moves and chance.random() < 0.8:
        typed = with_stray_keys(chance.choice(of_moves), chance)
    table.press(*typed, "#")
    events = table.session.round.events
    if len(events) > len(before.events):
        keys = effective_keys(before, typed)
        draft = before.move_input.draft_from_keys(before.known_state, keys)
        assert draft is not None, f"{typed} played {events[len(before.events)]}"
        event = events[len(before.events)][1]
        back = before.move_input.keys_for_event(event)
        # The keys of a draw aren't listed, and a stack with a single movable piece needs no number.
        assert back in ("", keys) or (back.startswith(keys) and draft.event == event)
    elif isinstance(table.session.screen, MisfitConfirmation):
        assert (
            table.session.close_screen().screen.misfit_keys in table.session.screen.title.replace(" ", "")
            or len(typed) > 5
        )
        table.press("#")
        assert not isinstance(table.session.screen, MisfitConfirmation)


def event_that_ok_would_play(table):
    """The event that OK would play now, tried on a copy; None for none."""
    pressed = state_machine.update_session(table.session, KeyPressed("ok", table.now + 1.1)).round.events
    return pressed[-1][1] if len(pressed) > len(table.session.round.events) else None


@pytest.mark.parametrize("game", games.built_in_game_ids())
@settings(max_examples=example_count(60))
@given(seed=st.integers(0, 2**32), presses=st.lists(st.sampled_from(BUTTON_PRESSES), min_size=1, max_size=30))
def test_by_buttons_ok_plays_what_the_panel_shows_or_nothing(random_table, game, seed, presses):
    """Even if arrows lead nowhere, OK plays the move that is shown, and the same picture never leads to two moves."""
    table = random_table(game, random.Random(seed))
    shown = {}
    for key in presses:
        before = table.session.round
        table.press(key)
        moment, round_ = table.session.screen, table.session.round
        if round_ is None:  # A key has opened the menu and left the round.
            break
        if round_.state != before.state:
            shown.clear()
        if not isinstance(moment, PlayScreen) or moment.pick is None:
            continue
        event, draft = (
            event_that_ok_would_play(table),
            moment.content(table.session).scene.draft or moment.draft(round_),
        )
        # A draw continues by itself to a piece that everybody knows.
        assert event is None or event.startswith(draft.event or draft.attempted_event)
        assert event == shown.setdefault(table.picture.tobytes(), event)


@settings(max_examples=example_count(60))
@given(typed=st.lists(st.sampled_from("0123456789AC"), min_size=1, max_size=9))
def test_the_pad_enters_exactly_the_typed_digits_or_nothing(random_table, typed):
    """The last sign counts, and leading zeros don't. A digit too many enters nothing."""
    table = at_pad(random_table())
    table.press(*typed, "#")
    digits = "".join(key for key in typed if key.isdigit())
    if entered := table.session.current_pad.pad.entries:
        sign = -1 if [key for key in typed if key in "AC"][-1:] == ["C"] else 1
        assert entered == ((1, sign * int(digits)),)
    elif digits:
        assert int(digits) > pad.MAX_POINTS or not int(digits)


def at_pad(table):
    """The table with a score pad of three."""
    table.session = pad_actions.begin_pad(table.session, HEADER_OF_THREE)
    return table


@pytest.mark.parametrize("key", ["#", "D", "right"])
def test_digits_too_many_have_to_be_confirmed(new_table, key):
    """Also where another player is chosen. The next OK enters the points that the question names."""
    table = at_pad(new_table())
    table.press(*MAX_POINTS, "5", key)
    assert not table.session.current_pad.pad.entries
    assert (table.session.screen.title, table.session.screen.lines[-1]) == ("Ignored: 5", f"Enter +{MAX_POINTS}?")
    table.press("#")
    assert table.session.current_pad.pad.entries == ((1, pad.MAX_POINTS),)


@pytest.mark.parametrize(("keys", "digits"), [("0A30D2", "D 2"), ("A12", "2"), ("5A3", "5"), ("0C40D4", "D 4")])
def test_the_question_names_the_keys_that_did_not_fit(new_table, keys, digits):
    """BACK leads back to the draft, another key goes on with it."""
    table = new_table("prime-attactics", start="11")
    table.press(*keys, "#")
    if isinstance(table.session.screen, MisfitConfirmation):
        assert table.session.screen.title == f"Ignored: {digits}"
    assert not table.session.round.events
    table.press("*")
    assert isinstance(table.session.screen, PlayScreen)


def test_a_question_about_left_out_keys_goes_on_with_any_other_key(new_table):
    """Another key counts in the draft, and the next OK asks again; the one after that plays."""
    table = new_table("27")
    table.press(*"1A3#A")
    assert table.session.screen.misfit_keys == "AA"
    table.press("#")
    assert not table.events
    assert table.session.screen.title == "Ignored: A A"
    table.press("#")
    assert table.events == ["1: 1x3"]


@pytest.mark.parametrize(
    ("keys", "rule"), [("0C4D4", "a slam dunk adds or subtracts"), ("0A30D2", "no double in a slam dunk")]
)
def test_an_impossible_slam_dunk_is_refused_with_its_rule(new_table, keys, rule):
    """Before, such keys were silently played as a tile on the other score."""
    table = new_table("prime-attactics")
    table.press(*keys, "#")
    assert table.session.screen.refusal.rule == rule
    assert not table.session.round.events


@pytest.mark.parametrize("strays", ["", "B", "CD"])
@pytest.mark.parametrize("at", [0, 3, 8])
def test_pieces_are_handed_in_as_typed_or_have_to_be_confirmed(new_table, strays, at):
    """After keys that name no piece, the first OK hands nothing in and shows none of these keys."""
    table = new_table("coral-reef", opened=[("deal", 1)], form="tiles")
    hand = [*"11223344"]
    table.press(*hand[:at], *strays, *hand[at:], "#")
    assert bool(table.session.round.deals) != bool(strays)
    if strays:
        assert isinstance(table.session.screen, MisfitConfirmation)
        assert table.session.screen.title == "A key was ignored"
        table.press("#")
        assert table.session.round.deals


def test_after_a_stray_key_a_corrected_piece_is_shown_before_it_counts(new_table):
    """Without a stray key it would count at once. Here OK takes it."""
    table = new_table("coral-reef", opened=[("deal", 1)], form="tiles")
    table.press(*"11223344#")
    table.choose("Correct a piece")
    while table.family != "CorrectionScreen":
        table.press("#")
    table.press("#", "B", "5")
    assert (table.family, table.session.screen.picked_piece(table.session.round)) == ("CorrectionScreen", "5")
    table.press("#")
    assert table.session.screen.__class__.__name__ != "CorrectionScreen"
