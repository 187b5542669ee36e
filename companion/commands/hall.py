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
from companion.commands.services import PAHO_MISSING, read_link, stop_signal_event
from companion.commands.text_streams import missing_library_message, printable_text, unusable_on_error
from companion.config import state_folder
from companion.languages import in_language, plural_text, text
from companion.languages.catalogues import ENGLISH
from companion.replacing import replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from companion.club.club_server import ClubServer
    from companion.club.club_store import ClubStore

DESCRIPTION = """\
Runs a club server, which collects the rounds of all tables of a club night. Each table's `companion uplink` sends them
over an MQTT broker; the server saves each round once and checks it by the rules. docs/hall.md has the instructions."""

SYSTEM_DATA = Path("/var/lib/companion-hall")
SYSTEM_CLUB = Path("/etc/companion-hall")
BROKER_SERVICE = "companion-broker.service"
PAGES_PORT = 8028
"""The port of the pages."""
LINK_FILE = "hall.link"
"""The file with the server's own link, in the club's folder."""


def main(argv: Sequence[str]) -> int:
    """Run one of the club server's commands. Returns the exit status."""
    parser = options.CommandParser(prog="companion hall", description=text(DESCRIPTION))
    parser.set_defaults(does=_serve_club, link=None, page=PAGES_PORT)
    options.add_value(parser, "--data", "DIR", text("the club server's data folder"))
    options.add_value(parser, "--club", "DIR", text("the club's folder, with the broker's settings and passwords"))
    subcommands = parser.add_subparsers(metavar="WHAT")

    def add_command(name: str, does: Callable[[argparse.Namespace], None], help_text: str) -> argparse.ArgumentParser:
        command_parser = subcommands.add_parser(name, help=help_text)
        command_parser.set_defaults(does=does)
        return command_parser

    serve = add_command("serve", _serve_club, text("collect rounds until stopped (the default)"))
    options.add_value(
        serve, "--link", "FILE", text("the club server's own link ({link} in the club's folder)", link=LINK_FILE)
    )
    page_help = text("the port of the web pages ({port}; 0 for no pages)", port=PAGES_PORT)
    options.add_value(serve, "--page", "PORT", page_help, type=_parse_port, default=PAGES_PORT)
    set_up = add_command(
        "set-up", _set_up_club, text("set up a club: the broker's certificate, settings and access list")
    )
    set_up.add_argument("name", metavar="CLUB")
    set_up.add_argument("--host", help=text("this computer's name or address, by which the tables reach it"))
    set_up.add_argument("--port", type=int, default=8883, help=text("the broker's port (8883)"))
    add = add_command("add-table", _add_table, text("create a table's password and show its link"))
    add.add_argument("name", metavar="NAME")
    options.add_switch(add, "--again", text("make a new link for a table that has lost its own"))
    add_command("access", _update_access_list, text("update the broker's access list after an upgrade"))
    add_command("tables", _print_tables, text("list the tables, their rounds, and what was refused"))
    add_command("standings", _print_standings, text("list how often each player has won, at all tables together"))
    add_command("password", _print_password, text("show the organiser's password for the tournament pages"))
    export = add_command("export", _export_rounds, text("write every round as a record to a folder"))
    export.add_argument("folder", metavar="DIR")
    move = add_command("move", _move_rounds, text("move all rounds of one table to another, after its box was renamed"))
    move.add_argument("old", metavar="OLD")
    move.add_argument("new", metavar="NEW")
    arguments = parser.parse_args(argv)
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


def _open_club_store(arguments: argparse.Namespace) -> ClubStore:
    from companion.club.club_database import ClubDatabaseError
    from companion.club.club_store import ClubStore

    folder = data_folder(arguments)
    try:
        return ClubStore(folder, as_server=False)
    except ClubDatabaseError as error:
        needs_sudo = SYSTEM_DATA.exists() and not arguments.data and folder != SYSTEM_DATA
        message = "{fault}; to use the data of the service, run this with sudo" if needs_sudo else "{fault}"
        raise UnusableError(text(message, fault=error.args[0])) from None


def _serve_club(arguments: argparse.Namespace) -> None:
    """Receive rounds until stopped, and serve the pages. Raises UnusableError."""
    from companion.club.club_store import ClubStore

    link, folder = read_link(Path(arguments.link or club_folder(arguments) / LINK_FILE)), data_folder(arguments)

    try:
        from companion.club.club_server import ClubServer
    except ImportError:
        raise UnusableError(PAHO_MISSING) from None
    stop = stop_signal_event()
    with closing(ClubStore(folder)) as club_store:
        club_server = ClubServer(link, club_store, write_log=options.print_message)
        # What is logged and saved is in English.
        with _serve_pages_if_possible(folder, arguments.page, club_server), in_language(ENGLISH):
            club_server.run_until(stop.is_set)


