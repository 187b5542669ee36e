"""The hall's pages, served in a thread beside the hall; to import this needs the extra `web`."""

from __future__ import annotations

import socket
import threading
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from companion.commands.options import say
from companion.commands.streams import saying_why
from companion.hall.desk import Desk
from companion.hall.tournament_store import TournamentStore
from companion.hall.web.forms import OrganiserLogin
from companion.hall.web.television import HallView, application
from companion.hall.web.tournament_pages import TournamentPages, Views
from companion.web.connections import server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.applications import Starlette

    from companion.hall.hall import Hall
    from companion.hall.intake import Intake


def listener(port: int) -> socket.socket:
    """A socket that listens on `port`. Raises Unusable."""
    with saying_why("port {port} cannot be used for the pages: {why}", port=port):
        return socket.create_server(("0.0.0.0", port))


@contextmanager
def served(sock: socket.socket, hall: Hall, data: Path, reader: Intake, password: str) -> Iterator[None]:
    """Serve the pages on `sock`, which listens, within this context; `reader` is a store opened for them alone."""
    with closing(TournamentStore(data)) as tournaments, closing(TournamentStore(data)) as shown:
        pages = server(_application(hall, reader, tournaments, shown, password))
        serving = threading.Thread(target=pages.run, args=([sock],), name="pages", daemon=True)
        serving.start()
        try:
            yield
        finally:
            pages.should_exit = True
            serving.join(5)


def _application(
    hall: Hall, reader: Intake, tournaments: TournamentStore, shown: TournamentStore, password: str
) -> Starlette:
    """The pages of a hall and its tournaments, told of each change at a table.

    The tournaments are opened twice: what the pages show is read while something is written.
    """
    night = HallView(lambda: hall.last_states, reader, lambda: hall.trouble, lambda: hall.disconnected)
    night.tournaments = Views(shown, night.here)
    desk = Desk(tournaments, night.here, hall.offer, say)

    def changed() -> None:
        desk.look()
        night.changed()

    hall.on_change(changed)
    login = OrganiserLogin(password)
    evening = TournamentPages(tournaments, night.tournaments, login, night.here, stream=night.streamed, changed=changed)
    return application(night, (socket.gethostname(),), evening.routes)
