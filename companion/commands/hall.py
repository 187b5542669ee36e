"""`companion hall`: sets up a club night, and runs the club server; it needs the extra `hall`.

Each word after `companion hall` is a function here: `set-up` and `add-table` prepare the broker, `serve` runs the
server with its pages, and the others read or change what has come in.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import threading
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from companion import UnusableError
from companion.commands import options
from companion.commands.services import MISSING, read_link, stop_signals
from companion.commands.streams import missing_library, printable, unusable_on_error
from companion.config import state_folder
from companion.languages import plural_text, in_language, text
from companion.languages.catalogues import ENGLISH
from companion.replacing import replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from companion.club.hall import ClubServer
    from companion.club.intake import ClubStore

ABOUT = """\
Runs a club server, which collects the rounds of all tables of a club night. Each table's `companion uplink` sends them
over an MQTT broker; the server saves each round once and checks it by the rules. docs/hall.md has the instructions."""

SYSTEM_DATA = Path("/var/lib/companion-hall")
SYSTEM_CLUB = Path("/etc/companion-hall")
BROKER = "companion-broker.service"
PAGE = 8028
"""The port of the pages."""
LINK = "hall.link"
"""The file with the server's own link, in the club's folder."""


def main(given: Sequence[str]) -> int:
    """Run one of the club server's commands. Returns the exit status."""
    parser = options.Parser(prog="companion hall", description=text(ABOUT))
    parser.set_defaults(does=_serve, link=None, page=PAGE)
    options.add_value(parser, "--data", "DIR", text("the club server's data folder"))
    options.add_value(parser, "--club", "DIR", text("the club's folder, with the broker's settings and passwords"))
    verbs = parser.add_subparsers(metavar="WHAT")

    def verb(name: str, does: Callable[[argparse.Namespace], None], about: str) -> argparse.ArgumentParser:
        made = verbs.add_parser(name, help=about)
        made.set_defaults(does=does)
        return made

    which = text("collect rounds until stopped (the default)")
    serve = verb("serve", _serve, which)
    options.add_value(
        serve, "--link", "FILE", text("the club server's own link ({link} in the club's folder)", link=LINK)
    )
    which = text("the port of the web pages ({port}; 0 for no pages)", port=PAGE)
    options.add_value(serve, "--page", "PORT", which, type=_port, default=PAGE)
    set_up = verb("set-up", _set_up, text("set up a club: the broker's certificate, settings and access list"))
    set_up.add_argument("name", metavar="CLUB")
    set_up.add_argument("--host", help=text("this computer's name or address, by which the tables reach it"))
    set_up.add_argument("--port", type=int, default=8883, help=text("the broker's port (8883)"))
    add = verb("add-table", _add_table, text("create a table's password and show its link"))
    add.add_argument("name", metavar="NAME")
    options.add_switch(add, "--again", text("make a new link for a table that has lost its own"))
    verb("access", _access, text("update the broker's access list after an upgrade"))
    verb("tables", _tables, text("list the tables, their rounds, and what was refused"))
    verb("standings", _standings, text("list how often each player has won, at all tables together"))
    verb("password", _password, text("show the organiser's password for the tournament pages"))
    export = verb("export", _export, text("write every round as a record to a folder"))
    export.add_argument("folder", metavar="DIR")
    move = verb("move", _move, text("move all rounds of one table to another, after its box was renamed"))
    move.add_argument("old", metavar="OLD")
    move.add_argument("new", metavar="NEW")
    arguments = parser.parse_args(given)
    arguments.does(arguments)
    return 0


def data_folder(arguments: argparse.Namespace) -> Path:
    """The club server's data folder: --data, else the service's, else the user's."""
    return Path(arguments.data) if arguments.data else state_folder("companion-hall", SYSTEM_DATA, os.R_OK)


def club_folder(arguments: argparse.Namespace) -> Path:
    """The club's folder: --club, else ``club`` in the folder --data, else the system's if this user may use it.

    If none of these, ``club`` in the club server's data folder.
    """
    if arguments.club:
        return Path(arguments.club)
    if arguments.data:
        return Path(arguments.data) / "club"
    return SYSTEM_CLUB if os.access(SYSTEM_CLUB, os.R_OK) or os.geteuid() == 0 else data_folder(arguments) / "club"


