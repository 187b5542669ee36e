"""Phones at the table: their requests on the socket become inputs on the loop's queue, and answers go back."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from companion.inputs import CodeIssued, DeviceLost, HintRequest, PagesServed, PhoneRequest, Request
from companion.languages import text
from companion.moments.phones import pairing, requests
from companion.phone_requests import read_request
from companion.table.desks.kept_phones import PhoneKeeper
from companion.table.desks.reader import Reader
from companion.table.guests import Guests, SocketError
from companion.table.socket_file import socket_path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from companion.inputs import Hinted, Input
    from companion.session.fields import PhoneAnswer
    from companion.session.model import Session

LONGEST_PAGE = 36
"""The most letters of a page's URL: with the pairing code they fill a version 2 QR code."""
REPORT_SECONDS = 300.0
"""The longest time for a report, of a long evening on the slowest computer."""
REPORT_IDLE_SECONDS = 5.0
"""How long an idle process for reports stays; it needs more memory than the one for other questions."""
LONGEST_TEXT = 400
"""The most letters of a request's text."""
LONGEST_RECORD = 60_000
"""The most letters of a corrected record, which has to fit into a client's line; the longest known one has 20,000."""
LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""The letters of pairing codes, without those that are easily mistaken for another (0, 1, I, O)."""
CODE_LETTERS = 6
STORED = ("history", "round", "record", "names", "report")
"""The host's requests about stored rounds."""
NOT_HOST = text("This phone is not the host's.")


class PhoneDesk:
    """Opens the socket for phones while the session allows them.

    Args:
        data: the data folder: there the socket is created unless the service has a runtime folder, and it is kept
            which phones are in.
        put: puts an input on the loop's queue.
        hint: what is found by now of a hint that is asked for.
    """

    def __init__(self, data: Path, put: Callable[[Input], object], hint: Callable[[HintRequest], Hinted]) -> None:
        self._put = put
        self._hint = hint
        self.guests = Guests(
            "phones", socket_path(data), _for_guests, self._received, lambda: put(PagesServed((), time.monotonic()))
        )
        self._keeper = PhoneKeeper(data)
        self.guests.remove_stale()  # Phones are off when a table starts, and the service watches this socket.
        self._reader = Reader(data, self.guests.answer_line)
        self._reports = Reader(data, self.guests.answer_line, idle=REPORT_IDLE_SECONDS, seconds=REPORT_SECONDS)

    def show(self, session: Session) -> None:
        """Take a session that was shown; returns at once."""
        self.guests.show(session)
        self._keeper.show(session)

    def close(self) -> None:
        """Wait until it is kept which phones are in."""
        self._keeper.close()

    def start_request(self, request: Request) -> bool:
        """Carry out a request of the session if it is about phones. Returns whether it is."""
        if request is Request.PHONES_ON:
            self._open()
        elif request is Request.PHONES_OFF:
            self.guests.close()
        elif request is Request.PHONE_CODE:
            import secrets  # Imports OpenSSL: 4 MiB that only a table with phones needs.

            code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LETTERS))
            self._put(CodeIssued(code, time.monotonic()))
        else:
            return False
        return True

    def answer(self, answer: PhoneAnswer) -> None:
        """Send the answer to a phone's request."""
        self.guests.answer({"answer": answer.number, "refusal": answer.refusal})

    def _open(self) -> None:
        try:
            self.guests.open()
        except SocketError:
            self._put(DeviceLost("phones", text("No phones:\nthe socket is not usable"), time.monotonic()))

    def _received(self, words: Mapping[str, Any]) -> None:
        """Process a guest's message, in the guest's thread; invalid ones are ignored."""
        match words:
            case {"pages": list(pages)} if all(isinstance(page, str) and len(page) <= LONGEST_PAGE for page in pages):
                self._put(PagesServed(tuple(pages), time.monotonic()))
            case {"ask": int(number), "phone": str(phone), "what": str(what), "text": str(asked)} if (
                len(phone) <= LONGEST_TEXT
                and len(what) <= LONGEST_TEXT
                and len(asked) <= (LONGEST_RECORD if what == "correct" else LONGEST_TEXT)
            ):
                if what == "judge":
                    self.guests.answer({"answer": number, "draft": self._judged(phone, asked)})
                elif what == "could":
                    session = self.guests.session
                    said = requests.could(session, phone) if session is not None else ()
                    self.guests.answer({"answer": number, "words": said})
                elif what == "hint":
                    self._ask_hint(number, phone, asked)
                elif what in STORED:
                    self._ask_reader(number, phone, what, asked)
                else:
                    was = words.get("was")
                    known = was if isinstance(was, str) and len(was) <= LONGEST_TEXT else ""
                    self._put(PhoneRequest(number, phone, read_request(what, asked, known), time.monotonic()))

    def _ask_hint(self, number: int, phone: str, part: str) -> None:
        """A part of a hint for the phone's own seat, or how far it has come: then the phone asks again."""
        session = self.guests.session
        asked = requests.request_hint(session, phone) if session is not None else ()
        if not isinstance(asked, HintRequest):
            self.guests.answer({"answer": number, "words": asked})
            return
        found = self._hint(asked)
        if not found.parts:
            said = text("Hint"), text("I am thinking: {percent}%.", percent=found.percent)
            self.guests.answer({"answer": number, "words": said, "wait": True})
            return
        at = min(int(part) if part.isascii() and part.isdigit() else 0, len(found.parts) - 1)
        self.guests.answer({"answer": number, "words": found.parts[at].said, "part": at, "parts": len(found.parts)})

    def _ask_reader(self, number: int, phone: str, what: str, asked: str) -> None:
        """Pass a question of the host's pages on; reports, which take long, have a process of their own."""
        session = self.guests.session
        if session is None or not session.phones.on or not phone or phone != session.phones.host:
            self.guests.answer({"answer": number, "refusal": NOT_HOST})
            return
        (self._reports if what == "report" else self._reader).ask(number, what, asked)

    def _judged(self, phone: str, keys: str) -> Mapping[str, Any] | None:
        """Judge a phone's half-entered move, without the session: the move stays on the phone."""
        from companion.views.phone_view import judged

        session = self.guests.session
        seat = pairing.seat(session, phone) if session is not None else 0
        return judged(session, seat, keys) if session is not None and seat else None


def _for_guests(session: Session) -> Mapping[str, Any]:
    from companion.views.phone_view import for_guests  # Imported only once a guest has come.

    return for_guests(session)
