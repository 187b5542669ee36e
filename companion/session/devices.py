"""Devices that go away and come back: what the table tells of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.session import table_menu
from companion.session.model import Peek, Session

if TYPE_CHECKING:
    from companion.inputs import DeviceBack, DeviceLost

_GONE = {
    "keypad": "Keypad unplugged",
    "buttons": "Buttons are away",
    "panel": "Panel is away",
    "lamps": "Lamps are away",
}


def lost(session: Session, event: DeviceLost) -> Session:
    """A banner: what fits the panel of a device's reason, and how it goes on; or a reason in two lines as it is."""
    if event.device in _GONE:
        missing_devices = (*(device for device in session.missing_devices if device != event.device), event.device)
        if isinstance(session.mode, Peek):
            session = table_menu.end_peek(session)
        session = session._replace(missing_devices=missing_devices)
    if event.device not in _GONE or "\n" in event.why:
        return session._replace(banner=event.why)
    words = event.why.partition(":")[0] or _GONE[event.device]
    rest = "the table goes on"
    if event.device == "keypad":
        rest = "buttons still work" if session.settings.buttons else "plug it in again"
    elif event.device == "buttons":
        rest = "keypad still works" if session.settings.keypad else "companion doctor"
    return session._replace(banner=f"{words[:1].upper()}{words[1:]}\n{rest}")


def back(session: Session, event: DeviceBack) -> Session:
    """The session once a device is there again; the banner that told of its loss goes."""
    missing_devices = tuple(device for device in session.missing_devices if device != event.device)
    banner = "" if event.device in session.missing_devices else session.banner
    return session._replace(missing_devices=missing_devices, banner=banner)
