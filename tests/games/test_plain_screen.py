"""The plain screen: what it shows of moves in a game that has no screen of its own."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion import games
from companion.gamekit import contract
from companion.gamekit.contract.screen_checks import namings_are_whole
from companion.games.api.move_input import Draft, MoveInput
from companion.games.api.screen import Scene
from companion.games.plain_screen import PLAIN_SCREEN
from companion.panel.canvas import Canvas


def drawn_texts(monkeypatch: pytest.MonkeyPatch, **more: Any) -> list[str]:
    """The texts that are drawn for a scene."""
    texts: list[str] = []
    write = Canvas.text
    monkeypatch.setattr(
        Canvas, "text", lambda self, x, y, s, *rest, **other: (texts.append(s), write(self, x, y, s, *rest, **other))[1]
    )
    if "last_move" in more:
        seat, move = more["last_move"]
        # Ann is to move.
        more["last_move_texts"] = MoveInput.move_texts(None, None, seat, move, ("Ann", "Ben"), moves_again=seat == 1)
    rest: dict[str, Any] = {
        "view_before": None,
        "last_move": None,
        "draft": None,
        "bottom_line": "",
        "uses_buttons": True,
    }
    rest["names"] = ("Ann", "Ben")
    scene = Scene(view=None, options={}, seat_to_move=1, result_counts=(0, 0), **{**rest, **more})
    PLAIN_SCREEN.draw(Canvas(scene.names), scene)
    return texts


@pytest.mark.parametrize("move", ["3", "12-7 d4e4 to the end"])
def test_the_computer_move_is_shown_with_what_to_do(move: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The computer player's move is shown with the line that asks to make it, however long the move is."""
    found = " ".join(drawn_texts(monkeypatch, draft=Draft(move, move, "ok"), bottom_line="make its move, then OK"))
    assert move in found
    assert "make its move, then OK" in found


@pytest.mark.parametrize("game", ["coral-reef", "prime-attactics", "ziggurat"])
def test_the_plain_screen_cuts_no_text_while_pieces_are_named(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a game with hands and no screen of its own, card backs, open pieces and the picker have their margins."""
    monkeypatch.setattr(games, "load_screen", lambda id_: None)
    for seed in range(12):
        chance = Random(seed)
        played = contract.play_random_round(*chance.choice(list(contract.option_combinations(game))), chance, longest=1)
        for _ in range(8):
            namings_are_whole(played, chance)


def test_the_plain_screen_says_who_moves_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last line says who moves again; after a draw or before another player's turn it does not."""
    assert "Ann: 3, moves again" in drawn_texts(monkeypatch, last_move=(1, "3"))
    assert "Ann: house 3, again" in drawn_texts(monkeypatch, last_move=(1, "house 3")), "as there is room for"
    assert "Ann: from a1 to h8" in drawn_texts(monkeypatch, last_move=(1, "from a1 to h8"))
    long = {"names": ("Maximiliane", "Ben")}
    assert "Maximil…: 3, moves again" in drawn_texts(monkeypatch, last_move=(1, "3"), **long), "then a name gives way"
    assert "Ben: 3" in drawn_texts(monkeypatch, last_move=(2, "3"))
    assert "Ann: draw" in drawn_texts(monkeypatch, last_move=(1, "draw"))