@contextmanager
def _serve_pages_if_possible(folder: Path, port: int, club_server: ClubServer) -> Iterator[None]:
    """Within this context the pages are served, if the extra `web` is installed and `port` is not 0."""
    if not port:
        yield
        return
    from companion.club.broker_access import organiser_password
    from companion.club.club_store import ClubStore

    try:
        from companion.club.web import television, tournament_pages  # noqa: F401
    except ImportError as error:
        options.print_message(
            text("there are no web pages: {why}", why=missing_library_message(error.name, "hall,web"))
        )
        yield
        return
    with unusable_on_error("port {port} cannot be used for the pages: {why}", port=port):
        listener = socket.create_server(("0.0.0.0", port))
    with (
        listener,
        closing(ClubStore(folder, as_server=False)) as reader,
        serve_club_pages(listener, club_server, folder, reader, organiser_password(folder)),
    ):
        options.print_message(text("the club's pages are on port {port}", port=port))
        yield


@contextmanager
def serve_club_pages(
    listener: socket.socket, club_server: ClubServer, folder: Path, reader: ClubStore, password: str
) -> Iterator[None]:
    """Within this context the pages are served in a thread, and woken at each change at a table.

    `reader` is a connection to the club's file for the pages alone. The tournaments are opened twice, so that the pages
    can read while something is written.
    """
    from companion.club.tournament_director import TournamentDirector
    from companion.club.tournament_store import TournamentStore
    from companion.club.web.forms import OrganiserLogin
    from companion.club.web.television import ClubNightView, club_application
    from companion.club.web.tournament_pages import TournamentPages, TournamentViews
    from companion.web.connections import web_server

    with closing(TournamentStore(folder)) as tournaments, closing(TournamentStore(folder)) as tournaments_to_read:
        view = ClubNightView(
            lambda: club_server.last_states,
            reader,
            lambda: club_server.store_problem,
            lambda: club_server.disconnection_sentence,
        )
        view.tournaments = TournamentViews(tournaments_to_read, view.connected_tables)
        director = TournamentDirector(tournaments, view.connected_tables, club_server.set_offers, options.print_message)

        def on_change() -> None:
            director.take_results_and_offer_pairings()
            view.wake_pages()

        club_server.set_on_change(on_change)
        login = OrganiserLogin(password)
        tournament_pages = TournamentPages(
            tournaments,
            view.tournaments,
            login,
            view.connected_tables,
            stream_response=view.stream_response,
            on_change=on_change,
        )
        running_server = web_server(club_application(view, (socket.gethostname(),), tournament_pages.routes))
        thread = threading.Thread(target=running_server.run, args=([listener],), name="pages", daemon=True)
        thread.start()
        try:
            yield
        finally:
            running_server.should_exit = True
            thread.join(5)


def _print_password(arguments: argparse.Namespace) -> None:
    from companion.club.broker_access import organiser_password

    with closing(_open_club_store(arguments)):
        print(organiser_password(data_folder(arguments)))


def _parse_port(value: str) -> int:
    if value.isascii() and value.isdigit() and int(value[:6]) <= 65_535:
        return int(value)
    message = "a port is a number up to 65535, not {given}"
    raise argparse.ArgumentTypeError(text(message, given=repr(printable_text(value, 30))))


def _set_up_club(arguments: argparse.Namespace) -> None:
    from companion.club import broker_access
    from companion.web.clients import local_address

    folder = club_folder(arguments)
    if not 1 <= arguments.port <= 65_535:
        raise UnusableError(text("--port must be 1 to 65535, not {port}", port=arguments.port))
    host = arguments.host or local_address()
    if not host:
        raise UnusableError(text("this computer is not on a network: use --host ADDRESS"))
    broker_access.set_up_club(folder, broker_access.Club(arguments.name, host, arguments.port))
    message = "{club} is set up in {folder}; next, for each table: companion hall add-table NAME"
    print(text(message, club=arguments.name, folder=printable_text(str(folder))))