def _open_intake(arguments: argparse.Namespace) -> ClubStore:
    from companion.club.database import ClubDatabaseError
    from companion.club.intake import ClubStore

    where = data_folder(arguments)
    try:
        return ClubStore(where, as_server=False)
    except ClubDatabaseError as error:
        of_service = SYSTEM_DATA.exists() and not arguments.data and where != SYSTEM_DATA
        said = "{fault}; to use the data of the service, run this with sudo" if of_service else "{fault}"
        raise UnusableError(text(said, fault=error.args[0])) from None


def _serve(arguments: argparse.Namespace) -> None:
    """Receive rounds until stopped, and serve the pages. Raises UnusableError."""
    from companion.club.intake import ClubStore

    link, data = read_link(Path(arguments.link or club_folder(arguments) / LINK)), data_folder(arguments)

    try:
        from companion.club.hall import ClubServer
    except ImportError:
        raise UnusableError(MISSING) from None
    stop = stop_signals()
    with closing(ClubStore(data)) as intake:
        hall = ClubServer(link, intake, write_log=options.say)
        with _serve_pages_if_possible(data, arguments.page, hall), in_language(ENGLISH):  # Logged and saved in English.
            hall.run_until(stop.is_set)


@contextmanager
def _serve_pages_if_possible(data: Path, port: int, hall: ClubServer) -> Iterator[None]:
    """Within this context the pages are served, if the extra `web` is installed and `port` is not 0."""
    if not port:
        yield
        return
    from companion.club.broker_access import organiser_password
    from companion.club.intake import ClubStore

    try:
        from companion.club.web import television, tournament_pages  # noqa: F401
    except ImportError as error:
        options.say(text("there are no web pages: {why}", why=missing_library(error.name, "hall,web")))
        yield
        return
    with unusable_on_error("port {port} cannot be used for the pages: {why}", port=port):
        listener = socket.create_server(("0.0.0.0", port))
    with (
        listener,
        closing(ClubStore(data, as_server=False)) as reader,
        serve_pages(listener, hall, data, reader, organiser_password(data)),
    ):
        options.say(text("the club's pages are on port {port}", port=port))
        yield


@contextmanager
def serve_pages(listener: socket.socket, hall: ClubServer, data: Path, reader: ClubStore, password: str) -> Iterator[None]:
    """Within this context the pages are served in a thread, and woken at each change at a table.

    `reader` is a connection to the club's file for the pages alone. The tournaments are opened twice, so that the pages
    can read while something is written.
    """
    from companion.club.desk import TournamentDirector
    from companion.club.tournament_store import TournamentStore
    from companion.club.web.forms import OrganiserLogin
    from companion.club.web.television import ClubNightView, club_application
    from companion.club.web.tournament_pages import TournamentPages, TournamentViews
    from companion.web.connections import web_server

    with closing(TournamentStore(data)) as tournaments, closing(TournamentStore(data)) as shown:
        night = ClubNightView(lambda: hall.last_states, reader, lambda: hall.store_problem, lambda: hall.disconnection)
        night.tournaments = TournamentViews(shown, night.connected_tables)
        desk = TournamentDirector(tournaments, night.connected_tables, hall.set_offers, options.say)

        def changed() -> None:
            desk.update_tables()
            night.wake_pages()

        hall.set_on_change(changed)
        login = OrganiserLogin(password)
        evening = TournamentPages(
            tournaments, night.tournaments, login, night.connected_tables, stream_response=night.stream_response, on_change=changed
        )
        pages = web_server(club_application(night, (socket.gethostname(),), evening.routes))
        thread = threading.Thread(target=pages.run, args=([listener],), name="pages", daemon=True)
        thread.start()
        try:
            yield
        finally:
            pages.should_exit = True
            thread.join(5)


def _password(arguments: argparse.Namespace) -> None:
    from companion.club.broker_access import organiser_password

    with closing(_open_intake(arguments)):
        print(organiser_password(data_folder(arguments)))


def _port(given: str) -> int:
    if given.isascii() and given.isdigit() and int(given[:6]) <= 65_535:
        return int(given)
    said = "a port is a number up to 65535, not {given}"
    raise argparse.ArgumentTypeError(text(said, given=repr(printable(given, 30))))


def _set_up(arguments: argparse.Namespace) -> None:
    from companion.club import broker_access
    from companion.web.clients import local_address

    where = club_folder(arguments)
    if not 1 <= arguments.port <= 65_535:
        raise UnusableError(text("--port must be 1 to 65535, not {port}", port=arguments.port))
    host = arguments.host or local_address()
    if not host:
        raise UnusableError(text("this computer is not on a network: use --host ADDRESS"))
    broker_access.set_up_club(where, broker_access.Club(arguments.name, host, arguments.port))
    said = "{club} is set up in {folder}; next, for each table: companion hall add-table NAME"
    print(text(said, club=arguments.name, folder=printable(str(where))))


