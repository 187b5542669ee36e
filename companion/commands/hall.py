"""`companion hall`: receives the rounds of all tables of a club night; it needs the extra `hall`."""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from companion import Unusable
from companion.commands import files, printable
from companion.commands.options import Parser
from companion.commands.uplink import read_link

if TYPE_CHECKING:
    from collections.abc import Sequence

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
"""The file of the hall's own link, in the club's folder."""


def main(given: Sequence[str]) -> int:
    """Run one of the hall's commands. Returns the exit status."""
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
    verbs.add_parser("access", help="after an upgrade: bring the broker's access list up to date")
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
    """The hall's data folder: --data, else the service's, else the user's."""
    if arguments.data:
        return Path(arguments.data)
    if service := os.environ.get("STATE_DIRECTORY"):
        return Path(service.split(":")[0])
    if os.access(SYSTEM_DATA, os.R_OK):
        return SYSTEM_DATA
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "companion-hall"


def club_folder(arguments: argparse.Namespace) -> Path:
    """The club's folder: --club, else ``club`` in the folder --data, else the system's if this user may use it.

    If none of these, ``club`` in the hall's data folder.
    """
    if arguments.club:
        return Path(arguments.club)
    if arguments.data:
        return Path(arguments.data) / "club"
    return SYSTEM_CLUB if os.access(SYSTEM_CLUB, os.R_OK) or os.geteuid() == 0 else folder(arguments) / "club"


def _opened(arguments: argparse.Namespace) -> Intake:
    from companion.hall.database import HallError
    from companion.hall.intake import Intake

    where = folder(arguments)
    try:
        return Intake(where, serving=False)
    except HallError as error:
        of_service = SYSTEM_DATA.exists() and not arguments.data and where != SYSTEM_DATA
        raise Unusable(f"{error}{'; that of the service needs sudo' if of_service else ''}") from None


def _serve(arguments: argparse.Namespace) -> int:
    from companion.commands import _hall_serve

    named = getattr(arguments, "link", None)
    link = read_link(Path(named) if named else club_folder(arguments) / LINK)
    return _hall_serve.serve(link, folder(arguments), getattr(arguments, "page", PAGE))


def _password(arguments: argparse.Namespace) -> int:
    from companion.commands._hall_serve import organisers_password

    with closing(_opened(arguments)):
        print(organisers_password(folder(arguments)))
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
    access.set_up(where, access.Club(arguments.name, arguments.host or _own_address(), arguments.port))
    print(f"{arguments.name} is set up in {printable(str(where))}; now: companion hall add-table NAME, for each table")
    return 0


def _own_address() -> str:
    """The address of this computer in its network. Raises Unusable."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # UDP: nothing is sent; the system only chooses the local address.
        except OSError:
            raise Unusable("this computer is in no network: say --host ADDRESS") from None
        return str(asked.getsockname()[0])


def _add_table(arguments: argparse.Namespace) -> int:
    from companion.hall import access

    where = club_folder(arguments)
    link = access.add_table(where, arguments.name, again=arguments.again)
    print(
        f"The link of {arguments.name}, shown this once; on its box it belongs in /etc/companion/hall.link:\n\n{link}\n"
    )
    _show_code(str(link))
    if not _broker_reads_again(where):
        print("A broker that runs reads the new password by: sudo pkill -HUP -x mosquitto")
    return 0


def _access(arguments: argparse.Namespace) -> int:
    from companion.hall import access

    where = club_folder(arguments)
    changed = access.bring_up_to_date(where)
    print(f"The access list of the broker {'is brought' if changed else 'was'} up to date.")
    if changed and not _broker_reads_again(where):
        print("A broker that runs reads it by: sudo pkill -HUP -x mosquitto")
    return 0


def _broker_reads_again(club: Path) -> bool:
    """Reload the broker's service if it serves this club, for new passwords and access list. Returns whether it did."""
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
    """Print the text as a QR code, if the library `segno` is installed and standard output is a terminal."""
    if sys.stdout.isatty():
        with suppress(ImportError):
            import segno

            segno.make(text, error="l").terminal(compact=True)


def _tables(arguments: argparse.Namespace) -> int:
    with closing(_opened(arguments)) as intake:
        for each in intake.tables():
            faults = f", {each.faults} do not count" if each.faults else ""
            print(f"{each.name}: {each.rounds} rounds{faults}, last heard of {each.seen}")
        for at, name, sentence in reversed(intake.notes()):
            print(f"{at} {printable(name or 'somebody')}: {printable(sentence, 400)}")
    return 0


def _standings(arguments: argparse.Namespace) -> int:
    with closing(_opened(arguments)) as intake:
        for place, line in enumerate(intake.standings(), 1):
            shared = f", shared {line.drawn}" if line.drawn else ""
            print(f"{place:3} {printable(line.name)}: won {line.won}{shared} of {line.played}")
    return 0


def _export(arguments: argparse.Namespace) -> int:
    """Write every round that counts as NUMBER-TABLE-ROUND-GAME.tcr; unchanged files are not written again."""
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
    from companion.hall.link import NAME

    for name in (arguments.old, arguments.new):
        if not NAME.fullmatch(name):
            raise Unusable(f"a table's name has 1 to 24 letters, digits and hyphens, not {printable(name)!r}")
    with closing(_opened(arguments)) as intake:
        moved = intake.move(arguments.old, arguments.new)
    print(f"{moved} rounds of {arguments.old} are now of {arguments.new}")
    return 0


_VERBS = {
    "serve": _serve,
    "set-up": _set_up,
    "add-table": _add_table,
    "access": _access,
    "tables": _tables,
    "standings": _standings,
    "password": _password,
    "export": _export,
    "move": _move,
}
