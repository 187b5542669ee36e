"""Phones at the table: what they say on the socket becomes inputs on the one queue, and their answers go back."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from companion.inputs import CodeIssued, DeviceLost, PagesServed, PhoneRequest, Request
from companion.session import phone_requests, phones
from companion.table.guests import Guests, Unusable, socket_path
from companion.table.reader import Reader
from companion.wishes import read_wish

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from companion.inputs import Input
    from companion.session import Session
    from companion.session.model import Answer

LONGEST_PAGE = 36
"""Letters of a page's address: with the code behind it they fill a version 2 QR code."""
REPORT_SECONDS = 300.0
"""So long a report may take: a long evening's, on the smallest computer."""
REPORT_IDLE_SECONDS = 5.0
"""So long the process that makes reports stays: it takes more memory than the others."""
LONGEST = 400
"""Letters of a wish."""
LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Of a code: none that looks like another."""
CODE_LETTERS = 6
STORED = ("history", "round", "names", "report")
"""What the host may ask about stored rounds."""
NOT_HOST = "This phone is not the host's."


class PhoneDesk:
    """Lets phones in while the session wants it.

    Args:
        data: the data folder, where the socket is made unless the service has a runtime folder.
        put: takes the inputs.
    """

    def __init__(self, data: Path, put: Callable[[Input], object]) -> None:
        self._put = put
        self.guests = Guests(socket_path(data), _told, self._heard, lambda: put(PagesServed((), time.monotonic())))
        self._reader = Reader(data, self.guests.answer_line)
        self._reports = Reader(data, self.guests.answer_line, idle=REPORT_IDLE_SECONDS, seconds=REPORT_SECONDS)

    def errand(self, request: Request) -> bool:
        """Do what the session asks for; whether it was about phones."""
        if request is Request.PHONES_ON:
            self._open()
        elif request is Request.PHONES_OFF:
            self.guests.close()
        elif request is Request.PHONE_CODE:
            import secrets  # With it comes OpenSSL, 4 MiB that only a table with phones needs.

            code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LETTERS))
            self._put(CodeIssued(code, time.monotonic()))
        else:
            return False
        return True

    def answer(self, answer: Answer) -> None:
        """Tell a phone how its wish was answered."""
        self.guests.answer({"answer": answer.number, "refusal": answer.refusal})

    def _open(self) -> None:
        try:
            self.guests.open()
        except Unusable:
            self._put(DeviceLost("phones", "No phones:\nthe socket is not usable", time.monotonic()))

    def _heard(self, words: Mapping[str, Any]) -> None:
        """What a guest says, in its own thread; what makes no sense is passed over."""
        match words:
            case {"pages": list(pages)} if all(isinstance(page, str) and len(page) <= LONGEST_PAGE for page in pages):
                self._put(PagesServed(tuple(pages), time.monotonic()))
            case {"ask": int(number), "phone": str(phone), "what": str(what), "text": str(text)} if (
                len(phone) <= LONGEST and len(what) <= LONGEST and len(text) <= LONGEST
            ):
                if what == "judge":
                    self.guests.answer({"answer": number, "draft": self._judged(phone, text)})
                elif what in ("could", "hint"):
                    session = self.guests.session
                    said = phone_requests.words(session, phone, what) if session is not None else ()
                    self.guests.answer({"answer": number, "words": said})
                elif what in STORED:
                    self._ask_reader(number, phone, what, text)
                else:
                    self._put(PhoneRequest(number, phone, read_wish(what, text), time.monotonic()))

    def _ask_reader(self, number: int, phone: str, what: str, text: str) -> None:
        """A question of the host's pages; a report, which takes long, does not keep the others waiting."""
        session = self.guests.session
        if session is None or not session.phones or not phone or phone != session.host:
            self.guests.answer({"answer": number, "refusal": NOT_HOST})
            return
        (self._reports if what == "report" else self._reader).ask(number, what, text)

    def _judged(self, phone: str, keys: str) -> Mapping[str, Any] | None:
        """A phone's half-made move, judged here and now: it stays on the phone."""
        from companion.screens.public import judged

        session = self.guests.session
        seat = phones.seat(session, phone) if session is not None else 0
        return judged(session, seat, keys) if session is not None and seat else None


def _told(session: Session) -> Mapping[str, Any]:
    from companion.screens.public import for_guests  # Not before somebody watches.

    return for_guests(session)
