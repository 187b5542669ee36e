"""Shared by `companion play` and `companion run`: arguments, store, session and loop. Others use its `reading`."""

from __future__ import annotations

import os
import threading
import time
from contextlib import closing, contextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING

from companion import Unusable, evening, games
from companion import config as configuration
from companion.commands import printable
from companion.commands.options import Parser, config, folder, named, number, parser, say
from companion.game.manifest import HOLDING_KINDS
from companion.game.opponent import BOXES, played_in, strength
from companion.inputs import BoxExamined
from companion.moments.setup.spelling import drawn
from companion.record.values import composed
from companion.rounds import versions
from companion.rounds.stored import RoundHeader, Settings
from companion.store.owner import acting_as_owner, acts_as_another
from companion.store.store import Store, StoreError
from companion.table import notify
from companion.table.backup import Backup
from companion.table.desks import Desks
from companion.table.inputs import Inputs
from companion.table.loop import TableLoop
from companion.table.signals import stop_signals
from companion.table.threads import Health

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from companion.config import Config
    from companion.game.manifest import HoldingKind, Manifest
    from companion.session.model import Session
    from companion.table.displays import Display, Lamps
    from companion.table.threads import Threads

__all__ = [
    "Inputs",
    "Parser",
    "config",
    "folder",
    "named",
    "number",
    "parser",
    "play",
    "reading",
    "requested_round",
    "say",
    "settings",
    "store",
    "tell_undrawn",
]

MENDING_USEC = 15 * 60 * 10**6
"""In microseconds: how long systemd waits for the start if thousands of rounds must be rescued on a slow computer."""
LONGEST_NAME = configuration.LONGEST_NAME
HOLDINGS: Mapping[str, tuple[HoldingKind, ...]] = {"": HOLDING_KINDS, "d": ("deal",), "r": ("rack",)}
"""The letter after a seat in --open → the holdings it opens."""


def requested_round(given: argparse.Namespace) -> RoundHeader | None:
    """The round asked for on the command line, None for the menu. Raises Unusable."""
    if not given.game:
        if given.options or given.players or given.open:
            raise Unusable("--options, --players and --open go with --game")
        return None
    try:
        game = games.manifest(given.game)
    except games.UnknownGame as unknown:
        raise Unusable(f"there is no game {printable(given.game)}; {unknown}") from None
    if not game.recorded:
        raise Unusable(f"--game starts no {game.name.lower()}: choose it in the menu")
    names = tuple(composed(name.strip()) for name in given.players.split(",")) if given.players else ()
    if names and len(names) not in game.players:
        raise Unusable(f"{game.name} is for {' or '.join(map(str, game.players))} players, not {len(names)}")
    for name in names:
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise Unusable(f"a player's name has 1 to {LONGEST_NAME} letters, not {printable(name)!r}")
    if len(set(names)) < len(names):
        raise Unusable("--players names somebody twice")
    if played_in(names) and not game.opponent:
        raise Unusable(f"the box does not play {game.name}: {BOXES[0]} to {BOXES[-1]} are its own names")
    seats = len(names) or game.players[0]
    opened = _opened(given.open, game, seats, [seat for seat, name in enumerate(names, 1) if strength(name)])
    return RoundHeader(given.game, _options(given.options, game), names, opened=opened)


def _options(text: str, game: Manifest) -> tuple[tuple[str, str], ...]:
    chosen = game.defaults
    seen = set()
    for part in filter(None, text.split(",")):
        name, _, value = (each.strip() for each in part.partition("="))
        if name not in chosen:
            raise Unusable(f"{game.name} has no option {printable(name)}; it has {', '.join(chosen)}")
        if value not in game.values[name]:
            raise Unusable(f"{name} is {' or '.join(game.values[name])}, not {printable(value)}")
        if name in seen:
            raise Unusable(f"--options gives {name} twice")
        seen.add(name)
        chosen[name] = value
    return tuple(chosen.items())


def _opened(text: str, game: Manifest, seats: int, boxes: Sequence[int]) -> tuple[tuple[HoldingKind, int], ...]:
    """The holdings of --open, and those of the seats `boxes`, which the box plays. Raises Unusable."""
    opened = [(kind, seat) for seat in boxes for kind in game.holdings]
    for part in filter(None, (each.strip() for each in text.split(","))):
        digits, ending = (part[:-1], part[-1]) if part[-1:] in ("d", "r") else (part, "")
        kinds = [kind for kind in HOLDINGS[ending] if kind in game.holdings]
        if not digits.isascii() or not digits.isdigit() or not 1 <= int(digits) <= seats or (ending and not kinds):
            raise Unusable(f"--open names seats 1 to {seats} such as 1 or 1d, not {printable(part)}")
        opened += [(kind, int(digits)) for kind in kinds]
    return tuple(sorted(set(opened), key=lambda held: (held[1], list(game.holdings).index(held[0]))))


