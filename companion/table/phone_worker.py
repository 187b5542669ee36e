"""Phones at the table: their requests on the socket become inputs on the loop's queue, and replies go back.

    judge, could, hint, moves      answered at once from the newest session: they change nothing
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

from companion import games
from companion.evening.screens.phones import pairing, requests
from companion.inputs import CodeIssued, DeviceMissing, HintRequest, PagesServed, PhoneRequest, Request, parse_request
from companion.languages import text
from companion.replacing import replace_file
from companion.table.host_worker import HostWorker
from companion.table.state_server import SocketError, StateServer, remove_stale_socket, socket_path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from companion.evening.model import Session
    from companion.inputs import HintProgress, Input

MAX_URL_LETTERS = 36
"""The most letters of a page's URL: with the pairing code they fill a version 2 QR code."""
REPORT_SECONDS = 300.0
"""How long a report may take, of a long evening on the slowest computer."""
REPORT_IDLE_SECONDS = 5.0
"""How long an idle process for reports stays; it needs more memory than the one for other questions."""
MAX_TEXT_LETTERS = 400
"""The most letters of a request's text."""
MAX_LETTERS_OF = {"correct": 60_000, "record": 60_000, "start": 2_000}
"""The most letters of longer requests.

A corrected record has to fit into a client's line; the longest known one has 20,000.
"""
CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""The letters of pairing codes, without those that are easily mistaken for another (0, 1, I, O)."""
CODE_LETTERS = 6
HOST_QUESTIONS = ("history", "round", "record", "names", "report")
"""The host's requests about stored rounds."""
NOT_HOST = text("This phone is not the host's.")
PHONES_FILE = "phones.json"
PHONES_VALID_SECONDS = 12 * 3600.0
"""How long phones stay in after the last one was let in, by the box's clock."""
MAX_FILE_BYTES = 65_536
"""How much of the file is read."""
SAVE_WAIT_SECONDS = 5.0
"""How long the end of the table waits for a slow disk."""


class SavedPhones(NamedTuple):
    """The phones that are in, and their players' names; `host` and `screen` are as in `PhoneAccess`."""

    paired: tuple[tuple[str, str], ...] = ()
    host: str = ""
    screen: str = ""


def read_saved_phones(folder: Path, now: float) -> SavedPhones | None:
    """Read which phones are still in at `now`, in seconds since 1970.

    None if phones were off, if it was another evening, or if the file cannot be read.
    """
    with contextlib.suppress(OSError, ValueError, RecursionError), (folder / PHONES_FILE).open("rb") as file:
        match json.loads(file.read(MAX_FILE_BYTES)):
            case {"at": float(saved_at), "paired": dict(paired), "host": str(host), **others} if (
                0 <= now - saved_at < PHONES_VALID_SECONDS
            ):
                if all(isinstance(name, str) for name in paired.values()):
                    return SavedPhones(tuple(paired.items()), host, str(others.get("screen", "")))
    return None


class PhoneSaver:
    """Saves which phones are in, in a thread, so that a slow disk delays nobody."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / PHONES_FILE
        self._saved: SavedPhones | None = None
        self._write_lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def save_phones_if_changed(self, session: Session) -> None:
        """Write the file if other phones are in than at the last call; returns at once."""
        access = session.phones
        phones = SavedPhones(access.player_phones, access.host, access.screen) if access.is_on else None
        if phones == self._saved:
            return
        self._saved = phones
        self._thread = threading.Thread(target=self._write, name="saved phones", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Wait until the file is written, at most `SAVE_WAIT_SECONDS`."""
        if self._thread is not None:
            self._thread.join(SAVE_WAIT_SECONDS)

    def _write(self) -> None:
        """Write the newest state. If that fails, phones have to ask again after a restart, and nothing else is lost."""
        with self._write_lock, contextlib.suppress(OSError):
            if (phones := self._saved) is None:
                self._path.unlink(missing_ok=True)
                return
            data = {"at": time.time(), **phones._asdict(), "paired": dict(phones.paired)}
            replace_file(self._path, json.dumps(data).encode(), mode=0o600)


