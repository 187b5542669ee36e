"""The findings of a running table about its box: devices, disk, rounds, clock, voltage."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from companion import games
from companion.doctor import clock, disk, power, uplink
from companion.inputs import Finding
from companion.languages import said, text
from companion.store.data_folder import acting_as_owner

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from companion.config import Config

WELL = {
    "": text("It answers."),
    "buttons": text("They are ready."),
    "lamps": text("They are ready."),
    "backup": text("No copy has failed."),
}
"""Device → the sentence about it if it is not missing; "" is any other device."""


def at_the_table(
    folder: Path, config: Config | None, connected: Sequence[str], away: Mapping[str, str]
) -> list[Finding]:
    """The findings of a running table about its devices and surroundings.

    `connected` are the names of the configured devices; `away` says for each missing one why it is missing.
    """
    if config is not None and config.table.backup is not None:
        connected = (*connected, "backup")
    devices = [
        Finding(name, "do", text("{why:capital}.", why=text(away[name])))
        if name in away
        else Finding(name, "ok", said(WELL.get(name, WELL[""])))
        for name in connected
    ]
    where = (
        text("{file} is used.", file=config.file) if config and config.file else text("No file, so all is as usual.")
    )
    return [*devices, Finding("settings", "ok", where), *hall(folder, config), *surroundings(folder)]


def hall(folder: Path, config: Config | None) -> Iterator[Finding]:
    """The finding whether the hall is connected, if the table is configured for one."""
    if config is not None and config.hall.link is not None:
        yield uplink.check(folder)


def surroundings(folder: Path | None) -> Iterator[Finding]:
    """Disk, rounds, clock, voltage and added games; without disk and rounds if the folder is unknown (None)."""
    newest = ""
    if folder is not None:
        with acting_as_owner(folder):
            room, (rounds, newest) = disk.check_room(folder), disk.check_rounds(folder)
            aside, rules = disk.check_set_aside(folder), list(disk.check_rules(folder))
            copies, lasting = disk.check_second(folder), disk.check_lasting(folder)
        yield from filter(None, (room, lasting, rounds, copies, *rules, aside))
    yield clock.check(newest, datetime.now().astimezone(), clock.set_by_network())
    if voltage := power.check():
        yield voltage
    yield from (
        Finding("games", "do", text("{fault:capital}.", fault=text(fault))) for fault in games.faults().values()
    )
