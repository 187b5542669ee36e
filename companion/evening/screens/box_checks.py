"""The box itself: banners about missing devices, and the doctor's pages.

The doctor is an entry of the menu "more", and opens at the start: for a button OK held while the box is switched on or
while the title shows; for a keypad, which cannot tell that a key is held, `0` while the title or "Go on?" shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.evening.contents import kinds
from companion.evening.model import Session
from companion.evening.screen_kinds import BoxScreen, cover
from companion.inputs import Request
from companion.languages import counted, text

if TYPE_CHECKING:
    from companion.inputs import BoxExamined, DeviceBack, DeviceLost, Finding


DISK = "disk"
"""The name of the disk: while it is missing, what was entered last may not be kept."""
_GONE = {
    "keypad": text("Keypad unplugged"),
    "buttons": text("Buttons missing"),
    "panel": text("Panel missing"),
    "lamps": text("Lamps missing"),
}


def lose_device(session: Session, event: DeviceLost) -> Session:
    """Note that a device was lost, and say why and what to do."""
    if event.device in (*_GONE, DISK):
        others = (device for device in session.missing_devices if device != event.device)
        session = session._replace(missing_devices=(*others, event.device))
    if event.device in _GONE:
        session = cover(session)
    if event.device not in _GONE or "\n" in event.short:
        return session._replace(banner=event.short)
    what = event.short or _GONE[event.device]
    return session._replace(
        banner=text("{what:capital}\n{then}", what=text(what), then=_how_it_goes_on(session, event.device))
    )


def _how_it_goes_on(session: Session, device: str) -> str:
    missing = session.missing_devices
    match device:
        case "keypad":
            others = session.settings.buttons and "buttons" not in missing
            return text("buttons still work") if others else text("plug it in again")
        case "buttons":
            others = session.settings.keypad and "keypad" not in missing
            return text("keypad still works") if others else "companion doctor"
        case _:
            return text("you can play on")


def bring_device_back(session: Session, event: DeviceBack) -> Session:
    """Note that a device has returned, and take the banner about it away."""
    missing_devices = tuple(device for device in session.missing_devices if device != event.device)
    banner = "" if event.device in session.missing_devices else session.banner
    return session._replace(missing_devices=missing_devices, banner=banner)


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
            text("Keys"), text("{number} pressed", number=self.total), self.pressed,
            (text("Press every key:"), text("each is shown here.")),
        )  # fmt: skip
        meanings = (kinds.KeyMeaning("back", text("twice: back")),) if self.hears else kinds.ok_back("more", "back")
        note, looking = _verdict(self.findings or ()), text("I'm checking …")
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
