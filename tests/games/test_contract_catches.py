"""What the contract says of a game that is not well: each slip is one that somebody made with a first game."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from companion import contract, games
from companion.contract.of_boards import boards_are_drawn
from companion.contract.of_entries import (
    drafts_are_judged,
    hidden_pieces_are_masked,
    moves_can_be_entered,
    pieces_can_be_named,
)
from companion.contract.of_rules import listed_events_are_legal, public_views_tell_nothing_hidden
from companion.contract.of_screens import help_fits, pictures_are_whole
from companion.game import Refused
from companion.game.entry import Draft

GAME = "27"
LONG = "far too many words for a line of the panel"


def check(holds: Callable[..., None]) -> None:
    for seed in range(8):
        chance = Random(seed)
        holds(contract.play_round(*next(contract.settings(GAME)), chance), chance)


SLIPS: dict[str, tuple[str, Any, Callable[..., None], str]] = {
    "no key types a whole move": (
        "typed", lambda state, keys: Draft(keys) if len(keys) < 2 else None,
        moves_can_be_entered, "no keys type a move",
    ),
    "OK never plays what is picked": (
        "picked", lambda state, pick: Draft("x"), moves_can_be_entered, "no presses",
    ),
    "the arrows do nothing": (
        "moved", lambda state, pick, arrow: pick, moves_can_be_entered, "cannot be picked",
    ),
    "the told keys are not the entry's": (
        "keys", lambda event: "99", moves_can_be_entered, "99 types 9x9, but is told for",
    ),
    "a verdict is too long": (
        "typed", lambda state, keys: Draft("1", says=LONG), pictures_are_whole, f"'{LONG}' is cut",
    ),
    "what the arrows do is too long": ("arrows", lambda view: LONG, pictures_are_whole, f"'{LONG}' is cut"),
    "what a wrong key is told is too long": (
        "stray", lambda state, keys, key: LONG, pictures_are_whole, f"'{LONG}' is cut",
    ),
}  # fmt: skip


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_in_the_entry_is_told(slip: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be entered, or is cut on the panel, is an AssertionError that says what and where."""
    name, wrong, holds, said = SLIPS[slip]
    monkeypatch.setattr(games.load_entry(GAME), name, wrong)
    with pytest.raises(AssertionError, match=said):
        check(holds)


def test_a_forbidden_pick_that_is_called_well_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without holdings all is public, so the picker may not tick what the rules refuse."""
    monkeypatch.setattr(games.load_entry(GAME), "picked", lambda state, pick: Draft("9x9", "9x9", "ok"))
    with pytest.raises(Refused):
        check(drafts_are_judged)


def test_a_lit_edge_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The outer columns of a picture stay dark, so that the whole can move by a pixel."""
    monkeypatch.setattr(games.load_screen(GAME), "draw", lambda canvas, scene: canvas.fill(0, 20, 9, 22))
    with pytest.raises(AssertionError, match="column 0 is lit"):
        check(pictures_are_whole)


def test_a_long_paragraph_of_help_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of help has four lines; a fifth would not be seen."""
    monkeypatch.setattr(games, "help_pages", lambda game: (LONG * 3,))
    with pytest.raises(AssertionError, match=r"help\.txt has \d lines"):
        check(help_fits)


def check_a_game_with_hands(holds: Callable[..., None], game: str = "ziggurat", share: float = 0.5) -> None:
    for seed in range(8):
        chance = Random(seed)
        holds(contract.play_round(*next(contract.settings(game)), chance, share=share), chance)


def test_a_deal_that_cannot_be_handed_in_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The players hand pieces in with a blank between two, whatever a record has."""
    rules = games.load("ziggurat")
    right = rules.read_deal
    monkeypatch.setattr(rules, "read_deal", lambda text, *rest: right(text.replace(" ", "?"), *rest))
    with pytest.raises(AssertionError, match=r"hand in a deal as '.*', but read_deal refuses it"):
        check_a_game_with_hands(pieces_can_be_named)


def test_a_piece_that_cannot_be_picked_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece that can be dealt and is not in the grid could not be named by buttons."""
    monkeypatch.setattr(games.load_entry("ziggurat"), "grid", lambda kind, options: [["0-0"]])
    with pytest.raises(AssertionError, match="can be dealt, but the grid of the deal has no"):
        check_a_game_with_hands(pieces_can_be_named)


def test_a_piece_that_no_keys_type_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand that cannot be typed would leave its player before the panel for ever."""
    monkeypatch.setattr(games.load_entry("ziggurat"), "pieces", lambda keys, kind, options: None)
    with pytest.raises(AssertionError, match="no keys type these pieces of the deal"):
        check_a_game_with_hands(pieces_can_be_named)


@pytest.mark.parametrize(
    ("name", "wrong", "said"), [("masked", False, "all could read"), ("own", "", "own has no words")]
)
def test_a_hand_without_its_words_is_told(name: str, wrong: Any, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an entry does not write for a hand is inherited, and shows it to all, or nothing to its owner."""
    monkeypatch.setattr(games.load_entry("ziggurat"), name, lambda *given: wrong)
    with pytest.raises(AssertionError, match=said):
        check_a_game_with_hands(hidden_pieces_are_masked)


def test_a_play_found_in_a_sealed_hand_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody knows whether a sealed hand has a play; the `find` that is inherited would say that it can pass."""
    rules = games.load("coral-reef")
    monkeypatch.setattr(rules, "find", lambda state: next(iter(rules.moves(state)), None))
    with pytest.raises(AssertionError, match="for a seat whose hand is sealed"):
        check_a_game_with_hands(listed_events_are_legal, "coral-reef", share=0)


def test_a_view_that_hides_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever forgets `view` would show every open hand to everybody."""
    monkeypatch.setattr(games.load("ziggurat"), "view", lambda state, seat: state)
    with pytest.raises(AssertionError, match="the public's view is"):
        check_a_game_with_hands(public_views_tell_nothing_hidden)


def test_a_board_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board is not seen at the table; without this its slips would wait for the first evening with a television."""
    monkeypatch.setattr(games.load_board(GAME), "describe_move", lambda *given: "")
    with pytest.raises(AssertionError, match="describe_move has no words for"):
        check(boards_are_drawn)


def test_a_keypad_of_a_phone_without_a_first_key_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key with an empty label is not offered."""
    monkeypatch.setattr(games.load_board(GAME), "key_words", lambda view, keys: dict.fromkeys("0123456789ABCD", ""))
    with pytest.raises(AssertionError, match="no key that is offered begins a move"):
        check(boards_are_drawn)


@pytest.mark.parametrize("game", [game for game in games.ids() if games.manifest(game).holdings])
def test_sealed_hands_play_what_they_were_dealt(game: str) -> None:
    """Without a guess of the game's own a round with sealed hands goes as far as one with open hands."""
    lengths = []
    for share in (0, 1):
        chance = Random(3)
        rounds = [contract.play_round(*next(contract.settings(game)), chance, share=share) for _ in range(8)]
        lengths.append(sum(len(played.events) for played in rounds))
        assert all(played.rules.turn(played.states[-1]) is None for played in rounds)
    assert lengths[0] > lengths[1] / 4


def test_sealed_hands_make_false_claims() -> None:
    """Some say that they cannot move and play later, so that a game's `claims` has something to find."""
    chance = Random(3)
    rounds = [contract.play_round(*next(contract.settings("coral-reef")), chance, share=0) for _ in range(20)]
    assert any(played.rules.claims(played.states[0], played.events) for played in rounds)
