"""Phones at the table: their requests on the socket become inputs on the loop's queue, and replies go back.

    judge, could, hint             answered at once from the newest session: they change nothing
    history, round, record, …      passed to a process that reads the stored rounds (`host_worker`)
    everything else                put on the loop's queue as a PhoneRequest

Which phones were let in is saved in a file of its own, so that they are still in after a restart of the table. The file
has hashes of the phones' secrets, and names: nothing that lets anybody in. The saved rounds do not contain this,
because they are copied to other disks and never deleted. The file is valid for one evening, and removed when phones are
switched off.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.evening.screens.phones import pairing, requests
from companion.inputs import CodeIssued, DeviceMissing, HintRequest, PagesServed, PhoneRequest, Request, parse_request
from companion.languages import text
from companion.replacing import replace_file
from companion.table.host_reader import HostReader
from companion.table.state_server import SocketError, StateServer, remove_stale, socket_path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from companion.evening.model import Session
    from companion.inputs import HintProgress, Input

LONGEST_PAGE = 36
"""The most letters of a page's URL: with the pairing code they fill a version 2 QR code."""
REPORT_SECONDS = 300.0
"""How long a report may take, of a long evening on the slowest computer."""
REPORT_IDLE_SECONDS = 5.0
"""How long an idle process for reports stays; it needs more memory than the one for other questions."""
LONGEST_TEXT = 400
"""The most letters of a request's text."""
LONGEST_RECORD = 60_000
"""The most letters of a corrected record, which has to fit into a client's line. The longest known one has 20,000."""
LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""The letters of pairing codes, without those that are easily mistaken for another (0, 1, I, O)."""
CODE_LETTERS = 6
STORED = ("history", "round", "record", "names", "report")
"""The host's requests about stored rounds."""
NOT_HOST = text("This phone is not the host's.")
PHONES_FILE = "phones.json"
EVENING_SECONDS = 12 * 3600.0
"""How long phones stay in after the last one was let in, by the box's clock."""
MOST_BYTES = 65_536
"""How much of the file is read."""
CLOSING_SECONDS = 5.0
"""How long the end of the table waits for a slow disk."""


class SavedPhones(NamedTuple):
    """The phones that are in, and their players' names; `host` is the phone that may see the host's pages."""

    paired: tuple[tuple[str, str], ...] = ()
    host: str = ""


def read_phones(folder: Path, now: float) -> SavedPhones | None:
    """Read which phones are still in at `now`, in seconds since 1970.

    None if phones were off, if it was another evening, or if the file cannot be read.
    """
    with contextlib.suppress(OSError, ValueError, RecursionError), (folder / PHONES_FILE).open("rb") as file:
        match json.loads(file.read(MOST_BYTES)):
            case {"at": float(at), "paired": dict(paired), "host": str(host)} if 0 <= now - at < EVENING_SECONDS:
                if all(isinstance(name, str) for name in paired.values()):
                    return SavedPhones(tuple(paired.items()), host)
    return None


class PhoneSaver:
    """Saves which phones are in, in a thread, so that a slow disk delays nobody."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / PHONES_FILE
        self._saved: SavedPhones | None = None
        self._writing = threading.Lock()
        self._thread: threading.Thread | None = None

    def save_changes(self, session: Session) -> None:
        """Write the file if other phones are in than at the last call; returns at once."""
        access = session.phones
        phones = SavedPhones(access.player_phones, access.host) if access.is_on else None
        if phones == self._saved:
            return
        self._saved = phones
        self._thread = threading.Thread(target=self._write, name="saved phones", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Wait until the file is written, at most `SAVE_WAIT_SECONDS`."""
        if self._thread is not None:
            self._thread.join(CLOSING_SECONDS)

    def _write(self) -> None:
        """Write the newest state. If that fails, phones have to ask again after a restart, and nothing else is lost."""
        with self._writing, contextlib.suppress(OSError):
            if (phones := self._saved) is None:
                self._path.unlink(missing_ok=True)
                return
            words = {"at": time.time(), "paired": dict(phones.paired), "host": phones.host}
            replace_file(self._path, json.dumps(words).encode(), mode=0o600)