def _add_table(arguments: argparse.Namespace) -> None:
    from companion.club import broker_access

    folder = club_folder(arguments)
    link = broker_access.add_table(folder, arguments.name, renews_link=arguments.again)
    message = "The link for {table}. It is shown only once; save it on that box as /etc/companion/hall.link:"
    print(text(message, table=arguments.name))
    print(f"\n{link}\n")
    _print_qr_code(str(link))
    if not _reload_broker(folder):
        print(text("If the broker is running, make it read the new password: sudo pkill -HUP -x mosquitto"))


def _update_access_list(arguments: argparse.Namespace) -> None:
    from companion.club import broker_access

    folder = club_folder(arguments)
    changed = broker_access.update_access_list(folder)
    changed_message = "The broker's access list has been updated."
    print(text(changed_message if changed else "The broker's access list was already up to date."))
    if changed and not _reload_broker(folder):
        print(text("If the broker is running, make it read the new list: sudo pkill -HUP -x mosquitto"))


def _reload_broker(folder: Path) -> bool:
    """Reload the broker's service if it serves this club, so that it reads passwords and access list again.

    Returns whether that was done.
    """
    if folder.resolve() != SYSTEM_CLUB:
        return False
    try:
        subprocess.run(["systemctl", "reload", BROKER_SERVICE], capture_output=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return False
    return True


def _print_qr_code(link: str) -> None:
    """Print the link as a QR code, if the library `segno` is installed and standard output is a terminal."""
    if sys.stdout.isatty():
        with suppress(ImportError):
            import segno

            segno.make(link, error="l").terminal(compact=True)


def _print_tables(arguments: argparse.Namespace) -> None:
    with closing(_open_club_store(arguments)) as club_store:
        for each in club_store.table_summaries():
            one = "{table}: {number} round, last message {seen}"
            more = "{table}: {number} rounds, last message {seen}"
            if each.uncounted_rounds:
                one = "{table}: {number} round, {faults} more not counted, last message {seen}"
                more = "{table}: {number} rounds, {faults} more not counted, last message {seen}"
            print(
                plural_text(each.rounds, one, more, table=each.name, faults=each.uncounted_rounds, seen=each.last_heard)
            )
        for time_of_note, name, sentence in reversed(club_store.newest_organiser_notes()):
            print(f"{time_of_note} {printable_text(name or text('unknown sender'))}: {printable_text(sentence, 400)}")


def _print_standings(arguments: argparse.Namespace) -> None:
    with closing(_open_club_store(arguments)) as club_store:
        for rank, line in enumerate(club_store.standings(), 1):
            message = "{who}: won {won}, shared {shared} of {played}" if line.drawn else "{who}: won {won} of {played}"
            values = {"won": line.won, "shared": line.drawn, "played": line.played}
            print(f"{rank:3} {text(message, who=printable_text(line.name), **values)}")


def _export_rounds(arguments: argparse.Namespace) -> None:
    """Write every round that counts as NUMBER-TABLE-ROUND-GAME.tcr; unchanged files are not written again."""
    folder, written_count = Path(arguments.folder), 0
    folder_name = printable_text(str(folder))
    # Opened first, so that a fault of the club's own folder is not reported as one of the folder written to.
    with (
        closing(_open_club_store(arguments)) as club_store,
        unusable_on_error("cannot write to {folder}: {why}", folder=folder_name),
    ):
        folder.mkdir(parents=True, exist_ok=True)
        for each in club_store.counted_rounds():
            file = folder / f"{each.arrival:06}-{each.table}-{each.round}-{each.game}.tcr"
            data = each.record.encode()
            if not (file.is_file() and file.read_bytes() == data):
                replace_file(file, data)
                written_count += 1
    print(
        plural_text(
            written_count,
            "{number} round written to {folder}",
            "{number} rounds written to {folder}",
            folder=folder_name,
        )
    )


def _move_rounds(arguments: argparse.Namespace) -> None:
    from companion.club.mqtt_messages import NAME_PATTERN

    for name in (arguments.old, arguments.new):
        if not NAME_PATTERN.fullmatch(name):
            message = "{name} cannot be a table's name: use 1 to 24 letters, digits and hyphens"
            raise UnusableError(text(message, name=repr(printable_text(name))))
    with closing(_open_club_store(arguments)) as club_store:
        moved = club_store.move_rounds(arguments.old, arguments.new)
    names = {"old": arguments.old, "new": arguments.new}
    one, more = "{number} round of {old} now belongs to {new}", "{number} rounds of {old} now belong to {new}"
    print(plural_text(moved, one, more, **names))
