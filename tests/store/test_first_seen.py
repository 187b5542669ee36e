"""The order of the games of other packages in the menu: the order in which the store first saw them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import games
from companion.evening.model import Session
from companion.evening.screens.evening_start import Splash
from companion.evening.screens.main_menu import MainMenu
from companion.games.api.manifest import Manifest
from companion.rounds.stored import StoredHistory
from companion.store.store import Store


def test_a_new_game_comes_last_and_a_missing_one_keeps_its_position(tmp_path: Path) -> None:
    """Whatever is installed or removed, a game's position among the others never changes."""
    seen = []
    for installed in (["nim"], ["go", "nim"], ["go"], ["abalone", "go", "nim"]):
        store = Store(tmp_path)
        seen.append([game for game in store.note_games_seen(installed) if game in installed])
        store.close()
    assert seen == [["nim"], ["nim", "go"], ["go"], ["nim", "go", "abalone"]]


def test_the_menu_has_our_games_first_and_the_others_as_they_were_first_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Coral Reef, 27, Prime Attactics, Ziggurat, the score pad; then the others, the one seen first before the next."""
    monkeypatch.setattr(
        games, "added_manifests", lambda: tuple(Manifest(name, name.title()) for name in ("abalone", "go", "nim"))
    )
    opened = MainMenu().items(Session((Splash(0.0),), StoredHistory(seen_games=("nim", "gone", "abalone"))))
    labels = [item.label for item in opened]
    assert labels == ["Coral Reef", "27", "Prime Attactics", "Ziggurat", "Score pad", "Nim", "Abalone", "Go"]
