"""The box itself: banners about missing devices, and the doctor's pages.

The doctor can be opened from the menu "more", and at the start of the box: by a button OK that is held while the box is
switched on or the title shows. A keypad can't tell that a key is held, so its key is `0`, on the title or on
"Continue?".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from companion.evening.contents import kinds
from companion.evening.model import Session
from companion.evening.screen_kinds import BoxScreen, hide_private_screen
from companion.inputs import Request
from companion.languages import plural_text, text

if TYPE_CHECKING:
    from companion.inputs import BoxExamined, DeviceMissing, DeviceReturned, Finding


DISK_DEVICE = "disk"
"""The disk's name as a device. While it is missing, the last move may not be saved."""
_DISCONNECTED = {
    "keypad": text("Keypad unplugged"),
    "number pad": text("No number pad"),
    "buttons": text("Buttons missing"),
    "panel": text("Panel missing"),
    "lamps": text("Lamps missing"),
}


def note_missing_device(session: Session, event: DeviceMissing) -> Session:
    """Remember that a device is missing, and say in a banner why and what to do."""
    if event.device in (*_DISCONNECTED, DISK_DEVICE):
        others = (device for device in session.missing_devices if device != event.device)
        session = session._replace(missing_devices=(*others, event.device))
    if event.device in _DISCONNECTED:
        session = hide_private_screen(session)
    if event.device not in _DISCONNECTED or "\n" in event.short_reason:
        return session._replace(banner=event.short_reason)
    heading = event.short_reason or _DISCONNECTED[event.device]
    return session._replace(
        banner=text("{what:capital}\n{then}", what=text(heading), then=_device_advice(session, event.device))
    )


def _device_advice(session: Session, device: str) -> str:
    missing = session.missing_devices
    match device:
        case "keypad" | "number pad":
            others = session.settings.has_buttons and "buttons" not in missing
            return text("buttons still work") if others else text("plug it in again")
        case "buttons":
            others = session.settings.has_keypad and "keypad" not in missing
            return text("keypad still works") if others else "companion doctor"
        case _:
            return text("you can play on")


def note_returned_device(session: Session, event: DeviceReturned) -> Session:
    """Remember that a device works again. If it was known to be missing, remove the banner."""
    missing_devices = tuple(device for device in session.missing_devices if device != event.device)
    banner = "" if event.device in session.missing_devices else session.banner
    return session._replace(missing_devices=missing_devices, banner=banner)


HOLD_SECONDS = 0.8
"""Seconds for which OK must be held on the title to open the doctor."""
BUTTON_LABELS = {
    "#": "OK", "*": "BACK", "up": text("up"), "down": text("down"), "left": text("left"), "right": text("right"),
}  # fmt: skip
"""The labels of buttons on the page that shows the keys."""
MAX_KEYS_SHOWN = 18
"""The most keys that the last page shows."""


class Doctor(BoxScreen):
    """The doctor's pages: 0 is an overview, then a page for each finding; the last one shows the keys as they arrive.

    OK and down turn the page, up turns it back, BACK leaves. On the last page every key is only shown, so BACK leaves
    when pressed twice in a row. On a finding that the box can repair, OK begins that.

    Attributes:
        findings: what was found, None while the box is being examined.
        page_number: the open page.
        newest_keys: the newest keys in order.
        key_count: how many keys were pressed.
        repairs: what the box can repair: the part that a finding is about, and what begins its repair.
    """

    findings: tuple[Finding, ...] | None = None
    page_number: int = 0
    newest_keys: tuple[str, ...] = ()
    key_count: int = 0
    repairs: tuple[tuple[str, Callable[[Session], Session]], ...] = ()

    @property
    def begin_repair(self) -> Callable[[Session], Session] | None:
        """What repairs the finding on the open page, None for nothing."""
        if not self.findings or not 1 <= self.page_number <= len(self.findings):
            return None
        finding = self.findings[self.page_number - 1]
        return dict(self.repairs).get(finding.about) if finding.state == "do" else None

    @property
    def is_key_page(self) -> bool:
        """Whether the last page is open, which only shows the keys that are pressed."""
        return self.page_number > len(self.findings or ())

    @property
    def letter_keys(self) -> Literal["arrows", "keys"]:
        return "keys" if self.is_key_page else "arrows"

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if self.is_key_page:
            return self.add_key(session, key)
        if key == "*":
            return session.close_screen()
        if key == "#" and self.begin_repair is not None:
            return self.begin_repair(session)
        step = 1 if key in ("#", "down", "right", "8", "0") else -1 if key in ("up", "left", "2") else 0
        return session.replace_screen(self._replace(page_number=max(0, self.page_number + step)))

    def key_label(self, session: Session, key: str) -> str:
        """How the device in use calls a key."""
        return BUTTON_LABELS.get(key, key) if session.uses_buttons else key

    def add_key(self, session: Session, key: str) -> Session:
        """Show a key; BACK for the second time in a row leaves."""
        name = self.key_label(session, key)
        if key == "*" and self.newest_keys and self.newest_keys[-1] == name:
            return session.close_screen()
        return session.replace_screen(
            self._replace(newest_keys=(*self.newest_keys, name)[-MAX_KEYS_SHOWN:], key_count=self.key_count + 1)
        )

    def content(self, session: Session) -> kinds.Content:
        keys = kinds.Keys(
            text("Keys"), text("{number} pressed", number=self.key_count), self.newest_keys,
            (text("Press every key:"), text("each is shown here.")),
        )  # fmt: skip
        was_back = self.newest_keys[-1:] == (self.key_label(session, "*"),)
        hints = (
            (kinds.KeyHint("back", text("again: back") if was_back else text("twice: back")),)
            if self.is_key_page
            else kinds.ok_and_back_hints("more" if self.begin_repair is None else "repair", "back")
        )
        note, looking = _summary(self.findings or ()), text("I'm checking …")
        return kinds.Findings(text("The box"), note, looking, self.findings, keys, hints, self.page_number)


def _summary(findings: tuple[Finding, ...]) -> str:
    """How many findings are faults; if there are none, how many are notes."""
    states = {finding.about: finding.state for finding in findings}
    fault_count, note_count = (sum(state == kind for state in states.values()) for kind in ("do", "note"))
    if fault_count:
        return text("{number} to do", number=fault_count)
    return plural_text(note_count, "{number} note", "{number} notes") if note_count else text("all is well")


def open_doctor(session: Session) -> Session:
    """Open the doctor's pages and request an examination of the box. Pages that are open already stay as they are."""
    if isinstance(session.screen, Doctor):
        return session
    return hide_private_screen(session).open_screens(Doctor())._replace(banner="").send_request(Request.EXAMINE_BOX)


def show_findings(
    session: Session, examined: BoxExamined, repairs: tuple[tuple[str, Callable[[Session], Session]], ...] = ()
) -> Session:
    """Show the findings if the pages are still open, the overview first: it shows where something has to be done."""
    screen = session.screen
    if not isinstance(screen, Doctor):
        return session
    return session.replace_screen(screen._replace(findings=examined.findings, repairs=repairs))
