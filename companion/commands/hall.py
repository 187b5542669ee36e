"""`companion hall`: takes in the rounds of all tables of a club night; it needs the extra `hall`."""

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

from companion.commands import Unusable, files, printable
from companion.commands.options import Parser, say
from companion.commands.uplink import MISSING, read_link, stop_signals

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.hall.hall import Hall
    from companion.hall.intake import Intake

ABOUT = """\
Takes in the rounds of all tables of a club night: what each table's `companion uplink` sends over an MQTT broker comes
into one store, once and in order, checked by the rules. docs/hall.md tells how a hall is set up."""

SYSTEM_DATA = Path("/var/lib/companion-hall")
SYSTEM_CLUB = Path("/etc/companion-hall")
BROKER = "companion-broker.service"
PAGE = 8028
"""The port of the pages."""
LINK = "hall.link"
"""The hall's own link, in the club's folder."""


def main(given: Sequence[str]) -> int:
    """Do what the words say; the exit status."""
    parser = Parser(prog="companion hall", description=ABOUT)
    parser.add_argument("--data", metavar="DIR", help="the hall's data folder")
    parser.add_argument("--club", metavar="DIR", help="the club's folder, with the broker's settings and passwords")
    verbs = parser.add_subparsers(dest="verb", metavar="WHAT")
    serve = verbs.add_parser("serve", help="take in rounds until stopped (this is what is done where nothing is said)")
    serve.add_argument("--link", metavar="FILE", help=f"the hall's own link ({LINK} in the club's folder)")
    serve.add_argument("--page", type=_port, default=PAGE, metavar="PORT", help=f"of the pages ({PAGE}; 0: none)")
    set_up = verbs.add_parser("set-up", help="make a club: certificate, settings and access list of the broker")
    set_up.add_argument("name", metavar="CLUB")
    set_up.add_argument("--host", help="this computer's name or address, as the tables reach it")
    set_up.add_argument("--port", type=int, default=8883, help="the broker's port (8883)")
    add = verbs.add_parser("add-table", help="make a table's password, and show its link")
    add.add_argument("name", metavar="NAME")
    add.add_argument("--again", action="store_true", help="a new link for a table whose link is lost")
    verbs.add_parser("tables", help="list the tables, the rounds of each, and what was refused")
    verbs.add_parser("standings", help="list who has won how often at all tables together")
    verbs.add_parser("password", help="show the organiser's password, for the pages of tournaments")
    export = verbs.add_parser("export", help="write every round as a record into a folder")
    export.add_argument("folder", metavar="DIR")
    move = verbs.add_parser("move", help="what came as one table comes as another: its box got another name")
    move.add_argument("old", metavar="OLD")
    move.add_argument("new", metavar="NEW")
    arguments = parser.parse_args(given)
    return _VERBS[arguments.verb or "serve"](arguments)


def folder(arguments: argparse.Namespace) -> Path:
    """The hall's data folder: as named, else the service's, else the user's."""
    if arguments.data:
        return Path(arguments.data)
    if service := os.environ.get("STATE_DIRECTORY"):
        return Path(service.split(":")[0])
    if os.access(SYSTEM_DATA, os.R_OK):
        return SYSTEM_DATA
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "companion-hall"


def club_folder(arguments: argparse.Namespace) -> Path:
    """The club's folder: as named, else in the hall's if that is named, else the system's where it may be used."""
    if arguments.club:
        return Path(arguments.club)
    if arguments.data:
        return Path(arguments.data) / "club"
    return SYSTEM_CLUB if os.access(SYSTEM_CLUB, os.R_OK) or os.geteuid() == 0 else folder(arguments) / "club"


def _opened(arguments: argparse.Namespace, *, serving: bool = False) -> Intake:
    from companion.hall.database import HallError
    from companion.hall.intake import Intake

    try:
        return Intake(folder(arguments), serving=serving)
    except HallError as error:
        raise Unusable(str(error)) from None


def _serve(arguments: argparse.Namespace) -> int:
    named = getattr(arguments, "link", None)
    link = read_link(Path(named) if named else club_folder(arguments) / LINK)
    try:
        from companion.hall.hall import Hall
    except ImportError:
        raise Unusable(MISSING) from None
    stop = stop_signals()
    with closing(_opened(arguments, serving=True)) as intake:
        hall = Hall(link, intake, say)
        with _pages(arguments, hall):
            hall.run(stop.is_set)
    return 0


@contextmanager
def _pages(arguments: argparse.Namespace, hall: Hall) -> Iterator[None]:
    """Serve the hall's pages meanwhile, in a thread, if the extra `web` is there and no port 0 is asked for."""
    port = getattr(arguments, "page", PAGE)
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
    with listener, closing(_opened(arguments)) as reader, closing(Tournaments(folder(arguments))) as tournaments:
        night = Night(lambda: hall.boards, reader)
        desk = Desk(tournaments, night.here, hall.offer, say)
        door = Door(_organisers_password(arguments))

        def changed() -> None:
            desk.look()
            night.changed()

        hall.on_change(changed)
        evening = TournamentPages(tournaments, door, night.here, rendered, changed)
        pages = server(application(night, (socket.gethostname(),), evening.routes))
        serving = threading.Thread(target=pages.run, args=([listener],), name="pages", daemon=True)
        serving.start()
        say(f"the hall's pages are on port {port}")
        try:
            yield
        finally:
            pages.should_exit = True
            serving.join(5)