class PhoneWorker:
    """Opens the socket for phones while the session allows them.

    Args:
        data_folder: where it is saved which phones are in; the socket is there too, unless the service has a folder for
            it.
        put_input: puts an input on the loop's queue.
        find_hint: returns what is known so far of a hint that is asked for.
    """

    def __init__(self, data: Path, put: Callable[[Input], object], hint: Callable[[HintRequest], HintProgress]) -> None:
        self._put = put
        self._hint = hint
        path = socket_path(data)
        self.server = StateServer(
            "phones", path, _snapshot, self._take_message, lambda: put(PagesServed((), time.monotonic()))
        )
        self.saver = PhoneSaver(data)
        with contextlib.suppress(OSError):  # Phones are off when a table starts, and the service watches this socket.
            remove_stale(path)
        self._reader = HostReader(data, self.server.send_line)
        self._reports = HostReader(data, self.server.send_line, idle=REPORT_IDLE_SECONDS, seconds=REPORT_SECONDS)

    def start_request(self, request: Request) -> bool:
        """Carry out a request of the session if it is about phones. Returns whether it is."""
        if request is Request.PHONES_ON:
            try:
                self.server.open()
            except SocketError:
                self._put(DeviceMissing("phones", text("Phones don't work:\nthe socket failed"), time.monotonic()))
        elif request is Request.PHONES_OFF:
            self.server.close()
        elif request is Request.PHONE_CODE:
            import secrets  # This imports OpenSSL: 4 MiB that only a table with phones needs.

            code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LETTERS))
            self._put(CodeIssued(code, time.monotonic()))
        else:
            return False
        return True

    def _take_message(self, message: Mapping[str, Any]) -> None:
        """Process a client's message, in the client's thread; invalid ones are ignored."""
        match message:
            case {"pages": list(pages)} if all(isinstance(page, str) and len(page) <= LONGEST_PAGE for page in pages):
                self._put(PagesServed(tuple(pages), time.monotonic()))
            case {"ask": int(number), "phone": str(phone), "what": str(what), "text": str(asked)} if (
                len(phone) <= LONGEST_TEXT
                and len(what) <= LONGEST_TEXT
                and len(asked) <= (LONGEST_RECORD if what == "correct" else LONGEST_TEXT)
            ):
                session = self.server.session
                if what in STORED:
                    self._ask_reader(number, phone, what, asked)
                elif what in ("judge", "could", "hint"):
                    self.server.send_reply({"answer": number} | self._answer(session, phone, what, asked))
                else:
                    was = message.get("was")
                    known = was if isinstance(was, str) and len(was) <= LONGEST_TEXT else ""
                    self._put(PhoneRequest(number, phone, parse_request(what, asked, known), time.monotonic()))

    def _answer(self, session: Session | None, phone: str, what: str, asked: str) -> dict[str, Any]:
        """Answer, from the newest session, a request that changes nothing and concerns the phone's own seat."""
        if session is None:
            return {"draft": None} if what == "judge" else {"words": ()}
        if what == "judge":
            from companion.table.phone_view import judged

            seat = pairing.phone_seat(session, phone)
            return {"draft": judged(session, seat, asked) if seat else None}
        if what == "could":
            return {"words": requests.could_move_lines(session, phone)}
        request = requests.hint_request_or_lines(session, phone)
        if not isinstance(request, HintRequest):
            return {"words": request}
        found = self._hint(request)
        if not found.parts:  # The search goes on, and the phone asks again.
            return {"words": (text("Hint"), text("I am thinking: {percent}%.", percent=found.percent)), "wait": True}
        part = min(int(asked) if asked.isascii() and asked.isdigit() else 0, len(found.parts) - 1)
        return {"words": found.parts[part].text_lines, "part": part, "parts": len(found.parts)}

    def _ask_reader(self, number: int, phone: str, what: str, asked: str) -> None:
        """Pass a question of the host's pages on. Reports take long, so they have a process of their own."""
        session = self.server.session
        if session is None or not session.phones.is_on or not phone or phone != session.phones.host:
            self.server.send_reply({"answer": number, "refusal": NOT_HOST})
            return
        (self._reports if what == "report" else self._reader).ask(number, what, asked)


def _snapshot(session: Session) -> Mapping[str, Any]:
    from companion.table.phone_view import for_guests  # Imported only once a client has come.

    return for_guests(session)
