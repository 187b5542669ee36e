"""What the loop asks of the store for the session, and the watch over a slow disk.

A worn SD card may need seconds for each access, and a move needs a handful of them. The players should see why nothing
happens, and the service manager must not take a table that waits for its disk for one that is stuck.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion.inputs import GameStandingsRequest, NameChangeRequest, Request, StoredRoundRequest
from companion.store.errors import StoreError
from companion.store.history import RoundFilter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.inputs import StoredRoundChangeRequest
    from companion.store.store import Store
    from companion.table.service import Watchdog

SLOW_SECONDS = 1.0
"""How long the disk may take before a banner is shown."""
MAX_FED_SECONDS = 180.0
"""How long the watchdog is fed for one piece of work. What takes longer is stuck, and a restart may help."""
MAX_LISTED_ROUNDS = 99
"""The most rounds that are listed on the panel."""


@contextmanager
def watching_slow_disk(on_slow: Callable[[], object], watchdog: Watchdog | None) -> Iterator[None]:
    """Within this context the loop waits for the disk.

    If that takes longer than `SLOW_SECONDS`, a thread calls `on_slow`, and from then on feeds the watchdog.
    """
    is_done = threading.Event()

    def watch() -> None:
        if is_done.wait(SLOW_SECONDS):
            return
        on_slow()
        feed_until = time.monotonic() + MAX_FED_SECONDS
        while watchdog is not None and time.monotonic() < feed_until:
            watchdog.feed()
            if is_done.wait(watchdog.interval_seconds):
                return

    thread = threading.Thread(target=watch, name="disk", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_done.set()
        thread.join()


def requested_store_rows(
    store: Store, request: Request | StoredRoundRequest | GameStandingsRequest
) -> tuple[object, ...] | None:
    """The rows that a request asks for; None for a request that is not about stored rounds. Raises StoreError."""
    if request is Request.STANDINGS:
        return tuple(store.standings())
    if isinstance(request, GameStandingsRequest):
        return tuple(store.standings(RoundFilter(game=request.game)))
    if request is Request.HISTORY:
        return tuple(reversed(store.summaries(limit=MAX_LISTED_ROUNDS)))
    if isinstance(request, StoredRoundRequest):
        number = request.number
        return store.load_round(number), store.summaries(RoundFilter(round=number))[0], store.is_match_open(number)
    return None


def change_rounds(store: Store, request: NameChangeRequest | StoredRoundChangeRequest) -> tuple[object, ...]:
    """Change stored rounds. Returns ("", the new stored history), or (why it failed, None).

    After a change of one round, the newest rounds and the page of that round follow.
    """
    try:
        if isinstance(request, NameChangeRequest):
            reason = store.change_name(request.old, request.new, is_merge=request.is_merge)
            return reason, None if reason else store.load_history()
        if reason := _change_round(store, request):
            return reason, None
        rows = (
            requested_store_rows(store, Request.HISTORY),
            requested_store_rows(store, StoredRoundRequest(request.round)),
        )
        return "", store.load_history(), *rows
    except StoreError as error:
        return error.sentence, None
    except ValueError as error:  # The corrected round is invalid.
        return error.args[0], None


def _change_round(store: Store, request: StoredRoundChangeRequest) -> str:
    """Change one round. Returns why that is not possible, "" if it was changed. Raises StoreError, ValueError."""
    if request.change != "correct":
        return store.change_round(request.round, request.change)
    from companion.store.round_text import parse_correction

    stored = store.load_round(request.round)
    if stored is None or not stored.result:
        return store.change_round(request.round, stored or "void")  # The store refuses this, and says why.
    return store.change_round(request.round, parse_correction(stored, request.text))
