"""`companion hall serve`: the hall and its pages in one process, until it is stopped."""

from __future__ import annotations

import socket
import threading
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from companion.commands import Unusable, printable
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
        hall = Hall(link, intake, say)
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
    from companion.hall.database import HallError
    from companion.hall.intake import Intake

    try:
        return Intake(data, serving=serving)
    except HallError as error:
        raise Unusable(str(error)) from None


@contextmanager
def _pages(data: Path, port: int, hall: Hall) -> Iterator[None]:
    """Serve the hall's pages in a thread within this context, if the extra `web` is installed and `port` is not 0."""
    if not port:
        yield
        return
    try:
        from companion.hall.organiser import Door
        from companion.hall.pages import Night, application, rendered
        from companion.hall.tournament.desk import Desk
        from companion.hall.tournament.pages import TournamentPages
        from companion.hall.tournament.store import Tournaments
        from companion.web.connections import server
    except ImportError as error:
        say(f"{error.name} is missing, so there are no pages: pip install 'tabletop-companion[hall,web]'")
        yield
        return
    try:
        listener = socket.create_server(("0.0.0.0", port))
    except OSError as error:
        raise Unusable(f"port {port} cannot be used for the pages: {error.strerror or error}") from None
    with listener, closing(_intake(data, serving=False)) as reader, closing(Tournaments(data)) as tournaments:
        night = Night(lambda: hall.boards, reader)
        desk = Desk(tournaments, night.here, hall.offer, say)

        def changed() -> None:
            desk.look()
            night.changed()

        hall.on_change(changed)
        evening = TournamentPages(tournaments, Door(organisers_password(data)), night.here, rendered, changed)
        pages = server(application(night, (socket.gethostname(),), evening.routes))
        serving = threading.Thread(target=pages.run, args=([listener],), name="pages", daemon=True)
        serving.start()
        say(f"the hall's pages are on port {port}")
        try:
            yield
        finally:
            pages.should_exit = True
            serving.join(5)
