"""The doctor's pages: an overview, a page for each finding, and last a page that shows the keys as they arrive.

It is an entry of the menu "more", and opens at the start: for a button OK held while the box is switched on or while
the title shows; for a keypad, which cannot tell that a key is held, `0` while the title or "Go on?" shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.contents import kinds
from companion.inputs import Request
from companion.languages import counted, text
from companion.session.screen_kinds import BoxScreen, cover

if TYPE_CHECKING:
    from companion.inputs import BoxExamined, Finding
    from companion.session.model import Session

HOLD_SECONDS = 0.8
"""How long OK must be held on the title, in seconds."""
BUTTONS = {
    "#": "OK", "*": "BACK", "up": text("up"), "down": text("down"), "left": text("left"), "right": text("right"),
}  # fmt: skip
"""What buttons are called."""
HEARD = 18
"""How many keys are shown."""


class Doctor(BoxScreen):
    """The doctor's pages: page 0 is an overview, the last one shows the keys as they arrive.

    `findings` is None while the box is being examined; `pressed` are the newest keys in order, `total` counts all keys.
    """

    findings: tuple[Finding, ...] | None = None
    number: int = 0
    pressed: tuple[str, ...] = ()
    total: int = 0

    @property
    def hears(self) -> bool:
        """Whether the last page is open."""
        return self.number > len(self.findings or ())

    @property
    def letters(self) -> Literal["arrows", "keys"]:
        """The last page shows the keys as they arrive."""
        return "keys" if self.hears else "arrows"

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK and down turn the page, up turns back, BACK leaves; on the last page every key is only shown."""
        if self.hears:
            return self._hear(session, key)
        if key == "*":
            return session.close()
        by = 1 if key in ("#", "down", "right", "8", "0") else -1 if key in ("up", "left", "2") else 0
        return session.show(self._replace(number=max(0, self.number + by)))

    def _hear(self, session: Session, key: str) -> Session:
        """Add a key to those heard; BACK twice in a row leaves."""
        name = BUTTONS.get(key, key) if session.buttons else key
        if key == "*" and self.pressed and self.pressed[-1] == name:
            return session.close()
        return session.show(self._replace(pressed=(*self.pressed, name)[-HEARD:], total=self.total + 1))

    def content(self, session: Session) -> kinds.Content:
        """All pages."""
        keys = kinds.Keys(
            text("Keys"), text("{number} heard", number=self.total), self.pressed,
            (text("Press every key:"), text("each is shown here.")),
        )  # fmt: skip
        meanings = (kinds.KeyMeaning("back", text("twice: back")),) if self.hears else kinds.ok_back("more", "back")
        note, looking = _verdict(self.findings or ()), text("I am looking …")
        return kinds.Findings(text("The box"), note, looking, self.findings, keys, meanings, self.number)


def _verdict(findings: tuple[Finding, ...]) -> str:
    """How many findings are faults, or else notes."""
    states = {finding.about: finding.state for finding in findings}
    wrong, noted = (sum(state == kind for state in states.values()) for kind in ("do", "note"))
    if wrong:
        return text("{number} to do", number=wrong)
    return counted(noted, "{number} note", "{number} notes") if noted else text("all is well")


def open_doctor(session: Session) -> Session:
    """Open the doctor's pages, still empty, and request the examination of the box; open ones stay."""
    if isinstance(session.screen, Doctor):
        return session
    return cover(session).open(Doctor())._replace(banner="").request(Request.EXAMINE_BOX)


def take_findings(session: Session, examined: BoxExamined) -> Session:
    """Show the findings, if the pages are still open: the first fault, else the first note, else all."""
    screen = session.screen
    if not isinstance(screen, Doctor):
        return session
    states = [finding.state for finding in examined.findings]
    worst = next((state for state in ("do", "note") if state in states), None)
    number = states.index(worst) + 1 if worst and not screen.number else screen.number
    return session.show(screen._replace(findings=examined.findings, number=number))
