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
CANNOT = "I can’t move"
NO_MOVES = {"More", "Undo", "Lay", "Draw", "Move", "Play", "Show my pieces", CANNOT}
"""Buttons beside those that play a whole move."""
SQUARE = re.compile(r"[a-z]\d: ")


class Listener:
    """Somebody who hears a phone's page."""

    def __init__(self, page, name: str) -> None:
        self.page, self.name, self.heard, self.is_refused = page, name, "", False
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
        return self.heard.rpartition("- status:")[2]

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

    @property
    def has_nothing_left(self) -> bool:
        """Whether the only thing to press says that no move is possible."""
        return not self.taps() and any(name == CANNOT for name, _ in self.buttons("Your move"))

    def hears_why_not(self) -> bool:
        """Press what is said to be impossible and hear why. Returns whether there was anything of the kind."""
        name = next((name for name, _ in self.buttons() if NOT_POSSIBLE in name), "")
        if name:
            said = self.status
            self.press(name)
            self.wait_for(lambda: self.listen() and self.status != said, "why it is not possible")
        return bool(name)

    def take_back(self, other: Listener) -> None:
        """Take the last move back, by the menu; the other player hears who asks, and agrees."""
        self.press("More")
        self.press(next(name for name, _ in self.buttons() if name.startswith("Take back the last move")))
        other.wait_for(lambda: any(name == "I agree" for name, _ in other.listen() and other.buttons()), "the question")
        assert f"{self.name} asks: Take back?" in other.heard
        other.press("I agree")

    def aimed(self, fresh: list[str]) -> list[str]:
        """What of the names leads on, to who remembers what is chosen: a tile that takes from the own score, which ends
        a round soon, or the square beside the chosen one, or any square for the chosen domino.
        """
        own_score = re.search(rf'listitem: "{self.name} : (\d+)"', self.heard)
        if own_score and (less := [each for each in fresh if re.fullmatch(r"−\d", each)]):
            return [each for each in less if each[1:] == own_score[1]] or less
        squares = [name for name, _ in self.buttons("The board") if name in fresh and SQUARE.match(name)]
        for name, state in self.buttons("The board"):
            if "pressed" in state and SQUARE.match(name):
                column, row = ord(name[0]), int(name[1])
                beside = {f"{chr(column + x)}{row + y}" for x, y in ((0, 1), (0, -1), (1, 0), (-1, 0))}
                return [each for each in squares if each[:2] in beside] or squares
        return squares

    def move(self, chance: random.Random) -> None:
        """Put a move together by names alone, and play it."""
        for tried in range(60):
            self.listen()
            if whole := self.whole_moves():
                self.press(whole[0])
                return
            if self.has_nothing_left or (tried > 40 and (CANNOT, "") in self.buttons("Your move")):
                self.press(CANNOT)
                return
            if not self.is_refused:
                self.is_refused = self.hears_why_not()
                self.listen()
            taps = self.taps()
            fresh = [name for name, state in taps if "pressed" not in state]
            fresh = self.aimed(fresh) or fresh
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


@pytest.mark.parametrize("game", ["27", "coral-reef", "prime-attactics", "ziggurat"])
def test_a_round_is_played_by_what_a_screen_reader_says(box, browser, web, game):
    """With a refusal that says why, and a takeback; each hears the other's moves, and both hear the result."""
    chance = random.Random(3)
    table = box("--game", game, "--players", "Ann,Ben")
    table.start()
    pages = web(table)
    table.type_keys(keys_to_phones_page(game))
    players = [Listener(seated_phone(browser, table, pages, name), name) for name in ("Ann", "Ben")]
    table.type_keys("~*~*")
    is_taken_back = False

    def who_may_act() -> list[Listener]:
        """The players to whom the result or something to press is said; both are listened to."""
        return [
            each
            for each in players
            if each.listen() and (each.is_over or (each.is_to_move and (each.taps() or each.has_nothing_left)))
        ]

    for number in range(MAX_MOVES):
        players[0].wait_for(who_may_act, "whose turn it is")
        mover = next(iter(who_may_act()), players[0])
        if mover.is_over:
            break
        if number and not is_taken_back:
            is_taken_back = True
            other = next(each for each in players if each is not mover)
            other.take_back(mover)
            other.wait_for(lambda other=other: who_may_act() == [other], "the turn before")
            continue
        mover.move(chance)
    for each in players:
        each.wait_for(lambda each=each: each.listen() and each.is_over, "the result")
    assert any(each.is_refused for each in players)
    assert is_taken_back
    assert any("Ann " in line or "Ben " in line for each in players for line in each.status.splitlines())
    assert table.stop() == 0
