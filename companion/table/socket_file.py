"""Where the table's sockets lie, and what a killed table leaves there."""

import os
import stat
from pathlib import Path

OF_SERVICE = Path("/run/companion-table")
"""The service's folder for the socket of the pages, which its group may use."""
PUBLIC_OF_SERVICE = Path("/run/companion-public")
"""The service's folder for the public socket, which the group of the uplink may use."""


def socket_path(data: Path, of_service: Path = OF_SERVICE) -> Path:
    """The path of the socket: in the service's folder if this process may write there, else in the data folder."""
    service = "RUNTIME_DIRECTORY" in os.environ and os.access(of_service, os.W_OK)
    return (of_service if service else data) / "table.sock"


def public_path(data: Path) -> Path:
    """The path of the public socket, which tells only what everybody may see."""
    return socket_path(data, PUBLIC_OF_SERVICE).with_name("public.sock")


def remove_stale(path: Path) -> None:
    """Remove a socket that a killed table left behind, and nothing else. Raises OSError."""
    try:
        if not stat.S_ISSOCK(os.lstat(path).st_mode):
            raise FileExistsError(17, "something else has that name")
    except FileNotFoundError:
        return
    path.unlink()
