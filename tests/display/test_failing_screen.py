"""A screen of an added game that fails: the plain screen is shown, and log and doctor say what failed where."""

from __future__ import annotations

import sys
from types import ModuleType

import chance_games
import pytest
from driven_table import DrivenTable

from companion import display, games
from companion.doctor.examination import check_disk_and_system
from companion.evening.model import BaseDue
from companion.games.plain_screen import PlainScreen
from companion.rounds.on_table import new_round
from companion.rounds.stored import RoundHeader
from companion.store.data_folder import SCREEN_FAULTS_NAME

FAILING_SCREEN = """
from companion.games.plain_screen import PlainScreen
class Screen(PlainScreen):
    def draw(self, canvas, scene):
        canvas.fill(0, 0, 127, 63)
        1 / 0
SCREEN = Screen()
"""
GAME = "roll-or-stop"


@pytest.fixture
def failing_screen(monkeypatch):
    """A game whose screen fails after it has drawn over everything."""
    monkeypatch.delenv("COMPANION_TRACEBACK", raising=False)
    chance_games.install_games(monkeypatch)
    monkeypatch.setattr(display, "_screen_faults", {})
    module = ModuleType("roll_or_stop.screen")
    exec(compile(FAILING_SCREEN, "/there/roll_or_stop/screen.py", "exec"), vars(module))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    games._load_part.cache_clear()
    yield module
    games._load_part.cache_clear()


def test_the_plain_screen_is_shown_and_the_fault_is_named(failing_screen, monkeypatch, tmp_path):
    """Once for each function, with package, move, error and line; the doctor reads it from the table's folder."""
    table = DrivenTable()
    round_ = new_round(1, RoundHeader(GAME, (), ("Ann", "Ben")))
    table.session = table.session._replace(round=round_, screens=(BaseDue(),))
    table.press("#")
    failed = table.picture
    assert table.picture.tobytes() == failed.tobytes()
    faults = list(display.screen_faults().values())
    assert len(faults) == 1
    for word in ("roll_or_stop: Screen.draw of roll-or-stop", "after move 0", "ZeroDivisionError", "screen.py, line 6"):
        assert word in faults[0]
    monkeypatch.setattr(failing_screen, "SCREEN", PlainScreen())
    games._load_part.cache_clear()
    assert table.picture.tobytes() == failed.tobytes()
    (tmp_path / SCREEN_FAULTS_NAME).write_text(f"{faults[0]}\n", encoding="utf-8")
    assert f"{faults[0]}." in [str(each.text) for each in check_disk_and_system(tmp_path)]