@contextmanager
def store(where: Path, *, reading: bool = False) -> Iterator[Store]:
    """The store in a folder; within this context root has only the rights of its owner. Raises Unusable."""
    if acts_as_another(where):
        _load_late_parts()
    with acting_as_owner(where):
        opened = Store(where, reading=reading, slow=lambda: notify.notify(f"EXTEND_TIMEOUT_USEC={MENDING_USEC}"))
        try:
            yield opened
        finally:
            opened.close()


def _load_late_parts() -> None:
    """Import now what is usually imported later, since the folder's owner may not be allowed to read the program."""
    for game in (each.id for each in games.known() if each.recorded):
        for load in (games.load, games.load_entry, games.load_screen):
            load(game)
    with suppress(ImportError):
        import_module("openskill.models")


@contextmanager
def reading(given: argparse.Namespace) -> Iterator[Store]:
    """The store in the folder of --data or --config, for reading only; the table may be running. Raises Unusable."""
    where, services = folder(given, config(given)), configuration.SYSTEM_DATA
    if not given.data and services.is_dir() and not os.access(services, os.W_OK) and not where.exists():
        raise Unusable(
            f"the rounds in {services} can be read by members of the group companion, from their next login on"
        )
    with store(where, reading=True) as opened:
        if opened.warning:
            say(opened.warning)
        yield opened


def tell_undrawn(config: Config, requested: RoundHeader | None) -> None:
    """Say which of the names from configuration and command line have letters that the panel cannot draw."""
    for name in dict.fromkeys((*config.table.players, *(requested.names if requested is not None else ()))):
        if not all(map(drawn, composed(name))):
            say(f"the panel cannot draw every letter of {printable(name)}: it shows a box in its place")


def settings(
    config: Config, requested: RoundHeader | None, *, keypad: bool = True, buttons: bool = True, terminal: bool = False
) -> Settings:
    """The session's settings: from the configuration, the command line and the attached devices."""
    return Settings(
        names=tuple(map(composed, config.table.players)),
        requested=requested,
        keypad=keypad,
        buttons=buttons,
        timing=config.table.clock,
        terminal=terminal,
    )


def play(
    opened: Store,
    settings: Settings,
    displays: list[Display],
    inputs: Inputs,
    *,
    config: Config,
    lamps: Lamps | None = None,
    threads: Threads | None = None,
    ready: Callable[[], object] = lambda: None,
    connected: Sequence[str] = (),
) -> TableLoop:
    """Open the table and play until it is stopped; the displays then show the goodbye picture. Raises Unusable.

    `threads` are watched; `ready` is called once the first picture is shown; `connected` names the configured devices,
    for the doctor's pages.
    """
    first = _first_moment(opened, settings, inputs)
    backup = Backup(config.table.backup, opened.folder, inputs) if config.table.backup is not None else None
    desks = Desks(opened.folder, inputs, lambda: examine(inputs, opened.folder, config, connected))
    if config.hall.link is not None:
        desks.open_public(inputs.journal or say)
    beat = notify.watchdog_seconds()
    health = Health(threads, inputs, beat is not None, desks)
    table = TableLoop(
        first,
        opened,
        displays,
        inputs.queue,
        lamps=lamps,
        brightness=config.display.brightness,
        alive=lambda: notify.notify("WATCHDOG=1", 0.0),
        beat=beat,
        check=health.check,
        tell=inputs.journal or (lambda sentence: None),
        start_request=desks.start_request,
        on_shown=desks.on_shown,
        answer=desks.answer,
        ended=backup.ask if backup is not None else lambda: None,
    )
    with stop_signals(inputs.put), health.listening(), closing(desks):
        table.open()
        ready()
        table.run()
    return table


def _first_moment(opened: Store, settings: Settings, inputs: Inputs) -> Session:
    """The first session, from the stored history; faulty games are reported. Raises Unusable."""
    opened.do_not_wait()
    past = opened.past_or_rescued()
    with suppress(StoreError):
        past = past._replace(seen=tuple(opened.in_order_seen([game.id for game in games.added()])))
    first = evening.start(settings, past, time.monotonic())
    kept = past.unfinished or past.between
    if first.banner and kept is not None and (doubt := versions.replayed(kept).doubt) is not None:
        (inputs.journal or say)(f"round {kept.id} is kept, but {doubt.consequence}: {doubt}.")
    for game, fault in games.faults().items():
        first = first._replace(banner=f"A game is faulty:\n{game}")
        (inputs.journal or say)(f"{fault}.")
    return first


def examine(inputs: Inputs, folder: Path, config: Config | None, connected: Sequence[str]) -> None:
    """Examine the box in a thread, because a disk may be slow, and then put BoxExamined on the queue."""

    def look() -> None:
        from companion.commands.examination import at_the_table
        from companion.screens.doctor import paged

        found = at_the_table(folder, config, connected, inputs.missing)
        inputs.queue.put(BoxExamined(paged(found), time.monotonic()))

    threading.Thread(target=look, name="doctor", daemon=True).start()