def _add_table(arguments: argparse.Namespace) -> None:
    from companion.club import broker_access

    where = club_folder(arguments)
    link = broker_access.add_table(where, arguments.name, renews_link=arguments.again)
    said = "The link for {table}. It is shown only once; save it on that box as /etc/companion/hall.link:"
    print(text(said, table=arguments.name))
    print(f"\n{link}\n")
    _show_code(str(link))
    if not _broker_reads_again(where):
        print(text("If the broker is running, make it read the new password: sudo pkill -HUP -x mosquitto"))


def _access(arguments: argparse.Namespace) -> None:
    from companion.club import broker_access

    where = club_folder(arguments)
    changed = broker_access.update_access_list(where)
    brought = "The broker's access list has been updated."
    print(text(brought if changed else "The broker's access list was already up to date."))
    if changed and not _broker_reads_again(where):
        print(text("If the broker is running, make it read the new list: sudo pkill -HUP -x mosquitto"))


def _broker_reads_again(club: Path) -> bool:
    """Reload the broker's service if it serves this club, so that it reads passwords and access list again.

    Returns whether that was done.
    """
    if club.resolve() != SYSTEM_CLUB:
        return False
    try:
        subprocess.run(["systemctl", "reload", BROKER], capture_output=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return False
    return True


def _show_code(link: str) -> None:
    """Print the link as a QR code, if the library `segno` is installed and standard output is a terminal."""
    if sys.stdout.isatty():
        with suppress(ImportError):
            import segno

            segno.make(link, error="l").terminal(compact=True)


def _tables(arguments: argparse.Namespace) -> None:
    with closing(_open_intake(arguments)) as intake:
        for each in intake.table_rows():
            one = "{table}: {number} round, last message {seen}"
            more = "{table}: {number} rounds, last message {seen}"
            if each.uncounted_rounds:
                one = "{table}: {number} round, {faults} more not counted, last message {seen}"
                more = "{table}: {number} rounds, {faults} more not counted, last message {seen}"
            print(plural_text(each.rounds, one, more, table=each.name, faults=each.uncounted_rounds, seen=each.last_heard))
        for at, name, sentence in reversed(intake.newest_notes()):
            print(f"{at} {printable(name or text('unknown sender'))}: {printable(sentence, 400)}")


def _standings(arguments: argparse.Namespace) -> None:
    with closing(_open_intake(arguments)) as intake:
        for place, line in enumerate(intake.standings(), 1):
            said = "{who}: won {won}, shared {shared} of {played}" if line.drawn else "{who}: won {won} of {played}"
            values = {"won": line.won, "shared": line.drawn, "played": line.played}
            print(f"{place:3} {text(said, who=printable(line.name), **values)}")


def _export(arguments: argparse.Namespace) -> None:
    """Write every round that counts as NUMBER-TABLE-ROUND-GAME.tcr; unchanged files are not written again."""
    to, written = Path(arguments.folder), 0
    where = printable(str(to))
    # Opened first, so that a fault of the club's own folder is not reported as one of the folder written to.
    with closing(_open_intake(arguments)) as intake, unusable_on_error("cannot write to {folder}: {why}", folder=where):
        to.mkdir(parents=True, exist_ok=True)
        for each in intake.counted_rounds():
            file = to / f"{each.arrival:06}-{each.table}-{each.round}-{each.game}.tcr"
            data = each.record.encode()
            if not (file.is_file() and file.read_bytes() == data):
                replace_file(file, data)
                written += 1
    print(plural_text(written, "{number} round written to {folder}", "{number} rounds written to {folder}", folder=where))


def _move(arguments: argparse.Namespace) -> None:
    from companion.club.messages import NAME_PATTERN

    for name in (arguments.old, arguments.new):
        if not NAME_PATTERN.fullmatch(name):
            said = "{name} cannot be a table's name: use 1 to 24 letters, digits and hyphens"
            raise UnusableError(text(said, name=repr(printable(name))))
    with closing(_open_intake(arguments)) as intake:
        moved = intake.move_rounds(arguments.old, arguments.new)
    names = {"old": arguments.old, "new": arguments.new}
    one, more = "{number} round of {old} now belongs to {new}", "{number} rounds of {old} now belong to {new}"
    print(plural_text(moved, one, more, **names))
