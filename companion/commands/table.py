"""The table on the store and its devices, until it is stopped: what `companion play` and `companion run` share."""

from __future__ import annotations

import threading
import time
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from companion import evening, games
from companion.commands.options import say
from companion.doctor import disk
from companion.inputs import BoxExamined
from companion.languages import speaking, text
from companion.languages.catalogues import ENGLISH
from companion.moments.phones import phones_page
from companion.rounds import replaying
from companion.store.errors import StoreError
from companion.table.backup import Backup
from companion.table.devices import Health
from companion.table.loop import TableLoop
from companion.table.phone_worker import read_phones
from companion.table.service import stop_signals, watchdog
from companion.table.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from companion.config import Config
    from companion.rounds.stored import Settings
    from companion.session.model import Session
    from companion.store.store import Store
    from companion.table.devices import Display, Inputs, Lamps, Threads


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
    resend: Callable[[], object] = lambda: None,
    connected: Sequence[str] = (),
) -> TableLoop:
    """Open the table and play until it is stopped; the displays then show the goodbye picture. Raises Unusable.

    `threads` are watched; `ready` is called once the first picture is shown, `resend` after that of the first key
    that follows a pause; `connected` names the configured devices, for the doctor's pages.
    """
    first = _first_moment(opened, settings, inputs)
    backup = Backup(config.table.backup, opened.folder, inputs) if config.table.backup is not None else None
    workers = Workers(
        opened.folder, inputs, lambda: examine(inputs, opened.folder, config, connected, table.session.language)
    )
    workers.open_public(inputs.journal or say)
    fed = watchdog()
    health = Health(threads, inputs, fed is not None, workers)
    table = TableLoop(
        first,
        opened,
        displays,
        inputs.queue,
        lamps=lamps,
        brightness=config.display.brightness,
        watchdog=fed,
        check=health.check,
        report=inputs.report,
        start_request=workers.start_request,
        on_shown=workers.on_shown,
        answer=workers.send_reply,
        resend=resend,
        ended=backup.ask if backup is not None else lambda: None,
    )
    with stop_signals(inputs.put), health.listening(), closing(workers):
        table.open()
        ready()
        table.run()
    return table


def _first_moment(opened: Store, settings: Settings, inputs: Inputs) -> Session:
    """The first session, from the stored history; faulty games are reported. Raises Unusable."""
    opened.do_not_wait()
    past = opened.past()
    with suppress(StoreError):
        past = past._replace(seen=tuple(opened.in_order_seen([game.id for game in games.added()])))
    first = evening.start(settings, past, time.monotonic())
    if (phones := read_phones(opened.folder, time.time())) is not None:
        first = phones_page.let_in_again(first, *phones)
    kept = past.unfinished or past.between
    if first.banner and kept is not None and (doubt := replaying.replayed(kept).doubt) is not None:
        message = "round {number} is kept, but no longer gives its result: {doubt}."
        if doubt.gone:
            message = "round {number} is kept, but cannot be shown: {doubt}."
        (inputs.journal or say)(text(message, number=kept.id, doubt=doubt.words))
    for game, fault in games.faults().items():
        first = first._replace(banner=text("A game is faulty:\n{game}", game=game))
        (inputs.journal or say)(f"{fault}.")
    if (lasting := disk.check_lasting(opened.folder)) is not None:
        first = first._replace(banner=text("Rounds are lost\nwhen switched off"))
        (inputs.journal or say)(lasting.text)
    return first


def examine(
    inputs: Inputs, folder: Path, config: Config | None, connected: Sequence[str], language: str = ENGLISH
) -> None:
    """Examine the box in a thread, because a disk may be slow, and then put BoxExamined on the queue.

    Its findings are in the box's `language`, by which each is divided into pages.
    """

    def look() -> None:
        from companion.doctor.examination import at_the_table
        from companion.screens.reading import finding_pages

        with speaking(language):
            pages = finding_pages(at_the_table(folder, config, connected, inputs.missing))
        inputs.queue.put(BoxExamined(pages, time.monotonic()))

    threading.Thread(target=look, name="doctor", daemon=True).start()
