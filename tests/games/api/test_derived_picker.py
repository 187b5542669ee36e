"""Picker and keys that a game has without writing any: they come from its rules, or from the keys it accepts."""

from __future__ import annotations

from typing import Any

import chance_games
import pytest

from companion.games.api.move_input import MoveInput

DRAW_OR_PLAY, DICE = chance_games.DrawOrPlay(), chance_games.RollOrStop()


def pressed(move_input: MoveInput, state: Any, *buttons: str) -> Any:
    """The pick after some buttons, of which the first one opens the picker."""
    pick = move_input.pick_at_first_arrow(state, buttons[0])
    for button in buttons[1:]:
        if button == "ok":
            pick = move_input.pick_after_ok(state, pick)
        elif button == "back":
            pick = move_input.pick_after_back(state, pick)
        else:
            pick = move_input.pick_after_arrow(state, pick, button)
    return pick


@pytest.mark.parametrize(
    ("told", "buttons", "event"),
    [
        (True, ("up",), "play 1"),
        (True, ("up", "up", "right"), "play 3"),
        (True, ("up", "left"), None),  # The draw, which goes on to its card.
        (True, ("up", "left", "ok"), "draw 1"),
        (True, ("up", "left", "right", "down"), "draw 9"),
        (True, ("up", "left", "ok", "up", "back", "up"), "play 1"),
        (False, ("up", "left"), "draw"),
    ],
)
def test_each_key_is_picked_after_the_other(told: bool, buttons: tuple[str, ...], event: str | None) -> None:
    """A told hand names the card that it draws, although everybody's view seals it; a secret one doesn't."""
    state = DRAW_OR_PLAY.initial_state(2, {}, {("deal", 1): (2, 5, 9)} if told else {})
    move_input = chance_games.CardsMoveInput(DRAW_OR_PLAY)
    draft = move_input.draft_from_pick(state, pressed(move_input, state, *buttons))
    assert draft.event == event
    assert bool(draft.next_step) is (event is None)


def test_a_drawn_card_is_named_beside_its_dot() -> None:
    """Whoever presses the buttons must see which card is chosen."""
    state = DRAW_OR_PLAY.initial_state(2, {}, {("deal", 1): (2, 5, 9)})
    draft = chance_games.CardsMoveInput(DRAW_OR_PLAY).draft_from_pick(state, "04")
    assert (draft.text, draft.working) == ("0•", "4")


def test_a_game_that_writes_no_drafts_has_those_of_its_legal_moves() -> None:
    """The digits of the events are the keys, unless `keys_for_event` gives others."""
    move_input = chance_games.DiceMoveInput(DICE)
    state = DICE.initial_state(2, {}, {})
    assert [getattr(move_input.draft_from_keys(state, key), "event", None) for key in "067"] == [None, "roll 6", None]
    assert pressed(move_input, state, "up", "left") == "6"
    thrown = DICE.play_move(state, 1, "roll 4")
    assert move_input.draft_from_pick(thrown, pressed(move_input, thrown, "up", "up")).event == "leave"
