"""The order of the games of other packages in the menu: that in which the data folder first met them."""

from __future__ import annotations

from pathlib import Path

import pytest
from companion.store.seen import FILE, first_seen

from companion import games
from companion.game.manifest import Manifest
from companion.session.model import Past, Session, Splash
from companion.session.setup import main_menu


def test_a_new_game_comes_last_and_one_that_is_away_keeps_its_place(tmp_path: Path) -> None:
    """Whatever is installed or taken away, a game's place never changes."""
    assert first_seen(tmp_path, ["nim"]) == ("nim",)
    assert first_seen(tmp_path, ["go", "nim"]) == ("nim", "go")
    assert first_seen(tmp_path, ["go"]) == ("nim", "go")
    assert first_seen(tmp_path, ["abalone", "go", "nim"]) == ("nim", "go", "abalone")
    assert (tmp_path / FILE).read_text() == "nim\ngo\nabalone\n"


@pytest.mark.parametrize("damage", [b"\xff\xfe", b"", b"\n\n"])
def test_a_damaged_file_is_written_anew(tmp_path: Path, damage: bytes) -> None:
    """The order is no reason to keep anybody from playing."""
    (tmp_path / FILE).write_bytes(damage)
    assert first_seen(tmp_path, ["nim"]) == ("nim",)
    assert (tmp_path / FILE).read_text() == "nim\n"


def test_without_a_folder_to_write_in_the_games_are_there_all_the_same(tmp_path: Path) -> None:
    """A folder that is missing or full costs the memory, not the games."""
    assert first_seen(tmp_path / "missing", ["nim", "go"]) == ("nim", "go")


def test_the_menu_has_our_games_first_and_the_others_as_they_were_first_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Coral Reef, 27, Prime Attactics, Ziggurat, Score pad, then the others (TABLE.md, Inputs)."""
    monkeypatch.setattr(
        games, "added", lambda: tuple(Manifest(name, name.title()) for name in ("abalone", "go", "nim"))
    )
    opened = main_menu(Session(Splash(0.0), Past(seen=("nim", "gone", "abalone"))))
    labels = [item.label for item in opened.mode.items]
    assert labels == ["Coral Reef", "27", "Prime Attactics", "Ziggurat", "Score pad", "Nim", "Abalone", "Go"]
