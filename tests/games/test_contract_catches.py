"""What the contract says of a game that is not well: each slip is one that somebody made with a first game."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from companion import contract, games
from companion.contract.of_entries import drafts_are_judged, moves_can_be_entered
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
