"""Rounds on two phones in real Chromium, through the accessibility tree alone.

The players here neither see the page nor know its selectors: they hear roles and names, press buttons by their names
with the keyboard, and choose by what was said.
"""

from __future__ import annotations

import random
import re
import time

import pytest
from browser import keys_to_phones_page, seated_phone

pytestmark = pytest.mark.drill

PATIENCE = 60.0
MAX_MOVES = 150
BUTTON = re.compile(r"^\s*- '?button \"(.*?)\"(.*?)'?:?$")
REGION = re.compile(r"^\s*- '?region \"(.*?)\"'?:?$")
NOT_POSSIBLE = "(not possible)"
NO_MOVES = {"More", "Undo", "Lay", "Draw", "Move", "Play", "Show my pieces", "I can’t move"}
"""Buttons beside those that play a whole move."""


class Listener:
    """Somebody who hears a phone's page."""

    def __init__(self, page) -> None:
        self.page, self.heard = page, ""
        self.listen()

    def listen(self) -> str:
        self.heard = self.page.locator("body").aria_snapshot().replace("''", "'")
        return self.heard

    def buttons(self, region: str = "") -> list[tuple[str, str]]:
        """The names of the buttons of a region, or of all, each with its state, such as ``[disabled]``."""
        inside, found = "", []
        for line in self.heard.splitlines():
            if match := REGION.match(line):
                inside = match[1]
            if (match := BUTTON.match(line)) and region in ("", inside):
                found.append((match[1].replace('\\"', '"'), match[2]))
        return found

    def press(self, name: str) -> None:
        """Press a button by its name with the keyboard, and wait until something else is heard."""
        before = self.listen()
        button = self.page.get_by_role("button", name=name, exact=True).first
        button.focus()
        self.page.keyboard.press("Enter")
        self.wait_for(lambda: self.listen() != before, name)

    def wait_for(self, is_so, what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < end, f"{what}: {self.heard}"
            time.sleep(0.02)

    @property
    def heading(self) -> str:
        found = re.search(r"heading \"(.*?)\" \[level=1\]", self.heard)
        return found[1] if found else ""

    @property
    def status(self) -> str:
        """What was said without being asked for, the newest last."""
        return self.heard.partition("- main:")[0]

    @property
    def is_to_move(self) -> bool:
        self.listen()
        return self.heading.startswith("Your turn")

    @property
    def is_over(self) -> bool:
        return re.search(r"\bwins?\b|\bdraw\b", self.heading, re.IGNORECASE) is not None

    def whole_moves(self) -> list[str]:
        """The buttons that play a complete move now."""
        named = self.buttons("Your move")
        return [name for name, state in named if name not in NO_MOVES and "disabled" not in state]

    def taps(self) -> list[tuple[str, str]]:
        """The places on the board and the own pieces that can be pressed now, each with its state."""
        found = [*self.buttons("The board"), *self.buttons("My pieces")]
        return [each for each in found if NOT_POSSIBLE not in each[0] and each[0] not in NO_MOVES]

    def hears_why_not(self) -> bool:
        """Press what is said to be impossible and hear why. Returns whether there was anything of the kind."""
        name = next((name for name, _ in self.buttons() if NOT_POSSIBLE in name), "")
        if name:
            said = self.status
            self.press(name)
            self.wait_for(lambda: self.listen() and self.status != said, "why it is not possible")
        return bool(name)

    def move(self, chance: random.Random) -> None:
        """Put a move together by names alone, and play it."""
        for tried in range(60):
            self.listen()
            if whole := self.whole_moves():
                self.press(whole[0])
                return
            taps = self.taps()
            fresh = [name for name, state in taps if "pressed" not in state]
            wanted = re.search(r"add up to (\d+)|: (\d+) more", self.heard.partition("main:")[2])
            number = next(filter(None, wanted.groups()), "") if wanted else ""
            number = {"1": "A"}.get(number, number)
            passes = [name for name in fresh if name.startswith("I can’t move")]
            others = [name for name in fresh if name not in passes] or [name for name, _ in taps]
            choice = number if number in others else chance.choice(others) if others else ""
            if passes and (not choice or tried > 40):
                choice = passes[0]
            if not choice:  # The board is still to come.
                before = self.heard
                self.wait_for(lambda before=before: self.listen() != before, "something to press")
                continue
            self.press(choice)
        raise AssertionError(self.heard)


@pytest.mark.parametrize("game", ["27", "coral-reef"])
def test_a_round_is_played_by_what_a_screen_reader_says(box, browser, web, game):
    """With a refusal that says why; each hears the other's moves, and both hear the result."""
    chance = random.Random(3)
    table = box("--game", game, "--players", "Ann,Ben")
    table.start()
    pages = web(table)
    table.type_keys(keys_to_phones_page(game))
    players = [Listener(seated_phone(browser, table, pages, name)) for name in ("Ann", "Ben")]
    table.type_keys("~*~*")
    is_refused = False

    def who_may_act() -> list[Listener]:
        """The players to whom the result or something to press is said; both are listened to."""
        return [each for each in players if each.listen() and (each.is_over or (each.is_to_move and each.taps()))]

    for _ in range(MAX_MOVES):
        players[0].wait_for(who_may_act, "whose turn it is")
        mover = next(iter(who_may_act()), players[0])
        if mover.is_over:
            break
        if not is_refused:
            is_refused = mover.hears_why_not()
        mover.move(chance)
    for each in players:
        each.wait_for(lambda each=each: each.listen() and each.is_over, "the result")
    assert any("Ann " in line or "Ben " in line for each in players for line in each.status.splitlines())
    assert table.stop() == 0
