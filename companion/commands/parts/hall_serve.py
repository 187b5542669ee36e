"""`companion hall serve`: the hall and its pages in one process, until it is stopped."""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from companion import Unusable
from companion.commands.parts.options import say
from companion.commands.streams import without
from companion.commands.uplink import MISSING, stop_signals
from companion.hall.broker_access import password
from companion.hall.intake import Intake
from companion.languages import speaking, text
from companion.languages.catalogues import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.hall.hall import Hall
    from companion.hall.table_link import Link


def serve(link: Link, data: Path, port: int) -> int:
    """Receive rounds until stopped, and serve the pages on `port` (0: no pages). Returns the exit status.

    Raises Unusable.
    """
    try:
        from companion.hall.hall import Hall
    except ImportError:
        raise Unusable(MISSING) from None
    stop = stop_signals()
    with closing(Intake(data)) as intake:
        hall = Hall(link, intake, say=say)
        with _pages(data, port, hall), speaking(ENGLISH):  # The journal, and what is kept.
            hall.run(stop.is_set)
    return 0


@contextmanager
def _pages(data: Path, port: int, hall: Hall) -> Iterator[None]:
    """Serve the hall's pages within this context, if the extra `web` is installed and `port` is not 0."""
    if not port:
        yield
        return
    try:
        from companion.commands.parts import hall_pages as pages
    except ImportError as error:
        say(text("there are no pages: {why}", why=without(error.name, "hall,web")))
        yield
        return
    with (
        pages.listener(port) as sock,
        closing(Intake(data, serving=False)) as reader,
        pages.served(sock, hall, data, reader, password(data)),
    ):
        say(text("the hall's pages are on port {port}", port=port))
        yield
