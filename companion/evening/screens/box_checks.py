"""The box itself: banners about missing devices, and the doctor's pages.

The doctor can be opened from the menu "more", and at the start of the box: by a button OK that is held while the box is
switched on or the title shows. A keypad can't tell that a key is held, so its key is `0`, on the title or on "Go on?".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.evening.contents import kinds
from companion.evening.model import Session
from companion.evening.screen_kinds import BoxScreen, cover
from companion.inputs import Request
from companion.languages import plural_text, text

if TYPE_CHECKING:
    from companion.inputs import BoxExamined, DeviceReturned, DeviceMissing, Finding


DISK = "disk"
"""The disk's name as a device. While it is missing, the last move may not be saved."""
_GONE = {
    "keypad": text("Keypad unplugged"),
    "buttons": text("Buttons missing"),
    "panel": text("Panel missing"),
    "lamps": text("Lamps missing"),
}


def lose_device(session: Session, event: DeviceMissing) -> Session:
    """Remember that a device is missing, and say in a banner why and what to do."""
    if event.device in (*_GONE, DISK):
        others = (device for device in session.missing_devices if device != event.device)
        session = session._replace(missing_devices=(*others, event.device))
    if event.device in _GONE:
        session = cover(session)
    if event.device not in _GONE or "\n" in event.short_reason:
        return session._replace(banner=event.short_reason)
    what = event.short_reason or _GONE[event.device]
    return session._replace(
        banner=text("{what:capital}\n{then}", what=text(what), then=_how_it_goes_on(session, event.device))
    )


def _how_it_goes_on(session: Session, device: str) -> str:
    missing = session.missing_devices
    match device:
        case "keypad":
            others = session.settings.has_buttons and "buttons" not in missing
            return text("buttons still work") if others else text("plug it in again")
        case "buttons":
            others = session.settings.has_keypad and "keypad" not in missing
            return text("keypad still works") if others else "companion doctor"
        case _:
            return text("you can play on")


def bring_device_back(session: Session, event: DeviceReturned) -> Session:
    """Remember that a device works again, and remove the banner about it."""
    missing_devices = tuple(device for device in session.missing_devices if device != event.device)
    banner = "" if event.device in session.missing_devices else session.banner
    return session._replace(missing_devices=missing_devices, banner=banner)


HOLD_SECONDS = 0.8
"""Seconds for which OK must be held on the title to open the doctor."""
BUTTONS = {
    "#": "OK", "*": "BACK", "up": text("up"), "down": text("down"), "left": text("left"), "right": text("right"),
}  # fmt: skip
"""The labels of buttons on the page that shows the keys."""
HEARD = 18
"""The most keys that the last page shows."""


class Doctor(BoxScreen):
    """The doctor's pages: 0 is an overview, then a page for each finding; the last one shows the keys as they arrive.

    OK and down turn the page, up turns it back, BACK leaves. On the last page every key is only shown, so BACK leaves
    when pressed twice in a row. `findings` is None while the box is being examined, `newest_keys` are the newest keys
    in order, and `key_count` counts all of them.
    """

    findings: tuple[Finding, ...] | None = None
    number: int = 0
    pressed: tuple[str, ...] = ()
    total: int = 0

    @property
    def hears(self) -> bool:
        """Whether the last page is open, on which keys are only shown."""
        return self.number > len(self.findings or ())

    @property
    def letters(self) -> Literal["arrows", "keys"]:
        return "keys" if self.hears else "arrows"

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if self.hears:
            return self._hear(session, key)
        if key == "*":
            return session.close()
        by = 1 if key in ("#", "down", "right", "8", "0") else -1 if key in ("up", "left", "2") else 0
        return session.show(self._replace(number=max(0, self.number + by)))

    def _hear(self, session: Session, key: str) -> Session:
        name = BUTTONS.get(key, key) if session.buttons else key
        if key == "*" and self.pressed and self.pressed[-1] == name:
            return session.close()
        return session.show(self._replace(pressed=(*self.pressed, name)[-HEARD:], total=self.total + 1))

    def content(self, session: Session) -> kinds.Content:
        keys = kinds.Keys(
            text("Keys"), text("{number} pressed", number=self.total), self.pressed,
            (text("Press every key:"), text("each is shown here.")),
        )  # fmt: skip
        meanings = (kinds.KeyMeaning("back", text("twice: back")),) if self.hears else kinds.ok_back("more", "back")
        note, looking = _verdict(self.findings or ()), text("I'm checking …")
        return kinds.Findings(text("The box"), note, looking, self.findings, keys, meanings, self.number)


def _verdict(findings: tuple[Finding, ...]) -> str:
    """How many findings are faults; if there are none, how many are notes."""
    states = {finding.about: finding.state for finding in findings}
    wrong, noted = (sum(state == kind for state in states.values()) for kind in ("do", "note"))
    if wrong:
        return text("{number} to do", number=wrong)
    return plural_text(noted, "{number} note", "{number} notes") if noted else text("all is well")


def open_doctor(session: Session) -> Session:
    """Open the doctor's pages and request an examination of the box. Pages that are open already stay as they are."""
    if isinstance(session.screen, Doctor):
        return session
    return cover(session).open(Doctor())._replace(banner="").request(Request.EXAMINE_BOX)


def take_findings(session: Session, examined: BoxExamined) -> Session:
    """Show the findings if the pages are still open: at the first fault, else the first note, else the overview."""
    screen = session.screen
    if not isinstance(screen, Doctor):
        return session
    states = [finding.state for finding in examined.findings]
    worst = next((state for state in ("do", "note") if state in states), None)
    number = states.index(worst) + 1 if worst and not screen.number else screen.number
    return session.show(screen._replace(findings=examined.findings, number=number))