def _organisers_password(arguments: argparse.Namespace) -> str:
    """Made where there is none. Raises Unusable."""
    from companion.hall.organiser import password

    where = folder(arguments)
    try:
        return password(where)
    except OSError as error:
        raise Unusable(
            f"the organiser's password in {printable(str(where))} cannot be used: {error.strerror}"
        ) from None


def _password(arguments: argparse.Namespace) -> int:
    with closing(_opened(arguments)):
        print(_organisers_password(arguments))
    return 0


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text[:6]) <= 65_535:
        return int(text)
    raise argparse.ArgumentTypeError(f"a port is a number up to 65535, not {printable(text, 30)!r}")


def _set_up(arguments: argparse.Namespace) -> int:
    from companion.hall import access

    where = club_folder(arguments)
    if not 1 <= arguments.port <= 65_535:
        raise Unusable(f"--port is 1 to 65535, not {arguments.port}")
    try:
        access.set_up(where, access.Club(arguments.name, arguments.host or _own_address(), arguments.port))
    except access.AccessError as error:
        raise Unusable(str(error)) from None
    print(f"{arguments.name} is set up in {printable(str(where))}; now: companion hall add-table NAME, for each table")
    return 0


def _own_address() -> str:
    """The address of this computer in its network. Raises Unusable."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # Nothing is sent: it only tells by which way it would go.
        except OSError:
            raise Unusable("this computer is in no network: say --host ADDRESS") from None
        return str(asked.getsockname()[0])


def _add_table(arguments: argparse.Namespace) -> int:
    from companion.hall import access

    where = club_folder(arguments)
    try:
        link = access.add_table(where, arguments.name, again=arguments.again)
    except access.AccessError as error:
        raise Unusable(str(error)) from None
    print(
        f"The link of {arguments.name}, shown this once; on its box it belongs in /etc/companion/hall.link:\n\n{link}\n"
    )
    _show_code(str(link))
    if not _broker_reads_again(where):
        print("A broker that runs reads the new password by: sudo pkill -HUP -x mosquitto")
    return 0


def _broker_reads_again(club: Path) -> bool:
    """Have the broker's service read its passwords again, if it carries this club."""
    if club.resolve() != SYSTEM_CLUB:
        return False
    try:
        return (
            subprocess.run(["systemctl", "reload", BROKER], capture_output=True, timeout=30, check=False).returncode
            == 0
        )
    except (OSError, subprocess.SubprocessError):
        return False


def _show_code(text: str) -> None:
    """The same to be scanned, where the library for it is installed and somebody looks."""
    if sys.stdout.isatty():
        with suppress(ImportError):
            import segno

            segno.make(text, error="l").terminal(compact=True)


def _tables(arguments: argparse.Namespace) -> int:
    with closing(_opened(arguments)) as intake:
        for each in intake.tables():
            faults = f", {each.faults} do not count" if each.faults else ""
            print(f"{each.name}: {each.rounds} rounds{faults}, last heard of {each.seen}")
        for at, name, sentence in reversed(intake.told()):
            print(f"{at} {printable(name or 'somebody')}: {printable(sentence, 400)}")
    return 0


def _standings(arguments: argparse.Namespace) -> int:
    with closing(_opened(arguments)) as intake:
        for place, line in enumerate(intake.standings(), 1):
            shared = f", shared {line.shared}" if line.shared else ""
            print(f"{place:3} {printable(line.name)}: won {line.won}{shared} of {line.played}")
    return 0


def _export(arguments: argparse.Namespace) -> int:
    """Write every round that counts as TABLE-ROUND-GAME.tcr; one that is there already as it is stays."""
    to = Path(arguments.folder)
    written = 0
    with closing(_opened(arguments)) as intake:
        try:
            to.mkdir(parents=True, exist_ok=True)
            for each in intake.rounds():
                file = to / f"{each.n:06}-{each.name}-{each.round}-{each.game}.tcr"
                data = each.record.encode()
                if not (file.is_file() and file.read_bytes() == data):
                    files.write_whole(file, data)
                    written += 1
        except OSError as error:
            raise Unusable(f"cannot write to {printable(str(to))}: {error.strerror or error}") from None
    print(f"{written} rounds written to {printable(str(to))}")
    return 0


def _move(arguments: argparse.Namespace) -> int:
    from companion.hall.database import HallError
    from companion.hall.link import NAME

    for name in (arguments.old, arguments.new):
        if not NAME.fullmatch(name):
            raise Unusable(f"a table's name has 1 to 24 letters, digits and hyphens, not {printable(name)!r}")
    with closing(_opened(arguments)) as intake:
        try:
            moved = intake.move(arguments.old, arguments.new)
        except HallError as error:
            raise Unusable(str(error)) from None
    print(f"{moved} rounds of {arguments.old} are now of {arguments.new}")
    return 0


_VERBS = {
    "serve": _serve,
    "set-up": _set_up,
    "add-table": _add_table,
    "tables": _tables,
    "standings": _standings,
    "password": _password,
    "export": _export,
    "move": _move,
}
