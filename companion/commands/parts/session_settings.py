"""The settings of a session, from the configuration, the command line and the devices."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from companion.commands.parts.options import say
from companion.commands.streams import printable
from companion.languages import text
from companion.languages.catalogues import of_locale
from companion.rounds.player_names import name_changes, normal_name, undrawn
from companion.rounds.stored import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.config import Config
    from companion.rounds.stored import RoundHeader


def settings(
    config: Config, requested: RoundHeader | None, *, keypad: bool = True, buttons: bool = True, terminal: bool = False
) -> Settings:
    """The session's settings: from the configuration, the command line and the attached devices."""
    return Settings(
        names=tuple(map(normal_name, config.table.players)),
        requested=requested,
        keypad=keypad,
        buttons=buttons,
        timing=config.table.clock,
        players_press=config.phones.remote == "players",
        language=config.table.language or (of_locale(os.environ) if terminal else ""),
        asks_language=not (terminal or config.table.language or requested),
        terminal=terminal,
    )


def report_changes(names: Iterable[str]) -> None:
    """Say what is changed in names so that they can be players'."""
    for name in names:
        if changes := name_changes(name):
            who = printable(normal_name(name))
            say(text("the name {who} was changed: {changes}", who=who, changes=changes))


def report_names(config: Config, requested: RoundHeader | None) -> None:
    """Say which names of the configuration are changed, and which the panel cannot draw, also of the command line."""
    report_changes(config.table.players)
    for name in dict.fromkeys((*config.table.players, *(requested.names if requested is not None else ()))):
        if undrawn(normal_name(name)):
            say(text("the panel cannot draw every letter of {who}: it shows a box in its place", who=printable(name)))
