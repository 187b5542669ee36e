"""`companion hall serve`: the hall and its pages in one process, until it is stopped."""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from companion import Unusable
from companion.commands import printable, without
from companion.commands.options import say
from companion.commands.uplink import MISSING, stop_signals

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.hall.hall import Hall
    from companion.hall.intake import Intake
    from companion.hall.link import Link


def serve(link: Link, data: Path, port: int) -> int:
    """Receive rounds until stopped, and serve the pages on `port` (0: no pages). Returns the exit status.

    Raises Unusable.
    """
    try:
        from companion.hall.hall import Hall
    except ImportError:
        raise Unusable(MISSING) from None
    stop = stop_signals()
    with closing(_intake(data, serving=True)) as intake:
        hall = Hall(link, intake, say=say)
        with _pages(data, port, hall):
            hall.run(stop.is_set)
    return 0


def organisers_password(data: Path) -> str:
    """The organiser's password, which is created if there is none. Raises Unusable."""
    from companion.hall.organiser import password

    try:
        return password(data)
    except OSError as error:
        raise Unusable(f"the organiser's password in {printable(str(data))} cannot be used: {error.strerror}") from None


def _intake(data: Path, *, serving: bool) -> Intake:
    from companion.hall.intake import Intake

    return Intake(data, serving=serving)


@contextmanager
def _pages(data: Path, port: int, hall: Hall) -> Iterator[None]:
    """Serve the hall's pages within this context, if the extra `web` is installed and `port` is not 0."""
    if not port:
        yield
        return
    try:
        from companion.commands import _hall_pages as pages
    except ImportError as error:
        say(f"there are no pages: {without(error.name, 'hall,web')}")
        yield
        return
    with (
        pages.listener(port) as sock,
        closing(_intake(data, serving=False)) as reader,
        pages.served(sock, hall, data, reader, organisers_password(data)),
    ):
        say(f"the hall's pages are on port {port}")
        yield
