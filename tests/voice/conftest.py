"""A table that is heard: what the narrator says after each key of a number pad."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from driven_table import DEFAULT_SETTINGS, EMPTY_HISTORY, DrivenTable

from companion import display
from companion.evening import state_machine
from companion.inputs import KeyPressed
from companion.rounds.stored import SessionSettings
from companion.voice.narrator import Narrator


class HeardTable(DrivenTable):
    """A table with the voice on; `heard` is what was said after the last key, and `all_heard` everything."""

    def __init__(
        self, settings: SessionSettings = DEFAULT_SETTINGS, *, level: str = "everything", earphone: str = ""
    ) -> None:
        self.all_heard: list[str] = []
        super().__init__(settings, EMPTY_HISTORY)
        self.session = self.session._replace(box=self.session.box._replace(voice=level))
        self.narrator, self.heard = Narrator(earphone), ""
        self.wait(3)
        self.listen(is_pressed=False)

    def listen(self, *, is_pressed: bool) -> str:
        """Hear what is said of what is shown now."""
        self.heard = self.narrator.words_for(self.session, is_pressed=is_pressed)
        self.all_heard.append(self.heard)
        return self.heard

    def key(self, *keys: str) -> str:
        """Press keys of the number pad. Returns what is said after the last one."""
        for each in keys:
            self.now += 1.1
            pressed = KeyPressed(each, self.now, device="number pad")
            self.session = display.clamp_to_last_page(state_machine.update_session(self.session, pressed))
            self.carry_out()
            self.listen(is_pressed=True)
            self.wait(0.5)
        return self.heard

    def repeat(self) -> str:
        return self.narrator.repeat(self.session)

    def read_board(self) -> list[str]:
        """Everything that the key for the board reads, until it begins anew."""
        first = self.narrator.next_part(self.session)
        found = [first]
        while (part := self.narrator.next_part(self.session)) != first:
            found.append(part)
            assert len(found) < 100
        return found


@pytest.fixture
def heard_table() -> Callable[..., HeardTable]:
    """`heard_table(settings, level=…, earphone=…)` opens a table in the main menu."""
    return HeardTable
