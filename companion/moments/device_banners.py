"""Banners about devices that are lost and return."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.languages import text
from companion.session.model import Session
from companion.session.screen_kinds import cover

if TYPE_CHECKING:
    from companion.inputs import DeviceBack, DeviceLost

DISK = "disk"
"""The name of the disk: while it is missing, what was entered last may not be kept."""
_GONE = {
    "keypad": text("Keypad unplugged"),
    "buttons": text("Buttons are away"),
    "panel": text("Panel is away"),
    "lamps": text("Lamps are away"),
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
            return text("the table goes on")


def bring_device_back(session: Session, event: DeviceBack) -> Session:
    """Note that a device has returned, and take the banner about it away."""
    missing_devices = tuple(device for device in session.missing_devices if device != event.device)
    banner = "" if event.device in session.missing_devices else session.banner
    return session._replace(missing_devices=missing_devices, banner=banner)
