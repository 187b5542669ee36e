"""Which phones were let in, in a file of their own, so that they are still in after a restart of the table.

The file has hashes of the phones' secrets and names, nothing that lets anybody in. It is no part of the kept rounds:
those are copied to other disks, and kept for ever. It counts for one evening, and ends when phones are switched off.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from typing import TYPE_CHECKING, NamedTuple

from companion.replacing import replace_file

if TYPE_CHECKING:
    from pathlib import Path

    from companion.session.model import Session

PHONES_FILE = "phones.json"
EVENING = 12 * 3600.0
"""How long phones stay in after the last one was let in, in seconds of the box's clock."""
MOST_BYTES = 65_536
"""How much of the file is read."""
CLOSING_SECONDS = 5.0
"""How long the end of the table waits for a slow disk."""


class KeptPhones(NamedTuple):
    """The phones that are in, and whose they are, by name; `host` is the phone that may see the host's pages."""

    paired: tuple[tuple[str, str], ...] = ()
    host: str = ""


def read(folder: Path, now: float) -> KeptPhones | None:
    """The phones that are still in at `now` (seconds since 1970); None if phones were off, or it was another evening.

    A file that cannot be read counts as none.
    """
    with contextlib.suppress(OSError, ValueError, RecursionError), (folder / PHONES_FILE).open("rb") as file:
        match json.loads(file.read(MOST_BYTES)):
            case {"at": float(at), "paired": dict(paired), "host": str(host)} if 0 <= now - at < EVENING:
                if all(isinstance(name, str) for name in paired.values()):
                    return KeptPhones(tuple(paired.items()), host)
    return None


class PhoneKeeper:
    """Writes the file whenever other phones are in, in a thread, so that a slow disk holds up nobody."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / PHONES_FILE
        self._kept: KeptPhones | None = None
        self._writing = threading.Lock()
        self._thread: threading.Thread | None = None

    def show(self, session: Session) -> None:
        """Take the newest session; returns at once."""
        access = session.phones
        phones = KeptPhones(access.paired, access.host) if access.on else None
        if phones == self._kept:
            return
        self._kept = phones
        self._thread = threading.Thread(target=self._write, name="kept phones", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Wait until the file is written."""
        if self._thread is not None:
            self._thread.join(CLOSING_SECONDS)

    def _write(self) -> None:
        """Write what is newest; where that fails, phones ask once more after a restart, and nothing else is lost."""
        with self._writing, contextlib.suppress(OSError):
            if (phones := self._kept) is None:
                self._path.unlink(missing_ok=True)
                return
            words = {"at": time.time(), "paired": dict(phones.paired), "host": phones.host}
            replace_file(self._path, json.dumps(words).encode(), mode=0o600)