class PhoneWorker:
    """Opens the socket for phones while the session allows them.

    Args:
        data_folder: where it is saved which phones are in; the socket is there too, unless the service has a folder for
            it.
        put_input: puts an input on the loop's queue.
        find_hint: returns what is known so far of a hint that is asked for.
    """

    def __init__(
        self, data_folder: Path, put_input: Callable[[Input], object], find_hint: Callable[[HintRequest], HintProgress]
    ) -> None:
        self._put_input = put_input
        self._find_hint = find_hint
        path = socket_path(data_folder)
        self.server = StateServer(
            "phones", path, _phones_snapshot, self._take_message, lambda: put_input(PagesServed((), time.monotonic()))
        )
        self.saver = PhoneSaver(data_folder)
        with contextlib.suppress(OSError):  # Phones are off when a table starts, and the service watches this socket.
            remove_stale_socket(path)
        self._host_worker = HostWorker(data_folder, self.server.send_line)
        self._report_worker = HostWorker(
            data_folder, self.server.send_line, idle_seconds=REPORT_IDLE_SECONDS, answer_seconds=REPORT_SECONDS
        )

    def start_request(self, request: Request) -> bool:
        """Carry out a request of the session if it is about phones. Returns whether it is."""
        if request is Request.PHONES_ON:
            try:
                self.server.open()
            except SocketError:
                self._put_input(
                    DeviceMissing("phones", text("Phones don't work:\nrestart the table"), time.monotonic())
                )
        elif request is Request.PHONES_OFF:
            self.server.close()
        elif request is Request.PHONE_CODE:
            import secrets  # This imports OpenSSL: 4 MiB that only a table with phones needs.

            code = "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LETTERS))
            self._put_input(CodeIssued(code, time.monotonic()))
        else:
            return False
        return True

    def _take_message(self, message: Mapping[str, Any]) -> None:
        """Process a client's message, in the client's thread; invalid ones are ignored."""
        match message:
            case {"pages": list(pages)} if all(
                isinstance(page, str) and len(page) <= MAX_URL_LETTERS for page in pages
            ):
                self._put_input(PagesServed(tuple(pages), time.monotonic()))
            case {"ask": int(number), "phone": str(phone), "what": str(kind), "text": str(argument)} if (
                len(phone) <= MAX_TEXT_LETTERS
                and len(kind) <= MAX_TEXT_LETTERS
                and len(argument) <= MAX_LETTERS_OF.get(kind, MAX_TEXT_LETTERS)
            ):
                session = self.server.session
                if kind in HOST_QUESTIONS:
                    self._ask_host_worker(number, phone, kind, argument)
                elif kind == "games":
                    self.server.send_reply({"answer": number} | _setup_forms(session, phone))
                elif kind in ("judge", "could", "help", "hint", "moves"):
                    self.server.send_reply({"answer": number} | self._direct_answer(session, phone, kind, argument))
                else:
                    previous = message.get("was")
                    previous_phone = previous if isinstance(previous, str) and len(previous) <= MAX_TEXT_LETTERS else ""
                    self._put_input(
                        PhoneRequest(number, phone, parse_request(kind, argument, previous_phone), time.monotonic())
                    )

    def _direct_answer(self, session: Session | None, phone: str, kind: str, argument: str) -> dict[str, Any]:
        """Answer, from the newest session, a request that changes nothing and concerns the phone's own seat."""
        if session is None:
            return {"draft": None, "words": (), "moves": ()}
        if kind == "judge":
            from companion.table.phone_view import judge_draft

            seat = pairing.phone_seat(session, phone)
            return {"draft": judge_draft(session, seat, argument) if seat else None}
        if kind == "moves":
            from companion.table.phone_view import past_moves

            return past_moves(session, argument) if session.phones.player_of(phone) else {"moves": ()}
        if kind == "could":
            return {"words": requests.could_have_moved_lines_for_phone(session, phone)}
        if kind == "help":
            on_table = (session.round or session.pad) if session.phones.player_of(phone) else None
            pages = games.help_pages(on_table.header.game, names_keys=False) if on_table is not None else ()
            return {"words": (text("How to play"), *pages)}
        request = requests.hint_request_or_refusal(session, phone)
        if not isinstance(request, HintRequest):
            return {"words": request}
        hint = self._find_hint(request)
        if not hint.parts:  # The search goes on, and the phone asks again.
            return {"words": (text("Hint"), text("I am thinking: {percent}%.", percent=hint.percent)), "wait": True}
        part = min(int(argument) if argument.isascii() and argument.isdigit() else 0, len(hint.parts) - 1)
        return {"words": hint.parts[part].text_lines, "part": part, "parts": len(hint.parts)}

    def _ask_host_worker(self, number: int, phone: str, question: str, argument: str) -> None:
        """Pass a question of the host's pages on. Reports take long, so they have a process of their own."""
        if not _is_host(self.server.session, phone):
            self.server.send_reply({"answer": number, "refusal": NOT_HOST})
            return
        (self._report_worker if question == "report" else self._host_worker).ask(number, question, argument)


def _is_host(session: Session | None, phone: str) -> bool:
    return session is not None and session.phones.is_on and phone != "" and phone == session.phones.host


def _setup_forms(session: Session | None, phone: str) -> dict[str, Any]:
    """The games and what is chosen before each, for the host's form."""
    if session is None or not _is_host(session, phone):
        return {"refusal": NOT_HOST}
    from companion.evening.screens.setup.setup_form import setup_forms

    return {"found": setup_forms(session)}


def _phones_snapshot(session: Session) -> Mapping[str, Any]:
    from companion.table.phone_view import client_snapshot  # Imported only once a client has come.

    return client_snapshot(session)
